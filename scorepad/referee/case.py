"""How a question is answered: the case laid out as a hand, reasons with their citations, and answers elsewhere.

A ruling is a function of the rules and of one kind of question, registered with `answers`. It gives reasons with the
grounds that decided; the sources of those grounds are added here, and the codifications and options under which the
answer would be another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, Generic, TypeVar

from scorepad.errors import ChoiceError
from scorepad.referee.questions import Alternative, Answer, AnyQuestion, Detail, Reason, Ruling, Verdict
from scorepad.rules.cards import KINDS, Kind, Reading, gather
from scorepad.rules.checks import CHECKS, Figure
from scorepad.rules.definitions import Fault, Option, OptionValue, Preset, places, same
from scorepad.rules.loader import load_faults
from scorepad.rules.settings import BlackThrees, Partnership, PileTop, Settings
from scorepad.rules.table import (
    Hand,
    MeldEntry,
    Out,
    Party,
    SideEntry,
    Table,
    is_incomplete_wild_meld,
    lay_table,
    read_meld,
)
from scorepad.rules.turn_checks import by_reading
from scorepad.rules.variants import Choices, Ruleset, Variant, default_of, get_variant, settle, sources

Result = TypeVar("Result")
Rule = Callable[[Ruleset, Any], Ruling]
_RULINGS: dict[type, Rule] = {}


def answers(question: type) -> Callable[[Rule], Rule]:
    """Register a function as the ruling on this kind of question."""

    def register(function: Rule) -> Rule:
        _RULINGS[question] = function
        return function

    return register


# ------------------------------------------------------------------------------------------- the case as a hand

ASKER = 0
"""The position of the side that the question is about, and of its party."""
MELD_CHECKS = frozenset({
    "card-unknown", "deck-exceeded", "meld-too-short", "meld-too-long", "meld-too-few-naturals", "meld-too-many-wilds",
    "meld-mixed-ranks", "meld-sequence-broken", "meld-red-three", "meld-kind-not-allowed",
})  # fmt: skip
"""What keeps cards from being melds, whoever lays them and when."""
CANNOT_BE = frozenset({"card-unknown", "deck-exceeded", "red-threes-exceeded"})
"""The checks of what no cards can be, asked before anything is looked for."""


def lay_case(
    rules: Ruleset, *melds: Reading, out: Out | None = None, score: int = 0, deal: int = 1, **entry: Any
) -> Table:
    """The table of a hand in which only one side did anything, at this match score.

    It laid these melds; `entry` is what else its `SideEntry` has.
    """
    others = len(rules.settings.sides) - 1
    names = tuple(str(position) for position in range(others + 1))
    side = SideEntry(melds=tuple(map(MeldEntry, melds)), **entry)
    before, sides = (score, *(0,) * others), (side, *(SideEntry(),) * others)
    return lay_table(rules, Hand(names, before, sides, out=out, deal=deal))


def together(*readings: Reading) -> Reading:
    """Several bundles of cards as one."""
    unknown = tuple(token for reading in readings for token in reading.unknown)
    return Reading(gather(reading.cards for reading in readings), unknown)


def kind_of(card: Reading) -> Kind:
    """What a single card is."""
    return next(kind for kind, count in zip(KINDS, card.cards.counts, strict=True) if count)


def lying_checks(rules: Ruleset) -> frozenset[str]:
    """The checks that melds must pass that lie side by side.

    Where no second incomplete meld of a rank may be begun, none can lie there; elsewhere a second is only unusual.
    """
    barred = rules.settings.repeated_rank == "not-incomplete"
    return MELD_CHECKS | {"meld-rank-repeated"} if barred else MELD_CHECKS


def meld_checks(rules: Ruleset) -> frozenset[str]:
    """The checks that cards laid now must pass: those of melds, and that of the moment for black threes.

    Where black threes are never melded one check says all there is to say.
    """
    never = rules.settings.black_threes is BlackThrees.NEVER
    return lying_checks(rules) if never else lying_checks(rules) | {"black-threes-not-out"}


def broken(table: Table, checks: Collection[str]) -> tuple[Reason, ...]:
    """What these checks find, those of them that are in force, as reasons: each once.

    Who the side is goes without saying; which of several melds it is stands in the figure `meld`, counted from one.
    """
    found: list[Reason] = []
    for rule_of_hand in table.rules.checks:
        for trouble in CHECKS[rule_of_hand.id](table) if rule_of_hand.id in checks else ():
            number = [part for part in trouble.where if isinstance(part, int)][1:]
            which: dict[str, Figure] = {"meld": number[0] + 1} if number else {}
            figures = {name: value for name, value in trouble.figures.items() if name not in ("side", "sides")}
            grounds = rule_of_hand.rests if trouble.grounds is None else trouble.grounds
            why = reason(rule_of_hand.id, *grounds, **figures, **which)
            if why not in found:
                found.append(why)
    return tuple(found)


def unknown_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """That some of these are no cards."""
    return broken(lay_case(rules, left=(together(*cards),)), {"card-unknown"})


def cannot_be(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """What is wrong with cards whatever is done with them."""
    return broken(lay_case(rules, left=cards), CANNOT_BE)


def is_legal(rules: Ruleset, meld: Reading) -> bool:
    """Whether cards are a meld."""
    return not broken(lay_case(rules, meld), MELD_CHECKS)


def incomplete_wild_melds(settings: Settings, melds: Iterable[Reading]) -> int:
    """How many of these are melds of wild cards alone that are no canasta."""
    return sum(is_incomplete_wild_meld(read_meld(each.cards), settings) for each in melds)


def against_table_meld(rules: Ruleset, on: Reading, *, out: Out | None = None) -> Iterator[Reason]:
    """That what cards are laid on is no meld itself."""
    wrong = broken(lay_case(rules, on, out=out), MELD_CHECKS - CANNOT_BE)
    if wrong:
        grounds = dict.fromkeys(ground for each in wrong for ground in each.grounds)
        yield reason("table-meld-illegal", *grounds, cards=on.cards.size)


# ------------------------------------------------------------------------------------------- reasons


def reason(code: str, *grounds: str, **figures: Figure) -> Reason:
    """A reason of the referee's own, resting on these grounds; their sources are added to the ruling."""
    return Reason(code, figures, grounds=grounds)


