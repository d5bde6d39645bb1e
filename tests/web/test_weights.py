"""What the pages of a match weigh on the wire, packed as browsers ask for it."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import hand, side
from tests.web.test_assets import IMPORTED

KB = 1000
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
    """A match of twelve hands, some by cards and some by totals, between people with names."""
    players = {"player_0_0": "Antonietta", "player_0_1": "Gianfranco", "player_1_0": "Mariangela"}
    player = begin(**players, player_1_1="Pierluigi", option_target="50000")
    page = player.play(*[BY_CARDS, BY_TOTALS] * 6)
    assert len(page.one("ol", class_="hands").all("summary", class_="row")) == 12
    return player.match


def weight(client: Client, url: str) -> int:
    """Octets of the body as it goes over the wire, to a browser that unpacks gzip."""
    answer = client.raw.get(url, headers={"Accept-Encoding": "gzip, deflate"})
    assert answer.status_code == 200, url
    assert answer.headers.get("Content-Encoding") == "gzip" or len(answer.data) < 500, url
    return len(answer.data)


def loads(client: Client, url: str) -> list[str]:
    """What a browser fetches with a page."""
    page = client.get(url)
    links = [link["href"] for link in page.all("link") if link["rel"] in ("stylesheet", "icon")]
    images = [image["src"] for image in page.all("img")]
    return links + images + scripts(client, [script["src"] for script in page.all("script")])


def scripts(client: Client, urls: list[str]) -> list[str]:
    """These scripts and all that they import, each once."""
    found = list(urls)
    for url in found:  # grows while it is read
        for imported in IMPORTED.findall(client.raw.get(url).text):
            if urljoin(url, imported) not in found:
                found.append(urljoin(url, imported))
    return found


def test_the_match_page_of_twelve_hands_weighs_no_more_than_fourteen_kilobytes(
    client: Client, match: str
) -> None:
    assert 2 * KB < weight(client, match) <= 14 * KB


@pytest.mark.parametrize("page", ["", "/smazzata", "/tabellone"])
def test_with_everything_that_it_loads_a_page_of_the_match_weighs_no_more_than_sixty(
    client: Client, match: str, page: str
) -> None:
    needed = loads(client, match + page)
    names = {name.rpartition("/")[2] for name in needed}
    assert names >= {"scorepad.css", "icon.svg", "live.js", "dom.js"}
    weights = {name: weight(client, name) for name in (match + page, *needed)}
    assert sum(weights.values()) <= 60 * KB, weights
