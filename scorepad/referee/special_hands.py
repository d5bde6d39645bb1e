"""Rulings on special hands: fourteen cards that a player shows at once, in place of laying them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.referee.questions import OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Reason, Reasons, Ruling, allowed
from scorepad.rules.cards import KINDS, Cards, Kind
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings

_PAIR = 2
"""Equal cards in a pair."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What the cards of a special hand must be.

    `groups` are the numbers of equal natural cards, the largest first: `(4, 4, 3, 3)` for four
    kings, four nines, three queens and three fives. `wilds` is the number of jokers and twos.
    """

    groups: tuple[int, ...]
    wilds: int = 0
    wilds_are_pairs: bool = False
    """Whether the wild cards must be pairs: two jokers, or two twos."""
    pairs: tuple[Kind, ...] = ()
    """Kinds of which there must be a pair."""

    def fits(self, cards: Cards) -> bool:
        """Tell whether these are the cards of such a hand; threes are in none of them."""
        natural_counts = [cards.of(kind) for kind in KINDS if kind.is_natural]
        groups = sorted((count for count in natural_counts if count > 0), reverse=True)
        if tuple(groups) != self.groups or cards.wilds != self.wilds:
            return False
        if cards.size != sum(groups) + self.wilds:  # there are threes
            return False
        if self.wilds_are_pairs and cards.of(Kind.TWO) % _PAIR == 1:
            return False
        return all(cards.of(kind) == _PAIR for kind in self.pairs)


_ACES_AND_SEVENS = (Kind.ACE, Kind.SEVEN)
_PATTERNS: Mapping[str, tuple[_Pattern, ...]] = {
    "pairs": (_Pattern((_PAIR,) * 7),),
    "wild-pairs": (_Pattern((_PAIR,) * 6, wilds=2, wilds_are_pairs=True, pairs=_ACES_AND_SEVENS),),
    "miami-pairs": (
        _Pattern((_PAIR,) * 5, wilds=4, pairs=(*_ACES_AND_SEVENS, Kind.TWO, Kind.JOKER)),
    ),
    "garbage": (_Pattern((4, 4, 3, 3)),),
    "zip-code": (_Pattern((4, 3, 3, 2, 2)),),
    "blast-off": (_Pattern((5, 4, 3, 2)),),
    "triples": (_Pattern((3, 3, 3, 3), wilds=2, wilds_are_pairs=True),),
    "quads": (_Pattern((4, 4, 4), wilds=2, wilds_are_pairs=True),),
    "dream": (_Pattern((5, 5), wilds=4), _Pattern((5, 4), wilds=5)),
}
"""The special hands of groups of equal cards, by name; the straight is found by itself."""


def find_special_hand(settings: Settings, cards: Cards) -> str | None:
    """Find the special hand that these cards are, by its name; None if they are none.

    `4xK 4x9 3xQ 3x5` → `"garbage"`, in a game that has this special hand.
    """
    for name, _points in settings.special_hands:
        if name == "straight" and _is_straight(cards):
            return name
        if any(pattern.fits(cards) for pattern in _PATTERNS.get(name, ())):
            return name
    return None


def _is_straight(cards: Cards) -> bool:
    """Tell whether the cards are one of each rank from ace to king, the two and the three included,
    and a joker.
    """
    threes = cards.of(Kind.RED_THREE) + cards.of(Kind.BLACK_THREE)
    if threes != 1:
        return False
    return all(cards.of(kind) == 1 for kind in KINDS if not kind.is_three)


def rule_special_hand(rules: Ruleset, question: OutQuestion, name: str) -> Ruling | None:
    """Rule that a player shows this special hand, which ends the round; None if it is too late.

    The details name it: `{"special": "garbage", "points": 3000}`.
    """
    settings = rules.settings
    has_side_melded = len(question.table) > 0
    if has_side_melded and settings.special_hands_courtesy == "none":
        return None
    points = dict(settings.special_hands)[name]
    reasons = tuple(_explain_special_hand(name, points, has_side_melded=has_side_melded))
    return allowed(reasons, {"special": name, "points": points})


def _explain_special_hand(name: str, points: int, *, has_side_melded: bool) -> Reasons:
    """Explain what a special hand is worth, and what becomes of everything else."""
    # On the page: "These 14 cards are the special hand “garbage”: it is shown at once, without a
    # discard, the hand ends, and it is worth 3,000 points."
    yield reason(
        "special-hand", cited_settings=f"special-hands/{name}", special=name, points=points
    )
    # On the page: "They are the side's whole score: threes and the partner's cards are left out."
    yield reason("special-hand-alone", cited_settings="special-hands")
    if has_side_melded:
        # On the page: "Only if the partner opened just before: it is the courtesy of the next turn."
        yield reason("special-hand-courtesy", cited_settings="special-hands-courtesy")


def explain_late_special_hand(name: str) -> Reason:
    """Explain that cards would be a special hand, but that their side has melded already."""
    # On the page: "These 14 cards would be the special hand “garbage”, but it is shown only before
    # the side has melded."
    return reason("special-hand-too-late", cited_settings="special-hands-courtesy", special=name)
