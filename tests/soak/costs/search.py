"""The search: sends series of requests, keeps the records, and says which bounds are broken."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.attack.load import at_once
from tests.soak.costs.measuring import MeasuredServer, Record, Request, crowd
from tests.soak.costs.page_series import MANY, Series
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
CROWD_SECONDS = float(os.environ.get("SCOREPAD_SOAK_CROWD", "4"))
"""Seconds for which eight clients send the worst of a route; 0: they do not."""
MOST = int(os.environ.get("SCOREPAD_SOAK_MOST", str(8 * 10**6)))
"""Bytes: larger requests are left out."""
SIZES = {int(size) for size in os.environ.get("SCOREPAD_SOAK_SIZES", "").split(",") if size}
"""If set, only these sizes are sent."""
MOST_HUNG = 2
"""Requests of one field, or of one shape, that a route does not answer; the others of it are left
out.
"""
MOST_STARTS = int(os.environ.get("SCOREPAD_SOAK_STARTS", "80"))
"""Starts of a server for one route: some forms can be sent only once by a match."""
KEPT_IN = os.environ.get("SCOREPAD_SOAK_JSON", "")
"""A file to which every record is added, as JSON, one a line."""
_FILES = (
    ".pdf",
    ".png",
    ".csv",
    ".json",
    ".toml",
    "/export",
    "POST /file",
    "POST /nostre-regole/file",
)
FULL = (503, 507)
TAKEN = (200, 201, 303, 403, 404, 409)
"""Answers after which a form is read again: it was taken, or what it is about is gone."""


def is_file(route: str) -> bool:
    """Whether a file or a paper is made or read, which may take longer than a second."""
    return route.endswith(_FILES)


def faults(record: Record) -> list[str]:
    """The bounds that a record breaks, in words."""
    found = []
    if record.is_over_time:
        found.append(f"no answer in {record.seconds:.0f} s")
    elif record.processor > MOST_PROCESSOR and not is_file(record.route):
        found.append(f"{record.processor:.1f} s of processor")
    if record.above > MOST_MEMORY:
        found.append(f"{record.above:.0f} MB above idle")
    if record.crowd > MOST_MEMORY:
        found.append(f"{record.crowd:.0f} MB with eight clients")
    if record.wait > record.patience:
        found.append(f"others wait {record.wait:.1f} s")
    if record.status >= 500 and record.status not in FULL:
        found.append(f"status {record.status}")
    if record.complaint:
        found.append(record.complaint)
    return found


@dataclass
class Search:
    """A server under search, and the records so far."""

    server: MeasuredServer
    visited: Request
    """The page that a visitor asks for while eight clients do their worst."""
    records: list[Record] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """Series that were not sent, by route: those of a field that hangs, or after too many starts of
    a server.
    """

    def run(self, route: str, series: Iterable[Series]) -> list[Record]:
        """Send all series of a route, then the worst of them from eight clients at once."""
        before = len(self.records)
        starts = self.server.starts
        worst: tuple[Record, Request] | None = None
        hung = Counter[str]()
        for each in series:
            field_name, _, shape = each.what.partition(": ")
            is_known = max(hung[field_name], hung[shape]) >= MOST_HUNG
            if is_known or self.server.starts - starts > MOST_STARTS:
                self.left_out[route] += 1
                continue
            for record, request in self._send(each):
                if record.is_over_time:
                    hung.update((field_name, shape))
                is_worse = worst is None or _weight(record) > _weight(worst[0])
                if record.route == route and not record.is_over_time and is_worse:
                    worst = record, request
        if worst is not None and CROWD_SECONDS:
            found = crowd(self.server, [worst[1]], self.visited, CROWD_SECONDS)
            worst[0].wait = found.wait
            worst[0].patience = at_once(MOST_WAIT)
            worst[0].crowd = found.memory
            worst[0].complaint += self.server.complaint()
            self.server.start()
        return self.records[before:]

    def _send(self, series: Series) -> list[tuple[Record, Request]]:
        """Send a series until a bound is broken: what is larger costs more."""
        found = []
        for size in series.sizes:
            if size > MOST or (SIZES and size > 0 and size not in (*SIZES, *MANY)):
                continue
            request = series.build(size)
            record, answer = self.server.measure(series.route, series.what, request)
            self._keep(record)
            found.append((record, request))
            if answer.status in (200, 201, 303):
                self._follow(series, request, answer.location)
                if series.once:
                    self.server.start()
            if not self._refresh(series, answer.status) or faults(record):
                break
        return found

    def _keep(self, record: Record) -> None:
        self.records.append(record)
        if KEPT_IN:
            with Path(KEPT_IN).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(record)) + "\n")
        if record.kept > MOST_KEPT:
            self.server.start()

    def _follow(self, series: Series, request: Request, location: str) -> None:
        """Ask for the page that an answer leads to, and for what else shows what was stored."""
        asked = [*series.follow]
        if location.startswith("/") and request.method != "GET":
            asked.append(Request("GET", location, {"Cookie": request.headers.get("Cookie", "")}))
        for each in asked:
            record, _ = self.server.measure(
                series.route, f"{series.what}, then {each.path[:60]}", each
            )
            self._keep(record)

    def _refresh(self, series: Series, status: int) -> bool:
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


# ------------------------------------------------------------------------------------------- tables


def table_of(records: list[Record], figure: str, most: int = 10) -> str:
    """The dearest by one figure, of each route at most two."""
    lines = [
        f"\n{'processor':>9} {'memory':>7} {'wait':>6} {'crowd':>6} {'bytes':>8} {'answer':>8} status  {figure}"
    ]
    shown = defaultdict[str, int](int)
    for each in sorted(records, key=lambda record: -getattr(record, figure)):
        if shown[each.route] == 2:
            continue
        shown[each.route] += 1
        lines.append(_line(each))
        if len(lines) > most:
            break
    return "\n".join(lines)


def _line(record: Record) -> str:
    status = str(record.status) if record.status else f"over {record.seconds:.0f} s"
    figures = f"{record.processor:7.2f} s {record.memory:4.0f} MB {record.wait:4.1f} s {record.crowd:6.0f}"
    return f"{figures} {record.size:8} {record.answer:8} {status:7} {record.route}: {record.what}"


def told_faults(records: list[Record]) -> str:
    """Every record that breaks a bound, with what it breaks."""
    return "\n".join(
        f"{_line(each)}: {'; '.join(faults(each))}" for each in records if faults(each)
    )
