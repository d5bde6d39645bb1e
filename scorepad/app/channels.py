"""Connections of the server: who sends too slowly is refused, and who holds many makes room for those who come.

Waitress alone closes only a connection on which nothing at all happens: one octet every few seconds keeps it for ever,
and a hundred of those keep everybody else out. Sixteen phones that hold six connections each come near that too.
"""

from __future__ import annotations

import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.utilities import Error

PATIENCE = 30
"""Seconds that a request may take to come, and that a browser may leave a connection idle."""
SLOWEST = 8 * 1024
"""Octets a second: each of them gives a long request a second more, so that a file comes over a bad network."""
MOST = 256
"""Connections beyond which those go that have asked for nothing for the longest."""
LIMIT = 512
"""Connections beyond which none is accepted for the moment."""


class _TooSlow(Error):  # type: ignore[misc] # waitress ships no types
    code = 408
    reason = "Request Timeout"


class PatientChannel(HTTPChannel):  # type: ignore[misc] # waitress ships no types
    """A connection, with how long its request has been coming and when it last asked for something."""

    request: Any
    """What is coming; None where nothing is."""

    def __init__(self, server: Any, *args: Any, **more: Any) -> None:
        self.asked = self._begun = time.monotonic()
        self._came = 0
        super().__init__(server, *args, **more)
        channels = list(server.active_channels.values())
        if len(channels) > MOST:
            waiting = [each for each in channels if each is not self and not each.requests and not each.will_close]
            if waiting:
                min(waiting, key=lambda each: each.asked).will_close = True

    def received(self, data: bytes) -> bool:
        """Take what came, and note since when it has been coming."""
        now = time.monotonic()
        if self.request is None:
            self._begun, self._came = now, 0
        self._came += len(data)
        taken: bool = super().received(data)
        if self.requests:
            self.asked = self._begun = now
        return taken

    def readable(self) -> bool:
        """Whether more may come. Asked at least every second."""
        if self.request is not None and time.monotonic() - self._begun > PATIENCE + self._came / SLOWEST:
            self._refuse()
        return bool(super().readable())

    def _refuse(self) -> None:
        """Answer a request that never comes to its end, and close the connection."""
        with self.requests_lock:
            late, self.request = self.request, None
            if late is None or self.requests:
                return
            late.error = _TooSlow("")
            self.requests.append(late)
        self.server.add_task(self)
