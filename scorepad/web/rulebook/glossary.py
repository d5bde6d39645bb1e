"""The page of the glossary: the words of canasta, in the language of the page and in the other."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Words
from scorepad.i18n import words as words_in
from scorepad.schemas.variant_json import CLASSIC
from scorepad.web.rulebook import content
from scorepad.web.rulebook_links import anchor, game_url


class GlossaryEntry(NamedTuple):
    """A word of the glossary: its meaning, its other names, and where the rules use it."""

    anchor: str
    name: str
    meaning: str
    also_called: str
    """Its other names; empty if it has none."""
    names_in_other_language: str
    chapter: str
    """The title of the chapter that uses it, and below its address."""
    chapter_url: str


def list_glossary(words: Words) -> list[GlossaryEntry]:
    """List the words of canasta, in alphabetical order of the language of the page."""
    entries = [_make_glossary_entry(word, words) for word in content.glossary()]
    return sorted(entries, key=lambda entry: entry.name)


def _make_glossary_entry(word: str, words: Words) -> GlossaryEntry:
    key = f"rulebook.word.{word}"
    chapter = content.glossary()[word]["chapter"]
    chapter_url = f"{game_url(CLASSIC)}#{anchor('section', chapter)}"
    return GlossaryEntry(
        anchor=anchor("word", word),
        name=words.t(key),
        meaning=words.t(f"{key}.means"),
        also_called=content.other_names(word, words),
        names_in_other_language=_list_names(word, _find_other_language(words)),
        chapter=words.t(f"rulebook.section.{chapter}"),
        chapter_url=chapter_url,
    )


def _find_other_language(words: Words) -> Words:
    """Return the messages of the other language; the program has two."""
    other_languages = [language for language in LANGUAGES if language is not words.language]
    return words_in(other_languages[0])


def _list_names(word: str, words: Words) -> str:
    """List all names of a word in a language, separated by commas."""
    names = (words.t(f"rulebook.word.{word}"), content.other_names(word, words))
    return ", ".join(name for name in names if name)
