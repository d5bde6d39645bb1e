"""The count of the variants in a real browser: what only some of them ask for, tapped on a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from scorepad.matches.access import MatchId
from scorepad.rules.variants import settle, variant_ids
from tests.browser.test_every_page import BESIDE, TOO_SMALL
from tests.web.counting import NewMatch, OpenPage, address_of_count, tap_cards


@pytest.fixture
def begin(new_match: NewMatch) -> NewMatch:
    """A match of this device in any variant."""

    def start(variant: str) -> MatchId:
        sides = settle(variant).settings.sides
        return new_match(variant, names=("Anna", "Bea", "Carlo")[: len(sides)])

    return start


@pytest.mark.quick
def test_a_samba_takes_a_tap_for_its_suit_and_one_for_each_card(
    begin: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(begin("samba")))
    page.locator("#cards-a summary").tap()
    page.locator('#card-keys button[data-suit="s"]').tap()
    tap_cards(page, "A", "K", "Q", "J", "10", "9", "8")
    page.locator('#card-keys button[data-suit="s"]').tap()
    page.locator('#card-keys button[data-key="meld"]').tap()
    tap_cards(page, "K", "K", "K", "2", "JK")
    expect(page.locator("#a-melds")).to_have_value("As Ks Qs Js 10s 9s 8s\n3xK 2 JK")
    expect(page.locator("#a-melds-list li").first).to_have_text(
        "asso, re, donna, fante, dieci, nove e otto di picche: samba · 80 punti"
    )


def test_cards_in_hand_are_tapped_where_nothing_but_the_cards_will_do(
    begin: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(begin("mini")))
    page.locator("#cards-a summary").tap()
    hand = page.locator("#a-left-1")
    hand.fill("0")

    tap_cards(page, "4", "4", "JK")
    assert hand.input_value() == "2x4 JK"

    page.locator('#card-keys button[data-key="back"]').tap()
    assert hand.input_value() == "2x4"
    expect(page.locator("#a-left-1-echo")).to_have_text("2 quattro")


def test_a_key_that_counts_stops_where_there_are_no_more(
    begin: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(begin("cubana")))
    page.locator("#a-black_threes_aside").tap()
    for _ in range(6):
        page.locator('#digits button[data-key="+"]').tap()
    expect(page.locator("#a-black_threes_aside")).to_have_value("4")


UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
TRICKY = ("samba", "tagliagola", "moderna", "mini")
OTHERS = [
    pytest.param(name, marks=pytest.mark.full) for name in variant_ids() if name not in TRICKY
]


@pytest.mark.parametrize("variant", [*TRICKY, *OTHERS])
@pytest.mark.parametrize(
    ("width", "theme", "language"), [(320, "dark", "it-IT"), (390, "light", "en-GB")]
)
def test_axe_finds_nothing_in_any_variant_and_nothing_is_wider_than_the_screen(
    begin: NewMatch, open_page: OpenPage, variant: str, width: int, theme: str, language: str
) -> None:
    address = address_of_count(begin(variant))
    page = open_page(address, width, 800, locale=language, color_scheme=theme)
    page.evaluate(UNFOLD)
    if page.locator("#single").count():
        page.locator('label[for="single-b"]').click()

    page.locator("#a-melds").fill("10h 9h 9h")
    page.locator('button[value="save"]').click()
    expect(page.locator(".errors")).to_be_visible()
    page.evaluate(UNFOLD)

    assert Axe().run(page).violations_count == 0
    assert page.evaluate(BESIDE) <= 0
    assert page.evaluate(TOO_SMALL) == []


LINES_OF_NAMES = """() => [...document.querySelectorAll(".grid .name")].filter(each => each.offsetParent).map(each => {
  const text = document.createRange(), rows = [];
  text.selectNodeContents(each.querySelector("span:not(.back)") ?? each);
  for (const { top, bottom, width } of text.getClientRects()) {
    const middle = (top + bottom) / 2;
    if (width > 1 && !rows.some(row => Math.abs(row - middle) < 9)) rows.push(middle);
  }
  return [each.textContent.trim().replace(/\\s+/g, " "), rows.length];
})"""
"""The name of each row of the card, and on how many lines it stands."""


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("locale", ["it-IT", "en-GB"])
def test_the_name_of_a_row_takes_at_most_two_lines(
    begin: NewMatch, open_page: OpenPage, variant: str, locale: str
) -> None:
    page = open_page(address_of_count(begin(variant)), locale=locale)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        names = page.evaluate(LINES_OF_NAMES)
        assert len(names) > 2, "the page has a card"
        for name, lines in names:
            assert lines <= 2, name
