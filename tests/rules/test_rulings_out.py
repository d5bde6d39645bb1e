"""Rulings on going out, last discards and first upcards: what they rest on and how they are told.

Worked by hand from the sources; see `tests/rulings/cases` for the answers themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import reason_words
from scorepad.referee.answering import rule
from scorepad.referee.questions import OpeningQuestion, OutQuestion
from scorepad.referee.ruling import Reason, Ruling
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.variants import settle
from tests.rules.test_worked_rulings import answered


def out(variant: str, *table: str, **more: Any) -> dict[str, Any]:
    return {"kind": "out", "variant": variant, "table": list(table), **more}


def discard(variant: str, card: str, **more: Any) -> dict[str, Any]:
    return {"kind": "discard", "variant": variant, "card": card, **more}


def upcard(variant: str, cards: str, **more: Any) -> dict[str, Any]:
    return {"kind": "upcard", "variant": variant, "cards": cards, **more}


def codes(ask: dict[str, Any]) -> list[str]:
    return [reason["code"] for reason in answered(ask)["reasons"]]


def said(ask: dict[str, Any], code: str, language: str = "it") -> str:
    (message,) = [
        reason["message"] for reason in answered(ask, language)["reasons"] if reason["code"] == code
    ]
    assert isinstance(message, str)
    return message


def sources(ask: dict[str, Any], code: str) -> list[str]:
    (places,) = [reason["sources"] for reason in answered(ask)["reasons"] if reason["code"] == code]
    assert isinstance(places, list)
    return places


# -------------------------------------------------------------------------- cards that stay in hand


@pytest.mark.parametrize(
    ("hand", "more", "stay"),
    [
        # Three eights of which one is said as the discard: 8 8 6 are no meld.
        ("8 8 8 6", {"discard": "8"}, "restano 3 carte (2 otto e 1 sei) oltre allo scarto."),
        ("8h 8s 8d 6", {"discard": "8h"}, "restano 3 carte (2 otto e 1 sei) oltre allo scarto."),
        ("8 8 8 6", {"discard": None}, "resta 1 carta (1 sei), e uno scarto non c'è."),
        ("8 8 2 K K", {}, "restano 2 carte (2 otto): se ne può scartare una sola."),
        ("3b", {}, "resta 1 carta (1 tre nero): l'ultimo scarto non può essere una matta né un 3."),
        (
            "3b 9 J",
            {},
            "(1 fante, 1 nove e 1 tre nero): se ne può scartare una sola, ma non una matta né un 3.",
        ),
    ],
)
def test_the_cards_that_stay_in_the_hand_are_named_with_what_of_them_may_be_discarded(
    hand: str, more: dict[str, Any], stay: str
) -> None:
    assert said(out("classica", "7xQ", hand=hand, **more), "hand-cards-stay").endswith(stay)


def test_a_two_that_no_canasta_takes_stays_and_is_no_last_discard() -> None:
    ask = out("classica", "7xQ", hand="2", options={"wild-on-canasta": "forbidden"})
    assert "resta 1 carta (1 pinella): l'ultimo scarto non può essere una matta né un 3" in said(
        ask, "hand-cards-stay"
    )
    told = said(ask, "hand-cards-stay", "en")
    assert told.endswith(
        "1 card stays in hand (1 two): the last discard may be no wild card and no three."
    )


def test_four_threes_of_a_colour_go_at_once_in_mini_and_then_nothing_else_is_discarded() -> None:
    told = said(out("mini", "5xQ", "4xK 2", hand="4x3b 6"), "hand-cards-stay")
    assert "resta 1 carta (1 sei) oltre allo scarto" in told
    # The suits of the threes do not matter.
    assert answered(out("mini", "5xQ", "4xK 2", hand="3s 3c 3s 3c"))["details"]["discard"] == "4x3b"
    # With the other colour beside them only one of the two can go.
    assert answered(out("mini", "5xQ", "4xK 2", hand="4x3b 4x3r"))["verdict"] == "forbidden"


def test_threes_to_be_exposed_are_told_apart_by_their_sources() -> None:
    assert sources(out("classica", "7xQ", hand="3r 8 8 8 6"), "hand-threes-to-expose") == [
        "W:Onori e carte stop", "G:Esecuzione del gioco",
    ]  # fmt: skip
    both = out("moderna", "7xQ", "7xK", hand="3r 3b 8 8 8 4")
    assert "(quanti: 2)" in said(both, "hand-threes-to-expose")
    # Black threes stay in the hand in the classic game, and red ones where they may be kept.
    assert "hand-threes-to-expose" not in codes(out("classica", "7xQ", hand="3b 8 8 8 4"))
    kept = {"red-threes-may-be-kept": True}
    assert "hand-threes-to-expose" not in codes(out("samba", "7xQ", "7xK", hand="3r", options=kept))


# --------------------------------------------------------------------------- the opening of moderna


def out_of_hand(hand: str, score: int = 0) -> Ruling:
    return rule(settle("moderna"), OutQuestion((), score=score, hand=read_cards(hand)))


def test_a_mixed_canasta_is_completed_after_the_opening_and_is_no_going_out_by_itself() -> None:
    ask = out("moderna", hand="7xA 5xK 2 2 6")
    answer = out_of_hand(ask["hand"])
    told = [why.code for why in answer.reasons]
    assert "opening-not-out" not in told
    (after,) = [why for why in answer.reasons if why.code == "opening-canasta-after"]
    assert dict(after.arguments) == {"rank": "K"}
    assert "combinazione di re con una naturale in meno" in said(ask, after.code)
    # The melds shown as an opening hold a complete mixed canasta all the same, and may not.
    shown = OpeningQuestion(0, (read_cards("7xA"), read_cards("5xK 2 2")))
    assert rule(settle("moderna"), shown).reasons[0].arguments["why"] == "mixed-canasta"


def test_its_minimum_is_that_of_the_match_score() -> None:
    # 150 with the fifth king left out: enough up to 2995 (125), not from 3000 on (155).
    assert out_of_hand("7xQ 5xK 2 2 6", 2995).verdict == "allowed"
    assert out_of_hand("7xQ 5xK 2 2 6", 3000).verdict == "forbidden"


def test_two_mixed_canastas_hold_no_natural_group_to_open_with() -> None:
    answer = out_of_hand("5xQ JK JK 5xK 2 2 6")
    assert answer.verdict == "forbidden"
    told = [why for why in answer.reasons if why.code == "opening-below-minimum"]
    assert [why.arguments["why"] for why in told] == ["natural-group"]


# ------------------------------------------------------------------------------ what is told beside


def test_what_wild_canastas_count_as_is_told_only_where_one_lies_there() -> None:
    assert "wild-canastas-read" in codes(out("canastone", "7x2", "5xK 2xJK"))
    assert "wild-canastas-read" in codes(out("canastone", "7x2", "7xQ"))
    assert "wild-canastas-read" not in codes(out("canastone", "7xQ", "5xK 2xJK"))
    assert "wild-canastas-read" not in codes(out("hand-and-foot", "7x2", "7xQ"))


@pytest.mark.parametrize(
    ("variant", "table", "place"),
    [
        ("cubana", ["7xQ"], "W:Canasta cubana"),
        ("samba", ["7xQ", "7xK"], "W:Samba"),
        ("moderna", ["7xQ", "7xK"], "pagat.com:Modern American Canasta"),
        (
            "hand-and-foot",
            ["7xQ", "7xK", "5xJ 2x2", "5x9 2x2", "5x2 2xJK"],
            "pagat.com:Hand and Foot",
        ),
    ],
)
def test_where_a_concealed_going_out_gives_no_more_that_is_said_and_not_what_makes_one(
    variant: str, table: list[str], place: str
) -> None:
    ask = out(variant, *table, concealed=True, permission="granted")
    assert place in sources(ask, "out-concealed-no-more")
    assert not {"out-concealed-opens", "out-concealed-own-melds"} & set(codes(ask))


def test_the_canastas_that_are_enough_are_told_by_kind_where_it_takes_some_of_each() -> None:
    assert "una canasta naturale e una canasta mista" in said(
        out("canastone", "7xQ", "5xK 2xJK"), "out-canastas-enough"
    )
    assert "una canasta pura e una canasta sporca" in said(
        out("mini", "5xQ", "4xK 2"), "out-canastas-enough"
    )
    books = out(
        "hand-and-foot", "7xQ", "7xK", "5xJ 2x2", "5x9 2x2", "5x2 2xJK", permission="granted"
    )
    assert "two clean books, two dirty books and one wild book" in said(
        books, "out-canastas-enough", "en"
    )
    assert "fra queste" not in said(out("classica", "7xQ"), "out-canastas-enough")


@pytest.mark.parametrize("permission", ["granted", "refused"])
def test_who_plays_alone_is_told_that_there_is_nobody_to_ask(permission: str) -> None:
    assert "permission-of-nobody" in codes(out("due", "7xQ", "7xK", permission=permission))
    assert "permission-of-nobody" in codes(out("tre", "6xQ", permission=permission))
    assert "permission-of-nobody" not in codes(out("tagliagola", "7xQ", permission=permission))
    assert "permission-of-nobody" not in codes(out("tre", "7xQ"))


def test_how_many_sit_at_the_table_is_told_nowhere_as_another_codification() -> None:
    refused = answered(out("mini", "5xK", "4xQ 2", permission="refused"))
    assert (refused["verdict"], refused["elsewhere"]) == ("forbidden", [])


def test_a_meld_of_the_table_that_is_none_is_told_by_its_number_beside_a_whole_hand_too() -> None:
    ask = out("classica", "7xQ", "K 2 2", hand="4")
    assert said(ask, "meld-too-few-naturals").startswith("Combinazione 2:")
    assert said(ask, "meld-too-few-naturals", "en").startswith("Meld 2:")


@pytest.mark.parametrize(
    ("table", "hand", "option", "first"),
    [
        ("6xQ", "Q 2", "forbidden", True),
        ("6xQ", "Q 2", "allowed", False),
        ("5xQ", "Q 2", "forbidden", False),
        ("6xQ", "Q", "forbidden", False),
    ],
)
def test_where_the_wild_cards_must_go_first_that_is_said(
    table: str, hand: str, option: str, *, first: bool
) -> None:
    told = codes(out("classica", table, hand=hand, options={"wild-on-canasta": option}))
    assert ("way-wilds-first" in told) is first


def test_two_wild_cards_do_not_go_on_six_cards_where_none_may_come_on_a_canasta() -> None:
    # W Samba: one completes the canasta, and the other may not come on it.
    assert answered(out("samba", "6xQ", "7xK", hand="2 2"))["verdict"] == "forbidden"
    assert answered(out("samba", "6xQ", "7xK", hand="2 9"))["verdict"] == "allowed"


# ----------------------------------------------------------------------------------------- discards


def test_a_red_three_that_may_be_kept_is_a_special_card_and_not_one_to_expose() -> None:
    kept = {"red-threes-may-be-kept": True}
    of_a_discard = discard("samba", "3r", last=True, options=kept)
    for ask in (out("samba", "7xQ", "7xK", discard="3r", options=kept), of_a_discard):
        assert "si espone" not in said(ask, "out-discard-special")
        assert "carta speciale" in said(ask, "out-discard-special")
    assert "si espone" in said(out("samba", "7xQ", "7xK", discard="3r"), "out-discard-special")


@pytest.mark.parametrize("card", ["2", "3r", "4x3r"])
def test_what_changes_how_the_pile_is_taken_does_not_change_nothing(card: str) -> None:
    told = answered(discard("mini", card))
    assert [why["code"] for why in told["reasons"] if why["code"] == "discard-none"] == []
    assert "discard-top-takes-more" in codes(discard("mini", card))
    assert all(why["sources"] == ["W:Variante mini"] for why in told["reasons"])


def test_a_wild_card_as_the_last_one_says_nothing_of_a_pile_of_which_nothing_is_known() -> None:
    assert codes(discard("moderna", "2", last=True)) == ["discard-last", "discard-hangs-on-melds"]
    assert codes(discard("moderna", "2", last=True, table=["7xK"])) == ["discard-last"]
    assert answered(discard("moderna", "2"))["verdict"] == "silent"
    assert answered(discard("moderna", "K"))["verdict"] == "silent"


@pytest.mark.parametrize(
    ("variant", "card", "code", "places"),
    [
        ("mini", "3b", "discard-stop", ["W:Variante mini"]),
        ("samba", "3b", "discard-stop", ["W:Samba", "W:Onori e carte stop"]),
        ("bolivia", "3b", "discard-stop", ["W:Samba", "W:Onori e carte stop"]),
        ("canastone", "3b", "discard-stop", ["W:Canastone", "W:Onori e carte stop"]),
        ("samba", "3r", "discard-red-three", ["W:Samba", "W:Onori e carte stop"]),
        ("hand-and-foot", "3r", "discard-red-three", ["pagat.com:Hand and Foot"]),
        ("moderna", "3r", "discard-red-three",
         ["canastaleague.org:Modern American Canasta", "pagat.com:Modern American Canasta"]),
        ("classica", "3b", "discard-stop", ["W:Onori e carte stop", "G:Esecuzione del gioco"]),
    ],
)  # fmt: skip
def test_a_three_discarded_rests_on_the_sources_of_its_own_game(
    variant: str, card: str, code: str, places: list[str]
) -> None:
    assert sources(discard(variant, card), code) == places


@pytest.mark.parametrize("card", ["4x3r", "3s 3c 3s 3c"])
def test_four_threes_of_one_colour_are_one_discard_in_mini(card: str) -> None:
    assert answered(discard("mini", card))["verdict"] == "allowed"
    assert "una volta" in said(discard("mini", card), "discard-threes-together")


# ------------------------------------------------------------------------------------ first upcards


@pytest.mark.parametrize("cards", ["3b K", "2 K", "3r K"])
@pytest.mark.parametrize("variant", ["uruguaiana", "cubana"])
def test_no_card_turned_up_is_said_to_freeze_or_not_a_pile_that_is_always_frozen(
    variant: str, cards: str
) -> None:
    told = answered(upcard(variant, cards))
    turned, *_, always = [why["message"] for why in told["reasons"]]
    assert "congela" not in turned
    assert "sempre congelato" in always
    assert "congel" in answered(upcard("classica", cards))["reasons"][0]["message"]


def test_a_big_pile_that_nobody_says_to_be_frozen_is_not() -> None:
    for card, size in (("JK", 50), ("2", 20)):
        told = answered(upcard("canastone", card, options={"upcard": "big-pile"}))
        assert told["details"] == {"top": card, "frozen": False, "redeal": False, "pile_size": size}
        assert (
            "La fonte non dice che sia congelato, quindi non lo è" in told["reasons"][0]["message"]
        )


@pytest.mark.parametrize("card", ["3r", "3b"])
def test_that_a_three_turned_up_stays_in_g_is_told_as_a_reading(card: str) -> None:
    rules = settle("classica", "giochi")
    assert (
        rules.cited["upcard-red-three"].read
        == rules.cited["upcard-black-three"].read
        == "upcard-only-wilds"
    )
    told = answered(upcard("classica", card, preset="giochi"))
    assert told["details"] == {"top": card, "frozen": False, "redeal": False, "pile_size": 1}


def test_more_cards_turned_up_than_there_are_cannot_be() -> None:
    assert codes(upcard("classica", "5xJK K")) == ["deck-exceeded"]
    assert "5" in said(upcard("classica", "5x3r K"), "red-threes-exceeded")
    assert "la coppia" not in said(upcard("classica", "5x3r K"), "red-threes-exceeded").lower()
    # Three decks have six of each.
    assert answered(upcard("samba", "6xJK K"))["verdict"] == "value"


KEPT_BEFORE = [
    Reason("hand-cards-stay", {"cards": 1}),
    Reason("out-canastas-enough", {"needed": 1, "has": 1}),
    Reason("red-threes-worth", {"count": 2, "worth": 200}),
    Reason("penalty-counted-once", {"points": 500}),
    Reason("stock-top-fits-nothing"),
    Reason("stock-always-frozen", {"card": Kind.QUEEN, "naturals": 2}),
    Reason("discard-threes-together", {"card": Kind.BLACK_THREE, "threes": 4}),
]
"""Reasons as they were kept with a match before their messages were told apart."""


def test_a_reason_kept_before_its_cards_were_told_keeps_its_words() -> None:
    for language in ("it", "en"):
        for reason in KEPT_BEFORE:
            told = reason_words(reason, words(language))
            assert told.endswith(".")
            assert "%(" not in told


def test_a_house_that_needs_no_canasta_says_so() -> None:
    """Three kings and a discard: nothing is wanting where no canasta is needed to go out."""
    rules = settle("classica")
    none_needed = replace(rules, settings=replace(rules.settings, canastas_needed=0))
    ruling = rule(none_needed, OutQuestion((read_cards("3xK"),), discard=read_cards("4")))
    (reason,) = [each for each in ruling.reasons if each.code == "out-canastas-enough"]
    assert (reason.arguments["needed"], reason.arguments["why"]) == (0, "none")
