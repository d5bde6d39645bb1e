"""What the referee says of the pile: taking it, the first cards turned up, discards, and the end of
the stock.

Expected values are worked by hand from the sources.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.referee.answering import rule
from scorepad.referee.questions import (
    AnyQuestion,
    DiscardQuestion,
    EndOfStockQuestion,
    PileQuestion,
    UpcardQuestion,
)
from scorepad.referee.ruling import Ruling
from scorepad.rules.cards import NOTHING, read_cards
from scorepad.rules.variants import settle, variant_ids
from tests.schemas.test_ruling_words import own_codes

ENCICLOPEDIA = {"pile": "enciclopedia"}


def asked(
    variant: str,
    question: AnyQuestion,
    options: dict[str, Any] | None = None,
    preset: str | None = None,
) -> Ruling:
    return rule(settle(variant, preset, options), question)


def pile(variant: str, top: str, laid: str = "", table: str = "", /, **more: Any) -> Ruling:
    """Melds are parted by `+`; `more` are the facts of the case, and `options`."""
    options = more.pop("options", None)
    melds = [tuple(read_cards(meld) for meld in text.split("+") if meld) for text in (table, laid)]
    return asked(
        variant, PileQuestion(read_cards(top), table=melds[0], laid=melds[1], **more), options
    )


def said(ruling: Ruling) -> list[str]:
    return [reason.code for reason in ruling.reasons]


def figures(ruling: Ruling, code: str) -> dict[str, Any]:
    return next(dict(reason.arguments) for reason in ruling.reasons if reason.code == code)


FROZEN, UNOPENED = {"frozen": True}, {"opened": False}
OPTIONS = {
    "enciclopedia": ENCICLOPEDIA,
    "top-card-only": {"pile-layoff": "top-card-only"},
    "exactly-seven": {"canasta-size": "exactly-seven"},
    "block-mixed": {"wilds-block-mixed": True},
    "no-wild-on-canasta": {"wild-on-canasta": "forbidden"},
}

PILES: list[tuple[str, str, str, str, dict[str, Any], str | None, str, str]] = [
    # variant, top, laid, table, facts, option, verdict, the code that says why
    # W Presa del pozzo: a new meld as the meld rules allow, or laid off on a meld of the side.
    ("classica", "K", "3xK", "", {}, None, "allowed", "pile-with-naturals"),
    ("classica", "K", "2xK 2", "", {}, None, "allowed", "pile-with-wild"),
    ("classica", "K", "", "3xK", {}, None, "allowed", "pile-laid-off"),
    ("classica", "K", "K", "3xK", {}, None, "allowed", "pile-laid-off"),
    ("classica", "K", "4x9", "3xQ+3xK", {}, None, "allowed", "pile-laid-off"),
    ("classica", "K", "K 2 JK", "", {}, None, "forbidden", "meld-too-few-naturals"),
    ("classica", "Q", "", "3xK", {}, None, "forbidden", "pile-top-unused"),
    ("classica", "Q", "3xK", "", {}, None, "forbidden", "pile-top-unused"),
    ("classica", "K", "2xK 4x2", "", {}, None, "forbidden", "meld-too-many-wilds"),
    ("classica", "K", "9xK", "", {}, None, "forbidden", "deck-exceeded"),
    ("classica", "K", "3xK+3x3b", "", {}, None, "forbidden", "black-threes-not-out"),
    ("classica", "Z", "3xK", "", {}, None, "forbidden", "card-unknown"),
    ("classica", "K", "3xK+Z", "", {}, None, "forbidden", "card-unknown"),
    # W, G: a wild card or a black three on top cannot be taken.
    ("classica", "JK", "3xK", "", {}, None, "forbidden", "pile-top-special"),
    ("classica", "2", "3xK", "", {}, None, "forbidden", "pile-top-special"),
    ("classica", "3b", "3x3b", "", {}, None, "forbidden", "pile-top-special"),
    # W Congelamento: two naturals of the rank, with the top card new or on a meld of the table.
    ("classica", "K", "3xK", "", FROZEN, None, "allowed", "pile-with-naturals"),
    ("classica", "K", "2xK", "3xK", FROZEN, None, "allowed", "pile-with-naturals"),
    ("classica", "K", "2xK 2", "", FROZEN, None, "forbidden", "pile-naturals"),
    ("classica", "K", "K", "3xK", FROZEN, None, "forbidden", "pile-naturals"),
    ("classica", "K", "", "3xK", FROZEN, None, "forbidden", "pile-naturals"),
    # G: lay off up to seven; a full meld takes no more, and a new one is begun.
    ("classica", "K", "", "6xK 2", {}, "exactly-seven", "forbidden", "pile-meld-full"),
    ("classica", "Q", "", "6xK 2", {}, "exactly-seven", "forbidden", "pile-top-unused"),
    ("classica", "4", "2x4", "5x4 2x2", {}, "exactly-seven", "allowed", "pile-with-naturals"),
    ("classica", "4", "2x4 2", "4x4+5x9 2x2", {}, "exactly-seven", "forbidden", "meld-too-long"),
    ("classica", "4", "4 2", "5x4 2x2", {}, "no-wild-on-canasta", "forbidden", "wild-on-canasta"),
    ("classica", "4", "4 2", "4x4", {}, "no-wild-on-canasta", "allowed", "pile-laid-off"),
    # Six on the table: one wild card makes a canasta of them with the rest, the second comes onto
    # it.
    ("classica", "K", "K 2x2", "6xK", {}, "no-wild-on-canasta", "forbidden", "wild-on-canasta"),
    ("classica", "K", "K 2", "6xK", {}, "no-wild-on-canasta", "allowed", "pile-laid-off"),
    ("samba", "K", "K 2x2", "6xK", {}, None, "forbidden", "wild-on-canasta"),
    # E: two of the rank, or one and a wild, frozen or not; laying off is not in E.
    ("classica", "K", "3xK", "", {}, "enciclopedia", "allowed", "pile-with-naturals"),
    ("classica", "K", "2xK 2", "", FROZEN, "enciclopedia", "allowed", "pile-with-wild"),
    ("classica", "K", "", "3xK", {}, "enciclopedia", "forbidden", "pile-never-laid-off"),
    ("classica", "K", "K", "3xK", {}, "enciclopedia", "forbidden", "pile-two-cards"),
    ("classica", "K", "K 2", "3xK", {}, "enciclopedia", "allowed", "pile-with-wild"),
    # W: the pile is frozen throughout, whatever the question says.
    ("uruguaiana", "K", "", "3xK", {}, None, "forbidden", "pile-naturals"),
    ("uruguaiana", "K", "2xK 2", "", {}, None, "forbidden", "pile-naturals"),
    ("uruguaiana", "K", "3xK", "", {}, None, "allowed", "pile-with-naturals"),
    ("cubana", "K", "", "3xK", {}, None, "forbidden", "pile-naturals"),
    ("cubana", "K", "2xK", "3xK", {}, None, "allowed", "pile-with-naturals"),
    ("cubana", "4", "2x4", "4x4 2", {}, None, "forbidden", "meld-too-long"),
    # W messicana: a discarded seven is a stop card.
    ("messicana", "7", "3x7", "", {}, None, "forbidden", "pile-top-stops"),
    ("messicana", "6", "3x6", "", {}, None, "allowed", "pile-with-naturals"),
    ("sette", "7", "3x7", "", {}, None, "allowed", "pile-with-naturals"),
    # W Samba: never frozen; two naturals, or laid off on a meld that is not complete.
    ("samba", "Kh", "3xK", "", FROZEN, None, "allowed", "pile-never-frozen"),
    ("samba", "K", "2xK 2", "", {}, None, "forbidden", "pile-naturals"),
    ("samba", "K", "", "3xK", FROZEN, None, "allowed", "pile-laid-off"),
    ("samba", "Kh", "", "Qh Jh 10h", {}, None, "allowed", "pile-laid-off"),
    ("samba", "Kd", "", "Qh Jh 10h", {}, None, "forbidden", "pile-top-unused"),
    ("samba", "3h", "3xK", "", {}, None, "forbidden", "pile-top-special"),
    ("samba", "Kh", "Kh Qh Jh", "", {}, None, "forbidden", "pile-naturals"),
    ("samba", "K", "Kh Qh Jh", "3xK", {}, None, "allowed", "pile-laid-off"),
    ("samba", "K", "", "7xK", {}, None, "forbidden", "pile-on-complete"),
    ("samba", "K", "2xK", "7xK", {}, None, "allowed", "pile-with-naturals"),
    ("samba", "K", "", "3xK", UNOPENED, None, "forbidden", "pile-lay-off-unopened"),
    ("samba", "K", "", "3xK", {}, "top-card-only", "forbidden", "pile-top-card-only"),
    ("samba", "K", "2xK", "3xK", {}, "top-card-only", "allowed", "pile-with-naturals"),
    ("samba", "K", "K", "3xK", {}, "top-card-only", "forbidden", "pile-top-card-only"),
    ("bolivia", "K", "3xK", "", {}, None, "allowed", "pile-with-naturals"),
    # W Canastone: two naturals, frozen three; never by laying off; a card is drawn as well; never
    # before opening.
    ("canastone", "K", "3xK", "", {}, None, "allowed", "pile-draws-too"),
    ("canastone", "K", "2xK 2", "", {}, None, "forbidden", "pile-naturals"),
    ("canastone", "K", "3xK", "", FROZEN, None, "forbidden", "pile-naturals"),
    ("canastone", "K", "3xK", "3xK", FROZEN, None, "allowed", "pile-with-naturals"),
    ("canastone", "K", "", "3xK", {}, None, "forbidden", "pile-never-laid-off"),
    ("canastone", "A", "5xA", "", UNOPENED, None, "forbidden", "pile-before-opening"),
    ("canastone", "JK", "5xA", "", UNOPENED, None, "forbidden", "pile-before-opening"),
    ("canastone", "K", "3xK 2", "3x2", {}, None, "forbidden", "wilds-blocked"),
    ("canastone", "K", "3xK 2", "7x2", {}, None, "allowed", "pile-draws-too"),
    ("canastone", "K", "2xK", "3xK 2+3x2", {}, None, "allowed", "pile-draws-too"),
    ("canastone", "K", "2xK", "3xK 2+3x2", {}, "block-mixed", "forbidden", "mixed-blocked"),
    ("canastone", "K", "2xK", "4xK+3x2", {}, "block-mixed", "allowed", "pile-draws-too"),
    # W Variante mini: two equal cards; a two with four more; a red three with the three others;
    # joker, black three no.
    ("mini", "K", "3xK", "", {}, None, "allowed", "pile-with-naturals"),
    ("mini", "K", "3xK", "", UNOPENED, None, "allowed", "pile-with-naturals"),
    ("mini", "K", "2xK", "3xK", {}, None, "forbidden", "meld-too-long"),
    ("mini", "K", "2xK", "5xK", {}, None, "allowed", "pile-with-naturals"),
    ("mini", "K", "2xK 2", "", {}, None, "forbidden", "pile-naturals"),
    ("mini", "2", "5x2", "", {}, None, "allowed", "pile-top-with-more"),
    ("mini", "2", "4x2 JK", "", {}, None, "forbidden", "pile-top-needs-more"),
    ("mini", "3r", "4x3r", "", {}, None, "allowed", "pile-top-with-more"),
    ("mini", "3r", "3x3r", "", {}, None, "forbidden", "pile-top-needs-more"),
    ("mini", "3r", "", "", {}, None, "forbidden", "pile-top-needs-more"),
    ("mini", "JK", "3xK", "", {}, None, "forbidden", "pile-top-special"),
    ("mini", "3b", "3xK", "", {}, None, "forbidden", "pile-top-special"),
    # W tre, second form: the first to take the pile plays alone.
    ("tagliagola", "K", "3xK", "", {}, None, "allowed", "pile-taker-alone"),
    ("moderna", "K", "3xK", "", {}, None, "silent", "pile-not-refereed"),
    ("hand-and-foot", "3b", "3xK", "", {}, None, "silent", "pile-not-refereed"),
]


@pytest.mark.parametrize("case", PILES, ids=lambda case: "-".join(map(str, case)))
def test_the_pile_is_taken_as_the_rules_say(
    case: tuple[str, str, str, str, dict[str, Any], str | None, str, str],
) -> None:
    variant, top, laid, table, facts, option, verdict, code = case
    ruling = pile(variant, top, laid, table, **facts, options=OPTIONS.get(option or ""))
    assert ruling.verdict == verdict
    assert code in said(ruling)
    assert all(reason.sources for reason in ruling.reasons if reason.code not in UNTOLD)


UNTOLD = {"card-unknown", "pile-not-refereed"}
"""Reasons that rest on nobody's word."""


