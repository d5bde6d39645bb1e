"""A form that cannot be accepted now: the page of the refusal shows what was typed, and sends it
again once the form can be accepted.
"""

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

TYPED_NOTE = "Ugo ha chiuso <subito>"
"""A note on a hand, with characters that have to be escaped in HTML."""
SEND_AGAIN = "Manda di nuovo"  # "Send again"
NOTE_PAGE = "smazzate/1/annotazione"
"""The page of a note on the first hand."""


def set_access(player: Player, other: Client, access: Access | None) -> None:
    """Change what another phone may do in the player's match; None removes it from the match."""
    other.get("/")  # so that the phone has a cookie
    stored_device = hash_device_id(device(other))
    with player.pad.context.storage.writing() as rows:
        if access is None:
            rows.revoke(player.match_id, stored_device)
        else:
            rows.grant(player.match_id, stored_device, access, datetime.now(UTC))


@pytest.mark.parametrize(
    ("access", "status"),
    [(Access.VIEW, 403), (None, 404)],
    ids=["it may only look", "it was removed"],
)
def test_refused_form_can_be_sent_again_once_access_is_back(
    guest: Client, leading: Player, access: Access | None, status: int
) -> None:
    # A guest writes a note on the first hand.
    set_access(leading, guest, Access.WRITE)
    page = guest.get(f"{leading.match}/{NOTE_PAGE}")

    # Before the note is saved the guest loses the right to write. No cache may keep the note.
    set_access(leading, guest, access)
    refused = guest.submit(page, "Salva", status, text=TYPED_NOTE)
    assert typed_texts(refused) == [TYPED_NOTE]
    assert refused.answer.headers["Cache-Control"] == "private, no-store"

    # The guest tries once more, in vain.
    refused_again = guest.submit(refused, SEND_AGAIN, status)
    assert typed_texts(refused_again) == [TYPED_NOTE]
    assert leading.hands[0].remark == ""

    # The guest may write again. Now the note is saved.
    set_access(leading, guest, Access.WRITE)
    saved = guest.submit(refused_again, SEND_AGAIN)
    assert saved.url == leading.match
    assert leading.hands[0].remark == TYPED_NOTE


def test_form_refused_by_a_busy_pad_can_be_sent_again(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_busy(*_: object, **__: object) -> None:
        raise Busy(leading.pad.context.storage.path)

    # Another process is writing to the data file, and the note cannot be saved.
    with monkeypatch.context() as patch:
        patch.setattr(Actions, "remark", raise_busy)
        refused = leading.submit(NOTE_PAGE, "Salva", status=503, text="bella")
    assert typed_texts(refused) == ["bella"]

    # It is over.
    leading.submit(refused, SEND_AGAIN)
    assert leading.hands[0].remark == "bella"


def test_refused_hand_shows_typed_figures_only(guest: Client, leading: Player) -> None:
    # A guest opens the form of a hand, and then may no longer write.
    set_access(leading, guest, Access.WRITE)
    page = guest.get(f"{leading.match}/smazzata")
    set_access(leading, guest, Access.VIEW)

    # Two figures are typed. That nobody went out is chosen from a list.
    entered = {"a.cards": "335", "b.left": "15", "out": "nobody"}
    refused = guest.submit(page, "Salva", status=403, **entered)

    # The page of the refusal lists what was typed, so that it is not lost. The value of the choice,
    # "nobody", is not a text that a person has typed.
    assert typed_texts(refused) == ["335", "15"]


@pytest.mark.parametrize("token", [{}, {"csrf_token": "a.b.c"}], ids=["no token", "wrong token"])
def test_forged_form_is_not_offered_for_sending(
    guest: Client, leading: Player, token: dict[str, str]
) -> None:
    # Another site sends the form of a note from the phone of a guest who may only look. It does not
    # know the CSRF token, and must not make the guest send the form once more.
    set_access(leading, guest, Access.VIEW)
    forged = {"text": TYPED_NOTE, "request_id": "r" * 32} | token

    answer = guest.raw.post(f"{leading.match}/{NOTE_PAGE}", data=forged)

    assert SEND_AGAIN not in answer.text
    assert TYPED_NOTE not in answer.text


def test_refused_button_without_fields_shows_nothing_typed(guest: Client, leading: Player) -> None:
    # A guest who may only look sends the form of the button "Undo hand 1", which has no text field.
    set_access(leading, guest, Access.VIEW)
    form = leading.page().form_values("Annulla la smazzata 1")
    token = {"csrf_token": guest.get(leading.match).value_of("csrf_token")}

    refused = guest.post(f"{leading.match}/annulla", form | token, status=403)

    # The box with what was typed is missing.
    assert refused.all(class_="notice") == []
