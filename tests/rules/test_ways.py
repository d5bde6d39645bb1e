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

RANKS_OF_HANDS = ["A", "K", "7", "4"]
scores = st.sampled_from([0, 0, -5, 1500, 3000, 7000])
some_ranks = st.lists(st.sampled_from(RANKS_OF_HANDS), min_size=1, max_size=2, unique=True)


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
    if rules.settings.sequences != "none" and draw(st.booleans()):
        first = draw(st.integers(0, 5))
        hearts_in_a_row = [f"{rank}h" for rank in RUN[first : first + 6]]
        cards_to_draw = [*hearts_in_a_row, f"{RUN[first]}s", RUN[first], *ranks, "2"]
    else:
        other_card = draw(st.sampled_from(["2", "JK", "3b", "3b", "3r", "9"]))
        cards_to_draw = [*ranks, *ranks, *ranks, "2", "JK", other_card]
    size = draw(st.integers(fewest, most))
    cards = draw(st.lists(st.sampled_from(cards_to_draw), min_size=size, max_size=size))
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
    """A question whether a hand can open, with the top card of the pile or without."""
    rules = draw(rulesets())
    hand = draw(small_hands(rules, draw(some_ranks)))
    top_cards = [(card,) for card in [*hand, "3b"]]
    top = draw(st.sampled_from([(), (), *top_cards]))
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
def test_best_opening_is_found_if_there_is_any(asked: Asked) -> None:
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

    assert is_of(cards_of(ruling.play), asked.hand + asked.top)
    way_played = find_way_played(ruling.play, every_way)
    if "counted" in ruling.details:
        values = [value_of_opening(trier, way) for way in every_way]
        assert value_of_opening(trier, way_played) == max(values)
    assert_says_whether_it_goes_out(ruling, question, goes_out=way_played.goes_out)
    assert_same_answer_to_melds_shown(asked.rules, question, ruling)


def find_way_played(play: Play, every_way: list[Opened]) -> Opened:
    """The way that lays the melds of a play."""
    melds = sorted(melds_of(play))
    for way in every_way:
        if sorted(way.melds) == melds:
            return way
    raise AssertionError(f"nobody may play so: {play}")


def value_of_opening(trier: Trier, way: Opened) -> tuple[int, int, int]:
    """Ways are compared by their points, then by the points that count for the opening; then fewer
    melds are better.
    """
    counted = int(way.judged.details["counted"] or 0)
    return trier.points(way.melds), counted, -len(way.melds)


def assert_says_whether_it_goes_out(
    ruling: Ruling, question: OpeningQuestion, *, goes_out: bool
) -> None:
    """To a player who wants to go out, a ruling says if that is not possible; to others, if they do."""
    codes = {reason.code for reason in ruling.reasons}
    if question.concealed_out:
        assert ("opening-not-out" in codes) == (not goes_out)
        assert "opening-goes-out" not in codes
    else:
        assert "opening-not-out" not in codes
        assert ("opening-goes-out" in codes) == goes_out


def assert_same_answer_to_melds_shown(
    rules: Ruleset, question: OpeningQuestion, ruling: Ruling
) -> None:
    """Asked about the melds that a ruling lays, the referee gives the same answer."""
    codes = {reason.code for reason in ruling.reasons}
    melds_shown = OpeningQuestion(
        question.score,
        ruling.play.melds,
        question.top_card,
        concealed_out=question.concealed_out and "opening-not-out" not in codes,
        deal=question.deal,
    )

    ruling_on_melds = give_ruling(rules, melds_shown)

    assert ruling_on_melds.verdict is ruling.verdict
    assert ruling_on_melds.details == ruling.details
    assert {reason.code for reason in ruling_on_melds.reasons} == codes - ONLY_OF_A_HAND


# --------------------------------------------------------------------------------- taking the pile


def melds_beside_pile(top: str) -> st.SearchStrategy[list[str]]:
    """Melds that a side may have on the table: often none, or some of the rank of the top card."""
    rank = top.rstrip("hdsc")
    melds = st.sampled_from(
        [
            [],
            [f"3x{rank}"],
            [f"6x{rank} 2"],
            [f"4x{rank}"],
            ["4x2"],
            ["4x2", f"3x{rank}"],
            ["Ah Kh Qh Jh 10h 9h"],
            ["5x9"],
        ]
    )
    return st.one_of(st.just([]), melds)


@st.composite
def piles_asked(draw: st.DrawFn) -> Asked:
    """A question whether a hand can take the pile."""
    rules = draw(rulesets())
    ranks = draw(some_ranks)
    hand = draw(small_hands(rules, ranks, most=7))
    top = draw(st.sampled_from([*ranks, *ranks, *ranks, *hand, "2"]))
    table = draw(melds_beside_pile(top))
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
def test_best_way_to_take_the_pile_is_found_if_there_is_any(asked: Asked) -> None:
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


def melds_of_rank(rules: Ruleset, rank: str) -> st.SearchStrategy[str]:
    """A meld of a rank on the table: mostly a canasta, or one card short of it."""
    length = rules.settings.canasta_length
    melds = [f"3x{rank}", f"{length}x{rank}"]
    if rank != "7":  # some games allow no wild cards among sevens
        melds += [f"{length - 1}x{rank}", f"{length - 2}x{rank} 2", f"{length - 2}x{rank} 2 JK"]
    return st.sampled_from(melds)


@st.composite
def tables(draw: st.DrawFn, rules: Ruleset, ranks: list[str]) -> list[str]:
    """Melds of these ranks, and others, that may lie there before somebody goes out: most of the
    canastas needed are among them.
    """
    melds = [draw(melds_of_rank(rules, rank)) for rank in ranks]
    if rules.settings.wild_melds == "allowed" and draw(st.booleans()):
        melds.append(draw(st.sampled_from(["3x2", "5x2 JK", "2xJK 4x2", "7x2"])))
    if rules.settings.sequences != "none" and draw(st.booleans()):
        sequences = ["Ah Kh Qh Jh 10h 9h", "Ah Kh Qh Jh 10h 9h 8h", "Kh Qh Jh"]
        melds.append(draw(st.sampled_from(sequences)))
    return melds


@st.composite
def tables_and_hands(draw: st.DrawFn, rules: Ruleset) -> tuple[list[str], Hand]:
    """The melds of a side before it goes out, and the cards in the hand of the player."""
    lays_everything_at_once = draw(st.integers(0, 3)) == 3
    if lays_everything_at_once:
        other_cards = draw(small_hands(rules, ["A"], fewest=1, most=3))
        return [], tuple(sorted(["A"] * 7 + list(other_cards)))
    number_of_melds = draw(st.integers(1, rules.settings.canastas_needed + 1))
    ranks = draw(st.permutations([*RANKS_OF_HANDS, "9", "8", "Q"]))[:number_of_melds]
    return draw(tables(rules, ranks)), draw(small_hands(rules, ranks[:3], fewest=1, most=6))


@st.composite
def goings_out_asked(draw: st.DrawFn) -> Asked:
    """A question whether a hand can go out, sometimes with a certain last discard."""
    rules = draw(rulesets())
    table, hand = draw(tables_and_hands(rules))
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
def test_way_to_go_out_is_found_if_there_is_any(asked: Asked) -> None:
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
