"""`scorepad score`, `scorepad rule` and `scorepad variants`: commands that need no data file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

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
    write_json_line,
    write_line,
)
from scorepad.errors import VariantError
from scorepad.i18n.variant_errors import describe_variant_errors
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import get_variant, own_variants, read_variant_file
from scorepad.schemas import Unusable, read_hand_request, write_score_answer
from scorepad.schemas.variant_json import (
    build_whole_variant,
    find_differing_rules,
    is_listed,
    list_variants,
)


class CommandAnswer(NamedTuple):
    """The JSON answer of a command, and whether the rules refuse what was asked."""

    json: bytes
    is_refused: bool


AnswerDocument = Callable[[bytes, int | None], CommandAnswer]
"""Answers a JSON document, in JSON indented by so many spaces, or on one line for None.

Raises Unusable.
"""


def answer_hand(source: bytes, indent: int | None) -> CommandAnswer:
    """Check and score a hand (a round of the game), given as JSON. Raises Unusable."""
    request = read_hand_request(source)
    words = chosen_words().with_rules(request.rules)
    judgement = request.judge()
    json = write_score_answer(judgement, request.names, words, indent=indent)
    return CommandAnswer(json, is_refused=not judgement.is_valid)


def answer_referee_question(source: bytes, indent: int | None) -> CommandAnswer:
    """Answer a question about the rules, given as JSON. Raises Unusable."""
    # Imported here: the other commands start faster without the referee.
    from scorepad.referee.ruling import Verdict
    from scorepad.schemas.ruling_json import answer_request, build_ruling_answer, read_question

    question = read_question(source)
    ruled = answer_request(question)
    json = to_json(build_ruling_answer(question, ruled, chosen_words()), indent=indent)
    return CommandAnswer(json, is_refused=ruled.ruling.verdict is Verdict.FORBIDDEN)


@command
@click.argument("file", required=False, type=FILE)
@option("--jsonl", is_flag=True, help="cli.score.jsonl")
def score_command(file: Path | None, jsonl: bool) -> int:
    """Run `scorepad score`: check and score a hand (a round), or with `--jsonl` one on each line."""
    return _answer_input(file, answer_hand, is_jsonl=jsonl)


@command
@click.argument("file", required=False, type=FILE)
@option("--jsonl", is_flag=True, help="cli.rule.jsonl")
def rule_command(file: Path | None, jsonl: bool) -> int:
    """Run `scorepad rule`: answer a question about the rules, or with `--jsonl` one on each line."""
    return _answer_input(file, answer_referee_question, is_jsonl=jsonl)


def _answer_input(file: Path | None, answer_document: AnswerDocument, *, is_jsonl: bool) -> int:
    """Answer the JSON in a file, or on standard input, and return the exit status.

    `is_jsonl`: it has a document on each line, instead of one.
    """
    with open_input(file) as stream:
        if is_jsonl:
            return answer_lines(stream, answer_document)
        document = stream.read()
        answer = answer_document(document, 2)  # indented by two spaces
    write_json_line(answer.json)
    return REFUSED if answer.is_refused else DONE


def answer_lines(lines: Iterable[bytes], answer_document: AnswerDocument) -> int:
    """Answer each line of JSON with a line of JSON; return the worst exit status of all.

    The statuses are 0 if all is well, 1 for a line that breaks the rules, and 2 for an unusable
    one. That is answered with `{"error": "…"}`, and the next lines are still answered.
    """
    worst_status = DONE
    for line in lines:
        try:
            line_answer = answer_document(line.rstrip(b"\r\n"), None)
        except Unusable as error:
            message = error.message(chosen_words(), of_a_line=True)
            write_json_line(to_json({"error": message}))
            worst_status = UNUSABLE
            continue
        write_json_line(line_answer.json)
        if line_answer.is_refused:
            worst_status = max(worst_status, REFUSED)
    return worst_status


@command
@click.argument("variant", required=False, metavar="[ID]")
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE]...")
@option("--json", "as_json", is_flag=True, help="cli.variants.json")
def variants_command(variant: str | None, files: tuple[Path, ...], as_json: bool) -> int:
    """Run `scorepad variants`: list the variants of the game, show one, or check own files.

    `scorepad variants check mine.toml` checks the file of a variant that a user wrote.
    """
    if variant == "check":
        return _check_variants(files)
    if files:
        raise Stop("cli.too-many", given=printable_name(files[0]), command="scorepad variants")
    if variant:
        _print_variant(variant, as_json=as_json)
    else:
        _print_variants(as_json=as_json)
    return DONE


def _print_variants(*, as_json: bool) -> None:
    """Print all variants of the game: a line for each, or JSON."""
    variants = list_variants(chosen_words())
    if as_json:
        write_json_line(to_json(variants, indent=2))
        return
    id_width = max(len(entry["id"]) for entry in variants)
    for entry in variants:
        padded_id = entry["id"].ljust(id_width)
        write_line(f"{padded_id}  {entry['name']}. {entry['special']}")


def _print_variant(variant: str, *, as_json: bool) -> None:
    """Print one variant of the game, with its rules and their sources: as text, or JSON."""
    if as_json:
        variant_json = build_whole_variant(variant, chosen_words())
        write_json_line(to_json(variant_json, indent=2))
    else:
        write_line(_describe_variant(variant))


def _check_variants(files: tuple[Path, ...]) -> int:
    """Check files with variants that the user has written, and print the errors in them.

    Without names, all files in the user's folder are checked. Returns the exit status.
    """
    checked_files = _read_files(files) if files else _files_in_use()
    status = DONE
    for checked in checked_files:
        if isinstance(checked.variant, VariantError):
            status = REFUSED
            for text in describe_variant_errors(checked.variant, chosen_words()):
                write_line(text)
        else:
            write_line(t("cli.variants.good", file=printable_name(checked.name)))
            _print_consequences(checked.variant)
    return status


class CheckedFile(NamedTuple):
    """A file with a variant: the variant, or the error in it."""

    name: str
    variant: Variant | VariantError


def _read_files(files: Iterable[Path]) -> list[CheckedFile]:
    """Read files with variants, each with its variant or the error in it.

    A file that is named twice is read once.
    """
    results_by_file: dict[str, Variant | VariantError] = {}
    for file in files:
        name = str(file)
        if name in results_by_file:
            continue
        try:
            results_by_file[name] = read_variant_file(file)
        except VariantError as error:
            results_by_file[name] = error
    return [CheckedFile(name, result) for name, result in results_by_file.items()]


def _files_in_use() -> list[CheckedFile]:
    """List the files in the user's folder of variants, in alphabetical order.

    They were read when the program started: each comes with its variant, or the error in it.
    """
    in_use = own_variants()
    results_by_file: dict[str, Variant | VariantError] = {}
    for name, variant in in_use.usable.items():
        results_by_file[f"{name}.toml"] = variant
    for error in in_use.broken:
        results_by_file[error.file] = error
    return [CheckedFile(name, results_by_file[name]) for name in sorted(results_by_file)]


def _print_consequences(variant: Variant) -> None:
    """Print the settings that a user's variant changes without naming them in its file.

    A file that names only `decks = 1` also changes settings that depend on it, such as the points
    for red threes. Each is printed with the setting that it follows from.
    """
    words = chosen_words().with_rules(variant)
    parent = variant.parent or variant.id  # the variant that it is derived from
    for difference in find_differing_rules(variant, words, other_name=parent):
        changed_setting = difference.follows  # that of which this one is a consequence
        if not changed_setting:
            continue  # the file names this setting itself
        # On the screen: "Red threes: 100 and 300, which follows from: packs of cards."
        text = t(
            "cli.variants.moved",
            name=difference.name,
            here=difference.here,
            followed=changed_setting,
        )
        write_line(f"  {text}")


def _describe_variant(variant_id: str) -> str:
    """Describe a variant of the game as text, for the screen.

    The text says how it differs from the classic game, what its rules are, and which books they
    are taken from.
    """
    from scorepad.sheets.pdf import templates  # slow to import

    variant = get_variant(variant_id)
    words = chosen_words().with_rules(variant)

    differences = [rule for rule in find_differing_rules(variant, words) if rule.matters]
    variant_json = build_whole_variant(variant_id, chosen_words())
    listed_settings = []
    for key, setting in variant_json["settings"].items():
        if is_listed(key, variant):  # it has an effect in this game
            listed_settings.append(setting)

    template = templates().get_template("cli/variant.txt")
    text = template.render(
        variant=variant_json,
        differences=differences,
        settings=listed_settings,
        t=words.t,
        figure=words.figure,
        signed=words.signed,
    )
    return text.rstrip()
