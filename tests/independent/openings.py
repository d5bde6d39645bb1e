"""What a side laid, against the opening minimum (rules: "the opening", canastone, moderna,
tagliagola).
"""

from __future__ import annotations

from collections.abc import Iterator

from .cards import Cards
from .game import Game
from .hand import Hand, Side
from .melds import canasta, is_wild_meld, reclaimed_rank

Found = Iterator[tuple[str, ...]]
"""Code, name of the side, and the keys below it that the problem is at."""


def opening_problems(hand: Hand) -> Found:
    """Openings noted, openings that cannot have been, openings that totals leave open."""
    for name, side in hand.sides.items():
        if name in hand.before and side.opening is not None:
            yield from _noted(hand, side)
    for team in hand.teams():
        if all(name in hand.before for name in team):
            yield from _whole_hand(hand, team)


def is_free(hand: Hand, team: tuple[str, ...]) -> bool:
    """Whether the team went out concealed under the rule that asks no minimum."""
    if hand.out is None or hand.out.side not in team:
        return False
    waived = hand.game.option("concealed-out") == "own-melds-only" and hand.game.concealed_alone
    return hand.out.concealed and waived


def _noted(hand: Hand, side: Side) -> Found:
    game, minimum = hand.game, hand.game.minimum(hand.before[side.name], hand.deal)
    melds = side.opening or ()
    if minimum is None or side.unknown or any(meld.unknown for meld in melds):
        return
    concealed = hand.went_out(side.name) and hand.out is not None and hand.out.concealed
    barred = any(meld.blacks for meld in melds) and not concealed
    fit = game.variant == "moderna" and _opens_modern(game, melds)
    splashed = fit and any(_splashes(game, side, (meld,)) for meld in melds)
    short = _noted_points(game, melds, minimum) < minimum and not is_free(hand, (side.name,))
    short = short and not splashed
    if barred or short:
        yield "opening-below-minimum", side.name, "opening"


def _noted_points(game: Game, melds: tuple[Cards, ...], minimum: int) -> int:
    """The card points that an opening as noted counts; 0 where it may not open at all."""
    if game.variant == "canastone":
        if minimum <= 50:
            return sum(meld.points for meld in melds if not meld.wilds)
        if _only_wilds(game, melds):
            return 0
    if game.variant == "moderna" and not _opens_modern(game, melds):
        return 0
    return sum(meld.points for meld in melds)


def _only_wilds(game: Game, melds: tuple[Cards, ...]) -> bool:
    return all(is_wild_meld(game, meld) for meld in melds) and not game.option("wild-opening")


def _opens_modern(game: Game, melds: tuple[Cards, ...]) -> bool:
    natural = any(len(meld.naturals) >= 3 and not meld.wilds for meld in melds)
    fit = natural or _wilds_open(game, melds)
    return fit and all(canasta(game, meld) != "mixed-canasta" for meld in melds)


def _wilds_open(game: Game, melds: tuple[Cards, ...]) -> bool:
    """Whether wild cards alone open as well as three naturals, and some are there."""
    return game.option("opening-group") == "or-wilds" and any(
        is_wild_meld(game, meld) for meld in melds
    )


def _splashes(game: Game, side: Side, melds: tuple[Cards, ...]) -> bool:
    """Whether a canasta without natural and wild cards together opens, or may have opened, without
    a minimum.
    """
    if game.option("splash") is not True:
        return False
    made = {canasta(game, meld) for meld in melds}
    if side.totals:
        made |= set(+side.totals.canastas)
    return bool(made - {None, "mixed-canasta"})


def _whole_hand(hand: Hand, team: tuple[str, ...]) -> Found:
    sides = [hand.side(name) for name in team]
    laid = [side for side in sides if side.laid]
    minima = [
        hand.game.minimum(hand.before[name], hand.deal) for name in _openers(hand, team, laid)
    ]
    known = [minimum for minimum in minima if minimum is not None]
    if (
        not laid
        or not known
        or is_free(hand, team)
        or _wilds_may_be_back(hand, team)
        or any(side.unknown or side.sum is not None for side in sides)
    ):
        return
    points = sum(_most(hand.game, side, min(known)) for side in laid)
    splashed = points > 0 and any(
        _splashes(hand.game, side, tuple(meld.cards for meld in side.melds)) for side in laid
    )
    if points < min(known):
        if not splashed:
            yield "opening-impossible", laid[0].name
        return
    for side in laid:
        if side.totals and (
            hand.game.variant == "moderna"
            or (hand.game.variant == "canastone" and min(known) <= 50)
        ):
            yield "opening-unknown", side.name


def _wilds_may_be_back(hand: Hand, team: tuple[str, ...]) -> bool:
    """Whether a natural canasta may have held wild cards when the team opened, reclaimed since."""
    game = hand.game
    if game.option("wilds-reclaimed") != "natural-canasta":
        return False
    if hand.out and hand.out.side in team and hand.out.concealed and game.concealed_alone:
        return False
    for side in [hand.side(name) for name in team]:
        if side.totals and any(
            side.totals.canastas[item] for item in ("natural-canasta", "sevens-canasta")
        ):
            return True
        if any(reclaimed_rank(game, meld.cards) for meld in side.melds):
            return True
    return False


def _openers(hand: Hand, team: tuple[str, ...], laid: list[Side]) -> tuple[str, ...]:
    """Who of the team may have opened: who went out concealed, if nothing lies under the other; or
    anybody.
    """
    if hand.out and hand.out.concealed and [side.name for side in laid] == [hand.out.side]:
        return (hand.out.side,)
    return team


def _most(game: Game, side: Side, minimum: int) -> int:
    """The most card points an opening can have had, from what the side laid in the whole hand."""
    if side.totals:
        return side.totals.cards
    melds = tuple(meld.cards for meld in side.melds)
    if game.variant == "canastone":
        return _most_canastone(game, melds, minimum)
    if game.variant == "moderna":
        return _most_modern(game, melds)
    return sum(meld.points for meld in melds)


def _most_canastone(game: Game, melds: tuple[Cards, ...], minimum: int) -> int:
    if minimum <= 50:
        return sum(
            card.points for meld in melds if len(meld.naturals) >= 3 for card in meld.naturals
        )
    return 0 if _only_wilds(game, melds) else sum(meld.points for meld in melds)


def _most_modern(game: Game, melds: tuple[Cards, ...]) -> int:
    """A complete mixed canasta cannot have opened: it counts without its cheapest card."""
    if not any(len(meld.naturals) >= 3 for meld in melds) and not _wilds_open(game, melds):
        return 0
    points = sum(meld.points for meld in melds)
    mixed = [meld for meld in melds if canasta(game, meld) == "mixed-canasta"]
    return points - sum(min(card.points for card in meld.known) for meld in mixed)
