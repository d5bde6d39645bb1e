"""The disk is full, the file locked, replaced, truncated or damaged while the pad runs: a sentence,
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
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import STORAGE, Config, create_app
from scorepad.matches.hands import ShownDraft
from scorepad.storage import Storage, connection
from scorepad.storage.backup import back_up
from scorepad.storage.connection import Busy
from scorepad.storage.rows import SummaryRecord, WriteTransaction
from tests.matches.test_frozen_rules import store_rules_as_version_2
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

PAGE_SIZE = 4096
TYPED_HAND = 3
"""The number of the hand that is typed into a form: see `fields_of_hand`."""
TIME_OF_BACKUP = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)
MORE_THAN_ANY_DISK = 2**60
"""Bytes that no disk has free."""


def swap_file(data: Path, content: bytes) -> None:
    """Put another file with this content in the place of the data file."""
    new_file = data.with_name("other.db")
    new_file.write_bytes(content)
    new_file.rename(data)


@pytest.fixture
def data(app: Flask) -> Path:
    """The data file of the pad."""
    path: Path = app.extensions[STORAGE].path
    return path


@pytest.fixture(autouse=True)
def _short_lock_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody holds the file here for longer than a moment: waiting a second is enough."""
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 1)


# ---------------------------------------------------------------- a disk of its own


@pytest.fixture
def disk() -> Iterator[Path]:
    """A disk of two megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", folder]
        exit_code = subprocess.run(mount, capture_output=True, check=False).returncode
        if exit_code != 0:
            pytest.skip("no disk of its own can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def fill_disk(disk: Path, free_pages: int) -> Path:
    """Fill a disk but for this number of pages of SQLite; the file that fills it."""
    usage = os.statvfs(disk)
    free_bytes = usage.f_bavail * usage.f_frsize
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(free_bytes - free_pages * PAGE_SIZE))
    return ballast


def test_hand_refused_on_full_disk_is_saved_once_there_is_space(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more and more free pages the save runs out of space at a later step, or succeeds."""
    # The app itself refuses to save while there is little space; here the disk must run full.
    monkeypatch.setattr(connection, "FLOOR", 0)
    monkeypatch.setattr(connection, "RESERVE", 0)
    data = disk / "x.db"
    app = create_app(Config(data, b"k" * 32, testing=True))
    client = Client(app)
    player = Player(client, setup_of(app).pad, start(client))
    saved_points: list[list[int]] = []
    refusals = 0

    for free_pages in (0, 1, 2, 4, 6, 8, 12, 20):
        form = filled_form(player, free_pages)  # another hand each time
        ballast = fill_disk(disk, free_pages)
        data_before = data.read_bytes()

        answer = client.raw.post(f"{player.match}/smazzata", data=form)
        if answer.status_code == HTTPStatus.INSUFFICIENT_STORAGE:
            refusals += 1
            assert data.read_bytes() == data_before
            assert player.points == saved_points
            page = refused_hand(player, form, "sul disco del segnapunti non c'è più posto", 507)
            ballast.unlink()
            send_again(player, page)

        saved_points.append(points_of_hand(free_pages))
        assert player.points == saved_points
        ballast.unlink(missing_ok=True)

    assert 4 <= refusals < 8  # both ways are met
    app.extensions[STORAGE].close()


# ---------------------------------------------------------------- locked


def test_hand_refused_while_file_is_locked_is_saved_after_unlock(
    leading: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)
    form = filled_form(leading, TYPED_HAND)
    leading.client.app.extensions[STORAGE].close()

    with closing(sqlite3.connect(data, isolation_level=None)) as other_program:
        other_program.execute("begin exclusive")
        file_is_busy = "Il file delle partite è occupato. Non è stato salvato niente"
        refusal = refused_hand(leading, form, file_is_busy)
        home = leading.client.get("/", status=HTTPStatus.SERVICE_UNAVAILABLE)
        other_program.execute("rollback")

    assert home.heading == "Qualcun altro sta scrivendo"
    assert str(data) not in home.answer.text
    send_again(leading, refusal)
    assert leading.points == [[430, 60], points_of_hand(TYPED_HAND)]


