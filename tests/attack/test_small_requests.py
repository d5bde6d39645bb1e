"""Small requests of the API that were made to be costly: JSON of a hand, or of a question.

python -m pytest -m "long or not long" tests/attack/test_small_requests.py -s
"""

import json
import time
from collections.abc import Iterator
from http import HTTPStatus

import pytest

from tests.attack.load import MOST_MEMORY, Visitor, at_once, run_at_once
from tests.attack.processes import processor_of
from tests.attack.served import Answer, Browser, Served, serving
from tests.data import read_data
from tests.soak.costs.shapes import shape_of

LARGEST_BODY = 256 * 1024
"""Bytes that a request of the API may have."""
# A hand with 80,000 empty melds, for example. `score` and `rulings` are the paths of requests.
SHAPES = read_data("attack/small-requests.toml")
SIDES_WITH_HOSTILE_NAMES = "wrong melds of strangers"
REQUESTS = [(path, name) for path in SHAPES for name in SHAPES[path]]


def make_body(path: str, name: str) -> bytes:
    """Return the body of the request of this name."""
    if name == SIDES_WITH_HOSTILE_NAMES:
        return make_sides_with_hostile_names()

    # It is either text as it is, or a shape that is made as large as a request may be.
    shape = SHAPES[path][name]
    text = shape["text"] if "text" in shape else shape_of(dict(shape))(LARGEST_BODY - 1000)
    assert len(text) <= LARGEST_BODY
    return text.encode()


def make_sides_with_hostile_names() -> bytes:
    """Return a hand with many mistakes, of sides whose names consist of quotation marks.

    The answer names the side with each mistake, and has to escape each of these marks.
    """
    melds = ["3", "zz", "2x2", "3r 3r", "K Q J", "Kh Qh Qd 2 2 2 2", "7xK 4x2", "999999999999xK"]
    side = {
        "melds": melds * 12,
        "penalties": ["x" * 60] * 100,
        "adjustments": [{"points": 3, "reason": "x"}] * 60,
    }
    quotes = '"' * 59
    sides = {f"{quotes}{number}": side for number in range(4)}
    return json.dumps({"variant": "classica", "sides": sides}).encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Start a server for all tests, and ask it once for what it loads at the first request."""
    with serving(tmp_path_factory.mktemp("small-requests") / "scorepad.db") as server:
        server.get("/api/v1/variants")
        yield server


def post(served: Served, path: str, body: bytes) -> Answer:
    kind = "application/json"
    return Browser(served.port).ask("POST", f"/api/v1/{path}", body, Content_Type=kind)


@pytest.mark.long
@pytest.mark.parametrize(("path", "name"), [*REQUESTS, ("score", SIDES_WITH_HOSTILE_NAMES)])
def test_hostile_request_is_cheap(served: Served, path: str, name: str) -> None:
    # The first request of a kind loads what all of them need.
    post(served, path, b"{}")

    used_before = processor_of(served.pid)
    answer = post(served, path, make_body(path, name))
    used = processor_of(served.pid) - used_before

    # It takes a second of processor at most, and its answer 800 kB, or less if it was refused.
    print(f"{path}, {name}: {used:.2f} s, {answer.status}, {len(answer.body)} bytes")
    assert answer.status in (HTTPStatus.OK, HTTPStatus.BAD_REQUEST)
    assert used <= 1.0
    assert len(answer.body) <= 800_000
    if answer.status == HTTPStatus.BAD_REQUEST:
        assert answer.json["code"] == "unusable"
        assert len(answer.body) < 1000


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("score", "empty melds"),
        ("score", SIDES_WITH_HOSTILE_NAMES),
        ("rulings", "a whole pack of Mexican canasta"),
        ("rulings", "half a pack of samba"),
    ],
)
def test_hostile_requests_do_not_delay_others(served: Served, path: str, name: str) -> None:
    visitor = Visitor(served, ("/", "/salute"), pause=0.05)
    body = make_body(path, name)
    end = time.monotonic() + 4
    expected = {HTTPStatus.OK, HTTPStatus.BAD_REQUEST, HTTPStatus.SERVICE_UNAVAILABLE}

    # For four seconds eight clients send the request again and again, while a visitor opens pages.
    def ask_until_end(_client: int) -> Answer:
        answer = post(served, path, body)
        while time.monotonic() < end:
            assert answer.status in expected
            answer = post(served, path, body)
        return answer

    with visitor.watching():
        statuses = run_at_once(ask_until_end)

    print(f"{path}, {name}: {visitor.figures()}")
    assert set(statuses) <= expected
    assert max(visitor.seconds) <= at_once()
    assert visitor.memory_taken <= MOST_MEMORY
