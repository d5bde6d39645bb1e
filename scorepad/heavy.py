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
def one_heavy_job_at_a_time() -> Iterator[None]:
    """Wait for the turn of a heavy job, then run the `with` block as the only one at a time.

    Heavy jobs, such as making a PDF, would slow down all other requests if several ran at once.
    Raises Overloaded if three jobs are waiting already, or this one has waited for ten seconds.
    """
    is_admitted = _admitted.acquire(blocking=False)
    if not is_admitted:
        raise Overloaded  # no more waiting: each waiting request keeps a thread of the server busy
    try:
        is_turn = _running.acquire(timeout=QUEUE_TIMEOUT)
        if not is_turn:
            raise Overloaded
        try:
            yield
        finally:
            _running.release()
    finally:
        _admitted.release()
