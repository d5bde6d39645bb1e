"""Random and broken requests to every route: no server error, no traceback, the security headers on
every answer, and memory that does not grow.
"""

from __future__ import annotations

import gc
import json
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
from tests.web.requests_mutated import PLACES, Mutants
from tests.web.ways_to_write import IN_A_MATCH, token_of


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application as it is served: an error is answered with status 500 rather than raised. It
    has a folder for house rules. Only the rate limits are off, because thousands of requests come.
    """
    offer_own_variants(tmp_path / "house")
    yield create_app(Config(tmp_path / "scorepad.db", b"k" * 32, limited=False))
    offer_own_variants(None)


def make_mutants(app: Flask) -> Mutants:
    """Start a match with one hand, and return what makes and sends random requests from its phone.

    Each request is a form or link of the pages with something changed.
    """
    phone = Client(app)
    url = start(phone)
    play(setup_of(app).pad, phone, url, HAND_430_TO_60)
    key = keys_of(phone, url).write
    mutants = Mutants(app, match_of(url), device(phone), key, forms_of(phone, url))

    # The requests have the phone's session, and the CSRF token that belongs to it. Otherwise all
    # would be refused before they reach the views.
    mutants.client = phone.raw
    token = token_of(phone)
    mutants.token = lambda: token
    return mutants


def forms_of(client: Client, url: str) -> dict[str, dict[str, str]]:
    """Return the fields that the forms of the pages send, by the address that they are sent to.

    The identifier of the match is replaced by `*`, as in `/partite/*/nomi`.
    """
    # The form of a new match, with the button "Begin: …".
    new_match = client.get("/partite/nuova")
    forms = {new_match.url: new_match.form_values("Comincia: ")}

    # A form in the match has the path of its page, such as "/nomi", and what is typed into it.
    # Skipped are forms that only another phone is shown, or a match in another state.
    for listed_form in IN_A_MATCH.values():
        if listed_form.by_other or listed_form.page in ("/regole", "/controllo"):
            continue
        page_url = f"{url}{listed_form.page}"
        page = client.get(page_url)
        for form in page.all("form", method="post"):
            address = form.get("action") or page_url
            address = address.replace(match_of(url), "*")
            forms[address] = page.values(form) | dict(listed_form.typed)
    return forms


def send_requests(app: Flask, first: int, last: int) -> Counter[int]:
    """Send the random requests of these numbers, and count the statuses of the answers.

    Each request is made from its number, so that one that fails can be repeated.
    """
    statuses: Counter[int] = Counter()
    for begin in range(first, last, 200):
        # A random request may delete the match. So every 200 requests have a match of their own.
        mutants = make_mutants(app)
        for number in range(begin, min(begin + 200, last)):
            described, answer = mutants.send(number)
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
    """Check that an answer is no server error, has the security headers and tells no secret."""
    # A sheet to print ("foglio") may be refused while too many of them are being made.
    is_busy_with_sheets = answer.status_code == 503 and "foglio" in request
    assert answer.status_code < 500 or is_busy_with_sheets, request
    check_headers(request, answer)
    check_redirect(request, answer)

    if answer.headers.get("Content-Encoding") == "gzip":
        return  # the text cannot be searched

    # A Python error, our pyproject.toml, and /etc/passwd.
    for secret in (b"Traceback", b"[project]", b"root:"):
        assert secret not in answer.data, request
    if answer.mimetype == "application/json" and answer.data:
        json.loads(answer.data)


def check_headers(request: str, answer: TestResponse) -> None:
    """Check that the answer to a request has the security headers, and says how it may be cached.

    The request is a text for the message of a failure: its method, address and fields.
    """
    headers = answer.headers
    expected = dict(ALWAYS)
    del expected["Content-Security-Policy"]  # it differs between pages and sheets to print
    if may_hold_key(answer.request.path):
        # The address holds a secret, and no other page may learn it.
        expected["Referrer-Policy"] = "no-referrer"
    for name, value in expected.items():
        assert headers[name] == value, request

    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, request
    assert "unsafe" not in policy, request

    assert "Server" not in headers  # it would tell the version of the software
    if "/static/" not in request:
        assert headers["Cache-Control"], request
    for _name, value in headers:
        assert "\n" not in value, request


def check_redirect(request: str, answer: TestResponse) -> None:
    """Check that an answer, if it is a redirect, does not lead to another host."""
    if "Location" in answer.headers:
        own_host = answer.request.host_url.rstrip("/")
        path = answer.headers["Location"].removeprefix(own_host)
        assert path.startswith("/"), request
        # A browser reads "//" or "/\" at the beginning as the start of another host.
        assert not path.startswith(("//", "/\\")), request


@pytest.mark.long
def test_mutated_requests_cause_no_server_error(app: Flask) -> None:
    # Each answer is checked as soon as it comes.
    statuses = send_requests(app, first=0, last=500)

    # The requests are not so broken that all are refused: pages are shown and forms accepted.
    assert sum(statuses.values()) == 500
    assert {200, 303, 400, 404, 405} <= set(statuses)


@pytest.mark.soak
def test_a_hundred_thousand_requests_cause_no_error_and_no_leak(app: Flask) -> None:
    began = time.monotonic()

    # The first tenth of the requests fills the caches. Memory is measured after it.
    statuses = send_requests(app, first=1_000_000, last=1_010_000)
    gc.collect()
    memory_before = resident_memory()

    # From now on nothing more should be kept.
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
    assert growth < 64 * 2**20  # 64 MB


def resident_memory() -> int:
    """Return the bytes of memory that this process holds now."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("only Linux tells what a process holds")
    _whole, resident, *_others = statm.read_text("utf-8").split()
    return int(resident) * 4096  # it is given in pages of 4096 bytes


def test_every_route_sends_the_security_headers(app: Flask) -> None:
    # All requests come from a phone that has a match.
    requests = make_mutants(app)
    browser = app.test_client(use_cookies=False)
    headers = {"Cookie": f"scorepad_device={device_cookie(requests.device)}"}

    def ask_and_check(method: str, path: str, host: str) -> int:
        """Send a request with this host name, check the headers and the text of the answer, and
        return its status.
        """
        url = f"http://{host}"
        with browser.open(path, method=method, headers=headers, base_url=url) as answer:
            check_answer(f"{method} {path} of {host}", answer)
            return int(answer.status_code)

    # The arguments of a route are filled in: `<int:number>` becomes 1.
    values_of_arguments = {**PLACES, "match": requests.match}
    for rule in requests.rules:
        path = rule.rule
        for argument, value in values_of_arguments.items():
            path = path.replace(f"<{argument}>", value)

        for method in ("GET", "POST", "PUT", "OPTIONS"):
            # A wrong host name is refused, except by the health check, which tells nothing secret.
            status = ask_and_check(method, path, "evil.example")
            assert status == 400 or rule.endpoint == "app.health", path

            # Under its own name, the sheets and pictures are left out, which take long to make.
            if method != "PUT" and not path.endswith((".pdf", ".png")):
                ask_and_check(method, path, "localhost")


def test_server_error_page_tells_no_details(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret of the machine")

    # Every request that reads the data file fails.
    client = Client(app)
    monkeypatch.setattr("scorepad.storage.rows.ReadTransaction.__init__", fail)

    page = client.get("/", status=500)
    answer = client.raw.get("/api/v1/matches", headers={"Authorization": "Bearer x"})

    assert page.heading == "Qualcosa non ha funzionato"  # "Something did not work"
    for text in (page.answer.text, answer.text):
        assert "secret" not in text
        assert "Traceback" not in text


def test_cache_of_search_words_is_bounded(app: Flask) -> None:
    # The stem of each word that is searched for is cached.
    client = Client(app)

    # Ten searches follow, each for 3,000 words that were not searched for before.
    for first in range(0, 30_000, 3000):
        new_words = [f"w{number:x}z" for number in range(first, first + 3000)]
        search_text = "+".join(new_words)
        answer = client.raw.head(f"/regole/cerca?testo={search_text}")
        assert answer.status_code == 200

    assert stems.cache_info().currsize <= 8192


def test_stems_are_right_when_several_threads_ask_at_once() -> None:
    # A word has a stem in each language, and the same one twice counts once.
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
                stems.cache_clear()  # so that the stem is computed again
                assert stems(word) == expected_stems

    # Python switches between threads as often as it can, so that they meet within one computation.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(look_up_often, range(4)))
    finally:
        sys.setswitchinterval(interval)
