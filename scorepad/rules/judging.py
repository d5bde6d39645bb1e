"""Judge a hand: run the checks of a ruleset on it, cite the findings, and score it if no check
forbids it.

Also the state of the match after a hand and its winner; who deals, who plays first and who sits
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import add
from typing import Annotated, Literal, NamedTuple

from pydantic import ConfigDict, Field

from scorepad.rules.applied import APPLIED_IN_CHECKS
from scorepad.rules.checks import CHECKS, NATURES, Nature, StoredArgument, Violation
from scorepad.rules.definitions import Rule, Ruleset, Standing
from scorepad.rules.hand import Hand
from scorepad.rules.score import side_lines
from scorepad.rules.score_lines import SideLines, SideScore
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer, Table, build_table


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
    leading = [position for position, total in enumerate(totals) if total == highest]
    has_one_leader = len(leading) == 1

    has_played_all_hands = settings.match_deals is not None and hands >= settings.match_deals
    has_reached_target = settings.target is not None and highest >= settings.target
    is_won = has_reached_target and has_one_leader
    is_finished = time_is_up or has_played_all_hands or is_won

    winner = None
    if is_finished and has_one_leader:
        winner = leading[0]
    return MatchStatus(settings.target, is_finished, winner)


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that the hand breaks: its id, the place, the figures, the citations and their
    standing.

    `standing` is None if no source is needed.
    """

    # The log and exported files call the arguments `figures`.
    __pydantic_config__ = ConfigDict(extra="forbid", serialize_by_alias=True)

    code: str
    severity: Literal["error", "warning"]
    where: Pointer
    arguments: Annotated[Mapping[str, StoredArgument], Field(alias="figures")]
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
        return self.sides is not None


def judge(
    rules: Ruleset,
    hand: Hand,
    before: tuple[int, ...] | None = None,
    *,
    by_agreement: bool = False,
) -> Judgement:
    """Check a hand and score it if no check forbids it.

    `before` are the match scores of the sides before it; None for a match that begins.
    `by_agreement`: the table has agreed to count the hand as played although the rules forbid it.
    This does not apply to checks that are not rules of the game (`Nature.agreeable`). All findings
    are reported in any case.
    """
    if before is None:
        before = (0,) * len(hand.sides)
    table = build_table(rules, hand, before)
    findings = in_reading_order(find_broken(table))
    for finding in findings:
        is_agreed = by_agreement and finding.may_be_agreed
        if finding.is_error and not is_agreed:
            return Judgement(findings, None, None)
    lines = _lines_of_sides(table)
    sides, status = score_sides(table.settings, lines, before, hand.deal)
    return Judgement(findings, sides, status)


def find_broken(table: Table) -> Iterator[Finding]:
    """The rules that a hand breaks, with their sources, in the order of the ruleset."""
    for rule in table.rules.checks:
        find_violations = CHECKS.get(rule.id)
        if find_violations is None:
            continue  # `side-unknown`, which is found where a hand is read
        for violation in find_violations(table):
            yield _finding_of(table, rule, violation)


def _finding_of(table: Table, rule: Rule, violation: Violation) -> Finding:
    """A violation of a rule as a finding, with the sources of the settings that led to it.

    The violation may name these settings; otherwise they are all those of the rule.
    """
    cited_settings = violation.cited_settings
    if cited_settings is None:
        cited_settings = rule.cited_settings
    # Not cited, but if the table changed one of these, no source supports the finding.
    also_applied = APPLIED_IN_CHECKS.get(rule.id, ())
    support = table.rules.cite(cited_settings, also_applied)
    return Finding(
        code=rule.id,
        severity=rule.severity,
        where=violation.where,
        arguments=violation.arguments,
        sources=support.sources,
        standing=support.standing,
    )


