"""Papers of a game on A4: blank pads to fill in by pen, and rules cards, with the values of a
table's rules.

Neither is laid out by trial: the rows of a pad are calculated from one measurement of its other
parts, and the text size of a card from the length of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import islice
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import rule_text
from scorepad.i18n.settings import item_word, setting_words, value_word
from scorepad.referee.irregularities import OF_PARTNERS
from scorepad.rules.definitions import Choices, Citation, Cited, Penalty
from scorepad.rules.table import NOT_EXPOSED
from scorepad.rules.variants import (
    as_played,
    default_of,
    get_variant,
    sources,
    statements_of,
)
from scorepad.schemas.variants import CLASSIC, applies, is_told, penalty_words
from scorepad.sheets.pdf import height_of, pdf_of, pdf_that_fits, render

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
    "wilds": (
        "meld-shortest", "canasta-length", "meld-naturals", "wild-limit", "wild-ratio", "natural-only",
        "natural-after-opening", "wild-melds", "wilds-blocked",
    ),
    "same-rank": ("repeated-rank",),
    "red-threes": (
        "red-threes-kept", "red-three-replaced", "red-threes-condition", "red-threes-by-canastas", "held-red-three",
    ),
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
"""Frequent questions, most frequent first, with the settings and statements that answer them. A
card has the first ten answered.
"""
ASKED = 10
"""Questions on a card."""
_BASICS = ("sides", "decks", "dealt", "drawn", "target", "match-deals")
_UNANSWERED = ("not-told", "not-refereed", "any")
"""The values of settings that answer no question."""
_IN_TITLE = "«"
"""The character in a title that includes the name of its page."""
_WHATEVER_CANASTAS = [1]
"""Shares by the number of canastas that are the same for every number."""
_SIDES = ("noi", "loro")
_SHORT_NAME, _SHORT_VALUE = 30, 6
"""Most characters of the name and value of a figure for two to fit side by side."""
_MILLIMETRE = 96 / 25.4
"""CSS pixels."""


class NamedValue(NamedTuple):
    """A setting or figure with its value, both in words."""

    name: str
    value: str


class Copies(IntEnum):
    """The number of pads on an A4 sheet: one in large print, two of A5 side by side, or four of A6."""

    LARGE = 1
    TWO = 2
    FOUR = 4


class _Form(NamedTuple):
    """The dimensions of a pad in millimetres: width, least row height, and lowest position of the
    last line.
    """

    width: float
    row: float
    end: float


_FORMS = {
    Copies.LARGE: _Form(184, 11, 283),
    Copies.TWO: _Form(130.5, 5.9, 203),
    Copies.FOUR: _Form(93, 4.6, 143.5),
}
_NUMBER, _RESTING = 0.08, 0.15
"""Shares of the width: the column of hand numbers, and that of the player sitting out."""
FEWEST, MOST = 4, 16
"""Least and greatest number of rows for hands on a pad."""
_LEAST_SHARE = 0.75
"""Share of the usual height of a row below which nobody can write in it."""


class Grid(NamedTuple):
    """The writing lines, in millimetres from the upper left corner: the foot of each row, the
    columns' left edges.

    `sides` are the edges between the sides, `totals` those of their columns of totals, each
    `column` wide; `numbers` are the positions of the hand numbers (x, y), in the middle of their
    cells.
    """

    width: float
    column: float
    rows: tuple[float, ...]
    sides: tuple[float, ...]
    totals: tuple[float, ...]
    numbers: tuple[tuple[float, float], ...]


class _Paper:
    """The facts of a game with a table's choices, in words, that both papers print.

    Attributes: `name`, that of the game; `chosen`, the preset and the table's changes to it.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None
    ) -> None:
        self.variant = variant = as_played(name, preset, options)
        words = words.with_rules(variant)
        self.words = words
        self.text = words.text
        self.name = words.text(f"variant.{variant.id}.name")
        usual = variant.presets[preset].options if preset else {}
        changed = [
            words.text(
                "web.new.chosen",
                option=words.text(f"option.{key}"),
                value=value_word(key, value, words),
            )
            for key, value in (options or {}).items()
            if value != usual.get(key, default_of(variant, variant.options[key]))
        ]
        self.chosen = (*([words.text(f"preset.{preset}")] if preset else []), *changed)

    def setting(self, key: str) -> Any:
        """The value of a setting."""
        return self.variant.settings[key].value

    def fact(self, key: str) -> NamedValue:
        """A setting with its value, in words."""
        name = self.words.first(
            f"paper.{key}.{self.setting('red-threes-condition')}", f"paper.{key}", f"setting.{key}"
        )
        return NamedValue(self.text(name), setting_words(key, self.variant, self.words))

    @property
    def openings(self) -> list[NamedValue]:
        """The opening minimums by score or hand; none if there are none."""
        figure, by = self.words.figure, self.setting("opening-by")
        if by == "deal":
            minimums = enumerate(self.setting("opening-deals"), 1)
            return [
                NamedValue(self.text("paper.opening.hand", number=deal), figure(minimum))
                for deal, minimum in minimums
            ]
        if by != "score":
            return []
        steps, below, under = (
            self.setting("opening-steps"),
            self.setting("opening-below-zero"),
            "below-zero",
        )
        if below == steps[0][1]:
            _, *steps = steps
            under = "below" if steps else "always"
        first = self.text(f"paper.opening.{under}", score=steps[0][0] if steps else 0)
        later = (
            NamedValue(self.text("paper.opening.from", score=score), figure(least))
            for score, least in steps
        )
        return [NamedValue(first, figure(below)), *later]

    @property
    def cards(self) -> list[NamedValue]:
        """The values of cards, highest first; none if they are not counted in points."""
        points = self.setting("card-points") if is_told("card-points", self.variant) else {}
        cards = dict[int, list[str]]()
        for kind, worth in points.items():
            is_number = kind.isdecimal() and kind != "2"
            cards.setdefault(worth, []).append(
                kind if is_number else self.words.plural(f"card.{kind}", 1)
            )
        return [
            NamedValue(", ".join(cards[worth]), self.words.figure(worth))
            for worth in sorted(cards, reverse=True)
        ]

    def bonuses_without(self, omitted: Iterable[str]) -> Iterator[NamedValue]:
        """The canastas, a fact for each item with the values of its kinds; then the other bonuses
        and losses.
        """
        found: dict[str, list[int]] = {}
        for kind in self.setting("canastas"):
            found.setdefault(kind["item"], []).append(kind["points"])
        for item, points in found.items():
            worth = " / ".join(dict.fromkeys(map(self.words.figure, points)))
            yield NamedValue(item_word(self.variant.id, item, self.words), worth)
        told = (key for key in BONUSES if key not in omitted and is_told(key, self.variant))
        yield from (self.fact(key) for key in told if self.setting(key) != _WHATEVER_CANASTAS)
        for code, bonus in self.variant.bonuses.items():
            yield NamedValue(self.text(f"bonus.{code}"), self.words.figure(bonus.points))


