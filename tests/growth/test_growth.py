"""The file of very many matches that `python -m tests.growth` measures is one as people make it."""

import re
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.growth.making import EACH, make, phone
from tests.growth.measuring import KEPT, figures


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the matches of three phones."""
    path = tmp_path_factory.mktemp("growth") / "x.db"
    make(path, 3 * EACH)
    return path


def test_its_matches_are_sound(file: Path) -> None:
    pad = Pad(Storage(file))
    matches = pad.summaries(phone(1))
    (in_progress,) = matches.in_progress
    assert len(matches.finished) == EACH - 1

    finished = pad.state(matches.finished[0].id, phone(1))
    assert [side.total for side in finished.sides] == [6 * 880, 6 * 420]
    assert finished.status.finished
    assert len(pad.state(in_progress.id, phone(1)).hands) == 4


def test_all_figures_are_reported(file: Path) -> None:
    told = dict(figures(file, 3 * EACH))
    assert list(told) == [
        "file",
        "start",
        "home page",
        "search",
        "match page",
        "save",
        "a browser with every match, first of all",
        *(f"a browser with every match, {name}" for name in KEPT),
        "backup",
        "save meanwhile",
    ]
    for figure in told.values():
        assert re.search(r"\d (MB|ms|s)\b", figure)
