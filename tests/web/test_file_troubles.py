"""The disk is full, the file locked, replaced, cut short or garbled while the pad runs: a sentence,
and nothing half.

What was typed stays on the page and goes from there once the cause is gone.
"""

from __future__ import annotations

import logging
import os
import random
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import STORAGE, Config, create_app
from scorepad.matches.hands import ShownDraft
from scorepad.storage import Storage, connection
from scorepad.storage.backup import back_up
from scorepad.storage.connection import Busy
from scorepad.storage.rows import SummaryRecord, WriteTransaction
from tests.matches.test_frozen_rules import frozen_by_a_later_scorepad
from tests.web.client import Client
from tests.web.conftest import setup_of
from tests.web.phones_at_once import at_once, points_of_hand
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, start
from tests.web.refusals import (
    filled_form,
    reason_of_refusal,
    refused_hand,
    send_again,
    send_hand,
    typed_texts,
)

PAGE = 4096
NOW = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)


def replace(data: Path, content: bytes) -> None:
    """Put another file in the place of the data file."""
    other = data.with_name("other.db")
    other.write_bytes(content)
    other.replace(data)


@pytest.fixture
def data(app: Flask) -> Path:
    """The data file of the pad."""
    path: Path = app.extensions[STORAGE].path
    return path


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody holds the file here for longer than a moment."""
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 1)


# ---------------------------------------------------------------- a disk of its own


@pytest.fixture
def disk() -> Iterator[Path]:
    """A disk of two megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", folder]
        if subprocess.run(mounted, capture_output=True, check=False).returncode:
            pytest.skip("no disk of its own can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def fill(disk: Path, free_pages: int) -> Path:
    """Take all the room on a disk but for so many pages; the file that takes it."""
    room = os.statvfs(disk)
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(room.f_bavail * room.f_frsize - free_pages * PAGE))
    return ballast


