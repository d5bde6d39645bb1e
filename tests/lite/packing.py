"""Small packages in place of the real pieces of the site."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path


def pack_npm_package(folder: Path, name: str, files: dict[str, str]) -> bytes:
    root = folder.parent / name / "package"
    root.mkdir(parents=True)
    for file, text in files.items():
        (root / file).write_text(text, "utf-8")
    packed = folder / f"{name}-1.0.tgz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(root, "package")
    return packed.read_bytes()


def pack_wheel(wheel: Path, files: dict[str, str]) -> bytes:
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel.read_bytes()
