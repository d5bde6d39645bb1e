"""Benchmarks: our work and a bare floor in turn, in one run; the figure is the ratio.

    python -m pytest -m bench -p no:xdist

Times are reported, never asserted: these tests assert that both sides did the same work.
`SCOREPAD_BENCH=N` sets the number of rounds, 5 by default. The figures are printed at the end as
the Markdown table of docs/benchmarks.md.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROUNDS = int(os.environ.get("SCOREPAD_BENCH", "5"))
MOST_TOLD = 8
"""Figures of a kind that are told each; of more the lowest and the highest."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure: seconds of ours and of the floor (medians), and the median of the ratios round by
    round.

    What stands in its name before the first comma is its kind.
    """

    name: str
    ours: float
    floor: float
    ratio: float
    reach: str

    @property
    def kind(self) -> tuple[str, str]:
        """What it is a figure of, and what is wanted of it."""
        return self.name.partition(", ")[0], self.reach

    @property
    def single(self) -> str:
        """What it is among those of its kind."""
        return self.name.partition(", ")[2]


_TOLD: list[Measured] = []
_SAID: list[str] = []
Clock = Callable[[], float]
"""Seconds: those that pass, or what a process uses of a processor."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Measures ours against a floor, in turn."""

    rounds: int

    def compare(
        self,
        name: str,
        ours: Callable[[], object],
        floor: Callable[[], object],
        reach: str,
        *,
        before: Callable[[], object] = lambda: None,
        times: int = 1,
        each: int = 1,
        clocks: tuple[Clock, Clock] = (time.perf_counter, time.perf_counter),
    ) -> Measured:
        """Run both, once unmeasured and then in turn, and remember the figure for the end of the
        run.

        `before` prepares each turn of ours, unmeasured; `times` as many rounds, for work that is
        short; `each` so many things are done in a turn, and the seconds are those of one; `clocks`
        measure ours and the floor.
        """
        pairs = []
        for _ in range(1 + self.rounds * times):
            before()
            pairs.append((_seconds(ours, clocks[0]), _seconds(floor, clocks[1])))
        del pairs[0]
        mine, theirs = (statistics.median(pair[side] / each for pair in pairs) for side in (0, 1))
        measured = Measured(name, mine, theirs, statistics.median(a / b for a, b in pairs), reach)
        _TOLD.append(measured)
        return measured

    def say(self, figure: str) -> None:
        """Tell at the end of the run a figure that follows from what was measured."""
        _SAID.append(figure)


def _seconds(work: Callable[[], object], clock: Clock) -> float:
    start = clock()
    work()
    return clock() - start


@pytest.fixture
def bench() -> Bench:
    return Bench(ROUNDS)


@pytest.fixture
def tmp_path(on_disk: Path) -> Path:
    """On a disk: in memory nothing would wait for it, neither ours nor the floor."""
    return on_disk


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _TOLD:
        return
    terminalreporter.section(f"against a bare floor, {ROUNDS} rounds")
    for line in _table():
        terminalreporter.write_line(line)
    for said in _SAID:
        terminalreporter.write_line(said)


def _table() -> Iterator[str]:
    """What was measured, in Markdown."""
    yield "| what | times the floor | reach | ours | floor |"
    yield "|---|---|---|---|---|"
    kinds: dict[tuple[str, str], list[Measured]] = {}
    for figure in _TOLD:
        kinds.setdefault(figure.kind, []).append(figure)
    for figures in kinds.values():
        yield from (map(_row, figures) if len(figures) <= MOST_TOLD else [_rows(figures)])


def _row(figure: Measured) -> str:
    ours, floor = _seconds_told(figure.ours), _seconds_told(figure.floor)
    return f"| {figure.name} | {figure.ratio:.2f} | {figure.reach} | {ours} | {floor} |"


def _rows(figures: list[Measured]) -> str:
    """Many figures of a kind in one row."""
    kind, reach = figures[0].kind
    least, *_, most = sorted(figures, key=lambda figure: figure.ratio)
    ratios = f"{least.ratio:.2f} ({least.single}) to {most.ratio:.2f} ({most.single})"
    longest = max(figures, key=lambda figure: figure.ours)
    ours = f"up to {_seconds_told(longest.ours)} ({longest.single})"
    return f"| {kind}, {len(figures)} of them | {ratios} | {reach} | {ours} | {_seconds_told(longest.floor)} |"


def _seconds_told(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.{0 if seconds >= 100 * size else 1}f} {unit}"
    return f"{seconds * 1e6:.0f} µs"
