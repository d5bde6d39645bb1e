"""Files of matches made to hurt: uploads, logs that grow without end, and exports of everything at
once.
"""

from __future__ import annotations

import json
import re
import secrets
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.attack.load import OWNER, Served, Visitor, at_once, long_match, serving, upload
from tests.examples import in_soak
from tests.exported import export_file

pytestmark = pytest.mark.long

MOST_MEMORY = 300
"""MB above the idle server, with its children."""
SIZE = 8 * 2**20 - 10_000
"""Bytes of the largest upload, with some room for the other parts of the form."""
CLIENTS = 8
STOP = 10
"""Seconds that the server takes to stop, at most."""


# ---------------------------------------------------------------- measuring


def memory_of_all(served: Served) -> float:
    """The resident memory of the server and its children, in MB."""
    pids = [served.process.pid]
    with suppress(OSError):
        for task in Path(f"/proc/{served.process.pid}/task").iterdir():
            pids += map(int, (task / "children").read_text("ascii").split())
    total = 0
    for pid in pids:
        with suppress(OSError):  # ended meanwhile
            found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii"))
            total += int(found[1]) if found else 0
    return total / 1024


class Cost:
    """What something cost: seconds, the most memory above the idle server in MB, and how long a
    visitor waited.
    """

    def __init__(self, served: Served) -> None:
        self.served = served
        self.seconds = 0.0
        self.memory = 0.0
        self.visitor = Visitor(served, ("/salute",))

    @contextmanager
    def measured(self) -> Iterator[None]:
        idle = memory_of_all(self.served)
        over = threading.Event()

        def watch() -> None:
            while not over.wait(0.02):
                self.memory = max(self.memory, memory_of_all(self.served) - idle)

        watching = threading.Thread(target=watch)
        watching.start()
        with self.visitor.watching():
            time.sleep(0.3)
            began = time.monotonic()
            yield
            self.seconds = time.monotonic() - began
        over.set()
        watching.join()

    def __str__(self) -> str:
        longest = max(self.visitor.seconds)
        return (
            f"{self.seconds:.1f} s, +{self.memory:.0f} MB, a visitor waited {longest:.2f} s at most"
        )


def at_the_same_time(ask: Callable[[int], int]) -> Counter[int]:
    """All clients at once; the statuses of their answers."""
    told: Counter[int] = Counter()

    def client(number: int) -> None:
        try:
            told[ask(number)] += 1
        except OSError:
            told[0] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


# ---------------------------------------------------------------- files


