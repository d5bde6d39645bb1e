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
        # Hearts such as 9h and 8h, which may be laid as a sequence.
        choices = draw(cards_of_a_run()) + [*ranks, "2"]
    else:
        # Twos and jokers (JK) are wild. A black three (3b) is twice in the list, and a rank three
        # times, so that they are drawn more often.
        other_card = draw(st.sampled_from(["2", "JK", "3b", "3b", "3r", "9"]))
        choices = [*ranks, *ranks, *ranks, "2", "JK", other_card]

    # The same card may be drawn several times.
    size = draw(st.integers(fewest, most))
    cards = draw(st.lists(st.sampled_from(choices), min_size=size, max_size=size))
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
    """Return the melds that a play lays, each with its cards one by one: `("K", "K", "K")`."""
    return [written(Reading(laid.cards)) for laid in play.laid]


def cards_of(play: Play) -> Hand:
    """Return all cards that leave the hand by a play, one by one: `("K", "K", "K", "4")`."""
    cards: list[str] = []
    for meld in melds_of(play):
        cards += meld
    # A player ends the turn by laying one card on the pile of discards.
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

    # A player who takes the pile opens with its top card too.
    top: Hand = ()
    if draw(st.booleans()):
        top = (draw(st.sampled_from([*hand, "3b"])),)

    question = OpeningQuestion(
        score=draw(scores),
        top_card=reading(top) if top else None,
        # Whether the player wants to lay all cards in this turn, which ends the round.
        concealed_out=draw(st.booleans()),
        # The number of the round.
        deal=draw(deals(rules)),
        hand=reading(hand),
    )
    # The question has the cards as the app reads them, `hand` and `top` have them as texts.
    return Asked(rules, question, hand, top)


# In moderna: the top card of the pile is a joker, and the hand has a joker and five kings.
JOKER_ON_FIVE_KINGS = Asked(
    settle("moderna"),
    OpeningQuestion(0, top_card=read_cards("JK"), hand=read_cards("JK 5xK")),
    hand=("JK", "K", "K", "K", "K", "K"),
    top=("JK",),
)


@given(openings_asked())
@settings(max_examples=examples(400))
@example(JOKER_ON_FIVE_KINGS)
def test_best_opening_is_found_if_there_is_any(asked: Asked) -> None:
    # A player asks how to open with a hand, that is to lay the first melds of a side. The answer is
    # a play: the melds to lay.
    ruling = give_ruling(asked.rules, asked.question)

    # Divide the cards into melds in every way, and let the trier ask the referee about each. The
    # ways that are not forbidden are left. Without any, the answer is no.
    trier = Trier(asked.rules)
    every_way = list_openings(trier, asked)
    if not every_way:
        assert_forbidden(ruling)
        return

    # The player has the cards of the play, and it is one of these ways.
    cards_of_player = asked.hand + asked.top
    assert is_of(cards_of(ruling.play), cards_of_player)
    way_played = find_way_played(ruling.play, every_way)

    # An answer that tells the points of the melds ("counted") has the best of all ways.
    if "counted" in ruling.details:
        best_value = max(value_of_opening(trier, way) for way in every_way)
        assert value_of_opening(trier, way_played) == best_value

    # The reasons say whether the player goes out with the play, and the referee answers the same if
    # it is shown the melds.
    assert_says_whether_it_goes_out(ruling, asked.question, goes_out=way_played.goes_out)
    assert_same_answer_to_melds_shown(asked.rules, asked.question, ruling)


def list_openings(trier: Trier, asked: Asked) -> list[Opened]:
    """List every way to open with the cards; none if the decks do not hold so many of a kind."""
    question = asked.question
    if not are_in_the_decks(asked.rules, question.hand, question.top_card or NOTHING):
        return []
    return openings(trier, question, asked.hand, asked.top)


def find_way_played(play: Play, every_way: list[Opened]) -> Opened:
    """Find the way to open that lays the same melds as a play of the referee.

    Every way to open was found by trying; the play is what the referee proposes.
    """
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
    """Check what the answer says on going out, which is laying all cards and ends the round."""
    codes = {reason.code for reason in ruling.reasons}

    # A player who wants to go out is told only if these melds do not do it. A player who does not
    # ask for it is told only if they do.
    wants_to_go_out = question.concealed_out
    is_told_not_out = "opening-not-out" in codes
    is_told_out = "opening-goes-out" in codes
    assert is_told_not_out == (wants_to_go_out and not goes_out)
    assert is_told_out == (goes_out and not wants_to_go_out)


