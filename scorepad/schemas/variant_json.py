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
    OptionValue,
    PenaltyKind,
    Standing,
    Statement,
    Value,
    Variant,
    is_same,
    split_into_parts,
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

    `key` is a setting, or such as `bonuses/CODE`. `here` is its value in the variant, and `there`
    in the classic game or the other variant, both in words; `matters` is whether the rule has any
    effect in this variant, and `cited` its citation. `follows` names the rule that the house rules
    changed, if this one only follows it.
    """

    key: str
    name: str
    there: str
    here: str
    matters: bool
    cited: Cited
    follows: str = ""


def find_differing_rules(
    variant: Variant, words: Words, other_name: str = CLASSIC
) -> Iterator[Difference]:
    """Find the rules of a variant (a version of the game) that differ from those of another one.

    The other one is the classic game, if none is named. Each rule is given with its values in both,
    in the language of `words`: `samba` is played with 3 decks, and the classic game with 2.
    """
    other = get_variant(other_name)
    yield from _find_differing_settings(variant, other, words)
    yield from _find_minutes_of_own_variant(variant, words)
    yield from _find_bonuses_of_own_variant(variant, words)
    if variant.is_own:
        yield from _find_differing_penalties(variant, other, words)


def _find_minutes_of_own_variant(variant: Variant, words: Words) -> Iterator[Difference]:
    """Find the minutes after which a match of a variant ends, as a difference to other variants.

    Only a variant (a version of the game) that a user wrote can end a match by the clock.
    """
    minutes = variant.ends.minutes
    if minutes:
        yield Difference(
            key="ends/minutes",
            name=words.t("own.ends.minutes"),
            there=words.t("value.not-here"),  # "none"
            here=words.figure(minutes),
            matters=True,
            cited=Cited((), Standing.AGREED),  # agreed by the players: no rule book says it
        )


def _find_bonuses_of_own_variant(variant: Variant, words: Words) -> Iterator[Difference]:
    """Find the bonuses of a variant (a version of the game), as differences to other variants.

    Only a variant that a user wrote can have such bonuses: 50 points → "+50" here, "none" there.
    """
    for code, bonus in variant.bonuses.items():
        yield Difference(
            key=f"bonuses/{code}",
            name=words.t(f"bonus.{code}"),
            there=words.t("value.not-here"),  # "none"
            here=words.signed(bonus.points),
            matters=True,
            cited=bonus.cited,
        )


def _find_differing_settings(
    variant: Variant, other: Variant, words: Words
) -> Iterator[Difference]:
    """Find the settings of a variant whose values differ from those of another variant.

    Variants are versions of the game. For `samba` and the classic game: `decks`, which is 3 in one
    and 2 in the other, and more.
    """
    for key, value in variant.settings.items():
        if value.value == other.settings[key].value:
            continue
        has_effect_here = has_effect(key, variant)
        if key in _ENTRY_FOR_POINTS and not has_effect_here and not has_effect(key, other):
            continue  # points for something that the players count in neither variant
        both_values = _describe_both_values(key, variant, other, words)
        yield Difference(
            key=key,
            name=words.t(f"setting.{key}"),
            there=both_values.there,
            here=both_values.here,
            matters=has_effect_here,
            cited=value.cited,
            follows=_find_name_of_cause(variant, f"settings.{key}", words),
        )


class _BothValues(NamedTuple):
    """The values of a setting in a variant (`here`) and in another one (`there`), in words."""

    here: str
    there: str


def _describe_both_values(key: str, variant: Variant, other: Variant, words: Words) -> _BothValues:
    """Describe the values of a setting in two variants (versions of the game), in words.

    For the setting `target`, with `samba` as the variant and the classic game as the other one:
    `_BothValues(here="10,000", there="5,000")`.
    """
    here = _describe_setting(key, variant, words)
    there = _describe_setting(key, other, words)
    if key == "canastas" and here == there:
        # The words for this setting tell only the bonus of each canasta (a group of seven cards or
        # more). If the bonuses are equal, the variants differ in how many wild cards (jokers and
        # twos) a canasta may have, and that is told instead.
        here = describe_wild_limits_of_canastas(variant.settings[key].value, variant.id, words)
        there = describe_wild_limits_of_canastas(other.settings[key].value, other.id, words)
    return _BothValues(here, there)


def _describe_setting(key: str, variant: Variant, words: Words) -> str:
    """Describe the value of a setting in words: `target` → "5,000" in the classic game.

    A setting without effect in the variant (the version of the game) → "none".
    """
    if not has_effect(key, variant):
        return words.t("value.not-here")
    return describe_setting(key, variant, words)


def _find_differing_penalties(
    variant: Variant, other: Variant, words: Words
) -> Iterator[Difference]:
    """Find the penalties of a variant that another variant does not have at the same cost.

    Variants are versions of the game. Penalties that only the other one has are left out.
    """
    for code, penalty in variant.penalties.items():
        cost_here = describe_cost_of_penalty(penalty, words)
        cost_in_other = words.t("value.not-here")
        if code in other.penalties:
            cost_in_other = describe_cost_of_penalty(other.penalties[code], words)
        if cost_here == cost_in_other:
            continue
        yield Difference(
            key=f"penalties/{code}",
            name=words.t(f"penalty.{code}"),
            there=cost_in_other,
            here=cost_here,
            matters=True,
            cited=penalty.cited,
            follows=_find_name_of_cause(variant, f"penalties.{code}", words),
        )


def _find_name_of_cause(variant: Variant, key: str, words: Words) -> str:
    """Find the name of the rule because of which another rule had to change; "" if there is none.

    A user's house rules may change the number of decks only. With fewer decks there are fewer red
    threes, so that the list of their values changes too: for the key `settings.red-three-values`,
    the result is "Decks".
    """
    key_of_cause = variant.moved.get(key)
    if key_of_cause is None:
        return ""
    return translate_key_of_rule(key_of_cause, words)


def translate_key_of_rule(key: str, words: Words) -> str:
    """Return the name of a rule in the language of the reader: `settings.decks` → "Decks".

    The key is that of a setting, or of a penalty, such as `penalties.draw-out-of-turn`.
    """
    table, _, name = key.partition(".")
    if table == "settings":
        return words.t(f"setting.{name}")
    return words.t(f"penalty.{name}")


def describe_cost_of_penalty(penalty: PenaltyKind, words: Words) -> str:
    """Describe what a penalty costs: 100 points → "−100".

    Where the players have to agree on the points of a penalty → "as the table agrees".
    """
    if penalty.points is None:
        return words.t("paper.card.agreed")
    return words.figure(-penalty.points)


def list_variants(words: Words) -> list[dict[str, Any]]:
    """List all variants (versions of the game) for JSON, each with a short description.

    `[{"id": "classica", "name": "Classic canasta", "players": [4], "special": …}, …]`
    """
    return [_build_short_description(get_variant(name), words) for name in variant_ids()]


def build_whole_variant(name: str, words: Words) -> dict[str, Any]:
    """Build the JSON of a variant (a version of the game) with all its rules and their sources.

    Raises ChoiceError if there is no variant of this name.
    """
    variant = get_variant(name)
    words = words.with_rules(variant)  # a user's own variant has names of its own for its rules
    options = variant.options.items()
    whole = {
        **_build_short_description(variant, words),
        "extends": variant.parent,
        "items": list(settle(name).items),  # what a score counts, such as "natural-canasta"
        "differs": _build_differences(variant, words),
        "settings": _build_settings(variant, words),
        "statements": _build_statements(variant, words),
        "options": {key: _build_option(variant, option, words) for key, option in options},
        "presets": _build_presets(variant, words),
        "penalties": _build_entries_with_points("penalty", variant.penalties, words),
        "sources": {key: source.title for key, source in sources().items()},
    }
    if variant.bonuses:
        whole["bonuses"] = _build_entries_with_points("bonus", variant.bonuses, words)
    return whole


def _build_differences(variant: Variant, words: Words) -> dict[str, Any]:
    """Build the JSON of the rules in which a variant differs from the classic game.

    `{"decks": {"name": "Decks", "classic": "2", "here": "3", "sources": ["W:Samba"], …}, …}`
    """
    entries = {}
    for difference in find_differing_rules(variant, words):
        entry = {
            "name": difference.name,
            "classic": difference.there,
            "here": difference.here,
            **_build_citation(difference.cited, words),
        }
        if difference.follows:
            entry["follows"] = difference.follows  # the name of the rule that caused this change
        entries[difference.key] = entry
    return entries


def _build_settings(variant: Variant, words: Words) -> dict[str, Any]:
    """Build the JSON of all settings of a variant: their values, in words too, and their sources.

    `{"decks": {"name": "Decks", "value": 3, "words": "3", "sources": ["W:Samba"], …}, …}`
    """
    entries = {}
    for key, value in variant.settings.items():
        entries[key] = {
            "name": words.t(f"setting.{key}"),
            "value": value.value,
            "words": describe_setting(key, variant, words),
            **_build_citation(value.cited, words),
            **_build_steps(key, value, words),
        }
    return entries


def _build_statements(variant: Variant, words: Words) -> dict[str, Any]:
    """Build the JSON of the rules of a variant that are not settings, but sentences.

    `{"nothing-taken-back": {"name": …, "words": …, "sources": […], "standing": "stated"}, …}`
    """
    entries = {}
    for statement in statements_of(variant):
        if _is_rule_of_variant(statement, variant):
            entries[statement.id] = {
                "name": name_heading_of_statement(statement, words),
                "words": words.t(f"rulebook.statement.{statement.id}"),
                **_build_citation(statement.cited, words),
            }
    return entries


def _build_presets(variant: Variant, words: Words) -> dict[str, Any]:
    """Build the JSON of the presets of a variant: options chosen as one rule book has them.

    `{"enciclopedia": {"name": "Encyclopedia", "source": "E", "options": {…}}, …}`
    """
    entries = {}
    for key, preset in variant.presets.items():
        entries[key] = {
            "name": words.t(f"preset.{key}"),
            "source": preset.source,
            "options": dict(preset.options),
        }
    return entries


def _build_citation(cited: Cited, words: Words) -> dict[str, Any]:
    """Build the part of a rule's JSON that says where the rule comes from.

    - stated by a rule book → `{"sources": ["W:Samba"], "standing": "stated"}`
    - inferred from one → `"standing": "read"`, and under `read` a sentence that says how
    - decided by the players → `{"sources": [], "standing": "house"}`

    Under `notes` are remarks, if there are any, such as the printed book to which a source goes
    back.
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


