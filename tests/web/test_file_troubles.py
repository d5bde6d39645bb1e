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
from tests.web.client import Client, Page
from tests.web.conftest import setup_of
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, start
from tests.web.scorer import shown_values
from tests.web.test_concurrency import at_once, typed, worth

PAGE = 4096
NOW = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)


def sent(player: Player, number: int) -> dict[str, str]:
    """The hand of this number, typed into the form of the coming hand."""
    return shown_values(player.open()) | typed(number) | {"do": "save"}


def kept(page: Page) -> list[str]:
    """What was typed, as the page of a refusal shows it."""
    return [item.text for item in page.one(class_="notice").all("li")]


def told(page: Page) -> str:
    """Why something was refused."""
    return page.one("p", class_="lead").text


def send(player: Player, form: dict[str, str], status: int = 200) -> Page:
    """The answer to the form of a hand."""
    return player.client.post(f"{player.match}/smazzata", form, status)


def refused(player: Player, form: dict[str, str], words: str, status: int = 503) -> Page:
    """The page on which a hand was not saved, with what was typed."""
    page = send(player, form, status)
    assert words in told(page)
    assert form["a.cards"] in kept(page)
    return page


def send_again(player: Player, page: Page) -> None:
    """Press the button of the page of a refusal, on which what was typed stands."""
    player.client.submit(page, "Manda di nuovo")


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


def fill(disk: Path, free: int) -> None:
    """Take all the room on a disk, but for so many pages."""
    room = os.statvfs(disk)
    (disk / "ballast").write_bytes(bytes(room.f_bavail * room.f_frsize - free * PAGE))


def test_a_full_disk_is_told_wherever_the_save_meets_it_and_the_hand_goes_in_once_there_is_room(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "FLOOR", 0)
    monkeypatch.setattr(connection, "RESERVE", 0)
    data = disk / "x.db"
    app = create_app(Config(data, b"k" * 32, testing=True))
    client = Client(app)
    player = Player(client, setup_of(app).pad, start(client))
    expected: list[list[int]] = []
    refusals = 0

    for free_pages in (0, 1, 2, 4, 6, 8, 12, 20):
        form = sent(player, free_pages)
        fill(disk, free_pages)
        before = data.read_bytes()

        answer = client.raw.post(f"{player.match}/smazzata", data=form)
        if answer.status_code == 503:
            refusals += 1
            assert data.read_bytes() == before
            assert player.points == expected
            page = refused(player, form, "il disco è pieno. Non è stato salvato niente.")
            (disk / "ballast").unlink()
            send_again(player, page)

        expected.append([*worth(free_pages)])
        assert player.points == expected
        (disk / "ballast").unlink(missing_ok=True)

    assert 4 <= refusals < 8
    app.extensions[STORAGE].close()


# ---------------------------------------------------------------- locked


def test_a_file_held_by_another_program_is_told_and_goes_on_when_it_lets_go(
    leading: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)
    form = sent(leading, 3)
    leading.client.app.extensions[STORAGE].close()
    with closing(sqlite3.connect(data, isolation_level=None)) as other:
        other.execute("begin exclusive")
        told = "Il file delle partite è occupato. Non è stato salvato niente"
        page = refused(leading, form, told)
        busy = leading.client.get("/", status=503)
        assert busy.one("h1").text == "Qualcun altro sta scrivendo"
        assert str(data) not in busy.answer.text
        other.execute("rollback")

    send_again(leading, page)
    assert leading.points == [[430, 60], [*worth(3)]]


def test_one_writer_waits_for_a_stopped_process_and_all_others_are_told_at_once(
    app: Flask, player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 3)
    shown = ShownDraft(sent(player, 3)["hand"], 0)

    def save(_: int) -> float:
        """The seconds after which a writer is told that the file is busy."""
        begun = time.monotonic()
        assert Client(app).raw.get("/static/scorepad.css").status_code == 200
        with pytest.raises(Busy):
            player.pad.store_draft(player.match_id, player.device, shown, {"a.cards": "100"})
        return time.monotonic() - begun

    with closing(sqlite3.connect(data, isolation_level=None)) as other:
        other.execute("begin immediate")
        *others, longest = sorted(at_once(save))
        other.execute("rollback")

    assert longest > 2.5
    assert max(others) < 2


# ---------------------------------------------------------------- replaced


def test_a_file_replaced_while_the_pad_runs_is_taken_up_by_the_next_request(
    leading: Player, data: Path, tmp_path: Path
) -> None:
    backup = back_up(data, tmp_path / "copy.db", NOW).path
    assert "860" in leading.play(HAND_430_TO_60).text
    before = leading.client.raw.get(f"{leading.match}/stato").headers["ETag"]

    backup.rename(data)

    assert "860" not in leading.page().text, "nothing that was kept of the other file is shown"
    leading.play(HAND_430_TO_60)
    assert leading.points == [[430, 60], [430, 60]]
    after = leading.client.raw.get(f"{leading.match}/stato").headers["ETag"]
    assert after != before, "an open page looks again"


