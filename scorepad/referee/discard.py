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
_SETTINGS_OF_THREES = {
    Kind.BLACK_THREE: "black-three-discarded",
    Kind.RED_THREE: "red-threes-kept",
}
"""The settings for the effect of a discarded three; wild cards use `freezing`, natural ones
`stop-ranks`.
"""


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

    reasons = [
        *_why_effect(rules, question, kind, effect),
        *_conditions(settings, question, kind),
    ]
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


def _why_effect(
    rules: Ruleset, question: DiscardQuestion, kind: Kind, effect: str | None
) -> Reasons:
    """The effect of a card that was discarded; where it freezes the pile, also what then takes it.

    The last card ends the hand and has no other effect; what taking a special card requires is
    reported separately.
    """
    settings = rules.settings
    if question.last:
        return
    if special_top(settings, kind) is None:
        setting = "freezing" if kind.is_wild else "stop-ranks"
        yield reason(f"discard-{effect}", _SETTINGS_OF_THREES.get(kind, setting), card=kind)
        if effect == "freeze":
            naturals = naturals_needed(settings, frozen=True)
            why = "one" if naturals == 1 else "several"
            yield reason("discard-frozen-needs", "pile-naturals-frozen", naturals=naturals, why=why)
    if kind is Kind.BLACK_THREE and settings.black_three_discarded == "freezes":
        yield from faults(rules, "fault-black-three-freezes")


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
    """What the answer depends on besides the card."""
    of_cards: dict[str, MessageArgument] = {"card": kind}
    if question.card.cards.size > 1:
        of_cards = {"why": "all"}
    if question.last:
        yield reason("discard-last", "last-discard", "last-discard-special", **of_cards)
    if settings.discard_fitting == "forbidden" and not kind.is_three:
        yield from _if_it_fits(question, kind)
    if question.table is None:
        yield from _if_melds_were_known(settings, question, kind)
    if settings.threes_together and kind.is_three:
        threes = settings.threes_together
        yield reason("discard-threes-together", "threes-together", threes=threes, **of_cards)


def _if_it_fits(question: DiscardQuestion, kind: Kind) -> Reasons:
    """Whether the card fits an incomplete meld, as far as that is not known."""
    if question.table is None:
        why = "natural"
        if kind.is_wild:
            why = "wild"
        elif question.last:
            why = "last"
        yield reason("discard-fitting", "discard-fitting", card=kind, why=why)
        return
    if question.last or kind.is_wild:
        return
    if any(meld.cards.of(kind) for meld in question.table):
        yield reason("discard-fitting", "discard-fitting", card=kind, why="completed")


def _if_melds_were_known(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """The melds of the side on which the answer depends, if they were not given."""
    if question.last and _bars_going_out(settings, "group"):
        yield reason("discard-hangs-on-melds", "incomplete")
        return
    if question.wild_meld_incomplete is not None:
        return
    if kind.is_wild and settings.wilds_blocked != "nothing":
        why = "last" if question.last else "wild"
        yield reason("discard-hangs-on-wilds", "wilds-blocked", why=why)
    elif question.last and _bars_going_out(settings, "wilds"):
        yield reason("discard-hangs-on-wilds", "incomplete", why="last")
