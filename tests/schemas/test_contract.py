"""The JSON contract, to the letter."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import Unusable, read_hand_request, score_answer
from scorepad.schemas.variant_json import variant_list, variant_whole
from tests.hands_read import hand_request

EXAMPLE: dict[str, Any] = {
    "variant": "classica",
    "preset": None,
    "options": {"wild-limit": "three"},
    "before": {"noi": 1480, "loro": 3010},
    "sides": {
        "noi": {
            "melds": ["7xQ", "4xK 2x2 JK", {"cards": "7x8", "concealed": True}],
            "red_threes": 2,
            "left": "4 9",
            "penalties": ["draw-out-of-turn"],
        },
        "loro": {
            "totals": {"canastas": {"natural-canasta": 1}, "cards": 215},
            "red_threes": 1,
            "left": 85,
            "penalties": [{"code": "house", "points": 25, "reason": "…"}],
        },
    },
    "out": {"side": "noi", "concealed": False, "discard": "6"},
}

SCORES = "W:Chiusura, punteggi e vittoria"
CARDS = "W:Terminologia, classificazione e valori delle carte"
ANSWER: dict[str, Any] = {
    "valid": True,
    "problems": [],
    "sides": {
        "noi": {
            "lines": [
                {
                    "item": "natural-canasta",
                    "count": 2,
                    "points": 1000,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "mixed-canasta",
                    "count": 1,
                    "points": 300,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "cards",
                    "count": 21,
                    "points": 270,
                    "sources": [CARDS],
                    "standing": "stated",
                },
                {
                    "item": "red-threes",
                    "count": 2,
                    "points": 200,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "out",
                    "count": 1,
                    "points": 100,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "cards-left",
                    "count": 2,
                    "points": -15,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "penalty",
                    "code": "draw-out-of-turn",
                    "count": 1,
                    "points": -100,
                    "sources": ["G:Calcolo delle penalità"],
                    "standing": "stated",
                },
            ],
            "hand": 1755,
            "total": 3235,
            "opened": True,
            "opening_minimum": 50,
            "next_opening_minimum": 120,
        },
        "loro": {
            "lines": [
                {
                    "item": "natural-canasta",
                    "count": 1,
                    "points": 500,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "cards",
                    "count": None,
                    "points": 215,
                    "sources": [CARDS],
                    "standing": "stated",
                },
                {
                    "item": "red-threes",
                    "count": 1,
                    "points": 100,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "cards-left",
                    "count": None,
                    "points": -85,
                    "sources": [SCORES],
                    "standing": "stated",
                },
                {
                    "item": "penalty",
                    "code": "house",
                    "count": 1,
                    "points": -25,
                    "sources": [],
                    "standing": "house",
                },
            ],
            "hand": 705,
            "total": 3715,
            "opened": True,
            "opening_minimum": 120,
            "next_opening_minimum": 120,
        },
    },
    "match": {"target": 5000, "finished": False, "winner": None},
}


def told(hand: dict[str, Any], language: str = "it") -> dict[str, Any]:
    asked = read_hand_request(json.dumps(hand))
    return score_answer(asked.judge(), asked.names, words(language))


def test_the_example_is_answered_to_the_letter() -> None:
    given = told(EXAMPLE)
    for side in given["sides"].values():
        for line in side["lines"]:
            line["sources"] = line["sources"][:1]  # the example shortens them to their first
    assert json.dumps(given, ensure_ascii=False) == json.dumps(ANSWER, ensure_ascii=False)


def test_a_problem_has_all_its_fields_and_a_message_in_the_language_asked_for() -> None:
    hand = {"variant": "classica", "sides": {"noi": {"melds": ["7xQ", "2xK 4x2"]}}}
    assert told(hand)["problems"] == [
        {
            "severity": "error",
            "code": "meld-too-many-wilds",
            "where": "/sides/noi/melds/1",
            "message": "In questa combinazione le matte possono essere al massimo 3 (carte naturali: 2), e sono 4. "
            "Togli quelle di troppo.",
            "sources": ["W:Svolgimento del gioco", "G:Regole sussidiarie", "E:Canasta"],
            "standing": "stated",
        }
    ]
    english = told(hand, "en")["problems"][0]["message"]
    assert english.startswith(
        "This meld may hold at most 3 wild cards (natural cards: 2), and it holds 4."
    )


def test_names_are_free_text_and_pointers_escape_them() -> None:
    hand = {
        "variant": "classica",
        "before": {"a/b": 0, "~": 0},
        "sides": {"a/b": {"melds": ["K"]}, "~": {}},
    }
    assert {problem["where"] for problem in told(hand)["problems"]} >= {"/sides/a~1b/melds/0"}


def test_the_message_for_the_decks_names_both_sides_and_the_cards() -> None:
    hand = {
        "variant": "classica",
        "before": {"Noi": 0, "Loro": 0},
        "sides": {
            "Noi": {"melds": ["4xK 3x2", "4xQ 2x2"]},
            "Loro": {"melds": ["4xA 3x2"], "left": "2"},
        },
    }
    problem = told(hand)["problems"][0]
    assert problem["code"] == "deck-exceeded"
    assert problem["message"].startswith("Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"variant": None}, "variant"),
        ({"variant": "poker"}, "variant"),
        ({"preset": "hoyle"}, "preset"),
        ({"preset": 3}, "preset"),
        ({"options": []}, "options"),
        ({"options": {"wild-limit": "four"}}, "options/wild-limit"),
        ({"options": {"wild-limit": None}}, "options/wild-limit"),
        ({"options": {"target": 5000.0}}, "options/target"),
        ({"before": {"noi": 0}}, "before"),
        ({"before": {"noi": 0, "loro": 0, "altri": 0}}, "before"),
        ({"before": {"noi": 0, "loro": 10_000_000}}, "before/loro"),
        ({"before": {"noi": 0, "loro": "3010"}}, "before/loro"),
        ({"before": None}, "before"),
        ({"sides": None}, "sides"),
        ({"sides": {"noi": None}}, "sides/noi"),
        ({"sides": {"noi": {"meld": []}}}, "sides/noi/meld"),
        ({"sides": {"noi": {"melds": "7xQ"}}}, "sides/noi/melds"),
        ({"sides": {"noi": {"melds": [7]}}}, "sides/noi/melds/0"),
        ({"sides": {"noi": {"melds": [{"cards": 7}]}}}, "sides/noi/melds/0/cards"),
        ({"sides": {"noi": {"melds": [{"concealed": True}]}}}, "sides/noi/melds/0/cards"),
        ({"sides": {"noi": {"totals": {}}}}, "sides/noi/totals/cards"),
        ({"sides": {"noi": {"totals": None}}}, "sides/noi/totals"),
        (
            {"sides": {"noi": {"totals": {"cards": 50, "canastas": {"samba": 1}}}}},
            "sides/noi/totals/canastas/samba",
        ),
        (
            {"sides": {"noi": {"totals": {"cards": 50, "canastas": {"concealed-canasta": 1}}}}},
            "concealed-canasta",
        ),
        (
            {"sides": {"noi": {"totals": {"cards": 50, "incomplete": {"sevens": 1}}}}},
            "sides/noi/totals/incomplete",
        ),
        ({"sides": {"noi": {"melds": [], "totals": {"cards": 50}}}}, "sides/noi"),
        ({"sides": {"noi": {"sum": 100, "red_threes": 1}}}, "sides/noi/red_threes"),
        ({"sides": {"noi": {"sum": 1.5}}}, "sides/noi/sum"),
        ({"sides": {"noi": {"left": ["4"]}}}, "sides/noi/left"),
        ({"sides": {"noi": {"left": [4, 5]}}}, "sides/noi/left/0"),
        ({"sides": {"noi": {"left": True}}}, "sides/noi/left"),
        ({"sides": {"noi": {"red_threes": -1}}}, "sides/noi/red_threes"),
        ({"sides": {"noi": {"black_threes_aside": 1}}}, "sides/noi/black_threes_aside"),
        ({"sides": {"noi": {"special": "pairs"}}}, "sides/noi/special"),
        ({"sides": {"noi": {"penalties": ["house"]}}}, "sides/noi/penalties/0"),
        (
            {"sides": {"noi": {"penalties": [{"code": "house", "points": 5}]}}},
            "sides/noi/penalties/0",
        ),
        (
            {"sides": {"noi": {"penalties": [{"code": "house", "points": 5, "reason": " "}]}}},
            "sides/noi/penalties/0",
        ),
        (
            {"sides": {"noi": {"penalties": [{"code": "draw-out-of-turn", "points": 5}]}}},
            "penalties/0/points",
        ),
        ({"sides": {"noi": {"adjustments": [{"points": 5}]}}}, "sides/noi/adjustments/0/reason"),
        (
            {"sides": {"noi": {"adjustments": [{"points": 5, "reason": ""}]}}},
            "sides/noi/adjustments/0/reason",
        ),
        (
            {"sides": {"noi": {"melds": ["7xQ"], "opening": {"melds": ["3xK"]}}}},
            "sides/noi/opening",
        ),
        (
            {"sides": {"noi": {"totals": {"cards": 50}, "opening": {"melds": ["7xA"]}}}},
            "sides/noi/opening",
        ),
        ({"sides": {"noi": {"melds": ["7xQ"], "opening": ["3xQ"]}}}, "sides/noi/opening"),
        ({"out": "noi"}, "out"),
        ({"out": {}}, "out/side"),
        ({"out": {"side": "noi", "discard": "4 5"}}, "out/discard"),
        ({"out": {"side": "noi", "discard": ""}}, "out/discard"),
        ({"out": {"side": "noi", "concealed": 1}}, "out/concealed"),
        ({"out": {"side": "noi", "player": 2}}, "out/player"),
        ({"single": "noi"}, "single"),
        ({"deal": 1}, "deal"),
        ({"colour": "red"}, "colour"),
    ],
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_input_that_cannot_be_used_names_its_key_in_one_line(
    change: dict[str, Any], key: str, language: str
) -> None:
    hand = {"variant": "classica", "sides": {}, **change}
    with pytest.raises(Unusable) as error:
        read_hand_request(json.dumps(hand))
    line = error.value.message(words(language))
    assert key in line
    assert "\n" not in line
    assert "takes." not in line
    assert "%(" not in line


THREE = {"Anna": 0, "Bea": 0, "Carla": 0}


@pytest.mark.parametrize(
    ("hand", "key"),
    [
        ({"variant": "tagliagola", "before": THREE}, "single"),
        ({"variant": "tagliagola"}, "before"),
        ({"variant": "tagliagola", "before": THREE, "single": 3}, "single"),
        ({"variant": "tagliagola", "before": THREE, "single": "Anna", "deal": 1}, "deal"),
        ({"variant": "tre", "before": THREE, "single": None}, "single"),
        ({"variant": "hand-and-foot", "deal": 0}, "deal"),
        ({"variant": "hand-and-foot", "deal": 5}, "deal"),
        ({"variant": "hand-and-foot", "deal": None}, "deal"),
        ({"variant": "hand-and-foot", "options": {"target": 5000}}, "options/target"),
        ({"variant": "mini", "sides": {"noi": {"totals": {"cards": 50}}}}, "sides/noi/totals"),
        ({"variant": "mini", "sides": {"noi": {"left": 5}}}, "sides/noi/left"),
        ({"variant": "mini", "sides": {"noi": {"left": ["4", "5", "6"]}}}, "sides/noi/left"),
        ({"variant": "mini", "before": {"a": 0, "b": 0, "c": 0, "d": 0}}, "before"),
        ({"variant": "mini", "options": {"players": 5}}, "options/players"),
        ({"variant": "mini", "options": {"target": 0}}, "options/target"),
        ({"variant": "cubana", "sides": {"noi": {"black_threes": 1}}}, "sides/noi/black_threes"),
        (
            {"variant": "cubana", "options": {"canasta-size": "exactly-seven"}},
            "options/canasta-size",
        ),
        ({"variant": "uruguaiana", "preset": "wikipedia"}, "preset"),
        (
            {"variant": "sette", "sides": {"noi": {"sevens_held": 1, "left": "7 7 7"}}},
            "sides/noi/sevens_held",
        ),
        (
            {"variant": "sette", "sides": {"noi": {"aces_held": 1, "left": 60}}},
            "sides/noi/aces_held",
        ),
        (
            {
                "variant": "sette",
                "sides": {"noi": {"totals": {"cards": 50, "incomplete": {"aces": 1}}}},
            },
            "sides/noi/totals/incomplete/aces",
        ),
        (
            {"variant": "messicana", "sides": {"noi": {"totals": {"cards": 50, "incomplete": {}}}}},
            "incomplete",
        ),
        ({"variant": "bolivia", "options": {"dirty-escalera": 1}}, "options/dirty-escalera"),
        ({"variant": "bolivia", "options": {"wild-limit": "three"}}, "options/wild-limit"),
        (
            {
                "variant": "bolivia",
                "sides": {"noi": {"totals": {"cards": 50, "canastas": {"dirty-samba": 1}}}},
            },
            "dirty",
        ),
        (
            {"variant": "moderna", "sides": {"noi": {"special": "flush"}}, "out": {"side": "noi"}},
            "sides/noi/special",
        ),
        ({"variant": "moderna", "sides": {"noi": {"special": "pairs"}}}, "out"),
        (
            {
                "variant": "moderna",
                "sides": {"noi": {"special": "pairs"}, "loro": {}},
                "out": {"side": "loro"},
            },
            "out",
        ),
        (
            {
                "variant": "moderna",
                "sides": {"noi": {"special": "pairs", "melds": ["7xK"]}},
                "out": {"side": "noi"},
            },
            "sides/noi/melds",
        ),
    ],
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_what_belongs_to_another_variant_names_its_key_in_one_line(
    hand: dict[str, Any], key: str, language: str
) -> None:
    with pytest.raises(Unusable) as error:
        read_hand_request(json.dumps({"sides": {}, **hand}))
    line = error.value.message(words(language))
    assert key in line
    assert not line.startswith(("unusable.", "choice."))
    assert "takes." not in line
    assert "%(" not in line
    assert "\n" not in line


def test_who_sits_at_a_mini_is_told_by_its_sides() -> None:
    # Strings are single players, lists are pairs, three names are three who play alone.
    def players(before: dict[str, int], left: object) -> tuple[int, ...]:
        hand = {
            "variant": "mini",
            "before": before,
            "sides": {name: {"left": left} for name in before},
        }
        return read_hand_request(json.dumps(hand)).rules.settings.sides

    two = {"a": 0, "b": 0}
    assert players(two, "4 5") == (1, 1)
    assert players(two, ["4", "5"]) == (2, 2)
    assert players({**two, "c": 0}, "4 5") == (1, 1, 1)


@pytest.mark.parametrize(
    "source", ["", "{", "[]", "3", "null", '"x"', '{"sides": {}}', "\ufeff{}", "[" * 100_000, "NaN"]
)
def test_what_is_no_hand_at_all_is_told_in_one_line(source: str) -> None:
    for form in (source, source.encode()):
        with pytest.raises(Unusable) as error:
            read_hand_request(form)
        assert error.value.message(words("it")).count("\n") == 0


@pytest.mark.parametrize(
    "source", [b"\xff\xfe", b'{"variant": "\xff"}', b'{"variant": "\\ud800", "sides": {}}', b"\x00"]
)
def test_bytes_that_are_no_text_are_refused(source: bytes) -> None:
    with pytest.raises(Unusable):
        read_hand_request(source)


def test_where_three_play_the_scores_before_are_needed() -> None:
    with pytest.raises(Unusable) as error:
        read_hand_request('{"variant": "tre", "sides": {}}')
    assert error.value.key == "before"


def test_left_out_sides_laid_and_held_nothing_and_are_answered() -> None:
    given = told({"variant": "classica", "sides": {}})
    nothing = {
        "lines": [], "hand": 0, "total": 0, "opened": False, "opening_minimum": 50, "next_opening_minimum": 50,
    }  # fmt: skip
    assert given["sides"] == {"noi": nothing, "loro": nothing}


def test_a_sum_is_taken_as_it_is_with_a_warning() -> None:
    given = told(
        {
            "variant": "classica",
            "sides": {"noi": {"sum": -37, "adjustments": [{"points": 10, "reason": "x"}]}},
        }
    )
    assert given["valid"]
    assert [(problem["code"], problem["where"]) for problem in given["problems"]] == [
        ("not-checked", "/sides/noi/sum")
    ]
    noi = given["sides"]["noi"]
    assert [(line["item"], line["points"]) for line in noi["lines"]] == [
        ("sum", -37),
        ("adjustment", 10),
    ]
    assert noi["lines"][1]["reason"] == "x"
    assert (noi["hand"], noi["opened"]) == (-27, None)


def test_a_line_has_the_keys_of_the_contract_and_none_of_the_log() -> None:
    side = {"totals": {"canastas": {}, "cards": 100}, "penalties": ["draw-out-of-turn"]}
    adjusted = {"sum": 40, "adjustments": [{"points": 10, "reason": "x"}]}
    given = told({"variant": "bolivia", "sides": {"noi": side, "loro": adjusted}})
    cards, penalty = given["sides"]["noi"]["lines"]
    _, adjustment = given["sides"]["loro"]["lines"]
    assert list(cards) == ["item", "count", "points", "sources", "standing"]
    assert list(penalty) == ["item", "code", "count", "points", "sources", "standing"]
    assert penalty["standing"] == "read"
    assert list(adjustment) == ["item", "count", "points", "reason", "sources", "standing"]


def test_a_hand_of_a_match_is_read_without_its_variant() -> None:
    rules = settle("classica")
    asked = hand_request(
        {"sides": {"a": {"melds": ["7xQ"]}}, "out": {"side": "a"}}, rules, ("a", "b"), (1400, 0)
    )
    judgement = asked.judge()
    assert judgement.sides is not None
    # 500 + 70 + 100
    assert [side.total for side in judgement.sides] == [2070, 0]
    with pytest.raises(Unusable):
        hand_request({"sides": {}, "variant": "classica"}, rules, ("a", "b"), (0, 0))


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_variant_is_told_whole_with_source_and_standing(language: str) -> None:
    speech = words(language)
    assert [entry["id"] for entry in variant_list(speech)] == list(variant_ids())
    for name in variant_ids():
        whole = variant_whole(name, speech)
        for key, setting in whole["settings"].items():
            assert setting["sources"] or setting["standing"] == "house", key
            assert setting["standing"] in ("stated", "read", "house")
            assert ("read" in setting) == (setting["standing"] == "read")
        assert all(option["name"] for option in whole["options"].values())
        json.dumps(whole)
    sizes = variant_whole("tre", speech)["options"]["red-threes-unopened"]["values"]
    assert [value["value"] for value in sizes] == ["negative", "zero"]
