"""Compiles the templates, and the code that Python generates while the application is imported;
runs inside Pyodide, before its modules are compiled with all others.

The files in `/source` are the application, to which they are added.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCE = Path("/source")
KEY = bytes(32)
"""A key of cookies: no cookie is made."""

sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE))

from scorepad.lite.inside import generated_code  # noqa: E402

code = generated_code.GeneratedCode({})
generated_code.install(code)  # before the imports that make classes

from scorepad.app.factory import Config, create_app  # noqa: E402
from scorepad.lite.inside.compiled_templates import compile_templates  # noqa: E402

with TemporaryDirectory() as folder:
    application = create_app(Config(Path(folder) / "matches.db", KEY))
compile_templates(application, SOURCE)
generated_code.save(code, SOURCE)
