"""The form of house rules: the figures of a variant with their limits, its options, bonuses and
what ends a match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flask_wtf.file import FileField
from wtforms import Field, StringField, ValidationError
from wtforms.validators import DataRequired

from scorepad.i18n.settings_in_words import variant_name, variant_special
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.completeness import LIMITS
from scorepad.rules.definitions import Ends, Option, Variant
from scorepad.rules.links import FOLLOWS, BrokenLink, broken_links, moved_values, values_by_key
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES, load_links
from scorepad.rules.toml_reader import LONGEST_NAME, LONGEST_TEXT
from scorepad.rules.variants import get_variant, own_variants, variant_ids
from scorepad.schemas.variant_json import name_of_key
from scorepad.storage.own_rules import HouseRules, free_code
from scorepad.web.base import page_words, t
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    NUMERIC,
    ChoiceField,
    PadForm,
    add_error,
    at_most,
    figure_of,
    lazy,
    one_line,
    whole_number,
)
from scorepad.web.own_rules.figures import (
    FAMILIES,
    GROUPS,
    PENALTIES,
    RED_THREES,
    Figure,
    figures_of_variant,
    join_setting,
)
from scorepad.web.own_rules.options_of_rules import (
    choices_of_option,
    current_choice,
    default_choice,
    is_equal_but_for_points,
    offered_options,
    settings_of_choice,
)
from scorepad.web.rule_choices import settings_decided_by

NEW_ROWS = 3
"""Empty rows for bonuses, and for penalties, in a new file; an existing file has one."""


class NamedRow(NamedTuple):
    """The two fields of a bonus or a penalty of the house rules."""

    name: Field
    points: Field

    @property
    def is_filled(self) -> bool:
        """Whether a name was typed, or one of the fields has an error."""
        return bool(self.name.data or self.name.errors or self.points.errors)


class NamedTable(NamedTuple):
    """The bonuses (`bonus`) or the penalties (`penalty`) of the house rules."""

    kind: str
    rows: list[NamedRow]
    is_open: bool


class OwnRulesForm(PadForm):
    """House rules that start from a variant. Made by `own_rules_form`."""

    variant: Variant
    """The variant before the changes: the saved house rules, or for new ones the parent."""
    parent: Variant
    figures: tuple[Figure, ...]
    offered: tuple[Option, ...]
    groups = GROUPS
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

    # ---------------------------------------------------------------- what the form refuses

    def validate(self, extra_validators: Any = None) -> bool:
        """Validate the fields, then what they say together.

        The name must be free, a match must end, and the values must fit each other.
        """
        if not super().validate(extra_validators):
            self._explain_added_red_threes()
            return False
        if self._is_name_taken():
            add_error(self.name, t("own.name.taken", name=one_line(self.name.data)))
        if not self._has_end():
            add_error(self["target"], t("own.endless"))
        settings = self._all_settings()
        self._refuse_contradictions(settings)
        if not self.errors:
            self._refuse_broken_links(settings)
        if self.errors:
            self.status = INVALID
        return not self.errors

    def _is_name_taken(self) -> bool:
        """Whether another variant has this name already."""
        name = one_line(self.name.data).lower()
        words = page_words()
        for variant_id in variant_ids():
            is_this_one = variant_id == self.saved_id
            if not is_this_one and variant_name(get_variant(variant_id), words).lower() == name:
                return True
        return False

    def _has_end(self) -> bool:
        """Whether a match under these rules ends by a target, a number of hands, or minutes."""
        if "target" not in self:
            return True
        # A number of hands in `ends` is replaced by the field of the form; one of the settings,
        # which the form does not show, stays.
        limits_hands = self.variant.settings["match-deals"].value != "unlimited"
        if limits_hands and self.variant.ends.hands is None:
            return True
        return bool(self["target"].data or self.hands.data or self.minutes.data)

    def _refuse_contradictions(self, settings: Mapping[str, Any]) -> None:
        """Add an error to each changed figure that a chosen option sets to another value."""
        for option in self.offered:
            field = self[f"option-{option.id}"]
            if field.data == default_choice(option):
                continue
            settings_of_option = settings_of_choice(option, self.parent, field.data)
            option_text = str(field.label.text)
            for figure in self._changed_figures():
                key = figure.key
                if key not in settings_of_option:
                    continue
                if is_equal_but_for_points(key, settings[key], settings_of_option[key]):
                    continue
                message = t("own.contradicts", figure=figure.label, option=option_text)
                add_error(self[figure.name], message)

    def _explain_added_red_threes(self) -> None:
        """Explain at the decks why the form asks for more values of red threes than before.

        A value is asked for that the variant lacks, because more decks have more red threes.
        """
        for figure in self.figures:
            is_added = figure.key == RED_THREES and figure.value is None
            if is_added and self[figure.name].errors:
                why = t("linked.red-threes-of-decks")
                names = t("setting.decks")
                asked = t("setting.red-three-values")
                add_error(self["decks"], t("own.linked", why=why, names=names, asked=asked))
                return

    def _refuse_broken_links(self, settings: Mapping[str, Any]) -> None:
        """Add an error to the form for values of the house rules that do not fit each other.

        The data of the program links values: more decks need the values of more red threes. If the
        player changed one and left the other as it was, the form asks for the other one; values
        that can never go together are refused.
        """
        usual = values_by_key(self.parent)
        given = self._values_for_file(settings)
        in_force = _values_in_force(usual, given)
        changed_before = self._changed_figures()
        for broken in broken_links(load_links(), usual, given, in_force):
            if broken.link.kind == "asks":  # the player has to type what was left as it was
                figures = self._figures_of_keys(broken.not_given)
                self._show_broken_link("own.linked", broken, figures)
                self._ask_for([figure for figure in figures if figure not in changed_before])
            else:  # the values can never go together
                figures = self._figures_of_keys(broken.changed)
                self._show_broken_link("own.unfit", broken, figures)

    def _figures_of_keys(self, link_keys: Collection[str]) -> list[Figure]:
        """The figures that belong to these settings and penalties (`settings.decks`)."""
        return [figure for figure in self.figures if figure.link_key in link_keys]

    def _show_broken_link(self, message: str, broken: BrokenLink, figures: list[Figure]) -> None:
        """Show a broken link at the first of these figures; at the name if there is none."""
        words = page_words(self.variant)
        changed_names = [name_of_key(key, words) for key in broken.changed]
        other_names = [name_of_key(key, words) for key in broken.not_given]
        text = t(
            message,
            names=" · ".join(changed_names),
            why=t(f"linked.{broken.link.id}"),
            asked=" · ".join(other_names),
        )
        field = self[figures[0].name] if figures else self.name
        add_error(field, text)

    def _ask_for(self, figures: Iterable[Figure]) -> None:
        """Empty the fields of these figures, so that the player has to type them."""
        for figure in figures:
            self[figure.name].data = ""
            self.asked = (*self.asked, figure.name)

    # ---------------------------------------------------------------- what was typed

    def _typed_number(self, figure: Figure) -> int | None:
        """The number in the field of a figure; None if it is blank or invalid."""
        return figure_of(self[figure.name].data)

    def _changed_figures(self) -> list[Figure]:
        """The figures with a new number, and those that the form asked for."""
        changed = []
        for figure in self.figures:
            if self._typed_number(figure) != figure.value or figure.name in self.asked:
                changed.append(figure)
        return changed

    def _all_settings(self) -> dict[str, Any]:
        """All settings of the house rules as the form describes them, by key (`decks`).

        What is set later replaces what was set before: a number that the player typed counts more
        than an option that the player chose, and this more than the setting before.
        """
        settings = self._settings_before()
        settings.update(self._settings_of_changed_options())
        settings.update(self._settings_with_typed_numbers(settings))
        settings[RED_THREES] = self._red_three_values(settings[RED_THREES])
        # Only now is the limit known by which some canastas follow.
        settings["canastas"] = self._canastas_within_limit(
            settings["canastas"], settings["wild-limit"]
        )
        return settings

    def _settings_of_changed_options(self) -> dict[str, Any]:
        """The settings that follow from the options of which another value was chosen."""
        settings: dict[str, Any] = {}
        for option in self.offered:
            chosen = self[f"option-{option.id}"].data
            if chosen != current_choice(option, self.variant, self.parent):
                settings.update(settings_of_choice(option, self.parent, chosen))
        return settings

    def _settings_before(self) -> dict[str, Any]:
        """The settings as the file of the saved house rules gives them, by key.

        Some settings are not in the file and follow from others that are. These are as in the
        parent here: they are worked out again once the form's values are known.
        """
        settings = {}
        for key, setting in self.variant.settings.items():
            follows_from_others = f"settings.{key}" in self.variant.moved
            if follows_from_others:
                settings[key] = self.parent.settings[key].value
            else:
                settings[key] = setting.value
        return settings

    def _settings_with_typed_numbers(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The settings in which the player changed a number, with their new values, by key.

        `before` has the settings without the typed numbers.
        """
        settings = {}
        for figure in self._changed_figures():
            is_setting = figure.key != PENALTIES
            if is_setting and figure.key not in settings:
                numbers = self._numbers_to_set(figure.key)
                settings[figure.key] = join_setting(figure.key, before[figure.key], numbers)
        return settings

    def _numbers_to_set(self, key: str) -> dict[str, int | None]:
        """The typed numbers to put into a setting, by their part: `{"natural-canasta": 600}`.

        Numbers that were not changed are left out, so that they stay as an option sets them. The
        canastas needed of each family are all there, because that setting is written anew.
        """
        changed = self._changed_figures()
        numbers: dict[str, int | None] = {}
        for figure in self.figures:
            is_needed = figure in changed or key == FAMILIES
            if figure.key == key and is_needed:
                numbers[figure.part] = self._typed_number(figure)
        return numbers

    def _red_three_values(self, before: list[int]) -> Sequence[int | None]:
        """What one red three (a bonus card) is worth, two together, and so on, as a list.

        The form has a field for each red three in the typed number of decks, so that the list may
        be longer or shorter than `before`. If the form leaves the values alone, they stay as before.
        """
        figures = [figure for figure in self.figures if figure.key == RED_THREES]
        if not figures:
            return before  # red threes have no such values in this game
        changed = self._changed_figures()
        is_changed = any(figure in changed for figure in figures)
        # The program adapts the values of the parent to the number of decks, but not those in a file.
        is_in_file = self._is_in_file(f"settings.{RED_THREES}")
        if is_changed or is_in_file:
            return [self._typed_number(figure) for figure in figures]
        return before

    def _canastas_within_limit(self, canastas: Any, wild_limit: Any) -> Any:
        """The kinds of canasta under a limit on wild cards in a meld (a set of cards).

        The form has no field for the wild cards of a canasta. Kinds that allowed as many as the
        limit before allow as many as the new one.
        """
        variant_before = self.variant
        if "settings.canastas" in self.variant.moved:
            variant_before = self.parent
        limit_before = variant_before.settings["wild-limit"].value
        if wild_limit == limit_before:
            return canastas
        follow_limit = FOLLOWS["most-wilds"]
        return follow_limit(limit_before, wild_limit, canastas)

    def _penalty_points(self) -> dict[str, int]:
        """The points of the penalties by their link key, `penalties.CODE`.

        Those that the file left to a link are as in the parent until they are typed.
        """
        changed = self._changed_figures()
        points_of_penalties: dict[str, int] = {}
        for figure in self.figures:
            if figure.key != PENALTIES:
                continue
            points = self._typed_number(figure)
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

    # ---------------------------------------------------------------- the file of the house rules

    def house_rules(self) -> HouseRules:
        """The house rules that a valid form describes, with what their file gives.

        The file gives those settings and penalties that are new or differ from the parent variant,
        and all bonuses that the form lists.
        """
        values = self._values_for_file(self._all_settings())
        settings = self._settings_for_file(values)
        return HouseRules(
            extends=self.parent.id,
            name=one_line(self.name.data),
            special=one_line(self.special.data or ""),
            settings=settings,
            penalties=self._penalties_for_file(values),
            bonuses=self._named_points("bonus", self.variant.bonuses),
            ends=Ends(figure_of(self.hands.data), figure_of(self.minutes.data)),
            takes=self._options_left_open(settings),
        )

    def _values_for_file(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The values that the file of the house rules gives, by key: `settings.decks`.

        `settings` are all settings of the house rules, by key without the prefix. The file leaves
        out what is as in the parent variant, and what follows from the values that it gives.
        """
        values = {f"settings.{key}": value for key, value in settings.items()}
        values.update(self._penalty_points())
        usual = values_by_key(self.parent)
        keys_that_must_stay = self._keys_that_must_stay(values)

        # First all values that differ from the parent ...
        given: dict[str, Any] = {}
        for key, value in values.items():
            is_changed = value != usual.get(key)
            if is_changed or key in keys_that_must_stay:
                given[key] = value

        # ... then without those that follow from others, unless the player typed them ...
        typed_keys = {figure.link_key for figure in self._changed_figures()}
        for key in list(given):
            may_be_left_out = key not in typed_keys and key not in keys_that_must_stay
            if may_be_left_out and _follows_from_others(key, given, usual):
                del given[key]
        # ... and with numbers typed as the parent has them that would be replaced by what follows.
        for key in moved_values(load_links(), usual, given):
            if key in typed_keys:
                given[key] = values[key]
        return given

    def _keys_that_must_stay(self, values: Mapping[str, Any]) -> set[str]:
        """The link keys of values that the file gives even if they are as in the parent.

        The form asked for them, or the file gave them before and they did not change.
        """
        must_stay = {figure.link_key for figure in self.figures if figure.name in self.asked}
        values_before = values_by_key(self.variant)
        for key, value in values.items():
            if self._is_in_file(key) and value == values_before.get(key):
                must_stay.add(key)
        return must_stay

    def _is_in_file(self, link_key: str) -> bool:
        """Whether the file of the saved house rules gives a value itself.

        `link_key` is `settings.KEY` or `penalties.CODE`.
        """
        if link_key in self.variant.moved:
            return False
        kind, _, name = link_key.partition(".")
        if kind == "settings":
            return self.variant.settings[name] != self.parent.settings[name]
        return self.variant.penalties[name] != self.parent.penalties.get(name)

    def _settings_for_file(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings among the values that the file gives (`settings.decks`), by their own key.

        The number of hands of a match is among them only if no field of the form decides it.
        """
        settings = {}
        for key in self.variant.settings:
            link_key = f"settings.{key}"
            if key != "match-deals" and link_key in given:
                settings[key] = given[link_key]
        hands_of_match = self.variant.settings["match-deals"].value
        has_other_hands = hands_of_match != self.parent.settings["match-deals"].value
        if self.variant.ends == Ends() and has_other_hands:
            settings["match-deals"] = hands_of_match
        return settings

    def _penalties_for_file(self, given: Mapping[str, Any]) -> dict[str, tuple[str, int]]:
        """Name and points of the penalties, by code; those of the parent have no name of their own.

        `given` has the values that the file gives, by link key.
        """
        penalties: dict[str, tuple[str, int]] = {}
        for figure in self.figures:
            if figure.key == PENALTIES and figure.link_key in given:
                penalties[figure.part] = ("", given[figure.link_key])
        return penalties | self._named_points("penalty", self.variant.penalties)

    def _named_points(self, kind: str, known_codes: Collection[str]) -> dict[str, tuple[str, int]]:
        """Name and points of the table's own bonuses or penalties, by their code.

        New ones get a code made from their name that is not among the known ones.
        """
        named: dict[str, tuple[str, int]] = {}
        for number, code in enumerate(self.row_codes.get(kind, ())):
            name = one_line(self[f"{kind}-{number}"].data or "")
            points = figure_of(self[f"{kind}-{number}-points"].data)
            if not name or points is None:
                continue
            is_new = not code
            if is_new:
                new_code = free_code(name, {*known_codes, *named}, kind)
                named[new_code] = (name, points)
            else:
                named[code] = (name, points)
        return named

    def _options_left_open(self, changed_settings: Collection[str]) -> tuple[str, ...]:
        """The ids of the options that each match by the house rules can still choose.

        An option is closed if the form decides it, or if one of its values would undo a setting that
        the house rules change.
        """
        open_options = []
        for option in self.parent.options.values():
            would_undo_change = not settings_decided_by(option).isdisjoint(changed_settings)
            if not would_undo_change and not self._is_decided(option):
                open_options.append(option.id)
        return tuple(open_options)

    def _is_decided(self, option: Option) -> bool:
        """Whether the house rules decide an option, so that matches cannot choose it."""
        was_decided = option.id not in self.variant.options
        offered_ids = [offered.id for offered in self.offered]
        if option.id not in offered_ids:
            return was_decided  # the form cannot change that

        default = default_choice(option)
        if self[f"option-{option.id}"].data != default:
            return True
        # Set back to its default in the form, an option is left to each match again.
        is_set_back_to_default = current_choice(option, self.variant, self.parent) != default
        return was_decided and not is_set_back_to_default


def _values_in_force(usual: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All values of house rules by key: those of the parent (`usual`), as their file changes them.

    `given` are the values in the file. Others follow from these by the links of the data.
    """
    values = {**usual, **given}
    for key, moved in moved_values(load_links(), usual, given).items():
        values[key] = moved.value
    return values


def _follows_from_others(key: str, given: Mapping[str, Any], usual: Mapping[str, Any]) -> bool:
    """Whether a file can leave a value out, because it follows from the others that the file gives.

    With fewer decks, for example, there are fewer red threes, so that the values of the rest fall
    away by themselves. `given` are the values in the file, `usual` those of the parent, by key.
    """
    others = {other: value for other, value in given.items() if other != key}
    moved = moved_values(load_links(), usual, others).get(key)
    return moved is not None and moved.value == given[key]


# ---------------------------------------------------------------- making the form


def own_rules_form(
    variant: Variant, formdata: Any, chosen: Mapping[str, str] | None = None
) -> OwnRulesForm:
    """The form for saved house rules, or for new ones that start from a variant of the package.

    `formdata` are the submitted fields, if any; `chosen` are options by name, as in the URL of a
    new match. WTForms reads the fields from the class, so that each form has a class of its own.
    """
    is_saved = variant.id in own_variants().usable
    parent = variant
    if is_saved and variant.parent:
        parent = get_variant(variant.parent)
    decks = _submitted_decks(variant, formdata)
    figures = tuple(figures_of_variant(variant, parent, decks))
    offered = offered_options(parent)
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
        form[f"option-{option.id}"].choices = tuple(choices_of_option(option, variant, parent))
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


def _submitted_decks(variant: Variant, formdata: Any) -> int:
    """The typed number of decks if it is within the limits; else that of the variant."""
    least, most, _step = LIMITS["decks"]
    typed = figure_of(formdata.get("decks")) if formdata else None
    if typed is not None and least <= typed <= most:
        return typed
    decks: int = variant.settings["decks"].value
    return decks


def _submitted_asked(figures: Iterable[Figure], formdata: Any) -> tuple[str, ...]:
    """The names of the figures that the submitted page asked for."""
    if not formdata:
        return ()
    submitted_names = formdata.getlist("asked")
    return tuple(figure.name for figure in figures if figure.name in submitted_names)


def _codes_of_named_rows(variant: Variant, parent: Variant) -> dict[str, list[str]]:
    """The codes of the table's own bonuses and penalties, by `bonus` or `penalty`.

    Each list ends with empty codes, for new rows. Not every variant has penalties.
    """
    codes = {"bonus": _with_new_rows(list(variant.bonuses))}
    if "penalty" in parent.lines:
        own_penalties = []
        for code, penalty in variant.penalties.items():
            if code not in parent.penalties and penalty.points is not None:
                own_penalties.append(code)
        codes["penalty"] = _with_new_rows(own_penalties)
    return codes


def _with_new_rows(codes: list[str]) -> list[str]:
    """The codes of the rows, with empty ones for new rows."""
    new_rows = 1 if codes else NEW_ROWS
    return codes + [""] * new_rows


def _is_counted_in_points(variant: Variant) -> bool:
    """Whether a variant counts points of cards; others count small units."""
    return bool(variant.settings["unit"].value == "points")


def _figure_fields(figures: Iterable[Figure], variant: Variant) -> dict[str, StringField]:
    """A field for each figure, by its name, with the limits of its setting."""
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
    """The fields for the name and the points of each bonus and penalty of the house rules.

    They are `bonus-0` and `bonus-0-points`, and so on; in a new row, whose code is empty, they are
    blank.
    """
    words = page_words(variant)
    fields = {}
    for kind, codes in row_codes.items():
        entries = variant.bonuses if kind == "bonus" else variant.penalties
        for row, code in enumerate(codes):
            name = ""
            points = ""
            if code:
                name = words.t(f"{kind}.{code}")
                points = words.figure(entries[code].points or 0)
            field_name = f"{kind}-{row}"
            fields[field_name] = StringField(
                t(f"own.{kind}", number=row + 1),
                [
                    _filled_like(f"{field_name}-points", f"own.{kind}.both"),
                    at_most(LONGEST_NAME),
                ],
                default=name,
            )
            fields[f"{field_name}-points"] = StringField(
                t("own.bonus.points"),
                [_check_of_named_points(variant)],
                default=points,
                render_kw=NUMERIC,
            )
    return fields


def _check_of_named_points(variant: Variant) -> Callable[..., None]:
    """The validator for the points of a bonus or penalty of the house rules."""
    _least, most, _step = LIMITS["bonuses"]
    step = SMALLEST_POINTS if _is_counted_in_points(variant) else 1
    return whole_number(step, most, step)


def _filled_like(other: str, message: str) -> Callable[[OwnRulesForm, Field], None]:
    """A validator: the field must be filled if the other one is, and blank if that is blank."""

    def check_both_or_none(form: OwnRulesForm, field: Field) -> None:
        is_filled = bool((field.data or "").strip())
        is_other_filled = bool((form[other].data or "").strip())
        if is_filled != is_other_filled:
            raise ValidationError(t(message))

    return check_both_or_none


# ---------------------------------------------------------------- files


class OwnFileForm(PadForm):
    """An uploaded file of house rules."""

    file = FileField(
        lazy("own.take.file"), description=lazy("own.take.text"), render_kw={"accept": ".toml"}
    )

    def reject(self, message: str, status: int = CONFLICT) -> None:
        """Show a message at the file."""
        add_error(self.file, message)
        self.status = status
