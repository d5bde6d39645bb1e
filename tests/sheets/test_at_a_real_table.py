"""What a table agrees, notes and checks beyond counting, on its sheet."""

from datetime import timedelta
from typing import Any

import pytest

from scorepad.matches.actions import Asking
from scorepad.matches.hands import ShownCounts
from scorepad.matches.transaction import Saved
from tests.matches.conftest import PHONE, TABLET, Table, hand, hand_of_430_and_60, side_counted
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

HAND_AGAINST_THE_RULES = hand({"melds": ["3xA", "4xK"]}, {"melds": ["3xQ"], "left": "4"}, out="a")
"""Side a goes out without a canasta. Worth 200 and 25: 3 aces of 20, 4 kings of 10, 100 for going
out; 3 queens of 10 less a four of 5.
"""
HAND_OF_440_AND_60 = hand(
    side_counted(cards=160, left=20, mixed_canasta=1), side_counted(cards=100, left=40)
)
"""`hand_of_430_and_60`, with ten points of cards more."""


def test_hand_agreed_against_the_rules_has_footnote_with_reason_and_rule(
    start_match: Any,
) -> None:
    table = start_match()
    table.play(hand_of_430_and_60())
    table.play(HAND_AGAINST_THE_RULES, agreed="s'era detto così <b>prima</b>")

    text = sheet_text(table.state)
    assert (
        "Smazzata 2 mazziere: Eva · chiude: Ada–Ugo · d'accordo al tavolo Punteggio di apertura"
        in text
    )
    assert (
        "D'accordo al tavolo, contro le regole Smazzata 2. Motivo: s'era detto così <b>prima</b> "
        "Ada–Ugo: la chiusura non è possibile, serve almeno una canasta (qui: 0)." in text
    )
    assert "Wikipedia (it), «Canasta», Chiusura, punteggi e vittoria" in text
    assert "Totale della partita 630 85" in text  # 430 + 200, 60 + 25
    complete_the_count = "Completa il conto"
    assert complete_the_count not in text

    english = sheet_text(table.state, "en")
    assert "agreed at the table" in english
    assert "Reason: s'era detto così" in english


def test_hands_with_agreed_sums_share_a_footnote(start_match: Any) -> None:
    table = start_match()
    sums_of_both_sides = hand({"sum": 640}, {"sum": 1210})
    sum_of_one_side = hand(side_counted(cards=150, left=20, mixed_canasta=1), {"sum": 60})
    table.play(sums_of_both_sides, hand_of_430_and_60(), sum_of_one_side, sums_of_both_sides)

    only_the_sum_was_counted = "contata solo la somma su cui il tavolo era d'accordo."
    assert sheet_data(table.state).footnotes.agreed_sums == [
        f"Smazzate 1 e 4, Ada–Ugo e Eva–Ivo: {only_the_sum_was_counted}",
        f"Smazzata 3, Eva–Ivo: {only_the_sum_was_counted}",
    ]
    lines = sheet_lines(table.state)
    unverified_sum = "Somma concordata non verificata"
    assert lines.count(f"{unverified_sum} 640 1.210") == 2
    assert f"{unverified_sum} 60" in lines
    heading = "Somme non verificate"
    assert heading in lines


def test_agreed_adjustments_are_printed_with_their_sign(start_match: Any) -> None:
    noi = side_counted(cards=150, left=20, mixed_canasta=1)
    noi["adjustments"] = [
        {"points": 50, "reason": "dieci carte sotto il tavolo"},
        {"points": -20, "reason": "carta vista"},
    ]
    loro = side_counted(cards=100, left=40)
    table = start_match()
    table.play(hand(noi, loro))

    text = sheet_text(table.state)

    # 300 + 150 - 20 + 50 - 20 = 460
    assert "Correzione concordata 50 Correzione concordata −20 Totale della smazzata 460 60" in text
    assert "Ada–Ugo: Correzione concordata +50 dieci carte sotto il tavolo" in text
    assert "Ada–Ugo: Correzione concordata −20 carta vista" in text


