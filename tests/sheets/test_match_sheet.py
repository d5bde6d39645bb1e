"""What is printed on the sheet of a match.

The hands are those of tests/sheets/worked.py, whose points were worked out with pen and paper. The
first side is Anna and Bruno, the second Carla and Dario:

- FIRST_HAND: −280 and 850. SECOND_HAND: 1855 and 605
- MISCOUNTED_HAND: as SECOND_HAND, but with 195 points of cards for the second side in place of 215,
  so 585. RECOUNTED_HAND: the same put right, with a note why
- SUMMED_HAND: 620 and 1210. The table has agreed on sums, 640 and 1210, and then took off 20
"""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from scorepad.i18n import words
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Standing
from scorepad.rules.hand import Out
from scorepad.rules.judging import Finding
from scorepad.rules.table import SideName
from scorepad.sheets.match_sheet import make_match_sheet, render_match_sheet
from scorepad.sheets.printed_names import is_legible_in_chart
from tests.sheets.reading import (
    SheetHtml,
    font_sizes,
    lines_by_page,
    list_tags,
    print_sheet,
    read_text,
    sheet_data,
    sheet_lines,
    sheet_text,
)
from tests.sheets.worked import (
    FIRST_HAND,
    MISCOUNTED_HAND,
    RECOUNTED_HAND,
    SECOND_HAND,
    SUMMED_HAND,
    WorkedHand,
    hand_in_log,
    line,
    match_of,
)


def test_details_list_every_line_of_every_hand() -> None:
    # In hand 1 the sides make −280 and 850 points, in hand 2 1855 and 605. The lines of the second
    # page are the details of the hands.
    page = lines_by_page(print_sheet(match_of([FIRST_HAND, SECOND_HAND])))[1]

    # The headings are "Hand 1, dealer: Anna, goes out: Carla–Dario" and so on. Below is a line for
    # everything that counts: how many and points of the first side, then of the second.
    first = page.index("Smazzata 1 mazziere: Anna · chiude: Carla–Dario")
    second = page.index("Smazzata 2 mazziere: Carla · chiude: Anna–Bruno")
    assert page[first + 1 : second] == [
        "Punteggio di apertura 50 50",  # the minimum for a side's first cards
        "Canaste naturali 1 500",  # canastas without wild cards
        "Carte calate 14 170",  # cards laid
        "Onori (3 rossi) 1 −100 1 100",  # red threes: against a side that has not laid any card
        "Chiusura 1 100",  # going out
        "Carte in mano 22 −180 2 −20",  # cards left in hand
        "Totale della smazzata −280 850",  # total of the hand
        "Totale della partita −280 850",  # total of the match
    ]

    # The eleven lines of hand 2.
    assert page[second + 1 : second + 12] == [
        "Punteggio di apertura 15 50",  # 15 for a side below 0
        "Canaste naturali 2 1.000 1 500",
        "Canaste miste 1 300",  # canastas with wild cards
        "Carte calate 21 270 215",
        "Onori (3 rossi) 2 200",
        "Chiusura in mano 1 200",  # going out concealed: with all cards at once
        "Carte in mano 2 −15 −85",
        "Pescata fuori turno 1 −100",  # drawn out of turn
        "Penalità della casa 1 −25",  # penalty of the house
        "Totale della smazzata 1.855 605",
        "Totale della partita 1.575 1.455",  # −280 + 1855, 850 + 605
    ]


