"""Rulings on what is laid: melds, openings, going out, red threes, penalties. Worked by hand from
the sources.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.referee.answering import rule
from scorepad.referee.field_types import Permission
from scorepad.referee.questions import (
    DiscardQuestion,
    EndOfStockQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PenaltyQuestion,
    PileQuestion,
    RedThreesQuestion,
)
from scorepad.referee.reasons import faults_of
from scorepad.referee.ruling import Ruling
from scorepad.rules.cards import NOTHING, read_cards
from scorepad.rules.definitions import Choices
from scorepad.rules.variants import settle, variant_ids


def asks(table: str, question: Any, options: Choices | None = None) -> Ruling:
    """The answer at a table: `variant` or `variant/preset`."""
    variant, _, preset = table.partition("/")
    return rule(settle(variant, preset or None, options), question)


def codes(answer: Ruling) -> list[str]:
    return [reason.code for reason in answer.reasons]


def meld(cards: str, on: str | None = None, *, out: bool = False) -> MeldQuestion:
    return MeldQuestion(read_cards(cards), None if on is None else read_cards(on), out)


def opens(score: int, *melds: str, top: str | None = None, **more: Any) -> OpeningQuestion:
    top_card = None if top is None else read_cards(top)
    return OpeningQuestion(score, tuple(read_cards(each) for each in melds), top_card, **more)


def out(*melds: str, discard: str | None = None, **more: Any) -> OutQuestion:
    noted = {} if discard is None else {"discard": read_cards(discard)}
    return OutQuestion(tuple(read_cards(each) for each in melds), **noted, **more)


# -------------------------------------------------------------------------------------------- melds

EXACTLY = {"canasta-size": "exactly-seven"}
NO_WILD_ON = {"wild-on-canasta": "forbidden"}
FEWER = {"wild-limit": "fewer-than-naturals"}
PURE = {"black-threes-out": "pure"}
TWO_WILDS = {"wild-limit": "two"}
BLACK_CANASTA = {"black-three-canasta": True}
DIRTY = {"dirty-escalera": True}


@pytest.mark.parametrize(
    ("table", "question", "options", "told"),
    [
        ("classica", meld("3xK"), {}, ("natural", 30, None, 0)),
        ("classica", meld("2x8 2 JK JK"), {}, ("mixed", 140, None, 0)),
        ("classica", meld("K K", "5xK"), {}, ("natural", 70, "natural-canasta", 500)),
        ("classica", meld("2", "7xQ"), {}, ("mixed", 90, "mixed-canasta", 300)),
        ("classica", meld("Q", "7xQ"), NO_WILD_ON, ("natural", 80, "natural-canasta", 500)),
        ("classica", meld("2", "6xQ"), NO_WILD_ON, ("mixed", 80, "mixed-canasta", 300)),
        ("classica", meld("2x2", "6xQ"), {}, ("mixed", 100, "mixed-canasta", 300)),
        # The wild card completes the canasta, and the queen comes onto it.
        ("samba", meld("Q 2", "6xQ"), {}, ("mixed", 90, "mixed-canasta", 300)),
        ("samba", meld("2x2", "5xQ"), {}, ("mixed", 90, "mixed-canasta", 300)),
        ("classica", meld("3x3b", out=True), {}, ("black-threes", 15, None, 0)),
        ("classica", meld("2x3b 2", out=True), {}, ("black-threes", 30, None, 0)),
        ("classica", meld("7x4"), {"concealed-canasta": 100}, ("natural", 35, "natural-canasta", 600)),
        ("classica/getty", meld("5x9 2 2"), {}, ("mixed", 90, "mixed-canasta", 400)),
        ("classica/getty", meld("2 2", "5x9"), {}, ("mixed", 90, "mixed-canasta", 300)),
        ("classica/getty", meld("9 9 9 2 2 JK"), {}, ("mixed", 120, None, 0)),
        ("classica/getty", meld("4x3b", out=True), {}, ("black-threes", 20, None, 0)),
        ("classica/giochi", meld("3x7 2", "7 7 2"), {}, ("mixed", 65, "mixed-canasta", 300)),
        ("uruguaiana", meld("4xJK 3x2"), {}, ("wild", 260, "wild-canasta", 2000)),
        ("cubana", meld("7x2"), {}, ("wild", 140, "twos-canasta", 4000)),
        ("cubana", meld("4xJK 3x2"), {}, ("wild", 260, "four-jokers-canasta", 3000)),
        ("cubana", meld("JK", "6x2"), {}, ("wild", 170, "wild-canasta", 2000)),
        ("messicana", meld("5x7 2 2"), {}, ("mixed", 65, "sevens-canasta", 1000)),
        ("sette", meld("7x7"), {}, ("natural", 35, "sevens-canasta", 2000)),
        ("samba", meld("Ah Kh Qh Jh 10h 9h 8h"), {}, ("sequence", 80, "samba", 1500)),
        ("samba", meld("4d 5d 6d"), {}, ("sequence", 15, None, 0)),
        ("samba", meld("K", "5xK 2 2"), {}, ("mixed", 100, "mixed-canasta", 300)),
        ("samba", meld("5x3b 2 2", out=True), BLACK_CANASTA, ("black-threes", 65, "mixed-canasta", 300)),
        ("bolivia", meld("5x2 JK JK"), {}, ("wild", 200, "bolivia", 2500)),
        ("bolivia", meld("Qh Jh 9h 8h 7h 2 2"), DIRTY, ("dirty-sequence", 85, "dirty-samba", 300)),
        ("canastone", meld("4xA", "3x2"), {}, ("mixed", 140, "mixed-aces-canasta", 500)),
        ("canastone", meld("7xA"), {}, ("natural", 140, "natural-aces-canasta", 1000)),
        ("canastone", meld("3x2 JK"), {}, ("wild", 110, None, 0)),
        ("canastone", meld("2", "6xJK"), {}, ("wild", 320, "six-jokers-canasta", 5000)),
        ("moderna", meld("2xA 2 2"), {}, ("mixed", 80, None, 0)),
        ("moderna", meld("2", "3xA 2"), {}, ("mixed", 100, None, 0)),
        ("moderna", meld("3xJK 4x2"), {}, ("wild", 230, "wild-canasta", 2000)),
        ("hand-and-foot", meld("4xQ 2 2"), {}, ("mixed", 80, None, 0)),
        ("hand-and-foot", meld("7x2"), {}, ("wild", 140, "wild-canasta", 1500)),
    ],
)  # fmt: skip
def test_a_meld_that_may_be_laid(
    table: str, question: MeldQuestion, options: Choices, told: tuple[str, int, str | None, int]
) -> None:
    answer = asks(table, question, options)
    assert answer.verdict == "allowed"
    assert answer.details == dict(zip(("kind", "points", "canasta", "bonus"), told, strict=True))
    assert answer.reasons[0].code == f"meld-{told[0]}"
    assert all(reason.sources for reason in answer.reasons)


@pytest.mark.parametrize(
    ("cards", "on", "kind", "canasta", "bonus"),
    [
        ("5xK", None, "natural", "natural-canasta", 2),
        ("K K", "K 2 JK", "mixed", "mixed-canasta", 1),
        ("K 2 2", None, "mixed", None, 0),
        ("5xJK", None, "wild", "wild-canasta", 5),
        ("5x2", None, "wild", "twos-canasta", 10),
    ],
)  # fmt: skip
def test_mini_counts_canastas_in_units_and_no_points(
    cards: str, on: str | None, kind: str, canasta: str | None, bonus: int
) -> None:
    answer = asks("mini", meld(cards, on))
    assert answer.details == {"kind": kind, "canasta": canasta, "bonus": bonus}
    assert ("canasta-with-out-needs" in codes(answer)) is (canasta is not None)


@pytest.mark.parametrize(
    ("table", "question", "options", "reasons", "points"),
    [
        ("classica", meld("K K"), {}, ["meld-too-short"], 20),
        ("classica", meld("K Q J"), {}, ["meld-mixed-ranks", "fault-suits-and-sequences"], 30),
        ("classica", meld("4xK 4x2"), {}, ["meld-too-many-wilds"], 120),
        ("classica", meld("3x2"), {}, ["meld-too-few-naturals"], 60),
        ("classica", meld("3xK 3r"), {}, ["meld-red-three"], 30),
        ("classica", meld("9xK"), {}, ["deck-exceeded"], 90),
        ("classica", meld("3x3b"), {}, ["black-threes-not-out"], 15),
        ("classica", meld("2x3b 2", out=True), PURE, ["meld-kind-not-allowed"], 30),
        ("classica", meld("3x3r"), {}, ["meld-red-three"], 0),
        ("classica", meld("K 2x3r"), {}, ["meld-red-three", "meld-too-few-naturals"], 10),
        ("classica", meld("2xK 2x2"), FEWER, ["meld-too-many-wilds"], 60),
        ("classica", meld("2", "7xQ"), NO_WILD_ON, ["wild-on-canasta"], 90),
        ("classica", meld("2", "6xQ 2"), NO_WILD_ON, ["wild-on-canasta"], 100),
        ("classica", meld("Q", "7xQ"), EXACTLY, ["meld-too-long"], 80),
        ("classica", meld("", "3xQ"), {}, ["nothing-laid"], 30),
        ("classica", meld("Q", "QQ Q"), {}, ["card-unknown"], None),
        ("classica", meld("2xQ", "Q"), {}, ["table-meld-illegal"], 30),
        ("classica/giochi", meld("Q", "7xQ"), {}, ["meld-too-long"], 80),
        ("classica/getty", meld("9 9 2 2 JK"), {}, ["meld-too-many-wilds", "fault-wilds-not-lost"], 110),
        ("samba", meld("2", "7xK"), {}, ["wild-on-canasta"], 90),
        # Six lie there: one wild card completes the canasta, and the second would come onto it.
        ("samba", meld("2x2", "6xQ"), {}, ["wild-on-canasta"], 100),
        ("samba", meld("2", "6xQ 2"), {}, ["wild-on-canasta"], 100),
        ("classica", meld("2x2", "6xQ"), NO_WILD_ON, ["wild-on-canasta"], 100),
        ("classica", meld("2 JK", "6xQ"), NO_WILD_ON, ["wild-on-canasta"], 130),
        ("samba", meld("5xK 3x2"), {}, ["meld-too-many-wilds"], 110),
        ("samba", meld("Qh Jh 10d"), {}, ["meld-sequence-broken"], 30),
        ("samba", meld("Qh Jh 10h 2"), {}, ["meld-sequence-broken"], 50),
        ("bolivia", meld("2", "10h 9h 8h 7h 6h 5h 4h"), DIRTY, ["wild-on-canasta"], 70),
        ("bolivia", meld("2xK", "3x2"), {}, ["meld-too-many-wilds"], 80),
        ("canastone", meld("4xK", "4x2"), {}, ["meld-too-many-wilds"], 120),
        ("canastone", meld("4xK", "3x2"), TWO_WILDS, ["meld-too-many-wilds"], 100),
        ("canastone", meld("3x3b", out=True), {}, ["meld-kind-not-allowed"], 15),
        ("moderna", meld("2", "3xA"), {}, ["natural-after-opening"], 80),
        ("moderna", meld("2", "4x7"), {}, ["meld-too-many-wilds"], 40),
        ("hand-and-foot", meld("3xQ 2 2"), {}, ["meld-too-many-wilds"], 70),
        ("cubana", meld("Q", "7xQ"), {}, ["meld-too-long"], 80),
    ],
)  # fmt: skip
def test_a_meld_that_may_not_be_laid(
    table: str, question: MeldQuestion, options: Choices, reasons: list[str], points: int | None
) -> None:
    answer = asks(table, question, options)
    assert answer.verdict == "forbidden"
    assert sorted(codes(answer)) == sorted(reasons)
    assert answer.details == ({} if points is None else {"points": points})


@pytest.mark.parametrize(
    ("cards", "on"), [("4x2", None), ("2", "4x2"), ("6xK", None), ("K", "5xK"), ("3x3b", None)]
)
def test_in_mini_the_five_and_the_ten_come_down_whole_and_nothing_grows_past_five(
    cards: str, on: str | None
) -> None:
    answer = asks("mini", meld(cards, on))
    assert answer.verdict == "forbidden"
    assert not answer.details


def test_no_source_says_whether_naturals_may_join_wild_cards_where_those_may_lie_alone() -> None:
    answer = asks("uruguaiana", meld("4xK", "3x2"))
    assert answer.verdict == "silent"
    assert codes(answer) == ["naturals-on-wilds-unspoken"]
    assert answer.details == {"points": 100}
    # More wild cards on them are only more of the same.
    assert asks("uruguaiana", meld("2", "3x2")).verdict == "allowed"


def test_a_meld_that_is_allowed_tells_what_goes_with_it() -> None:
    assert "wild-makes-mixed" in codes(asks("classica", meld("2", "7xQ")))
    assert "wild-makes-mixed" not in codes(asks("classica", meld("2", "6xQ 2")))
    assert "canasta-concealed" in codes(asks("classica/getty", meld("7xQ")))
    assert "fault-wilds-not-lost" in codes(asks("classica/getty", meld("5xQ 2 2")))
    assert "wilds-become-mixed" in codes(asks("canastone", meld("4xK", "3x2")))
    assert "wild-meld-binds" in codes(asks("canastone", meld("3x2")))
    assert "wild-meld-binds" not in codes(asks("canastone", meld("7x2")))
    assert "wild-meld-binds" not in codes(asks("uruguaiana", meld("3x2")))
    assert "wilds-only-in-opening" in codes(asks("moderna", meld("2xA 2")))
    assert "wilds-only-in-opening" not in codes(asks("moderna", meld("3xA")))


def test_the_wilds_that_a_meld_holds_are_told_with_the_limit_in_force() -> None:
    reason = asks("classica", meld("4xK 4x2")).reasons[0]
    assert reason.arguments == {"wilds": 4, "allowed": 3, "naturals": 4, "why": "some", "meld": 1}
    assert "W:Svolgimento del gioco" in reason.sources


# ----------------------------------------------------------------------------------------- openings


@pytest.mark.parametrize(
    ("table", "score", "minimum"),
    [
        ("classica", -5, 15), ("classica", 0, 50), ("classica", 1495, 50), ("classica", 1499, 50),
        ("classica", 1500, 90), ("classica", 2995, 90), ("classica", 3000, 120), ("classica", 4995, 120),
        ("classica/giochi", 1500, 50), ("classica/enciclopedia", -5, 50),
        ("tagliagola", 1500, 90), ("cinque", 3000, 120), ("uruguaiana", 0, 50),
        ("cubana", 4995, 120), ("cubana", 5000, 150), ("messicana", 1500, 90), ("sette", 3000, 120),
        ("samba", -5, 15), ("samba", 6995, 120), ("samba", 7000, 150), ("bolivia", 1500, 90),
        ("canastone", -100, 15), ("canastone", 2995, 50), ("canastone", 3000, 90), ("canastone", 5000, 120),
        ("canastone", 7000, 160), ("canastone", 10000, 180), ("canastone", 12000, 200),
        ("moderna", -5, 125), ("moderna", 2995, 125), ("moderna", 3000, 155), ("moderna", 5000, 180),
    ],
)  # fmt: skip
def test_without_melds_the_answer_is_the_minimum_for_the_score(
    table: str, score: int, minimum: int
) -> None:
    answer = asks(table, opens(score))
    assert answer.verdict == "value"
    assert answer.details == {"minimum": minimum}
    below = "opening-minimum-below-zero" if score < 0 else "opening-minimum"
    assert answer.reasons[0].code == below
    assert answer.reasons[0].arguments == {"minimum": minimum, "score": score}


@pytest.mark.parametrize(("deal", "minimum"), [(1, 50), (2, 90), (3, 120), (4, 150)])
def test_in_hand_and_foot_the_minimum_goes_by_the_hand(deal: int, minimum: int) -> None:
    answer = asks("hand-and-foot", opens(5000, deal=deal))
    assert answer.details == {"minimum": minimum}
    assert codes(answer) == ["opening-minimum-of-hand"]


def test_what_the_sources_left_out_of_the_openings_is_told() -> None:
    assert "fault-without-fifteen" in codes(asks("classica", opens(-5)))
    assert "fault-only-fifty" in codes(asks("classica", opens(1500)))
    assert codes(asks("classica", opens(0))) == ["opening-minimum"]
    assert codes(asks("canastone", opens(-5))) == [
        "opening-minimum-below-zero",
        "fault-opening-from-zero",
    ]
    assert codes(asks("canastone", opens(3000))) == ["opening-minimum"]


def test_mini_opens_with_any_meld_of_three_and_no_minimum() -> None:
    assert asks("mini", opens(0)).details == {}
    for cards in ("3xK", "K 2 2", "5x2"):
        answer = asks("mini", opens(20, cards))
        assert answer.verdict == "allowed"
        assert answer.details == {}
        assert codes(answer) == ["opening-without-minimum"]
    assert codes(asks("mini", opens(0, "K K"))) == ["meld-too-short"]
    # Two melds to become canastas of one rank are not begun.
    assert codes(asks("mini", opens(0, "3xK", "3xK"))) == ["meld-rank-repeated"]


@pytest.mark.parametrize(
    ("table", "question", "options", "minimum", "counted"),
    [
        ("classica", opens(0, "3xQ", "4x5"), {}, 50, 50),
        ("classica", opens(1500, "3xA", "6x7"), {}, 90, 90),
        ("classica", opens(-5, "3x4"), {}, 15, 15),
        ("classica", opens(0, "3xQ", "5x4", top="Q"), {}, 50, 55),
        ("classica", opens(0, "2xQ 2", "3x10", top="Q"), {}, 50, 70),
        ("classica", opens(0, "7x4", "3x3b", concealed_out=True), {}, 50, 50),
        ("uruguaiana", opens(0, "3x2"), {}, 50, 60),
        ("uruguaiana", opens(0, "3xA", top="A"), {}, 50, 60),
        ("cubana", opens(5000, "3xJK"), {}, 150, 150),
        ("bolivia", opens(1500, "JK JK 2"), {}, 90, 120),
        ("samba", opens(0, "Ah Kh Qh Jh"), {}, 50, 50),
        ("samba", opens(0, "3xA", top="A"), {}, 50, 60),
        ("canastone", opens(0, "3xA", "2xK 2"), {}, 50, 60),
        ("canastone", opens(3000, "2xK JK", "2xA"+" 2"), {}, 90, 130),
        ("canastone", opens(3000, "2xJK 2"), {"wild-opening": True}, 90, 120),
        ("canastone", opens(-5, "3x4"), {}, 15, 15),
        ("moderna", opens(0, "4xK", "3xA 2 2"), {}, 125, 140),
        ("hand-and-foot", opens(0, "4xK 2 2", "4x5", deal=2), {}, 90, 100),
        ("tagliagola", opens(3000, "4xA JK"), {}, 120, 130),
    ],
)  # fmt: skip
def test_melds_that_open(
    table: str, question: OpeningQuestion, options: Choices, minimum: int, counted: int
) -> None:
    answer = asks(table, question, options)
    assert answer.verdict == "allowed", codes(answer)
    assert answer.details == {"minimum": minimum, "counted": counted, "missing": 0}
    assert "opening-reached" in codes(answer)


@pytest.mark.parametrize(
    ("table", "question", "options", "reason", "minimum", "counted"),
    [
        ("classica", opens(1500, "3xA", "5x7"), {}, "opening-below-minimum", 90, 85),
        ("classica", opens(0, "3xQ", "3x3b"), {}, "opening-below-minimum", 50, 30),
        ("classica", opens(0, "3xA", "2xK 3r"), {}, "meld-red-three", 50, 80),
        ("classica", opens(0, "3xA", top="K"), {}, "top-card-unused", 50, 60),
        ("classica", opens(0, "3xA 2", top="2"), {}, "top-card-stops", 50, 80),
        ("classica", opens(0, "3xA", top="x"), {}, "card-unknown", 50, 60),
        ("classica", opens(0, "3xA", "2xK"), {}, "meld-too-short", 50, 80),
        ("classica/getty", opens(1500, "7x4", "3x5", concealed_out=True), {}, "opening-below-minimum", 90, 50),
        ("uruguaiana", opens(0, "2xA 2", top="A"), {}, "top-card-needs-more", 50, 60),
        ("messicana", opens(0, "3x7", "3xA", top="7"), {}, "top-card-stops", 50, 75),
        ("samba", opens(0, "Ah Kh Qh Jh", top="Kh"), {}, "top-card-needs-more", 50, 50),
        ("canastone", opens(0, "2xA 2", "3x4"), {}, "opening-below-minimum", 50, 15),
        ("canastone", opens(3000, "2xJK 2"), {}, "opening-below-minimum", 90, 120),
        ("canastone", opens(0, "3xA", top="A"), {}, "top-card-never-opens", 50, 60),
        ("canastone", opens(3000, "3x2", "3xJK"), {"wild-opening": True}, "second-wild-meld", 90, 210),
        ("moderna", opens(0, "2xA 2", "2xK 2", "2xQ 2"), {}, "opening-below-minimum", 125, 140),
        ("moderna", opens(0, "5xK 2 2", "3xQ", "3x10"), {}, "opening-below-minimum", 125, 150),
        ("hand-and-foot", opens(0, "4xK", deal=2), {}, "opening-below-minimum", 90, 40),
    ],
)  # fmt: skip
def test_melds_that_do_not_open(
    table: str, question: OpeningQuestion, options: Choices, reason: str, minimum: int, counted: int
) -> None:
    answer = asks(table, question, options)
    assert answer.verdict == "forbidden"
    assert reason in codes(answer)
    missing = max(0, minimum - counted)
    assert answer.details == {"minimum": minimum, "counted": counted, "missing": missing}


def test_the_points_that_an_opening_lacks_are_in_its_reason() -> None:
    (reason, _) = asks("classica", opens(1500, "3xA", "5x7")).reasons
    wanted = {"why": "points", "points": 85, "minimum": 90, "missing": 5, "score": 1500, "deal": 1}
    assert reason.arguments == wanted
    assert "W:L'apertura" in reason.sources


def test_of_melds_with_a_card_unknown_nothing_is_counted() -> None:
    answer = asks("classica", opens(0, "3xA", "3xK ?"))
    assert codes(answer) == ["card-unknown"]
    assert answer.details == {"minimum": 50}


@pytest.mark.parametrize(
    ("table", "melds"),
    [
        ("moderna", ["4xK", "3xA 2 2"]),
        ("moderna", ["4xQ", "3xA 2 2"]),
        ("hand-and-foot", ["4xA 2 2", "3xK"]),
    ],
)
def test_where_the_pile_is_not_refereed_an_opening_with_its_top_card_is_left_open(
    table: str, melds: list[str]
) -> None:
    answer = asks(table, opens(0, *melds, top="K"))
    assert answer.verdict == "silent"
    assert codes(answer) == ["top-card-not-refereed"]
    assert answer.details["missing"] == 0


def test_melds_with_wild_cards_lie_beside_an_opening_of_naturals() -> None:
    answer = asks("canastone", opens(0, "3xA", "2xK 2"))
    assert codes(answer)[:3] == ["opening-minimum", "opening-reached", "opening-melds-aside"]


def test_who_goes_out_concealed_by_own_melds_alone_needs_no_minimum() -> None:
    assert asks("classica/giochi", opens(3000, concealed_out=True)).details == {}
    answer = asks("classica/giochi", opens(3000, "7x4", "3x5", concealed_out=True))
    assert answer.verdict == "allowed"
    assert answer.details == {"counted": 50}
    assert codes(answer) == ["opening-concealed-without-minimum"]
    # Without a canasta of his own nobody goes out like that: 3 x 5 + 3 x 5 = 30 of the 50 that G
    # names.
    answer = asks("classica/giochi", opens(3000, "3x4", "3x5", concealed_out=True))
    assert answer.verdict == "forbidden"
    assert codes(answer) == ["opening-below-minimum", "opening-not-out"]
    assert answer.details == {"minimum": 50, "counted": 30, "missing": 20}
    # Who reaches the minimum has opened in any case, but is told that it is no going out: 5 x 10 =
    # 50.
    for table in ("classica/giochi", "classica"):
        answer = asks(table, opens(0, "5x8", concealed_out=True))
        assert answer.verdict == "allowed"
        assert codes(answer) == ["opening-minimum", "opening-reached", "opening-not-out"]
        assert answer.details == {"minimum": 50, "counted": 50, "missing": 0}
    # Nor do black threes lie in it: they are melded by who goes out.
    assert asks("classica", opens(0, "3xA", "3x3b", concealed_out=True)).verdict == "forbidden"


def test_two_melds_of_a_rank_open_with_a_word_on_the_sources_that_want_one() -> None:
    for table in ("classica", "classica/getty"):
        answer = asks(table, opens(0, "3xK", "3xK"))
        assert (answer.verdict, codes(answer)[-1]) == ("allowed", "meld-rank-repeated")
        assert answer.reasons[-1].sources[0].startswith("H:")
    assert "meld-rank-repeated" not in codes(asks("samba", opens(0, "3xK", "3xK")))
    assert "meld-rank-repeated" not in codes(asks("classica", opens(0, "3xK", "3xQ")))


def test_the_opening_of_wild_cards_alone_binds_the_opponents_in_the_canastone() -> None:
    wild = {"wild-opening": True}
    assert "opening-wilds-stop" in codes(asks("canastone", opens(3000, "2xJK 2"), wild))
    # With natural cards beside it is an opening like any other, and elsewhere wild cards bind
    # nobody.
    assert "opening-wilds-stop" not in codes(asks("canastone", opens(3000, "2xJK 2", "3xK"), wild))
    assert "opening-wilds-stop" not in codes(asks("uruguaiana", opens(0, "3x2")))


@pytest.mark.parametrize(
    ("melds", "top", "reasons"),
    [
        (["5x2"], "2", ["opening-without-minimum"]),
        (["K 2 2"], "2", ["top-card-needs-more"]),
        (["3xK"], "2", ["top-card-unused"]),
        (["5xJK"], "JK", ["top-card-stops"]),
        (["3xK"], "3r", ["top-card-stops"]),
        (["3xK"], "K", ["opening-without-minimum"]),
        (["2xK 2"], "K", ["top-card-needs-more"]),
    ],
)  # fmt: skip
def test_in_mini_the_top_card_is_taken_with_two_equal_ones_a_two_with_four(
    melds: list[str], top: str, reasons: list[str]
) -> None:
    assert codes(asks("mini", opens(0, *melds, top=top))) == reasons


# ---------------------------------------------------------------------------------------- going out

BOOKS = ("7x4", "7x5", "5x6 2 2", "5xK 2 2", "7x2")
GRANTED = {"permission": Permission.GRANTED}


@pytest.mark.parametrize(
    ("table", "question", "options", "bonus"),
    [
        ("classica", out("7xK"), {}, 100),
        ("classica", out("7xK", discard="4"), {}, 100),
        ("classica", out("7xK", **GRANTED), {}, 100),
        ("classica", out("5xK 2 2", "3x3b"), {}, 100),
        ("classica", out("7xK", concealed=True), {}, 200),
        ("classica/giochi", out("7xK", concealed=True), {}, 200),
        ("due", out("7xK", "7xQ", permission=Permission.REFUSED), {}, 100),
        ("due", out("7xK"), {"code": "usa-1"}, 100),
        ("tre", out("7xK"), {}, 100),
        ("uruguaiana", out("7x2"), {}, 100),
        ("cubana", out("7xK", concealed=True), {}, 100),
        ("messicana", out("7xK", "7xQ", red_threes=2), {}, 100),
        ("sette", out("7xK", "3x7"), {}, 100),
        ("samba", out("7xK", "10h 9h 8h 7h 6h 5h 4h"), {}, 200),
        ("samba", out("7xK", "7xQ", concealed=True), {}, 200),
        ("samba", out("7xK", "5x3b 2 2"), BLACK_CANASTA, 200),
        ("bolivia", out("7x2", "10h 9h 8h 7h 6h 5h 4h"), {}, 200),
        ("canastone", out("7xK", "5xQ 2 2", discard="4"), {}, 300),
        ("canastone", out("7xK", "5xQ 2 2", discard="4", concealed=True), {}, 500),
        ("canastone", out("7xK", "7xQ", "7x10", "7x9", "5x8 2 2", discard="4"), {}, 1000),
        ("canastone", out("7xK", "7xQ", "7x10", "7x9", "7x6", "5x8 2 2", discard="4"), {}, 2000),
        ("canastone", out("7xK", "7xQ", "7x10", "7x9", "5x8 2 2", discard="4"), {"out-bonus": "sum"}, 1300),
        ("mini", out("5xK", "3xQ 2 2"), {}, 0),
        ("mini", out("5x2", "5xJK", discard="2"), {}, 0),
        ("moderna", out("7xK", "5xQ 2 2", discard="2"), {}, 100),
        ("hand-and-foot", out(*BOOKS, **GRANTED), {}, 100),
        ("hand-and-foot", out("7x4", "5x6 2 2", **GRANTED), {"books-needed": "one-one"}, 100),
    ],
)  # fmt: skip
def test_who_may_go_out_and_the_bonus(
    table: str, question: OutQuestion, options: Choices, bonus: int
) -> None:
    answer = asks(table, question, options)
    assert answer.verdict == "allowed", codes(answer)
    assert answer.details == {"bonus": bonus}
    assert ("out-worth-nothing" in codes(answer)) is (bonus == 0)
    assert all(reason.sources for reason in answer.reasons)


@pytest.mark.parametrize(
    ("table", "question", "reasons"),
    [
        ("classica", out("6xK"), ["out-canastas-missing"]),
        ("classica", out("7xK", discard="2"), ["out-discard-special"]),
        ("classica", out("7xK", discard="3b"), ["out-discard-special"]),
        ("classica", out("7xK", permission=Permission.REFUSED), ["permission-refused"]),
        ("classica", out("7xK", "2xQ"), ["meld-too-short"]),
        ("classica", out("7xK", discard="?"), ["card-unknown"]),
        ("tagliagola", out("7xK", permission=Permission.REFUSED), ["permission-refused"]),
        ("due", out("7xK"), ["out-canastas-missing"]),
        ("messicana", out("7xK", "7xQ", red_threes=1), ["out-red-threes-missing"]),
        ("messicana", out("7xK", "7xQ", red_threes=7), ["red-threes-exceeded"]),
        ("samba", out("7xK"), ["out-canastas-missing"]),
        ("bolivia", out("7xK", "7xQ"), ["out-canastas-missing"]),
        ("canastone", out("7xK", "7xQ", discard="4"), ["out-canastas-missing"]),
        ("canastone", out("7xK", "5xQ 2 2", "3x2", discard="4"), ["out-wild-meld-incomplete"]),
        ("canastone", OutQuestion((read_cards("7xK"), read_cards("5xQ 2 2")), NOTHING),
         ["out-discard-missing"]),
        ("mini", out("5xK", "5xQ"), ["out-canastas-missing"]),
        ("moderna", out("7xK", "7xQ", "3xA", discard="4"), ["out-meld-incomplete"]),
        ("moderna", out("7xK", "7xQ", "3x7", "3x2", discard="3b"),
         ["out-wild-meld-incomplete", "out-meld-incomplete", "out-discard-special"]),
        ("hand-and-foot", out(*BOOKS), ["permission-not-asked"]),
        ("hand-and-foot", out("7x4", "7x5", "5x6 2 2", "7x2", **GRANTED),
         ["out-canastas-missing", "permission-then-no-out"]),
    ],
)  # fmt: skip
def test_who_may_not_go_out(table: str, question: OutQuestion, reasons: list[str]) -> None:
    answer = asks(table, question)
    assert answer.verdict == "forbidden"
    assert sorted(codes(answer)) == sorted(reasons)
    assert not answer.details


def test_what_the_table_at_the_end_does_not_show_is_told_beside_the_bonus() -> None:
    assert "out-concealed-opens" in codes(asks("classica", out("7xK", concealed=True)))
    assert "out-concealed-own-melds" in codes(asks("classica/giochi", out("7xK", concealed=True)))
    assert codes(asks("mini", out("5xK", "3xQ 2 2", concealed=True))) == [
        "out-canastas-enough",
        "out-worth-nothing",
    ]
    assert "out-discard-to-come" in codes(asks("canastone", out("7xK", "5xQ 2 2")))
    assert "out-discard-to-come" not in codes(asks("canastone", out("7xK", "5xQ 2 2", discard="4")))


# --------------------------------------------------------------------------------------- red threes

NATURAL, MIXED = {"natural-canasta": 1}, {"mixed-canasta": 1}
BOTH = {**NATURAL, **MIXED}
TO_OPPONENTS, ZERO = {"red-threes-unopened": "to-opponents"}, {"red-threes-unopened": "zero"}
SHARED = {"red-threes-mode": "shared"}


@pytest.mark.parametrize(
    ("table", "question", "options", "points", "reason"),
    [
        ("classica", RedThreesQuestion(0, True, {}), {}, 0, "red-threes-worth"),
        ("classica", RedThreesQuestion(3, True, {}), {}, 300, "red-threes-for"),
        ("classica", RedThreesQuestion(4, True, {}), {}, 800, "red-threes-for"),
        ("classica", RedThreesQuestion(1, False, {}), {}, -100, "red-threes-against"),
        ("classica", RedThreesQuestion(4, False, {}), {}, -800, "red-threes-against"),
        ("classica", RedThreesQuestion(2, False, {}), ZERO, 0, "red-threes-nothing"),
        ("classica", RedThreesQuestion(2, False, {}), TO_OPPONENTS, 0, "red-threes-to-opponents"),
        ("classica/enciclopedia", RedThreesQuestion(4, False, {}), {}, 0, "red-threes-nothing"),
        ("tagliagola", RedThreesQuestion(2, False, {}), {}, -200, "red-threes-against"),
        ("cubana", RedThreesQuestion(2, True, NATURAL), {}, 300, "red-threes-for"),
        ("cubana", RedThreesQuestion(3, True, {}), {}, -500, "red-threes-against"),
        ("cubana", RedThreesQuestion(4, True, MIXED), {}, 1000, "red-threes-for"),
        ("messicana", RedThreesQuestion(5, True, {}), {}, 500, "red-threes-for"),
        ("messicana", RedThreesQuestion(6, True, {}), {}, 1200, "red-threes-for"),
        ("samba", RedThreesQuestion(6, True, {"samba": 2}), {}, 1000, "red-threes-for"),
        ("samba", RedThreesQuestion(2, True, NATURAL), {}, -200, "red-threes-against"),
        ("bolivia", RedThreesQuestion(2, True, {"natural-canasta": 2}), {}, -200, "red-threes-against"),
        ("bolivia", RedThreesQuestion(2, True, {"samba": 1, "bolivia": 1}), {}, 200, "red-threes-for"),
        ("canastone", RedThreesQuestion(4, True, BOTH), {}, 800, "red-threes-for"),
        ("canastone", RedThreesQuestion(3, True, NATURAL), {}, 0, "red-threes-nothing"),
        ("canastone", RedThreesQuestion(5, True, MIXED), {}, -1000, "red-threes-against"),
        ("canastone", RedThreesQuestion(1, True, {}), {}, -200, "red-threes-twice-against"),
        ("canastone", RedThreesQuestion(6, True, {"twos-canasta": 1, "wild-canasta": 1}), {}, 1200, "red-threes-for"),
        ("canastone", RedThreesQuestion(3, True, MIXED), SHARED, 150, "red-threes-shared"),
        ("canastone", RedThreesQuestion(3, True, {}), SHARED, 0, "red-threes-to-opponents"),
        ("canastone", RedThreesQuestion(3, True, NATURAL), SHARED, 0, "red-threes-nothing"),
        ("moderna", RedThreesQuestion(2, True, {}), {}, -300, "red-threes-against"),
        ("moderna", RedThreesQuestion(2, True, NATURAL), {}, 0, "red-threes-nothing"),
        ("moderna", RedThreesQuestion(4, True, BOTH), {}, 1000, "red-threes-for"),
        ("hand-and-foot", RedThreesQuestion(7, False, {}), {}, 700, "red-threes-always"),
        ("mini", RedThreesQuestion(3, True, {}), {}, 0, "red-threes-no-bonus"),
    ],
)  # fmt: skip
def test_what_red_threes_are_worth(
    table: str, question: RedThreesQuestion, options: Choices, points: int, reason: str
) -> None:
    answer = asks(table, question, options)
    assert answer.verdict == "value"
    assert answer.details["points"] == points
    assert ("opponents" in answer.details) is (
        reason in ("red-threes-to-opponents", "red-threes-shared")
    )
    assert reason in codes(answer)
    assert all(reason.sources for reason in answer.reasons)


@pytest.mark.parametrize(("table", "held"), [("classica", 4), ("samba", 6), ("hand-and-foot", 10)])
def test_more_red_threes_than_the_decks_hold_there_cannot_be(table: str, held: int) -> None:
    assert asks(table, RedThreesQuestion(held)).verdict == "value"
    answer = asks(table, RedThreesQuestion(held + 1))
    assert answer.verdict == "forbidden"
    assert codes(answer) == ["red-threes-exceeded"]
    assert answer.reasons[0].arguments == {"threes": held + 1, "limit": held}
    assert not answer.details


def test_the_colours_that_a_source_swapped_are_told_where_its_figure_holds() -> None:
    assert "fault-threes-swapped" in codes(asks("classica", RedThreesQuestion(2)))
    assert "fault-threes-swapped" not in codes(asks("cubana", RedThreesQuestion(2)))


def test_the_slips_of_a_setting_are_those_of_the_sources_that_it_rests_on() -> None:
    # E leaves out the 15 points below zero, G names only 50.
    told = [reason.code for reason in faults_of(settle("classica"), "opening-steps")]
    assert told == ["fault-without-fifteen", "fault-only-fifty"]
    assert not list(faults_of(settle("canastone"), "opening-steps"))


# ---------------------------------------------------------------------------------------- penalties

REMEDIES = {
    "red-three-not-exposed": (500, None), "pile-taken-without-meld": (50, "pile-put-back"),
    "pile-taken-top-card-unused": (200, "penalty-cards"), "draw-out-of-turn": (100, "penalty-cards"),
    "meld-out-of-turn-opponents": (100, None), "meld-out-of-turn-partner": (200, None),
    "permission-then-no-out": (100, None),
}  # fmt: skip
OWN_PRICES = {"moderna": 5, "hand-and-foot": 100}
"""What a red three left in hand costs there in the count, instead of the penalty."""


@pytest.mark.parametrize("table", [name for name in variant_ids() if name != "mini"])
def test_what_a_penalty_costs_and_what_else_follows(table: str) -> None:
    for code, (points, remedy) in REMEDIES.items():
        answer = asks(table, PenaltyQuestion(code))
        assert answer.verdict == "value"
        if code == "red-three-not-exposed" and table in OWN_PRICES:
            assert answer.details == {"points": 500, "held": OWN_PRICES[table]}
            own = [
                reason.sources for reason in answer.reasons if reason.code == "penalty-counted-once"
            ]
            assert not any(place.startswith("G:") for places in own for place in places)
            continue
        assert answer.details == {"points": points, **({"remedy": remedy} if remedy else {})}
        told = [reason for reason in answer.reasons if reason.code != "penalty-without-partner"]
        assert all(place.startswith("G:") for reason in told for place in reason.sources)
        assert ("fault-two-figures" in codes(answer)) is (code == "red-three-not-exposed")


def test_what_the_sources_do_not_know_as_a_penalty_is_left_to_the_table() -> None:
    assert codes(asks("classica", PenaltyQuestion("house"))) == ["penalty-agreed"]
    assert codes(asks("classica", PenaltyQuestion("spilt-coffee"))) == ["penalty-not-listed"]
    assert codes(asks("mini", PenaltyQuestion("draw-out-of-turn"))) == ["penalties-none"]
    for answer in (
        asks("classica", PenaltyQuestion("house")),
        asks("mini", PenaltyQuestion("house")),
    ):
        assert answer.verdict == "silent"
        assert not answer.details


UNTOLD = {"naturals-on-wilds-unspoken", "penalty-agreed", "top-card-not-refereed"}
"""Reasons that rest on nobody's word."""
GIVES: dict[str, tuple[str, Any, Choices]] = {
    "nothing-laid": ("classica", meld("", "3xK"), {}),
    "table-meld-illegal": ("classica", meld("K", "2xK"), {}),
    "wild-on-canasta": ("samba", meld("2", "7xK"), {}),
    "natural-after-opening": ("moderna", meld("2", "3xA"), {}),
    "naturals-on-wilds-unspoken": ("cubana", meld("4xK", "3x2"), {}),
    "meld-natural": ("classica", meld("3xK"), {}),
    "meld-mixed": ("classica", meld("2xK 2"), {}),
    "meld-wild": ("bolivia", meld("3x2"), {}),
    "meld-sequence": ("samba", meld("4h 5h 6h"), {}),
    "meld-dirty-sequence": ("bolivia", meld("4h 5h 2"), DIRTY),
    "meld-black-threes": ("classica", meld("3x3b", out=True), {}),
    "canasta-made": ("classica", meld("7xK"), {}),
    "canasta-concealed": ("classica/getty", meld("7xK"), {}),
    "canasta-with-out-needs": ("mini", meld("5xK"), {}),
    "wild-makes-mixed": ("classica", meld("2", "7xK"), {}),
    "wilds-become-mixed": ("canastone", meld("4xK", "3x2"), {}),
    "wilds-only-in-opening": ("moderna", meld("2xA 2"), {}),
    "wild-meld-binds": ("canastone", meld("3x2"), {}),
    "meld-hangs-on-wilds": ("canastone", meld("3x2"), {}),
    "meld-hangs-on-rank": ("mini", meld("3xK"), {}),
    "meld-hangs-on-turn": ("mini", MeldQuestion(read_cards("3xK"), table=(read_cards("5xK"),)), {}),
    "red-threes-read-so": ("classica", RedThreesQuestion(1, opened=False), {}),
    "opening-minimum": ("classica", opens(0), {}),
    "opening-minimum-below-zero": ("classica", opens(-5), {}),
    "opening-minimum-of-hand": ("hand-and-foot", opens(0), {}),
    "opening-without-minimum": ("mini", opens(0), {}),
    "opening-reached": ("classica", opens(0, "3xA"), {}),
    "opening-concealed-without-minimum": ("classica/giochi", opens(0, concealed_out=True), {}),
    "opening-melds-aside": ("canastone", opens(0, "3xA", "2xK 2"), {}),
    "top-card-never-opens": ("canastone", opens(0, "3xA", top="A"), {}),
    "top-card-unused": ("classica", opens(0, "3xA", top="K"), {}),
    "top-card-stops": ("classica", opens(0, "2xA 2", top="2"), {}),
    "top-card-needs-more": ("cubana", opens(0, "2xA 2", top="A"), {}),
    "top-card-not-refereed": ("hand-and-foot", opens(0, "3xA", top="A"), {}),
    "second-wild-meld": ("canastone", opens(0, "3xA", "3x2", "3xJK"), {}),
    "opening-not-out": ("classica", opens(0, "3xA", concealed_out=True), {}),
    "opening-wilds-stop": ("canastone", opens(3000, "2xJK 2"), {"wild-opening": True}),
    "permission-refused": ("classica", out("7xK", permission=Permission.REFUSED), {}),
    "permission-not-asked": ("hand-and-foot", out(*BOOKS), {}),
    "permission-of-nobody": ("tre", out("7xK", permission=Permission.REFUSED), {}),
    "out-canastas-enough": ("classica", out("7xK"), {}),
    "out-worth": ("classica", out("7xK"), {}),
    "out-worth-nothing": ("mini", out("5xK", "3xQ 2 2"), {}),
    "out-concealed-opens": ("classica", out("7xK", concealed=True), {}),
    "out-concealed-reached": ("classica", out("7xK", concealed=True, score=0), {}),
    "out-concealed-if-reached": ("classica", out("7x4", concealed=True), {}),
    "out-concealed-never-opens": ("moderna", out("7x7", "7x4", concealed=True), {}),
    "out-concealed-own-melds": ("classica/giochi", out("7xK", concealed=True), {}),
    "out-concealed-no-more": ("samba", out("7xK", "7xQ", concealed=True), {}),
    "out-discard-to-come": ("canastone", out("7xK", "5xQ 2 2"), {}),
    "red-threes-no-bonus": ("mini", RedThreesQuestion(1), {}),
    "red-threes-worth": ("classica", RedThreesQuestion(1), {}),
    "red-threes-always": ("hand-and-foot", RedThreesQuestion(1), {}),
    "red-threes-for": ("classica", RedThreesQuestion(1), {}),
    "red-threes-against": ("classica", RedThreesQuestion(1, opened=False), {}),
    "red-threes-twice-against": ("canastone", RedThreesQuestion(1), {}),
    "red-threes-nothing": ("canastone", RedThreesQuestion(1, canastas=NATURAL), {}),
    "red-threes-to-opponents": ("classica", RedThreesQuestion(1, opened=False), TO_OPPONENTS),
    "red-threes-shared": ("canastone", RedThreesQuestion(1, canastas=MIXED), SHARED),
    "red-threes-canasta-unopened": (
        "classica",
        RedThreesQuestion(1, opened=False, canastas=NATURAL),
        {},
    ),
    "penalties-none": ("mini", PenaltyQuestion("house"), {}),
    "penalty-not-listed": ("classica", PenaltyQuestion("x"), {}),
    "penalty-agreed": ("classica", PenaltyQuestion("house"), {}),
    "penalty-of": ("classica", PenaltyQuestion("draw-out-of-turn"), {}),
    "penalty-remedy": ("classica", PenaltyQuestion("draw-out-of-turn"), {}),
    "penalty-without-points": ("classica", PenaltyQuestion("exposed-card"), {}),
    "penalty-without-partner": ("tre", PenaltyQuestion("permission-then-no-out"), {}),
    "penalty-counted-once": ("classica", PenaltyQuestion("red-three-not-exposed"), {}),
    "fault-threes-swapped": ("classica", RedThreesQuestion(1), {}),
    "fault-black-three-left-out": ("classica", meld("3x3b", out=True), {}),
    "fault-black-three-swapped": ("classica", meld("3x3b", out=True), {}),
    "fault-wilds-not-lost": ("classica/getty", meld("2xK 2"), {}),
    "fault-suits-and-sequences": ("classica", meld("K Q J"), {}),
    "fault-opening-from-zero": ("canastone", opens(-5), {}),
    "fault-without-fifteen": ("classica", opens(-5), {}),
    "fault-only-fifty": ("classica", opens(1500), {}),
    "wild-canastas-read": ("canastone", RedThreesQuestion(1, canastas={"twos-canasta": 1}), {}),
    "fault-not-replaced": ("classica", EndOfStockQuestion(last_card=read_cards("3r")), {}),
    "fault-black-three-freezes": ("classica/enciclopedia", DiscardQuestion(read_cards("3b")), {}),
    "fault-wild-unfreezes": (
        "classica/enciclopedia",
        PileQuestion(read_cards("K"), frozen=True, laid=(read_cards("2xK 2"),)),
        {},
    ),
    "fault-without-going-out": (
        "classica/giochi",
        EndOfStockQuestion(top=read_cards("Q"), table=(read_cards("3xQ"),)),
        {},
    ),
    "fault-two-figures": ("classica", PenaltyQuestion("red-three-not-exposed"), {}),
}
"""A question for reasons of the referee's own."""


@pytest.mark.parametrize("code", GIVES)
def test_a_reason_is_given_and_cites_unless_no_source_speaks(code: str) -> None:
    table, question, options = GIVES[code]
    answer = asks(table, question, options)
    assert code in codes(answer)
    assert all(bool(reason.sources) is (reason.code not in UNTOLD) for reason in answer.reasons)
