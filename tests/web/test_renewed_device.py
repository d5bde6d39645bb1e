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


def new_match_form(client: Client, pad: Pad) -> FilledForm:
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
    new_match_form, for_practice, by_rematch, by_import, by_import_of_two, by_link_to_write, by_link_to_view,
)  # fmt: skip


@pytest.fixture(params=WAYS)
def fill_form(request: pytest.FixtureRequest) -> FillForm:
    """Each of the ways to begin or to enter a match."""
    way: FillForm = request.param
    return way


def send(client: Client, form: FilledForm) -> TestResponse:
    """Send a form, or follow a link, and return the answer: a redirect, which is not followed.

    The browser takes the cookies of the answer.
    """
    fields = dict(form.fields)
    if not fields:  # it is a link
        answer = client.raw.get(form.address)
    else:
        if "file" in fields:
            fields["file"] = (BytesIO(fields["file"]), "partite.json")
        answer = client.raw.post(form.address, data=fields)
    assert answer.status_code == 303, answer.text
    return answer


def matches_of(pad: Pad, client: Client) -> set[str]:
    """Return the ids of the matches that the device of a browser may see."""
    lists = pad.summaries(device(client))
    matches = lists.in_progress + lists.finished + lists.practice
    return {match.id for match in matches}


def is_cookie_accepted(client: Client) -> bool:
    """Tell whether the pad accepts the cookie of a browser, rather than set one of a new device."""
    before = device(client)
    client.get("/")
    return device(client) == before


class Thief:
    """Somebody who has matches, and plants the cookie of their own device in a victim's browser."""

    def __init__(self, browser: Client) -> None:
        # A match renews the device cookie. The one that is valid after a second match is planted.
        self.own_match = start(browser)
        browser.submit("/partite/nuova", "Comincia: ")
        self.cookie = browser.cookie(DEVICE_COOKIE)

        # From now on the thief tries another browser, which has no cookie but the planted one.
        self.client = Client(browser.app)

    def plant_cookie(self, victim: Client) -> None:
        """Put the cookie into the victim's browser, which is the thief's device to the pad then."""
        victim.raw.set_cookie(DEVICE_COOKIE, self.cookie)

    def sees(self, match: str) -> bool:
        """Tell whether the planted cookie opens a match."""
        self.client.raw.set_cookie(DEVICE_COOKIE, self.cookie)
        return self.client.raw.get(f"/partite/{match}").status_code != 404


def test_planted_cookie_gives_no_access_to_matches_begun_with_it(
    visit: Visit, pad: Pad, fill_form: FillForm
) -> None:
    # A thief plants the cookie of their own device in a victim's browser. So the pad takes both
    # browsers for one device, and the thief hopes to see the victim's matches.
    victim = visit()
    thief = Thief(visit())
    thief.plant_cookie(victim)
    device_before = device(victim)

    # The victim begins or enters a match, by a form or a link. The browser gets another cookie, and
    # uses it when it opens the page of the match.
    answer = send(victim, fill_form(victim, pad))
    victim.get(answer.location)

    # The new cookie names the same device, which has the thief's match too.
    assert victim.cookie(DEVICE_COOKIE) != thief.cookie
    assert device(victim) == device_before
    assert is_cookie_accepted(victim)
    matches_of_victim = matches_of(pad, victim)
    assert match_of(thief.own_match) in matches_of_victim
    assert len(matches_of_victim) > 1

    # All these matches are open to the victim, and closed to the planted cookie.
    for match in matches_of_victim:
        assert not thief.sees(match)
        victim.get(f"/partite/{match}", status=200)

    # The thief gets the cookie of a new device, without any match.
    thief.client.get("/")
    assert matches_of(pad, thief.client) == set()


def test_form_sent_again_after_a_lost_answer_finds_its_match(
    visit: Visit, pad: Pad, fill_form: FillForm
) -> None:
    # A thief plants the cookie of their own device in a victim's browser, to see the matches that
    # the victim begins with it. The victim is about to begin or enter a match, by a form or a link.
    victim = visit()
    thief = Thief(visit())
    thief.plant_cookie(victim)
    form = fill_form(victim, pad)
    cookie_before = victim.cookie(DEVICE_COOKIE)

    # The form arrives, but its answer is lost. So the victim's browser has the cookie of before, and
    # not the renewed one, which was to take its place.
    send(victim, form)
    victim.raw.delete_cookie(RENEWED_COOKIE)
    victim.raw.set_cookie(DEVICE_COOKIE, cookie_before)
    matches_before = matches_of(pad, victim)
    victim.get(thief.own_match, status=200)

    # The victim sends the same form again. No match is begun a second time.
    answer = send(victim, form)
    assert matches_of(pad, victim) == matches_before

    # This answer arrives, and the new cookie is used. Now the planted one opens none of the
    # victim's matches.
    victim.get(answer.location)
    matches_of_victim = matches_of(pad, victim) - {match_of(thief.own_match)}
    assert matches_of_victim
    for match in matches_of_victim:
        victim.get(f"/partite/{match}", status=200)
        assert not thief.sees(match)


