"""Questions for the referee in JSON, to the letter."""

import json
import re
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.referee import questions
from scorepad.referee.ruling import (
    Alternative,
    Answer,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import Standing
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable
from scorepad.schemas.ruling_json import (
    RulingRequest,
    build_ruling_answer,
    read_question,
    read_question_of_match,
)
from tests.data import read_data
from tests.schemas.grown import SMALLEST_QUESTIONS, grown


def build_question(kind: str, **keys: Any) -> dict[str, Any]:
    """A question in the classic game with these keys and those that it needs at least."""
    return {"kind": kind, "variant": "classica", **SMALLEST_QUESTIONS[kind], **keys}


def read(kind: str, **keys: Any) -> RulingRequest:
    return read_question(json.dumps(build_question(kind, **keys)))


def refusal(question: dict[str, Any], language: str = "it") -> str:
    """The sentence with which a question is refused: one line, without keys of texts in it."""
    with pytest.raises(Unusable) as error:
        read_question(json.dumps(question))
    line = error.value.message(words(language))
    assert "\n" not in line
    assert not re.search(r"(takes|unusable|choice)\.|%\(", line)
    return line


@pytest.mark.parametrize("deal", [0, 5])
def test_the_number_of_the_hand_is_one_of_those_that_a_match_has(deal: int) -> None:
    # A match of hand and foot has four hands.
    assert "deal" in refusal({"kind": "opening", "variant": "hand-and-foot", "deal": deal})


def test_the_number_of_the_hand_is_refused_where_a_match_goes_on_to_a_target() -> None:
    assert "classica" in refusal(build_question("opening", deal=1))


def test_the_rules_are_those_asked_for() -> None:
    request = read("meld", preset="getty", options={"target": 3000})
    assert request.rules == settle("classica", "getty", {"target": 3000})


def test_in_a_match_the_rules_are_known() -> None:
    rules = settle("samba")

    request = read_question_of_match({"kind": "discard", "card": "3b"}, rules)

    assert request == RulingRequest(rules, questions.DiscardQuestion(read_cards("3b")))


def test_a_question_in_a_match_may_not_name_a_variant() -> None:
    question = {"kind": "discard", "card": "3b", "variant": "samba"}
    with pytest.raises(Unusable) as error:
        read_question_of_match(question, settle("samba"))
    assert error.value.key == "variant"


def test_cards_turned_up_are_taken_one_by_one_in_their_order() -> None:
    question = read("upcard", cards="2x2 JK x9 9h 2xqH").question
    assert isinstance(question, questions.UpcardQuestion)
    cards = ("2", "2", "JK", "x9", "9h", "Qh", "Qh")
    assert question.cards == tuple(read_cards(card) for card in cards)


UNUSABLE = read_data("schemas/unusable-questions.json")
"""By kind: keys of a question that cannot be used, what is named, and for some what it `says` in
Italian.
"""


@pytest.mark.parametrize("kind", UNUSABLE)
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_question_that_cannot_be_used_names_its_key_in_one_line(kind: str, language: str) -> None:
    for row in UNUSABLE[kind]:
        question = build_question(kind) | grown(row["keys"])
        message = refusal(question, language)
        assert row["named"] in message, row
        if language == "it" and "says" in row:
            assert message == row["says"]


@pytest.mark.parametrize("kind", [kind for kind, keys in SMALLEST_QUESTIONS.items() if keys])
def test_a_key_that_is_missing_is_named(kind: str) -> None:
    keys = SMALLEST_QUESTIONS[kind]
    for key in keys:
        assert f"«{key}» manca: serve" in refusal({"kind": kind, "variant": "classica"})
    assert "«variant» manca" in refusal({"kind": kind, **keys})
    assert "«kind» manca" in refusal({"variant": "classica", **keys})


def test_an_answer_has_the_form_of_the_contract() -> None:
    reason = Reason(
        "meld-too-short",
        {"cards": 2, "needed": 3, "why": "any", "meld": 1},
        ("W:Svolgimento del gioco",),
        standing=Standing.STATED,
    )
    ruling = Ruling(Verdict.FORBIDDEN, (reason,), {"points": 20})
    ruling_of_getty = Ruling(Verdict.ALLOWED, (), {"bonus": 0})
    getty = Alternative("getty", {"wild-limit": "three"}, {}, ruling_of_getty, ("H:x",))

    answer = build_ruling_answer(read("meld"), Answer(ruling, (getty,)), words("en"))

    expected = read_data("schemas/ruling-answer.json")
    assert answer == expected


def test_a_reason_about_one_of_several_melds_names_it() -> None:
    of_second_meld = Reason("meld-too-short", {"cards": 2, "needed": 3, "why": "any", "meld": 2})
    of_all_melds = Reason("black-threes-not-out", {"why": "never"})
    ruling = Ruling(Verdict.FORBIDDEN, (of_second_meld, of_all_melds))
    request = read("opening", melds=["3xK", "2xQ"])

    reasons = build_ruling_answer(request, Answer(ruling, ()), words("it"))["reasons"]

    assert reasons[0]["message"].startswith("Combinazione 2: ")
    assert not reasons[1]["message"].startswith("Combinazione")
