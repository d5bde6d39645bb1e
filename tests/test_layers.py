"""The architecture as a test: imports only go down."""

import subprocess
import sys
from pathlib import Path


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
