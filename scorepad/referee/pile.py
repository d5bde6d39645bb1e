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
        stops = reason("pile-top-stops", follows_from="stop-ranks", card=kind)
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
        yield reason("pile-before-opening", follows_from="opening-pile")


def _rule_natural_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling on a natural top card: the use with the fewest reasons against it decides."""
    use = best_use(rules, question)
    if use is None:
        return _rule_unused_top(rules, question)

    opening = _count_opening_with_pile(rules, question, _melds_of_opening(question, use))
    details = _details_of_opening(opening)
    about_freezing = tuple(_about_freezing(rules, question))
    faults_of_sources = tuple(_faults_of_taking(rules, question))
    against = (*_against_unopened(rules, question), *against_use(rules, question, use))
    if against:
        return forbidden((*about_freezing, *against, *faults_of_sources), details)
    in_favour = _in_favour_of_taking(rules, question, use, opening=opening)
    return allowed((*about_freezing, *in_favour, *faults_of_sources), details)


def _rule_unused_top(rules: Ruleset, question: PileQuestion) -> Ruling:
    """The ruling that forbids taking the pile, because no meld can use its natural top card."""
    opening = _count_opening_with_pile(rules, question, question.laid)
    against = (*_against_unopened(rules, question), _why_unused(rules, question))
    return forbidden(against, _details_of_opening(opening))


def _about_freezing(rules: Ruleset, question: PileQuestion) -> Reasons:
    """The comment that in this game the pile is always frozen, or that it never is though the
    question says so.
    """
    freezing = rules.settings.freezing
    if freezing == "always":
        yield reason("pile-always-frozen", follows_from="freezing")
    elif freezing == "never" and question.frozen:
        yield reason("pile-never-frozen", follows_from="freezing")


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
    top_rule = special_top(rules.settings, kind)
    if top_rule is None:
        against.append(reason("pile-top-special", follows_from="pile-tops", card=kind))
        return forbidden(tuple(against))

    against += _against_few_equal_to_top(question, top_rule, kind)
    melds = [*_melds_kept_on_table(question, top_rule, kind), *question.table]
    against += violations(table_with(rules, *melds), laid_meld_checks(rules))
    return ruling_from_reasons(against, [_taken_with_equal_cards(top_rule, kind)])


def _against_few_equal_to_top(question: PileQuestion, top_rule: PileTop, kind: Kind) -> Reasons:
    """The reason if the hand lays fewer cards equal to the top card than taking the pile requires."""
    equal_cards_needed = top_rule.more
    equal_cards = _equal_cards_of_hand(question, kind)
    if equal_cards < equal_cards_needed:
        yield reason(
            "pile-top-needs-more",
            follows_from=f"pile-tops/{kind}",
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
        follows_from=f"pile-tops/{kind}",
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
    has_card_of_rank = meld.cards.of(kind_of(question.top)) > 0
    if not has_card_of_rank:
        return []
    if not _has_meld_of_top_rank(question):
        return [_use_shown_with_top_card(question, laid_index)]
    is_meld_of_rank = meld.cards.ranks == question.top.cards.ranks
    if is_meld_of_rank:
        return _uses_of_cards_of_rank(rules, question, laid_index)
    # A sequence with a card of the rank: the top card is added to the meld of its rank instead.
    return []


def _has_meld_of_top_rank(question: PileQuestion) -> bool:
    """Whether the table has a meld of the top card's rank."""
    top_ranks = question.top.cards.ranks
    return any(on_table.cards.ranks == top_ranks for on_table in question.table)


def _use_shown_with_top_card(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card in a meld that was shown with it, by its index among those laid.

    One of its cards is the top card itself, the others are from the hand.
    """
    meld = question.laid[laid_index]
    cards_of_rank = meld.cards.of(kind_of(question.top))
    return TopCardUse(
        meld,
        others=question.table,
        laid_index=laid_index,
        naturals_from_hand=cards_of_rank - 1,
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
    for onto_index, on_table in enumerate(question.table):
        is_of_rank = on_table.cards.ranks == question.top.cards.ranks
        has_room = rules.settings.may_grow(on_table.cards.size)
        if is_of_rank and has_room:
            uses.append(_use_joining_meld(question, laid_index, onto_index))
    if uses:
        return uses
    return [_use_as_new_meld(question, laid_index)]


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


def _use_as_new_meld(question: PileQuestion, laid_index: int) -> TopCardUse:
    """The use of the top card with cards of the hand as a new meld.

    The cards of the hand are one of the melds laid, at this index. They do not include the top
    card: `8 8` with an eight on top make a meld of three.
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
        return reason("pile-meld-full", follows_from="meld-longest", card=kind, cards=max(sizes))
    plays_with_sequences = settings.sequences != "none"
    if plays_with_sequences and _may_fit_sequence_with_suits(question):
        return reason("pile-top-unused", follows_from="pile", wording="suits", card=kind)
    return reason("pile-top-unused", follows_from="pile", card=kind)


def _may_fit_sequence_with_suits(question: PileQuestion) -> bool:
    """Whether the top card might fit a sequence of the table if all suits were known.

    A sequence is a run of cards of one suit, and the question may give cards without their suits:
    `9` for the top card, or `5h 6 7h` for a sequence.
    """
    sequences = [meld.cards for meld in question.table if len(meld.cards.ranks) > 1]
    if not sequences:
        return False
    return any(_lacks_suits(cards) for cards in (question.top.cards, *sequences))


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
    """What is wrong with the melds that result from this use of the top card, beside the others of
    the table.
    """
    melds = melds_after(question, use)
    yield from violations(table_with(rules, *melds, *use.others), laid_meld_checks(rules))
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
    """The reason if a player who lays the top card off on a meld of the table takes only that card,
    and not the pile.
    """
    settings = rules.settings
    if settings.pile_layoff == "whole-pile":
        return
    # With enough cards of its rank from the hand, the player need not lay it off to take the pile.
    if use.naturals_from_hand < settings.pile_naturals:
        yield reason("pile-top-card-only", follows_from="pile-layoff", card=kind_of(question.top))


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
    """What forbids laying wild cards with natural ones in this turn, while an incomplete meld of
    wild cards alone on the table restricts the side.
    """
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
    # In the other games only a side that has opened, and on a meld that is not a canasta yet.
    is_incomplete = use.onto.cards.size < rules.settings.canasta_length
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
            "pile-two-cards", follows_from="meld-shortest", card=card, has=use.cards_from_hand
        )


def _against_few_naturals(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """The reason that the hand adds too few naturals to the top card; first why an unfrozen pile is
    not taken without them, by laying the top card off on a meld of the table.
    """
    frozen = is_frozen(rules.settings, is_marked=question.frozen)
    if use.onto is not None and not frozen:
        code = _why_not_laid_off(rules, question)
        yield reason(code, follows_from="pile-top-laid-off", card=kind_of(question.top))
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
    rank than the hand adds to it (`has`).
    """
    needed = _naturals_for_pile(rules, question)
    return reason(
        "pile-naturals",
        follows_from=needed.setting,
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
    """The melds with which a side opens in this turn: those laid, one of them with the top card.

    A top card that is laid off alone on a meld of the table is not part of the opening. Neither are
    the cards that a meld had on the table before others of the hand join it.
    """
    if use.laid_index is None:
        return question.laid
    if use.onto is None:
        return melds_after(question, use)
    melds = [*question.laid]
    cards_of_hand = melds[use.laid_index]
    melds[use.laid_index] = gather_readings(question.top, cards_of_hand)
    return tuple(melds)


def _table_of_pile_opening(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> Table:
    """The table on which a side opens with these melds, at the match score of the question."""
    return table_with(rules, opening=melds, score=question.score, deal=question.deal)


def _count_opening_with_pile(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> _OpeningWithPile | None:
    """The minimum of a side that opens with these melds and the pile, and the points that count
    toward it; None if the side need not reach a minimum.
    """
    if not _must_reach_minimum(rules, question):
        return None
    table = _table_of_pile_opening(rules, question, melds)
    opener = table.sides[ASKER]
    assert opener.minimum is not None, "a side that must reach a minimum has one"
    opening = count_opening(table, opener, opener.minimum)
    return _OpeningWithPile(opener.minimum, opening.points)


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
            follows_from="opening-pile",
            counted=opening.counted,
        )
    if settings.partnership == "single-taker":
        yield reason("pile-taker-alone", follows_from="partnership")
    if settings.pile_drawn:
        yield reason("pile-draws-too", follows_from="pile-drawn", cards=settings.pile_drawn)


def _how_taken(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reason:
    """How the pile is taken: with natural cards of the hand, by laying off the top card, or with a
    natural and wild cards of the hand.
    """
    kind = kind_of(question.top)
    needed = _naturals_for_pile(rules, question)
    # A pair of the hand takes the pile in every variant, so it is named before laying off.
    if use.naturals_from_hand >= _A_PAIR:
        return reason(
            "pile-with-naturals",
            follows_from=needed.setting,
            wording=needed.wording,
            card=kind,
            naturals=use.naturals_from_hand,
        )

    nothing_from_hand = use.cards_from_hand == 0
    if nothing_from_hand or _is_lay_off_enough(rules, question, use):
        return reason("pile-laid-off", follows_from="pile-top-laid-off", card=kind)
    return reason("pile-with-wild", follows_from=needed.setting, wording=needed.wording, card=kind)
