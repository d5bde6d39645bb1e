"""`scorepad score`, `scorepad rule` and `scorepad variants`: what the rules answer, without any data file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from pydantic_core import to_json

from scorepad.cli.base import (
    DONE,
    REFUSED,
    UNUSABLE,
    Stop,
    argument,
    choice_error,
    command,
    open_input,
    option,
    print_bytes,
    print_text,
    shown,
)  # fmt: skip
from scorepad.errors import ChoiceError, VariantError
from scorepad.i18n import Words
from scorepad.i18n.variant_files import variant_problem
from scorepad.rules.judge import judge
from scorepad.rules.variants import get_variant, own_variants, read_file
from scorepad.schemas import Unusable, answer, read_asked
from scorepad.schemas.variants import differences, is_told, variant_list, variant_whole

Answer = Callable[[bytes, Words], tuple[dict[str, Any], bool]]
"""Takes a JSON document; returns the answer, and whether it is a refusal. Raises Unusable."""


def answer_hand(source: bytes, words: Words) -> tuple[dict[str, Any], bool]:
    """Check and score a hand. Raises Unusable."""
    asked = read_asked(source)
    found = answer(judge(asked.rules, asked.hand), asked.hand, words)
    return dict(found), not found["valid"]


def answer_question(source: bytes, words: Words) -> tuple[dict[str, Any], bool]:
    """Answer a question for the referee. Raises Unusable."""
    # Imported here: the other commands start faster without the referee.
    from scorepad.referee.case import answer_to
    from scorepad.referee.questions import Verdict
    from scorepad.schemas.rulings import read_question, ruling_answer

    question = read_question(source)
    found = answer_to(question.rules, question.asked)
    return dict(ruling_answer(question, found, words)), found.ruling.verdict is Verdict.FORBIDDEN


def _json_command(name: str, answer: Answer) -> Callable[[Words], click.Command]:
    def run(words: Words, file: str | None, jsonl: bool) -> int:
        with open_input(file, words) as stream:
            if jsonl:
                return answer_lines(stream, answer, words)
            try:
                found, refused = answer(stream.read(), words)
            except Unusable as error:
                raise Stop(error.message(words)) from None
        print_bytes(to_json(found, indent=2))
        return REFUSED if refused else DONE

    file = argument("file", required=False, metavar="[FILE]")
    return command(name, file, option("--jsonl", is_flag=True, help=f"cli.{name}.jsonl"))(run)


score_command = _json_command("score", answer_hand)
rule_command = _json_command("rule", answer_question)


def answer_lines(lines: Iterable[bytes], answer: Answer, words: Words) -> int:
    """Answer each line with a line; the exit status is that of the worst one."""
    status = DONE
    for line in lines:
        try:
            found, refused = answer(line, words)
            status = max(status, REFUSED if refused else DONE)
        except Unusable as error:
            found = {"error": error.message(words)}
            status = UNUSABLE
        print_bytes(to_json(found))
    return status


@command(
    "variants",
    argument("name", required=False, metavar="[ID]"),
    argument("files", nargs=-1, metavar="[FILE]..."),
    option("--json", "as_json", is_flag=True, help="cli.variants.json"),
    epilog="cli.variants.check",
)
def variants_command(words: Words, name: str | None, files: tuple[str, ...], as_json: bool) -> int:
    """`scorepad variants`, and `scorepad variants check`."""
    if name == "check":
        return _check(files, words)
    if files:
        raise Stop(words.text("cli.too-many", given=shown(files[0]), command="scorepad variants"))
    try:
        found = variant_whole(name, words) if name else None
    except ChoiceError as error:
        raise choice_error(error, words, "ID") from None
    listed = [] if found else variant_list(words)
    if as_json:
        print_bytes(json.dumps(found or listed, ensure_ascii=False, indent=2).encode())
    elif found:
        print_text("\n".join(_variant_page(found, words)))
    else:
        width = max(len(entry["id"]) for entry in listed)
        print_text("\n".join(f"{each['id']:{width}}  {each['name']}. {each['special']}" for each in listed))
    return DONE


def _check(files: tuple[str, ...], words: Words) -> int:
    """Say of each file of a variant, or of those of the folder in use, what is wrong with it; 1 if anything is."""
    own = own_variants()
    found: dict[str, VariantError | None] = {f"{name}.toml": None for name in own.usable}
    found = dict(sorted({**found, **{each.file: each for each in own.broken}}.items()))
    if files:
        found = {file: _trouble(Path(file)) for file in files}
    for file, trouble in found.items():
        print_text(variant_problem(trouble, words) if trouble else words.text("cli.variants.good", file=shown(file)))
    return REFUSED if any(found.values()) else DONE


def _trouble(file: Path) -> VariantError | None:
    """What is wrong with the file of a variant; None for nothing."""
    try:
        read_file(file)
    except VariantError as trouble:
        return trouble
    return None


def _variant_page(whole: dict[str, Any], words: Words) -> Iterator[str]:
    yield f"{whole['name']} ({whole['id']})"
    yield whole["special"]
    yield f"{words.text('cli.variant.players')}: {', '.join(map(str, whole['players']))}"
    body = [*_differences(whole, words), *_settings(whole, words), *_options(whole, words)]
    body += [*_presets(whole, words), *_penalties(whole, words)]
    yield from body
    yield from ("", words.text("cli.variant.sources"))
    # Only the sources that this page cites.
    page = "\n".join(body)
    yield from (f"  {key}  {title}" for key, title in whole["sources"].items() if f"{key}:" in page)


def _differences(whole: dict[str, Any], words: Words) -> Iterator[str]:
    """The settings that differ from the classic game and matter in this one."""
    found = [each for each in differences(get_variant(whole["id"]), words) if each.matters]
    if found:
        yield from ("", words.text("cli.variant.differs"))
    for each in found:
        difference = words.text("cli.variant.difference", name=each.name, here=each.here, classic=each.classic)
        # The manuals and the argument stand with the setting itself, below.
        places = "; ".join(str(place) for place in each.cited.citations) or words.text("standing.house")
        yield f"  {difference}  [{places}]"


def _settings(whole: dict[str, Any], words: Words) -> Iterator[str]:
    variant = get_variant(whole["id"])
    yield from ("", words.text("cli.variant.settings"))
    for key, entry in whole["settings"].items():
        if is_told(key, variant):
            yield f"  {entry['name']}: {entry['words']}  {_sources(entry, words)}"


def _options(whole: dict[str, Any], words: Words) -> Iterator[str]:
    default = words.text("cli.variant.default")
    yield from ("", words.text("cli.variant.options"))
    for key, each in whole["options"].items():
        yield f"  {key}: {each['name']}"
        if "step" in each:
            step = each["step"]
            amount = words.text("option.target.amount" if step > 1 else "option.target.any", step=step)
            yield f"    {words.figure(each['default'])} ({default}), {amount}  {_sources(each, words)}"
            continue
        for value in each["values"]:
            name = value["value"] if isinstance(value["value"], str) else json.dumps(value["value"])
            mark = f" ({default})" if value["value"] == each["default"] else ""
            yield f"    {name}{mark}: {value['name']}  {_sources(value, words)}"


def _presets(whole: dict[str, Any], words: Words) -> Iterator[str]:
    if whole["presets"]:
        yield from ("", words.text("cli.variant.presets"))
    for key, preset in whole["presets"].items():
        chosen = ", ".join(f"{name} {value}" for name, value in preset["options"].items())
        yield f"  {key}: {preset['name']}{f': {chosen}' if chosen else ''}"


def _penalties(whole: dict[str, Any], words: Words) -> Iterator[str]:
    yield from ("", words.text("cli.variant.penalties"))
    if not whole["penalties"]:
        yield f"  {words.text('cli.variant.penalties.none')}  {_sources(whole['settings']['penalties-known'], words)}"
    for code, penalty in whole["penalties"].items():
        points = words.text("cli.variant.agreed") if penalty["points"] is None else words.figure(-penalty["points"])
        yield f"  {code}: {penalty['name']}, {points}  {_sources(penalty, words)}"


def _sources(entry: dict[str, Any], words: Words) -> str:
    """The sources, the standing, and the argument of an inference."""
    places = "; ".join([*entry["sources"], *entry.get("notes", ())])
    standing = words.text(f"standing.{entry['standing']}")
    argument = f": {entry['read']}" if "read" in entry else ""
    return f"[{f'{places}; ' if places else ''}{standing}{argument}]"
