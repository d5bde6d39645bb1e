"""Papers of a game on A4: blank pads to fill in by pen, and rules cards, with the values of a table's rules.

Neither is laid out by trial: the rows of a pad are calculated from one measurement of its other parts, and the text
size of a card from the length of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word, rule_text, setting_words, value_word
from scorepad.referee.irregularities import OF_PARTNERS
from scorepad.rules.definitions import Citation, Cited, Penalty, Statement
from scorepad.rules.table import NOT_EXPOSED
from scorepad.rules.variants import (
    Choices,
    Variant,
    as_played,
    default_of,
    get_variant,
    sources,
    statements_of,
    use_words,
)
from scorepad.schemas.variants import CLASSIC, applies, is_told, penalty_words
from scorepad.sheets.pdf import Fact, height_of, pdf_of, pdf_that_fits, render

BONUSES = (
    "concealed-canasta", "red-three-values", "red-threes-otherwise", "red-threes-by-canastas",
    "red-threes-by-families", "black-threes-aside", "black-threes-exposed", "out-bonus", "concealed-out-bonus",
    "out-bonus-canastas", "special-hands", "canastas-needed", "canasta-families-needed", "out-red-threes",
    "incomplete", "held-red-three", "held-together", "left-black-three", "left-wild", "left-group",
)  # fmt: skip
"""The settings in the table of bonuses, after the canastas: bonuses, then losses."""
NEEDED = ("canastas-needed", "canasta-families-needed", "out-red-threes")
"""Settings without points, which the smallest pads omit."""
QUESTIONS = {
    "pile": ("pile", "pile-layoff", "pile-drawn", "pile-tops"),
    "frozen": ("freezing", "pile-naturals-frozen"),
    "opening": (
        "opening-counts", "opening-naturals-up-to", "opening-wild-melds", "opening-natural-group", "opening-pile",
    ),
    "wilds": ("meld-naturals", "wild-limit", "wild-ratio", "natural-only", "natural-after-opening", "wild-melds"),
    "same-rank": ("repeated-rank",),
    "red-threes": ("red-threes-kept", "red-threes-condition", "red-threes-by-canastas", "held-red-three"),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "black-threes", "black-threes-fewest", "black-threes-wilds",
    ),
    "out": (*NEEDED, "incomplete", "last-discard", "last-discard-special"),
    "permission": ("permission",),
    "stock": ("end-of-stock",),
    "concealed": ("concealed-out",),
    "left": ("cards-left",),
    "sequences": ("sequences",),
    "wild-on-canasta": ("wild-on-canasta",),
    "discard": ("discard-fitting", "threes-together"),
}  # fmt: skip
"""Frequent questions, most frequent first, with the settings that answer them. A card has the first ten answered."""
ASKED = 10
"""Questions on a card."""
_BASICS = ("sides", "decks", "dealt", "drawn", "target", "match-deals")
_SILENT = "not-told"
"""The value of a setting that the sources do not mention."""
_IN_TITLE = "«"
"""The character in a title that includes the name of its page."""
_SIDES = ("noi", "loro")
_SHORT_NAME, _SHORT_VALUE = 30, 6
"""Most characters of the name and value of a figure for two to fit side by side."""
_MILLIMETRE = 96 / 25.4
"""CSS pixels."""


class Copies(IntEnum):
    """The number of pads on an A4 sheet: one in large print, two of A5 side by side, or four of A6."""

    LARGE = 1
    TWO = 2
    FOUR = 4


class _Form(NamedTuple):
    """The dimensions of a pad in millimetres: width, least row height, and lowest position of the last line."""

    width: float
    row: float
    end: float


_FORMS = {Copies.LARGE: _Form(184, 11, 283), Copies.TWO: _Form(130.5, 6.4, 203), Copies.FOUR: _Form(93, 4.6, 143.5)}
_NUMBER, _RESTING = 0.08, 0.15
"""Shares of the width: the column of hand numbers, and that of the player sitting out."""
FEWEST, MOST = 4, 20
"""Least and greatest number of rows for hands on a pad."""


class Grid(NamedTuple):
    """The writing lines, in millimetres from the upper left corner: the foot of each row, the columns' left edges.

    `sides` are the edges between the sides, `totals` those of their columns of totals, each `column` wide.
    """

    width: float
    column: float
    rows: tuple[float, ...]
    sides: tuple[float, ...]
    totals: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BlankPad:
    """A blank pad. `columns` are the names printed over the sides, empty if unnamed.

    `players`: the number of name lines per side. `hands`: the hands of a match, None if it ends by score.
    `has_resting`: in every hand one player sits out. The other fields are facts in words.
    """

    variant: str
    chosen: tuple[str, ...]
    goal: Fact
    columns: tuple[str, ...]
    players: tuple[int, ...]
    openings: tuple[Fact, ...]
    cards: tuple[Fact, ...]
    bonuses: tuple[Fact, ...]
    hands: int | None
    has_resting: bool

    @property
    def short(self) -> list[Fact]:
        """The figures short enough for two to fit side by side."""
        return [fact for fact in self.bonuses if _is_short(fact)]

    @property
    def long(self) -> list[Fact]:
        """The figures that need a whole row."""
        return [fact for fact in self.bonuses if not _is_short(fact)]


@dataclass(frozen=True, slots=True)
class RulesCard:
    """A rules card. `questions` are frequent questions with answers; `notes` are other rules specific to this game.

    `chosen` are the table's changes from the defaults; `sources` are those of the printed rules, `classic` those of
    the rules inherited from the classic game.
    """

    variant: str
    special: str
    chosen: tuple[str, ...]
    basics: tuple[Fact, ...]
    openings: tuple[Fact, ...]
    cards: tuple[Fact, ...]
    bonuses: tuple[Fact, ...]
    penalties: tuple[Fact, ...]
    questions: tuple[Fact, ...]
    notes: tuple[str, ...]
    sources: tuple[str, ...]
    classic: tuple[str, ...]


# ---------------------------------------------------------------------------------------------------- blank pads


def blank_pad(
    name: str, words: Words, copies: Copies, preset: str | None = None, options: Choices | None = None
) -> bytes:
    """The blank pad of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    use_words(get_variant(name).words)
    page, form = blank_of(as_played(name, preset, options), words, preset, options, copies), _FORMS[copies]

    def html(rows: int, height: float, cards: int) -> str:
        grid = _grid(page, form.width, rows, height)
        return render("blank.html", words, page=page, copies=copies.value, grid=grid, cards=cards)

    free = form.end - height_of(html(1, form.row, 1), "end") / _MILLIMETRE + form.row
    rows = page.hands or max(FEWEST, min(MOST, int(free / form.row)))
    return pdf_of(html(rows, min((2.4 if page.hands else 1.6) * form.row, free / rows), copies))


