"""How the match sheet calls sides, players and the lines of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word
from scorepad.pad.lines import LineKey
from scorepad.pad.values import MatchState, SideHand
from scorepad.rules.seats import Seat
from scorepad.rules.terms import Partnership
from scorepad.rules.variants import sources
from scorepad.sheets import Lacking, is_spelt, isolated, told_apart

_KINDS = {1: "player", 2: "side"}
"""What a side of so many players is called; of more it is a team."""


class PaperWords:
    """The words of one match: `words` with the names of its sides and players, as they stand on paper.

    Of `lacking` none can be drawn: who is called by nothing else is called by the seat too.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking) -> None:
        self.words, self._lacking, self._variant = words, lacking, state.rules.variant
        self._before, self._sat = state.played, state.sat
        self._unit, self._partnership = state.rules.settings.unit, state.rules.settings.partnership
        sides = [side.name for side in state.sides]
        self._known = [name for side in state.sides for name in side.players]
        self._numbers = tuple(self._number(len(side.players), place) for place, side in enumerate(state.sides, 1))
        self.names = tuple(
            told_apart(name, number, sides, lacking) for name, number in zip(sides, self._numbers, strict=True)
        )
        self._seated = tuple(
            tuple(self._player(name, side, index) for index, name in enumerate(stands.players))
            for side, stands in enumerate(state.sides)
        )
        self.players = tuple(tuple(filter(None, seated)) for seated in self._seated)

    @property
    def pairs_are_fixed(self) -> bool:
        """Whether the same play together, or each alone, in every hand."""
        return self._partnership is Partnership.FIXED

    @property
    def unit(self) -> str:
        """What the match is counted in."""
        return self.words.text(f"sheets.{self._unit}-head")

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the sides in a chart, where a name that is not legible there gives way to the side's number."""
        return tuple(
            name if is_spelt(name, self._lacking) else number
            for name, number in zip(self.names, self._numbers, strict=True)
        )

    def number(self, hand: int) -> int:
        """The number of a hand among all those of the match; on paper those before the pad count as well."""
        return self._before + hand

    def counted(self, number: int) -> str:
        """So many points, or units."""
        return self.words.text(f"sheets.{self._unit}", points=number)

    def free(self, text: str) -> str:
        """What somebody wrote freely."""
        return isolated(text)

    def seat(self, seat: Seat) -> str:
        """A player by name; where nobody is named, by side and seat."""
        side, index = seat
        seated = self._seated[side]
        if index < len(seated) and seated[index]:
            return seated[index]
        return self.names[side] if len(seated) == 1 else self._at(side, index)

    def seat_in(self, seat: Seat, hand: int) -> str:
        """Who sat there in a hand of the pad. A side of one goes by its name, whoever plays for it."""
        side, index = seat
        if len(self._seated[side]) == 1:
            return self.seat(seat)
        return self._player(self._sat(seat, hand), side, index) or self._at(side, index)

    def _at(self, side: int, index: int) -> str:
        return self.words.text("sheets.seat", side=self.names[side], number=index + 1)

    def _number(self, players: int, number: int) -> str:
        """A side whatever its name."""
        return self.words.text(f"sheets.number.{_KINDS.get(players, 'team')}", number=number)

    def _player(self, name: str, side: int, index: int) -> str:
        return told_apart(name, self._at(side, index), self._known, self._lacking) if name else ""

    def opening(self, side: SideHand) -> str:
        """The opening minimum that a side had, and whether it never opened."""
        if side.minimum is None:
            return ""
        if side.opened is False:
            return self.words.text("sheets.not-opened", minimum=side.minimum)
        return self.words.figure(side.minimum)

    def item(self, key: LineKey, hand: Mapping[str, Any]) -> str:
        """What a line is for: a penalty goes by its own name, and so does a concealed going out."""
        if key.item == "out" and (hand.get("out") or {}).get("concealed"):
            return self.words.text("item.out-concealed")
        if key.code is not None:
            return self.words.text(f"penalty.{key.code}")
        return item_word(self._variant, key.item, self.words)

    def detail(self, key: LineKey) -> str:
        """What there is to say of a line beside its item."""
        return self.words.text("sheets.unverified") if key.item == "sum" else ""

    def what(self, key: LineKey, hand: Mapping[str, Any]) -> str:
        """A line in one piece of text."""
        item, detail = self.item(key, hand), self.detail(key)
        return f"{item} ({detail})" if detail else item

    def source(self, place: str) -> str:
        """A place in a source as people read it: its title and its section."""
        name, _, section = place.partition(":")
        titles = {str(key): source.title for key, source in sources().items()}
        return self.words.text("sheets.source", title=titles[name], section=section) if name in titles else place
