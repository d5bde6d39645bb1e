"""The parts of a side's entry that a field of the form shows and changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Literal

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
)


class EntryPart(ABC):
    """A part of a side's entry that a field shows, for example its red threes.

    The type of its value is that of the field: a number, a text, cards or melds.
    """

    @abstractmethod
    def find_in(self, entry: SideEntry) -> Any:
        """Get the value of this part from the data of a side; None if the data do not have it.

        `entry` is all that is entered for a side in a hand (a round of the game).
        """


class StorablePart(EntryPart):
    """A part that is stored from one field.

    A penalty or correction with a reason has two fields, and totals have several.
    """

    @abstractmethod
    def copy_with(self, entry: SideEntry, value: Any, /) -> SideEntry:
        """Copy the data of a side with another value of this part, which is not None."""


@dataclass(frozen=True)
class Attribute(StorablePart):
    """An attribute of the entry that holds a number or a name."""

    name: str

    def find_in(self, entry: SideEntry) -> int | str | None:
        """Get the attribute with this name from the data of a side, such as `entry.red_threes`."""
        value: int | str | None = getattr(entry, self.name)
        return value

    def copy_with(self, entry: SideEntry, value: int | str) -> SideEntry:
        """Copy the data of a side with another value of the attribute with this part's name."""
        changes: dict[str, Any] = {self.name: value}
        return replace(entry, **changes)


class LaidMelds(StorablePart):
    """The melds that the side has on the table at the end of the hand."""

    def find_in(self, entry: SideEntry) -> tuple[MeldEntry, ...] | None:
        """Get the melds (sets of cards on the table) of a side; None if it has none."""
        return entry.melds or None

    def copy_with(self, entry: SideEntry, melds: tuple[MeldEntry, ...]) -> SideEntry:
        """Copy the data of a side with these melds in place of its own."""
        return replace(entry, melds=melds)


class OpeningMelds(StorablePart):
    """The melds that the side laid first in the hand. None of them is concealed."""

    def find_in(self, entry: SideEntry) -> tuple[MeldEntry, ...] | None:
        """Get the melds (sets of cards) that a side laid first; None if nobody noted them."""
        if not entry.opening:
            return None
        # The entry has only the cards of these melds. Fields take melds as `MeldEntry`.
        return tuple(MeldEntry(cards) for cards in entry.opening)

    def copy_with(self, entry: SideEntry, melds: tuple[MeldEntry, ...]) -> SideEntry:
        """Copy the data of a side, saying that these are the melds that it laid first."""
        return replace(entry, opening=tuple(meld.reading for meld in melds))


# ------------------------------------------------------------------------------------------- totals
#
# Totals are counted at the table: the points of the cards laid, and the number of canastas. They are
# stored together, from all fields for them.


class CardPoints(EntryPart):
    """The points of all cards laid, counted at the table."""

    def find_in(self, entry: SideEntry) -> int | None:
        """Get the points of the cards that a side laid; None if nobody counted them so far."""
        if entry.totals is None:
            return None
        return entry.totals.cards


@dataclass(frozen=True)
class CanastaCount(EntryPart):
    """How many canastas of a kind were counted at the table."""

    item: str

    def find_in(self, entry: SideEntry) -> int | None:
        """Get the number of a side's canastas (sets of seven cards or more) of one kind.

        None if they were not counted at the table.
        """
        if entry.totals is None:
            return None
        return entry.totals.canastas.get(self.item)


@dataclass(frozen=True)
class IncompleteCount(EntryPart):
    """How many melds that cost points because they are no canasta were counted at the table."""

    name: str

    def find_in(self, entry: SideEntry) -> int | None:
        """Get the number of a side's unfinished sets (of fewer than seven cards) of one kind.

        None if they were not counted at the table.
        """
        if entry.totals is None:
            return None
        return entry.totals.incomplete.get(self.name)


# ------------------------------------------------------------------------------------- cards in hand
#
# The cards that the players of a side still hold are known in one of three forms: in points, of all
# players together, or by player. Each form has a field of its own, which is blank if the entry has
# another form. The value of a field for cards is a tuple, because its text may have several parts.


def _put_cards_of_all_together(cards_of_parts: tuple[Reading, ...]) -> HeldTogether:
    """Put the cards of all parts of a text together, as held by the players of a side together."""
    return HeldTogether(gather_readings(*cards_of_parts))


class PointsHeld(StorablePart):
    """The points of the cards that its players hold, if only these were counted."""

    def find_in(self, entry: SideEntry) -> int | None:
        """Get the points of the cards that a side still has when the round ends.

        None if the cards themselves were entered, and not their points.
        """
        if not entry.left.is_in_points:  # `left` are the cards that are left, in one of three forms
            return None
        return entry.left.points

    def copy_with(self, entry: SideEntry, points: int) -> SideEntry:
        """Copy the data of a side with these points for the cards that it still has at the end."""
        return replace(entry, left=HeldInPoints(points))


