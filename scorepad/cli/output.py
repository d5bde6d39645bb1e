"""What the commands read and write: texts in the chosen language, standard streams and files."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

import click

from scorepad.i18n import Words, describe_os_error

DONE = 0
REFUSED = 1
UNUSABLE = 2
INTERRUPTED = 130
"""Exit statuses; the last is that of shells after Ctrl-C."""
LONGEST = 40
"""Characters of a wrong argument that an error repeats."""
_LONGEST_NAME = 240
"""Characters of a file name in a message."""
_NO_BROKEN_PIPE = frozenset({"win32"})
"""Systems, by their name in Python, that have no error of their own for a closed pipe."""
_STDOUT_DESCRIPTOR = 1
_STDERR_DESCRIPTOR = 2
_SIMILAR_LETTERS = "scorepad.fallback"
"""The name under which Python finds `_replace_unknown_letters`."""
_REPLACEMENTS = {
    "−": "-", "–": "-", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x",
}  # fmt: skip


def chosen_words() -> Words:
    """Return the words of the language chosen by `--lang`.

    `main` gives them to the outermost context of click, and click passes them on to the context of
    each command, as it does with any object that a program gives it.
    """
    return cast(Words, click.get_current_context().obj)


def t(key: str, /, **arguments: int | str) -> str:
    """Return the message with this key in the language of the command line."""
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
    """End the program because standard output takes nothing more.

    That is no error if the reader has closed the pipe, as `scorepad matches | head` does. For any
    other reason Stop is raised: "Cannot write the answer: no space left on device. …"
    """
    # Windows says EINVAL for a closed pipe.
    is_closed_on_windows = sys.platform in _NO_BROKEN_PIPE and error.errno == errno.EINVAL
    if isinstance(error, BrokenPipeError) or is_closed_on_windows:
        raise SystemExit from None  # `_run` returns 0 for it
    raise Stop("cli.cannot-answer", detail=describe_os_error(error, chosen_words())) from error


def write_error_line(sentence: str) -> None:
    """Write a message to standard error on one line, if standard error is open."""
    try:
        click.echo(" ".join(sentence.split()), sys.stderr, err=True)
    except OSError:
        discard_buffer(sys.stderr)


def discard_buffer(stream: Any) -> None:
    """Throw away what is buffered for an output stream that cannot be written.

    Otherwise Python would try to write it once more at exit, and print an error.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())


def printable_name(name: object) -> str:
    """Make a file name, or another text, fit to be shown in a message.

    Control characters are replaced. A name of more than 240 characters loses its middle:
    `/home/anna/…/matches.db`.
    """
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
    """Open a file to read bytes from it; for None and `-`, standard input.

    Raises Stop if it cannot be opened, and also if it cannot be read later on.
    """
    if file == Path("-"):
        file = None
    if file is None and sys.stdin is None:
        raise Stop("cli.no-input")
    try:
        if file is None:
            yield sys.stdin.buffer
        else:
            with file.open("rb") as stream:
                yield stream
    except OSError as error:  # raised here, or while the caller reads
        name = t("cli.input") if file is None else printable_name(file)
        detail = describe_os_error(error, chosen_words())
        raise Stop("cli.cannot-read", file=name, detail=detail) from None


def write_file(file: Path, content: bytes) -> None:
    """Write a file, and print that it was written. Raises Stop if that fails."""
    try:
        file.write_bytes(content)
    except OSError as error:
        detail = describe_os_error(error, chosen_words())
        raise Stop("cli.cannot-write", file=printable_name(file), detail=detail) from error
    write_line(t("cli.written", file=printable_name(file)))


# ---------------------------------------------------------------- the standard streams


def prepare_output() -> None:
    """Let standard output and standard error show similar letters for those that they do not know.

    Raises Stop if standard output is closed.
    """
    if sys.stdout is None:
        raise Stop("cli.no-output")
    # Python calls the function for letters that a stream with this kind of `errors` cannot encode.
    codecs.register_error(_SIMILAR_LETTERS, _replace_unknown_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_SIMILAR_LETTERS)


def _replace_unknown_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that a terminal does not know by similar ones.

    Python calls this when it cannot encode them (see `codecs.register_error`). The answer is the
    text to write instead, and the index from which encoding goes on.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown_letters = error.object[error.start : error.end]
    replaced = "".join([_find_similar_letter(letter) for letter in unknown_letters])
    return replaced, error.end


def _find_similar_letter(letter: str) -> str:
    """Find a similar character that every terminal knows: `è` → `e`, `−` → `-`, any other → `?`."""
    if letter in _REPLACEMENTS:
        return _REPLACEMENTS[letter]
    import unicodedata

    decomposed = unicodedata.normalize("NFKD", letter)  # an `e`, and the accent by itself
    ascii_letters = decomposed.encode("ascii", "ignore").decode()
    return ascii_letters or "?"


def keep_libraries_off_output() -> None:
    """Let the output of libraries go to standard error, also of those in C.

    Some print a banner to standard output, where it would stand between our answers, often JSON. C
    libraries write to file descriptor 1 whatever `sys.stdout` is. So we go on writing to a copy of
    that descriptor, and the descriptor itself is pointed at standard error. This is not undone: a
    library may write its buffer only when the process ends.
    """
    output = sys.stdout
    if not isinstance(output, io.TextIOWrapper) or not _is_open(output, _STDOUT_DESCRIPTOR):
        return  # a caller, such as a test, has replaced `sys.stdout`
    output.flush()

    copy_of_stdout = os.dup(_STDOUT_DESCRIPTOR)
    sys.stdout = io.TextIOWrapper(
        os.fdopen(copy_of_stdout, "wb"),
        encoding=output.encoding,
        errors=output.errors,
        line_buffering=output.line_buffering,
    )

    if _is_open(sys.stderr, _STDERR_DESCRIPTOR):
        os.dup2(_STDERR_DESCRIPTOR, _STDOUT_DESCRIPTOR)
    else:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDOUT_DESCRIPTOR)


def _is_open(stream: Any, descriptor: int) -> bool:
    """Tell whether a standard stream is open, and writes to this file descriptor."""
    try:
        return stream is not None and stream.fileno() == descriptor
    except (OSError, ValueError):
        return False
