"""Responses with a file: its name, papers made on request, and downloads."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable
from http import HTTPStatus
from io import SEEK_END
from typing import IO, cast
from urllib.parse import quote

from flask import Response, current_app, make_response, request
from werkzeug.wrappers import Response as AnyResponse
from werkzeug.wsgi import wrap_file

from scorepad.heavy import one_heavy_job_at_a_time
from scorepad.storage.scratch import ScratchFile
from scorepad.web.alone import is_alone
from scorepad.web.base import app_state, asset, page_words
from scorepad.web.error_pages import error_page
from scorepad.web.headers import usual_headers

_FORBIDDEN = frozenset('/\\:*?"<>|')
_LONGEST_NAME = 160
"""Bytes of a file name without its extension; file systems allow 255 with it."""


def name_file(response: AnyResponse, name: str, ending: str, *, inline: bool = False) -> None:
    """Set the file name under which the browser saves a response: `Canasta` and `pdf`.

    The `name` may be typed by people. The header `Content-Disposition` has it in ASCII, and, if
    that differs, also in full (RFC 6266, RFC 8187). `inline`: the browser shows the file at first.
    """
    full_name = _usable_file_name(name)
    ascii_name = _ascii_file_name(full_name)
    names = {"filename": f"{ascii_name}.{ending}"}
    if ascii_name != full_name:
        encoded = quote(f"{full_name}.{ending}", safe="")
        names["filename*"] = f"UTF-8''{encoded}"
    response.headers.set("Content-Disposition", "inline" if inline else "attachment", **names)


def _usable_file_name(text: str) -> str:
    """Make a file name that every system accepts: not too long, without `/` and the like."""
    printable = "".join(letter for letter in text if letter.isprintable())
    allowed = _without_forbidden(printable)
    # The limit is in bytes. If it cuts through a letter, the rest of that letter is dropped.
    shortened = allowed.encode()[:_LONGEST_NAME].decode(errors="ignore")
    return shortened.strip(" .")


def _ascii_file_name(name: str) -> str:
    """Write a file name in ASCII only: `perché` → `perche`; other letters are left out."""
    decomposed = unicodedata.normalize("NFKD", name)  # an accent becomes a character by itself
    ascii_name = decomposed.encode("ascii", "ignore").decode()
    # Some browsers would decode a percent sign.
    ascii_name = ascii_name.replace("%", "_")
    # A letter may have become a forbidden one: `：` becomes `:`.
    ascii_name = _without_forbidden(ascii_name)
    return " ".join(ascii_name.split())


def _without_forbidden(name: str) -> str:
    return "".join(letter for letter in name if letter not in _FORBIDDEN)


def sheet_response(
    make_pdf: Callable[[], bytes],
    render_sheet: Callable[[], str],
    *,
    name: str,
    back_url: str,
    key: Hashable = None,
) -> Response:
    """Make a sheet as PDF by calling `make_pdf`, and return it as a response with this file name.

    With a `key` it is made once, and cached. If this machine can make no PDF, or the pad is alone,
    the response is the page that `render_sheet` renders as HTML, with a button to print it and a
    link back to `back_url`. Raises Overloaded if too many are being made.
    """
    from scorepad.sheets.pdf import NoPdf, can_make_pdf  # slow to import, and needed only here

    if is_alone() or not can_make_pdf():
        return _page_to_print(render_sheet, back_url)
    try:
        content = _get_or_make_paper(make_pdf, key)
    except NoPdf:
        return _page_to_print(render_sheet, back_url)
    except OSError:  # no space for the library's temporary files
        current_app.logger.exception("no sheet")
        return _page_to_print(render_sheet, back_url)
    return file_response(content, "application/pdf", name, "pdf", inline=True)


def _page_to_print(render_sheet: Callable[[], str], back_url: str) -> Response:
    """Return a sheet, which `render_sheet` renders as HTML, as a page with a button to print it.

    `back_url` is the page that a link beside the button leads back to.
    """
    from scorepad.sheets.print_page import make_print_page

    page = make_print_page(
        render_sheet(), static_url=asset(""), back_url=back_url, words=page_words()
    )
    response = make_response(page)
    # Unlike other pages, a sheet has fonts of its own.
    policy = usual_headers()["Content-Security-Policy"]
    response.headers["Content-Security-Policy"] = f"{policy}; font-src 'self'"
    return response


def picture_response(make: Callable[[], bytes], name: str, key: Hashable) -> Response:
    """Make a picture by calling `make`, and return it as a response with this file name.

    It is made once, and cached under its `key`. If this machine cannot make it, the response is an
    error page. Raises Overloaded if too many are being made.
    """
    from scorepad.sheets.pdf import NoPdf

    try:
        content = _get_or_make_paper(make, key)
    except NoPdf:  # it is made from a PDF
        return error_page("no-picture", HTTPStatus.SERVICE_UNAVAILABLE)
    except OSError:  # no space for the library's temporary files
        current_app.logger.exception("no picture")
        return error_page("no-picture", HTTPStatus.SERVICE_UNAVAILABLE)
    return file_response(content, "image/png", name, "png", inline=True)


def _get_or_make_paper(make: Callable[[], bytes], key: Hashable) -> bytes:
    """Return the PDF or picture cached under this key, or call `make` for a new one and cache it.

    Without a key (None) it is made each time. Raises Overloaded if too many are being made.
    """
    if key is None:
        with one_heavy_job_at_a_time():
            return make()

    papers = app_state().papers
    cached = papers.get(key)
    if cached is not None:
        return cached
    with one_heavy_job_at_a_time():
        # Another request may have made it while this one waited.
        cached = papers.get(key)
        if cached is not None:
            return cached
        return papers.put(key, make())


def file_response(
    content: bytes, mimetype: str, name: str, ending: str, *, inline: bool = False
) -> Response:
    """Return a file to download under this name; with `inline` the browser shows it at first."""
    response = make_response(content)
    response.headers["Content-Type"] = mimetype
    name_file(response, name, ending, inline=inline)
    return response


def sent_file(file: ScratchFile, mimetype: str, name: str, ending: str) -> Response:
    """Send an open file to download under this name.

    The server closes the file once it is sent, or the client has gone.
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
