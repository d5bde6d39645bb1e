"""What the referee answers: a ruling with its reasons, and the rules under which it is another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field

from scorepad.rules.cards import NO_CARDS, Cards, Reading, gather
from scorepad.rules.checks import StoredArgument
from scorepad.rules.definitions import Choices, Standing

Detail = str | int | bool | None
"""A figure or a word of the case: points, cards, or a name defined by the contract."""
Details = dict[str, Detail]


class Verdict(StrEnum):
    """The answer in one word."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    VALUE = "value"
    SILENT = "silent"
    """No source mentions it, so there is no answer."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule on which the answer is based: its code, the figures of its message, and its sources.

    `grounds` are the names of the settings, statements, steps and penalties that it follows from
    (in Python `cited_settings`), `standing` says how firmly the sources support it: None if no
    source is needed, or if none mentions it.
    """

    # JSON, the log and exported files call the arguments `figures`, and what it cites `grounds`.
    __pydantic_config__ = ConfigDict(extra="forbid", serialize_by_alias=True)

    code: str
    arguments: Annotated[Mapping[str, StoredArgument], Field(alias="figures")] = field(
        default_factory=dict
    )
    sources: tuple[str, ...] = ()
    cited_settings: Annotated[tuple[str, ...], Field(alias="grounds")] = ()
    standing: Standing | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """List the settings and the statements of the rulebook that the reason cites, each once.

        - `("opening-steps/1500", "pile")` → `("opening-steps", "pile")`, without the entry `1500`
        - `("penalties/red-three-not-exposed",)` → `()`, as penalties and bonuses are no settings
        """
        names: list[str] = []
        for cited_setting in self.cited_settings:
            name, _, _ = cited_setting.partition("/")
            if name not in ("penalties", "bonuses") and name not in names:
                names.append(name)
        return tuple(names)


Reasons = Iterator[Reason]


class LaidCards(NamedTuple):
    """Cards laid together: a new meld, or laid on the meld of the question's table at the index
    `on`.
    """

    cards: Cards
    on: int | None = None


class Play(NamedTuple):
    """A legal way to play a hand: the cards laid, first those on the table's melds in their order,
    then new melds.

    The pile's top card is included in its meld. `discard` is the card discarded last, no cards for
    none; None if the question is not about going out.
    """

    laid: tuple[LaidCards, ...]
    discard: Cards | None = None

    @property
    def melds(self) -> tuple[Reading, ...]:
        """List the new melds (groups of cards), without the cards added to melds on the table."""
        return tuple(Reading(each.cards) for each in self.laid if each.on is None)


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer. Details that do not apply are omitted; `play` is the best one, if the question
    gave the whole hand.
    """

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)
    play: Annotated[Play | None, Field(exclude=True)] = None

    @property
    def laid(self) -> Cards:
        """Return all the cards that the best play lays, as one bundle; no cards without a play."""
        if self.play is None:
            return NO_CARDS
        return gather(each.cards for each in self.play.laid)


forbidden = partial(Ruling, Verdict.FORBIDDEN)
allowed = partial(Ruling, Verdict.ALLOWED)
value = partial(Ruling, Verdict.VALUE)
silent = partial(Ruling, Verdict.SILENT)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A different answer: with this preset and exactly these options the question gets this ruling.

    `changed` are those of the options that make the difference, if a single one does; `sources` are
    theirs. The reasons of the ruling have no sources.
    """

    preset: str | None
    options: Choices
    changed: Choices
    ruling: Ruling
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling under some rules, and the alternatives with a different answer."""

    ruling: Ruling
    others: tuple[Alternative, ...]
