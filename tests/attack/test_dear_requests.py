"""The dearest requests known: what one costs the server, and what a visitor waits while eight
clients send them all.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scorepad.app import key_path
from tests.attack.load import at_once
from tests.cookies import KEY
from tests.soak.costs.browser import Browser
from tests.soak.costs.json_series import DECK
from tests.soak.costs.measuring import CLIENTS, MeasuredServer, Request, crowd
from tests.soak.costs.page_series import post, post_parts
from tests.soak.costs.pages import FoundForm, forms_of
from tests.soak.costs.shapes import TOML_LINES, TOML_VALUES, repeat
from tests.soak.costs.table import HANDS, HOUSE, Match, Table, ask, begin, count_hand

pytestmark = pytest.mark.long
PROCESSOR = 1.0
"""Seconds of one request for typing, scoring and asking."""
FILE_PROCESSOR = 12.0
"""Seconds of one file: most of them in a process of its own."""
MEMORY = 300.0
"""MB above the idle server, server and children together."""
WAIT = 1.0
"""Seconds within which others are answered."""
MOST_KEPT = 50.0
"""MB above idle from which a server is started anew before the next request, so that each is seen
for itself.
"""
ATTACK_SECONDS = 12.0
FULL = 256 * 1024
LARGEST_ANSWER, LARGEST_REFUSAL = 800_000, 1000
"""Bytes that a small body is answered with."""
FAR = {"variant": "classica", "names": ["Noi", "Loro"], "options": {"target": 500_000}}


@dataclass
class Site:
    """A server with a match, its key, and its owner's browser."""

    server: MeasuredServer
    match: Match
    owner: Browser

    def form(self, path: str, action: str) -> FoundForm:
        """The form of a page that goes to an address."""
        page = self.owner.page(path)
        assert page is not None, path
        found = [
            each
            for each in forms_of(self.owner, path, page)
            if each.action == action and each.method == "POST"
        ]
        assert found, path
        return found[0]

    def api(self, method: str, path: str, text: str) -> Request:
        """What a program with the key of the match asks."""
        headers = {"Authorization": f"Bearer {self.match.key}", "Content-Type": "application/json"}
        return Request(method, f"/api/v1{path}", headers, text.encode())


# ------------------------------------------------------------------------------------- the requests


def house_rules(more: str) -> Callable[[Site], Request]:
    """A file of house rules that begins well."""

    def make(site: Site) -> Request:
        path = "/nostre-regole/"
        text = HOUSE.replace('"casa"', '"altra"') + more
        form = site.form(path, "/nostre-regole/file")
        return post_parts(form, form.fields, text.encode(), "altra.toml")

    return make


def entries(count: int) -> Callable[[Site], Request]:
    """A file with a match of many empty entries."""

    def make(site: Site) -> Request:
        export = json.loads(site.owner.get(f"/partite/{site.match.id}/file/partita.json").body)
        export["matches"][0]["entries"] = [{}] * count
        form = site.form("/file", "/file")
        return post_parts(form, form.fields, json.dumps(export).encode())

    return make


def asked(path: str, body: str) -> Callable[[Site], Request]:
    """A question of a program, as long as a body may be at most."""
    return lambda site: site.api("POST", path, body[:FULL])


