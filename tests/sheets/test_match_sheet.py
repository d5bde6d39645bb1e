"""What stands on the match sheet."""

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
    sheet_text,
)
from tests.sheets.worked import (
    FIRST_HAND,
    MISCOUNTED_HAND,
    RECOUNTED_HAND,
    SECOND_HAND,
    SUMMED_HAND,
    Worked,
    contract,
    line,
    match_of,
)


def test_every_line_of_every_hand_stands_in_the_text_with_its_figures() -> None:
    _, page, *_ = lines_by_page(print_sheet(match_of([FIRST_HAND, SECOND_HAND])))
    first = page.index("Smazzata 1 mazziere: Anna · chiude: Carla–Dario")
    second = page.index("Smazzata 2 mazziere: Carla · chiude: Anna–Bruno")
    assert page[first + 1 : second] == [
        "Punteggio di apertura 50 50",
        "Canaste naturali 1 500",
        "Carte calate 14 170",
        "Onori (3 rossi) 1 −100 1 100",
        "Chiusura 1 100",
        "Carte in mano 22 −180 2 −20",
        "Totale della smazzata −280 850",
        "Totale della partita −280 850",
    ]
    assert page[second + 1 : second + 12] == [
        "Punteggio di apertura 15 50",
        "Canaste naturali 2 1.000 1 500",
        "Canaste miste 1 300",
        "Carte calate 21 270 215",
        "Onori (3 rossi) 2 200",
        "Chiusura in mano 1 200",
        "Carte in mano 2 −15 −85",
        "Pescata fuori turno 1 −100",
        "Penalità della casa 1 −25",
        "Totale della smazzata 1.855 605",
        "Totale della partita 1.575 1.455",
    ]


