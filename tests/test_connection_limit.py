"""Which connections the server closes when there are too many.

It has room for 256. Whenever it checks, it closes those above 224, so that 32 more have room before
the next check.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from scorepad.app.client_connection import Connection
from scorepad.app.connection_limit import choose_connections_to_close
from scorepad.app.fair_queue import Client


@dataclass(eq=False)
class OpenConnection(Connection):
    """A connection without a socket, with only what the choice looks at."""

    client: Client
    last_request_at: float = 0.0
    is_new: bool = False
    is_running: bool = False


def open_connections(address: str, number: int, **state: Any) -> list[Connection]:
    """Open so many connections from an address, in this state: `is_new=True`."""
    client = Client(address, browser=None)
    return [OpenConnection(client, **state) for _ in range(number)]


def count_closed(connections: list[Connection]) -> Counter[str]:
    """Count the connections that are closed, by their address."""
    closed = choose_connections_to_close(connections)
    return Counter(each.client.address for each in closed)


def test_no_connection_is_closed_while_there_is_room() -> None:
    # The server has room for 256 connections. When it checks them from time to time, it keeps 224,
    # so that 32 more find room until the next check.
    connections = open_connections("10.0.0.1", 224)
    assert choose_connections_to_close(connections) == []


def test_address_with_most_connections_loses_them_until_all_have_as_many() -> None:
    connections = open_connections("10.0.0.1", 130) + open_connections("10.0.0.2", 120)

    # 250 are open and 224 may be: 26 are closed. The first address loses 10, until both have 120,
    # then both lose 8.
    assert count_closed(connections) == {"10.0.0.1": 18, "10.0.0.2": 8}


def test_address_with_few_connections_keeps_them() -> None:
    few = open_connections("10.0.0.1", 3)
    many = open_connections("10.0.0.2", 240)

    closed = count_closed(few + many)

    # 243 are open, and the server keeps 224: it closes 19, all of the address that has most.
    assert closed == {"10.0.0.2": 19}


@pytest.mark.parametrize("state", ["is_new", "is_running"])
def test_new_and_running_connections_are_spared(state: str) -> None:
    # One address has 200 connections that have sent no request yet, or whose request is running.
    # Those of the other have nothing to do.
    busy_connections = open_connections("10.0.0.1", 200, **{state: True})
    idle_connections = open_connections("10.0.0.2", 30)

    closed = count_closed(busy_connections + idle_connections)

    # 230 are open, and the server keeps 224: it closes 6, all of them idle ones.
    assert closed == {"10.0.0.2": 6}
