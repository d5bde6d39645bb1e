"""Standard streams, files named on the command line, and exit statuses."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from scorepad.i18n import Words, os_error_text

DONE = 0
REFUSED = 1
UNUSABLE = 2

_LONGEST_NAME = 240
_FALLBACK = "scorepad.fallback"
_REPLACEMENTS = {
    "−": "-", "–": "-", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x",
}  # fmt: skip


class Stop(Exception):
    """Ends a command with a sentence on standard error and an exit status."""

    def __init__(self, sentence: str, status: int = UNUSABLE) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class ReaderGone(Exception):
    """The reader of standard output closed the pipe, as `| head` does. This is no error."""


class OutputFailed(Exception):
    """Standard output cannot be written; `error` is what the system reported."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def prepare(words: Words) -> None:
    """Replace characters that the terminal cannot encode. Raises Stop if standard output is closed."""
    if sys.stdout is None:
        raise Stop(words.text("cli.no-output"))
    codecs.register_error(_FALLBACK, _closest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_FALLBACK)


def print_text(text: str) -> None:
    """Write a text and a line break to standard output. Raises ReaderGone, OutputFailed."""
    _write(sys.stdout, f"{text}\n")


def print_bytes(content: bytes) -> None:
    """Write bytes, unchanged, and a line break to standard output. Raises ReaderGone, OutputFailed."""
    _write(sys.stdout.buffer, content + b"\n")


def print_error(sentence: str) -> None:
    """Write one line to standard error, if it is open."""
    if sys.stderr is None:
        return
    try:
        _write(sys.stderr, f"{' '.join(sentence.split())}\n")
    except (ReaderGone, OutputFailed):
        discard(sys.stderr.fileno())


def flush_or_discard() -> None:
    """Flush standard output; discard what it does not take, so that Python does not try again at exit."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        discard(sys.stdout.fileno())


def discard(descriptor: int) -> None:
    """Send what is still buffered for a file descriptor to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def shown(name: object) -> str:
    """A file name for a sentence: printable, on one line, shortened in the middle."""
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(name))
    half = _LONGEST_NAME // 2
    return text if len(text) <= _LONGEST_NAME else f"{text[:half]}…{text[-half:]}"


def require_name(given: str | None, option: str, words: Words) -> None:
    """Raise Stop if the file name given for an option is empty."""
    if given == "":
        raise Stop(words.text("cli.no-name", given=option))


@contextmanager
def open_input(file: str | None, words: Words) -> Iterator[BinaryIO]:
    """Open FILE, or standard input for None and `-`. Raises Stop if it cannot be opened or read."""
    require_name(file, "FILE", words)
    path = None if file in (None, "-") else Path(str(file))
    try:
        with nullcontext(_standard_input(words)) if path is None else path.open("rb") as stream:
            yield stream
    except OSError as error:
        name = words.text("cli.input") if path is None else shown(file)
        raise Stop(words.text("cli.cannot-read", file=name, detail=os_error_text(error, words))) from None


def write_file(file: Path, content: bytes, words: Words) -> None:
    """Write a file and print its name. Raises Stop."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Stop(words.text("cli.cannot-write", file=shown(file), detail=os_error_text(error, words))) from error
    print_text(words.text("cli.written", file=shown(file)))


def _standard_input(words: Words) -> BinaryIO:
    if sys.stdin is None:
        raise Stop(words.text("cli.no-input"))
    return sys.stdin.buffer


def _write(stream: Any, content: str | bytes) -> None:
    try:
        stream.write(content)
        stream.flush()
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise OutputFailed(error) from error


def _closest(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: `è` becomes `e`, `−` becomes `-`, and what has no equivalent `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    lost = error.object[error.start : error.end]
    closest = (_REPLACEMENTS.get(letter) or unicodedata.normalize("NFKD", letter) for letter in lost)
    return "".join(letters.encode("ascii", "ignore").decode() or "?" for letters in closest), error.end
