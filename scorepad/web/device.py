"""What a request says about the browser: the device that it is, the keys that it carries, the home privilege."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Flask, Request, Response, current_app, g, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.keys import digest_of, is_key
from scorepad.matches.who import DeviceId, Keys, MatchId, at_home
from scorepad.storage.errors import StorageError
from scorepad.web.headers import LOOKS_AGAIN

if TYPE_CHECKING:
    from scorepad.matches import Pad

DEVICE_COOKIE = "scorepad_device"
HOME_COOKIE = "scorepad_home"
"""Gives its browser every match of the file."""
WRITE_COOKIE = "scorepad_write"
VIEW_COOKIE = "scorepad_view"
"""The keys of a match, in cookies that go to the pages of that match alone."""
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds; browsers keep no cookie longer."""
_RENEWED_AFTER = timedelta(days=30)
"""The age at which a signed cookie is set again, so that it does not expire while it is used."""


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

    def get_cookie_name(self, app: Flask) -> str:
        """The name of the cookie."""
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 - Flask's own
        """Whether the cookie goes by https alone: it does where it was given by https."""
        return request.is_secure


class DeviceToken(NamedTuple):
    """The content of a device cookie.

    The cookie is renewed when the device enters a match by a key, so that whoever planted a cookie in somebody's
    browser is not in that match as well. The new cookie has another `nonce`. Until it has come back once, with this
    key, the one `before` stays valid: the answer that sets the new one may be lost.
    """

    name: str
    nonce: str = ""
    before: str = ""
    key: str = ""
    """A digest of the key for which the cookie was renewed."""


def cookie_name(name: str, prefix: str = "__Host-") -> str:
    """The name of a cookie in this request: under https no other site and no page without https can set it."""
    return prefix + name if request.is_secure else name


def set_cookie(response: AnyResponse, name: str, value: str, path: str = "/", samesite: str = "Lax") -> None:
    """Set a cookie that lasts, for this host alone and out of reach of scripts."""
    name = cookie_name(name, "__Host-" if path == "/" else "__Secure-")  # `__Host-` is for the path / alone
    response.set_cookie(
        name, value, max_age=KEPT_FOR, path=path, httponly=True, samesite=samesite, secure=request.is_secure
    )


# ---------------------------------------------------------------- the device


def current_device(pad: Pad) -> DeviceId:
    """The device of this request, by its cookie; one without a valid cookie gets a new random name."""
    if "device" not in g:
        g.device, g.keeps_device = _find_device(pad)
    device = DeviceId(g.device.name)
    return at_home(device) if is_at_home() else device


def carried_name() -> str:
    """The name in the cookie of this request; empty where there is none, or none that this server signed."""
    return _carried()[0].name


def sign_device(key: bytes, token: DeviceToken) -> str:
    """The value of a device cookie."""
    return _signer(key, DEVICE_COOKIE).dumps(token)


def read_device(key: bytes, value: str) -> tuple[DeviceToken, datetime | None]:
    """The content of a device cookie and when it was signed; an empty name if this key did not sign it."""
    content, signed = _unsigned(key, DEVICE_COOKIE, value)
    return (DeviceToken("") if signed is None else DeviceToken(*content)), signed


def is_known() -> bool:
    """Whether the browser brought a valid device cookie."""
    return bool(g.device.name == carried_name())


def pending_nonce(key: str) -> str:
    """The nonce of a cookie that was renewed for this key and now came back; empty for any other."""
    token: DeviceToken = g.device
    return token.nonce if token.key == digest_of(key) else ""


def renew_device(response: AnyResponse, key: str) -> None:
    """Set a renewed device cookie, to be valid once it comes back with this key."""
    token = DeviceToken(g.device.name, secrets.token_urlsafe(16), g.device.nonce, digest_of(key))
    g.keeps_device = False
    set_cookie(response, DEVICE_COOKIE, sign_device(_key(), token))


def keep_cookies(response: Response) -> Response:
    """Set the device cookie of a new device, and again the cookies that get old."""
    if g.get("keeps_device") and response.mimetype == "text/html":
        set_cookie(response, DEVICE_COOKIE, sign_device(_key(), g.device))
        if is_at_home():
            keep_home(response)
    return response


def _find_device(pad: Pad) -> tuple[DeviceToken, bool]:
    """The device of this request, and whether its cookie is to be set."""
    token, signed = _carried()
    new = DeviceToken(secrets.token_urlsafe(24))
    if signed is None:
        return new, True
    try:
        if pad.doors.is_current(DeviceId(token.name), (token.nonce, token.before)):
            return token, datetime.now(UTC) - signed > _RENEWED_AFTER
    except StorageError:
        return new, False
    # Renewed meanwhile. A request sent before that, by another page of the browser, must not replace the new cookie.
    return new, request.method == "GET" and LOOKS_AGAIN not in request.headers


def _carried() -> tuple[DeviceToken, datetime | None]:
    return read_device(_key(), request.cookies.get(cookie_name(DEVICE_COOKIE), ""))


def _key() -> bytes:
    key = current_app.secret_key
    assert isinstance(key, bytes)
    return key


def _signer(key: bytes, name: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(key, salt=name)


def _unsigned(key: bytes, name: str, value: str) -> tuple[Any, datetime | None]:
    """The content of a signed cookie, and when it was signed; None if this key did not sign it.

    Of any age: browsers end cookies by their own clock, and that of the server may be set back.
    """
    try:
        content, signed = _signer(key, name).loads(value, return_timestamp=True)
    except BadData:
        return None, None
    return content, signed


# ---------------------------------------------------------------- the home privilege


def is_at_home() -> bool:
    """Whether the browser has the home privilege: its cookie, in a request that no page of another site made.

    Nothing depends on the address that the request comes from, nor on the name in it.
    """
    value = request.cookies.get(cookie_name(HOME_COOKIE), "")
    return bool(value) and is_from_here() and _unsigned(_key(), HOME_COOKIE, value)[1] is not None


def is_from_here() -> bool:
    """Whether a page of this very origin made the request, or a person did, as far as the browser says.

    Browsers send `Sec-Fetch-Site` to https and localhost alone, and older ones never: then there is `Origin`, with
    forms and scripts.
    """
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin")
    return site in ("same-origin", "none") and (
        origin is None or origin.partition("://")[2].lower() == request.host.lower()
    )


def keep_home(response: AnyResponse) -> None:
    """Give the browser the home privilege."""
    value = _signer(_key(), HOME_COOKIE).dumps(secrets.token_urlsafe(8))
    set_cookie(response, HOME_COOKIE, value, samesite="Strict")


# ---------------------------------------------------------------- keys of matches


def carried_keys() -> Keys:
    """The keys of its match that this request carries; whether they still open it is another question."""
    names = (cookie_name(name, "__Secure-") for name in (WRITE_COOKIE, VIEW_COOKIE))
    write, view = (request.cookies.get(name, "") for name in names)
    return Keys(write if is_key(write) else "", view if is_key(view) else "")


def keep_keys(response: AnyResponse, match: MatchId, keys: Keys) -> None:
    """Let the browser carry these keys of a match, to the pages of that match and no others."""
    path = url_for("matches.page", match=match)
    for name, key in ((WRITE_COOKIE, keys.write), (VIEW_COOKIE, keys.view)):
        if key:
            set_cookie(response, name, key, path)
