"""From page values to HTML. Names are text: everything is escaped, nothing may be missing."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scorepad.assets import templates_dir
from scorepad.i18n import Language, Words, words
from scorepad.sheets.chart import PAPER, Theme, chart_svg
from scorepad.sheets.text import printable
from scorepad.sheets.values import SheetPage


def match_sheet_html(page: SheetPage, *, is_lacking: bool = False) -> str:
    """The match sheet as HTML; its style and fonts are addresses that only the sheets' own fetcher knows.

    `is_lacking`: some of its characters cannot be drawn, and a note says so.
    """
    chart = Markup(chart_svg(page.chart, Theme.PAPER, PAPER) if page.chart else "")  # noqa: S704 - it escapes its texts
    return render("match.html", page.language, page=page, chart=chart, is_lacking=is_lacking)


def render(template: str, language: Language, **values: object) -> str:
    """A sheet's template filled in, in a language; `say` are its words."""
    say = words(language)
    return _environment().get_template(f"sheets/{template}").render(say=say, footer=_footer(say), **values)


def _footer(say: Words) -> tuple[str, str, str]:
    """What stands before, between and after the number of the page and the number of pages."""
    gap = "\0"
    before, between, after = say.text("sheets.page-of", page=gap, pages=gap).split(gap)
    return before, between, after


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