# As FIRST_HAND, in which side 1 (Carla and Dario) goes out; here it is noted that Dario did.
HAND_WITH_PLAYER_WHO_WENT_OUT = replace(
    FIRST_HAND, hand=replace(FIRST_HAND.hand, out=Out(1, player=1))
)
HAND_NOBODY_WENT_OUT_OF = WorkedHand(((line("cards", 3, 60),), (line("cards", 5, 50),)))
FIVE_PLAYERS = (("Anna", "Bruno"), ("Carla", "Dario", "Elsa"))
# A match, and a text on its sheet. "mazziere" is the dealer, "chiude" goes out, "riposa" sits out.
SHEETS_AND_TEXT_ON_THEM = {
    # It is half past midnight in Italy.
    "the day at the table": (
        match_of([], started=datetime(2026, 11, 21, 23, 30, tzinfo=UTC)),
        "22 novembre 2026 · Bar Sport",
    ),
    # The minimum to open for each side, and "has not opened".
    "a side that never opened": (
        match_of([FIRST_HAND], unopened=True),
        "Punteggio di apertura 50, non ha aperto 50, non ha aperto",
    ),
    "a hand that nobody went out of": (
        match_of([HAND_NOBODY_WENT_OUT_OF]), "mazziere: Anna · nessuno ha chiuso",
    ),
    "who sits out": (
        match_of([FIRST_HAND], variant="cinque", players=FIVE_PLAYERS),
        "Smazzata 1 mazziere: Anna · riposa: Elsa · chiude: Carla–Dario–Elsa",
    ),
    # The player with index 1 of those who play is Elsa, since Dario sits out.
    "the second of those who played, where the second sits out": (
        match_of([FIRST_HAND, HAND_WITH_PLAYER_WHO_WENT_OUT], variant="cinque", players=FIVE_PLAYERS),
        "riposa: Dario · chiude: Elsa",
    ),
    "the player who went out": (match_of([HAND_WITH_PLAYER_WHO_WENT_OUT]), "mazziere: Anna · chiude: Dario"),
    # The side is called "Loro" ("they").
    "the side of a player without a name": (
        match_of([HAND_WITH_PLAYER_WHO_WENT_OUT], players=(("Anna", "Bruno"), ("Carla", ""))),
        "mazziere: Anna · chiude: Loro",
    ),
    # The match is "in progress: 2 hands played".
    "some hands so far": (
        match_of([SECOND_HAND] * 2), "Partita in corso: 2 smazzate giocate. Traguardo",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "part"), SHEETS_AND_TEXT_ON_THEM.values(), ids=SHEETS_AND_TEXT_ON_THEM
)
def test_sheet_has_text(state: MatchState, part: str) -> None:
    # Such as "riposa: Elsa" ("sits out: Elsa") where five play.
    assert part in sheet_text(state)


def test_head_has_date_place_players_and_rules() -> None:
    # The match has the rules of a preset, and of two rules the table has its own: no bonus for a
    # concealed canasta, and red threes of a side that has not opened do not count.
    options = {"concealed-canasta": 0, "red-threes-unopened": "zero", "target": 7000}

    text = sheet_text(match_of([], preset="getty", options=options))

    assert "Canasta classica" in text
    assert "21 novembre 2026 · Bar Sport" in text
    assert "Anna–Bruno 0 Carla–Dario 0" in text
    assert "Traguardo 7.000 punti" in text  # target
    assert "Primo mazziere Anna" in text  # first dealer
    # "Rules followed" is the preset, "House rules" are the two.
    assert "Regole seguite Regole tradotte dall'inglese" in text
    house_rules = (
        "Regole della casa Premio per la canasta nascosta: nessuno; "
        "Onori di chi non ha aperto: non contano"
    )
    assert house_rules in text


def test_penalties_are_listed_with_reason_and_source() -> None:
    text = sheet_text(match_of([SECOND_HAND, SUMMED_HAND]))

    # In hand 1 the first side drew out of turn. A rule book gives −100 for that.
    source = "Giochi di carte, «Giochi internazionali: Canasta», Calcolo delle penalità"
    assert f"Smazzata 1. Anna–Bruno: Pescata fuori turno −100 {source}" in text
    # The second side got a penalty of the house: "talked about the partner's hand".
    assert (
        "Smazzata 1. Carla–Dario: Penalità della casa −25 ha parlato della mano del compagno"
        in text
    )
    # In hand 2 the table agreed to take off 20 for "a card seen".
    assert "Smazzata 2. Anna–Bruno: Correzione concordata −20 carta vista" in text


def test_house_rules_are_options_that_differ_from_the_preset() -> None:
    # The preset gives a bonus for a concealed canasta. Its name is "rules translated from English".
    name_of_preset = "Regole tradotte dall'inglese"
    only_preset = SheetHtml(match_of([], preset="getty"))
    assert only_preset.wide_rows == [name_of_preset]

    # Without this bonus the table has a house rule: "Bonus for the concealed canasta: none".
    no_bonus = {"concealed-canasta": 0}
    with_option = SheetHtml(match_of([], preset="getty", options=no_bonus))
    assert with_option.wide_rows == [name_of_preset, "Premio per la canasta nascosta: nessuno"]

    # Without a preset the concealed canasta has no bonus anyway.
    assert SheetHtml(match_of([], options=no_bonus)).wide_rows == []


