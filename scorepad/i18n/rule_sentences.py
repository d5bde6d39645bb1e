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

from collections.abc import Mapping
from typing import Any

from scorepad.i18n.catalogue import Words
from scorepad.i18n.counted import say_number_of_canastas, say_what_canastas_must_be
from scorepad.i18n.settings_in_words import (
    NOTHING,
    describe_setting,
    find_related_value,
    is_empty_or_zero,
    list_canastas_of_families,
    name_canastas_of_family,
    uncapitalize,
)
from scorepad.rules.cards import JOKER, count_cards_in_decks
from scorepad.rules.definitions import Statement, Variant
from scorepad.rules.hand import EXTRA_COUNTS

PENALTIES = "penalties"
"""The chapter that lists the penalties."""


def list_settings_of_extra_points(chapter: str) -> list[str]:
    """List the settings of points that only some games count, for one chapter of the rulebook.

    `"black-threes"` → `["black-threes-aside", "black-threes-exposed"]`. Settings that give the
    points of other things as well are left out.
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
        "wild-discard",
        "empty-pile-bars",
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
        "turn-card",
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
        "meld-longest-out",
        "meld-naturals",
        "wild-limit",
        "wild-ratio",
        "natural-only",
        "natural-after-opening",
        "wilds-from-naturals",
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
        "dead-ranks",
        "canastas-count",
        "canastas-capped",
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
        "opening-canasta",
        "opening-pile",
        "talon",
        "talon-from",
        "talon-with-pile",
    ),
    "pile": (
        "pile",
        "pile-naturals",
        "pile-top-laid-off",
        "pile-layoff",
        "pile-taken-most",
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
        *list_settings_of_extra_points("black-threes"),
    ),
    "out": (
        "canastas-needed",
        "canasta-families-needed",
        "out-red-threes",
        "permission",
        "out-partner-foot",
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
        "special-hands-courtesy",
        *list_settings_of_extra_points("count"),
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


def name_rule(key: str, words: Words) -> str:
    """Return the heading of a rule in the rulebook: `meld-shortest` → "How many cards in a meld".

    `key` is the key of the setting that the rule is about. A rule without a heading of its own has
    the usual name of the setting: `decks` → "Decks".
    """
    name_key = words.find_known_key(f"rulebook.name.{key}", f"setting.{key}")
    return words.t(name_key)


def name_heading_of_statement(statement: Statement, words: Words) -> str:
    """Return the heading under which a statement stands in the rulebook.

    A statement is a sentence of the rulebook that is not the value of a setting.

    - it belongs to a setting: the heading of that rule, such as "Cards dealt"
    - it belongs to none: the heading of the chapter, such as "Object and turns"
    """
    if statement.after is None:
        return words.t(f"rulebook.section.{statement.section}")
    return name_rule(statement.after, words)


def write_rule(key: str, variant: Variant, words: Words) -> str:
    """Write a rule of a game for the rulebook: a sentence about a setting, sometimes a second one.

    The second sentence gives the values for each number of players: "Each player is dealt 9 cards.
    The cards depend on how many play: with 2 players 12 each, with 3 players 10 each, …"
    """
    text = write_sentence(key, variant, words)
    values_by_players = list_values_by_players(key, variant, words)
    if not values_by_players:
        return text
    more = words.t(f"rulebook.say.{key}.by-players", value=", ".join(values_by_players))
    return f"{text} {more}"


def list_values_by_players(key: str, variant: Variant, words: Words) -> list[str]:
    """List the values of a setting for each number of players, in words.

    In the game `mini`, `dealt` → `["with 2 players 12 each", "with 3 players 10 each", …]`. Empty
    for settings that have no message about this, and for games with one number of players only.
    """
    if not words.has(f"rulebook.say.{key}.by-players"):
        return []
    texts = []
    for settings in _list_settings_by_players(variant):
        if key in settings:
            players = sum(settings["sides"])  # `[2, 2]`: two sides of two players
            text = words.t(f"rulebook.say.{key}.each", players=players, count=settings[key])
            texts.append(text)
    return texts


def _list_settings_by_players(variant: Variant) -> list[Mapping[str, Any]]:
    """List, for each number of players of a game, the settings that depend on it.

    `[{"sides": [1, 1], "dealt": 12}, {"sides": [1, 1, 1], "dealt": 10}]`: with two players each is
    dealt 12 cards. Empty for games with one number of players only.
    """
    settings_by_players = []
    for option in variant.options.values():
        for option_value in option.values:
            if "sides" in option_value.sets:  # the option is the number of players
                settings_by_players.append(option_value.sets)
    return settings_by_players


def has_sentence_for_value(key: str, variant: Variant, words: Words) -> bool:
    """Tell whether the rulebook has a sentence written for exactly this value of a setting.

    - `end-of-stock`, whose value is the word `hand-ends` → True, there is a sentence for this word
    - zero or an empty list → True if the setting has a sentence for "none"
    - `decks`, 2 → False: the sentence has a placeholder, and is there for any number
    """
    value = variant.settings[key].value
    is_word = isinstance(value, str)
    if is_word or is_empty_or_zero(value):
        return words.has(_usual_sentence_key(key, variant))
    return False


# ---------------------------------------------------------------- the sentence


def write_sentence(key: str, variant: Variant, words: Words) -> str:
    """Write the sentence of the rulebook about a setting of a game.

    - a value that needs a message of its own: "The minimum is always 50."
    - no message: only the value in words, "Cost nothing."
    - a number of canastas: "To go out you need at least two canastas."
    - another number: "Played with 2 decks: 108 cards in all, including 4 jokers."
    - any other value: the message with the value in it
    """
    exceptional_sentence = _write_exceptional_sentence(key, variant, words)
    if exceptional_sentence:
        return exceptional_sentence

    message = _find_sentence_key(key, variant, words)
    if not message:
        return _write_value_as_sentence(key, variant, words)

    canastas_needed = _describe_canastas_asked_for(key, variant, words)  # "two canastas"
    if canastas_needed:
        return words.t(message, value=canastas_needed)

    value = variant.settings[key].value
    if _is_number_to_count_with(value):
        return _write_sentence_with_number(message, value, words, is_of_decks=key == "decks")

    value_in_words = uncapitalize(describe_setting(key, variant, words))
    return words.t(message, value=value_in_words)


def _write_exceptional_sentence(key: str, variant: Variant, words: Words) -> str:
    """Write the sentence about a value that the usual message of its setting does not fit.

    - `opening-steps` (the points that a side's first cards must reach, by its score), if they are
      the same at every score: "The minimum is always 50."
    - `incomplete` (canastas that were not finished), if they cost no points: "Cost nothing."
    - any other value → empty: it has the usual message
    """
    if key == "opening-steps" and _has_one_minimum_at_any_score(variant):
        _score, minimum = variant.settings["opening-steps"].value[0]
        return words.t("rulebook.say.opening-steps.always", value=minimum)
    if key == "incomplete" and not _do_incomplete_canastas_cost_points(variant):
        return _write_sentence_on_canastas_to_complete(variant, words)
    return ""


def _is_number_to_count_with(value: Any) -> bool:
    """Tell whether a value is a number that decides between the singular and plural of a message.

    - 7 and −100 (points that a side loses) → True
    - 0 → False: a setting that is zero has a message of its own
    - True → False, although True is of type int in Python
    """
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number and value != 0


def _find_sentence_key(key: str, variant: Variant, words: Words) -> str:
    """Find the key of the message for the value that a game gives to a setting.

    The most specific message wins; the answer is empty if there is none:

    1. one that depends on another setting as well: `rulebook.say.wild-limit.allowed`, for a game in
       which the setting `wild-melds` has the value `allowed`
    2. the usual one: `rulebook.say.decks`
    3. one for games that lack what other games have: `rulebook.say.upcard-big-piles.not-here`
    """
    usual_key = _usual_sentence_key(key, variant)
    related_value = find_related_value(key, variant)  # that of the other setting: `allowed`
    return words.find_known_key(
        f"{usual_key}.{related_value}",
        usual_key,
        f"rulebook.say.{key}.not-here",
        "",
    )


def _usual_sentence_key(key: str, variant: Variant) -> str:
    """Return the key of the message for a setting's value, without regard to other settings.

    - a minimum that equals the maximum: `rulebook.say.canasta-length.exact`
    - a word, or yes or no: `rulebook.say.concealed-out.opening-turn`
    - zero or an empty list: `rulebook.say.concealed-canasta.none`
    - a number or a list: `rulebook.say.decks`
    """
    value = variant.settings[key].value
    if key in _MAXIMUM_OF:
        setting_of_maximum = _MAXIMUM_OF[key]  # `meld-longest` for `canasta-length`
        maximum = variant.settings[setting_of_maximum].value
        if value == maximum:
            return f"rulebook.say.{key}.exact"
    if isinstance(value, (str, bool)):
        return f"rulebook.say.{key}.{str(value).lower()}"
    if is_empty_or_zero(value):
        return f"rulebook.say.{key}.{NOTHING}"
    return f"rulebook.say.{key}"


def _write_value_as_sentence(key: str, variant: Variant, words: Words) -> str:
    """Write the value of a setting as a sentence, with a capital letter and a full stop.

    `incomplete`, `[]` → "Cost nothing."
    """
    text = describe_setting(key, variant, words)
    return f"{text[:1].upper()}{text[1:]}."


def _has_one_minimum_at_any_score(variant: Variant) -> bool:
    """Tell whether a side's first cards must reach the same points at every score of the match.

    - steps `[[0, 50], [1500, 90]]` → False: from 1,500 points on a side needs 90
    - steps `[[0, 50]]` and 15 below zero → False
    - steps `[[0, 50]]` and 50 below zero → True
    """
    steps = variant.settings["opening-steps"].value
    if len(steps) > 1:
        return False
    _score, minimum = steps[0]
    minimum_below_zero = variant.settings["opening-below-zero"].value
    return bool(minimum_below_zero == minimum)


def _do_incomplete_canastas_cost_points(variant: Variant) -> bool:
    """Tell whether a side loses points for a canasta (seven cards or more) that it did not finish.

    In some games that holds for certain kinds of canasta only, such as canastas of sevens.
    """
    return any(kind["points"] for kind in variant.settings["incomplete"].value)


def _write_sentence_on_canastas_to_complete(variant: Variant, words: Words) -> str:
    """Write the sentence about canastas (seven cards or more) that must be finished, once begun.

    It is for games where an unfinished one costs no points:

    - it keeps the side from ending the round: "Nobody goes out before a meld of only wild cards is
      complete."
    - the game has no such rule: "Cost nothing."
    """
    kinds_to_complete = variant.settings["incomplete"].value
    if not kinds_to_complete:
        return _write_value_as_sentence("incomplete", variant, words)
    names = []
    for kind in kinds_to_complete:
        name_key = kind["name"]  # `wilds` → "a meld of only wild cards"
        names.append(words.t(f"value.incomplete.{name_key}"))
    return words.t("rulebook.say.incomplete.bars", name=words.listing(names))


def _write_sentence_with_number(
    message: str, number: int, words: Words, *, is_of_decks: bool
) -> str:
    """Write a sentence with a number in it, in the singular or plural.

    - usually: "A canasta is a meld of at least 7 cards."
    - about decks: "Played with 2 decks: 108 cards in all, including 4 jokers."
    """
    number_in_words = words.format_card_count(number)
    if not is_of_decks:
        return words.plural(message, number, number=number_in_words)

    cards_of_each_kind = count_cards_in_decks(
        number
    )  # (4, 8, 8, …): 4 jokers, 8 twos, 8 aces in two decks
    return words.plural(
        message,
        number,
        number=number_in_words,
        cards=sum(cards_of_each_kind),
        jokers=cards_of_each_kind[JOKER],
    )


# ---------------------------------------------------------------- canastas to go out


def _describe_canastas_asked_for(key: str, variant: Variant, words: Words) -> str:
    """Say how many canastas (groups of seven cards or more) a setting asks for.

    These settings are about ending a round. Empty for settings about anything else.

    - `canastas-needed`, 2 → "two canastas"
    - `canasta-families-needed` → "one must be natural and one mixed"
    - `concealed-out`, which is about ending it in a single turn → "one canasta"
    """
    value = variant.settings[key].value
    if key == "canastas-needed":
        return say_number_of_canastas(variant.id, "any", value, words)
    if key == "canasta-families-needed":
        return say_what_canastas_must_be(variant.id, value, words)
    if key == "concealed-out":
        return _describe_canastas_to_go_out(variant, words)
    return ""


def _describe_canastas_to_go_out(variant: Variant, words: Words) -> str:
    """Say which canastas a side needs before it may play its last card and end the round.

    A canasta is a group of seven cards or more. Games may ask for a number of them ("2 canastas"),
    for certain families ("1 natural canasta and 1 mixed canasta"), and also for red threes (bonus
    cards): "2 canastas, with a red three exposed for every canasta".
    """
    if variant.settings["canasta-families-needed"].value:
        canastas = _describe_canastas_of_families_to_go_out(variant, words)
    else:
        canastas = _describe_number_of_canastas_to_go_out(variant, words)

    red_threes_needed = variant.settings["out-red-threes"].value
    if red_threes_needed == "one-for-each-canasta":
        return words.t("value.out-canastas.red-threes", canastas=canastas)
    return canastas


def _describe_canastas_of_families_to_go_out(variant: Variant, words: Words) -> str:
    """Say which canastas a side needs to end the round, in a game that asks for certain families.

    A canasta is a group of seven cards or more; natural and mixed are families.

    - each needed canasta is of a certain family: "1 natural canasta and 1 mixed canasta"
    - some may be of any family: "2 canastas or escaleras, at least 1 escalera among them"
    """
    families = variant.settings["canasta-families-needed"].value  # [["natural", 1], ["mixed", 1]]
    families_in_words = list_canastas_of_families(families, variant.id, words)

    number_of_certain_family = sum(count for _family, count in families)
    number_of_all = variant.settings["canastas-needed"].value
    has_each_its_family = number_of_all <= number_of_certain_family
    if has_each_its_family:
        return families_in_words

    all_in_words = name_canastas_of_family(variant.id, "any", number_of_all, words)
    return words.t("value.out-canastas.among", canastas=all_in_words, families=families_in_words)


def _describe_number_of_canastas_to_go_out(variant: Variant, words: Words) -> str:
    """Say how many canastas, of any family, a side needs to end the round.

    "2 canastas", or in a game with a name of its own for them "2 canastas or sambas".
    """
    key = words.find_known_key(f"family.{variant.id}.any", "value.out-canastas")
    return words.plural(key, variant.settings["canastas-needed"].value)
