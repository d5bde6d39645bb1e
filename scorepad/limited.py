"""Child processes with limited memory and time, in which uploaded files are read.

A hostile file can make a parser take gigabytes, or hold Python's interpreter lock for seconds,
during which no other request is answered. In a child process it does neither to the server.

Python in a browser has no child processes. There the files are read in its only process: they are
those of the person whose browser it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from tempfile import TemporaryFile
from types import ModuleType
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
NO_CHILD_PROCESSES = frozenset({"emscripten"})
"""Systems, by their name in Python, that have no child processes: browsers."""

Read = Callable[[IO[bytes], IO[bytes], Sequence[str]], None]
"""A function that reads an uploaded file and writes what is in it: `read(source, target, arguments)`.
"""


class LimitReached(ScorepadError):
    """The child needed more memory or time than it may use."""


class ChildFailed(ScorepadError):
    """The child ended with an error of its own: a fault of this program."""


@contextmanager
def read_with_limits(read: Read, *arguments: str, source: IO[bytes]) -> Iterator[IO[bytes]]:
    """Call a function of this package in a child process, and yield what it wrote to its target.

    The file that it reads, an upload, may be made to use up memory or time. In a child process with
    limits it cannot harm the server. The function gets the arguments as a list. Its module is run
    as a program, and must call `run_as_child(read)` then.

    Raises LimitReached if it needs too much memory or time, and ChildFailed for any other failure.
    """
    with TemporaryFile() as target:
        if sys.platform in NO_CHILD_PROCESSES:
            _read_here(read, arguments, source, target)
        else:
            _read_in_child(read.__module__, arguments, source, target)
        target.seek(0)
        yield target


def _read_here(read: Read, arguments: Sequence[str], source: IO[bytes], target: IO[bytes]) -> None:
    """Call `read` in this process. Raises LimitReached if there is not enough memory."""
    try:
        read(source, target, arguments)
    except MemoryError as error:
        raise LimitReached from error


def _read_in_child(
    module: str, arguments: Sequence[str], source: IO[bytes], target: IO[bytes]
) -> None:
    """Run a module as a program: it reads `source` as its standard input, and writes `target`.

    Raises LimitReached and ChildFailed.
    """
    # -P: Python must not search the working directory for modules.
    command = [sys.executable, "-P", "-m", module, *arguments]
    with TemporaryFile() as child_input:
        shutil.copyfileobj(source, child_input)
        child_input.seek(0)
        status = _run_command(command, child_input, target)
    was_killed = status < 0  # processor time is used up, or a library aborted without memory
    if was_killed or status == OUT_OF_MEMORY:
        raise LimitReached
    if status != 0:
        raise ChildFailed(module, status)


def _run_command(command: Sequence[str], child_input: IO[bytes], child_output: IO[bytes]) -> int:
    """Run a command that reads one file and writes another, and return its exit status.

    Raises LimitReached if it takes longer than `SECONDS`.
    """
    # Without this, a library in Rust that is out of memory would hang: it would look for the names
    # of its functions, to print where it failed.
    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    try:
        process = subprocess.run(  # noqa: S603 - our own module
            command,
            stdin=child_input,
            stdout=child_output,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise LimitReached from error
    return process.returncode


def run_as_child(read: Read) -> None:
    """Call `read` with standard input and standard output, within the limits of a child process.

    A module that is started by `read_with_limits` calls this. If memory runs out, the process ends
    with the status `OUT_OF_MEMORY`, by which the parent knows.
    """
    _limit_process()
    try:
        read(sys.stdin.buffer, sys.stdout.buffer, sys.argv[1:])
        sys.stdout.flush()
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    except BaseException as error:
        # pydantic's parser, in Rust, panics where Python cannot create an object. The class of that
        # exception cannot be imported, so only its name tells.
        is_rust_panic = type(error).__name__ == "PanicException"
        if is_rust_panic:
            sys.exit(OUT_OF_MEMORY)
        raise


def _limit_process() -> None:
    """Limit the memory and processor time of this process, on systems that can do so.

    Windows has no such limits: there a child is only ended after `SECONDS`, by its parent.
    """
    try:
        resource = import_module("resource")
    except ImportError:
        return
    _lower_limit(resource, resource.RLIMIT_DATA, MEMORY)
    _lower_limit(resource, resource.RLIMIT_CPU, PROCESSOR_SECONDS)


def _lower_limit(resource: ModuleType, kind: int, limit: int) -> None:
    """Lower a limit of this process, unless the system has set a lower one already."""
    _, greatest_allowed = resource.getrlimit(kind)
    if greatest_allowed != resource.RLIM_INFINITY:
        limit = min(limit, greatest_allowed)
    # A pair: the limit in force, and the greatest that the process may set itself.
    with suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(kind, (limit, limit))
