"""Security: the checks before each request, rate limits, the headers of responses, and the signed
cookies of devices.

A page of another site can make a browser send requests here under its own host name (DNS
rebinding), but not under an IP address. So the host of a request must be loopback, an address of
this machine, its `.local` name, or a name given to `serve`.
"""

from __future__ import annotations

import gzip
import hashlib
import ipaddress
import math
import re
import secrets
import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, g, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, BadSignature, URLSafeTimedSerializer
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.access import DeviceId, MatchId, as_admin
from scorepad.matches.keys import Keys, digest_of, is_key
from scorepad.storage.connection import StorageError
from scorepad.web.network_addresses import is_loopback
from scorepad.web.rate_limits import Action, Counts

if TYPE_CHECKING:
    from scorepad.matches import Pad

EXTENSION = "scorepad"
"""Key of `base.AppState` among Flask's extensions."""
LIMITED, HOSTS = "SCOREPAD_LIMITED", "SCOREPAD_HOSTS"
"""Configuration keys: whether rate limits apply; further host names of this machine."""
MOST_FIELDS = 2000
"""Fields of a form."""
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


class PageRequest(Request):
    """A request that views see as GET if it is HEAD; Werkzeug omits the body of its response."""

    def __init__(self, environ: Any, *args: Any, **more: Any) -> None:
        super().__init__(environ, *args, **more)
        self.method = "GET" if self.method == "HEAD" else self.method

    def _load_form_data(self) -> None:
        """Read the form. A part without a name, which no browser sends, is an error."""
        super()._load_form_data()
        if None in self.form or None in self.files:
            abort(400)


def register_security(app: Flask) -> None:
    """Check every request, and set the headers and cookies of every response."""
    app.request_class = PageRequest
    app.session_interface = LastingSessions()
    app.after_request(_finish)  # runs last, on the response that the limits may have replaced
    app.before_request(_check_host)
    limit_requests(app)
    app.before_request(_check_access)


def _check_host() -> None:
    allowed = current_app.config[HOSTS]
    # The health check answers under any name: it reveals nothing.
    if request.endpoint != "app.health" and not is_own_host(request.host, allowed):
        abort(400, "host")
    # A form of a page of another machine. Without an origin the CSRF token decides; a proxy may
    # change the host.
    if request.method in _SAFE_METHODS or request.origin in (None, "", "null"):
        return
    origin_host = (request.origin or "").partition("://")[2]
    is_same_host = origin_host.lower() == request.host.lower()
    if not is_same_host and not is_own_host(origin_host, allowed):
        abort(403, "origin")


def _check_access() -> None:
    """Reject a read-only device on every URL that changes a match and on the forms for it; sets
    `g.rules`.
    """
    _limit_fields()
    match = (request.view_args or {}).get("match")
    rule = request.url_rule
    if not match or rule is None or request.blueprint == "api":
        return  # the API takes keys, and ignores cookies
    _enter_by_carried_key(match)
    may_change_match = not (rule.methods or set()) <= _SAFE_METHODS
    if may_change_match:
        g.rules = _services().devices.let_write(match, current_device())


def _limit_fields() -> None:
    """Refuse a form with too many fields: Werkzeug limits only the parts of a multipart body."""
    if request.mimetype != "application/x-www-form-urlencoded":
        return
    # The data read here is cached for Werkzeug's parser.
    if request.get_data().count(b"&") >= MOST_FIELDS:
        abort(413)


def _enter_by_carried_key(match: str) -> None:
    """Let a new device enter a match by the key that its browser carries for the pages of the
    match.

    The signing key was lost, or the device's cookie. Nobody else has the cookie that it gets now.
    """
    device = current_device()
    if not (_is_new_device() and g.keeps_device):
        return
    key = key_to_enter(match)
    if key:
        count_action(Action.ENTER)
        _services().devices.enter(key, device)
        g.has_entered = True


def _services() -> Pad:
    pad: Pad = current_app.extensions[EXTENSION].pad
    return pad


# ---------------------------------------------------------------- responses

