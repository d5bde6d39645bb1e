"""Judge a hand: run the checks of a ruleset on it, cite the findings, and score it if no check
forbids it.

Also the state of the match after a hand and its winner; who deals, who plays first and who sits
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, NamedTuple

from scorepad.rules.applied import OF_CHECKS
from scorepad.rules.checks import CHECKS, NATURES, Nature, StoredFigure
from scorepad.rules.definitions import Ruleset, Standing
from scorepad.rules.score import Line, score_lines
from scorepad.rules.settings import Settings
from scorepad.rules.table import Hand, Place, Table, lay_table


class MatchStatus(NamedTuple):
    """The state of a match: its target in points, whether it is over, and the position of the side
    that won.

    `target` is None if a number of hands ends the match; then the highest totals may be equal and
    no side wins.
    """

    target: int | None
    finished: bool
    winner: int | None


def match_status(
    totals: tuple[int, ...], settings: Settings, hands: int, *, time_is_up: bool = False
) -> MatchStatus:
    """The state of a match after this many hands.

    It is over when a side reaches the target, unless the highest totals are equal, or after its
    last hand: the one during which the time ran out, or the last of its number of hands.
    """
    highest = max(totals)
    winners = [position for position, total in enumerate(totals) if total == highest]
    winner = winners[0] if len(winners) == 1 else None
    is_last = time_is_up or (settings.match_deals is not None and hands >= settings.match_deals)
    is_won = settings.target is not None and highest >= settings.target and winner is not None
    return MatchStatus(
        settings.target, finished=is_last or is_won, winner=winner if is_last or is_won else None
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that the hand breaks: its id, the place, the figures, the citations and their
    standing.

    `standing` is None if no source is needed.
    """

    code: str
    severity: Literal["error", "warning"]
    where: Place
    figures: Mapping[str, StoredFigure]
    sources: tuple[str, ...]
    standing: Standing | None = None

    @property
    def is_error(self) -> bool:
        """Whether it prevents scoring, unless the table may agree to it and does."""
        return self.severity == "error"

    @property
    def may_be_agreed(self) -> bool:
        """Whether the hand may be scored despite it, if the table agrees."""
        return not self.is_error or self.nature.agreeable

    @property
    def nature(self) -> Nature:
        """The properties of the rule that do not depend on the hand."""
        return NATURES[self.code]


class SideScore(NamedTuple):
    """A side's score: its lines, their sum, the match score after it, and the opening minimums
    before and after.
    """

    lines: tuple[Line, ...]
    hand: int
    total: int
    opened: bool | None
    opening_minimum: int | None
    next_opening_minimum: int | None


class Judgement(NamedTuple):
    """The result of judging a hand.

    There is no score, not even a partial one, if the findings contain an error; if the table agreed
    to the hand, only if they contain an error that no table can agree to.
    """

    findings: tuple[Finding, ...]
    sides: tuple[SideScore, ...] | None
    status: MatchStatus | None

    @property
    def is_valid(self) -> bool:
        """Whether the hand may be counted."""
        return self.sides is not None


def judge(rules: Ruleset, hand: Hand, *, by_agreement: bool = False) -> Judgement:
    """Check a hand and score it if no check forbids it.

    `by_agreement`: the table has agreed to count the hand as played although the rules forbid it.
    This does not apply to checks that are not rules of the game (`Nature.agreeable`). All findings
    are reported in any case.
    """
    table = lay_table(rules, hand)
    findings = in_reading_order(find_broken(table))
    if any(
        finding.is_error and not (by_agreement and finding.may_be_agreed) for finding in findings
    ):
        return Judgement(findings, None, None)
    return Judgement(findings, *_score(table))


