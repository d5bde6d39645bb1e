"""What `scorepad doctor` does: everything looked at in turn, a line for each, nothing changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scorepad.cli.datafile import data_path, is_there, storage_stop
from scorepad.cli.ending import DONE, REFUSED, Stop
from scorepad.cli.examining_around import around, machine
from scorepad.cli.printing import say, shown
from scorepad.errors import NewerError
from scorepad.i18n import Words, because, machine_word
from scorepad.pad.folding import fold
from scorepad.pad.shelf import Shelf
from scorepad.pad.states import summary_record
from scorepad.storage.errors import BrokenFile, StorageError
from scorepad.storage.examining import Finding, examine
from scorepad.storage.files import whole_path
from scorepad.storage.reading import Reading

_MARK_WIDTH = 12


def tell_state(data: str | None, speech: Words) -> int:
    """Print what was found, good or not; 1 where anything is not. Raises Stop."""
    path = data_path(data, speech)
    if data is not None and not is_there(path, speech):
        raise Stop(speech.text("serve.no-file", file=shown(path)))
    wrong = 0
    try:
        for finding in _findings(path, speech):
            wrong += not finding.is_good
            mark = speech.text("doctor.good" if finding.is_good else "doctor.wrong")
            say(f"{mark:<{_MARK_WIDTH}}{told(finding, speech)}")
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    except OSError as trouble:
        raise Stop(speech.text("serve.unwritable", file=shown(path), detail=because(trouble, speech))) from trouble
    say(speech.plural("doctor.found", wrong) if wrong else speech.text("doctor.well"))
    return REFUSED if wrong else DONE


def _findings(path: Path, speech: Words) -> Iterator[Finding]:
    yield from machine()
    if not is_there(path, speech):
        yield Finding("no-file", figures={"file": shown(path)})
        return
    whole = whole_path(path)
    yield from around(whole)
    yield from examine(whole, MatchCheck())


def told(finding: Finding, speech: Words) -> str:
    """A finding in one sentence or two: what it is, and what to do where it is not good."""
    figures = dict(finding.figures)
    if finding.reason or finding.detail:
        figures["detail"] = machine_word(finding.reason, finding.detail, speech)
    return speech.text(f"doctor.{finding.code}", **figures)


class MatchCheck:
    """Reads matches whole, one after the other: their logs add up, and the lists say the same."""

    def __init__(self) -> None:
        self._shelf = Shelf()  # for the rules, which many matches share

    def __call__(self, rows: Reading, match: str) -> str:
        """What is wrong with a match, as the end of a key; empty for nothing. Raises BrokenFile."""
        record = rows.match(match)
        if record is None:
            return ""  # deleted since it was listed
        try:
            log = fold(record, rows.entries(match), self._shelf.rules_of(rows))
        except (NewerError, LookupError, ValueError, TypeError):
            # Sealed and yet no log: by a later scorepad, or by a program that is none.
            return "match-strange"
        rows.open_hand(match)
        try:
            return "" if rows.summary(match) == summary_record(log) else "summary-differs"
        except BrokenFile:
            return "summary-differs"
