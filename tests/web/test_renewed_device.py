"""A device that begins or enters a match gets a new device cookie.

Somebody might plant their own device cookie in a victim's browser, to see the victim's matches
later. That is why the cookie is renewed: the old one opens none of the matches begun with it. An
answer sets the new cookie as a second one, `renewed`. With the next request that sends it, it takes
the place of the old one; until then the old one is valid, so that nothing is lost with a lost
answer.
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
    """A form that is ready to be sent. Without fields it is a link."""

    address: str
    fields: dict[str, Any]


FillForm = Callable[[Client, Pad], FilledForm]
"""One of the following functions: it prepares a form that begins a match, or a link into one."""


def form_sent_to(page: Page, address: str) -> FilledForm:
    """Find the form of a page that is sent to this address, and leave it as it is shown."""
    form = page.all("form", action=address)[0]
    return FilledForm(address, page.values(form))


def by_form(client: Client, pad: Pad) -> FilledForm:
    page = client.get("/partite/nuova")
    return FilledForm("/partite/nuova", page.form_values("Comincia: "))


def for_practice(client: Client, pad: Pad) -> FilledForm:
    return form_sent_to(client.get("/"), "/prova")


def by_rematch(client: Client, pad: Pad) -> FilledForm:
    player = Player(client, pad, start(client))
    player.play(HAND_430_TO_60)
    page_after_the_end = player.end("time")  # it has a button "Rematch"
    return form_sent_to(page_after_the_end, f"{player.match}/rivincita")


def keys_of_another(client: Client) -> Keys:
    """Let another device begin a match, and return its keys."""
    other = Client(client.app)
    match = start(other)
    return keys_of(other, match)


def by_link_to_write(client: Client, _: Pad) -> FilledForm:
    return FilledForm(f"/e/{keys_of_another(client).write}", {})


def by_link_to_view(client: Client, _: Pad) -> FilledForm:
    return FilledForm(f"/e/{keys_of_another(client).view}", {})


def by_import(client: Client, pad: Pad, number: int = 1) -> FilledForm:
    """Prepare the import of a file with this number of matches."""
    # Another device begins the matches and exports them. They are deleted, so as to be missing.
    other = Client(client.app)
    urls = [start(other) for _ in range(number)]
    file = other.raw.get("/file/partite.json").data
    for url in urls:
        pad.actions.delete(match_of(url), device(other))

    page = client.get("/file")
    return FilledForm("/file", page.form_values("Carica") | {"file": file})  # "Load"


def by_import_of_two(client: Client, pad: Pad) -> FilledForm:
    return by_import(client, pad, 2)


WAYS = (
    by_form, for_practice, by_rematch, by_import, by_import_of_two, by_link_to_write, by_link_to_view,
)  # fmt: skip


@pytest.fixture(params=WAYS)
def fill_form(request: pytest.FixtureRequest) -> FillForm:
    """Each of the ways to begin or to enter a match."""
    way: FillForm = request.param
    return way


def send(client: Client, form: FilledForm) -> TestResponse:
    """Send a form, or follow a link; return the answer. The browser takes its cookies."""
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
    """Return the ids of the matches that the device of a browser may see."""
    lists = pad.summaries(device(client))
    matches = lists.in_progress + lists.finished + lists.practice
    return {match.id for match in matches}


def is_known(client: Client) -> bool:
    """Tell whether the pad accepts the cookie of a browser, rather than set one of a new device."""
    before = device(client)
    client.get("/")
    return device(client) == before


class Thief:
    """Somebody who has a match, and plants the cookie of their own device in a victim's browser."""

    def __init__(self, browser: Client, victim: Client) -> None:
        self.own_match = start(browser)
        browser.submit("/partite/nuova", "Comincia: ")  # the cookie is renewed with this
        self.cookie = browser.cookie(DEVICE_COOKIE)
        self.client = Client(browser.app)
        victim.raw.set_cookie(DEVICE_COOKIE, self.cookie)

    def sees(self, match: str) -> bool:
        """Tell whether the planted cookie opens a match."""
        self.client.raw.set_cookie(DEVICE_COOKIE, self.cookie)
        return self.client.raw.get(f"/partite/{match}").status_code != 404


def test_planted_cookie_gives_no_access_to_matches_begun_with_it(
    visit: Visit, pad: Pad, fill_form: FillForm
) -> None:
    # A thief has planted the cookie of their own device in a victim's browser, to see the matches
    # that the victim plays with it.
    victim = visit()
    thief = Thief(visit(), victim)
    device_before = device(victim)

    # The victim begins or enters a match, by a form or a link, and gets another cookie.
    answer = send(victim, fill_form(victim, pad))
    victim.get(answer.location)

    # The new cookie names the same device.
    assert victim.cookie(DEVICE_COOKIE) != thief.cookie
    assert device(victim) == device_before
    assert is_known(victim)

    # The device of the planted cookie is the victim's now, with the match that the thief began.
    matches_of_victim = matches_of(pad, victim)
    assert match_of(thief.own_match) in matches_of_victim
    assert len(matches_of_victim) > 1
    for match in matches_of_victim:
        assert not thief.sees(match)
        victim.get(f"/partite/{match}", status=200)

    # The thief has got the cookie of a new device, without any match.
    thief.client.get("/")
    assert matches_of(pad, thief.client) == set()


