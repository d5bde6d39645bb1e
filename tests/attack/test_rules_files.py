"""Files of house rules that were made to hold a pad up, sent by clients who go away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import CLIENTS, MOST_MEMORY, Visitor, at_once
from tests.attack.served import Browser, Served, parts_of, serving

pytestmark = pytest.mark.long

LARGEST = 32 * 1024
PAGE = "/nostre-regole/"
HEAD = 'id = "casa"\nextends = "classica"\n'
HOSTILE = {
    "spaces after a bracket in a text": HEAD + 'zz = """\n[' + " " * (LARGEST - 60) + '\n"""\n',
    "a key of many parts": HEAD + ".".join("a" * (LARGEST // 2 - 30)) + " = 1\n",
    "a key of many parts, 64 kB": HEAD + ".".join("a" * (LARGEST - 30)) + " = 1\n",
    "many unknown keys": HEAD + "".join(f"k{number}=1\n" for number in range(3600)),
    "many unknown keys, 58 kB": HEAD + "".join(f"k{number}=1\n" for number in range(7500)),
    "many unknown settings": HEAD
    + "".join(f"settings.k{number}.value=1\n" for number in range(1200)),
    "deep lists": HEAD + "x = " + "[" * (LARGEST - 100),
    "deep tables": HEAD + "x = " + "{a=" * 10_000,
    "a long number": HEAD.replace('"classica"', "0x" + "f" * 30_000),
    "many citations": HEAD + "[settings.dealt]\nvalue = 13\ncite = [" + '"x",' * 8000 + "]\n",
}


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


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_while_others_are_answered(attacked: Served, what: str) -> None:
    visitor = Visitor(attacked, pause=0.05)
    with visitor.watching():
        status = status_of_file(attacked, HOSTILE[what], seconds=3)
    print(f"\n{what}: {len(HOSTILE[what]):,} bytes, {status}; {visitor.figures()}")
    assert status in (413, 422)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY


@pytest.mark.parametrize(
    "what", ["spaces after a bracket in a text", "many unknown keys", "many unknown settings"]
)
def test_eight_files_whose_senders_have_gone_hold_nobody_up(attacked: Served, what: str) -> None:
    visitor = Visitor(attacked, pause=0.05)
    with visitor.watching():
        for _ in range(CLIENTS):
            send(attacked, HOSTILE[what]).close()
        time.sleep(1)
        # Who sends a file now waits for those before.
        status = status_of_file(attacked, HOSTILE[what], seconds=12)
    print(f"\neight times {what}: the ninth {status}; {visitor.figures()}")
    assert status in (413, 422, 503)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY
