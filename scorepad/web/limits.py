"""Rate limits of writing, making papers, searching, trying keys and starting matches.

PyrateLimiter counts for each phone and each home address, by a monotonic clock. Flask-Limiter (4.1.1, limits 5.8) is
not used: it reads the wall clock, so that a clock set back by an hour refuses everybody for an hour, and it starts a
thread with every request.

The figures, for sixteen phones behind one address:

- Open pages poll every 2 seconds. Reads are not limited.
- Typing a hand sends it at most every 500 ms (`static/hand-sync.js`): 120 a minute. A phone may ten times that, an
  address sixteen times as much.
- At the end of a match each phone takes the sheet, the picture, the rules card and a blank pad: 4, of all 64.
- A withdrawn key is tried again once or twice, and a short code mistyped a few times; only wrong ones count. Six of 25
  letters and figures, valid for ten minutes: with 300 tries of everybody in that time one in 800,000 finds a given one.
- Without the home privilege sixteen phones start in an hour a practice match and two others each, and err three times:
  6, of all 96. A phone may ten times that, an address two and a half times as much, all strangers together four times
  an address: 960 of 10 kB, 10 MB an hour. A file of matches counts as five.
- Scoring a hand or asking the referee through the API stores nothing and takes a few milliseconds.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from scorepad.matches.transaction import Recent
from scorepad.web.security import cookie_device_id, is_at_home

if TYPE_CHECKING:
    from pyrate_limiter import Decision, InMemoryStateStore

LIMITED = "SCOREPAD_LIMITED"
"""Configuration key that turns the limits on."""
MINUTE = 60_000
"""Milliseconds."""
EXTENSION = "scorepad.limits"
"""Key of the `Counts` among Flask's extensions."""
HOUR = 60 * MINUTE
FILE_WEIGHT = 5
"""How many matches an imported file counts as."""
MANY_MATCHES = "many-matches"
"""Description of the error raised if too many matches were started."""
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_EXTENSIONS = {".pdf", ".png", ".csv", ".json"}
_SEARCHED = {"cerca", "testo"}
"""URL parameters of searches."""
_IMPORT = "files.take"
_DESCRIPTION = "api.openapi"
_ENTER, _JOIN = "phones.enter", "phones.join"
_BEGINS = "api.begin"
_QUESTIONS = {"api.score", "api.rulings"}
"""Endpoints that store nothing."""


class Action(StrEnum):
    """What is limited."""

    WRITE = "write"
    PAPER = "paper"
    SEARCH = "search"
    GUESS = "guess"
    SHORT_CODE = "short-code"
    ASK = "ask"
    BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class Limit:
    """How often in `time` milliseconds: one phone, one address, and everybody (0: no limit)."""

    phone: int
    home: int
    everybody: int = 0
    time: int = MINUTE


LIMITS = {
    Action.WRITE: Limit(1200, 19200),
    Action.PAPER: Limit(120, 960),
    Action.SEARCH: Limit(600, 9600),
    Action.GUESS: Limit(60, 480),
    Action.SHORT_CODE: Limit(12, 60, 300, 10 * MINUTE),
    Action.ASK: Limit(30_000, 96_000),
    Action.BEGIN: Limit(60, 240, 960, HOUR),
}


@dataclass(frozen=True, slots=True)
class Counts:
    """The counters of phones and addresses; the least recently used are dropped."""

    phones: Recent[InMemoryStateStore] = field(default_factory=lambda: Recent(most=4096))
    homes: Recent[InMemoryStateStore] = field(default_factory=lambda: Recent(most=4096))

    def of(self, action: Action) -> Iterator[tuple[InMemoryStateStore, int]]:
        """The counters of this request with their limits, that of the address first."""
        limit = LIMITS[action]
        yield _store(self.homes, (action, network_of(request.remote_addr or ""))), limit.home
        phone = _phone()
        if phone:
            yield _store(self.phones, (action, phone)), limit.phone
        if limit.everybody:
            yield _store(self.homes, (action, "everybody")), limit.everybody


