"""Rate limits: what a phone, an address, and all together may do in a time, and the counters of it.

PyrateLimiter counts by a monotonic clock. Flask-Limiter (4.1.1, limits 5.8) uses the wall clock:
setting it back by an hour blocks all requests for an hour. It also starts a thread a request.

Reading, scoring, rulings and writing into a match that the device may write in are not limited:
what one such request may cost is. The figures are for sixteen phones behind one address:

- At the end of a match each phone takes the sheet, the picture, the rules card and a blank pad: 4, of all 64.
- Only wrong keys count, and a right one is always accepted: nobody guesses 130 random bits.
- Short codes are six of 25 characters, 244 million, and are valid for ten minutes. All together may try 300, and as
  many again while these ten minutes pass. An address has its first two tries apart from them, so that whoever uses up
  the 300 does not shut out the others. With these all may try 1,500, and as many again, which guesses a code with a
  chance of 1 in 81,000. The 254 addresses of a home network come to 300 + 2 x 254 = 808.
- Without access to all matches sixteen phones start up to 96 matches in an hour. Limits: 2.5 times that per address,
  and 960 of 10 kB in all. An address has its first 12 apart from these; with them all together may start 5,000, 50 MB
  an hour.
- Sixteen phones enter fewer than 100 matches in an hour. Each entering by a new device stores 400 bytes. Limits: 2.5
  times that per address, 2,400 in all besides the first 32 of each address, and 12,000 with these, 5 MB an hour.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from scorepad.caches import LruCache

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from pyrate_limiter import InMemoryStateStore

_MINUTE, _TEN_MINUTES, _HOUR = 60_000, 600_000, 3_600_000
"""Milliseconds."""
MOST_COUNTERS = 4096
"""Counters of phones, and of addresses."""


class Limit(NamedTuple):
    """What is allowed in `time` milliseconds to a phone, to an address, and to all together (0: no
    limit).

    The first ones of an address, `apart`, do not count among those of `everybody`. `most` is the
    limit with these.
    """

    phone: int
    address: int
    everybody: int = 0
    apart: int = 0
    most: int = 0
    time: int = _MINUTE


class Action(Enum):
    PAPER = Limit(120, 960)
    WRONG_KEY = Limit(60, 480)
    SHORT_CODE = Limit(12, 60, everybody=300, apart=2, most=1500, time=_TEN_MINUTES)
    BEGIN = Limit(60, 240, everybody=960, apart=12, most=5_000, time=_HOUR)
    ENTER = Limit(60, 240, everybody=2_400, apart=32, most=12_000, time=_HOUR)


class _Counter(NamedTuple):
    """A counter, and how many it allows in `time` milliseconds."""

    store: InMemoryStateStore
    most: int
    time: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The counters; the least recently used ones of phones and addresses are dropped."""

    phones: LruCache[InMemoryStateStore] = field(
        default_factory=lambda: LruCache(most=MOST_COUNTERS)
    )
    addresses: LruCache[InMemoryStateStore] = field(
        default_factory=lambda: LruCache(most=MOST_COUNTERS)
    )
    totals: MutableMapping[tuple[Action, str], InMemoryStateStore] = field(default_factory=dict)

    def check(self, action: Action, phone: str, address: str) -> int:
        """Milliseconds until the action is allowed, 0 for now; it is not counted. `phone`: empty
        for an unknown one.
        """
        for counter in self._counters(action, phone, address, 1):
            wait = _wait(counter, 1, counted=False)
            if wait:
                return wait
        return 0

    def count(self, action: Action, phone: str, address: str, weight: int = 1) -> int:
        """Count the action `weight` times; milliseconds until it is allowed if it is not, else 0."""
        for counter in self._counters(action, phone, address, weight):
            wait = _wait(counter, weight, counted=True)
            if wait:
                return wait
        return 0

    def _counters(self, action: Action, phone: str, address: str, weight: int) -> list[_Counter]:
        """The counters that this action counts in."""
        limit = action.value
        counters = [_Counter(_cached(self.addresses, action, address), limit.address, limit.time)]
        if phone:
            counters.append(_Counter(_cached(self.phones, action, phone), limit.phone, limit.time))
        if not limit.everybody:
            return counters
        apart = _Counter(_cached(self.addresses, action, address, "apart"), limit.apart, limit.time)
        if _wait(apart, weight, counted=False):
            counters.append(_Counter(self._total(action, "everybody"), limit.everybody, limit.time))
        else:
            counters.append(apart)
        counters.append(_Counter(self._total(action, "most"), limit.most, limit.time))
        return counters

    def _total(self, action: Action, kind: str) -> InMemoryStateStore:
        return self.totals.setdefault((action, kind), _new_store())


def _cached(stores: LruCache[InMemoryStateStore], *key: object) -> InMemoryStateStore:
    return stores.get_or_make(key, _new_store)


def _new_store() -> InMemoryStateStore:
    from pyrate_limiter import InMemoryStateStore  # imported at the first count

    return InMemoryStateStore()


def _wait(counter: _Counter, weight: int, *, counted: bool) -> int:
    """Milliseconds until this counter allows `weight` more; 0 if it does now."""
    from pyrate_limiter import GCRA, Rate

    store: Any = counter.store
    algorithm = GCRA()
    rates = [Rate(counter.most, counter.time)]
    now = store.default_clock.now()
    if counted:
        decision = store.check(algorithm, rates, now, weight)
    else:
        decision = algorithm.step(rates, store.read(algorithm, rates), now, weight)[1]
    wait: int = decision.retry_after_ms or 0
    return wait
