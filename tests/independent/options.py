"""Which options and presets a variant takes, with their values (rules: "Who takes which")."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Unusable(Exception):
    """What cannot be read as a hand at all: no problem of the hand, but of the input."""


Table = dict[str, list[Any]]
"""Option name -> the values it takes, the first of them the default."""
FILE = tomllib.loads(Path(__file__).with_name("options.toml").read_text("utf-8"))
ROWS: dict[str, dict[str, Any]] = FILE["variants"]
PRESETS: dict[str, dict[str, dict[str, Any]]] = FILE["presets"]
VARIANTS = tuple(ROWS)
THREE_SIDED = ("tre", "tagliagola")


def options_of(variant: str) -> Table:
    """The options of a variant, those of the variant that it is like before its own."""
    row = ROWS[variant]
    table = {}
    if "like" in row:
        table = {
            name: values
            for name, values in options_of(row["like"]).items()
            if name not in row.get("without", ())
        }
    return table | row.get("options", {})


OPTIONS = {variant: options_of(variant) for variant in VARIANTS}


def presets_of(variant: str) -> dict[str, dict[str, Any]]:
    """The presets of a variant by name, none of house rules: the options that each sets."""
    return PRESETS.get(ROWS.get(variant, {}).get("presets", ""), {})


def resolve(variant: str, preset: Any, given: Any) -> dict[str, Any]:
    """Every option of the variant with its value: what was given, before the preset, before the
    default.
    """
    table = OPTIONS[variant]
    values: dict[str, Any] = {name: allowed[0] for name, allowed in table.items()}
    if variant != "hand-and-foot":
        values["target"] = ROWS[variant].get("target", 5000)
    values |= _preset(variant, preset)
    if not isinstance(given, Mapping):
        raise Unusable("options")
    for name, value in given.items():
        _check(variant, name, value)
        values[name] = value
    return values


def _preset(variant: str, preset: Any) -> dict[str, Any]:
    if preset is None:
        return {}
    presets = presets_of(variant)
    if not isinstance(preset, str) or preset not in presets:
        raise Unusable("preset")
    return presets[preset]


def _check(variant: str, name: str, value: Any) -> None:
    if name == "target" and variant != "hand-and-foot":
        step = 1 if variant == "mini" else 500
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0 or value % step:
            raise Unusable(name)
        return
    allowed = OPTIONS[variant].get(name, ())
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise Unusable(name)
    if name == "red-threes-unopened" and value == "to-opponents" and variant in THREE_SIDED:
        raise Unusable(name)
