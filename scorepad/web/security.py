"""The checks before each request, and what is set in each response.

| module | what it is for |
|---|---|
| `host_names` | under which names this machine may be asked |
| `cookies` | which cookie does what |
| `device_cookies` | which device sends a request |
| `request_limits`, `rate_limits` | how often something may be asked |
| `headers`, `compression` | what the responses have in common |
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Request, Response, abort, current_app, g, request
from werkzeug.routing import Rule

from scorepad.matches.access import MatchId
from scorepad.web.alone import is_alone
from scorepad.web.app_services import get_pad
from scorepad.web.compression import compress_response
from scorepad.web.cookies import LastingSessions
from scorepad.web.device_cookies import (
    current_device,
    key_to_enter,
    request_device,
    set_device_cookies,
)
from scorepad.web.headers import set_headers, tell_script_of_redirect
from scorepad.web.host_names import is_own_host
from scorepad.web.rate_limits import Action
from scorepad.web.request_limits import (
    SAFE_METHODS,
    count_action,
    limit_request,
    limit_wrong_guesses,
    tell_how_long_to_wait,
)

HOSTS = "SCOREPAD_HOSTS"
"""Configuration key: further host names of this machine."""
MOST_FIELDS = 2000
"""Fields of a form."""


class PageRequest(Request):
    """A request that views see as GET if it is HEAD; Werkzeug omits the body of its response."""

    def __init__(self, environ: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(environ, *args, **kwargs)
        if self.method == "HEAD":
            self.method = "GET"  # so that no view has to know of HEAD

    def _load_form_data(self) -> None:
        """Read the form. Answer 400 if a part has no name, which no browser sends."""
        super()._load_form_data()
        if None in self.form or None in self.files:
            abort(400)


def register_security(app: Flask) -> None:
    """Check every request, and set the headers and cookies of every response."""
    app.request_class = PageRequest
    app.session_interface = LastingSessions()
    app.before_request(_check_request)
    app.after_request(_finish_response)


def _check_request() -> None:
    """Check a request before its view is called. Each check raises an error to refuse it."""
    _check_host()
    _check_origin()
    limit_request()  # before anything that is expensive
    _check_fields()
    match = _find_match_of_page()
    if match is not None:
        _enter_match_of_url(match)
        _check_may_write(match)  # after the device has entered the match


def _finish_response(response: Response) -> Response:
    """Set the cookies and headers of a response, and compress it.

    The limits come first: they may replace the response, and the new one needs headers too.
    """
    response = limit_wrong_guesses(response)
    tell_how_long_to_wait(response)
    set_device_cookies(response)
    tell_script_of_redirect(response)
    compress_response(response)
    set_headers(response)
    return response


def _check_host() -> None:
    """Refuse a request under a host name that this machine does not have, with status 400.

    Otherwise a page of another site could make a browser send requests here under its own name.
    """
    if request.endpoint == "app.health":  # reveals nothing, and monitors may ask by any name
        return
    if not _is_own_host(request.host):
        abort(400, "host")


def _check_origin() -> None:
    """Refuse a form that a page of another machine has sent, with status 403.

    Browsers tell in the header `Origin` which site a form comes from: `http://192.168.1.5:8765`.
    """
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin", "")
    if origin in ("", "null"):  # the CSRF token decides
        return
    origin_host = origin.partition("://")[2]
    if origin_host.lower() == request.host.lower():
        return
    # A proxy may have changed the host of the request.
    if not _is_own_host(origin_host):
        abort(403, "origin")


def _is_own_host(host: str) -> bool:
    """Tell whether a host, such as `192.168.1.5:8765`, is this machine.

    A pad that is alone has no address in a network: its browser asks it under the host of the site.
    """
    if is_alone():
        return host.lower() == request.host.lower()
    return is_own_host(host, current_app.config[HOSTS])


def _check_fields() -> None:
    """Refuse a form with too many fields, with status 413.

    Werkzeug itself limits only the parts of a multipart form, not the fields of a usual one.
    """
    if request.mimetype != "application/x-www-form-urlencoded":
        return
    # The data read here is cached for Werkzeug's parser.
    if request.get_data().count(b"&") >= MOST_FIELDS:
        abort(413)


def _enter_match_of_url(match: MatchId) -> None:
    """Let a browser that has lost its device cookie enter the match that it opens once more.

    It entered the match before with a key, and has kept that key in another cookie.
    """
    device = request_device()
    if not device.gets_first_cookie:
        return  # it is known, or it is new for this request only
    key = key_to_enter(match)
    if not key:
        return
    count_action(Action.ENTER)  # raises TooManyRequests, so nothing may be entered before
    get_pad().devices.enter(key, current_device())
    device.has_entered = True  # so that the response sets the device cookie in any case


def _check_may_write(match: MatchId) -> None:
    """Refuse a page that changes a match to a device that may only see the match.

    Such a device does not even get the form of the page. The error is NotAllowed, which has its own
    error page.
    """
    if _accepts_changes(request.url_rule):
        g.match_on_arrival = get_pad().state(match, current_device(), to_write=True)


def _find_match_of_page() -> MatchId | None:
    """Find the match in the URL of the page that is requested; None for a page about no match.

    None also for the API, which takes keys and ignores the cookies of a device.
    """
    if request.blueprint == "api":
        return None
    match: MatchId | None = (request.view_args or {}).get("match")
    return match or None


def _accepts_changes(rule: Rule | None) -> bool:
    """Tell whether a URL accepts requests that change something, such as POST.

    GET, HEAD and OPTIONS change nothing.
    """
    if rule is None or rule.methods is None:
        return False
    return not SAFE_METHODS.issuperset(rule.methods)
