"""A hand read from the fields of the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

from scorepad.i18n import Language
from scorepad.matches.hands import Draft, SentHand
from scorepad.matches.names import says_something
from scorepad.rules.cards import NOTHING, Kind, Reading, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE, Hand, Out, SideEntry
from scorepad.rules.table import Pointer
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web import hand_fields
from scorepad.web.field_texts import NONE
from scorepad.web.forms import LONGEST_REMARK
from scorepad.web.hand_fields import (
    ADJUSTMENTS,
    AGREED,
    ALL_HANDS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    NOBODY,
    NOTED,
    OUT,
    REMARK,
    SINGLE,
    Field,
    fields_for,
    key,
)
from scorepad.web.melding_pairs import Positions, melding_groups, melding_writers, side_chosen


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


@dataclass(frozen=True, slots=True)
class TypedHand:
    """The content of a draft: the hand as far as it is readable, and what is unreadable or missing.

    By side: `columns`; `groups`, the sides that lay together; `writers`, the side whose fields hold
    their melds. The points of the sides in `unfinished` are not known yet; `unseated`: the groups
    are not known yet either.
    """

    draft: Draft
    rules: Ruleset
    columns: tuple[SideColumn, ...]
    groups: tuple[Positions, ...]
    writers: Positions
    hand: Hand
    problems: tuple[DraftProblem, ...]
    unfinished: frozenset[int]
    unseated: bool

    def typed_in(self, draft_key: str) -> str:
        return self.draft.get(draft_key, "").strip()

    def sent_hand(self, draft: Draft, reason: str = "") -> SentHand:
        """The hand with its texts, as it is sent to be counted; `draft` are the fields to store with
        it, `reason` why a past hand is corrected or contested.
        """
        return SentHand(
            hand=self.hand,
            draft=draft,
            remark=self.typed_in(REMARK),
            agreed=self.typed_in(AGREED),
            reason=reason,
        )

    @property
    def by_agreement(self) -> bool:
        """Whether the table wrote why it counts the hand although the rules refuse it."""
        return says_something(self.typed_in(AGREED))

    def key_at(self, where: Pointer) -> str | None:
        """The key of the field that holds this part of the hand; None for the hand as a whole."""
        match where:
            case ("single", *_):
                return SINGLE
            case ("out", "discard", *_):
                return DISCARD
            case ("out", *_):
                return OUT
            case ("sides", int(position), "melds" | "totals" as laid, *names):
                return self._writer_of(position).key_of_laid(laid, names)
            case ("sides", int(position), *inside):
                column = self.columns[position]
                name = column.field_name_at(tuple(inside))
                return key(column.side, name) if name else self._writer_of(position).main_key
        return None

    def _writer_of(self, position: int) -> SideColumn:
        """The column in which the melds of a side are typed."""
        return self.columns[self.writers[position]]


@dataclass(slots=True)
class SideColumn:
    """The fields of one side in the form, and what is typed in them.

    `entry` is the readable part of it; `is_laid_known`: what the side laid is readable.
    """

    position: int
    fields: dict[str, Field]
    """By name."""
    texts: dict[str, str]
    """What is typed, by name of the field."""
    language: Language
    has_one_player: bool
    entry: SideEntry = dataclass_field(default_factory=SideEntry)
    is_laid_known: bool = False
    problems: list[DraftProblem] = dataclass_field(default_factory=list)
    complete_rows: dict[str, list[int]] = dataclass_field(default_factory=dict)
    """The complete rows of house penalties and of agreed points."""

    @property
    def side(self) -> str:
        return SIDE_KEYS[self.position]

    @property
    def counted_by(self) -> str:
        """`sum` or `special`, if the side is counted without its laid and held cards; else empty."""
        for name in ("sum", "special"):
            if name in self.texts:
                return name
        return ""

    @property
    def is_by_cards(self) -> bool:
        """Whether what the side laid is typed as cards."""
        return "melds" in self.texts or "cards" not in self.fields

    @property
    def main_key(self) -> str:
        """The key of the field for what the side laid, or for what replaces it."""
        name = self.counted_by or ("melds" if self.is_by_cards else "cards")
        return key(self.side, name)

    @property
    def card_fields(self) -> list[str]:
        """The fields for the cards that players hold."""
        return [field.name for field in self.fields.values() if field.kind == "cards"]

    @property
    def held_fields(self) -> list[str]:
        """The fields in which the held cards are typed, or should be: `left` for their points, that
        of all players, or that of each player.
        """
        has_typed_cards = any(name in self.texts for name in self.card_fields)
        if not has_typed_cards and "left" in self.fields:
            return ["left"]
        if ALL_HANDS in self.texts:
            return [ALL_HANDS]
        return [name for name in self.card_fields if name != ALL_HANDS]

    # ------------------------------------------------------------------ values and problems

    def read(self, name: str) -> Any:
        """Read the value of a field, and report what is wrong with its text. None if the field is
        blank, or has no value.
        """
        if name not in self.texts:
            return None
        typed = self.fields[name].type.read(self.texts[name], self.language)
        for problem in typed.problems:
            self.report(
                name,
                problem.reason,
                missing=problem.is_missing,
                limit=problem.limit,
                given=problem.given,
            )
        return typed.value

    def put(self, name: str, value: Any) -> None:
        """Put the value of a field into the entry."""
        self.entry = self.fields[name].entry_part.put(self.entry, value)

    def put_count(self, name: str) -> None:
        """Put the count typed in a field into the entry, if there is one."""
        count = self.read(name)
        if count:
            self.put(name, count)

    def report(
        self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = ""
    ) -> None:
        problem = DraftProblem(key(self.side, name), reason, missing, None, limit, given)
        if problem not in self.problems:
            self.problems.append(problem)

    def names_in(self, *groups: str) -> list[str]:
        """The names of the fields of these groups."""
        return [field.name for field in self.fields.values() if field.group in groups]

    # ------------------------------------------------------------------ where the entry is typed

    def key_of_laid(self, laid: str, names: Sequence[str | int]) -> str:
        """The key of the field for a part of `melds` or `totals`, where the side's melds are typed.

        A single one of the totals has a field of its own, if they are counted here; everything else
        is in the main field.
        """
        name = ".".join(map(str, names))
        counts_totals = laid == "totals" and not self.is_by_cards
        if counts_totals and name in self.fields:
            return key(self.side, name)
        return self.main_key

    def field_name_at(self, inside: Pointer) -> str | None:
        """The name of the field that holds this part of the entry; None for the side as a whole."""
        match inside:
            case ("penalties", int(index)):
                return self._penalty_field(index)
            case ("penalties",):
                return NOTED
            case ("bonuses", int(index)) if index < len(self.entry.bonuses):
                return f"bonuses.{self.entry.bonuses[index]}"
            case ("adjustments", int(index)) if index < len(self.entry.adjustments):
                return self._points_field_of_row(ADJUSTMENTS, index)
            case _ if self.counted_by:
                return self.counted_by
            case ("left", int(player)) if player < len(self.held_fields):
                return self.held_fields[player]
            case ("left", *_):
                return self.held_fields[0]
            case ("opening", *_) if "opening" in self.texts:
                return "opening"
            case (str(name), *_) if name in self.fields and self.fields[name].kind == "count":
                return name
        return None

    def _penalty_field(self, index: int) -> str:
        """The name of the field of a penalty, by its index among all penalties of the side."""
        typed_penalties = self.entry.penalties
        if index >= len(typed_penalties):
            return NOTED  # those noted while the hand was played come after the typed ones
        code = typed_penalties[index].code
        if code != HOUSE:
            return f"penalties.{code}"
        house_penalties_before = sum(each.code == HOUSE for each in typed_penalties[:index])
        return self._points_field_of_row(HOUSE, house_penalties_before)

    def _points_field_of_row(self, group: str, index: int) -> str:
        """The name of the field for the points of a row, by its index among the complete rows."""
        row = self.complete_rows[group][index]
        return f"{group}.{row}.points"


# ------------------------------------------------------------------------------------ reading a draft


def read_draft(draft: Draft, rules: Ruleset, language: Language) -> TypedHand:
    """Read a draft with any content."""
    groups = melding_groups(draft, rules)
    writers = melding_writers(draft, rules, groups)
    columns = _columns(draft, rules, language)
    for column in columns:
        _read_side(column, columns, draft, rules, writers)

    unfinished = _sides_with_problems(columns, groups)
    for group in groups:
        if unfinished.intersection(group):
            _drop_what_needs_melds([columns[position] for position in group])

    unseated = _is_single_missing(draft, rules, columns)
    if unseated:
        unfinished |= set(range(len(columns)))
    out = _read_out(draft, rules, unfinished)
    showing = [column for column in columns if "special" in column.texts]
    if showing:
        out = Out(showing[0].position)
    if len(showing) > 1:
        unfinished |= {column.position for column in showing}
        for column in showing[1:]:
            column.entry = replace(column.entry, special=None)

    single = side_chosen(draft, SINGLE, rules) if "single" in rules.entry_fields else None
    problems: list[DraftProblem] = []
    for column in columns:
        problems += column.problems
    if unseated:
        problems.append(DraftProblem(SINGLE, "single-missing", missing=True))
    if showing:
        problems += _problems_of_special_hands(showing, side_text_of_out(draft))
    else:
        problems += _problems_of_going_out(draft, rules, columns)
    for column in columns:
        problems += _missing_held_cards(column, draft, out)
    problems += _problems_of_texts(draft)
    return TypedHand(
        draft=draft,
        rules=rules,
        columns=columns,
        groups=groups,
        writers=writers,
        hand=Hand(tuple(column.entry for column in columns), out, single),
        problems=tuple(problems),
        unfinished=frozenset(unfinished),
        unseated=unseated,
    )


def _columns(draft: Draft, rules: Ruleset, language: Language) -> tuple[SideColumn, ...]:
    """The columns of a draft, whose entries are still empty."""
    columns = []
    for position in range(len(rules.settings.sides)):
        fields = {}
        texts = {}
        for each in fields_for(rules, position, draft):
            fields[each.name] = each
            text = draft.get(each.key, "").strip()
            if text:
                texts[each.name] = text
        has_one_player = rules.settings.players_of(position) == 1
        columns.append(SideColumn(position, fields, texts, language, has_one_player))
    return tuple(columns)


def _sides_with_problems(columns: Sequence[SideColumn], groups: tuple[Positions, ...]) -> set[int]:
    """The sides whose points depend on an unreadable or missing value: all who lay together."""
    positions: set[int] = set()
    for column in columns:
        if column.problems:
            positions.update(groups[column.position])
    return positions


def _is_single_missing(draft: Draft, rules: Ruleset, columns: Iterable[SideColumn]) -> bool:
    """Whether it is still to be said who took the pile first and plays alone."""
    if "single" not in rules.entry_fields or _are_all_summed(columns):
        return False
    return side_chosen(draft, SINGLE, rules) is None and draft.get(SINGLE) != NOBODY


def _problems_of_texts(draft: Draft) -> Iterator[DraftProblem]:
    for name in (REMARK, AGREED):
        if len(draft.get(name, "").strip()) > LONGEST_REMARK:
            yield DraftProblem(name, "long", limit=LONGEST_REMARK)


def _are_all_summed(columns: Iterable[SideColumn]) -> bool:
    """Whether all sides are counted by an agreed sum."""
    return all(column.counted_by == "sum" for column in columns)


def _drop_what_needs_melds(columns: Sequence[SideColumn]) -> None:
    """Drop the red threes and the opening of sides without readable melds: they seem not to have
    opened, and their red threes would count against them.
    """
    if any(column.is_laid_known for column in columns):
        return
    for column in columns:
        column.entry = replace(column.entry, red_threes=0, opening=None)


# ------------------------------------------------------------------------------------------- a side


def _read_side(
    column: SideColumn,
    columns: Sequence[SideColumn],
    draft: Draft,
    rules: Ruleset,
    writers: Positions,
) -> None:
    """Read the fields of a side into its entry, as far as they are readable."""
    if column.counted_by:
        value = column.read(column.counted_by)
        if value is not None:
            column.put(column.counted_by, value)
    else:
        has_own_melds = writers[column.position] == column.position
        if has_own_melds:
            side_of_melds = _side_of_melds(column, draft, rules, writers)
            _read_laid(column, columns[side_of_melds])
        _read_counts(column, rules)
        _read_held(column, rules)
        _read_opening(column)

    if column.counted_by == "sum":
        _refuse_charges(column)
    else:
        for name in column.names_in("penalties", "bonuses"):
            column.put_count(name)
        _read_rows(column, HOUSE)
    _read_rows(column, ADJUSTMENTS)


def _read_opening(column: SideColumn) -> None:
    """Read the melds of the side's first turn, if they are noted."""
    melds = column.read("opening")
    if melds:
        column.put("opening", melds)