def _grid(page: BlankPad, width: float, rows: int, height: float) -> Grid:
    number = _NUMBER * width
    column = (width * (1 - _RESTING * page.has_resting) - number) / (2 * len(page.columns))
    sides = [number + 2 * column * side for side in range(len(page.columns) + page.has_resting)]
    totals = [left + column for left in sides[: len(page.columns)]]
    return Grid(width, column, tuple(height * row for row in range(1, rows + 1)), tuple(sides), tuple(totals))


def blank_of(
    variant: Variant,
    words: Words,
    preset: str | None = None,
    options: Choices | None = None,
    copies: Copies = Copies.TWO,
) -> BlankPad:
    """The contents of the blank pad of a variant with these choices."""
    sides, hands = variant.settings["sides"].value, variant.settings["match-deals"].value
    goal, minutes = _fact("match-deals" if isinstance(hands, int) else "target", variant, words), variant.ends.minutes
    if minutes is not None:
        goal = Fact(goal.name, f"{goal.value}, {words.text('web.length.minutes', minutes=minutes)}")
    has_pairs = len(sides) == len(_SIDES) and max(sides) > 1
    return BlankPad(
        variant=words.text(f"variant.{variant.id}.name"),
        chosen=tuple(_chosen(variant, preset, options or {}, words)),
        goal=goal,
        columns=tuple(words.text(f"web.side.{side}") for side in _SIDES) if has_pairs else ("",) * len(sides),
        players=tuple(sides),
        openings=tuple(_openings(variant, words)),
        cards=tuple(_card_values(variant, words)),
        bonuses=tuple(_bonuses(variant, words, NEEDED if copies is Copies.FOUR else ())),
        hands=hands if isinstance(hands, int) else None,
        has_resting=any(variant.settings["resting"].value),
    )