# What a side that has not opened lays: the top card counts, the rest of the pile does not (W Presa
# del pozzo).
OPENINGS = [
    # 3 kings 30 of 50; 30 + 3 aces 60 = 90; exactly 50 with a two, 2 x 10 + 20 + 10; from 1500 on
    # 90, from 3000 on 120.
    ("classica", "K", "3xK", 0, "forbidden", 50, 30),
    ("classica", "K", "3xK+3xA", 0, "allowed", 50, 90),
    ("classica", "K", "4xK+3x4", 0, "allowed", 50, 55),
    ("classica", "K", "3xK+3xA", 1500, "allowed", 90, 90),
    ("classica", "K", "3xK+3xA", 3000, "forbidden", 120, 90),
    ("classica", "K", "3xQ+3xA", 0, "forbidden", 50, 90),
    ("classica", "4", "3x4", -5, "allowed", 15, 15),
    ("samba", "A", "3xA+3xA 2", 7000, "forbidden", 150, 140),
    ("samba", "A", "3xA+4xA 2x2", 7000, "allowed", 150, 180),
    ("cubana", "A", "4xA+4xK 2", 5000, "forbidden", 150, 140),
]


@pytest.mark.parametrize("case", OPENINGS, ids=lambda case: "-".join(map(str, case)))
def test_a_side_that_has_not_opened_opens_with_the_top_card(
    case: tuple[str, str, str, int, str, int, int],
) -> None:
    variant, top, laid, score, verdict, minimum, counted = case
    ruling = pile(variant, top, laid, opened=False, score=score)
    assert ruling.verdict == verdict
    missing = max(0, minimum - counted)
    assert dict(ruling.details) == {"minimum": minimum, "counted": counted, "missing": missing}
    if verdict == "allowed":
        assert figures(ruling, "pile-opening-reached") == {"minimum": minimum, "counted": counted}
    if missing:
        assert figures(ruling, "opening-below-minimum")["missing"] == missing


