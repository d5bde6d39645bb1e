"""The search: sends series of requests to a route, and says which bound one of them breaks."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.attack.load import at_once
from tests.soak.costs.measuring import MeasuredServer, Record, Request, crowd
from tests.soak.costs.page_series import Series
from tests.soak.costs.pages import NotOffered

MOST_PROCESSOR = 1.0
"""Seconds of processor for typing, scoring and asking."""
MOST_MEMORY = 300.0
"""MB above the idle server."""
MOST_WAIT = 1.0
"""Seconds within which others are answered."""
MOST_KEPT = 120.0
"""MB above idle from which a server is started anew, so that its growth is not counted for the next
request.
"""
CROWD_SECONDS = 4.0
"""Seconds for which eight clients send the worst of a route."""
FILES = (
    ".pdf",
    ".png",
    ".csv",
    ".json",
    ".toml",
    "/export",
    "POST /file",
    "POST /nostre-regole/file",
)
"""Ends of routes that make or read a file or a paper, which may take longer than a second."""
FULL = (503, 507)
TAKEN = (200, 201, 303, 403, 404, 409)
"""Answers after which a form is read again: it was taken, or what it is about is gone."""


def faults(record: Record) -> list[str]:
    """The bounds that a record breaks, in words."""
    found = []
    if record.is_over_time:
        found.append(f"no answer in {record.seconds:.0f} s")
    elif record.processor > MOST_PROCESSOR and not record.route.endswith(FILES):
        found.append(f"{record.processor:.1f} s of processor")
    if record.above > MOST_MEMORY:
        found.append(f"{record.above:.0f} MB above idle")
    if record.status >= 500 and record.status not in FULL:
        found.append(f"status {record.status}")
    if record.complaint:
        found.append(record.complaint)
    return found


@dataclass
class Search:
    """A server under search."""

    server: MeasuredServer
    visited: Request
    """The page that a visitor asks for while eight clients do their worst."""

    def run(self, route: str, series: Iterable[Series]) -> int:
        """Send all series of a route, then the worst of them from eight clients at once; returns
        how many requests that were. Raises AssertionError for the first that breaks a bound.
        """
        sent = [pair for each in series for pair in self._send(route, each)]
        if sent:
            self._send_from_many(max(sent, key=lambda pair: _weight(pair[0]))[1])
        return len(sent)

    def _send(self, route: str, series: Series) -> list[tuple[Record, Request]]:
        """Send a series, as long as its form can be sent."""
        sent = []
        for size in series.sizes:
            request = series.build(size)
            record, location = self._measure(route, series.what, request)
            sent.append((record, request))
            if record.status in (200, 201, 303):
                self._follow(route, series, request, location)
            if not _can_be_sent_again(series, record.status):
                break
        return sent

    def _measure(self, route: str, what: str, request: Request) -> tuple[Record, str]:
        """What a request cost, which breaks no bound, and where its answer leads."""
        record, answer = self.server.measure(route, what, request)
        assert not faults(record), (faults(record), record)
        if record.kept > MOST_KEPT:
            self.server.start()
        return record, answer.location

    def _follow(self, route: str, series: Series, request: Request, location: str) -> None:
        """Ask for the page that an answer leads to, and for what else shows what was stored."""
        asked = [*series.follow]
        if location.startswith("/") and request.method != "GET":
            asked.append(Request("GET", location, {"Cookie": request.headers.get("Cookie", "")}))
        for each in asked:
            self._measure(route, f"{series.what}, then {each.path[:60]}", each)

    def _send_from_many(self, worst: Request) -> None:
        found = crowd(self.server, [worst], self.visited, CROWD_SECONDS)
        complaint = self.server.complaint()
        self.server.start()
        assert not complaint, (complaint, worst)
        assert found.memory < MOST_MEMORY, (found, worst)
        assert found.wait < at_once(MOST_WAIT), (found, worst)


def _can_be_sent_again(series: Series, status: int) -> bool:
    """Read a form again where that is needed; False if it cannot be sent any more."""
    if series.source is None or (status not in TAKEN and status):
        return True
    try:
        series.source.refresh()
    except NotOffered:
        return False
    return True


def _weight(record: Record) -> float:
    """What counts for the worst: a second of processor as much as 300 MB."""
    return record.processor / MOST_PROCESSOR + record.memory / MOST_MEMORY
