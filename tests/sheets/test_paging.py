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
    hand_in_log,
    line,
    match_of,
)

THREE_HANDS = [FIRST_HAND, SECOND_HAND, SUMMED_HAND]
LAST_LINE_OF_HAND = "Totale della partita "


def is_heading_of_hand(text: str) -> bool:
    """Whether this line begins the lines of a hand; a note on one has a point behind the number."""
    return re.match(r"Smazzata \d+ ", text) is not None


def list_edges_of_hands(lines: list[str]) -> list[str]:
    """In the order of the page, "heading" for each first line of a hand, and "last line"."""
    edges = []
    for text in lines:
        if is_heading_of_hand(text):
            edges.append("heading")
        if text.startswith(LAST_LINE_OF_HAND):
            edges.append("last line")
    return edges


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


def find_text_below(heading: str, pages: list[list[str]]) -> str:
    """What stands below a heading on its page."""
    _, _, below = find_page(heading, pages).partition(heading)
    return below


@pytest.mark.long
def test_every_page_is_numbered() -> None:
    pages = lines_by_page(print_sheet(match_of(THREE_HANDS * 10)))

    assert len(pages) > 4
    names = "Anna–Bruno – Carla–Dario · 21 novembre 2026"
    for number, lines in enumerate(pages, start=1):
        assert lines[-1] == f"{names} pagina {number} di {len(pages)}"


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 3, 6, 9, *in_full(1, 2, 4, 5, 7, 8)])
def test_no_hand_is_split_across_pages(lines: int) -> None:
    """A first hand of so many lines more pushes the others down the page."""
    noi, loro = FIRST_HAND.sides
    more_lines = [line("adjustment", None, 5)] * lines
    longer = replace(FIRST_HAND, sides=((*noi, *more_lines), loro))
    hands = [longer, *THREE_HANDS[1:], *THREE_HANDS * 3]

    pages = print_details(match_of(hands))

    whole_hands = 0
    for page in pages:
        edges_of_hands = list_edges_of_hands(page)
        hands_on_page = len(edges_of_hands) // 2
        assert edges_of_hands == ["heading", "last line"] * hands_on_page
        whole_hands += hands_on_page
    assert whole_hands == len(hands)


@pytest.mark.long
def test_thirty_hands_are_in_order_with_table_head_on_every_page() -> None:
    pages = print_details(match_of(THREE_HANDS * 10))

    numbers_of_hands = []
    for page in pages:
        headings = [text for text in page if is_heading_of_hand(text)]
        for heading in headings:
            numbers_of_hands.append(int(heading.split()[1]))
        if headings:
            assert page.count("Anna–Bruno Carla–Dario") == 1
            head_of_table = "n. punti n. punti"
            assert page.count(head_of_table) == 1
            assert page.index(head_of_table) < page.index(headings[0])
    assert numbers_of_hands == list(range(1, 31))


@pytest.mark.long
@pytest.mark.parametrize("words", [9, *in_full(17, 34)])
def test_no_penalty_is_split_across_pages(words: int) -> None:
    """Sixty penalties with reasons of one to five times so many words, twice."""
    penalties = []
    for number in range(60):
        length = 2 * words * (1 + number % 5)
        reason = f"inizio{number}. {'parole ' * length} fine{number}."
        penalties.append({"code": "house", "points": 25, "reason": reason})
    with_penalties = replace(FIRST_HAND, hand=hand_in_log(out="a", b={"penalties": penalties}))

    pages = print_details(match_of([with_penalties]))

    assert len(pages) > 3
    for number in range(60):
        assert f"fine{number}." in find_page(f"inizio{number}.", pages)
    assert "inizio0." in find_page("Penalità e punti concordati", pages)


def test_hand_longer_than_a_page_loses_no_line() -> None:
    hundred_adjustments = range(5, 505, 5)  # 5, 10, … 500 points, 25,250 together
    lines_of_noi = tuple(line("adjustment", None, points) for points in hundred_adjustments)
    long_hand = replace(SUMMED_HAND, sides=(lines_of_noi, ()))
    hands = [FIRST_HAND, long_hand, SECOND_HAND]

    pages = print_details(match_of(hands, options={"target": 100000}))

    printed_lines = []
    for page in pages:
        printed_lines += page
    adjustments = [text for text in printed_lines if text.startswith("Correzione concordata ")]
    assert adjustments[:100] == [
        f"Correzione concordata {points}" for points in hundred_adjustments
    ]
    assert "Totale della smazzata 25.250 0" in printed_lines
    headings = [text for text in printed_lines if is_heading_of_hand(text)]
    assert len(headings) == 3


CHANGES_OF_RECOUNT = "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605"
"""What a recount of `MISCOUNTED_HAND` changes, before and after."""


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_correction_or_signature_is_split_across_pages(hands: int) -> None:
    corrected_hand = (MISCOUNTED_HAND, RECOUNTED_HAND)

    pages = lines_by_page(print_sheet(match_of([corrected_hand] * hands)))

    for number in range(1, hands + 1):
        assert CHANGES_OF_RECOUNT in find_text_below(f"Smazzata {number}, corretta", pages)
    signatures = "Anna Bruno Carla Dario"
    assert find_page(signatures, pages)


LONG_TEXT = "parole " * 60


def with_long_notes(hand: HandState) -> HandState:
    """The same hand, counted against the rules for a long reason, with a long remark, and
    contested.
    """
    arguments = {"why": "any", "cards": 2, "needed": 3}
    too_short = Finding("meld-too-short", "error", ("sides", 0), arguments, ())
    reason = f"motivo{hand.number}. {LONG_TEXT} finemotivo{hand.number}."
    counted = hand.versions[-1]
    agreed_event = replace(counted.event, agreed=reason, findings=(too_short, too_short))
    agreed = replace(counted, event=agreed_event)
    return hand._replace(
        remark=f"nota{hand.number}. {LONG_TEXT} finenota{hand.number}.",
        contest=match_of([RECOUNTED_HAND]).hands[0].versions[-1],
        versions=(agreed,),
    )


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_agreement_or_contest_is_split_across_pages(
    hands: int,
) -> None:
    state = match_of([MISCOUNTED_HAND] * hands)
    with_notes = replace(state, hands=[with_long_notes(hand) for hand in state.hands])

    pages = print_details(with_notes)

    for number in range(1, hands + 1):
        assert f" finemotivo{number}. " in find_page(f" motivo{number}. ", pages)
        assert CHANGES_OF_RECOUNT in find_text_below(f"Smazzata {number}, contestata", pages)
    heading_of_agreements = "D'accordo al tavolo, contro"
    assert " motivo1." in find_page(heading_of_agreements, pages)
    heading_of_contests = "Contestate, da"
    assert "1, contestata" in find_page(heading_of_contests, pages)


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 12, 24, *in_full(36, 48, *range(6, 60, 12))])
def test_chart_is_not_split_across_pages(lines: int) -> None:
    place_of_many_lines = "x " * 18 * lines
    state = match_of([FIRST_HAND, SECOND_HAND], place=place_of_many_lines)

    pages = lines_by_page(print_sheet(state, details=False))

    text_of_chart = find_text_below("Andamento della partita", pages)
    assert "traguardo 5.000" in text_of_chart
    assert "smazzate" in text_of_chart
    assert "1.575" in text_of_chart  # the totals
    assert "1.455" in text_of_chart
