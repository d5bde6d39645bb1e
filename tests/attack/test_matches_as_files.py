"""Files of matches made to hurt: uploads, logs that grow without end, and exports of everything at
once.
"""

import re
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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

STOP = 10
"""Seconds that the server takes to stop, at most."""


@contextmanager
def nobody_waits(served: Served) -> Iterator[None]:
    """Others are answered at once, and the memory stays within its limit, until the block is left."""
    visitor = Visitor(served)
    with visitor.watching():
        yield
    print(f"\n{visitor.figures()}")
    assert visitor.memory_taken < MOST_MEMORY
    assert max(visitor.seconds) < at_once()


# ---------------------------------------------------------------- files


def empty_entries(count: int, matches: int) -> bytes:
    """A file of matches with so many `{}` as entries."""
    entries = ",".join(["{}"] * count)
    match = f'{{"id":"a","started":"x","ruleset":"x","entries":[{entries}]}}'
    head = '{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
    return f"{head}{','.join([match] * matches)}]}}".encode()


def empty_rules(size: int) -> str:
    """A file of many rules without content, each under the digest that it should have."""
    rules = [f'"{number:064x}":{{}}' for number in range(size // 72)]
    head = '{"format":"scorepad-matches","version":1,"matches":[],"rulesets":{'
    return f"{head}{','.join(rules)}}}}}"


# ---------------------------------------------------------------- uploads


@pytest.mark.parametrize("matches", [1, 3])
def test_matches_of_a_hundred_thousand_empty_entries_are_refused(
    tmp_path: Path, matches: int
) -> None:
    with serving(tmp_path / "scorepad.db") as served:
        upload(served, b"{}")
        with nobody_waits(served):
            answer = upload(served, empty_entries(100_000, matches))
    assert answer.status == 422


SHAPES = read_data("attack/hostile-files.toml")["files"]
HOSTILE = {name: shape_of(dict(row)) for name, row in SHAPES.items()}
HOSTILE["empty rules"] = empty_rules
HOSTILE["figures"] = repeat(f"{'9' * 4000},", begin="[", end="9]")


IN_EVERY_RUN = ("empty entries", "lists in lists")
"""Two of the shapes: one that is decoded and then refused, one that is too deep to be decoded."""


@pytest.mark.parametrize(
    "shape", [*IN_EVERY_RUN, *in_soak(*(shape for shape in HOSTILE if shape not in IN_EVERY_RUN))]
)
def test_the_same_8_mb_from_eight_clients_are_refused(tmp_path: Path, shape: str) -> None:
    file = HOSTILE[shape](SIZE - 1000).encode()
    assert len(file) <= SIZE
    with serving(tmp_path / "scorepad.db") as served:
        upload(served, b"{}")
        with nobody_waits(served):
            statuses = run_at_once(lambda _: upload(served, file))
    print(f"{shape}, {len(file) / 1e6:.1f} MB eight times: {dict(statuses)}")
    assert set(statuses) <= {413, 422, 503}


def test_a_file_of_almost_8_mb_that_was_exported_is_imported(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    long_match(data, hands=40)
    with Storage(data) as storage:
        file = copies_of_match(Pad(storage))
    with serving(data) as served:
        upload(served, b"{}")
        with nobody_waits(served):
            answer = upload(served, file)
    assert answer.status == 303, answer.text


# ---------------------------------------------------------------- a log without end

CORRECTIONS = 50
ADJUSTMENTS = 60
"""As many as a side may have."""


def test_a_hand_corrected_over_and_over_with_all_that_fits_is_read_by_eight(
    tmp_path: Path,
) -> None:
    corrected: Counter[int] = Counter()
    with serving(tmp_path / "scorepad.db") as served:
        match = Match.begin(served)
        match.save()
        with nobody_waits(served):
            for number in range(CORRECTIONS):
                corrected[correct(match, number).status] += 1
        with nobody_waits(served):
            read = run_at_once(lambda _: match.ask("GET"))
        print(f"{dict(corrected)}; the file has {served.data.stat().st_size / 1e6:.1f} MB")
    assert corrected.keys() == {200, 409}, "the log ends at its limit"
    assert read == {200: CLIENTS}


def correct(match: Match, number: int) -> Answer:
    """Correct the first hand with as many adjustments, and as long ones, as a hand may have."""
    (hand,) = match.ask("GET").json["hands"]
    adjustments = []
    for each in range(ADJUSTMENTS):
        adjustments.append({"points": 5 + 5 * ((number + each) % 2), "reason": "x" * 300})
    side = {"sum": 300, "adjustments": adjustments}
    body = {"sides": {"Noi": side, "Loro": side}, "note": "x", "entry": hand["entry"]}
    return match.ask("PUT", "/hands/1", body)


# ---------------------------------------------------------------- exports


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data file into which twelve files of almost 8 MB were imported, all of one device."""
    data = tmp_path_factory.mktemp("filled") / "scorepad.db"
    fill(data, files=12)
    return data


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_everything_in_one_file_is_sent_alone_and_eight_times_at_once(
    filled: Path, path: str
) -> None:
    with serving(filled) as served:
        owner(served).get("/")
        with nobody_waits(served):
            assert owner(served).get(path).status == 200
        with nobody_waits(served):
            statuses = run_at_once(lambda _: owner(served).get(path))
    assert set(statuses) <= {200, 503}


def asked_for(served: Served, path: str) -> socket.socket:
    """A connection on which a page of the owner has been asked for."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    connection.sendall(request_for(path))
    return connection


def test_readers_that_fetch_everything_slowly_keep_no_other_export_waiting(filled: Path) -> None:
    with serving(filled) as served, ExitStack() as stack:
        visitor = Visitor(served)
        with visitor.watching():
            for _ in range(3):
                reader = stack.enter_context(asked_for(served, "/file/partite.json"))
                assert reader.recv(100)
            everything = owner(served).get("/file/partite.json").text
            found = re.search(r'"matches":\[\n\{"id":"(\w+)"', everything)
            assert found
            assert owner(served).get(f"/partite/{found[1]}/file/partita.json").status == 200
    assert visitor.memory_taken < MOST_MEMORY


@pytest.mark.parametrize("path", ["/file/partite.json", *in_soak("/file/righe.csv")])
def test_the_server_stops_within_ten_seconds_during_three_exports(filled: Path, path: str) -> None:
    with serving(filled) as served, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(asked_for(served, path))
        time.sleep(0.5)
        began = time.monotonic()
        served.process.terminate()
        served.process.wait(timeout=60)
        took = time.monotonic() - began
    print(f"\nstop during three of {path}: {took:.1f} s")
    assert took < at_once(STOP + 1)


@pytest.mark.parametrize("path", ["/", "/in-corso", "/giocatori", "/giocatori/x", "/file"])
def test_pages_of_a_device_with_a_thousand_matches_keep_nobody_waiting(
    filled: Path, path: str
) -> None:
    with serving(filled) as served:
        served.get("/salute")
        with nobody_waits(served):
            statuses = run_at_once(lambda _: owner(served).get(path))
    assert set(statuses) <= {200, 404, 503}
