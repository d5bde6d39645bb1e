"""Benchmarks: our work and a bare floor in turn, in one run; the figure is the ratio.

    python -m pytest tests/bench -p no:xdist

A time is told, never asserted: what these tests assert is that both sides did the same work. In the usual run they go
round a few times only, so that they do not rust; `SCOREPAD_BENCH=N` sets the rounds.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

ROUNDS = int(os.environ.get("SCOREPAD_BENCH", "5"))


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure: seconds of ours and of the floor (medians), and the median of the ratios round by round."""

    name: str
    ours: float
    floor: float
    ratio: float
    reach: str


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
        clocks: tuple[Clock, Clock] = (time.perf_counter, time.perf_counter),
    ) -> Measured:
        """Run both, once unmeasured and then in turn, and remember the figure for the end of the run.

        `before` prepares each turn of ours, unmeasured; `times` as many rounds, for work that is short; `clocks`
        measure ours and the floor.
        """
        pairs = []
        for _ in range(1 + self.rounds * times):
            before()
            pairs.append((_seconds(ours, clocks[0]), _seconds(floor, clocks[1])))
        del pairs[0]
        mine, theirs = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _TOLD:
        return
    terminalreporter.section(f"against a bare floor, {ROUNDS} rounds")
    for figure in _TOLD:
        terminalreporter.write_line(
            f"{figure.name:<44} {figure.ratio:7.2f} times ({figure.reach})"
            f"   {figure.ours * 1000:9.2f} ms, floor {figure.floor * 1000:9.2f} ms"
        )
    for said in _SAID:
        terminalreporter.write_line(said)
