"""A whole answer: it cites no text whose own codification says the contrary, and says by whom it is
otherwise.
"""

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from scorepad.errors import TooManyWays
from scorepad.referee import best_play
from scorepad.referee.answering import answer_to, give_ruling
from scorepad.referee.elsewhere import list_other_values
from scorepad.referee.questions import (
    AnyQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PileQuestion,
    RedThreesQuestion,
    UpcardQuestion,
)
from scorepad.referee.ruling import Alternative, Answer
from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import Ruleset, VariantId
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.ruling_json import read_question, read_question_of_match
from tests.examples import examples
from tests.rules.questions_drawn import questions


def get_answer(
    question: AnyQuestion, variant: str = "classica", preset: str | None = None, **options: Any
) -> Answer:
    """Answer a question by the rules of a variant of canasta.

    A preset is the rules as one source has them. Options are choices of the table; their names are
    written with `_` in place of `-`.
    """
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return answer_to(settle(variant, preset, chosen), question)


def ask_meld(cards: str, *, going_out: bool = False) -> MeldQuestion:
    """Build the question whether these cards may be laid as a meld: "2xQ 3xJK", two queens and
    three jokers.
    """
    return MeldQuestion(read_cards(cards), going_out=going_out)


WILD_CARD_ON_SEVEN_QUEENS = MeldQuestion(read_cards("2"), on=read_cards("7xQ"))
THREE_JACKS_WITH_THREE_TWOS = ask_meld("3xJ 3x2")


def list_sources(answer: Answer) -> set[str]:
    """List the letters of the sources that the reasons of an answer cite: "W" of "W:Pozzo".

    W is Wikipedia; G, H and E are other descriptions of the game. A note on what a source got wrong
    ("fault-…") names that source: it is left out.
    """
    letters = set()
    for reason in answer.ruling.reasons:
        if not reason.code.startswith("fault-"):
            for source in reason.sources:
                letter, _, _section = source.partition(":")
                letters.add(letter)
    return letters


@pytest.mark.parametrize(
    ("question", "contrary_source", "agreeing_source"),
    [
        # Two queens and three jokers, which are wild cards. H: never more wild cards than natural
        # ones.
        (ask_meld("2xQ 3xJK"), "H", "W"),
        # Eight queens. G: at most seven cards in a meld.
        (ask_meld("8xQ"), "G", "W"),
        # Three black threes and a two. H: black threes alone, three or four of them.
        (ask_meld("3x3b 2", going_out=True), "H", "W"),
    ],
)
def test_answer_does_not_cite_source_that_says_the_contrary(
    question: AnyQuestion, contrary_source: str, agreeing_source: str
) -> None:
    # May these cards be laid as a meld? The sources of the rules, each named by a letter, contradict
    # each other here: G or H forbids the meld, and Wikipedia (W) allows it.
    answer = get_answer(question)

    # The answer follows Wikipedia. So it cites that, and not the other source.
    assert answer.ruling.verdict == "allowed"
    sources_cited = list_sources(answer)
    assert agreeing_source in sources_cited
    assert contrary_source not in sources_cited


def test_answer_cites_all_sources_that_agree() -> None:
    # That three queens are a meld is said by Wikipedia (W), and by two other sources.
    answer = get_answer(ask_meld("3xQ"))
    assert {"W", "G", "H"} <= list_sources(answer)


def test_refusal_by_preset_does_not_cite_sources_that_allow_it() -> None:
    # A player wants to take the pile and to lay its top card, a king, on three kings of the table.
    # Wikipedia (W) allows it. The encyclopedia (E), whose rules the preset follows, does not.
    question = PileQuestion(read_cards("K"), opened=True, table=(read_cards("3xK"),), laid=())

    answer = get_answer(question, preset="enciclopedia")

    assert answer.ruling.verdict == "forbidden"
    assert "W" not in list_sources(answer)
    assert "E" in list_sources(answer)


def find_other_answer(answer: Answer, preset: str) -> Alternative:
    """Find the answer to the same question by another preset."""
    (found,) = [other for other in answer.others if other.preset == preset]
    return found


def test_other_preset_that_differs_by_several_options_is_cited() -> None:
    # May two black threes and two twos be melded when going out? By the preset "getty" they may
    # not, because of two of its options.
    answer = get_answer(ask_meld("2x3b 2x2", going_out=True), preset="getty")

    assert answer.ruling.verdict == "forbidden"

    # By the preset "wikipedia" they may, and the answer cites Wikipedia (W) for that.
    sources = find_other_answer(answer, "wikipedia").sources
    assert any(source.startswith("W:") for source in sources)


