"""May the pile be taken? The top card is used at once: with cards of the hand, or laid off on a meld of the side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, answered
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
from scorepad.referee.meld import against_wilds_on, begun_in_one_turn, completes_mixed
from scorepad.referee.questions import PileQuestion
from scorepad.rules.cards import Reading
from scorepad.rules.settings import Partnership, Sequences
from scorepad.rules.table import SideEntry, Table, is_incomplete_wild_meld, read_meld
from scorepad.rules.turn_checks import weigh
from scorepad.rules.variants import Ruleset


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


def rule_pile(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether the pile may be taken with these melds."""
    if rules.settings.pile == "not-told":
        return Ruling(Verdict.SILENT, (Reason("pile-not-told"),))
    # More cards than there are would be tried in more ways than anybody needs.
    laid = lay_case(rules, SideEntry(melds=laid_down(*question.table, *question.laid)))
    wrong = unknown_cards(rules, question.top, *question.table, *question.laid) or broken(laid, {"deck-exceeded"})
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    before: tuple[Reason, ...] = ()
    if not question.opened and rules.settings.opening_pile == "never":
        before = (reason("pile-before-opening", "opening-pile"),)
    kind = kind_of(question.top)
    if not kind.is_natural:
        return _special(rules, question, before)
    if kind in rules.settings.stop_ranks:
        stops = reason("pile-top-stops", "stop-ranks", card=kind)
        return answered((*before, stops), forbids=True)
    return _natural(rules, question, before)


# ------------------------------------------------------------------------------------------- a special card on top


def _special(rules: Ruleset, question: PileQuestion, before: tuple[Reason, ...]) -> Ruling:
    """A special card on top: not to be taken, or only with more of it; one of the melds laid holds the top card."""
    kind = kind_of(question.top)
    top = special_top(rules.settings, kind)
    if top is None:
        return answered((*before, reason("pile-top-special", "pile-tops", card=kind)), forbids=True)
    against, ground = list(before), f"pile-tops/{kind}"
    has = max((meld.cards.of(kind) - 1 for meld in question.laid if meld.cards.of(kind)), default=0)
    if has < top.more:
        figures = {"needed": top.more, "has": has}
        against.append(reason("pile-top-needs-more", ground, card=kind, why=top.used, **figures))
    melds = [meld for meld in question.laid if top.used == "melded" or not meld.cards.of(kind)]
    table = lay_case(rules, SideEntry(melds=laid_down(*melds, *question.table)))
    against += broken(table, meld_checks(rules))
    if against:
        return answered(tuple(against), forbids=True)
    taken = reason("pile-top-with-more", ground, card=kind, more=top.more, why=top.used)
    return answered((taken,), forbids=False)


# ------------------------------------------------------------------------------------------- a natural card on top


def _natural(rules: Ruleset, question: PileQuestion, before: tuple[Reason, ...]) -> Ruling:
    """The best use of the top card decides: that with the fewest reasons against it."""
    uses: dict[tuple[Reading, Reading | None], Use] = {}
    for each in uses_of(rules, question):
        uses.setdefault((each.meld, each.onto), each)
    tried = [(against_use(rules, question, each), each) for each in uses.values()]
    if not tried:
        return answered((*before, _unused(rules, question)), forbids=True, **_opening_details(rules, question, None))
    against, use = min(tried, key=lambda one: len(one[0]))
    against = (*before, *against)
    details = _opening_details(rules, question, use)
    reasons = list(against or _in_favour(rules, question, use, details))
    if rules.settings.freezing == "always" or (rules.settings.freezing == "never" and question.frozen):
        reasons.insert(0, reason(f"pile-{rules.settings.freezing}-frozen", "freezing"))
    if is_frozen(rules.settings, noted=question.frozen):
        reasons += faults(rules, "fault-wild-unfreezes")
    if details:
        reasons += minimum_faults(_opening(rules, question, None))
    return answered(tuple(reasons), forbids=bool(against), **details)


def _unused(rules: Ruleset, question: PileQuestion) -> Reason:
    """Why nothing can hold the top card: the side's only meld of its rank takes no more, or there is no meld for it."""
    kind = kind_of(question.top)
    sizes = [meld.cards.size for meld in question.table if meld.cards.ranks == question.top.cards.ranks]
    if sizes and not any(rules.settings.may_grow(size) for size in sizes):
        return reason("pile-meld-full", "meld-longest", card=kind, cards=max(sizes))
    runs = [meld for meld in question.table if len(meld.cards.ranks) > 1]
    known = [sum(count for _, _, count in each.cards.suited) >= each.cards.naturals for each in (question.top, *runs)]
    # Where nobody said of which suits the cards are, it may fit a sequence.
    unsaid = rules.settings.sequences is not Sequences.NONE and bool(runs) and not all(known)
    return reason("pile-top-unused", "pile", card=kind, **({"why": "suits"} if unsaid else {}))


