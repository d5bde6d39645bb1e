"""Names on paper and in pictures: text that people wrote made fit for print, sides and players as they are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.rules.match import Seat

Lacking = frozenset[str]
"""Characters that no font of this machine has."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ISOLATES = frozenset({"RLI", "LRI", "FSI", "PDI"})
_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF"}) | _ISOLATES
"""Classes of characters that can change the direction of the text around them."""
_KINDS = {1: "player", 2: "side"}
"""What a side of so many players is called; of more it is a team."""


class Names:
    """The sides and players of a match as they stand on paper.

    A side or player whose name cannot be drawn, because all its characters are `lacking`, is called by the seat too.

    Attributes: `sides`, the names of the sides; `players`, by side, those who have a name; `drawn`, the names of the
    sides in a chart, where a name that is not legible gives way to the side's number.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking) -> None:
        self._state, self._words, self._lacking = state, words, lacking
        named = [side.name for side in state.sides]
        self._known = [name for side in state.sides for name in side.players]
        numbers = [
            words.text(f"sheets.number.{_KINDS.get(len(side.players), 'team')}", number=number)
            for number, side in enumerate(state.sides, 1)
        ]
        called = list(zip(named, numbers, strict=True))
        self.sides = tuple(told_apart(name, number, named, lacking) for name, number in called)
        self.players = tuple(
            tuple(self._player(name, (side, index)) for index, name in enumerate(each.players) if name)
            for side, each in enumerate(state.sides)
        )
        self.drawn = tuple(
            name if is_legible(name, lacking) else number for name, number in zip(self.sides, numbers, strict=True)
        )

    def seat(self, seat: Seat, hand: int | None = None) -> str:
        """Who sits there, or sat there in a hand of the pad: by name or, unnamed, by side and seat.

        A side of one goes by its name, whoever plays for it.
        """
        side, index = seat
        players = self._state.sides[side].players
        if hand is not None and len(players) > 1:
            name = self._state.sat(seat, hand)
        else:
            name = players[index] if index < len(players) else ""
        if name:
            return self._player(name, seat)
        return self.sides[side] if len(players) == 1 else self._place(seat)

    def _place(self, seat: Seat) -> str:
        return self._words.text("web.seat.unnamed", side=self.sides[seat[0]], place=seat[1] + 1)

    def _player(self, name: str, seat: Seat) -> str:
        return told_apart(name, self._place(seat), self._known, self._lacking)


def told_apart(name: str, otherwise: str, others: Iterable[str], lacking: Lacking) -> str:
    """A name; with another one behind it where what can be drawn of it names nobody, or one of the others as well."""
    drawn = _drawn(name, lacking)
    if any(map(str.isalnum, drawn)) and drawn not in {_drawn(other, lacking) for other in others if other != name}:
        return isolated(name)
    return f"{isolated(name)} ({otherwise})" if lacking else isolated(name)


def is_legible(name: str, lacking: Lacking) -> bool:
    """Whether a name is legible letter by letter from left to right, which is how WeasyPrint draws it in a picture."""
    return not any(
        character in lacking
        or unicodedata.bidirectional(character) in _TURNING
        or unicodedata.category(character)[0] in "MC"
        or unicodedata.category(character) == "So"
        for character in name
    )


def isolated(name: str) -> str:
    """A name that leaves the order of the text around it alone, whichever way it is written."""
    if not any(unicodedata.bidirectional(character) in _TURNING for character in name):
        return name
    kept = "".join(character for character in name if unicodedata.bidirectional(character) not in _ISOLATES)
    return f"\N{FIRST STRONG ISOLATE}{kept}\N{POP DIRECTIONAL ISOLATE}"


def printable(value: object) -> object:
    """A value without what cannot be printed: controls and lone surrogates become `�`, line ends spaces."""
    if not isinstance(value, str) or hasattr(value, "__html__") or value.isprintable():
        return value
    return "".join(_printable(character) for character in value)


def _drawn(name: str, lacking: Lacking) -> str:
    return " ".join("".join(character for character in name if character not in lacking).split())


def _printable(character: str) -> str:
    if character.isspace():
        return " "
    return REPLACEMENT if unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co") else character
