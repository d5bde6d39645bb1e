"""Eight clients that ask for papers, and eight that send files of 8 MB, while phones follow their
match.
"""

import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attack.load import (
    CLIENTS,
    MOST_MEMORY,
    OWNER,
    SIZE,
    Visitor,
    at_once,
    long_match,
    owner,
    upload,
)
from tests.attack.served import Answer, Served, serving

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


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[tuple[Served, str]]:
    """A server, and the page of a match."""
    match = long_match(tmp_path / "scorepad.db", hands=12)
    with serving(tmp_path / "scorepad.db") as served:
        yield served, f"/partite/{match}"


def attack(served: Served, url: str, ask: Callable[[int, int], Answer]) -> None:
    """Let all clients ask again and again, while four phones poll; `ask` gets the number of the
    client and that of its request.
    """
    phones = Visitor(served, (f"{url}/stato",) * 4, pause=0.2, cookies=OWNER)
    statuses: Counter[int] = Counter()
    over = threading.Event()

    def client(number: int) -> None:
        asked = 0
        while not over.is_set():
            answer = ask(number, asked)
            statuses[answer.status] += 1
            asked += 1
            if answer.status == 503:
                assert int(answer.header("Retry-After")) > 0
                time.sleep(0.2)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    with phones.watching():
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        over.set()
    for thread in threads:
        thread.join()
    print(f"\nanswers {dict(statuses)}; {phones.figures()}")
    assert set(statuses) <= {200, 303, 422, 503}
    assert statistics.median(phones.seconds) < at_once(MEDIAN)
    assert max(phones.memory) < MOST_MEMORY


def test_phones_are_answered_while_eight_clients_ask_for_papers(
    attacked: tuple[Served, str],
) -> None:
    served, url = attacked

    def ask(number: int, asked: int) -> Answer:
        papers = (
            f"{url}/foglio.pdf",
            f"/regole/{VARIANTS[number]}/segnapunti.pdf",
            f"/regole/{VARIANTS[(number + asked) % len(VARIANTS)]}/scheda.pdf",
            f"{url}/risultato.png",
        )
        return owner(served).get(papers[(number + asked) % len(papers)])

    attack(served, url, ask)


def test_phones_are_answered_while_eight_clients_send_files_of_8_mb(
    attacked: tuple[Served, str],
) -> None:
    served, url = attacked
    exported = owner(served).get(f"{url}/file/partita.json")
    file = file_of_copies(exported.json)
    assert 7_000_000 < len(file) < SIZE
    attack(served, url, lambda _number, _asked: upload(served, file))


def file_of_copies(exported: dict[str, object]) -> bytes:
    """A file of 8 MB with the same match over and over: each is read and tried in full before the
    file is refused.
    """
    (match,) = exported["matches"]
    copies = (SIZE - len(json.dumps(exported))) // (len(json.dumps(match)) + 2)
    return json.dumps({**exported, "matches": [match] * copies}).encode()
