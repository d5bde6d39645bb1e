"""The command in a shell: started anew, or forked from a process that has imported it."""

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit

import click
import pytest

from scorepad.app.server import listen
from scorepad.cli import main
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.cli import forking
from tests.matches.conftest import PHONE, Table

CLASSIC_MATCH = NewMatch(
    variant="classica",
    preset=None,
    options={},
    labels=Labels(
        names=("Noi", "Loro"),
        players=(("Ada", "Ugo"), ("Eva", "Ivo")),
        place="Bar Sport",
    ),
)
SCOREPAD = f"{sys.executable} -m scorepad"
UNKNOWN_CAUSE = re.compile(
    r"Traceback|Qualcosa non ha funzionato|Something went wrong|Errno|(cli|json|machine|serve)\.[a-z]|%\("
)
"""What no error message may have: that the cause is not known, or a key in place of a text."""


def shell(line: str, folder: Path) -> CompletedProcess[bytes]:
    """Run a line in which `scorepad` is the command, standing in a folder of the test's own."""
    client, server = _server()
    return _run(line, f'{sys.executable} -I -S {client} {server} "$@"', folder, {})


def shell_without_fork(line: str, folder: Path, **environment: str) -> CompletedProcess[bytes]:
    """The same with a new interpreter for each command: for streams that are closed or of another
    encoding.
    """
    return _run(line, f'{SCOREPAD} "$@"', folder, environment)


def _run(
    line: str, command: str, folder: Path, environment: dict[str, str]
) -> CompletedProcess[bytes]:
    script = f"set -o pipefail; scorepad() {{ {command}; }}; {line}"
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment_without_unbuffered() | environment,
        capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@cache
def _server() -> tuple[Path, Path]:
    """The script that stands for the command, and the socket of the process that it asks."""
    folder = Path(mkdtemp(prefix="scorepad-"))
    client, path = folder / "client.py", folder / "socket"
    client.write_text(forking.CLIENT)
    # Pipes, because Python remembers of its streams whether they can be positioned.
    server = subprocess.Popen(
        [sys.executable, forking.__file__, path], env=environment_without_unbuffered(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip

    def end() -> None:
        server.communicate()
        shutil.rmtree(folder)

    atexit.register(end)
    while not path.with_suffix(".ready").exists():
        assert server.poll() is None, "the command cannot be imported"
        time.sleep(0.01)
    return client, path


def run(*arguments: str, given: object = "", **environment: str) -> CompletedProcess[bytes]:
    """Run the command on this input: octets, a text, or values as JSON."""
    if not isinstance(given, str | bytes):
        given = json.dumps(given)
    client, server = _server()
    return subprocess.run(
        [sys.executable, "-I", "-S", client, server, *arguments],
        env=environment_without_unbuffered() | environment,
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        check=False,
        timeout=60,
    )


@dataclass
class Serving:
    """A pad that is served: its process, its address, and the line that told it."""

    process: subprocess.Popen[str]
    address: str
    line: str

    @property
    def port(self) -> int:
        port = urlsplit(self.address).port
        assert port
        return port

    def read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[Serving]:
    """A pad served on `x.db` in a folder, as a person starts it, until the end of the block."""
    command = [sys.executable, "-um", "scorepad", "serve", "--port", "0", "--data", "x.db"]
    with subprocess.Popen(
        [*command, *options], cwd=folder, env=os.environ | environment, text=True,
        encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        assert found, line
        try:
            yield Serving(process, found[0], line)
        finally:
            process.terminate()


@contextmanager
def serving_here(application: Any, host: str = "127.0.0.1") -> Iterator[int]:
    """The port of a server of the pad, in this process, that serves an application."""
    server = listen(application, host, 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.effective_port
    server.stop()
    thread.join(timeout=10)
    assert not thread.is_alive()


def get_error_line(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The error message, of one line, of the command run in this process with wrong arguments."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1, printed.err
    assert not UNKNOWN_CAUSE.search(printed.err), printed.err
    return printed.err.rstrip("\n")


def begin_match(folder: Path, request: str = "start", new: NewMatch = CLASSIC_MATCH) -> Table:
    """A match in the file `x.db`."""
    pad = Pad(Storage(folder / "x.db"))
    saved = pad.actions.start(RequestId(request), PHONE, new)
    assert isinstance(saved, Saved)
    return Table(pad, saved.match, PHONE)


def command_line_in(language: str) -> click.Context:
    """The context of a command in which `--lang` has chosen a language, for code of the command line
    that a test calls by itself.
    """
    return click.Context(click.Command("scorepad"), obj=words(language))


def environment_without_unbuffered() -> dict[str, str]:
    """The environment, but for what makes Python write at once: nobody at a terminal has set that."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def refused(done: CompletedProcess[bytes]) -> str:
    """The error message, of one line, of a command that was run with wrong arguments."""
    message = done.stderr.decode()
    assert done.returncode == 2, message
    assert done.stdout == b"", message
    assert message.count("\n") == 1, message
    assert not UNKNOWN_CAUSE.search(message), message
    return message.rstrip("\n")
