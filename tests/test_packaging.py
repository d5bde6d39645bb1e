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
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from pypdf import PdfReader

from tests.attack.served import Browser


def run_module(name: str, *arguments: str | Path) -> None:
    """Run `python -m name`, and fail with what it prints if it fails."""
    command = [sys.executable, "-m", name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this checkout, with the build backend that is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    run_module("build", "--wheel", "--no-isolation", "--outdir", folder, checkout)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a virtual environment far from the checkout, and return its Python.

    It has the other packages of this environment, but not the checkout.
    """
    # The pip of this environment installs the wheel for the Python of the new one.
    environment = tmp_path_factory.mktemp("installed_python") / "venv"
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    run_module("pip", "--python", python, "install", "--no-deps", "--no-index", wheel)

    # Instead of installing Flask and the rest again, the new Python looks for packages in the folder
    # of this environment too: it reads its path in a `.pth` file. It does not read the `.pth` files
    # in that folder, one of which leads to the checkout.
    folder_of_packages = Path(pytest.__file__).parent.parent
    (site_packages,) = environment.glob("lib/python*/site-packages")
    (site_packages / "others.pth").write_text(f"{folder_of_packages}\n", encoding="utf-8")
    return python


@pytest.fixture
def port(installed_python: Path, tmp_path: Path) -> Iterator[int]:
    """Serve an empty data file with the installed command `scorepad serve`, and return its port."""
    scorepad = installed_python.with_name("scorepad")
    data = tmp_path / "scorepad.db"
    with subprocess.Popen(
        [scorepad, "serve", "--port", "0", "--data", data],
        cwd=tmp_path,
        env=environment_without_python_paths(),
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            first_line = server.stdout.readline()
            address = re.search(r"http://\S+:(\d+)/", first_line)
            assert address, first_line
            yield int(address[1])
        finally:
            server.terminate()


def environment_without_python_paths() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def list_files(folder: Path) -> set[str]:
    """List every file of a folder, as paths from its parent, without what Python compiled."""
    files = set()
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            files.add(path.relative_to(folder.parent).as_posix())
    return files


def test_wheel_has_every_file_and_no_other(checkout: Path, wheel: Path) -> None:
    # Templates and static files are beside the package in a checkout, but inside it in a wheel.
    expected = list_files(checkout / "scorepad")
    for asset in (*list_files(checkout / "templates"), *list_files(checkout / "static")):
        expected.add(f"scorepad/{asset}")

    with zipfile.ZipFile(wheel) as archive:
        names_in_wheel = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert names_in_wheel == expected


def test_installed_wheel_serves_page_style_sheet_and_pdf(port: int) -> None:
    # The home page is made of a template, and loads one style sheet.
    browser = Browser(port)
    home = browser.get("/").text
    assert "<h1" in home
    (stylesheet,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', home)
    style = browser.get(stylesheet)
    assert style.status == HTTPStatus.OK
    assert style.header("Content-Type") == "text/css; charset=utf-8"

    # A button of the home page begins a practice match. Its sheet is a PDF of one page.
    practice_match = browser.submit("/prova", browser.hidden_fields("/"))
    sheet = browser.get(f"{practice_match.header('Location')}/foglio.pdf")
    assert sheet.header("Content-Type") == "application/pdf"
    (page,) = PdfReader(io.BytesIO(sheet.body)).pages
    assert "Canasta classica" in page.extract_text()


def read_lock(path: Path) -> dict[str, str]:
    """Return the version of each package of a lock, in which each is followed by its hashes:

        flask==3.1.0 \\
            --hash=sha256:…
    """
    package = re.compile(r"^([a-z0-9-]+)==(\S+)")
    hash_of_package = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?$")
    versions = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, next_line in pairwise(lines):
        found = package.match(line)
        if found:
            assert hash_of_package.match(next_line), line
            name, version = found.groups()
            versions[name] = version
    return versions


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_lock_names_no_package_index_and_no_path(checkout: Path, name: str) -> None:
    # Each user has a package index of their own in the settings of pip.
    lock = (checkout / name).read_text(encoding="utf-8")
    assert not re.search(r"https?:|--(extra-)?index-url|--find-links", lock)
    assert not re.search(r"file:|/(home|root|tmp|work)/", lock)


def test_locks_pin_every_dependency(checkout: Path) -> None:
    pyproject = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    needed_to_build = pyproject["build-system"]["requires"]
    needed_to_run = pyproject["project"]["dependencies"]
    needed_to_test = pyproject["project"]["optional-dependencies"]["test"]

    versions = read_lock(checkout / "requirements.txt")
    versions_for_tests = read_lock(checkout / "requirements-test.txt")

    assert_pinned([*needed_to_build, *needed_to_run], versions)
    assert_pinned(needed_to_test, versions_for_tests)

    # No package has two versions, because none is in both locks.
    assert versions.keys() & versions_for_tests.keys() == set()

    # What is needed to build stands in pyproject.toml twice: for builds, and for making the lock.
    assert pyproject["dependency-groups"]["build"] == needed_to_build


def assert_pinned(requirements: list[str], versions: dict[str, str]) -> None:
    """Assert that each requirement takes the version that is pinned for it."""
    for requirement in map(Requirement, requirements):
        assert requirement.specifier.contains(versions[requirement.name]), requirement


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_lock_has_the_command_that_makes_it(checkout: Path, name: str) -> None:
    # It begins with the command as a comment.
    second_line = (checkout / name).read_text(encoding="utf-8").splitlines()[1]
    assert second_line.startswith(
        "#    uv pip compile --universal --python-version 3.11 --generate-hashes "
    )
    assert second_line.endswith(f" -o {name}")


def test_wheel_has_licence_and_description(wheel: Path) -> None:
    # A wheel is called such as scorepad-1.0-py3-none-any.whl.
    name, version, *_ = wheel.name.split("-")
    folder = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"{folder}/METADATA").decode()
        licence = archive.read(f"{folder}/licenses/LICENSE").decode()

    assert "License-Expression: MIT\n" in metadata
    assert "Summary: A score pad and rules referee for canasta" in metadata
    assert licence.startswith("MIT License\n\nCopyright (c) 2026 the scorepad authors\n")


@pytest.mark.long
def test_wheel_works_with_newest_dependencies(checkout: Path) -> None:
    # The script installs the wheel with the newest versions of its dependencies, and runs it.
    command = [sys.executable, checkout / ".ci" / "newest"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    # It ends with 3 where no package index answers, as without a network.
    if done.returncode == 3:
        pytest.skip("no package index answers")
    assert done.returncode == 0, done.stderr
