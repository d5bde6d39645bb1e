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
from scorepad.referee.ruling import Answer
from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import Ruleset, VariantId
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.ruling_json import read_question, read_question_of_match
from tests.examples import examples
from tests.rules.questions_drawn import questions


def get_answer(
    question: AnyQuestion, variant: str = "classica", preset: str | None = None, **options: Any
) -> Answer:
    """The answer by the rules of a variant; of options, `_` stands for `-`."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return answer_to(settle(variant, preset, chosen), question)


def meld(cards: str, *, going_out: bool = False) -> MeldQuestion:
    return MeldQuestion(read_cards(cards), going_out=going_out)


def list_sources(answer: Answer) -> set[str]:
    """The letters of the sources of an answer ("W" for Wikipedia: see `sources.toml`).

    A note on what a source got wrong names that source: it is left out.
    """
    letters = set()
    for reason in answer.ruling.reasons:
        if not reason.code.startswith("fault-"):
            letters |= {source.partition(":")[0] for source in reason.sources}
    return letters


@pytest.mark.parametrize(
    ("question", "contrary", "agreeing"),
    [
        # H: never more wild cards than natural ones.
        (meld("2xQ 3xJK"), "H", "W"),
        # G: up to seven cards.
        (meld("8xQ"), "G", "W"),
        # H: three or four black threes, and nothing else.
        (meld("3x3b 2", going_out=True), "H", "W"),
    ],
)
def test_a_source_that_says_the_contrary_is_not_cited(
    question: AnyQuestion, contrary: str, agreeing: str
) -> None:
    answer = get_answer(question)
    assert answer.ruling.verdict == "allowed"
    assert contrary not in list_sources(answer)
    assert agreeing in list_sources(answer)


def test_all_sources_that_agree_are_cited() -> None:
    answer = get_answer(meld("3xQ"))
    assert {"W", "G", "H"} <= list_sources(answer)


def test_what_a_preset_forbids_does_not_cite_the_texts_that_allow_it() -> None:
    """E knows no laying off of the top card on a meld of the table; W allows it."""
    question = PileQuestion(read_cards("K"), opened=True, table=(read_cards("3xK"),), laid=())

    answer = get_answer(question, preset="enciclopedia")

    assert answer.ruling.verdict == "forbidden"
    assert "W" not in list_sources(answer)
    assert "E" in list_sources(answer)


def test_a_preset_that_answers_otherwise_by_several_options_is_cited() -> None:
    """Two black threes and two twos: W's own game allows them, H's ratio and its black threes
    forbid them.
    """
    answer = get_answer(meld("2x3b 2x2", going_out=True), preset="getty")

    assert answer.ruling.verdict == "forbidden"
    (wikipedia,) = [other for other in answer.others if other.preset == "wikipedia"]
    assert any(source.startswith("W:") for source in wikipedia.sources)


def test_a_question_of_more_cards_than_there_are_is_answered_at_once() -> None:
    many = tuple(read_cards("3xQ") for _ in range(36))
    question = PileQuestion(read_cards("Q"), opened=False, table=many, laid=many)

    start = time.process_time()
    ruling = give_ruling(settle("classica"), question)
    seconds = time.process_time() - start

    assert [reason.code for reason in ruling.reasons] == ["deck-exceeded"]
    assert seconds < 0.2


def ask_bolivia(**keys: Any) -> Answer:
    """The answer to whether a hand of bolivia can go out."""
    rules = settle("bolivia")
    return answer_to(rules, read_question_of_match({"kind": "out", **keys}, rules).question)


def test_a_hand_of_48_cards_is_played_whole() -> None:
    question = OutQuestion((), hand=read_cards("8xA 8xK 8xQ 8xJ 8x10 8x9"))

    ruling = give_ruling(settle("classica"), question)

    assert ruling.verdict == "allowed"
    laid = sum(meld.cards.size for meld in ruling.play.laid)
    assert laid + ruling.play.discard.size == 48


@pytest.fixture
def moderna_without_turn_card() -> Ruleset:
    moderna = settle("moderna")
    return replace(moderna, settings=replace(moderna.settings, turn_card=0))


def test_without_a_turn_card_the_talon_is_drawn_by_whoever_opens(
    moderna_without_turn_card: Ruleset,
) -> None:
    melds = tuple(read_cards(cards) for cards in ("3xK", "3xQ", "3xA", "2x8 2"))
    question = OpeningQuestion(melds=melds, opponents=())

    ruling = give_ruling(moderna_without_turn_card, question)

    codes = {reason.code for reason in ruling.reasons}
    assert "opening-talon" in codes
    assert "talon-until-turn-card" not in codes


def test_without_a_turn_card_there_is_no_first_card_to_ask_about(
    moderna_without_turn_card: Ruleset,
) -> None:
    ruling = give_ruling(moderna_without_turn_card, UpcardQuestion((read_cards("K"),)))
    assert [reason.code for reason in ruling.reasons] == ["upcard-none"]


def test_a_hand_that_can_be_laid_in_too_many_ways_is_not_examined() -> None:
    every_natural_card = [f"{rank}{suit}" for suit in "hdsc" for rank in (*"AKQJ987654", "10")]
    hand = " ".join([*every_natural_card, "6x2", "2xJK"])
    with pytest.raises(TooManyWays):
        ask_bolivia(hand=hand, table=[])


def test_under_a_preset_the_other_ones_are_elsewhere() -> None:
    answer = get_answer(WILD_ON_QUEENS, preset="giochi")

    (wikipedia,) = [other for other in answer.others if other.preset == "wikipedia"]
    assert wikipedia.options == {"canasta-size": "seven-or-more"}
    assert wikipedia.ruling.verdict == "allowed"


def test_elsewhere_keeps_what_the_table_chose_where_a_preset_says_nothing_of_it() -> None:
    # The wild limit is W's, G's and E's: under each of them it is three, whatever the table chose.
    # None of them says anything of the target.
    answer = get_answer(THREE_AND_THREE, wild_limit="fewer-than-naturals", target=3000)

    assert {other.preset for other in answer.others} == {
        "wikipedia",
        "giochi",
        "enciclopedia",
        "getty",
    }
    for other in answer.others:
        assert other.ruling.verdict == "allowed"
        assert other.options["target"] == 3000


def test_a_preset_that_answers_otherwise_by_several_options_names_none_of_them() -> None:
    # Seven queens and a two: both options forbid it, so that changing one of them alone does not
    # allow it.
    answer = get_answer(WILD_ON_QUEENS, wild_on_canasta="forbidden", canasta_size="exactly-seven")

    first = answer.others[0]
    assert first.preset == "wikipedia"
    assert first.ruling.verdict == "allowed"
    assert first.changed == {}


def test_a_rule_that_only_two_sides_can_play_by_is_reported_to_two_sides() -> None:
    answer = get_answer(RedThreesQuestion(1, opened=False))
    changes = [other.changed for other in answer.others]
    assert {"red-threes-unopened": "to-opponents"} in changes


def test_every_option_but_an_amount_may_answer_otherwise() -> None:
    samba = get_variant("samba")
    options_tried = {option.id for option, _ in list_other_values(samba, settle("samba"))}
    assert options_tried == samba.options.keys() - {"target"}


CHOSEN = settle("classica", None, {"wild-limit": "fewer-than-naturals"})


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(replace(CHOSEN, preset="gone"), id="preset"),
        pytest.param(
            replace(CHOSEN, options={**CHOSEN.options, "wild-limit": "four"}),
            id="value of an option",
        ),
        pytest.param(replace(CHOSEN, variant=VariantId("gone")), id="variant"),
    ],
)
def test_a_match_whose_choices_are_no_longer_offered_has_only_its_own_answer(
    rules: Ruleset,
) -> None:
    answer = answer_to(rules, THREE_AND_THREE)
    assert answer.ruling == give_ruling(CHOSEN, THREE_AND_THREE)
    assert answer.others == ()


def test_a_match_with_an_option_that_is_no_longer_offered_has_the_other_answers_too() -> None:
    rules = replace(CHOSEN, options={**CHOSEN.options, "gone": "x"})
    assert answer_to(rules, THREE_AND_THREE).others


@given(questions())
@settings(max_examples=examples(250))
def test_an_answer_elsewhere_is_the_one_that_is_given_there(drawn: dict[str, Any]) -> None:
    request = read_question(json.dumps(drawn))
    own_ruling = give_ruling(request.rules, request.question)
    for other in answer_to(request.rules, request.question).others:
        other_rules = settle(request.rules.variant, other.preset, other.options)

        ruling = give_ruling(other_rules, request.question)

        assert ruling.verdict == other.ruling.verdict
        assert ruling.details == other.ruling.details
        assert ruling.play == other.ruling.play
        differs = ruling.verdict != own_ruling.verdict or ruling.details != own_ruling.details
        assert differs, "what is the same there is not told"


def test_ways_that_join_melds_of_the_table_count_among_the_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """New melds alone are few enough here, and are remembered."""
    keys = {"hand": "5xK 4xQ 2", "table": ["3xK", "3xQ"]}
    ask_bolivia(**keys)
    monkeypatch.setattr(best_play, "MOST_WAYS", 1)
    with pytest.raises(TooManyWays):
        ask_bolivia(**keys)


# --------------------------------------- under the other codifications and options of the variant

WILD_ON_QUEENS = MeldQuestion(read_cards("2"), on=read_cards("7xQ"))
THREE_AND_THREE = MeldQuestion(read_cards("3xJ 3x2"))
