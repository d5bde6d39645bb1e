"""Rulings on taking the pile. The top card is used at once: with cards of the hand, or laid off on
the side's melds.
"""

from __future__ import annotations

from typing import NamedTuple

from scorepad.referee.case import (
    ASKER,
    against_table_meld,
    against_unknown_cards,
    answers,
    broken,
    faults,
    is_frozen,
    is_legal,
    judged,
    kind_of,
    lay_case,
    meld_checks,
    minimum_faults,
    minimum_reason,
    naturals_needed,
    reason,
    special_top,
    together,
)
from scorepad.referee.meld import against_begun_beside_canasta, against_bound, against_wilds_on
from scorepad.referee.questions import (
    Details,
    PileQuestion,
    Reason,
    Reasons,
    Ruling,
    Verdict,
    forbidden,
    silent,
)
from scorepad.rules.cards import Reading
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import Table, read_meld
from scorepad.rules.turn_checks import count_opening


class Use(NamedTuple):
    """A way to use the top card.

    `meld` is the resulting meld, `onto` its part already on the table, `others` the other melds of
    the table, `number` the index of the meld among those laid (None: the top card alone is laid
    off). `naturals` and `size` count the cards from the hand in it: those of the top card's rank,
    and all.
    """

    meld: Reading
    onto: Reading | None
    others: tuple[Reading, ...]
    number: int | None
    naturals: int = 0
    size: int = 0


@answers(PileQuestion)
def rule_pile(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether the pile may be taken with these melds."""
    settings = rules.settings
    if settings.pile == "not-refereed":
        return silent((Reason("pile-not-refereed"),))
    # More cards than exist would only multiply the combinations to try.
    melds = (*question.table, *question.laid)
    if wrong := against_unknown_cards(rules, question.top, *melds) or broken(
        lay_case(rules, *melds), {"deck-exceeded"}
    ):
        return forbidden(wrong)
    unopened = not question.opened and settings.opening_pile == "never"
    before = [reason("pile-before-opening", "opening-pile")] if unopened else []
    kind = kind_of(question.top)
    if not kind.is_natural:
        return _rule_special(rules, question, before)
    if kind in settings.stop_ranks:
        return judged((*before, reason("pile-top-stops", "stop-ranks", card=kind)))
    # The use of the top card with the fewest reasons against it decides.
    uses: dict[tuple[Reading, Reading | None], Use] = {}
    for each in uses_of(rules, question):
        uses.setdefault((each.meld, each.onto), each)
    tried = [(against_use(rules, question, each), each) for each in uses.values()]
    if not tried:
        against = (*before, _unused(rules, question))
        return forbidden(against, _opening_details(rules, question, None))
    against, use = min(tried, key=lambda one: len(one[0]))
    details = _opening_details(rules, question, use)
    forbids = bool(before or against)
    reasons = [*before, *against] if forbids else list(_in_favour(rules, question, use, details))
    if settings.freezing == "always" or (settings.freezing == "never" and question.frozen):
        reasons.insert(0, reason(f"pile-{settings.freezing}-frozen", "freezing"))
    if is_frozen(settings, noted=question.frozen):
        reasons += faults(rules, "fault-wild-unfreezes")
    if details:
        reasons += minimum_faults(_opening(rules, question, None))
    return Ruling(Verdict.FORBIDDEN if forbids else Verdict.ALLOWED, tuple(reasons), details)


def _rule_special(rules: Ruleset, question: PileQuestion, against: list[Reason]) -> Ruling:
    """A special card on top: the pile may not be taken, or only with equal cards; one meld laid
    holds the top card.
    """
    kind = kind_of(question.top)
    top = special_top(rules.settings, kind)
    if top is None:
        return judged((*against, reason("pile-top-special", "pile-tops", card=kind)))
    ground = f"pile-tops/{kind}"
    has = max((meld.cards.of(kind) - 1 for meld in question.laid if meld.cards.of(kind)), default=0)
    if has < top.more:
        against.append(
            reason("pile-top-needs-more", ground, card=kind, why=top.used, needed=top.more, has=has)
        )
    melds = [meld for meld in question.laid if top.used == "melded" or not meld.cards.of(kind)]
    against += broken(lay_case(rules, *melds, *question.table), meld_checks(rules))
    return judged(
        against, [reason("pile-top-with-more", ground, card=kind, more=top.more, why=top.used)]
    )


# ----------------------------------------------------------------------------- uses of the top card


def uses_of(rules: Ruleset, question: PileQuestion) -> tuple[Use, ...]:
    """Every way to use a natural top card with the melds laid; empty if no meld can hold it.

    One of the melds holds the top card. If the table has a meld of the card's rank that takes more,
    a meld of that rank has only cards of the hand and joins it. Otherwise the top card alone is
    laid off on a meld of the table.
    """
    top, rank, table = question.top, kind_of(question.top), question.table
    uses, others = [], [(*table[:place], *table[place + 1 :]) for place in range(len(table))]
    ways: list[tuple[Reading, Reading | None, tuple[Reading, ...]]]
    of_rank = [place for place, meld in enumerate(table) if meld.cards.ranks == top.cards.ranks]
    takes_more = [place for place in of_rank if rules.settings.may_grow(table[place].cards.size)]
    for number, meld in enumerate(question.laid):
        naturals, size = meld.cards.of(rank), meld.cards.size
        if naturals and not of_rank:
            uses.append(Use(meld, None, table, number, naturals - 1, size - 1))
        # Otherwise a sequence with a card of the rank is skipped: the top card is added to the meld
        # of its rank.
        elif naturals and meld.cards.ranks == top.cards.ranks:
            ways = [
                (together(table[place], top, meld), table[place], others[place])
                for place in takes_more
            ]
            ways = ways or [(together(top, meld), None, table)]
            uses += [Use(*way, number, naturals, size) for way in ways]
    if not uses:
        ways = [(together(onto, top), onto, others[place]) for place, onto in enumerate(table)]
        uses = [Use(*way, None) for way in ways if is_legal(rules, way[0])]
    return tuple(uses)


def _unused(rules: Ruleset, question: PileQuestion) -> Reason:
    """Why the top card cannot be used: the side's only meld of its rank takes no more, or there is
    no meld for it.
    """
    kind, ranks = kind_of(question.top), question.top.cards.ranks
    sizes = [meld.cards.size for meld in question.table if meld.cards.ranks == ranks]
    if sizes and not any(map(rules.settings.may_grow, sizes)):
        return reason("pile-meld-full", "meld-longest", card=kind, cards=max(sizes))
    runs = [meld.cards for meld in question.table if len(meld.cards.ranks) > 1]
    suited = [
        sum(count for _, _, count in each.suited) >= each.naturals
        for each in (question.top.cards, *runs)
    ]
    # If suits were not given, the top card may fit a sequence.
    unsaid = rules.settings.sequences != "none" and runs and not all(suited)
    return reason("pile-top-unused", "pile", card=kind, **({"why": "suits"} if unsaid else {}))


def against_use(rules: Ruleset, question: PileQuestion, use: Use) -> tuple[Reason, ...]:
    """What forbids this use of the top card."""
    settings, melds = rules.settings, laid_with(question, use)
    reasons = [*broken(lay_case(rules, *melds, *use.others), meld_checks(rules))]
    if use.onto is not None and use.number is not None:
        reasons += against_wilds_on(
            rules, read_meld(use.onto.cards), question.laid[use.number].cards.wilds
        )
    wilds = sum(meld.cards.wilds for meld in question.laid if meld.cards.naturals)
    reasons += against_bound(settings, question.table, use.onto, read_meld(use.meld.cards), wilds)
    reasons += () if use.onto is None else against_table_meld(rules, use.onto)
    reasons += against_begun_beside_canasta(rules, melds)
    if not _lays_off(rules, question, use):
        reasons += _against_taking(rules, question, use)
    elif settings.pile_layoff == "top-card-only" and use.naturals < settings.pile_naturals:
        reasons.append(reason("pile-top-card-only", "pile-layoff", card=kind_of(question.top)))
    if not question.opened and settings.opening_pile != "never":
        reasons += broken(_opening(rules, question, use), {"opening-below-minimum"})
    return tuple(reasons)


def laid_with(question: PileQuestion, use: Use) -> tuple[Reading, ...]:
    """The resulting melds of the turn, in the order of the question; a top card laid off alone
    comes last.
    """
    if use.number is None:
        return (*question.laid, use.meld)
    return (*question.laid[: use.number], use.meld, *question.laid[use.number + 1 :])


def _lays_off(rules: Ruleset, question: PileQuestion, use: Use) -> bool:
    """Whether laying the top card off on a meld of the table is enough to take the pile."""
    how = rules.settings.pile_top_laid_off
    if use.onto is None or how == "never" or is_frozen(rules.settings, noted=question.frozen):
        return False
    return how == "not-frozen" or (
        question.opened and use.onto.cards.size < rules.settings.canasta_length
    )


def _against_taking(rules: Ruleset, question: PileQuestion, use: Use) -> Reasons:
    """What is missing for taking the pile with cards of the hand."""
    settings, kind = rules.settings, kind_of(question.top)
    frozen = is_frozen(settings, noted=question.frozen)
    if use.naturals >= naturals_needed(settings, frozen=frozen):
        if use.size + 1 < settings.meld_shortest:
            yield reason("pile-two-cards", "meld-shortest", card=kind, has=use.size)
        return
    if use.onto is not None and not frozen:
        never = settings.pile_top_laid_off == "never"
        code = (
            "pile-never-laid-off"
            if never
            else "pile-on-complete"
            if question.opened
            else "pile-lay-off-unopened"
        )
        yield reason(code, "pile-top-laid-off", card=kind)
    yield too_few_naturals(rules, question, use.naturals)


def too_few_naturals(rules: Ruleset, question: PileQuestion, has: int) -> Reason:
    """The reason that taking the pile with cards of the hand needs more naturals of the top card's
    rank.
    """
    frozen = is_frozen(rules.settings, noted=question.frozen)
    needed = naturals_needed(rules.settings, frozen=frozen)
    about, why = _by_frozen(frozen=frozen)
    return reason(
        "pile-naturals", about, card=kind_of(question.top), needed=needed, has=has, why=why
    )


def _by_frozen(*, frozen: bool) -> tuple[str, str]:
    """The setting for the naturals that take the pile, and the figure that selects its message."""
    return ("pile-naturals-frozen", "frozen") if frozen else ("pile-naturals", "free")


# -------------------------------------------------------------------------------------- the opening


def _opening(rules: Ruleset, question: PileQuestion, use: Use | None) -> Table:
    """What a side that has not opened lays in this turn, including the top card's meld unless it is
    laid off alone.

    Melds already on the table are not part of it.
    """
    melds = question.laid
    if use is not None and use.number is not None:
        mine = use.meld if use.onto is None else together(question.top, question.laid[use.number])
        melds = laid_with(question, use._replace(meld=mine))
    return lay_case(rules, opening=melds, score=question.score, deal=question.deal)


def _opening_details(rules: Ruleset, question: PileQuestion, use: Use | None) -> Details:
    """The minimum and the points toward it, if the side must open with the pile."""
    table = _opening(rules, question, use)
    minimum = table.lays[ASKER].minimum
    if question.opened or minimum is None or rules.settings.opening_pile == "never":
        return {}
    counted = count_opening(table, table.parties[ASKER].lays[0], minimum).points
    return {"minimum": minimum, "counted": counted, "missing": max(0, minimum - counted)}


_A_PAIR = 2
"""Natural cards of the hand needed to make a meld with the top card."""


def _in_favour(rules: Ruleset, question: PileQuestion, use: Use, details: Details) -> Reasons:
    """Why the pile may be taken, with related notes."""
    settings, kind = rules.settings, kind_of(question.top)
    about, why = _by_frozen(frozen=is_frozen(settings, noted=question.frozen))
    # Two naturals of the hand take the pile in every variant; laying off does not.
    if use.size == 0 or (use.naturals < _A_PAIR and _lays_off(rules, question, use)):
        yield reason("pile-laid-off", "pile-top-laid-off", card=kind)
    elif use.naturals < _A_PAIR:
        yield reason("pile-with-wild", about, card=kind, why=why)
    else:
        yield reason("pile-with-naturals", about, card=kind, naturals=use.naturals, why=why)
    if details:
        counted, minimum = (int(details[name] or 0) for name in ("counted", "minimum"))
        table = _opening(rules, question, use)
        yield minimum_reason(
            table, "pile-opening-reached", minimum, "opening-pile", counted=counted
        )
    if settings.partnership == "single-taker":
        yield reason("pile-taker-alone", "partnership")
    if settings.pile_drawn:
        yield reason("pile-draws-too", "pile-drawn", cards=settings.pile_drawn)
