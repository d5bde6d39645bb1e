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
    FILE,
    REFUSED,
    SPEECH,
    UNUSABLE,
    Stop,
    command,
    echo,
    open_input,
    option,
    shown,
    t,
)  # fmt: skip
from scorepad.errors import VariantError
from scorepad.i18n.words import variant_problem
from scorepad.rules.judge import judge
from scorepad.rules.variants import get_variant, own_variants, read_file
from scorepad.schemas import Unusable, answer, read_asked
from scorepad.schemas.variants import differences, is_told, variant_list, variant_whole

Answer = Callable[[bytes], tuple[dict[str, Any], bool]]
"""Takes a JSON document; returns the answer, and whether it is a refusal. Raises Unusable."""


def answer_hand(source: bytes) -> tuple[dict[str, Any], bool]:
    """Check and score a hand. Raises Unusable."""
    asked = read_asked(source)
    found = answer(judge(asked.rules, asked.hand), asked.hand, SPEECH.get())
    return dict(found), not found["valid"]


def answer_question(source: bytes) -> tuple[dict[str, Any], bool]:
    """Answer a question for the referee. Raises Unusable."""
    # Imported here: the other commands start faster without the referee.
    from scorepad.referee.case import answer_to
    from scorepad.referee.questions import Verdict
    from scorepad.schemas.rulings import read_question, ruling_answer

    question = read_question(source)
    found = answer_to(question.rules, question.asked)
    return dict(ruling_answer(question, found, SPEECH.get())), found.ruling.verdict is Verdict.FORBIDDEN


def _json_command(name: str, answer: Answer) -> click.Command:
    @command
    @click.argument("file", required=False, type=FILE)
    @option("--jsonl", is_flag=True, help=f"cli.{name}.jsonl")
    def run(file: Path | None, jsonl: bool) -> int:
        with open_input(file) as stream:
            if jsonl:
                return answer_lines(stream, answer)
            found, refused = answer(stream.read())
        echo(to_json(found, indent=2))
        return REFUSED if refused else DONE

    return run


score_command = _json_command("score", answer_hand)
rule_command = _json_command("rule", answer_question)


def answer_lines(lines: Iterable[bytes], answer: Answer) -> int:
    """Answer each line with a line; the exit status is that of the worst one."""
    status = DONE
    for line in lines:
        try:
            found, refused = answer(line)
            status = max(status, REFUSED if refused else DONE)
        except Unusable as error:
            found = {"error": error.message(SPEECH.get())}
            status = UNUSABLE
        echo(to_json(found))
    return status


@command
@click.argument("variant", required=False, metavar="[ID]")
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE]...")
@option("--json", "as_json", is_flag=True, help="cli.variants.json")
def variants_command(variant: str | None, files: tuple[Path, ...], as_json: bool) -> int:
    """`scorepad variants`, and `scorepad variants check`."""
    if variant == "check":
        return _check(files)
    if files:
        raise Stop("cli.too-many", given=shown(files[0]), command="scorepad variants")
    found = variant_whole(variant, SPEECH.get()) if variant else None
    listed = [] if found else variant_list(SPEECH.get())
    if as_json:
        echo(to_json(found or listed, indent=2))
    elif found:
        echo("\n".join(_variant_page(found)))
    else:
        width = max(len(entry["id"]) for entry in listed)
        echo("\n".join(f"{each['id']:{width}}  {each['name']}. {each['special']}" for each in listed))
    return DONE


def _check(files: tuple[Path, ...]) -> int:
    """Say of each file of a variant, or of those of the folder in use, what is wrong with it; 1 if anything is."""
    own = own_variants()
    found: dict[str, VariantError | None] = {f"{name}.toml": None for name in own.usable}
    found = dict(sorted({**found, **{each.file: each for each in own.broken}}.items()))
    if files:
        found = {str(file): _trouble(file) for file in files}
    for file, trouble in found.items():
        echo(variant_problem(trouble, SPEECH.get()) if trouble else t("cli.variants.good", file=shown(file)))
    return REFUSED if any(found.values()) else DONE


def _trouble(file: Path) -> VariantError | None:
    """What is wrong with the file of a variant; None for nothing."""
    try:
        read_file(file)
    except VariantError as trouble:
        return trouble
    return None


def _variant_page(whole: dict[str, Any]) -> Iterator[str]:
    yield f"{whole['name']} ({whole['id']})"
    yield whole["special"]
    yield f"{t('cli.variant.players')}: {', '.join(map(str, whole['players']))}"
    sections = {
        "differs": _differences(whole), "settings": _settings(whole), "options": _options(whole),
        "presets": _presets(whole), "penalties": _penalties(whole),
    }  # fmt: skip
    body = []
    for title, section in sections.items():
        lines = [f"  {line}" for line in section]
        body += ["", t(f"cli.variant.{title}"), *lines] if lines else []
    yield from body
    yield from ("", t("cli.variant.sources"))
    # Only the sources that this page cites.
    page = "\n".join(body)
    yield from (f"  {key}  {title}" for key, title in whole["sources"].items() if f"{key}:" in page)


def _differences(whole: dict[str, Any]) -> Iterator[str]:
    """The settings that differ from the classic game and matter in this one."""
    for each in differences(get_variant(whole["id"]), SPEECH.get()):
        if each.matters:
            # The manuals and the argument stand with the setting itself, below.
            places = "; ".join(str(place) for place in each.cited.citations) or t("standing.house")
            difference = t("cli.variant.difference", name=each.name, here=each.here, classic=each.classic)
            yield f"{difference}  [{places}]"


def _settings(whole: dict[str, Any]) -> Iterator[str]:
    variant = get_variant(whole["id"])
    for key, entry in whole["settings"].items():
        if is_told(key, variant):
            yield f"{entry['name']}: {entry['words']}  {_sources(entry)}"


def _options(whole: dict[str, Any]) -> Iterator[str]:
    default = t("cli.variant.default")
    for key, each in whole["options"].items():
        yield f"{key}: {each['name']}"
        if "step" in each:
            amount = t("option.target.amount" if each["step"] > 1 else "option.target.any", step=each["step"])
            yield f"  {SPEECH.get().figure(each['default'])} ({default}), {amount}  {_sources(each)}"
            continue
        for value in each["values"]:
            name = value["value"] if isinstance(value["value"], str) else json.dumps(value["value"])
            mark = f" ({default})" if value["value"] == each["default"] else ""
            yield f"  {name}{mark}: {value['name']}  {_sources(value)}"


def _presets(whole: dict[str, Any]) -> Iterator[str]:
    for key, preset in whole["presets"].items():
        chosen = ", ".join(f"{name} {value}" for name, value in preset["options"].items())
        yield f"{key}: {preset['name']}{f': {chosen}' if chosen else ''}"


def _penalties(whole: dict[str, Any]) -> Iterator[str]:
    if not whole["penalties"]:
        yield f"{t('cli.variant.penalties.none')}  {_sources(whole['settings']['penalties-known'])}"
    for code, penalty in whole["penalties"].items():
        points = penalty["points"]
        cost = t("cli.variant.agreed") if points is None else SPEECH.get().figure(-points)
        yield f"{code}: {penalty['name']}, {cost}  {_sources(penalty)}"


def _sources(entry: dict[str, Any]) -> str:
    """The sources, the standing, and the argument of an inference."""
    places = "; ".join([*entry["sources"], *entry.get("notes", ())])
    argument = f": {entry['read']}" if "read" in entry else ""
    return f"[{f'{places}; ' if places else ''}{t('standing.' + entry['standing'])}{argument}]"
