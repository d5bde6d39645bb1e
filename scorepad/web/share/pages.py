"""The chart page and the page to share from, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from scorepad.web.frame import Page


@dataclass(frozen=True, slots=True)
class Head:
    """A side over its column of the table, with a piece of its line."""

    name: str
    sample: Markup


@dataclass(frozen=True, slots=True)
class Cell:
    """What a side made in a hand (empty for what it began with), and its total then."""

    hand: str
    total: str


@dataclass(frozen=True, slots=True)
class Row:
    """A hand in the table, or what was taken over from paper."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPage(Page):
    """How the totals of a match went. `chart` is empty before the first hand."""

    template: ClassVar[str] = "share/chart.html"
    match: str
    names: str
    """Who plays."""
    chart: Markup
    heads: tuple[Head, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage(Page):
    """The result to send: `text` as it is, `picture` where the picture is and `alt` what it shows."""

    template: ClassVar[str] = "share/page.html"
    match: str
    picture: str
    alt: str
    text: str
    rows: int
    """Rows that the text takes."""
