"""Phones are answered while eight clients ask for PDFs and pictures, or send files of 8 MB."""

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


@pytest.fixture
def server_and_match_page(tmp_path: Path) -> Iterator[tuple[Served, str]]:
    """Start a server with a match of twelve hands, and give it and the path of the match."""
    match = long_match(tmp_path / "scorepad.db", hands=12)
    with serving(tmp_path / "scorepad.db") as served:
        yield served, f"/partite/{match}"


def attack(served: Served, url: str, ask: Callable[[int, int], Answer]) -> None:
    """Let eight clients ask again and again for twelve seconds, and check that four phones are
    answered soon meanwhile, and that the server does not take too much memory.

    `ask` sends one request. It gets the number of the client, from 0 to 7, and how many requests
    this client has sent before.
    """
    # The phones ask again and again whether anything is new in the match, as an open page does.
    phones = Visitor(served, (f"{url}/stato",) * 4, pause=0.2, cookies=OWNER)

    statuses: Counter[int] = Counter()
    is_over = threading.Event()

    def run_client(number: int) -> None:
        """Ask until the twelve seconds are over, and count the answers by their statuses."""
        requests_sent = 0
        while not is_over.is_set():
            answer = ask(number, requests_sent)
            statuses[answer.status] += 1
            requests_sent += 1
            # A busy server refuses a request, and says after how many seconds to try again.
            if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
                assert int(answer.header("Retry-After")) > 0
                time.sleep(0.2)

    # While the phones ask, the clients run for twelve seconds.
    threads = [threading.Thread(target=run_client, args=(number,)) for number in range(8)]
    with phones.watching():
        for thread in threads:
            thread.start()
        time.sleep(12)
        is_over.set()
    for thread in threads:
        thread.join()

    # The clients got what they asked for, or were refused.
    print(f"\nanswers {dict(statuses)}; {phones.figures()}")
    assert set(statuses) <= {
        HTTPStatus.OK,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE,
    }
    # An answer to a phone took a tenth of a second, or longer where other programs keep the machine
    # busy. The server and its children took 300 MB at most.
    assert statistics.median(phones.seconds) < at_once(0.1)
    assert max(phones.memory) < 300


def test_phones_are_answered_while_others_ask_for_papers(
    server_and_match_page: tuple[Served, str],
) -> None:
    served, url = server_and_match_page
    variants = (
        "classica",
        "samba",
        "bolivia",
        "moderna",
        "canastone",
        "cubana",
        "messicana",
        "uruguaiana",
    )

    def ask_for_paper(client: int, requests_sent: int) -> Answer:
        """Ask for one of four papers, which the server has to make first.

        A client, of the eight, asks for them in turn, and each client begins with another one.
        """
        turn = client + requests_sent
        papers = (
            # The sheet of the match.
            f"{url}/foglio.pdf",
            # A blank score pad: that of one variant for each client.
            f"/regole/{variants[client]}/segnapunti.pdf",
            # A card with the rules of a variant.
            f"/regole/{variants[turn % 8]}/scheda.pdf",
            # The picture of the result.
            f"{url}/risultato.png",
        )
        return owner(served).get(papers[turn % 4])

    # Eight clients do so for twelve seconds. It is checked that four phones, which ask for news of
    # the match, are answered within a tenth of a second.
    attack(served, url, ask_for_paper)


def test_phones_are_answered_while_others_send_files_of_8_mb(
    server_and_match_page: tuple[Served, str],
) -> None:
    # The clients import a file that has been made of an export of the match.
    served, url = server_and_match_page
    exported = owner(served).get(f"{url}/file/partita.json")
    file = file_of_copies(exported.json)
    assert 7_000_000 < len(file) < SIZE

    attack(served, url, lambda _number, _asked: upload(served, file))


def file_of_copies(exported: dict[str, object]) -> bytes:
    """Return a file of 8 MB with the same match over and over.

    The server reads and checks each of them before it refuses the file.
    """
    (match,) = exported["matches"]
    length_of_match = len(json.dumps(match)) + len(", ")
    copies = (SIZE - len(json.dumps(exported))) // length_of_match
    return json.dumps({**exported, "matches": [match] * copies}).encode()
