"""Requests that no page of ours makes are answered all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.client import Client
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60
from tests.web.tables import read_tables

CASES = read_tables("odd_requests")


@pytest.mark.parametrize("path", CASES["head"])
def test_head_says_what_get_says_and_sends_nothing(leading: Player, path: str) -> None:
    browser = leading.client.raw
    url = path.replace("MATCH", leading.match)
    packed = {"Accept-Encoding": "gzip"}

    got = browser.get(url, headers=packed)
    head = browser.head(url, headers=packed)

    assert head.status_code == got.status_code
    assert head.get_data() == b""
    for name in set(got.headers.keys()) - {"Set-Cookie", "Content-Length"}:
        assert head.headers[name] == got.headers[name], name
    # A form's token has a random mask, which packs more or less tightly.
    assert abs(int(head.headers["Content-Length"]) - int(got.headers["Content-Length"])) < 100


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_head_of_a_stylesheet_is_its_size_packed_and_plain(client: Client, encoding: str) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]
    got = client.raw.get(style, headers={"Accept-Encoding": encoding})
    head = client.raw.head(style, headers={"Accept-Encoding": encoding})
    assert head.get_data() == b""
    assert head.headers["Content-Length"] == str(len(got.data))


@pytest.mark.parametrize("verb", CASES["steps"])
def test_no_step_breaks_anything(player: Player, verb: str) -> None:
    """A button beside a row of the form says what to do with which row."""
    page = player.open()
    form = page.form_values("Salva") | {"a.melds": "3xK"}
    for row in ("9" * 5000, "-1", "1e3", "\u0663", "", "0" * 400):
        for address in (page.url, f"{page.url}/controllo"):
            answer = player.client.raw.post(address, data=form | {"do": f"{verb}:a:{row}"})
            assert answer.status_code < 500
            assert answer.status_code == 303 or "3xK" in answer.text


@pytest.mark.parametrize("out", [*CASES["nobody"], "a." + "9" * 900])
def test_nobody_strange_goes_out(player: Player, out: str) -> None:
    page = player.open()
    form = page.form_values("Salva") | {"do": "check", "out": out}
    assert player.client.raw.post(page.url, data=form).status_code < 500


@pytest.mark.parametrize("page", ["annotazione", "correggi", "contesta", "controlla"])
def test_a_number_that_no_hand_has_leads_nowhere(player: Player, page: str) -> None:
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    player.play(HAND_430_TO_60)
    form = player.page("smazzate/1/annotazione").form_values("Salva") | {"text": "x"}
    for number in ("0", "2", "9" * 40, "9" * 5000):
        player.page(f"smazzate/{number}/{page}", status=404)
    for number in ("9" * 40, "9" * 5000):
        player.client.post(f"{player.match}/smazzate/{number}/{page}", form, status=404)


@pytest.mark.parametrize("method", ["OPTIONS", "HEAD", "GET"])
def test_no_file_but_ours_is_read_through_the_static_address(
    client: Client, method: str, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("of this machine alone")
    for path in ("../" * 9 + str(secret), str(secret), "..%2f" * 5 + str(secret)):
        answer = client.raw.open(f"/static/{path}", method=method)
        assert b"of this machine alone" not in answer.get_data()
