"""All problems of a hand, by severity, code and place (contract: "Problem codes")."""

from __future__ import annotations

from collections.abc import Iterator

from .cards import BLACK, RED, WILDS, Card, Cards, exceeds_decks, in_decks
from .game import Game
from .hand import Hand, Side
from .intervals import is_possible
from .melds import faults, is_wild_meld
from .openings import opening_problems
from .score import PENALTIES, PENALTIES_OF_MODERNA, minded
from .table import canastas, incompletes, may_go_out

Problem = tuple[str, str, str]
"""Severity, code, where."""


def pointer(*parts: str | int) -> str:
    """A JSON Pointer into the hand."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def problems(hand: Hand) -> set[Problem]:
    """Every problem, one for each place and code."""
    found: set[Problem] = set()
    for look in (_names, _melds, _decks, _out, _opening, _totals, _figures):
        found.update(("error", code, where) for code, where in look(hand))
    for look in (_repeated, _unsure, _reached, _twice):
        found.update(("warning", code, where) for code, where in look(hand))
    return found


Found = Iterator[tuple[str, str]]


def _names(hand: Hand) -> Found:
    for name in hand.sides:
        if name not in hand.before:
            yield "side-unknown", pointer("sides", name)
    if hand.out and hand.out.side not in hand.before:
        yield "side-unknown", pointer("out", "side")
    if hand.single is not None and hand.single not in hand.before:
        yield "side-unknown", pointer("single")


def _melds(hand: Hand) -> Found:
    for name, side in hand.sides.items():
        out = hand.went_out(name)
        concealed = out and hand.out is not None and hand.out.concealed
        in_the_end = hand.game.going_out() if out else hand.game
        at_first = hand.game.going_out() if concealed else hand.game
        for place, meld in enumerate(side.melds):
            for code in faults(in_the_end, meld.cards, went_out=out):
                yield code, pointer("sides", name, "melds", place)
        for place, noted in enumerate(side.opening or ()):
            for code in faults(at_first, noted, went_out=out):
                yield code, pointer("sides", name, "opening", "melds", place)
        for place, cards in enumerate(side.left.hands):
            if cards.unknown:
                yield (
                    "card-unknown",
                    pointer("sides", name, "left", *([place] if side.left.listed else [])),
                )


def _repeated(hand: Hand) -> Found:
    if not hand.game.one_meld_a_rank:
        return
    for team in hand.teams():
        seen: set[str] = set()
        for side in [hand.side(name) for name in team]:
            for place, meld in enumerate(side.melds):
                if not _is_of_one_rank(hand.game, meld.cards):
                    continue
                if meld.cards.ranks <= seen:
                    yield "meld-rank-repeated", pointer("sides", side.name, "melds", place)
                seen |= meld.cards.ranks


def _twice(hand: Hand) -> Found:
    """A red three counted as held, and its penalty, for one side."""
    for name, side in hand.sides.items():
        places = [
            place
            for place, given in enumerate(side.penalties)
            if given.code == "red-three-not-exposed"
        ]
        if places and side.reds_held and hand.game.variant != "mini":
            yield "red-three-twice", pointer("sides", name, "penalties", places[0])


def _is_of_one_rank(game: Game, meld: Cards) -> bool:
    if len(meld.ranks) != 1 or meld.unknown or is_wild_meld(game, meld):
        return False
    return game.variant != "mini" or len(meld) < game.size


def named_cards(hand: Hand) -> list[Card]:
    """Every card named anywhere in the hand, red threes exposed and those of an opening aside."""
    cards: list[Card] = []
    for side in hand.sides.values():
        cards += side_cards(side)
    if hand.out and hand.out.discard:
        cards += hand.out.discard.known
    return cards


def side_cards(side: Side) -> list[Card]:
    """The cards that one entry names."""
    cards = [card for meld in side.melds for card in meld.cards.known]
    cards += [card for held in side.left.hands for card in held.known]
    return cards + [Card(BLACK)] * (side.count("black_threes_aside") + side.count("black_threes"))


def _decks(hand: Hand) -> Found:
    if exceeds_decks(named_cards(hand), hand.game.decks):
        yield "deck-exceeded", "/sides"
    reds = sum(side.count("red_threes") + side.reds_held for side in hand.sides.values())
    if reds > in_decks(RED, hand.game.decks):
        yield "red-threes-exceeded", "/sides"


def _out(hand: Hand) -> Found:
    out = hand.out
    if out is None:
        return
    if out.discard is not None:
        yield from _discard(hand.game, out.discard)
    elif out.noted and hand.game.must_discard_last and not hand.side(out.side).special:
        yield "out-discard-missing", "/out/discard"
    if out.side not in hand.before and out.side not in hand.sides:
        return
    side, team = hand.side(out.side), hand.members(out.side)
    yield from _cards_left(hand, side)
    if not any(one.sum is not None or one.unknown or one.special for one in team):
        yield from _unready(hand, team)


def _discard(game: Game, discard: Cards) -> Found:
    if discard.unknown:
        yield "card-unknown", "/out/discard"
    barred = {"mini": (), "moderna": (RED, BLACK)}.get(game.variant, (*WILDS, RED, BLACK))
    if any(card.rank in barred for card in discard.known):
        yield "out-discard-special", "/out/discard"


def _cards_left(hand: Hand, side: Side) -> Found:
    """Whether the player who went out still holds cards; a string beside partners is the partners'."""
    place = pointer("sides", side.name, "left")
    held = [
        (side.left.points or 0) > 0 or cards.is_something
        for cards in side.left.hands or (Cards(()),)
    ]
    player = hand.out.player if hand.out else None
    if side.left.listed and player is not None and held[player]:
        yield "out-cards-left", f"{place}/{player}"
    alone = not side.left.listed and (hand.game.hands == 1 or hand.game.variant == "mini")
    if (alone or (side.left.listed and player is None)) and all(held):
        yield "out-cards-left", place
    if (alone or hand.game.hands == 1) and side.count("red_threes_held"):
        yield "out-cards-left", pointer("sides", side.name, "red_threes_held")


