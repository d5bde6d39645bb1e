"""The architecture as a test: imports only go down, and inside a folder they make no circle."""

import subprocess
import sys
from pathlib import Path

import grimp
import pytest

IMPORT_GRAPH = grimp.build_graph("scorepad", cache_dir=None)
"""Every import of the program, also those for types only or inside functions."""
FOLDERS = sorted(module for module in IMPORT_GRAPH.modules if IMPORT_GRAPH.find_children(module))


def test_import_contracts_are_kept(checkout: Path) -> None:
    # The contracts in pyproject.toml say which folder may import which. `lint-imports` checks them.
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
def test_modules_of_a_folder_have_no_circular_imports(folder: str) -> None:
    # These are the imports that would have to go, so that there is no circle.
    imports_in_circles = IMPORT_GRAPH.nominate_cycle_breakers(folder)
    assert imports_in_circles == set()


@pytest.mark.parametrize("folder", FOLDERS)
def test_package_that_imports_is_not_imported_by_its_own_modules(folder: str) -> None:
    # If the `__init__.py` of a folder imports anything, no module in the folder may import it.
    imports_of_init = IMPORT_GRAPH.find_modules_directly_imported_by(folder)
    if imports_of_init:
        importers = IMPORT_GRAPH.find_modules_that_directly_import(folder)
        own_modules = IMPORT_GRAPH.find_descendants(folder)
        assert importers.isdisjoint(own_modules)
