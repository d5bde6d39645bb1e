"""What a match, a hand, an upload and an export may take: more is refused in a sentence, and
nothing is lost.
"""

from __future__ import annotations

import json
import sys
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad import limited
from scorepad.cli import main
from scorepad.matches import Pad, projection, transaction, upload
from scorepad.matches.access import ADMIN
from scorepad.matches.hands import ShownDraft
from scorepad.storage import connection, scratch
from tests.exported import export_file
from tests.web.client import Client
from tests.web.match_files import download_match, upload_matches
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, match_of
from tests.web.refusals import filled_form, reason_of_refusal, refused_hand

TYPED_HAND = 3
"""Which of the hands of `fields_of_hand` is typed into a form."""


@pytest.fixture
def full_match(leading: Player, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Play a match of two hands whose log has no space for a third. Returns its owner."""
    leading.play(HAND_430_TO_60)
    less_than_a_hand = 100  # bytes
    monkeypatch.setattr(transaction, "LARGEST_LOG", leading.state.size + less_than_a_hand)
    return leading


# ---------------------------------------------------------------- a full log


def test_hand_is_refused_when_log_is_full(full_match: Player) -> None:
    # "Nothing was saved." "The match is too long."
    form = filled_form(full_match, TYPED_HAND)
    page = refused_hand(full_match, form, "Non è stato salvato niente", status=422)
    assert page.heading == "La partita è troppo lunga"
    assert len(full_match.hands) == 2

    # The API refuses it too.
    assert error_code_of_api(full_match, hand_number=3) == "log-full"


def test_full_match_can_be_read_undone_and_ended(full_match: Player) -> None:
    # The page of the match, its log, its sheet and its files can be opened.
    for path in ("", "/registro", "/foglio.pdf", "/file/partita.json", "/file/righe.csv"):
        assert full_match.client.raw.get(f"{full_match.match}{path}").status_code == 200, path

    # "Undo hand 2"
    full_match.undo("Annulla la smazzata 2")
    assert len(full_match.hands) == 1

    full_match.end("broken-off")
    assert full_match.state.status.finished


def error_code_of_api(player: Player, *, hand_number: int) -> str:
    """Try to save a hand of this number by the API. Returns the code of the error."""
    # The API needs a key. New keys can be made even if there is no space for a hand.
    match = player.match_id
    keys = player.pad.devices.start_over(match, ADMIN)

    hand = {"number": hand_number, "sides": {"Noi": {"sum": 100}, "Loro": {"sum": 0}}}
    headers = {"Authorization": f"Bearer {keys.write}"}
    answer = player.client.raw.post(f"/api/v1/matches/{match}/hands", json=hand, headers=headers)
    assert answer.status_code >= HTTPStatus.BAD_REQUEST
    return str(answer.json["code"])


def test_undo_is_refused_when_spare_space_of_log_is_used_up(
    full_match: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A full log has spare space for small entries, such as those of an undo. Here it is lowered, so
    # that two of them fit.
    monkeypatch.setattr(transaction, "SPARE_LOG", 3 * projection.ENTRY_SIZE)
    full_match.undo("Annulla la smazzata 2")  # "Undo hand 2"
    full_match.undo("Rifai la smazzata 2")  # "Do hand 2 again"

    page = full_match.submit("", "Annulla la smazzata 2", status=422)

    assert page.heading == "La partita è troppo lunga"  # "The match is too long"


def test_too_long_draft_is_not_stored(player: Player) -> None:
    # The draft is what has been typed so far of the hand being played.
    draft_id = player.pad.open(player.match_id, player.device).id
    too_long = {"a.melds": "7" * (transaction.LARGEST_DRAFT + 1)}
    with pytest.raises(transaction.DraftTooLong):
        player.pad.store_draft(player.match_id, player.device, ShownDraft(draft_id, 0), too_long)
    assert player.draft == {}


# ---------------------------------------------------------------- a full disk


def test_nearly_full_disk_refuses_hands_but_not_deletion(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So many bytes are to stay free on the disk. No disk has so many.
    form = filled_form(leading, TYPED_HAND)
    monkeypatch.setattr(connection, "RESERVE", 2**60)

    # A hand is refused by its page ("less than 16 MB" are free) and by the API.
    refused_hand(leading, form, "meno di 16 MB", status=HTTPStatus.INSUFFICIENT_STORAGE)
    assert error_code_of_api(leading, hand_number=2) == "no-room-to-save"

    # To delete a match is possible, because it makes space.
    leading.pad.actions.delete(leading.match_id, ADMIN)


# ---------------------------------------------------------------- uploads


@pytest.fixture
def file_of_deleted_matches(begin: Begin, client: Client, pad: Pad) -> bytes:
    """Download the file of two matches, and delete them from the pad."""
    matches = [begin().match_id, begin().match_id]
    file = client.raw.get("/file/partite.json").data
    for match in matches:
        pad.actions.delete(match, ADMIN)
    return file


@pytest.fixture
def uploads_read_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read uploads in this process instead of a child, so that a test can lower their limits."""
    monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})


