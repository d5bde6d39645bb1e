"""What the pages of a match weigh on the wire, packed as browsers ask for it."""

from __future__ import annotations

import pytest

from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import hand, side
from tests.web.weights import KB, loaded_with, packed_size

BY_CARDS = hand(
    {
        "melds": ["7xQ", "4xK 2x2 JK", "3xA"],
        "red_threes": 2,
        "left": "4 9",
        "penalties": ["draw-out-of-turn"],
    },
    {"melds": ["4x8 2", "5x10", "3xK"], "red_threes": 1, "left": "J 6"},
    out="a",
)
BY_TOTALS = hand(side(400, 15, natural=1, mixed=2), side(250, 60, mixed=1, red_threes=1))


@pytest.fixture
def match(begin: Begin) -> str:
    """The address of a match of twelve hands, some by cards and some by totals, between people with
    names.
    """
    players = {"player_0_0": "Antonietta", "player_0_1": "Gianfranco", "player_1_0": "Mariangela"}
    player = begin(**players, player_1_1="Pierluigi", option_target="50000")
    player.play(*[BY_CARDS, BY_TOTALS] * 6)
    assert len(player.hands) == 12
    return player.match


def test_the_match_page_of_twelve_hands_weighs_no_more_than_fourteen_kilobytes(
    client: Client, match: str
) -> None:
    assert 2 * KB < packed_size(client, match) <= 14 * KB


@pytest.mark.parametrize("page", ["", "/smazzata", "/tabellone"])
def test_with_everything_that_it_loads_a_page_of_the_match_weighs_no_more_than_sixty(
    client: Client, match: str, page: str
) -> None:
    url = match + page
    loaded = loaded_with(client, url)
    file_names = {name.rpartition("/")[2] for name in loaded}
    assert {"scorepad.css", "icon.svg", "live.js", "dom.js"} <= file_names

    sizes = {name: packed_size(client, name) for name in (url, *loaded)}

    assert sum(sizes.values()) <= 60 * KB, sizes
