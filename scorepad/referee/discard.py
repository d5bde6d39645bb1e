"""Rulings on discards: whether a card may be discarded, and its effect on the pile."""

from __future__ import annotations

from scorepad.referee.in_force import naturals_needed, special_top
from scorepad.referee.questions import DiscardQuestion
from scorepad.referee.reasons import faults, reason
from scorepad.referee.ruling import Reason, Reasons, Ruling, allowed, forbidden, silent
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


def rule_discard(rules: Ruleset, question: DiscardQuestion) -> Ruling:
    """Whether a card may be discarded, and its effect on the pile."""
    settings = rules.settings
    cards = (question.card, *(question.table or ()))
    wrong = unknown_cards(rules, *cards) or impossible_cards(rules, *cards)
    if wrong:
        return forbidden(wrong)
    kind = kind_of(question.card)
    against = tuple(_against_discard(rules, question, kind))
    if against:
        return forbidden(against)
    effect = discard_effect(settings, kind)
    if effect is None and not question.last:
        return silent((Reason("discard-not-refereed", {"card": kind}),))

    reasons: list[Reason] = []
    if effect is not None and not question.last:  # the last card ends the hand instead
        reasons += _why_effect(rules, kind, effect)
    reasons += _conditions(settings, question, kind)
    top = special_top(settings, kind)
    if top is not None:
        setting = f"pile-tops/{kind}"
        reasons.append(reason("discard-top-takes-more", setting, card=kind, more=top.more))
    return allowed(tuple(reasons), {} if effect is None else {"effect": effect})


# ---------------------------------------------------------------------------------------- the effect


def discard_effect(settings: Settings, kind: Kind) -> str | None:
    """The effect of a card on top of the pile: none, stopping the next player, or freezing it for
    everybody.

    None if scorepad does not referee the pile of the game.
    """
    if settings.pile == "not-refereed":
        return None
    if kind.is_natural:
        return "stop" if kind in settings.stop_ranks else "none"
    if special_top(settings, kind):
        return "none"
    if kind is Kind.BLACK_THREE:
        freezes = settings.black_three_discarded == "freezes"
    else:
        freezes = kind.is_wild and settings.freezing == "discarded-wild"
    return "freeze" if freezes else "stop"


def _why_effect(rules: Ruleset, kind: Kind, effect: str) -> Reasons:
    """The effect of a card that was discarded: `none`, `stop` or `freeze`; if it freezes the pile,
    also what is then needed to take it.
    """
    settings = rules.settings
    can_be_taken_with_equal_cards = special_top(settings, kind) is not None
    if not can_be_taken_with_equal_cards:  # how many equal cards it takes is said separately
        yield reason(f"discard-{effect}", _setting_of_effect(kind), card=kind)
        if effect == "freeze":
            yield _what_takes_frozen_pile(settings)
    if kind is Kind.BLACK_THREE and settings.black_three_discarded == "freezes":
        yield from faults(rules, "fault-black-three-freezes")


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
    """What forbids the discard."""
    settings = rules.settings
    if question.last:
        yield from _against_last_discard(rules, question)
    yield from _against_three(settings, question, kind)
    if kind.is_wild and settings.wilds_blocked != "nothing":
        wild_melds = incomplete_wild_melds(settings, question.table or ())
        if question.wild_meld_incomplete or wild_melds > 0:
            yield reason("discard-wilds-blocked", "wilds-blocked", card=kind)
    if settings.discard_fitting == "forbidden" and _fits_incomplete_meld(rules, question):
        yield reason("discard-fits", "discard-fitting", card=kind)


def _against_last_discard(rules: Ruleset, question: DiscardQuestion) -> Reasons:
    """What forbids going out with this discard."""
    melds = question.table or ()
    out = Out(ASKER, discard=question.card)
    yield from violations(table_with(rules, *melds, out=out), _LAST_DISCARD_CHECKS)
    # Melds that were given are judged by the checks.
    knows_only_wild_meld = question.wild_meld_incomplete and not melds
    if knows_only_wild_meld and _bars_going_out(rules.settings, "wilds"):
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
        settings_of_last = ("last-discard", "last-discard-special")
        yield _reason_about_cards("discard-last", question, kind, *settings_of_last)
    if settings.discard_fitting == "forbidden" and not kind.is_three:
        yield from _if_it_fits(question, kind)
    if question.table is None:
        yield from _if_melds_were_known(settings, question, kind)
    if settings.threes_together and kind.is_three:
        threes = settings.threes_together
        yield _reason_about_cards(
            "discard-threes-together", question, kind, "threes-together", threes=threes
        )


def _reason_about_cards(
    code: str, question: DiscardQuestion, kind: Kind, *grounds: str, **arguments: MessageArgument
) -> Reason:
    """A reason that names the card, or says it (`all`) of several cards discarded together."""
    if question.card.cards.size > 1:
        return reason(code, *grounds, **arguments, why="all")
    return reason(code, *grounds, **arguments, card=kind)


def _if_it_fits(question: DiscardQuestion, kind: Kind) -> Reasons:
    """The condition that the card does not fit a meld of the side, where such a card may not be
    discarded.

    Whether it fits an incomplete meld has been judged if the melds are known. A natural card does
    not go either if a canasta (a meld of seven cards or more) of its rank was just completed,
    unless it is the last card.
    """
    wording = None
    if question.table is None:
        if kind.is_wild:
            wording = "wild"
        elif question.last:
            wording = "last"
        else:
            wording = "natural"
    elif kind.is_natural and not question.last:
        has_meld_of_rank = any(meld.cards.of(kind) for meld in question.table)
        if has_meld_of_rank:
            wording = "completed"
    if wording is not None:
        yield reason("discard-fitting", "discard-fitting", card=kind, why=wording)


def _if_melds_were_known(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """The condition that the side has no incomplete meld that forbids the discard, for a question
    that does not give the melds of the side.
    """
    if question.last and _bars_going_out(settings, "group"):
        yield reason("discard-hangs-on-melds", "incomplete")
        return

    # What remains depends on an incomplete meld of wild cards only.
    if question.wild_meld_incomplete is not None:
        return
    if kind.is_wild and settings.wilds_blocked != "nothing":
        why = "last" if question.last else "wild"
        yield reason("discard-hangs-on-wilds", "wilds-blocked", why=why)
    elif question.last and _bars_going_out(settings, "wilds"):
        yield reason("discard-hangs-on-wilds", "incomplete", why="last")