def test_what_the_sources_lack_of_the_minimum_is_told_with_it() -> None:
    assert "fault-without-fifteen" in said(pile("classica", "4", "3x4", opened=False, score=-5))
    assert "fault-only-fifty" in said(pile("classica", "K", "3xK+3xA", opened=False, score=1500))
    assert not [
        code
        for code in said(pile("classica", "K", "3xK+3xA", opened=False))
        if code.startswith("fault")
    ]


def test_nothing_laid_beside_the_top_card_opens_nothing() -> None:
    ruling = pile("classica", "K", "", "3xK", opened=False)
    assert ruling.verdict == "forbidden"
    assert ruling.details == {"minimum": 50, "counted": 0, "missing": 50}


def test_what_lies_on_the_table_before_counts_for_no_opening() -> None:
    # The top card and two kings of the hand: 30, whatever they join.
    for table in ("", "3xK"):
        ruling = pile("classica", "K", "2xK" if table else "3xK", table, opened=False)
        assert (ruling.verdict, ruling.details) == (
            "forbidden",
            {"minimum": 50, "counted": 30, "missing": 20},
        )


def test_an_opened_side_and_a_game_without_minimum_are_told_no_figures() -> None:
    for ruling in (pile("classica", "K", "3xK"), pile("mini", "K", "3xK", opened=False)):
        assert ruling.details == {}
    assert pile("canastone", "K", "3xK", opened=False).details == {}


