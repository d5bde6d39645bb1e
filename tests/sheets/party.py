"""A match on the pad with two phones in it, for what a table does beyond counting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count as numbers

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import MatchId, RequestId
from scorepad.matches.events import EndHow, Ending, Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import Hand
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.match_sheet import MatchSheet
from tests.hands_read import hand_of
from tests.matches.conftest import PHONE, TABLET, Clock, counted

ALONE = NewMatch("tre", None, {}, Labels(("Ada", "Bea", "Cleo"), ((), (), ())))


@dataclass
class Party:
    """A match on the pad, two phones that write in it, and its clock."""

    pad: Pad
    clock: Clock
    match: MatchId
    asked: Iterator[int] = field(default_factory=lambda: numbers(1))

    @property
    def state(self) -> MatchState:
        return self.pad.state(self.match, PHONE)

    @property
    def sheet(self) -> MatchSheet:
        return MatchSheet(self.state, words("it"))

    def request(self) -> RequestId:
        return RequestId(f"request-{next(self.asked)}")

    def play(self, *hands: Hand, said: Mapping[str, str] | None = None) -> None:
        for played in hands:
            coming = self.pad.open(self.match, PHONE)
            told = self.pad.count(
                self.request(),
                self.match,
                PHONE,
                ShownDraft(coming.id, coming.version),
                SentHand(hand=played, **(said or {})),
            )
            assert isinstance(told, Saved), told

    def entry(self, number: int) -> int:
        return self.state.hands[number - 1].versions[-1].sequence

    def check(self) -> None:
        assert isinstance(
            self.pad.checking.switch(self.request(), self.match, PHONE, on=True), Saved
        )

    def confirm(self, number: int) -> None:
        told = self.pad.checking.confirm(
            self.request(), self.match, TABLET, number, self.entry(number)
        )
        assert isinstance(told, Saved), told

    def contest(self, number: int, played: Hand, note: str = "") -> int:
        """The entry of the other counting."""
        told = self.pad.checking.contest(
            self.request(),
            self.match,
            TABLET,
            number,
            self.entry(number),
            SentHand(hand=played, reason=note),
        )
        assert isinstance(told, Saved), told
        contest = self.state.hands[number - 1].contest
        assert contest is not None
        return contest.sequence

    def end(self, how: EndHow, hands: int | None = None, side: int | None = None) -> None:
        ending = Ending(how, hands, side)
        told = self.pad.actions.end(
            self.request(), self.match, PHONE, len(self.state.hands), ending
        )
        assert isinstance(told, Saved), told

    def replace(self, seat: tuple[int, int], was: str, name: str) -> None:
        assert isinstance(
            self.pad.actions.replace(self.request(), self.match, PHONE, seat, was, name), Saved
        )


def three(a: int, b: int, c: int) -> Hand:
    """A hand of three, each with a mixed canasta of 300 and so many points of cards."""
    sides = {
        key: counted(cards, mixed_canasta=1) for key, cards in zip("abc", (a, b, c), strict=True)
    }
    return hand_of({"sides": sides, "out": None}, SIDE_KEYS)
