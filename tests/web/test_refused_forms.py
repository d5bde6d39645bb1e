"""What was typed in a form that may not be taken now: it is shown, and goes from there once it may."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.actions import Actions
from scorepad.storage.connection import Busy
from scorepad.storage.rows import known_as
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start

TYPED = "Ugo ha chiuso <subito>"


@pytest.fixture
def url(client: Client, pad: Pad) -> str:
    """A match with one hand."""
    match = start(client)
    play(pad, client, match, ALL_GOOD)
    return match


@pytest.fixture
def let(client: Client, pad: Pad, url: str) -> Callable[[Client, Access | None], None]:
    """Let a device do that in the match, or nothing any more."""

    def letting(other: Client, access: Access | None) -> None:
        other.get("/")
        with pad.context.storage.writing() as rows:
            if access is None:
                rows.revoke(match_of(url), known_as(device(other)))
            else:
                rows.grant(match_of(url), known_as(device(other)), access, datetime.now(UTC))

    return letting


def kept(page: Page) -> list[str]:
    """What is said to have been typed."""
    return [item.text for item in page.one(class_="notice").all("li")]


def note(pad: Pad, client: Client, url: str) -> str:
    return pad.state(match_of(url), device(client)).hands[0].remark


@pytest.mark.parametrize("access", [Access.VIEW, None])
def test_a_phone_that_was_sent_out_keeps_what_it_typed_and_sends_it_when_it_is_let_in_again(
    client: Client,
    visit: Callable[..., Client],
    pad: Pad,
    url: str,
    let: Callable[[Client, Access | None], None],
    access: Access | None,
) -> None:
    other, status = visit(), 403 if access else 404
    let(other, Access.WRITE)
    page = other.get(f"{url}/smazzate/1/annotazione")
    let(other, access)
    refused = other.submit(page, "Salva", status, text=TYPED)
    assert kept(refused) == [TYPED]
    assert refused.answer.headers["Cache-Control"] == "private, no-store"
    again = other.submit(refused, "Manda di nuovo", status)
    assert kept(again) == [TYPED]
    assert note(pad, client, url) == ""
    let(other, Access.WRITE)
    assert other.submit(again, "Manda di nuovo").url == url
    assert note(pad, client, url) == TYPED


def test_so_does_one_whose_pad_was_busy(
    client: Client, pad: Pad, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise Busy(pad.context.storage.path)

    page = client.get(f"{url}/smazzate/1/annotazione")
    with monkeypatch.context() as patched:
        patched.setattr(Actions, "remark", busy)
        refused = client.submit(page, "Salva", 503, text="bella")
    assert kept(refused) == ["bella"]
    client.submit(refused, "Manda di nuovo")
    assert note(pad, client, url) == "bella"


def test_of_a_count_the_figures_are_shown_and_not_what_its_choices_are_called_inside(
    client: Client,
    visit: Callable[..., Client],
    url: str,
    let: Callable[[Client, Access | None], None],
) -> None:
    other = visit()
    let(other, Access.WRITE)
    page = other.get(f"{url}/smazzata")
    let(other, Access.VIEW)
    refused = other.submit(
        page, "Salva", 403, **{"a.cards": "335", "b.left": "15", "out": "nobody"}
    )
    assert kept(refused) == ["335", "15"]


def test_what_another_site_sends_in_the_name_of_somebody_is_not_offered_for_sending(
    visit: Callable[..., Client], url: str, let: Callable[[Client, Access | None], None]
) -> None:
    other = visit()
    let(other, Access.VIEW)
    for token in ({}, {"csrf_token": "a.b.c"}):
        answer = other.raw.post(
            f"{url}/smazzate/1/annotazione", data={"text": TYPED, "request_id": "r" * 32, **token}
        )
        assert "Manda di nuovo" not in answer.text
        assert TYPED not in answer.text


def test_a_button_with_nothing_typed_beside_it_is_only_refused(
    client: Client,
    visit: Callable[..., Client],
    url: str,
    let: Callable[[Client, Access | None], None],
) -> None:
    other = visit()
    let(other, Access.VIEW)
    page = client.get(url)
    sent = page.values(page.form("Annulla la smazzata 1"))
    sent["csrf_token"] = other.get(url).one("input", name="csrf_token")["value"]
    assert not other.post(f"{url}/annulla", sent, 403).all(class_="notice")


def test_in_english_too(
    visit: Callable[..., Client], url: str, let: Callable[[Client, Access | None], None]
) -> None:
    other = visit("en")
    let(other, Access.WRITE)
    page = other.get(f"{url}/smazzate/1/annotazione")
    let(other, Access.VIEW)
    refused = other.submit(page, "Save", 403, text=TYPED)
    assert refused.one(class_="notice").all("p")[0].text == "What you had typed"
    assert refused.form("Send again")
