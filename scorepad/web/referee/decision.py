"""The next fact to ask for: the first that can still change the referee's answer.

A fact is something that the referee has to know, such as the top card of the pile. The case is
answered with a few sample values for every open fact; a fact matters if two of these sample cases
differ only in it and have different answers. If no fact matters, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches.rulings import REASONS_THAT_LEAVE_OPEN
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
        """Tell whether the page shows a reason for the decided answer.

        A reason is shown if it is true whatever the player has left unsaid. If that is so of no
        reason, all of them are shown.
        """
        if not self.reasons:
            return True
        return _make_reason_key(reason) in self.reasons

    @property
    def codes(self) -> frozenset[str] | None:
        """List which reasons the page shows, by their codes: `{"pile-always-frozen"}`.

        None if it shows all of them, because none holds whatever the player has left unsaid.
        """
        if not self.reasons:
            return None
        return frozenset(reason.code for reason in self.reasons)


def decide(case: Case) -> Decision:
    """Find the next fact that a page must ask the player for; none if the answer is decided.

    A fact is something that the referee has to know, such as the top card of the discard pile. All
    facts that are still open get sample values, and the referee rules on every combination. Only a
    fact that can change the answer is asked for.
    """
    fact_to_ask_first = _find_fact_to_ask_in_any_case(case)
    if fact_to_ask_first is not None:
        return Decision(fact_to_ask_first)

    samples = list(_make_sample_cases(case))
    open_facts = _find_open_facts(case)
    for fact in open_facts:
        if _has_too_many_values(fact, case):
            return Decision(fact)
        if _changes_answer(fact, case, samples):
            return Decision(fact)

    # No fact changes the answer. The page shows the reasons that hold for every combination.
    rulings = _rule_on_cases(samples)
    reasons = _find_reasons_in_all_rulings(rulings)
    is_no_without_reason = _has_forbidding_ruling(rulings) and not reasons
    if is_no_without_reason and open_facts:
        # The answer is "no" in any case, but for different reasons. Ask for one more fact, so that
        # the page can tell the player why.
        return Decision(open_facts[0])
    return Decision(None, reasons)


def decide_side(case: Case) -> Decision:
    """Find out whether a page must ask which side of the match the question is about.

    It must if the sides get different answers, because their scores differ, for example. Nothing
    else is asked for: the player wants the answer now, with what is known.
    """
    side_facts = [fact for fact in _find_open_facts(case) if fact.input is InputKind.SIDE]
    samples = list(_make_sample_cases_of_facts(side_facts, case))
    for fact in side_facts:
        if _changes_answer(fact, case, samples):
            return Decision(fact)
    return Decision(None)


def _find_open_facts(case: Case) -> list[Fact]:
    """Find the facts (things that the referee has to know) that a page may still ask for.

    Left out are those that were answered, and those that have no page of their own.
    """
    open_facts = []
    for fact in case.facts:
        if not fact.never_asked_alone and not case.is_answered(fact):
            open_facts.append(fact)
    return open_facts


def _find_fact_to_ask_in_any_case(case: Case) -> Fact | None:
    """Find the first open fact that is asked for even if it does not change the answer, if any.

    - Without some facts, such as the top card of the pile, there is no answer at all.
    - Once the side of the match is known, what was entered for it on the score pad may answer other
      facts: the player need not type them again.
    """
    for fact in _find_open_facts(case):
        if fact.needed:
            return fact
        if fact.input is InputKind.SIDE and _has_answers_in_open_hand(case):
            return fact
    return None


def _has_answers_in_open_hand(case: Case) -> bool:
    """Tell whether the form of the hand being played holds an answer to this question.

    For example, a player has entered melds (groups of cards on the table) of some side there, and
    the question asks for melds on the table. Then it is worth asking which side is meant.
    """
    if case.match is None:
        return False

    parameters_asked_for: set[str] = set()
    for fact in case.question.facts:
        parameters_asked_for.update(case.parameters_of(fact))

    for position in range(len(case.match.sides)):
        entered = case.known_in_open_hand(position)
        if not parameters_asked_for.isdisjoint(entered):
            return True
    return False


def _has_too_many_values(fact: Fact, case: Case) -> bool:
    """Tell whether a fact has too many possible values to try them, so that it is always asked for.

    These are the melds (groups of cards) on the table, if the player gives a whole hand: its cards
    may be added to them in many ways.
    """
    return case.is_about_whole_hand and fact.input is InputKind.MELDS


# ------------------------------------------------------------------------------- the sample cases


def _make_sample_cases(case: Case) -> Iterator[Case]:
    """Make copies of a case with every combination of sample answers to its open facts.

    With three sample cards on the pile, which may be frozen or not, there are six copies. An answer
    may lead to another fact, which then gets sample answers too.
    """
    open_facts = _find_open_facts(case)
    if not open_facts:
        yield case
        return

    first_fact = open_facts[0]
    for answers in sample_answers(first_fact, case):
        case_with_answers = case.with_answers(answers)  # in it the first fact is no longer open
        yield from _make_sample_cases(case_with_answers)


def _make_sample_cases_of_facts(facts: Sequence[Fact], case: Case) -> Iterator[Case]:
    """Make copies of a case with every combination of sample answers to these facts only.

    Three sample cards on the pile, which may be frozen or not → six copies. All other facts (what
    the referee has to know) stay open.
    """
    if not facts:
        yield case
        return
    first_fact, *other_facts = facts
    for answers in sample_answers(first_fact, case):
        yield from _make_sample_cases_of_facts(other_facts, case.with_answers(answers))


def _rule_on_cases(cases: list[Case]) -> list[Ruling]:
    """Return the referee's rulings on some cases; cases that cannot be ruled on are left out."""
    return [case.ruling for case in cases if case.ruling]


