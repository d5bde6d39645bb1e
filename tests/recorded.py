"""What each source says as the data files record it, read from the files themselves and by nobody
else's code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.data import read_data

FOLDER = Path(__file__).parents[1] / "scorepad" / "variants"
STATEMENTS = ("meld-red-threes", "out-empty-handed", "table-agreement")
"""The statements of the rulebook that findings, lines and reasons cite."""


@dataclass(frozen=True)
class RecordedValue:
    """A value beside which places are cited, and how firmly they say it; `steps` are those cited by
    themselves.
    """

    value: Any
    places: tuple[str, ...]
    standing: str
    steps: Mapping[str, RecordedValue] = field(default_factory=dict)

    def at(self, step: str) -> RecordedValue:
        return self.steps.get(step, self)


@cache
def _file(name: str) -> dict[str, Any]:
    return read_data(FOLDER / f"{name}.toml")


def _said(value: Any, entry: Mapping[str, Any], steps: Mapping[str, Any]) -> RecordedValue:
    told = {name: _said(each["says"], each, {}) for name, each in steps.items()}
    return RecordedValue(value, tuple(entry.get("cite", ())), entry.get("standing", "stated"), told)


def _taken(said: RecordedValue, stated_by: tuple[str, ...]) -> RecordedValue:
    """What a game takes from another one, of which only the sources named say that it does."""
    if said.standing == "house":
        return said
    steps = {name: _taken(step, stated_by) for name, step in said.steps.items()}
    if stated_by and said.standing == "read":
        return replace(said, steps=steps)
    own = tuple(place for place in said.places if place.partition(":")[0] in stated_by)
    if own:
        return replace(said, places=own, steps=steps)
    return replace(said, standing="read", steps=steps)


def _as_taken(name: str, said: dict[str, RecordedValue]) -> dict[str, RecordedValue]:
    """What a game takes from its parent, as it stands in the game."""
    raw = _file(name)
    if "inherits" not in raw:
        return said
    return {key: _taken(each, tuple(raw.get("stated-by", ()))) for key, each in said.items()}


def _settings(name: str) -> dict[str, RecordedValue]:
    raw = _file(name)
    settings: dict[str, RecordedValue] = {}
    if "extends" in raw:
        settings = _as_taken(name, _settings(raw["extends"]))
    for key, entry in raw.get("settings", {}).items():
        settings[key] = _said(entry["value"], entry, entry.get("steps", {}))
    return settings


def _options_and_presets(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those of the variant's own file, and those that it takes from the variants that it extends."""
    raw = _file(name)
    options, presets = dict(raw.get("options", {})), dict(raw.get("presets", {}))
    parent = raw
    while "extends" in parent:
        parent = _file(parent["extends"])
        for key in raw.get("takes-options", ()):
            if key in parent["options"]:
                options.setdefault(key, parent["options"][key])
        for key in raw.get("takes-presets", ()):
            presets.setdefault(key, parent["presets"][key])
    return options, presets


def _set_by(option: Mapping[str, Any], value: Any) -> dict[str, RecordedValue]:
    """The settings that a value of an option sets, each as its source says it."""
    entry = next((each for each in option.get("values", ()) if each["is"] == value), None)
    if "sets" in option:
        return {option["sets"]: _said(value, entry or {"standing": "house"}, {})}
    assert entry is not None, value
    steps, reads = entry.get("steps", {}), entry.get("reads", {})
    said = {key: _said(new, entry, steps.get(key, {})) for key, new in entry.get("set", {}).items()}
    for key in reads:
        said[key] = replace(said[key], standing="read")
    return said


def recorded(
    variant: str, preset: str | None, options: Mapping[str, Any]
) -> dict[str, RecordedValue]:
    """Every setting in force with the places that stand beside its value, and the statements that
    are cited as settings are; penalties as `penalties/CODE`.
    """
    settings = _settings(variant)
    choices, presets = _options_and_presets(variant)
    chosen = {**(presets[preset]["options"] if preset else {}), **options}
    # Where two options set one setting, the later one in the file does.
    in_file_order = [name for name in choices if name in chosen]
    for name in in_file_order:
        by = _set_by(choices[name], chosen[name])
        if name not in _file(variant).get("options", {}) and "stated-by" in _file(variant):
            by = _as_taken(variant, by)
        for key, said in by.items():
            if "sets" not in choices[name] or said.value != settings[key].value:
                settings[key] = said
    return settings | _statements(variant) | _penalties(variant)


def _statements(name: str) -> dict[str, RecordedValue]:
    raw = _file(name)
    if "extends" in raw:
        return _as_taken(name, _statements(raw["extends"]))
    book = _file("book/statements")
    return {key: _said(None, book[key], {}) for key in STATEMENTS}


def _penalties(name: str) -> dict[str, RecordedValue]:
    raw = _file(name)
    penalties: dict[str, RecordedValue] = {}
    if "extends" in raw:
        penalties = _as_taken(name, _penalties(raw["extends"]))
    for code, entry in raw.get("penalties", {}).items():
        penalties[f"penalties/{code}"] = _said(entry.get("points"), entry, {})
    return penalties
