"""Matches in a file, from the pages: saved, taken back, and as rows for a spreadsheet."""

from __future__ import annotations

import json

import pytest

from scorepad.app.server import LARGEST_BODY
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from scorepad.web.matches import files
from tests.web.client import Client, Page, Visit
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, device, keys_of, match_of, start
from tests.web.scorer import let_in


def saved(client: Client, url: str) -> bytes:
    """The file of a match, by the links that lead to it."""
    page = client.get(client.get(url).links()["Salva la partita in un file"])
    answer = client.raw.get(page.links()["Scarica la partita"])
    assert answer.status_code == 200
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    return answer.data


def send(client: Client, octets: bytes, status: int = 200) -> Page:
    """The file sent back through the page."""
    return client.upload(client.get("/file"), "Carica", octets, status)


@pytest.fixture
def octets(leading: Player) -> bytes:
    """The file of a match at 430 to 60."""
    return saved(leading.client, leading.match)


@pytest.fixture
def gone(leading: Player, octets: bytes) -> Player:
    """Whoever saved that match, which is here no more."""
    delete(leading)
    return leading


def delete(player: Player) -> None:
    player.pad.actions.delete(player.match_id, ADMIN)


def test_a_match_comes_back_as_it_was_and_is_of_the_phone_that_took_it_back(
    visit: Visit, gone: Player, octets: bytes
) -> None:
    other = Player(visit(), gone.pad, gone.match)

    page = send(other.client, octets)

    assert page.url == gone.match
    assert page.notices == ["Partita caricata."]
    assert other.points == [[430, 60]]
    assert "430" in other.page("andamento").text
    assert other.state.access is Access.OWN
    gone.client.get(gone.match, status=404)  # whoever saved it is a stranger to the copy
    # It can let other phones in at once, by a key of its own.
    guest = let_in(other.client, gone.match, visit(), VIEW_COOKIE)
    assert gone.pad.access(gone.match_id, device(guest)) is Access.VIEW


def test_the_same_match_again_is_told_and_nothing_changes(leading: Player, octets: bytes) -> None:
    leading.play(HAND_430_TO_60)

    page = send(leading.client, octets)

    assert page.url == leading.match
    assert page.notices == ["Questa partita era già qui, e resta com'è."]
    assert len(leading.hands) == 2


def test_a_match_that_went_on_otherwise_is_refused_and_what_to_do_is_told(
    leading: Player, octets: bytes
) -> None:
    leading.undo("Annulla la smazzata 1")
    assert send(leading.client, octets).notices, "an undo goes on from what was saved"
    with_undo = saved(leading.client, leading.match)
    delete(leading)
    send(leading.client, octets)
    leading.play(HAND_430_TO_60)

    (error,) = send(leading.client, with_undo, status=422).errors

    assert "è già qui, ma nel file è andata avanti in un altro modo" in error
    assert "prima elimina quella che è qui" in error
    assert len(leading.hands) == 2


def test_of_a_match_that_this_phone_may_not_see_it_learns_nothing_but_that_it_is_here(
    leading: Player, guest: Client, octets: bytes
) -> None:
    page = send(guest, octets, status=422)
    assert "questo telefono non la può vedere" in page.errors[0]
    guest.get(leading.match, status=404)


@pytest.mark.parametrize(
    ("octets", "told"),
    [
        (b"", "Scegli prima il file"),
        (b"{}", "non è un file di partite di scorepad"),
        (
            b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[]}',
            "non c'è nessuna partita",
        ),
    ],
)
def test_what_is_no_such_file_is_told_beside_the_field(
    client: Client, octets: bytes, told: str
) -> None:
    page = send(client, octets, status=422)
    assert told in page.one("p", id="file-error").text
    assert page.errors == [page.one("p", id="file-error").text]


def test_a_file_may_be_longer_than_what_people_type_and_no_longer_than_it_may(
    gone: Player, octets: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert files.LARGEST_UPLOAD == LARGEST_BODY
    monkeypatch.setattr(files, "LARGEST_UPLOAD", 450_000)
    assert send(gone.client, octets.ljust(460_000), status=413).one("h1").text == "È troppo"
    assert send(gone.client, octets.ljust(400_000)).url == gone.match


def test_no_key_of_the_match_stands_in_its_file(leading: Player, octets: bytes) -> None:
    keys = keys_of(leading.client, leading.match)
    assert keys.write.encode() not in octets
    assert keys.view.encode() not in octets
    assert leading.device.encode() not in octets


def test_who_may_only_look_saves_the_match_without_what_is_being_typed(
    player: Player, visit: Visit
) -> None:
    player.check({"a.cards": "150"})
    viewer = let_in(player.client, player.match, visit(), VIEW_COOKIE)
    writer = let_in(player.client, player.match, visit(), WRITE_COOKIE)

    (viewed,) = json.loads(saved(viewer, player.match))["matches"]
    (written,) = json.loads(saved(writer, player.match))["matches"]

    assert viewed["open_hand"] is None
    assert written["open_hand"]["draft"] == {"a.cards": "150"}


def test_a_stranger_saves_nothing(player: Player, guest: Client) -> None:
    for path in ("/file", "/file/partita.json", "/file/righe.csv"):
        guest.get(f"{player.match}{path}", status=404)
    assert "Salva tutte le partite" not in guest.get("/file").text
    assert guest.raw.get("/file/partite.json").json["matches"] == []


def test_all_matches_of_a_phone_go_into_one_file_and_come_back_from_it(
    client: Client, visit: Visit, pad: Pad
) -> None:
    first = match_of(start(client))
    second = match_of(start(client, "samba"))
    start(visit())

    answer = client.raw.get(client.get("/file").links()["Salva tutte le partite in un file"])
    matches = answer.json["matches"]
    assert [match["id"] for match in matches] == [first, second], "the one changed last last"

    pad.actions.delete(first, ADMIN)
    pad.actions.delete(second, ADMIN)
    assert send(client, answer.data).notices == ["2 partite caricate."]
    assert len(client.get("/").all("a", class_="match")) == 2


def test_the_rows_are_for_the_spreadsheets_of_the_language(leading: Player, visit: Visit) -> None:
    link = leading.page("file").links()["Scarica le righe per un foglio di calcolo (CSV)"]

    answer = leading.client.raw.get(link)

    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename")
    assert answer.data.startswith("\ufeffPartita;Cominciata;".encode())
    assert "Canaste miste (1) 300" in answer.text
    english = let_in(leading.client, leading.match, visit("en"), VIEW_COOKIE)
    assert english.raw.get(link).data.startswith(b"Match,Begun,")


def test_the_rows_of_all_matches_are_those_of_no_practice_match(
    client: Client, begin: Begin
) -> None:
    client.submit(client.get("/"), "Comincia una partita di prova")
    begin(name_0="Volpi").play(HAND_430_TO_60)

    _heads, first, second = client.raw.get("/file/righe.csv").text.splitlines()

    assert ";Volpi;" in first
    assert ";Loro;" in second
