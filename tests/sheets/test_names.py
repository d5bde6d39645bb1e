"""Names are text for people: any script, any length, never markup."""

import re
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
    read_text,
    sheet_lines,
    sheet_text,
)
from tests.sheets.worked import FIRST_HAND, SECOND_HAND, match_of

MARKUP = '<img src=file:///etc/passwd><script>"&amp;{{ 7*7 }}'


def test_everything_that_people_write_is_escaped() -> None:
    state = match_of(
        [FIRST_HAND, SECOND_HAND],
        names=(MARKUP, "<i>"),
        players=(("<u>", "<s>"), ("<p>", "")),
        place="<b>",
    )
    html = render_match_sheet(state, words("it"))
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
def test_a_name_of_any_length_and_script_stands_whole(name: str) -> None:
    sheet = print_sheet(
        match_of(
            [FIRST_HAND, SECOND_HAND], names=(name, "Loro"), players=((name, name), (name, name))
        )
    )
    text = read_text(sheet).replace(" ", "")
    assert text.count(name.replace(" ", "")) >= 10


def test_a_name_wider_than_the_paper_breaks_inside_the_margins() -> None:
    state = match_of([FIRST_HAND], names=("W" * 60, "Loro"), place="W" * 60)
    runs = re.findall("W+", "\n".join(sheet_lines(state)))
    assert runs
    assert max(map(len, runs)) < 60


def read_with(command: list[str], pdf_file: bytes) -> str:
    """What a command prints that reads a PDF."""
    done = subprocess.run(command, input=pdf_file, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    "name", ["李雷", "محمد", "דוד", "प्रिया", "e\u0301\u0302\u0323", "a\u202eb", "\U000e0041"]
)
def test_a_script_that_this_machine_may_lack_breaks_nothing(name: str) -> None:
    state = match_of([FIRST_HAND], names=(name, "Loro"), players=((name, name), ("", "")))

    pdf_file = make_match_sheet(state, words("it"), details=True)

    # Not by pypdf, which loses the whole font of a missing glyph.
    text = " ".join(read_with(["pdftotext", "-layout", "-", "-"], pdf_file).split())
    assert "Totale della partita −280 850" in text
    for character in name:
        if unicodedata.category(character) in ("Lo", "Ll"):  # a letter
            assert character in text


UNDRAWN = "\ua9c1"
"""A character of no font that a machine is likely to have."""


def test_what_no_font_has_is_printed_as_an_asterisk_and_stays_in_the_text() -> None:
    state = match_of([FIRST_HAND], names=(f"Nonna {UNDRAWN}", "Loro"), place=UNDRAWN * 3)

    pdf_file = make_match_sheet(state, words("it"))

    fonts = read_with(["pdffonts", "-"], pdf_file)
    assert "Scorepad-Stand-In" in fonts
    for font in fonts.splitlines()[2:]:
        is_embedded = font.split()[-5]
        assert is_embedded == "yes"
    text = " ".join(read_with(["pdftotext", "-", "-"], pdf_file).split())
    assert text.count(f"Nonna {UNDRAWN}") >= 3
    assert "* sta per un carattere che questo computer non sa disegnare." in text


def test_where_every_character_is_drawn_no_asterisk_is_explained() -> None:
    assert "* sta per" not in sheet_text(match_of([FIRST_HAND]))


def test_nothing_is_printed_without_a_glyph_and_the_sheet_stays_tagged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lacking_at_each_print: list[Lacking] = []

    def print_and_note(html: str, fonts: Mapping[str, bytes]) -> _PrintedSheet:
        printed = _print_sheet(html, fonts)
        lacking_at_each_print.append(printed.lacking)
        return printed

    monkeypatch.setattr(pdf, "_print_sheet", print_and_note)
    state = match_of(
        [FIRST_HAND],
        names=(UNDRAWN * 2, "Loro \U0001f9ff"),
        players=(("", UNDRAWN), ("", "")),
    )

    sheet = print_sheet(state, "en")

    # What is lacking at first is printed anew with a stand-in.
    first_print, second_print = lacking_at_each_print
    assert UNDRAWN in first_print
    assert second_print == frozenset()
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 1
    assert tags.count("/Table") == 3
    assert tags.count("/Span") > 5
    assert str(sheet.metadata.title).startswith(UNDRAWN * 2)  # type: ignore[union-attr]
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
def test_who_cannot_be_told_apart_by_what_is_drawn_is_called_by_the_seat_too(
    names: tuple[str, str], names_on_sheet: tuple[str, str]
) -> None:
    """In the names `?` and `!` stand for characters that no font has."""
    state = match_of([FIRST_HAND], names=names, players=(("", ""), ("", "")))

    assert MatchSheet(state, words("it"), lacking=frozenset("?!")).names.sides == names_on_sheet
    assert MatchSheet(state, words("it")).names.sides == names, "where fonts have them"


def test_a_player_who_cannot_be_drawn_is_called_by_the_seat_too() -> None:
    state = match_of([FIRST_HAND], players=((UNDRAWN, "Bruno"), ("", "")))

    sheet = MatchSheet(state, words("it"), lacking=frozenset(UNDRAWN))

    name_with_seat = f"{UNDRAWN} (Noi, giocatore 1)"
    assert sheet.names.name_player_in_seat(sheet.match.begins.dealer, 1) == name_with_seat
    assert sheet.signers == [name_with_seat, "Bruno", "Loro"]


def test_a_name_written_from_the_right_leaves_the_figures_where_they_are() -> None:
    state = match_of([SECOND_HAND] * 3, names=("محمد", "Loro"))
    # Between two characters that isolate its direction.
    expected = "Vince la coppia \u2068محمد\u2069: 5.565 punti."
    assert SheetHtml(state).result == expected


@pytest.mark.parametrize(
    ("name", "isolated"), [("Đorđe", "Đorđe"), ("\u2067محمد", "\u2068محمد\u2069")]
)
def test_only_a_name_written_from_the_right_is_isolated(name: str, isolated: str) -> None:
    assert isolate_direction(name) == isolated


@pytest.mark.parametrize(
    ("text", "printable"),
    [("a\0b\ud800c\nd\te", "a\ufffdb\ufffdc d e"), ("Đorđe 李雷 😀", "Đorđe 李雷 😀")],
)
def test_what_cannot_be_printed_is_replaced_and_nothing_else(text: str, printable: str) -> None:
    assert replace_unprintable(text) == printable


def test_a_name_that_cannot_be_printed_is_replaced_on_the_sheet() -> None:
    assert "Noi\ufffd" in sheet_text(match_of([FIRST_HAND], names=("Noi\0", "Lo\ud800ro")))


@pytest.mark.parametrize("weight", [400, 700])
def test_the_font_of_the_sheets_has_every_character_of_our_own_words(weight: int) -> None:
    html = render_match_sheet(match_of([FIRST_HAND, SECOND_HAND]), words("it"))
    characters = {ord(character) for character in html} - {ord("\n")}
    font = TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2")
    assert characters <= font.getBestCmap().keys()
