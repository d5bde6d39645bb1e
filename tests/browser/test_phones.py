"""Real browsers at one match, let in by the code that a camera sees."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import new_match
from tests.browser.qr import shows
from tests.browser.warm import Warm

NAME = "tavolo.localhost"
"""A name that browsers find on this machine, and that is none of the names of the machine itself.
"""


@pytest.fixture
def address(data: Path, warm: Warm) -> Iterator[str]:
    """Where the pad answers to phones."""
    with warm.serving("--port", "0", "--data", str(data), "--allow-host", NAME) as port:
        yield f"http://{NAME}:{port}"


@pytest.fixture
def owner(phone: Phone) -> Page:
    """The phone that started a match, at its codes."""
    page = phone()
    new_match(page)
    page.goto(f"{page.url}/telefoni")
    return page


def seen(page: Page, title: str) -> str:
    """What a camera reads of the code under this title."""
    code = page.locator(".code").filter(has=page.get_by_role("heading", name=title, exact=True))
    if (
        code.locator("summary").filter(has_text=title).count()
        and not code.locator(".qr").is_visible()
    ):
        code.locator("summary").filter(has_text=title).click()
    picture = code.locator(".qr")
    expect(picture).to_be_visible()
    text = code.locator(".address").text_content() or ""
    assert shows(picture.locator("svg").screenshot(), text), "what is typed is what is pointed at"
    return text


@pytest.mark.quick
def test_a_phone_comes_in_by_the_code_to_write_and_writes(owner: Page, phone: Phone) -> None:
    link, guest = seen(owner, "Per segnare"), phone()
    answer = guest.goto(link)
    match = owner.url.removesuffix("/telefoni")
    assert (answer.status, guest.url) == (200, f"{match}/telefoni/chi")
    guest.get_by_label("Il tuo nome").fill("Zia Pina")
    guest.get_by_role("button", name="Loro").click()
    expect(guest.locator(".bar a.primary")).to_be_visible()
    expect(owner.locator(".phones h3").nth(1)).to_have_text("Zia Pina, telefono 2")
    guest.goto(f"{match}/telefoni")
    assert seen(guest, "Per segnare") == link
    assert seen(guest, "Solo per guardare") == seen(owner, "Solo per guardare") != link
    guest.goto(match)
    guest.go_back()
    guest.go_back()
    assert "/e/" not in guest.evaluate("document.referrer")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (1280, 800)])
def test_the_code_is_read_off_the_screen_in_either_theme_and_fits_on_it(
    owner: Page, phone: Phone, theme: str, size: tuple[int, int]
) -> None:
    width, height = size
    page = phone(
        color_scheme=theme, viewport={"width": width, "height": height}, device_scale_factor=1
    )
    page.context.add_cookies(owner.context.cookies())
    page.goto(owner.url)
    seen(page, "Per segnare")
    box = page.locator(".qr").first.bounding_box()
    assert box["height"] <= height
    assert box["width"] >= min(240, 0.7 * height) - 1, "as large as a camera wants it"
    assert box["x"] >= 16, "on the paper, not over its edges"
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
