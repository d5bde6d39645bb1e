"""A browser whose processes are killed in the middle of saves: nothing acknowledged is lost.

A pad alone runs in the browser, without a server, and stores its matches in the browser's storage.
"""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from tests.browser.hands import figure
from tests.lite.browser.lone_pad import LonePad

SAVE_HANDS_UNTIL_KILLED = """({ match, fields }) => {
    async function saveHands() {
        const url = `${match}/smazzata`;
        for (;;) {
            const answer = await fetch(url);
            const page = new DOMParser().parseFromString(await answer.text(), "text/html");
            const form = new FormData(page.querySelector("form[data-check]"));
            for (const [name, value] of Object.entries(fields)) form.set(name, value);
            const saved = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
            if (saved.ok && saved.url === match) console.log("acknowledged");
        }
    }
    saveHands();
}"""
"""Begins to save one hand after the other. For each that is answered it writes "acknowledged" on the
console of the browser.
"""


@pytest.mark.parametrize(
    "kills",
    [pytest.param(2, marks=pytest.mark.long), pytest.param(200, marks=pytest.mark.full)],
)
def test_nothing_acknowledged_is_lost_when_processes_are_killed(pad: LonePad, kills: int) -> None:
    # The page writes "acknowledged" on the console of the browser for each hand whose saving was
    # answered.
    console: list[str] = []
    pad.browser.on("console", lambda message: console.append(message.text))
    chance = random.Random(35)  # noqa: S311 - the same moments in each run
    pad.start()
    match = pad.begin_match()
    hands_before = 0

    for _ in range(kills):
        # The page saves one hand after the other, until the browser's processes for pages and
        # workers are killed: at a random moment within 1.5 seconds.
        console.clear()
        begin_to_save_hands(pad, match)
        pad.tab.wait_for_timeout(chance.uniform(0, 1500))
        pad.kill_renderers()

        # The pad is opened again, at the page of the match.
        pad.start_in_new_tab()
        pad.go(match)

        # It has every hand whose saving was answered, and perhaps the one that was being saved.
        hands = pad.frame.locator(".hands > li").count()
        least_hands = hands_before + console.count("acknowledged")
        assert hands in (least_hands, least_hands + 1)

        # Each hand takes 5 points from side a and 10 from side b. None counts in part.
        totals = [figure(-5 * hands), figure(-10 * hands)]
        expect(pad.frame.locator(".head .total")).to_have_text(totals)
        hands_before = hands

    assert hands_before > kills, "hands were saved at all"


def begin_to_save_hands(pad: LonePad, match: str) -> None:
    """Let the page save one hand after the other until it is killed, and do not wait for them."""
    # Nobody lays anything. Cards left in hand count against each side: 5 points and 10.
    fields = {
        "a.cards": 0,
        "b.cards": 0,
        "a.left": 5,
        "b.left": 10,
        "out": "nobody",
        "do": "save",
    }
    url = f"{pad.address}app/{match}"
    pad.frame.evaluate(SAVE_HANDS_UNTIL_KILLED, {"match": url, "fields": fields})
