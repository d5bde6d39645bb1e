"""Every regular expression of the program takes time that grows with the length of the text, no
faster.

The source is searched for them, so that a new one fails here until it has a line in
`patterns.toml`: how it is applied, and the texts that are worst for it. Everyone of them also runs
on the `usual` texts there.
"""

import ast
import math
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from tests.data import read_data

PACKAGE = Path(__file__).parents[1] / "scorepad"
PATTERNS = read_data("patterns.toml")
USUAL_TEXTS = PATTERNS.pop("usual")
FUNCTIONS_OF_RE = [
    "re.compile",
    "re.match",
    "re.fullmatch",
    "re.search",
    "re.sub",
    "re.subn",
    "re.split",
    "re.findall",
    "re.finditer",
]
SHORT = 10_000
LONG = 20_000
"""The lengths of the two texts, in characters."""
MOST_GROWTH = 3.0
"""Twice the text may take twice as long, and the measurement is rough."""
SHORTEST_MEASURABLE = 0.002
"""Seconds from which growth is measured: below, it is that of the clock."""
MOST_SECONDS = 3
"""Seconds after which an expression is stopped."""
Apply = Callable[[re.Pattern[str], str], object]


def apply_fullmatch(pattern: re.Pattern[str], text: str) -> object:
    return pattern.fullmatch(text)


def apply_match(pattern: re.Pattern[str], text: str) -> object:
    return pattern.match(text)


def apply_finditer(pattern: re.Pattern[str], text: str) -> None:
    for _ in pattern.finditer(text):
        pass


APPLY_BY_NAME = {
    "fullmatch": apply_fullmatch,
    "match": apply_match,
    "finditer": apply_finditer,
}


@dataclass(frozen=True)
class Expression:
    """A regular expression in the source of the program.

    `source` is the expression itself, or Python code that makes it if `is_text` is false.
    """

    module: str
    source: str
    flags: str
    is_text: bool

    @property
    def key(self) -> tuple[str, str]:
        return self.module, self.source

    def compile(self, given: dict[str, Any]) -> re.Pattern[str]:
        """Compile the expression.

        Python code that makes it may use the names of its module, and those of a function around it,
        whose values are `given`.
        """
        names = {**vars(import_scorepad_module(self.module)), **given, "re": re}
        text = self.source if self.is_text else evaluate(self.source, names)
        flags = evaluate(self.flags, names) if self.flags else 0
        return re.compile(text, flags)


def evaluate(source: str, names: dict[str, Any]) -> Any:
    """Return the value of a piece of the program's own source."""
    return eval(source, names)  # noqa: S307


def import_scorepad_module(path: str) -> ModuleType:
    return import_module("scorepad." + path.removesuffix(".py").replace("/", "."))


def read_rows() -> dict[tuple[str, str], dict[str, Any]]:
    """Return the rows of `patterns.toml` by the keys of their expressions: module and source.

    A row has the expression itself, or the attribute of the module that holds it, if it is long.
    """
    rows_by_key = {}
    for module, rows in PATTERNS.items():
        for row in rows:
            if "attribute" in row:
                pattern = getattr(import_scorepad_module(module), row["attribute"])
                rows_by_key[module, pattern.pattern] = row
            else:
                rows_by_key[module, row["expression"]] = row
    return rows_by_key


def find_expressions(code: str, module: str) -> Iterator[Expression]:
    """Find the regular expressions of a module.

    They stand in calls of functions of `re`, of WTForms' validator `Regexp`, and of pydantic's
    types with `pattern=`.
    """
    for call in ast.walk(ast.parse(code)):
        if not isinstance(call, ast.Call):
            continue
        function = ast.unparse(call.func)
        if function in FUNCTIONS_OF_RE:
            yield make_expression(module, call.args[0], find_flags(function, call))
        elif function.rpartition(".")[2] == "Regexp":
            yield make_expression(module, call.args[0])
        for keyword in call.keywords:
            if keyword.arg in ("pattern", "regex"):
                yield make_expression(module, keyword.value)


def find_flags(function: str, call: ast.Call) -> str:
    """Return the source of the flags in a call of `re`, such as "re.ASCII", or "" if it has none."""
    # The flags of `re.compile` are its second argument. All other functions take a text as second.
    place_of_first_flags = 1 if function == "re.compile" else 2
    candidates = call.args[place_of_first_flags:]

    # In any call they may also be written as `flags=re.ASCII`.
    candidates += [keyword.value for keyword in call.keywords if keyword.arg == "flags"]

    for candidate in candidates:
        source = ast.unparse(candidate)
        if source.startswith("re."):
            return source
    return ""


