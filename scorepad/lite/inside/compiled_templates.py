"""Templates that are compiled when the site is built: the browser needs neither source nor compiler.

Each language has its own pages, because Jinja computes what is constant when it compiles:
`{{ 500|figure }}` becomes what that language writes. The sheets get such values when they are filled.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import BaseLoader, ModuleLoader, TemplateNotFound

from scorepad.sheets.pdf import templates as templates_of_sheets
from scorepad.web import base

if TYPE_CHECKING:
    from flask import Flask
    from jinja2 import Environment, Template

PACKAGE = "compiled_templates"
"""The package with the compiled templates: a package for the pages of each language and one for the
sheets, which have a module for each template.
"""
_SHEETS = "sheets"
_OF_SHEETS = ("sheets/", "suits.html")
"""Beginnings of the names of templates that the sheets use."""
_NOT_OF_PAGES = ("sheets/", "cli/")
"""Beginnings of the names of templates that no page uses."""


class CompiledTemplates(BaseLoader):
    """Loads the templates of a language from the modules of a package."""

    has_source_access = False

    def __init__(self, package: str) -> None:
        self._package = package

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 (so it is called in Jinja)
    ) -> Template:
        """Load a template by its name: `home/page.html`."""
        module_name = f"{self._package}.{ModuleLoader.get_template_key(name)}"
        try:
            module = import_module(module_name)
        except ModuleNotFoundError as error:
            raise TemplateNotFound(name) from error
        return environment.template_class.from_module_dict(
            environment, module.__dict__, globals or {}
        )


def compile_templates(app: Flask, folder: Path) -> None:
    """Compile the templates of pages and sheets to Python modules in a folder."""
    package = folder / PACKAGE
    for language, environment in app.extensions[base.TEMPLATES].items():
        _compile(environment, package / language, _is_of_page)
    _compile(templates_of_sheets(), package / _SHEETS, _is_of_sheet)
    (package / "__init__.py").touch()


def _compile(environment: Environment, package: Path, is_wanted: Callable[[str], bool]) -> None:
    environment.compile_templates(package, filter_func=is_wanted, zip=None, ignore_errors=False)
    (package / "__init__.py").touch()


def _is_of_page(name: str) -> bool:
    return not name.startswith(_NOT_OF_PAGES)


def _is_of_sheet(name: str) -> bool:
    return name.startswith(_OF_SHEETS)


def use_compiled_templates(app: Flask) -> None:
    """Let an application load its templates as they were compiled."""
    for language, environment in app.extensions[base.TEMPLATES].items():
        environment.loader = CompiledTemplates(f"{PACKAGE}.{language}")
    templates_of_sheets().loader = CompiledTemplates(f"{PACKAGE}.{_SHEETS}")
