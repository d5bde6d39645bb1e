"""The settings of a variant, with their types and the words that they accept.

A field `wild_limit` is the key `wild-limit` of the data. Figures are points unless noted otherwise.
The effect of a value is documented at the field; its value in a variant is in the data, with its
source.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from scorepad.rules.cards import BLACK_THREE, INDEX, KINDS, Kind


def _none_if_unlimited(value: object) -> object:
    """Return None for the text "unlimited" of the TOML files, and any other value as it is."""
    return None if value == "unlimited" else value


def _list_points_by_kind(value: object) -> object:
    """Turn a table of the points of cards into a tuple, in the order of `cards.KINDS`.

    `{"2": 20, "JK": 50, …}` → `(50, 20, …)`: the joker comes first, then the two. Raises ValueError
    if a kind of card is missing or unknown.
    """
    if not isinstance(value, dict):
        return value  # in order already, as in a stored match; pydantic refuses anything else
    kinds = [kind.value for kind in KINDS]
    kinds.remove(Kind.RED_THREE.value)  # a bonus card, which has no points in the table
    if sorted(value) != sorted(kinds):
        raise ValueError(f"needs exactly {', '.join(kinds)}")
    return tuple(value.get(kind.value, 0) for kind in KINDS)


def _none_if_all(value: object) -> object:
    """Return None for the text "all" of the TOML files, and any other value as it is."""
    return None if value == "all" else value


LARGEST = 9_999_999
"""Seven digits: the limit of a match score or a figure of a hand, positive or negative."""

Number = Annotated[int, Field(strict=True, ge=0, le=99)]
"""A number of cards, canastas, players or hands."""

Points = Annotated[int, Field(strict=True, ge=-LARGEST, le=LARGEST)]
"""Points, or units."""

Limit = Annotated[Number | None, BeforeValidator(_none_if_unlimited)]
"""A maximum; `"unlimited"` in the data is None."""

MostTaken = Annotated[Number | None, BeforeValidator(_none_if_all)]
"""A maximum number of cards taken; `"all"` in the data is None."""

Target = Annotated[Points | None, BeforeValidator(_none_if_unlimited)]
"""The match score that wins; `"unlimited"` in the data is None."""

PointsByKind = Annotated[tuple[Points, ...], BeforeValidator(_list_points_by_kind)]
"""Points of each kind of card in the order of `cards.KINDS`; red threes are 0: they score a bonus,
not card points.
"""


Partnership = Literal["fixed", "single-taker"]
"""How sides are combined into parties that lay melds together.

`single-taker`: the first to take the pile plays alone for the hand, the others together
(tagliagola).
"""

Sequences = Literal["none", "pure", "dirty"]
"""Whether suited sequences are melds; `dirty`: with wild cards, up to the wild limit."""

UpcardEffect = Literal["cover", "freeze", "stay", "stay-and-freeze", "redeal", "big-pile", "bury"]
"""What happens to a first upcard that is not a natural card.

