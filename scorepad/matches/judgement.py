"""Hands of a match before the rules: as they are counted, and again when the scores before them have changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import Counted, CountedSide
from scorepad.rules.judge import Finding, Judgement, SideScore, judge
from scorepad.rules.match import standing
from scorepad.rules.variants import Ruleset
from scorepad.schemas import read_hand


def judge_hand(
    rules: Ruleset, hand: Mapping[str, Any], before: tuple[int, ...], deal: int, *, by_agreement: bool = False
) -> Judgement:
    """Judge a hand in JSON for a match with these scores `before`; `deal` is the number of the hand in the match.

    `by_agreement`: the table counts it although the rules refuse it, as far as it may. Raises Unusable.
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


def review(
    rules: Ruleset, counted: Counted, before: tuple[int, ...]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """A counted hand for other scores before it: the findings that it still has, and those that it only has now."""
    if before == counted.before or counted.agreed:
        return counted.findings, ()
    hand = json.dumps(counted.hand, sort_keys=True)
    # Both by today's program: what its checks have learnt since is not blamed on the correction.
    then = _findings(_RulesKey(rules.digest, rules), hand, counted.before, counted.deal)
    now = _findings(_RulesKey(rules.digest, rules), hand, before, counted.deal)
    gone = {_key(finding) for finding in then} - {_key(finding) for finding in now}
    known = {_key(finding) for finding in then} | {_key(finding) for finding in counted.findings}
    return (
        tuple(finding for finding in counted.findings if _key(finding) not in gone),
        tuple(finding for finding in now if _key(finding) not in known),
    )


def _key(finding: Finding) -> tuple[object, ...]:
    """What makes two findings the same: their figures follow the scores."""
    return finding.code, finding.where


@dataclass(frozen=True, slots=True)
class _RulesKey:
    """Rules as a cache key."""

    digest: str
    rules: Ruleset = field(compare=False)


@lru_cache(maxsize=1024)
def _findings(key: _RulesKey, hand: str, before: tuple[int, ...], deal: int) -> tuple[Finding, ...]:
    """Findings, cached: a page of thirty hands after an early correction needs them for each."""
    return judge_hand(key.rules, json.loads(hand), before, deal).findings
