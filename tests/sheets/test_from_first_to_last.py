"""What a match began with and how it ended, on its sheet."""

from typing import Any

import pytest

from scorepad.matches.events import EndHow
from tests.matches.conftest import hand_of_430_and_60
from tests.sheets.reading import (
    ALONE,
    SheetHtml,
    hand_of_three,
    lines_by_page,
    print_sheet,
    sheet_data,
    sheet_lines,
    sheet_text,
)


def test_a_plain_match_has_nothing_of_all_this(start_match: Any) -> None:
    table = start_match()
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    text = sheet_text(table.state).replace("Foglio della", "")
    for word in (
        "prova",
        "foglio ",
        "accordo",
        "verificat",
        "confermat",
        "contestat",
        "Annotazioni",
        "Cambi",
    ):
        assert word not in text, word


@pytest.mark.parametrize(
    ("how", "side", "italian", "english"),
    [
        (EndHow.LAST_HAND, None,
         "Finita d'accordo con l'ultima smazzata, la numero 2. Vince la coppia Ada–Ugo: 860 punti.",
         "Ended by agreement with the last hand, number 2. Ada–Ugo win: 860 points."),
        (EndHow.HANDS, None,
         "Finita d'accordo dopo 2 smazzate. Vince la coppia Ada–Ugo: 860 punti.",
         "Ended by agreement after 2 hands. Ada–Ugo win: 860 points."),
        (EndHow.TIME, None,
         "Tempo scaduto dopo 2 smazzate. Vince la coppia Ada–Ugo: 860 punti.",
         "Time up after 2 hands. Ada–Ugo win: 860 points."),
        (EndHow.GIVEN_UP, 0,
         "Resa di Ada–Ugo dopo 2 smazzate. Vince la coppia Eva–Ivo: 120 punti.",
         "Ada–Ugo gave up after 2 hands. Eva–Ivo win: 120 points."),
        (EndHow.BROKEN_OFF, None,
         "Interrotta dopo 2 smazzate: non vince nessuno.",
         "Broken off after 2 hands: nobody wins."),
    ],
)  # fmt: skip
def test_an_end_other_than_by_the_rules_is_reported(
    start_match: Any, how: EndHow, side: int | None, italian: str, english: str
) -> None:
    table = start_match()
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.end(how, side=side)
    assert SheetHtml(table.state).result == italian
    assert SheetHtml(table.state, "en").result == english


def test_who_is_level_at_an_agreed_end_is_reported_without_who_gave_up(start_match: Any) -> None:
    table = start_match(ALONE)
    table.play(hand_of_three(200, 100, 100))
    table.end(EndHow.GIVEN_UP, side=0)
    assert table.state.status.winner is None
    assert SheetHtml(table.state).result == (
        "Resa di Ada dopo 1 smazzata. Alla pari con 400 punti: Bea e Cleo. Non vince nessuno."
    )


def test_an_agreed_end_to_come_is_reported(start_match: Any) -> None:
    table = start_match()
    table.play(hand_of_430_and_60())
    table.end(EndHow.HANDS, hands=3)
    assert (
        SheetHtml(table.state).result
        == "Partita in corso: 1 smazzata giocata. Si gioca fino alla smazzata 3."
    )
    table.play(hand_of_430_and_60())
    assert (
        SheetHtml(table.state).result
        == "Partita in corso: 2 smazzate giocate. La prossima smazzata è l'ultima."
    )
    assert SheetHtml(table.state, "en").result.endswith("The next hand is the last.")
    table.play(hand_of_430_and_60())
    assert (
        SheetHtml(table.state).result
        == "Finita d'accordo dopo 3 smazzate. Vince la coppia Ada–Ugo: 1.290 punti."
    )


def test_a_match_that_its_rules_end_first_says_nothing_of_the_agreement(start_match: Any) -> None:
    table = start_match(options={"target": 500})
    table.end(EndHow.HANDS, hands=5)
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    assert SheetHtml(table.state).result == "Vince la coppia Ada–Ugo: 860 punti."


def test_totals_taken_over_from_paper_are_the_first_row_and_the_hands_go_on_from_there(
    start_match: Any,
) -> None:
    table = start_match(carried=(1250, -80), played=3)
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.end(EndHow.HANDS, hands=4)
    page = sheet_lines(table.state)
    start = page.index("n. punti n. punti")
    assert page[start + 1] == "Dal foglio 3 smazzate giocate prima 1.250 −80"
    assert page[start + 2] == "Smazzata 4 mazziere: Ada · nessuno ha chiuso"
    assert "Totale della partita 1.680 −20" in page
    assert "Smazzata 5 mazziere: Eva · nessuno ha chiuso" in page
    assert "Totale della partita 2.110 40" in page
    assert "Partita in corso: 5 smazzate giocate. Si gioca fino alla smazzata 7." in page
    chart = sheet_data(table.state).chart
    assert (chart.before, chart.courses[0].totals) == (3, (1250, 1680, 2110))
    english = lines_by_page(print_sheet(table.state, "en"))
    assert "From paper, 3 hands played before 1,250 −80" in english[0]
    assert "From paper 3 hands played before 1,250 −80" in english[1]


def test_from_paper_with_nothing_said_of_the_hands_only_the_totals_are_reported(
    start_match: Any,
) -> None:
    assert "Dal foglio 500 700" in sheet_text(start_match(carried=(500, 700)).state)
