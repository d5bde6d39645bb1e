"""A short match of three, played through the pages on a phone, and its sheet.

The hands and totals are those of `other_variants.json`, worked by hand there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.hands import (
    choose,
    enter_side,
    figure,
    fill,
    minimums,
    open_hand,
    refused,
    save,
    sheet,
    totals,
)

MATCHES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "other_variants.json").read_text("utf-8")
)

WON = {"Noi": "Abbiamo vinto noi", "Loro": "Hanno vinto loro"}
"""Who won, where a pair has no other name."""


def start(page: Page, match: dict[str, Any]) -> None:
    """Choose the game on the page of a new match, its players and its target, and start."""
    with page.expect_navigation():
        page.get_by_role("link", name="Nuova partita").first.tap()
    page.locator("summary", has_text="Altro gioco, altri giocatori").tap()
    with page.expect_navigation():
        page.locator("#variants button", has_text=match["game"]).first.tap()
    expect(page.locator(".under")).to_contain_text(match["game"])
    expect(page.locator("#differences")).to_have_attribute("open", "")
    sits = page.locator(".tables button", has_text={2: "due", 3: "tre"}[len(match["names"])])
    if sits.count():
        with page.expect_navigation():
            sits.tap()
    if len(match["names"]) == 3:
        page.locator("#names > summary").tap()
        for number, name in enumerate(match["names"]):
            page.locator(f"#name-{number}").fill(name)
    rules = page.locator("details#rules")
    if rules.get_attribute("open") is None:
        rules.locator("summary").first.tap()
    page.locator("#option-target").fill(figure(match["target"]))
    with page.expect_navigation():
        page.get_by_role("button", name="Comincia: ").tap()


def play(page: Page, match: dict[str, Any], number: int) -> None:
    """Enter a hand, save it, and look at the match page."""
    fill(page, match["hands"][number], names=tuple(match["names"]))
    save(page)
    assert totals(page) == [figure(total) for total in match["totals"][number]]


def come_to(page: Page, match: dict[str, Any], number: int) -> None:
    """Read what the coming hand opens with, and go there."""
    assert minimums(page) == [figure(minimum) for minimum in match["minimums"][number]]
    open_hand(page)


def finished(page: Page, match: dict[str, Any], folder: Path) -> str:
    """The match is over, and its sheet has every total; its text."""
    won = WON.get(match["winner"], f"Vince {match['winner']}")
    expect(page.locator(".ended-who")).to_contain_text(won)
    told = sheet(page, folder)
    lines = [" ".join(line.split()) for line in told.splitlines()]
    for hand in match["totals"]:
        assert f"Totale della partita {' '.join(map(figure, hand))}" in lines
    assert f"{won}: {figure(max(match['totals'][-1]))}" in " ".join(told.split())
    return " ".join(told.split())


def test_a_match_of_tagliagola(phone: Callable[..., Page], tmp_path: Path) -> None:
    page, match = phone(), MATCHES["tagliagola"]
    start(page, match)
    come_to(page, match, 0)
    first = match["hands"][0]
    # Nobody said who took the pile, so that nobody knows who laid together.
    fill(
        page,
        {"sides": {"Anna": first["sides"]["Anna"]}, "out": first["out"]},
        names=tuple(match["names"]),
    )
    told = refused(page)
    assert "Di' chi ha preso il pozzo per primo, o che non l'ha preso nessuno." in told
    choose(page, "single", "a")
    for key, name in (("b", "Bruno"), ("c", "Carla")):
        enter_side(page, key, first["sides"][name])
    save(page)
    assert totals(page) == [figure(total) for total in match["totals"][0]]
    expect(page.locator(".mark-alone").last).to_contain_text("Anna contro Bruno e Carla")
    come_to(page, match, 1)
    play(page, match, 1)
    expect(page.locator(".mark-alone").last).to_contain_text("Bruno contro Anna e Carla")
    come_to(page, match, 2)
    play(page, match, 2)
    told = finished(page, match, tmp_path)
    assert "gioca da solo: Anna · coppia: Bruno e Carla" in told
    assert "gioca da solo: Carla · coppia: Anna e Bruno · nessuno ha chiuso" in told
