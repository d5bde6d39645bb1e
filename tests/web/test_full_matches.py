"""What a match, a hand, an upload and an export may take: more is refused in a sentence, and
nothing is lost.
"""

from __future__ import annotations

import json
import sys
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


@pytest.fixture
def full(leading: Player, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Whoever holds a match of two hands whose log has no room for a third."""
    leading.play(HAND_430_TO_60)
    monkeypatch.setattr(transaction, "LARGEST_LOG", leading.state.size + 100)
    return leading


# ---------------------------------------------------------------- a full log


def test_a_hand_that_a_full_match_cannot_take_is_refused_and_what_was_typed_is_shown(
    full: Player,
) -> None:
    page = refused_hand(full, filled_form(full, 3), "Non è stato salvato niente", status=422)
    assert page.heading == "La partita è troppo lunga"
    assert len(full.hands) == 2
    assert code_of_refusal(full, hand_number=3) == "log-full"


def test_a_full_match_is_shown_printed_saved_taken_back_and_ended(full: Player) -> None:
    for path in ("", "/registro", "/foglio.pdf", "/file/partita.json", "/file/righe.csv"):
        assert full.client.raw.get(f"{full.match}{path}").status_code == 200, path

    full.undo("Annulla la smazzata 2")
    assert len(full.hands) == 1
    full.end("broken-off")
    assert full.state.status.finished


def code_of_refusal(player: Player, *, hand_number: int) -> str:
    """The code that a program is told whose hand of this number is refused."""
    match = player.match_id
    keys = player.pad.devices.start_over(match, ADMIN)  # keys can be withdrawn all the same
    asked = {"number": hand_number, "sides": {"Noi": {"sum": 100}, "Loro": {"sum": 0}}}
    headers = {"Authorization": f"Bearer {keys.write}"}
    answer = player.client.raw.post(f"/api/v1/matches/{match}/hands", json=asked, headers=headers)
    assert answer.status_code >= 400
    return str(answer.json["code"])


def test_undoing_and_redoing_without_end_is_refused_as_well(
    full: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction, "SPARE_LOG", 3 * projection.ENTRY_SIZE)
    full.undo("Annulla la smazzata 2")
    full.undo("Rifai la smazzata 2")

    page = full.submit("", "Annulla la smazzata 2", status=422)

    assert page.heading == "La partita è troppo lunga"


def test_more_than_a_hand_can_have_is_not_stored_as_a_draft(player: Player) -> None:
    shown = ShownDraft(player.pad.open(player.match_id, player.device).id, 0)
    too_long = {"a.melds": "7" * (transaction.LARGEST_DRAFT + 1)}
    with pytest.raises(transaction.DraftTooLong):
        player.pad.store_draft(player.match_id, player.device, shown, too_long)
    assert player.draft == {}


# ---------------------------------------------------------------- a full disk


def test_below_the_lower_floor_nothing_is_saved_and_a_match_can_be_deleted(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = filled_form(leading, 3)
    monkeypatch.setattr(connection, "RESERVE", 2**60)  # octets that have to be free on the disk

    refused_hand(leading, form, "meno di 16 MB", status=507)
    assert code_of_refusal(leading, hand_number=2) == "no-room-to-save"

    leading.pad.actions.delete(leading.match_id, ADMIN)


# ---------------------------------------------------------------- uploads


@pytest.fixture
def deleted_matches(begin: Begin, client: Client, pad: Pad) -> bytes:
    """The file of two matches that are here no more."""
    matches = [begin().match_id, begin().match_id]
    file = client.raw.get("/file/partite.json").data
    for match in matches:
        pad.actions.delete(match, ADMIN)
    return file


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are read in this process, so that their limits can be lowered."""
    monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})


@pytest.mark.usefixtures("in_this_process")
def test_too_many_matches_are_for_the_command_line(
    client: Client, deleted_matches: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "MOST_MATCHES", 1)
    (error,) = upload_matches(client, deleted_matches, status=422).errors
    assert "più di 1 partite" in error
    assert "scorepad import" in error

    monkeypatch.setattr(upload, "MOST_MATCHES", 2)
    assert upload_matches(client, deleted_matches).notices == ["2 partite caricate."]


@pytest.mark.usefixtures("in_this_process")
def test_a_match_too_long_for_a_page_is_imported_on_the_command_line_and_can_be_read(
    client: Client,
    pad: Pad,
    deleted_matches: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upload, "LARGEST_LOG", 1)
    monkeypatch.setattr(transaction, "LARGEST_LOG", 1)
    match = json.loads(deleted_matches)["matches"][0]["id"]

    (error,) = upload_matches(client, deleted_matches, status=422).errors
    assert f"La partita {match} nel file è troppo lunga" in error

    file = tmp_path / "x.json"
    file.write_bytes(deleted_matches)
    with pytest.raises(SystemExit) as ended:
        main(["import", str(file), "--data", str(pad.context.storage.path)])
    assert ended.value.code == 0
    key = pad.devices.start_over(match, ADMIN).view
    client.get(f"/e/{key}", status=200)


def test_a_file_that_takes_too_long_is_refused_in_a_sentence(
    client: Client, deleted_matches: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)
    (error,) = upload_matches(client, deleted_matches, status=422).errors
    assert "più memoria o più tempo" in error
    assert "scorepad import" in error


# ---------------------------------------------------------------- exports


def test_exports_that_nobody_fetches_leave_no_place_for_more_until_they_are_closed(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(download_match(leading.client, leading.match))
    monkeypatch.setattr(scratch, "MOST_BYTES", 2 * size)
    export_not_fetched = leading.pad.exports.write_scratch_file(leading.match_id, ADMIN)

    refused = leading.answer("file/partita.json")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0

    export_not_fetched.close()
    download_match(leading.client, leading.match)


def test_an_export_beyond_the_limit_names_the_command(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "LARGEST", 1000)
    refused = leading.client.get("/file/partite.json", status=413)
    assert "scorepad export" in reason_of_refusal(refused)


def test_a_rematch_that_is_deleted_while_all_are_exported_is_named_nowhere(
    leading: Player, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    rematch = match_of(leading.client.submit(leading.end("time"), "Rivincita").url)
    names_before = pad.exports.list_visible_matches(ADMIN)
    assert json.loads(export_file(pad))["matches"][-1]["rematch"] == rematch

    pad.actions.delete(rematch, ADMIN)
    # The export still goes by the list of before the rematch was deleted.
    monkeypatch.setattr(pad.exports, "list_visible_matches", lambda _: names_before)

    (match,) = json.loads(export_file(pad))["matches"]
    assert match["id"] == leading.match_id
    assert match["rematch"] is None
