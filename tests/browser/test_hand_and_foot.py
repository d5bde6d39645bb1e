"""A whole match of hand and foot on a phone, with a dispute before or after each of its hands.

The hands are those of `tests/golden/hand-and-foot-whole-match.json`, every figure worked by hand
there. The answers of the referee are those of the worked rulings.
"""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.hands import figure, fill, minimums, open_hand, save, totals
from tests.browser.player import Player, disputes_of
from tests.matches.whole_matches import whole


def test_match_of_hand_and_foot_with_six_disputes(phone: Phone) -> None:
    whole_match = whole("hand-and-foot")

    # The table starts a match of this variant: "Start: …".
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=hand-and-foot")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()
    match = page.url

    for number, hand in enumerate(whole_match.hands):
        # During the hand the players ask the referee.
        for dispute in disputes_of("hand-and-foot"):
            if dispute.hand == number + 1:
                page.goto(f"{match}/arbitro")
                Player(page).settle(dispute)

        # The hand is over, and the phone enters it.
        page.goto(match)
        open_hand(page)
        fill(page, hand)
        save(page)

        # The match page shows the totals and with how many points each side may open the next hand.
        # There is no minimum after the last hand.
        next_minimums = [minimum for minimum in whole_match.minimums[number] if minimum]
        assert totals(page) == [figure(total) for total in whole_match.totals[number]]
        assert minimums(page) == [figure(minimum) for minimum in next_minimums]

    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")  # "We won"
