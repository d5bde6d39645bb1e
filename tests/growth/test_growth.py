"""`python -m tests.growth` measures a file of very many matches: it is one as people make it."""

import re
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.growth.making import EACH, make, phone
from tests.growth.measuring import KEPT, figures


@pytest.fixture(scope="module")
def file_of_three_phones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data file with as many matches as three phones have, made as `python -m tests.growth` does."""
    path = tmp_path_factory.mktemp("growth") / "x.db"
    make(path, 3 * EACH)
    return path


def test_each_phone_has_one_match_in_progress(file_of_three_phones: Path) -> None:
    pad = Pad(Storage(file_of_three_phones))
    matches = pad.summaries(phone(1))

    (in_progress,) = matches.in_progress
    assert len(pad.state(in_progress.id, phone(1)).hands) == 4
    assert len(matches.finished) == EACH - 1


def test_finished_match_of_the_file_was_won(file_of_three_phones: Path) -> None:
    pad = Pad(Storage(file_of_three_phones))
    finished = pad.summaries(phone(1)).finished[0]

    state = pad.state(finished.id, phone(1))

    assert state.status.finished
    first_side, second_side = state.sides
    assert first_side.total == 6 * 880  # past the target of 5000
    assert second_side.total == 6 * 420


def test_every_figure_is_measured(file_of_three_phones: Path) -> None:
    """Each with its unit: `12.3 ms`."""
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
