"""The variants as JSON, and their differences from the classic game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import statement_name
from scorepad.i18n.settings import (
    canasta_wilds,
    setting_words,
    value_word,
    variant_name,
    variant_special,
)
from scorepad.rules.definitions import (
    Bonus,
    Cited,
    Option,
    PenaltyKind,
    Standing,
    Statement,
    Value,
    Variant,
    steps_of,
)
from scorepad.rules.variants import (
    default_of,
    get_variant,
    settle,
    sources,
    statements_of,
    variant_ids,
)

CLASSIC = "classica"
"""The variant with which the others are compared."""


class Difference(NamedTuple):
    """A rule that differs from the classic game, or from another variant.

    `key` is a setting, or a ground such as `bonuses/CODE`. `classic` and `here` are the two values
    in words; `matters` is whether the rule has any effect in this variant, and `cited` its
    citation. `follows` names the rule that the house rules changed, if this one only follows it.
    """

    key: str
    name: str
    classic: str
    here: str
    matters: bool
    cited: Cited
    follows: str = ""


def differing_rules(variant: Variant, words: Words, other: str = CLASSIC) -> Iterator[Difference]:
    """Everything that differs from the classic game, or another variant, in the order of the data."""
    classic, none, house = (
        get_variant(other),
        words.t("value.not-here"),
        Cited((), Standing.HOUSE),
    )
    for key, value in variant.settings.items():
        if value.value != classic.settings[key].value:
            there, here = (
                setting_words(key, each, words) if applies(key, each) else none
                for each in (classic, variant)
            )
            if here == there and key == "canastas":
                there, here = (
                    canasta_wilds(each.settings[key].value, each.id, words)
                    for each in (classic, variant)
                )
            name, follows = (
                words.t(f"setting.{key}"),
                _followed(variant, f"settings.{key}", words),
            )
            yield Difference(key, name, there, here, applies(key, variant), value.cited, follows)
    if variant.ends.minutes:
        here = words.figure(variant.ends.minutes)
        yield Difference(
            "ends/minutes", words.t("own.ends.minutes"), none, here, matters=True, cited=house
        )
    for code, bonus in variant.bonuses.items():
        here = words.signed(bonus.points)
        yield Difference(
            f"bonuses/{code}",
            words.t(f"bonus.{code}"),
            none,
            here,
            matters=True,
            cited=bonus.cited,
        )
    for code, penalty in variant.penalties.items() if variant.is_own else ():
        known = classic.penalties.get(code)
        here, there = (penalty_words(each, words) if each else none for each in (penalty, known))
        if here != there:
            name, follows = (
                words.t(f"penalty.{code}"),
                _followed(variant, f"penalties.{code}", words),
            )
            yield Difference(f"penalties/{code}", name, there, here, True, penalty.cited, follows)


def _followed(variant: Variant, ground: str, words: Words) -> str:
    """The name of the rule that a figure of house rules follows; empty if the file gives it itself."""
    followed = variant.moved.get(ground)
    return ground_word(followed, words) if followed else ""


def ground_word(ground: str, words: Words) -> str:
    """The name of a setting (`settings.NAME`) or a penalty (`penalties.CODE`)."""
    kind, _, name = ground.partition(".")
    return words.t(f"setting.{name}" if kind == "settings" else f"penalty.{name}")


def penalty_words(penalty: PenaltyKind, words: Words) -> str:
    """The points that a penalty costs, with their sign."""
    return words.t("paper.card.agreed") if penalty.points is None else words.figure(-penalty.points)


def variant_list(words: Words) -> list[dict[str, Any]]:
    """A short description of each variant."""
    return [_short_description(get_variant(name), words) for name in variant_ids()]


def variant_whole(name: str, words: Words) -> dict[str, Any]:
    """One variant with its parameters, options, presets, penalties and sources. Raises ChoiceError."""
    variant = get_variant(name)
    words = words.with_rules(variant)
    whole = _short_description(variant, words) | {
        "extends": variant.parent,
        "items": list(settle(name).items),
        "differs": {
            each.key: {"name": each.name, "classic": each.classic, "here": each.here}
            | cited(each.cited, words)
            | ({"follows": each.follows} if each.follows else {})
            for each in differing_rules(variant, words)
        },
        "settings": {
            key: {
                "name": words.t(f"setting.{key}"),
                "value": value.value,
                "words": setting_words(key, variant, words),
            }
            | cited(value.cited, words)
            | _steps_in_json(key, value, words)
            for key, value in variant.settings.items()
        },
        "statements": {
            each.id: _statement_in_json(each, words)
            for each in statements_of(variant)
            if _is_said(each, variant)
        },
        "options": {
            key: _option_in_json(variant, option, words) for key, option in variant.options.items()
        },
        "presets": {
            key: {
                "name": words.t(f"preset.{key}"),
                "source": preset.source,
                "options": dict(preset.options),
            }
            for key, preset in variant.presets.items()
        },
        "penalties": _points_in_json("penalty", variant.penalties, words),
        "sources": {key: source.title for key, source in sources().items()},
    }
    return whole | (
        {"bonuses": _points_in_json("bonus", variant.bonuses, words)} if variant.bonuses else {}
    )


def cited(why: Cited, words: Words) -> dict[str, Any]:
    """The source of a figure: sources, standing, the argument of an inference, the manuals behind
    it.
    """
    entry: dict[str, Any] = {
        "sources": [str(place) for place in why.citations],
        "standing": why.standing.value,
    }
    if why.read:
        entry["read"] = words.t(f"read.{why.read}")
    if why.notes:
        entry["notes"] = list(why.notes)
    return entry


def _is_said(statement: Statement, variant: Variant) -> bool:
    """Whether the variant has the rule that the statement is about, and no other source says it
    instead.
    """
    if statement.differs:
        return False
    return statement.after is None or is_told(statement.after, variant)


def _statement_in_json(statement: Statement, words: Words) -> dict[str, Any]:
    entry = {
        "name": statement_name(statement, words),
        "words": words.t(f"rulebook.statement.{statement.id}"),
    }
    return entry | cited(statement.cited, words)


def _points_in_json(
    kind: str, entries: Mapping[str, PenaltyKind | Bonus], words: Words
) -> dict[str, Any]:
    """The penalties or the bonuses, by code."""
    return {
        code: {"name": words.t(f"{kind}.{code}"), "points": each.points} | cited(each.cited, words)
        for code, each in entries.items()
    }


def _steps_in_json(key: str, value: Value, words: Words) -> dict[str, Any]:
    """Each step of a value that is a table, and every other step with its own citation, with its
    own sources.
    """
    steps = steps_of(key, value.value) or dict.fromkeys(value.cited.steps, value.value)
    entry = [
        {"step": name, "value": says} | cited(value.cited.of(name), words)
        for name, says in steps.items()
    ]
    return {"steps": entry} if entry else {}


def _short_description(variant: Variant, words: Words) -> dict[str, Any]:
    return {
        "id": variant.id,
        "name": variant_name(variant, words),
        "players": list(variant.players.value),
        "special": variant_special(variant, words),
    }


def _option_in_json(variant: Variant, option: Option, words: Words) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": words.t(f"option.{option.id}"),
        "default": default_of(variant, option),
    }
    values = [
        {"value": value.value, "name": value_word(option.id, value.value, words)}
        | cited(value.cited, words)
        for value in variant.values_of(option)
    ]
    if option.step is not None and option.cited is not None:
        entry |= {"step": option.step} | cited(option.cited, words)
    return entry | ({"values": values} if values else {})


def applies(key: str, variant: Variant) -> bool:
    """Whether a setting has any effect in the variant, given its other settings."""
    values = {name: value.value for name, value in variant.settings.items()}
    for condition in _WHERE.get(key, "").split():
        other, _, value = condition.partition("=")
        if (values[other.removesuffix("!")] == value) == other.endswith("!"):
            return False
    return key not in _NEEDS or bool(_NEEDS[key](values))


def is_told(key: str, variant: Variant) -> bool:
    """Whether a setting belongs on a list of rules: it has an effect, and its value is not that for
    an absent rule.
    """
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
"""The value of each setting that means no rule; an empty list for the others."""

_UPCARD_KNOWN = "upcard!=not-told upcard!=not-refereed"
_WHERE = {
    "wild-melds-shortest": "wild-melds=allowed", "wild-melds-longest": "wild-melds=allowed",
    "wild-meld-naturals": "wild-melds=allowed", "wilds-blocked": "wild-melds=allowed",
    "opening-wild-melds": "wild-melds=allowed opening-natural-group=not-needed opening-by!=nothing",
    "opening-steps": "opening-by=score", "opening-below-zero": "opening-by=score", "opening-deals": "opening-by=deal",
    "opening-pile": "opening-by!=nothing pile!=not-refereed",
    "red-threes-by-canastas": "red-threes-condition=canastas",
    "red-threes-by-families": "red-threes-condition=families", "card-points": "unit=points",
    "left-black-three": "cards-left=points", "left-wild": "cards-left!=points", "left-group": "cards-left!=points",
    "black-threes-fewest": "black-threes!=never", "black-threes-longest": "black-threes!=never",
    "black-threes-wilds": "black-threes!=never", "pile-naturals": "pile!=not-refereed freezing!=always",
    "pile-layoff": "pile!=not-refereed freezing!=always pile-top-laid-off!=never",
    "pile-top-laid-off": "pile!=not-refereed freezing!=always",
    "pile-naturals-frozen": "pile!=not-refereed freezing!=never", "freezing": "pile!=not-refereed",
    "black-three-discarded": "pile!=not-refereed", "first-round-black-threes": "pile!=not-refereed",
    "pile-tops": "pile!=not-refereed", "pile-drawn": "pile!=not-refereed", "upcard-wild": _UPCARD_KNOWN,
    "upcard-red-three": _UPCARD_KNOWN, "upcard-black-three": _UPCARD_KNOWN,
}  # fmt: skip
"""The values that other settings must have (`=`), or must not have (`!=`), for a setting to have an
effect.
"""


def _has_partners(values: Mapping[str, Any]) -> bool:
    return bool(max(values["sides"]) > 1 or values["partnership"] != "fixed")


def _has_simple_condition(values: Mapping[str, Any]) -> bool:
    return bool(values["red-three-values"]) and values["red-threes-condition"] in (
        "opened",
        "out-needs",
    )


_NEEDS: dict[str, Callable[[Mapping[str, Any]], object]] = {
    "resting": lambda values: any(values["resting"]),
    "partnership": _has_partners,
    "permission": _has_partners,
    "wild-on-canasta": lambda values: values["meld-longest"] != values["canasta-length"],
    "red-threes-condition": _has_simple_condition,
    "red-threes-otherwise": _has_simple_condition,
    "red-threes-kept": lambda values: values["red-three-values"],
    "held-red-three-counts": lambda values: values["held-red-three"] > 0,
    "left-black-three": lambda values: values["left-black-three"] != values["card-points"]["3b"],
    "concealed-out": lambda values: values["concealed-out-bonus"] > 0,
    "out-bonus-adds": lambda values: values["out-bonus-canastas"],
}
"""Other conditions for a setting to have an effect; the rest always have one."""
