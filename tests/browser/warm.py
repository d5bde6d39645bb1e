"""The command, read in once and started many times: every browser test has a server of its own
without waiting for it.

Run as a program it is the process that starts them: for each line that it is given (where to print,
and the arguments) it becomes two, and the second is the command; for a number it waits until that
one has ended. In `tests/cli/test_serving.py` the command is started as a person does.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO


class Warm:
    """Starts `scorepad serve` with arguments."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.browser.warm"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    @contextmanager
    def serving(self, *arguments: str) -> Iterator[int]:
        """The port of a server, as it prints it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with TemporaryDirectory() as folder:
            printed = Path(folder, "printed")
            os.mkfifo(printed)
            self._process.stdin.write(json.dumps([str(printed), "serve", *arguments]) + "\n")
            self._process.stdin.flush()
            server = int(self._process.stdout.readline())
            with printed.open() as lines:
                try:
                    yield read_port(lines)
                finally:
                    os.kill(server, signal.SIGTERM)
                    self._process.stdin.write(f"{server}\n")
                    self._process.stdin.flush()
                    self._process.stdout.readline()

    def close(self) -> None:
        """Start no more of them."""
        self._process.communicate()


def read_port(lines: TextIO) -> int:
    """The port of the first address that the command prints."""
    for line in lines:
        found = re.search(r"http://[^/]*:(\d+)/", line)
        if found:
            return int(found[1])
    raise AssertionError("the command printed no address")


def _start(printed: str, arguments: list[str]) -> None:
    """Become the command."""
    from scorepad.cli import main

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    where = os.open(printed, os.O_WRONLY)
    os.dup2(where, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = os.fdopen(1, "w", buffering=1)
    main(arguments)


def _run() -> None:
    import scorepad.app
    import scorepad.app.server
    import scorepad.cli.serve
    import scorepad.referee  # noqa: F401 - read in before they are needed
    from tests.compiled import compile_all, share_templates

    share_templates()
    compile_all()
    for line in sys.stdin:
        told = json.loads(line)
        if isinstance(told, int):
            os.waitpid(told, 0)
            print(flush=True)
            continue
        printed, *arguments = told
        started = os.fork()
        if not started:
            _start(printed, arguments)
            os._exit(0)
        print(started, flush=True)


if __name__ == "__main__":
    _run()
