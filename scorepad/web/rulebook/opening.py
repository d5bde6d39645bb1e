"""The opening minimum as a table: from which score to which, and how many points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from scorepad.i18n import Words
from scorepad.rules.variants import Variant

STEPS, DEALS = "opening-steps", "opening-deals"


@dataclass(frozen=True, slots=True)
class Table:
    """The opening minimum: the headings of the two columns, and a row for every minimum."""

    caption: str
    of: str
    minimum: str
    rows: tuple[tuple[str, str], ...]


def opening_table(key: str, variant: Variant, words: Words) -> Table | None:
    """The table of a rule; None for one that tells no opening minimums."""
    if key not in (STEPS, DEALS):
        return None
    by_score = key == STEPS
    return Table(
        caption=words.text("rulebook.opening.caption"),
        of=words.text("rulebook.opening.score" if by_score else "rulebook.opening.deal"),
        minimum=words.text("rulebook.opening.minimum"),
        rows=tuple(_by_score(variant, words) if by_score else _by_deal(variant, words)),
    )


def _by_score(variant: Variant, words: Words) -> Iterator[tuple[str, str]]:
    yield words.text("rulebook.opening.below"), words.figure(variant.settings["opening-below-zero"].value)
    steps = variant.settings[STEPS].value
    for (least, minimum), (following, _) in pairwise(steps):
        yield words.text("rulebook.opening.from-to", least=least, most=following - 1), words.figure(minimum)
    least, minimum = steps[-1]
    yield words.text("rulebook.opening.from", least=least), words.figure(minimum)


def _by_deal(variant: Variant, words: Words) -> Iterator[tuple[str, str]]:
    for deal, minimum in enumerate(variant.settings[DEALS].value, 1):
        yield words.figure(deal), words.figure(minimum)