KNOWN_OUT = replace(FIRST_HAND, hand=replace(FIRST_HAND.hand, out=Out(1, player=1)))
NOBODY_OUT = Worked(((line("cards", 3, 60),), (line("cards", 5, 50),)))
OF_FIVE = (("Anna", "Bruno"), ("Carla", "Dario", "Elsa"))
TOLD = {
    "the day at the table": (
        match_of([], started=datetime(2026, 11, 21, 23, 30, tzinfo=UTC)),
        "22 novembre 2026 · Bar Sport",
    ),
    "a side that never opened": (
        match_of([FIRST_HAND], unopened=True),
        "Punteggio di apertura 50, non ha aperto 50, non ha aperto",
    ),
    "a hand that nobody went out of": (
        match_of([NOBODY_OUT]), "mazziere: Anna · nessuno ha chiuso",
    ),
    "who sits out": (
        match_of([FIRST_HAND], variant="cinque", players=OF_FIVE),
        "Smazzata 1 mazziere: Anna · riposa: Elsa · chiude: Carla–Dario–Elsa",
    ),
    "the second of those who played, where the second sits out": (
        match_of([FIRST_HAND, KNOWN_OUT], variant="cinque", players=OF_FIVE),
        "riposa: Dario · chiude: Elsa",
    ),
    "the player who went out": (match_of([KNOWN_OUT]), "mazziere: Anna · chiude: Dario"),
    "the side of a player without a name": (
        match_of([KNOWN_OUT], players=(("Anna", "Bruno"), ("Carla", ""))),
        "mazziere: Anna · chiude: Loro",
    ),
    "some hands so far": (
        match_of([SECOND_HAND] * 2), "Partita in corso: 2 smazzate giocate. Traguardo",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("state", "part"), TOLD.values(), ids=TOLD)
def test_the_sheet_tells(state: MatchState, part: str) -> None:
    assert part in sheet_text(state)


def test_the_head_tells_who_played_when_where_and_by_which_rules() -> None:
    options = {"concealed-canasta": 0, "red-threes-unopened": "zero", "target": 7000}
    text = sheet_text(match_of([], preset="getty", options=options))
    for part in (
        "Canasta classica",
        "21 novembre 2026 · Bar Sport",
        "Anna–Bruno 0 Carla–Dario 0",
        "Traguardo 7.000 punti",
        "Primo mazziere Anna",
        "Regole seguite Regole tradotte dall'inglese",
        "Regole della casa Premio per la canasta nascosta: nessuno; Onori di chi non ha aperto: non contano",
    ):
        assert part in text


def test_penalties_stand_with_their_reasons_and_sources() -> None:
    text = sheet_text(match_of([SECOND_HAND, SUMMED_HAND]))
    source = "Giochi di carte, «Giochi internazionali: Canasta», Calcolo delle penalità"
    assert f"Smazzata 1. Anna–Bruno: Pescata fuori turno −100 {source}" in text
    assert (
        "Smazzata 1. Carla–Dario: Penalità della casa −25 ha parlato della mano del compagno"
        in text
    )
    assert "Smazzata 2. Anna–Bruno: Correzione concordata −20 carta vista" in text


def test_house_rules_are_what_differs_from_the_preset() -> None:
    without_options = SheetHtml(match_of([], preset="getty"))
    assert len(without_options.wide) == 1, "the name of the preset alone"

    with_option = SheetHtml(match_of([], preset="getty", options={"concealed-canasta": 0}))
    assert with_option.wide[1:] == ["Premio per la canasta nascosta: nessuno"]

    # Without a preset the concealed canasta has no bonus anyway.
    assert SheetHtml(match_of([], options={"concealed-canasta": 0})).wide == []


def test_a_hand_whose_corrections_are_listed_is_marked_in_the_details() -> None:
    text = sheet_text(match_of([FIRST_HAND, (MISCOUNTED_HAND, RECOUNTED_HAND)]))
    assert "Smazzata 2 mazziere: Carla · chiude: Anna–Bruno · corretta" in text
    assert (
        "parte voce prima dopo Smazzata 2, corretta il 21 novembre 2026 alle 23:05 "
        "«la pinella di Carla era contata due volte» Carla–Dario Carte calate 195 215 "
        "Carla–Dario Totale della smazzata 585 605 "
    ) in text
    assert "1.455" in text


def test_without_a_correction_nothing_is_said_of_corrections() -> None:
    assert "Correzioni" not in sheet_text(match_of([FIRST_HAND, RECOUNTED_HAND]))


CONCEALED = replace(SECOND_HAND, minute=95)


def test_a_hand_corrected_to_going_out_concealed_has_a_line_with_its_own_name() -> None:
    not_concealed = replace(SECOND_HAND, hand=contract(out="a"))
    sheet = sheet_data(match_of([(not_concealed, CONCEALED)]))
    labels = [row.label for row, _ in sheet.rows[0]]
    assert "Chiusura in mano" in labels


def test_a_correction_to_going_out_concealed_tells_both_lines() -> None:
    state = match_of([(FIRST_HAND, CONCEALED)])

    (correction,) = sheet_data(state).footnotes.corrections

    changes = {change.what: change for change in correction.changes}
    assert changes["Chiusura in mano"].before is None
    assert changes["Chiusura"].before is not None
    assert "niente" in sheet_text(state), "what was and what is no more"


def test_going_out_concealed_has_its_own_name_in_english() -> None:
    assert "Going out concealed 1 200" in sheet_text(match_of([SECOND_HAND]), "en")


def test_a_hand_corrected_twice_shows_both_corrections_with_their_reasons() -> None:
    misread = replace(MISCOUNTED_HAND, note="un fante era una donna", minute=90)

    sheet = sheet_data(match_of([(FIRST_HAND, misread, RECOUNTED_HAND)]))

    assert [correction.reason for correction in sheet.footnotes.corrections] == [
        "un fante era una donna",
        "la pinella di Carla era contata due volte",
    ]


def test_a_doubt_after_a_correction_stands_with_its_rule() -> None:
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

    assert (
        "Smazzata 1. Anna–Bruno: in questa smazzata si apre con almeno 50 punti; "
        "l'apertura annotata ne fa 45, ne mancano 5." in text
    )
    assert "Wikipedia (it), «Canasta», L'apertura" in text


def test_players_without_a_name_go_by_side_and_seat() -> None:
    state = match_of([FIRST_HAND, SECOND_HAND], players=(("", ""), ("", "Dario")))

    sheet = print_sheet(state)

    text = read_text(sheet)
    assert "Primo mazziere Noi, giocatore 1" in text
    assert "Smazzata 2 mazziere: Loro, giocatore 1" in text
    assert text.startswith(
        "Canasta classica 21 novembre 2026 · Bar Sport Noi 1.575 Loro Dario 1.455 "
    )
    signatures = "Noi Dario"  # a side without names signs as a side
    assert signatures in lines_by_page(sheet)[0]


READ = Worked(
    (
        (replace(line("red-threes", 1, -100), standing=Standing.INFERRED, read=("as-classic",)),),
        (
            replace(line("cards", 14, 170), standing=Standing.INFERRED, read=("as-classic",)),
            line("out", 1, 100),
        ),
    ),
    contract(out="b"),
)
"""Two lines that are the same reading of the sources."""


def test_a_reading_of_the_sources_has_a_mark_and_one_footnote_with_its_argument() -> None:
    text = sheet_text(match_of([READ] * 2))
    assert text.count("Onori (3 rossi) §1 1 −100") == 2
    assert text.count("§1 Dedotto: Su questo punto le fonti raccolte") == 1
    assert text.count("§1") == 5
    assert "§" not in sheet_text(match_of([FIRST_HAND]))


def test_each_argument_has_a_mark_of_its_own() -> None:
    other_line = replace(READ.sides[1][0], read=("wild-melds-open",))
    other_hand = replace(READ, sides=(READ.sides[0], (other_line,)))

    sheet = sheet_data(match_of([READ, other_hand]))

    first_hand, second_hand = sheet.rows
    assert [mark for _, mark in first_hand] == ["§1", "§1", ""]
    assert [mark for _, mark in second_hand] == ["§2", "§1"]
    assert sheet.inferences == [("as-classic",), ("wild-melds-open",)]


def test_a_hand_is_a_row_with_who_went_out_and_the_points_and_totals_of_the_sides() -> None:
    state = match_of([FIRST_HAND, (MISCOUNTED_HAND, RECOUNTED_HAND), SUMMED_HAND])

    (page,) = lines_by_page(print_sheet(state, details=False))

    head = page.index("N. Chiusura punti totale punti totale")
    # 1.575 = 1.855 − 280, 1.455 = 605 + 850, 2.195 = 1.575 + 620, 2.665 = 1.455 + 1.210
    assert page[head + 1 : head + 4] == [
        "1 chiude: Carla–Dario −280 −280 850 850",
        "2 chiude: Anna–Bruno · corretta 1.855 1.575 605 1.455",
        "3 620 2.195 1.210 2.665",
    ]
    assert (
        "Smazzata 2. Carla–Dario: Penalità della casa −25 ha parlato della mano del compagno"
        in page
    )
    assert "Punteggio di apertura" not in " ".join(page), "without the details"


@pytest.mark.parametrize(("hands", "large"), [(12, False), (10, True)])
def test_so_many_hands_take_one_page(hands: int, large: bool) -> None:
    sheet = print_sheet(match_of([FIRST_HAND] * hands), details=False, large=large)
    assert len(sheet.pages) == 1


def test_in_large_print_the_notes_of_a_longer_match_fill_the_page_of_its_hands() -> None:
    state = match_of([FIRST_HAND, SECOND_HAND] * 6)
    first, second = lines_by_page(print_sheet(state, details=False, large=True))
    assert "Smazzata 2. Anna–Bruno: Pescata fuori turno −100" in first
    assert "Andamento della partita" not in first
    assert "Andamento della partita" in second


@pytest.mark.parametrize(("details", "sizes"), [(False, {18}), (True, {16, 18})])
def test_large_print_is_18_points_and_its_details_16(details: bool, sizes: set[int]) -> None:
    state = match_of([FIRST_HAND, FIRST_HAND])

    pdf = make_match_sheet(state, words("it"), details=details, large=True)

    total = "−280"
    assert {round(size) for size in font_sizes(pdf, total)} == sizes


def test_large_print_has_a_class_of_its_own() -> None:
    html = render_match_sheet(match_of([FIRST_HAND]), words("it"), large=True)
    assert 'class="first large"' in html


@pytest.mark.parametrize("hands", [[], [FIRST_HAND]])
def test_before_two_hands_the_sheet_has_no_chart(hands: list[Worked]) -> None:
    state = match_of(hands)
    assert sheet_data(state).chart is None
    assert "Andamento" not in sheet_text(state)


def test_from_two_hands_on_the_sheet_has_a_chart() -> None:
    chart = sheet_data(match_of([FIRST_HAND, SECOND_HAND])).chart
    noi, loro = chart.courses
    assert noi.totals == (0, -280, 1575)
    assert loro.totals == (0, 850, 1455)


def test_a_screen_reader_hears_what_the_chart_shows() -> None:
    tags = list_tags(print_sheet(match_of([FIRST_HAND, SECOND_HAND])))
    (figure,) = [tag for tag in tags if tag["/S"] == "/Figure"]
    assert str(figure["/Alt"]).endswith("Il traguardo è 5.000.")


def test_the_chart_stands_after_the_table_and_before_the_penalties() -> None:
    html = render_match_sheet(match_of([FIRST_HAND, SECOND_HAND]), words("it"), details=True)
    above_chart, below_chart = html.split("<svg")
    assert 'class="by-hand' in above_chart
    assert "Penalità e punti concordati" in below_chart


@pytest.mark.parametrize("name", ["Đorđe Żółć", "Борис", "李雷", "Noi (7)"])
def test_a_name_written_letter_by_letter_is_legible_in_the_chart(name: str) -> None:
    assert is_legible_in_chart(name, lacking=frozenset("?"))


@pytest.mark.parametrize("name", ["محمد", "דוד", "प्रिया", "e\u0301", "😀", "?"])
def test_a_name_whose_letters_join_or_that_no_font_has_is_not_legible_in_the_chart(
    name: str,
) -> None:
    assert not is_legible_in_chart(name, lacking=frozenset("?"))


def test_who_is_not_legible_in_the_chart_goes_by_number_and_is_named_below() -> None:
    state = match_of([FIRST_HAND, SECOND_HAND], names=("محمد", "Loro"))

    chart = sheet_data(state).chart
    assert [course.name for course in chart.courses] == ["coppia 1", "Carla–Dario"]
    assert SheetHtml(state).chart_names == ["coppia 1: \u2068محمد\u2069"]
    printed_lines = [line for page in lines_by_page(print_sheet(state)) for line in page]
    assert "coppia 1" in printed_lines


def test_where_all_names_are_legible_in_the_chart_none_is_named_below() -> None:
    assert SheetHtml(match_of([FIRST_HAND, SECOND_HAND])).chart_names == []
