"""The disk is full, the file read-only, locked, cut short or garbled while the pad runs: a
sentence, and nothing half.

What was typed stays on the page and goes from there once the cause is gone.
"""

from __future__ import annotations

import logging
import os
import random
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import STORAGE, Config, create_app
from scorepad.matches import Pad
from scorepad.matches.hands import ShownDraft
from scorepad.storage import Storage, connection
from scorepad.storage.backup import back_up
from scorepad.storage.connection import Busy
from scorepad.storage.rows import SummaryRecord, WriteTransaction
from tests.matches.test_frozen_rules import frozen_by_a_later_scorepad
from tests.web.client import Client, Page
from tests.web.conftest import setup_of
from tests.web.playing import ALL_GOOD, device, match_of, play, start
from tests.web.test_concurrency import typed, worth

PAGE = 4096
NOW = datetime(2026, 11, 21, 21, 5, 9, tzinfo=UTC)
WAYS = [40, pytest.param(200, marks=pytest.mark.soak)]


def hands(app: Flask, client: Client, url: str) -> list[tuple[int, ...]]:
    state = setup_of(app).pad.state(match_of(url), device(client))
    return [tuple(side.hand for side in hand.sides) for hand in state.hands]


def sent(client: Client, url: str, number: int) -> dict[str, str]:
    """The hand of this number, typed into the form of the coming hand."""
    page = client.get(f"{url}/smazzata")
    return page.values(page.form("Salva")) | typed(number) | {"do": "save"}


def replace(data: Path, content: bytes) -> None:
    """Put another file in the place of the data file."""
    other = data.with_name("other.db")
    other.write_bytes(content)
    other.replace(data)


def kept(page: Page) -> list[str]:
    return [item.text for item in page.one(class_="notice").all("li")]


def told(page: Page) -> str:
    return page.one("p", class_="lead").text


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
    ballast = disk / "ballast"
    room = os.statvfs(disk)
    with ballast.open("wb") as file:
        file.write(bytes(room.f_bavail * room.f_frsize - free * PAGE))
    assert os.statvfs(disk).f_bavail * room.f_frsize == free * PAGE


