"""A match in brief, made from its log: who sat where for which hands, and what the sides made in each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.matches.course import seated
from scorepad.matches.log import Log
from scorepad.matches.states import summary_of, summary_record
from scorepad.matches.values import MatchSummary
from scorepad.rules.match import Seat, Turn, turns


@dataclass(frozen=True, slots=True)
class Part:
    """Who sat somewhere: the name as it was written, the side's position, and the numbers of the hands played there.

    `stayed`: it is this one who sits there last.
    """

    name: str
    side: int
    hands: tuple[int, ...]
    stayed: bool


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A match in brief. `made` are the points of each side in every hand, `totals` its totals after every hand.

    `unit`: what it counts in, points or units.
    """

    summary: MatchSummary
    unit: str
    place: str
    practice: bool
    parts: tuple[Part, ...]
    made: tuple[tuple[int, ...], ...]
    totals: tuple[tuple[int, ...], ...]


def chronicle_of(log: Log) -> Chronicle:
    """The match of a log."""
    return Chronicle(
        summary=summary_of(summary_record(log)),
        unit=log.rules.settings.unit,
        place=log.labels.place,
        practice=log.begins.practice,
        parts=tuple(_parts(log)),
        made=tuple(tuple(side.points for side in versions[-1].counted.sides) for versions in log.hands),
        totals=log.scores[1:],
    )


def _parts(log: Log) -> Iterator[Part]:
    played = turns(log.rules.settings, log.dealer, len(log.hands))
    for side, players in enumerate(log.labels.players):
        for index in range(len(players)):
            yield from _sitting(log, (side, index), played)


def _sitting(log: Log, seat: Seat, played: tuple[Turn, ...]) -> Iterator[Part]:
    """Those who sat in a seat one after the other; who never played there is left out, unless sitting there still."""
    changes = [taken for taken in log.replacements if taken.seat == seat]
    begins = [1, *(taken.number for taken in changes), len(played) + 1]
    names = [*(taken.was for taken in changes), seated(log.labels, seat)]
    for place, name in enumerate(names):
        stayed = place == len(changes)
        hands = range(begins[place], min(begins[place + 1], len(played) + 1))
        sat = tuple(number for number in hands if seat not in played[number - 1].resting)
        if name.strip() and (sat or stayed):
            yield Part(name, seat[0], sat, stayed)
