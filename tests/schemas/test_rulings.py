"""Questions for the referee in JSON, to the letter."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.referee import questions
from scorepad.referee.answering import give_ruling
from scorepad.referee.field_types import Permission
from scorepad.referee.questions import QUESTIONS
from scorepad.referee.ruling import (
    Alternative,
    Answer,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.rules.cards import NOTHING, read_cards
from scorepad.rules.definitions import Standing
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable
from scorepad.schemas.ruling_json import (
    RulingRequest,
    build_ruling_answer,
    list_keys_of_kind,
    read_question,
    read_question_of_match,
)
from tests.schemas.test_hostile import SMALLEST


def question_of(kind: str, keys: dict[str, Any]) -> dict[str, Any]:
    """A question in the classic game with these keys and those that it needs at least."""
    return {"kind": kind, "variant": "classica", **SMALLEST[kind], **keys}


def asked(kind: str, **keys: Any) -> RulingRequest:
    return read_question(json.dumps(question_of(kind, keys)))


def refused(question: Any, language: str = "it") -> str:
    with pytest.raises(Unusable) as error:
        read_question(question if isinstance(question, str | bytes) else json.dumps(question))
    line = error.value.message(words(language))
    assert "\n" not in line
    assert not any(raw in line for raw in ("takes.", "unusable.", "choice.", "%("))
    return line


def test_there_are_the_nine_kinds_of_the_contract_with_their_keys() -> None:
    assert {kind: list_keys_of_kind(kind) for kind in QUESTIONS} == {
        "meld": {"cards", "on", "going_out", "table"},
        "opening": {"score", "melds", "top_card", "concealed_out", "deal", "hand"},
        "pile": {"top", "frozen", "opened", "score", "table", "with", "deal", "hand"},
        "out": {
            "table",
            "discard",
            "concealed",
            "red_threes",
            "permission",
            "hand",
            "score",
            "deal",
        },
        "upcard": {"cards"},
        "discard": {"card", "first_round", "last", "wild_meld_incomplete", "table"},
        "red-threes": {"count", "opened", "canastas"},
        "penalty": {"code"},
        "end-of-stock": {"last_card", "top", "table", "pile_has_wild", "pile_has_red_three"},
    }


KING, KINGS, QUEENS, TWO = (read_cards(cards) for cards in ("K", "3xK", "Q Q 2", "2"))


@pytest.mark.parametrize(
    ("kind", "keys", "question"),
    [
        # What is left out goes without saying.
        ("meld", {}, questions.MeldQuestion(KINGS, None, going_out=False)),
        ("opening", {}, questions.OpeningQuestion(0, (), None, concealed_out=False, deal=1)),
        ("pile", {}, questions.PileQuestion(KING, frozen=False, opened=True, score=0, deal=1)),
        (
            "out",
            {},
            questions.OutQuestion((read_cards("7xQ"),), None, False, 0, Permission.NOT_ASKED),
        ),
        ("discard", {}, questions.DiscardQuestion(KING, False, False, None, None)),
        ("red-threes", {}, questions.RedThreesQuestion(1, opened=True)),
        ("penalty", {}, questions.PenaltyQuestion("draw-out-of-turn")),
        ("end-of-stock", {}, questions.EndOfStockQuestion(NOTHING, NOTHING, ())),
        # Every key arrives where it belongs.
        (
            "meld",
            {"cards": "2", "on": "Q Q 2", "going_out": True},
            questions.MeldQuestion(TWO, QUEENS, True),
        ),
        ("meld", {"table": []}, questions.MeldQuestion(KINGS, table=())),
        (
            "opening",
            {"score": 1500, "melds": ["Q Q 2"], "top_card": "2", "concealed_out": True},
            questions.OpeningQuestion(1500, (QUEENS,), TWO, concealed_out=True),
        ),
        (
            "pile",
            {
                "top": "2",
                "frozen": True,
                "opened": False,
                "score": -5,
                "table": ["2"],
                "with": ["Q Q 2", "2"],
            },
            questions.PileQuestion(TWO, True, False, -5, (TWO,), (QUEENS, TWO)),
        ),
        (
            "out",
            {
                "table": ["2"],
                "discard": "2",
                "concealed": True,
                "red_threes": 2,
                "permission": "refused",
            },
            questions.OutQuestion((TWO,), TWO, True, 2, Permission.REFUSED),
        ),
        # A last discard of none is something else than none noted.
        ("out", {"table": ["2"], "discard": None}, questions.OutQuestion((TWO,), NOTHING)),
        (
            "discard",
            {"card": "2", "first_round": True, "last": True, "wild_meld_incomplete": True},
            questions.DiscardQuestion(TWO, True, True, True),
        ),
        ("discard", {"table": ["Q Q 2"]}, questions.DiscardQuestion(KING, table=(QUEENS,))),
        (
            "red-threes",
            {"count": 4, "opened": False, "canastas": {"mixed-canasta": 2}},
            questions.RedThreesQuestion(4, False, {"mixed-canasta": 2}),
        ),
        (
            "end-of-stock",
            {
                "last_card": "3r",
                "top": "2",
                "table": ["Q Q 2"],
                "pile_has_wild": True,
                "pile_has_red_three": True,
            },
            questions.EndOfStockQuestion(read_cards("3r"), TWO, (QUEENS,), True, True),
        ),
        # A whole hand stands in place of the melds shown.
        ("opening", {"hand": "3xK", "score": 90}, questions.OpeningQuestion(90, hand=KINGS)),
        ("opening", {"hand": None}, questions.OpeningQuestion(0)),
        (
            "pile",
            {"hand": "3xK", "frozen": True},
            questions.PileQuestion(KING, frozen=True, hand=KINGS),
        ),
        (
            "out",
            {"hand": "3xK", "score": 90},
            questions.OutQuestion((read_cards("7xQ"),), score=90, hand=KINGS),
        ),
    ],
)
def test_a_question_is_read_from_its_keys(
    kind: str, keys: dict[str, Any], question: object
) -> None:
    assert asked(kind, **keys).question == question


def test_a_token_that_is_no_card_is_asked_all_the_same() -> None:
    assert asked("meld", cards="3 K K").question.cards.unknown == ("3",)
    assert asked("discard", card="3").question.card.unknown == ("3",)


def test_the_number_of_the_hand_counts_where_a_match_has_a_number_of_them() -> None:
    opening = {"kind": "opening", "variant": "hand-and-foot", "deal": 3}
    assert read_question(json.dumps(opening)).question == questions.OpeningQuestion(0, deal=3)
    for deal in (0, 5):
        assert "deal" in refused({**opening, "deal": deal})
    assert "classica" in refused({**opening, "variant": "classica", "deal": 1})


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


UNUSABLE = json.loads(Path(__file__).with_name("unusable-questions.json").read_text("utf-8"))
"""By kind: keys of a question that cannot be used, and what is named."""


@pytest.mark.parametrize("kind", UNUSABLE)
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_question_that_cannot_be_used_names_its_key_in_one_line(kind: str, language: str) -> None:
    for row in UNUSABLE[kind]:
        assert row["named"] in refused(question_of(kind, row["keys"]), language), row


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("opening", {"melds": ["3xK"] * 37}),
        ("pile", {"with": [""] * 37}),
        ("pile", {"table": ["3xK"] * 37}),
    ],
)
def test_more_melds_than_two_decks_can_make_are_refused(kind: str, keys: dict[str, Any]) -> None:
    assert "36" in refused(question_of(kind, keys))


def test_cards_turned_up_are_taken_one_by_one_in_their_order() -> None:
    turned = asked("upcard", cards="2x2 JK x9 9h").question
    assert turned.cards == tuple(read_cards(card) for card in ("2", "2", "JK", "x9", "9h"))
    assert asked("upcard", cards="2xqH").question.cards == (read_cards("Qh"),) * 2


@pytest.mark.parametrize("kind", [kind for kind, needs in SMALLEST.items() if needs])
def test_a_key_that_is_missing_is_named(kind: str) -> None:
    for key in SMALLEST[kind]:
        assert f"«{key}» manca: serve" in refused({"kind": kind, "variant": "classica"})
    assert "«variant» manca" in refused({"kind": kind, **SMALLEST[kind]})
    assert "«kind» manca" in refused({"variant": "classica", **SMALLEST[kind]})


@pytest.mark.parametrize(
    ("kind", "keys", "told"),
    [
        (
            "meld",
            {"permission": "granted"},
            "«permission» non si usa nella domanda meld, ma con out.",
        ),
        ("meld", {"hand": "K"}, "«hand» non si usa nella domanda meld, ma con opening, pile, out."),
        (
            "pile",
            {"hand": "3xK", "with": []},
            "«with» non si usa insieme a hand: si danno le carte calate, oppure tutta la mano.",
        ),
        (
            "opening",
            {"hand": "", "melds": ["3xK"]},
            "«melds» non si usa insieme a hand: si danno le carte calate, oppure tutta la mano.",
        ),
        ("out", {"score": 0}, "«score» si usa solo insieme a hand, o a concealed."),
        ("pile", {"hand": ["3xK"]}, "«hand» non va bene: serve una stringa di carte."),
    ],
)
def test_a_key_that_does_not_belong_there_says_where_it_does(
    kind: str, keys: dict[str, Any], told: str
) -> None:
    assert refused(question_of(kind, keys)) == told


@pytest.mark.parametrize(
    "source", ["", "{", "[]", "3", "null", '"x"', "{}", "\ufeff{}", "[" * 100_000, b"\xff", "NaN"]
)
def test_what_is_no_question_at_all_is_told_in_one_line(source: str | bytes) -> None:
    assert refused(source)
    assert "smazzata" not in refused(source)


def test_an_answer_has_the_form_of_the_contract() -> None:
    why = {"cards": 2, "needed": 3, "why": "any", "meld": 1}
    place = ("W:Svolgimento del gioco",)
    short = Reason("meld-too-short", why, place, standing=Standing.STATED)
    ruling = Ruling(Verdict.FORBIDDEN, (short,), {"points": 20})
    allowed = Ruling(Verdict.ALLOWED, (), {"bonus": 0})
    other = Alternative("getty", {"wild-limit": "three"}, {}, allowed, ("H:x",))
    assert build_ruling_answer(asked("meld"), Answer(ruling, (other,)), words("en")) == {
        "verdict": "forbidden",
        "reasons": [
            {
                "code": "meld-too-short",
                "message": "A meld has at least 3 cards. Here: 2.",
                "sources": ["W:Svolgimento del gioco"],
                "standing": "stated",
            }
        ],
        "details": {"points": 20},
        "elsewhere": [
            {
                "preset": "getty",
                "options": {"wild-limit": "three"},
                "verdict": "allowed",
                "details": {"bonus": 0},
                "sources": ["H:x"],
            }
        ],
    }


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


@pytest.mark.parametrize(
    ("kind", "keys", "details"),
    [
        # The two could go on the queens as well: that they stay natural is worth 200 points more
        # (500, not 300).
        (
            "out",
            {"hand": "Q Kh 2xKd 2 5", "table": ["7xQ"]},
            {"bonus": 100, "way": [{"on": 0, "cards": "Q"}, "2xKd Kh 2"], "discard": "5"},
        ),
        (
            "out",
            {"hand": "Q", "table": ["7xQ"]},
            {"bonus": 100, "way": [{"on": 0, "cards": "Q"}], "discard": None},
        ),
        (
            "pile",
            {"top": "Q", "hand": "K", "table": ["3xK", "3xQ"]},
            {"way": [{"on": 1, "cards": "Q"}]},
        ),
    ],
)
def test_a_way_is_told_as_the_cards_that_go_down_and_the_discard(
    kind: str, keys: dict[str, Any], details: dict[str, Any]
) -> None:
    question = asked(kind, **keys)
    ruling = give_ruling(question.rules, question.question)
    assert build_ruling_answer(question, Answer(ruling, ()), words("it"))["details"] == details
