"""Files of house rules that were made to hold a pad up, sent by clients who go away."""

import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import CLIENTS, MOST_MEMORY, Visitor, at_once
from tests.attack.served import Browser, Served, parts_of, serving
from tests.soak.costs.shapes import TOML_LINES, TOML_VALUES

pytestmark = pytest.mark.long

LARGEST = 32 * 1024
PAGE = "/nostre-regole/"
HEAD = 'id = "casa"\nextends = "classica"\n'
SHAPES = TOML_LINES | TOML_VALUES
FULL = LARGEST - 100
HOSTILE = [(shape, FULL) for shape in SHAPES]
HOSTILE += [("dotted key", 2 * FULL), ("unknown keys", 2 * FULL)]


def hostile_file(shape: str, size: int) -> str:
    """A file of house rules that begins well, and goes on in a shape of `shapes.toml`."""
    begin = "zz = " if shape in TOML_VALUES else ""
    return f"{HEAD}{begin}{SHAPES[shape](size - len(HEAD))}\n"


@pytest.fixture
def attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A pad with a folder of house rules of its own."""
    monkeypatch.setenv("SCOREPAD_VARIANTS", str(tmp_path / "rules"))
    (tmp_path / "rules").mkdir()
    with serving(tmp_path / "scorepad.db") as served:
        assert served.get(PAGE).status == 200
        yield served


def send(served: Served, text: str) -> HTTPConnection:
    """Send a file of house rules from a new device; the connection on which the answer comes."""
    browser = Browser(served.port)
    body = parts_of(browser.hidden_fields(PAGE), text.encode(), "casa.toml")
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"Cookie": cookies, "Content-Type": "multipart/form-data; boundary=b"}
    connection.request("POST", f"{PAGE}file", body, headers)
    return connection


def status_of_file(served: Served, text: str, seconds: float) -> int:
    """The status of the answer to a file, which comes within so many seconds."""
    began = time.perf_counter()
    with closing(send(served, text)) as connection:
        status = connection.getresponse().status
    assert time.perf_counter() - began < at_once(seconds)
    return status


@pytest.mark.parametrize(("shape", "size"), HOSTILE)
def test_a_hostile_file_is_refused_while_others_are_answered(
    attacked: Served, shape: str, size: int
) -> None:
    file = hostile_file(shape, size)
    visitor = Visitor(attacked, pause=0.05)
    with visitor.watching():
        status = status_of_file(attacked, file, seconds=3)
    print(f"\n{shape}: {len(file):,} bytes, {status}; {visitor.figures()}")
    assert status in (413, 422)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY


@pytest.mark.parametrize(
    "shape", ["opening bracket and blanks", "unknown keys", "unknown settings"]
)
def test_eight_files_whose_senders_have_gone_hold_nobody_up(attacked: Served, shape: str) -> None:
    file = hostile_file(shape, FULL)
    visitor = Visitor(attacked, pause=0.05)
    with visitor.watching():
        for _ in range(CLIENTS):
            send(attacked, file).close()
        time.sleep(1)
        # Who sends a file now waits for those before.
        status = status_of_file(attacked, file, seconds=12)
    print(f"\neight times {shape}: the ninth {status}; {visitor.figures()}")
    assert status in (413, 422, 503)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY
