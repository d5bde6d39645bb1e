"""Which device sends a request: the signed cookies that tell it, and how they are renewed.

A device that begins a match, or enters one by a key, gets a renewed cookie with another nonce. From
the first request that brings it on, no other cookie of the device is valid: one that was planted in
the browser gives no access to that match.

A new device id in its place would not do: if the response with it were lost, the match would belong
to a device that is nobody's. So the cookie before is valid until the renewed one comes back. The
renewed cookie has a name of its own, because the response to a request of another tab would
otherwise replace a cookie that is valid by now.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import NamedTuple

from flask import Response, g
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.access import DeviceId, as_admin
from scorepad.matches.keys import digest_of
from scorepad.storage.connection import StorageError
from scorepad.web.app_services import get_pad
from scorepad.web.cookies import (
    DEVICE_COOKIE,
    RENEWED_COOKIE,
    SignedContent,
    cookie_keys,
    has_admin_cookie,
    read_signed_cookie,
    set_admin_cookie,
    set_cookie,
    sign_cookie,
)
from scorepad.web.headers import opens_page

_SIGNED_ANEW_AFTER = timedelta(days=30)
"""Age from which a valid device cookie is signed and sent again, so that it lasts."""


class DeviceToken(NamedTuple):
    """The content of a device cookie, and of a renewed one.

    A cookie is valid if its `nonce` is the one that the data file has of the device.
    """

    name: str
    """The random id of the device."""
    nonce: str = ""
    """Another random text with each renewal; empty until the first."""
    previous_nonce: str = ""
    """The nonce of the cookie that this one renewed."""
    key_digest: str = ""
    """Digest of the key for which the cookie was renewed, if it was for one."""


@dataclass(slots=True)
class RequestDevice:
    token: DeviceToken
    is_new: bool
    """Whether the request brought no valid cookie, so that the id was made just now."""
    needs_cookie: bool
    """Whether the response sets its cookie."""
    has_entered: bool = False
    """Whether it entered a match by a key in its cookies."""


# ---------------------------------------------------------------- the device of the request


def current_device() -> DeviceId:
    """Return the id of the device that sends the request, to check what it may see and change.

    - a device with a valid cookie → the id in the cookie
    - any other device → a new random id; the response sets a cookie with it
    - a browser with access to all matches → its id, marked as that of an admin
    """
    device = DeviceId(request_device().token.name)
    if has_admin_cookie():
        return as_admin(device)
    return device


def request_device() -> RequestDevice:
    """Return the device that sends the request; it is found out once for each request."""
    if "device" not in g:
        g.device = _read_device_of_request()
    device: RequestDevice = g.device
    return device


def cookie_device() -> str:
    """Read the id in the device cookie, valid or not; empty without a signed cookie."""
    signed = read_signed_cookie(DEVICE_COOKIE)
    return "" if signed is None else DeviceToken(*signed.content).name


def _read_device_of_request() -> RequestDevice:
    """Find out from the cookies of the request which device sends it; a new one if none is valid.

    A new device gets a cookie with the response, except where that would replace a valid one that
    the browser may have.
    """
    signed = read_signed_cookie(DEVICE_COOKIE)
    if signed is None:
        return _make_new_device(needs_cookie=True)
    try:
        known_device = _accept_device_cookies(signed)
    except StorageError:
        # Nobody can tell whether the cookie is valid. The browser keeps it for the next request.
        return _make_new_device(needs_cookie=False)
    if known_device is not None:
        return known_device

    # The cookie was valid until another one took its place. The browser may have that one already,
    # from the response to another tab. So it gets a new cookie only if it opens a page; the response
    # to a form, or to a page that refetches itself, must not replace what it has.
    return _make_new_device(needs_cookie=opens_page())


def _accept_device_cookies(signed: SignedContent) -> RequestDevice | None:
    """Find the known device whose cookies a request has; None if none of them is valid.

    The browser may send two: the usual device cookie (`signed`), and a renewed one that is to take
    its place. The renewed one is tried first, and stored as the valid one if it is the next in
    turn. Raises StorageError if the data file cannot be read.
    """
    token = DeviceToken(*signed.content)  # what the usual cookie says
    renewed = _read_renewed_token(token)  # what the renewed one says, None without it
    if renewed is not None and _accept_token(renewed):
        return RequestDevice(renewed, is_new=False, needs_cookie=True)
    if _accept_token(token):
        is_old = datetime.now(UTC) - signed.signed_at > _SIGNED_ANEW_AFTER
        return RequestDevice(token, is_new=False, needs_cookie=is_old)
    return None


def _make_new_device(*, needs_cookie: bool) -> RequestDevice:
    token = DeviceToken(secrets.token_urlsafe(24))
    return RequestDevice(token, is_new=True, needs_cookie=needs_cookie)


def _read_renewed_token(token: DeviceToken) -> DeviceToken | None:
    """Read the renewed cookie that is to replace the device cookie; None if there is none.

    `token` is the content of the device cookie. A renewed cookie of another device counts for
    nothing, nor does one that has taken its place already.
    """
    signed = read_signed_cookie(RENEWED_COOKIE)
    if signed is None:
        return None
    renewed = DeviceToken(*signed.content)
    is_of_this_device = renewed.name == token.name
    is_taken_over = renewed == token
    if not is_of_this_device or is_taken_over:
        return None
    return renewed


def _accept_token(token: DeviceToken) -> bool:
    """Accept a device cookie if it is valid, or if it is the renewed one that replaces a valid one.

    A nonce is a random text in the cookie. The data file has the nonce of the one valid cookie of
    each device:

    - the cookie has that nonce → True
    - a renewed cookie that took over from the one with that nonce → it is stored as valid, True
    - any other cookie, such as an old one → False
    """
    devices = get_pad().devices
    device = DeviceId(token.name)
    is_valid = devices.is_cookie_valid(device, token.nonce)
    if is_valid:
        return True
    renews_valid_cookie = devices.is_cookie_valid(device, token.previous_nonce)
    if renews_valid_cookie:
        return _store_as_valid(token)
    return False


def _store_as_valid(token: DeviceToken) -> bool:
    """Store in the data file that a renewed cookie is the valid one of its device from now on.

    Returns whether that was done. If the file cannot be written, the request goes on with the
    cookie before, which stays valid, and the error is kept in Flask's `g` for `is_renewed_for`.
    """
    devices = get_pad().devices
    try:
        return devices.replace_nonce(DeviceId(token.name), token.previous_nonce, token.nonce)
    except StorageError as error:
        # Most requests do not need the renewed cookie. One that enters a match does, and gets this
        # error from `is_renewed_for`.
        g.renewal_error = error
        return False


# ---------------------------------------------------------------- renewal


def renew_device(response: AnyResponse, key: str = "") -> None:
    """Set a renewed cookie for the device with this response, because it is about to enter a match.

    Somebody else may have planted the cookie that the browser has now. The renewed one is known to
    this browser only, and replaces the other once the browser sends it back. `key` is the key by
    which the device will enter; it is noted in the cookie. A new device, whose cookie was made just
    now, needs no other.
    """
    device = request_device()
    if device.is_new:
        return
    renewed = DeviceToken(
        device.token.name,
        nonce=secrets.token_urlsafe(16),
        previous_nonce=device.token.nonce,  # it renews the cookie with this nonce, and no other
        key_digest=digest_of(key) if key else "",
    )
    set_cookie(response, RENEWED_COOKIE, sign_cookie(RENEWED_COOKIE, renewed))


def is_renewed_for(key: str) -> bool:
    """Tell whether a device may enter a match by this key, as nobody else can have its cookie.

    - a new device, whose cookie was made just now → True
    - a known device whose cookie was renewed for this very key (`renew_device`) → True
    - a known device with another cookie, which somebody may have planted → False

    Raises StorageError if the renewed cookie came back, but could not be stored as the valid one.
    """
    device = request_device()
    if "renewal_error" in g:  # set when the cookies of the request were read
        raise g.renewal_error
    if device.is_new:
        return True
    return device.token.key_digest == digest_of(key)


# ---------------------------------------------------------------- keys carried in cookies


def key_to_enter(match: str) -> str:
    """Find a key in the cookies by which a device may enter a match for the first time.

    The result is empty if there is none. It is also empty for a device that left the match or was
    removed from it: that one must open the link with the key again.
    """
    keys = cookie_keys()
    devices = get_pad().devices
    for key in (keys.write, keys.view):  # one to write in the match, and one to see it
        if key and devices.may_enter(key, match, current_device()):
            return key
    return ""


# ---------------------------------------------------------------- the response


def set_device_cookies(response: Response) -> None:
    """Send the device its cookie with this response, if it needs a new one.

    Only pages send it, not pictures or data that a page loads. The exception is a device that just
    entered a match: it gets the cookie in any case.
    """
    device = _find_device_for_response(response)
    if device is None or not device.needs_cookie:
        return
    may_set_cookie = _is_page(response) or device.has_entered
    if not may_set_cookie:
        return

    set_cookie(response, DEVICE_COOKIE, sign_cookie(DEVICE_COOKIE, device.token))
    if has_admin_cookie():
        set_admin_cookie(response)  # so that it lasts as long as the cookie of the device


def _find_device_for_response(response: Response) -> RequestDevice | None:
    """Find the device to which a response goes; None if nothing asked for it, and nothing needs it.

    A page needs it, even if no view asked: the page may have a form, and a form sent twice must
    come from one device. After a server error the data file may be broken, so it is not asked for
    the device.
    """
    is_redirect = bool(response.location)
    is_server_error = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if _is_page(response) and not is_redirect and not is_server_error:
        return request_device()  # finds out the device now, if that was not done before
    device: RequestDevice | None = g.get("device")
    return device


def _is_page(response: Response) -> bool:
    return response.mimetype == "text/html"
