"""WeasyPrint, and the only files that it may read. Import this where a PDF is made and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weasyprint import HTML
from weasyprint.text.ffi import ffi, pangoft2
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from scorepad.assets import fonts_dir, static_dir

__all__ = ["HTML", "OwnFiles", "fonts"]

SCHEME = "scorepad:"
"""Our own addresses, `scorepad:style/match.css` and `scorepad:font/….woff2`: where the files stand does not show."""

_SHELVES: dict[str, tuple[Callable[[], Path], str]] = {
    "style": (lambda: static_dir() / "sheets", "text/css"),
    "font": (fonts_dir, "font/woff2"),
}


@contextmanager
def fonts() -> Iterator[FontConfiguration]:
    """The fonts for one layout of a sheet, which are let go after it.

    Pango 1.50 frees a map of fonts without what it was made from, 0.2 MB each, unless that was taken from it before.
    """
    known = FontConfiguration()
    try:
        yield known
    finally:
        pangoft2.pango_fc_font_map_set_config(ffi.cast("PangoFcFontMap *", known.font_map), ffi.NULL)


class OwnFiles(URLFetcher):  # type: ignore[misc]
    """Serves the style sheets and fonts of the sheets, and refuses every other address.

    `made` are fonts made for one sheet, by their address.
    """

    def __init__(self, made: Mapping[str, bytes] | None = None) -> None:
        super().__init__(timeout=1, allowed_protocols=(), allow_redirects=False)
        self._made = {f"{SCHEME}{address}": font for address, font in (made or {}).items()}

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:  # noqa: ARG002
        """The file of this address. Raises ValueError for any that is not ours."""
        if url in self._made:
            return URLFetcherResponse(url, self._made[url], {"Content-Type": "font/ttf"})
        shelf, _, name = url.removeprefix(SCHEME).partition("/")
        if not url.startswith(SCHEME) or shelf not in _SHELVES:
            raise ValueError(f"not one of the sheets' own files: {url[:200]}")
        folder, kind = _SHELVES[shelf]
        known = {file.name: file for file in folder().iterdir() if file.is_file()}
        if name not in known:
            raise ValueError(f"no such file among the sheets' own: {url[:200]}")
        return URLFetcherResponse(url, known[name].read_bytes(), {"Content-Type": kind})
