"""Uploaded export files, read in a child process with limited memory and time.

The child is this module as a program. It writes the rows of the file once all of it is verified,
one JSON document a line; or the reason why the file is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from pydantic import ConfigDict, TypeAdapter

from scorepad.limited import run_child, run_limited
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
    """The rows of an uploaded file, which is verified in a child process with limited memory and
    time.

    Raises Unusable, LimitReached and ChildFailed, and yields no row then: the child answers only
    once it is done with the whole file, and if the file is refused, with the reason alone.
    """
    this_module = __name__  # which the child runs as a program
    with run_limited(this_module, *variant_ids(), source=source) as lines:
        for line in lines:
            row = _LINE.validate_json(line)
            if isinstance(row, Refusal):
                raise Unusable(row.reason, row.key, **row.arguments)
            yield row


def _write_rows(source: IO[bytes], target: IO[bytes]) -> None:
    """Verify a file, and write its rows to the target; if it is refused, only the reason.

    This is what the child process does. Its arguments are the ids of the variants that are on offer
    in the process that started it.
    """
    known_variants = sys.argv[1:]
    content = source.read()
    _require_few_values(content)
    number_of_matches = 0
    try:
        for row in read_rows_to_store(content, known_variants):
            if isinstance(row, VerifiedMatch):
                number_of_matches += 1
                _require_limits(row, number_of_matches)
            _write_line(row, target)
    except Unusable as refused:
        # The rows written so far are not to be stored: the file is refused as a whole.
        target.seek(0)
        target.truncate()
        _write_line(Refusal(refused.reason, refused.key, refused.arguments), target)


def _require_few_values(content: bytes) -> None:
    """Refuse a JSON document with so many values that they would not fit into memory.

    They are estimated before they are made: each item of a list, and each pair of an object, stands
    after a comma or an opening bracket. Raises MemoryError, as the child process does when it
    reaches its limit anywhere else.
    """
    estimated_values = content.count(b",") + content.count(b"{") + content.count(b"[")
    if estimated_values > MOST_VALUES:
        raise MemoryError


def _require_limits(match: VerifiedMatch, number: int) -> None:
    """Refuse what only the command line imports. Raises Unusable."""
    if number > MOST_MATCHES:
        raise Unusable("files.many-matches", most=MOST_MATCHES)
    if log_size(match.entries) > LARGEST_LOG:
        raise Unusable("files.long-match", match=match.record.id)


def _write_line(line: VerifiedRow | Refusal, target: IO[bytes]) -> None:
    target.write(_LINE.dump_json(line))
    target.write(b"\n")


if __name__ == "__main__":
    run_child(_write_rows)
