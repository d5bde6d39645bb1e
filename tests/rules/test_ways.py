"""A whole hand: a legal way is found exactly when there is one, and it is the best.

`ways_tried` makes every way to lay the hand and shows each of them to the referee.
"""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorepad.referee.answering import give_ruling
from scorepad.referee.field_types import Permission
from scorepad.referee.questions import OpeningQuestion, OutQuestion, PileQuestion
from scorepad.referee.ruling import Play, Ruling, Verdict
from scorepad.referee.situation import report_impossible_cards
from scorepad.referee.whole_hand import table_after
from scorepad.rules.cards import NOTHING, Reading, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import settle
from tests.examples import examples
from tests.rules.hands_drawn import RUN, rulesets
from tests.rules.ways_tried import (
    Hand,
    Opened,
    Trier,
    goings_out,
    is_of,
    openings,
    pile_takings,
    reading,
    written,
)

NATURALS = ["A", "K", "7", "4"]
scores = st.sampled_from([0, 0, -5, 1500, 3000, 7000])
some_ranks = st.lists(st.sampled_from(NATURALS), min_size=1, max_size=2, unique=True)


@dataclass(frozen=True)
class Asked:
    """A question about a whole hand, with the cards of the hand and the top card one by one."""

    rules: Ruleset
    question: Any
    hand: Hand
    top: Hand = ()

    def __repr__(self) -> str:
        chosen = f"{self.rules.variant}, {self.rules.preset}, {dict(self.rules.options)}"
        return f"{chosen}: {self.question}"


@st.composite
def small_hands(
    draw: st.DrawFn, rules: Ruleset, ranks: list[str], fewest: int = 4, most: int = 8
) -> Hand:
    """Few cards that often go together: of these ranks, wild cards, and a run of one suit in the
    games with sequences.
    """
    other = draw(st.sampled_from(["2", "JK", "3b", "3b", "3r", "9"]))
    pool = [*ranks, *ranks, *ranks, "2", "JK", other]
    if rules.settings.sequences != "none" and draw(st.booleans()):
        first = draw(st.integers(0, 5))
        run = [f"{rank}h" for rank in RUN[first : first + 6]]
        pool = [*run, f"{RUN[first]}s", RUN[first], *ranks, "2"]
    size = draw(st.integers(fewest, most))
    cards = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))
    return tuple(sorted(cards))


def deals(rules: Ruleset) -> st.SearchStrategy[int]:
    """The number of the round, where the game asks for it."""
    return st.integers(1, 4) if "deal" in rules.entry_fields else st.just(1)


def are_in_the_decks(rules: Ruleset, *cards: Reading) -> bool:
    return not report_impossible_cards(rules, *cards)


def assert_forbidden(ruling: Ruling) -> None:
    assert ruling.verdict is Verdict.FORBIDDEN
    assert ruling.play is None


def melds_of(play: Play) -> list[Hand]:
    return [written(Reading(laid.cards)) for laid in play.laid]


def cards_of(play: Play) -> Hand:
    """All cards that leave the hand: those of the melds, and the discard."""
    cards = [card for meld in melds_of(play) for card in meld]
    if play.discard:
        cards += written(Reading(play.discard))
    return tuple(cards)


# ---------------------------------------------------------------------------------------- openings


@st.composite
def openings_asked(draw: st.DrawFn) -> Asked:
    rules = draw(rulesets())
    hand = draw(small_hands(rules, draw(some_ranks)))
    top = draw(st.sampled_from([(), (), *((card,) for card in hand), ("3b",)]))
    question = OpeningQuestion(
        score=draw(scores),
        top_card=reading(top) if top else None,
        concealed_out=draw(st.booleans()),
        deal=draw(deals(rules)),
        hand=reading(hand),
    )
    return Asked(rules, question, hand, top)


JOKER_ON_FIVE_KINGS = Asked(
    settle("moderna"),
    OpeningQuestion(0, top_card=read_cards("JK"), hand=read_cards("JK 5xK")),
    hand=("JK", "K", "K", "K", "K", "K"),
    top=("JK",),
)
ONLY_OF_A_HAND = {
    "opening-not-out",
    "opening-goes-out",
    "opening-hand-kept",
    "opening-discard-kept",
}
"""What the referee says of a whole hand, but not of melds that are shown."""


