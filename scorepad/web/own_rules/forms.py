"""The form of house rules: the figures of a variant with their limits, its options, bonuses and
what ends a match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_wtf.file import FileField
from wtforms import Field, StringField, ValidationError
from wtforms.validators import DataRequired

from scorepad.i18n.settings_in_words import item_word, value_word, variant_name, variant_special
from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.completeness import LIMITS
from scorepad.rules.definitions import Ends, Option, Variant, steps_of
from scorepad.rules.links import FOLLOWS, broken_links, moved_values, values_by_key
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES, load_links
from scorepad.rules.toml_reader import LONGEST_NAME, LONGEST_TEXT
from scorepad.rules.variants import get_variant, own_variants, variant_ids
from scorepad.schemas.variant_json import applies, name_of_key
from scorepad.storage.own_rules import HouseRules, free_code
from scorepad.web.base import page_words, plural, t
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    NUMERIC,
    Choice,
    ChoiceField,
    PadForm,
    add_error,
    at_most,
    figure_of,
    lazy,
    one_line,
    whole_number,
)
from scorepad.web.rule_choices import effective_options, seat_options
from scorepad.web.rule_words import coded

NEW_ROWS = 3
"""Empty rows for bonuses, and for penalties, in a new file; an existing file has one."""
PENALTIES, FAMILIES = "penalties", "canasta-families-needed"
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "score": (
        "canastas", "concealed-canasta", "out-bonus", "concealed-out-bonus", "red-three-values", "held-red-three",
    ),
    "opening": ("opening-steps", "opening-below-zero", "opening-deals", "canastas-needed", FAMILIES),
    "table": ("target", "decks", "dealt", "drawn", "wild-limit"),
    "cards": ("card-points", "left-black-three"),
    PENALTIES: (PENALTIES,),
}  # fmt: skip
"""The figures that can be changed, by group; each has its limits in `LIMITS`."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a variant: a whole setting, or a part of one such as the points of a canasta.

    `value` is None for no target; `usual` is the value of the variant that the house rules start
    from.
    """

    key: str
    part: str
    label: str
    value: int | None
    usual: int | None

    @property
    def name(self) -> str:
        return f"{self.key}.{self.part}" if self.part else self.key

    @property
    def ground(self) -> str:
        """The setting or the penalty, as links name it."""
        return f"penalties.{self.part}" if self.key == PENALTIES else f"settings.{self.key}"

    @property
    def is_own(self) -> bool:
        """Whether the house rules change it."""
        return self.value != self.usual


def parts_of(key: str, values: Mapping[str, Any]) -> dict[str, int | None]:
    """The figures in a setting (or in the penalties), by the name of the part; none if it has no
    figures.
    """
    value = values[key]
    if key == "target":
        return {"": value if isinstance(value, int) else None}
    parts = dict(value) if key == PENALTIES else steps_of(key, value)
    if key == FAMILIES:
        for kind in values["canastas"]:
            parts.setdefault(kind["family"], 0)
    if not parts and isinstance(value, int):
        return {"": value}
    return parts


def with_parts(key: str, value: Any, figures: Mapping[str, int | None]) -> Any:
    """The setting with other figures; unknown parts are left out."""
    if key == FAMILIES:
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
    groups = _GROUPS
    rows: Mapping[str, list[str]]
    """The codes of bonuses and penalties of the table, by `bonus` or `penalty`; empty in a new row.
    """
    own: str | None
    """The id of the custom variant; None for a new one."""
    asked: Sequence[str]
    """The figures that have to be given because of others: they count as given even if they are as
    before.
    """

    name = StringField(
        lazy("own.name"), [DataRequired(lazy("own.name.missing")), at_most(LONGEST_NAME)]
    )
    special = StringField(
        lazy("own.special"), [at_most(LONGEST_TEXT)], description=lazy("own.special.hint")
    )
    hands = StringField(lazy("own.ends.hands"), [whole_number(1, MOST_HANDS)], render_kw=NUMERIC)
    minutes = StringField(
        lazy("own.ends.minutes"),
        [whole_number(1, MOST_MINUTES)],
        description=lazy("own.ends.hint"),
        render_kw=NUMERIC,
    )

    def validate(self, extra_validators: Any = None) -> bool:
        """Validate the fields, that the name is free, that the match has an end, and that nothing
        contradicts.
        """
        if not super().validate(extra_validators):
            self._say_why_red_threes()
            return False
        if self._is_name_taken():
            add_error(self.name, t("own.name.taken", name=one_line(self.name.data)))
        if not self._has_end():
            add_error(self["target"], t("own.endless"))
        values = self._settings()
        self._refuse_contradictions(values)
        if not self.errors:
            self._ask_for_others(values)
        if self.errors:
            self.status = INVALID
        return not self.errors

    def _is_name_taken(self) -> bool:
        name = one_line(self.name.data).lower()
        for variant in variant_ids():
            if (
                variant != self.own
                and variant_name(get_variant(variant), page_words()).lower() == name
            ):
                return True
        return False

    def _has_end(self) -> bool:
        """Whether a match under these rules ends by a target, a number of hands, or minutes."""
        # A number of hands of the variant itself stays; one of `ends` is what the fields say.
        goes_by_hands = (
            self.variant.ends.hands is None
            and self.variant.settings["match-deals"].value != "unlimited"
        )
        if goes_by_hands or "target" not in self:
            return True
        return bool(self["target"].data or self.hands.data or self.minutes.data)

    def _refuse_contradictions(self, values: Mapping[str, Any]) -> None:
        """Refuse a figure that an option sets to another value."""
        for option in self.offered:
            chosen = self[f"option-{option.id}"]
            if chosen.data == _usual(option):
                continue
            sets = _sets(option, self.parent, chosen.data)
            for figure in self._changed():
                key = figure.key
                if key in sets and not _alike(key, values[key], sets[key]):
                    option_text = str(chosen.label.text)
                    message = t("own.contradicts", figure=figure.label, option=option_text)
                    add_error(self[figure.name], message)

    def _say_why_red_threes(self) -> None:
        """Say why values are asked for that the variant does not have: there are more decks."""
        for figure in self.figures:
            is_added = figure.key == "red-three-values" and figure.value is None
            if is_added and self[figure.name].errors:
                why = t("linked.red-threes-of-decks")
                names = t("setting.decks")
                asked = t("setting.red-three-values")
                add_error(self["decks"], t("own.linked", why=why, names=names, asked=asked))
                return

    def _changed(self) -> list[Figure]:
        """The figures that were typed anew, or given because they were asked for."""
        return [
            figure
            for figure in self.figures
            if figure_of(self[figure.name].data) != figure.value or figure.name in self.asked
        ]

    def _ask_for_others(self, values: Mapping[str, Any]) -> None:
        """Ask for the figures that no longer fit those that were typed, and show what does not fit."""
        usual = values_by_key(self.parent)
        given = self._given(values)
        now = {**usual, **given}
        now |= {
            ground: figure
            for ground, (_, figure) in moved_values(load_links(), usual, given).items()
        }
        changed = {figure.name for figure in self._changed()}
        words = page_words(self.variant)
        for unfit in broken_links(load_links(), usual, given, now):
            grounds = unfit.others if unfit.link.kind == "asks" else unfit.given
            fields = [figure for figure in self.figures if figure.ground in grounds]
            message = t(
                "own.linked" if unfit.link.kind == "asks" else "own.unfit",
                names=" · ".join(name_of_key(ground, words) for ground in unfit.given),
                why=t(f"linked.{unfit.link.id}"),
                asked=" · ".join(name_of_key(ground, words) for ground in unfit.others),
            )
            add_error(self[fields[0].name] if fields else self.name, message)
            for figure in fields if unfit.link.kind == "asks" else ():
                if figure.name not in changed:
                    self[figure.name].data = ""
                    self.asked = (*self.asked, figure.name)

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The figures that the house rules give, by ground: what differs, was asked for, or was in
        their file.
        """
        now = values_by_key(self.variant)
        usual = values_by_key(self.parent)
        typed = {figure.ground for figure in self._changed()}
        figures = {f"settings.{key}": figure for key, figure in values.items()} | self._charged()
        given = dict[str, Any]()
        kept = set[str]()
        for ground, figure in figures.items():
            is_asked = any(
                each.ground == ground for each in self.figures if each.name in self.asked
            )
            if is_asked or (self._is_in_file(ground) and figure == now.get(ground)):
                kept.add(ground)
            if figure != usual.get(ground) or ground in kept:
                given[ground] = figure
        for ground in [each for each in given if each not in typed | kept]:
            others = {each: figure for each, figure in given.items() if each != ground}
            if (
                moved_values(load_links(), usual, others).get(ground, ("", None))[1]
                == given[ground]
            ):
                given = others
        # One that was typed, but would follow another, stays as it was typed.
        for ground in moved_values(load_links(), usual, given):
            if ground in typed:
                given[ground] = figures[ground]
        return given

    def _is_in_file(self, ground: str) -> bool:
        """Whether the file of the variant gives a figure itself."""
        if ground in self.variant.moved:
            return False
        kind, _, name = ground.partition(".")
        if kind == "settings":
            return self.variant.settings[name] != self.parent.settings[name]
        return self.variant.penalties[name] != self.parent.penalties.get(name)

    def _charged(self) -> dict[str, int]:
        """The points of the penalties of the form, by ground; those that only follow are as in the
        parent.
        """
        changed = self._changed()
        charged: dict[str, int] = {}
        for figure in self.figures:
            if figure.key != PENALTIES:
                continue
            points = figure_of(self[figure.name].data)
            if figure.ground in self.variant.moved and figure not in changed:
                points = figure.usual
            if points is not None:
                charged[figure.ground] = points
        return charged

    @property
    def named(self) -> list[tuple[str, list[tuple[Field, Field]], bool]]:
        """The bonuses and the penalties of the table: the rows of name and points, and whether any
        is in use.
        """
        found = []
        for kind, codes in self.rows.items():
            rows = []
            is_in_use = False
            for row in range(len(codes)):
                name = self[f"{kind}-{row}"]
                points = self[f"{kind}-{row}-points"]
                rows.append((name, points))
                if name.data or name.errors or points.errors:
                    is_in_use = True
            found.append((kind, rows, is_in_use))
        return found

    def rules(self) -> HouseRules:
        """The house rules that a valid form describes."""
        values = self._settings()
        usual = {key: value.value for key, value in self.parent.settings.items()}
        given = self._given(values)
        changed = {
            key: values[key]
            for key in values
            if f"settings.{key}" in given and key != "match-deals"
        }
        own = {key: value.value for key, value in self.variant.settings.items()}
        if self.variant.ends == Ends() and own["match-deals"] != usual["match-deals"]:
            changed["match-deals"] = own["match-deals"]
        penalties = {
            each.part: ("", given[each.ground])
            for each in self.figures
            if each.key == PENALTIES and each.ground in given
        }
        return HouseRules(
            extends=self.parent.id,
            name=one_line(self.name.data),
            special=one_line(self.special.data or ""),
            settings=changed,
            penalties=penalties | self._named("penalty", self.variant.penalties),
            bonuses=self._named("bonus", self.variant.bonuses),
            ends=Ends(figure_of(self.hands.data), figure_of(self.minutes.data)),
            takes=tuple(self._takes(changed)),
        )

    def _settings(self) -> dict[str, Any]:
        """All settings: as they were, with the changed options, then with the figures."""
        values = self._before_moves()
        for option in self.offered:
            chosen = self[f"option-{option.id}"].data
            if chosen != option_now(option, self.variant, self.parent):
                values |= _sets(option, self.parent, chosen)
        values |= self._typed_settings(values)
        values["red-three-values"] = self._red_three_values(values["red-three-values"])
        # The wild cards of a canasta are no figure of the form: they go up to the limit as before.
        limited_by = self.parent if "settings.canastas" in self.variant.moved else self.variant
        old_limit = limited_by.settings["wild-limit"].value
        new_limit = values["wild-limit"]
        if new_limit != old_limit:
            values["canastas"] = FOLLOWS["most-wilds"](old_limit, new_limit, values["canastas"])
        return values

    def _typed_settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with a changed figure. Figures left as they were give way to an option."""
        changed = self._changed()
        settings = {}
        for key in dict.fromkeys(figure.key for figure in changed):
            if key == PENALTIES:
                continue
            typed = {}
            for figure in self.figures:
                if figure.key == key and (figure in changed or key == FAMILIES):
                    typed[figure.part] = figure_of(self[figure.name].data)
            settings[key] = with_parts(key, values[key], typed)
        return settings

    def _red_three_values(self, before: list[int]) -> Sequence[int | None]:
        """The values of the red threes that the decks hold, as typed; as before, if none was typed
        anew.
        """
        figures = [each for each in self.figures if each.key == "red-three-values"]
        is_in_file = self._is_in_file("settings.red-three-values")
        if not is_in_file and not any(each in self._changed() for each in figures):
            return before
        return [figure_of(self[each.name].data) for each in figures] or before

    def _before_moves(self) -> dict[str, Any]:
        """The settings as the file of the variant gives them: what only follows is as in the
        parent.
        """
        values = {}
        for key, value in self.variant.settings.items():
            source = self.parent.settings[key] if f"settings.{key}" in self.variant.moved else value
            values[key] = source.value
        return values

    def _named(self, kind: str, known: Collection[str]) -> dict[str, tuple[str, int]]:
        """The bonuses or the penalties of the table by code: name and points."""
        found: dict[str, tuple[str, int]] = {}
        for row, code in enumerate(self.rows.get(kind, ())):
            name = one_line(self[f"{kind}-{row}"].data or "")
            points = figure_of(self[f"{kind}-{row}-points"].data)
            if name and points is not None:
                found[code or free_code(name, {*known, *found}, kind)] = (name, points)
        return found

    def _takes(self, changed: Mapping[str, Any]) -> Iterator[str]:
        """The options that matches can still choose: those that change none of the house rules."""
        open_options = set(self.variant.options)
        for option in self.offered:
            if option_now(option, self.variant, self.parent) != _usual(option):
                open_options.add(option.id)
        for option in self.offered:
            if self[f"option-{option.id}"].data != _usual(option):
                open_options.discard(option.id)
        for option in self.parent.options.values():
            decided = {option.sets}
            for value in option.values:
                decided.update(value.sets)
            if option.id in open_options and decided.isdisjoint(changed):
                yield option.id


def own_rules_form(
    variant: Variant, formdata: Any, chosen: Mapping[str, str] | None = None
) -> OwnRulesForm:
    """The form for a custom variant, or for a new one that starts from this variant.

    `chosen`: options as in a new match.
    """
    words = page_words(variant)
    is_own = variant.id in own_variants().usable
    parent = get_variant(variant.parent) if is_own and variant.parent else variant
    figures = tuple(_figures_of_variant(variant, parent, _decks(variant, formdata)))
    offered = _offered_options(parent)
    rows = _rows_of_codes(variant, parent)
    fields: dict[str, Any] = {
        "variant": variant,
        "parent": parent,
        "figures": figures,
        "offered": offered,
        "rows": rows,
        "own": variant.id if is_own else None,
        "asked": _asked(figures, formdata),
    }
    values: dict[str, Any] = {
        "hands": variant.ends.hands or "",
        "minutes": variant.ends.minutes or "",
    }
    if is_own:
        values["name"] = variant_name(variant, words)
        values["special"] = variant_special(variant, words)
    in_points = variant.settings["unit"].value == "points"
    for figure in figures:
        fields[figure.name] = _figure_field(figure, in_points=in_points)
        values[figure.name] = "" if figure.value is None else words.figure(figure.value)
    for option in offered:
        field = f"option-{option.id}"
        fields[field] = ChoiceField(words.t(f"option.{option.id}"))
        values[field] = (chosen or {}).get(option.id) or option_now(option, variant, parent)
    step = SMALLEST_POINTS if in_points else 1
    for kind, codes in rows.items():
        for row, code in enumerate(codes):
            fields |= _fields_of_named_row(kind, row, step)
            values |= _values_of_named_row(kind, row, code, variant)
    form: OwnRulesForm = type("Form", (OwnRulesForm,), fields)(formdata=formdata, data=values)
    for option in offered:
        choices = []
        for value in parent.values_of(option):
            choices.append(Choice(coded(value.value), value_word(option.id, value.value, words)))
        form[f"option-{option.id}"].choices = tuple(choices)
    return form


def _offered_options(parent: Variant) -> tuple[Option, ...]:
    """The options of the form: those with named values that do not decide who sits at the table."""
    seats = seat_options(parent)
    offered = []
    for option in effective_options(parent):
        if option.step is None and option not in seats:
            offered.append(option)
    return tuple(offered)


def _rows_of_codes(variant: Variant, parent: Variant) -> dict[str, list[str]]:
    """The value of `OwnRulesForm.rows`."""
    rows = {"bonus": _with_new_rows(list(variant.bonuses))}
    if "penalty" in parent.lines:
        own_penalties = []
        for code, penalty in variant.penalties.items():
            if code not in parent.penalties and penalty.points is not None:
                own_penalties.append(code)
        rows["penalty"] = _with_new_rows(own_penalties)
    return rows


def _with_new_rows(codes: list[str]) -> list[str]:
    new_rows = 1 if codes else NEW_ROWS
    return [*codes, *[""] * new_rows]


def _figure_field(figure: Figure, *, in_points: bool) -> StringField:
    least, most, step = LIMITS[figure.key]
    # Without a target the hands or the minutes end the match.
    is_optional = figure.key == "target"
    check = whole_number(least, most, step if in_points else 1, optional=is_optional)
    return StringField(figure.label, [check], render_kw=NUMERIC)


def _fields_of_named_row(kind: str, row: int, step: int) -> dict[str, Any]:
    """The fields for the name and the points of a bonus or a penalty."""
    name = f"{kind}-{row}"
    label = t(f"own.{kind}", number=row + 1)
    both_or_none = _both(f"{name}-points", f"own.{kind}.both")
    points_check = whole_number(step, LIMITS["bonuses"][1], step)
    return {
        name: StringField(label, [both_or_none, at_most(LONGEST_NAME)]),
        f"{name}-points": StringField(t("own.bonus.points"), [points_check], render_kw=NUMERIC),
    }


def _values_of_named_row(kind: str, row: int, code: str, variant: Variant) -> dict[str, str]:
    words = page_words(variant)
    points = None
    if code and kind == "bonus":
        points = variant.bonuses[code].points
    elif code:
        points = variant.penalties[code].points
    return {
        f"{kind}-{row}": words.t(f"{kind}.{code}") if code else "",
        f"{kind}-{row}-points": words.figure(points or 0) if code else "",
    }


class OwnFileForm(PadForm):
    """An uploaded file of house rules."""

    file = FileField(
        lazy("own.take.file"), description=lazy("own.take.text"), render_kw={"accept": ".toml"}
    )

    def reject(self, message: str, status: int = CONFLICT) -> None:
        """Show a message at the file."""
        add_error(self.file, message)
        self.status = status


def option_now(option: Option, variant: Variant, parent: Variant) -> str:
    """The value of an option that fits the settings of a custom variant; the usual one if none
    fits.
    """
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
    settings: dict[str, Any] = {}
    for value in option.values:
        for key in value.sets:
            settings[key] = parent.settings[key].value
    for value in option.values:
        if coded(value.value) == chosen:
            return {**settings, **value.sets}
    return settings


def _alike(key: str, one: Any, other: Any) -> bool:
    """Whether two values are equal except for their points."""
    if key == "canastas":
        return [kind["item"] for kind in one] == [kind["item"] for kind in other]
    return bool(one == other)


def _decks(variant: Variant, formdata: Any) -> int:
    """The decks that were typed, if they are within the limits; else those of the variant."""
    least, most, _ = LIMITS["decks"]
    typed = figure_of(formdata.get("decks")) if formdata else None
    decks: int = variant.settings["decks"].value
    return typed if typed is not None and least <= typed <= most else decks


def _asked(figures: Iterable[Figure], formdata: Any) -> tuple[str, ...]:
    """The figures that the form asked for before."""
    names = formdata.getlist("asked") if formdata else []
    return tuple(figure.name for figure in figures if figure.name in names)


def _figures_of_variant(variant: Variant, parent: Variant, decks: int) -> Iterator[Figure]:
    """The figures of a variant; with other decks than its own it has as many values of red threes
    as those hold.
    """
    values = _values_with_penalties(variant, parent)
    usual_values = _values_with_penalties(parent, parent)
    for keys in _GROUPS.values():
        for key in keys:
            if key != PENALTIES and not applies(key, variant):
                continue
            usual_parts = parts_of(key, usual_values)
            parts = parts_of(key, values)
            if key == "red-three-values" and parts:
                red_threes = in_decks(decks)[RED_THREE]
                numbers = map(str, range(1, red_threes + 1))
                parts = {number: parts.get(number) for number in numbers}
            for part, value in parts.items():
                label = _label(key, part, variant)
                yield Figure(key, part, label, value, usual_parts.get(part))


def _values_with_penalties(variant: Variant, parent: Variant) -> dict[str, Any]:
    """The settings, and the points of the penalties that the parent has."""
    penalties = {}
    for code, penalty in variant.penalties.items():
        if code in parent.penalties and penalty.points is not None:
            penalties[code] = penalty.points
    values = {key: setting.value for key, setting in variant.settings.items()}
    return {**values, PENALTIES: penalties}


def _label(key: str, part: str, variant: Variant) -> str:
    match key:
        case "canastas":
            return _canasta_name(part, variant)
        case "canasta-families-needed":
            return t("own.needed", canasta=_canasta_name(part, variant))
        case "red-three-values":
            return plural(f"own.{key}", int(part))
        case "opening-steps" | "opening-deals":
            return t(f"own.{key}", number=int(part))
        case "card-points":
            return plural(f"card.{part}", 1)
        case "penalties":
            return page_words(variant).t(f"penalty.{part}")
    return t(f"setting.{key}")


def _canasta_name(part: str, variant: Variant) -> str:
    """The name of an item or a family of canastas: that of the first kind in it."""
    item = part
    for kind in variant.settings["canastas"].value:
        if part in (kind["item"], kind["family"]):
            item = kind["item"]
            break
    return item_word(variant.id, item, page_words(variant))


def _both(other: str, message: str) -> Callable[[OwnRulesForm, Field], None]:
    """A validator: a bonus or a penalty has a name and points, or neither."""

    def check(form: OwnRulesForm, field: Field) -> None:
        if bool((field.data or "").strip()) is not bool((form[other].data or "").strip()):
            raise ValidationError(t(message))

    return check
