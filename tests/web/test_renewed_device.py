"""A device that begins a match gets another cookie: whoever planted the one before sees nothing of
the match.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable
from http.cookies import SimpleCookie
from io import BytesIO

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.devices import Devices
from scorepad.matches.events import EndHow, Ending
from scorepad.storage.connection import Busy
from scorepad.web.cookies import DEVICE_COOKIE, RENEWED_COOKIE
from tests.web.client import Client
from tests.web.playing import ALL_GOOD, device, match_of, play, start

Beginning = Callable[[Client, Pad], tuple[str, dict[str, object]]]
"""Where a form that begins a match is sent, and its fields."""


def by_form(client: Client, pad: Pad) -> tuple[str, dict[str, object]]:
    page = client.get("/partite/nuova")
    return "/partite/nuova", {**page.values(page.form("Comincia: "))}


def for_practice(client: Client, pad: Pad) -> tuple[str, dict[str, object]]:
    page = client.get("/")
    form = next(each for each in page.all("form") if each.get("action") == "/prova")
    return "/prova", {**page.values(form)}


def by_rematch(client: Client, pad: Pad) -> tuple[str, dict[str, object]]:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    ended = pad.actions.end(
        RequestId(secrets.token_hex(16)), match_of(url), device(client), 1, Ending(EndHow.TIME)
    )
    assert ended
    page = client.get(url)
    form = next(each for each in page.all("form") if each.get("action") == f"{url}/rivincita")
    return f"{url}/rivincita", {**page.values(form)}


def by_import(number: int) -> Beginning:
    def begin(client: Client, pad: Pad) -> tuple[str, dict[str, object]]:
        other = Client(client.app)
        urls = [start(other) for _ in range(number)]
        path = "/file/partite.json" if number > 1 else f"{urls[0]}/file/partita.json"
        file = other.raw.get(path).data
        for url in urls:
            pad.actions.delete(match_of(url), device(other))
        page = client.get("/file")
        form = next(
            each
            for each in page.all("form")
            if each.get("method") == "post" and each.all(name="file")
        )
        return "/file", {**page.values(form), "file": file}

    return begin


WAYS: dict[str, Beginning] = {
    "form": by_form,
    "practice": for_practice,
    "rematch": by_rematch,
    "import": by_import(1),
    "import of two": by_import(2),
}


@pytest.fixture(params=[*WAYS])
def begins(request: pytest.FixtureRequest) -> Beginning:
    return WAYS[request.param]


def send(client: Client, path: str, sent: dict[str, object]) -> TestResponse:
    """The answer to a form, whose cookies the browser takes."""
    file = sent.get("file")
    data = sent | ({"file": (BytesIO(file), "partite.json")} if isinstance(file, bytes) else {})
    answer = client.raw.post(path, data=data)
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


def planted_by(thief: Client, victim: Client) -> str:
    thief.get("/")
    cookie = thief.cookie(DEVICE_COOKIE)
    victim.raw.set_cookie(DEVICE_COOKIE, cookie)
    return cookie


def test_a_planted_cookie_gives_nothing_of_a_match_begun_under_it(
    visit: Callable[..., Client], pad: Pad, begins: Beginning
) -> None:
    thief, victim = visit(), visit()
    planted = planted_by(thief, victim)
    before = device(victim)
    path, sent = begins(victim, pad)
    answer = send(victim, path, sent)
    assert victim.get(answer.headers["Location"]).status == 200
    assert device(victim) == before, "what the device had before it keeps"
    begun = matches_of(pad, victim)
    assert begun
    assert is_known(victim)
    for match in begun:
        thief.raw.set_cookie(DEVICE_COOKIE, planted)
        thief.get(f"/partite/{match}", 404)
        assert victim.get(f"/partite/{match}").status == 200
    thief.get("/")
    assert matches_of(pad, thief) == set()


def test_an_answer_that_never_arrives_takes_nothing_away_and_the_form_sent_again_finds_its_match(
    visit: Callable[..., Client], pad: Pad, begins: Beginning
) -> None:
    thief, victim = visit(), visit()
    planted = planted_by(thief, victim)
    own = start(victim)
    path, sent = begins(victim, pad)
    send(victim, path, sent)
    victim.raw.delete_cookie(RENEWED_COOKIE)
    begun = matches_of(pad, victim)
    assert victim.get(own).status == 200
    answer = send(victim, path, sent)
    assert matches_of(pad, victim) == begun, "nothing is begun twice"
    assert victim.get(answer.headers["Location"]).status == 200
    for match in begun:
        assert victim.get(f"/partite/{match}").status == 200
        thief.raw.set_cookie(DEVICE_COOKIE, planted)
        thief.get(f"/partite/{match}", 404)


def test_a_renewed_cookie_that_was_never_followed_is_replaced_by_the_next(
    visit: Callable[..., Client], pad: Pad
) -> None:
    client = visit()
    client.get("/")
    for _ in range(3):
        send(client, *by_form(client, pad))
    assert len(matches_of(pad, client)) == 3
    assert is_known(client)


@pytest.mark.parametrize("order", [*itertools.permutations((0, 1, 2))])
def test_of_three_tabs_that_begin_at_once_none_shuts_out_another(
    visit: Callable[..., Client], pad: Pad, order: tuple[int, ...]
) -> None:
    """All are sent with the cookie of before, and their answers come in any order, each followed at
    once.
    """
    client = visit()
    client.get("/")
    before, name = client.cookie(DEVICE_COOKIE), device(client)
    forms = [by_form(client, pad) for _ in order]
    answers = []
    for path, sent in forms:
        client.raw.delete_cookie(RENEWED_COOKIE)
        answers.append(send(client, path, sent))
    client.raw.delete_cookie(RENEWED_COOKIE)
    assert client.cookie(DEVICE_COOKIE) == before
    for number in order:
        for header in answers[number].headers.getlist("Set-Cookie"):
            (cookie,) = SimpleCookie(header).values()
            client.raw.set_cookie(cookie.key, cookie.value, path=cookie["path"] or "/")
        assert client.get(answers[number].headers["Location"]).status == 200
    assert device(client) == name
    assert [client.get(each.headers["Location"]).status for each in answers] == [200] * 3


def test_a_form_sent_again_from_the_page_before_leads_to_its_match(
    visit: Callable[..., Client], pad: Pad
) -> None:
    client = visit()
    path, sent = by_form(client, pad)
    first = send(client, path, sent).headers["Location"]
    client.get(first)
    again = send(client, path, sent).headers["Location"]
    assert again == first
    assert client.get(again).status == 200
    assert is_known(client)


def test_a_link_followed_after_another_that_was_never_finished_takes_nothing_away(
    client: Client, visit: Callable[..., Client]
) -> None:
    urls = [start(client), start(client)]
    guest = visit()
    own, name = start(guest), device(guest)
    links = [client.raw.get_cookie("scorepad_write", path=url) for url in urls]
    guest.raw.get(f"/e/{links[0].value if links[0] else ''}")
    guest.get(f"/e/{links[1].value if links[1] else ''}")
    assert [guest.get(each).status for each in (own, urls[1])] == [200, 200]
    assert device(guest) == name


def test_a_device_without_a_cookie_yet_gets_one_that_nobody_else_has(
    visit: Callable[..., Client], pad: Pad
) -> None:
    client = visit()
    path, sent = by_form(client, pad)
    client.raw.delete_cookie(DEVICE_COOKIE)
    answer = send(client, path, sent)
    assert not [
        each for each in answer.headers.getlist("Set-Cookie") if each.startswith(RENEWED_COOKIE)
    ]
    assert client.get(answer.headers["Location"]).status == 200


def test_while_the_file_cannot_be_written_the_cookie_of_before_is_valid(
    app: Flask,
    client: Client,
    visit: Callable[..., Client],
    pad: Pad,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guest = visit()
    path, sent = by_form(guest, pad)
    url = send(guest, path, sent).headers["Location"]
    other = client.raw.get_cookie("scorepad_view", path=start(client))
    assert other is not None

    def busy(*_: object) -> bool:
        raise Busy(pad.context.storage.path)

    with monkeypatch.context() as patch:
        patch.setattr(Devices, "replace_nonce", busy)
        assert guest.get(url).status == 200
        assert guest.get(f"/e/{other.value}", 503).one("h1")
    assert guest.get(url).status == 200
    assert guest.get(f"/e/{other.value}").status == 200
    assert is_known(guest)
