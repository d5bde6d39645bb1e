"""A hand entered through the page, as a person would: with taps, and with figures and cards typed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

PAIRS = ("noi", "loro")
KEYS = "abc"


def new_match(page: Page) -> None:
    """Start Noi against Loro from the home page."""
    with page.expect_navigation():
        page.get_by_role("link", name="Nuova partita").first.tap()
    with page.expect_navigation():
        page.get_by_role("button", name="Comincia: Noi contro Loro").tap()


def open_hand(page: Page) -> None:
    """Go to the coming hand from the match page."""
    with page.expect_navigation():
        page.locator(".bar a.primary").tap()


def fill(page: Page, hand: dict[str, Any], *, names: tuple[str, ...] = PAIRS, tapping: bool = False) -> None:
    """Enter a whole hand of sides so named; `tapping`: the cards are tapped and not typed."""
    if "single" in hand:
        choose(page, "single", "nobody" if hand["single"] is None else KEYS[names.index(hand["single"])])
    out = hand.get("out")
    choose(page, "out", KEYS[names.index(out["side"])] if out else "nobody")
    for name, side in hand["sides"].items():
        enter_side(page, KEYS[names.index(name)], side, tapping=tapping)
    if out and out.get("concealed"):
        page.locator("#concealed").check()
    if out and out.get("discard"):
        discard(page, out["discard"])


def choose(page: Page, field: str, value: str) -> None:
    """Say who went out, or who took the pile: what is asked afterwards follows from it."""
    # The first of the choices bears the name of them all.
    chosen = page.locator(f"input[name={field}][value={value}]").get_attribute("id")
    if page.locator(f"#{chosen}").is_checked():
        return
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator(f"label[for={chosen}]").tap()
    expect(page.locator(f"#{chosen}")).to_be_checked()


def discard(page: Page, card: str) -> None:
    """Say which card was discarded last."""
    unfold(page, "discard")
    page.locator("#discard").select_option(card)


def enter_side(page: Page, key: str, side: dict[str, Any], *, tapping: bool = False) -> None:
    """Enter what one side laid and held; with None for its melds what it laid is there already."""
    if side.get("melds", ()) is not None:
        _laid(page, key, side, tapping=tapping)
    step(page, f"{key}-red", side.get("red_threes", 0))
    _left(page, key, side.get("left", ""))
    for code in side.get("penalties", ()):
        unfold(page, f"{key}-penalty-{code}")
        step(page, f"{key}-penalty-{code}", 1)


def _laid(page: Page, key: str, side: dict[str, Any], *, tapping: bool) -> None:
    nothing = page.locator(f"label[for={key}-way-nothing]")
    if side.get("melds"):
        page.locator(f"label[for={key}-way-cards]").tap()
        for number, meld in enumerate(side["melds"]):
            enter_meld(page, key, number, meld, tapping=tapping)
    elif "totals" not in side and nothing.count():
        nothing.tap()
    elif page.locator(f"#{key}-way-totals").count():
        totals = side.get("totals", {"canastas": {}, "cards": 0})
        page.locator(f"label[for={key}-way-totals]").tap()
        for item, count in totals["canastas"].items():
            step(page, f"{key}-canasta-{item}", count)
        page.locator(f"#{key}-cards").fill(str(totals["cards"]))


def enter_meld(page: Page, key: str, number: int, meld: str, *, tapping: bool = False) -> None:
    """Enter a meld, the first or another one."""
    if number:
        page.locator(f"button[value='meld-new:{key}']").tap()
    row = page.locator(f"input.meld-text[id^={key}-meld-]")
    expect(row).to_have_count(1)
    expect(row).to_have_value("")
    if not tapping:
        row.fill(meld)
        return
    for token in meld.split():
        count, _, card = token.rpartition("x")
        tap_card(page, key, card, int(count or 1))


def tap_card(page: Page, key: str, card: str, times: int = 1) -> None:
    """Tap a card into the meld at hand; one with a suit (`10h`) after its suit."""
    suited = re.fullmatch(r"(10|[AKQJ2-9])([hdsc])", card)
    if suited:
        page.locator(f"label[for={key}-suit-{suited[2]}]").tap()
    for _ in range(times):
        page.locator(f"button[value='card:{key}:{suited[1] if suited else card}']").tap()


def _left(page: Page, key: str, left: object) -> None:
    """The cards still in hand; whoever went out is asked for none."""
    if isinstance(left, int):
        page.locator(f"label[for={key}-left-way-points]").tap()
        page.locator(f"#{key}-left").fill(str(left))
        return
    way, field = page.locator(f"label[for={key}-left-way-cards]"), page.locator(f"#{key}-left-cards-0")
    if way.count() and way.is_visible():
        way.tap()
    cards = left if isinstance(left, str) else " ".join(left)  # type: ignore[arg-type]
    if field.count() and field.is_visible():
        field.fill(cards or "0")


def step(page: Page, field: str, times: int) -> None:
    """Tap the plus beside a field so many times."""
    for _ in range(times):
        page.locator(f"button[value='up:{field}'], button[value^='up:{field}:']").tap()
    if times:
        expect(page.locator(f"#{field}")).to_have_value(str(times))


def unfold(page: Page, field: str) -> None:
    """Open what the field stands in."""
    details = page.locator(f"details:has(#{field})")
    if details.count() and not details.last.evaluate("element => element.open"):
        details.last.locator("summary").first.tap()


def save(page: Page) -> None:
    """Save the hand and come to the match page."""
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()


def refused(page: Page) -> str:
    """Press save on what cannot be; what the summary on top says."""
    save(page)
    expect(page).to_have_title(re.compile("^Errore: "))
    return str(page.locator(".errors").first.inner_text())


def totals(page: Page) -> list[str]:
    """The totals at the top of the match page, once it is there."""
    page.locator(".head .total").first.wait_for()
    return [text.strip() for text in page.locator(".head .total").all_inner_texts()]


def minimums(page: Page) -> list[str]:
    """The opening minimums of the coming hand."""
    return page.locator(".head .minimum").all_inner_texts()


def sheet(page: Page, folder: Path) -> str:
    """The text of the match sheet, fetched from the match page."""
    link = page.get_by_role("link", name=re.compile("Foglio"))
    answer = page.request.get(page.url.split("/partite")[0] + str(link.get_attribute("href")))
    assert answer.headers["content-type"] == "application/pdf"
    file = folder / "sheet.pdf"
    file.write_bytes(answer.body())
    done = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True)
    return done.stdout


def figure(number: int) -> str:
    """As the pad writes it: 1.500, with a real minus."""
    return f"{number:,}".replace(",", ".").replace("-", "\N{MINUS SIGN}")
