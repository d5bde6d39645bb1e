"""Two tabs: a pad alone is used in one of them, and the other one says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.lite.browser import faults
from tests.lite.browser.lone_pad import START, LonePad

pytestmark = pytest.mark.long

ELSEWHERE = "aperto in un’altra scheda"
SEND_ONCE = """() => {
    const form = document.querySelector("#start").form;
    fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
}"""
"""Begins a match, without the scripts of the pages, which would send the form again elsewhere."""


@pytest.fixture
def second(used_pad: LonePad) -> Iterator[Page]:
    """Another tab; the pad goes on in it."""
    first = used_pad.tab
    second = used_pad.browser.new_page()
    yield second
    used_pad.tab = second
    first.close()


def test_a_second_tab_says_so_and_takes_over(used_pad: LonePad, second: Page) -> None:
    match = used_pad.begin_match()
    used_pad.play_hand()
    first = used_pad.tab
    second.goto(f"{used_pad.address}#/{match}")
    expect(second.locator("#start-text")).to_contain_text(ELSEWHERE)
    used_pad.play_hand()  # the first one goes on meanwhile

    second.locator("#start-action", has_text="Usalo qui").tap()
    expect(first.locator("#start-text")).to_contain_text(ELSEWHERE)
    expect(first.locator("#application")).to_be_hidden()
    used_pad.wait_for_start(second)
    used_pad.tab = second
    used_pad.expect_hands(2)


def test_a_tab_that_has_not_noticed_the_other_one_stores_nothing(
    used_pad: LonePad, second: Page
) -> None:
    first, worker_of_first = used_pad.tab, used_pad.worker
    used_pad.go("partite/nuova")
    used_pad.type_text("name-0", "Fantasmi")
    faults.hold_requests(worker_of_first)
    used_pad.frame.evaluate(SEND_ONCE)
    second.goto(used_pad.address)
    second.locator("#start-action").tap()
    used_pad.wait_for_start(second)

    faults.answer_held_requests(worker_of_first)
    expect(first.locator("#start-text")).to_contain_text(ELSEWHERE, timeout=START)
    used_pad.tab = second
    used_pad.start()  # with what is stored
    used_pad.go("")
    expect(used_pad.frame.locator("main")).not_to_contain_text("Fantasmi")
