"""The architecture as a test: imports only go down, modules stay small."""

import subprocess
import sys
from pathlib import Path

LONGEST_MODULE = 600


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


def test_no_module_has_more_than_600_lines(checkout: Path) -> None:
    lengths = {
        str(path.relative_to(checkout)): len(path.read_text(encoding="utf-8").splitlines())
        for path in (checkout / "scorepad").rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}
