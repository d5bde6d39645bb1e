"""A full disk, told over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from scorepad.matches import Pad
from scorepad.storage.connection import Unwritable
from tests.api.conftest import Begun, Program

SUM = {"Noi": {"sum": 100}, "Loro": {"sum": 0}}


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write finds the disk full."""

    def no_space(*_: object, **__: object) -> NoReturn:
        raise Unwritable(Path("scorepad.db"), reason="full")

    for name in ("count", "correct", "undo"):
        monkeypatch.setattr(Pad, name, no_space)


def refused(program: Program, method: str, path: str, body: object) -> None:
    told = program.ask(method, path, body, 507)
    assert told["code"] == "disk-full"
    assert told["error"].startswith("The disk of the score pad is full: nothing was saved.")


def test_what_finds_no_room_on_the_disk_is_refused_with_the_reason(
    begun: Begun, request: pytest.FixtureRequest
) -> None:
    begun.count(1, SUM)
    request.getfixturevalue("full")
    refused(begun.writer, "POST", f"{begun.path}/hands", {"number": 2, "sides": SUM})
    refused(begun.writer, "PUT", f"{begun.path}/hands/1", {"entry": 2, "sides": SUM})
    refused(begun.writer, "POST", f"{begun.path}/undo", {"sequence": 2})
    assert begun.looker.ask("GET", begun.path)["hands"]
