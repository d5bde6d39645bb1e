"""The best opening of a whole hand, worked by hand: what must stay in the hand, and what makes one
the best.

W: a turn ends with a discard, and who has no cards left has gone out, for which a canasta is
needed. G: who lacks it "dovrà astenersi dal chiudere". So one card is discarded and at least one
stays.
"""

from __future__ import annotations

from typing import Any

from scorepad.referee.answering import give_ruling
from scorepad.referee.questions import OpeningQuestion, PileQuestion
from scorepad.referee.ruling import Ruling, Verdict
from scorepad.rules.cards import read_cards, write_cards
from scorepad.rules.variants import settle


def opens(
    table: str,
    hand: str,
    score: int = 0,
    *,
    top: str | None = None,
    said: bool = False,
    **options: Any,
) -> Ruling:
    """The answer at a table, `variant` or `variant/preset`; `said`: that the player goes out in the
    same turn.
    """
    variant, _, preset = table.partition("/")
    asked = OpeningQuestion(
        score, (), None if top is None else read_cards(top), said, hand=read_cards(hand)
    )
    return give_ruling(
        settle(
            variant,
            preset or None,
            {name.replace("_", "-"): value for name, value in options.items()},
        ),
        asked,
    )


def way(ruling: Ruling) -> list[str]:
    assert ruling.play is not None, ruling
    return sorted(write_cards(laid.cards) for laid in ruling.play.laid)


def codes(ruling: Ruling) -> list[str]:
    return [why.code for why in ruling.reasons]


def figures(ruling: Ruling, code: str) -> dict[str, Any]:
    return next(dict(why.arguments) for why in ruling.reasons if why.code == code)


# ----------------------------------------------------------------------------------- what must stay


def test_a_hand_that_reaches_the_minimum_only_with_all_its_cards_does_not_open() -> None:
    # 3 kings and a two are 50, and nothing is left to discard.
    answer = opens("classica", "3xK 2")
    assert (answer.verdict, codes(answer), answer.play) == (
        Verdict.FORBIDDEN,
        ["opening-hand-emptied"],
        None,
    )
    assert answer.details == {"minimum": 50, "counted": 0, "missing": 50}
    assert figures(answer, "opening-hand-emptied") == {"cards": 0, "minimum": 50}
    # One card left is the discard, and then none stays.
    assert opens("classica", "3xK 2 4").verdict is Verdict.FORBIDDEN
    assert figures(opens("classica", "3xK 2 4"), "opening-hand-emptied")["cards"] == 1
    # With one more it opens.
    assert way(opens("classica", "3xK 2 4 5")) == ["3xK 2"]


def test_two_cards_stay_and_the_rest_lies_where_it_makes_most_points() -> None:
    # Six cards: of 3 kings, 2 eights and a two four may go down: kings and the two, 50; eights and
    # the two are 40.
    answer = opens("classica", "3xK 2x8 2")
    assert (answer.details, way(answer)) == (
        {"minimum": 50, "counted": 50, "missing": 0},
        ["3xK 2"],
    )
    assert figures(answer, "opening-hand-kept") == {"cards": 2}
    # Twelve cards in four threes: three of the melds, 90, and three cards stay.
    four = "3xK 3xQ 3xJ 3x10"
    answer = opens("classica", four)
    assert (answer.details["counted"], len(way(answer))) == (90, 3)
    assert "opening-hand-kept" not in codes(answer)


def test_what_comes_nearest_keeps_its_cards_too() -> None:
    # 120 would be the twelve cards; three melds are 90.
    answer = opens("classica", "3xK 3xQ 3xJ 3x10", 3000)
    assert answer.details == {"minimum": 120, "counted": 90, "missing": 30}
    assert codes(answer) == ["opening-below-minimum", "opening-hand-emptied", "fault-only-fifty"]
    # What all the cards do not reach is told of all the cards: 3 kings and a two are 50 of 90.
    answer = opens("classica", "3xK 2", 1500)
    assert (codes(answer), answer.details["counted"]) == (
        ["opening-below-minimum", "fault-only-fifty"],
        50,
    )


def test_who_can_go_out_may_lay_all_but_the_discard() -> None:
    # The seventh king makes the canasta that going out needs; the four is the discard. Nobody said
    # so: it is told.
    answer = opens("classica", "7xK 4")
    assert (answer.details["counted"], way(answer)) == (70, ["7xK"])
    assert codes(answer)[-1] == "opening-goes-out"
    assert answer.play is not None
    assert answer.play.discard is None
    # Two players need two canastas: six kings go down, and two cards stay.
    answer = opens("due", "7xK 4")
    assert (way(answer), codes(answer)[-1]) == (["6xK"], "opening-hand-kept")
    # No wild card is the last discard (W), and without one to discard all eight cards go down.
    assert way(opens("classica", "7xK 2")) == ["7xK 2"]
    # In the canastone a natural and a mixed canasta are needed, and a discard.
    both = "7xK 5xQ 2x2"
    assert codes(opens("canastone", f"{both} 4", 0))[-1] == "opening-goes-out"
    assert "opening-goes-out" not in codes(opens("canastone", both, 0))
    # A red three is wanted for every canasta in the messicana, and none is known of.
    assert "opening-goes-out" not in codes(opens("messicana", "7xK 7xQ 4"))


# ------------------------------------------------------------------------------- going out, as said


