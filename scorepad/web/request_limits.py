"""Which requests are counted for the rate limits, and the answer 429 with `Retry-After`.

How much is allowed is in `rate_limits`.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from http import HTTPStatus

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from scorepad.web.cookies import has_admin_cookie
from scorepad.web.device_cookies import cookie_device
from scorepad.web.rate_limits import Action, Counts, Sender

LIMITED = "SCOREPAD_LIMITED"
"""Configuration key: whether rate limits apply."""
COUNTS = "scorepad.limits"
"""Key of the `Counts` among Flask's extensions."""
FILE_WEIGHT = 5
"""Matches that an imported file counts as."""
MANY_MATCHES = "many-matches"
"""Description of the error raised if too many matches were started."""
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
"""The methods of requests that change nothing."""
_MADE_FILES = (".pdf", ".png", ".csv", ".json", "/export")
"""Ends of the URL rules of files that are made on request."""
_ENTER = "phones.enter"
_JOIN = "phones.join"


def limit_requests(app: Flask) -> None:
    """Limit the requests of an application, from before anything expensive is done for them."""
    app.extensions[COUNTS] = Counts()
    app.before_request(_check_limits)
    app.after_request(_finish_limits)


def _check_limits() -> None:
    """Refuse a request whose sender has reached a limit. Raises TooManyRequests.

    Requests that make or read a file, or start a match, are counted here. Short codes are guesses,
    and only wrong ones are counted, once the request is answered (`_finish_limits`). Here it is
    checked that the sender may still try one.
    """
    if makes_or_reads_file():
        count_action(Action.FILE)
    if request.endpoint == "api.begin":
        limit_matches()
    if _guess_in_request() is Action.SHORT_CODE:
        require_left(Action.SHORT_CODE)


def _finish_limits(response: Response) -> Response:
    """Count a guess that was wrong, and set `Retry-After` if the request was refused."""
    guess = _guess_in_request()
    if guess is not None and _says_wrong_guess(response):
        response = _count_wrong_guess(guess, response)
    is_refused = response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    if is_refused and "retry_after" in g:  # set by `_refuse_request`
        response.headers["Retry-After"] = str(g.retry_after)
    return response


def _count_wrong_guess(guess: Action, response: Response) -> Response:
    """Count a wrong guess; returns the response, or the error page 429 if there were too many.

    Flask does not handle errors that are raised after a request, so that is done here.
    """
    try:
        count_action(guess)
    except TooManyRequests as error:
        return current_app.make_response(current_app.handle_user_exception(error))
    return response


# ---------------------------------------------------------------- what is counted


def limit_matches(weight: int = 1) -> None:
    """Count matches that a device without access to all matches starts. Raises TooManyRequests."""
    if not has_admin_cookie():
        count_action(Action.BEGIN, weight=weight, description=MANY_MATCHES)


def makes_or_reads_file() -> bool:
    """Whether the server makes a file for the request, such as a PDF or an export, or reads a file of
    matches that was sent with it. Both take it much longer than a page.
    """
    if request.url_rule is None:
        return False
    if request.endpoint == "files.take":
        return request.method not in SAFE_METHODS  # a safe one only gets the form for a file
    if request.endpoint == "api.openapi":
        return False  # its URL ends in `.json`, but the document is always the same
    return request.url_rule.rule.endswith(_MADE_FILES)


def _guess_in_request() -> Action | None:
    """What the request has guessed if its key or short code is wrong; None if it has neither."""
    if request.endpoint == _JOIN and request.method == "POST":
        return Action.SHORT_CODE
    if request.endpoint == _ENTER or "Authorization" in request.headers:
        return Action.WRONG_KEY
    return None


def _says_wrong_guess(response: Response) -> bool:
    """Whether a response says that the key or short code of the request is wrong."""
    if request.endpoint in (_ENTER, _JOIN):
        return response.status_code == HTTPStatus.NOT_FOUND
    return response.status_code == HTTPStatus.UNAUTHORIZED


# ---------------------------------------------------------------- counting


def count_action(action: Action, *, weight: int = 1, description: str | None = None) -> None:
    """Count `weight` times an action of the sender of the request.

    Raises TooManyRequests, with this description, if that is more than its limits allow.
    """
    if not current_app.config[LIMITED]:
        return
    wait = _counts().count_or_find_wait(action, _sender(), weight)
    if wait:
        _refuse_request(wait, description)


def require_left(action: Action) -> None:
    """Check that an action is still allowed, without counting it. Raises TooManyRequests."""
    if not current_app.config[LIMITED]:
        return
    wait = _counts().find_wait(action, _sender())
    if wait:
        _refuse_request(wait)


def _refuse_request(milliseconds: int, description: str | None = None) -> None:
    """Refuse the request, which may be sent again after this time. Raises TooManyRequests."""
    g.retry_after = math.ceil(milliseconds / 1000)
    raise TooManyRequests(description)


def _counts() -> Counts:
    counts: Counts = current_app.extensions[COUNTS]
    return counts


def _sender() -> Sender:
    """Who sends the request: a program by the digest of its key, a phone by the id in its cookie."""
    authorization = request.headers.get("Authorization", "")
    if authorization:
        phone = hashlib.sha256(authorization.encode()).hexdigest()
    else:
        phone = cookie_device()
    return Sender(phone, address_to_limit())


def address_to_limit() -> str:
    """The address that sends the request; for IPv6 its network."""
    return network_of(request.remote_addr or "")


def network_of(address: str) -> str:
    """The address to limit; for an IPv6 address its /64 network, since a client may have all of it.

    `192.0.2.7` → `192.0.2.7`, `::ffff:192.0.2.7` → `192.0.2.7`, `2001:db8::7` → `2001:db8::/64`.
    """
    try:
        ipv6 = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if ipv6.ipv4_mapped:
        return str(ipv6.ipv4_mapped)
    return str(ipaddress.ip_network((ipv6, 64), strict=False))
