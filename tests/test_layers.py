"""The architecture as a test: imports only go down, and inside a folder in no circle."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

WITHOUT_CIRCLES = ("app", "i18n", "matches", "referee", "rules", "schemas", "sheets")
"""The folders of `scorepad` whose modules import each other in no circle."""


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


@pytest.mark.parametrize("folder", WITHOUT_CIRCLES)
def test_the_modules_of_a_folder_import_each_other_in_no_circle(
    checkout: Path, folder: str
) -> None:
    """Imports for types and inside functions are counted."""
    files = modules_of(checkout, folder)
    assert len(files) > 1
    graph = {name: imported_modules(file, files) - {name} for name, file in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_imports_for_types_and_inside_functions_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "scorepad" / "food"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from scorepad.food.egg import Egg\n")
    (folder / "egg.py").write_text(
        "if TYPE_CHECKING:\n    from scorepad.food import hen\n"
        "def pan():\n    import scorepad.food.pan\n"
    )
    (folder / "hen.py").write_text("from scorepad.food import Egg\n")
    (folder / "pan.py").write_text("")
    files = modules_of(tmp_path, "food")
    assert {name: imported_modules(file, files) for name, file in files.items()} == {
        "scorepad.food": {"scorepad.food.egg"},
        "scorepad.food.egg": {"scorepad.food.hen", "scorepad.food.pan"},
        "scorepad.food.hen": {"scorepad.food"},
        "scorepad.food.pan": set(),
    }


def modules_of(checkout: Path, folder: str) -> dict[str, Path]:
    """The files of a folder of `scorepad` and of those in it, by the names of their modules."""
    files = {}
    for file in sorted((checkout / "scorepad" / folder).rglob("*.py")):
        parts = file.relative_to(checkout).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        files[".".join(parts)] = file
    return files


def imported_modules(file: Path, known: dict[str, Path]) -> set[str]:
    """The known modules that a file imports from, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name} has a relative import"
            found.update(imported_from(node, known))
    return found & known.keys()


def imported_from(node: ast.ImportFrom, known: dict[str, Path]) -> Iterator[str]:
    """The modules of one `from … import …`: a name is a module of that package, or stands in it."""
    for alias in node.names:
        module = f"{node.module}.{alias.name}"
        yield module if module in known else str(node.module)
