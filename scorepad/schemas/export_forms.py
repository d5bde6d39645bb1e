"""The forms of the export file: matches with their whole logs, as a file tells them. What has been written once stands.

Strict as those of a hand, and everything limited in size. Moments are in UTC with microseconds. Devices are told as the
data file knows them, by a digest that opens nothing; keys are never told.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from scorepad.schemas.export_atoms import Digest, Draft, Mark, Moment, Name, Number, Request, Sequence
from scorepad.schemas.forms import Form

FORMAT = "scorepad-matches"
VERSION = 1
"""Of the form of the file: a later one says more, or says it otherwise."""


class EntryForm(Form):
    """One thing done in a match; its order is its place in the list. `sent` is a digest of what was sent."""

    kind: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,40}$")]
    at: Moment
    device: Mark
    request: Request
    sent: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    payload: dict[str, Any]


class DeviceForm(Form):
    """A device that ever came to the match, by its digest, and its number in the order of coming."""

    number: Number
    device: Mark


class OpenHandForm(Form):
    """The hand being typed."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}-[0-9]{1,7}$")]
    version: Sequence
    draft: Draft
    device: Mark
    kept_at: Moment


class CarriedMatch(Form):
    """A match whole. `rematch` is the match of this file that began as its rematch; `seal` a digest of the rest."""

    id: Name
    started: Moment
    ruleset: Digest
    entries: Annotated[list[EntryForm], Field(min_length=1, max_length=100_000)]
    devices: Annotated[list[DeviceForm], Field(max_length=10_000)]
    open_hand: OpenHandForm | None
    rematch: Name | None
    seal: Digest


class ExportFile(Form):
    """The file: matches, the one changed last last, and by their digest the frozen rules that they are played by."""

    format: Literal["scorepad-matches"]
    version: Literal[1]
    rulesets: Annotated[dict[Digest, dict[str, Any]], Field(max_length=100_000)]
    matches: Annotated[list[CarriedMatch], Field(max_length=100_000)]
