"""Modules are imported from an archive as the browser has it, without a file for each."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from importlib.resources import files
from pathlib import Path

import pytest

from scorepad.lite.inside.archive_importer import ArchiveFinder

# The modules in the archive: a package with a module in it, and one beside it that imports both.
SOURCES = {
    "boat/__init__.py": "name = 'boat'",
    "boat/mast.py": "from boat import name\nheight = 12",
    "harbour.py": "from boat.mast import height",
}


class JavaScriptBytes:
    """Stands for what Pyodide makes of an `Uint8Array` of JavaScript."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def subarray(self, begin: int, end: int) -> JavaScriptBytes:
        return JavaScriptBytes(self._content[begin:end])

    def to_bytes(self) -> bytes:
        return self._content


def compile_module(source: str, name: str) -> bytes:
    code = compile(source, name, "exec")
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source.encode()), False))


def make_archive() -> bytes:
    """Pack the compiled modules of `SOURCES`: the length of the index, the index, the modules."""
    index = []
    contents = b""
    for name, source in SOURCES.items():
        content = compile_module(source, name)
        index.append([f"{name}c", len(content)])
        contents += content
    encoded_index = json.dumps(index).encode()
    return len(encoded_index).to_bytes(4, "big") + encoded_index + contents


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let Python import from the archive, as if its files were in the folder that is returned."""
    finder = ArchiveFinder(JavaScriptBytes(make_archive()), str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    yield tmp_path
    for name in ("boat", "boat.mast", "harbour"):
        sys.modules.pop(name, None)


def test_modules_and_packages_are_imported(folder: Path) -> None:
    # The module "harbour" imports "boat.mast", which imports the package "boat".
    harbour = import_module("harbour")

    assert harbour.height == 12
    assert sys.modules["boat"].name == "boat"


def test_a_module_has_the_path_that_its_file_would_have(folder: Path) -> None:
    mast = import_module("boat.mast")
    assert mast.__file__ == str(folder / "boat" / "mast.pyc")


def test_files_beside_a_module_are_read_from_the_folder(folder: Path) -> None:
    # The fixture `folder` lets Python import the package "boat" from an archive in memory, which has
    # nothing but modules. A text file that belongs to the package lies in a real folder.
    (folder / "boat").mkdir()
    (folder / "boat" / "log.txt").write_text("calm", encoding="utf-8")

    # The package comes from the archive, and its text file from the folder.
    import_module("boat")
    log = files("boat").joinpath("log.txt")
    assert log.read_text(encoding="utf-8") == "calm"


def test_a_module_that_the_archive_lacks_is_not_found(folder: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("boat.anchor")
