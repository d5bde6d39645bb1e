"""Matches in a file, from the pages: saved, taken back, and as rows for a spreadsheet."""

from __future__ import annotations

import json

import pytest

from scorepad.app.server import LARGEST_BODY
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from scorepad.web.matches import files
from tests.web.client import Client, Visit
from tests.web.match_files import download_match, upload_matches
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, device, match_of, start


@pytest.fixture
def octets(leading: Player) -> bytes:
    """The file of a match at 430 to 60."""
    return download_match(leading.client, leading.match)


@pytest.fixture
def deleted(leading: Player, octets: bytes) -> Player:
    """Whoever saved that match, which is here no more."""
    delete(leading)
    return leading


def delete(player: Player) -> None:
    player.pad.actions.delete(player.match_id, ADMIN)


def test_a_match_comes_back_as_it_was_and_is_of_the_phone_that_took_it_back(
    visit: Visit, deleted: Player, octets: bytes
) -> None:
    other = Player(visit(), deleted.pad, deleted.match)

    page = upload_matches(other.client, octets)

    assert page.url == deleted.match
    assert page.notices == ["Partita caricata."]
    assert other.points == [[430, 60]]
    assert "430" in other.page("andamento").text
    assert other.state.access is Access.OWN
    deleted.page("", status=404)  # whoever saved it is a stranger to the copy
    # The new owner can let other phones in at once, by a key of its own.
    viewer = other.let_in(visit(), VIEW_COOKIE)
    assert other.pad.access(other.match_id, device(viewer)) is Access.VIEW


@pytest.mark.parametrize("went_on_by", ["another hand", "an undo"])
def test_the_same_match_again_is_told_and_nothing_changes(
    leading: Player, octets: bytes, went_on_by: str
) -> None:
    if went_on_by == "an undo":
        leading.undo("Annulla la smazzata 1")
    else:
        leading.play(HAND_430_TO_60)
    before = leading.state

    page = upload_matches(leading.client, octets)

    assert page.url == leading.match
    assert page.notices == ["Questa partita era già qui, e resta com'è."]
    assert leading.state == before


def test_a_match_that_went_on_otherwise_is_refused_and_what_to_do_is_told(
    leading: Player, octets: bytes
) -> None:
    """Two files go on from the same first hand: in one it is undone, in the other a second follows."""
    leading.undo("Annulla la smazzata 1")
    octets_with_undo = download_match(leading.client, leading.match)
    delete(leading)
    upload_matches(leading.client, octets)
    leading.play(HAND_430_TO_60)

    (error,) = upload_matches(leading.client, octets_with_undo, status=422).errors

    assert "è già qui, ma nel file è andata avanti in un altro modo" in error
    assert "prima elimina quella che è qui" in error
    assert len(leading.hands) == 2


def test_of_a_match_that_this_phone_may_not_see_it_learns_nothing_but_that_it_is_here(
    leading: Player, guest: Client, octets: bytes
) -> None:
    page = upload_matches(guest, octets, status=422)
    assert "questo telefono non la può vedere" in page.errors[0]
    guest.get(leading.match, status=404)


@pytest.mark.parametrize(
    ("octets", "error"),
    [
        (b"", "Scegli prima il file"),
        (b"{}", "non è un file di partite di scorepad"),
        (
            b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[]}',
            "non c'è nessuna partita",
        ),
    ],
    ids=["nothing", "other JSON", "no match"],
)
def test_what_is_no_such_file_is_told_beside_the_field(
    client: Client, octets: bytes, error: str
) -> None:
    page = upload_matches(client, octets, status=422)
    beside_the_field = page.one("p", id="file-error").text
    assert error in beside_the_field
    assert page.errors == [beside_the_field]


def test_a_file_may_be_longer_than_what_people_type_and_no_longer_than_it_may(
    deleted: Player, octets: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert files.LARGEST_UPLOAD == LARGEST_BODY
    monkeypatch.setattr(files, "LARGEST_UPLOAD", 450_000)
    too_long = octets.ljust(460_000)
    long_enough = octets.ljust(400_000)

    refused = upload_matches(deleted.client, too_long, status=413)
    accepted = upload_matches(deleted.client, long_enough)

    assert refused.heading == "È troppo"
    assert accepted.url == deleted.match


def test_no_key_of_the_match_stands_in_its_file(leading: Player, octets: bytes) -> None:
    keys = leading.keys
    assert keys.write.encode() not in octets
    assert keys.view.encode() not in octets
    assert leading.device.encode() not in octets


def test_who_may_only_look_saves_the_match_without_what_is_being_typed(
    player: Player, visit: Visit
) -> None:
    player.check({"a.cards": "150"})
    viewer = player.let_in(visit(), VIEW_COOKIE)
    writer = player.let_in(visit(), WRITE_COOKIE)

    (viewed,) = json.loads(download_match(viewer, player.match))["matches"]
    (written,) = json.loads(download_match(writer, player.match))["matches"]

    assert viewed["open_hand"] is None
    assert written["open_hand"]["draft"] == {"a.cards": "150"}


def test_a_stranger_saves_nothing(player: Player, guest: Client) -> None:
    """Neither does it see the files of the match: `security.toml`."""
    assert "Salva tutte le partite" not in guest.get("/file").text
    assert guest.raw.get("/file/partite.json").json["matches"] == []


def test_all_matches_of_a_phone_go_into_one_file_and_come_back_from_it(
    client: Client, visit: Visit, pad: Pad
) -> None:
    first = match_of(start(client))
    second = match_of(start(client, "samba"))
    start(visit())  # a match of another phone

    link = client.get("/file").links()["Salva tutte le partite in un file"]
    file = client.raw.get(link)
    pad.actions.delete(first, ADMIN)
    pad.actions.delete(second, ADMIN)
    page = upload_matches(client, file.data)

    saved_ids = [match["id"] for match in file.json["matches"]]
    assert saved_ids == [first, second], "the one changed last last"
    assert page.notices == ["2 partite caricate."]
    assert len(client.get("/").all("a", class_="match")) == 2


def test_the_rows_are_for_the_spreadsheets_of_the_language(leading: Player, visit: Visit) -> None:
    english = leading.let_in(visit("en"), VIEW_COOKIE)
    link = leading.page("file").links()["Scarica le righe per un foglio di calcolo (CSV)"]

    italian_rows = leading.client.raw.get(link)
    english_rows = english.raw.get(link)

    assert italian_rows.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert italian_rows.headers["Content-Disposition"].startswith("attachment; filename")
    assert italian_rows.data.startswith("\ufeffPartita;Cominciata;".encode())
    assert "Canaste miste (1) 300" in italian_rows.text
    assert english_rows.data.startswith(b"Match,Begun,")


def test_the_rows_of_all_matches_are_those_of_no_practice_match(
    client: Client, begin: Begin
) -> None:
    client.submit("/", "Comincia una partita di prova")
    begin(name_0="Volpi").play(HAND_430_TO_60)

    lines = client.raw.get("/file/righe.csv").text.splitlines()

    # The heads, and a row for each side of the hand.
    assert len(lines) == 3
    assert ";Volpi;" in lines[1]
    assert ";Loro;" in lines[2]
