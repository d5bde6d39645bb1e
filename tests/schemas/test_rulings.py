"""Questions for the referee in JSON, to the letter."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.i18n import words
from scorepad.referee import questions
from scorepad.referee.answering import rule
from scorepad.referee.field_types import Permission
from scorepad.referee.questions import QUESTIONS, fields_of
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
    keys_of_kind,
    read_question,
    read_question_of_match,
    ruling_answer,
)
from tests.examples import examples

SMALLEST: dict[str, dict[str, Any]] = {
    "meld": {"cards": "3xK"},
    "opening": {},
    "pile": {"top": "K"},
    "out": {"table": ["7xQ"]},
    "upcard": {"cards": "K"},
    "discard": {"card": "K"},
    "red-threes": {"count": 1},
    "penalty": {"code": "draw-out-of-turn"},
    "end-of-stock": {},
}
"""What each kind needs at least."""


def asked(kind: str, **keys: Any) -> RulingRequest:
    return read_question(
        json.dumps({"kind": kind, "variant": "classica", **SMALLEST[kind], **keys})
    )


def refused(question: Any, language: str = "it") -> str:
    with pytest.raises(Unusable) as error:
        read_question(question if isinstance(question, str | bytes) else json.dumps(question))
    line = error.value.message(words(language))
    assert "\n" not in line
    assert not any(raw in line for raw in ("takes.", "unusable.", "choice.", "%("))
    return line


def test_there_are_the_nine_kinds_of_the_contract_with_their_keys() -> None:
    assert {kind: keys_of_kind(kind) for kind in QUESTIONS} == {
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


def test_what_is_left_out_goes_without_saying() -> None:
    kings, king = read_cards("3xK"), read_cards("K")
    assert asked("meld").question == questions.MeldQuestion(kings, None, going_out=False)
    assert asked("opening").question == questions.OpeningQuestion(
        0, (), None, concealed_out=False, deal=1
    )
    assert asked("pile").question == questions.PileQuestion(
        king, frozen=False, opened=True, score=0, deal=1
    )
    assert asked("out").question == questions.OutQuestion(
        (read_cards("7xQ"),), discard=None, concealed=False, red_threes=0,
        permission=Permission.NOT_ASKED,
    )  # fmt: skip
    assert asked("discard").question == questions.DiscardQuestion(king, False, False, None, None)
    assert asked("red-threes").question == questions.RedThreesQuestion(1, opened=True)
    assert asked("penalty").question == questions.PenaltyQuestion("draw-out-of-turn")
    assert asked("end-of-stock").question == questions.EndOfStockQuestion(NOTHING, NOTHING, ())


def test_every_key_arrives_where_it_belongs() -> None:
    meld, two = read_cards("Q Q 2"), read_cards("2")
    assert asked("meld", cards="2", on="Q Q 2", going_out=True).question == questions.MeldQuestion(
        two, meld, going_out=True
    )
    opening = asked(
        "opening", score=1500, melds=["Q Q 2"], top_card="2", concealed_out=True
    ).question
    assert opening == questions.OpeningQuestion(1500, (meld,), two, concealed_out=True)
    given = {
        "top": "2",
        "frozen": True,
        "opened": False,
        "score": -5,
        "table": ["2"],
        "with": ["Q Q 2", "2"],
    }
    pile = asked("pile", **given).question
    assert pile == questions.PileQuestion(two, True, False, -5, (two,), (meld, two))
    out = asked(
        "out", table=["2"], discard="2", concealed=True, red_threes=2, permission="refused"
    ).question
    assert out == questions.OutQuestion((two,), two, True, 2, Permission.REFUSED)
    discard = asked(
        "discard", card="2", first_round=True, last=True, wild_meld_incomplete=True
    ).question
    assert discard == questions.DiscardQuestion(two, True, True, True)
    assert asked("discard", table=["Q Q 2"]).question == questions.DiscardQuestion(
        read_cards("K"), table=(meld,)
    )
    assert asked("meld", table=[]).question == questions.MeldQuestion(read_cards("3xK"), table=())
    threes = asked("red-threes", count=4, opened=False, canastas={"mixed-canasta": 2}).question
    assert threes == questions.RedThreesQuestion(4, False, {"mixed-canasta": 2})
    given = {
        "last_card": "3r",
        "top": "2",
        "table": ["Q Q 2"],
        "pile_has_wild": True,
        "pile_has_red_three": True,
    }
    end = asked("end-of-stock", **given).question
    assert end == questions.EndOfStockQuestion(read_cards("3r"), two, (meld,), True, True)


def test_a_last_discard_of_none_is_something_else_than_none_noted() -> None:
    noted, unnoted = asked("out", discard=None).question, asked("out").question
    assert isinstance(noted, questions.OutQuestion)
    assert noted.discard == NOTHING
    assert isinstance(unnoted, questions.OutQuestion)
    assert unnoted.discard is None


def test_a_token_that_is_no_card_is_asked_all_the_same() -> None:
    meld = asked("meld", cards="3 K K").question
    assert isinstance(meld, questions.MeldQuestion)
    assert meld.cards.unknown == ("3",)
    card = asked("discard", card="3").question
    assert isinstance(card, questions.DiscardQuestion)
    assert card.card.unknown == ("3",)


def test_the_number_of_the_hand_counts_where_a_match_has_a_number_of_them() -> None:
    asked_for = {"kind": "opening", "variant": "hand-and-foot", "deal": 3}
    opening = read_question(json.dumps(asked_for)).question
    assert isinstance(opening, questions.OpeningQuestion)
    assert opening.deal == 3
    assert "deal" in refused({**asked_for, "deal": 5})
    assert "deal" in refused({**asked_for, "deal": 0})
    assert "classica" in refused({**asked_for, "variant": "classica", "deal": 1})


def test_the_rules_are_those_asked_for() -> None:
    question = asked("meld", preset="getty", options={"target": 3000})
    assert question.rules == settle("classica", "getty", {"target": 3000})


def test_in_a_match_the_rules_are_known() -> None:
    rules = settle("samba")
    assert read_question_of_match({"kind": "discard", "card": "3b"}, rules) == RulingRequest(
        rules, questions.DiscardQuestion(read_cards("3b"))
    )
    with pytest.raises(Unusable) as error:
        read_question_of_match({"kind": "discard", "card": "3b", "variant": "samba"}, rules)
    assert error.value.key == "variant"


@pytest.mark.parametrize(
    ("kind", "keys", "key"),
    [
        ("meld", {"kind": "melds"}, "melds"),
        ("meld", {"kind": None}, "kind"),
        ("meld", {"kind": 3}, "kind"),
        ("meld", {"variant": "poker"}, "variant"),
        ("meld", {"variant": None}, "variant"),
        ("meld", {"preset": "hoyle"}, "preset"),
        ("meld", {"options": []}, "options"),
        ("meld", {"options": {"wild-limit": "four"}}, "options/wild-limit"),
        ("meld", {"options": {"wild-limit": None}}, "options/wild-limit"),
        ("meld", {"cards": ["K"]}, "cards"),
        ("meld", {"cards": None}, "cards"),
        ("meld", {"on": []}, "on"),
        ("meld", {"going_out": 1}, "going_out"),
        ("meld", {"canastas": {}}, "canastas"),
        ("meld", {"colour": "red"}, "colour"),
        ("opening", {"score": "3000"}, "score"),
        ("opening", {"score": 10_000_000}, "score"),
        ("opening", {"score": 1.5}, "score"),
        ("opening", {"melds": "3xK"}, "melds"),
        ("opening", {"melds": [3]}, "melds/0"),
        ("opening", {"melds": ["3xA", {"cards": "3xK"}]}, "melds/1"),
        ("opening", {"table": []}, "table"),
        ("pile", {"top": None}, "top"),
        ("pile", {"frozen": "no"}, "frozen"),
        ("pile", {"with": "2xK"}, "with"),
        ("pile", {"with": [None]}, "with/0"),
        ("pile", {"laid": ["2xK"]}, "laid"),
        ("out", {"table": None}, "table"),
        ("out", {"table": ["7xQ", 7]}, "table/1"),
        ("out", {"permission": "yes"}, "permission"),
        ("out", {"permission": None}, "permission"),
        ("out", {"red_threes": -1}, "red_threes"),
        ("discard", {"card": 7}, "card"),
        ("discard", {"last": None}, "last"),
        ("red-threes", {"count": True}, "count"),
        ("red-threes", {"count": -1}, "count"),
        ("red-threes", {"canastas": []}, "canastas"),
        ("red-threes", {"canastas": {"samba": 1}}, "canastas/samba"),
        ("red-threes", {"canastas": {"mixed-canasta": "1"}}, "canastas/mixed-canasta"),
        ("penalty", {"code": 50}, "code"),
        ("penalty", {"points": 50}, "points"),
        ("end-of-stock", {"table": {}}, "table"),
        ("end-of-stock", {"pile_has_wild": 0}, "pile_has_wild"),
    ],
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_question_that_cannot_be_used_names_its_key_in_one_line(
    kind: str, keys: dict[str, Any], key: str, language: str
) -> None:
    assert key in refused({"kind": kind, "variant": "classica", **SMALLEST[kind], **keys}, language)


@pytest.mark.parametrize("kind", [kind for kind, needs in SMALLEST.items() if needs])
def test_a_key_that_is_missing_is_named(kind: str) -> None:
    for key in SMALLEST[kind]:
        assert f"«{key}» manca: serve" in refused({"kind": kind, "variant": "classica"})
    assert "«variant» manca" in refused({"kind": kind, **SMALLEST[kind]})
    assert "«kind» manca" in refused({"variant": "classica", **SMALLEST[kind]})


def test_a_key_of_another_kind_says_where_it_belongs() -> None:
    told = refused({"kind": "meld", "variant": "classica", "cards": "3xK", "permission": "granted"})
    assert told == "«permission» non si usa nella domanda meld, ma con out."


@pytest.mark.parametrize(
    "source", ["", "{", "[]", "3", "null", '"x"', "{}", "\ufeff{}", "[" * 100_000, b"\xff", "NaN"]
)
def test_what_is_no_question_at_all_is_told_in_one_line(source: str | bytes) -> None:
    assert refused(source)
    assert "smazzata" not in refused(source)


def test_every_key_says_what_it_takes() -> None:
    said = {f"expected.{name}" for name in ("kind", "variant", "preset", "options", "option")}
    for kind in QUESTIONS:
        for field in fields_of(kind).values():
            said |= {f"expected.{field.type.accepts}", f"expected.{field.type.inside}"}
    assert not [
        key for key in sorted(said) for language in ("it", "en") if not words(language).has(key)
    ]


def test_an_answer_has_the_form_of_the_contract() -> None:
    short = Reason(
        "meld-too-short",
        {"cards": 2, "needed": 3, "why": "any", "meld": 1},
        ("W:Svolgimento del gioco",),
    )
    short = replace(short, standing=Standing.STATED)
    ruling = Ruling(Verdict.FORBIDDEN, (short,), {"points": 20})
    other = Alternative(
        "getty", {"wild-limit": "three"}, {}, Ruling(Verdict.ALLOWED, (), {"bonus": 0}), ("H:x",)
    )
    assert ruling_answer(asked("meld"), Answer(ruling, (other,)), words("en")) == {
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
    told = ruling_answer(question, Answer(ruling, ()), words("it"))["reasons"]
    assert told[0]["message"].startswith("Combinazione 2: ")
    assert not told[1]["message"].startswith("Combinazione")


def test_a_whole_hand_stands_in_place_of_the_melds_shown() -> None:
    kings, king = read_cards("3xK"), read_cards("K")
    assert asked("opening", hand="3xK", score=90).question == questions.OpeningQuestion(
        90, hand=kings
    )
    assert asked("pile", hand="3xK", frozen=True).question == questions.PileQuestion(
        king, frozen=True, hand=kings
    )
    assert asked("out", hand="3xK", score=90).question == questions.OutQuestion(
        (read_cards("7xQ"),), score=90, hand=kings
    )
    assert asked("opening", hand=None).question == questions.OpeningQuestion(0)
    beside = {"kind": "pile", "variant": "classica", "top": "K", "hand": "3xK"}
    assert refused({**beside, "with": []}) == (
        "«with» non si usa insieme a hand: si danno le carte calate, oppure tutta la mano."
    )
    assert "«melds»" in refused(
        {"kind": "opening", "variant": "classica", "hand": "", "melds": ["3xK"]}
    )
    assert "«score» si usa solo insieme a hand, o a concealed." in refused(
        {"kind": "out", "variant": "classica", "table": [], "score": 0}
    )
    assert refused({**beside, "hand": ["3xK"]}) == "«hand» non va bene: serve una stringa di carte."
    assert refused({"kind": "meld", "variant": "classica", "cards": "K", "hand": "K"}) == (
        "«hand» non si usa nella domanda meld, ma con opening, pile, out."
    )


def test_a_way_is_told_as_the_cards_that_go_down_and_the_discard() -> None:
    on_queens = asked("out", hand="Q Kh 2xKd 2 5", table=["7xQ"])
    ruling = rule(on_queens.rules, on_queens.question)
    details = ruling_answer(on_queens, Answer(ruling, ()), words("it"))["details"]
    # The two could go on the queens as well: that they stay natural is worth 200 points more (500,
    # not 300).
    assert details == {
        "bonus": 100,
        "way": [{"on": 0, "cards": "Q"}, "2xKd Kh 2"],
        "discard": "5",
    }
    pile = asked("pile", top="Q", hand="K", table=["3xK", "3xQ"])
    told = ruling_answer(pile, Answer(rule(pile.rules, pile.question), ()), words("it"))
    assert told["details"] == {"way": [{"on": 1, "cards": "Q"}]}


def is_answered(source: str | bytes) -> None:
    try:
        question = read_question(source)
    except Unusable as error:
        line = error.message(words("it"))
        assert line
        assert "\n" not in line
        return
    json.dumps(
        ruling_answer(question, Answer(rule(question.rules, question.question), ()), words("en"))
    )


KEYS = sorted(
    {
        *(key for kind in QUESTIONS for key in keys_of_kind(kind)),
        "kind",
        "variant",
        "preset",
        "options",
        "natural-canasta",
        "wild-limit",
        "target",
        "sides",
        "__proto__",
        "",
        "%s",
        "/",
        "~",
    }
)
TEXTS = [
    *QUESTIONS,
    "classica",
    "samba",
    "mini",
    "7xQ",
    "4xK 2x2",
    "K",
    "3",
    "house",
    "three",
    "%(key)s",
    "\0",
    "9" * 5000,
]
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        st.sampled_from(TEXTS),
        st.text(max_size=6),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.sampled_from(list(QUESTIONS)), st.dictionaries(st.sampled_from(KEYS), values, max_size=3))
@settings(max_examples=examples(300))
def test_a_question_with_anything_anywhere_is_answered_or_refused_in_one_line(
    kind: str, keys: dict[str, Any]
) -> None:
    is_answered(json.dumps({"kind": kind, "variant": "classica", **SMALLEST[kind], **keys}))


@given(st.one_of(values.map(json.dumps), st.binary(max_size=40)))
@settings(max_examples=examples(300))
def test_anything_at_all_is_answered_or_refused_in_one_line(source: str | bytes) -> None:
    is_answered(source)


def test_huge_figures_and_texts_are_answered() -> None:
    for question in (
        {"kind": "opening", "melds": ["7xQ"] * 3000},
        {"kind": "meld", "cards": "9" * 5000 + "xQ 999999999999xQ"},
        {"kind": "meld", "cards": "K " * 50_000},
        {"kind": "red-threes", "count": 9_999_999, "canastas": {"mixed-canasta": 9_999_999}},
        {"kind": "red-threes", "count": 10**400},
        {"kind": "penalty", "code": "k" * 100_000},
        {"kind": "k" * 100_000},
        {"kind": "pile", "top": "8", "table": ["3x8"] * 36, "with": ["2x8"] * 6},
        {"kind": "out", "table": ["7xQ"] * 36},
        {"kind": "end-of-stock", "table": ["7xQ"] * 36, "top": "Q"},
    ):
        is_answered(json.dumps({"variant": "classica", **question}))
