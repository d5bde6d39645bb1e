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
FAMILIES = "canasta-families-needed"
RED_THREES = "red-three-values"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "score": (
        "canastas",
        "concealed-canasta",
        "out-bonus",
        "concealed-out-bonus",
        RED_THREES,
        "held-red-three",
    ),
    "opening": (
        "opening-steps",
        "opening-below-zero",
        "opening-deals",
        "canastas-needed",
        FAMILIES,
    ),
    "table": ("target", "decks", "dealt", "drawn", "wild-limit"),
    "cards": ("card-points", "left-black-three"),
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
    def link_key(self) -> str:
        """The key of its setting or penalty in `scorepad.rules.links`: `settings.decks`."""
        if self.key == PENALTIES:
            return f"penalties.{self.part}"
        return f"settings.{self.key}"

    @property
    def is_own(self) -> bool:
        """Whether the house rules change it."""
        return self.value != self.usual


# ---------------------------------------------------------------- the numbers of a setting


def split_setting(key: str, values: Mapping[str, Any]) -> dict[str, int | None]:
    """The numbers in a setting by the name of their part, as the form shows a field for each.

    The setting `canastas` has `{"natural-canasta": 500, "mixed-canasta": 300}`. A setting that is a
    single number has one part without a name: `{"": 2}` for `decks`. `values` has all settings.
    """
    value = values[key]
    if key == "target":
        is_unlimited = not isinstance(value, int)
        return {"": None if is_unlimited else value}
    if key == PENALTIES:
        return dict(value)  # points by penalty already
    if key == FAMILIES:
        return _needed_of_each_family(value, values["canastas"])

    numbers_by_part = steps_of(key, value)
    if not numbers_by_part and isinstance(value, int):
        return {"": value}
    return numbers_by_part


def _needed_of_each_family(
    needed: Any, kinds_of_canasta: Iterable[Mapping[str, Any]]
) -> dict[str, int | None]:
    """How many canastas (sets of seven cards or more) of each family a side needs to go out.

    `needed` has pairs such as `("natural", 1)` for some families; the others need 0.
    """
    number_by_family: dict[str, int | None] = dict(steps_of(FAMILIES, needed))
    for kind in kinds_of_canasta:
        family = kind["family"]
        if family not in number_by_family:
            number_by_family[family] = 0
    return number_by_family


def join_setting(key: str, value: Any, numbers: Mapping[str, int | None]) -> Any:
    """The value of a setting with other numbers, by their part: the reverse of `split_setting`.

    `value` is the setting before; parts that it lacks are ignored, and parts without a new number
    stay as they are.
    """
    if key == FAMILIES:
        return [[family, count] for family, count in numbers.items() if count]
    if isinstance(value, dict):
        return {part: numbers.get(part, number) for part, number in value.items()}
    if isinstance(value, int | str):  # a single number, or `unlimited`
        number = numbers[""]
        return "unlimited" if number is None else number

    joined: list[Any] = []
    for position, entry in enumerate(value, 1):
        if isinstance(entry, dict):  # a kind of canasta
            joined.append({**entry, "points": numbers.get(entry["item"], entry["points"])})
        elif isinstance(entry, int):  # a number whose part is its position
            joined.append(numbers.get(str(position), entry))
        else:  # an opening minimum from a score on
            score, minimum = entry
            joined.append([score, numbers.get(str(score), minimum)])
    return joined


# ---------------------------------------------------------------- the figures of a variant


def figures_of_variant(variant: Variant, parent: Variant, decks: int) -> Iterator[Figure]:
    """The numbers that house rules can change in a variant, in the order of the form.

    `parent` is the variant that the house rules start from. There is a figure for each of the red
    threes (bonus cards) in this number of decks.
    """
    values = _values_with_penalties(variant, parent)
    values_of_parent = _values_with_penalties(parent, parent)
    for key in _keys_with_figures(variant):
        numbers = split_setting(key, values)
        if key == RED_THREES and numbers:
            numbers = _numbers_of_red_threes(numbers, decks)
        usual_numbers = split_setting(key, values_of_parent)
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
    """A number for one red three, for two together, and so on to all in these decks.

    It is None if there was none before.
    """
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
    """The label of a figure in the form."""
    if key == "canastas":
        return _canasta_name(part, variant)
    if key == FAMILIES:
        return t("own.needed", canasta=_canasta_name(part, variant))
    if key == RED_THREES:
        return plural(f"own.{key}", int(part))
    if key in ("opening-steps", "opening-deals"):
        return t(f"own.{key}", number=int(part))
    if key == "card-points":
        return plural(f"card.{part}", 1)
    if key == PENALTIES:
        return page_words(variant).t(f"penalty.{part}")
    return t(f"setting.{key}")


def _canasta_name(item_or_family: str, variant: Variant) -> str:
    """The name of a kind of canasta; of a family of kinds the name of the first kind in it."""
    words = page_words(variant)
    for kind in variant.settings["canastas"].value:
        if item_or_family in (kind["item"], kind["family"]):
            return item_word(variant.id, kind["item"], words)
    return item_word(variant.id, item_or_family, words)
