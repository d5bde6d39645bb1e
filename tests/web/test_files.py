"""Matches in a file, from the pages: saved, taken back, and as rows for a spreadsheet."""

from __future__ import annotations

import json
from http import HTTPStatus

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
def match_file(leading: Player) -> bytes:
    """Download the file of the match of `leading`: one hand, 430 to 60."""
    return download_match(leading.client, leading.match)


@pytest.fixture
def player_of_deleted_match(leading: Player, match_file: bytes) -> Player:
    """Delete the match of `leading`, after it was downloaded as `match_file`.

    Returns the player who owned it, whose phone remembers its address.
    """
    delete(leading)
    return leading


def delete(player: Player) -> None:
    """Delete the match of this player from the pad."""
    player.pad.actions.delete(player.match_id, ADMIN)


def test_uploaded_match_is_restored_and_owned_by_uploader(
    visit: Visit, player_of_deleted_match: Player, match_file: bytes
) -> None:
    # A match was downloaded and deleted. Another phone gets the file and uploads it.
    uploader = Player(visit(), player_of_deleted_match.pad, player_of_deleted_match.match)
    page = upload_matches(uploader.client, match_file)

    assert page.url == uploader.match
    assert page.notices == ["Partita caricata."]  # "Match loaded."
    assert uploader.points == [[430, 60]]
    assert "430" in uploader.page("andamento").text
    assert uploader.state.access is Access.OWN

    # The phone that owned the match before has no access to this one.
    player_of_deleted_match.page(status=404)

    # The match has new keys, with which the uploader lets others in.
    viewer = uploader.let_in(visit(), VIEW_COOKIE)
    assert uploader.pad.access(uploader.match_id, device(viewer)) is Access.VIEW


@pytest.mark.parametrize("change", ["another hand", "an undo"])
def test_upload_of_existing_match_changes_nothing(
    leading: Player, match_file: bytes, change: str
) -> None:
    # The match goes on after the file was made.
    if change == "an undo":
        leading.undo("Annulla la smazzata 1")
    else:
        leading.play(HAND_430_TO_60)
    state_before = leading.state

    page = upload_matches(leading.client, match_file)

    assert page.url == leading.match
    # "This match was already here, and stays as it is."
    assert page.notices == ["Questa partita era già qui, e resta com'è."]
    assert leading.state == state_before


def test_upload_of_diverged_match_is_refused(leading: Player, match_file: bytes) -> None:
    # In one file the first hand is undone.
    leading.undo("Annulla la smazzata 1")
    file_with_undo = download_match(leading.client, leading.match)

    # The pad gets the match as it was before the undo, and a second hand is played.
    delete(leading)
    upload_matches(leading.client, match_file)
    leading.play(HAND_430_TO_60)

    page = upload_matches(leading.client, file_with_undo, status=422)

    # "It is here already, but went on in another way in the file." "First delete the one here."
    assert "è già qui, ma nel file è andata avanti in un altro modo" in page.errors[0]
    assert "prima elimina quella che è qui" in page.errors[0]
    assert len(leading.hands) == 2


def test_upload_of_match_of_other_phone_is_refused(
    leading: Player, guest: Client, match_file: bytes
) -> None:
    # The match is still on the pad. Whoever has only its file gets no access to it.
    page = upload_matches(guest, match_file, status=422)
    assert "questo telefono non la può vedere" in page.errors[0]  # "this phone may not see it"
    guest.get(leading.match, status=404)


