"""A whole match of modern American canasta on a phone, with a dispute before each hand.

The hands are those of `tests/golden/moderna-whole-match.json`, every figure worked by hand there: a
special hand, melds begun and not finished, threes in hand. What the referee says is worked in
`tests/rulings/cases`; here it is asked at the table, between the hands of a match.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.hands import figure, fill, open_hand, save, totals
from tests.browser.player import Dispute, Player
from tests.matches.whole_matches import whole

MATCH = whole("moderna")
GARBAGE = (*("K",) * 4, *("9",) * 4, *("Q",) * 3, *("5",) * 3)
DISPUTES = [
    Dispute(
        ["Basta per aprire?", ("K", "K", "2"), "Avanti"],
        "No",
        "Per aprire servono almeno tre carte naturali dello stesso valore",
    ),
    Dispute(
        ["Può scartarla?", ("7",), "No", "Sì"],
        "No",
        "Su un pozzo vuoto un sette non si scarta",
    ),
    Dispute(
        ["Può chiudere?", "Tutte le carte in mano", GARBAGE, "Avanti", "Nessuna"],
        "Sì",
        "Queste 14 carte sono la mano speciale",
    ),
    Dispute(
        [
            *("Questa calata vale?", ("2",), "Avanti"),
            *("Attaccate a una propria combinazione, già sul tavolo", ("K", "K", "K"), "Avanti"),
        ],
        "No",
        "Dopo l'apertura le matte (qui 1) vanno solo dove ci sono almeno 5 carte naturali",
    ),
    Dispute(
        ["Può prendere il pozzo?", ("2",)],
        "No",
        "Con una pinella in cima il pozzo non si può prendere",
    ),
    Dispute(
        ["È finito il tallone", "Un 3 nero"],
        "La smazzata finisce",
        "L'ultima carta è un 3: la smazzata finisce subito, e il 3 resta in mano",
    ),
]


def test_a_match_of_modern_american_canasta_is_played_with_six_disputes(
    phone: Phone,
) -> None:
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=moderna")
    with page.expect_navigation():
        page.locator("button", has_text="Comincia: ").last.tap()
    match = page.url

    for hand, after, dispute in zip(MATCH.hands, MATCH.totals, DISPUTES, strict=True):
        player = Player(page)
        player.tap("Arbitro")
        player.settle(dispute)
        page.goto(match)
        open_hand(page)
        fill(page, hand)
        save(page)
        assert totals(page) == [figure(total) for total in after]

    expect(page.locator(".ended-who")).to_contain_text("Hanno vinto loro")
