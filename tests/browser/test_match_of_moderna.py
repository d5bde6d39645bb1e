"""A whole match of modern American canasta on a phone, with a dispute before each hand.

The hands are those of `tests/golden/moderna-whole-match.json`, every figure worked by hand there: a
special hand, melds begun and not finished, threes in hand. What the referee says is worked in
`tests/rulings/cases`; here it is asked at the table, between the hands of a match.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.browser.hands import (
    choose,
    figure,
    open_hand,
    save,
    totals,
    unfold,
)
from tests.browser.test_disputes import Player

MATCH = json.loads(
    (Path(__file__).parents[1] / "golden" / "moderna-whole-match.json").read_text("utf-8")
)
SIDES = {"Est": "a", "Ovest": "b"}


class Dispute(NamedTuple):
    """The way to a ruling (cards in brackets), its word, and what its decisive reason tells."""

    way: list[str | tuple[str, ...]]
    word: str
    reason: str


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
    phone: Callable[..., Page],
) -> None:
    page = phone()
    page.goto(f"{page.url}partite/nuova?variante=moderna")
    with page.expect_navigation():
        page.locator("button", has_text="Comincia: ").last.tap()
    match = page.url

    for hand, expected, dispute in zip(MATCH["hands"], MATCH["expected"], DISPUTES, strict=True):
        settle_dispute(page, dispute)
        page.goto(match)
        open_hand(page)
        fill_hand(page, hand)
        save(page)
        assert totals(page) == [figure(total) for total in expected["total"].values()]

    expect(page.locator(".ended-who")).to_contain_text("Hanno vinto loro")


def settle_dispute(page: Page, dispute: Dispute) -> None:
    """Ask the referee from the page of the match, and read the ruling."""
    player = Player(page)
    player.tap("Arbitro")
    for step in dispute.way:
        player.tap(step) if isinstance(step, str) else player.cards(*step)
    expect(page.locator(".verdict")).to_have_text(dispute.word)
    expect(page.locator(".lead-reason")).to_contain_text(dispute.reason)


def fill_hand(page: Page, hand: dict[str, Any]) -> None:
    """Enter a hand of the golden match: cards by meld, the hands of the players apart."""
    out = hand["out"]
    choose(page, "out", SIDES[out["side"]] if out else "nobody")
    for name, key in SIDES.items():
        side = hand["sides"][name]
        if "special" in side:
            unfold(page, f"{key}-special")
            page.locator(f"#{key}-special").select_option(side["special"])
            continue
        unfold(page, f"{key}-melds")
        page.locator(f"#{key}-melds").fill("\n".join(side["melds"]))
        for threes in ("red_threes", "black_threes"):
            page.locator(f"#{key}-{threes}").fill(str(side[threes]))
        cards_left = [side["left"]] if isinstance(side["left"], str) else side["left"]
        for number, cards in enumerate(cards_left):
            unfold(page, f"{key}-left-{number}")
            page.locator(f"#{key}-left-{number}").fill(cards)
    if out and "discard" in out:
        unfold(page, "discard")
        page.locator("#discard").select_option(out["discard"])
