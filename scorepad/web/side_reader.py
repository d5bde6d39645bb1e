"""The entry of one side read from its fields in the form of a hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

from scorepad.i18n import Language
from scorepad.rules.cards import NOTHING
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE, MeldEntry, SideEntry, Totals
from scorepad.rules.table import Pointer
from scorepad.web.field_texts import NONE
from scorepad.web.hand_fields import ADJUSTMENTS, ALL_HANDS, NOTED, OWED, TOTALS, field_key
from scorepad.web.side_column import SideColumn


class DraftProblem(NamedTuple):
    """Something unreadable or missing: the key of the field, and the end of the message key.

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
    complete_rows: dict[str, list[int]]

    def key_of_laid(self, part: str, inside: Pointer) -> str:
        """The key of the field for a part of the laid cards: `totals`, `("canastas", "samba")` →
        `a.canastas.samba`.

        If the side typed its melds, they are in one field, whichever part is asked for.
        """
        name = ".".join(str(each) for each in inside)
        is_one_of_totals = part == "totals" and name in self.column.fields
        if is_one_of_totals and not self.column.is_by_cards:
            return field_key(self.column.side, name)
        return self.column.main_key

    def field_name_at(self, inside: Pointer) -> str | None:
        """The name of the field that holds a part of the side's entry: `("left", 1)` → `left.1`.

        None if the pointer is to the entry as a whole, or to a part that has no field.
        """
        part = str(inside[0]) if inside else ""
        index = inside[1] if len(inside) > 1 and isinstance(inside[1], int) else None

        if part == "penalties":
            return self._field_of_penalty(index)
        if part == "bonuses" and index is not None and index < len(self.entry.bonuses):
            return f"bonuses.{self.entry.bonuses[index]}"
        if part == "adjustments" and index is not None and index < len(self.entry.adjustments):
            return self._points_field_of_row(ADJUSTMENTS, index)
        if self.column.replacement:
            return self.column.replacement
        if part == "left":
            return self._field_of_held_cards(index)
        if part == "opening" and "opening" in self.column.texts:
            return "opening"
        if part in self.column.fields and self.column.fields[part].kind == "count":
            return part
        return None

    def _field_of_penalty(self, index: int | None) -> str:
        """The name of the field of a penalty, by its index among all penalties of the side.

        Penalties noted while the hand was still being played come after the typed ones, and are
        shown in a place of their own.
        """
        typed_penalties = self.entry.penalties
        if index is None or index >= len(typed_penalties):
            return NOTED
        code = typed_penalties[index].code
        if code != HOUSE:
            return f"penalties.{code}"
        earlier_penalties = typed_penalties[:index]
        earlier_house_penalties = [each for each in earlier_penalties if each.code == HOUSE]
        return self._points_field_of_row(HOUSE, len(earlier_house_penalties))

    def _points_field_of_row(self, group: str, index: int) -> str:
        """The name of the field for the points of a row, by its index among the complete rows."""
        row = self.complete_rows[group][index]
        return f"{group}.{row}.points"

    def _field_of_held_cards(self, player: int | None) -> str:
        """The name of the field for the cards that a player holds, or of the first such field."""
        held_fields = self.column.held_fields
        if player is not None and player < len(held_fields):
            return held_fields[player]
        return held_fields[0]


def read_side(
    column: SideColumn, rules: Ruleset, language: Language, owner_of_melds: int | None
) -> TypedSide:
    """Read the fields of a side.

    `owner_of_melds` is the side to which the melds typed in this column belong; None if those of
    the side are typed in another column.
    """
    reader = _SideReader(column, rules, language)
    laid = None
    if column.replacement:
        reader.store_replacement()
    else:
        if owner_of_melds is not None:
            laid = reader.read_laid(owner_of_melds)
        reader.store_counts()
        reader.store_held_cards()
        reader.read_and_store("opening")

    if column.replacement == "sum":
        reader.report_charges_beside_sum()
    else:
        for name in column.names_in("penalties", "bonuses"):
            reader.read_and_store(name)
        reader.store_rows(HOUSE)
    reader.store_rows(ADJUSTMENTS)
    return TypedSide(column, reader.entry, laid, tuple(reader.problems), reader.complete_rows)


