"""Statistics of players: what each has played, won and lost, added up from the matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scorepad.matches.events import EndHow
from scorepad.matches.names import known, spoken
from scorepad.matches.projection import MatchState, Part
from scorepad.storage.rows import SummaryRecord


@dataclass(frozen=True, slots=True)
class Outline:
    """A match in brief. `scores` are the totals of the sides before each hand and at the end.

    `unit`: what it counts in, points or units.
    """

    summary: SummaryRecord
    unit: str
    parts: tuple[Part, ...]
    scores: tuple[tuple[int, ...], ...]


def outline_of(match: MatchState) -> Outline:
    """A match in brief."""
    return Outline(
        summary=match.summary(),
        unit=match.rules.settings.unit,
        parts=tuple(match.parts()),
        scores=tuple(match.scores),
    )


class Result(StrEnum):
    """What a match was for a player."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    BROKEN_OFF = "broken-off"
    GOING_ON = "going-on"
    LEFT = "left"
    """Somebody else sat there at its end."""


DECIDED = (Result.WON, Result.LOST, Result.DRAWN)
"""Played to an end: what counts for the average of a match."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a player's side made in a hand, and its total after it."""

    match: str
    number: int
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match for one of its players. `made` are the hands that this one played, `final` the total at the end.

    `final` is None where the match was not played to an end, or not by this one.
    """

    summary: SummaryRecord
    unit: str
    result: Result
    made: tuple[Made, ...]
    final: int | None


@dataclass(frozen=True, slots=True)
class Figures:
    """Matches of one kind added up. Averages are per hand played and per match played to its end; None for none."""

    unit: str
    variant: str
    """Empty where it is several."""
    matches: int
    results: dict[Result, int]
    hands: int
    by_hand: float | None
    by_match: float | None
    best: Made | None
    highest: Made | None
    """After which hand the total stood highest."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of some matches: the name as it was written last, the matches, the last one changed first."""

    name: str
    matches: tuple[PlayedMatch, ...]
    units: tuple[Figures, ...]
    """All matches added up, those that are counted in another unit apart."""
    variants: tuple[Figures, ...]
    unread: int
    """Matches that could not be read, and may be this player's too."""


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A name found among the players, and in how many matches."""

    name: str
    matches: int


@dataclass(frozen=True, slots=True)
class Players:
    """The names found in a device's matches, the most frequent first; `unread` of them could not be read."""

    named: tuple[NamedPlayer, ...]
    unread: int


def players_of(played: Iterable[Sequence[str]], unread: int) -> Players:
    """Who plays in these matches, each told by the names of those who played in it; the last one changed first."""
    written: dict[str, str] = {}
    counts: dict[str, int] = {}
    for names in played:
        here = {known(name): name for name in names}
        for name, as_written in here.items():
            written.setdefault(name, as_written)
            counts[name] = counts.get(name, 0) + 1
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return Players(tuple(NamedPlayer(written[name], counts[name]) for name in ordered), unread)


def player_of(outlines: Sequence[Outline], name: str, unread: int) -> Player:
    """What somebody of this name played in these matches, the last one changed first."""
    wanted = spoken(name)
    own = [(outline, _parts_of(outline, wanted)) for outline in outlines]
    played = [(outline, parts) for outline, parts in own if parts]
    matches = tuple(_played(outline, parts) for outline, parts in played)
    return Player(
        name=played[0][1][0].name if played else name,
        matches=matches,
        units=tuple(_figures(part, "") for part in _apart(matches, [match.unit for match in matches])),
        variants=tuple(
            _figures(part, part[0].summary.variant)
            for part in _apart(matches, [match.summary.variant for match in matches])
        ),
        unread=unread,
    )


def _parts_of(outline: Outline, wanted: str) -> tuple[Part, ...]:
    return tuple(part for part in outline.parts if known(part.name) == wanted)


def _played(outline: Outline, parts: tuple[Part, ...]) -> PlayedMatch:
    result, summary = _result(outline.summary, parts), outline.summary
    seen = sorted({(number, part.side) for part in parts for number in part.hands})
    scores = [(number, outline.scores[number - 1][side], outline.scores[number][side]) for number, side in seen]
    made = tuple(Made(summary.id, number, total - before, total) for number, before, total in scores)
    finals = [summary.totals[part.side] for part in parts if part.stays and result in DECIDED]
    return PlayedMatch(summary, outline.unit, result, made, finals[0] if finals else None)


def _result(summary: SummaryRecord, parts: tuple[Part, ...]) -> Result:
    """Won or lost for who sat at the end; neither where that was on both sides."""
    sides = {part.side for part in parts if part.stays}
    if not sides:
        return Result.LEFT
    if not summary.finished:
        return Result.GOING_ON
    if summary.ending == EndHow.BROKEN_OFF:
        return Result.BROKEN_OFF
    if summary.winner is None or len(sides) > 1:
        return Result.DRAWN
    return Result.WON if summary.winner in sides else Result.LOST


def _apart(matches: Sequence[PlayedMatch], kinds: Sequence[str]) -> Iterator[list[PlayedMatch]]:
    """The matches of each kind together, the kind with the most of them first."""
    kept: dict[str, list[PlayedMatch]] = {}
    for match, kind in zip(matches, kinds, strict=True):
        kept.setdefault(kind, []).append(match)
    yield from sorted(kept.values(), key=len, reverse=True)


def _figures(matches: Sequence[PlayedMatch], variant: str) -> Figures:
    # The oldest first: of two that are equal the one that came first has the honour.
    made = [each for match in reversed(matches) for each in match.made]
    finals = [match.final for match in matches if match.final is not None]
    return Figures(
        unit=matches[0].unit,
        variant=variant,
        matches=len(matches),
        results={result: sum(match.result is result for match in matches) for result in Result},
        hands=len(made),
        by_hand=_average([each.points for each in made]),
        by_match=_average(finals),
        best=max(made, key=lambda each: each.points, default=None),
        highest=max(made, key=lambda each: each.total, default=None),
    )


def _average(figures: Sequence[int]) -> float | None:
    return sum(figures) / len(figures) if figures else None
