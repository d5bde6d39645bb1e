"""Small requests of the API that were made to be costly: JSON of a hand, or of a question.

python -m pytest -m "long or not long" tests/attack/test_small_requests.py -s
"""

import json
import time
from collections.abc import Iterator
from http import HTTPStatus

import pytest

from tests.attack.load import Visitor, at_once, run_at_once
from tests.attack.processes import processor_of
from tests.attack.served import Answer, Browser, Served, serving
from tests.data import read_data
from tests.soak.costs.shapes import shape_of

# A hand with 80,000 empty melds, for example. `score` and `rulings` are the paths of requests.
SHAPES = read_data("attack/small-requests.toml")
SIDES_WITH_HOSTILE_NAMES = "wrong melds of strangers"
REQUESTS = [(path, name) for path in SHAPES for name in SHAPES[path]]


def make_body(path: str, name: str) -> bytes:
    """Return the body of the hostile request of this name, which is sent to this path."""
    if name == SIDES_WITH_HOSTILE_NAMES:
        return make_sides_with_hostile_names()

    # A row of the file has a text as it is, or tells how one is made that grows: {repeat = "["}.
    row = dict(SHAPES[path][name])
    if "text" in row:
        text: str = row["text"]
    else:
        # A body may have 256 KiB. The text can become a bit longer than it is asked for.
        make_text = shape_of(row)
        text = make_text(256 * 1024 - 1000)
    assert len(text) <= 256 * 1024
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
    # A hostile request is, for example, a hand with 80,000 empty melds.
    body = make_body(path, name)

    # The first request of a kind loads what all of them need.
    post(served, path, b"{}")

    # The seconds of the processor are counted that the server uses for the answer.
    used_before = processor_of(served.pid)
    answer = post(served, path, body)
    used = processor_of(served.pid) - used_before

    # It takes one at most, and its answer has 800 kB at most.
    print(f"{path}, {name}: {used:.2f} s, {answer.status}, {len(answer.body)} bytes")
    assert answer.status in (HTTPStatus.OK, HTTPStatus.BAD_REQUEST)
    assert used <= 1.0
    assert len(answer.body) <= 800_000

    # A refusal is short: it does not repeat what was sent.
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
    body = make_body(path, name)
    expected = {HTTPStatus.OK, HTTPStatus.BAD_REQUEST, HTTPStatus.SERVICE_UNAVAILABLE}
    end = time.monotonic() + 4

    def send_until_end(_client: int) -> Answer:
        """Send the hostile request again and again, for four seconds. Return the last answer."""
        while True:
            answer = post(served, path, body)
            assert answer.status in expected
            if time.monotonic() >= end:
                return answer

    # Eight clients do so at the same time, while a visitor opens two pages.
    visitor = Visitor(served, ("/", "/salute"), pause=0.05)
    with visitor.watching():
        statuses = run_at_once(send_until_end)

    # These are the statuses of the last answers: the others were checked as they came.
    print(f"{path}, {name}: {visitor.figures()}")
    assert set(statuses) <= expected

    # The visitor waited for a page a second at most, or longer on a machine that other programs keep
    # busy. The server took 300 MB at most above the idle one.
    assert max(visitor.seconds) <= at_once()
    assert visitor.memory_taken <= 300
