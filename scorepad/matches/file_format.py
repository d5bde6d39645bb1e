"""The format of the export file: whole matches as JSON, without their keys.

Times are in UTC with microseconds. Devices are given as in the data file, by a digest that gives no
access. The head and the frozen rules come first, then one line for each match. The same matches
give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, FailFast, Field, StringConstraints, model_validator

from scorepad.schemas.fields import Input
from scorepad.storage.rows import as_moment

FORMAT = "scorepad-matches"
VERSION = 1
"""The version of the file format."""
LARGEST_FILE = 256 * 2**20
"""Most bytes of a file: some ten thousand matches."""
LONGEST_TEXT = 20_000
"""Most characters of a text."""
LONGEST_WORD = 200
"""Most characters of a key or a name."""
LONGEST_LIST = 2_000
"""Most values of a list or an object in an entry, and most fields of the open hand."""
MOST_ENTRIES = 100_000
"""Most entries of a match, and most matches and rules of a file."""
MOST_DEVICES = 10_000
"""Most devices of a match."""

Json = Mapping[str, Any]
_encode_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
_encode_sorted_json = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True
).encode


def _parse_time(text: object) -> datetime:
    """Parse a time as an export file has it: in UTC, with microseconds.

    `"2026-05-01T20:30:00.000000+00:00"` is one; raises ValueError for any other form.
    """
    moment = datetime.fromisoformat(str(text))
    # The same time in another zone, say, would get another text when it is exported again.
    if as_moment(moment) != text:
        raise ValueError
    return moment


def _refuse_more_items(limit: int) -> BeforeValidator:
    """Make a validator for pydantic that refuses a list or an object with too many items.

    It runs before the items are looked at, so that they cost no time.
    """

    def check_number_of_items(value: object) -> object:
        """Return a JSON value unchanged. Raises ValueError if it has too many items."""
        if isinstance(value, list | dict) and len(value) > limit:
            raise ValueError(f"more than {limit} items")
        return value

    return BeforeValidator(check_number_of_items)


Moment = Annotated[datetime, BeforeValidator(_parse_time)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}$")]
"""The id of a match."""
Mark = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_WORD)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]
Number = Annotated[int, Field(ge=1, le=100_000)]


class Carried(Input):
    """The base of the parts of the file. Objects with more keys than there can be are refused as a
    whole.
    """

    @model_validator(mode="before")
    @classmethod
    def _refuse_many_keys(cls, value: object) -> object:
        """Return a JSON value unchanged. Raises ValueError for an object with too many keys.

        Otherwise pydantic would make an error for each key that it does not know.
        """
        if isinstance(value, dict) and len(value) > len(cls.model_fields):
            raise ValueError
        return value


class EntryInput(Carried):
    """An entry of the log, ordered by its place in the list. `sent` is a digest of the content
    sent.
    """

    kind: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,40}$")]
    at: Moment
    device: Mark
    request: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,200}$")]
    sent: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    payload: dict[str, Any]


class OpenHandInput(Carried):
    """The open hand."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}-[0-9]{1,7}$")]
    version: Annotated[int, Field(ge=1, le=1_000_000)]
    draft: Annotated[
        dict[Mark, Text], Field(max_length=LONGEST_LIST), _refuse_more_items(LONGEST_LIST)
    ]
    device: Mark
    kept_at: Moment


class CarriedMatch(Carried):
    """A whole match.

    `devices` are all that ever entered it: digest and number in order of entry. `rematch` is its
    rematch in this file; `seal` a digest of the rest.
    """

    id: Name
    started: Moment
    ruleset: Digest
    entries: Annotated[list[EntryInput], Field(min_length=1, max_length=MOST_ENTRIES), FailFast()]
    devices: Annotated[
        dict[Mark, Number], Field(max_length=MOST_DEVICES), _refuse_more_items(MOST_DEVICES)
    ]
    open_hand: OpenHandInput | None
    rematch: Name | None
    seal: Digest


class ExportFile(Carried):
    """The file: matches, most recently changed last, and their frozen rules by digest."""

    format: Literal["scorepad-matches"]
    version: Literal[1]
    rulesets: Annotated[dict[Digest, dict[str, Any]], Field(max_length=MOST_ENTRIES)]
    matches: Annotated[list[CarriedMatch], Field(max_length=MOST_ENTRIES)]


# ----------------------------------------------------------------------------------------- encoding


def compute_seal(match: Json) -> str:
    """Compute the checksum of a match in an export file, which shows whether it was changed.

    It is the SHA-256 of the match as JSON in ASCII, with sorted keys and without spaces. The
    checksum itself, which stands in the match under `seal`, is left out.
    """
    content = {key: match[key] for key in sorted(match) if key != "seal"}
    checksum = hashlib.sha256()
    for piece in _encode_in_pieces(content, _encode_sorted_json):
        checksum.update(piece.encode("ascii"))
    return checksum.hexdigest()


def encode_match(match: Json) -> Iterator[bytes]:
    """Encode a match for an export file, with its checksum as `seal`.

    Yields pieces of JSON, which make one line without its end: `{"id":"7k2mxq4hba",…}`.
    """
    match_with_seal = {**match, "seal": compute_seal(match)}
    for piece in _encode_in_pieces(match_with_seal, _encode_json):
        yield piece.encode("ascii")


def _encode_in_pieces(match: Json, encode_value: Callable[[Any], str]) -> Iterator[str]:
    """Encode a match as JSON, in pieces that are to be joined.

    Each entry of its log is a piece of its own. While Python encodes a value it runs no other
    thread, and a log may be long: other threads get their turn between two pieces. `encode_value`
    encodes a single value as JSON.
    """
    yield "{"
    separator = ""
    for key, value in match.items():
        yield f"{separator}{_encode_json(key)}:"
        if key == "entries":  # the log
            yield from _encode_list_in_pieces(value, encode_value)
        else:
            yield encode_value(value)
        separator = ","
    yield "}"


def _encode_list_in_pieces(
    values: Iterable[Any], encode_value: Callable[[Any], str]
) -> Iterator[str]:
    """Encode a list as JSON, in pieces that are to be joined: `[`, `1`, `,2`, `]`.

    `encode_value` encodes a single value as JSON.
    """
    yield "["
    separator = ""
    for value in values:
        yield f"{separator}{encode_value(value)}"
        separator = ","
    yield "]"


HEAD = f'{{"format":"{FORMAT}","version":{VERSION},\n"rulesets":{{\n'.encode()
BETWEEN = b'\n},\n"matches":[\n'
END = b"\n]}\n"


def encode_rules(digest: str, frozen: Json) -> bytes:
    """Encode the rules of a match for an export file: `"DIGEST":{…}`, on one line without its end.

    The digest, a hash of the rules, is their key in the file.
    """
    return f"{_encode_json(digest)}:{_encode_json(dict(frozen))}".encode("ascii")


def encode(rulesets: Mapping[str, Json], matches: Iterable[Json]) -> bytes:
    """Encode a whole export file at once: rules by their digest, and matches."""
    lines_of_rules = [encode_rules(digest, frozen) for digest, frozen in rulesets.items()]
    lines_of_matches = [b"".join(encode_match(match)) for match in matches]
    rules = b",\n".join(lines_of_rules)
    all_matches = b",\n".join(lines_of_matches)
    return HEAD + rules + BETWEEN + all_matches + END
