"""The dearest requests known: what one costs the server, and what a visitor waits while eight
clients send them all.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from scorepad.app import key_path
from tests.attack.load import at_once
from tests.attack.served import Match
from tests.cookies import KEY, admin_cookie
from tests.soak.costs.browser import Browser
from tests.soak.costs.json_series import DECK
from tests.soak.costs.measuring import CLIENTS, MeasuredServer, Request, crowd
from tests.soak.costs.page_series import post, post_parts
from tests.soak.costs.pages import FoundForm, forms_of
from tests.soak.costs.shapes import TOML_LINES, TOML_VALUES, json_list, numbered, repeat
from tests.soak.costs.table import EXAMPLES, HOUSE

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
ATTACK_SECONDS = 8.0


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
        export = json.loads(site.owner.get(f"{site.match.page}/file/partita.json").body)
        export["matches"][0]["entries"] = [{}] * count
        form = site.form("/file", "/file")
        return post_parts(form, form.fields, json.dumps(export).encode())

    return make


def asked(path: str, text: str) -> Callable[[Site], Request]:
    """What a program sends."""
    return lambda site: site.api("POST", path, text)


def fetched(path: str) -> Callable[[Site], Request]:
    """A page of the match."""
    return lambda site: Request("GET", site.match.page + path, site.owner.headers)


def hand_to_lay(number: int, seed: str) -> Callable[[Site], Request]:
    """The best way to lay a number of cards where sequences count."""

    def make(site: Site) -> Request:
        cards = random.Random(seed).sample(DECK * 2, number)  # noqa: S311 - the same each time
        asked = {"kind": "opening", "variant": "bolivia", "score": 0, "hand": " ".join(cards)}
        return site.api("POST", "/rulings", json.dumps(asked))

    return make


def adjustments(site: Site) -> Request:
    """A correction with 4,000 adjustments."""
    (hand,) = site.match.ask("GET").json["hands"]
    agreed = [{"points": (-5, 5)[number % 2], "reason": f"x{number}"} for number in range(4000)]
    side = {"sum": 100, "adjustments": agreed}
    body = {
        "entry": hand["entry"],
        "note": "x",
        "sides": {"Noi": side, "Loro": {"sum": 0}},
        "out": None,
    }
    return site.api("PUT", f"/matches/{site.match.id}/hands/1", json.dumps(body))


def cell(text: str) -> Callable[[Site], Request]:
    """The form of the hand with this text in a cell of points."""

    def make(site: Site) -> Request:
        path = f"{site.match.page}/smazzata"
        form = site.form(path, path)
        return post(form, form.fields | {"a.cards": text})

    return make


def long_names(site: Site) -> Request:
    """The form of the names with 250 kB."""
    path = f"{site.match.page}/nomi"
    form = site.form(path, path)
    hidden = ("csrf_token", "request_id", "seen")
    names = [name for name in form.fields if name not in hidden]
    text = "w1 " * (80_000 // len(names))
    return post(form, form.fields | dict.fromkeys(names, text))


@dataclass(frozen=True)
class Dear:
    """A dear request: the most seconds of processor that it may cost."""

    name: str
    make: Callable[[Site], Request]
    processor: float = PROCESSOR


MANY_MELDS = f"""{{"variant": "classica", "sides": {{"noi": {{
    "melds": {json_list('""')(240_000)}, "left": 0}}}}}}"""
SIDES = numbered('"k#": {}', ",", "{", "}")(240_000)
MELD = {"kind": "meld", "variant": "classica", "cards": "3h " * 60_000}
MANY_LISTS = f"""{{"variant": "classica", "options": {{"target": {json_list("[]")(240_000)}}},
    "sides": {{"noi": {{"sum": 5}}, "loro": {{"sum": 0}}}}}}"""
DEAR = (
    Dear("house rules with blanks after a bracket",
         house_rules(f"\nzz = {TOML_VALUES['opening bracket and blanks'](50_000)}\n"), FILE_PROCESSOR),
    Dear("house rules with a key of many dots", house_rules(f"\n{TOML_LINES['dotted key'](30_000)}\n"), FILE_PROCESSOR),
    Dear("house rules with unknown keys", house_rules(f"\n{TOML_LINES['unknown keys'](50_000)}\n"), FILE_PROCESSOR),
    Dear("house rules with nested lists", house_rules(f"\nzz = {'[' * 25_000}{']' * 25_000}\n"), FILE_PROCESSOR),
    Dear("a file of 100,000 empty entries", entries(100_000), FILE_PROCESSOR),
    Dear("80,000 empty melds", asked("/score", MANY_MELDS)),
    Dear("many sides", asked("/score", f'{{"variant": "bolivia", "sides": {SIDES}}}')),
    Dear("60,000 cards of one meld", asked("/rulings", json.dumps(MELD))),
    Dear("the best way to lay 60 cards", hand_to_lay(60, "b60")),
    Dear("the best way to lay 40 cards that make too many melds", hand_to_lay(40, "bolivia401")),
    Dear("4,000 adjustments", adjustments),
    Dear("a cell of 60,000 x", cell(repeat("x", end="1")(60_000))),
    Dear("a cell of 60,000 blanks", cell(repeat(" ", begin="1", end="1")(60_000))),
    Dear("names of 250 kB", long_names),
    Dear("an option of 80,000 lists", asked("/score", MANY_LISTS)),
    Dear("the sheet of a match", fetched("/foglio.pdf?grande=1"), FILE_PROCESSOR),
    Dear("the export of a match", fetched("/file/partita.json"), FILE_PROCESSOR),
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
    match = Match.begin(server)
    counted = match.ask("POST", "/hands", {**EXAMPLES["hands"][0], "number": 1})
    assert counted.status == 201, counted.text
    owner = Browser(server, {"scorepad_admin": admin_cookie()})
    owner.enter(match.key)
    return Site(server, match, owner)


@pytest.mark.parametrize("dear", DEAR, ids=lambda dear: dear.name)
def test_a_dear_request_costs_no_more_than_it_may(site: Site, dear: Dear) -> None:
    starts = site.server.starts
    record, answer = site.server.measure("", dear.name, dear.make(site))
    if record.kept > MOST_KEPT:
        site.server.start()
    if site.server.starts != starts:  # a new server does not have the match
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


def test_nobody_waits_while_eight_clients_send_dear_requests(site: Site) -> None:
    site.server.start()
    site = new_site(site.server)
    requests = [dear.make(site) for dear in DEAR]
    page = Request("GET", site.match.page, site.owner.headers)
    found = crowd(site.server, requests, page, ATTACK_SECONDS)
    print(f"\n{found}")
    assert found.sent >= len(CLIENTS)
    assert found.memory < MEMORY
    assert found.wait < at_once(WAIT)
    assert 0 not in found.statuses, "every request is answered"
