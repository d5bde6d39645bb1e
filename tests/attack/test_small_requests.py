"""Small requests made to be dear: JSON of a hand or a question, and the typed fields of a hand.

python -m pytest -m "long or not long" tests/attack/test_small_requests.py -s
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import Served, Visitor, at_once, serving

MOST_SECONDS = 1.0
"""Of the processor, for one request."""
MOST_MEMORY = 300
"""MB more than the idle server, with eight clients at once."""
LARGEST_ANSWER = 800_000
FULL = 256 * 1024
CLASSICA = '{"variant":"classica",'
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
LETTERS = "".join(f"{rank}{suit} " for rank in RANKS for suit in "hdsc")


def hand(side: str, names: tuple[str, ...] = ("noi",)) -> str:
    sides = ",".join(f"{json.dumps(name)}:{side}" for name in names)
    return f'{CLASSICA}"sides":{{{sides}}}}}'


def filled(begin: str, part: str, end: str) -> str:
    """As many parts as a body may have."""
    return begin + ",".join([part] * ((FULL - len(begin) - len(end)) // (len(part) + 1))) + end


MELDS = ["3", "zz", "2x2", "3r 3r", "K Q J", "Kh Qh Qd 2 2 2 2", "7xK 4x2", "999999999999xK"] * 12
SCORES = {
    "empty melds": filled(CLASSICA + '"sides":{"noi":{"melds":[', '""', "]}}}"),
    "melds that are numbers": filled(CLASSICA + '"sides":{"noi":{"melds":[', "1", "]}}}"),
    "melds with unknown keys": filled(CLASSICA + '"sides":{"noi":{"melds":[', '{"a":1}', "]}}}"),
    "hands left": filled(CLASSICA + '"sides":{"noi":{"left":[', '""', "]}}}"),
    "adjustments": filled(
        CLASSICA + '"sides":{"noi":{"adjustments":[', '{"points":5,"reason":"x"}', "]}}}"
    ),
    "penalties": filled(CLASSICA + '"sides":{"noi":{"penalties":[', '"x"', "]}}}"),
    "sides": hand("{}", tuple(f"s{number}" for number in range(20_000))),
    "unknown keys": CLASSICA + ",".join(f'"k{number}":1' for number in range(25_000)) + "}",
    "one long card string": hand('{"melds":["' + "99xK " * 52_000 + '"]}'),
    "one long token": hand('{"melds":["' + "x" * 260_000 + '"]}'),
    "brackets": "[" * FULL,
    "objects": '{"a":' * (FULL // 5),
    "wrong melds of strangers": hand(
        json.dumps(
            {
                "melds": MELDS,
                "penalties": ["x" * 60] * 100,
                "adjustments": [{"points": 3, "reason": "x"}] * 60,
            }
        ),
        tuple('"' * 59 + str(number) for number in range(4)),
    ),
    "totals": json.dumps(
        {
            "variant": "cubana",
            "sides": {
                "noi": {
                    "totals": {
                        "cards": 1500,
                        "canastas": {"natural-canasta": 3, "mixed-canasta": 2},
                    }
                }
            },
        }
    ),
}
QUESTIONS = {
    "unknown keys": '{"kind":"meld",'
    + ",".join(f'"k{number}":1' for number in range(25_000))
    + "}",
    "melds": filled('{"kind":"opening","variant":"classica","melds":[', '""', "]}"),
    "a hand of Bolivia": json.dumps(
        {"kind": "opening", "variant": "bolivia", "score": 3000, "hand": f"{LETTERS} 3x2 JK"}
    ),
    "a whole pack of Bolivia": json.dumps(
        {"kind": "out", "variant": "bolivia", "table": [], "hand": LETTERS * 3 + "12x2 6xJK"}
    ),
    "a whole pack of Mexican canasta": json.dumps(
        {
            "kind": "opening",
            "variant": "messicana",
            "score": 3000,
            "hand": LETTERS * 3 + "12x2 6xJK",
        }
    ),
    "half a pack of samba": json.dumps(
        {"kind": "opening", "variant": "samba", "score": 3000, "hand": f"{LETTERS} 3x2"}
    ),
}
REQUESTS = [("score", name, body) for name, body in SCORES.items()]
REQUESTS += [("rulings", name, body) for name, body in QUESTIONS.items()]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("small-requests")) as server:
        server.get("/api/v1/variants")
        yield server


def post(served: Served, path: str, body: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=120)
    try:
        connection.request(
            "POST", f"/api/v1/{path}", body.encode()[:FULL], {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def processor_seconds(served: Served) -> float:
    """What the server has used of the processor."""
    fields = Path(f"/proc/{served.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "name", "body"), REQUESTS, ids=[f"{path}: {name}" for path, name, _ in REQUESTS]
)
def test_one_request_is_answered_shortly_and_cheaply(
    served: Served, path: str, name: str, body: str
) -> None:
    post(served, path, "{}")
    before = processor_seconds(served)
    status, answer = post(served, path, body)
    used = processor_seconds(served) - before
    print(f"{path}, {name}: {len(body)} characters, {used:.2f} s, {status}, {len(answer)} bytes")
    assert status in (200, 400)
    assert used <= MOST_SECONDS
    assert len(answer) <= LARGEST_ANSWER
    if status == 400:
        assert json.loads(answer)["code"] == "unusable"
        assert len(answer) < 1000


DEAREST = [
    ("score", "empty melds", SCORES["empty melds"]),
    ("score", "wrong melds of strangers", SCORES["wrong melds of strangers"]),
    ("rulings", "a whole pack of Mexican canasta", QUESTIONS["a whole pack of Mexican canasta"]),
    ("rulings", "half a pack of samba", QUESTIONS["half a pack of samba"]),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "name", "body"), DEAREST, ids=[f"{path}: {name}" for path, name, _ in DEAREST]
)
def test_others_are_answered_while_eight_clients_ask(
    served: Served, path: str, name: str, body: str
) -> None:
    visitor = Visitor(served, ("/", "/salute"), pause=0.05)
    statuses: list[int] = []
    idle = served.memory()

    def ask() -> None:
        ends = time.monotonic() + 4
        while time.monotonic() < ends:
            statuses.append(post(served, path, body)[0])

    with visitor.watching():
        run_at_once([ask] * 8)
    print(f"{path}, {name}: {len(statuses)} answers; {visitor.figures()}; idle {idle:.0f} MB")
    assert set(statuses) <= {200, 400, 503}
    assert max(visitor.seconds) <= at_once()
    assert max(visitor.memory) - idle <= MOST_MEMORY


def run_at_once(calls: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
