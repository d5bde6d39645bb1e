"""Whether a meld that may not be could still become one by the cards that are typed next."""

from __future__ import annotations

import re
from collections.abc import Callable

from scorepad.i18n.typed_cards import is_begun, notated
from scorepad.rules.cards import FIRST_NATURAL, read_cards
from scorepad.rules.judge import Finding
from scorepad.rules.melds import Meld, read_meld
from scorepad.rules.settings import BlackThrees, Sequences, Settings

MANY = 99
"""Natural cards, more than any meld has."""
_COUNTED = 2
"""Words of a card with its number."""
_BEGUN = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card: `4x`, `1` of `10`, `3` of `3b`."""


def can_grow(finding: Finding, text: str, settings: Settings) -> bool:
    """Whether more cards can mend what was found in the meld typed as `text`, or in all melds of a side."""
    reading = read_cards(notated(text))
    if finding.code == "card-unknown":
        return bool(reading.unknown) and _is_begun(text.split(), list(reading.unknown))
    mended = _MENDED.get(finding.code)
    return mended is not None and mended(read_meld(reading.cards), settings)


def _is_begun(typed: list[str], unknown: list[str]) -> bool:
    """Whether only the end of what was typed is no card yet: the beginning of a word, and the number before it."""
    *before, last = unknown
    at_the_end = typed[-len(unknown) :] == unknown and len(unknown) <= _COUNTED
    counted = all(number.isdigit() for number in before)
    return at_the_end and counted and bool(_BEGUN.fullmatch(last) or is_begun(last))


def _always(_meld: Meld, _settings: Settings) -> bool:
    return True


def _by_naturals(meld: Meld, settings: Settings) -> bool:
    rank = meld.ranks[0] if meld.ranks else FIRST_NATURAL
    return meld.wilds <= settings.most_wilds(MANY, rank)


def _by_black_threes(meld: Meld, settings: Settings) -> bool:
    longest = settings.black_threes_longest
    allowed = settings.black_threes is not BlackThrees.NEVER and (longest is None or meld.size < longest)
    return allowed and not (meld.wilds and settings.black_threes_wilds == "pure")


def _by_what_lies_between(meld: Meld, settings: Settings) -> bool:
    """The naturals are of one suit, none twice; wild cards only where they may stand between them."""
    suited = meld.cards.suited
    each_once = all(count == 1 for _, _, count in suited) and len(suited) == meld.naturals
    may_be_wild = not meld.wilds or settings.sequences is Sequences.DIRTY
    return each_once and may_be_wild and len({suit for _, suit, _ in suited}) == 1


_MENDED: dict[str, Callable[[Meld, Settings], bool]] = {
    "meld-too-short": _always,
    "meld-too-few-naturals": _by_naturals,
    "meld-too-many-wilds": _by_naturals,
    "meld-kind-not-allowed": _by_black_threes,
    "meld-sequence-broken": _by_what_lies_between,
    "opening-impossible": _always,
}
"""By rule; what no card can mend is not among them."""
