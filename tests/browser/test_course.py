"""What else happens to a match, as people do it: a penalty, an end and no end, another player, and
no match at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import fill, new_match, open_hand, save, totals

HAND = {
    "sides": {
        "noi": {"totals": {"canastas": {"mixed-canasta": 1}, "cards": 150}, "left": 20},
        "loro": {"totals": {"canastas": {}, "cards": 100}, "left": 40},
    },
    "out": None,
}


@pytest.mark.quick
def test_a_match_is_given_up_goes_on_gets_another_player_and_is_deleted(
    phone: Callable[..., Page],
) -> None:
    page = phone()
    new_match(page)
    note_penalty(page)
    open_hand(page)
    fill(page, HAND)
    save(page)
    # 300 + 150 − 20; 100 − 40 − 100: G, "Calcolo delle penalità"
    assert totals(page) == ["430", "−40"]
    give_up(page)
    expect(page.locator(".ended-who")).to_have_text("Hanno vinto loro: −40 a 430")
    press(page, "Annulla la fine della partita")
    expect(page.locator(".ended-who")).to_have_count(0)
    replace(page)
    expect(page.locator(".notice").first).to_contain_text("Dalla smazzata 2 gioca Carla.")
    expect(page.locator(".head .players")).to_have_text("Carla")
    delete(page)
    expect(page).to_have_url(re.compile(r":\d+/$"))
    expect(page.locator(".notice")).to_contain_text("Partita cancellata: Noi contro Loro.")
    expect(page.locator(".match")).to_have_count(0)


def follow(page: Page, link: str) -> None:
    """Follow a link of the match page, unfolding it where it is folded."""
    found = page.get_by_role("link", name=link)
    if not found.count():
        page.locator("#links > summary").tap()
    with page.expect_navigation():
        found.tap()


def press(page: Page, button: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=button).tap()


def note_penalty(page: Page) -> None:
    follow(page, "Segna una penalità")
    page.get_by_label("Loro", exact=True).check()
    page.get_by_label("Pescata fuori turno").check()
    press(page, "Segna la penalità")


def give_up(page: Page) -> None:
    follow(page, "Finire prima la partita")
    page.get_by_label("Si arrende: Noi").check()
    press(page, "Finisce così")


def replace(page: Page) -> None:
    follow(page, "Cambia un giocatore")
    page.get_by_label("Loro, giocatore 1").check()
    page.get_by_label("Chi entra").fill("Carla")
    press(page, "Cambia il giocatore")


def delete(page: Page) -> None:
    follow(page, "Cancella la partita")
    press(page, "Cancella per sempre")
    expect(page.locator(".errors")).to_be_visible()
    page.get_by_label("Sì, cancellala per sempre").check()
    press(page, "Cancella per sempre")
