"""A hand entered through the page, as a person would: with taps, and with figures and cards typed."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect


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


def fill(page: Page, hand: dict[str, Any], *, tapping: bool = False) -> None:
    """Enter a whole hand, its sides by their letters; `tapping`: the cards are tapped, not typed."""
    out = hand.get("out")
    choose(page, "out", out["side"] if out else "nobody")
    for key, side in hand["sides"].items():
        enter_side(page, key, side, tapping=tapping)
    if out and out.get("concealed"):
        page.locator("#concealed").check()
    if out and out.get("discard"):
        unfold(page, "discard")
        page.locator("#discard").select_option(out["discard"])


def fill_figures(page: Page, figures: Mapping[str, str]) -> None:
    """Type the figures of a hand that nobody went out of, each by the name of its cell."""
    page.locator("label[for=out-nobody]").tap()
    for cell, figure_typed in figures.items():
        page.locator(f"#{cell}").fill(figure_typed)


def choose(page: Page, field: str, value: str) -> None:
    """Say who went out: what is asked afterwards follows from it."""
    # The first of the choices bears the name of them all.
    chosen = page.locator(f"input[name={field}][value={value}]").get_attribute("id")
    if page.locator(f"#{chosen}").is_checked():
        return
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator(f"label[for={chosen}]").tap()
    expect(page.locator(f"#{chosen}")).to_be_checked()


def enter_side(page: Page, key: str, side: dict[str, Any], *, tapping: bool) -> None:
    """Enter what one side laid and held."""
    if "special" in side:
        unfold(page, f"{key}-special")
        page.locator(f"#{key}-special").select_option(side["special"])
        return
    if side.get("melds"):
        for number, meld in enumerate(side["melds"]):
            enter_meld(page, key, number, meld, tapping=tapping)
    else:
        totals = side.get("totals", {"canastas": {}, "cards": 0})
        for item, count in totals["canastas"].items():
            page.locator(f"#{key}-canastas-{item}").fill(str(count))
        page.locator(f"#{key}-cards").fill(str(totals["cards"]))
    for threes in ("red_threes", "black_threes"):
        if side.get(threes):
            page.locator(f"#{key}-{threes}").fill(str(side[threes]))
    enter_left(page, key, side["left"])
    for code in side.get("penalties", ()):
        unfold(page, f"{key}-penalties-{code}")
        page.locator(f"#{key}-penalties-{code}").fill("1")


def enter_left(page: Page, key: str, left: int | str | list[str]) -> None:
    """Enter the cards left: their points, or the cards, of each player where the form asks so."""
    if isinstance(left, int):
        page.locator(f"#{key}-left").fill(str(left))
        return
    hands = [left] if isinstance(left, str) else left
    asks_for_each_player = page.locator(f"#{key}-left-1").count() > 0
    if not asks_for_each_player:
        hands = [" ".join(hands)]
    for number, cards in enumerate(hands):
        unfold(page, f"{key}-left-{number}")
        page.locator(f"#{key}-left-{number}").fill(cards)


def enter_meld(page: Page, key: str, number: int, meld: str, *, tapping: bool) -> None:
    """Enter a meld, the first or another one."""
    unfold(page, f"{key}-melds")
    melds = page.locator(f"#{key}-melds")
    if not tapping:
        melds.fill("\n".join([*filter(None, melds.input_value().split("\n")), meld]))
        return
    if number:
        page.locator("#card-keys button[data-key=meld]").tap()
    else:
        melds.focus()
    for token in meld.split():
        count, _, card = token.rpartition("x")
        for _ in range(int(count or 1)):
            page.locator(f"#card-keys button[data-card='{card}']").tap()


def unfold(page: Page, field: str) -> None:
    """Open what the field stands in."""
    details = page.locator(f"details:has(#{field})")
    if details.count() and not details.last.evaluate("element => element.open"):
        details.last.locator("summary").first.tap()


def save(page: Page) -> None:
    """Save the hand and come to the match page."""
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()


def totals(page: Page) -> list[str]:
    """The totals at the top of the match page, once it is there."""
    page.locator(".head .total").first.wait_for()
    return [text.strip() for text in page.locator(".head .total").all_inner_texts()]


def minimums(page: Page) -> list[str]:
    """The opening minimums of the coming hand."""
    return page.locator(".head .minimum").all_inner_texts()


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


def figure(number: int) -> str:
    """As the pad writes it: 1.500, with a real minus."""
    return f"{number:,}".replace(",", ".").replace("-", "\N{MINUS SIGN}")
