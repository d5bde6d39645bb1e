"""The settings of a variant as sentences of the rulebook, by chapter.

A setting has the message `rulebook.say.SETTING.WORD` for a value that is a word or yes or no,
`rulebook.say.SETTING` for one that is a figure or a list, `rulebook.say.SETTING.none` for an empty
value, if every game mentions it, and `rulebook.say.SETTING.not-here` if only games that offer other
values do; `rulebook.say.SETTING.exact` if the minimum equals the maximum,
`rulebook.say.SETTING.by-players` if it depends on the number of players. Any of them is followed by
`.OTHER` if its meaning depends on that value of another setting. Without a message the value in
words is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorepad.i18n.catalogue import Words
from scorepad.i18n.counted import canastas_required, counted_canastas
from scorepad.i18n.settings_in_words import (
    NOTHING,
    families_words,
    family_word,
    is_nothing,
    setting_words,
    value_beside,
)
from scorepad.rules.cards import KINDS, Kind, in_decks
from scorepad.rules.definitions import Statement, Variant

PENALTIES = "penalties"
"""The chapter that lists the penalties."""

CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "turn": (
        "drawn",
        "thirteen",
        "discard-fitting",
        "threes-together",
    ),
    "preparing": (
        "sides",
        "partnership",
        "resting",
        "decks",
        "dealt",
        "hands-each",
        "first-exchange",
        "upcard",
        "upcard-wild",
        "upcard-red-three",
        "upcard-black-three",
        "upcard-freezes",
        "upcard-pile",
        "upcard-big-piles",
        "upcard-wilds-redeal",
    ),
    "cards": (
        "card-points",
        "unit",
    ),
    "melds": (
        "meld-one-rank",
        "sequences",
        "meld-shortest",
        "meld-longest",
        "meld-naturals",
        "wild-limit",
        "wild-ratio",
        "natural-only",
        "natural-after-opening",
        "meld-wilds-stay",
        "wild-melds",
        "wild-melds-shortest",
        "wild-melds-longest",
        "wild-meld-naturals",
        "wilds-blocked",
        "incomplete",
        "repeated-rank",
    ),
    "canastas": (
        "canasta-length",
        "canastas",
        "canastas-count",
        "wild-on-canasta",
        "concealed-canasta",
    ),
    "opening": (
        "opening-by",
        "opening-steps",
        "opening-below-zero",
        "opening-deals",
        "opening-naturals-up-to",
        "opening-wild-melds",
        "opening-natural-group",
        "opening-pile",
    ),
    "pile": (
        "pile",
        "pile-naturals",
        "pile-top-laid-off",
        "pile-layoff",
        "pile-drawn",
        "pile-tops",
        "freezing",
        "pile-naturals-frozen",
    ),
    "red-threes": (
        "red-threes-kept",
        "red-three-values",
        "red-threes-condition",
        "red-threes-otherwise",
        "red-threes-by-canastas",
        "red-threes-by-families",
        "held-red-three",
        "held-red-three-counts",
    ),
    "black-threes": (
        "black-three-discarded",
        "stop-ranks",
        "first-round-black-threes",
        "black-threes",
        "black-threes-fewest",
        "black-threes-longest",
        "black-threes-wilds",
        "black-threes-aside",
        "black-threes-exposed",
    ),
    "out": (
        "canastas-needed",
        "canasta-families-needed",
        "out-red-threes",
        "permission",
        "last-discard",
        "last-discard-special",
        "concealed-out",
        "end-of-stock",
    ),
    "count": (
        "counted-by",
        "cards-by-canastas",
        "out-bonus",
        "concealed-out-bonus",
        "out-bonus-canastas",
        "out-bonus-adds",
        "cards-left",
        "left-black-three",
        "left-wild",
        "left-group",
        "held-together",
        "special-hands",
    ),
    "winning": (
        "target",
        "match-deals",
    ),
    PENALTIES: ("penalties-known",),
}
"""The chapters in page order, each with its settings in order; every setting is in one of them."""

_LARGEST_OF = {"canasta-length": "meld-longest", "wild-melds-shortest": "wild-melds-longest"}
"""Settings of a minimum number of cards, each with the maximum."""


def rule_name(key: str, words: Words) -> str:
    """The name of a setting's rule: as in lists of settings, or its own heading for a sentence."""
    return words.t(words.first(f"rulebook.name.{key}", f"setting.{key}"))


def statement_name(statement: Statement, words: Words) -> str:
    """The heading under which a statement stands: that of its rule, or of its chapter."""
    if statement.after is None:
        return words.t(f"rulebook.section.{statement.section}")
    return rule_name(statement.after, words)


def rule_text(key: str, variant: Variant, words: Words) -> str:
    """The sentence of a rule, including the effect of the number of players if an option decides
    both.
    """
    text = sentence(key, variant, words)
    numbers = each_by_players(key, variant, words)
    if not numbers:
        return text
    return f"{text} {words.t(f'rulebook.say.{key}.by-players', value=', '.join(numbers))}"


