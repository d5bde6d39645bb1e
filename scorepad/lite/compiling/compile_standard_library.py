"""Compiles Python's standard library; runs inside Pyodide, so that the bytecode is its own.

Pyodide has it as sources, and would compile at every start what it imports of them. The file
`/target/python_stdlib.zip` has as bytecode what Pyodide itself imports. The other modules go to
`/source`, and from there into the archive of the site, which is faster to import from. Both are
without docstrings, and lack what no page imports.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

IMPORTED_AT_START = frozenset(sys.modules)
"""The modules that Pyodide has imported before this script."""

from scorepad.lite.inside.bytecode import compile_module  # noqa: E402

SOURCE = Path(os.__file__).parent
"""The archive of the standard library, as Pyodide has put it into its own file system."""
TARGET = Path("/target/python_stdlib.zip")
MODULES = Path("/source")
"""The folder of the files that become the archive of the site."""
DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all files in the archive: it is the same whenever it is built."""
LEFT_OUT = {
    # Tools for programmers.
    "_pyrepl", "argparse", "bdb", "cProfile", "compileall", "configparser", "doctest", "fileinput",
    "logging/config", "logging/handlers", "modulefinder", "optparse", "pdb", "pickletools",
    "profile", "pstats", "py_compile", "pyclbr", "pydoc", "pyodide/console", "rlcompleter",
    "symtable", "tabnanny", "timeit", "trace", "tracemalloc", "unittest", "venv", "zipapp",
    # The same as what is compiled into the interpreter.
    "_pydatetime", "_pydecimal", "_pyio",
    # Mail, other protocols, other processes.
    "concurrent/futures/process", "email/generator", "email/mime", "ftplib", "http/cookiejar",
    "imaplib", "mailbox", "multiprocessing", "netrc", "poplib", "smtplib", "urllib/robotparser",
    "webbrowser", "wsgiref", "xmlrpc",
    # Formats of files.
    "plistlib", "shelve", "tarfile", "wave", "xml/dom", "xml/etree", "xml/parsers",
    "xml/sax/expatreader",
    # Other systems, and how this one was built.
    "_sysconfigdata__emscripten_wasm32-emscripten", "asyncio/proactor_events",
    "asyncio/windows_events", "asyncio/windows_utils", "ctypes/_aix", "ctypes/macholib",
    "ctypes/wintypes", "nturl2path", "sysconfig/__main__",
}  # fmt: skip
"""Modules and packages that no page imports."""
ENCODINGS = {
    "__init__", "aliases", "ascii", "cp1252", "cp437", "idna", "latin_1", "punycode",
    "raw_unicode_escape", "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_8",
    "utf_8_sig",
}  # fmt: skip
"""The modules of the package `encodings` that are needed; others are for older texts."""


def is_needed(name: str) -> bool:
    """Tell whether a module is needed, by the name of its file: `email/header.py`."""
    path = PurePosixPath(name).with_suffix("")
    if path.parts[0] == "encodings":
        return path.name in ENCODINGS
    return not any(str(part) in LEFT_OUT for part in (path, *path.parents))


def is_imported(name: str) -> bool:
    """Tell whether Pyodide imports a module when it starts."""
    module = name.removesuffix(".py").removesuffix("/__init__")
    return module.replace("/", ".") in IMPORTED_AT_START


def split_standard_library() -> None:
    """Write the modules that Pyodide has imported by now to its archive, the others as files."""
    with ZipFile(SOURCE) as library, ZipFile(TARGET, "w", ZIP_DEFLATED) as target:
        for name in library.namelist():
            if not name.endswith(".py") or not is_needed(name):
                continue
            content = compile_module(library.read(name), f"{SOURCE}/{name}")
            if is_imported(name):
                info = ZipInfo(f"{name}c", DATE)  # `email/header.pyc`
                target.writestr(info, content, ZIP_DEFLATED, compresslevel=9)
            else:
                path = MODULES / f"{name}c"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


split_standard_library()
