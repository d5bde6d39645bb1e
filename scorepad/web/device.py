"""Cookies: the session, the device, the home privilege, and the keys of matches."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Flask, Request, Response, current_app, g, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.access import DeviceId, Keys, MatchId, at_home, digest_of, is_key
from scorepad.storage.errors import StorageError
from scorepad.web.headers import LOOKS_AGAIN

if TYPE_CHECKING:
    from scorepad.matches import Pad

DEVICE_COOKIE = "scorepad_device"
HOME_COOKIE = "scorepad_home"
"""Opens every match of the file to its browser."""
WRITE_COOKIE = "scorepad_write"
VIEW_COOKIE = "scorepad_view"
"""The keys of a match, in cookies for the path of that match."""
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds: the longest that browsers keep a cookie."""
_RENEWED_AFTER = timedelta(days=30)
"""Age from which a signed cookie is renewed."""


class LastingSessions(SecureCookieSessionInterface):
    """Sessions without an expiry date: a form can be submitted the next day.

    The server's clock may be years behind the phones, and may be set during a match.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request, of any age: after the clock was set back it may be from the future."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        try:
            return self.session_class(serializer.loads(request.cookies.get(self.get_cookie_name(app), "")))
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:  # noqa: ARG002 - Flask's own
        """Expiry of the session cookie; browsers shorten it to their own maximum."""
        return datetime(2999, 12, 31, tzinfo=UTC)

    def get_cookie_name(self, app: Flask) -> str:
        """The name of the cookie."""
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 - Flask's own
        """Whether the cookie is for https alone."""
        return request.is_secure


class DeviceToken(NamedTuple):
    """The content of a device cookie.

    The cookie is renewed when the device enters a match by a key: whoever planted a cookie in the browser is not in
    that match as well. The new cookie has another `nonce`. The one `before` stays valid until the new one was sent
    with this key, since the response that sets it may be lost.
    """

    name: str
    nonce: str = ""
    before: str = ""
    key: str = ""
    """Digest of the key for which the cookie was renewed."""


def cookie_name(name: str, prefix: str = "__Host-") -> str:
    """The name of a cookie; under https with a prefix, so that no page without https can set it."""
    return prefix + name if request.is_secure else name


def set_cookie(response: AnyResponse, name: str, value: str, path: str = "/", samesite: str = "Lax") -> None:
    """Set a lasting cookie for this host, hidden from scripts."""
    name = cookie_name(name, "__Host-" if path == "/" else "__Secure-")  # `__Host-` is for the path / alone
    response.set_cookie(
        name, value, max_age=KEPT_FOR, path=path, httponly=True, samesite=samesite, secure=request.is_secure
    )


# ---------------------------------------------------------------- the device


def current_device(pad: Pad) -> DeviceId:
    """The device of the request, by its cookie; without a valid one a new random id."""
    if "device" not in g:
        g.device, g.keeps_device = _find_device(pad)
    device = DeviceId(g.device.name)
    return at_home(device) if is_at_home() else device


def carried_name() -> str:
    """The device id in the cookie; empty without a cookie that this server signed."""
    return _carried()[0].name


def sign_device(key: bytes, token: DeviceToken) -> str:
    """The value of a device cookie."""
    return _signer(key, DEVICE_COOKIE).dumps(token)


def read_device(key: bytes, value: str) -> tuple[DeviceToken, datetime | None]:
    """The content of a device cookie and when it was signed; an empty id if this key did not sign it."""
    content, signed = _unsigned(key, DEVICE_COOKIE, value)
    return (DeviceToken("") if signed is None else DeviceToken(*content)), signed


def is_known() -> bool:
    """Whether the request has a valid device cookie."""
    return bool(g.device.name == carried_name())


def pending_nonce(key: str) -> str:
    """The nonce of a cookie that was renewed for this key; empty for another cookie."""
    token: DeviceToken = g.device
    return token.nonce if token.key == digest_of(key) else ""


def renew_device(response: AnyResponse, key: str) -> None:
    """Set a renewed device cookie, which becomes valid when it is sent with this key."""
    token = DeviceToken(g.device.name, secrets.token_urlsafe(16), g.device.nonce, digest_of(key))
    g.keeps_device = False
    set_cookie(response, DEVICE_COOKIE, sign_device(_key(), token))


def keep_cookies(response: Response) -> Response:
    """Set the cookie of a new device, and renew old cookies."""
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
        if pad.devices.is_current(DeviceId(token.name), (token.nonce, token.before)):
            return token, datetime.now(UTC) - signed > _RENEWED_AFTER
    except StorageError:
        return new, False
    # Renewed meanwhile. An earlier request of another page must not replace the new cookie.
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

    Of any age: browsers expire cookies by their own clock, and that of the server may be set back.
    """
    try:
        content, signed = _signer(key, name).loads(value, return_timestamp=True)
    except BadData:
        return None, None
    return content, signed


# ---------------------------------------------------------------- the home privilege


def is_at_home() -> bool:
    """Whether the browser has the home privilege: its cookie, in a request that no other site made.

    The address and the host of the request do not matter.
    """
    value = request.cookies.get(cookie_name(HOME_COOKIE), "")
    return bool(value) and is_from_here() and _unsigned(_key(), HOME_COOKIE, value)[1] is not None


def is_from_here() -> bool:
    """Whether a page of this origin made the request, or a person did.

    Browsers send `Sec-Fetch-Site` to https and localhost alone, old ones never; forms and scripts send `Origin`.
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
    """The keys of a match in the cookies of the request; they may be withdrawn."""
    names = (cookie_name(name, "__Secure-") for name in (WRITE_COOKIE, VIEW_COOKIE))
    write, view = (request.cookies.get(name, "") for name in names)
    return Keys(write if is_key(write) else "", view if is_key(view) else "")


def keep_keys(response: AnyResponse, match: MatchId, keys: Keys) -> None:
    """Set the keys of a match as cookies for the path of that match."""
    path = url_for("matches.page", match=match)
    for name, key in ((WRITE_COOKIE, keys.write), (VIEW_COOKIE, keys.view)):
        if key:
            set_cookie(response, name, key, path)
