"""Matches as files, used to harm the server: hostile uploads, a log that grows and grows, and exports
of everything by many clients at once.
"""

import re
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.attack.load import (
    CLIENTS,
    MOST_MEMORY,
    SIZE,
    Visitor,
    at_once,
    copies_of_match,
    fill,
    long_match,
    owner,
    request_for,
    run_at_once,
    upload,
)
from tests.attack.served import Answer, Match, Served, serving
from tests.data import read_data
from tests.examples import in_soak
from tests.soak.costs.shapes import repeat, shape_of

pytestmark = pytest.mark.long


@contextmanager
def others_are_not_delayed(served: Served) -> Iterator[None]:
    """Check that while the block runs a visitor is answered within a second, and the server takes no
    more memory than it may.
    """
    visitor = Visitor(served)
    with visitor.watching():
        yield
    print(f"\n{visitor.figures()}")
    assert visitor.memory_taken < MOST_MEMORY
    assert max(visitor.seconds) < at_once()


# ---------------------------------------------------------------- files


def make_empty_entries(count: int, matches: int) -> bytes:
    """Return a file of matches each of which has so many entries in its log, all of them `{}`."""
    entries = ",".join(["{}"] * count)
    match = f'{{"id":"a","started":"x","ruleset":"x","entries":[{entries}]}}'
    head = '{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
    return f"{head}{','.join([match] * matches)}]}}".encode()


