"""Questions for the referee in JSON, to the letter."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
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
from tests.schemas.grown import grown
from tests.schemas.test_hostile import SMALLEST


def question_of(kind: str, keys: dict[str, Any]) -> dict[str, Any]:
    """A question in the classic game with these keys and those that it needs at least."""
    return {"kind": kind, "variant": "classica", **SMALLEST[kind], **keys}


def asked(kind: str, **keys: Any) -> RulingRequest:
    return read_question(json.dumps(question_of(kind, keys)))


def refused(question: dict[str, Any], language: str = "it") -> str:
    with pytest.raises(Unusable) as error:
        read_question(json.dumps(question))
    line = error.value.message(words(language))
    assert "\n" not in line
    assert not re.search(r"(takes|unusable|choice)\.|%\(", line)
    return line


def test_the_number_of_the_hand_is_asked_where_a_match_has_a_number_of_them() -> None:
    for deal in (0, 5):
        question = {"kind": "opening", "variant": "hand-and-foot", "deal": deal}
        assert "deal" in refused(question)
    assert "classica" in refused(question_of("opening", {"deal": 1}))


def test_the_rules_are_those_asked_for_and_in_a_match_they_are_known() -> None:
    question = asked("meld", preset="getty", options={"target": 3000})
    assert question.rules == settle("classica", "getty", {"target": 3000})
    rules = settle("samba")
    discard = {"kind": "discard", "card": "3b"}
    black_three = questions.DiscardQuestion(read_cards("3b"))
    assert read_question_of_match(discard, rules) == RulingRequest(rules, black_three)
    with pytest.raises(Unusable) as error:
        read_question_of_match({**discard, "variant": "samba"}, rules)
    assert error.value.key == "variant"


def test_cards_turned_up_are_taken_one_by_one_in_their_order() -> None:
    turned = asked("upcard", cards="2x2 JK x9 9h 2xqH").question
    assert isinstance(turned, questions.UpcardQuestion)
    cards = ("2", "2", "JK", "x9", "9h", "Qh", "Qh")
    assert turned.cards == tuple(map(read_cards, cards))


UNUSABLE = json.loads(Path(__file__).with_name("unusable-questions.json").read_text("utf-8"))
"""By kind: keys of a question that cannot be used, what is named, and for some what it `says` in
Italian.
"""


@pytest.mark.parametrize("kind", UNUSABLE)
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_question_that_cannot_be_used_names_its_key_in_one_line(kind: str, language: str) -> None:
    for row in UNUSABLE[kind]:
        message = refused(question_of(kind, grown(row["keys"])), language)
        assert row["named"] in message, row
        assert language != "it" or message == row.get("says", message)


@pytest.mark.parametrize("kind", [kind for kind, needs in SMALLEST.items() if needs])
def test_a_key_that_is_missing_is_named(kind: str) -> None:
    for key in SMALLEST[kind]:
        assert f"«{key}» manca: serve" in refused({"kind": kind, "variant": "classica"})
    assert "«variant» manca" in refused({"kind": kind, **SMALLEST[kind]})
    assert "«kind» manca" in refused({"variant": "classica", **SMALLEST[kind]})


def test_an_answer_has_the_form_of_the_contract() -> None:
    place = ("W:Svolgimento del gioco",)
    why = {"cards": 2, "needed": 3, "why": "any", "meld": 1}
    short = Reason("meld-too-short", why, place, standing=Standing.STATED)
    ruling = Ruling(Verdict.FORBIDDEN, (short,), {"points": 20})
    allowed = Ruling(Verdict.ALLOWED, (), {"bonus": 0})
    other = Alternative("getty", {"wild-limit": "three"}, {}, allowed, ("H:x",))
    told = build_ruling_answer(asked("meld"), Answer(ruling, (other,)), words("en"))
    assert told == json.loads(Path(__file__).with_name("ruling-answer.json").read_text("utf-8"))


def test_of_several_melds_the_one_that_is_meant_is_named() -> None:
    short = Reason("meld-too-short", {"cards": 2, "needed": 3, "why": "any", "meld": 2})
    ruling = Ruling(
        Verdict.FORBIDDEN,
        (short, replace(short, code="black-threes-not-out", arguments={"why": "never"})),
    )
    question = asked("opening", melds=["3xK", "2xQ"])
    told = build_ruling_answer(question, Answer(ruling, ()), words("it"))["reasons"]
    assert told[0]["message"].startswith("Combinazione 2: ")
    assert not told[1]["message"].startswith("Combinazione")
