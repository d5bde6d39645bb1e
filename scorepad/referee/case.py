"""Common functions of the rulings: the case as a hand, reasons with citations, and answers under
other rules.

A ruling is a function of the rules and of one kind of question, registered with `answers`. It
returns reasons with the grounds that decided; this module adds the sources of those grounds, and
the codifications and options under which the answer would differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from scorepad.errors import ChoiceError
from scorepad.referee.questions import (
    Alternative,
    Answer,
    AnyQuestion,
    Detail,
    Reason,
    Reasons,
    Ruling,
    Verdict,
)
from scorepad.rules import checks
from scorepad.rules.applied import OF_CHECKS
from scorepad.rules.cards import KINDS, Kind, Reading, gather
from scorepad.rules.checks import CHECKS, Figure
from scorepad.rules.definitions import Choices, Option, OptionValue, Ruleset, Variant, places, same
from scorepad.rules.loader import load_faults
from scorepad.rules.settings import PileTop, Settings
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
from scorepad.rules.turn_checks import wild_family_grounds
from scorepad.rules.variants import default_of, get_variant, settle

Rule = Callable[[Ruleset, Any], Ruling]
_RULINGS: dict[tuple[type, bool], Rule] = {}


def answers(question: type, *, of_hand: bool = False) -> Callable[[Rule], Rule]:
    """Register a function as the ruling on this kind of question; `of_hand`: if it is about a
    player's whole hand.
    """

    def register(function: Rule) -> Rule:
        _RULINGS[question, of_hand] = function
        return function

    return register


# ------------------------------------------------------------------------------- the case as a hand

ASKER = 0
"""The position of the side that the question concerns, and of its party."""
MELD_CHECKS = frozenset({"card-unknown", "deck-exceeded", *checks.MELD_CHECKS})
"""The checks of cards as melds, regardless of who lays them and when."""
CANNOT_BE = frozenset({"card-unknown", "deck-exceeded", "red-threes-exceeded"})
"""The checks for impossible cards, which run before any search."""


def lay_case(
    rules: Ruleset,
    *melds: Reading,
    out: Out | None = None,
    score: int = 0,
    deal: int = 1,
    **entry: Any,
) -> Table:
    """The table of a hand in which only one side has entries, at this match score.

    It laid these melds; `entry` are the other fields of its `SideEntry`.
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
    """The kind of a single card."""
    return next(kind for kind, count in zip(KINDS, card.cards.counts, strict=True) if count)


def table_meld_checks(rules: Ruleset) -> frozenset[str]:
    """The checks for melds that are on the table together.

    If a second incomplete meld of a rank is forbidden, the table cannot have one; otherwise a
    second is only unusual.
    """
    barred = rules.settings.repeated_rank == "not-incomplete"
    return MELD_CHECKS | {"meld-rank-repeated"} if barred else MELD_CHECKS


def meld_checks(rules: Ruleset) -> frozenset[str]:
    """The checks for cards laid now: those of melds, and when black threes may be laid.

    If black threes are never melded, one check is sufficient.
    """
    never = rules.settings.black_threes == "never"
    return (
        table_meld_checks(rules) if never else table_meld_checks(rules) | {"black-threes-not-out"}
    )


def broken(table: Table, codes: Collection[str]) -> tuple[Reason, ...]:
    """The findings of these checks, as far as they are in force, as reasons without duplicates.

    The side is omitted; if there are several melds, the figure `meld` is the number of the meld,
    counted from one.
    """
    found: list[Reason] = []
    for rule_of_hand in table.rules.checks:
        for trouble in CHECKS[rule_of_hand.id](table) if rule_of_hand.id in codes else ():
            number = [part for part in trouble.where if isinstance(part, int)][1:]
            which: dict[str, Figure] = {"meld": number[0] + 1} if number else {}
            figures = {
                name: value
                for name, value in trouble.figures.items()
                if name not in ("side", "sides")
            }
            grounds = rule_of_hand.grounds if trouble.grounds is None else trouble.grounds
            why = reason(rule_of_hand.id, *grounds, **figures, **which)
            if why not in found:
                found.append(why)
    return tuple(found)


def against_unknown_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """The reason for tokens that are not cards."""
    return broken(lay_case(rules, left=(together(*cards),)), {"card-unknown"})


def against_impossible_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """What is wrong with cards regardless of their use."""
    return broken(lay_case(rules, left=cards), CANNOT_BE)


