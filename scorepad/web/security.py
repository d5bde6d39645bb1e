"""Security: the headers of responses, the host names of this machine, and the signed cookies of devices.

A page of another site can make a browser send requests here under a name of its own (DNS rebinding), but not under an
address. So the host of a request must be loopback, an address of this machine, its `.local` name, or a name given to
`serve`.
"""

from __future__ import annotations

import gzip
import ipaddress
import re
import secrets
import socket
import struct
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, g, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.access import DeviceId, Keys, MatchId, at_home, digest_of, is_key
from scorepad.storage.connection import StorageError

if TYPE_CHECKING:
    from scorepad.matches import Pad

# ---------------------------------------------------------------- headers

CONTENT_POLICY = (
    "default-src 'none'; manifest-src 'self'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Never the address of a match to another site, and still the origin that the token check wants under https.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
ONLY_HEAD = "scorepad.only-head"
"""WSGI environment key of a HEAD request that is handled as GET."""
HTTPS_ONLY = "max-age=31536000"
"""`Strict-Transport-Security`, in seconds, sent under https."""
LOOKS_AGAIN = "Scorepad-Live"
"""Request header of an open page that fetches itself again."""
SCRIPT = "Scorepad-Script"
"""Request header of a script that follows redirects by itself."""
TO = "Scorepad-To"
"""Response header with the URL of such a redirect."""
_SMALLEST = 500
"""Bytes below which compression does not pay."""
_COMPRESSED = {"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"}
_LEVEL = 6


_KEY_PATH = re.compile(r"/+(e|casa)(/|$)", re.IGNORECASE)
"""Paths that hold a key or the token of a home link, and similar ones."""


def may_hold_key(path: str) -> bool:
    """Whether a path may hold a key, which no header may pass on."""
    return _KEY_PATH.match(path) is not None


def set_security_headers(response: Response) -> Response:
    """Set the headers of every response. Pages are revalidated each time and not cached by proxies."""
    if may_hold_key(request.path):
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
    for name, value in ALWAYS.items():
        response.headers.setdefault(name, value)  # a page may say even less of itself
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = HTTPS_ONLY
    if request.endpoint != "static" or response.status_code >= HTTPStatus.BAD_REQUEST:
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def redirect_for_script(response: Response) -> Response:
    """Answer a script with the URL of a redirect, so that it does not fetch a page that nobody sees."""
    if response.location and request.headers.get(SCRIPT):
        response.headers[TO] = response.headers.pop("Location")
        response.set_data(b"")
        response.status_code = HTTPStatus.NO_CONTENT
    return response


def compress(response: Response) -> Response:
    """Compress a response with gzip for a client that accepts it.

    Flask-Compress (1.25) is not used: it ignores `gzip;q=0`, compresses a stylesheet anew each time, stores the time
    in the result, and needs two more compressors that are not pure Python.
    """
    if response.mimetype not in _COMPRESSED:
        return response
    response.vary.add("Accept-Encoding")
    wanted = request.accept_encodings["gzip"] > 0
    if not wanted or response.status_code != 200 or "Content-Encoding" in response.headers:  # noqa: PLR2004
        return response
    packed = _packed(response)
    if packed is not None:
        _close_body(response)
        response.direct_passthrough = False
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
    return response


def _packed(response: Response) -> bytes | None:
    """The compressed body; None if it is too short or streamed."""
    if request.endpoint == "static" and request.view_args and request.method in ("GET", "HEAD"):
        path = Path(current_app.static_folder or "") / str(request.view_args["filename"])
        return _packed_file(path, path.stat().st_mtime_ns)
    if response.direct_passthrough:
        return None
    data = response.get_data()
    return gzip.compress(data, _LEVEL, mtime=0) if len(data) >= _SMALLEST else None


def _close_body(response: Response) -> None:
    """Close the file that is not sent."""
    close = getattr(response.response, "close", None)
    if close is not None:
        close()


@lru_cache(maxsize=64)
def _packed_file(path: Path, changed: int) -> bytes | None:  # noqa: ARG001 - a changed file is another
    data = path.read_bytes()
    return gzip.compress(data, 9, mtime=0) if len(data) >= _SMALLEST else None


# ---------------------------------------------------------------- hosts

EVERY_ADDRESS = ("", "0.0.0.0", "::", "*")  # noqa: S104 - compared
"""Hosts to listen on that stand for every address of the machine."""
_PLAIN = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?", re.IGNORECASE | re.ASCII)
_ANNOUNCERS = (Path("/run/avahi-daemon/socket"), Path("/usr/sbin/mDNSResponder"))
_ASK_FLAGS, _ASK_ADDRESS = 0x8913, 0x8915
"""Linux ioctls of an interface: SIOCGIFFLAGS and SIOCGIFADDR."""
_UP_AND_RUNNING = 0x1 | 0x40


def is_own_host(host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Whether the Host of a request, with or without a port, names this machine."""
    name = host_name(host)
    if name is None:
        return False
    if name in {"localhost", local_name(), *(each.lower().rstrip(".") for each in allowed)}:
        return True
    try:
        return _is_here(ipaddress.ip_address(name))
    except ValueError:
        return False


def is_own_origin(origin: str | None, host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Whether a form was sent by a page of this machine, by the `Origin` of the request.

    Without an origin (or with `null`) the CSRF token decides. The origin may differ from the host behind a proxy.
    """
    if origin in (None, "", "null"):
        return True
    place = (origin or "").partition("://")[2]
    return place.lower() == host.lower() or is_own_host(place, allowed)


def is_host_name(name: str) -> bool:
    """Whether this is a host name or an IPv4 address, without scheme, port or path."""
    return _PLAIN.fullmatch(name) is not None


def local_name() -> str:
    """The mDNS name of this machine."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def announced_name() -> str | None:
    """The mDNS name, if this machine announces it; else None."""
    return local_name() if any(path.exists() for path in _ANNOUNCERS) else None


def is_loopback(name: str | None) -> bool:
    """Whether a host name, or an address without brackets, is loopback."""
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name or "")
    except ValueError:
        return False
    inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (inner or address).is_loopback


def home_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine, that of the home network first."""
    found = [home_address(), *_of_interfaces()]
    return tuple(dict.fromkeys(address for address in found if address is not None))


def _of_interfaces() -> tuple[str, ...]:
    """The address of each interface that is up; none on systems other than Linux."""
    if sys.platform != "linux":
        return ()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        found = (_of_interface(probe, name) for _, name in socket.if_nameindex())
        return tuple(address for address in found if address is not None and not is_loopback(address))


def _of_interface(probe: socket.socket, name: str) -> str | None:
    from fcntl import ioctl  # not on every system

    asked = struct.pack("256s", name.encode()[:15])
    with suppress(OSError):  # an interface without an address
        flags = struct.unpack_from("H", ioctl(probe, _ASK_FLAGS, asked), 16)[0]
        if flags & _UP_AND_RUNNING == _UP_AND_RUNNING:
            return socket.inet_ntoa(ioctl(probe, _ASK_ADDRESS, asked)[20:24])
    return None


def home_address() -> str | None:
    """The address of this machine in the home network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: the kernel chooses the interface
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def host_name(host: str) -> str | None:
    """The host name in a `Host` header, without the port; None if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        plain = parts.port is None or parts.port > 0
    except ValueError:
        return None
    if not plain or parts.hostname is None or parts.netloc != host or "@" in host or parts.path:
        return None
    return parts.hostname.rstrip(".")


def _is_here(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether this is an address of the machine: then a socket can be bound to it."""
    if address.is_loopback:
        return True
    if address.is_unspecified or address.is_multicast or str(address) == "255.255.255.255":
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 - the protocol's own name
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


# ---------------------------------------------------------------- cookies

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


def cookie_device_id() -> str:
    """The device id in the cookie; empty without a cookie that this server signed."""
    return _device_cookie()[0].name


def sign_device(key: bytes, token: DeviceToken) -> str:
    """The value of a device cookie."""
    return _signer(key, DEVICE_COOKIE).dumps(token)


def read_device(key: bytes, value: str) -> tuple[DeviceToken, datetime | None]:
    """The content of a device cookie and when it was signed; an empty id if this key did not sign it."""
    content, signed = _unsigned(key, DEVICE_COOKIE, value)
    return (DeviceToken("") if signed is None else DeviceToken(*content)), signed


def is_known() -> bool:
    """Whether the request has a valid device cookie."""
    return bool(g.device.name == cookie_device_id())


def pending_nonce(key: str) -> str:
    """The nonce of a cookie that was renewed for this key; empty for another cookie."""
    token: DeviceToken = g.device
    return token.nonce if token.key == digest_of(key) else ""


def renew_device(response: AnyResponse, key: str) -> None:
    """Set a renewed device cookie, which becomes valid when it is sent with this key."""
    token = DeviceToken(g.device.name, secrets.token_urlsafe(16), g.device.nonce, digest_of(key))
    g.keeps_device = False
    set_cookie(response, DEVICE_COOKIE, sign_device(_key(), token))


def renew_cookies(response: Response) -> Response:
    """Set the cookie of a new device, and renew old cookies."""
    if g.get("keeps_device") and response.mimetype == "text/html":
        set_cookie(response, DEVICE_COOKIE, sign_device(_key(), g.device))
        if is_at_home():
            set_home_cookie(response)
    return response


def _find_device(pad: Pad) -> tuple[DeviceToken, bool]:
    """The device of this request, and whether its cookie is to be set."""
    token, signed = _device_cookie()
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


def _device_cookie() -> tuple[DeviceToken, datetime | None]:
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
    return bool(value) and is_same_origin() and _unsigned(_key(), HOME_COOKIE, value)[1] is not None


def is_same_origin() -> bool:
    """Whether a page of this origin made the request, or a person did.

    Browsers send `Sec-Fetch-Site` to https and localhost alone, old ones never; forms and scripts send `Origin`.
    """
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin")
    return site in ("same-origin", "none") and (
        origin is None or origin.partition("://")[2].lower() == request.host.lower()
    )


def set_home_cookie(response: AnyResponse) -> None:
    """Give the browser the home privilege."""
    value = _signer(_key(), HOME_COOKIE).dumps(secrets.token_urlsafe(8))
    set_cookie(response, HOME_COOKIE, value, samesite="Strict")


# ---------------------------------------------------------------- keys of matches


def cookie_keys() -> Keys:
    """The keys of a match in the cookies of the request; they may be withdrawn."""
    names = (cookie_name(name, "__Secure-") for name in (WRITE_COOKIE, VIEW_COOKIE))
    write, view = (request.cookies.get(name, "") for name in names)
    return Keys(write if is_key(write) else "", view if is_key(view) else "")


def set_key_cookies(response: AnyResponse, match: MatchId, keys: Keys) -> None:
    """Set the keys of a match as cookies for the path of that match."""
    path = url_for("matches.page", match=match)
    for name, key in ((WRITE_COOKIE, keys.write), (VIEW_COOKIE, keys.view)):
        if key:
            set_cookie(response, name, key, path)
