"""Where things stand in the rulebook: the anchors on a game's page, and the page as a table plays it.

Anchors are made of the names in the data, so that an address stays good: of a setting, an option, a codification, a
check, an item of the score, a penalty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from flask import url_for

from scorepad.i18n import Words
from scorepad.rules.judge import Finding
from scorepad.rules.variants import Choices, Ruleset, get_variant, settle, variant_ids
from scorepad.sheets.blank_pad import Copies
from scorepad.web.matches.tables import coded

PAGE = "rulebook.page"
PRESET = "preset"
"""What an address calls the codification; it calls the options by their ids."""
COPIES = "per-foglio"
"""What an address calls the number of blank pads on a sheet."""


OPEN = "aperto"
"""What an address calls a page with nothing folded."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the rulebook, and what it tells."""

    name: str
    url: str


def section(name: str) -> str:
    """The anchor of a chapter."""
    return f"capitolo-{name}"


def rule(setting: str) -> str:
    """The anchor of a rule, by its setting."""
    return f"regola-{setting}"


def statement(name: str) -> str:
    """The anchor of what the sources say beside the figures."""
    return f"detto-{name}"


def choice(option: str) -> str:
    """The anchor of an option."""
    return f"scelta-{option}"


def codification(preset: str) -> str:
    """The anchor of a codification."""
    return f"codificazione-{preset}"


def problem(code: str) -> str:
    """The anchor of what the pad may say, by the code of its check."""
    return f"avviso-{code}"


def line(item: str, code: str | None = None) -> str:
    """The anchor of a line of the score, by its item; a penalty's by its code."""
    return penalty(code) if code else f"voce-{item}"


def penalty(code: str) -> str:
    """The anchor of a penalty."""
    return f"penalita-{code}"


def word(name: str) -> str:
    """The anchor of a word of the glossary."""
    return f"parola-{name}"


def game_url(game: str, preset: str | None = None, options: Choices | None = None, anchor: str | None = None) -> str:
    """The page of a game under a codification and options."""
    return url_for(PAGE, game=game, **asked(preset, options), _anchor=anchor)


def open_url(game: str, preset: str | None, options: Choices) -> str:
    """The page of a game with nothing folded."""
    return url_for(PAGE, game=game, **asked(preset, options) | {OPEN: "si"})


def paper_urls(game: str, preset: str | None, options: Choices) -> Iterator[tuple[str, str]]:
    """What of a game can be printed, by its message key, under a codification and options."""
    chosen = asked(preset, options)
    yield "paper.link.card", url_for("rulebook.card", game=game, **chosen)
    for copies in Copies:
        yield f"paper.link.blank.{copies}", url_for("rulebook.blank", game=game, **chosen | {COPIES: str(copies.value)})


def blank_url(game: str) -> str:
    """The blank pads of a game, as many to a sheet as usual."""
    return url_for("rulebook.blank", game=game)


def asked(preset: str | None, options: Choices | None) -> dict[str, Any]:
    """How an address says a codification and options."""
    found: dict[str, Any] = {PRESET: preset} if preset else {}
    return found | {name: coded(value) for name, value in (options or {}).items()}


def book_of(rules: Ruleset) -> str:
    """The page that tells the rules of a table, without an anchor; empty where the game is told no longer."""
    if rules.variant not in variant_ids():
        return ""
    variant = get_variant(rules.variant)
    known = variant.presets.get(rules.preset or "")
    # A codification that chooses nothing is the game itself.
    preset = known.id if known and known.options else None
    usual = settle(variant.id, preset).options
    own = {name: value for name, value in rules.options.items() if name in usual and value != usual[name]}
    return game_url(variant.id, preset, own)


def at(book: str, anchor: str) -> str:
    """A place on that page; empty where there is no page."""
    return f"{book}#{anchor}" if book else ""


def broken(rules: Ruleset, findings: Iterable[Finding], words: Words) -> Iterator[Place]:
    """Where the rules stand that a hand breaks, or that the pad warns of, each once."""
    book = book_of(rules)
    for code in dict.fromkeys(finding.code for finding in findings) if book else ():
        yield Place(words.text(f"rulebook.problem.{code}"), at(book, problem(code)))
