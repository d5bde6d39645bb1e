"""Files of matches made to hurt: uploads, and exports of everything at once."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.attack.conftest import SIZE, Json, exported, many_matches
from tests.attack.load import (
    OWNER,
    Visitor,
    serving,
    statuses_of,
)

pytestmark = pytest.mark.long


# ---------------------------------------------------------------- uploads

MATCHES = b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":['
EMPTY = b'{"id":"a","started":"x","ruleset":"x","entries":['


def filled(head: bytes, part: bytes, end: bytes) -> bytes:
    """A file with as many of these parts as it may have."""
    room = SIZE - len(head) - len(end)
    return head + b",".join([part] * (room // (len(part) + 1))) + end


def unlike(head: bytes, part: bytes, end: bytes, count: int) -> bytes:
    """A file with so many parts, each with its number in it."""
    return head + b",".join(part % number for number in range(count)) + end


def read_and_refused(told: Json) -> bytes:
    """The same match over and over: each is read and tried before the file is refused."""
    return filled(MATCHES, json.dumps(told["matches"][0]).encode(), b"]}")


RULES = MATCHES.replace(b'"rulesets":{},"matches":[', b'"matches":[],"rulesets":{')
HOSTILE: dict[str, Callable[[Json], bytes]] = {
    "empty entries": lambda _: filled(MATCHES + EMPTY, b"{}", b"]}]}"),
    "empty matches": lambda _: filled(MATCHES, b"{}", b"]}"),
    "unknown keys": lambda _: unlike(MATCHES + b"{", b'"%x":1', b"}]}", 700_000),
    "empty rules": lambda _: unlike(RULES, b'"%064x":{}', b"}}", 110_000),
    "nesting": lambda _: b'{"format":"scorepad-matches","rulesets":' + b'{"a":' * (SIZE // 6),
    "lists in lists": lambda _: MATCHES + b"[" * (SIZE - 100),
    "a list of lists": lambda _: filled(MATCHES, b"[[[[]]]]", b"]}"),
    "figures": lambda _: filled(b"[", b"9" * 4000, b"]"),
    "matches": read_and_refused,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_eight_clients_that_send_the_same_8_mb_keep_nobody_waiting(
    tmp_path: Path, shape: str
) -> None:
    file = HOSTILE[shape](exported(tmp_path))
    assert len(file) <= SIZE
    with serving(tmp_path) as served:
        served.upload(b"{}")
        visitor = Visitor(served)
        with visitor.watching():
            told = statuses_of(lambda _: served.upload(file).status)
    visitor.was_not_disturbed(f"{shape}, {len(file) / 1e6:.1f} MB eight times: {dict(told)}")
    assert set(told) <= {413, 422, 503}


def test_a_file_of_almost_8_mb_that_was_exported_is_imported(tmp_path: Path) -> None:
    file = many_matches(exported(tmp_path), SIZE)
    with serving(tmp_path) as served:
        served.upload(b"{}")
        visitor = Visitor(served)
        with visitor.watching():
            answer = served.upload(file)
    visitor.was_not_disturbed(f"an import of {len(file) / 1e6:.1f} MB")
    assert answer.status == 303, answer.body


# ---------------------------------------------------------------- exports


@pytest.mark.parametrize("path", ["/file/partite.json", "/file/righe.csv"])
def test_everything_in_one_file_and_eight_times_at_once(filled_up: Path, path: str) -> None:
    with serving(filled_up) as served:
        served.get("/", OWNER)
        visitor = Visitor(served)
        with visitor.watching():
            alone = served.get(path, OWNER, timeout=120)
            told = statuses_of(lambda _: served.get(path, OWNER, timeout=120).status)
    visitor.was_not_disturbed(f"{path}, {len(alone.body) / 1e6:.0f} MB: {dict(told)}")
    assert alone.status == 200
    assert set(told) <= {200, 503}


def test_readers_that_fetch_everything_slowly_keep_no_other_export_waiting(
    filled_up: Path,
) -> None:
    asked = (
        f"GET /file/partite.json HTTP/1.1\r\nHost: localhost\r\nCookie: {OWNER['Cookie']}\r\n\r\n"
    )
    with serving(filled_up) as served, ExitStack() as stack:
        visitor = Visitor(served)
        with visitor.watching():
            for _ in range(3):
                place = ("127.0.0.1", served.port)
                reader = stack.enter_context(socket.create_connection(place, timeout=60))
                reader.sendall(asked.encode())
                assert reader.recv(100)
            match = served.get("/file/partite.json", OWNER, timeout=60).json["matches"][0]["id"]
            one = served.get(f"/partite/{match}/file/partita.json", OWNER)
    visitor.was_not_disturbed("three slow readers", limit=20)
    assert one.status == 200
