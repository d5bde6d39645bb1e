"""Rulings on laid cards and the pile at the edge of a rule, and the figures that reasons name.

Worked by hand from the sources; what else is answered is in `tests/rulings/cases`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.asking import (
    codes,
    discard,
    end_of_stock,
    meld,
    opening,
    out,
    pile,
    red_threes,
    said,
    upcard,
)
from tests.rules.test_worked_rulings import answered

NO_WILD_ON = {"options": {"wild-on-canasta": "forbidden"}}
EXACTLY_SEVEN = {"options": {"canasta-size": "exactly-seven"}}
UNTIL_NATURAL = {"options": {"upcard": "turn-until-natural"}}


@pytest.mark.parametrize(
    ("ask", "verdict", "code"),
    [
        # One wild card completes the canasta, and what else comes then lies on it.
        (meld("samba", "Q 2", "6xQ"), "allowed", "meld-mixed"),
        (meld("samba", "2x2", "5xQ"), "allowed", "meld-mixed"),
        (meld("samba", "2x2", "6xQ"), "forbidden", "wild-on-canasta"),
        (meld("samba", "2", "6xQ 2"), "forbidden", "wild-on-canasta"),
        (meld("classica", "Q", "7xQ", **NO_WILD_ON), "allowed", "meld-natural"),
        (meld("classica", "2", "6xQ", **NO_WILD_ON), "allowed", "meld-mixed"),
        (meld("classica", "2 JK", "6xQ", **NO_WILD_ON), "forbidden", "wild-on-canasta"),
        (pile("classica", "K", "K 2", table=["6xK"], **NO_WILD_ON), "allowed", "pile-laid-off"),
        (pile("samba", "K", "K 2x2", table=["6xK"]), "forbidden", "wild-on-canasta"),
        # What is laid is nothing, or its cards do not make a meld.
        (meld("classica", "", "3xQ"), "forbidden", "nothing-laid"),
        (meld("classica", "K 2x3r"), "forbidden", "meld-too-few-naturals"),
        (meld("mini", "2", "4x2"), "forbidden", "table-meld-illegal"),
        (meld("uruguaiana", "2", "3x2"), "allowed", "meld-wild"),
        (opening("classica", "3xA", "2xK"), "forbidden", "meld-too-short"),
        (opening("mini", "K 2 2", score=20), "allowed", "opening-without-minimum"),
        (opening("mini", "3xK", "3xK"), "forbidden", "meld-rank-repeated"),
        (opening("mini", "K 2 2", top_card="2"), "forbidden", "top-card-needs-more"),
        (opening("mini", "2xK 2", top_card="K"), "forbidden", "top-card-needs-more"),
        (opening("mini", "5xJK", top_card="JK"), "forbidden", "top-card-stops"),
        (opening("messicana", "3x7", "3xA", top_card="7"), "forbidden", "top-card-stops"),
        (discard("canastone", "3b", wild_meld_incomplete=True), "allowed", "discard-stop"),
        (opening("canastone", "3x2", "3xJK", score=3000, options={"wild-opening": True}),
         "forbidden", "second-wild-meld"),
        (opening("samba", "Ah Kh Qh Jh", top_card="Kh"), "forbidden", "top-card-needs-more"),
        (opening("moderna", "4xQ", "3xA 2 2", top_card="K"), "silent", "top-card-not-refereed"),
        # A full meld takes no more, and a new one is begun; one just long enough is.
        (pile("classica", "4", "2x4", table=["5x4 2x2"], **EXACTLY_SEVEN),
         "allowed", "pile-with-naturals"),
        (pile("classica", "4", "2x4 2", table=["4x4"], **EXACTLY_SEVEN),
         "forbidden", "meld-too-long"),
        (pile("mini", "K", "2xK", table=["3xK"]), "forbidden", "meld-too-long"),
        (pile("mini", "K", "2xK", table=["5xK"]), "allowed", "pile-with-naturals"),
        (pile("mini", "2", "4x2 JK"), "forbidden", "pile-top-needs-more"),
        (pile("mini", "2", "5x2"), "allowed", "pile-top-with-more"),
        (pile("mini", "2", hand="4x2 K"), "allowed", "pile-top-with-more"),
        (pile("hand-and-foot", "K", hand="4xK"), "silent", "pile-not-refereed"),
        (pile("canastone", "K", hand="4xK", opened=False), "forbidden", "pile-before-opening"),
        (pile("canastone", "K", "3xK", "3x2"), "allowed", "pile-draws-too"),
        (pile("samba", "K", "Kh Qh Jh", table=["3xK"]), "allowed", "pile-laid-off"),
        (pile("samba", "Kh", "Kh Qh Jh"), "forbidden", "pile-naturals"),
        (pile("samba", "Kd", table=["Qh Jh 10h"]), "forbidden", "pile-top-unused"),
        (pile("canastone", "K", "3xK 2", table=["3x2"]), "forbidden", "wilds-blocked"),
        (pile("canastone", "K", "3xK 2", table=["7x2"]), "allowed", "pile-draws-too"),
        (out("moderna", "7xK", "7xQ", "3x7", discard="4"), "forbidden", "out-meld-incomplete"),
        # Tokens that are no cards, and more cards than there are, come before anything else.
        (pile("classica", "Z", "3xK"), "forbidden", "card-unknown"),
        (pile("classica", "K", hand="8xK"), "forbidden", "deck-exceeded"),
        (opening("classica", "3xA", top_card="x"), "forbidden", "card-unknown"),
        (out("classica", "7xQ", discard="Z"), "forbidden", "card-unknown"),
        (discard("classica", "Z"), "forbidden", "card-unknown"),
        (end_of_stock("classica", last_card="ZZ"), "forbidden", "card-unknown"),
        (upcard("classica", "K ZZ"), "forbidden", "card-unknown"),
        (upcard("canastone", "JK 2 3b JK 5", **UNTIL_NATURAL), "value", "upcard-by-number"),
    ],
)  # fmt: skip
def test_at_the_edge_of_a_rule_the_answer_is_as_worked(
    ask: dict[str, Any], verdict: str, code: str
) -> None:
    told = answered(ask)
    assert told["verdict"] == verdict
    assert code in codes(ask)


@pytest.mark.parametrize(
    ("ask", "minimum", "counted"),
    [
        # The top card counts, but nothing of the rest of the pile or of the table.
        (pile("classica", "K", "4xK", "3x4", opened=False), 50, 55),
        (pile("classica", "K", "2xK", table=["3xK"], opened=False), 50, 30),
        (pile("classica", "K", table=["3xK"], opened=False), 50, 0),
        (pile("samba", "A", "3xA", "3xA 2", opened=False, score=7000), 150, 140),
        (pile("cubana", "A", "4xA", "4xK 2", opened=False, score=5000), 150, 140),
        (opening("classica", "3xA", "5x7", score=1500), 90, 85),
        (opening("uruguaiana", "3xA", top_card="A"), 50, 60),
        # Beside natural melds lie what does not count below 50, and black threes that never open.
        (opening("canastone", "2xA 2", "3x4"), 50, 15),
        (opening("classica", "3xQ", "3x3b"), 50, 30),
        (opening("classica", "7x4", "3x3b", concealed_out=True), 50, 50),
    ],
)
def test_an_opening_counts_its_melds_and_names_what_is_missing(
    ask: dict[str, Any], minimum: int, counted: int
) -> None:
    missing = max(0, minimum - counted)
    assert answered(ask)["details"] == {"minimum": minimum, "counted": counted, "missing": missing}


def test_of_melds_with_a_card_unknown_nothing_is_counted() -> None:
    assert answered(opening("classica", "3xA", "3xK ?"))["details"] == {"minimum": 50}


@pytest.mark.parametrize("variant", ["mini", "canastone"])
def test_where_no_minimum_holds_none_is_told_of_a_side_that_has_not_opened(variant: str) -> None:
    assert answered(pile(variant, "K", "3xK", opened=False))["details"] == {}


@pytest.mark.parametrize(
    ("ask", "code", "figures"),
    [
        (meld("classica", "4xK 4x2"), "meld-too-many-wilds", ("3", "4")),
        (opening("classica", "3xA", "5x7", score=1500), "opening-below-minimum", ("85", "90", "5")),
        (pile("canastone", "K", "3xK", frozen=True), "pile-naturals", ("three", "two")),
        (upcard("classica", "K Q 2"), "upcard-too-many", ("2",)),
        (red_threes("samba", 7), "red-threes-exceeded", ("7", "6")),
    ],
)
def test_a_reason_names_its_figures(
    ask: dict[str, Any], code: str, figures: tuple[str, ...]
) -> None:
    message = said(ask, code, "en")
    assert all(figure in message for figure in figures)


@pytest.mark.parametrize(
    ("ask", "code", "is_told"),
    [
        (meld("classica", "2", "7xQ"), "wild-makes-mixed", True),
        (meld("classica", "2", "6xQ 2"), "wild-makes-mixed", False),
        (meld("canastone", "3x2"), "wild-meld-binds", True),
        (meld("canastone", "7x2"), "wild-meld-binds", False),
        (meld("uruguaiana", "3x2"), "wild-meld-binds", False),
        (meld("moderna", "2xA 2"), "wilds-only-in-opening", True),
        (meld("moderna", "3xA"), "wilds-only-in-opening", False),
        (opening("samba", "3xK", "3xK"), "meld-rank-repeated", False),
        (opening("uruguaiana", "3x2"), "opening-wilds-stop", False),
        (opening("canastone", "2xJK 2", "3xK", score=3000, options={"wild-opening": True}),
         "opening-wilds-stop", False),
        (opening("canastone", score=3000), "fault-opening-from-zero", False),
        (pile("classica", "K", "2xK 2", preset="enciclopedia"), "fault-wild-unfreezes", False),
        (out("canastone", "7xK", "5xQ 2 2", discard="4"), "out-discard-to-come", False),
        (red_threes("cubana", 2), "fault-threes-swapped", False),
    ],
)  # fmt: skip
def test_what_goes_with_an_answer_is_told_only_where_it_holds(
    ask: dict[str, Any], code: str, *, is_told: bool
) -> None:
    assert (code in codes(ask)) is is_told
