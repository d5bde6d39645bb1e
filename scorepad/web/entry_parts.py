"""The parts of a side's entry that a field of the form shows and changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Literal

from scorepad.rules.cards import NOTHING, Reading, gather_readings
from scorepad.rules.hand import (
    HOUSE,
    HeldByPlayer,
    HeldInPoints,
    HeldTogether,
    MeldEntry,
    PenaltyEntry,
    SideEntry,
    Totals,
)


class EntryPart(ABC):
    """A part of a side's entry that a field shows, for example its red threes.

    The type of its value is that of the field: a number, a text, cards or melds.
    """

    @abstractmethod
    def get_value(self, entry: SideEntry) -> Any:
        """The value of this part in an entry; None if the entry does not have it."""


class StorablePart(EntryPart):
    """A part that is stored from one field. A penalty or correction with a reason has two fields."""

    @abstractmethod
    def entry_with(self, entry: SideEntry, value: Any, /) -> SideEntry:
        """A copy of an entry in which this part has the value, which is not None."""


@dataclass(frozen=True)
class Attribute(StorablePart):
    """An attribute of the entry that holds a number or a name."""

    name: str

    def get_value(self, entry: SideEntry) -> int | str | None:
        """The attribute, for example `entry.red_threes`."""
        value: int | str | None = getattr(entry, self.name)
        return value

    def entry_with(self, entry: SideEntry, value: int | str) -> SideEntry:
        """A copy of an entry in which the attribute has this value."""
        changes: dict[str, Any] = {self.name: value}
        return replace(entry, **changes)


class LaidMelds(StorablePart):
    """The melds that the side has on the table at the end of the hand."""

    def get_value(self, entry: SideEntry) -> tuple[MeldEntry, ...] | None:
        """The melds of an entry; None if it has none."""
        return entry.melds or None

    def entry_with(self, entry: SideEntry, melds: tuple[MeldEntry, ...]) -> SideEntry:
        """A copy of an entry with these melds in place of its own."""
        return replace(entry, melds=melds)


class OpeningMelds(StorablePart):
    """The melds that the side laid first in the hand. None of them is concealed."""

    def get_value(self, entry: SideEntry) -> tuple[MeldEntry, ...] | None:
        """The melds of the opening; None if it was not noted.

        An entry has only their cards; the field for melds takes them as `MeldEntry`.
        """
        if not entry.opening:
            return None
        return tuple(MeldEntry(cards) for cards in entry.opening)

    def entry_with(self, entry: SideEntry, melds: tuple[MeldEntry, ...]) -> SideEntry:
        """A copy of an entry whose opening has the cards of these melds."""
        return replace(entry, opening=tuple(meld.reading for meld in melds))


# ------------------------------------------------------------------------------------------- totals


def _totals_so_far(entry: SideEntry) -> Totals:
    """The totals that were stored in an entry, before any of them 0 points and no canastas."""
    if entry.totals is None:
        return Totals(cards=0)
    return entry.totals


class CardPoints(StorablePart):
    """The points of all cards laid, counted at the table."""

    def get_value(self, entry: SideEntry) -> int | None:
        """The points; None if the side was not counted in totals."""
        if entry.totals is None:
            return None
        return entry.totals.cards

    def entry_with(self, entry: SideEntry, points: int) -> SideEntry:
        """A copy of an entry with these points; the other totals that it has stay."""
        totals = replace(_totals_so_far(entry), cards=points)
        return replace(entry, totals=totals)


@dataclass(frozen=True)
class CanastaCount(StorablePart):
    """How many canastas of a kind were counted at the table."""

    item: str

    def get_value(self, entry: SideEntry) -> int | None:
        """The number of canastas of this kind; None if it was not counted."""
        if entry.totals is None:
            return None
        return entry.totals.canastas.get(self.item)

    def entry_with(self, entry: SideEntry, count: int) -> SideEntry:
        """A copy of an entry with this number of canastas of the kind; the other totals stay."""
        totals = _totals_so_far(entry)
        canastas = dict(totals.canastas)
        canastas[self.item] = count
        return replace(entry, totals=replace(totals, canastas=canastas))


@dataclass(frozen=True)
class IncompleteCount(StorablePart):
    """How many melds that cost points because they are no canasta were counted at the table."""

    name: str

    def get_value(self, entry: SideEntry) -> int | None:
        """The number of incomplete melds of this name; None if it was not counted."""
        if entry.totals is None:
            return None
        return entry.totals.incomplete.get(self.name)

    def entry_with(self, entry: SideEntry, count: int) -> SideEntry:
        """A copy of an entry with this number of incomplete melds; the other totals stay."""
        totals = _totals_so_far(entry)
        incomplete = dict(totals.incomplete)
        incomplete[self.name] = count
        return replace(entry, totals=replace(totals, incomplete=incomplete))


# ------------------------------------------------------------------------------------- cards in hand
#
# The cards that the players of a side still hold are known in one of three forms: in points, of all
# players together, or by player. Each form has a field of its own, which is blank if the entry has
# another form. The value of a field for cards is a tuple, because its text may have several parts.


class PointsHeld(StorablePart):
    """The points of the cards that its players hold, if only these were counted."""

    def get_value(self, entry: SideEntry) -> int | None:
        """The points of the held cards; None if the entry has the cards themselves."""
        if not entry.left.is_in_points:
            return None
        return entry.left.points

    def entry_with(self, entry: SideEntry, points: int) -> SideEntry:
        """A copy of an entry with these points for the held cards."""
        return replace(entry, left=HeldInPoints(points))


@dataclass(frozen=True)
class CardsHeld(StorablePart):
    """The cards that the players of a side hold, in its only field for them.

    The text may be in parts, `K 4 / 9`. As many parts as there are `players` are the cards of each;
    any other number of parts are the cards of all together.
    """

    players: int

    def get_value(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        """The held cards, of each player or of all in one; None if the entry has no held cards."""
        return entry.held or None

    def entry_with(self, entry: SideEntry, cards_of_parts: tuple[Reading, ...]) -> SideEntry:
        """A copy of an entry with these held cards, as in each part of the text between slashes.

        With two players `K 4 / 9` are the cards of each, and `K 4 9` those of both together.
        """
        has_part_for_each_player = self.players > 1 and len(cards_of_parts) == self.players
        if has_part_for_each_player:
            return replace(entry, left=HeldByPlayer(cards_of_parts))
        cards_of_all = gather_readings(*cards_of_parts)
        return replace(entry, left=HeldTogether(cards_of_all))


class CardsHeldTogether(StorablePart):
    """The cards of all players entered together, although each player has a field."""

    def get_value(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        """The cards of all players; None if nobody holds any, or the fields of the players show
        them.
        """
        if entry.left.is_by_player:
            return None
        if not entry.held:
            return None
        return entry.held

    def entry_with(self, entry: SideEntry, cards_of_parts: tuple[Reading, ...]) -> SideEntry:
        """A copy of an entry with these held cards, in however many parts they were typed: they are
        not told apart by player.
        """
        cards_of_all = gather_readings(*cards_of_parts)
        return replace(entry, left=HeldTogether(cards_of_all))


@dataclass(frozen=True)
class CardsOfPlayer(StorablePart):
    """The cards of one of several players, by the index of the player."""

    player: int
    players: int

    def get_value(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        """The cards of this player, as the only part of the text in the field of the player.

        None if the entry has the cards of all players together, which are shown in another field.
        """
        if not entry.left.is_by_player:
            return None
        cards_of_player = entry.held[self.player]
        return (cards_of_player,)

    def entry_with(self, entry: SideEntry, cards_of_parts: tuple[Reading, ...]) -> SideEntry:
        """A copy of the entry with the cards of this player. The other players keep theirs; until
        these are known they hold none.
        """
        if entry.left.is_by_player:
            cards_of_each = list(entry.held)
        else:
            cards_of_each = [NOTHING] * self.players
        cards_of_each[self.player] = gather_readings(*cards_of_parts)
        return replace(entry, left=HeldByPlayer(tuple(cards_of_each)))


# --------------------------------------------------------------------------- penalties and the like


@dataclass(frozen=True)
class PenaltyCount(StorablePart):
    """How often a side has a penalty of the variant."""

    code: str

    def get_value(self, entry: SideEntry) -> int | None:
        """How many of the penalties have this code; None if it is none."""
        same_penalties = [penalty for penalty in entry.penalties if penalty.code == self.code]
        return len(same_penalties) or None

    def entry_with(self, entry: SideEntry, count: int) -> SideEntry:
        """A copy of an entry with so many penalties of this code added, each as an item of its own:
        a count of 2 adds 2 items.
        """
        new_penalties = (PenaltyEntry(self.code),) * count
        return replace(entry, penalties=entry.penalties + new_penalties)


@dataclass(frozen=True)
class BonusCount(StorablePart):
    """How often a side has a bonus of the variant."""

    code: str

    def get_value(self, entry: SideEntry) -> int | None:
        """How many of the bonuses have this code; None if it is none."""
        return entry.bonuses.count(self.code) or None

    def entry_with(self, entry: SideEntry, count: int) -> SideEntry:
        """A copy of an entry to whose bonuses this code is added `count` times."""
        new_bonuses = (self.code,) * count
        return replace(entry, bonuses=entry.bonuses + new_bonuses)


# A penalty defined by the table, or a correction, has a row with two fields, for its points and for
# its reason. Only a complete row is stored, as a whole.

PartOfRow = Literal["points", "reason"]


@dataclass(frozen=True)
class HousePenaltyPart(EntryPart):
    """The points or the reason of one of the penalties that the table defined itself.

    `index` counts these penalties from 0, without those of the variant.
    """

    index: int
    part: PartOfRow

    def get_value(self, entry: SideEntry) -> int | str | None:
        """The points or the reason of this penalty; None if the entry has fewer such penalties."""
        # They have their own code, "house", and stand among the penalties of the variant.
        house_penalties = [penalty for penalty in entry.penalties if penalty.code == HOUSE]
        if self.index >= len(house_penalties):
            return None
        house_penalty = house_penalties[self.index]
        if self.part == "points":
            return house_penalty.points
        return house_penalty.reason


@dataclass(frozen=True)
class AdjustmentPart(EntryPart):
    """The points or the reason of one of the corrections agreed at the table.

    `index` counts the corrections from 0.
    """

    index: int
    part: PartOfRow

    def get_value(self, entry: SideEntry) -> int | str | None:
        """The points or the reason of this correction; None if the entry has fewer corrections."""
        if self.index >= len(entry.adjustments):
            return None
        adjustment = entry.adjustments[self.index]
        if self.part == "points":
            return adjustment.points
        return adjustment.reason
