"""Answers of the command line itself: help, usage, the data file."""

import re
from typing import Any

from tests.answers.program import LANGUAGES, WRONG, Answers, Program

COMMANDS = (
    "serve", "score", "rule", "variants", "matches", "sheet", "pad", "export", "import", "link", "backup", "doctor",
    "unit", "lite",
)  # fmt: skip
MACHINE = re.compile(r"\d+(?:[.,]\d+)*")


def commands(program: Program) -> Answers:
    """Help, wrong usage, wrong standard input, and the commands on a file with matches."""
    for language in LANGUAGES:
        yield f"command/{language}/--help", program.run("--help", language=language)
        for name in COMMANDS:
            yield (
                f"command/{language}/{name} --help",
                program.run(name, "--help", language=language),
            )
        for line in WRONG["commands"]:
            yield f"command/{language}/{line}", program.run(*line.split(), language=language)
        for given in ("", "{", "[]", "{}", '{"variant": "scopa"}', '{"kind": "cheating"}'):
            for name in ("score", "rule"):
                told = program.run(name, language=language, given=given.encode())
                yield f"command/{language}/{name} {given}", told
        yield from _on_matches(program, language)


def _on_matches(program: Program, language: str) -> Answers:
    names = {"names": ["Noi", "Loro"], "place": "Rimini"}
    begun = program.ask("POST", "/matches", json=names)["body"]
    program.masks.name(begun["match"]["id"], f"match for {language}")
    start = f"command/{language}/"
    matches = program.run_on_data("matches", language=language)
    matches["out"] = [line for line in matches["out"] if begun["match"]["id"] in line]
    yield f"{start}matches", matches
    yield (
        f"{start}export a match that is not there",
        program.run_on_data("export", "xxxxxxxxxx", language=language),
    )
    exported, copy = program.folder / "match.json", program.folder / f"copy-{language}.db"
    yield (
        f"{start}export",
        program.run_on_data("export", begun["match"]["id"], "-o", exported, language=language),
    )
    for time in ("import", "import again"):
        yield f"{start}{time}", program.run("import", exported, "--data", copy, language=language)
    yield f"{start}matches of the copy", program.run("matches", "--data", copy, language=language)
    for name in ("backup", "doctor"):
        yield (
            f"{start}{name}",
            _without_figures(program, program.run(name, "--data", copy, language=language)),
        )


def _without_figures(program: Program, told: dict[str, Any]) -> dict[str, Any]:
    """What a command says of this machine, without its versions, sizes, free space and time."""
    lines = program.masks.mask(told["out"])
    told["out"] = [MACHINE.sub("<figure>", line) for line in lines]
    return told