def test_device_stays_the_same_while_its_cookie_is_renewed_often(client: Client, pad: Pad) -> None:
    # Whoever begins a match gets a renewed device cookie. The next request, here for the form of the
    # next match, puts it in the place of the old one.
    client.get("/")
    for _ in range(3):
        form = new_match_form(client, pad)
        send(client, form)

    # Each match belongs to the same device, and the last cookie is accepted.
    assert len(matches_of(pad, client)) == 3
    assert is_cookie_accepted(client)


@pytest.mark.parametrize("order", [*itertools.permutations((0, 1, 2))])
def test_three_tabs_may_begin_matches_at_once(
    client: Client, pad: Pad, order: tuple[int, ...]
) -> None:
    # Three tabs of a browser show the form of a new match.
    client.get("/")
    cookie_before = client.cookie(DEVICE_COOKIE)
    device_before = device(client)
    forms = [new_match_form(client, pad) for _ in order]

    # All forms are sent with the same device cookie. Each answer sets a renewed one. It is taken
    # out of the browser, as if the answer were still on its way.
    answers = []
    for form in forms:
        answers.append(send(client, form))
        client.raw.delete_cookie(RENEWED_COOKIE)
    assert client.cookie(DEVICE_COOKIE) == cookie_before

    # The answers arrive in any order, with their cookies, and each tab opens its match at once.
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
    # A match is begun. The answer renews the device cookie, and the page is opened with the new one.
    form = new_match_form(client, pad)
    match = send(client, form).location
    client.get(match)

    # The same form is sent again, for example by the back button, now with the new cookie.
    sent_again = send(client, form)

    # It leads to the match that it began, and the cookie is still accepted.
    assert sent_again.location == match
    client.get(match, status=200)
    assert is_cookie_accepted(client)


def test_unfinished_link_takes_no_access_away(client: Client, guest: Client) -> None:
    # The client has two matches, and the guest one of their own.
    first_match = start(client)
    second_match = start(client)
    own_match = start(guest)
    device_before = device(guest)

    # The guest taps a link into the first match, but leaves before its page is fetched: the
    # redirect is not followed. Its answer has set a renewed device cookie, which is not used yet.
    link = f"/e/{keys_of(client, first_match).write}"
    guest.raw.get(link)

    # The guest enters the second match by its link, whose redirect is followed.
    let_in(client, second_match, guest)

    # The guest is still the same device, and both matches are open.
    guest.get(own_match, status=200)
    guest.get(second_match, status=200)
    assert device(guest) == device_before


def test_device_without_cookie_gets_one_at_once(client: Client, pad: Pad) -> None:
    # The browser has lost its device cookie between the page of a new match and its form.
    form = new_match_form(client, pad)
    client.raw.delete_cookie(DEVICE_COOKIE)

    answer = send(client, form)

    # There is no old cookie that a thief might know. So the new one is set at once, rather than as
    # a renewed one, which takes the place of the old one with the next request.
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert not cookie.startswith(RENEWED_COOKIE)
    client.get(answer.location, status=200)


def test_old_cookie_is_valid_while_file_cannot_be_written(
    client: Client, guest: Client, pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A guest has begun a match. The answer set a renewed device cookie, which is to take the place
    # of the old one with the next request. Another phone has a match too, and a link into it.
    match = send(guest, new_match_form(guest, pad)).location
    link = f"/e/{keys_of(client, start(client)).view}"

    def raise_busy(*_: object) -> bool:
        raise Busy(pad.context.storage.path)

    # Another process is writing to the data file. So the pad cannot store that the renewed cookie
    # is the valid one now. The guest's match is open all the same. The link has to wait.
    with monkeypatch.context() as patch:
        patch.setattr(Devices, "replace_nonce", raise_busy)
        guest.get(match, status=200)
        guest.get(link, status=503)

    # The file can be written again.
    guest.get(match, status=200)
    guest.get(link, status=200)
    assert is_cookie_accepted(guest)