def test_question_with_more_cards_than_the_decks_is_answered_at_once() -> None:
    # 108 queens lie on the table, and as many are to be laid; the decks have eight.
    melds = tuple(read_cards("3xQ") for _ in range(36))
    question = PileQuestion(read_cards("Q"), opened=False, table=melds, laid=melds)

    start = time.process_time()
    ruling = give_ruling(settle("classica"), question)
    seconds = time.process_time() - start

    # No ways of laying the cards are tried.
    assert [reason.code for reason in ruling.reasons] == ["deck-exceeded"]
    assert seconds < 0.2


def test_best_play_lays_all_of_48_cards() -> None:
    # A player holds all eight aces, kings, queens, jacks, tens and nines, and asks how to go out.
    question = OutQuestion((), hand=read_cards("8xA 8xK 8xQ 8xJ 8x10 8x9"))

    ruling = give_ruling(settle("classica"), question)

    # The answer proposes what to lay and what to discard: together all cards of the hand.
    assert ruling.verdict == "allowed"
    cards_laid = sum(meld.cards.size for meld in ruling.play.laid)
    assert cards_laid + ruling.play.discard.size == 48


@pytest.fixture
def moderna_without_turn_card() -> Ruleset:
    """Build the rules of moderna without its turn card.

    That is a card which lies crosswise near the bottom of the stock. Whoever draws it announces
    that eight cards are left.
    """
    moderna = settle("moderna")
    return replace(moderna, settings=replace(moderna.settings, turn_card=0))


def test_without_turn_card_talon_is_drawn_by_opening(moderna_without_turn_card: Ruleset) -> None:
    # A side lays its first melds: three kings, three queens, three aces, and two eights with a two.
    # The opponents have laid nothing.
    melds = tuple(read_cards(cards) for cards in ("3xK", "3xQ", "3xA", "2x8 2"))
    question = OpeningQuestion(melds=melds, opponents=())

    ruling = give_ruling(moderna_without_turn_card, question)

    # The first side to do so draws four more cards, called the talon. The answer tells of that.
    codes = {reason.code for reason in ruling.reasons}
    assert "opening-talon" in codes

    # In moderna it also says until when: until the turn card, near the end of the stock, is drawn.
    # Here is no turn card.
    assert "talon-until-turn-card" not in codes


def test_without_turn_card_no_upcard_is_turned(moderna_without_turn_card: Ruleset) -> None:
    # In some games a card is turned up to begin the discard pile. Somebody asks about a king there.
    king = read_cards("K")
    question = UpcardQuestion(cards=(king,))

    ruling = give_ruling(moderna_without_turn_card, question)

    # The only reason says that in moderna no card is turned up. With the turn card, which is another
    # card, a second reason would explain what that is.
    assert [reason.code for reason in ruling.reasons] == ["upcard-none"]


def ask_to_go_out_in_bolivia(hand: str, table: list[str]) -> Answer:
    """Ask whether a player with this hand can go out, whose side has these melds on the table.

    In bolivia a hand can be laid in very many ways: as groups of a rank and as sequences of a suit.
    """
    rules = settle("bolivia")
    request = read_question_of_match({"kind": "out", "hand": hand, "table": table}, rules)
    return answer_to(rules, request.question)


def test_hand_with_too_many_ways_to_lay_it_is_not_examined() -> None:
    # A hand with one of every natural card, six twos and two jokers. Each suit is whole, and a wild
    # card fits anywhere in a sequence: to examine all ways to lay the hand would take too long.
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"]
    natural_cards = [rank + suit for suit in "hdsc" for rank in ranks]

    with pytest.raises(TooManyWays):
        ask_to_go_out_in_bolivia(hand=" ".join(natural_cards) + " 6x2 2xJK", table=[])


def test_ways_that_extend_melds_of_the_table_count_as_ways_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A player holds kings, queens and a two. They can be laid as new melds, or added to the kings
    # and queens of the table. The ways to lay new melds are kept in a cache.
    ask_to_go_out_in_bolivia(hand="5xK 4xQ 2", table=["3xK", "3xQ"])

    # From now on only one way is allowed. Those in the cache are not counted again, so that it is
    # the ways to add cards to the melds of the table that are too many.
    monkeypatch.setattr(best_play, "MOST_WAYS", 1)
    with pytest.raises(TooManyWays):
        ask_to_go_out_in_bolivia(hand="5xK 4xQ 2", table=["3xK", "3xQ"])


def test_other_answers_under_a_preset_include_the_default_preset() -> None:
    # May a two be laid on seven queens? By the preset "giochi" a canasta has exactly seven cards.
    answer = get_answer(WILD_CARD_ON_SEVEN_QUEENS, preset="giochi")

    # By "wikipedia", the default preset, it may have more.
    wikipedia = find_other_answer(answer, "wikipedia")
    assert wikipedia.options == {"canasta-size": "seven-or-more"}
    assert wikipedia.ruling.verdict == "allowed"


