"""The settings of a variant, typed, and the words that they take.

A field `wild_limit` is the key `wild-limit` of the data. Figures in points unless said otherwise. What a value means
for play stands at the field; its value in a variant stands in the data, with its source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from scorepad.rules.cards import BLACK_THREE, BY_TOKEN, KINDS, Kind


def _none_if_unlimited(value: object) -> object:
    return None if value == "unlimited" else value


def _by_kind(value: object) -> object:
    if not isinstance(value, dict):
        return value
    wanted = [kind.value for kind in KINDS if kind is not Kind.RED_THREE]
    if sorted(value) != sorted(wanted):
        raise ValueError(f"needs exactly {', '.join(wanted)}")
    return (*(value[name] for name in wanted), 0)


LARGEST = 9_999_999
"""Seven digits: a match score, or a figure of a hand, is never larger, nor further below zero."""

Number = Annotated[int, Field(strict=True, ge=0, le=99)]
"""A number of cards, canastas, players or hands."""

Points = Annotated[int, Field(strict=True, ge=-LARGEST, le=LARGEST)]
"""Points, or units."""

Limit = Annotated[Number | None, BeforeValidator(_none_if_unlimited)]
"""A greatest number; `"unlimited"` in the data is None."""

Target = Annotated[Points | None, BeforeValidator(_none_if_unlimited)]
"""The match score that wins; `"unlimited"` in the data is None."""

PointsByKind = Annotated[tuple[Points, ...], BeforeValidator(_by_kind)]
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


@dataclass(frozen=True, slots=True)
class CanastaKind:
    """A kind of canasta: what it is made of and its bonus, in points (mini: units).

    `family` is what it counts as where going out, or red threes, ask for one of its kind.
    `wilds` is the fewest and most wild cards in it, `jokers` the fewest and most jokers where only those decide,
    `rank` the natural rank it is made of where only one will do.
    """

    item: str
    points: Points
    shape: Shape
    family: str
    wilds: tuple[Number, Number] = (0, 99)
    jokers: tuple[Number, Number] = (0, 99)
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
    points: Points
    shape: Shape
    bars_out: bool
    item: str | None = None
    wilds: tuple[Number, Number] = (0, 99)
    rank: str | None = None


@dataclass(frozen=True, slots=True)
class HeldKind:
    """Cards of a rank that cost something when too many of them are left in one player's hand.

    `number` is from how many on, `points` the price for each player, `key` where players are counted in JSON.
    """

    key: str
    item: str
    rank: str
    number: Number
    points: Points


@dataclass(frozen=True, slots=True)
class OutBonus:
    """A bonus for going out with so many canastas in all and of families; in points."""

    points: Points
    canastas: Number
    natural: Number
    mixed: Number


@dataclass(frozen=True, slots=True)
class FamilyShare:
    """What becomes of red threes: halves of their worth for the side itself and for its opponents.

    `having`: the side's canastas are of both families, natural only, mixed only, or none.
    """

    having: Literal["both", "natural", "mixed", "none"]
    own: Points
    opponents: Points


@dataclass(frozen=True, slots=True)
class PileTop:
    """A special card on top of the pile with which it may be taken: with so many more of it out of the hand.

    `used`: they are laid with it at once, or discarded together at the end of the turn.
    """

    card: str
    more: Number
    used: Literal["melded", "discarded"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a variant decides, as values. Built by the loader; no defaults, so that nothing is left out."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    # the table
    sides: tuple[Number, ...]
    """Players in each side."""
    resting: tuple[Number, ...]
    """Players of each side who sit out a hand in turn."""
    partnership: Partnership
    decks: Number
    dealt: Number
    """Cards dealt to each player."""
    hands_each: Number
    """Hands of cards dealt to each player, one after the other to be played."""
    drawn: Number
    """Cards drawn from the stock in a turn."""
    first_exchange: bool
    """Before the first upcard each player puts a card on the pile and draws another."""
    first_dealer: Literal["highest-card"]
    cut: Literal["dealer-right"]
    first_player: Literal["dealer-left"]
    deal_passes: Literal["clockwise"]
    unit: Literal["points", "units"]
    """What the match is counted in: card points, or units."""
    target: Target
    """Match score that wins; `"unlimited"` where a number of hands decides."""
    match_deals: Limit
    """Hands in a match."""
    card_points: PointsByKind
    counted_by: Literal["cards-or-totals", "cards"]
    """Whether a side may give the totals that it counted at the table, or must give its cards."""

    # melds
    meld_shortest: Number
    meld_longest: Limit
    meld_naturals: Number
    """Fewest natural cards in a meld."""
    meld_one_rank: Literal["required", "or-sequence"]
    meld_red_threes: Literal["never"]
    meld_lay_off: Literal["own-side"]
    """On whose melds cards may be laid off."""
    meld_wilds_stay: Literal["always"]
    """A wild card once melded never moves."""
    wild_limit: Number
    wild_ratio: WildRatio
    natural_only: tuple[str, ...]
    """Ranks whose melds hold no wild card."""
    natural_after_opening: tuple[str, ...]
    """Ranks whose melds hold no wild card unless it came with the opening."""
    wild_melds: Literal["never", "allowed"]
    """Melds of wild cards alone."""
    wild_melds_shortest: Number
    wild_melds_longest: Limit
    wild_meld_naturals: Literal["unspoken", "allowed"]
    """Whether natural cards may be laid on a meld of wild cards alone, which then is a mixed one; or nobody says."""
    sequences: Sequences
    black_threes: BlackThrees
    black_threes_fewest: Number
    """Fewest black threes in a meld of them."""
    black_threes_longest: Limit
    """Most cards in a meld of black threes; a longer one is a canasta of its own where there is no such limit."""
    black_threes_wilds: Literal["with-wilds", "pure"]
    repeated_rank: Literal["discouraged", "usual", "not-incomplete"]
    """Whether the sources that speak of it want one meld for each rank; or no second incomplete one."""
    incomplete: tuple[IncompleteKind, ...]
    """Melds that cost something, or bar the way out, as long as they are no canasta."""
    wilds_blocked: Literal["nothing", "wilds", "wilds-and-mixed"]
    """What a side may not do while its meld of wild cards alone is incomplete."""

    # canastas
    canasta_length: Number
    wild_on_canasta: Literal["allowed", "forbidden"]
    canastas: tuple[CanastaKind, ...]
    """Tried in order: the first that fits is what the meld is."""
    canastas_count: Literal["always", "with-out-needs"]
    """Whether canastas count only for a side that has those that going out needs."""
    concealed_canasta: Points
    """More for a concealed canasta."""
    thirteen: Literal["never", "first-canasta", "initial-meld"]
    """What gives a player thirteen more cards, once in the hand."""

    # opening
    opening_by: OpeningBy
    opening_steps: tuple[tuple[Points, Points], ...]
    """(match score, minimum): the minimum from this score on, rising."""
    opening_below_zero: Points
    opening_deals: tuple[Points, ...]
    """The minimum of each hand of the match, in order."""
    opening_counts: Literal["all-melds"]
    opening_naturals_up_to: Points
    """Up to this minimum only melds without wild cards count; 0: all count."""
    opening_wild_melds: Literal["as-others", "not-alone"]
    """Whether melds of wild cards alone may open."""
    opening_natural_group: Literal["not-needed", "needed"]
    """Whether the opening must hold three natural cards of a rank, and no complete mixed canasta."""
    opening_pile: Literal["top-card-only", "never"]
    """What of a pile taken to open counts for the opening."""

    # threes
    red_three_values: tuple[Points, ...]
    """Worth of one, two, three … of them together."""
    red_threes_condition: Condition
    red_threes_otherwise: Otherwise
    red_threes_by_canastas: tuple[Points, ...]
    """The sign of their worth with no canasta, one, two …; the last holds for more."""
    red_threes_by_families: tuple[FamilyShare, ...]
    held_red_three: Points
    """Lost for a red three in hand at the end."""
    held_red_three_counts: Counting
    red_threes_kept: Literal["exposed", "may-be-kept"]
    """Whether a red three must be exposed, or may stay in hand and be discarded."""
    black_threes_aside: tuple[Points, ...]
    """Worth of one, two … black threes found in a taken pile and laid aside."""
    black_threes_exposed: tuple[Points, ...]
    """Worth of one, two … black threes exposed like red ones."""

    # the count
    cards_by_canastas: tuple[Points, ...]
    """The sign of the cards laid with no canasta, one, two …; the last holds for more."""
    cards_left: CardsLeft
    left_black_three: Points
    """Lost for a black three in hand at the end."""
    left_wild: Points
    """Units lost for a wild card in hand, where cards left are counted in groups."""
    left_group: Number
    """Cards in a group, where cards left are counted in groups."""
    held_together: tuple[HeldKind, ...]
    special_hands: tuple[tuple[str, Points], ...]
    """(name, points): hands that are shown instead of melded."""

    # going out
    canastas_needed: Number
    canasta_families_needed: tuple[tuple[str, Number], ...]
    """(family, canastas needed of it)."""
    out_red_threes: Literal["any", "one-for-each-canasta"]
    """Red threes exposed that going out needs."""
    permission: Literal["may-ask-once", "must-ask"]
    """Whether the partner may be asked before going out."""
    last_discard: LastDiscard
    last_discard_special: Literal["forbidden", "wilds", "any"]
    """Which special cards may be discarded last."""
    out_bonus: Points
    concealed_out_bonus: Points
    out_bonus_canastas: tuple[OutBonus, ...]
    out_bonus_adds: Literal["highest", "sum"]
    """Whether only the highest bonus for going out is scored, or that for the canastas as well."""
    concealed_out: ConcealedOut
    out_empty_handed: Literal["required"]
    table_agreement: Literal["unchecked"]
    """What the table agrees in points is taken as it is."""
    penalties_known: Literal["listed"]

    # what only rulings use
    freezing: Literal["discarded-wild", "always", "never"]
    """What freezes the pile."""
    black_three_discarded: Literal["stops", "freezes"]
    stop_ranks: tuple[str, ...]
    """Natural ranks whose discard stops the next player, as a black three does."""
    first_round_black_threes: Literal["allowed", "forbidden"]
    """Whether black threes may be discarded in the first round."""
    discard_fitting: Literal["allowed", "forbidden"]
    """Whether a card may be discarded that fits a meld of one's own, or the canasta just completed."""
    threes_together: Number
    """Threes of one colour that may be discarded all at once; 0: none."""
    upcard: Literal[
        "wikipedia", "giochi", "getty", "enciclopedia", "turn-until-natural", "cover-and-freeze", "big-pile",
        "turn-and-count", "not-told",
    ]  # fmt: skip
    """The codification of the first upcard; what it says stands in the settings that follow."""
    upcard_wild: Turned
    upcard_red_three: Turned
    upcard_black_three: Turned
    upcard_freezes: Literal["as-turned", "never"]
    """Whether any first upcard freezes the pile."""
    upcard_pile: Literal["turned", "by-number"]
    """Whether the first pile is the cards turned, or as many more lie under a natural card as its number."""
    upcard_big_piles: tuple[Points, ...]
    """Cards in the first pile under a joker and under a two, where those make one of their own."""
    upcard_wilds_redeal: Number
    """Wild cards turned in a row with which the cards are dealt again; 0: never."""
    pile: Literal["wikipedia", "enciclopedia", "two-naturals-or-lay-off", "two-naturals-and-a-card", "mini", "not-told"]
    """The codification of taking the pile; what it says stands in the settings that follow."""
    pile_naturals: Number
    """Natural cards of the top card's rank that taking it with cards of the hand needs."""
    pile_naturals_frozen: Number
    """As many where the pile is frozen."""
    pile_top_laid_off: Literal["not-frozen", "incomplete", "never"]
    """When laying the top card off on a meld of the side takes the pile; `incomplete`: on one that is no canasta."""
    pile_tops: tuple[PileTop, ...]
    """Special cards on top with which the pile may be taken all the same."""
    pile_drawn: Number
    """Cards drawn from the stock beside the pile that is taken."""
    pile_layoff: Literal["whole-pile", "top-card-only"]
    """What is taken by laying the top card off."""
    end_of_stock: Literal["hand-ends", "giochi", "at-once"]

    def hands_of(self, side: int) -> int:
        """How many players of a side (its position) play in a hand: those who sit it out hold no cards."""
        return self.sides[side] - self.resting[side]

    @property
    def left_points(self) -> tuple[int, ...]:
        """What each kind of card costs in hand at the end, in points, in the order of `cards.KINDS`."""
        return (*self.card_points[:BLACK_THREE], self.left_black_three, 0)

    def opening_minimum(self, score: int, deal: int) -> int | None:
        """The opening minimum of a side at this match score, in this hand of the match; None where there is none."""
        if self.opening_by is OpeningBy.DEAL:
            return self.opening_deals[min(deal, len(self.opening_deals)) - 1]
        if self.opening_by is OpeningBy.NOTHING:
            return None
        if score < 0:
            return self.opening_below_zero
        reached = [minimum for start, minimum in self.opening_steps if score >= start]
        return reached[-1] if reached else None

    def minimum_ground(self, score: int, deal: int) -> str:
        """The setting, or its step, that says the opening minimum at this match score, in this hand of the match."""
        if self.opening_by is OpeningBy.DEAL:
            return f"opening-deals/{min(deal, len(self.opening_deals))}"
        if score < 0:
            return "opening-below-zero"
        return f"opening-steps/{max(start for start, _ in self.opening_steps if score >= start)}"

    def may_grow(self, size: int) -> bool:
        """Whether a meld of a rank with so many cards may take another one."""
        return self.meld_longest is None or size < self.meld_longest

    def most_wilds(self, naturals: int, rank: int) -> int:
        """The most wild cards that a meld of so many naturals of a rank (index) may hold."""
        if self.natural_only and KINDS[rank] in self.natural_only:
            return 0
        ratio = self.wild_ratio.allows(naturals)
        return self.wild_limit if ratio is None else min(self.wild_limit, ratio)
