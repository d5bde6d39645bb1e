"""Matches in a file, from the pages: saved, taken back, and as rows for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from scorepad.app.server import LARGEST_BODY
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access
from scorepad.matches.hands import ShownDraft
from scorepad.matches.keys import is_key
from scorepad.web.cookies import VIEW_COOKIE
from scorepad.web.matches import files
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, hand, keys_of, match_of, play, side, start
from tests.web.scorer import let_in


def saved(client: Client, url: str) -> bytes:
    """The file of a match, by the links that lead to it."""
    page = client.get(client.get(url).links()["Salva la partita in un file"])
    answer = client.raw.get(page.links()["Scarica la partita"])
    assert answer.status_code == 200
    return answer.data


def send(client: Client, octets: bytes, status: int = 200) -> Page:
    """The file sent back through the page."""
    page = client.get("/file")
    form = page.form("Carica")
    assert form["enctype"] == "multipart/form-data"
    sent: dict[str, Any] = page.values(form) | {"file": (io.BytesIO(octets), "partita.json")}
    answer = client.raw.post("/file", data=sent, content_type="multipart/form-data")
    if answer.status_code == 303:
        return client.get(answer.headers["Location"], status)
    return client._shown(answer, "/file", status)


@pytest.fixture
def elsewhere(app: Flask, client: Client, pad: Pad) -> tuple[str, bytes]:
    """A match that was saved, and is here no more: its address and its file."""
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    octets = saved(client, url)
    pad.actions.delete(match_of(url), ADMIN)
    return url, octets


def test_a_match_comes_back_as_it_was_and_is_of_the_phone_that_took_it_back(
    client: Client, visit: Callable[..., Client], pad: Pad, elsewhere: tuple[str, bytes]
) -> None:
    url, octets = elsewhere
    other = visit()
    page = send(other, octets)
    assert (page.url, page.notices) == (url, ["Partita caricata."])
    state = pad.state(match_of(url), device(other))
    assert [side.total for side in state.sides] == [430, 60]
    assert state.access is Access.OWN
    client.get(url, 404)  # whoever saved it is a stranger to the copy
    # It can let other phones in at once, by a key of its own.
    assert is_key(keys_of(other, url).write)
    guest = let_in(other, url, visit(), VIEW_COOKIE)
    assert pad.access(match_of(url), device(guest)) is Access.VIEW


def test_the_same_match_again_is_told_and_nothing_changes(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    octets = saved(client, url)
    play(pad, client, url, hand(side(100, 0), side(0, 10)))
    before = pad.state(match_of(url), device(client))
    page = send(client, octets)
    assert page.url == url
    assert page.notices == ["Questa partita era già qui, e resta com'è."]
    assert pad.state(match_of(url), device(client)) == before


def test_a_match_that_went_on_otherwise_is_refused_and_what_to_do_is_told(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    octets = saved(client, url)
    undone = client.get(url)
    client.submit(undone, "Annulla la smazzata 1")
    assert [hand.number for hand in pad.state(match_of(url), device(client)).hands] == []
    assert send(client, octets).notices, "an undo goes on from what was saved"
    ahead = saved(client, url)
    pad.actions.delete(match_of(url), ADMIN)
    send(client, octets)
    play(pad, client, url, hand(side(100, 0), side(0, 10)))
    before = pad.state(match_of(url), device(client))
    page = send(client, ahead, 422)
    assert len(page.errors) == 1
    assert "è già qui, ma nel file è andata avanti in un altro modo" in page.errors[0]
    assert "prima elimina quella che è qui" in page.errors[0]
    assert pad.state(match_of(url), device(client)) == before


def test_a_match_deleted_and_taken_back_shows_what_the_file_says(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    octets = saved(client, url)
    client.submit(client.get(url), "Annulla la smazzata 1")
    play(pad, client, url, hand(side(150, 0), side(0, 10)))
    assert "150" in client.get(f"{url}/andamento").text
    pad.actions.delete(match_of(url), ADMIN)
    page = send(client, octets)
    assert [side.total for side in pad.state(match_of(page.url), device(client)).sides] == [430, 60]
    assert "430" in client.get(f"{url}/andamento").text


def test_of_a_match_that_this_phone_may_not_see_it_learns_nothing_but_that_it_is_here(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    stranger = visit()
    page = send(stranger, saved(client, url), 422)
    assert "questo telefono non la può vedere" in page.errors[0]
    stranger.get(url, 404)
    assert pad.state(match_of(url), device(client)).access is Access.OWN


@pytest.mark.parametrize(
    ("octets", "told"),
    [
        (b"", "Scegli prima il file"),
        (b"{}", "non è un file di partite di scorepad"),
        (b"Partita;Cominciata\r\n", "un file CSV non basta"),
        (
            b'{"format":"scorepad-matches","version":2,"games":[]}',
            "più recente (forma 2, qui si arriva a 1)",
        ),
        (
            b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[]}',
            "non c'è nessuna partita",
        ),
        (b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[{"id', "troncato"),
        (b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[3]}', "rovinata"),
    ],
)
def test_what_is_no_such_file_is_told_beside_the_field(
    client: Client, octets: bytes, told: str
) -> None:
    page = send(client, octets, 422)
    assert len(page.errors) == 1
    assert told in page.errors[0]
    assert told in page.one("p", id="file-error").text


def test_a_file_may_be_longer_than_what_people_type_and_no_longer_than_it_may(
    client: Client, elsewhere: tuple[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, octets = elsewhere
    assert files.LARGEST_UPLOAD == LARGEST_BODY
    monkeypatch.setattr(files, "LARGEST_UPLOAD", 450_000)
    assert send(client, octets + b" " * (460_000 - len(octets)), 413).one("h1").text == "È troppo"
    assert send(client, octets + b" " * (400_000 - len(octets))).url == url


def test_no_key_of_the_match_stands_in_its_file(client: Client) -> None:
    url = start(client)
    octets = saved(client, url)
    keys = keys_of(client, url)
    for hidden in (keys.write, keys.view, device(client)):
        assert hidden
        assert hidden.encode() not in octets


def test_who_may_only_look_saves_the_match_without_what_is_being_typed(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    url = start(client)
    coming = pad.open(match_of(url), device(client))
    pad.store_draft(match_of(url), device(client), ShownDraft(coming.id, 0), {"line-a": "7xQ"})
    guest, writer = let_in(client, url, visit(), VIEW_COOKIE), let_in(client, url, visit())
    assert json.loads(saved(guest, url))["matches"][0]["open_hand"] is None
    assert json.loads(saved(writer, url))["matches"][0]["open_hand"]["draft"] == {"line-a": "7xQ"}


def test_a_stranger_saves_nothing(client: Client, visit: Callable[..., Client]) -> None:
    url = start(client)
    for path in ("/file", "/file/partita.json", "/file/righe.csv"):
        visit().get(f"{url}{path}", 404)
    stranger = visit()
    assert "Salva tutte le partite" not in stranger.get("/file").text
    assert json.loads(stranger.raw.get("/file/partite.json").data)["matches"] == []


def test_all_matches_of_a_phone_go_into_one_file_and_come_back_from_it(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    urls = [start(client), start(client, "samba")]
    start(visit())
    answer = client.raw.get(client.get("/file").links()["Salva tutte le partite in un file"])
    names = [match["id"] for match in json.loads(answer.data)["matches"]]
    assert names == [match_of(url) for url in urls], "the one changed last last, and nobody else's"
    for name in names:
        pad.actions.delete(name, ADMIN)
    assert send(client, answer.data).notices == ["2 partite caricate."]
    assert {match_of(link["href"]) for link in client.get("/").all("a", class_="match")} == set(
        names
    )


def test_the_rows_are_for_the_spreadsheets_of_the_language(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    url = start(client, name_0="=1+1", name_1="Loro; e «altri»")
    play(pad, client, url, ALL_GOOD)
    answer = client.raw.get(
        client.get(f"{url}/file").links()["Scarica le righe per un foglio di calcolo (CSV)"]
    )
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename")
    assert answer.data.startswith("\ufeffPartita;Cominciata;".encode())
    heads, one, other = csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";")
    row = dict(zip(heads, one, strict=True))
    assert row["Parte"] == "'=1+1", "never a formula"
    assert (row["Smazzata"], row["Canaste miste"], row["Carte calate"]) == ("1", "300", "150")
    assert (row["Carte in mano"], row["Smazzata in punti"], row["Totale"]) == ("-20", "430", "430")
    assert row["Righe"] == "Canaste miste (1) 300; Carte calate 150; Carte in mano -20"
    assert dict(zip(heads, other, strict=True))["Parte"] == "Loro; e «altri»"
    english = visit("en")
    english.raw.set_cookie("scorepad_device", client.cookie("scorepad_device"))
    told = english.raw.get(f"{url}/file/righe.csv").data
    assert told.startswith(b"Match,Begun,")
    assert list(csv.reader(io.StringIO(told.decode())))[1][8] == "'=1+1"


def test_the_rows_of_all_matches_are_those_of_no_practice_match(client: Client, pad: Pad) -> None:
    client.submit(client.get("/"), "Comincia una partita di prova")
    play(pad, client, start(client, name_0="Volpi"), ALL_GOOD)
    text = client.raw.get("/file/righe.csv").data.decode("utf-8-sig")
    heads, *rows = csv.reader(io.StringIO(text), delimiter=";")
    assert [row[heads.index("Parte")] for row in rows] == ["Volpi", "Loro"]
