"""The licences that are published with the site."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from scorepad.lite.licences import describe_licences
from scorepad.lite.pieces import WHEELS, Pieces
from tests.lite.pinned_wheels import read_names


def write_npm_package(folder: Path, name: str) -> Path:
    """Write an unpacked package of npm, with description and licence, and return its folder."""
    package = folder / name
    package.mkdir()
    repository = {"url": f"git+https://example.org/{name}.git"}
    description = json.dumps({"version": "7.1", "repository": repository})
    (package / "package.json").write_text(description, "utf-8")
    (package / "LICENSE").write_text(f"The licence of {name}", "utf-8")
    return package


@pytest.fixture
def small_site(tmp_path: Path) -> Pieces:
    """Return the pieces of a site: two small packages of npm, and the wheel of one library."""
    wheel = tmp_path / "a_library-2.0-py3-none-any.whl"
    metadata = (
        "Metadata-Version: 2.4\nName: a-library\nVersion: 2.0\n"
        "Project-URL: Source, https://example.org/a\n"
    )
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a_library/LICENSE.py", "no licence")  # a module that is called so
        archive.writestr("a_library-2.0.dist-info/METADATA", metadata)
        archive.writestr("a_library-2.0.dist-info/licenses/LICENSE.txt", "Use it as you like.")
    return Pieces(
        node=Path("node"),
        pyodide=write_npm_package(tmp_path, "pyodide"),
        highs=write_npm_package(tmp_path, "highs"),
        wheels=(wheel,),
    )


def test_each_piece_is_listed_with_its_licence_and_its_source(small_site: Pieces) -> None:
    text = describe_licences(small_site)

    # The library, with its address and the licence in its wheel.
    assert "a-library 2.0\n" in text
    assert "Source, https://example.org/a\n\nUse it as you like." in text
    assert "no licence" not in text

    # Pyodide, with the addresses of its source and of the Mozilla Public License.
    assert "at https://example.org/pyodide, with the tag 7.1" in text
    assert "https://www.mozilla.org/MPL/2.0/" in text

    # HiGHS, the solver, with the licence in its package.
    assert "HiGHS 7.1\n" in text
    assert "The licence of highs" in text


def test_scorepad_and_what_it_includes_are_listed_too(small_site: Pieces) -> None:
    text = describe_licences(small_site)

    # Scorepad itself, its fonts, and a script that its pages load.
    assert "the scorepad authors" in text
    assert "SIL OPEN FONT LICENSE" in text
    assert "idiomorph" in text


@pytest.mark.long
def test_every_library_of_the_site_has_a_licence(pieces: Pieces) -> None:
    # Each library has a heading between two lines of 78 equals signs, such as "Flask 3.1.3", and a
    # text below it. So the parts between such lines are an introduction, a heading, a text, a
    # heading, a text and so on.
    line = "=" * 78 + "\n"
    _introduction, *parts = describe_licences(pieces).split(line)
    texts = {}
    for heading, text in zip(parts[0::2], parts[1::2], strict=True):
        name = heading.split()[0].lower().replace("_", "-")
        assert name not in texts
        texts[name] = text

    # A text of more than 300 characters has the licence, and not only the lines of the metadata.
    for name in read_names(WHEELS):
        assert len(texts[name]) > 300, name

    # typing-extensions has the licence of Python.
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in texts["typing-extensions"]
