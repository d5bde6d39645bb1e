"""Responses with a file: its name, papers made on request, and downloads."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable
from io import SEEK_END
from typing import IO, cast
from urllib.parse import quote

from flask import Response, current_app, make_response, request
from werkzeug.wrappers import Response as AnyResponse
from werkzeug.wsgi import wrap_file

from scorepad.heavy import heavy_work
from scorepad.storage.scratch import ScratchFile
from scorepad.web.base import app_state
from scorepad.web.error_pages import error_page

_FORBIDDEN = frozenset('/\\:*?"<>|')
_LONGEST_NAME = 160
"""Bytes of a file name without its extension; file systems allow 255 with it."""


def name_file(response: AnyResponse, name: str, ending: str, *, inline: bool = False) -> None:
    """Set `Content-Disposition` with a file name made from typed text.

    RFC 6266: the name in ASCII; if the full name differs, also encoded by RFC 8187.
    """
    printable = "".join(letter for letter in name if letter.isprintable())
    kept = _without_forbidden(printable)
    kept = kept.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
    full_name = f"{kept}.{ending}"

    plain = unicodedata.normalize("NFKD", kept).encode("ascii", "ignore").decode()
    plain = _without_forbidden(plain.replace("%", "_"))
    plain = " ".join(plain.split())
    names = {"filename": f"{plain}.{ending}"}
    if names["filename"] != full_name:
        encoded = quote(full_name, safe="")
        names["filename*"] = f"UTF-8''{encoded}"
    response.headers.set("Content-Disposition", "inline" if inline else "attachment", **names)


def _without_forbidden(name: str) -> str:
    return "".join(letter for letter in name if letter not in _FORBIDDEN)


def paper_response(
    make: Callable[[], bytes],
    name: str,
    mimetype: str = "application/pdf",
    ending: str = "pdf",
    key: Hashable = None,
) -> Response:
    """A paper to show under this name; a page on how to print, if this machine cannot create
    papers.

    With a `key` it is made once, and cached. Raises Overloaded like `heavy_work`.
    """
    from scorepad.sheets.pdf import NoPdf

    try:
        content = _paper(make, key)
    except NoPdf:
        return error_page("no-pdf", 503)
    except OSError:  # no space for the library's temporary files
        current_app.logger.exception("no sheet")
        return error_page("no-pdf", 503)
    return file_response(content, mimetype, name, ending, inline=True)


def _paper(make: Callable[[], bytes], key: Hashable) -> bytes:
    if key is None:
        with heavy_work():
            return make()
    papers = app_state().papers
    cached = papers.get(key)
    if cached is not None:
        return cached
    with heavy_work():
        # Another request may have made it meanwhile.
        return papers.get(key) or papers.put(key, make())


def file_response(
    content: bytes, mimetype: str, name: str, ending: str, *, inline: bool = False
) -> Response:
    """A file to download, or with `inline` to show, under this name."""
    response = make_response(content)
    response.headers["Content-Type"] = mimetype
    name_file(response, name, ending, inline=inline)
    return response


def sent_file(file: ScratchFile, mimetype: str, name: str, ending: str) -> Response:
    """An open file to download under this name. The server closes it once it is sent, or the client
    has gone.
    """
    length = file.seek(0, SEEK_END)
    file.seek(0)
    # The server sends a file as fast as the client reads it; no thread waits for that.
    response = Response(
        wrap_file(request.environ, cast("IO[bytes]", file)),
        content_type=mimetype,
        direct_passthrough=True,
    )
    response.content_length = length
    name_file(response, name, ending)
    return response
