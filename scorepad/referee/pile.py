"""May the pile be taken? The top card is used at once: with cards of the hand, or laid off on a meld of the side.

How the top card of the pile can be used with the melds of a question.

One of the melds laid holds the top card. Where the table has a meld of the card's rank that takes more, cards of that
rank are the hand's only and join it. With none of them the top card alone is laid off on a meld of the table.

"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, answered, ruling
from scorepad.referee.case import (
    ASKER,
    against_table_meld,
    asker,
    broken,
    faults,
    is_frozen,
    is_legal,
    kind_of,
    laid_down,
    lay_case,
    meld_checks,
    minimum_faults,
    minimum_reason,
    naturals_needed,
    reason,
    special_top,
    together,
    unknown_cards,
)
from scorepad.referee.meld import against_wilds_on, begun_in_one_turn
from scorepad.referee.questions import PileQuestion
from scorepad.rules.cards import Reading
from scorepad.rules.checks import Figure
from scorepad.rules.entries import SideEntry
from scorepad.rules.melds import canasta_of, is_incomplete_wild_meld, read_meld
from scorepad.rules.settings import Partnership, PileTop, Sequences, Settings
from scorepad.rules.table import Table
from scorepad.rules.turn_checks import weigh
from scorepad.rules.variants import Ruleset


@ruling(PileQuestion)
def rule_pile(rules: Ruleset, asked: PileQuestion) -> Ruling:
    """Whether the pile may be taken with these melds."""
    if rules.settings.pile == "not-told":
        return Ruling(Verdict.SILENT, (Reason("pile-not-told"),))
    unknown = unknown_cards(rules, asked.top, *asked.table, *asked.laid)
    if unknown:
        return Ruling(Verdict.FORBIDDEN, unknown)
    # More cards than there are would be tried in more ways than anybody needs.
    too_many = broken(lay_case(rules, SideEntry(melds=laid_down(*asked.table, *asked.laid))), {"deck-exceeded"})
    if too_many:
        return Ruling(Verdict.FORBIDDEN, too_many)
    before = tuple(_before_opening(rules, asked))
    kind = kind_of(asked.top)
    if not kind.is_natural:
        return _special(rules, asked, before)
    if kind in rules.settings.stop_ranks:
        stops = reason(rules, "pile-top-stops", "stop-ranks", card=kind)
        return answered((*before, stops), forbids=True)
    return _natural(rules, asked, before)


def _before_opening(rules: Ruleset, asked: PileQuestion) -> Iterator[Reason]:
    if not asked.opened and rules.settings.opening_pile == "never":
        yield reason(rules, "pile-before-opening", "opening-pile")


# ------------------------------------------------------------------------------------------- a special card on top


def _special(rules: Ruleset, asked: PileQuestion, before: tuple[Reason, ...]) -> Ruling:
    """A special card on top: not to be taken, or only with more of it."""
    kind = kind_of(asked.top)
    way = special_top(rules.settings, kind)
    if way is None:
        no = reason(rules, "pile-top-special", "pile-tops", card=kind)
        return answered((*before, no), forbids=True)
    against = (*before, *_with_more(rules, asked, way))
    yes = reason(rules, "pile-top-with-more", f"pile-tops/{kind}", card=kind, more=way.more, why=way.used)
    return answered(against or (yes,), forbids=bool(against))


def _with_more(rules: Ruleset, asked: PileQuestion, way: PileTop) -> Iterator[Reason]:
    """What is missing to take a pile with this card on top; one of the melds named holds the top card."""
    kind = kind_of(asked.top)
    has = max((meld.cards.of(kind) - 1 for meld in asked.laid), default=0)
    if has < way.more:
        figures = {"needed": way.more, "has": max(0, has)}
        yield reason(rules, "pile-top-needs-more", f"pile-tops/{kind}", card=kind, why=way.used, **figures)
    melds = [meld for meld in asked.laid if way.used == "melded" or not meld.cards.of(kind)]
    table = lay_case(rules, SideEntry(melds=laid_down(*melds, *asked.table)))
    yield from broken(table, meld_checks(rules))


# ------------------------------------------------------------------------------------------- a natural card on top


def _natural(rules: Ruleset, asked: PileQuestion, before: tuple[Reason, ...]) -> Ruling:
    """The best use of the top card decides: that with the fewest reasons against it."""
    tried = [(against_use(rules, asked, use), use) for use in _different(uses_of(rules, asked))]
    against, use = min(tried, key=lambda one: len(one[0]), default=(None, None))
    if use is None or against is None:
        return _unused(rules, asked, before)
    against = (*before, *against)
    details = _opening_details(rules, asked, use)
    reasons = against or tuple(_in_favour(rules, asked, use, details))
    slipped = _slips(rules, asked, details)
    return answered((*_on_freezing(rules, asked), *reasons, *slipped), forbids=bool(against), **details)


def _unused(rules: Ruleset, asked: PileQuestion, before: tuple[Reason, ...]) -> Ruling:
    no = meld_full(rules, asked) or reason(
        rules, "pile-top-unused", "pile", card=kind_of(asked.top), **_suits(rules, asked)
    )
    return answered((*before, no), forbids=True, **_opening_details(rules, asked, None))


def _suits(rules: Ruleset, asked: PileQuestion) -> dict[str, Figure]:
    """That nobody said of which suits the cards are, where it takes the suits to know whether the top card fits."""
    runs = [meld for meld in asked.table if len(meld.cards.ranks) > 1]
    told = [sum(count for _, _, count in each.cards.suited) >= each.cards.naturals for each in (asked.top, *runs)]
    unsaid = rules.settings.sequences is not Sequences.NONE and bool(runs) and not all(told)
    return {"why": "suits"} if unsaid else {}


def meld_full(rules: Ruleset, asked: PileQuestion) -> Reason | None:
    """That the side's meld of the top card's rank takes no more, where it has one like that and no other."""
    sizes = [meld.cards.size for meld in asked.table if meld.cards.ranks == asked.top.cards.ranks]
    if not sizes or any(rules.settings.may_grow(size) for size in sizes):
        return None
    return reason(rules, "pile-meld-full", "meld-longest", card=kind_of(asked.top), cards=max(sizes))


def _different(uses: Iterable[Use]) -> Iterator[Use]:
    """Each use once, whichever of several melds alike it is made with."""
    seen = set()
    for use in uses:
        alike = (use.meld, use.onto)
        if alike not in seen:
            seen.add(alike)
            yield use


def against_use(rules: Ruleset, asked: PileQuestion, use: Use) -> tuple[Reason, ...]:
    """What forbids this use of the top card."""
    melds = _laid_with(asked, use)
    table = lay_case(rules, SideEntry(melds=laid_down(*melds, *use.others)))
    reasons = [*broken(table, meld_checks(rules)), *against_wilds(rules, asked.table, asked.laid, use)]
    reasons += () if use.onto is None else against_table_meld(rules, use.onto)
    reasons += begun_in_one_turn(rules, melds)
    if not _lays_off(rules, asked, use):
        reasons += _against_taking(rules, asked, use)
    elif rules.settings.pile_layoff == "top-card-only" and use.naturals < rules.settings.pile_naturals:
        reasons.append(reason(rules, "pile-top-card-only", "pile-layoff", card=kind_of(asked.top)))
    if not asked.opened and rules.settings.opening_pile != "never":
        reasons += broken(_opening(rules, asked, use), {"opening-below-minimum"})
    return tuple(reasons)


def _laid_with(asked: PileQuestion, use: Use) -> tuple[Reading, ...]:
    """The melds of the turn as they lie, each at its place in the question; one laid off alone comes last."""
    if use.number is None:
        return (*asked.laid, use.meld)
    return (*asked.laid[: use.number], use.meld, *asked.laid[use.number + 1 :])


def _lays_off(rules: Ruleset, asked: PileQuestion, use: Use) -> bool:
    """Whether the top card goes to a meld of the table in a way that takes the pile whatever else is laid."""
    how = rules.settings.pile_top_laid_off
    if use.onto is None or how == "never" or is_frozen(rules.settings, noted=asked.frozen):
        return False
    return how == "not-frozen" or (asked.opened and use.onto.cards.size < rules.settings.canasta_length)


def _against_taking(rules: Ruleset, asked: PileQuestion, use: Use) -> Iterator[Reason]:
    """What is missing to take the pile with cards of the hand."""
    settings, kind = rules.settings, kind_of(asked.top)
    frozen = is_frozen(settings, noted=asked.frozen)
    needed = naturals_needed(settings, frozen=frozen)
    if use.naturals < needed:
        if use.onto is not None and not frozen:
            yield _why_not_laid_off(rules, asked)
        yield too_few_naturals(rules, asked, use.naturals)
    elif use.size + 1 < settings.meld_shortest:
        yield reason(rules, "pile-two-cards", "meld-shortest", card=kind, has=use.size)


def too_few_naturals(rules: Ruleset, asked: PileQuestion, has: int) -> Reason:
    """That taking the pile with cards of the hand needs more naturals of the top card's rank than so many."""
    frozen = is_frozen(rules.settings, noted=asked.frozen)
    needed, kind = naturals_needed(rules.settings, frozen=frozen), kind_of(asked.top)
    about, why = ("pile-naturals-frozen", "frozen") if frozen else ("pile-naturals", "free")
    return reason(rules, "pile-naturals", about, card=kind, needed=needed, has=has, why=why)


