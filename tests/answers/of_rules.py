"""Answers about rules: worked hands and rulings, variants, files with house rules."""

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.answers.program import LANGUAGES, WRONG, Answers, Program
from tests.data import read_data

TESTS = Path(__file__).parents[1]
HOUSE_RULES = sorted([*TESTS.glob("rules/own/*.toml"), *TESTS.glob("rules/linked/*.toml")])
WRONG_VALUES: tuple[Any, ...] = (None, "molte", -1, 3.5, [], {}, True)


def worked_hands() -> dict[str, dict[str, Any]]:
    """The worked hands by name: `classica/canastas 3`."""
    hands = {}
    for file in sorted(TESTS.glob("cases/*/*.json")):
        for number, case in enumerate(read_data(file), start=1):
            hands[f"{file.parent.name}/{file.stem} {number}"] = case["hand"]
    return hands


def worked_rulings() -> dict[str, dict[str, Any]]:
    """The worked rulings by name: `pile 3`."""
    questions = {}
    for file in sorted(TESTS.glob("rulings/cases/*.json")):
        for number, case in enumerate(read_data(file), start=1):
            questions[f"{file.stem} {number}"] = case["ask"]
    return questions


def variants() -> list[str]:
    """The ids of the variants, in the order of their files."""
    return sorted(folder.name for folder in (TESTS / "cases").iterdir())


# ---------------------------------------------------------------- hands and rulings


def scores(program: Program) -> Answers:
    """Every worked hand, by `scorepad score`."""
    yield from _answered_in_lines(program, "score", worked_hands())


def rulings(program: Program) -> Answers:
    """Every worked ruling, by `scorepad rule`."""
    yield from _answered_in_lines(program, "rule", worked_rulings())


def spoiled_scores(program: Program) -> Answers:
    """The first worked hand of each variant, spoiled in every way."""
    spoiled = {}
    for variant in variants():
        name, hand = next(_named_after(worked_hands(), f"{variant}/"))
        for how, each in spoil(hand):
            spoiled[f"{name}, {how}"] = each
    yield from _answered_in_lines(program, "score", spoiled, "spoiled-score")


def spoiled_rulings(program: Program) -> Answers:
    """The first worked ruling of each kind, spoiled in every way."""
    spoiled = {}
    for kind in sorted({name.partition(" ")[0] for name in worked_rulings()}):
        name, question = next(_named_after(worked_rulings(), f"{kind} "))
        for how, each in spoil(question):
            spoiled[f"{name}, {how}"] = each
    yield from _answered_in_lines(program, "rule", spoiled, "spoiled-rule")


def _answered_in_lines(
    program: Program,
    command: str,
    asked: Mapping[str, Any],
    topic: str = "",
) -> Answers:
    """What a command answers to these, one a line."""
    for language in LANGUAGES:
        names = {f"{topic or command}/{language}/{name}": each for name, each in asked.items()}
        wanted = {name: each for name, each in names.items() if program.is_wanted(name)}
        lines = "".join(f"{json.dumps(each)}\n" for each in wanted.values())
        if not lines:
            continue
        told = program.run(command, "--jsonl", language=language, given=lines.encode())
        for name, line in zip(wanted, told["out"], strict=True):
            yield name, json.loads(line)


def _named_after(answers: Mapping[str, Any], start: str) -> Iterator[tuple[str, Any]]:
    for name, answer in answers.items():
        if name.startswith(start):
            yield name, answer


