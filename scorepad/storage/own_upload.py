"""Uploaded files of house rules. They are read in a child process first, since strangers may have
made them.

What the child accepts is within the limits of `scorepad.rules.toml_text` and of the loader, so that
reading it once more in the server costs little.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import IO, Any

from scorepad.errors import VariantError
from scorepad.limited import run_child, run_limited
from scorepad.rules.loader import load_sources
from scorepad.rules.toml_reader import CODE, decode_own, open_own
from scorepad.rules.variants import check_id, load_own

LONGEST_ID = 40
"""Most characters of an id made from a name or found in an uploaded file."""
_LONGEST_FILE_NAME = 60
"""Characters of the name of an uploaded file that a message repeats."""


def check_upload(name: str, content: bytes) -> str:
    """The id of the rules in an uploaded file, which is read in a child process.

    Raises VariantError if the rules are invalid, and LimitReached if reading them takes too much.
    """
    printable = "".join(character for character in Path(name).name if character.isprintable())
    shown_name = printable[:_LONGEST_FILE_NAME] or "file.toml"
    with run_limited(__name__, shown_name, source=io.BytesIO(content)) as output:
        answer = json.load(output)
    if "mistakes" in answer:
        raise _error_from_json(answer)
    variant: str = answer["id"]
    return variant


def _error_from_json(answer: dict[str, Any]) -> VariantError:
    """The error that the child wrote: the first mistake of the file, with the others."""
    mistakes = []
    for mistake in answer["mistakes"]:
        error = VariantError(
            mistake["file"],
            mistake["key"],
            mistake["problem"],
            mistake["line"],
            **mistake["arguments"],
        )
        mistakes.append(error)
    first = mistakes[0]
    first.others = tuple(mistakes[1:])
    first.more = answer["more"]
    return first


def _read_upload(source: IO[bytes], target: IO[bytes]) -> None:
    """Read the rules in `source`, and write to `target` their id or their mistakes, as JSON.

    `{"id": "casa"}`, or `{"mistakes": […], "more": 0}`. Runs in the child process, whose first
    argument is the name of the file.
    """
    answer: dict[str, Any]
    try:
        answer = {"id": _find_id(sys.argv[1], source.read())}
    except VariantError as error:
        mistakes = [_mistake_as_json(mistake) for mistake in (error, *error.others)]
        answer = {"mistakes": mistakes, "more": error.more}
    target.write(json.dumps(answer).encode())


def _mistake_as_json(error: VariantError) -> dict[str, Any]:
    """The attributes of an error as JSON, from which `_error_from_json` makes it again."""
    return {
        "file": error.file,
        "key": error.key,
        "problem": error.problem,
        "line": error.line,
        "arguments": error.arguments,
    }


def _find_id(name: str, content: bytes) -> str:
    """The id of the house rules in a file, which is verified as a whole. `name` is the name of the
    file.

    Raises VariantError for any mistake in the file.
    """
    text = decode_own(name, content)
    variant = _read_id(name, text)
    file = f"{variant}.toml"  # under which it would be saved
    check_id(variant, file)
    load_own(file, text)  # only verified: the process that asked loads it again
    return variant


def _read_id(name: str, text: str) -> str:
    """The id that a file gives to its rules, by default the name of the file: `casa.toml` → `casa`.

    Raises VariantError if it has not the form of an id.
    """
    root = open_own(name, text, load_sources())
    variant = str(root.value.get("id", Path(name).stem))
    has_form_of_id = len(variant) <= LONGEST_ID and CODE.fullmatch(variant)
    if not has_form_of_id:
        root.refuse("id-form", "id", name=variant[:LONGEST_ID])  # raises VariantError
    return variant


if __name__ == "__main__":
    run_child(_read_upload)