def judged(against: Iterable[Reason], favour: Iterable[Reason] = (), **details: Detail) -> Ruling:
    """Forbidden for the reasons against it, if there are any; otherwise allowed for those in favour."""
    found = tuple(against)
    return Ruling(Verdict.FORBIDDEN if found else Verdict.ALLOWED, found or tuple(favour), details)


def minimum_reason(table: Table, code: str, minimum: int, *more: str, **figures: Figure) -> Reason:
    """A reason of the referee's own that names the opening minimum (points) of the side that the question is about."""
    ground = table.settings.minimum_ground(table.hand.before[ASKER], table.hand.deal)
    return reason(code, *more, ground, minimum=minimum, **figures)


def to_go_out(settings: Settings) -> tuple[str, ...]:
    """The grounds of the canastas that going out needs."""
    return ("canastas-needed", "canasta-families-needed") if settings.canasta_families_needed else ("canastas-needed",)


def has_partner(settings: Settings) -> bool:
    """Whether somebody at the table plays with a partner."""
    return max(settings.sides) > 1 or settings.partnership is Partnership.SINGLE_TAKER


def is_frozen(settings: Settings, *, noted: bool) -> bool:
    """Whether the pile is frozen, where so much is noted of it: in some variants it always is, or never."""
    return settings.freezing == "always" or (noted and settings.freezing != "never")


def naturals_needed(settings: Settings, *, frozen: bool) -> int:
    """The natural cards of the top card's rank with which a pile that is frozen, or not, is taken."""
    return settings.pile_naturals_frozen if frozen else settings.pile_naturals


def special_top(settings: Settings, card: Kind) -> PileTop | None:
    """How the pile is taken with this special card on top; None where it is not."""
    return next((top for top in settings.pile_tops if top.card == card), None)


