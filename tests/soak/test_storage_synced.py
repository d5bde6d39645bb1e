"""Every save is on the disk before its answer leaves: the system calls of the server, watched from
outside.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.soak.serving import Scorer, Server

SYSTEM_CALLS = (
    "pwrite64,pwritev,write,writev,ftruncate,fsync,fdatasync,unlink,unlinkat,sendto,sendmsg"
)
# Lines of strace, such as `4711 fsync(5</tmp/scorepad.db>) = 0`.
CALL = re.compile(r"^\d+ +(?:\[[^]]*\] )?(?P<name>\w+)\((?P<told>.*)\) += (?P<result>-?\d+)")


def can_watch() -> bool:
    """Tell whether strace is here, and may watch a process."""
    if shutil.which("strace") is None:
        return False
    command = ["strace", "-qq", "-e", "trace=none", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def join_interrupted_calls(lines: list[str]) -> list[str]:
    """Return the calls in the order in which they ended, each in one line.

    Where a call of another thread comes between, strace writes a call as two lines: one that ends
    with `<unfinished ...>`, and later one with `resumed>`. Each begins with the number of its
    thread.
    """
    beginnings: dict[str, str] = {}
    whole = []
    for line in lines:
        thread = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            beginnings[thread] = line.removesuffix("<unfinished ...>").rstrip()
        elif "resumed>" in line:
            whole.append(beginnings.pop(thread) + line.split("resumed>", 1)[1])
        else:
            whole.append(line)
    return whole


@dataclass(frozen=True)
class AnswerToSave:
    """What had been done when an answer to a save left the server.

    `is_committed`: since the answer before, SQLite has deleted the journal of a transaction, which
    commits it. `unsynced` are the files and folders whose changes were not on the disk yet.
    """

    is_committed: bool
    unsynced: frozenset[str]


def path_of_descriptor(arguments: str) -> str:
    """Return the path of the open file that a call is about: of `5</tmp/x.db>, …` it is `/tmp/x.db`.

    Where a call is about no open file, it is empty.
    """
    opened = re.match(r"\d+<([^>]*)>", arguments)
    return opened[1].removesuffix(" (deleted)") if opened else ""


class Trace:
    """What the system calls of a server did to its data file."""

    def __init__(self, data: Path) -> None:
        """Begin a trace in which nothing has been done to the data file yet."""
        # As strace writes the paths. SQLite makes the journal for each transaction.
        self.data = str(data)
        self.journal = f"{data}-journal"
        self.folder = str(data.parent)

        # What was done until now: the files and folders whose changes are not on the disk yet, and
        # whether a transaction was committed since the last answer.
        self.unsynced: set[str] = set()
        self.is_committed = False

        # The same, as it was when each answer left.
        self.answers: list[AnswerToSave] = []

    def read(self, file: Path) -> None:
        """Follow the successful calls in a file that strace has written."""
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        for line in join_interrupted_calls(lines):
            call = CALL.match(line)
            if call and int(call["result"]) >= 0:
                self.follow(call["name"], call["told"])

    def follow(self, name: str, arguments: str) -> None:
        """Note what a call does, such as `fsync` with the arguments `5</tmp/scorepad.db>`."""
        path = path_of_descriptor(arguments)

        if name in ("fsync", "fdatasync"):
            # What was written to this file, or deleted in this folder, is on the disk from now on.
            self.unsynced.discard(path)

        elif name in ("unlink", "unlinkat"):
            # SQLite commits a transaction by deleting its journal. This is on the disk once the
            # folder is synced.
            if self.journal in arguments:
                self.unsynced.discard(self.journal)
                self.unsynced.add(self.folder)
                self.is_committed = True

        elif name in ("sendto", "sendmsg"):
            # The answer to a save is a redirect, with the status 303.
            if '"HTTP/1.1 303' in arguments:
                self.answers.append(AnswerToSave(self.is_committed, frozenset(self.unsynced)))
                self.is_committed = False

        elif path.startswith(self.data) and not path.endswith(".log"):
            # All other calls write: here to the data file or its journal.
            self.unsynced.add(path)


@pytest.mark.skipif(
    not can_watch(), reason="strace is not here, or may not watch a process of ours"
)
@pytest.mark.parametrize("saves", [5, pytest.param(200, marks=pytest.mark.soak)])
def test_every_acknowledged_save_was_synced_before_its_answer_left(
    on_disk: Path, saves: int
) -> None:
    # strace writes down the system calls of the server that write, sync, delete or answer.
    file = on_disk / "trace"
    strace = f"strace -f -y -qq -s 24 -e trace={SYSTEM_CALLS} -e signal=none -o {file}"
    server = Server(on_disk / "scorepad.db", watcher=tuple(strace.split()))
    scorer = Scorer(server)
    scorer.sit_down()

    # A phone saves hands, and all of them are acknowledged.
    with server.running():
        scorer.play(saves)
    scorer.check()
    assert len(scorer.acknowledged) == saves

    # When each answer left, the save was committed, and nothing of it was missing on the disk.
    trace = Trace(server.data)
    trace.read(file)
    committed_and_synced = AnswerToSave(is_committed=True, unsynced=frozenset())
    assert trace.answers == [committed_and_synced] * saves
