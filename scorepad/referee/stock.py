"""Rulings on the stock and the pile: the first cards turned up, discards, and the end of the stock."""

from __future__ import annotations

from scorepad.referee.case import (
    ASKER,
    against_impossible_cards,
    against_unknown_cards,
    answers,
    broken,
    faults,
    incomplete_wild_melds,
    is_frozen,
    is_legal,
    kind_of,
    lay_case,
    naturals_needed,
    reason,
    special_top,
    together,
)
from scorepad.referee.questions import (
    Details,
    DiscardQuestion,
    EndOfStockQuestion,
    Reason,
    Reasons,
    Ruling,
    UpcardQuestion,
    allowed,
    forbidden,
    silent,
    value,
)
from scorepad.rules.cards import Kind, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings, Shape, UpcardEffect
from scorepad.rules.table import Out

NUMBERS = {Kind.ACE: 14, Kind.KING: 13, Kind.QUEEN: 12, Kind.JACK: 11}
"""The numbers of the cards without a printed number (W, Canastone)."""


@answers(UpcardQuestion)
def rule_upcard(rules: Ruleset, question: UpcardQuestion) -> Ruling:
    """What happens with the first cards turned up."""
    settings = rules.settings
    if settings.pile == "not-refereed" or settings.upcard == "not-told":
        return silent((_why_upcard_unanswered(settings),))
    if wrong := against_impossible_cards(rules, *question.cards):
        return forbidden(wrong)
    reasons: list[Reason] = []
    frozen, how, wilds, turned, size = False, "cover", 0, 0, 0
    for turned, card in enumerate(question.cards, 1):
        kind = kind_of(card)
        wilds = wilds + 1 if kind.is_wild else 0
        if 0 < settings.upcard_wilds_redeal <= wilds:
            reasons.append(reason("upcard-wilds-redeal", "upcard-wilds-redeal", wilds=wilds))
            how = "redeal"
        else:
            why, how, size = _upcard_effect(settings, kind, turned)
            reasons += why
            frozen = frozen or how in ("freeze", "stay-and-freeze")
        if how == "redeal" or size:
            break
    else:
        reasons.append(reason("upcard-turn-another", "upcard"))
    if turned < len(question.cards):
        reasons.append(reason("upcard-too-many", "upcard", cards=len(question.cards) - turned))
    if how == "redeal":
        return value(tuple(reasons), {"redeal": True})
    details: Details = {"frozen": is_frozen(settings, noted=frozen), "redeal": False}
    if settings.freezing != "discarded-wild":
        # Always or never frozen, regardless of the cards turned.
        reasons.append(reason(f"upcard-{settings.freezing}-frozen", "freezing"))
    if size:
        # Cards that the players put on the pile before the upcard; the source miscounts them.
        exchanged = sum(settings.sides) if settings.first_exchange else 0
        top = write_cards(question.cards[turned - 1].cards)
        details = {"top": top, **details, "pile_size": size + exchanged}
        if exchanged:
            reasons.append(reason("upcard-exchanged", "first-exchange", cards=exchanged))
            reasons.append(reason("fault-first-pile-of-two", "first-exchange", cards=exchanged + 1))
    return value(tuple(reasons), details)


def _why_upcard_unanswered(settings: Settings) -> Reason:
    if settings.pile == "not-refereed":
        return Reason("upcard-not-refereed")
    return reason("upcard-not-told", "upcard")


