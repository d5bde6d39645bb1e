"""Rulings on taking the pile. The top card is used at once: with cards of the hand, or laid off on
the side's melds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
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
)
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, allowed, forbidden, silent
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
from scorepad.rules.cards import Cards, Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import PileTop, Settings
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
    laid_now: Reading
    """Its cards that are laid in this turn: the top card and those of the hand."""
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


class _NaturalsNeeded(NamedTuple):
    """The natural cards of the top card's rank that the hand must add to it to take the pile."""

    number: int
    setting: str
    """The setting that says so, one for a frozen pile and one for others."""
    wording: str
    """How reasons word it: `frozen` or `free`."""


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
        stops = reason("pile-top-stops", cited_settings="stop-ranks", card=kind)
        return forbidden((*_against_unopened(rules, question), stops))
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
        yield reason("pile-before-opening", cited_settings="opening-pile")


def _rule_natural_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on a pile with a natural card on top.

    There may be several ways to use that card; the one with the fewest reasons against it decides.
    """
    use = best_use(rules, question)
    if use is None:
        return _rule_unused_top(rules, question)

    ruling = _rule_use_of_top(rules, question, use)
    comments_before = _about_freezing(rules, question)
    comments_after = _faults_of_taking(rules, question)
    return replace(ruling, reasons=(*comments_before, *ruling.reasons, *comments_after))


def _rule_use_of_top(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Ruling:
    """The ruling on taking the pile with this use of its natural top card.

    If the side opens with it (lays its first melds in this turn), the details give the points that
    it needs and has.
    """
    opening = _count_opening_with_pile(rules, question, _melds_of_opening(question, use))
    details = _details_of_opening(opening)
    against = (*_against_unopened(rules, question), *against_use(rules, question, use))
    if against:
        return forbidden(against, details)
    in_favour = _in_favour_of_taking(rules, question, use, opening=opening)
    return allowed(tuple(in_favour), details)


def _rule_unused_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling that the pile may not be taken, because no meld can hold its top card.

    The details name the opening minimum of a side that has not opened, and what the melds shown
    count toward it.
    """
    against = (*_against_unopened(rules, question), _why_unused(rules, question))
    opening = _count_opening_with_pile(rules, question, melds=question.laid)
    return forbidden(against, _details_of_opening(opening))


def _about_freezing(rules: Ruleset, question: PileQuestion) -> Reasons:
    """The comment that in this game the pile is always frozen, or that it never is though the
    question says so.
    """
    freezing = rules.settings.freezing
    if freezing == "always":
        yield reason("pile-always-frozen", cited_settings="freezing")
    elif freezing == "never" and question.frozen:
        yield reason("pile-never-frozen", cited_settings="freezing")


def _faults_of_taking(rules: Ruleset, question: PileQuestion) -> Reasons:
    """The known faults of the sources about a frozen pile, and about the opening minimum."""
    if is_frozen(rules.settings, is_marked=question.frozen):
        yield from faults(rules, "fault-wild-unfreezes")
    if _must_reach_minimum(rules, question):
        yield from minimum_faults(_table_of_pile_opening(rules, question, question.laid))


def _rule_special_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on a pile with a wild card or a three on top: in some games it cannot be taken, in
    others only with so many equal cards of the hand.
    """
    kind = kind_of(question.top)
    against_unopened = tuple(_against_unopened(rules, question))
    rule_of_top_card = special_top(rules.settings, kind)
    if rule_of_top_card is None:
        cannot_be_taken = reason("pile-top-special", cited_settings="pile-tops", card=kind)
        return forbidden((*against_unopened, cannot_be_taken))

    against = (
        *against_unopened,
        *_against_few_equal_to_top(question, rule_of_top_card, kind),
        *_against_kept_melds(rules, question, rule_of_top_card),
    )
    if against:
        return forbidden(against)
    return allowed((_taken_with_equal_cards(rule_of_top_card, kind),))


def _against_kept_melds(
    rules: Ruleset, question: PileQuestion, rule_of_top_card: PileTop
) -> tuple[Reason, ...]:
    """What is wrong with the melds that lie on the table after taking a pile with a wild card or a
    three on top.
    """
    kept_melds = _melds_kept_on_table(question, rule_of_top_card, kind_of(question.top))
    table = table_with(rules, *kept_melds, *question.table)
    return violations(table, laid_meld_checks(rules))


def _against_few_equal_to_top(question: PileQuestion, top_rule: PileTop, kind: Kind) -> Reasons:
    """The reason if the hand lays fewer cards equal to the top card than taking the pile requires."""
    equal_cards_needed = top_rule.more
    equal_cards = _equal_cards_of_hand(question, kind)
    if equal_cards < equal_cards_needed:
        yield reason(
            "pile-top-needs-more",
            cited_settings=f"pile-tops/{kind}",
            wording=top_rule.used,
            card=kind,
            needed=equal_cards_needed,
            has=equal_cards,
        )


def _taken_with_equal_cards(top_rule: PileTop, kind: Kind) -> Reason:
    """The reason that so many cards equal to the top card take the pile, and what is done with them:
    they are melded with it, or discarded.
    """
    return reason(
        "pile-top-with-more",
        cited_settings=f"pile-tops/{kind}",
        wording=top_rule.used,
        card=kind,
        more=top_rule.more,
    )


def _equal_cards_of_hand(question: PileQuestion, kind: Kind) -> int:
    """How many cards equal to the top card the hand adds to it: the most in one of the melds laid.

    The meld holds the top card too, which is not counted.
    """
    most = 0
    for meld in question.laid:
        without_top_card = meld.cards.of(kind) - 1
        most = max(most, without_top_card)
    return most


def _melds_kept_on_table(question: PileQuestion, top_rule: PileTop, kind: Kind) -> list[Reading]:
    """The melds laid that stay on the table, where the top card is of this kind.

    In some games the cards equal to the top card are not melded: they are only shown, and discarded
    with it. Then the melds that hold such a card are dropped.
    """
    if top_rule.used == "melded":
        return list(question.laid)
    return [meld for meld in question.laid if not meld.cards.of(kind)]


# ----------------------------------------------------------------------------- uses of the top card


def best_use(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """The use of a natural top card that the fewest reasons forbid, the first of several; None if
    there is no use.
    """
    uses = _different_uses(uses_of_top_card(rules, question))
    if not uses:
        return None
    return min(uses, key=lambda use: len(against_use(rules, question, use)))


def _different_uses(uses: Iterable[TopCardUse]) -> list[TopCardUse]:
    """These uses of the top card, without those that lay the same cards on an equal meld."""
    first_of_each: dict[tuple[Reading, Reading | None], TopCardUse] = {}
    for use in uses:
        resulting_meld_and_base = (use.meld, use.onto)
        first_of_each.setdefault(resulting_meld_and_base, use)
    return list(first_of_each.values())


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
    """The ways to use a natural top card with one of the melds that the player lays, by its index
    among them; none if it has no card of that rank.

    With an eight on top, `8 8` are two cards of the hand if the table has a meld of eights, which
    they join. Otherwise they are a new meld, and one of the two is the top card itself.
    """
    shown = question.laid[laid_index]
    has_card_of_rank = shown.cards.of(kind_of(question.top)) > 0
    if not has_card_of_rank:
        return []
    if not _has_meld_of_top_rank(question):
        return [_use_shown_with_top_card(question, laid_index)]
    is_sequence = shown.cards.ranks != question.top.cards.ranks
    if is_sequence:  # the top card joins the meld of its rank, not a run of cards of a suit
        return []
    return _uses_of_cards_of_rank(rules, question, laid_index)


def _has_meld_of_top_rank(question: PileQuestion) -> bool:
    """Whether the table has a meld of the top card's rank."""
    top_ranks = question.top.cards.ranks
    return any(on_table.cards.ranks == top_ranks for on_table in question.table)


def _use_shown_with_top_card(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card in a new meld that the question shows with it.

    Of `8 8 2` with an eight on top, one eight is the top card; an eight and a two are from the hand.
    `laid_index` is the index of the meld among those laid.
    """
    shown = question.laid[laid_index]
    equal_to_top = shown.cards.of(kind_of(question.top))
    return TopCardUse(
        meld=shown,
        others=question.table,
        laid_now=shown,
        laid_index=laid_index,
        naturals_from_hand=equal_to_top - 1,
        cards_from_hand=shown.cards.size - 1,
    )


def _uses_of_cards_of_rank(
    rules: Ruleset, question: PileQuestion, laid_index: int
) -> list[TopCardUse]:
    """The uses of the top card with cards of its rank from the hand, if the table has melds of that
    rank.

    They join one of these melds or, if all of them are full, make a new one. `laid_index` is the
    index of the cards among the melds that the player lays.
    """
    uses: list[TopCardUse] = []
    for table_index, on_table in enumerate(question.table):
        is_of_rank = on_table.cards.ranks == question.top.cards.ranks
        has_room = rules.settings.may_grow(on_table.cards.size)
        if is_of_rank and has_room:
            uses.append(_use_joining_meld(question, laid_index, table_index))
    if not uses:
        uses.append(_use_as_new_meld(question, laid_index))
    return uses


def _use_joining_meld(question: PileQuestion, laid_index: int, table_index: int) -> TopCardUse:
    """The use of the top card with cards of the hand, all of them laid on a meld of the table.

    With an eight on top, `8 8` of the hand and `3x8` of the table make a meld of six. `laid_index`
    is the index of the cards among the melds laid, `table_index` that of the meld on the table.
    """
    from_hand = question.laid[laid_index]
    onto = question.table[table_index]
    return TopCardUse(
        meld=gather_readings(onto, question.top, from_hand),
        others=_other_melds(question.table, table_index),
        laid_now=gather_readings(question.top, from_hand),
        onto=onto,
        onto_index=table_index,
        laid_index=laid_index,
        naturals_from_hand=from_hand.cards.of(kind_of(question.top)),
        cards_from_hand=from_hand.cards.size,
    )


def _use_as_new_meld(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card with cards of the hand, which make a new meld with it.

    With an eight on top, `8 8` of the hand make a meld of three. `laid_index` is the index of the
    cards among the melds laid.
    """
    from_hand = question.laid[laid_index]
    new_meld = gather_readings(question.top, from_hand)
    return TopCardUse(
        meld=new_meld,
        others=question.table,
        laid_now=new_meld,
        laid_index=laid_index,
        naturals_from_hand=from_hand.cards.of(kind_of(question.top)),
        cards_from_hand=from_hand.cards.size,
    )


def _uses_alone(rules: Ruleset, question: PileQuestion) -> tuple[TopCardUse, ...]:
    """The uses of the top card without cards of the hand: one for each meld of the table that is
    legal with it.
    """
    uses: list[TopCardUse] = []
    for table_index, onto in enumerate(question.table):
        with_top_card = gather_readings(onto, question.top)
        if is_legal_meld(rules, with_top_card):
            use = TopCardUse(
                meld=with_top_card,
                others=_other_melds(question.table, table_index),
                laid_now=question.top,
                onto=onto,
                onto_index=table_index,
            )
            uses.append(use)
    return tuple(uses)


def _other_melds(melds: tuple[Reading, ...], index: int) -> tuple[Reading, ...]:
    return (*melds[:index], *melds[index + 1 :])


def melds_after(question: PileQuestion, use: TopCardUse) -> tuple[Reading, ...]:
    """The resulting melds of the turn, in the order of the question; a top card laid off alone
    comes last.
    """
    if use.laid_index is None:
        return (*question.laid, use.meld)
    return _with_meld_at(question.laid, use.laid_index, use.meld)


# -------------------------------------------------------------------------- what forbids to take it


def _why_unused(rules: Ruleset, question: PileQuestion) -> Reason:
    """Why no meld can hold the top card of the pile: the side's melds of its rank are full, or the
    card fits none.
    """
    kind = kind_of(question.top)
    sizes = _sizes_of_melds_of_rank(question)
    if sizes and not _any_has_room_for_card(rules.settings, sizes):
        return reason("pile-meld-full", cited_settings="meld-longest", card=kind, cards=max(sizes))

    plays_with_sequences = rules.settings.sequences != "none"
    if plays_with_sequences and _may_fit_sequence_with_suits(question):
        return reason("pile-top-unused", cited_settings="pile", wording="suits", card=kind)
    return reason("pile-top-unused", cited_settings="pile", card=kind)


def _sizes_of_melds_of_rank(question: PileQuestion) -> list[int]:
    """The numbers of cards in the melds of the table that are of the top card's rank: 3 and 7 for
    `3xK 7xK` if a king is on top.
    """
    top_ranks = question.top.cards.ranks
    return [meld.cards.size for meld in question.table if meld.cards.ranks == top_ranks]


def _any_has_room_for_card(settings: Settings, sizes: list[int]) -> bool:
    """Whether a meld of one of these sizes may take another card."""
    return any(settings.may_grow(size) for size in sizes)


def _may_fit_sequence_with_suits(question: PileQuestion) -> bool:
    """Whether the top card might fit a sequence of the table if all suits were known.

    A sequence is a run of cards of one suit, and the question may give cards without their suits:
    `9` for the top card, or `5h 6 7h` for a sequence.
    """
    sequences = [meld.cards for meld in question.table if _has_several_ranks(meld.cards)]
    if not sequences:
        return False
    return any(_lacks_suits(cards) for cards in (question.top.cards, *sequences))


def _has_several_ranks(meld: Cards) -> bool:
    """Whether a meld has cards of several ranks, as sequences have: `5h 6h 7h`, but not `5 5 2`."""
    return len(meld.ranks) > 1


def _lacks_suits(cards: Cards) -> bool:
    """Whether some of the natural cards were given without their suits."""
    number_with_suit = sum(suited.number for suited in cards.suited)
    return number_with_suit < cards.naturals


def against_use(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> tuple[Reason, ...]:
    """What forbids this use of the top card, each reason that applies: illegal melds, wild cards
    where they may not be laid, too few cards of the hand, or an opening below its minimum.
    """
    return (
        *_against_resulting_melds(rules, question, use),
        *_against_way_of_taking(rules, question, use),
        *_against_opening_with_pile(rules, question, use),
    )


def _against_resulting_melds(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """What is wrong with the melds of the turn if the top card is used so: with the resulting melds
    themselves, with the cards laid on one of the table, or with those beside an incomplete one.
    """
    melds = melds_after(question, use)
    table = table_with(rules, *melds, *use.others)
    yield from violations(table, laid_meld_checks(rules))
    yield from _against_wilds_on_joined_meld(rules, question, use)
    yield from _against_wilds_beside_wild_meld(rules, question, use)
    if use.onto is not None:
        yield from against_table_meld(rules, use.onto)
    yield from against_incomplete_beside_canasta(rules, melds)


def _against_way_of_taking(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """What is missing for taking the pile: by laying the top card off on a meld of the table or,
    where that is not enough, with cards of the hand.
    """
    if _is_lay_off_enough(rules, question, use):
        return _against_taking_by_lay_off(rules, question, use)
    return _against_taking_with_hand(rules, question, use)


def _against_opening_with_pile(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> tuple[Reason, ...]:
    """The reason if a side that opens with the pile does not reach its opening minimum."""
    if not _must_reach_minimum(rules, question):
        return ()
    opening = _table_of_pile_opening(rules, question, _melds_of_opening(question, use))
    return violations(opening, {"opening-below-minimum"})


def _against_taking_by_lay_off(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """The reason if a player who lays the top card off on a meld of the table gets only that card,
    and not the rest of the pile.

    It is for games with that rule. The player gets the pile anyway with as many cards of the top
    card's rank from the hand as taking it requires.
    """
    gets_whole_pile = rules.settings.pile_layoff == "whole-pile"
    has_enough_cards = use.naturals_from_hand >= rules.settings.pile_naturals
    if gets_whole_pile or has_enough_cards:
        return
    yield reason("pile-top-card-only", cited_settings="pile-layoff", card=kind_of(question.top))


def _against_wilds_on_joined_meld(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """The reason if wild cards of the hand join a canasta (a meld of seven cards or more) of the
    table, which may not take them.
    """
    if use.onto is None or use.laid_index is None:
        return  # a new meld, or no cards of the hand
    meld = read_meld(use.onto.cards)
    wilds = question.laid[use.laid_index].cards.wilds
    yield from against_wilds_on_canasta(rules, meld, wilds)


def _against_wilds_beside_wild_meld(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """The reason if an incomplete meld of wild cards alone on the table forbids what the player
    lays to take the pile.

    In some games such a meld, of fewer cards than a canasta (seven), forbids its side to lay wild
    cards beside natural ones.
    """
    laying = Laying(
        meld=read_meld(use.meld.cards),
        onto=use.onto,
        wilds_beside_naturals=_wilds_laid_beside_naturals(question),
    )
    yield from against_restricted_wilds(rules.settings, question.table, laying)


def _wilds_laid_beside_naturals(question: PileQuestion) -> int:
    """How many wild cards the player lays in this turn, in all melds that hold natural cards too:
    2 for `8 8 2` and `K K 2`.
    """
    number = 0
    for meld in question.laid:
        holds_naturals = meld.cards.naturals > 0
        if holds_naturals:
            number += meld.cards.wilds
    return number


def _is_lay_off_enough(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> bool:
    """Whether the player takes the pile by laying its top card off on a meld of the table, without
    cards of the hand.

    A frozen pile is never taken so.
    """
    settings = rules.settings
    if use.onto is None or is_frozen(settings, is_marked=question.frozen):
        return False
    laying_off_takes_pile = settings.pile_top_laid_off
    if laying_off_takes_pile == "never":
        return False
    if laying_off_takes_pile == "not-frozen":
        return True
    # "incomplete": only on a meld of fewer cards than a canasta (seven), and for a side that opened.
    is_incomplete = use.onto.cards.size < settings.canasta_length
    return question.opened and is_incomplete


def _against_taking_with_hand(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """What is missing for taking the pile with cards of the hand: naturals of the top card's rank
    or, with enough of these, a card that makes the meld long enough.
    """
    has_enough_naturals = use.naturals_from_hand >= _naturals_for_pile(rules, question).number
    if has_enough_naturals:
        return _against_short_meld(rules, question, use)
    return _against_few_naturals(rules, question, use)


def _against_short_meld(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """The reason if the top card and the cards of the hand are too few for a meld."""
    shortest = rules.settings.meld_shortest
    size_with_top_card = use.cards_from_hand + 1
    if size_with_top_card < shortest:
        card = kind_of(question.top)
        yield reason(
            "pile-two-cards", cited_settings="meld-shortest", card=card, has=use.cards_from_hand
        )


def _against_few_naturals(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """The reasons that the hand lays too few cards of the top card's rank with it.

    If the player lays the top card off on a meld of the table, the first reason says why that does
    not take the pile.
    """
    is_laid_off = use.onto is not None
    frozen = is_frozen(rules.settings, is_marked=question.frozen)
    if is_laid_off and not frozen:
        yield _why_not_laid_off(rules, question)
    yield too_few_naturals(rules, question, use.naturals_from_hand)


def _why_not_laid_off(rules: Ruleset, question: PileQuestion) -> Reason:
    """Why laying the top card off on a meld of the table does not take a pile that is not frozen.

    Either it never does in this game, or it takes a side that has opened (laid its first melds), and
    an incomplete meld, of fewer cards than a canasta (seven).
    """
    kind = kind_of(question.top)
    setting = "pile-top-laid-off"
    if rules.settings.pile_top_laid_off == "never":
        return reason("pile-never-laid-off", cited_settings=setting, card=kind)
    if not question.opened:
        return reason("pile-lay-off-unopened", cited_settings=setting, card=kind)
    return reason("pile-on-complete", cited_settings=setting, card=kind)


def too_few_naturals(rules: Ruleset, question: PileQuestion, has: int) -> Reason:
    """The reason that taking the pile with cards of the hand needs more naturals of the top card's
    rank than the hand adds to it (`has`).
    """
    needed = _naturals_for_pile(rules, question)
    return reason(
        "pile-naturals",
        cited_settings=needed.setting,
        wording=needed.wording,
        card=kind_of(question.top),
        needed=needed.number,
        has=has,
    )


def _naturals_for_pile(rules: Ruleset, question: PileQuestion) -> _NaturalsNeeded:
    """The naturals of the hand that take this pile, frozen or not."""
    frozen = is_frozen(rules.settings, is_marked=question.frozen)
    number = naturals_needed(rules.settings, frozen=frozen)
    if frozen:
        return _NaturalsNeeded(number, setting="pile-naturals-frozen", wording="frozen")
    return _NaturalsNeeded(number, setting="pile-naturals", wording="free")


# -------------------------------------------------------------------------------------- the opening


def _must_reach_minimum(rules: Ruleset, question: PileQuestion) -> bool:
    """Whether the side opens with the pile, and needs a minimum of points for it."""
    settings = rules.settings
    if question.opened or settings.opening_pile == "never":
        return False
    return settings.opening_minimum(question.score, question.deal) is not None


def _melds_of_opening(question: PileQuestion, use: TopCardUse) -> tuple[Reading, ...]:
    """The melds with which a side opens (lays its first melds) in this turn: those that the player
    lays, one of them with the top card of the pile.

    Cards that were on the table before are not part of the opening: `8 8` of the hand that join a
    meld of the table with an eight on top count as `8 8 8`.
    """
    if use.laid_index is None:  # the top card alone is laid on a meld of the table
        return question.laid
    return _with_meld_at(question.laid, use.laid_index, use.laid_now)


def _with_meld_at(melds: tuple[Reading, ...], index: int, meld: Reading) -> tuple[Reading, ...]:
    """These melds, with the one at this index replaced."""
    return (*melds[:index], meld, *melds[index + 1 :])


def _table_of_pile_opening(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> Table:
    """The table on which a side opens with these melds, at the match score of the question."""
    return table_with(rules, opening=melds, score=question.score, deal=question.deal)


def _count_opening_with_pile(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> _OpeningWithPile | None:
    """The opening minimum (points) of a side that lays these as its first melds, and the points that
    count toward it.

    None if the side needs no minimum: it has opened before, say.
    """
    if not _must_reach_minimum(rules, question):
        return None
    table = _table_of_pile_opening(rules, question, melds)
    side = table.sides[ASKER]
    minimum = side.minimum
    assert minimum is not None, "a side that must reach a minimum has one"
    counted = count_opening(table, side, minimum).points
    return _OpeningWithPile(minimum=minimum, counted=counted)


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
    rules: Ruleset,
    question: PileQuestion,
    use: TopCardUse,
    *,
    opening: _OpeningWithPile | None,
) -> Reasons:
    """Why the pile may be taken: how it is, and that a side that opens with it reaches its minimum.
    Then what follows for the player.
    """
    yield _how_taken(rules, question, use)
    if opening is not None:
        yield _why_minimum_reached_with_pile(rules, question, opening)
    yield from _what_follows_for_taker(rules.settings)


def _why_minimum_reached_with_pile(
    rules: Ruleset, question: PileQuestion, opening: _OpeningWithPile
) -> Reason:
    """The reason that the points of the melds reach the opening minimum of the side."""
    table = _table_of_pile_opening(rules, question, question.laid)
    return minimum_reason(
        table,
        "pile-opening-reached",
        opening.minimum,
        cited_settings="opening-pile",
        counted=opening.counted,
    )


def _what_follows_for_taker(settings: Settings) -> Reasons:
    """What follows for a player who takes the pile: in some games the player plays alone against the
    others from then on, and in some must also draw cards from the stock.
    """
    if settings.partnership == "single-taker":
        yield reason("pile-taker-alone", cited_settings="partnership")
    if settings.pile_drawn > 0:
        yield reason("pile-draws-too", cited_settings="pile-drawn", cards=settings.pile_drawn)


def _how_taken(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reason:
    """The reason that says how the pile is taken: with equal cards of the hand, by laying off its
    top card on a meld of the table, or with an equal card and wild cards of the hand.

    Several may hold. A pair takes the pile in every game, so it is named even if laying off would do.
    """
    has_pair = use.naturals_from_hand >= _A_PAIR
    if has_pair:
        return _taken_with_naturals(rules, question, use)
    uses_no_cards_of_hand = use.cards_from_hand == 0
    if uses_no_cards_of_hand or _is_lay_off_enough(rules, question, use):
        return _taken_by_laying_off(question)
    return _taken_with_wilds(rules, question)


def _taken_by_laying_off(question: PileQuestion) -> Reason:
    """The reason that the pile is taken by laying off its top card on a meld of the table."""
    card = kind_of(question.top)
    return reason("pile-laid-off", cited_settings="pile-top-laid-off", card=card)


def _taken_with_naturals(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reason:
    """The reason that the pile is taken with so many cards of the hand equal to the top card."""
    needed = _naturals_for_pile(rules, question)
    return reason(
        "pile-with-naturals",
        cited_settings=needed.setting,
        wording=needed.wording,
        card=kind_of(question.top),
        naturals=use.naturals_from_hand,
    )


def _taken_with_wilds(rules: Ruleset, question: PileQuestion) -> Reason:
    """The reason that the pile is taken with a card equal to the top card, and wild cards."""
    needed = _naturals_for_pile(rules, question)
    return reason(
        "pile-with-wild",
        cited_settings=needed.setting,
        wording=needed.wording,
        card=kind_of(question.top),
    )