def against_use(rules: Ruleset, question: PileQuestion, use: Use) -> tuple[Reason, ...]:
    """What forbids this use of the top card."""
    melds = laid_with(question, use)
    table = lay_case(rules, SideEntry(melds=laid_down(*melds, *use.others)))
    reasons = [*broken(table, meld_checks(rules)), *_against_wilds(rules, question, use)]
    reasons += () if use.onto is None else against_table_meld(rules, use.onto)
    reasons += begun_in_one_turn(rules, melds)
    if not _lays_off(rules, question, use):
        reasons += _against_taking(rules, question, use)
    elif rules.settings.pile_layoff == "top-card-only" and use.naturals < rules.settings.pile_naturals:
        reasons.append(reason("pile-top-card-only", "pile-layoff", card=kind_of(question.top)))
    if not question.opened and rules.settings.opening_pile != "never":
        reasons += broken(_opening(rules, question, use), {"opening-below-minimum"})
    return tuple(reasons)


def laid_with(question: PileQuestion, use: Use) -> tuple[Reading, ...]:
    """The melds of the turn as they lie, each at its place in the question; one laid off alone comes last."""
    if use.number is None:
        return (*question.laid, use.meld)
    return (*question.laid[: use.number], use.meld, *question.laid[use.number + 1 :])


def _lays_off(rules: Ruleset, question: PileQuestion, use: Use) -> bool:
    """Whether the top card goes to a meld of the table in a way that takes the pile whatever else is laid."""
    how = rules.settings.pile_top_laid_off
    if use.onto is None or how == "never" or is_frozen(rules.settings, noted=question.frozen):
        return False
    return how == "not-frozen" or (question.opened and use.onto.cards.size < rules.settings.canasta_length)


def _against_taking(rules: Ruleset, question: PileQuestion, use: Use) -> Iterator[Reason]:
    """What is missing to take the pile with cards of the hand."""
    settings, kind = rules.settings, kind_of(question.top)
    frozen = is_frozen(settings, noted=question.frozen)
    if use.naturals >= naturals_needed(settings, frozen=frozen):
        if use.size + 1 < settings.meld_shortest:
            yield reason("pile-two-cards", "meld-shortest", card=kind, has=use.size)
        return
    if use.onto is not None and not frozen:
        never = settings.pile_top_laid_off == "never"
        code = "pile-never-laid-off" if never else "pile-on-complete" if question.opened else "pile-lay-off-unopened"
        yield reason(code, "pile-top-laid-off", card=kind)
    yield too_few_naturals(rules, question, use.naturals)


def too_few_naturals(rules: Ruleset, question: PileQuestion, has: int) -> Reason:
    """That taking the pile with cards of the hand needs more naturals of the top card's rank than so many."""
    frozen = is_frozen(rules.settings, noted=question.frozen)
    needed, kind = naturals_needed(rules.settings, frozen=frozen), kind_of(question.top)
    about, why = ("pile-naturals-frozen", "frozen") if frozen else ("pile-naturals", "free")
    return reason("pile-naturals", about, card=kind, needed=needed, has=has, why=why)


# ------------------------------------------------------------------------------------------- the opening


def _opening(rules: Ruleset, question: PileQuestion, use: Use | None) -> Table:
    """What a side that has not opened lays in this turn, the top card in its meld; laid off alone it opens nothing.

    What lies on the table before is no part of it.
    """
    melds = question.laid
    if use is not None and use.number is not None:
        mine = use.meld if use.onto is None else together(question.top, question.laid[use.number])
        melds = laid_with(question, replace(use, meld=mine))
    return lay_case(rules, SideEntry(opening=melds), score=question.score, deal=question.deal)


def _opening_details(rules: Ruleset, question: PileQuestion, use: Use | None) -> dict[str, Detail]:
    """The minimum and what is laid toward it, where the side has yet to open with the pile."""
    table = _opening(rules, question, use)
    minimum = table.minimum(ASKER)
    if question.opened or minimum is None or rules.settings.opening_pile == "never":
        return {}
    counted = weigh(table, asker(table)[1], minimum).points
    return {"minimum": minimum, "counted": counted, "missing": max(0, minimum - counted)}