def _upcard_effect(
    settings: Settings, kind: Kind, turned: int
) -> tuple[list[Reason], UpcardEffect, int]:
    """What happens with a card turned up at this position.

    Returns why, how it is treated, and the size of the pile that it tops: 0 if another card is
    turned on it.
    """
    # Sources may mention only the first card turned.
    later = "" if turned == 1 else "/later"
    if kind.is_natural:
        why = [reason("upcard-natural", "upcard", card=kind)]
        if settings.upcard_pile != "by-number":
            return why, "stay", turned
        # As many more cards are under it as its number.
        number = NUMBERS[kind] if kind in NUMBERS else int(kind.value)
        why.append(
            reason("upcard-by-number", "upcard", f"upcard-pile{later}", card=kind, number=number)
        )
        return why, "stay", turned + number
    setting, how = {
        Kind.RED_THREE: ("upcard-red-three", settings.upcard_red_three),
        Kind.BLACK_THREE: ("upcard-black-three", settings.upcard_black_three),
    }.get(kind, ("upcard-wild", settings.upcard_wild))
    if settings.upcard_freezes == "never":
        how = "cover" if how == "freeze" else "stay" if how == "stay-and-freeze" else how
    if how == "big-pile":
        size = settings.upcard_big_piles[(Kind.JOKER, Kind.TWO).index(kind)]
        return (
            [reason("upcard-big-pile", setting, f"upcard-big-piles/{kind}", card=kind, cards=size)],
            how,
            size,
        )
    # If the pile is always frozen, no card freezes it or leaves it free.
    always = {"why": "always"} if settings.freezing == "always" else {}
    stays = how in ("stay", "stay-and-freeze")
    return (
        [reason(f"upcard-{how}", f"{setting}{later}", card=kind, **always)],
        how,
        turned if stays else 0,
    )


# ----------------------------------------------------------------------------- the end of the stock

MUST_TAKE = "must-take"
"""The step of the end of the stock that may require a player to take the pile."""
THREE_STAYS = "three"
"""The step of the end of the stock for a game in which a three drawn last ends the hand and stays
in the hand.
"""


