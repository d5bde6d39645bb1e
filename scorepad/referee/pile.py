"""Rulings on taking the pile. The top card is used at once: with cards of the hand, or laid off on
the side's melds.
"""

from __future__ import annotations

from typing import NamedTuple

from scorepad.referee.in_force import is_frozen, naturals_needed, special_top
from scorepad.referee.meld import (
    against_incomplete_beside_canasta,
    against_restricted_wilds,
    against_wilds_on_canasta,
)
from scorepad.referee.questions import PileQuestion
from scorepad.referee.reasons import (
    faults,
    minimum_faults,
    minimum_reason,
    reason,
    ruling_from_reasons,
)
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, Verdict, forbidden, silent
from scorepad.referee.situation import (
    ASKER,
    against_table_meld,
    is_legal_meld,
    kind_of,
    laid_meld_checks,
    table_with,
    unknown_cards,
    violations,
)
from scorepad.rules.cards import Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import Table, read_meld
from scorepad.rules.turn_checks import count_opening


class TopCardUse(NamedTuple):
    """A way to use the top card."""

    meld: Reading
    """The resulting meld."""
    onto: Reading | None
    """Its part already on the table."""
    others: tuple[Reading, ...]
    """The other melds of the table."""
    laid_index: int | None
    """The index of the meld among those laid; None if the top card alone is laid off."""
    naturals_from_hand: int = 0
    """The cards of the top card's rank that the hand adds to it."""
    cards_from_hand: int = 0
    """All cards that the hand adds to it."""


def rule_pile(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Whether the pile may be taken with these melds."""
    if rules.settings.pile == "not-refereed":
        return silent((Reason("pile-not-refereed"),))
    wrong = _impossible_cards(rules, question)
    if wrong:
        return forbidden(wrong)

    kind = kind_of(question.top)
    if not kind.is_natural:
        return _rule_special_top(rules, question)
    if kind in rules.settings.stop_ranks:
        stops = reason("pile-top-stops", "stop-ranks", card=kind)
        return ruling_from_reasons((*_against_unopened(rules, question), stops))
    return _rule_natural_top(rules, question)


def _impossible_cards(rules: Ruleset, question: PileQuestion) -> tuple[Reason, ...]:
    """The reasons if some tokens are no cards, or the melds have more cards than the decks.

    They are found first: impossible cards would only multiply the combinations to try.
    """
    melds = (*question.table, *question.laid)
    unknown = unknown_cards(rules, question.top, *melds)
    if unknown:
        return unknown
    return violations(table_with(rules, *melds), {"deck-exceeded"})


def _against_unopened(rules: Ruleset, question: PileQuestion) -> Reasons:
    """The reason if a side must have opened before it takes the pile."""
    if not question.opened and rules.settings.opening_pile == "never":
        yield reason("pile-before-opening", "opening-pile")


def _rule_natural_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on a natural top card: the use with the fewest reasons against it decides."""
    unopened = tuple(_against_unopened(rules, question))
    use = best_use(rules, question)
    details = _opening_details(rules, question, use)
    if use is None:
        return forbidden((*unopened, _why_unused(rules, question)), details)

    against = (*unopened, *against_use(rules, question, use))
    reasons = list(against or _in_favour_of_taking(rules, question, use, details))
    freezing = rules.settings.freezing
    if freezing == "always" or (freezing == "never" and question.frozen):
        reasons.insert(0, reason(f"pile-{freezing}-frozen", "freezing"))
    if is_frozen(rules.settings, is_marked=question.frozen):
        reasons += faults(rules, "fault-wild-unfreezes")
    if details:
        reasons += minimum_faults(_opening_with_pile(rules, question, None))
    verdict = Verdict.FORBIDDEN if against else Verdict.ALLOWED
    return Ruling(verdict, tuple(reasons), details)


def _rule_special_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on a wild card or a three on top of the pile, which may then not be taken, or only
    with equal cards of the hand.

    One meld laid holds the top card with these.
    """
    kind = kind_of(question.top)
    against = [*_against_unopened(rules, question)]
    top = special_top(rules.settings, kind)
    if top is None:
        return ruling_from_reasons((*against, reason("pile-top-special", "pile-tops", card=kind)))

    setting = f"pile-tops/{kind}"
    equal_cards_of_hand = 0
    for meld in question.laid:
        without_top_card = meld.cards.of(kind) - 1
        equal_cards_of_hand = max(equal_cards_of_hand, without_top_card)
    if equal_cards_of_hand < top.more:
        needs_more = reason(
            "pile-top-needs-more",
            setting,
            card=kind,
            why=top.used,
            needed=top.more,
            has=equal_cards_of_hand,
        )
        against.append(needs_more)

    melds = list(question.laid)
    if top.used != "melded":  # the cards equal to the top card are discarded with it, not melded
        melds = [meld for meld in melds if not meld.cards.of(kind)]
    against += violations(table_with(rules, *melds, *question.table), laid_meld_checks(rules))
    taken = reason("pile-top-with-more", setting, card=kind, more=top.more, why=top.used)
    return ruling_from_reasons(against, [taken])


# ----------------------------------------------------------------------------- uses of the top card


def best_use(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """The use of a natural top card that the fewest reasons forbid; None if there is no use."""
    best: TopCardUse | None = None
    fewest_reasons = 0
    judged: set[tuple[Reading, Reading | None]] = set()
    for use in uses_of_top_card(rules, question):
        if (use.meld, use.onto) in judged:  # melds that are alike are judged once
            continue
        judged.add((use.meld, use.onto))
        number_of_reasons = len(against_use(rules, question, use))
        if best is None or number_of_reasons < fewest_reasons:
            best = use
            fewest_reasons = number_of_reasons
    return best


def uses_of_top_card(rules: Ruleset, question: PileQuestion) -> tuple[TopCardUse, ...]:
    """Every way to use a natural top card with the melds laid; empty if no meld can hold it.

    One of the melds holds the top card. If the table has a meld of the card's rank that takes more,
    a meld of that rank has only cards of the hand and joins it. Otherwise the top card alone is
    laid off on a meld of the table.
    """
    top_ranks = question.top.cards.ranks
    table_has_rank = any(meld.cards.ranks == top_ranks for meld in question.table)
    uses: list[TopCardUse] = []
    for laid_index, meld in enumerate(question.laid):
        if not meld.cards.of(kind_of(question.top)):
            continue
        if not table_has_rank:
            uses.append(_use_in_meld(question, laid_index))
        # Otherwise a sequence with a card of the rank is skipped: the top card is added to the meld
        # of its rank.
        elif meld.cards.ranks == top_ranks:
            uses += _uses_of_cards_of_rank(rules, question, laid_index)
    return tuple(uses) or _uses_alone(rules, question)


def _use_in_meld(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card in a meld that was shown with it, by its index among those laid."""
    meld = question.laid[laid_index]
    return TopCardUse(
        meld,
        onto=None,
        others=question.table,
        laid_index=laid_index,
        naturals_from_hand=meld.cards.of(kind_of(question.top)) - 1,
        cards_from_hand=meld.cards.size - 1,
    )


def _uses_of_cards_of_rank(
    rules: Ruleset, question: PileQuestion, laid_index: int
) -> list[TopCardUse]:
    """The uses of the top card with cards of its rank from the hand: each meld of that rank on the
    table takes them all. If these are full, they make a new meld.

    `laid_index` is the index of these cards among the melds laid.
    """
    meld = question.laid[laid_index]
    with_top_card = gather_readings(question.top, meld)
    as_new_meld = TopCardUse(
        with_top_card,
        onto=None,
        others=question.table,
        laid_index=laid_index,
        naturals_from_hand=meld.cards.of(kind_of(question.top)),
        cards_from_hand=meld.cards.size,
    )
    uses: list[TopCardUse] = []
    for index, onto in enumerate(question.table):
        is_of_rank = onto.cards.ranks == question.top.cards.ranks
        if is_of_rank and rules.settings.may_grow(onto.cards.size):
            whole = gather_readings(onto, with_top_card)
            others = _other_melds(question.table, index)
            uses.append(as_new_meld._replace(meld=whole, onto=onto, others=others))
    return uses or [as_new_meld]


def _uses_alone(rules: Ruleset, question: PileQuestion) -> tuple[TopCardUse, ...]:
    """The top card alone, laid off on a meld of the table."""
    uses: list[TopCardUse] = []
    for index, onto in enumerate(question.table):
        whole = gather_readings(onto, question.top)
        if is_legal_meld(rules, whole):
            uses.append(TopCardUse(whole, onto, _other_melds(question.table, index), None))
    return tuple(uses)


def _other_melds(melds: tuple[Reading, ...], index: int) -> tuple[Reading, ...]:
    """The melds without the one at this index."""
    return (*melds[:index], *melds[index + 1 :])


def melds_after(question: PileQuestion, use: TopCardUse) -> tuple[Reading, ...]:
    """The resulting melds of the turn, in the order of the question; a top card laid off alone
    comes last.
    """
    if use.laid_index is None:
        return (*question.laid, use.meld)
    return (*question.laid[: use.laid_index], use.meld, *question.laid[use.laid_index + 1 :])


# -------------------------------------------------------------------------- what forbids to take it


def _why_unused(rules: Ruleset, question: PileQuestion) -> Reason:
    """Why the top card cannot be used: the side's melds of its rank take no more cards, or there is
    no meld for it.
    """
    settings = rules.settings
    kind = kind_of(question.top)
    ranks = question.top.cards.ranks
    sizes = [meld.cards.size for meld in question.table if meld.cards.ranks == ranks]
    all_are_full = not any(settings.may_grow(size) for size in sizes)
    if sizes and all_are_full:
        return reason("pile-meld-full", "meld-longest", card=kind, cards=max(sizes))
    if settings.sequences != "none" and _could_fit_sequence(question):
        return reason("pile-top-unused", "pile", card=kind, why="suits")
    return reason("pile-top-unused", "pile", card=kind)


def _could_fit_sequence(question: PileQuestion) -> bool:
    """Whether suits were not given, so that the top card may fit a sequence on the table."""
    sequences = [meld.cards for meld in question.table if len(meld.cards.ranks) > 1]
    if not sequences:
        return False
    for cards in (question.top.cards, *sequences):
        number_with_suit = sum(count for _, _, count in cards.suited)
        if number_with_suit < cards.naturals:
            return True
    return False


def against_use(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> tuple[Reason, ...]:
    """What forbids this use of the top card: the melds that result, the cards that the hand adds,
    or an opening that does not reach its minimum.
    """
    melds = melds_after(question, use)
    table = table_with(rules, *melds, *use.others)
    reasons = [
        *violations(table, laid_meld_checks(rules)),
        *_against_wilds(rules, question, use),
    ]
    if use.onto is not None:
        reasons += against_table_meld(rules, use.onto)
    reasons += against_incomplete_beside_canasta(rules, melds)
    if _lays_off(rules, question, use):
        reasons += _against_lay_off(rules, question, use)
    else:
        reasons += _against_taking_with_hand(rules, question, use)
    if not question.opened and rules.settings.opening_pile != "never":
        reasons += violations(_opening_with_pile(rules, question, use), {"opening-below-minimum"})
    return tuple(reasons)


def _against_lay_off(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """The reason if only the top card itself, and no other card of the pile, is taken by laying it
    off on a meld of the table.
    """
    settings = rules.settings
    could_take_with_hand = use.naturals_from_hand >= settings.pile_naturals
    if settings.pile_layoff == "top-card-only" and not could_take_with_hand:
        yield reason("pile-top-card-only", "pile-layoff", card=kind_of(question.top))


def _against_wilds(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """What forbids the wild cards laid in this turn."""
    if use.onto is not None and use.laid_index is not None:
        wilds_joining = question.laid[use.laid_index].cards.wilds
        yield from against_wilds_on_canasta(rules, read_meld(use.onto.cards), wilds_joining)
    wilds = sum(meld.cards.wilds for meld in question.laid if meld.cards.naturals)
    meld = read_meld(use.meld.cards)
    yield from against_restricted_wilds(
        rules.settings, question.table, use.onto, meld, wilds_beside_naturals=wilds
    )


def _lays_off(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> bool:
    """Whether laying the top card off on a meld of the table is enough to take the pile."""
    laying_off = rules.settings.pile_top_laid_off
    if use.onto is None or laying_off == "never":
        return False
    if is_frozen(rules.settings, is_marked=question.frozen):
        return False
    if laying_off == "not-frozen":
        return True
    return question.opened and use.onto.cards.size < rules.settings.canasta_length


def _against_taking_with_hand(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """What is missing for taking the pile with cards of the hand."""
    settings = rules.settings
    kind = kind_of(question.top)
    frozen = is_frozen(settings, is_marked=question.frozen)
    if use.naturals_from_hand >= naturals_needed(settings, frozen=frozen):
        if use.cards_from_hand + 1 < settings.meld_shortest:
            yield reason("pile-two-cards", "meld-shortest", card=kind, has=use.cards_from_hand)
        return
    if use.onto is not None and not frozen:
        yield reason(_why_not_laid_off(rules, question), "pile-top-laid-off", card=kind)
    yield too_few_naturals(rules, question, use.naturals_from_hand)


def _why_not_laid_off(rules: Ruleset, question: PileQuestion) -> str:
    """The code of the reason why laying off the top card does not take a pile that is not frozen."""
    if rules.settings.pile_top_laid_off == "never":
        return "pile-never-laid-off"
    if question.opened:
        return "pile-on-complete"
    return "pile-lay-off-unopened"


def too_few_naturals(rules: Ruleset, question: PileQuestion, has: int) -> Reason:
    """The reason that taking the pile with cards of the hand needs more naturals of the top card's
    rank.
    """
    frozen = is_frozen(rules.settings, is_marked=question.frozen)
    needed = naturals_needed(rules.settings, frozen=frozen)
    setting, why = _setting_of_naturals(frozen=frozen)
    card = kind_of(question.top)
    return reason("pile-naturals", setting, card=card, needed=needed, has=has, why=why)


def _setting_of_naturals(*, frozen: bool) -> tuple[str, str]:
    """The setting for the naturals that take the pile, and the argument that selects its message."""
    if frozen:
        return ("pile-naturals-frozen", "frozen")
    return ("pile-naturals", "free")


# -------------------------------------------------------------------------------------- the opening


def _opening_with_pile(rules: Ruleset, question: PileQuestion, use: TopCardUse | None) -> Table:
    """What a side that has not opened lays in this turn, including the top card's meld unless it is
    laid off alone.

    Melds already on the table are not part of it.
    """
    melds = question.laid
    if use is not None and use.laid_index is not None:
        meld = use.meld
        if use.onto is not None:
            meld = gather_readings(question.top, question.laid[use.laid_index])
        melds = melds_after(question, use._replace(meld=meld))
    return table_with(rules, opening=melds, score=question.score, deal=question.deal)


def _opening_details(rules: Ruleset, question: PileQuestion, use: TopCardUse | None) -> Details:
    """The minimum and the points toward it, if the side must open with the pile."""
    if question.opened or rules.settings.opening_pile == "never":
        return {}
    table = _opening_with_pile(rules, question, use)
    opener = table.parties[ASKER].sides[0]
    if opener.minimum is None:
        return {}
    counted = count_opening(table, opener, opener.minimum).points
    missing = max(0, opener.minimum - counted)
    return {"minimum": opener.minimum, "counted": counted, "missing": missing}


# ----------------------------------------------------------------------------------- in favour of it

_A_PAIR = 2
"""Natural cards of the hand needed to make a meld with the top card."""


def _in_favour_of_taking(
    rules: Ruleset, question: PileQuestion, use: TopCardUse, details: Details
) -> Reasons:
    """Why the pile may be taken, with related comments."""
    settings = rules.settings
    yield _how_taken(rules, question, use)
    if details:
        counted = int(details["counted"] or 0)
        minimum = int(details["minimum"] or 0)
        table = _opening_with_pile(rules, question, use)
        yield minimum_reason(
            table, "pile-opening-reached", minimum, "opening-pile", counted=counted
        )
    if settings.partnership == "single-taker":
        yield reason("pile-taker-alone", "partnership")
    if settings.pile_drawn:
        yield reason("pile-draws-too", "pile-drawn", cards=settings.pile_drawn)


def _how_taken(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reason:
    """Whether the pile is taken by laying off the top card, with natural cards of the hand, or with
    wild cards among them.

    A pair of the hand takes the pile in every variant, so it is preferred to laying off.
    """
    kind = kind_of(question.top)
    has_pair = use.naturals_from_hand >= _A_PAIR
    if use.cards_from_hand == 0 or (not has_pair and _lays_off(rules, question, use)):
        return reason("pile-laid-off", "pile-top-laid-off", card=kind)
    setting, why = _setting_of_naturals(frozen=is_frozen(rules.settings, is_marked=question.frozen))
    if not has_pair:
        return reason("pile-with-wild", setting, card=kind, why=why)
    return reason(
        "pile-with-naturals", setting, card=kind, naturals=use.naturals_from_hand, why=why
    )