def _is_rule_of_variant(statement: Statement, variant: Variant) -> bool:
    """Tell whether a sentence of the rulebook is a rule of a variant (a version of the game)."""
    tells_of_other_book = statement.differs
    if tells_of_other_book:
        return False
    explained_setting = statement.after  # a sentence is printed after the setting that it explains
    if explained_setting is None:
        return True
    return is_listed(explained_setting, variant)


def _build_entries_with_points(
    kind: str, entries: Mapping[str, PenaltyKind | Bonus], words: Words
) -> dict[str, Any]:
    """Build the JSON of penalties or of bonuses, by code; `kind` is `"penalty"` or `"bonus"`.

    `{"draw-out-of-turn": {"name": …, "points": 100, "sources": […], "standing": "stated"}, …}`
    """
    by_code = {}
    for code, entry in entries.items():
        by_code[code] = {
            "name": words.t(f"{kind}.{code}"),
            "points": entry.points,
            **_build_citation(entry.cited, words),
        }
    return by_code


def _build_steps(key: str, setting: Value, words: Words) -> dict[str, Any]:
    """Build the JSON of the steps of a setting, which may have different sources.

    The minimum of points by match score, `opening-steps = [[0, 50], [1500, 90]]`, has two:
    `{"steps": [{"step": "0", "value": 50, …}, {"step": "1500", "value": 90, …}]}`. A setting
    without steps → `{}`.
    """
    value_by_step = split_into_parts(key, setting.value)
    if not value_by_step:
        # A single value may have sources of its own for something that it decides: each of these
        # is a step with the same value.
        value_by_step = dict.fromkeys(setting.cited.steps, setting.value)

    entries = []
    for step, value in value_by_step.items():
        citation = _build_citation(setting.cited.for_step(step), words)
        entries.append({"step": step, "value": value, **citation})
    return {"steps": entries} if entries else {}


