"""What the pages of a match weigh on the wire, packed as browsers ask for it."""

from __future__ import annotations

import pytest

from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import hand, side
from tests.web.weights import KB, loaded_with, packed_size

# A hand whose melds were entered card by card: "7xQ" is seven queens, "JK" a joker.
HAND_BY_CARDS = hand(
    {
        "melds": ["7xQ", "4xK 2x2 JK", "3xA"],
        "red_threes": 2,
        "left": "4 9",
        "penalties": ["draw-out-of-turn"],
    },
    {"melds": ["4x8 2", "5x10", "3xK"], "red_threes": 1, "left": "J 6"},
    out="a",
)
# A hand of which only the canastas and the points of the cards were entered.
HAND_BY_TOTALS = hand(side(400, 15, natural=1, mixed=2), side(250, 60, mixed=1, red_threes=1))


@pytest.fixture
def match(begin: Begin) -> str:
    """Play a match of twelve hands between people with long names, and return its address.

    Its target is far away, so that it goes on.
    """
    players = {"player_0_0": "Antonietta", "player_0_1": "Gianfranco", "player_1_0": "Mariangela"}
    player = begin(**players, player_1_1="Pierluigi", option_target="50000")
    player.play(*[HAND_BY_CARDS, HAND_BY_TOTALS] * 6)
    assert len(player.hands) == 12
    return player.match


def test_match_page_of_twelve_hands_is_at_most_14_kb_compressed(client: Client, match: str) -> None:
    # With less than 2 kB something of the match would be missing.
    assert 2 * KB < packed_size(client, match) <= 14 * KB


@pytest.mark.parametrize("page", ["", "/smazzata", "/tabellone"])
def test_page_with_everything_it_loads_is_at_most_60_kb_compressed(
    client: Client, match: str, page: str
) -> None:
    # The match, its hand being played (smazzata), or the board to look at from afar (tabellone).
    page_url = match + page

    # The page loads a stylesheet, an icon, and scripts, which import other scripts.
    loaded_urls = loaded_with(client, page_url)
    file_names = {url.rpartition("/")[2] for url in loaded_urls}
    assert {"scorepad.css", "icon.svg", "live.js", "dom.js"} <= file_names

    sizes = {url: packed_size(client, url) for url in [page_url, *loaded_urls]}

    assert sum(sizes.values()) <= 60 * KB, sizes
