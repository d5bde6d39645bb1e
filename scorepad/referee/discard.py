"""May this card be discarded, and what does it do to those who come next?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.referee.answers import Reason, Ruling, Verdict, answered
from scorepad.referee.case import (
    ASKER,
    broken,
    cannot_be,
    faults,
    is_legal,
    kind_of,
    lay_case,
    reason,
    special_top,
    together,
    unknown_cards,
)
from scorepad.referee.questions import DiscardQuestion
from scorepad.rules.cards import Kind
from scorepad.rules.checks import Figure
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import is_incomplete_wild_meld, read_meld
from scorepad.rules.settings import Settings, Shape
from scorepad.rules.variants import Ruleset

_GROUNDS = {Kind.BLACK_THREE: "black-three-discarded", Kind.RED_THREE: "red-threes-kept"}
"""The settings that say what a discarded three does; of wild cards `freezing` does, of natural ones `stop-ranks`."""


def rule_discard(rules: Ruleset, question: DiscardQuestion) -> Ruling:
    """Whether a card may be discarded, and its effect on the pile."""
    wrong = unknown_cards(rules, question.card, *question.lying) or cannot_be(rules, question.card, *question.lying)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    kind = kind_of(question.card)
    against = tuple(_against(rules, question, kind))
    if against:
        return answered(against, forbids=True)
    effect = effect_of(rules.settings, kind)
    if effect is None and not question.last:
        return Ruling(Verdict.SILENT, (reason("discard-not-told", "pile", card=kind),))
    # With the last card the hand ends, whatever else it would have done.
    reasons = [] if question.last or effect is None else list(_effects(rules, kind, effect))
    details = {} if effect is None else {"effect": effect}
    return answered((*reasons, *_conditions(rules, question, kind)), forbids=False, **details)


def effect_of(settings: Settings, kind: Kind) -> str | None:
    """What a card does on top of the pile: nothing, stop the next player, or freeze it for everybody.

    None where no source says what a special card does.
    """
    if kind.is_natural:
        return "stop" if kind in settings.stop_ranks else "none"
    if settings.pile == "not-told":
        return None
    if special_top(settings, kind):
        return "none"
    if kind is Kind.BLACK_THREE:
        return "freeze" if settings.black_three_discarded == "freezes" else "stop"
    return "freeze" if kind.is_wild and settings.freezing == "discarded-wild" else "stop"


def _against(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Iterator[Reason]:
    """What forbids the discard."""
    settings = rules.settings
    bound = bool(question.wild_meld_incomplete) or any(
        is_incomplete_wild_meld(read_meld(meld.cards), settings) for meld in question.lying
    )
    if question.last:
        table = lay_case(rules, SideEntry(), out=Out(ASKER, discard=question.card, discard_noted=True))
        yield from broken(table, {"out-discard-special"})
        if bound and _bars_out(settings):
            yield reason("out-wild-meld-incomplete", "incomplete", melds=1)
    if kind is Kind.RED_THREE and settings.red_threes_kept == "exposed":
        yield reason("discard-red-three", "red-threes-kept")
    if kind is Kind.BLACK_THREE and settings.black_threes_exposed:
        yield reason("discard-black-three-exposed", "black-threes-exposed")
    if kind is Kind.BLACK_THREE and question.first_round and settings.first_round_black_threes == "forbidden":
        yield reason("discard-first-round", "first-round-black-threes")
    if kind.is_wild and bound and settings.wilds_blocked != "nothing":
        yield reason("discard-wilds-blocked", "wilds-blocked", card=kind)
    incomplete = [meld for meld in question.lying if meld.cards.size < settings.canasta_length]
    if settings.discard_fitting == "forbidden" and any(is_legal(rules, together(m, question.card)) for m in incomplete):
        yield reason("discard-fits", "discard-fitting", card=kind)


def _bars_out(settings: Settings) -> bool:
    return any(each.bars_out and each.shape is Shape.WILDS for each in settings.incomplete)


def _effects(rules: Ruleset, kind: Kind, effect: str) -> Iterator[Reason]:
    """What the card does on top of the pile; what taking it asks for is told by itself."""
    if special_top(rules.settings, kind) is None:
        ground = _GROUNDS.get(kind, "freezing" if kind.is_wild else "stop-ranks")
        yield reason(f"discard-{effect}", ground, card=kind)
    if kind is Kind.BLACK_THREE and rules.settings.black_three_discarded == "freezes":
        yield from faults(rules, "fault-black-three-freezes")


def _conditions(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Iterator[Reason]:
    """What the answer hangs on beside the card, and what else may be done with it."""
    settings = rules.settings
    several: dict[str, Figure] = {"card": kind} if question.card.cards.size == 1 else {"why": "all"}
    if question.last:
        yield reason("discard-last", "last-discard", "last-discard-special", **several)
    if settings.discard_fitting == "forbidden" and not kind.is_three:
        if question.table is None:
            why = "wild" if kind.is_wild else "last" if question.last else "natural"
            yield reason("discard-fitting", "discard-fitting", card=kind, why=why)
        elif not question.last and any(meld.cards.of(kind) and not kind.is_wild for meld in question.table):
            yield reason("discard-fitting", "discard-fitting", card=kind, why="completed")
    if question.table is None and question.wild_meld_incomplete is None:
        blocked = kind.is_wild and settings.wilds_blocked != "nothing"
        if blocked or (question.last and _bars_out(settings)):
            ground = "wilds-blocked" if blocked else "incomplete"
            yield reason("discard-hangs-on-wilds", ground, why="last" if question.last else "wild")
    if settings.threes_together and kind.is_three:
        yield reason("discard-threes-together", "threes-together", threes=settings.threes_together, **several)
    top = special_top(settings, kind)
    if top is not None:
        yield reason("discard-top-takes-more", f"pile-tops/{kind}", card=kind, more=top.more)
