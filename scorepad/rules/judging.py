"""Judge a hand: run the checks of a ruleset on it, cite the findings, and score it if no check
forbids it.

Also the state of the match after a hand and its winner; who deals, who plays first and who sits
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Literal, NamedTuple

from pydantic import ConfigDict, Field

from scorepad.rules.applied import APPLIED_IN_CHECKS
from scorepad.rules.checks import CHECKS, NATURES, Nature, StoredArgument, Violation
from scorepad.rules.definitions import Rule, Ruleset, Standing
from scorepad.rules.hand import Hand
from scorepad.rules.score import count_lines_of_side
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


def find_match_status(
    totals: tuple[int, ...], settings: Settings, hands: int, *, time_is_up: bool = False
) -> MatchStatus:
    """Find out whether a match is over, and who won, after this many hands (rounds).

    `totals` are the match scores of the sides (teams). A match ends in one of three ways:

    - a side reaches the target, say 2,000 points, and no other side has equally many
    - all hands that were to be played have been played
    - the time for the match is up

    In the last two ways nobody wins if the highest totals are equal.
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
        """Whether the hand is scored, because nothing in it forbids that."""
        return self.sides is not None


def judge(
    rules: Ruleset,
    hand: Hand,
    before: tuple[int, ...] | None = None,
    *,
    by_agreement: bool = False,
) -> Judgement:
    """Check a hand (a round) by the rules, and score it if nothing forbids it.

    The result has all rules that the hand breaks (findings), and its score, if it has one. `before`
    are the match scores of the sides (teams) before it; None if it is the first hand of a match.

    With `by_agreement` the players have agreed to count the hand although it breaks a rule of the
    game. They cannot agree to the impossible, such as nine kings in two decks (`Nature.agreeable`).
    """
    if before is None:
        before = (0,) * len(hand.sides)
    table = build_table(rules, hand, before)
    findings = sort_by_place(find_broken_rules(table))
    for finding in findings:
        is_agreed = by_agreement and finding.may_be_agreed
        if finding.is_error and not is_agreed:
            return Judgement(findings, None, None)
    lines = _count_lines_of_sides(table)
    sides, status = score_sides(table.settings, lines, before, hand.deal)
    return Judgement(findings, sides, status)


def find_broken_rules(table: Table) -> Iterator[Finding]:
    """Find the rules that a hand (a round) breaks, each with the rule books that say so.

    `table` is the hand, prepared for the checks.
    """
    for rule in table.rules.checks:
        find_violations = CHECKS.get(rule.id)
        if find_violations is None:
            continue  # `side-unknown`, which is found where a hand is read
        for violation in find_violations(table):
            yield _cite_violation(table, rule, violation)


def _cite_violation(table: Table, rule: Rule, violation: Violation) -> Finding:
    """Add to a broken rule which rule books support it.

    They are found by the names of settings: those that the check gives with the `violation`, or
    else all that the data of the game names for the `rule`.
    """
    cited_settings = violation.cited_settings
    if cited_settings is None:
        cited_settings = rule.cited_settings
    # Other settings that the check uses are not cited. But if the players changed one of them, no
    # rule book supports what was found.
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


