"""A whole hand: a legal way is found exactly when there is one, and it is the best."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorepad.referee.answering import give_ruling
from scorepad.referee.field_types import Permission
from scorepad.referee.questions import OpeningQuestion, OutQuestion, PileQuestion
from scorepad.referee.ruling import Ruling, Verdict
from scorepad.referee.situation import report_impossible_cards
from scorepad.referee.whole_hand import table_after
from scorepad.rules.cards import NOTHING, Reading, read_cards
from scorepad.rules.definitions import ChoiceValue, Ruleset
from scorepad.rules.variants import settle
from tests.examples import examples
from tests.rules.hands_drawn import RUN, rulesets
from tests.rules.ways_tried import Hand, Trier, goings_out, is_of, openings, pile_takings, written

SCORES = st.sampled_from([0, 0, -5, 1500, 3000, 7000])
NATURALS = ["A", "K", "7", "4"]


@st.composite
def small_hands(
    draw: st.DrawFn, rules: Ruleset, ranks: list[str], fewest: int = 4, most: int = 8
) -> Hand:
    """Few cards that often go together: a couple of ranks, wild cards, a run of a suit where there
    are sequences.
    """
    pool = [
        *ranks,
        *ranks,
        *ranks,
        "2",
        "JK",
        draw(st.sampled_from(["2", "JK", "3b", "3b", "3r", "9"])),
    ]
    if rules.settings.sequences != "none" and draw(st.booleans()):
        first = draw(st.integers(0, 5))
        pool = [
            *(f"{rank}h" for rank in RUN[first : first + 6]),
            f"{RUN[first]}s",
            RUN[first],
            *ranks,
            "2",
        ]
    size = draw(st.integers(fewest, most))
    return tuple(sorted(draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))))


Chosen = tuple[str, str | None, dict[str, ChoiceValue]]
"""A variant, preset and options: short to tell where a test fails."""


def chosen(rules: Ruleset) -> Chosen:
    return rules.variant, rules.preset, dict(rules.options)


some_ranks = st.lists(st.sampled_from(NATURALS), min_size=1, max_size=2, unique=True)


def text(hand: Hand) -> Reading:
    return read_cards(" ".join(hand))


def out_of_way(ruling: Ruling) -> Hand:
    """The cards that the way takes, the discard included."""
    assert ruling.play is not None
    cards = [card for laid in ruling.play.laid for card in written(Reading(laid.cards))]
    return (*cards, *(written(Reading(ruling.play.discard)) if ruling.play.discard else ()))


def is_within_the_decks(rules: Ruleset, *cards: Reading) -> bool:
    return not report_impossible_cards(rules, *cards)


@st.composite
def openings_asked(draw: st.DrawFn) -> tuple[Chosen, OpeningQuestion, Hand, Hand]:
    rules = draw(rulesets())
    hand = draw(small_hands(rules, draw(some_ranks)))
    top = draw(st.sampled_from([(), (), *((card,) for card in hand), ("3b",)]))
    concealed, deal = (
        draw(st.booleans()),
        draw(st.integers(1, 4)) if "deal" in rules.entry_fields else 1,
    )
    asked = OpeningQuestion(
        draw(SCORES), (), text(top) if top else None, concealed, deal, text(hand)
    )
    return chosen(rules), asked, hand, top


@given(openings_asked())
@settings(max_examples=examples(400))
@example(
    (
        ("moderna", None, {}),
        OpeningQuestion(0, (), text(("JK",)), False, 1, text(("JK", *"KKKKK"))),
        ("JK", *"KKKKK"),
        ("JK",),
    )
)
def test_an_opening_is_found_exactly_when_there_is_one_and_no_other_lays_more(
    drawn: tuple[Chosen, OpeningQuestion, Hand, Hand],
) -> None:
    (variant, preset, options), asked, hand, top = drawn
    rules = settle(variant, preset, options)
    ruling = give_ruling(rules, asked)
    if not is_within_the_decks(rules, asked.hand, asked.top_card or NOTHING):
        assert (ruling.verdict, ruling.play) == (Verdict.FORBIDDEN, None)
        return
    trier = Trier(rules)
    found = openings(trier, asked, hand, top)
    if not found:
        assert (ruling.verdict, ruling.play) == (Verdict.FORBIDDEN, None)
        return
    said = {why.code for why in ruling.reasons}
    # In some games nobody says what the top card takes: then a way need not be the best, nor be
    # found.
    is_top_refereed = "top-card-not-refereed" not in said
    if ruling.play is None and not is_top_refereed:
        assert ruling.verdict is Verdict.SILENT
        return
    assert ruling.play is not None
    assert is_of(out_of_way(ruling), hand + top)
    if "counted" in ruling.details:
        laid = sum(each.cards.points(rules.settings.card_points) for each in ruling.play.laid)
        best = max(
            (trier.points(one.melds), int(one.judged.details["counted"] or 0), -len(one.melds))
            for one in found
        )
        way = (laid, ruling.details["counted"], -len(ruling.play.laid))
        assert way == best if is_top_refereed else way <= best
    shown = OpeningQuestion(
        asked.score, ruling.play.melds, asked.top_card, asked.concealed_out and "opening-not-out" not in said,
        asked.deal,
    )  # fmt: skip
    again = give_ruling(rules, shown)
    assert (again.verdict, again.details) == (ruling.verdict, ruling.details)
    assert {why.code for why in again.reasons} == said - OF_THE_HAND
    laid_so = [one for one in found if sorted(map(sorted, one.melds)) == laid_of(ruling)]
    assert laid_so, ruling.play
    assert ("opening-not-out" in said) is (asked.concealed_out and not laid_so[0].goes_out)
    assert ("opening-goes-out" in said) is (laid_so[0].goes_out and not asked.concealed_out)


OF_THE_HAND = {"opening-not-out", "opening-goes-out", "opening-hand-kept"}
"""What is said of a hand, and not of melds shown."""


def laid_of(ruling: Ruling) -> list[list[str]]:
    """The melds of a way as the cards that they are."""
    assert ruling.play is not None
    return sorted(sorted(written(Reading(laid.cards))) for laid in ruling.play.laid)


@st.composite
def piles_asked(draw: st.DrawFn) -> tuple[Chosen, PileQuestion, Hand, str]:
    rules = draw(rulesets())
    ranks = draw(some_ranks)
    hand = draw(small_hands(rules, ranks, most=7))
    top = draw(st.sampled_from([*ranks, *ranks, *ranks, *hand, "2"]))
    rank = top.rstrip("hdsc")
    tables = [
        [],
        [f"3x{rank}"],
        [f"6x{rank} 2"],
        [f"4x{rank}"],
        ["4x2"],
        ["4x2", f"3x{rank}"],
        ["Ah Kh Qh Jh 10h 9h"],
        ["5x9"],
    ]
    table = draw(st.sampled_from(tables)) if draw(st.booleans()) else []
    opened = bool(table) or draw(st.booleans())  # a side with melds has opened
    frozen, deal = (
        draw(st.booleans()),
        draw(st.integers(1, 4)) if "deal" in rules.entry_fields else 1,
    )
    lying = tuple(map(read_cards, table))
    return (
        chosen(rules),
        PileQuestion(read_cards(top), frozen, opened, draw(SCORES), lying, (), deal, text(hand)),
        hand,
        top,
    )


@given(piles_asked())
@settings(max_examples=examples(400))
def test_a_pile_is_taken_exactly_when_the_hand_can_and_no_other_way_opens_with_more(
    drawn: tuple[Chosen, PileQuestion, Hand, str],
) -> None:
    (variant, preset, options), asked, hand, top = drawn
    rules = settle(variant, preset, options)
    ruling = give_ruling(rules, asked)
    if not is_within_the_decks(rules, asked.hand, asked.top, *asked.table):
        assert (ruling.verdict, ruling.play) == (Verdict.FORBIDDEN, None)
        return
    found = list(pile_takings(Trier(rules), asked, hand, top))
    assert ruling.verdict is (found[0].verdict if found else Verdict.FORBIDDEN)
    if not found or ruling.verdict is Verdict.SILENT:
        assert ruling.play is None
        return
    assert is_of(out_of_way(ruling), (*hand, top))
    assert ruling.play is not None
    assert asked.top.cards.is_among(ruling.play.laid[0].cards)
    if "counted" in ruling.details:
        assert ruling.details["counted"] == max(
            int(answer.details["counted"] or 0) for answer in found
        )


@st.composite
def tables(draw: st.DrawFn, rules: Ruleset) -> tuple[list[str], list[str]]:
    """Melds that may lie there before somebody goes out, most of the canastas needed among them,
    and their ranks.
    """
    length, melds = rules.settings.canasta_length, []
    ranks = draw(st.permutations([*NATURALS, "9", "8", "Q"]))[
        : draw(st.integers(1, rules.settings.canastas_needed + 1))
    ]
    for rank in ranks:
        shapes = [
            f"{length}x{rank}",
            f"{length - 1}x{rank}",
            f"{length - 2}x{rank} 2",
            f"{length - 2}x{rank} 2 JK",
        ]
        melds.append(draw(st.sampled_from([*shapes[: 1 if rank == "7" else 4], f"3x{rank}"])))
    if rules.settings.wild_melds == "allowed" and draw(st.booleans()):
        melds.append(draw(st.sampled_from(["3x2", "5x2 JK", "2xJK 4x2", "7x2"])))
    if rules.settings.sequences != "none" and draw(st.booleans()):
        melds.append(
            draw(st.sampled_from(["Ah Kh Qh Jh 10h 9h", "Ah Kh Qh Jh 10h 9h 8h", "Kh Qh Jh"]))
        )
    return melds, ranks


@st.composite
def goings_out_asked(draw: st.DrawFn) -> tuple[Chosen, OutQuestion, Hand]:
    rules = draw(rulesets())
    table, ranks = draw(
        st.one_of(tables(rules), tables(rules), tables(rules), st.just(([], ["A"])))
    )
    hand = draw(small_hands(rules, ranks[:3], fewest=1, most=6))
    if not table:
        hand = tuple(sorted(["A"] * 7 + list(hand[:3])))
    said: dict[str, Any] = {}
    if draw(st.integers(0, 3)) == 3:
        discard = draw(st.sampled_from([(), (hand[0],), (hand[-1],)]))
        said = {"discard": text(discard) if discard else NOTHING}
    deal = draw(st.integers(1, 4)) if "deal" in rules.entry_fields else 1
    concealed = draw(st.sampled_from([False, False, True]))
    asked = OutQuestion(
        hand=text(hand),
        table=tuple(map(read_cards, table)),
        concealed=concealed,
        red_threes=draw(st.integers(0, 4)),
        permission=Permission.GRANTED,
        score=draw(SCORES),
        deal=deal,
        **said,
    )
    return chosen(rules), asked, hand


@given(goings_out_asked())
@settings(max_examples=examples(500))
def test_a_going_out_is_found_exactly_when_there_is_one(
    drawn: tuple[Chosen, OutQuestion, Hand],
) -> None:
    (variant, preset, options), asked, hand = drawn
    rules = settle(variant, preset, options)
    ruling = give_ruling(rules, asked)
    if not is_within_the_decks(rules, asked.hand, *asked.table):
        assert (ruling.verdict, ruling.play) == (Verdict.FORBIDDEN, None)
        return
    found = set(goings_out(Trier(rules), asked, hand))
    expected = next(
        (each for each in (Verdict.ALLOWED, Verdict.SILENT) if each in found), Verdict.FORBIDDEN
    )
    assert ruling.verdict is expected, ruling
    if expected is Verdict.FORBIDDEN:
        assert ruling.play is None
        return
    assert ruling.play is not None
    assert sorted(out_of_way(ruling)) == sorted(hand)
    end = table_after(ruling.play, asked.table)
    assert ruling.play.discard is not None
    concealed = asked.concealed or not asked.table
    discard = Reading(ruling.play.discard)
    shown = OutQuestion(end, discard, concealed, asked.red_threes, asked.permission)
    assert give_ruling(rules, shown).verdict is Verdict.ALLOWED
