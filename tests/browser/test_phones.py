"""Several real browsers at one match: let in by the code that a camera sees, shut out when it is
withdrawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.hands import new_match
from tests.browser.qr import read
from tests.browser.warm import Warm

NAME = "tavolo.localhost"
"""A name that browsers find on this machine, and that is none of the names of the machine itself.
"""


@pytest.fixture
def address(data: Path, warm: Warm) -> Iterator[str]:
    """Where the pad answers to phones."""
    with warm.serving("--port", "0", "--data", str(data), "--allow-host", NAME) as lines:
        found = re.search(r":(\d+)/", lines.readline())
        assert found
        yield f"http://{NAME}:{found[1]}"


@pytest.fixture
def owner(phone: Callable[..., Page]) -> Page:
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
    text = read(picture.locator("svg").screenshot())
    assert code.locator(".address").text_content() == text, "what is typed is what is pointed at"
    return text


def press(page: Page, fold: str, button: str, nth: int = 0) -> None:
    """Unfold, and press what is there."""
    page.locator("summary").filter(has_text=fold).nth(nth).click()
    with page.expect_navigation():
        page.get_by_role("button", name=button).filter(visible=True).first.click()


@pytest.mark.quick
def test_a_phone_comes_in_by_the_code_to_write_and_writes(
    owner: Page, phone: Callable[..., Page]
) -> None:
    link, guest = seen(owner, "Per segnare"), phone()
    answer = guest.goto(link)
    assert answer is not None
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


def test_a_phone_that_came_to_look_finds_nothing_to_write_with(
    owner: Page, phone: Callable[..., Page]
) -> None:
    link, guest = seen(owner, "Solo per guardare"), phone()
    guest.goto(link)
    match = owner.url.removesuffix("/telefoni")
    assert guest.url == match
    assert guest.locator(".bar").count() == 0
    for path in ("/smazzata", "/nomi"):
        answer = guest.goto(match + path)
        assert answer is not None
        assert guest.locator("form[method=post]:not([action='/lingua'])").count() == 0, path
    guest.goto(f"{match}/telefoni")
    assert seen(guest, "Solo per guardare") == link
    assert guest.get_by_role("heading", name="Per segnare").count() == 0
    guest.goto(guest.url.split("/partite")[0])
    expect(guest.locator("a.match")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (1280, 800)])
def test_the_code_is_read_off_the_screen_in_either_theme_and_fits_on_it(
    owner: Page, phone: Callable[..., Page], theme: str, size: tuple[int, int]
) -> None:
    width, height = size
    page = phone(
        color_scheme=theme, viewport={"width": width, "height": height}, device_scale_factor=1
    )
    page.context.add_cookies(owner.context.cookies())
    page.goto(owner.url)
    seen(page, "Per segnare")
    box = page.locator(".qr").first.bounding_box()
    assert box is not None
    assert box["height"] <= height
    assert box["width"] >= min(240, 0.7 * height) - 1, "as large as a camera wants it"
    assert box["x"] >= 16, "on the paper, not over its edges"
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


def test_a_new_code_shuts_out_who_came_by_the_old_one_until_it_comes_by_the_new(
    owner: Page, phone: Callable[..., Page]
) -> None:
    writer, viewer = phone(), phone()
    old, view = seen(owner, "Per segnare"), seen(owner, "Solo per guardare")
    writer.goto(old)
    viewer.goto(view)
    owner.reload()
    press(owner, "Cambia o togli questo codice", "Fai un codice nuovo")
    expect(owner.locator(".notice")).to_contain_text("ecco i nuovi codici per segnare")
    new = seen(owner, "Per segnare")
    assert new != old
    assert seen(owner, "Solo per guardare") != view
    writer.reload()
    expect(writer.get_by_role("heading", level=1)).to_have_text("Questa partita non c'è")
    writer.goto(old)
    expect(writer.get_by_role("heading", level=1)).to_have_text("Questo codice non apre niente")
    viewer.reload()
    expect(viewer.get_by_role("heading", level=1)).to_have_text("Questa partita non c'è")
    viewer.goto(seen(owner, "Solo per guardare"))
    expect(viewer.locator(".total").first).to_be_visible()
    writer.goto(new)
    writer.get_by_role("link", name="Salta").click()
    expect(writer.locator(".bar a.primary")).to_be_visible()


def test_a_code_withdrawn_lets_nobody_in(owner: Page, phone: Callable[..., Page]) -> None:
    link, guest = seen(owner, "Per segnare"), phone()
    press(owner, "Cambia o togli questo codice", "Togli il codice")
    expect(owner.locator(".code").first).to_contain_text("Adesso nessuno può entrare così")
    answer = guest.goto(link)
    assert answer is not None
    assert answer.status == 404
    expect(guest.locator("main")).to_contain_text(
        "Chiedi un codice nuovo a chi ha cominciato la partita"
    )


@pytest.mark.quick
def test_the_match_is_handed_on_and_the_other_sends_the_first_one_out(
    owner: Page, phone: Callable[..., Page]
) -> None:
    guest = phone()
    guest.goto(seen(owner, "Per segnare"))
    owner.reload()
    press(owner, "Passa la partita al telefono 2", "Passagli la partita")
    expect(owner.locator(".phones > li").nth(1)).to_contain_text("Tiene la partita")
    assert owner.get_by_role("button", name="Fai un codice nuovo").count() == 0
    guest.goto(owner.url)
    press(guest, "Passa la partita al telefono 1", "Fallo uscire")
    expect(guest.locator(".phones > li")).to_have_count(1)
    owner.reload()
    expect(owner.get_by_role("heading", level=1)).to_have_text("Questa partita non c'è")


def test_without_scripts_everything_is_there(owner: Page, phone: Callable[..., Page]) -> None:
    guest = phone(java_script_enabled=False)
    guest.goto(seen(owner, "Per segnare"))
    guest.goto(owner.url)
    assert seen(guest, "Solo per guardare") == seen(owner, "Solo per guardare")
    guest.get_by_role("button", name="Loro").click()
    expect(guest.get_by_role("button", name="Loro")).to_contain_text("Scelto")
    expect(guest.locator(".phones > li").nth(1)).to_contain_text("Conta per: Loro")


@pytest.mark.parametrize(("locale", "theme", "width"), [
    ("it-IT", "light", 320), ("en-GB", "dark", 390), ("it-IT", "dark", 1280),
])  # fmt: skip
def test_axe_finds_nothing_on_the_page_of_the_phones(
    owner: Page, phone: Callable[..., Page], locale: str, theme: str, width: int
) -> None:
    view = seen(owner, "Solo per guardare")
    page = phone(locale=locale, color_scheme=theme, viewport={"width": width, "height": 844})
    page.context.add_cookies([{"name": "scorepad_language", "value": locale[:2], "url": page.url}])
    page.goto(view)
    addresses = [owner.url, f"{view[:-3]}aaa"]
    for known in (False, True):
        if known:
            page.context.add_cookies(owner.context.cookies())
            page.context.add_cookies(
                [{"name": "scorepad_language", "value": locale[:2], "url": owner.url}]
            )
        for address in addresses:
            page.goto(address)
            for fold in page.locator("details").all():
                fold.evaluate("element => { element.removeAttribute('name'); element.open = true }")
            found = Axe().run(page)
            assert found.violations_count == 0, f"{address}: {found.generate_report()}"
            assert page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            )
