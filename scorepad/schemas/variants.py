"""The variants as JSON: every figure with its source and standing, every option with its values.

And what sets a variant apart from the classic game, for whoever knows that one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorepad.i18n import Words
from scorepad.i18n.settings import setting_words, value_word
from scorepad.rules.citations import Cited, steps_of
from scorepad.rules.loader import Option, Value
from scorepad.rules.variants import Variant, default_of, get_variant, settle, sources, variant_ids
from scorepad.schemas.applying import applies

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
