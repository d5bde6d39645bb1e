"""The count in a real browser of phone size: taps, the keyboard, and the live check."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from scorepad.matches import Pad
from tests.web.counting import NewMatch, OpenPage, address_of_count, count_on_pad
from tests.web.playing import DEVICE, hand, side

SAVE = 'button[value="save"]'


@pytest.mark.quick
def test_totals_and_problems_appear_while_typing(new_match: NewMatch, open_page: OpenPage) -> None:
    page = open_page(address_of_count(new_match()))
    status = page.locator("#count-status")
    problem = page.locator("#out-messages")

    page.locator("#a-cards").fill("335")
    expect(status).to_contain_text("Noi: +335 in questa smazzata")

    page.locator('label[for="out"]').tap()
    expect(problem).to_contain_text("Noi: la chiusura non è possibile, serve almeno una canasta")
    expect(status).to_have_text("1 cosa da correggere.")
    wrong = page.locator("#bar-message .bar-wrong a")
    expect(wrong).to_contain_text("1 da correggere")
    wrong.tap()
    expect(page.locator("#out")).to_be_focused()

    page.locator("#a-canastas-natural-canasta").fill("1")
    expect(problem).to_be_empty()
    expect(page.locator("#hand-a")).to_have_text("+935")


def test_a_refused_hand_takes_the_focus_to_the_summary(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(new_match()))
    page.locator("#a-cards").fill("1.335")
    page.locator("#a-left").fill("15")
    page.locator("#b-left").fill("85")

    page.locator(SAVE).tap()

    expect(page).to_have_title(re.compile("^Errore: "))
    expect(page.locator(".errors")).to_be_focused()
    page.locator(".errors a[href='#b-cards']").tap()
    expect(page.locator("#b-cards")).to_be_focused()
    expect(page.locator("#a-cards")).to_have_value("1.335")


@pytest.mark.quick
def test_a_correction_survives_a_reload_until_it_is_begun_afresh(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    count_on_pad(pad, match, hand(side(100), side(100)))
    page = open_page(f"/partite/{match}/smazzate/1/correggi")
    page.locator("#a-cards").fill("105")
    page.locator("#reason").fill("un 4 dimenticato")
    is_checked = "Non ancora salvata: quello che scrivi resta solo su questo telefono."
    expect(page.locator("#kept")).to_have_text(is_checked)
    expect(page.locator("#hand-a")).to_contain_text("+105")

    page.reload()
    expect(page.locator("#a-cards")).to_have_value("105")
    expect(page.locator("#reason")).to_have_value("un 4 dimenticato")
    expect(page.locator("#kept")).to_contain_text("Ho ripreso quello che avevi scritto")

    page.locator("#afresh").tap()
    expect(page.locator("#a-cards")).to_have_value("100")


@pytest.mark.quick
def test_the_keyboard_alone_counts_a_hand(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    page = open_page(address_of_count(match), 1280, 800)
    for field, figure in (
        ("a-cards", "100"),
        ("a-left", "15"),
        ("b-cards", "100"),
        ("b-left", "15"),
    ):
        page.locator(f"#{field}").focus()
        page.keyboard.type(figure)
    page.keyboard.press("Enter")  # to the next cell, or out of the last one
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro")
    assert pad.state(match, DEVICE).hands == []

    page.locator("#out").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#out-nobody")).to_be_checked()
    page.locator(SAVE).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/partite/{match}")
    (counted,) = pad.state(match, DEVICE).hands
    assert [side.hand for side in counted.sides] == [85, 85]


def test_what_is_typed_before_the_script_is_there_is_kept_too(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page("/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/hand.js", hold)
    page.goto(page.url.rstrip("/") + address_of_count(new_match()), wait_until="commit")
    page.locator("#a-cards").fill("335")
    page.locator('label[for="out-nobody"]').tap()

    held[0].continue_()

    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro")
    page.unroute("**/hand.js")
    page.reload()
    expect(page.locator("#a-cards")).to_have_value("335")
    expect(page.locator("#out-nobody")).to_be_checked()


def test_the_list_on_top_of_what_is_wrong_goes_with_the_one_below(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(new_match()))
    page.locator("#a-cards").fill("100")
    page.locator("#a-left").fill("15")
    page.locator("#b-cards").fill("102")
    page.locator(SAVE).tap()

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


def test_beside_an_agreed_sum_what_was_typed_stays_and_does_not_count(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(new_match()))
    page.locator("#a-cards").fill("300")
    page.locator("#a-left").fill("15")
    page.locator("#more-a summary").tap()
    page.locator("#a-sum").fill("430")
    expect(page.locator("#hand-a")).to_have_text("+430")
    expect(page.locator("#a-cards")).to_have_value("300")
    page.locator("#a-sum").fill("")
    expect(page.locator("#hand-a")).to_have_text("+285")


@pytest.mark.quick
def test_an_agreed_adjustment_counts_beside_an_agreed_sum(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(new_match()))
    page.locator("#more-a summary").tap()
    page.locator("#a-sum").fill("430")
    page.locator("#a-adjustments-0-points").fill("50")
    expect(page.locator("#hand-a")).to_have_text("+480")
