"""The rulebook in Chromium with JavaScript off: what is folded, and what a link or paper unfolds."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone


@pytest.fixture
def book(phone: Phone) -> Page:
    return phone(java_script_enabled=False)


def go(page: Page, place: str) -> None:
    page.goto(f"{page.url.partition('/regole')[0].rstrip('/')}/regole/classica{place}")


@pytest.mark.quick
def test_a_source_is_folded_until_it_is_asked_for(book: Page) -> None:
    go(book, "")
    rule = book.locator("#regola-wild-ratio")
    why = rule.get_by_text("Fonte: Wikipedia: «Svolgimento del gioco»; Giochi di carte")
    expect(
        rule.get_by_text("Il numero delle matte non dipende da quello delle naturali.")
    ).to_be_visible()
    expect(why).to_be_hidden()
    rule.locator("summary").click()
    expect(why).to_be_visible()


def test_a_link_to_a_rule_finds_its_source_unfolded(book: Page) -> None:
    go(book, "#regola-wild-ratio")
    expect(book.locator("#regola-wild-ratio .why").first).to_be_visible()
    expect(book.locator("#regola-wild-limit .why").first).to_be_hidden()


@pytest.mark.parametrize(
    "place",
    [
        "avviso-meld-too-many-wilds",
        "voce-out",
        "scelta-upcard",
        "codificazione-getty",
        "detto-red-three-first-chance",
    ],
)
def test_a_link_into_what_is_folded_finds_it_unfolded(book: Page, place: str) -> None:
    go(book, "")
    expect(book.locator(f"#{place}")).to_be_hidden()
    go(book, f"#{place}")
    expect(book.locator(f"#{place}")).to_be_visible()
    expect(book.locator(f"#{place}")).to_be_in_viewport()


def test_on_paper_nothing_is_folded_but_where_each_thing_is_said(book: Page) -> None:
    go(book, "")
    book.emulate_media(media="print")
    for what in (
        book.locator("#regola-wild-ratio .otherwise").first,
        book.locator("#avviso-meld-too-many-wilds"),
    ):
        expect(what).to_be_visible()
    expect(book.locator("#regola-wild-ratio p.why").first).to_be_hidden()
    expect(book.locator("#regola-wild-ratio summary")).to_be_hidden()
    go(book, "?aperto=si")
    why = book.locator("#regola-wild-ratio p.why").first
    expect(why).to_be_visible()
    pixels = why.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert pixels * 72 / 96 >= 8, "points"
