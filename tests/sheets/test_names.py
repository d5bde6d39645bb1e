"""Names are text for people: any script, any length, never markup."""

import subprocess
import unicodedata
from collections.abc import Mapping

import pytest
from fontTools.ttLib import TTFont

from scorepad.assets import fonts_dir
from scorepad.i18n import words
from scorepad.sheets import pdf
from scorepad.sheets.match_sheet import MatchSheet, make_match_sheet, render_match_sheet
from scorepad.sheets.pdf import _print_sheet, _PrintedSheet
from scorepad.sheets.printed_names import Lacking, isolate_direction, replace_unprintable
from tests.sheets.reading import (
    SheetHtml,
    list_tags,
    print_sheet,
    sheet_lines,
    sheet_text,
)
from tests.sheets.worked import FIRST_HAND, SECOND_HAND, match_of


def test_all_names_are_escaped_in_html() -> None:
    # The names of the sides, of the players and of the place look like HTML.
    state = match_of(
        [FIRST_HAND, SECOND_HAND],
        names=('<img src=file:///etc/passwd><script>"&amp;{{ 7*7 }}', "<i>"),
        players=(("<u>", "<s>"), ("<p>", "")),
        place="<b>",
    )

    html = render_match_sheet(state, words("it"))

    # The sheet has paragraphs of its own, but a name "<p>" would stand at the end of a line.
    for tag in ("<img", "<script", "<i>", "<u>", "<s>", "<p>\n<", "<b>"):
        assert tag not in html


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "name",
    [
        "W" * 60,
        "Associazione Ricreativa Amici del Tavolo Verde di Sant'Angelo",
        "Đorđe Żółć",
        "Ελένη",
        "Борис",
        "😀🂡",
    ],
)
def test_name_of_any_length_and_script_is_printed_whole(name: str) -> None:
    # One side and all four players have this name.
    players = ((name, name), (name, name))
    state = match_of([FIRST_HAND, SECOND_HAND], names=(name, "Loro"), players=players)

    text = sheet_text(state)

    # A long name may be broken over several lines. The sheet names sides and players in many
    # places: in its head, for the dealer of each hand, above the columns, for the signatures.
    text_without_spaces = text.replace(" ", "")
    name_without_spaces = name.replace(" ", "")
    assert text_without_spaces.count(name_without_spaces) >= 10


def test_name_wider_than_the_paper_breaks_inside_the_margins() -> None:
    widest_name = "W" * 60
    state = match_of([FIRST_HAND], names=(widest_name, "Loro"), place=widest_name)

    lines = sheet_lines(state)

    # The name is printed, but never all of it on one line.
    assert any("WWW" in line for line in lines)
    for line in lines:
        assert widest_name not in line


def read_with(command: list[str], pdf_file: bytes) -> str:
    """Give a PDF to the standard input of a command, and return what the command prints."""
    done = subprocess.run(command, input=pdf_file, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    "name",
    [
        "李雷",
        "محمد",
        "דוד",
        "प्रिया",
        "e\u0301\u0302\u0323",  # three accents on one letter
        "a\u202eb",  # from the middle on written from right to left
        "\U000e0041",  # an invisible tag
    ],
)
def test_name_in_script_without_font_keeps_its_text(name: str) -> None:
    state = match_of([FIRST_HAND], names=(name, "Loro"), players=((name, name), ("", "")))

    pdf_file = make_match_sheet(state, words("it"), details=True)

    # pypdf would lose all text of a font in which one glyph is missing, pdftotext does not.
    text = " ".join(read_with(["pdftotext", "-layout", "-", "-"], pdf_file).split())
    assert "Totale della partita −280 850" in text  # "Total of the match"
    for character in name:
        if unicodedata.category(character) in ("Lo", "Ll"):  # a letter
            assert character in text


CHARACTER_WITHOUT_FONT = "\ua9c1"
"""A character of Javanese, for which hardly any machine has a font."""


def test_character_without_font_is_an_asterisk_that_keeps_its_text() -> None:
    state = match_of(
        [FIRST_HAND],
        names=(f"Nonna {CHARACTER_WITHOUT_FONT}", "Loro"),
        place=CHARACTER_WITHOUT_FONT * 3,
    )

    pdf_file = make_match_sheet(state, words("it"))

    # The asterisk is a glyph of a font made for this sheet. The PDF embeds it as all its fonts.
    fonts = read_with(["pdffonts", "-"], pdf_file)
    assert "Scorepad-Stand-In" in fonts
    _head, _rule, *rows = fonts.splitlines()
    for row in rows:
        *_, is_embedded, _is_subset, _has_text, _object, _generation = row.split()
        assert is_embedded == "yes"

    # Who copies the text out of the PDF gets the character itself.
    text = " ".join(read_with(["pdftotext", "-", "-"], pdf_file).split())
    assert text.count(f"Nonna {CHARACTER_WITHOUT_FONT}") >= 3

    # "* stands for a character that this computer cannot draw."
    assert "* sta per un carattere che questo computer non sa disegnare." in text


def test_asterisk_is_not_explained_where_every_character_has_a_font() -> None:
    # "* stands for" begins the explanation.
    assert "* sta per" not in sheet_text(match_of([FIRST_HAND]))