def _build_short_description(variant: Variant, words: Words) -> dict[str, Any]:
    """Build the part of a variant's JSON that lists of variants show: its name and what it is.

    `special` says what it is in short: "Four in two partnerships, two decks, to 5,000."
    """
    return {
        "id": variant.id,
        "name": variant_name(variant, words),
        "players": list(variant.players.value),
        "special": describe_variant_briefly(variant, words),
    }


def _build_option(variant: Variant, option: Option, words: Words) -> dict[str, Any]:
    """Build the JSON of an option, a choice that the players of a variant have.

    `{"name": "Target", "default": 10000, …}`. Players choose a multiple of its `step`, if it has
    one, or one of its `values`.
    """
    entry: dict[str, Any] = {
        "name": words.t(f"option.{option.id}"),
        "default": default_of(variant, option),
    }
    if option.amount is not None:
        entry["step"] = option.amount.step
        entry |= _build_citation(option.amount.cited, words)
    values = [_build_option_value(option, value, words) for value in variant.values_of(option)]
    if values:
        entry["values"] = values
    return entry


def _build_option_value(option: Option, value: OptionValue, words: Words) -> dict[str, Any]:
    """Build the JSON of one value of an option: `{"value": …, "name": …, "sources": […], …}`."""
    return {
        "value": value.value,
        "name": describe_option_value(option.id, value.value, words),
        **_build_citation(value.cited, words),
    }


