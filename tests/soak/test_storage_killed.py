"""The server is killed while hands are saved, and started again: nothing acknowledged is lost,
nothing doubled.
"""

import random
import signal
import threading
import time
from pathlib import Path

import pytest

from tests.soak.serving import Scorer, Server, faults


@pytest.fixture
def server(on_disk: Path) -> Server:
    return Server(on_disk / "scorepad.db")


@pytest.fixture
def scorers(server: Server) -> list[Scorer]:
    """Begin a match on each of two phones, which will count hands in them."""
    scorers = [Scorer(server), Scorer(server)]
    for scorer in scorers:
        scorer.sit_down()
    return scorers


@pytest.mark.long
@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.soak)])
def test_no_acknowledged_hand_is_lost_or_doubled_by_killing_the_server(
    server: Server, scorers: list[Scorer], kills: int
) -> None:
    chance = random.Random(kills)  # noqa: S311
    rounds = 0

    # The server is killed again and again while both phones save. A kill may come in the middle of
    # a save: this hand is sent again. Since most come between two saves, there are more rounds than
    # were asked for, until enough hands were sent again.
    enough_sent_again = kills // 4
    while rounds < kills or count_sent_again(scorers) <= enough_sent_again:
        assert rounds < 10 * kills, "hardly any kill comes in the middle of a save"
        rounds += 1
        # The hands of a match all differ, so that a doubled one is seen. Only 350 can differ.
        begin_new_matches_after(175, scorers)
        kill_while_saving(server, scorers, seconds_of_saving=chance.uniform(0, 0.5))

    # After each kill and at the end, the file has every acknowledged hand once, and no other.
    check_after_restart(server, scorers)

    # Enough was saved, and sent again, for this to mean something.
    assert count_acknowledged(scorers) > 4 * kills
    assert count_sent_again(scorers) > enough_sent_again
    print(
        f"\nkilled {rounds} times while saving: {count_acknowledged(scorers)} hands acknowledged,"
        f" {count_sent_again(scorers)} sent again, none lost, none doubled, the file always sound"
    )


def count_acknowledged(scorers: list[Scorer]) -> int:
    """Count the hands that were acknowledged, in the matches of now and in those before."""
    return sum(scorer.acknowledged_before + len(scorer.acknowledged) for scorer in scorers)


def count_sent_again(scorers: list[Scorer]) -> int:
    """Count the hands that were on their way when the server was killed."""
    return sum(scorer.again for scorer in scorers)


def begin_new_matches_after(hands: int, scorers: list[Scorer]) -> None:
    """Begin a new match on each phone that has counted more hands than this in its match."""
    for scorer in scorers:
        if len(scorer.acknowledged) > hands:
            scorer.sit_down()


def check_after_restart(server: Server, scorers: list[Scorer]) -> None:
    """Start the server, send again what was on its way, and check what the file holds."""
    with server.running():
        for scorer in scorers:
            scorer.resend()
            scorer.check()


def kill_while_saving(server: Server, scorers: list[Scorer], seconds_of_saving: float) -> None:
    """Start the server, kill it while the phones save, and check what the file holds."""
    with server.running(signal.SIGKILL):
        # What was on its way at the kill before is sent again.
        for scorer in scorers:
            scorer.resend()
            scorer.check()

        # Both phones save until the server is killed, at the end of this block.
        threads = [threading.Thread(target=scorer.play) for scorer in scorers]
        for thread in threads:
            thread.start()
        wait_for_a_save(scorers)
        time.sleep(seconds_of_saving)
    for thread in threads:
        thread.join()

    assert faults(server.data) == []
    for scorer in scorers:
        scorer.check()


def wait_for_a_save(scorers: list[Scorer]) -> None:
    """Wait until something is acknowledged, for at most 30 seconds.

    A server that has just been started takes a while for its first page.
    """
    acknowledged_before = count_acknowledged(scorers)
    give_up_at = time.monotonic() + 30
    while count_acknowledged(scorers) == acknowledged_before and time.monotonic() < give_up_at:
        time.sleep(0.005)
