"""Whole hands worked by hand from the sources: what is laid, what it counts, and what is missing."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from scorepad.referee.answering import give_ruling
from scorepad.referee.questions import OpeningQuestion, OutQuestion, PileQuestion
from scorepad.referee.ruling import Ruling, Verdict
from scorepad.rules.cards import read_cards, write_cards
from scorepad.rules.variants import settle


def asked_of(variant: str, asked: Any, **options: Any) -> Ruling:
    return give_ruling(
        settle(variant, None, {name.replace("_", "-"): value for name, value in options.items()}),
        asked,
    )


def opens(hand: str, score: int = 0, top: str | None = None, **more: Any) -> OpeningQuestion:
    return OpeningQuestion(
        score, (), None if top is None else read_cards(top), hand=read_cards(hand), **more
    )


def takes(hand: str, top: str, *table: str, **more: Any) -> PileQuestion:
    return PileQuestion(
        read_cards(top), hand=read_cards(hand), table=tuple(map(read_cards, table)), **more
    )


def goes(hand: str, *table: str, **more: Any) -> OutQuestion:
    if "discard" in more:
        more["discard"] = read_cards(more["discard"])
    return OutQuestion(tuple(map(read_cards, table)), hand=read_cards(hand), **more)


def way(ruling: Ruling) -> list[str | tuple[int, str]]:
    """New melds, and `(place on the table, cards)`."""
    assert ruling.play is not None, ruling
    return [
        write_cards(one.cards) if one.on is None else (one.on, write_cards(one.cards))
        for one in ruling.play.laid
    ]


def discard(ruling: Ruling) -> str:
    assert ruling.play is not None
    assert ruling.play.discard is not None
    return write_cards(ruling.play.discard)


def codes(ruling: Ruling) -> list[str]:
    return [why.code for why in ruling.reasons]


# ----------------------------------------------------------------------------------------- openings


def test_wild_cards_stand_where_they_make_most_points() -> None:
    # 2 aces with a joker 90, 3 kings 30, and a two with 2 eights 40: 160 of 170; the four and the
    # five stay.
    answer = asked_of("classica", opens("2xA JK 3xK 2 2x8 4 5", 1500))
    assert (answer.verdict, answer.details) == (
        Verdict.ALLOWED,
        {"minimum": 90, "counted": 160, "missing": 0},
    )
    assert len(way(answer)) == 3


def test_the_canastone_counts_natural_melds_first_and_lays_the_others_beside_them() -> None:
    # Up to 50 only natural melds count: 3 aces 60. The joker goes with the kings, which do not
    # count.
    answer = asked_of("canastone", opens("3xA 2xK JK 4 5"))
    assert (answer.verdict, answer.details["counted"]) == (Verdict.ALLOWED, 60)
    assert sorted(map(str, way(answer))) == ["2xK JK", "3xA"]
    # From 90 on wild cards alone do not open, unless the table plays so.
    wilds = opens("2xJK 2 4 5", 3000)
    assert asked_of("canastone", wilds).verdict is Verdict.FORBIDDEN
    assert way(asked_of("canastone", wilds, wild_opening=True)) == ["2 2xJK"]


def test_moderna_opens_with_a_natural_group_and_no_complete_mixed_canasta() -> None:
    # 6 aces and 2 jokers as one meld would be a mixed canasta; natural aces, and others with both
    # jokers, are 220.
    answer = asked_of("moderna", opens("6xA 2xJK K Q"))
    assert (answer.verdict, answer.details["counted"]) == (Verdict.ALLOWED, 220)
    natural, mixed = sorted(map(str, way(answer)), key=lambda cards: "JK" in cards)
    assert ("JK" in natural, mixed.endswith("A 2xJK")) == (False, True)
    lacking = asked_of("moderna", opens("2xA 2xJK 2xK 2x2"))
    assert lacking.verdict is Verdict.FORBIDDEN
    assert lacking.reasons[0].arguments["why"] == "natural-group"


def test_the_top_card_is_in_a_meld_of_its_kind_and_in_no_sequence() -> None:
    # The king of hearts goes with the two kings; the run from the ace to the queen then lacks its
    # king.
    answer = asked_of("samba", opens("Ah Qh Jh Ks Kd JK", top="Kh"))
    assert way(answer) == ["Kd Kh Ks JK"]
    assert answer.details["counted"] == 80
    dirty = asked_of("bolivia", opens("Ah Qh 2xJK Ks Kd", top="Kh"), dirty_escalera=True)
    assert (dirty.details["counted"], way(dirty)[0]) == (160, "Kd Kh Ks JK")


def test_whoever_goes_out_concealed_may_need_no_minimum_but_a_canasta() -> None:
    # G: no minimum, but a canasta of one's own. Seven fours are 35 points.
    hand = opens("7x4", concealed_out=True)
    assert asked_of("classica", hand).verdict is Verdict.FORBIDDEN
    assert way(asked_of("classica", hand, concealed_out="own-melds-only")) == ["7x4"]
    # Without one it is an opening like any other: of six fours four may go down, since two cards
    # stay.
    few = asked_of("classica", opens("6x4", concealed_out=True), concealed_out="own-melds-only")
    assert (few.verdict, codes(few)) == (
        Verdict.FORBIDDEN,
        ["opening-below-minimum", "opening-not-out"],
    )


# ----------------------------------------------------------------------------------------- the pile


def test_the_pile_is_taken_in_the_plainest_way() -> None:
    assert way(asked_of("classica", takes("3xK 2", "K"))) == ["3xK"]
    assert way(asked_of("classica", takes("K JK 2", "K"))) == ["2xK 2"]
    assert way(asked_of("classica", takes("4", "K", "3xA", "3xK"))) == [(1, "K")]
    # Frozen: two naturals of the hand, which join the meld on the table.
    assert way(asked_of("classica", takes("2xKs", "Kh", "3xA", "3xK", frozen=True))) == [
        (1, "Kh 2xKs")
    ]


def test_a_side_that_has_not_opened_lays_all_that_counts_beside_the_top_card() -> None:
    # 4 kings 40, and 2 aces with the joker 90: 130.
    answer = asked_of("classica", takes("3xK 2xA JK 4", "K", opened=False, score=3000))
    assert answer.details == {"minimum": 120, "counted": 130, "missing": 0}
    assert way(answer) == ["4xK", "2xA JK"]
    short = asked_of("classica", takes("2xK 4", "K", opened=False, score=3000))
    assert (short.verdict, short.details["missing"]) == (Verdict.FORBIDDEN, 90)
    assert asked_of("classica", takes("K 4", "K", opened=False)).verdict is Verdict.FORBIDDEN
    # LaidMeld off alone the top card opens nothing; the aces do.
    off = asked_of("classica", takes("3xA", "K", "3xK", opened=False))
    assert (way(off), off.details["counted"]) == ([(0, "K"), "3xA"], 60)


def test_a_question_of_more_cards_than_there_are_is_answered_at_once() -> None:
    many = tuple(read_cards("3xQ") for _ in range(36))
    asked = PileQuestion(read_cards("Q"), opened=False, table=many, laid=many)
    start = time.process_time()
    assert codes(asked_of("classica", asked)) == ["deck-exceeded"]
    assert time.process_time() - start < 0.2


# ---------------------------------------------------------------------------------------- going out


def test_all_cards_but_the_discard_go_down() -> None:
    # The seventh king makes the canasta (500); two twos on it would make it mixed, so the threes
    # have one.
    answer = asked_of("classica", goes("K 2x3b 2 5 Q", "6xK", "4x5"))
    assert (way(answer), discard(answer)) == ([(0, "K"), (1, "5"), "2x3b 2"], "Q")
    assert answer.details == {"bonus": 100}
    pure = asked_of("classica", goes("K 2x3b 2 5 Q", "6xK", "4x5"), black_threes_out="pure")
    assert pure.verdict is Verdict.FORBIDDEN


def test_what_is_missing_to_go_out_is_told() -> None:
    assert codes(asked_of("classica", goes("K", "4xK"))) == ["out-canastas-missing"]
    stay = asked_of("classica", goes("4 5 6", "7xK"))
    assert codes(stay) == ["hand-cards-stay"]
    assert stay.reasons[0].arguments == {"cards": 3, "stay": "6 5 4", "why": "one"}
    # The king makes the natural canasta, and then nothing is left for the discard that must be
    # made.
    assert codes(asked_of("canastone", goes("K", "6xK", "5x8 2x2"))) == ["out-discard-missing"]


def test_the_discard_that_was_said_is_the_discard() -> None:
    table = ("7xK", "3xQ")
    assert discard(asked_of("classica", goes("Qh Qs", *table, discard="Qh"))) == "Qh"
    assert discard(asked_of("classica", goes("Q 9", *table, discard="9"))) == "9"
    assert discard(asked_of("classica", goes("2xQ", *table, discard=""))) == ""
    assert codes(asked_of("classica", goes("2xQ", *table, discard="9"))) == ["discard-not-in-hand"]
    assert codes(asked_of("classica", goes("Q 2", *table, discard="2"))) == ["out-discard-special"]
    # In samba the queen of hearts that goes onto the pile is missing from the run.
    run = goes("Kh Qh Jh", "7x9", "7x8", discard="Qh")
    assert codes(asked_of("samba", run)) == ["hand-cards-stay"]


def test_going_out_from_nothing_is_an_opening_too() -> None:
    # W: the minimum holds. Seven fours are 35 of 50; with three aces 95.
    fours = goes("7x4")
    assert codes(asked_of("classica", fours)) == ["opening-below-minimum"]
    answer = asked_of("classica", goes("7x4 3xA"))
    assert answer.details == {"bonus": 200, "minimum": 50, "counted": 95, "missing": 0}
    # G asks none.
    assert asked_of("classica", fours, concealed_out="own-melds-only").verdict is Verdict.ALLOWED


def test_a_concealed_going_out_touches_nothing_of_the_partners() -> None:
    opened = goes("2xK 3xA", "7xK", concealed=True)
    assert codes(asked_of("classica", replace(opened, hand=read_cards("K 3xA")))) == [
        "concealed-after-opening"
    ]
    own = {"concealed_out": "own-melds-only"}
    # The partner's canasta is none of the player's own.
    assert codes(asked_of("classica", goes("3xA", "7xK", concealed=True), **own)) == [
        "own-canasta-missing"
    ]
    assert way(asked_of("classica", goes("7xA", "3xK", concealed=True), **own)) == ["7xA"]
    assert (
        asked_of("classica", goes("7xA K", "3xK", concealed=True, discard=""), **own).verdict
        is Verdict.FORBIDDEN
    )


def test_messicana_asks_a_red_three_for_every_canasta() -> None:
    hand = goes("K A", "7xQ", "6xK", "6xA", red_threes=2)
    # With two red threes only one of the two canastas may be made: the other card is the discard.
    answer = asked_of("messicana", hand)
    assert answer.verdict is Verdict.ALLOWED
    assert len(way(answer)) == 1
    assert asked_of("messicana", replace(hand, red_threes=1)).verdict is Verdict.FORBIDDEN


def test_natural_cards_on_wild_ones_are_allowed_where_a_source_says_so_and_else_nobody_knows() -> (
    None
):
    # W canastone: three wilds become a mixed canasta with four naturals of a rank.
    hand = goes("4xK 9", "7xQ", "3x2")
    answer = asked_of("canastone", hand)
    assert (answer.verdict, way(answer), discard(answer)) == (Verdict.ALLOWED, [(1, "4xK")], "9")
    # Where no source speaks, the way that needs it is shown, and nobody says whether it holds.
    kings = goes("K 9", "7xQ", "3x2")
    silent = asked_of("uruguaiana", replace(kings, hand=read_cards("2xK 9")))
    assert (silent.verdict, codes(silent)) == (Verdict.SILENT, ["naturals-on-wilds-unspoken"])
    assert asked_of("uruguaiana", goes("2xK 9 8", "7xQ", "3x2")).verdict is Verdict.FORBIDDEN


def test_wild_cards_join_those_that_lie_alone() -> None:
    # W cubana: the seventh two makes the canasta that going out needs; the nine is the discard.
    answer = asked_of("cubana", goes("2 9", "6x2"))
    assert (way(answer), discard(answer)) == ([(0, "2")], "9")


def test_the_second_of_two_wild_cards_goes_on_no_canasta() -> None:
    # Two eights with a wild card, and six queens with the other: a canasta, and then the discard is
    # the four.
    hand = goes("2x2 2x8 4", "6xQ")
    answer = asked_of("classica", hand, wild_on_canasta="forbidden")
    assert (way(answer), discard(answer)) == ([(0, "2"), "2x8 2"], "4")
    # Both on the queens would leave two cards less, and the second may not go there.
    assert asked_of("classica", goes("2x2 4", "6xQ")).verdict is Verdict.ALLOWED
    assert (
        asked_of("classica", goes("2x2 4", "6xQ"), wild_on_canasta="forbidden").verdict
        is Verdict.FORBIDDEN
    )


def test_moderna_aces_take_wild_cards_only_in_the_opening() -> None:
    hand = goes("2xA 2 K Q", "7xQ", "7x9", "6xK")
    assert asked_of("moderna", hand).verdict is Verdict.FORBIDDEN
    assert (
        asked_of("moderna", replace(hand, hand=read_cards("2x8 2 K J"))).verdict is Verdict.ALLOWED
    )


def test_sequences_on_the_table_grow() -> None:
    hand = goes("8h 9", "Ah Kh Qh Jh 10h 9h", "7xQ")
    answer = asked_of("samba", hand)
    assert (way(answer), discard(answer)) == ([(0, "8h")], "9")
    # A wild card at the end of the run, where the table plays so.
    dirty = goes("2 9", "Ah Kh Qh Jh 10h 9h", "7xQ")
    assert asked_of("bolivia", dirty).verdict is Verdict.FORBIDDEN
    assert way(asked_of("bolivia", dirty, dirty_escalera=True)) == [(0, "2")]


def test_a_very_large_hand_is_played_too() -> None:
    # Six ranks whole, 48 cards: all go down.
    hand = goes("8xA 8xK 8xQ 8xJ 8x10 8x9", red_threes=0)
    answer = asked_of("classica", hand)
    assert answer.verdict is Verdict.ALLOWED
    assert answer.play is not None
    assert sum(one.cards.size for one in answer.play.laid) + bool(discard(answer)) == 48
