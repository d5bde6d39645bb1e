"""Rulings on discards: whether a card may be discarded, and its effect on the pile."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from scorepad.referee.in_force import (
    count_naturals_needed,
    find_rule_for_special_top,
    is_dead,
    may_be_dead,
)
from scorepad.referee.questions import DiscardQuestion
from scorepad.referee.reasons import find_known_mistakes, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, Verdict, allowed, forbidden
from scorepad.referee.situation import (
    ASKER,
    build_table_with_melds,
    count_incomplete_wild_melds,
    is_legal_meld,
    kind_of,
    report_impossible_cards,
    report_unreadable_cards,
    run_checks,
)
from scorepad.rules.cards import Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.settings import DEAD_CARDS, Settings, Shape

_LAST_DISCARD_CHECKS = frozenset(
    {"out-discard-special", "out-wild-meld-incomplete", "out-meld-incomplete"}
)
"""The checks of going out that concern a last discard beside the side's melds."""

_REASONS_THAT_MAY_LEAVE_NO_DISCARD = frozenset({"discard-onto-empty-pile", "discard-wild-kept"})
"""The reasons against a discard that may concern every card of a hand."""

_EQUAL_CARDS: Shape = "group"
"""The shape of a meld of cards of one rank, such as three kings or two kings and a joker."""
_WILD_CARDS_ALONE: Shape = "wilds"
"""The shape of a meld of jokers and twos only."""


class DiscardEffect(StrEnum):
    """What a card on top of the pile does."""

    NONE = "none"
    STOP = "stop"
    """The next player may not take the pile."""
    FREEZE = "freeze"
    """It freezes the pile for everybody: only natural cards of the hand take it."""


class _FittingWording(StrEnum):
    """How the condition that a card fits no meld of the side is worded."""

    NATURAL = "natural"
    WILD = "wild"
    """The card is a joker or a two."""
    LAST = "last"
    """The card is the player's last one."""
    COMPLETED = "completed"
    """The card fits a canasta, and it depends on whether that was completed in this turn."""


def rule_discard(rules: Ruleset, question: DiscardQuestion) -> Ruling:
    """Answer whether a player may discard a card, and what it does on top of the discard pile.

    The details of the answer name its effect. A joker of the classic game freezes the pile, which
    makes it harder to take: `{"effect": "freeze"}`.
    """
    melds_on_table = question.table or ()  # without the key, nothing is known of them
    cards = (question.card, *melds_on_table, *(question.opponents or ()))
    wrong_cards = report_unreadable_cards(rules, *cards)
    if not wrong_cards:
        wrong_cards = report_impossible_cards(rules, *cards)
    if wrong_cards:
        return forbidden(wrong_cards)

    plays_from_hand = rules.settings.hands_each > 1 and question.foot is not True
    if question.last and plays_from_hand:
        return _rule_last_card_before_foot(rules, question)

    kind = kind_of(question.card)
    against = tuple(_explain_why_forbidden(rules, question, kind))
    if against:
        comments = tuple(_comment_on_hand_without_discard(against))
        return forbidden((*against, *comments))
    return _answer_for_allowed_discard(rules, question, kind)


def _rule_last_card_before_foot(rules: Ruleset, question: DiscardQuestion) -> Ruling:
    """Answer for the last card of a hand after which the player has another one, called the foot.

    The hand (round) does not end with it. Whether the player plays from the foot already may not be
    known: then the answer says what it hangs on.
    """
    ruling = rule_discard(rules, replace(question, last=False))
    if ruling.verdict is Verdict.FORBIDDEN:
        return ruling
    as_last_of_foot = rule_discard(rules, replace(question, foot=True))
    if question.foot is False:
        # On the page: "It is the last card of the hand: the foot is taken up, and played from the
        # next turn."
        code = "discard-takes-foot"
    elif as_last_of_foot.verdict is Verdict.FORBIDDEN:
        # On the page: "Only as the last card of the hand: the last card of the foot it may not be."
        code = "discard-hangs-on-foot"
    else:
        # On the page: "If it is the last card of the hand, the foot is taken up; if it is the last
        # of the foot, discarding it means going out, …"
        code = "discard-last-of-hand-or-foot"
    why = reason(code, cited_settings="hands-each")
    return replace(ruling, reasons=(why, *ruling.reasons))


def _answer_for_allowed_discard(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Ruling:
    """Answer what a card that no rule forbids to discard does on top of the discard pile.

    The details name the effect: `{"effect": "freeze"}`. The reasons explain it, and say what else
    the player must observe.
    """
    settings = rules.settings
    effect = discard_effect(settings, kind)
    details: Details = {"effect": effect.value}
    comments = (
        *_list_conditions(settings, question, kind),
        *_explain_number_that_takes_pile(settings, kind),
    )
    if question.last:
        # The hand (round) ends with this card. Nobody meets its effect, which is not explained.
        return allowed(comments, details)

    return allowed((*_explain_effect(rules, kind, effect), *comments), details)


def _explain_number_that_takes_pile(settings: Settings, kind: Kind) -> Reasons:
    """Say how many equal cards take the pile once this joker, two or three lies on top of it.

    Nothing is yielded for other cards, and in games in which such a pile is not taken so.
    """
    rule_of_top_card = find_rule_for_special_top(settings, kind)
    if rule_of_top_card is not None:
        # On the page: "With a two on top the pile is taken only with four twos from the hand."
        yield reason(
            "discard-top-takes-more",
            cited_settings=f"pile-tops/{kind}",
            card=kind,
            more=rule_of_top_card.more,
        )


# --------------------------------------------------------------------------------------- the effect


def discard_effect(settings: Settings, kind: Kind) -> DiscardEffect:
    """Return what a card of this kind does on top of the discard pile.

    In the classic game a king does nothing, a black three stops the next player, who may not take
    the pile, and a joker freezes the pile, which makes it harder to take.
    """
    if kind.is_natural:
        is_stop_card = kind in settings.stop_ranks  # in one game a seven is, like a black three
        return DiscardEffect.STOP if is_stop_card else DiscardEffect.NONE

    # A joker, a two or a three.
    if _freezes_pile(settings, kind):
        return DiscardEffect.FREEZE
    if _is_taken_with_equal_cards(settings, kind):
        return DiscardEffect.NONE
    return DiscardEffect.STOP


def _is_taken_with_equal_cards(settings: Settings, kind: Kind) -> bool:
    """Tell whether a pile with this joker, two or three on top is taken with a few equal cards."""
    return find_rule_for_special_top(settings, kind) is not None


def _freezes_pile(settings: Settings, kind: Kind) -> bool:
    """Tell whether a card freezes the pile when it is discarded; a frozen pile is harder to take.

    In the classic game: a joker or a two → True, a three → False.
    """
    if kind is Kind.BLACK_THREE:
        return settings.black_three_discarded == "freezes"
    return kind.is_wild and settings.freezing == "discarded-wild"


def _explain_effect(rules: Ruleset, kind: Kind, effect: DiscardEffect) -> Reasons:
    """Explain the effect that a discarded card of this kind has on the discard pile.

    A joker: “Discarding a joker freezes the pile for everybody, until somebody takes it.”
    """
    settings = rules.settings
    # How many equal cards take the pile is said of its own. Then there is nothing to add.
    if effect is DiscardEffect.FREEZE or not _is_taken_with_equal_cards(settings, kind):
        yield from _name_effect(settings, kind, effect)

    black_threes_freeze = settings.black_three_discarded == "freezes"
    if black_threes_freeze and kind is Kind.BLACK_THREE:
        # On the page: "Note: the Encyclopedia alone has a black three freeze the pile."
        yield from find_known_mistakes(rules, "fault-black-three-freezes")


def _name_effect(settings: Settings, kind: Kind, effect: DiscardEffect) -> Reasons:
    """Name the effect of a card on top of the pile and, if it freezes the pile, what takes it then.

    The sentence of each effect, for a king, a black three and a joker:

    - `NONE`: “Discarding a king changes nothing: the pile stays as it is.”
    - `STOP`: “Discarding a black three stops the next player, who may not take the pile …”
    - `FREEZE`: “Discarding a joker freezes the pile for everybody, until somebody takes it.”
    """
    yield reason(f"discard-{effect.value}", cited_settings=_find_setting_of_effect(kind), card=kind)
    if effect is DiscardEffect.FREEZE:
        yield _explain_what_takes_frozen_pile(settings)


def _find_setting_of_effect(kind: Kind) -> str:
    """Return the name of the setting that decides what a card does on top of the discard pile."""
    if kind.is_wild:
        return "freezing"
    if kind is Kind.BLACK_THREE:
        return "black-three-discarded"
    if kind is Kind.RED_THREE:
        return "red-threes-kept"
    return "stop-ranks"


def _explain_what_takes_frozen_pile(settings: Settings) -> Reason:
    """Explain how many cards, equal to its top card, a player needs to take a frozen pile."""
    naturals = count_naturals_needed(settings, frozen=True)
    # On the page:
    # - one: "A frozen pile is taken with one natural card of the top card's rank and another or a
    #   wild card, from the hand, melded at once."
    # - several: "A frozen pile is taken only with two natural cards of the top card's rank, …"
    wording = "one" if naturals == 1 else "several"
    return reason(
        "discard-frozen-needs",
        cited_settings="pile-naturals-frozen",
        wording=wording,
        naturals=naturals,
    )


# ---------------------------------------------------------------------------------- what forbids it


def _explain_why_forbidden(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Reasons:
    """Explain why a card of this kind may not be discarded; nothing is yielded if it may.

    Several rules may forbid it. Each gives one reason.
    """
    settings = rules.settings
    melds_on_table = question.table or ()
    if question.last:
        yield from _check_last_discard(rules, question.card, melds_on_table)
        if (
            not melds_on_table
        ):  # no incomplete meld is found there, but the question may tell of one
            yield from _explain_stated_wild_meld(settings, question)

    yield from _explain_why_three_stays(settings, kind, is_first_round=question.first_round)

    if kind.is_wild and _must_keep_wilds(settings, question):
        # On the page: "A two is discarded only as the last card, or by a player who holds nothing
        # but wild cards."
        yield reason("discard-wild-kept", cited_settings="wild-discard", card=kind)
    if question.pile_empty:
        yield from _explain_why_pile_does_not_begin_with(settings, question, kind)

    if kind.is_wild and _may_not_discard_wilds(settings, question):
        # On the page: "As long as the meld of only wild cards is no canasta, the side discards no
        # wild card: …"
        yield reason("discard-wilds-blocked", cited_settings="wilds-blocked", card=kind)

    must_not_fit = settings.discard_fitting == "forbidden"
    if must_not_fit and _fits_incomplete_meld(rules, question.card, melds_on_table):
        # On the page: "A king is not discarded: it fits an incomplete meld of your own."
        yield reason("discard-fits", cited_settings="discard-fitting", card=kind)


def _must_keep_wilds(settings: Settings, question: DiscardQuestion) -> bool:
    """Tell whether the player may not discard a wild card, that is, a joker or a two.

    In some games it is discarded only as the last card, or by a player who holds wild cards alone.
    """
    if settings.wild_discard == "any":
        return False
    return not question.last and not question.only_wilds


def _explain_why_pile_does_not_begin_with(
    settings: Settings, question: DiscardQuestion, kind: Kind
) -> Reasons:
    """Explain why a card may not be discarded onto an empty pile; nothing is yielded if it may.

    In some games aces and sevens may not, nor the cards of a rank that is dead: of which a side has
    a canasta, a meld (group) of seven cards. The last card of a hand may be any of them.
    """
    if question.last:
        return
    if kind in settings.empty_pile_bars:
        # On the page: "A seven is not discarded onto an empty pile."
        yield reason("discard-onto-empty-pile", cited_settings="empty-pile-bars", card=kind)
    elif _is_dead_card_barred(settings) and _is_dead_on_table(settings, question, kind):
        # On the page: "A king is dead, since one side has the canasta of its rank: it is not
        # discarded onto an empty pile."
        yield reason(
            "discard-onto-empty-pile",
            cited_settings=("empty-pile-bars", "dead-ranks"),
            wording="dead",
            card=kind,
        )


def _is_dead_card_barred(settings: Settings) -> bool:
    """Tell whether this game forbids to discard a dead card onto an empty pile."""
    return DEAD_CARDS in settings.empty_pile_bars


def _is_dead_on_table(settings: Settings, question: DiscardQuestion, kind: Kind) -> bool:
    """Tell whether a side is known to have a canasta of the card's rank, so that the card is dead."""
    return is_dead(settings, kind, own_melds=question.table, opponents=question.opponents)


def _comment_on_hand_without_discard(reasons_against: tuple[Reason, ...]) -> Reasons:
    """Comment what a player does who has no other card to discard.

    `reasons_against` are those that forbid this card. The comment is yielded only if one of them is
    about the pile, or about wild cards that stay in the hand.
    """
    codes = {each.code for each in reasons_against}
    if codes & _REASONS_THAT_MAY_LEAVE_NO_DISCARD:
        # On the page: "Whoever has nothing else to discard takes melded cards back, says the
        # Canasta League; pagat.com allows an ace or a seven if they are the only natural cards."
        yield reason("discard-nothing-else", cited_settings="empty-pile-bars")


def _may_not_discard_wilds(settings: Settings, question: DiscardQuestion) -> bool:
    """Tell whether a side may not discard wild cards, that is, jokers and twos.

    In some games it may not while it has an incomplete meld (group) of wild cards only, such as
    three jokers.
    """
    if settings.wilds_blocked == "nothing":  # this game has no such rule
        return False
    if question.wild_meld_incomplete:  # the question says so, without giving the melds
        return True
    melds_on_table = question.table or ()
    return count_incomplete_wild_melds(settings, melds_on_table) > 0


def _check_last_discard(
    rules: Ruleset, card: Reading, melds_on_table: tuple[Reading, ...]
) -> tuple[Reason, ...]:
    """Return why a player may not end the hand (round) by discarding this card as the last one.

    - in some games certain cards may not be discarded last, such as a joker
    - in some games a side may not end the hand while it has an incomplete meld, a group of fewer
      than seven cards
    """
    table = build_table_with_melds(rules, *melds_on_table, out=Out(side=ASKER, discard=card))
    return run_checks(table, _LAST_DISCARD_CHECKS)


def _explain_stated_wild_meld(settings: Settings, question: DiscardQuestion) -> Reasons:
    """Explain that a side with an incomplete meld of wild cards may not end the hand (round).

    A meld is a group of cards; wild cards are jokers and twos. Nothing is yielded in a game without
    that rule, or if the question does not say that the side has such a meld.
    """
    if question.wild_meld_incomplete and _prevents_going_out(settings, _WILD_CARDS_ALONE):
        # On the page: "Nobody goes out before a meld of only wild cards is a canasta. Such melds
        # still incomplete here: 1."
        yield reason("out-wild-meld-incomplete", cited_settings="incomplete", melds=1)


def _explain_why_three_stays(settings: Settings, kind: Kind, *, is_first_round: bool) -> Reasons:
    """Explain why a red or a black three may not be discarded; nothing is said of other cards."""
    if kind is Kind.RED_THREE and settings.red_threes_kept == "exposed":
        # On the page: "A red three is not discarded: it is exposed."
        yield reason("discard-red-three", cited_settings="red-threes-kept/discard")

    if kind is not Kind.BLACK_THREE:
        return
    if settings.black_threes_exposed:
        # On the page: "Black threes are not discarded here: they are exposed, like red ones."
        yield reason("discard-black-three-exposed", cited_settings="black-threes-exposed")
    if is_first_round and settings.first_round_black_threes == "forbidden":
        # On the page: "No black three is discarded in the first round here."
        yield reason("discard-first-round", cited_settings="first-round-black-threes")


def _fits_incomplete_meld(rules: Ruleset, card: Reading, melds: tuple[Reading, ...]) -> bool:
    """Tell whether a card could be added to an incomplete one of these melds (groups of cards).

    A meld of seven cards or more is complete in most games. A king, with `3xK` on the table → True;
    with `7xK` → False.
    """
    for meld in melds:
        is_incomplete = meld.cards.size < rules.settings.canasta_length
        if is_incomplete and is_legal_meld(rules, gather_readings(meld, card)):
            return True
    return False


def _prevents_going_out(settings: Settings, shape: Shape) -> bool:
    """Tell whether an incomplete meld (group of cards) of this shape keeps its side from going out.

    A player goes out by playing the last card, which ends the hand (round). In canastone
    `_WILD_CARDS_ALONE` → True and `_EQUAL_CARDS` → False; in the classic game both → False.
    """
    return any(rule.shape == shape and rule.bars_out for rule in settings.incomplete)


# ----------------------------------------------------------------------- what the answer depends on


def _list_conditions(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """Yield the conditions under which the card may be discarded, each as a reason.

    They are about what the question does not tell, such as whether a canasta (a group of seven
    cards) on the table was completed in this turn.
    """
    discards_several = question.card.cards.size > 1  # a few threes at once
    if question.last:
        yield _explain_what_last_card_means(kind, discards_several=discards_several)

    if question.table is None:
        yield from _list_conditions_on_unknown_melds(settings, question, kind)
    elif not question.last:  # the last card may be of the rank of a new canasta
        yield from _explain_condition_on_new_canasta(settings, kind, question.table)

    yield from _list_conditions_on_pile(settings, question, kind)
    if kind.is_three and settings.threes_together > 0:
        number = settings.threes_together
        yield _comment_on_threes_together(number, kind, discards_several=discards_several)


def _list_conditions_on_pile(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """Yield the condition that the pile is not empty, or that the card is not dead, if unknown.

    In some games aces, sevens and cards of a dead rank are not discarded onto an empty pile. A rank
    is dead once a side has a canasta of it.
    """
    is_known_to_have_cards = question.pile_empty is False
    if question.last or is_known_to_have_cards:
        return
    if kind in settings.empty_pile_bars:
        # On the page: "Only if the pile is not empty: a seven is not discarded onto an empty one."
        yield reason("discard-hangs-on-pile", cited_settings="empty-pile-bars", card=kind)
        return
    if not _is_dead_card_barred(settings):
        return

    cited = ("empty-pile-bars", "dead-ranks")
    if _is_dead_on_table(settings, question, kind):
        # On the page: "Only if the pile is not empty: a king is dead, since one side has the canasta
        # of its rank."
        yield reason("discard-hangs-on-pile", cited_settings=cited, wording="dead", card=kind)
    elif may_be_dead(settings, kind, own_melds=question.table, opponents=question.opponents):
        # On the page: "Only if the pile is not empty or no side has a canasta of the rank of a king"
        # or, onto an empty pile (`empty`), "Only if no side has …"
        wording = "empty" if question.pile_empty else None
        yield reason("discard-hangs-on-dead", cited_settings=cited, wording=wording, card=kind)


def _explain_what_last_card_means(kind: Kind, *, discards_several: bool) -> Reason:
    """Explain that discarding the last card ends the hand (round), which has its own conditions.

    `discards_several`: a few cards of this kind are discarded at once, as some rules allow for
    threes.
    """
    settings_of_last_discard = ("last-discard", "last-discard-special")
    if discards_several:
        # On the page: "They are the last cards: discarding them means going out, if everything
        # needed to go out is there."
        return reason("discard-last", cited_settings=settings_of_last_discard, wording="all")
    # On the page: "It is the last card: discarding a king means going out, if everything needed to
    # go out is there."
    return reason("discard-last", cited_settings=settings_of_last_discard, card=kind)


def _comment_on_threes_together(number: int, kind: Kind, *, discards_several: bool) -> Reason:
    """Comment that this game allows to discard so many threes of one colour at once.

    A player who does so (`discards_several`) hears that it is allowed, and a player who discards a
    single three that it is possible.
    """
    code = "discard-threes-together"
    if discards_several:
        # On the page: "Here 4 threes of one colour may be discarded at once."
        return reason(code, cited_settings="threes-together", wording="all", threes=number)
    # On the page: "Besides discarding a black three alone, 4 of one colour may be discarded at
    # once."
    return reason(code, cited_settings="threes-together", threes=number, card=kind)


def _explain_condition_on_new_canasta(
    settings: Settings, kind: Kind, melds_on_table: tuple[Reading, ...]
) -> Reasons:
    """Yield the condition that the side's canasta of the card's rank is of an earlier turn.

    A canasta is a meld (group) of seven cards or more. In some games a king may not be discarded in
    the turn in which the canasta of kings was completed.
    """
    must_not_fit = settings.discard_fitting == "forbidden"
    if not must_not_fit or not kind.is_natural:
        return
    # A card that fits an incomplete meld was refused before. So a meld with its rank is a canasta.
    has_canasta_of_rank = any(meld.cards.of(kind) > 0 for meld in melds_on_table)
    if has_canasta_of_rank:
        # On the page: "But a king is not discarded if the canasta of its rank was only just
        # completed."
        yield _explain_that_card_must_not_fit(kind, _FittingWording.COMPLETED)


def _explain_that_card_must_not_fit(kind: Kind, wording: _FittingWording) -> Reason:
    """Explain that the card may be discarded only if it fits none of the side's melds (groups)."""
    return reason(
        "discard-fitting", cited_settings="discard-fitting", wording=wording.value, card=kind
    )


def _list_conditions_on_unknown_melds(
    settings: Settings, question: DiscardQuestion, kind: Kind
) -> Reasons:
    """Yield the conditions on the side's melds (groups of cards), which the question does not give.

    In some games a card may not be discarded if it fits one of them, or if one of them is
    incomplete, with fewer than seven cards.
    """
    must_not_fit = settings.discard_fitting == "forbidden"
    if must_not_fit and not kind.is_three:
        wording = _choose_wording_for_unknown_melds(kind, is_last=question.last)
        yield _explain_that_card_must_not_fit(kind, wording)

    ends_hand = question.last
    is_wild_meld_stated = question.wild_meld_incomplete is not None
    if ends_hand and _prevents_going_out(settings, _EQUAL_CARDS):
        # On the page: "Only if the side has no natural aces, sevens or wild cards alone that are
        # not yet a canasta: while it has, nobody goes out." That includes the melds of wild cards.
        yield reason("discard-hangs-on-melds", cited_settings="incomplete")
    elif not is_wild_meld_stated:
        yield from _explain_condition_on_wild_meld(settings, kind, ends_hand=ends_hand)


def _choose_wording_for_unknown_melds(kind: Kind, *, is_last: bool) -> _FittingWording:
    """Choose how to say that the card must fit none of the melds, if these are not known."""
    if kind.is_wild:
        # On the page: "While it fits an incomplete meld of your own, a joker is not discarded."
        return _FittingWording.WILD
    if is_last:
        # On the page: "But a king is not discarded if it fits an incomplete meld of your own; if it
        # is of the rank of a canasta just completed, it will do as the last card."
        return _FittingWording.LAST
    # On the page: "But a king is not discarded if it is of the rank of a canasta just completed, or
    # fits an incomplete meld of your own."
    return _FittingWording.NATURAL


def _explain_condition_on_wild_meld(settings: Settings, kind: Kind, *, ends_hand: bool) -> Reasons:
    """Yield the condition that the side has no incomplete meld of jokers and twos alone.

    In some games a side with such a meld (group) of wild cards may not discard wild cards; in some
    it may not end the hand (round) by discarding the last card.
    """
    if kind.is_wild and settings.wilds_blocked != "nothing":
        setting = "wilds-blocked"
    elif ends_hand and _prevents_going_out(settings, _WILD_CARDS_ALONE):
        setting = "incomplete"
    else:
        return

    # On the page: "Only if the side has no meld of only wild cards that is not yet a canasta: while
    # it has, nobody goes out" (`last`), or "…, no wild card is discarded" (`wild`).
    wording = "last" if ends_hand else "wild"
    yield reason("discard-hangs-on-wilds", cited_settings=setting, wording=wording)
