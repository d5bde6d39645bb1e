"""Whether a change of the code changes an answer: `write FILE` before, `compare FILE` after."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.answers.differences import report
from tests.answers.program import matches_any
from tests.answers.writing import all_answers, banners_to_errors, read_answers, write_answers


def main(arguments: Sequence[str] | None = None) -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.answers", description=__doc__)
    commands = asked.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write", help="keep all answers of the program in FILE")
    compare = commands.add_parser(
        "compare", help="compare the answers kept in FILE with those of the program now"
    )
    for command in (write, compare):
        command.add_argument("file", type=Path, metavar="FILE")
        command.add_argument("--only", action="append", default=[], metavar="PATTERN")
    compare.add_argument(
        "other", type=Path, nargs="?", metavar="OTHER", help="with these kept answers instead"
    )
    compare.add_argument(
        "--all", action="store_true", help="show every change, however many are at one place"
    )
    given = asked.parse_args(arguments)

    if given.command == "write":
        answers = _answers_now(given.only)
        write_answers(given.file, answers)
        print(f"{len(answers)} answers in {given.file}")
        return 0

    old = _wanted(read_answers(given.file), given.only)
    new = (
        _wanted(read_answers(given.other), given.only) if given.other else _answers_now(given.only)
    )
    text, differing = report(old, new, show_all=given.all)
    print(text)
    return 1 if differing else 0


def _answers_now(only: list[str]) -> dict[str, object]:
    with banners_to_errors():
        return all_answers(only)


def _wanted(answers: dict[str, object], only: list[str]) -> dict[str, object]:
    return {name: answer for name, answer in answers.items() if matches_any(name, only)}


if __name__ == "__main__":
    sys.exit(main())
