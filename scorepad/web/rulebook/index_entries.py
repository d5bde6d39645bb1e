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
from scorepad.rules.definitions import Option, Variant
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
    that lead to it, separated by commas; `alternatives` are the texts that it has when players
    choose other rules. `is_folded_away`: the page has it only if everything is unfolded.
    """

    kind: str
    anchor: str | None
    title: str
    text: str
    names: str = ""
    alternatives: tuple[str, ...] = ()
    is_folded_away: bool = False


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
        """Return the title of the entry in a language; it is the same in all games."""
        part_of_first_game = next(iter(self.parts.values()))
        return part_of_first_game[language].title

    @property
    def is_folded_away(self) -> bool:
        """Tell whether the page of a game has the entry only if everything is unfolded."""
        part_of_first_game = next(iter(self.parts.values()))
        return part_of_first_game[LANGUAGES[0]].is_folded_away

    @cached_property
    def texts(self) -> tuple[SharedText, ...]:
        """The different texts of the entry, each with the games that share it.

        A rule may read the same in samba and bolivia, and otherwise in all other games: then it has
        two texts.
        """
        games_by_texts: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for game, part_in_languages in self.parts.items():
            texts_in_languages = tuple(part_in_languages[language].text for language in LANGUAGES)
            games_by_texts[texts_in_languages].append(game)

        shared_texts = []
        for texts_in_languages, games in games_by_texts.items():
            text_by_language = dict(zip(LANGUAGES, texts_in_languages, strict=True))
            is_of_no_game = games == [_EVERY_GAME]  # a word of the glossary
            named_games = () if is_of_no_game else tuple(games)
            shared_texts.append(SharedText(named_games, text_by_language))
        return tuple(shared_texts)

    def texts_of(self, games: Collection[str]) -> list[SharedText]:
        """List the texts that the entry has in some games, or in all if none are given.

        The list is empty if it has none there. A word of the glossary has its text in every game.
        """
        if not games:
            return list(self.texts)
        texts = []
        for text in self.texts:
            is_in_every_game = not text.games
            is_in_one_of_games = any(game in games for game in text.games)
            if is_in_every_game or is_in_one_of_games:
                texts.append(text)
        return texts

    def sentences(self, games: Collection[str]) -> frozenset[str]:
        """Collect the texts of the entry in all languages, in some games (all if none are given).

        The search compares them: an entry whose sentences another one has too says nothing new.
        """
        sentences: set[str] = set()
        for text in self.texts_of(games):
            for sentence_in_language in text.by_language.values():
                if sentence_in_language:
                    sentences.add(sentence_in_language)
        return frozenset(sentences)

    def document(self, games: Collection[str]) -> Document:
        """Make the document by which the search finds this entry, in some games or in all.

        Words of its titles count most, then those of its other names, then those of its texts, and
        least those of its alternatives: the texts that it has when players choose other rules.
        """
        titles = [self.title(language) for language in LANGUAGES]
        names = self._list_all_names()
        texts = [WeightedText(title, _TITLE_WEIGHT) for title in titles]
        texts += [WeightedText(name, _NAME_WEIGHT) for name in names]
        texts += [WeightedText(text, _BODY_WEIGHT) for text in self.sentences(games)]
        alternatives = self._list_alternatives(games)
        texts += [WeightedText(text, _ALTERNATIVE_WEIGHT) for text in alternatives]
        return make_document(texts, phrases=names, factor=self._choose_factor(games))

    def _choose_factor(self, games: Collection[str]) -> float:
        """Choose how much the entry counts beside others that answer a question.

        - a rule → 1.0
        - an option of a game → 0.6
        - a rule that the classic game lacks, if all games are searched (`games` is empty) → 0.9
        """
        factor = _FACTORS[self.kind]
        is_whole_game = self.anchor is None
        if games or is_whole_game:
            return factor
        is_in_classic_game = bool(self.texts_of((CLASSIC,)))
        if is_in_classic_game:
            return factor
        return factor * _NOT_CLASSIC_FACTOR

    def _list_alternatives(self, games: Collection[str]) -> set[str]:
        """List the texts that the entry has when players choose other rules, in all languages.

        They are those in some games, or in all if none are given.
        """
        alternatives: set[str] = set()
        for game, part_in_languages in self.parts.items():
            is_searched = not games or game in games
            if not is_searched:
                continue
            for part in part_in_languages.values():
                alternatives.update(part.alternatives)
        return alternatives

    def _list_all_names(self) -> set[str]:
        """List what the entry is called: its titles, other names and typical questions.

        They are those of all games, in all languages, as a player may ask in any.
        """
        names: set[str] = set()
        for part_in_languages in self.parts.values():
            for part in part_in_languages.values():
                names |= _list_names_of_part(part)
        return names


def _list_names_of_part(part: IndexText) -> set[str]:
    """List the names by which a part of a game's page is found: other names, and its title.

    A statement of a source is not found by its title: that is the title of the rule beside which it
    stands.
    """
    names = set(part.names.split(","))
    if part.kind != "statement":
        names.add(part.title)
    return names


def index_entries() -> tuple[IndexEntry, ...]:
    """List everything that the search can find, in all games, those of house rules included."""
    return _make_entries(own_variants().number)


@lru_cache(maxsize=1)
def _make_entries(_number_of_house_rules: int) -> tuple[IndexEntry, ...]:
    """Make the entries of all games and of the glossary.

    They are cached. The number is only the key of the cache: it grows whenever house rules change,
    so that the entries are then made anew.
    """
    return (*_make_entries_of_games(), *_make_entries_of_glossary())


class _EntryKey(NamedTuple):
    """What tells which texts of several games are one entry: the kind and the anchor.

    Whole games have no anchor, but a title each.
    """

    kind: str
    anchor: str | None
    game_title: str


def _make_entries_of_games() -> list[IndexEntry]:
    """Make the entries for all parts of the pages of all games.

    The same part of several pages, such as the rule about decks, is one entry: it has the texts of
    each game.
    """
    parts_by_entry: defaultdict[_EntryKey, dict[str, TextInLanguages]] = defaultdict(dict)
    for game in variant_ids():
        for part_in_languages in _list_parts_in_languages(get_variant(game)):
            key = _make_entry_key(part_in_languages)
            parts_by_entry[key][game] = part_in_languages

    entries = []
    for key, part_by_game in parts_by_entry.items():
        entries.append(IndexEntry(key.kind, key.anchor, part_by_game))
    return entries


def _make_entry_key(part_in_languages: TextInLanguages) -> _EntryKey:
    """Make the key of the entry to which a part of a game's page belongs.

    - a rule, a penalty and the like → its kind and its anchor, which are the same in all games
    - a whole game, which has no anchor → its title too, so that each game is an entry of its own
    """
    part = part_in_languages[LANGUAGES[0]]  # kind and anchor are the same in all languages
    if part.kind == "game":
        return _EntryKey(part.kind, part.anchor, game_title=part.title)
    return _EntryKey(part.kind, part.anchor, game_title="")


def _make_entries_of_glossary() -> list[IndexEntry]:
    """Make the entries for the words of the glossary, which are the same in every game."""
    entries = []
    for name, word in content.glossary().items():
        definitions = {}
        for language in LANGUAGES:
            definitions[language] = _make_text_of_word(name, catalogue(language))
        entry = IndexEntry(
            kind="word",
            anchor=anchor("word", name),
            parts={_EVERY_GAME: definitions},
            rule=_find_rule_of_word(word),
        )
        entries.append(entry)
    return entries


def _find_rule_of_word(word: Mapping[str, str]) -> str | None:
    """Find the rule that is shown with a word of the glossary, as an anchor; None if there is none.

    `{"chapter": "melds", "rule": "meld-shortest"}` → `regola-meld-shortest`, its id on the page of
    a game.
    """
    for kind in ("rule", "statement"):
        if kind in word:
            return anchor(kind, word[kind])
    return None


def _make_text_of_word(name: str, words: Words) -> IndexText:
    """Make the text of a word of the glossary for the index, in one language.

    It is found by the word, by its other names, and by questions such as "what is a meld".
    """
    title = words.t(f"rulebook.word.{name}")
    names = [content.other_names(name, words)]
    # "what is, what are, what does it mean, explain"
    for question in words.t("rulebook.search.defines").split(","):
        names.append(f"{question} {title}")
    return IndexText(
        kind="word",
        anchor=anchor("word", name),
        title=title,
        text=words.t(f"rulebook.word.{name}.means"),
        names=",".join(names),  # one text, as messages list names too
    )


# ---------------------------------------------------------------- the page of a game


def _list_parts_in_languages(variant: Variant) -> Iterator[TextInLanguages]:
    """List the parts of the page of a game, each as a dict with its text in every language."""
    parts_by_language = {}
    for language in LANGUAGES:
        words = catalogue(language).with_rules(variant)
        parts_by_language[language] = list(_list_parts_of_page(variant, words))

    # Every language has the same parts in the same order: those at one position belong together.
    number_of_parts = len(parts_by_language[LANGUAGES[0]])
    for position in range(number_of_parts):
        yield {language: parts[position] for language, parts in parts_by_language.items()}


def _list_parts_of_page(variant: Variant, words: Words) -> Iterator[IndexText]:
    """List everything on the page of a game that can be found, in one language.

    First the game itself, then its chapters, rules, statements of sources, options, penalties,
    checks of the score form, and lines of the score.
    """
    chosen = ChosenRules(variant)
    yield _make_text_of_game(variant, words)
    for section in CHAPTERS:
        title = words.t(f"rulebook.section.{section}")
        yield IndexText("section", anchor("section", section), title, text="")
    for keys_of_chapter in CHAPTERS.values():
        for key in keys_of_chapter:  # each is a setting that decides a rule
            if in_book(key, variant, words):
                yield _make_text_of_rule(key, chosen, words)
    yield from _make_texts_of_statements(variant, words)
    yield from _make_texts_of_options(variant, words)
    yield from _make_texts_of_penalties(chosen, words)
    for check in content.check_items(chosen, words):
        yield _make_text_of_item("problem", check)
    for line in content.score_line_items(chosen, words):
        yield _make_text_of_item("item", line)


def _make_text_of_game(variant: Variant, words: Words) -> IndexText:
    """Make the text of a whole game for the index: its name, and what is special in it."""
    other_names = words.t(f"rulebook.called.{variant.id}")
    return IndexText(
        kind="game",
        anchor=None,
        title=variant_name(variant, words),
        text=describe_variant_briefly(variant, words),
        names=f"{other_names}, {variant.id}",
    )


def _make_text_of_rule(key: str, chosen: ChosenRules, words: Words) -> IndexText:
    """Make the text of a rule for the index, with what it says under other choices of players.

    `key` is the setting that decides the rule, and `chosen` the game as players choose it.
    """
    alternatives = []
    for other_choices in content.alternative_choices(key, chosen):
        variant_then = other_choices.current_variant  # the game as it is with these choices
        alternatives.append(_write_rule_with_sources(key, variant_then, words))
    return IndexText(
        kind="rule",
        anchor=anchor("rule", key),
        title=name_rule(key, words),
        text=write_rule(key, chosen.current_variant, words),
        names=_join_id_and_questions(key, words),
        alternatives=tuple(alternatives),
    )


def _write_rule_with_sources(key: str, variant: Variant, words: Words) -> str:
    """Write a rule as a sentence, and after it its sources in brackets: "… (Wikipedia)".

    `key` is the setting that decides the rule.
    """
    sentence = write_sentence(key, variant, words)
    citations = variant.settings[key].cited.citations
    names = without_repetitions([source_name(citation.source, words) for citation in citations])
    if not names:
        return sentence
    return f"{sentence} ({', '.join(names)})"


def _make_texts_of_statements(variant: Variant, words: Words) -> Iterator[IndexText]:
    """Make the texts, for the index, of what sources state beside the settings of a game.

    A statement beside a rule is left out if the page of the game does not show the rule.
    """
    for statement in statements_of(variant):
        rule = statement.after  # None for a statement at the head of a chapter
        if rule is None or in_book(rule, variant, words):
            yield IndexText(
                kind="statement",
                anchor=anchor("statement", statement.id),
                title=name_heading_of_statement(statement, words),
                text=content.statement_text(statement, words),
                names=_join_id_and_questions(statement.id, words, "statement."),
            )


def _make_texts_of_options(variant: Variant, words: Words) -> Iterator[IndexText]:
    """Make the texts of the options of a game for the index, each with its values."""
    for option in variant.options.values():
        values_in_words = []
        for possible in variant.values_of(option):
            values_in_words.append(describe_option_value(option.id, possible.value, words))
        yield IndexText(
            kind="choice",
            anchor=anchor("option", option.id),
            title=words.t(f"option.{option.id}"),
            text="; ".join(values_in_words),
            names=_list_names_of_option(option, words),
            is_folded_away=option.is_rare,
        )


def _list_names_of_option(option: Option, words: Words) -> str:
    """List the id of an option, and what people call the rules of few tables that it brings.

    The page of the game has those rules only if they are chosen. Any other rule is found by itself.
    """
    names = [option.id]
    if option.is_rare:
        settings_it_changes: set[str] = set()
        for value in option.values:
            settings_it_changes.update(value.sets)
        for setting in sorted(settings_it_changes):
            names.append(_join_id_and_questions(setting, words))
    return ", ".join(names)


def _make_texts_of_penalties(chosen: ChosenRules, words: Words) -> Iterator[IndexText]:
    """Make the texts of a game's penalties for the index: what each costs, and what follows."""
    for penalty in irregularities(chosen.rules):
        yield IndexText(
            kind="penalty",
            anchor=anchor("penalty", penalty.code),
            title=words.t(f"penalty.{penalty.code}"),
            text=content.penalty_text(penalty, words),
            names=_join_id_and_questions(penalty.code, words, "penalty."),
        )


def _make_text_of_item(kind: str, item: content.Item) -> IndexText:
    """Make the text of a line of the score, or of a check of the form, for the index.

    Its text is the explanation, and the first of the rules behind it. More rules would only repeat
    what is found by itself.
    """
    texts = [item.explanation]
    if item.rules:
        first_rule = item.rules[0]
        texts.append(first_rule.text)
    text = " ".join([text for text in texts if text])
    return IndexText(kind, item.anchor, item.name, text, names=item.code)


def _join_id_and_questions(name: str, words: Words, kind: str = "") -> str:
    """Join the id of a rule, statement or penalty, and what people call it or ask about it.

    `decks` → "decks, how many decks, how many cards in all, …". `kind` is a part of the key of the
    message: empty for a rule, else `statement.` or `penalty.`.
    """
    key = f"rulebook.asked.{kind}{name}"
    if not words.has(key):  # only some have such a message
        return name
    questions = words.t(key)
    return f"{name}, {questions}"
