"""Agreed sums, adjustments and agreements in a real browser: phone and desktop, with and without
the script.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from tests.web.playing import DEVICE
from tests.web.test_hand_in_browser import LONG, counting, look

NewMatch = Callable[..., MatchId]
OpenPage = Callable[..., Page]
SAVE = 'button[value="save"]'


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")


@pytest.mark.parametrize(
    ("language", "theme", "width"),
    [
        ("it-IT", "dark", 320),
        ("en-GB", "light", 1280),
        pytest.param("it-IT", "light", 320, marks=pytest.mark.full),
        pytest.param("en-GB", "dark", 390, marks=pytest.mark.full),
    ],
)
def test_axe_finds_nothing_in_the_other_ways_and_nothing_is_too_wide(
    new_match: NewMatch, open_page: OpenPage, language: str, theme: str, width: int
) -> None:
    page = open_page(
        counting(new_match("classica", "getty", LONG)),
        width,
        800,
        locale=language,
        color_scheme=theme,
    )
    unfold(page)
    page.locator("#a-cards").fill("4x50+4x20+4x10+4x5")
    page.locator("#b-sum").fill("-1250")
    page.locator("#b-adjustments-0-points").fill("7")
    page.locator("#b-adjustments-0-reason").fill("perché sì")
    page.locator("#a-left").fill("0")
    page.locator('label[for="out"]').click()
    expect(page.locator("#b-sum-messages")).not_to_be_empty()
    look(page)
    page.locator(SAVE).click()
    expect(page.locator("#agreement-never")).not_to_be_empty()
    look(page)
    page.locator("#b-adjustments-0-points").fill("10")
    expect(page.locator("#agreement")).to_be_visible()
    unfold(page)
    look(page)
    page.locator("#agreed").fill("va bene a tutti")
    expect(page.locator(".message.agreed").first).to_be_visible()
    look(page)


def test_text_twice_as_large_still_fits_a_small_screen(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(counting(new_match(names=LONG)), 320, 640)
    unfold(page)
    page.evaluate("document.getElementById('agreement').hidden = false")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


def test_beside_an_agreed_sum_what_was_typed_stays_and_does_not_count(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(counting(new_match()))
    page.locator("#a-cards").fill("300")
    page.locator("#a-left").fill("15")
    page.locator("#more-a summary").tap()
    page.locator("#a-sum").fill("430")
    expect(page.locator("#hand-a")).to_have_text("+430")
    expect(page.locator("#a-cards")).to_have_value("300")
    page.locator("#a-sum").fill("")
    expect(page.locator("#hand-a")).to_have_text("+285")


def test_once_one_of_a_pair_has_a_sum_the_other_is_asked_for_its_own(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match("tagliagola", names=("Anna", "Bea", "Carlo"))
    page = open_page(counting(match))
    page.locator('label[for="single-c"]').tap()
    expect(page.locator("#b-cards")).to_be_hidden()
    page.locator("#more-a summary").tap()
    page.locator("#a-sum").fill("200")
    expect(page.locator("#b-cards")).to_be_visible()
    for key, figure in (("b", "300"), ("c", "50")):
        page.locator(f"#more-{key} summary").tap()
        page.locator(f"#{key}-sum").fill(figure)
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    assert [side.hand for side in pad.state(match, DEVICE).hands[0].sides] == [200, 300, 50]


def test_without_the_script_all_of_it_works(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    page = open_page(counting(match), java_script_enabled=False)
    page.locator("#a-cards").fill("5x20")
    page.locator("#a-left").fill("0")
    adjust(page)
    page.locator("#b-sum").fill("-40")
    page.locator('label[for="out"]').tap()
    page.locator("#rest summary").tap()
    page.locator("#remark").fill("a lume di candela")
    page.locator(SAVE).tap()
    expect(page).to_have_title(re.compile("^Errore: "))
    page.locator("#agreed").fill("nessuno se n'era accorto")
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    (counted,) = pad.state(match, DEVICE).hands
    # 5 × 20 and 100 for going out; 40 below zero, 20 given
    assert [side.hand for side in counted.sides] == [200, -20]
    assert counted.versions[-1].event.agreed == "nessuno se n'era accorto"
    assert counted.remark == "a lume di candela"


def adjust(page: Page) -> None:
    """Twenty points agreed for the second side, and room for more."""
    page.locator("#more-b summary").tap()
    page.locator("#b-adjustments-0-points").fill("20")
    page.locator("#b-adjustments-0-reason").fill("primo giro")
    page.locator("#check").tap()
    expect(page.locator("#b-adjustments-1-points")).to_be_visible()
