"""Rulings on taking the pile. The top card is used at once: with cards of the hand, or laid off on
the side's melds.
"""

from __future__ import annotations

from typing import NamedTuple

from scorepad.referee.in_force import is_frozen, naturals_needed, special_top
from scorepad.referee.meld import (
    Laying,
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
from scorepad.rules.cards import Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import PileTop
from scorepad.rules.table import Table, read_meld
from scorepad.rules.turn_checks import count_opening


class TopCardUse(NamedTuple):
    """A way to use the top card of the pile: in a meld with cards of the hand, which may join a
    meld of the table, or laid off alone on a meld of the table.
    """

    meld: Reading
    """The resulting meld, with the cards that it had on the table before."""
    others: tuple[Reading, ...]
    """The other melds of the table."""
    onto: Reading | None = None
    """The meld of the table that the cards join; None for a new meld."""
    onto_index: int | None = None
    """The index of that meld on the table."""
    laid_index: int | None = None
    """The index of its cards of the hand among the melds laid; None if the top card is laid off
    alone.
    """
    naturals_from_hand: int = 0
    """The cards of the top card's rank that the hand adds to it."""
    cards_from_hand: int = 0
    """All cards that the hand adds to it."""


class _OpeningWithPile(NamedTuple):
    """The opening of a side that takes the pile with it: its minimum of points, and its points."""

    minimum: int
    counted: int


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
    use = best_use(rules, question)
    opening = _count_opening_with_pile(rules, question, use)
    details = _details_of_opening(opening)
    against = [*_against_unopened(rules, question)]
    if use is None:
        return forbidden((*against, _why_unused(rules, question)), details)
    against += against_use(rules, question, use)

    if against:
        reasons = against
        verdict = Verdict.FORBIDDEN
    else:
        reasons = [*_in_favour_of_taking(rules, question, use, opening)]
        verdict = Verdict.ALLOWED
    return Ruling(
        verdict,
        (*_about_freezing(rules, question), *reasons, *_faults_of_taking(rules, question)),
        details,
    )


def _about_freezing(rules: Ruleset, question: PileQuestion) -> Reasons:
    """The comment that in this game the pile is always frozen, or that it never is though the
    question says so.
    """
    freezing = rules.settings.freezing
    if freezing == "always":
        yield reason("pile-always-frozen", "freezing")
    elif freezing == "never" and question.frozen:
        yield reason("pile-never-frozen", "freezing")


def _faults_of_taking(rules: Ruleset, question: PileQuestion) -> Reasons:
    """The known faults of the sources about a frozen pile, and about the opening minimum."""
    if is_frozen(rules.settings, is_marked=question.frozen):
        yield from faults(rules, "fault-wild-unfreezes")
    if _must_reach_minimum(rules, question):
        yield from minimum_faults(_table_of_pile_opening(rules, question, question.laid))


def _rule_special_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on a wild card or a three on top of the pile: in some games the pile cannot be
    taken then, in others only with so many equal cards of the hand.
    """
    kind = kind_of(question.top)
    against = [*_against_unopened(rules, question)]
    top = special_top(rules.settings, kind)
    if top is None:
        against.append(reason("pile-top-special", "pile-tops", card=kind))
        return forbidden(tuple(against))

    setting = f"pile-tops/{kind}"
    equal_cards = _equal_cards_of_hand(question, kind)
    if equal_cards < top.more:
        against.append(
            reason(
                "pile-top-needs-more",
                setting,
                card=kind,
                why=top.used,
                needed=top.more,
                has=equal_cards,
            )
        )
    melds = [*_melds_kept_on_table(question, top, kind), *question.table]
    against += violations(table_with(rules, *melds), laid_meld_checks(rules))
    in_favour = reason("pile-top-with-more", setting, card=kind, more=top.more, why=top.used)
    return ruling_from_reasons(against, [in_favour])


def _equal_cards_of_hand(question: PileQuestion, kind: Kind) -> int:
    """How many cards equal to the top card the hand adds to it: the most in one of the melds laid.

    The meld holds the top card too, which is not counted.
    """
    most = 0
    for meld in question.laid:
        without_top_card = meld.cards.of(kind) - 1
        most = max(most, without_top_card)
    return most


def _melds_kept_on_table(question: PileQuestion, top: PileTop, kind: Kind) -> list[Reading]:
    """The melds laid that stay on the table.

    In some games the cards equal to the top card are only shown, and discarded with it.
    """
    if top.used == "melded":
        return list(question.laid)
    return [meld for meld in question.laid if not meld.cards.of(kind)]


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

    If none of the melds laid can hold it, it is laid off alone on a meld of the table.
    """
    uses: list[TopCardUse] = []
    for laid_index in range(len(question.laid)):
        uses += _uses_with_meld(rules, question, laid_index)
    if not uses:
        return _uses_alone(rules, question)
    return tuple(uses)


def _uses_with_meld(rules: Ruleset, question: PileQuestion, laid_index: int) -> list[TopCardUse]:
    """The ways to use a natural top card with one of the melds laid, by its index among them.

    With an eight on top, `8 8` are two cards of the hand if the table has a meld of eights, which
    they join. Otherwise one of the two is the top card.
    """
    meld = question.laid[laid_index]
    top_ranks = question.top.cards.ranks
    if not meld.cards.of(kind_of(question.top)):
        return []
    if not any(on_table.cards.ranks == top_ranks for on_table in question.table):
        return [_use_in_meld(question, laid_index)]
    if meld.cards.ranks == top_ranks:
        return _uses_of_cards_of_rank(rules, question, laid_index)
    # A sequence with a card of the rank: the top card is added to the meld of its rank instead.
    return []


def _use_in_meld(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card in a meld that was shown with it, by its index among those laid."""
    meld = question.laid[laid_index]
    return TopCardUse(
        meld,
        others=question.table,
        laid_index=laid_index,
        naturals_from_hand=meld.cards.of(kind_of(question.top)) - 1,
        cards_from_hand=meld.cards.size - 1,
    )


def _uses_of_cards_of_rank(
    rules: Ruleset, question: PileQuestion, laid_index: int
) -> list[TopCardUse]:
    """The uses of the top card with cards of its rank from the hand, where the table has melds of
    that rank: they join one of these melds, or make a new one if all are full.

    `laid_index` is the index of the cards of the hand among the melds laid.
    """
    uses: list[TopCardUse] = []
    for index, on_table in enumerate(question.table):
        is_of_rank = on_table.cards.ranks == question.top.cards.ranks
        if is_of_rank and rules.settings.may_grow(on_table.cards.size):
            uses.append(_use_joining_meld(question, laid_index, index))
    if not uses:
        uses.append(_use_in_new_meld(question, laid_index))
    return uses


def _use_joining_meld(question: PileQuestion, laid_index: int, onto_index: int) -> TopCardUse:
    """The use of the top card with cards of the hand on a meld of the table.

    The indices are those of the cards among the melds laid, and of the meld on the table.
    """
    from_hand = question.laid[laid_index]
    onto = question.table[onto_index]
    return TopCardUse(
        gather_readings(onto, question.top, from_hand),
        others=_other_melds(question.table, onto_index),
        onto=onto,
        onto_index=onto_index,
        laid_index=laid_index,
        naturals_from_hand=from_hand.cards.of(kind_of(question.top)),
        cards_from_hand=from_hand.cards.size,
    )


def _use_in_new_meld(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card in a new meld with cards of the hand, given without it; the index is
    theirs among the melds laid.
    """
    from_hand = question.laid[laid_index]
    return TopCardUse(
        gather_readings(question.top, from_hand),
        others=question.table,
        laid_index=laid_index,
        naturals_from_hand=from_hand.cards.of(kind_of(question.top)),
        cards_from_hand=from_hand.cards.size,
    )


def _uses_alone(rules: Ruleset, question: PileQuestion) -> tuple[TopCardUse, ...]:
    """The top card alone, laid off on a meld of the table."""
    uses: list[TopCardUse] = []
    for index, onto in enumerate(question.table):
        whole = gather_readings(onto, question.top)
        if is_legal_meld(rules, whole):
            others = _other_melds(question.table, index)
            uses.append(TopCardUse(whole, others, onto=onto, onto_index=index))
    return tuple(uses)


def _other_melds(melds: tuple[Reading, ...], index: int) -> tuple[Reading, ...]:
    return (*melds[:index], *melds[index + 1 :])


def melds_after(question: PileQuestion, use: TopCardUse) -> tuple[Reading, ...]:
    """The resulting melds of the turn, in the order of the question; a top card laid off alone
    comes last.
    """
    if use.laid_index is None:
        return (*question.laid, use.meld)
    melds = [*question.laid]
    melds[use.laid_index] = use.meld
    return tuple(melds)


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
    """What forbids this use of the top card, each reason that applies: illegal melds, wild cards
    where they may not be laid, too few cards of the hand, or an opening below its minimum.
    """
    reasons: list[Reason] = []
    # The melds that result, beside the others of the table.
    melds = melds_after(question, use)
    table = table_with(rules, *melds, *use.others)
    reasons += violations(table, laid_meld_checks(rules))
    reasons += _against_wilds(rules, question, use)
    if use.onto is not None:
        reasons += against_table_meld(rules, use.onto)
    reasons += against_incomplete_beside_canasta(rules, melds)

    # What taking the pile requires.
    if _is_lay_off_enough(rules, question, use):
        reasons += _against_taking_by_lay_off(rules, question, use)
    else:
        reasons += _against_taking_with_hand(rules, question, use)
    if _must_reach_minimum(rules, question):
        opening = _table_of_pile_opening(rules, question, _melds_of_opening(question, use))
        reasons += violations(opening, {"opening-below-minimum"})
    return tuple(reasons)


def _against_taking_by_lay_off(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """The reason if a player who lays the top card off on a meld of the table takes only that card,
    and not the pile.
    """
    settings = rules.settings
    if settings.pile_layoff == "whole-pile":
        return
    # With enough cards of its rank from the hand, the player need not lay it off to take the pile.
    if use.naturals_from_hand < settings.pile_naturals:
        yield reason("pile-top-card-only", "pile-layoff", card=kind_of(question.top))


def _against_wilds(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """What forbids the wild cards laid in this turn: on a canasta (a meld of seven cards or more),
    or while an incomplete meld of wild cards restricts the side.
    """
    if use.onto is not None and use.laid_index is not None:
        cards_joining = question.laid[use.laid_index].cards
        table_meld = read_meld(use.onto.cards)
        yield from against_wilds_on_canasta(rules, table_meld, cards_joining.wilds)

    wilds_beside_naturals = 0
    for meld in question.laid:
        if meld.cards.naturals:
            wilds_beside_naturals += meld.cards.wilds
    laying = Laying(read_meld(use.meld.cards), use.onto, wilds_beside_naturals)
    yield from against_restricted_wilds(rules.settings, question.table, laying)


def _is_lay_off_enough(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> bool:
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
    """The code of the reason why laying the top card off does not take an unfrozen pile."""
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
    """The setting for the naturals that take the pile, and the argument for its message."""
    if frozen:
        return ("pile-naturals-frozen", "frozen")
    return ("pile-naturals", "free")


# -------------------------------------------------------------------------------------- the opening


def _must_reach_minimum(rules: Ruleset, question: PileQuestion) -> bool:
    """Whether the side opens with the pile, and needs a minimum of points for it."""
    settings = rules.settings
    if question.opened or settings.opening_pile == "never":
        return False
    return settings.opening_minimum(question.score, question.deal) is not None


def _melds_of_opening(question: PileQuestion, use: TopCardUse | None) -> tuple[Reading, ...]:
    """The melds with which a side opens in this turn: those laid, one of them with the top card
    unless it is laid off alone.
    """
    if use is None or use.laid_index is None:
        return question.laid
    if use.onto is None:
        return melds_after(question, use)
    # The cards that the meld had on the table before are not part of the opening.
    melds = [*question.laid]
    melds[use.laid_index] = gather_readings(question.top, melds[use.laid_index])
    return tuple(melds)


def _table_of_pile_opening(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> Table:
    return table_with(rules, opening=melds, score=question.score, deal=question.deal)


def _count_opening_with_pile(
    rules: Ruleset, question: PileQuestion, use: TopCardUse | None
) -> _OpeningWithPile | None:
    """The minimum and the points toward it; None if the side need not reach one."""
    if not _must_reach_minimum(rules, question):
        return None
    table = _table_of_pile_opening(rules, question, _melds_of_opening(question, use))
    opener = table.parties[ASKER].sides[0]
    minimum = opener.minimum or 0
    return _OpeningWithPile(minimum, count_opening(table, opener, minimum).points)


def _details_of_opening(opening: _OpeningWithPile | None) -> Details:
    """The details of a ruling about the opening; none without one."""
    if opening is None:
        return {}
    missing = max(0, opening.minimum - opening.counted)
    return {"minimum": opening.minimum, "counted": opening.counted, "missing": missing}


# ----------------------------------------------------------------------------------- in favour of it

_A_PAIR = 2
"""Natural cards of the hand needed to make a meld with the top card."""


def _in_favour_of_taking(
    rules: Ruleset, question: PileQuestion, use: TopCardUse, opening: _OpeningWithPile | None
) -> Reasons:
    """How the pile is taken, that the opening reaches its minimum if the side opens with it, and
    what follows for the player who takes the pile.
    """
    settings = rules.settings
    yield _how_taken(rules, question, use)
    if opening is not None:
        yield minimum_reason(
            _table_of_pile_opening(rules, question, question.laid),
            "pile-opening-reached",
            opening.minimum,
            "opening-pile",
            counted=opening.counted,
        )
    if settings.partnership == "single-taker":
        yield reason("pile-taker-alone", "partnership")
    if settings.pile_drawn:
        yield reason("pile-draws-too", "pile-drawn", cards=settings.pile_drawn)


def _how_taken(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reason:
    """How the pile is taken: with natural cards of the hand, by laying off the top card, or with a
    natural and wild cards of the hand.

    A pair of the hand takes the pile in every variant, so it is preferred to laying off.
    """
    kind = kind_of(question.top)
    setting, why = _setting_of_naturals(frozen=is_frozen(rules.settings, is_marked=question.frozen))
    if use.naturals_from_hand >= _A_PAIR:
        naturals = use.naturals_from_hand
        return reason("pile-with-naturals", setting, card=kind, naturals=naturals, why=why)

    nothing_from_hand = use.cards_from_hand == 0
    if nothing_from_hand or _is_lay_off_enough(rules, question, use):
        return reason("pile-laid-off", "pile-top-laid-off", card=kind)
    return reason("pile-with-wild", setting, card=kind, why=why)
