"""Every regular expression of the program takes time that grows with the length of the text, no
faster.

The source is searched for them, so that a new one fails here until it has a line in
`patterns.toml`: how it is applied, and the texts that are worst for it. Everyone of them also runs
on `USUAL`.
"""

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
from types import FrameType, ModuleType
from typing import Any

import pytest

from tests.data import read_data

PACKAGE = Path(__file__).parents[1] / "scorepad"
TABLE = read_data("patterns.toml")
USUAL = tuple(TABLE.pop("usual"))
FUNCTIONS = [
    "compile",
    "match",
    "fullmatch",
    "search",
    "sub",
    "subn",
    "split",
    "findall",
    "finditer",
]
LENGTH = 1_000
MOST_GROWTH = 3.0
"""Twice the text may take twice as long, and the measurement is rough."""
ATTEMPTS = 3
"""Measurements, of which one is enough."""
TELLING = 0.002
"""Seconds from which growth is measured: below, it is that of the clock."""
SECONDS = 3
"""Seconds after which an expression has run away."""
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


def read_lines() -> dict[tuple[str, str], Line]:
    """The lines of `patterns.toml`, by module and expression, or the source of one that is put
    together.
    """
    applied = {"fullmatch": FULLMATCH, "match": MATCH, "finditer": ALL}
    lines = {}
    for module, rows in TABLE.items():
        for row in rows:
            given = tuple(row.get("given", {}).items())
            line = Line(applied[row["applied"]], tuple(row.get("hostile", ())), given)
            if "attribute" in row:
                lines[module, vars(imported(module))[row["attribute"]].pattern] = line
            else:
                lines[module, row["expression"]] = line
    return lines


def imported(module: str) -> ModuleType:
    return import_module("scorepad." + module.removesuffix(".py").replace("/", "."))


LINES = read_lines()


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
        known = {**vars(imported(self.module)), **dict(line.given), "re": re}
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
        if name.startswith("re.") and name[3:] in FUNCTIONS:
            flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
            flags += call.args[1:2] if name == "re.compile" else call.args[2:3]
            has_flags = flags and "re." in ast.unparse(flags[0])
            yield as_found(module, call.args[0], ast.unparse(flags[0]) if has_flags else "")
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
        module = path.relative_to(PACKAGE).as_posix()
        found |= dict.fromkeys(found_in(path.read_text("utf-8"), module))
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
    assert found.key in LINES, f"no line for {found.key}"
    line = LINES[found.key]
    pattern = found.compiled(line)
    for text in (*USUAL, *line.hostile):
        for begin, end in product(BEGINNINGS, ENDS):
            assert grows_no_faster_than_the_text(line.apply, pattern, text, end, begin), (
                begin,
                text,
                end,
            )


def grows_no_faster_than_the_text(
    apply: Apply, pattern: re.Pattern[str], repeated: str, end: str, begin: str
) -> bool:
    """Whether one of some measurements says so: other programs disturb them."""
    for _ in range(ATTEMPTS):
        if growth(apply, pattern, repeated, end, begin) <= MOST_GROWTH:
            return True
    return False


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
