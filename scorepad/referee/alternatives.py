"""The whole answer to a question: the ruling, and the codifications and options under which it would be another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

from scorepad.errors import ChoiceError
from scorepad.referee import questions
from scorepad.referee.answers import Ruling, Verdict
from scorepad.referee.best_answers import best_opening, best_out, best_pile
from scorepad.referee.going_out import rule_going_out, rule_red_threes
from scorepad.referee.irregularities import rule_penalty
from scorepad.referee.meld import rule_meld, rule_opening
from scorepad.referee.pile import rule_pile
from scorepad.referee.questions import AnyQuestion
from scorepad.referee.stock import rule_discard, rule_end_of_stock, rule_upcard
from scorepad.rules.definitions import Option, OptionValue, Preset, places, same
from scorepad.rules.settings import Settings
from scorepad.rules.variants import Choices, Ruleset, Variant, default_of, get_variant, settle

Result = TypeVar("Result")

_RULINGS: dict[type, Callable[[Ruleset, Any], Ruling]] = {
    questions.MeldQuestion: rule_meld,
    questions.OpeningQuestion: rule_opening,
    questions.BestOpeningQuestion: best_opening,
    questions.PileQuestion: rule_pile,
    questions.BestPileQuestion: best_pile,
    questions.OutQuestion: rule_going_out,
    questions.BestOutQuestion: best_out,
    questions.UpcardQuestion: rule_upcard,
    questions.DiscardQuestion: rule_discard,
    questions.RedThreesQuestion: rule_red_threes,
    questions.PenaltyQuestion: rule_penalty,
    questions.EndOfStockQuestion: rule_end_of_stock,
}


def rule(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """What the rules in force say to a question."""
    return _cited(rules, _RULINGS[type(question)](rules, question))


def _cited(rules: Ruleset, ruling: Ruling) -> Ruling:
    """The ruling with the sources of its grounds; what rests on no setting has its sources already."""
    cited = []
    for why in ruling.reasons:
        basis = rules.basis(why.grounds)
        cited.append(replace(why, sources=basis.sources, standing=basis.standing) if why.grounds else why)
    return replace(ruling, reasons=tuple(cited))


class _NotedSettings(Settings):
    """Settings that note the names of the attributes that are read."""

    __slots__ = ("read",)
    read: set[str]

    def __getattribute__(self, name: str) -> Any:
        object.__getattribute__(self, "read").add(name)
        return object.__getattribute__(self, name)

    __hash__ = object.__hash__
    __eq__ = object.__eq__


_SETTINGS = tuple(each.name for each in fields(Settings))


class SettingsMemo(Generic[Result]):
    """Results of a function of the rules, computed again only where a setting that it read has another value.

    The rules must be of one variant, whose options change settings and their citations; what the function makes of
    citations is that of the rules it was first called with.
    """

    def __init__(self, compute: Callable[[Ruleset], Result]) -> None:
        self._compute = compute
        self._known: list[tuple[Mapping[str, Any], Result]] = []

    def __call__(self, rules: Ruleset) -> Result:
        """The result under these rules."""
        for read, result in self._known:
            if all(getattr(rules.settings, name) == value for name, value in read.items()):
                return result
        noted = object.__new__(_NotedSettings)
        values = {name: getattr(rules.settings, name) for name in _SETTINGS}
        for name, value in (*values.items(), ("read", set[str]())):
            object.__setattr__(noted, name, value)
        result = self._compute(replace(rules, settings=noted))
        self._known.append(({name: values[name] for name in noted.read & values.keys()}, result))
        return result


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer: asked with this preset and exactly these options, the question gets this ruling.

    `changed` are the options among them that make the difference, where one of them alone does; `sources` say so. The
    reasons of the ruling have no sources.
    """

    preset: str | None
    options: Choices
    changed: Choices
    ruling: Ruling
    sources: tuple[str, ...]


def _alternatives(rules: Ruleset, ruling_under: SettingsMemo[Ruling]) -> tuple[Alternative, ...]:
    """Where the answer is another: first under the other presets, then under single options that none sets."""
    try:
        variant, given = get_variant(rules.variant), settle(rules.variant, rules.preset).options
        # What the table chose itself, beside its preset.
        own = {name: value for name, value in rules.options.items() if name in given and not same(value, given[name])}
        singles = list(_under_options(variant, rules, own, ruling_under))
        codes = list(_under_presets(variant, rules, own, ruling_under, singles))
    except ChoiceError:
        # A match keeps the rules that it began with; what they were chosen from may be gone.
        return ()
    of_codes = {changed for code in codes for changed in code.changed.items()}
    return (*codes, *(single for single in singles if not of_codes.issuperset(single.changed.items())))