def _unready(hand: Hand, team: list[Side]) -> Found:
    game, made = hand.game, canastas(hand.game, team)
    laid_by = team
    if hand.out and hand.out.concealed and hand.game.concealed_alone:
        laid_by = [side for side in team if side.name == hand.out.side]
    if not may_go_out(game, canastas(game, laid_by)):
        yield "out-canastas-missing", "/out"
    reds = sum(side.count("red_threes") for side in team)
    if game.variant == "messicana" and reds < made.total():
        yield "out-red-threes-missing", "/out"
    unfinished = incompletes(game, team)
    if game.variant in ("canastone", "moderna") and unfinished["wilds"]:
        yield "out-wild-meld-incomplete", "/out"
    if game.variant == "moderna" and unfinished["aces"] + unfinished["sevens"]:
        yield "out-meld-incomplete", "/out"


def _opening(hand: Hand) -> Found:
    for code, name, *rest in opening_problems(hand):
        if code != "opening-unknown":
            yield code, pointer("sides", name, *rest)


def _totals(hand: Hand) -> Found:
    for name, side in hand.sides.items():
        if side.totals and not is_possible(hand, name, named_cards(hand)):
            yield "totals-impossible", pointer("sides", name, "totals")


def _figures(hand: Hand) -> Found:
    game = hand.game
    for name, side in hand.sides.items():
        if side.left.points is not None and (side.left.points < 0 or side.left.points % 5):
            yield "points-not-multiple", pointer("sides", name, "left")
        for place, penalty in enumerate(side.penalties):
            where = pointer("sides", name, "penalties", place)
            known = {*PENALTIES, "house"}
            if game.variant == "moderna":
                known |= set(PENALTIES_OF_MODERNA)
            if game.variant == "mini" or penalty.code not in known:
                yield "penalty-unknown", where
            elif penalty.code == "house" and (penalty.points < 0 or penalty.points % 5):
                yield "points-not-multiple", where
        for place, points in enumerate(side.adjustments):
            if points % 5 and game.variant != "mini":
                yield "points-not-multiple", pointer("sides", name, "adjustments", place)


def _unsure(hand: Hand) -> Found:
    game = hand.game
    for name, side in hand.sides.items():
        if side.sum is not None:
            yield "not-checked", pointer("sides", name, "sum")
        if side.left.points is not None and game.option("black-threes-held") == 100:
            yield "left-in-points", pointer("sides", name, "left")
        if name in hand.before and _hands_together(hand, side):
            yield "hands-not-apart", pointer("sides", name, "left")
    for code, name, *rest in opening_problems(hand):
        if code == "opening-unknown":
            yield code, pointer("sides", name, *rest)


def _reached(hand: Hand) -> Found:
    game = hand.game
    for name, score in hand.before.items():
        if game.target is not None and score >= game.target:
            yield "target-reached", pointer("before", name)


def _hands_together(hand: Hand, side: Side) -> bool:
    """One string for several hands, where a rule goes by the single hand."""
    if side.left.listed or hand.went_out(side.name) or not minded(hand.game):
        return False
    return any(cards.is_something for cards in side.left.hands)
