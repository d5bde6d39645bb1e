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
    """Read with which name and index a path into the data of one side begins.

    - `("penalties", 1, "points")` → `penalties` with index 1: the second penalty
    - `("red_threes",)` → `red_threes` without an index: it is a single number
    - `("totals", "cards")` → `totals` without an index: a name follows, and no index
    - `()`, all data of the side → an empty name
    """
    if not path:
        return PartInEntry(name="", index=None)
    name = str(path[0])
    has_index = len(path) > 1 and isinstance(path[1], int)
    if not has_index:
        return PartInEntry(name, index=None)
    return PartInEntry(name, index=int(path[1]))


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
        """Find the form field in which a part of what this side laid on the table is typed.

        `inside` is the path to the part in the data of the side:

        - `("totals", "canastas", "samba")`, a number counted by the players → `a.canastas.samba`
        - `("melds", 2)`, the third set of cards → `a.melds`, where all of them are typed
        - a part that has no field → the field that says most about the score of the side
        """
        field_of_total = _find_field_of_total(inside)
        has_field = field_of_total in self.column.fields
        if has_field and not self.column.is_by_cards:
            return field_key(self.column.side, field_of_total)
        return self.column.main_key

    def field_name_at(self, inside: Pointer) -> str | None:
        """Find the form field in which a part of this side's data is typed, by its name.

        `inside` is the path to the part. If the cards of the side are typed:

        - `("left", 1)`, what the second player still has at the end → `left.1`
        - `("red_threes",)`, a number → `red_threes`
        - `()`, all data of the side, or a part that has no field → None
        """
        part = find_part_in_entry(inside)
        field_beside_cards = self._find_field_beside_cards(part)
        if field_beside_cards is not None:
            return field_beside_cards
        if self.column.replacement is CardsReplacement.NONE:
            return self._find_field_of_cards(part)
        # Agreed points, or a special hand, are typed in place of the cards, in one field.
        return self.column.replacement.value

    def _find_field_beside_cards(self, part: PartInEntry) -> str | None:
        """Find the field for a part that is typed beside the cards, or in place of them.

        - the penalty, bonus or agreed points with an index → their field, if there are so many
        - all penalties, without an index → `noted`, where the page lists penalties
        - all bonuses, all agreed points, or any other part of the data → None
        """
        match part.name:
            case "penalties":
                return self._find_field_of_penalty(part.index)
            case "bonuses":
                return self._find_field_of_bonus(part.index)
            case "adjustments":
                return self._find_field_of_adjustment(part.index)
        return None

    def _find_field_of_bonus(self, index: int | None) -> str | None:
        """Find the field for a bonus, by its index among the bonuses of the side.

        None without an index, or if there are not so many.
        """
        if index is None or index >= len(self.entry.bonuses):
            return None
        code = self.entry.bonuses[index]
        return f"bonuses.{code}"

    def _find_field_of_adjustment(self, index: int | None) -> str | None:
        """Find the field for agreed points, by their index among those of the side.

        None without an index, or if there are not so many.
        """
        if index is None or index >= len(self.entry.adjustments):
            return None
        return self._find_points_field_of_row(ADJUSTMENTS, index)

    def _find_field_of_cards(self, part: PartInEntry) -> str | None:
        """Find the field for a part of the data that concerns the cards; None for other parts.

        - `left`, the cards that players still have at the end → `left.0`, or the field in use
        - `opening`, what the side laid first → `opening`, but None if it is blank
        - `red_threes`, or another number of cards → the field of this name
        """
        if part.name == "left":
            return self._find_field_of_cards_left(part.index)
        if part.name == "opening":
            # This field is folded away while it is blank, and a message beside it would be hidden.
            is_typed = "opening" in self.column.texts
            return "opening" if is_typed else None
        field = self.column.fields.get(part.name)
        if field is None or field.kind != "count":
            return None
        return field.name

    def _find_field_of_penalty(self, index: int | None) -> str:
        """Find the field for a penalty, by its index among all penalties of the side.

        - a penalty of the rules → the field with its number, `penalties.draw-out-of-turn`
        - one that the players made up → the points in its row, `house.0.points`
        - one recorded during play, or none (no index) → `noted`, where the page lists penalties
        """
        typed_penalties = self.entry.penalties
        # Penalties recorded during play have no field. They come after all those that were typed.
        if index is None or index >= len(typed_penalties):
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
        return f"{group}.{row}.points"

    def _find_field_of_cards_left(self, player: int | None) -> str:
        """Find the field for the cards that a player (an index) still has when the round ends.

        - player 1, and each player has a field → `left.1`
        - no player given, or one field for all players → the first field in use
        """
        fields_in_use = self.column.held_fields
        if player is not None and player < len(fields_in_use):
            return fields_in_use[player]
        return fields_in_use[0]


def _find_field_of_total(path: Pointer) -> str:
    """Find the form field for a number that the players counted themselves, by its path.

    - `("totals", "canastas", "samba")` → `canastas.samba`
    - `("melds", 2)`, which is no such number → an empty text
    """
    if not path or path[0] != "totals":
        return ""
    steps_in_totals = path[1:]
    return ".".join(str(step) for step in steps_in_totals)