def test_form_sent_again_after_a_lost_answer_finds_its_match(
    visit: Visit, pad: Pad, fill_form: FillForm
) -> None:
    # A thief has planted the cookie of their own device in a victim's browser. The victim is about
    # to begin or enter a match, by a form or a link.
    victim = visit()
    thief = Thief(visit(), victim)
    form = fill_form(victim, pad)
    cookie_before = victim.cookie(DEVICE_COOKIE)

    # The victim sends the form. The answer is lost, and its cookies with it.
    send(victim, form)
    victim.raw.delete_cookie(RENEWED_COOKIE)
    victim.raw.set_cookie(DEVICE_COOKIE, cookie_before)
    matches_before = matches_of(pad, victim)
    victim.get(thief.own_match, status=200)

    # The victim sends the same form again. No match is begun a second time.
    answer = send(victim, form)
    assert matches_of(pad, victim) == matches_before

    # This answer arrives. The match is open to the victim, and closed to the thief.
    victim.get(answer.location)
    matches_of_victim = matches_of(pad, victim) - {match_of(thief.own_match)}
    assert matches_of_victim
    for match in matches_of_victim:
        victim.get(f"/partite/{match}", status=200)
        assert not thief.sees(match)


def test_unused_renewed_cookie_is_replaced_by_the_next(client: Client, pad: Pad) -> None:
    # Whoever begins a match gets a new device cookie. The next request that sends it puts it in the
    # place of the old one. Here three matches begin without such a request in between.
    client.get("/")
    for _ in range(3):
        send(client, by_form(client, pad))

    assert len(matches_of(pad, client)) == 3
    assert is_known(client)


@pytest.mark.parametrize("order", [*itertools.permutations((0, 1, 2))])
def test_three_tabs_may_begin_matches_at_once(
    client: Client, pad: Pad, order: tuple[int, ...]
) -> None:
    # Whoever begins a match gets a new device cookie. The next request that sends it puts it in the
    # place of the old one.
    client.get("/")
    cookie_before = client.cookie(DEVICE_COOKIE)
    device_before = device(client)

    # The forms of three tabs are sent with the same cookie, before any answer arrives.
    forms = [by_form(client, pad) for _ in order]
    answers = []
    for form in forms:
        answers.append(send(client, form))
        client.raw.delete_cookie(RENEWED_COOKIE)  # as if the answer were still on its way
    assert client.cookie(DEVICE_COOKIE) == cookie_before

    # The answers arrive in any order, and each tab opens its match at once.
    for number in order:
        take_cookies(client, answers[number])
        client.get(answers[number].location, status=200)

    # The browser is still the same device, and all its matches are open.
    assert device(client) == device_before
    for answer in answers:
        client.get(answer.location, status=200)


def take_cookies(client: Client, answer: TestResponse) -> None:
    """Store the cookies of an answer in a browser."""
    for header in answer.headers.getlist("Set-Cookie"):
        cookies = SimpleCookie(header)
        for name, cookie in cookies.items():
            client.raw.set_cookie(name, cookie.value, path=cookie["path"] or "/")


def test_form_sent_again_leads_to_its_match(client: Client, pad: Pad) -> None:
    # A match is begun, which renews the device cookie, and its page is opened with the new one.
    form = by_form(client, pad)
    match = send(client, form).location
    client.get(match)

    # The form was filled in with the old cookie. It is sent again, for example by the back button.
    sent_again = send(client, form)

    assert sent_again.location == match
    client.get(match, status=200)
    assert is_known(client)


def test_unfinished_link_takes_no_access_away(client: Client, guest: Client) -> None:
    first_match = start(client)
    second_match = start(client)
    own_match = start(guest)
    device_before = device(guest)

    # A guest taps a link into the first match, but leaves before its page is fetched. The answer
    # has set a new device cookie, which was not sent back yet.
    link = f"/e/{keys_of(client, first_match).write}"
    guest.raw.get(link)  # the redirect is not followed

    # A link into the second match is followed to its end.
    let_in(client, second_match, guest)

    guest.get(own_match, status=200)
    guest.get(second_match, status=200)
    assert device(guest) == device_before


def test_device_without_cookie_gets_one_at_once(client: Client, pad: Pad) -> None:
    # The browser has lost its cookie between the page and the form.
    form = by_form(client, pad)
    client.raw.delete_cookie(DEVICE_COOKIE)

    answer = send(client, form)

    # There is no old cookie that might have been planted. So the new one needs no second step.
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert not cookie.startswith(RENEWED_COOKIE)
    client.get(answer.location, status=200)


def test_old_cookie_is_valid_while_file_cannot_be_written(
    client: Client, guest: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A guest has begun a match, and got a new device cookie with it. Another phone has a match too.
    match = send(guest, by_form(guest, pad)).location
    link = f"/e/{keys_of(client, start(client)).view}"

    def raise_busy(*_: object) -> bool:
        raise Busy(pad.context.storage.path)

    # The old cookie cannot be replaced, because another process is writing to the data file. The
    # match is open all the same. A link into another one has to wait.
    with monkeypatch.context() as patch:
        patch.setattr(Devices, "replace_nonce", raise_busy)
        guest.get(match, status=200)
        guest.get(link, status=503)

    # It is over.
    guest.get(match, status=200)
    guest.get(link, status=200)
    assert is_known(guest)