def is_legal(rules: Ruleset, meld: Reading) -> bool:
    """Whether cards are a legal meld."""
    return not broken(lay_case(rules, meld), MELD_CHECKS)


def incomplete_wild_melds(settings: Settings, melds: Iterable[Reading]) -> int:
    """The number of these melds that consist of wild cards alone and are not canastas."""
    return sum(is_incomplete_wild_meld(read_meld(each.cards), settings) for each in melds)


def against_table_meld(rules: Ruleset, on: Reading, *, out: Out | None = None) -> Reasons:
    """The reasons if the meld that cards are laid on is not legal."""
    wrong = broken(lay_case(rules, on, out=out), MELD_CHECKS - CANNOT_BE)
    if wrong:
        grounds = dict.fromkeys(ground for each in wrong for ground in each.grounds)
        yield reason("table-meld-illegal", *grounds, cards=on.cards.size)


# ------------------------------------------------------------------------------------------ reasons


def reason(code: str, *grounds: str, **figures: Figure) -> Reason:
    """A reason defined by the referee, with these grounds; their sources are added to the ruling."""
    return Reason(code, figures, grounds=grounds)


def judged(against: Iterable[Reason], favour: Iterable[Reason] = (), **details: Detail) -> Ruling:
    """Forbidden for the reasons against it, if there are any; otherwise allowed for the reasons in
    favour.
    """
    found = tuple(against)
    return Ruling(Verdict.FORBIDDEN if found else Verdict.ALLOWED, found or tuple(favour), details)


def minimum_reason(table: Table, code: str, minimum: int, *more: str, **figures: Figure) -> Reason:
    """A reason defined by the referee, with the opening minimum (points) of the side that the
    question concerns.
    """
    ground = table.rules.minimum_ground(table.hand.before[ASKER], table.hand.deal)
    return reason(code, *more, ground, minimum=minimum, **figures)


def to_go_out(settings: Settings) -> tuple[str, ...]:
    """The grounds of the canastas that going out requires."""
    return (
        ("canastas-needed", "canasta-families-needed")
        if settings.canasta_families_needed
        else ("canastas-needed",)
    )


def has_partner(settings: Settings) -> bool:
    """Whether anyone at the table plays with a partner."""
    return max(settings.sides) > 1 or settings.partnership == "single-taker"


def is_frozen(settings: Settings, *, noted: bool) -> bool:
    """Whether the pile is frozen; `noted` is ignored in variants where it always or never is."""
    return settings.freezing == "always" or (noted and settings.freezing != "never")


def naturals_needed(settings: Settings, *, frozen: bool) -> int:
    """The number of natural cards of the top card's rank needed to take the pile, frozen or not."""
    return settings.pile_naturals_frozen if frozen else settings.pile_naturals


def special_top(settings: Settings, card: Kind) -> PileTop | None:
    """How the pile is taken with this special card on top; None if it cannot be."""
    return next((top for top in settings.pile_tops if top.card == card), None)


def wild_family_reasons(rules: Ruleset, party: Party) -> Reasons:
    """The reason that canastas of wild cards alone count as natural or mixed by inference, if the
    party has any.
    """
    if wild_family_grounds(rules, party):
        yield reason("wild-canastas-read", "canastas")


def faults(rules: Ruleset, *codes: str) -> Reasons:
    """Known faults of the sources, with these codes, that concern the rules in force."""
    for code in codes:
        fault = load_faults()[code]
        cited = rules.cited_at(fault.touches)
        if fault.known_by in places((cited, *cited.steps.values())):
            yield Reason(code, {}, places([fault.cited]), (), fault.cited.standing)


def faults_of(rules: Ruleset, ground: str) -> Reasons:
    """The known faults that concern this setting, or a penalty (`penalties/CODE`)."""
    yield from faults(
        rules, *(code for code, fault in load_faults().items() if fault.touches == ground)
    )


OF_MINIMUMS = ("fault-opening-from-zero", "fault-without-fifteen", "fault-only-fifty")
"""Known faults that are reported with opening minimums."""


def minimum_faults(table: Table) -> Reasons:
    """The omissions of the sources about the opening minimum in force for the side that the
    question concerns.
    """
    rules, score = table.rules, table.hand.before[ASKER]
    from_zero, without_fifteen, only_fifty = OF_MINIMUMS
    if score < 0:
        yield from faults(rules, from_zero)
    # An omission of a minimum is reported only for sources that do not name it.
    named_by = rules.places(rules.minimum_ground(score, table.hand.deal))
    left_out = (without_fifteen, only_fifty) if score < 0 else (only_fifty,)
    yield from (each for each in faults(rules, *left_out) if each.sources[0] not in named_by)


