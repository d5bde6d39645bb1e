"""Which device made which house rules, as its session remembers.

Guests are devices without access to all matches of the pad.
"""

from __future__ import annotations

from flask import session

from scorepad.rules.variants import own_variants

_MADE_HERE = "own-rules"
"""Session key of the house rules made by this device."""


def made_here() -> frozenset[str]:
    """List the ids of the house rules that this device made; some may be gone by now."""
    return frozenset(session.get(_MADE_HERE, ()))


def remember_made_here(variant: str) -> None:
    """Remember in the session that this device made these house rules, and may change them."""
    existing = made_here().intersection(own_variants().usable)
    session[_MADE_HERE] = sorted(existing | {variant})


def rules_of_other_guests() -> frozenset[str]:
    """List the ids of the house rules that guests made, except those made by this device."""
    return own_variants().guests - made_here()
