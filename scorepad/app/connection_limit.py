"""Which connections are closed when there are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorepad.app.client_connection import Connection

MAX_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 32
"""Connections accepted before the number of all is looked at again."""


def excess_connections(connections: Sequence[Connection]) -> list[Connection]:
    """The connections to close because there are too many; none as long as all have room.

    The addresses with the most connections lose them first. Connections that were accepted just now
    or are processing a request are spared.
    """
    number_to_close = len(connections) - (MAX_CONNECTIONS - ACCEPTED_AT_ONCE)
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
        self._of_address = Counter(connection.client.address for connection in connections)
        self._of_client = Counter(connection.client for connection in connections)

    def rank_for_closing(self, connection: Connection) -> tuple[int, int, float]:
        """A sort key: the connection with the highest is to be closed first.

        It is one of the address with the most connections; among these, of the client with the
        most; and among these, the one whose last request is the longest ago.
        """
        client = connection.client
        earlier_is_higher = -connection.last_request_at
        return self._of_address[client.address], self._of_client[client], earlier_is_higher

    def subtract(self, connection: Connection) -> None:
        """Count this connection no longer."""
        self._of_address[connection.client.address] -= 1
        self._of_client[connection.client] -= 1
