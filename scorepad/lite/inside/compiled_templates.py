"""Templates that are compiled when the site is built: the browser needs neither source nor compiler.

Each language has its own, because Jinja computes what is constant when it compiles: `{{ 500|figure }}`
becomes what that language writes.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import BaseLoader, ModuleLoader, TemplateNotFound

from scorepad.web import base

if TYPE_CHECKING:
    from flask import Flask
    from jinja2 import Environment, Template

PACKAGE = "compiled_templates"
"""The package with the compiled templates: a package for each language, a module for each template."""


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
    """Compile the templates of an application to Python modules in a folder."""
    package = folder / PACKAGE
    for language, environment in app.extensions[base.TEMPLATES].items():
        environment.compile_templates(package / language, zip=None, ignore_errors=False)
        (package / language / "__init__.py").touch()
    (package / "__init__.py").touch()


def use_compiled_templates(app: Flask) -> None:
    """Let an application load its templates as they were compiled."""
    for language, environment in app.extensions[base.TEMPLATES].items():
        environment.loader = CompiledTemplates(f"{PACKAGE}.{language}")