# ------------------------------------------------------------------------------------------- what else is told

_A_PAIR = 2
"""Natural cards of the hand that make a meld with the top card."""


def _in_favour(rules: Ruleset, question: PileQuestion, use: Use, details: dict[str, Detail]) -> Iterator[Reason]:
    """Why the pile may be taken, and what goes with it."""
    settings, kind = rules.settings, kind_of(question.top)
    frozen = is_frozen(settings, noted=question.frozen)
    about, why = ("pile-naturals-frozen", "frozen") if frozen else ("pile-naturals", "free")
    # Two naturals of the hand take the pile everywhere; laying off does not.
    if use.size == 0 or (use.naturals < _A_PAIR and _lays_off(rules, question, use)):
        yield reason("pile-laid-off", "pile-top-laid-off", card=kind)
    elif use.naturals < _A_PAIR:
        yield reason("pile-with-wild", about, card=kind, why=why)
    else:
        yield reason("pile-with-naturals", about, card=kind, naturals=use.naturals, why=why)
    if details:
        counted, minimum = (int(details[name] or 0) for name in ("counted", "minimum"))
        table = _opening(rules, question, use)
        yield minimum_reason(table, "pile-opening-reached", minimum, "opening-pile", counted=counted)
    if settings.partnership is Partnership.SINGLE_TAKER:
        yield reason("pile-taker-alone", "partnership")
    if settings.pile_drawn:
        yield reason("pile-draws-too", "pile-drawn", cards=settings.pile_drawn)


# ------------------------------------------------------------------------------------------- uses of the top card


def uses_of(rules: Ruleset, question: PileQuestion) -> tuple[Use, ...]:
    """Every way to use a natural top card with the melds laid; none where nothing can hold it.

    One of the melds holds the top card. Where the table has a meld of the card's rank that takes more, cards of that
    rank are the hand's only and join it. With none of them the top card alone is laid off on a meld of the table.
    """
    with_hand = tuple(_with_hand(rules, question))
    if with_hand:
        return with_hand
    alone = ((place, onto, together(onto, question.top)) for place, onto in enumerate(question.table))
    return tuple(
        Use(meld, onto, (*question.table[:place], *question.table[place + 1 :]), None)
        for place, onto, meld in alone
        if is_legal(rules, meld)
    )


def _with_hand(rules: Ruleset, question: PileQuestion) -> Iterator[Use]:
    top, rank = question.top, kind_of(question.top)
    of_rank = [place for place, meld in enumerate(question.table) if meld.cards.ranks == top.cards.ranks]
    open_ones = [place for place in of_rank if rules.settings.may_grow(question.table[place].cards.size)]
    for number, meld in enumerate(question.laid):
        naturals, size = meld.cards.of(rank), meld.cards.size
        if not naturals:
            continue
        if not of_rank:
            yield Use(meld, None, question.table, number, naturals - 1, size - 1)
        # Otherwise a sequence with a card of the rank is left alone: the top card goes to the rank's own meld.
        elif meld.cards.ranks == top.cards.ranks:
            for place in open_ones:
                onto, others = question.table[place], (*question.table[:place], *question.table[place + 1 :])
                yield Use(together(onto, top, meld), onto, others, number, naturals, size)
            if not open_ones:
                yield Use(together(top, meld), None, question.table, number, naturals, size)


def _against_wilds(rules: Ruleset, question: PileQuestion, use: Use) -> Iterator[Reason]:
    """What forbids the wild cards of these melds, or the canasta that the top card makes."""
    settings = rules.settings
    if use.onto is not None and use.number is not None:
        yield from against_wilds_on(rules, read_meld(use.onto.cards), question.laid[use.number].cards.wilds)
    bound = any(is_incomplete_wild_meld(read_meld(meld.cards), settings) for meld in question.table)
    if settings.wilds_blocked == "nothing" or not bound:
        return
    used = sum(meld.cards.wilds for meld in question.laid if meld.cards.naturals)
    if used:
        yield reason("wilds-blocked", "wilds-blocked", wilds=used)
    elif settings.wilds_blocked == "wilds-and-mixed" and completes_mixed(settings, use.onto, read_meld(use.meld.cards)):
        yield reason("mixed-blocked", "wilds-blocked", cards=use.meld.cards.size)
