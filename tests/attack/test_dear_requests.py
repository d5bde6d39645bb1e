"""The costliest requests known: what one costs the server, and how long a visitor waits while eight
clients send them all.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus

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
MOST_PROCESSOR = 1.0
"""Seconds of processor that a request may take which types, scores or asks."""
MOST_PROCESSOR_OF_FILE = 12.0
"""Seconds of processor that a file may take, most of them in a process of its own."""
MEMORY = 300.0
"""MB that the server and its children may take above the idle server."""
EXPECTED_STATUSES = (
    HTTPStatus.OK,
    HTTPStatus.SEE_OTHER,
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.INSUFFICIENT_STORAGE,
)


@dataclass
class Site:
    """A server with a match of one hand, and the browser of its owner."""

    server: MeasuredServer
    match: Match
    owner: Browser

    def form(self, path: str, action: str) -> FoundForm:
        """Return the form of a page that is sent to the address `action`."""
        page = self.owner.page(path)
        assert page is not None, path
        for form in forms_of(self.owner, path, page):
            if form.action == action and form.method == "POST":
                return form
        pytest.fail(f"{path} has no form for {action}")

    def api(self, method: str, path: str, text: str) -> Request:
        """Return a request of the API by a program that has the key of the match."""
        headers = {"Authorization": f"Bearer {self.match.key}", "Content-Type": "application/json"}
        return Request(method, f"/api/v1{path}", headers, text.encode())


# ------------------------------------------------------------------------------------- the requests

# Each of these functions makes a request, or returns a function that makes it of a site.


def send_rules_file(more: str) -> Callable[[Site], Request]:
    """Send a file of house rules that is valid as far as `more`."""

    def make(site: Site) -> Request:
        path = "/nostre-regole/"
        text = HOUSE.replace('"casa"', '"altra"') + more  # its id is the name of its file
        form = site.form(path, "/nostre-regole/file")
        return post_parts(form, form.fields, text.encode(), "altra.toml")

    return make


def import_empty_entries(count: int) -> Callable[[Site], Request]:
    """Import a file with a match whose log has many empty entries."""

    def make(site: Site) -> Request:
        export = json.loads(site.owner.get(f"{site.match.page}/file/partita.json").body)
        export["matches"][0]["entries"] = [{}] * count
        form = site.form("/file", "/file")
        return post_parts(form, form.fields, json.dumps(export).encode())

    return make


def send_json(path: str, text: str) -> Callable[[Site], Request]:
    """Send JSON to an address of the API."""
    return lambda site: site.api("POST", path, text)


def get_page(path: str) -> Callable[[Site], Request]:
    """Get a page or a file of the match."""
    return lambda site: Request("GET", site.match.page + path, site.owner.headers)


def ask_for_best_way(number: int, seed: str) -> Callable[[Site], Request]:
    """Ask the referee for the best way to lay a number of cards, which takes a search.

    Bolivia has sequences of a suit besides melds of a rank, so that there are very many ways.
    """

    def make(site: Site) -> Request:
        cards = random.Random(seed).sample(DECK * 2, number)  # noqa: S311 - the same each time
        question = {"kind": "opening", "variant": "bolivia", "score": 0, "hand": " ".join(cards)}
        return site.api("POST", "/rulings", json.dumps(question))

    return make


def correct_with_4000_adjustments(site: Site) -> Request:
    """Correct the only hand by 4,000 adjustments of a side, which cancel each other out."""
    (hand,) = site.match.ask("GET").json["hands"]
    adjustments = []
    for number in range(0, 4000, 2):
        adjustments.append({"points": -5, "reason": f"x{number}"})
        adjustments.append({"points": 5, "reason": f"x{number + 1}"})
    side = {"sum": 100, "adjustments": adjustments}
    body = {
        "entry": hand["entry"],
        "note": "x",
        "sides": {"Noi": side, "Loro": {"sum": 0}},
        "out": None,
    }
    return site.api("PUT", f"/matches/{site.match.id}/hands/1", json.dumps(body))


def type_into_cell(text: str) -> Callable[[Site], Request]:
    """Send the form of a hand with this text in the cell of a side's card points."""

    def make(site: Site) -> Request:
        path = f"{site.match.page}/smazzata"
        form = site.form(path, path)
        return post(form, form.fields | {"a.cards": text})

    return make


