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
    tried_elsewhere = {
        "home.use_link",  # test_home_machine.py
        "phones.join",  # test_joining.py
        "phones.network",  # test_joining.py
        "phones.leave",  # test_phones.py
        "history.same_player",  # test_history.py
        "own_rules.new",  # test_house_rules.py
        "own_rules.change",
        "own_rules.remove",
        "own_rules.take",
    }
    writing = set()
    for rule in app.url_map.iter_rules():
        is_writing = bool((rule.methods or set()) - READING)
        if is_writing and not rule.endpoint.startswith("api."):
            writing.add(rule.endpoint)
    assert writing == tried_elsewhere | set(WAYS)


def refusal_page(answer: TestResponse, path: str) -> Page | None:
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
    """Whether the page shows what was typed, between tags or in an attribute."""
    return html.escape(typed, quote=False) in answer.text or html.escape(typed) in answer.text


@pytest.mark.parametrize("endpoint", WAYS)
def test_a_form_is_taken_from_whoever_may_send_it_and_from_nobody_else(
    app: Flask, pad: Pad, visit: Visit, endpoint: str
) -> None:
    world = World(app, pad, visit, WAYS[endpoint])

    if endpoint in IN_A_MATCH:
        _nobody_writes_without_the_right_key(world)
    _nobody_writes_without_a_token_of_this_phone(world)
    _nobody_writes_from_elsewhere(world, FOREIGN[:1])
    if endpoint not in UNNAMED:
        _nobody_writes_without_the_name_of_the_submission(world)

    # The very same fields, sent by the phone that they were shown to: so it was no mistake in them.
    data_before = world.everything()
    answer = world.send(world.sender, Origin="http://localhost")
    if endpoint in ("files.take", "files.receive"):
        assert answer.status_code == 422, "read, and no match in it"
    elif endpoint == "home.choose_language":
        assert "scorepad_language=en" in answer.headers["Set-Cookie"]
    else:
        assert answer.status_code in (200, 303), answer.text
        assert world.everything() != data_before


def _nobody_writes_without_the_right_key(world: World) -> None:
    headings = {404: "Questa partita non c'è", 403: "Da qui si può solo guardare"}
    assert len(world.strangers) == 5
    for stranger in world.strangers:
        token = token_of(stranger.client)
        data_before = world.everything()
        answer = world.send(stranger.client, token)
        page = refusal_page(answer, world.address)
        assert answer.status_code == stranger.status, stranger.what
        assert page.heading.startswith(headings[stranger.status]), stranger.what
        _is_shown_again(world, answer, stranger.what)
        assert world.everything() == data_before, stranger.what


def _nobody_writes_without_a_token_of_this_phone(world: World) -> None:
    data_before = world.everything()
    tokens = {
        "none": "",
        "another phone's": token_of(world.visit()),
        "garbled": "a.b.c",
        "odd": "\0è",
    }
    for what, token in tokens.items():
        answer = world.send(world.sender, token)
        page = refusal_page(answer, world.address)
        assert "scorepad_language" not in str(answer.headers), what
        # The page's own script is told in a word, and sends the form as a browser does: that shows
        # it again.
        if not world.address.endswith("/smazzata/controllo"):
            assert page is not None, what
            assert shows(answer, world.way.shown), what
        assert world.everything() == data_before, what


def _nobody_writes_without_the_name_of_the_submission(world: World) -> None:
    data_before = world.everything()
    without_name = dict(world.fields)
    del without_name["request_id"]
    with_empty_name = without_name | {"request_id": ""}
    for fields in (without_name, with_empty_name):
        assert world.sender.raw.post(world.address, data=fields).status_code >= 400
        assert world.everything() == data_before


def _nobody_writes_from_elsewhere(world: World, origins: list[str]) -> None:
    data_before = world.everything()
    for origin in origins:
        answer = world.send(world.sender, Origin=origin)
        assert answer.status_code == 403, origin
        page = refusal_page(answer, world.address)
        assert page.heading == "Questa pagina non viene da qui"
        # Its token is ours: a person typed it, under another name of this machine. What others make
        # up has none.
        _is_shown_again(world, answer, origin)
        made_up = world.send(world.sender, "", Origin=origin)
        assert made_up.status_code == 403
        assert not Page(made_up, world.address).all("form", class_="resend")
        assert world.everything() == data_before, origin


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
