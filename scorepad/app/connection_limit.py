"""Which connections are closed when there are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorepad.app.client_connection import Connection

MAX_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 32
"""Connections accepted before the number of all is looked at again."""


def choose_connections_to_close(connections: Sequence[Connection]) -> list[Connection]:
    """Choose which of all open connections the server closes, because there are too many.

    A flood from one address must not lock out the others, so the address with the most connections
    loses its connections first. Spared are connections that were accepted just now, and those whose
    request is being processed. As long as there is room for all, the list is empty.
    """
    # Before the next check, this many more may be accepted.
    most_connections = MAX_CONNECTIONS - ACCEPTED_AT_ONCE
    number_to_close = len(connections) - most_connections
    if number_to_close <= 0:
        return []

    candidates = []
    for connection in connections:
        if not connection.is_new and not connection.is_running:
            candidates.append(connection)

    counts = _ConnectionCounts(connections)
    to_close: list[Connection] = []
    while candidates and len(to_close) < number_to_close:
        worst = max(candidates, key=counts.rank_for_closing)
        candidates.remove(worst)
        to_close.append(worst)
        counts.subtract(worst)  # now another address may have the most
    return to_close


class _ConnectionCounts:
    """How many connections each address has, and each client (a browser at an address)."""

    def __init__(self, connections: Sequence[Connection]) -> None:
        """Count these connections, by address and by client."""
        self._connections_of_address = Counter(
            connection.client.address for connection in connections
        )
        self._connections_of_client = Counter(connection.client for connection in connections)

    def rank_for_closing(self, connection: Connection) -> tuple[int, int, float]:
        """Return a sort key for a connection: the one with the highest key is closed first.

        It is `(connections of its address, connections of its browser, age of its last request)`.
        So the address with the most connections comes first, then its browser with the most, then
        the connection that has been quiet for longest.
        """
        client = connection.client
        connections_of_address = self._connections_of_address[client.address]
        connections_of_browser = self._connections_of_client[client]
        age = -connection.last_request_at  # higher for an earlier moment: enough for a sort key
        return connections_of_address, connections_of_browser, age

    def subtract(self, connection: Connection) -> None:
        """Count this connection no longer, because it is going to be closed."""
        self._connections_of_address[connection.client.address] -= 1
        self._connections_of_client[connection.client] -= 1
