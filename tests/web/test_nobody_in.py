"""Every form of the pages that changes something, sent by whoever must not send it: it is refused,
nothing is changed, and what was typed is shown again.

A new route that changes something fails here until its form is listed in `ways_to_write.toml`.
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
FOREIGN_ORIGINS = read_tables("security")["foreign"]
"""Values of the header `Origin` that other sites send, such as `https://evil.example`."""


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
        writing_methods = (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
        if writing_methods and not rule.endpoint.startswith("api."):
            writing_endpoints.add(rule.endpoint)

    assert writing_endpoints == tried_elsewhere | set(WRITING_FORMS)


def refusal_page(answer: TestResponse, path: str) -> Page | None:
    """Check that an answer refuses a request, and return its page.

    Return None where the answer has no page, because the script of a page sent the request.
    """
    assert 400 <= answer.status_code < 500, (path, answer.status_code)
    if answer.mimetype != "text/html" or not answer.text.startswith("<!doctype"):
        return None
    page = Page(answer, path)
    check(page, "it")
    return page


def shows(answer: TestResponse, typed: str) -> bool:
    """Tell whether the page shows what was typed, between tags or in an attribute."""
    as_text = html.escape(typed, quote=False)
    in_attribute = html.escape(typed)
    return as_text in answer.text or in_attribute in answer.text


@pytest.mark.parametrize("endpoint", WRITING_FORMS)
def test_form_is_accepted_only_from_its_phone(
    app: Flask, pad: Pad, visit: Visit, endpoint: str
) -> None:
    # One endpoint is "actions.remark", the form of a note on a hand. `world` has a match that is
    # played until its page shows the form, the form filled in, the phone that may send it, and some
    # strangers.
    world = World(app, pad, visit, WRITING_FORMS[endpoint])

    # Each check sends the form with one thing wrong. Only a form of a match needs a key.
    if endpoint in IN_A_MATCH:
        check_wrong_keys_are_refused(world)
    check_wrong_tokens_are_refused(world)
    check_foreign_origins_are_refused(world, FOREIGN_ORIGINS[:1])
    # The language is chosen, and a hand is checked, any number of times from the same form.
    if endpoint not in ("home.choose_language", "hand_entry.check"):
        check_missing_request_id_is_refused(world)

    # At last the form is sent by the right phone, with nothing wrong.
    check_right_form_is_accepted(world, endpoint)


def check_right_form_is_accepted(world: World, endpoint: str) -> None:
    """Send the form from the phone that was shown it, and check that it changes something."""
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
    """Send the form from phones without the right key of the match, and check that it is refused.

    To a phone that may only look the page says so. To the others it says that there is no match.
    """
    # "This match does not exist" and "From here one can only look".
    headings = {404: "Questa partita non c'è", 403: "Da qui si può solo guardare"}
    assert len(world.strangers) == 5

    # Such as a phone with the key of another match, or one whose key was withdrawn.
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
    """Send the form with wrong CSRF tokens, and check that it is refused and shown again."""
    # One form is sent by the script of its page, which needs no page as an answer.
    is_sent_by_script = world.address.endswith("/smazzata/controllo")

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

        # Neither the data file is changed nor the language of the phone, which a cookie keeps.
        assert world.dump_data_file() == data_before, what
        assert "scorepad_language" not in str(answer.headers), what

        # The text that was typed, such as a note, is on the page.
        if not is_sent_by_script:
            assert page is not None, what
            typed = world.way.shown
            assert shows(answer, typed), what


def check_missing_request_id_is_refused(world: World) -> None:
    """Send the form without its request ID, by which one that is sent twice is known, and check
    that it is refused.
    """
    data_before = world.dump_data_file()
    without_id = dict(world.fields)
    del without_id["request_id"]
    with_empty_id = without_id | {"request_id": ""}
    for fields in (without_id, with_empty_id):
        assert world.sender.raw.post(world.address, data=fields).status_code >= 400
        assert world.dump_data_file() == data_before


def check_foreign_origins_are_refused(world: World, origins: list[str]) -> None:
    """Send the form as if these other sites had sent it, and check that it is refused.

    The header `Origin` tells the site of the page that the form was on.
    """
    data_before = world.dump_data_file()
    for origin in origins:
        # With the right CSRF token: the form is ours, and the pad is only reached by another name.
        # The page says "This page does not come from here", and offers to send the form again.
        answer = world.send(world.sender, Origin=origin)
        assert answer.status_code == 403, origin
        page = refusal_page(answer, world.address)
        assert page.heading == "Questa pagina non viene da qui"
        check_typed_text_can_be_sent_again(world, answer, origin)

        # Without a token: another site made the form up. There is nothing to send again.
        forged = world.send(world.sender, token="", Origin=origin)
        assert forged.status_code == 403
        assert not Page(forged, world.address).all("form", class_="resend")

        # Neither has changed anything.
        assert world.dump_data_file() == data_before, origin


def check_typed_text_can_be_sent_again(world: World, answer: TestResponse, what: str) -> None:
    """Check that the page shows the text that was typed, and a form to send it again.

    Into some forms no text is typed. `what` is for the message of a failure.
    """
    typed = world.way.shown
    if typed:
        assert shows(answer, typed), what
        assert 'class="resend"' in answer.text, what


def test_form_from_another_site_is_refused(app: Flask, pad: Pad, visit: Visit) -> None:
    # A match is played until its page shows the form of a note on a hand ("remark"). This form
    # stands for all of them, as it is sent with many origins, such as "https://evil.example".
    form_of_note = WRITING_FORMS["actions.remark"]
    world = World(app, pad, visit, form_of_note)

    # Each time the answer has status 403, and nothing is changed.
    check_foreign_origins_are_refused(world, FOREIGN_ORIGINS)


@pytest.mark.parametrize(
    "origin", ["http://localhost", "https://LOCALHOST", "http://127.0.0.1:8765", "null", ""]
)
def test_form_from_this_machine_or_an_unknown_origin_is_accepted(
    app: Flask, pad: Pad, visit: Visit, origin: str
) -> None:
    # A match is played until its page shows the form of a note on a hand ("remark").
    form_of_note = WRITING_FORMS["actions.remark"]
    world = World(app, pad, visit, form_of_note)

    # The phone that was shown the form sends it, with its CSRF token. Some browsers give "null" or
    # nothing as the origin, and the token has to suffice.
    answer = world.send(world.sender, Origin=origin)

    assert answer.status_code == 303
