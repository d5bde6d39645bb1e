"""Which connections are closed when there are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorepad.app.client_connection import Connection

MAX_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 32
"""Connections accepted before the number of all is looked at again."""


def excess_connections(connections: Sequence[Connection]) -> list[Connection]:
    """The connections to close, so that others can be accepted.

    They are those of the address, and of the browser there, that has the most connections at that
    point; among these, the one that was not used for the longest time.
    """
    excess = len(connections) - (MAX_CONNECTIONS - ACCEPTED_AT_ONCE)
    if excess <= 0:
        return []

    open_of_address = Counter(connection.client.address for connection in connections)
    open_of_client = Counter(connection.client for connection in connections)

    def worst_last(connection: Connection) -> tuple[int, int, float]:
        client = connection.client
        idle_since = connection.last_request_at
        return open_of_address[client.address], open_of_client[client], -idle_since

    candidates = []
    for connection in connections:
        if not connection.is_new and not connection.is_running:
            candidates.append(connection)
    to_close: list[Connection] = []
    while candidates and len(to_close) < excess:
        worst = max(candidates, key=worst_last)
        candidates.remove(worst)
        to_close.append(worst)
        open_of_address[worst.client.address] -= 1
        open_of_client[worst.client] -= 1
    return to_close
