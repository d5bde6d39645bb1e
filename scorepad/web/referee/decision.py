"""Which fact to ask for next: the first that can still change the answer, as the engine itself says.

Every fact that is still open is tried with a few values; a fact matters where two cases that differ in it alone are
answered otherwise. Where none does, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from scorepad.matches.rulings import DEPENDS
from scorepad.referee.case import rule
from scorepad.referee.questions import Reason, Ruling, Verdict
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Cards, Kind, read_cards
from scorepad.rules.settings import Sequences, Settings, Shape
from scorepad.rules.variants import Ruleset
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match
from scorepad.web.referee.questions import Case, Fact, Input, names_of, question_of

Answers = dict[str, str]
_IMPOSSIBLE = {"deck-exceeded", "red-threes-exceeded", "table-meld-illegal", "card-unknown"}
"""Reasons by which the values tried do not go together, and say nothing of the case."""
_HIGH = ("A", "K", "Q", "J", "10")
_NATURALS = tuple(KINDS[index] for index in NATURAL_INDICES)


@dataclass(frozen=True, slots=True)
class Decision:
    """The fact to ask for next, None where the answer is decided; then the reasons that hold in every case tried."""

    fact: Fact | None
    reasons: frozenset[tuple[str, Hashable]] | None = None

    def holds(self, reason: Reason) -> bool:
        """Whether a reason holds whatever was not asked."""
        return not self.reasons or _reason_key(reason) in self.reasons

    @property
    def codes(self) -> frozenset[str] | None:
        """The codes of those reasons; None where no fact was left open."""
        return frozenset(code for code, _ in self.reasons) if self.reasons else None


@dataclass(frozen=True)
class _Tried:
    """A case in which every open fact has a value, and its ruling when somebody asks for it."""

    case: Case

    @cached_property
    def ruling(self) -> Ruling | None:
        """None for what cannot be."""
        return ruling_of(self.case)


def decide(case: Case, *, only_side: bool = False) -> Decision:
    """The next fact of a case whose answers have no errors; `only_side`: only whose case it is may be asked."""
    asked = [fact for fact in case.facts if not fact.aside and not case.is_answered(fact)]
    for fact in [] if only_side else asked:
        if fact.needed or (fact.input is Input.SIDE and _open_hand_knows(case)):
            return Decision(fact)
    sides = [fact for fact in asked if fact.input is Input.SIDE]
    tried = [_Tried(each) for each in _cases(case, sides if only_side else None)]
    of_hand = not only_side and case.situation.answer("way") == "hand"
    for fact in sides if only_side else asked:
        # What a whole hand does with the melds on the table no value can tell.
        if (of_hand and fact.input is Input.MELDS) or _matters(fact, case, tried):
            return Decision(fact)
    reasons = [{_reason_key(reason) for reason in each.ruling.reasons} for each in tried if each.ruling]
    common = frozenset(set.intersection(*reasons)) if reasons else None
    is_forbidden = any(each.ruling and each.ruling.verdict is Verdict.FORBIDDEN for each in tried)
    if common == frozenset() and asked and not only_side and is_forbidden:
        return Decision(asked[0])  # every case tried is forbidden, each for another reason
    return Decision(None, common)


def open_facts(case: Case, rules: Ruleset) -> list[str]:
    """The open facts, by name, on which the answer would depend under other rules: each tried by itself."""
    there = replace(case, situation=replace(case.situation, rules=rules))
    usual = ruling_of(there)
    if usual is None:
        return []
    open_facts = [fact for fact in there.facts if not fact.aside and not there.is_answered(fact)]
    return [fact.name for fact in open_facts if _changes(fact, there, usual)]


def _changes(fact: Fact, case: Case, usual: Ruling) -> bool:
    """Whether one of its values, with what that leads to, changes the usual answer."""
    usual_answer = {fact.name: fact.of(case.situation)}
    for tried in (case.with_answers(answers) for answers in _values(fact, case) if answers != usual_answer):
        # What lies on the table tells something of a top card only together with it.
        leads_to = [each for each in tried.facts if not tried.is_answered(each)
                    and (fact.name in each.only or (fact.name, each.name) == ("top", "table"))]  # fmt: skip
        rulings = (ruling_of(each) for each in _cases(tried, leads_to))
        if any(ruling is not None and _signature(ruling) != _signature(usual) for ruling in rulings):
            return True
    return False


def ruling_of(case: Case) -> Ruling | None:
    """The ruling of a case; None where the cards do not go together."""
    rules = case.situation.rules
    try:
        ruling = rule(rules, read_question_of_match(question_of(case), rules).asked)
    except Unusable:
        return None
    return None if _IMPOSSIBLE.intersection(reason.code for reason in ruling.reasons) else ruling


def _open_hand_knows(case: Case) -> bool:
    """Whether the open hand of the match says of a side what the question asks for."""
    situation = case.situation
    names = {name for fact in case.question.facts for name in names_of(fact, situation)}
    positions = range(len(situation.match.sides)) if situation.match else ()
    return any(names.intersection(situation.of_open_hand(position)) for position in positions)


def _cases(case: Case, among: list[Fact] | None = None) -> Iterator[Case]:
    """The case with every open fact tried; a fact may lead to others."""
    facts = case.facts if among is None else among
    fact = next((each for each in facts if not each.aside and not case.is_answered(each)), None)
    if fact is None:
        yield case
        return
    for answers in _values(fact, case):
        yield from _cases(case.with_answers(answers), among)


def _matters(fact: Fact, case: Case, tried: list[_Tried]) -> bool:
    """Whether two cases that differ in this fact alone, and in what it leads to, are answered otherwise."""
    names = set(names_of(fact, case.situation)) | {each.name for each in case.question.facts if fact.name in each.only}
    found: dict[Hashable, Hashable] = {}
    for each in tried:
        rest = frozenset((name, text) for name, text in each.case.situation.typed.items() if name not in names)
        if each.ruling is not None and found.setdefault(rest, answer := _signature(each.ruling)) != answer:
            return True
    return False


def _signature(ruling: Ruling) -> Hashable:
    """What two answers to a question have in common where they are the same."""
    depends = any(reason.code in DEPENDS for reason in ruling.reasons)
    is_value = ruling.verdict is Verdict.VALUE
    return ruling.verdict, depends, frozenset(ruling.details.items()) if is_value else ruling.details.get("effect")


def _reason_key(reason: Reason) -> tuple[str, Hashable]:
    return reason.code, frozenset((name, str(value)) for name, value in reason.figures.items())


# ---------------------------------------------------------------- values to try


def _values(fact: Fact, case: Case) -> Iterator[Answers]:
    """The values with which a fact is tried."""
    situation, name = case.situation, fact.name
    settings = situation.settings
    match fact.input:
        case Input.CHOICE:
            texts = fact.values
        case Input.SIDE:
            texts = tuple(map(str, range(len(situation.match.sides)))) if situation.match else ()
        case Input.SCORE:
            steps = {minimum: start for start, minimum in reversed(settings.opening_steps)}
            texts = ("-5", *map(str, steps.values()))
        case Input.FIGURE if name == "deal":
            texts = ("1", str(settings.match_deals or len(settings.opening_deals) or 1))
        case Input.FIGURE:
            texts = ("0", "1", "2", "4")
        case Input.COUNTS:
            yield from _counts(fact, case)
            return
        case Input.CARD:
            texts = tuple(_cards(name, case))
        case _:
            texts = tuple(dict.fromkeys(_melds(name, case)))
    yield from ({name: text} for text in texts)


def _counts(fact: Fact, case: Case) -> Iterator[Answers]:
    """No canasta, one or two of a kind, one of each."""
    names = list(names_of(fact, case.situation))
    yield {names[0]: "0"}
    for name in names:
        yield {name: "1"}
        yield {name: "2"}
    yield dict.fromkeys(names, "1")


def _cards(name: str, case: Case) -> Iterator[str]:
    """Single cards: one of each sort, for the top of the pile one that goes on what lies there."""
    if name == "top":
        table = read_cards(case.situation.answer("table")).cards.ranks
        yield ""
        yield KINDS[table[0]] if table else "9"
    yield from ("9", Kind.BLACK_THREE, Kind.TWO, Kind.RED_THREE)


def _melds(name: str, case: Case) -> Iterator[str]:
    """Cards and melds that go with the other cards of the case, and such as do not."""
    settings, kind = case.situation.settings, case.question.kind
    shown = read_cards(question_of(case).get({"on": "cards", "laid": "top"}.get(name, _SHOWN.get(kind, "")), "")).cards
    kinds = [kind for kind in KINDS if shown.of(kind)]
    rank = next((kind for kind in kinds if kind in _NATURALS), "9")
    if name == "laid":
        top = kinds[0] if kinds else "9"
        rich = " / ".join(f"5x{kind}" for kind in [high for high in _HIGH if high not in kinds][:3])
        yield from ("", f"2x{top}", f"{top} 2", top, f"3x{top}", f"4x{top}", f"2x{top} / {rich}")
    elif kind == "out":
        yield from ("", "5xQ 2x2", " / ".join(_enough(settings)))
    elif name == "on" and len(shown.ranks) < 2:  # noqa: PLR2004 - cards of several ranks go on a sequence only
        yield from (f"3x{rank}", f"4x{rank}", f"2x{rank} 2", f"7x{rank}", f"6x{rank} 2", "3x2", "3xJK")
    elif name != "on":
        yield from ("", *(f"{count}x{rank}" for count in (3, 5, 7)))
        if settings.wilds_blocked != "nothing":
            yield from ("3x2", "3xJK", *(f"3x2 / {count}x{rank} 2" for count in (3, 4, 5)))
    if settings.sequences is not Sequences.NONE and shown.suited and len(shown.ranks) == shown.naturals:
        yield from _beside(shown, 2 if name == "laid" else 3)


_SHOWN = {"pile": "top", "meld": "cards", "discard": "card", "end-of-stock": "top"}
"""The cards of a question that those on the table may go with, by its kind."""


def _enough(settings: Settings) -> Iterator[str]:
    """Canastas with which a side may go out: one of each kind that it needs, and natural ones for the rest."""
    ranks, full = iter(_NATURALS), settings.canasta_length
    kinds = {kind.family: kind for kind in reversed(settings.canastas)}
    needed = [kinds[family] for family, count in settings.canasta_families_needed for _ in range(count)]
    for kind in needed:
        wilds = kind.wilds[0] and max(kind.wilds[0], 2)
        if kind.shape is Shape.WILDS:
            yield f"{kind.jokers[0]}xJK {full - kind.jokers[0]}x2" if kind.jokers[0] else f"{full}x2"
        elif kind.shape is Shape.SEQUENCE:
            yield "4h 5h 6h 7h 8h 9h 10h"
        else:
            yield f"{full - wilds}x{kind.rank or next(ranks)}" + (f" {wilds}x2" if wilds else "")
    yield from (f"{full}x{next(ranks)}" for _ in range(settings.canastas_needed - len(needed)))


def _beside(cards: Cards, count: int) -> Iterator[str]:
    """So many cards in order next above, and next below, cards of a suit; with two also those on both sides."""
    suit = cards.suited[0][1]
    places = [_NATURALS.index(KINDS[index]) for index in cards.ranks]
    above = _NATURALS[max(0, min(places) - count) : min(places)]
    below = _NATURALS[max(places) + 1 : max(places) + 1 + count]
    for run in (above, below, (*above[-1:], *below[:1]) if count == 2 else ()):  # noqa: PLR2004
        if len(run) == count:
            yield " ".join(f"{kind}{suit}" for kind in run)
