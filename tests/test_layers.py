"""The architecture as a test: imports only go down, and inside a folder they make no circle."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "scorepad"
LEFT_OUT = ()
"""Folders that still have circles."""


def folders() -> list[str]:
    """The folders with modules, as paths inside the package."""
    initials = sorted(PACKAGE.rglob("__init__.py"))
    names = [initial.parent.relative_to(PACKAGE).as_posix() for initial in initials]
    return [name for name in names if name not in LEFT_OUT]


def imported_names(file: Path) -> Iterator[str]:
    """What a module imports, also for types only or inside functions: `scorepad.web.base.t`."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in {file}"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def imports_between(folder: Path) -> dict[str, set[str]]:
    """Each module of a folder, with those beside it that it imports.

    A folder in it is one module. A name of the folder itself is imported from its `__init__`.
    """
    files: dict[str, list[Path]] = {}
    for entry in sorted(folder.iterdir()):
        if entry.suffix == ".py":
            files[entry.stem] = [entry]
        elif (entry / "__init__.py").exists():
            files[entry.name] = sorted(entry.rglob("*.py"))

    package = ".".join(folder.relative_to(PACKAGE.parent).parts)
    graph: dict[str, set[str]] = {module: set() for module in files}
    for module, its_files in files.items():
        for file in its_files:
            for name in imported_names(file):
                if not name.startswith(f"{package}."):
                    continue
                first = name.removeprefix(f"{package}.").partition(".")[0]
                imported = first if first in files else "__init__"
                if imported != module:
                    graph[module].add(imported)
    return graph


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Every circle, its modules in the order in which each is imported by the next.

    To find the next circle, one import of this one is removed.
    """
    found: list[str] = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1]
            found.append(" <- ".join(circle))
            graph[circle[1]].remove(circle[0])
        else:
            return found


def test_imports_keep_every_contract(checkout: Path) -> None:
    told = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert ", 0 broken." in told.stdout


@pytest.mark.parametrize("folder", folders())
def test_the_modules_of_a_folder_import_each_other_in_no_circle(folder: str) -> None:
    assert circles(imports_between(PACKAGE / folder)) == []
