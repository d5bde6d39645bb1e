"""Pages: their numbers, and that nothing is cut in two across them."""

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
LAST_LINE_OF_HAND = "Totale della partita "


def is_first_line_of_hand(text: str) -> bool:
    """Whether this line begins the lines of a hand; a note on one has a point behind the number."""
    return re.match(r"Smazzata \d+ ", text) is not None


def print_details(state: MatchState) -> list[list[str]]:
    """The lines of the pages with the lines of every hand."""
    pages = lines_by_page(print_sheet(state))
    while "Le righe di ogni smazzata" not in pages[0]:
        del pages[0]
    return pages


def find_page(text: str, pages: list[list[str]]) -> str:
    """The text of the only page on which this stands."""
    texts = [" ".join(lines) for lines in pages]
    (found,) = [page for page in texts if text in page]
    return found


@pytest.mark.long
def test_pages_are_numbered_on_each_of_them() -> None:
    pages = lines_by_page(print_sheet(match_of(THREE_HANDS * 10)))

    assert len(pages) > 4
    names = "Anna–Bruno – Carla–Dario · 21 novembre 2026"
    for number, lines in enumerate(pages, start=1):
        assert lines[-1] == f"{names} pagina {number} di {len(pages)}"


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 3, 6, 9, *in_full(1, 2, 4, 5, 7, 8)])
def test_no_hand_is_split_across_pages_wherever_it_falls(lines: int) -> None:
    """A first hand of so many lines more pushes the others down the page."""
    noi, loro = FIRST_HAND.sides
    more_lines = [line("adjustment", None, 5)] * lines
    longer = replace(FIRST_HAND, sides=((*noi, *more_lines), loro))
    hands = [longer, *THREE_HANDS[1:], *THREE_HANDS * 3]

    pages = print_details(match_of(hands))

    whole_hands = 0
    for page in pages:
        is_open = False  # a hand has begun on this page and not ended
        for text in page:
            if is_first_line_of_hand(text):
                assert not is_open
                is_open = True
            if text.startswith(LAST_LINE_OF_HAND):
                assert is_open
                is_open = False
                whole_hands += 1
        assert not is_open
    assert whole_hands == len(hands)


@pytest.mark.long
def test_thirty_hands_run_on_in_order_with_the_table_head_on_every_page() -> None:
    numbers = []
    for page in print_details(match_of(THREE_HANDS * 10)):
        first_lines = [text for text in page if is_first_line_of_hand(text)]
        numbers += [int(text.split()[1]) for text in first_lines]
        if first_lines:
            assert page.count("Anna–Bruno Carla–Dario") == 1
            assert page.count("n. punti n. punti") == 1
            assert page.index("n. punti n. punti") < page.index(first_lines[0])
    assert numbers == list(range(1, 31))


@pytest.mark.long
@pytest.mark.parametrize("words", [9, *in_full(17, 34)])
def test_no_penalty_is_cut_in_two(words: int) -> None:
    penalties = []
    for number in range(60):
        length = words * (1 + number % 5)
        reason = f"inizio{number}. {'parole ' * (2 * length)} fine{number}."
        penalties.append({"code": "house", "points": 25, "reason": reason})
    with_penalties = replace(FIRST_HAND, hand=contract(out="a", b={"penalties": penalties}))

    pages = print_details(match_of([with_penalties]))

    assert len(pages) > 3
    for number in range(60):
        assert f"fine{number}." in find_page(f"inizio{number}.", pages)
    assert "inizio0." in find_page("Penalità e punti concordati", pages)


def test_a_hand_longer_than_a_page_runs_on_without_losing_a_line() -> None:
    points = range(5, 505, 5)
    lines = tuple(line("adjustment", None, each) for each in points)
    long_hand = replace(SUMMED_HAND, sides=(lines, ()))
    hands = [FIRST_HAND, long_hand, SECOND_HAND]

    pages = print_details(match_of(hands, options={"target": 100000}))

    text = [line for page in pages for line in page]
    adjustments = [line for line in text if line.startswith("Correzione concordata ")]
    assert adjustments[:100] == [f"Correzione concordata {each}" for each in points]
    assert "Totale della smazzata 25.250 0" in text
    first_lines = [line for line in text if is_first_line_of_hand(line)]
    assert len(first_lines) == 3


CHANGES = "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605"
"""What a recount of `MISCOUNTED_HAND` changes, before and after."""


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_a_correction_and_the_signatures_stay_whole(hands: int) -> None:
    corrected_hand = (MISCOUNTED_HAND, RECOUNTED_HAND)

    pages = lines_by_page(print_sheet(match_of([corrected_hand] * hands)))

    for number in range(1, hands + 1):
        heading = f"Smazzata {number}, corretta"
        _, _, below = find_page(heading, pages).partition(heading)
        assert CHANGES in below
    assert find_page("Anna Bruno Carla Dario", pages)


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
    with_notes = replace(state, hands=[with_long_notes(hand) for hand in state.hands])

    pages = print_details(with_notes)

    for number in range(1, hands + 1):
        assert f" finemotivo{number}. " in find_page(f" motivo{number}. ", pages)
        heading = f"Smazzata {number}, contestata"
        _, _, below = find_page(heading, pages).partition(heading)
        assert CHANGES in below
    assert " motivo1." in find_page("D'accordo al tavolo, contro", pages)
    assert "1, contestata" in find_page("Contestate, da", pages)


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 12, 24, *in_full(36, 48, *range(6, 60, 12))])
def test_the_chart_stays_whole_under_its_heading(lines: int) -> None:
    place_of_many_lines = "x " * 18 * lines
    state = match_of([FIRST_HAND, SECOND_HAND], place=place_of_many_lines)

    pages = lines_by_page(print_sheet(state, details=False))

    heading = "Andamento della partita"
    _, _, below = find_page(heading, pages).partition(heading)
    for text in ("traguardo 5.000", "smazzate", "1.575", "1.455"):
        assert text in below
