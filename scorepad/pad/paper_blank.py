"""A variant on paper: the blank pad's values, made from the rules that a table plays by."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.contract.applying import is_told
from scorepad.i18n import Words
from scorepad.i18n.settings import item_word, setting_words, value_word
from scorepad.rules.variants import Choices, Variant, as_played, default_of
from scorepad.sheets.blank import blank_pad_pdf
from scorepad.sheets.blank_values import BlankPad, Copies, Fact

BONUSES = (
    "concealed-canasta", "red-three-values", "red-threes-condition", "red-threes-otherwise",
    "red-threes-by-canastas", "red-threes-by-families", "black-threes-aside", "black-threes-exposed", "out-bonus",
    "concealed-out-bonus", "out-bonus-canastas", "special-hands", "canastas-needed", "canasta-families-needed",
    "out-red-threes", "incomplete", "held-red-three", "held-together", "left-black-three", "left-wild",
    "left-group", "card-points",
)  # fmt: skip
"""The settings printed on a blank pad, after the canastas: what is written in, then what goes off, then the cards."""
_SIDES = ("noi", "loro")


def blank_pad(
    name: str, words: Words, copies: Copies, preset: str | None = None, options: Choices | None = None
) -> bytes:
    """The blank pad of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    return blank_pad_pdf(blank_of(as_played(name, preset, options), words, copies, preset, options))


def blank_of(
    variant: Variant, words: Words, copies: Copies, preset: str | None = None, options: Choices | None = None
) -> BlankPad:
    """What stands on the blank pad of a variant as it is played."""
    sides, hands = variant.settings["sides"].value, variant.settings["match-deals"].value
    has_pairs = len(sides) == len(_SIDES) and max(sides) > 1
    return BlankPad(
        language=words.language,
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