def test_who_says_that_he_goes_out_and_cannot_opens_like_any_other() -> None:
    # G asks no minimum of who opens and goes out. With three cards left nobody goes out: 35 of 50.
    answer = opens("classica/giochi", "7x5 4 6 8", said=True)
    assert (answer.verdict, codes(answer)) == (
        Verdict.FORBIDDEN,
        ["opening-below-minimum", "opening-not-out"],
    )
    assert answer.details == {"minimum": 50, "counted": 35, "missing": 15}
    # 70 open, and it is told that it is no going out.
    answer = opens("classica", "7x8 4 6 K", said=True)
    assert (answer.verdict, answer.details["counted"], codes(answer)[-1]) == (
        Verdict.ALLOWED,
        70,
        "opening-not-out",
    )
    # A black three is melded only by who goes out: it stays, and with it nothing but the six
    # eights.
    answer = opens("classica", "6x8 3x3b", said=True)
    assert (way(answer), codes(answer)[-1]) == (["6x8"], "opening-not-out")


def test_who_goes_out_as_said_needs_no_minimum_where_the_source_asks_none() -> None:
    for hand in ("7x5", "7x5 4"):
        answer = opens("classica/giochi", hand, said=True)
        assert (answer.verdict, way(answer), answer.details) == (
            Verdict.ALLOWED,
            ["7x5"],
            {"counted": 35},
        )
        assert codes(answer) == ["opening-concealed-without-minimum"]
        # W: the minimum holds.
        assert opens("classica", hand, said=True).verdict is Verdict.FORBIDDEN
    # With black threes, which going out allows: 35 and 15 are 50.
    answer = opens("classica", "7x5 3x3b 4", said=True)
    assert (way(answer), answer.details["counted"]) == (["3x3b", "7x5"], 50)


def test_with_the_top_card_the_canastas_alone_show_whether_somebody_goes_out() -> None:
    answer = opens("classica/giochi", "6x5 K", top="5", said=True)
    assert (answer.verdict, way(answer), answer.details) == (
        Verdict.ALLOWED,
        ["7x5"],
        {"counted": 35},
    )
    answer = opens("classica/giochi", "5x5 K", top="5", said=True)
    assert (answer.verdict, answer.details["missing"]) == (Verdict.FORBIDDEN, 20)


# ----------------------------------------------------------------------------------------- the best


def test_the_best_opening_lays_most_points_and_of_those_counts_most() -> None:
    # Below zero 15 will do, of natural cards: 4 eights are 40, and 3 nines with 2 jokers (130) lie
    # beside, uncounted. The 7 naturals would count 70 and lay 70.
    answer = opens("canastone", "4x8 3x9 2xJK Q 4", -5)
    assert (answer.verdict, way(answer)) == (Verdict.ALLOWED, ["3x9 2xJK", "4x8"])
    assert answer.details == {"minimum": 15, "counted": 40, "missing": 0}
    # At 50 the eights alone are not enough: both melds count 70, and the jokers lie with neither.
    answer = opens("canastone", "4x8 3x9 2xJK Q 4", 0)
    assert (way(answer), answer.details["counted"]) == (["3x9", "4x8"], 70)
    # The same points laid either way: aces 60 and kings with the two 50, or aces with the two; more
    # counts so.
    answer = opens("canastone", "3xA 3xK 2 4 5", -5)
    assert (way(answer), answer.details["counted"]) == (["3xA", "3xK 2"], 60)


def test_a_hand_that_opens_only_with_all_its_melds_goes_out() -> None:
    # 7 nines and 4 fours are the 90 needed; with one card less, to keep two, they are 85.
    answer = opens("classica", "7x9 4x4 5", 1500)
    assert (answer.verdict, way(answer)) == (Verdict.ALLOWED, ["4x4", "7x9"])
    assert "opening-goes-out" in codes(answer)


# ----------------------------------------------------------------------------------------- the pile


def takes(
    variant: str, hand: str, top: str, *table: str, preset: str | None = None, **more: Any
) -> Ruling:
    asked = PileQuestion(
        read_cards(top), hand=read_cards(hand), table=tuple(map(read_cards, table)), **more
    )
    return give_ruling(settle(variant, preset), asked)


def test_a_hand_that_cannot_take_the_pile_is_told_of_no_melds_that_nobody_laid() -> None:
    assert codes(takes("classica", "K 2 4 5", "K", frozen=True)) == ["pile-naturals"]
    assert codes(takes("classica", "K 4 5", "K")) == ["pile-two-cards"]
    # W: not onto a meld that is still in the hand.
    assert figures(takes("samba", "Qh Jh 10h", "Kh"), "pile-naturals") == {
        "card": "K", "needed": 2, "has": 0, "why": "free",
    }  # fmt: skip
    # Not opened, and without the cards to take it: nothing is said of a minimum.
    short = takes("uruguaiana", "K 3xA", "K", opened=False, score=1500)
    assert (codes(short), short.details) == (["pile-always-frozen", "pile-naturals"], {})
    # G: the canasta takes no eighth card, and the hand holds none like it.
    assert codes(takes("classica", "4 5 6", "K", "7xK", preset="giochi")) == [
        "pile-meld-full",
        "pile-naturals",
    ]
    assert codes(takes("mini", "3x2 K", "2")) == ["pile-top-needs-more"]


def test_no_sequence_takes_the_top_card_even_where_it_would_be_the_longer_for_it() -> None:
    # The four of the pile is the only one, and the hand holds the run of hearts down to the five.
    answer = opens("bolivia", "7x9 3x7 2x8 2s 10d 8h 7h 6h 5h", top="4h", said=True)
    assert answer.verdict is Verdict.FORBIDDEN
    assert codes(answer) == ["top-card-unused", "opening-not-out"]
    assert figures(answer, "top-card-unused") == {"card": "4", "why": "hand"}
