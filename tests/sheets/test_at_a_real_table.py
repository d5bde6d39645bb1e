"""What the table agreed, noted and checked during a match is printed on its sheet."""

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

# As hand_of_430_and_60, with ten points of cards more: 300 + 160 − 20, and 100 − 40.
HAND_OF_440_AND_60 = hand(
    side_counted(cards=160, left=20, mixed_canasta=1), side_counted(cards=100, left=40)
)


@pytest.fixture
def table_with_agreed_hand(start_match: Any) -> Table:
    """Start a match whose second hand the table counts against the rules, and says why.

    Going out takes a canasta, seven cards of a rank. Ada and Ugo go out without one.
    """
    table: Table = start_match()
    table.play(hand_of_430_and_60())
    without_canasta = hand({"melds": ["3xA", "4xK"]}, {"melds": ["3xQ"], "left": "4"}, out="a")
    table.play(without_canasta, agreed="s'era detto così <b>prima</b>")
    return table


def test_hand_agreed_against_the_rules_has_footnote_with_reason_and_rule(
    table_with_agreed_hand: Table,
) -> None:
    # In hand 2 Ada and Ugo went out without a canasta. The table agreed to it, and typed the reason
    # "so we had said <b>before</b>".
    text = sheet_text(table_with_agreed_hand.state)

    # The heading of the hand says "agreed at the table".
    heading = "Smazzata 2 mazziere: Eva · chiude: Ada–Ugo · d'accordo al tavolo"
    assert f"{heading} Punteggio di apertura" in text

    # The footnote has the reason, then the rule with its source: "Ada–Ugo: going out is not
    # possible, it takes a canasta (here: 0)."
    reason = "Smazzata 2. Motivo: s'era detto così <b>prima</b>"
    rule = "Ada–Ugo: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
    assert f"D'accordo al tavolo, contro le regole {reason} {rule}" in text
    assert "Wikipedia (it), «Canasta», Chiusura, punteggi e vittoria" in text
    # On the page of the hand advice follows, "Complete the count or …". Paper does not have it.
    assert "Completa il conto" not in text

    # The hand counts for the total of the match. They had 430 and 60 points, and get 3 aces × 20 +
    # 4 kings × 10 + 100 for going out, and 3 queens × 10 − 5 for a four in hand.
    assert "Totale della partita 630 85" in text


def test_footnote_of_agreed_hand_is_printed_in_english(table_with_agreed_hand: Table) -> None:
    # The reason stays as the table typed it.
    text = sheet_text(table_with_agreed_hand.state, "en")
    assert "agreed at the table" in text
    assert "Reason: s'era detto così" in text


def test_hands_with_agreed_sums_share_a_footnote(start_match: Any) -> None:
    # Of hands 1 and 4 the table agreed on the sums of both sides, of hand 3 on that of side b.
    table = start_match()
    sums_of_both_sides = hand({"sum": 640}, {"sum": 1210})
    sum_of_one_side = hand(side_counted(cards=150, left=20, mixed_canasta=1), {"sum": 60})
    table.play(sums_of_both_sides, hand_of_430_and_60(), sum_of_one_side, sums_of_both_sides)

    # In English: "Hands 1 and 4, …: only the sum was counted that the table agreed on."
    only_the_sum_was_counted = "contata solo la somma su cui il tavolo era d'accordo."
    assert sheet_data(table.state).footnotes.agreed_sums == [
        f"Smazzate 1 e 4, Ada–Ugo e Eva–Ivo: {only_the_sum_was_counted}",
        f"Smazzata 3, Eva–Ivo: {only_the_sum_was_counted}",
    ]

    # The details of a hand have the row "agreed sum, not verified", the notes such a heading.
    lines = sheet_lines(table.state)
    assert lines.count("Somma concordata non verificata 640 1.210") == 2
    assert "Somma concordata non verificata 60" in lines
    assert "Somme non verificate" in lines


