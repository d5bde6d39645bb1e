"""The pieces of the site of `scorepad lite`, fetched once for all tests."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256, sha512
from pathlib import Path

import pytest

from scorepad.lite import pieces as pieces_module
from scorepad.lite.pieces import PieceError, Pieces, collect, download
from tests.lite.inside import write_modules
from tests.lite.made_once import make_once, shared_folder
from tests.lite.packing import pack_npm_package, pack_wheel

UNAVAILABLE = ("no-pip", "pip-failed", "npm-failed", "no-node")
"""The problems of a machine without network, or without the programs that fetch the pieces."""


@pytest.fixture(scope="session")
def pieces_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all pieces, as `scorepad lite --download` fetches them."""
    folder = shared_folder(tmp_path_factory) / "pieces"
    return make_once(folder, _download_or_skip)


def _download_or_skip(folder: Path) -> None:
    try:
        download(folder)
    except PieceError as error:
        if error.problem not in UNAVAILABLE:
            raise
        pytest.skip(f"{error.problem}: {error.output.strip()}")


@pytest.fixture(scope="session")
def pieces(pieces_folder: Path) -> Iterator[Pieces]:
    """All pieces, unpacked."""
    with collect(pieces_folder) as collected:
        yield collected


@pytest.fixture(scope="session")
def modules(pieces: Pieces, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the modules that tests inside Pyodide import."""
    folder = tmp_path_factory.mktemp("modules")
    write_modules(pieces, folder)
    return folder


@pytest.fixture
def small_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small pieces, which are pinned instead of the real ones."""
    folder = tmp_path / "pieces"
    folder.mkdir()
    pins = []
    for name in ("pyodide", "highs"):
        content = pack_npm_package(folder, name, {"package.json": name})
        digest = b64encode(sha512(content).digest()).decode()
        pins.append(f'[{name}]\nversion = "1.0"\nintegrity = "sha512-{digest}"\n')
    npm_packages = tmp_path / "pieces.toml"
    npm_packages.write_text("".join(pins), "utf-8")
    monkeypatch.setattr(pieces_module, "NPM_PACKAGES", npm_packages)

    content = pack_wheel(folder / "a_library-2.0-py3-none-any.whl", {"a_library.py": "name = 1"})
    wheels = tmp_path / "requirements.txt"
    digest = sha256(content).hexdigest()
    wheels.write_text(f"a-library==2.0 \\\n    --hash=sha256:{digest}\n", "utf-8")
    monkeypatch.setattr(pieces_module, "WHEELS", wheels)
    return folder
