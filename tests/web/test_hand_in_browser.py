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

    # Noi ("we", side a) laid cards worth 335. Nothing has been saved yet.
    page.locator("#a-cards").fill("335")
    expect(status).to_contain_text("Noi: +335 in questa smazzata")

    # A tap says that Noi went out, for which a side needs a canasta: "1 thing to correct".
    page.locator('label[for="out"]').tap()
    expect(problem).to_contain_text("Noi: la chiusura non è possibile, serve almeno una canasta")
    expect(status).to_have_text("1 cosa da correggere.")

    # The link in the bar at the bottom leads to the problem.
    wrong = page.locator("#bar-message .bar-wrong a")
    expect(wrong).to_contain_text("1 da correggere")
    wrong.tap()
    expect(page.locator("#out")).to_be_focused()

    # Noi had a natural canasta: 500 + 335 + 100 for going out.
    page.locator("#a-canastas-natural-canasta").fill("1")
    expect(problem).to_be_empty()
    expect(page.locator("#hand-a")).to_have_text("+935")


def test_refused_save_moves_focus_to_error_summary(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    # What Loro ("they", side b) laid is missing, and who went out.
    page = open_page(address_of_count(new_match()))
    page.locator("#a-cards").fill("1.335")
    page.locator("#a-left").fill("15")
    page.locator("#b-left").fill("85")

    page.locator(SAVE).tap()

    expect(page).to_have_title(re.compile("^Errore: "))
    expect(page.locator(".errors")).to_be_focused()

    # A line of the summary leads to its field. What was typed is still there.
    page.locator(".errors a[href='#b-cards']").tap()
    expect(page.locator("#b-cards")).to_be_focused()
    expect(page.locator("#a-cards")).to_have_value("1.335")


@pytest.mark.quick
def test_typed_correction_survives_reload_until_it_is_discarded(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    count_on_pad(pad, match, hand(side(100), side(100)))

    # A saved hand is corrected. The correction is stored only in the browser until it is saved.
    page = open_page(f"/partite/{match}/smazzate/1/correggi")
    page.locator("#a-cards").fill("105")
    page.locator("#reason").fill("un 4 dimenticato")  # "a forgotten four"
    only_on_phone = "Non ancora salvata: quello che scrivi resta solo su questo telefono."
    expect(page.locator("#kept")).to_have_text(only_on_phone)
    expect(page.locator("#hand-a")).to_contain_text("+105")

    # The form shows it again after a reload: "I have restored what you had typed".
    page.reload()
    expect(page.locator("#a-cards")).to_have_value("105")
    expect(page.locator("#reason")).to_have_value("un 4 dimenticato")
    expect(page.locator("#kept")).to_contain_text("Ho ripreso quello che avevi scritto")

    # This button discards it, and the form shows the hand as it is saved.
    page.locator("#afresh").tap()
    expect(page.locator("#a-cards")).to_have_value("100")


@pytest.mark.quick
def test_hand_can_be_entered_with_keyboard_alone(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    page = open_page(address_of_count(match), 1280, 800)

    # Both sides laid cards worth 100 and have 15 left.
    for field, figure in (
        ("a-cards", "100"),
        ("a-left", "15"),
        ("b-cards", "100"),
        ("b-left", "15"),
    ):
        page.locator(f"#{field}").focus()
        page.keyboard.type(figure)

    # In a cell the Enter key leads to the next one, or out of the last one. It does not save.
    page.keyboard.press("Enter")
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro")  # the draft is stored
    assert pad.state(match, DEVICE).hands == []

    # The arrow keys choose who went out. From the first choice up the last one is reached: nobody.
    page.locator("#out").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#out-nobody")).to_be_checked()

    # On the button the Enter key saves.
    page.locator(SAVE).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/partite/{match}")
    (saved_hand,) = pad.state(match, DEVICE).hands
    assert [side.hand for side in saved_hand.sides] == [85, 85]


def test_input_typed_before_script_is_loaded_is_kept(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page("/")
    held_requests: list[Route] = []

    def hold_request(route: Route) -> None:
        held_requests.append(route)

    # The page is there, but its script is still on its way. Somebody begins to type.
    page.route("**/hand.js", hold_request)
    page.goto(page.url.rstrip("/") + address_of_count(new_match()), wait_until="commit")
    page.locator("#a-cards").fill("335")
    page.locator('label[for="out-nobody"]').tap()

    # The script arrives, and stores as a draft what it finds.
    held_requests[0].continue_()
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro")

    page.unroute("**/hand.js")
    page.reload()
    expect(page.locator("#a-cards")).to_have_value("335")
    expect(page.locator("#out-nobody")).to_be_checked()


def test_error_summary_shrinks_as_errors_are_corrected(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    page = open_page(address_of_count(new_match()))
    page.locator("#a-cards").fill("100")
    page.locator("#a-left").fill("15")
    page.locator("#b-cards").fill("102")
    page.locator(SAVE).tap()

    # Points are multiples of 5, so 102 is wrong. The cards left of Loro ("they", side b) are
    # missing, and who went out.
    summary = page.locator(".errors")
    expect(summary.locator("li")).to_have_count(3)
    expect(summary.locator("h2")).to_contain_text("3")

    # One after the other is corrected, without another save.
    page.locator("#b-cards").fill("100")
    expect(summary.locator("li")).to_have_count(2)
    expect(summary.locator("h2")).to_contain_text("2")

    page.locator("#b-left").fill("15")
    page.locator('label[for="out-nobody"]').tap()
    expect(summary).to_be_hidden()
    expect(page).to_have_title("Smazzata 1 – scorepad")  # and not "Errore: …" any more


def test_cards_do_not_count_beside_agreed_sum_but_stay(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    # A side has counted its cards.
    page = open_page(address_of_count(new_match()))
    page.locator("#a-cards").fill("300")
    page.locator("#a-left").fill("15")

    # Then the players agree on a sum for its whole hand.
    page.locator("#more-a summary").tap()
    page.locator("#a-sum").fill("430")
    expect(page.locator("#hand-a")).to_have_text("+430")
    expect(page.locator("#a-cards")).to_have_value("300")

    # Without the sum the cards count again: 300 − 15.
    page.locator("#a-sum").fill("")
    expect(page.locator("#hand-a")).to_have_text("+285")


@pytest.mark.quick
def test_agreed_adjustment_is_added_to_agreed_sum(new_match: NewMatch, open_page: OpenPage) -> None:
    page = open_page(address_of_count(new_match()))
    page.locator("#more-a summary").tap()
    page.locator("#a-sum").fill("430")
    page.locator("#a-adjustments-0-points").fill("50")
    expect(page.locator("#hand-a")).to_have_text("+480")