def test_only_one_writer_waits_for_locked_file(
    app: Flask, player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are refused at once, so that not all threads of the server are waiting."""
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 3)
    draft_id = filled_form(player, TYPED_HAND)["hand"]
    shown = ShownDraft(draft_id, 0)

    def seconds_until_busy(_: int) -> float:
        """The seconds after which a writer is told that the file is busy."""
        begun = time.monotonic()
        assert Client(app).raw.get("/static/scorepad.css").status_code == 200
        with pytest.raises(Busy):
            player.pad.store_draft(player.match_id, player.device, shown, {"a.cards": "100"})
        return time.monotonic() - begun

    with closing(sqlite3.connect(data, isolation_level=None)) as other_process:
        other_process.execute("begin immediate")
        *other_waits, longest_wait = sorted(at_once(seconds_until_busy))
        other_process.execute("rollback")

    assert longest_wait > 2.5
    assert max(other_waits) < 2


# ---------------------------------------------------------------- replaced


def test_replaced_file_is_used_by_next_request(leading: Player, data: Path, tmp_path: Path) -> None:
    """A backup with one hand takes the place of the file, which has two."""
    backup = back_up(data, tmp_path / "copy.db", TIME_OF_BACKUP).path
    page = leading.play(HAND_430_TO_60)
    assert "860" in page.text  # 2 × 430
    etag_before = leading.answer("stato").headers["ETag"]

    backup.rename(data)

    assert "860" not in leading.page().text  # nothing cached of the old file is shown
    leading.play(HAND_430_TO_60)
    assert leading.points == [[430, 60], [430, 60]]
    etag_after = leading.answer("stato").headers["ETag"]
    assert etag_after != etag_before  # open pages are updated


def test_hand_refused_while_file_is_missing_is_saved_when_it_is_back(
    leading: Player, data: Path, tmp_path: Path
) -> None:
    form = filled_form(leading, TYPED_HAND)
    moved = data.rename(tmp_path / "moved.db")

    file_is_missing = "non c'è. Non è stato salvato niente"
    refusal = refused_hand(leading, form, file_is_missing)
    assert refusal.heading == "Il file delle partite non si può usare"
    assert not data.exists()  # no new file is made

    moved.rename(data)
    send_again(leading, refusal)
    assert leading.points == [[430, 60], points_of_hand(TYPED_HAND)]


def test_hand_is_not_saved_if_file_is_replaced_meanwhile(
    player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = filled_form(player, TYPED_HAND)
    copy_of_file = data.read_bytes()
    original_put = WriteTransaction.put

    def put_and_replace_file(rows: WriteTransaction, record: SummaryRecord) -> None:
        original_put(rows, record)
        swap_file(data, copy_of_file)

    with monkeypatch.context() as patch:
        patch.setattr(WriteTransaction, "put", put_and_replace_file)
        refusal = send_hand(player, form, status=HTTPStatus.SERVICE_UNAVAILABLE)
    assert data.read_bytes() == copy_of_file

    send_again(player, refusal)
    assert player.points == [points_of_hand(TYPED_HAND)]


# ---------------------------------------------------------------- little room


def test_little_disk_space_refuses_new_matches_but_saves_hands(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_page = player.client.get("/partite/nuova")
    monkeypatch.setattr(connection, "FLOOR", MORE_THAN_ANY_DISK)

    refusal = player.submit(
        start_page, "Comincia", status=HTTPStatus.INSUFFICIENT_STORAGE, name_0="Zia Pina"
    )
    assert "meno di 64 MB" in reason_of_refusal(refusal)
    assert "Zia Pina" in typed_texts(refusal)

    new_match = {"variant": "classica", "names": ["Noi", "Loro"]}
    answer = player.client.raw.post("/api/v1/matches", json=new_match)
    assert answer.status_code == HTTPStatus.INSUFFICIENT_STORAGE
    assert answer.json["code"] == "no-room"

    send_hand(player, filled_form(player, TYPED_HAND))
    assert player.points == [points_of_hand(TYPED_HAND)]


# ---------------------------------------------------------------- cut short, damaged


def test_no_hand_is_saved_after_health_check_found_damage(leading: Player, data: Path) -> None:
    """The file is written to in its place; a file that replaces it is checked before its use."""
    leading.client.app.testing = False  # errors are answered with their pages
    leading.play(*[HAND_430_TO_60] * 5)
    form = filled_form(leading, TYPED_HAND)
    content = with_noise(data.read_bytes())
    data.write_bytes(content)

    health = leading.client.raw.get("/salute")

    assert health.text == "garbled\n"
    refused_hand(leading, form, "scorepad doctor")
    assert data.read_bytes() == content


def with_noise(content: bytes) -> bytes:
    """A data file with random bytes in every third page from the second on."""
    noisy = bytearray(content)
    for start_of_page in range(PAGE_SIZE, len(content), 3 * PAGE_SIZE):
        noise = random.Random(start_of_page).randbytes(PAGE_SIZE)  # noqa: S311 - the same each time
        noisy[start_of_page : start_of_page + PAGE_SIZE] = noise
    return bytes(noisy)


def damaged(content: bytes, seed: int) -> bytes:
    """A data file truncated, with one page overwritten, or with some bits flipped."""
    chance = random.Random(seed)  # noqa: S311 - the same each time
    if seed % 3 == 0:
        return truncated(content, chance)
    if seed % 3 == 1:
        return with_page_overwritten(content, chance)
    return with_bits_flipped(content, chance)


def truncated(content: bytes, chance: random.Random) -> bytes:
    """To nothing, to some whole pages, or within a page."""
    start_of_page = PAGE_SIZE * chance.randrange(len(content) // PAGE_SIZE)
    return content[: chance.choice([0, start_of_page, start_of_page + 47])]


def with_page_overwritten(content: bytes, chance: random.Random) -> bytes:
    """By zeros, by random bytes, or by a copy of another page."""
    pages = len(content) // PAGE_SIZE
    start_of_page = PAGE_SIZE * chance.randrange(pages)
    start_of_other = PAGE_SIZE * chance.randrange(pages)
    other_page = content[start_of_other : start_of_other + PAGE_SIZE]
    page = chance.choice([bytes(PAGE_SIZE), chance.randbytes(PAGE_SIZE), other_page])
    return content[:start_of_page] + page + content[start_of_page + PAGE_SIZE :]


def with_bits_flipped(content: bytes, chance: random.Random) -> bytes:
    flipped = bytearray(content)
    for _ in range(chance.choice([1, 10, 300])):
        bit = 1 << chance.randrange(8)
        flipped[chance.randrange(len(content))] ^= bit
    return bytes(flipped)


def drop_caches(app: Flask) -> None:
    """Close the data file, and drop all that the app has cached of it."""
    app.extensions[STORAGE].close()
    setup_of(app).pad.context.matches.clear()
    setup_of(app).pad.context.rules.clear()


@pytest.mark.parametrize("files", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_damaged_file_is_answered_with_503_and_not_written(
    begin: Begin, data: Path, files: int
) -> None:
    """Where the damage hits nothing that a request reads, it is answered as usual."""
    for _ in range(4):  # other matches in the same file
        begin().play(HAND_430_TO_60)
    player = begin()
    player.play(*[HAND_430_TO_60] * 3)
    app = player.client.app
    app.testing = False  # errors are answered with their pages
    form = filled_form(player, TYPED_HAND)
    sound_file = data.read_bytes()
    statuses_of_match: list[int] = []
    statuses_of_save: list[int] = []

    for seed in range(files):
        damaged_file = damaged(sound_file, seed)
        swap_file(data, damaged_file)
        drop_caches(app)
        match_status = player.client.raw.get(player.match).status_code
        home_status = player.client.raw.get("/").status_code
        save = player.client.raw.post(f"{player.match}/smazzata", data=form)
        drop_caches(app)

        assert match_status in (200, 404, 503), seed
        assert home_status in (200, 503), seed
        assert save.status_code in (303, 404, 503), seed
        if save.status_code != HTTPStatus.SEE_OTHER:
            assert data.read_bytes() == damaged_file, seed
        statuses_of_match.append(match_status)
        statuses_of_save.append(save.status_code)

        data.with_name(data.name + "-journal").unlink(missing_ok=True)
        swap_file(data, sound_file)
        assert "1.290" in player.page().text, seed  # 3 × 430

    assert statuses_of_match.count(503) > files // 3
    assert statuses_of_save.count(503) > files // 3
    send_hand(player, form)
    assert player.points[3] == points_of_hand(TYPED_HAND)


def test_match_of_later_version_is_refused_but_listed(app: Flask, leading: Player) -> None:
    store_rules_as_version_2(app.extensions[STORAGE])
    drop_caches(app)

    match_page = leading.page(status=HTTPStatus.SERVICE_UNAVAILABLE)
    home = leading.client.get("/")
    rows = leading.client.raw.get("/file/righe.csv").text.splitlines()

    made_by_later_version = "Il motivo: la partita è di uno scorepad più recente."
    assert reason_of_refusal(match_page).startswith(made_by_later_version)
    assert "430" in home.text  # the list still shows its score
    assert len(rows) == 1  # only the column heads


def test_log_of_damaged_entry_names_no_match_and_no_device(
    app: Flask, leading: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    storage: Storage = app.extensions[STORAGE]
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute("update entries set payload = '{}'")
    drop_caches(app)

    leading.page(status=HTTPStatus.SERVICE_UNAVAILABLE)

    assert "a garbled entry" in caplog.text
    assert leading.match_id not in caplog.text
    assert leading.device not in caplog.text
