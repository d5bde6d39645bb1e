"""The file of the matches: where it is, opened for a command, and its troubles in a sentence."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from scorepad.cli.ending import Stop
from scorepad.cli.printing import shown
from scorepad.i18n import Words, because, machine_word
from scorepad.pad import Pad
from scorepad.storage import Storage
from scorepad.storage.errors import (
    BrokenFile,
    Busy,
    FolderUnwritable,
    ForeignFile,
    NewerFile,
    NoRoom,
    NotKept,
    StorageError,
    Unwritable,
)

_TOLD: dict[type[StorageError], str] = {
    ForeignFile: "serve.foreign-file",
    BrokenFile: "serve.broken-file",
    Unwritable: "serve.unwritable",
    Busy: "serve.busy",
    NoRoom: "serve.no-room",
}


def default_data() -> Path:
    """The file of the matches where none is named: in the user's data folder."""
    return platformdirs.user_data_path("scorepad", appauthor=False) / "scorepad.db"


def data_path(data: str | None, speech: Words) -> Path:
    """The file that `--data` names. Raises Stop for what can be no name."""
    if data is None:
        return default_data()
    if not data:
        raise Stop(speech.text("cli.no-name", given="--data"))
    try:
        return Path(data).expanduser()
    except RuntimeError:
        raise Stop(speech.text("cli.no-home", given=shown(Path(data).parts[0]))) from None


def open_pad(path: Path, speech: Words) -> Pad:
    """The pad on a file that is there. Raises Stop."""
    try:
        if not is_there(path, speech):
            raise Stop(speech.text("serve.no-file", file=shown(path)))
        return Pad(Storage(path))
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble


def is_there(path: Path, speech: Words) -> bool:
    """Whether there is anything under this name. Raises Stop where nobody can tell."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as trouble:
        raise Stop(speech.text("serve.unwritable", file=shown(path), detail=because(trouble, speech))) from None
    return True


def storage_stop(trouble: StorageError, speech: Words) -> Stop:
    """A data file that cannot be used, in a sentence."""
    file = shown(trouble.path)
    detail = machine_word(trouble.reason, trouble.detail or type(trouble).__name__, speech)
    match trouble:
        case NewerFile():
            return Stop(speech.text("serve.newer-file", file=file, version=trouble.version, known=trouble.known))
        case FolderUnwritable():
            return Stop(speech.text("serve.folder", folder=shown(trouble.folder), detail=detail))
        case NotKept():
            return Stop(speech.text("backup.not-kept", file=file, folder=shown(trouble.folder), detail=detail))
    key = next((key for kind, key in _TOLD.items() if isinstance(trouble, kind)), "serve.storage")
    return Stop(speech.text(key, file=file, detail=detail))
