"""A whole hand: a legal way is found exactly when there is one, and it is the best.

The referee is asked what can be done with all the cards of a hand, and answers with a play: melds
to lay and a card to discard. `ways_tried` makes every play one by one and shows each of them to the
referee, as melds that somebody wants to lay.

Cards are written as `K` (a king of any suit), `9h` (the nine of hearts), `2` and `JK` (the wild
cards), `3b` and `3r` (a black and a red three).
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
one_or_two_ranks = st.lists(st.sampled_from(RANKS_OF_HANDS), min_size=1, max_size=2, unique=True)
one_in_four = st.sampled_from([False, False, False, True])
"""True in one of four draws."""


@dataclass(frozen=True)
class Asked:
    """A question about a whole hand, under certain rules.

    `hand` has its cards one by one, and `top` the top card of the pile, if the question has one.
    """

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
    """Draw a hand of few cards that often go together.

    They are mostly of these ranks, with wild cards; in the games with sequences they may be a run
    of one suit.
    """
    has_sequences = rules.settings.sequences != "none"
    if has_sequences and draw(st.booleans()):
        cards_to_draw = draw(cards_of_a_run()) + [*ranks, "2"]
    else:
        other_card = draw(st.sampled_from(["2", "JK", "3b", "3b", "3r", "9"]))
        mostly_the_ranks = ranks * 3
        cards_to_draw = [*mostly_the_ranks, "2", "JK", other_card]

    size = draw(st.integers(fewest, most))
    cards = draw(st.lists(st.sampled_from(cards_to_draw), min_size=size, max_size=size))
    return tuple(sorted(cards))


@st.composite
def cards_of_a_run(draw: st.DrawFn) -> list[str]:
    """Draw six hearts in a row, and their highest card in spades and without a suit."""
    first = draw(st.integers(0, 5))
    hearts = [f"{rank}h" for rank in RUN[first : first + 6]]
    return [*hearts, f"{RUN[first]}s", RUN[first]]


def deals(rules: Ruleset) -> st.SearchStrategy[int]:
    """Draw the number of the round, where the game asks for it."""
    return st.integers(1, 4) if "deal" in rules.entry_fields else st.just(1)


def are_in_the_decks(rules: Ruleset, *cards: Reading) -> bool:
    """Tell whether the decks of a game hold so many cards of each kind."""
    return not report_impossible_cards(rules, *cards)


def assert_forbidden(ruling: Ruling) -> None:
    assert ruling.verdict is Verdict.FORBIDDEN
    assert ruling.play is None


def melds_of(play: Play) -> list[Hand]:
    """Return the melds that a play lays, each with its cards one by one."""
    return [written(Reading(laid.cards)) for laid in play.laid]


def cards_of(play: Play) -> Hand:
    """Return all cards that leave the hand: those of the melds, and the discard."""
    cards = [card for meld in melds_of(play) for card in meld]
    if play.discard:
        cards += written(Reading(play.discard))
    return tuple(cards)


# ---------------------------------------------------------------------------------------- openings


@st.composite
def openings_asked(draw: st.DrawFn) -> Asked:
    """Draw a question whether a hand can open, with the top card of the pile or without.

    The first melds of a side open the game for it. They need a minimum of points, which depends on
    its score.
    """
    rules = draw(rulesets())
    ranks = draw(one_or_two_ranks)
    hand = draw(small_hands(rules, ranks))

    top: Hand = ()
    if draw(st.booleans()):
        top = (draw(st.sampled_from([*hand, "3b"])),)
    question = OpeningQuestion(
        score=draw(scores),
        top_card=reading(top) if top else None,
        concealed_out=draw(st.booleans()),
        deal=draw(deals(rules)),
        hand=reading(hand),
    )
    return Asked(rules, question, hand, top)


# In moderna: the top card of the pile is a joker, and the hand has a joker and five kings.
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
    # A player asks how to open with a hand. The answer is a play: melds to lay, and a discard.
    ruling = give_ruling(asked.rules, asked.question)

    # Try every way to lay the cards. If no way is allowed, the answer is no.
    trier = Trier(asked.rules)
    every_way = list_openings(trier, asked)
    if not every_way:
        assert_forbidden(ruling)
        return

    # The play is one of these ways.
    assert is_of(cards_of(ruling.play), asked.hand + asked.top)
    way_played = find_way_played(ruling.play, every_way)

    # If the answer has the points that count for the opening, no other way is better.
    if "counted" in ruling.details:
        values = [value_of_opening(trier, way) for way in every_way]
        assert value_of_opening(trier, way_played) == max(values)

    assert_says_whether_it_goes_out(ruling, asked.question, goes_out=way_played.goes_out)
    assert_same_answer_to_melds_shown(asked.rules, asked.question, ruling)


def list_openings(trier: Trier, asked: Asked) -> list[Opened]:
    """List every way to open with the cards; none if the decks do not hold so many of a kind."""
    question = asked.question
    if not are_in_the_decks(asked.rules, question.hand, question.top_card or NOTHING):
        return []
    return openings(trier, question, asked.hand, asked.top)


def find_way_played(play: Play, every_way: list[Opened]) -> Opened:
    """Find the one of these ways to open that lays the same melds as the play of a ruling."""
    melds = sorted(melds_of(play))
    for way in every_way:
        if sorted(way.melds) == melds:
            return way
    raise AssertionError(f"nobody may play so: {play}")


def value_of_opening(trier: Trier, way: Opened) -> tuple[int, int, int]:
    """Return what makes an opening better, as figures to be compared one after the other.

    First come the points of its melds, then those that count for the opening. Of openings that are
    worth the same, the one with fewer melds is better.
    """
    counted = int(way.judged.details["counted"] or 0)
    return trier.points(way.melds), counted, -len(way.melds)


def assert_says_whether_it_goes_out(
    ruling: Ruling, question: OpeningQuestion, *, goes_out: bool
) -> None:
    """Check that the answer says if the player goes out, or does not, against their wish.

    A player who wants to go out is told if they do not (`opening-not-out`); one who did not ask is
    told if they do (`opening-goes-out`).
    """
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
    """Check that the referee, asked about the melds that its ruling lays, gives the same answer."""
    codes = {reason.code for reason in ruling.reasons}

    # A player who cannot go out, though they wanted to, opens without going out.
    goes_out_concealed = question.concealed_out and "opening-not-out" not in codes
    melds_shown = OpeningQuestion(
        score=question.score,
        melds=ruling.play.melds,
        top_card=question.top_card,
        concealed_out=goes_out_concealed,
        deal=question.deal,
    )

    ruling_on_melds = give_ruling(rules, melds_shown)

    assert ruling_on_melds.verdict is ruling.verdict
    assert ruling_on_melds.details == ruling.details
    assert {reason.code for reason in ruling_on_melds.reasons} == codes - ONLY_OF_A_HAND


# --------------------------------------------------------------------------------- taking the pile


def melds_beside_pile(top: str) -> st.SearchStrategy[list[str]]:
    """Draw melds of a side on the table: often none, or some of the rank of the top card.

    The rank is the name of the card without its suit: `Q` of `Qh`.
    """
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
    """Draw a question whether a hand can take the pile.

    The top card of the pile is often of a rank of the hand.
    """
    rules = draw(rulesets())
    ranks = draw(one_or_two_ranks)
    hand = draw(small_hands(rules, ranks, most=7))
    mostly_the_ranks = ranks * 3
    top = draw(st.sampled_from([*mostly_the_ranks, *hand, "2"]))
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
    # A player asks how to take the pile: its top card has to be melded with cards of the hand.
    ruling = give_ruling(asked.rules, asked.question)

    # Try every way to lay the cards. If each is forbidden, the answer is no.
    every_way = list_pile_takings(asked)
    if not every_way:
        assert_forbidden(ruling)
        return

    # Where no source says whether it is allowed, the answer has no play.
    assert ruling.verdict is every_way[0].verdict
    if ruling.verdict is Verdict.SILENT:
        assert ruling.play is None
        return

    # The first meld of the play has the top card in it.
    assert is_of(cards_of(ruling.play), asked.hand + asked.top)
    meld_with_top_card = ruling.play.laid[0]
    assert asked.question.top.cards.is_among(meld_with_top_card.cards)

    # If the side opens with it, no other way has more points that count for the opening.
    if "counted" in ruling.details:
        assert ruling.details["counted"] == max(map(points_counted, every_way))


def list_pile_takings(asked: Asked) -> list[Ruling]:
    """List the answers to every way to take the pile that is not forbidden.

    There is none if the decks do not hold so many cards of a kind.
    """
    question = asked.question
    if not are_in_the_decks(asked.rules, question.hand, question.top, *question.table):
        return []
    (top,) = asked.top
    return list(pile_takings(Trier(asked.rules), question, asked.hand, top))


def points_counted(ruling: Ruling) -> int:
    """Return the points that count for the opening; 0 for a side that has opened."""
    return int(ruling.details["counted"] or 0)


# --------------------------------------------------------------------------------------- going out


def melds_of_rank(rules: Ruleset, rank: str) -> st.SearchStrategy[str]:
    """Draw a meld of a rank on the table: mostly a canasta, or one card short of it."""
    length = rules.settings.canasta_length
    melds = [f"3x{rank}", f"{length}x{rank}"]
    if rank != "7":  # some games allow no wild cards among sevens
        melds += [f"{length - 1}x{rank}", f"{length - 2}x{rank} 2", f"{length - 2}x{rank} 2 JK"]
    return st.sampled_from(melds)


@st.composite
def tables(draw: st.DrawFn, rules: Ruleset, ranks: list[str]) -> list[str]:
    """Draw melds of these ranks, and others, that may lie there before somebody goes out.

    Most of the canastas that are needed to go out are among them.
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
    """Draw the melds of a side before it goes out, and the cards in the hand of the player."""
    lays_everything_at_once = draw(one_in_four)
    if lays_everything_at_once:
        natural_canasta = ("A",) * 7
        other_cards = draw(small_hands(rules, ["A"], fewest=1, most=3))
        return [], tuple(sorted(natural_canasta + other_cards))

    number_of_melds = draw(st.integers(1, rules.settings.canastas_needed + 1))
    ranks = draw(st.permutations([*RANKS_OF_HANDS, "9", "8", "Q"]))[:number_of_melds]
    table = draw(tables(rules, ranks))
    hand = draw(small_hands(rules, ranks[:3], fewest=1, most=6))
    return table, hand