def test_corrected_hand_is_marked_and_its_changes_are_listed() -> None:
    # In hand 2 the cards of Carla and Dario were first counted 195, and later corrected to 215.
    text = sheet_text(match_of([FIRST_HAND, (MISCOUNTED_HAND, RECOUNTED_HAND)]))

    # The hand is marked as "corrected".
    assert "Smazzata 2 mazziere: Carla · chiude: Anna–Bruno · corretta" in text
    # A table has side, line, before and after: the cards laid and the total of the hand. The reason
    # is "Carla's two was counted twice".
    values_before_and_after = (
        "parte voce prima dopo Smazzata 2, corretta il 21 novembre 2026 alle 23:05 "
        "«la pinella di Carla era contata due volte» Carla–Dario Carte calate 195 215 "
        "Carla–Dario Totale della smazzata 585 605 "
    )
    assert values_before_and_after in text
    # Their total of the match after the correction: 850 + 605.
    assert "1.455" in text


def test_sheet_without_corrections_does_not_mention_them() -> None:
    assert "Correzioni" not in sheet_text(match_of([FIRST_HAND, RECOUNTED_HAND]))  # corrections


# In SECOND_HAND the first side goes out concealed, which means that it lays all its cards at once.
# Here this is the correction of an earlier count, 95 minutes after the start of the match.
HAND_CORRECTED_TO_CONCEALED = replace(SECOND_HAND, minute=95)


def test_hand_corrected_to_concealed_has_its_own_line() -> None:
    # The hand was counted with the first side going out in the usual way, then as concealed.
    not_concealed = replace(SECOND_HAND, hand=hand_in_log(out="a"))

    sheet = sheet_data(match_of([(not_concealed, HAND_CORRECTED_TO_CONCEALED)]))

    (rows_of_hand,) = sheet.rows
    labels = [row.label for row, _ in rows_of_hand]
    assert "Chiusura in mano" in labels  # "going out concealed"


def test_correction_to_concealed_lists_old_and_new_line() -> None:
    # The hand was counted with the other side going out in the usual way.
    state = match_of([(FIRST_HAND, HAND_CORRECTED_TO_CONCEALED)])

    (correction,) = sheet_data(state).footnotes.corrections

    # "Going out concealed" is new, and "going out" was there before.
    changes = {change.what: change for change in correction.changes}
    assert changes["Chiusura in mano"].before is None
    assert changes["Chiusura"].before is not None
    # "Nothing" stands where one of the two counts does not have a line.
    assert "niente" in sheet_text(state)


def test_going_out_concealed_in_english() -> None:
    assert "Going out concealed 1 200" in sheet_text(match_of([SECOND_HAND]), "en")


def test_hand_corrected_twice_has_two_corrections() -> None:
    # First "a jack was a queen", then "Carla's two was counted twice".
    misread = replace(MISCOUNTED_HAND, note="un fante era una donna", minute=90)

    sheet = sheet_data(match_of([(FIRST_HAND, misread, RECOUNTED_HAND)]))

    assert [correction.reason for correction in sheet.footnotes.corrections] == [
        "un fante era una donna",
        "la pinella di Carla era contata due volte",
    ]


def test_doubt_after_correction_is_printed_with_its_rule() -> None:
    # After a correction of an earlier hand something may be wrong in a later one. Here a side
    # began with cards worth 45 points, where 50 were needed.
    arguments = {
        "why": "points",
        "side": SideName(0),
        "score": 0,
        "minimum": 50,
        "points": 45,
        "missing": 5,
    }
    doubt = Finding("opening-below-minimum", "error", ("sides", 0), arguments, ("W:L'apertura",))

    text = sheet_text(match_of([FIRST_HAND], doubts=(doubt,)))

    # "In this hand at least 50 points are needed to open; the opening noted has 45, 5 are missing."
    assert (
        "Smazzata 1. Anna–Bruno: in questa smazzata si apre con almeno 50 punti; "
        "l'apertura annotata ne fa 45, ne mancano 5." in text
    )
    assert "Wikipedia (it), «Canasta», L'apertura" in text


def test_players_without_name_are_called_by_side_and_seat() -> None:
    # Of Noi ("we") nobody has a name, of Loro ("they") the second player.
    state = match_of([FIRST_HAND, SECOND_HAND], players=(("", ""), ("", "Dario")))

    sheet = print_sheet(state)

    # The first dealer is "Noi, player 1". At the head stand the totals, −280 + 1855 and 850 + 605.
    text = read_text(sheet)
    assert "Primo mazziere Noi, giocatore 1" in text
    assert "Smazzata 2 mazziere: Loro, giocatore 1" in text
    assert text.startswith(
        "Canasta classica 21 novembre 2026 · Bar Sport Noi 1.575 Loro Dario 1.455 "
    )
    # At the foot the players sign. A side without names signs as a side.
    assert "Noi Dario" in lines_by_page(sheet)[0]


