"""What the players of a variant call things: a message of its own where there is one, else everybody's."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word
from scorepad.rules.variants import Ruleset


def own_text(key: str, rules: Ruleset, words: Words, /, **figures: int | str) -> str:
    """The message of a key as the players of these rules say it."""
    return words.text(_own(key, rules, words), **figures)


def own_plural(key: str, count: int, rules: Ruleset, words: Words) -> str:
    """The message of a key for so many things, as the players of these rules say it."""
    return words.plural(_own(key, rules, words), count)


def _own(key: str, rules: Ruleset, words: Words) -> str:
    own = f"{key}.{rules.variant}"
    return own if words.has(own) else key


def item_named(item: str, rules: Ruleset, words: Words) -> str:
    """What is scored, as the players of these rules call it."""
    return item_word(rules.variant, item, words)


def out_needs(rules: Ruleset, words: Words) -> str:
    """The canastas that a side must have to go out."""
    settings = rules.settings
    needed = own_plural("count.needed", settings.canastas_needed, rules, words)
    if not settings.canasta_families_needed:
        return words.text("count.out-needs", needed=needed)
    told = [
        own_plural(f"count.family.{family}", count, rules, words) for family, count in settings.canasta_families_needed
    ]
    return words.text("count.out-needs.families", needed=needed, families=words.listing(told))
