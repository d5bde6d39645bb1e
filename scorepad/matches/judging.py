"""Hands of a match before the rules: as they are counted, and again when the scores before them have changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from scorepad.matches.payloads import Counted, CountedSide
from scorepad.matches.who import SIDE_KEYS
from scorepad.rules.judge import Finding, Judgement, SideScore, judge
from scorepad.rules.match import standing
from scorepad.rules.variants import Ruleset
from scorepad.schemas import read_hand


def judge_hand(
    rules: Ruleset, hand: Mapping[str, Any], before: tuple[int, ...], deal: int, *, by_agreement: bool = False
) -> Judgement:
    """What the rules say of a hand in JSON, the match's number so and so, for a match that stands at `before`.

    `by_agreement`: the table counts it although the rules refuse it, as far as it may. Raises contract.Unusable.
    """
    numbered = {**hand, "deal": deal} if "deal" in rules.entry_fields else hand
    read = read_hand(numbered, rules, SIDE_KEYS[: len(before)], before)
    return judge(rules, read, by_agreement=by_agreement)


def judgement_of(rules: Ruleset, counted: Counted) -> Judgement:
    """The judgement with which a hand was acknowledged: its own lines, whatever the rules would say today."""
    totals = tuple(score + side.points for score, side in zip(counted.before, counted.sides, strict=True))
    stands = standing(totals, rules.settings, counted.deal)
    minimum = rules.settings.opening_minimum
    sides = tuple(
        SideScore(
            lines=side.lines,
            hand=side.points,
            total=total,
            opened=side.opened,
            opening_minimum=minimum(before, counted.deal),
            next_opening_minimum=None if stands.finished else minimum(total, counted.deal + 1),
        )
        for side, before, total in zip(counted.sides, counted.before, totals, strict=True)
    )
    return Judgement(counted.findings, sides, stands)


def counted_sides(judgement: Judgement) -> tuple[CountedSide, ...]:
    """What is stored of a judgement that allows the hand."""
    return tuple(CountedSide(side.lines, side.opened) for side in judgement.sides or ())


@dataclass(frozen=True, slots=True)
class Second:
    """A hand looked at again: the warnings that it still has, and the problems that it only has now."""

    warnings: tuple[Finding, ...]
    doubts: tuple[Finding, ...]


def look_again(rules: Ruleset, counted: Counted, before: tuple[int, ...]) -> Second:
    """A hand for a match that stands otherwise than when it was counted. Its acknowledged lines are not touched."""
    if before == counted.before or counted.said.agreed:
        return Second(counted.findings, ())
    hand = json.dumps(counted.hand, sort_keys=True)
    # Both by today's program, so that what it learnt to find since then is not laid at the correction's door.
    then = _found(_Book(rules.digest, rules), hand, counted.before, counted.deal)
    now = _found(_Book(rules.digest, rules), hand, before, counted.deal)
    gone = {_same(finding) for finding in then} - {_same(finding) for finding in now}
    known = {_same(finding) for finding in then} | {_same(finding) for finding in counted.findings}
    return Second(
        tuple(finding for finding in counted.findings if _same(finding) not in gone),
        tuple(finding for finding in now if _same(finding) not in known),
    )


def _same(finding: Finding) -> tuple[object, ...]:
    """What makes two findings one: the figures follow the scores."""
    return finding.code, finding.where


@dataclass(frozen=True, slots=True)
class _Book:
    """Rules that can be remembered by their digest."""

    digest: str
    rules: Ruleset = field(compare=False)


@lru_cache(maxsize=1024)
def _found(book: _Book, hand: str, before: tuple[int, ...], number: int) -> tuple[Finding, ...]:
    """Findings, remembered: a page of thirty hands after an early correction asks for each of them every time."""
    return judge_hand(book.rules, json.loads(hand), before, number).findings
