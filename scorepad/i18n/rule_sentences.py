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

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.catalogue import Words
from scorepad.i18n.counted import canastas_required, counted_canastas
from scorepad.i18n.settings_in_words import (
    NOTHING,
    describe_setting,
    find_related_value,
    is_empty_or_zero,
    list_canastas_of_families,
    name_canastas_of_family,
    uncapitalize,
)
from scorepad.rules.cards import JOKER, in_decks
from scorepad.rules.definitions import Statement, Variant
from scorepad.rules.hand import EXTRA_COUNTS

PENALTIES = "penalties"
"""The chapter that lists the penalties."""


def settings_of_extras(chapter: str) -> list[str]:
    """The settings of a chapter with the points of what only some variants count.

    Those that also hold other points stand in their chapter by themselves.
    """
    settings = []
    for extra in EXTRA_COUNTS:
        if extra.chapter == chapter and extra.has_own_setting:
            settings.append(extra.setting)
    return settings


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
        *settings_of_extras("black-threes"),
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
        *settings_of_extras("count"),
    ),
    "winning": (
        "target",
        "match-deals",
    ),
    PENALTIES: ("penalties-known",),
}
"""The chapters in page order, each with its settings in order; every setting is in one of them."""

_MAXIMUM_OF = {"canasta-length": "meld-longest", "wild-melds-shortest": "wild-melds-longest"}
"""Settings of a minimum number of cards, each with the setting of the maximum."""


def rule_name(key: str, words: Words) -> str:
    """The name of the rule that a setting decides: its heading in the rulebook."""
    name_key = words.first_known(f"rulebook.name.{key}", f"setting.{key}")
    return words.t(name_key)


def statement_name(statement: Statement, words: Words) -> str:
    """The heading under which a statement stands: that of its rule, or of its chapter."""
    if statement.after is None:
        return words.t(f"rulebook.section.{statement.section}")
    return rule_name(statement.after, words)


def rule_text(key: str, variant: Variant, words: Words) -> str:
    """The sentence of a rule, and a second one about the number of players if that matters."""
    text = sentence(key, variant, words)
    by_players = each_by_players(key, variant, words)
    if not by_players:
        return text
    more = words.t(f"rulebook.say.{key}.by-players", value=", ".join(by_players))
    return f"{text} {more}"


def each_by_players(key: str, variant: Variant, words: Words) -> list[str]:
    """The value of a setting for each number of players, in words; empty if that does not matter.

    In some variants the table chooses the number of players by an option, which sets other settings
    too: `{"sides": [1, 1], "dealt": 12}` for two players, each of whom gets twelve cards.
    """
    if not words.has(f"rulebook.say.{key}.by-players"):
        return []
    texts = []
    for changed_settings in _settings_by_option(variant):
        if "sides" not in changed_settings or key not in changed_settings:
            continue
        players_of_sides = changed_settings["sides"]
        text = words.t(
            f"rulebook.say.{key}.each",
            players=sum(players_of_sides),
            count=changed_settings[key],
        )
        texts.append(text)
    return texts


def _settings_by_option(variant: Variant) -> Iterator[Mapping[str, Any]]:
    """The settings that each value of each option changes, with their new values."""
    for option in variant.options.values():
        for option_value in option.values:
            yield option_value.sets


def has_sentence_of_value(key: str, variant: Variant, words: Words) -> bool:
    """Whether the rulebook has a sentence for just the value that a variant gives to a setting.

    That may be so for a value that is a word, such as `never`, and for nothing (zero or an empty
    list). Sentences for other values have a placeholder.
    """
    value = variant.settings[key].value
    is_word_or_nothing = isinstance(value, str) or is_empty_or_zero(value)
    return is_word_or_nothing and words.has(_usual_sentence_key(key, variant))


# ---------------------------------------------------------------- the sentence


def sentence(key: str, variant: Variant, words: Words) -> str:
    """The sentence of the rulebook about the value that a variant gives to a setting.

    Most sentences are a message with a placeholder for the value. If there is no message, the value
    in words is the sentence.
    """
    exceptional_sentence = _exceptional_sentence(key, variant, words)
    if exceptional_sentence:
        return exceptional_sentence

    message = _sentence_key(key, variant, words)
    if not message:
        return _value_as_sentence(key, variant, words)
    canastas = _canastas_asked(key, variant, words)
    if canastas:
        return words.t(message, value=canastas)
    value = variant.settings[key].value
    if _is_count(value):
        return _sentence_with_number(message, value, words, is_of_decks=key == "decks")
    return words.t(message, value=uncapitalize(describe_setting(key, variant, words)))


def _exceptional_sentence(key: str, variant: Variant, words: Words) -> str:
    """The sentence about a value that does not fit the usual message; empty for all others."""
    if key == "opening-steps" and _is_one_minimum(variant):
        _score, minimum = variant.settings[key].value[0]
        return words.t("rulebook.say.opening-steps.always", value=minimum)
    if key == "incomplete" and not _costs_any_points(variant):
        return _incomplete_without_cost(variant, words)
    return ""


def _is_count(value: Any) -> bool:
    """Whether a value is a number other than zero: points that a side loses are negative. True and
    False, which are int in Python, are not numbers here.
    """
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number and value != 0