def test_the_reason_names_the_cards_that_are_missing() -> None:
    ruling = pile("canastone", "K", "3xK", frozen=True)
    assert figures(ruling, "pile-naturals") == {"card": "K", "needed": 3, "has": 2, "why": "frozen"}
    assert ruling.reasons[0].sources == ("W:Canastone",)


def test_a_frozen_pile_taken_with_a_wild_card_is_a_slip_of_the_encyclopedia_and_said_to_be() -> (
    None
):
    ruling = pile("classica", "K", "2xK 2", frozen=True, options=ENCICLOPEDIA)
    assert [
        reason.sources for reason in ruling.reasons if reason.code == "fault-wild-unfreezes"
    ] == [("E:Canasta",)]
    assert "fault-wild-unfreezes" not in said(pile("classica", "K", "2xK 2", options=ENCICLOPEDIA))


# --------------------------------------------------------------------------------- the first upcard

UPCARDS: list[tuple[str, str, dict[str, Any], str | None, bool | None, int | None]] = [
    # variant, cards turned, options, top, frozen, cards in the pile; top None: one more is turned;
    # frozen None: redeal
    ("classica", "K", {}, "K", False, 1),
    ("classica", "Kh", {}, "Kh", False, 1),
    ("classica", "JK K", {}, "K", True, 2),
    ("classica", "3r K", {}, "K", True, 2),
    ("classica", "3b K", {}, "K", False, 2),
    ("classica", "3b 2 3h 9", {}, "9", True, 4),
    ("classica", "2", {}, None, True, None),
    ("classica", "3b", {}, None, False, None),
    # G: the card turned is the pile; a wild freezes, and a second one is turned.
    ("classica", "JK K", {"upcard": "giochi"}, "K", True, 2),
    ("classica", "3r", {"upcard": "giochi"}, "3r", False, 1),
    ("classica", "3s", {"upcard": "giochi"}, "3s", False, 1),
    # H: threes and wilds are covered; only a wild freezes.
    ("classica", "3r 3b K", {"upcard": "getty"}, "K", False, 3),
    ("classica", "3r 2 K", {"upcard": "getty"}, "K", True, 3),
    # E: a red three is covered; a wild or a black three stays and freezes.
    ("classica", "3r K", {"upcard": "enciclopedia"}, "K", False, 2),
    ("classica", "3r JK", {"upcard": "enciclopedia"}, "JK", True, 2),
    ("classica", "3b", {"upcard": "enciclopedia"}, "3b", True, 1),
    # W due: two exchanges and the upcard.
    ("due", "K", {"code": "usa-3"}, "K", False, 3),
    ("due", "2 K", {"code": "usa-3"}, "K", True, 4),
    ("due", "K", {"code": "usa-2"}, "K", False, 1),
    ("uruguaiana", "K", {}, "K", True, 1),
    ("cubana", "3b K", {"upcard": "getty"}, "K", True, 2),
    ("samba", "JK 3r 3b K", {}, "K", False, 4),
    ("bolivia", "2", {}, None, False, None),
    # W Canastone: as many cards as its number under the natural (A 14, K 13, Q 12, J 11), and
    # itself.
    ("canastone", "A", {}, "A", False, 15),
    ("canastone", "K", {}, "K", False, 14),
    ("canastone", "Q", {}, "Q", False, 13),
    ("canastone", "J", {}, "J", False, 12),
    ("canastone", "10", {}, "10", False, 11),
    ("canastone", "4", {}, "4", False, 5),
    ("canastone", "JK 7", {}, "7", True, 9),
    ("canastone", "3r", {}, None, None, None),
    ("canastone", "2 3r", {}, None, None, None),
    ("canastone", "3b 7", {}, "7", False, 9),
    ("canastone", "3b 7", {"upcard-black-three": "freeze"}, "7", True, 9),
    ("canastone", "JK", {"upcard": "big-pile"}, "JK", False, 50),
    ("canastone", "2", {"upcard": "big-pile"}, "2", False, 20),
    ("canastone", "K", {"upcard": "big-pile"}, "K", False, 14),
    ("canastone", "3r", {"upcard": "big-pile"}, None, None, None),
    ("canastone", "3r JK 3b K", {"upcard": "turn-until-natural"}, "K", False, 17),
    (
        "canastone",
        "3b 7",
        {"upcard": "turn-until-natural", "upcard-black-three": "freeze"},
        "7",
        False,
        9,
    ),
    ("canastone", "JK 2 JK", {"upcard": "turn-until-natural"}, None, None, None),
    ("canastone", "JK 2 3b JK 5", {"upcard": "turn-until-natural"}, "5", False, 10),
]