def _is_short(fact: Fact) -> bool:
    return len(fact.name) <= _SHORT_NAME and len(fact.value) <= _SHORT_VALUE


# ---------------------------------------------------------------------------------------------------- rules cards


def rules_card(
    name: str, words: Words, preset: str | None = None, options: Choices | None = None, *, large: bool = False
) -> bytes:
    """The rules card of a variant with a table's choices, as PDF: one page, in 18 pt several.

    Raises ChoiceError and NoPdf.
    """
    use_words(get_variant(name).words)
    page = card_of(as_played(name, preset, options), words, preset, options)
    if large:
        return pdf_of(render("card.html", words, page=page, size="large"))
    length = max(_length(page.questions) + sum(map(len, page.notes)), 2 * _length((*page.bonuses, *page.penalties)))
    sizes = [size for size, most in _SIZES if length <= most] or [_SIZES[-1][0]]
    return pdf_that_fits(render("card.html", words, page=page, size=size) for size in sizes)


def _length(facts: Iterable[Fact]) -> int:
    return sum(len(each) for fact in facts for each in fact)


_SIZES = (("11", 1900), ("10", 2600), ("9", 6000))
"""Text sizes in points, and the most characters of questions and notes for which each is tried."""


def card_of(variant: Variant, words: Words, preset: str | None = None, options: Choices | None = None) -> RulesCard:
    """The contents of the rules card of a variant with these choices."""
    own, classic = _sources(variant)
    return RulesCard(
        variant=words.text(f"variant.{variant.id}.name"),
        special=words.text(f"variant.{variant.id}.special"),
        chosen=tuple(_chosen(variant, preset, options or {}, words)),
        basics=tuple(_fact(key, variant, words) for key in _BASICS if is_told(key, variant)),
        openings=tuple(_openings(variant, words)),
        cards=tuple(_card_values(variant, words)),
        bonuses=tuple(_bonuses(variant, words, QUESTIONS["out"])),
        penalties=tuple(_penalty(code, penalty, variant, words) for code, penalty in _penalties(variant)),
        questions=tuple(_questions(variant, words))[:ASKED],
        notes=tuple(words.text(f"rulebook.statement.{each.id}") for each in _own_statements(variant)),
        sources=own,
        classic=classic,
    )


def _questions(variant: Variant, words: Words) -> Iterator[Fact]:
    """The questions that the rules of this variant answer, each with its answer."""
    for name, keys in QUESTIONS.items():
        answers = [rule_text(key, variant, words) for key in keys if _is_answer(key, variant)]
        if answers:
            yield Fact(words.text(f"paper.card.ask.{name}"), " ".join(answers))


def _is_answer(key: str, variant: Variant) -> bool:
    value = variant.settings[key].value
    return is_told(key, variant) and value not in (_SILENT, "any")


def _own_statements(variant: Variant) -> tuple[Statement, ...]:
    """Statements of the sources about this game, not the classic one, that are not settings."""
    common = {each.id for each in statements_of(get_variant(CLASSIC))}
    return tuple(each for each in statements_of(variant) if each.id not in common and not each.differs)


def _penalties(variant: Variant) -> Iterator[tuple[str, Penalty]]:
    """The possible penalties; an unexposed red three is omitted if it costs the same as one left in hand."""
    for code, penalty in variant.penalties.items():
        of_nobody = code in OF_PARTNERS and not applies("permission", variant)
        is_again = code == NOT_EXPOSED and penalty.points == variant.settings["held-red-three"].value
        if not (of_nobody or is_again):
            yield code, penalty


def _penalty(code: str, penalty: Penalty, variant: Variant, words: Words) -> Fact:
    points = penalty_words(penalty, words)
    if code == NOT_EXPOSED and is_told("held-red-three", variant):
        points = words.text("paper.card.same-offence", points=points)
    return Fact(words.text(f"penalty.{code}"), points)


def _sources(variant: Variant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources of this game's printed rules, and those of rules inherited from the classic game."""
    keys = ("canastas", "card-points", *_BASICS, *BONUSES, *(key for keys in QUESTIONS.values() for key in keys))
    cited = [variant.settings[key].cited for key in keys if is_told(key, variant)]
    cited += [each.cited for each in _own_statements(variant)]
    taken = [each for each in cited if each.read and each.read == variant.inherits]
    own = [each for each in cited if each not in taken]
    # All games with penalties use those of the classic game.
    (taken if variant.inherits else own).extend(penalty.cited for _, penalty in _penalties(variant))
    named = tuple(_named(own))
    return named, tuple(name for name in _named(taken) if name not in named)


def _named(cited: Iterable[Cited]) -> Iterator[str]:
    """The cited texts, in the order of the catalogue; for a site with several, its pages."""
    found = {place for each in cited for place in each.citations}
    for name, source in sources().items():
        pages = [page for page in source.sections if Citation(name, page) in found]
        if pages and _IN_TITLE not in source.title:
            yield source.title + " " + ", ".join(f"«{page}»" for page in pages)
        elif pages:
            yield source.title


# ---------------------------------------------------------------------------------------------------- figures of both


def _chosen(variant: Variant, preset: str | None, options: Choices, words: Words) -> Iterator[str]:
    """The preset, and the table's changes to it."""
    if preset:
        yield words.text(f"preset.{preset}")
    usual = variant.presets[preset].options if preset else {}
    for name, value in options.items():
        if value != usual.get(name, default_of(variant, variant.options[name])):
            yield words.text(
                "web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words)
            )


def _fact(key: str, variant: Variant, words: Words) -> Fact:
    """A setting with its value, in words."""
    name = f"paper.{key}.{variant.settings['red-threes-condition'].value}"
    return Fact(words.text(name if words.has(name) else f"setting.{key}"), setting_words(key, variant, words))


def _openings(variant: Variant, words: Words) -> Iterator[Fact]:
    """The opening minimums by score or hand; nothing if there are none."""
    by, settings = variant.settings["opening-by"].value, variant.settings
    if by == "deal":
        for deal, minimum in enumerate(settings["opening-deals"].value, 1):
            yield Fact(words.text("paper.opening.hand", number=deal), words.figure(minimum))
    elif by == "score":
        yield Fact(words.text("paper.opening.below-zero"), words.figure(settings["opening-below-zero"].value))
        for score, minimum in settings["opening-steps"].value:
            yield Fact(words.text("paper.opening.from", score=score), words.figure(minimum))


def _card_values(variant: Variant, words: Words) -> Iterator[Fact]:
    """The values of cards, highest first; nothing if they are not counted in points."""
    points = variant.settings["card-points"].value if is_told("card-points", variant) else {}
    for worth in sorted(set(points.values()), reverse=True):
        cards = (kind if kind.isdecimal() and kind != "2" else words.plural(f"card.{kind}", 1) for kind in points
                 if points[kind] == worth)  # fmt: skip
        yield Fact(", ".join(cards), words.figure(worth))


def _bonuses(variant: Variant, words: Words, without: Iterable[str]) -> Iterator[Fact]:
    """The canastas, a fact for each item with the values of its kinds; then the other bonuses and losses."""
    found: dict[str, list[int]] = {}
    for kind in variant.settings["canastas"].value:
        found.setdefault(kind["item"], []).append(kind["points"])
    for item, points in found.items():
        yield Fact(item_word(variant.id, item, words), " / ".join(dict.fromkeys(map(words.figure, points))))
    yield from (_fact(key, variant, words) for key in BONUSES if key not in without and is_told(key, variant))
    for code, bonus in variant.bonuses.items():
        yield Fact(words.text(f"bonus.{code}"), words.figure(bonus.points))
