"""A match in the data file `x.db` of a test's own folder."""

from pathlib import Path

import pytest

from tests.cli.running import begin_match
from tests.matches.conftest import Table, hand_of_430_and_60


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A match of two hands: 430 and 60 each."""
    table = begin_match(tmp_path)
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    return table
