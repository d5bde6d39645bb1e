"""The architecture as a test: imports only go down, and inside a folder they make no circle."""

import subprocess
import sys
from pathlib import Path

import grimp
import pytest

IMPORTS = grimp.build_graph("scorepad", cache_dir=None)
"""Every import, also for types only or inside functions."""
FOLDERS = sorted(module for module in IMPORTS.modules if IMPORTS.find_children(module))


def test_imports_keep_every_contract(checkout: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 broken." in done.stdout


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_modules_of_a_folder_import_each_other_in_no_circle(folder: str) -> None:
    assert IMPORTS.nominate_cycle_breakers(folder) == set()
    if IMPORTS.find_modules_directly_imported_by(folder):  # by its `__init__`
        importers = IMPORTS.find_modules_that_directly_import(folder)
        assert not importers & IMPORTS.find_descendants(folder)