def test_a_full_disk_is_told_wherever_the_save_meets_it_and_the_hand_goes_in_once_there_is_room(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pad itself refuses to save while there is little room; here the disk must run full.
    monkeypatch.setattr(connection, "FLOOR", 0)
    monkeypatch.setattr(connection, "RESERVE", 0)
    data = disk / "x.db"
    app = create_app(Config(data, b"k" * 32, testing=True))
    client = Client(app)
    player = Player(client, setup_of(app).pad, start(client))
    saved_points: list[list[int]] = []
    refusals = 0

    for free_pages in (0, 1, 2, 4, 6, 8, 12, 20):
        form = filled_form(player, free_pages)
        ballast = fill(disk, free_pages)
        data_before = data.read_bytes()

        answer = client.raw.post(f"{player.match}/smazzata", data=form)
        if answer.status_code == 503:
            refusals += 1
            assert data.read_bytes() == data_before
            assert player.points == saved_points
            page = refused_hand(player, form, "il disco è pieno. Non è stato salvato niente.")
            ballast.unlink()
            send_again(player, page)

        saved_points.append(points_of_hand(free_pages))
        assert player.points == saved_points
        ballast.unlink(missing_ok=True)

    assert 4 <= refusals < 8
    app.extensions[STORAGE].close()


# ---------------------------------------------------------------- locked


def test_a_file_held_by_another_program_is_told_and_goes_on_when_it_lets_go(
    leading: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)
    form = filled_form(leading, 3)
    leading.client.app.extensions[STORAGE].close()

    with closing(sqlite3.connect(data, isolation_level=None)) as other_program:
        other_program.execute("begin exclusive")
        reason = "Il file delle partite è occupato. Non è stato salvato niente"
        refusal = refused_hand(leading, form, reason)
        home = leading.client.get("/", status=503)
        other_program.execute("rollback")

    assert home.heading == "Qualcun altro sta scrivendo"
    assert str(data) not in home.answer.text
    send_again(leading, refusal)
    assert leading.points == [[430, 60], points_of_hand(3)]


def test_one_writer_waits_for_a_stopped_process_and_all_others_are_told_at_once(
    app: Flask, player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 3)
    shown = ShownDraft(filled_form(player, 3)["hand"], 0)

    def seconds_until_busy(_: int) -> float:
        """The seconds after which a writer is told that the file is busy."""
        begun = time.monotonic()
        assert Client(app).raw.get("/static/scorepad.css").status_code == 200
        with pytest.raises(Busy):
            player.pad.store_draft(player.match_id, player.device, shown, {"a.cards": "100"})
        return time.monotonic() - begun

    with closing(sqlite3.connect(data, isolation_level=None)) as stopped_process:
        stopped_process.execute("begin immediate")
        waits = sorted(at_once(seconds_until_busy))
        stopped_process.execute("rollback")

    assert waits[-1] > 2.5
    assert waits[-2] < 2


# ---------------------------------------------------------------- replaced


def test_a_file_replaced_while_the_pad_runs_is_taken_up_by_the_next_request(
    leading: Player, data: Path, tmp_path: Path
) -> None:
    backup = back_up(data, tmp_path / "copy.db", NOW).path
    second_hand = leading.play(HAND_430_TO_60)
    assert "860" in second_hand.text
    tag_before = leading.answer("stato").headers["ETag"]

    backup.rename(data)

    assert "860" not in leading.page().text, "nothing that was kept of the other file is shown"
    leading.play(HAND_430_TO_60)
    assert leading.points == [[430, 60], [430, 60]]
    tag_after = leading.answer("stato").headers["ETag"]
    assert tag_after != tag_before, "an open page looks again"


def test_a_file_moved_away_is_told_and_taken_up_when_it_is_back(
    leading: Player, data: Path, tmp_path: Path
) -> None:
    form = filled_form(leading, 3)
    moved = data.rename(tmp_path / "moved.db")

    refusal = refused_hand(leading, form, "non c'è. Non è stato salvato niente")
    assert refusal.heading == "Il file delle partite non si può usare"
    assert not data.exists()

    moved.rename(data)
    send_again(leading, refusal)
    assert leading.points == [[430, 60], points_of_hand(3)]


def test_a_file_replaced_while_a_hand_is_saved_takes_no_hand(
    player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = filled_form(player, 3)
    other_file = data.read_bytes()
    original_put = WriteTransaction.put

    def put_and_replace(rows: WriteTransaction, record: SummaryRecord) -> None:
        original_put(rows, record)
        replace(data, other_file)

    with monkeypatch.context() as patch:
        patch.setattr(WriteTransaction, "put", put_and_replace)
        refusal = send_hand(player, form, status=503)
    assert data.read_bytes() == other_file

    send_again(player, refusal)
    assert player.points == [points_of_hand(3)]


# ---------------------------------------------------------------- little room


def test_with_little_room_no_match_is_begun_and_a_hand_is_saved(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = player.client.get("/partite/nuova")
    monkeypatch.setattr(connection, "FLOOR", 2**60)

    refusal = player.submit(new, "Comincia", status=507, name_0="Zia Pina")
    assert "meno di 64 MB" in reason_of_refusal(refusal)
    assert "Zia Pina" in typed_texts(refusal)

    new_match = {"variant": "classica", "names": ["Noi", "Loro"]}
    answer = player.client.raw.post("/api/v1/matches", json=new_match)
    assert answer.status_code == 507
    assert answer.json["code"] == "no-room"

    send_hand(player, filled_form(player, 3))
    assert player.points == [points_of_hand(3)]


# ---------------------------------------------------------------- cut short, garbled


def test_once_the_health_check_found_noise_in_the_file_no_hand_is_saved(
    leading: Player, data: Path
) -> None:
    """Another file in its place is checked by the next request (see below)."""
    leading.client.app.testing = False
    leading.play(*[HAND_430_TO_60] * 5)
    form = filled_form(leading, 3)
    noisy = bytearray(data.read_bytes())
    for start_of_page in range(PAGE, len(noisy), 3 * PAGE):
        noise = random.Random(start_of_page).randbytes(PAGE)  # noqa: S311
        noisy[start_of_page : start_of_page + PAGE] = noise
    data.write_bytes(noisy)

    health = leading.client.raw.get("/salute")

    assert health.text == "garbled\n"
    refused_hand(leading, form, "scorepad doctor")
    assert data.read_bytes() == noisy


def garbled(whole: bytes, way: int) -> bytes:
    """A file cut short, with another page in the place of one, or with a few bits turned."""
    chance = random.Random(way)  # noqa: S311 - the same each time
    pages = len(whole) // PAGE
    start_of_page = PAGE * chance.randrange(pages)
    start_of_other = PAGE * chance.randrange(pages)

    if way % 3 == 0:
        return whole[: chance.choice([0, start_of_page, start_of_page + 47])]

    if way % 3 == 1:
        other_page = whole[start_of_other : start_of_other + PAGE]
        page = chance.choice([bytes(PAGE), chance.randbytes(PAGE), other_page])
        return whole[:start_of_page] + page + whole[start_of_page + PAGE :]

    turned = bytearray(whole)
    for _ in range(chance.choice([1, 10, 300])):
        turned[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    return bytes(turned)


def forget(app: Flask) -> None:
    """Close the file, and drop all that the pad remembers of it."""
    app.extensions[STORAGE].close()
    setup_of(app).pad.context.matches.clear()
    setup_of(app).pad.context.rules.clear()


@pytest.mark.parametrize("ways", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_a_garbled_file_put_in_its_place_while_the_pad_runs_is_told(
    begin: Begin, data: Path, ways: int
) -> None:
    for _ in range(4):
        begin().play(HAND_430_TO_60)
    player = begin()
    player.play(*[HAND_430_TO_60] * 3)
    app, client = player.client.app, player.client.raw
    app.testing = False
    form = filled_form(player, 3)
    whole = data.read_bytes()
    statuses_of_page: Counter[int] = Counter()
    statuses_of_save: Counter[int] = Counter()

    for way in range(ways):
        garbled_file = garbled(whole, way)
        replace(data, garbled_file)
        forget(app)
        match_status = client.get(player.match).status_code
        home_status = client.get("/").status_code
        save_status = client.post(f"{player.match}/smazzata", data=form).status_code
        forget(app)

        assert match_status in (200, 404, 503), way
        assert home_status in (200, 503), way
        assert save_status in (303, 404, 503), way
        if save_status != 303:
            assert data.read_bytes() == garbled_file, way
        statuses_of_page[match_status] += 1
        statuses_of_save[save_status] += 1

        data.with_name(data.name + "-journal").unlink(missing_ok=True)
        replace(data, whole)
        assert "1.290" in client.get(player.match).text, way  # 3 × 430

    assert statuses_of_page[503] > ways // 3
    assert statuses_of_save[503] > ways // 3
    send_hand(player, form)
    assert player.points[3] == points_of_hand(3)


def test_a_match_by_rules_of_a_later_scorepad_is_told_and_keeps_no_other_from_being_shown(
    app: Flask, leading: Player
) -> None:
    frozen_by_a_later_scorepad(app.extensions[STORAGE])
    forget(app)

    page = leading.page("", status=503)
    home = leading.client.get("/")
    rows = leading.client.raw.get("/file/righe.csv").text

    assert reason_of_refusal(page).startswith(
        "Il motivo: la partita è di uno scorepad più recente."
    )
    assert "430" in home.text, "the list tells it all the same"
    assert rows.count("\r\n") == 1, "only the heads"


def test_the_log_of_a_garbled_entry_names_no_match_and_no_device(
    app: Flask, leading: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    storage: Storage = app.extensions[STORAGE]
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute("update entries set payload = '{}'")
    forget(app)

    leading.page("", status=503)

    assert "a garbled entry" in caplog.text
    assert leading.match_id not in caplog.text
    assert leading.device not in caplog.text
