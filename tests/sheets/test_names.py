"""Names are text for people: any script, any length, never markup."""

from __future__ import annotations

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
    sheet_data,
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


def run_on(made: bytes, *command: str) -> str:
    """What a command prints that reads a PDF."""
    done = subprocess.run(command, input=made, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    "name", ["李雷", "محمد", "דוד", "प्रिया", "e\u0301\u0302\u0323", "a\u202eb", "\U000e0041"]
)
def test_a_script_that_this_machine_may_lack_breaks_nothing(name: str) -> None:
    state = match_of([FIRST_HAND], names=(name, "Loro"), players=((name, name), ("", "")))
    made = make_match_sheet(state, words("it"), details=True)
    # Not by pypdf, which loses the whole font of a missing glyph.
    text = " ".join(run_on(made, "pdftotext", "-layout", "-", "-").split())
    assert "Totale della partita −280 850" in text
    for character in name:
        assert character in text or unicodedata.category(character) not in ("Lo", "Ll")


UNDRAWN = "\ua9c1"
"""A character of no font that a machine is likely to have."""


def test_what_no_font_has_is_printed_as_an_asterisk_and_stays_in_the_text() -> None:
    state = match_of([FIRST_HAND], names=(f"Nonna {UNDRAWN}", "Loro"), place=UNDRAWN * 3)
    made = make_match_sheet(state, words("it"))
    fonts = run_on(made, "pdffonts", "-")
    assert "Scorepad-Stand-In" in fonts
    for font in fonts.splitlines()[2:]:
        assert font.split()[-5] == "yes", "each of them embedded"
    text = " ".join(run_on(made, "pdftotext", "-", "-").split())
    assert text.count(f"Nonna {UNDRAWN}") >= 3
    assert "* sta per un carattere che questo computer non sa disegnare." in text
    assert "* sta per" not in sheet_text(match_of([FIRST_HAND]))


def test_nothing_is_printed_without_a_glyph_and_the_sheet_stays_tagged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[Lacking] = []

    def listen(html: str, fonts: Mapping[str, bytes]) -> _PrintedSheet:
        made = _print_sheet(html, fonts)
        heard.append(made.lacking)
        return made

    monkeypatch.setattr(pdf, "_print_sheet", listen)
    state = match_of(
        [FIRST_HAND],
        names=(UNDRAWN * 2, "Loro \U0001f9ff"),
        players=(("", UNDRAWN), ("", "")),
    )
    sheet = print_sheet(state, "en")
    assert UNDRAWN in heard[0]
    assert heard[1:] == [frozenset()]
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 1
    assert tags.count("/Table") == 3
    assert tags.count("/Span") > 5
    assert str(sheet.metadata.title).startswith(UNDRAWN * 2)  # type: ignore[union-attr]
    assert make_match_sheet(state, words("en")) == make_match_sheet(state, words("en"))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("??", "Loro"), ("?? (coppia 1)", "Loro")),
        (("Noi ?", "Loro"), ("Noi ?", "Loro")),
        (("Squadra ?", "Squadra !"), ("Squadra ? (coppia 1)", "Squadra ! (coppia 2)")),
        (("? 7", "!"), ("? 7", "! (coppia 2)")),
    ],
)
def test_who_cannot_be_told_apart_by_what_is_drawn_is_called_by_the_seat_too(
    names: tuple[str, str], told: tuple[str, str]
) -> None:
    drawn = str.maketrans("?!", "\ua9c1\ua9c2")
    lacking = frozenset("\ua9c1\ua9c2")
    state = match_of(
        [FIRST_HAND],
        names=tuple(name.translate(drawn) for name in names),
        players=(("", ""), ("", "")),
    )
    sheet = MatchSheet(state, words("it"), lacking)
    assert sheet.names.sides == tuple(name.translate(drawn) for name in told)
    assert sheet_data(state).names.sides == tuple(side.name for side in state.sides)


def test_a_player_who_cannot_be_drawn_is_called_by_the_seat_too() -> None:
    state = match_of([FIRST_HAND], players=(("\ua9c1", "Bruno"), ("", "")))
    page = MatchSheet(state, words("it"), frozenset("\ua9c1"))
    assert (
        page.names.name_player_in_seat(page.match.begins.dealer, 1) == "\ua9c1 (Noi, giocatore 1)"
    )
    assert page.signers == ["\ua9c1 (Noi, giocatore 1)", "Bruno", "Loro"]


def test_names_written_from_the_right_leave_the_figures_where_they_are() -> None:
    state = match_of([SECOND_HAND] * 3, names=("محمد", "Loro"))
    sentence = SheetHtml(state).result
    assert sentence == "Vince la coppia \u2068محمد\u2069: 5.565 punti."
    assert isolate_direction("Đorđe") == "Đorđe"
    assert isolate_direction("\u2067محمد") == "\u2068محمد\u2069"


def test_what_cannot_be_printed_is_replaced_and_nothing_else() -> None:
    assert replace_unprintable("a\0b\ud800c\nd\te") == "a\ufffdb\ufffdc d e"
    assert replace_unprintable("Đorđe 李雷 😀") == "Đorđe 李雷 😀"
    assert "Noi\ufffd" in sheet_text(match_of([FIRST_HAND], names=("Noi\0", "Lo\ud800ro")))


def test_the_font_of_the_sheets_has_every_character_of_our_own_words() -> None:
    page = render_match_sheet(match_of([FIRST_HAND, SECOND_HAND]), words("it"))
    characters = set(map(ord, page)) - {ord("\n")}
    for weight in (400, 700):
        font = TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2")
        assert characters <= font.getBestCmap().keys()
