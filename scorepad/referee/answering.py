"""Answers: the ruling on a question, and what other rules of the variant would say.

Each kind of question has a function that rules on it. It takes the rules and the question, and
returns a ruling whose reasons have cited_settings and no sources yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
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
    """Answer a question under these rules, and under the other rules of the variant that give
    another answer. Raises TooManyWays.

    A source whose own rules give the opposite answer is not cited for the ruling, even if it agrees
    with part of it.
    """
    ruling_under = partial(_rule_without_sources, question=question)  # a function of rules
    ruling = ruling_under(rules)
    alternatives = find_alternatives(rules, ruling, ruling_under)
    dissenting_sources = _dissenting_sources(rules, ruling, alternatives)
    with_all_sources = with_sources(rules, ruling)
    return Answer(
        ruling=_without_sources(with_all_sources, dissenting_sources),
        others=alternatives,
    )


def _without_sources(ruling: Ruling, sources: frozenset[str]) -> Ruling:
    """The ruling, of which no reason cites these sources unless it has no others."""
    reasons = [_cited_without(reason, sources) for reason in ruling.reasons]
    return replace(ruling, reasons=tuple(reasons))


def _cited_without(reason: Reason, sources: frozenset[str]) -> Reason:
    """The reason without its citations of these sources, unless it has no others.

    A citation begins with its source: `W:Congelamento del pozzo` cites the source `W`.
    """
    other_citations: list[str] = []
    for citation in reason.sources:
        source, _, _ = citation.partition(":")
        if source not in sources:
            other_citations.append(citation)
    if not other_citations:
        return reason
    return replace(reason, sources=tuple(other_citations))


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
