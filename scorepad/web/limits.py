"""How often one may write, have papers made, search, and try keys, so that nobody keeps the pad from the others.

By PyrateLimiter: one number for each phone and each home, counted by a clock that nobody sets. Not by Flask-Limiter
(4.1.1, limits 5.8): it goes by the clock on the wall, so that a clock set back by an hour shuts everybody out for as
long, and starts a thread with every request to forget what is over.

How the figures come about, with sixteen phones behind one address:

- An open page asks every 2 seconds whether anything is new. That is looking, and looking is never counted.
- Whoever counts a hand sends it at most every 500 ms while typing (`static/hand-sync.js`): 120 a minute, were somebody
  type all the time. A phone may ten times that, so that a club's program meets no limit either, a home sixteen times
  as much.
- At the end of a match each phone may take the sheet, the picture, the rules card and a blank pad: 4, of all 64.
- A key is tried again after it was withdrawn, once or twice; only wrong ones are counted.
- Strangers, whoever is not on the server's own machine, begin matches: in an hour each of the sixteen a practice match
  and two others, and errs three times; 6, of all 96. A phone may ten times that, an address two and a half times as
  much, all strangers together four times an address: 960 of 10 kB, 10 MB an hour. A file of matches counts as five.
- A question of a program that stores nothing, to score a hand or to ask the referee, takes a few milliseconds: what one
  processor answers in a minute is no limit to it.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from scorepad.matches.recent import Recent
from scorepad.web.device import carried_name, is_at_home

if TYPE_CHECKING:
    from pyrate_limiter import Decision, InMemoryStateStore

LIMITED = "SCOREPAD_LIMITED"
"""The setting of the application under which anything is counted at all."""
MINUTE = 60_000
"""Milliseconds."""
EXTENSION = "scorepad.limits"
"""Key of the `Counts` among Flask's extensions."""
HOUR = 60 * MINUTE
FILE_WEIGHT = 5
"""What a file of matches that is taken in counts, in matches."""
MANY_MATCHES = "many-matches"
"""What is refused where too many matches were begun, for those who put it into words."""
_READING = {"GET", "HEAD", "OPTIONS"}
_FILES = {".pdf", ".png", ".csv", ".json"}
_SEARCHED = {"cerca", "testo"}
"""The fields of addresses in which somebody looks for something."""
_TAKES_FILES = "files.take"
_DESCRIPTION = "api.openapi"
_ENTRANCE = "phones.enter"
_BEGINS = "api.begin"
_QUESTIONS = {"api.score", "api.rulings"}
"""What programs ask and nothing is stored of."""


class Deed(StrEnum):
    """What is counted."""

    WRITE = "write"
    PAPER = "paper"
    SEARCH = "search"
    GUESS = "guess"
    ASK = "ask"
    BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class Limit:
    """How often in a time: one phone, all that come from one address together, and everybody (0: any number)."""

    phone: int
    home: int
    everybody: int = 0
    time: int = MINUTE


LIMITS = {
    Deed.WRITE: Limit(1200, 19200),
    Deed.PAPER: Limit(120, 960),
    Deed.SEARCH: Limit(600, 9600),
    Deed.GUESS: Limit(60, 480),
    Deed.ASK: Limit(30_000, 96_000),
    Deed.BEGIN: Limit(60, 240, 960, HOUR),
}


@dataclass(frozen=True, slots=True)
class Counts:
    """How much each phone and each home has done lately. Of those who did nothing for the longest it forgets."""

    phones: Recent[InMemoryStateStore] = field(default_factory=lambda: Recent(most=4096))
    homes: Recent[InMemoryStateStore] = field(default_factory=lambda: Recent(most=4096))

    def of(self, deed: Deed) -> Iterator[tuple[InMemoryStateStore, int]]:
        """What is counted of whoever asks now, and how much of it a minute may have: the home's first."""
        limit = LIMITS[deed]
        yield _store(self.homes, (deed, home_of(request.remote_addr or ""))), limit.home
        phone = _phone()
        if phone:
            yield _store(self.phones, (deed, phone)), limit.phone
        if limit.everybody:
            yield _store(self.homes, (deed, "everybody")), limit.everybody


def register(app: Flask) -> None:
    """Count what is asked, and refuse with 429 what is too much. Comes after the hosts and before all that takes time.

    The words of the refusal are those of pages and of programs; when to try again stands in `Retry-After`.
    """
    app.extensions[EXTENSION] = Counts()
    app.before_request(_refuse_too_much)
    app.after_request(_note_guesses)
    app.after_request(_say_when)


def _refuse_too_much() -> None:
    if not current_app.config[LIMITED]:
        return
    counts: Counts = current_app.extensions[EXTENSION]
    for deed in _deeds():
        for store, most in counts.of(deed):
            _spend(store, most)
    if _may_guess():
        for store, most in counts.of(Deed.GUESS):
            _spend(store, most, kept=True)
    if request.endpoint == _BEGINS:
        begin()


def begin(weight: int = 1) -> None:
    """Count a match that a stranger is about to begin, or so many. Raises TooManyRequests."""
    if not current_app.config[LIMITED] or is_at_home():
        return
    counts: Counts = current_app.extensions[EXTENSION]
    for store, most in counts.of(Deed.BEGIN):
        wait = _step(store, most, time=LIMITS[Deed.BEGIN].time, weight=weight)
        if wait:
            g.again_after = math.ceil(wait / 1000)
            raise TooManyRequests(MANY_MATCHES)


def _deeds() -> Iterator[Deed]:
    """What a request does, as far as its address and its method tell."""
    if request.endpoint in _QUESTIONS:
        yield Deed.ASK
    elif request.method not in _READING:
        yield Deed.WRITE
    elif _SEARCHED & request.args.keys():
        yield Deed.SEARCH
    if _is_paper():
        yield Deed.PAPER


def _is_paper() -> bool:
    """Whether something is made that takes a while: all that ends like a file, an export, and files taken in."""
    path = "" if request.url_rule is None else request.url_rule.rule
    if request.endpoint in ("static", _DESCRIPTION):
        return False
    is_taken = request.endpoint == _TAKES_FILES and request.method not in _READING
    return PurePosixPath(path).suffix in _FILES or path.endswith("/export") or is_taken


def _may_guess() -> bool:
    """Whether a key is tried."""
    return request.endpoint == _ENTRANCE or "Authorization" in request.headers


def _note_guesses(response: Response) -> Response:
    """Count a key that opens nothing. Too many of them are refused before anybody looks whether they do."""
    wrong = HTTPStatus.NOT_FOUND if request.endpoint == _ENTRANCE else HTTPStatus.UNAUTHORIZED
    if current_app.config[LIMITED] and _may_guess() and response.status_code == wrong:
        counts: Counts = current_app.extensions[EXTENSION]
        for store, most in counts.of(Deed.GUESS):
            _step(store, most)
    return response


def _say_when(response: Response) -> Response:
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS and "again_after" in g:
        response.headers["Retry-After"] = str(g.again_after)
    return response


def _spend(store: InMemoryStateStore, most: int, *, kept: bool = False) -> None:
    """Take one of so many a minute, or only look whether one is left. Raises TooManyRequests."""
    wait = _step(store, most, kept=kept)
    if wait:
        g.again_after = math.ceil(wait / 1000)
        raise TooManyRequests


def _step(store: Any, most: int, *, kept: bool = False, time: int = MINUTE, weight: int = 1) -> int:
    """Take one of so many, or with `kept` none: how many milliseconds are to be waited for it, usually 0."""
    from pyrate_limiter import GCRA, Rate

    way, rates, now = GCRA(), [Rate(most, time)], store.default_clock.now()
    decision: Decision = (
        way.step(rates, store.read(way, rates), now, 1)[1] if kept else store.check(way, rates, now, weight)
    )
    return decision.retry_after_ms or 0


def _store(kept: Recent[InMemoryStateStore], key: tuple[Deed, str]) -> InMemoryStateStore:
    from pyrate_limiter import InMemoryStateStore  # when something is counted first: who starts the pad need not wait

    return kept.get(key) or kept.put(key, InMemoryStateStore())


def home_of(address: str) -> str:
    """Where a request comes from; of an IPv6 address the network, since whoever has one has all of its addresses."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def _phone() -> str:
    """Who asks: a device by its name, a program by a digest of its key; empty for one that has neither yet."""
    brought = request.headers.get("Authorization", "")
    return hashlib.sha256(brought.encode()).hexdigest() if brought else carried_name()
