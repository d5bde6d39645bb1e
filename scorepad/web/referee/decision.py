"""The next fact to ask for: the first that can still change the referee's answer.

A fact is something that the referee has to know, such as the top card of the pile. The case is
answered with a few sample values for every open fact; a fact matters if two of these sample cases
differ only in it and have different answers. If no fact matters, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches.rulings import DEPENDS
from scorepad.referee.ruling import Detail, Reason, Ruling, Verdict
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
        if _has_too_many_values(fact, case) or _changes_answer(fact, case, samples):
            return Decision(fact)

    rulings = _rulings_of(samples)
    reasons = _common_reasons(rulings)
    is_no_without_reason = _is_any_forbidden(rulings) and not reasons
    if open_facts and is_no_without_reason:
        # The player could not be told why: another fact tells which of the reasons it is.
        return Decision(open_facts[0])
    return Decision(None, reasons)


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


def _has_too_many_values(fact: Fact, case: Case) -> bool:
    """Whether a fact has too many values to try, so that a page asks for it in any case.

    These are the melds (sets of cards) on the table, if the player gives a whole hand: its cards may
    be laid on those melds in many ways.
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


def _is_any_forbidden(rulings: list[Ruling]) -> bool:
    """Whether one of these rulings says "no": a player may not do what the question is about."""
    return any(ruling.verdict is Verdict.FORBIDDEN for ruling in rulings)


class _OtherAnswers(NamedTuple):
    """The answers of a case to all facts but one, each with the name of its URL parameter."""

    answers: frozenset[tuple[str, str]]


def _changes_answer(fact: Fact, case: Case, samples: list[Case]) -> bool:
    """Whether two of the sample cases differ in nothing but a fact, and have different answers.

    If the player may take the pile with a king on it, but not with a red three, all else being the
    same, the top card changes the answer. Facts that are asked for because of it may differ too.
    """
    names_of_fact = _parameters_with_followers(fact, case)
    first_rulings: dict[_OtherAnswers, _ComparedRuling] = {}
    for sample in samples:
        if sample.ruling is None:  # these sample values cannot be ruled on
            continue
        all_else = _answers_to_others(sample, names_of_fact)
        ruling = _ruling_to_compare(sample.ruling)
        if all_else not in first_rulings:
            first_rulings[all_else] = ruling
        elif ruling != first_rulings[all_else]:
            return True
    return False


def _parameters_with_followers(fact: Fact, case: Case) -> set[str]:
    """The names of the URL parameters of a fact, and of the facts that are asked for because of it."""
    names = set(case.parameters_of(fact))
    for other in case.question.facts:
        if fact.name in other.asked_after:
            names.add(other.name)
    return names


def _answers_to_others(case: Case, names_left_out: set[str]) -> _OtherAnswers:
    """The answers of a case in a form that can be compared, without those of some URL parameters.

    Of a case with `{"top": "K", "frozen": "yes"}` only `frozen` is left if `top` is left out.
    """
    answers = []
    for name, text in case.typed.items():
        if name not in names_left_out:
            answers.append((name, text))
    return _OtherAnswers(frozenset(answers))


# ------------------------------------------------------------------------------- under other rules


def open_facts_that_matter(case: Case, rules: Ruleset) -> list[str]:
    """The names of the open facts of a case that could change its answer if these rules held.

    Each fact is tried alone, while all others keep their usual answers.
    """
    case_under_rules = replace(case, rules=rules)
    if case_under_rules.ruling is None:  # it cannot be answered there
        return []
    usual_ruling = _ruling_to_compare(case_under_rules.ruling)
    names = []
    for fact in _open_facts(case_under_rules):
        if _changes_usual_answer(fact, case_under_rules, usual_ruling):
            names.append(fact.name)
    return names


def _changes_usual_answer(fact: Fact, case: Case, usual_ruling: _ComparedRuling) -> bool:
    """Whether another value of a fact than the usual one leads to another answer to a case.

    `usual_ruling` is the answer with the usual values of all open facts.
    """
    usual_value = {fact.name: case.answer_or_default(fact)}
    for value in sample_answers(fact, case):
        if value == usual_value:
            continue
        if _can_have_other_answer(case.with_answers(value), fact, usual_ruling):
            return True
    return False


def _can_have_other_answer(case: Case, fact: Fact, usual_ruling: _ComparedRuling) -> bool:
    """Whether a case with an unusual value of a fact can have another answer than usual.

    The value may lead to further facts, which are tried with it: that the side has laid melds (sets
    of cards), for example, leads to the question which melds.
    """
    further_facts = _open_facts_after(fact, case)
    for sample in _sample_cases_of_facts(further_facts, case):
        if sample.ruling is None:  # these sample values cannot be ruled on
            continue
        if _ruling_to_compare(sample.ruling) != usual_ruling:
            return True
    return False


def _open_facts_after(fact: Fact, case: Case) -> list[Fact]:
    """The open facts of a case that may matter because of the answer to this fact."""
    return [other for other in case.facts if not case.is_answered(other) and _leads_to(fact, other)]


def _leads_to(fact: Fact, other: Fact) -> bool:
    """Whether it depends on the answer to a fact if another fact matters.

    That the side has laid melds (sets of cards) leads to the fact which melds these are.
    """
    if fact.name in other.asked_after:
        return True
    # The melds on the table matter if the top card of the discard pile fits one of them.
    return fact.name == FactName.TOP and other.name == FactName.TABLE


# ------------------------------------------------------------------------------- comparing answers


class _ComparedRuling(NamedTuple):
    """A ruling as it matters to a player: two rulings are the same answer if all of this is equal.

    `figures` has the details of a ruling that is a value: `{("minimum", 90)}`. `effect` is what the
    play does that a yes or no is about, such as that the pile is then frozen; None for nothing.
    """

    verdict: Verdict
    depends_on_unknown_facts: bool
    figures: frozenset[tuple[str, Detail]] = frozenset()
    effect: Detail = None


def _ruling_to_compare(ruling: Ruling) -> _ComparedRuling:
    """What matters to a player in a ruling: the verdict, with its figures or the effect of the play.

    The points that the first melds must reach become the verdict VALUE with `{("minimum", 90)}`.
    """
    depends = any(reason.code in DEPENDS for reason in ruling.reasons)
    if ruling.verdict is Verdict.VALUE:
        figures = frozenset(ruling.details.items())
        return _ComparedRuling(ruling.verdict, depends, figures=figures)
    effect = ruling.details.get("effect")
    return _ComparedRuling(ruling.verdict, depends, effect=effect)


def _reason_key(reason: Reason) -> ReasonKey:
    """What a reason is compared with others by: its code and its figures."""
    figures = frozenset((name, str(value)) for name, value in reason.arguments.items())
    return ReasonKey(reason.code, figures)