def counter_readings(rules: Ruleset, party: Party) -> Iterator[Reason]:
    """That canastas of wild cards alone count as natural or mixed by a reading, where the party has any."""
    if by_reading(rules, party):
        yield reason("wild-canastas-read", "canastas")


@cache
def _known_faults() -> Mapping[str, Fault]:
    return load_faults(sources())


def faults(rules: Ruleset, *codes: str) -> Iterator[Reason]:
    """Known faults of the sources, of these codes, that touch the rules in force."""
    for code in codes:
        fault = _known_faults()[code]
        if fault.known_by in rules.cited_at(fault.touches).everywhere:
            yield Reason(code, {}, places([fault.cited]), (), fault.cited.standing)


def faults_of(rules: Ruleset, ground: str) -> Iterator[Reason]:
    """Those that touch what is told of this setting, or of a penalty (`penalties/CODE`)."""
    yield from faults(rules, *(code for code, fault in _known_faults().items() if fault.touches == ground))


OF_MINIMUMS = ("fault-opening-from-zero", "fault-without-fifteen", "fault-only-fifty")
"""Known faults that are told with opening minimums."""


def minimum_faults(table: Table) -> Iterator[Reason]:
    """What the sources left out of the opening minimum that holds for the side that the question is about."""
    rules, score = table.rules, table.hand.before[ASKER]
    from_zero, without_fifteen, only_fifty = OF_MINIMUMS
    if score < 0:
        yield from faults(rules, from_zero)
    # A source is told to leave a minimum out where it is not the one that names it.
    named_by = rules.places(rules.settings.minimum_ground(score, table.hand.deal))
    left_out = (without_fifteen, only_fifty) if score < 0 else (only_fifty,)
    yield from (each for each in faults(rules, *left_out) if each.sources[0] not in named_by)


# ------------------------------------------------------------------------------------------- the answer


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


def answer_to(rules: Ruleset, question: AnyQuestion) -> Answer:
    """Answer a question under these rules, and under those that could hold instead.

    A text whose own codification says the contrary does not stand for the ruling, though it may agree with a part of
    what it rests on.
    """
    ruling_under = SettingsMemo(lambda there: _RULINGS[type(question)](there, question))
    ruling = _cited(rules, ruling_under(rules))
    others = _alternatives(rules, ruling_under)
    # A table's own options beside a codification are no word of its source.
    opposite = {Verdict.ALLOWED, Verdict.FORBIDDEN}
    against = {other.preset for other in others if {ruling.verdict, other.ruling.verdict} == opposite}
    presets = get_variant(rules.variant).presets if against else {}
    dissenting = {preset.source for name, preset in presets.items() if name in against and name != rules.preset}
    reasons = []
    for why in ruling.reasons:
        left = tuple(place for place in why.sources if place.partition(":")[0] not in dissenting)
        # As long as any other says it.
        reasons.append(replace(why, sources=left or why.sources))
    return Answer(replace(ruling, reasons=tuple(reasons)), others)


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
        options = {**own, option.id: value.value}
        there = settle(variant.id, rules.preset, options)
        ruling = ruling_under(there)
        if _differs(ruling, ruling_under(rules)):
            if rules.preset is not None:
                # No codification has another value than its own: what is told then are the options.
                options = {name: chosen for name, chosen in there.options.items() if not same(chosen, usual[name])}
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
        told = changed or preset.options or differ
        values = [variant.options[name].value_of(value) for name, value in told.items()]
        sources_of = places(each.cited for each in values if each)
        yield Alternative(preset.id, {**kept, **changed}, changed, ruling, sources_of)


def _decides(preset: Preset, variant: Variant, name: str) -> bool:
    """Whether the source of a codification speaks of what this option decides."""
    option = variant.options[name]
    usual = option.value_of(default_of(variant, option))
    speaks = usual is not None and any(place.source == preset.source for place in usual.cited.citations)
    return name in preset.options or speaks
