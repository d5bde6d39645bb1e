"""Rulings on discards: whether a card may be discarded, and its effect on the pile."""

from __future__ import annotations

from enum import StrEnum

from scorepad.referee.in_force import naturals_needed, special_top
from scorepad.referee.questions import DiscardQuestion
from scorepad.referee.reasons import faults, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, allowed, forbidden, silent
from scorepad.referee.situation import (
    ASKER,
    impossible_cards,
    incomplete_wild_melds,
    is_legal_meld,
    kind_of,
    table_with,
    unknown_cards,
    violations,
)
from scorepad.rules.cards import Kind, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.settings import Settings, Shape

_LAST_DISCARD_CHECKS = frozenset(
    {"out-discard-special", "out-wild-meld-incomplete", "out-meld-incomplete"}
)
"""The checks of going out that concern a last discard beside the side's melds."""


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
    """Whether a card may be discarded, and its effect on the pile."""
    cards = (question.card, *(question.table or ()))
    wrong = unknown_cards(rules, *cards) or impossible_cards(rules, *cards)
    if wrong:
        return forbidden(wrong)
    kind = kind_of(question.card)
    against = tuple(_against_discard(rules, question, kind))
    if against:
        return forbidden(against)
    return _rule_allowed_discard(rules, question, kind)


def _rule_allowed_discard(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Ruling:
    """The ruling on a card of this kind that nothing forbids to discard.

    The details name its effect on the pile: `{"effect": "freeze"}`.
    """
    effect = discard_effect(rules.settings, kind)
    comments = tuple(_about_allowed_discard(rules.settings, question, kind))
    if question.last:  # it ends the hand: no other player meets its effect, which needs no reason
        return allowed(comments, _details_of_effect(effect))
    if effect is None:
        not_refereed = Reason("discard-not-refereed", {"card": kind})
        return silent((not_refereed,))
    why_effect = _about_effect(rules, kind, effect)
    return allowed((*why_effect, *comments), _details_of_effect(effect))


def _details_of_effect(effect: DiscardEffect | None) -> Details:
    """The effect as a detail of a ruling; none if it is not known."""
    return {} if effect is None else {"effect": effect.value}


def _about_allowed_discard(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What else is said of a card that may be discarded: on what this depends and, for a card that
    several equal ones take from the pile, how many of them.
    """
    yield from _what_discard_depends_on(settings, question, kind)
    rule_of_top_card = special_top(settings, kind)
    if rule_of_top_card is not None:
        yield reason(
            "discard-top-takes-more",
            cited_settings=f"pile-tops/{kind}",
            card=kind,
            more=rule_of_top_card.more,
        )


# ---------------------------------------------------------------------------------------- the effect


def discard_effect(settings: Settings, kind: Kind) -> DiscardEffect | None:
    """The effect of a card on top of the pile; None if scorepad does not referee the pile of the
    game.
    """
    if settings.pile == "not-refereed":
        return None
    if kind.is_natural:
        return DiscardEffect.STOP if kind in settings.stop_ranks else DiscardEffect.NONE
    if special_top(settings, kind) is not None:  # the next player may take it with equal cards
        return DiscardEffect.NONE
    if _freezes_pile(settings, kind):
        return DiscardEffect.FREEZE
    return DiscardEffect.STOP


def _freezes_pile(settings: Settings, kind: Kind) -> bool:
    """Whether a wild card or a three freezes the pile when it is discarded."""
    if kind is Kind.BLACK_THREE:
        return settings.black_three_discarded == "freezes"
    return kind.is_wild and settings.freezing == "discarded-wild"


def _about_effect(rules: Ruleset, kind: Kind, effect: DiscardEffect) -> Reasons:
    """Why a discarded card of this kind has this effect on the pile.

    If black threes freeze the pile, a known mistake of a source about that is added.
    """
    settings = rules.settings
    # Some wild cards and threes do not stop a player who holds so many more of them. That is said
    # by another reason, which is enough.
    is_taken_with_equal_cards = special_top(settings, kind) is not None
    if not is_taken_with_equal_cards:
        yield from _why_effect(settings, kind, effect)
    black_threes_freeze = settings.black_three_discarded == "freezes"
    if black_threes_freeze and kind is Kind.BLACK_THREE:
        yield from faults(rules, "fault-black-three-freezes")


def _why_effect(settings: Settings, kind: Kind, effect: DiscardEffect) -> Reasons:
    """The effect of a card on top of the pile and, if it freezes the pile, what takes it then."""
    yield reason(f"discard-{effect.value}", cited_settings=_setting_of_effect(kind), card=kind)
    if effect is DiscardEffect.FREEZE:
        yield _what_takes_frozen_pile(settings)


def _setting_of_effect(kind: Kind) -> str:
    """The setting that decides the effect of a card on top of the pile."""
    if kind.is_wild:
        return "freezing"
    if kind is Kind.BLACK_THREE:
        return "black-three-discarded"
    if kind is Kind.RED_THREE:
        return "red-threes-kept"
    return "stop-ranks"


def _what_takes_frozen_pile(settings: Settings) -> Reason:
    """The natural cards needed to take a frozen pile."""
    naturals = naturals_needed(settings, frozen=True)
    wording = "one" if naturals == 1 else "several"
    return reason(
        "discard-frozen-needs",
        cited_settings="pile-naturals-frozen",
        wording=wording,
        naturals=naturals,
    )


# ----------------------------------------------------------------------------------- what forbids it


def _against_discard(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What forbids discarding a card of this kind."""
    settings = rules.settings
    if question.last:
        yield from _against_last_discard(rules, question)
    yield from _against_three(settings, question, kind)
    if kind.is_wild and _may_not_discard_wilds(settings, question):
        yield reason("discard-wilds-blocked", cited_settings="wilds-blocked", card=kind)
    if settings.discard_fitting == "forbidden" and _fits_incomplete_meld(rules, question):
        yield reason("discard-fits", cited_settings="discard-fitting", card=kind)


def _may_not_discard_wilds(settings: Settings, question: DiscardQuestion) -> bool:
    """Whether the side may not discard wild cards, because it has an incomplete meld of wild cards
    alone. The question says so, or it gives the melds of the side.
    """
    if settings.wilds_blocked == "nothing":
        return False
    melds = question.table or ()
    return bool(question.wild_meld_incomplete) or incomplete_wild_melds(settings, melds) > 0


def _against_last_discard(rules: Ruleset, question: DiscardQuestion) -> Reasons:
    """What forbids going out, that is ending the hand, with this discard as one's last card.

    In some games certain cards may not be discarded last, and a side may not go out while it has an
    incomplete meld, one of fewer cards than a canasta (seven).
    """
    melds = question.table or ()
    table = table_with(rules, *melds, out=Out(side=ASKER, discard=question.card))
    yield from violations(table, _LAST_DISCARD_CHECKS)
    if not melds:
        yield from _against_wild_meld_told(rules.settings, question)


def _against_wild_meld_told(settings: Settings, question: DiscardQuestion) -> Reasons:
    """The reason if the question says, without giving the melds, that the side has an incomplete
    meld of wild cards alone, and such a meld prevents going out.
    """
    if question.wild_meld_incomplete and _bars_going_out(settings, "wilds"):
        yield reason("out-wild-meld-incomplete", cited_settings="incomplete", melds=1)


def _what_discard_depends_on(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """On what it depends that the card may be discarded, each condition as a reason."""
    if question.last:
        yield _depends_on_last_card(question, kind)
    must_not_fit = settings.discard_fitting == "forbidden" and not kind.is_three
    if must_not_fit:
        yield from _depends_on_fitting_no_meld(question, kind)
    if question.table is None:
        yield from _depends_on_incomplete_melds(settings, question, kind)
    if kind.is_three and settings.threes_together > 0:
        yield _depends_on_number_of_threes(settings.threes_together, question, kind)


def _depends_on_last_card(question: DiscardQuestion, kind: Kind) -> Reason:
    """The condition that the card discarded is the player's last one."""
    settings_of_last_discard = ("last-discard", "last-discard-special")
    if _discards_several(question):
        return reason("discard-last", cited_settings=settings_of_last_discard, wording="all")
    return reason("discard-last", cited_settings=settings_of_last_discard, card=kind)


def _depends_on_number_of_threes(number: int, question: DiscardQuestion, kind: Kind) -> Reason:
    """The condition that so many threes of one colour are discarded at once."""
    code = "discard-threes-together"
    if _discards_several(question):
        return reason(code, cited_settings="threes-together", wording="all", threes=number)
    return reason(code, cited_settings="threes-together", threes=number, card=kind)


def _discards_several(question: DiscardQuestion) -> bool:
    """Whether several threes are discarded at once, so that messages say "they" and name no card."""
    return question.card.cards.size > 1


def _depends_on_fitting_no_meld(question: DiscardQuestion, kind: Kind) -> Reasons:
    """The condition that the card fits none of the side's melds, in a game in which a card that fits
    one may not be discarded.

    If the question gives the melds, a card that fits an incomplete one has been refused already. It
    may still fit a canasta (a meld of seven cards or more) that was completed in this turn.
    """
    wording = _wording_about_fitting(question, kind)
    if wording is not None:
        yield reason(
            "discard-fitting", cited_settings="discard-fitting", wording=wording.value, card=kind
        )


def _wording_about_fitting(question: DiscardQuestion, kind: Kind) -> _FittingWording | None:
    """How the condition that a card fits no meld is worded; None if there is no such condition.

    It is a condition if the question does not give the melds of the side, or if they have cards of
    the rank.
    """
    if question.table is None:
        return _wording_for_unknown_melds(question, kind)
    if _may_fit_completed_canasta(question, kind):
        return _FittingWording.COMPLETED
    return None


def _wording_for_unknown_melds(question: DiscardQuestion, kind: Kind) -> _FittingWording:
    """How the condition that a card fits no meld is worded if the melds are not known."""
    if kind.is_wild:
        return _FittingWording.WILD
    if question.last:
        return _FittingWording.LAST
    return _FittingWording.NATURAL


def _may_fit_completed_canasta(question: DiscardQuestion, kind: Kind) -> bool:
    """Whether a card that may be discarded fits a canasta (a meld of seven cards or more) that may
    have been completed in this turn. With `7xK` on the table, a king does.

    It must be natural, and not the player's last card. A meld with such a card is a canasta: if it
    were incomplete, the card could not be discarded at all.
    """
    if not kind.is_natural or question.last:
        return False
    melds = question.table or ()
    return any(meld.cards.of(kind) > 0 for meld in melds)


def _depends_on_incomplete_melds(
    settings: Settings, question: DiscardQuestion, kind: Kind
) -> Reasons:
    """The condition that the side has no incomplete meld that forbids the discard. It is for a
    question that does not give the side's melds.

    An incomplete meld has fewer cards than a canasta (seven). In some games it prevents going out,
    which a player does with the last discard.
    """
    goes_out = question.last
    if goes_out and _bars_going_out(settings, "group"):
        # Any incomplete meld forbids it, so one of wild cards alone is not mentioned by itself.
        yield reason("discard-hangs-on-melds", cited_settings="incomplete")
        return
    does_question_say = question.wild_meld_incomplete is not None
    if not does_question_say:
        yield from _depends_on_wild_meld(settings, question, kind)


def _depends_on_wild_meld(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """The condition that the side has no incomplete meld of wild cards (jokers and twos) alone.

    In some games such a meld forbids to discard wild cards; in some it prevents going out, that is
    discarding one's last card.
    """
    code = "discard-hangs-on-wilds"
    goes_out = question.last
    may_forbid_wild_card = kind.is_wild and settings.wilds_blocked != "nothing"
    if may_forbid_wild_card:
        wording = "last" if goes_out else "wild"
        yield reason(code, cited_settings="wilds-blocked", wording=wording)
    elif goes_out and _bars_going_out(settings, "wilds"):
        yield reason(code, cited_settings="incomplete", wording="last")


def _against_three(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What forbids discarding a three."""
    if kind is Kind.RED_THREE and settings.red_threes_kept == "exposed":
        yield reason("discard-red-three", cited_settings="red-threes-kept/discard")
    if kind is not Kind.BLACK_THREE:
        return
    if settings.black_threes_exposed:
        yield reason("discard-black-three-exposed", cited_settings="black-threes-exposed")
    if question.first_round and settings.first_round_black_threes == "forbidden":
        yield reason("discard-first-round", cited_settings="first-round-black-threes")


def _fits_incomplete_meld(rules: Ruleset, question: DiscardQuestion) -> bool:
    """Whether the card could be laid on one of the side's melds that are no canastas (melds of
    seven cards or more).
    """
    for meld in question.table or ():
        is_incomplete = meld.cards.size < rules.settings.canasta_length
        if is_incomplete and is_legal_meld(rules, gather_readings(meld, question.card)):
            return True
    return False


def _bars_going_out(settings: Settings, shape: Shape) -> bool:
    """Whether an incomplete meld of this shape prevents going out: of the shape `group` it has cards
    of one rank, as `K K 2`, and of the shape `wilds` only jokers and twos.
    """
    return any(each.bars_out and each.shape == shape for each in settings.incomplete)


# ------------------------------------------------------------------------- what the answer depends on
