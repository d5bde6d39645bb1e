"""What every answer says of itself: what the browser may load from it, where it may stand, how long it holds."""

from __future__ import annotations

import gzip
import re
import unicodedata
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from flask import Response, current_app, request
from werkzeug.wrappers import Response as AnyResponse

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
"""What says in the environment of a request that nothing but the head of the answer is wanted."""
HTTPS_ONLY = "max-age=31536000"
"""`Strict-Transport-Security`, sent under https: for a year browsers do not open the pad without it."""
LOOKS_AGAIN = "Scorepad-Live"
"""The header of a page that is open already and fetches itself again."""
SCRIPT = "Scorepad-Script"
"""The header by which a page's own script asks to be told where to go on, and to go there by itself."""
TO = "Scorepad-To"
"""The header that tells it."""
_SMALLEST = 500
"""Octets under which packing only makes an answer longer."""
_PACKED = {"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"}
_LEVEL = 6


_KEY_PATH = re.compile(r"/+(e|casa)(/|$)", re.IGNORECASE)
"""What stands before a key or the token of a home link in an address, and whatever comes close to it."""
_NOT_IN_FILE_NAMES = frozenset('/\\:*?"<>|')
_LONGEST_NAME = 160
"""Octets of a file's name without its ending; file systems take 255 with it."""


def may_hold_key(path: str) -> bool:
    """Whether an address may hold a key, so that nothing may pass it on, whatever the answer."""
    return _KEY_PATH.match(path) is not None


def protect(response: Response) -> Response:
    """Put the headers of every answer on it. A page is asked for again each time, and kept by nobody in between."""
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


def name_file(response: AnyResponse, name: str, ending: str, *, inline: bool = False) -> None:
    """Set `Content-Disposition` with this file name, which may hold anything that people type.

    RFC 6266: the name in ASCII, and with all its letters as RFC 8187 encodes them where these differ.
    """
    kept = "".join(each for each in name if each.isprintable() and each not in _NOT_IN_FILE_NAMES)
    kept = kept.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
    whole = f"{kept}.{ending}"
    plain = unicodedata.normalize("NFKD", kept).encode("ascii", "ignore").decode().replace("%", "_")
    plain = "".join(each for each in plain if each not in _NOT_IN_FILE_NAMES)
    names = {"filename": f"{' '.join(plain.split())}.{ending}"}
    if names["filename"] != whole:
        names["filename*"] = f"UTF-8''{quote(whole, safe='')}"
    response.headers.set("Content-Disposition", "inline" if inline else "attachment", **names)


def lead(response: Response) -> Response:
    """Tell a page's own script where the answer leads, so that no page is fetched that nobody sees."""
    if response.location and request.headers.get(SCRIPT):
        response.headers[TO] = response.headers.pop("Location")
        response.set_data(b"")
        response.status_code = HTTPStatus.NO_CONTENT
    return response


def compress(response: Response) -> Response:
    """Pack an answer for a browser that can unpack it: the server itself does not.

    Not by Flask-Compress (1.25): it packs for those who refuse (`gzip;q=0`), packs a stylesheet anew each time, stamps
    the time on what it packs, and needs two more packers that are no Python.
    """
    if response.mimetype not in _PACKED:
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
    """The answer packed; None where it is too short or comes in pieces."""
    if request.endpoint == "static" and request.view_args and request.method in ("GET", "HEAD"):
        path = Path(current_app.static_folder or "") / str(request.view_args["filename"])
        return _packed_file(path, path.stat().st_mtime_ns)
    if response.direct_passthrough:
        return None
    data = response.get_data()
    return gzip.compress(data, _LEVEL, mtime=0) if len(data) >= _SMALLEST else None


def _close(response: Response) -> None:
    """Let go of the file that is not sent."""
    close = getattr(response.response, "close", None)
    if close is not None:
        close()


@lru_cache(maxsize=64)
def _packed_file(path: Path, changed: int) -> bytes | None:  # noqa: ARG001 - a changed file is another
    data = path.read_bytes()
    return gzip.compress(data, 9, mtime=0) if len(data) >= _SMALLEST else None