def _read_laid(column: SideColumn, target: SideColumn) -> None:
    """Read what the side or its pair laid, which belongs to the entry of `target`: the cards if
    typed, else the totals.
    """
    main_field = "melds" if column.is_by_cards else "cards"
    if main_field not in column.texts:
        column.report(main_field, f"{main_field}-missing", missing=True)
    totals = column.names_in(*hand_fields.TOTALS)
    if column.is_by_cards:
        typed_totals = [name for name in totals if name in column.texts]
        if typed_totals:
            column.report(typed_totals[-1], "melds-and-totals")
        melds = column.read("melds") or ()
        target.entry = replace(target.entry, melds=melds)
        target.is_laid_known = True
        return

    problems_before = len(column.problems)
    values = {name: column.read(name) for name in totals}
    if values["cards"] is None or len(column.problems) != problems_before:
        return
    target.is_laid_known = True
    if not any(values.values()):
        return
    target.put("cards", values["cards"])
    for name, count in values.items():
        if count:
            target.put(name, count)


def _side_of_melds(column: SideColumn, draft: Draft, rules: Ruleset, writers: Positions) -> int:
    """The side to which the melds typed here belong: the side going out decides what may be laid."""
    out = side_chosen(draft, OUT, rules)
    if out is None or writers[out] != column.position:
        return column.position
    melds = column.fields["melds"].type.read(column.texts.get("melds", ""), column.language).value
    has_black_threes = any(meld.reading.cards.of(Kind.BLACK_THREE) for meld in melds)
    if CONCEALED in draft or not melds or has_black_threes:
        return out
    return column.position


def _read_counts(column: SideColumn, rules: Ruleset) -> None:
    """Read the cards that are counted one by one, such as red threes."""
    held_together = {kind.key for kind in rules.settings.held_together}
    for name, field in column.fields.items():
        if field.kind != "count" or field.group != name:
            continue
        if name in held_together and column.held_fields != ["left"]:
            continue
        column.put_count(name)


def _read_held(column: SideColumn, rules: Ruleset) -> None:
    """Read the cards that the players still hold."""
    first_field = column.held_fields[0]
    if first_field == "left":
        points = column.read("left")
        has_held_together = any(
            getattr(column.entry, kind.key) for kind in rules.settings.held_together
        )
        if points or has_held_together:
            column.put("left", points or 0)
        return
    if "left" in column.texts:
        column.report("left", "left-both")
    if first_field == ALL_HANDS and len(column.texts.keys() & set(column.card_fields)) > 1:
        column.report(first_field, "left-twice")
    for name in column.held_fields:
        column.put(name, column.read(name) or (NOTHING,))


def _refuse_charges(column: SideColumn) -> None:
    """Beside a sum no penalty counts: one that is typed is reported, so that it is not dropped
    silently.
    """
    for name in column.names_in(*hand_fields.OWED):
        if column.texts.get(name, NONE) != NONE:
            column.report(name, "sum-penalty")