# --------------------------------------------------------------------------------------- blank pads


class BlankPad(_Paper):
    """The values shown by the template of a blank pad.

    Attributes: `columns`, the names printed over the sides, empty if unnamed; `players`, the number
    of name lines of each side; `hands`, the hands of a match, None if it ends by score; `goal`, the
    one of them in words; `has_resting`: in every hand one player sits out; `short` and `long`, the
    bonuses of which two fit side by side, and the others; `has_figures`: these and what the table
    chose are printed. House rules may have so many that no rows would be left.
    """

    has_figures = True

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None, copies: Copies
    ) -> None:
        super().__init__(name, words, preset, options)
        self.players, hands, minutes = (
            self.setting("sides"),
            self.setting("match-deals"),
            self.variant.ends.minutes,
        )
        self.hands = hands if isinstance(hands, int) else None
        self.goal = self.fact("match-deals" if self.hands else "target")
        if minutes is not None:
            limit = self.text("web.length.minutes", minutes=minutes)
            self.goal = self.goal._replace(value=f"{self.goal.value}, {limit}")
        has_pairs = len(self.players) == len(_SIDES) and max(self.players) > 1
        named = tuple(self.text(f"web.side.{side}") for side in _SIDES)
        self.columns = named if has_pairs else ("",) * len(self.players)
        self.has_resting = any(self.setting("resting"))
        self.bonuses = tuple(self.bonuses_without(NEEDED if copies is Copies.FOUR else ()))
        self.short = [each for each in self.bonuses if _is_short(each)]
        self.long = [each for each in self.bonuses if not _is_short(each)]


