"""A match that ends by hands or by time, as the table chooses when it starts: on the page and over
HTTP.
"""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.rules.definitions import Ends
from tests.web.client import Client
from tests.web.playing import device, hand, match_of, play, side, start


def test_the_chosen_end_stays_through_other_rules_and_the_rematch(client: Client, pad: Pad) -> None:
    url = start(client, hands="1", minutes="50")
    client.submit(client.get(f"{url}/regole"), "Salva", option_wild_limit="not-more-than-naturals")
    state = pad.state(match_of(url), device(client))
    assert (state.rules.options["wild-limit"], state.rules.ends) == (
        "not-more-than-naturals",
        Ends(1, 50),
    )
    page = play(pad, client, url, hand(side(100, natural=1), side(0, 20)))
    rematch = client.submit(page, "Rivincita").url
    assert pad.state(match_of(rematch), device(client)).rules.ends == Ends(1, 50)


@pytest.mark.parametrize(("field", "limit"), [("hands", "99"), ("minutes", "1.440")])
def test_a_number_out_of_its_limits_is_told(client: Client, field: str, limit: str) -> None:
    page = client.submit(client.get("/partite/nuova"), "Comincia: ", 422, **{field: "0"})
    assert page.errors[0].endswith(f"scrivi un numero da 1 a {limit}.")