def _read_rows(column: SideColumn, group: str) -> None:
    """Read house penalties or agreed points; an incomplete row is a problem."""
    column.complete_rows[group] = []
    rows = [field.row for field in column.fields.values() if field.group == group]
    for row in dict.fromkeys(rows):
        if row is not None and _read_row(column, group, row):
            column.complete_rows[group].append(row)
    _drop_rows_without_reason(column)


def _read_row(column: SideColumn, group: str, row: int) -> bool:
    """Read the points and the reason of a row; whether it is complete."""
    points_name = f"{group}.{row}.points"
    reason_name = f"{group}.{row}.reason"
    if points_name not in column.texts and reason_name not in column.texts:
        return False
    points = column.read(points_name)
    reason = column.read(reason_name)
    if points_name not in column.texts:
        column.report(points_name, f"{group}-points", missing=True)
    if reason_name not in column.texts:
        column.report(reason_name, f"{group}-reason", missing=True)
    if points is None or not reason:
        return False
    column.put(points_name, points)
    column.put(reason_name, reason)
    return True


def _drop_rows_without_reason(column: SideColumn) -> None:
    """Drop the empty entries that stand in place of incomplete rows before a complete one."""
    penalties = [each for each in column.entry.penalties if each.code != HOUSE or each.reason]
    adjustments = [each for each in column.entry.adjustments if each.reason]
    column.entry = replace(column.entry, penalties=tuple(penalties), adjustments=tuple(adjustments))


