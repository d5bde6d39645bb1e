"""The lines of the score and what the pad may say, each with the rules that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.sentences import rule_name, sentence
from scorepad.i18n.settings import item_word, value_word
from scorepad.rules.entries import NOT_EXPOSED
from scorepad.rules.loader import RuleData
from scorepad.rules.rulings.casing import has_partner
from scorepad.rules.rulings.catalogue import Costs, Irregularity, catalogue
from scorepad.rules.rulings.faults import OF_PENALTIES
from scorepad.rules.rulings.penalties import OF_PARTNERS
from scorepad.rules.score import ITEMS
from scorepad.rules.variants import Choice, Ruleset, Variant, settle
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.telling import in_book, values_of, why

_BY_LINE: Mapping[str, Callable[[Ruleset], set[str]]] = {
    "canastas": lambda rules: {kind.item for kind in rules.settings.canastas},
    "incomplete": lambda rules: {kind.item for kind in rules.settings.incomplete if kind.item},
    "concealed-canasta": lambda rules: {"concealed-canasta"} & set(rules.items),
    "held-together": lambda rules: {kind.item for kind in rules.settings.held_together},
}
"""The lines of the data that stand for several items, or for one not at every table; each other is an item."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A rule that something rests on: its name, where it stands on the page, and what it says."""

    name: str
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the score or an alert of the pad; `note` is what there is to know of it beside its rules."""

    code: str
    anchor: str
    name: str
    note: str
    rests: tuple[Rest, ...]


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty: what was done, its points, what else follows, what there is to mind, where that is said, and slips."""

    code: str
    anchor: str
    name: str
    points: str
    remedy: str
    note: str
    why: str
    slip: str


def items_of(rules: Ruleset) -> Mapping[str, str]:
    """The items that the lines of a hand may stand for at a table, each with the line of the data it comes from."""
    found = {}
    for line in rules.lines:
        named = _BY_LINE[line.id](rules) if line.id in _BY_LINE else {line.id}
        found.update(dict.fromkeys(named, line.id))
    return {item: found[item] for item in ITEMS if item in found}


def lines_here(chosen: Chosen, words: Words) -> Iterator[Item]:
    """The lines of the score under these choices."""
    here, variant = items_of(chosen.rules), chosen.variant
    worth = {kind.item: kind.points for kind in chosen.rules.settings.canastas}
    for item, line in here.items():
        note = words.text("rulebook.lines.worth", points=worth[item]) if item in worth else ""
        rests = _rests(variant.lines[line], chosen.played, words, is_told=item not in worth)
        yield Item(item, places.line(item), item_word(variant.id, item, words), note, rests)


def lines_told(chosen: Chosen, words: Words) -> Iterator[Item]:
    """The lines of the score; last of all those that only another choice of the table knows."""
    yield from lines_here(chosen, words)
    here, variant = items_of(chosen.rules), chosen.variant
    for item, (line, choice) in _elsewhere(chosen, words).items():
        if item not in here:
            note = words.text("rulebook.lines.only-with", choice=choice)
            rests = _rests(variant.lines[line], chosen.played, words, is_told=False)
            yield Item(item, places.line(item), item_word(variant.id, item, words), note, rests)


def _elsewhere(chosen: Chosen, words: Words) -> dict[str, tuple[str, str]]:
    """The items of every other choice, with their line of the data and the choice in words."""
    found: dict[str, tuple[str, str]] = {}
    for option in chosen.variant.options.values():
        for value, _ in values_of(chosen.variant, option):
            for item, line in items_of(settle(chosen.variant.id, None, {option.id: value})).items():
                found.setdefault(item, (line, _choice(option.id, value, words)))
    return found


def _choice(option: str, value: Choice, words: Words) -> str:
    name = words.text(f"option.{option}")
    return words.text("web.new.chosen", option=name, value=value_word(option, value, words))


def problems_told(chosen: Chosen, words: Words) -> Iterator[Item]:
    """What the pad may say of a hand: what it refuses, then what it only warns of."""
    checks = sorted(chosen.variant.checks.values(), key=lambda check: check.severity != "error")
    for check in checks:
        note = "" if check.severity == "error" else words.text("rulebook.problem.is-warning")
        name = words.text(f"rulebook.problem.{check.id}")
        yield Item(check.id, places.problem(check.id), name, note, _rests(check, chosen.played, words))


def _rests(data: RuleData, played: Variant, words: Words, *, is_told: bool = True) -> tuple[Rest, ...]:
    return tuple(
        Rest(rule_name(key, words), places.rule(key), sentence(key, played, words) if is_told else "")
        for key in data.rests
        if in_book(key, played, words)
    )


def penalties_told(rules: Ruleset, words: Words) -> Iterator[Penalty]:
    """All that the sources know to go wrong, and the penalty of the house."""
    for penalty in catalogue(rules):
        slip = OF_PENALTIES.get(penalty.code)
        yield Penalty(
            code=penalty.code,
            anchor=places.penalty(penalty.code),
            name=words.text(f"penalty.{penalty.code}"),
            points=words.text(f"rulebook.penalty.{penalty.costs}", **_costs(penalty)),
            remedy=words.text(f"remedy.{penalty.remedy}") if penalty.remedy else "",
            note=_note(penalty, rules, words),
            why=why(penalty.cited, words),
            slip=words.text(f"ruling.{slip}") if slip else "",
        )


def _note(penalty: Irregularity, rules: Ruleset, words: Words) -> str:
    if penalty.code in OF_PARTNERS and not has_partner(rules.settings):
        return words.text("ruling.penalty-without-partner")
    return words.text("rulebook.penalty.once") if penalty.code == NOT_EXPOSED else ""


def _costs(penalty: Irregularity) -> dict[str, int]:
    return {"points": penalty.points} if penalty.costs is Costs.POINTS else {}