# A hand of three lines, −100 for the first side and 170 + 100 for the second. Two of them are
# inferred: the sources have no rule for this game, so that of the classic game ("as-classic")
# holds.
HAND_WITH_INFERRED_LINES = WorkedHand(
    (
        (replace(line("red-threes", 1, -100), standing=Standing.INFERRED, read=("as-classic",)),),
        (
            replace(line("cards", 14, 170), standing=Standing.INFERRED, read=("as-classic",)),
            line("out", 1, 100),
        ),
    ),
    hand_in_log(out="b"),
)


def test_inferred_lines_have_a_mark_and_share_one_footnote() -> None:
    # Each of two hands has two lines whose points no source gives: they are inferred, for the same
    # reason.
    text = sheet_text(match_of([HAND_WITH_INFERRED_LINES] * 2))

    # One of them is that of the red threes. The footnote begins "Inferred: On this point the
    # sources collected here …".
    assert text.count("Onori (3 rossi) §1 1 −100") == 2
    assert text.count("§1 Dedotto: Su questo punto le fonti raccolte") == 1
    assert text.count("§1") == 2 * 2 + 1, "two lines of each hand, and the footnote"


def test_lines_that_are_stated_by_a_source_have_no_mark() -> None:
    # A line whose points were inferred would have a mark such as "§1".
    assert "§" not in sheet_text(match_of([FIRST_HAND]))


def test_each_inference_has_its_own_mark() -> None:
    # The points of some lines are stated by no source, but inferred. Hand 1 has a line for red
    # threes of the first side, and one for cards of the second, both inferred for the same reason,
    # "as-classic". Its line for going out is stated.
    line_of_red_threes = HAND_WITH_INFERRED_LINES.sides[0][0]
    line_of_cards = HAND_WITH_INFERRED_LINES.sides[1][0]
    # In hand 2 the line for cards is inferred for another reason, and nobody goes out.
    other_line_of_cards = replace(line_of_cards, read=("wild-melds-open",))
    second_hand = WorkedHand(((line_of_red_threes,), (other_line_of_cards,)))

    sheet = sheet_data(match_of([HAND_WITH_INFERRED_LINES, second_hand]))

    # Each reason has a mark, which stands at its lines and at its footnote.
    assert sheet.inferences == [("as-classic",), ("wild-melds-open",)]  # §1, §2

    # The rows of a hand are in this order: cards, red threes, going out.
    marks_of_first_hand, marks_of_second_hand = [
        [mark for _line, mark in rows] for rows in sheet.rows
    ]
    assert marks_of_first_hand == ["§1", "§1", ""]
    assert marks_of_second_hand == ["§2", "§1"]


def test_each_hand_has_one_row_with_points_and_totals() -> None:
    # The sides make −280 and 850 points, then, after a correction, 1855 and 605, then 620 and 1210.
    state = match_of([FIRST_HAND, (MISCOUNTED_HAND, RECOUNTED_HAND), SUMMED_HAND])

    (page,) = lines_by_page(print_sheet(state, details=False))

    # The columns are number, who goes out, then points and total of each side.
    head = page.index("N. Chiusura punti totale punti totale")
    # 1.575 = 1.855 − 280, 1.455 = 605 + 850, 2.195 = 1.575 + 620, 2.665 = 1.455 + 1.210
    assert page[head + 1 : head + 4] == [
        "1 chiude: Carla–Dario −280 −280 850 850",
        "2 chiude: Anna–Bruno · corretta 1.855 1.575 605 1.455",
        "3 620 2.195 1.210 2.665",
    ]
    # Below stands the penalty of the house for one who "talked about the partner's hand".
    assert (
        "Smazzata 2. Carla–Dario: Penalità della casa −25 ha parlato della mano del compagno"
        in page
    )
    # The minimum to open is one of the details, which are left out.
    assert "Punteggio di apertura" not in " ".join(page)


def test_twelve_hands_fit_on_one_page() -> None:
    sheet = print_sheet(match_of([FIRST_HAND] * 12), details=False)
    assert len(sheet.pages) == 1


