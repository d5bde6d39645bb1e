"""What the commands do with the matches of a data file: list them, write a sheet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scorepad.cli.datafile import data_path, is_there, open_pad, storage_stop
from scorepad.cli.ending import DONE, UNUSABLE, Stop
from scorepad.cli.printing import say, shown, tell
from scorepad.i18n import Words, because
from scorepad.pad.errors import MatchNotFound
from scorepad.pad.values import MatchSummary
from scorepad.pad.who import KEEPER, MatchId
from scorepad.storage.errors import StorageError


def list_matches(data: str | None, speech: Words) -> int:
    """Print the matches of the file, those in progress first. Raises Stop."""
    path = data_path(data, speech)
    if data is None and not is_there(path, speech):
        say(speech.text("cli.matches.none"))
        return DONE
    try:
        pad = open_pad(path, speech)
        found = pad.summaries(KEEPER)
        lines = [
            _listed(match, pad.records.place(match.id, KEEPER), speech)
            for match in (*found.in_progress, *found.finished)
        ]
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    for line in lines:
        say(line)
    if found.garbled:
        tell(speech.text("cli.matches.garbled", matches=", ".join(found.garbled)))
        return UNUSABLE
    if not any(found):
        say(speech.text("cli.matches.none"))
    return DONE


def write_sheet(match: str, output: str | None, data: str | None, speech: Words) -> int:
    """Write the match sheet as PDF. Raises Stop."""
    return write_pdf(lambda: _sheet(match, data_path(data, speech), speech), output, f"{match}.pdf", speech)


def write_pdf(made: Callable[[], bytes], output: str | None, usual: str, speech: Words) -> int:
    """Write a PDF into the file asked for, or into that of the usual name. Raises Stop."""
    from scorepad.sheets.pdf import NoPdf

    if output == "":
        raise Stop(speech.text("cli.no-name", given="-o"))
    file = Path(output or usual)
    try:
        pdf = made()
    except NoPdf as trouble:
        raise Stop(speech.text("serve.no-pdf", detail=trouble.detail)) from trouble
    try:
        file.write_bytes(pdf)
    except OSError as trouble:
        detail = because(trouble, speech)
        raise Stop(speech.text("cli.cannot-write", file=shown(file), detail=detail)) from trouble
    say(speech.text("cli.written", file=shown(file)))
    return DONE


def _sheet(match: str, path: Path, speech: Words) -> bytes:
    from scorepad.sheets.match_sheet import match_sheet

    try:
        return match_sheet(open_pad(path, speech).state(MatchId(match), KEEPER), speech)
    except MatchNotFound:
        raise Stop(speech.text("cli.no-match", match=shown(match[:40]))) from None
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble


def _listed(match: MatchSummary, place: str, speech: Words) -> str:
    """A match by all that tells it from another of the same names: players, place, day and time."""
    players = match.players or ((),) * len(match.names)
    scores = ", ".join(
        f"{_side(name, seated, speech)} {speech.figure(total)}"
        for name, seated, total in zip(match.names, players, match.totals, strict=True)
    )
    state = speech.text("cli.matches.finished" if match.standing.finished else "cli.matches.open")
    when = match.changed.astimezone()
    return f"{match.id}  {scores}  ({', '.join(filter(None, (place, state, speech.day(when), speech.clock(when))))})"


def _side(name: str, players: tuple[str, ...], speech: Words) -> str:
    named = [player for player in players if player]
    return f"{name} ({speech.listing(named)})" if named else name
