"""What people read of laid cards: which of several things is wrong, in words that hold at their
table.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import describe_finding
from scorepad.rules.judging import Finding, judge
from scorepad.schemas import read_hand_request
from tests.rules.test_worked_rulings import answered


def said(ask: dict[str, Any], code: str) -> list[str]:
    """The sentence of this reason in Italian and in English."""
    told = []
    for language in ("it", "en"):
        reasons = answered(ask, language)["reasons"]
        told.append(next(each["message"] for each in reasons if each["code"] == code))
    return told


def meld(cards: str, variant: str = "samba", **more: Any) -> dict[str, Any]:
    return {"kind": "meld", "variant": variant, "cards": cards, **more}


def opening(variant: str = "classica", **more: Any) -> dict[str, Any]:
    return {"kind": "opening", "variant": variant, "score": 0, **more}


def pile(variant: str, top: str, *laid: str, **more: Any) -> dict[str, Any]:
    hand = {} if "hand" in more else {"with": list(laid)}
    return {"kind": "pile", "variant": variant, "top": top, **hand, **more}


OUT = {"going_out": True}
DIRTY = {"options": {"dirty-escalera": True}}
GIOCHI = {"preset": "giochi"}
SENTENCES: list[tuple[dict[str, Any], str, str, str]] = [
    # A sequence: what of it is wrong.
    (meld("K Q J"), "meld-sequence-broken", "scrivi il seme", "write the suit"),
    (meld("Kh Qh 10h"), "meld-sequence-broken", "non sono consecutive", "not consecutive"),
    (meld("Kh Qs Jh"), "meld-sequence-broken", "i semi sono più di uno", "several suits"),
    (meld("Kh Kh Qh"), "meld-sequence-broken", "nessuna carta si ripete", "no card stands twice"),
    (meld("Kh Qh 2"), "meld-sequence-broken", "non ci stanno matte", "no wild cards"),
    (meld("5h 4h 3b", **OUT), "meld-sequence-broken", "i 3 non ci stanno", "holds no threes"),
    (
        meld("Kh 10h 2", "bolivia", **DIRTY),
        "meld-sequence-broken",
        "non sono consecutive",
        "not consecutive",
    ),
    # Black threes: what of them is wrong.
    (
        meld("3x3b", "moderna", **OUT),
        "meld-kind-not-allowed",
        "mai, nemmeno chiudendo",
        "not even when going out",
    ),
    (
        meld("4x3b 3x2", "classica", **OUT),
        "meld-kind-not-allowed",
        "al massimo 6 carte, e qui sono 7",
        "at most 6",
    ),
    (
        meld("2x3b 2", "classica", preset="getty", **OUT),
        "meld-kind-not-allowed",
        "senza matte",
        "without wild cards",
    ),
    (
        meld("2x3b 2", **OUT),
        "meld-kind-not-allowed",
        "almeno 3 (in questa: 2)",
        "at least 3 of them",
    ),
    # Wild cards: none, one, two.
    (meld("4x7 2", "moderna"), "meld-too-many-wilds", "non ci stanno matte", "holds no wild cards"),
    (meld("4xQ 2x2", "hand-and-foot"), "meld-mixed", "matte 2", "wild ones 2"),
    (
        meld("3xQ 2x2", "hand-and-foot"),
        "meld-too-many-wilds",
        "al massimo 1 matta (",
        "at most 1 wild card (",
    ),
    (meld("5xQ 3x2"), "meld-too-many-wilds", "al massimo 2 matte (", "at most 2 wild cards ("),
    (
        meld("2x2", on="6xQ"),
        "wild-on-canasta",
        "con le 6 carte del tavolo la canasta si completa prima, e 1 matta resta",
        "with the 6 cards on the table it is complete before, and 1 wild",
    ),
    # Mini has no second opinion on a second meld of a rank; the classic sources have.
    (
        opening("mini", melds=["3xK", "3xK"]),
        "meld-rank-repeated",
        "finché la prima non è",
        "while the first",
    ),
    (
        opening(melds=["3xK", "3xK"]),
        "meld-rank-repeated",
        "le altre non ne dicono niente",
        "the others say nothing",
    ),
    (
        opening("canastone", score=3000, melds=["2xJK 2"], options={"wild-opening": True}),
        "opening-wilds-stop",
        "né prendere il pozzo",
        "nor take the pile",
    ),
    (
        opening(melds=["5x8"], concealed_out=True),
        "opening-not-out",
        "non ci sono le canaste",
        "do not hold",
    ),
    (
        opening(hand="7x8 4 6 K", concealed_out=True),
        "opening-not-out",
        "Con questa mano non si chiude",
        "no going out",
    ),
    (opening(hand="3xK 2x8 2"), "opening-hand-kept", "restano in mano: 2", "stay in hand: 2"),
    (
        opening(hand="3xK 2"),
        "opening-hand-emptied",
        "troppo poche carte (0)",
        "too few cards would stay in hand (0)",
    ),
    (
        opening(hand="7xK 4"),
        "opening-goes-out",
        "si chiude nello stesso turno",
        "goes out in the same turn",
    ),
    (
        opening(hand="3xA 4 5", top_card="K"),
        "top-card-unused",
        "con questa mano",
        "no meld of this hand",
    ),
    # The discard: whoever freezes the pile is told what takes it.
    (
        {"kind": "discard", "variant": "classica", "card": "JK"},
        "discard-frozen-needs",
        "due carte naturali dello stesso valore",
        "two natural cards",
    ),
    (
        {"kind": "discard", "variant": "canastone", "card": "JK"},
        "discard-frozen-needs",
        "tre carte naturali dello stesso valore",
        "three natural cards",
    ),
    (
        {"kind": "discard", "variant": "classica", "card": "2", "preset": "enciclopedia"},
        "discard-frozen-needs",
        "e un'altra o una matta",
        "wild",
    ),
    # The pile.
    (
        pile("classica", "K", table=["7xK"], **GIOCHI),
        "pile-meld-full",
        "non ne prende più: ha già 7",
        "takes no more",
    ),
    (
        pile("samba", "7h", table=["Kh Qh Jh 10h 9h 8h 7h"], hand="7s 4c"),
        "pile-naturals",
        "servono due sette naturali in mano, da calare subito: qui ce n'è uno",
        "there is one here",
    ),
    (
        pile("samba", "6h", table=["Kh Qh Jh 10h 9h 8h 7h"]),
        "pile-on-complete",
        "combinazione già completa",
        "a meld already complete",
    ),
    (
        pile("classica", "K", "2xK 2", frozen=True),
        "pile-naturals",
        "Il pozzo è congelato. Servono due re naturali in mano, da calare subito: qui ce n'è uno.",
        "The pile is frozen. You need two natural kings from your hand, melded at once: there is one here.",
    ),
]


@pytest.mark.parametrize(("ask", "code", "italian", "english"), SENTENCES)
def test_the_sentence_says_what_is_so_here(
    ask: dict[str, Any], code: str, italian: str, english: str
) -> None:
    in_italian, in_english = said(ask, code)
    assert italian in in_italian
    assert english in in_english


def test_where_there_are_no_dirty_sequences_nobody_speaks_of_them() -> None:
    for sentence in said(meld("Kh Qh 2"), "meld-sequence-broken"):
        assert "sporca" not in sentence
        assert "dirty" not in sentence


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (meld("3x3b", "classica", **OUT), True),
        (meld("3x3b", "classica"), False),
        (meld("3x3b", "mini", **OUT), False),
        (meld("3x3b", "moderna", **OUT), False),
    ],
)
def test_what_a_source_slipped_in_about_black_threes_is_told_where_their_points_count(
    ask: dict[str, Any], told: bool
) -> None:
    codes = {reason["code"] for reason in answered(ask)["reasons"]}
    assert bool(codes & {"fault-black-three-left-out", "fault-black-three-swapped"}) is told


# --------------------------------------------------------------------------------------- on the pad


def found(variant: str, melds: list[str], code: str) -> Finding:
    """What the pad finds in a hand of a side that went out with these melds."""
    sides = {"noi": {"melds": melds}, "loro": {}}
    hand = {
        "variant": variant,
        "before": {"noi": 0, "loro": 0},
        "sides": sides,
        "out": {"side": "noi"},
    }
    read = read_hand_request(json.dumps(hand))
    return next(each for each in judge(read.rules, read.hand).findings if each.code == code)


PROBLEMS = [
    ("moderna", ["4x7 2"], "meld-too-many-wilds", "non ci stanno matte", "holds no wild cards"),
    (
        "hand-and-foot",
        ["3xK 2x2"],
        "meld-too-many-wilds",
        "al massimo 1 matta",
        "at most 1 wild card (",
    ),
    ("classica", ["4xK 4x2"], "meld-too-many-wilds", "al massimo 3 (", "at most 3 wild cards"),
    (
        "moderna",
        ["3x3b"],
        "meld-kind-not-allowed",
        "In questo gioco i 3 neri non si calano mai",
        "never melded",
    ),
    (
        "samba",
        ["2x3b 2"],
        "meld-kind-not-allowed",
        "almeno 3, e in questa sono 2",
        "at least 3 of them",
    ),
    (
        "classica",
        ["4x3b 3x2"],
        "meld-kind-not-allowed",
        "al massimo 6 carte, e questa ne ha 7",
        "at most 6 cards",
    ),
    (
        "mini",
        ["3xK", "3xK"],
        "meld-rank-repeated",
        "solo quando la prima è una canasta",
        "only when the first",
    ),
    (
        "classica",
        ["3xK", "3xK"],
        "meld-rank-repeated",
        "se al tavolo va bene così",
        "if the table plays it so",
    ),
]


@pytest.mark.parametrize(("variant", "melds", "code", "italian", "english"), PROBLEMS)
def test_the_pad_says_the_rule_in_force_and_no_other_game(
    variant: str, melds: list[str], code: str, italian: str, english: str
) -> None:
    finding = found(variant, melds, code)
    assert italian in describe_finding(finding, ("noi", "loro"), words("it"))
    assert english in describe_finding(finding, ("noi", "loro"), words("en"))


def test_of_a_short_meld_of_wild_cards_the_mini_names_its_own_source_first() -> None:
    assert found("mini", ["3x2"], "meld-too-short").sources[0] == "W:Variante mini"
