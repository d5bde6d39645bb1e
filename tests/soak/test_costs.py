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
WANTED = re.compile(os.environ.get("SCOREPAD_SOAK_ROUTES", ""))


def methods_of(rule: Rule) -> list[str]:
    """Return the methods that a route takes, but for HEAD and OPTIONS, which Flask adds."""
    return sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})


def _routes() -> list[str]:
    """List every route of the application with a method that it takes, such as `POST /partite`.

    If SCOREPAD_SOAK_ROUTES is set, only those in which this pattern is found.
    """
    with tempfile.TemporaryDirectory() as folder:
        app = application(Path(folder))
    found = []
    for rule in app.url_map.iter_rules():
        found += [f"{method} {rule.rule}" for method in methods_of(rule)]
    return sorted(route for route in found if WANTED.search(route))


def application(folder: Path) -> Flask:
    """Make an application that is only asked for its routes."""
    app = create_app(Config(folder / "routes.db", KEY))
    app.extensions[STORAGE].close()
    return app


def series_of(
    rule: Rule, method: str, offered: Offered, table: Table, server: MeasuredServer
) -> Iterator[Series]:
    """Yield the hostile requests to a route, in series of growing size.

    Those of the JSON interface carry the key of a match, those of pages the cookies of its owner.
    """
    owner = table.owner(server)
    if rule.endpoint.startswith("api."):
        program = ApiMatch(server, table.matches["played"])
        yield from place_series(rule, method, table, program.headers)
        yield from json_series(rule, method, table, server)
    else:
        yield from place_series(rule, method, table, owner.headers)
        yield from page_series(rule, method, offered, table, owner)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Make a data file with matches, and the browsers of those who play them."""
    return prepare(tmp_path_factory.mktemp("costs"))


@pytest.fixture(scope="module")
def search(table: Table) -> Iterator[Search]:
    """Start a server whose requests are measured, while others ask it for the page of a match."""
    server = MeasuredServer(table.folder, table.folder.parent / "running")
    server.start()
    visited = Request("GET", f"/partite/{table.matches['played'].id}", table.owner(server).headers)
    searched = Search(server, visited)
    try:
        yield searched
    finally:
        server.stop()


@pytest.fixture(scope="module")
def offered(table: Table, search: Search, tmp_path_factory: pytest.TempPathFactory) -> Offered:
    """Explore the pages, and return what they offer: links, and forms with all their fields."""
    app = application(tmp_path_factory.mktemp("routes"))
    return explore(app, table, search.server)


@pytest.mark.parametrize("route", _routes())
def test_no_request_to_a_route_costs_too_much(
    route: str, table: Table, search: Search, offered: Offered
) -> None:
    method, _, path = route.partition(" ")
    rule = find_rule(offered.app, method, path)

    # This fails with the first request that takes more time or memory than one may.
    requests_sent = search.run(route, series_of(rule, method, offered, table, search.server))

    print(f"{requests_sent} requests to {route}")
    assert requests_sent > 0


def find_rule(app: Flask, method: str, path: str) -> Rule:
    """Return the routing rule of a path that takes this method."""
    for rule in app.url_map.iter_rules():
        if rule.rule == path and method in methods_of(rule):
            return rule
    raise AssertionError(f"no route {method} {path}")
