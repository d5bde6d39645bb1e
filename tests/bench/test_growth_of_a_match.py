"""The 200th hand of a match against its 10th: saved, and the match read after it. Seconds of the
processor.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import Bench
from tests.bench.rooms import Room, room

HAND: dict[str, Any] = {
    "sides": {
        "Noi": {"melds": ["7xK", "4xA 2", "4x10 2"], "left": ""},
        "Loro": {"melds": ["7xQ", "3xA JK", "4xJ 2"], "left": "9 9"},
    },
    "out": {"side": "Noi"},
}


class Played:
    """A match of so many hands, played over the JSON interface."""

    def __init__(self, ours: Room, hands: int) -> None:
        self.client, self.hands = ours.app.test_client(), 0
        new = {"names": ["Noi", "Loro"], "options": {"target": 500_000}}
        begun = self.client.post("/api/v1/matches", json=new).get_json()
        self.match = begun["match"]["id"]
        self.headers = {"Authorization": f"Bearer {begun['keys']['write']}"}
        while self.hands < hands:
            self.save()

    def save(self) -> None:
        """Save one more hand."""
        self.hands += 1
        path = f"/api/v1/matches/{self.match}/hands"
        answer = self.client.post(path, json={**HAND, "number": self.hands}, headers=self.headers)
        assert answer.status_code == 201, answer.text


@pytest.mark.bench
def test_a_save_does_not_grow_with_the_match(bench: Bench, tmp_path: Path) -> None:
    short, long = Played(room(tmp_path / "short"), 10), Played(room(tmp_path / "long"), 200)
    clocks = (time.thread_time, time.thread_time)
    measured = bench.compare(
        "saving the 200th hand, to the 10th", long.save, short.save, "1.5", times=4, clocks=clocks
    )
    assert measured.ratio < 1.5
