"""Whether a variant is whole and its values go together, before any hand is judged by it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import TypeAdapter, ValidationError

from scorepad.errors import VariantError
from scorepad.rules.cards import KINDS, NATURAL_INDICES, RED_THREE, in_decks
from scorepad.rules.definitions import SETTING_KEYS, Variant
from scorepad.rules.loader import line_of
from scorepad.rules.settings import CardsLeft, Condition, OpeningBy, Settings

MOST_SIDES, MOST_PLAYERS = 3, 4
"""The most sides of a match, and players of a side."""
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The ids of variants, and the codes of bonuses and canastas: lower-case letters, digits and hyphens."""

_LEAST = {"decks": 1, "dealt": 1, "hands-each": 1, "meld-shortest": 1, "canasta-length": 1}
"""Settings that are no number below this one."""
_RANKS = tuple(KINDS[index].value for index in NATURAL_INDICES)
_OTHER_LINES = (
    "concealed-canasta", "cards", "red-threes", "black-threes", "black-threes-aside", "out", "cards-left",
    "red-threes-held", "special", "sum", "penalty", "bonus", "adjustment",
)  # fmt: skip
"""Items of a score that no canasta may have."""

Problem = tuple[str, str, dict[str, str | int]]
"""The key, the problem (as in `VariantError`) and its figures."""


# Made when first asked for: a program that starts need not wait for it.
@cache
def _settings_form() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)


def build_settings(values: Mapping[str, Any]) -> Settings:
    """Settings from the values of the data, by key. Raises pydantic's ValidationError."""
    return _settings_form().validate_python({key.replace("-", "_"): value for key, value in values.items()})


def check_variant(variant: Variant, file: Traversable) -> None:
    """Refuse a variant that lacks something, or whose values cannot be or do not go together. Raises VariantError."""
    for key, problem, figures in _problems(variant):
        raise VariantError(file.name, key, problem, line_of(file.read_text("utf-8"), key), **figures)


def _problems(variant: Variant) -> Iterator[Problem]:
    from scorepad.rules.checks import CHECKS  # both judge by rulesets, which are made from variants
    from scorepad.rules.score import LINES

    yield from ((f"settings.{key}", "missing", {}) for key in SETTING_KEYS if key not in variant.settings)
    for kind, rules, known in (("checks", variant.checks, CHECKS), ("lines", variant.lines, LINES)):
        for name in rules:
            if name not in known:
                yield f"{kind}.{name}", "unknown-rule", {"name": name, "known": ", ".join(known)}
    for preset in variant.presets.values():
        for name, value in preset.options.items():
            if name not in variant.options or variant.options[name].value_of(value) is None:
                yield f"presets.{preset.id}.{name}", "no-such-value", {}
    values = {key: value.value for key, value in variant.settings.items()}
    chosen = [each.sets for option in variant.options.values() for each in option.values]
    for sets in ({}, *chosen):
        try:
            settings = build_settings({**values, **sets})
        except ValidationError as trouble:
            yield _wrong_value(trouble)
        else:
            yield from _of_values(settings, variant)
    if values["target"] == values["match-deals"] == "unlimited" and variant.ends.minutes is None:
        yield "settings.target", "endless", {}
    yield from _of_bonuses(variant)


def _of_values(settings: Settings, variant: Variant) -> Iterator[Problem]:
    yield from _of_the_table(settings)
    yield from _of_the_opening(settings)
    yield from _of_canastas(settings)
    threes = in_decks(settings.decks)[RED_THREE]
    if "red-threes" in variant.lines and len(settings.red_three_values) < threes:
        yield "settings.red-three-values", "too-few", {"needed": threes, "has": len(settings.red_three_values)}


def _wrong_value(trouble: ValidationError) -> Problem:
    """What pydantic says of the first value that cannot be: `value.TYPE`, with what was expected."""
    first = trouble.errors()[0]
    key = str(first["loc"][0]).replace("_", "-")
    known = {name: str(each) for name, each in first.get("ctx", {}).items()}
    inside = ".".join(str(part) for part in first["loc"][1:])
    figures: dict[str, str | int] = {"given": str(first["input"])[:40], "inside": inside, **known}
    return f"settings.{key}", f"value.{first['type']}", figures


def _of_the_table(settings: Settings) -> Iterator[Problem]:
    if not 1 < len(settings.sides) <= MOST_SIDES or not all(1 <= side <= MOST_PLAYERS for side in settings.sides):
        yield "settings.sides", "sides", {"most": MOST_SIDES, "players": MOST_PLAYERS}
    elif len(settings.resting) != len(settings.sides) or any(
        settings.hands_of(side) < 1 for side in range(len(settings.sides))
    ):
        yield "settings.resting", "resting", {"sides": len(settings.sides)}
    for key, least in _LEAST.items():
        if getattr(settings, key.replace("-", "_")) < least:
            yield f"settings.{key}", "number", {"least": least, "most": 99}
    if settings.cards_left is not CardsLeft.POINTS and settings.left_group < 1:
        yield "settings.left-group", "number", {"least": 1, "most": 99}
    if not settings.cards_by_canastas:
        yield "settings.cards-by-canastas", "too-few", {"needed": 1, "has": 0}
    by_canastas = settings.red_threes_condition is Condition.CANASTAS or settings.black_threes_exposed
    if by_canastas and not settings.red_threes_by_canastas:
        yield "settings.red-threes-by-canastas", "too-few", {"needed": 1, "has": 0}


def _of_the_opening(settings: Settings) -> Iterator[Problem]:
    starts = [start for start, _ in settings.opening_steps]
    if settings.opening_by is OpeningBy.SCORE and (not starts or starts[0] != 0):
        yield "settings.opening-steps", "first-step", {}
    if starts != sorted(set(starts)):
        yield "settings.opening-steps", "not-rising", {}
    if settings.opening_by is OpeningBy.DEAL and not settings.opening_deals:
        yield "settings.opening-deals", "too-few", {"needed": 1, "has": 0}


def _of_canastas(settings: Settings) -> Iterator[Problem]:
    families = dict.fromkeys(kind.family for kind in settings.canastas)
    for family, _ in settings.canasta_families_needed:
        if family not in families:
            known = ", ".join(families)
            yield "settings.canasta-families-needed", "unknown-family", {"name": family, "known": known}
    for kind in settings.canastas:
        if kind.rank is not None and kind.rank not in _RANKS:
            yield "settings.canastas", "unknown-rank", {"name": kind.rank, "known": ", ".join(_RANKS)}
        if not CODE.fullmatch(kind.item) or not CODE.fullmatch(kind.family) or kind.item in _OTHER_LINES:
            yield "settings.canastas", "item", {"name": kind.item}


def _of_bonuses(variant: Variant) -> Iterator[Problem]:
    from scorepad.rules.checks import SMALLEST_POINTS

    in_points = variant.settings["unit"].value == "points"
    for code, bonus in variant.bonuses.items():
        if not CODE.fullmatch(code):
            yield f"bonuses.{code}", "id-form", {"name": code}
        if in_points and bonus.points % SMALLEST_POINTS:
            yield f"bonuses.{code}.points", "not-multiple", {"step": SMALLEST_POINTS}
