"""The data file is replaced, garbled or locked while the server runs, and the disk becomes full."""

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
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.storage.backup import back_up
from tests.attack.served import BEGUN, Browser, Match, Served, serving
from tests.polling import ASKED_EVERY

pytestmark = pytest.mark.long


def get_health(served: Served) -> str:
    """Return the word of the health check: "ok", or one for what is wrong.

    The answer must come within a second, with status 200 if all is well, and 503 else.
    """
    answer = served.get("/salute")
    assert answer.seconds < 1
    health = answer.text.strip()
    if health == "ok":
        assert answer.status == HTTPStatus.OK
    else:
        assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
    return health


def test_file_replaced_by_its_backup_is_used_at_once(tmp_path: Path) -> None:
    data = tmp_path / "x.db"
    with serving(data) as served:
        match = Match.begin(served)
        for _ in range(10):
            # Three hands are saved, and the data file is copied.
            save_hands(match, 3)
            hands_in_backup = list(match.acknowledged)
            backup = back_up(data, tmp_path / "copy.db", datetime.now(UTC))

            # One more hand is saved, which the backup does not have.
            assert match.save(points=5000).status == HTTPStatus.CREATED
            assert match.hands() == [*hands_in_backup, 5000]

            # The backup takes the place of the file, while the server runs.
            backup.path.replace(data)

            # The server tells the hands of the backup, and saves the next one after them.
            match.acknowledged = list(hands_in_backup)
            assert match.hands() == hands_in_backup
            assert match.save(points=7).status == HTTPStatus.CREATED
            assert match.hands() == [*hands_in_backup, 7]
            assert get_health(served) == "ok"


def test_file_moved_away_and_back_is_used_again(tmp_path: Path) -> None:
    data = tmp_path / "x.db"
    elsewhere = tmp_path / "elsewhere.db"
    with serving(data) as served:
        match = Match.begin(served)
        for _ in range(10):
            # Without the file nothing can be saved.
            data.rename(elsewhere)
            assert get_health(served) == "missing"
            assert match.save().status == HTTPStatus.SERVICE_UNAVAILABLE

            # When it is back, the server needs no restart.
            elsewhere.rename(data)
            assert get_health(served) == "ok"
            assert match.save().status == HTTPStatus.CREATED