@pytest.mark.parametrize(("variant", "cards", "options", "top", "frozen", "size"), UPCARDS)
def test_the_first_cards_turned_up_make_the_pile(
    variant: str,
    cards: str,
    options: dict[str, Any],
    top: str | None,
    frozen: bool | None,
    size: int | None,
) -> None:
    ruling = asked(variant, UpcardQuestion(tuple(map(read_cards, cards.split()))), options)
    expected: dict[str, Any] = (
        {"redeal": True} if frozen is None else {"frozen": frozen, "redeal": False}
    )
    if top is not None:
        expected |= {"top": top, "pile_size": size}
    assert ruling.verdict == "value"
    assert dict(ruling.details) == expected
    assert ("upcard-turn-another" in said(ruling)) == (top is None and frozen is not None)
    assert all(reason.sources for reason in ruling.reasons)


def test_cards_turned_after_the_top_of_the_pile_are_told_to_be_too_many() -> None:
    ruling = asked("classica", UpcardQuestion(tuple(map(read_cards, ("K", "Q", "2")))))
    assert ruling.details == {"top": "K", "frozen": False, "redeal": False, "pile_size": 1}
    assert figures(ruling, "upcard-too-many") == {"cards": 2}


def test_the_first_pile_of_the_exchange_is_three_cards_where_the_source_says_two() -> None:
    ruling = asked("due", UpcardQuestion((read_cards("K"),)), {"code": "usa-3"})
    assert said(ruling)[-2:] == ["upcard-exchanged", "fault-first-pile-of-two"]
    assert ruling.reasons[-1].sources == ("W:Canasta a due giocatori",)


