"""Files of house rules that were made to keep the server busy do not delay others."""

import time
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.attack.load import MOST_MEMORY, Visitor, at_once
from tests.attack.served import Browser, Served, parts_of, serving
from tests.soak.costs.shapes import TOML_LINES, TOML_VALUES

pytestmark = pytest.mark.long

HOUSE_RULES_PAGE = "/nostre-regole/"
# A shape is a function that makes TOML of so many bytes. "dotted key", for example, makes a key with
# very many dots.
SHAPES = TOML_LINES | TOML_VALUES
# A file may have 32 kB. Two shapes are tried with twice as much.
SIZE_OF_FILES = 32 * 1024 - 100
SHAPES_AND_SIZES = [(shape, SIZE_OF_FILES) for shape in SHAPES]
SHAPES_AND_SIZES += [("dotted key", 2 * SIZE_OF_FILES), ("unknown keys", 2 * SIZE_OF_FILES)]


def hostile_file(shape: str, size: int) -> str:
    """Return a file of house rules of this size that begins well, and goes on in a hostile shape."""
    valid_rules = 'id = "casa"\nextends = "classica"\n'
    hostile_part = SHAPES[shape](size - len(valid_rules))
    if shape in TOML_VALUES:
        return f"{valid_rules}zz = {hostile_part}\n"
    return f"{valid_rules}{hostile_part}\n"


@pytest.fixture
def server_with_rules_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Start a server that takes house rules, and keeps them in a folder of its own."""
    monkeypatch.setenv("SCOREPAD_VARIANTS", str(tmp_path / "rules"))
    (tmp_path / "rules").mkdir()
    with serving(tmp_path / "scorepad.db") as served:
        assert served.get(HOUSE_RULES_PAGE).status == HTTPStatus.OK
        yield served


def send_rules_file(served: Served, text: str) -> HTTPConnection:
    """Send a file of house rules from a new device, and return the connection for the answer."""
    browser = Browser(served.port)
    body = parts_of(browser.hidden_fields(HOUSE_RULES_PAGE), text.encode(), "casa.toml")
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"Cookie": cookies, "Content-Type": "multipart/form-data; boundary=b"}
    connection.request("POST", f"{HOUSE_RULES_PAGE}file", body, headers)
    return connection


def get_status_of_file(served: Served, text: str, seconds: float) -> int:
    """Send a file of house rules, and return the status of the answer, which must come in time."""
    sent_at = time.perf_counter()
    with closing(send_rules_file(served, text)) as connection:
        status = connection.getresponse().status
    assert time.perf_counter() - sent_at < at_once(seconds)
    return status


@pytest.mark.parametrize(("shape", "size"), SHAPES_AND_SIZES)
def test_hostile_rules_file_does_not_delay_others(
    server_with_rules_folder: Served, shape: str, size: int
) -> None:
    # While the server examines the file, a visitor asks for a page again and again.
    file = hostile_file(shape, size)
    visitor = Visitor(server_with_rules_folder, pause=0.05)
    with visitor.watching():
        status = get_status_of_file(server_with_rules_folder, file, seconds=3)

    # The file is refused, and each page took a second at most.
    print(f"\n{shape}: {len(file):,} bytes, {status}; {visitor.figures()}")
    assert status in (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < MOST_MEMORY


@pytest.mark.parametrize(
    "shape", ["opening bracket and blanks", "unknown keys", "unknown settings"]
)
def test_rules_files_of_senders_that_left_do_not_delay_others(
    server_with_rules_folder: Served, shape: str
) -> None:
    # The file is as large as it may be: 32 kB. The shape "unknown keys", for example, is a long list
    # of keys that no rules have.
    file = hostile_file(shape, SIZE_OF_FILES)

    # A visitor opens a page again and again, until the block is left.
    visitor = Visitor(server_with_rules_folder, pause=0.05)
    with visitor.watching():
        # Eight clients send the file, and close the connection without waiting for the answer.
        for _ in range(8):
            send_rules_file(server_with_rules_folder, file).close()
        time.sleep(1)

        # Another client sends it too, and waits until those before have been examined.
        status = get_status_of_file(server_with_rules_folder, file, seconds=12)

    # The file is refused, perhaps because the server is busy.
    print(f"\neight times {shape}: the ninth {status}; {visitor.figures()}")
    assert status in (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )

    # The visitor waited a second at most, or longer on a machine that other programs keep busy. The
    # server and its children never took more than 300 MB.
    assert max(visitor.seconds) < at_once()
    assert max(visitor.memory) < 300