def _is_short(fact: NamedValue) -> bool:
    return len(fact.name) <= _SHORT_NAME and len(fact.value) <= _SHORT_VALUE


def blank_pad(
    name: str,
    words: Words,
    copies: Copies,
    preset: str | None = None,
    options: Choices | None = None,
) -> bytes:
    """The blank pad of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    page, form = BlankPad(name, words, preset, options, copies), _FORMS[copies]

    def html(rows: int, height: float, cards: int) -> str:
        grid = _grid(page, form.width, rows, height)
        return render(
            "blank.html", page.words, page=page, copies=copies.value, grid=grid, cards=cards
        )

    def free_height() -> float:
        """The height left for rows, in millimetres."""
        return form.end - height_of(html(1, form.row, 1), "end") / _MILLIMETRE + form.row

    free = free_height()
    if free < FEWEST * form.row * _LEAST_SHARE:
        page.has_figures = False
        free = free_height()
    fitting = max(FEWEST, int(free / (form.row * _LEAST_SHARE)))
    rows = min(page.hands, fitting) if page.hands else max(FEWEST, min(MOST, int(free / form.row)))
    return pdf_of(html(rows, min((4 if page.hands else 1.6) * form.row, free / rows), copies))


def _grid(page: BlankPad, width: float, rows: int, height: float) -> Grid:
    number = _NUMBER * width
    column = (width * (1 - _RESTING * page.has_resting) - number) / (2 * len(page.columns))
    sides = [number + 2 * column * side for side in range(len(page.columns) + page.has_resting)]
    totals = [left + column for left in sides[: len(page.columns)]]
    feet = tuple(height * row for row in range(1, rows + 1))
    numbers = tuple((number / 2, foot - height / 2) for foot in feet)
    return Grid(width, column, feet, tuple(sides), tuple(totals), numbers)


# -------------------------------------------------------------------------------------- rules cards


class RulesCard(_Paper):
    """The values shown by the template of a rules card.

    Attributes: `questions`, frequent questions with answers; `notes`, other rules specific to this
    game; `sources`, those of the printed rules; `classic`, those of the rules inherited from the
    classic game.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None
    ) -> None:
        super().__init__(name, words, preset, options)
        variant = self.variant
        self.special = self.text(f"variant.{variant.id}.special")
        self.basics = [self.fact(key) for key in _BASICS if is_told(key, variant)]
        self.bonuses = tuple(self.bonuses_without(QUESTIONS["out"]))
        # An unexposed red three is omitted if it costs the same as one left in hand.
        again = (NOT_EXPOSED, self.setting("held-red-three"))
        of_nobody = () if applies("permission", variant) else OF_PARTNERS
        charged = [each for each in variant.penalties.values() if (each.code, each.points) != again]
        self._charged = [each for each in charged if each.code not in of_nobody]
        self.penalties = [self._penalty(each) for each in self._charged]
        self._statements = {each.id: each for each in statements_of(variant) if not each.differs}
        self._answering = dict(islice(self._answered(), ASKED))
        self.questions = tuple(self._question(name, keys) for name, keys in self._answering.items())
        common = {each.id for each in statements_of(get_variant(CLASSIC))}
        self._own = [each for each in self._statements.values() if each.id not in common]
        self.notes = self._notes()
        self.sources, self.classic = self._sources()

    def _penalty(self, penalty: Penalty) -> NamedValue:
        points = penalty_words(penalty, self.words)
        if penalty.code == NOT_EXPOSED and is_told("held-red-three", self.variant):
            points = self.text("paper.card.same-offence", points=points)
        return NamedValue(self.text(f"penalty.{penalty.code}"), points)

    def _answered(self) -> Iterator[tuple[str, list[str]]]:
        """The questions that the rules of this variant answer, each with the settings and
        statements that do.
        """
        for name, keys in QUESTIONS.items():
            answering = [key for key in keys if self._answers(key)]
            if answering:
                yield name, answering

    def _answers(self, key: str) -> bool:
        if key in self.variant.settings:
            return is_told(key, self.variant) and self.setting(key) not in _UNANSWERED
        return self._has_statement(key)

    def _has_statement(self, name: str) -> bool:
        if name not in self._statements:
            return False
        rule = self._statements[name].after
        return rule is None or is_told(rule, self.variant)

    def _question(self, name: str, keys: Iterable[str]) -> NamedValue:
        sentences = " ".join(map(self._sentence, keys))
        return NamedValue(self.text(f"paper.card.ask.{name}"), sentences)

    def _sentence(self, key: str) -> str:
        """A setting or a statement as a sentence."""
        if key in self.variant.settings:
            return rule_text(key, self.variant, self.words)
        return self.text(f"rulebook.statement.{key}")

    def _notes(self) -> list[str]:
        """What is said of this game alone; the rule that a statement qualifies precedes it unless
        it is on the card.
        """
        printed = {"canastas", "opening-by", *_BASICS, *BONUSES}
        for keys in self._answering.values():
            printed.update(keys)
        notes = []
        for statement in self._own:
            note = self.text(f"rulebook.statement.{statement.id}")
            rule = statement.after
            if rule is not None and rule not in printed:
                note = f"{self._sentence(rule)} {note}"
                printed.add(rule)
            notes.append(note)
        return notes

    def _sources(self) -> tuple[list[str], list[str]]:
        """The sources of this game's printed rules, and those of rules inherited from the classic
        game.
        """
        variant = self.variant
        keys = ["canastas", "card-points", *_BASICS, *BONUSES]
        for answering in QUESTIONS.values():
            keys.extend(answering)
        cited = []
        for key in keys:
            if key not in variant.settings:
                if self._has_statement(key):
                    cited.append(self._statements[key].cited)
            elif is_told(key, variant):
                cited.append(variant.settings[key].cited)
        cited += [each.cited for each in self._own]
        taken = [each for each in cited if each.read and each.read == variant.inherits]
        own = [each for each in cited if each not in taken]
        # All games with penalties use those of the classic game.
        (taken if variant.inherits else own).extend(each.cited for each in self._charged)
        named = list(_named(own))
        return named, [name for name in _named(taken) if name not in named]


