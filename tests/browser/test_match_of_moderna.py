"""A whole match of modern American canasta on a phone, with a dispute before each hand.

The hands are those of `tests/golden/moderna-whole-match.json`, where every figure is worked by hand.
They include a special hand, melds that were begun and not finished, and threes left in hand. Why the
referee answers so is worked in `tests/rulings/cases`.
"""

from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.hands import figure, fill, open_hand, save, totals
from tests.browser.player import Player, disputes_of
from tests.matches.whole_matches import whole


def test_match_of_moderna_with_six_disputes(phone: Phone) -> None:
    whole_match = whole("moderna")
    disputes = disputes_of("moderna")

    # The table starts a match of this variant: "Start: …".
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=moderna")
    with page.expect_navigation():
        page.locator("button", has_text="Comincia: ").last.tap()
    match = page.url

    for hand, totals_after, dispute in zip(
        whole_match.hands, whole_match.totals, disputes, strict=True
    ):
        # During the hand the players ask the referee ("Arbitro").
        player = Player(page)
        player.tap("Arbitro")
        player.settle(dispute)

        # The hand is over, and the phone enters it.
        page.goto(match)
        open_hand(page)
        fill(page, hand)
        save(page)
        assert totals(page) == [figure(total) for total in totals_after]

    expect(page.locator(".ended-who")).to_contain_text("Hanno vinto loro")  # "They won"
