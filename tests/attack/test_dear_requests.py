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
from tests.soak.costs.measuring import MeasuredServer, Request, crowd
from tests.soak.costs.page_series import post, post_parts
from tests.soak.costs.pages import FoundForm, forms_of
from tests.soak.costs.shapes import TOML_LINES, TOML_VALUES, json_list, numbered, repeat
from tests.soak.costs.table import EXAMPLES, HOUSE

pytestmark = pytest.mark.long
MOST_PROCESSOR = 1.0
"""Seconds of processor that a request may take which types, scores or asks."""
MOST_PROCESSOR_OF_FILE = 12.0
"""Seconds of processor that a file may take, most of them in a process of its own."""
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

# Each of these functions returns a request that can be sent to the server of a site.


def upload_rules(site: Site, more: str) -> Request:
    """Upload a file of house rules that are valid, followed by the text `more`."""
    # These rules come from the file casa.toml. Their id must be the name of their file.
    valid_rules = HOUSE.replace('"casa"', '"altra"')
    file = (valid_rules + more).encode()

    form = site.form("/nostre-regole/", "/nostre-regole/file")
    return post_parts(form, form.fields, file, "altra.toml")


def import_empty_entries(site: Site, count: int) -> Request:
    """Import a file with a match whose log has so many empty entries."""
    # The match of the site is exported, and its log replaced.
    export = json.loads(site.owner.get(f"{site.match.page}/file/partita.json").body)
    export["matches"][0]["entries"] = [{}] * count
    file = json.dumps(export).encode()

    # The form on the page "/file" is sent to the same address.
    form = site.form(path="/file", action="/file")
    return post_parts(form, form.fields, file)


def get_page(site: Site, path: str) -> Request:
    """Get a page or a file of the match."""
    return Request("GET", site.match.page + path, site.owner.headers)


def ask_for_best_way(site: Site, number: int, seed: str) -> Request:
    """Ask the referee for the best way to open with so many cards in hand, which takes a search.

    Bolivia has sequences of a suit besides melds of a rank, so that there are very many ways.
    """
    # The cards are drawn from two packs, the same with a seed each time.
    cards = random.Random(seed).sample(DECK * 2, number)  # noqa: S311
    question = {"kind": "opening", "variant": "bolivia", "score": 0, "hand": " ".join(cards)}
    return site.api("POST", "/rulings", json.dumps(question))


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


def type_into_cell(site: Site, text: str) -> Request:
    """Send the form of a hand with this text in the cell of a side's card points."""
    # "Smazzata" is a hand. The form is sent to the address of its page.
    path = f"{site.match.page}/smazzata"
    form = site.form(path, action=path)
    return post(form, form.fields | {"a.cards": text})


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
MANY_SIDES = f"""{{"variant": "bolivia",
    "sides": {numbered('"k#": {}', ",", "{", "}")(240_000)}}}"""
MELD = {"kind": "meld", "variant": "classica", "cards": "3h " * 60_000}
MANY_LISTS = f"""{{"variant": "classica", "options": {{"target": {json_list("[]")(240_000)}}},
    "sides": {{"noi": {{"sum": 5}}, "loro": {{"sum": 0}}}}}}"""
