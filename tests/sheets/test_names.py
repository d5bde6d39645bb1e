"""Names are text for people: any script, any length, never markup."""

from __future__ import annotations

import re
import subprocess
import unicodedata

import pytest

from scorepad.i18n import words
from scorepad.pad.paper import match_sheet, sheet_of
from scorepad.sheets import isolated, match_sheet_html
from scorepad.sheets.text import printable
from tests.sheets.reading import pages_of, printed, text_of
from tests.sheets.worked import FIRST, SECOND, match_of

MARKUP = '<img src=file:///etc/passwd><script>"&amp;{{ 7*7 }}'


def test_a_name_that_is_markup_stands_as_text() -> None:
    text = text_of(printed(match_of([(FIRST,)], names=(MARKUP, "Loro"))))
    assert text.count(MARKUP.replace(" ", "")) == 0
    assert text.replace(" ", "").count(MARKUP.replace(" ", "")) >= 4


def test_everything_that_people_write_is_escaped() -> None:
    state = match_of([(FIRST,), (SECOND,)], names=(MARKUP, "<i>"), players=(("<u>", "<s>"), ("<p>", "")), place="<b>")
    html = match_sheet_html(sheet_of(state, words("it")))
    for tag in ("<img", "<script", "<i>", "<u>", "<s>", "<p>\n<", "<b>"):
        assert tag not in html


@pytest.mark.parametrize(
    "name",
    ["W" * 60, "Associazione Ricreativa Amici del Tavolo Verde di Sant'Angelo", "Đorđe Żółć", "Ελένη", "Борис", "😀🂡"],
)
def test_a_name_of_any_length_and_script_stands_whole(name: str) -> None:
    sheet = printed(match_of([(FIRST,), (SECOND,)], names=(name, "Loro"), players=((name, name), (name, name))))
    text = text_of(sheet).replace(" ", "")
    assert text.count(name.replace(" ", "")) >= 10


def test_a_name_wider_than_the_paper_breaks_inside_the_margins() -> None:
    state = match_of([(FIRST,)], names=("W" * 60, "Loro"), place="W" * 60)
    runs = {run for page in pages_of(printed(state)) for line in page for run in re.findall("W+", line)}
    assert runs
    assert max(map(len, runs)) < 60


@pytest.mark.parametrize("name", ["李雷", "محمد", "דוד", "प्रिया", "e\u0301\u0302\u0323", "a\u202eb", "\U000e0041"])
def test_a_script_that_this_machine_may_lack_breaks_nothing(name: str) -> None:
    made = match_sheet(match_of([(FIRST,)], names=(name, "Loro"), players=((name, name), ("", ""))), words("it"))
    # Not by pypdf, which loses the whole font of a missing glyph.
    told = subprocess.run(["pdftotext", "-layout", "-", "-"], input=made, capture_output=True, check=True)
    text = " ".join(told.stdout.decode().split())
    assert "Totale della partita −280 850" in text
    seen = [character for character in name if unicodedata.category(character) in ("Lo", "Ll")]
    assert all(character in text for character in seen)


def test_names_written_from_the_right_leave_the_figures_where_they_are() -> None:
    state = match_of([(SECOND,)] * 3, names=("محمد", "Loro"))
    sentence = sheet_of(state, words("it")).result.sentence
    assert sentence == "Vince \u2068محمد\u2069 con 5.565 punti."
    assert isolated("Đorđe") == "Đorđe"
    assert isolated("\u2067محمد") == "\u2068محمد\u2069"


def test_what_cannot_be_printed_is_replaced_and_nothing_else() -> None:
    assert printable("a\0b\ud800c\nd\te") == "a\ufffdb\ufffdc d e"
    assert printable("Đorđe 李雷 😀") == "Đorđe 李雷 😀"
    assert printable(7) == 7
    assert "Noi\ufffd" in text_of(printed(match_of([(FIRST,)], names=("Noi\0", "Lo\ud800ro"))))


def test_the_font_of_the_sheets_has_every_character_of_our_own_words() -> None:
    from fontTools.ttLib import TTFont

    from scorepad.assets import fonts_dir

    page = match_sheet_html(sheet_of(match_of([(FIRST,), (SECOND,)]), words("it")))
    for weight in (400, 700):
        known = set(TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2").getBestCmap())
        assert {character for character in page if ord(character) not in known and character != "\n"} == set()
