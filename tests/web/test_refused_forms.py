"""What was typed in a form that may not be taken now: it is shown, and goes from there once it may."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scorepad.matches.access import Access
from scorepad.matches.actions import Actions
from scorepad.storage.connection import Busy
from scorepad.storage.rows import hash_device_id
from tests.web.client import Client, Page
from tests.web.player import Player
from tests.web.playing import device, match_of

TYPED = "Ugo ha chiuso <subito>"


def allow(player: Player, other: Client, access: Access | None) -> None:
    """Let a device do this much in the match; None sends it out."""
    other.get("/")
    match = match_of(player.match)
    stored_device = hash_device_id(device(other))
    with player.pad.context.storage.writing() as rows:
        if access is None:
            rows.revoke(match, stored_device)
        else:
            rows.grant(match, stored_device, access, datetime.now(UTC))


def remark_page(client: Client, player: Player) -> Page:
    return client.get(f"{player.match}/smazzate/1/annotazione")


def kept(page: Page) -> list[str]:
    """What is said to have been typed."""
    return page.one(class_="notice").texts("li")


@pytest.mark.parametrize(("access", "status"), [(Access.VIEW, 403), (None, 404)])
def test_a_phone_that_was_sent_out_keeps_what_it_typed_and_sends_it_when_it_is_let_in_again(
    guest: Client, leading: Player, access: Access | None, status: int
) -> None:
    allow(leading, guest, Access.WRITE)
    page = remark_page(guest, leading)
    allow(leading, guest, access)
    refused = guest.submit(page, "Salva", status, text=TYPED)
    assert kept(refused) == [TYPED]
    assert refused.answer.headers["Cache-Control"] == "private, no-store"
    again = guest.submit(refused, "Manda di nuovo", status)
    assert kept(again) == [TYPED]
    assert leading.hands[0].remark == ""
    allow(leading, guest, Access.WRITE)
    assert guest.submit(again, "Manda di nuovo").url == leading.match
    assert leading.hands[0].remark == TYPED


def test_so_does_one_whose_pad_was_busy(
    client: Client, leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise Busy(leading.pad.context.storage.path)

    page = remark_page(client, leading)
    with monkeypatch.context() as patched:
        patched.setattr(Actions, "remark", busy)
        refused = client.submit(page, "Salva", status=503, text="bella")
    assert kept(refused) == ["bella"]
    client.submit(refused, "Manda di nuovo")
    assert leading.hands[0].remark == "bella"


def test_of_a_count_the_figures_are_shown_and_not_what_its_choices_are_called_inside(
    guest: Client, leading: Player
) -> None:
    allow(leading, guest, Access.WRITE)
    page = guest.get(f"{leading.match}/smazzata")
    allow(leading, guest, Access.VIEW)
    typed = {"a.cards": "335", "b.left": "15", "out": "nobody"}
    assert kept(guest.submit(page, "Salva", status=403, **typed)) == ["335", "15"]


@pytest.mark.parametrize("token", [{}, {"csrf_token": "a.b.c"}])
def test_what_another_site_sends_in_the_name_of_somebody_is_not_offered_for_sending(
    guest: Client, leading: Player, token: dict[str, str]
) -> None:
    allow(leading, guest, Access.VIEW)
    sent = {"text": TYPED, "request_id": "r" * 32, **token}
    answer = guest.raw.post(f"{leading.match}/smazzate/1/annotazione", data=sent)
    assert "Manda di nuovo" not in answer.text
    assert TYPED not in answer.text


def test_a_button_with_nothing_typed_beside_it_is_only_refused(
    client: Client, guest: Client, leading: Player
) -> None:
    allow(leading, guest, Access.VIEW)
    page = client.get(leading.match)
    sent = page.values(page.form("Annulla la smazzata 1"))
    sent["csrf_token"] = guest.get(leading.match).one("input", name="csrf_token")["value"]
    assert not guest.post(f"{leading.match}/annulla", sent, status=403).all(class_="notice")