def _missing_held_cards(
    column: SideColumn, draft: Draft, out: Out | None
) -> Iterator[DraftProblem]:
    """Report blank held cards: only the player who went out holds none, another blank was
    forgotten.
    """
    if column.counted_by:
        return
    held_fields = column.held_fields
    blank = [name for name in held_fields if name not in column.texts]
    went_out = side_text_of_out(draft) == column.side
    if out is not None:
        went_out = out.side == column.position
    is_apart = column.fields[held_fields[0]].row is not None
    if went_out and is_apart:
        # Which of several fields is empty is known only if the player who went out is given.
        empty_field = f"left.{out.player if out else None}"
        if empty_field in blank:
            blank.remove(empty_field)
        else:
            blank = blank[1:]
    elif went_out and column.has_one_player:
        blank = blank[1:]
    if blank:
        yield DraftProblem(key(column.side, blank[0]), "left-missing", missing=True)


# ---------------------------------------------------------------------------------------- going out


def side_text_of_out(draft: Draft) -> str:
    """The key of the side that is chosen as going out: `a` for the value `a.1` of a player.

    Any other text is returned as it was sent.
    """
    return draft.get(OUT, "").partition(".")[0]


def _problems_of_special_hands(shown: Sequence[SideColumn], chosen: str) -> Iterator[DraftProblem]:
    """Showing a special hand is going out: one side can, and no other one went out."""
    first = shown[0]
    if len(shown) > 1:
        yield DraftProblem(key(shown[1].side, "special"), "special-twice")
    elif chosen not in ("", first.side):
        yield DraftProblem(OUT, "special-out", side=first.position)


def _problems_of_going_out(
    draft: Draft, rules: Ruleset, columns: Sequence[SideColumn]
) -> Iterator[DraftProblem]:
    """Report details about going out if nobody did, or that contradict each other, and that nothing
    was chosen. A hand of agreed sums alone does not need who went out.
    """
    details = [name for name in (CONCEALED, DISCARD, DISCARD_NONE) if draft.get(name, "").strip()]
    if draft.get(OUT) == NOBODY:
        for name in details:
            yield DraftProblem(name, f"{name.replace('_', '-')}-nobody")
        return
    if DISCARD in details and DISCARD_NONE in details:
        yield DraftProblem(DISCARD_NONE, "discard-both")
    is_left_out = not side_text_of_out(draft) and _are_all_summed(columns)
    if side_chosen(draft, OUT, rules) is None and not is_left_out:
        yield DraftProblem(OUT, "out-missing", missing=True)


def _read_out(draft: Draft, rules: Ruleset, unfinished: set[int]) -> Out | None:
    """Who went out; None if nobody did, or if that side is not readable."""
    side = side_chosen(draft, OUT, rules)
    if side is None or side in unfinished:
        return None
    player = draft.get(OUT, "").partition(".")[2]
    players = rules.settings.players_of(side)
    is_player = player in map(str, range(players))
    return Out(
        side,
        concealed=CONCEALED in draft,
        discard=_last_discard(draft),
        player=int(player) if is_player else None,
    )


def _last_discard(draft: Draft) -> Reading | None:
    """The last card discarded: `NOTHING` for none, None if that is not noted."""
    text = draft.get(DISCARD, "").strip()
    if text:
        return read_cards(text)
    return NOTHING if DISCARD_NONE in draft else None