def assert_same_answer_to_melds_shown(
    rules: Ruleset, question: OpeningQuestion, ruling: Ruling
) -> None:
    """Check that the referee, asked about the melds that its ruling lays, gives the same answer.

    `question` gave the hand, and `ruling` is the answer, with the melds to lay. They are the first
    melds of a side, by which it opens the game.
    """
    codes = {reason.code for reason in ruling.reasons}

    # "opening-not-out": the player wanted to go out (lay all cards), and cannot. The next question
    # is only about opening then.
    goes_out = question.concealed_out and "opening-not-out" not in codes
    question_on_melds = OpeningQuestion(
        score=question.score,
        melds=ruling.play.melds,
        top_card=question.top_card,
        concealed_out=goes_out,
        deal=question.deal,
    )
    ruling_on_melds = give_ruling(rules, question_on_melds)

    assert ruling_on_melds.verdict is ruling.verdict
    assert ruling_on_melds.details == ruling.details

    # These four reasons are about the cards that stay in the hand, which is not given now.
    about_the_hand = {
        "opening-not-out",
        "opening-goes-out",
        "opening-hand-kept",
        "opening-discard-kept",
    }
    codes_on_melds = {reason.code for reason in ruling_on_melds.reasons}
    assert codes_on_melds == codes - about_the_hand


# --------------------------------------------------------------------------------- taking the pile


def melds_beside_pile(top: str) -> st.SearchStrategy[list[str]]:
    """Draw melds of a side on the table when a player wants the pile, often none.

    `3xQ` are three queens, `6xQ 2` six queens and a two, which is wild.
    """
    # In many games the top card may be laid on a meld of its rank: a queen, whatever its suit (Qh).
    rank = top.rstrip("hdsc")
    melds = st.sampled_from(
        [
            [],
            [f"3x{rank}"],
            [f"6x{rank} 2"],  # a canasta, which has seven cards
            [f"4x{rank}"],
            ["4x2"],  # wild cards alone
            ["4x2", f"3x{rank}"],
            ["Ah Kh Qh Jh 10h 9h"],  # a sequence of hearts
            ["5x9"],
        ]
    )
    return st.one_of(st.just([]), melds)


@st.composite
def piles_asked(draw: st.DrawFn) -> Asked:
    """Draw a question whether a player can take the pile of discards with a hand."""
    rules = draw(rulesets())

    # The hand has mostly cards of these ranks, and the top card of the pile often goes with them:
    # each rank is three times among the cards from which it is drawn.
    ranks = draw(one_or_two_ranks)
    hand = draw(small_hands(rules, ranks, most=7))
    top = draw(st.sampled_from([*ranks, *ranks, *ranks, *hand, "2"]))

    # The side may have melds on the table, `["3xK"]`. If so, it has opened.
    table = draw(melds_beside_pile(top))
    has_opened = bool(table) or draw(st.booleans())

    question = PileQuestion(
        top=read_cards(top),
        frozen=draw(st.booleans()),  # a frozen pile is harder to take
        opened=has_opened,
        score=draw(scores),
        table=tuple(map(read_cards, table)),
        deal=draw(deals(rules)),  # the number of the round
        hand=reading(hand),
    )
    # The question has the cards as the app reads them, the other two have them as texts.
    return Asked(rules, question, hand, (top,))


@given(piles_asked())
@settings(max_examples=examples(400))
def test_best_way_to_take_the_pile_is_found_if_there_is_any(asked: Asked) -> None:
    # A player asks whether and how a hand can take the pile of discards: its top card has to be
    # melded with cards of the hand.
    ruling = give_ruling(asked.rules, asked.question)

    # Ask the referee about every way to lay the cards. Without a way that it allows, it must have
    # answered no, otherwise with the best of them.
    answers_to_ways = list_pile_takings(asked)
    if answers_to_ways:
        assert_takes_pile_in_best_way(ruling, asked, answers_to_ways)
    else:
        assert_forbidden(ruling)


def list_pile_takings(asked: Asked) -> list[Ruling]:
    """List the answers of the referee to every way to take the pile, but for those that say no."""
    question = asked.question

    # A hand was drawn at random. There is no way if the decks do not have so many cards of a kind.
    if not are_in_the_decks(asked.rules, question.hand, question.top, *question.table):
        return []

    # The question has the cards as the app reads them. The ways are made of their names.
    (name_of_top_card,) = asked.top
    return list(pile_takings(Trier(asked.rules), question, asked.hand, name_of_top_card))


def assert_takes_pile_in_best_way(
    ruling: Ruling, asked: Asked, answers_to_ways: list[Ruling]
) -> None:
    """Check a ruling on a hand by the answers of the referee to every way to take the pile."""
    # Where no source says whether it is allowed ("silent"), nothing is proposed.
    assert ruling.verdict is answers_to_ways[0].verdict
    if ruling.verdict is Verdict.SILENT:
        assert ruling.play is None
        return

    # The player has all cards of the play that is proposed. Its first meld takes the top card.
    assert is_of(cards_of(ruling.play), asked.hand + asked.top)
    first_meld = ruling.play.laid[0].cards
    assert asked.question.top.cards.is_among(first_meld)

    # A side may need a minimum of points for its first melds. If its points are told ("counted"),
    # no other way has more.
    if "counted" in ruling.details:
        assert ruling.details["counted"] == max(map(points_counted, answers_to_ways))


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
    """Draw melds that a side may have on the table before it goes out, one for each of these ranks.

    In a text such as `5x2 JK` there are five twos and a joker.
    """
    # Going out needs canastas, melds of seven cards in most games. Most of these are canastas, or
    # one card short of it.
    melds = [draw(melds_of_rank(rules, rank)) for rank in ranks]

    # Some games have melds of wild cards alone, and some have sequences of a suit, here of hearts.
    if rules.settings.wild_melds == "allowed" and draw(st.booleans()):
        melds.append(draw(st.sampled_from(["3x2", "5x2 JK", "2xJK 4x2", "7x2"])))
    if rules.settings.sequences != "none" and draw(st.booleans()):
        sequences = ["Ah Kh Qh Jh 10h 9h", "Ah Kh Qh Jh 10h 9h 8h", "Kh Qh Jh"]
        melds.append(draw(st.sampled_from(sequences)))
    return melds


