"""A whole match of modern American canasta on a phone, with a dispute before each hand.

The hands are those of `tests/golden/moderna-whole-match.json`, every figure worked by hand there: a
special hand, melds begun and not finished, threes in hand. What the referee says is worked in
`tests/rulings/cases`; here it is asked at the table, between the hands of a match.
"""

from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.hands import figure, fill, open_hand, save, totals
from tests.browser.player import Player, disputes_of
from tests.matches.whole_matches import whole

MATCH = whole("moderna")


def test_match_of_moderna_with_six_disputes(phone: Phone) -> None:
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=moderna")
    with page.expect_navigation():
        page.locator("button", has_text="Comincia: ").last.tap()
    match = page.url
    disputes = disputes_of("moderna")

    for hand, totals_after, dispute in zip(MATCH.hands, MATCH.totals, disputes, strict=True):
        player = Player(page)
        player.tap("Arbitro")
        player.settle(dispute)

        page.goto(match)
        open_hand(page)
        fill(page, hand)
        save(page)
        assert totals(page) == [figure(total) for total in totals_after]

    expect(page.locator(".ended-who")).to_contain_text("Hanno vinto loro")
