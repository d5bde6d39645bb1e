"""The search for requests that cost too much, in `tests/soak/test_costs.py`, knows how to make a
request that each route takes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from werkzeug.routing import Rule

from tests.soak.costs.browser import Browser
from tests.soak.costs.measuring import MeasuredServer, send
from tests.soak.costs.page_series import Series
from tests.soak.costs.pages import Offered, explore
from tests.soak.costs.table import Table, prepare
from tests.soak.test_costs import application, methods_of, series_of

pytestmark = pytest.mark.long
MOST_TRIES = 12
REACHED = (200, 201, 204, 303, 308, 422)
"""422: the form was read, and a field has a mistake."""
ALSO_REACHED = {"POST /entra": 404}
"""Answers of other routes that read the form: a blank code is a wrong one."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return prepare(tmp_path_factory.mktemp("routes"))


@pytest.fixture(scope="module")
def server(table: Table) -> Iterator[MeasuredServer]:
    server = MeasuredServer(table.folder, table.folder.parent / "running")
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def offered(
    table: Table, server: MeasuredServer, tmp_path_factory: pytest.TempPathFactory
) -> Offered:
    app = application(tmp_path_factory.mktemp("app"))
    return explore(app, table, table.owner(server), table.other(server), Browser(server, {}))


def test_each_route_takes_a_request_of_the_search(
    offered: Offered, table: Table, server: MeasuredServer
) -> None:
    reading = []
    changing = []
    for rule in offered.app.url_map.iter_rules():
        for method in methods_of(rule):
            if method == "GET":
                reading.append((rule, method))
            else:
                changing.append((rule, method))

    missed = []
    for rule, method in reading + changing:
        route = f"{method} {rule.rule}"
        statuses = statuses_of(rule, method, offered, table, server)
        if not is_reached(route, statuses):  # a request to another route may have changed the match
            server.start()
            statuses = statuses_of(rule, method, offered, table, server)
        if not is_reached(route, statuses):
            missed.append(f"{route}: {statuses}")
    assert not missed, "\n".join(missed)


def statuses_of(
    rule: Rule, method: str, offered: Offered, table: Table, server: MeasuredServer
) -> list[int]:
    """The answers to the usual requests from which the search begins, up to the first that shows
    that the route was reached.
    """
    statuses = [0]
    for each in series_of(rule, method, offered, table, server):
        if "as it is" not in each.what:
            continue
        statuses.append(answered(each, server))
        if statuses[-1] in REACHED or len(statuses) > MOST_TRIES:
            break
    return statuses


def is_reached(route: str, statuses: list[int]) -> bool:
    return statuses[-1] in (*REACHED, ALSO_REACHED.get(route))


def answered(series: Series, server: MeasuredServer) -> int:
    """The status of the answer to a usual request, with its form read anew."""
    if series.source is not None:
        series.source.refresh()
    return send(server.port, series.build(0), timeout=30).status
