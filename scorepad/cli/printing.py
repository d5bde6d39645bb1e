"""Standard input and output: what a terminal cannot show comes as near as it can, and what is not there is told."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import BinaryIO

from scorepad.cli.ending import Heard, Stop, Unheard
from scorepad.i18n import Words

_NEAREST = "scorepad.nearest"
_NEAR = {"−": "-", "–": "-", "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x"}


def prepare(speech: Words) -> None:
    """Make sure that an answer can be written. Raises Stop where standard output is closed."""
    if sys.stdout is None:
        raise Stop(speech.text("cli.no-output"))
    codecs.register_error(_NEAREST, _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NEAREST)


def standard_input(speech: Words) -> BinaryIO:
    """What is sent to the command. Raises Stop where nothing is."""
    if sys.stdin is None:
        raise Stop(speech.text("cli.no-input"))
    return sys.stdin.buffer


def say(text: str) -> None:
    """A text for people, and the end of its line. Raises Heard, Unheard."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise Heard from None
    except OSError as trouble:
        raise Unheard(trouble) from trouble


def send(octets: bytes) -> None:
    """An answer for programs, as it is, and the end of its line. Raises Heard, Unheard."""
    try:
        sys.stdout.buffer.write(octets + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise Heard from None
    except OSError as trouble:
        raise Unheard(trouble) from trouble


def tell(sentence: str) -> None:
    """One line on standard error, if anybody listens there."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{' '.join(sentence.split())}\n")
        sys.stderr.flush()
    except OSError:
        hush(sys.stderr.fileno())


def give_up_answering() -> None:
    """What standard output did not take is not tried again when the process ends."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        hush(sys.stdout.fileno())


def hush(stream: int) -> None:
    """What is still waiting to be written there goes nowhere, so that nothing complains when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def shown(path: object) -> str:
    """A file's name in a sentence: on one line, and its middle left out where it is very long."""
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(path))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 2 :]}"


_LONGEST = 240


def _nearest(trouble: UnicodeError) -> tuple[str, int]:
    """Letters that the terminal does not have, as near as it comes: `è` is `e` there, and `−` is `-`."""
    if not isinstance(trouble, UnicodeEncodeError):
        raise trouble
    import unicodedata

    lost = trouble.object[trouble.start : trouble.end]
    near = (_NEAR.get(letter) or unicodedata.normalize("NFKD", letter) for letter in lost)
    return "".join(letters.encode("ascii", "ignore").decode() or "?" for letters in near), trouble.end