def test_sheet_with_lacking_characters_is_printed_anew_and_tagged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Let the real function print, and record which characters had no font each time.
    lacking_at_each_print: list[Lacking] = []

    def print_and_record_lacking(html: str, fonts: Mapping[str, bytes]) -> _PrintedSheet:
        """Print a sheet as usual, and add the characters for which a font is lacking to a list."""
        printed = _print_sheet(html, fonts)
        lacking_at_each_print.append(printed.lacking)
        return printed

    monkeypatch.setattr(pdf, "_print_sheet", print_and_record_lacking)

    # A side and a player have names in a script for which there is no font.
    name_of_side = CHARACTER_WITHOUT_FONT * 2
    state = match_of(
        [FIRST_HAND],
        names=(name_of_side, "Loro \U0001f9ff"),
        players=(("", CHARACTER_WITHOUT_FONT), ("", "")),
    )

    sheet = print_sheet(state, "en")

    # Only after printing it is known that the character lacks a font. So the sheet is printed anew,
    # with a font made for it, in which nothing is lacking.
    lacking_at_first, lacking_then = lacking_at_each_print
    assert CHARACTER_WITHOUT_FONT in lacking_at_first
    assert lacking_then == frozenset()

    # The title of the PDF has the name as it was typed.
    assert str(sheet.metadata.title).startswith(name_of_side)  # type: ignore[union-attr]

    # It is tagged for screen readers as any sheet: a heading, three tables, several pieces of text.
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 1
    assert tags.count("/Table") == 3
    assert tags.count("/Span") > 5


def test_sheet_with_lacking_characters_has_the_same_bytes_each_time() -> None:
    state = match_of([FIRST_HAND], names=(CHARACTER_WITHOUT_FONT * 2, "Loro \U0001f9ff"))
    assert make_match_sheet(state, words("en")) == make_match_sheet(state, words("en"))


@pytest.mark.parametrize(
    ("names", "names_on_sheet"),
    [
        (("??", "Loro"), ("?? (coppia 1)", "Loro")),
        (("Noi ?", "Loro"), ("Noi ?", "Loro")),
        (("Squadra ?", "Squadra !"), ("Squadra ? (coppia 1)", "Squadra ! (coppia 2)")),
        (("? 7", "!"), ("? 7", "! (coppia 2)")),
    ],
)
def test_side_with_illegible_name_is_also_called_by_its_position(
    names: tuple[str, str], names_on_sheet: tuple[str, str]
) -> None:
    # In this test "?" and "!" are characters without a font. A name without any other letter or
    # digit, or that would be printed like the name of the other side, gets "(pair 1)" or "(pair
    # 2)".
    state = match_of([FIRST_HAND], names=names, players=(("", ""), ("", "")))

    sheet_with_lacking = MatchSheet(state, words("it"), lacking=frozenset("?!"))
    sheet_with_all_fonts = MatchSheet(state, words("it"))

    assert sheet_with_lacking.names.sides == names_on_sheet
    assert sheet_with_all_fonts.names.sides == names


def test_player_with_illegible_name_is_also_called_by_seat() -> None:
    # In this test "?" is a character without a font, and the whole name of the first player. The
    # players of the other side have no names.
    state = match_of([FIRST_HAND], players=(("?", "Bruno"), ("", "")))
    sheet = MatchSheet(state, words("it"), lacking=frozenset("?"))

    # The sheet tells who "?" is: player 1 of the side "Noi" ("we"). This player deals hand 1.
    name_of_dealer = sheet.names.name_player_in_seat(state.begins.dealer, 1)
    assert name_of_dealer == "? (Noi, giocatore 1)"

    # Below this name the player signs. For the other side one signs with its name, "they".
    assert sheet.signers == ["? (Noi, giocatore 1)", "Bruno", "Loro"]


def test_name_written_from_the_right_is_isolated_in_a_sentence() -> None:
    state = match_of([SECOND_HAND] * 3, names=("محمد", "Loro"))

    # Two invisible characters around the name keep the words beside it in their order.
    # "The pair … wins: 5,565 points." They have 1,855 points in each of the three hands.
    expected = "Vince la coppia \u2068محمد\u2069: 5.565 punti."
    assert SheetHtml(state).result == expected


@pytest.mark.parametrize(
    ("name", "isolated"),
    [
        ("Đorđe", "Đorđe"),
        # What directs the text already is replaced by what isolates it.
        ("\u2067محمد", "\u2068محمد\u2069"),
    ],
)
def test_isolate_direction(name: str, isolated: str) -> None:
    assert isolate_direction(name) == isolated


@pytest.mark.parametrize(
    ("text", "printable"),
    [
        # A zero byte and half a surrogate pair become U+FFFD, line ends and tabs become spaces.
        ("a\0b\ud800c\nd\te", "a\ufffdb\ufffdc d e"),
        ("Đorđe 李雷 😀", "Đorđe 李雷 😀"),
    ],
)
def test_replace_unprintable(text: str, printable: str) -> None:
    assert replace_unprintable(text) == printable


def test_unprintable_characters_of_names_are_replaced_on_the_sheet() -> None:
    assert "Noi\ufffd" in sheet_text(match_of([FIRST_HAND], names=("Noi\0", "Lo\ud800ro")))


@pytest.mark.parametrize("weight", [400, 700])
def test_font_of_sheets_has_every_character_of_our_texts(weight: int) -> None:
    # All characters in the HTML of an Italian sheet, but for the line ends, which are not printed.
    html = render_match_sheet(match_of([FIRST_HAND, SECOND_HAND]), words("it"))
    characters = {ord(character) for character in html} - {ord("\n")}

    font = TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2")
    assert characters <= font.getBestCmap().keys()
