"""Templates that were compiled for the browser make the same pages as their sources."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app.factory import Config, create_app
from scorepad.assets import templates_dir
from scorepad.lite.inside.compiled_templates import (
    PACKAGE,
    compile_templates,
    use_compiled_templates,
)
from scorepad.sheets.pdf import templates as templates_of_sheets
from scorepad.web import base

PATHS_OF_PAGES_AND_SHEETS = (
    "/",
    "/partite/nuova",
    "/regole",
    "/regole/classica",
    "/arbitro",
    "/file",
    "/nowhere",
    "/regole/classica/scheda.pdf",  # a page to print, in a browser
    "/regole/classica/segnapunti.pdf",
)
DIFFERS_EACH_TIME = re.compile(r'(csrf_token" value|request_id" value|data-live-clock)="[^"]+"')


def make_app(folder: Path) -> Flask:
    """Make the application as it runs in a browser, with templates that are not compiled yet."""
    data_file = folder / "matches.db"
    app = create_app(Config(data_file, bytes(32), limited=False, testing=True, alone=True))
    for environment in app.extensions[base.TEMPLATES].values():
        environment.bytecode_cache = None  # that of the tests is the same for all languages
    return app


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Compile all templates to modules of Python, which can be imported; return their folder."""
    folder = tmp_path_factory.mktemp("compiled")
    compile_templates(make_app(folder), folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder / PACKAGE
    for name in list(sys.modules):
        if name.startswith(PACKAGE):
            del sys.modules[name]


def get_page(app: Flask, path: str, language: str) -> str:
    """Return the page, without the texts that differ each time, such as the token of a form."""
    response = app.test_client().get(path, headers={"Accept-Language": language})
    return DIFFERS_EACH_TIME.sub("", response.text)


@pytest.fixture
def keep_loader_of_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the templates of the sheets back after a test: all applications share them."""
    environment = templates_of_sheets()
    monkeypatch.setattr(environment, "loader", environment.loader)


@pytest.mark.usefixtures("compiled", "keep_loader_of_sheets")
@pytest.mark.parametrize("language", ["it", "en"])
def test_pages_and_sheets_are_the_same(tmp_path: Path, language: str) -> None:
    app = make_app(tmp_path)
    expected_pages = [get_page(app, path, language) for path in PATHS_OF_PAGES_AND_SHEETS]

    use_compiled_templates(app)

    for path, page in zip(PATHS_OF_PAGES_AND_SHEETS, expected_pages, strict=True):
        assert get_page(app, path, language).splitlines() == page.splitlines()


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_template_of_a_page_is_compiled(compiled: Path, language: str) -> None:
    # The templates of pages are all but those of sheets on paper and of the command line.
    templates = [path for path in templates_dir().rglob("*") if path.is_file()]
    of_sheets = list((templates_dir() / "sheets").iterdir())
    of_command_line = list((templates_dir() / "cli").iterdir())
    of_pages = len(templates) - len(of_sheets) - len(of_command_line)

    # Each is compiled once for Italian and once for English, with its texts in it.
    modules = list((compiled / language).glob("tmpl_*.py"))
    assert len(modules) == of_pages


def test_every_template_of_a_sheet_is_compiled_once(compiled: Path) -> None:
    # A template becomes a module of Python. Those of sheets are compiled for both languages at once,
    # unlike those of pages, so that there is one module for each.
    templates = list((templates_dir() / "sheets").iterdir())
    modules = list((compiled / "sheets").glob("tmpl_*.py"))

    # One more module is made from suits.html, which sheets use too, but which lies among the
    # templates of pages.
    assert len(modules) == len(templates) + 1
