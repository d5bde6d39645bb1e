"""A match that ends by hands or by time, as the table chooses when it starts: on the page and over
HTTP.
"""

from __future__ import annotations

from scorepad.rules.definitions import Ends
from tests.web.player import Begin
from tests.web.playing import HAND_430_TO_60


def test_the_chosen_end_stays_through_other_rules_and_the_rematch(begin: Begin) -> None:
    player = begin(hands="1", minutes="50")

    player.submit("regole", "Salva", option_wild_limit="not-more-than-naturals")
    assert player.state.rules.options["wild-limit"] == "not-more-than-naturals"
    assert player.state.rules.ends == Ends(hands=1, minutes=50)

    finished = player.play(HAND_430_TO_60)
    player.match = player.submit(finished, "Rivincita").url
    assert player.state.rules.ends == Ends(hands=1, minutes=50)