def test_a_file_moved_away_is_told_and_taken_up_when_it_is_back(
    leading: Player, data: Path, tmp_path: Path
) -> None:
    form = sent(leading, 3)
    data.rename(tmp_path / "moved.db")

    page = refused(leading, form, "non c'è. Non è stato salvato niente")
    assert page.one("h1").text == "Il file delle partite non si può usare"
    assert not data.exists()

    (tmp_path / "moved.db").rename(data)
    send_again(leading, page)
    assert leading.points == [[430, 60], [*worth(3)]]


def test_a_file_replaced_while_a_hand_is_saved_takes_no_hand(
    player: Player, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = sent(player, 3)
    before = data.read_bytes()
    put_record = WriteTransaction.put

    def put(rows: WriteTransaction, record: SummaryRecord) -> None:
        put_record(rows, record)
        replace(data, before)

    with monkeypatch.context() as patch:
        patch.setattr(WriteTransaction, "put", put)
        page = send(player, form, status=503)
    assert data.read_bytes() == before

    send_again(player, page)
    assert player.points == [[*worth(3)]]


# ---------------------------------------------------------------- little room


def test_with_little_room_no_match_is_begun_and_a_hand_is_saved(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = player.client.get("/partite/nuova")
    monkeypatch.setattr(connection, "FLOOR", 2**60)

    page = player.client.submit(new, "Comincia", status=507, name_0="Zia Pina")
    assert "meno di 64 MB" in told(page)
    assert "Zia Pina" in kept(page)

    begun = {"variant": "classica", "names": ["Noi", "Loro"]}
    answer = player.client.raw.post("/api/v1/matches", json=begun)
    assert answer.status_code == 507
    assert answer.json["code"] == "no-room"

    send(player, sent(player, 3))
    assert player.points == [[*worth(3)]]


# ---------------------------------------------------------------- cut short, garbled


def test_once_the_health_check_found_noise_in_the_file_no_hand_is_saved(
    leading: Player, data: Path
) -> None:
    """Another file in its place is checked by the next request (see below)."""
    leading.client.app.testing = False
    leading.play(*[HAND_430_TO_60] * 5)
    form = sent(leading, 3)
    noisy = bytearray(data.read_bytes())
    for at in range(PAGE, len(noisy), 3 * PAGE):
        noisy[at : at + PAGE] = random.Random(at).randbytes(PAGE)  # noqa: S311
    data.write_bytes(noisy)

    assert leading.client.raw.get("/salute").text == "garbled\n"

    refused(leading, form, "scorepad doctor")
    assert data.read_bytes() == noisy


def garbled(whole: bytes, way: int) -> bytes:
    """A file cut short, with another page in the place of one, or with a few bits turned."""
    chance = random.Random(way)  # noqa: S311 - the same each time
    at, other = (PAGE * chance.randrange(len(whole) // PAGE) for _ in range(2))
    if way % 3 == 0:
        return whole[: chance.choice([0, at, at + 47])]
    if way % 3 == 1:
        page = chance.choice([bytes(PAGE), chance.randbytes(PAGE), whole[other : other + PAGE]])
        return whole[:at] + page + whole[at + PAGE :]
    turned = bytearray(whole)
    for _ in range(chance.choice([1, 10, 300])):
        turned[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    return bytes(turned)


def forget(app: Flask) -> None:
    """Nothing is remembered of the file."""
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
    form = sent(player, 3)
    whole = data.read_bytes()
    looks: Counter[int] = Counter()
    saves: Counter[int] = Counter()

    for way in range(ways):
        before = garbled(whole, way)
        replace(data, before)
        forget(app)
        look = client.get(player.match).status_code
        home = client.get("/").status_code
        save = client.post(f"{player.match}/smazzata", data=form).status_code
        forget(app)

        assert look in (200, 404, 503), way
        assert home in (200, 503), way
        assert save in (303, 404, 503), way
        if save != 303:
            assert data.read_bytes() == before, way
        looks[look] += 1
        saves[save] += 1

        data.with_name(data.name + "-journal").unlink(missing_ok=True)
        replace(data, whole)
        assert "1.290" in client.get(player.match).text, way

    assert looks[503] > ways // 3
    assert saves[503] > ways // 3
    send(player, form)
    assert player.points[3] == [*worth(3)]


def test_a_match_by_rules_of_a_later_scorepad_is_told_and_keeps_no_other_from_being_shown(
    app: Flask, leading: Player
) -> None:
    frozen_by_a_later_scorepad(app.extensions[STORAGE])
    forget(app)

    page = leading.client.get(leading.match, status=503)

    assert told(page).startswith("Il motivo: la partita è di uno scorepad più recente.")
    assert "430" in leading.client.get("/").text, "the list tells it all the same"
    rows = leading.client.raw.get("/file/righe.csv").text
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

    leading.client.get(leading.match, status=503)

    assert "a garbled entry" in caplog.text
    assert leading.match_id not in caplog.text
    assert leading.device not in caplog.text
