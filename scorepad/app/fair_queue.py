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
        """The number of waiting requests; 0 if none of them may run now."""
        if self._next_client() is None:
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
        """The client whose turn it is; None if no request may run now.

        It is the one of the address with the fewest running requests, and there of the browser with
        the fewest; of several, the one that waits the longest.
        """
        ready = []
        for client in self._waiting:
            if self._running_of_client[client] < THREADS_EACH:
                ready.append(client)
        if not ready:
            return None
        return min(ready, key=self._count_running)

    def _count_running(self, client: Client) -> tuple[int, int]:
        """The running requests of the client's address, and those of the client itself."""
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