@st.composite
def tables_and_hands(draw: st.DrawFn, rules: Ruleset) -> tuple[list[str], Hand]:
    """Draw the melds of a side before it goes out, and the cards in the hand of the player."""
    # Sometimes a side has nothing on the table, and lays everything at once: seven aces, which are
    # a canasta, and a few other cards.
    if draw(one_in_four):
        other_cards = draw(small_hands(rules, ["A"], fewest=1, most=3))
        return [], tuple(sorted(("A",) * 7 + other_cards))

    # Otherwise it has melds of different ranks there, up to one more than the canastas that the
    # game asks of who goes out.
    number_of_melds = draw(st.integers(1, rules.settings.canastas_needed + 1))
    ranks_in_any_order = draw(st.permutations(["A", "K", "7", "4", "9", "8", "Q"]))
    ranks = ranks_in_any_order[:number_of_melds]
    table = draw(tables(rules, ranks))

    # The cards in the hand go with three of the melds at most: it has only six cards.
    hand = draw(small_hands(rules, ranks[:3], fewest=1, most=6))
    return table, hand


@st.composite
def goings_out_asked(draw: st.DrawFn) -> Asked:
    """Draw a question whether a player can go out, that is, lay all cards and end the round."""
    rules = draw(rulesets())

    # The hand is such as ("4", "K", "K"), the melds on the table are such as ["3xA", "6xK 2"].
    table, hand = draw(tables_and_hands(rules))
    question = OutQuestion(
        hand=reading(hand),
        table=tuple(map(read_cards, table)),
        concealed=draw(one_in_four),  # out in a single turn, without help of the melds there
        red_threes=draw(st.integers(0, 4)),
        permission=Permission.GRANTED,  # the partner was asked and agrees
        score=draw(scores),
        deal=draw(deals(rules)),  # the number of the round
    )

    # Sometimes the player wants to discard a certain card last, or none.
    if draw(one_in_four):
        discards = [NOTHING, read_cards(hand[0]), read_cards(hand[-1])]
        question = replace(question, discard=draw(st.sampled_from(discards)))
    return Asked(rules, question, hand)


@given(goings_out_asked())
@settings(max_examples=examples(500))
def test_way_to_go_out_is_found_if_there_is_any(asked: Asked) -> None:
    # A player asks how to go out: to lay all cards of the hand, but for one that may be discarded.
    ruling = give_ruling(asked.rules, asked.question)

    # Ask the referee about every way to lay the cards. Without a way, the answer is no.
    verdicts = list_verdicts_on_going_out(asked)
    if not verdicts:
        assert_forbidden(ruling)
        return

    # One way that is allowed is enough. The others are silent: they need something of which no
    # source says whether it is allowed.
    if Verdict.ALLOWED in verdicts:
        assert ruling.verdict is Verdict.ALLOWED
    else:
        assert ruling.verdict is Verdict.SILENT

    # By the play of the answer no card stays in the hand.
    assert ruling.play.discard is not None
    assert sorted(cards_of(ruling.play)) == sorted(asked.hand)
    assert_may_go_out_with_melds_shown(asked.rules, asked.question, ruling.play)


def list_verdicts_on_going_out(asked: Asked) -> set[Verdict]:
    """Return whether the ways to go out with a hand are allowed, or silent: no source says it.

    Every way is tried, and those that are forbidden are left out. The set may be empty.
    """
    question = asked.question

    # A hand was drawn at random. There is no way if the decks do not have so many cards of a kind.
    if not are_in_the_decks(asked.rules, question.hand, *question.table):
        return set()
    return set(goings_out(Trier(asked.rules), question, asked.hand))


def assert_may_go_out_with_melds_shown(rules: Ruleset, question: OutQuestion, play: Play) -> None:
    """Check that the referee allows a side to go out that shows all its melds after a play.

    `question` gave the hand and the melds on the table, and `play` is what the referee proposed.
    """
    # A side goes out "concealed" if the player lays a whole hand at once. That is so by definition
    # if it had no melds on the table before.
    had_no_melds = not question.table

    question_on_melds = OutQuestion(
        table=table_after(play, question.table),
        discard=Reading(play.discard),
        concealed=question.concealed or had_no_melds,
        red_threes=question.red_threes,
        permission=question.permission,
    )
    assert give_ruling(rules, question_on_melds).verdict is Verdict.ALLOWED
