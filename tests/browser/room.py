"""A match that is played in another room than the phones that look on."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import Hand
from scorepad.storage import Storage
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import DEVICE_COOKIE
from tests.browser.warm import Warm
from tests.cookies import device_in
from tests.matches.conftest import Table, hand, side_counted
from tests.polling import ASKED_EVERY
from tests.web.playing import new_request

OWNER = DeviceId("o" * 32)
WITHIN = (ASKED_EVERY + 1) * 1000
"""Milliseconds in which every page shows the same."""
ASKED_ONCE = ASKED_EVERY + 0.5
"""Seconds in which a page that is visible has asked once, and not twice."""
ASKED_WHEN_DENIED = 4 * ASKED_EVERY + 2
"""Seconds in which a page without access has asked again: it asks a quarter as often."""
WENT_ON = "Execution context was destroyed"
"""What the browser says of a page that went on to another while it was asked."""


@pytest.fixture
def address(data: Path, warm: Warm) -> Iterator[str]:
    """Where the pad answers phones: on the network as far as a browser can tell, and no phone holds
    all matches.
    """
    with warm.serving("--host", "0.0.0.0", "--port", "0", "--data", str(data)) as port:
        yield f"http://127.0.0.2:{port}"


def let_time_pass(page: Page, seconds: float) -> None:
    """Let so much time pass on a phone with a clock of its own; what it asks is answered meanwhile."""
    for _ in range(int(seconds * 2)):
        page.clock.run_for(500)
        for _ in range(3):  # one by one, so that a busy server has answered what was asked before
            ask(page)


def ask(page: Page) -> None:
    """Ask the server for something, and wait for the answer; a page that is just going on to
    another asks nothing.
    """
    try:
        page.evaluate("fetch('/static/icon.svg', { cache: 'no-store' }).then(each => each.text())")
    except Error as error:
        if WENT_ON not in error.message:
            raise


def device_of(page: Page) -> DeviceId:
    """The device that a phone is for the pad."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    return device_in(cookies[DEVICE_COOKIE])


def begin(pad: Pad, device: DeviceId, new: NewMatch) -> Table:
    """A match of this device."""
    told = pad.actions.start(new_request(), device, new)
    assert isinstance(told, Saved)
    return Table(pad, told.match, device)


@dataclass
class Room:
    """A match, and the pad on which it is played."""

    data: Path
    pad: Pad
    match: MatchId

    @property
    def path(self) -> str:
        return f"/partite/{self.match}"

    @property
    def draft(self) -> dict[str, str]:
        """What is typed of the coming hand."""
        return dict(self.pad.open(self.match, ADMIN).draft)

    @property
    def noted_penalties(self) -> list[str]:
        """The penalties noted for the hand being played."""
        return [each.code for each in self.pad.state(self.match, ADMIN).noted_penalties]

    def let(self, page: Page, access: str | None) -> None:
        """Let a phone do that in the match, or nothing any more."""
        device = hash_device_id(device_of(page))
        with Storage(self.data) as storage, storage.writing() as rows:
            if access is None:
                rows.revoke(self.match, device)
            else:
                rows.grant(self.match, device, access, datetime.now(UTC))

    def count(self, cards: int = 150) -> None:
        """A hand more, worth 430 and 60 or as much as the cards are more."""
        played = hand_with_cards(cards)
        told = Table(self.pad, self.match, OWNER).count(played, request=new_request())
        assert isinstance(told, Saved)

    def note_penalty(self, side: int) -> None:
        """Note a penalty of this side in the hand being played."""
        Table(self.pad, self.match, OWNER).note(side)

    def correct_first_hand(self, cards: int) -> None:
        """Correct the first hand to what `count` makes of these cards."""
        told = Table(self.pad, self.match, OWNER).correct(1, hand_with_cards(cards))
        assert isinstance(told, Saved)


def hand_with_cards(cards: int) -> Hand:
    """A mixed canasta 300, these cards and −20; and 100 − 40."""
    return hand(
        side_counted(cards=cards, left=20, mixed_canasta=1), side_counted(cards=100, left=40)
    )
