"""Counting by value, by the sum and by agreement in a real browser: phone and desktop, with and without the script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from tests.web.playing import DEVICE
from tests.web.test_count_in_browser import LONG, MOST_TAPS, Fingers, counting, look

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
    page = open_page(counting(new_match("classica", "getty", LONG)), width, 800, locale=language, color_scheme=theme)
    unfold(page)
    page.locator('label[for="a-way-values"]').click()
    for points in (50, 20, 10, 5):
        page.locator(f"#a-value-{points}").fill("4")
    page.locator('label[for="b-way-sum"]').click()
    page.locator("#b-sum").fill("1250")
    page.locator("#b-sum-below").check()
    page.locator("#b-adjustments-0-points").fill("7")
    page.locator("#b-adjustments-0-reason").fill("perché sì")
    page.locator("#a-left").fill("0")
    page.locator('label[for="out"]').click()
    expect(page.locator("#b-sum-notes")).not_to_be_empty()
    look(page)
    page.locator(SAVE).click()
    expect(page.locator("#agreement-never")).not_to_be_empty()
    look(page)
    page.locator("#b-adjustments-0-points").fill("10")
    expect(page.locator("#agreement")).to_be_visible()
    unfold(page)
    look(page)
    page.locator("#agreed").fill("va bene a tutti")
    expect(page.locator(".note.agreed").first).to_be_visible()
    look(page)


def test_text_twice_as_large_still_fits_a_small_screen(new_match: NewMatch, open_page: OpenPage) -> None:
    page = open_page(counting(new_match(names=LONG)), 320, 640)
    page.locator('label[for="a-way-values"]').tap()
    page.locator('label[for="b-way-sum"]').tap()
    unfold(page)
    page.evaluate("document.getElementById('agreement').hidden = false")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_hand_by_value_takes_no_more_taps_than_one_by_totals_may(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    fingers = Fingers(open_page(counting(match)))
    for key in ("a", "b"):
        fingers.tap(f'label[for="{key}-way-values"]')
        for points, count in ((50, "1"), (20, "3"), (10, "9"), (5, "2")):
            fingers.type(f"{key}-value-{points}", count)
        fingers.type(f"{key}-left", "20")
    fingers.tap('label[for="out-nobody"]')
    expect(fingers.page.locator("#a-values-told")).to_have_text(
        "1\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}50 + 3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}20 + "
        "9\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10 + 2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}5 = 210 punti"
    )
    fingers.tap(SAVE)
    fingers.page.wait_for_url(f"**/partite/{match}")
    assert [side.hand for side in pad.state(match, DEVICE).hands[0].sides] == [190, 190]
    assert fingers.taps <= MOST_TAPS


def test_a_stepper_of_values_stops_at_what_the_decks_hold(new_match: NewMatch, open_page: OpenPage) -> None:
    page = open_page(counting(new_match()))
    page.locator('label[for="a-way-values"]').tap()
    for _ in range(6):
        page.locator('button[value="up:a-value-50"]').tap()
    expect(page.locator("#a-value-50")).to_have_value("4")


def test_what_takes_the_place_of_a_count_hides_it_and_clears_nothing(new_match: NewMatch, open_page: OpenPage) -> None:
    page = open_page(counting(new_match()))
    page.locator("#a-cards").fill("300")
    page.locator("#a-left").fill("15")
    page.locator('label[for="a-way-sum"]').tap()
    for gone in ("#a-cards", "#a-left", "#a-red_threes"):
        expect(page.locator(gone)).to_be_hidden()
    expect(page.locator("#a-sum")).to_be_visible()
    page.locator('label[for="a-way-totals"]').tap()
    expect(page.locator("#a-cards")).to_have_value("300")
    expect(page.locator("#a-left")).to_be_visible()


def test_once_one_of_a_pair_has_a_sum_the_other_is_asked_for_its_own(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match("tagliagola", names=("Anna", "Bea", "Carlo"))
    page = open_page(counting(match))
    page.locator('label[for="single-c"]').tap()
    expect(page.locator("#b-way-totals")).to_have_count(0)
    page.locator('label[for="a-way-sum"]').tap()
    page.locator("#a-sum").fill("200")
    expect(page.locator("#b-way-totals")).to_have_count(1)
    expect(page.locator("#a-sum")).to_have_value("200")
    page.locator('label[for="b-way-sum"]').tap()
    page.locator("#b-sum").fill("300")
    page.locator('label[for="c-way-sum"]').tap()
    page.locator("#c-sum").fill("50")
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    assert [side.hand for side in pad.state(match, DEVICE).hands[0].sides] == [200, 300, 50]


def test_without_the_script_all_of_it_works(pad: Pad, new_match: NewMatch, open_page: OpenPage) -> None:
    match = new_match()
    page = open_page(counting(match), java_script_enabled=False)
    page.locator('label[for="a-way-values"]').tap()
    page.locator('button[value="up:a-value-20"]').tap()
    expect(page.locator("#a-value-20")).to_have_value("1")
    page.locator("#a-value-20").fill("5")
    page.locator("#a-left").fill("0")
    page.locator('label[for="b-way-sum"]').tap()
    page.locator("#b-sum").fill("40")
    page.locator("#b-sum-below").check()
    adjust(page)
    page.locator('label[for="out"]').tap()
    page.locator(".remark summary").tap()
    page.locator("#remark").fill("a lume di candela")
    page.locator(SAVE).tap()
    expect(page).to_have_title(re.compile("^Errore: "))
    page.locator("#agreed").fill("nessuno se n'era accorto")
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    (counted,) = pad.state(match, DEVICE).hands
    # 5 × 20 and 100 for going out; 40 below zero, 20 given
    assert [side.hand for side in counted.sides] == [200, -20]
    assert counted.versions[-1].agreed == "nessuno se n'era accorto"
    assert counted.remark == "a lume di candela"


def adjust(page: Page) -> None:
    """Twenty points agreed for the second side, and room for more."""
    page.locator("#side-b summary").first.tap()
    page.locator("#b-adjustments-0-points").fill("20")
    page.locator("#b-adjustments-0-reason").fill("primo giro")
    page.locator('button[value="adjust-new:b"]').tap()
    expect(page.locator("#b-adjustments-1-points")).to_be_visible()
