"""Every regular expression of the program takes time that grows with the length of the text, no
faster.

The source is searched for them, so that a new one fails here until it has a line in `LINES`: how it
is applied, and the texts that are worst for it. Everyone of them also runs on `USUAL`.
"""

from __future__ import annotations

import ast
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from scorepad.matches import names
from scorepad.rules import toml_text

PACKAGE = Path(__file__).parents[1] / "scorepad"
FUNCTIONS = {
    "compile",
    "match",
    "fullmatch",
    "search",
    "sub",
    "subn",
    "split",
    "findall",
    "finditer",
}
LENGTH = 1_000
MOST_GROWTH = 3.0
"""Twice the text may take twice as long, and the measurement is rough."""
ATTEMPTS = 3
"""Measurements, of which one is enough: other programs disturb them."""
TELLING = 0.002
"""Seconds from which growth is measured: below, it is that of the clock."""
SECONDS = 3
"""Seconds after which an expression has run away."""
USUAL = (
    " ",
    "a",
    "1",
    "x",
    "-",
    "/",
    ".",
    ",",
    "\n",
    '"',
    "[",
    "a.",
    "1 ",
    " x",
    "1x",
    "a-",
    "e ",
    "\u0301",
)
"""What is repeated in the texts for all expressions."""
BEGINNINGS, ENDS = ("", "[", "1"), ("", "!")
Apply = Callable[[re.Pattern[str], str], object]
FULLMATCH: Apply = lambda pattern, text: pattern.fullmatch(text)  # noqa: E731
MATCH: Apply = lambda pattern, text: pattern.match(text)  # noqa: E731
ALL: Apply = lambda pattern, text: sum(1 for _ in pattern.finditer(text))  # noqa: E731


@dataclass(frozen=True)
class Line:
    """How an expression is applied, and what is repeated in the texts that are worst for it.

    `given`: the values of the names that its source has from a function.
    """

    apply: Apply
    hostile: tuple[str, ...] = ()
    given: tuple[tuple[str, Any], ...] = ()


