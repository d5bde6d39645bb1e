"""The numbers that house rules can change: which there are, their labels, and how they make up the
settings of a variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.i18n.settings_in_words import item_word
from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.definitions import Variant, steps_of
from scorepad.schemas.variant_json import applies
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
class Figure:
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
        return f"{self.key}.{self.part}" if self.part else self.key

    @property
    def file_key(self) -> str:
        """Its key in a file of house rules: `settings.decks`, `penalties.draw-out-of-turn`.

        All numbers of one setting have the same key, `settings.canastas`.
        """
        if self.key == PENALTIES:
            return f"penalties.{self.part}"
        return f"settings.{self.key}"

    @property
    def is_own(self) -> bool:
        """Whether the house rules change it."""
        return self.value != self.usual


# ---------------------------------------------------------------- the numbers of a setting

_SETTINGS_WITH_PARTS = (CANASTAS, OPENING_STEPS, OPENING_DEALS, CARD_POINTS, RED_THREES)
_WHOLE_SETTING = ""
"""In place of the name of a part, for the number of a setting that is a single number."""


def split_setting(key: str, values: Mapping[str, Any]) -> dict[str, int | None]:
    """The numbers in a setting by the name of their part, as the form shows a field for each.

    `key` is the setting, `values` has all settings. The setting `canastas` becomes
    `{"natural-canasta": 500, "mixed-canasta": 300}`, the opening minimums `{"0": 50, "1500": 90}`.
    """
    value = values[key]
    if key == PENALTIES:
        return dict(value)  # points by penalty already
    if key == FAMILIES:
        return _needed_of_each_family(value, values[CANASTAS])
    if key in _SETTINGS_WITH_PARTS:
        return steps_of(key, value)
    return _single_number(key, value)


def _single_number(key: str, value: int | str) -> dict[str, int | None]:
    """The number of a setting that has only one, in the form of `split_setting`: 2 → `{"": 2}`.

    A match without target has None, so that its field is blank. Empty if another setting has a word
    in place of a number: there is no field for it.
    """
    if key == TARGET and value == UNLIMITED:
        return {_WHOLE_SETTING: None}
    if isinstance(value, int):
        return {_WHOLE_SETTING: value}
    return {}


def _needed_of_each_family(
    needed: Iterable[tuple[str, int]], kinds_of_canasta: Iterable[Mapping[str, Any]]
) -> dict[str, int | None]:
    """How many canastas (melds of seven cards or more) of each family a side needs to go out.

    `needed` has pairs such as `("natural", 1)` for some families; the others need 0.
    """
    number_by_family: dict[str, int | None] = dict(needed)
    for kind in kinds_of_canasta:
        family = kind["family"]
        if family not in number_by_family:
            number_by_family[family] = 0
    return number_by_family


def join_setting(key: str, value: Any, numbers: Mapping[str, int | None]) -> Any:
    """The value of a setting with other numbers, by their part: the reverse of `split_setting`.

    `value` is the setting before; parts that it lacks are ignored, and parts without a new number
    stay as they are. `decks` with the numbers `{"": 3}` becomes 3.
    """
    if key == FAMILIES:
        return _families_to_go_out(numbers)
    if key == CANASTAS:
        return _canastas_with_points(value, numbers)
    if key == CARD_POINTS:
        return _cards_with_points(value, numbers)
    if key == OPENING_STEPS:
        return _steps_with_minimums(value, numbers)
    if key in (OPENING_DEALS, RED_THREES):
        return _list_with_numbers(value, numbers)

    number = numbers[_WHOLE_SETTING]
    return UNLIMITED if number is None else number


def _families_to_go_out(numbers: Mapping[str, int | None]) -> list[list[Any]]:
    """The families of canastas of which a side needs some to go out, each with its number.

    `{"natural": 1, "mixed": 0}` becomes `[["natural", 1]]`.
    """
    needed: list[list[Any]] = []
    for family, count in numbers.items():
        if count:
            needed.append([family, count])
    return needed


def _canastas_with_points(
    kinds: Iterable[Mapping[str, Any]], points: Mapping[str, int | None]
) -> list[dict[str, Any]]:
    """The kinds of canasta with new points by item: `{"natural-canasta": 600}`.

    Kinds without new points keep theirs.
    """
    changed: list[dict[str, Any]] = []
    for kind in kinds:
        new_points = points.get(kind["item"], kind["points"])
        changed.append({**kind, "points": new_points})
    return changed


def _cards_with_points(
    points_before: Mapping[str, int], points: Mapping[str, int | None]
) -> dict[str, int | None]:
    """The points of each card, with new points for some cards: `{"JK": 60}`."""
    return {card: points.get(card, before) for card, before in points_before.items()}


def _steps_with_minimums(
    steps: Iterable[tuple[int, int]], minimums: Mapping[str, int | None]
) -> list[list[int | None]]:
    """The opening minimums by score, with new minimums for some scores.

    The steps `[[0, 50], [1500, 90]]` with `{"1500": 100}` become `[[0, 50], [1500, 100]]`.
    """
    changed: list[list[int | None]] = []
    for score, minimum in steps:
        changed.append([score, minimums.get(str(score), minimum)])
    return changed


def _list_with_numbers(
    before: Iterable[int], numbers: Mapping[str, int | None]
) -> list[int | None]:
    """A list of numbers, with new ones at some positions, which count from 1.

    `[100, 200]` with `{"2": 250}` becomes `[100, 250]`.
    """
    changed: list[int | None] = []
    for position, number in enumerate(before, 1):
        changed.append(numbers.get(str(position), number))
    return changed


# ---------------------------------------------------------------- the figures of a variant


def figures_of_variant(variant: Variant, parent: Variant, decks: int) -> Iterator[Figure]:
    """The numbers that house rules can change in a variant, in the order of the form.

    `parent` is the variant that the house rules start from; `decks` is the number of decks in the
    form, as more decks have more red threes. The setting `canastas` gives a figure for each kind of
    canasta, the setting `decks` a single one.
    """
    values = _values_with_penalties(variant, parent)
    usual_values = _values_with_penalties(parent, parent)
    for key in _keys_with_figures(variant):
        numbers = split_setting(key, values)
        if key == RED_THREES:
            numbers = _numbers_of_red_threes(numbers, decks)
        usual_numbers = split_setting(key, usual_values)
        for part, number in numbers.items():
            yield Figure(
                key=key,
                part=part,
                label=_label_text(key, part, variant),
                value=number,
                usual=usual_numbers.get(part),
            )


def _keys_with_figures(variant: Variant) -> Iterator[str]:
    """The keys of the settings that matter in a variant, and `PENALTIES`, in the form's order."""
    for keys_of_group in GROUPS.values():
        for key in keys_of_group:
            if key == PENALTIES or applies(key, variant):
                yield key


