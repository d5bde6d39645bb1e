"""Links into the rulebook."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import url_for

from scorepad.rules.definitions import Choices, ChoiceValue, Ruleset, Variant
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.web.rule_words import coded

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
    """The anchor of an entry on a variant's page, or of a word in the glossary: `regola-decks`.

    Anchors are built from the ids in the data, so that URLs stay valid.
    """
    return f"{_PREFIXES[kind]}-{name}"


def line_anchor(item: str, code: str | None = None) -> str:
    """The anchor of the rule behind a score line, on the page of a game.

    `item` is what the line counts. Lines with a code are those of a single penalty or bonus.
    """
    if code:
        return anchor(item, code)
    return anchor("item", item)


def choice_args(preset: str | None, options: Choices | None) -> dict[str, Any]:
    """A preset and options as URL parameters: `preset=getty&target=5000`."""
    args: dict[str, Any] = {}
    if preset:
        args[PRESET] = preset
    for name, value in (options or {}).items():
        args[name] = coded(value)
    return args


def game_url(
    game: str, preset: str | None = None, options: Choices | None = None, anchor: str | None = None
) -> str:
    """The page of a variant under a preset and options."""
    return url_for("rulebook.page", game=game, **choice_args(preset, options), _anchor=anchor)


def rules_url(rules: Ruleset) -> str:
    """The URL of the page with the rules of a match, without an anchor; empty if there is none.

    Matches keep the rules that they began with. There is no page of these if the variant has been
    removed since, or if it is house rules that have been changed.
    """
    if rules.variant not in variant_ids():
        return ""
    variant = get_variant(rules.variant)
    preset = _preset_of_page(rules.preset, variant)
    options = _options_of_page(rules, preset)
    if variant.is_own:
        rules_of_page = settle(variant.id, preset, options, rules.ends)
        if not _is_shown_alike(rules_of_page, rules):
            return ""
    return game_url(variant.id, preset, options)


def _preset_of_page(preset: str | None, variant: Variant) -> str | None:
    """The preset of a match for the URL of its rules.

    None for a preset that the variant no longer has, or that sets nothing: it is the variant itself.
    """
    if preset is None or preset not in variant.presets:
        return None
    sets_options = bool(variant.presets[preset].options)
    return preset if sets_options else None


def _options_of_page(rules: Ruleset, preset: str | None) -> dict[str, ChoiceValue]:
    """The options of a match for the URL of its rules: those that differ from the preset."""
    options_of_preset = settle(rules.variant, preset).options
    options: dict[str, ChoiceValue] = {}
    for option, value in rules.options.items():
        is_known = option in options_of_preset
        if is_known and value != options_of_preset[option]:
            options[option] = value
    return options


def _is_shown_alike(rules: Ruleset, other: Ruleset) -> bool:
    """Whether the page of a variant would say the same about both rules."""
    return (
        rules.settings == other.settings
        and rules.penalties == other.penalties
        and rules.bonuses == other.bonuses
        and rules.words == other.words
    )


def url_with_anchor(page: str, anchor: str) -> str:
    """The URL of an anchor on a page; empty if there is no page."""
    return f"{page}#{anchor}" if page else ""
