"""A match that is played in another room than the phones that look on."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import DEVICE_COOKIE
from tests.cookies import device_in
from tests.matches.conftest import Table, hand, side_counted
from tests.web.playing import new_request

OWNER = DeviceId("o" * 32)


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
        played = hand(
            side_counted(cards=cards, left=20, mixed_canasta=1), side_counted(cards=100, left=40)
        )
        told = Table(self.pad, self.match, OWNER).count(played, request=new_request())
        assert isinstance(told, Saved)
