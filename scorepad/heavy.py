"""Heavy work, such as papers, imports and questions about whole hands: one job at a time in the
process, so that short requests are not slowed down.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from scorepad.errors import ScorepadError

MOST_RUNNING = 1
MOST_WAITING = 3
"""Jobs that run and that wait at a time: together fewer than the server's threads."""
QUEUE_TIMEOUT = 10.0
"""Most seconds that a job waits."""
RETRY_AFTER = 5
"""Seconds after which a refused client may retry."""

_running = BoundedSemaphore(MOST_RUNNING)
_admitted = BoundedSemaphore(MOST_RUNNING + MOST_WAITING)


class Overloaded(ScorepadError):
    """Too many heavy jobs are waiting, or the wait timed out."""


@contextmanager
def heavy_work() -> Iterator[None]:
    """Inside, heavy work can be done: it begins once no other is running.

    Raises Overloaded if too many others wait already, or this one has waited too long.
    """
    if not _admitted.acquire(blocking=False):
        raise Overloaded
    try:
        if not _running.acquire(timeout=QUEUE_TIMEOUT):
            raise Overloaded
        try:
            yield
        finally:
            _running.release()
    finally:
        _admitted.release()
