"""The lines of a side, its total and the state of the match."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .cards import JOKER, WILDS, Cards
from .game import FIGURES, INCOMPLETE, Game
from .hand import Hand, Side, special_hands
from .melds import canasta, incomplete
from .table import canastas, has_both, incompletes, may_go_out, naturals

ITEMS: list[str] = FIGURES["lines"]["items"]
PENALTIES: dict[str, int] = FIGURES["penalties"]
PENALTIES_OF_MODERNA = {"mismeld": 10}
STEEP = (0, 100, 300, 500, 1000)
"""Red threes in cubana, threes of one colour in moderna, by their number."""


@dataclass(frozen=True, slots=True)
class Line:
    item: str
    count: int | None
    points: int
    code: str | None = None

    def told(self) -> dict[str, Any]:
        code = {"code": self.code} if self.code else {}
        return {"item": self.item, **code, "count": self.count, "points": self.points}


def lines(hand: Hand, name: str) -> list[Line]:
    """All lines of one side, in the order of the items."""
    side = hand.side(name)
    own = [Line("adjustment", None, points) for points in side.adjustments]
    if side.sum is not None:
        return [Line("sum", None, side.sum), *own]
    team = hand.members(name)
    if side.special:
        return [
            Line("special", 1, special_hands(hand.game)[side.special]),
            *_penalties(hand.game, team),
            *own,
        ]
    found = [
        *_canastas(hand, team),
        *_cards(hand.game, team),
        *_reds(hand, name),
        *_blacks(hand, side, team),
    ]
    found += [
        *_out(hand, team),
        *_left(hand.game, team),
        *_held(hand.game, side),
        *_kept(hand.game, team),
    ]
    found.sort(key=lambda line: ITEMS.index(line.item))
    return [
        *(line for line in found if line.count != 0),
        *_penalties(hand.game, team),
        *_bonuses(hand.game, team),
        *own,
    ]


def _canastas(hand: Hand, team: list[Side]) -> list[Line]:
    game = hand.game
    made = canastas(game, team)
    counts = game.variant != "mini" or has_both(made)
    most = _most_canastas(hand, team)
    scored = Counter(sorted(made.elements(), key=lambda item: -game.bonus[item])[:most])
    found = [Line(item, n, scored[item] * game.bonus[item] * counts) for item, n in made.items()]
    each = game.option("concealed-canasta")
    if each:
        hidden = sum(
            m.concealed and canasta(game, m.cards) is not None for side in team for m in side.melds
        )
        hidden += sum(side.totals.canastas["concealed-canasta"] for side in team if side.totals)
        worth = hidden if most is None else min(hidden, most)
        found.append(Line("concealed-canasta", hidden, worth * each))
    return found


def _most_canastas(hand: Hand, team: list[Side]) -> int | None:
    """Of how many canastas the losers may score the bonus: as many as those have who went out."""
    if hand.game.option("losers-canastas") != "capped" or hand.out is None:
        return None
    winners = hand.members(hand.out.side)
    if hand.out.side in [side.name for side in team]:
        return None
    if any(side.sum is not None for side in winners):
        return None
    return canastas(hand.game, winners).total()


def _cards(game: Game, team: list[Side]) -> list[Line]:
    if not game.has_cards:
        return []
    points = sum(meld.cards.points for side in team for meld in side.melds)
    number = sum(len(meld.cards) for side in team for meld in side.melds)
    counted = [side.totals.cards for side in team if side.totals]
    sign = -1 if game.variant == "moderna" and not canastas(game, team) else 1
    return [Line("cards", None if counted else number, sign * (points + sum(counted)))]


def _number(cards: int, noted: list[int]) -> int | None:
    """How many cards are left: not known where points were noted for some, unless those were 0
    beside cards.
    """
    return None if any(noted) or (noted and not cards) else cards


def worth(game: Game, reds: int) -> int:
    """What so many exposed red threes are worth, the sign aside."""
    if game.variant in ("cubana", "moderna"):
        return STEEP[min(reds, 4)]
    if game.variant == "canastone":
        return reds * (200 if reds >= 4 else 100)
    if game.variant == "classica":
        return (0, *game.house.reds)[reds]
    if game.variant == "hand-and-foot" or reds < 2 * game.decks:
        return 100 * reds
    return 1000 if game.sequences else 200 * reds


def _reds(hand: Hand, name: str) -> list[Line]:
    if hand.game.variant == "mini":
        return []
    reds = hand.side(name).count("red_threes")
    points = _share(hand, name)[0]
    for other in hand.before:
        if other != name and name in hand.before:
            received = _share(hand, other)[1]
            points += received
            reds += hand.side(other).count("red_threes") if received else 0
    return [Line("red-threes", reds, points)]


def _share(hand: Hand, name: str) -> tuple[int, int]:
    """What a side's own red threes bring to itself, and to the other side."""
    game, value = hand.game, worth(hand.game, hand.side(name).count("red_threes"))
    if hand.side(name).sum is not None:
        return 0, 0
    made = canastas(game, hand.members(name))
    if game.variant == "canastone":
        return _canastone_share(game, made, value)
    if "red-threes-unopened" in game.options and not any(side.laid for side in hand.members(name)):
        kept = {"negative": -value, "zero": 0, "to-opponents": 0}[
            game.options["red-threes-unopened"]
        ]
        return kept, value if game.option("red-threes-unopened") == "to-opponents" else 0
    return value * _threes_sign(game, made), 0


