"""What a match, a hand, an upload and an export may take: more is refused in a sentence, and
nothing is lost.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorepad import limited
from scorepad.cli import main
from scorepad.matches import Pad, file_format, projection, transaction, upload
from scorepad.matches.access import ADMIN, RequestId
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.hands import ShownDraft
from scorepad.storage import connection, scratch
from tests.exported import export_file
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start
from tests.web.test_file_troubles import kept, sent, told
from tests.web.test_files import saved, send


@pytest.fixture
def full(client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch) -> str:
    """A match of two hands whose log has no room for a third."""
    url = start(client)
    play(pad, client, url, ALL_GOOD, ALL_GOOD)
    size = pad.state(match_of(url), device(client)).size
    monkeypatch.setattr(transaction, "LARGEST_LOG", size + 100)
    return url


def hands(pad: Pad, url: str) -> int:
    return len(pad.state(match_of(url), ADMIN).hands)


# ---------------------------------------------------------------- a full log


def test_a_hand_that_a_full_match_cannot_take_is_refused_and_what_was_typed_is_shown(
    client: Client, pad: Pad, full: str
) -> None:
    form = sent(client, full, 3)
    page = client.post(f"{full}/smazzata", form, 422)
    assert page.one("h1").text == "La partita è troppo lunga"
    assert "Non è stato salvato niente" in told(page)
    assert form["a.cards"] in kept(page)
    assert hands(pad, full) == 2


def test_a_full_match_is_shown_printed_saved_taken_back_and_ended(
    client: Client, pad: Pad, full: str
) -> None:
    for path in ("", "/registro", "/foglio.pdf", "/file/partita.json", "/file/righe.csv"):
        assert client.raw.get(f"{full}{path}").status_code == 200, path
    client.submit(client.get(full), "Annulla la smazzata 2")
    assert hands(pad, full) == 1
    match, who = match_of(full), device(client)
    pad.actions.end(RequestId("end"), match, who, 1, Ending(EndHow.BROKEN_OFF))
    assert pad.state(match, who).status.finished


def test_a_full_match_refuses_hands_over_the_api_and_takes_an_undo(
    client: Client, pad: Pad, full: str
) -> None:
    keys = pad.devices.start_over(match_of(full), ADMIN)
    headers = {"Authorization": f"Bearer {keys.write}", "Accept-Language": "en"}
    path = f"/api/v1/matches/{match_of(full)}"
    sides = {"Noi": {"sum": 100}, "Loro": {"sum": 0}}
    answer = client.raw.post(f"{path}/hands", json={"number": 3, "sides": sides}, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (409, "log-full")
    assert "can still be read" in answer.json["error"]
    sequence = client.raw.get(path, headers=headers).json["sequence"]
    assert (
        client.raw.post(f"{path}/undo", json={"sequence": sequence}, headers=headers).status_code
        == 200
    )
    assert hands(pad, full) == 1


def test_undoing_and_redoing_without_end_is_refused_as_well(
    client: Client, pad: Pad, full: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction, "SPARE_LOG", 3 * projection.ENTRY_SIZE)
    match, who = match_of(full), device(client)

    def turn(act: Callable[..., object]) -> None:
        act(RequestId(secrets.token_hex(8)), match, who, pad.state(match, who).sequence)

    turn(pad.undo)
    turn(pad.redo)
    with pytest.raises(transaction.LogFull):
        turn(pad.undo)


def test_more_than_a_hand_can_have_is_not_stored_as_a_draft(client: Client, pad: Pad) -> None:
    url = start(client)
    match, who = match_of(url), device(client)
    coming = pad.open(match, who)
    pad.store_draft(match, who, ShownDraft(coming.id, 0), {"line-a": "7xQ"})
    with pytest.raises(transaction.DraftTooLong):
        pad.store_draft(
            match, who, ShownDraft(coming.id, 1), {"line-a": "7" * (transaction.LARGEST_DRAFT + 1)}
        )
    assert pad.open(match, who).draft == {"line-a": "7xQ"}


# ---------------------------------------------------------------- a full disk


def test_below_the_lower_floor_nothing_is_saved_and_a_match_can_be_deleted(
    client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    form = sent(client, url, 3)
    monkeypatch.setattr(connection, "RESERVE", 2**60)
    page = client.post(f"{url}/smazzata", form, 507)
    assert "meno di 16 MB" in told(page)
    assert form["a.cards"] in kept(page)
    keys = pad.devices.start_over(match_of(url), ADMIN)  # keys can be withdrawn all the same
    headers = {"Authorization": f"Bearer {keys.write}"}
    sides = {"Noi": {"sum": 100}, "Loro": {"sum": 0}}
    path = f"/api/v1/matches/{match_of(url)}/hands"
    answer = client.raw.post(path, json={"number": 2, "sides": sides}, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (507, "no-room-to-save")
    assert hands(pad, url) == 1
    pad.actions.delete(match_of(url), ADMIN)


# ---------------------------------------------------------------- uploads


@pytest.fixture
def gone(client: Client, pad: Pad) -> bytes:
    """The file of two matches that are here no more."""
    urls = [start(client), start(client)]
    for url in urls:
        play(pad, client, url, ALL_GOOD)
    file = client.raw.get("/file/partite.json").data
    for url in urls:
        pad.actions.delete(match_of(url), ADMIN)
    return file


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Uploads are read in this process, so that their limits can be lowered."""
    import contextlib
    import sys
    from tempfile import TemporaryFile

    @contextlib.contextmanager
    def run_here(_: str, *arguments: str, source: object) -> Iterator[object]:
        with TemporaryFile() as target, monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["upload", *arguments])
            upload._verify_upload(source, target)
            target.seek(0)
            yield target

    monkeypatch.setattr(upload, "run_module_with_limits", run_here)
    return


