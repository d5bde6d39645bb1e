"""Coming in by a key: a cookie for the device, and an address that no longer holds the key."""

from __future__ import annotations

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.web.device import is_known, keep_keys, pending_nonce, renew_device
from scorepad.web.frame import device_id, the_pad
from scorepad.web.headers import ONLY_HEAD

_AHEAD = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
_GUESSES = ("prefetch", "prerender", "preview")


def enter(key: str) -> Response:
    """Let the device in that follows a link; whoever only looks at the link, or ahead of it, does not come in.

    A device that was known before gets a renewed cookie first, and comes back with it to enter.
    """
    if request.environ.get(ONLY_HEAD) or _looks_ahead():
        return Response(status=204)
    doors, device = the_pad().devices, device_id()
    nonce = pending_nonce(key)
    if is_known() and not nonce and doors.gives_access(key, device):
        again = redirect(url_for("phones.enter", key=key), code=303)
        renew_device(again, key)
        return again
    entered = doors.enter(key, device, nonce)
    answer = redirect(url_for("matches.page", match=entered.match), code=303)
    keep_keys(answer, entered.match, entered.keys)
    return answer


def _looks_ahead() -> bool:
    """Whether the browser fetches what it only expects to be asked for."""
    said = " ".join(request.headers.get(name, "") for name in _AHEAD).lower()
    return any(guess in said for guess in _GUESSES)
