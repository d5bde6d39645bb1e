"""Uploaded files of house rules. They are read in a child process first, since strangers may have
made them.

What the child accepts is within the limits of `scorepad.rules.toml_text` and of the loader, so that
reading it once more in the server costs little.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from scorepad.errors import VariantError
from scorepad.limited import read_with_limits, run_as_child
from scorepad.rules.loader import load_sources
from scorepad.rules.toml_reader import CODE, decode_own_file, parse_own_toml
from scorepad.rules.variants import check_id, parse_own_variant

LONGEST_ID = 40
"""Most characters of an id made from a name or found in an uploaded file."""
_LONGEST_FILE_NAME = 60
"""Characters of the name of an uploaded file that a message repeats."""


def verify_uploaded_rules(name: str, content: bytes) -> str:
    """Verify an uploaded file of house rules, and return the id of the rules: `casa`.

    The file is read in a child process, since strangers may have made it. `name` is the name of the
    file. Raises VariantError with all mistakes of the file, and LimitReached if reading it takes
    too much memory or time.
    """
    shown_name = _shorten_file_name(name)
    source = io.BytesIO(content)
    with read_with_limits(_verify_house_rules, shown_name, source=source) as output:
        answer = json.load(output)
    if "mistakes" in answer:
        raise _decode_error(answer)
    variant: str = answer["id"]
    return variant


def _shorten_file_name(name: str) -> str:
    """Return the name of an uploaded file as messages show it: short, without control characters.

    `/home/pia/casa.toml` → `casa.toml`; `file.toml` if nothing is left.
    """
    printable = "".join(character for character in Path(name).name if character.isprintable())
    return printable[:_LONGEST_FILE_NAME] or "file.toml"


def _decode_error(answer: dict[str, Any]) -> VariantError:
    """Decode the error that the child process wrote: all mistakes of a file.

    Returns that of the first mistake. It has the errors of the others as `others`, and the number
    of those that are not listed as `more`.
    """
    errors = []
    for mistake in answer["mistakes"]:
        error = VariantError(
            mistake["file"],
            mistake["key"],
            mistake["problem"],
            mistake["line"],
            **mistake["arguments"],
        )
        errors.append(error)
    first = errors[0]
    first.others = tuple(errors[1:])
    first.more = answer["more"]
    return first


def _verify_house_rules(source: IO[bytes], target: IO[bytes], arguments: Sequence[str]) -> None:
    """Verify a file of house rules, and write the id of the rules, or all mistakes, as JSON.

    `{"id": "casa"}`, or `{"mistakes": […], "more": 0}`. The child process runs this. The only
    argument is the name of the file.
    """
    (file_name,) = arguments
    answer: dict[str, Any]
    try:
        answer = {"id": _verify_and_find_id(file_name, source.read())}
    except VariantError as error:
        mistakes = [_encode_error(mistake) for mistake in (error, *error.others)]
        answer = {"mistakes": mistakes, "more": error.more}
    target.write(json.dumps(answer).encode())


def _encode_error(error: VariantError) -> dict[str, Any]:
    """Encode the error of one mistake as JSON, from which `_decode_error` makes it again."""
    return {
        "file": error.file,
        "key": error.key,
        "problem": error.problem,
        "line": error.line,
        "arguments": error.arguments,
    }


def _verify_and_find_id(name: str, content: bytes) -> str:
    """Verify a whole file of house rules, and return the id of the rules: `casa`.

    `name` is the name of the file. Raises VariantError for any mistake in it.
    """
    text = decode_own_file(name, content)
    variant = _read_id(name, text)
    file = f"{variant}.toml"  # under which it would be saved
    check_id(variant, file)
    parse_own_variant(file, text)  # only verified: the process that asked loads it again
    return variant


def _read_id(name: str, text: str) -> str:
    """Read the id that a file gives to its house rules, by default the name of the file.

    `casa.toml` without an id → `casa`. Raises VariantError if it has not the form of an id.
    """
    root = parse_own_toml(name, text, load_sources())
    variant = str(root.value.get("id", Path(name).stem))
    has_form_of_id = len(variant) <= LONGEST_ID and CODE.fullmatch(variant)
    if not has_form_of_id:
        root.refuse("id-form", "id", name=variant[:LONGEST_ID])  # raises VariantError
    return variant


if __name__ == "__main__":
    run_as_child(_verify_house_rules)
