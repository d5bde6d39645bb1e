"""Imports modules straight from the archive of the site: none of them becomes a file first.

It is the first module that the worker imports, and stands by itself: beside `scorepad`, not in it.
"""

from __future__ import annotations

import gc
import json
import sys
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from pathlib import Path
from typing import NamedTuple, Protocol

_LENGTH_BYTES = 4
"""The archive begins with so many bytes, which tell the length of its index."""
_PACKAGE = "/__init__.pyc"
_OBJECTS_UNTIL_COLLECTION = 50_000
"""Python looks for garbage after so many new objects, by default after 2,000. Hardly anything that is
imported becomes garbage, and looking through all of it again and again takes a tenth of the start.
"""


class Bytes(Protocol):
    """An `Uint8Array` of JavaScript."""

    def subarray(self, begin: int, end: int) -> Bytes: ...

    def to_bytes(self) -> bytes: ...


class _Module(NamedTuple):
    """A module in the archive: the path that it would have as a file, and where its content is."""

    path: str
    begin: int
    end: int


class ArchiveLoader(SourcelessFileLoader):
    """Loads a module whose bytecode is in the archive."""

    def __init__(self, name: str, module: _Module, archive: Bytes) -> None:
        super().__init__(name, module.path)
        self._module = module
        self._archive = archive

    def get_data(self, path: str) -> bytes:
        """Return the content of the module, or of a file."""
        if path == self.path:
            return self._archive.subarray(self._module.begin, self._module.end).to_bytes()
        return super().get_data(path)


class ArchiveFinder:
    """Finds modules in an archive.

    The archive has the length of its index, the index in JSON, a list of names and sizes such as
    `[["flask/app.pyc", 41322], …]`, and the contents one after the other. `folder` is the folder in
    which the modules would be as files, and in which the other files of the archive are.
    """

    def __init__(self, archive: Bytes, folder: str) -> None:
        self._archive = archive
        self._modules: dict[str, _Module] = {}
        begin = _LENGTH_BYTES + int.from_bytes(archive.subarray(0, _LENGTH_BYTES).to_bytes())
        for path, size in json.loads(archive.subarray(_LENGTH_BYTES, begin).to_bytes()):
            name = path.removesuffix(_PACKAGE).removesuffix(".pyc").replace("/", ".")
            self._modules[name] = _Module(f"{folder}/{path}", begin, begin + size)
            begin += size

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a module; None if the archive does not have it."""
        module = self._modules.get(name)
        if module is None:
            return None
        spec = ModuleSpec(name, ArchiveLoader(name, module, self._archive), origin=module.path)
        spec.has_location = True
        if module.path.endswith(_PACKAGE):
            spec.submodule_search_locations = [module.path.removesuffix(_PACKAGE)]
        return spec


def install(archive: Bytes, folder: str) -> None:
    """Import modules from an archive from now on; other modules are found as before.

    `folder` has the files of the archive that are no modules.
    """
    sys.meta_path.insert(0, ArchiveFinder(archive, folder))
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION)
    # From the archive, and before any module that makes classes.
    from scorepad.lite.inside.generated_code import use_generated_code

    use_generated_code(Path(folder))