def _differs(one: Ruling, other: Ruling) -> bool:
    return one.verdict is not other.verdict or dict(one.details) != dict(other.details)


def _under_options(
    variant: Variant, rules: Ruleset, own: Choices, ruling_under: SettingsMemo[Ruling]
) -> Iterator[Alternative]:
    """Every value of every option but the one in force, the rest kept as it is, where the answer differs."""
    usual = settle(variant.id).options
    for option, value in other_values(variant, rules):
        there = settle(variant.id, rules.preset, {**own, option.id: value.value})
        ruling = ruling_under(there)
        if _differs(ruling, ruling_under(rules)):
            # No codification has another value than its own: what is told then are the options.
            chosen = {name: value for name, value in there.options.items() if not same(value, usual[name])}
            options = {**own, option.id: value.value} if rules.preset is None else chosen
            yield Alternative(None, options, {option.id: value.value}, ruling, places([value.cited]))


def other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """The values that a table could have chosen instead; amounts, of which there is no list, bear on no ruling.

    How many sit at the table is no choice of rules.
    """
    for option in variant.options.values():
        for value in variant.values_of(option):
            in_force = option.id in rules.options and same(value.value, rules.options[option.id])
            if not in_force and "sides" not in value.sets:
                yield option, value


def _under_presets(
    variant: Variant, rules: Ruleset, own: Choices, ruling_under: SettingsMemo[Ruling], singles: list[Alternative]
) -> Iterator[Alternative]:
    """The other codifications, with what the table chose itself where their source says nothing of it."""
    for preset in variant.presets.values():
        kept = {name: value for name, value in own.items() if not _decides(preset, variant, name)}
        there = settle(variant.id, preset.id, kept)
        ruling = ruling_under(there)
        if preset.id == rules.preset or not _differs(ruling, ruling_under(rules)):
            continue
        changed = {
            name: value
            for single in singles
            for name, value in single.changed.items()
            if same(there.options[name], value) and not _differs(single.ruling, ruling)
        }
        differ = {name: value for name, value in there.options.items() if not same(value, rules.options[name])}
        values = [
            variant.options[name].value_of(value) for name, value in (changed or preset.options or differ).items()
        ]
        sources = places(each.cited for each in values if each)
        yield Alternative(preset.id, {**kept, **changed}, changed, ruling, sources)


def _decides(preset: Preset, variant: Variant, name: str) -> bool:
    """Whether the source of a codification speaks of what this option decides."""
    if name in preset.options:
        return True
    option = variant.options[name]
    usual = option.value_of(default_of(variant, option))
    return usual is not None and any(place.source == preset.source for place in usual.cited.citations)


_OPPOSITE = {Verdict.ALLOWED, Verdict.FORBIDDEN}


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling under some rules, and where the same question is answered otherwise."""

    ruling: Ruling
    others: tuple[Alternative, ...]


def answer_to(rules: Ruleset, question: AnyQuestion) -> Answer:
    """Answer a question under these rules.

    A text whose own codification says the contrary does not stand for the ruling, though it may agree with a part of
    what it rests on.
    """
    ruling_under = SettingsMemo(lambda there: _RULINGS[type(question)](there, question))
    ruling = _cited(rules, ruling_under(rules))
    others = _alternatives(rules, ruling_under)
    # A table's own options beside a codification are no word of its source.
    against = [other.preset for other in others if {ruling.verdict, other.ruling.verdict} == _OPPOSITE]
    presets = get_variant(rules.variant).presets if any(against) else {}
    dissenting = {presets[name].source for name in against if name is not None and name != rules.preset}
    reasons = []
    for why in ruling.reasons:
        left = tuple(place for place in why.sources if place.partition(":")[0] not in dissenting)
        # As long as any other says it.
        reasons.append(replace(why, sources=left) if left else why)
    return Answer(replace(ruling, reasons=tuple(reasons)), others)
