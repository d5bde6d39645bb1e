"""Compiles the templates, and the code that Python generates while the application is imported;
runs inside Pyodide, before its modules are compiled with all others.

The files in `/source` are the application, to which they are added.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from scorepad.lite.inside import generated_code

SOURCE = Path("/source")
KEY = bytes(32)
"""A key of cookies: no cookie is made."""

code = generated_code.GeneratedCode({})
generated_code.install(code)  # before the imports that make classes

from scorepad.app.factory import Config, create_app  # noqa: E402
from scorepad.assets import templates_dir  # noqa: E402
from scorepad.lite.inside.compiled_templates import compile_templates  # noqa: E402

with TemporaryDirectory() as folder:
    application = create_app(Config(Path(folder) / "matches.db", KEY))
compile_templates(application, SOURCE)
generated_code.save(code, SOURCE)
# The application looks for the folder of the templates, but reads none of them any more.
for template in templates_dir().rglob("*"):
    if template.is_file():
        template.write_bytes(b"")
