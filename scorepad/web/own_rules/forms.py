"""The form of house rules: the figures of a variant with their limits, its options, bonuses and
what ends a match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask_wtf.file import FileField
from wtforms import Field, StringField, ValidationError
from wtforms.validators import DataRequired

from scorepad.i18n.settings_in_words import item_word, value_word, variant_name, variant_special
from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.completeness import LIMITS
from scorepad.rules.definitions import Ends, Option, Variant, steps_of
from scorepad.rules.links import FOLLOWS, BrokenLink, broken_links, moved_values, values_by_key
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
PENALTIES = "penalties"
FAMILIES = "canasta-families-needed"
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
    """A number that house rules can change: a setting such as `decks`, or a part of one such as the
    points of one kind of canasta.

    `value` is None for a match without target; `usual` is the value in the parent variant.
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
    def link_key(self) -> str:
        """The key of the setting or penalty in `scorepad.rules.links`."""
        if self.key == PENALTIES:
            return f"penalties.{self.part}"
        return f"settings.{self.key}"

    @property
    def is_own(self) -> bool:
        """Whether the house rules change it."""
        return self.value != self.usual


class NamedRow(NamedTuple):
    """The two fields of a bonus or a penalty of the house rules."""

    name: Field
    points: Field

    @property
    def is_filled(self) -> bool:
        return bool(self.name.data or self.name.errors or self.points.errors)


class NamedTable(NamedTuple):
    """The bonuses (`bonus`) or the penalties (`penalty`) of the house rules."""

    kind: str
    rows: list[NamedRow]
    is_open: bool


def split_setting(key: str, values: Mapping[str, Any]) -> dict[str, int | None]:
    """The numbers in a setting by their part, `{"natural-canasta": 500, …}`; a setting that is a
    single number has the part "".
    """
    value = values[key]
    if key == "target":
        return {"": value if isinstance(value, int) else None}
    if key == PENALTIES:
        return dict(value)

    parts = steps_of(key, value)
    if key == FAMILIES:
        for kind in values["canastas"]:
            parts.setdefault(kind["family"], 0)
    if not parts and isinstance(value, int):
        return {"": value}
    return parts


def join_setting(key: str, value: Any, numbers: Mapping[str, int | None]) -> Any:
    """The value of a setting with other numbers, by their part; parts that it lacks are ignored."""
    if key == FAMILIES:
        return [[family, count] for family, count in numbers.items() if count]
    match value:
        case dict():
            return {part: numbers.get(part, before) for part, before in value.items()}
        case [dict(), *_]:  # kinds of canasta
            return [{**kind, "points": numbers.get(kind["item"], kind["points"])} for kind in value]
        case [[_, _], *_]:  # opening minimums by score
            return [[score, numbers.get(str(score), minimum)] for score, minimum in value]
        case [int(), *_]:  # numbered from 1
            return [numbers.get(str(position), each) for position, each in enumerate(value, 1)]
    number = numbers[""]
    return "unlimited" if number is None else number


class OwnRulesForm(PadForm):
    """House rules that start from a variant. Made by `own_rules_form`."""

    variant: Variant
    """The variant before the changes: the saved house rules, or for new ones the parent."""
    parent: Variant
    figures: tuple[Figure, ...]
    offered: tuple[Option, ...]
    groups = _GROUPS
    row_codes: Mapping[str, list[str]]
    """The codes of bonuses and penalties of the table, by `bonus` or `penalty`; empty in a new row.
    """
    saved_id: str | None
    """The id of the saved house rules; None for new ones."""
    asked: Sequence[str]
    """Names of the figures that the form asked for because others changed. House rules give them
    even if they are as before.
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
        """Validate the fields, that the name is free, that a match ends, and that the values fit
        each other.
        """
        if not super().validate(extra_validators):
            self._explain_added_red_threes()
            return False
        if self._is_name_taken():
            add_error(self.name, t("own.name.taken", name=one_line(self.name.data)))
        if not self._has_end():
            add_error(self["target"], t("own.endless"))
        settings = self._settings()
        self._refuse_contradictions(settings)
        if not self.errors:
            self._refuse_broken_links(settings)
        if self.errors:
            self.status = INVALID
        return not self.errors

    def _is_name_taken(self) -> bool:
        name = one_line(self.name.data).lower()
        words = page_words()
        for variant in variant_ids():
            if variant == self.saved_id:
                continue
            if variant_name(get_variant(variant), words).lower() == name:
                return True
        return False

    def _has_end(self) -> bool:
        """Whether a match under these rules ends by a target, a number of hands, or minutes."""
        if "target" not in self:
            return True
        variant_limits_hands = self.variant.settings["match-deals"].value != "unlimited"
        # A number of hands in `ends` is replaced by the field; one of the settings stays.
        if variant_limits_hands and self.variant.ends.hands is None:
            return True
        return bool(self["target"].data or self.hands.data or self.minutes.data)

    def _refuse_contradictions(self, settings: Mapping[str, Any]) -> None:
        """Refuse a figure that an option sets to another value."""
        for option in self.offered:
            field = self[f"option-{option.id}"]
            if field.data == _default_of(option):
                continue
            settings_of_option = _settings_of_option(option, self.parent, field.data)
            for figure in self._changed_figures():
                key = figure.key
                if key not in settings_of_option:
                    continue
                if _is_equal_but_for_points(key, settings[key], settings_of_option[key]):
                    continue
                option_text = str(field.label.text)
                message = t("own.contradicts", figure=figure.label, option=option_text)
                add_error(self[figure.name], message)

    def _explain_added_red_threes(self) -> None:
        """Explain at the decks why the form asks for more values of red threes than the variant
        has.
        """
        for figure in self.figures:
            is_added = figure.key == "red-three-values" and figure.value is None
            if is_added and self[figure.name].errors:
                why = t("linked.red-threes-of-decks")
                names = t("setting.decks")
                asked = t("setting.red-three-values")
                add_error(self["decks"], t("own.linked", why=why, names=names, asked=asked))
                return

    def _changed_figures(self) -> list[Figure]:
        """The figures with a new value, and those that the form asked for."""
        changed = []
        for figure in self.figures:
            if self._typed(figure) != figure.value or figure.name in self.asked:
                changed.append(figure)
        return changed

    def _typed(self, figure: Figure) -> int | None:
        return figure_of(self[figure.name].data)

    def _refuse_broken_links(self, settings: Mapping[str, Any]) -> None:
        """Refuse values that do not fit each other, and ask for those that the changes leave
        unclear.
        """
        usual = values_by_key(self.parent)
        given = self._given_values(settings)
        current = {**usual, **given}
        for key, moved in moved_values(load_links(), usual, given).items():
            current[key] = moved.value

        broken_links_found = broken_links(load_links(), usual, given, current)
        changed_names = {figure.name for figure in self._changed_figures()}
        for broken in broken_links_found:
            if broken.link.kind == "asks":
                figures = self._figures_of_keys(broken.others)
                self._show_broken_link("own.linked", broken, figures)
                self._ask_for([each for each in figures if each.name not in changed_names])
            else:
                figures = self._figures_of_keys(broken.given)
                self._show_broken_link("own.unfit", broken, figures)

    def _figures_of_keys(self, link_keys: Collection[str]) -> list[Figure]:
        return [figure for figure in self.figures if figure.link_key in link_keys]

    def _show_broken_link(self, message: str, broken: BrokenLink, figures: list[Figure]) -> None:
        """Show a broken link at the first of these figures; at the name if there is none."""
        words = page_words(self.variant)
        text = t(
            message,
            names=" · ".join(name_of_key(key, words) for key in broken.given),
            why=t(f"linked.{broken.link.id}"),
            asked=" · ".join(name_of_key(key, words) for key in broken.others),
        )
        field = self[figures[0].name] if figures else self.name
        add_error(field, text)

    def _ask_for(self, figures: list[Figure]) -> None:
        """Empty the fields of these figures, so that they have to be typed."""
        for figure in figures:
            self[figure.name].data = ""
            self.asked = (*self.asked, figure.name)

    def _given_values(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The values that the file of the house rules gives, by their link key: what differs from
        the parent, what the form asked for, and what the file gives already.

        A value that follows from the others by a link is left out, unless it was typed.
        """
        current = values_by_key(self.variant)
        usual = values_by_key(self.parent)
        values = {f"settings.{key}": value for key, value in settings.items()}
        values |= self._penalty_points()
        typed_keys = {figure.link_key for figure in self._changed_figures()}
        must_stay = {figure.link_key for figure in self.figures if figure.name in self.asked}
        for key, value in values.items():
            if self._is_in_file(key) and value == current.get(key):
                must_stay.add(key)

        given: dict[str, Any] = {}
        for key, value in values.items():
            differs = value != usual.get(key)
            if differs or key in must_stay:
                given[key] = value
        may_follow = [key for key in given if key not in typed_keys | must_stay]
        given = _without_following(may_follow, given, usual)

        for key in moved_values(load_links(), usual, given):
            if key in typed_keys:
                given[key] = values[key]
        return given

    def _is_in_file(self, link_key: str) -> bool:
        """Whether the file of the saved house rules gives a value itself."""
        if link_key in self.variant.moved:
            return False
        kind, _, name = link_key.partition(".")
        if kind == "settings":
            return self.variant.settings[name] != self.parent.settings[name]
        return self.variant.penalties[name] != self.parent.penalties.get(name)

    def _penalty_points(self) -> dict[str, int]:
        """The points of the penalties by their link key.

        Those that the file left to a link are as in the parent until they are typed.
        """
        changed = self._changed_figures()
        points_of_penalties: dict[str, int] = {}
        for figure in self.figures:
            if figure.key != PENALTIES:
                continue
            points = self._typed(figure)
            if figure.link_key in self.variant.moved and figure not in changed:
                points = figure.usual
            if points is not None:
                points_of_penalties[figure.link_key] = points
        return points_of_penalties

    @property
    def named_tables(self) -> list[NamedTable]:
        """The bonuses and the penalties of the house rules, open if one of their rows is in use."""
        tables = []
        for kind, codes in self.row_codes.items():
            rows = []
            for number in range(len(codes)):
                name = f"{kind}-{number}"
                rows.append(NamedRow(self[name], self[f"{name}-points"]))
            is_open = any(row.is_filled for row in rows)
            tables.append(NamedTable(kind, rows, is_open))
        return tables

    def rules(self) -> HouseRules:
        """The house rules that a valid form describes."""
        settings = self._settings()
        given = self._given_values(settings)
        changed_settings = {
            key: value for key, value in settings.items() if f"settings.{key}" in given
        }
        changed_settings.pop("match-deals", None)  # the field for hands decides
        hands_of_match = self.variant.settings["match-deals"].value
        has_other_hands = hands_of_match != self.parent.settings["match-deals"].value
        if self.variant.ends == Ends() and has_other_hands:
            changed_settings["match-deals"] = hands_of_match

        penalties = {}
        for figure in self.figures:
            if figure.key == PENALTIES and figure.link_key in given:
                penalties[figure.part] = ("", given[figure.link_key])
        penalties |= self._named_points("penalty", self.variant.penalties)

        return HouseRules(
            extends=self.parent.id,
            name=one_line(self.name.data),
            special=one_line(self.special.data or ""),
            settings=changed_settings,
            penalties=penalties,
            bonuses=self._named_points("bonus", self.variant.bonuses),
            ends=Ends(figure_of(self.hands.data), figure_of(self.minutes.data)),
            takes=tuple(self._open_options(changed_settings)),
        )

    def _settings(self) -> dict[str, Any]:
        """All settings: those before, with the changed options, then with the typed figures."""
        settings = self._settings_before_links()
        for option in self.offered:
            chosen = self[f"option-{option.id}"].data
            if chosen != current_choice(option, self.variant, self.parent):
                settings |= _settings_of_option(option, self.parent, chosen)
        settings |= self._typed_settings(settings)
        settings["red-three-values"] = self._red_three_values(settings["red-three-values"])

        # The form has no field for the wild cards of a canasta: the kinds that went up to the limit
        # on wild cards go up to the new one.
        limited_by = self.variant
        if "settings.canastas" in self.variant.moved:
            limited_by = self.parent
        old_limit = limited_by.settings["wild-limit"].value
        new_limit = settings["wild-limit"]
        if new_limit != old_limit:
            follow_limit = FOLLOWS["most-wilds"]
            settings["canastas"] = follow_limit(old_limit, new_limit, settings["canastas"])
        return settings

    def _typed_settings(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with a changed figure. Figures left as they were give way to an option."""
        changed = self._changed_figures()
        numbers_of_settings: dict[str, dict[str, int | None]] = {}
        for figure in changed:
            if figure.key != PENALTIES:
                numbers_of_settings[figure.key] = {}
        for figure in self.figures:
            if figure.key not in numbers_of_settings:
                continue
            if figure in changed or figure.key == FAMILIES:
                numbers_of_settings[figure.key][figure.part] = self._typed(figure)

        settings = {}
        for key, numbers in numbers_of_settings.items():
            settings[key] = join_setting(key, before[key], numbers)
        return settings

    def _red_three_values(self, before: list[int]) -> Sequence[int | None]:
        """The typed values of the red threes in the decks; those before if the house rules do not
        change them.
        """
        figures = [each for each in self.figures if each.key == "red-three-values"]
        changed = self._changed_figures()
        is_changed = any(figure in changed for figure in figures)
        if not figures or not (is_changed or self._is_in_file("settings.red-three-values")):
            return before
        return [self._typed(figure) for figure in figures]

    def _settings_before_links(self) -> dict[str, Any]:
        """The settings as the file of the variant gives them. Those that it left to a link are as
        in the parent.
        """
        settings = {}
        for key, setting in self.variant.settings.items():
            if f"settings.{key}" in self.variant.moved:
                settings[key] = self.parent.settings[key].value
            else:
                settings[key] = setting.value
        return settings

    def _named_points(self, kind: str, known: Collection[str]) -> dict[str, tuple[str, int]]:
        """Name and points of the table's bonuses or penalties, by their code; new ones get a code
        that is not among the known ones.
        """
        named: dict[str, tuple[str, int]] = {}
        for number, code in enumerate(self.row_codes.get(kind, ())):
            name = one_line(self[f"{kind}-{number}"].data or "")
            points = figure_of(self[f"{kind}-{number}-points"].data)
            if name and points is not None:
                new_code = free_code(name, {*known, *named}, kind)
                named[code or new_code] = (name, points)
        return named

    def _open_options(self, changed_settings: Mapping[str, Any]) -> Iterator[str]:
        """The options that matches can still choose: those that change none of the house rules."""
        open_options = set(self.variant.options)
        for option in self.offered:
            default = _default_of(option)
            if self[f"option-{option.id}"].data != default:
                open_options.discard(option.id)
            elif current_choice(option, self.variant, self.parent) != default:
                open_options.add(option.id)

        for option in self.parent.options.values():
            settings_of_option = {option.sets}
            for value in option.values:
                settings_of_option.update(value.sets)
            if option.id in open_options and settings_of_option.isdisjoint(changed_settings):
                yield option.id


def _without_following(
    keys: list[str], given: dict[str, Any], usual: Mapping[str, Any]
) -> dict[str, Any]:
    """The given values without those of these keys that follow from the others by a link."""
    for key in keys:
        others = {other: value for other, value in given.items() if other != key}
        moved = moved_values(load_links(), usual, others).get(key)
        if moved is not None and moved.value == given[key]:
            given = others
    return given


def own_rules_form(
    variant: Variant, formdata: Any, chosen: Mapping[str, str] | None = None
) -> OwnRulesForm:
    """The form for saved house rules, or for new ones that start from a variant of the package.

    `chosen` are options by name, as in the URL of a new match.
    """
    is_saved = variant.id in own_variants().usable
    parent = get_variant(variant.parent) if is_saved and variant.parent else variant
    decks = _submitted_decks(variant, formdata)
    figures = tuple(_figures_of_variant(variant, parent, decks))
    offered = _offered_options(parent)
    row_codes = _codes_of_named_rows(variant, parent)
    attributes: dict[str, Any] = {
        "variant": variant,
        "parent": parent,
        "figures": figures,
        "offered": offered,
        "row_codes": row_codes,
        "saved_id": variant.id if is_saved else None,
        "asked": _submitted_asked(figures, formdata),
    }
    attributes |= _figure_fields(figures, variant)
    for option in offered:
        choice = chosen.get(option.id) if chosen else None
        attributes[f"option-{option.id}"] = ChoiceField(
            page_words(variant).t(f"option.{option.id}"),
            default=choice or current_choice(option, variant, parent),
        )
    attributes |= _fields_of_named_rows(row_codes, variant)

    form_class = type("Form", (OwnRulesForm,), attributes)
    form: OwnRulesForm = form_class(formdata=formdata, data=_values_of_variant(variant))
    for option in offered:
        form[f"option-{option.id}"].choices = tuple(_choices_of(option, variant, parent))
    return form


def _values_of_variant(variant: Variant) -> dict[str, Any]:
    """The values of the fields that every form has. New house rules have no name yet."""
    words = page_words(variant)
    values: dict[str, Any] = {
        "hands": variant.ends.hands or "",
        "minutes": variant.ends.minutes or "",
    }
    if variant.id in own_variants().usable:
        values["name"] = variant_name(variant, words)
        values["special"] = variant_special(variant, words)
    return values


def _offered_options(parent: Variant) -> tuple[Option, ...]:
    """The options of the form: those with named values that do not decide who sits at the table."""
    seats = seat_options(parent)
    offered = []
    for option in effective_options(parent):
        if option.step is None and option not in seats:
            offered.append(option)
    return tuple(offered)


def _choices_of(option: Option, variant: Variant, parent: Variant) -> Iterator[Choice]:
    words = page_words(variant)
    for value in parent.values_of(option):
        yield Choice(coded(value.value), value_word(option.id, value.value, words))


def _codes_of_named_rows(variant: Variant, parent: Variant) -> dict[str, list[str]]:
    """The value of `OwnRulesForm.row_codes`."""
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
    return codes + [""] * new_rows


def _is_counted_in_points(variant: Variant) -> bool:
    return bool(variant.settings["unit"].value == "points")


def _figure_fields(figures: Iterable[Figure], variant: Variant) -> dict[str, StringField]:
    words = page_words(variant)
    fields = {}
    for figure in figures:
        least, most, step = LIMITS[figure.key]
        if not _is_counted_in_points(variant):
            step = 1
        # Without a target the hands or the minutes end the match.
        is_optional = figure.key == "target"
        check = whole_number(least, most, step, optional=is_optional)
        value = "" if figure.value is None else words.figure(figure.value)
        fields[figure.name] = StringField(figure.label, [check], default=value, render_kw=NUMERIC)
    return fields


def _fields_of_named_rows(
    row_codes: Mapping[str, list[str]], variant: Variant
) -> dict[str, StringField]:
    """The fields for the name and the points of each bonus and penalty of the house rules."""
    words = page_words(variant)
    step = SMALLEST_POINTS if _is_counted_in_points(variant) else 1
    points_check = whole_number(step, LIMITS["bonuses"][1], step)
    fields = {}
    for kind, codes in row_codes.items():
        entries = variant.bonuses if kind == "bonus" else variant.penalties
        for row, code in enumerate(codes):
            field = f"{kind}-{row}"
            name = words.t(f"{kind}.{code}") if code else ""
            points = words.figure(entries[code].points or 0) if code else ""
            label = t(f"own.{kind}", number=row + 1)
            both_or_none = _filled_like(f"{field}-points", f"own.{kind}.both")
            name_checks = [both_or_none, at_most(LONGEST_NAME)]
            fields[field] = StringField(label, name_checks, default=name)
            fields[f"{field}-points"] = StringField(
                t("own.bonus.points"), [points_check], default=points, render_kw=NUMERIC
            )
    return fields


class OwnFileForm(PadForm):
    """An uploaded file of house rules."""

    file = FileField(
        lazy("own.take.file"), description=lazy("own.take.text"), render_kw={"accept": ".toml"}
    )

    def reject(self, message: str, status: int = CONFLICT) -> None:
        """Show a message at the file."""
        add_error(self.file, message)
        self.status = status


def current_choice(option: Option, variant: Variant, parent: Variant) -> str:
    """The value of an option that agrees with the settings of the house rules; the default if none
    does.
    """
    for value in parent.values_of(option):
        choice = coded(value.value)
        settings = _settings_of_option(option, parent, choice)
        if _has_settings(variant, settings):
            return choice
    return _default_of(option)


def _has_settings(variant: Variant, settings: Mapping[str, Any]) -> bool:
    for key, value in settings.items():
        if not _is_equal_but_for_points(key, value, variant.settings[key].value):
            return False
    return True


def _default_of(option: Option) -> str:
    assert option.default is not None, "an amount"
    return coded(option.default)


def _settings_of_option(option: Option, parent: Variant, chosen: str) -> dict[str, Any]:
    """The values of all settings that an option decides, when this value is chosen.

    Settings that only its other values change are as in the parent.
    """
    settings: dict[str, Any] = {}
    for value in option.values:
        for key in value.sets:
            settings[key] = parent.settings[key].value
    for value in option.values:
        if coded(value.value) == chosen:
            return {**settings, **value.sets}
    return settings


def _is_equal_but_for_points(key: str, value: Any, other: Any) -> bool:
    if key == "canastas":
        return [kind["item"] for kind in value] == [kind["item"] for kind in other]
    return bool(value == other)


def _submitted_decks(variant: Variant, formdata: Any) -> int:
    """The typed number of decks if it is within the limits; else that of the variant."""
    least, most, _ = LIMITS["decks"]
    typed = figure_of(formdata.get("decks")) if formdata else None
    if typed is not None and least <= typed <= most:
        return typed
    decks: int = variant.settings["decks"].value
    return decks


def _submitted_asked(figures: Iterable[Figure], formdata: Any) -> tuple[str, ...]:
    """The names of the figures that the submitted page asked for."""
    names = formdata.getlist("asked") if formdata else []
    return tuple(figure.name for figure in figures if figure.name in names)


def _figures_of_variant(variant: Variant, parent: Variant, decks: int) -> Iterator[Figure]:
    """The figures of a variant, with one value for each red three in this number of decks."""
    values = _values_with_penalties(variant, parent)
    usual_values = _values_with_penalties(parent, parent)
    for keys in _GROUPS.values():
        for key in keys:
            if key != PENALTIES and not applies(key, variant):
                continue
            usual_parts = split_setting(key, usual_values)
            parts = split_setting(key, values)
            if key == "red-three-values" and parts:
                parts = _for_each_red_three(parts, decks)
            for part, value in parts.items():
                label = _label(key, part, variant)
                yield Figure(key, part, label, value, usual_parts.get(part))


def _for_each_red_three(values: Mapping[str, int | None], decks: int) -> dict[str, int | None]:
    red_threes = in_decks(decks)[RED_THREE]
    numbers = map(str, range(1, red_threes + 1))
    return {number: values.get(number) for number in numbers}


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


def _filled_like(other: str, message: str) -> Callable[[OwnRulesForm, Field], None]:
    """A validator: the field is filled if and only if the other one is."""

    def check(form: OwnRulesForm, field: Field) -> None:
        is_filled = bool((field.data or "").strip())
        is_other_filled = bool((form[other].data or "").strip())
        if is_filled != is_other_filled:
            raise ValidationError(t(message))

    return check
