"""Where in the rulebook the rule stands that an answer rests on."""

from __future__ import annotations

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.rulebook import rule_name
from scorepad.referee.answers import Reason
from scorepad.rules.statements import statements_of
from scorepad.rules.variants import Ruleset, Variant, as_played
from scorepad.web.rulebook.content import in_book
from scorepad.web.rulebook.links import Place, anchor, place_url, rules_url


def place_of(reason: Reason, rules: Ruleset, words: Words) -> Place | None:
    """The place of a reason: that of the first setting it rests on, of its mistake, or of what the pad says so.

    None where the book tells none of them, or the game no longer as this table plays it.
    """
    book, played = rules_url(rules), _played(rules)
    if not book or played is None:
        return None
    for name in reason.settings:
        if in_book(name, played, words):
            return Place(rule_name(name, words), place_url(book, anchor("rule", name)))
    mistake = reason.figures.get("penalty")
    if isinstance(mistake, str) and words.has(f"penalty.{mistake}"):
        return Place(words.text(f"penalty.{mistake}"), place_url(book, anchor("penalty", mistake)))
    if reason.code in played.checks:
        return Place(words.text(f"rulebook.problem.{reason.code}"), place_url(book, anchor("check", reason.code)))
    return None


_IN_THE_PILE = "red-three-in-the-pile"


def red_three_in_the_pile(rules: Ruleset, words: Words) -> Place | None:
    """Where the book says what becomes of a red three in the pile that was taken; None where it does not."""
    book, played = rules_url(rules), _played(rules)
    if not book or played is None or all(each.id != _IN_THE_PILE for each in statements_of(played)):
        return None
    return Place(words.text("referee.pile.red-three"), place_url(book, anchor("statement", _IN_THE_PILE)))


def _played(rules: Ruleset) -> Variant | None:
    """The variant as the table plays it. A match keeps what it began with; what it was chosen from may be gone."""
    try:
        return as_played(rules.variant, rules.preset, rules.options)
    except ChoiceError:
        return None