def read_side(
    column: SideColumn, rules: Ruleset, language: Language, owner_of_melds: int | None
) -> TypedSide:
    """Read all that is typed in the form fields of one side: its data, and what is wrong with them.

    `owner_of_melds` is the side that laid the melds (sets of cards on the table) typed here. It may
    be the partner of this side. None if none are to be typed here, because the melds of this side
    are typed in the fields of its partner.
    """
    reader = _ColumnReader(column, rules, language)
    laid = None
    match column.replacement:
        case CardsReplacement.SUM:  # points that the players agreed on
            reader.read_and_store_replacement()
            reader.report_penalties_beside_sum()
        case CardsReplacement.SPECIAL:  # a special hand, which scores as a whole
            reader.read_and_store_replacement()
            reader.read_and_store_penalties()
        case CardsReplacement.NONE:
            if owner_of_melds is not None:
                laid = reader.read_and_report_laid(owner_of_melds)
            reader.read_and_store_other_cards()
            reader.read_and_store_penalties()
    reader.read_and_store_adjustments()  # points that the players agreed to add count in any case
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
        """Read the value of the text in a field, and add what is wrong with it to `problems`.

        - `red_threes` with the text `2` → 2
        - nothing is typed in the field, or no number can be read → None
        """
        if name not in self.column.texts:
            return None
        text = self.column.texts[name]
        typed = self.column.fields[name].read_text(text, self.language)
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

        `reason` says what is wrong, as the end of a message key. `limit` and `given` are shown in
        the message. `missing` is True if more may be typed, so that it is no error yet.
        """
        key = field_key(self.column.side, name)
        problem = DraftProblem(key, reason, missing, limit=limit, given=given)
        if problem not in self.problems:
            self.problems.append(problem)

    def store_value(self, name: str, value: Any) -> None:
        """Store the value of a field in the data of the side (`entry`)."""
        self.entry = self.copy_with_value(self.entry, name, value)

    def copy_with_value(self, entry: SideEntry, name: str, value: Any) -> SideEntry:
        """Copy the data of a side with the value of one field: `red_threes`, 2 → two red threes.

        Raises TypeError for a field in a row of points and reason, which is stored as a whole.
        """
        part_of_data = self.column.fields[name].entry_part  # where the value of the field belongs
        if not isinstance(part_of_data, StorablePart):
            raise TypeError(f"{name} is stored with its row, not alone")
        return part_of_data.entry_with(entry, value)

    def read_and_store(self, name: str) -> None:
        """Read a field, report what is wrong with its text, and store its value in `entry`.

        Nothing is stored for a blank field, 0, or no cards.
        """
        value = self.read_and_report(name)
        if value:
            self.store_value(name, value)

    def read_and_store_replacement(self) -> None:
        """Read and store what is typed in place of the cards of the side.

        It is the name of a special hand, or points that the players agreed on. These may be 0.
        """
        name = self.column.replacement
        value = self.read_and_report(name)
        if value is not None:
            self.store_value(name, value)

    # --------------------------------------------------------------------------------------- cards

    def read_and_report_laid(self, owner: int) -> LaidOnTable | None:
        """Read what the side `owner` laid on the table, and report what is wrong with it.

        It is typed card by card, or as totals that the players counted. None if a total is missing
        or unreadable.
        """
        if self.column.is_by_cards:
            return LaidOnTable(owner, melds=self._read_and_report_melds())
        return self._read_and_report_totals(owner)

    def _read_and_report_melds(self) -> tuple[MeldEntry, ...]:
        """Read the melds (sets of cards on the table) that are typed card by card.

        Reports an error if none are typed, or if totals of the same cards are typed too.
        """
        if "melds" not in self.column.texts:
            self.report_problem("melds", ProblemReason.MELDS_MISSING, missing=True)
        typed_totals = [name for name in self.column.names_in(*TOTALS) if name in self.column.texts]
        if typed_totals:
            last_of_totals = typed_totals[-1]
            self.report_problem(last_of_totals, ProblemReason.MELDS_AND_TOTALS)
        return self.read_and_report("melds") or ()

    def _read_and_report_totals(self, owner: int) -> LaidOnTable | None:
        """Read the totals that the players counted of the cards which the side `owner` laid.

        They are the points of the cards, and the numbers of canastas (sets of seven cards or more).
        Reports what is wrong with them. None if one is unreadable, or the points are missing.
        """
        is_complete = "cards" in self.column.texts  # the field for the points of the cards
        if not is_complete:
            self.report_problem("cards", ProblemReason.CARDS_MISSING, missing=True)

        # The totals are gathered apart from `self.entry`: they may belong to another side.
        entry_of_owner = SideEntry()
        for name in self.column.names_in(*TOTALS):
            is_blank = name not in self.column.texts
            if is_blank:
                continue
            value = self.read_and_report(name)
            if value is None:  # it is unreadable
                is_complete = False
            elif value != 0:
                entry_of_owner = self.copy_with_value(entry_of_owner, name, value)
        if not is_complete:
            return None
        return LaidOnTable(owner, totals=entry_of_owner.totals)  # without totals if all are 0

    def read_and_store_other_cards(self) -> None:
        """Read and store what is typed about cards, other than those on the table at the end.

        That is the numbers of single cards such as red threes, the cards that players still have,
        and what the side laid first (its opening).
        """
        self._read_and_store_numbers_of_cards()
        self._read_and_store_cards_left()
        self.read_and_store("opening")

    def _read_and_store_numbers_of_cards(self) -> None:
        """Read and store the numbers of single cards that the form asks for, such as red threes."""
        for name, field in self.column.fields.items():
            if field.is_count_of_cards and not self._follows_from_cards_left(name):
                self.read_and_store(name)

    def _follows_from_cards_left(self, name: str) -> bool:
        """Tell whether the number in a field follows from the cards typed as left in hand.

        Such numbers are not stored, or the cards would cost points twice:

        - `aces_held` (players with three aces), and the cards of each player are typed → True
        - `aces_held`, and only the points of these cards are typed → False
        - `red_threes` → False
        """
        if self.column.held_form is HeldForm.POINTS:
            return False
        return any(kind.key == name for kind in self.rules.settings.held_together)

    def _read_and_store_cards_left(self) -> None:
        """Read and store the cards that players still have when the round ends, or their points."""
        if self.column.held_form is HeldForm.POINTS:
            self._read_and_store_points_left()
            return
        self._report_cards_left_typed_twice()
        for name in self.column.held_fields:
            cards = self.read_and_report(name)
            if not cards:
                cards = (NOTHING,)
            self.store_value(name, cards)

    def _report_cards_left_typed_twice(self) -> None:
        """Report if the cards that players still have are typed in two ways.

        - their points (field `left`) beside the cards
        - the cards of one player (`left.0`) beside those of all together (`left.all`)
        """
        if HELD_POINTS in self.column.texts:
            self.report_problem(HELD_POINTS, ProblemReason.HELD_BOTH)
        if self.column.held_form is not HeldForm.TOGETHER:
            return
        for name in self.column.held_card_fields:
            if name != ALL_HANDS and name in self.column.texts:
                self.report_problem(ALL_HANDS, ProblemReason.HELD_TWICE)

    def _read_and_store_points_left(self) -> None:
        """Read and store the points of the cards that players still have when the round ends.

        0, or a blank field, is stored only if it was counted who still has, say, three aces: the
        rules allow such a number only beside cards that are given in points.
        """
        points = self.read_and_report(HELD_POINTS) or 0
        if points != 0 or self._are_equal_cards_left_counted():
            self.store_value(HELD_POINTS, points)

    def _are_equal_cards_left_counted(self) -> bool:
        """Tell whether it was counted how many players still have several cards of one rank.

        In some games three aces left in one hand cost extra points, for example. The number, such
        as `entry.aces_held`, must have been read before.
        """
        for kind in self.rules.settings.held_together:
            number_of_players = getattr(self.entry, kind.key)  # the key is the name of the number
            if number_of_players > 0:
                return True
        return False

    # ------------------------------------------------------------------------- penalties and bonuses

    def report_penalties_beside_sum(self) -> None:
        """Report each penalty and bonus that is typed beside an agreed sum of points.

        The sum includes everything, so they do not count, and must not be dropped silently.
        """
        for name in self.column.names_in(*OWED):
            text = self.column.texts.get(name, ZERO)
            if text != ZERO:
                self.report_problem(name, ProblemReason.CHARGE_BESIDE_SUM)

    def read_and_store_penalties(self) -> None:
        """Read and store the penalties and bonuses of the side.

        Those of the rules are typed as numbers: how often the side got each. Those that the players
        made up (the group `house`) are rows with points and a reason.
        """
        for name in self.column.names_in("penalties", "bonuses"):
            self.read_and_store(name)
        made_up_penalties = []
        for row in self._read_complete_rows(HOUSE):
            made_up_penalties.append(PenaltyEntry(HOUSE, row.points, row.reason))
        self.entry = replace(self.entry, penalties=(*self.entry.penalties, *made_up_penalties))

    def read_and_store_adjustments(self) -> None:
        """Read and store the points that the players agreed to add, each with its reason."""
        adjustments = []
        for row in self._read_complete_rows(ADJUSTMENTS):
            adjustments.append(Adjustment(row.points, row.reason))
        self.entry = replace(self.entry, adjustments=tuple(adjustments))

    def _read_complete_rows(self, group: str) -> list[_TypedRow]:
        """Read those rows of a group (such as `house`) that have both points and a reason.

        Reports what is wrong with the other rows. The numbers of the rows read are stored in
        `complete_rows`, to find the field of a row again: rows 0 and 3 → `{"house": [0, 3]}`.
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
        """Read the points and the reason in a row of the form, and report what is wrong with them.

        - `house.0.points` 50 and `house.0.reason` "late" → both
        - only one of them, or one that is unreadable → None, and a problem
        - both blank → None, which is no problem
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
