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


def backed_up(data: Path) -> Path:
    """The backup that the command says it made."""
    command = [sys.executable, "-m", "scorepad", "backup", "--data", str(data), "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.fullmatch(r"The copy is in (.+): \d+ matches, checked\.\n", done.stdout)
    assert found, done
    return Path(found[1])


def logs(path: Path, scorers: list[Scorer]) -> list[list[tuple[str, str]]]:
    """The log of each match as a file has it: what came, and what it said."""
    with Storage(path) as storage, storage.reading() as rows:
        return [
            [(each.request, str(each.payload)) for each in rows.entries(scorer.address)]
            for scorer in scorers
        ]


@pytest.mark.parametrize("seconds", SECONDS)
def test_every_backup_made_under_load_is_sound_and_a_beginning_of_the_committed_log(
    on_disk: Path, seconds: int
) -> None:
    server = Server(on_disk / "scorepad.db")
    scorers = [Scorer(server) for _ in range(PHONES)]
    for scorer in scorers:
        scorer.sit_down()
    made: list[tuple[Path, list[int]]] = []
    with server.running():
        threads = [threading.Thread(target=scorer.play) for scorer in scorers]
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun, acknowledged = time.monotonic(), [len(scorer.acknowledged) for scorer in scorers]
            made.append((backed_up(server.data), acknowledged))
            time.sleep(max(0, begun + 1 - time.monotonic()))
    for thread in threads:
        thread.join()
    committed = logs(server.data, scorers)
    for copy, acknowledged in made:
        assert faults(copy) == []
        for log, whole, least in zip(logs(copy, scorers), committed, acknowledged, strict=True):
            assert log == whole[: len(log)]
            assert len(log) >= 1 + least, "what was acknowledged before the backup began is in it"
    hands = sum(len(scorer.acknowledged) for scorer in scorers)
    assert hands > seconds
    print(
        f"\n{len(made)} backups in {seconds} s, {hands} hands saved meanwhile: all sound, each a beginning of the log"
    )
