"""The JSON contract, to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from scorepad.schemas.variant_json import build_whole_variant, list_variants
from tests.hands_read import hand_request


def told(hand: dict[str, Any], language: str = "it") -> dict[str, Any]:
    asked = read_hand_request(json.dumps(hand))
    return build_score_answer(asked.judge(), asked.names, words(language))


SCORES = "W:Chiusura, punteggi e vittoria"
CARDS = "W:Terminologia, classificazione e valori delle carte"
NOI = {
    "melds": ["7xQ", "4xK 2x2 JK", {"cards": "7x8", "concealed": True}],
    "red_threes": 2, "left": "4 9", "penalties": ["draw-out-of-turn"],
}  # fmt: skip
LORO = {
    "totals": {"canastas": {"natural-canasta": 1}, "cards": 215}, "red_threes": 1, "left": 85,
    "penalties": [{"code": "house", "points": 25, "reason": "…"}],
}  # fmt: skip


def scored(
    item: str, count: int | None, points: int, *, code: str | None = None, source: str = SCORES
) -> dict[str, Any]:
    """A line of the score, with its keys in the order of the contract."""
    return {
        "item": item, **({"code": code} if code else {}), "count": count, "points": points,
        "sources": [source] if source else [], "standing": "stated" if source else "house",
    }  # fmt: skip


def test_the_example_is_answered_to_the_letter() -> None:
    given = told({
        "variant": "classica", "preset": None, "options": {"wild-limit": "three"},
        "before": {"noi": 1480, "loro": 3010}, "sides": {"noi": NOI, "loro": LORO},
        "out": {"side": "noi", "concealed": False, "discard": "6"},
    })  # fmt: skip
    for side in given["sides"].values():
        for line in side["lines"]:
            line["sources"] = line["sources"][:1]  # the first is enough
    noi = [
        scored("natural-canasta", 2, 1000),
        scored("mixed-canasta", 1, 300),
        scored("cards", 21, 270, source=CARDS),
        scored("red-threes", 2, 200),
        scored("out", 1, 100),
        scored("cards-left", 2, -15),
        scored("penalty", 1, -100, code="draw-out-of-turn", source="G:Calcolo delle penalità"),
    ]
    loro = [
        scored("natural-canasta", 1, 500),
        scored("cards", None, 215, source=CARDS),
        scored("red-threes", 1, 100),
        scored("cards-left", None, -85),
        scored("penalty", 1, -25, code="house", source=""),
    ]
    answer = {
        "valid": True,
        "problems": [],
        "sides": {
            "noi": {
                "lines": noi,
                "hand": 1755,
                "total": 3235,
                "opened": True,
                "opening_minimum": 50,
                "next_opening_minimum": 120,
            },
            "loro": {
                "lines": loro,
                "hand": 705,
                "total": 3715,
                "opened": True,
                "opening_minimum": 120,
                "next_opening_minimum": 120,
            },
        },
        "match": {"target": 5000, "finished": False, "winner": None},
    }
    assert json.dumps(given) == json.dumps(answer), "the order of the keys too"


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


UNUSABLE = json.loads(Path(__file__).with_name("unusable-hands.json").read_text("utf-8"))
"""By variant: what a hand has that cannot be used, and the key that is named."""


@pytest.mark.parametrize("variant", UNUSABLE)
@pytest.mark.parametrize("language", ["it", "en"])
def test_input_that_cannot_be_used_names_its_key_in_one_line(variant: str, language: str) -> None:
    for row in UNUSABLE[variant]:
        with pytest.raises(Unusable) as error:
            read_hand_request(json.dumps({"variant": variant, "sides": {}, **row["hand"]}))
        line = error.value.message(words(language))
        assert row["named"] in line, row
        assert "\n" not in line
        assert not line.startswith(("unusable.", "choice."))
        assert "takes." not in line
        assert "%(" not in line


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
    "source",
    ["", "{", "[]", "3", "null", '"x"', '{"sides": {}}', "\ufeff{}", "[" * 100_000, "NaN",
     b"\xff\xfe", b'{"variant": "\xff"}', b'{"variant": "\\ud800", "sides": {}}', b"\x00"],
)  # fmt: skip
def test_what_is_no_hand_at_all_is_told_in_one_line(source: str | bytes) -> None:
    forms = [source] if isinstance(source, bytes) else [source, source.encode()]
    for form in forms:
        with pytest.raises(Unusable) as error:
            read_hand_request(form)
        assert error.value.message(words("it")).count("\n") == 0


def test_left_out_sides_laid_and_held_nothing_and_are_answered() -> None:
    given = told({"variant": "classica", "sides": {}})
    nothing = {
        "lines": [], "hand": 0, "total": 0, "opened": False, "opening_minimum": 50, "next_opening_minimum": 50,
    }  # fmt: skip
    assert given["sides"] == {"noi": nothing, "loro": nothing}


def test_a_sum_is_taken_as_it_is_with_a_warning() -> None:
    entered = {"sum": -37, "adjustments": [{"points": 10, "reason": "x"}]}
    given = told({"variant": "classica", "sides": {"noi": entered}})
    assert given["valid"]
    (problem,) = given["problems"]
    assert (problem["code"], problem["where"]) == ("not-checked", "/sides/noi/sum")
    answer = given["sides"]["noi"]
    lines = [(line["item"], line["points"]) for line in answer["lines"]]
    assert lines == [("sum", -37), ("adjustment", 10)]
    assert list(answer["lines"][1]) == ["item", "count", "points", "reason", "sources", "standing"]
    assert (answer["hand"], answer["opened"]) == (-27, None)


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
    assert [entry["id"] for entry in list_variants(speech)] == list(variant_ids())
    for name in variant_ids():
        whole = build_whole_variant(name, speech)
        for key, setting in whole["settings"].items():
            assert setting["sources"] or setting["standing"] == "house", key
            assert setting["standing"] in ("stated", "read", "house")
            assert ("read" in setting) == (setting["standing"] == "read")
        assert all(option["name"] for option in whole["options"].values())
        json.dumps(whole)
    sizes = build_whole_variant("tre", speech)["options"]["red-threes-unopened"]["values"]
    assert [value["value"] for value in sizes] == ["negative", "zero"]
