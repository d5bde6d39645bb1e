"""`scorepad score`, `scorepad rule` and `scorepad variants`: commands that need no data file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from pydantic_core import to_json

from scorepad.cli.options import FILE, command, option
from scorepad.cli.output import (
    DONE,
    REFUSED,
    SPEECH,
    UNUSABLE,
    Stop,
    open_input,
    shown,
    t,
    write_line,
)
from scorepad.errors import VariantError
from scorepad.i18n.variant_errors import variant_problems
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import get_variant, own_variants, read_variant_file
from scorepad.schemas import Unusable, answer, read_hand_request
from scorepad.schemas.variant_json import differing_rules, is_listed, variant_list, variant_whole

Answer = Callable[[bytes], tuple[dict[str, Any], bool]]
"""Takes a JSON document; returns the answer, and whether it is a refusal. Raises Unusable."""


def answer_hand(source: bytes) -> tuple[dict[str, Any], bool]:
    """Check and score a hand. Raises Unusable."""
    asked = read_hand_request(source)
    words = SPEECH.get().with_rules(asked.rules)
    found = answer(asked.judge(), asked.names, words)
    return found, not found["valid"]


def answer_referee_question(source: bytes) -> tuple[dict[str, Any], bool]:
    """Answer a question for the referee. Raises Unusable."""
    # Imported here: the other commands start faster without the referee.
    from scorepad.referee.ruling import Verdict
    from scorepad.schemas.ruling_json import answer_request as answer
    from scorepad.schemas.ruling_json import read_question, ruling_answer

    question = read_question(source)
    found = answer(question)
    return dict(
        ruling_answer(question, found, SPEECH.get())
    ), found.ruling.verdict is Verdict.FORBIDDEN


def _json_command(name: str, answer: Answer) -> click.Command:
    @command
    @click.argument("file", required=False, type=FILE)
    @option("--jsonl", is_flag=True, help=f"cli.{name}.jsonl")
    def run(file: Path | None, jsonl: bool) -> int:
        with open_input(file) as stream:
            if jsonl:
                return answer_lines(stream, answer)
            found, refused = answer(stream.read())
        write_line(to_json(found, indent=2))
        return REFUSED if refused else DONE

    return run


score_command = _json_command("score", answer_hand)
rule_command = _json_command("rule", answer_referee_question)


def answer_lines(lines: Iterable[bytes], answer: Answer) -> int:
    """Write one answer line for each input line; returns the worst exit status."""
    status = DONE
    for line in lines:
        try:
            found, refused = answer(line.rstrip(b"\r\n"))
            status = max(status, REFUSED if refused else DONE)
        except Unusable as error:
            found = {"error": error.message(SPEECH.get(), of_a_line=True)}
            status = UNUSABLE
        write_line(to_json(found))
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
        write_line(to_json(found or listed, indent=2))
    elif found:
        write_line(_variant_page(found))
    else:
        width = max(len(entry["id"]) for entry in listed)
        for each in listed:
            write_line(f"{each['id']:{width}}  {each['name']}. {each['special']}")
    return DONE


def _check(files: tuple[Path, ...]) -> int:
    """Report the errors of the given variant files, or of those in the folder in use; 1 if there
    are any.
    """
    found = {str(file): _read_variant(file) for file in files} if files else _variants_in_use()
    is_refused = False
    for file, read in found.items():
        if isinstance(read, VariantError):
            is_refused = True
            for text in variant_problems(read, SPEECH.get()):
                write_line(text)
        else:
            write_line(t("cli.variants.good", file=shown(file)))
            _print_moved(read)
    return REFUSED if is_refused else DONE


def _variants_in_use() -> dict[str, Variant | VariantError]:
    """The user's variants, or the errors in them, by file in alphabetical order."""
    own = own_variants()
    found: dict[str, Variant | VariantError] = {}
    for name, variant in own.usable.items():
        found[f"{name}.toml"] = variant
    for error in own.broken:
        found[error.file] = error
    return dict(sorted(found.items()))


def _print_moved(variant: Variant) -> None:
    """Print what follows from the figures of a file without being in it."""
    words = SPEECH.get().with_rules(variant)
    for each in differing_rules(variant, words, variant.parent or variant.id):
        if each.follows:
            write_line(
                "  "
                + t("cli.variants.moved", name=each.name, here=each.here, followed=each.follows)
            )


def _read_variant(file: Path) -> Variant | VariantError:
    """The variant in a file, or the error in it."""
    try:
        return read_variant_file(file)
    except VariantError as error:
        return error


def _variant_page(whole: dict[str, Any]) -> str:
    """A variant as text, with the sources that it cites."""
    from scorepad.sheets.pdf import templates  # only needed here

    variant = get_variant(whole["id"])
    words = SPEECH.get().with_rules(variant)
    return (
        templates()
        .get_template("cli/variant.txt")
        .render(
            variant=whole,
            differences=[each for each in differing_rules(variant, words) if each.matters],
            settings=[entry for key, entry in whole["settings"].items() if is_listed(key, variant)],
            t=words.t,
            figure=words.figure,
            signed=words.signed,
        )
        .rstrip()
    )
