"""A whole match of hand and foot on a phone, with a dispute before or after each of its hands.

The hands are those of `tests/golden/hand-and-foot-whole-match.json`, every figure worked by hand
there. The answers of the referee are those of the worked rulings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.hands import figure, fill, minimums, open_hand, save, totals
from tests.browser.test_disputes import Player

MATCH = json.loads(
    (Path(__file__).parents[1] / "golden" / "hand-and-foot-whole-match.json").read_text("utf-8")
)
DISPUTES = {
    0: [
        (["Prima carta scoperta: e ora?", ("2",), "Avanti"], "Si scopre un'altra carta", "torna in mezzo al tallone"),
        (["Può prendere il pozzo?", ("3b",)], "No", "Con un 3 nero in cima"),
    ],
    1: [
        (["Può prendere il pozzo?", ("K",), ("K", "2"), "Avanti"], "No", "servono due re naturali in mano"),
        (["Può scartarla?", ("JK",), "Sì", "No"], "Sì", "si prende il piede"),
    ],
    2: [
        (["Questa calata vale?", ("K",) * 3, "Avanti", "Come combinazione nuova", ("K",) * 4, "Avanti"], "No",
         "solo quando la prima è completa"),
    ],
    3: [(["Può chiudere?", ("7",) * 7, "Avanti"], "No", "Per chiudere servono almeno cinque libri")],
}  # fmt: skip
"""Before each hand the ways to a ruling (cards in brackets), its word, and what the reason says."""


def test_a_family_plays_hand_and_foot_and_settles_six_disputes(phone: Callable[..., Page]) -> None:
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=hand-and-foot")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()
    at_match = page.url
    for number, hand in enumerate(MATCH["hands"]):
        for way, word, reason in DISPUTES[number]:
            page.goto(f"{at_match}/arbitro")
            settle_dispute(page, way)
            expect(page.locator(".verdict")).to_have_text(word)
            expect(page.locator(".lead-reason")).to_contain_text(reason)
        page.goto(at_match)
        open_hand(page)
        fill(page, hand)
        save(page)
        expected = MATCH["expected"][number]
        assert totals(page) == [figure(total) for total in expected["total"].values()]
        lowest = [figure(each) for each in expected["minimum"].values() if each]
        assert minimums(page) == lowest
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")


def settle_dispute(page: Page, way: list[str | tuple[str, ...]]) -> None:
    """Ask the referee of the match by taps."""
    player = Player(page)
    for step in way:
        player.tap(step) if isinstance(step, str) else player.cards(*step)
