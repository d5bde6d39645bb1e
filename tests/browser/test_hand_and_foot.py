"""A whole match of hand and foot on a phone, with a dispute before or after each of its hands.

The hands are those of `tests/golden/hand-and-foot-whole-match.json`, every figure worked by hand
there. The answers of the referee are those of the worked rulings.
"""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.hands import figure, fill, minimums, open_hand, save, totals
from tests.browser.player import Dispute, Player
from tests.matches.whole_matches import whole

MATCH = whole("hand-and-foot")
DISPUTES = [
    [
        Dispute(
            ["Prima carta scoperta: e ora?", ("2",), "Avanti"],
            "Si scopre un'altra carta",
            "torna in mezzo al tallone",
        ),
        Dispute(["Può prendere il pozzo?", ("3b",)], "No", "Con un 3 nero in cima"),
    ],
    [
        Dispute(
            ["Può prendere il pozzo?", ("K",), ("K", "2"), "Avanti"],
            "No",
            "servono due re naturali in mano",
        ),
        Dispute(["Può scartarla?", ("JK",), "Sì", "No"], "Sì", "si prende il piede"),
    ],
    [
        Dispute(
            [
                *("Questa calata vale?", ("K",) * 3, "Avanti"),
                *("Come combinazione nuova", ("K",) * 4, "Avanti"),
            ],
            "No",
            "solo quando la prima è completa",
        ),
    ],
    [
        Dispute(
            ["Può chiudere?", ("7",) * 7, "Avanti"],
            "No",
            "Per chiudere servono almeno cinque libri",
        ),
    ],
]
"""What is asked before each hand."""


def test_a_family_plays_hand_and_foot_and_settles_six_disputes(phone: Phone) -> None:
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=hand-and-foot")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()
    at_match = page.url

    for number, hand in enumerate(MATCH.hands):
        for dispute in DISPUTES[number]:
            page.goto(f"{at_match}/arbitro")
            Player(page).settle(dispute)
        page.goto(at_match)
        open_hand(page)
        fill(page, hand)
        save(page)
        assert totals(page) == [figure(total) for total in MATCH.totals[number]]
        assert minimums(page) == [figure(each) for each in MATCH.minimums[number] if each]

    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
