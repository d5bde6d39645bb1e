"""What a match began with and how it ended is printed on its sheet."""

from typing import Any

import pytest

from scorepad.matches.events import EndHow
from tests.matches.conftest import hand_of_430_and_60
from tests.sheets.reading import (
    THREE_SINGLE_PLAYERS,
    SheetHtml,
    hand_of_three,
    lines_by_page,
    print_sheet,
    sheet_data,
    sheet_lines,
    sheet_text,
)


def test_plain_match_mentions_nothing_unusual(start_match: Any) -> None:
    table = start_match()
    table.play(hand_of_430_and_60(), hand_of_430_and_60())

    text = sheet_text(table.state)

    assert "prova" not in text  # practice
    assert "Dal foglio" not in text  # totals from paper
    assert "accordo" not in text  # agreed at the table
    assert "verificat" not in text  # verified sums
    assert "confermat" not in text  # confirmed by the other side
    assert "contestat" not in text  # contested by the other side
    assert "Annotazioni" not in text  # remarks
    assert "Cambi" not in text  # replaced players


@pytest.mark.parametrize(
    ("how", "italian", "english"),
    [
        (
            EndHow.LAST_HAND,
            "Finita d'accordo con l'ultima smazzata, la numero 2. Vince la coppia Ada–Ugo: 860 punti.",
            "Ended by agreement with the last hand, number 2. Ada–Ugo win: 860 points.",
        ),
        (
            EndHow.HANDS,
            "Finita d'accordo dopo 2 smazzate. Vince la coppia Ada–Ugo: 860 punti.",
            "Ended by agreement after 2 hands. Ada–Ugo win: 860 points.",
        ),
        (
            EndHow.TIME,
            "Tempo scaduto dopo 2 smazzate. Vince la coppia Ada–Ugo: 860 punti.",
            "Time up after 2 hands. Ada–Ugo win: 860 points.",
        ),
        (
            EndHow.BROKEN_OFF,
            "Interrotta dopo 2 smazzate: non vince nessuno.",
            "Broken off after 2 hands: nobody wins.",
        ),
    ],
)
def test_agreed_end_is_printed_as_result(
    start_match: Any, how: EndHow, italian: str, english: str
) -> None:
    # In two hands Ada and Ugo make 2 × 430 points, Eva and Ivo 2 × 60. Then the table ends the
    # match.
    table = start_match()
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.end(how)

    assert SheetHtml(table.state).result == italian
    assert SheetHtml(table.state, "en").result == english


def test_side_that_gives_up_loses_whatever_the_points(start_match: Any) -> None:
    # After two hands Ada and Ugo lead with 2 × 430 points to 2 × 60, and give up.
    table = start_match()
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.end(EndHow.GIVEN_UP, side=0)

    italian = "Resa di Ada–Ugo dopo 2 smazzate. Vince la coppia Eva–Ivo: 120 punti."
    assert SheetHtml(table.state).result == italian
    english = "Ada–Ugo gave up after 2 hands. Eva–Ivo win: 120 points."
    assert SheetHtml(table.state, "en").result == english


def test_draw_after_giving_up_leaves_out_who_gave_up(start_match: Any) -> None:
    # Ada, Bea and Cleo each play alone. Each has a mixed canasta (300), so Ada has 500 points and
    # the others 400. Ada gives up.
    table = start_match(THREE_SINGLE_PLAYERS)
    table.play(hand_of_three(200, 100, 100))
    table.end(EndHow.GIVEN_UP, side=0)

    assert table.state.status.winner is None
    # In English: "Ada gave up after 1 hand. Equal with 400 points: Bea and Cleo. Nobody wins."
    assert SheetHtml(table.state).result == (
        "Resa di Ada dopo 1 smazzata. Alla pari con 400 punti: Bea e Cleo. Non vince nessuno."
    )


def test_agreed_last_hand_is_announced_until_it_is_played(start_match: Any) -> None:
    # After hand 1 the table agrees to end with hand 3. "Play goes on up to hand 3."
    table = start_match()
    table.play(hand_of_430_and_60())
    table.end(EndHow.HANDS, hands=3)
    result = SheetHtml(table.state).result
    assert result == "Partita in corso: 1 smazzata giocata. Si gioca fino alla smazzata 3."

    # After hand 2: "The next hand is the last."
    table.play(hand_of_430_and_60())
    result = SheetHtml(table.state).result
    assert result == "Partita in corso: 2 smazzate giocate. La prossima smazzata è l'ultima."
    assert SheetHtml(table.state, "en").result.endswith("The next hand is the last.")

    # After hand 3: "Ended by agreement after 3 hands", with 3 × 430 points.
    table.play(hand_of_430_and_60())
    result = SheetHtml(table.state).result
    assert result == "Finita d'accordo dopo 3 smazzate. Vince la coppia Ada–Ugo: 1.290 punti."


def test_match_ended_by_its_rules_does_not_mention_agreed_end(start_match: Any) -> None:
    # The table agrees on five hands, but a side reaches the target of 500 points in the second.
    table = start_match(options={"target": 500})
    table.end(EndHow.HANDS, hands=5)
    table.play(hand_of_430_and_60(), hand_of_430_and_60())

    # In English: "Ada–Ugo win: 860 points."
    assert SheetHtml(table.state).result == "Vince la coppia Ada–Ugo: 860 punti."


def test_totals_from_paper_are_the_first_row_and_hands_continue_from_them(
    start_match: Any,
) -> None:
    # A table has played three hands on paper, and goes on here from its totals of 1250 and −80.
    table = start_match(carried=(1250, -80), played=3)
    # It plays hands 4 and 5, each of 430 and 60 points.
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    # Then it agrees to end after the fourth hand played here, which is hand 7.
    table.end(EndHow.HANDS, hands=4)

    lines = sheet_lines(table.state)

    # Below the head of the table stands "From paper, 3 hands played before", then hand 4.
    head = lines.index("n. punti n. punti")
    assert lines[head + 1] == "Dal foglio 3 smazzate giocate prima 1.250 −80"
    assert lines[head + 2] == "Smazzata 4 mazziere: Ada · nessuno ha chiuso"
    assert "Smazzata 5 mazziere: Eva · nessuno ha chiuso" in lines

    # The total of the match after hand 4, and after hand 5.
    assert "Totale della partita 1.680 −20" in lines  # 1250 + 430, −80 + 60
    assert "Totale della partita 2.110 40" in lines  # 1680 + 430, −20 + 60

    # "5 hands played. Play goes on up to hand 7."
    assert "Partita in corso: 5 smazzate giocate. Si gioca fino alla smazzata 7." in lines


def test_totals_from_paper_are_printed_in_english(start_match: Any) -> None:
    table = start_match(carried=(1250, -80), played=3)

    by_hand, details = lines_by_page(print_sheet(table.state, "en"))

    assert "From paper, 3 hands played before 1,250 −80" in by_hand
    assert "From paper 3 hands played before 1,250 −80" in details


def test_chart_starts_at_totals_from_paper(start_match: Any) -> None:
    table = start_match(carried=(1250, -80), played=3)
    table.play(hand_of_430_and_60(), hand_of_430_and_60())

    chart = sheet_data(table.state).chart

    assert chart.before == 3
    assert chart.courses[0].totals == (1250, 1680, 2110)  # 430 more with each hand


def test_totals_from_paper_may_stand_without_number_of_hands(
    start_match: Any,
) -> None:
    # The row "From paper" has the totals alone.
    assert "Dal foglio 500 700" in sheet_text(start_match(carried=(500, 700)).state)
