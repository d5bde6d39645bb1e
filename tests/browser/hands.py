"""A hand entered through the page of a phone, as a person would."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page


def new_match(page: Page) -> None:
    """Start Noi against Loro from the home page."""
    with page.expect_navigation():
        page.get_by_role("link", name="Nuova partita").first.tap()
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()


def open_hand(page: Page) -> None:
    """Go to the coming hand from the match page."""
    with page.expect_navigation():
        page.locator(".bar a.primary").tap()


def fill(page: Page, figures: Mapping[str, str]) -> None:
    """Type the figures of a hand that nobody went out of, each by the name of its cell."""
    page.locator("label[for=out-nobody]").tap()
    for cell, figure in figures.items():
        page.locator(f"#{cell}").fill(figure)


def save(page: Page) -> None:
    """Save the hand and come to the match page."""
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()


def totals(page: Page) -> list[str]:
    """The totals at the top of the match page, once it is there."""
    page.locator(".head .total").first.wait_for()
    return [text.strip() for text in page.locator(".head .total").all_inner_texts()]


def sheet(page: Page, folder: Path) -> str:
    """The text of the match sheet with the lines of every hand, at the address that the match page
    links to.
    """
    link = page.get_by_role("link", name=re.compile("Foglio"))
    answer = page.request.get(
        f"{page.url.split('/partite')[0]}{link.get_attribute('href')}?dettaglio=1"
    )
    assert answer.headers["content-type"] == "application/pdf"
    file = folder / "sheet.pdf"
    file.write_bytes(answer.body())
    done = subprocess.run(
        ["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True
    )
    return done.stdout
