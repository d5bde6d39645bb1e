"""The interval of what counted cards can be worth, against every way of laying them tried one by
one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorepad.rules import bounds as bounds_module
from scorepad.rules.bounds import Bounds, compute_extreme_points, find_bounds
from scorepad.rules.cards import KINDS, Cards, count_cards_in_decks, gather, parse_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.variants import settle, variant_ids
from tests.examples import examples
from tests.rules.every_way import (
    Left,
    Made,
    OneMeld,
    ends,
    groups,
    sequences,
    wilds_alone,
)
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals
from tests.rules.hands_drawn import rulesets

TOO_FEW, TOO_MANY = -5, 100_000
CLASSICA = settle("classica").settings
NO_CARDS = parse_cards("")


def bounds_of(
    in_force: Settings, made: Iterable[str], taken: Cards = NO_CARDS, *, out: bool = False
) -> Bounds | None:
    """What cards laid as exactly these canastas, and any smaller melds, are worth at least and at
    most; None if there are no such cards. `taken` are cards that lie elsewhere.
    """
    canastas = Counter(made)
    below = find_bounds(in_force, canastas, taken, TOO_FEW, went_out=out)
    beyond = find_bounds(in_force, canastas, taken, TOO_MANY, went_out=out)
    if below is None or beyond is None:
        assert below is beyond
        return None
    return Bounds(below.least, beyond.most)


def all_cards_but(in_force: Settings, left: Left) -> Cards:
    """The cards that must be named elsewhere for only these to be left: ranks without suits, suited
    ones with.
    """
    in_decks = zip(KINDS, count_cards_in_decks(in_force.decks), strict=True)
    all_cards = {kind.value: number for kind, number in in_decks}
    for rank in {name[:-1] for name in left if name[-1] in "hdsc"}:
        del all_cards[rank]
        all_cards |= {rank + suit: in_force.decks for suit in "hdsc"}
    gone = []
    for name, number in all_cards.items():
        if number > left.get(name, 0):
            gone.append(f"{number - left.get(name, 0)}x{name}")
    return parse_cards(" ".join(gone))


def prove(
    in_force: Settings,
    melds: Iterable[OneMeld],
    left: Left,
    items: Iterable[str],
    *,
    out: bool = False,
) -> None:
    """Whatever canastas can be made of these cards have the bounds that trying every way finds, and
    no others exist.
    """
    found = ends(melds, left)
    taken = all_cards_but(in_force, left)
    for made, bounds in found.items():
        assert bounds_of(in_force, made, taken, out=out) == Bounds(*bounds), made
        for item in items:
            one_more = tuple(sorted((*made, item)))
            if one_more not in found:
                assert bounds_of(in_force, one_more, taken, out=out) is None, one_more


# ---------------------------------------------------------------- by hand


def test_one_natural_and_one_mixed_canasta_cost_at_least_85_points() -> None:
    # Natural: seven fours of 5 points, 35. Mixed: six fives and a two, 30 + 20 = 50.
    bounds = bounds_of(CLASSICA, ["mixed-canasta", "natural-canasta"])
    assert bounds.least == 85


def test_without_canastas_all_the_decks_can_lie_in_small_melds() -> None:
    # 8 aces 160, 48 cards of ten 480, 32 of five 160, 8 twos 160, 4 jokers 200.
    assert bounds_of(CLASSICA, []) == Bounds(0, 1160)


def test_who_goes_out_may_lay_the_black_threes_too() -> None:
    # Four black threes of 5 points.
    assert bounds_of(CLASSICA, [], out=True) == Bounds(0, 1160 + 20)


def test_a_canasta_of_exactly_seven_leaves_the_eighth_card_of_its_rank_unlaid() -> None:
    exactly_seven = settle("classica", "giochi").settings
    # At least seven fours, at most everything but the eighth four.
    assert bounds_of(exactly_seven, ["natural-canasta"]) == Bounds(35, 1160 - 5)


def test_thirteen_mixed_canastas_are_more_than_twelve_wild_cards_make() -> None:
    assert find_bounds(CLASSICA, {"mixed-canasta": 13}, NO_CARDS, 900) is None


def test_more_canastas_than_the_decks_have_cards_for_are_reported_at_once() -> None:
    assert find_bounds(CLASSICA, {"natural-canasta": 9_999_999}, NO_CARDS, 900) is None


def test_more_concealed_canastas_than_canastas_are_impossible() -> None:
    getty = settle("classica", "getty").settings
    assert find_bounds(getty, {"concealed-canasta": 2, "natural-canasta": 1}, NO_CARDS, 100) is None


@pytest.mark.parametrize(
    ("canastas", "taken", "expected"),
    [
        # At least seven sevens of 5 points; at most all cards of the decks.
        (1, "", Bounds(35, 1160)),
        # Two sevens lie elsewhere: at least the other six and a two.
        (1, "2x7", Bounds(50, 1150)),
        # All eight sevens and six twos make two of them, 8 x 5 + 6 x 20.
        (2, "", Bounds(160, 1160)),
        # Eight sevens are too few for three.
        (3, "", None),
    ],
)
def test_a_canasta_of_sevens_is_made_of_sevens_and_wild_cards(
    canastas: int, taken: str, expected: Bounds | None
) -> None:
    settings_of_sette = settle("sette").settings
    bounds = bounds_of(settings_of_sette, ["sevens-canasta"] * canastas, parse_cards(taken))
    assert bounds == expected


def test_no_sequence_runs_over_a_card_that_is_gone_from_every_deck() -> None:
    # Of hearts, diamonds and spades all sixes and nines are gone: no seven in a row are left.
    samba = settle("samba").settings
    gone = parse_cards("3x6h 3x9h 3x6d 3x9d 3x6s 3x9s 2x6c 2x9c")

    bounds = bounds_of(samba, ["samba"], gone)
    assert bounds.least == 50  # 10 to 4 of clubs: 3 x 10 + 4 x 5

    assert bounds_of(samba, ["samba", "samba"], gone) is None


def test_a_sequence_with_a_wild_card_that_would_be_no_canasta_lies_in_shorter_ones() -> None:
    # Bolivia without its canasta of a sequence with wild cards.
    bolivia = settle("bolivia", None, {"dirty-escalera": True}).settings
    kinds = tuple(kind for kind in bolivia.canastas if kind.item != "dirty-samba")
    in_force = replace(bolivia, canastas=kinds)
    left = {"10h": 1, "9h": 1, "8h": 1, "7h": 1, "6h": 1, "5h": 1, "2": 1}
    others = all_cards_but(in_force, left)

    # As three and four cards they are worth 3 x 10 + 3 x 5 + 20.
    assert bounds_of(in_force, [], others) == Bounds(0, 65)
    assert bounds_of(in_force, ["samba"], others) is None


@pytest.mark.parametrize(
    ("points", "codes"), [(1160 - 105, set()), (1160 - 105 + 5, {"totals-impossible"})]
)
def test_the_cards_of_an_opening_noted_beside_totals_are_not_in_the_others_hands(
    points: int, codes: set[str]
) -> None:
    # Loro opened with three aces, three nines and three fours: 60 + 30 + 15 = 105 points, which
    # noi cannot have.
    opening = tuple(meld.reading for meld in side("3xA", "3x9", "3x4").melds)
    loro = replace(side_with_totals(105), opening=opening)

    judgement = judge_hand(hand(side_with_totals(points), loro))

    assert problem_codes(judgement) == codes


@pytest.mark.parametrize(
    ("points", "possible"),
    [(0, True), (5, False), (10, False), (15, True), (1160, True), (1165, False)],
)
def test_some_points_but_fewer_than_the_cheapest_meld_cannot_be(
    points: int, possible: bool
) -> None:
    # The cheapest meld is three fours, 15.
    bounds = find_bounds(CLASSICA, {}, NO_CARDS, points)
    assert bounds.holds(points) is possible


@pytest.mark.parametrize(("points", "possible"), [(390, True), (1740, True), (1745, False)])
def test_three_canastas_of_wild_cards_are_made_although_the_dearest_ones_do_not_go(
    points: int, possible: bool
) -> None:
    # At least 12 twos and 3 jokers. At most all that can be laid: 6 x 50 + 12 x 20 + 12 x 20 and
    # 6 ranks of 12 x 10 + 4 ranks of 12 x 5 = 1740.
    bounds = find_bounds(settle("mini").settings, {"wild-canasta": 3}, NO_CARDS, points)
    assert bounds.holds(points) is possible


# ---------------------------------------------------------------- every way, one by one

NATURAL, MIXED = "natural-canasta", "mixed-canasta"
FEW, MANY = st.integers(0, 4), st.integers(0, 8)
CLASSIC_CARDS = {
    "A": MANY,
    "9": st.sampled_from([0, 0, 3, 7]),
    "4": FEW,
    "3b": FEW,
    "2": FEW,
    "JK": FEW,
}
LimitOfWilds = Callable[[int], int]
"""The most wild cards beside so many natural ones."""


def up_to(limit: int) -> LimitOfWilds:
    return lambda _: limit


def up_to_naturals(limit: int) -> LimitOfWilds:
    return lambda naturals: min(limit, naturals)


@dataclass(frozen=True)
class OfRank:
    """How cards of a rank are laid: with how many wild cards, and the canastas that they make."""

    rank: str
    most_wilds: LimitOfWilds
    natural: str = NATURAL
    mixed: str = MIXED
    longest: int = 99
    fewest: int = 2

    def melds(self, left: Left) -> Iterator[OneMeld]:
        return groups(
            left,
            self.rank,
            self.most_wilds,
            (self.natural, self.mixed),
            longest=self.longest,
            fewest=self.fewest,
        )


@dataclass(frozen=True)
class Game:
    """A game with the cards that are drawn of its decks; `wilds` are the canastas of wild cards, by
    their number of jokers (None: of any other number).
    """

    in_force: Settings
    cards: Mapping[str, st.SearchStrategy[int]]
    ranks: tuple[OfRank, ...]
    wilds: Mapping[int | None, str] = field(default_factory=dict)
    out: bool = False

    def prove(self, left: Left) -> None:
        """The bounds of everything that can be made of these cards are those that trying finds."""
        melds = [meld for each in self.ranks for meld in each.melds(left)]
        if self.wilds:
            melds += wilds_alone(left, lambda jokers: self.wilds.get(jokers, self.wilds[None]))
        items = {*self.wilds.values()}
        items |= {item for each in self.ranks for item in (each.natural, each.mixed)}
        prove(self.in_force, melds, left, sorted(items), out=self.out)


def classica(most: LimitOfWilds, *, longest: int = 99, **chosen: str) -> Game:
    options = {name.replace("_", "-"): value for name, value in chosen.items()}
    ranks = tuple(OfRank(rank, most, longest=longest) for rank in "A94")
    return Game(settle("classica", None, options).settings, CLASSIC_CARDS, ranks)


def going_out(game: Game, blacks: OfRank) -> Game:
    """The same for who goes out, and may lay black threes."""
    return replace(game, out=True, ranks=(*game.ranks, blacks))


def canastone(limit: int, **options: str) -> Game:
    of_aces = ("natural-aces-canasta", "mixed-aces-canasta")
    return Game(
        settle("canastone", None, options).settings,
        {
            "A": st.integers(0, 9),
            "9": st.sampled_from([0, 2, 7]),
            "2": MANY,
            "JK": st.integers(0, 6),
        },
        (OfRank("A", up_to_naturals(limit), *of_aces), OfRank("9", up_to_naturals(limit))),
        {0: "twos-canasta", 6: "six-jokers-canasta", None: "wild-canasta"},
    )


def with_sevens(variant: str, copies: int) -> Game:
    sevens = OfRank("7", up_to(3), "sevens-canasta", "sevens-canasta")
    many = st.integers(0, copies)
    cards = {"7": many, "K": many, "2": FEW, "JK": FEW}
    return Game(settle(variant).settings, cards, (sevens, OfRank("K", up_to(3))))


def black_threes_in_samba(*, canasta: bool) -> Game:
    in_force = settle("samba", None, {"black-three-canasta": canasta}).settings
    cards = {"3b": st.integers(0, 6), "K": MANY, "2": FEW, "JK": FEW}
    blacks = OfRank("3b", up_to(2), fewest=3, longest=8 if canasta else 6)
    return going_out(Game(in_force, cards, (OfRank("K", up_to(2)),)), blacks)


CUBANA = Game(
    settle("cubana").settings,
    {"A": MANY, "4": FEW, "2": MANY, "JK": FEW},
    (OfRank("A", up_to(3), longest=7), OfRank("4", up_to(3), longest=7)),
    {0: "twos-canasta", 4: "four-jokers-canasta", None: "wild-canasta"},
)
MODERNA = Game(
    settle("moderna").settings,
    {"7": MANY, "A": MANY, "9": st.sampled_from([0, 2, 5]), "2": MANY, "JK": FEW},
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
    "sette": with_sevens("sette", 8),
    "messicana": with_sevens("messicana", 12),
    "hand-and-foot": HAND_AND_FOOT,
    "samba, black threes": black_threes_in_samba(canasta=False),
    "samba, canastas of black threes": black_threes_in_samba(canasta=True),
}


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@settings(max_examples=examples(30))
def test_the_interval_is_exactly_what_trying_every_way_finds(
    name: str, data: st.DataObject
) -> None:
    game = GAMES[name]
    game.prove(data.draw(st.fixed_dictionaries(dict(game.cards))))


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("cubana", {"A": 0, "4": 0, "2": 8, "JK": 4}),
        ("cubana", {"A": 8, "4": 0, "2": 8, "JK": 4}),
        ("canastone", {"A": 0, "9": 0, "2": 8, "JK": 6}),
        ("moderna", {"7": 7, "A": 8, "9": 0, "2": 8, "JK": 4}),
        ("samba, canastas of black threes", {"3b": 6, "K": 7, "2": 2, "JK": 2}),
    ],
)
def test_of_very_many_cards_of_a_kind_the_interval_is_exact(name: str, left: Left) -> None:
    GAMES[name].prove(left)


RUN = ("10", "9", "8", "7", "6", "5", "4")


@st.composite
def suited(draw: st.DrawFn) -> Left:
    """A run of hearts with a gap or a double here and there, a few cards of a second suit, a few
    wild cards.
    """
    left = {f"{rank}h": draw(st.sampled_from([1, 1, 1, 1, 2, 0])) for rank in RUN}
    for rank in draw(st.sampled_from([RUN[:3], RUN[:1], RUN[3:6]])):
        left[f"{rank}s"] = draw(st.integers(0, 1))
    for wild_card in ("2", "JK"):
        left[wild_card] = draw(st.integers(0, 2))
    return left


def laid_by_suit(left: Left, *, dirty: bool) -> Iterator[OneMeld]:
    for rank in RUN:
        yield from groups(left, rank, up_to(2), (NATURAL, MIXED))
    yield from sequences(left, 2 if dirty else 0, ("samba", "dirty-samba"))


@given(left=suited())
@settings(max_examples=examples(30))
def test_the_interval_of_sequences_is_exactly_what_trying_every_way_finds(left: Left) -> None:
    prove(
        settle("samba").settings, laid_by_suit(left, dirty=False), left, (NATURAL, MIXED, "samba")
    )


@given(left=suited())
@settings(max_examples=examples(15))
def test_the_interval_of_sequences_with_wild_cards_is_exactly_what_trying_every_way_finds(
    left: Left,
) -> None:
    dirty = settle("bolivia", None, {"dirty-escalera": True}).settings
    melds = [*laid_by_suit(left, dirty=True), *wilds_alone(left, lambda _: "bolivia")]
    prove(dirty, melds, left, (NATURAL, MIXED, "samba", "dirty-samba", "bolivia"))


@given(left=suited(), gone=st.lists(st.sampled_from(RUN), max_size=2))
@settings(max_examples=examples(15))
def test_cards_named_without_their_suit_may_be_of_any(left: Left, gone: list[str]) -> None:
    # The bounds are the widest that some choice of suits for the cards named without one leaves.
    samba = settle("samba").settings
    possible_cards = []
    for rank in gone:
        possible_cards.append([name for name in left if name[:-1] == rank and left[name]])
    assume(all(possible_cards))

    widest: dict[Made, tuple[int, int]] = {}
    for cards_gone in product(*possible_cards):
        rest = {name: count - cards_gone.count(name) for name, count in left.items()}
        if min(rest.values()) < 0:
            continue
        for made, (least, most) in ends(laid_by_suit(rest, dirty=False), rest).items():
            low, high = widest.get(made, (least, most))
            widest[made] = (min(low, least), max(high, most))
    assume(widest)

    taken = gather([all_cards_but(samba, left), parse_cards(" ".join(gone))])
    for made, bounds in widest.items():
        assert bounds_of(samba, made, taken) == Bounds(*bounds)
    if ("samba",) not in widest:
        assert bounds_of(samba, ["samba"], taken) is None


# ----------------------------------------------------- quick bounds, and the ends of the exact ones

COUNTED = [name for name in variant_ids() if settle(name).settings.counted_by == "cards-or-totals"]


def items_of(in_force: Settings) -> list[str]:
    """The kinds of canastas that there are, by their item."""
    return sorted({kind.item for kind in in_force.canastas})


@st.composite
def demands(draw: st.DrawFn, in_force: Settings) -> dict[str, int]:
    return dict(Counter(draw(st.lists(st.sampled_from(items_of(in_force)), max_size=5))))


named = st.lists(
    st.builds(
        lambda count, rank, suit: f"{count}x{rank}{suit}",
        st.integers(1, 6), st.sampled_from([*"AKQJ9876542", "10"]), st.sampled_from(["", "", "h", "s"]),
    ),
    max_size=6,
).map(lambda tokens: parse_cards(" ".join(tokens)))  # fmt: skip


@pytest.mark.long
@given(data=st.data())
@settings(max_examples=examples(150))
def test_quick_bounds_never_reach_beyond_the_exact_ones(data: st.DataObject) -> None:
    in_force = data.draw(rulesets(COUNTED)).settings
    canastas = data.draw(demands(in_force))
    supply = bounds_module._find_cards_that_side_can_have(
        in_force, data.draw(named), went_out=data.draw(st.booleans())
    )
    points = data.draw(st.integers(0, 3000))

    quick = bounds_module._find_quick_bounds(in_force, canastas, supply, points)
    if quick is None:
        return

    least = compute_extreme_points(in_force, tuple(canastas.items()), supply, "least")
    most = compute_extreme_points(in_force, tuple(canastas.items()), supply, "most")
    assert least is not None
    assert most is not None
    assert least <= quick.least
    assert quick.least <= quick.most
    assert quick.most <= most
    assert most <= bounds_module._add_up_all_points(in_force, supply)


def says_impossible(rules: Ruleset, made: Made, points: int) -> bool:
    """Whether these canastas and points of cards are told to be impossible."""
    canastas = {item.replace("-", "_"): count for item, count in Counter(made).items()}
    others = [side() for _ in rules.settings.sides[1:]]
    counted = side_with_totals(points, **canastas)
    return "totals-impossible" in problem_codes(judge_hand(hand(counted, *others), rules))


@pytest.mark.parametrize("variant", COUNTED)
def test_totals_at_the_exact_ends_hold_and_one_step_beyond_does_not(variant: str) -> None:
    rules = settle(variant)
    items = items_of(rules.settings)
    for number_of_canastas in range(3):
        for made in combinations_with_replacement(items, number_of_canastas):
            bounds = bounds_of(rules.settings, made)
            if bounds is None:
                continue
            assert not says_impossible(rules, made, bounds.least), made
            assert not says_impossible(rules, made, bounds.most), made
            assert says_impossible(rules, made, bounds.least - 5), made
            assert says_impossible(rules, made, bounds.most + 5), made
