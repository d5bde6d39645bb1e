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
    """Return a question in the classic game with these keys, and those that its kind must have.

    `build_question("meld")` asks about three kings: `{"kind": "meld", "cards": "3xK", …}`.
    """
    return {"kind": kind, "variant": "classica", **SMALLEST_QUESTIONS[kind], **keys}


def read(kind: str, **keys: Any) -> RulingRequest:
    """Read a question in the classic game, which is built by `build_question`."""
    return read_question(json.dumps(build_question(kind, **keys)))


def get_refusal(question: dict[str, Any], language: str = "it") -> str:
    """Return the sentence with which a question is refused; assert that it is fit to be read."""
    with pytest.raises(Unusable) as error:
        read_question(json.dumps(question))
    message = error.value.message(words(language))
    assert "\n" not in message

    # A text that is missing would be shown by its key, such as `takes.cards`, and an argument that
    # is missing as `%(key)s`.
    assert not re.search(r"(takes|unusable|choice)\.|%\(", message)
    return message


@pytest.mark.parametrize("deal", [0, 5])
def test_number_of_hand_that_the_match_does_not_have_is_refused(deal: int) -> None:
    # A match of hand and foot has four hands. The key "deal" is the number of a hand, from 1.
    assert "deal" in get_refusal({"kind": "opening", "variant": "hand-and-foot", "deal": deal})


def test_number_of_hand_is_refused_in_game_without_a_fixed_number() -> None:
    # A match of classica goes on until a side has the points to win: no rule depends on which hand
    # is being played.
    assert "classica" in get_refusal(build_question("opening", deal=1))


def test_request_has_rules_of_its_preset_and_options() -> None:
    # By the rules of one of the sources of the game, "getty", and to 3000 points.
    request = read("meld", preset="getty", options={"target": 3000})
    assert request.rules == settle("classica", "getty", {"target": 3000})


def test_request_in_match_has_rules_of_the_match() -> None:
    # In a match of samba a player asks what discarding a black three ("3b") means.
    rules = settle("samba")

    request = read_question_of_match({"kind": "discard", "card": "3b"}, rules)

    assert request == RulingRequest(rules, questions.DiscardQuestion(read_cards("3b")))


def test_question_in_match_that_names_a_variant_is_refused() -> None:
    # A question in a match is answered by the rules of the match. It may name no variant, not even
    # the same one.
    question = {"kind": "discard", "card": "3b", "variant": "samba"}
    with pytest.raises(Unusable) as error:
        read_question_of_match(question, settle("samba"))
    assert error.value.key == "variant"


def test_cards_turned_up_keep_their_order() -> None:
    # Cards are turned up to begin the pile of discards, until one can lie on top. Here: two twos, a
    # joker, something that is no card, the nine of hearts and two queens of hearts.
    question = read("upcard", cards="2x2 JK x9 9h 2xqH").question
    assert isinstance(question, questions.UpcardQuestion)

    # Elsewhere the order of cards does not matter. Here it does.
    cards = [read_cards(card) for card in ("2", "2", "JK", "x9", "9h", "Qh", "Qh")]
    assert list(question.cards) == cards


UNUSABLE_BY_KIND = read_data("schemas/unusable-questions.json")
"""Keys of a question that cannot be used, what is named, and for some what it `says` in Italian."""


@pytest.mark.parametrize("kind", UNUSABLE_BY_KIND)
@pytest.mark.parametrize("language", ["it", "en"])
def test_refusal_of_unusable_question_names_its_key(kind: str, language: str) -> None:
    # A row has keys of a question, one of which is wrong, and the key that the message must name:
    # {"keys": {"cards": null}, "named": "cards"}, where the question is about a meld.
    for row in UNUSABLE_BY_KIND[kind]:
        # `grown` writes out texts that are too long for the file: "K *1001" is "K " 1001 times.
        wrong_keys = grown(row["keys"])
        question = build_question(kind) | wrong_keys

        assert row["named"] in get_refusal(question, language), row


@pytest.mark.parametrize("kind", UNUSABLE_BY_KIND)
def test_refusal_of_unusable_question_has_the_expected_words(kind: str) -> None:
    # A row has keys of a question, one of which is wrong. Some rows also have the whole message:
    # {"keys": {"hand": …}, "says": "«hand» non si usa nella domanda meld, ma con …"}, "“hand” is
    # not used in the question meld, but with …".
    for row in UNUSABLE_BY_KIND[kind]:
        if "says" in row:
            # `grown` writes out texts that are too long for the file: "K *1001" is "K " 1001 times.
            wrong_keys = grown(row["keys"])
            question = build_question(kind) | wrong_keys

            assert get_refusal(question, "it") == row["says"]


@pytest.mark.parametrize("kind", [kind for kind, keys in SMALLEST_QUESTIONS.items() if keys])
def test_refusal_names_the_missing_key(kind: str) -> None:
    # These keys a question of this kind must have: "is missing: it is needed".
    keys = SMALLEST_QUESTIONS[kind]
    for key in keys:
        assert f"«{key}» manca: serve" in get_refusal({"kind": kind, "variant": "classica"})

    # All questions must have these two.
    assert "«variant» manca" in get_refusal({"kind": kind, **keys})
    assert "«kind» manca" in get_refusal({"variant": "classica", **keys})


def test_answer_has_the_documented_form() -> None:
    # The referee forbids a meld of two kings, because it takes three cards.
    reason = Reason(
        code="meld-too-short",
        arguments={"cards": 2, "needed": 3, "why": "any", "meld": 1},
        sources=("W:Svolgimento del gioco",),
        standing=Standing.STATED,
    )
    ruling = Ruling(Verdict.FORBIDDEN, reasons=(reason,), details={"points": 20})

    # We suppose that by the rules of another source, the preset "getty", it were allowed.
    by_getty = Alternative(
        preset="getty",
        options={"wild-limit": "three"},
        changed={},
        ruling=Ruling(Verdict.ALLOWED, reasons=(), details={"bonus": 0}),
        sources=("H:x",),
    )

    question = read("meld")
    answer = build_ruling_answer(question, Answer(ruling, (by_getty,)), words("en"))

    # The verdict is "forbidden". The reason has the message "A meld has at least 3 cards. Here: 2."
    # in place of its arguments. The answer of "getty" stands under "elsewhere".
    assert answer == read_data("schemas/ruling-answer.json")


def test_reason_about_one_of_several_melds_names_it() -> None:
    # A player asks about two melds, three kings and two queens. The second, "meld": 2, has two
    # cards where any meld needs three.
    question = read("opening", melds=["3xK", "2xQ"])
    of_second_meld = Reason("meld-too-short", {"cards": 2, "needed": 3, "why": "any", "meld": 2})
    # We suppose another reason, which is about no meld by itself.
    of_all_melds = Reason("black-threes-not-out", {"why": "never"})
    ruling = Ruling(Verdict.FORBIDDEN, (of_second_meld, of_all_melds))

    # The answer has no other rules under which it would differ.
    answer = build_ruling_answer(question, Answer(ruling, others=()), words("it"))

    first_reason, second_reason = answer["reasons"]
    assert first_reason["message"].startswith("Combinazione 2: ")  # "Meld 2: "
    assert not second_reason["message"].startswith("Combinazione")
