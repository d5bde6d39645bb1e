"""The form of house rules: the numbers of a variant with their limits, its options, bonuses and
what ends a match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from flask_wtf.file import FileField
from wtforms import Field, StringField, ValidationError
from wtforms.validators import DataRequired

from scorepad.i18n.settings_in_words import describe_variant_briefly, variant_name
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.completeness import LIMITS
from scorepad.rules.definitions import Ends, Option, Variant
from scorepad.rules.links import (
    FOLLOWS,
    BrokenCondition,
    values_by_key,
)
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.toml_reader import LONGEST_NAME, LONGEST_TEXT
from scorepad.rules.variants import get_variant, own_variants, variant_ids
from scorepad.schemas.variant_json import translate_key_of_rule
from scorepad.storage.own_rules import HouseRules, NamedPoints, make_free_code
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
    CANASTAS,
    FAMILIES,
    GROUPS,
    PENALTIES,
    RED_THREES,
    TARGET,
    UNLIMITED,
    RuleNumber,
    list_rule_numbers,
    put_numbers_into_setting,
)
from scorepad.web.own_rules.file_values import (
    choose_values_for_file,
    find_unfit_values,
    find_values_before,
    is_in_file,
)
from scorepad.web.own_rules.options_of_rules import (
    find_current_choice,
    find_default_choice,
    is_equal_apart_from_points,
    list_choices_of_option,
    list_offered_options,
    list_settings_of_choice,
)
from scorepad.web.rule_choices import settings_decided_by

NEW_ROWS = 3
"""Empty rows for bonuses, and for penalties, in a new file; an existing file has one."""
_HANDS_OF_MATCH = "match-deals"
"""The setting with the number of hands of a match. The field `hands` of the form does not change
it: what is typed there is saved apart, in the `ends` of the file.
"""


class RowKind(StrEnum):
    """What players can make up for their house rules, with a name and points."""

    BONUS = "bonus"
    PENALTY = "penalty"


@dataclass(frozen=True, slots=True)
class NamedRow:
    """The two fields of a bonus or a penalty that the players made up.

    `code` is its id in the file; empty in a row for a new one.
    """

    code: str
    name: Field
    points: Field

    @property
    def is_filled(self) -> bool:
        """Tell whether a name was typed in the row, or one of its fields has an error."""
        return bool(self.name.data or self.name.errors or self.points.errors)

    @property
    def typed(self) -> NamedPoints | None:
        """Return the name and the points that were typed; None if one of them is missing."""
        name = one_line(self.name.data or "")
        points = figure_of(self.points.data)
        if not name or points is None:
            return None
        return NamedPoints(name, points)


class NumberRow(NamedTuple):
    """A number of the rules and its field."""

    number: RuleNumber
    field: Field


class NumberGroup(NamedTuple):
    """A group of numbers of the rules, which is shown open or folded."""

    name: str
    rows: list[NumberRow]
    is_open: bool

    @property
    def number_of_own(self) -> int:
        """Count the numbers that the house rules change."""
        return sum(row.number.is_own for row in self.rows)


class OptionLine(NamedTuple):
    """An option of the rules: its field, the chosen value in words, and whether that is unusual."""

    field: ChoiceField
    value: str
    differs: bool


class NamedTable(NamedTuple):
    """The bonuses or the penalties of the house rules."""

    kind: RowKind
    rows: list[NamedRow]
    is_open: bool

    @property
    def title_key(self) -> str:
        """Return the message key of its title."""
        if self.kind is RowKind.BONUS:
            return "own.bonuses"
        return "own.penalties"


@dataclass(frozen=True, slots=True)
class Misfit:
    """Values of the form that do not fit each other."""

    message: str
    numbers: list[RuleNumber]
    """The message is shown at the first of them."""
    numbers_to_type: list[RuleNumber]
    """Those that the user has to type anew; none if other values have to change."""


class OwnRulesForm(PadForm):
    """House rules that start from a variant. Made by `make_own_rules_form`."""

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

    def __init__(
        self,
        *,
        rules_before: Variant,
        base_game: Variant,
        numbers: list[RuleNumber],
        offered: tuple[Option, ...],
        row_codes: Mapping[RowKind, list[str]],
        formdata: Any,
    ) -> None:
        super().__init__(formdata=formdata, data=_list_saved_values(rules_before))
        self.rules_before = rules_before
        """The saved house rules before the changes, or for new ones the base game."""
        self.base_game = base_game
        """The game that the house rules start from."""
        self.saved_id = rules_before.id if _is_saved(rules_before) else None
        """The id of the saved house rules; None for new ones."""
        self.numbers = numbers
        self.offered = offered
        self.row_codes = row_codes
        """The codes of the bonuses and penalties that the players made up; empty in a new row."""
        self.values_before = find_values_before(rules_before, base_game)
        """The values of all settings and penalties before the changes, by key in the file."""
        self.numbers_asked_for = _read_numbers_asked_for(numbers, formdata)
        """The numbers that the form asked for because others changed. The file lists them even if
        they are as before.
        """
        for option in offered:
            choices = list_choices_of_option(option, rules_before, base_game)
            self._find_field_of_option(option).choices = tuple(choices)

    # ---------------------------------------------------------------- what the form refuses

    def validate(self, extra_validators: Any = None) -> bool:
        """Check each field by itself, then what the fields say together; add errors to the form."""
        is_each_field_valid = super().validate(extra_validators)
        if not is_each_field_valid:
            self._explain_added_red_threes()
            return False

        if self._is_name_taken():
            # It says: "“{name}” is already the name of other rules. Choose another one."
            add_error(self.name, t("own.name.taken", name=one_line(self.name.data)))
        if not self._has_end():
            # It says: "With no target, enter a number of hands or minutes that ends the match."
            add_error(self[TARGET], t("own.endless"))
        settings = self._collect_all_settings()
        self._add_errors_for_contradictions(settings)
        if not self.errors:
            # This may empty fields that the user filled: it comes only when all else is right.
            self._check_values_fit(settings)

        if self.errors:
            self.status = INVALID
        return not self.errors

    def _is_name_taken(self) -> bool:
        """Tell whether another variant, or other house rules, have this name already."""
        name = one_line(self.name.data).lower()
        words = page_words()
        for variant_id in variant_ids():
            if variant_id == self.saved_id:
                continue  # these house rules themselves
            if variant_name(get_variant(variant_id), words).lower() == name:
                return True
        return False

    def _has_end(self) -> bool:
        """Tell whether a match by these rules ends: at a score, after some hands or minutes."""
        if self[TARGET].data or self.hands.data or self.minutes.data:
            return True
        if self.rules_before.ends.hands is not None:
            return False  # these are the hands in the field, which the user has emptied
        hands_of_every_match = self.rules_before.settings[_HANDS_OF_MATCH].value
        return bool(hands_of_every_match != UNLIMITED)

    def _add_errors_for_contradictions(self, settings: Mapping[str, Any]) -> None:
        """Add an error to each number that the user changed but a chosen option decides otherwise.

        `settings` are all settings of the house rules, by key. An option left at its default
        decides nothing.
        """
        for option in self.offered:
            field = self._find_field_of_option(option)
            is_default_chosen = field.data == find_default_choice(option)
            if is_default_chosen:
                continue
            settings_of_option = list_settings_of_choice(option, self.base_game, field.data)
            for number in self._find_contradicted_numbers(settings, settings_of_option):
                # "Decks is already decided by “…”, under “Other rules”. Leave the figure
                # as it was, or the option as it was."
                message = t("own.contradicts", figure=number.label, option=str(field.label.text))
                add_error(self[number.name], message)

    def _find_contradicted_numbers(
        self, settings: Mapping[str, Any], settings_of_option: Mapping[str, Any]
    ) -> list[RuleNumber]:
        """Find the numbers that the user changed, and that an option sets to another value.

        `settings` has all settings of the house rules, `settings_of_option` those that the option
        decides: `{"decks": 3}` and `{"decks": 2}` → the number of decks. Other points of canastas
        (groups of seven cards or more) are no contradiction: an option decides only which kinds of
        canasta there are.
        """
        contradicted = []
        for number in self._find_typed_numbers():
            key = number.key
            if key not in settings_of_option:
                continue
            if not is_equal_apart_from_points(key, settings[key], settings_of_option[key]):
                contradicted.append(number)
        return contradicted

    def _explain_added_red_threes(self) -> None:
        """Explain at the field for the decks why the form asks for the values of more red threes.

        Red threes are bonus cards: more decks have more of them, and the form has a field for the
        value of each. If such a new field has an error, for example because it is blank, the user
        may wonder where it comes from.
        """
        names_of_added = []
        for number in self.numbers:
            is_without_value = number.value is None  # the variant has fewer decks
            if number.key == RED_THREES and is_without_value:
                names_of_added.append(number.name)
        has_error = any(self[name].errors for name in names_of_added)
        if not has_error:
            return

        # "You changed: Decks. This way the decks hold more red threes than have a value. Enter
        # too: Red threes."
        message = t(
            "own.linked",
            why=t("linked.red-threes-of-decks"),
            names=t("setting.decks"),
            asked=t("setting.red-three-values"),
        )
        add_error(self["decks"], message)

    def _check_values_fit(self, settings: Mapping[str, Any]) -> None:
        """Check that all values fit each other, and add an error for those that do not.

        More decks, for example, have more red threes (bonus cards): then the fields with the values
        of red threes are emptied, so that the user types new ones. `settings` are all settings.
        """
        numbers_to_type: list[RuleNumber] = []
        for misfit in self._find_misfits(settings):
            field = self.name  # of the house rules, if the form has no field for the values
            if misfit.numbers:
                field = self[misfit.numbers[0].name]
            add_error(field, misfit.message)
            numbers_to_type += misfit.numbers_to_type

        numbers_typed_already = self._find_typed_numbers()
        for number in numbers_to_type:
            if number not in numbers_typed_already:
                self[number.name].data = ""
                self.numbers_asked_for.append(number)

    def _find_misfits(self, settings: Mapping[str, Any]) -> list[Misfit]:
        """Find the values that would not fit each other in house rules with these settings."""
        file_values = self._list_file_values(settings)
        return [
            self._describe_misfit(unfit) for unfit in find_unfit_values(file_values, self.base_game)
        ]

    def _describe_misfit(self, unfit: BrokenCondition) -> Misfit:
        """Say which values do not fit each other, and what the user has to do."""
        changed = self._name_values(unfit.changed)
        reason = t(f"linked.{unfit.condition.id}")
        if not unfit.condition.must_always_hold:
            # It says: "You changed: Decks. This way … Enter too: Red threes."
            missing = self._name_values(unfit.not_in_file)
            message = t("own.linked", names=changed, why=reason, asked=missing)
            numbers = self._find_numbers_with_keys(unfit.not_in_file)
            return Misfit(message, numbers, numbers_to_type=numbers)

        # It says: "Decks · Cards dealt: this way … Change one of these values."
        message = t("own.unfit", names=changed, why=reason)
        numbers = self._find_numbers_with_keys(unfit.changed)
        return Misfit(message, numbers, numbers_to_type=[])

    def _name_values(self, file_keys: Iterable[str]) -> str:
        """Name settings and penalties in words: `settings.decks`, … → "Decks · Cards dealt"."""
        words = page_words(self.rules_before)
        return " · ".join(translate_key_of_rule(key, words) for key in file_keys)

    def _find_numbers_with_keys(self, file_keys: Collection[str]) -> list[RuleNumber]:
        """Find the numbers of these settings and penalties, by keys such as `settings.decks`."""
        return [number for number in self.numbers if number.file_key in file_keys]

    # ---------------------------------------------------------------- what was typed

    def _find_field_of_option(self, option: Option) -> Field:
        """Return the field in which the value of an option is chosen."""
        return self[f"option-{option.id}"]

    def _read_typed_number(self, number: RuleNumber) -> int | None:
        """Return what is typed in the field of a number; None if it is blank or invalid."""
        return figure_of(self[number.name].data)

    def _find_numbers_of_setting(self, key: str) -> list[RuleNumber]:
        """Find the numbers that make up a setting: one of `decks`, one for each of `canastas`."""
        return [number for number in self.numbers if number.key == key]

    def _find_typed_numbers(self) -> list[RuleNumber]:
        """Find the numbers that the user typed: changed ones, and those that the form asked for."""
        typed = []
        for number in self.numbers:
            is_changed = self._read_typed_number(number) != number.value
            if is_changed or number in self.numbers_asked_for:
                typed.append(number)
        return typed

    def _collect_all_settings(self) -> dict[str, Any]:
        """Collect all settings of the house rules as the form describes them: `{"decks": 2, …}`.

        A chosen option changes the setting before, and a typed number changes both.
        """
        settings = {
            key: self.values_before[f"settings.{key}"] for key in self.rules_before.settings
        }
        settings.update(self._list_settings_of_changed_options())
        settings.update(self._list_settings_with_typed_numbers(settings))

        # Two settings depend on others, which may have been typed: the list of values of red threes
        # on the decks, and the wild cards of a canasta on the limit in any group of cards.
        if self._has_own_values_of_red_threes():
            numbers = self._find_numbers_of_setting(RED_THREES)  # for the decks that were typed
            settings[RED_THREES] = [self._read_typed_number(number) for number in numbers]
        settings[CANASTAS] = self._adapt_canastas_to_wild_limit(
            settings[CANASTAS], settings["wild-limit"]
        )
        return settings

    def _list_settings_of_changed_options(self) -> dict[str, Any]:
        """List the settings that are decided by the options whose value the user changed.

        An option is a choice that sets one or several settings at once.
        """
        settings: dict[str, Any] = {}
        for option in self.offered:
            chosen_now = self._find_field_of_option(option).data
            chosen_before = find_current_choice(option, self.rules_before, self.base_game)
            if chosen_now != chosen_before:
                settings.update(list_settings_of_choice(option, self.base_game, chosen_now))
        return settings

    def _list_settings_with_typed_numbers(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """List the settings in which the user changed a number, with their new values, by key.

        `before` has all settings without the typed numbers. If the user types 3 for the decks, the
        result is `{"decks": 3}`. A setting of several numbers, such as the points of each kind of
        `canastas`, keeps those that were not typed.
        """
        settings = {}
        for key in self._list_keys_of_changed_settings():
            numbers = self._list_numbers_to_set(key)
            settings[key] = put_numbers_into_setting(key, before[key], numbers)
        return settings

    def _list_keys_of_changed_settings(self) -> list[str]:
        """List the settings in which the user changed a number, each once, without penalties."""
        keys: list[str] = []
        for number in self._find_typed_numbers():
            if number.key != PENALTIES and number.key not in keys:
                keys.append(number.key)
        return keys

    def _list_numbers_to_set(self, key: str) -> dict[str, int | None]:
        """List the typed numbers of a setting, by their part: `{"natural-canasta": 600}`.

        The other numbers of the setting are left out, so that they stay as an option sets them.
        """
        numbers = self._find_numbers_of_setting(key)
        if key != FAMILIES:  # which canastas a side needs is always written anew as a whole
            typed = self._find_typed_numbers()
            numbers = [number for number in numbers if number in typed]
        return {number.part: self._read_typed_number(number) for number in numbers}

    def _has_own_values_of_red_threes(self) -> bool:
        """Tell whether the house rules say themselves what red threes (bonus cards) are worth.

        Other house rules leave that to their base game.
        """
        numbers = self._find_numbers_of_setting(RED_THREES)
        if not numbers:
            return False
        if is_in_file(f"settings.{RED_THREES}", self.rules_before, self.base_game):
            return True
        typed = self._find_typed_numbers()
        return any(number in typed for number in numbers)

    def _adapt_canastas_to_wild_limit(
        self, canastas: list[dict[str, Any]], wild_limit: int
    ) -> list[dict[str, Any]]:
        """Adapt the kinds of canasta to a new limit on the wild cards in a group of cards.

        Wild cards are jokers and twos; a canasta is a group of seven cards or more. If the limit is
        4 in place of 3, the mixed canasta with `"wilds": [1, 3]` gets `"wilds": [1, 4]`.
        """
        origin = self.rules_before
        if f"settings.{CANASTAS}" in self.rules_before.moved:
            # The canastas followed from other values: the form starts from those of the base game.
            origin = self.base_game
        limit_before: int = origin.settings["wild-limit"].value
        if wild_limit == limit_before:
            return canastas
        adapt_canastas = FOLLOWS["most-wilds"]  # the same rule as for files of house rules
        adapted: list[dict[str, Any]] = adapt_canastas(limit_before, wild_limit, canastas)
        return adapted

    def _list_points_of_penalties(self) -> dict[str, int]:
        """List the points of the penalties by their keys: `{"penalties.draw-out-of-turn": 100}`.

        Penalties whose field is blank are left out.
        """
        typed = self._find_typed_numbers()
        points_by_key: dict[str, int] = {}
        for number in self._find_numbers_of_setting(PENALTIES):
            points = self.values_before[number.file_key]
            if number in typed:
                points = self._read_typed_number(number)
            if points is not None:
                points_by_key[number.file_key] = points
        return points_by_key

    @property
    def number_groups(self) -> list[NumberGroup]:
        """List the numbers of the rules in groups, without groups that this variant does not have.

        The first group is shown open, and so is each in which a number is wrong.
        """
        first_group = next(iter(GROUPS))
        groups = []
        for name, keys in GROUPS.items():
            numbers = [number for number in self.numbers if number.key in keys]
            rows = [NumberRow(number, self[number.name]) for number in numbers]
            has_errors = any(row.field.errors for row in rows)
            if rows:
                groups.append(NumberGroup(name, rows, is_open=name == first_group or has_errors))
        return groups

    @property
    def option_lines(self) -> list[OptionLine]:
        """List the options that can be chosen, each with its value in words."""
        lines = []
        for option in self.offered:
            field = self._find_field_of_option(option)
            chosen_labels = [each.label for each in field.choices if each.value == field.data]
            lines.append(
                OptionLine(
                    field=field,
                    value="".join(chosen_labels),
                    differs=field.data != find_default_choice(option),
                )
            )
        return lines

    @property
    def named_tables(self) -> list[NamedTable]:
        """List the bonuses and the penalties that the players made up, each as a table of the form.

        A table is shown open if something is typed in one of its rows, else folded.
        """
        tables = []
        for kind in self.row_codes:
            rows = self._list_named_rows(kind)
            is_open = any(row.is_filled for row in rows)
            tables.append(NamedTable(kind, rows, is_open))
        return tables

    def _list_named_rows(self, kind: RowKind) -> list[NamedRow]:
        """List the rows of the bonuses, or of the penalties, that the players made up.

        There are no rows for penalties in a variant that has none.
        """
        rows = []
        for number, code in enumerate(self.row_codes.get(kind, ())):
            name_field = self[_name_of_row(kind, number)]
            points_field = self[_points_of_row(kind, number)]
            rows.append(NamedRow(code, name_field, points_field))
        return rows

    # ---------------------------------------------------------------- the file of the house rules

    def house_rules(self) -> HouseRules:
        """Return the house rules that a valid form describes, to be written into a file.

        The file lists the settings and penalties that differ from the base game, and all bonuses.
        """
        file_values = self._list_file_values(self._collect_all_settings())
        settings = self._list_settings_for_file(file_values) | self._keep_hands_of_every_match()
        return HouseRules(
            extends=self.base_game.id,
            name=one_line(self.name.data),
            special=one_line(self.special.data or ""),
            settings=settings,
            penalties=self._list_penalties_for_file(file_values),
            bonuses=self._list_named_points(RowKind.BONUS, self.rules_before.bonuses),
            ends=Ends(hands=figure_of(self.hands.data), minutes=figure_of(self.minutes.data)),
            takes=self._list_options_left_open(settings),
        )

    def _list_file_values(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """List the values that the file of house rules with these settings gives, by key.

        It leaves out what is as in the base game, and what follows from other values.
        """
        all_values: dict[str, Any] = {}
        for key, value in settings.items():
            all_values[f"settings.{key}"] = value
        all_values.update(self._list_points_of_penalties())
        return choose_values_for_file(
            all_values,
            values_by_key(self.base_game),
            typed_keys={number.file_key for number in self._find_typed_numbers()},
            keys_to_keep=self._list_keys_to_keep(all_values),
        )

    def _list_keys_to_keep(self, values: Mapping[str, Any]) -> set[str]:
        """List the keys of the values that the file gives even if they are as in the base game.

        They are those that the form asked the user to type, and those that the file gave before.
        `values` are all values of the house rules: `{"settings.decks": 2, …}`.
        """
        keys_asked_for = {number.file_key for number in self.numbers_asked_for}
        return keys_asked_for | self._list_unchanged_keys_of_file(values)

    def _list_unchanged_keys_of_file(self, values: Mapping[str, Any]) -> set[str]:
        """List the keys of the values that the file gave before, and that are not changed now."""
        unchanged: set[str] = set()
        values_before = values_by_key(self.rules_before)
        for key, value in values.items():
            is_unchanged = value == values_before.get(key)
            if is_unchanged and is_in_file(key, self.rules_before, self.base_game):
                unchanged.add(key)
        return unchanged

    def _list_settings_for_file(self, file_values: Mapping[str, Any]) -> dict[str, Any]:
        """List the settings that the file gives and the form shows: `{"decks": 1}`.

        `file_values` has all values of the file, such as `settings.decks`.
        """
        settings = {}
        for key in self.rules_before.settings:
            file_key = f"settings.{key}"
            if file_key in file_values and key != _HANDS_OF_MATCH:  # that one is not shown
                settings[key] = file_values[file_key]
        return settings

    def _keep_hands_of_every_match(self) -> dict[str, int | str]:
        """Return the setting of how many hands every match has, if the file gave it; else nothing.

        It stays as it was, because the form has no field for it. What is typed in the field `hands`
        is given elsewhere in the file, in `ends`.
        """
        number = self.rules_before.settings[_HANDS_OF_MATCH].value
        usual_number = self.base_game.settings[_HANDS_OF_MATCH].value
        comes_from_ends = self.rules_before.ends != Ends()
        if number == usual_number or comes_from_ends:
            return {}
        return {_HANDS_OF_MATCH: number}

    def _list_penalties_for_file(self, file_values: Mapping[str, Any]) -> dict[str, NamedPoints]:
        """List the penalties that the file gives: changed ones, and those the players made up.

        `file_values` has the values of the file, by keys such as `penalties.draw-out-of-turn`.
        """
        penalties: dict[str, NamedPoints] = {}
        for number in self._find_numbers_of_setting(PENALTIES):
            if number.file_key in file_values:
                code = number.part
                points = file_values[number.file_key]
                penalties[code] = NamedPoints(name="", points=points)  # it has a name already
        penalties |= self._list_named_points(RowKind.PENALTY, self.rules_before.penalties)
        return penalties

    def _list_named_points(
        self, kind: RowKind, known_codes: Collection[str]
    ) -> dict[str, NamedPoints]:
        """List the bonuses or penalties that the players made up and typed in full, by their code.

        A new one gets a code made from its name: "All red threes" → `all-red-threes`. It must not
        be among the known codes.
        """
        named: dict[str, NamedPoints] = {}
        for row in self._list_named_rows(kind):
            typed = row.typed
            if typed is None:
                continue
            code = row.code
            if not code:
                used_codes = {*known_codes, *named}
                code = make_free_code(typed.name, used_codes, kind)
            named[code] = typed
        return named

    def _list_options_left_open(self, changed_settings: Collection[str]) -> tuple[str, ...]:
        """List the options that each match by the house rules can still choose.

        An option is closed if the house rules decide it, or if one of its values would undo a
        setting that they change.
        """
        open_options = []
        for option in self.base_game.options.values():
            would_undo_change = not settings_decided_by(option).isdisjoint(changed_settings)
            if not would_undo_change and not self._is_decided(option):
                open_options.append(option.id)
        return tuple(open_options)

    def _is_decided(self, option: Option) -> bool:
        """Tell whether the house rules decide an option of the game, or leave it to each match.

        A form shows the option with its value before:

        - the user chose a value other than the default → True
        - the user went back to the default → False, each match chooses
        - the user left the default as it was → as before
        - the form does not show the option → as before
        """
        was_decided = (
            option.id not in self.rules_before.options
        )  # which lists those left to a match
        offered_ids = [offered.id for offered in self.offered]
        is_in_form = option.id in offered_ids
        if not is_in_form:
            return was_decided

        default = find_default_choice(option)
        chosen_now = self._find_field_of_option(option).data
        if chosen_now != default:
            return True

        chosen_before = find_current_choice(option, self.rules_before, self.base_game)
        went_back_to_default = chosen_before != default
        if went_back_to_default:
            return False
        return was_decided


# ---------------------------------------------------------------- making the form


def make_own_rules_form(
    rules_before: Variant, formdata: Any, chosen_options: Mapping[str, str] | None = None
) -> OwnRulesForm:
    """Make the form to change house rules, or to make new ones that start from a game.

    `rules_before` are these house rules, or that game. `formdata` has the submitted fields, if any.
    `chosen_options` are the values of options that the URL asks for, by the id of the option.
    """
    base_game = _find_base_game(rules_before)
    decks = _read_submitted_decks(rules_before, formdata)
    numbers = list_rule_numbers(rules_before, base_game, decks)
    offered = list_offered_options(base_game)
    row_codes = _list_row_codes(rules_before, base_game)
    fields = {
        **_make_fields_of_numbers(numbers, rules_before),
        **_make_option_fields(offered, rules_before, base_game, chosen_options or {}),
        **_make_fields_of_named_rows(row_codes, rules_before),
    }
    form_class = _make_class_with_fields(fields)
    return form_class(
        rules_before=rules_before,
        base_game=base_game,
        numbers=numbers,
        offered=offered,
        row_codes=row_codes,
        formdata=formdata,
    )


def _make_class_with_fields(fields: Mapping[str, Field]) -> type[OwnRulesForm]:
    """Make a class of forms for house rules that has these fields too, by their names.

    The fields depend on the game, and WTForms takes the fields of a form from its class: so each
    form has a class of its own.
    """
    return type("Form", (OwnRulesForm,), dict(fields))


def _is_saved(variant: Variant) -> bool:
    """Tell whether these are house rules saved on this pad, not a game that comes with the app."""
    return variant.id in own_variants().usable


def _find_base_game(variant: Variant) -> Variant:
    """Find the game that house rules start from; for new ones it is given itself."""
    if _is_saved(variant) and variant.parent:
        return get_variant(variant.parent)
    return variant


def _list_saved_values(variant: Variant) -> dict[str, Any]:
    """List the values of the fields that every form has. New house rules have no name yet."""
    words = page_words(variant)
    values: dict[str, Any] = {
        "hands": variant.ends.hands or "",
        "minutes": variant.ends.minutes or "",
    }
    if _is_saved(variant):
        values["name"] = variant_name(variant, words)
        values["special"] = describe_variant_briefly(variant, words)
    return values


def _read_submitted_decks(variant: Variant, formdata: Any) -> int:
    """Read the typed number of decks if it is within the limits, else take that of the variant."""
    least, most, _step = LIMITS["decks"]
    typed = None
    if formdata:
        typed = figure_of(formdata.get("decks"))
    if typed is not None and least <= typed <= most:
        return typed
    decks: int = variant.settings["decks"].value
    return decks


def _read_numbers_asked_for(numbers: Iterable[RuleNumber], formdata: Any) -> list[RuleNumber]:
    """Find the numbers that the submitted page had asked the user to type."""
    if not formdata:
        return []
    names_asked_for = formdata.getlist("asked")  # hidden fields of the page
    return [number for number in numbers if number.name in names_asked_for]


def _list_row_codes(house_rules: Variant, base_game: Variant) -> dict[RowKind, list[str]]:
    """List the codes of the bonuses and penalties that the players made up, one for each row.

    There are empty rows for new ones: `["all-red-threes", ""]`. A game without penalties has no
    rows for them.
    """
    codes_by_kind = {RowKind.BONUS: list(house_rules.bonuses)}
    has_penalties = "penalty" in base_game.lines
    if has_penalties:
        codes_by_kind[RowKind.PENALTY] = _list_codes_of_own_penalties(house_rules, base_game)
    for codes in codes_by_kind.values():
        number_of_empty_rows = 1 if codes else NEW_ROWS
        codes.extend([""] * number_of_empty_rows)
    return codes_by_kind


def _list_codes_of_own_penalties(house_rules: Variant, base_game: Variant) -> list[str]:
    """List the codes of the penalties in points that house rules have and their game has not."""
    codes = []
    for code, penalty in house_rules.penalties.items():
        if code not in base_game.penalties and penalty.points is not None:
            codes.append(code)
    return codes


def _is_counted_in_points(variant: Variant) -> bool:
    """Tell whether a variant counts the points of cards; others count small units."""
    return bool(variant.settings["unit"].value == "points")


def _make_fields_of_numbers(
    numbers: Iterable[RuleNumber], variant: Variant
) -> dict[str, StringField]:
    """Make an input field for each number that can be changed, with the limits of its setting.

    The fields are by their names, such as `decks` or `canastas.natural-canasta`.
    """
    words = page_words(variant)
    fields = {}
    for number in numbers:
        least, most, step = LIMITS[number.key]
        if not _is_counted_in_points(variant):
            step = 1  # points are multiples of 5; other games count single units
        may_be_blank = number.key == TARGET  # then the hands or the minutes end the match
        check = whole_number(least, most, step, optional=may_be_blank)
        value = "" if number.value is None else words.figure(number.value)
        fields[number.name] = StringField(number.label, [check], default=value, render_kw=NUMERIC)
    return fields


def _make_option_fields(
    offered: Iterable[Option],
    house_rules: Variant,
    base_game: Variant,
    chosen_options: Mapping[str, str],
) -> dict[str, ChoiceField]:
    """Make a field for each offered option, by its name, with the value that it shows first.

    That is the value in `chosen_options`, by the id of the option, else the one that the house
    rules have now.
    """
    words = page_words(house_rules)
    fields = {}
    for option in offered:
        shown_choice = chosen_options.get(option.id)
        if not shown_choice:
            shown_choice = find_current_choice(option, house_rules, base_game)
        label = words.t(f"option.{option.id}")
        fields[f"option-{option.id}"] = ChoiceField(label, default=shown_choice)
    return fields


def _name_of_row(kind: RowKind, number: int) -> str:
    """Return the name of the field for the name of a bonus or penalty: `bonus-0`."""
    return f"{kind}-{number}"


def _points_of_row(kind: RowKind, number: int) -> str:
    """Return the name of the field for the points of a bonus or penalty: `bonus-0-points`."""
    return f"{kind}-{number}-points"


def _make_fields_of_named_rows(
    row_codes: Mapping[RowKind, list[str]], variant: Variant
) -> dict[str, StringField]:
    """Make the fields for the bonuses and penalties that the players made up, two for each row."""
    fields: dict[str, StringField] = {}
    for kind, codes in row_codes.items():
        for number, code in enumerate(codes):
            texts = _find_saved_texts_of_row(kind, code, variant)
            fields |= _make_fields_of_named_row(kind, number, texts, variant)
    return fields


class _RowTexts(NamedTuple):
    """What the two fields of a bonus or a penalty hold before anything is typed."""

    name: str
    points: str


def _find_saved_texts_of_row(kind: RowKind, code: str, variant: Variant) -> _RowTexts:
    """Find the name and the points of a saved bonus or penalty, for the two fields of its row.

    Both are empty in a row for a new one, which has no code.
    """
    if not code:
        return _RowTexts(name="", points="")
    words = page_words(variant)
    entries = variant.bonuses if kind is RowKind.BONUS else variant.penalties
    points = words.figure(entries[code].points or 0)
    return _RowTexts(name=words.t(f"{kind}.{code}"), points=points)


def _make_fields_of_named_row(
    kind: RowKind, number: int, texts: _RowTexts, variant: Variant
) -> dict[str, StringField]:
    """Make the fields for the name and the points of a bonus or penalty, by their names.

    For the first bonus they are `bonus-0` and `bonus-0-points`. The user has to fill both, or
    neither: the field of the name checks that.
    """
    name_field_name = _name_of_row(kind, number)
    points_field_name = _points_of_row(kind, number)
    name_field = StringField(
        t(f"own.{kind}", number=number + 1),
        [FilledLike(points_field_name, f"own.{kind}.both"), at_most(LONGEST_NAME)],
        default=texts.name,
    )
    points_field = StringField(
        t("own.bonus.points"),
        [_make_check_of_points(variant)],
        default=texts.points,
        render_kw=NUMERIC,
    )
    return {name_field_name: name_field, points_field_name: points_field}


def _make_check_of_points(variant: Variant) -> Callable[..., None]:
    """Make the validator for the points of a bonus or penalty that the players made up.

    - most variants: 5, 10, 15 … as the points of all cards are multiples of 5
    - variants that count small units instead of points: any whole number from 1
    """
    _least, most, _step = LIMITS["bonuses"]
    step = 1
    if _is_counted_in_points(variant):
        step = SMALLEST_POINTS
    return whole_number(least=step, most=most, step=step)


class FilledLike:
    """A validator: a field must be filled if another one is, and blank if that is blank.

    `other_field` is the name of the other field, `message` the key of the error message.
    """

    def __init__(self, other_field: str, message: str) -> None:
        self.other_field = other_field
        self.message = message

    def __call__(self, form: OwnRulesForm, field: Field) -> None:
        """Raise ValidationError if only one of the two fields is filled."""
        is_filled = bool((field.data or "").strip())
        is_other_filled = bool((form[self.other_field].data or "").strip())
        if is_filled != is_other_filled:
            raise ValidationError(t(self.message))


# ---------------------------------------------------------------- files


class OwnFileForm(PadForm):
    """An uploaded file of house rules."""

    file = FileField(
        lazy("own.take.file"), description=lazy("own.take.text"), render_kw={"accept": ".toml"}
    )

    def read_content(self, largest: int) -> bytes:
        """Read the content of the uploaded file; empty if there is none.

        Of a file with more bytes than `largest`, one byte more is read: the caller sees by it that
        the file is too large.
        """
        if not self.file.data:
            return b""
        content: bytes = self.file.data.read(largest + 1)
        return content

    def reject(self, message: str, status: int = CONFLICT) -> None:
        """Show an error message at the field of the file; `status` is that of the page."""
        add_error(self.file, message)
        self.status = status
