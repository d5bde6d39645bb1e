"""The next fact to ask for: the first that can still change the referee's answer.

A fact is something that the referee has to know, such as the top card of the pile. The case is
answered with a few sample values for every open fact; a fact matters if two of these sample cases
differ only in it and have different answers. If no fact matters, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches.rulings import DEPENDS
from scorepad.referee.ruling import Reason, Ruling, Verdict
from scorepad.rules.definitions import Ruleset
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Fact, FactName, InputKind
from scorepad.web.referee.values_tried import sample_answers


class ReasonKey(NamedTuple):
    """What two reasons are compared by: they are the same if code and figures are."""

    code: str
    figures: frozenset[tuple[str, str]]


class Decision(NamedTuple):
    """The next fact to ask for, None if the answer is decided.

    `reasons` are the reasons for a decided answer that hold whatever the open facts are; empty if
    there are no such reasons, or nothing is decided yet.
    """

    fact: Fact | None
    reasons: frozenset[ReasonKey] = frozenset()

    def holds(self, reason: Reason) -> bool:
        """Whether a reason is to be shown: it holds whatever the open facts are.

        If no reason does, all of them are shown.
        """
        return not self.reasons or _reason_key(reason) in self.reasons

    @property
    def codes(self) -> frozenset[str] | None:
        """The codes of the reasons that hold whatever the open facts are; None for all reasons."""
        if not self.reasons:
            return None
        return frozenset(reason.code for reason in self.reasons)


def decide(case: Case) -> Decision:
    """Find the next fact that a page must ask the player for; none if the answer is decided.

    The question of the case is answered with sample values for all facts that are still open, such
    as "which cards lie on the table". A fact is asked for if its value can change the answer.
    """
    fact_to_ask_first = _fact_asked_for_in_any_case(case)
    if fact_to_ask_first is not None:
        return Decision(fact_to_ask_first)

    samples = list(_sample_cases(case))
    open_facts = _open_facts(case)
    for fact in open_facts:
        if _is_beyond_samples(fact, case) or _changes_answer(fact, case, samples):
            return Decision(fact)

    rulings = _rulings_of(samples)
    if open_facts and _is_forbidden_for_varying_reasons(rulings):
        return Decision(open_facts[0])
    return Decision(None, _common_reasons(rulings))


def decide_side(case: Case) -> Decision:
    """Find whether a page must ask for the side of the match: only if the answer depends on it.

    No other fact is asked for, and all reasons are shown: the player wants an answer with what is
    known.
    """
    side_facts = [fact for fact in _open_facts(case) if fact.input is InputKind.SIDE]
    samples = list(_sample_cases_of_facts(side_facts, case))
    for fact in side_facts:
        if _changes_answer(fact, case, samples):
            return Decision(fact)
    return Decision(None)


def _open_facts(case: Case) -> list[Fact]:
    """The facts that a page may still ask for."""
    open_facts = []
    for fact in case.facts:
        if not fact.never_asked_alone and not case.is_answered(fact):
            open_facts.append(fact)
    return open_facts


def _fact_asked_for_in_any_case(case: Case) -> Fact | None:
    """The first open fact that is asked for whether or not it changes the answer; None if none is.

    Without some facts there is no answer. And once the side of the match is known, what was entered
    for it in the hand being played answers other facts.
    """
    for fact in _open_facts(case):
        if fact.needed:
            return fact
        if fact.input is InputKind.SIDE and _is_entered_in_open_hand(case):
            return fact
    return None


def _is_entered_in_open_hand(case: Case) -> bool:
    """Whether something that the question asks for was entered in the hand being played.

    It may have been entered for any side of the match.
    """
    if case.match is None:
        return False
    names_asked_for: set[str] = set()
    for fact in case.question.facts:
        names_asked_for.update(case.parameters_of(fact))
    for position in range(len(case.match.sides)):
        entered = case.known_in_open_hand(position)
        if any(name in names_asked_for for name in entered):
            return True
    return False


def _is_beyond_samples(fact: Fact, case: Case) -> bool:
    """Whether no sample value can show if a fact matters, so that it has to be asked for.

    If the referee has to find the melds (sets of cards) in a whole hand, there are more ways to lay
    cards on the melds of the table than samples could cover.
    """
    return case.is_about_whole_hand and fact.input is InputKind.MELDS


# ------------------------------------------------------------------------------- the sample cases


def _sample_cases(case: Case) -> Iterator[Case]:
    """The case with every combination of sample answers to its open facts.

    An answer may lead to more facts, which then get sample answers too.
    """
    open_facts = _open_facts(case)
    if not open_facts:
        yield case
        return
    first_fact = open_facts[0]
    for answers in sample_answers(first_fact, case):
        case_with_answers = case.with_answers(answers)  # in it the first fact is open no longer
        yield from _sample_cases(case_with_answers)


def _sample_cases_of_facts(facts: Sequence[Fact], case: Case) -> Iterator[Case]:
    """The case with every combination of sample answers to these facts; all others stay open."""
    if not facts:
        yield case
        return
    first_fact, *other_facts = facts
    for answers in sample_answers(first_fact, case):
        yield from _sample_cases_of_facts(other_facts, case.with_answers(answers))


def _rulings_of(cases: list[Case]) -> list[Ruling]:
    """The answers to some cases, without the cases that cannot be answered."""
    return [case.ruling for case in cases if case.ruling]


def _common_reasons(rulings: list[Ruling]) -> frozenset[ReasonKey]:
    """The reasons that all these rulings have; none if there is no ruling."""
    if not rulings:
        return frozenset()
    common = {_reason_key(reason) for reason in rulings[0].reasons}
    for ruling in rulings[1:]:
        common &= {_reason_key(reason) for reason in ruling.reasons}
    return frozenset(common)


def _is_forbidden_for_varying_reasons(rulings: list[Ruling]) -> bool:
    """Whether the referee says "no", but there is no reason that all these rulings have.

    Without more facts the player could not be told why. The rulings are on sample values of facts
    that do not change the answer.
    """
    is_forbidden = any(ruling.verdict is Verdict.FORBIDDEN for ruling in rulings)
    return is_forbidden and not _common_reasons(rulings)


def _changes_answer(fact: Fact, case: Case, samples: list[Case]) -> bool:
    """Whether two of the sample cases differ in nothing but a fact, and have different answers.

    Facts that are asked for because of this one may differ too.
    """
    names_of_fact = _parameters_with_followers(fact, case)
    answer_by_other_facts: dict[frozenset[tuple[str, str]], _ComparedAnswer] = {}
    for sample in samples:
        if sample.ruling is None:
            continue
        other_facts = _answers_to_others(sample, names_of_fact)
        answer = _compared_answer(sample.ruling)
        if other_facts not in answer_by_other_facts:
            answer_by_other_facts[other_facts] = answer
        elif answer_by_other_facts[other_facts] != answer:
            return True
    return False


def _parameters_with_followers(fact: Fact, case: Case) -> set[str]:
    """The names of the URL parameters of a fact, and of the facts that are asked for because of it."""
    names = set(case.parameters_of(fact))
    for other in case.question.facts:
        if fact.name in other.asked_after:
            names.add(other.name)
    return names


def _answers_to_others(case: Case, left_out: set[str]) -> frozenset[tuple[str, str]]:
    """The answers of a case, each with its name, without those of the names to be left out."""
    return frozenset((name, text) for name, text in case.typed.items() if name not in left_out)


# ------------------------------------------------------------------------------- under other rules


def open_facts_that_matter(case: Case, rules: Ruleset) -> list[str]:
    """The names of the open facts of a case that could change its answer if these rules held.

    Each fact is tried alone, while all others keep their usual answers.
    """
    case_under_rules = replace(case, rules=rules)
    if case_under_rules.ruling is None:  # it cannot be answered there
        return []
    usual_answer = _compared_answer(case_under_rules.ruling)
    names = []
    for fact in _open_facts(case_under_rules):
        if _changes_usual_answer(fact, case_under_rules, usual_answer):
            names.append(fact.name)
    return names


def _changes_usual_answer(fact: Fact, case: Case, usual_answer: _ComparedAnswer) -> bool:
    """Whether another value of a fact than the usual one leads to another answer to a case.

    `usual_answer` is the answer with the usual values of all open facts.
    """
    usual_value = {fact.name: case.answer_or_default(fact)}
    for value in sample_answers(fact, case):
        if value == usual_value:
            continue
        if _can_have_other_answer(case.with_answers(value), fact, usual_answer):
            return True
    return False


def _can_have_other_answer(case: Case, fact: Fact, usual_answer: _ComparedAnswer) -> bool:
    """Whether a case with an unusual value of a fact can have another answer than usual.

    The value may lead to further facts, which are tried with it: that the side has laid melds (sets
    of cards), for example, leads to the question which melds.
    """
    further_facts = _open_facts_after(fact, case)
    for sample in _sample_cases_of_facts(further_facts, case):
        if sample.ruling is not None and _compared_answer(sample.ruling) != usual_answer:
            return True
    return False


def _open_facts_after(fact: Fact, case: Case) -> list[Fact]:
    """The open facts of a case that are asked for because of the answer to another fact.

    The top card of the pile leads to the melds on the table: they matter only if that card fits one.
    """
    facts: list[Fact] = []
    for other in case.facts:
        if case.is_answered(other):
            continue
        is_table_for_top_card = fact.name == FactName.TOP and other.name == FactName.TABLE
        if fact.name in other.asked_after or is_table_for_top_card:
            facts.append(other)
    return facts


# ------------------------------------------------------------------------------- comparing answers


class _ComparedAnswer(NamedTuple):
    """What two answers are compared by: they are the same for a player if all of this is.

    `depends` tells whether the answer depends on unknown facts, `outcome` are its figures or what
    follows from it.
    """

    verdict: Verdict
    depends: bool
    outcome: Hashable


def _compared_answer(ruling: Ruling) -> _ComparedAnswer:
    """What an answer of the referee is compared with others by.

    An answer that is a value, such as the points to reach, has its figures: `{("minimum", 90)}`. A
    yes or no has the effect of the play, such as that the pile is then frozen, if it has one.
    """
    depends = any(reason.code in DEPENDS for reason in ruling.reasons)
    outcome: Hashable
    if ruling.verdict is Verdict.VALUE:
        outcome = frozenset(ruling.details.items())
    else:
        outcome = ruling.details.get("effect")
    return _ComparedAnswer(ruling.verdict, depends, outcome)


def _reason_key(reason: Reason) -> ReasonKey:
    """What a reason is compared with others by: its code and its figures."""
    figures = frozenset((name, str(value)) for name, value in reason.arguments.items())
    return ReasonKey(reason.code, figures)
