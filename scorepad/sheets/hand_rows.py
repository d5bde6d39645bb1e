"""A counted hand for people: its lines across the sides, for the match page, the match sheet and the CSV file.

A row holds the lines themselves. The page folds their sources away, the sheet prints a mark and a footnote where a line
is a reading of the sources, the CSV file has a column for each item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import Counted
from scorepad.matches.projection import HandState
from scorepad.rules.citations import Standing
from scorepad.rules.score import ITEMS, Line


@dataclass(frozen=True, slots=True)
class Row:
    """What a line is for, and the line of each side; None where a side has none."""

    item: str
    code: str | None
    label: str
    lines: tuple[Line | None, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The places that say what was applied, each once."""
        return tuple(dict.fromkeys(place for line in self.lines if line for place in line.sources))

    @property
    def is_reading(self) -> bool:
        """Whether what was applied is an inference from the sources."""
        return any(line is not None and line.standing is Standing.READ for line in self.lines)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments of a reading (`read.…` in the catalogue)."""
        return tuple(dict.fromkeys(name for line in self.lines if line for name in line.read))


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of one counting of a hand, side by side; `names` are those of the sides."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    sides: tuple[tuple[Line, ...], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """The points that each side made."""
        return tuple(sum(line.points for line in lines) for lines in self.sides)

    @property
    def readings(self) -> dict[tuple[str, ...], list[str]]:
        """The arguments of its readings, each with the labels of the rows that rest on it."""
        found: dict[tuple[str, ...], list[str]] = {}
        for row in self.rows:
            if row.arguments:
                found.setdefault(row.arguments, []).append(row.label)
        return found


Key = tuple[str, str | None, str | None, int]
"""Item, code and reason of a line, and its place among several of the same."""


def table_of(counted: Counted, names: Sequence[str], variant: str, words: Words, *, by_reason: bool) -> Table:
    """A counting in rows, in the order of the items; `by_reason`: each reason has a row, and is told in it."""
    by_side = [keyed(lines, by_reason=by_reason) for lines in counted.lines]
    keys = sorted(dict.fromkeys(key for lines in by_side for key in lines), key=lambda key: ITEMS.index(key[0]))
    rows = tuple(_row(key, by_side, counted, variant, words) for key in keys)
    return Table(tuple(names), rows, counted.lines)


def _row(key: Key, by_side: Iterable[Mapping[Key, Line]], counted: Counted, variant: str, words: Words) -> Row:
    item, code, reason, _ = key
    label = line_label(item, code, reason, words, concealed=is_concealed(counted.hand), variant=variant)
    return Row(item, code, label, tuple(lines.get(key) for lines in by_side))


def keyed(lines: Iterable[Line], *, by_reason: bool) -> dict[Key, Line]:
    """The lines of a side by what they are for."""
    seen: Counter[tuple[str, str | None, str | None]] = Counter()
    found = {}
    for line in lines:
        kind = (line.item, line.code, line.reason if by_reason else None)
        found[*kind, seen[kind]] = line
        seen[kind] += 1
    return found


def line_label(
    item: str, code: str | None, reason: str | None, words: Words, *, concealed: bool, variant: str
) -> str:  # fmt: skip
    """What a line is for; `concealed`: whoever went out of the hand did so concealed."""
    if code:
        return words.text(f"penalty.{code}")
    if item == "out" and concealed:
        return words.text("item.out-concealed")
    label = item_word(variant, item, words)
    return words.text("web.line.agreed", item=label, reason=reason) if reason else label


def is_concealed(hand: Mapping[str, Any]) -> bool:
    """Whether the side that went out of a hand did so concealed."""
    return bool((hand.get("out") or {}).get("concealed"))


def special_hands(hand: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, str]]:
    """The sides that showed a special hand, each with that hand's name in the rules."""
    sides = hand.get("sides", {})
    shown = ((name, sides.get(key, {}).get("special")) for key, name in zip(SIDE_KEYS, names, strict=False))
    return [(name, special) for name, special in shown if special]


def single_and_pair(hand: HandState, names: Sequence[str], words: Words) -> tuple[str, str]:
    """Who played alone, and the pair, where pairs are made anew in every hand; empty where everybody played alone."""
    if hand.single is None:
        return "", ""
    return names[hand.single], words.listing(name for side, name in enumerate(names) if side != hand.single)
