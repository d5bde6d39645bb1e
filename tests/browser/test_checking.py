"""Two real phones at one match: one side counts, the other checks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.hands import new_match, totals
from tests.browser.test_phones import NAME, address, seen

__all__ = ["NAME", "address"]
LOOK = 10_000
"""Milliseconds, of which a page that follows its match needs three seconds at most and a busy
machine the rest.
"""


@pytest.fixture
def two(phone: Callable[..., Page]) -> tuple[Page, Page]:
    """The phone that counts, and the one that checks, let in by the code; both at the match,
    checking turned on.
    """
    counts, checks = phone(), phone()
    new_match(counts)
    match = counts.url
    counts.goto(f"{match}/telefoni")
    checks.goto(seen(counts, "Per segnare"))
    checks.get_by_role("link", name="Salta").click()
    counts.goto(f"{match}/controllo")
    counts.get_by_role("button", name="D'ora in poi l'altra parte controlla").click()
    return counts, checks


def count(page: Page, noi: str, loro: str) -> None:
    """A hand of card points: each side holds 20; nobody went out."""
    page.locator(".bar a.primary").click()
    fill(page, noi, loro)


def fill(page: Page, noi: str, loro: str) -> None:
    for field, text in {"a.cards": noi, "a.left": "20", "b.cards": loro, "b.left": "20"}.items():
        page.locator(f"#{field.replace('.', '-')}").fill(text)
    page.locator("label").filter(has_text=re.compile("Nessuno")).first.click()
    with page.expect_navigation(url=re.compile(r"/partite/[a-z0-9]+$")):
        page.locator("button[value=save]").click()


@pytest.mark.quick
def test_the_other_side_confirms_a_hand_and_then_it_changes_only_with_a_reason(
    two: tuple[Page, Page],
) -> None:
    counts, checks = two
    count(counts, "100", "80")
    expect(counts.locator(".awaited")).to_contain_text("aspetta il controllo dell'altra parte")
    expect(checks.locator(".awaited")).to_contain_text(
        "aspetta che la controlliate voi", timeout=LOOK
    )
    checks.get_by_role("link", name="Controlla").click()
    checks.get_by_role("button", name="È giusta: confermo").click()
    expect(counts.locator(".hands")).to_contain_text("confermata", timeout=LOOK)
    expect(counts.locator(".awaited")).to_have_count(0)

    counts.get_by_role("link", name="Correggi la smazzata 1").click()
    counts.locator("#a-cards").fill("110")
    counts.locator("button[value=save]").click()
    expect(counts).to_have_title(re.compile("^Errore: "))
    expect(counts.locator("#a-cards")).to_have_value("110")
    counts.locator("#reason").fill("mancava un dieci")
    with counts.expect_navigation(url=re.compile(r"/partite/[a-z0-9]+$")):
        counts.locator("button[value=save]").click()
    expect(counts.locator(".hands")).to_contain_text("mancava un dieci")
    assert totals(counts) == ["90", "60"]


def test_a_contested_hand_shows_both_counts_until_one_is_chosen(two: tuple[Page, Page]) -> None:
    counts, checks = two
    count(counts, "100", "80")
    checks.locator(".awaited a").click(timeout=LOOK)
    checks.get_by_role("link", name=re.compile("Non torna")).click()
    expect(checks.locator("#a-cards")).to_have_value("")  # they count for themselves
    fill(checks, "100", "95")
    expect(counts.locator(".awaited")).to_contain_text("i due conti non sono uguali", timeout=LOOK)
    assert totals(counts) == ["80", "60"]
    counts.get_by_role("link", name="Guarda i due conti").click()
    differ(counts, "Loro: Carte calate", "+80", "+95")
    assert not Axe().run(counts).response["violations"]
    with counts.expect_navigation():
        counts.get_by_role(
            "button", name="Vale questo conto"
        ).click()  # that of the others: the own is theirs to take
    assert totals(counts) == ["80", "75"]
    expect(checks.locator(".hands")).to_contain_text("confermata", timeout=LOOK)
    assert totals(checks) == ["80", "75"]

    # What both agreed on is undone only with a reason.
    counts.get_by_role("link", name=re.compile("Annulla la scelta")).click()
    counts.get_by_role("button", name=re.compile("Annulla la scelta")).click()
    expect(counts).to_have_title(re.compile("^Errore: "))
    counts.locator("#reason").fill("guardiamo ancora")
    with counts.expect_navigation():
        counts.get_by_role("button", name=re.compile("Annulla la scelta")).click()
    assert totals(counts) == ["80", "60"]


def differ(page: Page, *cells: str) -> None:
    """The first line in which two counts differ: what, and both values side by side on a phone."""
    row = page.locator(".warn tbody tr").first
    expect(row.locator("th, td")).to_have_text(list(cells))
    page.set_viewport_size({"width": 320, "height": 700})
    tops = row.locator("th, td").evaluate_all(
        "cells => cells.map(each => each.getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1] == tops[2]
