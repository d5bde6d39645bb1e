"""Every route that writes, with everything that must not open it: refused, nothing changed, what
was typed shown again.

A new route finds this asking for its form.
"""

from __future__ import annotations

import html

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad.matches import Pad
from tests.web.client import Page, Visit, check
from tests.web.tables import read_tables
from tests.web.ways_to_write import ANYWHERE, IN_A_MATCH, World, token_of

WAYS = IN_A_MATCH | ANYWHERE
READING = {"GET", "HEAD", "OPTIONS"}
UNNAMED = {"home.choose_language", "hand_entry.check"}
"""What may be sent any number of times."""
FOREIGN = read_tables("security")["foreign"]


def test_every_form_that_writes_is_tried(app: Flask) -> None:
    writing = {
        rule.endpoint for rule in app.url_map.iter_rules() if (rule.methods or set()) - READING
    }
    assert {endpoint for endpoint in writing if not endpoint.startswith("api.")} == {
        *WAYS, "home.use_link",  # test_home_machine.py
        "phones.join", "phones.network",  # test_joining.py
        "phones.leave",  # test_phones.py
        "history.same_player",  # test_history.py
        "own_rules.new", "own_rules.change", "own_rules.remove", "own_rules.take",  # test_house_rules.py
    }  # fmt: skip


def is_refused_page(answer: TestResponse, path: str) -> Page | None:
    """The page of a refusal, checked; None for one without any words, as the page's own script is
    answered.
    """
    assert 400 <= answer.status_code < 500, (path, answer.status_code)
    if answer.mimetype != "text/html" or not answer.text.startswith("<!doctype"):
        return None
    page = Page(answer, path)
    check(page, "it")
    return page


def shows(answer: TestResponse, typed: str) -> bool:
    return html.escape(typed, quote=False) in answer.text or html.escape(typed) in answer.text


@pytest.mark.parametrize("endpoint", WAYS)
def test_a_form_is_taken_from_whoever_may_send_it_and_from_nobody_else(
    app: Flask, pad: Pad, visit: Visit, endpoint: str
) -> None:
    way = WAYS[endpoint]
    world = World(app, pad, visit, way)
    if endpoint in IN_A_MATCH:
        _nobody_writes_without_the_right_key(world)
    _nobody_writes_without_a_token_of_this_phone(world)
    _nobody_writes_from_elsewhere(world, FOREIGN[:1])
    if endpoint not in UNNAMED:
        _nobody_writes_without_the_name_of_the_submission(world)
    before = world.everything()
    answer = world.send(world.sender, Origin="http://localhost")
    # The very same fields, sent by the phone that they were shown to: so it was no mistake in them.
    if endpoint in ("files.take", "files.receive"):
        assert answer.status_code == 422, "read, and no match in it"
    elif endpoint == "home.choose_language":
        assert "scorepad_language=en" in answer.headers["Set-Cookie"]
    else:
        assert answer.status_code in (200, 303), answer.text
        assert world.everything() != before


def _nobody_writes_without_the_right_key(world: World) -> None:
    assert len(world.strangers) == 5
    for what, stranger, status in world.strangers:
        token = token_of(stranger)
        before = world.everything()
        answer = world.send(stranger, token)
        assert answer.status_code == status, what
        page = is_refused_page(answer, world.address)
        heading = {404: "Questa partita non c'è", 403: "Da qui si può solo guardare"}[status]
        assert page.one("h1").text.startswith(heading), what
        _is_shown_again(world, answer, what)
        assert world.everything() == before, what


def _nobody_writes_without_a_token_of_this_phone(world: World) -> None:
    before = world.everything()
    tokens = {
        "none": "",
        "another phone's": token_of(world.visit()),
        "garbled": "a.b.c",
        "odd": "\0è",
    }
    for what, token in tokens.items():
        answer = world.send(world.sender, token)
        page = is_refused_page(answer, world.address)
        assert "scorepad_language" not in str(answer.headers), what
        # The page's own script is told in a word, and sends the form as a browser does: that shows
        # it again.
        if not world.address.endswith("/smazzata/controllo"):
            assert page is not None, what
            assert shows(answer, world.way.shown), what
        assert world.everything() == before, what


def _nobody_writes_without_the_name_of_the_submission(world: World) -> None:
    before = world.everything()
    nameless = dict(world.fields)
    del nameless["request_id"]
    for fields in (nameless, nameless | {"request_id": ""}):
        assert world.sender.raw.post(world.address, data=fields).status_code >= 400
        assert world.everything() == before


def _nobody_writes_from_elsewhere(world: World, origins: list[str]) -> None:
    before = world.everything()
    for origin in origins:
        answer = world.send(world.sender, Origin=origin)
        assert answer.status_code == 403, origin
        page = is_refused_page(answer, world.address)
        assert page.one("h1").text == "Questa pagina non viene da qui"
        # Its token is ours: a person typed it, under another name of this machine. What others make
        # up has none.
        _is_shown_again(world, answer, origin)
        made_up = world.send(world.sender, "", Origin=origin)
        assert made_up.status_code == 403
        assert not Page(made_up, world.address).all("form", class_="resend")
        assert world.everything() == before, origin


def _is_shown_again(world: World, answer: TestResponse, what: str) -> None:
    """What a person typed stands on the page of the refusal, and can be sent again from there."""
    if world.way.shown:
        assert shows(answer, world.way.shown), what
        assert 'class="resend"' in answer.text, what


def test_no_page_of_elsewhere_is_taken_for_ours(app: Flask, pad: Pad, visit: Visit) -> None:
    world = World(app, pad, visit, WAYS["actions.remark"])
    _nobody_writes_from_elsewhere(world, FOREIGN)
    # A page of this machine is, and so is one of which nothing is told: sent again it is the same
    # submission.
    for origin in ("http://localhost", "https://LOCALHOST", "http://127.0.0.1:8765", "null", ""):
        assert world.send(world.sender, Origin=origin).status_code == 303, origin
