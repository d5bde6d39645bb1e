"""The pages of a sheet: each has its number, and nothing is cut in two across them."""

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


def is_heading_of_hand(text: str) -> bool:
    """Tell whether a line of text is the heading of a hand: "Smazzata 3 mazziere: …".

    A note on a hand has a point behind its number: "Smazzata 3. …".
    """
    return re.match(r"Smazzata \d+ ", text) is not None


def list_edges_of_hands(lines: list[str]) -> list[str]:
    """List "heading" and "last line" in the order in which these lines of hands are on a page."""
    edges = []
    for text in lines:
        if is_heading_of_hand(text):
            edges.append("heading")
        if text.startswith("Totale della partita "):  # "Total of the match"
            edges.append("last line")
    return edges


def print_details(state: MatchState) -> list[list[str]]:
    """Print a sheet, and return the lines of each page from the details of the hands on."""
    pages = lines_by_page(print_sheet(state))
    while "Le righe di ogni smazzata" not in pages[0]:  # "The lines of every hand"
        del pages[0]
    return pages


def find_page(text: str, pages: list[list[str]]) -> str:
    """Return the text of the page that contains this text. No other page may contain it."""
    texts = [" ".join(lines) for lines in pages]
    (found,) = [page for page in texts if text in page]
    return found


def find_text_below(heading: str, pages: list[list[str]]) -> str:
    """Return the text below a heading as far as the end of its page."""
    _, _, below = find_page(heading, pages).partition(heading)
    return below


@pytest.mark.long
def test_every_page_is_numbered() -> None:
    pages = lines_by_page(print_sheet(match_of(THREE_HANDS * 10)))

    # Thirty hands do not fit on four pages.
    assert len(pages) > 4
    names = "Anna–Bruno – Carla–Dario · 21 novembre 2026"
    for number, lines in enumerate(pages, start=1):
        assert lines[-1] == f"{names} pagina {number} di {len(pages)}"


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 3, 6, 9, *in_full(1, 2, 4, 5, 7, 8)])
def test_no_hand_is_split_across_pages(lines: int) -> None:
    # The more lines the first hand has, the further down the page the other hands begin.
    noi, loro = FIRST_HAND.sides
    more_lines = [line("adjustment", None, 5)] * lines
    longer = replace(FIRST_HAND, sides=((*noi, *more_lines), loro))
    hands = [longer, *THREE_HANDS[1:], *THREE_HANDS * 3]

    pages = print_details(match_of(hands))

    # Every hand that begins on a page ends on it before the next one begins.
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
        # The heading of a hand begins with its number: "Smazzata 12 mazziere: Anna …".
        headings = [text for text in page if is_heading_of_hand(text)]
        for heading in headings:
            numbers_of_hands.append(int(heading.split()[1]))

        # The head of the table names the sides, with a number and points for each.
        if headings:
            assert page.count("Anna–Bruno Carla–Dario") == 1
            head_of_table = "n. punti n. punti"
            assert page.count(head_of_table) == 1
            assert page.index(head_of_table) < page.index(headings[0])

    assert numbers_of_hands == list(range(1, 31))


@pytest.mark.long
@pytest.mark.parametrize("words", [9, *in_full(17, 34)])
def test_no_penalty_is_split_across_pages(words: int) -> None:
    # In one hand the table gave sixty penalties, each with a reason of another length.
    penalties = []
    for number in range(60):
        length = 2 * words * (1 + number % 5)
        reason = f"inizio{number}. {'parole ' * length} fine{number}."
        penalties.append({"code": "house", "points": 25, "reason": reason})
    with_penalties = replace(FIRST_HAND, hand=hand_in_log(out="a", b={"penalties": penalties}))

    pages = print_details(match_of([with_penalties]))

    # The end of each reason is on the page on which it begins.
    assert len(pages) > 3
    for number in range(60):
        assert f"fine{number}." in find_page(f"inizio{number}.", pages)
    # The first is on the page of the heading, "Penalties and agreed points".
    assert "inizio0." in find_page("Penalità e punti concordati", pages)


