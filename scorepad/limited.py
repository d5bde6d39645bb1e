"""Child processes with limited memory and time, in which uploaded files are read.

A hostile file can make a parser take gigabytes, or hold Python's interpreter lock for seconds,
during which no other request is answered. In a child process it does neither to the server.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO

from scorepad.errors import ScorepadError

MEMORY = 192 * 2**20
"""Most bytes that a child allocates."""
PROCESSOR_SECONDS = 10
"""Most processor seconds of a child."""
SECONDS = 30.0
"""Most seconds that a child runs: more than its processor seconds, since the server is running
beside it.
"""
OUT_OF_MEMORY = 3
"""The exit status of a child that needed more memory."""


class LimitReached(ScorepadError):
    """The child needed more memory or time than it may use."""


class ChildFailed(ScorepadError):
    """The child ended with an error of its own: a fault of this program."""


@contextmanager
def run_limited(module: str, *arguments: str, source: IO[bytes]) -> Iterator[IO[bytes]]:
    """Run a module of this package as a program that reads `source` on its standard input; yields
    what it wrote.

    The module calls `run_child`. Raises LimitReached and ChildFailed.
    """
    # -P: the working directory is not searched for modules.
    command = [sys.executable, "-P", "-m", module, *arguments]
    # A library in Rust that fails for lack of memory would hang while it looks for the names of its
    # functions.
    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    with TemporaryFile() as given, TemporaryFile() as written:
        shutil.copyfileobj(source, given)
        given.seek(0)
        try:
            status = subprocess.run(  # noqa: S603 - our own module
                command,
                stdin=given,
                stdout=written,
                stderr=subprocess.DEVNULL,
                env=environment,
                timeout=SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired as error:
            raise LimitReached from error
        # Killed by a signal: processor time is used up, or a library aborted for lack of memory.
        if status == OUT_OF_MEMORY or status < 0:
            raise LimitReached
        if status:
            raise ChildFailed(module, status)
        written.seek(0)
        yield written


def run_child(read: Callable[[IO[bytes], IO[bytes]], None]) -> None:
    """Limit this process, and read standard input into standard output. For modules that
    `run_limited` runs.
    """
    _limit_process()
    try:
        read(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.flush()
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    except BaseException as error:
        # pydantic's parser, in Rust, panics where Python cannot create an object; the exception
        # cannot be imported.
        if type(error).__name__ == "PanicException":
            sys.exit(OUT_OF_MEMORY)
        raise


def _limit_process() -> None:
    """Limit the memory and processor time of this process, where the system can."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