@given(openings_asked())
@settings(max_examples=examples(400))
@example(JOKER_ON_FIVE_KINGS)
def test_an_opening_is_found_exactly_when_there_is_one_and_no_other_lays_more(
    asked: Asked,
) -> None:
    question = asked.question
    ruling = give_ruling(asked.rules, question)
    if not are_in_the_decks(asked.rules, question.hand, question.top_card or NOTHING):
        assert_forbidden(ruling)
        return
    trier = Trier(asked.rules)
    every_way = openings(trier, question, asked.hand, asked.top)
    if not every_way:
        assert_forbidden(ruling)
        return

    # The play is one of the ways, made of cards that there are, and none is worth more.
    assert is_of(cards_of(ruling.play), asked.hand + asked.top)
    melds = sorted(melds_of(ruling.play))
    ways_played = [way for way in every_way if sorted(way.melds) == melds]
    assert ways_played, ruling.play
    way_played = ways_played[0]
    if "counted" in ruling.details:
        assert worth(trier, way_played) == max(worth(trier, way) for way in every_way)

    # It says whether the hand goes out, which a table may want to do with a concealed hand.
    codes = {reason.code for reason in ruling.reasons}
    says_it_does_not_go_out = "opening-not-out" in codes
    says_it_goes_out = "opening-goes-out" in codes
    if question.concealed_out:
        assert says_it_does_not_go_out == (not way_played.goes_out)
        assert not says_it_goes_out
    else:
        assert not says_it_does_not_go_out
        assert says_it_goes_out == way_played.goes_out

    # Shown to the referee, the same melds get the same answer.
    melds_shown = OpeningQuestion(
        question.score,
        ruling.play.melds,
        question.top_card,
        concealed_out=question.concealed_out and not says_it_does_not_go_out,
        deal=question.deal,
    )
    ruling_on_melds = give_ruling(asked.rules, melds_shown)
    assert ruling_on_melds.verdict is ruling.verdict
    assert ruling_on_melds.details == ruling.details
    assert {reason.code for reason in ruling_on_melds.reasons} == codes - ONLY_OF_A_HAND


def worth(trier: Trier, way: Opened) -> tuple[int, int, int]:
    """Ways are compared by their points, then by the points that count for the opening; then fewer
    melds are better.
    """
    counted = int(way.judged.details["counted"] or 0)
    return trier.points(way.melds), counted, -len(way.melds)


# --------------------------------------------------------------------------------- taking the pile


@st.composite
def piles_asked(draw: st.DrawFn) -> Asked:
    rules = draw(rulesets())
    ranks = draw(some_ranks)
    hand = draw(small_hands(rules, ranks, most=7))
    top = draw(st.sampled_from([*ranks, *ranks, *ranks, *hand, "2"]))
    rank = top.rstrip("hdsc")
    tables = [
        [],
        [f"3x{rank}"],
        [f"6x{rank} 2"],
        [f"4x{rank}"],
        ["4x2"],
        ["4x2", f"3x{rank}"],
        ["Ah Kh Qh Jh 10h 9h"],
        ["5x9"],
    ]
    table = draw(st.sampled_from(tables)) if draw(st.booleans()) else []
    has_opened = bool(table) or draw(st.booleans())  # a side with melds has opened
    question = PileQuestion(
        top=read_cards(top),
        frozen=draw(st.booleans()),
        opened=has_opened,
        score=draw(scores),
        table=tuple(map(read_cards, table)),
        deal=draw(deals(rules)),
        hand=reading(hand),
    )
    return Asked(rules, question, hand, (top,))


