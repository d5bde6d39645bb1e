"""Whether the values of a variant are valid and fit each other, once its file is read.

Of a user's file all mistakes are told at once: a value that is wrong in itself is told, and what
depends on it is then not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from scorepad.rules.cards import KINDS, NATURAL_INDICES, RED_THREE, in_decks
from scorepad.rules.checks import CHECKS, SMALLEST_POINTS
from scorepad.rules.definitions import SETTING_KEYS, Variant, steps_of
from scorepad.rules.score import LINES
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import Settings
from scorepad.rules.toml_reader import TomlValue

LIMITS: Mapping[str, tuple[int, int, int]] = {
    "canastas": (0, 5000, 5), "concealed-canasta": (0, 5000, 5), "out-bonus": (0, 5000, 5),
    "concealed-out-bonus": (0, 5000, 5), "red-three-values": (0, 9000, 5), "held-red-three": (0, 5000, 5),
    "opening-steps": (0, 1000, 5), "opening-below-zero": (0, 1000, 5), "opening-deals": (0, 1000, 5),
    "canastas-needed": (0, 7, 1), "canasta-families-needed": (0, 7, 1), "target": (5, 100_000, 5), "decks": (1, 8, 1),
    "dealt": (3, 26, 1), "drawn": (1, 4, 1), "wild-limit": (0, 6, 1), "card-points": (0, 500, 5),
    "left-black-three": (0, 500, 5), "penalties": (0, 5000, 5), "bonuses": (5, 5000, 5), "hands-each": (1, 99, 1),
    "meld-shortest": (1, 99, 1), "canasta-length": (1, 99, 1),
}  # fmt: skip
"""Minimum and maximum of figures, and the step of points (in units 1)."""
MOST_SIDES, MOST_PLAYERS = 3, 4
"""The maximum number of sides of a match, and of players of a side."""
_RANKS = tuple(KINDS[index].value for index in NATURAL_INDICES)
_OTHER_LINES = ITEMS[ITEMS.index("concealed-canasta") :]
"""Items of a score that a canasta may not use."""
_CAUSES: Mapping[str, tuple[str, ...]] = {
    "resting": ("sides",),
    "left-group": ("cards-left",),
    "canasta-families-needed": ("canastas",),
    "red-threes-by-canastas": ("red-threes-condition", "black-threes-exposed"),
    "opening-deals": ("opening-by",),
    "opening-steps": ("opening-by",),
    "red-three-values": ("decks",),
}
"""The settings by which a setting can become wrong that a file does not give."""


# Built on first use, to keep the start of the program fast.
@cache
def _settings_form() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)


def build_settings(values: Mapping[str, Any]) -> Settings:
    """Settings from the values of the data, by key. Raises pydantic's ValidationError."""
    return _settings_form().validate_python(
        {key.replace("-", "_"): value for key, value in values.items()}
    )


def check_entries(variant: Variant, root: TomlValue) -> None:
    """Refuse a variant that is incomplete, or names what there is not."""
    for key in SETTING_KEYS:
        if key not in variant.settings:
            root.report("missing", f"settings.{key}")
    for kind, rules, known in (("checks", variant.checks, CHECKS), ("lines", variant.lines, LINES)):
        for name in rules:
            if name not in known:
                root.report("unknown-rule", f"{kind}.{name}", name=name, known=", ".join(known))
    for preset in variant.presets.values():
        for name, value in preset.options.items():
            if name not in variant.options or variant.options[name].value_of(value) is None:
                root.report("no-such-value", f"presets.{preset.id}.{name}")
                break


def check_figures(variant: Variant, root: TomlValue, wrong: Collection[str] = ()) -> None:
    """Refuse a variant whose values are invalid or inconsistent; `wrong` are the settings that were
    refused before.
    """
    for kind, entries in (("bonuses", variant.bonuses), ("penalties", variant.penalties)):
        for code, each in entries.items():
            if variant.settings["unit"].value == "points" and (each.points or 0) % SMALLEST_POINTS:
                root.report("not-multiple", f"{kind}.{code}.points", step=SMALLEST_POINTS)
    values = {key: value.value for key, value in variant.settings.items()}
    _check_values(values, variant, _Report(root, wrong))
    for option in variant.options.values():
        for choice in option.values:
            if choice.sets and not root.file.troubles:
                _check_values({**values, **choice.sets}, variant, _Report(root, wrong))
    if values["target"] == values["match-deals"] == "unlimited" and variant.ends.minutes is None:
        _Report(root, wrong)("endless", "target")


class _Report:
    """Reports what is wrong with a setting, unless that follows from a setting that was refused
    before.
    """

    def __init__(self, root: TomlValue, wrong: Collection[str]) -> None:
        self.root = root
        self.wrong = wrong

    def __call__(self, problem: str, key: str, **figures: str | int) -> None:
        causes = _CAUSES.get(key, ())
        if key in self.wrong or any(cause in self.wrong for cause in causes):
            return
        stands = [each for each in (key, *causes) if f"settings.{each}" in self.root.file.lines]
        if not self.root.file.own or key in stands or not stands:
            self.root.report(problem, f"settings.{key}", **figures)
        else:
            self.root.report(
                f"{problem}.other", f"settings.{stands[0]}", other=f"settings.{key}", **figures
            )


