"""The device that asks: a browser, known by a random cookie that it keeps, and the keys that it carries."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime

from flask import Flask, Request, Response, current_app, g, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.wrappers import Response as AnyResponse

from scorepad.pad.keys import is_key
from scorepad.pad.who import DeviceId, Keys, MatchId, at_home
from scorepad.web.hosts import is_loopback, name_in

DEVICE_COOKIE = "scorepad_device"
WRITE_COOKIE = "scorepad_write"
VIEW_COOKIE = "scorepad_view"
"""The keys of a match, in cookies that go to the pages of that match alone."""
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds; browsers keep no cookie longer."""
PRIVATE = "SCOREPAD_PRIVATE"
"""The setting of the application under which a browser on its own machine is one like any other."""

_NAME = re.compile(r"[A-Za-z0-9_-]{32}")
_PASSED_ON = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")
_PASSED_ON_TOO = "HTTP_X_FORWARDED_"


class LastingSessions(SecureCookieSessionInterface):
    """Sessions that outlast the browser: a page left open on the table can still be sent the next day.

    They go by no clock: one without a network may be years behind the phones, and is set while they play.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session that a browser brings, of any age: after the clock was set back it seems to be of the future."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        try:
            return self.session_class(serializer.loads(request.cookies.get(self.get_cookie_name(app), "")))
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:  # noqa: ARG002 - Flask's own
        """When the cookie of a session ends: browsers make of it the longest that they keep one."""
        return datetime(2999, 12, 31, tzinfo=UTC)

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 - Flask's own
        """Whether the cookie goes by https alone: it does where it was given by https."""
        return request.is_secure


def current_device() -> DeviceId:
    """The device of this request, by its cookie; one without a cookie gets a new random name."""
    if "device" not in g:
        g.device = DeviceId(carried_name() or secrets.token_urlsafe(24))
    device: DeviceId = g.device
    return at_home(device) if _is_at_home() else device


def carried_name() -> str:
    """The name that this request brings along; empty where there is none, or none of ours."""
    carried = request.cookies.get(DEVICE_COOKIE, "")
    return carried if _NAME.fullmatch(carried) else ""


def keep_device(response: Response) -> Response:
    """Let the browser keep the name that it was asked under, a little longer with each page of its own."""
    if "device" in g and response.mimetype == "text/html":
        _keep(response, DEVICE_COOKIE, g.device, "/")
    return response


def carried_keys() -> Keys:
    """The keys of its match that this request carries; whether they still open it is another question."""
    write, view = (request.cookies.get(name, "") for name in (WRITE_COOKIE, VIEW_COOKIE))
    return Keys(write if is_key(write) else "", view if is_key(view) else "")


def keep_keys(response: AnyResponse, match: MatchId, keys: Keys) -> None:
    """Let the browser carry these keys of a match, to the pages of that match and no others."""
    path = url_for("matches.page", match=match)
    for name, key in ((WRITE_COOKIE, keys.write), (VIEW_COOKIE, keys.view)):
        if key:
            _keep(response, name, key, path)


def _keep(response: AnyResponse, name: str, value: str, path: str) -> None:
    response.set_cookie(
        name, value, max_age=KEPT_FOR, path=path, httponly=True, samesite="Lax", secure=request.is_secure
    )


def _is_at_home() -> bool:
    """Whether a browser asks that runs on the server's own machine: whoever sits there has the file itself in hand.

    The connection comes from the machine, the name in the address leads nowhere else, and nobody passed it on: neither
    said so nor spoke as browsers no longer do.
    """
    return (
        not current_app.config[PRIVATE]
        and is_loopback(request.remote_addr)
        and is_loopback(name_in(request.host))
        and request.environ.get("SERVER_PROTOCOL") == "HTTP/1.1"
        and not any(name in _PASSED_ON or name.startswith(_PASSED_ON_TOO) for name in request.environ)
    )
