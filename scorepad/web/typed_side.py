"""The entry of one side read from its fields in the form of a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from scorepad.i18n import Language
from scorepad.rules.cards import NOTHING
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import (
    HOUSE,
    Adjustment,
    MeldEntry,
    PenaltyEntry,
    SideEntry,
    Totals,
)
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer
from scorepad.web.entry_parts import StorablePart
from scorepad.web.field_texts import ZERO, TypedValue
from scorepad.web.hand_fields import (
    ADJUSTMENTS,
    ALL_HANDS,
    HELD_POINTS,
    NOTED,
    OWED,
    ROW_GROUPS,
    TOTALS,
    CardsReplacement,
    field_key,
)
from scorepad.web.side_column import HeldForm, SideColumn


class ProblemReason(StrEnum):
    """What is wrong with what is typed for a hand, beside texts that cannot be read.

    The value is the end of the key of the message: `hand.error.melds-missing`.
    """

    MELDS_MISSING = "melds-missing"
    """No melds (sets of cards on the table) are typed, nor 0 for none."""
    MELDS_AND_TOTALS = "melds-and-totals"
    """Totals are typed of the same cards that are also typed as melds."""
    CARDS_MISSING = "cards-missing"
    """The points of the cards laid on the table are not typed."""
    HELD_MISSING = "left-missing"
    """The cards that players still hold are not typed, nor 0 for none."""
    HELD_BOTH = "left-both"
    """The cards that players still hold are typed in points and as cards."""
    HELD_TWICE = "left-twice"
    """The cards that one player still holds are typed beside those of all players together."""
    CHARGE_BESIDE_SUM = "sum-penalty"
    """A penalty or bonus is typed beside an agreed sum, which includes everything."""
    HOUSE_POINTS = "house-points"
    """A penalty that the table made up has a reason, but no points."""
    HOUSE_REASON = "house-reason"
    """A penalty that the table made up has points, but no reason."""
    ADJUSTMENT_POINTS = "adjustments-points"
    """An agreed correction has a reason, but no points."""
    ADJUSTMENT_REASON = "adjustments-reason"
    """An agreed correction has points, but no reason."""
    SINGLE_MISSING = "single-missing"
    """It is not typed which side plays alone."""
    SPECIAL_TWICE = "special-twice"
    """Two sides show a special hand, which ends the hand."""
    SPECIAL_OUT = "special-out"
    """A side shows a special hand, but another one is said to have ended the hand."""
    OUT_MISSING = "out-missing"
    """It is not typed who went out (played the last card)."""
    CONCEALED_NOBODY = "concealed-nobody"
    """Going out concealed is ticked, but nobody went out."""
    DISCARD_NOBODY = "discard-nobody"
    """A last discard is typed, but nobody went out."""
    NO_DISCARD_NOBODY = "discard-none-nobody"
    """Going out without a discard is ticked, but nobody went out."""
    DISCARD_BOTH = "discard-both"
    """A last discard is typed, and it is ticked that there was none."""
    TOO_LONG = "long"
    """A remark is too long."""


_MISSING_POINTS = {
    HOUSE: ProblemReason.HOUSE_POINTS,
    ADJUSTMENTS: ProblemReason.ADJUSTMENT_POINTS,
}
_MISSING_REASONS = {
    HOUSE: ProblemReason.HOUSE_REASON,
    ADJUSTMENTS: ProblemReason.ADJUSTMENT_REASON,
}


class DraftProblem(NamedTuple):
    """Something unreadable or missing: the key of the field, and the end of the message key.

    `reason` is a `ProblemReason`, or that of a text that cannot be read (`TextProblem`).
    `missing`: nothing was typed yet, which is an error only when the hand is saved. `side`: the
    side concerned, if the key does not name it; `limit` and `given`: a number and a text of the
    message.
    """

    key: str
    reason: str
    missing: bool = False
    side: int | None = None
    limit: int = 0
    given: str = ""


class LaidOnTable(NamedTuple):
    """What the fields of a side say was laid on the table: melds card by card, or totals.

    `owner` is the side whose entry gets it: the side itself, or the one that laid with it.
    """

    owner: int
    melds: tuple[MeldEntry, ...] = ()
    totals: Totals | None = None


class TypedRow(NamedTuple):
    """A row of the form with both points and the reason for them."""

    number: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class TypedSide:
    """What the fields of a side say, as far as they are readable, and what is wrong with them.

    `entry` is without the laid cards, which may belong to another side; `laid` is None if they are
    not known. `complete_rows` are the rows with points and a reason, by group: house penalties and
    agreed points.
    """

    column: SideColumn
    entry: SideEntry
    laid: LaidOnTable | None
    problems: tuple[DraftProblem, ...]
    complete_rows: Mapping[str, list[TypedRow]]

    def key_of_total(self, names: tuple[str | int, ...]) -> str:
        """Find the field of a number that the players counted: `("canastas", "samba")`.

        That is `a.canastas.samba`. If the side has no such field, or types its cards instead of
        numbers, it is the main field of the side.
        """
        name_of_field = ".".join(str(name) for name in names)
        has_field = name_of_field in self.column.fields
        if has_field and not self.column.is_by_cards:
            return field_key(self.column.side, name_of_field)
        return self.column.main_key

    def field_name_at(self, path: Pointer) -> str | None:
        """Find the field in which a part of this side's data is typed; None if it has none.

        `path` leads to the part: `("left", 1)`, what the second player still has → `left.1`.
        """
        match path:
            case ("penalties", int(index), *_):
                return self._find_field_of_penalty(index)
            case ("penalties", *_):
                return NOTED  # where the page lists all penalties
            case ("bonuses", int(index), *_) if index < len(self.entry.bonuses):
                return f"bonuses.{self.entry.bonuses[index]}"
            case ("adjustments", int(index), *_) if index < len(self.entry.adjustments):
                return self._find_points_field_of_row(ADJUSTMENTS, index)
        if self.column.replacement is not CardsReplacement.NONE:
            # Agreed points, or a special hand, are typed in place of the cards, in one field.
            return self.column.replacement.value
        return self._find_field_of_cards(path)

    def _find_field_of_cards(self, path: Pointer) -> str | None:
        """Find the field in which a part of the data is typed that concerns the cards of the side.

        None if it has no field. `("red_threes",)`, their number → `red_threes`.
        """
        match path:
            case ("left", int(player), *_):
                return self._find_field_of_cards_left(player)
            case ("left", *_):
                return self.column.held_fields[0]
            case ("opening", *_):
                # This field is folded away while it is blank: a message there would be hidden.
                return "opening" if "opening" in self.column.texts else None
            case (str(name), *_) if name in self.column.fields:
                return name if self.column.fields[name].is_count_of_cards else None
        return None

    def _find_field_of_penalty(self, index: int) -> str:
        """Find the field for a penalty, by its index among all penalties of the side.

        - a penalty of the rules → the field with its number, `penalties.draw-out-of-turn`
        - one that the players made up → the points in its row, `house.0.points`
        - one recorded during play → `noted`, where the page lists penalties
        """
        typed_penalties = self.entry.penalties
        # Penalties recorded during play have no field. They come after all those that were typed.
        if index >= len(typed_penalties):
            return NOTED
        code = typed_penalties[index].code
        if code != HOUSE:
            return f"penalties.{code}"

        # Each penalty that the players made up has a row of its own, in the same order.
        made_up_before = [penalty for penalty in typed_penalties[:index] if penalty.code == HOUSE]
        return self._find_points_field_of_row(HOUSE, len(made_up_before))

    def _find_points_field_of_row(self, group: str, index: int) -> str:
        """Find the field for the points of a row of the form, by the row's index in the data.

        The data have only rows with both points and a reason. If these are rows 0 and 3 of the
        group `house`: index 1 → `house.3.points`.
        """
        row = self.complete_rows[group][index]
        return f"{group}.{row.number}.points"

    def _find_field_of_cards_left(self, player: int) -> str:
        """Find the field for the cards that a player (an index) still has when the round ends.

        `left.1` for player 1. If the players have no fields of their own, it is the common one.
        """
        fields_in_use = self.column.held_fields
        if player < len(fields_in_use):
            return fields_in_use[player]
        return fields_in_use[0]


def read_side(
    column: SideColumn, rules: Ruleset, language: Language, owner_of_melds: int | None
) -> TypedSide:
    """Read what is typed in the form for one side: its data, and what is wrong with them.

    `owner_of_melds` is the side that laid the melds (sets of cards on the table) typed here, which
    may be the partner of this side. None if the partner types the melds of this side.
    """
    typed_values = {}
    for name, text in column.texts.items():
        typed_values[name] = column.fields[name].read_text(text, language)
    texts = _ReadTexts(column, rules.settings, typed_values)

    laid = None
    if owner_of_melds is not None and column.replacement is CardsReplacement.NONE:
        laid = texts.find_laid_cards(owner_of_melds)
    return TypedSide(
        column,
        entry=texts.build_entry(),
        laid=laid,
        problems=texts.list_problems(types_melds=owner_of_melds is not None),
        complete_rows=texts.complete_rows,
    )


@dataclass(frozen=True)
class _ReadTexts:
    """The texts that are typed in the fields of one side, each with the value that was read."""

    column: SideColumn
    settings: Settings
    typed_values: Mapping[str, TypedValue]
    """By name of the field; blank fields are left out."""

    def value_of(self, name: str) -> Any:
        """Return the value typed in a field; None if it is blank, or not a number where it must be."""
        if name not in self.typed_values:
            return None
        return self.typed_values[name].value

    @cached_property
    def complete_rows(self) -> Mapping[str, list[TypedRow]]:
        """The rows that have both points and a reason, by group, such as `house`."""
        return {group: self._list_complete_rows(group) for group in ROW_GROUPS}

    def _list_complete_rows(self, group: str) -> list[TypedRow]:
        rows = []
        for number in self.column.typed_rows_in(group):
            points = self.value_of(f"{group}.{number}.points")
            reason = self.value_of(f"{group}.{number}.reason")
            if points is not None and reason:
                rows.append(TypedRow(number, points, reason))
        return rows

    @cached_property
    def fields_for_numbers_of_cards(self) -> list[str]:
        """List the typed fields that say how many cards of a kind the side has: `["red_threes"]`.

        How many players still have three aces, for example, is not taken from its field if the
        cards left in hand are typed: they show it, and would cost points twice.
        """
        fields = self.column.fields
        names = [name for name in self.typed_values if fields[name].is_count_of_cards]
        if self.column.held_form is HeldForm.POINTS:
            return names
        shown_by_cards_left = [kind.key for kind in self.settings.held_together]
        return [name for name in names if name not in shown_by_cards_left]

    # ------------------------------------------------------------------------- the data of the side

    def build_entry(self) -> SideEntry:
        """Build the data of the side from what is typed, without the cards laid on the table."""
        entry = SideEntry()
        replacement = self.column.replacement
        if replacement is CardsReplacement.NONE:
            for name in (*self.fields_for_numbers_of_cards, "opening"):
                entry = self._add_if_not_zero(entry, name)
            entry = self._add_cards_left(entry)
        elif self.value_of(replacement) is not None:  # agreed points may be 0
            entry = self._add_value(entry, replacement, self.value_of(replacement))

        if replacement is not CardsReplacement.SUM:  # an agreed sum includes all penalties
            entry = self._add_penalties(entry)
        return self._add_adjustments(entry)

    def _add_value(self, entry: SideEntry, name: str, value: Any) -> SideEntry:
        """Copy the data of a side with the value of one field: `red_threes`, 2 → two red threes.

        Raises TypeError for a field that is stored only together with others: a total, or one in a
        row of points and reason.
        """
        part_of_data = self.column.fields[name].entry_part  # where the value of the field belongs
        if not isinstance(part_of_data, StorablePart):
            raise TypeError(f"{name} is stored together with other fields, not alone")
        return part_of_data.copy_with(entry, value)

    def _add_if_not_zero(self, entry: SideEntry, name: str) -> SideEntry:
        """Copy the data of a side with what is typed in a field, unless that is blank or 0."""
        value = self.value_of(name)
        if not value:
            return entry
        return self._add_value(entry, name, value)

    def _add_cards_left(self, entry: SideEntry) -> SideEntry:
        """Copy the data of a side with the cards that its players still have at the end."""
        if self.column.held_form is HeldForm.POINTS:
            return self._add_points_of_cards_left(entry)
        for name in self.column.held_fields:
            cards = self.value_of(name) or (NOTHING,)
            entry = self._add_value(entry, name, cards)
        return entry

    def _add_points_of_cards_left(self, entry: SideEntry) -> SideEntry:
        """Copy the data of a side with the points of the cards that its players still have."""
        points = self.value_of(HELD_POINTS) or 0
        # How many players still have three aces, for example, is allowed only beside points, if
        # need be beside 0.
        needs_points = any(self.value_of(kind.key) for kind in self.settings.held_together)
        if points == 0 and not needs_points:
            return entry
        return self._add_value(entry, HELD_POINTS, points)

    def _add_penalties(self, entry: SideEntry) -> SideEntry:
        """Copy the data of a side with its penalties and bonuses.

        Of those in the rules it is typed how often the side got them. Penalties that the players
        made up have a row each, with points and a reason.
        """
        for name in self.column.typed_names_in("penalties", "bonuses"):
            entry = self._add_if_not_zero(entry, name)
        made_up_penalties = []
        for row in self.complete_rows[HOUSE]:
            made_up_penalties.append(PenaltyEntry(HOUSE, row.points, row.reason))
        if not made_up_penalties:
            return entry
        return replace(entry, penalties=(*entry.penalties, *made_up_penalties))

    def _add_adjustments(self, entry: SideEntry) -> SideEntry:
        """Copy the data of a side with the points that the players agreed on."""
        adjustments = []
        for row in self.complete_rows[ADJUSTMENTS]:
            adjustments.append(Adjustment(row.points, row.reason))
        if not adjustments:
            return entry
        return replace(entry, adjustments=tuple(adjustments))

    # -------------------------------------------------------------------------------- the laid cards

    def find_laid_cards(self, owner: int) -> LaidOnTable | None:
        """Return what the side `owner` laid on the table, as cards or as totals of them.

        None if a total cannot be read, or the points of the cards are missing.
        """
        if self.column.is_by_cards:
            return LaidOnTable(owner, melds=self.value_of("melds") or ())

        typed_totals = self.column.typed_names_in(*TOTALS)
        has_unreadable_total = any(self.value_of(name) is None for name in typed_totals)
        if "cards" not in typed_totals or has_unreadable_total:
            return None
        return LaidOnTable(owner, totals=self._put_totals_together())

    def _put_totals_together(self) -> Totals | None:
        """Put the totals together that are typed in the column; None if all of them are 0."""
        points = self.value_of("cards")
        canastas = self._list_counts("canastas")
        incomplete = self._list_counts("incomplete")
        if points == 0 and not canastas and not incomplete:
            return None
        return Totals(points, canastas, incomplete)

    def _list_counts(self, group: str) -> dict[str, int]:
        """List the numbers in a group of fields that are not 0, by what they count.

        With 2 in the field `canastas.samba`, the group `canastas` → `{"samba": 2}`.
        """
        counts = {}
        for name in self.column.typed_names_in(group):
            count = self.value_of(name)
            if count != 0:
                item = name.removeprefix(f"{group}.")
                counts[item] = count
        return counts

    # -------------------------------------------------------------------------------- what is wrong

    def list_problems(self, *, types_melds: bool) -> tuple[DraftProblem, ...]:
        """List what is missing, unreadable or typed twice in the fields of the side.

        `types_melds`: the cards that were laid on the table are to be typed here.
        """
        problems: list[DraftProblem] = []
        if self.column.replacement is CardsReplacement.NONE:
            if types_melds:
                problems += self._find_problems_of_laid_cards()
            problems += self._find_problems_of_texts(self.fields_for_numbers_of_cards)
            problems += self._find_problems_of_cards_left()
            problems += self._find_problems_of_texts(["opening"])
        else:
            problems += self._find_problems_of_texts([self.column.replacement])

        if self.column.replacement is CardsReplacement.SUM:
            problems += self._find_penalties_beside_sum()
        else:
            problems += self._find_problems_of_texts(
                self.column.typed_names_in("penalties", "bonuses")
            )
            problems += self._find_problems_of_rows(HOUSE)
        problems += self._find_problems_of_rows(ADJUSTMENTS)
        return tuple(dict.fromkeys(problems))  # each once

    def _make_problem(self, name: str, reason: str, *, missing: bool = False) -> DraftProblem:
        """Make a problem of the field with this name."""
        return DraftProblem(field_key(self.column.side, name), reason, missing)

    def _find_problems_of_texts(self, names: Iterable[str]) -> Iterator[DraftProblem]:
        """Find what cannot be read in the texts of these fields; a blank field is no problem."""
        for name in names:
            if name not in self.typed_values:
                continue
            for problem in self.typed_values[name].problems:
                yield DraftProblem(
                    field_key(self.column.side, name),
                    problem.reason,
                    missing=problem.is_unfinished,
                    limit=problem.limit,
                    given=problem.given,
                )

    def _find_problems_of_laid_cards(self) -> Iterator[DraftProblem]:
        """Find what is wrong with the cards that were laid on the table, or the totals of them."""
        typed_totals = self.column.typed_names_in(*TOTALS)
        if not self.column.is_by_cards:
            if "cards" not in self.typed_values:
                yield self._make_problem("cards", ProblemReason.CARDS_MISSING, missing=True)
            yield from self._find_problems_of_texts(typed_totals)
            return

        if "melds" not in self.typed_values:
            yield self._make_problem("melds", ProblemReason.MELDS_MISSING, missing=True)
        if typed_totals:  # beside the cards; one message is enough for all of them
            yield self._make_problem(typed_totals[-1], ProblemReason.MELDS_AND_TOTALS)
        yield from self._find_problems_of_texts(["melds"])

    def _find_problems_of_cards_left(self) -> Iterator[DraftProblem]:
        """Find what is wrong with the cards that players still have when the round ends."""
        are_cards_typed = self.column.held_form is not HeldForm.POINTS
        if are_cards_typed and HELD_POINTS in self.typed_values:
            yield self._make_problem(HELD_POINTS, ProblemReason.HELD_BOTH)
        if self.column.held_form is HeldForm.TOGETHER:
            fields_of_players = [name for name in self.column.held_card_fields if name != ALL_HANDS]
            if any(name in self.typed_values for name in fields_of_players):
                yield self._make_problem(ALL_HANDS, ProblemReason.HELD_TWICE)
        yield from self._find_problems_of_texts(self.column.held_fields)

    def _find_penalties_beside_sum(self) -> Iterator[DraftProblem]:
        """Find each penalty and bonus that is typed beside an agreed sum of points.

        The sum includes everything, so they do not count, and must not be dropped silently.
        """
        for name in self.column.typed_names_in(*OWED):
            if self.column.texts.get(name, ZERO) != ZERO:
                yield self._make_problem(name, ProblemReason.CHARGE_BESIDE_SUM)

    def _find_problems_of_rows(self, group: str) -> Iterator[DraftProblem]:
        """Find what is wrong in the rows of a group, such as `house`, each with points and a reason.

        A blank row is no problem.
        """
        for number in self.column.typed_rows_in(group):
            points_field = f"{group}.{number}.points"
            reason_field = f"{group}.{number}.reason"
            yield from self._find_problems_of_texts([points_field, reason_field])
            has_points = points_field in self.typed_values
            has_reason = reason_field in self.typed_values
            if has_reason and not has_points:
                yield self._make_problem(points_field, _MISSING_POINTS[group], missing=True)
            if has_points and not has_reason:
                yield self._make_problem(reason_field, _MISSING_REASONS[group], missing=True)
