"""The next fact to ask for: the first that can still change the engine's answer.

The case is answered with a few sample values for every open fact; a fact matters if two of these
sample cases differ only in it and have different answers. If no fact matters, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches.rulings import DEPENDS
from scorepad.referee.ruling import Reason, Ruling, Verdict
from scorepad.rules.definitions import Ruleset
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Fact, InputKind
from scorepad.web.referee.values_tried import sample_answers

ReasonKey = tuple[str, Hashable]


class Decision(NamedTuple):
    """The next fact to ask for, None if the answer is decided; and the reasons for the answer that
    hold whatever the open facts are.
    """

    fact: Fact | None
    reasons: frozenset[ReasonKey] = frozenset()

    def holds(self, reason: Reason) -> bool:
        """Whether a reason holds for all open facts."""
        return not self.reasons or _reason_key(reason) in self.reasons


def decide(case: Case, *, only_side: bool = False) -> Decision:
    """Find the next fact that a page must ask the player for; none if the answer is decided.

    The question of the case is answered with sample values for all facts that are still open, such
    as "which cards lie on the table". A fact is asked for if its value can change the answer.
    `only_side`: no fact but the side of the match is asked for.
    """
    if only_side:
        return _decide_side(case)
    open_facts = _open_facts(case)
    for fact in open_facts:
        if fact.needed or _is_side_worth_asking(fact, case):
            return Decision(fact)

    samples = list(_sample_cases(case))
    for fact in open_facts:
        if _is_beyond_samples(fact, case) or _changes_answer(fact, case, samples):
            return Decision(fact)

    rulings = _rulings_of(samples)
    common_reasons = _common_reasons(rulings)
    is_forbidden = any(ruling.verdict is Verdict.FORBIDDEN for ruling in rulings)
    if open_facts and is_forbidden and not common_reasons:
        # No fact changes the answer, but it is "no" for other reasons in each sample: without more
        # facts the player could not be told why.
        return Decision(open_facts[0])
    return Decision(None, common_reasons)


def _is_side_worth_asking(fact: Fact, case: Case) -> bool:
    """Whether a fact is the side of the match, and its open hand then tells other facts."""
    return fact.input is InputKind.SIDE and _open_hand_knows(case)


def _is_beyond_samples(fact: Fact, case: Case) -> bool:
    """Whether no sample value can show if a fact matters, so that it has to be asked for.

    A whole hand may be laid on the melds of the table in ways that no sample covers.
    """
    is_question_of_whole_hand = case.answer("way") == "hand"
    return is_question_of_whole_hand and fact.input is InputKind.MELDS


def _decide_side(case: Case) -> Decision:
    """Find whether a page must ask for the side of the match: only if the answer depends on it.

    No other fact is asked for, however open it is.
    """
    side_facts = [fact for fact in _open_facts(case) if fact.input is InputKind.SIDE]
    samples = list(_sample_cases_of_facts(side_facts, case))
    for fact in side_facts:
        if _changes_answer(fact, case, samples):
            return Decision(fact)
    return Decision(None, _common_reasons(_rulings_of(samples)))


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


def _open_facts(case: Case) -> list[Fact]:
    """The facts that may still be asked for."""
    return [fact for fact in case.facts if not fact.aside and not case.is_answered(fact)]


def _open_hand_knows(case: Case) -> bool:
    """Whether the open hand of the match gives the facts that the question needs."""
    names: set[str] = set()
    for fact in case.question.facts:
        names.update(case.parameters_of(fact))
    sides = case.match.sides if case.match else ()
    for position in range(len(sides)):
        if not names.isdisjoint(case.known_in_open_hand(position)):
            return True
    return False


def _sample_cases(case: Case) -> Iterator[Case]:
    """The case with every combination of sample answers to its open facts.

    An answer may lead to more facts, which then get sample answers too.
    """
    open_facts = _open_facts(case)
    if not open_facts:
        yield case
        return
    for answers in sample_answers(open_facts[0], case):
        yield from _sample_cases(case.with_answers(answers))


def _sample_cases_of_facts(facts: Sequence[Fact], case: Case) -> Iterator[Case]:
    """The case with every combination of sample answers to these facts; all others stay open."""
    unanswered = [fact for fact in facts if not case.is_answered(fact)]
    if not unanswered:
        yield case
        return
    for answers in sample_answers(unanswered[0], case):
        yield from _sample_cases_of_facts(facts, case.with_answers(answers))


def _changes_answer(fact: Fact, case: Case, samples: list[Case]) -> bool:
    """Whether two of the sample cases differ in nothing but a fact, and have different answers.

    Facts that are asked for because of this one may differ too.
    """
    names_of_fact = set(case.parameters_of(fact))
    for other in case.question.facts:
        if fact.name in other.only:
            names_of_fact.add(other.name)

    answer_by_other_facts: dict[frozenset[tuple[str, str]], Hashable] = {}
    for sample in samples:
        if sample.ruling is None:
            continue
        others = [(name, text) for name, text in sample.typed.items() if name not in names_of_fact]
        other_facts = frozenset(others)
        answer = _answer_key(sample.ruling)
        if other_facts not in answer_by_other_facts:
            answer_by_other_facts[other_facts] = answer
        elif answer_by_other_facts[other_facts] != answer:
            return True
    return False


# ------------------------------------------------------------------------------- under other rules


def open_facts_that_matter(case: Case, rules: Ruleset) -> list[str]:
    """The names of the open facts of a case that could change its answer if these rules held.

    Each fact is tried alone, while all others keep their usual answers.
    """
    case_under_rules = replace(case, rules=rules)
    if not case_under_rules.ruling:  # it cannot be answered there
        return []
    names = []
    for fact in _open_facts(case_under_rules):
        if _changes_usual_answer(fact, case_under_rules):
            names.append(fact.name)
    return names


def _changes_usual_answer(fact: Fact, case: Case) -> bool:
    """Whether another value of a fact than the usual one changes the answer to a case.

    A value may raise further facts, which are tried with it: that the side has opened, for example,
    asks for its melds on the table.
    """
    usual_answer = _answer_key(case.ruling)
    usual_value = {fact.name: case.answer_or_default(fact)}
    for value in sample_answers(fact, case):
        if value == usual_value:
            continue
        case_with_value = case.with_answers(value)
        further_facts = _further_facts(fact, case_with_value)
        for sample in _sample_cases_of_facts(further_facts, case_with_value):
            if sample.ruling is not None and _answer_key(sample.ruling) != usual_answer:
                return True
    return False


def _further_facts(fact: Fact, case: Case) -> list[Fact]:
    """The open facts that the answer to a fact raises.

    The top card of the pile raises the melds on the table: they matter only if that card fits one.
    """
    further_facts: list[Fact] = []
    for other in case.facts:
        if case.is_answered(other):
            continue
        is_raised = fact.name in other.only
        is_table_for_top_card = fact.name == "top" and other.name == "table"
        if is_raised or is_table_for_top_card:
            further_facts.append(other)
    return further_facts


# ------------------------------------------------------------------------------- comparing answers


def _answer_key(ruling: Ruling | None) -> Hashable:
    """A value by which two answers to a question compare: equal if a player would call them the same.

    It holds the verdict, whether it depends on unknown facts, and the figures or the effect.
    """
    if ruling is None:
        return None
    depends = any(reason.code in DEPENDS for reason in ruling.reasons)
    if ruling.verdict is Verdict.VALUE:
        return ruling.verdict, depends, frozenset(ruling.details.items())
    return ruling.verdict, depends, ruling.details.get("effect")


def _reason_key(reason: Reason) -> ReasonKey:
    """A value by which two reasons compare: equal for the same code and the same figures."""
    return reason.code, frozenset((name, str(value)) for name, value in reason.arguments.items())
