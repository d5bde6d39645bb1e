"""How the totals went, the result as a picture and as text: to the letter, and only for whom the
match is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from urllib.parse import unquote

import pytest
from PIL import Image
from playwright.sync_api import Page
from werkzeug.http import parse_options_header
from werkzeug.wrappers import Response

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.projection import MatchState
from scorepad.sheets.outcome import write_text_to_share
from scorepad.sheets.picture import make_picture
from scorepad.web.file_responses import name_file
from scorepad.web.phones.views import write_picture_file_name
from tests.sheets.worked import FIRST_HAND, HAND_OF_THREE, SECOND_HAND, match_of
from tests.web.client import Client
from tests.web.counting import NewMatch, OpenPage, count_on_pad
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, hand, side, start
from tests.web.tables import read_tables

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def match_of_one_hand(**more: Any) -> MatchState:
    """Build the state of a match after one hand, at −280 to 850 points."""
    return match_of([(FIRST_HAND,)], started=NOON, **more)


def match_of_two_hands(**more: Any) -> MatchState:
    """Build the state of a match after two hands, at 1,575 to 1,455 points.

    That is −280 + 1,855 to 850 + 605.
    """
    return match_of([(FIRST_HAND,), (SECOND_HAND,)], started=NOON, **more)


def match_won_by_noi() -> MatchState:
    """Build the state of a match that the first side won, by 1,575 points to 1,455.

    A match ends when a side reaches its target: here 1,500.
    """
    state = match_of_two_hands()
    status = state.status._replace(target=1500, finished=True, winner=0)
    return replace(state, status=status)


def practice_match_after_paper() -> MatchState:
    """Build the state of a practice match that began on paper.

    Four hands were played on paper, and two more with this app.
    """
    # Only one of the four players has told their name.
    state = match_of_two_hands(players=(("Anna", ""), ("", "")))
    begins = replace(state.begins, played=4, practice=True)
    return replace(state, begins=begins)


def match_of_three() -> MatchState:
    """Build the state of a match of three, where each player is a side, after one hand."""
    return match_of(
        [HAND_OF_THREE],
        variant="tre",
        started=NOON,
        names=("Ada", "Bea", "Cleo"),
        players=(("Ada",), ("Bea",), ("Cleo",)),
    )


# ---------------------------------------------------------------- the text


@pytest.mark.parametrize(
    ("name", "state", "language"),
    [
        ("going on", match_of_two_hands(), "it"),
        ("going on in English", match_of_one_hand(place=""), "en"),
        ("won", match_won_by_noi(), "it"),
        ("a practice match after paper", practice_match_after_paper(), "it"),
        ("just begun", match_of([], started=NOON), "it"),
        ("three alone, named once", match_of_three(), "it"),
    ],
)
def test_text_to_share(name: str, state: MatchState, language: str) -> None:
    text = write_text_to_share(state, words(language))

    # The expected lines, by the name of the case: "Classic canasta, 21 November 2026", the total
    # of each side, and who leads or has won.
    expected_lines = read_tables("share")["text"][name]
    assert text.split("\n") == expected_lines


# ---------------------------------------------------------------- the page to share from


def test_page_to_share_has_picture_text_and_links(leading: Player) -> None:
    # The match of `leading` stands at 430 to 60: "Noi" (we) lead.
    page = leading.page("condividi")
    assert page.heading == "Condividi il punteggio"  # "Share the score"

    # The URL of the picture has a number that grows with each change of the match, so that the
    # browser does not show an old picture.
    picture = page.one("img")
    assert picture["src"] == f"{leading.match}/risultato.png?v={leading.state.sequence}"
    assert "Noi 430" in picture["alt"]

    # The picture can be downloaded. The sheet and the chart of the match are linked.
    links = page.links()
    assert links[words("it").t("share.picture.download")] == picture["src"]
    assert f"{leading.match}/foglio.pdf" in links.values()
    assert f"{leading.match}/andamento" in links.values()

    # The buttons do nothing without JavaScript: a script shows them.
    for button in page.one("div", id="share").all("button"):
        assert button.has("hidden")


def test_text_on_page_to_share_has_no_address(leading: Player) -> None:
    text = leading.page("condividi").one("textarea").text
    assert text.split() == write_text_to_share(leading.state, words("it")).split()

    # Whoever gets the text may not find the match by it, or act as this device.
    for secret in (leading.match_id, leading.device, "http", "/partite", "localhost"):
        assert secret not in text


def test_page_of_finished_match_shares_its_result(player: Player) -> None:
    # A match is won at 5,000 points. One side makes 5,100 in the first hand.
    player.play(hand({"sum": 5100}, {"sum": 60}))

    page = player.page("condividi")

    assert page.heading == "Condividi il risultato"  # "Share the result", not "the score"


# ---------------------------------------------------------------- the picture


def test_picture_is_a_png_with_a_readable_file_name(leading: Player) -> None:
    answer = leading.answer("risultato.png")

    today = words("it").day(datetime.now(UTC).astimezone())
    name = f"Canasta, Noi contro Loro, {today}.png"  # "We against They"
    assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert Image.open(BytesIO(answer.data)).size == (1080, 1080)

    # The file tells nothing about the match or the device beside what is drawn: not even the
    # chunks "tEXt" and "pHYs", in which a PNG file keeps metadata.
    for secret in (leading.match_id, leading.device, "tEXt", "pHYs"):
        assert secret.encode() not in answer.data


def test_unchanged_picture_is_answered_with_304(leading: Player) -> None:
    first_answer = leading.answer("risultato.png")
    known = {"If-None-Match": first_answer.headers["ETag"]}

    # The browser asks for the picture again, and says that it has this one already.
    unchanged = leading.answer("risultato.png", headers=known)
    assert unchanged.status_code == 304
    assert unchanged.data == b""

    # Another hand is counted, so that the totals in the picture change.
    leading.play(HAND_430_TO_60)
    changed = leading.answer("risultato.png", headers=known)
    assert changed.status_code == 200


def test_name_without_glyphs_is_followed_by_a_number() -> None:
    state = match_of_two_hands(names=("Анна", "👵🏽"))

    # On a machine without fonts for these letters, the names cannot be drawn. A number tells the
    # sides apart.
    letters_without_font = frozenset("Анна👵🏽")
    picture = make_picture(state, words("it"), letters_without_font)

    assert [side.name for side in picture.sides] == ["Анна (coppia 1)", "👵🏽 (coppia 2)"]  # pairs
    assert picture.how == "Анна (coppia 1) in testa."  # "… leads."
    assert picture.lacking, "some letters cannot be drawn"


def test_picture_of_names_with_glyphs_lacks_no_letters() -> None:
    picture = make_picture(match_of_two_hands(), words("it"))
    assert not picture.lacking


def test_file_name_has_no_forbidden_characters() -> None:
    # Windows allows no / : " in the name of a file.
    state = match_of_two_hands(names=('A/B:"C"', ".."))
    file_name = write_picture_file_name(state, words("it"))

    answer = Response()
    name_file(answer, file_name, "png", inline=True)

    # "Canasta, … against …, 21 November 2026"
    expected = 'inline; filename="Canasta, ABC contro .., 21 novembre 2026.png"'
    assert answer.headers["Content-Disposition"] == expected


def test_file_name_is_cut_to_160_octets() -> None:
    # A euro sign takes three octets in UTF-8.
    answer = Response()

    name_file(answer, "€" * 500, "png")

    disposition, options = parse_options_header(answer.headers["Content-Disposition"])
    assert disposition == "attachment"
    assert options["filename"] == "€" * 53 + ".png"  # 53 × 3 = 159; one more would be 162


# ---------------------------------------------------------------- the chart


def test_chart_is_missing_before_the_first_hand(player: Player) -> None:
    page = player.page("andamento")
    assert page.all("svg", "table") == []
    assert "comincia con la prima" in page.text  # the chart "begins with the first" hand


def test_chart_has_a_table_with_points_and_totals(leading: Player) -> None:
    # The match of `leading` stands at 430 to 60 after one hand. A second hand is played.
    noi = side(left=100)  # −100 for cards left in hand
    loro = side(cards=250, left=10, natural=1)  # 500 for a canasta + 250 − 10
    leading.play(hand(noi, loro))

    page = leading.page("andamento")

    # For each hand: the points of each side, and its total after it ("in tutto").
    rows = [row.texts("th", "td") for row in page.one("table").all("tr")]
    assert rows == [
        ["Smazzata", "Noi", "Loro"],
        ["1", "+430 , in tutto 430", "+60 , in tutto 60"],
        ["2", "−100 , in tutto 330", "+740 , in tutto 800"],
    ]

    # For a screen reader: "In 2 hands: We from 0 to 330; They from 0 to 800. The target is 5,000."
    drawing = page.one("svg", role="img").one("desc").text
    assert drawing == "In 2 smazzate: Noi da 0 a 330; Loro da 0 a 800. Il traguardo è 5.000."


def test_chart_follows_corrections_and_language(leading: Player) -> None:
    assert "Noi da 0 a 430" in leading.page("andamento").text  # "We from 0 to 430"

    # The first hand is corrected: a mixed canasta 300 + 200 − 20 = 480, to 100 − 40 = 60.
    corrected = hand(side(cards=200, left=20, mixed=1), side(cards=100, left=40))
    leading.correct_to(1, corrected)
    assert "Noi da 0 a 480" in leading.page("andamento").text

    # The device chooses English.
    leading.client.raw.set_cookie("scorepad_language", "en")
    assert "hands" in leading.answer("andamento").text


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def share_page(pad: Pad, new_match: NewMatch, open_page: OpenPage) -> Callable[[str], Page]:
    """Return a function that opens the page to share a match of this browser.

    It takes a script, which runs before those of the page.
    """

    def open_after(script: str) -> Page:
        match = new_match()
        count_on_pad(pad, match, HAND_430_TO_60)

        # A script can only be added to an open tab. It runs when the page is loaded again.
        page = open_page(f"/partite/{match}/condividi")
        page.add_init_script(script)
        page.reload(wait_until="networkidle")
        return page

    return open_after


def test_text_is_copied_without_clipboard_api(share_page: Callable[[str], Page]) -> None:
    # An old browser has no `navigator.clipboard`: the page uses `document.execCommand`.
    page = share_page("Object.defineProperty(navigator, 'clipboard', { value: undefined });")

    # The test cannot read the clipboard: a script keeps what is copied.
    page.evaluate(
        """document.addEventListener('copy', () => {
          window.copied = String(getSelection()) || text.value;
        })"""
    )

    page.get_by_role("button", name="Copia il testo").click()  # "Copy the text"

    # The page says that the text was copied, and that it can be pasted into a message now.
    page.get_by_text("Testo copiato: ora puoi incollarlo in un messaggio.").wait_for()
    assert page.evaluate("window.copied").startswith("Canasta classica, ")
    # The focus, which has to move to the text to copy it, is on the button again.
    assert page.evaluate("document.activeElement.id") == "copy"


def test_text_is_selected_where_copying_fails(share_page: Callable[[str], Page]) -> None:
    # In this browser both ways to copy fail, and the button to share is not shown, as there is no
    # `navigator.share`.
    page = share_page("""
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.execCommand = () => false;
        Object.defineProperty(Navigator.prototype, 'share', { value: undefined });
    """)
    assert not page.locator("#send").is_visible()

    page.get_by_role("button", name="Copia il testo").click()  # "Copy the text"

    # The whole text is selected, so that the person can copy it by hand.
    page.get_by_text("Il testo non è stato copiato.").wait_for()  # "The text was not copied."
    shared_text = page.locator("textarea#text")
    assert shared_text.evaluate("it => it.selectionEnd - it.selectionStart === it.value.length")


def test_share_button_shares_text_and_picture(share_page: Callable[[str], Page]) -> None:
    # The browser keeps what the page shares, instead of asking with whom.
    page = share_page("""
        navigator.canShare = () => true;
        navigator.share = async (sent) => {
          window.shared = [sent.text, sent.files && sent.files[0].size];
        };
    """)

    page.get_by_role("button", name="Condividi", exact=True).click()  # "Share"

    text, size_of_picture = page.evaluate("window.shared")
    assert text == page.locator("textarea").input_value()
    assert size_of_picture > 10_000  # octets: a picture with something in it


@pytest.mark.parametrize("name", ["Dall’Olio", "Łukasz", "Noi – A", "🃏", "שלום", "Niccolo\u0300"])
def test_file_name_header_is_ascii_for_any_name(client: Client, name: str) -> None:
    # The name of the first side is part of the file name of the picture.
    match_url = start(client, name_0=name)

    answer = client.raw.get(f"{match_url}/risultato.png")

    assert answer.status_code == 200
    header = answer.headers["Content-Disposition"]
    assert header.isascii()
    assert header.count('"') == 2

    # Beside a name in ASCII, the header has the whole name, percent-encoded.
    _ascii_name, encoded_name = header.split("UTF-8''")
    assert unicodedata.normalize("NFC", name) in unquote(encoded_name)
