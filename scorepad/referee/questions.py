"""Questions for the referee, as values.

Cards are readings, so that a token that is no card is answered and not refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scorepad.rules.cards import NOTHING, Reading


class Permission(StrEnum):
    """What the partner said when asked whether to go out."""

    NOT_ASKED = "not-asked"
    GRANTED = "granted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class MeldQuestion:
    """May these cards be laid: as a new meld, or on the meld `on`? `going_out`: by a player who goes out with them.

    `table` are the side's other melds; None where nobody said.
    """

    cards: Reading
    on: Reading | None = None
    going_out: bool = False
    table: tuple[Reading, ...] | None = None


@dataclass(frozen=True, slots=True)
class OpeningQuestion:
    """Do these melds open, at this match score (points)?

    `top_card` is the pile's, used in one of them; `concealed_out`: the player goes out in the same turn. `deal` is the
    number of the hand in the match.
    """

    score: int
    melds: tuple[Reading, ...] = ()
    top_card: Reading | None = None
    concealed_out: bool = False
    deal: int = 1


@dataclass(frozen=True, slots=True)
class BestOpeningQuestion:
    """Can this whole hand open, and how best? Otherwise as `OpeningQuestion`; the top card is not of the hand."""

    hand: Reading
    score: int = 0
    top_card: Reading | None = None
    concealed_out: bool = False
    deal: int = 1


@dataclass(frozen=True, slots=True)
class PileQuestion:
    """May the pile be taken? `laid` are the melds that the player lays from the hand for it."""

    top: Reading
    frozen: bool = False
    opened: bool = True
    score: int = 0
    table: tuple[Reading, ...] = ()
    laid: tuple[Reading, ...] = ()
    deal: int = 1


@dataclass(frozen=True, slots=True)
class BestPileQuestion:
    """Can the pile be taken with this whole hand, and how? Otherwise as `PileQuestion`.

    The top card is not of the hand.
    """

    hand: Reading
    top: Reading
    frozen: bool = False
    opened: bool = True
    score: int = 0
    table: tuple[Reading, ...] = ()
    deal: int = 1


@dataclass(frozen=True, slots=True)
class OutQuestion:
    """May the player go out, with these melds of the side on the table at the end?

    `discard` is the last card discarded, `NOTHING` for none; `discard_noted` is false where nobody said. `score` is the
    match score (points) and `deal` the number of the hand in the match, None where nobody said: a concealed going out
    opens in the same turn.
    """

    table: tuple[Reading, ...]
    discard: Reading = NOTHING
    discard_noted: bool = False
    concealed: bool = False
    red_threes: int = 0
    permission: Permission = Permission.NOT_ASKED
    score: int | None = None
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class BestOutQuestion:
    """Can a player with this whole hand go out, and how?

    `table` are the melds of the side before; with none the player opens in the same turn, at this match score (points)
    and in the hand `deal` of the match. Otherwise as `OutQuestion`; a discard that is noted is of the hand.
    """

    hand: Reading
    table: tuple[Reading, ...] = ()
    discard: Reading = NOTHING
    discard_noted: bool = False
    concealed: bool = False
    red_threes: int = 0
    permission: Permission = Permission.NOT_ASKED
    score: int = 0
    deal: int = 1


@dataclass(frozen=True, slots=True)
class UpcardQuestion:
    """What becomes of the first cards turned up, in their order?"""

    cards: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class DiscardQuestion:
    """May this card be discarded, and what does it do?

    `table` are the side's melds, from which `wild_meld_incomplete` follows; both None where nobody said.
    """

    card: Reading
    first_round: bool = False
    last: bool = False
    wild_meld_incomplete: bool | None = None
    table: tuple[Reading, ...] | None = None

    @property
    def lying(self) -> tuple[Reading, ...]:
        """The side's melds, as far as they were said."""
        return self.table or ()


@dataclass(frozen=True, slots=True)
class RedThreesQuestion:
    """What are so many red threes worth, to a side with these canastas (by item)?"""

    count: int
    opened: bool = True
    canastas: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PenaltyQuestion:
    """What does this cost?"""

    code: str


@dataclass(frozen=True, slots=True)
class EndOfStockQuestion:
    """The stock is used up: what now? `last_card` is the one that was drawn last."""

    last_card: Reading = NOTHING
    top: Reading = NOTHING
    table: tuple[Reading, ...] = ()
    pile_has_wild: bool = False
    pile_has_red_three: bool = False


AnyQuestion = (
    MeldQuestion
    | OpeningQuestion
    | BestOpeningQuestion
    | PileQuestion
    | BestPileQuestion
    | OutQuestion
    | BestOutQuestion
    | UpcardQuestion
    | DiscardQuestion
    | RedThreesQuestion
    | PenaltyQuestion
    | EndOfStockQuestion
)
