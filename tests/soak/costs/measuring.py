"""A served pad under measurement: what one request costs the server, in processor time, memory and
time to wait.
"""

import math
import os
import re
import secrets
import shutil
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.attack.load import at_once
from tests.attack.processes import children_of, processor_of, status_of
from tests.attack.served import Served

MB = 2**20
TIMEOUT = 10.0
"""Seconds that a client waits on an idle machine; the server is then killed and started anew."""
LONGEST_TIMEOUT = 60.0
"""Seconds that a client waits on a busy machine."""
ENDED_AT = 8.0
"""Seconds of processor after which the server is killed although its client would wait."""
MOST_MEMORY = 2500
"""MB above idle at which the server is killed while it works, so that the machine is not."""
SAMPLED_EVERY = 0.015
DOUBTFUL = (0.4, 1.6)
"""Seconds of processor between which a request is measured again: the machine may have been busy.
"""
GONE = (OSError, HTTPException)


@dataclass(frozen=True)
class Request:
    """A request, as bytes. `headers` include its cookies."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass
class Answer:
    """An answer; status 0 if there was none. `location`: where it leads."""

    status: int = 0
    body: bytes = b""
    seconds: float = 0.0
    location: str = ""
    cookies: dict[str, str] = field(default_factory=dict)


@dataclass
class Record:
    """What one request cost. `processor` and `seconds` in seconds, `memory` and `kept` in MB.

    `memory` is the peak of server and children above the server before the request, `above` the
    same peak above the idle server, `kept` what the server then holds above the idle server.
    """

    route: str
    what: str
    status: int
    seconds: float
    processor: float
    memory: float
    above: float
    kept: float
    complaint: str = ""

    @property
    def is_over_time(self) -> bool:
        """Whether the client went before an answer came."""
        return self.status == 0


def send(
    port: int, request: Request, *, source: str = "127.0.0.1", timeout: float = TIMEOUT
) -> Answer:
    """Send a request on a connection of its own, from one of the addresses of this machine.

    The client waits longer where other programs keep the processors busy.
    """
    connection = HTTPConnection(
        "127.0.0.1",
        port,
        timeout=min(at_once(timeout), LONGEST_TIMEOUT),
        source_address=(source, 0),
    )
    answer = Answer()
    began = time.perf_counter()
    try:
        with suppress(
            BrokenPipeError, ConnectionResetError
        ):  # the server refused the body, and its answer waits
            connection.request(request.method, request.path, request.body, dict(request.headers))
        came = connection.getresponse()
        answer.body = came.read()
        answer.status = came.status
        answer.location = came.headers.get("Location", "")
        for line in came.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            if "Path=/partite" not in line:
                answer.cookies[name] = value
    except GONE as error:
        answer.body = type(error).__name__.encode()
    finally:
        connection.close()
    answer.seconds = time.perf_counter() - began
    return answer


class MeasuredServer(Served):
    """`scorepad serve` on a copy of a prepared folder, with its figures read from /proc."""

    def __init__(self, prepared: Path, folder: Path) -> None:
        super().__init__(folder)
        self.prepared = prepared
        self.folder = folder
        self.starts = 0
        self.idle = 0.0
        """MB of the server after its first pages."""
        self.log_read = 0
        """Letters of its log that have been read."""

    # ------------------------------------------------------------------------------- start and stop

    def start(self) -> None:
        """Start on a fresh copy of the prepared folder, and ask for some pages so that everything
        is loaded.
        """
        self.stop()
        if self.starts:
            shutil.rmtree(self.data.parent, ignore_errors=True)
        self.starts += 1
        home = self.folder / str(self.starts)
        shutil.copytree(self.prepared, home)
        self.data = home / "scorepad.db"
        self.flags = ("--no-limits", "--no-open", "--variants", str(home / "variants"))
        self.port = 0
        super().start()
        self.log_read = 0
        for path in ("/salute", "/", "/regole", "/arbitro"):
            send(self.port, Request("GET", path))
        self.idle = self.memory()

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the server and its children."""
        if self.process is None:
            return
        children = children_of(self.pid)
        super().stop(how)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process = None

    # -------------------------------------------------------------------------------------- figures

    def measure(self, route: str, what: str, request: Request) -> tuple[Record, Answer]:
        """Send a request, and record what it cost. A server that does not answer is started anew.

        What seems near the bound is measured three times: the least counts.
        """
        record, answer = self._measure(route, what, request)
        for _ in range(2):
            if (
                record.is_over_time
                or not DOUBTFUL[0] < record.processor < DOUBTFUL[1]
                or request.method != "GET"
            ):
                break
            again, answer = self._measure(route, what, request)
            if again.processor < record.processor:
                record = again
        return record, answer

    def _measure(self, route: str, what: str, request: Request) -> tuple[Record, Answer]:
        before = self.memory()
        processor = self.processor()
        self.reset_peak()
        watch = _PeakWatch(self, processor + ENDED_AT)
        with watch:
            answer = send(self.port, request)
        peak = max(watch.most, self.peak())
        record = Record(
            route=route,
            what=what,
            status=answer.status,
            seconds=answer.seconds,
            processor=(watch.processor or self.processor()) - processor,
            memory=peak - before,
            above=peak - self.idle,
            kept=max(0.0, self.memory() - self.idle),
            complaint=self.complaint(),
        )
        if watch.killed:
            record.complaint = watch.killed
        elif record.is_over_time and not record.complaint:
            record.complaint = answer.body.decode()
        if record.is_over_time or watch.killed:
            self.start()
        return record, answer

    def complaint(self) -> str:
        """The end of the errors that the server has logged since the last call; empty if there are
        none.
        """
        text = self.said[self.log_read :]
        self.log_read += len(text)
        if " ERROR " not in text and "Traceback" not in text:
            return ""
        return " | ".join(line.strip() for line in text.splitlines()[-4:])

    def reset_peak(self) -> None:
        with suppress(OSError):
            Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def peak(self) -> float:
        """MB of the server alone, at most, since the last reset."""
        return status_of(self.pid, "VmHWM")

    def processor(self) -> float:
        """Processor seconds of the server and of its children, those that have ended included."""
        return sum(map(processor_of, (self.pid, *children_of(self.pid))))