@answers(EndOfStockQuestion)
def rule_end_of_stock(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """What happens when the last card of the stock is drawn."""
    settings, last, top, table = rules.settings, question.last_card, question.top, question.table
    # The card drawn last may now be on top of the pile, or on the table.
    if wrong := against_unknown_cards(rules, last, top, *table) or against_impossible_cards(
        rules, top, *table
    ):
        return forbidden(wrong)
    if settings.end_of_stock == "at-once":
        return value((reason("stock-at-once", "end-of-stock"),), _HAND_ENDS)
    is_three = last.cards.of(Kind.RED_THREE) + last.cards.of(Kind.BLACK_THREE) > 0
    if is_three and THREE_STAYS in rules.cited["end-of-stock"].steps:
        step = f"end-of-stock/{THREE_STAYS}"
        stays = reason("stock-three-stays", step, "held-red-three", points=settings.held_red_three)
        return value((stays,), {**_HAND_ENDS, "may_discard": False})
    if settings.end_of_stock == "hand-ends":
        return _rule_hand_ends(rules, question)
    return _rule_pile_goes_on(rules, question)


_HAND_ENDS: Details = {"hand_ends": True, "must_take": False}


def _rule_hand_ends(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """The hand ends when a player must draw and cannot; whoever drew the last card still plays."""
    # If a red three need not be exposed, it is drawn like any other card.
    if question.last_card.cards.of(Kind.RED_THREE) and rules.settings.red_threes_kept == "exposed":
        reasons = [
            reason("stock-red-three-unreplaced", "red-threes-kept", "end-of-stock"),
            reason("stock-hand-ends", "end-of-stock", why="red-three"),
            *faults(rules, "fault-not-replaced"),
        ]
        return value(tuple(reasons), {**_HAND_ENDS, "may_discard": False})
    reasons = [reason("stock-hand-ends", "end-of-stock")]
    if _may_oblige(rules, question):
        reasons.append(reason("stock-may-oblige", f"end-of-stock/{MUST_TAKE}"))
    return value(tuple(reasons), {**_HAND_ENDS, "may_discard": True})


def _may_oblige(rules: Ruleset, question: EndOfStockQuestion) -> bool:
    """Whether the discard may have to be taken.

    One source adds that it must be, from a pile that is not frozen, if it fits a meld of the side.
    """
    settings, top = rules.settings, question.top
    if (
        settings.pile == "not-refereed"
        or settings.pile_top_laid_off == "never"
        or settings.freezing == "always"
    ):
        return False
    is_noted_frozen = question.pile_has_wild and settings.freezing != "never"
    if is_noted_frozen:
        return False
    if not top.cards.size:
        return True
    return kind_of(top).is_natural and any(
        is_legal(rules, together(meld, top)) for meld in question.table
    )


def _rule_pile_goes_on(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """Play continues as long as the player who must take the pile does."""
    settings, top = rules.settings, question.top
    red_three = question.last_card.cards.of(Kind.RED_THREE) > 0
    against = (
        [reason("stock-red-three-last", "end-of-stock")]
        if red_three
        else [*_against_taking(rules, question)]
    )
    if against:
        reasons = [*against, reason("stock-nobody-out", "end-of-stock")]
        return value(tuple(reasons), {**_HAND_ENDS, "may_discard": not red_three})
    kind = kind_of(top)
    taken = reason("stock-must-take", "end-of-stock", card=kind)
    # If laying off the top card alone never takes the pile, only a player with cards for it can
    # take it.
    if is_frozen(settings, noted=False):
        grounds = ("end-of-stock", "freezing", "pile-naturals-frozen")
        taken = reason(
            "stock-always-frozen",
            *grounds,
            card=kind,
            naturals=naturals_needed(settings, frozen=True),
        )
    elif settings.pile_top_laid_off == "never":
        taken = reason("stock-never-laid-off", "end-of-stock", "pile-top-laid-off", card=kind)
    after = (
        reason("stock-not-taken-ends", "end-of-stock"),
        *faults(rules, "fault-without-going-out"),
    )
    return value((taken, *after), {"hand_ends": False, "must_take": True, "may_discard": True})


def _against_taking(rules: Ruleset, question: EndOfStockQuestion) -> Reasons:
    """Why the next player need not take the pile: it is never obligatory, or not in this case."""
    if not question.top.cards.size:
        yield reason("stock-no-top", "end-of-stock")
        return
    top = kind_of(question.top)
    of_rank = [meld for meld in question.table if meld.cards.ranks == question.top.cards.ranks]
    full = [meld.cards.size for meld in of_rank if not rules.settings.may_grow(meld.cards.size)]
    if not top.is_natural:
        yield reason("stock-top-special", "pile-tops", card=top)
    elif any(is_legal(rules, together(meld, question.top)) for meld in of_rank):
        if top in rules.settings.stop_ranks:
            yield reason("stock-top-stops", "stop-ranks", card=top)
    elif full:
        yield reason("stock-top-full", "end-of-stock", "meld-longest", card=top, cards=full[0])
    else:
        yield reason("stock-top-fits-nothing", "end-of-stock", card=top, why="named")
    if question.pile_has_wild or top.is_wild:
        yield reason("stock-pile-has-wild", "end-of-stock")
    if question.pile_has_red_three or top is Kind.RED_THREE:
        yield reason("stock-pile-has-red-three", "end-of-stock")


# ----------------------------------------------------------------------------------------- discards

LAST_DISCARD_CHECKS = frozenset(
    {"out-discard-special", "out-wild-meld-incomplete", "out-meld-incomplete"}
)
"""The checks of going out that concern a last discard beside the side's melds."""
_GROUNDS = {Kind.BLACK_THREE: "black-three-discarded", Kind.RED_THREE: "red-threes-kept"}
"""The settings for the effect of a discarded three; wild cards use `freezing`, natural ones
`stop-ranks`.
"""


@answers(DiscardQuestion)
def rule_discard(rules: Ruleset, question: DiscardQuestion) -> Ruling:
    """Whether a card may be discarded, and its effect on the pile."""
    settings, melds = rules.settings, question.table or ()
    if wrong := against_unknown_cards(rules, question.card, *melds) or against_impossible_cards(
        rules, question.card, *melds
    ):
        return forbidden(wrong)
    kind = kind_of(question.card)
    against = tuple(_against_discard(rules, question, kind))
    if against:
        return forbidden(against)
    top, effect = special_top(settings, kind), discard_effect(settings, kind)
    if effect is None and not question.last:
        return silent((Reason("discard-not-refereed", {"card": kind}),))
    reasons: list[Reason] = []
    # The last card ends the hand and has no other effect; what taking it requires is reported
    # separately.
    if not question.last and top is None:
        reasons += _why_effect(settings, kind, effect)
    if (
        not question.last
        and kind is Kind.BLACK_THREE
        and settings.black_three_discarded == "freezes"
    ):
        reasons += faults(rules, "fault-black-three-freezes")
    reasons += _conditions(settings, question, kind)
    if top is not None:
        reasons.append(
            reason("discard-top-takes-more", f"pile-tops/{kind}", card=kind, more=top.more)
        )
    return allowed(tuple(reasons), {} if effect is None else {"effect": effect})


def _why_effect(settings: Settings, kind: Kind, effect: str | None) -> Reasons:
    """The effect of a card that was discarded; where it freezes the pile, also what then takes it."""
    ground = _GROUNDS.get(kind, "freezing" if kind.is_wild else "stop-ranks")
    yield reason(f"discard-{effect}", ground, card=kind)
    if effect == "freeze":
        naturals = naturals_needed(settings, frozen=True)
        why = "one" if naturals == 1 else "several"
        yield reason("discard-frozen-needs", "pile-naturals-frozen", naturals=naturals, why=why)


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
    freezes = kind.is_wild and settings.freezing == "discarded-wild"
    if kind is Kind.BLACK_THREE:
        freezes = settings.black_three_discarded == "freezes"
    return "freeze" if freezes else "stop"


def _against_discard(rules: Ruleset, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What forbids the discard."""
    settings, melds = rules.settings, question.table or ()
    bound = question.wild_meld_incomplete or incomplete_wild_melds(settings, melds) > 0
    if question.last:
        out = Out(ASKER, discard=question.card, discard_noted=True)
        yield from broken(lay_case(rules, *melds, out=out), LAST_DISCARD_CHECKS)
        if question.wild_meld_incomplete and not question.table and _bars_out(settings, "wilds"):
            yield reason("out-wild-meld-incomplete", "incomplete", melds=1)
    if kind is Kind.RED_THREE and settings.red_threes_kept == "exposed":
        yield reason("discard-red-three", "red-threes-kept/discard")
    if kind is Kind.BLACK_THREE and settings.black_threes_exposed:
        yield reason("discard-black-three-exposed", "black-threes-exposed")
    if (
        kind is Kind.BLACK_THREE
        and question.first_round
        and settings.first_round_black_threes == "forbidden"
    ):
        yield reason("discard-first-round", "first-round-black-threes")
    if kind.is_wild and bound and settings.wilds_blocked != "nothing":
        yield reason("discard-wilds-blocked", "wilds-blocked", card=kind)
    fitting = [
        together(meld, question.card) for meld in melds if meld.cards.size < settings.canasta_length
    ]
    if settings.discard_fitting == "forbidden" and any(is_legal(rules, meld) for meld in fitting):
        yield reason("discard-fits", "discard-fitting", card=kind)


def _bars_out(settings: Settings, shape: Shape) -> bool:
    """Whether an incomplete meld of this shape prevents going out."""
    return any(each.bars_out and each.shape == shape for each in settings.incomplete)


def _conditions(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """What the answer depends on besides the card."""
    last, table = question.last, question.table
    several = {"why": "all"} if question.card.cards.size > 1 else {"card": kind}
    if last:
        yield reason("discard-last", "last-discard", "last-discard-special", **several)
    if settings.discard_fitting == "forbidden" and not kind.is_three:
        if table is None:
            why = "wild" if kind.is_wild else "last" if last else "natural"
            yield reason("discard-fitting", "discard-fitting", card=kind, why=why)
        elif not last and any(meld.cards.of(kind) and not kind.is_wild for meld in table):
            yield reason("discard-fitting", "discard-fitting", card=kind, why="completed")
    if table is None:
        yield from _hangs_on_table(settings, question, kind)
    if settings.threes_together and kind.is_three:
        yield reason(
            "discard-threes-together", "threes-together", threes=settings.threes_together, **several
        )


def _hangs_on_table(settings: Settings, question: DiscardQuestion, kind: Kind) -> Reasons:
    """The melds of the side on which the answer depends, if they were not given."""
    last = question.last
    if last and _bars_out(settings, "group"):
        yield reason("discard-hangs-on-melds", "incomplete")
        return
    if question.wild_meld_incomplete is not None:
        return
    if kind.is_wild and settings.wilds_blocked != "nothing":
        yield reason("discard-hangs-on-wilds", "wilds-blocked", why="last" if last else "wild")
    elif last and _bars_out(settings, "wilds"):
        yield reason("discard-hangs-on-wilds", "incomplete", why="last")
