"""Which requests are counted for the rate limits, and the answer 429 with `Retry-After`.

How much is allowed is in `rate_limits`.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from http import HTTPStatus

from flask import Response, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from scorepad.web.cookies import may_see_all
from scorepad.web.device_cookies import cookie_device
from scorepad.web.rate_limits import Action, Counts, Sender

LIMITED = "SCOREPAD_LIMITED"
"""Configuration key: whether rate limits apply."""
COUNTS = "scorepad.limits"
"""Key of the `Counts` among Flask's extensions."""
MATCHES_PER_FILE = 5
"""Matches that an imported file counts as."""
MANY_MATCHES = "many-matches"
"""Description of the error raised if too many matches were started."""
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
"""The methods of requests that change nothing."""
_MADE_FILES = (".pdf", ".png", ".csv", ".json", "/export")
"""Ends of the URL rules of files that are made on request."""
_ENTER = "phones.enter"
_JOIN = "phones.join"


def limit_request() -> None:
    """Count the request, if it is of a kind that is limited. Raises TooManyRequests."""
    _count_file()
    _count_match_started_by_program()
    _refuse_code_after_many_wrong_ones()


def _count_file() -> None:
    """Count a request that makes or reads a file. Raises TooManyRequests."""
    if makes_or_reads_file():
        count_action(Action.FILE)


def _count_match_started_by_program() -> None:
    """Count a match that a program starts by the API. Raises TooManyRequests.

    For matches that are started on a page, the page itself does that.
    """
    if request.endpoint == "api.begin":
        count_started_matches()


def _refuse_code_after_many_wrong_ones() -> None:
    """Refuse a typed short code, right or wrong, after too many wrong ones. Raises TooManyRequests.

    It is not counted here: only a wrong one is, once that is known (`limit_wrong_guesses`).
    """
    if _tries_short_code():
        check_action_left(Action.SHORT_CODE)


def limit_wrong_guesses(response: Response) -> Response:
    """Count a wrong key or code, if the response says that the request had one.

    Returns the response, or the error page 429 in its place if that was one too many.
    """
    guess = _find_wrong_guess(response)
    if guess is None:
        return response
    try:
        count_action(guess)
    except TooManyRequests as error:
        # Flask does not handle errors that are raised after a request, so that is done here.
        return current_app.make_response(current_app.handle_user_exception(error))
    return response


def tell_how_long_to_wait(response: Response) -> None:
    """Tell a refused sender in a header when the same may be sent again."""
    is_refused = response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    if is_refused and "retry_after" in g:  # set by `_refuse_request`
        response.headers["Retry-After"] = str(g.retry_after)


# ---------------------------------------------------------------- what is counted


def count_started_matches(number: int = 1) -> None:
    """Count matches that the sender of the request starts now. Raises TooManyRequests.

    A device with access to all matches may start as many as it likes.
    """
    if may_see_all():
        return
    count_action(Action.BEGIN, times=number, description=MANY_MATCHES)


def makes_or_reads_file() -> bool:
    """Tell whether a request costs the server much, because it makes or reads a file.

    - `/partite/…/foglio.pdf`, an export → True: the file is made for this request
    - a file or a link with matches that is sent to be imported → True: it is read
    - a usual page → False
    """
    rule = request.url_rule
    if rule is None:
        return False
    if rule.endpoint in ("files.take", "files.receive"):  # the page to import a match
        return request.method not in SAFE_METHODS  # a safe one only gets the form for a file
    if rule.endpoint == "api.openapi":
        return False  # its URL ends in `.json`, but the document is always the same
    return rule.rule.endswith(_MADE_FILES)


def _tries_short_code() -> bool:
    """Tell whether the request has a short code that was typed, right or wrong."""
    return request.endpoint == _JOIN and request.method == "POST"


def _find_wrong_guess(response: Response) -> Action | None:
    """Find out from a response whether the request had a wrong secret: what that is counted as.

    - 404 for a short code that was typed → `SHORT_CODE`
    - 404 for a key in a link → `WRONG_KEY`
    - 401 for a key in a header, which the API answers → `WRONG_KEY`
    - any other response → None
    """
    if response.status_code == HTTPStatus.NOT_FOUND:
        if _tries_short_code():
            return Action.SHORT_CODE
        if request.endpoint == _ENTER:
            return Action.WRONG_KEY
    if response.status_code == HTTPStatus.UNAUTHORIZED and "Authorization" in request.headers:
        return Action.WRONG_KEY
    return None


# ---------------------------------------------------------------- counting


def count_action(action: Action, *, times: int = 1, description: str | None = None) -> None:
    """Count that the sender of the request does something so many times, such as start a match.

    Raises TooManyRequests if that is more than the limits allow; `description` names the page.
    """
    if not current_app.config[LIMITED]:
        return
    wait = _counts().count_for_sender(action, _find_sender(), times)
    if wait:
        _refuse_request(wait, description)


def check_action_left(action: Action) -> None:
    """Check that the limits allow the sender another action of this kind, without counting one.

    Raises TooManyRequests if they do not.
    """
    if not current_app.config[LIMITED]:
        return
    wait = _counts().find_wait_for_sender(action, _find_sender())
    if wait:
        _refuse_request(wait)


def _refuse_request(milliseconds: int, description: str | None = None) -> None:
    """Refuse the request, which may be sent again after this time. Raises TooManyRequests."""
    g.retry_after = math.ceil(milliseconds / 1000)  # `tell_how_long_to_wait` puts it into a header
    raise TooManyRequests(description)


def _counts() -> Counts:
    counts: Counts = current_app.extensions[COUNTS]
    return counts


def _find_sender() -> Sender:
    """Find out who sends the request, to count what this sender does.

    - a program that uses the API → the digest of its key, and its address
    - a phone → the id in its cookie, valid or not, and its address
    """
    authorization = request.headers.get("Authorization", "")
    if authorization:
        phone = hashlib.sha256(authorization.encode()).hexdigest()
    else:
        phone = cookie_device()
    return Sender(phone, address_to_limit())


def address_to_limit() -> str:
    """Return the address that sends the request; for IPv6 its network."""
    return network_of(request.remote_addr or "")


def network_of(address: str) -> str:
    """Return what to limit for an IP address, so that one client cannot pass for many.

    A client may have all addresses of an IPv6 network of the size /64:

    - `192.0.2.7` → `192.0.2.7`
    - `2001:db8::7` → `2001:db8::/64`
    - `::ffff:192.0.2.7`, an IPv4 address written as IPv6 → `192.0.2.7`
    """
    try:
        ipv6 = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if ipv6.ipv4_mapped:
        return str(ipv6.ipv4_mapped)
    return str(ipaddress.ip_network((ipv6, 64), strict=False))