@dataclass(frozen=True)
class CardsHeld(StorablePart):
    """The cards that the players of a side hold, in its only field for them.

    The text may be in parts, `K 4 / 9`. As many parts as the side has players are the cards of each;
    any other number of parts are the cards of all together.
    """

    number_of_players: int

    def find_in(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        """Find the cards that a side's players still have when the round ends, as parts of a text.

        There is a part for each player, `K 4 / 9`, or only one for all of them. None if they have
        no cards.
        """
        has_cards = len(entry.left.readings) > 0
        return entry.left.readings if has_cards else None

    def copy_with(self, entry: SideEntry, cards_of_parts: tuple[Reading, ...]) -> SideEntry:
        """Copy the data of a side with the cards that its players still have when the round ends.

        `cards_of_parts` are the cards of each part between slashes. If the side has two players:

        - `K 4 / 9` → the cards of each player
        - `K 4 9`, one part → the cards of both players together
        """
        has_part_for_each_player = len(cards_of_parts) == self.number_of_players
        if self.number_of_players > 1 and has_part_for_each_player:
            return replace(entry, left=HeldByPlayer(cards_of_parts))
        return replace(entry, left=_put_cards_of_all_together(cards_of_parts))


class CardsHeldTogether(StorablePart):
    """The cards of all players entered together, although each player has a field."""

    def find_in(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        """Find the cards that a side's players still have at the end, if it is not known who has which.

        None if that is known, as the fields of the players show the cards then. None also if there
        are no cards.
        """
        if entry.left.is_by_player:
            return None
        has_cards = len(entry.left.readings) > 0
        return entry.left.readings if has_cards else None

    def copy_with(self, entry: SideEntry, cards_of_parts: tuple[Reading, ...]) -> SideEntry:
        """Copy the data of a side with the cards that its players still have when the round ends.

        Who of them has which is not known. The cards may have been typed in several parts.
        """
        return replace(entry, left=_put_cards_of_all_together(cards_of_parts))


@dataclass(frozen=True)
class CardsOfPlayer(StorablePart):
    """The cards of one of several players, by the index of the player."""

    player_index: int
    number_of_players: int

    def find_in(self, entry: SideEntry) -> tuple[Reading, ...] | None:
        """Find the cards that one player still has when the round ends, as a tuple with one item.

        None if it is not known which player has which cards. It is a tuple because other fields
        have the cards of several players.
        """
        if not entry.left.is_by_player:
            return None
        cards_of_player = entry.left.readings[self.player_index]
        return (cards_of_player,)

    def copy_with(self, entry: SideEntry, cards_of_parts: tuple[Reading, ...]) -> SideEntry:
        """Copy the data of a side with the cards that one player still has when the round ends.

        The other players keep theirs; as long as theirs are not known, they have none.
        """
        cards_of_each = [NOTHING] * self.number_of_players
        if entry.left.is_by_player:
            cards_of_each = list(entry.left.readings)
        cards_of_each[self.player_index] = gather_readings(*cards_of_parts)
        return replace(entry, left=HeldByPlayer(tuple(cards_of_each)))


# --------------------------------------------------------------------------- penalties and the like


@dataclass(frozen=True)
class PenaltyCount(StorablePart):
    """How often a side has a penalty of the variant."""

    code: str

    def find_in(self, entry: SideEntry) -> int | None:
        """Count how often a side has the penalty with this code; None if it does not have it."""
        same_penalties = [penalty for penalty in entry.penalties if penalty.code == self.code]
        return len(same_penalties) or None

    def copy_with(self, entry: SideEntry, count: int) -> SideEntry:
        """Copy the data of a side with the penalty of this code added so many times.

        Each time is an item of its own in the data.
        """
        new_penalties = (PenaltyEntry(self.code),) * count
        return replace(entry, penalties=entry.penalties + new_penalties)


@dataclass(frozen=True)
class BonusCount(StorablePart):
    """How often a side has a bonus of the variant."""

    code: str

    def find_in(self, entry: SideEntry) -> int | None:
        """Count how often a side has the bonus with this code; None if it does not have it."""
        return entry.bonuses.count(self.code) or None

    def copy_with(self, entry: SideEntry, count: int) -> SideEntry:
        """Copy the data of a side with the bonus of this code added so many times."""
        new_bonuses = (self.code,) * count
        return replace(entry, bonuses=entry.bonuses + new_bonuses)


# A penalty defined by the table, or a correction, has a row with two fields, for its points and for
# its reason. Only a complete row is stored, as a whole.

PartOfRow = Literal["points", "reason"]


def _get_part_of_row(row: PenaltyEntry | Adjustment, part: PartOfRow) -> int | str | None:
    """Get the points of a penalty or an adjustment (`part` is "points"), or the reason for it."""
    if part == "points":
        return row.points
    return row.reason


@dataclass(frozen=True)
class HousePenaltyPart(EntryPart):
    """The points or the reason of one of the penalties that the table defined itself.

    `index` counts these penalties from 0, without those of the variant.
    """

    index: int
    part: PartOfRow

    def find_in(self, entry: SideEntry) -> int | str | None:
        """Get the points, or the reason, of a penalty that the players made up for a side.

        None if the side has fewer such penalties.
        """
        # They have their own code, "house", and stand among the penalties of the variant.
        house_penalties = [penalty for penalty in entry.penalties if penalty.code == HOUSE]
        if self.index >= len(house_penalties):
            return None
        return _get_part_of_row(house_penalties[self.index], self.part)


@dataclass(frozen=True)
class AdjustmentPart(EntryPart):
    """The points or the reason of one of the corrections agreed at the table.

    `index` counts the corrections from 0.
    """

    index: int
    part: PartOfRow

    def find_in(self, entry: SideEntry) -> int | str | None:
        """Get the points, or the reason, of an adjustment that the players agreed on for a side.

        None if the side has fewer adjustments.
        """
        if self.index >= len(entry.adjustments):
            return None
        return _get_part_of_row(entry.adjustments[self.index], self.part)
