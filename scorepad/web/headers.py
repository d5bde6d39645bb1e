"""Response headers: content policy, caching and compression; and the headers of the pages' own scripts."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from flask import Response, current_app, request

CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
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


def protect(response: Response) -> Response:
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


def lead(response: Response) -> Response:
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
        _close(response)
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


def _close(response: Response) -> None:
    """Close the file that is not sent."""
    close = getattr(response.response, "close", None)
    if close is not None:
        close()


@lru_cache(maxsize=64)
def _packed_file(path: Path, changed: int) -> bytes | None:  # noqa: ARG001 - a changed file is another
    data = path.read_bytes()
    return gzip.compress(data, 9, mtime=0) if len(data) >= _SMALLEST else None
