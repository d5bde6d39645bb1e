"""Uploaded export files, read in a child process with limited memory and time.

The child is this module as a program. It writes the rows of the file once all of it is verified,
one JSON document a line; or the reason why the file is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from pydantic import ConfigDict, TypeAdapter

from scorepad.limited import read_with_limits, run_as_child
from scorepad.matches.file_reader import VerifiedMatch, VerifiedRow, read_rows_to_store
from scorepad.matches.projection import LARGEST_LOG, log_size
from scorepad.rules.variants import variant_ids
from scorepad.schemas.fields import Unusable
from scorepad.storage.rows import FrozenRules

MOST_MATCHES = 1_000
"""Most matches of an uploaded file: storing them takes a second, in which nobody else can save."""

MOST_VALUES = 1_000_000
"""Most values in an uploaded file, counted by the characters that separate them: three times as
many as 8 MB have.
"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file is refused: the values of an Unusable."""

    reason: str
    key: str
    arguments: dict[str, str | int]


_LINE: TypeAdapter[VerifiedRow | Refusal] = TypeAdapter(
    FrozenRules | VerifiedMatch | Refusal, config=ConfigDict(defer_build=True)
)


def read_upload(source: IO[bytes]) -> Iterator[VerifiedRow]:
    """Read an uploaded export file, and yield the rows to store in the data file.

    The file is verified in a child process with limited memory and time, since strangers may have
    made it. Raises Unusable if it is refused, LimitReached and ChildFailed; no row was yielded
    then.
    """
    with read_with_limits(_verify_upload, *variant_ids(), source=source) as lines:
        for line in lines:
            # The child writes all rows, or only the reason why it refuses the file.
            row = _LINE.validate_json(line)
            if isinstance(row, Refusal):
                raise Unusable(row.reason, row.key, **row.arguments)
            yield row


def _verify_upload(source: IO[bytes], target: IO[bytes], known_variants: Sequence[str]) -> None:
    """Verify an uploaded file, and write its rows to `target`, or the reason why it is refused.

    The child process runs this. `known_variants` are the ids of the games that are on offer in the
    process that started it.
    """
    content = source.read()
    _refuse_too_many_values(content)
    try:
        for row in _read_rows_within_limits(content, known_variants):
            _write_line(row, target)
    except Unusable as refused:
        # The file is refused as a whole, so the rows written so far are deleted.
        target.seek(0)
        target.truncate()
        _write_line(Refusal(refused.reason, refused.key, refused.arguments), target)


def _read_rows_within_limits(
    content: bytes, known_variants: Collection[str]
) -> Iterator[VerifiedRow]:
    """Read the rows of an export file, as long as its matches are not too many or too long.

    `known_variants` are the ids of the games on offer. Raises Unusable.
    """
    number_of_matches = 0
    for row in read_rows_to_store(content, known_variants):
        if isinstance(row, VerifiedMatch):
            number_of_matches += 1
            _refuse_large_import(row, number_of_matches)
        yield row


def _refuse_too_many_values(content: bytes) -> None:
    """Refuse a JSON document with so many values that they would not fit into memory.

    Raises MemoryError, as the child process does when its memory runs out anywhere else.
    """
    # Estimated before it is parsed: each item of a list, and each pair of an object, stands after a
    # comma or an opening bracket.
    estimated_values = content.count(b",") + content.count(b"{") + content.count(b"[")
    if estimated_values > MOST_VALUES:
        raise MemoryError


def _refuse_large_import(match: VerifiedMatch, number_of_matches: int) -> None:
    """Refuse a match that is too long, or one too many, for a file uploaded on a page.

    The command line imports such files. `number_of_matches` is how many the file has up to this
    one. Raises Unusable.
    """
    if number_of_matches > MOST_MATCHES:
        # "There are more than 1,000 matches in the file. … Upload it in parts …"
        raise Unusable("files.many-matches", most=MOST_MATCHES)
    if log_size(match.entries) > LARGEST_LOG:
        # "The match … in the file is too long to be uploaded on a page."
        raise Unusable("files.long-match", match=match.record.id)


def _write_line(line: VerifiedRow | Refusal, target: IO[bytes]) -> None:
    """Write a row, or the reason why the file is refused, as one line of JSON."""
    target.write(_LINE.dump_json(line))
    target.write(b"\n")


if __name__ == "__main__":
    run_as_child(_verify_upload)
