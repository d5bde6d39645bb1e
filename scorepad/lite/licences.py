"""The licences of all that the site is made of, as one text that is published with it."""

from __future__ import annotations

import json
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

from scorepad import __version__
from scorepad.assets import fonts_dir, static_dir
from scorepad.lite.pieces import Pieces

_COMPILED = Path(__file__).with_name("licences.toml")
_LICENCE_FILES = ("LICENCE", "LICENSE", "COPYING", "NOTICE", "AUTHORS")
"""Beginnings of the names of files with a licence."""
_LINE = "=" * 78
_INTRODUCTION = """\
The licences of this site

The site is scorepad, with Python and libraries compiled for browsers. Each part stands below with
its licence, and with the place of its source code.
"""
_PYODIDE = """\
Pyodide is under the Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/. Its source code
is at {source}, with the tag {version}. Here its list of packages is empty, and
Python's standard library, which it includes, is compiled and without what no page needs.
"""


def describe_licences(pieces: Pieces) -> str:
    """Return the text of all licences."""
    sections = [_INTRODUCTION, _describe_scorepad(), _describe_pyodide(pieces.pyodide)]
    sections.append(_describe_what_is_compiled())
    sections.append(_describe_highs(pieces.highs))
    for wheel in pieces.wheels:
        sections.append(_describe_wheel(wheel))
    idiomorph = (static_dir() / "vendor" / "idiomorph-LICENSE.txt").read_text(encoding="utf-8")
    sections.append(_section("idiomorph", idiomorph))
    font = (fonts_dir() / "OFL.txt").read_text(encoding="utf-8")
    sections.append(_section("Open Sans", font))
    return "\n\n".join(section.strip() for section in sections) + "\n"


def _section(heading: str, text: str) -> str:
    return f"{_LINE}\n{heading}\n{_LINE}\n\n{text.strip()}"


def _describe_scorepad() -> str:
    licence = distribution("scorepad").read_text("licenses/LICENSE")
    return _section(f"scorepad {__version__}", licence or "MIT")


def _describe_pyodide(package: Path) -> str:
    version, source = _read_npm_package(package)
    return _section(f"Pyodide {version}", _PYODIDE.format(source=source, version=version))


def _describe_what_is_compiled() -> str:
    """List what is compiled into Pyodide and the solver, a paragraph each."""
    paragraphs = []
    for part in tomllib.loads(_COMPILED.read_text(encoding="utf-8"))["compiled"]:
        lines = [f"{part['name']}: {part['licence']}", part["copyright"], part["source"]]
        paragraphs.append("\n".join(line for line in lines if line))
    return _section("Compiled into Pyodide and the solver", "\n\n".join(paragraphs))


def _describe_highs(package: Path) -> str:
    version, source = _read_npm_package(package)
    licence = (package / "LICENSE").read_text(encoding="utf-8")
    return _section(f"HiGHS {version}", f"{source}\n\n{licence}")


def _read_npm_package(package: Path) -> tuple[str, str]:
    """Read the version of an npm package, and the address of its source code."""
    description = json.loads((package / "package.json").read_text(encoding="utf-8"))
    source = description["repository"]["url"].removeprefix("git+").removesuffix(".git")
    return description["version"], source


def _describe_wheel(wheel: Path) -> str:
    """Describe a library of Python by its metadata, with the texts of its licence."""
    texts = []
    metadata = Message()
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = PurePosixPath(name)
            if not path.parts[0].endswith(".dist-info"):
                continue
            if path.name == "METADATA":
                metadata = message_from_bytes(archive.read(name))
            elif path.name.upper().startswith(_LICENCE_FILES):
                texts.append(archive.read(name).decode())
    heading = f"{metadata['Name']} {metadata['Version']}"
    return _section(heading, "\n\n".join([*_list_addresses(metadata), *texts]))


def _list_addresses(metadata: Message) -> list[str]:
    """List the addresses that a library gives for itself, such as that of its source code."""
    addresses = [str(value) for value in metadata.get_all("Project-URL", [])]
    home_page = metadata.get("Home-page")
    if home_page:
        addresses.append(f"Homepage, {home_page}")
    return ["\n".join(addresses)] if addresses else []
