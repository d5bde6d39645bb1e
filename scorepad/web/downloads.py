"""Files to download: their names, PDF responses, and the cache of rendered papers."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable
from urllib.parse import quote

from flask import Response, current_app, make_response
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.service import heavy_work
from scorepad.web.base import app_state
from scorepad.web.errors import trouble

_FORBIDDEN = frozenset('/\\:*?"<>|')
_LONGEST_NAME = 160
"""Bytes of a file name without its extension; file systems take 255 with it."""


def name_file(response: AnyResponse, name: str, ending: str, *, inline: bool = False) -> None:
    """Set `Content-Disposition` with a file name made of what people typed.

    RFC 6266: the name in ASCII, and in full as RFC 8187 encodes it where that differs.
    """
    kept = "".join(each for each in name if each.isprintable() and each not in _FORBIDDEN)
    kept = kept.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
    whole = f"{kept}.{ending}"
    plain = unicodedata.normalize("NFKD", kept).encode("ascii", "ignore").decode().replace("%", "_")
    plain = "".join(each for each in plain if each not in _FORBIDDEN)
    names = {"filename": f"{' '.join(plain.split())}.{ending}"}
    if names["filename"] != whole:
        names["filename*"] = f"UTF-8''{quote(whole, safe='')}"
    response.headers.set("Content-Disposition", "inline" if inline else "attachment", **names)


def cached_paper(key: Hashable, make: Callable[[], bytes]) -> bytes:
    """The paper of this key, made if it is not cached. Raises Overloaded like `heavy_work`."""
    papers = app_state().papers
    kept = papers.get(key)
    if kept is not None:
        return kept
    with heavy_work():
        return papers.get(key) or papers.put(key, make())  # another request may have made it meanwhile


def paper_response(
    make: Callable[[], bytes], name: str, mimetype: str = "application/pdf", ending: str = "pdf"
) -> Response:
    """A paper to show under this name; a page that explains how to print, if this machine cannot make papers."""
    from scorepad.sheets.pdf import NoPdf

    try:
        paper = make()
    except NoPdf:
        return trouble("no-pdf", 503)
    except OSError:  # no space for the library's temporary files
        current_app.logger.exception("no sheet")
        return trouble("no-pdf", 503)
    return file_response(paper, mimetype, name, ending, inline=True)


def file_response(content: bytes, mimetype: str, name: str, ending: str, *, inline: bool = False) -> Response:
    """A file to download, or with `inline` to show, under this name."""
    response = make_response(content)
    response.headers["Content-Type"] = mimetype
    name_file(response, name, ending, inline=inline)
    return response
