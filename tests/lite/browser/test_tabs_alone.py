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

STORE_AS_TWO_OWNERS = """async () => {
    const script = document.querySelector("script[type=module]").src;
    const { FileStore, TakenOver } = await import(script.replace("shell.js", "store.js"));
    const first = await FileStore.open("two owners");
    const second = await FileStore.open("two owners");
    await second.save(new Map([["file", new Uint8Array([2])]]));
    const refusal = await first.save(new Map([["file", new Uint8Array([1])]])).catch((e) => e);
    const files = await second.load();
    return [refusal instanceof TakenOver, [...files.get("file")]];
}"""


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


def test_a_tab_that_does_not_answer_loses_the_pad_and_stores_nothing(
    used_pad: LonePad, second: Page
) -> None:
    first = used_pad.tab
    used_pad.go("partite/nuova")
    used_pad.type_text("name-0", "Fantasmi")
    faults.hold_requests(used_pad.worker)
    used_pad.frame.evaluate(SEND_ONCE)
    second.goto(used_pad.address)
    second.locator("#start-action").tap()
    used_pad.wait_for_start(second)

    expect(first.locator("#start-text")).to_contain_text(ELSEWHERE, timeout=START)
    assert first.workers == []
    used_pad.tab = second
    used_pad.go("")
    expect(used_pad.frame.locator("main")).not_to_contain_text("Fantasmi")


def test_who_opened_the_files_before_can_store_nothing_any_more(used_pad: LonePad) -> None:
    is_refused, stored = used_pad.tab.evaluate(STORE_AS_TWO_OWNERS)
    assert is_refused
    assert stored == [2]
