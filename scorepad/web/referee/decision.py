"""The next fact to ask for: the first that can still change the engine's answer.

Every open fact is tried with a few values; a fact matters if two cases that differ only in it have
different answers. If no fact matters, the answer is decided.
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
from scorepad.web.referee.values_tried import answers_tried

ReasonKey = tuple[str, Hashable]


class Decision(NamedTuple):
    """The next fact, None if the answer is decided; and the reasons that hold in every case tried."""

    fact: Fact | None
    reasons: frozenset[ReasonKey] = frozenset()

    def holds(self, reason: Reason) -> bool:
        """Whether a reason holds for all open facts."""
        return not self.reasons or _reason_key(reason) in self.reasons


def decide(case: Case, *, only_side: bool = False) -> Decision:
    """The next fact of a case without errors; `only_side`: only the side of the case may be asked."""
    if only_side:
        return _decide_side(case)
    open_facts = _open_facts(case)
    for fact in open_facts:
        if fact.needed or (fact.input is InputKind.SIDE and _open_hand_knows(case)):
            return Decision(fact)

    cases = list(_cases_tried(case))
    is_of_hand = case.answer("way") == "hand"
    for fact in open_facts:
        # No value shows how a whole hand uses the melds on the table.
        needs_asking = is_of_hand and fact.input is InputKind.MELDS
        if needs_asking or _matters(fact, case, cases):
            return Decision(fact)

    rulings = [tried.ruling for tried in cases if tried.ruling]
    common = _common_reasons(rulings)
    is_forbidden = any(ruling.verdict is Verdict.FORBIDDEN for ruling in rulings)
    if open_facts and is_forbidden and not common:
        # Every case tried is forbidden, each for another reason.
        return Decision(open_facts[0])
    return Decision(None, common)


def _decide_side(case: Case) -> Decision:
    """The decision whether the side of the case must be asked: only if the answer depends on it."""
    sides = [fact for fact in _open_facts(case) if fact.input is InputKind.SIDE]
    cases = list(_cases_tried(case, sides))
    for fact in sides:
        if _matters(fact, case, cases):
            return Decision(fact)
    rulings = [tried.ruling for tried in cases if tried.ruling]
    return Decision(None, _common_reasons(rulings))


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


def _cases_tried(case: Case, among: Sequence[Fact] | None = None) -> Iterator[Case]:
    """The case with every combination of the values with which its open facts are tried.

    An answer may lead to more facts, which are then tried too. `among`: only these facts are tried.
    """
    if among is None:
        untried = _open_facts(case)
    else:
        untried = [fact for fact in among if not case.is_answered(fact)]
    if not untried:
        yield case
        return
    for answers in answers_tried(untried[0], case):
        yield from _cases_tried(case.with_answers(answers), among)


def _matters(fact: Fact, case: Case, cases: list[Case]) -> bool:
    """Whether two cases that differ only in this fact, and the facts it adds, have different
    answers.
    """
    names = set(case.parameters_of(fact))
    for other in case.question.facts:
        if fact.name in other.only:
            names.add(other.name)
    answer_by_other_facts: dict[Hashable, Hashable] = {}
    for tried in cases:
        if tried.ruling is None:
            continue
        other_facts = {name: text for name, text in tried.typed.items() if name not in names}
        same_but_for_fact = frozenset(other_facts.items())
        answer = _answer_key(tried.ruling)
        if same_but_for_fact not in answer_by_other_facts:
            answer_by_other_facts[same_but_for_fact] = answer
        elif answer_by_other_facts[same_but_for_fact] != answer:
            return True
    return False


# ------------------------------------------------------------------------------- under other rules


def open_facts_that_matter(case: Case, rules: Ruleset) -> list[str]:
    """The open facts, by name, on which the answer would depend under other rules: each tried
    separately.
    """
    case_there = replace(case, rules=rules)
    if not case_there.ruling:
        return []
    open_facts = _open_facts(case_there)
    return [fact.name for fact in open_facts if _changes_usual_answer(fact, case_there)]


def _changes_usual_answer(fact: Fact, case: Case) -> bool:
    """Whether one of its values, with the facts it adds, changes the usual answer."""
    usual = {fact.name: case.answer_or_default(fact)}
    for answers in answers_tried(fact, case):
        if answers == usual:
            continue
        with_answers = case.with_answers(answers)
        for tried in _cases_tried(with_answers, _facts_led_to(fact, with_answers)):
            if tried.ruling is None:
                continue
            if _answer_key(tried.ruling) != _answer_key(case.ruling):
                return True
    return False


def _facts_led_to(fact: Fact, case: Case) -> list[Fact]:
    """The open facts that exist because of this one; the table matters for a top card only
    together with it.
    """
    led_to: list[Fact] = []
    for other in case.facts:
        exists_because_of_it = fact.name in other.only
        is_table_for_top_card = fact.name == "top" and other.name == "table"
        if case.is_answered(other):
            continue
        if exists_because_of_it or is_table_for_top_card:
            led_to.append(other)
    return led_to


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