@pytest.mark.parametrize(
    ("variant", "code"),
    [
        ("mini", "upcard-not-told"),
        ("moderna", "upcard-not-refereed"),
        ("hand-and-foot", "upcard-not-refereed"),
    ],
)
def test_where_no_rule_is_known_for_the_first_upcard_nothing_is_made_up(
    variant: str, code: str
) -> None:
    ruling = asked(variant, UpcardQuestion((read_cards("JK"),)))
    assert (ruling.verdict, said(ruling), ruling.details) == ("silent", [code], {})


def test_a_first_upcard_that_is_no_card_is_told() -> None:
    ruling = asked("classica", UpcardQuestion((read_cards("K"), read_cards("ZZ"))))
    assert ruling.verdict == "forbidden"
    assert figures(ruling, "card-unknown") == {"tokens": ("ZZ",)}


# ----------------------------------------------------------------------------------------- discards

FIRST, LAST, WILDS = {"first_round": True}, {"last": True}, {"wild_meld_incomplete": True}
KEPT = {"red-threes-may-be-kept": True}
DISCARDS: list[tuple[str, str, dict[str, Any], dict[str, Any], str, str]] = [
    # variant, card, facts, options, the effect or the verdict, the code that says why
    ("classica", "K", {}, {}, "none", "discard-none"),
    ("classica", "JK", {}, {}, "freeze", "discard-freeze"),
    ("classica", "2", WILDS, {}, "freeze", "discard-freeze"),
    ("classica", "3s", FIRST, {}, "stop", "discard-stop"),
    ("classica", "3h", {}, {}, "forbidden", "discard-red-three"),
    ("classica", "K", LAST, {}, "none", "discard-last"),
    ("classica", "2", LAST, {}, "forbidden", "out-discard-special"),
    ("classica", "3b", LAST, {}, "forbidden", "out-discard-special"),
    ("classica", "Z", {}, {}, "forbidden", "card-unknown"),
    ("classica", "3b", {}, ENCICLOPEDIA, "freeze", "fault-black-three-freezes"),
    ("classica", "JK", {}, ENCICLOPEDIA, "freeze", "discard-freeze"),
    ("uruguaiana", "JK", {}, {}, "stop", "discard-stop"),
    ("cubana", "2", {}, {}, "stop", "discard-stop"),
    ("cubana", "3b", {}, {}, "stop", "discard-stop"),
    ("cubana", "3b", FIRST, {}, "forbidden", "discard-first-round"),
    ("cubana", "K", FIRST, {}, "none", "discard-none"),
    ("messicana", "7", {}, {}, "stop", "discard-stop"),
    ("messicana", "JK", {}, {}, "freeze", "discard-freeze"),
    ("sette", "7", {}, {}, "none", "discard-none"),
    ("samba", "JK", {}, {}, "stop", "discard-stop"),
    ("samba", "3r", {}, {}, "forbidden", "discard-red-three"),
    ("samba", "3r", {}, KEPT, "stop", "discard-stop"),
    ("samba", "3r", LAST, KEPT, "forbidden", "out-discard-special"),
    ("bolivia", "3r", {}, KEPT, "stop", "discard-stop"),
    ("canastone", "2", {}, {}, "freeze", "discard-freeze"),
    ("canastone", "2", WILDS, {}, "forbidden", "discard-wilds-blocked"),
    ("canastone", "3b", WILDS, {}, "stop", "discard-stop"),
    ("canastone", "JK", LAST, {}, "forbidden", "out-discard-special"),
    ("mini", "K", {}, {}, "none", "discard-fitting"),
    ("mini", "JK", {}, {}, "stop", "discard-fitting"),
    ("mini", "2", {}, {}, "none", "discard-top-takes-more"),
    ("mini", "3r", {}, {}, "none", "discard-threes-together"),
    ("mini", "3b", {}, {}, "stop", "discard-threes-together"),
    ("mini", "K", LAST, {}, "none", "discard-fitting"),
    ("moderna", "K", {}, {}, "silent", "discard-not-refereed"),
    ("moderna", "7", {}, {}, "silent", "discard-not-refereed"),
    ("moderna", "A", {}, {}, "silent", "discard-not-refereed"),
    ("moderna", "3b", {}, {}, "forbidden", "discard-black-three-exposed"),
    ("moderna", "3r", {}, {}, "forbidden", "discard-red-three"),
    ("moderna", "JK", LAST, {}, "", "discard-last"),
    ("moderna", "JK", {}, {}, "silent", "discard-not-refereed"),
    ("hand-and-foot", "3b", {}, {}, "silent", "discard-not-refereed"),
    ("hand-and-foot", "JK", LAST, {}, "forbidden", "out-discard-special"),
]