def find_broken(table: Table) -> Iterator[Finding]:
    """The rules that a hand breaks, in the order of the ruleset."""
    for rule in table.rules.checks:
        if rule.id in CHECKS:
            for trouble in CHECKS[rule.id](table):
                grounds = rule.grounds if trouble.grounds is None else trouble.grounds
                basis = table.rules.basis(grounds, OF_CHECKS.get(rule.id, ()))
                yield Finding(
                    code=rule.id,
                    severity=rule.severity,
                    where=trouble.where,
                    figures=trouble.figures,
                    sources=basis.sources,
                    standing=basis.standing,
                )


def in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By their places; at the same place, faults of the entry itself before those that depend on
    play.
    """

    def place(finding: Finding) -> tuple[list[tuple[bool, str | int]], bool]:
        parts = [(isinstance(part, str), part) for part in finding.where]
        return parts, not finding.nature.by_itself

    return tuple(sorted(findings, key=place))


def _score(table: Table) -> tuple[tuple[SideScore, ...], MatchStatus]:
    members = sorted(
        ((party, lay) for party in table.parties for lay in party.lays),
        key=lambda each: each[1].position,
    )
    sides = [
        (score_lines(table, party, lay), None if lay.entry.sum is not None else party.opened)
        for party, lay in members
    ]
    return score_sides(table.settings, sides, table.hand.before, table.hand.deal)


def score_sides(
    settings: Settings,
    sides: Sequence[tuple[tuple[Line, ...], bool | None]],
    before: tuple[int, ...],
    deal: int,
) -> tuple[tuple[SideScore, ...], MatchStatus]:
    """The score of each side, from its lines and whether it had opened, and the status of the match
    after this hand.
    """
    hands = [sum(line.points for line in lines) for lines, _ in sides]
    totals = tuple(start + hand for start, hand in zip(before, hands, strict=True))
    status = match_status(totals, settings, deal)
    now = [settings.opening_minimum(start, deal) for start in before]
    then = [
        None if status.finished else settings.opening_minimum(total, deal + 1) for total in totals
    ]
    scores = (
        SideScore(lines, hand, total, opened, minimum, following)
        for (lines, opened), hand, total, minimum, following in zip(
            sides, hands, totals, now, then, strict=True
        )
    )
    return tuple(scores), status


# ---------------------------------------------------------------- seats

Seat = tuple[int, int]
"""A player: position of the side, index in the side."""


class Turn(NamedTuple):
    """The roles in one hand: the dealer, who cuts (on the dealer's right), who plays first (on the
    dealer's left).
    """

    dealer: Seat
    cuts: Seat
    first: Seat
    resting: tuple[Seat, ...]


def seating(settings: Settings, resting: tuple[Seat, ...] = ()) -> tuple[Seat, ...]:
    """The players clockwise, the sides alternating; a resting player's chair goes to the next
    player of the side.
    """
    sides = [
        [(side, player) for player in range(players) if (side, player) not in resting]
        for side, players in enumerate(settings.sides)
    ]
    return tuple(seat for round_ in zip_longest(*sides) for seat in round_ if seat is not None)


def turn_of(settings: Settings, first_dealer: Seat, number: int) -> Turn:
    """The roles in one hand of a match, by its number from 0: the deal passes clockwise from chair
    to chair.

    Raises ValueError if there is no player in the first dealer's seat.
    """
    chair = seating(settings, _resting(settings, 0, first_dealer)).index(first_dealer) + number
    resting = _resting(settings, number, first_dealer)
    playing = seating(settings, resting)
    left, right = playing[(chair + 1) % len(playing)], playing[(chair - 1) % len(playing)]
    return Turn(playing[chair % len(playing)], right, left, resting)


def _resting(settings: Settings, number: int, first_dealer: Seat) -> tuple[Seat, ...]:
    """The players who sit out: in turn, starting with the last player of the side, so that the
    first dealer plays.
    """
    out = []
    for side, (players, rest) in enumerate(zip(settings.sides, settings.resting, strict=True)):
        start = first_dealer[1] - 1 if first_dealer[0] == side else players - 1
        out += [(side, (start - number - turn) % players) for turn in range(rest)]
    return tuple(out)