class _PeakWatch:
    """Samples the memory of server and children while a request is under way; kills a server that
    takes too much.

    `ended_at` are the processor seconds of the server at which it is killed.
    """

    def __init__(self, server: MeasuredServer, ended_at: float = math.inf) -> None:
        self.server = server
        self.ended_at = ended_at
        self.most = 0.0
        self.processor = 0.0
        """Processor seconds of the server when it was killed; 0 as long as it runs."""
        self.killed = ""
        """Why it was killed."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(SAMPLED_EVERY):
            self.most = max(self.most, self.server.memory())
            processor = self.server.processor()
            if self.most > self.server.idle + MOST_MEMORY:
                self._kill(processor, f"more than {MOST_MEMORY} MB")
            elif processor > self.ended_at:
                self._kill(processor, f"more than {ENDED_AT:.0f} s of processor")

    def _kill(self, processor: float, why: str) -> None:
        assert self.server.process is not None
        self.server.process.kill()
        self.killed = why
        self.processor = processor
        self._over.set()


# ------------------------------------------------------------------------------------ eight at once

_REQUEST_ID = re.compile(rb'(request_id(?:=|"\r\n\r\n))[\w-]+')

CLIENTS = tuple(f"127.0.0.{number}" for number in range(2, 10))


@dataclass
class Crowd:
    """What a visitor and the memory showed while eight clients sent the same request again and
    again.
    """

    wait: float
    memory: float
    sent: int
    statuses: tuple[int, ...]


def _of_another(request: Request, source: str) -> Request:
    """A request of another client: with a cookie and a request id of its own, so that it is no
    repetition.
    """
    headers = {**request.headers, "Cookie": f"{request.headers.get('Cookie', '')}; from={source}"}
    body = request.body
    if body is not None:
        body = _REQUEST_ID.sub(rb"\g<1>" + secrets.token_hex(16).encode(), body)
    return Request(request.method, request.path, headers, body)


def crowd(
    server: MeasuredServer, requests: Sequence[Request], page: Request, seconds: float
) -> Crowd:
    """Let eight clients of eight addresses send requests in turn, while a visitor asks for /salute
    and a page.
    """
    over = threading.Event()
    statuses = list[int]()
    waits = list[float]()

    def attack(number: int, source: str) -> None:
        turn = number
        while not over.is_set():
            mine = _of_another(requests[turn % len(requests)], source)
            turn += 1
            statuses.append(
                send(server.port, mine, source=source, timeout=seconds + TIMEOUT).status
            )

    def visit() -> None:
        while not over.is_set():
            for each in (Request("GET", "/salute"), page):
                answer = send(server.port, each, timeout=seconds + TIMEOUT)
                waits.append(answer.seconds if answer.status else max(answer.seconds, TIMEOUT))
            over.wait(0.1)

    threads = [threading.Thread(target=attack, args=each) for each in enumerate(CLIENTS)]
    threads.append(threading.Thread(target=visit))
    watch = _PeakWatch(server)
    server.reset_peak()
    with watch:
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        over.set()
        for thread in threads:
            thread.join()
    found = Crowd(max(waits), watch.most - server.idle, len(statuses), tuple(sorted(set(statuses))))
    if watch.killed or 0 in statuses:
        server.start()
    return found
