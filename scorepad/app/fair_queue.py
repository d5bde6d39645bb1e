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
        self._waiting: dict[Client, deque[RequestTask]] = {}
        """In the order of turns. No queue is empty."""
        self._running_of_client: Counter[Client] = Counter()
        self._running_of_address: Counter[str] = Counter()

    def __len__(self) -> int:
        """The number of waiting requests, but 0 as long as none of them may run.

        The threads of waitress call `popleft` if the queue is not empty, and sleep otherwise. They
        also sleep while each waiting client has as many requests running as it may.
        """
        may_any_run = self._next_client() is not None
        if not may_any_run:
            return 0
        return sum(len(tasks) for tasks in self._waiting.values())

    def append(self, task: RequestTask) -> None:
        """Let a request wait behind the others of its client."""
        if task.client not in self._waiting:
            self._waiting[task.client] = deque()
        self._waiting[task.client].append(task)

    def popleft(self) -> RequestTask:
        """Remove and return the next request, which is running from now on.

        The turn of its client comes again after those of the others. Raises LookupError if none may
        run.
        """
        client = self._next_client()
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
        """Record that a running request of this client is finished."""
        self._running_of_client[client] -= 1
        if not self._running_of_client[client]:
            del self._running_of_client[client]
        self._running_of_address[client.address] -= 1
        if not self._running_of_address[client.address]:
            del self._running_of_address[client.address]

    def _next_client(self) -> Client | None:
        """The client whose request runs next; None if no waiting request may run.

        The address with the fewest running requests comes first, and there the browser with the
        fewest. Of several equal clients it is the one that has waited longest for its turn.
        """
        ready = []
        for client in self._waiting:
            if self._running_of_client[client] < THREADS_EACH:
                ready.append(client)
        if not ready:
            return None
        # `_waiting` is in the order of turns, and `min` returns the first of several equal ones.
        return min(ready, key=self._count_running)

    def _count_running(self, client: Client) -> tuple[int, int]:
        """The number of running requests of the client's address, and that of the client itself."""
        return self._running_of_address[client.address], self._running_of_client[client]


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc] # waitress ships no types
    """The worker threads, which take their work from a `FairQueue`."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = FairQueue()

    def finish(self, client: Client) -> None:
        """Record that a thread has answered a request of this client."""
        with self.lock:
            self.queue.finish(client)
