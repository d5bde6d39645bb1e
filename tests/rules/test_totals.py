"""The interval of what counted cards can be worth, against every way of laying them tried one by one."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.rules import totals
from scorepad.rules.cards import KINDS, Cards, Kind, parse_cards
from scorepad.rules.decks import in_decks
from scorepad.rules.settings import Settings
from scorepad.rules.totals import Bounds, Demand, interval
from scorepad.rules.variants import settle

NOT_ASKED = -1
CLASSICA = settle("classica").settings
POINTS = {"A": 20, "9": 10, "4": 5, "3b": 5}


def exact(in_force: Settings, demand: Demand, left: Cards) -> Bounds | None:
    """The exact bounds where only these cards are left in the decks."""
    taken = Cards(tuple(a - b for a, b in zip(in_decks(in_force.decks), left.counts, strict=True)))
    return interval(in_force, demand, taken, NOT_ASKED)


def test_one_natural_and_one_mixed_canasta_cost_at_least_85_points() -> None:
    # The whole decks: seven fours 35; six fives and a two 30 + 20 = 50.
    bounds = interval(CLASSICA, Demand((("mixed-canasta", 1), ("natural-canasta", 1))), parse_cards(""), NOT_ASKED)
    assert bounds is not None
    assert bounds.least == 85


def test_without_canastas_all_the_decks_can_lie_in_small_melds() -> None:
    # 8 aces 160, 48 cards of ten 480, 32 of five 160, 8 twos 160, 4 jokers 200: 1160; 4 black threes 20 more going out.
    assert interval(CLASSICA, Demand(()), parse_cards(""), NOT_ASKED) == Bounds(0, 1160)
    assert interval(CLASSICA, Demand((), went_out=True), parse_cards(""), NOT_ASKED) == Bounds(0, 1180)


def test_a_canasta_of_exactly_seven_leaves_the_eighth_card_of_its_rank_unlaid() -> None:
    exactly = settle("classica", "giochi").settings
    bounds = interval(exactly, Demand((("natural-canasta", 1),)), parse_cards(""), NOT_ASKED)
    assert bounds == Bounds(35, 1155)


def test_thirteen_mixed_canastas_are_more_than_twelve_wild_cards_make() -> None:
    assert interval(CLASSICA, Demand((("mixed-canasta", 13),)), parse_cards(""), 900) is None


def test_more_concealed_canastas_than_canastas_are_impossible() -> None:
    getty = settle("classica", "getty").settings
    demand = Demand((("concealed-canasta", 2), ("natural-canasta", 1)))
    assert interval(getty, demand, parse_cards(""), 100) is None


def test_quick_bounds_never_reach_beyond_the_exact_ones() -> None:
    for pure in range(4):
        for mixed in range(4):
            wanted = tuple((item, n) for item, n in (("mixed-canasta", mixed), ("natural-canasta", pure)) if n)
            supply = totals._supply(CLASSICA, parse_cards("5xK 3xA 2x2 JK 4x9"), went_out=False)
            quick = totals._quick_bounds(CLASSICA, wanted, supply)
            exactly = totals._exact_bounds(totals._Melding.of(CLASSICA), wanted, supply)
            assert quick is not None
            assert exactly is not None
            assert exactly.least <= quick.least <= quick.most <= exactly.most


# ---------------------------------------------------------------- every way, one by one


@cache
def ways(
    left: tuple[int, ...], most_wilds: tuple[int, ...], longest: int, out: bool, pure_black: bool
) -> frozenset[tuple[int, int, int]]:
    """(natural canastas, mixed canastas, points) of everything that can be laid out of aces, nines, fours, black
    threes, twos and jokers: meld after meld, each of one rank."""
    found = {(0, 0, 0)}
    *ranks, twos, jokers = left
    for rank, (name, have) in enumerate(zip(POINTS, ranks, strict=True)):
        for naturals in range(2, have + 1):
            for two in range(twos + 1):
                for joker in range(jokers + 1):
                    size, wilds = naturals + two + joker, two + joker
                    black = name == "3b"
                    if not 3 <= size <= longest or wilds > most_wilds[naturals]:
                        continue
                    if black and (not out or size > 6 or (pure_black and wilds)):
                        continue
                    rest = list(left)
                    rest[rank] -= naturals
                    rest[-2] -= two
                    rest[-1] -= joker
                    points = POINTS[name] * naturals + 20 * two + 50 * joker
                    is_canasta = size >= 7
                    for n, m, more in ways(tuple(rest), most_wilds, longest, out, pure_black):
                        found.add((n + (is_canasta and not wilds), m + (is_canasta and wilds > 0), points + more))
    return frozenset(found)


small = st.tuples(
    st.integers(0, 8), st.sampled_from([0, 0, 3, 7]), st.integers(0, 3), st.integers(0, 4), st.integers(0, 4),
    st.integers(0, 2),
)  # fmt: skip


@given(
    left=small,
    canastas=st.tuples(st.integers(0, 2), st.integers(0, 2)),
    out=st.booleans(),
    options=st.fixed_dictionaries(
        {
            "wild-limit": st.sampled_from(["three", "not-more-than-naturals", "fewer-than-naturals"]),
            "canasta-size": st.sampled_from(["seven-or-more", "exactly-seven"]),
            "black-threes-out": st.sampled_from(["with-wilds", "pure"]),
        }
    ),
)
@settings(max_examples=150, deadline=None)
def test_the_interval_is_exactly_what_trying_every_way_finds(
    left: tuple[int, ...], canastas: tuple[int, int], out: bool, options: dict[str, str]
) -> None:
    in_force = settle("classica", None, options).settings
    counts = dict(zip((Kind.ACE, Kind.NINE, Kind.FOUR, Kind.BLACK_THREE, Kind.TWO, Kind.JOKER), left, strict=True))
    supply = Cards(tuple(counts.get(kind, 0) for kind in KINDS))
    demand = Demand((("mixed-canasta", canastas[1]), ("natural-canasta", canastas[0])), out)
    most = tuple(in_force.most_wilds(naturals) for naturals in range(9))
    pure = options["black-threes-out"] == "pure"
    everything = ways(left, most, in_force.meld_longest or 99, out, pure)
    reached = [points for n, m, points in everything if (n, m) == canastas]
    bounds = exact(in_force, demand, supply)
    if not reached:
        assert bounds is None
    else:
        assert bounds == Bounds(min(reached), max(reached))


@pytest.mark.parametrize(
    ("points", "held"), [(0, True), (5, False), (10, False), (15, True), (1160, True), (1165, False)]
)
def test_some_points_but_fewer_than_the_cheapest_meld_cannot_be(points: int, held: bool) -> None:
    bounds = interval(CLASSICA, Demand(()), parse_cards(""), points)
    assert bounds is not None
    assert bounds.holds(points) is held
