"""House rules: which options a table plays otherwise than its codification, or than the variant where it chose none.

They are told when the match starts, and kept with it: what is usual may be other values later.
"""

from __future__ import annotations

from scorepad.rules.loader import Option
from scorepad.rules.variants import Choice, Ruleset, Variant, default_of, get_variant

_TOLD_ELSEWHERE = {"target", "sides"}
"""Settings that a match tells by itself, so that the option for them is no rule of the house."""


def house_options(rules: Ruleset) -> tuple[str, ...]:
    """The options by which these rules differ from what is usual today, in the order of the variant."""
    variant = get_variant(rules.variant)
    usual = _usual(variant, rules.preset)
    return tuple(
        name for name, value in rules.options.items() if usual[name] != value and not _is_told(variant.options[name])
    )


def _is_told(option: Option) -> bool:
    return option.sets in _TOLD_ELSEWHERE or any(_TOLD_ELSEWHERE.intersection(value.sets) for value in option.values)


def _usual(variant: Variant, preset: str | None) -> dict[str, Choice]:
    """The value of each option where nobody chooses any but the codification."""
    usual = {name: default_of(variant, option) for name, option in variant.options.items()}
    return {**usual, **variant.presets[preset].options} if preset else usual
