"""The form of house rules: the figures of a variant with their limits, its options, bonuses and what ends a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask_wtf.file import FileField
from wtforms import Field, StringField, ValidationError
from wtforms.validators import DataRequired

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word, value_word
from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Ends, Option, Variant
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.toml_reader import LONGEST_TEXT
from scorepad.rules.variants import get_variant, own_variants
from scorepad.schemas.variants import applies
from scorepad.storage.own_rules import HouseRules, free_code
from scorepad.web.base import page_words, t
from scorepad.web.forms import (
    NUMERIC,
    Choice,
    ChoiceField,
    PadForm,
    add_error,
    at_most,
    figure_in,
    lazy,
    one_line,
    whole_number,
)
from scorepad.web.presenters import coded
from scorepad.web.rule_choices import SITS, effective_options

LONGEST_NAME = 60
BONUS_ROWS = 3
"""Empty rows for bonuses in a new file; an existing file has one."""
MOST_BONUS = 5000
PENALTIES = "penalties"

_LIMITS: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "score": {
        "canastas": (0, 5000, 5), "concealed-canasta": (0, 5000, 5), "out-bonus": (0, 5000, 5),
        "concealed-out-bonus": (0, 5000, 5), "red-three-values": (0, 9000, 5), "held-red-three": (0, 5000, 5),
    },
    "opening": {
        "opening-steps": (0, 1000, 5), "opening-below-zero": (0, 1000, 5), "opening-deals": (0, 1000, 5),
        "canastas-needed": (0, 7, 1), "canasta-families-needed": (0, 7, 1),
    },
    "table": {
        "target": (5, 100_000, 5), "decks": (1, 8, 1), "dealt": (3, 26, 1), "drawn": (1, 4, 1),
        "wild-limit": (0, 6, 1),
    },
    "cards": {"card-points": (0, 500, 5), "left-black-three": (0, 500, 5)},
    PENALTIES: {PENALTIES: (0, 5000, 5)},
}  # fmt: skip
"""The figures that can be changed, by group: minimum, maximum, and the step for points."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a variant: a whole setting, or a part of one such as the points of a canasta.

    `value` is None for no target; `usual` is the value of the variant that the house rules start from.
    """

    key: str
    part: str
    label: str
    value: int | None
    usual: int | None
    least: int
    most: int
    step: int

    @property
    def name(self) -> str:
        """The name of its field."""
        return f"{self.key}.{self.part}" if self.part else self.key

    @property
    def is_own(self) -> bool:
        """Whether the house rules change it."""
        return self.value != self.usual


def parts_of(key: str, values: Mapping[str, Any]) -> dict[str, int | None]:
    """The figures in a setting (or in the penalties), by the name of the part; none if it has no figures."""
    value, found = values[key], dict[str, int | None]()
    match value:
        case _ if key == "canasta-families-needed":
            found = {**dict(value), **{each: 0 for each in _families(values) if each not in dict(value)}}
        case _ if key == "target":
            found = {"": value if isinstance(value, int) else None}
        case int():
            found = {"": value}
        case dict():
            found = {part: each for part, each in value.items() if each is not None}
        case [dict(), *_]:
            found = {kind["item"]: kind["points"] for kind in value}
        case [[_, _], *_]:
            found = {str(start): figure for start, figure in value}
        case [int(), *_]:
            found = {str(number): figure for number, figure in enumerate(value, 1)}
    return found


def _families(values: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(kind["family"] for kind in values["canastas"]))


def with_parts(key: str, value: Any, figures: Mapping[str, int | None]) -> Any:
    """The setting with other figures; unknown parts are left out."""
    if key == "canasta-families-needed":
        return [[family, count] for family, count in figures.items() if count]
    match value:
        case dict():
            return {part: figures.get(part, each) for part, each in value.items()}
        case [dict(), *_]:
            return [{**kind, "points": figures.get(kind["item"], kind["points"])} for kind in value]
        case [[_, _], *_]:
            return [[start, figures.get(str(start), figure)] for start, figure in value]
        case [int(), *_]:
            return [figures.get(str(number), figure) for number, figure in enumerate(value, 1)]
    return "unlimited" if figures[""] is None else figures[""]


class OwnRulesForm(PadForm):
    """House rules that start from a variant. Made by `own_rules_form`."""

    variant: Variant
    """The variant before the changes: a custom one, or the one to start from."""
    parent: Variant
    figures: tuple[Figure, ...]
    offered: tuple[Option, ...]
    rows: int

    name = StringField(lazy("own.name"), [DataRequired(lazy("own.name.missing")), at_most(LONGEST_NAME)])
    special = StringField(lazy("own.special"), [at_most(LONGEST_TEXT)], description=lazy("own.special.hint"))
    hands = StringField(lazy("own.ends.hands"), [whole_number(1, MOST_HANDS)], render_kw=NUMERIC)
    minutes = StringField(
        lazy("own.ends.minutes"),
        [whole_number(1, MOST_MINUTES)],
        description=lazy("own.ends.hint"),
        render_kw=NUMERIC,
    )

    def validate(self, extra_validators: Any = None) -> bool:
        """Validate the fields, and that the match has an end."""
        is_valid = bool(super().validate(extra_validators))
        # A number of hands of the variant itself stays; one of `ends` is what the fields say.
        goes_by_hands = self.variant.ends.hands is None and self.variant.settings["match-deals"].value != "unlimited"
        if goes_by_hands or "target" not in self or self["target"].data or self.hands.data or self.minutes.data:
            return is_valid
        add_error(self["target"], t("own.endless"))
        return False

    @property
    def groups(self) -> Iterator[tuple[str, list[tuple[Figure, Field]]]]:
        """The figures by group, each with its field."""
        for group, keys in _LIMITS.items():
            fields = [(figure, self[figure.name]) for figure in self.figures if figure.key in keys]
            if fields:
                yield group, fields

    @property
    def bonuses(self) -> list[tuple[Field, Field]]:
        """The rows of the bonuses: name and points."""
        return [(self[f"bonus-{row}"], self[f"bonus-{row}-points"]) for row in range(self.rows)]

    @property
    def has_bonus_error(self) -> bool:
        """Whether a bonus is invalid."""
        return any(name.errors or points.errors for name, points in self.bonuses)

    @property
    def choices(self) -> list[tuple[Field, str, bool]]:
        """The options: the field, the chosen value in words, and whether it differs from the usual one."""
        return [
            (field, next((each.label for each in field.choices if each.value == field.data), ""),
             field.data != _usual(option))
            for option in self.offered for field in [self[f"option-{option.id}"]]
        ]  # fmt: skip

    def rules(self) -> HouseRules:
        """The house rules that a valid form describes."""
        values = self._settings()
        usual = {key: value.value for key, value in self.parent.settings.items()}
        ends = Ends(figure_in(self.hands), figure_in(self.minutes))
        changed = {key: value for key, value in values.items() if value != usual[key] and key != "match-deals"}
        own = {key: value.value for key, value in self.variant.settings.items()}
        if self.variant.ends == Ends() and own["match-deals"] != usual["match-deals"]:
            changed["match-deals"] = own["match-deals"]
        penalties = {figure.part: figure_in(self[figure.name]) for figure in self.figures if figure.key == PENALTIES}
        return HouseRules(
            extends=self.parent.id,
            name=one_line(self.name.data),
            special=one_line(self.special.data or ""),
            settings=changed,
            penalties={
                code: points
                for code, points in penalties.items()
                if points is not None and self._is_own_penalty(code, points)
            },
            bonuses=self._bonuses(),
            ends=ends,
            takes=tuple(self._takes(changed)),
        )

    def _settings(self) -> dict[str, Any]:
        """All settings: as they were, with the changed options, then with the figures."""
        values = {key: value.value for key, value in self.variant.settings.items()}
        for option in self.offered:
            chosen = self[f"option-{option.id}"].data
            if chosen != option_now(option, self.variant, self.parent):
                values |= _sets(option, self.parent, chosen)
        for key in dict.fromkeys(figure.key for figure in self.figures if figure.key != PENALTIES):
            typed = {each.part: figure_in(self[each.name]) for each in self.figures if each.key == key}
            values[key] = with_parts(key, values[key], typed)
        worths, threes = list(values["red-three-values"]), in_decks(values["decks"])[RED_THREE]
        if "red-threes" in self.variant.lines and worths:
            # With more decks there are more red threes, each worth as much as the first.
            worths += [worths[-1] + worths[0] * more for more in range(1, threes - len(worths) + 1)]
            values["red-three-values"] = worths
        return values

    def _is_own_penalty(self, code: str, points: int) -> bool:
        known = self.parent.penalties.get(code)
        return known is None or known.points != points

    def _bonuses(self) -> dict[str, tuple[str, int]]:
        codes, found = list(self.variant.bonuses), dict[str, tuple[str, int]]()
        for row, (name, points) in enumerate(self.bonuses):
            text, worth = one_line(name.data or ""), figure_in(points)
            if text and worth is not None:
                code = codes[row] if row < len(codes) else free_code(text, {*codes, *found}, "bonus")
                found[code] = (text, worth)
        return found

    def _takes(self, changed: Mapping[str, Any]) -> Iterator[str]:
        """The options that matches can still choose: those that change none of the house rules."""
        fixed = {option.id for option in self.offered if self[f"option-{option.id}"].data != _usual(option)}
        freed = {
            option.id for option in self.offered if option_now(option, self.variant, self.parent) != _usual(option)
        }
        for option in self.parent.options.values():
            decides = {option.sets, *(key for value in option.values for key in value.sets)}
            if option.id in {*self.variant.options, *freed} - fixed and not changed.keys() & decides:
                yield option.id


def own_rules_form(variant: Variant, formdata: Any, chosen: Mapping[str, str] | None = None) -> OwnRulesForm:
    """The form for a custom variant, or for a new one that starts from this variant.

    `chosen`: options as in a new match.
    """
    words = page_words()
    is_own = variant.id in own_variants().usable
    parent = get_variant(variant.parent) if is_own and variant.parent else variant
    figures = tuple(_figures(variant, parent, words))
    offered = tuple(option for option in effective_options(parent) if option.step is None and not _seats(option))
    rows = len(variant.bonuses) + (1 if variant.bonuses else BONUS_ROWS)
    fields: dict[str, Any] = {
        "variant": variant,
        "parent": parent,
        "figures": figures,
        "offered": offered,
        "rows": rows,
    }
    values: dict[str, Any] = {"hands": variant.ends.hands or "", "minutes": variant.ends.minutes or ""}
    if is_own:
        values["name"] = words.text(f"variant.{variant.id}.name")
        values["special"] = words.text(f"variant.{variant.id}.special")
    for figure in figures:
        # Without a target the hands or the minutes end the match.
        check = whole_number(figure.least, figure.most, figure.step, optional=figure.key == "target")
        fields[figure.name] = StringField(figure.label, [check], render_kw=NUMERIC)
        values[figure.name] = "" if figure.value is None else words.figure(figure.value)
    for option in offered:
        field = f"option-{option.id}"
        fields[field] = ChoiceField(words.text(f"option.{option.id}"))
        values[field] = (chosen or {}).get(option.id) or option_now(option, variant, parent)
    for row, code in enumerate([*variant.bonuses, *[""] * (rows - len(variant.bonuses))]):
        label = t("own.bonus", number=row + 1)
        fields[f"bonus-{row}"] = StringField(label, [_both(f"bonus-{row}-points"), at_most(LONGEST_NAME)])
        step = SMALLEST_POINTS if _in_points(variant) else 1
        check = whole_number(step, MOST_BONUS, step)
        fields[f"bonus-{row}-points"] = StringField(t("own.bonus.points"), [check], render_kw=NUMERIC)
        values[f"bonus-{row}"] = words.text(f"bonus.{code}") if code and words.has(f"bonus.{code}") else code
        values[f"bonus-{row}-points"] = words.figure(variant.bonuses[code].points) if code else ""
    form: OwnRulesForm = type("Form", (OwnRulesForm,), fields)(formdata=formdata, data=values)
    for option in offered:
        form[f"option-{option.id}"].choices = tuple(
            Choice(coded(value.value), value_word(option.id, value.value, words)) for value in parent.values_of(option)
        )
    return form


class OwnFileForm(PadForm):
    """An uploaded file of house rules."""

    file = FileField(lazy("own.take.file"), description=lazy("own.take.text"), render_kw={"accept": ".toml"})


def option_now(option: Option, variant: Variant, parent: Variant) -> str:
    """The value of an option that fits the settings of a custom variant; the usual one if none fits."""
    for value in parent.values_of(option):
        sets = _sets(option, parent, coded(value.value))
        if all(_alike(key, each, variant.settings[key].value) for key, each in sets.items()):
            return coded(value.value)
    return _usual(option)


def _usual(option: Option) -> str:
    assert option.default is not None, "an amount"
    return coded(option.default)


def _sets(option: Option, parent: Variant, chosen: str) -> dict[str, Any]:
    """The values of all settings that an option value decides."""
    keys = {key for value in option.values for key in value.sets}
    sets = next((value.sets for value in option.values if coded(value.value) == chosen), {})
    return {key: sets.get(key, parent.settings[key].value) for key in keys}


def _alike(key: str, one: Any, other: Any) -> bool:
    """Whether two values are equal except for their points."""
    if key == "canastas":
        return [kind["item"] for kind in one] == [kind["item"] for kind in other]
    return bool(one == other)


def _seats(option: Option) -> bool:
    return any(SITS in value.sets for value in option.values)


def _in_points(variant: Variant) -> bool:
    return bool(variant.settings["unit"].value == "points")


def _figures(variant: Variant, parent: Variant, words: Words) -> Iterator[Figure]:
    now, usual = _values(variant), _values(parent)
    for keys in _LIMITS.values():
        for key, (least, most, step) in keys.items():
            if key != PENALTIES and not applies(key, variant):
                continue
            before = parts_of(key, usual)
            for part, value in parts_of(key, now).items():
                label = _label(key, part, variant, words)
                yield Figure(key, part, label, value, before.get(part), least, most, step if _in_points(variant) else 1)


def _values(variant: Variant) -> dict[str, Any]:
    penalties = {code: penalty.points for code, penalty in variant.penalties.items()}
    return {key: value.value for key, value in variant.settings.items()} | {PENALTIES: penalties}


def _label(key: str, part: str, variant: Variant, words: Words) -> str:
    """The label of a figure."""
    kinds = variant.settings["canastas"].value
    items = {kind["family"]: item_word(variant.id, kind["item"], words) for kind in reversed(kinds)}
    match key:
        case "canastas":
            label = item_word(variant.id, part, words)
        case "canasta-families-needed":
            label = words.text("own.needed", canasta=items.get(part, part))
        case "opening-steps":
            label = words.text("own.opening-steps", score=words.figure(int(part)))
        case "opening-deals":
            label = words.text("own.opening-deals", number=part)
        case "red-three-values":
            label = words.plural("own.red-three-values", int(part))
        case "card-points":
            label = words.plural(f"card.{part}", 1)
        case _:
            label = words.text(f"penalty.{part}" if key == PENALTIES else f"setting.{key}")
    return label


def _both(other: str) -> Callable[[OwnRulesForm, Field], None]:
    """A validator: a bonus has a name and points, or neither."""

    def check(form: OwnRulesForm, field: Field) -> None:
        if bool((field.data or "").strip()) is not bool((form[other].data or "").strip()):
            raise ValidationError(t("own.bonus.both"))

    return check
