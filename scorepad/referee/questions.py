"""Questions for the referee, and its answers, as data types.

The JSON form of a question and its documentation are generated from the field types. Cards are
readings, so that a token that is not a card is answered instead of refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from scorepad.rules.cards import NO_CARDS, NOTHING, Cards, Reading, gather
from scorepad.rules.checks import StoredFigure
from scorepad.rules.definitions import Choices, Standing


class Permission(StrEnum):
    """The partner's answer to the question whether to go out."""

    NOT_ASKED = "not-asked"
    GRANTED = "granted"
    REFUSED = "refused"


# The value of a key in JSON (`schemas.rulings`): its type here, and the name of its JSON form.
AnyCards = Annotated[Reading, "cards"]
Held = Annotated[Reading, "held"]
"""All the cards that the player holds."""
Card = Annotated[Reading, "card"]
Discard = Annotated[Reading, "discard"]
"""A card, or as many threes of one colour as may be discarded at once."""
Upcards = Annotated[tuple[Reading, ...], "upcards"]
Melds = Annotated[tuple[Reading, ...], "melds"]
Flag = Annotated[bool, "flag"]
Score = Annotated[int, "score"]
"""A match score, in points."""
Count = Annotated[int, "count"]
Deal = Annotated[int, "deal"]
"""The number of the hand in the match."""
Canastas = Annotated[Mapping[str, int], "canastas"]
"""The number of each kind, by item."""
Text = Annotated[str, "text"]
Consent = Annotated[Permission, "permission"]


@dataclass(frozen=True, slots=True)
class MeldQuestion:
    """May these cards be laid: as a new meld, or on the meld `on`? `going_out`: the player goes out
    with them.

    `table`: the side's other melds, as far as the answer depends on them; None if not given.
    """

    cards: AnyCards
    on: AnyCards | None = None
    going_out: Flag = False
    table: Melds | None = None


@dataclass(frozen=True, slots=True)
class OpeningQuestion:
    """Do these melds open, at this match score? With `hand` instead of `melds`: can this hand open,
    and how best?

    `top_card` is the pile's top card, used in one of the melds and not part of the hand;
    `concealed_out`: the player goes out in the same turn.
    """

    score: Score = 0
    melds: Melds = ()
    top_card: Card | None = None
    concealed_out: Flag = False
    deal: Deal = 1
    hand: Held | None = None


@dataclass(frozen=True, slots=True)
class PileQuestion:
    """Can I take the pile? With `hand`: can this hand take it, and how?

    `laid` (in JSON `with`) are the melds that the player lays from the hand to take it. The hand
    excludes the top card.
    """

    top: Card
    frozen: Flag = False
    opened: Flag = True
    score: Score = 0
    table: Melds = ()
    laid: Melds = field(default=(), metadata={"key": "with"})
    deal: Deal = 1
    hand: Held | None = None


@dataclass(frozen=True, slots=True)
class OutQuestion:
    """May the player go out, with these melds of the side on the table at the end? With `hand`: can
    this hand, and how?

    `discard` is the last card discarded, null (`NOTHING`) for none; `discard_noted` is false if the
    key was omitted. `score` and `deal` are for a concealed going out, which opens in the same turn:
    without them (None) the answer holds only if the opening minimum is reached, and says so. With a
    hand, `table` are the melds before it is laid: without any the player opens in the same turn.
    The hand includes a discard that is noted.
    """

    table: Melds
    discard: Discard = NOTHING
    discard_noted: bool = False
    concealed: Flag = False
    red_threes: Count = 0
    permission: Consent = Permission.NOT_ASKED
    score: Score | None = None
    deal: Deal | None = None
    hand: Held | None = None


@dataclass(frozen=True, slots=True)
class UpcardQuestion:
    """What happens with the first cards turned up, in their order?"""

    cards: Upcards


@dataclass(frozen=True, slots=True)
class DiscardQuestion:
    """May this card be discarded, and what is its effect?

    `table` are the side's melds, which determine `wild_meld_incomplete`; both are None if not
    given, and a reason says so if the answer depends on them.
    """

    card: Discard
    first_round: Flag = False
    last: Flag = False
    wild_meld_incomplete: Flag | None = None
    table: Melds | None = None


@dataclass(frozen=True, slots=True)
class RedThreesQuestion:
    """How many points are these red threes, for a side with these canastas (by item)?"""

    count: Count
    opened: Flag = True
    canastas: Canastas = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PenaltyQuestion:
    """What does this irregularity cost?"""

    code: Text


@dataclass(frozen=True, slots=True)
class EndOfStockQuestion:
    """What happens when the stock is used up? `last_card` is the card drawn last."""

    last_card: Card = NOTHING
    top: Card = NOTHING
    table: Melds = ()
    pile_has_wild: Flag = False
    pile_has_red_three: Flag = False


AnyQuestion = (
    MeldQuestion
    | OpeningQuestion
    | PileQuestion
    | OutQuestion
    | UpcardQuestion
    | DiscardQuestion
    | RedThreesQuestion
    | PenaltyQuestion
    | EndOfStockQuestion
)


# -------------------------------------------------------------------------------------- the answers

Detail = str | int | bool | None
"""A figure or a word of the case: points, cards, or a name defined by the contract."""
Details = dict[str, Detail]


class Verdict(StrEnum):
    """The answer in one word."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    VALUE = "value"
    SILENT = "silent"
    """No source mentions it, so there is no answer."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule on which the answer is based: its code, the figures of its message, and its sources.

    `grounds` are what decided (`Ruleset.cited_at`), `standing` is that of the sources: None if no
    source is needed, or if none mentions it.
    """

    code: str
    figures: Mapping[str, StoredFigure] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    standing: Standing | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """The settings and statements among its grounds."""
        names = [ground.partition("/")[0] for ground in self.grounds]
        return tuple(dict.fromkeys(name for name in names if name not in ("penalties", "bonuses")))


Reasons = Iterator[Reason]


class LaidCards(NamedTuple):
    """Cards laid together: a new meld, or laid on the meld of the question's table at the index
    `on`.
    """

    cards: Cards
    on: int | None = None


class Play(NamedTuple):
    """A legal way to play a hand: the cards laid, first those on the table's melds in their order,
    then new melds.

    The pile's top card is included in its meld. `discard` is the card discarded last, no cards for
    none; None if the question is not about going out.
    """

    laid: tuple[LaidCards, ...]
    discard: Cards | None = None

    @property
    def melds(self) -> tuple[Reading, ...]:
        """The new melds."""
        return tuple(Reading(each.cards) for each in self.laid if each.on is None)


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer. Details that do not apply are omitted; `play` is the best one, if the question
    gave the whole hand.
    """

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)
    play: Annotated[Play | None, Field(exclude=True)] = None

    @property
    def laid(self) -> Cards:
        """All the cards that the play lays; empty without a play."""
        return gather(each.cards for each in self.play.laid) if self.play else NO_CARDS


forbidden = partial(Ruling, Verdict.FORBIDDEN)
allowed = partial(Ruling, Verdict.ALLOWED)
value = partial(Ruling, Verdict.VALUE)
silent = partial(Ruling, Verdict.SILENT)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A different answer: with this preset and exactly these options the question gets this ruling.

    `changed` are those of the options that make the difference, if a single one does; `sources` are
    theirs. The reasons of the ruling have no sources.
    """

    preset: str | None
    options: Choices
    changed: Choices
    ruling: Ruling
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling under some rules, and the alternatives with a different answer."""

    ruling: Ruling
    others: tuple[Alternative, ...]
