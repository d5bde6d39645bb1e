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
from functools import partial
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


def _parse_moment(text: object) -> datetime:
    """A time in UTC with microseconds. Raises ValueError for any other text."""
    moment = datetime.fromisoformat(str(text))
    if as_moment(moment) != text:  # the same time written otherwise, such as in another zone
        raise ValueError
    return moment


def _limit_items(limit: int) -> BeforeValidator:
    """A validator that refuses a list or an object with more items than this, before any of them is
    looked at.
    """
    return BeforeValidator(partial(_require_few_items, limit=limit))


def _require_few_items(value: object, *, limit: int) -> object:
    """Return a JSON value as it is. Raises ValueError for a list or an object with more items than
    the limit.
    """
    if isinstance(value, list | dict) and len(value) > limit:
        raise ValueError(f"more than {limit} items")
    return value


Moment = Annotated[datetime, BeforeValidator(_parse_moment)]
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
    def _has_few_keys(cls, value: object) -> object:
        """Return a JSON value as it is. Raises ValueError for an object with too many keys."""
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
    draft: Annotated[dict[Mark, Text], Field(max_length=LONGEST_LIST), _limit_items(LONGEST_LIST)]
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
        dict[Mark, Number], Field(max_length=MOST_DEVICES), _limit_items(MOST_DEVICES)
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


def seal_of(match: Json) -> str:
    """A digest of a match, to detect corruption and manual edits.

    SHA-256 of the match without its `seal` as JSON in ASCII, keys sorted, without spaces.
    """
    digest = hashlib.sha256()
    keys = sorted(key for key in match if key != "seal")
    for piece in _pieces_of({key: match[key] for key in keys}, _encode_sorted_json):
        digest.update(piece.encode("ascii"))
    return digest.hexdigest()


def match_pieces(match: Json) -> Iterator[bytes]:
    """A match with its seal, on one line."""
    for piece in _pieces_of({**match, "seal": seal_of(match)}, _encode_json):
        yield piece.encode("ascii")


def _pieces_of(match: Json, encode_value: Callable[[Any], str]) -> Iterator[str]:
    """A match as JSON, in pieces that are to be joined: its keys and its values, and each entry of
    its log by itself.

    A log may be long. While a value is encoded Python runs no other thread, so they get their turn
    between two pieces. `encode_value` returns a value as JSON.
    """
    yield "{"
    separator = ""
    for key, value in match.items():
        yield f"{separator}{_encode_json(key)}:"
        if key == "entries":
            yield from _list_pieces(value, encode_value)
        else:
            yield encode_value(value)
        separator = ","
    yield "}"


def _list_pieces(values: Iterable[Any], encode_value: Callable[[Any], str]) -> Iterator[str]:
    """A list as JSON, in pieces that are to be joined: one for each of its values.

    `encode_value` returns a value as JSON.
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


def rules_line(digest: str, frozen: Json) -> bytes:
    """The frozen rules with this digest, on one line."""
    return f"{_encode_json(digest)}:{_encode_json(dict(frozen))}".encode("ascii")


def encode(rulesets: Mapping[str, Json], matches: Iterable[Json]) -> bytes:
    """The whole file."""
    rules = b",\n".join(rules_line(digest, frozen) for digest, frozen in rulesets.items())
    lines = b",\n".join(b"".join(match_pieces(match)) for match in matches)
    return b"".join((HEAD, rules, BETWEEN, lines, END))
