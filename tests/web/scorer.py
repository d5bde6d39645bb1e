"""A phone that enters the hands of a match, as a browser without JavaScript does."""

from __future__ import annotations

from collections.abc import Mapping

from werkzeug.test import TestResponse

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.web.cookies import WRITE_COOKIE
from tests.web.client import Client, Element, Page
from tests.web.playing import device, match_of

NOTHING: Mapping[str, str] = {}


class Scorer:
    """Whoever enters the hands of a match, whose address is `match`."""

    def __init__(self, client: Client, pad: Pad, match: str) -> None:
        self.client = client
        self.pad = pad
        self.match = match

    def open(self) -> Page:
        """The page of the hand being played."""
        return self.client.get(f"{self.match}/smazzata")

    def correct(self, number: int = 1) -> Page:
        """The page on which a counted hand is corrected."""
        return self.client.get(f"{self.match}/smazzate/{number}/correggi")

    def contest(self) -> Page:
        """The page on which the first hand is counted by the other side too."""
        return self.client.get(f"{self.match}/smazzate/1/contesta")

    def press(
        self, button: str, typed: Mapping[str, str], page: Page | None = None, status: int = 200
    ) -> Page:
        """Type into the form of a hand, of a page fetched now if none is given, and send it."""
        page = page or self.open()
        sent = {**shown_values(page), **typed, "do": button}
        return self.client.post(hand_form(page)["action"], sent, status)

    def check(
        self, typed: Mapping[str, str] = NOTHING, page: Page | None = None, status: int = 200
    ) -> Page:
        return self.press("check", typed, page, status)

    def save(
        self, typed: Mapping[str, str] = NOTHING, page: Page | None = None, status: int = 200
    ) -> Page:
        return self.press("save", typed, page, status)

    def answer_while_typing(
        self, typed: Mapping[str, str], page: Page | None = None
    ) -> TestResponse:
        """What the script of the page is answered while somebody types."""
        page = page or self.open()
        return self.client.raw.post(
            hand_form(page)["data-check"],
            data={**shown_values(page), **typed, "do": "check"},
            headers={"Accept-Language": self.client.language},
        )

    def while_typing(self, typed: Mapping[str, str], page: Page | None = None) -> Page:
        """The form as the script of the page gets it while somebody types."""
        answer = self.answer_while_typing(typed, page)
        assert answer.status_code == 200, answer.text
        return Page(answer, self.match)

    @property
    def match_id(self) -> MatchId:
        return match_of(self.match)

    @property
    def device(self) -> DeviceId:
        """The device of this phone."""
        return device(self.client)

    @property
    def state(self) -> MatchState:
        return self.pad.state(self.match_id, self.device)

    @property
    def hands(self) -> tuple[HandState, ...]:
        return self.state.hands

    @property
    def points(self) -> list[list[int]]:
        """The points of each hand, by side."""
        return [[side.hand for side in hand.sides] for hand in self.hands]

    @property
    def draft(self) -> Mapping[str, str]:
        """What the pad keeps of the hand being played."""
        return self.pad.open(self.match_id, self.device).draft


def hand_form(page: Page) -> Element:
    """The form of a hand, which has a button that saves."""
    return next(form for form in page.all("form") if form.all("button", value="save"))


def shown_values(page: Page) -> dict[str, str]:
    """What stands in the form of a hand."""
    return page.values(hand_form(page))


def error_links(page: Page) -> list[str]:
    """Where the lines of the error summary lead."""
    return page.one(class_="errors").hrefs("a")


def link_to(field: str) -> str:
    """The link of the error summary that leads to this field, such as `a.left`."""
    return f"#{field.replace('.', '-')}"


def differences(page: Page) -> list[list[str]]:
    """What two phones have differently: the field, the stored text and the own one."""
    return [row.texts("th", "td") for row in page.one("tbody").all("tr")]


def let_in(owner: Client, match: str, phone: Client, cookie: str = WRITE_COOKIE) -> Client:
    """Let another phone into a match, by the link that its owner shows."""
    key = owner.raw.get_cookie(cookie, path=match)
    assert key is not None
    phone.get(f"/e/{key.value}")
    return phone