def has_effect(key: str, variant: Variant) -> bool:
    """Tell whether a setting has any effect in a variant (a version of the game).

    That depends on the other settings of the variant.

    - `left-black-three`, the points of a black three left in hand, in the game mini, which does not
      count cards left in hand by their points → False
    - `decks`, the number of decks → True
    """
    # Points for something that the players enter in some variants only
    if key in _ENTRY_FOR_POINTS:
        entry_field = _ENTRY_FOR_POINTS[key]
        if entry_field not in variant.entry_fields:
            return False

    # Other settings that must have a value, or must not have it
    values = {name: value.value for name, value in variant.settings.items()}
    for condition in _CONDITIONS.get(key, ()):
        if not condition.is_met(values):
            return False

    # Conditions that need a function of their own
    if key in _OTHER_CONDITIONS:
        has_effect_with = _OTHER_CONDITIONS[key]
        return bool(has_effect_with(values))
    return True


def is_listed(key: str, variant: Variant) -> bool:
    """Tell whether a setting belongs on a list of the rules of a variant.

    - `decks` = 3 → True
    - `concealed-canasta` = 0, a bonus of no points, or an empty list → False, there is no such rule
    - a setting without effect in the variant → False
    """
    value_for_no_rule = _VALUE_FOR_NO_RULE.get(key, [])  # an empty list if none is given for it
    if is_same(variant.settings[key].value, value_for_no_rule):
        return False
    return has_effect(key, variant)


_VALUE_FOR_NO_RULE: dict[str, Any] = {
    "hands-each": 1, "first-exchange": False, "unit": "points", "target": "unlimited", "match-deals": "unlimited",
    "counted-by": "cards-or-totals", "sequences": "none", "wilds-from-naturals": 0, "wilds-blocked": "nothing",
    "canastas-count": "always", "canastas-capped": "never",
    "concealed-canasta": 0, "thirteen": "never", "opening-naturals-up-to": 0, "opening-natural-group": "not-needed",
    "opening-canasta": "counts", "meld-longest-out": "as-others",
    "cards-by-canastas": [1], "held-red-three": 0, "out-red-threes": "any", "out-bonus": 0, "concealed-out-bonus": 0,
    "penalties-known": "listed", "discard-fitting": "allowed", "wild-discard": "any", "dead-ranks": "none",
    "threes-together": 0, "turn-card": 0, "upcard-freezes": "as-turned", "upcard-pile": "turned",
    "upcard-wilds-redeal": 0, "pile-drawn": 0, "pile-taken-most": "all", "out-partner-foot": "not-needed",
    **{extra.setting: 0 for extra in EXTRA_COUNTS if extra.points is ExtraPoints.EACH},
}  # fmt: skip
"""The value of each setting that means no rule; an empty list for the others."""