@pytest.mark.parametrize(
    ("content", "error"),
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
def test_unusable_file_shows_error_beside_field(client: Client, content: bytes, error: str) -> None:
    page = upload_matches(client, content, status=422)
    error_beside_field = page.one("p", id="file-error").text
    assert error in error_beside_field
    assert page.errors == [error_beside_field]


def test_upload_has_its_own_size_limit(
    player_of_deleted_match: Player, match_file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Files of matches may be larger than other forms: as large as the server takes at all. A file
    # of that size would make the test slow, so the limit is lowered to 450 kB.
    assert files.LARGEST_UPLOAD == LARGEST_BODY
    monkeypatch.setattr(files, "LARGEST_UPLOAD", 450_000)
    # Blanks at the end of the file make it larger without another meaning.
    padded_to_460_kb = match_file.ljust(460_000)
    padded_to_400_kb = match_file.ljust(400_000)

    refused = upload_matches(
        player_of_deleted_match.client, padded_to_460_kb, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    )
    assert refused.heading == "È troppo"  # "That is too much"

    accepted = upload_matches(player_of_deleted_match.client, padded_to_400_kb)
    assert accepted.url == player_of_deleted_match.match


def test_match_file_contains_no_key_and_no_device(leading: Player, match_file: bytes) -> None:
    keys = leading.keys
    assert keys.write.encode() not in match_file
    assert keys.view.encode() not in match_file
    assert leading.device.encode() not in match_file


def test_match_file_for_viewer_has_no_draft(player: Player, visit: Visit) -> None:
    # The hand being played is half typed in.
    player.check({"a.cards": "150"})
    viewer = player.let_in(visit(), VIEW_COOKIE)
    writer = player.let_in(visit(), WRITE_COOKIE)

    file_of_viewer = json.loads(download_match(viewer, player.match))
    file_of_writer = json.loads(download_match(writer, player.match))

    assert file_of_viewer["matches"][0]["open_hand"] is None
    assert file_of_writer["matches"][0]["open_hand"]["draft"] == {"a.cards": "150"}


def test_stranger_can_download_no_match(player: Player, guest: Client) -> None:
    # This phone is in no match, so there is nothing for it to download: neither a link to the file
    # of all its matches nor a match in it.
    assert "Salva tutte le partite" not in guest.get("/file").text
    assert guest.raw.get("/file/partite.json").json["matches"] == []


def test_file_of_all_matches_can_be_uploaded(client: Client, visit: Visit, pad: Pad) -> None:
    # One phone has two matches, and another phone has one.
    first = match_of(start(client))
    second = match_of(start(client, "samba"))
    start(visit())

    # The phone downloads all its matches: "Save all matches in a file".
    link = client.get("/file").links()["Salva tutte le partite in un file"]
    file = client.raw.get(link)
    ids_in_file = [match["id"] for match in file.json["matches"]]
    assert ids_in_file == [first, second]  # in the order of their last changes

    # The matches are deleted and uploaded again.
    pad.actions.delete(first, ADMIN)
    pad.actions.delete(second, ADMIN)
    page = upload_matches(client, file.data)
    assert page.notices == ["2 partite caricate."]  # "2 matches loaded."
    assert len(client.get("/").all("a", class_="match")) == 2


def test_csv_of_match_follows_language(leading: Player, visit: Visit) -> None:
    # The link says "Download the rows for a spreadsheet".
    link = leading.page("file").links()["Scarica le righe per un foglio di calcolo (CSV)"]

    italian_csv = leading.client.raw.get(link)
    assert italian_csv.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert italian_csv.headers["Content-Disposition"].startswith("attachment; filename")
    # An Italian Excel expects a byte order mark, and semicolons between the columns.
    assert italian_csv.data.startswith("\ufeffPartita;Cominciata;".encode())
    assert "Canaste miste (1) 300" in italian_csv.text  # one mixed canasta for 300 points

    # A phone in English gets the same file with commas.
    english = leading.let_in(visit("en"), VIEW_COOKIE)
    english_csv = english.raw.get(link)
    assert english_csv.data.startswith(b"Match,Begun,")


def test_csv_of_all_matches_leaves_out_practice_match(client: Client, begin: Begin) -> None:
    client.submit("/", "Comincia una partita di prova")  # "Start a practice match"
    begin(name_0="Volpi").play(HAND_430_TO_60)

    _heads, *rows = client.raw.get("/file/righe.csv").text.splitlines()

    # One row for each side of the only hand of the other match.
    assert len(rows) == 2
    assert ";Volpi;" in rows[0]
    assert ";Loro;" in rows[1]