def each_by_players(key: str, variant: Variant, words: Words) -> list[str]:
    """The rule for each number of players, if an option decides both; otherwise empty."""
    if not words.has(f"rulebook.say.{key}.by-players"):
        return []
    texts = []
    for option in variant.options.values():
        for value in option.values:
            if "sides" in value.sets and key in value.sets:
                players = sum(value.sets["sides"])
                count = value.sets[key]
                text = words.t(f"rulebook.say.{key}.each", players=players, count=count)
                texts.append(text)
    return texts


def is_left_out_of_lists(key: str, variant: Variant, words: Words) -> bool:
    """Whether lists omit the setting's value, a word or nothing, although there is a sentence for
    it.
    """
    value = variant.settings[key].value
    may_be_left_out = isinstance(value, str) or is_nothing(value)
    return may_be_left_out and words.has(_usual_message(key, variant))


# ---------------------------------------------------------------- the sentence


def sentence(key: str, variant: Variant, words: Words) -> str:
    """The sentence for the variant's value of a setting."""
    value = variant.settings[key].value
    if key == "opening-steps" and _is_one_minimum(variant):
        return words.t("rulebook.say.opening-steps.always", value=value[0][1])
    if key == "incomplete" and not any(kind["points"] for kind in value):
        return _incomplete_without_cost(value, variant, words)
    message = _sentence_key(key, variant, words)
    if not message:
        return _value_as_sentence(key, variant, words)

    canastas = _canastas_asked(key, variant, words)
    if canastas:
        return words.t(message, value=canastas)
    if isinstance(value, int) and value > 0 and not isinstance(value, bool):
        return _with_number(message, key, value, words)
    text = setting_words(key, variant, words)
    return words.t(message, value=text[:1].lower() + text[1:])


def _sentence_key(key: str, variant: Variant, words: Words) -> str:
    """The key of the message; empty if there is none."""
    usual = _usual_message(key, variant)
    beside = value_beside(key, variant)
    return words.first(f"{usual}.{beside}", usual, f"rulebook.say.{key}.not-here", "")


def _usual_message(key: str, variant: Variant) -> str:
    """The key of the message for the value, whatever the value of other settings."""
    value = variant.settings[key].value
    message = f"rulebook.say.{key}"
    if key in _LARGEST_OF and value == variant.settings[_LARGEST_OF[key]].value:
        return f"{message}.exact"
    if isinstance(value, (str, bool)):
        return f"{message}.{str(value).lower()}"
    if is_nothing(value):
        return f"{message}.{NOTHING}"
    return message


def _value_as_sentence(key: str, variant: Variant, words: Words) -> str:
    text = setting_words(key, variant, words)
    return f"{text[:1].upper()}{text[1:]}."


def _is_one_minimum(variant: Variant) -> bool:
    """Whether the opening minimum is the same at every score."""
    steps = variant.settings["opening-steps"].value
    return len(steps) == 1 and variant.settings["opening-below-zero"].value == steps[0][1]


def _incomplete_without_cost(
    kinds: Sequence[Mapping[str, Any]], variant: Variant, words: Words
) -> str:
    """Incomplete canastas that only bar going out; or that none matters."""
    names = [words.t(f"value.incomplete.{kind['name']}") for kind in kinds]
    if not names:
        return _value_as_sentence("incomplete", variant, words)
    return words.t("rulebook.say.incomplete.bars", name=words.listing(names))


def _with_number(message: str, key: str, number: int, words: Words) -> str:
    """A sentence about a number; about decks also with the number of their cards and jokers."""
    spelled = words.spelled(number)
    if key != "decks":
        return words.plural(message, number, number=spelled)
    held = dict(zip(KINDS, in_decks(number), strict=True))
    return words.plural(
        message, number, number=spelled, cards=sum(held.values()), jokers=held[Kind.JOKER]
    )


# ---------------------------------------------------------------- canastas to go out


def _canastas_asked(key: str, variant: Variant, words: Words) -> str:
    """The canastas that a setting asks for, in words; empty if it is about something else."""
    match key:
        case "canastas-needed":
            return counted_canastas(variant.id, "any", variant.settings[key].value, words)
        case "canasta-families-needed":
            return canastas_required(variant.id, variant.settings[key].value, words)
        case "concealed-out":
            return out_canastas(variant, words)
        case _:
            return ""


def out_canastas(variant: Variant, words: Words) -> str:
    """What going out requires, in words: `una canasta`, `1 canasta naturale e 1 canasta mista`."""
    needed = variant.settings["canastas-needed"].value
    families = variant.settings["canasta-families-needed"].value
    own_name = f"family.{variant.id}.any"
    if families:
        canastas = families_words(families, variant.id, words)
    elif words.has(own_name):
        canastas = words.plural(own_name, needed)
    else:
        canastas = words.plural("value.out-canastas", needed)

    named = sum(count for _, count in families)
    if families and named < needed:
        every = family_word(variant.id, "any", needed, words)
        canastas = words.t("value.out-canastas.among", canastas=every, families=canastas)
    if variant.settings["out-red-threes"].value == "one-for-each-canasta":
        canastas = words.t("value.out-canastas.red-threes", canastas=canastas)
    return canastas