@given(piles_asked())
@settings(max_examples=examples(400))
def test_a_pile_is_taken_exactly_when_the_hand_can_and_no_other_way_opens_with_more(
    asked: Asked,
) -> None:
    question = asked.question
    ruling = give_ruling(asked.rules, question)
    if not are_in_the_decks(asked.rules, question.hand, question.top, *question.table):
        assert_forbidden(ruling)
        return
    (top,) = asked.top
    every_way = list(pile_takings(Trier(asked.rules), question, asked.hand, top))
    if not every_way:
        assert_forbidden(ruling)
        return

    assert ruling.verdict is every_way[0].verdict
    if ruling.verdict is Verdict.SILENT:
        assert ruling.play is None
        return
    assert is_of(cards_of(ruling.play), asked.hand + asked.top)
    first_meld = ruling.play.laid[0]
    assert question.top.cards.is_among(first_meld.cards)
    if "counted" in ruling.details:
        most_points = max(int(way.details["counted"] or 0) for way in every_way)
        assert ruling.details["counted"] == most_points


# --------------------------------------------------------------------------------------- going out


@st.composite
def tables(draw: st.DrawFn, rules: Ruleset, ranks: list[str]) -> list[str]:
    """Melds of these ranks, and others, that may lie there before somebody goes out: most of the
    canastas needed are among them.
    """
    length = rules.settings.canasta_length
    melds = []
    for rank in ranks:
        canastas = [f"{length}x{rank}"]
        if rank != "7":  # some games allow no wild cards among sevens
            canastas += [
                f"{length - 1}x{rank}",
                f"{length - 2}x{rank} 2",
                f"{length - 2}x{rank} 2 JK",
            ]
        melds.append(draw(st.sampled_from([*canastas, f"3x{rank}"])))
    if rules.settings.wild_melds == "allowed" and draw(st.booleans()):
        melds.append(draw(st.sampled_from(["3x2", "5x2 JK", "2xJK 4x2", "7x2"])))
    if rules.settings.sequences != "none" and draw(st.booleans()):
        sequences = ["Ah Kh Qh Jh 10h 9h", "Ah Kh Qh Jh 10h 9h 8h", "Kh Qh Jh"]
        melds.append(draw(st.sampled_from(sequences)))
    return melds


@st.composite
def goings_out_asked(draw: st.DrawFn) -> Asked:
    rules = draw(rulesets())
    if draw(st.integers(0, 3)) < 3:
        number = draw(st.integers(1, rules.settings.canastas_needed + 1))
        ranks = draw(st.permutations([*NATURALS, "9", "8", "Q"]))[:number]
        table = draw(tables(rules, ranks))
        hand = draw(small_hands(rules, ranks[:3], fewest=1, most=6))
    else:  # nothing lies there
        table = []
        cards = draw(small_hands(rules, ["A"], fewest=1, most=6))
        hand = tuple(sorted([*["A"] * 7, *cards[:3]]))
    question = OutQuestion(
        hand=reading(hand),
        table=tuple(map(read_cards, table)),
        concealed=draw(st.sampled_from([False, False, True])),
        red_threes=draw(st.integers(0, 4)),
        permission=Permission.GRANTED,
        score=draw(scores),
        deal=draw(deals(rules)),
    )
    if draw(st.integers(0, 3)) == 3:
        discard = draw(st.sampled_from([NOTHING, read_cards(hand[0]), read_cards(hand[-1])]))
        question = replace(question, discard=discard)
    return Asked(rules, question, hand)


@given(goings_out_asked())
@settings(max_examples=examples(500))
def test_a_going_out_is_found_exactly_when_there_is_one(asked: Asked) -> None:
    question = asked.question
    ruling = give_ruling(asked.rules, question)
    if not are_in_the_decks(asked.rules, question.hand, *question.table):
        assert_forbidden(ruling)
        return
    verdicts = set(goings_out(Trier(asked.rules), question, asked.hand))
    if not verdicts:
        assert_forbidden(ruling)
        return

    if Verdict.ALLOWED in verdicts:
        assert ruling.verdict is Verdict.ALLOWED
    else:
        assert ruling.verdict is Verdict.SILENT
    assert ruling.play.discard is not None
    assert sorted(cards_of(ruling.play)) == sorted(asked.hand), "no card stays in the hand"

    # Shown to the referee, the table after the play may go out.
    melds_shown = OutQuestion(
        table_after(ruling.play, question.table),
        Reading(ruling.play.discard),
        concealed=question.concealed or not question.table,
        red_threes=question.red_threes,
        permission=question.permission,
    )
    assert give_ruling(asked.rules, melds_shown).verdict is Verdict.ALLOWED