def test_agreed_adjustments_are_printed_with_their_sign(start_match: Any) -> None:
    # Side a gets 50 points for "ten cards below the table" and loses 20 for "a card seen".
    noi = side_counted(cards=150, left=20, mixed_canasta=1)
    noi["adjustments"] = [
        {"points": 50, "reason": "dieci carte sotto il tavolo"},
        {"points": -20, "reason": "carta vista"},
    ]
    loro = side_counted(cards=100, left=40)
    table = start_match()
    table.play(hand(noi, loro))

    text = sheet_text(table.state)

    # "Correzione concordata" is an agreed adjustment.
    # The total of the hand: 300 for a mixed canasta + 150 − 20 + 50 − 20 = 460, and 100 − 40.
    assert "Correzione concordata 50 Correzione concordata −20 Totale della smazzata 460 60" in text
    assert "Ada–Ugo: Correzione concordata +50 dieci carte sotto il tavolo" in text
    assert "Ada–Ugo: Correzione concordata −20 carta vista" in text


def test_remarks_are_listed_once_below_the_hands(start_match: Any) -> None:
    # Hand 1 is saved with a remark of sixty words. Hand 2 gets one later: "Ivo's first time".
    table = start_match()
    long_note = " ".join(f"parola{number}" for number in range(60))
    table.play(hand_of_430_and_60(), remark=long_note)
    table.play(hand_of_430_and_60())
    table.pad.actions.remark(table.request(), table.match, PHONE, 2, "", "prima volta di Ivo")

    text = sheet_text(table.state)

    assert f"Smazzata 1. {long_note} Smazzata 2. prima volta di Ivo" in text
    # They are on the first page, and not again with the details.
    assert text.count("Smazzata 1. parola0") == 1


def test_brief_footnotes_are_ordered_by_hand(start_match: Any) -> None:
    # Hand 1 has a remark ("a joker was missing"), and in hand 2 a side drew out of turn.
    table = start_match()
    table.play(hand_of_430_and_60(), remark="mancava un jolly")
    side_with_penalty = side_counted(cards=150, left=20)
    side_with_penalty["penalties"] = ["draw-out-of-turn"]
    table.play(hand(side_with_penalty, side_counted(cards=100, left=40)))

    footnotes = sheet_data(table.state).footnotes

    assert [footnote.number for footnote in footnotes.brief] == [1, 2]


# Questions to the referee, who answers each at length: may a player take the discard pile, may a
# player go out, what does a penalty cost, may a side begin with three queens.
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
    """Ask the referee about the hand that is being played, and keep the answer with the match."""
    current_hand = table.pad.open(table.match, PHONE)
    asking = Asking(question, rules=table.state.rules.digest, hand_id=current_hand.id)

    # `do` calls this action for the phone of the table.
    outcome = table.do(table.pad.actions.keep_ruling, asking)

    # Any other outcome would be a refusal.
    assert isinstance(outcome, Saved)


def test_short_match_with_rulings_fits_on_one_page(
    start_match: Any,
) -> None:
    # In the first hand the table asks the referee four times. The sheet has the answers.
    table = start_match()
    for question in FOUR_LONG_QUESTIONS:
        keep_ruling(table, question)
    noi = side_counted(cards=185, natural_canasta=1, mixed_canasta=2, red_threes=2)
    table.play(hand(noi, side_counted(cards=95, left=40), out="a"))

    (page,) = lines_by_page(print_sheet(table.state, details=False))

    rulings = [line for line in page if line.startswith("Smazzata 1. ")]
    assert rulings
    # The players sign at the foot.
    assert "Ada Ugo Eva Ivo" in page


@pytest.fixture
def table_with_checks(start_match: Any) -> Table:
    """Start a match whose hands the other side checks: it confirms or contests each."""
    table: Table = start_match()
    table.check()
    return table


