"""The sentences of errors of the data file, and of requests on it."""

from __future__ import annotations

from scorepad.cli.output import LONGEST, chosen_words, printable_name, t
from scorepad.errors import ScorepadError
from scorepad.i18n import describe_system_error
from scorepad.matches.access import MatchNotFound
from scorepad.storage.connection import (
    BrokenFile,
    Busy,
    EarlierFile,
    FolderUnwritable,
    ForeignFile,
    NewerFile,
    NoCopy,
    NoRoom,
    NotKept,
    StorageError,
    Unwritable,
)

_MESSAGES: dict[type[StorageError], str] = {
    NewerFile: "serve.newer-file",
    EarlierFile: "serve.earlier-file",
    FolderUnwritable: "serve.folder",
    NotKept: "backup.not-kept",
    NoCopy: "backup.cannot",
    ForeignFile: "serve.foreign-file",
    BrokenFile: "serve.broken-file",
    Unwritable: "serve.unwritable",
    Busy: "serve.busy",
    NoRoom: "serve.no-room",
}
"""The message of each error; a class stands before those that it is derived from."""
_NO_COPY = ("data-file", "not-ours", "in-use")
"""The reasons for refusing a backup that have their own message."""


def data_file_error(error: ScorepadError) -> str:
    """Return the message for an error of the data file, or of a command on it."""
    if isinstance(error, MatchNotFound):
        return t("cli.no-match", match=printable_name(error.id[:LONGEST]))
    if isinstance(error, StorageError):
        return _storage_error(error)
    from scorepad.sheets.pdf import NoPdf  # rarely needed, and slow to import

    if isinstance(error, NoPdf) and error.package:
        return t("serve.no-pdf-package", package=error.package)
    if isinstance(error, NoPdf):
        return t("serve.no-pdf", detail=error.detail)
    return t("cli.broken", detail=type(error).__name__)


def _storage_error(error: StorageError) -> str:
    """Return the message for an error of the data file, with its path and what the system says."""
    text_of_system = error.detail or type(error).__name__
    detail = describe_system_error(error.reason, text_of_system, chosen_words())
    arguments: dict[str, int | str] = {
        "file": printable_name(error.path),
        "folder": printable_name(error.folder),
        "detail": detail,
    }
    if isinstance(error, NewerFile):
        arguments["version"] = error.version
        arguments["known"] = error.known
    return t(_storage_message_key(error), **arguments)


def _storage_message_key(error: StorageError) -> str:
    """Return the key of the message for an error of the data file: Busy → `serve.busy`.

    A refused backup may have a message for its reason: `in-use` → `backup.in-use`.
    """
    if isinstance(error, NoCopy) and error.reason in _NO_COPY:
        return f"backup.{error.reason}"
    for error_class, key in _MESSAGES.items():  # derived classes stand first
        if isinstance(error, error_class):
            return key
    return "serve.storage"
