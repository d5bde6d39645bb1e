"""What was typed in a form that may not be taken now: it is shown, and goes from there once it may."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scorepad.matches.access import Access
from scorepad.matches.actions import Actions
from scorepad.storage.connection import Busy
from scorepad.storage.rows import hash_device_id
from tests.web.client import Client
from tests.web.player import Player
from tests.web.playing import device
from tests.web.refusals import typed_texts

TYPED = "Ugo ha chiuso <subito>"
SEND_AGAIN = "Manda di nuovo"


def set_access(player: Player, other: Client, access: Access | None) -> None:
    """Let a device do this much in the match; None sends it out."""
    other.get("/")
    stored_device = hash_device_id(device(other))
    with player.pad.context.storage.writing() as rows:
        if access is None:
            rows.revoke(player.match_id, stored_device)
        else:
            rows.grant(player.match_id, stored_device, access, datetime.now(UTC))


REMARK = "smazzate/1/annotazione"
"""The page of a note on the first hand."""


@pytest.mark.parametrize(("access", "status"), [(Access.VIEW, 403), (None, 404)])
def test_a_phone_that_was_sent_out_keeps_what_it_typed_and_sends_it_when_it_is_let_in_again(
    guest: Client, leading: Player, access: Access | None, status: int
) -> None:
    set_access(leading, guest, Access.WRITE)
    page = guest.get(f"{leading.match}/{REMARK}")

    set_access(leading, guest, access)
    refused = guest.submit(page, "Salva", status, text=TYPED)
    assert typed_texts(refused) == [TYPED]
    assert refused.answer.headers["Cache-Control"] == "private, no-store"
    refused_again = guest.submit(refused, SEND_AGAIN, status)
    assert typed_texts(refused_again) == [TYPED]
    assert leading.hands[0].remark == ""

    set_access(leading, guest, Access.WRITE)
    saved = guest.submit(refused_again, SEND_AGAIN)
    assert saved.url == leading.match
    assert leading.hands[0].remark == TYPED


def test_a_phone_whose_pad_was_busy_keeps_what_it_typed_and_sends_it_later(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise Busy(leading.pad.context.storage.path)

    with monkeypatch.context() as patch:
        patch.setattr(Actions, "remark", busy)
        refused = leading.submit(REMARK, "Salva", status=503, text="bella")
    assert typed_texts(refused) == ["bella"]

    leading.submit(refused, SEND_AGAIN)
    assert leading.hands[0].remark == "bella"


def test_of_a_count_the_figures_are_shown_and_not_what_its_choices_are_called_inside(
    guest: Client, leading: Player
) -> None:
    set_access(leading, guest, Access.WRITE)
    page = guest.get(f"{leading.match}/smazzata")
    set_access(leading, guest, Access.VIEW)

    typed = {"a.cards": "335", "b.left": "15", "out": "nobody"}
    refused = guest.submit(page, "Salva", status=403, **typed)

    assert typed_texts(refused) == ["335", "15"]


@pytest.mark.parametrize("token", [{}, {"csrf_token": "a.b.c"}])
def test_what_another_site_sends_in_the_name_of_somebody_is_not_offered_for_sending(
    guest: Client, leading: Player, token: dict[str, str]
) -> None:
    set_access(leading, guest, Access.VIEW)
    made_up = {"text": TYPED, "request_id": "r" * 32, **token}

    answer = guest.raw.post(f"{leading.match}/{REMARK}", data=made_up)

    assert SEND_AGAIN not in answer.text
    assert TYPED not in answer.text


def test_a_button_with_nothing_typed_beside_it_is_only_refused(
    guest: Client, leading: Player
) -> None:
    set_access(leading, guest, Access.VIEW)
    form = leading.page().form_values("Annulla la smazzata 1")
    token = {"csrf_token": guest.get(leading.match).value_of("csrf_token")}

    refused = guest.post(f"{leading.match}/annulla", form | token, status=403)

    assert refused.all(class_="notice") == []
