"""A pad on a data file of its own, a clock that a test turns, and a table that plays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count as numbers
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, DeviceId, MatchId, RequestId
from scorepad.matches.actions import NewPenalty
from scorepad.matches.events import EndHow, Ending, Labels
from scorepad.matches.hands import SentHand, ShownCounts, ShownDraft
from scorepad.matches.keys import NO_KEYS, Keys
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import Hand
from scorepad.storage import Storage
from tests.hands_read import hand_of

PHONE, TABLET = DeviceId("phone"), DeviceId("tablet")
TWO_AGAINST_TWO = NewMatch(
    variant="classica",
    preset=None,
    options={},
    labels=Labels(names=("Noi", "Loro"), players=(("Ada", "Ugo"), ("Eva", "Ivo"))),
)


def labels(**changes: Any) -> Labels:
    """The names of TWO_AGAINST_TWO with these changes: `labels(place="Roma")`."""
    return replace(TWO_AGAINST_TWO.labels, **changes)


class Clock:
    """Half past eight, and a second more at every look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 7, 20, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def side_counted(cards: int = 0, left: int = 0, **more: Any) -> dict[str, Any]:
    """What a side counted at the table: the points of the cards it laid, the points left in its
    hands, and how many canastas it has of a kind: `mixed_canasta=1`.
    """
    threes = more.pop("red_threes", 0)
    canastas = {name.replace("_", "-"): number for name, number in more.items()}
    return {"totals": {"canastas": canastas, "cards": cards}, "left": left, "red_threes": threes}


def hand(a: Mapping[str, Any], b: Mapping[str, Any], out: str | None = None) -> Hand:
    """A hand of two sides."""
    return hand_of({"sides": {"a": a, "b": b}, "out": {"side": out} if out else None})


def hand_of_430_and_60() -> Hand:
    """A hand worth 430 and 60: 300 + 150 − 20, and 100 − 40."""
    return hand(side_counted(cards=150, left=20, mixed_canasta=1), side_counted(cards=100, left=40))


