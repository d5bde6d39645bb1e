"""A data file of its own for every test, and rows to put into it."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorepad.storage import Storage
from scorepad.storage.rows import Entry, MatchRecord, OpenHand, SummaryRecord, WriteTransaction
from tests.storage import later_schema

EVENING = datetime(2026, 3, 7, 20, 15, 30, 250, tzinfo=UTC)


class Rows:
    """Rows that the tables take, alike but for what a test names."""

    moment = EVENING

    def match(self, name: str = "abc", ruleset: str = "r1") -> MatchRecord:
        return MatchRecord(name, ruleset, EVENING)

    def entry(
        self,
        sequence: int = 1,
        request: str | None = None,
        match: str = "abc",
        at: datetime = EVENING,
    ) -> Entry:
        name = request or f"{match}-{sequence}"
        return Entry(match, sequence, "hand", at, "phone", name, {"points": sequence}, "5e27")

    def open_hand(self, version: int = 1, match: str = "abc") -> OpenHand:
        return OpenHand(
            match, f"{match}-1", version, {"cards": "1.5", "èmoji": "♠\ud800\0"}, "phone", EVENING
        )

    def summary(
        self, place: int = 1, match: str = "abc", *, finished: bool = False
    ) -> SummaryRecord:
        winner = 0 if finished else None
        return SummaryRecord(
            match,
            "classica",
            ("Noi", "Loro"),
            (5010, -45),
            3,
            5000,
            finished,
            winner,
            EVENING,
            EVENING,
            place,
        )

    def fill(self, rows: WriteTransaction, match: str = "abc", hands: int = 2) -> None:
        """A match with its open hand, its summary, and a log of so many entries: the first has
        sequence 1 and the request `abc-1`, and so on.
        """
        rows.add_match(self.match(match), {"target": 5000})
        rows.grant(match, "phone", "own", EVENING)
        for sequence in range(1, hands + 1):
            last = rows.append(self.entry(sequence, match=match))
            rows.put(self.summary(last.row, match))
        rows.put(self.open_hand(match=match))


@pytest.fixture
def rows() -> Rows:
    return Rows()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scorepad.db"


@pytest.fixture
def storage(path: Path) -> Iterator[Storage]:
    with Storage(path) as opened:
        yield opened


@pytest.fixture
def storage_with_match(storage: Storage, rows: Rows) -> Storage:
    """The storage with a match of two entries."""
    with storage.writing() as writing:
        rows.fill(writing)
    return storage


@pytest.fixture
def use_later_schema() -> Iterator[Callable[[], None]]:
    """Go on with a later scorepad, whose schema has a version 2, until the test ends."""
    yield lambda: later_schema.use(later_schema.later_migrations())
    later_schema.use(later_schema.RELEASED)


INTERRUPT_SAVE = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("pragma cache_size = 2")
connection.execute("begin immediate")
connection.execute("update open_hands set draft = json_quote(hex(randomblob(20000)))")
connection.execute("update summaries set hands = 99, names = json_quote(hex(randomblob(20000)))")
os.kill(os.getpid(), signal.SIGKILL)
"""


def interrupt_save(path: Path) -> None:
    """Kill a process in the middle of a save, as a power cut would: half of it is in the file."""
    subprocess.run([sys.executable, "-c", INTERRUPT_SAVE, str(path)], check=False)
    assert path.with_name(f"{path.name}-journal").exists()


def list_names(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(file.name for file in folder.iterdir())


def run_together(jobs: list[Callable[[], None]]) -> list[BaseException]:
    """Run all of these at the same moment; what they raised."""
    gate = threading.Barrier(len(jobs))
    failed = []

    def run(job: Callable[[], None]) -> None:
        gate.wait()
        try:
            job()
        except BaseException as error:  # noqa: BLE001 - the test wants to see it
            failed.append(error)

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed
