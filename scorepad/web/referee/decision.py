"""The next fact to ask for: the first that can still change the referee's answer.

A fact is something that the referee has to know, such as the top card of the pile. The case is
answered with a few sample values for every open fact; a fact matters if two of these sample cases
differ only in it and have different answers. If no fact matters, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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

    `reasons` are the only reasons that the page shows for a decided answer; None if it shows all.
    """

    fact: Fact | None
    reasons: frozenset[ReasonKey] | None = None

    def shows(self, reason: Reason) -> bool:
        """Tell whether the page shows a reason for the decided answer."""
        return self.reasons is None or _make_reason_key(reason) in self.reasons

    @property
    def codes_of_shown_reasons(self) -> frozenset[str] | None:
        """The codes of the reasons that the page shows: `{"pile-always-frozen"}`; None for all."""
        if self.reasons is None:
            return None
        return frozenset(reason.code for reason in self.reasons)


def decide(case: Case) -> Decision:
    """Find the next fact that a page must ask the player for; none if the answer is decided.

    Whatever the player has not said gets sample values, and the referee rules on every combination
    of them. Only a fact that can change the answer is asked for.
    """
    fact_to_ask_first = _find_fact_to_ask_in_any_case(case)
    if fact_to_ask_first is not None:
        return Decision(fact_to_ask_first)

    samples = list(_make_sample_cases(case))
    open_facts = _find_open_facts(case)
    for fact in open_facts:
        if _has_too_many_values(fact, case) or _changes_answer(fact, case, samples):
            return Decision(fact)

    # No fact changes the answer. The page shows the reasons that hold for every combination.
    rulings = _rule_on_cases(samples)
    reasons_in_all = _find_reasons_in_all_rulings(rulings)
    if reasons_in_all:
        return Decision(None, reasons_in_all)
    if open_facts and _has_forbidding_ruling(rulings):
        # The answer is "no" in any case, but for different reasons. One more fact tells which.
        return Decision(open_facts[0])
    return Decision(None)


def find_side_to_ask_for(case: Case) -> Fact | None:
    """Find out whether a page must ask which side of the match the question is about.

    It must if the sides get different answers, because their scores differ, for example. None if it
    need not ask, or if the question is about no side.
    """
    side = case.find_fact(FactName.WHO)
    if side is None or case.is_answered(side):
        return None
    samples = list(_make_sample_cases_of_facts([side], case))
    return side if _changes_answer(side, case, samples) else None


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
    may be added to them in many ways. A special hand is shown instead, whatever the other side has.
    """
    if fact.name == FactName.OPPONENTS and case.ruling and "special" in case.ruling.details:
        return False
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


def _changes_answer(fact: Fact, case: Case, samples: list[Case]) -> bool:
    """Tell whether another value of one fact can lead to another answer of the referee.

    `samples` are copies of the case with sample values for what the player has not said. If two of
    them differ only in this fact, and have different answers → True: a player may take the discard
    pile with a king on top, say, but not with a joker on top, everything else being equal.
    """
    parameters = _list_parameters_that_depend_on(fact, case)
    first_outcomes: dict[frozenset[tuple[str, str]], _RulingOutcome] = {}
    for sample in samples:
        outcome = _find_outcome(sample)
        if outcome is None:  # these sample values cannot be ruled on
            continue
        everything_else = _list_answers_except(sample, parameters)
        first_outcome = first_outcomes.setdefault(everything_else, outcome)
        if outcome != first_outcome:
            return True
    return False


def _list_parameters_that_depend_on(fact: Fact, case: Case) -> set[str]:
    """List the URL parameters of a fact, and of the facts that are asked for only because of it.

    For `opened` these are `opened` and `table`: only a side that has laid cards before is asked
    which ones.
    """
    parameters = set(case.parameters_of(fact))
    for other in case.question.facts:
        is_asked_because_of_fact = fact.name in other.asked_after
        if is_asked_because_of_fact:
            parameters.update(case.parameters_of(other))
    return parameters


def _list_answers_except(case: Case, parameters: set[str]) -> frozenset[tuple[str, str]]:
    """List the answers of a case that belong to other URL parameters than these, to compare them.

    `{"top": "K", "frozen": "yes"}` without the parameter `top` → only `("frozen", "yes")`.
    """
    answers = []
    for name, text in case.typed.items():
        if name not in parameters:
            answers.append((name, text))
    return frozenset(answers)


# ------------------------------------------------------------------------------- under other rules


def find_open_facts_that_matter(case: Case, rules: Ruleset) -> list[str]:
    """Find the facts left open that could change the answer to a case under other rules, `rules`.

    A fact is something the referee has to know. Each is tried alone, while the others keep their
    usual values. The result has the names of the facts: `["frozen"]`. It is empty if the case
    cannot be answered under these rules.
    """
    case_under_rules = replace(case, rules=rules)
    usual_outcome = _find_outcome(case_under_rules)
    if usual_outcome is None:  # it cannot be answered there
        return []
    names = []
    for fact in _find_open_facts(case_under_rules):
        unusual_cases = _make_cases_with_unusual_value(fact, case_under_rules)
        if _has_other_outcome(unusual_cases, usual_outcome):
            names.append(fact.name)
    return names


def _make_cases_with_unusual_value(fact: Fact, case: Case) -> Iterator[Case]:
    """Make copies of a case with sample values of a fact, except its usual value.

    A fact is something the referee has to know, such as whether the pile is frozen; usually it is
    not.
    """
    usual_answers = {fact.name: case.answer_or_default(fact)}
    for answers in sample_answers(fact, case):
        if answers == usual_answers:
            continue
        unusual_case = case.with_answers(answers)
        # If the side has laid cards, for example, it also matters which ones: any are tried.
        further_facts = _find_open_facts_after(fact, unusual_case)
        yield from _make_sample_cases_of_facts(further_facts, unusual_case)


def _has_other_outcome(cases: Iterable[Case], usual_outcome: _RulingOutcome) -> bool:
    """Tell whether the referee answers one of some cases otherwise than usual.

    Cases that cannot be ruled on do not count.
    """
    for case in cases:
        outcome = _find_outcome(case)
        if outcome is not None and outcome != usual_outcome:
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


class _RulingOutcome(NamedTuple):
    """A ruling as it matters to a player: two rulings are the same answer if all of this is equal.

    `figures` has the details of a ruling that is a value: `{("minimum", 90)}`. `effect` is what the
    play does that a yes or no is about, such as that the pile is then frozen; None for nothing.
    """

    verdict: Verdict
    depends_on_unknown_facts: bool
    figures: frozenset[tuple[str, Detail]] = frozenset()
    effect: Detail = None


def _find_outcome(case: Case) -> _RulingOutcome | None:
    """Ask the referee about a case, and return what matters of the ruling to the player.

    - a value, such as "90 points" → its numbers, `{("minimum", 90)}`
    - a yes or no → the verdict, and what the play does, such as that the pile is then frozen
    - a case that cannot be ruled on → None
    """
    ruling = case.ruling
    if ruling is None:
        return None
    depends = any(reason.code in REASONS_THAT_LEAVE_OPEN for reason in ruling.reasons)
    if ruling.verdict is Verdict.VALUE:
        return _RulingOutcome(ruling.verdict, depends, figures=frozenset(ruling.details.items()))
    return _RulingOutcome(ruling.verdict, depends, effect=ruling.details.get("effect"))


def _make_reason_key(reason: Reason) -> ReasonKey:
    """Reduce a reason to what makes two reasons the same: its code, and its numbers or cards."""
    figures = frozenset((name, str(value)) for name, value in reason.arguments.items())
    return ReasonKey(reason.code, figures)
