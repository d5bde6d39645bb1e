"""The words of canasta, each with what it means, what else it is called, and its name in the other language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from scorepad.contract.variants import CLASSIC
from scorepad.i18n import LANGUAGES, Words, words
from scorepad.web.frame import Page
from scorepad.web.rulebook import places

_NO_OTHER = "-"
"""What the catalogue says where a word has no other name."""

WORDS: Mapping[str, str] = {
    "match": "winning", "hand": "count", "side": "preparing", "dealer": "preparing", "stock": "turn", "pile": "pile",
    "upcard": "preparing", "meld": "melds", "meld-verb": "melds", "lay-off": "melds", "opening": "opening",
    "opening-minimum": "opening", "wild-card": "cards", "joker": "cards", "two": "cards", "natural-card": "cards",
    "special-card": "cards", "red-three": "red-threes", "black-three": "black-threes", "canasta": "canastas",
    "natural-canasta": "canastas", "mixed-canasta": "canastas", "concealed-canasta": "canastas", "samba": "melds",
    "freeze": "pile", "stop": "black-threes", "go-out": "out", "concealed-out": "out", "penalty": "penalties",
    "penalty-cards": "penalties", "target": "winning", "score-pad": "count",
}  # fmt: skip
"""The words, each with the chapter that it belongs to."""

RULES: Mapping[str, str] = {
    "match": "target", "dealer": "first-dealer", "stock": "drawn", "pile": "pile", "upcard": "upcard",
    "meld": "meld-shortest", "lay-off": "meld-lay-off", "opening": "opening-steps", "opening-minimum": "opening-steps",
    "wild-card": "wild-limit", "joker": "card-points", "two": "card-points", "natural-card": "card-points",
    "red-three": "red-three-values", "black-three": "black-three-discarded", "canasta": "canasta-length",
    "natural-canasta": "canastas", "mixed-canasta": "canastas", "concealed-canasta": "concealed-canasta",
    "samba": "sequences", "freeze": "freezing", "stop": "black-three-discarded", "go-out": "canastas-needed",
    "concealed-out": "concealed-out-bonus", "penalty": "penalties-known", "target": "target",
}  # fmt: skip
"""The rule that gives the figure to a word, of the words that have one."""


@dataclass(frozen=True, slots=True)
class WordTold:
    """A word of the table: its name, other names, its names in the other language, what it means, and its chapter."""

    anchor: str
    name: str
    also: str
    other: str
    means: str
    section: str
    chapter: str
    """The chapter's anchor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsPage(Page):
    """The glossary."""

    template: ClassVar[str] = "rulebook/words.html"
    words: tuple[WordTold, ...]
    book: str
    """The page of the classic game, whose chapters the words lead to."""


def words_page(speech: Words) -> WordsPage:
    """The glossary, in the order of the alphabet."""
    told = sorted(_all(speech), key=lambda word: word.name)
    return WordsPage(title=speech.text("rulebook.words"), words=tuple(told), book=places.game_url(CLASSIC))


def _all(speech: Words) -> Iterator[WordTold]:
    for name in WORDS:
        yield word_told(name, speech)


def word_told(name: str, speech: Words) -> WordTold:
    """A word of the glossary."""
    other = next(words(tongue) for tongue in LANGUAGES if tongue is not speech.language)
    return WordTold(
        anchor=places.word(name),
        name=speech.text(f"rulebook.word.{name}"),
        also=_also(name, speech),
        other=", ".join(filter(None, (other.text(f"rulebook.word.{name}"), _also(name, other)))),
        means=speech.text(f"rulebook.word.{name}.means"),
        section=speech.text(f"rulebook.section.{WORDS[name]}"),
        chapter=places.section(WORDS[name]),
    )


def _also(name: str, speech: Words) -> str:
    said = speech.text(f"rulebook.word.{name}.also")
    return "" if said == _NO_OTHER else said
