"""Eight clients that ask for papers all the time, while phones follow their match."""

from __future__ import annotations

import statistics
import time
from itertools import count
from pathlib import Path

import pytest

from tests.attack.load import OWNER, Visitor, at_once, long_match, serving, statuses_of

pytestmark = pytest.mark.long

SECONDS = 12
MEDIAN = 0.1
"""Seconds of a poll."""
VARIANTS = (
    "classica",
    "samba",
    "bolivia",
    "moderna",
    "canastone",
    "cubana",
    "messicana",
    "uruguaiana",
)


def test_phones_follow_their_match_while_eight_clients_ask_for_papers(tmp_path: Path) -> None:
    match = long_match(tmp_path / "scorepad.db", hands=12)
    url, turns = f"/partite/{match}", count()
    with serving(tmp_path) as served:
        assert served.get(f"{url}/stato", OWNER).status == 200
        phones = Visitor(served, (f"{url}/stato",) * 4, pause=0.2, headers=OWNER)

        def ask(number: int) -> int:
            turn = next(turns)
            papers = (
                f"{url}/foglio.pdf",
                f"/regole/{VARIANTS[number]}/segnapunti.pdf",
                f"/regole/{VARIANTS[turn // 4 % 8]}/scheda.pdf",
                f"{url}/risultato.png",
            )
            answer = served.get(papers[turn % 4], OWNER)
            if answer.status == 503:
                assert int(answer.headers["Retry-After"]) > 0
                time.sleep(0.2)
            return answer.status

        with phones.watching():
            told = statuses_of(ask, SECONDS)
    phones.was_not_disturbed(f"papers, answers {dict(told)}", at_once(2), most_memory=200)
    assert set(told) <= {200, 503}
    assert statistics.median(phones.seconds) < at_once(MEDIAN)
