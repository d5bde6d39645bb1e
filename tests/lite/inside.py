"""Tests that run inside Pyodide, the Python of browsers, in Node.js."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from scorepad.lite import pieces
from scorepad.lite.pieces import Pieces, unpack_wheels
from tests.lite.pinned_wheels import CHECKOUT, LOCK, read_lock

PACKAGES = ("hypothesis", "iniconfig", "packaging", "pygments", "pytest", "sortedcontainers")
"""What the tests need beside the packages of the site; hypothesis has a wheel for browsers."""
SCRIPT = Path(__file__).with_suffix(".mjs")
HIGHSPY = CHECKOUT / "scorepad" / "lite" / "inside" / "highspy.py"


def write_modules(site: Pieces, folder: Path) -> None:
    """Write all modules that the tests import into one folder, but for scorepad itself."""
    unpack_wheels(site.wheels, folder)
    with TemporaryDirectory() as wheels:
        unpack_wheels(_download_packages(Path(wheels)), folder)
    shutil.copy(HIGHSPY, folder)


def _download_packages(folder: Path) -> list[Path]:
    """Fetch the wheels of `PACKAGES`, as the locks of the checkout pin them."""
    lock = read_lock(LOCK) | read_lock(CHECKOUT / "requirements-test.txt")
    requirements = folder / "requirements.txt"
    requirements.write_text("\n".join(lock[name] for name in PACKAGES), "utf-8")
    pieces._download_wheels(folder, requirements, pieces._BROWSER)
    return list(folder.glob("*.whl"))


def run_tests_inside(site: Pieces, modules: Path, *arguments: str) -> str:
    """Run pytest with these arguments inside Pyodide, and return what it prints, which ends with
    the numbers of tests.
    """
    # Without the cache, nothing is written into the checkout.
    options = ["-q", "-p", "no:cacheprovider", "--tb=short"]
    told = subprocess.run(
        [site.node, SCRIPT, site.pyodide, site.highs, modules, CHECKOUT, *options, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout
