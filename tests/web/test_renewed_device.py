"""A device that begins a match gets another cookie: whoever planted the one before sees nothing of
the match.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any

import pytest
from werkzeug.test import TestResponse

from scorepad.matches import Pad
from scorepad.matches.devices import Devices
from scorepad.matches.events import EndHow
from scorepad.matches.keys import Keys
from scorepad.storage.connection import Busy
from scorepad.web.cookies import DEVICE_COOKIE, RENEWED_COOKIE
from tests.web.client import Client, Page, Visit
from tests.web.playing import HAND_430_TO_60, device, end, keys_of, match_of, play, start
from tests.web.scorer import let_in

Filled = tuple[str, dict[str, Any]]
"""Where a form that begins a match is sent, and its fields."""
Beginning = Callable[[Client, Pad], Filled]


def filled(page: Page, address: str) -> Filled:
    """The form of a page that is sent to this address, as it is shown."""
    return address, page.values(page.all("form", action=address)[0])


def by_form(client: Client, pad: Pad) -> Filled:
    page = client.get("/partite/nuova")
    return "/partite/nuova", page.values(page.form("Comincia: "))


def for_practice(client: Client, pad: Pad) -> Filled:
    return filled(client.get("/"), "/prova")


def by_rematch(client: Client, pad: Pad) -> Filled:
    url = start(client)
    play(pad, client, url, HAND_430_TO_60)
    end(pad, client, url, EndHow.TIME)
    return filled(client.get(url), f"{url}/rivincita")


def keys_of_another(client: Client) -> Keys:
    """The keys of a match that another device began."""
    other = Client(client.app)
    return keys_of(other, start(other))


def by_link_to_write(client: Client, _: Pad) -> Filled:
    return f"/e/{keys_of_another(client).write}", {}


def by_link_to_view(client: Client, _: Pad) -> Filled:
    return f"/e/{keys_of_another(client).view}", {}


def by_import(client: Client, pad: Pad, number: int = 1) -> Filled:
    """So many matches of another device, which are deleted there."""
    other = Client(client.app)
    urls = [start(other) for _ in range(number)]
    file = other.raw.get("/file/partite.json").data
    for url in urls:
        pad.actions.delete(match_of(url), device(other))
    page = client.get("/file")
    return "/file", page.values(page.form("Carica")) | {"file": file}


def by_import_of_two(client: Client, pad: Pad) -> Filled:
    return by_import(client, pad, 2)


WAYS = (
    by_form, for_practice, by_rematch, by_import, by_import_of_two, by_link_to_write, by_link_to_view,
)  # fmt: skip


@pytest.fixture(params=WAYS)
def begins(request: pytest.FixtureRequest) -> Beginning:
    way: Beginning = request.param
    return way


def send(client: Client, form: Filled) -> TestResponse:
    """The answer to a form or a link, whose cookies the browser takes."""
    path, fields = form
    if not fields:
        answer = client.raw.get(path)
    elif "file" in fields:
        file = (BytesIO(fields["file"]), "partite.json")
        answer = client.raw.post(path, data=fields | {"file": file})
    else:
        answer = client.raw.post(path, data=fields)
    assert answer.status_code == 303, answer.text
    return answer


def matches_of(pad: Pad, who: Client) -> set[str]:
    found = pad.summaries(device(who))
    return {each.id for each in (*found.in_progress, *found.finished, *found.practice)}


def is_known(client: Client) -> bool:
    """Whether the browser is the device that its cookie names."""
    before = device(client)
    client.get("/")
    return device(client) == before


class Thief:
    """Somebody who planted the cookie of their own device on a victim. It was renewed before."""

    def __init__(self, thief: Client, victim: Client) -> None:
        self.own = start(thief)
        thief.submit(thief.get("/partite/nuova"), "Comincia: ")  # its cookie is renewed by that
        self.cookie = thief.cookie(DEVICE_COOKIE)
        self.client = Client(thief.app)
        victim.raw.set_cookie(DEVICE_COOKIE, self.cookie)

    def sees(self, match: str) -> bool:
        self.client.raw.set_cookie(DEVICE_COOKIE, self.cookie)
        return self.client.raw.get(f"/partite/{match}").status_code != 404


def test_a_planted_cookie_gives_nothing_of_a_match_begun_or_entered_under_it(
    visit: Visit, pad: Pad, begins: Beginning
) -> None:
    victim = visit()
    thief = Thief(visit(), victim)
    before = device(victim)
    answer = send(victim, begins(victim, pad))
    victim.get(answer.headers["Location"])
    assert victim.cookie(DEVICE_COOKIE) != thief.cookie
    assert device(victim) == before, "what the device had before it keeps"
    assert is_known(victim)
    begun = matches_of(pad, victim)
    assert match_of(thief.own) in begun
    assert len(begun) > 1
    for match in begun:
        assert not thief.sees(match)
        assert victim.get(f"/partite/{match}").status == 200
    thief.client.get("/")
    assert matches_of(pad, thief.client) == set()


def test_an_answer_that_never_arrives_takes_nothing_away_and_what_is_sent_again_finds_its_match(
    visit: Visit, pad: Pad, begins: Beginning
) -> None:
    victim = visit()
    thief = Thief(visit(), victim)
    form = begins(victim, pad)
    before = victim.cookie(DEVICE_COOKIE)
    send(victim, form)
    victim.raw.delete_cookie(RENEWED_COOKIE)
    victim.raw.set_cookie(DEVICE_COOKIE, before)
    begun = matches_of(pad, victim)
    victim.get(thief.own)
    answer = send(victim, form)
    assert matches_of(pad, victim) == begun, "nothing is begun twice"
    victim.get(answer.headers["Location"])
    found = matches_of(pad, victim) - {match_of(thief.own)}
    assert found
    for match in found:
        assert victim.get(f"/partite/{match}").status == 200
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
    before, name = client.cookie(DEVICE_COOKIE), device(client)
    forms = [by_form(client, pad) for _ in order]
    answers = []
    for form in forms:
        client.raw.delete_cookie(RENEWED_COOKIE)
        answers.append(send(client, form))
    client.raw.delete_cookie(RENEWED_COOKIE)
    assert client.cookie(DEVICE_COOKIE) == before
    for number in order:
        for header in answers[number].headers.getlist("Set-Cookie"):
            (cookie,) = SimpleCookie(header).values()
            client.raw.set_cookie(cookie.key, cookie.value, path=cookie["path"] or "/")
        assert client.get(answers[number].headers["Location"]).status == 200
    assert device(client) == name
    for answer in answers:
        assert client.get(answer.headers["Location"]).status == 200


def test_a_form_sent_again_from_the_page_before_leads_to_its_match(
    client: Client, pad: Pad
) -> None:
    form = by_form(client, pad)
    first = send(client, form).headers["Location"]
    client.get(first)
    assert send(client, form).headers["Location"] == first
    assert client.get(first).status == 200
    assert is_known(client)


def test_a_link_followed_after_another_that_was_never_finished_takes_nothing_away(
    client: Client, guest: Client
) -> None:
    unfinished, match = start(client), start(client)
    own, name = start(guest), device(guest)
    guest.raw.get(f"/e/{keys_of(client, unfinished).write}")
    let_in(client, match, guest)
    assert guest.get(own).status == guest.get(match).status == 200
    assert device(guest) == name


def test_a_device_without_a_cookie_yet_gets_one_that_nobody_else_has(
    client: Client, pad: Pad
) -> None:
    form = by_form(client, pad)
    client.raw.delete_cookie(DEVICE_COOKIE)
    answer = send(client, form)
    cookies = answer.headers.getlist("Set-Cookie")
    assert not [cookie for cookie in cookies if cookie.startswith(RENEWED_COOKIE)]
    assert client.get(answer.headers["Location"]).status == 200


def test_while_the_file_cannot_be_written_the_cookie_of_before_is_valid(
    client: Client, guest: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = send(guest, by_form(guest, pad)).headers["Location"]
    link = f"/e/{keys_of(client, start(client)).view}"

    def busy(*_: object) -> bool:
        raise Busy(pad.context.storage.path)

    with monkeypatch.context() as patch:
        patch.setattr(Devices, "replace_nonce", busy)
        assert guest.get(match).status == 200
        assert guest.get(link, status=503).one("h1")
    assert guest.get(match).status == guest.get(link).status == 200
    assert is_known(guest)
