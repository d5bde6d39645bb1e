"""The words that settings take: how melds, canastas, openings and scores of a variant may be.

Figures in points unless said otherwise. A field `wild_limit` is the key `wild-limit` of the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator

from scorepad.rules.cards import BY_TOKEN, KINDS, Kind


def _none_if_unlimited(value: object) -> object:
    return None if value == "unlimited" else value


def _by_kind(value: object) -> object:
    if not isinstance(value, dict):
        return value
    wanted = [kind.value for kind in KINDS if kind is not Kind.RED_THREE]
    if sorted(value) != sorted(wanted):
        raise ValueError(f"needs exactly {', '.join(wanted)}")
    return (*(value[name] for name in wanted), 0)


Limit = Annotated[int | None, BeforeValidator(_none_if_unlimited)]
"""A greatest number of cards; `"unlimited"` in the data is None."""

PointsByKind = Annotated[tuple[int, ...], BeforeValidator(_by_kind)]
"""Points of each kind of card in the order of `cards.KINDS`; red threes 0, they are a bonus and no cards of a meld."""


class Partnership(StrEnum):
    """How those who lay melds together come together."""

    FIXED = "fixed"
    SINGLE_TAKER = "single-taker"
    """Whoever first takes the pile plays alone for the hand, the others together (tagliagola)."""


class WildRatio(StrEnum):
    """How many wild cards a meld may hold beside its natural cards, whatever the limit."""

    ANY = "any"
    NOT_MORE_THAN_NATURALS = "not-more-than-naturals"
    FEWER_THAN_NATURALS = "fewer-than-naturals"
    HALF_OF_NATURALS = "half-of-naturals"
    """Naturals at least twice the wild cards."""

    def allows(self, naturals: int) -> int | None:
        """The most wild cards beside so many naturals; None without a bound."""
        if self is WildRatio.ANY:
            return None
        if self is WildRatio.HALF_OF_NATURALS:
            return naturals // 2
        return naturals if self is WildRatio.NOT_MORE_THAN_NATURALS else max(0, naturals - 1)


class Sequences(StrEnum):
    """Whether suited sequences are melds."""

    NONE = "none"
    PURE = "pure"
    DIRTY = "dirty"
    """With wild cards in it, up to the wild limit."""


class BlackThrees(StrEnum):
    """When black threes may be melded."""

    NEVER = "never"
    GOING_OUT = "going-out"


class Condition(StrEnum):
    """What a side must have done for its red threes to count in its favour."""

    OPENED = "opened"
    OUT_NEEDS = "out-needs"
    """It has the canastas that going out needs."""
    CANASTAS = "canastas"
    """By how many canastas it has (`red_threes_by_canastas`)."""
    FAMILIES = "families"
    """By whether it has natural canastas, mixed ones, both or none (`red_threes_by_families`)."""


class Otherwise(StrEnum):
    """What becomes of red threes whose condition is not met."""

    NEGATIVE = "negative"
    TO_OPPONENTS = "to-opponents"
    ZERO = "zero"


class Counting(StrEnum):
    """Whether a penalty falls for each card or once."""

    EACH = "each"
    ONCE = "once"


class LastDiscard(StrEnum):
    """Whether the player who goes out discards a last card."""

    OPTIONAL = "optional"
    OBLIGATORY = "obligatory"


class ConcealedOut(StrEnum):
    """What makes a going out concealed."""

    OPENING_TURN = "opening-turn"
    OWN_MELDS_ONLY = "own-melds-only"


class Shape(StrEnum):
    """What a meld is made of."""

    GROUP = "group"
    SEQUENCE = "sequence"
    WILDS = "wilds"
    """Wild cards alone."""


class Turned(StrEnum):
    """What becomes of a first upcard that is no natural card."""

    COVER = "cover"
    """The next card is turned on top of it."""
    FREEZE = "freeze"
    """It lies across, freezes the pile, and the next card is turned on top of it."""
    STAY = "stay"
    """It is the top card of the pile."""
    STAY_AND_FREEZE = "stay-and-freeze"
    REDEAL = "redeal"
    """The cards are dealt again."""
    BIG_PILE = "big-pile"
    """It is the top card of a pile of a number of cards of its own."""


class OpeningBy(StrEnum):
    """What the opening minimum goes by."""

    SCORE = "score"
    DEAL = "deal"
    NOTHING = "nothing"
    """There is none."""


class CardsLeft(StrEnum):
    """How cards in hand at the end are subtracted."""

    POINTS = "points"
    GROUPS = "groups"
    """A unit for each group of cards begun, over all the side's hands together; wild cards by themselves."""
    GROUPS_BY_RANK = "groups-by-rank"


Family = Literal["natural", "mixed", "sequence", "wild", "any"]
"""What a canasta counts as where going out, or red threes, ask for one of its kind."""


@dataclass(frozen=True, slots=True)
class CanastaKind:
    """A kind of canasta: what it is made of and its bonus, in points (mini: units).

    `wilds` is the fewest and most wild cards in it, `jokers` the fewest and most jokers where only those decide,
    `rank` the natural rank it is made of where only one will do.
    """

    item: str
    points: int
    shape: Shape
    family: Family
    wilds: tuple[int, int] = (0, 99)
    jokers: tuple[int, int] = (0, 99)
    rank: str | None = None

    def fits(self, shape: Shape, wilds: int, jokers: int, ranks: tuple[int, ...]) -> bool:
        """Whether a canasta of this shape, with so many wilds and these natural ranks (indices), is of this kind."""
        if self.shape is not shape or not self.wilds[0] <= wilds <= self.wilds[1]:
            return False
        if not self.jokers[0] <= jokers <= self.jokers[1]:
            return False
        return self.rank is None or ranks == (BY_TOKEN[self.rank],)


@dataclass(frozen=True, slots=True)
class IncompleteKind:
    """A kind of meld that has a price, or bars the way out, as long as it is no canasta.

    `name` is its key in `totals.incomplete`, `item` the line it stands on (None where it costs nothing), `points` what
    each costs.
    """

    name: str
    points: int
    shape: Shape
    bars_out: bool
    item: str | None = None
    wilds: tuple[int, int] = (0, 99)
    rank: str | None = None


@dataclass(frozen=True, slots=True)
class HeldKind:
    """Cards of a rank that cost something when too many of them are left in one player's hand.

    `number` is from how many on, `points` the price for each player, `key` where players are counted in JSON.
    """

    key: str
    item: str
    rank: str
    number: int
    points: int


@dataclass(frozen=True, slots=True)
class OutBonus:
    """A bonus for going out with so many canastas in all and of families; in points."""

    points: int
    canastas: int
    natural: int
    mixed: int


@dataclass(frozen=True, slots=True)
class FamilyShare:
    """What becomes of red threes: halves of their worth for the side itself and for its opponents.

    `having`: the side's canastas are of both families, natural only, mixed only, or none.
    """

    having: Literal["both", "natural", "mixed", "none"]
    own: int
    opponents: int


@dataclass(frozen=True, slots=True)
class PileTop:
    """A special card on top of the pile with which it may be taken: with so many more of it out of the hand.

    `used`: they are laid with it at once, or discarded together at the end of the turn.
    """

    card: str
    more: int
    used: Literal["melded", "discarded"]
