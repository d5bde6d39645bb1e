"""Judges a hand: runs the checks of a ruleset over it, cites what they find, and scores it if nothing forbids it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import scorepad.rules.bounds  # noqa: F401 - it registers a check
from scorepad.rules.checks import CHECKS, Figure, Nature, nature_of
from scorepad.rules.citations import Standing as Firmness
from scorepad.rules.entries import Hand, Place
from scorepad.rules.match import Standing, standing
from scorepad.rules.score import Line, score_lines
from scorepad.rules.table import Table, lay_table
from scorepad.rules.variants import Ruleset


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that the hand breaks: which, where, with which figures, and where the sources say so, how firmly.

    `standing` is None where nothing needs a source.
    """

    code: str
    severity: str
    where: Place
    figures: Mapping[str, Figure]
    sources: tuple[str, ...]
    standing: Firmness | None = None

    @property
    def is_error(self) -> bool:
        """Whether it keeps the hand from being scored, unless the table may agree to it and does."""
        return self.severity == "error"

    @property
    def may_be_agreed(self) -> bool:
        """Whether the hand may be scored with it all the same, once the table agrees."""
        return not self.is_error or self.nature.agreeable

    @property
    def nature(self) -> Nature:
        """What is to be known of the rule beside where it is broken."""
        return nature_of(self.code)


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's hand: its lines, their sum, the match score after it, and the opening minimums before and after."""

    lines: tuple[Line, ...]
    hand: int
    total: int
    opened: bool | None
    opening_minimum: int | None
    next_opening_minimum: int | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of a hand.

    With an error among the findings there is no score, not even half of one; where the table agreed otherwise, with
    one that no table can agree to.
    """

    findings: tuple[Finding, ...]
    sides: tuple[SideScore, ...] | None
    standing: Standing | None

    @property
    def is_valid(self) -> bool:
        """Whether the hand may be counted."""
        return self.sides is not None


def judge(rules: Ruleset, hand: Hand, *, by_agreement: bool = False) -> Judgement:
    """Check a hand and, if nothing forbids it, score it.

    `by_agreement`: the table has agreed that what the rules forbid of it counts as it was played. That never holds for
    what is no matter of rules (`Nature.agreeable`). Everything found is told all the same.
    """
    table = lay_table(rules, hand)
    findings = []
    for rule in rules.checks:
        for trouble in CHECKS[rule.id](table):
            basis = rules.basis(rule.rests if trouble.grounds is None else trouble.grounds)
            where, figures = trouble.where, trouble.figures
            findings.append(Finding(rule.id, rule.severity, where, figures, basis.sources, basis.standing))
    # As the hand is read; at one place first what is wrong by itself, then what is wrong only as it was played.
    findings.sort(key=lambda each: ([(isinstance(part, str), part) for part in each.where], not each.nature.by_itself))
    if any(finding.is_error and not (by_agreement and finding.may_be_agreed) for finding in findings):
        return Judgement(tuple(findings), None, None)
    return Judgement(tuple(findings), *_score(table))


def _score(table: Table) -> tuple[tuple[SideScore, ...], Standing]:
    members = sorted(((party, lay) for party in table.parties for lay in party.lays), key=lambda each: each[1].position)
    lines = [score_lines(table, party, lay) for party, lay in members]
    hands = [sum(made.points for made in of_side) for of_side in lines]
    totals = tuple(before + hand for before, hand in zip(table.hand.before, hands, strict=True))
    coming = table.hand.deal + 1
    stands = standing(totals, table.settings, table.hand.deal)
    sides = tuple(
        SideScore(
            lines=lines[position],
            hand=hands[position],
            total=totals[position],
            opened=None if lay.entry.sum is not None else party.opened,
            opening_minimum=table.minimum(position),
            next_opening_minimum=None if stands.finished else table.settings.opening_minimum(totals[position], coming),
        )
        for position, (party, lay) in enumerate(members)
    )
    return sides, stands
