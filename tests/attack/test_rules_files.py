"""Files of house rules that were made to hold a pad up, sent by clients who go away; what one of
them costs is in test_dear_requests.py.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import Served, Visitor, at_once, form_with_file, serving

pytestmark = pytest.mark.long

CLIENTS = 8
LARGEST = 32 * 1024
MOST_MEMORY = 300
"""MB."""
PAGE = "/nostre-regole/"
HEAD = 'id = "casa"\nextends = "classica"\n'
HOSTILE = {
    "spaces after a bracket in a text": HEAD + 'zz = """\n[' + " " * (LARGEST - 60) + '\n"""\n',
    "many unknown keys": HEAD + "".join(f"k{number}=1\n" for number in range(3600)),
    "many unknown settings": HEAD
    + "".join(f"settings.k{number}.value=1\n" for number in range(1200)),
}


@pytest.fixture
def attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A pad with a folder of house rules of its own."""
    monkeypatch.setenv("SCOREPAD_VARIANTS", str(tmp_path / "rules"))
    (tmp_path / "rules").mkdir()
    with serving(tmp_path) as served:
        assert served.get(PAGE)[0] == 200
        yield served


def send(served: Served, text: str) -> HTTPConnection:
    """Send a file of house rules from a new device; the connection on which the answer comes."""
    body, headers = form_with_file(served, PAGE, text.encode(), browser={})
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("POST", f"{PAGE}file", body, headers)
    return connection


@pytest.mark.parametrize("what", HOSTILE)
def test_eight_files_whose_senders_have_gone_hold_nobody_up(attacked: Served, what: str) -> None:
    visitor = Visitor(attacked, ("/salute",), pause=0.05)
    with visitor.watching():
        for _ in range(CLIENTS):
            send(attacked, HOSTILE[what]).close()
        time.sleep(1)
        began = time.perf_counter()
        connection = send(attacked, HOSTILE[what])  # who sends one now waits for those before
        status = connection.getresponse().status
        seconds = time.perf_counter() - began
        connection.close()
    print(f"\neight times {what}: the ninth {status} after {seconds:.2f} s; {visitor.figures()}")
    assert status in (413, 422, 503)
    assert seconds < at_once(12)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY
