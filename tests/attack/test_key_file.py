"""The key file is lost between two starts."""

from pathlib import Path

import pytest

from scorepad.app import key_path
from tests.attack.served import Browser, Match, serving

pytestmark = pytest.mark.long


def test_phones_are_in_their_match_again_and_the_start_says_what_to_do(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        match = Match.begin(served)
        phones = [Browser(served.port, f"127.0.0.{number}") for number in (2, 3, 4)]
        for phone in phones:
            assert phone.follow(f"/e/{match.key}").status == 200
        stranger = Browser(served.port, "127.0.0.5")
        stranger.follow("/")
        served.stop()
        key_path(served.data).unlink()
        served.start()

        assert phones[0].get(f"{match.page}/stato").status == 200
        assert phones[1].follow(match.page).status == 200
        phones[2].follow("/")
        assert phones[2].follow(match.page).status == 200
        assert stranger.follow(match.page).status == 404
        assert f"mancava la chiave {key_path(served.data)}" in served.said
