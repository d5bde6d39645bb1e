"""A device that begins a match gets another cookie: whoever planted the one before sees nothing of
the match.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from scorepad.matches import Pad
from scorepad.matches.devices import Devices
from scorepad.matches.keys import Keys
from scorepad.storage.connection import Busy
from scorepad.web.cookies import DEVICE_COOKIE, RENEWED_COOKIE
from tests.web.client import Client, Page, Visit
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, device, keys_of, match_of, start
from tests.web.scorer import let_in


class FilledForm(NamedTuple):
    """A form or, without fields, a link."""

    address: str
    fields: dict[str, Any]


Beginning = Callable[[Client, Pad], FilledForm]
"""A way to begin a match, or to enter one: the form that a browser sends for it."""


def form_sent_to(page: Page, address: str) -> FilledForm:
    """The form of a page that is sent to this address, as it is shown."""
    return FilledForm(address, page.values(page.all("form", action=address)[0]))


def by_form(client: Client, pad: Pad) -> FilledForm:
    page = client.get("/partite/nuova")
    return FilledForm("/partite/nuova", page.form_values("Comincia: "))


def for_practice(client: Client, pad: Pad) -> FilledForm:
    return form_sent_to(client.get("/"), "/prova")


def by_rematch(client: Client, pad: Pad) -> FilledForm:
    player = Player(client, pad, start(client))
    player.play(HAND_430_TO_60)
    return form_sent_to(player.end("time"), f"{player.match}/rivincita")


def keys_of_another(client: Client) -> Keys:
    """The keys of a match that another device began."""
    other = Client(client.app)
    return keys_of(other, start(other))


def by_link_to_write(client: Client, _: Pad) -> FilledForm:
    return FilledForm(f"/e/{keys_of_another(client).write}", {})


def by_link_to_view(client: Client, _: Pad) -> FilledForm:
    return FilledForm(f"/e/{keys_of_another(client).view}", {})


def by_import(client: Client, pad: Pad, number: int = 1) -> FilledForm:
    """So many matches of another device, which are deleted there."""
    other = Client(client.app)
    urls = [start(other) for _ in range(number)]
    file = other.raw.get("/file/partite.json").data
    for url in urls:
        pad.actions.delete(match_of(url), device(other))
    page = client.get("/file")
    return FilledForm("/file", page.form_values("Carica") | {"file": file})


def by_import_of_two(client: Client, pad: Pad) -> FilledForm:
    return by_import(client, pad, 2)


WAYS = (
    by_form, for_practice, by_rematch, by_import, by_import_of_two, by_link_to_write, by_link_to_view,
)  # fmt: skip


@pytest.fixture(params=WAYS)
def begins(request: pytest.FixtureRequest) -> Beginning:
    way: Beginning = request.param
    return way


def send(client: Client, form: FilledForm) -> TestResponse:
    """The answer to a form or a link, whose cookies the browser takes."""
    if not form.fields:
        answer = client.raw.get(form.address)
    elif "file" in form.fields:
        file = (BytesIO(form.fields["file"]), "partite.json")
        answer = client.raw.post(form.address, data=form.fields | {"file": file})
    else:
        answer = client.raw.post(form.address, data=form.fields)
    assert answer.status_code == 303, answer.text
    return answer


def matches_of(pad: Pad, client: Client) -> set[str]:
    """The ids of the matches that the device of a browser may see."""
    found = pad.summaries(device(client))
    return {match.id for match in (*found.in_progress, *found.finished, *found.practice)}


def is_known(client: Client) -> bool:
    """Whether the browser is the device that its cookie names."""
    before = device(client)
    client.get("/")
    return device(client) == before


class Thief:
    """Somebody who planted the cookie of their own device on a victim, after it was renewed once."""

    def __init__(self, thief: Client, victim: Client) -> None:
        self.own_match = start(thief)
        thief.submit("/partite/nuova", "Comincia: ")  # its cookie is renewed by that
        self.cookie = thief.cookie(DEVICE_COOKIE)
        self.client = Client(thief.app)
        victim.raw.set_cookie(DEVICE_COOKIE, self.cookie)

    def sees(self, match: str) -> bool:
        """Whether the planted cookie shows a match."""
        self.client.raw.set_cookie(DEVICE_COOKIE, self.cookie)
        return self.client.raw.get(f"/partite/{match}").status_code != 404


def test_a_planted_cookie_gives_nothing_of_a_match_begun_or_entered_under_it(
    visit: Visit, pad: Pad, begins: Beginning
) -> None:
    victim = visit()
    thief = Thief(visit(), victim)
    device_before = device(victim)

    answer = send(victim, begins(victim, pad))
    victim.get(answer.location)

    assert victim.cookie(DEVICE_COOKIE) != thief.cookie
    assert device(victim) == device_before, "what the device had before it keeps"
    assert is_known(victim)
    begun = matches_of(pad, victim)
    assert match_of(thief.own_match) in begun
    assert len(begun) > 1
    for match in begun:
        assert not thief.sees(match)
        victim.get(f"/partite/{match}", status=200)
    thief.client.get("/")
    assert matches_of(pad, thief.client) == set()


def test_an_answer_that_never_arrives_takes_nothing_away_and_what_is_sent_again_finds_its_match(
    visit: Visit, pad: Pad, begins: Beginning
) -> None:
    victim = visit()
    thief = Thief(visit(), victim)
    form = begins(victim, pad)
    cookie_before = victim.cookie(DEVICE_COOKIE)

    send(victim, form)
    # Its cookies never come to the browser.
    victim.raw.delete_cookie(RENEWED_COOKIE)
    victim.raw.set_cookie(DEVICE_COOKIE, cookie_before)
    begun = matches_of(pad, victim)
    victim.get(thief.own_match, status=200)

    answer = send(victim, form)
    assert matches_of(pad, victim) == begun, "nothing is begun twice"

    victim.get(answer.location)
    matches_of_victim = matches_of(pad, victim) - {match_of(thief.own_match)}
    assert matches_of_victim
    for match in matches_of_victim:
        victim.get(f"/partite/{match}", status=200)
        assert not thief.sees(match)


def test_a_renewed_cookie_that_was_never_followed_is_replaced_by_the_next(
    client: Client, pad: Pad
) -> None:
    client.get("/")
    for _ in range(3):
        send(client, by_form(client, pad))
    assert len(matches_of(pad, client)) == 3
    assert is_known(client)


@pytest.mark.parametrize("order", [*itertools.permutations((0, 1, 2))])
def test_of_three_tabs_that_begin_at_once_none_shuts_out_another(
    client: Client, pad: Pad, order: tuple[int, ...]
) -> None:
    """All are sent with the cookie of before, and their answers come in any order, each followed at
    once.
    """
    client.get("/")
    cookie_before = client.cookie(DEVICE_COOKIE)
    device_before = device(client)
    forms = [by_form(client, pad) for _ in order]
    answers = []
    for form in forms:
        client.raw.delete_cookie(RENEWED_COOKIE)
        answers.append(send(client, form))
    client.raw.delete_cookie(RENEWED_COOKIE)
    assert client.cookie(DEVICE_COOKIE) == cookie_before

    for number in order:
        for header in answers[number].headers.getlist("Set-Cookie"):
            (cookie,) = SimpleCookie(header).values()
            client.raw.set_cookie(cookie.key, cookie.value, path=cookie["path"] or "/")
        client.get(answers[number].location, status=200)

    assert device(client) == device_before
    for answer in answers:
        client.get(answer.location, status=200)


def test_a_form_sent_again_from_the_page_before_leads_to_its_match(
    client: Client, pad: Pad
) -> None:
    form = by_form(client, pad)
    match = send(client, form).location
    client.get(match)

    sent_again = send(client, form)

    assert sent_again.location == match
    client.get(match, status=200)
    assert is_known(client)


def test_a_link_followed_after_another_that_was_never_finished_takes_nothing_away(
    client: Client, guest: Client
) -> None:
    first_match = start(client)
    second_match = start(client)
    own_match = start(guest)
    device_before = device(guest)

    guest.raw.get(f"/e/{keys_of(client, first_match).write}")  # the redirect is not followed
    let_in(client, second_match, guest)

    guest.get(own_match, status=200)
    guest.get(second_match, status=200)
    assert device(guest) == device_before


def test_a_device_without_a_cookie_yet_gets_one_that_nobody_else_has(
    client: Client, pad: Pad
) -> None:
    form = by_form(client, pad)
    client.raw.delete_cookie(DEVICE_COOKIE)

    answer = send(client, form)

    for cookie in answer.headers.getlist("Set-Cookie"):
        assert not cookie.startswith(RENEWED_COOKIE)
    client.get(answer.location, status=200)


def test_while_the_file_cannot_be_written_the_cookie_of_before_is_valid(
    client: Client, guest: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = send(guest, by_form(guest, pad)).location
    link = f"/e/{keys_of(client, start(client)).view}"

    def busy(*_: object) -> bool:
        raise Busy(pad.context.storage.path)

    with monkeypatch.context() as patch:
        patch.setattr(Devices, "replace_nonce", busy)
        guest.get(match, status=200)
        guest.get(link, status=503)

    guest.get(match, status=200)
    guest.get(link, status=200)
    assert is_known(guest)
