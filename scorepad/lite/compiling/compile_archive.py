"""Compiles the Python files of the archive; runs inside Pyodide, so that the bytecode is its own.

The folder `/source` becomes the file `/target/archive`: an index in JSON, after four bytes with its
length, and then the contents one after the other. A module is stored as bytecode only.
"""

from __future__ import annotations

import json
from pathlib import Path

from scorepad.lite.inside.bytecode import compile_module

SOURCE = Path("/source")
TARGET = Path("/target/archive")
WHERE = "/app"
"""The folder that has the files in the browser."""


def by_name(path: Path) -> tuple[str, Path]:
    """Sort key: files of the same name follow each other, since they are alike.

    A template in one language repeats much of the same in the other, which gzip finds only nearby.
    """
    return path.name, path


def write_archive() -> None:
    """Write the archive."""
    index = []
    contents = []
    for path in sorted(SOURCE.rglob("*"), key=by_name):
        if not path.is_file():
            continue
        name = path.relative_to(SOURCE).as_posix()
        if name.endswith(".py"):
            content = compile_module(path.read_bytes(), f"{WHERE}/{name}")
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
