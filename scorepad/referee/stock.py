"""The stock and the pile: the first cards turned up, discards, and what follows when the stock is used up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, answered
from scorepad.referee.case import (
    ASKER,
    broken,
    cannot_be,
    faults,
    is_frozen,
    is_legal,
    kind_of,
    lay_case,
    naturals_needed,
    reason,
    special_top,
    together,
    token_of,
    unknown_cards,
)
from scorepad.referee.questions import DiscardQuestion, EndOfStockQuestion, UpcardQuestion
from scorepad.rules.cards import Kind, Reading
from scorepad.rules.checks import Figure
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import is_incomplete_wild_meld, read_meld
from scorepad.rules.settings import Settings, Shape, Turned
from scorepad.rules.variants import Ruleset

NUMBERS = {Kind.ACE: 14, Kind.KING: 13, Kind.QUEEN: 12, Kind.JACK: 11}
"""The numbers of cards that do not show one (W, Canastone)."""


@dataclass(frozen=True, slots=True)
class _Turning:
    """How far the turning has come: the cards turned, whether they froze the pile, and the wild cards in a row."""

    reasons: tuple[Reason, ...] = ()
    cards: int = 0
    frozen: bool = False
    wilds: int = 0
    top: Reading | None = None
    size: int = 0
    redeal: bool = False

    @property
    def is_over(self) -> bool:
        """Whether no further card is turned."""
        return self.redeal or self.top is not None


def rule_upcard(rules: Ruleset, question: UpcardQuestion) -> Ruling:
    """What becomes of the first cards turned up."""
    if rules.settings.upcard == "not-told":
        return Ruling(Verdict.SILENT, (reason("upcard-not-told", "upcard"),))
    wrong = cannot_be(rules, *question.cards)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    turned = _Turning()
    for card in question.cards:
        if not turned.is_over:
            turned = _turn(rules, turned, card)
    return _answer(rules, turned, len(question.cards) - turned.cards)


def _turn(rules: Ruleset, before: _Turning, card: Reading) -> _Turning:
    """The next card, turned up on those before it."""
    kind = kind_of(card)
    wilds = before.wilds + 1 if kind.is_wild else 0
    turned = replace(before, cards=before.cards + 1, wilds=wilds)
    if kind.is_natural:
        return _natural(rules, turned, card)
    if rules.settings.upcard_wilds_redeal and wilds >= rules.settings.upcard_wilds_redeal:
        why = reason("upcard-wilds-redeal", "upcard-wilds-redeal", wilds=wilds)
        return replace(turned, reasons=(*turned.reasons, why), redeal=True)
    return _special(rules, turned, card)


def _natural(rules: Ruleset, turned: _Turning, card: Reading) -> _Turning:
    """A natural card is the top of the pile, with as many more cards under it as its number where they are counted."""
    kind = kind_of(card)
    why = [reason("upcard-natural", "upcard", card=kind)]
    under = 0
    if rules.settings.upcard_pile == "by-number":
        under = NUMBERS[kind] if kind in NUMBERS else int(kind.value)
        ground = _at("upcard-pile", turned)
        why.append(reason("upcard-by-number", "upcard", ground, card=kind, number=under))
    return replace(turned, reasons=(*turned.reasons, *why), top=card, size=turned.cards + under)


def _special(rules: Ruleset, turned: _Turning, card: Reading) -> _Turning:
    kind = kind_of(card)
    setting, how = _how(rules.settings, kind)
    if how in _WITHOUT_FREEZING and rules.settings.upcard_freezes == "never":
        how = _WITHOUT_FREEZING[how]
    if how is Turned.BIG_PILE:
        size = rules.settings.upcard_big_piles[(Kind.JOKER, Kind.TWO).index(kind)]
        why = reason("upcard-big-pile", setting, f"upcard-big-piles/{kind}", card=kind, cards=size)
        return replace(turned, reasons=(*turned.reasons, why), top=card, size=size)
    # Where the pile is frozen whatever was turned, no card freezes it or leaves it free.
    always = {"why": "always"} if rules.settings.freezing == "always" else {}
    why = reason(f"upcard-{how}", _at(setting, turned), card=kind, **always)
    return _TREATED[how](replace(turned, reasons=(*turned.reasons, why)), card)


def _at(setting: str, turned: _Turning) -> str:
    """The ground of what becomes of a card: sources may speak of the first one turned only."""
    return setting if turned.cards == 1 else f"{setting}/later"


def _how(settings: Settings, kind: Kind) -> tuple[str, Turned]:
    """What becomes of a special card, and the setting that says so."""
    if kind is Kind.RED_THREE:
        return "upcard-red-three", settings.upcard_red_three
    if kind is Kind.BLACK_THREE:
        return "upcard-black-three", settings.upcard_black_three
    return "upcard-wild", settings.upcard_wild


_WITHOUT_FREEZING = {Turned.FREEZE: Turned.COVER, Turned.STAY_AND_FREEZE: Turned.STAY}

_TREATED: dict[Turned, Callable[[_Turning, Reading], _Turning]] = {
    Turned.COVER: lambda turned, _: turned,
    Turned.FREEZE: lambda turned, _: replace(turned, frozen=True),
    Turned.STAY: lambda turned, card: replace(turned, top=card, size=turned.cards),
    Turned.STAY_AND_FREEZE: lambda turned, card: replace(turned, top=card, size=turned.cards, frozen=True),
    Turned.REDEAL: lambda turned, _: replace(turned, redeal=True),
}


def _answer(rules: Ruleset, turned: _Turning, rest: int) -> Ruling:
    reasons = list(turned.reasons)
    if not turned.is_over:
        reasons.append(reason("upcard-turn-another", "upcard"))
    if rest:
        reasons.append(reason("upcard-too-many", "upcard", cards=rest))
    if turned.redeal:
        return Ruling(Verdict.VALUE, tuple(reasons), {"redeal": True})
    freezing = rules.settings.freezing
    details: dict[str, Detail] = {"frozen": is_frozen(rules.settings, noted=turned.frozen), "redeal": False}
    if freezing != "discarded-wild":
        # Always frozen, or never, whatever was turned.
        reasons.append(reason(f"upcard-{freezing}-frozen", "freezing"))
    if turned.top is not None:
        exchanged = sum(rules.settings.sides) if rules.settings.first_exchange else 0
        details = {"top": token_of(turned.top), **details, "pile_size": turned.size + exchanged}
        reasons += _exchanged(exchanged)
    return Ruling(Verdict.VALUE, tuple(reasons), details)


def _exchanged(cards: int) -> list[Reason]:
    """Cards that the players put on the pile before it was turned; the source counts them wrong."""
    if not cards:
        return []
    return [
        reason("upcard-exchanged", "first-exchange", cards=cards),
        reason("fault-first-pile-of-two", "first-exchange", cards=cards + 1),
    ]


MUST_TAKE = "must-take"
"""The step of the end of the stock by which a player may have to take the pile."""


def rule_end_of_stock(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """What happens when the last card of the stock is drawn."""
    # The card drawn last may be the one on top by now, or lie on the table.
    wrong = unknown_cards(rules, question.last_card, question.top, *question.table) or cannot_be(
        rules, question.top, *question.table
    )
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    how = rules.settings.end_of_stock
    if how == "at-once":
        return _value((reason("stock-at-once", "end-of-stock"),), hand_ends=True, must_take=False)
    if how == "hand-ends":
        return _hand_ends(rules, question)
    return _while_taken(rules, question)


def _value(reasons: tuple[Reason, ...], **details: Detail) -> Ruling:
    return Ruling(Verdict.VALUE, reasons, details)


def _is_red_three(card: Reading) -> bool:
    return card.cards.of(Kind.RED_THREE) > 0


def _hand_ends(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """The hand ends when a player must draw and cannot; whoever drew the last card still plays."""
    # Where a red three need not be exposed, it is drawn like any card.
    if _is_red_three(question.last_card) and rules.settings.red_threes_kept == "exposed":
        unreplaced = reason("stock-red-three-unreplaced", "red-threes-kept", "end-of-stock")
        ends = reason("stock-hand-ends", "end-of-stock", why="red-three")
        told = (unreplaced, ends, *faults(rules, "fault-not-replaced"))
        return _value(told, hand_ends=True, must_take=False, may_discard=False)
    ends = reason("stock-hand-ends", "end-of-stock")
    return _value((ends, *_may_oblige(rules, question)), hand_ends=True, must_take=False, may_discard=True)


def _may_oblige(rules: Ruleset, question: EndOfStockQuestion) -> Iterator[Reason]:
    """What one source adds: that a discard which fits a meld of the side must be taken from a pile not frozen."""
    settings, top = rules.settings, question.top
    never_so = settings.pile == "not-told" or settings.pile_top_laid_off == "never" or settings.freezing == "always"
    frozen = question.pile_has_wild and settings.freezing != "never"
    fits = not top.cards.size or any(is_legal(rules, together(meld, top)) for meld in question.table)
    special = top.cards.size and not kind_of(top).is_natural
    if not (never_so or frozen or special) and fits:
        yield reason("stock-may-oblige", f"end-of-stock/{MUST_TAKE}")


def _while_taken(rules: Ruleset, question: EndOfStockQuestion) -> Ruling:
    """Play goes on as long as the pile is taken by who must."""
    nobody = reason("stock-nobody-out", "end-of-stock")
    if _is_red_three(question.last_card):
        last = reason("stock-red-three-last", "end-of-stock")
        return _value((last, nobody), hand_ends=True, must_take=False, may_discard=False)
    against = tuple(_against_taking(rules, question))
    if against:
        return _value((*against, nobody), hand_ends=True, must_take=False, may_discard=True)
    # What the player holds is not known: where it matters, the reason says so.
    with_the_hand = tuple(_with_the_hand(rules, kind_of(question.top)))
    taken = with_the_hand or (reason("stock-must-take", "end-of-stock", card=kind_of(question.top)),)
    after = (reason("stock-not-taken-ends", "end-of-stock"), *faults(rules, "fault-without-going-out"))
    return _value((*taken, *after), hand_ends=False, must_take=True, may_discard=True)


def _with_the_hand(rules: Ruleset, top: Kind) -> Iterator[Reason]:
    """That only a player with cards for it can take the pile: laying the top card off alone never takes it here."""
    settings = rules.settings
    frozen = is_frozen(settings, noted=False)
    if frozen:
        rests = ("end-of-stock", "freezing", "pile-naturals-frozen")
        naturals = naturals_needed(settings, frozen=frozen)
        yield reason("stock-always-frozen", *rests, card=top, naturals=naturals)
    elif settings.pile_top_laid_off == "never":
        yield reason("stock-never-laid-off", "end-of-stock", "pile-top-laid-off", card=top)


def _against_taking(rules: Ruleset, question: EndOfStockQuestion) -> Iterator[Reason]:
    """Why the next player need not take the pile: it is never taken so, or not this time."""
    if not question.top.cards.size:
        yield reason("stock-no-top", "end-of-stock")
        return
    top = kind_of(question.top)
    yield from _against_top(rules, question, top)
    if question.pile_has_wild or top.is_wild:
        yield reason("stock-pile-has-wild", "end-of-stock")
    if question.pile_has_red_three or top is Kind.RED_THREE:
        yield reason("stock-pile-has-red-three", "end-of-stock")


def _against_top(rules: Ruleset, question: EndOfStockQuestion, top: Kind) -> Iterator[Reason]:
    """What of the top card itself frees from taking it."""
    if not top.is_natural:
        yield reason("stock-top-special", "pile-tops", card=top)
        return
    of_rank = [meld for meld in question.table if meld.cards.ranks == question.top.cards.ranks]
    if not any(is_legal(rules, together(meld, question.top)) for meld in of_rank):
        full = [meld.cards.size for meld in of_rank if not rules.settings.may_grow(meld.cards.size)]
        if full:
            yield reason("stock-top-full", "end-of-stock", "meld-longest", card=top, cards=full[0])
        else:
            yield reason("stock-top-fits-nothing", "end-of-stock", card=top, why="named")
    elif top in rules.settings.stop_ranks:
        yield reason("stock-top-stops", "stop-ranks", card=top)


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
