"""What `scorepad backup` does."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from scorepad.cli.datafile import data_path, is_there, storage_stop
from scorepad.cli.ending import DONE, Stop
from scorepad.cli.printing import say, shown
from scorepad.i18n import Words, machine_word
from scorepad.storage.backup import back_up
from scorepad.storage.errors import NoCopy, StorageError

_OWN = ("data-file", "not-ours", "in-use")
"""Why a backup is not put there, where that takes a sentence of its own."""


def write_backup(target: str | None, data: str | None, speech: Words) -> int:
    """Copy the data file, and tell where the copy is. Raises Stop."""
    if target == "":
        raise Stop(speech.text("cli.no-name", given="-o"))
    path = data_path(data, speech)
    if not is_there(path, speech):
        raise Stop(speech.text("serve.no-file", file=shown(path)))
    try:
        made = back_up(path, None if target is None else Path(target).expanduser(), datetime.now().astimezone())
    except NoCopy as trouble:
        raise Stop(_refused(trouble, speech)) from trouble
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    say(speech.plural("backup.done", made.matches, file=shown(made.path)))
    return DONE


def _refused(trouble: NoCopy, speech: Words) -> str:
    if trouble.reason in _OWN:
        return speech.text(f"backup.{trouble.reason}", file=shown(trouble.path))
    detail = machine_word(trouble.reason, trouble.detail, speech)
    return speech.text("backup.cannot", folder=shown(trouble.folder), detail=detail)
