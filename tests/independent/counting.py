"""How a table writes a hand down: card by card, by totals, by a sum; with its opening or without."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from .cards import BLACK, Card, read_cards
from .game import INCOMPLETE, Game
from .hand import special_hands
from .intervals import interval
from .melds import canasta, incomplete
from .stock import remaining

Raw = dict[str, Any]


def count_at_the_table(rng: random.Random, game: Game, raw: Raw) -> None:
    """Some sides by totals, by the sum agreed, or by a special hand, instead of card by card."""
    for name in raw["sides"]:
        form = rng.random()
        if form < 0.04:
            _keep(raw, name, {"sum": rng.randint(-300, 1500)}, "adjustments")
        elif game.variant == "mini":
            continue
        elif form < 0.34:
            _by_totals(rng, game, raw, name)
        elif (
            form < 0.40 and game.variant == "moderna" and raw["out"] and raw["out"]["side"] == name
        ):
            special = rng.choice(list(special_hands(game)))
            _keep(raw, name, {"special": special}, "penalties", "adjustments")
            raw["out"] = {"side": name}
        elif form < 0.6:
            _note_opening(rng, game, raw["sides"][name])
    _leave_out(rng, raw)


def _keep(raw: Raw, name: str, instead: Raw, *keys: str) -> None:
    """Only these keys of a side, beside what stands instead of the rest."""
    raw["sides"][name] = instead | {
        key: value for key, value in raw["sides"][name].items() if key in keys
    }


def _by_totals(rng: random.Random, game: Game, raw: Raw, name: str) -> None:
    """The side's melds as counts and points, at times at an end of what is possible or beyond it."""
    side = raw["sides"][name]
    melds = [
        read_cards(meld if isinstance(meld, str) else meld["cards"]) for meld in side.pop("melds")
    ]
    made = Counter(item for item in (canasta(game, meld) for meld in melds) if item)
    minded = INCOMPLETE.get(game.variant, {})
    unfinished = Counter(
        kind for kind in (incomplete(game, meld) for meld in melds) if kind in minded
    )
    totals: Raw = {"canastas": dict(made), "cards": sum(meld.points for meld in melds)}
    if unfinished:
        totals["incomplete"] = dict(unfinished)
    if game.option("concealed-canasta") and made and rng.random() < 0.3:
        totals["canastas"]["concealed-canasta"] = rng.choice([1, 1, 1, 2])
    side["totals"] = totals
    if rng.random() < 0.3:
        _to_the_end(rng, game, raw, name, made)


def _to_the_end(rng: random.Random, game: Game, raw: Raw, name: str, made: Counter[str]) -> None:
    """The points of the cards at an end of their interval, or a step beyond."""
    went_out = raw["out"] is not None and raw["out"]["side"] == name
    totals = raw["sides"][name]["totals"]
    stock = remaining(game.decks, _named_elsewhere(raw))
    ends = interval(game, stock, +made, went_out=went_out)
    if ends:
        step = rng.choice([0, 0, 0, -5, 5, 10])
        totals["cards"] = max(0, rng.choice(ends) + step)


def _note_opening(rng: random.Random, game: Game, side: Raw) -> None:
    """Some of the melds as the opening, at times in part."""
    melds = [meld if isinstance(meld, str) else meld["cards"] for meld in side["melds"]]
    if not melds:
        return
    chosen = rng.sample(melds, rng.randint(1, len(melds)))
    if rng.random() < 0.25:
        tokens = chosen[0].split()
        chosen[0] = " ".join(tokens[: rng.randint(1, len(tokens))])
    if game.option("wilds-reclaimed") == "natural-canasta" and rng.random() < 0.5:
        chosen[-1] += " JK"  # which may have gone back to the hand since
    side["opening"] = {"melds": chosen}


def _leave_out(rng: random.Random, raw: Raw) -> None:
    """What need not be written is left out now and then."""
    for side in raw["sides"].values():
        for key in ("red_threes", "penalties", "left", "melds"):
            if (
                key in side
                and not side[key]
                and rng.random() < 0.5
                and not (key == "left" and "sevens_held" in side)
            ):
                del side[key]
    if raw["out"] is None and rng.random() < 0.5:
        del raw["out"]
    for name in list(raw["sides"]):
        if not any(raw["sides"][name].values()) and rng.random() < 0.5:
            del raw["sides"][name]


def _named_elsewhere(raw: Raw) -> list[Card]:
    """Every card named in a raw hand, as far as its strings can be read."""
    texts: list[str] = []
    number = 0
    for side in raw["sides"].values():
        texts += [
            meld if isinstance(meld, str) else meld["cards"] for meld in side.get("melds", [])
        ]
        left = side.get("left", "")
        texts += [left] if isinstance(left, str) else left if isinstance(left, list) else []
        number += side.get("black_threes_aside", 0) + side.get("black_threes", 0)
    texts += [(raw.get("out") or {}).get("discard") or ""]
    return [card for text in texts for card in read_cards(text).known] + [Card(BLACK)] * number
