"""The HTML of papers. WeasyPrint is replaced: laying them out takes longer than all the rest."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import Any

import pytest
import weasyprint  # type: ignore[import-untyped]
from pypdf import PdfWriter

HEIGHT = 300.0
"""Where every element that is looked for stands on its page, in CSS pixels."""


@cache
def blank_page() -> bytes:
    """What the program gets in place of a paper: a PDF that it can go on with."""
    writer, file = PdfWriter(), BytesIO()
    writer.add_blank_page(100, 100)
    writer.write(file)
    return file.getvalue()


class _Anchors(dict[str, tuple[float, float]]):
    """Every element stands at the same height."""

    def __contains__(self, anchor: object) -> bool:
        return True

    def __missing__(self, anchor: str) -> tuple[float, float]:
        return 0.0, HEIGHT


class _Page:
    anchors = _Anchors()
    width = 794.0
    height = 1123.0


class _Document:
    """A paper of one page."""

    pages = (_Page(),)

    def write_pdf(self, *_: Any, **__: Any) -> bytes:
        return blank_page()


@contextmanager
def papers_as_html() -> Iterator[list[str]]:
    """The HTML of each paper that is made meanwhile; the program gets a blank page."""
    papers: list[str] = []

    class Html:
        def __init__(self, *, string: str, **_: Any) -> None:
            papers.append(string)

        def render(self, *_: Any, **__: Any) -> _Document:
            return _Document()

        def write_pdf(self, *_: Any, **__: Any) -> bytes:
            return blank_page()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weasyprint, "HTML", Html)
        yield papers