@pytest.fixture
def exported(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A folder with a data file, and the export of its one match of 40 hands."""
    from scorepad.matches import Pad
    from scorepad.storage import Storage

    long_match(tmp_path / "scorepad.db", hands=40)
    with Storage(tmp_path / "scorepad.db") as storage:
        return tmp_path, json.loads(export_file(Pad(storage)))


def many_matches(told: dict[str, Any], size: int) -> bytes:
    """A file of copies of a match, each with an id and requests of its own, of just less than so
    many bytes.
    """
    from scorepad.matches.file_format import encode

    (match,) = told["matches"]
    each = len(json.dumps(match, separators=(",", ":")))
    copies = []
    for _ in range((size - 60_000) // (each + 200)):
        name = "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(10))
        entries = [{**entry, "request": secrets.token_hex(16)} for entry in match["entries"]]
        copies.append({**match, "id": name, "entries": entries, "open_hand": None})
    return encode(told["rulesets"], copies)


def empty_entries(count: int, matches: int) -> bytes:
    """A file of matches with so many `{}` as entries."""
    entries = "[" + ",".join(["{}"] * count) + "]"
    match = f'{{"id":"a","started":"x","ruleset":"x","entries":{entries}}}'
    head = '{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
    return f"{head}{','.join([match] * matches)}]}}".encode()


# ---------------------------------------------------------------- uploads


@pytest.mark.parametrize("matches", [1, 3])
def test_matches_of_a_hundred_thousand_empty_entries(tmp_path: Path, matches: int) -> None:
    file = empty_entries(100_000, matches)
    with serving(tmp_path) as served:
        upload(served, b"{}")
        cost = Cost(served)
        with cost.measured():
            status, _ = upload(served, file)
    print(f"\n{matches} x 100,000 empty entries, {len(file) / 1e6:.1f} MB: {status}, {cost}")
    assert status == 422
    assert cost.memory < MOST_MEMORY
    assert max(cost.visitor.seconds) < at_once()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "empty entries": lambda: empty_entries(SIZE // 3 - 100, 1),
    "empty matches": lambda: (
        b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
        + b",".join([b"{}"] * (SIZE // 3 - 100))
        + b"]}"
    ),
    "unknown keys": lambda: (
        b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[{'
        + b",".join(b'"%x":1' % number for number in range(700_000))
        + b"}]}"
    ),
    "empty rules": lambda: (
        b'{"format":"scorepad-matches","version":1,"matches":[],"rulesets":{'
        + b",".join(b'"%064x":{}' % number for number in range(110_000))
        + b"}}"
    ),
    "nesting": lambda: (
        b'{"format":"scorepad-matches","version":1,"rulesets":' + b'{"a":' * (SIZE // 6)
    ),
    "lists in lists": lambda: (
        b'{"format":"scorepad-matches","version":1,"matches":[' + b"[" * (SIZE - 100)
    ),
    "a list of lists": lambda: (
        b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
        + b",".join([b"[[[[]]]]"] * (SIZE // 9 - 20))
        + b"]}"
    ),
    "figures": lambda: b"[" + b",".join([b"9" * 4000] * (SIZE // 4001 - 1)) + b"]",
}


IN_EVERY_RUN = ("empty entries", "lists in lists")
"""Two of the shapes: one that is decoded and then refused, one that is too deep to be decoded."""


@pytest.mark.parametrize(
    "shape", [*IN_EVERY_RUN, *in_soak(*(shape for shape in HOSTILE if shape not in IN_EVERY_RUN))]
)
def test_eight_clients_that_send_the_same_8_mb(tmp_path: Path, shape: str) -> None:
    file = HOSTILE[shape]()
    assert len(file) <= SIZE
    with serving(tmp_path) as served:
        upload(served, b"{}")
        cost = Cost(served)
        with cost.measured():
            told = at_the_same_time(lambda _: upload(served, file)[0])
    print(f"\n{shape}, {len(file) / 1e6:.1f} MB eight times: {dict(told)}, {cost}")
    assert set(told) <= {413, 422, 503}
    assert cost.memory < MOST_MEMORY
    assert max(cost.visitor.seconds) < at_once()


def test_a_file_of_almost_8_mb_that_was_exported_is_imported(
    exported: tuple[Path, dict[str, Any]],
) -> None:
    folder, told = exported
    with serving(folder) as served:
        upload(served, b"{}")
        file = many_matches(told, SIZE)
        cost = Cost(served)
        with cost.measured():
            status, text = upload(served, file)
    print(f"\nan import of {len(file) / 1e6:.1f} MB: {status}, {cost}")
    assert status == 303, text
    assert cost.memory < MOST_MEMORY
    assert max(cost.visitor.seconds) < at_once()


# ---------------------------------------------------------------- a log without end


def adjusted(served: Served, path: str, key: str, number: int) -> int:
    """Correct the first hand of a match with as many adjustments as fit into a request."""
    sums = [{"points": 5 + 5 * ((number + each) % 2), "reason": "x" * 16} for each in range(4000)]
    sides = {"Noi": {"sum": 300, "adjustments": sums}, "Loro": {"sum": 0}}
    if number:
        return ask(
            served, "PUT", f"{path}/hands/1", key, {"sides": sides, "note": "x", "entry": number}
        )[0]
    return ask(served, "POST", f"{path}/hands", key, {"sides": sides, "number": 1})[0]


def ask(served: Served, method: str, path: str, key: str, body: Any = None) -> tuple[int, Any]:
    """A request of a program; status and JSON of its answer."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=120)
    try:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")
    finally:
        connection.close()


def begin(served: Served) -> tuple[str, str]:
    """A new match: its address in the API, and its key to write."""
    body = {"variant": "classica", "names": ["Noi", "Loro"], "options": {"target": 500_000}}
    status, told = ask(served, "POST", "/api/v1/matches", "", body)
    assert status == 201, told
    return f"/api/v1/matches/{told['match']['id']}", told["keys"]["write"]


PUTS = 50


def test_a_hand_corrected_over_and_over_with_all_that_fits(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        path, key = begin(served)
        reading, told = Cost(served), Counter[int]()
        saving = Cost(served)
        with saving.measured():
            entry = 0
            for _ in range(PUTS):
                told[adjusted(served, path, key, entry)] += 1
                status, match = ask(served, "GET", path, key)
                assert status == 200
                entry = match["hands"][0]["entry"] if match["hands"] else 0
        with reading.measured():
            read = at_the_same_time(lambda _: ask(served, "GET", path, key)[0])
        size = served.data.stat().st_size / 1e6
    print(
        f"\n{PUTS} corrections: {dict(told)}, {saving}; the file has {size:.1f} MB; eight reads {dict(read)}, {reading}"
    )
    assert read == {200: CLIENTS}
    assert saving.memory < MOST_MEMORY
    assert reading.memory < MOST_MEMORY
    assert max(reading.visitor.seconds) < at_once()


# ---------------------------------------------------------------- exports

IMPORTS = 12


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data file into which twelve files of almost 8 MB were imported, all of one
    device.
    """
    from scorepad.matches import Pad
    from scorepad.storage import Storage
    from tests.web.playing import DEVICE

    folder = tmp_path_factory.mktemp("filled")
    long_match(folder / "scorepad.db", hands=40)
    with Storage(folder / "scorepad.db") as storage:
        pad = Pad(storage)
        told = json.loads(export_file(pad))
        for _ in range(IMPORTS):
            pad.imports.import_file(many_matches(told, SIZE), DEVICE)
    return folder


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_everything_in_one_file_and_eight_times_at_once(filled: Path, path: str) -> None:
    with serving(filled) as served:
        served.get("/", OWNER)
        alone, together = Cost(served), Cost(served)
        with alone.measured():
            status, body, _ = served.get(path, OWNER, timeout=120)
        with together.measured():
            told = at_the_same_time(lambda _: served.get(path, OWNER, timeout=120)[0])
    print(
        f"\n{path}, {len(body) / 1e6:.0f} MB: {status}, {alone}; eight at once: {dict(told)}, {together}"
    )
    assert status == 200
    assert set(told) <= {200, 503}
    for cost in (alone, together):
        assert cost.memory < MOST_MEMORY
        assert max(cost.visitor.seconds) < at_once()


def test_readers_that_fetch_everything_slowly_keep_no_other_export_waiting(filled: Path) -> None:
    with serving(filled) as served, ExitStack() as stack:
        cost = Cost(served)
        with cost.measured():
            for _ in range(3):
                reader = stack.enter_context(
                    socket.create_connection(("127.0.0.1", served.port), timeout=60)
                )
                reader.sendall(
                    f"GET /file/partite.json HTTP/1.1\r\nHost: localhost\r\nCookie: {OWNER['Cookie']}\r\n\r\n".encode()
                )
                assert reader.recv(100)
            found = re.search(
                rb'"matches":\[\n\{"id":"(\w+)"',
                served.get("/file/partite.json", OWNER, timeout=60)[1],
            )
            assert found
            match = found[1].decode()
            status, _, _ = served.get(f"/partite/{match}/file/partita.json", OWNER)
    print(f"\nthree slow readers: {status}, {cost}")
    assert status == 200
    assert cost.memory < MOST_MEMORY


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_the_server_stops_within_ten_seconds_during_three_exports(filled: Path, path: str) -> None:
    with serving(filled) as served, ExitStack() as stack:
        for _ in range(3):
            connection = stack.enter_context(
                socket.create_connection(("127.0.0.1", served.port), timeout=60)
            )
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {OWNER['Cookie']}\r\n\r\n".encode()
            )
        time.sleep(0.5)
        began = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        status = served.process.wait(timeout=60)
        took = time.monotonic() - began
    print(f"\nstop during three of {path}: {took:.1f} s, status {status}")
    assert took < at_once(STOP + 1)


@pytest.mark.parametrize("path", ["/", "/in-corso", "/giocatori", "/giocatori/x", "/file"])
def test_pages_of_a_device_with_a_thousand_matches(filled: Path, path: str) -> None:
    with serving(filled) as served:
        served.get("/salute")
        cost = Cost(served)
        with cost.measured():
            told = at_the_same_time(lambda _: served.get(path, OWNER, timeout=60)[0])
    print(f"\n{path} eight times: {dict(told)}, {cost}")
    assert set(told) <= {200, 404, 503}
    assert cost.memory < MOST_MEMORY
    assert max(cost.visitor.seconds) < at_once()