def _numbers_of_red_threes(numbers: Mapping[str, int | None], decks: int) -> dict[str, int | None]:
    """What one red three (a bonus card) is worth, two together, and so on to all in these decks.

    `numbers` are the values so far: `{"1": 100, "2": 200}`. A value that was not among them is None.
    The result is empty if there were none at all, as in games without such values.
    """
    if not numbers:
        return {}
    red_threes = in_decks(decks)[RED_THREE]
    parts = [str(count) for count in range(1, red_threes + 1)]
    return {part: numbers.get(part) for part in parts}


def _values_with_penalties(variant: Variant, parent: Variant) -> dict[str, Any]:
    """The settings of a variant, and under `PENALTIES` the points of those penalties of its parent.

    Penalties without points are left out.
    """
    values = {key: setting.value for key, setting in variant.settings.items()}
    points_of_penalties = {}
    for code, penalty in variant.penalties.items():
        if code in parent.penalties and penalty.points is not None:
            points_of_penalties[code] = penalty.points
    values[PENALTIES] = points_of_penalties
    return values


def _label_text(key: str, part: str, variant: Variant) -> str:
    """The label of a number in the form: `Canasta pura` for the part `natural-canasta` of `canastas`.

    `key` is the setting that has the number. A setting that is a single number has its own name.
    """
    if key == CANASTAS:
        return _canasta_name(part, variant)
    if key == FAMILIES:
        return t("own.needed", canasta=_family_name(part, variant))
    if key == RED_THREES:
        return plural("own.red-three-values", int(part))
    if key == OPENING_STEPS:
        return t("own.opening-steps", number=int(part))
    if key == OPENING_DEALS:
        return t("own.opening-deals", number=int(part))
    if key == CARD_POINTS:
        return plural(f"card.{part}", 1)
    if key == PENALTIES:
        return page_words(variant).t(f"penalty.{part}")
    return t(f"setting.{key}")


def _canasta_name(item: str, variant: Variant) -> str:
    """The name of a kind of canasta in a variant; `item` is its id, such as `natural-canasta`."""
    return item_word(variant.id, item, page_words(variant))


def _family_name(family: str, variant: Variant) -> str:
    """The name of a family of canastas, such as `natural`: that of the first kind in it."""
    for kind in variant.settings[CANASTAS].value:
        if kind["family"] == family:
            return _canasta_name(kind["item"], variant)
    return _canasta_name(family, variant)  # no kind of this family is left
