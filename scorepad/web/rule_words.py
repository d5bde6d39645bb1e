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


def describe_needs_to_go_out(rules: Ruleset, words: Words) -> OutNeeds:
    """Say what a side needs so that one of its players may go out, that is, play the last card.

    - `canastas` of the result: "at least 2 canastas", which are sets of seven cards or more
    - `others`: "the partner's permission", or empty if nothing else is needed
    """
    return OutNeeds(
        canastas=_describe_canastas_needed(rules, words),
        others="; ".join(_list_conditions_of_going_out(rules.settings, words)),
    )


def _list_conditions_of_going_out(settings: Settings, words: Words) -> Iterator[str]:
    """List what a side needs to go out (play its last card), beside its canastas, in words.

    For example, "no unfinished meld of sevens" and "the partner's permission".
    """
    if settings.out_red_threes != "any":
        # "a red three exposed for every canasta"
        yield words.t(f"web.needs.{settings.out_red_threes}")

    # Some games forbid to go out with certain melds (sets of cards) that are too short.
    forbidden_melds = [kind.name for kind in settings.incomplete if kind.bars_out]
    if forbidden_melds:
        kinds = words.listing([words.t(f"value.incomplete.{name}") for name in forbidden_melds])
        yield words.t("web.needs.nothing-unfinished", kinds=kinds)

    if settings.last_discard == "obligatory":
        # "a last discard, a wild card too but no three"
        yield words.t(f"web.needs.discard.{settings.last_discard_special}")
    if settings.permission == "must-ask":
        yield words.t("web.needs.permission")
    if settings.out_partner_foot == "needed":
        yield words.t("web.needs.partner-foot")


def _describe_canastas_needed(rules: Ruleset, words: Words) -> str:
    """Say how many canastas (sets of seven cards or more) a side needs to play its last card.

    - any canastas will do → "at least 2 canastas"
    - all must be of certain kinds → "at least 1 pure canasta and 1 dirty canasta"
    - some must be → "at least 2 canastas, among them 1 natural canasta"
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


def describe_thirteen_cards(settings: Settings, words: Words) -> str:
    """Say when a player gets thirteen more cards, as some games have it; empty if never."""
    if settings.thirteen == "never":
        return ""
    return describe_choice("thirteen", settings.thirteen, words)


def say_number_of_players(variant: Variant, words: Words) -> str:
    """Say for how many players a game is: "4 players", or "2, 3 or 4 players"."""
    counts = [words.figure(count) for count in sorted(variant.players.value)]
    last = counts[-1]
    others = counts[:-1]
    if not others:
        return words.t("players", count=last)
    all_counts = words.t("web.either", some=", ".join(others), last=last)  # "2, 3 or 4"
    return words.t("players", count=all_counts)


def say_length_of_match(variant: Variant, words: Words) -> str:
    """Say how long a match lasts.

    - to a number of points → "up to 5,000"
    - a number of hands (rounds) → "4 hands, the higher total wins"
    - with a limit of time → "up to 5,000, 90 minutes at most"
    """
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


def list_score_ranges(steps: Sequence[tuple[int, int]], words: Words) -> list[ScoreRange]:
    """List the ranges of match scores, from which the points follow that a side must lay first.

    The first cards that a side lays in a round must reach a minimum, which rises with its score.
    `steps` has each score from which on another minimum holds: `[(0, 50), (1500, 90)]` → the ranges
    "0 to 1,495" and "1,500 and more".
    """
    ranges = []
    scores = [score for score, _minimum in steps]
    for lowest, next_lowest in pairwise(scores):  # 0 and 1500
        highest = next_lowest - SMALLEST_POINTS  # all scores are multiples of that
        text = words.t("rulebook.opening.from-to", least=lowest, most=highest)
        ranges.append(ScoreRange(lowest, text))
    last = scores[-1]
    ranges.append(ScoreRange(last, words.t("rulebook.opening.from", least=last)))
    return ranges


def say_option(option: str, value: ChoiceValue, words: Words) -> str:
    """Name an option of the rules with its value: `target` and 5000 → "Target: 5,000"."""
    return words.t(
        "web.new.chosen",
        option=words.t(f"option.{option}"),
        value=describe_option_value(option, value, words),
    )


def choices_words(preset: str | None, options: Choices, words: Words) -> str:
    """Name the choices that players made among the rules of a game; empty if they made none.

    A preset is a named set of options, which comes first. Each option is named with its value:
    "Target: 5,000". Semicolons separate them.
    """
    texts = []
    if preset:
        texts.append(words.t(f"preset.{preset}"))
    for option, value in options.items():
        texts.append(say_option(option, value, words))
    return "; ".join(texts)


def say_options_of_preset(options: Choices, words: Words) -> str:
    """Name the options that a preset (a named set of options) sets, or say that it sets none."""
    if not options:
        return words.t("web.new.preset.nothing")
    return choices_words(None, options, words)


def coded(value: ChoiceValue) -> str:
    """Write the value of an option for a form or a URL.

    - `True` → `true`
    - `5000` → `5000`
    - `"exactly-seven"` → `exactly-seven`, the name of a choice
    """
    if isinstance(value, str):
        return value
    return json.dumps(value)