def steps(work: Callable[[], object]) -> int:
    """Lines of Python that this runs: not a time, and the same on every machine."""
    count, before = 0, sys.gettrace()

    def trace(_: FrameType, __: str, ___: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@dataclass
class Table:
    """A match with somebody who plays it through the pad."""

    pad: Pad
    match: MatchId
    device: DeviceId = PHONE
    numbers: Iterator[int] = field(default_factory=lambda: numbers(1))
    keys: Keys = NO_KEYS
    """Those that let others in."""

    @property
    def state(self) -> MatchState:
        return self.pad.state(self.match, self.device)

    @property
    def totals(self) -> list[int]:
        return [side.total for side in self.state.sides]

    def request(self) -> RequestId:
        return RequestId(f"{self.match}-{self.device}-{next(self.numbers)}")

    def count(
        self,
        played: Hand,
        draft: Mapping[str, str] | None = None,
        request: RequestId | None = None,
        **said: Any,
    ) -> Any:
        """Count this as the coming hand, whatever its version."""
        coming = self.pad.open(self.match, self.device)
        shown = ShownDraft(coming.id, coming.version)
        sent = SentHand(hand=played, draft=draft, **said)
        return self.pad.count(request or self.request(), self.match, self.device, shown, sent)

    def play(self, *hands: Hand, **said: str) -> None:
        for played in hands:
            told = self.count(played, **said)
            assert isinstance(told, Saved), told

    def keep(self, draft: Mapping[str, str]) -> Any:
        """Type this into the form of the coming hand."""
        coming = self.pad.open(self.match, self.device)
        shown = ShownDraft(coming.id, coming.version)
        return self.pad.store_draft(self.match, self.device, shown, draft)

    def entry(self, number: int = 1) -> int:
        """The entry of the count of a hand that holds."""
        return self.state.hands[number - 1].versions[-1].sequence

    def do(self, action: Callable[..., Any], *told: Any, **more: Any) -> Any:
        """Do this in the match, as one more submission of this device."""
        return action(self.request(), self.match, self.device, *told, **more)

    def correct(self, number: int, played: Hand, note: str = "") -> Any:
        sent = SentHand(hand=played, reason=note)
        return self.do(self.pad.correct, number, self.entry(number), sent)

    def undo(self, reason: str = "") -> Any:
        return self.do(self.pad.undo, self.state.sequence, reason)

    def redo(self) -> Any:
        return self.do(self.pad.redo, self.state.sequence)

    def let_in(self, device: DeviceId, access: Access = Access.WRITE) -> Table:
        """Another device comes in by its key, and sits down."""
        key = self.keys.view if access is Access.VIEW else self.keys.write
        self.pad.devices.enter(key, device)
        return replace(self, device=device)

    def note(self, side: int) -> None:
        """Note that this side drew out of turn in the hand that is being played."""
        coming = self.pad.open(self.match, self.device)
        self.do(self.pad.actions.add_penalty, coming.id, NewPenalty(side, "draw-out-of-turn"))

    def swap(self, seat: tuple[int, int], was: str, name: str) -> None:
        """Another player takes a seat."""
        saved = self.do(self.pad.actions.replace, seat, was, name)
        assert isinstance(saved, Saved), saved

    def check(self, *, on: bool = True) -> None:
        """From now on the other side checks every hand, or none."""
        self.do(self.pad.checking.switch, on=on)

    def confirm(self, number: int = 1) -> Any:
        return self.do(self.pad.checking.confirm, number, self.entry(number))

    def contest(self, played: Hand, number: int = 1, reason: str = "") -> Any:
        sent = SentHand(hand=played, reason=reason)
        return self.do(self.pad.checking.contest, number, self.entry(number), sent)

    def choose(self, shown: ShownCounts, chosen: int, number: int = 1) -> Any:
        return self.do(self.pad.checking.choose, number, shown, chosen)

    def end(self, how: EndHow, **more: Any) -> None:
        """End the match as agreed."""
        saved = self.do(self.pad.actions.end, len(self.state.hands), Ending(how, **more))
        assert isinstance(saved, Saved), saved

    def rematch(self, best_of: Any = 0) -> Table:
        request = RequestId(f"rematch-{next(self.numbers)}")  # without the name of this match
        begun = self.pad.actions.rematch(request, self.match, self.device, best_of)
        assert isinstance(begun, Saved), begun
        return replace(self, match=begun.match, keys=begun.keys or NO_KEYS)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with Storage(tmp_path / "scorepad.db") as opened:
        yield opened


@pytest.fixture
def pad(storage: Storage, clock: Clock) -> Pad:
    return Pad(storage, clock)


Start = Callable[..., Table]
"""What the fixture `start` returns."""


@pytest.fixture
def start(pad: Pad) -> Start:
    """Start a match and sit down at it: `start()`, or with changes `start(practice=True)`."""
    requests = numbers(1)

    def start_match(
        new: NewMatch = TWO_AGAINST_TWO, device: DeviceId = PHONE, **changes: Any
    ) -> Table:
        request = RequestId(f"start-{next(requests)}")
        saved = pad.actions.start(request, device, replace(new, **changes))
        assert isinstance(saved, Saved), saved
        return Table(pad, saved.match, device, keys=saved.keys or NO_KEYS)

    return start_match


@pytest.fixture
def table(start: Start) -> Table:
    return start()


FIVE_HANDS = (
    hand(side_counted(cards=150, mixed_canasta=1), side_counted(cards=60, left=30)),
    hand(side_counted(cards=250, left=20, mixed_canasta=2), side_counted(cards=80, left=40)),
    hand(side_counted(cards=70, left=35), side_counted(cards=130, left=10, mixed_canasta=1)),
    hand(side_counted(cards=120, natural_canasta=1), side_counted(cards=50, left=60), out="a"),
    hand(side_counted(cards=100, left=15), side_counted(cards=110, left=5, mixed_canasta=1)),
)
"""Five hands, worth 450, 830, 35, 720, 85 for the first side and 30, 40, 420, −10, 405 for the
second.

Running: 450–30, 1280–70, 1315–490, 2035–480, 2120–885.
"""
SECOND_HAND_PUT_RIGHT = hand(
    side_counted(cards=250, left=20, natural_canasta=2), side_counted(cards=80, left=40)
)
"""The second hand with two natural canastas in place of mixed ones: 1000 + 250 − 20 = 1230, 400
more.
"""
