"""A match that ends by hands or by time, as the table chooses when it starts: on the page and over
HTTP.
"""

from __future__ import annotations

from scorepad.rules.definitions import Ends
from tests.web.player import Begin
from tests.web.playing import HAND_430_TO_60


def test_limits_of_hands_and_minutes_are_kept_by_new_rules_and_rematch(begin: Begin) -> None:
    # The players agree that the match ends after one hand, or after 50 minutes.
    player = begin(hands="1", minutes="50")

    # Before the first hand they change another rule, how many wild cards a meld may have.
    player.submit("regole", "Salva", option_wild_limit="not-more-than-naturals")
    new_rules = player.state.rules
    assert new_rules.options["wild-limit"] == "not-more-than-naturals"
    assert new_rules.ends == Ends(hands=1, minutes=50)

    # One hand is played, so the match is over. A rematch is started from its page.
    finished_match = player.play(HAND_430_TO_60)
    player.match = player.submit(finished_match, "Rivincita").url
    rules_of_rematch = player.state.rules
    assert rules_of_rematch.ends == Ends(hands=1, minutes=50)