def test_hand_longer_than_a_page_loses_no_line() -> None:
    # In the second of three hands the first side has a hundred adjustments, each a line.
    hundred_adjustments = range(5, 505, 5)  # 5, 10, … 500 points, 25,250 together
    lines_of_noi = tuple(line("adjustment", None, points) for points in hundred_adjustments)
    long_hand = replace(SUMMED_HAND, sides=(lines_of_noi, ()))
    hands = [FIRST_HAND, long_hand, SECOND_HAND]

    # The target is so high that the match goes on after it.
    pages = print_details(match_of(hands, options={"target": 100000}))

    printed_lines = []
    for page in pages:
        printed_lines += page
    # "Agreed adjustment 5", …
    adjustments = [text for text in printed_lines if text.startswith("Correzione concordata ")]
    assert adjustments == [f"Correzione concordata {points}" for points in hundred_adjustments]
    assert "Totale della smazzata 25.250 0" in printed_lines  # the total of this hand

    # The other two hands are on the sheet too.
    headings = [text for text in printed_lines if is_heading_of_hand(text)]
    assert len(headings) == 3


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_correction_or_signature_is_split_across_pages(hands: int) -> None:
    # Every hand of the match was counted twice. The more there are, the further down the page the
    # signatures of the players are.
    corrected_hand = (MISCOUNTED_HAND, RECOUNTED_HAND)

    pages = lines_by_page(print_sheet(match_of([corrected_hand] * hands)))

    # Below "Hand 1, corrected" there is on the same page what was changed: the card points of Carla
    # and Dario from 195 to 215, and therefore the total of their hand from 585 to 605.
    changes = "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605"
    for number in range(1, hands + 1):
        assert changes in find_text_below(f"Smazzata {number}, corretta", pages)

    # The four names below which the players sign are on one page.
    signatures = "Anna Bruno Carla Dario"
    assert find_page(signatures, pages)


def with_long_notes(hand: HandState) -> HandState:
    """Return the same hand with long notes: agreed against the rules for a long reason, with a long
    remark, and contested by the other side.
    """
    long_text = "parole " * 60
    # A side laid a meld of two cards, which needs three.
    arguments = {"why": "any", "cards": 2, "needed": 3}
    too_short = Finding("meld-too-short", "error", ("sides", 0), arguments, ())
    reason = f"motivo{hand.number}. {long_text} finemotivo{hand.number}."
    counted = hand.versions[-1]
    agreed_event = replace(counted.event, agreed=reason, findings=(too_short, too_short))
    agreed = replace(counted, event=agreed_event)
    return hand._replace(
        remark=f"nota{hand.number}. {long_text} finenota{hand.number}.",
        contest=match_of([RECOUNTED_HAND]).hands[0].versions[-1],
        versions=(agreed,),
    )


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_agreement_or_contest_is_split_across_pages(
    hands: int,
) -> None:
    # Every hand of the match has long notes. The more hands there are, the more pages.
    state = match_of([MISCOUNTED_HAND] * hands)
    with_notes = replace(state, hands=[with_long_notes(hand) for hand in state.hands])

    pages = print_details(with_notes)

    # Each reason ends on the page on which it begins. Below "Hand 1, contested" there is on the same
    # page what the other side counted differently: card points of 215 instead of 195.
    changes = "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605"
    for number in range(1, hands + 1):
        assert f" finemotivo{number}. " in find_page(f" motivo{number}. ", pages)
        assert changes in find_text_below(f"Smazzata {number}, contestata", pages)

    # The first of them is on the page of its heading: "Agreed at the table, against …" and
    # "Contested, to be …".
    assert " motivo1." in find_page("D'accordo al tavolo, contro", pages)
    assert "1, contestata" in find_page("Contestate, da", pages)


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 12, 24, *in_full(36, 48, *range(6, 60, 12))])
def test_chart_is_not_split_across_pages(lines: int) -> None:
    # The place of the match stands above the chart. The longer it is, the lower the chart is.
    place_of_many_lines = "x " * 18 * lines
    state = match_of([FIRST_HAND, SECOND_HAND], place=place_of_many_lines)

    pages = lines_by_page(print_sheet(state, details=False))

    # All texts of the chart are on the page of its heading, "Course of the match".
    text_of_chart = find_text_below("Andamento della partita", pages)
    assert "traguardo 5.000" in text_of_chart  # the line of the target
    assert "smazzate" in text_of_chart  # "hands", below the chart
    assert "1.575" in text_of_chart  # -280 + 1,855
    assert "1.455" in text_of_chart  # 850 + 605
