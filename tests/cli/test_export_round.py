"""What is exported, imported into an empty file and exported again is the same, to the octet."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId
from scorepad.matches.events import EVENTS
from scorepad.storage import Storage
from tests.cli.walks import Clock, walk
from tests.exported import export_file


def go_round(folder: Path, matches: int, seed: int) -> Counter[str]:
    """So many matches played, exported, imported elsewhere, exported again: which kinds of entry
    were among them.
    """
    chance = Random(seed)  # noqa: S311 - the same matches at every run
    with Storage(folder / f"{seed}.db") as there, Storage(folder / f"{seed}-again.db") as here:
        first, second = Pad(there, Clock(chance)), Pad(here)
        for _ in range(matches):
            walk(first, chance, chance.randrange(60))
        every = export_file(first)
        carried = json.loads(every)["matches"]
        assert len(carried) >= matches
        taken = second.imports.take(every, ADMIN)
        assert list(taken.taken) == [match["id"] for match in carried]
        assert export_file(second) == every
        for match in taken.taken:
            _is_the_same(first, second, match)
        return Counter(entry["kind"] for match in carried for entry in match["entries"])


def audited(pad: Pad, match: MatchId) -> list[object]:
    return [
        (each.sequence, each.event, each.before, each.by.number)
        for each in pad.records.audit(match, ADMIN)
    ]


def _is_the_same(first: Pad, second: Pad, match: MatchId) -> None:
    """The match as pages show it, the log as it is told, and by itself in a file."""
    assert second.state(match, ADMIN) == first.state(match, ADMIN)
    assert audited(second, match) == audited(first, match)
    assert export_file(second, match) == export_file(first, match)


@pytest.mark.long
def test_nothing_is_lost_on_the_way_round(tmp_path: Path) -> None:
    kinds = go_round(tmp_path, 30, seed=5)
    assert set(kinds) == set(EVENTS), set(EVENTS) - set(kinds)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_lost_of_a_thousand_matches(tmp_path: Path, seed: int) -> None:
    kinds = go_round(tmp_path, 100, seed=1000 + seed)
    assert set(kinds) == set(EVENTS)
