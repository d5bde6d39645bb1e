"""A hand entered through the page, as a person would: with taps, and with figures and cards typed."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

KEYS = {"noi": "a", "loro": "b"}


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


def fill(page: Page, hand: dict[str, Any], *, tapping: bool = False) -> None:
    """Enter a whole hand; `tapping`: the cards are tapped and not typed."""
    for name, side in hand["sides"].items():
        _side(page, KEYS[name], side, tapping=tapping)
    out = hand.get("out")
    page.locator(f"label[for={_out(out)}]").tap()
    if out and out.get("concealed"):
        page.locator("#concealed").check()
    if out and out.get("discard"):
        page.locator("summary", has_text="Ultimo scarto").tap()
        page.locator("#discard").select_option(out["discard"])


def _out(out: dict[str, Any] | None) -> str:
    """The id of the choice of who went out: the first of them bears the name of the group."""
    if out is None:
        return "out-nobody"
    return "out" if out["side"] == "noi" else "out-b"


def _side(page: Page, key: str, side: dict[str, Any], *, tapping: bool) -> None:
    if not side.get("totals") and not side["melds"]:
        side = {**side, "totals": {"canastas": {}, "cards": 0}}
    if "totals" in side:
        page.locator(f"label[for={key}-way-totals]").tap()
        for item, count in side["totals"]["canastas"].items():
            step(page, f"{key}-canasta-{item}", count)
        page.locator(f"#{key}-cards").fill(str(side["totals"]["cards"]))
    else:
        page.locator(f"label[for={key}-way-cards]").tap()
        for number, meld in enumerate(side["melds"]):
            _meld(page, key, number, meld, tapping=tapping)
    step(page, f"{key}-red", side.get("red_threes", 0))
    _left(page, key, side.get("left", ""))
    for code in side.get("penalties", ()):
        _unfold(page, f"{key}-penalty-{code}")
        step(page, f"{key}-penalty-{code}", 1)


def _meld(page: Page, key: str, number: int, meld: str, *, tapping: bool) -> None:
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
        for _ in range(int(count or 1)):
            page.locator(f"button[value='card:{key}:{card}']").tap()


def _left(page: Page, key: str, left: object) -> None:
    if isinstance(left, int):
        page.locator(f"label[for={key}-left-way-points]").tap()
        page.locator(f"#{key}-left").fill(str(left))
    else:
        page.locator(f"label[for={key}-left-way-cards]").tap()
        cards = left if isinstance(left, str) else " ".join(left)  # type: ignore[arg-type]
        page.locator(f"#{key}-left-cards-0").fill(cards)


def step(page: Page, field: str, times: int) -> None:
    """Tap the plus beside a field so many times."""
    for _ in range(times):
        page.locator(f"button[value='up:{field}']").tap()
    if times:
        expect(page.locator(f"#{field}")).to_have_value(str(times))


def _unfold(page: Page, field: str) -> None:
    details = page.locator(f"details:has(#{field})").last
    if not details.evaluate("element => element.open"):
        details.locator("summary").first.tap()


def save(page: Page) -> None:
    """Save the hand and come to the match page."""
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()


def totals(page: Page) -> list[str]:
    """The totals at the top of the match page."""
    return [text.strip() for text in page.locator(".head .total").all_inner_texts()]


def minimums(page: Page) -> list[str]:
    """The opening minimums of the coming hand."""
    return page.locator(".head .minimum").all_inner_texts()
