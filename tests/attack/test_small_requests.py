"""Small requests made to be dear: JSON of a hand or a question, and the typed fields of a hand.

python -m pytest -m "long or not long" tests/attack/test_small_requests.py -s
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from tests.attack.load import MOST_MEMORY, Visitor, at_once, run_at_once
from tests.attack.processes import processor_of
from tests.attack.served import Answer, Browser, Served, serving

MOST_SECONDS = 1.0
"""Of the processor, for one request."""
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

REQUESTS = [("score", name) for name in SCORES] + [("rulings", name) for name in QUESTIONS]
BODIES = {"score": SCORES, "rulings": QUESTIONS}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("small-requests") / "scorepad.db") as server:
        server.get("/api/v1/variants")
        yield server


def post(served: Served, path: str, body: str) -> Answer:
    octets = body.encode()[:FULL]
    kind = "application/json"
    return Browser(served.port).ask("POST", f"/api/v1/{path}", octets, Content_Type=kind)


@pytest.mark.long
@pytest.mark.parametrize(("path", "name"), REQUESTS)
def test_one_request_is_answered_shortly_and_cheaply(served: Served, path: str, name: str) -> None:
    post(served, path, "{}")
    before = processor_of(served.pid)
    answer = post(served, path, BODIES[path][name])
    used = processor_of(served.pid) - before
    print(f"{path}, {name}: {used:.2f} s, {answer.status}, {len(answer.body)} bytes")
    assert answer.status in (200, 400)
    assert used <= MOST_SECONDS
    assert len(answer.body) <= LARGEST_ANSWER
    if answer.status == 400:
        assert answer.json["code"] == "unusable"
        assert len(answer.body) < 1000


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("score", "empty melds"),
        ("score", "wrong melds of strangers"),
        ("rulings", "a whole pack of Mexican canasta"),
        ("rulings", "half a pack of samba"),
    ],
)
def test_others_are_answered_while_eight_clients_ask(served: Served, path: str, name: str) -> None:
    visitor = Visitor(served, ("/", "/salute"), pause=0.05)
    ends = time.monotonic() + 4

    def ask_on(_: int) -> Answer:
        answer = post(served, path, BODIES[path][name])
        while time.monotonic() < ends:
            assert answer.status in (200, 400, 503)
            answer = post(served, path, BODIES[path][name])
        return answer

    with visitor.watching():
        statuses = run_at_once(ask_on)
    print(f"{path}, {name}: {visitor.figures()}")
    assert set(statuses) <= {200, 400, 503}
    assert max(visitor.seconds) <= at_once()
    assert visitor.memory_taken <= MOST_MEMORY
