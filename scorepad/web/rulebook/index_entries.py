"""What the search of the rulebook finds: the rules, penalties, words and all else on the pages.

Text common to several games is one entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Language, Words
from scorepad.i18n import words as catalogue
from scorepad.i18n.rule_sentences import (
    CHAPTERS,
    name_heading_of_statement,
    name_rule,
    write_rule,
    write_sentence,
)
from scorepad.i18n.settings_in_words import (
    describe_option_value,
    describe_variant_briefly,
    variant_name,
)
from scorepad.referee.penalties import irregularities
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import get_variant, own_variants, statements_of, variant_ids
from scorepad.schemas.variant_json import CLASSIC
from scorepad.web.citations import source_name
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rulebook import content
from scorepad.web.rulebook_links import anchor
from scorepad.web.text_search import Document, WeightedText, make_document, without_repetitions

# The weights of the texts of an entry.
_TITLE_WEIGHT = 6.0
_NAME_WEIGHT = 5.0
_BODY_WEIGHT = 2.0
_ALTERNATIVE_WEIGHT = 1.5
_FACTORS: Mapping[str, float] = {
    "rule": 1.0,
    "penalty": 1.0,
    "section": 0.9,
    "problem": 0.9,
    "word": 0.9,
    "game": 0.9,
    "item": 0.8,
    "statement": 0.9,
    "choice": 0.6,
}
"""The factor of each kind of entry: rules come first."""
_NOT_CLASSIC_FACTOR = 0.9
"""The factor of rules missing in the classic game, if the question names no game."""
_EVERY_GAME = ""
"""In place of a game, for a word of the glossary: it is the same in all."""


class IndexText(NamedTuple):
    """A part of the page of one game, in one language.

    `anchor` is its id on the page; a whole game has none. `names` are other names and questions
    that lead to it, separated by commas; `alternatives` are the texts that it has when the table
    chooses other rules.
    """

    kind: str
    anchor: str | None
    title: str
    text: str
    names: str = ""
    alternatives: tuple[str, ...] = ()


TextInLanguages = dict[Language, IndexText]
"""A part of the page of one game, in each language."""


class SharedText(NamedTuple):
    """The text of an entry in some games, by language; a word of the glossary has no games."""

    games: tuple[str, ...]
    by_language: Mapping[Language, str]


@dataclass(frozen=True)
class IndexEntry:
    """Something that the search can find, such as a rule, a penalty or a word of the glossary.

    `parts` has its texts by game, in each language. `rule` is the anchor of the rule shown with a
    word of the glossary.
    """

    kind: str
    anchor: str | None
    parts: Mapping[str, TextInLanguages]
    rule: str | None = None

    def title(self, language: Language) -> str:
        """Its title, which is the same in all games."""
        part_of_first_game = next(iter(self.parts.values()))
        return part_of_first_game[language].title

    @cached_property
    def texts(self) -> tuple[SharedText, ...]:
        """Its different texts, each with the games that share it.

        A word of the glossary has one text, which belongs to every game and names none.
        """
        games_by_texts: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for game, part_in_languages in self.parts.items():
            games_by_texts[_texts_in_order(part_in_languages)].append(game)

        shared_texts = []
        for games in games_by_texts.values():
            part_in_languages = self.parts[games[0]]  # its texts are those of all these games
            by_language = {language: part_in_languages[language].text for language in LANGUAGES}
            named_games = tuple(game for game in games if game != _EVERY_GAME)
            shared_texts.append(SharedText(named_games, by_language))
        return tuple(shared_texts)

    def texts_of(self, games: Collection[str]) -> list[SharedText]:
        """Its texts in some games; all if no games are given."""
        if not games:
            return list(self.texts)
        texts = []
        for text in self.texts:
            is_in_every_game = not text.games
            if is_in_every_game or not set(games).isdisjoint(text.games):
                texts.append(text)
        return texts

    def sentences(self, games: Collection[str]) -> frozenset[str]:
        """All its texts in some games, in any language; of all games if none are given."""
        sentences: set[str] = set()
        for text in self.texts_of(games):
            for sentence_in_language in text.by_language.values():
                if sentence_in_language:
                    sentences.add(sentence_in_language)
        return frozenset(sentences)

    def document(self, games: Collection[str]) -> Document:
        """The entry as a document of the search index, with its texts in some games or in all.

        Words of its titles count more in the search than those of its other names, and these more
        than those of its texts.
        """
        names = self._all_names()
        texts = [WeightedText(self.title(language), _TITLE_WEIGHT) for language in LANGUAGES]
        texts += [WeightedText(name, _NAME_WEIGHT) for name in names]
        texts += [WeightedText(text, _BODY_WEIGHT) for text in self.sentences(games)]
        texts += [WeightedText(text, _ALTERNATIVE_WEIGHT) for text in self._alternatives(games)]
        return make_document(texts, names, self._factor(games))

    def _factor(self, games: Collection[str]) -> float:
        """How much the entry counts beside others that answer a question; rules count most.

        If all games are searched, a rule that the classic game lacks counts less.
        """
        factor = _FACTORS[self.kind]
        is_whole_game = self.anchor is None
        if games or is_whole_game:
            return factor
        is_in_classic_game = bool(self.texts_of((CLASSIC,)))
        return factor if is_in_classic_game else factor * _NOT_CLASSIC_FACTOR

    def _alternatives(self, games: Collection[str]) -> set[str]:
        """The texts that it has when the table chooses other rules, in some games or in all.

        They are of all languages: a player may ask in any.
        """
        alternatives: set[str] = set()
        for game, part_in_languages in self.parts.items():
            is_searched = not games or game in games
            if not is_searched:
                continue
            for part in part_in_languages.values():
                alternatives.update(part.alternatives)
        return alternatives

    def _all_names(self) -> set[str]:
        """The titles, other names and questions of the entry, in all games and languages."""
        names: set[str] = set()
        for part_in_languages in self.parts.values():
            for part in part_in_languages.values():
                names |= _names_of_part(part)
        return names


def _names_of_part(part: IndexText) -> set[str]:
    """The names by which a part of the page of a game is found: its other names and its title.

    The title of a statement is left out, because it is that of the rule that it stands beside.
    """
    names = set(part.names.split(","))
    if part.kind != "statement":
        names.add(part.title)
    return names


def _texts_in_order(in_languages: TextInLanguages) -> tuple[str, ...]:
    """The texts of a part of a page in the order of the languages."""
    return tuple(in_languages[language].text for language in LANGUAGES)


def index_entries() -> tuple[IndexEntry, ...]:
    """Everything that the search can find, in all games, those of house rules included."""
    return _cached_entries(own_variants().number)


@lru_cache(maxsize=1)
def _cached_entries(_number_of_house_rules: int) -> tuple[IndexEntry, ...]:
    """The entries of all games and of the glossary, made once.

    The number grows whenever house rules change. It is only the key of the cache: with another
    number the entries are made anew.
    """
    return (*_entries_of_pages(), *_entries_of_glossary())


class _EntryKey(NamedTuple):
    """What tells which texts of several games are one entry: the kind and the anchor.

    Whole games have no anchor, but a title each.
    """

    kind: str
    anchor: str | None
    game_title: str


def _entries_of_pages() -> list[IndexEntry]:
    """The entries of the pages of all games; a rule that several games have is one entry."""
    parts_by_entry: defaultdict[_EntryKey, dict[str, TextInLanguages]] = defaultdict(dict)
    for game in variant_ids():
        for in_languages in _parts_in_languages(get_variant(game)):
            key = _entry_key(in_languages)
            parts_by_entry[key][game] = in_languages
    return [IndexEntry(key.kind, key.anchor, parts) for key, parts in parts_by_entry.items()]


def _entry_key(in_languages: TextInLanguages) -> _EntryKey:
    """The entry to which a part of the page of a game belongs.

    The same rule in several games has one anchor, and is one entry. Whole games have no anchor:
    each is an entry of its own, told from the others by its title.
    """
    part = in_languages[LANGUAGES[0]]  # kind and anchor are the same in all languages
    if part.kind == "game":
        return _EntryKey(part.kind, part.anchor, game_title=part.title)
    return _EntryKey(part.kind, part.anchor, game_title="")


def _entries_of_glossary() -> list[IndexEntry]:
    """The entries of the words of canasta, which are the same in every game."""
    entries = []
    for name, word in content.glossary().items():
        definitions = {language: _text_of_word(name, catalogue(language)) for language in LANGUAGES}
        entry = IndexEntry(
            kind="word",
            anchor=anchor("word", name),
            parts={_EVERY_GAME: definitions},
            rule=_rule_of_word(word),
        )
        entries.append(entry)
    return entries


def _rule_of_word(word: Mapping[str, str]) -> str | None:
    """The anchor of the rule or statement that the glossary names for a word; None without one."""
    for kind in ("rule", "statement"):
        if kind in word:
            return anchor(kind, word[kind])
    return None


def _text_of_word(name: str, words: Words) -> IndexText:
    """A word of the glossary; it is also found by questions such as "what is a meld"."""
    title = words.t(f"rulebook.word.{name}")
    names = [content.other_names(name, words)]
    for question in words.t("rulebook.search.defines").split(","):
        names.append(f"{question} {title}")
    return IndexText(
        kind="word",
        anchor=anchor("word", name),
        title=title,
        text=words.t(f"rulebook.word.{name}.means"),
        names=",".join(names),
    )


# ---------------------------------------------------------------- the page of a game


def _parts_in_languages(variant: Variant) -> Iterator[TextInLanguages]:
    """The parts of the page of a game, each in all languages."""
    parts_by_language = {}
    for language in LANGUAGES:
        words = catalogue(language).with_rules(variant)
        parts_by_language[language] = list(_parts_of_page(variant, words))
    count = len(parts_by_language[LANGUAGES[0]])
    for index in range(count):  # the parts stand in the same order in every language
        yield {language: parts[index] for language, parts in parts_by_language.items()}


def _parts_of_page(variant: Variant, words: Words) -> Iterator[IndexText]:
    """The parts of the page of a game that can be found, in one language."""
    chosen = ChosenRules(variant)
    yield _text_of_game(variant, words)
    for section in CHAPTERS:
        title = words.t(f"rulebook.section.{section}")
        yield IndexText("section", anchor("section", section), title, text="")
    for keys in CHAPTERS.values():
        for key in keys:
            if in_book(key, variant, words):
                yield _text_of_rule(key, chosen, words)
    yield from _texts_of_statements(variant, words)
    yield from _texts_of_options(variant, words)
    yield from _texts_of_penalties(chosen, words)
    for check in content.check_items(chosen, words):
        yield _text_of_item("problem", check)
    for line in content.score_line_items(chosen, words):
        yield _text_of_item("item", line)


def _text_of_game(variant: Variant, words: Words) -> IndexText:
    """A whole game: its name, what is special in it, and its other names."""
    other_names = words.t(f"rulebook.called.{variant.id}")
    return IndexText(
        kind="game",
        anchor=None,
        title=variant_name(variant, words),
        text=describe_variant_briefly(variant, words),
        names=f"{other_names}, {variant.id}",
    )


def _text_of_rule(key: str, chosen: ChosenRules, words: Words) -> IndexText:
    """The rule that a setting decides, with what it is under other choices."""
    alternatives = []
    for choice in content.alternative_choices(key, chosen):
        alternatives.append(_rule_with_sources(key, choice.current_variant, words))
    return IndexText(
        kind="rule",
        anchor=anchor("rule", key),
        title=name_rule(key, words),
        text=write_rule(key, chosen.variant, words),
        names=_id_and_questions(key, words),
        alternatives=tuple(alternatives),
    )


def _rule_with_sources(key: str, variant: Variant, words: Words) -> str:
    """The sentence of a rule, followed by its sources in brackets."""
    text = write_sentence(key, variant, words)
    names = [source_name(each.source, words) for each in variant.settings[key].cited.citations]
    if not names:
        return text
    return f"{text} ({', '.join(without_repetitions(names))})"


def _texts_of_statements(variant: Variant, words: Words) -> Iterator[IndexText]:
    """The sentences that sources state beside the rules of a game."""
    for statement in statements_of(variant):
        if statement.after is None or in_book(statement.after, variant, words):
            yield IndexText(
                kind="statement",
                anchor=anchor("statement", statement.id),
                title=name_heading_of_statement(statement, words),
                text=content.statement_text(statement, words),
                names=_id_and_questions(statement.id, words, "statement."),
            )


def _texts_of_options(variant: Variant, words: Words) -> Iterator[IndexText]:
    """The options of a game, each with its values."""
    for option in variant.options.values():
        values = [
            describe_option_value(option.id, each.value, words)
            for each in variant.values_of(option)
        ]
        yield IndexText(
            kind="choice",
            anchor=anchor("option", option.id),
            title=words.t(f"option.{option.id}"),
            text="; ".join(values),
            names=option.id,
        )


def _texts_of_penalties(chosen: ChosenRules, words: Words) -> Iterator[IndexText]:
    """The penalties of a game, each with what it costs and what follows."""
    for penalty in irregularities(chosen.rules):
        yield IndexText(
            kind="penalty",
            anchor=anchor("penalty", penalty.code),
            title=words.t(f"penalty.{penalty.code}"),
            text=content.penalty_text(penalty, words),
            names=_id_and_questions(penalty.code, words, "penalty."),
        )


def _text_of_item(kind: str, item: content.Item) -> IndexText:
    """A score line or a check of the pad, with the first of the rules behind it."""
    texts = [item.explanation]
    if item.rules:
        texts.append(item.rules[0].text)
    text = " ".join([text for text in texts if text])
    return IndexText(kind, item.anchor, item.name, text, names=item.code)


def _id_and_questions(name: str, words: Words, kind: str = "") -> str:
    """The id of a rule, statement or penalty, and the questions that people ask about it."""
    key = f"rulebook.asked.{kind}{name}"
    if not words.has(key):
        return name
    return f"{name}, {words.t(key)}"