@pytest.mark.parametrize(("variant", "card", "facts", "options", "expected", "code"), DISCARDS)
def test_a_card_is_discarded_as_the_rules_say(
    variant: str,
    card: str,
    facts: dict[str, Any],
    options: dict[str, Any],
    expected: str,
    code: str,
) -> None:
    ruling = asked(variant, DiscardQuestion(read_cards(card), **facts), options)
    assert code in said(ruling)
    if expected in ("forbidden", "silent"):
        assert (ruling.verdict, ruling.details) == (expected, {})
    else:
        # Where nobody tells of the pile, nobody says what a card does to it.
        assert (ruling.verdict, ruling.details) == (
            "allowed",
            {"effect": expected} if expected else {},
        )
    told = [reason for reason in ruling.reasons if reason.code != "card-unknown"]
    assert all(bool(reason.sources) is (ruling.verdict != "silent") for reason in told)


def test_a_card_of_a_canasta_just_completed_may_be_discarded_last() -> None:
    whys = {
        figures(asked("mini", DiscardQuestion(read_cards(card), last=last)), "discard-fitting")[
            "why"
        ]
        for card, last in (("K", False), ("K", True), ("2", True))
    }
    assert whys == {"natural", "last", "wild"}


# ----------------------------------------------------------------------------- the end of the stock

