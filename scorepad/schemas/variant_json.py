"""The variants as JSON, and their differences from the classic game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import name_heading_of_statement
from scorepad.i18n.settings_in_words import (
    describe_option_value,
    describe_setting,
    describe_variant_briefly,
    describe_wild_limits_of_canastas,
    variant_name,
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
    split_into_steps,
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


def differing_rules(
    variant: Variant, words: Words, other_name: str = CLASSIC
) -> Iterator[Difference]:
    """Everything that differs from the classic game, or another variant, in the order of the data."""
    other = get_variant(other_name)
    yield from _differing_settings(variant, other, words)
    yield from _differing_ends(variant, words)
    yield from _bonuses_as_differences(variant, words)
    if variant.is_own:
        yield from _differing_penalties(variant, other, words)


def _differing_ends(variant: Variant, words: Words) -> Iterator[Difference]:
    """The minutes after which a match of a user's variant ends, if any: no other variant has them."""
    if variant.ends.minutes:
        yield Difference(
            key="ends/minutes",
            name=words.t("own.ends.minutes"),
            classic=words.t("value.not-here"),
            here=words.figure(variant.ends.minutes),
            matters=True,
            cited=Cited((), Standing.AGREED),
        )


def _bonuses_as_differences(variant: Variant, words: Words) -> Iterator[Difference]:
    """The bonuses of a user's variant: no other variant has any."""
    for code, bonus in variant.bonuses.items():
        yield Difference(
            key=f"bonuses/{code}",
            name=words.t(f"bonus.{code}"),
            classic=words.t("value.not-here"),
            here=words.signed(bonus.points),
            matters=True,
            cited=bonus.cited,
        )


def _differing_settings(variant: Variant, other: Variant, words: Words) -> Iterator[Difference]:
    """The settings whose values differ from those of another variant, in the order of the data."""
    for key, value in variant.settings.items():
        if value.value == other.settings[key].value:
            continue
        if _is_counted_in_neither(key, variant, other):
            continue
        compared = _compare_in_words(key, variant, other, words)
        yield Difference(
            key=key,
            name=words.t(f"setting.{key}"),
            classic=compared.there,
            here=compared.here,
            matters=applies(key, variant),
            cited=value.cited,
            follows=_name_of_followed_rule(variant, f"settings.{key}", words),
        )


def _is_counted_in_neither(key: str, variant: Variant, other: Variant) -> bool:
    """Whether a setting holds points of something that neither of two variants counts.

    A variant may inherit the points of black threes laid aside, for example, while its sides do not
    enter how many they laid aside.
    """
    if key not in _KEY_OF_EXTRA:
        return False
    return not applies(key, variant) and not applies(key, other)


class _Compared(NamedTuple):
    """The values of a setting in a variant (`here`) and in another one (`there`), in words."""

    here: str
    there: str


def _compare_in_words(key: str, variant: Variant, other: Variant, words: Words) -> _Compared:
    """The values of a setting that differ in two variants, in words: “50” here, “90” there."""
    here = _setting_in_force(key, variant, words)
    there = _setting_in_force(key, other, words)
    if key == "canastas" and here == there:
        # The words for the setting `canastas` tell only their bonuses. Where these are the same, the
        # variants differ in how many wild cards a canasta may hold, and that is told instead.
        here = describe_wild_limits_of_canastas(variant.settings[key].value, variant.id, words)
        there = describe_wild_limits_of_canastas(other.settings[key].value, other.id, words)
    return _Compared(here, there)


def _setting_in_force(key: str, variant: Variant, words: Words) -> str:
    """The value of a setting in words; “not here” if it has no effect in the variant."""
    if not applies(key, variant):
        return words.t("value.not-here")
    return describe_setting(key, variant, words)


def _differing_penalties(variant: Variant, other: Variant, words: Words) -> Iterator[Difference]:
    """The penalties of a variant that cost something else in another variant, or are not in it.

    Penalties that only the other variant has are not told.
    """
    for code, penalty in variant.penalties.items():
        cost_here = penalty_words(penalty, words)
        cost_in_other = words.t("value.not-here")
        if code in other.penalties:
            cost_in_other = penalty_words(other.penalties[code], words)
        if cost_here == cost_in_other:
            continue
        yield Difference(
            key=f"penalties/{code}",
            name=words.t(f"penalty.{code}"),
            classic=cost_in_other,
            here=cost_here,
            matters=True,
            cited=penalty.cited,
            follows=_name_of_followed_rule(variant, f"penalties.{code}", words),
        )