def spoil(document: Any) -> Iterator[tuple[str, Any]]:
    """A JSON document with one thing wrong, in every way, each with what is wrong."""
    for path in _paths(document):
        name = "/".join(map(str, path))
        yield f"without {name}", _changed(document, path, delete=True)
        for value in WRONG_VALUES:
            yield f"{name} {json.dumps(value)}", _changed(document, path, value)
        if isinstance(_at(document, path), dict):
            yield f"{name}/surname", _changed(document, (*path, "surname"), "Rossi")
    yield "surname", {**document, "surname": "Rossi"}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value inside; of a list only that of its first."""
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(value)
    if isinstance(value, list):
        keys = [0] if value else []
    for key in keys:
        yield (*path, key)
        yield from _paths(value[key], (*path, key))


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def _changed(
    document: Any, path: tuple[Any, ...], value: Any = None, *, delete: bool = False
) -> Any:
    changed = copy.deepcopy(document)
    *above, key = path
    holder = _at(changed, tuple(above))
    if delete:
        del holder[key]
    else:
        holder[key] = value
    return changed


# ---------------------------------------------------------------- HTTP


def over_http(program: Program) -> Answers:
    """Some worked hands and rulings over HTTP, variants, the OpenAPI document, wrong requests."""
    for language in LANGUAGES:
        for name, hand in list(worked_hands().items())[::30]:
            yield (
                f"http/{language}/score/{name}",
                program.ask("POST", "/score", language, json=hand),
            )
        for name, question in list(worked_rulings().items())[::10]:
            yield (
                f"http/{language}/rulings/{name}",
                program.ask("POST", "/rulings", language, json=question),
            )
        for path in ("/variants", "/openapi.json", *(f"/variants/{name}" for name in variants())):
            yield f"http/{language}{path}", program.ask("GET", path, language)
        yield from _wrong_requests(program, language)


def _wrong_requests(program: Program, language: str) -> Answers:
    for name, asked in WRONG["requests"].items():
        more = {
            key: value for key, value in asked.items() if key not in ("method", "path", "times")
        }
        if "data" in more:
            more["data"] = more["data"].encode("latin-1") * asked.get("times", 1)
        answer = program.ask(asked["method"], asked["path"], language, **more)
        yield f"http/{language}/wrong/{name}", answer


# ---------------------------------------------------------------- variants and house rules


def variant_listings(program: Program) -> Answers:
    """`scorepad variants` as JSON, and as text, to be quicker in one language in turn."""
    for number, name in enumerate(variants()):
        language = LANGUAGES[number % len(LANGUAGES)]
        yield f"variants/{language}/text/{name}", program.run("variants", name, language=language)
    for language in LANGUAGES:
        yield f"variants/{language}/text", program.run("variants", language=language)
        yield f"variants/{language}/text/scopa", program.run("variants", "scopa", language=language)
        for name in ("", *variants()):
            asked = [name] if name else []
            told = program.run("variants", *asked, "--json", language=language)
            told["out"] = json.loads("\n".join(told["out"]))
            yield f"variants/{language}/json/{name}", told


def house_rules(program: Program) -> Answers:
    """`scorepad variants check`: good files, and files with a line left out or made wrong."""
    for file in HOUSE_RULES:
        for language in LANGUAGES:
            name = f"check/{language}/{file.stem}"
            if program.is_wanted(name):
                yield name, _checked(program, file.name, file.read_text("utf-8"), language)
    for file in sorted(TESTS.glob("rules/own/*.toml")):
        spoiled = list(_spoiled_lines(file.read_text("utf-8")))
        for number, (how, text) in enumerate(
            spoiled[::2]
        ):  # half of them, in one language in turn, to be quicker
            language = LANGUAGES[number % len(LANGUAGES)]
            name = f"check/{language}/{file.stem}, {how}"
            if program.is_wanted(name):
                yield name, _checked(program, file.name, text, language)


def _checked(program: Program, file: str, text: str, language: str) -> Any:
    path = program.folder / file
    path.write_text(text, "utf-8")
    return program.run("variants", "check", path, language=language)


def _spoiled_lines(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.strip() or line.startswith("#"):
            continue
        before, after = lines[:number], lines[number + 1 :]
        place = f"line {number + 1}"
        yield f"{place} left out", "\n".join((*before, *after))
        key, equals, _ = line.partition("=")
        if equals and not key.startswith(" "):
            yield f"{place} wrong", "\n".join((*before, f'{key}= "molte"', *after))
            yield f"{place} unknown", "\n".join((*before, f"un{line}", *after))
