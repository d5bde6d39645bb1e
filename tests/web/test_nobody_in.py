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

WRITING_FORMS = IN_A_MATCH | ANYWHERE
READING_METHODS = {"GET", "HEAD", "OPTIONS"}
NEED_NO_REQUEST_ID = {"home.choose_language", "hand_entry.check"}
"""Endpoints of forms that may be sent any number of times."""
FOREIGN_ORIGINS = read_tables("security")["foreign"]


def test_every_writing_endpoint_is_listed(app: Flask) -> None:
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
    writing_endpoints = set()
    for rule in app.url_map.iter_rules():
        writing_methods = (rule.methods or set()) - READING_METHODS
        if writing_methods and not rule.endpoint.startswith("api."):
            writing_endpoints.add(rule.endpoint)
    assert writing_endpoints == tried_elsewhere | set(WRITING_FORMS)


def refusal_page(answer: TestResponse, path: str) -> Page | None:
    """The page of a refusal, checked; None where the answer, to a script, has no page."""
    assert 400 <= answer.status_code < 500, (path, answer.status_code)
    if answer.mimetype != "text/html" or not answer.text.startswith("<!doctype"):
        return None
    page = Page(answer, path)
    check(page, "it")
    return page


def shows(answer: TestResponse, typed: str) -> bool:
    """Whether the page shows what was typed, between tags or in an attribute."""
    as_text = html.escape(typed, quote=False)
    in_attribute = html.escape(typed)
    return as_text in answer.text or in_attribute in answer.text


@pytest.mark.parametrize("endpoint", WRITING_FORMS)
def test_form_is_accepted_only_from_its_phone(
    app: Flask, pad: Pad, visit: Visit, endpoint: str
) -> None:
    world = World(app, pad, visit, WRITING_FORMS[endpoint])

    if endpoint in IN_A_MATCH:
        check_wrong_keys_are_refused(world)
    check_wrong_tokens_are_refused(world)
    check_foreign_origins_are_refused(world, FOREIGN_ORIGINS[:1])
    if endpoint not in NEED_NO_REQUEST_ID:
        check_missing_request_id_is_refused(world)

    # The same fields are accepted from the phone that was shown them.
    data_before = world.dump_data_file()
    answer = world.send(world.sender, Origin="http://localhost")
    if endpoint in ("files.take", "files.receive"):
        assert answer.status_code == 422, "the file was read and holds no match"
    elif endpoint == "home.choose_language":
        assert "scorepad_language=en" in answer.headers["Set-Cookie"]
    else:
        assert answer.status_code in (200, 303), answer.text
        assert world.dump_data_file() != data_before


def check_wrong_keys_are_refused(world: World) -> None:
    """Phones without the right key of the match are refused, and nothing is stored."""
    # "This match does not exist", "From here one can only look"
    headings = {404: "Questa partita non c'è", 403: "Da qui si può solo guardare"}
    assert len(world.strangers) == 5
    for stranger in world.strangers:
        token = token_of(stranger.client)
        data_before = world.dump_data_file()
        answer = world.send(stranger.client, token)
        page = refusal_page(answer, world.address)
        assert answer.status_code == stranger.status, stranger.what
        assert page.heading.startswith(headings[stranger.status]), stranger.what
        check_typed_text_can_be_sent_again(world, answer, stranger.what)
        assert world.dump_data_file() == data_before, stranger.what


def check_wrong_tokens_are_refused(world: World) -> None:
    """The form is refused and shown again, but for one that is sent by the script of a page."""
    data_before = world.dump_data_file()
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
        is_sent_by_script = world.address.endswith("/smazzata/controllo")
        if not is_sent_by_script:
            assert page is not None, what
            assert shows(answer, world.way.shown), what
        assert world.dump_data_file() == data_before, what


def check_missing_request_id_is_refused(world: World) -> None:
    data_before = world.dump_data_file()
    without_id = dict(world.fields)
    del without_id["request_id"]
    with_empty_id = without_id | {"request_id": ""}
    for fields in (without_id, with_empty_id):
        assert world.sender.raw.post(world.address, data=fields).status_code >= 400
        assert world.dump_data_file() == data_before


def check_foreign_origins_are_refused(world: World, origins: list[str]) -> None:
    data_before = world.dump_data_file()
    for origin in origins:
        # With our token: a person typed it, under another name of this machine.
        answer = world.send(world.sender, Origin=origin)
        assert answer.status_code == 403, origin
        page = refusal_page(answer, world.address)
        assert page.heading == "Questa pagina non viene da qui"  # "… does not come from here"
        check_typed_text_can_be_sent_again(world, answer, origin)

        # Without it: another site made it up.
        forged = world.send(world.sender, "", Origin=origin)
        assert forged.status_code == 403
        assert not Page(forged, world.address).all("form", class_="resend")
        assert world.dump_data_file() == data_before, origin


def check_typed_text_can_be_sent_again(world: World, answer: TestResponse, what: str) -> None:
    """What a person typed stands on the page of the refusal, and can be sent again from there."""
    if world.way.shown:
        assert shows(answer, world.way.shown), what
        assert 'class="resend"' in answer.text, what


def test_form_from_another_site_is_refused(app: Flask, pad: Pad, visit: Visit) -> None:
    world = World(app, pad, visit, WRITING_FORMS["actions.remark"])
    check_foreign_origins_are_refused(world, FOREIGN_ORIGINS)


@pytest.mark.parametrize(
    "origin", ["http://localhost", "https://LOCALHOST", "http://127.0.0.1:8765", "null", ""]
)
def test_form_from_this_machine_or_an_unknown_origin_is_accepted(
    app: Flask, pad: Pad, visit: Visit, origin: str
) -> None:
    world = World(app, pad, visit, WRITING_FORMS["actions.remark"])
    assert world.send(world.sender, Origin=origin).status_code == 303
