"""Rules, options and presets in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import choice_in_words, family_word, value_word
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Choices, ChoiceValue, Ruleset, Variant
from scorepad.rules.settings import Settings


def out_needs(rules: Ruleset, words: Words) -> tuple[str, str]:
    """The conditions for a side to go out: its canastas, and the others."""
    settings = rules.settings
    others = []
    if settings.out_red_threes != "any":
        others.append(words.t(f"web.needs.{settings.out_red_threes}"))
    barring = [kind.name for kind in settings.incomplete if kind.bars_out]
    if barring:
        kinds = words.listing([words.t(f"value.incomplete.{name}") for name in barring])
        others.append(words.t("web.needs.nothing-unfinished", kinds=kinds))
    if settings.last_discard == "obligatory":
        others.append(words.t(f"web.needs.discard.{settings.last_discard_special}"))
    if settings.permission == "must-ask":
        others.append(words.t("web.needs.permission"))
    return _canastas_needed(rules, words), "; ".join(others)


def _canastas_needed(rules: Ruleset, words: Words) -> str:
    settings = rules.settings
    variant = rules.variant
    families = settings.canasta_families_needed
    every = family_word(variant, "any", settings.canastas_needed, words)
    if not families:
        return words.t("web.needs", canastas=every)
    named = words.listing(family_word(variant, family, count, words) for family, count in families)
    if sum(count for _, count in families) < settings.canastas_needed:
        return words.t("web.needs.among", canastas=every, named=named)
    return words.t("web.needs", canastas=named)


def thirteen_word(settings: Settings, words: Words) -> str:
    """What gives a player thirteen more cards; empty if nothing does."""
    if settings.thirteen == "never":
        return ""
    return choice_in_words("thirteen", settings.thirteen, words)


def players_words(variant: Variant, words: Words) -> str:
    """The player counts: `4 giocatori`; `2, 3 o 4 giocatori`."""
    *counts, last = map(words.figure, sorted(variant.players.value))
    if counts:
        last = words.t("web.either", some=", ".join(counts), last=last)
    return words.t("players", count=last)


def length_words(variant: Variant, words: Words) -> str:
    """The length of a match: a target, a number of hands, or minutes."""
    hands = variant.settings["match-deals"].value
    target = variant.settings["target"].value
    minutes = variant.ends.minutes
    parts = []
    if isinstance(hands, int):
        parts.append(words.plural("web.length.hands", hands))
    elif isinstance(target, int):
        parts.append(words.t("web.length.target", target=target))
    if minutes is not None:
        parts.append(words.t("web.length.minutes", minutes=minutes))
    return ", ".join(parts)


def score_ranges(steps: Sequence[tuple[int, int]], words: Words) -> list[tuple[int, str]]:
    """The score ranges of the opening minimums: the least score of each, and the range in words."""
    ranges = []
    scores = [least for least, _minimum in steps]
    for least, above in pairwise(scores):
        most = above - SMALLEST_POINTS
        ranges.append((least, words.t("rulebook.opening.from-to", least=least, most=most)))
    highest = scores[-1]
    ranges.append((highest, words.t("rulebook.opening.from", least=highest)))
    return ranges


def option_words(option: str, value: ChoiceValue, words: Words) -> str:
    """An option with its value: `Traguardo: 5.000`."""
    return words.t(
        "web.new.chosen",
        option=words.t(f"option.{option}"),
        value=value_word(option, value, words),
    )


def choices_words(preset: str | None, options: Choices, words: Words) -> str:
    """A preset and options with their values; empty if there are none."""
    texts = [words.t(f"preset.{preset}")] if preset else []
    texts += [option_words(name, value, words) for name, value in options.items()]
    return "; ".join(texts)


def options_words(options: Choices, words: Words) -> str:
    """The options that a preset sets, with their values."""
    return choices_words(None, options, words) or words.t("web.new.preset.nothing")


def coded(value: ChoiceValue) -> str:
    """The value of an option in forms and URLs."""
    return value if isinstance(value, str) else json.dumps(value)
