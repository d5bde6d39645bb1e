"""What a table agrees, notes and checks beyond counting, on its sheet."""

from datetime import timedelta
from typing import Any

import pytest

from scorepad.matches.actions import Asking
from scorepad.matches.hands import ShownCounts
from scorepad.matches.transaction import Saved
from tests.matches.conftest import PHONE, TABLET, Table, hand, hand_of_430_and_60, side_counted
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

OUT_WITHOUT_A_CANASTA = hand({"melds": ["3xA", "4xK"]}, {"melds": ["3xQ"], "left": "4"}, out="a")
"""Worth 200 and 25: 3 aces of 20, 4 kings of 10, 100 for going out; 3 queens of 10 less a four of
5.
"""
TEN_MORE = hand(side_counted(cards=160, left=20, mixed_canasta=1), side_counted(cards=100, left=40))
"""The usual hand, 440 and 60."""


def test_a_hand_counted_against_the_rules_is_marked_and_told_with_its_reason_and_rule(
    start_match: Any,
) -> None:
    table = start_match()
    table.play(hand_of_430_and_60())
    table.play(OUT_WITHOUT_A_CANASTA, agreed="s'era detto così <b>prima</b>")

    text = sheet_text(table.state)

    for part in (
        "Smazzata 2 mazziere: Eva · chiude: Ada–Ugo · d'accordo al tavolo Punteggio di apertura",
        "D'accordo al tavolo, contro le regole Smazzata 2. Motivo: s'era detto così <b>prima</b> "
        "Ada–Ugo: la chiusura non è possibile, serve almeno una canasta (qui: 0).",
        "Wikipedia (it), «Canasta», Chiusura, punteggi e vittoria",
        "Totale della partita 630 85",
    ):
        assert part in text
    assert "Completa il conto" not in text, "nothing is left to be done about it"
    english = sheet_text(table.state, "en")
    assert "agreed at the table" in english
    assert "Reason: s'era detto così" in english


def test_hands_of_which_only_a_sum_is_known_are_reported_together(start_match: Any) -> None:
    table = start_match()
    only_sums = hand({"sum": 640}, {"sum": 1210})
    sum_of_one_side = hand(side_counted(cards=150, left=20, mixed_canasta=1), {"sum": 60})
    table.play(only_sums, hand_of_430_and_60(), sum_of_one_side, only_sums)

    assert sheet_data(table.state).footnotes.agreed_sums == [
        "Smazzate 1 e 4, Ada–Ugo e Eva–Ivo: contata solo la somma su cui il tavolo era d'accordo.",
        "Smazzata 3, Eva–Ivo: contata solo la somma su cui il tavolo era d'accordo.",
    ]
    lines = sheet_lines(table.state)
    assert lines.count("Somma concordata non verificata 640 1.210") == 2
    assert "Somma concordata non verificata 60" in lines
    assert "Somme non verificate" in lines


def test_agreed_points_keep_their_sign_whichever_it_is(start_match: Any) -> None:
    adjustments = [
        {"points": 50, "reason": "dieci carte sotto il tavolo"},
        {"points": -20, "reason": "carta vista"},
    ]
    noi = {**side_counted(cards=150, left=20, mixed_canasta=1), "adjustments": adjustments}
    table = start_match()
    table.play(hand(noi, side_counted(cards=100, left=40)))

    text = sheet_text(table.state)

    assert "Correzione concordata 50 Correzione concordata −20 Totale della smazzata 460 60" in text
    assert "Ada–Ugo: Correzione concordata +50 dieci carte sotto il tavolo" in text
    assert "Ada–Ugo: Correzione concordata −20 carta vista" in text


def test_notes_on_hands_are_listed_below_however_long(start_match: Any) -> None:
    table = start_match()
    long_note = " ".join(f"parola{number}" for number in range(60))
    table.play(hand_of_430_and_60(), remark=long_note)
    table.play(hand_of_430_and_60())
    table.pad.actions.remark(table.request(), table.match, PHONE, 2, "", "prima volta di Ivo")

    text = sheet_text(table.state)

    assert f"Smazzata 1. {long_note} Smazzata 2. prima volta di Ivo" in text
    # On the first page, and not again with the details.
    assert text.count("Smazzata 1. parola0") == 1


def test_brief_footnotes_of_every_kind_are_in_the_order_of_the_hands(start_match: Any) -> None:
    table = start_match()
    table.play(hand_of_430_and_60(), remark="mancava un jolly")
    with_penalty = {**side_counted(cards=150, left=20), "penalties": ["draw-out-of-turn"]}
    table.play(hand(with_penalty, side_counted(cards=100, left=40)))
    footnotes = sheet_data(table.state).footnotes
    assert [footnote.number for footnote in footnotes.brief] == [1, 2]


LONG: tuple[dict[str, Any], ...] = (
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


def test_a_short_match_with_rulings_takes_one_page_with_its_result_and_signatures(
    start_match: Any,
) -> None:
    table = start_match()
    for question in LONG:
        open_hand = table.pad.open(table.match, PHONE)
        asking = Asking(question, table.state.rules.digest, open_hand.id, None)
        saved = table.do(table.pad.actions.keep_ruling, asking)
        assert isinstance(saved, Saved)
    noi = side_counted(cards=185, natural_canasta=1, mixed_canasta=2, red_threes=2)
    table.play(hand(noi, side_counted(cards=95, left=40), out="a"))

    (page,) = lines_by_page(print_sheet(table.state, details=False))

    assert any(line.startswith("Smazzata 1. ") for line in page)
    signatures = "Ada Ugo Eva Ivo"
    assert signatures in page


@pytest.fixture
def checked(start_match: Any) -> Table:
    """A match in which the tablet of the other side checks every hand."""
    table: Table = start_match()
    table.check()
    return table


def test_each_hand_says_how_far_the_other_side_is(start_match: Any) -> None:
    table = start_match()
    other = table.let_in(TABLET)
    table.play(hand_of_430_and_60())
    table.check()
    table.play(hand_of_430_and_60(), hand_of_430_and_60(), hand_of_430_and_60())
    other.confirm(2)
    other.contest(TEN_MORE, 4, "dieci punti in più")

    first, second, third, fourth = SheetHtml(table.state).ended
    assert first[1:] == []
    assert second[1:] == ["confermata alle 21:30"]
    assert third[1:] == ["da confermare"]
    assert fourth[1:] == ["contestata, da decidere"]
    text = sheet_text(table.state)
    assert "Contestate, da decidere parte voce segnato altro conto" in text
    assert "Smazzata 4, contestata il 7 marzo 2026 alle" in text
    assert (
        "«dieci punti in più» Ada–Ugo Carte calate 150 160 Ada–Ugo Totale della smazzata 430 440"
    ) in text
    assert "Correzioni" not in text


def test_a_hand_confirmed_after_midnight_says_the_day(checked: Table, clock: Any) -> None:
    other = checked.let_in(TABLET)
    checked.play(hand_of_430_and_60())
    clock.now += timedelta(hours=3)
    other.confirm()
    assert SheetHtml(checked.state).ended[0][-1] == "confermata il 8 marzo 2026 alle 00:30"


def test_the_other_counting_once_chosen_is_a_correction_with_its_note(checked: Table) -> None:
    other = checked.let_in(TABLET)
    checked.play(hand_of_430_and_60())
    other.contest(TEN_MORE, reason="ricontato")
    contest = checked.state.hands[0].contest

    checked.choose(ShownCounts(checked.entry(), contest.sequence), contest.sequence)

    footnotes = sheet_data(checked.state).footnotes
    assert footnotes.contests == []
    (correction,) = footnotes.corrections
    assert correction.number == 1
    assert correction.reason == "ricontato"
    cards, total = correction.changes
    assert cards == ("Ada–Ugo", "Carte calate", (None, 150), (None, 160))
    assert total == ("Ada–Ugo", "Totale della smazzata", (None, 430), (None, 440))
    assert SheetHtml(checked.state).ended[0][-2:] == ["corretta", "confermata alle 21:30"]


def test_a_contest_without_a_difference_in_points_says_so(checked: Table) -> None:
    other = checked.let_in(TABLET)
    checked.play(hand_of_430_and_60())
    other.contest(hand_of_430_and_60())
    assert "I punti sono gli stessi." in sheet_text(checked.state)


def test_who_is_replaced_is_reported_by_the_names_of_that_time(start_match: Any) -> None:
    table = start_match(played=2)
    table.play(hand_of_430_and_60())
    table.swap((0, 0), "Ada", "Carla")
    table.play(*[hand_of_430_and_60()] * 4)
    table.swap((0, 0), "Carla", "Dora")

    html = SheetHtml(table.state)
    assert html.wide == [
        "dalla smazzata 4 Carla al posto di Ada",
        "dalla smazzata 8 Dora al posto di Carla",
    ]
    assert html.deal[0] == "mazziere: Ada"
    assert html.deal[4] == "mazziere: Carla"
    assert sheet_data(table.state).names.players[0] == ("Dora", "Ugo")
    assert "Cambi dalla smazzata 4 Carla al posto di Ada" in sheet_text(table.state)
    assert "Replacements from hand 4 on Carla in place of Ada" in sheet_text(table.state, "en")


def test_a_seat_that_was_empty_is_taken(start_match: Any) -> None:
    table = start_match(players=(("", "Ugo"), ("Eva", "Ivo")))
    table.play(hand_of_430_and_60())
    table.swap((0, 0), "", "Carla")

    html = SheetHtml(table.state)
    assert html.wide == ["dalla smazzata 2 gioca Carla"]
    assert html.deal[0] == "mazziere: Carla–Ugo, giocatore 1"


def test_who_plays_alone_is_replaced_by_the_name_of_the_side(start_match: Any) -> None:
    table = start_match(ALONE)
    table.play(hand_of_three(100, 100, 100))
    table.swap((2, 0), "Cleo", "Zoe")
    assert SheetHtml(table.state).wide == ["dalla smazzata 2 Zoe al posto di Cleo"]
    assert sheet_data(table.state).names.sides == ("Ada", "Bea", "Zoe")


def test_a_practice_match_says_so_in_the_head(start_match: Any) -> None:
    table = start_match(practice=True)
    (page,) = lines_by_page(print_sheet(table.state, details=False))
    assert "Partita di prova: non conta" in page[:3]
    english = lines_by_page(print_sheet(table.state, "en"))[0]
    assert "Practice match: it does not count" in english[:3]