def sort_by_place(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort the mistakes found in a hand (a round) by where they are in it, as a reader meets them.

    At the same place, a card or number that is wrong in itself comes before what was played
    wrongly.
    """
    return tuple(sorted(findings, key=_make_sort_key_of_finding))


def _make_sort_key_of_finding(finding: Finding) -> tuple[list[tuple[int, str | int]], int]:
    """Make the key by which a mistake in a hand is sorted: by where it is, then by its nature.

    A mistake at `("sides", 0, "melds", 1)` → `([(1, "sides"), (0, 0), (1, "melds"), (0, 1)], 0)` if
    it is wrong in itself. The last number is 1 if it is not, but was played wrongly.
    """
    parts: list[tuple[int, str | int]] = []
    for part in finding.where:
        # A number cannot be compared with a name, so all numbers come before all names.
        kind = 1 if isinstance(part, str) else 0
        parts.append((kind, part))
    nature = 0 if finding.nature.by_itself else 1
    return parts, nature


def _count_lines_of_sides(table: Table) -> list[SideLines]:
    """Count the lines of the score of each side (team), in the order of the sides in the match.

    Sides that lay their cards together are a party. In a game for three, the first and the third
    side may be one party, so that the lines have to be put into the order of the sides.
    """
    lines_by_position: dict[int, SideLines] = {}
    for party in table.parties:
        for side in party.sides:
            has_opened = party.opened  # whether it laid any cards
            if side.entry.sum is not None:
                has_opened = None  # only its points in the hand were entered: it is not known
            lines = count_lines_of_side(table, party, side)
            lines_by_position[side.position] = SideLines(lines, has_opened)
    return [lines_by_position[position] for position in sorted(lines_by_position)]


def score_sides(
    settings: Settings, sides: Sequence[SideLines], before: tuple[int, ...], deal: int
) -> tuple[tuple[SideScore, ...], MatchStatus]:
    """Add up the score of each side after a hand (a round), and find out whether the match is over.

    `sides` are the lines of the score that each side (team) gets in the hand, and `before` their
    match scores before it. `deal` is the number of the hand in the match.
    """
    points_of_hand = [side.points for side in sides]
    totals = tuple([start + points for start, points in zip(before, points_of_hand, strict=True)])
    status = find_match_status(totals, settings, deal)
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


def seat_players(settings: Settings, resting: tuple[Seat, ...] = ()) -> tuple[Seat, ...]:
    """List the players in the order of their chairs, clockwise: one of each side (team) by turns.

    A player is given by side and index: two pairs sit `(0, 0), (1, 0), (0, 1), (1, 1)`. `resting`
    are the players who sit out this hand (round): the next player of their side has the chair.
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


def find_roles_in_hand(settings: Settings, first_dealer: Seat, number: int) -> Turn:
    """Find out who deals, cuts the cards, plays first and sits out in a hand (round) of a match.

    `number` is that of the hand, from 0. The deal passes clockwise from chair to chair, whoever
    sits there: with four chairs, the dealer's chair of hand 0 has it again in hand 4. Raises
    ValueError if `first_dealer`, the dealer of hand 0, is not a player who sits in a chair then.
    """
    chairs_in_first_hand = seat_players(settings, _find_resting_players(settings, 0, first_dealer))
    resting = _find_resting_players(settings, number, first_dealer)
    chairs = seat_players(settings, resting)

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


def _find_resting_players(settings: Settings, number: int, first_dealer: Seat) -> tuple[Seat, ...]:
    """Find the players who sit out a hand (a round), by its number from 0.

    A side (team) may have more players than chairs: they take turns to rest, from the last player
    down to the first, and around again. Of three players of whom one rests, player 2 sits out hand
    0, player 1 hand 1, player 0 hand 2, and player 2 again hand 3. The first dealer plays in hand
    0, so that in the dealer's side it begins with the player before the dealer.
    """
    resting: list[Seat] = []
    for side, number_of_players in enumerate(settings.sides):
        first_to_rest = _find_first_to_rest(side, number_of_players, first_dealer)
        number_resting = settings.resting[side]
        for steps_back in range(number, number + number_resting):
            player = (first_to_rest - steps_back) % number_of_players  # before 0 comes the last one
            resting.append((side, player))
    return tuple(resting)


def _find_first_to_rest(side: int, number_of_players: int, first_dealer: Seat) -> int:
    """Find the player of a side, from 0, who sits out the first hand (round) if one has to.

    It is the last player of the side. But the first dealer has to play, so that in the dealer's
    side it is the player before the dealer. In a side of three:

    - the dealer is on another side → player 2
    - player 2 deals → player 1
    - player 0 deals → player 2, as the last one is before the first
    """
    last_player = number_of_players - 1
    dealing_side, dealer = first_dealer
    if side != dealing_side:
        return last_player
    if dealer == 0:
        return last_player
    return dealer - 1
