"""How the match sheet calls sides, players and the lines of a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.i18n import Words
from scorepad.pad.values import MatchState, SideHand
from scorepad.rules.score import Line
from scorepad.rules.seats import Seat
from scorepad.rules.variants import sources
from scorepad.sheets import isolated


@dataclass(frozen=True, slots=True)
class LineKey:
    """What a line is for. `place` tells several of the same item and code apart."""

    item: str
    code: str | None
    place: int


def keyed(lines: Iterable[Line]) -> dict[LineKey, Line]:
    """The lines of a side by what they are for, so that those of two sides, or of two countings, meet."""
    seen: Counter[tuple[str, str | None]] = Counter()
    found = {}
    for line in lines:
        found[LineKey(line.item, line.code, seen[line.item, line.code])] = line
        seen[line.item, line.code] += 1
    return found


class PaperWords:
    """The words of one match: `words` with the names of its sides and players, as they stand on paper."""

    def __init__(self, state: MatchState, words: Words) -> None:
        self.words = words
        self.names = tuple(isolated(side.name) for side in state.sides)
        self.players = tuple(tuple(isolated(name) for name in side.players if name) for side in state.sides)
        self._seated = tuple(side.players for side in state.sides)

    def free(self, text: str) -> str:
        """What somebody wrote freely."""
        return isolated(text)

    def seat(self, seat: Seat) -> str:
        """A player by name; where nobody is named, by side and seat."""
        side, index = seat
        seated = self._seated[side]
        if index < len(seated) and seated[index]:
            return isolated(seated[index])
        if len(seated) == 1:
            return self.names[side]
        return self.words.text("sheets.seat", side=self.names[side], number=index + 1)

    def opening(self, side: SideHand) -> str:
        """The opening minimum that a side had, and whether it never opened."""
        if side.minimum is None:
            return ""
        if side.opened is False:
            return self.words.text("sheets.not-opened", minimum=side.minimum)
        return self.words.figure(side.minimum)

    def item(self, key: LineKey) -> str:
        """What a line is for: a penalty goes by its own name."""
        return self.words.text(f"item.{key.item}" if key.code is None else f"penalty.{key.code}")

    def detail(self, key: LineKey, hand: Mapping[str, Any]) -> str:
        """What there is to say of a line beside its item."""
        if key.item == "out" and (hand.get("out") or {}).get("concealed"):
            return self.words.text("sheets.concealed")
        return self.words.text("sheets.unchecked") if key.item == "sum" else ""

    def what(self, key: LineKey, hand: Mapping[str, Any]) -> str:
        """A line in one piece of text."""
        item, detail = self.item(key), self.detail(key, hand)
        return f"{item} ({detail})" if detail else item

    def source(self, place: str) -> str:
        """A place in a source as people read it: its title and its section."""
        name, _, section = place.partition(":")
        titles = {str(key): source.title for key, source in sources().items()}
        return self.words.text("sheets.source", title=titles[name], section=section) if name in titles else place
