"""Mistakes that a table makes: each changes a hand in one way."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .cards import NATURALS
from .game import Game

Raw = dict[str, Any]
Mistake = Callable[[random.Random, Game, Raw], None]
TOKENS = (*NATURALS, *NATURALS, "2", "2", "JK", "JK", "3r", "3b", "3h", "3s", "Qh", "9d", "7c", "7")
NO_CARDS = ("Z", "3", "11", "0xK", "K?", "JKh", "2r", "1x", "xK")


def spoil(rng: random.Random, game: Game, raw: Raw) -> None:
    """One mistake, of those that can be made in this hand."""
    rng.choice(MISTAKES)(rng, game, raw)


def _side(rng: random.Random, raw: Raw) -> Raw:
    sides = raw["sides"]
    side: Raw = sides[rng.choice(list(sides))] if sides else {}
    return side


def _melds(side: Raw) -> list[Any]:
    if "totals" in side or "sum" in side or "special" in side:
        return []
    melds: list[Any] = side.setdefault("melds", [])
    return melds


def _change(rng: random.Random, raw: Raw, change: Callable[[list[str]], None]) -> None:
    """Change the tokens of one meld."""
    side = _side(rng, raw)
    melds = _melds(side)
    if not melds:
        return
    side.pop("opening", None)
    place = rng.randrange(len(melds))
    meld = melds[place]
    tokens = (meld if isinstance(meld, str) else meld["cards"]).split()
    change(tokens)
    melds[place] = " ".join(tokens)


def stray_card(rng: random.Random, game: Game, raw: Raw) -> None:
    _change(rng, raw, lambda tokens: tokens.append(rng.choice(TOKENS)))


def stray_wilds(rng: random.Random, game: Game, raw: Raw) -> None:
    _change(
        rng, raw, lambda tokens: tokens.append(f"{rng.randint(1, 4)}x{rng.choice(['2', 'JK'])}")
    )


def no_card(rng: random.Random, game: Game, raw: Raw) -> None:
    _change(rng, raw, lambda tokens: tokens.append(rng.choice(NO_CARDS)))


def too_few(rng: random.Random, game: Game, raw: Raw) -> None:
    def cut(tokens: list[str]) -> None:
        del tokens[rng.randint(0, 2) :]

    _change(rng, raw, cut)


def any_meld(rng: random.Random, game: Game, raw: Raw) -> None:
    """A meld of a few ranks at random."""
    ranks = rng.sample(TOKENS, rng.randint(1, 3))
    _melds(_side(rng, raw)).append(" ".join(rng.choice(ranks) for _ in range(rng.randint(1, 9))))


def bad_sequence(rng: random.Random, game: Game, raw: Raw) -> None:
    start, suit = rng.randint(0, 6), rng.choice("hdsc")
    row = [rank + suit for rank in NATURALS[start : start + rng.randint(3, 8)]]
    row[rng.randrange(len(row))] = rng.choice(["Kh", "K", "2", "JK", "3s", row[0], "9d"])
    _melds(_side(rng, raw)).append(" ".join(row))


def black_threes(rng: random.Random, game: Game, raw: Raw) -> None:
    wilds = [f"{n}x2" for n in [rng.randint(0, 3)] if n]
    _melds(_side(rng, raw)).append(" ".join([f"{rng.randint(1, 2 * game.decks)}x3b", *wilds]))


def wild_meld(rng: random.Random, game: Game, raw: Raw) -> None:
    jokers, twos = rng.randint(0, 4), rng.randint(0, 7)
    _melds(_side(rng, raw)).append(" ".join(["JK"] * jokers + ["2"] * twos))


def out_otherwise(rng: random.Random, game: Game, raw: Raw) -> None:
    names = [*raw.get("before", {"noi": 0, "loro": 0})]
    name = rng.choice(names)
    raw["out"] = {"side": name, "concealed": rng.random() < 0.4}
    if isinstance(raw["sides"].get(name, {}).get("left"), list):
        raw["out"]["player"] = 0


def last_discard(rng: random.Random, game: Game, raw: Raw) -> None:
    if raw.get("out"):
        raw["out"]["discard"] = rng.choice(["2", "JK", "3b", "3r", "3s", None, "Z", "K", "3"])


def cards_left(rng: random.Random, game: Game, raw: Raw) -> None:
    side = _side(rng, raw)
    if "sum" in side or "special" in side:
        return
    left = side.get("left", "")
    if isinstance(left, list):
        left[rng.randrange(len(left))] += " " + rng.choice(TOKENS)
    elif isinstance(left, str):
        side["left"] = f"{left} {rng.choice([*TOKENS, *NO_CARDS])}".strip()
    else:
        side["left"] = rng.choice([3, -5, 12, 10, 0, 40])


def too_many_of_a_card(rng: random.Random, game: Game, raw: Raw) -> None:
    token = rng.choice(["K", "2", "JK", "Qh", "9d", "3b", "5s"])
    _melds(_side(rng, raw)).append(f"{rng.randint(3, 9)}x{token}")


def red_threes(rng: random.Random, game: Game, raw: Raw) -> None:
    side = _side(rng, raw)
    if "sum" not in side and "special" not in side:
        side[rng.choice(["red_threes", "red_threes_held"])] = rng.randint(0, 2 * game.decks)


def penalty(rng: random.Random, game: Game, raw: Raw) -> None:
    side = _side(rng, raw)
    if "sum" not in side:
        points = rng.choice([10, 7, -5, 0, 200])
        house = {"code": "house", "points": points, "reason": "agreed"}
        side.setdefault("penalties", []).append(rng.choice([house, "talking", "draw-out-of-turn"]))


def adjustment(rng: random.Random, game: Game, raw: Raw) -> None:
    points = rng.choice([-3, 8, 15, -20, 0])
    _side(rng, raw).setdefault("adjustments", []).append({"points": points, "reason": "agreed"})


def stranger(rng: random.Random, game: Game, raw: Raw) -> None:
    if rng.random() < 0.5:
        raw["sides"]["zio"] = {"melds": ["3xA", "4xK"], "left": "8 9"}
    elif raw.get("out"):
        raw["out"] = {"side": "zio", "concealed": False}


def totals(rng: random.Random, game: Game, raw: Raw) -> None:
    side = _side(rng, raw)
    if "totals" in side:
        side["totals"]["cards"] = rng.choice(
            [0, 5, 10, 15, 20, 33, 35, 45, 2000, 5 * rng.randint(0, 200)]
        )


def canastas_counted(rng: random.Random, game: Game, raw: Raw) -> None:
    side = _side(rng, raw)
    if "totals" in side:
        item = rng.choice([name for name in game.bonus if name != "concealed-canasta"])
        counted = side["totals"].setdefault("canastas", {})
        counted[item] = counted.get(item, 0) + rng.choice([1, 1, 2, 4])


def beyond_use(rng: random.Random, game: Game, raw: Raw) -> None:
    """Something that makes the hand no hand at all."""
    kind = rng.randrange(6)
    if kind == 0:
        raw["sides"]["noi"] = {"melds": [], "sum": 10}
    elif kind == 1:
        raw["options"] = {"jokers": True}
    elif kind == 2:
        raw["before"] = {"noi": 0}
    elif kind == 3:
        _side(rng, raw)["left"] = ["", "", "", ""]
    elif kind == 4:
        _side(rng, raw)["red_three"] = 1
    else:
        raw["out"] = {"concealed": True}


MISTAKES: tuple[Mistake, ...] = (
    stray_card,
    stray_card,
    stray_wilds,
    stray_wilds,
    no_card,
    too_few,
    any_meld,
    any_meld,
    bad_sequence,
    black_threes,
    black_threes,
    wild_meld,
    wild_meld,
    out_otherwise,
    out_otherwise,
    last_discard,
    last_discard,
    cards_left,
    cards_left,
    too_many_of_a_card,
    red_threes,
    penalty,
    adjustment,
    stranger,
    totals,
    totals,
    canastas_counted,
    canastas_counted,
    beyond_use,
)
