"""How firmly the sources say what was applied: a line, a problem and a reason stand as the branch
that was taken.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.schemas import build_score_answer, read_hand_request
from tests.rules.test_worked_rulings import answered

W_OUT, W_CARDS = (
    "W:Chiusura, punteggi e vittoria",
    "W:Terminologia, classificazione e valori delle carte",
)
G_PENALTIES, E_RULES, H_RULES = (
    "G:Calcolo delle penalità",
    "E:Canasta",
    "H:Regole del classico gioco di carte Canasta",
)
G_OUT, E_POINTS = "G:Calcolo del punteggio", "E:Ecco i punteggi"
P_MODERN = ["canastaleague.org:Modern American Canasta", "pagat.com:Modern American Canasta"]
OPENED = {"melds": ["7xK"]}
SEVEN_WILDS = {"cards": "5x2 2xJK", "concealed": True}

LINES: list[tuple[str, dict[str, Any], dict[str, Any], str, str, list[str]]] = [
    # variant, options or preset, what noi has, the item, its standing and its sources
    # Unopened: only W says that they count against; E that they do not count at all.
    ("classica", {}, {"red_threes": 2}, "red-threes", "stated", [W_OUT]),
    ("classica", {"preset": "enciclopedia"}, {"red_threes": 2}, "red-threes", "read", [E_RULES]),
    ("classica", {}, {**OPENED, "red_threes": 4}, "red-threes", "stated",
     [W_OUT, "G:Esecuzione del gioco", G_OUT, E_POINTS, E_RULES]),
    # Four of six are no "all" in W; that six are doubled is read.
    ("messicana", {}, {**OPENED, "red_threes": 6}, "red-threes", "read", [W_OUT]),
    ("messicana", {}, {**OPENED, "red_threes": 3}, "red-threes", "stated", [W_OUT]),
    ("moderna", {}, {"red_threes_held": 1}, "red-threes-held", "stated", P_MODERN),
    ("hand-and-foot", {}, {"red_threes_held": 2}, "red-threes-held", "stated", ["pagat.com:Hand and Foot"]),
    # G takes 500 for "un" red three: for each of several is read.
    ("classica", {}, {"red_threes_held": 1}, "red-threes-held", "stated", [G_PENALTIES]),
    ("classica", {}, {"red_threes_held": 2}, "red-threes-held", "read", [G_PENALTIES]),
    # H gives the 100 to natural and mixed canastas; to others it is read.
    ("classica", {"concealed-canasta": 100}, {"melds": [{"cards": "7xK", "concealed": True}]}, "concealed-canasta",
     "stated", [H_RULES]),
    ("uruguaiana", {"concealed-canasta": 100}, {"melds": [SEVEN_WILDS]}, "concealed-canasta", "read", [H_RULES]),
    ("messicana", {"concealed-canasta": 100}, {"melds": [{"cards": "7x7", "concealed": True}, "3xA"]},
     "concealed-canasta", "read", [H_RULES]),
    ("cubana", {"concealed-canasta": 100},
     {"totals": {"canastas": {"twos-canasta": 1, "concealed-canasta": 1}, "cards": 140}}, "concealed-canasta", "read",
     [H_RULES]),
    # H's table gives a black three 100.
    ("classica", {}, {"melds": ["7xK", "3x3b"]}, "cards", "stated", [W_CARDS, "G:Calcolo dei punti", E_POINTS]),
    ("moderna", {}, {"melds": ["7xK", "5xQ"]}, "cards", "read",
     [W_CARDS, "G:Calcolo dei punti", "H:Valore dei punti per le carte in Canasta", E_POINTS, *P_MODERN]),
    # What the canastas of wild cards count as is read; what they are worth is stated.
    ("canastone", {}, {"melds": ["7x2", "5xK 2x2", "3xA"], "red_threes": 1}, "red-threes", "read",
     [W_OUT, "W:Canastone"]),
    ("canastone", {}, {"melds": ["7x2", "5xK 2x2", "3xA"]}, "twos-canasta", "stated", ["W:Canastone"]),
    ("canastone", {}, {"melds": ["7xQ", "5xK 2x2"], "red_threes": 1}, "red-threes", "stated", [W_OUT, "W:Canastone"]),
    ("canastone", {}, {"melds": ["7xQ", "5xK 2x2"], "red_threes": 4}, "red-threes", "stated", ["W:Canastone"]),
    ("bolivia", {}, {**OPENED, "red_threes": 1}, "red-threes", "stated", ["W:Samba", "W:Bolivia"]),
    ("uruguaiana", {}, {"melds": ["7xK", "8x2"]}, "natural-canasta", "stated", [W_OUT]),
    ("uruguaiana", {}, {"melds": ["7xK", "8x2"]}, "wild-canasta", "stated", ["W:Canasta uruguaiana"]),
    # G's penalties are another game's in moderna.
    ("classica", {}, {"penalties": ["draw-out-of-turn"]}, "penalty", "stated", [G_PENALTIES]),
    ("moderna", {}, {"penalties": ["draw-out-of-turn"]}, "penalty", "read", [G_PENALTIES]),
    ("classica", {}, {"penalties": [{"code": "house", "points": 25, "reason": "x"}]}, "penalty", "house", []),
    ("classica", {}, {"sum": 300}, "sum", "house", []),
    ("sette", {}, {"left": 40, "sevens_held": 1}, "sevens-held", "stated", ["W:Canasta messicana e Canasta ai sette"]),
    ("sette", {}, {"left": 40, "sevens_held": 2}, "sevens-held", "read", ["W:Canasta messicana e Canasta ai sette"]),
    ("bolivia", {"black-threes-held": 100}, {"left": ["3b", ""]}, "cards-left", "stated",
     [W_OUT, "rummy-games.com:Bolivia Rules", "bicyclecards.com:Bolivia",
      "bright.net:Bolivian Canasta"]),
    ("bolivia", {"black-threes-held": 100}, {"left": ["K", ""]}, "cards-left", "stated", [W_OUT]),
]  # fmt: skip


def told(variant: str, rules: dict[str, Any], noi: dict[str, Any], **hand: Any) -> dict[str, Any]:
    options = {key: value for key, value in rules.items() if key != "preset"}
    head = {"variant": variant, "preset": rules.get("preset"), "options": options}
    asked = read_hand_request(
        json.dumps({**head, "sides": {"noi": noi}, "out": {"side": "noi"}, **hand})
    )
    return build_score_answer(asked.judge(by_agreement=True), asked.names, words("en"))


@pytest.mark.parametrize(("variant", "rules", "noi", "item", "standing", "sources"), LINES)
def test_a_line_stands_as_what_was_applied(
    variant: str,
    rules: dict[str, Any],
    noi: dict[str, Any],
    item: str,
    standing: str,
    sources: list[str],
) -> None:
    hand = {} if "melds" in noi else {"out": None}
    (line,) = [
        line
        for line in told(variant, rules, noi, **hand)["sides"]["noi"]["lines"]
        if line["item"] == item
    ]
    assert (line["standing"], line["sources"]) == (standing, sources)


def test_points_that_a_table_hands_over_name_who_says_so() -> None:
    rules = {"red-threes-unopened": "to-opponents"}
    given = told(
        "classica",
        rules,
        {"melds": ["7xK"]},
        sides={"noi": {"melds": ["7xK"]}, "loro": {"red_threes": 2}},
    )
    threes = [
        next(line for line in given["sides"][name]["lines"] if line["item"] == "red-threes")
        for name in ("noi", "loro")
    ]
    assert [(line["points"], line["sources"], line["standing"]) for line in threes] == [
        (200, [W_OUT], "stated"), (0, [W_OUT], "stated"),
    ]  # fmt: skip


PROBLEMS = [
    # The step that holds, and who names it: G no other minimum than 50.
    ("classica", {}, {"melds": ["3xK"]}, 0, "opening-impossible", "stated",
     ["W:L'apertura", "G:Regole sussidiarie", E_RULES]),
    ("classica", {}, {"melds": ["3xK"]}, 1500, "opening-impossible", "stated", ["W:L'apertura", E_RULES]),
    ("classica", {}, {"melds": ["3xK"]}, 3000, "opening-impossible", "stated", ["W:L'apertura", E_RULES]),
    ("classica", {"preset": "giochi"}, {"melds": ["3xK"]}, 1500, "opening-impossible", "read",
     ["G:Regole sussidiarie"]),
    ("classica", {"preset": "enciclopedia"}, {"melds": ["3x4"]}, -5, "opening-impossible", "stated", [E_RULES]),
    ("cubana", {}, {"melds": ["3xK"]}, 1500, "opening-impossible", "stated", ["W:L'apertura"]),
    ("cubana", {}, {"melds": ["3xK"]}, 5000, "opening-impossible", "stated", ["W:Canasta cubana"]),
    # A card that does not exist, a name that means nothing, a figure that nobody checks: no source
    # is needed.
    ("classica", {}, {"melds": ["7xK", "X Y Z"]}, 0, "card-unknown", None, []),
    ("classica", {}, {"penalties": ["misdeal"]}, 0, "penalty-unknown", None, []),
    ("mini", {}, {"penalties": ["misdeal"]}, 0, "penalty-unknown", "read", ["W:Variante mini"]),
    ("classica", {}, {"sum": 100}, 0, "not-checked", None, []),
    ("classica", {}, {"left": 7}, 0, "points-not-multiple", "stated",
     [W_CARDS, "G:Calcolo dei punti", "H:Valore dei punti per le carte in Canasta", E_POINTS]),
    ("classica", {}, {"adjustments": [{"points": 7, "reason": "x"}]}, 0, "points-not-multiple", None, []),
    # One meld a rank is H's as it is read.
    ("classica", {}, {"melds": ["3xA", "3xA"]}, 0, "meld-rank-repeated", "read", [H_RULES, "pagat.com:Canasta"]),
    ("canastone", {}, {"melds": ["3xA", "3xA"]}, 0, "meld-rank-repeated", "read", [H_RULES, "pagat.com:Canasta"]),
    ("canastone", {}, {"melds": ["8x2", "3xA"]}, 0, "meld-too-long", "read", ["W:Canastone"]),
    ("classica", {}, {"left": "3d", "penalties": ["red-three-not-exposed"]}, 0, "red-three-twice", "read",
     [G_PENALTIES]),
    ("classica", {"target": 3000}, {}, 3000, "target-reached", "house", []),
    ("classica", {}, {}, 5000, "target-reached", "stated", [W_OUT, "G:Obiettivo del gioco", E_RULES]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("variant", "rules", "noi", "score", "code", "standing", "sources"), PROBLEMS
)
def test_a_problem_stands_as_what_was_applied(  # noqa: PLR0917 - a row of the table each
    variant: str,
    rules: dict[str, Any],
    noi: dict[str, Any],
    score: int,
    code: str,
    standing: str | None,
    sources: list[str],
) -> None:
    given = told(variant, rules, noi, out=None, before={"noi": score, "loro": 0})
    (problem,) = [each for each in given["problems"] if each["code"] == code]
    assert (problem["standing"], problem["sources"]) == (standing, sources)


def test_a_broken_sequence_is_told_before_what_it_is_not() -> None:
    given = told("samba", {}, {"melds": ["6s 5s 4s 3s"]}, out=None)
    of_meld = [each["code"] for each in given["problems"] if each["where"] == "/sides/noi/melds/0"]
    assert of_meld == ["meld-sequence-broken"]


def test_another_option_of_a_codification_is_not_told_as_its_own() -> None:
    ask = {
        "kind": "red-threes",
        "variant": "classica",
        "preset": "enciclopedia",
        "count": 2,
        "opened": False,
    }
    others = {json.dumps(each["options"]): each["preset"] for each in answered(ask)["elsewhere"]}
    to_opponents = next(options for options in others if "to-opponents" in options)
    assert others[to_opponents] is None
    assert json.loads(to_opponents) == {
        "opening-steps": "no-fifteen", "red-threes-unopened": "to-opponents", "upcard": "enciclopedia",
        "pile": "enciclopedia",
    }  # fmt: skip
