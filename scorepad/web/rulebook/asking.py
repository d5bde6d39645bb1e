"""What a question of the search asks for: its games, its words, the score that it opens at, a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from scorepad.i18n import LANGUAGES, words
from scorepad.rules.variants import variant_ids
from scorepad.web.rulebook.matching import ignored, plain_words, stems

_LEAST_SCORE = 250
"""A smaller figure beside opening is a minimum, a greater one the score that a side has."""

_SHORTEST = 4
"""The letters of a word that may stand in another form."""

_GAME = "canasta"
"""What every game is called beside its own name."""

Sequence = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question: the games that it names, its other words as the rules say them, and what it is about beside that.

    `names` are the words of those names. `score`: the opening is asked for, at this score. `compares`: a difference is.
    """

    games: Sequence
    names: Sequence
    words: Sequence
    score: int | None = None
    compares: bool = False

    @property
    def wanted(self) -> Sequence:
        """The words that say what is looked for; all where none does."""
        return self._telling or (self.names if self.games else tuple(dict.fromkeys(self.words)))

    @property
    def is_of_names(self) -> bool:
        """Whether it says nothing but the names of games."""
        return bool(self.games) and not self._telling

    @property
    def _telling(self) -> Sequence:
        return tuple(word for word in dict.fromkeys(self.words) if word not in ignored())


def understood(asked: str) -> Question:
    """What a question asks for."""
    games, names, rest = _games_named(plain_words(asked))
    question = Question(games, names, _as_the_rules_say(rest))
    differs = {word for word in rest if stems(word) & _stems_of("rulebook.search.compare")}
    left = tuple(word for word in question.words if word not in differs | ignored() | {_GAME})
    if len(games) > 1 or (differs and (games or not left)):
        return replace(question, compares=True, words=left)
    score = next((int(word) for word in rest if word.isdecimal() and int(word) >= _LEAST_SCORE), None)
    if score is None or not any(stems(word) & _stems_of("rulebook.search.opening") for word in question.words):
        return question
    return replace(question, score=score, words=plain_words(words(LANGUAGES[0]).text("setting.opening-steps")))


@cache
def _stems_of(key: str) -> frozenset[str]:
    """The stems of the words of a message, in any language."""
    said = " ".join(words(tongue).text(key) for tongue in LANGUAGES)
    return frozenset(stem for word in plain_words(said) for stem in stems(word))


def _games_named(asked: Sequence) -> tuple[Sequence, Sequence, Sequence]:
    """The games that a question names, the words of their names, and the words beside them."""
    found = list(_found(asked, _names(), _is_same))
    used = {place for start, called, _ in found for place in range(start, start + len(called))}
    named = dict.fromkeys(game for _, _, game in sorted(found))
    names = tuple(word for place, word in enumerate(asked) if place in used)
    return tuple(named), names, tuple(word for place, word in enumerate(asked) if place not in used)


def _as_the_rules_say(asked: Sequence) -> Sequence:
    """The words with whatever goes by another name called as the rules call it."""
    found = {start: (len(called), instead) for start, called, instead in _found(asked, _same(), _is_same)}
    said: list[str] = []
    place = 0
    while place < len(asked):
        length, instead = found.get(place, (1, asked[place]))
        said += plain_words(instead)
        place += length
    return tuple(said)


def _found(
    asked: Sequence, called: tuple[tuple[Sequence, str], ...], same: Callable[[str, str], bool]
) -> Iterator[tuple[int, Sequence, str]]:
    """Where names stand in a question, and what they are names of; none where another was found."""
    used: set[int] = set()
    for name, meaning in called:
        for start in range(len(asked) - len(name) + 1):
            taken = range(start, start + len(name))
            if used.isdisjoint(taken) and all(
                same(asked[place], word) for place, word in zip(taken, name, strict=True)
            ):
                used.update(taken)
                yield start, name, meaning


def _is_same(word: str, other: str) -> bool:
    """Whether two words are the same in any number; short ones say other things with another ending."""
    return word == other or (min(len(word), len(other)) >= _SHORTEST and bool(stems(word) & stems(other)))


@cache
def _names() -> tuple[tuple[Sequence, str], ...]:
    """What every game is called, in any language, in plain words, also written as one; the longest names first."""
    told = {
        plain_words(name): game
        for game in variant_ids()
        for tongue in LANGUAGES
        for name in words(tongue).text(f"rulebook.called.{game}").split(",")
    }
    joined: dict[Sequence, str] = {("".join(name),): game for name, game in told.items()}
    return _longest_first({**joined, **told})


@cache
def _same() -> tuple[tuple[Sequence, str], ...]:
    """Words and phrases that people say for those of the rules, in any language; the longest first."""
    told: dict[Sequence, str] = {}
    for tongue in LANGUAGES:
        for each in words(tongue).text("rulebook.search.same").split(";"):
            names, _, instead = each.partition("=")
            told.update({plain_words(name): instead for name in names.split(",")})
    return _longest_first(told)


def _longest_first(told: Mapping[Sequence, str]) -> tuple[tuple[Sequence, str], ...]:
    return tuple(sorted(told.items(), key=lambda each: (-len(each[0]), each)))
