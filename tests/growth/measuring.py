"""What a file of very many matches takes: its size, and how long everything lasts that somebody
waits for.
"""

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from flask.testing import FlaskClient

from scorepad.app import STORAGE, Config, create_app
from scorepad.matches import Pad
from scorepad.storage import Storage
from scorepad.storage.backup import back_up
from scorepad.storage.connection import Busy
from scorepad.web.app_services import EXTENSION
from scorepad.web.cookies import ADMIN_COOKIE, DEVICE_COOKIE
from tests.cookies import admin_cookie, device_cookie
from tests.growth.making import EACH, count, held, phone

TRIED = 20
Figure = tuple[str, str]


def figures(file: Path, matches: int) -> Iterator[Figure]:
    """What was measured, one after the other: what it is, and the figure in words."""
    size = file.stat().st_size
    yield "file", f"{size / 1e6:,.0f} MB, {size / matches / 1e3:.1f} kB a match"
    yield "start", timed(lambda: Storage(file).close(), 3)
    app = create_app(Config(file, b"k" * 32, limited=False))
    pad: Pad = app.extensions[EXTENSION].pad
    storage: Storage = app.extensions[STORAGE]
    last = matches // EACH - 1
    phones = sorted({last * number // TRIED for number in range(TRIED)})
    clients = [client_of(app.test_client(), number) for number in phones]
    yield "home page", timed(each(clients, lambda _: "/"), len(phones))
    yield "search", timed(each(clients, lambda _: "/?cerca=anna"), len(phones))
    first = [next(held(storage, number)) for number in phones]
    yield "match page", timed(each(clients, lambda at: f"/partite/{first[at]}"), len(phones))
    pairs = iter(zip(first, phones, strict=True))

    def save() -> None:
        match, number = next(pairs)
        count(pad, match, phone(number))

    yield "save", timed(save, len(phones))
    yield from kept(file)
    pairs = iter(zip(first, phones, strict=True))
    yield from backed_up(file, save, len(phones))
    storage.close()


def backed_up(file: Path, save: Callable[[], None], saves: int) -> Iterator[Figure]:
    """A backup, and what those wait who save meanwhile: one a second, as long as there are hands to
    count.
    """
    copy, over, waited, busy = file.with_name("copy.db"), threading.Event(), [], []

    def save_on() -> None:
        while len(waited) + len(busy) < saves and not over.wait(1 if waited else 0):
            try:
                waited.append(seconds(save))
            except Busy as error:
                busy.append(error)

    saving = threading.Thread(target=save_on)
    saving.start()
    yield "backup", timed(lambda: back_up(file, copy, datetime.now(UTC)), 1)
    over.set()
    saving.join()
    told = f", {len(busy)} asked to wait and send again" if busy else ""
    yield (
        "save meanwhile",
        f"{lasting(statistics.median(waited))}, at most {lasting(max(waited))}{told}",
    )
    copy.unlink()


def client_of(client: FlaskClient, number: int) -> FlaskClient:
    client.set_cookie(DEVICE_COOKIE, device_cookie(phone(number)))
    return client


def each(clients: list[FlaskClient], url: Callable[[int], str]) -> Callable[[], None]:
    """A page fetched by the next phone each time."""
    turns = iter(range(len(clients)))

    def fetch() -> None:
        at = next(turns)
        answer = clients[at].get(url(at))
        assert answer.status_code == 200
        assert "Noi" in answer.text

    return fetch


KEPT = {
    "home page": ("/", TRIED),
    "matches in progress": ("/in-corso", TRIED),
    "what an open page asks again and again": ("/stato", TRIED),
    "search, a name": ("/?cerca=anna", 2),
    "search, nobody": ("/?cerca=zzz", 1),
    "players": ("/giocatori", 1),
}
"""What a browser with the home privilege waits for, and how often it is asked."""


def kept(file: Path) -> Iterator[Figure]:
    """How long everything lasts for a browser with the home privilege; the first of all stands by
    itself.
    """
    client = create_app(Config(file, b"k" * 32, limited=False)).test_client()
    client.set_cookie(ADMIN_COOKIE, admin_cookie())

    def fetch(url: str) -> Callable[[], None]:
        return lambda: assert_found(client, url)

    yield "a browser with every match, first of all", timed(fetch("/"), 1)
    for name, (url, times) in KEPT.items():
        yield f"a browser with every match, {name}", timed(fetch(url), times)


def assert_found(client: FlaskClient, url: str) -> None:
    assert client.get(url, headers={"Host": "localhost"}).status_code == 200


def timed(work: Callable[[], object], times: int) -> str:
    """How long this takes: the median and the longest."""
    took = [seconds(work) for _ in range(times)]
    middle = f"{lasting(statistics.median(took))}"
    return middle if times == 1 else f"{middle}, at most {lasting(max(took))}"


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def lasting(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