def make_expression(module: str, source: ast.expr, flags: str = "") -> Expression:
    """Make the expression that stands in the source as a string, or as code that makes one."""
    if isinstance(source, ast.Constant):
        return Expression(module, str(source.value), flags, is_text=True)
    return Expression(module, ast.unparse(source), flags, is_text=False)


def find_all_expressions() -> list[Expression]:
    """List the regular expressions of the program, each once."""
    expressions: list[Expression] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        for expression in find_expressions(path.read_text("utf-8"), module):
            if expression not in expressions:
                expressions.append(expression)
    return expressions


EXPRESSIONS = find_all_expressions()
ROWS = read_rows()


def test_every_expression_is_in_patterns_toml() -> None:
    assert {expression.key for expression in EXPRESSIONS} == ROWS.keys()


def test_functions_of_re_are_called_by_their_full_name() -> None:
    # The search finds only `re.sub(…)`, not `sub(…)` after `from re import sub`.
    for path in PACKAGE.rglob("*.py"):
        code = path.read_text("utf-8")
        assert "from re import" not in code, path
        assert "import re as" not in code, path
        assert "import regex" not in code, path


@pytest.mark.parametrize(
    "expression",
    EXPRESSIONS,
    ids=lambda expression: f"{expression.module} {expression.source}"[:80],
)
def test_expression_takes_linear_time(expression: Expression) -> None:
    # Every regular expression in the program has a row in patterns.toml. The row says by which
    # method of `re` it is applied, and which texts are worst for it (`hostile`).
    assert expression.key in ROWS, f"no line in patterns.toml for {expression.key}"
    row = ROWS[expression.key]
    pattern = expression.compile(row.get("given", {}))
    apply = APPLY_BY_NAME[row["applied"]]

    # It is applied to texts such as "[k/k/k/…!": something that is repeated, alone or between a
    # beginning and an end. Twice the text may not take much more than twice the time.
    for repeated in (*USUAL_TEXTS, *row.get("hostile", ())):
        for beginning in ("", "[", "1"):
            for end in ("", "!"):
                text = (beginning, repeated, end)
                assert is_linear(apply, pattern, *text), text


def is_linear(
    apply: Apply, pattern: re.Pattern[str], beginning: str, repeated: str, end: str
) -> bool:
    """Tell whether the time grows with the length, and no faster.

    Other programs disturb measurements, so that one of three is enough.
    """
    for _ in range(3):
        if measure_growth(apply, pattern, beginning, repeated, end) <= MOST_GROWTH:
            return True
    return False


def measure_growth(
    apply: Apply, pattern: re.Pattern[str], beginning: str, repeated: str, end: str
) -> float:
    """Return how many times longer a text of 20,000 characters takes than one of 10,000.

    Each is measured five times and the least counts. 0 if the time is too short to be measured.
    """
    short_text = beginning + repeated * (SHORT // len(repeated)) + end
    long_text = beginning + repeated * (LONG // len(repeated)) + end
    with stop_after(MOST_SECONDS):
        if measure_seconds(apply, pattern, long_text) < SHORTEST_MEASURABLE:
            return 0.0
        least_for_short = min(measure_seconds(apply, pattern, short_text) for _ in range(5))
        least_for_long = min(measure_seconds(apply, pattern, long_text) for _ in range(5))
        return least_for_long / least_for_short


def measure_seconds(apply: Apply, pattern: re.Pattern[str], text: str) -> float:
    """Return the seconds of processor time that applying the pattern to the text takes."""
    started = time.thread_time()
    apply(pattern, text)
    return time.thread_time() - started


class StillRunning(AssertionError):
    """The expression was stopped."""


@contextmanager
def stop_after(seconds: float) -> Iterator[None]:
    """Raise an error if the block takes longer: `re` looks for signals while it runs."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise StillRunning(seconds)

    earlier_handler = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier_handler)


@pytest.mark.parametrize(
    ("expression", "apply", "beginning", "repeated"),
    [
        (r"[\s+x*]+$", apply_finditer, "", "x"),
        (r"\s*\[\[?\s*([^\[\]]+?)\s*\]", apply_match, "[", " "),
        (r"\s+(?:e|ed)\s+", apply_finditer, "", " "),
        (r"(a+)+b", apply_match, "", "a"),
    ],
)
def test_expression_that_takes_longer_than_linear_time_is_noticed(
    expression: str, apply: Apply, beginning: str, repeated: str
) -> None:
    # It is applied to the texts "aaa…!" with 10,000 and 20,000 letters. The "!" prevents a match, so
    # that it tries again at every place, or in every way.
    pattern = re.compile(expression)
    try:
        growth = measure_growth(apply, pattern, beginning, repeated, end="!")
    except StillRunning:  # it was stopped after three seconds
        growth = math.inf

    # Twice the text takes more than three times as long.
    assert growth > 3.0