def test_ten_hands_in_large_print_fit_on_one_page() -> None:
    sheet = print_sheet(match_of([FIRST_HAND] * 10), details=False, large=True)
    assert len(sheet.pages) == 1


def test_large_print_puts_notes_below_the_hands_and_chart_on_next_page() -> None:
    state = match_of([FIRST_HAND, SECOND_HAND] * 6)

    first, second = lines_by_page(print_sheet(state, details=False, large=True))

    # The note is about a penalty in hand 2. "Course of the match" is the heading of the chart.
    assert "Smazzata 2. Anna–Bruno: Pescata fuori turno −100" in first
    assert "Andamento della partita" not in first
    assert "Andamento della partita" in second


@pytest.mark.parametrize(("details", "sizes"), [(False, {18}), (True, {16, 18})])
def test_large_print_is_18_points_and_its_details_16(details: bool, sizes: set[int]) -> None:
    state = match_of([FIRST_HAND, FIRST_HAND])

    pdf = make_match_sheet(state, words("it"), details=details, large=True)

    # −280 is the total of the first side, on the first page and in the details.
    assert {round(size) for size in font_sizes(pdf, "−280")} == sizes


def test_large_print_has_a_class_of_its_own() -> None:
    html = render_match_sheet(match_of([FIRST_HAND]), words("it"), large=True)
    assert 'class="first large"' in html


@pytest.mark.parametrize("hands", [[], [FIRST_HAND]], ids=["no hand", "one hand"])
def test_sheet_of_fewer_than_two_hands_has_no_chart(hands: list[WorkedHand]) -> None:
    state = match_of(hands)
    assert sheet_data(state).chart is None
    assert "Andamento" not in sheet_text(state)  # the heading of the chart


def test_sheet_of_two_hands_has_a_chart() -> None:
    chart = sheet_data(match_of([FIRST_HAND, SECOND_HAND])).chart

    # The chart has the totals of each side at the start and after each hand.
    noi, loro = chart.courses
    assert noi.totals == (0, -280, 1575)  # −280 + 1855
    assert loro.totals == (0, 850, 1455)  # 850 + 605


def test_chart_has_alternative_text() -> None:
    tags = list_tags(print_sheet(match_of([FIRST_HAND, SECOND_HAND])))
    (figure,) = [tag for tag in tags if tag["/S"] == "/Figure"]
    # In English: "The target is 5,000."
    assert str(figure["/Alt"]).endswith("Il traguardo è 5.000.")


def test_chart_is_between_hands_and_penalties() -> None:
    html = render_match_sheet(match_of([FIRST_HAND, SECOND_HAND]), words("it"), details=True)

    above_chart, below_chart = html.split("<svg")

    assert 'class="by-hand' in above_chart
    assert "Penalità e punti concordati" in below_chart  # "Penalties and agreed points"


@pytest.mark.parametrize("name", ["Đorđe Żółć", "Борис", "李雷", "Noi (7)"])
def test_name_written_letter_by_letter_is_legible_in_chart(name: str) -> None:
    # The chart is a drawing, in which letters stand beside one another from left to right.
    assert is_legible_in_chart(name, lacking=frozenset("?"))


@pytest.mark.parametrize("name", ["محمد", "דוד", "प्रिया", "e\u0301", "😀", "?"])
def test_name_with_joined_or_lacking_letters_is_not_legible_in_chart(
    name: str,
) -> None:
    # Arabic and Hindi letters are joined, Hebrew runs from right to left, and the "e" has a
    # separate accent. The font has no emoji and, in this test, no question mark.
    assert not is_legible_in_chart(name, lacking=frozenset("?"))


def test_illegible_name_is_a_number_in_the_chart_and_explained_below() -> None:
    # The chart cannot show Arabic letters, which are joined.
    state = match_of([FIRST_HAND, SECOND_HAND], names=("محمد", "Loro"))

    # In the chart the side is called "pair 1". The other side goes by the names of its players.
    chart = sheet_data(state).chart
    assert [course.name for course in chart.courses] == ["coppia 1", "Carla–Dario"]
    assert "coppia 1" in sheet_lines(state)
    # Below stands "pair 1: …". The two characters around the name keep its direction to itself.
    assert SheetHtml(state).chart_names == ["coppia 1: \u2068محمد\u2069"]


def test_legible_names_are_not_explained_below_the_chart() -> None:
    assert SheetHtml(match_of([FIRST_HAND, SECOND_HAND])).chart_names == []