@st.composite
def goings_out_asked(draw: st.DrawFn) -> Asked:
    """Draw a question whether a hand can go out, sometimes with a certain last discard."""
    rules = draw(rulesets())
    table, hand = draw(tables_and_hands(rules))
    question = OutQuestion(
        hand=reading(hand),
        table=tuple(map(read_cards, table)),
        concealed=draw(one_in_four),
        red_threes=draw(st.integers(0, 4)),
        permission=Permission.GRANTED,
        score=draw(scores),
        deal=draw(deals(rules)),
    )
    if draw(one_in_four):
        discards = [NOTHING, read_cards(hand[0]), read_cards(hand[-1])]
        question = replace(question, discard=draw(st.sampled_from(discards)))
    return Asked(rules, question, hand)


@given(goings_out_asked())
@settings(max_examples=examples(500))
def test_way_to_go_out_is_found_if_there_is_any(asked: Asked) -> None:
    # A player asks how to go out: to lay all cards of the hand, but for one that may be discarded.
    ruling = give_ruling(asked.rules, asked.question)

    # Try every way to lay the cards. If each is forbidden, the answer is no.
    verdicts = list_verdicts_on_going_out(asked)
    if not verdicts:
        assert_forbidden(ruling)
        return

    # If no way is allowed for certain, it rests on something that no source speaks of.
    if Verdict.ALLOWED in verdicts:
        assert ruling.verdict is Verdict.ALLOWED
    else:
        assert ruling.verdict is Verdict.SILENT

    # By the play of the answer no card stays in the hand.
    assert ruling.play.discard is not None
    assert sorted(cards_of(ruling.play)) == sorted(asked.hand)
    assert_may_go_out_with_melds_shown(asked.rules, asked.question, ruling.play)


def list_verdicts_on_going_out(asked: Asked) -> set[Verdict]:
    """Collect what the referee says to the ways to go out.

    Nothing if there is no way, or if the decks do not hold so many cards of a kind.
    """
    question = asked.question
    if not are_in_the_decks(asked.rules, question.hand, *question.table):
        return set()
    return set(goings_out(Trier(asked.rules), question, asked.hand))


def assert_may_go_out_with_melds_shown(rules: Ruleset, question: OutQuestion, play: Play) -> None:
    """Check that the referee allows to go out, if it is asked about the melds after a play."""
    lays_everything_at_once = not question.table
    melds_shown = OutQuestion(
        table=table_after(play, question.table),
        discard=Reading(play.discard),
        concealed=question.concealed or lays_everything_at_once,
        red_threes=question.red_threes,
        permission=question.permission,
    )
    assert give_ruling(rules, melds_shown).verdict is Verdict.ALLOWED
