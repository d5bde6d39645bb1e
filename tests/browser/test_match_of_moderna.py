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
    # A file has the hands of a match, and the totals of both sides after each. Another one has a
    # dispute for each hand: what the players tap to ask about it, and the ruling that they must get.
    whole_match = whole("moderna")
    disputes = disputes_of("moderna")
    assert len(disputes) == len(whole_match.hands)

    # The table starts a match of this variant.
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=moderna")
    start_button = page.locator("#start", has_text="Comincia: ")  # "Start: …"
    with page.expect_navigation():
        start_button.tap()
    match = page.url

    for number, hand in enumerate(whole_match.hands):
        # During the hand a player asks the referee ("Arbitro"), and gets the expected ruling.
        player = Player(page)
        player.tap("Arbitro")
        player.settle(disputes[number])

        # The hand is over, and the phone enters it.
        page.goto(match)
        open_hand(page)
        fill(page, hand)
        save(page)
        assert totals(page) == [figure(total) for total in whole_match.totals[number]]

    expect(page.locator(".ended-who")).to_contain_text("Hanno vinto loro")  # "They won"
