"""Rules in words: values of options, lines of a hand, what going out needs; as the players of a variant call things."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.i18n.settings import family_word, word
from scorepad.rules.score import Line
from scorepad.rules.settings import Settings
from scorepad.rules.terms import LastDiscard
from scorepad.rules.variants import Ruleset
from scorepad.sheets.hand_rows import line_label


def line_word(line: Line, words: Words, *, concealed: bool, variant: str = "") -> str:
    """What a line of a hand is for; `concealed`: whoever went out of the hand did so concealed."""
    return line_label(line.item, line.code, line.reason, words, concealed=concealed, variant=variant)


def out_needs(rules: Ruleset, words: Words) -> tuple[str, str]:
    """What a side must have to go out: its canastas, and what else."""
    return _canastas_needed(rules, words), "; ".join(_more_needed(rules.settings, words))


def _canastas_needed(rules: Ruleset, words: Words) -> str:
    settings, variant = rules.settings, rules.variant
    families = settings.canasta_families_needed
    every = family_word(variant, "any", settings.canastas_needed, words)
    if not families:
        return words.text("web.needs", canastas=every)
    named = words.listing(family_word(variant, family, count, words) for family, count in families)
    if sum(count for _, count in families) < settings.canastas_needed:
        return words.text("web.needs.among", canastas=every, named=named)
    return words.text("web.needs", canastas=named)


def _more_needed(settings: Settings, words: Words) -> Iterator[str]:
    if settings.out_red_threes != "any":
        yield words.text(f"web.needs.{settings.out_red_threes}")
    barring = [words.text(f"value.incomplete.{kind.name}") for kind in settings.incomplete if kind.bars_out]
    if barring:
        yield words.text("web.needs.nothing-unfinished", kinds=words.listing(barring))
    if settings.last_discard is LastDiscard.OBLIGATORY:
        yield words.text(f"web.needs.discard.{settings.last_discard_special}")
    if settings.permission == "must-ask":
        yield words.text("web.needs.permission")


def thirteen_word(settings: Settings, words: Words) -> str:
    """What gives a player thirteen more cards; empty where nothing does."""
    return "" if settings.thirteen == "never" else word("thirteen", settings.thirteen, words)