def garble_every_third_page(data: Path, first_page: int, chance: random.Random) -> None:
    """Write random bytes into every third page of the data file, beginning with this one."""
    page_size = 4096  # SQLite reads and writes a file in pages of this size
    with data.open("r+b") as file:
        for page in range(first_page, data.stat().st_size // page_size, 3):
            file.seek(page * page_size)
            file.write(chance.randbytes(page_size))


def save_hands(match: Match, number: int) -> None:
    """Save so many hands in a match, and check that the server acknowledges each."""
    for _ in range(number):
        assert match.save().status == HTTPStatus.CREATED


@pytest.mark.parametrize("first_page", [0, 1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_hand_is_saved_after_health_check_found_damage(
    tmp_path: Path, first_page: int, seed: int
) -> None:
    data = tmp_path / "x.db"
    with serving(data) as served:
        # There are four matches, of six hands each.
        matches = [Match.begin(served) for _ in range(4)]
        for match in matches:
            save_hands(match, 6)

        # SQLite keeps the data file in pages of 4096 bytes. Every third of them, beginning with one
        # of the first three, is filled with random bytes. The health check finds that.
        chance = random.Random(f"{first_page} {seed}")  # noqa: S311
        garble_every_third_page(data, first_page, chance)
        garbled = data.read_bytes()
        assert get_health(served) == "garbled"

        # From then on the server refuses every hand, even of matches that are not damaged. Three
        # hands of each match are tried.
        for _ in range(3):
            for match in matches:
                assert match.save().status == HTTPStatus.SERVICE_UNAVAILABLE

    # It wrote nothing into the damaged file.
    assert data.read_bytes() == garbled


# This is run with two arguments: the data file, and the statement of SQL that takes the lock.
LOCK_FILE_AND_STOP = """
import os, signal, sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute(sys.argv[2])
print("held", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
"""


@contextmanager
def locked_by_stopped_process(data: Path, lock: str) -> Iterator[None]:
    """Hold a lock of the data file by another process until the block is left.

    `lock` is the statement that takes it, such as "begin immediate".
    """
    # As soon as the process has the lock, it prints "held". Then it suspends itself by the signal
    # SIGSTOP, and so keeps the lock.
    command = [sys.executable, "-c", LOCK_FILE_AND_STOP, str(data), lock]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"

    # Only SIGKILL ends a process that is suspended.
    try:
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


@contextmanager
def phones_that_follow(matches: list[Match], lock: AbstractContextManager[None]) -> Iterator[None]:
    """Hold the lock of a data file until the block is left, while a phone of each match is busy."""
    is_over = threading.Event()

    def save_and_ask(match: Match, phone: Browser) -> None:
        """Save a hand. Then ask every two seconds what is new, as an open page does, until the block
        is left.
        """
        match.save()
        while not is_over.wait(timeout=ASKED_EVERY):
            phone.get(f"{match.page}/stato")

    # Before the file is locked, each phone enters its match by the link with the key.
    threads = []
    for match in matches:
        phone = Browser(match.served.port)
        phone.get(f"/e/{match.key}")
        threads.append(threading.Thread(target=save_and_ask, args=(match, phone)))

    with lock:
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            is_over.set()

    # Now that the lock is gone, the last requests are answered.
    for thread in threads:
        thread.join()


# With the first lock others can read the file, with the second they cannot.
@pytest.mark.parametrize("lock", ["begin immediate", "begin exclusive"])
def test_locked_file_does_not_delay_style_sheet_and_health_check(tmp_path: Path, lock: str) -> None:
    with serving(tmp_path / "x.db") as served:
        matches = [Match.begin(served) for _ in range(16)]
        for match in matches:
            save_hands(match, 1)

        # For twelve seconds another process holds the lock of the data file. The phones of the
        # sixteen matches save hands and ask for news, and have to wait.
        longest_answer = 0.0
        locked_file = locked_by_stopped_process(served.data, lock)
        with phones_that_follow(matches, locked_file):
            end = time.monotonic() + 12
            while time.monotonic() < end:
                # A style sheet does not need the file.
                style_sheet = served.get("/static/scorepad.css")
                assert style_sheet.status == HTTPStatus.OK

                # The health check, at "/salute", says that it is locked.
                health_check = served.get("/salute")
                assert health_check.status == HTTPStatus.SERVICE_UNAVAILABLE
                assert health_check.text == "locked\n"

                longest_answer = max(longest_answer, style_sheet.seconds, health_check.seconds)
                time.sleep(0.1)

        # Neither of them ever took a second.
        print(f"\n{lock}: a style sheet and the health check within {longest_answer:.2f} s")
        assert longest_answer < 1

        # The lock is gone. A hand more is saved in each match. The server tells the points of all
        # hands that it has ever acknowledged: none is lost.
        time.sleep(1)
        assert get_health(served) == "ok"
        for match in matches:
            save_hands(match, 1)
            assert match.hands() == match.acknowledged


@pytest.fixture
def disk_of_80_mb() -> Iterator[Path]:
    """Mount a disk of 80 MB in memory, and give its folder."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=80m,mode=700", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("no disk of its own can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def test_almost_full_disk_takes_hands_but_no_new_match(disk_of_80_mb: Path) -> None:
    ballast = disk_of_80_mb / "ballast"
    with serving(disk_of_80_mb / "x.db") as served:
        match = Match.begin(served)
        assert get_health(served) == "ok"

        # A file fills the disk until 60 MB are free. That is too little for new matches.
        room_left = 60 * 2**20
        ballast.write_bytes(bytes(shutil.disk_usage(disk_of_80_mb).free - room_left))
        assert get_health(served) == "disk-low"
        answer = served.ask("POST", "/api/v1/matches", BEGUN)
        assert answer.status == HTTPStatus.INSUFFICIENT_STORAGE
        assert answer.json["code"] == "no-room"

        # A match that is being played goes on.
        save_hands(match, 12)

        # With the room back, matches can be started again.
        ballast.unlink()
        assert get_health(served) == "ok"
        Match.begin(served)


def test_serve_warns_of_files_that_others_can_read(tmp_path: Path) -> None:
    # The server makes the data file and the key file so that only its user can read them.
    data = tmp_path / "x.db"
    key_file = tmp_path / "x.db.key"
    with serving(data) as served:
        assert served.said == ""

    # Somebody lets everybody read them.
    for file in (data, key_file):
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o666)

    # The next start says on standard error how to undo that.
    with serving(data) as served:
        about_data, about_key = served.said.splitlines()
    assert about_data.endswith(f": chmod 600 {data}")
    assert about_key.endswith(f": chmod 600 {key_file}")
