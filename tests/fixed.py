"""A clock that stands still and chance that repeats itself, so that two runs can be compared."""

import os
import pkgutil
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from importlib import import_module
from random import Random
from typing import Any, TypeVar

import pytest

import scorepad

MOMENT = datetime(2026, 3, 7, 19, 30, 15, tzinfo=UTC)
"""When everything happens: a Saturday, half past eight in the evening in Italy."""
ITALY = "CET-1CEST,M3.5.0,M10.5.0/3"
"""The time zone as rules, because a machine may know no zones by name."""
LOOK = timedelta(microseconds=1)
"""What the clock goes on at every look, so that what comes later has a later time."""
Choice = TypeVar("Choice")


class Clock:
    """The time that scorepad sees."""

    def __init__(self) -> None:
        self.now = MOMENT

    def look(self) -> datetime:
        self.now += LOOK
        return self.now

    def advance(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)


class Chance:
    """Stands for the module `secrets`.

    Each kind of value has a sequence of its own: a change that draws one more id of a form does
    not change the ids of matches.
    """

    def __init__(self) -> None:
        self._sequences: dict[str, Random] = {}
        self._lock = threading.Lock()

    def token_bytes(self, count: int = 32) -> bytes:
        return self._draw(f"bytes {count}", lambda random: random.randbytes(count))

    def token_hex(self, count: int = 32) -> str:
        return self.token_bytes(count).hex()

    def token_urlsafe(self, count: int = 32) -> str:
        length = -(-count * 4 // 3)
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
        return self._draw(
            f"text {count}", lambda random: "".join(random.choices(letters, k=length))
        )

    def randbits(self, count: int) -> int:
        return self._draw(f"bits {count}", lambda random: random.getrandbits(count))

    def randbelow(self, limit: int) -> int:
        return self._draw(f"below {limit}", lambda random: random.randrange(limit))

    def choice(self, among: Sequence[Choice]) -> Choice:
        return self._draw(f"one of {among!r}", lambda random: random.choice(among))

    def system_random(self) -> Random:
        return Random("an order")  # noqa: S311 - this is to be foreseen

    def _draw(self, kind: str, draw: Callable[[Random], Choice]) -> Choice:
        with self._lock:
            if kind not in self._sequences:
                self._sequences[kind] = Random(kind)  # noqa: S311 - this is to be foreseen
            return draw(self._sequences[kind])


NOT_IMPORTED = ("__main__", ".highspy")
"""Endings of modules that do something when they are imported, or that only a browser can import."""


@contextmanager
def fixed_clock() -> Iterator[Clock]:
    """Let every module of scorepad see the same moment, in the time zone of Italy."""
    for module in pkgutil.walk_packages(scorepad.__path__, "scorepad."):
        if not module.name.endswith(NOT_IMPORTED):
            import_module(module.name)
    clock = Clock()
    frozen = _datetime_at(clock)
    with pytest.MonkeyPatch.context() as patch:
        for name, loaded in list(sys.modules.items()):
            if name.startswith("scorepad.") and getattr(loaded, "datetime", None) is datetime:
                patch.setattr(loaded, "datetime", frozen)
        patch.setenv("TZ", ITALY)
        time.tzset()
        try:
            yield clock
        finally:
            patch.undo()
            time.tzset()


def _datetime_at(clock: Clock) -> type[datetime]:
    """The class `datetime`, but for what the time is now."""

    class Kind(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, datetime)

    class FixedDatetime(datetime, metaclass=Kind):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return clock.look().astimezone(tz)

    return FixedDatetime


@contextmanager
def fixed_chance() -> Iterator[None]:
    """Let the module `secrets` give the same values in every run."""
    chance = Chance()
    with pytest.MonkeyPatch.context() as patch:
        for name in [
            "token_bytes",
            "token_hex",
            "token_urlsafe",
            "randbits",
            "randbelow",
            "choice",
        ]:
            patch.setattr(secrets, name, getattr(chance, name))
        patch.setattr(secrets, "SystemRandom", chance.system_random)
        yield


@contextmanager
def nobodys_home() -> Iterator[None]:
    """No settings and no home folder of whoever runs this."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("SCOREPAD_", "FLASK_", "XDG_")):
                patch.delenv(name)
        patch.setenv("HOME", "/nonexistent")
        patch.setenv("COLUMNS", "80")
        yield