def rename_with_long_names(site: Site) -> Request:
    """Send the form of the names with 250 kB of text, shared among its fields."""
    path = f"{site.match.page}/nomi"
    form = site.form(path, path)
    hidden_fields = ("csrf_token", "request_id", "seen")
    typed_fields = [name for name in form.fields if name not in hidden_fields]
    long_name = "w1 " * (80_000 // len(typed_fields))
    return post(form, form.fields | dict.fromkeys(typed_fields, long_name))


@dataclass(frozen=True)
class CostlyRequest:
    """A costly request, and how many seconds of processor it may take."""

    name: str
    make: Callable[[Site], Request]
    processor: float = MOST_PROCESSOR


MANY_MELDS = f"""{{"variant": "classica", "sides": {{"noi": {{
    "melds": {json_list('""')(240_000)}, "left": 0}}}}}}"""
SIDES = numbered('"k#": {}', ",", "{", "}")(240_000)
MELD = {"kind": "meld", "variant": "classica", "cards": "3h " * 60_000}
MANY_LISTS = f"""{{"variant": "classica", "options": {{"target": {json_list("[]")(240_000)}}},
    "sides": {{"noi": {{"sum": 5}}, "loro": {{"sum": 0}}}}}}"""
COSTLY_REQUESTS = (
    CostlyRequest(
        "house rules with blanks after a bracket",
        send_rules_file(f"\nzz = {TOML_VALUES['opening bracket and blanks'](50_000)}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "house rules with a key of many dots",
        send_rules_file(f"\n{TOML_LINES['dotted key'](30_000)}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "house rules with unknown keys",
        send_rules_file(f"\n{TOML_LINES['unknown keys'](50_000)}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "house rules with nested lists",
        send_rules_file(f"\nzz = {'[' * 25_000}{']' * 25_000}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "a file of 100,000 empty entries", import_empty_entries(100_000), MOST_PROCESSOR_OF_FILE
    ),
    CostlyRequest("80,000 empty melds", send_json("/score", MANY_MELDS)),
    CostlyRequest("many sides", send_json("/score", f'{{"variant": "bolivia", "sides": {SIDES}}}')),
    CostlyRequest("60,000 cards of one meld", send_json("/rulings", json.dumps(MELD))),
    CostlyRequest("the best way to lay 60 cards", ask_for_best_way(60, "b60")),
    CostlyRequest(
        "the best way to lay 40 cards that make too many melds", ask_for_best_way(40, "bolivia401")
    ),
    CostlyRequest("4,000 adjustments", correct_with_4000_adjustments),
    CostlyRequest("a cell of 60,000 x", type_into_cell(repeat("x", end="1")(60_000))),
    CostlyRequest(
        "a cell of 60,000 blanks", type_into_cell(repeat(" ", begin="1", end="1")(60_000))
    ),
    CostlyRequest("names of 250 kB", rename_with_long_names),
    CostlyRequest("an option of 80,000 lists", send_json("/score", MANY_LISTS)),
    CostlyRequest("the sheet of a match", get_page("/foglio.pdf?grande=1"), MOST_PROCESSOR_OF_FILE),
    CostlyRequest("the export of a match", get_page("/file/partita.json"), MOST_PROCESSOR_OF_FILE),
)
"""The costliest requests that the attacks and the search in tests/soak/test_costs.py have found. The
limits of sizes and numbers let them through.
"""


# ---------------------------------------------------------------------------------------- the tests


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start a server whose processor time and memory are measured, and begin a match."""
    folder = tmp_path_factory.mktemp("dear")
    empty = folder / "empty"
    (empty / "variants").mkdir(parents=True)
    key_path(empty / "scorepad.db").write_bytes(KEY)
    server = MeasuredServer(empty, folder / "running")
    server.start()
    try:
        yield make_site(server)
    finally:
        server.stop()


def make_site(server: MeasuredServer) -> Site:
    """Begin a match on a server, save a hand, and let the owner's browser in."""
    match = Match.begin(server)
    first_hand = {**EXAMPLES["hands"][0], "number": 1}
    counted = match.ask("POST", "/hands", first_hand)
    assert counted.status == HTTPStatus.CREATED, counted.text
    owner = Browser(server, {"scorepad_admin": admin_cookie()})
    owner.enter(match.key)
    return Site(server, match, owner)


@pytest.mark.parametrize("costly", COSTLY_REQUESTS, ids=lambda costly: costly.name)
def test_costly_request_stays_within_its_limits(site: Site, costly: CostlyRequest) -> None:
    starts_before = site.server.starts
    record, answer = site.server.measure("", costly.name, costly.make(site))

    # If the request has left more than 50 MB in memory, the server is started anew, so that the next
    # request is measured for itself. The new server has no match yet.
    if record.kept > 50:
        site.server.start()
    if site.server.starts != starts_before:
        new_site = make_site(site.server)
        site.match = new_site.match
        site.owner = new_site.owner

    print(
        f"\n{costly.name}: {record.status}, {record.processor:.2f} s of processor, "
        f"{record.above:.0f} MB above idle"
    )
    assert record.complaint == ""
    assert record.status in EXPECTED_STATUSES, answer.body[:500]
    assert record.processor < costly.processor
    assert record.above < MEMORY


def test_costly_requests_of_eight_clients_do_not_delay_others(site: Site) -> None:
    site.server.start()
    site = make_site(site.server)
    requests = [costly.make(site) for costly in COSTLY_REQUESTS]
    page_of_visitor = Request("GET", site.match.page, site.owner.headers)

    # For eight seconds the clients send all requests in turn, while a visitor opens a page again
    # and again.
    result = crowd(site.server, requests, page_of_visitor, seconds=8)

    # The visitor waits a second at most, or longer on a machine that other programs keep busy.
    print(f"\n{result}")
    assert result.sent >= len(CLIENTS)
    assert result.memory < MEMORY
    assert result.wait < at_once()
    assert 0 not in result.statuses, "every request is answered"
