"""A browser whose processes are killed in the middle of saves: nothing acknowledged is lost.

A pad alone runs in the browser, without a server, and stores its matches in the browser's storage.
"""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from tests.browser.hands import figure
from tests.lite.browser.lone_pad import LonePad

ACKNOWLEDGED = "acknowledged"
LEFT_BY_A, LEFT_BY_B = 5, 10
"""The points of the cards left in hand, which count against a side. Nothing is laid."""
# Saves hands until its page is killed. It prints a word on the console for each that was answered.
_SAVE_HANDS = """async ({ match, fields, acknowledged }) => {
    const url = `${match}/smazzata`;
    for (;;) {
        const answer = await fetch(url);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const form = new FormData(page.querySelector("form[data-check]"));
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        const saved = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
        if (saved.ok && saved.url === match) console.log(acknowledged);
    }
}"""


@pytest.mark.parametrize(
    "kills",
    [pytest.param(2, marks=pytest.mark.long), pytest.param(200, marks=pytest.mark.full)],
)
def test_nothing_acknowledged_is_lost_when_processes_are_killed(pad: LonePad, kills: int) -> None:
    chance = random.Random(35)  # noqa: S311 - the same moments in each run
    acknowledged: list[str] = []
    pad.browser.on("console", lambda message: acknowledged.append(message.text))
    pad.start()
    match = pad.begin_match()
    hands_before = 0

    for _ in range(kills):
        # The page saves hands for up to 1.5 seconds, until its processes are killed.
        acknowledged.clear()
        save_hands(pad, match)
        pad.tab.wait_for_timeout(chance.uniform(0, 1500))
        pad.kill_renderers()

        # The pad is opened again, at the page of the match.
        pad.start_in_new_tab()
        pad.go(match)

        # It has every hand whose saving was answered, and perhaps the one that was being saved.
        hands = pad.frame.locator(".hands > li").count()
        least_hands = hands_before + acknowledged.count(ACKNOWLEDGED)
        assert hands in (least_hands, least_hands + 1)

        # No hand counts for one side only, or only in part.
        totals = [figure(-LEFT_BY_A * hands), figure(-LEFT_BY_B * hands)]
        expect(pad.frame.locator(".head .total")).to_have_text(totals)
        hands_before = hands

    assert hands_before > kills, "hands were saved at all"


def save_hands(pad: LonePad, match: str) -> None:
    """Let the page save one hand after the other, and return without waiting for them."""
    fields = {
        "a.cards": 0,
        "b.cards": 0,
        "a.left": LEFT_BY_A,
        "b.left": LEFT_BY_B,
        "out": "nobody",
        "do": "save",
    }
    sent = {
        "match": f"{pad.address}app/{match}",
        "fields": fields,
        "acknowledged": ACKNOWLEDGED,
    }
    pad.frame.evaluate(f"sent => {{ ({_SAVE_HANDS})(sent); }}", sent)
