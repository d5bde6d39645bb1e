"""The count of the variants in a real browser: what only some of them ask for, tapped on a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from scorepad.matches.access import MatchId
from scorepad.rules.variants import settle, variant_ids
from tests.browser.test_every_page import FIND_SMALL_CONTROLS, SIDEWAYS_SCROLL
from tests.web.counting import NewMatch, OpenPage, address_of_count, tap_cards


@pytest.fixture
def new_match_of(new_match: NewMatch) -> NewMatch:
    """Start a match of a variant, with as many sides as its rules have, and return its id."""

    def start(variant: str) -> MatchId:
        number_of_sides = len(settle(variant).settings.sides)
        return new_match(variant, names=("Anna", "Bea", "Carlo")[:number_of_sides])

    return start


@pytest.mark.quick
def test_samba_is_entered_by_tapping_suit_and_cards(
    new_match_of: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(new_match_of("samba")))
    page.locator("#cards-a summary").tap()
    spades = page.locator('#card-keys button[data-suit="s"]')

    # A samba is a sequence of seven cards of one suit. While the key of a suit is pressed, each
    # card tapped is of that suit.
    spades.tap()
    tap_cards(page, "A", "K", "Q", "J", "10", "9", "8")

    # The second tap on spades releases the key. The next meld is of one rank, of any suit: three
    # kings, a two and a joker.
    spades.tap()
    page.locator('#card-keys button[data-key="meld"]').tap()
    tap_cards(page, "K", "K", "K", "2", "JK")

    # The field holds one meld a line, and below it the page reads each meld out in words:
    # "ace, king, queen, jack, ten, nine and eight of spades: samba · 80 points".
    expect(page.locator("#a-melds")).to_have_value("As Ks Qs Js 10s 9s 8s\n3xK 2 JK")
    expect(page.locator("#a-melds-list li").first).to_have_text(
        "asso, re, donna, fante, dieci, nove e otto di picche: samba · 80 punti"
    )


def test_cards_left_are_tapped_in_mini(new_match_of: NewMatch, open_page: OpenPage) -> None:
    page = open_page(address_of_count(new_match_of("mini")))
    page.locator("#cards-a summary").tap()
    cards_left = page.locator("#a-left-1")

    # In mini the cards left in a hand are entered one by one, not as a number of points. The first
    # card tapped replaces the 0, which means that no card is left.
    cards_left.fill("0")
    tap_cards(page, "4", "4", "JK")
    assert cards_left.input_value() == "2x4 JK"

    # The backspace key removes the whole last card. The page reads out what remains: "2 fours".
    page.locator('#card-keys button[data-key="back"]').tap()
    assert cards_left.input_value() == "2x4"
    expect(page.locator("#a-left-1-echo")).to_have_text("2 quattro")


def test_plus_key_stops_at_maximum(new_match_of: NewMatch, open_page: OpenPage) -> None:
    # In cubana a side lays aside the black threes of a pile that it takes.
    page = open_page(address_of_count(new_match_of("cubana")))
    black_threes = page.locator("#a-black_threes_aside")
    black_threes.tap()

    for _ in range(6):
        page.locator('#digits button[data-key="+"]').tap()

    # The two decks of the game have only four black threes.
    expect(black_threes).to_have_value("4")


UNFOLD_EVERYTHING = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
# What these ask for differs most from the classic game.
SPECIAL_VARIANTS = ("samba", "tagliagola", "moderna", "mini")
OTHER_VARIANTS = [
    pytest.param(name, marks=pytest.mark.full)
    for name in variant_ids()
    if name not in SPECIAL_VARIANTS
]


@pytest.mark.parametrize("variant", [*SPECIAL_VARIANTS, *OTHER_VARIANTS])
@pytest.mark.parametrize(
    ("width", "theme", "language"), [(320, "dark", "it-IT"), (390, "light", "en-GB")]
)
def test_page_is_accessible_and_fits_screen(
    new_match_of: NewMatch, open_page: OpenPage, variant: str, width: int, theme: str, language: str
) -> None:
    # The form of a hand is opened on a phone. It is at its longest with all its folds open.
    address = address_of_count(new_match_of(variant))
    page = open_page(address, width, 800, locale=language, color_scheme=theme)
    page.evaluate(UNFOLD_EVERYTHING)

    # In the variant tagliagola one of three players is alone against the other two. The form asks
    # who that is: the second one.
    if variant == "tagliagola":
        page.locator('label[for="single-b"]').click()

    # A ten and two nines of hearts are a meld in no variant. The hand is refused, and the form is
    # shown again with errors. Its folds are opened once more.
    page.locator("#a-melds").fill("10h 9h 9h")
    page.locator('button[value="save"]').click()
    expect(page.locator(".errors")).to_be_visible()
    page.evaluate(UNFOLD_EVERYTHING)

    # The tool axe finds nothing that people with disabilities could not use.
    assert Axe().run(page).violations_count == 0

    # The page is no wider than the screen.
    pixels_beyond_screen = page.evaluate(SIDEWAYS_SCROLL)
    assert pixels_beyond_screen <= 0

    # Each control has at least 48 × 48 pixels, so that it can be tapped.
    small_controls = page.evaluate(FIND_SMALL_CONTROLS)
    assert small_controls == []


ROW_NAMES_WITH_LINES = """() => {
  const visible = [...document.querySelectorAll(".grid .name")].filter(name => name.offsetParent);
  return visible.map(name => {
    const text = document.createRange();
    text.selectNodeContents(name.querySelector("span:not(.back)") ?? name);

    // A line of text may consist of several boxes, whose middles are less than 9 pixels apart.
    const lines = [];
    for (const { top, bottom, width } of text.getClientRects()) {
      const middle = (top + bottom) / 2;
      const isNewLine = !lines.some(line => Math.abs(line - middle) < 9);
      if (width > 1 && isNewLine) lines.push(middle);
    }
    return [name.textContent.trim().replace(/\\s+/g, " "), lines.length];
  });
}"""
"""A script that returns the name of each visible row of the count, with its number of lines."""


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("locale", ["it-IT", "en-GB"])
def test_row_names_take_at_most_two_lines(
    new_match_of: NewMatch, open_page: OpenPage, variant: str, locale: str
) -> None:
    page = open_page(address_of_count(new_match_of(variant)), locale=locale)

    # 390 pixels are the width of a usual phone, 320 that of the narrowest.
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        rows = page.evaluate(ROW_NAMES_WITH_LINES)

        # The script has found the rows of the table, such as those of canastas and red threes.
        assert len(rows) > 2
        for name, number_of_lines in rows:
            assert number_of_lines <= 2, name