def test_remarks_are_listed_once_below_the_hands(start_match: Any) -> None:
    table = start_match()
    long_note = " ".join(f"parola{number}" for number in range(60))
    table.play(hand_of_430_and_60(), remark=long_note)
    table.play(hand_of_430_and_60())
    table.pad.actions.remark(table.request(), table.match, PHONE, 2, "", "prima volta di Ivo")

    text = sheet_text(table.state)

    assert f"Smazzata 1. {long_note} Smazzata 2. prima volta di Ivo" in text
    # On the first page, and not again with the details.
    assert text.count("Smazzata 1. parola0") == 1


def test_brief_footnotes_are_ordered_by_hand(start_match: Any) -> None:
    table = start_match()
    table.play(hand_of_430_and_60(), remark="mancava un jolly")
    side_with_penalty = side_counted(cards=150, left=20)
    side_with_penalty["penalties"] = ["draw-out-of-turn"]
    table.play(hand(side_with_penalty, side_counted(cards=100, left=40)))

    footnotes = sheet_data(table.state).footnotes

    assert [footnote.number for footnote in footnotes.brief] == [1, 2]


FOUR_LONG_QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "kind": "pile",
        "top": "K",
        "frozen": True,
        "opened": False,
        "table": [],
        "with": ["K K 2", "3x8"],
    },
    {"kind": "out", "table": ["6xQ", "3xK 2"], "concealed": True, "permission": "granted"},
    {"kind": "penalty", "code": "pile-taken-top-card-unused"},
    {"kind": "opening", "score": -20, "melds": ["3xQ"]},
)


def keep_ruling(table: Table, question: dict[str, Any]) -> None:
    """Ask the referee about the open hand, and keep the ruling with the match."""
    open_hand = table.pad.open(table.match, PHONE)
    asking = Asking(question, table.state.rules.digest, open_hand.id, None)
    saved = table.do(table.pad.actions.keep_ruling, asking)
    assert isinstance(saved, Saved)


def test_short_match_with_rulings_fits_on_one_page(
    start_match: Any,
) -> None:
    table = start_match()
    for question in FOUR_LONG_QUESTIONS:
        keep_ruling(table, question)
    noi = side_counted(cards=185, natural_canasta=1, mixed_canasta=2, red_threes=2)
    table.play(hand(noi, side_counted(cards=95, left=40), out="a"))

    (page,) = lines_by_page(print_sheet(table.state, details=False))

    rulings = [line for line in page if line.startswith("Smazzata 1. ")]
    assert rulings
    signatures = "Ada Ugo Eva Ivo"
    assert signatures in page


@pytest.fixture
def table_with_checks(start_match: Any) -> Table:
    """A match in which the tablet of the other side checks every hand."""
    table: Table = start_match()
    table.check()
    return table


def test_each_hand_shows_whether_other_side_confirmed_it(start_match: Any) -> None:
    table = start_match()
    other_side = table.let_in(TABLET)
    table.play(hand_of_430_and_60())
    table.check()
    table.play(hand_of_430_and_60(), hand_of_430_and_60(), hand_of_430_and_60())
    other_side.confirm(2)
    other_side.contest(HAND_OF_440_AND_60, 4, "dieci punti in più")

    unchecked, confirmed, waiting, contested = SheetHtml(table.state).ends_of_hands
    assert unchecked == ["nessuno ha chiuso"]
    assert confirmed == ["nessuno ha chiuso", "confermata alle 21:30"]
    assert waiting == ["nessuno ha chiuso", "da confermare"]
    assert contested == ["nessuno ha chiuso", "contestata, da decidere"]


def test_open_contest_is_printed_with_both_countings(table_with_checks: Table) -> None:
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    other_side.contest(HAND_OF_440_AND_60, 1, "dieci punti in più")

    text = sheet_text(table_with_checks.state)

    assert "Contestate, da decidere parte voce segnato altro conto" in text
    assert "Smazzata 1, contestata il 7 marzo 2026 alle" in text
    assert (
        "«dieci punti in più» Ada–Ugo Carte calate 150 160 Ada–Ugo Totale della smazzata 430 440"
    ) in text
    assert "Correzioni" not in text


