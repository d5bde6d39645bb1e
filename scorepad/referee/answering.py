"""Answers: the ruling on a question, and what other rules of the variant would say.

Each kind of question has a function that rules on it. It takes the rules and the question, and
returns a ruling whose reasons have grounds and no sources yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scorepad.referee.best_opening import rule_best_opening
from scorepad.referee.best_out import rule_best_way_out
from scorepad.referee.best_pile import rule_best_way_to_take
from scorepad.referee.discard import rule_discard
from scorepad.referee.elsewhere import find_alternatives
from scorepad.referee.end_of_stock import rule_end_of_stock
from scorepad.referee.going_out import rule_going_out
from scorepad.referee.meld import rule_meld
from scorepad.referee.opening import rule_opening
from scorepad.referee.penalties import rule_penalty
from scorepad.referee.pile import rule_pile
from scorepad.referee.questions import (
    AnyQuestion,
    DiscardQuestion,
    EndOfStockQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PenaltyQuestion,
    PileQuestion,
    RedThreesQuestion,
    UpcardQuestion,
    is_of_whole_hand,
)
from scorepad.referee.reasons import with_sources
from scorepad.referee.red_threes import rule_red_threes
from scorepad.referee.ruling import Alternative, Answer, Reason, Ruling, Verdict
from scorepad.referee.upcard import rule_upcard
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import get_variant

RuleQuestion = Callable[[Ruleset, Any], Ruling]

_RULINGS: Mapping[type[AnyQuestion], RuleQuestion] = {
    MeldQuestion: rule_meld,
    OpeningQuestion: rule_opening,
    PileQuestion: rule_pile,
    OutQuestion: rule_going_out,
    UpcardQuestion: rule_upcard,
    DiscardQuestion: rule_discard,
    RedThreesQuestion: rule_red_threes,
    PenaltyQuestion: rule_penalty,
    EndOfStockQuestion: rule_end_of_stock,
}
_RULINGS_ON_WHOLE_HANDS: Mapping[type[AnyQuestion], RuleQuestion] = {
    OpeningQuestion: rule_best_opening,
    PileQuestion: rule_best_way_to_take,
    OutQuestion: rule_best_way_out,
}


def rule(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """The ruling of the rules in force on a question, with its sources. Raises TooManyWays."""
    return with_sources(rules, _rule_without_sources(rules, question))


def _rule_without_sources(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """The ruling of the function for this kind of question; its reasons have no sources yet."""
    if is_of_whole_hand(question):
        return _RULINGS_ON_WHOLE_HANDS[type(question)](rules, question)
    return _RULINGS[type(question)](rules, question)


def answer_to(rules: Ruleset, question: AnyQuestion) -> Answer:
    """Answer a question under these rules, and under the alternatives to them. Raises TooManyWays.

    A source whose own preset says the opposite is not cited for the ruling, even if it agrees
    with part of its grounds.
    """

    def ruling_under(other_rules: Ruleset) -> Ruling:
        return _rule_without_sources(other_rules, question)

    ruling = ruling_under(rules)
    others = find_alternatives(rules, ruling, ruling_under)
    dissenting = _dissenting_sources(rules, ruling, others)
    reasons: list[Reason] = []
    for reason in with_sources(rules, ruling).reasons:
        reasons.append(_without_dissenting_sources(reason, dissenting))
    return Answer(replace(ruling, reasons=tuple(reasons)), others)


def _without_dissenting_sources(reason: Reason, dissenting: frozenset[str]) -> Reason:
    """The reason without its citations of these sources, unless it has no others.

    A citation begins with its source: `W:Congelamento del pozzo` cites the source `W`.
    """
    agreeing: list[str] = []
    for citation in reason.sources:
        source, _, _ = citation.partition(":")
        if source not in dissenting:
            agreeing.append(citation)
    if not agreeing:
        return reason
    return replace(reason, sources=tuple(agreeing))


def _dissenting_sources(
    rules: Ruleset, ruling: Ruling, others: tuple[Alternative, ...]
) -> frozenset[str]:
    """The sources whose own preset allows what the ruling forbids, or the reverse.

    Options that the table adds to a preset are not statements of its source.
    """
    sources: set[str] = set()
    for other in others:
        if other.preset is None or other.preset == rules.preset:
            continue
        if _are_opposite(ruling.verdict, other.ruling.verdict):
            preset = get_variant(rules.variant).presets[other.preset]
            sources.add(preset.source)
    return frozenset(sources)


def _are_opposite(one: Verdict, other: Verdict) -> bool:
    """Whether one of the verdicts allows and the other forbids."""
    return {one, other} == {Verdict.ALLOWED, Verdict.FORBIDDEN}
