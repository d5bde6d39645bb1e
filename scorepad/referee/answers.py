"""Rulings: a verdict, its reasons with their sources, and the figures of the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scorepad.rules.cards import Cards
from scorepad.rules.checks import Figure
from scorepad.rules.definitions import Standing

Detail = str | int | bool | None
"""A figure or a word of the case: points, cards, or a name of the contract's."""


class Verdict(StrEnum):
    """The one word."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    VALUE = "value"
    SILENT = "silent"
    """No source speaks of it; nothing is invented."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that the answer rests on: its code, the figures that its words name, and where the sources say so.

    `grounds` are what decided (`Ruleset.cited_at`), `standing` how firmly the sources say it: None where nothing
    needs a source, and where no source speaks.
    """

    code: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    standing: Standing | None = None

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings among its grounds."""
        return tuple(dict.fromkeys(ground.partition("/")[0] for ground in self.grounds))


@dataclass(frozen=True, slots=True)
class LaidCards:
    """Cards that go down together: a new meld, or laid on the meld of the question's table at the place `on`."""

    cards: Cards
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A legal way to play a hand: what is laid, first on the table's melds in their order and then anew.

    The top card of the pile stands among the cards that it goes down with. `discard` is the card discarded last, no
    cards for none; None where the question is not about going out.
    """

    laid: tuple[LaidCards, ...]
    discard: Cards | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer. Details that do not apply are left out; `play` is the best one, where a player gave all cards held."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)
    play: Play | None = None


def answered(reasons: tuple[Reason, ...], forbids: bool, **details: Detail) -> Ruling:
    """Allowed, or forbidden for these reasons."""
    return Ruling(Verdict.FORBIDDEN if forbids else Verdict.ALLOWED, reasons, details)