def test_other_answers_keep_options_that_their_preset_does_not_set() -> None:
    # The table chose that a meld has fewer wild cards than natural ones, so that three jacks with
    # three twos are forbidden; and that a match is won at 3,000 points.
    answer = get_answer(THREE_JACKS_WITH_THREE_TWOS, wild_limit="fewer-than-naturals", target=3000)

    # Each preset sets the limit to three wild cards, and allows the meld. None sets the target:
    # that of the table stays.
    presets = {other.preset for other in answer.others}
    assert presets == {"wikipedia", "giochi", "enciclopedia", "getty"}
    for other in answer.others:
        assert other.ruling.verdict == "allowed"
        assert other.options["target"] == 3000


def test_other_preset_that_differs_by_several_options_names_none_of_them() -> None:
    # May a two be laid on seven queens? Each of two options forbids it. A change of one of them
    # would not allow it, so that no option is named: only the preset "wikipedia", which allows it.
    answer = get_answer(
        WILD_CARD_ON_SEVEN_QUEENS, wild_on_canasta="forbidden", canasta_size="exactly-seven"
    )

    first_other_answer = answer.others[0]
    assert first_other_answer.preset == "wikipedia"
    assert first_other_answer.ruling.verdict == "allowed"
    assert first_other_answer.changed == {}


def test_option_for_two_sides_is_among_other_answers_of_two_sides() -> None:
    # What are the red threes of a side worth that laid nothing? By default they count against it.
    # A table of two sides may choose that they count for the opponents.
    answer = get_answer(RedThreesQuestion(count=1, opened=False))

    options_changed = [other.changed for other in answer.others]
    assert {"red-threes-unopened": "to-opponents"} in options_changed


def test_other_values_are_tried_for_every_option_but_amounts() -> None:
    # To find other answers, every other value of every option is tried. Only the target of a match
    # has no list of values: it may be any multiple of 500 points.
    samba = get_variant("samba")
    options_tried = {option.id for option, _ in list_other_values(samba, settle("samba"))}
    assert options_tried == samba.options.keys() - {"target"}


FEWER_WILDS = settle("classica", None, {"wild-limit": "fewer-than-naturals"})
"""Classica where a meld must have fewer wild cards than natural ones."""


@pytest.mark.parametrize(
    "rules_no_longer_offered",
    [
        pytest.param(replace(FEWER_WILDS, preset="gone"), id="preset"),
        pytest.param(
            replace(FEWER_WILDS, options={**FEWER_WILDS.options, "wild-limit": "four"}),
            id="value of an option",
        ),
        pytest.param(replace(FEWER_WILDS, variant=VariantId("gone")), id="variant"),
    ],
)
def test_rules_no_longer_offered_have_no_other_answers(rules_no_longer_offered: Ruleset) -> None:
    # A match keeps the rules it began with, though a later version of the app does not offer them.
    answer = answer_to(rules_no_longer_offered, THREE_JACKS_WITH_THREE_TWOS)

    # The question is answered by the rules of the match. Nothing is compared with them.
    assert answer.ruling == give_ruling(FEWER_WILDS, THREE_JACKS_WITH_THREE_TWOS)
    assert answer.others == ()


def test_rules_with_option_no_longer_offered_still_have_other_answers() -> None:
    # A match of classica began with the option that a meld has fewer wild cards than natural ones,
    # and with another, "gone", that this version of the app does not know.
    rules = replace(FEWER_WILDS, options={**FEWER_WILDS.options, "gone": "x"})

    # Three jacks with three twos, wild cards, are no meld in this match.
    answer = answer_to(rules, THREE_JACKS_WITH_THREE_TWOS)

    # The answer also lists that they are one with another limit. The unknown option is ignored.
    assert answer.others != ()


@given(questions())
@settings(max_examples=examples(250))
def test_other_answer_is_the_ruling_under_its_preset_and_options(question: dict[str, Any]) -> None:
    request = read_question(json.dumps(question))
    own_ruling = give_ruling(request.rules, request.question)

    # Beside its own ruling, an answer lists those of other presets and options. Ask the question
    # again under each of them: the ruling is the one listed.
    for other in answer_to(request.rules, request.question).others:
        rules_of_other = settle(request.rules.variant, other.preset, other.options)
        ruling = give_ruling(rules_of_other, request.question)
        assert ruling.verdict == other.ruling.verdict
        assert ruling.details == other.ruling.details
        assert ruling.play == other.ruling.play

        # Only answers that differ from the own one are listed.
        differs = ruling.verdict != own_ruling.verdict or ruling.details != own_ruling.details
        assert differs
