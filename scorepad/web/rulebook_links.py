"""Links into the rulebook."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import url_for

from scorepad.rules.definitions import Choices, Ruleset
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
_SHOWN_PARTS = ("settings", "penalties", "bonuses", "words")
"""The parts of a ruleset that the page of a variant shows."""


class RulebookLink(NamedTuple):
    name: str
    url: str


def anchor(kind: str, name: str) -> str:
    """The anchor of an entry on a variant's page, or of a word in the glossary: `regola-decks`.

    Anchors are built from the ids in the data, so that URLs stay valid.
    """
    return f"{_PREFIXES[kind]}-{name}"


def line_anchor(item: str, code: str | None = None) -> str:
    """The anchor of a score line by its item; of a penalty or a bonus by its code."""
    return anchor(item, code) if code else anchor("item", item)


def choice_args(preset: str | None, options: Choices | None) -> dict[str, Any]:
    """A preset and options as URL parameters."""
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
    """The page with the rules of a match, without an anchor; empty if the variant no longer exists
    or was changed.
    """
    if rules.variant not in variant_ids():
        return ""
    variant = get_variant(rules.variant)
    known = variant.presets.get(rules.preset or "")
    # A preset that sets nothing is the variant itself.
    preset = known.id if known and known.options else None
    usual = settle(variant.id, preset).options
    chosen = {
        name: value
        for name, value in rules.options.items()
        if name in usual and value != usual[name]
    }
    if variant.is_own:
        now = settle(variant.id, preset, chosen, rules.ends)
        for part in _SHOWN_PARTS:
            if getattr(now, part) != getattr(rules, part):
                return ""
    return game_url(variant.id, preset, chosen)


def url_with_anchor(page: str, anchor: str) -> str:
    """An anchor on a page; empty if there is no page."""
    return f"{page}#{anchor}" if page else ""
