"""Pages: their numbers, and that nothing is cut in two across them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Finding
from tests.examples import in_full
from tests.sheets.reading import lines_by_page, print_sheet
from tests.sheets.worked import (
    FIRST_HAND,
    MISCOUNTED_HAND,
    RECOUNTED_HAND,
    SECOND_HAND,
    SUMMED_HAND,
    contract,
    line,
    match_of,
)

THREE_HANDS = [FIRST_HAND, SECOND_HAND, SUMMED_HAND]
LAST_LINE = "Totale della partita "
NAMES, KINDS = "Anna–Bruno Carla–Dario", "n. punti n. punti"


def is_head(text: str) -> bool:
    """Whether this line begins the lines of a hand; a note on one has a point behind the number."""
    return re.match(r"Smazzata \d+ ", text) is not None


def details_of(state: MatchState) -> list[list[str]]:
    """The pages with the lines of every hand."""
    pages = lines_by_page(print_sheet(state))
    while "Le righe di ogni smazzata" not in pages[0]:
        del pages[0]
    return pages


def page_with(text: str, pages: list[list[str]]) -> str:
    """The text of the only page on which this stands."""
    (found,) = [page for page in map(" ".join, pages) if text in page]
    return found


@pytest.mark.long
def test_pages_are_numbered_on_each_of_them() -> None:
    pages = lines_by_page(print_sheet(match_of(THREE_HANDS * 10)))
    assert len(pages) > 4
    for number, page in enumerate(pages, start=1):
        names = "Anna–Bruno – Carla–Dario · 21 novembre 2026"
        assert page[-1] == f"{names} pagina {number} di {len(pages)}"


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 3, 6, 9, *in_full(1, 2, 4, 5, 7, 8)])
def test_no_hand_is_split_across_pages_wherever_it_falls(lines: int) -> None:
    """A first hand of so many lines more pushes the others down the page."""
    ours, theirs = FIRST_HAND.sides
    longer = replace(FIRST_HAND, sides=((*ours, *[line("adjustment", None, 5)] * lines), theirs))
    hands = [longer, *THREE_HANDS[1:], *THREE_HANDS * 3]
    number_of_hands = 0
    for page in details_of(match_of(hands)):
        marks = [is_head(text) for text in page if is_head(text) or text.startswith(LAST_LINE)]
        assert marks == [True, False] * (len(marks) // 2), page
        number_of_hands += marks.count(True)
    assert number_of_hands == len(hands)


@pytest.mark.long
def test_thirty_hands_run_on_in_order_with_the_table_head_on_every_page() -> None:
    numbers = []
    for page in details_of(match_of(THREE_HANDS * 10)):
        heads = [text for text in page if is_head(text)]
        numbers += [int(head.split()[1]) for head in heads]
        if heads:
            assert page.count(NAMES) == page.count(KINDS) == 1
            assert page.index(KINDS) < page.index(heads[0])
    assert numbers == list(range(1, 31))


@pytest.mark.long
@pytest.mark.parametrize("words", [9, *in_full(17, 34)])
def test_no_penalty_is_cut_in_two(words: int) -> None:
    penalties = []
    for number in range(60):
        said = "parole " * (2 * words * (1 + number % 5))
        reason = f"inizio{number}. {said} fine{number}."
        penalties.append({"code": "house", "points": 25, "reason": reason})
    hand = replace(FIRST_HAND, hand=contract(out="a", b={"penalties": penalties}))
    pages = details_of(match_of([hand]))
    assert len(pages) > 3
    for number in range(60):
        assert f"fine{number}." in page_with(f"inizio{number}.", pages)
    assert "inizio0." in page_with("Penalità e punti concordati", pages)


def test_a_hand_longer_than_a_page_runs_on_without_losing_a_line() -> None:
    points = range(5, 505, 5)
    lines = tuple(line("adjustment", None, each) for each in points)
    long_hand = replace(SUMMED_HAND, sides=(lines, ()))
    state = match_of([FIRST_HAND, long_hand, SECOND_HAND], options={"target": 100000})
    text = [line for page in details_of(state) for line in page]
    adjustments = [each for each in text if each.startswith("Correzione concordata ")]
    assert adjustments[:100] == [f"Correzione concordata {each}" for each in points]
    assert "Totale della smazzata 25.250 0" in text
    assert sum(map(is_head, text)) == 3


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_a_correction_and_the_signatures_stay_whole(hands: int) -> None:
    pages = lines_by_page(print_sheet(match_of([(MISCOUNTED_HAND, RECOUNTED_HAND)] * hands)))
    for number in range(1, hands + 1):
        correction = f"Smazzata {number}, corretta"
        after = page_with(correction, pages).partition(correction)[2]
        assert "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605" in after
    assert page_with("Anna Bruno Carla Dario", pages)


LONG_TEXT = "parole " * 60


def with_long_notes(hand: HandState) -> HandState:
    """The same hand, counted against the rules for a long reason, with a long remark, and
    contested.
    """
    finding = Finding(
        "meld-too-short", "error", ("sides", 0), {"why": "any", "cards": 2, "needed": 3}, ()
    )
    reason = f"motivo{hand.number}. {LONG_TEXT} finemotivo{hand.number}."
    counted = hand.versions[-1]
    agreed = replace(counted, event=replace(counted.event, agreed=reason, findings=(finding,) * 2))
    return hand._replace(
        remark=f"nota{hand.number}. {LONG_TEXT} finenota{hand.number}.",
        contest=match_of([RECOUNTED_HAND]).hands[0].versions[-1],
        versions=(agreed,),
    )


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_agreement_contest_or_note_is_cut_in_two_and_none_stands_without_its_heading(
    hands: int,
) -> None:
    state = match_of([MISCOUNTED_HAND] * hands)
    pages = details_of(replace(state, hands=list(map(with_long_notes, state.hands))))
    for number in range(1, hands + 1):
        assert f" finemotivo{number}. " in page_with(f" motivo{number}. ", pages)
        contest = f"Smazzata {number}, contestata"
        after = page_with(contest, pages).partition(contest)[2]
        assert "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605" in after
    assert " motivo1." in page_with("D'accordo al tavolo, contro", pages)
    assert "1, contestata" in page_with("Contestate, da", pages)


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 12, 24, *in_full(36, 48, *range(6, 60, 12))])
def test_the_chart_stays_whole_under_its_heading(lines: int) -> None:
    state = match_of([FIRST_HAND, SECOND_HAND], place="x " * 18 * lines)
    heading = "Andamento della partita"
    page = page_with(heading, lines_by_page(print_sheet(state, details=False)))
    chart = page.partition(heading)[2]
    for text in ("traguardo 5.000", "smazzate", "1.575", "1.455"):
        assert text in chart
