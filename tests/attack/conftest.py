"""Files of matches, as large as they are taken in."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.file_format import encode
from scorepad.storage import Storage
from tests.attack.load import long_match
from tests.exported import export_file
from tests.web.playing import DEVICE

SIZE = 8 * 2**20 - 10_000
"""Bytes of the largest upload, with some room for the other parts of the form."""
Json = dict[str, Any]


def exported(folder: Path) -> Json:
    """The export of a match of 40 hands, which stands in the data file of this folder."""
    long_match(folder / "scorepad.db", hands=40)
    with Storage(folder / "scorepad.db") as storage:
        told: Json = json.loads(export_file(Pad(storage)))
    return told


def many_matches(told: Json, size: int) -> bytes:
    """A file of copies of a match, each with an id and requests of its own, of just less than so
    many bytes.
    """
    (match,) = told["matches"]
    each = len(json.dumps(match, separators=(",", ":")))
    copies = []
    for _ in range((size - 60_000) // (each + 200)):
        name = "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(10))
        entries = [{**entry, "request": secrets.token_hex(16)} for entry in match["entries"]]
        copies.append({**match, "id": name, "entries": entries, "open_hand": None})
    return encode(told["rulesets"], copies)


@pytest.fixture(scope="session")
def filled_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data file into which twelve files of almost 8 MB were imported, all of one
    device.
    """
    folder = tmp_path_factory.mktemp("filled")
    told = exported(folder)
    with Storage(folder / "scorepad.db") as storage:
        for _ in range(12):
            Pad(storage).imports.import_file(many_matches(told, SIZE), DEVICE)
    return folder
