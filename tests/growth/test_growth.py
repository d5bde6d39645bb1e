"""The file_of_three_phones of very many matches that `python -m tests.growth` measures is one as people make it."""

import re
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.growth.making import EACH, make, phone
from tests.growth.measuring import KEPT, figures


@pytest.fixture(scope="module")
def file_of_three_phones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file_of_three_phones with the matches of three phones."""
    path = tmp_path_factory.mktemp("growth") / "x.db"
    make(path, 3 * EACH)
    return path


def test_matches_of_the_file_are_valid(file_of_three_phones: Path) -> None:
    pad = Pad(Storage(file_of_three_phones))
    matches = pad.summaries(phone(1))
    (in_progress,) = matches.in_progress
    assert len(pad.state(in_progress.id, phone(1)).hands) == 4
    assert len(matches.finished) == EACH - 1

    finished = pad.state(matches.finished[0].id, phone(1))
    assert finished.status.finished
    noi, loro = finished.sides
    assert noi.total == 5280  # six hands of 880
    assert loro.total == 2520  # six hands of 420


def test_every_figure_is_measured(file_of_three_phones: Path) -> None:
    figures_by_name = dict(figures(file_of_three_phones, 3 * EACH))
    assert list(figures_by_name) == [
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
    for figure in figures_by_name.values():
        assert re.search(r"\d (MB|ms|s)\b", figure)
