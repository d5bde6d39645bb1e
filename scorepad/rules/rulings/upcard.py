"""The first cards turned up: what becomes the top of the pile, how many cards it has, and whether it is frozen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from scorepad.rules.cards import Kind, Reading
from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import UpcardAsked
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.reading import kind_of, token_of
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.rulings.taking import is_frozen
from scorepad.rules.rulings.ways_weighing import cannot_be
from scorepad.rules.settings import Settings
from scorepad.rules.terms import Turned
from scorepad.rules.variants import Ruleset

REASONS = (
    "upcard-not-told", "upcard-natural", "upcard-cover", "upcard-freeze", "upcard-stay", "upcard-stay-and-freeze",
    "upcard-redeal", "upcard-wilds-redeal", "upcard-big-pile", "upcard-by-number", "upcard-turn-another",
    "upcard-always-frozen", "upcard-never-frozen", "upcard-too-many", "upcard-exchanged",
    "fault-first-pile-of-two",
)  # fmt: skip
"""The codes of its own reasons."""

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


@ruling(UpcardAsked)
def rule_upcard(rules: Ruleset, asked: UpcardAsked) -> Ruling:
    """What becomes of the first cards turned up."""
    if rules.settings.upcard == "not-told":
        return Ruling(Verdict.SILENT, (reason(rules, "upcard-not-told", "upcard"),))
    wrong = cannot_be(rules, *asked.cards)
    if wrong:
        return Ruling(Verdict.FORBIDDEN, wrong)
    turned = _Turning()
    for card in asked.cards:
        if not turned.is_over:
            turned = _turn(rules, turned, card)
    return _answer(rules, turned, len(asked.cards) - turned.cards)


def _turn(rules: Ruleset, before: _Turning, card: Reading) -> _Turning:
    """The next card, turned up on those before it."""
    kind = kind_of(card)
    wilds = before.wilds + 1 if kind.is_wild else 0
    turned = replace(before, cards=before.cards + 1, wilds=wilds)
    if kind.is_natural:
        return _natural(rules, turned, card)
    if rules.settings.upcard_wilds_redeal and wilds >= rules.settings.upcard_wilds_redeal:
        why = reason(rules, "upcard-wilds-redeal", "upcard-wilds-redeal", wilds=wilds)
        return replace(turned, reasons=(*turned.reasons, why), redeal=True)
    return _special(rules, turned, card)


def _natural(rules: Ruleset, turned: _Turning, card: Reading) -> _Turning:
    """A natural card is the top of the pile, with as many more cards under it as its number where they are counted."""
    kind = kind_of(card)
    why = [reason(rules, "upcard-natural", "upcard", card=kind)]
    under = 0
    if rules.settings.upcard_pile == "by-number":
        under = NUMBERS[kind] if kind in NUMBERS else int(kind.value)
        ground = _at("upcard-pile", turned)
        why.append(reason(rules, "upcard-by-number", "upcard", ground, card=kind, number=under))
    return replace(turned, reasons=(*turned.reasons, *why), top=card, size=turned.cards + under)


def _special(rules: Ruleset, turned: _Turning, card: Reading) -> _Turning:
    kind = kind_of(card)
    setting, how = _how(rules.settings, kind)
    if how in _WITHOUT_FREEZING and rules.settings.upcard_freezes == "never":
        how = _WITHOUT_FREEZING[how]
    if how is Turned.BIG_PILE:
        size = rules.settings.upcard_big_piles[(Kind.JOKER, Kind.TWO).index(kind)]
        why = reason(rules, "upcard-big-pile", setting, f"upcard-big-piles/{kind}", card=kind, cards=size)
        return replace(turned, reasons=(*turned.reasons, why), top=card, size=size)
    # Where the pile is frozen whatever was turned, no card freezes it or leaves it free.
    always = {"why": "always"} if rules.settings.freezing == "always" else {}
    why = reason(rules, f"upcard-{how}", _at(setting, turned), card=kind, **always)
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
        reasons.append(reason(rules, "upcard-turn-another", "upcard"))
    if rest:
        reasons.append(reason(rules, "upcard-too-many", "upcard", cards=rest))
    if turned.redeal:
        return Ruling(Verdict.VALUE, tuple(reasons), {"redeal": True})
    freezing = rules.settings.freezing
    details: dict[str, Detail] = {"frozen": is_frozen(rules.settings, noted=turned.frozen), "redeal": False}
    if freezing != "discarded-wild":
        # Always frozen, or never, whatever was turned.
        reasons.append(reason(rules, f"upcard-{freezing}-frozen", "freezing"))
    if turned.top is not None:
        exchanged = sum(rules.settings.sides) if rules.settings.first_exchange else 0
        details = {"top": token_of(turned.top), **details, "pile_size": turned.size + exchanged}
        reasons += _exchanged(rules, exchanged)
    return Ruling(Verdict.VALUE, tuple(reasons), details)


def _exchanged(rules: Ruleset, cards: int) -> list[Reason]:
    """Cards that the players put on the pile before it was turned; the source counts them wrong."""
    if not cards:
        return []
    return [
        reason(rules, "upcard-exchanged", "first-exchange", cards=cards),
        reason(rules, "fault-first-pile-of-two", "first-exchange", cards=cards + 1),
    ]