def test_confirmation_after_midnight_is_printed_with_its_day(
    table_with_checks: Table, clock: Any
) -> None:
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    clock.now += timedelta(hours=3)
    other_side.confirm()

    (hand_row,) = SheetHtml(table_with_checks.state).ends_of_hands
    assert hand_row[-1] == "confermata il 8 marzo 2026 alle 00:30"


def test_chosen_contest_becomes_correction_with_its_reason(table_with_checks: Table) -> None:
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    other_side.contest(HAND_OF_440_AND_60, reason="ricontato")
    contest = table_with_checks.state.hands[0].contest

    table_with_checks.choose(
        ShownCounts(table_with_checks.entry(), contest.sequence), contest.sequence
    )

    footnotes = sheet_data(table_with_checks.state).footnotes
    assert footnotes.contests == []
    (correction,) = footnotes.corrections
    assert correction.number == 1
    assert correction.reason == "ricontato"
    cards, total = correction.changes
    assert cards == ("Ada–Ugo", "Carte calate", (None, 150), (None, 160))
    assert total == ("Ada–Ugo", "Totale della smazzata", (None, 430), (None, 440))
    assert SheetHtml(table_with_checks.state).ends_of_hands[0][-2:] == [
        "corretta",
        "confermata alle 21:30",
    ]


def test_contest_with_equal_points_says_so(table_with_checks: Table) -> None:
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    other_side.contest(hand_of_430_and_60())

    points_are_equal = "I punti sono gli stessi."
    assert points_are_equal in sheet_text(table_with_checks.state)


def test_replaced_players_are_listed_by_names_of_that_time(start_match: Any) -> None:
    table = start_match(played=2)
    table.play(hand_of_430_and_60())
    first_seat_of_first_side = (0, 0)
    table.swap(first_seat_of_first_side, was="Ada", name="Carla")
    table.play(*[hand_of_430_and_60()] * 4)
    table.swap(first_seat_of_first_side, was="Carla", name="Dora")

    html = SheetHtml(table.state)
    assert html.wide_rows == [
        "dalla smazzata 4 Carla al posto di Ada",
        "dalla smazzata 8 Dora al posto di Carla",
    ]
    assert html.dealers_of_hands[0] == "mazziere: Ada"
    assert html.dealers_of_hands[4] == "mazziere: Carla"
    assert sheet_data(table.state).names.players[0] == ("Dora", "Ugo")
    assert "Cambi dalla smazzata 4 Carla al posto di Ada" in sheet_text(table.state)
    assert "Replacements from hand 4 on Carla in place of Ada" in sheet_text(table.state, "en")


def test_player_taking_an_empty_seat_is_listed(start_match: Any) -> None:
    table = start_match(players=(("", "Ugo"), ("Eva", "Ivo")))
    table.play(hand_of_430_and_60())
    first_seat_of_first_side = (0, 0)
    table.swap(first_seat_of_first_side, was="", name="Carla")

    html = SheetHtml(table.state)
    assert html.wide_rows == ["dalla smazzata 2 gioca Carla"]
    assert html.dealers_of_hands[0] == "mazziere: Carla–Ugo, giocatore 1"


def test_replaced_single_player_renames_the_side(start_match: Any) -> None:
    table = start_match(THREE_SINGLE_PLAYERS)
    table.play(hand_of_three(100, 100, 100))
    only_seat_of_third_side = (2, 0)
    table.swap(only_seat_of_third_side, was="Cleo", name="Zoe")

    assert SheetHtml(table.state).wide_rows == ["dalla smazzata 2 Zoe al posto di Cleo"]
    assert sheet_data(table.state).names.sides == ("Ada", "Bea", "Zoe")


def test_practice_match_is_marked_in_the_head(start_match: Any) -> None:
    table = start_match(practice=True)
    (page,) = lines_by_page(print_sheet(table.state, details=False))
    assert "Partita di prova: non conta" in page[:3]
    english = lines_by_page(print_sheet(table.state, "en"))[0]
    assert "Practice match: it does not count" in english[:3]
