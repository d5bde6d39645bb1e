"""Requests that no page of ours makes are answered without an error of the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.client import Client
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60
from tests.web.tables import read_tables

CASES = read_tables("odd_requests")


@pytest.mark.parametrize("path", CASES["head"])
def test_head_has_the_headers_of_get_and_no_body(leading: Player, path: str) -> None:
    # One path is "MATCH/smazzata", the page of the hand that is played now.
    browser = leading.client.raw
    url = path.replace("MATCH", leading.match)
    compressed = {"Accept-Encoding": "gzip"}

    got = browser.get(url, headers=compressed)
    head = browser.head(url, headers=compressed)

    assert head.status_code == got.status_code
    assert head.get_data() == b""
    for name, value in got.headers:
        if name not in ("Set-Cookie", "Content-Length"):
            assert head.headers[name] == value, name
    # Each page has a random CSRF token, so that its compressed length differs a little.
    assert head.content_length == pytest.approx(got.content_length, abs=100)


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_head_of_stylesheet_has_the_length_of_get(client: Client, encoding: str) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]

    got = client.raw.get(style, headers={"Accept-Encoding": encoding})
    head = client.raw.head(style, headers={"Accept-Encoding": encoding})

    assert head.get_data() == b""
    assert head.headers["Content-Length"] == str(len(got.data))


@pytest.mark.parametrize("verb", CASES["steps"])
def test_invalid_row_of_a_button_is_answered_without_error(player: Player, verb: str) -> None:
    # The first side, "a", has typed a meld of three kings into the form of a hand.
    page = player.open()
    form = page.form_values("Salva") | {"a.melds": "3xK"}  # "Save"

    # A button beside a meld sends what to do with which row: `meld-drop:a:1`. The address that ends
    # in "/controllo" is used by the script of the page while somebody types.
    for row in ("9" * 5000, "-1", "1e3", "\u0663", "", "0" * 400):
        for address in (page.url, f"{page.url}/controllo"):
            answer = player.client.raw.post(address, data=form | {"do": f"{verb}:a:{row}"})

            assert answer.status_code < 500
            if answer.status_code != 303:
                assert "3xK" in answer.text, "what was typed is kept"


@pytest.mark.parametrize("out", [*CASES["nobody"], "a." + "9" * 900])
def test_invalid_player_who_went_out_is_answered_without_error(player: Player, out: str) -> None:
    # The form says who went out. One case is "a.9", the tenth player of the first side, which has
    # two.
    page = player.open()
    form = page.form_values("Salva") | {"do": "check", "out": out}

    answer = player.client.raw.post(page.url, data=form)

    assert answer.status_code < 500


@pytest.mark.parametrize("page", ["annotazione", "correggi", "contesta", "controlla"])
def test_page_of_unknown_hand_is_not_found(player: Player, page: str) -> None:
    # Each hand has a page for its note, and pages to correct it, to count it again and to confirm
    # it. The last two are there once "the other side checks from now on" is chosen. One hand is
    # counted.
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    player.play(HAND_430_TO_60)
    form = player.page("smazzate/1/annotazione").form_values("Salva") | {"text": "x"}

    # There is a hand 1, but none of these.
    for number in ("0", "2", "9" * 40, "9" * 5000):
        player.page(f"smazzate/{number}/{page}", status=404)
    for number in ("9" * 40, "9" * 5000):
        player.client.post(f"{player.match}/smazzate/{number}/{page}", form, status=404)


@pytest.mark.parametrize("method", ["OPTIONS", "HEAD", "GET"])
def test_static_address_reads_no_other_file(client: Client, method: str, tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("a secret of this machine")

    # The path of a file outside is asked for, as it is and with steps up to the root folder.
    for path in (f"{file}", "../" * 9 + f"{file}", "..%2f" * 5 + f"{file}"):
        answer = client.raw.open(f"/static/{path}", method=method)
        assert b"a secret of this machine" not in answer.get_data()
