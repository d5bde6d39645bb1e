"""The server is killed while hands are saved, and started again: nothing acknowledged is lost,
nothing doubled.
"""

import random
import signal
import threading
import time
from pathlib import Path

import pytest

from scorepad.storage.connection import journal_path
from tests.soak.serving import MOST, Scorer, Server, faults

PHONES = 2
KILLS = [5, pytest.param(200, marks=pytest.mark.soak)]


def warm(scorers: list[Scorer]) -> None:
    """Wait until the server just started has saved something: its first page takes it a while."""
    before, end = saved_by(scorers), time.monotonic() + 30
    while saved_by(scorers) == before and time.monotonic() < end:
        time.sleep(0.005)


def saved_by(scorers: list[Scorer]) -> int:
    return sum(len(scorer.acknowledged) for scorer in scorers)


def sent_again(scorers: list[Scorer]) -> int:
    """How many forms were on their way when the server went: a kill hits one or none."""
    return sum(scorer.again for scorer in scorers)


def killed_while_saving(server: Server, scorers: list[Scorer], after: float) -> int:
    """One round: how many saves the kill left half done on the disk."""
    with server.running(signal.SIGKILL):
        for scorer in scorers:
            scorer.resend()
            scorer.check()
        threads = [threading.Thread(target=scorer.play) for scorer in scorers]
        for thread in threads:
            thread.start()
        warm(scorers)
        time.sleep(after)
    for thread in threads:
        thread.join()
    was_cut = journal_path(server.data).exists()
    assert faults(server.data) == []
    for scorer in scorers:
        scorer.check()
    return was_cut


@pytest.mark.long
@pytest.mark.parametrize("kills", KILLS)
def test_killed_at_random_moments_it_loses_and_doubles_no_acknowledged_hand(
    on_disk: Path, kills: int
) -> None:
    chance = random.Random(kills)  # noqa: S311
    server = Server(on_disk / "scorepad.db")
    scorers = [Scorer(server) for _ in range(PHONES)]
    hands = cut = rounds = 0
    while rounds < kills or (sent_again(scorers) <= kills // 4 and rounds < 10 * kills):
        rounds += 1
        for scorer in scorers:
            if not scorer.match or len(scorer.acknowledged) > MOST // 2:
                hands += len(scorer.acknowledged)
                scorer.sit_down()
        cut += killed_while_saving(server, scorers, chance.uniform(0, 0.5))
    with server.running():
        for scorer in scorers:
            scorer.resend()
            scorer.check()
            hands += len(scorer.acknowledged)
    assert hands > 4 * kills
    again = sent_again(scorers)
    assert again > kills // 4, "the server went in the middle of saves"
    print(
        f"\nkilled {rounds} times while saving: {hands} hands acknowledged, 0 lost, 0 doubled;"
        f" {again} sent again, {cut} saves half done on the disk taken back, the file sound every time"
    )