def _why_not_laid_off(rules: Ruleset, asked: PileQuestion) -> Reason:
    kind = kind_of(asked.top)
    if rules.settings.pile_top_laid_off == "never":
        return reason(rules, "pile-never-laid-off", "pile-top-laid-off", card=kind)
    if not asked.opened:
        return reason(rules, "pile-lay-off-unopened", "pile-top-laid-off", card=kind)
    return reason(rules, "pile-on-complete", "pile-top-laid-off", card=kind)


# ------------------------------------------------------------------------------------------- the opening


def _opening(rules: Ruleset, asked: PileQuestion, use: Use | None) -> Table:
    """What a side that has not opened lays in this turn, the top card in its meld; laid off alone it opens nothing.

    What lies on the table before is no part of it.
    """
    melds = asked.laid
    if use is not None and use.number is not None:
        mine = use.meld if use.onto is None else together(asked.top, asked.laid[use.number])
        melds = _laid_with(asked, replace(use, meld=mine))
    return lay_case(rules, SideEntry(opening=melds), score=asked.score, deal=asked.deal)


def _opening_details(rules: Ruleset, asked: PileQuestion, use: Use | None) -> dict[str, Detail]:
    """The minimum and what is laid toward it, where the side has yet to open with the pile."""
    table = _opening(rules, asked, use)
    minimum = table.minimums[ASKER]
    if asked.opened or minimum is None or rules.settings.opening_pile == "never":
        return {}
    counted = weigh(table, asker(table)[1], minimum).points
    return {"minimum": minimum, "counted": counted, "missing": max(0, minimum - counted)}


