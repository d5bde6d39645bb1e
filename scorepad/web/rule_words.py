"""Rules, options and presets in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import (
    describe_choice,
    describe_option_value,
    list_canastas_of_families,
    name_canastas_of_family,
)
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Choices, ChoiceValue, Ruleset, Variant
from scorepad.rules.settings import Settings


class OutNeeds(NamedTuple):
    """What a side needs so that it may go out, in words: its canastas, and everything else."""

    canastas: str
    others: str


def out_needs(rules: Ruleset, words: Words) -> OutNeeds:
    """What a side needs so that it may go out, which is to play its last card."""
    return OutNeeds(
        canastas=_canastas_needed(rules, words),
        others="; ".join(_conditions_of_going_out(rules.settings, words)),
    )


def _conditions_of_going_out(settings: Settings, words: Words) -> Iterator[str]:
    """What a side must heed to go out (play its last card), beside the canastas that it needs.

    Each condition is a text, such as "permission of the partner".
    """
    if settings.out_red_threes != "any":
        yield words.t(f"web.needs.{settings.out_red_threes}")
    # Some games forbid to go out with certain melds (sets of cards) that are too short.
    forbidden_melds = [kind.name for kind in settings.incomplete if kind.bars_out]
    if forbidden_melds:
        kinds = words.listing([words.t(f"value.incomplete.{name}") for name in forbidden_melds])
        yield words.t("web.needs.nothing-unfinished", kinds=kinds)
    if settings.last_discard == "obligatory":
        yield words.t(f"web.needs.discard.{settings.last_discard_special}")
    if settings.permission == "must-ask":
        yield words.t("web.needs.permission")


def _canastas_needed(rules: Ruleset, words: Words) -> str:
    """The canastas that a side needs to go out: "at least 2 canastas, among them 1 natural canasta".

    To go out is to play one's last card. A canasta is a set of seven cards or more; the rules give
    the number needed, and may name families of canastas, such as natural ones, that must be there.
    """
    number_needed = rules.settings.canastas_needed
    named_families = rules.settings.canasta_families_needed
    any_canastas = name_canastas_of_family(rules.variant, "any", number_needed, words)
    if not named_families:
        return words.t("web.needs", canastas=any_canastas)

    named_canastas = list_canastas_of_families(named_families, rules.variant, words)
    number_named = sum(number for _family, number in named_families)
    if number_named < number_needed:
        return words.t("web.needs.among", canastas=any_canastas, named=named_canastas)
    return words.t("web.needs", canastas=named_canastas)


def thirteen_word(settings: Settings, words: Words) -> str:
    """What gives a player thirteen more cards; empty if nothing does."""
    if settings.thirteen == "never":
        return ""
    return describe_choice("thirteen", settings.thirteen, words)


def players_words(variant: Variant, words: Words) -> str:
    """How many players a variant is for: `4 giocatori`; `2, 3 o 4 giocatori`."""
    counts = [words.figure(count) for count in sorted(variant.players.value)]
    text = counts.pop()
    if counts:
        text = words.t("web.either", some=", ".join(counts), last=text)
    return words.t("players", count=text)


def length_words(variant: Variant, words: Words) -> str:
    """How long a match lasts: hands to play or points to reach, and minutes if limited."""
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


class ScoreRange(NamedTuple):
    """Match scores with the same opening minimum: the lowest of them, and all of them in words."""

    lowest: int
    text: str


def score_ranges(steps: Sequence[tuple[int, int]], words: Words) -> list[ScoreRange]:
    """The ranges of match scores for which a side's first melds must reach the same points.

    `steps` are pairs of a score and the minimum from that score on: `[(0, 50), (1500, 90)]`.
    """
    ranges = []
    scores = [score for score, _minimum in steps]
    for lowest, next_lowest in pairwise(scores):
        highest = next_lowest - SMALLEST_POINTS
        text = words.t("rulebook.opening.from-to", least=lowest, most=highest)
        ranges.append(ScoreRange(lowest, text))
    last = scores[-1]
    ranges.append(ScoreRange(last, words.t("rulebook.opening.from", least=last)))
    return ranges


def option_words(option: str, value: ChoiceValue, words: Words) -> str:
    """An option with its value: `Traguardo: 5.000`."""
    return words.t(
        "web.new.chosen",
        option=words.t(f"option.{option}"),
        value=describe_option_value(option, value, words),
    )


def choices_words(preset: str | None, options: Choices, words: Words) -> str:
    """A preset and options with their values, in words; empty if there are none."""
    texts = []
    if preset:
        texts.append(words.t(f"preset.{preset}"))
    for option, value in options.items():
        texts.append(option_words(option, value, words))
    return "; ".join(texts)


def options_words(options: Choices, words: Words) -> str:
    """The options that a preset sets, with their values, or that it sets none."""
    if not options:
        return words.t("web.new.preset.nothing")
    return choices_words(None, options, words)


def coded(value: ChoiceValue) -> str:
    """The value of an option as the text for it in forms and URLs: `true`, `5000`, `getty`."""
    if isinstance(value, str):
        return value
    return json.dumps(value)
