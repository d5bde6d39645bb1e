"""A queue of requests in which clients take turns.

In the FIFO queue of waitress, a client with 200 connections would keep all others waiting: its
requests stand before theirs, and take all threads. Here the next request is always one of the
client that has the fewest running.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import NamedTuple, Protocol

from waitress.task import ThreadedTaskDispatcher

THREADS_EACH = 6
"""Most threads used by one browser at a time: more than the PDFs running and waiting, fewer than
all threads.
"""


class Client(NamedTuple):
    address: str
    browser: int | None
    """A hash of its cookies; None before its first request."""


class RequestTask(Protocol):
    """What a thread works on."""

    client: Client

    def service(self) -> None: ...


class FairQueue:
    """Requests waiting for a thread, by client; first in, first out for each client.

    Takes the place of a `deque` in waitress' dispatcher, which holds its lock during each call.
    """

    def __init__(self) -> None:
        """Make an empty queue, which counts the running requests too."""
        self._waiting: dict[Client, deque[RequestTask]] = {}
        """The requests of each client, in the order of turns. No client has an empty line."""
        self._running_of_client: Counter[Client] = Counter()
        self._running_of_address: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many requests wait for a thread, or 0 if none of them may start now.

        A free thread of waitress looks at this number: if it is 0, the thread sleeps, otherwise it
        calls `popleft`. With 3 requests waiting:

        - their client has fewer than `THREADS_EACH` requests running → 3
        - it has as many running as it may → 0, so that the thread sleeps until one of them is
          finished
        """
        may_any_request_start = self._choose_next_client() is not None
        if not may_any_request_start:
            return 0
        return sum(len(tasks) for tasks in self._waiting.values())

    def append(self, task: RequestTask) -> None:
        """Add a request to the end of its client's own line.

        waitress calls this for each new request.
        """
        if task.client not in self._waiting:
            self._waiting[task.client] = deque()
        self._waiting[task.client].append(task)

    def popleft(self) -> RequestTask:
        """Take the next request out of the queue, for a thread that starts it now.

        After that the other clients have their turns, before this client has its next one. Raises
        LookupError if no request may start.
        """
        client = self._choose_next_client()
        if client is None:
            raise LookupError
        tasks = self._waiting.pop(client)
        task = tasks.popleft()
        if tasks:
            self._waiting[client] = tasks  # behind the others: a dict keeps the order
        self._running_of_client[client] += 1
        self._running_of_address[client.address] += 1
        return task

    def finish(self, client: Client) -> None:
        """Record that a request of this client is answered: another one of them may start.

        Clients and addresses without running requests are forgotten, or the counters would grow for
        as long as the server runs.
        """
        self._running_of_client[client] -= 1
        if self._running_of_client[client] == 0:
            del self._running_of_client[client]
        self._running_of_address[client.address] -= 1
        if self._running_of_address[client.address] == 0:
            del self._running_of_address[client.address]

    def _choose_next_client(self) -> Client | None:
        """Choose the client whose request starts next; None if no waiting request may start.

        First comes the address with the fewest running requests, and of its browsers the one with
        the fewest. If several clients are equal, it is the one that has waited longest for its
        turn.
        """
        clients_with_room = []
        for client in self._waiting:
            if self._running_of_client[client] < THREADS_EACH:
                clients_with_room.append(client)
        if not clients_with_room:
            return None
        # `_waiting` is in the order of turns, and `min` returns the first of several equal ones.
        return min(clients_with_room, key=self._count_running)

    def _count_running(self, client: Client) -> tuple[int, int]:
        """Count the running requests of the client's address, and those of the client itself.

        The order of clients is by this pair: `(3, 1)` comes before `(3, 2)`, and both before
        `(4, 0)`.
        """
        return self._running_of_address[client.address], self._running_of_client[client]


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc] # waitress ships no types
    """The worker threads, which take their work from a `FairQueue`."""

    def __init__(self) -> None:
        """Replace the queue of waitress, in which clients do not take turns."""
        super().__init__()
        self.queue = FairQueue()

    def finish(self, client: Client) -> None:
        """Record that a thread has answered a request of this client.

        Threads may call it at any time.
        """
        with self.lock:
            self.queue.finish(client)
