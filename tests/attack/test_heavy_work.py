"""Eight clients that ask for papers while phones follow their match."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.attack.load import OWNER, Visitor, at_once, long_match, serving

pytestmark = pytest.mark.long

CLIENTS = 8
SECONDS = 12
MEDIAN, MOST_MEMORY = 0.1, 300
"""Seconds of a poll; MB."""
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


def test_eight_clients_that_ask_for_papers_keep_no_phone_waiting(tmp_path: Path) -> None:
    match = long_match(tmp_path / "scorepad.db", hands=12)
    url, told, over = f"/partite/{match}", Counter[int](), threading.Event()
    with serving(tmp_path) as served:

        def client(number: int) -> None:
            asked = 0
            while not over.is_set():
                papers = (f"{url}/foglio.pdf", f"/regole/{VARIANTS[number]}/segnapunti.pdf",
                          f"/regole/{VARIANTS[(number + asked) % 8]}/scheda.pdf", f"{url}/risultato.png")  # fmt: skip
                status, _, headers = served.get(papers[(number + asked) % len(papers)], OWNER)
                if status == 503:
                    assert int(headers["Retry-After"]) > 0
                    time.sleep(0.2)
                told[status] += 1
                asked += 1

        assert served.get(f"{url}/stato", OWNER)[0] == 200
        phones = Visitor(served, (f"{url}/stato",) * 4, pause=0.2, headers=OWNER)
        threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
        with phones.watching():
            time.sleep(0.5)
            for thread in threads:
                thread.start()
            time.sleep(SECONDS)
            over.set()
        for thread in threads:
            thread.join()
    print(f"\npapers: answers {dict(told)}; {phones.figures()}")
    assert set(told) <= {200, 503}
    assert statistics.median(phones.seconds) < at_once(MEDIAN)
    assert max(phones.memory) < MOST_MEMORY
