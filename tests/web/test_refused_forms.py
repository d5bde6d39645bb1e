"""What was typed in a form that may not be taken now: it is shown, and goes from there once it may."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.actions import Actions
from scorepad.storage.connection import Busy
from scorepad.storage.rows import hash_device_id
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start
from tests.web.scorer import Scorer

TYPED = "Ugo ha chiuso <subito>"
Let = Callable[[Client, Access | None], None]


@pytest.fixture
def scorer(client: Client, pad: Pad) -> Scorer:
    """A match with one hand."""
    match = start(client)
    play(pad, client, match, ALL_GOOD)
    return Scorer(client, pad, match)


@pytest.fixture
def let(scorer: Scorer) -> Let:
    """Let a device do that in the match, or nothing any more."""

    def letting(other: Client, access: Access | None) -> None:
        other.get("/")
        match, who = match_of(scorer.match), hash_device_id(device(other))
        with scorer.pad.context.storage.writing() as rows:
            if access is None:
                rows.revoke(match, who)
            else:
                rows.grant(match, who, access, datetime.now(UTC))

    return letting


def remark_page(client: Client, scorer: Scorer) -> Page:
    return client.get(f"{scorer.match}/smazzate/1/annotazione")


def kept(page: Page) -> list[str]:
    """What is said to have been typed."""
    return [item.text for item in page.one(class_="notice").all("li")]


@pytest.mark.parametrize(("access", "status"), [(Access.VIEW, 403), (None, 404)])
def test_a_phone_that_was_sent_out_keeps_what_it_typed_and_sends_it_when_it_is_let_in_again(
    guest: Client, scorer: Scorer, let: Let, access: Access | None, status: int
) -> None:
    let(guest, Access.WRITE)
    page = remark_page(guest, scorer)
    let(guest, access)
    refused = guest.submit(page, "Salva", status, text=TYPED)
    assert kept(refused) == [TYPED]
    assert refused.answer.headers["Cache-Control"] == "private, no-store"
    again = guest.submit(refused, "Manda di nuovo", status)
    assert kept(again) == [TYPED]
    assert scorer.hands[0].remark == ""
    let(guest, Access.WRITE)
    assert guest.submit(again, "Manda di nuovo").url == scorer.match
    assert scorer.hands[0].remark == TYPED


def test_so_does_one_whose_pad_was_busy(
    client: Client, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise Busy(scorer.pad.context.storage.path)

    page = remark_page(client, scorer)
    with monkeypatch.context() as patched:
        patched.setattr(Actions, "remark", busy)
        refused = client.submit(page, "Salva", 503, text="bella")
    assert kept(refused) == ["bella"]
    client.submit(refused, "Manda di nuovo")
    assert scorer.hands[0].remark == "bella"


def test_of_a_count_the_figures_are_shown_and_not_what_its_choices_are_called_inside(
    guest: Client, scorer: Scorer, let: Let
) -> None:
    let(guest, Access.WRITE)
    page = guest.get(f"{scorer.match}/smazzata")
    let(guest, Access.VIEW)
    typed = {"a.cards": "335", "b.left": "15", "out": "nobody"}
    assert kept(guest.submit(page, "Salva", 403, **typed)) == ["335", "15"]


@pytest.mark.parametrize("token", [{}, {"csrf_token": "a.b.c"}])
def test_what_another_site_sends_in_the_name_of_somebody_is_not_offered_for_sending(
    guest: Client, scorer: Scorer, let: Let, token: dict[str, str]
) -> None:
    let(guest, Access.VIEW)
    sent = {"text": TYPED, "request_id": "r" * 32, **token}
    answer = guest.raw.post(f"{scorer.match}/smazzate/1/annotazione", data=sent)
    assert "Manda di nuovo" not in answer.text
    assert TYPED not in answer.text


def test_a_button_with_nothing_typed_beside_it_is_only_refused(
    client: Client, guest: Client, scorer: Scorer, let: Let
) -> None:
    let(guest, Access.VIEW)
    page = client.get(scorer.match)
    sent = page.values(page.form("Annulla la smazzata 1"))
    sent["csrf_token"] = guest.get(scorer.match).one("input", name="csrf_token")["value"]
    assert not guest.post(f"{scorer.match}/annulla", sent, 403).all(class_="notice")
