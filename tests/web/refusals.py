"""Hands that the pad cannot save now: sent, refused with what was typed, and sent again."""

from __future__ import annotations

from tests.web.client import Page
from tests.web.phones_at_once import fields_of_hand
from tests.web.player import Player
from tests.web.scorer import shown_values


def filled_form(player: Player, number: int) -> dict[str, str]:
    """The form of the coming hand with the hand of this number typed in (`fields_of_hand`)."""
    return shown_values(player.open()) | fields_of_hand(number) | {"do": "save"}


def send_hand(player: Player, form: dict[str, str], status: int = 200) -> Page:
    """The answer to the form of a hand."""
    return player.client.post(f"{player.match}/smazzata", form, status)


def refused_hand(player: Player, form: dict[str, str], reason: str, status: int = 503) -> Page:
    """The page that says for this reason that the hand is not saved, and shows what was typed."""
    page = send_hand(player, form, status)
    assert reason in reason_of_refusal(page)
    assert form["a.cards"] in typed_texts(page)
    return page


def reason_of_refusal(page: Page) -> str:
    return page.one("p", class_="lead").text


def typed_texts(page: Page) -> list[str]:
    """What was typed, as the page of a refusal shows it."""
    return page.one(class_="notice").texts("li")


def send_again(player: Player, page: Page) -> None:
    """Press the button of the page of a refusal, which sends what was typed once more."""
    player.client.submit(page, "Manda di nuovo")
