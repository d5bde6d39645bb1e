"""Files of house rules that were made to hold a pad up, sent by clients who go away."""

from __future__ import annotations

import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import CLIENTS, Visitor, at_once, serving

pytestmark = pytest.mark.long

LARGEST = 32 * 1024
PAGE = "/nostre-regole/"
HEAD = 'id = "casa"\nextends = "classica"\n'
HOSTILE = {
    "spaces after a bracket in a text": HEAD + 'zz = """\n[' + " " * (LARGEST - 60) + '\n"""\n',
    "many unknown keys": HEAD + "".join(f"k{number}=1\n" for number in range(3600)),
    "many unknown settings": HEAD
    + "".join(f"settings.k{number}.value=1\n" for number in range(1200)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_eight_files_whose_senders_have_gone_hold_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """What one such file costs is in `test_dear_requests.py`."""
    monkeypatch.setenv("SCOREPAD_VARIANTS", str(tmp_path))
    with serving(tmp_path) as served:
        visitor = Visitor(served, pause=0.05)
        with visitor.watching():
            for _ in range(CLIENTS):
                headers, body = served.form_with(text.encode(), {}, PAGE)
                connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
                connection.request("POST", f"{PAGE}file", body, headers)
                connection.close()
            time.sleep(1)
            began = time.perf_counter()
            headers, body = served.form_with(text.encode(), {}, PAGE)
            ninth = served.ask("POST", f"{PAGE}file", headers, body)  # it waits for those before
            took = time.perf_counter() - began
    visitor.was_not_disturbed(f"the ninth {ninth.status} after {took:.2f} s")
    assert ninth.status in (413, 422, 503)
    assert took < at_once(12)
