"""Texts made to hurt, and how they are measured: at a quarter of the size limit of what reads them,
and at the whole.

Told are the time beside a bare floor over the same text (`json.loads`, `str.split`), and how much
longer four times the text takes: 4 is linear, 16 the square. The usual run goes up to a small part
of the limits; `SCOREPAD_BENCH=3` to all.
"""

import gc
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.bench.conftest import Bench
from tests.data import read_data
from tests.soak.costs.shapes import Made, shape_of

BODY, FIELD, TEXT, UPLOAD = 256 * 1024, 1000, 20_000, 8 * 2**20
"""Characters: of what is sent, of a field that is read, of a text in a file, a file."""
HOSTILE = read_data("bench/hostile.toml")
SHARE = 1 if "SCOREPAD_BENCH" in os.environ else 64
TOLD_FROM = 0.001
"""Seconds from which the growth is told: below, what is measured is the clock."""


@dataclass(frozen=True)
class Shape:
    """Something that reads, a text made for it of about so many characters, and how long one may
    be.
    """

    name: str
    ours: Callable[[str], object]
    made: Made
    most: int = BODY
    floor: Callable[[str], object] = str.split


def made_in(row: dict[str, Any]) -> Made:
    """The text of a row of `hostile.toml`, a shape as in tests/soak/costs/shapes.toml."""
    parts = ("repeat", "numbered", "join", "begin", "end")
    return shape_of({key: row[key] for key in parts if key in row})


def measure(bench: Bench, shape: Shape) -> None:
    """Tell how long a shape takes beside the floor, and how that grows."""
    most = shape.most // SHARE if shape.most > TEXT else shape.most
    short, text = (shape.made(size) for size in (most // 4, most))
    clocks = (time.process_time, time.process_time)
    rounds = Bench(bench.rounds if SHARE == 1 else 1)
    measured = rounds.compare(
        shape.name,
        lambda: shape.ours(text),
        lambda: shape.floor(text),
        f"{len(text):,} characters",
        clocks=clocks,
    )
    quarter, whole = (quickest(shape.ours, each) for each in (short, text))
    assert min(measured.ours, quarter, whole) > 0, "all were answered"
    if whole > TOLD_FROM:
        bench.say(f"{shape.name}: 4 times the text takes {whole / quarter:.1f} times as long")


def quickest(read: Callable[[str], object], text: str) -> float:
    """Seconds of the processor, at best, while nobody sweeps up after other tests."""
    found = []
    gc.disable()
    try:
        for _ in range(3):
            begun = time.process_time()
            read(text)
            found.append(time.process_time() - begun)
    finally:
        gc.enable()
    return min(found)
