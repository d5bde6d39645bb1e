"""The rules that questions are asked under beside a match: the game, its codification, its options, in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import abort, url_for

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.rules.variants import USUAL, Ruleset, get_variant, variant_ids
from scorepad.web.referee.pages import Playing, RulesPage, Tile
from scorepad.web.rulebook.choices import ChosenRules, pickers, read_choices
from scorepad.web.rulebook.links import choice_args
from scorepad.web.wording import option_words

GAME = "variante"
_NOT_ASKED = "target"
"""How far a match goes decides nothing at the table."""


@dataclass(frozen=True, slots=True)
class Picked:
    """The rules as an address chooses them."""

    chosen: ChosenRules

    @property
    def rules(self) -> Ruleset:
        """Those rules."""
        return self.chosen.rules

    @property
    def address(self) -> dict[str, Any]:
        """The same in an address; what is usual is left out."""
        told: dict[str, Any] = {GAME: self.chosen.variant.id} if self.chosen.variant.id != USUAL else {}
        return told | choice_args(self.chosen.preset, self.chosen.options)


def picked(args: Mapping[str, str], words: Words) -> Picked:
    """The rules that an address chooses; a game that there is not is no page."""
    game = args.get(GAME, USUAL)
    if game not in variant_ids():
        abort(404)
    own = {name: text for name, text in args.items() if name != _NOT_ASKED}
    return Picked(read_choices(get_variant(game), own, words))


def playing(picks: Picked, words: Words) -> Playing:
    """Those rules in words, and where others are chosen."""
    game = words.text(f"variant.{picks.rules.variant}.name")
    return Playing(game, picks.chosen.in_words(words), url_for("referee.rules", **picks.address))


def playing_match(state: MatchState, words: Words) -> Playing:
    """The rules of a match in words: they are what they are."""
    rules = state.rules
    parts = [words.text(f"preset.{rules.preset}")] if rules.preset else []
    parts += [option_words(name, rules.options[name], words) for name in state.house if name != _NOT_ASKED]
    return Playing(words.text(f"variant.{rules.variant}.name"), "; ".join(parts), "")


def rules_page(picks: Picked, words: Words) -> RulesPage:
    """What may be chosen in the game, and the other games."""
    return RulesPage(
        title=words.text("referee.rules.title"),
        errors=picks.chosen.errors,
        start=url_for("referee.start", **picks.address),
        action=url_for("referee.start"),
        game=words.text(f"variant.{picks.rules.variant}.name"),
        variant=picks.rules.variant,
        choices=tuple(picker for picker in pickers(picks.chosen, words) if picker.name != _NOT_ASKED),
        games=tuple(
            Tile(words.text(f"variant.{name}.name"), url_for("referee.rules", variante=name, _anchor="gioco"))
            for name in variant_ids()
            if name != picks.rules.variant
        ),
    )
