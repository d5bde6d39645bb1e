"""Questions for the referee, and its answers, as values.

The JSON form of a question, and its documentation, follow from the types of the fields. Cards are readings, so that
a token that is no card is answered and not refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from scorepad.rules.cards import NOTHING, Cards, Reading
from scorepad.rules.checks import Figure
from scorepad.rules.definitions import Standing
from scorepad.rules.variants import Choices


class Permission(StrEnum):
    """What the partner said when asked whether to go out."""

    NOT_ASKED = "not-asked"
    GRANTED = "granted"
    REFUSED = "refused"


# What a key takes in JSON (`schemas.rulings`): its type here, and the name of its form there.
AnyCards = Annotated[Reading, "cards"]
Card = Annotated[Reading, "card"]
Discard = Annotated[Reading, "discard"]
"""A card, or as many threes of one colour as the game lets go at once."""
Upcards = Annotated[tuple[Reading, ...], "upcards"]
Melds = Annotated[tuple[Reading, ...], "melds"]
Flag = Annotated[bool, "flag"]
Score = Annotated[int, "score"]
"""A match score, in points."""
Count = Annotated[int, "count"]
Deal = Annotated[int, "deal"]
"""The number of the hand in the match."""
Canastas = Annotated[Mapping[str, int], "canastas"]
"""How many of each, by item."""
Text = Annotated[str, "text"]
Consent = Annotated[Permission, "permission"]


@dataclass(frozen=True, slots=True)
class MeldQuestion:
    """May these cards be laid: as a new meld, or on the meld `on`? `going_out`: by a player who goes out with them.

    `table`: the side's other melds, as far as the answer hangs on them; left out (None) where nobody said.
    """

    cards: AnyCards
    on: AnyCards | None = None
    going_out: Flag = False
    table: Melds | None = None


@dataclass(frozen=True, slots=True)
class OpeningQuestion:
    """Do these melds open, at this match score?

    `top_card` is the pile's, used in one of them; `concealed_out`: the player goes out in the same turn.
    """

    score: Score = 0
    melds: Melds = ()
    top_card: Card | None = None
    concealed_out: Flag = False
    deal: Deal = 1


@dataclass(frozen=True, slots=True)
class BestOpeningQuestion:
    """Can this whole hand open, and how best? Otherwise as `OpeningQuestion`; the top card is not of the hand."""

    hand: AnyCards
    score: Score = 0
    top_card: Card | None = None
    concealed_out: Flag = False
    deal: Deal = 1


@dataclass(frozen=True, slots=True)
class PileQuestion:
    """May the pile be taken? `laid` (in JSON `with`) are the melds that the player lays from the hand for it."""

    top: Card
    frozen: Flag = False
    opened: Flag = True
    score: Score = 0
    table: Melds = ()
    laid: Melds = field(default=(), metadata={"key": "with"})
    deal: Deal = 1


@dataclass(frozen=True, slots=True)
class BestPileQuestion:
    """Can the pile be taken with this whole hand, and how? Otherwise as `PileQuestion`.

    The top card is not of the hand.
    """

    hand: AnyCards
    top: Card
    frozen: Flag = False
    opened: Flag = True
    score: Score = 0
    table: Melds = ()
    deal: Deal = 1


@dataclass(frozen=True, slots=True)
class OutQuestion:
    """May the player go out, with these melds of the side on the table at the end?

    `discard` is the last card discarded, null (`NOTHING`) for none; where it is left out (`discard_noted` is false)
    nobody said. `score` and `deal` are for a concealed going out, which opens in the same turn: where they are left out
    (None) the answer holds only if the opening minimum is reached, and says so.
    """

    table: Melds
    discard: Discard = NOTHING
    discard_noted: bool = False
    concealed: Flag = False
    red_threes: Count = 0
    permission: Consent = Permission.NOT_ASKED
    score: Score | None = None
    deal: Deal | None = None


@dataclass(frozen=True, slots=True)
class BestOutQuestion:
    """Can a player with this whole hand go out, and how?

    `table` are the melds of the side before; with none the player opens in the same turn, at this match score and in
    this hand of the match. Otherwise as `OutQuestion`; a discard that is noted is of the hand.
    """

    hand: AnyCards
    table: Melds = ()
    discard: Discard = NOTHING
    discard_noted: bool = False
    concealed: Flag = False
    red_threes: Count = 0
    permission: Consent = Permission.NOT_ASKED
    score: Score = 0
    deal: Deal = 1


@dataclass(frozen=True, slots=True)
class UpcardQuestion:
    """What becomes of the first cards turned up, in their order?"""

    cards: Upcards


@dataclass(frozen=True, slots=True)
class DiscardQuestion:
    """May this card be discarded, and what does it do?

    `table` are the side's melds, from which `wild_meld_incomplete` follows; both are left out (None) where nobody said,
    and where the answer hangs on it a reason says so.
    """

    card: Discard
    first_round: Flag = False
    last: Flag = False
    wild_meld_incomplete: Flag | None = None
    table: Melds | None = None

    @property
    def lying(self) -> tuple[Reading, ...]:
        """The side's melds, as far as they were said."""
        return self.table or ()


@dataclass(frozen=True, slots=True)
class RedThreesQuestion:
    """What are so many red threes worth, to a side with these canastas (by item)?"""

    count: Count
    opened: Flag = True
    canastas: Canastas = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PenaltyQuestion:
    """What does this cost?"""

    code: Text


@dataclass(frozen=True, slots=True)
class EndOfStockQuestion:
    """The stock is used up: what now? `last_card` is the one that was drawn last."""

    last_card: Card = NOTHING
    top: Card = NOTHING
    table: Melds = ()
    pile_has_wild: Flag = False
    pile_has_red_three: Flag = False


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


# ------------------------------------------------------------------------------------------- the answers

Detail = str | int | bool | None
"""A figure or a word of the case: points, cards, or a name of the contract's."""


class Verdict(StrEnum):
    """The one word."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    VALUE = "value"
    SILENT = "silent"
    """No source speaks of it; nothing is invented."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that the answer rests on: its code, the figures that its words name, and where the sources say so.

    `grounds` are what decided (`Ruleset.cited_at`), `standing` how firmly the sources say it: None where nothing
    needs a source, and where no source speaks.
    """

    code: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    standing: Standing | None = None

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings among its grounds."""
        return tuple(dict.fromkeys(ground.partition("/")[0] for ground in self.grounds))


@dataclass(frozen=True, slots=True)
class LaidCards:
    """Cards that go down together: a new meld, or laid on the meld of the question's table at the place `on`."""

    cards: Cards
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A legal way to play a hand: what is laid, first on the table's melds in their order and then anew.

    The top card of the pile stands among the cards that it goes down with. `discard` is the card discarded last, no
    cards for none; None where the question is not about going out.
    """

    laid: tuple[LaidCards, ...]
    discard: Cards | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer. Details that do not apply are left out; `play` is the best one, where a player gave all cards held."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)
    play: Play | None = None


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer: asked with this preset and exactly these options, the question gets this ruling.

    `changed` are the options among them that make the difference, where one of them alone does; `sources` say so. The
    reasons of the ruling have no sources.
    """

    preset: str | None
    options: Choices
    changed: Choices
    ruling: Ruling
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling under some rules, and where the same question is answered otherwise."""

    ruling: Ruling
    others: tuple[Alternative, ...]
