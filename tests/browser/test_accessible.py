"""axe finds nothing on the pages of any variant, in both languages, both themes and three widths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.variants import settle, variant_ids
from scorepad.storage import Storage
from tests.cookies import device_in
from tests.matches.whole_matches import GOLDEN, whole

LOOKS = [
    ("it-IT", "light", 390), ("it-IT", "dark", 320), ("en-GB", "light", 1280), ("en-GB", "dark", 390),
]  # fmt: skip


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.parametrize("turn", range(len(LOOKS)))
def test_axe_finds_nothing_on_the_pages_of_any_variant(
    phone: Callable[..., Page], data: Path, turn: int, *, whole: bool
) -> None:
    """Each variant in one of the looks, in turn; all looks see all kinds of pages, two of them of
    each variant.
    """
    locale, theme, width = LOOKS[turn]
    page = phone(locale=locale, color_scheme=theme, viewport={"width": width, "height": 844})
    origin = page.url.rstrip("/")
    page.context.add_cookies([{"name": "scorepad_language", "value": locale[:2], "url": origin}])
    device = device_in(
        next(
            cookie["value"]
            for cookie in page.context.cookies()
            if cookie["name"] == "scorepad_device"
        )
    )
    look_at(page, f"{origin}/regole")
    with Storage(data) as storage:
        pad = Pad(storage)
        for place, variant in enumerate(variant_ids()[turn :: len(LOOKS)]):
            match = half_played(pad, variant, DeviceId(device))
            addresses = (
                f"/regole/{variant}", f"/partite/nuova?variante={variant}", f"/partite/{match}",
                f"/partite/{match}/smazzata",
            )  # fmt: skip
            for address in addresses if whole else addresses[place % 2 :: 2]:
                look_at(page, origin + address)


def half_played(pad: Pad, variant: str, device: DeviceId) -> MatchId:
    """A match of the variant with two hands counted, where it has a whole one."""
    is_told = (GOLDEN / f"{variant}-whole-match.json").exists()
    new = whole(variant).new if is_told else usual(variant)
    hands = whole(variant).hands_of_pad[:2] if is_told else ()
    told = pad.actions.start(RequestId(f"start-{variant}"), device, new)
    assert isinstance(told, Saved)
    for number, hand in enumerate(hands):
        coming = pad.open(told.match, device)
        pad.count(
            RequestId(f"{variant}-{number}"),
            told.match,
            device,
            ShownDraft(coming.id, coming.version),
            SentHand(hand=hand),
        )
    return told.match


def usual(variant: str) -> NewMatch:
    """A match of the variant between sides that go by a number."""
    sides = settle(variant).settings.sides
    return NewMatch(
        variant,
        None,
        {},
        Labels(tuple(f"Squadra {number}" for number, _ in enumerate(sides, 1)), ()),
    )


def look_at(page: Page, url: str) -> None:
    """A page with everything on it unfolded: nothing for axe to find, nothing too wide, one heading
    on top.
    """
    page.goto(url)
    for fold in page.locator("details").all():
        fold.evaluate("element => element.open = true")
    found = Axe().run(page)
    assert found.violations_count == 0, f"{url}: {found.generate_report()}"
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    ), url
    assert page.locator("h1").count() == 1, url
    assert str(page.locator("h1").text_content()).strip() in page.title(), url
