"""The parts of a side's entry that a field of the form shows and changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from scorepad.rules.cards import NOTHING, Reading, gather_readings
from scorepad.rules.hand import (
    HOUSE,
    Adjustment,
    HeldByPlayer,
    HeldInPoints,
    HeldTogether,
    MeldEntry,
    PenaltyEntry,
    SideEntry,
    Totals,
)


class EntryPart(ABC):
    """A part of a side's entry, for example its red threes.

    The type of its value is that of the field: a number, a text, cards or melds.
    """

    @abstractmethod
    def get_value(self, entry: SideEntry) -> Any:
        """The value of this part in an entry; None if the entry does not have it."""

    @abstractmethod
    def entry_with(self, entry: SideEntry, value: Any) -> SideEntry:
        """A copy of an entry in which this part has the value."""


@dataclass(frozen=True)
class Attribute(EntryPart):
    """An attribute of the entry that holds a number or a name."""

    name: str

    def get_value(self, entry: SideEntry) -> int | str | None:
        value: int | str | None = getattr(entry, self.name)
        return value

    def entry_with(self, entry: SideEntry, value: int | str) -> SideEntry:
        changes: dict[str, Any] = {self.name: value}
        return replace(entry, **changes)


class LaidMelds(EntryPart):
    """The melds that the side has on the table at the end of the hand."""

    def get_value(self, entry: SideEntry) -> tuple[MeldEntry, ...] | None:
        return entry.melds or None

    def entry_with(self, entry: SideEntry, value: tuple[MeldEntry, ...]) -> SideEntry:
        return replace(entry, melds=value)


class OpeningMelds(EntryPart):
    """The melds that the side laid first in the hand. None of them is concealed."""

    def get_value(self, entry: SideEntry) -> tuple[MeldEntry, ...] | None:
        if not entry.opening:
            return None
        return tuple(MeldEntry(reading) for reading in entry.opening)

    def entry_with(self, entry: SideEntry, value: tuple[MeldEntry, ...]) -> SideEntry:
        return replace(entry, opening=tuple(meld.reading for meld in value))


# ------------------------------------------------------------------------------------------- totals


class CardPoints(EntryPart):
    """The points of all cards laid, counted at the table."""

    def get_value(self, entry: SideEntry) -> int | None:
        if entry.totals is None:
            return None
        return entry.totals.cards

    def entry_with(self, entry: SideEntry, value: int) -> SideEntry:
        totals = entry.totals or Totals(0)
        return replace(entry, totals=replace(totals, cards=value))


@dataclass(frozen=True)
class CanastaCount(EntryPart):
    """How many canastas of a kind were counted at the table."""

    item: str

    def get_value(self, entry: SideEntry) -> int | None:
        if entry.totals is None:
            return None
        return entry.totals.canastas.get(self.item)

    def entry_with(self, entry: SideEntry, value: int) -> SideEntry:
        totals = entry.totals or Totals(0)
        canastas = {**totals.canastas, self.item: value}
        return replace(entry, totals=replace(totals, canastas=canastas))


@dataclass(frozen=True)
class IncompleteCount(EntryPart):
    """How many melds that cost points because they are no canasta were counted at the table."""

    name: str

    def get_value(self, entry: SideEntry) -> int | None:
        if entry.totals is None:
            return None
        return entry.totals.incomplete.get(self.name)

    def entry_with(self, entry: SideEntry, value: int) -> SideEntry:
        totals = entry.totals or Totals(0)
        incomplete = {**totals.incomplete, self.name: value}
        return replace(entry, totals=replace(totals, incomplete=incomplete))


# ------------------------------------------------------------------------------------- cards in hand
#
# The cards that the players of a side still hold are known in one of three forms: in points, of all
# players together, or by player. Each form has a field of its own, which is blank if the entry has
# another form.


class PointsHeld(EntryPart):
    """The points of the cards that its players hold, if only these were counted."""

    def get_value(self, entry: SideEntry) -> int | None:
        if not entry.left.is_in_points:
            return None
        return entry.left.points

    def entry_with(self, entry: SideEntry, value: int) -> SideEntry:
        return replace(entry, left=HeldInPoints(value))


@dataclass(frozen=True)
class CardsHeld(EntryPart):
    """The cards that the players of a side hold, in its only field for them.

    The text may be in parts, `K 4 / 9`. As many parts as there are `players` are the cards of each;
    any other number of parts are the cards of all together.
    """

    players: int

    def get_value(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        return entry.held or None

    def entry_with(self, entry: SideEntry, value: tuple[Reading, ...]) -> SideEntry:
        if self.players > 1 and len(value) == self.players:
            return replace(entry, left=HeldByPlayer(value))
        return replace(entry, left=HeldTogether(gather_readings(*value)))


class CardsHeldTogether(EntryPart):
    """The cards of all players entered together, although each player has a field."""

    def get_value(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        if entry.left.is_by_player:
            return None
        return entry.held or None

    def entry_with(self, entry: SideEntry, value: tuple[Reading, ...]) -> SideEntry:
        return replace(entry, left=HeldTogether(gather_readings(*value)))


@dataclass(frozen=True)
class CardsOfPlayer(EntryPart):
    """The cards of one of several players, by the index of the player."""

    player: int
    players: int

    def get_value(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        if not entry.left.is_by_player:
            return None
        return (entry.held[self.player],)

    def entry_with(self, entry: SideEntry, value: tuple[Reading, ...]) -> SideEntry:
        """A copy of the entry with the cards of this player. The other players keep theirs; until
        these are known they hold none.
        """
        cards_of_each = [NOTHING] * self.players
        if entry.left.is_by_player:
            cards_of_each = list(entry.held)
        cards_of_each[self.player] = gather_readings(*value)
        return replace(entry, left=HeldByPlayer(tuple(cards_of_each)))


# --------------------------------------------------------------------------- penalties and the like


@dataclass(frozen=True)
class PenaltyCount(EntryPart):
    """How often a side has a penalty of the variant."""

    code: str

    def get_value(self, entry: SideEntry) -> int | None:
        count = sum(penalty.code == self.code for penalty in entry.penalties)
        return count or None

    def entry_with(self, entry: SideEntry, value: int) -> SideEntry:
        """A copy of an entry with this penalty added so many times."""
        added = (PenaltyEntry(self.code),) * value
        return replace(entry, penalties=entry.penalties + added)


@dataclass(frozen=True)
class BonusCount(EntryPart):
    """How often a side has a bonus of the variant."""

    code: str

    def get_value(self, entry: SideEntry) -> int | None:
        return entry.bonuses.count(self.code) or None

    def entry_with(self, entry: SideEntry, value: int) -> SideEntry:
        """A copy of an entry with this bonus added so many times."""
        added = (self.code,) * value
        return replace(entry, bonuses=entry.bonuses + added)


@dataclass(frozen=True)
class HousePenaltyPart(EntryPart):
    """The points or the reason (`attribute`) of one of the penalties that the table defined itself.

    `index` counts these penalties from 0.
    """

    index: int
    attribute: str

    def get_value(self, entry: SideEntry) -> int | str | None:
        house_penalties = [penalty for penalty in entry.penalties if penalty.code == HOUSE]
        if self.index >= len(house_penalties):
            return None
        value: int | str | None = getattr(house_penalties[self.index], self.attribute)
        return value

    def entry_with(self, entry: SideEntry, value: int | str) -> SideEntry:
        """A copy of the entry with this value; blank penalties are added up to the index."""
        other_penalties = [penalty for penalty in entry.penalties if penalty.code != HOUSE]
        house_penalties = [penalty for penalty in entry.penalties if penalty.code == HOUSE]
        while len(house_penalties) <= self.index:
            house_penalties.append(PenaltyEntry(HOUSE))
        changes: dict[str, Any] = {self.attribute: value}
        house_penalties[self.index] = replace(house_penalties[self.index], **changes)
        return replace(entry, penalties=(*other_penalties, *house_penalties))


@dataclass(frozen=True)
class AdjustmentPart(EntryPart):
    """The points or the reason (`attribute`) of one of the corrections agreed at the table.

    `index` counts the corrections from 0.
    """

    index: int
    attribute: str

    def get_value(self, entry: SideEntry) -> int | str | None:
        if self.index >= len(entry.adjustments):
            return None
        value: int | str = getattr(entry.adjustments[self.index], self.attribute)
        return value

    def entry_with(self, entry: SideEntry, value: int | str) -> SideEntry:
        """A copy of the entry with this value; blank corrections are added up to the index."""
        adjustments = list(entry.adjustments)
        while len(adjustments) <= self.index:
            adjustments.append(Adjustment(0, ""))
        changes: dict[str, Any] = {self.attribute: value}
        adjustments[self.index] = replace(adjustments[self.index], **changes)
        return replace(entry, adjustments=tuple(adjustments))
