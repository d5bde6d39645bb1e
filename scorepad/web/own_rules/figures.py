"""The numbers that house rules can change: which there are, their labels, and how they make up the
settings of a variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.i18n.settings_in_words import name_score_item
from scorepad.rules.cards import RED_THREE, count_cards_in_decks
from scorepad.rules.definitions import Variant, split_into_parts
from scorepad.schemas.variant_json import has_effect
from scorepad.web.base import page_words, plural, t

PENALTIES = "penalties"
"""In place of the key of a setting: the points of the penalties."""
CANASTAS = "canastas"
"""The kinds of canasta (a meld of seven cards or more), each with its points."""
FAMILIES = "canasta-families-needed"
"""How many canastas of each family, such as natural ones, a side needs to go out."""
RED_THREES = "red-three-values"
"""What one red three (a bonus card) is worth, two together, and so on."""
OPENING_STEPS = "opening-steps"
"""The points that a side's first melds must reach, by the score from which they hold."""
OPENING_DEALS = "opening-deals"
"""The points that a side's first melds must reach, by the number of the hand in the match."""
CARD_POINTS = "card-points"
TARGET = "target"
UNLIMITED = "unlimited"
"""The value of `target` in a match that no score ends."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "score": (
        CANASTAS,
        "concealed-canasta",
        "out-bonus",
        "concealed-out-bonus",
        RED_THREES,
        "held-red-three",
    ),
    "opening": (
        OPENING_STEPS,
        "opening-below-zero",
        OPENING_DEALS,
        "canastas-needed",
        FAMILIES,
    ),
    "table": (TARGET, "decks", "dealt", "drawn", "wild-limit"),
    "cards": (CARD_POINTS, "left-black-three"),
    PENALTIES: (PENALTIES,),
}
"""The settings whose numbers can be changed, by group; each has its limits in `LIMITS`."""


@dataclass(frozen=True, slots=True)
class RuleNumber:
    """A number that house rules can change.

    It is a setting such as `decks`, or a part of one: the setting `canastas` has a number for each
    kind of canasta, and its part is then `natural-canasta`. `value` is None for a match without
    target; `usual` is the value in the variant that the house rules start from.
    """

    key: str
    part: str
    label: str
    value: int | None
    usual: int | None

    @property
    def name(self) -> str:
        """The name of its field in the form: `decks`, `canastas.natural-canasta`."""
        if not self.part:
            return self.key
        return f"{self.key}.{self.part}"

    @property
    def file_key(self) -> str:
        """The key in a file of house rules: `settings.decks`, `penalties.draw-out-of-turn`.

        Numbers that are parts of one setting have the same key: `settings.canastas`.
        """
        if self.key == PENALTIES:
            return f"penalties.{self.part}"
        return f"settings.{self.key}"

    @property
    def is_own(self) -> bool:
        """Tell whether the house rules change it."""
        return self.value != self.usual


# ---------------------------------------------------------------- the numbers of a setting

_SETTINGS_WITH_PARTS = (CANASTAS, OPENING_STEPS, OPENING_DEALS, CARD_POINTS, RED_THREES)
_WHOLE_SETTING = ""
"""In place of the name of a part, for the number of a setting that is a single number."""


def split_into_numbers(key: str, variant: Variant) -> dict[str, int | None]:
    """Split a setting into its numbers, each by the name of its part.

    `canastas` → `{"natural-canasta": 500, "mixed-canasta": 300}`. A setting that is one number, as
    `decks`, has one part with an empty name: `{"": 2}`. The form has a field for each part.
    """
    value = variant.settings[key].value
    if key == FAMILIES:
        # It lists only the families that a side needs: the canastas show which others there are.
        return _list_needed_of_each_family(value, variant.settings[CANASTAS].value)
    if key in _SETTINGS_WITH_PARTS:
        return split_into_parts(key, value)
    return _wrap_single_number(key, value)


def _wrap_single_number(key: str, value: int | str) -> dict[str, int | None]:
    """Return the number of a setting that has only one, as `split_into_numbers` does.

    - 2 → `{"": 2}`
    - "unlimited" as the score that ends a match → `{"": None}`, so that its field is blank
    - any other word → `{}`, so that there is no field for it
    """
    if key == TARGET and value == UNLIMITED:
        return {_WHOLE_SETTING: None}
    if isinstance(value, int):
        return {_WHOLE_SETTING: value}
    return {}


def _list_needed_of_each_family(
    needed: Iterable[tuple[str, int]], kinds_of_canasta: Iterable[Mapping[str, Any]]
) -> dict[str, int | None]:
    """List how many canastas of each family a side needs to go out (to play the last card).

    A canasta is a group of seven cards or more; its family is natural, or mixed with jokers.
    `[("natural", 1)]` → `{"natural": 1, "mixed": 0}`.
    """
    number_by_family: dict[str, int | None] = dict(needed)
    for kind in kinds_of_canasta:
        family = kind["family"]
        if family not in number_by_family:
            number_by_family[family] = 0
    return number_by_family


def put_numbers_into_setting(key: str, value: Any, numbers: Mapping[str, int | None]) -> Any:
    """Put changed numbers into the value of a setting: the reverse of `split_into_numbers`.

    `value` is the setting before. Parts without a new number stay as they are, and numbers for
    parts that the setting does not have are ignored.

    - `decks`: 2 with `{"": 3}` → 3
    - `opening-steps`: `[[0, 50], [1500, 90]]` with `{"1500": 100}` → `[[0, 50], [1500, 100]]`
    """
    if key == FAMILIES:
        return _list_families_needed(numbers)
    if key == CANASTAS:
        return _change_points_of_canastas(value, numbers)
    if key == CARD_POINTS:
        return _change_points_of_cards(value, numbers)
    if key == OPENING_STEPS:
        return _change_minimums_of_steps(value, numbers)
    if key in (OPENING_DEALS, RED_THREES):
        return _change_numbers_of_list(value, numbers)

    number = numbers[_WHOLE_SETTING]
    if number is None:  # the target was left blank: no score ends the match
        return UNLIMITED
    return number


def _list_families_needed(numbers: Mapping[str, int | None]) -> list[list[Any]]:
    """List the families of canastas of which a side needs some to go out: `[["natural", 1]]`.

    A canasta is a group of seven cards or more. Families with the number 0 are left out.
    """
    needed: list[list[Any]] = []
    for family, count in numbers.items():
        if count:
            needed.append([family, count])
    return needed


def _change_points_of_canastas(
    kinds: Iterable[Mapping[str, Any]], points: Mapping[str, int | None]
) -> list[dict[str, Any]]:
    """Return the kinds of canasta with new points for some of them: `{"natural-canasta": 600}`.

    A canasta is a group of seven cards or more. Kinds without new points keep theirs.
    """
    changed: list[dict[str, Any]] = []
    for kind in kinds:
        new_points = points.get(kind["item"], kind["points"])
        changed.append({**kind, "points": new_points})
    return changed


def _change_points_of_cards(
    points_before: Mapping[str, int], points: Mapping[str, int | None]
) -> dict[str, int | None]:
    """Return the points of each card, with new points for some cards: `{"JK": 60}`."""
    return {card: points.get(card, before) for card, before in points_before.items()}


def _change_minimums_of_steps(
    steps: Iterable[tuple[int, int]], minimums: Mapping[str, int | None]
) -> list[list[int | None]]:
    """Return the opening minimums by score, with new minimums for some scores.

    The first cards that a side lays must count so many points. `[[0, 50], [1500, 90]]` with
    `{"1500": 100}` → `[[0, 50], [1500, 100]]`.
    """
    changed: list[list[int | None]] = []
    for score, minimum in steps:
        changed.append([score, minimums.get(str(score), minimum)])
    return changed


def _change_numbers_of_list(
    before: Iterable[int], numbers: Mapping[str, int | None]
) -> list[int | None]:
    """Return a list of numbers with new ones at some positions, which count from 1.

    `[100, 200]` with `{"2": 250}` → `[100, 250]`.
    """
    changed: list[int | None] = []
    for position, number in enumerate(before, 1):
        changed.append(numbers.get(str(position), number))
    return changed


# ---------------------------------------------------------------- the numbers of a variant


def list_rule_numbers(house_rules: Variant, base_game: Variant, decks: int) -> list[RuleNumber]:
    """List the numbers that house rules can change, in the order of the form.

    `base_game` is the game that the house rules start from. `decks` is the number in the form.
    """
    rule_numbers: list[RuleNumber] = []
    for key in _list_settings_with_numbers(house_rules):
        rule_numbers += _list_numbers_of_setting(key, house_rules, base_game, decks)
    rule_numbers += _list_numbers_of_penalties(house_rules, base_game)
    return rule_numbers


def _list_settings_with_numbers(variant: Variant) -> list[str]:
    """List the settings with numbers that matter in a variant, in the order of the form."""
    keys_with_effect: list[str] = []
    for keys_of_group in GROUPS.values():
        for key in keys_of_group:
            if key != PENALTIES and has_effect(key, variant):
                keys_with_effect.append(key)
    return keys_with_effect


def _list_numbers_of_setting(
    key: str, house_rules: Variant, base_game: Variant, decks: int
) -> list[RuleNumber]:
    """List the numbers of a setting: one of `decks`, one for each kind of canasta of `canastas`.

    `base_game` is the game that the house rules start from. `decks` is the number in the form.
    """
    numbers = split_into_numbers(key, house_rules)
    usual_numbers = split_into_numbers(key, base_game)
    if key == RED_THREES:
        numbers = _adapt_red_threes_to_decks(numbers, decks)
    rule_numbers: list[RuleNumber] = []
    for part, number in numbers.items():
        label = _choose_label(key, part, house_rules)
        rule_numbers.append(
            RuleNumber(key, part, label, value=number, usual=usual_numbers.get(part))
        )
    return rule_numbers


def _list_numbers_of_penalties(house_rules: Variant, base_game: Variant) -> list[RuleNumber]:
    """List the points of the penalties that house rules have from their base game.

    Penalties that the players made up are edited in another part of the form.
    """
    words = page_words(house_rules)
    rule_numbers: list[RuleNumber] = []
    for code, penalty in house_rules.penalties.items():
        is_of_base_game = code in base_game.penalties
        if is_of_base_game and penalty.points is not None:
            label = words.t(f"penalty.{code}")
            usual = base_game.penalties[code].points
            rule_numbers.append(
                RuleNumber(PENALTIES, code, label, value=penalty.points, usual=usual)
            )
    return rule_numbers


def _adapt_red_threes_to_decks(
    numbers: Mapping[str, int | None], decks: int
) -> dict[str, int | None]:
    """Adapt the values of red threes (bonus cards) to the number of decks.

    `{"1": 100, "2": 200}` says what one red three is worth, and two together. A deck has two of
    them. With two decks the result is `{"1": 100, "2": 200, "3": None, "4": None}`: the user has to
    type the new values.
    """
    if not numbers:  # the game has no such values, and needs none with more decks either
        return {}
    number_of_red_threes = count_cards_in_decks(decks)[RED_THREE]
    adapted = {}
    for count in range(1, number_of_red_threes + 1):
        part = str(count)
        adapted[part] = numbers.get(part)
    return adapted


def _choose_label(key: str, part: str, variant: Variant) -> str:
    """Return the label of the field for a number of a setting: "Decks", "Natural canastas".

    `part` is the part of the setting that has the number; empty for a setting that is one number.
    """
    if part == _WHOLE_SETTING:
        return t(f"setting.{key}")
    if key in (RED_THREES, OPENING_STEPS, OPENING_DEALS):
        return _label_numbered_part(key, int(part))
    if key == CARD_POINTS:
        return plural(f"card.{part}", 1)
    if key == FAMILIES:
        # It says: "To go out, at least: {canasta}"
        return t("own.needed", canasta=_choose_family_name(part, variant))
    return _find_canasta_name(part, variant)


def _label_numbered_part(key: str, number: int) -> str:
    """Return the label of a field for one of several numbers that a setting has in a row."""
    if key == RED_THREES:
        return plural("own.red-three-values", number)  # so many red threes together
    if key == OPENING_STEPS:
        return t("own.opening-steps", number=number)  # "Opening from {number} points up"
    return t("own.opening-deals", number=number)  # "Opening in hand {number}"


def _find_canasta_name(item: str, variant: Variant) -> str:
    """Return the name of a kind of canasta in a variant: `natural-canasta` → "Natural canastas".

    A canasta is a group of seven cards or more. Variants may call a kind by names of their own.
    """
    return name_score_item(variant.id, item, page_words(variant))


def _choose_family_name(family: str, variant: Variant) -> str:
    """Return the name of a family of canastas, such as `natural`: that of the first kind in it.

    A canasta is a group of seven cards or more; a family is a set of kinds that count alike.
    """
    for kind in variant.settings[CANASTAS].value:
        if kind["family"] == family:
            return _find_canasta_name(kind["item"], variant)
    return _find_canasta_name(family, variant)  # no kind of this family is left
