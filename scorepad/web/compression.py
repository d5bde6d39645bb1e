"""Responses compressed with gzip.

Flask-Compress (1.25) ignores `gzip;q=0`, compresses a stylesheet anew each time, and needs two more
libraries.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from http import HTTPStatus

from flask import Response, request

_FEWEST_BYTES = 500
"""Smaller responses are not compressed."""
_COMPRESSED_TYPES = {
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "image/svg+xml",
}


def compress_response(response: Response) -> None:
    """Compress the body with gzip, if the client accepts that and it is worth it."""
    if response.mimetype not in _COMPRESSED_TYPES:
        return
    response.vary.add("Accept-Encoding")
    if not _may_compress(response):
        return
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) < _FEWEST_BYTES:
        return

    if request.endpoint == "static":
        response.set_data(_compress_static_file(body))
    else:
        response.set_data(gzip.compress(body, 6, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)


def _may_compress(response: Response) -> bool:
    """Whether the client accepts gzip, and the response is whole and not compressed yet."""
    if request.accept_encodings["gzip"] <= 0 or "Content-Encoding" in response.headers:
        return False
    if response.status_code != HTTPStatus.OK:
        return False
    # A static file is read into memory; any other file is sent in pieces, and stays as it is.
    return not response.direct_passthrough or request.endpoint == "static"


@lru_cache(maxsize=64)
def _compress_static_file(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