@pytest.mark.usefixtures("in_this_process")
def test_too_many_matches_are_for_the_command_line(
    client: Client, gone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "MOST_MATCHES", 1)
    page = send(client, gone, 422)
    assert "più di 1 partite" in page.errors[0]
    assert "scorepad import" in page.errors[0]
    monkeypatch.setattr(upload, "MOST_MATCHES", 2)
    assert send(client, gone).notices == ["2 partite caricate."]


@pytest.mark.usefixtures("in_this_process")
def test_a_match_too_long_for_a_page_is_imported_on_the_command_line_and_can_be_read(
    client: Client,
    visit: Callable[..., Client],
    gone: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upload, "LARGEST_LOG", 1)
    monkeypatch.setattr(transaction, "LARGEST_LOG", 1)
    page = send(client, gone, 422)
    match = json.loads(gone)["matches"][0]["id"]
    assert f"La partita {match} nel file è troppo lunga" in page.errors[0]
    (tmp_path / "x.json").write_bytes(gone)
    data = str(client.app.extensions["scorepad.storage"].path)
    with pytest.raises(SystemExit) as ended:
        main(["import", str(tmp_path / "x.json"), "--data", data])
    assert ended.value.code == 0
    home = visit()
    key = client.app.extensions["scorepad.matches"].devices.start_over(match, ADMIN).view
    assert home.get(f"/e/{key}").one("h1")


def test_a_file_that_takes_too_long_is_refused_in_a_sentence(
    client: Client, gone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.01)
    page = send(client, gone, 422)
    assert "più memoria o più tempo" in page.errors[0]
    assert "scorepad import" in page.errors[0]


def test_a_refused_file_stores_none_of_its_matches(client: Client, pad: Pad, gone: bytes) -> None:
    carried = json.loads(gone)
    carried["matches"][1]["entries"][1]["payload"]["number"] = 7
    send(client, file_format.encode(carried["rulesets"], carried["matches"]), 422)
    assert pad.exports.list_visible_matches(ADMIN) == ()


# ---------------------------------------------------------------- exports


def test_exports_that_nobody_fetches_leave_no_place_for_more_until_they_are_closed(
    app: Flask, client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    size = len(saved(client, url))
    monkeypatch.setattr(scratch, "MOST_BYTES", 2 * size)
    waiting = pad.exports.write_scratch_file(match_of(url), ADMIN)
    answer = client.raw.get(f"{url}/file/partita.json")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    waiting.close()
    assert client.raw.get(f"{url}/file/partita.json").status_code == 200


def test_an_export_beyond_the_limit_names_the_command(
    client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    monkeypatch.setattr(scratch, "LARGEST", 1000)
    page: Page = client.get("/file/partite.json", 413)
    assert "scorepad export" in told(page)


def test_a_rematch_that_is_deleted_while_all_are_exported_is_named_nowhere(
    client: Client, pad: Pad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    other = start(client)
    with pad.context.storage.writing() as rows:
        rows.put_rematch(match_of(url), match_of(other))
    assert json.loads(export_file(pad))["matches"][0]["rematch"] == match_of(other)

    names = pad.exports.list_visible_matches(ADMIN)
    pad.actions.delete(match_of(other), ADMIN)
    monkeypatch.setattr(pad.exports, "list_visible_matches", lambda _: names)
    (match,) = json.loads(export_file(pad))["matches"]
    assert (match["id"], match["rematch"]) == (match_of(url), None)


def test_an_export_has_its_length_and_is_whole(client: Client) -> None:
    url = start(client)
    answer = client.raw.get(f"{url}/file/partita.json")
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    assert re.search(rb'"seal":"[0-9a-f]{64}"\}\n\]\}\n$', answer.data)
