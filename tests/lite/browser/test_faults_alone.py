"""What a pad alone does when the browser stores nothing, and when its worker dies.

A pad alone runs in the browser, without a server: its Python in a worker, its data file in the
browser's storage. The fixture `used_pad` is one in Chromium, at its home page.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Worker, expect

from tests.lite.browser import faults
from tests.lite.browser.lone_pad import LonePad

pytestmark = pytest.mark.long

NO_ROOM = "la memoria di questo dispositivo è piena"  # "the memory of this device is full"


def test_hand_that_cannot_be_stored_waits_and_is_saved_later(used_pad: LonePad) -> None:
    # The pad runs in the browser, without a server. A match has one hand. The second is typed, but
    # the browser has no room to store it.
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.type_hand()
    faults.refuse_to_store(used_pad.worker)
    used_pad.tap_save()

    # The page of the hand says so, and still has what was typed.
    expect(used_pad.frame.locator("#kept")).to_contain_text(NO_ROOM)
    expect(used_pad.frame.locator("#a-cards")).to_have_value("215")

    # The match has only the first hand. All matches can be saved as a file nevertheless.
    used_pad.go(match)
    used_pad.expect_hands(1)
    used_pad.go("file")
    with used_pad.tab.expect_download() as saving:
        used_pad.frame.get_by_role("link", name="Salva tutte le partite").tap()
    assert saving.value.path().stat().st_size

    # Once there is room, opening the page of the hand sends the waiting hand again.
    faults.store_again(used_pad.worker)
    used_pad.go(f"{match}/smazzata")
    used_pad.frame.locator(".head .total").first.wait_for()  # the page of the match, after saving
    used_pad.expect_hands(2)


def test_form_that_cannot_be_stored_is_shown_and_can_be_sent_again(used_pad: LonePad) -> None:
    # The pad runs in the browser, without a server. Somebody begins a match at the place "La
    # veranda", but the browser has no room to store it.
    faults.refuse_to_store(used_pad.worker)
    used_pad.tap_link("Nuova partita")
    used_pad.type_text("place", "La veranda")
    used_pad.frame.locator("#start").tap()

    # The answer says so, and shows what was typed.
    expect(used_pad.frame.locator(".lead")).to_contain_text(NO_ROOM)
    expect(used_pad.frame.locator("main")).to_contain_text("La veranda")

    # Once there is room, the button of that page sends the form again: the match begins.
    faults.store_again(used_pad.worker)
    used_pad.frame.locator("main button").first.tap()
    expect(used_pad.frame.locator("body")).to_contain_text("La veranda")
    used_pad.expect_hands(0)


def test_change_that_was_not_stored_is_never_shown(used_pad: LonePad) -> None:
    # Noi and Loro, "we" and "they", have played a hand. Noi get a new name, but the browser, in
    # which the pad runs, has no room to store it.
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.go(f"{match}/nomi")
    faults.refuse_to_store(used_pad.worker)
    used_pad.type_text("name-0", "Rifiutati")
    used_pad.frame.get_by_role("button", name="Salva").first.tap()
    expect(used_pad.frame.locator("#sending")).to_contain_text(NO_ROOM)

    # The match has its old names: the change was taken back in Python as well.
    used_pad.go(match)
    expect(used_pad.frame.locator("main h1")).to_have_text("Noi contro Loro")

    # The refused name does not come back once there is room.
    faults.store_again(used_pad.worker)
    used_pad.go("")
    expect(used_pad.frame.locator("main")).not_to_contain_text("Rifiutati")


@pytest.mark.parametrize("die", [faults.die_before_answering, faults.die_after_storing])
def test_hand_sent_to_a_worker_that_dies_is_counted_once(
    used_pad: LonePad, die: Callable[[Worker], None]
) -> None:
    used_pad.begin_match()
    used_pad.type_hand()

    # The worker, in which the Python of the pad runs, dies of the next request: before it does
    # anything, or after it stored the hand. Another worker is started, and gets the hand again.
    die(used_pad.worker)
    used_pad.save_hand()

    used_pad.expect_hands(1)


def test_request_is_repeated_when_the_worker_dies(used_pad: LonePad) -> None:
    # The pad runs in the browser: a worker, a background process of the page, runs Python and answers
    # each request. Somebody has typed a new name of a side, and not saved it.
    match = used_pad.begin_match()
    used_pad.go(f"{match}/nomi")
    used_pad.type_text("name-0", "A metà")  # "half done"

    # The page asks for something, here for itself once more. Of this request the worker dies.
    faults.die_before_answering(used_pad.worker)
    answer = used_pad.frame.evaluate("async () => (await fetch(location.href)).text()")

    # A new worker was started, and has answered the request.
    assert "<h1" in answer

    # The page was not loaded again: it has what was typed.
    expect(used_pad.frame.locator("[name=name-0]")).to_have_value("A metà")


def test_worker_that_the_browser_ends_is_started_again_at_once(used_pad: LonePad) -> None:
    match = used_pad.begin_match()
    used_pad.play_hand()

    # The browser ends the worker, in which the Python of the pad runs. A new one comes by itself:
    # nothing is asked meanwhile.
    with used_pad.tab.expect_event("worker"):
        faults.vanish(used_pad.worker)

    used_pad.go(match)
    used_pad.expect_hands(1)
