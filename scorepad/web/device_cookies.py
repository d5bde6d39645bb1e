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
    may_see_all,
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

    device: str
    """The random id of the device."""
    nonce: str = ""
    """Another random text with each renewal; empty until the first."""
    previous_nonce: str = ""
    """The nonce of the cookie that this one renewed."""
    key_digest: str = ""
    """Digest of the key for which the cookie was renewed, if it was for one."""


@dataclass(slots=True)
class RequestDevice:
    """The device that sends the request."""

    token: DeviceToken
    is_new: bool
    """Whether the request brought no valid cookie, so that the id was made just now."""
    needs_cookie: bool
    """Whether the response sets its cookie."""
    renewal_error: StorageError | None = None
    """Why the renewed cookie that it sent could not be stored as its valid one."""
    has_entered: bool = False
    """Whether it entered a match by a key in its cookies."""

    @property
    def gets_first_cookie(self) -> bool:
        """Tell whether the device is new, and gets a cookie by which it is known from now on."""
        return self.is_new and self.needs_cookie


# ---------------------------------------------------------------- the device of the request


def current_device() -> DeviceId:
    """Return the id of the device that sends the request, to check what it may see and change.

    - a device with a valid cookie → the id in the cookie
    - any other device → a new random id; the response sets a cookie with it
    - a browser with access to all matches → its id, marked as that of an admin
    """
    device = DeviceId(request_device().token.device)
    if may_see_all():
        return as_admin(device)
    return device


def request_device() -> RequestDevice:
    """Return the device that sends the request; it is found out once for each request."""
    device: RequestDevice | None = g.get("device")
    if device is None:
        device = _read_device_of_request()
        g.device = device
    return device


def cookie_device() -> str:
    """Read the id in the device cookie, valid or not; empty without a signed cookie."""
    signed = read_signed_cookie(DEVICE_COOKIE)
    return "" if signed is None else DeviceToken(*signed.content).device


def _read_device_of_request() -> RequestDevice:
    """Find out from the cookies of the request which device sends it; a new one if none is valid.

    A new device gets a cookie with the response, except where that would replace a valid one that
    the browser may have.
    """
    signed = read_signed_cookie(DEVICE_COOKIE)
    if signed is None:
        return _make_new_device(needs_cookie=True)
    try:
        return _find_device_of_cookies(signed)
    except StorageError:
        # Nobody can tell whether the cookie is valid. The browser keeps it for the next request.
        return _make_new_device(needs_cookie=False)


def _find_device_of_cookies(signed: SignedContent) -> RequestDevice:
    """Find the device of the cookies that the browser sent; a new one if none of them is valid.

    They are the usual one (`signed`), and maybe a renewed one that now takes its place. Raises
    StorageError if the data file cannot be read.
    """
    usual = DeviceToken(*signed.content)
    renewed = _read_renewed_token(usual)
    tokens = [usual] if renewed is None else [renewed, usual]
    is_old = datetime.now(UTC) - signed.signed_at > _SIGNED_ANEW_AFTER
    renewal_error = None
    for token in tokens:
        is_valid = _is_valid(token)
        if not is_valid and _renews_valid_cookie(token):
            try:
                is_valid = _store_as_valid(token)
            except StorageError as error:
                renewal_error = error  # few requests need the renewed cookie: the others go on
        if is_valid:
            needs_cookie = is_old or token is renewed
            return RequestDevice(
                token, is_new=False, needs_cookie=needs_cookie, renewal_error=renewal_error
            )

    # The usual cookie was valid until another one took its place. The browser may have that one
    # already, from the response to another tab. So it gets a new cookie only if it opens a page:
    # the response to a form, or to a page that refetches itself, must not replace it.
    device = _make_new_device(needs_cookie=opens_page())
    device.renewal_error = renewal_error
    return device


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
    is_of_this_device = renewed.device == token.device
    is_taken_over = renewed == token
    if not is_of_this_device or is_taken_over:
        return None
    return renewed


def _is_valid(token: DeviceToken) -> bool:
    """Tell whether a cookie is the one that is valid for its device, by the data file."""
    return get_pad().devices.is_cookie_valid(DeviceId(token.device), token.nonce)


def _renews_valid_cookie(token: DeviceToken) -> bool:
    """Tell whether a cookie was made to replace the one that is valid for its device."""
    return get_pad().devices.is_cookie_valid(DeviceId(token.device), token.previous_nonce)


def _store_as_valid(token: DeviceToken) -> bool:
    """Store in the data file that a cookie is the valid one of its device from now on.

    Returns False if another request has just made another cookie the valid one. Raises StorageError
    if the file cannot be written.
    """
    devices = get_pad().devices
    return devices.replace_nonce(DeviceId(token.device), token.previous_nonce, token.nonce)


# ---------------------------------------------------------------- renewal


def set_renewed_cookie(response: AnyResponse, key: str = "") -> None:
    """Set a cookie that replaces the device cookie as soon as the browser sends it back.

    Somebody else may know the cookie that the browser has, but only this browser gets the new one.
    If the device is to enter a match, `key` is the key by which it will.
    """
    device = request_device()
    if device.is_new:
        return  # it gets its first cookie with this response, which nobody else knows either
    replaced = device.token
    renewed = DeviceToken(
        replaced.device,  # it stays the same device
        nonce=secrets.token_urlsafe(16),  # makes it another cookie
        previous_nonce=replaced.nonce,
        key_digest=digest_of(key) if key else "",
    )
    set_cookie(response, RENEWED_COOKIE, sign_cookie(RENEWED_COOKIE, renewed))


def is_cookie_private(key: str) -> bool:
    """Tell whether nobody but this browser knows its device cookie, so that it may enter a match.

    Somebody may have given the browser a cookie of theirs, to get into the match together with it.
    They do not know `key`, by which it enters: so a cookie renewed for that key is not theirs.
    Raises StorageError if a renewed cookie could not be stored.
    """
    device = request_device()
    if device.renewal_error is not None:
        raise device.renewal_error
    if device.is_new:
        return True  # its cookie was made just now
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
    device: RequestDevice | None = g.get("device")
    if device is not None:
        return device
    is_redirect = bool(response.location)
    is_server_error = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if _is_page(response) and not is_redirect and not is_server_error:
        return request_device()
    return None


def _is_page(response: Response) -> bool:
    return response.mimetype == "text/html"
