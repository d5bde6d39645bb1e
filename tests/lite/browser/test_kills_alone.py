"""A browser whose processes are killed in the middle of saves: nothing acknowledged is lost."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from tests.browser.hands import figure
from tests.lite.browser.lone_pad import LonePad

ACKNOWLEDGED = "acknowledged"
LEFT_BY_A, LEFT_BY_B = 5, 10
"""A hand in which nothing is laid."""
LONGEST = 1500
"""Milliseconds of saving before the processes are killed."""
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
def test_nothing_acknowledged_is_lost_when_the_processes_are_killed(
    pad: LonePad, kills: int
) -> None:
    chance = random.Random(35)  # noqa: S311 - the same moments in each run
    acknowledged: list[str] = []
    pad.browser.on("console", lambda message: acknowledged.append(message.text))
    pad.start()
    match = pad.begin_match()
    saved = 0
    for _ in range(kills):
        acknowledged.clear()
        save_hands(pad, match)
        pad.tab.wait_for_timeout(chance.uniform(0, LONGEST))
        pad.kill_renderers()
        pad.start_in_new_tab()
        pad.go(match)
        hands = pad.frame.locator(".hands > li").count()
        in_answer = saved + acknowledged.count(ACKNOWLEDGED)
        # The hand that was being saved may be there as well, but only as a whole.
        assert hands in (in_answer, in_answer + 1)
        totals = [figure(-LEFT_BY_A * hands), figure(-LEFT_BY_B * hands)]
        expect(pad.frame.locator(".head .total")).to_have_text(totals)
        saved = hands
    assert saved > kills


def save_hands(pad: LonePad, match: str) -> None:
    """Let the page save one hand after the other, and do not wait."""
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
