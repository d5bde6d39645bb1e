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
    """Compress the body of a response with gzip, if the client accepts that and it is worth it.

    Only texts are compressed, such as pages and style sheets, and only from 500 bytes on. Redirects
    and errors are sent as they are.
    """
    if response.status_code != HTTPStatus.OK or response.mimetype not in _COMPRESSED_TYPES:
        return
    response.vary.add("Accept-Encoding")  # also if it is not compressed: caches must know
    if not _may_compress(response):
        return
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) < _FEWEST_BYTES:
        return

    response.set_data(_compress_body(body))
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag:
        # The bytes differ from those without compression, so a strong tag would be wrong.
        response.set_etag(etag, weak=True)


def _may_compress(response: Response) -> bool:
    """Tell whether a response may be compressed with gzip.

    It may if the client accepts gzip, and if the response is whole and not compressed yet.
    """
    accepts_gzip = request.accept_encodings["gzip"] > 0
    if not accepts_gzip:
        return False
    if "Content-Encoding" in response.headers:  # it is compressed already
        return False
    is_sent_in_pieces = response.direct_passthrough
    if not is_sent_in_pieces:
        return True
    return request.endpoint == "static"  # a static file is small enough to be read into memory


def _compress_body(body: bytes) -> bytes:
    """Compress the body of a response with gzip: a page less than a static file, which is cached."""
    if request.endpoint == "static":
        return _compress_static_file(body)
    return gzip.compress(body, 6, mtime=0)


@lru_cache(maxsize=64)
def _compress_static_file(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