def _canastone_share(game: Game, made: Counter[str], value: int) -> tuple[int, int]:
    shared = game.option("red-threes-mode") == "shared"
    if has_both(made):
        return value, 0
    if naturals(made):
        return 0, 0
    if made:
        return (value // 2, value // 2) if shared else (-value, 0)
    return (0, value) if shared else (-2 * value, 0)


def _threes_sign(game: Game, made: Counter[str]) -> int:
    """Whether the canastas made let red threes count, or turn them against the side.

    Moderna: subtracted without a canasta, nothing with one, counted from two on.
    """
    if game.variant == "moderna":
        return min(made.total(), 2) - 1
    missing = (game.sequences and not may_go_out(game, made)) or (
        game.variant == "cubana" and not made
    )
    return -1 if missing else 1


def _blacks(hand: Hand, side: Side, team: list[Side]) -> list[Line]:
    if hand.game.variant == "cubana":
        aside = side.count("black_threes_aside")
        return [Line("black-threes-aside", aside, 100 if aside >= 4 else 5 * aside)]
    blacks = side.count("black_threes")
    return [
        Line(
            "black-threes",
            blacks,
            STEEP[min(blacks, 4)] * _threes_sign(hand.game, canastas(hand.game, team)),
        )
    ]


def _out(hand: Hand, team: list[Side]) -> list[Line]:
    if (
        hand.out is None
        or hand.game.variant == "mini"
        or hand.out.side not in [side.name for side in team]
    ):
        return []
    return [
        Line(
            "out", 1, _out_bonus(hand.game, canastas(hand.game, team), concealed=hand.out.concealed)
        )
    ]


def _out_bonus(game: Game, made: Counter[str], *, concealed: bool) -> int:
    if game.variant == "canastone":
        base, many = (500 if concealed else 300), _many(made)
        return base + many if game.option("out-bonus") == "sum" else max(base, many)
    if game.sequences:
        return 200
    plain = game.variant in ("cubana", "moderna", "hand-and-foot")
    if concealed and game.option("concealed-lay-offs") == "allowed-1000":
        return 1000
    return game.house.out[concealed and not plain]


def _many(made: Counter[str]) -> int:
    """Canastone's bonus for going out with five canastas."""
    if naturals(made) >= 5 and has_both(made):
        return 2000
    return 1000 if made.total() >= 5 and naturals(made) else 0


def _left(game: Game, team: list[Side]) -> list[Line]:
    hands = [cards for side in team for cards in side.left.hands]
    number = sum(len(cards) - len(cards.reds) * (game.variant != "mini") for cards in hands)
    if game.variant == "mini":
        return [Line("cards-left", number, -_mini_left(game, hands))]
    each_black = game.option("black-threes-held") or game.house.black
    points = sum(cards.points + (each_black - 5) * len(cards.blacks) for cards in hands)
    noted = [side.left.points for side in team if side.left.points is not None]
    return [Line("cards-left", _number(number, noted), -points - sum(noted))]


def _mini_left(game: Game, hands: list[Cards]) -> int:
    """Units: three for each wild, one for each group of up to three naturals, threes nothing."""
    ranks = Counter(card.rank for cards in hands for card in cards.naturals)
    groups = ranks.values() if game.option("hand-groups") == "per-rank" else [ranks.total()]
    wilds = sum(card.rank in WILDS for cards in hands for card in cards.known)
    return 3 * wilds + sum(-(-n // 3) for n in groups)


def _held(game: Game, side: Side) -> list[Line]:
    """Red threes in hand at the end."""
    if game.variant == "mini":
        return []
    held = side.reds_held
    points = held * _each_held(game)
    if game.option("held-red-three") == "once":
        points = game.house.held
    if game.option("red-threes-may-be-kept"):
        points = 750
    return [Line("red-threes-held", held, -points)]


def _each_held(game: Game) -> int:
    if game.variant == "moderna":
        return 5
    if game.variant == "hand-and-foot":
        return int(game.options["held-red-three"])
    return game.house.held


def _kept(game: Game, team: list[Side]) -> list[Line]:
    """What incomplete melds cost, and sevens or aces kept in one hand."""
    costs = INCOMPLETE.get(game.variant, {}) if game.variant != "canastone" else {}
    open_melds = incompletes(game, team)
    four_jokers = game.option("incomplete-wilds") == "four-jokers-2500" and any(
        incomplete(game, meld.cards) == "wilds"
        and sum(card.rank == JOKER for card in meld.cards.known) == 4
        for side in team
        for meld in side.melds
    )
    found = [
        Line(
            f"{kind}-incomplete",
            open_melds[kind],
            open_melds[kind] * cost - (500 if kind == "wilds" and four_jokers else 0),
        )
        for kind, cost in costs.items()
    ]
    for item, rank in (("sevens-held", "7"), ("aces-held", "A")):
        players = sum(_players(game, side, rank) for side in team)
        found.append(Line(item, players, players * (-500 if game.variant == "sette" else -1500)))
    return found


def minded(game: Game) -> dict[str, int]:
    """The ranks of which too many in one hand cost something, and how many are too many."""
    if game.variant == "sette":
        return {"7": 4 if game.option("sevens-held") == "four" else 3}
    return {"7": 3, "A": 3} if game.variant == "moderna" else {}


def _players(game: Game, side: Side, rank: str) -> int:
    """How many hands of the side hold too many of a rank."""
    limit = minded(game).get(rank)
    if limit is None:
        return 0
    if side.left.points is not None or not any(side.left.hands):
        return side.count("sevens_held" if rank == "7" else "aces_held")
    return sum(sum(card.rank == rank for card in cards.known) >= limit for cards in side.left.hands)


def _penalties(game: Game, team: list[Side]) -> list[Line]:
    """One line for each code, in the order in which they were noted."""
    known = PENALTIES | PENALTIES_OF_MODERNA | {"red-three-not-exposed": game.house.penalty}
    costs: dict[str, list[int]] = {}
    for side in team:
        for penalty in side.penalties:
            costs.setdefault(penalty.code, []).append(known.get(penalty.code, penalty.points))
    return [Line("penalty", len(each), -sum(each), code) for code, each in costs.items()]


def _bonuses(game: Game, team: list[Side]) -> list[Line]:
    """What the table noted in favour, a line for each code."""
    noted = Counter(code for side in team for code in side.bonuses)
    return [
        Line("bonus", count, count * game.house.bonuses[code], code)
        for code, count in noted.items()
    ]


def match(hand: Hand, totals: dict[str, int]) -> dict[str, Any]:
    """Target, whether the match is over, and who won."""
    game = hand.game
    best = max(totals.values())
    leaders = [name for name, total in totals.items() if total == best]
    finished = (
        hand.deal == game.last_deal
        if game.target is None
        else best >= game.target and len(leaders) == 1
    )
    winner = leaders[0] if finished and len(leaders) == 1 else None
    return {"target": game.target, "finished": finished, "winner": winner}
