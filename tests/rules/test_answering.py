"""A whole answer: it cites no text whose own codification says the contrary, and says by whom it is
otherwise.
"""

from __future__ import annotations

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
from scorepad.rules.definitions import VariantId
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.ruling_json import read_question, read_question_of_match
from tests.examples import examples
from tests.rules.questions_drawn import questions


def answer(
    asked: AnyQuestion, variant: str = "classica", preset: str | None = None, **options: Any
) -> Answer:
    """The answer by the rules of a variant; of options, `_` stands for `-`."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    return answer_to(settle(variant, preset, chosen), asked)


def cited(found: Answer) -> set[str]:
    """The sources of the answer; a note on what a source got wrong names that one."""
    reasons = [reason for reason in found.ruling.reasons if not reason.code.startswith("fault-")]
    return {place.partition(":")[0] for reason in reasons for place in reason.sources}


def meld(cards: str, *, going_out: bool = False) -> MeldQuestion:
    return MeldQuestion(read_cards(cards), going_out=going_out)


@pytest.mark.parametrize(
    ("asked", "contrary", "stays"),
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
    asked: AnyQuestion, contrary: str, stays: str
) -> None:
    found = answer(asked)
    assert found.ruling.verdict == "allowed"
    assert contrary not in cited(found)
    assert stays in cited(found)


def test_a_source_that_agrees_is_cited() -> None:
    assert {"W", "G", "H"} <= cited(answer(meld("3xQ")))


def test_what_a_codification_forbids_is_not_told_by_the_texts_that_allow_it() -> None:
    """E knows no laying off of the top card on a meld of the table; W allows it."""
    asked = PileQuestion(read_cards("K"), opened=True, table=(read_cards("3xK"),), laid=())
    found = answer(asked, preset="enciclopedia")
    assert found.ruling.verdict == "forbidden"
    assert "W" not in cited(found)
    assert "E" in cited(found)


def test_every_answer_elsewhere_says_by_whom_also_where_no_single_option_does() -> None:
    """Two black threes and two twos: W's own game allows them, H's ratio and its black threes
    forbid them.
    """
    found = answer(meld("2x3b 2x2", going_out=True), preset="getty")
    assert found.ruling.verdict == "forbidden"
    (wikipedia,) = [other for other in found.others if other.preset == "wikipedia"]
    assert any(place.startswith("W:") for place in wikipedia.sources)


def test_a_question_of_more_cards_than_there_are_is_answered_at_once() -> None:
    many = tuple(read_cards("3xQ") for _ in range(36))
    asked = PileQuestion(read_cards("Q"), opened=False, table=many, laid=many)
    start = time.process_time()
    assert [why.code for why in give_ruling(settle("classica"), asked).reasons] == ["deck-exceeded"]
    assert time.process_time() - start < 0.2


def test_a_very_large_hand_is_played_too() -> None:
    # Six ranks whole, 48 cards: all go down.
    asked = OutQuestion((), hand=read_cards("8xA 8xK 8xQ 8xJ 8x10 8x9"))
    ruling = give_ruling(settle("classica"), asked)
    assert ruling.verdict == "allowed"
    assert ruling.play is not None
    assert ruling.play.discard is not None
    assert sum(one.cards.size for one in ruling.play.laid) + ruling.play.discard.size == 48


def test_a_talon_without_a_turn_card_is_drawn_whenever_a_side_opens() -> None:
    of_moderna = settle("moderna")
    rules = replace(of_moderna, settings=replace(of_moderna.settings, turn_card=0))
    melds = tuple(read_cards(cards) for cards in ("3xK", "3xQ", "3xA", "2x8 2"))
    told = give_ruling(rules, OpeningQuestion(melds=melds, opponents=()))
    codes = {reason.code for reason in told.reasons}
    assert "opening-talon" in codes
    assert "talon-until-turn-card" not in codes
    first_card = give_ruling(rules, UpcardQuestion((read_cards("K"),)))
    assert [reason.code for reason in first_card.reasons] == ["upcard-none"]


def ask_bolivia(**keys: Any) -> Answer:
    """The answer to whether a hand of bolivia can go out."""
    rules = settle("bolivia")
    return answer_to(rules, read_question_of_match({"kind": "out", **keys}, rules).question)


def test_a_hand_that_can_be_laid_in_too_many_ways_is_not_examined() -> None:
    naturals = [f"{rank}{suit}" for suit in "hdsc" for rank in (*"AKQJ987654", "10")]
    with pytest.raises(TooManyWays):
        ask_bolivia(hand=" ".join([*naturals, "6x2", "2xJK"]), table=[])


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


def test_under_a_codification_the_other_ones_are_elsewhere() -> None:
    found = answer(WILD_ON_QUEENS, preset="giochi").others
    (wikipedia,) = [other for other in found if other.preset == "wikipedia"]
    assert wikipedia.options == {"canasta-size": "seven-or-more"}
    assert wikipedia.ruling.verdict == "allowed"


def test_what_the_table_chose_itself_stays_where_a_source_says_nothing_of_it() -> None:
    # The wild limit is W's, G's and E's: under each of them it is three, whatever the table chose.
    found = answer(THREE_AND_THREE, wild_limit="fewer-than-naturals", target=3000).others
    assert {other.preset for other in found} == {"wikipedia", "giochi", "enciclopedia", "getty"}
    assert {other.ruling.verdict for other in found} == {"allowed"}
    assert {other.options["target"] for other in found} == {3000}


def test_where_a_codification_answers_by_several_options_together_its_own_sources_stand() -> None:
    # Seven queens and a two laid at once: G forbids eight cards, and so do all its sources
    # together.
    chosen = {"wild_on_canasta": "forbidden", "canasta_size": "exactly-seven"}
    first, *_ = answer(WILD_ON_QUEENS, **chosen).others
    assert (first.preset, first.ruling.verdict) == ("wikipedia", "allowed")
    assert first.changed == {}


def test_what_two_sides_can_play_is_told_to_them() -> None:
    found = answer(RedThreesQuestion(1, opened=False)).others
    assert {"red-threes-unopened": "to-opponents"} in [other.changed for other in found]


def test_amounts_bear_on_no_ruling() -> None:
    names = {option.id for option, _ in list_other_values(get_variant("samba"), settle("samba"))}
    assert names == get_variant("samba").options.keys() - {"target"}


def test_a_match_whose_choices_are_gone_is_answered_by_itself() -> None:
    rules = settle("classica", None, {"wild-limit": "fewer-than-naturals"})
    without_preset = replace(rules, preset="gone")
    without_value = replace(rules, options={**rules.options, "wild-limit": "four"})
    for kept in (without_preset, without_value):
        found = answer_to(kept, THREE_AND_THREE)
        assert found.ruling == give_ruling(rules, THREE_AND_THREE)
        assert found.others == ()
    without_variant = replace(rules, variant=VariantId("gone"))
    assert answer_to(without_variant, MeldQuestion(read_cards("3xK"))).others == ()
    without_option = replace(rules, options={**rules.options, "gone": "x"})
    assert answer_to(without_option, THREE_AND_THREE).others


@given(questions())
@settings(max_examples=examples(250))
def test_asked_there_the_question_gets_the_other_answer(question: dict[str, Any]) -> None:
    asked = read_question(json.dumps(question))
    here = give_ruling(asked.rules, asked.question)
    for other in answer_to(asked.rules, asked.question).others:
        rules_there = settle(asked.rules.variant, other.preset, other.options)
        there = give_ruling(rules_there, asked.question)
        assert there.verdict == other.ruling.verdict
        assert there.details == other.ruling.details
        assert there.play == other.ruling.play
        assert (there.verdict, there.details) != (here.verdict, here.details)
