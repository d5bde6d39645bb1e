"""May this card be discarded, and what does it do to those who come next?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, ruling
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
from scorepad.rules.cards import Kind, Reading
from scorepad.rules.checks import Figure
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import is_incomplete_wild_meld, read_meld
from scorepad.rules.settings import Shape
from scorepad.rules.variants import Ruleset

_ABOUT = {
    Kind.BLACK_THREE: ("black-three-discarded",),
    Kind.RED_THREE: ("red-threes-kept",),
    Kind.JOKER: ("freezing",),
    Kind.TWO: ("freezing",),
}
"""The settings by which a special card does what it does; of a natural one `stop-ranks`."""


@ruling(DiscardQuestion)
def rule_discard(rules: Ruleset, asked: DiscardQuestion) -> Ruling:
    """Whether a card may be discarded, and its effect on the pile."""
    unknown = unknown_cards(rules, asked.card, *asked.lying) or cannot_be(rules, asked.card, *asked.lying)
    if unknown:
        return Ruling(Verdict.FORBIDDEN, unknown)
    kind = kind_of(asked.card)
    against = tuple(_against(rules, asked, kind))
    if against:
        return Ruling(Verdict.FORBIDDEN, against)
    effect = _effect(rules, kind)
    if effect is None and not asked.last:
        return Ruling(Verdict.SILENT, (reason(rules, "discard-not-told", "pile", card=kind),))
    # With the last card the hand ends, whatever else it would have done.
    does = () if asked.last else (*_does(rules, kind, effect), *_slips(rules, kind))
    told = (*does, *_conditions(rules, asked, kind))
    details: dict[str, Detail] = {} if effect is None else {"effect": effect}
    return Ruling(Verdict.ALLOWED, told, details)


def _against(rules: Ruleset, asked: DiscardQuestion, kind: Kind) -> Iterator[Reason]:
    """What forbids the discard."""
    settings = rules.settings
    if asked.last:
        table = lay_case(rules, SideEntry(), out=Out(ASKER, discard=asked.card, discard_noted=True))
        yield from broken(table, {"out-discard-special"})
        if _is_bound(rules, asked) and _bars_out(rules):
            yield reason(rules, "out-wild-meld-incomplete", "incomplete", melds=1)
    if kind is Kind.RED_THREE and settings.red_threes_kept == "exposed":
        yield reason(rules, "discard-red-three", "red-threes-kept")
    if kind is Kind.BLACK_THREE and settings.black_threes_exposed:
        yield reason(rules, "discard-black-three-exposed", "black-threes-exposed")
    if kind is Kind.BLACK_THREE and asked.first_round and settings.first_round_black_threes == "forbidden":
        yield reason(rules, "discard-first-round", "first-round-black-threes")
    if kind.is_wild and _is_bound(rules, asked) and settings.wilds_blocked != "nothing":
        yield reason(rules, "discard-wilds-blocked", "wilds-blocked", card=kind)
    if settings.discard_fitting == "forbidden" and any(_fits(rules, asked, meld) for meld in asked.lying):
        yield reason(rules, "discard-fits", "discard-fitting", card=kind)


def _is_bound(rules: Ruleset, asked: DiscardQuestion) -> bool:
    """Whether the side has a meld of wild cards alone that is no canasta, as far as anybody said."""
    lying = any(is_incomplete_wild_meld(read_meld(meld.cards), rules.settings) for meld in asked.lying)
    return lying or bool(asked.wild_meld_incomplete)


def _bars_out(rules: Ruleset) -> bool:
    return any(each.bars_out and each.shape is Shape.WILDS for each in rules.settings.incomplete)


def _fits(rules: Ruleset, asked: DiscardQuestion, meld: Reading) -> bool:
    """Whether the card can be laid on this incomplete meld."""
    return meld.cards.size < rules.settings.canasta_length and is_legal(rules, together(meld, asked.card))


def _does(rules: Ruleset, kind: Kind, effect: str | None) -> Iterator[Reason]:
    """What the card does on top of the pile; what taking it asks for is told by itself."""
    if effect is not None and special_top(rules.settings, kind) is None:
        yield reason(rules, f"discard-{effect}", *_ABOUT.get(kind, ("stop-ranks",)), card=kind)


def _effect(rules: Ruleset, kind: Kind) -> str | None:
    """What the card does on top of the pile: nothing, stop the next player, or freeze it for everybody.

    None where no source says what a special card does.
    """
    settings = rules.settings
    if kind.is_natural:
        return "stop" if kind in settings.stop_ranks else "none"
    if settings.pile == "not-told":
        return None
    if special_top(settings, kind):
        return "none"
    if kind is Kind.BLACK_THREE:
        return "freeze" if settings.black_three_discarded == "freezes" else "stop"
    return "freeze" if kind.is_wild and settings.freezing == "discarded-wild" else "stop"


def _conditions(rules: Ruleset, asked: DiscardQuestion, kind: Kind) -> Iterator[Reason]:
    """What the answer hangs on beside the card, and what else may be done with it."""
    settings = rules.settings
    if asked.last:
        yield reason(rules, "discard-last", "last-discard", "last-discard-special", **_several(asked, kind))
    if settings.discard_fitting == "forbidden" and not kind.is_three:
        yield from _hangs_on_melds(rules, asked, kind)
    if asked.table is None and asked.wild_meld_incomplete is None:
        yield from _hangs_on_wilds(rules, asked, kind)
    if settings.threes_together and kind.is_three:
        threes = settings.threes_together
        yield reason(rules, "discard-threes-together", "threes-together", threes=threes, **_several(asked, kind))
    way = special_top(settings, kind)
    if way is not None:
        yield reason(rules, "discard-top-takes-more", f"pile-tops/{kind}", card=kind, more=way.more)


def _hangs_on_melds(rules: Ruleset, asked: DiscardQuestion, kind: Kind) -> Iterator[Reason]:
    """What the answer hangs on: the side's melds where nobody said which they are, or when a canasta was completed."""
    if asked.table is None:
        why = "wild" if kind.is_wild else "last" if asked.last else "natural"
        yield reason(rules, "discard-fitting", "discard-fitting", card=kind, why=why)
    elif not asked.last and any(meld.cards.of(kind) and not kind.is_wild for meld in asked.table):
        yield reason(rules, "discard-fitting", "discard-fitting", card=kind, why="completed")


def _hangs_on_wilds(rules: Ruleset, asked: DiscardQuestion, kind: Kind) -> Iterator[Reason]:
    """That the answer hangs on a meld of wild cards alone of which nobody said whether there is one."""
    blocked = kind.is_wild and rules.settings.wilds_blocked != "nothing"
    if blocked or (asked.last and _bars_out(rules)):
        ground = "wilds-blocked" if blocked else "incomplete"
        yield reason(rules, "discard-hangs-on-wilds", ground, why="last" if asked.last else "wild")


def _several(asked: DiscardQuestion, kind: Kind) -> dict[str, Figure]:
    """The card, or that there are several."""
    return {"card": kind} if asked.card.cards.size == 1 else {"why": "all"}


def _slips(rules: Ruleset, kind: Kind) -> Iterator[Reason]:
    """What the sources of the answer got wrong."""
    if kind is Kind.BLACK_THREE and rules.settings.black_three_discarded == "freezes":
        yield from faults(rules, "fault-black-three-freezes")
