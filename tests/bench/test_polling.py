"""Open pages that follow their match: what they cost the machine that serves them; a long match
beside a short one.
"""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import key_path
from tests.attack.processes import processor_of
from tests.bench.conftest import Bench
from tests.bench.rooms import DEVICE, HAND, PRAGMAS, make_measured_pad
from tests.cookies import KEY, device_cookie
from tests.polling import ASKED_EVERY

HAND_THAT_OPENS_AT_120 = {
    **HAND,
    "sides": {
        **HAND["sides"],
        "b": {"melds": ["4x8 2", "5x10", "3xK"], "red_threes": 1, "left": "J 6"},
    },
}
"""The usual hand, but for the cards of the second side, whose first melds are worth 120 points too.

So much is asked of a side with many points, as both have before sixty hands are played.
"""
# Flask and Waitress alone, with a route that reads one row of SQLite.
BARE_SERVER = """
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


class PolledServer:
    """A server that runs by itself, and a phone that asks it whether anything is new."""

    def __init__(
        self, process: subprocess.Popen[str], port: int, path: str, headers: dict[str, str]
    ) -> None:
        self._process = process
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._path = path
        self._headers = headers
        # The first answer names the version of what is shown, in its ETag. With every later request
        # the phone sends this version, and is told whether it is still the newest.
        version = self._ask(200)
        self._headers["If-None-Match"] = version

    def _ask(self, status: int) -> str:
        """Ask once, check the status, and return the version of the answer."""
        self._connection.request("GET", self._path, headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == status, answer.status
        return answer.headers["ETag"]

    def ask(self) -> None:
        """Ask 400 times, as eight phones do in 100 seconds. Each time the answer is that nothing is
        new: 304, not modified.
        """
        for _ in range(400):
            self._ask(304)

    def seconds(self) -> float:
        """Return the processor seconds that the server has used so far."""
        return processor_of(self._process.pid)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def run_server(command: list[str], path: str, headers: dict[str, str]) -> Iterator[PolledServer]:
    """Run a server in a process of its own, and let a phone ask it for this path.

    The server prints its address in its first line.
    """
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://[^/]*:(\d+)/", process.stdout.readline())
        assert address
        server = PolledServer(process, int(address[1]), path, headers)
        yield server
        server.close()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.mark.bench
@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="only Linux tells what a process has used"
)
# What the pages of the phones show, and the path that such a page asks whether anything is new.
@pytest.mark.parametrize(
    ("shows", "path"),
    [
        ("a match", "/partite/{match}/stato"),
        ("the list of 100 matches", "/stato"),
        ("the phones of a match", "/partite/{match}/telefoni/stato"),
    ],
)
def test_polling_of_eight_phones(bench: Bench, tmp_path: Path, shows: str, path: str) -> None:
    # A match of 12 hands is in the data file. For the list, 99 others are begun.
    measured_pad = make_measured_pad(tmp_path)
    match = measured_pad.start_match()
    measured_pad.count_hands(match, 12)
    if shows == "the list of 100 matches":
        for _ in range(99):
            measured_pad.start_match()

    # Two servers run beside each other: scorepad, and one of Flask and Waitress alone, which reads
    # one row of SQLite for each answer.
    data = tmp_path / "pad.db"
    key_path(data).write_bytes(KEY)
    bare_data = tmp_path / "bare.db"
    fill_bare(bare_data)

    scorepad = ["-m", "scorepad", "serve", "--port", "0", "--data", str(data)]
    bare_server = ["-c", BARE_SERVER.format(pragmas=PRAGMAS), str(bare_data)]
    cookie = {"Cookie": f"scorepad_device={device_cookie(DEVICE)}"}
    with (
        run_server(scorepad, path.format(match=match), cookie) as pad,
        run_server(bare_server, "/m", {}) as bare,
    ):
        # In each turn a phone asks one server 400 times, and then the other. The processor seconds
        # of the servers are compared: those of scorepad are wanted to be 4 times as many at most.
        measured = bench.compare(
            f"8 phones that show {shows} ask, processor time of 400",
            pad.ask,
            bare.ask,
            "4",
            clocks=(pad.seconds, bare.seconds),
        )

    # An open page asks every 2 seconds. Reported is which part of a processor eight of them take
    # all the time. Wanted are 2 % at most.
    seconds_of_a_request = measured.ours / 400
    percent = 100 * seconds_of_a_request * 8 / ASKED_EVERY
    bench.say(
        f"8 phones that show {shows} and ask every {ASKED_EVERY} s"
        f" use {percent:.2f} % of a core (reach: 2 %)"
    )


def fill_bare(path: Path) -> None:
    """Make the data file of the bare server: 13 entries, for a start and 12 hands."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(
        "CREATE TABLE entries (match TEXT, sequence INTEGER, PRIMARY KEY (match, sequence))"
    )
    for sequence in range(1, 14):
        connection.execute("INSERT INTO entries VALUES ('m', ?)", [sequence])
    connection.close()


def keep_caches(_app: Flask) -> None:
    """Forget nothing, so that a page that was shown is shown again."""


def forget_pages(app: Flask) -> None:
    """Forget the pages that were shown, as after a new hand."""
    app.extensions["scorepad"].shown.clear()


def forget_everything(app: Flask) -> None:
    """Forget pages, matches and rules, which a server that was just started has to read."""
    forget_pages(app)
    context = app.extensions["scorepad"].pad.context
    context.matches.clear()
    context.rules.clear()


@pytest.mark.bench
@pytest.mark.parametrize(
    ("kind", "clear_caches"),
    [
        ("looked at again", keep_caches),
        ("after a new hand", forget_pages),
        ("of a server just started", forget_everything),
    ],
)
def test_page_of_long_match_beside_short_one(
    bench: Bench, tmp_path: Path, kind: str, clear_caches: Callable[[Flask], None]
) -> None:
    # One data file has a match of 60 hands. Its page has a row for each of them. They are all alike,
    # and both sides open with 120 points, which are needed when a side has many.
    pad_with_long_match = make_measured_pad(tmp_path / "long")
    long_match = pad_with_long_match.start_match()
    pad_with_long_match.count_hands(long_match, 60, HAND_THAT_OPENS_AT_120)
    assert pad_with_long_match.get_page(long_match).count('class="row"') == 60

    # Another one has a match of 6 hands.
    pad_with_short_match = make_measured_pad(tmp_path / "short")
    short_match = pad_with_short_match.start_match()
    pad_with_short_match.count_hands(short_match, 6, HAND_THAT_OPENS_AT_120)
    assert pad_with_short_match.get_page(short_match).count('class="row"') == 6

    # Before each turn, both applications forget what they would not remember at such a moment.
    def clear_both() -> None:
        clear_caches(pad_with_long_match.app)
        clear_caches(pad_with_short_match.app)

    # The pages are fetched in turn. Reported is how many times longer the long one takes, beside
    # what is wanted: 3 times, with ten times as many hands.
    bench.compare(
        f"match page of 60 hands, {kind}",
        lambda: pad_with_long_match.get_page(long_match),
        lambda: pad_with_short_match.get_page(short_match),
        "3, to 6 hands",
        times=4,
        before=clear_both,
    )
