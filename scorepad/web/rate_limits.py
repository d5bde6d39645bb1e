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
    from pyrate_limiter import InMemoryStateStore

_MINUTE, _TEN_MINUTES, _HOUR = 60_000, 600_000, 3_600_000
"""Milliseconds."""
MOST_COUNTERS = 4096
"""Counters of phones, and of addresses."""


class Limit(NamedTuple):
    """How often an action is allowed in `time` milliseconds.

    `phone` limits a phone, `address` an address, and `everybody` all senders together (0: no
    limit). The first actions of an address, as many as `first_of_address`, do not count for
    `everybody`: whoever uses that up does not shut out the others. `with_first` limits all senders
    together with these first ones.
    """

    phone: int
    address: int
    everybody: int = 0
    first_of_address: int = 0
    with_first: int = 0
    time: int = _MINUTE


class Action(Enum):
    """What is limited, each with its limit."""

    FILE = Limit(phone=120, address=960)
    WRONG_KEY = Limit(phone=60, address=480)
    SHORT_CODE = Limit(
        phone=12,
        address=60,
        everybody=300,
        first_of_address=2,
        with_first=1500,
        time=_TEN_MINUTES,
    )
    BEGIN = Limit(
        phone=60,
        address=240,
        everybody=960,
        first_of_address=12,
        with_first=5_000,
        time=_HOUR,
    )
    ENTER = Limit(
        phone=60,
        address=240,
        everybody=2_400,
        first_of_address=32,
        with_first=12_000,
        time=_HOUR,
    )


class Sender(NamedTuple):
    """Who sends a request: a phone, or empty for an unknown one, and its address."""

    phone: str
    address: str


class _Counter(NamedTuple):
    """A counter, which allows `most` actions in `time` milliseconds."""

    store: InMemoryStateStore
    most: int
    time: int

    def find_wait(self, weight: int) -> int:
        """Compute how many milliseconds until this counter allows `weight` more actions; 0 if now.

        Nothing is counted.
        """
        from pyrate_limiter import GCRA, Rate  # imported at the first request that is limited

        # The library has no method for this, only one that counts too. So a step of its algorithm is
        # made from the stored state, and the state after it is not stored.
        store: Any = self.store  # the library does not type its methods
        algorithm = GCRA()
        rates = [Rate(self.most, self.time)]
        state = store.read(algorithm, rates)
        _state_after, decision = algorithm.step(rates, state, store.default_clock.now(), weight)
        return decision.retry_after_ms or 0

    def count_or_find_wait(self, weight: int) -> int:
        """Count `weight` more actions, if this counter allows them.

        - allowed → they are counted, and 0 is returned
        - too many → nothing is counted, and the milliseconds until they are allowed are returned
        """
        from pyrate_limiter import GCRA, Rate  # imported at the first request that is limited

        store: Any = self.store
        rates = [Rate(self.most, self.time)]
        decision = store.check(GCRA(), rates, store.default_clock.now(), weight)
        wait: int = decision.retry_after_ms or 0
        return wait


@dataclass(frozen=True, slots=True)
class Counts:
    """The counters; the least recently used ones of phones and addresses are dropped."""

    phones: LruCache[InMemoryStateStore] = field(
        default_factory=lambda: LruCache(most=MOST_COUNTERS)
    )
    addresses: LruCache[InMemoryStateStore] = field(
        default_factory=lambda: LruCache(most=MOST_COUNTERS)
    )
    totals: LruCache[InMemoryStateStore] = field(default_factory=LruCache)

    def find_wait(self, action: Action, sender: Sender) -> int:
        """Compute how many milliseconds until a sender may do something; 0 if now.

        Nothing is counted.
        """
        for counter in self._list_counters(action, sender, weight=1):
            wait = counter.find_wait(1)
            if wait:
                return wait
        return 0

    def count_or_find_wait(self, action: Action, sender: Sender, weight: int = 1) -> int:
        """Count that a sender does something now, if the limits allow it.

        - allowed → it is counted `weight` times, and 0 is returned
        - too often → the milliseconds until it is allowed are returned

        Several counters must allow it, one after the other. Those asked before the one that refuses
        have counted it all the same.
        """
        for counter in self._list_counters(action, sender, weight):
            wait = counter.count_or_find_wait(weight)
            if wait:
                return wait
        return 0

    def _list_counters(self, action: Action, sender: Sender, weight: int) -> list[_Counter]:
        """List the counters that must all allow an action of a sender.

        There is one for the address of the sender, and one for the phone if it is known. Some
        actions have two more, which limit what all senders do together. `weight` is how many such
        actions are about to be counted.
        """
        limit = action.value
        store_of_address = self.addresses.get_or_make((action, sender.address), _new_store)
        counters = [_Counter(store_of_address, limit.address, limit.time)]
        if sender.phone:
            store_of_phone = self.phones.get_or_make((action, sender.phone), _new_store)
            counters.append(_Counter(store_of_phone, limit.phone, limit.time))
        if limit.everybody > 0:  # 0 means that all together may do it as often as they like
            counters.append(self._find_counter_of_reserve_or_everybody(action, sender, weight))
            counters.append(self._find_counter_of_absolute_total(action))
        return counters

    def _find_counter_of_reserve_or_everybody(
        self, action: Action, sender: Sender, weight: int
    ) -> _Counter:
        """Find the counter for an action that is limited for all senders together.

        Each address may do it a few times that do not count for everybody: its reserve. So a sender
        who uses up the limit of everybody does not lock out the others.

        - the reserve of this address is not used up → the counter of its reserve
        - it is used up → the counter of everybody
        """
        limit = action.value
        store_of_reserve = self.addresses.get_or_make((action, sender.address, "first"), _new_store)
        reserve = _Counter(store_of_reserve, limit.first_of_address, limit.time)
        is_reserve_enough = reserve.find_wait(weight) == 0  # it allows `weight` more without a wait
        if is_reserve_enough:
            return reserve
        store_of_everybody = self.totals.get_or_make((action, "everybody"), _new_store)
        return _Counter(store_of_everybody, limit.everybody, limit.time)

    def _find_counter_of_absolute_total(self, action: Action) -> _Counter:
        """Find the counter of everything that all senders do, whatever else counts it.

        It has a higher limit than the counter of everybody, which leaves out the first few actions
        of each address.
        """
        limit = action.value
        store = self.totals.get_or_make((action, "with first"), _new_store)
        return _Counter(store, limit.with_first, limit.time)


def _new_store() -> InMemoryStateStore:
    """Make the state of a counter that has counted nothing yet."""
    from pyrate_limiter import InMemoryStateStore  # imported at the first count

    return InMemoryStateStore()
