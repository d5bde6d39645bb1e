"""Files of matches made to hurt: uploads, logs that grow without end, and exports of everything at
once.
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

MOST_SECONDS_TO_STOP = 10
"""Seconds that the server takes to stop, at most."""


@contextmanager
def others_are_not_delayed(served: Served) -> Iterator[None]:
    """Others are answered at once, and the memory stays within its limit, until the block is left."""
    visitor = Visitor(served)
    with visitor.watching():
        yield
    print(f"\n{visitor.figures()}")
    assert visitor.memory_taken < MOST_MEMORY
    assert max(visitor.seconds) < at_once()


# ---------------------------------------------------------------- files


def make_empty_entries(count: int, matches: int) -> bytes:
    """A file of matches with so many `{}` as entries."""
    entries = ",".join(["{}"] * count)
    match = f'{{"id":"a","started":"x","ruleset":"x","entries":[{entries}]}}'
    head = '{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
    return f"{head}{','.join([match] * matches)}]}}".encode()


def make_empty_rules(size: int) -> str:
    """A file of many rules without content, each under the digest that it should have."""
    rules = [f'"{number:064x}":{{}}' for number in range(size // 72)]
    head = '{"format":"scorepad-matches","version":1,"matches":[],"rulesets":{'
    return f"{head}{','.join(rules)}}}}}"


# ---------------------------------------------------------------- uploads


@pytest.mark.parametrize("matches", [1, 3])
def test_file_of_a_hundred_thousand_empty_entries_is_refused(tmp_path: Path, matches: int) -> None:
    with serving(tmp_path / "scorepad.db") as served:
        upload(served, b"{}")
        with others_are_not_delayed(served):
            answer = upload(served, make_empty_entries(100_000, matches))
    assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY


ROWS_OF_SHAPES = read_data("attack/hostile-files.toml")["files"]
HOSTILE_SHAPES = {name: shape_of(dict(row)) for name, row in ROWS_OF_SHAPES.items()}
HOSTILE_SHAPES["empty rules"] = make_empty_rules
HOSTILE_SHAPES["figures"] = repeat(f"{'9' * 4000},", begin="[", end="9]")


SHAPES_OF_EVERY_RUN = ["empty entries", "lists in lists"]
"""One that is decoded and then refused, one that is too deep to be decoded."""
SHAPES_OF_SOAK = [shape for shape in HOSTILE_SHAPES if shape not in SHAPES_OF_EVERY_RUN]


@pytest.mark.parametrize("shape", [*SHAPES_OF_EVERY_RUN, *in_soak(*SHAPES_OF_SOAK)])
def test_hostile_file_of_8_mb_is_refused_to_eight_clients(tmp_path: Path, shape: str) -> None:
    file = HOSTILE_SHAPES[shape](SIZE - 1000).encode()
    assert len(file) <= SIZE
    with serving(tmp_path / "scorepad.db") as served:
        upload(served, b"{}")
        with others_are_not_delayed(served):
            statuses = run_at_once(lambda _: upload(served, file))
    print(f"{shape}, {len(file) / 1e6:.1f} MB eight times: {dict(statuses)}")
    assert set(statuses) <= {
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.SERVICE_UNAVAILABLE,
    }


def test_exported_file_of_almost_8_mb_is_imported(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    long_match(data, hands=40)
    with Storage(data) as storage:
        file = copies_of_match(Pad(storage))
    with serving(data) as served:
        upload(served, b"{}")
        with others_are_not_delayed(served):
            answer = upload(served, file)
    assert answer.status == HTTPStatus.SEE_OTHER, answer.text


# ---------------------------------------------------------------- a log without end

CORRECTIONS_TRIED = 50
ADJUSTMENTS = 60
"""As many as a side may have."""


def test_match_with_many_large_corrections_is_read_by_eight_clients(
    tmp_path: Path,
) -> None:
    statuses_of_corrections: Counter[int] = Counter()
    with serving(tmp_path / "scorepad.db") as served:
        match = Match.begin(served)
        match.save()
        with others_are_not_delayed(served):
            for number in range(CORRECTIONS_TRIED):
                answer = correct_first_hand(match, number)
                statuses_of_corrections[answer.status] += 1
        with others_are_not_delayed(served):
            statuses_of_readers = run_at_once(lambda _: match.ask("GET"))
        size = served.data.stat().st_size
        print(f"{dict(statuses_of_corrections)}; the file has {size / 1e6:.1f} MB")
    until_the_log_is_full = {HTTPStatus.OK, HTTPStatus.CONFLICT}
    assert statuses_of_corrections.keys() == until_the_log_is_full
    assert statuses_of_readers == {HTTPStatus.OK: CLIENTS}


def correct_first_hand(match: Match, number: int) -> Answer:
    """Correct the first hand with as many adjustments, and as long ones, as a hand may have."""
    (hand,) = match.ask("GET").json["hands"]
    adjustments = []
    for position in range(ADJUSTMENTS):
        points = 5 + 5 * ((number + position) % 2)  # others than in the correction before
        adjustments.append({"points": points, "reason": "x" * 300})
    side = {"sum": 300, "adjustments": adjustments}
    body = {"sides": {"Noi": side, "Loro": side}, "note": "x", "entry": hand["entry"]}
    return match.ask("PUT", "/hands/1", body)


# ---------------------------------------------------------------- exports


@pytest.fixture(scope="module")
def file_of_a_thousand_matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data file into which twelve files of almost 8 MB were imported, all of one device."""
    data = tmp_path_factory.mktemp("file_of_a_thousand_matches") / "scorepad.db"
    fill(data, files=12)
    return data


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_export_of_everything_for_one_and_for_eight_clients(
    file_of_a_thousand_matches: Path, path: str
) -> None:
    with serving(file_of_a_thousand_matches) as served:
        owner(served).get("/")
        with others_are_not_delayed(served):
            assert owner(served).get(path).status == HTTPStatus.OK
        with others_are_not_delayed(served):
            statuses = run_at_once(lambda _: owner(served).get(path))
    assert set(statuses) <= {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}


def request_without_reading(served: Served, path: str) -> socket.socket:
    """A connection on which a page of the owner has been asked for."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    connection.sendall(request_for(path))
    return connection


def test_slow_readers_of_an_export_do_not_delay_other_exports(
    file_of_a_thousand_matches: Path,
) -> None:
    with serving(file_of_a_thousand_matches) as served, ExitStack() as stack:
        visitor = Visitor(served)
        with visitor.watching():
            for _ in range(3):
                reader = stack.enter_context(request_without_reading(served, "/file/partite.json"))
                assert reader.recv(100)
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
        for _ in range(3):
            stack.enter_context(request_without_reading(served, path))
        time.sleep(0.5)
        stopped_at = time.monotonic()
        served.process.terminate()
        served.process.wait(timeout=60)
        seconds_to_stop = time.monotonic() - stopped_at
    print(f"\nstop during three of {path}: {seconds_to_stop:.1f} s")
    assert seconds_to_stop < at_once(MOST_SECONDS_TO_STOP + 1)


@pytest.mark.parametrize("path", ["/", "/in-corso", "/giocatori", "/giocatori/x", "/file"])
def test_pages_of_device_with_a_thousand_matches_do_not_delay_others(
    file_of_a_thousand_matches: Path, path: str
) -> None:
    with serving(file_of_a_thousand_matches) as served:
        served.get("/salute")
        with others_are_not_delayed(served):
            statuses = run_at_once(lambda _: owner(served).get(path))
    assert set(statuses) <= {
        HTTPStatus.OK,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.SERVICE_UNAVAILABLE,
    }
