"""`scorepad score`, `scorepad rule` and `scorepad variants`: commands that need no data file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import click
from pydantic_core import to_json

from scorepad.cli.options import FILE, command, option
from scorepad.cli.output import (
    DONE,
    REFUSED,
    UNUSABLE,
    Stop,
    chosen_words,
    open_input,
    printable_name,
    t,
    write_line,
)
from scorepad.errors import VariantError
from scorepad.i18n.variant_errors import variant_problems
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import get_variant, own_variants, read_variant_file
from scorepad.schemas import Unusable, answer, read_hand_request
from scorepad.schemas.variant_json import differing_rules, is_listed, variant_list, variant_whole


class CommandAnswer(NamedTuple):
    """The JSON answer of a command, and whether the rules refuse what was asked."""

    content: dict[str, Any]
    is_refused: bool


AnswerDocument = Callable[[bytes], CommandAnswer]
"""Answers a JSON document. Raises Unusable."""


def answer_hand(source: bytes) -> CommandAnswer:
    """Check and score a hand. Raises Unusable."""
    request = read_hand_request(source)
    words = chosen_words().with_rules(request.rules)
    content = answer(request.judge(), request.names, words)
    return CommandAnswer(content, is_refused=not content["valid"])


def answer_referee_question(source: bytes) -> CommandAnswer:
    """CommandAnswer a question for the referee. Raises Unusable."""
    # Imported here: the other commands start faster without the referee.
    from scorepad.referee.ruling import Verdict
    from scorepad.schemas.ruling_json import answer_request, read_question, ruling_answer

    question = read_question(source)
    ruled = answer_request(question)
    content = dict(ruling_answer(question, ruled, chosen_words()))
    return CommandAnswer(content, is_refused=ruled.ruling.verdict is Verdict.FORBIDDEN)


def _json_command(name: str, answer_document: AnswerDocument) -> click.Command:
    @command
    @click.argument("file", required=False, type=FILE)
    @option("--jsonl", is_flag=True, help=f"cli.{name}.jsonl")
    def run(file: Path | None, jsonl: bool) -> int:
        with open_input(file) as stream:
            if jsonl:
                return answer_lines(stream, answer_document)
            document_answer = answer_document(stream.read())
        write_line(to_json(document_answer.content, indent=2))
        return REFUSED if document_answer.is_refused else DONE

    return run


score_command = _json_command("score", answer_hand)
rule_command = _json_command("rule", answer_referee_question)


def answer_lines(lines: Iterable[bytes], answer_document: AnswerDocument) -> int:
    """Write one answer line for each input line; returns the worst exit status."""
    status = DONE
    for line in lines:
        try:
            content, is_refused = answer_document(line.rstrip(b"\r\n"))
        except Unusable as error:
            content = {"error": error.message(chosen_words(), of_a_line=True)}
            status = UNUSABLE
        else:
            if is_refused:
                status = max(status, REFUSED)
        write_line(to_json(content))
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
        raise Stop("cli.too-many", given=printable_name(files[0]), command="scorepad variants")
    words = chosen_words()
    if variant:
        whole = variant_whole(variant, words)
        write_line(to_json(whole, indent=2) if as_json else _variant_page(whole))
        return DONE
    variants = variant_list(words)
    if as_json:
        write_line(to_json(variants, indent=2))
        return DONE
    width = max(len(entry["id"]) for entry in variants)
    for entry in variants:
        write_line(f"{entry['id']:{width}}  {entry['name']}. {entry['special']}")
    return DONE


def _check(files: tuple[Path, ...]) -> int:
    """Report the errors of the given variant files, or of those in the folder in use; 1 if there
    are any.
    """
    if files:
        checked = {str(file): _variant_of_file(file) for file in files}
    else:
        checked = _variants_in_use()
    is_refused = False
    for file, variant in checked.items():
        if isinstance(variant, VariantError):
            is_refused = True
            for text in variant_problems(variant, chosen_words()):
                write_line(text)
        else:
            write_line(t("cli.variants.good", file=printable_name(file)))
            _print_moved(variant)
    return REFUSED if is_refused else DONE


def _variants_in_use() -> dict[str, Variant | VariantError]:
    """The user's variants, or the errors in them, by file in alphabetical order."""
    in_use = own_variants()
    by_file: dict[str, Variant | VariantError] = {}
    for name, variant in in_use.usable.items():
        by_file[f"{name}.toml"] = variant
    for error in in_use.broken:
        by_file[error.file] = error
    return dict(sorted(by_file.items()))


def _print_moved(variant: Variant) -> None:
    """Print what follows from the figures of a file without being in it."""
    words = chosen_words().with_rules(variant)
    for rule in differing_rules(variant, words, variant.parent or variant.id):
        if rule.follows:
            moved = t("cli.variants.moved", name=rule.name, here=rule.here, followed=rule.follows)
            write_line(f"  {moved}")


def _variant_of_file(file: Path) -> Variant | VariantError:
    """The variant in a file, or the error in it."""
    try:
        return read_variant_file(file)
    except VariantError as error:
        return error


def _variant_page(whole: dict[str, Any]) -> str:
    """A variant as text, with the sources that it cites."""
    from scorepad.sheets.pdf import templates  # only needed here

    variant = get_variant(whole["id"])
    words = chosen_words().with_rules(variant)
    settings = [entry for key, entry in whole["settings"].items() if is_listed(key, variant)]
    page = templates().get_template("cli/variant.txt")
    text = page.render(
        variant=whole,
        differences=[each for each in differing_rules(variant, words) if each.matters],
        settings=settings,
        t=words.t,
        figure=words.figure,
        signed=words.signed,
    )
    return text.rstrip()
