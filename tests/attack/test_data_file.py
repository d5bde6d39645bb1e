"""The data file is locked under a server that runs."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.attack.load import Answer, Served, cookies_of, serving
from tests.polling import ASKED_EVERY

pytestmark = pytest.mark.long

HELD = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(sys.argv[2])
print("held", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
"""


BEGUN = {"variant": "classica", "names": ["Noi", "Loro"], "options": {"target": 500_000}}


@dataclass(frozen=True)
class Program:
    """A program with the key of a match that it began."""

    served: Served
    match: str
    key: str

    def call(self, method: str, path: str = "", body: object = None) -> Answer:
        return self.served.call(method, f"/matches/{self.match}{path}", body, self.key)


def begin(served: Served) -> Program:
    """A match that a program begins."""
    told = served.call("POST", "/matches", BEGUN)
    assert told.status == 201, told.body
    return Program(served, told.json["match"]["id"], told.json["keys"]["write"])


@contextmanager
def locked(data: Path, lock: str) -> Iterator[None]:
    """A process that took the lock and was stopped."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, data, lock], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    try:
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def save(program: Program, number: int) -> int:
    """The status of a hand saved, the first or the second."""
    sides = {"Noi": {"sum": 5 * number}, "Loro": {"sum": 0}}
    return program.call("POST", "/hands", {"number": number, "sides": sides}).status


@pytest.mark.parametrize("lock", ["begin immediate", "begin exclusive"])
def test_a_stopped_process_that_holds_the_lock_stalls_neither_static_files_nor_health(
    tmp_path: Path, lock: str
) -> None:
    """Sixteen phones each save once, and then ask what is new again and again, as an open page
    does.
    """
    with serving(tmp_path) as served:
        programs = [begin(served) for _ in range(16)]
        known = [cookies_of(served.get(f"/e/{program.key}")) for program in programs]
        assert {save(program, 1) for program in programs} == {201}
        done, told = threading.Event(), dict[str, int]()

        def phone(program: Program, cookies: list[str]) -> None:
            told[program.match] = save(program, 2)
            while not done.wait(ASKED_EVERY):
                served.get(
                    f"/partite/{program.match}/stato", {"Cookie": "; ".join(cookies)}, timeout=60
                )

        phones = [
            threading.Thread(target=phone, args=each) for each in zip(programs, known, strict=True)
        ]
        slowest, words, until = 0.0, set[object](), time.monotonic() + 12
        with locked(served.data, lock):
            for thread in phones:
                thread.start()
            while time.monotonic() < until:
                for path in ("/static/scorepad.css", "/salute"):
                    asked = time.monotonic()
                    answer = served.get(path)
                    slowest = max(slowest, time.monotonic() - asked)
                    words.add(answer.body if path == "/salute" else answer.status)
                time.sleep(0.1)
        done.set()
        for thread in phones:
            thread.join()
        print(
            f"\n{lock}: at most {slowest:.2f} s; {words}; saves answered {Counter(told.values())}"
        )
        assert slowest < 1
        assert words == {b"locked\n", 200}
        assert served.get("/salute").body == b"ok\n"
        for program in programs:
            hands = len(program.call("GET").json["hands"])
            assert hands == 1 + (told[program.match] == 201)
            assert save(program, hands + 1) == 201
