"""What the rulings share: a case laid out as a hand, reasons with their citations, and the known faults of sources."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from scorepad.referee.answers import Reason
from scorepad.rules.cards import KINDS, Kind, Reading, gather
from scorepad.rules.checks import CHECKS, Figure
from scorepad.rules.definitions import Fault, places
from scorepad.rules.loader import load_faults
from scorepad.rules.settings import BlackThrees, Partnership, PileTop, Settings
from scorepad.rules.table import Hand, Lay, MeldEntry, Out, Party, SideEntry, Table, lay_table
from scorepad.rules.turn_checks import by_reading
from scorepad.rules.variants import Ruleset, sources

ASKER = 0
"""The position of the side that the question is about."""

MELD_CHECKS = frozenset({
    "card-unknown", "deck-exceeded", "meld-too-short", "meld-too-long", "meld-too-few-naturals", "meld-too-many-wilds",
    "meld-mixed-ranks", "meld-sequence-broken", "meld-red-three", "meld-kind-not-allowed",
})  # fmt: skip
"""What keeps cards from being melds, whoever lays them and when."""


def lay_case(rules: Ruleset, side: SideEntry, *, out: Out | None = None, score: int = 0, deal: int = 1) -> Table:
    """The table of a hand in which only one side did anything, at this match score."""
    others = len(rules.settings.sides) - 1
    names = tuple(str(position) for position in range(others + 1))
    before = (score, *(0,) * others)
    return lay_table(rules, Hand(names, before, (side, *(SideEntry(),) * others), out=out, deal=deal))


def laid_down(*readings: Reading, concealed: bool = False) -> tuple[MeldEntry, ...]:
    """Melds as they lie; `concealed`: laid down whole."""
    return tuple(MeldEntry(reading, concealed) for reading in readings)


def together(*readings: Reading) -> Reading:
    """Several bundles of cards as one."""
    unknown = tuple(token for reading in readings for token in reading.unknown)
    return Reading(gather(reading.cards for reading in readings), unknown)


def asker(table: Table) -> tuple[Party, Lay]:
    """The side that the question is about, and those with whom it lays."""
    return next((party, lay) for party in table.parties for lay in party.lays if lay.position == ASKER)


def has_partner(settings: Settings) -> bool:
    """Whether somebody at the table plays with a partner."""
    return max(settings.sides) > 1 or settings.partnership is Partnership.SINGLE_TAKER


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


def against_table_meld(rules: Ruleset, on: Reading, *, out: Out | None = None) -> Iterator[Reason]:
    """That what cards are laid on is no meld itself."""
    table = lay_case(rules, SideEntry(melds=laid_down(on)), out=out)
    wrong = broken(table, MELD_CHECKS - {"card-unknown", "deck-exceeded"})
    if wrong:
        grounds = tuple(dict.fromkeys(ground for each in wrong for ground in each.grounds))
        yield reason("table-meld-illegal", *grounds, cards=on.cards.size)


def broken(table: Table, checks: Collection[str]) -> tuple[Reason, ...]:
    """What these checks find, those of them that are in force, as reasons: each once.

    Who the side is goes without saying; which of several melds it is stands in the figure `meld`, counted from one.
    """
    found: list[Reason] = []
    for rule in table.rules.checks:
        for trouble in CHECKS[rule.id](table) if rule.id in checks else ():
            number = [part for part in trouble.where if isinstance(part, int)][1:]
            which: dict[str, Figure] = {"meld": number[0] + 1} if number else {}
            grounds = rule.rests if trouble.grounds is None else trouble.grounds
            figures = {name: value for name, value in trouble.figures.items() if name not in ("side", "sides")}
            why = reason(rule.id, *grounds, **figures, **which)
            if why not in found:
                found.append(why)
    return tuple(found)


def minimum_reason(table: Table, code: str, minimum: int, *more: str, **figures: Figure) -> Reason:
    """A reason of the referee's own that names the opening minimum (points) of the side that the question is about."""
    ground = table.settings.minimum_ground(table.hand.before[ASKER], table.hand.deal)
    return reason(code, *more, ground, minimum=minimum, **figures)


def to_go_out(settings: Settings) -> tuple[str, ...]:
    """The grounds of the canastas that going out needs."""
    return ("canastas-needed", "canasta-families-needed") if settings.canasta_families_needed else ("canastas-needed",)


def reason(code: str, *grounds: str, **figures: Figure) -> Reason:
    """A reason of the referee's own, resting on these grounds; `rule` adds their sources."""
    return Reason(code, figures, grounds=grounds)


def kind_of(card: Reading) -> Kind:
    """What a single card is."""
    return next(kind for kind, count in zip(KINDS, card.cards.counts, strict=True) if count)


def unknown_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """That some of these are no cards."""
    return broken(lay_case(rules, SideEntry(left=(together(*cards),))), {"card-unknown"})


def is_frozen(settings: Settings, *, noted: bool) -> bool:
    """Whether the pile is frozen, where so much is noted of it: in some variants it always is, or never."""
    return settings.freezing == "always" or (noted and settings.freezing != "never")


def naturals_needed(settings: Settings, *, frozen: bool) -> int:
    """The natural cards of the top card's rank with which a pile that is frozen, or not, is taken."""
    return settings.pile_naturals_frozen if frozen else settings.pile_naturals


def special_top(settings: Settings, card: Kind) -> PileTop | None:
    """How the pile is taken with this special card on top; None where it is not."""
    return next((top for top in settings.pile_tops if top.card == card), None)


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


def counter_readings(rules: Ruleset, party: Party) -> Iterator[Reason]:
    """That canastas of wild cards alone count as natural or mixed by a reading, where the party has any."""
    if by_reading(rules, party):
        yield reason("wild-canastas-read", "canastas")


OF_MINIMUMS = ("fault-opening-from-zero", "fault-without-fifteen", "fault-only-fifty")
"""Those of opening minimums."""


def minimum_faults(table: Table) -> Iterator[Reason]:
    """What the sources left out of the opening minimum that holds for the side that the question is about."""
    rules, score = table.rules, table.hand.before[ASKER]
    if score < 0:
        yield from faults(rules, "fault-opening-from-zero")
    # A source is told to leave a minimum out where it is not the one that names it.
    named_by = rules.places(rules.settings.minimum_ground(score, table.hand.deal))
    left_out = ("fault-without-fifteen", "fault-only-fifty") if score < 0 else ("fault-only-fifty",)
    yield from (each for each in faults(rules, *left_out) if each.sources[0] not in named_by)


CANNOT_BE = frozenset({"card-unknown", "deck-exceeded", "red-threes-exceeded"})
"""The checks of what no cards can be, asked before anything is looked for."""


def cannot_be(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """What is wrong with cards whatever is done with them."""
    return broken(lay_case(rules, SideEntry(left=cards)), CANNOT_BE)


def is_legal(rules: Ruleset, meld: Reading) -> bool:
    """Whether cards are a meld."""
    return not broken(lay_case(rules, SideEntry(melds=laid_down(meld))), MELD_CHECKS)
