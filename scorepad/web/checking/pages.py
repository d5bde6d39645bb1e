"""The pages on which a side checks what the other counted, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from flask import url_for
from wtforms import IntegerField

from scorepad.i18n import Words
from scorepad.pad.values import HandState, HandVersion, MatchState
from scorepad.sheets.hand_rows import Table
from scorepad.web.forms import PadForm
from scorepad.web.frame import FieldError, Page
from scorepad.web.labels import moment
from scorepad.web.live.watching import watch
from scorepad.web.matches.hands import about, agreements, page_table


class CheckForm(PadForm):
    """What was shown of the hand: the entry of the counting that stands, and of the other one (0 for none)."""

    seen = IntegerField()
    other = IntegerField()

    @property
    def shown(self) -> tuple[int, int]:
        """The entries that the page showed; -1, which nothing has, for what no page of ours gave."""
        found = (self.seen.data, self.other.data)
        return tuple(each if isinstance(each, int) else -1 for each in found)  # type: ignore[return-value]


class SwitchForm(PadForm):
    """Turns checking on or off."""


@dataclass(frozen=True, slots=True)
class Counting:
    """One counting of a hand: whose, its lines, what was said; `chooses` is what its button sends, if it has one."""

    title: str
    whose: str
    """Whose it is in two words, as the head of a column."""
    table: Table
    said: tuple[str, ...]
    note: str
    chooses: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of a side that two countings have different points for: with how many of it, where that was counted."""

    label: str
    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPage(Page):
    """A hand to be checked: one counting to confirm, or two to choose from."""

    template: ClassVar[str] = "checking/hand.html"
    form: CheckForm
    back: str
    countings: tuple[Counting, ...]
    differences: tuple[Difference, ...]
    """Where two countings differ, line by line, with what that makes."""
    about: tuple[str, ...]
    can_check: bool
    why_not: str
    """Why there is nothing to do here; empty where there is."""
    contest: str
    """Where the other side counts the hand itself; empty where that is done already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPage(Page):
    """Whether one side counts and the other checks."""

    template: ClassVar[str] = "checking/switch.html"
    form: SwitchForm
    back: str
    is_on: bool


def hand_page(
    state: MatchState,
    hand: HandState,
    can_check: bool,
    choosable: tuple[bool, bool],
    words: Words,
    errors: tuple[FieldError, ...] = (),
) -> HandPage:
    """The page of a hand, with a fresh form for what it shows; `choosable`: which of two countings may be taken."""
    form, contest = CheckForm(formdata=None), hand.checked.contest
    form.seen.data, form.other.data = hand.versions[-1].entry, contest.entry if contest else 0
    versions = (hand.versions[-1], contest) if contest else (hand.versions[-1],)
    countings = tuple(
        _counting(state, version, place, words, choosable=choosable[place], of_two=contest is not None)
        for place, version in enumerate(versions)
    )
    why_not = "" if contest and state.access.can_write else _why_not(hand, can_check, words)
    return HandPage(
        title=words.text("checking.title.choose" if contest else "checking.title", number=state.called(hand.number)),
        errors=errors,
        watch=watch(state, url_for("checking.hand", match=state.id, number=hand.number), words),
        form=form,
        back=url_for("matches.page", match=state.id),
        countings=countings,
        differences=tuple(_differences(countings, words)),
        about=tuple(about(state, hand, words)),
        can_check=can_check and not contest,
        why_not=why_not,
        contest="" if contest else url_for("hand_entry.contest", match=state.id, number=hand.number),
    )


def switch_page(state: MatchState, words: Words, errors: tuple[FieldError, ...] = ()) -> SwitchPage:
    """The page of the switch."""
    back = url_for("matches.page", match=state.id)
    form = SwitchForm(formdata=None)
    return SwitchPage(
        title=words.text("checking.switch.title"),
        errors=errors,
        watch=watch(state, url_for("checking.switch", match=state.id), words),
        form=form,
        back=back,
        is_on=state.checking,
    )


def _why_not(hand: HandState, can_check: bool, words: Words) -> str:
    if hand.checked.confirmed:
        return words.text("checking.why-not.confirmed", when=moment(hand.checked.confirmed, words))
    return "" if can_check else words.text("checking.why-not.own")


def _differences(countings: tuple[Counting, ...], words: Words) -> Iterator[Difference]:
    """Where the points differ: a count that one typed and the other did not makes no difference by itself."""
    if len(countings) < 2:  # noqa: PLR2004 - two to be compared
        return
    one, other = (dict(_cells(counting.table, words)) for counting in countings)
    for name, side in sorted({**one, **other}, key=lambda key: key[0] == words.text("web.hand.total")):
        cells = [found.get((name, side)) for found in (one, other)]
        if len({cell.points if cell else "" for cell in cells}) > 1:
            told = (f"{cell.count} {cell.points}".strip() if cell else words.text("checking.nothing") for cell in cells)
            yield Difference(words.text("count.of-side", side=side, label=name), *told)


@dataclass(frozen=True, slots=True)
class _Cell:
    """How many, where that was counted, and the points."""

    count: str
    points: str


def _cells(table: Table, words: Words) -> Iterator[tuple[tuple[str, str], _Cell]]:
    """What stands in a table by its line and side, the sums too."""
    for row in table.rows:
        for side, line in zip(table.names, row.lines, strict=True):
            if line:
                has_count = line.count is not None and row.item != "out"
                count = words.text("web.times", count=line.count or 0) if has_count else ""
                yield (row.label, side), _Cell(count, words.signed(line.points))
    for side, points in zip(table.names, table.totals, strict=True):
        yield (words.text("web.hand.total"), side), _Cell("", words.signed(points))


def _counting(
    state: MatchState, version: HandVersion, place: int, words: Words, *, choosable: bool, of_two: bool
) -> Counting:
    names = tuple(side.name for side in state.sides)
    when = moment(version.at, words)
    if version.by is None:
        title = words.text(f"checking.counted.{place}" if of_two else "checking.counted", when=when)
        whose = words.text(f"checking.whose.{place}")
    else:
        title = words.text("checking.counted-by", side=names[version.by], when=when)
        whose = words.text("checking.whose", side=names[version.by])
    return Counting(
        title=title,
        whose=whose,
        table=page_table(version, names, state.rules.variant, words),
        said=tuple(agreements(version, names, words)),
        note=version.note,
        chooses=str(version.entry) if choosable else "",
    )
