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
"""Bytes of a page of a SQLite file."""


def form_465_to_0(player: Player) -> dict[str, str]:
    """Fill in the form of the coming hand: 465 points for the first side, 0 for the other."""
    return filled_form(player, 3)


def swap_file(data: Path, content: bytes) -> None:
    """Put a new file with this content in the place of the data file, as `mv` does."""
    new_file = data.with_name("other.db")
    new_file.write_bytes(content)
    new_file.rename(data)


@pytest.fixture
def data(app: Flask) -> Path:
    """Return the path of the data file of the application."""
    path: Path = app.extensions[STORAGE].path
    return path


@pytest.fixture(autouse=True)
def _short_lock_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait only a second for a locked file, which makes the tests shorter."""
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 1)


# ---------------------------------------------------------------- a disk of its own


@pytest.fixture
def disk() -> Iterator[Path]:
    """Mount a disk of two megabytes in memory. Skip the test where that is not allowed."""
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
    """Fill a disk until only this number of SQLite pages is free. Returns the filling file."""
    usage = os.statvfs(disk)
    free_bytes = usage.f_bavail * usage.f_frsize
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(free_bytes - free_pages * PAGE_SIZE))
    return ballast


@pytest.fixture
def player_on_disk(disk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """Begin a match whose data file, `x.db`, is on the small disk."""
    # The app itself refuses to save while little space is free. Here the disk must run full.
    monkeypatch.setattr(connection, "FLOOR", 0)
    monkeypatch.setattr(connection, "RESERVE", 0)
    app = create_app(Config(disk / "x.db", b"k" * 32, testing=True))
    client = Client(app)
    yield Player(client, setup_of(app).pad, start(client))
    app.extensions[STORAGE].close()


def test_hand_refused_on_full_disk_is_saved_once_there_is_space(
    player_on_disk: Player, disk: Path
) -> None:
    player = player_on_disk
    data = disk / "x.db"
    saved_points: list[list[int]] = []
    refusals = 0

    # Eight hands are saved. SQLite writes pages of 4 KB: the more of them fit on the disk, the
    # later a save runs out of space, until it succeeds.
    for free_pages in (0, 1, 2, 4, 6, 8, 12, 20):
        form = filled_form(player, free_pages)  # types other points for each number
        ballast = fill_disk(disk, free_pages)
        data_before = data.read_bytes()

        answer = player.client.raw.post(f"{player.match}/smazzata", data=form)

        # 507: no space. The file is as it was.
        if answer.status_code == HTTPStatus.INSUFFICIENT_STORAGE:
            refusals += 1
            assert data.read_bytes() == data_before
            assert player.points == saved_points

            # The form is sent once more. The page says "there is no more space on the disk of the
            # score pad", and has a button that sends again what was typed.
            refusal = refused_hand(player, form, "sul disco del segnapunti non c'è più posto", 507)
            ballast.unlink()  # now there is space
            send_again(player, refusal)

        # In either case the hand is saved by now, once.
        saved_points.append(points_of_hand(free_pages))
        assert player.points == saved_points
        ballast.unlink(missing_ok=True)

    # Of the eight saves at least half were refused, and not all.
    assert 4 <= refusals < 8


# ---------------------------------------------------------------- locked


def test_hand_refused_while_file_is_locked_is_saved_after_unlock(
    leading: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The match of `leading` stands at 430 to 60. The form of the second hand is filled in.
    form = form_465_to_0(leading)
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)  # the app waits only 50 milliseconds
    leading.client.app.extensions[STORAGE].close()  # and opens the file with the next request

    # Another program locks the file, so that the app can neither write nor read it.
    with closing(sqlite3.connect(data, isolation_level=None)) as other_program:
        other_program.execute("begin exclusive")

        # The form is sent: "The file of the matches is busy. Nothing was saved."
        file_is_busy = "Il file delle partite è occupato. Non è stato salvato niente"
        refusal = refused_hand(leading, form, file_is_busy)

        # The home page cannot be shown either: "Somebody else is writing." It does not tell the
        # public where the file is.
        home = leading.client.get("/", status=HTTPStatus.SERVICE_UNAVAILABLE)
        assert home.heading == "Qualcun altro sta scrivendo"
        assert str(data) not in home.answer.text

        other_program.execute("rollback")

    # The file is free. The page of the refusal has a button that sends the form again.
    send_again(leading, refusal)
    assert leading.points == [[430, 60], [465, 0]]


def seconds_until_busy(player: Player, shown: ShownDraft) -> float:
    """Open a style sheet and store a draft of a hand, which is refused because the file is busy.
    Returns how long both take.
    """
    begun = time.monotonic()
    # What needs no lock is answered all the same.
    style_sheet = Client(player.client.app).raw.get("/static/scorepad.css")
    assert style_sheet.status_code == 200
    with pytest.raises(Busy):
        player.pad.store_draft(player.match_id, player.device, shown, {"a.cards": "100"})
    return time.monotonic() - begun


def test_only_one_writer_waits_for_locked_file(
    player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 3)  # seconds
    draft_id = form_465_to_0(player)["hand"]
    shown = ShownDraft(draft_id, version=0)  # nothing of it is stored yet

    # Another process locks the file for writing. Eight phones store a draft at the same moment.
    with closing(sqlite3.connect(data, isolation_level=None)) as other_process:
        other_process.execute("begin immediate")
        *other_waits, longest_wait = sorted(at_once(lambda _: seconds_until_busy(player, shown)))
        other_process.execute("rollback")

    # Only one of them waits the three seconds. The others are refused at once, so that threads
    # of the server are left for requests that need no lock.
    assert longest_wait > 2.5
    assert max(other_waits) < 2


# ---------------------------------------------------------------- replaced


def test_replaced_file_is_used_by_next_request(leading: Player, data: Path, tmp_path: Path) -> None:
    # The file is backed up after one hand. Then a second one is played.
    time_of_backup = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)
    backup = back_up(data, tmp_path / "copy.db", time_of_backup).path
    page = leading.play(HAND_430_TO_60)
    assert "860" in page.text  # 2 × 430
    etag_before = leading.answer("stato").headers["ETag"]

    # The backup takes the place of the file: only the first hand is left.
    backup.rename(data)
    assert "860" not in leading.page().text  # nothing cached of the old file is shown

    # The next hand is saved in the new file.
    leading.play(HAND_430_TO_60)
    assert leading.points == [[430, 60], [430, 60]]

    # The scores are the same as before the change. Still open pages learn that they must be
    # updated.
    etag_after = leading.answer("stato").headers["ETag"]
    assert etag_after != etag_before


def test_hand_refused_while_file_is_missing_is_saved_when_it_is_back(
    leading: Player, data: Path, tmp_path: Path
) -> None:
    # After a hand of 430 to 60, the form of the second hand is filled in. Then the file is moved
    # away.
    form = form_465_to_0(leading)
    moved = data.rename(tmp_path / "moved.db")

    file_is_missing = "non c'è. Non è stato salvato niente"  # "… is missing. Nothing was saved"
    refusal = refused_hand(leading, form, file_is_missing)
    # "The file of the matches cannot be used"
    assert refusal.heading == "Il file delle partite non si può usare"
    assert not data.exists()  # no new file is made

    # The file is back.
    moved.rename(data)
    send_again(leading, refusal)
    assert leading.points == [[430, 60], [465, 0]]


def test_hand_is_not_saved_if_file_is_replaced_meanwhile(
    player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = form_465_to_0(player)
    copy_of_file = data.read_bytes()

    # In the middle of the transaction that saves the hand, a copy takes the place of the file.
    original_put = WriteTransaction.put

    def put_and_replace_file(rows: WriteTransaction, record: SummaryRecord) -> None:
        original_put(rows, record)
        swap_file(data, copy_of_file)

    with monkeypatch.context() as patch:
        patch.setattr(WriteTransaction, "put", put_and_replace_file)
        refusal = send_hand(player, form, status=HTTPStatus.SERVICE_UNAVAILABLE)

    # The hand is not said to be saved, because it would be lost with the old file.
    assert data.read_bytes() == copy_of_file

    send_again(player, refusal)
    assert player.points == [[465, 0]]


# ---------------------------------------------------------------- little room


def test_little_disk_space_refuses_new_matches_but_saves_hands(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    # While less than this number of bytes is free, the space is kept for matches that have begun.
    # No disk has so many.
    start_page = player.client.get("/partite/nuova")
    monkeypatch.setattr(connection, "FLOOR", 2**60)

    # The page for a new match refuses it: "less than 64 MB" are free.
    refusal = player.submit(
        start_page, "Comincia", status=HTTPStatus.INSUFFICIENT_STORAGE, name_0="Zia Pina"
    )
    assert "meno di 64 MB" in reason_of_refusal(refusal)
    assert "Zia Pina" in typed_texts(refusal)

    # So does the API.
    new_match = {"variant": "classica", "names": ["Noi", "Loro"]}
    answer = player.client.raw.post("/api/v1/matches", json=new_match)
    assert answer.status_code == HTTPStatus.INSUFFICIENT_STORAGE
    assert answer.json["code"] == "no-room"

    # A hand of a match that has begun is saved.
    send_hand(player, form_465_to_0(player))
    assert player.points == [[465, 0]]


# ---------------------------------------------------------------- cut short, damaged


def test_no_hand_is_saved_after_health_check_found_damage(leading: Player, data: Path) -> None:
    leading.client.app.testing = False  # errors are answered with a page
    leading.play(*[HAND_430_TO_60] * 5)
    form = form_465_to_0(leading)

    # Every third page of the file gets random bytes. The app, which has the file open, does not
    # examine it again by itself, as it would do with a new file in its place.
    garbled_file = with_noise(data.read_bytes())
    data.write_bytes(garbled_file)

    # The health check finds the damage.
    health = leading.client.raw.get("/salute")
    assert health.text == "garbled\n"

    # From now on no hand is saved, and the file stays as it is. The page of the refusal names the
    # command that examines the file.
    refused_hand(leading, form, "scorepad doctor")
    assert data.read_bytes() == garbled_file


def with_noise(content: bytes) -> bytes:
    """Overwrite every third page of a data file, from the second on, with random bytes."""
    noisy = bytearray(content)
    for start_of_page in range(PAGE_SIZE, len(content), 3 * PAGE_SIZE):
        noise = random.Random(start_of_page).randbytes(PAGE_SIZE)  # noqa: S311 - the same each time
        noisy[start_of_page : start_of_page + PAGE_SIZE] = noise
    return bytes(noisy)


def damaged(content: bytes, seed: int) -> bytes:
    """Truncate a data file, overwrite a page of it, or flip some bits, as this number says."""
    chance = random.Random(seed)  # noqa: S311 - the same each time
    if seed % 3 == 0:
        return truncated(content, chance)
    if seed % 3 == 1:
        return with_page_overwritten(content, chance)
    return with_bits_flipped(content, chance)


def truncated(content: bytes, chance: random.Random) -> bytes:
    """Truncate a data file to nothing, to some whole pages, or within a page."""
    start_of_page = PAGE_SIZE * chance.randrange(len(content) // PAGE_SIZE)
    return content[: chance.choice([0, start_of_page, start_of_page + 47])]


def with_page_overwritten(content: bytes, chance: random.Random) -> bytes:
    """Overwrite one page of a data file by zeros, by random bytes, or by another of its pages."""
    pages = len(content) // PAGE_SIZE
    start_of_page = PAGE_SIZE * chance.randrange(pages)
    start_of_other = PAGE_SIZE * chance.randrange(pages)
    other_page = content[start_of_other : start_of_other + PAGE_SIZE]
    page = chance.choice([bytes(PAGE_SIZE), chance.randbytes(PAGE_SIZE), other_page])
    return content[:start_of_page] + page + content[start_of_page + PAGE_SIZE :]


def with_bits_flipped(content: bytes, chance: random.Random) -> bytes:
    """Flip 1, 10 or 300 bits anywhere in a data file."""
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


def statuses_with_damaged_file(
    player: Player, data: Path, content: bytes, form: dict[str, str]
) -> tuple[int, int, int]:
    """Put a damaged file in the place of the data file, open the page of the match and the home
    page, and save a hand. Returns the three statuses.
    """
    swap_file(data, content)
    drop_caches(player.client.app)
    match_page = player.client.raw.get(player.match)
    home = player.client.raw.get("/")
    save = player.client.raw.post(f"{player.match}/smazzata", data=form)
    drop_caches(player.client.app)
    return match_page.status_code, home.status_code, save.status_code


@pytest.mark.parametrize("files", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_damaged_file_is_answered_with_503_and_not_written(
    begin: Begin, data: Path, files: int
) -> None:
    # The file has four other matches and one of three hands, whose next hand is typed in.
    for _ in range(4):
        begin().play(HAND_430_TO_60)
    player = begin()
    player.play(*[HAND_430_TO_60] * 3)
    player.client.app.testing = False  # errors are answered with a page
    form = form_465_to_0(player)
    sound_file = data.read_bytes()
    pages_refused = 0
    saves_refused = 0

    for seed in range(files):
        # The file is cut short, a page of it is overwritten, or bits are flipped. Then the page of
        # the match and the home page are opened, and the hand is sent.
        damaged_file = damaged(sound_file, seed)
        match_status, home_status, save_status = statuses_with_damaged_file(
            player, data, damaged_file, form
        )
        pages_refused += match_status == 503
        saves_refused += save_status == 503

        # 503 says that the file is damaged. What does not touch the damage works as usual: 200, or
        # 303 for a save. 404: the match is gone, as in an empty file.
        assert match_status in (200, 404, 503), seed
        assert home_status in (200, 503), seed
        assert save_status in (303, 404, 503), seed
        if save_status != 303:
            assert data.read_bytes() == damaged_file, seed

        # The sound file is put back, without a journal that belongs to the damaged one. The match
        # is there again with its 3 × 430 points.
        data.with_name(data.name + "-journal").unlink(missing_ok=True)
        swap_file(data, sound_file)
        assert "1.290" in player.page().text, seed

    # The damage was noticed often enough to prove something.
    assert pages_refused > files // 3
    assert saves_refused > files // 3

    # In the end the hand is saved after all.
    send_hand(player, form)
    assert player.points[3] == [465, 0]


def test_match_of_later_version_is_refused_but_listed(app: Flask, leading: Player) -> None:
    # A later version stores rules in a form that this one, which reads version 1, does not know.
    store_rules_as_version_2(app.extensions[STORAGE])
    drop_caches(app)

    # The match cannot be opened. The reason is that it "is of a more recent scorepad".
    match_page = leading.page(status=HTTPStatus.SERVICE_UNAVAILABLE)
    made_by_later_version = "Il motivo: la partita è di uno scorepad più recente."
    assert reason_of_refusal(match_page).startswith(made_by_later_version)

    # The list of matches still shows its score, which is stored beside the rules.
    home = leading.client.get("/")
    assert "430" in home.text

    # The file for spreadsheets leaves it out, and has only the column heads.
    rows = leading.client.raw.get("/file/righe.csv").text.splitlines()
    assert len(rows) == 1


def test_log_of_damaged_entry_names_no_match_and_no_device(
    app: Flask, leading: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    storage: Storage = app.extensions[STORAGE]

    # The entries of all matches lose their content. A trigger of the database would prevent it.
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute("update entries set payload = '{}'")
    drop_caches(app)

    leading.page(status=HTTPStatus.SERVICE_UNAVAILABLE)

    # The log says what is wrong, but not whose match it is.
    assert "a garbled entry" in caplog.text
    assert leading.match_id not in caplog.text
    assert leading.device not in caplog.text
