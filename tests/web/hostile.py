"""Five hundred texts that nobody should be able to do harm with, and whether each may be a name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote_from_bytes

LONGEST_NAME, LONGEST_NOTE = 60, 300
NUMBER = 500


@dataclass(frozen=True)
class Hostile:
    """A text, as a browser sends it. `octets`: what is sent in its place where it cannot be said in
    UTF-8.
    """

    kind: str
    text: str
    is_name: bool
    """Whether it may be a name: by the rules told in the README of the names, worked out by hand
    for each kind.
    """
    octets: bytes = b""

    @property
    def sent(self) -> bytes:
        return self.octets or self.text.encode()


MARKUP = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "' onmouseover='alert(1)",
    "</textarea><script>x</script>", "</title><h1>x</h1>", "<!--", "-->", "]]>", "<![CDATA[x", "<b>Noi</b>",
    "&lt;b&gt;",
    "&amp;amp;", "&#60;script&#62;", "{{ 7*7 }}", "{% raw %}", "${7*7}", "<%= 7 %>", "#{7*7}", "%(name)s", "%s %d %n",
    "{0.__class__}", "javascript:alert(1)", "<a href=javascript:x>y</a>", "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0>", "<link rel=stylesheet href=//e.x/y>", "<style>*{display:none}</style>",
    "<iframe src=//e.x>", "<form action=//e.x>", "<use href='file:///etc/passwd#x'/>", "expression(alert(1))",
    "url(http://e.x/)", "@import 'http://e.x'", "*/}body{display:none}/*", "\\", "\\u003cscript\\u003e", '\\"', "'--",
    "'; DROP TABLE matches; --", '" OR 1=1', "../../etc/passwd", "..\\..\\x", "C:\\con", "%00", "%0d%0aSet-Cookie: x=1",
    "a,b;c", '"a";"b"', "null", "undefined", "NaN", "-0", "true", "__proto__", "constructor",
)  # fmt: skip
FORMULAS = (
    "=1+1", "=cmd|' /C calc'!A0", "+39 055 123", "-1+2", "@SUM(1)", '=HYPERLINK("http://e.x";"y")', "'=1", '"=1',
    "＝1+1", "﹣1", "＋1", "＠x", "−1", " =1", "=", "+", "@", "-", "|calc", "%0A=1", "\u200b=1", "\u2060=1+1",
    "\ufeff=1", "\u00a0=1", "\u3000=1", ";=1", ",=1", "=1;=2",
)  # fmt: skip
TURNING = tuple("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNSEEN = (
    "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u200f", "\u061c", "\u180e", "\ufe0f",
    "\u034f", "\u3164", "\u2800", "\U000e0041", "\U0001d173",
)  # fmt: skip
CONTROLS = tuple(map(chr, (*range(0x20), 0x7F, 0x80, 0x85, 0x9F, 0x2028, 0x2029)))
SPACE = (
    "\t",
    "\n",
    "\x0b",
    "\x0c",
    "\r",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x1f",
    "\x85",
    "\u2028",
    "\u2029",
)
"""Controls that are space at the end of a name, and fall away there."""
EMOJI = (
    "😀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇮🇹", "👍🏽", "🂡", "♠️", "1️⃣", "🫠", "\U0001f9d1\u200d\U0001f9bd\u200d\u27a1\ufe0f",
)  # fmt: skip
SCRIPTS = (
    "محمد", "דוד", "李雷", "प्रिया", "ไทย", "ქართული", "한국어", "Ελένη", "Борис", "አማርኛ", "محمد 123", "a محمد b", "١٢٣",
    "𝕹𝖔𝖎", "ﬁ", "Å", "ǆ", "ß", "İ", "ｎｏｉ", "№", "²", "ꙮ", "\U0010fffd", "\ue000",
)  # fmt: skip
MARKS = (
    "e\u0301",
    "e" + "\u0301" * 30,
    "\u0301",
    "o\u0338\u0489",
    "Z" + "͑̓̈́" * 10,
    "\u0e49" * 40,
    "\u20dd",
    "a\u20e3",
)
LONG = (
    ("W" * 60, True), ("W" * 61, False), ("à" * 60, True), ("😀" * 60, True), ("😀" * 61, False), ("x" * 300, False),
    ("x" * 10_000, False), ("<b>" * 3000, False), ("\u0301" * 10_000, False), ("e\u0301" * 60, True),
    ("a " * 5000, False),
    ("=" * 10_000, False), ("\u200b" * 61, False), ("\ufdfa" * 60, True), ("&" * 60, True), ("&" * 61, False),
)  # fmt: skip
LONE = (
    b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"a\xed\xa0\x80b", b"\xff", b"\xc0\xaf",
    b"\xf8", b"\xc3",
)  # fmt: skip
"""Lone surrogates and other octets that are no text: a browser sends none. They stay as they stand
in a form.
"""


def texts() -> tuple[Hostile, ...]:
    """All of them, the same each time."""
    chance = random.Random(6)  # noqa: S311 - the same each time
    found = {each.sent: each for each in _plain()}
    mixable = [each for each in found.values() if not each.octets and len(each.text) < 30]
    while len(found) < NUMBER:
        first, second = chance.sample(mixable, 2)
        text = f"a{first.text}b{second.text}c"
        # A control in the middle does not fall away, and neither does a mark that is nothing by
        # itself.
        bad = any(each in text for each in (*CONTROLS, *TURNING)) or len(text) > LONGEST_NAME
        mixed = Hostile(f"{first.kind} and {second.kind}", text, not bad)
        found.setdefault(mixed.sent, mixed)
    return tuple(found.values())[:NUMBER]


def _plain() -> Iterator[Hostile]:
    yield from (Hostile("markup", text, True) for text in MARKUP)
    yield from (Hostile("formula", text, True) for text in FORMULAS)
    yield from (Hostile("turning", f"{mark}Noi", False) for mark in TURNING)
    yield from (Hostile("turning inside", f"No{mark}i", False) for mark in TURNING)
    yield from (Hostile("unseen", f"N{mark}oi", True) for mark in UNSEEN)
    yield from (Hostile("nothing but unseen", mark * 3, is_name=False) for mark in UNSEEN)
    yield from (Hostile("control", f"N{control}oi", False) for control in CONTROLS)
    yield from (
        Hostile("control at the end", f"Noi{control}", control in SPACE) for control in CONTROLS
    )
    yield from (Hostile("emoji", text, True) for text in EMOJI)
    yield from (Hostile("script", text, True) for text in SCRIPTS)
    yield from (Hostile("marks", text, True) for text in MARKS)
    yield from (Hostile("long", text, is_name) for text, is_name in LONG)
    yield from (Hostile("no text", quote_from_bytes(octets), True, octets) for octets in LONE)
