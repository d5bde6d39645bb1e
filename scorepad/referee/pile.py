"""Rulings on taking the pile. The top card is used at once: with cards of the hand, or laid off on
the side's melds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.in_force import (
    count_naturals_needed,
    find_rule_for_special_top,
    is_dead,
    is_frozen,
    leave_reclaimed_wilds_out,
    may_be_dead,
)
from scorepad.referee.meld import (
    against_dead_rank,
    against_incomplete_beside_canasta,
    against_repeated_ranks,
    against_wilds_on_canasta,
    check_completed_mixed_canasta,
    count_blocking_wild_melds,
    explain_early_wilds,
    explain_reclaimed_wilds,
    explain_that_wilds_are_blocked,
    has_too_few_naturals_for_wilds,
    takes_wilds_only_in_opening,
)
from scorepad.referee.questions import PileQuestion
from scorepad.referee.reasons import (
    find_known_mistakes,
    find_mistakes_about_minimum,
    make_reason_with_minimum,
    reason,
)
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, allowed, forbidden
from scorepad.referee.situation import (
    ASKER,
    build_table_of_asker,
    build_table_with_melds,
    check_meld_on_table,
    is_legal_meld,
    kind_of,
    leave_top_card_out,
    report_unreadable_cards,
    run_checks,
    select_checks_of_laid_melds,
)
from scorepad.rules.cards import KINDS, Cards, Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import SideEntry
from scorepad.rules.settings import PileTop, Settings
from scorepad.rules.table import Table, read_meld
from scorepad.rules.turn_checks import count_opening


class TopCardUse(NamedTuple):
    """A way to lay the top card of the pile: alone or with cards of the hand, as a new meld (group
    of cards) or on a meld of the table.
    """

    cards_laid: Reading
    """The top card, and the cards of the hand that are laid with it."""
    resulting_meld: Reading
    """The meld that holds them afterwards."""
    joined_meld: Reading | None = None
    """The meld of the table that they are laid on; None if they are a new meld."""
    joined_index: int | None = None
    """The index of that meld on the table."""
    shown_index: int | None = None
    """The index of the meld shown by the player that the cards of the hand come from; None if the
    top card is laid alone.
    """
    equal_cards_from_hand: int = 0
    """The cards of the hand, laid with the top card, that have its rank."""
    cards_from_hand: int = 0
    """All cards of the hand that are laid with the top card."""

    @property
    def wilds_reclaimed(self) -> int:
        """The jokers and twos that the meld of the table gives back to the hand."""
        if self.joined_meld is None:
            return 0
        wilds_before = self.joined_meld.cards.wilds + self.cards_laid.cards.wilds
        return wilds_before - self.resulting_meld.cards.wilds

    def lay_on(self, meld_on_table: Reading, index_on_table: int) -> TopCardUse:
        """Return the use in which the same cards are laid on a meld (group) of the table.

        The top card and two eights of the hand, laid on `3x8`, make `6x8`.
        """
        return self._replace(
            resulting_meld=gather_readings(meld_on_table, self.cards_laid),
            joined_meld=meld_on_table,
            joined_index=index_on_table,
        )


class _NaturalsNeeded(NamedTuple):
    """The natural cards of the top card's rank that the hand must add to it to take the pile."""

    number: int
    setting: str
    """The setting that says so, one for a frozen pile and one for others."""
    wording: str
    """How reasons word it: `frozen` or `free`."""


class _OpeningWithPile(NamedTuple):
    """The opening of a side that takes the pile with it: its minimum of points, its points, and those
    missing.
    """

    minimum: int
    counted: int
    missing: int


def rule_pile(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Decide whether a player may take the discard pile with the melds (groups of cards) shown.

    Whoever takes the pile must use its top card at once. With a king on top, `K K` of the hand are
    enough in most games → allowed; a single `K` → forbidden.
    """
    wrong = _find_impossible_cards(rules, question)
    if wrong:
        return forbidden(wrong)

    top = kind_of(question.top)
    if not top.is_natural:  # a joker, a two or a three
        return _decide_for_special_top_card(rules, question)
    if top in rules.settings.stop_ranks:
        # On the page: "The top card is a seven, a stop card here: the pile is not taken in this
        # turn."
        stops = reason("pile-top-stops", cited_settings="stop-ranks", card=top)
        return forbidden((*_check_side_has_opened(rules, question), stops))
    if is_dead(rules.settings, top, own_melds=question.table, opponents=question.opponents):
        # On the page: "The top card is a king, a dead card: a canasta of that rank is complete. The
        # pile is not taken."
        dead = reason("pile-top-dead", cited_settings="dead-ranks/pile", card=top)
        return forbidden((*_check_side_has_opened(rules, question), dead))
    return _decide_for_natural_top_card(rules, question)


def _find_impossible_cards(rules: Ruleset, question: PileQuestion) -> tuple[Reason, ...]:
    """Find what is impossible about the cards of a question, before anything is judged.

    Either a word is no card (`foo`), or there are more cards of a kind than the decks hold
    (`9xK` of two decks). An empty result means that all these cards can exist.
    """
    melds = (*question.table, *question.laid, *(question.opponents or ()))
    unreadable = report_unreadable_cards(rules, question.top, *melds)
    if unreadable:
        return unreadable
    table = build_table_with_melds(rules, *melds)
    return run_checks(table, {"deck-exceeded"})


def _check_side_has_opened(rules: Ruleset, question: PileQuestion) -> Reasons:
    """Yield a reason against taking the pile, if the side must have opened before and has not.

    A side opens by laying its first melds (groups of cards) of the round.
    """
    if question.opened:
        return
    if rules.settings.opening_pile == "never":
        # On the page: "The pile is never taken here before the side has opened."
        yield reason("pile-before-opening", cited_settings="opening-pile")


def _decide_for_natural_top_card(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Decide whether a player may take the pile, where its top card is an ordinary one (ace to four).

    The top card can often be used in several ways, such as in a new meld or on one of the table.
    The way with the fewest reasons against it decides.
    """
    use = best_use(rules, question)
    if use is None:  # no meld (group of cards) can hold the top card
        return _forbid_unusable_top_card(rules, question)

    ruling = _decide_for_use(rules, question, use)
    reasons_and_comments = (
        *_comment_on_freezing(rules, question),
        *ruling.reasons,
        *_comment_on_mistakes_of_sources(rules, question),
    )
    return replace(ruling, reasons=reasons_and_comments)


def _decide_for_use(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Ruling:
    """Decide whether a player may take the pile by laying its top card in this way.

    If the side lays its first melds (groups of cards) of the round with it, the details give the
    points needed and laid: `{"minimum": 90, "counted": 60, "missing": 30}`.
    """
    first_melds = _list_melds_of_opening(rules, question, use)
    points = _count_opening_points(rules, question, first_melds)
    details = _describe_opening(points)

    reasons_against = (*_check_side_has_opened(rules, question), *against_use(rules, question, use))
    if reasons_against:
        comments = tuple(_comment_on_opening_from_hand(rules.settings, reasons_against))
        return forbidden((*reasons_against, *comments), details)
    reasons_for = _explain_permission(rules, question, use, opening=points)
    return allowed(tuple(reasons_for), details | _describe_talon_of_taker(rules, question))


def _comment_on_opening_from_hand(
    settings: Settings, reasons_against: tuple[Reason, ...]
) -> Reasons:
    """Comment that the top card does not count for the opening, if the points of the melds are few.

    A side opens by laying its first melds (groups of cards) of the round. In some games these come
    from the hand alone.
    """
    is_opening_too_small = any(each.code == "opening-below-minimum" for each in reasons_against)
    if is_opening_too_small and settings.opening_pile == "hand-only":
        yield explain_opening_from_hand()


def explain_opening_from_hand() -> Reason:
    """Explain that a side that takes the pile to open still opens from the hand alone."""
    # On the page: "The opening is from the hand alone: the top card of the pile counts neither for
    # the points nor for the natural meld."
    return reason("opening-from-hand", cited_settings="opening-pile")


def _forbid_unusable_top_card(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Answer that the player may not take the pile, because no meld can hold its top card.

    If the side has not opened (laid its first melds) yet, the details give the points that it needs
    and those of the melds shown: `{"minimum": 50, "counted": 30, "missing": 20}`.
    """
    reasons_against = (
        *_check_side_has_opened(rules, question),
        _explain_why_top_card_fits_nowhere(rules, question),
    )
    shown_melds = question.laid
    opening = _count_opening_points(rules, question, shown_melds)
    return forbidden(reasons_against, _describe_opening(opening))


def _comment_on_freezing(rules: Ruleset, question: PileQuestion) -> Reasons:
    """Yield a comment in a game in which every pile is frozen (harder to take), or none ever is.

    That none is frozen is said only to a player who calls this pile frozen.
    """
    freezing = rules.settings.freezing
    if freezing == "always":
        # On the page: "In this game the pile is always frozen."
        yield reason("pile-always-frozen", cited_settings="freezing")

    player_calls_it_frozen = question.frozen
    if freezing == "never" and player_calls_it_frozen:
        # On the page: "In this game the pile is never frozen."
        yield reason("pile-never-frozen", cited_settings="freezing")


def _comment_on_mistakes_of_sources(rules: Ruleset, question: PileQuestion) -> Reasons:
    """Yield notes on known mistakes in the rule books that concern this answer.

    They are mistakes about a frozen pile (one that is harder to take), and about the minimum of
    points that the first melds of a side must reach.
    """
    if is_frozen(rules.settings, is_marked=question.frozen):
        # On the page: "Note: the Encyclopedia alone unfreezes the pile with a card and a wild."
        yield from find_known_mistakes(rules, "fault-wild-unfreezes")

    minimum = _find_minimum_to_reach(rules.settings, question)
    if minimum is not None:
        # On the page: "Note: Giochi di carte names only the minimum of 50 points."
        table = _build_table_of_opening(rules, question, question.laid)
        yield from find_mistakes_about_minimum(table)


def _decide_for_special_top_card(rules: Ruleset, question: PileQuestion) -> Ruling:
    """Decide whether a player may take the pile, where its top card is a joker, a two or a three.

    In some games such a pile cannot be taken. In others the hand must add so many equal cards: with
    a two on top, three more twos, for example.
    """
    reasons_against = list(_check_side_has_opened(rules, question))
    top = kind_of(question.top)
    top_rule = find_rule_for_special_top(rules.settings, top)
    if top_rule is None:
        # On the page: "With a joker on top the pile may not be taken."
        reasons_against.append(reason("pile-top-special", cited_settings="pile-tops", card=top))
        return forbidden(tuple(reasons_against))

    shown_melds = question.laid
    reasons_against += _check_number_of_equal_cards(shown_melds, top_rule, top)
    new_melds = _list_melds_staying_on_table(question, top_rule)
    reasons_against += _check_legality_of_melds(rules, (*new_melds, *question.table))
    reasons_against += _check_minimum_of_melds(rules, question, new_melds)
    points = _count_opening_points(rules, question, new_melds)
    details = _describe_opening(points)
    if reasons_against:
        return forbidden(tuple(reasons_against), details)
    reasons_for = [_explain_taking_with_equal_cards(top_rule, top)]
    if points is not None:
        reasons_for.append(_explain_points_reached(rules, question, points))
    consequences = _explain_consequences_of_taking(rules.settings, opened=question.opened)
    talon = _describe_talon_of_taker(rules, question)
    return allowed((*reasons_for, *consequences), details | talon)


def _check_legality_of_melds(rules: Ruleset, melds: Iterable[Reading]) -> tuple[Reason, ...]:
    """Return what is wrong with melds (groups of cards) that lie on the table after this turn.

    Two kings alone are too few for a meld, for example. An empty result means that all are legal.
    """
    table = build_table_with_melds(rules, *melds)
    return run_checks(table, select_checks_of_laid_melds(rules))


def _check_number_of_equal_cards(
    shown_melds: tuple[Reading, ...], top_rule: PileTop, top: Kind
) -> Reasons:
    """Yield a reason if the hand adds too few cards equal to the top card of the pile.

    If a two on top needs three more twos, a player who shows `2 2 2` adds only two to it → a reason.
    """
    needed = top_rule.more
    added_by_hand = _count_equal_cards_of_hand(shown_melds, top)
    if added_by_hand < needed:
        # On the page: "With a two on top you need three twos from your hand, melded at once: two
        # here."
        yield reason(
            "pile-top-needs-more",
            cited_settings=f"pile-tops/{top}",
            wording=top_rule.used,  # `melded` or `discarded`
            card=top,
            needed=needed,
            has=added_by_hand,
        )


def _explain_taking_with_equal_cards(top_rule: PileTop, top: Kind) -> Reason:
    """Explain that the pile is taken with so many cards of the hand that equal its top card.

    The top card is a joker, a two or a three. Depending on the game, the cards of the hand are
    melded (laid on the table as a group), or discarded.
    """
    # On the page: "With a joker on top the pile is taken by melding two jokers from the hand at
    # once."
    return reason(
        "pile-top-with-more",
        cited_settings=f"pile-tops/{top}",
        wording=top_rule.used,  # `melded` or `discarded`
        card=top,
        more=top_rule.more,
    )


def _count_equal_cards_of_hand(shown_melds: tuple[Reading, ...], top: Kind) -> int:
    """Count the cards of the hand that a player lays together with an equal top card of the pile.

    The meld (group of cards) with the most such cards is meant, and one of them is the top card
    itself. With a joker on top: `JK JK JK` → 2, no meld with jokers → 0.
    """
    numbers_in_melds = [meld.cards.of(top) for meld in shown_melds]
    most_in_a_meld = max(numbers_in_melds, default=0)
    return max(0, most_in_a_meld - 1)  # one of them is the top card itself


def _list_melds_staying_on_table(question: PileQuestion, top_rule: PileTop) -> tuple[Reading, ...]:
    """List the melds shown by the player that stay on the table after the pile is taken.

    The pile has a joker, a two or a three on top. In some games the player only shows equal cards
    and then discards them all: with a joker on top, of `JK JK` and `8 8 8` only `8 8 8` stays.
    """
    if top_rule.used == "melded":
        return question.laid

    # "discarded": the cards equal to the top card do not stay.
    top = kind_of(question.top)
    return tuple(meld for meld in question.laid if meld.cards.of(top) == 0)


# ----------------------------------------------------------------------------- uses of the top card


def best_use(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """Choose the way to use the pile's top card that has the fewest reasons against it.

    A way is, for example, to lay it on a meld (group of cards) of the table. The first one is
    chosen if several have equally few reasons. None if no meld can hold the top card.
    """
    uses = _remove_equal_uses(uses_of_top_card(rules, question))
    if not uses:
        return None
    return min(uses, key=lambda use: len(against_use(rules, question, use)))


def _remove_equal_uses(uses: Iterable[TopCardUse]) -> list[TopCardUse]:
    """Drop uses of the top card that differ only in which of two equal melds the cards are laid on.

    With an eight on top and `8 8 8` twice on the table, laying it on either makes `8 8 8 8`: the
    first of the two uses is kept.
    """
    kept: dict[tuple[Reading | None, Reading], TopCardUse] = {}
    for use in uses:
        meld_before_and_after = (use.joined_meld, use.resulting_meld)
        if meld_before_and_after not in kept:
            kept[meld_before_and_after] = use
    return list(kept.values())


def uses_of_top_card(rules: Ruleset, question: PileQuestion) -> tuple[TopCardUse, ...]:
    """Find all ways to use an ordinary top card (ace to four) of the discard pile.

    With a king on top, a player may show the meld (group of cards) `K K K`, which holds it. If no
    meld shown can hold it, it may still be laid alone on a meld of the table. An empty result means
    that no meld at all can hold it.
    """
    uses: list[TopCardUse] = []
    for shown_index in range(len(question.laid)):  # the melds that the player shows
        uses += _find_uses_with_shown_meld(rules, question, shown_index)
    if uses:
        return tuple(uses)
    return tuple(_find_uses_of_top_card_alone(rules, question))


def _find_uses_with_shown_meld(
    rules: Ruleset, question: PileQuestion, shown_index: int
) -> list[TopCardUse]:
    """Find the ways to lay the top card of the pile together with one meld that the player shows.

    Where the table has a group of the top card's rank, such as `8 8 8`, equal cards of the hand and
    the top card are added to it. Otherwise the meld is laid as it was shown.
    """
    shown = question.laid[shown_index]
    has_card_of_top_rank = shown.cards.of(kind_of(question.top)) > 0
    if not has_card_of_top_rank:
        return []
    is_group_on_table = any(_is_group_of_top_rank(meld, question.top) for meld in question.table)
    if not is_group_on_table:
        return [_use_in_shown_meld(question, shown_index)]

    is_sequence = not _is_group_of_top_rank(shown, question.top)
    if is_sequence:  # such as `9 8 7`: the top card may not be laid in it, but joins the group
        return []
    return _find_uses_with_equal_cards(rules, question, shown_index)


def _is_group_of_top_rank(meld: Reading, top: Reading) -> bool:
    """Tell whether a meld has cards of the top card's rank only, beside jokers and twos.

    With an eight on top of the pile: `8 8 2` → True, `K K K` and the sequence `9 8 7` → False.
    """
    return meld.cards.ranks == top.cards.ranks


def _use_in_shown_meld(question: PileQuestion, shown_index: int) -> TopCardUse:
    """Describe the new meld (group of cards) that a player shows with the top card already in it.

    With an eight on top, `8 8 2` is the top card, one eight from the hand and one two from the
    hand.
    """
    shown = question.laid[shown_index]
    equal_to_top = shown.cards.of(kind_of(question.top))
    return TopCardUse(
        cards_laid=shown,
        resulting_meld=shown,
        shown_index=shown_index,
        equal_cards_from_hand=equal_to_top - 1,  # one of them is the top card
        cards_from_hand=shown.cards.size - 1,
    )


def _find_uses_with_equal_cards(
    rules: Ruleset, question: PileQuestion, shown_index: int
) -> list[TopCardUse]:
    """Find the ways to lay cards of the hand with an equal top card, if such a group is on the table.

    With an eight on top, `8 8` of the hand (shown at `shown_index`) and the top card can join each
    group of eights that has room. If all groups are full, they make a new meld, `8 8 8`.
    """
    new_meld = _add_top_card_to_shown_cards(question, shown_index)
    uses: list[TopCardUse] = []
    for table_index, on_table in enumerate(question.table):
        use = _lay_on_meld(rules.settings, new_meld, on_table, table_index)
        has_room = rules.settings.may_grow(on_table.cards.size) or use.wilds_reclaimed > 0
        if has_room and _is_group_of_top_rank(on_table, question.top):
            uses.append(use)
    if not uses:  # all groups of that rank are full
        return [new_meld]
    return uses


def _lay_on_meld(
    settings: Settings, use: TopCardUse, on_table: Reading, index_on_table: int
) -> TopCardUse:
    """Return the use in which the same cards are laid on a meld (group) of the table.

    In some games that meld may then give its jokers and twos back to the hand.
    """
    laid_on = use.lay_on(on_table, index_on_table)
    natural_canasta = leave_reclaimed_wilds_out(settings, on_table, use.cards_laid)
    if natural_canasta is None:
        return laid_on
    return laid_on._replace(resulting_meld=natural_canasta)


def _add_top_card_to_shown_cards(question: PileQuestion, shown_index: int) -> TopCardUse:
    """Describe the new meld (group) of cards that a player shows, and the top card added to them.

    With an eight on top, `8 8` of the hand make `8 8 8`.
    """
    from_hand = question.laid[shown_index]
    with_top_card = gather_readings(question.top, from_hand)
    return TopCardUse(
        cards_laid=with_top_card,
        resulting_meld=with_top_card,
        shown_index=shown_index,
        equal_cards_from_hand=from_hand.cards.of(kind_of(question.top)),
        cards_from_hand=from_hand.cards.size,
    )


def _find_uses_of_top_card_alone(rules: Ruleset, question: PileQuestion) -> list[TopCardUse]:
    """Find the ways to lay the top card on a meld (group of cards) of the table, without others.

    With an eight on top, and `8 8 8` and `K K K` on the table → one use, which makes `8 8 8 8`.
    """
    top_card_alone = TopCardUse(cards_laid=question.top, resulting_meld=question.top)
    uses: list[TopCardUse] = []
    for table_index, on_table in enumerate(question.table):
        use = _lay_on_meld(rules.settings, top_card_alone, on_table, table_index)
        if is_legal_meld(rules, use.resulting_meld):
            uses.append(use)
    return uses


def melds_after(question: PileQuestion, use: TopCardUse) -> tuple[Reading, ...]:
    """List the melds (groups of cards) that result from laying those shown and the top card.

    With an eight on top and `8 8 8` on the table:

    - shown `8 8` and `K K K` → `6x8` and `K K K`, in the order in which they were shown
    - shown `K K K` alone → `K K K` and `4x8`, since the top card is laid on the eights by itself
    """
    if use.shown_index is None:  # the top card is laid without cards of the hand
        return (*question.laid, use.resulting_meld)
    return _replace_item_at(question.laid, use.shown_index, use.resulting_meld)


# -------------------------------------------------------------------------- what forbids to take it


def _explain_why_top_card_fits_nowhere(rules: Ruleset, question: PileQuestion) -> Reason:
    """Explain why no meld (group of cards) can hold the top card of the pile.

    - the side's groups of that rank are full → how many cards they have
    - the card may fit a sequence, but suits were not typed → the player is asked for them
    - otherwise → it fits no meld
    """
    top = kind_of(question.top)
    sizes = _list_sizes_of_equal_groups(question)
    has_room = any(rules.settings.may_grow(size) for size in sizes)
    if sizes and not has_room:
        # On the page: "The top card is a king, and the side's meld of that rank takes no more: it
        # has 7 cards."
        return reason("pile-meld-full", cited_settings="meld-longest", card=top, cards=max(sizes))

    # On the page: "The top card must be used at once: here it is a king, and it goes into no meld."
    plays_with_sequences = rules.settings.sequences != "none"
    if plays_with_sequences and _may_fit_sequence_with_suits(question):
        return reason("pile-top-unused", cited_settings="pile", wording="suits", card=top)
    return reason("pile-top-unused", cited_settings="pile", card=top)


def _list_sizes_of_equal_groups(question: PileQuestion) -> list[int]:
    """List how many cards the groups on the table have that are of the top card's rank.

    With a king on top, and `3xK`, `7xK` and `4x9` on the table: `[3, 7]`. Empty if there is none.
    """
    sizes: list[int] = []
    for meld in question.table:
        if _is_group_of_top_rank(meld, question.top):
            sizes.append(meld.cards.size)
    return sizes


def _may_fit_sequence_with_suits(question: PileQuestion) -> bool:
    """Tell whether the top card may fit a sequence of the table, once the player adds the suits.

    A sequence is a run of one suit, such as 9 8 7 of hearts. But players may type `9` for the top
    card, or `5h 6 7h` for a sequence: then the suits missing there decide.
    """
    sequences = [meld.cards for meld in question.table if _has_several_ranks(meld.cards)]
    if not sequences:
        return False
    if _lacks_suits(question.top.cards):
        return True
    return any(_lacks_suits(sequence) for sequence in sequences)


def _has_several_ranks(meld: Cards) -> bool:
    """Tell whether a meld has cards of several ranks, as only sequences have.

    `5h 6h 7h` → True; `5 5 2` → False, since a two is a wild card and stands for a five.
    """
    return len(meld.ranks) > 1


def _lacks_suits(cards: Cards) -> bool:
    """Tell whether some cards were typed without suits: `5h 6 7h` → True, `5h 6h 7h` → False.

    Jokers and twos need none.
    """
    number_with_suit = sum(suited.number for suited in cards.suited)
    number_that_needs_suit = cards.naturals
    return number_with_suit < number_that_needs_suit


def against_use(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> tuple[Reason, ...]:
    """List all reasons that forbid taking the pile by using its top card in this way.

    Examples are an illegal meld (group of cards), too few cards from the hand, or first melds that
    do not reach the points needed. An empty result means that the player may take the pile so.
    """
    return (
        *_check_resulting_melds(rules, question, use),
        *_check_way_of_taking(rules, question, use),
        *_check_top_card_in_opening(rules.settings, question, use),
        *_check_opening_minimum(rules, question, use),
    )


def _check_resulting_melds(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """Yield what is wrong with the melds (groups of cards) that lie on the table after this turn.

    First each meld is judged as it lies there, then which cards were added to it.
    """
    melds = melds_after(question, use)
    yield from _check_legality_of_melds(rules, (*melds, *_list_untouched_melds(question, use)))

    yield from _check_wilds_on_joined_meld(rules, question, use)
    yield from _check_wilds_beside_wild_meld(rules.settings, question, use)
    if use.joined_meld is not None:
        yield from check_meld_on_table(rules, use.joined_meld)
    yield from _check_melds_beside_dead_ranks(rules.settings, question)
    yield from _check_repeated_ranks(rules.settings, question, use)
    if question.opened:
        yield from _check_wilds_after_opening(rules.settings, question, use)
    # In some games two melds of one rank may not be laid in the same turn.
    yield from against_incomplete_beside_canasta(rules, melds)


def _check_melds_beside_dead_ranks(settings: Settings, question: PileQuestion) -> Reasons:
    """Yield a reason for each meld shown (group of cards) that is of a dead rank.

    In some games a rank is dead once a side has a canasta (seven cards) of it.
    """
    for shown in question.laid:
        meld = read_meld(shown.cards)
        yield from against_dead_rank(
            settings, meld, other_melds=question.table, opponents=question.opponents
        )


def _check_repeated_ranks(settings: Settings, question: PileQuestion, use: TopCardUse) -> Reasons:
    """Yield a reason for each meld shown, beside that with the top card, of a rank already there."""
    new_melds = list(question.laid)
    if use.shown_index is not None:
        del new_melds[use.shown_index]
    melds_on_table = (*_list_untouched_melds(question, use), use.resulting_meld)
    yield from against_repeated_ranks(settings, new_melds, melds_on_table)


def _check_wilds_after_opening(
    settings: Settings, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """Yield a reason for each meld that takes jokers or twos too early, for a side that has opened.

    In some games such wild cards join only five natural cards or more then, and no new aces.
    """
    for index, shown in enumerate(question.laid):
        holds_top_card = index == use.shown_index
        resulting = read_meld((use.resulting_meld if holds_top_card else shown).cards)
        wilds_laid = shown.cards.wilds
        if has_too_few_naturals_for_wilds(settings, resulting, wilds_laid):
            yield explain_early_wilds(settings, resulting, wilds_laid)
        elif (
            wilds_laid > 0
            and not holds_top_card
            and takes_wilds_only_in_opening(settings, resulting)
        ):
            # On the page: "With aces, wild cards may be laid only when opening (here: 1)."
            yield reason(
                "wilds-only-in-opening",
                cited_settings="natural-after-opening",
                rank=KINDS[resulting.ranks[0]],
                wilds=wilds_laid,
            )


def _list_untouched_melds(question: PileQuestion, use: TopCardUse) -> list[Reading]:
    """List the melds (groups of cards) of the table that the top card is not laid on."""
    return [meld for index, meld in enumerate(question.table) if index != use.joined_index]


def _check_way_of_taking(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """Yield what is missing for taking the pile by using its top card in this way.

    In some games it is enough to lay the top card on a meld (group of cards) of the table.
    Otherwise the hand must add cards to it.
    """
    if _is_lay_off_enough(rules, question, use):
        return _check_that_lay_off_takes_whole_pile(rules, question, use)
    return _check_cards_from_hand(rules, question, use)


def _check_opening_minimum(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> tuple[Reason, ...]:
    """Return a reason if the first melds that the side lays in the round have too few points.

    They are the melds (groups of cards) that the player shows, with the top card of the pile.
    """
    return _check_minimum_of_melds(rules, question, _list_melds_of_opening(rules, question, use))


def _check_minimum_of_melds(
    rules: Ruleset, question: PileQuestion, first_melds: tuple[Reading, ...]
) -> tuple[Reason, ...]:
    """Return a reason if these melds, laid with the pile, have too few points as the side's first."""
    minimum = _find_minimum_to_reach(rules.settings, question)
    if minimum is None:  # these melds may have any number of points
        return ()
    table = _build_table_of_opening(rules, question, first_melds)
    # On the page: "It takes 50 points to open, and you laid 30: 20 short."
    return run_checks(table, {"opening-below-minimum"})


def _check_top_card_in_opening(
    settings: Settings, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """Yield a reason if jokers or twos are laid with a top card that must stay without them.

    In some games aces take wild cards only in the opening (the first melds of a side). If that is
    from the hand alone, an ace on top of the pile makes a natural meld even then.
    """
    is_laid_with_opening = not question.opened and settings.opening_pile != "hand-only"
    if is_laid_with_opening or use.shown_index is None:
        return
    has_wilds_since_opening = use.joined_meld is not None and use.joined_meld.cards.wilds > 0
    if has_wilds_since_opening:
        return
    yield from against_wilds_with_top_card(settings, kind_of(question.top), use.cards_laid)


def against_wilds_with_top_card(settings: Settings, top: Kind, meld: Reading) -> Reasons:
    """Yield a reason if a meld that holds this top card of the pile has jokers or twos too early.

    It is about ranks that take wild cards only in the opening, such as aces in some games.
    """
    if meld.cards.wilds > 0 and top in settings.natural_after_opening:
        # On the page: "Melded with an ace of the pile, the meld of aces stays natural: wild cards
        # (here 1) are not laid in it."
        yield reason(
            "natural-with-top-card",
            cited_settings="natural-after-opening",
            rank=top,
            wilds=meld.cards.wilds,
        )


def _check_that_lay_off_takes_whole_pile(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """Yield a reason if a player who lays the top card on a meld of the table gets only that card.

    In some games the rest of the pile stays there. But a player who also lays enough cards of the
    hand that equal the top card gets the whole pile in any game.
    """
    settings = rules.settings
    if settings.pile_layoff == "whole-pile":
        return
    if use.equal_cards_from_hand >= settings.pile_naturals:
        return
    # On the page: "Laying a king off on a meld takes that card alone, not the pile."
    yield reason("pile-top-card-only", cited_settings="pile-layoff", card=kind_of(question.top))


def _check_wilds_on_joined_meld(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """Yield a reason if the hand adds jokers or twos to a group that may not take them.

    In some games a canasta, a group of seven cards or more, takes no more of these wild cards: then
    `K 2` of the hand may not join seven kings on the table.
    """
    if use.joined_meld is None:  # the cards are laid as a new group
        return
    if use.shown_index is None:  # no cards of the hand are laid
        return
    group_on_table = read_meld(use.joined_meld.cards)
    wilds_of_hand = question.laid[use.shown_index].cards.wilds
    yield from against_wilds_on_canasta(rules, group_on_table, wilds_of_hand)


def _check_wilds_beside_wild_meld(
    settings: Settings, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """Yield a reason if the side must complete its meld of jokers and twos alone before this turn.

    In some games a side that has begun such a meld (group of cards) must first bring it to seven
    cards: with `JK 2 2` on the table, `8 8 2` may not be laid.
    """
    if count_blocking_wild_melds(settings, question.table) == 0:
        return
    wilds_laid = _count_wilds_beside_naturals(question.laid)
    if wilds_laid > 0:
        yield explain_that_wilds_are_blocked(wilds_laid)
    else:
        resulting_meld = read_meld(use.resulting_meld.cards)
        yield from check_completed_mixed_canasta(settings, resulting_meld, use.joined_meld)


def _count_wilds_beside_naturals(shown_melds: tuple[Reading, ...]) -> int:
    """Count the wild cards (jokers and twos) that a player lays in melds with other cards.

    `8 8 2` and `K K 2` → 2; `JK 2 2` → 0, since it is of wild cards alone.
    """
    return sum(meld.cards.wilds for meld in shown_melds if meld.cards.naturals > 0)


def _is_lay_off_enough(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> bool:
    """Tell whether a use of the top card takes the pile without cards of the hand.

    In some games it is enough to lay the top card off: to add it to a meld (group) of the table. A
    frozen pile, which is harder to take, is never taken in this way.
    """
    settings = rules.settings
    meld_on_table = use.joined_meld
    if meld_on_table is None:  # the top card is laid in a new meld
        return False
    if is_frozen(settings, is_marked=question.frozen):
        return False

    if settings.pile_top_laid_off == "never":
        return False
    if settings.pile_top_laid_off == "not-frozen":
        return True
    # "incomplete": only a side that has laid melds before, on a meld of fewer than seven cards.
    is_incomplete = meld_on_table.cards.size < settings.canasta_length
    return question.opened and is_incomplete


def _check_cards_from_hand(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """Yield what is missing for taking the pile with cards of the hand.

    With a king on top and one king of the hand laid with it:

    - in a game that asks for two kings of the hand → one is missing
    - in a game in which one king is enough → a third card is missing, to make a meld (group)
    """
    number_needed = _find_naturals_needed(rules, question).number
    if use.equal_cards_from_hand < number_needed:
        return _explain_lack_of_equal_cards(rules, question, use)
    return _check_length_of_meld(rules, question, use)


def _check_length_of_meld(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reasons:
    """Yield a reason if the top card and the cards of the hand are too few for a meld (group)."""
    size_with_top_card = use.cards_from_hand + 1
    if size_with_top_card < rules.settings.meld_shortest:
        # On the page: "The top card is a king: with the cards from the hand (1) it makes no meld."
        yield reason(
            "pile-two-cards",
            cited_settings="meld-shortest",
            card=kind_of(question.top),
            has=use.cards_from_hand,
        )


def _explain_lack_of_equal_cards(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> Reasons:
    """Explain that the hand adds too few cards of the top card's rank to take the pile.

    A player may have hoped that laying the top card on a meld (group) of the table is enough. Then
    a first reason says why it is not.
    """
    is_added_to_meld_of_table = use.joined_meld is not None
    frozen = is_frozen(rules.settings, is_marked=question.frozen)
    # If the pile is frozen, that alone is why it is not enough, and the second reason says it.
    if is_added_to_meld_of_table and not frozen:
        yield _explain_why_lay_off_is_not_enough(rules, question)
    yield too_few_naturals(rules, question, use.equal_cards_from_hand)


def _explain_why_lay_off_is_not_enough(rules: Ruleset, question: PileQuestion) -> Reason:
    """Explain why laying the top card on a meld (group) of the table does not take the pile.

    The caller knows that it does not, and that the pile is not frozen.
    """
    top = kind_of(question.top)
    setting = "pile-top-laid-off"
    if rules.settings.pile_top_laid_off == "never":
        # On the page: "Laying a king off on a meld does not take the pile here."
        return reason("pile-never-laid-off", cited_settings=setting, card=top)
    if not question.opened:
        # On the page: "Laying a king off on a meld takes the pile only if the side had opened in an
        # earlier turn."
        return reason("pile-lay-off-unopened", cited_settings=setting, card=top)
    # On the page: "The top card is a king, and would go to a meld already complete: that does not
    # take the pile."
    return reason("pile-on-complete", cited_settings=setting, card=top)


def too_few_naturals(rules: Ruleset, question: PileQuestion, has: int) -> Reason:
    """Explain that the hand adds too few cards of the top card's rank to take the pile.

    `has` is the number of such cards that it adds.
    """
    needed = _find_naturals_needed(rules, question)
    # On the page: "The pile is frozen. You need two kings from your hand, melded at once: one
    # here."
    return reason(
        "pile-naturals",
        cited_settings=needed.setting,
        wording=needed.wording,  # `frozen`, or `free` for a pile that is not
        card=kind_of(question.top),
        needed=needed.number,
        has=has,
    )


def _find_naturals_needed(rules: Ruleset, question: PileQuestion) -> _NaturalsNeeded:
    """Find how many cards of the top card's rank the hand must add to it to take this pile.

    Naturals are cards other than jokers and twos. A frozen pile may need more of them.
    """
    frozen = is_frozen(rules.settings, is_marked=question.frozen)
    number = count_naturals_needed(rules.settings, frozen=frozen)
    if frozen:
        return _NaturalsNeeded(number, setting="pile-naturals-frozen", wording="frozen")
    return _NaturalsNeeded(number, setting="pile-naturals", wording="free")


# -------------------------------------------------------------------------------------- the opening


def _find_minimum_to_reach(settings: Settings, question: PileQuestion) -> int | None:
    """Find how many points the melds laid with the pile must have, if they are the side's first ones.

    At the start of a match this is often 50. None if the side need not reach a minimum here:
    because it laid its first melds earlier, or because it cannot take the pile before that.
    """
    if question.opened:
        return None
    if settings.opening_pile == "never":  # another reason forbids taking the pile
        return None
    return settings.opening_minimum(question.score, question.deal)


def _list_melds_of_opening(
    rules: Ruleset, question: PileQuestion, use: TopCardUse
) -> tuple[Reading, ...]:
    """List the melds (groups of cards) laid in this turn, without cards that lay there before.

    If they are the side's first ones of the round, their points count. With an eight on top of the
    pile, and `8 8` of the hand laid with it on `8 8 8` → `8 8 8`, those laid now. In a game in which
    a side opens from the hand alone, those without the top card.
    """
    if use.shown_index is None:  # a top card laid on a meld of the table by itself does not count
        return question.laid
    melds_laid_now = _replace_item_at(question.laid, use.shown_index, use.cards_laid)
    if rules.settings.opening_pile == "hand-only":
        return leave_top_card_out(rules, melds_laid_now, use.shown_index, question.top)
    return melds_laid_now


def _replace_item_at(
    melds: tuple[Reading, ...], index: int, replacement: Reading
) -> tuple[Reading, ...]:
    return (*melds[:index], replacement, *melds[index + 1 :])


def _build_table_of_opening(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> Table:
    """Build the table on which a side lays these first melds of the round, to count their points."""
    first_melds = SideEntry(opening=melds)
    return build_table_of_asker(rules, first_melds, score=question.score, deal=question.deal)


def _count_opening_points(
    rules: Ruleset, question: PileQuestion, melds: tuple[Reading, ...]
) -> _OpeningWithPile | None:
    """Count the points of the first melds (groups of cards) that a side lays in a round.

    In most games they must reach a minimum. Three kings where 50 points are needed:
    `_OpeningWithPile(minimum=50, counted=30)`. None if the side has to reach no minimum, for example
    because it laid its first melds in an earlier turn.
    """
    minimum = _find_minimum_to_reach(rules.settings, question)
    if minimum is None:
        return None

    table = _build_table_of_opening(rules, question, melds)
    side = table.sides[ASKER]
    counted = count_opening(table, side, minimum)
    missing = max(0, minimum - counted.points)
    if counted.refusal is None:
        missing = 0  # a canasta may open with fewer points
    return _OpeningWithPile(minimum=minimum, counted=counted.points, missing=missing)


def _describe_opening(opening: _OpeningWithPile | None) -> Details:
    """Describe the points of a side's first melds in a round as details of the answer.

    30 points where 50 are needed → `{"minimum": 50, "counted": 30, "missing": 20}`. There are no
    details for a side that has to reach no minimum.
    """
    if opening is None:
        return {}
    return {
        "minimum": opening.minimum,
        "counted": opening.counted,
        "missing": opening.missing,
    }


def _describe_talon_of_taker(rules: Ruleset, question: PileQuestion) -> Details:
    """Describe the talon of a player who takes the pile, if the side opens with it."""
    if question.opened:
        return {}
    return describe_talon(rules.settings, takes_pile=True)


def describe_talon(settings: Settings, *, takes_pile: bool) -> Details:
    """Describe where the cards come from that a player gets after opening: `{"talon": "stock"}`.

    In most games, and in some for a player who takes the pile, there are none, and no detail.
    """
    if not settings.talon or (takes_pile and settings.talon_with_pile == "none"):
        return {}
    return {"talon": settings.talon_from}


# ----------------------------------------------------------------------------------- in favour of it

_A_PAIR = 2
"""Natural cards of the hand needed to make a meld with the top card."""


def _explain_permission(
    rules: Ruleset,
    question: PileQuestion,
    use: TopCardUse,
    *,
    opening: _OpeningWithPile | None,
) -> Reasons:
    """Explain why a player may take the pile by using its top card in this way.

    `opening`: the points of the first melds (groups of cards) that the side lays in the round; None
    if these need no minimum of points.
    """
    yield _explain_way_of_taking(rules, question, use)
    if opening is not None:
        yield _explain_points_reached(rules, question, opening)
        if rules.settings.opening_pile == "hand-only":
            yield explain_opening_from_hand()
    if use.wilds_reclaimed > 0:
        yield explain_reclaimed_wilds(use.wilds_reclaimed)
    yield from _explain_consequences_of_taking(rules.settings, opened=question.opened)
    yield from _list_conditions_on_opponents(rules.settings, question)


def _list_conditions_on_opponents(settings: Settings, question: PileQuestion) -> Reasons:
    """Yield the condition that the top card is not dead, if the other side's melds are not known.

    In some games a card is dead if a side has a canasta (a meld of seven cards) of its rank.
    """
    top = kind_of(question.top)
    if may_be_dead(settings, top, own_melds=question.table, opponents=question.opponents):
        # On the page: "Only if the opponents have no canasta of kings: then a king is a dead card."
        yield reason("pile-hangs-on-dead", cited_settings="dead-ranks/pile", card=top)


def _explain_points_reached(
    rules: Ruleset, question: PileQuestion, opening: _OpeningWithPile
) -> Reason:
    """Explain that the points of a side's first melds in the round are enough.

    The reason cites the setting that gives the minimum of points, which depends on the match score.
    """
    table = _build_table_of_opening(rules, question, question.laid)
    if opening.counted < opening.minimum:
        # On the page: "A natural canasta, or one of wild cards alone, opens without the minimum."
        return reason("opening-by-canasta", cited_settings="opening-canasta")
    # On the page: "These melds open: it takes 50 points, and these make 60."
    return make_reason_with_minimum(
        table,
        "pile-opening-reached",
        opening.minimum,
        cited_settings="opening-pile",
        counted=opening.counted,
    )


def _explain_consequences_of_taking(settings: Settings, *, opened: bool) -> Reasons:
    """Yield what else happens to a player who takes the pile; in most games nothing."""
    if settings.partnership == "single-taker":
        # On the page: "Whoever takes the pile first plays alone for the rest of the hand."
        yield reason("pile-taker-alone", cited_settings="partnership")
    if settings.pile_drawn > 0:
        # On the page: "Whoever takes the pile also draws 1 card from the stock."
        yield reason("pile-draws-too", cited_settings="pile-drawn", cards=settings.pile_drawn)
    if not opened:
        yield from explain_talon(settings, takes_pile=True)
    yield from _explain_cards_taken(settings)
    if settings.empty_pile_bars and settings.pile_taken_most is None:
        # On the page: "The pile is empty then: whoever takes it must keep a card that may be
        # discarded onto it."
        yield reason("pile-discard-must-remain", cited_settings="pile/discard")


def explain_talon(settings: Settings, *, takes_pile: bool) -> Reasons:
    """Say how many cards a player gets after opening and discarding, in a game with a talon."""
    if not settings.talon:
        return
    if not describe_talon(settings, takes_pile=takes_pile):
        # On the page: "Whoever opens while taking the pile draws no talon."
        yield reason("opening-without-talon", cited_settings="talon/pile")
        return

    is_set_aside = settings.talon_from == "set-aside"
    cited_settings: list[str] = []
    if is_set_aside:
        cited_settings.append("talon-from")
    if takes_pile:
        cited_settings.append("talon-with-pile")
    first_side, second_side = settings.talon
    # On the page: "After the discard the talon is drawn: 4 cards for the first side that opens, 3
    # for the second. They are used from the next turn", or (`set-aside`) "The talon set aside …"
    yield reason(
        "opening-talon",
        cited_settings=cited_settings or "talon",
        wording="set-aside" if is_set_aside else None,
        first=first_side,
        second=second_side,
    )
    if settings.turn_card > 0 and not is_set_aside:
        # On the page: "No talon once the turn card has been drawn."
        yield reason("talon-until-turn-card", cited_settings="talon/turn-card")


def _explain_cards_taken(settings: Settings) -> Reasons:
    """Explain how many cards of the pile are taken at most, where that is not the whole pile."""
    most = settings.pile_taken_most
    if most is not None:
        # On the page: "At most 7 cards of the pile are taken: the top card and up to 6 below it;
        # the rest stays."
        yield reason("pile-taken-most", cited_settings="pile-taken-most", most=most, below=most - 1)


def _explain_way_of_taking(rules: Ruleset, question: PileQuestion, use: TopCardUse) -> Reason:
    """Explain in which of three ways a player takes the pile.

    With a king on top, it is with two kings of the hand, by laying it on a meld (group of cards) of
    the table, or with one king of the hand and a joker or a two.
    """
    # Two equal cards take the pile in every game. So they are named, even if fewer would do.
    if use.equal_cards_from_hand >= _A_PAIR:
        return _explain_taking_with_naturals(rules, question, use.equal_cards_from_hand)
    if _is_lay_off_enough(rules, question, use) or use.cards_from_hand == 0:
        return _explain_taking_by_lay_off(kind_of(question.top))
    return _explain_taking_with_wilds(rules, question)


def _explain_taking_by_lay_off(top: Kind) -> Reason:
    """Explain that the pile is taken by laying its top card on a meld (group) of the table."""
    # On the page: "The top card is a king, and is laid off on one of your side's melds."
    return reason("pile-laid-off", cited_settings="pile-top-laid-off", card=top)


def _explain_taking_with_naturals(rules: Ruleset, question: PileQuestion, naturals: int) -> Reason:
    """Explain that the pile is taken with so many cards of the hand that equal its top card."""
    needed = _find_naturals_needed(rules, question)
    # On the page: "The top card is a king, and is melded at once with two kings from the hand."
    return reason(
        "pile-with-naturals",
        cited_settings=needed.setting,
        wording=needed.wording,  # `frozen`, or `free` for a pile that is not
        card=kind_of(question.top),
        naturals=naturals,
    )


def _explain_taking_with_wilds(rules: Ruleset, question: PileQuestion) -> Reason:
    """Explain that the pile is taken with one card that equals its top card, and jokers or twos."""
    needed = _find_naturals_needed(rules, question)
    # On the page: "The top card is a king, and is melded at once with a card like it and wild
    # cards."
    return reason(
        "pile-with-wild",
        cited_settings=needed.setting,
        wording=needed.wording,  # `frozen`, or `free` for a pile that is not
        card=kind_of(question.top),
    )