ALWAYS = {
    "Content-Security-Policy": "default-src 'none'; manifest-src 'self'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Hide match URLs from other sites, but send the origin, which the token check needs under
    # https.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
LOOKS_AGAIN = "Scorepad-Live"
"""Request header of an open page that refetches itself."""
_SMALLEST = 500  # minimum bytes for compression
_COMPRESSED = {"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"}


def may_hold_key(path: str) -> bool:
    """Whether a path may hold a key or the token of an admin link, which no header may disclose."""
    return re.match(r"/+(e|casa)(/|$)", path, re.IGNORECASE) is not None


def _finish(response: Response) -> Response:
    """Set cookies and headers. Pages are revalidated each time and not cached by proxies."""
    _set_device_cookies(response)
    if response.location and request.headers.get("Scorepad-Script"):
        # A script gets the URL of a redirect, so that it does not fetch a page that is not shown.
        response.headers["Scorepad-To"] = response.headers.pop("Location")
        response.set_data(b"")
        response.status_code = HTTPStatus.NO_CONTENT
    _compress(response)
    if may_hold_key(request.path):
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
    for name, value in ALWAYS.items():
        response.headers.setdefault(name, value)  # a view may set stricter values
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint != "static" or response.status_code >= HTTPStatus.BAD_REQUEST:
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def _set_device_cookies(response: Response) -> None:
    is_html = response.mimetype == "text/html"
    is_server_error = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if is_html and not response.location and not is_server_error:
        # A form sent twice must come from one device. After a server error the data file may have
        # failed.
        current_device()
    if g.get("keeps_device") and (is_html or "has_entered" in g):
        set_cookie(response, DEVICE_COOKIE, _signer(DEVICE_COOKIE).dumps(g.device))
        if has_admin_cookie():
            set_admin_cookie(response)


def _compress(response: Response) -> None:
    """Compress a response with gzip for a client that accepts it.

    Flask-Compress (1.25) ignores `gzip;q=0`, compresses a stylesheet anew each time, and needs two
    more libraries.
    """
    if response.mimetype not in _COMPRESSED:
        return
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] <= 0 or "Content-Encoding" in response.headers:
        return
    is_static = request.endpoint == "static"
    is_stream = response.direct_passthrough and not is_static
    if response.status_code != HTTPStatus.OK or is_stream:
        return
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) < _SMALLEST:
        return
    compressed = _compress_file(data) if is_static else gzip.compress(data, 6, mtime=0)
    response.set_data(compressed)
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)


_compress_file = lru_cache(maxsize=64)(partial(gzip.compress, mtime=0))


# ---------------------------------------------------------------- hosts

EVERY_ADDRESS = ("", "0.0.0.0", "::", "*")  # noqa: S104 - compared
"""Hosts to listen on that mean every address of the machine."""
_PLAIN = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?", re.IGNORECASE | re.ASCII)


