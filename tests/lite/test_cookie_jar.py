"""The cookies of a pad alone: kept as a browser keeps them."""

from __future__ import annotations

import time

import pytest

from scorepad.lite.inside.cookie_jar import CookieJar


def test_cookie_is_sent_for_its_path_and_what_is_below() -> None:
    jar = CookieJar()
    jar.store("key=k3v; Path=/app/partite/k3v; HttpOnly")

    assert jar.header_for("/app/partite/k3v") == "key=k3v"
    assert jar.header_for("/app/partite/k3v/foglio") == "key=k3v"

    # It is not sent for a longer name, or above its path.
    for path in ("/app/partite/k3vx", "/app/partite", "/"):
        assert jar.header_for(path) == ""


def test_cookie_without_a_path_is_sent_everywhere() -> None:
    jar = CookieJar()
    jar.store("language=en")
    assert jar.header_for("/app/regole") == "language=en"


def test_cookie_with_the_longer_path_is_sent_first() -> None:
    jar = CookieJar()
    jar.store("device=all; Path=/")
    jar.store("device=one; Path=/app/partite")
    assert jar.header_for("/app/partite") == "device=one; device=all"


def test_cookie_that_is_set_again_is_replaced() -> None:
    jar = CookieJar()
    jar.store("language=it; Path=/")
    jar.store("language=en; Path=/")
    assert jar.header_for("/") == "language=en"


def test_cookie_is_deleted_for_one_path_only() -> None:
    jar = CookieJar()
    jar.store("key=one; Path=/one")
    jar.store("key=two; Path=/two")

    # A server deletes a cookie by setting it with a time in the past.
    jar.store("key=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/one")

    assert jar.header_for("/one") == ""
    assert jar.header_for("/two") == "key=two"


def test_cookie_is_sent_until_it_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    # The cookie lasts 100 seconds.
    jar = CookieJar()
    jar.store("device=d; Max-Age=100; Path=/")
    now = time.time()

    monkeypatch.setattr(time, "time", lambda: now + 90)
    assert jar.header_for("/") == "device=d"

    monkeypatch.setattr(time, "time", lambda: now + 101)
    assert jar.header_for("/") == ""


def test_value_in_quotation_marks_stays_as_it_was_sent() -> None:
    jar = CookieJar()
    jar.store('device="a=b; c"; Path=/')
    assert jar.header_for("/") == 'device="a=b; c"'


def test_jar_is_written_as_json_and_read_again() -> None:
    jar = CookieJar()
    jar.store("device=d; Max-Age=100; Path=/app")
    jar.store("language=en; Path=/")

    again = CookieJar(jar.to_json())

    assert again.header_for("/app") == "device=d; language=en"
    assert again.to_json() == jar.to_json()


def test_jar_without_cookies_sends_none() -> None:
    jar = CookieJar()
    assert jar.to_json() == "[]"
    assert jar.header_for("/") == ""