# ------------------------------------------------------------------------------------------- what else is told

_A_PAIR = 2
"""Natural cards of the hand that make a meld with the top card."""


def _on_freezing(rules: Ruleset, asked: PileQuestion) -> Iterator[Reason]:
    """Where the pile is frozen or not whatever the question says."""
    if rules.settings.freezing == "never" and asked.frozen:
        yield reason(rules, "pile-never-frozen", "freezing")
    if rules.settings.freezing == "always":
        yield reason(rules, "pile-always-frozen", "freezing")


def _in_favour(rules: Ruleset, asked: PileQuestion, use: Use, details: dict[str, Detail]) -> Iterator[Reason]:
    """Why the pile may be taken, and what goes with it."""
    settings, kind = rules.settings, kind_of(asked.top)
    frozen = is_frozen(settings, noted=asked.frozen)
    about, why = ("pile-naturals-frozen", "frozen") if frozen else ("pile-naturals", "free")
    # Two naturals of the hand take the pile everywhere; laying off does not.
    if use.size == 0 or (use.naturals < _A_PAIR and _lays_off(rules, asked, use)):
        yield reason(rules, "pile-laid-off", "pile-top-laid-off", card=kind)
    elif use.naturals < _A_PAIR:
        yield reason(rules, "pile-with-wild", about, card=kind, why=why)
    else:
        yield reason(rules, "pile-with-naturals", about, card=kind, naturals=use.naturals, why=why)
    if details:
        counted, minimum = (int(details[name] or 0) for name in ("counted", "minimum"))
        table = _opening(rules, asked, use)
        yield minimum_reason(table, "pile-opening-reached", minimum, "opening-pile", counted=counted)
    if settings.partnership is Partnership.SINGLE_TAKER:
        yield reason(rules, "pile-taker-alone", "partnership")
    if settings.pile_drawn:
        yield reason(rules, "pile-draws-too", "pile-drawn", cards=settings.pile_drawn)


def _slips(rules: Ruleset, asked: PileQuestion, details: Mapping[str, Detail]) -> Iterator[Reason]:
    """What the sources of the answer got wrong."""
    if is_frozen(rules.settings, noted=asked.frozen):
        yield from faults(rules, "fault-wild-unfreezes")
    if details:
        yield from minimum_faults(_opening(rules, asked, None))


@dataclass(frozen=True, slots=True)
class Use:
    """A way to use the top card.

    `meld` is the meld as it then lies, `onto` what of it lay on the table before, `others` the other melds of the
    table, `number` the place of the meld among those laid (None: the top card alone is laid off). `naturals` and `size`
    are the cards of the hand in it, those of the top card's rank and all.
    """

    meld: Reading
    onto: Reading | None
    others: tuple[Reading, ...]
    number: int | None
    naturals: int = 0
    size: int = 0


def uses_of(rules: Ruleset, asked: PileQuestion) -> tuple[Use, ...]:
    """Every way to use a natural top card with the melds laid; none where nothing can hold it."""
    return tuple(_with_hand(rules, asked)) or tuple(_laid_off(rules, asked))


def _with_hand(rules: Ruleset, asked: PileQuestion) -> Iterator[Use]:
    top, rank = asked.top, kind_of(asked.top)
    of_rank = [number for number, meld in enumerate(asked.table) if _is_of_rank(meld, asked)]
    open_ones = [number for number in of_rank if rules.settings.may_grow(asked.table[number].cards.size)]
    for number, meld in enumerate(asked.laid):
        naturals, size = meld.cards.of(rank), meld.cards.size
        if not naturals:
            continue
        if of_rank and not _is_of_rank(meld, asked):
            # A sequence with a card of the rank: the top card goes to the rank's own meld.
            continue
        for place in open_ones:
            onto, others = asked.table[place], (*asked.table[:place], *asked.table[place + 1 :])
            yield Use(together(onto, top, meld), onto, others, number, naturals, size)
        if of_rank and not open_ones:
            yield Use(together(top, meld), None, asked.table, number, naturals, size)
        if not of_rank:
            yield Use(meld, None, asked.table, number, naturals - 1, size - 1)


def _is_of_rank(meld: Reading, asked: PileQuestion) -> bool:
    """Whether a meld is of the top card's rank and no other."""
    return meld.cards.ranks == asked.top.cards.ranks


def _laid_off(rules: Ruleset, asked: PileQuestion) -> Iterator[Use]:
    """The top card alone on each meld of the table that it fits."""
    for place, onto in enumerate(asked.table):
        meld = together(onto, asked.top)
        if is_legal(rules, meld):
            yield Use(meld, onto, (*asked.table[:place], *asked.table[place + 1 :]), None)


def against_wilds(rules: Ruleset, table: tuple[Reading, ...], laid: tuple[Reading, ...], use: Use) -> Iterator[Reason]:
    """What forbids the wild cards of these melds, or the canasta that the top card makes."""
    settings = rules.settings
    if use.onto is not None and use.number is not None:
        yield from against_wilds_on(rules, read_meld(use.onto.cards), laid[use.number].cards.wilds)
    bound = any(is_incomplete_wild_meld(read_meld(meld.cards), settings) for meld in table)
    if settings.wilds_blocked == "nothing" or not bound:
        return
    used = sum(meld.cards.wilds for meld in laid if meld.cards.naturals)
    if used:
        yield reason(rules, "wilds-blocked", "wilds-blocked", wilds=used)
    elif settings.wilds_blocked == "wilds-and-mixed" and _closes_mixed(settings, use):
        yield reason(rules, "mixed-blocked", "wilds-blocked", cards=use.meld.cards.size)


def _closes_mixed(settings: Settings, use: Use) -> bool:
    """Whether a mixed meld of the table becomes a canasta."""
    was = None if use.onto is None else canasta_of(read_meld(use.onto.cards), settings)
    return was is None and use.meld.cards.wilds > 0 and canasta_of(read_meld(use.meld.cards), settings) is not None