def register(app: Flask) -> None:
    """Limit requests: 429 with `Retry-After`. Runs after the check of the host and before anything expensive."""
    app.extensions[EXTENSION] = Counts()
    app.before_request(_check_limits)
    app.after_request(_count_wrong_keys)
    app.after_request(_set_retry_after)


def _check_limits() -> None:
    for action in _actions():
        _count(action)
    guess = _guess()
    if guess is not None:
        _count(guess, kept=True)
    if request.endpoint == _BEGINS:
        begin()


def begin(weight: int = 1) -> None:
    """Count a match, or `weight` of them, that a device without the home privilege starts. Raises TooManyRequests."""
    if not is_at_home():
        _count(Action.BEGIN, weight=weight, description=MANY_MATCHES)


def _actions() -> Iterator[Action]:
    """What a request does, by its endpoint and method."""
    if request.endpoint in _QUESTIONS:
        yield Action.ASK
    elif request.method not in _SAFE_METHODS:
        yield Action.WRITE
    elif _SEARCHED & request.args.keys():
        yield Action.SEARCH
    if _is_paper():
        yield Action.PAPER


def _is_paper() -> bool:
    """Whether a file is made or read: by the extension of the URL, an export, or an import."""
    path = "" if request.url_rule is None else request.url_rule.rule
    if request.endpoint in ("static", _DESCRIPTION):
        return False
    is_import = request.endpoint == _IMPORT and request.method not in _SAFE_METHODS
    return PurePosixPath(path).suffix in _EXTENSIONS or path.endswith("/export") or is_import


def _guess() -> Action | None:
    """What the request tries, if it tries a key or a short code."""
    if request.endpoint == _JOIN and request.method == "POST":
        return Action.SHORT_CODE
    return Action.GUESS if request.endpoint == _ENTER or "Authorization" in request.headers else None


def _count_wrong_keys(response: Response) -> Response:
    """Count a wrong key or short code; after too many, they are refused unread."""
    guess = _guess()
    wrong = HTTPStatus.NOT_FOUND if request.endpoint in (_ENTER, _JOIN) else HTTPStatus.UNAUTHORIZED
    if guess is not None and response.status_code == wrong:
        with suppress(TooManyRequests):  # the next one is refused
            _count(guess)
    return response


def _set_retry_after(response: Response) -> Response:
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS and "retry_after" in g:
        response.headers["Retry-After"] = str(g.retry_after)
    return response


def _count(action: Action, *, kept: bool = False, weight: int = 1, description: str | None = None) -> None:
    """Count `weight` of an action, or with `kept` only check that one is left. Raises TooManyRequests."""
    from pyrate_limiter import GCRA, Rate  # imported at the first count

    if not current_app.config[LIMITED]:
        return
    counts: Counts = current_app.extensions[EXTENSION]
    store: Any
    decision: Decision
    for store, most in counts.of(action):
        way, rates, now = GCRA(), [Rate(most, LIMITS[action].time)], store.default_clock.now()
        decision = way.step(rates, store.read(way, rates), now, 1)[1] if kept else store.check(way, rates, now, weight)
        if decision.retry_after_ms:
            g.retry_after = math.ceil(decision.retry_after_ms / 1000)
            raise TooManyRequests(description)


def _store(kept: Recent[InMemoryStateStore], key: tuple[Action, str]) -> InMemoryStateStore:
    from pyrate_limiter import InMemoryStateStore

    return kept.get(key) or kept.put(key, InMemoryStateStore())


def network_of(address: str) -> str:
    """The address that is limited; of an IPv6 address its /64 network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def _phone() -> str:
    """The device by its cookie, a program by the digest of its key; empty for a new device."""
    brought = request.headers.get("Authorization", "")
    return hashlib.sha256(brought.encode()).hexdigest() if brought else cookie_device_id()
