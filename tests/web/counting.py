"""A count on its page, as a browser without JavaScript sends it and as the page's own script does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Page as BrowserPage

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from tests.web.client import Element, Page
from tests.web.playing import DEVICE, count

NewMatch = Callable[..., MatchId]
"""Begins a match of the device of the browser tests."""
OpenPage = Callable[..., BrowserPage]
"""Opens a page in a real browser."""


def counting(match: str) -> str:
    """The address of the form in which the hand being played of a match is counted."""
    return f"{match}/smazzata"


def address_of_count(match: MatchId) -> str:
    """Where the hand being played is counted."""
    return f"/partite/{match}/smazzata"


def count_on_pad(pad: Pad, match: MatchId, played: Mapping[str, Any]) -> None:
    """Count a hand as the device of the browser tests, without a page."""
    count(pad, match, DEVICE, played)


def notes_beside(page: Page, field: str) -> list[str]:
    """The notes beside a field, each with what unfolds from its sign."""
    return [
        " ".join(
            part.text.removeprefix(rule_word(part)).strip() for part in note.all("p", "details")
        )
        for note in page.one(id=f"{field.replace('.', '-')}-messages").all(class_="message")
    ]


def rule_word(part: Element) -> str:
    """The label of the sign of a note; empty for its text."""
    return part.one("summary").text if part.tag == "details" else ""


def hand_sums(page: Page) -> list[str]:
    """The sum of the hand of each side, as its column shows it."""
    return [output.text for output in page.all("output") if output.has("data-sum")]


def still_missing(page: Page) -> list[str]:
    """What is still to be typed, as the bar lists it."""
    return page.one(id="bar-missing").texts("li")


def tap_cards(page: BrowserPage, *cards: str) -> None:
    """Tap these keys of the cards, in a real browser."""
    for card in cards:
        page.locator(f"#card-keys button[data-card='{card}']").tap()


def column_heads(page: Page) -> list[str]:
    """The heads of the columns."""
    return page.texts("div", class_="entry-head")


def sides_asked_for_cards(page: Page) -> str:
    """The sides in whose columns the page asks what was laid."""
    sides = ""
    for cell in page.one(id="row-cards").all("div", class_="cell"):
        if not cell.all("div")[0].has("hidden"):
            sides += cell.one("input")["name"][0]
    return sides