def filled(begin: str, part: str, end: str) -> str:
    """As many parts as a body may have."""
    return begin + ",".join([part] * ((FULL - len(begin) - len(end)) // (len(part) + 1))) + end


def hand_to_lay(number: int, seed: str) -> Callable[[Site], Request]:
    """The best way to lay a number of cards where sequences count."""

    def make(site: Site) -> Request:
        cards = random.Random(seed).sample(DECK * 2, number)  # noqa: S311 - the same each time
        asked = {"kind": "opening", "variant": "bolivia", "score": 0, "hand": " ".join(cards)}
        return site.api("POST", "/rulings", json.dumps(asked))

    return make


def adjustments(site: Site) -> Request:
    """A correction with 4,000 adjustments."""
    state = json.loads(
        ask(site.server, "GET", f"/api/v1/matches/{site.match.id}", key=site.match.key)
    )
    agreed = [{"points": (-5, 5)[number % 2], "reason": f"x{number}"} for number in range(4000)]
    side = {"sum": 100, "adjustments": agreed}
    body = {
        "entry": state["hands"][0]["entry"],
        "note": "x",
        "sides": {"Noi": side, "Loro": {"sum": 0}},
        "out": None,
    }
    return site.api("PUT", f"/matches/{site.match.id}/hands/1", json.dumps(body))


def cell(text: str) -> Callable[[Site], Request]:
    """The form of the hand with this text in a cell of points."""

    def make(site: Site) -> Request:
        path = f"/partite/{site.match.id}/smazzata"
        form = site.form(path, path)
        return post(form, form.fields | {"a.cards": text})

    return make


def long_names(site: Site) -> Request:
    """The form of the names with 250 kB."""
    path = f"/partite/{site.match.id}/nomi"
    form = site.form(path, path)
    hidden = ("csrf_token", "request_id", "seen")
    names = [name for name in form.fields if name not in hidden]
    text = "w1 " * (80_000 // len(names))
    return post(form, form.fields | dict.fromkeys(names, text))


def sheet(site: Site) -> Request:
    return Request("GET", f"/partite/{site.match.id}/foglio.pdf?grande=1", site.owner.headers)


def whole_match(site: Site) -> Request:
    return Request("GET", f"/partite/{site.match.id}/file/partita.json", site.owner.headers)


@dataclass(frozen=True)
class Dear:
    """A dear request: the most seconds of processor that it may cost."""

    name: str
    make: Callable[[Site], Request]
    processor: float = PROCESSOR


SIDE = '{"variant":"classica","sides":{"noi":{'
WRONG = {
    "melds": ["3", "zz", "2x2", "3r 3r", "K Q J", "Kh Qh Qd 2 2 2 2", "7xK 4x2", "999999999999xK"] * 12,
    "penalties": ["x" * 60] * 100,
    "adjustments": [{"points": 3, "reason": "x"}] * 60,
}  # fmt: skip
STRANGERS = {'"' * 59 + str(number): WRONG for number in range(4)}
KEYS = ",".join(f'"k{number}":1' for number in range(25_000))
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
LETTERS = "".join(f"{rank}{suit} " for rank in RANKS for suit in "hdsc")
PACK = LETTERS * 3 + "12x2 6xJK"


def opening(variant: str, hand: str) -> Callable[[Site], Request]:
    """How a side opens with these cards, at 3,000."""
    question = {"kind": "opening", "variant": variant, "score": 3000, "hand": hand}
    return asked("/rulings", json.dumps(question))


SMALL = {
    "empty melds": asked("/score", filled(SIDE + '"melds":[', '""', "]}}}")),
    "melds that are numbers": asked("/score", filled(SIDE + '"melds":[', "1", "]}}}")),
    "melds with unknown keys": asked("/score", filled(SIDE + '"melds":[', '{"a":1}', "]}}}")),
    "hands left": asked("/score", filled(SIDE + '"left":[', '""', "]}}}")),
    "adjustments": asked("/score", filled(SIDE + '"adjustments":[', '{"points":5,"reason":"x"}', "]}}}")),
    "penalties": asked("/score", filled(SIDE + '"penalties":[', '"x"', "]}}}")),
    "many sides": asked("/score", json.dumps({"sides": {f"s{number}": {} for number in range(20_000)}})),
    "unknown keys": asked("/score", "{" + KEYS + "}"),
    "one long card string": asked("/score", SIDE + '"melds":["' + "99xK " * 52_000 + '"]}}}'),
    "one long token": asked("/score", SIDE + '"melds":["' + "x" * 260_000 + '"]}}}'),
    "brackets": asked("/score", "[" * FULL),
    "objects": asked("/score", '{"a":' * (FULL // 5)),
    "an option of lists": asked("/score", filled('{"options":{"target":[', "[]", "]}}")),
    "wrong melds of strangers": asked("/score", json.dumps({"variant": "classica", "sides": STRANGERS})),
    "unknown keys of a question": asked("/rulings", '{"kind":"meld",' + KEYS + "}"),
    "60,000 cards of one meld": asked("/rulings", json.dumps({"kind": "meld", "cards": "3h " * 60_000})),
    "melds of an opening": asked("/rulings", filled('{"kind":"opening","melds":[', '""', "]}")),
    "a hand of Bolivia": opening("bolivia", f"{LETTERS} 3x2 JK"),
    "a whole pack of Bolivia": asked(
        "/rulings", json.dumps({"kind": "out", "variant": "bolivia", "table": [], "hand": PACK})
    ),
    "a whole pack of Mexican canasta": opening("messicana", PACK),
    "half a pack of samba": opening("samba", f"{LETTERS} 3x2"),
}  # fmt: skip
"""What a program asks with a small body."""

DEAR = (
    Dear("house rules with blanks after a bracket",
         house_rules(f"\nzz = {TOML_VALUES['opening bracket and blanks'](50_000)}\n"), FILE_PROCESSOR),
    Dear("house rules with a key of many dots", house_rules(f"\n{TOML_LINES['dotted key'](30_000)}\n"), FILE_PROCESSOR),
    Dear("house rules with unknown keys", house_rules(f"\n{TOML_LINES['unknown keys'](50_000)}\n"), FILE_PROCESSOR),
    Dear("house rules with nested lists", house_rules(f"\nzz = {'[' * 25_000}{']' * 25_000}\n"), FILE_PROCESSOR),
    Dear("house rules with unknown settings", house_rules("".join(f"settings.k{n}.value=1\n" for n in range(1200))),
         FILE_PROCESSOR),
    Dear("house rules with deep tables", house_rules("\nx = " + "{a=" * 10_000), FILE_PROCESSOR),
    Dear("house rules with a long number", house_rules("\nx = 0x" + "f" * 30_000), FILE_PROCESSOR),
    Dear("house rules with many citations", house_rules("\n[bonuses.y]\ncite = [" + '"x",' * 8000 + "]\n"),
         FILE_PROCESSOR),
    Dear("a file of 100,000 empty entries", entries(100_000), FILE_PROCESSOR),
    Dear("the best way to lay 60 cards", hand_to_lay(60, "b60")),
    Dear("the best way to lay 40 cards that make too many melds", hand_to_lay(40, "bolivia401")),
    Dear("4,000 adjustments", adjustments),
    Dear("a cell of 60,000 x", cell(repeat("x", end="1")(60_000))),
    Dear("a cell of 60,000 blanks", cell(repeat(" ", begin="1", end="1")(60_000))),
    Dear("names of 250 kB", long_names),
    Dear("the sheet of a match", sheet, FILE_PROCESSOR),
    Dear("the export of a match", whole_match, FILE_PROCESSOR),
    *(Dear(name, ask) for name, ask in SMALL.items()),
)  # fmt: skip
"""What an attack or the search in tests/soak/test_costs.py has found, the limits notwithstanding.
"""


# ---------------------------------------------------------------------------------------- the tests


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("dear")
    empty = folder / "empty"
    (empty / "variants").mkdir(parents=True)
    key_path(empty / "scorepad.db").write_bytes(KEY)
    server = MeasuredServer(empty, folder / "running")
    server.start()
    try:
        yield new_site(server)
    finally:
        server.stop()


def new_site(server: MeasuredServer) -> Site:
    """A match of one hand."""
    table = Table(Path(), {})
    owner = table.owner(server)
    begin(table, server, owner, "dear", FAR)
    count_hand(server, table.matches["dear"], HANDS[0])
    return Site(server, table.matches["dear"], owner)


@pytest.mark.parametrize("dear", DEAR, ids=lambda dear: dear.name)
def test_a_dear_request_costs_no_more_than_it_may(site: Site, dear: Dear) -> None:
    starts = site.server.starts
    record, answer = site.server.measure("", dear.name, dear.make(site))
    if record.kept > MOST_KEPT:
        site.server.start()
    if site.server.starts != starts:  # the match is not on a new server
        renewed = new_site(site.server)
        site.match = renewed.match
        site.owner = renewed.owner
    print(
        f"\n{dear.name}: {record.status}, {record.processor:.2f} s of processor, {record.above:.0f} MB above idle"
    )
    assert record.complaint == ""
    assert record.status in (200, 303, 400, 413, 422, 503, 507), answer.body[:500]
    assert record.processor < dear.processor
    assert record.above < MEMORY
    if dear.name in SMALL:
        assert len(answer.body) <= (LARGEST_REFUSAL if record.status == 400 else LARGEST_ANSWER)


def test_nobody_waits_while_eight_clients_send_dear_requests(site: Site) -> None:
    site.server.start()
    site = new_site(site.server)
    requests = [dear.make(site) for dear in DEAR]
    page = Request("GET", f"/partite/{site.match.id}", site.owner.headers)
    found = crowd(site.server, requests, page, ATTACK_SECONDS)
    print(f"\n{found}")
    assert found.sent >= len(CLIENTS)
    assert found.memory < MEMORY
    assert found.wait < at_once(WAIT)
    assert 0 not in found.statuses, "every request is answered"
