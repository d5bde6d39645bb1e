"""The key file is lost between two starts."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from scorepad.app import key_path
from tests.attack.served import Match, Phone, serving

pytestmark = pytest.mark.long


def test_phones_are_in_their_match_again_and_the_start_says_what_to_do(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        match = Match.begin(served)
        path = f"/partite/{match.id}"
        phones = [Phone(served, f"127.0.0.{number}") for number in (2, 3, 4)]
        assert [phone.enter(f"/e/{match.key}") for phone in phones] == [200] * 3
        stranger = Phone(served, "127.0.0.5")
        stranger.enter("/")
        served.stop(signal.SIGTERM)
        key_path(served.data).unlink()
        assert served.start()
        polled = phones[0].ask("GET", f"{path}/stato")[0]
        opened = phones[1].enter(path)
        phones[2].enter("/")
        from_home = phones[2].enter(path)
        refused = stranger.enter(path)
        said = served.told
    print(
        f"\nan open page {polled}, the match {opened}, by the first page {from_home}; a stranger {refused}\n{said}"
    )
    assert (polled, opened, from_home, refused) == (200, 200, 200, 404)
    assert f"mancava la chiave {key_path(served.data)}" in said