def _name_of_followed_rule(variant: Variant, key: str, words: Words) -> str:
    """The name of the setting whose change in house rules changed this value as well.

    House rules that only change the number of decks also get another list of values for red threes:
    for the key `settings.red-three-values`, the answer is the name of the setting `decks`. It is
    empty if nothing else changed the value.
    """
    cause_of_change = variant.moved.get(key)
    if cause_of_change is None:
        return ""
    return name_of_key(cause_of_change, words)


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
    """The rules that differ from the classic game, by key: the value in that game (`classic`), the
    value in this variant (`here`), and its sources. `follows` names the rule whose change also
    changed this one.
    """
    entries = {}
    for difference in differing_rules(variant, words):
        entry = {
            "name": difference.name,
            "classic": difference.classic,
            "here": difference.here,
            **_cited_in_json(difference.cited, words),
        }
        if difference.follows:
            entry["follows"] = difference.follows
        entries[difference.key] = entry
    return entries


def _settings_in_json(variant: Variant, words: Words) -> dict[str, Any]:
    entries = {}
    for key, value in variant.settings.items():
        entries[key] = {
            "name": words.t(f"setting.{key}"),
            "value": value.value,
            "words": describe_setting(key, variant, words),
            **_cited_in_json(value.cited, words),
            **_steps_in_json(key, value, words),
        }
    return entries


