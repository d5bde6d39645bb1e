"""What the commands read and write: texts in the chosen language, standard streams and files."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from scorepad.i18n import Words, os_error_text

DONE = 0
REFUSED = 1
UNUSABLE = 2
INTERRUPTED = 130
"""Exit statuses; the last is that of shells after Ctrl-C."""
SPEECH: ContextVar[Words] = ContextVar("speech")
"""The words of the language chosen by `--lang`."""
LONGEST = 40
"""Characters of a wrong argument that an error repeats."""
_LONGEST_NAME = 240
"""Characters of a file name in a message."""
_STDOUT_DESCRIPTOR = 1
_STDERR_DESCRIPTOR = 2
_FALLBACK = "scorepad.fallback"
"""The codec error handler for characters that a terminal cannot encode."""
_REPLACEMENTS = {
    "−": "-", "–": "-", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x",
}  # fmt: skip


def chosen_words() -> Words:
    return SPEECH.get()


def t(key: str, /, **arguments: int | str) -> str:
    """A message in the language of the command line."""
    return chosen_words().t(key, **arguments)


class Stop(click.ClickException):
    """Ends a command with a message on standard error."""

    def __init__(self, key: str, /, **arguments: int | str) -> None:
        super().__init__(t(key, **arguments))


def write_line(text: str) -> None:
    """Write text and a line break to standard output.

    Ends the program if the reader has closed the pipe. Raises Stop for any other error.
    """
    try:
        click.echo(text, sys.stdout)
    except OSError as error:
        _stop_writing(error)


def write_json_line(json: bytes) -> None:
    """Write JSON and a line break to standard output, so that the reader has it at once.

    Ends the program if the reader has closed the pipe. Raises Stop for any other error.
    """
    # Not by click: it looks for the stream of bytes again for each line, which takes as long as
    # writing.
    stream = sys.stdout.buffer
    try:
        stream.write(json + b"\n")
        stream.flush()
    except OSError as error:
        _stop_writing(error)


def _stop_writing(error: OSError) -> NoReturn:
    """End the program, since standard output does not take what is written; if that is because its
    reader has closed the pipe, without an error.
    """
    if isinstance(error, BrokenPipeError):
        raise SystemExit from None  # as click does: `| head` is not an error
    raise Stop("cli.cannot-answer", detail=os_error_text(error, chosen_words())) from error


def write_error_line(sentence: str) -> None:
    """Write one line to standard error, if it is open."""
    try:
        click.echo(" ".join(sentence.split()), sys.stderr, err=True)
    except OSError:
        discard_buffer(sys.stderr)


def discard_buffer(stream: Any) -> None:
    """Discard buffered output, so that Python does not try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def printable_name(name: object) -> str:
    """A file name for a message: printable, on one line, shortened in the middle."""
    text = ""
    for letter in str(name):
        if letter.isprintable():
            text += letter
        else:
            text += "\N{REPLACEMENT CHARACTER}"
    if len(text) <= _LONGEST_NAME:
        return text
    half = _LONGEST_NAME // 2
    return f"{text[:half]}…{text[-half:]}"


@contextmanager
def open_input(file: Path | None) -> Iterator[BinaryIO]:
    """Open a file for reading, or standard input for None and `-`.

    Raises Stop if it cannot be opened, or later not be read.
    """
    is_standard_input = file is None or file == Path("-")
    if is_standard_input and sys.stdin is None:
        raise Stop("cli.no-input")
    try:
        if is_standard_input:
            yield sys.stdin.buffer
        else:
            assert file is not None
            with file.open("rb") as stream:
                yield stream
    except OSError as error:
        name = t("cli.input") if is_standard_input else printable_name(file)
        detail = os_error_text(error, chosen_words())
        raise Stop("cli.cannot-read", file=name, detail=detail) from None


def write_file(file: Path, content: bytes) -> None:
    """Write a file and print its name. Raises Stop."""
    try:
        file.write_bytes(content)
    except OSError as error:
        detail = os_error_text(error, chosen_words())
        raise Stop("cli.cannot-write", file=printable_name(file), detail=detail) from error
    write_line(t("cli.written", file=printable_name(file)))


# ---------------------------------------------------------------- the standard streams


def prepare_output() -> None:
    """Replace characters that the terminal cannot encode. Raises Stop if standard output is closed."""
    if sys.stdout is None:
        raise Stop("cli.no-output")
    codecs.register_error(_FALLBACK, _closest_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_FALLBACK)


def _closest_letters(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: `è` becomes `e`, `−` becomes `-`, a letter without equivalent `?`.

    Python calls it with the letters that cannot be encoded. It returns what is written instead, and
    where encoding goes on.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    text = ""
    for letter in error.object[error.start : error.end]:
        if letter in _REPLACEMENTS:
            text += _REPLACEMENTS[letter]
            continue
        decomposed = unicodedata.normalize("NFKD", letter)
        ascii_letters = decomposed.encode("ascii", "ignore").decode()
        text += ascii_letters or "?"
    return text, error.end


def keep_libraries_off_output() -> None:
    """From now on, send to standard error what libraries print to standard output, also from C.

    Some print banners, which would stand among the answers of the program. This is not undone: a C
    library may print what it has buffered when the process ends.
    """
    output = sys.stdout
    if not isinstance(output, io.TextIOWrapper) or not _is_open(output, _STDOUT_DESCRIPTOR):
        return  # replaced by a caller
    output.flush()
    # The program goes on writing to the same place, by another file descriptor…
    sys.stdout = io.TextIOWrapper(
        os.fdopen(os.dup(_STDOUT_DESCRIPTOR), "wb"),
        encoding=output.encoding,
        errors=output.errors,
        line_buffering=output.line_buffering,
    )
    # … and the usual one, to which libraries write, leads to standard error.
    if _is_open(sys.stderr, _STDERR_DESCRIPTOR):
        os.dup2(_STDERR_DESCRIPTOR, _STDOUT_DESCRIPTOR)
    else:
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT_DESCRIPTOR)


def _is_open(stream: Any, descriptor: int) -> bool:
    """Whether a standard stream is open, and writes to this file descriptor."""
    try:
        return stream is not None and stream.fileno() == descriptor
    except (OSError, ValueError):
        return False
