"""Work that keeps a processor busy for long: PDFs, pictures, and files that are taken in or made."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from scorepad.errors import ScorepadError

AT_ONCE, WAITING = 1, 3
"""How many run at a time and how many wait for their turn: together fewer than the server has threads."""
PATIENCE = 10.0
"""Seconds that one waits at most."""
RETRY_AFTER = 5
"""Seconds after which a client that was refused may try again."""

_running = threading.BoundedSemaphore(AT_ONCE)
_places = threading.BoundedSemaphore(AT_ONCE + WAITING)


class Overloaded(ScorepadError):
    """Too much of such work waits already, or its turn did not come."""


@contextmanager
def heavy_work() -> Iterator[None]:
    """Do such work here: one at a time in the whole process, so that short requests find the processor free.

    Raises Overloaded.
    """
    if not _places.acquire(blocking=False):
        raise Overloaded
    try:
        if not _running.acquire(timeout=PATIENCE):
            raise Overloaded
        try:
            yield
        finally:
            _running.release()
    finally:
        _places.release()
