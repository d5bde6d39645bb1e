"""The wheel holds all that the program needs and nothing else, and works where no checkout is."""

import io
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from pypdf import PdfReader

from tests.attack.served import Browser

ASSETS = ("templates", "static")


def run_module(name: str, *arguments: str | Path) -> None:
    command = [sys.executable, "-m", name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout with the build backend of the lock."""
    folder = tmp_path_factory.mktemp("wheel")
    run_module("build", "--wheel", "--no-isolation", "--outdir", folder, checkout)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python far from the checkout that has the wheel, and from this one only the other packages."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    run_module("pip", "--python", python, "install", "--no-deps", "--no-index", wheel)
    # A path file inside a folder that another path file names is not read: the checkout stays out.
    packages = Path(pytest.__file__).parent.parent
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "others.pth").write_text(f"{packages}\n", encoding="utf-8")
    return python


@pytest.fixture
def port(installed: Path, tmp_path: Path) -> Iterator[int]:
    """The port of the pad that the installed command serves, with an empty data file."""
    command = [
        installed.with_name("scorepad"),
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path / "scorepad.db"),
    ]
    with subprocess.Popen(
        command, cwd=tmp_path, env=own_environment(), stdout=subprocess.PIPE, text=True
    ) as served:
        try:
            done = served.stdout.readline()
            found = re.search(r"http://\S+:(\d+)/", done)
            assert found, done
            yield int(found[1])
        finally:
            served.terminate()


def own_environment() -> dict[str, str]:
    """The environment without what leads a Python elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def files_under(folder: Path) -> set[str]:
    """Every file of a folder, as paths from its parent, without what Python compiled."""
    found = {
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    return {path.relative_to(folder.parent).as_posix() for path in found}


def test_the_wheel_holds_every_file_and_no_other(checkout: Path, wheel: Path) -> None:
    expected = files_under(checkout / "scorepad")
    for name in ASSETS:
        expected |= {f"scorepad/{path}" for path in files_under(checkout / name)}
    with zipfile.ZipFile(wheel) as archive:
        names_in_wheel = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names_in_wheel == expected


def test_installed_it_serves_a_page_a_stylesheet_and_a_sheet(port: int) -> None:
    browser = Browser(port)
    home = browser.get("/").text
    assert "<h1" in home
    (stylesheet,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', home)
    style = browser.get(stylesheet)
    assert (style.status, style.header("Content-Type")) == (200, "text/css; charset=utf-8")

    match = browser.submit("/prova", browser.hidden_fields("/"))
    sheet = browser.get(f"{match.header('Location')}/foglio.pdf")
    assert sheet.header("Content-Type") == "application/pdf"
    (page,) = PdfReader(io.BytesIO(sheet.body)).pages
    assert "Canasta classica" in page.extract_text()


def read_lock(path: Path) -> dict[str, str]:
    """The version of each package of a lock, all with hashes, and no address or local path
    anywhere.
    """
    lock = path.read_text(encoding="utf-8")
    assert not re.search(
        r"https?:|--index-url|--extra-index-url|--find-links|file:|/(home|root|tmp|work)/", lock
    )
    entries = re.findall(
        r"^([a-z0-9-]+)==(\S+)[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)*)",
        lock,
        re.MULTILINE,
    )
    assert [name for name, _, hashes in entries if not hashes] == []
    return {name: version for name, version, _ in entries}


def test_the_locks_hold_every_dependency_with_hashes_and_no_address(checkout: Path) -> None:
    pyproject = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    needed_to_build = pyproject["build-system"]["requires"]
    needed_to_run = pyproject["project"]["dependencies"]
    needed_to_test = pyproject["project"]["optional-dependencies"]["test"]

    versions = read_lock(checkout / "requirements.txt")
    versions_for_tests = read_lock(checkout / "requirements-test.txt")

    assert_pinned([*needed_to_build, *needed_to_run], versions)
    assert_pinned(needed_to_test, versions_for_tests)
    assert versions.keys() & versions_for_tests.keys() == set()
    assert pyproject["dependency-groups"]["build"] == needed_to_build


def assert_pinned(requirements: list[str], versions: dict[str, str]) -> None:
    """Each requirement has a version that it takes."""
    for requirement in map(Requirement, requirements):
        assert requirement.specifier.contains(versions[requirement.name]), requirement


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_a_lock_says_how_to_make_it_anew(checkout: Path, name: str) -> None:
    second_line = (checkout / name).read_text(encoding="utf-8").splitlines()[1]
    assert second_line.startswith(
        "#    uv pip compile --universal --python-version 3.11 --generate-hashes "
    )
    assert second_line.endswith(f" -o {name}")


def test_the_wheel_carries_its_licence_and_description(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata_file,) = (
            name for name in archive.namelist() if name.endswith(".dist-info/METADATA")
        )
        metadata = archive.read(metadata_file).decode()
        licence = archive.read(metadata_file.replace("METADATA", "licenses/LICENSE")).decode()
    assert "License-Expression: MIT\n" in metadata
    assert "Summary: A score pad and rules referee for canasta" in metadata
    assert licence.startswith("MIT License\n\nCopyright (c) 2026 the scorepad authors\n")


@pytest.mark.long
def test_the_wheel_works_with_the_newest_of_everything(checkout: Path) -> None:
    command = [sys.executable, checkout / ".ci" / "newest"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode == 3:
        pytest.skip("no package index answers")
    assert tried.returncode == 0, tried.stderr
