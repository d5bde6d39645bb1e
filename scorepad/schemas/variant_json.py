"""The variants as JSON, and their differences from the classic game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import statement_name
from scorepad.i18n.settings_in_words import (
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
    is_same,
    steps_of,
)
from scorepad.rules.hand import EXTRA_COUNTS, ExtraPoints
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

    `key` is a setting, or such as `bonuses/CODE`. `classic` and `here` are the two values
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
    classic = get_variant(other)
    yield from _differing_settings(variant, classic, words)
    none = words.t("value.not-here")
    if variant.ends.minutes:
        yield Difference(
            key="ends/minutes",
            name=words.t("own.ends.minutes"),
            classic=none,
            here=words.figure(variant.ends.minutes),
            matters=True,
            cited=Cited((), Standing.AGREED),
        )
    for code, bonus in variant.bonuses.items():
        yield Difference(
            key=f"bonuses/{code}",
            name=words.t(f"bonus.{code}"),
            classic=none,
            here=words.signed(bonus.points),
            matters=True,
            cited=bonus.cited,
        )
    if variant.is_own:
        yield from _differing_penalties(variant, classic, words)


def _differing_settings(variant: Variant, classic: Variant, words: Words) -> Iterator[Difference]:
    """The settings whose values differ, in the order of the data."""
    for key, value in variant.settings.items():
        if value.value == classic.settings[key].value:
            continue
        if key in _KEY_OF_EXTRA and not applies(key, variant) and not applies(key, classic):
            continue  # both inherit the points, and neither counts what they are for
        there = _setting_in_force(key, classic, words)
        here = _setting_in_force(key, variant, words)
        if here == there and key == "canastas":
            # The bonuses are the same, so the difference is in the wild cards allowed.
            there = canasta_wilds(classic.settings[key].value, classic.id, words)
            here = canasta_wilds(value.value, variant.id, words)
        yield Difference(
            key=key,
            name=words.t(f"setting.{key}"),
            classic=there,
            here=here,
            matters=applies(key, variant),
            cited=value.cited,
            follows=_followed(variant, f"settings.{key}", words),
        )


def _setting_in_force(key: str, variant: Variant, words: Words) -> str:
    """The value of a setting in words; “not here” if it has no effect in the variant."""
    if not applies(key, variant):
        return words.t("value.not-here")
    return setting_words(key, variant, words)


def _differing_penalties(variant: Variant, classic: Variant, words: Words) -> Iterator[Difference]:
    """The penalties that cost something else, or that the classic game does not have."""
    for code, penalty in variant.penalties.items():
        here = penalty_words(penalty, words)
        there = words.t("value.not-here")
        if code in classic.penalties:
            there = penalty_words(classic.penalties[code], words)
        if here != there:
            yield Difference(
                key=f"penalties/{code}",
                name=words.t(f"penalty.{code}"),
                classic=there,
                here=here,
                matters=True,
                cited=penalty.cited,
                follows=_followed(variant, f"penalties.{code}", words),
            )


def _followed(variant: Variant, key: str, words: Words) -> str:
    """The name of the rule that a value of house rules follows; empty if the file gives it itself."""
    if key not in variant.moved:
        return ""
    return name_of_key(variant.moved[key], words)


def name_of_key(key: str, words: Words) -> str:
    """The name of a setting (`settings.NAME`) or a penalty (`penalties.CODE`)."""
    table, _, name = key.partition(".")
    if table == "settings":
        return words.t(f"setting.{name}")
    return words.t(f"penalty.{name}")


def penalty_words(penalty: PenaltyKind, words: Words) -> str:
    """The points that a penalty costs, with their sign."""
    if penalty.points is None:
        return words.t("paper.card.agreed")
    return words.figure(-penalty.points)


def variant_list(words: Words) -> list[dict[str, Any]]:
    """A short description of each variant."""
    return [_short_description(get_variant(name), words) for name in variant_ids()]


def variant_whole(name: str, words: Words) -> dict[str, Any]:
    """One variant with its parameters, options, presets, penalties and sources. Raises ChoiceError."""
    variant = get_variant(name)
    words = words.with_rules(variant)
    options = variant.options.items()
    whole = {
        **_short_description(variant, words),
        "extends": variant.parent,
        "items": list(settle(name).items),
        "differs": _differences_in_json(variant, words),
        "settings": _settings_in_json(variant, words),
        "statements": _statements_in_json(variant, words),
        "options": {key: _option_in_json(variant, option, words) for key, option in options},
        "presets": _presets_in_json(variant, words),
        "penalties": _points_in_json("penalty", variant.penalties, words),
        "sources": {key: source.title for key, source in sources().items()},
    }
    if variant.bonuses:
        whole["bonuses"] = _points_in_json("bonus", variant.bonuses, words)
    return whole


def _differences_in_json(variant: Variant, words: Words) -> dict[str, Any]:
    entries = {}
    for each in differing_rules(variant, words):
        entry = {"name": each.name, "classic": each.classic, "here": each.here}
        entry |= _cited_in_json(each.cited, words)
        if each.follows:
            entry["follows"] = each.follows
        entries[each.key] = entry
    return entries


def _settings_in_json(variant: Variant, words: Words) -> dict[str, Any]:
    entries = {}
    for key, value in variant.settings.items():
        entries[key] = {
            "name": words.t(f"setting.{key}"),
            "value": value.value,
            "words": setting_words(key, variant, words),
            **_cited_in_json(value.cited, words),
            **_steps_in_json(key, value, words),
        }
    return entries


def _statements_in_json(variant: Variant, words: Words) -> dict[str, Any]:
    entries = {}
    for each in statements_of(variant):
        if _is_said(each, variant):
            entries[each.id] = {
                "name": statement_name(each, words),
                "words": words.t(f"rulebook.statement.{each.id}"),
                **_cited_in_json(each.cited, words),
            }
    return entries


def _presets_in_json(variant: Variant, words: Words) -> dict[str, Any]:
    entries = {}
    for key, preset in variant.presets.items():
        entries[key] = {
            "name": words.t(f"preset.{key}"),
            "source": preset.source,
            "options": dict(preset.options),
        }
    return entries


def _cited_in_json(cited: Cited, words: Words) -> dict[str, Any]:
    """The sources of a value, its standing, the argument of an inference, the manuals behind it."""
    entry: dict[str, Any] = {
        "sources": [str(citation) for citation in cited.citations],
        "standing": cited.standing.value,
    }
    if cited.read:
        entry["read"] = words.t(f"read.{cited.read}")
    if cited.notes:
        entry["notes"] = list(cited.notes)
    return entry


def _is_said(statement: Statement, variant: Variant) -> bool:
    """Whether the variant has the rule that the statement is about, and no other source says it
    instead.
    """
    if statement.differs:
        return False
    return statement.after is None or is_listed(statement.after, variant)


def _points_in_json(
    kind: str, entries: Mapping[str, PenaltyKind | Bonus], words: Words
) -> dict[str, Any]:
    """The penalties or the bonuses, by code; `kind` is `penalty` or `bonus`."""
    by_code = {}
    for code, entry in entries.items():
        by_code[code] = {
            "name": words.t(f"{kind}.{code}"),
            "points": entry.points,
            **_cited_in_json(entry.cited, words),
        }
    return by_code


def _steps_in_json(key: str, value: Value, words: Words) -> dict[str, Any]:
    """The key `steps` of a setting: its parts, each with its value and its sources.

    A setting that is no table has the steps for which sources of their own are cited. Empty if
    there are no steps.
    """
    steps = steps_of(key, value.value)
    if not steps:
        steps = dict.fromkeys(value.cited.steps, value.value)
    if not steps:
        return {}
    entries = []
    for name, value_of_step in steps.items():
        cited = _cited_in_json(value.cited.of(name), words)
        entries.append({"step": name, "value": value_of_step, **cited})
    return {"steps": entries}


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
    if option.step is not None and option.cited is not None:
        entry |= {"step": option.step, **_cited_in_json(option.cited, words)}
    values = []
    for value in variant.values_of(option):
        value_entry = {
            "value": value.value,
            "name": value_word(option.id, value.value, words),
            **_cited_in_json(value.cited, words),
        }
        values.append(value_entry)
    if values:
        entry["values"] = values
    return entry


def applies(key: str, variant: Variant) -> bool:
    """Whether a setting has any effect in the variant, given its other settings."""
    values = {name: value.value for name, value in variant.settings.items()}
    for condition in _WHERE.get(key, "").split():
        if not _meets(condition, values):
            return False
    if key in _KEY_OF_EXTRA and _KEY_OF_EXTRA[key] not in variant.entry_fields:
        return False
    if key in _NEEDS:
        return bool(_NEEDS[key](values))
    return True


def _meets(condition: str, values: Mapping[str, Any]) -> bool:
    """Whether the settings meet a condition of `_WHERE`: `unit=points`, or `freezing!=always`."""
    if "!=" in condition:
        name, unwanted = condition.split("!=")
        return bool(values[name] != unwanted)
    name, needed = condition.split("=")
    return bool(values[name] == needed)


def is_listed(key: str, variant: Variant) -> bool:
    """Whether a setting belongs on a list of rules: it has an effect, and says that there is a rule."""
    value_for_no_rule = _IDLE.get(key, [])
    if is_same(variant.settings[key].value, value_for_no_rule):
        return False
    return applies(key, variant)


_IDLE: dict[str, Any] = {
    "hands-each": 1, "first-exchange": False, "unit": "points", "target": "unlimited", "match-deals": "unlimited",
    "counted-by": "cards-or-totals", "sequences": "none", "wilds-blocked": "nothing", "canastas-count": "always",
    "concealed-canasta": 0, "thirteen": "never", "opening-naturals-up-to": 0, "opening-natural-group": "not-needed",
    "cards-by-canastas": [1], "held-red-three": 0, "out-red-threes": "any", "out-bonus": 0, "concealed-out-bonus": 0,
    "penalties-known": "listed", "discard-fitting": "allowed", "threes-together": 0, "upcard-freezes": "as-turned",
    "upcard-pile": "turned", "upcard-wilds-redeal": 0, "pile-drawn": 0,
    **{extra.setting: 0 for extra in EXTRA_COUNTS if extra.points is ExtraPoints.EACH},
}  # fmt: skip
"""The value of each setting that means no rule; an empty list for the others."""

_KEY_OF_EXTRA = {
    extra.setting: extra.key for extra in EXTRA_COUNTS if extra.points is ExtraPoints.EACH
}
"""The settings with the points of what only some variants count, by what a side enters for them: a
variant may inherit the points without the entry.
"""
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
