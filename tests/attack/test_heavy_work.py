"""Eight clients that ask for papers, and eight that send files of 8 MB, while phones follow their
match.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.attack.load import OWNER, Served, Visitor, at_once, long_match, serving, upload

pytestmark = pytest.mark.long

CLIENTS = 8
SECONDS = 12
MEDIAN, MOST_MEMORY = 0.1, 300
"""Seconds of a poll; MB."""
SIZE = 8 * 2**20 - 10_000
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


@pytest.fixture
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    folder = tmp_path_factory.mktemp("heavy")
    match = long_match(folder / "scorepad.db", hands=12)
    with serving(folder) as served:
        yield served, f"/partite/{match}"


def attack(
    served: Served, url: str, ask: Callable[[int, int], int]
) -> tuple[Visitor, Counter[int]]:
    """Let all clients do the same again and again, and poll as four phones do."""
    path = f"{url}/stato"
    assert served.get(path, OWNER)[0] == 200
    visitor, told, end = Visitor(served, (path,) * 4, pause=0.2, headers=OWNER), Counter[int](), []

    def client(number: int) -> None:
        asked = 0
        while not end:
            told[ask(number, asked)] += 1
            asked += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    with visitor.watching():
        time.sleep(0.5)
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        end.append(True)
    for thread in threads:
        thread.join()
    return visitor, told


def judge(what: str, visitor: Visitor, told: Counter[int]) -> None:
    print(f"\n{what}: answers {dict(told)}; {visitor.figures()}")
    assert set(told) <= {200, 303, 422, 503}
    assert statistics.median(visitor.seconds) < at_once(MEDIAN)
    assert max(visitor.memory) < MOST_MEMORY


def test_eight_clients_that_ask_for_papers(attacked: tuple[Served, str]) -> None:
    served, url = attacked

    def ask(number: int, asked: int) -> int:
        papers = (f"{url}/foglio.pdf", f"/regole/{VARIANTS[number]}/segnapunti.pdf",
                  f"/regole/{VARIANTS[(number + asked) % 8]}/scheda.pdf", f"{url}/risultato.png")  # fmt: skip
        status, _, headers = served.get(papers[(number + asked) % len(papers)], OWNER)
        if status == 503:
            assert int(headers["Retry-After"]) > 0
            time.sleep(0.2)
        return status

    judge("papers", *attack(served, url, ask))


def export(served: Served, url: str) -> bytes:
    """The file of a match."""
    status, body, _ = served.get(f"{url}/file/partita.json", OWNER)
    assert status == 200
    return body


def matches_of(octets: bytes) -> bytes:
    """A file of 8 MB of matches, each of which is read and tried in full before the file is
    refused.
    """
    told = json.loads(octets)
    (match,) = told["matches"]
    text = json.dumps(match)
    told["matches"] = [match] * ((SIZE - len(octets)) // (len(text) + 2))
    return json.dumps(told).encode()


def test_eight_clients_that_send_files_of_8_mb(attacked: tuple[Served, str]) -> None:
    served, url = attacked
    file = matches_of(export(served, url))
    assert 7_000_000 < len(file) < SIZE

    def ask(number: int, asked: int) -> int:
        return upload(served, file, browser={})[0]

    judge("imports", *attack(served, url, ask))
