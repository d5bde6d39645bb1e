"""Somebody on the network who begins match after match; a clock that is set while a form lies open."""

import threading
import time
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from scorepad.web.rate_limits import Action
from tests.attack.load import CLIENTS
from tests.attack.served import BEGUN, Browser, serving

pytestmark = pytest.mark.long

CLOCK_OF_A_FILE = """
import datetime, pathlib, time
real, told = time.time, pathlib.Path({path!r})
def moved():
    return real() + float(told.read_text() or 0)
class Moved(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(moved(), tz)
time.time, datetime.datetime = moved, Moved
"""
"""A clock that is as many seconds off as stand in a file."""


def test_a_stranger_begins_no_more_matches_than_a_club_does(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        statuses: Counter[int] = Counter()
        until = time.monotonic() + 10

        def attack() -> None:
            while time.monotonic() < until:
                answer = served.ask("POST", "/api/v1/matches", BEGUN)
                statuses[answer.status] += 1
                assert answer.status == 201 or int(answer.header("Retry-After")) >= 1

        threads = [threading.Thread(target=attack) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        size = served.data.stat().st_size
    print(f"\nnew matches in 10 s: {dict(statuses)}; the file {size / 1e6:.1f} MB")
    assert set(statuses) == {201, 429}
    assert statuses[201] <= Action.BEGIN.value.most_per_address + 2


@pytest.mark.parametrize("hours", [-5, -24 * 365 * 3, 5, 24 * 500])
def test_a_form_that_lay_open_while_the_clock_was_set_is_taken(tmp_path: Path, hours: int) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    with serving(tmp_path / "x.db", before=CLOCK_OF_A_FILE.format(path=str(clock))) as served:
        phone = Browser(served.port)
        fields = phone.hidden_fields("/")
        clock.write_text(str(hours * 3600))
        answer = phone.submit("/prova", {name: unescape(text) for name, text in fields.items()})
        assert answer.status == 303, answer.text[:2000]
