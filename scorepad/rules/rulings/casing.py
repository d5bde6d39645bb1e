"""A case of the table laid out as a hand, so that the checks that judge hands answer for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from scorepad.rules.cards import Reading, gather
from scorepad.rules.checks import CHECKS, Figure, SideName
from scorepad.rules.entries import Hand, MeldEntry, Out, SideEntry
from scorepad.rules.grounds import basis, check_grounds, minimum_ground
from scorepad.rules.lines import LINES
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.settings import Settings
from scorepad.rules.table import Lay, Party, Table, lay_table
from scorepad.rules.terms import BlackThrees, Partnership
from scorepad.rules.variants import Ruleset

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
        yield reason(rules, "table-meld-illegal", *grounds, cards=on.cards.size)


def broken(table: Table, checks: Collection[str]) -> tuple[Reason, ...]:
    """What these checks find, those of them that are in force, as reasons: each once.

    Who the side is goes without saying; which of several melds it is stands in the figure `meld`, counted from one.
    """
    found: list[Reason] = []
    for rule in table.rules.checks:
        for trouble in CHECKS[rule.id](table) if rule.id in checks else ():
            number = [part for part in trouble.where if isinstance(part, int)][1:]
            which: dict[str, Figure] = {"meld": number[0] + 1} if number else {}
            grounds = (*check_grounds(table.rules, rule.id, trouble.figures), *trouble.grounds)
            why = reason(table.rules, rule.id, *grounds, **_without_sides(trouble.figures), **which)
            if why not in found:
                found.append(why)
    return tuple(found)


def _without_sides(figures: Mapping[str, Figure]) -> dict[str, Figure]:
    return {name: value for name, value in figures.items() if not _names_sides(value)}


def _names_sides(value: Figure) -> bool:
    return any(isinstance(part, SideName) for part in (value if isinstance(value, tuple) else (value,)))


def scored(table: Table, party: Party, lay: Lay, line: str) -> int:
    """What a line rule of the score gives a side; points, or units."""
    return sum(tally.points for tally in LINES[line](table, party, lay))


def line_grounds(table: Table, party: Party, lay: Lay, line: str) -> tuple[str, ...]:
    """What a line rule of the score rests on for a side."""
    return tuple(dict.fromkeys(ground for tally in LINES[line](table, party, lay) for ground in tally.grounds))


def minimum_reason(table: Table, code: str, minimum: int, *more: str, **figures: Figure) -> Reason:
    """A reason of the referee's own that names the opening minimum (points) of the side that the question is about."""
    ground = minimum_ground(table.settings, table.hand.before[ASKER], table.hand.deal)
    return reason(table.rules, code, *more, ground, minimum=minimum, **figures)


def to_go_out(settings: Settings) -> tuple[str, ...]:
    """The grounds of the canastas that going out needs."""
    return ("canastas-needed", "canasta-families-needed") if settings.canasta_families_needed else ("canastas-needed",)


def reason(rules: Ruleset, code: str, *grounds: str, **figures: Figure) -> Reason:
    """A reason of the referee's own, resting on these grounds."""
    sources, standing = basis(rules, grounds)
    return Reason(code, figures, sources, grounds, standing)
