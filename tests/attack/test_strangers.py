"""Strangers cannot fill the disk with matches, and a form is accepted after the clock was set."""

import threading
import time
from collections import Counter
from html import unescape
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.web.rate_limits import Action
from tests.attack.load import CLIENTS
from tests.attack.served import BEGUN, Browser, serving

pytestmark = pytest.mark.long

SET_CLOCK_BY_FILE = """
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
"""Makes the clock of a process wrong by as many seconds as are written in a file."""


def test_number_of_matches_begun_by_strangers_is_limited(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        statuses: Counter[int] = Counter()
        end = time.monotonic() + 10

        # For ten seconds eight clients begin one match after another. When the server refuses one,
        # it says after how many seconds to try again.
        def begin_matches() -> None:
            while time.monotonic() < end:
                answer = served.ask("POST", "/api/v1/matches", BEGUN)
                statuses[answer.status] += 1
                if answer.status != HTTPStatus.CREATED:
                    assert int(answer.header("Retry-After")) >= 1

        threads = [threading.Thread(target=begin_matches) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        size = served.data.stat().st_size

    # An address may begin 240 matches in an hour. In the ten seconds it gets hardly one more.
    print(f"\nnew matches in 10 s: {dict(statuses)}; the file {size / 1e6:.1f} MB")
    assert set(statuses) == {HTTPStatus.CREATED, HTTPStatus.TOO_MANY_REQUESTS}
    assert statuses[HTTPStatus.CREATED] <= Action.BEGIN.value.most_per_address + 2


@pytest.mark.parametrize("hours", [-5, -24 * 365 * 3, 5, 24 * 500])
def test_open_form_is_accepted_after_the_clock_was_set(tmp_path: Path, hours: int) -> None:
    # In the process of the server, this Python is run before anything else. It makes the clock wrong
    # by as many seconds as stand in the file "clock" at the moment.
    clock = tmp_path / "clock"
    clock.write_text("0")
    set_clock = SET_CLOCK_BY_FILE.format(path=str(clock))
    with serving(tmp_path / "x.db", before=set_clock) as served:
        # A phone opens the home page. Its forms have a token against forgery, which is signed with
        # the time.
        phone = Browser(served.port)
        fields = {}
        for name, value in phone.hidden_fields("/").items():
            fields[name] = unescape(value)

        # The clock of the server is set back or forward, by hours or by years.
        clock.write_text(str(hours * 3600))

        # The phone presses the button to begin a practice match.
        answer = phone.submit("/prova", fields)
        assert answer.status == HTTPStatus.SEE_OTHER, answer.text[:2000]
