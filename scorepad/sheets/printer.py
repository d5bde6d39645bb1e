"""WeasyPrint, and the only files that it may read. Import this where a PDF is made and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from typing import Any

from fontTools.ttLib import woff2  # type: ignore[import-untyped] # ships no types
from weasyprint import HTML
from weasyprint.text.ffi import ffi, pangoft2
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from scorepad.assets import fonts_dir, static_dir

__all__ = ["HTML", "OwnFiles", "fonts"]

SCHEME = "scorepad:"
"""The scheme of our own addresses, `scorepad:style/match.css` and `scorepad:font/….woff2`: paths do not show."""


@contextmanager
def fonts() -> Iterator[FontConfiguration]:
    """The font configuration of one layout, freed after it.

    Pango 1.50 leaks the fontconfig of a font map, 0.2 MB each, unless it is taken from the map first.
    """
    configuration = FontConfiguration()
    try:
        yield configuration
    finally:
        pangoft2.pango_fc_font_map_set_config(ffi.cast("PangoFcFontMap *", configuration.font_map), ffi.NULL)


class OwnFiles(URLFetcher):  # type: ignore[misc]
    """Serves the style sheets and fonts of the sheets, and refuses every other address.

    `made` are fonts generated for one sheet, by address.
    """

    def __init__(self, made: Mapping[str, bytes] | None = None) -> None:
        super().__init__(timeout=1, allowed_protocols=(), allow_redirects=False)
        self._made = {f"{SCHEME}{address}": font for address, font in (made or {}).items()}

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:  # noqa: ARG002
        """The file of this address. Raises ValueError for any that is not ours."""
        if url in self._made:
            return URLFetcherResponse(url, self._made[url], {"Content-Type": "font/ttf"})
        folder, _, name = url.removeprefix(SCHEME).partition("/")
        if not url.startswith(SCHEME) or folder not in ("style", "font"):
            raise ValueError(f"not one of the sheets' own files: {url[:200]}")
        found = _content(folder, name)
        if found is None:
            raise ValueError(f"no such file among the sheets' own: {url[:200]}")
        return URLFetcherResponse(url, found, {"Content-Type": "text/css" if folder == "style" else "font/ttf"})


@lru_cache(maxsize=32)
def _content(folder: str, name: str) -> bytes | None:
    """A style sheet, or a WOFF2 font as TrueType: WeasyPrint would decompress it for every layout. None if unknown."""
    directory = fonts_dir() if folder == "font" else static_dir() / "sheets"
    file = next((each for each in directory.iterdir() if each.is_file() and each.name == name), None)
    if file is None:
        return None
    if folder == "style":
        return file.read_bytes()
    made = BytesIO()
    woff2.decompress(file, made)
    return made.getvalue()