def _sentence_key(key: str, variant: Variant, words: Words) -> str:
    """The key of the message for a setting's value; empty if there is none.

    Its meaning may depend on another setting: `rulebook.say.pile.always.never`.
    """
    usual_key = _usual_sentence_key(key, variant)
    related_value = find_related_value(key, variant)
    return words.first_known(
        f"{usual_key}.{related_value}", usual_key, f"rulebook.say.{key}.not-here", ""
    )


def _usual_sentence_key(key: str, variant: Variant) -> str:
    """The key of the message for a setting's value, without regard to other values.

    `rulebook.say.KEY.WORD` for a word or a yes or no, `rulebook.say.KEY.none` for zero or an empty
    list, `rulebook.say.KEY.exact` for a minimum that is the maximum too, else `rulebook.say.KEY`.
    """
    value = variant.settings[key].value
    if key in _MAXIMUM_OF:
        maximum = variant.settings[_MAXIMUM_OF[key]].value
        if value == maximum:
            return f"rulebook.say.{key}.exact"
    if isinstance(value, (str, bool)):
        return f"rulebook.say.{key}.{str(value).lower()}"
    if is_empty_or_zero(value):
        return f"rulebook.say.{key}.{NOTHING}"
    return f"rulebook.say.{key}"


def _value_as_sentence(key: str, variant: Variant, words: Words) -> str:
    """The value of a setting in words, with a capital letter and a full stop."""
    text = describe_setting(key, variant, words)
    return f"{text[:1].upper()}{text[1:]}."


def _is_one_minimum(variant: Variant) -> bool:
    """Whether a side's first melds must reach the same points at every score of the match.

    The setting `opening-steps` has the minimum from each score on, `[[0, 50], [1500, 90]]`;
    `opening-below-zero` is the minimum at a score below zero.
    """
    steps = variant.settings["opening-steps"].value
    if len(steps) > 1:
        return False
    _score, minimum = steps[0]
    minimum_below_zero = variant.settings["opening-below-zero"].value
    return bool(minimum_below_zero == minimum)


def _costs_any_points(variant: Variant) -> bool:
    """Whether a side loses points for any kind of canasta that it leaves incomplete."""
    return any(kind["points"] for kind in variant.settings["incomplete"].value)


def _incomplete_without_cost(variant: Variant, words: Words) -> str:
    """The sentence about the canastas that a side must complete, if none of them costs points.

    Instead, a side with an incomplete one may not go out (play its last card). A variant may also
    have no such canastas.
    """
    kinds = variant.settings["incomplete"].value
    if not kinds:
        return _value_as_sentence("incomplete", variant, words)
    names = [words.t(f"value.incomplete.{kind['name']}") for kind in kinds]
    return words.t("rulebook.say.incomplete.bars", name=words.listing(names))


def _sentence_with_number(message: str, number: int, words: Words, *, is_of_decks: bool) -> str:
    """A sentence about a number; one about decks also says how many cards and jokers they have."""
    number_in_words = words.card_count(number)
    if not is_of_decks:
        return words.plural(message, number, number=number_in_words)
    counts = in_decks(number)  # of each kind of card, in the order of `KINDS`
    return words.plural(
        message,
        number,
        number=number_in_words,
        cards=sum(counts),
        jokers=counts[JOKER],
    )


# ---------------------------------------------------------------- canastas to go out


def _canastas_asked(key: str, variant: Variant, words: Words) -> str:
    """The canastas that a setting asks for, in words; empty if it is about something else."""
    if key == "canastas-needed":
        return counted_canastas(variant.id, "any", variant.settings[key].value, words)
    if key == "canasta-families-needed":
        return canastas_required(variant.id, variant.settings[key].value, words)
    if key == "concealed-out":
        return out_canastas(variant, words)
    return ""


def out_canastas(variant: Variant, words: Words) -> str:
    """The canastas that a side needs before it may play its last card: `1 canasta naturale`.

    A canasta is a set of seven cards or more. Some variants want certain families (natural, mixed),
    and some want a canasta for each red three.
    """
    if variant.settings["canasta-families-needed"].value:
        canastas = _out_canastas_of_families(variant, words)
    else:
        canastas = _out_canastas_of_any_family(variant, words)

    is_one_for_each_red_three = variant.settings["out-red-threes"].value == "one-for-each-canasta"
    if is_one_for_each_red_three:
        return words.t("value.out-canastas.red-threes", canastas=canastas)
    return canastas


def _out_canastas_of_families(variant: Variant, words: Words) -> str:
    """The canastas that a side needs to go out, by family: `1 canasta naturale e 1 canasta mista`.

    If it needs more than those of the families, the number of all is said first: `2 canaste o
    escalere, di cui almeno 1 escalera`.
    """
    families = variant.settings["canasta-families-needed"].value
    in_words = list_canastas_of_families(families, variant.id, words)
    number_of_families = sum(count for _family, count in families)
    number_of_all = variant.settings["canastas-needed"].value
    if number_of_all <= number_of_families:
        return in_words
    all_in_words = name_canastas_of_family(variant.id, "any", number_of_all, words)
    return words.t("value.out-canastas.among", canastas=all_in_words, families=in_words)


def _out_canastas_of_any_family(variant: Variant, words: Words) -> str:
    """The number of canastas that a side needs to go out, of whatever family: `2 canaste`."""
    key = words.first_known(f"family.{variant.id}.any", "value.out-canastas")
    return words.plural(key, variant.settings["canastas-needed"].value)