def in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in the order of the places in the hand where they stand.

    At the same place, what is wrong in itself comes before what is wrong by the play.
    """
    return tuple(sorted(findings, key=_reading_order))


def _reading_order(finding: Finding) -> tuple[list[tuple[int, str | int]], int]:
    """A key by which findings are sorted: their place, part by part, then their nature."""
    parts: list[tuple[int, str | int]] = []
    for part in finding.where:
        # A number cannot be compared with a name, so all numbers come before all names.
        kind = 1 if isinstance(part, str) else 0
        parts.append((kind, part))
    nature = 0 if finding.nature.by_itself else 1
    return parts, nature


def _lines_of_sides(table: Table) -> list[SideLines]:
    """The lines of the score of each side, in the order of the sides in the match.

    A party, the sides that lay melds together, may hold sides that are not next to each other.
    """
    lines_by_position: dict[int, SideLines] = {}
    for party in table.parties:
        for side in party.sides:
            has_opened = party.opened
            if side.entry.sum is not None:
                has_opened = None  # the sum of its hand does not tell whether it laid anything
            lines = side_lines(table, party, side)
            lines_by_position[side.position] = SideLines(lines, has_opened)
    return [lines_by_position[position] for position in sorted(lines_by_position)]


def score_sides(
    settings: Settings, sides: Sequence[SideLines], before: tuple[int, ...], deal: int
) -> tuple[tuple[SideScore, ...], MatchStatus]:
    """The score of each side, and the status of the match, after a hand with these lines.

    `before` are the match scores of the sides before the hand, `deal` is its number in the match.
    """
    points_of_hand = [side.points for side in sides]
    totals = tuple(map(add, before, points_of_hand))
    status = match_status(totals, settings, deal)
    scores = []
    for side, start, points, total in zip(sides, before, points_of_hand, totals, strict=True):
        next_minimum = None
        if not status.finished:
            next_minimum = settings.opening_minimum(total, deal + 1)
        score = SideScore(
            lines=side.lines,
            hand=points,
            total=total,
            opened=side.opened,
            opening_minimum=settings.opening_minimum(start, deal),
            next_opening_minimum=next_minimum,
        )
        scores.append(score)
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
    """The players in the order of their chairs, clockwise: one of each side by turns.

    `resting` are the players who sit out this hand; the next player of the side has their chair.
    """
    players_of_sides: list[list[Seat]] = []
    for side, number in enumerate(settings.sides):
        seats = [(side, player) for player in range(number)]
        players_of_sides.append([seat for seat in seats if seat not in resting])

    clockwise: list[Seat] = []
    for one_of_each_side in zip_longest(*players_of_sides):
        # A side with fewer players has None in the last rounds.
        clockwise += [seat for seat in one_of_each_side if seat is not None]
    return tuple(clockwise)


def turn_of(settings: Settings, first_dealer: Seat, number: int) -> Turn:
    """The roles in one hand of a match, by its number from 0.

    The deal passes clockwise from chair to chair, whoever sits there in this hand: in a game of four
    chairs, the dealer's chair of hand 0 has it again in hand 4. Raises ValueError if there is no
    player in the first dealer's seat.
    """
    chairs_in_first_hand = seating(settings, _resting_in_hand(settings, 0, first_dealer))
    resting = _resting_in_hand(settings, number, first_dealer)
    chairs = seating(settings, resting)

    # Indices of `chairs` clockwise; the chair after the last one is the first.
    dealing_chair = (chairs_in_first_hand.index(first_dealer) + number) % len(chairs)
    chair_before = (dealing_chair - 1) % len(chairs)
    chair_after = (dealing_chair + 1) % len(chairs)
    return Turn(
        dealer=chairs[dealing_chair],
        cuts=chairs[chair_before],
        first=chairs[chair_after],
        resting=resting,
    )


def _resting_in_hand(settings: Settings, number: int, first_dealer: Seat) -> tuple[Seat, ...]:
    """The players who sit out the hand with this number, from 0.

    In each side they take turns, from the last player back to the first and around again: of three
    players of whom one rests, the third sits out hand 0, the second hand 1, the first hand 2.
    """
    resting: list[Seat] = []
    for side, number_of_players in enumerate(settings.sides):
        first_to_rest = _first_to_rest(side, number_of_players, first_dealer)
        number_resting = settings.resting[side]
        for steps_back in range(number, number + number_resting):
            # The player before the first (0) is the last one.
            player = (first_to_rest - steps_back) % number_of_players
            resting.append((side, player))
    return tuple(resting)


def _first_to_rest(side: int, number_of_players: int, first_dealer: Seat) -> int:
    """The player of a side, from 0, who sits out the first hand of a match if one has to.

    That is the last player of the side: 2 of three. In the side of the first dealer, who has to
    play, it is the player before the dealer: with the dealer 1 it is 0, with the dealer 0 it is 2.
    """
    last_player = number_of_players - 1
    dealing_side, dealer = first_dealer
    if side != dealing_side or dealer == 0:
        return last_player
    return dealer - 1
