"""Every save is on the disk before its answer leaves: the system calls of the server, watched from
outside.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.soak.serving import Scorer, Server

CALLS = "pwrite64,pwritev,write,writev,ftruncate,fsync,fdatasync,unlink,unlinkat,sendto,sendmsg"
SAVES = [5, pytest.param(200, marks=pytest.mark.soak)]
CALL = re.compile(r"^\d+ +(?:\[[^]]*\] )?(?P<name>\w+)\((?P<told>.*)\) += (?P<result>-?\d+)")
OPENED = re.compile(r"^\d+<(?P<path>[^>]*)>")


def can_watch() -> bool:
    if shutil.which("strace") is None:
        return False
    command = ["strace", "-qq", "-e", "trace=none", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def joined(lines: list[str]) -> list[str]:
    """The calls as they ended, each in one line: those of several threads are interrupted by one
    another.
    """
    begun: dict[str, str] = {}
    whole = []
    for line in lines:
        thread = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[thread] = line.removesuffix("<unfinished ...>").rstrip()
        elif "resumed>" in line:
            whole.append(begun.pop(thread) + line.split("resumed>", 1)[1])
        else:
            whole.append(line)
    return whole


def watched(trace: Path, data: Path) -> list[tuple[bool, set[str]]]:
    """For each answer to a save: whether a journal had gone since the last, and what was not on the
    disk by then.

    What is written to a file is on the disk once it was synced; that a name went, once its folder
    was.
    """
    folder, unsynced, is_committed, answers = str(data.parent), set(), False, []
    for line in joined(trace.read_text(encoding="utf-8", errors="replace").splitlines()):
        found = CALL.match(line)
        if found is None or int(found["result"]) < 0:
            continue
        opened = OPENED.match(found["told"])
        path = opened["path"].removesuffix(" (deleted)") if opened else ""
        match found["name"]:
            case "fsync" | "fdatasync":
                unsynced.discard(path)
            case "unlink" | "unlinkat" if f"{data}-journal" in found["told"]:
                unsynced -= {f"{data}-journal"}
                unsynced.add(folder)
                is_committed = True
            case "sendto" | "sendmsg":
                if '"HTTP/1.1 303' in found["told"]:
                    answers.append((is_committed, set(unsynced)))
                    is_committed = False
            case _ if path.startswith(str(data)) and not path.endswith(".log"):
                unsynced.add(path)
    return answers


@pytest.mark.skipif(
    not can_watch(), reason="strace is not here, or may not watch a process of ours"
)
@pytest.mark.parametrize("saves", SAVES)
def test_every_acknowledged_save_was_synced_before_its_answer_left(
    on_disk: Path, saves: int
) -> None:
    trace = on_disk / "trace"
    command = f"strace -f -y -qq -s 24 -e trace={CALLS} -e signal=none -o {trace}".split()
    server = Server(on_disk / "scorepad.db", watcher=tuple(command))
    scorer = Scorer(server)
    scorer.sit_down()
    with server.running():
        scorer.play(saves)
    scorer.check()
    assert len(scorer.acknowledged) == saves
    answers = watched(trace, server.data)
    assert [is_committed for is_committed, _ in answers] == [True] * saves
    assert [unsynced for _, unsynced in answers] == [set()] * saves
    syncs = len(re.findall(r"sync\(.* = 0", trace.read_text(errors="replace")))
    print(f"\n{saves} saves under strace: all on the disk before their answer left ({syncs} syncs)")
