"""Whatever is sent to whichever route: no mistake of ours, no traceback, the headers on every
answer, memory level.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorepad.app import Config, create_app
from scorepad.matches.access import ADMIN
from scorepad.web.headers import ALWAYS, may_hold_key
from scorepad.web.text_search import stems
from tests.cookies import device_cookie
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start
from tests.web.requests_mutated import PLACES, SLOW, Mutants
from tests.web.ways_to_write import IN_A_MATCH

QUICK, LONG = 500, 100_000
LEVEL = 64 * 2**20
"""Octets by which the process may grow between the first tenth of a long run and its end."""
OF_ANY_HOST = {"app.health"}
"""What tells nothing of any match."""
AFRESH = 200
"""Requests after which the match is another: one of them may have deleted it."""


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """As it is served, but that nobody is refused for asking often: our own mistakes are answers
    too, and counted.
    """
    return create_app(Config(tmp_path / "scorepad.db", b"k" * 32, limited=False))


def mutants(app: Flask) -> Mutants:
    client = Client(app)
    url = start(client)
    play(app.extensions["scorepad"].pad, client, url, ALL_GOOD)
    forms = {}
    for way in IN_A_MATCH.values():
        if not way.by_other and way.page not in ("/regole", "/controllo"):
            page = client.get(f"{url}{way.page}")
            for form in page.all("form"):
                if form.get("method") == "post":
                    forms[
                        (form.get("action") or f"{url}{way.page}").replace(match_of(url), "*")
                    ] = page.values(form) | dict(way.typed)
    page = client.get("/partite/nuova")
    forms["/partite/nuova"] = page.values(page.form("Comincia: "))
    key = client.raw.get_cookie("scorepad_write", path=url)
    assert key is not None
    made = Mutants(app, match_of(url), device(client), key.value, forms)
    made.client = client.raw
    token = client.get("/").form("English").one("input", name="csrf_token")["value"]
    made.token = lambda: token
    return made


def run(app: Flask, first: int, last: int) -> Counter[int]:
    """How often each status was answered."""
    found: Counter[int] = Counter()
    made = mutants(app)
    for number in range(first, last):
        if number % AFRESH == 0 and number > first:
            _empty(app)
            made = mutants(app)
        asked, answer = made.send(number)
        found[answer.status_code] += 1
        is_safe(asked, answer)
    _empty(app)
    return found


def _empty(app: Flask) -> None:
    """Delete every match, so that the file does not grow."""
    pad = app.extensions["scorepad"].pad
    for match in pad.exports.list_visible_matches(ADMIN):
        pad.actions.delete(match, ADMIN)


def is_safe(asked: str, answer: Any) -> None:
    """No mistake of ours, and what every answer says of itself."""
    assert answer.status_code < 500 or (answer.status_code == 503 and "foglio" in asked), asked
    head = answer.headers
    for name, value in ALWAYS.items():
        if name == "Referrer-Policy" and may_hold_key(answer.request.path):
            assert head[name] == "no-referrer", asked
        elif name == "Content-Security-Policy":
            assert "default-src 'none'" in head[name], asked
            assert "unsafe" not in head[name], asked
        else:
            assert head[name] == value, asked
    assert "Server" not in head
    assert head.get("Cache-Control") or "/static/" in asked, asked
    if "Location" in head:
        ours = head["Location"].removeprefix(answer.request.host_url.rstrip("/"))
        assert re.fullmatch(r"/(?![/\\]).*", ours), asked
    if head.get("Content-Encoding") != "gzip":
        assert b"Traceback" not in answer.data, asked
        assert b"[project]" not in answer.data, asked
        assert b"root:" not in answer.data, asked
    assert "\n" not in "".join(value for _, value in head), asked
    if (
        answer.mimetype == "application/json"
        and answer.data
        and "gzip" not in head.get("Content-Encoding", "")
    ):
        json.loads(answer.data)


@pytest.mark.long
def test_no_request_is_a_mistake_of_ours(app: Flask) -> None:
    found = run(app, 0, QUICK)
    assert sum(found.values()) == QUICK
    assert {200, 303, 400, 404, 405} <= set(found), "they come as far as the rooms"


@pytest.mark.soak
def test_a_hundred_thousand_requests_are_no_mistake_of_ours_and_memory_stays_level(
    app: Flask,
) -> None:
    began, found = time.monotonic(), run(app, 1_000_000, 1_000_000 + LONG // 10)
    gc.collect()
    before = resident()
    found += run(app, 1_000_000 + LONG // 10, 1_000_000 + LONG)
    gc.collect()
    grown = resident() - before
    told = ", ".join(f"{status}: {times}" for status, times in sorted(found.items()))
    print(f"{sum(found.values())} mutated requests in {time.monotonic() - began:.0f} s: 0 mistakes; memory grew by "
          f"{grown / 2**20:.1f} MB after the first tenth ({told})")  # fmt: skip
    assert sum(found.values()) == LONG
    assert grown < LEVEL


def resident() -> int:
    """Octets of memory that this process holds now."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("only Linux tells what a process holds")
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * 4096


def test_every_route_and_every_error_carries_the_headers(app: Flask) -> None:
    made = mutants(app)
    headers = {"Cookie": f"scorepad_device={device_cookie(made.device)}"}
    for rule in made.rules:
        path = rule.rule
        for place, value in {**PLACES, "match": made.match}.items():
            path = path.replace(f"<{place}>", value)
        for method in ("GET", "POST", "PUT", "OPTIONS"):
            for host in ("evil.example", "localhost"):
                if host == "localhost" and (path.endswith(SLOW) or method == "PUT"):
                    continue
                browser = app.test_client(use_cookies=False)
                answer = browser.open(
                    path, method=method, headers=headers, base_url=f"http://{host}"
                )
                is_safe(f"{method} {path} of {host}", answer)
                if host == "evil.example" and rule.endpoint not in OF_ANY_HOST:
                    assert answer.status_code == 400, path
                answer.close()


def test_a_mistake_of_ours_tells_nobody_where(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret of the machine")

    client = Client(app)
    monkeypatch.setattr("scorepad.storage.rows.ReadTransaction.__init__", fail)
    for path in ("/", "/partite/x", "/api/v1/matches"):
        answer = client.raw.get(path, headers={"Authorization": "Bearer x"})
        assert answer.status_code in (500, 401), path
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.headers["Content-Security-Policy"]
    assert Page(client.raw.get("/"), "/").one("h1").text == "Qualcosa non ha funzionato"


def test_what_is_looked_for_does_not_stay_in_memory_for_ever(app: Flask) -> None:
    client = Client(app)
    for first in range(0, 30_000, 3000):
        words = "+".join(f"w{number:x}z" for number in range(first, first + 3000))
        assert client.raw.head(f"/regole/cerca?testo={words}").status_code == 200
    assert stems.cache_info().currsize <= 8192


def test_words_that_several_look_for_at_once_are_each_known_by_their_own_stems() -> None:
    """Italian takes -azione away, English the mute e."""
    long = "nazionalizzazione" * 3
    known = {
        long: {long.removesuffix("azione"), long.removesuffix("e")},
        "a": {"a"},
        "x" * 90: {"x" * 90},
    }

    def look(turn: int) -> list[str]:
        wrong = []
        for word in [*known][turn % 2 :] * 300:
            stems.cache_clear()
            if stems(word) != known[word]:
                wrong.append(word)
        return wrong

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as at_once:
            assert [*at_once.map(look, range(4))] == [[]] * 4
    finally:
        sys.setswitchinterval(interval)
