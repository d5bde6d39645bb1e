"""The pieces of the site of `scorepad lite`, fetched once for all tests."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.lite.pieces import PieceError, Pieces, collect, download

UNAVAILABLE = ("no-pip", "pip-failed", "npm-failed", "no-node")
"""The problems of a machine without network, or without the programs that fetch the pieces."""


@pytest.fixture(scope="session")
def pieces_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all pieces, as `scorepad lite --download` fetches them."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # that of all workers of this run
    folder = shared / "pieces"
    complete = shared / "pieces-complete"
    with (shared / "pieces-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            _download_or_skip(folder)
            complete.touch()
    return folder


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
