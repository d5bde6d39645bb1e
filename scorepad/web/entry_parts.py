"""The parts of a side's entry that a field of the form holds: got from the entry, and put into it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from scorepad.rules.cards import NOTHING, Reading, gather_readings
from scorepad.rules.hand import (
    HOUSE,
    Adjustment,
    MeldEntry,
    PenaltyEntry,
    SideEntry,
    Totals,
)


class EntryPart(ABC):
    """A part of a side's entry. Its values are those of the type of its field."""

    @abstractmethod
    def get(self, side: SideEntry) -> Any:
        """Its value; None if the entry has none."""

    @abstractmethod
    def put(self, side: SideEntry, value: Any) -> SideEntry:
        """The entry with this value."""


@dataclass(frozen=True)
class Attribute(EntryPart):
    """An attribute that holds a number or a name."""

    name: str

    def get(self, side: SideEntry) -> int | str | None:
        value: int | str | None = getattr(side, self.name)
        return value

    def put(self, side: SideEntry, value: int | str) -> SideEntry:
        changes: dict[str, Any] = {self.name: value}
        return replace(side, **changes)


class LaidMelds(EntryPart):
    def get(self, side: SideEntry) -> tuple[MeldEntry, ...] | None:
        return side.melds or None

    def put(self, side: SideEntry, value: tuple[MeldEntry, ...]) -> SideEntry:
        return replace(side, melds=value)


class OpeningMelds(EntryPart):
    """The melds of the first turn, which have no concealed ones."""

    def get(self, side: SideEntry) -> tuple[MeldEntry, ...] | None:
        return tuple(map(MeldEntry, side.opening)) if side.opening else None

    def put(self, side: SideEntry, value: tuple[MeldEntry, ...]) -> SideEntry:
        return replace(side, opening=tuple(meld.reading for meld in value))


# ------------------------------------------------------------------------------------------- totals


class CardPoints(EntryPart):
    """The points of all cards laid, counted at the table."""

    def get(self, side: SideEntry) -> int | None:
        return side.totals.cards if side.totals else None

    def put(self, side: SideEntry, value: int) -> SideEntry:
        return replace(side, totals=replace(side.totals or Totals(0), cards=value))


@dataclass(frozen=True)
class CanastaCount(EntryPart):
    """How many canastas of a kind were counted at the table."""

    item: str

    def get(self, side: SideEntry) -> int | None:
        return side.totals.canastas.get(self.item) if side.totals else None

    def put(self, side: SideEntry, value: int) -> SideEntry:
        totals = side.totals or Totals(0)
        canastas = {**totals.canastas, self.item: value}
        return replace(side, totals=replace(totals, canastas=canastas))


@dataclass(frozen=True)
class IncompleteCount(EntryPart):
    """How many melds that cost points were counted at the table."""

    name: str

    def get(self, side: SideEntry) -> int | None:
        return side.totals.incomplete.get(self.name) if side.totals else None

    def put(self, side: SideEntry, value: int) -> SideEntry:
        totals = side.totals or Totals(0)
        incomplete = {**totals.incomplete, self.name: value}
        return replace(side, totals=replace(totals, incomplete=incomplete))


# ------------------------------------------------------------------------------------- cards in hand
#
# `SideEntry.left` has one of three forms: the points of all held cards, the cards of all players
# together, or the cards of each player. A field holds only one of them: in an entry with another
# form it has no value.


class HeldPoints(EntryPart):
    """The points of the cards that its players hold, if only these were counted."""

    def get(self, side: SideEntry) -> int | None:
        return side.left if isinstance(side.left, int) else None

    def put(self, side: SideEntry, value: int) -> SideEntry:
        return replace(side, left=value)