LINES: dict[tuple[str, str], Line] = {
    ("api/operations.py", r"{(\w+)}"): Line(ALL, ("{a", "{{")),
    ("api/operations.py", r"<(?:int:)?(\w+)>"): Line(ALL, ("<int:", "<a")),
    ("app/request_log.py", "(while serving) .*"): Line(ALL, ("while serving", "while serving \n")),
    ("cli/settings_file.py", r"line (\d+)"): Line(ALL, ("line ", "line 1")),
    ("cli/unit.py", "[a-z_][a-z0-9_-]{0,30}"): Line(FULLMATCH, ("a_",)),
    ("cli/unit.py", r"[^\x20-\x7e\u00a0-\U0010ffff]|[\"\\]"): Line(ALL, ("\\",)),
    ("i18n/card_words.py", "(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+"): Line(
        FULLMATCH, ("b", "10b", "bcd")
    ),
    ("i18n/card_words.py", r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}|([24-9])\1+|(?:10){2,}"): Line(
        FULLMATCH, ("k", "a10", "akq", "j", "4", "10")
    ),
    ("i18n/card_words.py", "10|."): Line(ALL, ("10",)),
    ("i18n/card_words.py", "([0-9]{1,3})(x?)(.+)"): Line(FULLMATCH, ("1x",)),
    ("i18n/card_words.py", r'''f"([{''.join(_SUIT_SIGNS)}{_SEPARATORS}])"'''): Line(
        ALL, ("♥", "+")
    ),
    ("i18n/card_words.py", r"\b([0-9]+)\s*x\s+"): Line(ALL, ("1 ", "1  x", "1x")),
    ("i18n/json_errors.py", r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)"): Line(
        FULLMATCH, (" at line 1 column 1", " at line 1", " at line ")
    ),
    ("matches/names.py", "[͏ᅟᅠ឴឵᠋-᠏⠀ㅤ︀-️ﾠ󠄀-󠇯]"): Line(MATCH, ("\u3164",)),
    ("matches/names.py", names._ARTICLE.pattern): Line(MATCH, ("le ", "l'", "la  ", "i e ")),
    ("matches/names.py", " [0-9]{1,3}$"): Line(ALL, (" 1",)),
    ("matches/names.py", " (?:e|ed|and) | ?[-–/+&,] ?"): Line(ALL, (" e", " ed", " - ", " and")),
    ("matches/transaction.py", "[!-~]{1,200}"): Line(FULLMATCH),
    ("matches/file_format.py", "^[a-z0-9]{1,40}$"): Line(MATCH),
    ("matches/file_format.py", "^[0-9a-f]{64}$"): Line(MATCH),
    ("matches/file_format.py", "^[a-z-]{1,40}$"): Line(MATCH),
    ("matches/file_format.py", "^[!-~]{1,200}$"): Line(MATCH),
    ("matches/file_format.py", "^[a-z0-9]{1,40}-[0-9]{1,7}$"): Line(MATCH),
    (
        "rules/cards.py",
        "(?:(?P<number>[0-9]{1,12})x)?"
        "(?:(?P<joker>JK)|(?P<rank>[AKQJT987654]|10|2)(?P<suit>[hdsc])?|3(?P<three>[hdscrb]))",
    ): Line(FULLMATCH, ("9xK", "JK", "3h")),
    ("rules/toml_reader.py", "[a-z0-9]+(?:-[a-z0-9]+)*"): Line(FULLMATCH, ("a-a", "a--")),
    ("rules/toml_reader.py", r"at line (\d+)"): Line(ALL, ("at line ",)),
    ("rules/toml_reader.py", "Cannot (overwrite|declare)"): Line(MATCH, ("Cannot ",)),
    ("rules/toml_text.py", toml_text._TOKEN.pattern): Line(
        MATCH, ('"""', "'", '"""a\\', "'''a", '"a\\', "# a", '""', "a'")
    ),
    ("sheets/stand_in_font.py", r'''f"[{''.join(escaped)}]+"'''): Line(
        ALL, ("\u3164",), (("escaped", ["\u3164", "a"]),)
    ),
    ("storage/own_rules.py", "[^a-z0-9]+"): Line(ALL),
    ("web/refused_forms.py", "[a-z]+(-[a-z]+)*"): Line(FULLMATCH, ("a-a",)),
    ("web/card_lines.py", r"[/;\n]+"): Line(ALL),
    ("web/card_lines.py", r"(?:([0-9]{1,2})x)?(\S+)"): Line(FULLMATCH, ("9xK",)),
    ("web/card_lines.py", "(?:[0-9]+x)?J"): Line(FULLMATCH, ("1xJ",)),
    ("web/forms.py", "[A-Za-z0-9_-]{16,64}"): Line(FULLMATCH),
    ("web/forms.py", r"[-\u2212\u2010-\u2015]\s*[0-9]"): Line(MATCH, ("- ",)),
    ("web/forms.py", r"[-\u2212\u2010-\u2015]\s*"): Line(MATCH, ("- ",)),
    ("web/forms.py", r"[x\u00d7*]"): Line(ALL),
    ("web/forms.py", r"\s+"): Line(ALL),
    ("web/forms.py", r"[\s.,']"): Line(ALL),
    ("web/forms.py", "pattern"): Line(
        FULLMATCH, ("1.", "111.", "111 "), (("pattern", r"\d+|\d{1,3}(?:[ .,]\d{3})+"),)
    ),
    ("web/forms.py", r"[0-9]\s*[+x\u00d7*]"): Line(ALL, ("1  ", "11 ")),
    ("web/forms.py", "[0-9]{1,9}"): Line(FULLMATCH),
    ("web/forms.py", r"\D"): Line(ALL),
    ("web/hand_entry/forms.py", r"opening\.(?P<side>[abc])\.(?P<meld_index>[0-9]{1,2})"): Line(
        FULLMATCH, ("opening.a.1",)
    ),
    ("web/hand_entry/forms.py", "[0-9]{1,9}"): Line(FULLMATCH),
    ("web/hand_entry/forms.py", r"noted\.(?P<entry>[0-9]{1,9})"): Line(FULLMATCH, ("noted.1",)),
    ("web/hand_entry/field_messages.py", "[0-9]{1,2}(?:x[13]?)?"): Line(FULLMATCH, ("1x1",)),
    ("web/hand_fields.py", r"[abc]\.[a-z][a-z0-9_]*(?:[.-][a-z0-9-]+){0,3}"): Line(
        FULLMATCH, ("a.a-", "a-a", "a.a--")
    ),
    (
        "web/hand_fields.py",
        r"(?P<side>[abc])\.(?P<group>house|adjustments)\.(?P<row>[0-5]?[0-9])\.(?:points|reason)",
    ): Line(FULLMATCH, ("a.house.1.",)),
    ("web/phones/views.py", "prefetch|prerender|preview"): Line(
        ALL, ("pre", "prerende", "prefetc")
    ),
    ("web/phones/views.py", r"f'({PROGRAM})?[0-9a-f]{{64}}\\Z'"): Line(MATCH, ("api-",)),
    ("web/phones/views.py", r"f'{NO_SIDE}|[0-2](\\.[0-9])?\\Z'"): Line(MATCH, ("0.1",)),
    ("web/host_names.py", r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?"): Line(FULLMATCH, ("a-", "a.")),
    ("web/headers.py", "/+(e|casa)(/|$)"): Line(MATCH, ("/e", "/casa")),
    ("web/text_search.py", r"(?<!\S)[-\u2212\u2013]\s?(?=\d)"): Line(ALL, ("- ", "-", " -1")),
    ("web/text_search.py", r"[^\W_]+"): Line(ALL, ("a_",)),
    ("web/text_search.py", r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)"): Line(ALL, ("1.111", "1.1", "111")),
}
"""By module and expression, or the source of one that is put together."""


