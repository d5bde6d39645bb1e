"""The entry of one side read from its fields in the form of a hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import StrEnum
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
from scorepad.rules.table import Pointer
from scorepad.web.entry_parts import StorablePart
from scorepad.web.field_texts import ZERO
from scorepad.web.hand_fields import (
    ADJUSTMENTS,
    ALL_HANDS,
    HELD_POINTS,
    NOTED,
    OWED,
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


@dataclass(frozen=True)
class PartInEntry:
    """A part of a side's entry: its name, and the index in it if it is a list; the penalty with
    index 1 is `("penalties", 1)`.

    The name is empty for the entry as a whole.
    """

    name: str
    index: int | None


def find_part_in_entry(path: Pointer) -> PartInEntry:
    """The name and the index with which a path into the data of one side begins.

    `("penalties", 1, "points")` → `penalties` with index 1, the second of the penalties. A path to a
    single value has no index: `("red_threes",)`. The empty path stands for all data of the side.
    """
    if not path:
        return PartInEntry(name="", index=None)
    name = str(path[0])
    if len(path) == 1:
        return PartInEntry(name, index=None)
    second_step = path[1]
    if isinstance(second_step, int):
        return PartInEntry(name, index=second_step)
    # A key such as "canastas" is no index: what it leads to is part of the named value.
    return PartInEntry(name, index=None)


@dataclass(frozen=True, slots=True)
class TypedSide:
    """What the fields of a side say, as far as they are readable, and what is wrong with them.

    `entry` is without the laid cards, which may belong to another side; `laid` is None if they are
    not known. `complete_rows` are the numbers of the rows with points and a reason, by group: house
    penalties and agreed points.
    """

    column: SideColumn
    entry: SideEntry
    laid: LaidOnTable | None
    problems: tuple[DraftProblem, ...]
    complete_rows: dict[str, list[int]]

    def key_of_laid(self, inside: Pointer) -> str:
        """The key of the form's field for a part of what this side laid on the table.

        `inside` is the path to the part:

        - `("totals", "canastas", "samba")`, a total counted at the table, → `a.canastas.samba`;
        - `("melds", 2)`, the third meld (set of cards), → `a.melds`, as all of them are typed there;
        - a part that has no field → the main field for what was laid.
        """
        name_of_total = _name_of_total(inside)
        if self.column.is_by_cards or name_of_total not in self.column.fields:
            return self.column.main_key
        return field_key(self.column.side, name_of_total)

    def field_name_at(self, inside: Pointer) -> str | None:
        """The name of the form's field in which a part of the side's data is typed.

        `inside` is the path to the part: `("left", 1)`, the cards that the second player holds, is
        typed in `left.1`. None for all data of the side, and for a part that has no field.
        """
        part = find_part_in_entry(inside)
        charge_field = self._field_of_charge(part)
        if charge_field is not None:
            return charge_field
        if self.column.replacement is CardsReplacement.NONE:
            return self._field_of_cards(part)
        # A sum or a special hand is typed in place of the fields for the cards.
        return self.column.replacement.value

    def _field_of_charge(self, part: PartInEntry) -> str | None:
        """The name of the form's field for a penalty, a bonus or agreed points of the side.

        None for any other part. None too for the list of all bonuses, or of all agreed points; all
        penalties together are shown at `noted`.
        """
        match part.name:
            case "penalties":
                return self._field_of_penalty(part.index)
            case "bonuses":
                return self._field_of_bonus(part.index)
            case "adjustments":
                return self._field_of_adjustment(part.index)
        return None

    def _field_of_bonus(self, index: int | None) -> str | None:
        """The name of the form's field for a bonus, by its index among the bonuses of the side.

        None without an index, or if there are not so many.
        """
        if index is None or index >= len(self.entry.bonuses):
            return None
        code = self.entry.bonuses[index]
        return f"bonuses.{code}"

    def _field_of_adjustment(self, index: int | None) -> str | None:
        """The name of the form's field for agreed points, by their index among those of the side.

        None without an index, or if there are not so many.
        """
        if index is None or index >= len(self.entry.adjustments):
            return None
        return self._points_field_of_row(ADJUSTMENTS, index)

    def _field_of_cards(self, part: PartInEntry) -> str | None:
        """The name of the form's field for the cards that players still hold, for the opening (what
        a side laid first), or for a number such as `red_threes`; None for anything else.
        """
        if part.name == "left":
            return self._field_of_held_cards(part.index)
        if part.name == "opening":
            # It is rarely typed, and its field is folded away. A message about it is shown there only if
            # it is filled in.
            is_typed = "opening" in self.column.texts
            return "opening" if is_typed else None
        field = self.column.fields.get(part.name)
        if field is None or field.kind != "count":
            return None
        return field.name

    def _field_of_penalty(self, index: int | None) -> str:
        """The name of the form's field for a penalty, by its index among all penalties of the side.

        The typed penalties come first. After them are those noted while the hand was still being
        played, which have no field: they are listed at `noted`.
        """
        typed_penalties = self.entry.penalties
        if index is None or index >= len(typed_penalties):
            return NOTED
        code = typed_penalties[index].code
        if code != HOUSE:
            return f"penalties.{code}"

        # Each penalty defined by the table has a row of its own, in the same order.
        earlier_penalties = typed_penalties[:index]
        row_index = 0
        for earlier_penalty in earlier_penalties:
            if earlier_penalty.code == HOUSE:
                row_index += 1
        return self._points_field_of_row(HOUSE, row_index)

    def _points_field_of_row(self, group: str, index: int) -> str:
        """The name of the form's field for the points of a row, by its index among complete rows.

        Rows left blank or half filled do not count: if only rows 0 and 3 of the group `house` are
        complete, index 1 is row 3, and the field is `house.3.points`.
        """
        row = self.complete_rows[group][index]
        return f"{group}.{row}.points"

    def _field_of_held_cards(self, player: int | None) -> str:
        """The name of the form's field for the cards that a player holds, by the player's index.

        The first such field if no player is given, or if one field is for all players.
        """
        held_fields = self.column.held_fields
        if player is not None and player < len(held_fields):
            return held_fields[player]
        return held_fields[0]


def _name_of_total(path: Pointer) -> str:
    """The name of the field for a total that a path into a side's data leads to; empty for others.

    `("totals", "canastas", "samba")` → `canastas.samba`.
    """
    if not path or path[0] != "totals":
        return ""
    steps_in_totals = path[1:]
    return ".".join(str(step) for step in steps_in_totals)


def read_side(
    column: SideColumn, rules: Ruleset, language: Language, owner_of_melds: int | None
) -> TypedSide:
    """Read all that is typed in the form's fields of one side: its data, and what is wrong with them.

    The melds (sets of cards on the table) in these fields may belong to the side's partner:
    `owner_of_melds` is the side to which they belong; None if none may be typed here, as those of
    this side are typed in its partner's fields.
    """
    reader = _ColumnReader(column, rules, language)
    laid = None
    if column.replacement is CardsReplacement.SUM:
        reader.store_replacement()
        reader.report_charges_beside_sum()
    elif column.replacement is CardsReplacement.SPECIAL:
        reader.store_replacement()
        reader.store_charges()
    else:
        if owner_of_melds is not None:
            laid = reader.read_and_report_laid(owner_of_melds)
        reader.store_cards_not_laid()
        reader.store_charges()
    reader.store_adjustments()  # they count in any case
    return TypedSide(column, reader.entry, laid, tuple(reader.problems), reader.complete_rows)


class _TypedRow(NamedTuple):
    """A complete row: its points, and the reason for them."""

    points: int
    reason: str


@dataclass(slots=True)
class _ColumnReader:
    """Reads the fields of one side's column in the form, one after the other.

    Each field of the column reads its own text, and stores the value in the entry of the side. What
    is unreadable or missing is added to `problems`.
    """

    column: SideColumn
    rules: Ruleset
    language: Language
    entry: SideEntry = dataclass_field(default_factory=SideEntry)
    problems: list[DraftProblem] = dataclass_field(default_factory=list)
    complete_rows: dict[str, list[int]] = dataclass_field(default_factory=dict)

    # ------------------------------------------------------------------------------- single fields

    def read_and_report(self, name: str) -> Any:
        """Return the value of the text in a field, and add what is wrong with it to `problems`.

        The value is None if nothing is typed in the field, or no number can be read.
        """
        if name not in self.column.texts:
            return None
        typed = self.column.fields[name].read_text(self.column.texts[name], self.language)
        for problem in typed.problems:
            self.report_problem(
                name,
                problem.reason,
                missing=problem.is_unfinished,
                limit=problem.limit,
                given=problem.given,
            )
        return typed.value

    def report_problem(
        self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = ""
    ) -> None:
        """Add a problem of a field to `problems`, unless it is there already.

        `reason` says what is wrong, as the end of the key of a message. `limit` and `given` are shown
        in the message. `missing`: it is no error yet, as more may be typed.
        """
        key = field_key(self.column.side, name)
        problem = DraftProblem(key, reason, missing, limit=limit, given=given)
        if problem not in self.problems:
            self.problems.append(problem)

    def store_value(self, name: str, value: Any) -> None:
        """Store the value of a field in the entry."""
        self.entry = self.entry_with(self.entry, name, value)

    def entry_with(self, entry: SideEntry, name: str, value: Any) -> SideEntry:
        """A copy of a side's entry in which the field of this name has another value.

        The field `red_threes` changes the red threes, for example. The points and the reason of a
        penalty are no values by themselves: fields of such rows raise TypeError.
        """
        entry_part = self.column.fields[name].entry_part
        if not isinstance(entry_part, StorablePart):
            raise TypeError(f"{name} is stored with its row, not alone")
        return entry_part.entry_with(entry, value)

    def read_and_store(self, name: str) -> None:
        """Read a field, report what is wrong with its text, and store its value in the entry.

        Nothing is stored for a blank, 0, or no cards.
        """
        value = self.read_and_report(name)
        if value:
            self.store_value(name, value)

    def store_replacement(self) -> None:
        """Read and store what is typed in place of the side's cards: points that the table agreed
        on, which may be 0, or the name of a special hand.
        """
        name = self.column.replacement
        value = self.read_and_report(name)
        if value is not None:
            self.store_value(name, value)

    # --------------------------------------------------------------------------------------- cards

    def read_and_report_laid(self, owner: int) -> LaidOnTable | None:
        """Read what was laid on the table, and report what is wrong with it.

        It is typed as melds (sets of cards) or as totals counted at the table. None if a total is
        missing or unreadable. `owner` is the side to which it belongs.
        """
        if self.column.is_by_cards:
            return LaidOnTable(owner, melds=self._read_and_report_melds())
        totals_by_field = self._read_and_report_totals()
        if totals_by_field is None:
            return None
        # The fields know how to store a value in an entry, so the totals are taken from an empty one.
        entry = SideEntry()
        for name, value in totals_by_field.items():
            entry = self.entry_with(entry, name, value)
        return LaidOnTable(owner, totals=entry.totals)

    def _read_and_report_melds(self) -> tuple[MeldEntry, ...]:
        """Read the melds (sets of cards on the table) of a side.

        Reports if there are none, or if totals of the same cards are typed beside them.
        """
        if "melds" not in self.column.texts:
            self.report_problem("melds", ProblemReason.MELDS_MISSING, missing=True)
        typed_totals = [name for name in self.column.names_in(*TOTALS) if name in self.column.texts]
        if typed_totals:
            last_of_totals = typed_totals[-1]
            self.report_problem(last_of_totals, ProblemReason.MELDS_AND_TOTALS)
        return self.read_and_report("melds") or ()

    def _read_and_report_totals(self) -> dict[str, int] | None:
        """Read the points of the laid cards and the counts of canastas, and report what is wrong.

        Returns the values by the name of the field, without those that are blank or 0. None if one
        is unreadable, or the points of the cards are missing.
        """
        is_complete = "cards" in self.column.texts
        if not is_complete:
            self.report_problem("cards", ProblemReason.CARDS_MISSING, missing=True)
        values = {}
        for name in self.column.names_in(*TOTALS):
            is_blank = name not in self.column.texts
            if is_blank:
                continue
            value = self.read_and_report(name)
            if value is None:  # it is unreadable
                is_complete = False
            elif value != 0:
                values[name] = value
        return values if is_complete else None

    def store_cards_not_laid(self) -> None:
        """Read and store what is typed of the cards beside those laid on the table: counts of single
        cards, the cards that players still hold, and the opening (what the side laid first).
        """
        self._store_counts()
        self._store_held_cards()
        self.read_and_store("opening")

    def _store_counts(self) -> None:
        """Read and store the numbers of single cards that the form asks for, such as red threes."""
        for name, field in self.column.fields.items():
            if field.is_count_of_cards and not self._is_seen_in_held_cards(name):
                self.read_and_store(name)

    def _is_seen_in_held_cards(self, name: str) -> bool:
        """Whether the number in a field is also seen from the cards that players still hold, as typed.

        One such number is how many players hold three aces. Stored beside their cards, it would charge
        the aces twice.
        """
        if self.column.held_form is HeldForm.POINTS:
            return False  # no cards are typed
        return any(kind.key == name for kind in self.rules.settings.held_together)

    def _store_held_cards(self) -> None:
        """Read and store the cards that the players still hold when the hand ends, or their points."""
        if self.column.held_form is HeldForm.POINTS:
            self._store_held_points()
            return
        self._report_other_forms_of_held_cards()
        for name in self.column.held_fields:
            cards = self.read_and_report(name)
            if not cards:
                cards = (NOTHING,)
            self.store_value(name, cards)

    def _report_other_forms_of_held_cards(self) -> None:
        """Report if the cards that players still hold are typed in two ways, as they would count twice.

        Their points may be typed beside the cards, or the cards of one player beside those of all
        players together.
        """
        if HELD_POINTS in self.column.texts:
            self.report_problem(HELD_POINTS, ProblemReason.HELD_BOTH)
        if self.column.held_form is not HeldForm.TOGETHER:
            return
        for name in self.column.held_card_fields:
            if name != ALL_HANDS and name in self.column.texts:
                self.report_problem(ALL_HANDS, ProblemReason.HELD_TWICE)

    def _store_held_points(self) -> None:
        """Read and store the points of the cards that the players still hold.

        0 points, or a blank field, usually mean that nobody holds any, and nothing is stored. But if it
        was counted how often a player holds, for example, three aces, 0 points are stored: the rules
        allow such a count only beside cards that are given in points.
        """
        points = self.read_and_report(HELD_POINTS) or 0
        if points != 0 or self._is_held_together_counted():
            self.store_value(HELD_POINTS, points)

    def _is_held_together_counted(self) -> bool:
        """Whether it was counted that a player holds several cards of a rank, such as three aces.

        The entry has a number for each such case, for example `aces_held`.
        """
        for kind in self.rules.settings.held_together:
            count = getattr(self.entry, kind.key)
            if count > 0:
                return True
        return False

    # ------------------------------------------------------------------------- penalties and bonuses

    def report_charges_beside_sum(self) -> None:
        """Report each penalty and bonus typed beside an agreed sum, so that it is not dropped
        silently: beside a sum none counts.
        """
        for name in self.column.names_in(*OWED):
            text = self.column.texts.get(name, ZERO)
            if text != ZERO:
                self.report_problem(name, ProblemReason.CHARGE_BESIDE_SUM)

    def store_charges(self) -> None:
        """Read and store what is typed beside the cards: penalties and bonuses of the rules, which have
        a count each, and penalties that the table made up, each with its points and its reason.
        """
        for name in self.column.names_in("penalties", "bonuses"):
            self.read_and_store(name)
        house_penalties = []
        for row in self._read_complete_rows(HOUSE):
            house_penalties.append(PenaltyEntry(HOUSE, row.points, row.reason))
        self.entry = replace(self.entry, penalties=(*self.entry.penalties, *house_penalties))

    def store_adjustments(self) -> None:
        """Read and store the points agreed at the table, each with its reason."""
        adjustments = []
        for row in self._read_complete_rows(ADJUSTMENTS):
            adjustments.append(Adjustment(row.points, row.reason))
        self.entry = replace(self.entry, adjustments=tuple(adjustments))

    def _read_complete_rows(self, group: str) -> list[_TypedRow]:
        """Read the rows of a group, each with points and a reason, and report what is wrong with them.

        Returns the rows that have both, and stores their numbers in `complete_rows`.
        """
        typed_rows = []
        self.complete_rows[group] = []
        for number in self.column.rows_in(group):
            typed_row = self._read_and_report_row(group, number)
            if typed_row is not None:
                typed_rows.append(typed_row)
                self.complete_rows[group].append(number)
        return typed_rows

    def _read_and_report_row(self, group: str, number: int) -> _TypedRow | None:
        """Read the points and the reason of a row, and report what is wrong with them.

        None if one of them is missing or unreadable. A row that is all blank is no problem.
        """
        points_name = f"{group}.{number}.points"
        reason_name = f"{group}.{number}.reason"
        has_points = points_name in self.column.texts
        has_reason = reason_name in self.column.texts
        if not has_points and not has_reason:
            return None

        points = self.read_and_report(points_name)
        reason = self.read_and_report(reason_name)
        if not has_points:
            self.report_problem(points_name, _MISSING_POINTS[group], missing=True)
        if not has_reason:
            self.report_problem(reason_name, _MISSING_REASONS[group], missing=True)
        if points is None or not reason:
            return None
        return _TypedRow(points, reason)
