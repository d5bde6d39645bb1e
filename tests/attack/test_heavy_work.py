"""Eight clients that ask for papers, and eight that send files of 8 MB, while phones follow their
match.
"""

import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http import HTTPStatus
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
MOST_SECONDS_OF_A_POLL = 0.1
"""Seconds of a poll."""
EXPECTED_STATUSES = {
    HTTPStatus.OK,
    HTTPStatus.SEE_OTHER,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.SERVICE_UNAVAILABLE,
}
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
def server_and_match_page(tmp_path: Path) -> Iterator[tuple[Served, str]]:
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
    is_over = threading.Event()

    def run_client(number: int) -> None:
        requests_sent = 0
        while not is_over.is_set():
            answer = ask(number, requests_sent)
            statuses[answer.status] += 1
            requests_sent += 1
            if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
                assert int(answer.header("Retry-After")) > 0
                time.sleep(0.2)

    threads = [threading.Thread(target=run_client, args=(number,)) for number in range(CLIENTS)]
    with phones.watching():
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        is_over.set()
    for thread in threads:
        thread.join()
    print(f"\nanswers {dict(statuses)}; {phones.figures()}")
    assert set(statuses) <= EXPECTED_STATUSES
    assert statistics.median(phones.seconds) < at_once(MOST_SECONDS_OF_A_POLL)
    assert max(phones.memory) < MOST_MEMORY


def test_phones_are_answered_while_others_ask_for_papers(
    server_and_match_page: tuple[Served, str],
) -> None:
    served, url = server_and_match_page

    def ask_for_paper(client: int, requests_sent: int) -> Answer:
        """The papers in turn; each client begins with another one."""
        turn = client + requests_sent
        variant_of_card = VARIANTS[turn % len(VARIANTS)]
        papers = (
            f"{url}/foglio.pdf",
            f"/regole/{VARIANTS[client]}/segnapunti.pdf",
            f"/regole/{variant_of_card}/scheda.pdf",
            f"{url}/risultato.png",
        )
        return owner(served).get(papers[turn % len(papers)])

    attack(served, url, ask_for_paper)


def test_phones_are_answered_while_others_send_files_of_8_mb(
    server_and_match_page: tuple[Served, str],
) -> None:
    served, url = server_and_match_page
    exported = owner(served).get(f"{url}/file/partita.json")
    file = file_of_copies(exported.json)
    assert 7_000_000 < len(file) < SIZE
    attack(served, url, lambda _number, _asked: upload(served, file))


def file_of_copies(exported: dict[str, object]) -> bytes:
    """A file of 8 MB with the same match over and over: each is read and tried in full before the
    file is refused.
    """
    (match,) = exported["matches"]
    length_of_match = len(json.dumps(match)) + len(", ")
    copies = (SIZE - len(json.dumps(exported))) // length_of_match
    return json.dumps({**exported, "matches": [match] * copies}).encode()
