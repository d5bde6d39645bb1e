"""Every route of the application with every field, parameter and part of an address in hostile
shapes: what each costs.

    python -m pytest -m soak tests/soak/test_costs.py

`SCOREPAD_SOAK_ROUTES` is a pattern of the names of routes (`POST /partite`). A request that is not
answered ends the server, which is then started anew. Headers are in
`tests/bench/test_hostile_requests.py`, files in `tests/attack/test_matches_as_files.py` and
`test_rules_files.py`.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Rule

from scorepad.app import STORAGE, Config, create_app
from tests.cookies import KEY
from tests.soak.costs.json_series import ApiMatch, json_series
from tests.soak.costs.measuring import MeasuredServer, Request
from tests.soak.costs.page_series import Series, page_series, place_series
from tests.soak.costs.pages import Offered, explore
from tests.soak.costs.search import Search
from tests.soak.costs.table import Table, prepare

pytestmark = pytest.mark.soak


def methods_of(rule: Rule) -> list[str]:
    """Return the methods that a route takes, but for HEAD and OPTIONS, which Flask adds."""
    return sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})


def list_routes() -> list[str]:
    """List every route of the application with a method that it takes, such as `POST /partite`.

    The environment variable SCOREPAD_SOAK_ROUTES may have a regular expression: then only the routes
    in which it is found.
    """
    wanted = re.compile(os.environ.get("SCOREPAD_SOAK_ROUTES", ""))
    with tempfile.TemporaryDirectory() as folder:
        app = application(Path(folder))

    routes = []
    for rule in app.url_map.iter_rules():
        for method in methods_of(rule):
            route = f"{method} {rule.rule}"
            if wanted.search(route):
                routes.append(route)
    return sorted(routes)


def application(folder: Path) -> Flask:
    """Make an application that is only asked for its routes."""
    app = create_app(Config(folder / "routes.db", KEY))
    app.extensions[STORAGE].close()
    return app


def series_of(
    rule: Rule, method: str, offered: Offered, table: Table, server: MeasuredServer
) -> Iterator[Series]:
    """Yield the hostile requests to a route, in series of growing size.

    `offered` has the forms and links that pages show, `table` the matches in the data file.
    """
    if rule.endpoint.startswith("api."):
        # A program sends the key of the match. It puts texts into the address, and into its JSON.
        headers = ApiMatch(server, table.matches["played"]).headers
        yield from place_series(rule, method, table, headers)
        yield from json_series(rule, method, table, server)
    else:
        # The browser of the owner sends its cookies. It puts texts into the address, and into the
        # fields of forms.
        owner = table.owner(server)
        yield from place_series(rule, method, table, owner.headers)
        yield from page_series(rule, method, offered, table, owner)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Make a data file with matches, and the browsers of those who play them."""
    return prepare(tmp_path_factory.mktemp("costs"))


@pytest.fixture(scope="module")
def search(table: Table) -> Iterator[Search]:
    """Start a server, and return the search that sends requests to it and measures their costs."""
    folder_of_process = table.folder.parent / "running"
    server = MeasuredServer(table.folder, folder_of_process)
    server.start()

    # While the worst requests are sent, somebody else asks for the page of a match, and must not
    # wait long.
    headers_of_owner = table.owner(server).headers
    page_of_match = Request("GET", f"/partite/{table.matches['played'].id}", headers_of_owner)
    try:
        yield Search(server, visited=page_of_match)
    finally:
        server.stop()


@pytest.fixture(scope="module")
def offered(table: Table, search: Search, tmp_path_factory: pytest.TempPathFactory) -> Offered:
    """Fetch every page from the server, and return the links and forms on them, with all fields."""
    app_with_routes = application(tmp_path_factory.mktemp("routes"))
    return explore(app_with_routes, table, search.server)


@pytest.mark.parametrize("route", list_routes())
def test_no_request_to_a_route_costs_too_much(
    route: str, table: Table, search: Search, offered: Offered
) -> None:
    # The route is such as "POST /partite".
    method, _, path = route.partition(" ")
    rule = find_rule(offered.app, method, path)

    # Every field of its forms and every part of its address gets longer and longer texts.
    hostile_requests = series_of(rule, method, offered, table, search.server)

    # They are sent to the server. The first one that takes more than 300 MB of memory fails, or more
    # than a second of processor time, unless its route makes or reads a file.
    requests_sent = search.run(route, hostile_requests)

    print(f"{requests_sent} requests to {route}")
    assert requests_sent > 0


def find_rule(app: Flask, method: str, path: str) -> Rule:
    """Return the routing rule of a path that takes this method."""
    for rule in app.url_map.iter_rules():
        if rule.rule == path and method in methods_of(rule):
            return rule
    raise AssertionError(f"no route {method} {path}")
