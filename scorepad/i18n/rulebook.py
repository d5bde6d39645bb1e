"""Chapters of the rulebook, and each setting of a variant as a sentence.

A setting has the message `rulebook.say.SETTING.WORD` for a value that is a word or yes or no,
`rulebook.say.SETTING` for one that is a figure or a list, `rulebook.say.SETTING.none` for nothing, if that is worth
telling in every game, and `rulebook.say.SETTING.not-here` if only where it may be chosen otherwise;
`rulebook.say.SETTING.exact` where the fewest are also the most, `rulebook.say.SETTING.by-players` where it depends on
how many play. Any of them is followed by `.OTHER` where it means less beside that value of another setting. Without
such a message the value in words is the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scorepad.i18n.settings import BESIDE, NOTHING, family_word, setting_words
from scorepad.i18n.words import Words
from scorepad.rules.cards import KINDS, Kind, in_decks
from scorepad.rules.variants import Variant

PENALTIES = "penalties"
"""The chapter that lists the penalties."""

CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "turn": ("drawn", "thirteen", "discard-fitting", "threes-together"),
    "preparing": (
        "sides", "partnership", "resting", "decks", "dealt", "hands-each", "first-dealer", "cut", "first-player",
        "deal-passes", "first-exchange", "upcard", "upcard-wild", "upcard-red-three", "upcard-black-three",
        "upcard-freezes", "upcard-pile", "upcard-big-piles", "upcard-wilds-redeal",
    ),
    "cards": ("card-points", "unit"),
    "melds": (
        "meld-one-rank", "sequences", "meld-shortest", "meld-longest", "meld-naturals", "wild-limit", "wild-ratio",
        "natural-only", "natural-after-opening", "meld-wilds-stay", "meld-lay-off", "wild-melds", "wild-melds-shortest",
        "wild-melds-longest", "wild-meld-naturals", "wilds-blocked", "incomplete", "repeated-rank",
    ),
    "canastas": ("canasta-length", "canastas", "canastas-count", "wild-on-canasta", "concealed-canasta"),
    "opening": (
        "opening-by", "opening-steps", "opening-below-zero", "opening-deals", "opening-counts",
        "opening-naturals-up-to", "opening-wild-melds", "opening-natural-group", "opening-pile",
    ),
    "pile": (
        "pile", "pile-naturals", "pile-top-laid-off", "pile-layoff", "pile-drawn", "pile-tops", "freezing",
        "pile-naturals-frozen",
    ),
    "red-threes": (
        "meld-red-threes", "red-threes-kept", "red-three-values", "red-threes-condition", "red-threes-otherwise",
        "red-threes-by-canastas", "red-threes-by-families", "held-red-three", "held-red-three-counts",
    ),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "first-round-black-threes", "black-threes", "black-threes-fewest",
        "black-threes-longest", "black-threes-wilds", "black-threes-aside", "black-threes-exposed",
    ),
    "out": (
        "canastas-needed", "canasta-families-needed", "out-red-threes", "permission", "out-empty-handed",
        "last-discard", "last-discard-special", "concealed-out", "end-of-stock",
    ),
    "count": (
        "counted-by", "cards-by-canastas", "out-bonus", "concealed-out-bonus", "out-bonus-canastas", "out-bonus-adds",
        "cards-left", "left-black-three", "left-wild", "left-group", "held-together", "special-hands",
        "table-agreement",
    ),
    "winning": ("target", "match-deals"),
    PENALTIES: ("penalties-known",),
}  # fmt: skip
"""The chapters in the order of the page, each with its settings in order; every setting stands in one of them."""


def rule_name(key: str, words: Words) -> str:
    """What the rule of a setting is called: as lists of settings call it, or by a name of its own over a sentence."""
    own = f"rulebook.name.{key}"
    return words.text(own if words.has(own) else f"setting.{key}")


def sentence(key: str, variant: Variant, words: Words) -> str:
    """What the variant decides about a setting, as a sentence."""
    value = variant.settings[key].value
    message = next((each for each in _messages(key, variant) if words.has(each)), None)
    if message:
        if isinstance(value, int) and value > 0 and not isinstance(value, bool) and key not in _NAMED:
            return words.plural(message, value, **(_FIGURES[key](value) if key in _FIGURES else {}))
        return words.text(message, value=_value(key, variant, words))
    text = setting_words(key, variant, words)
    return f"{text[:1].upper()}{text[1:]}."


def goes_without_saying(key: str, variant: Variant, words: Words) -> bool:
    """Whether the setting's value is a word or nothing that lists leave out, but for which there is a sentence."""
    value = variant.settings[key].value
    may_be_left_out = isinstance(value, str) or (value in ([], 0) and not isinstance(value, bool))
    return may_be_left_out and words.has(_message(key, variant))


def rule_told(key: str, variant: Variant, words: Words) -> str:
    """The sentence of a rule, and how it goes with the number of players where an option decides both."""
    return " ".join(filter(None, (sentence(key, variant, words), _by_players(key, variant, words))))


def _by_players(key: str, variant: Variant, words: Words) -> str:
    numbers = each_by_players(key, variant, words)
    return words.text(f"rulebook.say.{key}.by-players", value=", ".join(numbers)) if numbers else ""


def each_by_players(key: str, variant: Variant, words: Words) -> list[str]:
    """How a rule is for each number of players, where an option decides both; empty of any other rule."""
    if not words.has(f"rulebook.say.{key}.by-players"):
        return []
    return [
        words.text(f"rulebook.say.{key}.each", players=sum(value.sets["sides"]), count=value.sets[key])
        for option in variant.options.values()
        for value in option.values
        if {"sides", key} <= set(value.sets)
    ]


def _messages(key: str, variant: Variant) -> Iterator[str]:
    """The messages that a sentence may have, the first that there is being the one."""
    own = _message(key, variant)
    if key in BESIDE:
        yield f"{own}.{variant.settings[BESIDE[key]].value}"
    yield own
    yield f"rulebook.say.{key}.not-here"


def _message(key: str, variant: Variant) -> str:
    value = variant.settings[key].value
    if key in _MOST and value == variant.settings[_MOST[key]].value:
        return f"rulebook.say.{key}.exact"
    if isinstance(value, (str, bool)):
        return f"rulebook.say.{key}.{str(value).lower()}"
    return f"rulebook.say.{key}.{NOTHING}" if value in ([], 0) else f"rulebook.say.{key}"


def _value(key: str, variant: Variant, words: Words) -> str:
    """What the sentence puts in: the value in words, in the middle of a sentence."""
    if key in _NAMED:
        return _NAMED[key](variant, words)
    text = setting_words(key, variant, words)
    return text[:1].lower() + text[1:]


def _canastas(variant: Variant, words: Words) -> str:
    return family_word(variant.id, "any", variant.settings["canastas-needed"].value, words)


_NAMED: dict[str, Callable[[Variant, Words], str]] = {"canastas-needed": _canastas}
"""Figures that the players of a variant count in things of their own name."""

_MOST = {"canasta-length": "meld-longest", "wild-melds-shortest": "wild-melds-longest"}
"""Settings of the fewest cards, each with that of the most."""


def _of_decks(decks: int) -> dict[str, int]:
    """How many cards and jokers so many decks hold."""
    held = dict(zip(KINDS, in_decks(decks), strict=True))
    return {"cards": sum(held.values()), "jokers": held[Kind.JOKER]}


_FIGURES: dict[str, Callable[[int], dict[str, int]]] = {"decks": _of_decks}
"""Other figures that follow from a setting's."""
