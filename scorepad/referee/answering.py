"""Answers: the ruling on a question, and what other rules of the variant would say.

Each kind of question has a function that rules on it. It takes the rules and the question, and
returns a ruling whose reasons have cited_settings and no sources yet.
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
    has_whole_hand,
)
from scorepad.referee.reasons import cite_sources_of_reasons, reason
from scorepad.referee.red_threes import rule_red_threes
from scorepad.referee.ruling import Alternative, Answer, Reason, Ruling, Verdict, silent
from scorepad.referee.upcard import rule_upcard
from scorepad.rules.definitions import Ruleset
from scorepad.rules.solver import has_solver
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


def give_ruling(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """Answer a question to the referee by the rules in force, with a source for each reason.

    The result has a verdict (such as `allowed`), its reasons and figures. Raises TooManyWays if the
    question gives the cards of a whole hand, and they can be laid in too many ways to try all.
    """
    ruling = _find_ruling(rules, question)
    return cite_sources_of_reasons(rules, ruling)


def _find_ruling(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """Answer a question with the function for its kind; the reasons have no sources yet.

    Three kinds have a second function, for questions that give all cards that a player holds and
    ask for the best way to play them. Only a solver finds it, which not every machine has.
    """
    if not has_whole_hand(question):
        return _RULINGS[type(question)](rules, question)
    if not has_solver():
        return silent((reason("best-play-unknown"),))
    return _RULINGS_ON_WHOLE_HANDS[type(question)](rules, question)


def answer_to(rules: Ruleset, question: AnyQuestion) -> Answer:
    """Answer a question under these rules, and list the other rules that answer it otherwise.

    A game has presets, each the rules of one rule book. A book whose own rules give the opposite
    answer is not cited for the ruling, even if it agrees with part of it. Raises TooManyWays if a
    hand in the question can be laid in too many ways to try all.
    """

    def give_ruling_under(any_rules: Ruleset) -> Ruling:
        return _find_ruling(any_rules, question)

    ruling = give_ruling_under(rules)
    alternatives = find_alternatives(rules, ruling, give_ruling_under)

    ruling = cite_sources_of_reasons(rules, ruling)
    opposing_sources = _find_opposing_sources(rules, ruling, alternatives)
    ruling = _remove_sources(ruling, opposing_sources)
    return Answer(ruling=ruling, others=alternatives)


def _remove_sources(ruling: Ruling, sources: frozenset[str]) -> Ruling:
    """Return a copy of a ruling whose reasons no longer cite these sources (rule books).

    A reason that cites no other source keeps them.
    """
    reasons = [_remove_citations(reason, sources) for reason in ruling.reasons]
    return replace(ruling, reasons=tuple(reasons))


def _remove_citations(reason: Reason, sources: frozenset[str]) -> Reason:
    """Return a copy of a reason without its citations of these sources (rule books).

    A citation begins with its source. Without `W`: `("W:Preparazione", "G:Esecuzione del gioco")` →
    `("G:Esecuzione del gioco",)`. A reason that cites no other source stays as it is.
    """
    other_citations: list[str] = []
    for citation in reason.sources:
        source, _, _ = citation.partition(":")
        if source not in sources:
            other_citations.append(citation)
    if not other_citations:
        return reason
    return replace(reason, sources=tuple(other_citations))


def _find_opposing_sources(
    rules: Ruleset, ruling: Ruling, alternatives: tuple[Alternative, ...]
) -> frozenset[str]:
    """Find the sources (rule books) whose own rules allow what the ruling forbids, or the reverse.

    `alternatives` are other rules that answer the question otherwise. Those with a preset are the
    rules of one book: if the preset `getty` gives the opposite answer, the result has its source
    `H`.
    """
    sources: set[str] = set()
    for alternative in alternatives:
        if alternative.preset is None:
            continue  # one option is changed: these are not the rules of any one book
        if _is_opposite(ruling.verdict, alternative.ruling.verdict):
            preset = get_variant(rules.variant).presets[alternative.preset]
            sources.add(preset.source)
    return frozenset(sources)


def _is_opposite(one: Verdict, other: Verdict) -> bool:
    """Tell whether one of two verdicts allows and the other forbids."""
    return {one, other} == {Verdict.ALLOWED, Verdict.FORBIDDEN}
