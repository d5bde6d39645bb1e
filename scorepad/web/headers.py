"""The headers that pages and their scripts have in common, and the paths that no header may tell."""

from __future__ import annotations

import re
from http import HTTPStatus

from flask import Response, request

from scorepad.web.alone import is_alone

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
"""Headers of every response, unless a view sets stricter values."""
IN_FRAME = ALWAYS | {
    "Content-Security-Policy": ALWAYS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The same for a pad that is alone, whose pages stand in a frame of their own site."""
REFETCH_HEADER = "Scorepad-Live"
"""Request header of an open page that refetches itself."""
_SECRET_PATH = re.compile(r"/+(e|casa)(/|$)", re.IGNORECASE)


def is_refetch_by_page() -> bool:
    """Tell whether an open page sent the request by itself, to show what has changed meanwhile."""
    return REFETCH_HEADER in request.headers


def opens_page() -> bool:
    """Tell whether somebody opens a page with this request.

    - a link, or the address bar → True
    - a form that is sent → False
    - an open page that fetches itself again → False
    """
    return request.method == "GET" and not is_refetch_by_page()


def may_hold_key(path: str) -> bool:
    """Tell whether a path may contain a secret, which no header may disclose to other sites.

    Secret are the key of a match, `/e/…`, and the token of an admin link, `/casa/…`.
    """
    return _SECRET_PATH.match(path) is not None


def usual_headers() -> dict[str, str]:
    """Return the headers of every response, unless a view sets stricter values."""
    return IN_FRAME if is_alone() else ALWAYS


def set_headers(response: Response) -> None:
    """Set the headers for security and caching that the response does not have yet.

    Most responses are `no-cache`: the browser asks each time whether they changed. Static files may
    be cached, as their URLs change with their content; an error page in place of one may not.
    """
    if may_hold_key(request.path):  # first, as these are stricter than the usual ones
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
    already_set = {name.lower() for name, _ in response.headers}
    for name, value in usual_headers().items():
        if name.lower() not in already_set:
            response.headers.add(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"

    is_error = response.status_code >= HTTPStatus.BAD_REQUEST
    is_static_file = request.endpoint == "static" and not is_error
    if not is_static_file and "cache-control" not in already_set:
        response.headers.add("Cache-Control", "private, no-cache")


def tell_script_of_redirect(response: Response) -> None:
    """Answer a script with the URL of a redirect in a header, instead of with the redirect.

    The browser would follow a redirect by itself, and fetch a page that the script does not show.
    Responses to others, and responses that are no redirect, stay as they are.
    """
    if not response.location or not request.headers.get("Scorepad-Script"):
        return
    response.headers["Scorepad-To"] = response.headers.pop("Location")
    response.set_data(b"")
    response.status_code = HTTPStatus.NO_CONTENT
