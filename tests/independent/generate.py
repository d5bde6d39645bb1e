"""Random hands by seed: a table that plays from real decks, then, now and then, somebody's mistake."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from .counting import Raw
from .game import find_game
from .house import HOUSES, LINKED
from .options import OPTIONS, THREE_SIDED, presets_of
from .playing import Table
from .spoil import spoil


def make_hand(rng: random.Random, variant: str, fixed: Mapping[str, Any] | None = None) -> Raw:
    """One hand of the variant: with these options, and whatever others chance has it play with."""
    raw: Raw = {"variant": variant}
    options = make_options(rng, variant) | dict(fixed or {})
    houses = HOUSES | LINKED
    if variant in houses:
        options = {name: value for name, value in options.items() if name in houses[variant].takes}
    presets: list[str | None] = [*presets_of(variant)]
    if presets and variant not in ("moderna", "hand-and-foot"):
        presets.append(None)
    if presets and rng.random() < 0.15:
        raw["preset"] = rng.choice(presets)
        if variant != "moderna":
            options = dict(fixed or {})
    if options or rng.random() < 0.2:
        raw["options"] = options
    game = find_game(variant, raw.get("preset"), options)
    table = Table(rng, game)
    raw |= table.play()
    for _ in range(rng.choice([0, 0, 0, 0, 1, 1, 2, 3])):
        spoil(rng, game, raw)
    return raw


def make_options(rng: random.Random, variant: str) -> Raw:
    """Some options off their default."""
    chance = rng.choice([0.0, 0.15, 0.4])
    table = OPTIONS.get(variant, OPTIONS["classica"])
    chosen = {name: rng.choice(values) for name, values in table.items() if rng.random() < chance}
    if variant in THREE_SIDED and chosen.get("red-threes-unopened") == "to-opponents":
        del chosen["red-threes-unopened"]
    if variant != "hand-and-foot" and rng.random() < chance / 2:
        chosen["target"] = (
            rng.choice([20, 30, 31]) if variant == "mini" else 500 * rng.randint(1, 32)
        )
    return chosen
