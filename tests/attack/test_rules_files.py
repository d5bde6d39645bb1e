"""Files of house rules that were made to hold a pad up, sent by clients who go away."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import Served, Visitor, at_once, serving

pytestmark = pytest.mark.long

CLIENTS = 8
LARGEST = 32 * 1024
MOST_MEMORY = 300
"""MB."""
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
    with serving(tmp_path) as served:
        assert served.get(PAGE)[0] == 200
        yield served


def form_of(port: int, path: str = PAGE) -> tuple[dict[str, str], str]:
    """The hidden fields of a page, and its cookies."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    page = connection.getresponse()
    cookies = "; ".join(each.partition(";")[0] for each in page.headers.get_all("Set-Cookie") or [])
    fields = dict(re.findall(r'<input[^>]*name="(\w+)"[^>]*value="([^"]*)"', page.read().decode()))
    connection.close()
    return fields, cookies


def send(port: int, text: str) -> HTTPConnection:
    """Send a file of house rules from a new device; the connection on which the answer comes."""
    fields, cookies = form_of(port)
    body = ""
    for name, value in fields.items():
        body += f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    body += '--b\r\nContent-Disposition: form-data; name="file"; filename="casa.toml"\r\n\r\n'
    body += f"{text}\r\n--b--\r\n"
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Cookie": cookies, "Content-Type": "multipart/form-data; boundary=b"}
    connection.request("POST", f"{PAGE}file", body.encode(), headers)
    return connection


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_while_others_are_answered(attacked: Served, what: str) -> None:
    visitor = Visitor(attacked, ("/salute",), pause=0.05)
    with visitor.watching():
        time.sleep(0.3)
        began = time.perf_counter()
        connection = send(attacked.port, HOSTILE[what])
        status = connection.getresponse().status
        seconds = time.perf_counter() - began
        connection.close()
    print(
        f"\n{what}: {len(HOSTILE[what]):,} bytes, {status} after {seconds:.2f} s; {visitor.figures()}"
    )
    assert status in (413, 422)
    assert seconds < at_once(3)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY


@pytest.mark.parametrize(
    "what", ["spaces after a bracket in a text", "many unknown keys", "many unknown settings"]
)
def test_eight_files_whose_senders_have_gone_hold_nobody_up(attacked: Served, what: str) -> None:
    visitor = Visitor(attacked, ("/salute",), pause=0.05)
    with visitor.watching():
        for _ in range(CLIENTS):
            send(attacked.port, HOSTILE[what]).close()
        time.sleep(1)
        began = time.perf_counter()
        connection = send(attacked.port, HOSTILE[what])  # who sends one now waits for those before
        status = connection.getresponse().status
        seconds = time.perf_counter() - began
        connection.close()
    print(f"\neight times {what}: the ninth {status} after {seconds:.2f} s; {visitor.figures()}")
    assert status in (413, 422, 503)
    assert seconds < at_once(12)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY
