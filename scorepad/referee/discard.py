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
from scorepad.rules.checks import MessageArgument
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

    effect = discard_effect(rules.settings, kind)
    if question.last:  # it ends the hand, and has no effect on another player
        reasons = tuple(_about_allowed_discard(rules.settings, question, kind))
        return allowed(reasons, _details_of_effect(effect))
    if effect is None:
        return silent((Reason("discard-not-refereed", {"card": kind}),))
    reasons = (
        *_about_effect(rules, kind, effect),
        *_about_allowed_discard(rules.settings, question, kind),
    )
    return allowed(reasons, _details_of_effect(effect))


def _details_of_effect(effect: DiscardEffect | None) -> Details:
    """The effect as a detail of a ruling; none if it is not known."""
    return {} if effect is None else {"effect": effect.value}


def _about_allowed_discard(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """On what an allowed discard depends and, in games in which equal cards take the pile with such
    a card on top, how many do.
    """
    yield from _conditions(settings, question, kind)
    top_rule = special_top(settings, kind)
    if top_rule is not None:
        setting = f"pile-tops/{kind}"
        yield reason("discard-top-takes-more", setting, card=kind, more=top_rule.more)


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
    """The reasons for the effect of a card that was discarded, and the known fault of a source about
    black threes.
    """
    settings = rules.settings
    is_taken_with_equal_cards = special_top(settings, kind) is not None
    if not is_taken_with_equal_cards:  # how many equal cards it takes is said elsewhere
        yield from _why_effect(settings, kind, effect)
    if kind is Kind.BLACK_THREE and settings.black_three_discarded == "freezes":
        yield from faults(rules, "fault-black-three-freezes")


def _why_effect(settings: Settings, kind: Kind, effect: DiscardEffect) -> Reasons:
    """The effect of a card on top of the pile and, if it freezes the pile, what takes it then."""
    yield reason(f"discard-{effect.value}", _setting_of_effect(kind), card=kind)
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
    return reason("discard-frozen-needs", "pile-naturals-frozen", naturals=naturals, why=wording)


# ----------------------------------------------------------------------------------- what forbids it


def _against_discard(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What forbids discarding a card of this kind."""
    settings = rules.settings
    if question.last:
        yield from _against_last_discard(rules, question)
    yield from _against_three(settings, question, kind)
    if kind.is_wild and _may_not_discard_wilds(settings, question):
        yield reason("discard-wilds-blocked", "wilds-blocked", card=kind)
    if settings.discard_fitting == "forbidden" and _fits_incomplete_meld(rules, question):
        yield reason("discard-fits", "discard-fitting", card=kind)


def _may_not_discard_wilds(settings: Settings, question: DiscardQuestion) -> bool:
    """Whether the side may not discard wild cards, because it has an incomplete meld of wild cards
    alone. The question says so, or it gives the melds of the side.
    """
    if settings.wilds_blocked == "nothing":
        return False
    melds = question.table or ()
    return bool(question.wild_meld_incomplete) or incomplete_wild_melds(settings, melds) > 0


def _against_last_discard(rules: Ruleset, question: DiscardQuestion) -> Reasons:
    """What forbids going out with this discard: the card itself, or an incomplete meld of the side.

    If the melds are not given, the question may still say that one of wild cards alone is
    incomplete.
    """
    melds = question.table or ()
    out = Out(ASKER, discard=question.card)
    yield from violations(table_with(rules, *melds, out=out), _LAST_DISCARD_CHECKS)
    if not melds and question.wild_meld_incomplete and _bars_going_out(rules.settings, "wilds"):
        yield reason("out-wild-meld-incomplete", "incomplete", melds=1)


def _against_three(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What forbids discarding a three."""
    if kind is Kind.RED_THREE and settings.red_threes_kept == "exposed":
        yield reason("discard-red-three", "red-threes-kept/discard")
    if kind is not Kind.BLACK_THREE:
        return
    if settings.black_threes_exposed:
        yield reason("discard-black-three-exposed", "black-threes-exposed")
    if question.first_round and settings.first_round_black_threes == "forbidden":
        yield reason("discard-first-round", "first-round-black-threes")


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
    """Whether an incomplete meld of this shape prevents going out."""
    return any(each.bars_out and each.shape == shape for each in settings.incomplete)


# ------------------------------------------------------------------------- what the answer depends on


def _conditions(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What else the answer depends on: that the card is the last one, the melds of the side, and
    how many threes go together.
    """
    if question.last:
        grounds = ("last-discard", "last-discard-special")
        yield _reason_about_card("discard-last", *grounds, question=question, kind=kind)
    if settings.discard_fitting == "forbidden" and not kind.is_three:
        yield from _condition_not_to_fit(question, kind)
    if question.table is None:
        yield from _conditions_on_incomplete_melds(settings, question, kind)
    if settings.threes_together and kind.is_three:
        yield _reason_about_card(
            "discard-threes-together",
            "threes-together",
            question=question,
            kind=kind,
            threes=settings.threes_together,
        )


def _reason_about_card(
    code: str,
    *grounds: str,
    question: DiscardQuestion,
    kind: Kind,
    **arguments: MessageArgument,
) -> Reason:
    """A reason that names the card discarded. If threes are discarded together, it has the wording
    `all`, which says "they" and names no card.
    """
    are_several = question.card.cards.size > 1
    if are_several:
        return reason(code, *grounds, **arguments, why="all")
    return reason(code, *grounds, **arguments, card=kind)


def _condition_not_to_fit(question: DiscardQuestion, kind: Kind) -> Reasons:
    """The condition that the card fits no meld of the side, where such a card may not be discarded.

    If the melds are known, it fits none of the incomplete ones. But it may still be forbidden
    because a canasta (a meld of seven cards or more) of its rank was completed in this turn.
    """
    if question.table is None:
        wording = _wording_not_to_fit(question, kind)
        yield reason("discard-fitting", "discard-fitting", card=kind, why=wording)
    elif _may_fit_new_canasta(question, kind):
        yield reason("discard-fitting", "discard-fitting", card=kind, why="completed")


def _wording_not_to_fit(question: DiscardQuestion, kind: Kind) -> str:
    """How the condition that the card fits no meld is worded, if the melds are not known."""
    if kind.is_wild:
        return "wild"
    if question.last:
        return "last"
    return "natural"


def _may_fit_new_canasta(question: DiscardQuestion, kind: Kind) -> bool:
    """Whether a canasta that takes this card may have been completed in this turn.

    That forbids to discard a natural card, except as the last card.
    """
    if not kind.is_natural or question.last:
        return False
    melds = question.table or ()
    return any(meld.cards.of(kind) for meld in melds)


def _conditions_on_incomplete_melds(
    settings: Settings, question: DiscardQuestion, kind: Kind
) -> Reasons:
    """The condition that the side has no incomplete meld that forbids the discard, for a question
    that does not give its melds.
    """
    says_about_wild_meld = question.wild_meld_incomplete is not None
    if question.last and _bars_going_out(settings, "group"):
        yield reason("discard-hangs-on-melds", "incomplete")
    elif not says_about_wild_meld:
        yield from _condition_on_wild_meld(settings, question, kind)


def _condition_on_wild_meld(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """The condition that the side has no incomplete meld of wild cards alone: it may forbid to
    discard wild cards, or to go out.
    """
    code = "discard-hangs-on-wilds"
    may_forbid_wilds = kind.is_wild and settings.wilds_blocked != "nothing"
    if may_forbid_wilds:
        wording = "last" if question.last else "wild"
        yield reason(code, "wilds-blocked", why=wording)
    elif question.last and _bars_going_out(settings, "wilds"):
        yield reason(code, "incomplete", why="last")
