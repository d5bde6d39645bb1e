"""Rules cards: the rules that a table plays by on one page of A4, in letters as large as it has room for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.rulebook import CHAPTERS, PENALTIES, each_by_players
from scorepad.referee.irregularities import OF_PARTNERS
from scorepad.rules.citations import Citation, Cited
from scorepad.rules.entries import NOT_EXPOSED
from scorepad.rules.loader import Penalty
from scorepad.rules.statements import Statement, statements_of
from scorepad.rules.variants import Choices, Variant, as_played, get_variant, sources
from scorepad.schemas.variants import CLASSIC, applies, is_told
from scorepad.sheets.blank_pad import chosen_told, fact_of
from scorepad.sheets.pdf import Fact, pages_of, pdf_of, render

SIZES = (9.5, 9, 8.5, 8, 7.5, 7)
"""Sizes of the letters in points, as the style sheet has them; the last is the smallest that eyes of seventy read."""
_LETTERS = 32
"""In a line of a column, of a name or of a value, where room is scarce and letters small."""
_HEADING, _APART = 2.0, 0.2
"""Lines that a heading takes, and what keeps figures apart."""
_IN_TITLE = "«"
"""What a title has that names its page."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Figures that belong together. `notes` is what else there is to say, by the name of the figure that it is of."""

    title: str
    facts: tuple[Fact, ...]
    notes: Mapping[str, tuple[str, ...]]

    @property
    def lines(self) -> float:
        """About how many lines it takes in a column."""
        told = [1 + max(len(fact.name), len(fact.value)) // _LETTERS for fact in self.facts]
        told += [1 + len(note) // (2 * _LETTERS) for said in self.notes.values() for note in said]
        return _HEADING + sum(told) + _APART * len(told)


@dataclass(frozen=True, slots=True)
class RulesCard:
    """What stands on the card. `chosen` is what the table plays otherwise than usual, `sources` who says all this.

    `classic`: who says what is taken over from the classic game.
    """

    variant: str
    special: str
    chosen: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    sources: tuple[str, ...]
    classic: tuple[str, ...]

    @property
    def columns(self) -> tuple[tuple[Chapter, ...], tuple[Chapter, ...]]:
        """The chapters in two columns, as even as they can be without cutting one in two."""
        lines = [chapter.lines for chapter in self.chapters]
        half = min(range(len(lines) + 1), key=lambda end: abs(sum(lines[:end]) - sum(lines[end:])))
        return self.chapters[:half], self.chapters[half:]


def rules_card(name: str, words: Words, preset: str | None = None, options: Choices | None = None) -> bytes:
    """The rules card of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    page = card_of(as_played(name, preset, options), words, preset, options)
    place = bisect_left(range(len(SIZES) - 1), True, key=lambda size: pages_of(_html(page, size, words)) == 1)
    return pdf_of(_html(page, place, words))


def _html(page: RulesCard, size: int, words: Words) -> str:
    return render("card.html", words, page=page, size=size)


def card_of(variant: Variant, words: Words, preset: str | None = None, options: Choices | None = None) -> RulesCard:
    """What stands on the rules card of a variant as it is played."""
    own, classic = _sources(variant)
    return RulesCard(
        variant=words.text(f"variant.{variant.id}.name"),
        special=words.text(f"variant.{variant.id}.special"),
        chosen=tuple(chosen_told(variant, preset, options or {}, words)),
        chapters=tuple(chapter for chapter in _chapters(variant, words) if chapter.facts),
        sources=own,
        classic=classic,
    )


def _chapters(variant: Variant, words: Words) -> Iterator[Chapter]:
    for name in CHAPTERS:
        facts = [_fact(key, variant, words) for key in CHAPTERS[name] if is_told(key, variant)]
        if name == PENALTIES:
            facts += [_penalty(code, penalty, variant, words) for code, penalty in _penalties(variant)]
        yield Chapter(words.text(f"rulebook.section.{name}"), tuple(facts), _notes(name, variant, words))


def _notes(chapter: str, variant: Variant, words: Words) -> dict[str, tuple[str, ...]]:
    """What else is said of this game in a chapter, by the figure that it is of; at its head by none."""
    found: dict[str, tuple[str, ...]] = {}
    for each in _own_statements(variant):
        if each.section == chapter:
            of = words.text(f"setting.{each.after}") if each.after and is_told(each.after, variant) else ""
            found[of] = (*found.get(of, ()), words.text(f"rulebook.statement.{each.id}"))
    return found


def _own_statements(variant: Variant) -> tuple[Statement, ...]:
    """What the sources say of this game beside its figures, and not of the classic one."""
    common = {each.id for each in statements_of(get_variant(CLASSIC))}
    return tuple(each for each in statements_of(variant) if each.id not in common and not each.differs)


def _penalties(variant: Variant) -> Iterator[tuple[str, Penalty]]:
    """Those that can happen; the red three not exposed not again where it costs what one left in hand does."""
    for code, penalty in variant.penalties.items():
        of_nobody = code in OF_PARTNERS and not applies("permission", variant)
        is_again = code == NOT_EXPOSED and penalty.points == variant.settings["held-red-three"].value
        if not (of_nobody or is_again):
            yield code, penalty


def _penalty(code: str, penalty: Penalty, variant: Variant, words: Words) -> Fact:
    points = words.text("paper.card.agreed") if penalty.points is None else words.figure(-penalty.points)
    if code == NOT_EXPOSED and is_told("held-red-three", variant):
        points = words.text("paper.card.same-offence", points=points)
    return Fact(words.text(f"penalty.{code}"), points)


def _fact(key: str, variant: Variant, words: Words) -> Fact:
    """A setting with its value; where how many play decides it, for each number of players."""
    fact = fact_of(key, variant, words)
    told = each_by_players(key, variant, words)
    return fact._replace(value=words.listing(told)) if told else fact


def _sources(variant: Variant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who says what is printed of this game, and who says what it takes over from the classic one."""
    said = [variant.settings[key].cited for keys in CHAPTERS.values() for key in keys if is_told(key, variant)]
    said += [each.cited for each in _own_statements(variant)]
    penalties = [penalty.cited for _, penalty in _penalties(variant)]
    taken = [cited for cited in said if cited.read and cited.read == variant.inherits]
    own = [cited for cited in said if cited not in taken]
    # The penalties are those of the classic game in every game that has any.
    (taken if variant.inherits else own).extend(penalties)
    named = tuple(_named(own))
    return named, tuple(name for name in _named(taken) if name not in named)


def _named(said: Iterable[Cited]) -> Iterator[str]:
    """The texts that are cited, in the order of the catalogue; of a site that has several its pages."""
    found = {place for cited in said for place in cited.citations}
    for name, source in sources().items():
        pages = [page for page in source.sections if Citation(name, page) in found]
        if pages and _IN_TITLE not in source.title:
            yield source.title + " " + ", ".join(f"«{page}»" for page in pages)
        elif pages:
            yield source.title
