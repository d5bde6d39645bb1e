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

from scorepad.rules.applied import CHECKS_ALSO_DEPEND_ON
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
            yield _make_finding(table.rules, rule, violation)


def _make_finding(rules: Ruleset, rule: Rule, violation: Violation) -> Finding:
    """Make the finding that a hand breaks a rule, which names the rule books that say so.

    They are looked up by names of settings: those that the check gave with the `violation`, or else
    all that the data of the game names for the `rule`. If the players changed a setting that the
    check depends on, no rule book is named.
    """
    cited_settings = violation.cited_settings
    if cited_settings is None:
        cited_settings = rule.cited_settings
    also_depends_on = CHECKS_ALSO_DEPEND_ON.get(rule.id, ())
    support = rules.cite(cited_settings, also_depends_on)
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
    # Sorting keeps the order of equals, so that the second sort decides, and the first only among
    # the findings at one place.
    by_nature = sorted(findings, key=lambda finding: not finding.nature.by_itself)
    return tuple(sorted(by_nature, key=lambda finding: _make_comparable(finding.where)))


def _make_comparable(where: Pointer) -> list[tuple[bool, str | int]]:
    """Turn a place in a hand into a list that can be compared with those of other places.

    A number cannot be compared with a name. So each part says first whether it is a name, by which
    numbers come before names: `("sides", 0)` → `[(True, "sides"), (False, 0)]`.
    """
    return [(isinstance(part, str), part) for part in where]


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


def find_roles_in_hand(settings: Settings, first_dealer: Seat, hand_number: int) -> Turn:
    """Find out who deals, cuts the cards, plays first and sits out in a hand (round) of a match.

    `hand_number` begins with 0. The deal passes clockwise from chair to chair, whoever sits there:
    with four chairs, the chair that deals hand 0 deals hand 4 again. Raises ValueError if
    `first_dealer`, the dealer of hand 0, is not a player who sits in a chair then.
    """
    resting_at_first = _find_resting_players(settings, 0, first_dealer)
    first_dealing_chair = seat_players(settings, resting_at_first).index(first_dealer)

    resting = _find_resting_players(settings, hand_number, first_dealer)
    chairs = seat_players(settings, resting)  # clockwise; as many in every hand
    dealing_chair = first_dealing_chair + hand_number
    return Turn(
        dealer=chairs[dealing_chair % len(chairs)],  # the first chair comes after the last one
        cuts=chairs[(dealing_chair - 1) % len(chairs)],
        first=chairs[(dealing_chair + 1) % len(chairs)],
        resting=resting,
    )


def _find_resting_players(
    settings: Settings, hand_number: int, first_dealer: Seat
) -> tuple[Seat, ...]:
    """Find the players who sit out a hand (a round). `hand_number` begins with 0.

    A side (team) may have more players than chairs: they take turns to rest, from the last player
    down to the first, and around again. Of three players of whom one rests, player 2 sits out hand
    0, player 1 hand 1, player 0 hand 2, and player 2 again hand 3.
    """
    resting: list[Seat] = []
    for side, number_of_players in enumerate(settings.sides):
        first_to_rest = _find_first_to_rest(side, number_of_players, first_dealer)
        for nth_resting in range(settings.resting[side]):
            steps_back = hand_number + nth_resting
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
