"""Two tabs: a pad alone is used in one of them, and the other one says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.lite.browser import faults
from tests.lite.browser.lone_pad import START, LonePad

pytestmark = pytest.mark.long

ELSEWHERE = "aperto in un’altra scheda"


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
    match = used_pad.begin_match()
    used_pad.type_hand()
    first, worker_of_first = used_pad.tab, used_pad.worker
    faults.hold_requests(worker_of_first)
    used_pad.tap_save()
    second.goto(f"{used_pad.address}#/{match}")
    second.locator("#start-action").tap()
    used_pad.wait_for_start(second)

    faults.answer_held_requests(worker_of_first)
    expect(first.locator("#start-text")).to_contain_text(ELSEWHERE, timeout=START)
    used_pad.tab = second
    used_pad.expect_hands(0)
    used_pad.go(match)
    used_pad.expect_hands(0)