def _statements_in_json(variant: Variant, words: Words) -> dict[str, Any]:
    entries = {}
    for statement in statements_of(variant):
        if _is_undisputed_rule(statement, variant):
            entries[statement.id] = {
                "name": name_heading_of_statement(statement, words),
                "words": words.t(f"rulebook.statement.{statement.id}"),
                **_cited_in_json(statement.cited, words),
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
    """What JSON says about where a value comes from: its sources and how firmly they state it.

    Also, if there are any: how the value was inferred (`read`), and remarks (`notes`), such as
    which printed manual a source goes back to.
    """
    entry: dict[str, Any] = {
        "sources": [str(citation) for citation in cited.citations],
        "standing": cited.standing.value,
    }
    if cited.read:
        entry["read"] = words.t(f"read.{cited.read}")
    if cited.notes:
        entry["notes"] = list(cited.notes)
    return entry


def _is_undisputed_rule(statement: Statement, variant: Variant) -> bool:
    """Whether a sentence of the rulebook holds as a rule of the variant.

    Other sentences only tell how another source differs, or explain a setting, such as how the pile
    is frozen, that has no effect in the variant.
    """
    tells_other_source = statement.differs
    if tells_other_source:
        return False
    explained_setting = statement.after
    if explained_setting is None:
        return True
    return is_listed(explained_setting, variant)


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

    `opening-steps = [[0, 50], [1500, 90]]` → `{"steps": [{"step": "0", "value": 50, …}, {"step":
    "1500", "value": 90, …}]}`. Empty for a setting without parts.
    """
    entries = []
    for step, value_of_step in _values_of_steps(key, value).items():
        sources_of_step = value.cited.for_step(step)
        entry = {"step": step, "value": value_of_step, **_cited_in_json(sources_of_step, words)}
        entries.append(entry)
    if not entries:
        return {}
    return {"steps": entries}


def _values_of_steps(key: str, setting: Value) -> dict[str, Any]:
    """The value of each part of a setting: `[[0, 50], [1500, 90]]` → `{"0": 50, "1500": 90}`.

    A setting of a single value may have sources of its own for some parts: these have the same
    value then. Empty for a setting without parts.
    """
    steps = split_into_steps(key, setting.value)
    if steps:
        return dict(steps)
    return dict.fromkeys(setting.cited.steps, setting.value)


def _short_description(variant: Variant, words: Words) -> dict[str, Any]:
    return {
        "id": variant.id,
        "name": variant_name(variant, words),
        "players": list(variant.players.value),
        "special": describe_variant_briefly(variant, words),
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
            "name": describe_option_value(option.id, value.value, words),
            **_cited_in_json(value.cited, words),
        }
        values.append(value_entry)
    if values:
        entry["values"] = values
    return entry


def applies(key: str, variant: Variant) -> bool:
    """Whether a setting has any effect in the variant, given its other settings.

    The points of a black three left in hand have none, for example, where cards left in hand
    are not counted by their points.
    """
    if key in _KEY_OF_EXTRA:
        # These are points for something that only some variants count.
        entry_field = _KEY_OF_EXTRA[key]
        if entry_field not in variant.entry_fields:
            return False

    values = {name: value.value for name, value in variant.settings.items()}
    for condition in _CONDITIONS.get(key, ()):
        if not condition.is_met(values):
            return False

    if key in _OTHER_CONDITIONS:
        has_effect_with = _OTHER_CONDITIONS[key]
        return bool(has_effect_with(values))
    return True


def is_listed(key: str, variant: Variant) -> bool:
    """Whether a setting belongs on a list of rules: it has an effect, and says that there is a rule.

    A bonus of 0 points, or an empty list, says that there is none.
    """
    value_for_no_rule = _VALUE_FOR_NO_RULE.get(key, [])
    if is_same(variant.settings[key].value, value_for_no_rule):
        return False
    return applies(key, variant)


_VALUE_FOR_NO_RULE: dict[str, Any] = {
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


class _Condition(NamedTuple):
    """A value that another setting must have, or must not have, for a setting to have an effect."""

    setting: str
    value: str
    is_excluded: bool
    """Whether it is the value that the other setting must not have."""

    def is_met(self, values: Mapping[str, Any]) -> bool:
        """Whether settings with these values, by name, meet the condition."""
        has_value = values[self.setting] == self.value
        return not has_value if self.is_excluded else has_value


def _read_condition(text: str) -> _Condition:
    """A condition of `_WHERE`: `unit=points` is a value needed, `freezing!=always` one excluded."""
    if "!=" in text:
        setting, value = text.split("!=")
        return _Condition(setting, value, is_excluded=True)
    setting, value = text.split("=")
    return _Condition(setting, value, is_excluded=False)


def _read_conditions(texts: str) -> list[_Condition]:
    """The conditions in a text of `_WHERE`, which are separated by spaces."""
    return [_read_condition(text) for text in texts.split()]


_CONDITIONS = {key: _read_conditions(texts) for key, texts in _WHERE.items()}


def _has_partners(values: Mapping[str, Any]) -> bool:
    """Whether anybody has a partner in the game, for the whole match or for a hand."""
    return bool(max(values["sides"]) > 1 or values["partnership"] != "fixed")


def _may_red_threes_be_lost(values: Mapping[str, Any]) -> bool:
    """Whether a side gets the points of its red threes (bonus cards) only on a condition.

    The condition is that the side laid any cards (`opened`), or that it has the canastas needed to
    go out (`out-needs`). `values` are those of all settings, by name.
    """
    have_red_threes_points = bool(values["red-three-values"])
    if not have_red_threes_points:
        return False
    # By the other values of the setting, the points follow from how many canastas the side has, or
    # of which families, and nothing is lost.
    return values["red-threes-condition"] in ("opened", "out-needs")


_OTHER_CONDITIONS: dict[str, Callable[[Mapping[str, Any]], object]] = {
    "resting": lambda values: any(values["resting"]),
    "partnership": _has_partners,
    "permission": _has_partners,
    "wild-on-canasta": lambda values: values["meld-longest"] != values["canasta-length"],
    "red-threes-condition": _may_red_threes_be_lost,
    "red-threes-otherwise": _may_red_threes_be_lost,
    "red-threes-kept": lambda values: values["red-three-values"],
    "held-red-three-counts": lambda values: values["held-red-three"] > 0,
    "left-black-three": lambda values: values["left-black-three"] != values["card-points"]["3b"],
    "concealed-out": lambda values: values["concealed-out-bonus"] > 0,
    "out-bonus-adds": lambda values: values["out-bonus-canastas"],
}
"""Other conditions for a setting to have an effect; the rest always have one."""
