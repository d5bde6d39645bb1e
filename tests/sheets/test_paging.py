"""Pages: their numbers, and that nothing is cut in two across them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Finding
from tests.examples import in_full
from tests.sheets.reading import pages_of, printed
from tests.sheets.worked import (
    FIRST,
    MISCOUNTED,
    RECOUNTED,
    SECOND,
    SUMMED,
    contract,
    line,
    match_of,
)

LAST_LINE = "Totale della partita "
NAMES, KINDS = "Anna–Bruno Carla–Dario", "n. punti n. punti"


def is_head(text: str) -> bool:
    """Whether this line begins the lines of a hand; a note on one has a point behind the number."""
    return re.match(r"Smazzata \d+ ", text) is not None


def details_of(state: MatchState) -> list[list[str]]:
    """The pages with the lines of every hand."""
    pages = pages_of(printed(state))
    start = next(number for number, page in enumerate(pages) if "Le righe di ogni smazzata" in page)
    return pages[start:]


@pytest.mark.long
def test_pages_are_numbered_on_each_of_them() -> None:
    pages = pages_of(printed(match_of([(FIRST,), (SECOND,), (SUMMED,)] * 10)))
    assert len(pages) > 4
    assert [page[-1] for page in pages] == [
        f"Anna–Bruno – Carla–Dario · 21 novembre 2026 pagina {number} di {len(pages)}"
        for number in range(1, len(pages) + 1)
    ]


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 3, 6, 9, *in_full(1, 2, 4, 5, 7, 8)])
def test_no_hand_is_split_across_pages_wherever_it_falls(lines: int) -> None:
    """A first hand of so many lines more pushes the others down the page."""
    more = tuple(line("adjustment", None, 5, reason="r") for _ in range(lines))
    first = replace(FIRST, sides=((*FIRST.sides[0], *more), FIRST.sides[1]))
    state = match_of([(first,), (SECOND,), (SUMMED,), *[(FIRST,), (SECOND,), (SUMMED,)] * 3])
    pages = details_of(state)
    told = [line for page in pages for line in page if is_head(line) or line.startswith(LAST_LINE)]
    assert len(told) == 24
    for page in pages:
        marks = [is_head(line) for line in page if is_head(line) or line.startswith(LAST_LINE)]
        assert marks == [True, False] * (len(marks) // 2), page


@pytest.mark.long
def test_thirty_hands_run_on_in_order_with_the_table_head_on_every_page() -> None:
    pages = details_of(match_of([(FIRST,), (SECOND,), (SUMMED,)] * 10))
    hands = [line for page in pages for line in page if is_head(line)]
    assert [int(line.split()[1]) for line in hands] == list(range(1, 31))
    with_hands = [page for page in pages if any(is_head(line) for line in page)]
    for page in with_hands:
        assert page.count(NAMES) == page.count(KINDS) == 1
        assert page.index(KINDS) < min(place for place, line in enumerate(page) if is_head(line))


@pytest.mark.long
@pytest.mark.parametrize("words", [9, *in_full(17, 34)])
def test_no_penalty_is_cut_in_two(words: int) -> None:
    penalties = [
        {
            "code": "house",
            "points": 25,
            "reason": f"inizio{number}. {'parole ' * (2 * words * (1 + number % 5))} fine{number}.",
        }
        for number in range(60)
    ]
    state = match_of([(replace(FIRST, hand=contract(out="a", b={"penalties": penalties})),)])
    texts = [" ".join(page) for page in details_of(state)]
    assert len(texts) > 3
    for number in range(60):
        [page] = [text for text in texts if f"inizio{number}." in text]
        assert f"fine{number}." in page
    [heading] = [text for text in texts if "Penalità e punti concordati" in text]
    assert "inizio0." in heading


def test_a_hand_longer_than_a_page_runs_on_without_losing_a_line() -> None:
    lines = tuple(line("adjustment", None, 5 * number, reason="r") for number in range(1, 101))
    state = match_of(
        [(FIRST,), (replace(SUMMED, sides=(lines, ())),), (SECOND,)], options={"target": 100000}
    )
    told = [text for page in details_of(state) for text in page]
    assert [text for text in told if text.startswith("Correzione concordata ")][:100] == [
        f"Correzione concordata {5 * number}" for number in range(1, 101)
    ]
    assert "Totale della smazzata 25.250 0" in told
    assert sum(is_head(text) for text in told) == 3


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_a_correction_and_the_signatures_stay_whole(hands: int) -> None:
    pages = pages_of(printed(match_of([(MISCOUNTED, RECOUNTED)] * hands)))
    for number in range(1, hands + 1):
        [page] = [
            page
            for page in pages
            if any(line.startswith(f"Smazzata {number}, corretta") for line in page)
        ]
        place = next(
            at for at, line in enumerate(page) if line.startswith(f"Smazzata {number}, corretta")
        )
        assert page[place + 1 : place + 3] == [
            "Carla–Dario Carte calate 195 215",
            "Carla–Dario Totale della smazzata 585 605",
        ]
    assert sum("Anna Bruno Carla Dario" in page for page in pages) == 1


@pytest.mark.quick(1)
@pytest.mark.parametrize("hands", range(2, 9, 2))
def test_no_agreement_contest_or_note_is_cut_in_two_and_none_stands_without_its_heading(
    hands: int,
) -> None:
    said = "parole " * 60
    finding = Finding(
        "meld-too-short", "error", ("sides", 0), {"why": "any", "cards": 2, "needed": 3}, ()
    )
    state = match_of([(MISCOUNTED,)] * hands)
    contest = match_of([(RECOUNTED,)]).hands[0].versions[-1]
    noted = [
        hand._replace(
            remark=f"nota{hand.number}. {said} finenota{hand.number}.",
            contest=contest,
            versions=(
                replace(
                    hand.versions[-1],
                    event=replace(
                        hand.versions[-1].event,
                        agreed=f"motivo{hand.number}. {said} finemotivo{hand.number}.",
                        findings=(finding,) * 2,
                    ),
                ),
            ),
        )
        for hand in state.hands
    ]
    texts = [" ".join(page) for page in details_of(replace(state, hands=noted))]
    for number in range(1, hands + 1):
        [page] = [text for text in texts if f" motivo{number}. " in text]
        assert f" finemotivo{number}. " in page
        [page] = [text for text in texts if f"Smazzata {number}, contestata" in text]
        told = page.split(f"Smazzata {number}, contestata")[1]
        assert "Carla–Dario Carte calate 195 215 Carla–Dario Totale della smazzata 585 605" in told
    for heading, first in (
        ("D'accordo al tavolo, contro", " motivo1."),
        ("Contestate, da", "1, contestata"),
    ):
        [page] = [text for text in texts if heading in text]
        assert first in page


@pytest.mark.quick(1)
@pytest.mark.parametrize("lines", [0, 12, 24, *in_full(36, 48, *range(6, 60, 12))])
def test_the_chart_stays_whole_under_its_heading(lines: int) -> None:
    state = match_of([(FIRST,), (SECOND,)], place="x " * 18 * lines)
    pages = [
        page
        for page in pages_of(printed(state, details=False))
        if "Andamento della partita" in page
    ]
    [page] = pages
    for told in ("traguardo 5.000", "smazzate", "1.575", "1.455"):
        assert told in page[page.index("Andamento della partita") :]
