"""The count in a real browser of phone size: taps, the live check, a network that goes away, and what axe finds."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId, RequestId
from scorepad.web.cards import grow, shrink
from tests.web.playing import DEVICE

MOST_TAPS = 20


@dataclass
class Fingers:
    """A person at the screen, whose taps are counted; a figure typed on the keypad counts as one."""

    page: Page
    taps: int = field(default=0)

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.tap()
        self.taps += 1

    def type(self, field_id: str, figure: str) -> None:
        self.page.locator(f"#{field_id}").fill(figure)
        self.taps += 1


def counting(match: MatchId) -> str:
    return f"/partite/{match}/smazzata"


@pytest.mark.quick
def test_a_usual_hand_takes_at_most_twenty_taps(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    page = open_page(f"/partite/{match}")
    fingers = Fingers(page)
    fingers.tap(f'a[href="{counting(match)}"]')
    for key, cards, left in (("a", "335", "15"), ("b", "290", "85")):
        fingers.tap(f'button[value="up:{key}-canasta-natural-canasta"]')
        fingers.tap(f'button[value="up:{key}-canasta-mixed-canasta"]')
        fingers.type(f"{key}-cards", cards)
        fingers.tap(f'button[value="up:{key}-red"]')
        fingers.type(f"{key}-left", left)
    fingers.tap('label[for="out"]')
    fingers.tap('button[value="save"]')
    page.wait_for_url(f"**/partite/{match}")
    (counted,) = pad.state(match, DEVICE).hands
    # 500 + 300 + 335 + 100 + 100 - 15; 500 + 300 + 290 + 100 - 85
    assert [side.hand for side in counted.sides] == [1320, 1105]
    # Even with each field tapped before its figure is typed it would be 17.
    assert fingers.taps == 13
    assert fingers.taps + 4 <= MOST_TAPS


@pytest.mark.quick
def test_totals_and_problems_appear_while_typing(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    page = open_page(counting(new_match()))
    page.locator("#a-cards").fill("335")
    page.locator("#b-cards").fill("90")
    expect(page.locator("#bar-told")).to_have_text(re.compile(r"Noi \+335\s+Loro \+90"))
    expect(page.locator("#count-told")).to_have_text(re.compile(r"Noi: \+335 in questa smazzata"))
    page.locator('label[for="out"]').tap()
    expect(page.locator("#out-notes")).to_contain_text("Noi: la chiusura non è possibile, serve almeno 1 canasta")
    expect(page.locator("#count-told")).to_have_text("1 cosa da correggere.")
    page.locator('button[value="up:a-canasta-natural-canasta"]').tap()
    expect(page.locator("#out-notes")).to_be_empty()
    expect(page.locator("#bar-told")).to_contain_text("+935")
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro alle ")


def test_a_meld_grows_by_taps_and_tells_what_it_is(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    page = open_page(counting(match))
    page.locator('label[for="a-way-cards"]').tap()
    for token in ("K", "K", "K", "K", "2", "2", "JK"):
        page.locator(f'#side-a button[data-card="{token}"]').tap()
    assert page.locator("#a-meld-0").input_value() == "4xK 2x2 JK"
    expect(page.locator("#a-meld-0-told")).to_contain_text("canasta mista · 130 punti")
    expect(page.locator("#a-meld-0-told")).to_contain_text("4 re, 2 pinelle e 1 jolly")
    page.locator('#side-a button[value="meld-new:a"]').tap()
    expect(page.locator("#side-a .meld")).to_have_count(2)
    page.locator("#a-meld-1").fill("3xQ")
    expect(page.locator("#a-meld-1-told")).to_contain_text("combinazione · 30 punti")
    page.locator("#a-left").fill("15")
    page.locator("#b-cards").fill("0")
    page.locator("#b-left").fill("85")
    page.locator('label[for="out"]').tap()
    page.locator('button[value="save"]').tap()
    page.wait_for_url(f"**/partite/{match}")
    assert pad.state(match, DEVICE).hands[0].sides[0].hand == 300 + 130 + 30 + 100 - 15


def test_taps_write_the_same_line_with_and_without_the_script(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    page = open_page(counting(new_match()))
    page.locator('label[for="a-way-cards"]').tap()
    line = ""
    for token in ("10", "10", "", "A", "A", "A", "", "2", "JK", "3b", "", "", "Q", ""):
        if token:
            page.locator(f'#side-a button[data-card="{token}"]').tap()
            line = grow(line, token)
        else:
            page.locator("#side-a button[data-uncard]").tap()
            line = shrink(line)
        assert page.locator("#a-meld-0").input_value() == line


def test_a_refused_hand_takes_the_focus_to_the_summary(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    page = open_page(counting(new_match()))
    page.locator("#a-cards").fill("1.335")
    page.locator("#a-left").fill("15")
    page.locator("#b-left").fill("85")
    page.locator('button[value="save"]').tap()
    expect(page).to_have_title(re.compile("^Errore: "))
    expect(page.locator(".errors")).to_be_focused()
    page.locator(".errors a").first.tap()
    expect(page.locator("#a-cards")).to_be_focused()
    expect(page.locator("#a-cards")).to_have_value("1.335")


def test_a_refused_hand_loaded_again_sends_nothing(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    page = open_page(counting(match), java_script_enabled=False)
    page.locator("#a-cards").fill("1.335")
    page.locator('button[value="save"]').tap()
    expect(page).to_have_title(re.compile("^Errore: "))
    version = pad.open(match, DEVICE).version
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    page.reload()
    expect(page).to_have_title(re.compile("^Errore: "))
    assert set(sent) == {"GET"}
    assert page.locator("#a-cards").input_value() == "1.335"
    assert pad.open(match, DEVICE).version == version


def test_what_is_typed_while_the_network_is_away_is_kept_when_it_is_back(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    page = open_page(counting(match))
    page.context.set_offline(True)
    page.locator("#a-cards").fill("335")
    expect(page.locator("#kept")).to_contain_text("La rete non risponde")
    page.locator('button[value="save"]').tap()
    expect(page.locator("#a-cards")).to_have_value("335")
    page.context.set_offline(False)
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro", timeout=10_000)
    assert pad.open(match, DEVICE).draft["a.cards"] == "335"


def test_a_correction_survives_a_reload_until_it_is_begun_afresh(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    coming = pad.open(match, DEVICE)
    hand = {"sides": {key: {"totals": {"cards": 100}} for key in ("a", "b")}, "out": None}
    pad.count(RequestId(secrets.token_hex(16)), match, DEVICE, coming.id, coming.version, hand)
    page = open_page(f"/partite/{match}/smazzate/1/correggi")
    page.locator("#a-cards").fill("105")
    page.locator("#note").fill("un 4 dimenticato")
    expect(page.locator("#bar-told")).to_contain_text("+105")
    page.reload()
    expect(page.locator("#a-cards")).to_have_value("105")
    expect(page.locator("#note")).to_have_value("un 4 dimenticato")
    expect(page.locator("#kept")).to_contain_text("Ho ripreso quello che avevi scritto")
    page.locator("#afresh").tap()
    expect(page.locator("#a-cards")).to_have_value("100")


@pytest.mark.quick
def test_two_pages_at_once_are_asked_which_to_keep(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    first, second = open_page(counting(match)), open_page(counting(match))
    first.locator("#a-cards").fill("300")
    expect(first.locator("#kept")).to_contain_text("Bozza al sicuro")
    second.locator("#a-cards").fill("310")
    expect(second.locator("h1")).to_have_text("Qualcun altro ha scritto nella smazzata 1")
    expect(second.locator("tbody")).to_contain_text(re.compile(r"300\s*310"))


def test_what_only_another_page_had_and_does_not_count_is_drawn_here_too(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    first, second = open_page(counting(match)), open_page(counting(match))
    first.locator("#a-cards").fill("300")
    first.locator('label[for="b-way-cards"]').tap()
    first.locator("#b-meld-0").fill("3xQ")
    first.locator('label[for="b-way-totals"]').tap()
    expect(first.locator("#kept")).to_contain_text("Bozza al sicuro")
    second.locator("#a-cards").fill("300")
    expect(second.locator("#kept")).to_contain_text("Bozza al sicuro")
    expect(second.locator("#b-meld-0")).to_have_value("3xQ")
    expect(second.locator("#a-cards")).to_be_focused()
    second.locator("#a-cards").fill("305")
    expect(second.locator("#kept")).to_contain_text("Bozza al sicuro")
    expect(second.locator("#bar-told")).to_contain_text("+305")
    assert pad.open(match, DEVICE).draft["b-meld-0"] == "3xQ"


@pytest.mark.quick
def test_the_keyboard_alone_counts_a_hand(
    pad: Pad, new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    match = new_match()
    page = open_page(counting(match), 1280, 800)
    for key in ("a", "b"):
        page.locator(f"#{key}-cards").focus()
        page.keyboard.type("100")
        page.locator(f"#{key}-left").focus()
        page.keyboard.type("15")
    page.keyboard.press("Enter")
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro")
    assert pad.state(match, DEVICE).hands == []
    page.locator("#out").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#out-nobody")).to_be_checked()
    page.locator('button[value="save"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/partite/{match}")
    assert [side.hand for side in pad.state(match, DEVICE).hands[0].sides] == [85, 85]


LONG = ("Le nonne di Castelvecchio di Rocca Barbena", "Gli zii Ferruccio e Bartolomeo")


USUAL = [(320, "dark", "it-IT"), (390, "light", "en-GB"), (1280, "dark", "en-GB"), (320, "light", "en-GB")]
"""Every width, theme and language; all that they make together is looked at under `full`."""
LOOKS = [
    pytest.param(*look, marks=[] if look in USUAL else [pytest.mark.full])
    for look in product([320, 390, 1280], ["light", "dark"], ["it-IT", "en-GB"])
]


@pytest.mark.parametrize(("width", "theme", "language"), LOOKS)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page], language: str, theme: str, width: int
) -> None:
    page = open_page(counting(new_match("classica", "getty", LONG)), width, 800, locale=language, color_scheme=theme)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    page.locator("#a-cards").fill("12")
    page.locator('label[for="b-way-cards"]').click()
    page.locator("#b-meld-0").fill("4xK 2x2 JK")
    page.locator('#side-b button[value="meld-new:b"]').click()
    page.locator("#b-meld-1").fill("3xQ 7")
    expect(page.locator("#b-meld-1-notes")).not_to_be_empty()
    look(page)
    page.locator('button[value="save"]').click()
    expect(page.locator(".errors")).to_be_visible()
    look(page)


def look(page: Page) -> None:
    """What axe finds, sideways scrolling, and controls too small for a finger."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    small = page.evaluate(
        """() => [...document.querySelectorAll('.counting button:not(.unseen), .counting input:not([type]),'
          + '.counting select, .counting summary, .counting .tab + label, .counting .tick')]
          .filter(each => each.getClientRects().length).map(each => [each, each.getBoundingClientRect()])
          .filter(([each, box]) => box.height < 47.5 || box.width < 47.5)
          .map(([each, box]) => `${each.outerHTML.slice(0, 60)} ${box.width}x${box.height}`)"""
    )
    assert small == []


def test_text_twice_as_large_still_fits_a_small_screen(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    page = open_page(counting(new_match(names=LONG)), 320, 640)
    page.locator('label[for="b-way-cards"]').tap()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_list_on_top_of_what_is_wrong_goes_with_the_one_below(
    new_match: Callable[..., MatchId], open_page: Callable[..., Page]
) -> None:
    page = open_page(counting(new_match()))
    page.locator("#a-cards").fill("100")
    page.locator("#a-left").fill("15")
    page.locator("#b-cards").fill("102")
    page.locator('button[value="save"]').tap()
    summary = page.locator(".errors")
    # Card points of 102, the cards left of Loro, and who went out.
    expect(summary.locator("li")).to_have_count(3)
    expect(summary.locator("h2")).to_contain_text("3")
    page.locator("#b-cards").fill("100")
    expect(summary.locator("li")).to_have_count(2)
    expect(summary.locator("h2")).to_contain_text("2")
    page.locator("#b-left").fill("15")
    page.locator('label[for="out-nobody"]').tap()
    expect(summary).to_be_hidden()
    expect(page).to_have_title("Smazzata 1 – scorepad")
