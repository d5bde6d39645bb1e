"""The file of very many matches that `python -m tests.growth` measures is one as people make it."""

from __future__ import annotations

import re
from pathlib import Path

from scorepad.matches import Pad
from scorepad.storage import Storage
from tests.growth.making import EACH, make, phone
from tests.growth.measuring import KEPT, figures


def test_its_matches_are_sound_and_all_figures_are_told(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    make(file, 3 * EACH)
    pad = Pad(Storage(file))
    found = pad.summaries(phone(1))
    assert (len(found.in_progress), len(found.finished)) == (1, EACH - 1)
    state = pad.state(found.finished[0].id, phone(1))
    assert [side.total for side in state.sides] == [6 * 880, 6 * 420]
    assert state.status.finished
    assert len(pad.state(found.in_progress[0].id, phone(1)).hands) == 4
    told = dict(figures(file, 3 * EACH))
    assert list(told) == [
        "file", "start", "home page", "search", "match page", "save", "a browser with every match, first of all",
        *(f"a browser with every match, {name}" for name in KEPT), "backup", "save meanwhile",
    ]  # fmt: skip
    assert all(re.search(r"\d (MB|ms|s)\b", figure) for figure in told.values()), told
