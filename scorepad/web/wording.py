"""Rules in words: players and length of a game, options, lines of a hand, what going out needs; as players say it."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.i18n.settings import family_word, value_word, word
from scorepad.rules.score import Line
from scorepad.rules.settings import LastDiscard, Settings
from scorepad.rules.variants import Choice, Choices, Ruleset, Variant
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


def players_words(variant: Variant, words: Words) -> str:
    """How many play: `4 giocatori`; where that may be chosen `2, 3 o 4 giocatori`."""
    *few, last = map(words.figure, sorted(variant.players.value))
    count = words.text("web.either", some=", ".join(few), last=last) if few else last
    return words.text("players", count=count)


def length_words(variant: Variant, words: Words) -> str:
    """How long a match goes: up to a target, or so many hands."""
    hands = variant.settings["match-deals"].value
    if isinstance(hands, int):
        return words.plural("web.length.hands", hands)
    return words.text("web.length.target", target=int(variant.settings["target"].value))


def option_words(option: str, value: Choice, words: Words) -> str:
    """An option with its value: `Traguardo: 5.000`."""
    return words.text("web.new.chosen", option=words.text(f"option.{option}"), value=value_word(option, value, words))


def options_words(options: Choices, words: Words) -> str:
    """The options that a preset chooses, with their values."""
    chosen = "; ".join(option_words(name, value, words) for name, value in options.items())
    return chosen or words.text("web.new.preset.nothing")