def refused(client: Client, url: str, form: dict[str, str], words: str) -> Page:
    """The page on which a hand was not saved, with what was typed."""
    page = client.post(f"{url}/smazzata", form, 503)
    assert words in told(page)
    assert form["a.cards"] in kept(page)
    return page


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody holds the file here for longer than a moment."""
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 1)


@pytest.fixture
def narrow(disk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.setattr(connection, "FLOOR", 0)
    monkeypatch.setattr(connection, "RESERVE", 0)
    app = create_app(Config(disk / "x.db", b"k" * 32, testing=True))
    yield app
    app.extensions[STORAGE].close()


def test_a_full_disk_is_told_wherever_the_save_meets_it_and_the_hand_goes_in_once_there_is_room(
    narrow: Flask, disk: Path
) -> None:
    client, data = Client(narrow), disk / "x.db"
    url = start(client)
    play(setup_of(narrow).pad, client, url, ALL_GOOD)
    expected, refusals = [(430, 60)], 0
    for free in (0, 1, 2, 4, 6, 8, 12, 20):
        form = sent(client, url, free)
        fill(disk, free)
        before = data.read_bytes()
        answer = client.raw.post(f"{url}/smazzata", data=form)
        if answer.status_code == 503:
            refusals += 1
            assert data.read_bytes() == before
            assert hands(narrow, client, url) == expected
            page = refused(client, url, form, "il disco è pieno. Non è stato salvato niente.")
            (disk / "ballast").unlink()
            assert client.submit(page, "Manda di nuovo").one("h1")
        else:
            assert answer.status_code == 303
        expected.append(worth(free))
        assert hands(narrow, client, url) == expected
        (disk / "ballast").unlink(missing_ok=True)
    assert 4 <= refusals < 8
    print(
        f"\na full disk: {refusals} saves refused with from 0 to 20 pages free, none half done, all sent again"
    )


def test_a_disk_that_became_read_only_is_told_and_goes_on_when_it_is_not(
    narrow: Flask, disk: Path
) -> None:
    client = Client(narrow)
    url = start(client)
    play(setup_of(narrow).pad, client, url, ALL_GOOD)
    form = sent(client, url, 3)
    before = (disk / "x.db").read_bytes()
    narrow.extensions[STORAGE].close()
    assert subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=False).returncode == 0
    try:
        page = refused(client, url, form, "è di sola lettura")
        assert "430" in client.get(url).text, "it can be looked at all the same"
    finally:
        narrow.extensions[STORAGE].close()
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    assert (disk / "x.db").read_bytes() == before
    client.submit(page, "Manda di nuovo")
    assert hands(narrow, client, url) == [(430, 60), worth(3)]


# ---------------------------------------------------------------- locked


def test_a_file_held_by_another_program_is_told_and_goes_on_when_it_lets_go(
    app: Flask, client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)
    storage: Storage = app.extensions[STORAGE]
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    form = sent(client, url, 3)
    storage.close()
    with closing(sqlite3.connect(storage.path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        words = "Il file delle partite è occupato. Non è stato salvato niente"
        page = refused(client, url, form, words)
        assert "occupato" in told(client.get(url, 503))
        other.execute("rollback")
    client.submit(page, "Manda di nuovo")
    assert hands(app, client, url) == [(430, 60), worth(3)]


def test_one_writer_waits_for_a_stopped_process_and_all_others_are_told_at_once(
    app: Flask, client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 3)
    url = start(client)
    form, seconds = sent(client, url, 3), []

    def save() -> None:
        begun = time.monotonic()
        assert Client(app).raw.get("/static/scorepad.css").status_code == 200
        with pytest.raises(Busy):
            pad.store_draft(
                match_of(url), device(client), ShownDraft(form["hand"], 0), {"a.cards": "100"}
            )
        seconds.append(time.monotonic() - begun)

    with closing(sqlite3.connect(app.extensions[STORAGE].path, isolation_level=None)) as other:
        other.execute("begin immediate")
        threads = [threading.Thread(target=save) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        other.execute("rollback")
    assert sorted(each > 2.5 for each in seconds) == [False] * 7 + [True], seconds
    assert max(each for each in seconds if each < 2.5) < 2
    client.post(f"{url}/smazzata", form)
    assert hands(app, client, url) == [worth(3)]


# ---------------------------------------------------------------- replaced


def test_a_file_replaced_while_the_pad_runs_is_taken_up_by_the_next_request(
    app: Flask, client: Client, pad: Pad, tmp_path: Path
) -> None:
    url, data = start(client), app.extensions[STORAGE].path
    play(pad, client, url, ALL_GOOD)
    copy = back_up(data, tmp_path / "copy.db", NOW).path
    play(pad, client, url, ALL_GOOD)
    assert "860" in client.get(url).text
    before = client.raw.get(f"{url}/stato").headers["ETag"]
    copy.rename(data)
    assert "860" not in client.get(url).text, "nothing that was kept of the other file is shown"
    play(pad, client, url, ALL_GOOD)
    assert hands(app, client, url) == [(430, 60), (430, 60)]
    assert client.raw.get(f"{url}/stato").headers["ETag"] != before, "an open page looks again"
    form = sent(client, url, 3)
    data.rename(copy)
    page = refused(client, url, form, "non c'è. Non è stato salvato niente")
    assert not data.exists()
    copy.rename(data)
    client.submit(page, "Manda di nuovo")
    assert hands(app, client, url)[2] == worth(3)


def test_a_file_replaced_while_a_hand_is_saved_takes_no_hand(
    app: Flask, client: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, data = start(client), app.extensions[STORAGE].path
    form, before = sent(client, url, 3), data.read_bytes()
    put_record = WriteTransaction.put

    def put(rows: WriteTransaction, record: SummaryRecord) -> None:
        put_record(rows, record)
        replace(data, before)

    with monkeypatch.context() as patch:
        patch.setattr(WriteTransaction, "put", put)
        page = client.post(f"{url}/smazzata", form, 503)
    assert data.read_bytes() == before
    client.submit(page, "Manda di nuovo")
    assert hands(app, client, url) == [worth(3)]


# ---------------------------------------------------------------- little room


def test_with_little_room_no_match_is_begun_or_imported_and_a_hand_is_saved(
    app: Flask, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start(client)
    form, new = sent(client, url, 3), client.get("/partite/nuova")
    monkeypatch.setattr(connection, "FLOOR", 2**60)
    typed = new.values(new.form("Comincia")) | {"name-0": "Zia Pina"}
    page = client.post("/partite/nuova", typed, 507)
    assert "meno di 64 MB" in told(page)
    assert "Zia Pina" in kept(page)
    begun = {"variant": "classica", "names": ["Noi", "Loro"]}
    answer = client.raw.post("/api/v1/matches", json=begun)
    assert (answer.status_code, answer.json["code"]) == (507, "no-room")
    assert "meno di 64 MB" in answer.json["error"]
    client.post(f"{url}/smazzata", form)
    assert hands(app, client, url) == [worth(3)]


# ---------------------------------------------------------------- cut short, garbled


@pytest.mark.parametrize("first", [0, 1, 2])
def test_random_octets_in_every_third_page_let_no_hand_be_saved(
    app: Flask, client: Client, pad: Pad, first: int
) -> None:
    """The file is checked by the health check; another one in its place by the next request (see
    below).
    """
    app.testing = False
    url, data = start(client), app.extensions[STORAGE].path
    play(pad, client, url, *[ALL_GOOD] * 6)
    form, whole = sent(client, url, 3), data.read_bytes()
    garbled = bytearray(whole)
    for page in range(first, len(whole) // PAGE, 3):
        garbled[page * PAGE : (page + 1) * PAGE] = random.Random(page).randbytes(PAGE)  # noqa: S311
    data.write_bytes(garbled)
    assert client.raw.get("/salute").text == "garbled\n"
    answer = client.raw.post(f"{url}/smazzata", data=form)
    assert answer.status_code == 503
    assert "scorepad doctor" in answer.text
    assert data.read_bytes() == garbled
    replace(data, whole)
    client.post(f"{url}/smazzata", form)
    assert len(hands(app, client, url)) == 7


def _cut(whole: bytes, chance: random.Random) -> bytes:
    return whole[: chance.randrange(len(whole))]


def _noise(whole: bytes, chance: random.Random) -> bytes:
    at = PAGE * chance.randrange(len(whole) // PAGE)
    return whole[:at] + chance.randbytes(PAGE) + whole[at + PAGE :]


def _zeros(whole: bytes, chance: random.Random) -> bytes:
    at = PAGE * chance.randrange(len(whole) // PAGE)
    return whole[:at] + bytes(PAGE) + whole[at + PAGE :]


def _exchanged(whole: bytes, chance: random.Random) -> bytes:
    pages = [whole[at : at + PAGE] for at in range(0, len(whole), PAGE)]
    one, other = chance.sample(range(len(pages)), 2)
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def _scattered(whole: bytes, chance: random.Random) -> bytes:
    changed = bytearray(whole)
    for _ in range(chance.choice([1, 10, 300])):
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _emptied(whole: bytes, chance: random.Random) -> bytes:
    return b"" if chance.random() < 0.5 else bytes(len(whole))


_GARBLING: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut, _noise, _zeros, _exchanged, _scattered, _scattered, _cut, _noise, _scattered, _emptied,
)  # fmt: skip


def forget(app: Flask) -> None:
    """Nothing is remembered of the file."""
    app.extensions[STORAGE].close()
    setup_of(app).pad.context.matches.clear()
    setup_of(app).pad.context.rules.clear()


def looked_at(app: Flask, client: Client, url: str) -> str:
    """What comes of looking at the match and at the list."""
    page, home = client.raw.get(url), client.raw.get("/")
    assert page.status_code in (200, 404, 503), page.text[:2000]
    assert home.status_code in (200, 503), home.text[:2000]
    return f"looks answered {page.status_code}"


def saved(app: Flask, client: Client, url: str, form: dict[str, str]) -> str:
    """What comes of saving a hand; where it is not acknowledged no octet of the file changes."""
    data: Path = app.extensions[STORAGE].path
    before = data.read_bytes()
    answer = client.raw.post(f"{url}/smazzata", data=form)
    assert answer.status_code in (303, 404, 503), answer.text[:2000]
    forget(app)
    assert answer.status_code == 303 or data.read_bytes() == before
    return f"saves answered {answer.status_code}"


@pytest.mark.parametrize("ways", WAYS)
def test_a_garbled_file_put_in_its_place_while_the_pad_runs_is_told(
    app: Flask, client: Client, pad: Pad, ways: int
) -> None:
    app.testing = False
    for _ in range(4):
        play(pad, client, start(client), ALL_GOOD)
    url = start(client)
    play(pad, client, url, *[ALL_GOOD] * 3)
    form = sent(client, url, 3)
    forget(app)
    data: Path = app.extensions[STORAGE].path
    whole, found = data.read_bytes(), Counter()
    for way in range(ways):
        replace(data, _GARBLING[way % len(_GARBLING)](whole, random.Random(way)))  # noqa: S311
        found[looked_at(app, client, url)] += 1
        found[saved(app, client, url, form)] += 1
        data.with_name(data.name + "-journal").unlink(missing_ok=True)
        replace(data, whole)
        assert "1.290" in client.raw.get(url).text, way
        forget(app)
    assert min(found["looks answered 503"], found["saves answered 503"]) > ways // 3, found
    client.post(f"{url}/smazzata", form)
    assert hands(app, client, url)[3] == worth(3)
    print(
        f"\ngarbled in {ways} ways: {dict(sorted(found.items()))}; no octet changed by a refused save"
    )


def test_a_match_by_rules_of_a_later_scorepad_is_told_and_keeps_no_other_from_being_shown(
    app: Flask, client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    frozen_by_a_later_scorepad(app.extensions[STORAGE])
    forget(app)
    for _ in range(2):
        page = client.get(url, 503)
        assert told(page).startswith("Il motivo: la partita è di uno scorepad più recente.")
    assert "430" in client.get("/").text, "the list tells it all the same"
    rows = client.raw.get("/file/righe.csv")
    assert (rows.status_code, rows.text.count("\r\n")) == (200, 1), "only the heads"


def test_the_log_names_no_match_and_no_device_whatever_goes_wrong(
    app: Flask,
    client: Client,
    pad: Pad,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app.testing = False
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    caplog.set_level(logging.DEBUG)
    with monkeypatch.context() as patch:
        patch.setattr(Pad, "state", lambda *_, **__: 1 / 0)
        client.get(f"{url}/smazzata", 500)
    with app.extensions[STORAGE].writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute("update entries set payload = '{}'")
    forget(app)
    client.get(url, 503)
    assert "a garbled entry" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    for hidden in (match_of(url), client.cookie("scorepad_device"), device(client)):
        assert hidden not in caplog.text
