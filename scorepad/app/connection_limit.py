"""Which connections are closed when there are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorepad.app.client_connection import Connection

MAX_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 32
"""Connections accepted before the number of all is looked at again."""


def excess_connections(connections: Sequence[Connection]) -> list[Connection]:
    """Those to close so that more can be accepted: the least recently used ones of the clients with
    the most.
    """
    excess = len(connections) - (MAX_CONNECTIONS - ACCEPTED_AT_ONCE)
    if excess <= 0:
        return []

    of_address = Counter(each.client.address for each in connections)
    of_client = Counter(each.client for each in connections)

    def order(connection: Connection) -> tuple[int, int, float]:
        client = connection.client
        return of_address[client.address], of_client[client], -connection.last_request_at

    candidates = [each for each in connections if not (each.is_new or each.is_running)]
    chosen: list[Connection] = []
    while candidates and len(chosen) < excess:
        worst = max(candidates, key=order)
        candidates.remove(worst)
        chosen.append(worst)
        of_address[worst.client.address] -= 1
        of_client[worst.client] -= 1
    return chosen
