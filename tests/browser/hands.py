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
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()


def open_hand(page: Page) -> None:
    """Go to the coming hand from the match page."""
    with page.expect_navigation():
        page.locator(".bar a.primary").tap()


def fill(
    page: Page, hand: dict[str, Any], *, names: tuple[str, ...] = PAIRS, tapping: bool = False
) -> None:
    """Enter a whole hand of sides so named; `tapping`: the cards are tapped and not typed."""
    if "single" in hand:
        choose(
            page,
            "single",
            "nobody" if hand["single"] is None else KEYS[names.index(hand["single"])],
        )
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
    step(page, f"{key}-red_threes", side.get("red_threes", 0))
    _left(page, key, side.get("left", ""))
    for code in side.get("penalties", ()):
        unfold(page, f"{key}-penalties-{code}")
        step(page, f"{key}-penalties-{code}", 1)


def _laid(page: Page, key: str, side: dict[str, Any], *, tapping: bool) -> None:
    cards = page.locator(f"#{key}-cards")
    if side.get("melds"):
        for number, meld in enumerate(side["melds"]):
            enter_meld(page, key, number, meld, tapping=tapping)
    elif "totals" in side or (cards.count() and cards.is_visible()):
        totals = side.get("totals", {"canastas": {}, "cards": 0})
        for item, count in totals["canastas"].items():
            step(page, f"{key}-canastas-{item}", count)
        cards.fill(str(totals["cards"]))
    elif not cards.count():
        unfold(page, f"{key}-melds")
        page.locator(f"#{key}-melds").fill("0")


def enter_meld(page: Page, key: str, number: int, meld: str, *, tapping: bool = False) -> None:
    """Enter a meld, the first or another one."""
    unfold(page, f"{key}-melds")
    melds = page.locator(f"#{key}-melds")
    if not tapping:
        melds.fill("\n".join([*filter(None, melds.input_value().split("\n")), meld]))
        return
    if page.locator("#card-keys").is_hidden() or not number:
        melds.focus()
    if number:
        page.locator("#card-keys button[data-key=meld]").tap()
    for token in meld.split():
        count, _, card = token.rpartition("x")
        tap_card(page, card, int(count or 1))


def tap_card(page: Page, card: str, times: int = 1) -> None:
    """Tap a card into the meld at hand; one with a suit (`10h`) with its suit pressed."""
    suited = re.fullmatch(r"(10|[AKQJ2-9])([hdsc])", card)
    if suited:
        suit = page.locator(f"#card-keys button[data-suit={suited[2]}]")
        if suit.get_attribute("aria-pressed") == "false":
            suit.tap()
    for _ in range(times):
        page.locator(f"#card-keys button[data-card='{suited[1] if suited else card}']").tap()


def _left(page: Page, key: str, left: object) -> None:
    """The cards still in hand; whoever plays alone and went out has none."""
    points, cards = page.locator(f"#{key}-left"), page.locator(f"#{key}-left-0")
    if isinstance(left, int) or (not left and points.count()):
        points.fill(str(left or 0))
        return
    unfold(page, f"{key}-left-0")
    apart = page.locator(f"#{key}-left-1").count()
    hands = [left] if isinstance(left, str) else list(left)  # type: ignore[call-overload]
    if apart:
        for number, hand in enumerate(hands):
            page.locator(f"#{key}-left-{number}").fill(hand or "0")
    else:
        cards.fill(" ".join(filter(None, hands)) or "0")


def step(page: Page, field: str, times: int) -> None:
    """Type how many there are."""
    if times:
        page.locator(f"#{field}").fill(str(times))


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
