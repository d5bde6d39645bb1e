"""`scorepad score`, `scorepad rule` and `scorepad variants`: commands that need no data file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from pydantic_core import to_json

from scorepad.cli.base import DONE, FILE, REFUSED, SPEECH, UNUSABLE, Stop, command, echo, open_input, option, shown, t
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
    """Write one answer line for each input line; returns the worst exit status."""
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
        echo(_variant_page(found))
    else:
        width = max(len(entry["id"]) for entry in listed)
        echo("\n".join(f"{each['id']:{width}}  {each['name']}. {each['special']}" for each in listed))
    return DONE


def _check(files: tuple[Path, ...]) -> int:
    """Report the errors of the given variant files, or of those in the folder in use; 1 if there are any."""
    own = own_variants()
    found: dict[str, VariantError | None] = {f"{name}.toml": None for name in own.usable}
    found = dict(sorted({**found, **{each.file: each for each in own.broken}}.items()))
    if files:
        found = {str(file): _trouble(file) for file in files}
    for file, trouble in found.items():
        for each in (trouble, *trouble.others) if trouble else ():
            echo(variant_problem(each, SPEECH.get()))
        if not trouble:
            echo(t("cli.variants.good", file=shown(file)))
    return REFUSED if any(found.values()) else DONE


def _trouble(file: Path) -> VariantError | None:
    """The error in a variant's file, if any."""
    try:
        read_file(file)
    except VariantError as trouble:
        return trouble
    return None


def _variant_page(whole: dict[str, Any]) -> str:
    """A variant as text, with the sources that it cites."""
    from scorepad.sheets.pdf import templates  # only needed here

    variant, words = get_variant(whole["id"]), SPEECH.get()
    return (
        templates()
        .get_template("cli/variant.txt")
        .render(
            variant=whole,
            differences=[each for each in differences(variant, words) if each.matters],
            settings=[entry for key, entry in whole["settings"].items() if is_told(key, variant)],
            t=t,
            figure=words.figure,
            signed=words.signed,
        )
        .rstrip()
    )