@dataclass(frozen=True)
class Found:
    """A regular expression in the source."""

    module: str
    source: str
    flags: str
    is_text: bool
    """Whether the source is the expression itself."""

    @property
    def key(self) -> tuple[str, str]:
        return self.module, self.source

    def compiled(self, line: Line) -> re.Pattern[str]:
        """The expression, its names taken from its module."""
        dotted = self.module.removesuffix(".py").replace("/", ".")
        known = {**vars(import_module(f"scorepad.{dotted}")), **dict(line.given), "re": re}
        flags = eval(self.flags, known) if self.flags else 0  # noqa: S307 - the source of this program
        text = self.source if self.is_text else eval(self.source, known)  # noqa: S307
        return re.compile(text, flags)


def found_in(source: str, module: str) -> Iterator[Found]:
    """The regular expressions of a module: those of `re`, of WTForms' validators and of pydantic's
    types.
    """
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
        if name.startswith("re.") and name[3:] in FUNCTIONS:
            if name == "re.compile":
                flags += call.args[1:2]
            elif name in ("re.match", "re.fullmatch", "re.search"):
                flags += call.args[2:3]
            yield as_found(module, call.args[0], ast.unparse(flags[0]) if flags else "")
        elif name.rpartition(".")[2] == "Regexp":
            yield as_found(module, call.args[0])
        for keyword in call.keywords:
            if keyword.arg in ("pattern", "regex"):
                yield as_found(module, keyword.value)


def as_found(module: str, source: ast.expr, flags: str = "") -> Found:
    if isinstance(source, ast.Constant):
        return Found(module, str(source.value), flags, is_text=True)
    return Found(module, ast.unparse(source), flags, is_text=False)


def all_found() -> list[Found]:
    found: dict[Found, None] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        found |= dict.fromkeys(
            found_in(path.read_text("utf-8"), path.relative_to(PACKAGE).as_posix())
        )
    return list(found)


FOUND = all_found()


def test_every_expression_has_a_line() -> None:
    assert {each.key for each in FOUND} == LINES.keys()


def test_expressions_are_applied_by_their_names_alone() -> None:
    """`from re import sub` would not be found."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "from re import" not in text, path
        assert not re.search(r"import re as|import regex", text), path


@pytest.mark.parametrize("found", FOUND, ids=lambda found: f"{found.module} {found.source}"[:80])
def test_no_expression_runs_away(found: Found) -> None:
    line = LINES.get(found.key)
    if line is None:
        pytest.fail(f"no line for {found.key}")
    pattern = found.compiled(line)
    for text in (*USUAL, *line.hostile):
        for begin, end in product(BEGINNINGS, ENDS):
            measured = (growth(line.apply, pattern, text, end, begin) for _ in range(ATTEMPTS))
            assert any(ratio <= MOST_GROWTH for ratio in measured), (begin, text, end)


def growth(apply: Apply, pattern: re.Pattern[str], repeated: str, end: str, begin: str) -> float:
    """How much longer the expression takes on a text of 20 times the length than on one of 10
    times; 0 if too short.
    """
    short, long = (begin + repeated * (times * LENGTH // len(repeated)) + end for times in (10, 20))
    with stopped_after(SECONDS):
        if seconds(apply, pattern, long) < TELLING:
            return 0.0
        best_short = min(seconds(apply, pattern, short) for _ in range(5))
        best_long = min(seconds(apply, pattern, long) for _ in range(5))
        return best_long / best_short


def seconds(apply: Apply, pattern: re.Pattern[str], text: str) -> float:
    begun = time.thread_time()
    apply(pattern, text)
    return time.thread_time() - begun


class StillRunning(AssertionError):
    """The expression was stopped."""


@contextmanager
def stopped_after(most: float) -> Iterator[None]:
    """Raise an error if this takes longer: `re` looks for signals while it runs."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise StillRunning(most)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("pattern", "apply", "repeated", "begin"),
    [
        (r"[\s+x*]+$", ALL, "x", ""),
        (r"\s*\[\[?\s*([^\[\]]+?)\s*\]", MATCH, " ", "["),
        (r"\s+(?:e|ed)\s+", ALL, " ", ""),
        (r"(a+)+b", MATCH, "a", ""),
    ],
)
def test_an_expression_that_runs_away_is_noticed(
    pattern: str, apply: Apply, repeated: str, begin: str
) -> None:
    try:
        ratio = growth(apply, re.compile(pattern), repeated, "!", begin)
    except StillRunning:
        return
    assert ratio > MOST_GROWTH