@dataclass(slots=True)
class _SideReader:
    """Reads the fields of a side one after the other.

    It stores their values in `entry`, and what is unreadable or missing in `problems`.
    """

    column: SideColumn
    rules: Ruleset
    language: Language
    entry: SideEntry = dataclass_field(default_factory=SideEntry)
    problems: list[DraftProblem] = dataclass_field(default_factory=list)
    complete_rows: dict[str, list[int]] = dataclass_field(default_factory=dict)

    # ------------------------------------------------------------------------------- single fields

    def read_and_report(self, name: str) -> Any:
        """Return the value of a field, and report what is wrong with its text.

        None if nothing is typed in the field, or no number can be read.
        """
        if name not in self.column.texts:
            return None
        typed = self.column.fields[name].read_text(self.column.texts[name], self.language)
        for problem in typed.problems:
            self.report_problem(
                name,
                problem.reason,
                missing=problem.is_missing,
                limit=problem.limit,
                given=problem.given,
            )
        return typed.value

    def report_problem(
        self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = ""
    ) -> None:
        """Report a problem of a field, once."""
        key = field_key(self.column.side, name)
        problem = DraftProblem(key, reason, missing, limit=limit, given=given)
        if problem not in self.problems:
            self.problems.append(problem)

    def store_value(self, name: str, value: Any) -> None:
        """Store the value of a field in the entry."""
        self.entry = self.column.fields[name].entry_part.entry_with(self.entry, value)

    def read_and_store(self, name: str) -> None:
        """Read a field, and store its value unless that is nothing: a blank, 0, or no melds."""
        value = self.read_and_report(name)
        if value:
            self.store_value(name, value)

    def store_replacement(self) -> None:
        """Read and store the agreed sum, which may be 0, or the name of the special hand."""
        name = self.column.replacement
        value = self.read_and_report(name)
        if value is not None:
            self.store_value(name, value)

    # --------------------------------------------------------------------------------------- cards

    def read_laid(self, owner: int) -> LaidOnTable | None:
        """Read what was laid, which belongs to the entry of `owner`: the melds if they are typed,
        else the totals. None if it is not known.
        """
        laid_field = self.column.laid_field
        if laid_field not in self.column.texts:
            self.report_problem(laid_field, f"{laid_field}-missing", missing=True)
        if not self.column.is_by_cards:
            return self._read_laid_totals(owner)

        typed_totals = [name for name in self.column.names_in(*TOTALS) if name in self.column.texts]
        if typed_totals:
            self.report_problem(typed_totals[-1], "melds-and-totals")
        melds = self.read_and_report("melds") or ()
        return LaidOnTable(owner, melds=melds)

    def _read_laid_totals(self, owner: int) -> LaidOnTable | None:
        """Read the points of the laid cards and the counts of canastas; None if one is unreadable,
        or the points are missing.
        """
        problems_before = len(self.problems)
        values = {}
        for name in self.column.names_in(*TOTALS):
            values[name] = self.read_and_report(name)
        if values["cards"] is None or len(self.problems) > problems_before:
            return None

        laid = SideEntry()
        for name, value in values.items():
            if value:
                laid = self.column.fields[name].entry_part.entry_with(laid, value)
        return LaidOnTable(owner, totals=laid.totals)

    def store_counts(self) -> None:
        """Read and store the cards that are counted one by one, such as red threes."""
        kinds_held_together = [kind.key for kind in self.rules.settings.held_together]
        are_held_cards_typed = self.column.held_fields != ["left"]
        for name, field in self.column.fields.items():
            is_count_of_cards = field.kind == "count" and field.group == name
            # Where the held cards are typed, such cards are among them and not counted again.
            is_among_typed_cards = name in kinds_held_together and are_held_cards_typed
            if is_count_of_cards and not is_among_typed_cards:
                self.read_and_store(name)

    def store_held_cards(self) -> None:
        """Read and store the cards that the players still hold, or their points.

        The cards are typed for each player, or for all together; more than one way is a problem.
        """
        held_fields = self.column.held_fields
        if held_fields == ["left"]:
            self._store_held_points()
            return
        if "left" in self.column.texts:
            self.report_problem("left", "left-both")
        if held_fields == [ALL_HANDS]:
            typed_fields = [
                name for name in self.column.held_card_fields if name in self.column.texts
            ]
            if len(typed_fields) > 1:
                self.report_problem(ALL_HANDS, "left-twice")
        for name in held_fields:
            cards = self.read_and_report(name)
            self.store_value(name, cards or (NOTHING,))

    def _store_held_points(self) -> None:
        """Read and store the points of the cards that the players still hold.

        They are 0 if they are blank but cards held together, such as three aces, are counted: such a
        count goes only with points.
        """
        points = self.read_and_report("left")
        kinds = self.rules.settings.held_together
        has_held_together = any(getattr(self.entry, kind.key) for kind in kinds)
        if points or has_held_together:
            self.store_value("left", points or 0)

    # ------------------------------------------------------------------------- penalties and bonuses

    def report_charges_beside_sum(self) -> None:
        """Report each penalty and bonus typed beside an agreed sum, so that it is not dropped
        silently: beside a sum none counts.
        """
        for name in self.column.names_in(*OWED):
            text = self.column.texts.get(name, NONE)
            if text != NONE:
                self.report_problem(name, "sum-penalty")

    def store_rows(self, group: str) -> None:
        """Read and store the rows of house penalties or of agreed points, which are a `group` of
        fields. An incomplete row is a problem.
        """
        self.complete_rows[group] = []
        for row in self.column.rows_in(group):
            if self._store_row_if_complete(group, row):
                self.complete_rows[group].append(row)
        self._drop_blank_rows()

    def _store_row_if_complete(self, group: str, row: int) -> bool:
        """Read the points and the reason of a row, and store them if both are there.

        Returns whether the row is complete. A blank row is not, and that is no problem.
        """
        points_name = f"{group}.{row}.points"
        reason_name = f"{group}.{row}.reason"
        has_points = points_name in self.column.texts
        has_reason = reason_name in self.column.texts
        if not has_points and not has_reason:
            return False

        points = self.read_and_report(points_name)
        reason = self.read_and_report(reason_name)
        if not has_points:
            self.report_problem(points_name, f"{group}-points", missing=True)
        if not has_reason:
            self.report_problem(reason_name, f"{group}-reason", missing=True)
        if points is None or not reason:
            return False
        self.store_value(points_name, points)
        self.store_value(reason_name, reason)
        return True

    def _drop_blank_rows(self) -> None:
        """Drop the blank entries that storing a complete row adds for the incomplete rows before
        it; they are known by their missing reason.
        """
        penalties = []
        for penalty in self.entry.penalties:
            if penalty.code != HOUSE or penalty.reason:
                penalties.append(penalty)
        adjustments = [each for each in self.entry.adjustments if each.reason]
        self.entry = replace(self.entry, penalties=tuple(penalties), adjustments=tuple(adjustments))
