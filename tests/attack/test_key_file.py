"""The key file, by which the server signs cookies, is lost between two starts."""

from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.app import key_path
from tests.attack.served import Browser, Match, serving

pytestmark = pytest.mark.long


def test_phones_keep_their_match_after_the_key_file_is_lost(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        # Three phones are in a match, and a stranger has only been at the home page.
        match = Match.begin(served)
        with_open_page = Browser(served.port, "127.0.0.2")
        with_bookmark = Browser(served.port, "127.0.0.3")
        from_home_page = Browser(served.port, "127.0.0.4")
        for phone in (with_open_page, with_bookmark, from_home_page):
            assert phone.follow(f"/e/{match.key}").status == HTTPStatus.OK
        stranger = Browser(served.port, "127.0.0.5")
        stranger.follow("/")

        # The server is started again without its key file, and makes another key. The signatures
        # of all cookies are now wrong.
        served.stop()
        key_path(served.data).unlink()
        served.start()

        # Each phone is still let in: one whose open page polls, one that opens the page of the
        # match, and one that comes to it from the home page.
        assert with_open_page.get(f"{match.page}/stato").status == HTTPStatus.OK
        assert with_bookmark.follow(match.page).status == HTTPStatus.OK
        from_home_page.follow("/")
        assert from_home_page.follow(match.page).status == HTTPStatus.OK

        # The stranger is not. The server has said "the key … was missing" at its start.
        assert stranger.follow(match.page).status == HTTPStatus.NOT_FOUND
        assert f"mancava la chiave {key_path(served.data)}" in served.said
