"""Open pages that follow their match: what they cost the machine that serves them; a long match
beside a short one.
"""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from scorepad.app import key_path
from tests.attack.processes import processor_of
from tests.bench.conftest import Bench
from tests.bench.rooms import DEVICE, HAND, PRAGMAS, room
from tests.cookies import KEY, device_cookie
from tests.polling import ASKED_EVERY

PHONES = 8
"""Phones at a table."""
ASKED = 400
"""Requests in a turn: as many as eight phones ask in 50 rounds."""
HANDS = 12
MATCHES = 100
"""Those of one phone, after some winters."""
LONG, SHORT = 60, 6
RICHER = {
    **HAND,
    "sides": {
        **HAND["sides"],
        "b": {"melds": ["4x8 2", "5x10", "3xK"], "red_threes": 1, "left": "J 6"},
    },
}
"""A hand that opens at 120 too, as both sides must before sixty are played."""
FLOOR = """
import sqlite3, sys, threading
from flask import Flask, jsonify, request
from waitress import create_server
app, mine = Flask("bare"), threading.local()

@app.get("/<match>")
def state(match):
    if not hasattr(mine, "db"):
        mine.db = sqlite3.connect(sys.argv[1], isolation_level=None)
        for pragma in {pragmas!r}:
            mine.db.execute(f"PRAGMA {{pragma}}")
    (last,) = mine.db.execute("SELECT max(sequence) FROM entries WHERE match = ?", (match,)).fetchone()
    answer = jsonify(tag=last)
    answer.set_etag(str(last))
    return answer.make_conditional(request)

server = create_server(app, host="127.0.0.1", port=0, threads=8)
print(f"http://127.0.0.1:{{server.effective_port}}/", flush=True)
server.run()
"""


class Served:
    """A server that runs by itself, and a phone that asks it whether anything is new."""

    def __init__(
        self, process: subprocess.Popen[str], port: int, path: str, headers: dict[str, str]
    ) -> None:
        self._process = process
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._path, self._headers = path, headers
        self._headers["If-None-Match"] = self._ask(200)

    def _ask(self, status: int) -> str:
        self._connection.request("GET", self._path, headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == status, answer.status
        return answer.headers["ETag"]

    def ask(self) -> None:
        """So many times: nothing is new."""
        for _ in range(ASKED):
            self._ask(304)

    def seconds(self) -> float:
        """What the server has used of a processor so far."""
        return processor_of(self._process.pid)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def serving(command: list[str], path: str, headers: dict[str, str]) -> Iterator[Served]:
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r"http://[^/]*:(\d+)/", process.stdout.readline())
        assert found
        served = Served(process, int(found[1]), path, headers)
        yield served
        served.close()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.mark.bench
@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="only Linux tells what a process has used"
)
@pytest.mark.parametrize(
    "shows", ["a match", f"the list of {MATCHES} matches", "the phones of a match"]
)
def test_eight_phones_that_ask_what_is_new(bench: Bench, tmp_path: Path, shows: str) -> None:
    place = room(tmp_path)
    match = place.start()
    place.count(match, HANDS)
    if "list" in shows:
        for _ in range(MATCHES - 1):
            place.start()
    data, bare = tmp_path / "pad.db", tmp_path / "bare.db"
    fill_bare(bare)
    ours = ["-m", "scorepad", "serve", "--port", "0", "--data", str(data)]
    key_path(data).write_bytes(KEY)
    cookie = {"Cookie": f"scorepad_device={device_cookie(DEVICE)}"}
    with (
        serving(ours, _asked(shows, match), cookie) as pad,
        serving(["-c", FLOOR.format(pragmas=PRAGMAS), str(bare)], "/m", {}) as floor,
    ):
        measured = bench.compare(
            f"{PHONES} phones that show {shows} ask, processor time of {ASKED}", pad.ask, floor.ask, "4",
            clocks=(pad.seconds, floor.seconds),
        )  # fmt: skip
    percent = 100 * measured.ours / ASKED * PHONES / ASKED_EVERY
    bench.say(
        f"{PHONES} phones that show {shows} and ask every {ASKED_EVERY} s use {percent:.2f} % of a core (reach: 2 %)"
    )


def _asked(shows: str, match: str) -> str:
    """Where a page asks that shows this."""
    if "list" in shows:
        return "/stato"
    return f"/partite/{match}/telefoni/stato" if "phones" in shows else f"/partite/{match}/stato"


def fill_bare(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(
        "CREATE TABLE entries (match TEXT, sequence INTEGER, PRIMARY KEY (match, sequence))"
    )
    connection.executemany(
        "INSERT INTO entries VALUES ('m', ?)", [(number,) for number in range(1, HANDS + 2)]
    )
    connection.close()


@pytest.mark.bench
@pytest.mark.parametrize(
    "kind", ["looked at again", "after a new hand", "of a server just started"]
)
def test_a_long_match_beside_a_short_one(bench: Bench, tmp_path: Path, kind: str) -> None:
    long_room = room(tmp_path / "long")
    long_match = long_room.start()
    long_room.count(long_match, LONG, RICHER)
    assert long_room.page(long_match).count('class="row"') == LONG
    short_room = room(tmp_path / "short")
    short_match = short_room.start()
    short_room.count(short_match, SHORT, RICHER)
    assert short_room.page(short_match).count('class="row"') == SHORT

    def forget() -> None:
        """What would be made anew after a hand, or after a start."""
        if kind == "looked at again":
            return
        for place in (long_room, short_room):
            made = place.app.extensions["scorepad"]
            made.shown.clear()
            if kind == "of a server just started":
                made.pad.context.matches.clear()
                made.pad.context.rules.clear()

    bench.compare(
        f"match page of {LONG} hands, {kind}",
        lambda: long_room.page(long_match),
        lambda: short_room.page(short_match),
        f"3, to {SHORT} hands",
        times=4,
        before=forget,
    )