def is_own_host(host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Whether the Host of a request, with or without a port, names this machine."""
    name = host_name(host)
    if name is None:
        return False
    own_names = {local_name(), *(each.lower().rstrip(".") for each in allowed)}
    if is_loopback(name) or name in own_names:
        return True
    try:
        address = ipaddress.ip_address(name)
        family = socket.AF_INET if isinstance(address, ipaddress.IPv4Address) else socket.AF_INET6
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Works only for an address of this machine, or of no machine.
            probe.bind((str(address), 0))
    except (ValueError, OSError):
        return False
    is_of_no_machine = address.is_unspecified or address.is_multicast or name == "255.255.255.255"
    return not is_of_no_machine


def is_host_name(name: str) -> bool:
    """Whether this is a host name or an IPv4 address, without scheme, port or path."""
    return _PLAIN.fullmatch(name) is not None


def host_name(host: str) -> str | None:
    """The host name in a `Host` header, without the port; None if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        name = parts.hostname
        port = parts.port
    except ValueError:
        return None
    if name is None or port == 0 or parts.netloc != host or "@" in host:
        return None
    return name.rstrip(".")


def local_name() -> str:
    """The mDNS name of this machine."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def announced_name() -> str | None:
    """The mDNS name, if this machine announces it; else None."""
    announcers = (Path("/run/avahi-daemon/socket"), Path("/usr/sbin/mDNSResponder"))
    return local_name() if any(path.exists() for path in announcers) else None


# ---------------------------------------------------------------- cookies

DEVICE_COOKIE = "scorepad_device"
RENEWED_COOKIE = "scorepad_renewed"
"""Replaces the device cookie as soon as the browser sends it."""
ADMIN_COOKIE = "scorepad_admin"
"""Opens every match of the file to its browser."""
WRITE_COOKIE = "scorepad_write"
VIEW_COOKIE = "scorepad_view"
"""The keys of a match, in cookies for the path of that match."""
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds: the longest that browsers keep a cookie."""
_RENEWED_AFTER = timedelta(days=30)  # age from which a signed cookie is renewed


class LastingSessions(SecureCookieSessionInterface):
    """Sessions without an expiry date: the server's clock may be years behind, and may be set
    during a match.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request, of any age: after the clock was set back it may be from the
        future.
        """
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        try:
            return self.session_class(
                serializer.loads(request.cookies.get(self.get_cookie_name(app), ""))
            )
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:  # noqa: ARG002 - Flask's own
        """Expiry of the session cookie; browsers shorten it to their own maximum."""
        return datetime(2999, 12, 31, tzinfo=UTC)

    def get_cookie_name(self, app: Flask) -> str:
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 - Flask's own
        """Whether the cookie is for https only."""
        return request.is_secure


def cookie_name(name: str, prefix: str = "__Host-") -> str:
    """The name of a cookie; under https with a prefix, so that no page without https can set it."""
    return prefix + name if request.is_secure else name


def set_cookie(
    response: AnyResponse, name: str, value: str, path: str = "/", samesite: str = "Lax"
) -> None:
    """Set a lasting cookie for this host, hidden from scripts."""
    name = cookie_name(
        name, "__Host-" if path == "/" else "__Secure-"
    )  # `__Host-` is for the path / alone
    response.set_cookie(
        name,
        value,
        max_age=KEPT_FOR,
        path=path,
        httponly=True,
        samesite=samesite,
        secure=request.is_secure,
    )


def _signer(name: str) -> URLSafeTimedSerializer:
    assert isinstance(current_app.secret_key, bytes)
    return URLSafeTimedSerializer(current_app.secret_key, salt=name)


def _read_signed(name: str) -> tuple[Any, datetime | None]:
    """The content of a signed cookie of any age, and when it was signed; None if this server did
    not sign it.
    """
    read: dict[str, tuple[Any, datetime | None]] = g.setdefault("signed_cookies", {})
    if name not in read:
        try:
            read[name] = _signer(name).loads(
                request.cookies.get(cookie_name(name), ""), return_timestamp=True
            )
        except BadData:
            read[name] = None, None
    return read[name]


def cookie_keys() -> Keys:
    """The keys of a match in the cookies of the request; they may be withdrawn."""
    names = (cookie_name(name, "__Secure-") for name in (WRITE_COOKIE, VIEW_COOKIE))
    write, view = (request.cookies.get(name, "") for name in names)
    return Keys(write if is_key(write) else "", view if is_key(view) else "")


def key_to_enter(match: str) -> str:
    """A valid key of a match, from the cookies of a device that never was in it; empty if there is
    none.

    A device that was removed from the match, or left it, needs the link.
    """
    carried = cookie_keys()
    for key in (carried.write, carried.view):
        if key and _services().devices.may_enter(key, match, current_device()):
            return key
    return ""


def set_key_cookies(response: AnyResponse, match: MatchId, keys: Keys) -> None:
    """Set the keys of a match as cookies for the path of that match."""
    path = url_for("matches.page", match=match)
    for name, key in ((WRITE_COOKIE, keys.write), (VIEW_COOKIE, keys.view)):
        if key:
            set_cookie(response, name, key, path)


# ---------------------------------------------------------------- the device


class DeviceToken(NamedTuple):
    """The content of a device cookie, and of a renewed one.

    A device that begins a match, or enters one by a key, gets a renewed cookie with another
    `nonce`; from the first request that brings it on, no other cookie of the device is valid, so
    one planted in the browser gives no access to that match. A new device id in its place would
    not do: if the response with it were lost, the match would belong to a device that is nobody's,
    and until the renewed cookie comes back the one `before` is valid.

    The renewed cookie has a name of its own: the response to a request of another tab cannot
    replace a cookie that is valid by now.
    """

    name: str
    nonce: str = ""
    before: str = ""
    key: str = ""
    """Digest of the key for which the cookie was renewed, if it was for one."""


def current_device() -> DeviceId:
    """The device of the request, by its cookie; a new one gets a random id, and its cookie with the
    response.
    """
    if "device" not in g:
        g.device, g.keeps_device = _find_device()
        g.has_admin_cookie = has_admin_cookie()
    device = DeviceId(g.device.name)
    return as_admin(device) if g.has_admin_cookie else device


def is_renewed_for(key: str) -> bool:
    """Whether the cookie of the device was renewed for this key, or the device is new: nobody else
    has its cookie.

    Raises StorageError if a renewed cookie could not be stored.
    """
    if "not_renewed" in g:
        raise g.not_renewed
    token: DeviceToken = g.device
    return _is_new_device() or token.key == digest_of(key)


def renew_device(response: AnyResponse, key: str = "") -> None:
    """Set a renewed cookie for the device, unless the device is new; `key`: the one that it is
    about to enter by.
    """
    if _is_new_device():
        return
    made_for = digest_of(key) if key else ""
    token = DeviceToken(g.device.name, secrets.token_urlsafe(16), g.device.nonce, made_for)
    set_cookie(response, RENEWED_COOKIE, _signer(RENEWED_COOKIE).dumps(token))


def _is_new_device() -> bool:
    token: DeviceToken = g.device
    return token.name != _device_cookie()[0].name


def _find_device() -> tuple[DeviceToken, bool]:
    """The device of this request, and whether its cookie must be set."""
    token, signed = _device_cookie()
    new = DeviceToken(secrets.token_urlsafe(24))
    if signed is None:
        return new, True
    renewed, _ = _read_token(RENEWED_COOKIE)
    try:
        if renewed != token and renewed.name == token.name and _is_valid(renewed):
            return renewed, True
        if _is_valid(token):
            return token, datetime.now(UTC) - signed > _RENEWED_AFTER
    except StorageError:
        return new, False
    # Renewed meanwhile. An earlier request of another page must not replace the new cookie.
    return new, request.method == "GET" and LOOKS_AGAIN not in request.headers


def _is_valid(token: DeviceToken) -> bool:
    """Whether a cookie is the valid one of its device. A renewed one becomes it here, if the one
    before it is.
    """
    devices = _services().devices
    device = DeviceId(token.name)
    if devices.is_current(device, token.nonce):
        return True
    if not devices.is_current(device, token.before):
        return False
    try:
        return devices.replace_nonce(device, token.before, token.nonce)
    except StorageError as error:  # until it can be stored, the one before is valid
        g.not_renewed = error
        return False


def _device_cookie() -> tuple[DeviceToken, datetime | None]:
    return _read_token(DEVICE_COOKIE)


def _read_token(name: str) -> tuple[DeviceToken, datetime | None]:
    """The content of a device cookie, and when it was signed; None if this server did not sign it."""
    content, signed = _read_signed(name)
    return (DeviceToken("") if signed is None else DeviceToken(*content)), signed


def has_admin_cookie() -> bool:
    """Whether the browser has access to all matches: its cookie, in a request that no other site
    made.
    """
    has_cookie = cookie_name(ADMIN_COOKIE) in request.cookies
    if not has_cookie or not is_same_origin():
        return False
    _, signed = _read_signed(ADMIN_COOKIE)
    return signed is not None


def is_same_origin() -> bool:
    """Whether a page of this origin or the user made the request.

    Browsers send `Sec-Fetch-Site` only to https and localhost, old ones never; forms and scripts
    send `Origin`.
    """
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    return site in ("same-origin", "none") and (
        origin is None or origin.partition("://")[2].lower() == request.host.lower()
    )


def set_admin_cookie(response: AnyResponse) -> None:
    """Give the browser access to all matches."""
    set_cookie(
        response,
        ADMIN_COOKIE,
        _signer(ADMIN_COOKIE).dumps(secrets.token_urlsafe(8)),
        samesite="Strict",
    )


# ---------------------------------------------------------------- rate limits

COUNTS = "scorepad.limits"
"""Key of the `Counts` among Flask's extensions."""
FILE_WEIGHT = 5
"""Matches that an imported file counts as."""
MANY_MATCHES = "many-matches"
"""Description of the error raised if too many matches were started."""
_ENTER, _JOIN = "phones.enter", "phones.join"


def limit_requests(app: Flask) -> None:
    """Limit requests: 429 with `Retry-After`. Runs after the check of the host and before anything
    expensive.
    """
    app.extensions[COUNTS] = Counts()
    app.before_request(_check_limits)
    app.after_request(_after_limits)


def limit_matches(weight: int = 1) -> None:
    """Count matches that a device without access to all matches starts. Raises TooManyRequests."""
    if not has_admin_cookie():
        count_action(Action.BEGIN, weight=weight, description=MANY_MATCHES)


def count_action(action: Action, *, weight: int = 1, description: str | None = None) -> None:
    """Count `weight` of an action. Raises TooManyRequests."""
    if current_app.config[LIMITED]:
        _refuse_for(
            _request_counts().count(action, _phone(), address_to_limit(), weight), description
        )


def require_left(action: Action) -> None:
    """Check that an action is still allowed, without counting it. Raises TooManyRequests."""
    if current_app.config[LIMITED]:
        _refuse_for(_request_counts().check(action, _phone(), address_to_limit()), None)


def _refuse_for(wait: int, description: str | None) -> None:
    """Refuse a request for so many milliseconds, unless these are none. Raises TooManyRequests."""
    if wait:
        g.retry_after = math.ceil(wait / 1000)
        raise TooManyRequests(description)


def _request_counts() -> Counts:
    counts: Counts = current_app.extensions[COUNTS]
    return counts


def _phone() -> str:
    """Who sends the request: a program by the digest of its key, a phone by its cookie; a new one
    has none yet.
    """
    program = request.headers.get("Authorization", "")
    if program:
        return hashlib.sha256(program.encode()).hexdigest()
    return _device_cookie()[0].name


def address_to_limit() -> str:
    """The address that sends the request; for IPv6 its network."""
    return network_of(request.remote_addr or "")


def _check_limits() -> None:
    if makes_or_reads_file():
        count_action(Action.PAPER)
    if _tries() is Action.SHORT_CODE:
        require_left(Action.SHORT_CODE)
    if request.endpoint == "api.begin":
        limit_matches()


def makes_or_reads_file() -> bool:
    """Whether a file is made or read: by the extension of the URL, an export, or an import."""
    if request.endpoint == "files.take" and request.method not in _SAFE_METHODS:
        return True
    if request.endpoint == "api.openapi":
        return False
    path = "" if request.url_rule is None else request.url_rule.rule
    return path.endswith((".pdf", ".png", ".csv", ".json", "/export"))


def _tries() -> Action | None:
    """What the request does if its key or short code is wrong; None if it has neither."""
    if request.endpoint == _JOIN and request.method == "POST":
        return Action.SHORT_CODE
    if request.endpoint == _ENTER or "Authorization" in request.headers:
        return Action.WRONG_KEY
    return None


def _after_limits(response: Response) -> Response:
    """Count a wrong key or short code, which after too many is answered with 429; set
    `Retry-After`.
    """
    wrong = HTTPStatus.NOT_FOUND if request.endpoint in (_ENTER, _JOIN) else HTTPStatus.UNAUTHORIZED
    tried = _tries()
    if tried is not None and response.status_code == wrong:
        try:
            count_action(tried)
        except TooManyRequests as error:
            response = current_app.make_response(current_app.handle_user_exception(error))
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS and "retry_after" in g:
        response.headers["Retry-After"] = str(g.retry_after)
    return response


def network_of(address: str) -> str:
    """The address to limit; for an IPv6 address its /64 network."""
    with suppress(ValueError):
        found = ipaddress.IPv6Address(address)
        return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
    return address
