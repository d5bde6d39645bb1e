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


def back_up(data: Path) -> Path:
    """Run `scorepad backup` on a data file, and return the path of the copy that it names."""
    command = [sys.executable, "-m", "scorepad", "backup", "--data", str(data), "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.fullmatch(r"The copy is in (.+): \d+ matches, checked\.\n", done.stdout)
    assert found, done
    return Path(found[1])


def read_logs(path: Path, scorers: list[Scorer]) -> list[list[tuple[str, str]]]:
    """Return the log of each phone's match in a data file: the id and content of each request."""
    logs = []
    with Storage(path) as storage, storage.reading() as rows:
        for scorer in scorers:
            entries = rows.entries(scorer.address)
            logs.append([(entry.request, str(entry.payload)) for entry in entries])
    return logs


def back_up_every_second(
    data: Path, scorers: list[Scorer], seconds: int
) -> list[tuple[Path, list[int]]]:
    """Back the data file up every second, for so many seconds.

    Returns each backup with the number of hands of each phone that were acknowledged before it.
    """
    backups = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.monotonic()
        acknowledged = [len(scorer.acknowledged) for scorer in scorers]
        backups.append((back_up(data), acknowledged))
        time.sleep(max(0, started + 1 - time.monotonic()))
    return backups


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.soak)])
def test_every_backup_made_under_load_is_sound(on_disk: Path, seconds: int) -> None:
    # Four phones begin a match each.
    server = Server(on_disk / "scorepad.db")
    scorers = [Scorer(server) for _ in range(4)]
    for scorer in scorers:
        scorer.sit_down()

    # All phones save hands until the server stops. Meanwhile backups are made.
    threads = [threading.Thread(target=scorer.play) for scorer in scorers]
    with server.running():
        for thread in threads:
            thread.start()
        backups = back_up_every_second(server.data, scorers, seconds)
    for thread in threads:
        thread.join()

    committed_logs = read_logs(server.data, scorers)
    for backup, acknowledged in backups:
        # `scorepad doctor` finds no fault in the backup.
        assert faults(backup) == []

        # The backup has the beginning of the log of each match: its start, and at least all hands
        # that were acknowledged before.
        logs = read_logs(backup, scorers)
        for log, whole_log, hands in zip(logs, committed_logs, acknowledged, strict=True):
            assert log == whole_log[: len(log)]
            assert len(log) >= 1 + hands

    # The phones were not idle: more than one hand was saved each second.
    saved = sum(len(scorer.acknowledged) for scorer in scorers)
    assert saved > seconds
    print(
        f"\n{len(backups)} backups in {seconds} s, {saved} hands saved meanwhile: "
        "all sound, each a beginning of the log"
    )