_ENTRY_FOR_POINTS = {
    extra.setting: extra.key for extra in EXTRA_COUNTS if extra.points is ExtraPoints.EACH
}
"""The settings with the points of what only some variants count, by what a side enters for them: a
variant may inherit the points without the entry.
"""
_UPCARD_KNOWN = "upcard!=not-told upcard!=none"
_WHERE = {
    "wild-melds-shortest": "wild-melds=allowed", "wild-melds-longest": "wild-melds=allowed",
    "wild-meld-naturals": "wild-melds=allowed", "wilds-blocked": "wild-melds=allowed",
    "opening-wild-melds": "wild-melds=allowed opening-natural-group=not-needed opening-by!=nothing",
    "opening-steps": "opening-by=score", "opening-below-zero": "opening-by=score", "opening-deals": "opening-by=deal",
    "opening-pile": "opening-by!=nothing",
    "red-threes-by-canastas": "red-threes-condition=canastas",
    "red-threes-by-families": "red-threes-condition=families", "card-points": "unit=points",
    "left-black-three": "cards-left=points", "left-wild": "cards-left!=points", "left-group": "cards-left!=points",
    "black-threes-fewest": "black-threes!=never", "black-threes-longest": "black-threes!=never",
    "black-threes-wilds": "black-threes!=never", "pile-naturals": "freezing!=always",
    "pile-layoff": "freezing!=always pile-top-laid-off!=never", "pile-top-laid-off": "freezing!=always",
    "pile-naturals-frozen": "pile!=two-naturals-always freezing!=never", "upcard-wild": _UPCARD_KNOWN,
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
        """Tell whether settings with these values, by name, meet the condition.

        `unit=points` with `{"unit": "points"}` → True, and `freezing!=always` with
        `{"freezing": "always"}` → False.
        """
        has_value: bool = values[self.setting] == self.value
        if self.is_excluded:
            return not has_value
        return has_value


def _read_condition(text: str) -> _Condition:
    """Read a condition from its text.

    - `unit=points` → the setting `unit` must have the value `points`
    - `freezing!=always` → the setting `freezing` must not have the value `always`
    """
    if "!=" in text:
        setting, value = text.split("!=")
        return _Condition(setting, value, is_excluded=True)
    setting, value = text.split("=")
    return _Condition(setting, value, is_excluded=False)


def _read_conditions(texts: str) -> list[_Condition]:
    """Read several conditions, separated by spaces: `wild-melds=allowed opening-by!=nothing`."""
    return [_read_condition(text) for text in texts.split()]


_CONDITIONS = {key: _read_conditions(texts) for key, texts in _WHERE.items()}


def _has_partners(values: Mapping[str, Any]) -> bool:
    """Tell whether anybody has a partner in the game, for the whole match or for one round.

    `values` are those of all settings, by name.
    """
    has_side_of_several_players: bool = max(values["sides"]) > 1
    are_pairs_made_each_round: bool = values["partnership"] != "fixed"
    return has_side_of_several_players or are_pairs_made_each_round


def _may_red_threes_be_lost(values: Mapping[str, Any]) -> bool:
    """Tell whether a side gets the points of its red threes (bonus cards) only on a condition.

    The condition is that it has laid any cards (`opened`), or what ends a round (`out-needs`).
    `values` are those of all settings, by name.
    """
    have_red_threes_points = len(values["red-three-values"]) > 0
    has_condition = values["red-threes-condition"] in ("opened", "out-needs")
    return have_red_threes_points and has_condition


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
    "black-three-discarded": lambda values: not values["black-threes-exposed"],
    "first-round-black-threes": lambda values: not values["black-threes-exposed"],
    "concealed-out": lambda values: values["concealed-out-bonus"] > 0,
    "out-bonus-adds": lambda values: values["out-bonus-canastas"],
    "special-hands-courtesy": lambda values: values["special-hands"],
    "talon-from": lambda values: values["talon"],
    "talon-with-pile": lambda values: values["talon"],
}
"""Other conditions for a setting to have an effect; the rest always have one."""