# --------------------------------------------------------------------------------------- the answer


_OPENING = OF_CHECKS["opening-below-minimum"]
_APPLIED = {
    "opening-reached": _OPENING,
    "pile-opening-reached": _OPENING,
    "out-concealed-reached": _OPENING,
    "out-concealed-never-opens": _OPENING,
    "out-concealed-if-reached": (*_OPENING, "opening-below-zero"),
    "opening-melds-aside": _OPENING,
    "red-threes-worth": ("red-three-values",),
    "red-threes-for": ("red-three-values", "red-threes-otherwise"),
    "red-threes-against": ("red-three-values", "red-threes-condition"),
    "red-threes-to-opponents": ("red-three-values", "red-threes-condition"),
    "red-threes-shared": ("red-three-values", "red-threes-condition"),
    "red-threes-twice-against": ("red-three-values", "red-threes-condition"),
    "canasta-made": ("canasta-length",),
    "canasta-concealed": ("canasta-length",),
    "out-worth": ("out-bonus-canastas",),
    "penalty-counted-once": ("held-red-three-counts",),
    # What a hand can open with depends on all that it may and must keep.
    "opening-reached/hand": (*OF_CHECKS["totals-impossible"], "canastas-needed", "hands-each"),
    "pile-with-naturals/free": ("freezing",),
    "pile-with-wild/free": ("freezing",),
    "pile-with-naturals/frozen": ("freezing",),
    "pile-with-wild/frozen": ("freezing",),
    "upcard-freeze/always": ("freezing",),
    "upcard-freeze/never": ("freezing",),
    "upcard-cover/always": ("freezing",),
}
"""The settings that a reason follows from besides its grounds, by its code, or by that and its
`why`.
"""


def _applied_by(why: Reason) -> tuple[str, ...]:
    found = OF_CHECKS.get(why.code, ()) + _APPLIED.get(why.code, ())
    return found + _APPLIED.get(f"{why.code}/{why.figures.get('why')}", ())


