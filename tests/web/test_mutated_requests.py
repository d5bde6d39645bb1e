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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad.app import Config, create_app
from scorepad.matches.access import ADMIN
from scorepad.rules.variants import offer_own_variants
from scorepad.web.headers import ALWAYS, may_hold_key
from scorepad.web.text_search import stems
from tests.cookies import device_cookie
from tests.web.client import Client
from tests.web.conftest import setup_of
from tests.web.playing import HAND_430_TO_60, device, keys_of, match_of, play, start
from tests.web.requests_mutated import PLACES, SLOW, Mutants
from tests.web.ways_to_write import IN_A_MATCH, token_of

MOST_GROWTH = 64 * 2**20
"""Octets by which the process may grow between the first tenth of a long run and its end."""
ANSWERED_UNDER_ANY_HOST = {"app.health"}
"""Endpoints that tell nothing of any match."""
REQUESTS_OF_A_MATCH = 200
"""Requests after which the match is another: one of them may have deleted it."""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application as it is served, with a folder for house rules and not for testing, so that
    errors are answered with 500; but without rate limits.
    """
    offer_own_variants(tmp_path / "house")
    yield create_app(Config(tmp_path / "scorepad.db", b"k" * 32, limited=False))
    offer_own_variants(None)


def make_mutants(app: Flask) -> Mutants:
    """Mutated requests of a phone that has a match with a hand."""
    client = Client(app)
    url = start(client)
    play(setup_of(app).pad, client, url, HAND_430_TO_60)
    key = keys_of(client, url).write
    requests = Mutants(app, match_of(url), device(client), key, forms_of(client, url))
    requests.client = client.raw
    token = token_of(client)
    requests.token = lambda: token
    return requests


def forms_of(client: Client, url: str) -> dict[str, dict[str, str]]:
    """What the forms of a match and the one that begins a match send, by their address."""
    page = client.get("/partite/nuova")
    forms = {page.url: page.form_values("Comincia: ")}
    for way in IN_A_MATCH.values():
        if way.by_other or way.page in ("/regole", "/controllo"):
            continue
        page = client.get(f"{url}{way.page}")
        for form in page.all("form", method="post"):
            address = form.get("action") or f"{url}{way.page}"
            forms[address.replace(match_of(url), "*")] = page.values(form) | dict(way.typed)
    return forms


def send_requests(app: Flask, first: int, last: int) -> Counter[int]:
    """Send the requests of these numbers; how often each status was answered."""
    statuses: Counter[int] = Counter()
    requests = make_mutants(app)
    for number in range(first, last):
        if number % REQUESTS_OF_A_MATCH == 0 and number > first:
            delete_matches(app)
            requests = make_mutants(app)
        described, answer = requests.send(number)
        statuses[answer.status_code] += 1
        check_answer(described, answer)
    delete_matches(app)
    return statuses


def delete_matches(app: Flask) -> None:
    """Delete every match, so that the file does not grow."""
    pad = setup_of(app).pad
    for match in pad.exports.list_visible_matches(ADMIN):
        pad.actions.delete(match, ADMIN)


def check_answer(request: str, answer: TestResponse) -> None:
    """The answer is no server error, has the headers of every answer and tells no secret."""
    is_busy_with_papers = answer.status_code == 503 and "foglio" in request
    assert answer.status_code < 500 or is_busy_with_papers, request
    check_headers(request, answer)
    if answer.headers.get("Content-Encoding") == "gzip":
        return
    for secret in (b"Traceback", b"[project]", b"root:"):
        assert secret not in answer.data, request
    if answer.mimetype == "application/json" and answer.data:
        json.loads(answer.data)


def check_headers(request: str, answer: TestResponse) -> None:
    """The answer has the security headers, may not be kept by caches and redirects only to us."""
    headers = answer.headers
    expected = dict(ALWAYS)
    del expected["Content-Security-Policy"]  # it differs between pages and papers
    if may_hold_key(answer.request.path):
        expected["Referrer-Policy"] = "no-referrer"
    for name, value in expected.items():
        assert headers[name] == value, request

    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, request
    assert "unsafe" not in policy, request
    assert "Server" not in headers
    if "/static/" not in request:
        assert headers["Cache-Control"], request
    for _name, value in headers:
        assert "\n" not in value, request
    if "Location" in headers:
        path = headers["Location"].removeprefix(answer.request.host_url.rstrip("/"))
        assert re.fullmatch(r"/(?![/\\]).*", path), f"{request}: a redirect to another host"


@pytest.mark.long
def test_mutated_requests_cause_no_server_error(app: Flask) -> None:
    statuses = send_requests(app, first=0, last=500)
    assert sum(statuses.values()) == 500
    assert {200, 303, 400, 404, 405} <= set(statuses), "some of each come as far as the views"


@pytest.mark.soak
def test_a_hundred_thousand_requests_cause_no_error_and_no_leak(app: Flask) -> None:
    """Memory is measured after the first tenth, in which caches are filled."""
    began = time.monotonic()
    statuses = send_requests(app, first=1_000_000, last=1_010_000)
    gc.collect()
    memory_before = resident_memory()
    statuses += send_requests(app, first=1_010_000, last=1_100_000)
    gc.collect()
    growth = resident_memory() - memory_before
    seconds = time.monotonic() - began

    number = sum(statuses.values())
    print(
        f"{number} mutated requests in {seconds:.0f} s; statuses: {dict(sorted(statuses.items()))}"
    )
    print(f"memory grew by {growth / 2**20:.1f} MB after the first tenth")
    assert number == 100_000
    assert growth < MOST_GROWTH


def resident_memory() -> int:
    """Octets of memory that this process holds now."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("only Linux tells what a process holds")
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * 4096


def test_every_route_sends_the_security_headers(app: Flask) -> None:
    requests = make_mutants(app)
    browser = app.test_client(use_cookies=False)
    headers = {"Cookie": f"scorepad_device={device_cookie(requests.device)}"}

    def checked_status(method: str, path: str, host: str) -> int:
        """Send a request to this host, check the answer and return its status."""
        url = f"http://{host}"
        with browser.open(path, method=method, headers=headers, base_url=url) as answer:
            check_answer(f"{method} {path} of {host}", answer)
            return int(answer.status_code)

    values_of_arguments = {**PLACES, "match": requests.match}
    for rule in requests.rules:
        path = rule.rule
        for argument, value in values_of_arguments.items():
            path = path.replace(f"<{argument}>", value)
        for method in ("GET", "POST", "PUT", "OPTIONS"):
            status = checked_status(method, path, "evil.example")
            assert status == 400 or rule.endpoint in ANSWERED_UNDER_ANY_HOST, path
            if method != "PUT" and not path.endswith(SLOW):
                checked_status(method, path, "localhost")


def test_server_error_page_tells_no_details(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret of the machine")

    client = Client(app)
    monkeypatch.setattr("scorepad.storage.rows.ReadTransaction.__init__", fail)

    page = client.get("/", status=500)
    answer = client.raw.get("/api/v1/matches", headers={"Authorization": "Bearer x"})

    assert page.heading == "Qualcosa non ha funzionato"  # "Something did not work"
    for text in (page.answer.text, answer.text):
        assert "secret" not in text
        assert "Traceback" not in text


def test_cache_of_search_words_is_bounded(app: Flask) -> None:
    client = Client(app)
    words_of_search = 3000
    for first in range(0, 10 * words_of_search, words_of_search):
        new_words = [f"w{number:x}z" for number in range(first, first + words_of_search)]
        answer = client.raw.head(f"/regole/cerca?testo={'+'.join(new_words)}")
        assert answer.status_code == 200
    assert stems.cache_info().currsize <= 8192


def test_stems_are_right_when_several_threads_ask_at_once() -> None:
    long_word = "nazionalizzazione" * 3
    italian_stem = long_word.removesuffix("azione")
    english_stem = long_word.removesuffix("e")
    stems_of_words = {
        long_word: {italian_stem, english_stem},
        "a": {"a"},
        "x" * 90: {"x" * 90},
    }

    def look_up_often(_thread: int) -> None:
        for _ in range(300):
            for word, expected_stems in stems_of_words.items():
                stems.cache_clear()
                assert stems(word) == expected_stems

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns as often as they can
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(look_up_often, range(4)))
    finally:
        sys.setswitchinterval(interval)