def rules_card(
    name: str,
    words: Words,
    preset: str | None = None,
    options: Choices | None = None,
    *,
    large: bool = False,
) -> bytes:
    """The rules card of a variant with a table's choices, as PDF: one page, in 18 pt several.

    Raises ChoiceError and NoPdf.
    """
    page = RulesCard(name, words, preset, options)
    if large:
        return pdf_of(render("card.html", page.words, page=page, size="large"))
    length = max(
        _length(page.questions) + sum(map(len, page.notes)),
        2 * _length((*page.bonuses, *page.penalties)),
    )
    sizes = [size for size, most in _SIZES if length <= most] or [_SIZES[-1][0]]
    return pdf_that_fits(render("card.html", page.words, page=page, size=size) for size in sizes)


def _length(facts: Iterable[NamedValue]) -> int:
    return sum(len(each) for fact in facts for each in fact)


_SIZES = (("11", 1900), ("10", 2600), ("9", 6000))
"""Text sizes in points, and the most characters of questions and notes for which each is tried."""


def _named(cited: Iterable[Cited]) -> Iterator[str]:
    """The cited texts, in the order of the catalogue; for a site with several, its pages."""
    found = {place for each in cited for place in each.citations}
    for name, source in sources().items():
        pages = [page for page in source.sections if Citation(name, page) in found]
        if pages and _IN_TITLE not in source.title:
            yield source.title + " " + ", ".join(f"«{page}»" for page in pages)
        elif pages:
            yield source.title
