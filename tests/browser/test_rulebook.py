"""The rulebook in a browser without JavaScript: what is folded, and what a link or print unfolds."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone


@pytest.fixture
def page(phone: Phone) -> Page:
    """Take a phone on which JavaScript is off."""
    return phone(java_script_enabled=False)


def open_classica(page: Page, place: str = "") -> None:
    """Open the rules of classica, at a place such as `#regola-wild-ratio` or with a query."""
    site = page.url.partition("/regole")[0].rstrip("/")
    page.goto(f"{site}/regole/classica{place}")


@pytest.mark.quick
def test_source_is_folded_until_tapped(page: Page) -> None:
    open_classica(page)

    # A rule has its text, "The number of wild cards does not depend on that of natural ones.", and
    # its source, "Source: Wikipedia: …".
    rule = page.locator("#regola-wild-ratio")
    text = rule.get_by_text("Il numero delle matte non dipende da quello delle naturali.")
    source = rule.get_by_text("Fonte: Wikipedia: «Svolgimento del gioco»; Giochi di carte")
    expect(text).to_be_visible()
    expect(source).to_be_hidden()

    rule.locator("summary").click()

    expect(source).to_be_visible()


def test_link_to_a_rule_unfolds_its_source(page: Page) -> None:
    open_classica(page, "#regola-wild-ratio")

    # The source of this rule is unfolded, that of another one is not.
    expect(page.locator("#regola-wild-ratio .why").first).to_be_visible()
    expect(page.locator("#regola-wild-limit .why").first).to_be_hidden()


@pytest.mark.parametrize(
    "place",
    [
        "avviso-meld-too-many-wilds",  # what the app says of a meld with too many wild cards
        "voce-out",  # an item of the score: going out
        "scelta-upcard",  # what a table can choose: the first card turned up
        "codificazione-getty",  # the rules of one author
        "detto-red-three-first-chance",  # a statement of the rules on red threes
    ],
)
def test_link_into_a_folded_part_unfolds_it(page: Page, place: str) -> None:
    # On the page as it is, this place is in a part that is folded.
    folded = page.locator(f"#{place}")
    open_classica(page)
    expect(folded).to_be_hidden()

    open_classica(page, f"#{place}")

    expect(folded).to_be_visible()
    expect(folded).to_be_in_viewport()


def test_print_unfolds_alternatives_but_not_sources(page: Page) -> None:
    open_classica(page)

    page.emulate_media(media="print")

    # Other rules that a table can choose, and what the app says of mistakes, are printed.
    expect(page.locator("#regola-wild-ratio .otherwise").first).to_be_visible()
    expect(page.locator("#avviso-meld-too-many-wilds")).to_be_visible()

    # The sources, and what unfolds them on a screen, are not.
    expect(page.locator("#regola-wild-ratio p.why").first).to_be_hidden()
    expect(page.locator("#regola-wild-ratio summary")).to_be_hidden()


def test_print_of_unfolded_page_shows_sources_in_8_points(page: Page) -> None:
    # With this query ("unfolded: yes") the page has all sources open.
    open_classica(page, "?aperto=si")

    page.emulate_media(media="print")

    source = page.locator("#regola-wild-ratio p.why").first
    expect(source).to_be_visible()
    pixels = source.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    points = pixels * 72 / 96
    assert points >= 8
