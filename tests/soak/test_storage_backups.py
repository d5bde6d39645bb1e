"""A backup every second while phones save hands: each is sound, and a beginning of what was
committed.
"""

import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from scorepad.storage import Storage
from tests.soak.serving import Scorer, Server, faults

PHONES = 4
SECONDS = [3, pytest.param(60, marks=pytest.mark.soak)]


def back_up(data: Path) -> Path:
    """Run the command: the backup that it says it made."""
    command = [sys.executable, "-m", "scorepad", "backup", "--data", str(data), "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.fullmatch(r"The copy is in (.+): \d+ matches, checked\.\n", done.stdout)
    assert found, done
    return Path(found[1])


def read_logs(path: Path, scorers: list[Scorer]) -> list[list[tuple[str, str]]]:
    """The log of each match as a file has it: what came, and what it said."""
    logs = []
    with Storage(path) as storage, storage.reading() as rows:
        for scorer in scorers:
            entries = rows.entries(scorer.address)
            logs.append([(entry.request, str(entry.payload)) for entry in entries])
    return logs


@pytest.mark.parametrize("seconds", SECONDS)
def test_every_backup_made_under_load_is_sound_and_a_beginning_of_the_committed_log(
    on_disk: Path, seconds: int
) -> None:
    server = Server(on_disk / "scorepad.db")
    scorers = [Scorer(server) for _ in range(PHONES)]
    for scorer in scorers:
        scorer.sit_down()

    # While all phones save, a backup is made every second.
    backups: list[tuple[Path, list[int]]] = []
    threads = [threading.Thread(target=scorer.play) for scorer in scorers]
    with server.running():
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            started = time.monotonic()
            acknowledged = [len(scorer.acknowledged) for scorer in scorers]
            backups.append((back_up(server.data), acknowledged))
            time.sleep(max(0, started + 1 - time.monotonic()))
    for thread in threads:
        thread.join()

    committed_logs = read_logs(server.data, scorers)
    for backup, acknowledged in backups:
        assert faults(backup) == []
        logs = read_logs(backup, scorers)
        for log, whole_log, hands in zip(logs, committed_logs, acknowledged, strict=True):
            assert log == whole_log[: len(log)]
            # The start, and what was acknowledged before the backup began.
            assert len(log) >= 1 + hands
    saved = sum(len(scorer.acknowledged) for scorer in scorers)
    assert saved > seconds
    print(
        f"\n{len(backups)} backups in {seconds} s, {saved} hands saved meanwhile: "
        "all sound, each a beginning of the log"
    )
