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

from copy import copy
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from scorepad.caches import LruCache

if TYPE_CHECKING:
    from pyrate_limiter import InMemoryStateStore

_MINUTE, _TEN_MINUTES, _HOUR = 60_000, 600_000, 3_600_000
"""Milliseconds."""
MOST_COUNTERS = 4096
"""Counters of phones, and of addresses."""


class Limit(NamedTuple):
    """How often an action is allowed in `milliseconds`."""

    most_per_phone: int
    most_per_address: int
    most_shared: int = 0
    """For all senders together, without the reserves of their addresses; 0 if there is no limit."""
    reserve_per_address: int = 0
    """The first actions of each address, which are not among the shared ones: whoever uses those up
    does not shut out the others.
    """
    most_in_all: int = 0
    """For all senders together, with the reserves."""
    milliseconds: int = _MINUTE


class Action(Enum):
    """What is limited, each with its limit."""

    FILE = Limit(most_per_phone=120, most_per_address=960)
    WRONG_KEY = Limit(most_per_phone=60, most_per_address=480)
    SHORT_CODE = Limit(
        most_per_phone=12,
        most_per_address=60,
        most_shared=300,
        reserve_per_address=2,
        most_in_all=1500,
        milliseconds=_TEN_MINUTES,
    )
    BEGIN = Limit(
        most_per_phone=60,
        most_per_address=240,
        most_shared=960,
        reserve_per_address=12,
        most_in_all=5_000,
        milliseconds=_HOUR,
    )
    ENTER = Limit(
        most_per_phone=60,
        most_per_address=240,
        most_shared=2_400,
        reserve_per_address=32,
        most_in_all=12_000,
        milliseconds=_HOUR,
    )


class Sender(NamedTuple):
    """Who sends a request: a phone, or empty for an unknown one, and its address."""

    phone: str
    address: str


class _Counted(Enum):
    """Whose actions a counter counts; the reserve and what is shared are explained in `Limit`."""

    PHONE = "phone"
    ADDRESS = "address"
    RESERVE_OF_ADDRESS = "reserve"
    SHARED = "shared"
    ALL = "all"


class _Counter(NamedTuple):
    """Counts an action that is allowed `most` times in `milliseconds`."""

    past: InMemoryStateStore
    """What was counted so far, as the library stores it."""
    most: int
    milliseconds: int

    def count_if_allowed(self, times: int) -> int:
        """Count an action so many times, if it is allowed now; return how long it has to wait.

        0 if it was counted. Else nothing was, and it is allowed after so many milliseconds.
        """
        from pyrate_limiter import GCRA, Rate  # imported at the first request that is limited

        past: Any = self.past  # the library does not type its methods
        allowed = Rate(self.most, self.milliseconds)
        now = past.default_clock.now()
        decision = past.check(GCRA(), [allowed], now, times)
        wait: int = decision.retry_after_ms or 0
        return wait

    def find_wait(self, times: int) -> int:
        """Find how many milliseconds an action has to wait until it is allowed so many times.

        0 if it is allowed now. The action is not counted.
        """
        # The library can only count: a copy does, and is thrown away.
        copied_counter = self._replace(past=copy(self.past))
        return copied_counter.count_if_allowed(times)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted; the least recently used counters of phones and addresses are dropped."""

    phones: LruCache[InMemoryStateStore] = field(
        default_factory=lambda: LruCache(most=MOST_COUNTERS)
    )
    addresses: LruCache[InMemoryStateStore] = field(
        default_factory=lambda: LruCache(most=MOST_COUNTERS)
    )
    totals: LruCache[InMemoryStateStore] = field(default_factory=LruCache)

    def find_wait_for_sender(self, action: Action, sender: Sender) -> int:
        """Find how many milliseconds a sender has to wait until an action is allowed.

        0 if it is allowed now. The action is not counted.
        """
        for counter in self._list_counters(action, sender, times=1):
            wait = counter.find_wait(times=1)
            if wait:
                return wait
        return 0

    def count_for_sender(self, action: Action, sender: Sender, times: int = 1) -> int:
        """Count that a sender does something so many times, unless that is too often.

        Returns 0 if it is allowed, else how many milliseconds the sender has to wait.
        """
        for counter in self._list_counters(action, sender, times):
            wait = counter.count_if_allowed(times)
            if wait:
                return wait  # the counters before this one have counted it all the same
        return 0

    def _list_counters(self, action: Action, sender: Sender, times: int) -> list[_Counter]:
        """List the counters that must all allow a sender to do something so many times."""
        limit = action.value
        counters = [self._find_counter_of_address(action, sender.address)]
        if sender.phone:  # else the phone is unknown
            counters.append(self._find_counter_of_phone(action, sender.phone))
        if limit.most_shared > 0:
            counters.append(self._find_counter_of_reserve_or_shared(action, sender.address, times))
            counters.append(self._find_counter_of_all(action))
        return counters

    def _find_counter_of_address(self, action: Action, address: str) -> _Counter:
        """Find the counter of what one address does."""
        limit = action.value
        past = self.addresses.get_or_make((action, _Counted.ADDRESS, address), _start_at_zero)
        return _Counter(past, limit.most_per_address, limit.milliseconds)

    def _find_counter_of_phone(self, action: Action, phone: str) -> _Counter:
        """Find the counter of what one phone does."""
        limit = action.value
        past = self.phones.get_or_make((action, _Counted.PHONE, phone), _start_at_zero)
        return _Counter(past, limit.most_per_phone, limit.milliseconds)

    def _find_counter_of_reserve_or_shared(
        self, action: Action, address: str, times: int
    ) -> _Counter:
        """Find the counter of the address's own reserve, or else of what all senders share.

        Each address may do something a few times that only its reserve counts. So whoever uses up
        what all senders share does not lock out the others.
        """
        reserve = self._find_counter_of_reserve(action, address)
        is_reserve_enough = reserve.find_wait(times) == 0
        if is_reserve_enough:
            return reserve
        return self._find_counter_of_shared(action)

    def _find_counter_of_reserve(self, action: Action, address: str) -> _Counter:
        """Find the counter of the first few actions of an address."""
        limit = action.value
        key = (action, _Counted.RESERVE_OF_ADDRESS, address)
        past = self.addresses.get_or_make(key, _start_at_zero)
        return _Counter(past, limit.reserve_per_address, limit.milliseconds)

    def _find_counter_of_shared(self, action: Action) -> _Counter:
        """Find the counter of what all senders do, without the reserves of their addresses."""
        limit = action.value
        past = self.totals.get_or_make((action, _Counted.SHARED), _start_at_zero)
        return _Counter(past, limit.most_shared, limit.milliseconds)

    def _find_counter_of_all(self, action: Action) -> _Counter:
        """Find the counter of everything that all senders do."""
        limit = action.value
        past = self.totals.get_or_make((action, _Counted.ALL), _start_at_zero)
        return _Counter(past, limit.most_in_all, limit.milliseconds)


def _start_at_zero() -> InMemoryStateStore:
    """Make what a new counter starts with: nothing was counted yet."""
    from pyrate_limiter import InMemoryStateStore  # imported at the first count

    return InMemoryStateStore()
