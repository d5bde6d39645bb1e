"""The cookies of the pages, and what each is for.

| cookie | signed | what it does |
|---|---|---|
| `scorepad_device` | yes | tells which device sends the request |
| `scorepad_renewed` | yes | takes the place of the device cookie when the browser first sends it |
| `scorepad_admin` | yes | opens every match of the data file to its browser |
| `scorepad_write`, `scorepad_view` | no | the keys of a match, sent for the pages of that match only |
| `scorepad_session` | yes | Flask's session: the CSRF token, and notices for the next page |
| `scorepad_language` | no | the language chosen on the device |

Under https each has a prefix, so that no page without https can set it. None can be read by scripts.
How the first two identify a device is in `device_cookies`.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import current_app, g, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from scorepad.matches.keys import Keys, is_key
from scorepad.web.alone import is_alone

if TYPE_CHECKING:
    from flask import Flask, Request

    from scorepad.matches.access import MatchId

DEVICE_COOKIE = "scorepad_device"
RENEWED_COOKIE = "scorepad_renewed"
ADMIN_COOKIE = "scorepad_admin"
WRITE_COOKIE = "scorepad_write"
VIEW_COOKIE = "scorepad_view"
LANGUAGE_COOKIE = "scorepad_language"
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds: the longest that browsers keep a cookie."""
_HOST_PREFIX = "__Host-"
"""Prefix of the name of an https cookie for every path."""
_PATH_PREFIX = "__Secure-"
"""Prefix of the name of an https cookie for one path."""


def cookie_name(name: str, prefix: str = _HOST_PREFIX) -> str:
    """Return the name that a cookie has in the browser.

    Under https it has a prefix, `__Host-scorepad_device`: then no page without https can set it.
    """
    return prefix + name if request.is_secure else name


def set_cookie(
    response: Response, name: str, value: str, *, path: str = "/", samesite: str = "Lax"
) -> None:
    """Set a lasting cookie for this host, hidden from scripts."""
    prefix = _HOST_PREFIX if path == "/" else _PATH_PREFIX
    response.set_cookie(
        cookie_name(name, prefix),
        value,
        max_age=KEPT_FOR,
        path=path,
        httponly=True,
        samesite=samesite,
        secure=request.is_secure,
    )


# ---------------------------------------------------------------- signed cookies


class SignedContent(NamedTuple):
    """The content of a cookie that this server signed, and when it did."""

    content: Any
    signed_at: datetime


def sign_cookie(name: str, content: Any) -> str:
    return _signer(name).dumps(content)


def read_signed_cookie(name: str) -> SignedContent | None:
    """Read a cookie that this server signed, of any age; None if it is missing, or forged.

    It is verified only once for each request.
    """
    cookies: dict[str, SignedContent | None] = g.setdefault("signed_cookies", {})
    if name not in cookies:
        value = request.cookies.get(cookie_name(name), "")
        cookies[name] = _verify_cookie(name, value) if value else None
    return cookies[name]


def _verify_cookie(name: str, value: str) -> SignedContent | None:
    """Return the content of a signed cookie; None if this server did not sign it."""
    try:
        content, signed_at = _signer(name).loads(value, return_timestamp=True)
    except BadData:
        return None
    return SignedContent(content, signed_at)


def _signer(name: str) -> URLSafeTimedSerializer:
    assert isinstance(current_app.secret_key, bytes)
    return _make_signer(current_app.secret_key, name)


@lru_cache(maxsize=16)
def _make_signer(secret_key: bytes, name: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret_key, salt=name)


# ---------------------------------------------------------------- the keys of a match


def cookie_keys() -> Keys:
    """Read the keys of a match from the cookies of the request; they may be withdrawn since."""
    return Keys(write=_read_key_in_cookie(WRITE_COOKIE), view=_read_key_in_cookie(VIEW_COOKIE))


def _read_key_in_cookie(name: str) -> str:
    """Read the key in a cookie; empty without the cookie, or if it cannot be a key."""
    text = request.cookies.get(cookie_name(name, _PATH_PREFIX), "")
    return text if is_key(text) else ""


def set_key_cookies(response: Response, match: MatchId, keys: Keys) -> None:
    """Set the keys of a match as cookies for the path of that match."""
    path = url_for("matches.page", match=match)
    if keys.write:
        set_cookie(response, WRITE_COOKIE, keys.write, path=path)
    if keys.view:
        set_cookie(response, VIEW_COOKIE, keys.view, path=path)


# ---------------------------------------------------------------- access to all matches


def set_admin_cookie(response: Response) -> None:
    """Set the cookie by which the browser may see all matches.

    It counts because this server signed it; what it says does not matter.
    """
    anything = secrets.token_urlsafe(8)
    set_cookie(response, ADMIN_COOKIE, sign_cookie(ADMIN_COOKIE, anything), samesite="Strict")


def may_see_all() -> bool:
    """Tell whether the browser may see and change all matches, as their owner does.

    On a pad that is alone it may, as the data file is its own. On any other it needs the cookie of
    an admin link, and no other site may have made its request.
    """
    return is_alone() or has_admin_cookie()


def has_admin_cookie() -> bool:
    """Tell whether the browser has the cookie of an admin, and no other site made its request."""
    if cookie_name(ADMIN_COOKIE) not in request.cookies:
        return False
    return is_same_origin() and read_signed_cookie(ADMIN_COOKIE) is not None


def is_same_origin() -> bool:
    """Tell whether the user or a page of this origin made the request, and not another site.

    Browsers send `Sec-Fetch-Site` to https and localhost only, and old ones never do. With forms
    and requests of scripts they send `Origin`. A header that is missing tells nothing.
    """
    site = request.headers.get("Sec-Fetch-Site", "none")
    if site not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    host_of_origin = origin.partition("://")[2]
    return host_of_origin.lower() == request.host.lower()


# ---------------------------------------------------------------- the session


class LastingSessions(SecureCookieSessionInterface):
    """Flask's sessions without an expiry date.

    The server's clock may be years behind, and may be set during a match.
    """

    def __init__(self) -> None:
        self._serializer: URLSafeTimedSerializer | None = None
        """Signs and verifies the sessions; None until the first request."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs and verifies the sessions, which Flask would make for each request."""
        if self._serializer is None:
            self._serializer = super().get_signing_serializer(app)
        return self._serializer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Read the session of a request, of any age, as Flask asks for it.

        After the clock of the server was set back, the session may even be from the future.
        """
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        value = request.cookies.get(self.get_cookie_name(app), "")
        try:
            content = serializer.loads(value)
        except BadSignature:
            return self.session_class()
        return self.session_class(content)

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:  # noqa: ARG002 - Flask's own
        """Expiry of the session cookie; browsers shorten it to their own maximum."""
        return datetime(2999, 12, 31, tzinfo=UTC)

    def get_cookie_name(self, app: Flask) -> str:
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 - Flask's own
        """Tell whether the cookie is for https only."""
        return request.is_secure