def rule(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """The ruling of the rules in force on a question."""
    ruling, cited = _uncited(rules, question), list[Reason]()
    # A reason without grounds already has its sources.
    for why in ruling.reasons:
        basis = rules.basis(why.grounds, _applied_by(why))
        cited.append(
            replace(why, sources=basis.sources, standing=basis.standing) if why.grounds else why
        )
    return replace(ruling, reasons=tuple(cited))


def _uncited(rules: Ruleset, question: AnyQuestion) -> Ruling:
    """The ruling without the sources of its grounds."""
    return _RULINGS[type(question), getattr(question, "hand", None) is not None](rules, question)


def answer_to(rules: Ruleset, question: AnyQuestion) -> Answer:
    """Answer a question under these rules, and under the alternatives to them.

    A source whose own codification says the opposite is not cited for the ruling, even if it agrees
    with part of its grounds.
    """
    ruling = rule(rules, question)
    others = _alternatives(rules, _ruling_under(question))
    # Options that the table adds to a codification are not statements of its source.
    opposite = {Verdict.ALLOWED, Verdict.FORBIDDEN}
    against = {
        other.preset for other in others if {ruling.verdict, other.ruling.verdict} == opposite
    }
    presets = get_variant(rules.variant).presets if against else {}
    dissenting = {
        preset.source
        for name, preset in presets.items()
        if name in against and name != rules.preset
    }
    reasons = []
    for why in ruling.reasons:
        left = tuple(place for place in why.sources if place.partition(":")[0] not in dissenting)
        # Remove sources only if others remain.
        reasons.append(replace(why, sources=left or why.sources))
    return Answer(replace(ruling, reasons=tuple(reasons)), others)


class _RecordedSettings(Settings):
    """Settings that record the names of the attributes read."""

    __slots__ = ("read",)
    read: set[str]

    def __getattribute__(self, name: str) -> Any:
        object.__getattribute__(self, "read").add(name)
        return object.__getattribute__(self, name)

    __hash__ = object.__hash__
    __eq__ = object.__eq__


_RulingUnder = Callable[[Ruleset], Ruling]


def _ruling_under(question: AnyQuestion) -> _RulingUnder:
    """The ruling on a question as a function of the rules of one variant.

    It is computed again only if a setting that it read has a different value: most options leave it
    as it is.
    """
    known: list[tuple[dict[str, Any], Ruling]] = []

    def ruling_under(rules: Ruleset) -> Ruling:
        values = {each.name: getattr(rules.settings, each.name) for each in fields(Settings)}
        for read, ruling in known:
            if read.items() <= values.items():
                return ruling
        settings = _RecordedSettings(**values)
        object.__setattr__(settings, "read", set())
        ruling = _uncited(replace(rules, settings=settings), question)
        known.append(
            ({name: value for name, value in values.items() if name in settings.read}, ruling)
        )
        return ruling

    return ruling_under


def _alternatives(rules: Ruleset, ruling_under: _RulingUnder) -> tuple[Alternative, ...]:
    """The rules under which the answer differs: first other presets, then single options that no
    preset sets.
    """
    here = ruling_under(rules)
    try:
        variant, given = get_variant(rules.variant), settle(rules.variant, rules.preset).options
        # The options that the table chose in addition to its preset.
        own = {
            name: chosen
            for name, chosen in rules.options.items()
            if name in given and not same(chosen, given[name])
        }
        singles = [
            each
            for each in _under_options(variant, rules, own, ruling_under)
            if _differs(each.ruling, here)
        ]
        others = _under_presets(variant, rules, own, ruling_under, singles)
        codes = [other for other in others if _differs(other.ruling, here)]
    except ChoiceError:
        # A match keeps its initial rules; the variant or options may no longer exist.
        return ()
    of_codes = {changed for code in codes for changed in code.changed.items()}
    return (
        *codes,
        *(single for single in singles if not of_codes.issuperset(single.changed.items())),
    )


def _differs(one: Ruling, other: Ruling) -> bool:
    return (one.verdict, dict(one.details)) != (other.verdict, dict(other.details))


def _under_options(
    variant: Variant, rules: Ruleset, own: Choices, ruling_under: _RulingUnder
) -> Iterator[Alternative]:
    """Every value of every option except the one in force, with the rest unchanged."""
    usual = settle(variant.id).options
    for option, other in other_values(variant, rules):
        options = {**own, option.id: other.value}
        there = settle(variant.id, rules.preset, options)
        if rules.preset is not None:
            # A changed codification is no longer that codification: report the options instead.
            options = {
                name: chosen
                for name, chosen in there.options.items()
                if not same(chosen, usual[name])
            }
        yield Alternative(
            None, options, {option.id: other.value}, ruling_under(there), places([other.cited])
        )


def other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """The values that a table could have chosen instead; amounts are not listed and affect no
    ruling.

    The number of players is not a choice of rules.
    """
    for option in variant.options.values():
        for other in variant.values_of(option):
            in_force = option.id in rules.options and same(other.value, rules.options[option.id])
            if not in_force and "sides" not in other.sets:
                yield option, other


def _under_presets(
    variant: Variant,
    rules: Ruleset,
    own: Choices,
    ruling_under: _RulingUnder,
    singles: list[Alternative],
) -> Iterator[Alternative]:
    """The other codifications, combined with the table's own options that their source does not
    set.
    """
    usual = {
        name: option.value_of(default_of(variant, option))
        for name, option in variant.options.items()
    }
    cited = {name: default.cited.citations if default else () for name, default in usual.items()}
    for preset in variant.presets.values():
        if preset.id == rules.preset:
            continue
        decided = {
            name for name in own if any(place.source == preset.source for place in cited[name])
        }
        kept = {
            name: chosen
            for name, chosen in own.items()
            if name not in decided | preset.options.keys()
        }
        there = settle(variant.id, preset.id, kept)
        ruling = ruling_under(there)
        alike = [single.changed for single in singles if not _differs(single.ruling, ruling)]
        changed = {
            name: chosen
            for each in alike
            for name, chosen in each.items()
            if same(there.options[name], chosen)
        }
        differ = {
            name: chosen
            for name, chosen in there.options.items()
            if not same(chosen, rules.options[name])
        }
        told = changed or preset.options or differ
        values = [variant.options[name].value_of(chosen) for name, chosen in told.items()]
        found = places(each.cited for each in values if each)
        yield Alternative(preset.id, {**kept, **changed}, changed, ruling, found)
