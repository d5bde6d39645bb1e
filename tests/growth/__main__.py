"""`python -m tests.growth [--matches 1000000] [--folder FOLDER]`: how the pad bears very many
matches.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.growth.making import make
from tests.growth.measuring import figures, lasting


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.growth")
    asked.add_argument("--matches", type=int, default=100_000)
    asked.add_argument("--folder", type=Path, help="where the file is made, and stays")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = given.folder or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        file, started = folder / f"{given.matches}.db", time.perf_counter()
        if not file.exists():
            make(file, given.matches, lambda done: print(f"\r{done:,}", end="", file=sys.stderr))
            print(f"\rmade in {lasting(time.perf_counter() - started)}", file=sys.stderr)
        print(f"{given.matches:,} matches")
        for name, figure in figures(file, given.matches):
            print(f"  {name}: {figure}", flush=True)


main()
