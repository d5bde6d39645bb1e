"""What the match page tells the table before a hand is dealt."""

from __future__ import annotations

import pytest

from tests.web.client import Client
from tests.web.playing import start


@pytest.mark.parametrize(
    ("code", "told", "exchange"),
    [
        # W, «Canasta a due giocatori»: 15 cards, 2 drawn, 2 canastas; as for four; 15 and 1; 15, 2
        # and the exchange.
        ("attested", ["15 a testa", "se ne pescano 2", "almeno 2 canaste"], False),
        ("usa-1", ["11 a testa", "se ne pesca 1", "almeno 1 canasta"], False),
        ("usa-2", ["15 a testa", "se ne pesca 1", "almeno 1 canasta"], False),
        ("usa-3", ["15 a testa", "se ne pesca 1", "almeno 2 canaste"], True),
    ],
)
def test_each_code_for_two_tells_its_own_cards_and_canastas(
    client: Client, code: str, told: list[str], exchange: bool
) -> None:
    page = client.get(start(client, "due", **{"option-code": code}))
    facts = page.text
    for words in told:
        assert words in facts
    assert ("ognuno scarta una carta nel pozzo" in facts) is exchange