@dataclass(frozen=True)
class HeldTogether(EntryPart):
    """The cards of all `players` in one field; those of each player if there are as many parts."""

    players: int

    def get(self, side: SideEntry) -> tuple[Reading, ...] | None:
        match side.left:
            case Reading() as cards_of_all:
                return (cards_of_all,)
            case tuple() as cards_of_each:
                return cards_of_each
        return None

    def put(self, side: SideEntry, value: tuple[Reading, ...]) -> SideEntry:
        is_of_each_player = self.players > 1 and len(value) == self.players
        return replace(side, left=value if is_of_each_player else gather_readings(*value))


class HeldByAll(EntryPart):
    """The cards of all players, entered together although each player has a field."""

    def get(self, side: SideEntry) -> tuple[Reading, ...] | None:
        is_together = isinstance(side.left, Reading)
        return side.held if is_together and side.held else None

    def put(self, side: SideEntry, value: tuple[Reading, ...]) -> SideEntry:
        return replace(side, left=gather_readings(*value))


@dataclass(frozen=True)
class HeldByPlayer(EntryPart):
    """The cards of one of several players."""

    player: int
    players: int

    def get(self, side: SideEntry) -> tuple[Reading, ...] | None:
        if side.left == NOTHING:
            return (NOTHING,)
        return (side.left[self.player],) if isinstance(side.left, tuple) else None

    def put(self, side: SideEntry, value: tuple[Reading, ...]) -> SideEntry:
        """The entry with the cards of this player; the others keep theirs, or hold none yet."""
        cards_of_each = [NOTHING] * self.players
        if isinstance(side.left, tuple):
            cards_of_each = list(side.left)
        cards_of_each[self.player] = gather_readings(*value)
        return replace(side, left=tuple(cards_of_each))


# --------------------------------------------------------------------------- penalties and the like


@dataclass(frozen=True)
class PenaltyCount(EntryPart):
    """How often a side has a penalty of the variant."""

    code: str

    def get(self, side: SideEntry) -> int | None:
        return sum(penalty.code == self.code for penalty in side.penalties) or None

    def put(self, side: SideEntry, value: int) -> SideEntry:
        added = (PenaltyEntry(self.code),) * value
        return replace(side, penalties=(*side.penalties, *added))


@dataclass(frozen=True)
class BonusCount(EntryPart):
    """How often a side has a bonus of the variant."""

    code: str

    def get(self, side: SideEntry) -> int | None:
        return side.bonuses.count(self.code) or None

    def put(self, side: SideEntry, value: int) -> SideEntry:
        return replace(side, bonuses=(*side.bonuses, *(self.code,) * value))


@dataclass(frozen=True)
class HousePenaltyPart(EntryPart):
    """The points or the reason of one of the penalties defined by the table; `index` counts them."""

    index: int
    attribute: str

    def get(self, side: SideEntry) -> int | str | None:
        rows = [penalty for penalty in side.penalties if penalty.code == HOUSE]
        return getattr(rows[self.index], self.attribute) if self.index < len(rows) else None

    def put(self, side: SideEntry, value: int | str) -> SideEntry:
        others = [penalty for penalty in side.penalties if penalty.code != HOUSE]
        rows = [penalty for penalty in side.penalties if penalty.code == HOUSE]
        while len(rows) <= self.index:
            rows.append(PenaltyEntry(HOUSE))
        changes: dict[str, Any] = {self.attribute: value}
        rows[self.index] = replace(rows[self.index], **changes)
        return replace(side, penalties=(*others, *rows))


@dataclass(frozen=True)
class AdjustmentPart(EntryPart):
    """The points or the reason of one of the agreed corrections; `index` counts them."""

    index: int
    attribute: str

    def get(self, side: SideEntry) -> int | str | None:
        if self.index >= len(side.adjustments):
            return None
        value: int | str = getattr(side.adjustments[self.index], self.attribute)
        return value

    def put(self, side: SideEntry, value: int | str) -> SideEntry:
        rows = list(side.adjustments)
        while len(rows) <= self.index:
            rows.append(Adjustment(0, ""))
        changes: dict[str, Any] = {self.attribute: value}
        rows[self.index] = replace(rows[self.index], **changes)
        return replace(side, adjustments=tuple(rows))
