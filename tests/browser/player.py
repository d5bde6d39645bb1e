"""Somebody at the table who asks the referee by taps."""

from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.data import read_data

TABLES = read_data("browser/disputes.toml")


class Dispute(NamedTuple):
    """The way to a ruling, cards in brackets; its word, and what its decisive reason tells."""

    way: list[str | list[str]]
    word: str
    reason: str
    name: str = ""
    hand: int = 0
    """The hand of the match before which it is settled."""


def disputes_of(table: str) -> list[Dispute]:
    """The disputes of a table of `disputes.toml`."""
    return [Dispute(**row) for row in TABLES[table]]


class Player:
    """Somebody who taps; cards and letters of a search are not counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def settle(self, dispute: Dispute) -> None:
        """Ask the referee, and read the ruling."""
        for step in dispute.way:
            if isinstance(step, str):
                self.tap(step)
            else:
                self.cards(*step)
        expect(self.page.locator(".verdict")).to_have_text(dispute.word)
        expect(self.page.locator(".lead-reason")).to_contain_text(dispute.reason)

    def tap(self, name: str) -> None:
        self.taps += 1
        self._named(name).first.click()

    def _named(self, name: str) -> Locator:
        main = self.page.locator("main")
        link = main.get_by_role("link", name=name, exact=True)
        button = main.get_by_role("button", name=name, exact=True)
        return link.or_(button).or_(main.locator("summary", has_text=name))

    def cards(self, *cards: str) -> None:
        for card in cards:
            self.page.locator(f'.tapped [data-card="{card}"]').click()
