"""The settings of a variant, typed: the names that its data file gives values to.

A field `wild_limit` is the key `wild-limit` of the data. Figures in points unless said otherwise. What a value means
for play stands at the field; what it is for a variant stands in the data, with its source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import ConfigDict

from scorepad.rules.cards import BLACK_THREE, KINDS
from scorepad.rules.terms import (
    BlackThrees,
    CanastaKind,
    CardsLeft,
    ConcealedOut,
    Condition,
    Counting,
    Family,
    FamilyShare,
    HeldKind,
    IncompleteKind,
    LastDiscard,
    Limit,
    OpeningBy,
    Otherwise,
    OutBonus,
    Partnership,
    PileTop,
    PointsByKind,
    Sequences,
    Turned,
    WildRatio,
)


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
    hands_each: int
    """Hands of cards dealt to each player, one after the other to be played."""
    drawn: int
    """Cards drawn from the stock in a turn."""
    first_exchange: bool
    """Before the first upcard each player puts a card on the pile and draws another."""
    first_dealer: Literal["highest-card"]
    cut: Literal["dealer-right"]
    first_player: Literal["dealer-left"]
    deal_passes: Literal["clockwise"]
    unit: Literal["points", "units"]
    """What the match is counted in: card points, or units."""
    target: Limit
    """Match score that wins; `"unlimited"` where a number of hands decides."""
    match_deals: Limit
    """Hands in a match."""
    card_points: PointsByKind
    counted_by: Literal["cards-or-totals", "cards"]
    """Whether a side may give the totals that it counted at the table, or must give its cards."""

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
    natural_only: tuple[str, ...]
    """Ranks whose melds hold no wild card."""
    natural_after_opening: tuple[str, ...]
    """Ranks whose melds hold no wild card unless it came with the opening."""
    wild_melds: Literal["never", "allowed"]
    """Melds of wild cards alone."""
    wild_melds_shortest: int
    wild_melds_longest: Limit
    wild_meld_naturals: Literal["unspoken", "allowed"]
    """Whether natural cards may be laid on a meld of wild cards alone, which then is a mixed one; or nobody says."""
    sequences: Sequences
    black_threes: BlackThrees
    black_threes_fewest: int
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
    canasta_length: int
    wild_on_canasta: Literal["allowed", "forbidden"]
    canastas: tuple[CanastaKind, ...]
    """Tried in order: the first that fits is what the meld is."""
    canastas_count: Literal["always", "with-out-needs"]
    """Whether canastas count only for a side that has those that going out needs."""
    concealed_canasta: int
    """More for a concealed canasta."""
    thirteen: Literal["never", "first-canasta", "initial-meld"]
    """What gives a player thirteen more cards, once in the hand."""

    # opening
    opening_by: OpeningBy
    opening_steps: tuple[tuple[int, int], ...]
    """(match score, minimum): the minimum from this score on, rising."""
    opening_below_zero: int
    opening_deals: tuple[int, ...]
    """The minimum of each hand of the match, in order."""
    opening_counts: Literal["all-melds"]
    opening_naturals_up_to: int
    """Up to this minimum only melds without wild cards count; 0: all count."""
    opening_wild_melds: Literal["as-others", "not-alone"]
    """Whether melds of wild cards alone may open."""
    opening_natural_group: Literal["not-needed", "needed"]
    """Whether the opening must hold three natural cards of a rank, and no complete mixed canasta."""
    opening_pile: Literal["top-card-only", "never"]
    """What of a pile taken to open counts for the opening."""

    # threes
    red_three_values: tuple[int, ...]
    """Worth of one, two, three … of them together."""
    red_threes_condition: Condition
    red_threes_otherwise: Otherwise
    red_threes_by_canastas: tuple[int, ...]
    """The sign of their worth with no canasta, one, two …; the last holds for more."""
    red_threes_by_families: tuple[FamilyShare, ...]
    held_red_three: int
    """Lost for a red three in hand at the end."""
    held_red_three_counts: Counting
    red_threes_kept: Literal["exposed", "may-be-kept"]
    """Whether a red three must be exposed, or may stay in hand and be discarded."""
    black_threes_aside: tuple[int, ...]
    """Worth of one, two … black threes found in a taken pile and laid aside."""
    black_threes_exposed: tuple[int, ...]
    """Worth of one, two … black threes exposed like red ones."""

    # the count
    cards_by_canastas: tuple[int, ...]
    """The sign of the cards laid with no canasta, one, two …; the last holds for more."""
    cards_left: CardsLeft
    left_black_three: int
    """Lost for a black three in hand at the end."""
    left_wild: int
    """Units lost for a wild card in hand, where cards left are counted in groups."""
    left_group: int
    """Cards in a group, where cards left are counted in groups."""
    held_together: tuple[HeldKind, ...]
    special_hands: tuple[tuple[str, int], ...]
    """(name, points): hands that are shown instead of melded."""

    # going out
    canastas_needed: int
    canasta_families_needed: tuple[tuple[Family, int], ...]
    """(family, canastas needed of it)."""
    out_red_threes: Literal["any", "one-for-each-canasta"]
    """Red threes exposed that going out needs."""
    permission: Literal["may-ask-once", "must-ask"]
    """Whether the partner may be asked before going out."""
    last_discard: LastDiscard
    last_discard_special: Literal["forbidden", "wilds", "any"]
    """Which special cards may be discarded last."""
    out_bonus: int
    concealed_out_bonus: int
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
    threes_together: int
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
    upcard_big_piles: tuple[int, ...]
    """Cards in the first pile under a joker and under a two, where those make one of their own."""
    upcard_wilds_redeal: int
    """Wild cards turned in a row with which the cards are dealt again; 0: never."""
    pile: Literal["wikipedia", "enciclopedia", "two-naturals-or-lay-off", "two-naturals-and-a-card", "mini", "not-told"]
    """The codification of taking the pile; what it says stands in the settings that follow."""
    pile_naturals: int
    """Natural cards of the top card's rank that taking it with cards of the hand needs."""
    pile_naturals_frozen: int
    """As many where the pile is frozen."""
    pile_top_laid_off: Literal["not-frozen", "incomplete", "never"]
    """When laying the top card off on a meld of the side takes the pile; `incomplete`: on one that is no canasta."""
    pile_tops: tuple[PileTop, ...]
    """Special cards on top with which the pile may be taken all the same."""
    pile_drawn: int
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

    def may_grow(self, size: int) -> bool:
        """Whether a meld of a rank with so many cards may take another one."""
        return self.meld_longest is None or size < self.meld_longest

    def most_wilds(self, naturals: int, rank: int) -> int:
        """The most wild cards that a meld of so many naturals of a rank (index) may hold."""
        if self.natural_only and KINDS[rank] in self.natural_only:
            return 0
        ratio = self.wild_ratio.allows(naturals)
        return self.wild_limit if ratio is None else min(self.wild_limit, ratio)
