"""What a pad alone does when the browser stores nothing, and when its worker dies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Worker, expect

from tests.lite.browser import faults
from tests.lite.browser.lone_pad import LonePad

pytestmark = pytest.mark.long

NO_ROOM = "la memoria di questo dispositivo è piena"


def test_a_hand_that_cannot_be_stored_waits_on_its_page_and_is_saved_once_there_is_room(
    used_pad: LonePad,
) -> None:
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.type_hand()
    faults.refuse_to_store(used_pad.worker)
    used_pad.tap_save()
    expect(used_pad.frame.locator("#kept")).to_contain_text(NO_ROOM)
    expect(used_pad.frame.locator("#a-cards")).to_have_value("215")

    used_pad.go(match)
    used_pad.expect_hands(1)
    used_pad.go("file")
    with used_pad.tab.expect_download() as saving:
        used_pad.frame.get_by_role("link", name="Salva tutte le partite").tap()
    assert saving.value.path().stat().st_size

    faults.store_again(used_pad.worker)
    used_pad.go(f"{match}/smazzata")
    used_pad.frame.locator(".head .total").first.wait_for()
    used_pad.expect_hands(2)


def test_another_form_that_cannot_be_stored_is_shown_with_what_was_typed(
    used_pad: LonePad,
) -> None:
    faults.refuse_to_store(used_pad.worker)
    used_pad.tap_link("Nuova partita")
    used_pad.type_text("place", "La veranda")
    used_pad.frame.locator("#start").tap()
    expect(used_pad.frame.locator(".lead")).to_contain_text(NO_ROOM)
    expect(used_pad.frame.locator("main")).to_contain_text("La veranda")

    faults.store_again(used_pad.worker)
    used_pad.frame.locator("main button").first.tap()
    expect(used_pad.frame.locator("body")).to_contain_text("La veranda")
    used_pad.expect_hands(0)


def test_what_was_not_stored_is_not_shown_as_if_it_were(used_pad: LonePad) -> None:
    """Also where the next hand has the number, and the version, of the one that was refused."""
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.go(f"{match}/nomi")
    faults.refuse_to_store(used_pad.worker)
    used_pad.type_text("name-0", "Rifiutati")
    used_pad.frame.get_by_role("button", name="Salva").first.tap()
    expect(used_pad.frame.locator("#sending")).to_contain_text(NO_ROOM)

    used_pad.go(match)
    expect(used_pad.frame.locator("main h1")).to_have_text("Noi contro Loro")

    faults.store_again(used_pad.worker)
    used_pad.go("")
    expect(used_pad.frame.locator("main")).not_to_contain_text("Rifiutati")


@pytest.mark.parametrize("die", [faults.die_before_answering, faults.die_after_storing])
def test_a_hand_sent_to_a_worker_that_dies_is_counted_once(
    used_pad: LonePad, die: Callable[[Worker], None]
) -> None:
    used_pad.begin_match()
    used_pad.type_hand()
    die(used_pad.worker)
    used_pad.save_hand()
    used_pad.expect_hands(1)


def test_a_page_that_is_asked_of_a_worker_that_dies_comes_and_the_one_shown_stays(
    used_pad: LonePad,
) -> None:
    match = used_pad.begin_match()
    used_pad.go(f"{match}/nomi")
    used_pad.type_text("name-0", "A metà")
    faults.die_before_answering(used_pad.worker)
    answer = used_pad.frame.evaluate("async () => (await fetch(location.href)).text()")
    assert "<h1" in answer
    expect(used_pad.frame.locator("[name=name-0]")).to_have_value("A metà")


def test_a_worker_that_ends_without_a_word_is_started_anew_at_once(used_pad: LonePad) -> None:
    match = used_pad.begin_match()
    used_pad.play_hand()
    with used_pad.tab.expect_event("worker"):  # nothing is asked meanwhile
        faults.vanish(used_pad.worker)
    used_pad.go(match)
    used_pad.expect_hands(1)
