"""Addresses in the rulebook: a game's page under the choices of a table, and the anchors on it.

Anchors are made of ids in the data (of a setting, an option, a preset, a check, an item of the score, a penalty), so
that an address stays valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from flask import url_for

from scorepad.i18n import Words
from scorepad.rules.judge import Finding
from scorepad.rules.variants import Choices, Ruleset, get_variant, settle, variant_ids
from scorepad.web.matches.tables import coded

PRESET = "preset"
"""The parameter of the preset; each option has its id as its parameter."""

_PREFIXES = {
    "section": "capitolo", "rule": "regola", "statement": "detto", "option": "scelta", "preset": "codificazione",
    "check": "avviso", "item": "voce", "penalty": "penalita", "word": "parola",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A link into the rulebook."""

    name: str
    url: str


def anchor(kind: str, name: str) -> str:
    """The anchor of something on a game's page or, of a word, in the glossary: `regola-decks`."""
    return f"{_PREFIXES[kind]}-{name}"


def line_anchor(item: str, code: str | None = None) -> str:
    """The anchor of a score line, by its item; of a penalty by its code."""
    return anchor("penalty", code) if code else anchor("item", item)


def choice_args(preset: str | None, options: Choices | None) -> dict[str, Any]:
    """A preset and options as parameters of an address."""
    found: dict[str, Any] = {PRESET: preset} if preset else {}
    return found | {name: coded(value) for name, value in (options or {}).items()}


def game_url(game: str, preset: str | None = None, options: Choices | None = None, anchor: str | None = None) -> str:
    """The page of a game under a preset and options."""
    return url_for("rulebook.page", game=game, **choice_args(preset, options), _anchor=anchor)


def rules_url(rules: Ruleset) -> str:
    """The page with the rules of a table, without an anchor; empty where the game no longer exists."""
    if rules.variant not in variant_ids():
        return ""
    variant = get_variant(rules.variant)
    known = variant.presets.get(rules.preset or "")
    # A preset that chooses nothing is the game itself.
    preset = known.id if known and known.options else None
    usual = settle(variant.id, preset).options
    own = {name: value for name, value in rules.options.items() if name in usual and value != usual[name]}
    return game_url(variant.id, preset, own)


def place_url(page: str, anchor: str) -> str:
    """A place on a page; empty where there is no page."""
    return f"{page}#{anchor}" if page else ""


def broken_rules(rules: Ruleset, findings: Iterable[Finding], words: Words) -> Iterator[Place]:
    """The places of the rules behind the findings of a hand, each once."""
    page = rules_url(rules)
    for code in dict.fromkeys(finding.code for finding in findings) if page else ():
        yield Place(words.text(f"rulebook.problem.{code}"), place_url(page, anchor("check", code)))
