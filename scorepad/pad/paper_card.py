"""A variant on paper: the rules card's values, made from the rules that a table plays by."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.contract.applying import is_told
from scorepad.i18n import Words
from scorepad.i18n.chapters import CHAPTERS, PENALTIES
from scorepad.pad.paper_blank import chosen_told, fact_of
from scorepad.rules.variants import Choices, Variant, as_played, sources
from scorepad.sheets.blank_values import Fact
from scorepad.sheets.card import rules_card_pdf
from scorepad.sheets.card_values import Chapter, RulesCard


def rules_card(name: str, words: Words, preset: str | None = None, options: Choices | None = None) -> bytes:
    """The rules card of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    return rules_card_pdf(card_of(as_played(name, preset, options), words, preset, options))


def card_of(variant: Variant, words: Words, preset: str | None = None, options: Choices | None = None) -> RulesCard:
    """What stands on the rules card of a variant as it is played."""
    chapters = ((name, tuple(_facts(name, variant, words))) for name in CHAPTERS)
    return RulesCard(
        language=words.language,
        variant=words.text(f"variant.{variant.id}.name"),
        special=words.text(f"variant.{variant.id}.special"),
        chosen=tuple(chosen_told(variant, preset, options or {}, words)),
        chapters=tuple(Chapter(words.text(f"rulebook.section.{name}"), facts) for name, facts in chapters if facts),
        sources=tuple(_sources(variant)),
    )


def _facts(chapter: str, variant: Variant, words: Words) -> Iterator[Fact]:
    yield from (fact_of(key, variant, words) for key in CHAPTERS[chapter] if is_told(key, variant))
    for code, penalty in variant.penalties.items() if chapter == PENALTIES else ():
        points = words.text("paper.card.agreed") if penalty.points is None else words.figure(-penalty.points)
        yield Fact(words.text(f"penalty.{code}"), points)


def _sources(variant: Variant) -> Iterator[str]:
    """The sources that any of its figures rests on, in the order of the catalogue."""
    named = {place.source for value in variant.settings.values() for place in value.cited.citations}
    yield from (source.title for name, source in sources().items() if name in named)