def make_empty_rules(size: int) -> str:
    """Return a file of matches without a match, but with many rules that are empty.

    A file has the rules of its matches by their digests, which are 64 hexadecimal digits.
    """
    # With its comma a rule takes 70 bytes. Two more for each leave room for the head.
    rules = [f'"{number:064x}":{{}}' for number in range(size // 72)]

    head = '{"format":"scorepad-matches","version":1,"matches":[],"rulesets":{'
    return head + ",".join(rules) + "}}"


# ---------------------------------------------------------------- uploads


# The file has one match with 100,000 entries, or three.
@pytest.mark.parametrize("matches", [1, 3])
def test_file_of_a_hundred_thousand_empty_entries_is_refused(tmp_path: Path, matches: int) -> None:
    with serving(tmp_path / "scorepad.db") as served:
        # The first upload loads what the server needs for all of them.
        upload(served, b"{}")

        # An entry of a match's log is empty: {}. While the server reads the file, a visitor is
        # answered within a second, and the server takes 300 MB more at most.
        with others_are_not_delayed(served):
            answer = upload(served, make_empty_entries(100_000, matches))

    assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY


ROWS_OF_SHAPES = read_data("attack/hostile-files.toml")["files"]
HOSTILE_SHAPES = {name: shape_of(dict(row)) for name, row in ROWS_OF_SHAPES.items()}
HOSTILE_SHAPES["empty rules"] = make_empty_rules
HOSTILE_SHAPES["figures"] = repeat(f"{'9' * 4000},", begin="[", end="9]")
"""Functions that make JSON of so many bytes by their names. "lists in lists", for example, is a long
row of opening brackets.
"""


SHAPES_OF_EVERY_RUN = ["empty entries", "lists in lists"]
"""The first can be decoded and is then refused, the second is too deep to be decoded."""
SHAPES_OF_SOAK = [shape for shape in HOSTILE_SHAPES if shape not in SHAPES_OF_EVERY_RUN]


# Most shapes are only tried in long runs, marked "soak".
@pytest.mark.parametrize("shape", [*SHAPES_OF_EVERY_RUN, *in_soak(*SHAPES_OF_SOAK)])
def test_hostile_file_of_8_mb_is_refused_to_eight_clients(tmp_path: Path, shape: str) -> None:
    # A shape is a function that makes a hostile file of about so many bytes, such as one of opening
    # brackets only. It may become a bit longer than is asked for, but is nearly 8 MB.
    make_file = HOSTILE_SHAPES[shape]
    file = make_file(SIZE - 1000).encode()
    assert len(file) <= SIZE

    with serving(tmp_path / "scorepad.db") as served:
        # The first upload loads what the server needs for all of them.
        upload(served, b"{}")

        # Eight clients send the file at the same time. A visitor is answered within a second
        # meanwhile, and the server takes 300 MB more at most.
        with others_are_not_delayed(served):
            statuses = run_at_once(lambda _client: upload(served, file))

    # The file is refused, or the server is too busy for it.
    print(f"{shape}, {len(file) / 1e6:.1f} MB eight times: {dict(statuses)}")
    assert set(statuses) <= {
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE,
    }


def test_exported_file_of_almost_8_mb_is_imported(tmp_path: Path) -> None:
    # A file that is as large as it may be, but not hostile, has copies of a match of forty hands.
    data = tmp_path / "scorepad.db"
    long_match(data, hands=40)
    with Storage(data) as storage:
        file = copies_of_match(Pad(storage))

    with serving(data) as served:
        upload(served, b"{}")
        with others_are_not_delayed(served):
            answer = upload(served, file)

    # The page of what was imported comes next.
    assert answer.status == HTTPStatus.SEE_OTHER, answer.text


# ---------------------------------------------------------------- a log without end


def test_match_with_many_large_corrections_is_read_by_eight_clients(
    tmp_path: Path,
) -> None:
    statuses_of_corrections: Counter[int] = Counter()
    with serving(tmp_path / "scorepad.db") as served:
        # A program corrects the only hand of a match fifty times. Each correction stays in the log.
        match = Match.begin(served)
        match.save()
        with others_are_not_delayed(served):
            for number in range(50):
                answer = correct_first_hand(match, number)
                statuses_of_corrections[answer.status] += 1

        # Eight clients read this match at the same time.
        with others_are_not_delayed(served):
            statuses_of_readers = run_at_once(lambda _: match.ask("GET"))
        size = served.data.stat().st_size
        print(f"{dict(statuses_of_corrections)}; the file has {size / 1e6:.1f} MB")

    # Corrections are taken until the log is full, and then refused.
    assert statuses_of_corrections.keys() == {HTTPStatus.OK, HTTPStatus.CONFLICT}
    assert statuses_of_readers == {HTTPStatus.OK: CLIENTS}


def correct_first_hand(match: Match, number: int) -> Answer:
    """Correct the only hand so that the correction takes as much room as it may."""
    # Corrections take turns in their points, so that each changes something: 5, 10, 5, 10 and so on
    # in one, and 10, 5, 10, 5 in the next.
    points = [5, 10]
    if number % 2 == 1:
        points = [10, 5]

    # A side may have sixty adjustments, each with a reason of 300 letters.
    reason = "x" * 300
    adjustments = [{"points": each, "reason": reason} for each in points * 30]
    side = {"sum": 300, "adjustments": adjustments}

    # A correction names the entry of the log that it replaces.
    (hand,) = match.ask("GET").json["hands"]
    body = {"sides": {"Noi": side, "Loro": side}, "note": "x", "entry": hand["entry"]}
    return match.ask("PUT", "/hands/1", body)


# ---------------------------------------------------------------- exports


@pytest.fixture(scope="module")
def file_of_a_thousand_matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data file into which one device imported twelve files of almost 8 MB."""
    data = tmp_path_factory.mktemp("file_of_a_thousand_matches") / "scorepad.db"
    fill(data, files=12)
    return data


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_export_of_everything_for_one_and_for_eight_clients(
    file_of_a_thousand_matches: Path, path: str
) -> None:
    with serving(file_of_a_thousand_matches) as served:
        owner(served).get("/")

        # One client exports all matches as a file, or all hands as rows.
        with others_are_not_delayed(served):
            assert owner(served).get(path).status == HTTPStatus.OK

        # Eight do so at the same time. Some are told to try again later.
        with others_are_not_delayed(served):
            statuses = run_at_once(lambda _: owner(served).get(path))

    assert set(statuses) <= {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}


def request_without_reading(served: Served, path: str) -> socket.socket:
    """Ask for a page of the owner, and return the connection, from which nothing is read."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    connection.sendall(request_for(path))
    return connection


def test_slow_readers_of_an_export_do_not_delay_other_exports(
    file_of_a_thousand_matches: Path,
) -> None:
    with serving(file_of_a_thousand_matches) as served, ExitStack() as stack:
        visitor = Visitor(served)
        with visitor.watching():
            # Three clients ask for an export of everything, and read only its first bytes.
            for _ in range(3):
                reader = stack.enter_context(request_without_reading(served, "/file/partite.json"))
                assert reader.recv(100)

            # Another client still gets the export of everything, and that of one match.
            everything = owner(served).get("/file/partite.json").text
            first_match = re.search(r'"matches":\[\n\{"id":"(\w+)"', everything)
            assert first_match
            export = owner(served).get(f"/partite/{first_match[1]}/file/partita.json")
            assert export.status == HTTPStatus.OK

    assert visitor.memory_taken < MOST_MEMORY


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_server_stops_within_ten_seconds_during_exports(
    file_of_a_thousand_matches: Path, path: str
) -> None:
    with serving(file_of_a_thousand_matches) as served, ExitStack() as stack:
        # Three clients have asked for an export of everything, and do not read it.
        for _ in range(3):
            stack.enter_context(request_without_reading(served, path))
        time.sleep(0.5)

        stopped_at = time.monotonic()
        served.process.terminate()
        served.process.wait(timeout=60)
        seconds_to_stop = time.monotonic() - stopped_at

    # Ten seconds, and one for the end of the process itself.
    print(f"\nstop during three of {path}: {seconds_to_stop:.1f} s")
    assert seconds_to_stop < at_once(10 + 1)


@pytest.mark.parametrize("path", ["/", "/in-corso", "/giocatori", "/giocatori/x", "/file"])
def test_pages_of_device_with_a_thousand_matches_do_not_delay_others(
    file_of_a_thousand_matches: Path, path: str
) -> None:
    with serving(file_of_a_thousand_matches) as served:
        served.get("/salute")

        # Eight clients open the same page of the device that owns all matches.
        with others_are_not_delayed(served):
            statuses = run_at_once(lambda _: owner(served).get(path))

    assert set(statuses) <= {
        HTTPStatus.OK,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.SERVICE_UNAVAILABLE,
    }
