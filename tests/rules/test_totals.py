"""The fewest and the most points that the cards of a side can be worth, if only its canastas are
known: found by the program, and by trying every way of laying the cards.

Points of cards: joker 50, two and ace 20, king to eight 10, seven to four and black three 5. The
108 cards of two decks are worth 1160 without the black threes, which only a side that goes out may
lay. In a name such as `10h` the last letter is the suit.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import assume, given
from hypothesis import settings as search
from hypothesis import strategies as st

from scorepad.rules import bounds as bounds_module
from scorepad.rules.bounds import Bounds, compute_extreme_points, find_bounds
from scorepad.rules.cards import KINDS, Cards, count_cards_in_decks, gather, parse_cards, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.variants import settle, variant_ids
from tests.examples import examples
from tests.rules.every_way import (
    Canastas,
    CardCounts,
    OneMeld,
    bounds_by_canastas,
    groups,
    sequences,
    wilds_alone,
)
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals
from tests.rules.hands_drawn import rulesets

CLASSICA = settle("classica").settings
NO_CARDS = parse_cards("")


def bounds_of(
    settings: Settings, canastas: Iterable[str], taken: Cards = NO_CARDS, *, out: bool = False
) -> Bounds | None:
    """Return what the cards of a side are worth at least and at most.

    The side has exactly these canastas, and any smaller melds. `taken` are cards that lie
    elsewhere; `out` says whether the side went out. None: nobody can have these canastas.
    """
    counts = Counter(canastas)

    # `find_bounds` looks no further than it needs to tell whether the points asked about are
    # possible: -5 are too few for anybody, and 100,000 too many, so that it has to find the end.
    below = find_bounds(settings, counts, taken, points=-5, went_out=out)
    above = find_bounds(settings, counts, taken, points=100_000, went_out=out)

    # Which canastas are possible does not depend on the points.
    if below is None or above is None:
        assert below is above
        return None
    return Bounds(least=below.least, most=above.most)


def count_all_cards(settings: Settings, ranks_by_suit: set[str]) -> dict[str, int]:
    """Count the cards of each name in the decks: `{"K": 8, …}`.

    Cards of these ranks are counted by suit instead: `{"Kh": 2, "Kd": 2, …}`.
    """
    # The kinds of cards are the ranks, and others such as jokers.
    numbers = count_cards_in_decks(settings.decks)
    counts = {kind.value: number for kind, number in zip(KINDS, numbers, strict=True)}

    # Replace "K": 8 by "Kh": 2 and so on: each deck has one king of hearts.
    for rank in ranks_by_suit:
        del counts[rank]
        for suit in "hdsc":
            counts[rank + suit] = settings.decks
    return counts


def all_cards_but(settings: Settings, available: CardCounts) -> Cards:
    """Return all cards of the decks but these.

    If they lie elsewhere, only these are left for a side.
    """
    # In `10h` the last letter is the suit. Of the rank 10 all cards are then counted by suit.
    ranks_by_suit = {name[:-1] for name in available if name[-1] in "hdsc"}
    all_cards = count_all_cards(settings, ranks_by_suit)

    # In the text for `parse_cards`, `3xK` are three kings.
    others = []
    for name, number in all_cards.items():
        number_of_others = number - available.get(name, 0)
        if number_of_others > 0:
            others.append(f"{number_of_others}x{name}")
    return parse_cards(" ".join(others))


def assert_bounds_are_those_of_every_way(
    settings: Settings,
    melds: Iterable[OneMeld],
    available: CardCounts,
    items: Iterable[str],
    *,
    out: bool = False,
) -> None:
    """Check that the app finds the same bounds as trying every way to lay these melds.

    The bounds are the fewest and the most points of the cards that a side with certain canastas can
    have laid. `items` are all kinds of canastas; `out` says whether the side went out.
    """
    # The app knows which cards lie elsewhere: all but those that are available to the side.
    elsewhere = all_cards_but(settings, available)

    # Trying gives the points of each choice of canastas that can be made together, such as
    # {(): (0, 90), ("natural-canasta",): (70, 90)}. The app must find the same.
    found_by_trying = bounds_by_canastas(melds, available)
    for canastas, (least, most) in found_by_trying.items():
        assert bounds_of(settings, canastas, elsewhere, out=out) == Bounds(least, most), canastas

    # Add a canasta of each kind. Where trying did not make these, the app must find none either.
    for canastas in add_one_canasta(found_by_trying, items):
        if canastas not in found_by_trying:
            assert bounds_of(settings, canastas, elsewhere, out=out) is None, canastas


def add_one_canasta(every_canastas: Iterable[Canastas], items: Iterable[str]) -> list[Canastas]:
    """Return each of these groups of canastas with one more, of each kind."""
    added = product(every_canastas, items)
    return [tuple(sorted((*canastas, item))) for canastas, item in added]


# ---------------------------------------------------------------- by hand


def test_one_natural_and_one_mixed_canasta_cost_at_least_85_points() -> None:
    # The cheapest natural canasta is seven fours, 7 × 5 = 35 points. The cheapest mixed canasta,
    # which needs a wild card, is six fives and a two: 6 × 5 + 20 = 50.
    bounds = bounds_of(CLASSICA, ["mixed-canasta", "natural-canasta"])
    assert bounds.least == 85


def test_without_canastas_all_cards_can_lie_in_small_melds() -> None:
    # The decks have 8 aces of 20 points, 48 cards of 10, 32 of 5, 8 twos of 20 and 4 jokers of 50:
    # 160 + 480 + 160 + 160 + 200 = 1160. Black threes may be laid only when going out.
    assert bounds_of(CLASSICA, []) == Bounds(least=0, most=1160)


def test_side_that_goes_out_may_lay_black_threes_too() -> None:
    # All other cards are worth 1160 points. The 4 black threes are worth 5 each.
    assert bounds_of(CLASSICA, [], out=True) == Bounds(least=0, most=1180)


def test_eighth_card_of_a_rank_finds_no_place_where_a_canasta_ends_at_seven() -> None:
    # By the preset "giochi" a canasta has exactly seven cards. A side has a natural one, without
    # wild cards. Of each rank there are eight cards, and one of them can lie nowhere.
    giochi = settle("classica", "giochi").settings
    bounds = bounds_of(giochi, ["natural-canasta"])

    # The fewest points are those of seven fours, 7 × 5. The most are those of all cards that can be
    # laid, 1160, without the eighth four.
    assert bounds == Bounds(least=35, most=1160 - 5)


def test_thirteen_mixed_canastas_are_impossible_with_twelve_wild_cards() -> None:
    # Eight twos and four jokers. A mixed canasta has at least one of them.
    assert find_bounds(CLASSICA, {"mixed-canasta": 13}, NO_CARDS, 900) is None


def test_millions_of_canastas_are_impossible() -> None:
    # Somebody typed a huge number. The answer comes at once.
    assert find_bounds(CLASSICA, {"natural-canasta": 9_999_999}, NO_CARDS, 900) is None


def test_more_concealed_canastas_than_canastas_are_impossible() -> None:
    # In these rules a canasta laid at once ("concealed") counts among the natural or mixed ones
    # too: here two of one.
    getty = settle("classica", "getty").settings
    canastas = {"concealed-canasta": 2, "natural-canasta": 1}
    assert find_bounds(getty, canastas, NO_CARDS, 100) is None


@pytest.mark.parametrize(
    ("canastas", "taken", "expected"),
    [
        # At least seven sevens of 5 points; at most all cards of the decks.
        (1, "", Bounds(least=35, most=1160)),
        # Two sevens lie elsewhere. At least the other six and a two, 6 × 5 + 20; at most all cards
        # but the two sevens, 1160 − 2 × 5.
        (1, "2x7", Bounds(least=50, most=1150)),
        # At least all eight sevens with six twos, 8 × 5 + 6 × 20.
        (2, "", Bounds(least=160, most=1160)),
        # Eight sevens are too few for three.
        (3, "", None),
    ],
)
def test_canastas_of_sevens_are_made_of_sevens_and_wild_cards(
    canastas: int, taken: str, expected: Bounds | None
) -> None:
    # In the game "sette" seven sevens, perhaps with wild cards among them, are a canasta of their
    # own kind. `taken` are cards that lie elsewhere.
    sette = settle("sette").settings
    bounds = bounds_of(sette, ["sevens-canasta"] * canastas, parse_cards(taken))
    assert bounds == expected


def test_sequence_cannot_run_over_a_card_that_lies_elsewhere() -> None:
    # Seven cards in a row of one suit, from ace to four, are a samba. Each needs a six or a nine.
    # Of the three decks all sixes and nines lie elsewhere, but one six and one nine of clubs.
    samba = settle("samba").settings
    gone = parse_cards("3x6h 3x9h 3x6d 3x9d 3x6s 3x9s 2x6c 2x9c")

    # At least the ten to the four of clubs: 3 × 10 + 4 × 5.
    assert bounds_of(samba, ["samba"], gone).least == 50
    assert bounds_of(samba, ["samba", "samba"], gone) is None


@pytest.fixture
def bolivia_without_dirty_canasta() -> Settings:
    """Build the rules of bolivia in which a sequence with a wild card is legal, but no canasta."""
    bolivia = settle("bolivia", preset=None, options={"dirty-escalera": True}).settings
    canastas = tuple(kind for kind in bolivia.canastas if kind.item != "dirty-samba")
    return replace(bolivia, canastas=canastas)


def test_sequence_with_wild_card_is_no_canasta_where_none_counts(
    bolivia_without_dirty_canasta: Settings,
) -> None:
    # A side can have laid only these cards: six hearts in a row and a two, which is wild. All
    # others lie elsewhere.
    available = {"10h": 1, "9h": 1, "8h": 1, "7h": 1, "6h": 1, "5h": 1, "2": 1}
    elsewhere = all_cards_but(bolivia_without_dirty_canasta, available)

    # A canasta of seven cards in a row, a samba, has no wild cards. Nobody can make one of these.
    with_samba = bounds_of(bolivia_without_dirty_canasta, ["samba"], elsewhere)
    assert with_samba is None

    # Without any canasta the side laid nothing, or up to all seven cards in two sequences, 10h 9h
    # 8h and 7h 6h 5h 2: three cards of 10 points, three of 5 and the two of 20.
    without_canasta = bounds_of(bolivia_without_dirty_canasta, [], elsewhere)
    assert without_canasta == Bounds(least=0, most=65)


@pytest.mark.parametrize(
    ("card_points", "problems"),
    [
        # All cards of the decks but those of the opening: 1160 − 105.
        (1055, set()),
        (1060, {"totals-impossible"}),
    ],
)
def test_cards_of_an_opening_are_not_among_the_totals_of_the_other_side(
    card_points: int, problems: set[str]
) -> None:
    # The second side opened with three aces, three nines and three fours: 60 + 30 + 15 = 105.
    # The first side, which entered only the points of its cards, cannot have these.
    opening = (read_cards("3xA"), read_cards("3x9"), read_cards("3x4"))
    second_side = replace(side_with_totals(cards=105), opening=opening)
    first_side = side_with_totals(cards=card_points)

    judgement = judge_hand(hand(first_side, second_side))

    assert problem_codes(judgement) == problems


@pytest.mark.parametrize(
    ("points", "possible"),
    [(0, True), (5, False), (10, False), (15, True), (1160, True), (1165, False)],
)
def test_points_are_possible_from_the_cheapest_meld_to_all_cards(
    points: int, possible: bool
) -> None:
    # A side has no canastas. If it laid nothing, that is 0 points. The cheapest meld is three
    # fours, 15. All cards of the decks are worth 1160.
    bounds = find_bounds(CLASSICA, {}, NO_CARDS, points)
    assert bounds.holds(points) is possible


@pytest.mark.parametrize(
    ("points", "possible"),
    [
        # Mini has three decks, with 12 twos of 20 points and 6 jokers of 50. A canasta has five
        # cards. One of wild cards has a joker at least: the cheapest three have 12 twos and 3
        # jokers, 12 × 20 + 3 × 50.
        (390, True),
        # All cards of the three decks, but for the threes, are worth 1740 points.
        (1740, True),
        (1745, False),
    ],
)
def test_three_canastas_of_wild_cards_have_bounds(points: int, possible: bool) -> None:
    # Can a side with three canastas of wild cards have cards of so many points?
    mini = settle("mini").settings
    bounds = find_bounds(mini, {"wild-canasta": 3}, NO_CARDS, points)
    assert bounds.holds(points) is possible


# ---------------------------------------------------------------- every way, one by one

up_to_4_cards = st.integers(0, 4)
up_to_8_cards = st.integers(0, 8)
CLASSIC_CARDS = {
    "A": up_to_8_cards,
    "9": st.sampled_from([0, 0, 3, 7]),
    "4": up_to_4_cards,
    "3b": up_to_4_cards,
    "2": up_to_4_cards,
    "JK": up_to_4_cards,
}
LimitOfWilds = Callable[[int], int]
"""From the number of natural cards in a meld to the most wild cards beside them."""


def up_to(limit: int) -> LimitOfWilds:
    """Return the limit of so many wild cards, whatever natural cards there are."""
    return lambda _naturals: limit


def up_to_naturals(limit: int) -> LimitOfWilds:
    """Return the limit of so many wild cards, and no more than natural cards."""
    return lambda naturals: min(limit, naturals)


@dataclass(frozen=True)
class OfRank:
    """How cards of a rank are laid: with how many wild cards; the canastas that they make without
    wild cards and with some; the most cards of a meld, and the fewest natural ones.
    """

    rank: str
    most_wilds: LimitOfWilds
    natural: str = "natural-canasta"
    mixed: str = "mixed-canasta"
    longest: int = 99
    fewest: int = 2

    def list_melds(self, available: CardCounts) -> Iterator[OneMeld]:
        """List all melds of this rank that can be laid of these cards: `{"A": 5, "2": 1}`."""
        # A meld that is a canasta, of seven cards or more, is of one kind without wild cards, and
        # of the other kind with some: "natural-canasta" and "mixed-canasta".
        kinds_of_canastas = (self.natural, self.mixed)
        return groups(
            available,
            self.rank,
            self.most_wilds,  # beside so many natural cards
            kinds_of_canastas,
            longest=self.longest,  # the most cards of a meld
            fewest=self.fewest,  # the fewest natural cards
        )


@dataclass(frozen=True)
class Game:
    """A game with the cards that are drawn of its decks; `wilds` are the canastas of wild cards, by
    their number of jokers (None: of any other number).
    """

    settings: Settings
    cards: Mapping[str, st.SearchStrategy[int]]
    ranks: tuple[OfRank, ...]
    wilds: Mapping[int | None, str] = field(default_factory=dict)
    out: bool = False

    def list_melds(self, available: CardCounts) -> list[OneMeld]:
        """List all melds that can be laid of these cards."""
        melds: list[OneMeld] = []
        for of_rank in self.ranks:
            melds += of_rank.list_melds(available)
        if self.wilds:
            melds += wilds_alone(available, self.name_canasta_of_wilds)
        return melds

    def name_canasta_of_wilds(self, jokers: int) -> str:
        """Name the canasta of wild cards with so many jokers."""
        return self.wilds.get(jokers, self.wilds[None])

    def list_items(self) -> list[str]:
        """List all kinds of canastas of the game: `["mixed-canasta", "natural-canasta", …]`."""
        # `wilds` has the kinds of wild cards alone, by their number of jokers.
        items = set(self.wilds.values())
        # Each rank has a kind without wild cards and one with them, often those of other ranks.
        for of_rank in self.ranks:
            items |= {of_rank.natural, of_rank.mixed}
        return sorted(items)


def classica(most_wilds: LimitOfWilds, *, longest: int = 99, **chosen: str) -> Game:
    """Build the classic game with these options: `wild_limit` is the option `wild-limit`.

    A meld may have `most_wilds` wild cards, and has at most `longest` cards: by default any number.
    """
    options = {name.replace("_", "-"): value for name, value in chosen.items()}
    settings = settle("classica", None, options).settings

    # Only aces, nines and fours are drawn, for the cards of twenty, ten and five points.
    ranks = tuple(OfRank(rank, most_wilds, longest=longest) for rank in "A94")
    return Game(settings, CLASSIC_CARDS, ranks)


def going_out(game: Game, black_threes: OfRank) -> Game:
    """Return the same game for a side that goes out, and may lay black threes."""
    return replace(game, out=True, ranks=(*game.ranks, black_threes))


def canastone(limit: int, **options: str) -> Game:
    """Build canastone with these options, of which aces, nines and wild cards are drawn.

    A meld of aces or nines has at most `limit` wild cards, and no more than natural ones.
    """
    # Canastas of aces are kinds of their own. Those of nines are natural or mixed ones.
    most_wilds = up_to_naturals(limit)
    aces = OfRank("A", most_wilds, natural="natural-aces-canasta", mixed="mixed-aces-canasta")
    nines = OfRank("9", most_wilds, natural="natural-canasta", mixed="mixed-canasta")

    # So are canastas of wild cards alone: seven twos (no joker), six jokers with a two, any others.
    canasta_by_number_of_jokers = {0: "twos-canasta", 6: "six-jokers-canasta", None: "wild-canasta"}

    cards = {
        "A": st.integers(0, 9),
        "9": st.sampled_from([0, 2, 7]),
        "2": st.integers(0, 8),
        "JK": st.integers(0, 6),
    }
    settings = settle("canastone", preset=None, options=options).settings
    return Game(settings, cards, (aces, nines), canasta_by_number_of_jokers)


def game_with_canasta_of_sevens(variant: str, cards_of_rank: int) -> Game:
    """Build a game with a kind of canasta for sevens alone.

    Sevens and kings are drawn, up to `cards_of_rank` of each, and twos and jokers, which are wild.
    """
    # A meld has up to three wild cards. A canasta of sevens is of the same kind with and without.
    three_wilds = up_to(3)
    sevens = OfRank("7", three_wilds, natural="sevens-canasta", mixed="sevens-canasta")
    kings = OfRank("K", three_wilds)

    number = st.integers(0, cards_of_rank)
    cards = {"7": number, "K": number, "2": up_to_4_cards, "JK": up_to_4_cards}
    return Game(settle(variant).settings, cards, (sevens, kings))


def black_threes_in_samba(*, canasta: bool) -> Game:
    """Build samba for a side that goes out, and may therefore lay black threes ("3b").

    `canasta` says whether seven of them, perhaps with wild cards, are a canasta.
    """
    settings = settle("samba", preset=None, options={"black-three-canasta": canasta}).settings

    # A meld of kings or black threes has up to two wild cards. There are six black threes, and a
    # meld has three at least: so eight cards at most, or six where it must not be a canasta.
    two_wilds = up_to(2)
    longest = 8 if canasta else 6
    kings = OfRank("K", two_wilds)
    black_threes = OfRank("3b", two_wilds, fewest=3, longest=longest)

    cards = {"3b": st.integers(0, 6), "K": up_to_8_cards, "2": up_to_4_cards, "JK": up_to_4_cards}
    return Game(settings, cards, ranks=(kings, black_threes), out=True)


CUBANA = Game(
    settle("cubana").settings,
    {"A": up_to_8_cards, "4": up_to_4_cards, "2": up_to_8_cards, "JK": up_to_4_cards},
    (OfRank("A", up_to(3), longest=7), OfRank("4", up_to(3), longest=7)),
    {0: "twos-canasta", 4: "four-jokers-canasta", None: "wild-canasta"},
)
MODERNA = Game(
    settle("moderna").settings,
    {
        "7": up_to_8_cards,
        "A": up_to_8_cards,
        "9": st.sampled_from([0, 2, 5]),
        "2": up_to_8_cards,
        "JK": up_to_4_cards,
    },
    (
        OfRank("7", up_to(0), "sevens-canasta", longest=7),
        OfRank("A", up_to(2), "natural-aces-canasta", longest=7),
        OfRank("9", up_to(2), longest=7),
    ),
    {0: "twos-canasta", 4: "four-jokers-canasta", None: "wild-canasta"},
)
HAND_AND_FOOT = Game(
    settle("hand-and-foot").settings,
    {
        "Q": st.integers(0, 14),
        "5": st.sampled_from([0, 2, 4, 6]),
        "2": st.integers(0, 7),
        "JK": st.integers(0, 7),
    },
    tuple(OfRank(rank, lambda naturals: min(2, naturals // 2), longest=7) for rank in "Q5"),
    {None: "wild-canasta"},
)
GAMES = {
    "classica": classica(up_to(3)),
    "classica, no more wilds": classica(up_to_naturals(3), wild_limit="not-more-than-naturals"),
    "classica, fewer wilds": classica(
        lambda naturals: min(3, naturals - 1), wild_limit="fewer-than-naturals"
    ),
    "classica, seven cards": classica(up_to(3), longest=7, canasta_size="exactly-seven"),
    "classica, out": going_out(classica(up_to(3)), OfRank("3b", up_to(3), longest=6)),
    "classica, out purely": going_out(
        classica(up_to(3), black_threes_out="pure"), OfRank("3b", up_to(0), longest=6)
    ),
    "cubana": CUBANA,
    "canastone": canastone(3),
    "canastone, two wilds": canastone(2, **{"wild-limit": "two"}),
    "moderna": MODERNA,
    "sette": game_with_canasta_of_sevens("sette", 8),
    "messicana": game_with_canasta_of_sevens("messicana", 12),
    "hand-and-foot": HAND_AND_FOOT,
    "samba, black threes": black_threes_in_samba(canasta=False),
    "samba, canastas of black threes": black_threes_in_samba(canasta=True),
}


def assert_bounds_of_game_are_those_of_every_way(game: Game, available: CardCounts) -> None:
    """Check the bounds of all canastas that a side can make of these cards in a game."""
    assert_bounds_are_those_of_every_way(
        game.settings,
        game.list_melds(available),
        available,
        items=game.list_items(),
        out=game.out,
    )


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@search(max_examples=examples(30))
def test_bounds_of_random_cards_equal_those_of_trying_every_way(
    name: str, data: st.DataObject
) -> None:
    # A side has some cards, such as five aces, three nines and two twos: {"A": 5, "9": 3, "2": 2}.
    # The game says how many of each are drawn.
    game = GAMES[name]
    available = data.draw(st.fixed_dictionaries(dict(game.cards)))

    # The bounds are the fewest and the most points that these cards can be worth once they are
    # laid, for each choice of canastas. The app computes them; here every way is tried.
    assert_bounds_of_game_are_those_of_every_way(game, available)


@pytest.mark.parametrize(
    ("name", "available"),
    [
        ("cubana", {"A": 0, "4": 0, "2": 8, "JK": 4}),
        ("cubana", {"A": 8, "4": 0, "2": 8, "JK": 4}),
        ("canastone", {"A": 0, "9": 0, "2": 8, "JK": 6}),
        ("moderna", {"7": 7, "A": 8, "9": 0, "2": 8, "JK": 4}),
        ("samba, canastas of black threes", {"3b": 6, "K": 7, "2": 2, "JK": 2}),
    ],
)
def test_bounds_of_many_cards_equal_those_of_trying_every_way(
    name: str, available: CardCounts
) -> None:
    # Of so many cards (eight twos and four jokers, for example) several canastas can be made.
    # Random cards are seldom so many. The bounds are the fewest and the most points of each choice
    # of canastas: those of the app must be those that are found by trying every way.
    game = GAMES[name]
    assert_bounds_of_game_are_those_of_every_way(game, available)


RANKS_IN_A_ROW = ("10", "9", "8", "7", "6", "5", "4")


@st.composite
def cards_by_suit(draw: st.DrawFn) -> CardCounts:
    """Draw how many cards there are of some hearts, spades and wild cards: `{"10h": 1, …}`."""
    available = {}

    # Of hearts mostly one of each, so that they make a sequence. Seldom there are two, or a gap: so
    # 1 stands here four times.
    for rank in RANKS_IN_A_ROW:  # from ten to four
        available[f"{rank}h"] = draw(st.sampled_from([1, 1, 1, 1, 2, 0]))

    # Of spades there are one or three in a row, each of which may be missing.
    ranks_of_spades = draw(st.sampled_from([["10", "9", "8"], ["10"], ["7", "6", "5"]]))
    for rank in ranks_of_spades:
        available[f"{rank}s"] = draw(st.integers(0, 1))

    available["2"] = draw(st.integers(0, 2))
    available["JK"] = draw(st.integers(0, 2))
    return available


def list_groups_and_sequences(
    available: CardCounts, *, most_wilds_in_sequence: int = 0
) -> Iterator[OneMeld]:
    """List all melds that can be laid of these cards: groups of a rank, and sequences of a suit."""
    # A group may have two wild cards. One of seven cards is a natural canasta, or a mixed one if it
    # has wild cards.
    two_wilds = up_to(2)
    for rank in RANKS_IN_A_ROW:
        yield from groups(available, rank, two_wilds, ("natural-canasta", "mixed-canasta"))

    # A sequence of seven cards is a samba, or a dirty samba if it has wild cards.
    yield from sequences(available, most_wilds_in_sequence, ("samba", "dirty-samba"))


@given(available=cards_by_suit())
@search(max_examples=examples(30))
def test_bounds_of_sequences_equal_those_of_trying_every_way(available: CardCounts) -> None:
    # In samba seven cards in a row of one suit, without wild cards, are a canasta: a samba.
    assert_bounds_are_those_of_every_way(
        settle("samba").settings,
        list_groups_and_sequences(available),
        available,
        items=("natural-canasta", "mixed-canasta", "samba"),
    )


@given(available=cards_by_suit())
@search(max_examples=examples(15))
def test_bounds_of_dirty_sequences_equal_those_of_trying_every_way(
    available: CardCounts,
) -> None:
    # By this option of bolivia a sequence may have two wild cards. If it has seven cards, it is
    # then a canasta called dirty samba.
    bolivia = settle("bolivia", preset=None, options={"dirty-escalera": True}).settings
    melds = list(list_groups_and_sequences(available, most_wilds_in_sequence=2))

    # Wild cards may also be laid alone. Seven of them, whatever jokers are there, are a bolivia.
    melds += wilds_alone(available, item=lambda _jokers: "bolivia")

    # The fewest and the most points are found by trying every way to lay these melds, for each
    # choice of canastas of these kinds. The app must compute the same.
    assert_bounds_are_those_of_every_way(
        bolivia,
        melds,
        available,
        items=("natural-canasta", "mixed-canasta", "samba", "dirty-samba", "bolivia"),
    )


def list_choices_of_suits(ranks: list[str], available: CardCounts) -> list[tuple[str, ...]]:
    """List every way to give cards of these ranks a suit in which they are available.

    The rank of a card is its name without the last letter: `10` of `10h`.
    """
    choices_by_rank = []
    for rank in ranks:
        choices_by_rank.append([name for name in available if name[:-1] == rank])

    choices = []
    for cards in product(*choices_by_rank):
        if all(cards.count(card) <= available[card] for card in cards):
            choices.append(cards)
    return choices


def find_widest_bounds(cards_that_may_be: Iterable[CardCounts]) -> dict[Canastas, Bounds]:
    """Find the fewest and the most points of a side that has one of these supplies of cards.

    They are found for each choice of canastas that can be made, `("natural-canasta", "samba")`.
    """
    widest: dict[Canastas, Bounds] = {}
    for available in cards_that_may_be:
        melds = list_groups_and_sequences(available)
        for canastas, (least, most) in bounds_by_canastas(melds, available).items():
            found = Bounds(least, most)
            if canastas in widest:
                before = widest[canastas]
                found = Bounds(min(before.least, least), max(before.most, most))
            widest[canastas] = found
    return widest


@given(available=cards_by_suit(), gone=st.lists(st.sampled_from(RANKS_IN_A_ROW), max_size=2))
@search(max_examples=examples(15))
def test_cards_gone_without_a_suit_may_be_of_any(available: CardCounts, gone: list[str]) -> None:
    # A side can have laid the cards in `available`, {"9h": 1, "9s": 1, …}, without those in `gone`,
    # ["9"]. Nobody said of which suit this nine is: so it is that of hearts or that of spades.
    choices_of_suits = list_choices_of_suits(gone, available)  # [("9h",), ("9s",)]
    assume(choices_of_suits)

    # Take away the one or the other. For each choice of canastas, find the fewest and the most
    # points by trying every way to lay the cards that are left.
    cards_that_may_be = [take_away(cards, available) for cards in choices_of_suits]
    bounds_by_trying = find_widest_bounds(cards_that_may_be)

    # The app gets the cards that lie elsewhere: all others of the decks, and those without a suit.
    samba = settle("samba").settings
    other_cards = all_cards_but(samba, available)
    gone_cards = parse_cards(" ".join(gone))
    elsewhere = gather([other_cards, gone_cards])

    # It finds the same points, and no samba (seven in a row of one suit) where none can be made.
    for canastas, bounds in bounds_by_trying.items():
        assert bounds_of(samba, canastas, elsewhere) == bounds
    if ("samba",) not in bounds_by_trying:
        assert bounds_of(samba, ["samba"], elsewhere) is None


def take_away(cards: tuple[str, ...], available: CardCounts) -> CardCounts:
    """Return the cards that are left once these are gone."""
    return {name: count - cards.count(name) for name, count in available.items()}


# ----------------------------------------------------- quick bounds, and the ends of the exact ones

VARIANTS_WITH_TOTALS = [
    name for name in variant_ids() if settle(name).settings.counted_by == "cards-or-totals"
]


def items_of(settings: Settings) -> list[str]:
    """List the kinds of canastas that a game has, by their item."""
    return sorted({kind.item for kind in settings.canastas})


@st.composite
def canastas_made(draw: st.DrawFn, settings: Settings) -> dict[str, int]:
    """Draw up to five canastas, as their numbers by item."""
    return dict(Counter(draw(st.lists(st.sampled_from(items_of(settings)), max_size=5))))


cards_elsewhere = st.lists(
    st.builds(
        lambda count, rank, suit: f"{count}x{rank}{suit}",
        st.integers(1, 6), st.sampled_from([*"AKQJ9876542", "10"]), st.sampled_from(["", "", "h", "s"]),
    ),
    max_size=6,
).map(lambda tokens: parse_cards(" ".join(tokens)))  # fmt: skip


@pytest.mark.long
@given(data=st.data())
@search(max_examples=examples(150))
def test_quick_bounds_lie_within_the_exact_ones(data: st.DataObject) -> None:
    # A side entered its canastas, {"natural-canasta": 2}, and the points of all the cards it laid.
    # Some cards lie elsewhere, and it may have gone out.
    settings = data.draw(rulesets(VARIANTS_WITH_TOTALS)).settings
    canastas = data.draw(canastas_made(settings))
    points = data.draw(st.integers(0, 3000))
    elsewhere = data.draw(cards_elsewhere)
    went_out = data.draw(st.booleans())
    cards = bounds_module._find_cards_that_side_can_have(settings, elsewhere, went_out=went_out)

    # Can it have so many points? The app first lays the cards by a simple rule, with few and with
    # many points. Between these two all is possible. If the rule does not find a way, there are no
    # quick bounds.
    quick = bounds_module._find_quick_bounds(settings, canastas, cards, points)
    assume(quick is not None)

    # The fewest and the most points of all ways, which take long to find, lie at or beyond them.
    canastas_to_make = tuple(canastas.items())
    exact_least = compute_extreme_points(settings, canastas_to_make, cards, "least")
    exact_most = compute_extreme_points(settings, canastas_to_make, cards, "most")
    assert exact_least <= quick.least <= quick.most <= exact_most

    # No side has more points than all cards have.
    assert exact_most <= bounds_module._add_up_all_points(settings, cards)


def are_impossible(rules: Ruleset, canastas: Canastas, card_points: int) -> bool:
    """Tell whether the app reports that nobody can have these canastas and points of cards."""
    counted = side_with_totals(cards=card_points, **Counter(canastas))
    other_sides = [side() for _ in rules.settings.sides[1:]]
    judgement = judge_hand(hand(counted, *other_sides), rules)
    return "totals-impossible" in problem_codes(judgement)


@pytest.mark.parametrize("variant", VARIANTS_WITH_TOTALS)
def test_totals_are_possible_at_exact_ends_and_impossible_beyond(variant: str) -> None:
    # A side has no canasta, one or two, of all kinds that the game has.
    rules = settle(variant)
    items = items_of(rules.settings)
    choices: list[Canastas] = [()]
    choices += combinations_with_replacement(items, 1)
    choices += combinations_with_replacement(items, 2)
    for canastas in choices:
        bounds = bounds_of(rules.settings, canastas)
        if bounds is None:
            continue  # nobody can have these canastas

        # The fewest and the most points are possible, and not 5 beyond: all cards are worth
        # multiples of 5.
        assert not are_impossible(rules, canastas, bounds.least), canastas
        assert not are_impossible(rules, canastas, bounds.most), canastas
        assert are_impossible(rules, canastas, bounds.least - 5), canastas
        assert are_impossible(rules, canastas, bounds.most + 5), canastas
