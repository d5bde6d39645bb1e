"""What `scorepad export` and `scorepad import` do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from scorepad.cli.datafile import data_path, open_pad, storage_stop
from scorepad.cli.ending import DONE, UNUSABLE, Stop
from scorepad.cli.printing import say, send, shown, standard_input, tell
from scorepad.contract import Unusable
from scorepad.contract.exports import LARGEST_FILE
from scorepad.errors import NewerError
from scorepad.i18n import Words, because
from scorepad.pad import Pad
from scorepad.pad.errors import MatchNotFound
from scorepad.pad.exporting import Exported
from scorepad.pad.importing import Imported, read_file
from scorepad.pad.values import MatchState
from scorepad.pad.who import KEEPER, MatchId
from scorepad.storage import Storage
from scorepad.storage.errors import BrokenFile, StorageError


def write_export(match: str | None, output: str | None, data: str | None, speech: Words, *, as_rows: bool) -> int:
    """Write matches to a file, or to standard output. Raises Stop."""
    if output == "":
        raise Stop(speech.text("cli.no-name", given="-o"))
    pad = open_pad(data_path(data, speech), speech)
    try:
        octets, unread = (_rows if as_rows else _whole)(pad, match, speech)
    except MatchNotFound:
        raise Stop(speech.text("cli.no-match", match=shown((match or "")[:40]))) from None
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    if output is None:
        send(octets.removesuffix(b"\n"))
    else:
        _write(Path(output), octets, speech)
    if unread:
        tell(speech.text("files.unread", matches=", ".join(unread)))
        return UNUSABLE
    return DONE


def _write(file: Path, octets: bytes, speech: Words) -> None:
    try:
        file.write_bytes(octets)
    except OSError as trouble:
        detail = because(trouble, speech)
        raise Stop(speech.text("cli.cannot-write", file=shown(file), detail=detail)) from trouble
    say(speech.text("cli.written", file=shown(file)))


def _whole(pad: Pad, match: str | None, _: Words) -> tuple[bytes, tuple[MatchId, ...]]:
    told: Exported = pad.exports.every(KEEPER) if match is None else pad.exports.match(MatchId(match), KEEPER)
    return told.encoded(), told.unread


def _rows(pad: Pad, match: str | None, speech: Words) -> tuple[bytes, tuple[MatchId, ...]]:
    from scorepad.sheets.csv_rows import rows_csv

    if match is not None:
        return rows_csv([pad.state(MatchId(match), KEEPER)], speech), ()
    unread: list[MatchId] = []
    return rows_csv(_states(pad, unread), speech), tuple(unread)


def _states(pad: Pad, unread: list[MatchId]) -> Iterator[MatchState]:
    """Every match that counts; those that are garbled are noted."""
    for name in pad.exports.names(KEEPER):
        try:
            state = pad.state(name, KEEPER)
        except (BrokenFile, NewerError, MatchNotFound):
            unread.append(name)
        else:
            if not state.practice:
                yield state


def take_import(file: str, data: str | None, speech: Words) -> int:
    """Take the matches of a file in. Raises Stop."""
    source, path = _read(file, speech), data_path(data, speech)
    try:
        # First of all, so that a file that cannot be taken in leaves no empty data file behind.
        read = read_file(source)
        told = Pad(Storage(path)).imports.put(read, KEEPER)
    except Unusable as trouble:
        raise Stop(trouble.told(speech)) from None
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    for sentence in _told(told, speech):
        say(sentence)
    return DONE


def _read(file: str, speech: Words) -> bytes:
    """The file, no more of it than is taken."""
    if not file:
        raise Stop(speech.text("cli.no-name", given="FILE"))
    told = speech.text("cli.input") if file == "-" else shown(file)
    try:
        with nullcontext(standard_input(speech)) if file == "-" else Path(file).open("rb") as stream:
            return stream.read(LARGEST_FILE + 1)
    except OSError as trouble:
        raise Stop(speech.text("cli.cannot-read", file=told, detail=because(trouble, speech))) from None


def _told(told: Imported, speech: Words) -> Iterator[str]:
    if told.taken:
        yield speech.plural("files.taken", len(told.taken), matches=", ".join(told.taken))
    if told.here:
        yield speech.plural("files.here", len(told.here), matches=", ".join(told.here))
    if not (told.taken or told.here):
        yield speech.text("files.none")
