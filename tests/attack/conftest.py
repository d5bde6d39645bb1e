"""A data file with as many matches as one device has after years."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.attack.load import SIZE, long_match, many_matches
from tests.exported import export_file
from tests.web.playing import DEVICE

IMPORTS = 12


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data file into which twelve files of almost 8 MB were imported, all of one
    device.
    """
    folder = tmp_path_factory.mktemp("filled")
    long_match(folder / "scorepad.db", hands=40)
    with Storage(folder / "scorepad.db") as storage:
        pad = Pad(storage)
        told = json.loads(export_file(pad))
        for _ in range(IMPORTS):
            pad.imports.import_file(many_matches(told, SIZE), DEVICE)
    return folder
