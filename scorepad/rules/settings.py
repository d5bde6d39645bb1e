"""The settings of a variant, typed: the names that its data file gives values to.

A field `wild_limit` is the key `wild-limit` of the data. Figures in points unless said otherwise. What a value means
for play stands at the field; what it is for a variant stands in the data, with its source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict

from scorepad.rules.cards import INDEX, KINDS, Kind


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

    def allows(self, naturals: int) -> int | None:
        """The most wild cards beside so many naturals; None without a bound."""
        if self is WildRatio.ANY:
            return None
        return naturals if self is WildRatio.NOT_MORE_THAN_NATURALS else max(0, naturals - 1)


class Sequences(StrEnum):
    """Whether suited sequences are melds."""

    NONE = "none"
    PURE = "pure"


class BlackThrees(StrEnum):
    """When black threes may be melded."""

    NEVER = "never"
    GOING_OUT = "going-out"


class Condition(StrEnum):
    """What a side must have done for its red threes to count in its favour."""

    OPENED = "opened"
    OUT_NEEDS = "out-needs"
    """It has the canastas that going out needs."""


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
    """What a canasta is made of."""

    GROUP = "group"
    SEQUENCE = "sequence"


@dataclass(frozen=True, slots=True)
class CanastaKind:
    """A kind of canasta: what it is made of and its bonus.

    `wilds` is the fewest and most wild cards in it, `rank` the natural rank it is made of where only one will do,
    `family` what it counts as for going out (`natural`, `mixed`, `sequence`).
    """

    item: str
    points: int
    shape: Shape
    wilds: tuple[int, int]
    family: Literal["natural", "mixed", "sequence"]
    rank: str | None = None

    def fits(self, shape: Shape, wilds: int, ranks: tuple[int, ...]) -> bool:
        """Whether a canasta of this shape, with so many wilds and these natural ranks (indices), is of this kind."""
        if self.shape is not shape or not self.wilds[0] <= wilds <= self.wilds[1]:
            return False
        return self.rank is None or ranks == (INDEX[Kind(self.rank)],)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a variant decides, as values. Built by the loader; no defaults, so that nothing is left out."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    # the table
    sides: tuple[int, ...]
    """Players in each side."""
    resting: tuple[int, ...]
    """Players of each side who sit out a hand in turn."""
    partnership: Partnership
    decks: int
    dealt: int
    """Cards dealt to each player."""
    drawn: int
    """Cards drawn from the stock in a turn."""
    first_exchange: bool
    """Before the first upcard each player puts a card on the pile and draws another."""
    first_dealer: Literal["highest-card"]
    cut: Literal["dealer-right"]
    first_player: Literal["dealer-left"]
    deal_passes: Literal["clockwise"]
    target: int
    card_points: PointsByKind

    # melds
    meld_shortest: int
    meld_longest: Limit
    meld_naturals: int
    """Fewest natural cards in a meld."""
    meld_one_rank: Literal["required", "or-sequence"]
    meld_red_threes: Literal["never"]
    meld_lay_off: Literal["own-side"]
    """On whose melds cards may be laid off."""
    meld_wilds_stay: Literal["always"]
    """A wild card once melded never moves."""
    wild_limit: int
    wild_ratio: WildRatio
    sequences: Sequences
    black_threes: BlackThrees
    black_threes_fewest: int
    """Fewest black threes in a meld of them."""
    black_threes_longest: int
    black_threes_wilds: Literal["with-wilds", "pure"]
    repeated_rank: Literal["discouraged", "usual"]
    """Whether the sources that speak of it want one meld for each rank."""

    # canastas
    canasta_length: int
    wild_on_canasta: Literal["allowed", "forbidden"]
    canastas: tuple[CanastaKind, ...]
    """Tried in order: the first that fits is what the meld is."""
    concealed_canasta: int
    """More for a concealed canasta."""

    # opening
    opening_steps: tuple[tuple[int, int], ...]
    """(match score, minimum): the minimum from this score on, rising."""
    opening_below_zero: int
    opening_counts: Literal["all-melds"]
    opening_pile: Literal["top-card-only"]
    """What of a pile taken to open counts for the opening."""

    # red threes
    red_three_values: tuple[int, ...]
    """Worth of one, two, three … of them together."""
    red_threes_condition: Condition
    red_threes_otherwise: Otherwise
    held_red_three: int
    """Lost for a red three in hand at the end."""
    held_red_three_counts: Counting

    # going out
    canastas_needed: int
    canasta_families_needed: tuple[tuple[str, int], ...]
    """(family, canastas needed of it)."""
    permission: Literal["may-ask-once"]
    """Whether the partner may be asked before going out."""
    last_discard: LastDiscard
    last_discard_special: Literal["forbidden"]
    out_bonus: int
    concealed_out_bonus: int
    concealed_out: ConcealedOut
    out_empty_handed: Literal["required"]
    cards_left: Literal["subtracted"]
    table_agreement: Literal["unchecked"]
    """What the table agrees in points is taken as it is."""
    penalties_known: Literal["listed"]

    # what only rulings use
    upcard: str
    pile: str
    end_of_stock: str

    def opening_minimum(self, score: int) -> int | None:
        """The opening minimum of a side at this match score."""
        if score < 0:
            return self.opening_below_zero
        reached = [minimum for start, minimum in self.opening_steps if score >= start]
        return reached[-1] if reached else None

    def most_wilds(self, naturals: int) -> int:
        """The most wild cards that a meld with so many naturals may hold."""
        ratio = self.wild_ratio.allows(naturals)
        return self.wild_limit if ratio is None else min(self.wild_limit, ratio)