`cover`: the next card is turned on top of it. `freeze`: it is placed crosswise, freezes the pile,
and the next card is turned on top of it. `stay`: it is the top card of the pile. `redeal`: the
cards are dealt again. `big-pile`: it is the top card of a pile with its own number of cards.
`bury`: it goes back into the stock, and the next card is turned.
"""


DEAD_CARDS = "dead"
"""What stands for the cards of dead ranks in the setting `empty-pile-bars`."""

Shape = Literal["group", "sequence", "wilds"]
"""What a meld is made of; `wilds`: wild cards alone."""


@dataclass(frozen=True, slots=True)
class CanastaKind:
    """A kind of canasta: its composition and its bonus, in points (mini: units).

    `family` is the family as which it counts for going out and for red threes. `wilds` is the range
    of wild cards, `jokers` the range of jokers if those alone decide, `rank` the natural rank if
    only one is possible, `length` its fewest cards if it needs more than other canastas.
    """

    item: str
    points: Points
    shape: Shape
    family: str
    wilds: tuple[Number, Number] = (0, 99)
    jokers: tuple[Number, Number] = (0, 99)
    rank: str | None = None
    length: Number = 0

    def fits(
        self, shape: Shape, wilds: int, jokers: int, ranks: tuple[int, ...], *, size: int
    ) -> bool:
        """Tell whether a canasta, which is a group of seven or more cards, is of this kind.

        `wilds` is its number of wild cards (jokers and twos), and `jokers` is how many of them are
        jokers. `ranks` are the ranks of its other cards, as indices of `cards.KINDS`, and `size` is
        the number of all its cards.

        Six kings and a joker → True for a mixed canasta, which has one or more wild cards, and
        False for a natural one, which has none.
        """
        if shape != self.shape or size < self.length:
            return False
        fewest_wilds, most_wilds = self.wilds
        if not fewest_wilds <= wilds <= most_wilds:
            return False
        fewest_jokers, most_jokers = self.jokers
        if not fewest_jokers <= jokers <= most_jokers:
            return False
        if self.rank is None:
            return True  # cards of any rank
        return ranks == (INDEX[self.rank],)


@dataclass(frozen=True, slots=True)
class IncompleteKind:
    """A kind of meld that costs points or prevents going out if it is not a canasta.

    `name` is its key in `totals.incomplete`, `item` the item of its score line (None if it costs
    nothing), `points` the cost of each.
    """

    name: str
    points: Points
    shape: Shape
    bars_out: bool
    item: str | None = None
    wilds: tuple[Number, Number] = (0, 99)
    rank: str | None = None
    four_jokers: Points = 0
    """What one that holds all four jokers costs more."""


@dataclass(frozen=True, slots=True)
class HeldKind:
    """Cards of a rank that cost points if too many of them are left in one player's hand.

    `number` is the lowest number that costs, `points` the cost for each player, `key` the JSON key
    of their count.
    """

    key: str
    item: str
    rank: str
    number: Number
    points: Points


@dataclass(frozen=True, slots=True)
class OutBonus:
    """A bonus for going out with a number of canastas in all and of families; in points."""

    points: Points
    canastas: Number
    natural: Number
    mixed: Number


@dataclass(frozen=True, slots=True)
class FamilyShare:
    """The effect of red threes, in halves of their value, on the side itself and on its opponents.

    `having`: the side's canastas are of both families, natural only, mixed only, or none.
    """

    having: Literal["both", "natural", "mixed", "none"]
    own: Points
    opponents: Points


@dataclass(frozen=True, slots=True)
class PileTop:
    """A special card on top of the pile that allows taking it, with this number of equal cards from
    the hand.

    `used`: they are laid with it at once, or discarded together at the end of the turn.
    """

    card: str
    more: Number
    used: Literal["melded", "discarded"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a variant decides. Built by the loader; there are no defaults, so that no
    setting is omitted.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    # the table
    sides: tuple[Number, ...]
    """Players in each side."""
    resting: tuple[Number, ...]
    """Players of each side who sit out a hand by turns."""
    partnership: Partnership
    decks: Number
    dealt: Number
    """Cards dealt to each player."""
    hands_each: Number
    """Hands of cards dealt to each player, to be played one after the other."""
    drawn: Number
    """Cards drawn from the stock in a turn."""
    first_exchange: bool
    """Before the first upcard each player puts a card on the pile and draws a replacement."""
    unit: Literal["points", "units"]
    """The unit of the match score: card points, or units."""
    target: Target
    """Match score that wins; `"unlimited"` if a number of hands decides."""
    match_deals: Limit
    """Hands in a match."""
    card_points: PointsByKind
    counted_by: Literal["cards-or-totals", "cards"]
    """Whether a side may enter totals counted at the table, or must enter its cards."""

    # melds
    meld_shortest: Number
    meld_longest: Limit
    meld_longest_out: Literal["as-others", "unlimited"]
    """How long the melds of a side may be when it goes out: no longer than others, or as long as it
    likes.
    """
    meld_naturals: Number
    """Minimum number of natural cards in a meld."""
    meld_one_rank: Literal["required", "or-sequence"]
    meld_wilds_stay: Literal["always", "until-natural"]
    """A melded wild card may not be moved; `until-natural`: a mixed canasta with natural cards
    enough for a natural one gives its wild cards back to the hand.
    """
    wild_limit: Number
    wild_ratio: Literal["any", "not-more-than-naturals", "fewer-than-naturals", "half-of-naturals"]
    """How many wild cards a meld may hold relative to its natural cards, regardless of the limit.
    """
    natural_only: tuple[str, ...]
    """Ranks whose melds may not hold wild cards."""
    natural_after_opening: tuple[str, ...]
    """Ranks whose melds may not hold wild cards except those laid with the opening."""
    wild_melds: Literal["never", "allowed"]
    """Melds of wild cards alone."""
    wild_melds_shortest: Number
    wild_melds_longest: Limit
    wild_meld_naturals: Literal["unspoken", "allowed"]
    """Whether natural cards may be laid on a meld of wild cards alone, which makes it mixed; or no
    source says.
    """
    sequences: Sequences
    black_threes: Literal["never", "going-out"]
    """When black threes may be melded."""
    black_threes_fewest: Number
    """Minimum number of black threes in a meld of them."""
    black_threes_longest: Limit
    """Maximum number of cards in a meld of black threes; without a limit a longer one is a kind of
    canasta.
    """
    black_threes_wilds: Literal["with-wilds", "pure"]
    repeated_rank: Literal["discouraged", "usual", "not-incomplete", "after-canasta", "never"]
    """Whether sources that mention it want one meld for each rank; or forbid a second incomplete
    one, or one begun before the first is a canasta (`after-canasta`), or any second one (`never`).
    The last two only the referee says: a counted hand may have two.
    """
    incomplete: tuple[IncompleteKind, ...]
    """Melds that cost points or prevent going out if they are not canastas."""
    wilds_from_naturals: Number
    """After the side's opening, wild cards join only melds of at least so many natural cards; 0: no
    such rule. Melds of wild cards alone are free of it.
    """
    wilds_blocked: Literal["nothing", "wilds", "wilds-and-mixed"]
    """What a side may not do while its meld of wild cards alone is incomplete."""

    # canastas
    canasta_length: Number
    wild_on_canasta: Literal["allowed", "forbidden"]
    canastas: tuple[CanastaKind, ...]
    """In order of precedence: the first that fits is the kind of the meld."""
    dead_ranks: Literal["none", "either-side"]
    """Whether a rank of which a side has a canasta is dead: nobody begins or extends a meld of it.
    """
    canastas_count: Literal["always", "with-out-needs"]
    """Whether canastas count only for a side that has the canastas that going out requires."""
    canastas_capped: Literal["never", "as-side-out"]
    """Whether a side that did not go out scores the bonuses of at most as many canastas as the side
    that did; its dearest count.
    """
    concealed_canasta: Points
    """Extra bonus for a concealed canasta."""
    thirteen: Literal["never", "first-canasta", "initial-meld"]
    """What gives a player thirteen more cards, once in a hand."""

    # opening
    opening_by: Literal["score", "deal", "nothing"]
    """What determines the opening minimum; `nothing`: there is no minimum."""
    opening_steps: tuple[tuple[Points, Points], ...]
    """(match score, minimum): the minimum from this score on, ascending."""
    opening_below_zero: Points
    opening_deals: tuple[Points, ...]
    """The minimum of each hand of the match, in order."""
    opening_naturals_up_to: Points
    """Up to this minimum only melds without wild cards count; 0: all melds count."""
    opening_wild_melds: Literal["as-others", "not-alone"]
    """Whether melds of wild cards alone may open."""
    opening_natural_group: Literal["not-needed", "needed", "or-wilds"]
    """Whether the opening must hold three natural cards of a rank, and no complete mixed canasta;
    `or-wilds`: a meld of wild cards alone serves as well as the three.
    """
    opening_canasta: Literal["counts", "no-minimum"]
    """Whether a natural canasta, or one of wild cards alone, opens without the minimum if it is laid
    at once.
    """
    talon: Annotated[tuple[Number, ...], Field(max_length=2)]
    """Cards that a player gets after opening from the hand and discarding: for the first side that
    opens, and for the second; empty: none.
    """
    talon_from: Literal["stock", "set-aside"]
    """Where they come from: drawn from the stock until the turn card is gone, or set aside at the
    deal.
    """
    talon_with_pile: Literal["none", "given"]
    """Whether a player who opens while taking the pile gets them too."""
    opening_pile: Literal["top-card-only", "hand-only", "never"]
    """The cards of a pile taken to open that count for the opening."""

    # threes
    red_three_values: tuple[Points, ...]
    """Value of one, two, three … of them together."""
    red_threes_condition: Literal["opened", "out-needs", "canastas", "families"]
    """What a side must have done for its red threes to count in its favour.

    `out-needs`: it has the canastas that going out requires. `canastas`: by the number of its
    canastas (`red_threes_by_canastas`). `families`: whether it has natural canastas, mixed ones,
    both or none (`red_threes_by_families`).
    """
    red_threes_otherwise: Literal["negative", "to-opponents", "zero"]
    """What happens to red threes whose condition is not met."""
    red_threes_by_canastas: tuple[Points, ...]
    """The sign of their value with no canasta, one, two …; the last applies to more."""
    red_threes_by_families: tuple[FamilyShare, ...]
    held_red_three: Points
    """Cost of a red three in hand at the end."""
    held_red_three_counts: Literal["each", "once"]
    """Whether it is charged for each of them or once."""
    red_threes_kept: Literal["exposed", "may-be-kept"]
    """Whether a red three must be exposed, or may stay in hand and be discarded."""
    black_threes_aside: tuple[Points, ...]
    """Value of one, two … black threes found in a taken pile and laid aside."""
    black_threes_exposed: tuple[Points, ...]
    """Value of one, two … black threes exposed like red ones."""

    # the count
    cards_by_canastas: tuple[Points, ...]
    """The sign of the cards laid with no canasta, one, two …; the last applies to more."""
    cards_left: Literal["points", "groups", "groups-by-rank"]
    """How cards in hand at the end are subtracted.

    `groups`: a unit for each group of cards begun, over all the side's hands together; wild cards
    are counted separately.
    """
    left_black_three: Points
    """Cost of a black three in hand at the end."""
    left_wild: Points
    """Cost in units of a wild card in hand, if cards left are counted in groups."""
    left_group: Number
    """Cards in a group, if cards left are counted in groups."""
    held_together: tuple[HeldKind, ...]
    special_hands: tuple[tuple[str, Points], ...]
    """(name, points): hands that are shown instead of melded."""
    special_hands_courtesy: Literal["none", "next-turn"]
    """Whether a special hand may still be shown in the partner's turn right after the opening."""

    # going out
    canastas_needed: Number
    canasta_families_needed: tuple[tuple[str, Number], ...]
    """(family, minimum number of its canastas)."""
    out_red_threes: Literal["any", "one-for-each-canasta"]
    """Exposed red threes required for going out."""
    permission: Literal["may-ask-once", "must-ask", "none"]
    """Whether the partner may be asked before going out; `none`: there is no asking."""
    out_partner_foot: Literal["not-needed", "needed"]
    """Whether the partner of a player who goes out must have played at least part of a turn from the
    foot, the last of several hands each.
    """
    last_discard: Literal["optional", "obligatory"]
    """Whether the player who goes out discards a last card."""
    last_discard_special: Literal["forbidden", "wilds", "any"]
    """Which special cards may be discarded last."""
    out_bonus: Points
    concealed_out_bonus: Points
    out_bonus_canastas: tuple[OutBonus, ...]
    out_bonus_adds: Literal["highest", "sum"]
    """Whether only the highest bonus for going out is scored, or also that for the canastas."""
    concealed_out: Literal["opening-turn", "own-melds-only", "with-lay-offs"]
    """The conditions of a concealed going out; `with-lay-offs`: a whole canasta laid in the last
    turn, also beside cards laid on the side's melds.
    """
    penalties_known: Literal["listed"]

    # what only rulings use
    freezing: Literal["discarded-wild", "always", "never"]
    """What freezes the pile."""
    black_three_discarded: Literal["stops", "freezes"]
    stop_ranks: tuple[str, ...]
    """Natural ranks whose discard stops the next player, like a black three."""
    first_round_black_threes: Literal["allowed", "forbidden"]
    """Whether black threes may be discarded in the first round."""
    discard_fitting: Literal["allowed", "forbidden"]
    """Whether a card may be discarded that fits one of the side's melds, or the canasta just
    completed.
    """
    wild_discard: Literal["any", "last-or-all-wild"]
    """When a wild card may be discarded; `last-or-all-wild`: only as the last card, or by a player
    who holds nothing but wild cards.
    """
    empty_pile_bars: tuple[str, ...]
    """What may not be discarded onto an empty pile, unless as the last card: natural ranks, and
    `dead` for the cards of dead ranks.
    """
    threes_together: Number
    """Maximum number of threes of one colour discarded at once; 0: none."""
    upcard: Literal[
        "wikipedia", "giochi", "getty", "enciclopedia", "turn-until-natural", "cover-and-freeze", "big-pile",
        "turn-and-count", "buried", "left-lying", "none", "not-told",
    ]  # fmt: skip
    """The codification of the first upcard, for the settings that follow.

    `none`: no card is turned up, and the pile begins empty. `not-told`: the sources do not mention
    it.
    """
    turn_card: Number
    """Cards of the stock under the turn card, which lies crosswise and tells who draws it that so
    many are left; 0: there is none.
    """
    upcard_wild: UpcardEffect
    upcard_red_three: UpcardEffect
    upcard_black_three: UpcardEffect
    upcard_freezes: Literal["as-turned", "never"]
    """Whether the first upcard, of any kind, freezes the pile."""
    upcard_pile: Literal["turned", "by-number"]
    """Whether the first pile is the cards turned, or as many more cards lie under a natural card as
    its number.
    """
    upcard_big_piles: tuple[Points, ...]
    """Cards in the first pile under a joker and under a two, if those make a big pile."""
    upcard_wilds_redeal: Number
    """Number of consecutive wild cards turned that causes a new deal; 0: never."""
    pile: Literal[
        "wikipedia", "enciclopedia", "two-naturals-always", "two-naturals-or-lay-off",
        "two-naturals-and-a-card", "top-seven", "mini",
    ]  # fmt: skip
    """The codification of taking the pile, for the settings that follow."""
    pile_naturals: Number
    """Natural cards from the hand, of the top card's rank, required to take the pile."""
    pile_naturals_frozen: Number
    """Natural cards from the hand, of the top card's rank, required to take a frozen pile."""
    pile_top_laid_off: Literal["not-frozen", "incomplete", "never"]
    """When laying the top card off on a meld of the side takes the pile; `incomplete`: only on a
    non-canasta.
    """
    pile_tops: tuple[PileTop, ...]
    """Special top cards with which the pile may still be taken."""
    pile_drawn: Number
    """Cards drawn from the stock in addition to taking the pile."""
    pile_layoff: Literal["whole-pile", "top-card-only"]
    """The cards taken by laying the top card off."""
    pile_taken_most: MostTaken
    """The most cards of the pile that are taken: the top card, and those below it; the rest stays.
    """
    end_of_stock: Literal["hand-ends", "giochi", "at-once", "while-taken"]
    """How the hand ends without a stock; `while-taken`: it goes on while players take the pile,
    which none of them must.
    """

    def players_of(self, side: int) -> int:
        """Return how many players of a side play in a hand (round). `side` is its position, from 0.

        A side of three of whom one sits out, by turns → 2.
        """
        return self.sides[side] - self.resting[side]

    @property
    def left_points(self) -> tuple[int, ...]:
        """How many points a player loses for each kind of card still in hand when the round ends.

        The kinds are in the order of `cards.KINDS`: joker, two, ace, king and so on, with black and
        red threes last. The classic game → `(50, 20, 20, 10, …, 5, 0)`.
        """
        # A card costs what it is worth on the table, apart from the threes.
        cost_of_other_cards = self.card_points[:BLACK_THREE]
        cost_of_black_three = self.left_black_three
        cost_of_red_three = 0  # it is subtracted elsewhere (`held_red_three`)
        return (*cost_of_other_cards, cost_of_black_three, cost_of_red_three)

    def opening_minimum(self, score: int, deal: int) -> int | None:
        """Return how many points the first cards that a side lays in a hand (round) must be worth.

        `score` is the match score of the side, and `deal` is the number of the hand in the match,
        from 1. In the classic game:

        - below 0 → 15
        - from 0 → 50, from 1500 → 90, from 3000 → 120

        In some games it goes by the number of the hand instead. None if there is no minimum.
        """
        if self.opening_by == "nothing":
            return None
        if self.opening_by == "deal":
            last_deal = len(self.opening_deals)  # its minimum holds for all later ones
            return self.opening_deals[min(deal, last_deal) - 1]
        if score < 0:
            return self.opening_below_zero
        minimum_at_score = None
        for first_score, minimum in self.opening_steps:  # from the lowest score to the highest
            if score >= first_score:
                minimum_at_score = minimum  # a later one may replace it
        return minimum_at_score

    def find_setting_of_minimum(self, score: int, deal: int) -> str:
        """Find which setting says how many points the first cards of a side must be worth.

        `score` is the match score of the side, and `deal` is the number of the hand (round) in the
        match. In the classic game:

        - a score of 1600 → `opening-steps/1500`, the part of the setting for scores from 1500 on
        - a score of -20 → `opening-below-zero`

        Call it only if the game has such a minimum.
        """
        if self.opening_by == "deal":
            last_deal = len(self.opening_deals)  # its minimum holds for all later ones
            return f"opening-deals/{min(deal, last_deal)}"
        if score < 0:
            return "opening-below-zero"
        scores_reached = [
            first_score for first_score, _ in self.opening_steps if score >= first_score
        ]
        return f"opening-steps/{max(scores_reached)}"

    def when_going_out(self) -> Settings:
        """Return the settings for the melds of a side that goes out: in some games they may be longer.

        A meld is a group of cards on the table. In most games the result is these settings.
        """
        if self.meld_longest_out == "as-others":
            return self
        return replace(self, meld_longest=None, wild_melds_longest=None)

    def may_grow(self, size: int) -> bool:
        """Tell whether a meld (group of equal cards) with this many cards may take one more.

        In a game where a meld has at most 7 cards: 6 → True, 7 → False.
        """
        return self.meld_longest is None or size < self.meld_longest

    def ratio_limit(self, naturals: int) -> int | None:
        """Return how many wild cards a meld may have at most, by its number of natural cards.

        A meld is a group of cards on the table. Wild cards are jokers and twos, and all others are
        natural. Beside 4 natural cards:

        - "not-more-than-naturals" → 4
        - "fewer-than-naturals" → 3
        - "half-of-naturals" → 2
        - any other rule → None, their number does not depend on the natural cards
        """
        if self.wild_ratio == "not-more-than-naturals":
            return naturals
        if self.wild_ratio == "fewer-than-naturals":
            return max(0, naturals - 1)
        if self.wild_ratio == "half-of-naturals":
            return naturals // 2
        return None

    def most_wilds(self, naturals: int, rank: int) -> int:
        """Return how many wild cards (jokers and twos) a meld of a rank may have at most.

        A meld is a group of cards on the table. `naturals` is the number of its other cards, and
        `rank` is their rank, as an index of `cards.KINDS`. With a limit of 3 → usually 3. It is 0
        for a rank that must stay without wild cards, such as sevens in some games.
        """
        if self.natural_only and KINDS[rank] in self.natural_only:
            return 0
        by_ratio = self.ratio_limit(naturals)
        if by_ratio is None:
            return self.wild_limit
        return min(self.wild_limit, by_ratio)
