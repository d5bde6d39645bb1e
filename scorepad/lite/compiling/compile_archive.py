"""Compiles the Python files of the archive; runs inside Pyodide, so that the bytecode is its own.

The folder `/source` becomes the file `/target/archive`: an index in JSON, after four bytes with its
length, and then the contents one after the other. A module is stored as bytecode only.
"""

from __future__ import annotations

import importlib.util
import json
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from pathlib import Path

SOURCE = Path("/source")
TARGET = Path("/target/archive")
WHERE = "/app"
"""The folder that has the files in the browser."""
WITHOUT_DOCSTRINGS = 2
"""Level of optimization."""


def compile_module(path: Path, name: str) -> bytes:
    """Compile a module to the content of a `.pyc` file that is never compared with its source."""
    source = path.read_bytes()
    code = compile(
        source, f"{WHERE}/{name}", "exec", dont_inherit=True, optimize=WITHOUT_DOCSTRINGS
    )
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def write_archive() -> None:
    """Write the archive."""
    index = []
    contents = []
    for path in sorted(SOURCE.rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(SOURCE).as_posix()
        if name.endswith(".py"):
            content = compile_module(path, name)
            name += "c"
        else:
            content = path.read_bytes()
        index.append([name, len(content)])
        contents.append(content)

    encoded_index = json.dumps(index).encode()
    with TARGET.open("wb") as archive:
        archive.write(len(encoded_index).to_bytes(4, "big"))
        archive.write(encoded_index)
        for content in contents:
            archive.write(content)


write_archive()
