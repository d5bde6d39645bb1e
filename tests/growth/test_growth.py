"""`python -m tests.growth` measures a file of very many matches: it is one as people make it."""

import re
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.growth.making import EACH, make, phone
from tests.growth.measuring import figures


@pytest.fixture(scope="module")
def file_of_three_phones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data file as `python -m tests.growth` does, with the matches of three phones."""
    path = tmp_path_factory.mktemp("growth") / "x.db"
    make(path, 3 * EACH)
    return path


def test_each_phone_has_one_match_in_progress(file_of_three_phones: Path) -> None:
    pad = Pad(Storage(file_of_three_phones))

    matches = pad.summaries(phone(1))

    # Of the 25 matches of a phone 24 are finished. The other one has four hands.
    (in_progress,) = matches.in_progress
    assert len(pad.state(in_progress.id, phone(1)).hands) == 4
    assert len(matches.finished) == EACH - 1


def test_finished_match_of_the_file_was_won(file_of_three_phones: Path) -> None:
    pad = Pad(Storage(file_of_three_phones))
    finished = pad.summaries(phone(1)).finished[0]

    state = pad.state(finished.id, phone(1))

    assert state.status.finished
    first_side, second_side = state.sides
    # Six equal hands take the first side past the target of 5000. In each:
    assert first_side.total == 6 * 880  # canastas of 500 and 300 + 210 for cards - 130 left in hand
    assert second_side.total == 6 * 420  # a canasta of 300 + 180 for cards - 60 left in hand


def test_every_figure_is_measured(file_of_three_phones: Path) -> None:
    # The size of a file of 75 matches, and the times that people wait for something are measured.
    figures_by_name = dict(figures(file_of_three_phones, matches=75))
    assert list(figures_by_name) == [
        "file",
        "start",
        "home page",
        "search",
        "match page",
        "save",
        "a browser with every match, first of all",
        "a browser with every match, home page",
        "a browser with every match, matches in progress",
        "a browser with every match, what an open page asks again and again",
        "a browser with every match, search, a name",
        "a browser with every match, search, nobody",
        "a browser with every match, players",
        "backup",
        "save meanwhile",
    ]

    # Each figure has its unit, as in "12.3 ms".
    for figure in figures_by_name.values():
        assert re.search(r"\d (MB|ms|s)\b", figure)