GIOCHI = {"end-of-stock": "giochi"}
STOCKS: list[tuple[str, dict[str, Any], dict[str, Any], tuple[bool, bool, bool | None], str]] = [
    # variant, facts, options, (the hand ends, the pile must be taken, a discard may be made), the
    # code that says why
    ("classica", {"last_card": "K"}, {}, (True, False, True), "stock-hand-ends"),
    ("classica", {"last_card": "K", "top": "Q", "table": "3xQ"}, {}, (True, False, True), "stock-hand-ends"),
    ("classica", {"last_card": "3r"}, {}, (True, False, False), "stock-red-three-unreplaced"),
    ("classica", {"last_card": "3h"}, GIOCHI, (True, False, False), "stock-red-three-last"),
    ("classica", {"last_card": "K", "top": "Q", "table": "3xK+3xQ"}, GIOCHI, (False, True, True), "stock-must-take"),
    ("classica", {"last_card": "K", "top": "Q", "table": "3xK"}, GIOCHI, (True, False, True), "stock-top-fits-nothing"),
    ("classica", {"top": "2", "table": "3xK 2"}, GIOCHI, (True, False, True), "stock-top-special"),
    ("classica", {"table": "3xK"}, GIOCHI, (True, False, True), "stock-no-top"),
    (
        "classica", {"top": "Q", "table": "5xQ 2x2"}, {**GIOCHI, "canasta-size": "exactly-seven"},
        (True, False, True), "stock-top-full",
    ),
    (
        "classica", {"top": "Q", "table": "3xQ", "pile_has_wild": True}, GIOCHI,
        (True, False, True), "stock-pile-has-wild",
    ),
    (
        "classica", {"top": "Q", "table": "3xQ", "pile_has_red_three": True}, GIOCHI,
        (True, False, True), "stock-pile-has-red-three",
    ),
    ("cubana", {"top": "Q", "table": "3xQ"}, GIOCHI, (False, True, True), "stock-always-frozen"),
    ("messicana", {"top": "7", "table": "3x7"}, GIOCHI, (True, False, True), "stock-top-stops"),
    ("sette", {"top": "7", "table": "3x7"}, GIOCHI, (False, True, True), "stock-must-take"),
    ("samba", {}, {}, (True, False, True), "stock-hand-ends"),
    ("moderna", {}, {}, (True, False, True), "stock-hand-ends"),
    ("mini", {}, {}, (True, False, None), "stock-at-once"),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "facts", "options", "expected", "code"), STOCKS)
def test_the_stock_is_used_up(
    variant: str,
    facts: dict[str, Any],
    options: dict[str, Any],
    expected: tuple[bool, bool, bool | None],
    code: str,
) -> None:
    case = {"last_card": NOTHING, "top": NOTHING, **facts}
    cards = {
        key: read_cards(value)
        for key, value in case.items()
        if key != "table" and isinstance(value, str)
    }
    table = tuple(read_cards(meld) for meld in case.get("table", "").split("+") if meld)
    ruling = asked(variant, EndOfStockQuestion(**{**case, **cards, "table": table}), options)
    told = zip(("hand_ends", "must_take", "may_discard"), expected, strict=True)
    assert ruling.verdict == "value"
    assert dict(ruling.details) == {key: value for key, value in told if value is not None}
    assert code in said(ruling)
    assert all(reason.sources for reason in ruling.reasons)


def test_of_the_end_of_the_stock_the_public_pages_speak() -> None:
    ruling = asked("classica", EndOfStockQuestion())
    assert ruling.reasons[0].sources == ("pagat.com:Canasta", "britannica.com:canasta")


def test_a_last_card_that_is_no_card_is_told() -> None:
    assert said(asked("classica", EndOfStockQuestion(last_card=read_cards("ZZ")))) == [
        "card-unknown"
    ]


# -------------------------------------------------------------------------------------- all of them


def questions() -> list[AnyQuestion]:
    """A question of each kind for every card, laid and on the table in a few ways."""
    made: list[AnyQuestion] = []
    for card in ("JK", "2", "A", "7", "4", "3b", "3r"):
        one = read_cards(card)
        for laid in (
            (),
            (read_cards(f"3x{card}"),),
            (read_cards(f"2x{card} 2"), read_cards("3xK")),
        ):
            for frozen in (False, True):
                made += [PileQuestion(one, frozen, opened, laid=laid) for opened in (False, True)]
                made.append(
                    PileQuestion(
                        one, frozen, table=(read_cards("4x7"), read_cards("3xJK")), laid=laid
                    )
                )
        made += [UpcardQuestion((one,)), UpcardQuestion((one, read_cards("K")))]
        made += [
            DiscardQuestion(one, first, last) for first in (False, True) for last in (False, True)
        ]
        made += [EndOfStockQuestion(one, one, (read_cards("3x7"),))]
    return made


@pytest.mark.parametrize("variant", variant_ids())
def test_every_question_is_answered_with_a_reason_known_by_its_code(variant: str) -> None:
    own = own_codes()
    of_checks = {check.id for check in settle(variant).checks}
    for question in questions():
        ruling = asked(variant, question)
        assert ruling.reasons
        assert set(said(ruling)) <= own | of_checks, question
        assert (ruling.verdict == "silent") <= (not ruling.details)