@pytest.mark.usefixtures("uploads_read_in_this_process")
def test_upload_of_too_many_matches_names_import_command(
    client: Client, file_of_deleted_matches: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The file has two matches, one more than is allowed. The error names the command that takes it.
    monkeypatch.setattr(upload, "MOST_MATCHES", 1)
    refused = upload_matches(client, file_of_deleted_matches, status=422)
    assert "più di 1 partite" in refused.errors[0]  # "more than 1 match"
    assert "scorepad import" in refused.errors[0]

    # With a limit of two the same file is accepted.
    monkeypatch.setattr(upload, "MOST_MATCHES", 2)
    accepted = upload_matches(client, file_of_deleted_matches)
    assert accepted.notices == ["2 partite caricate."]


@pytest.mark.usefixtures("uploads_read_in_this_process")
def test_match_too_long_for_upload_can_be_imported_by_command(
    client: Client,
    pad: Pad,
    file_of_deleted_matches: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The log of a match may have one byte, both where a file is uploaded and where a match is
    # changed. So every match is too long.
    monkeypatch.setattr(upload, "LARGEST_LOG", 1)
    monkeypatch.setattr(transaction, "LARGEST_LOG", 1)
    match = json.loads(file_of_deleted_matches)["matches"][0]["id"]

    # The upload is refused: "The match … in the file is too long."
    refused = upload_matches(client, file_of_deleted_matches, status=422)
    assert f"La partita {match} nel file è troppo lunga" in refused.errors[0]

    # Whoever runs the server imports the file by the command, which has no such limit.
    file = tmp_path / "x.json"
    file.write_bytes(file_of_deleted_matches)
    data_file = str(pad.context.storage.path)
    with pytest.raises(SystemExit) as ended:
        main(["import", str(file), "--data", data_file])
    assert ended.value.code == 0

    # The administrator makes new keys for the match. By the link with one of them it can be opened.
    new_keys = pad.devices.start_over(match, ADMIN)
    client.get(f"/e/{new_keys.view}")


def test_upload_that_takes_too_long_names_import_command(
    client: Client, file_of_deleted_matches: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)  # less than reading any file takes
    refused = upload_matches(client, file_of_deleted_matches, status=422)
    assert "più memoria o più tempo" in refused.errors[0]  # "more memory or more time"
    assert "scorepad import" in refused.errors[0]


# ---------------------------------------------------------------- exports


def test_export_is_refused_while_unfetched_exports_fill_scratch_space(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An export is written to a temporary file, which is deleted when it has been fetched. All of
    # them together may have twice the size of this export.
    size = len(download_match(leading.client, leading.match))
    monkeypatch.setattr(scratch, "MOST_BYTES", 2 * size)

    # Somebody asks for an export and does not fetch it. There is no space for another.
    unfetched_export = leading.pad.exports.write_scratch_file(leading.match_id, ADMIN)
    refused = leading.answer("file/partita.json")
    assert refused.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert int(refused.headers["Retry-After"]) > 0

    # The temporary file is deleted, and the next export is possible.
    unfetched_export.close()
    download_match(leading.client, leading.match)


def test_too_large_export_names_export_command(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "LARGEST", 1000)  # bytes
    refused = leading.client.get("/file/partite.json", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    assert "scorepad export" in reason_of_refusal(refused)


def test_rematch_deleted_during_export_is_not_named_in_file(
    leading: Player, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A match names its rematch, which is in the same file.
    finished_match = leading.end("time")
    rematch = match_of(leading.submit(finished_match, "Rivincita").url)
    assert json.loads(export_file(pad))["matches"][-1]["rematch"] == rematch

    # For another export the list of matches is made. Then the rematch is deleted.
    listed_matches = pad.exports.list_visible_matches(ADMIN)
    monkeypatch.setattr(pad.exports, "list_visible_matches", lambda _: listed_matches)
    pad.actions.delete(rematch, ADMIN)

    # The file does not name a match that it does not have.
    exported = json.loads(export_file(pad))["matches"]
    assert len(exported) == 1
    assert exported[0]["id"] == leading.match_id
    assert exported[0]["rematch"] is None