COSTLY_REQUESTS = (
    CostlyRequest(
        "house rules with blanks after a bracket",
        lambda site: upload_rules(
            site, f"\nzz = {TOML_VALUES['opening bracket and blanks'](50_000)}\n"
        ),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "house rules with a key of many dots",
        lambda site: upload_rules(site, f"\n{TOML_LINES['dotted key'](30_000)}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "house rules with unknown keys",
        lambda site: upload_rules(site, f"\n{TOML_LINES['unknown keys'](50_000)}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "house rules with nested lists",
        lambda site: upload_rules(site, f"\nzz = {'[' * 25_000}{']' * 25_000}\n"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "a file of 100,000 empty entries",
        lambda site: import_empty_entries(site, 100_000),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest("80,000 empty melds", lambda site: site.api("POST", "/score", MANY_MELDS)),
    CostlyRequest("many sides", lambda site: site.api("POST", "/score", MANY_SIDES)),
    CostlyRequest(
        "60,000 cards of one meld", lambda site: site.api("POST", "/rulings", json.dumps(MELD))
    ),
    CostlyRequest("the best way to lay 60 cards", lambda site: ask_for_best_way(site, 60, "b60")),
    CostlyRequest(
        "the best way to lay 40 cards that make too many melds",
        lambda site: ask_for_best_way(site, 40, "bolivia401"),
    ),
    CostlyRequest("4,000 adjustments", correct_with_4000_adjustments),
    CostlyRequest(
        "a cell of 60,000 x", lambda site: type_into_cell(site, repeat("x", end="1")(60_000))
    ),
    CostlyRequest(
        "a cell of 60,000 blanks",
        lambda site: type_into_cell(site, repeat(" ", begin="1", end="1")(60_000)),
    ),
    CostlyRequest("names of 250 kB", rename_with_long_names),
    CostlyRequest("an option of 80,000 lists", lambda site: site.api("POST", "/score", MANY_LISTS)),
    CostlyRequest(
        "the sheet of a match",
        lambda site: get_page(site, "/foglio.pdf?grande=1"),
        MOST_PROCESSOR_OF_FILE,
    ),
    CostlyRequest(
        "the export of a match",
        lambda site: get_page(site, "/file/partita.json"),
        MOST_PROCESSOR_OF_FILE,
    ),
)
"""The costliest requests that the attacks and the search in tests/soak/test_costs.py have found. The
limits of sizes and numbers let them through.
"""


# ---------------------------------------------------------------------------------------- the tests


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start a server whose processor time and memory are measured, and begin a match."""
    folder = tmp_path_factory.mktemp("costly")

    # At each start the server runs on a new copy of this folder. There are no house rules yet, no
    # matches, and a file with the key by which the tests sign cookies.
    prepared = folder / "prepared"
    (prepared / "variants").mkdir(parents=True)
    key_path(prepared / "scorepad.db").write_bytes(KEY)

    server = MeasuredServer(prepared, folder / "running")
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
    # A request, such as a hand with 80,000 empty melds, is made for the match of the site, and sent.
    # A server that does not answer it is started anew.
    server = site.server
    starts_before = server.starts
    request = costly.make(site)
    record, answer = server.measure(route="", what=costly.name, request=request)

    # It is started anew as well if the request has left more than 50 MB in memory, so that the next
    # test measures its own request alone.
    if record.kept > 50:
        server.start()

    # A new server has no match: one is begun for the next tests, which share the site with this.
    if server.starts != starts_before:
        new_site = make_site(server)
        site.match = new_site.match
        site.owner = new_site.owner

    # It was answered without an error in the log, took no more seconds of the processor than this
    # request may, and no more than 300 MB above the idle server.
    print(
        f"\n{costly.name}: {record.status}, {record.processor:.2f} s of processor, "
        f"{record.above:.0f} MB above idle"
    )
    assert record.complaint == ""
    assert record.status in EXPECTED_STATUSES, answer.body[:500]
    assert record.processor < costly.processor
    assert record.above < 300


def test_costly_requests_of_eight_clients_do_not_delay_others(site: Site) -> None:
    # The requests are made for a match on a server that was just started.
    site.server.start()
    new_site = make_site(site.server)
    requests = [costly.make(new_site) for costly in COSTLY_REQUESTS]

    # For eight seconds eight clients send all requests in turn, each from an address of its own. A
    # visitor opens the page of the match again and again meanwhile.
    page_of_visitor = get_page(new_site, "")
    result = crowd(site.server, requests, page_of_visitor, seconds=8)

    # Each client has sent a request at least, and each was answered: 0 would stand for no answer.
    print(f"\n{result}")
    assert result.sent >= 8
    assert 0 not in result.statuses

    # The server took 300 MB at most above the idle one. The visitor waited for a page a second at
    # most, or longer on a machine that other programs keep busy.
    assert result.memory < 300
    assert result.wait < at_once()
