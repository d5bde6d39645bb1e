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
    thirty_hands = THREE_HANDS * 10
    pages = lines_by_page(print_sheet(match_of(thirty_hands)))
    assert len(pages) > 4

    # The last line of a page has the players and the day of the match, and "page 1 of …".
    match = "Anna–Bruno – Carla–Dario · 21 novembre 2026"
    for number, lines in enumerate(pages, start=1):
        assert lines[-1] == f"{match} pagina {number} di {len(pages)}"


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 3, 6, 9, *in_full(1, 2, 4, 5, 7, 8)])
def test_no_hand_is_split_across_pages(lines: int) -> None:
    # The first of twelve hands has so many lines more, "agreed adjustment 5". So the others begin
    # further down, and the pages end at other places in them.
    lines_of_noi, lines_of_loro = FIRST_HAND.sides
    more_lines = (line("adjustment", count=None, points=5),) * lines
    longer_hand = replace(FIRST_HAND, sides=(lines_of_noi + more_lines, lines_of_loro))
    hands = [longer_hand, SECOND_HAND, SUMMED_HAND] + THREE_HANDS * 3

    pages = print_details(match_of(hands))

    # On each page the heading of a hand is followed by its last line before the next heading.
    whole_hands = 0
    for page in pages:
        edges = list_edges_of_hands(page)  # ["heading", "last line", "heading", …]
        hands_on_page = edges.count("heading")
        assert edges == ["heading", "last line"] * hands_on_page
        whole_hands += hands_on_page

    # No hand is missing.
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
@pytest.mark.parametrize("words", [18, *in_full(34, 68)])
def test_no_penalty_is_split_across_pages(words: int) -> None:
    # In one hand side b got sixty penalties, each with a reason: "begin7. words words … end7." The
    # reasons have so many words, or two to five times as many.
    penalties = []
    for number in range(60):
        times = 1 + number % 5
        reason = f"inizio{number}. {'parole ' * words * times} fine{number}."
        penalties.append({"code": "house", "points": 25, "reason": reason})
    hand_with_penalties = hand_in_log(out="a", b={"penalties": penalties})

    pages = print_details(match_of([replace(FIRST_HAND, hand=hand_with_penalties)]))
    assert len(pages) > 3

    # The end of each reason is on the page on which it begins.
    for number in range(60):
        page = find_page(f"inizio{number}.", pages)
        assert f"fine{number}." in page

    # The first is on the page of the heading, "Penalties and agreed points".
    page = find_page("Penalità e punti concordati", pages)
    assert "inizio0." in page


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
    # Each hand was corrected: the cards of Carla and Dario were first counted as 195 points, then
    # as 215. The more hands, the further down are the corrections, and below all the signatures.
    corrected_hand = (MISCOUNTED_HAND, RECOUNTED_HAND)

    pages = lines_by_page(print_sheet(match_of([corrected_hand] * hands)))

    # "Hand 1, corrected" is followed on the same page by the lines that changed, with the points
    # before and after: the cards laid, and the total of the hand, which is 20 higher too.
    cards_laid = "Carla–Dario Carte calate 195 215"
    total_of_hand = "Carla–Dario Totale della smazzata 585 605"
    for number in range(1, hands + 1):
        text_below = find_text_below(f"Smazzata {number}, corretta", pages)
        assert f"{cards_laid} {total_of_hand}" in text_below

    # The players sign below their names. `find_page` fails if no page has all four.
    find_page("Anna Bruno Carla Dario", pages)


def with_long_notes(hand: HandState) -> HandState:
    """Return the same hand with three notes that are printed below each other on its sheet."""
    # Two of them are texts of sixty words, such as "reason1. words words … endreason1."
    long_text = "parole " * 60
    reason = f"motivo{hand.number}. {long_text} finemotivo{hand.number}."
    remark = f"nota{hand.number}. {long_text} finenota{hand.number}."

    # The table agreed to count the hand against the rules, for this reason. A side laid two melds
    # of two cards, and each needs three.
    arguments = {"why": "any", "cards": 2, "needed": 3}
    too_short = Finding("meld-too-short", "error", ("sides", 0), arguments, sources=())
    count = hand.versions[-1]
    event = replace(count.event, agreed=reason, findings=(too_short, too_short))

    # The other side contests the hand, and counts it otherwise.
    other_count = match_of([RECOUNTED_HAND]).hands[0].versions[-1]

    return hand._replace(
        versions=(replace(count, event=event),), remark=remark, contest=other_count
    )


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_agreement_or_contest_is_split_across_pages(
    hands: int,
) -> None:
    # Each hand is agreed against the rules, for a reason of sixty words: "motivo1. parole parole …
    # finemotivo1." The other side contests each, since it counts 215 points of cards, not 195. The
    # more hands, the more pages.
    state = match_of([MISCOUNTED_HAND] * hands)
    hands_with_notes = [with_long_notes(hand) for hand in state.hands]

    pages = print_details(replace(state, hands=hands_with_notes))

    # A reason ends on the page on which it begins. The first is on that of the heading, "Agreed at
    # the table, against …".
    for number in range(1, hands + 1):
        page = find_page(f" motivo{number}. ", pages)
        assert f" finemotivo{number}. " in page
    assert " motivo1." in find_page("D'accordo al tavolo, contro", pages)

    # "Hand 1, contested" is followed on the same page by the lines that differ: the cards laid, and
    # the total of the hand. The first is on the page of the heading, "Contested, to be …".
    cards_laid = "Carla–Dario Carte calate 195 215"
    total_of_hand = "Carla–Dario Totale della smazzata 585 605"
    for number in range(1, hands + 1):
        text_below = find_text_below(f"Smazzata {number}, contestata", pages)
        assert f"{cards_laid} {total_of_hand}" in text_below
    assert "1, contestata" in find_page("Contestate, da", pages)


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 12, 24, *in_full(6, 18, 30, 36, 42, 48, 54)])
def test_chart_is_not_split_across_pages(lines: int) -> None:
    # The place of the match stands above the chart. The more lines its name has, the lower the
    # chart is.
    line_of_text = "x " * 18
    state = match_of([FIRST_HAND, SECOND_HAND], place=line_of_text * lines)

    pages = lines_by_page(print_sheet(state, details=False))

    # All texts of the chart are on the page of its heading, "Course of the match".
    text_of_chart = find_text_below("Andamento della partita", pages)
    assert "traguardo 5.000" in text_of_chart  # the line of the target
    assert "smazzate" in text_of_chart  # "hands", below the chart
    assert "1.575" in text_of_chart  # -280 + 1,855
    assert "1.455" in text_of_chart  # 850 + 605
