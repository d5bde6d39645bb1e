"""Two tabs: a pad alone is used in one of them, and the other one says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.lite.browser import faults
from tests.lite.browser.lone_pad import START, LonePad

pytestmark = pytest.mark.long

ELSEWHERE = "aperto in un’altra scheda"  # "opened in another tab"
SEND_ONCE = """() => {
    const form = document.querySelector("#start").form;
    fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
}"""
"""Sends the form of a new match, without the page's script, which would send it again later."""


@pytest.fixture
def second(used_pad: LonePad) -> Iterator[Page]:
    """Open another tab beside that of the pad, and make it the tab of the pad after the test."""
    first = used_pad.tab
    second = used_pad.browser.new_page()
    yield second

    # Later tests use the same browser. The pad was taken over by the second tab, which stays.
    used_pad.tab = second
    first.close()


def test_second_tab_asks_before_it_takes_over(used_pad: LonePad, second: Page) -> None:
    # The pad runs in one tab of the browser, which has a match with one hand. A second tab says
    # that the pad is open elsewhere.
    match = used_pad.begin_match()
    used_pad.play_hand()
    first = used_pad.tab
    second.goto(f"{used_pad.address}#/{match}")
    expect(second.locator("#start-text")).to_contain_text(ELSEWHERE)

    # The first tab goes on meanwhile.
    used_pad.play_hand()

    # Somebody taps "Use it here" in the second tab. Now the first one says the same, and closes.
    second.locator("#start-action", has_text="Usalo qui").tap()
    expect(first.locator("#start-text")).to_contain_text(ELSEWHERE)
    expect(first.locator("#application")).to_be_hidden()

    # The second tab has both hands.
    used_pad.wait_for_start(second)
    used_pad.tab = second
    used_pad.expect_hands(2)


def test_tab_that_does_not_answer_loses_the_pad(used_pad: LonePad, second: Page) -> None:
    # The pad runs in one tab of the browser, and is so busy that it answers nothing. A new match of
    # the side "Fantasmi" waits to be saved.
    first = used_pad.tab
    used_pad.go("partite/nuova")
    used_pad.type_text("name-0", "Fantasmi")
    faults.hold_requests(used_pad.worker)
    used_pad.frame.evaluate(SEND_ONCE)

    # Somebody taps "Use it here" in a second tab, which starts without an answer of the first one.
    second.goto(used_pad.address)
    second.locator("#start-action").tap()
    used_pad.wait_for_start(second)

    # The first tab ends its worker and says so. The waiting match was never stored.
    expect(first.locator("#start-text")).to_contain_text(ELSEWHERE, timeout=START)
    assert first.workers == []
    used_pad.tab = second
    used_pad.go("")
    expect(used_pad.frame.locator("main")).not_to_contain_text("Fantasmi")


def test_files_can_only_be_stored_by_who_opened_them_last(used_pad: LonePad) -> None:
    # The stored files are opened as two tabs do it, one after the other. The second saves the byte 2,
    # then the first tries to save the byte 1.
    is_refused, stored_bytes = used_pad.tab.evaluate("""async () => {
        const script = document.querySelector("script[type=module]").src;
        const { FileStore, TakenOver } = await import(script.replace("shell.js", "store.js"));
        const first = await FileStore.open("two owners");
        const second = await FileStore.open("two owners");
        await second.save(new Map([["file", new Uint8Array([2])]]));
        const refusal = await first.save(new Map([["file", new Uint8Array([1])]])).catch((e) => e);
        const files = await second.load();
        return [refusal instanceof TakenOver, [...files.get("file")]];
    }""")

    # The first one is refused, because the files were taken over.
    assert is_refused
    assert stored_bytes == [2]
