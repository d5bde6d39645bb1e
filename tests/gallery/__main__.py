"""Whether a change of the code changes a page's look: `write` before, `compare` after."""

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gallery.comparing import Difference, compare_pictures
from tests.gallery.pictures import HEIGHTS, LANGUAGES, THEMES, Look, looks, take_pictures


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    commands = asked.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write", help="take the pictures of all pages into FOLDER")
    compare = commands.add_parser(
        "compare", help="compare the pictures in FOLDER with the pages now"
    )
    for command in (write, compare):
        command.add_argument("folder", type=Path, metavar="FOLDER")
        command.add_argument(
            "--only", default="*", metavar="PATTERN", help="pages by their names in the gallery"
        )
        command.add_argument("--language", action="append", default=[], choices=LANGUAGES)
        command.add_argument("--theme", action="append", default=[], choices=THEMES)
        command.add_argument("--width", action="append", default=[], type=int, choices=HEIGHTS)
    given = asked.parse_args()
    chosen = looks(given.language, given.theme, given.width)

    if given.command == "write":
        pictures = list(take_pictures(given.folder, chosen, given.only))
        print(f"{len(pictures)} pictures in {given.folder}")
        return 0

    into = given.folder / "differing"
    shutil.rmtree(into, ignore_errors=True)
    return compare_folder(given.folder, into, chosen, given.only)


def compare_folder(folder: Path, into: Path, chosen: list[Look], only: str) -> int:
    """Tell how the pages now differ from the pictures in a folder; returns the exit status."""
    count = differing = 0
    with TemporaryDirectory() as passing:
        for picture in take_pictures(Path(passing), chosen, only):
            count += 1
            name = str(picture.relative_to(passing))
            found = _difference(folder / name, picture, name, into)
            if found:
                differing += 1
                print(found, flush=True)
    print(f"{differing} of {count} pages differ.")
    if differing:
        print(f"Old, new and difference side by side: {into}")
    return 1 if differing else 0


def _difference(old: Path, new: Path, name: str, into: Path) -> Difference | str | None:
    if not old.exists():
        return f"{name}: there was no such picture"
    return compare_pictures(old, new, name, into)


if __name__ == "__main__":
    sys.exit(main())
