"""What the match sheet says below the table: penalties, what the table agreed, sums, doubts, notes on hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n.findings import fact, message
from scorepad.pad.paper_words import PaperWords
from scorepad.pad.values import HandState, MatchState
from scorepad.pad.who import SIDE_KEYS
from scorepad.rules.judge import Finding
from scorepad.rules.loader import Penalty
from scorepad.sheets import Agreement, Broken, Doubt, Note, PenaltyGiven


def penalties(state: MatchState, say: PaperWords) -> Iterator[PenaltyGiven]:
    """Every penalty and every agreed correction of points, each with what was said of it."""
    for hand in state.hands:
        counted, number = hand.versions[-1].hand["sides"], say.number(hand.number)
        for name, key in zip(say.names, SIDE_KEYS, strict=False):
            side = counted.get(key, {})
            for given in side.get("penalties", ()):
                yield _penalty(number, name, given, state.rules.penalties, say)
            for agreed in side.get("adjustments", ()):
                what = say.words.text("item.adjustment")
                yield PenaltyGiven(number, name, what, agreed["points"], say.free(agreed["reason"]))


def _penalty(
    number: int, side: str, given: str | Mapping[str, Any], known: Mapping[str, Penalty], say: PaperWords
) -> PenaltyGiven:
    own: Mapping[str, Any] = {"code": given} if isinstance(given, str) else given
    rule = known[own["code"]]
    points = rule.costs(own.get("points"))
    places = rule.cited.citations
    return PenaltyGiven(
        number=number,
        side=side,
        what=say.words.text(f"penalty.{rule.code}"),
        points=None if points is None else -points,
        reason=say.free(own.get("reason") or ""),
        source=say.source(str(places[0])) if places else "",
    )


def agreements(state: MatchState, say: PaperWords) -> Iterator[Agreement]:
    """The hands that the table counted although the rules refuse them."""
    for hand in state.hands:
        counts = hand.versions[-1]
        if counts.agreed:
            broken = tuple(Broken(fact(finding, say.names, say.words), _source(finding, say))
                           for finding in counts.broken)  # fmt: skip
            yield Agreement(say.number(hand.number), say.free(counts.agreed), broken)


def sums(state: MatchState, say: PaperWords) -> Iterator[str]:
    """The hands of which only the sum that the table agreed is known, of a side or of all."""
    found: dict[tuple[str, ...], list[str]] = {}
    for hand in state.hands:
        if sides := _summed(hand, say):
            found.setdefault(sides, []).append(say.words.figure(say.number(hand.number)))
    for sides, numbers in found.items():
        figures = {"numbers": say.words.listing(numbers), "sides": say.words.listing(sides)}
        yield say.words.plural("sheets.sum-of", len(numbers), **figures)


def _summed(hand: HandState, say: PaperWords) -> tuple[str, ...]:
    """The sides of which only a sum is known."""
    return tuple(
        name for name, side in zip(say.names, hand.sides, strict=True) if any(line.item == "sum" for line in side.lines)
    )


def doubts(state: MatchState, say: PaperWords) -> Iterator[Doubt]:
    """The rules that hands only break since an earlier one was corrected."""
    for hand in state.hands:
        for doubt in hand.doubts:
            yield Doubt(say.number(hand.number), message(doubt, say.names, say.words), _source(doubt, say))


def remarks(state: MatchState, say: PaperWords) -> Iterator[Note]:
    """What somebody noted of a hand."""
    for hand in state.hands:
        if hand.remark:
            yield Note(say.number(hand.number), say.free(hand.remark))


def replacements(state: MatchState, say: PaperWords) -> Iterator[str]:
    """Who took whose place, and when; each by the name that stands on the sheet now, or stood when the next came."""
    for position, taken in enumerate(state.replacements):
        later = (other.was for other in state.replacements[position + 1 :] if other.seat == taken.seat)
        name = say.free(next(later, "")) or say.seat(taken.seat)
        key = "sheets.replaced" if taken.was else "sheets.seated"
        yield say.words.text(key, number=say.number(taken.number), name=name, was=say.free(taken.was))


def _source(finding: Finding, say: PaperWords) -> str:
    """Where the rule stands."""
    return say.source(finding.sources[0]) if finding.sources else ""
