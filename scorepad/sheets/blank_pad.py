"""Blank pads: cards to fill in by pen, with a variant's figures as a table plays it, two or four on a sheet of A4."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word, setting_words, value_word
from scorepad.rules.variants import Choices, Variant, as_played, default_of
from scorepad.schemas.variants import is_told
from scorepad.sheets.pdf import Fact, pages_of, pdf_of, render

FEWEST, MOST = 4, 20
"""Hands that a card has lines for."""
_SHORT_NAME, _SHORT_VALUE = 30, 6
"""Letters."""

BONUSES = (
    "concealed-canasta", "red-three-values", "red-threes-condition", "red-threes-otherwise",
    "red-threes-by-canastas", "red-threes-by-families", "black-threes-aside", "black-threes-exposed", "out-bonus",
    "concealed-out-bonus", "out-bonus-canastas", "special-hands", "canastas-needed", "canasta-families-needed",
    "out-red-threes", "incomplete", "held-red-three", "held-together", "left-black-three", "left-wild",
    "left-group", "card-points",
)  # fmt: skip
"""The settings printed on a blank pad, after the canastas: what is written in, then what goes off, then the cards."""
_SIDES = ("noi", "loro")


class Copies(IntEnum):
    """How many cards stand on an A4 sheet: two of A5 side by side, or four of A6."""

    TWO = 2
    FOUR = 4


@dataclass(frozen=True, slots=True)
class BlankPad:
    """What stands on each of the cards.

    `columns` are the names printed over them, an empty one for a line to write a name on. `goal` is what is played for,
    `chosen` what the table plays otherwise than usual. `opening` tells from which score which minimum holds; `bonuses`
    are the variant's figures in the order of a count; `hands` the number of hands of a match, None where it ends by
    score; `has_resting`: in every hand somebody sits out, who is written down.
    """

    variant: str
    chosen: tuple[str, ...]
    goal: Fact
    columns: tuple[str, ...]
    opening: tuple[Fact, ...]
    bonuses: tuple[Fact, ...]
    hands: int | None
    has_resting: bool
    copies: Copies

    @property
    def short(self) -> list[Fact]:
        """The figures of which two have room beside each other."""
        return [fact for fact in self.bonuses if _is_short(fact)]

    @property
    def long(self) -> list[Fact]:
        """The figures that take a row of their own."""
        return [fact for fact in self.bonuses if not _is_short(fact)]


def blank_pad(
    name: str, words: Words, copies: Copies, preset: str | None = None, options: Choices | None = None
) -> bytes:
    """The blank pad of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    page = blank_of(as_played(name, preset, options), words, copies, preset, options)
    return pdf_of(_html(page, page.hands or _rows(page, words), page.copies, words))


def _rows(page: BlankPad, words: Words) -> int:
    """The lines that fit: one less than the first that makes a single card run over."""
    over = bisect_left(range(FEWEST + 1, MOST + 1), True, key=lambda rows: pages_of(_html(page, rows, 1, words)) > 1)
    return FEWEST + over


def _html(page: BlankPad, rows: int, cards: int, words: Words) -> str:
    return render("blank.html", words, page=page, rows=rows, cards=cards)


def _is_short(fact: Fact) -> bool:
    return len(fact.name) <= _SHORT_NAME and len(fact.value) <= _SHORT_VALUE


def blank_of(
    variant: Variant, words: Words, copies: Copies, preset: str | None = None, options: Choices | None = None
) -> BlankPad:
    """What stands on the blank pad of a variant as it is played."""
    sides, hands = variant.settings["sides"].value, variant.settings["match-deals"].value
    has_pairs = len(sides) == len(_SIDES) and max(sides) > 1
    return BlankPad(
        variant=words.text(f"variant.{variant.id}.name"),
        chosen=tuple(chosen_told(variant, preset, options or {}, words)),
        goal=fact_of("match-deals" if isinstance(hands, int) else "target", variant, words),
        columns=tuple(words.text(f"web.side.{side}") for side in _SIDES) if has_pairs else ("",) * len(sides),
        opening=tuple(_opening(variant, words)),
        bonuses=tuple(_bonuses(variant, words)),
        hands=hands if isinstance(hands, int) else None,
        has_resting=any(variant.settings["resting"].value),
        copies=copies,
    )


def chosen_told(variant: Variant, preset: str | None, options: Choices, words: Words) -> Iterator[str]:
    """The codification, and what the table plays otherwise than it."""
    if preset:
        yield words.text(f"preset.{preset}")
    usual = variant.presets[preset].options if preset else {}
    for name, value in options.items():
        if value != usual.get(name, default_of(variant, variant.options[name])):
            yield words.text(
                "web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words)
            )


def fact_of(key: str, variant: Variant, words: Words) -> Fact:
    """A setting with its value, in words."""
    return Fact(words.text(f"setting.{key}"), setting_words(key, variant, words))


def _bonuses(variant: Variant, words: Words) -> Iterator[Fact]:
    yield from _canastas(variant, words)
    yield from (fact_of(key, variant, words) for key in BONUSES if is_told(key, variant))


def _canastas(variant: Variant, words: Words) -> Iterator[Fact]:
    """A line for each item: what its kinds have in common is said once, what they are worth where they differ."""
    found: dict[str, list[int]] = {}
    for kind in variant.settings["canastas"].value:
        found.setdefault(kind["item"], []).append(kind["points"])
    for item, points in found.items():
        worths = dict.fromkeys(map(words.figure, points))
        yield Fact(item_word(variant.id, item, words), " / ".join(worths))


def _opening(variant: Variant, words: Words) -> Iterator[Fact]:
    """From which score, or in which hand, which minimum holds; nothing where there is none."""
    by, settings = variant.settings["opening-by"].value, variant.settings
    if by == "deal":
        for deal, minimum in enumerate(settings["opening-deals"].value, 1):
            yield Fact(words.text("paper.opening.hand", number=deal), words.figure(minimum))
    elif by == "score":
        yield Fact(words.text("paper.opening.below-zero"), words.figure(settings["opening-below-zero"].value))
        for score, minimum in settings["opening-steps"].value:
            yield Fact(words.text("paper.opening.from", score=score), words.figure(minimum))