def test_each_hand_shows_whether_other_side_confirmed_it(start_match: Any) -> None:
    # After hand 1 the table agrees that the other side checks every hand on its tablet.
    table = start_match()
    other_side = table.let_in(TABLET)
    table.play(hand_of_430_and_60())
    table.check()

    # It confirms hand 2, has not looked at hand 3, and contests hand 4: "ten points more".
    table.play(hand_of_430_and_60(), hand_of_430_and_60(), hand_of_430_and_60())
    other_side.confirm(2)
    other_side.contest(HAND_OF_440_AND_60, 4, "dieci punti in più")

    # Beside each hand stands "nobody went out", then "confirmed at 21:30", "to be confirmed", or
    # "contested, to be decided".
    unchecked, confirmed, waiting, contested = SheetHtml(table.state).ends_of_hands
    assert unchecked == ["nessuno ha chiuso"]
    assert confirmed == ["nessuno ha chiuso", "confermata alle 21:30"]
    assert waiting == ["nessuno ha chiuso", "da confermare"]
    assert contested == ["nessuno ha chiuso", "contestata, da decidere"]


def test_open_contest_is_printed_with_both_countings(table_with_checks: Table) -> None:
    # A hand of 430 and 60 is saved. The other side counts ten points more for the cards that Ada
    # and Ugo laid: "dieci punti in più". Nobody has decided yet.
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    other_side.contest(HAND_OF_440_AND_60, 1, "dieci punti in più")

    text = sheet_text(table_with_checks.state)

    # Under "Contested, to be decided" a table has the columns side, line, saved and other count.
    assert "Contestate, da decidere parte voce segnato altro conto" in text
    assert "Smazzata 1, contestata il 7 marzo 2026 alle" in text
    # Its rows are what differs: the cards laid, and the total of the hand.
    cards_laid = "Ada–Ugo Carte calate 150 160"
    total_of_hand = "Ada–Ugo Totale della smazzata 430 440"
    assert f"«dieci punti in più» {cards_laid} {total_of_hand}" in text

    assert "Correzioni" not in text  # corrections


def test_confirmation_after_midnight_is_printed_with_its_day(
    table_with_checks: Table, clock: Any
) -> None:
    # The hand is saved on 7 March at 21:30 in Italy, and confirmed three hours later.
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    clock.now += timedelta(hours=3)
    other_side.confirm()

    (end_of_hand,) = SheetHtml(table_with_checks.state).ends_of_hands
    assert end_of_hand[-1] == "confermata il 8 marzo 2026 alle 00:30"


def test_chosen_contest_becomes_correction_with_its_reason(table_with_checks: Table) -> None:
    # A hand of 430 and 60 is saved. The other side counts ten points more for the cards that Ada
    # and Ugo laid, "counted again".
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    other_side.contest(HAND_OF_440_AND_60, reason="ricontato")

    # The side that saved the hand sees both counts, each an entry of the log, and chooses the
    # other.
    saved_count = table_with_checks.entry()
    other_count = table_with_checks.state.hands[0].contest.sequence
    shown = ShownCounts(in_force=saved_count, contest=other_count)
    table_with_checks.choose(shown, other_count)

    # On the sheet the contest has become a correction of hand 1.
    footnotes = sheet_data(table_with_checks.state).footnotes
    assert footnotes.contests == []
    (correction,) = footnotes.corrections
    assert correction.number == 1
    assert correction.reason == "ricontato"

    # It lists the lines that have changed, with their points before and after: the cards laid, and
    # the total of the hand. (Other lines, such as canastas, have a number before the points.)
    cards_laid, total_of_hand = correction.changes
    assert cards_laid == ("Ada–Ugo", "Carte calate", (None, 150), (None, 160))
    assert total_of_hand == ("Ada–Ugo", "Totale della smazzata", (None, 430), (None, 440))

    # The hand is "corrected" and "confirmed at 21:30".
    (end_of_hand,) = SheetHtml(table_with_checks.state).ends_of_hands
    assert end_of_hand[-2:] == ["corretta", "confermata alle 21:30"]


def test_contest_with_equal_points_says_so(table_with_checks: Table) -> None:
    # The other side contests a hand and counts the same.
    other_side = table_with_checks.let_in(TABLET)
    table_with_checks.play(hand_of_430_and_60())
    other_side.contest(hand_of_430_and_60())

    # In English: "The points are the same."
    assert "I punti sono gli stessi." in sheet_text(table_with_checks.state)


def test_replaced_players_are_listed_by_names_of_that_time(start_match: Any) -> None:
    # Two hands were played on paper. After hand 3 Carla takes the seat of Ada, the first of the
    # first side. After hand 7 Dora takes it.
    table = start_match(played=2)
    seat = (0, 0)
    table.play(hand_of_430_and_60())
    table.swap(seat, was="Ada", name="Carla")
    table.play(*[hand_of_430_and_60()] * 4)
    table.swap(seat, was="Carla", name="Dora")

    # "From hand 4 on Carla in place of Ada."
    html = SheetHtml(table.state)
    assert html.wide_rows == [
        "dalla smazzata 4 Carla al posto di Ada",
        "dalla smazzata 8 Dora al posto di Carla",
    ]
    assert "Cambi dalla smazzata 4 Carla al posto di Ada" in sheet_text(table.state)
    assert "Replacements from hand 4 on Carla in place of Ada" in sheet_text(table.state, "en")

    # This seat dealt hands 3 and 7, each time with another player.
    assert html.dealers_of_hands[0] == "mazziere: Ada"
    assert html.dealers_of_hands[4] == "mazziere: Carla"
    assert sheet_data(table.state).names.players[0] == ("Dora", "Ugo")


def test_first_dealer_is_who_dealt_the_first_hand(start_match: Any) -> None:
    # Ada deals the first hand. Then Carla takes her seat.
    table = start_match()
    table.play(hand_of_430_and_60())
    table.swap((0, 0), was="Ada", name="Carla")

    assert "Primo mazziere Ada" in sheet_text(table.state)  # first dealer


def test_player_taking_an_empty_seat_is_listed(start_match: Any) -> None:
    # In hand 1 the first seat of the first side has no name. Whoever sits there deals.
    table = start_match(players=(("", "Ugo"), ("Eva", "Ivo")))
    table.play(hand_of_430_and_60())

    # From hand 2 on Carla sits there.
    first_seat_of_first_side = (0, 0)
    table.swap(first_seat_of_first_side, was="", name="Carla")

    # "From hand 2 on Carla plays."
    html = SheetHtml(table.state)
    assert html.wide_rows == ["dalla smazzata 2 gioca Carla"]
    # The dealer of hand 1 was not Carla, but a player without a name: "player 1" of the side, which
    # is called "Carla–Ugo" by now.
    assert html.dealers_of_hands[0] == "mazziere: Carla–Ugo, giocatore 1"


def test_replaced_single_player_renames_the_side(start_match: Any) -> None:
    # Ada, Bea and Cleo each play alone. After a hand Zoe takes the only seat of the third side.
    table = start_match(THREE_SINGLE_PLAYERS)
    table.play(hand_of_three(100, 100, 100))
    table.swap((2, 0), was="Cleo", name="Zoe")

    # In English: "from hand 2 on Zoe in place of Cleo".
    assert SheetHtml(table.state).wide_rows == ["dalla smazzata 2 Zoe al posto di Cleo"]
    assert sheet_data(table.state).names.sides == ("Ada", "Bea", "Zoe")


def test_practice_match_is_marked_in_the_head(start_match: Any) -> None:
    table = start_match(practice=True)

    (page,) = lines_by_page(print_sheet(table.state, details=False))
    assert "Partita di prova: non conta" in page[:3]

    english = lines_by_page(print_sheet(table.state, "en"))[0]
    assert "Practice match: it does not count" in english[:3]
