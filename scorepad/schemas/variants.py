"""The variants as JSON, and what sets each apart from the classic game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.i18n import Words
from scorepad.i18n.settings import setting_words, value_word
from scorepad.rules.citations import Cited, steps_of
from scorepad.rules.loader import Option, Value
from scorepad.rules.variants import Variant, default_of, get_variant, settle, sources, variant_ids

CLASSIC = "classica"
"""The variant that the others are told by."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting that a variant decides otherwise than the classic game.

    `classic` and `here` are the two values in words; `matters` is whether the setting decides anything in this variant,
    and `cited` why its value is what it is.
    """

    key: str
    name: str
    classic: str
    here: str
    matters: bool
    cited: Cited


def differences(variant: Variant, words: Words) -> tuple[Difference, ...]:
    """Every setting whose value differs from that of the classic game, in the order of the data."""
    classic = get_variant(CLASSIC)
    return tuple(
        Difference(
            key,
            words.text(f"setting.{key}"),
            _words(key, classic, words),
            _words(key, variant, words),
            applies(key, variant),
            value.cited,
        )
        for key, value in variant.settings.items()
        if value.value != classic.settings[key].value
    )


def _words(key: str, variant: Variant, words: Words) -> str:
    return setting_words(key, variant, words) if applies(key, variant) else words.text("value.not-here")


def variant_list(words: Words) -> list[dict[str, Any]]:
    """The variants in a line each."""
    return [_head(get_variant(name), words) for name in variant_ids()]


def variant_whole(name: str, words: Words) -> dict[str, Any]:
    """One variant with its parameters, options, presets, penalties and sources. Raises ChoiceError."""
    variant = get_variant(name)
    return _head(variant, words) | {
        "extends": variant.parent,
        "items": list(settle(name).items),
        "differs": {each.key: _difference(each, words) for each in differences(variant, words)},
        "settings": {
            key: {
                "name": words.text(f"setting.{key}"),
                "value": value.value,
                "words": setting_words(key, variant, words),
            }
            | cited(value.cited, words)
            | _steps(key, value, words)
            for key, value in variant.settings.items()
        },
        "options": {key: _option(variant, option, words) for key, option in variant.options.items()},
        "presets": {
            key: {"name": words.text(f"preset.{key}"), "source": preset.source, "options": dict(preset.options)}
            for key, preset in variant.presets.items()
        },
        "penalties": {
            code: {"name": words.text(f"penalty.{code}"), "points": penalty.points} | cited(penalty.cited, words)
            for code, penalty in variant.penalties.items()
        },
        "sources": {key: source.title for key, source in sources().items()},
    }


def cited(why: Cited, words: Words) -> dict[str, Any]:
    """Where a figure comes from: sources, standing, the argument of an inference, the manuals behind it."""
    told: dict[str, Any] = {"sources": [str(place) for place in why.citations], "standing": why.standing.value}
    if why.read:
        told["read"] = words.text(f"read.{why.read}")
    if why.notes:
        told["notes"] = list(why.notes)
    return told


def _steps(key: str, value: Value, words: Words) -> dict[str, Any]:
    """Each step of a value that is a table, and every other step that is cited by itself, with its own sources."""
    steps = steps_of(key, value.value) or dict.fromkeys(value.cited.steps, value.value)
    told = [{"step": name, "value": says} | cited(value.cited.of(name), words) for name, says in steps.items()]
    return {"steps": told} if told else {}


def _difference(difference: Difference, words: Words) -> dict[str, Any]:
    told = {"name": difference.name, "classic": difference.classic, "here": difference.here}
    return told | cited(difference.cited, words)


def _head(variant: Variant, words: Words) -> dict[str, Any]:
    return {
        "id": variant.id,
        "name": words.text(f"variant.{variant.id}.name"),
        "players": list(variant.players.value),
        "special": words.text(f"variant.{variant.id}.special"),
    }


def _option(variant: Variant, option: Option, words: Words) -> dict[str, Any]:
    told: dict[str, Any] = {"name": words.text(f"option.{option.id}"), "default": default_of(variant, option)}
    values = [
        {"value": value.value, "name": value_word(option.id, value.value, words)} | cited(value.cited, words)
        for value in variant.values_of(option)
    ]
    if option.step is not None and option.cited is not None:
        told |= {"step": option.step} | cited(option.cited, words)
    return told | ({"values": values} if values else {})


def applies(key: str, variant: Variant) -> bool:
    """Whether a setting has any effect in the variant, given its other settings."""
    return key not in _NEEDS or _NEEDS[key]({name: value.value for name, value in variant.settings.items()})


def is_told(key: str, variant: Variant) -> bool:
    """Whether a setting belongs on a list of rules: it has an effect, and its value is not that of no rule."""
    value = variant.settings[key].value
    idle = _IDLE.get(key, [])
    return applies(key, variant) and not (value == idle and type(value) is type(idle))


_IDLE: dict[str, Any] = {
    "hands-each": 1, "first-exchange": False, "unit": "points", "target": "unlimited", "match-deals": "unlimited",
    "counted-by": "cards-or-totals", "sequences": "none", "wilds-blocked": "nothing", "canastas-count": "always",
    "concealed-canasta": 0, "thirteen": "never", "opening-naturals-up-to": 0, "opening-natural-group": "not-needed",
    "cards-by-canastas": [1], "held-red-three": 0, "out-red-threes": "any", "out-bonus": 0, "concealed-out-bonus": 0,
    "penalties-known": "listed", "discard-fitting": "allowed", "threes-together": 0, "upcard-freezes": "as-turned",
    "upcard-pile": "turned", "upcard-wilds-redeal": 0, "pile-drawn": 0,
}  # fmt: skip
"""The value of each setting where there is no such rule; an empty list for the others."""

_Values = Mapping[str, Any]
_SILENT = "not-told"
"""The value of a setting that the sources do not mention."""
_UPCARD = ("upcard-wild", "upcard-red-three", "upcard-black-three")
_PILE = ("pile-naturals", "pile-naturals-frozen", "pile-top-laid-off", "pile-tops", "pile-drawn")


def _has_wild_melds(values: _Values) -> bool:
    return bool(values["wild-melds"] == "allowed")


def _melds_black_threes(values: _Values) -> bool:
    return bool(values["black-threes"] != "never")


def _opens_by_score(values: _Values) -> bool:
    return bool(values["opening-by"] == "score")


def _has_minimum(values: _Values) -> bool:
    return bool(values["opening-by"] != "nothing")


def _counts_groups(values: _Values) -> bool:
    return bool(values["cards-left"] != "points")


def _has_simple_condition(values: _Values) -> bool:
    return bool(values["red-three-values"]) and values["red-threes-condition"] in ("opened", "out-needs")


def _may_lay_off(values: _Values) -> bool:
    """Whether the pile is ever taken otherwise than frozen."""
    return bool(values["pile"] != _SILENT and values["freezing"] != "always")


def _has_partners(values: _Values) -> bool:
    return bool(max(values["sides"]) > 1 or values["partnership"] != "fixed")


_NEEDS: dict[str, Callable[[_Values], bool]] = {
    "resting": lambda values: any(values["resting"]),
    "partnership": _has_partners,
    "permission": _has_partners,
    "wild-on-canasta": lambda values: values["meld-longest"] != values["canasta-length"],
    "wild-melds-shortest": _has_wild_melds,
    "wild-melds-longest": _has_wild_melds,
    "wild-meld-naturals": _has_wild_melds,
    "opening-wild-melds": lambda values: (
        _has_wild_melds(values) and _has_minimum(values) and values["opening-natural-group"] == "not-needed"
    ),
    "wilds-blocked": _has_wild_melds,
    "black-threes-fewest": _melds_black_threes,
    "black-threes-longest": _melds_black_threes,
    "black-threes-wilds": _melds_black_threes,
    "opening-steps": _opens_by_score,
    "opening-below-zero": _opens_by_score,
    "opening-deals": lambda values: values["opening-by"] == "deal",
    "opening-counts": _has_minimum,
    "opening-pile": lambda values: _has_minimum(values) and values["pile"] != _SILENT,
    "red-threes-condition": _has_simple_condition,
    "red-threes-otherwise": _has_simple_condition,
    "red-threes-by-canastas": lambda values: values["red-threes-condition"] == "canastas",
    "red-threes-by-families": lambda values: values["red-threes-condition"] == "families",
    "red-threes-kept": lambda values: bool(values["red-three-values"]),
    "held-red-three-counts": lambda values: values["held-red-three"] > 0,
    "left-black-three": lambda values: (
        values["cards-left"] == "points" and values["left-black-three"] != values["card-points"]["3b"]
    ),
    "left-wild": _counts_groups,
    "left-group": _counts_groups,
    "card-points": lambda values: values["unit"] == "points",
    "concealed-out": lambda values: values["concealed-out-bonus"] > 0,
    "out-bonus-adds": lambda values: bool(values["out-bonus-canastas"]),
    "pile-layoff": lambda values: _may_lay_off(values) and values["pile-top-laid-off"] != "never",
    "freezing": lambda values: values["pile"] != _SILENT,
    "black-three-discarded": lambda values: values["pile"] != _SILENT,
    "first-round-black-threes": lambda values: values["pile"] != _SILENT,
    **dict.fromkeys(_UPCARD, lambda values: values["upcard"] != _SILENT),
    **dict.fromkeys(_PILE, lambda values: values["pile"] != _SILENT),
    "pile-naturals": _may_lay_off,
    "pile-top-laid-off": _may_lay_off,
    "pile-naturals-frozen": lambda values: values["pile"] != _SILENT and values["freezing"] != "never",
}
"""The condition for each setting to have an effect; the rest always have one."""
