"""How long a client may take, and how long the server waits before it stops."""

from __future__ import annotations

import time
from enum import Enum, auto

STALL_TIMEOUT = 30
"""Seconds for receiving a request or sending a response, and the longest time without progress."""
SLOWEST_RATE = 8 * 1024
"""Bytes per second: each time this number is transferred, the transfer may take a second longer."""
LINGER_TIMEOUT = 2
"""Seconds for which the rest of a refused request is read and dropped, so that the client reads the
response.
"""
SHUTDOWN_TIMEOUT = 8
"""Seconds that requests have to finish when the server stops; the whole shutdown takes at most ten.
"""
ABORT_TIMEOUT = 0.4
"""Seconds for the responses of requests that are aborted after that."""
THREADS_TIMEOUT = 0.2
"""Seconds that the worker threads have to end after that; what they do then ends with the process.
"""
CALL_TIMEOUT = 30
"""Seconds that another thread waits for the main thread to do something with the sockets."""


class Phase(Enum):
    IDLE = auto()
    RECEIVING = auto()
    WAITING = auto()
    """A request waits for a thread, or for its response."""
    SENDING = auto()
    LINGERING = auto()
    """The last response is sent; what the client still sends is dropped."""


class PhaseTimer:
    """Measures the time that a connection spends in a phase, and what it transfers there."""

    def __init__(self) -> None:
        self._restart(Phase.IDLE)

    def enter(self, phase: Phase) -> None:
        """Start measuring anew if the connection has entered another phase; otherwise go on."""
        if phase is not self.phase:
            self._restart(phase)

    def add_transferred(self, count: int) -> None:
        """Record that this many bytes were received or sent: the client is making progress."""
        if count:
            self._transferred += count
            self._progressed_at = time.monotonic()

    def is_too_late(self) -> bool:
        """Tell whether the client has taken longer in the current phase than it may.

        Too late is a client that sends or takes nothing for `STALL_TIMEOUT` seconds, and one that
        is slower than `SLOWEST_RATE` on average.
        """
        if self.phase is Phase.WAITING:
            return False  # the client waits for the server
        now = time.monotonic()
        seconds_in_phase = now - self._entered_at
        if self.phase is Phase.LINGERING:
            return seconds_in_phase > LINGER_TIMEOUT
        seconds_without_progress = now - self._progressed_at
        if seconds_without_progress > STALL_TIMEOUT:
            return True
        # One second more for each 8 KiB, so that a large transfer may take its time.
        most_seconds = STALL_TIMEOUT + self._transferred / SLOWEST_RATE
        return seconds_in_phase > most_seconds

    def _restart(self, phase: Phase) -> None:
        """Start to measure a phase that begins now."""
        now = time.monotonic()
        self.phase: Phase = phase
        self._entered_at = now
        self._progressed_at = now
        self._transferred: int = 0
