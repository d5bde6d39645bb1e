"""Links into the rulebook."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import url_for

from scorepad.rules.definitions import Choices, ChoiceValue, Ruleset, Variant
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.web.rule_words import coded

UNFOLDED = "aperto"
"""URL parameter: the page of a game with everything unfolded."""

PRESET = "preset"
"""URL parameter of the preset; each option has its id as its parameter."""
_PREFIXES = {
    "section": "capitolo",
    "rule": "regola",
    "statement": "detto",
    "option": "scelta",
    "preset": "codificazione",
    "check": "avviso",
    "item": "voce",
    "penalty": "penalita",
    "bonus": "premio",
    "word": "parola",
}


class RulebookLink(NamedTuple):
    name: str
    url: str


def anchor(kind: str, name: str) -> str:
    """Make the anchor of something on the page of a game, or of a word in the glossary.

    The rule `decks` → `regola-decks`. Anchors are built from the ids in the data, so that URLs stay
    valid.
    """
    return f"{_PREFIXES[kind]}-{name}"


def line_anchor(item: str, code: str | None = None) -> str:
    """Make the anchor of the rule behind a line of the score, on the page of a game.

    - the line of natural canastas (sets of seven equal cards) → `voce-natural-canasta`
    - the line of a single penalty, which has a code → `penalita-draw-out-of-turn`
    """
    if code:
        return anchor(item, code)
    return anchor("item", item)


def choice_args(preset: str | None, options: Choices | None) -> dict[str, Any]:
    """Write the chosen rules as URL parameters: `{"preset": "getty", "target": "5000"}`.

    A preset is a named set of options. Options that differ from it have a parameter each.
    """
    args: dict[str, Any] = {}
    if preset:
        args[PRESET] = preset
    for name, value in (options or {}).items():
        args[name] = coded(value)
    return args


def game_url(
    game: str,
    preset: str | None = None,
    options: Choices | None = None,
    anchor: str | None = None,
    *,
    unfolded: bool = False,
) -> str:
    """Make the URL of the page with the rules of a game, as some options change them.

    A preset is a named set of options: `/regole/classica?preset=getty&target=3000`. With
    `unfolded` everything on the page is unfolded.
    """
    args = choice_args(preset, options)
    if unfolded:
        args[UNFOLDED] = "si"
    return url_for("rulebook.page", game=game, **args, _anchor=anchor)


def rules_url(rules: Ruleset) -> str:
    """Make the URL of the page with the rules of a match; empty if there is no such page.

    A match keeps the rules that it began with. House rules may have been changed since, and any
    game may have been removed.
    """
    if rules.variant not in variant_ids():
        return ""
    variant = get_variant(rules.variant)
    preset = _find_preset_of_page(rules.preset, variant)
    options = _list_options_of_page(rules, preset)
    if variant.is_own:
        rules_now = settle(variant.id, preset, options, ends=rules.ends)
        if not _is_shown_alike(rules_now, rules):
            return ""  # the house rules were changed since the match began
    return game_url(variant.id, preset, options)


def _find_preset_of_page(preset: str | None, variant: Variant) -> str | None:
    """Find the preset (a named set of options) that the URL of a match's rules must name.

    None for a preset that the game no longer has, or that sets no option: the page of the game
    without a preset says the same then.
    """
    if preset is None or preset not in variant.presets:
        return None
    sets_options = bool(variant.presets[preset].options)
    return preset if sets_options else None


def _list_options_of_page(rules: Ruleset, preset: str | None) -> dict[str, ChoiceValue]:
    """List the options that the URL of a match's rules must name: `{"target": 3000}`.

    They are those that differ from the preset (a named set of options). Options that the game no
    longer has are left out.
    """
    options_of_preset = settle(rules.variant, preset).options
    options: dict[str, ChoiceValue] = {}
    for option, value in rules.options.items():
        is_known = option in options_of_preset
        if is_known and value != options_of_preset[option]:
            options[option] = value
    return options


def _is_shown_alike(rules: Ruleset, other: Ruleset) -> bool:
    """Tell whether the rulebook would say the same about two sets of rules."""
    return (
        rules.settings == other.settings
        and rules.penalties == other.penalties
        and rules.bonuses == other.bonuses
        and rules.words == other.words
    )


def url_with_anchor(page: str, anchor: str) -> str:
    """Add an anchor to the URL of a page: `/regole/samba#regola-decks`. Empty without a page."""
    return f"{page}#{anchor}" if page else ""
