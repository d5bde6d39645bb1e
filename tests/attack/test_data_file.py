"""The data file replaced, garbled or locked under a server that runs, and a disk that fills."""

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorepad.storage.backup import back_up
from tests.attack.served import BEGUN, Browser, Match, Served, serving
from tests.polling import ASKED_EVERY

pytestmark = pytest.mark.long

PAGE = 4096


def health(served: Served) -> tuple[int, str]:
    answer = served.get("/salute")
    assert answer.seconds < 1
    return answer.status, answer.text.strip()


def test_a_file_replaced_by_its_backup_is_taken_up_at_once(tmp_path: Path) -> None:
    data = tmp_path / "x.db"
    with serving(data) as served:
        match = Match.begin(served)
        for _ in range(10):
            for _ in range(3):
                assert match.save().status == 201
            kept = list(match.acknowledged)
            copy = back_up(data, tmp_path / "copy.db", datetime.now(UTC)).path
            assert match.save(points=5000).status == 201
            assert match.hands() == [*kept, 5000]
            copy.replace(data)
            match.acknowledged = list(kept)
            assert match.hands() == kept
            assert match.save(points=7).status == 201
            assert match.hands() == [*kept, 7]
            assert health(served) == (200, "ok")


def test_a_file_moved_away_and_back_is_missed_and_found_again(tmp_path: Path) -> None:
    data, aside = tmp_path / "x.db", tmp_path / "aside.db"
    with serving(data) as served:
        match = Match.begin(served)
        for _ in range(10):
            data.rename(aside)
            assert health(served) == (503, "missing")
            assert match.save().status == 503
            aside.rename(data)
            assert health(served) == (200, "ok")
            assert match.save().status == 201


def garble(data: Path, first: int, chance: random.Random) -> None:
    """Random bytes in every third page, in place."""
    with data.open("r+b") as file:
        for page in range(first, data.stat().st_size // PAGE, 3):
            file.seek(page * PAGE)
            file.write(chance.randbytes(PAGE))


def save_all(matches: list[Match], status: int) -> None:
    """Save a hand of each match, which is answered with this status."""
    for match in matches:
        assert match.save().status == status


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_once_the_health_check_found_it_damaged_no_hand_is_acknowledged(
    tmp_path: Path, first: int, seed: int
) -> None:
    data = tmp_path / "x.db"
    with serving(data) as served:
        matches = [Match.begin(served) for _ in range(4)]
        for _ in range(6):
            save_all(matches, 201)
        garble(data, first, random.Random(f"{first} {seed}"))  # noqa: S311
        garbled = data.read_bytes()
        assert health(served) == (503, "garbled")
        for _ in range(3):
            save_all(matches, 503)
    assert data.read_bytes() == garbled


LOCKING = """
import os, signal, sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute(sys.argv[2])
print("held", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
"""


@contextmanager
def locked(data: Path, lock: str) -> Iterator[None]:
    """A process that took the lock and was stopped."""
    process = subprocess.Popen(
        [sys.executable, "-c", LOCKING, data, lock], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    try:
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


@contextmanager
def phones_of(matches: list[Match], lock: AbstractContextManager[None]) -> Iterator[None]:
    """While the file is locked, a phone of each match saves once, and then asks what is new again
    and again, as an open page does.
    """
    done = threading.Event()

    def follow(match: Match, phone: Browser) -> None:
        match.save()
        while not done.wait(ASKED_EVERY):
            phone.get(f"{match.page}/stato")

    threads = []
    for match in matches:
        phone = Browser(match.served.port)
        phone.get(f"/e/{match.key}")
        threads.append(threading.Thread(target=follow, args=(match, phone)))
    with lock:
        for thread in threads:
            thread.start()
        yield
    done.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("lock", ["begin immediate", "begin exclusive"])
def test_a_stopped_process_that_holds_the_lock_stalls_neither_static_files_nor_health(
    tmp_path: Path, lock: str
) -> None:
    with serving(tmp_path / "x.db") as served:
        matches = [Match.begin(served) for _ in range(16)]
        save_all(matches, 201)

        slowest = 0.0
        with phones_of(matches, locked(served.data, lock)):
            end = time.monotonic() + 12
            while time.monotonic() < end:
                style_sheet = served.get("/static/scorepad.css")
                assert style_sheet.status == 200
                health_check = served.get("/salute")
                assert health_check.status == 503
                assert health_check.text == "locked\n"
                slowest = max(slowest, style_sheet.seconds, health_check.seconds)
                time.sleep(0.1)
        print(f"\n{lock}: a style sheet and the health within {slowest:.2f} s")
        assert slowest < 1

        time.sleep(1)
        assert health(served) == (200, "ok")
        save_all(matches, 201)
        for match in matches:
            assert match.hands() == match.acknowledged


@pytest.fixture
def disk() -> Iterator[Path]:
    """A disk of 80 MB."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = ["mount", "-t", "tmpfs", "-o", "size=80m,mode=700", "tmpfs", folder]
        if subprocess.run(mounted, capture_output=True, check=False).returncode:
            pytest.skip("no disk of its own can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def test_under_the_floor_no_match_is_begun_and_those_begun_go_on(disk: Path) -> None:
    ballast = disk / "ballast"
    with serving(disk / "x.db") as served:
        match = Match.begin(served)
        assert health(served) == (200, "ok")

        ballast.write_bytes(bytes(shutil.disk_usage(disk).free - 60 * 2**20))
        assert health(served) == (503, "disk-low")
        answer = served.ask("POST", "/api/v1/matches", BEGUN)
        assert answer.status == 507
        assert answer.json["code"] == "no-room"
        for _ in range(12):
            assert match.save().status == 201

        ballast.unlink()
        assert health(served) == (200, "ok")
        Match.begin(served)


def test_serve_warns_of_files_that_others_can_read(tmp_path: Path) -> None:
    data = tmp_path / "x.db"
    key_file = tmp_path / "x.db.key"
    with serving(data) as served:
        assert served.said == ""
    for file in (data, key_file):
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o666)

    with serving(data) as served:
        warnings = served.said.splitlines()

    about_data, about_key = warnings
    assert about_data.endswith(f": chmod 600 {data}")
    assert about_key.endswith(f": chmod 600 {key_file}")
