"""Five hundred texts that nobody should be able to do harm with, and whether each may be a name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote_from_bytes

from tests.web.tables import read_tables

LONGEST_NAME, LONGEST_NOTE = 60, 300
NUMBER = 500


@dataclass(frozen=True)
class Hostile:
    """A text, as a browser sends it."""

    kind: str
    text: str
    is_name: bool
    """Whether it may be a name; worked out by hand for each kind."""
    octets: bytes = b""
    """What is sent in the place of the text where it cannot be said in UTF-8."""

    @property
    def sent(self) -> bytes:
        return self.octets or self.text.encode()


_TABLES = read_tables("hostile")
TURNING = tuple("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
CONTROLS = tuple(map(chr, (*range(0x20), 0x7F, 0x80, 0x85, 0x9F, 0x2028, 0x2029)))
SPACE = tuple("\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")
"""Controls that are space at the end of a name, and fall away there."""
LONE = (
    b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"a\xed\xa0\x80b", b"\xff", b"\xc0\xaf",
    b"\xf8", b"\xc3",
)  # fmt: skip
"""Lone surrogates and other octets that are no text: a browser sends none. They stay as they stand
in a form.
"""


def texts() -> tuple[Hostile, ...]:
    """All of them, the same each time: those of each kind, and mixtures of two."""
    chance = random.Random(6)  # noqa: S311 - the same each time
    found = {hostile.sent: hostile for hostile in _unmixed_texts()}
    mixable = [each for each in found.values() if not each.octets and len(each.text) < 30]
    while len(found) < NUMBER:
        mixed = _mix(*chance.sample(mixable, 2))
        found.setdefault(mixed.sent, mixed)
    return tuple(found.values())[:NUMBER]


def _mix(first: Hostile, second: Hostile) -> Hostile:
    """Two texts between letters. A control in the middle does not fall away, and a mark is not all
    of a name.
    """
    text = f"a{first.text}b{second.text}c"
    is_name = len(text) <= LONGEST_NAME
    for forbidden in (*CONTROLS, *TURNING):
        if forbidden in text:
            is_name = False
    return Hostile(f"{first.kind} and {second.kind}", text, is_name)


def _unmixed_texts() -> Iterator[Hostile]:
    for kind in ("markup", "formula", "emoji", "script"):
        for text in _TABLES[kind]:
            yield Hostile(kind, text, is_name=True)
    for mark in TURNING:
        yield Hostile("turning", f"{mark}Noi", is_name=False)
        yield Hostile("turning inside", f"No{mark}i", is_name=False)
    for mark in _TABLES["unseen"]:
        yield Hostile("unseen", f"N{mark}oi", is_name=True)
        yield Hostile("nothing but unseen", mark * 3, is_name=False)
    for control in CONTROLS:
        yield Hostile("control", f"N{control}oi", is_name=False)
        yield Hostile("control at the end", f"Noi{control}", is_name=control in SPACE)
    for head, mark, times in _TABLES["marks"]:
        yield Hostile("marks", head + mark * times, is_name=True)
    for text, times, is_name in _TABLES["long"]:
        yield Hostile("long", text * times, is_name)
    for octets in LONE:
        yield Hostile("no text", quote_from_bytes(octets), is_name=True, octets=octets)
