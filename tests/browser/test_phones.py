"""Phones come into a match by the QR code that another phone shows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import new_match
from tests.browser.qr import shows
from tests.browser.warm import Warm


@pytest.fixture
def address(data: Path, warm: Warm) -> Iterator[str]:
    """Serve the pad under the host name that phones use, and give its address.

    Browsers resolve the name to this machine, but it is none of the machine's own names.
    """
    name = "tavolo.localhost"
    with warm.serving("--port", "0", "--data", str(data), "--allow-host", name) as port:
        yield f"http://{name}:{port}"


@pytest.fixture
def owner(phone: Phone) -> Page:
    """Start a match on a phone, and open the page with its codes."""
    page = phone()
    new_match(page)
    page.goto(f"{page.url}/telefoni")
    return page


def scan_code(page: Page, title: str) -> str:
    """Return the link under a title, and check that the QR code there contains it.

    The titles are "Per segnare" ("to write") and "Solo per guardare" ("only to look").
    """
    code = page.locator(".code").filter(has=page.get_by_role("heading", name=title, exact=True))
    fold = code.locator("summary").filter(has_text=title)
    qr_code = code.locator(".qr")
    if fold.count() and not qr_code.is_visible():
        fold.click()
    expect(qr_code).to_be_visible()

    link = code.locator(".address").text_content() or ""
    assert shows(qr_code.locator("svg").screenshot(), link)
    return link


@pytest.mark.quick
def test_phone_enters_by_the_write_code_and_may_write(owner: Page, phone: Phone) -> None:
    match = owner.url.removesuffix("/telefoni")
    write_link = scan_code(owner, "Per segnare")
    guest = phone()

    # A guest scans the code that lets them write, and is asked who they are.
    answer = guest.goto(write_link)
    assert answer.status == 200
    assert guest.url == f"{match}/telefoni/chi"

    # They type their name, and choose the side that their phone counts for.
    guest.get_by_label("Il tuo nome").fill("Zia Pina")  # "Your name"
    guest.get_by_role("button", name="Loro").click()  # "They"

    # The guest has the link to a new hand, and the owner sees the phone: "Zia Pina, phone 2".
    expect(guest.locator(".bar a.primary")).to_be_visible()
    expect(owner.locator(".phones h3").nth(1)).to_have_text("Zia Pina, telefono 2")


def test_guest_sees_the_same_codes_as_the_owner(owner: Page, phone: Phone) -> None:
    write_link = scan_code(owner, "Per segnare")
    view_link = scan_code(owner, "Solo per guardare")
    assert view_link != write_link

    # A guest comes in, and opens the page with the codes on their own phone.
    guest = phone()
    guest.goto(write_link)
    guest.goto(owner.url)

    assert scan_code(guest, "Per segnare") == write_link
    assert scan_code(guest, "Solo per guardare") == view_link


def test_link_is_no_referrer_of_later_pages(owner: Page, phone: Phone) -> None:
    # A guest opens the link to write, "/e/KEY". It leads on to a page that asks who they are.
    link = scan_code(owner, "Per segnare")
    guest = phone()
    guest.goto(link)
    question_page = guest.url

    # They go to the page with the codes and to that of the match, and back to the question.
    page_of_codes = owner.url
    guest.goto(page_of_codes)
    guest.goto(page_of_codes.removesuffix("/telefoni"))
    guest.go_back()
    guest.go_back()
    assert guest.url == question_page

    # That page does not learn as its referrer the link, which has the key of the match in it.
    assert "/e/" not in guest.evaluate("document.referrer")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (1280, 800)])
def test_code_can_be_scanned_from_the_screen(
    owner: Page, phone: Phone, theme: str, size: tuple[int, int]
) -> None:
    # The owner's cookies make another screen show the page of the owner.
    width, height = size
    screen = {"width": width, "height": height}
    page = phone(color_scheme=theme, viewport=screen, device_scale_factor=1)
    page.context.add_cookies(owner.context.cookies())
    page.goto(owner.url)

    scan_code(page, "Per segnare")

    # The code is wholly on the screen, and large.
    box = page.locator(".qr").first.bounding_box()
    assert box["height"] <= height
    assert box["width"] >= min(240, 0.7 * height) - 1, "large enough for a camera"
    assert box["x"] >= 16, "within the margins of the page"
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