def _find_reasons_in_all_rulings(rulings: list[Ruling]) -> frozenset[ReasonKey]:
    """Find the reasons that all these rulings have in common; none if there is no ruling.

    They hold whatever the player has left unsaid, because the rulings try all of that.
    """
    if not rulings:
        return frozenset()
    common = {_make_reason_key(reason) for reason in rulings[0].reasons}
    for ruling in rulings[1:]:
        common &= {_make_reason_key(reason) for reason in ruling.reasons}
    return frozenset(common)


def _has_forbidding_ruling(rulings: list[Ruling]) -> bool:
    """Tell whether one of these rulings is a "no": the player may not do what was asked."""
    return any(ruling.verdict is Verdict.FORBIDDEN for ruling in rulings)


class _OtherAnswers(NamedTuple):
    """The answers of a case to all facts but one, each with the name of its URL parameter."""

    answers: frozenset[tuple[str, str]]


def _changes_answer(fact: Fact, case: Case, samples: list[Case]) -> bool:
    """Tell whether another value of one fact can lead to another answer of the referee.

    `samples` are copies of the case with sample values for what the player has not said. If two of
    them differ only in this fact, and have different answers → True: a player may take the discard
    pile with a king on top, say, but not with a joker on top, everything else being equal.
    """
    names_of_fact = _list_parameters_to_ignore(fact, case)
    # The first answer found for each combination of all other values.
    first_answers: dict[_OtherAnswers, _ComparedRuling] = {}
    for sample in samples:
        if sample.ruling is None:  # these sample values cannot be ruled on
            continue
        other_values = _list_answers_except(sample, names_of_fact)
        answer = _make_comparable_ruling(sample.ruling)
        if other_values not in first_answers:
            first_answers[other_values] = answer
        elif answer != first_answers[other_values]:
            return True
    return False


def _list_parameters_to_ignore(fact: Fact, case: Case) -> set[str]:
    """List the URL parameters to ignore in order to see whether two cases differ only in one fact.

    They are those of the fact itself, and of the facts that are asked for only after it: for
    `opened` also `table`, the cards that a side has laid if it has opened.
    """
    names = set(case.parameters_of(fact))
    for other in case.question.facts:
        is_asked_because_of_fact = fact.name in other.asked_after
        if is_asked_because_of_fact:
            names.add(other.name)
    return names


def _list_answers_except(case: Case, names_left_out: set[str]) -> _OtherAnswers:
    """List the answers of a case that belong to other URL parameters than these, to compare them.

    `{"top": "K", "frozen": "yes"}` without the parameter `top` → only `("frozen", "yes")`.
    """
    answers = []
    for name, text in case.typed.items():
        if name not in names_left_out:
            answers.append((name, text))
    return _OtherAnswers(frozenset(answers))


# ------------------------------------------------------------------------------- under other rules


def find_open_facts_that_matter(case: Case, rules: Ruleset) -> list[str]:
    """Find the facts left open that could change the answer to a case under other rules, `rules`.

    A fact is something the referee has to know. Each is tried alone, while the others keep their
    usual values. The result has the names of the facts: `["frozen"]`. It is empty if the case
    cannot be answered under these rules.
    """
    case_under_rules = replace(case, rules=rules)
    if case_under_rules.ruling is None:  # it cannot be answered there
        return []
    usual_ruling = _make_comparable_ruling(case_under_rules.ruling)
    names = []
    for fact in _find_open_facts(case_under_rules):
        if _changes_usual_answer(fact, case_under_rules, usual_ruling):
            names.append(fact.name)
    return names


def _changes_usual_answer(fact: Fact, case: Case, usual_ruling: _ComparedRuling) -> bool:
    """Tell whether the referee could answer otherwise if a fact had an unusual value.

    A fact is something the referee has to know, such as whether the pile is frozen; usually it is
    not. `usual_ruling` is the answer with the usual value of every fact that was left open.
    """
    usual_answers = {fact.name: case.answer_or_default(fact)}
    for answers in sample_answers(fact, case):
        if answers == usual_answers:
            continue
        if _may_have_other_answer(case.with_answers(answers), fact, usual_ruling):
            return True
    return False


def _may_have_other_answer(case: Case, fact: Fact, usual_ruling: _ComparedRuling) -> bool:
    """Tell whether the referee may answer a case otherwise than `usual_ruling`.

    In the case `fact` (something the referee has to know) has an unusual value, which may lead to
    further facts. All their sample values are tried: if the side has laid cards on the table, for
    example, these may be any cards.
    """
    further_facts = _find_open_facts_after(fact, case)
    for sample in _make_sample_cases_of_facts(further_facts, case):
        if sample.ruling is None:  # these sample values cannot be ruled on
            continue
        if _make_comparable_ruling(sample.ruling) != usual_ruling:
            return True
    return False


def _find_open_facts_after(fact: Fact, case: Case) -> list[Fact]:
    """Find the facts (things the referee has to know) that follow from this one and are still open.

    After the fact that the side has laid cards on the table, it is which cards these are.
    """
    further_facts = []
    for other in case.facts:
        if _leads_to(fact, other) and not case.is_answered(other):
            further_facts.append(other)
    return further_facts


def _leads_to(fact: Fact, other: Fact) -> bool:
    """Tell whether the answer to one fact decides if another fact matters.

    If the side has laid melds (groups of cards), for example, the next fact is which ones.
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


def _make_comparable_ruling(ruling: Ruling) -> _ComparedRuling:
    """Reduce a ruling to what matters to the player, so that two rulings can be compared.

    - a value, such as "90 points" → its numbers, `{("minimum", 90)}`
    - a yes or no → the verdict, and what the play does, such as that the pile is then frozen
    """
    depends = any(reason.code in REASONS_THAT_LEAVE_OPEN for reason in ruling.reasons)
    if ruling.verdict is Verdict.VALUE:
        figures = frozenset(ruling.details.items())
        return _ComparedRuling(ruling.verdict, depends, figures=figures)

    effect = ruling.details.get("effect")
    return _ComparedRuling(ruling.verdict, depends, effect=effect)


def _make_reason_key(reason: Reason) -> ReasonKey:
    """Reduce a reason to what makes two reasons the same: its code, and its numbers or cards."""
    figures = frozenset((name, str(value)) for name, value in reason.arguments.items())
    return ReasonKey(reason.code, figures)
