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
"""The number of the hand that is typed into a form: see `fields_of_hand`."""


@pytest.fixture
def full_match(leading: Player, monkeypatch: pytest.MonkeyPatch) -> Player:
    """The owner of a match of two hands whose log has no space for a third."""
    leading.play(HAND_430_TO_60)
    less_than_a_hand = 100  # bytes
    monkeypatch.setattr(transaction, "LARGEST_LOG", leading.state.size + less_than_a_hand)
    return leading


# ---------------------------------------------------------------- a full log


def test_hand_is_refused_when_log_is_full(full_match: Player) -> None:
    nothing_saved = "Non è stato salvato niente"
    page = refused_hand(full_match, filled_form(full_match, TYPED_HAND), nothing_saved, status=422)
    assert page.heading == "La partita è troppo lunga"
    assert len(full_match.hands) == 2
    assert error_code_of_api(full_match, hand_number=3) == "log-full"


def test_full_match_can_be_read_undone_and_ended(full_match: Player) -> None:
    for path in ("", "/registro", "/foglio.pdf", "/file/partita.json", "/file/righe.csv"):
        assert full_match.client.raw.get(f"{full_match.match}{path}").status_code == 200, path

    full_match.undo("Annulla la smazzata 2")
    assert len(full_match.hands) == 1

    full_match.end("broken-off")
    assert full_match.state.status.finished


def error_code_of_api(player: Player, *, hand_number: int) -> str:
    """Save a hand of this number over JSON; the code of the error that is answered."""
    match = player.match_id
    keys = player.pad.devices.start_over(match, ADMIN)  # new keys are saved all the same
    hand = {"number": hand_number, "sides": {"Noi": {"sum": 100}, "Loro": {"sum": 0}}}
    headers = {"Authorization": f"Bearer {keys.write}"}
    answer = player.client.raw.post(f"/api/v1/matches/{match}/hands", json=hand, headers=headers)
    assert answer.status_code >= HTTPStatus.BAD_REQUEST
    return str(answer.json["code"])


def test_undo_is_refused_when_spare_space_of_log_is_used_up(
    full_match: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full log has spare space for entries such as these, here for less than three."""
    monkeypatch.setattr(transaction, "SPARE_LOG", 3 * projection.ENTRY_SIZE)
    full_match.undo("Annulla la smazzata 2")
    full_match.undo("Rifai la smazzata 2")

    page = full_match.submit("", "Annulla la smazzata 2", status=422)

    assert page.heading == "La partita è troppo lunga"


def test_too_long_draft_is_not_stored(player: Player) -> None:
    draft_id = player.pad.open(player.match_id, player.device).id
    too_long = {"a.melds": "7" * (transaction.LARGEST_DRAFT + 1)}
    with pytest.raises(transaction.DraftTooLong):
        player.pad.store_draft(player.match_id, player.device, ShownDraft(draft_id, 0), too_long)
    assert player.draft == {}


# ---------------------------------------------------------------- a full disk


def test_nearly_full_disk_refuses_hands_but_not_deletion(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = filled_form(leading, TYPED_HAND)
    more_bytes_than_any_disk = 2**60
    monkeypatch.setattr(connection, "RESERVE", more_bytes_than_any_disk)

    refused_hand(leading, form, "meno di 16 MB", status=HTTPStatus.INSUFFICIENT_STORAGE)
    assert error_code_of_api(leading, hand_number=2) == "no-room-to-save"

    leading.pad.actions.delete(leading.match_id, ADMIN)


# ---------------------------------------------------------------- uploads


@pytest.fixture
def file_of_deleted_matches(begin: Begin, client: Client, pad: Pad) -> bytes:
    """The file of two matches that are deleted from the pad."""
    matches = [begin().match_id, begin().match_id]
    file = client.raw.get("/file/partite.json").data
    for match in matches:
        pad.actions.delete(match, ADMIN)
    return file


@pytest.fixture
def uploads_read_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are read in this process, so that their limits can be lowered."""
    monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})


@pytest.mark.usefixtures("uploads_read_in_this_process")
def test_upload_of_too_many_matches_names_import_command(
    client: Client, file_of_deleted_matches: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "MOST_MATCHES", 1)
    refused = upload_matches(client, file_of_deleted_matches, status=422)
    assert "più di 1 partite" in refused.errors[0]
    assert "scorepad import" in refused.errors[0]

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
    # Every match is longer than this.
    monkeypatch.setattr(upload, "LARGEST_LOG", 1)
    monkeypatch.setattr(transaction, "LARGEST_LOG", 1)
    match = json.loads(file_of_deleted_matches)["matches"][0]["id"]

    refused = upload_matches(client, file_of_deleted_matches, status=422)
    assert f"La partita {match} nel file è troppo lunga" in refused.errors[0]

    file = tmp_path / "x.json"
    file.write_bytes(file_of_deleted_matches)
    with pytest.raises(SystemExit) as ended:
        main(["import", str(file), "--data", str(pad.context.storage.path)])
    assert ended.value.code == 0

    key = pad.devices.start_over(match, ADMIN).view
    client.get(f"/e/{key}")  # the page of the match


def test_upload_that_takes_too_long_names_import_command(
    client: Client, file_of_deleted_matches: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)  # less than reading any file takes
    refused = upload_matches(client, file_of_deleted_matches, status=422)
    assert "più memoria o più tempo" in refused.errors[0]
    assert "scorepad import" in refused.errors[0]


# ---------------------------------------------------------------- exports


def test_export_is_refused_while_unfetched_exports_fill_scratch_space(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(download_match(leading.client, leading.match))
    monkeypatch.setattr(scratch, "MOST_BYTES", 2 * size)
    unfetched_export = leading.pad.exports.write_scratch_file(leading.match_id, ADMIN)

    refused = leading.answer("file/partita.json")
    assert refused.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert int(refused.headers["Retry-After"]) > 0

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
    finished_match = leading.end("time")
    rematch = match_of(leading.submit(finished_match, "Rivincita").url)
    assert json.loads(export_file(pad))["matches"][-1]["rematch"] == rematch

    # The list of matches to export is made, and then the rematch is deleted.
    listed_matches = pad.exports.list_visible_matches(ADMIN)
    monkeypatch.setattr(pad.exports, "list_visible_matches", lambda _: listed_matches)
    pad.actions.delete(rematch, ADMIN)

    exported = json.loads(export_file(pad))["matches"]
    assert len(exported) == 1
    assert exported[0]["id"] == leading.match_id
    assert exported[0]["rematch"] is None