def _check_values(values: Mapping[str, Any], variant: Variant, report: _Report) -> None:
    # Those of a user's file were judged by themselves before.
    if not report.root.file.own:
        wrong_values(values, report.root, "settings")
    settings = build_settings(values)
    _check_table(settings, report)
    _check_counts(settings, report)
    threes = in_decks(settings.decks)[RED_THREE]
    # That a user's file with more decks has to give them too is said by their link.
    is_given = not report.root.file.own or "settings.red-three-values" in report.root.file.lines
    if is_given and "red-threes" in variant.lines and len(settings.red_three_values) < threes:
        report("too-few", "red-three-values", needed=threes, has=len(settings.red_three_values))


def wrong_values(values: Mapping[str, Any], root: TomlValue, path: str) -> set[str]:
    """Report the values that cannot be, each by itself; returns their keys. `path` is where they
    stand.
    """
    wrong = {key for key in LIMITS if _report_figures(key, values, root, path)}
    try:
        build_settings(values)
    except ValidationError as trouble:
        wrong |= set(_report_values(trouble, root, path, wrong))
    return wrong


def _report_figures(key: str, values: Mapping[str, Any], root: TomlValue, path: str) -> bool:
    """Report the figures of a setting that are beyond its limits; False if there are none."""
    least, most, step = LIMITS[key]
    before = len(root.file.troubles)
    with suppress(
        TypeError, ValueError, LookupError, AttributeError
    ):  # not of the form of the setting
        for name, figure in (steps_of(key, values[key]) or {"": values[key]}).items():
            if type(figure) is int:
                with root.file.going_on():
                    entry = TomlValue(root.file, figure, f"{path}.{key}.{name}".strip("."))
                    entry.number(least, most, step if values["unit"] == "points" else 1)
    return len(root.file.troubles) > before


def _report_values(
    trouble: ValidationError, root: TomlValue, path: str, told: Collection[str]
) -> Iterator[str]:
    """Report pydantic's first error of each entry as `value.TYPE`, with what was expected; yields
    the settings.
    """
    entries = set[tuple[str, int | None]]()
    for error in trouble.errors():
        name, *inside = error["loc"]
        key = str(name).replace("_", "-")
        entry = (key, inside[0] if inside and isinstance(inside[0], int) else None)
        if entry in entries or key in told:
            continue
        entries.add(entry)
        known = {name: str(each) for name, each in error.get("ctx", {}).items()}
        figures = {"given": str(error["input"])[:40], "inside": ".".join(map(str, inside)), **known}
        root.report(f"value.{error['type']}", f"{path}.{key}", **figures)
        yield key


def _check_table(settings: Settings, report: Callable[..., None]) -> None:
    sides = settings.sides
    if not 1 < len(sides) <= MOST_SIDES or not all(1 <= side <= MOST_PLAYERS for side in sides):
        report("sides", "sides", most=MOST_SIDES, players=MOST_PLAYERS)
    if len(settings.resting) != len(sides) or any(
        settings.hands_of(side) < 1 for side in range(len(sides))
    ):
        report("resting", "resting", sides=len(sides))
    if settings.cards_left != "points" and settings.left_group < 1:
        report("number", "left-group", least=1, most=99)
    families = dict.fromkeys(kind.family for kind in settings.canastas)
    for family, _ in settings.canasta_families_needed:
        if family not in families:
            report(
                "unknown-family", "canasta-families-needed", name=family, known=", ".join(families)
            )
    for kind in settings.canastas:
        if kind.rank is not None and kind.rank not in _RANKS:
            report("unknown-rank", "canastas", name=kind.rank, known=", ".join(_RANKS))
        if kind.item in _OTHER_LINES:
            report("item", "canastas", name=kind.item)


def _check_counts(settings: Settings, report: Callable[..., None]) -> None:
    """Refuse empty lists that must not be empty, and openings that do not rise from 0."""
    by_canastas = settings.red_threes_condition == "canastas" or settings.black_threes_exposed
    by_score, by_deal = (settings.opening_by == by for by in ("score", "deal"))
    for key, is_needed, values in (
        ("cards-by-canastas", True, settings.cards_by_canastas),
        ("red-threes-by-canastas", by_canastas, settings.red_threes_by_canastas),
        ("opening-deals", by_deal, settings.opening_deals),
    ):
        if is_needed and not values:
            report("too-few", key, needed=1, has=0)
    starts = [start for start, _ in settings.opening_steps]
    if by_score and starts[:1] != [0]:
        report("first-step", "opening-steps")
    elif starts != sorted(set(starts)):
        report("not-rising", "opening-steps")
