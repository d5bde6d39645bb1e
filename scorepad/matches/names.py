"""Names and texts: normalised, checked, compared. Any script and emoji, no invisible characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from scorepad.matches.events import LONGEST_NAME, MATCH_TEXTS, Labels
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer


class NameProblem(NamedTuple):
    """A problem with a name.

    `code`: `name-empty`, `name-too-long`, `name-repeated` or `name-control` (an invisible
    character); `names-number`, `players-number` if their number does not fit the variant,
    `dealer-unknown` if there is no player in the dealer's seat. For totals taken over from paper:
    `carried-number`, `carried-too-large`, `carried-not-multiple`, `carried-over` (the match would
    be over), `played-all` (no hand would be left).

    `where`: `("names", side)`, `("players", side, index)`, `("place",)`, `("dealer",)`,
    `("carried", side)`, `("played",)`, `("target",)`, `("names",)` or `("players", side)`. `limit`:
    the allowed number of characters, names, points or hands.

    `name-overtaken`: another device changed it meanwhile to `stands`.
    """

    code: str
    where: Pointer
    limit: int | None = None
    stands: str | None = None


class NamesRefused(NamedTuple):
    """Names that a match cannot have, with all problems. Nothing was stored.

    For a rename, `labels` are the merged names, with the changes made by others meanwhile, after
    the entry `sequence`.
    """

    problems: tuple[NameProblem, ...]
    labels: Labels | None = None
    sequence: int = 0

    @property
    def is_overtaken(self) -> bool:
        """Whether another device changed a name that was changed here."""
        return any(problem.stands is not None for problem in self.problems)


_APOSTROPHES = str.maketrans("’ʼ`", "'''")

UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters drawn as nothing: Unicode's Default_Ignorable_Code_Point beyond Cf, and the empty
Braille cell.
"""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional control characters, which affect text beyond the name."""

_EMPTY = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols drawn as nothing."""
_READABLE = ("L", "N", "P", "S")
"""Unicode categories of legible characters."""
_PIECE = 1024
"""Characters normalised at once: more than any stored text has."""


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """A text in a Unicode normal form, in which `é` is always the same characters.

    A text of more than a thousand characters is normalised piece by piece, because ordering
    combining marks takes quadratic time: minutes for the largest form allowed. A letter and its
    accent that come into two pieces stay apart then, which no text that can be stored is long
    enough for.
    """
    pieces = []
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        pieces.append(unicodedata.normalize(form, piece))
    return "".join(pieces)


def tidy(text: str) -> str:
    """A name in NFC, without surrounding space."""
    return composed(text).strip()


def read_labels(wanted: Labels, settings: Settings) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Names and free texts as they would be stored, and all problems that they have."""
    return tidy_labels(wanted, settings), find_label_problems(wanted, settings)


def tidy_labels(wanted: Labels, settings: Settings) -> Labels:
    """Names and free texts as they would be stored, without surrounding space.

    Every side gets as many players as it has seats: seats without a name are empty.
    """
    players = []
    for side, seats in enumerate(settings.sides):
        typed_players = wanted.players[side] if side < len(wanted.players) else ()
        players.append(_seat_names(typed_players, seats))
    return Labels(
        names=tuple(map(tidy, wanted.names)),
        players=tuple(players),
        **{name: tidy(text) for name, text in wanted.texts.items()},
    )


def find_label_problems(wanted: Labels, settings: Settings) -> tuple[NameProblem, ...]:
    """All problems that names and free texts have once they are tidied."""
    labels = tidy_labels(wanted, settings)
    return (*_number_problems(labels, settings), *_label_problems(labels))


def _seat_names(typed_players: Sequence[str], seats: int) -> tuple[str, ...]:
    """The names of a side's players, one for each seat; only blank names are dropped as too many."""
    names = [tidy(name) for name in typed_players]
    while len(names) > seats and not names[-1]:
        names.pop()
    while len(names) < seats:
        names.append("")
    return tuple(names)


def _number_problems(labels: Labels, settings: Settings) -> Iterator[NameProblem]:
    """The problems of a number of sides or of players that the rules do not have."""
    if len(labels.names) != len(settings.sides):
        yield NameProblem("names-number", ("names",), len(settings.sides))
    for side, seats in enumerate(settings.sides):
        if len(labels.players[side]) > seats:
            yield NameProblem("players-number", ("players", side), seats)


def _label_problems(labels: Labels) -> Iterator[NameProblem]:
    """The problems of each name and each free text."""
    yield from _side_name_problems(labels.names)
    for side, players in enumerate(labels.players):
        for index, player in enumerate(players):
            yield from _text_problems(player_pointer(side, index), player, LONGEST_NAME)
    for text in MATCH_TEXTS:
        yield from _text_problems(text_pointer(text.name), labels.texts[text.name], text.longest)


def _side_name_problems(names: Sequence[str]) -> Iterator[NameProblem]:
    """The problems of the names of the sides: each side needs a name, and one of its own."""
    earlier_names: set[str] = set()
    for side, name in enumerate(names):
        pointer = side_pointer(side)
        compared_name = comparable(name)  # `Noi` and `noi` are the same name
        if not compared_name:
            yield NameProblem("name-empty", pointer)
        elif compared_name in earlier_names:
            yield NameProblem("name-repeated", pointer)
        earlier_names.add(compared_name)
        yield from _text_problems(pointer, name, LONGEST_NAME)


def _text_problems(pointer: Pointer, text: str, longest: int) -> Iterator[NameProblem]:
    """The problems that any text may have, wherever it stands."""
    if len(text) > longest:
        yield NameProblem("name-too-long", pointer, longest)
    if _has_control(text):
        yield NameProblem("name-control", pointer)


def _has_control(text: str) -> bool:
    """Whether a text has a control character, or one that changes the direction of writing."""
    for character in text:
        if unicodedata.category(character) in UNSEEN or character in TURNING:
            return True
    return False


def merge_labels(
    typed: Labels, shown: Labels | None, current: Labels
) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Merge the names that a device typed with the changes that others made meanwhile; returns
    also the problems of those that cannot be merged.

    `shown` are the names that the device saw when it began to type, `current` those of the match
    now. A name that the device left as it was shown gets its current value. One that both changed
    stays as typed, and is a problem. `shown` is None if it is not known what the device saw: then
    every name that differs from the current one is a problem.
    """
    shown_texts = {} if shown is None else texts_by_pointer(shown)
    current_texts = texts_by_pointer(current)
    taken_over: dict[Pointer, str] = {}
    problems = []
    for pointer, typed_text in texts_by_pointer(typed).items():
        shown_text = shown_texts.get(pointer)  # None if not known
        current_text = current_texts.get(pointer, "")
        if typed_text == shown_text:
            taken_over[pointer] = current_text
            continue
        was_changed_by_others = current_text != shown_text
        if was_changed_by_others and current_text != typed_text:
            problems.append(NameProblem("name-overtaken", pointer, stands=current_text))
    return with_texts(typed, taken_over), tuple(problems)


def with_texts(labels: Labels, changed: Mapping[Pointer, str]) -> Labels:
    """A copy of the labels with some texts changed: `{("names", 0): "Noi"}` renames the first side.

    Each text is known by where it stands, as in `texts_by_pointer`.
    """
    texts = texts_by_pointer(labels)
    texts.update(changed)
    names = []
    for side in range(len(labels.names)):
        names.append(texts[side_pointer(side)])
    players = []
    for side, players_of_side in enumerate(labels.players):
        names_of_players = []
        for index in range(len(players_of_side)):
            names_of_players.append(texts[player_pointer(side, index)])
        players.append(tuple(names_of_players))
    free_texts = {text.name: texts[text_pointer(text.name)] for text in MATCH_TEXTS}
    return Labels(tuple(names), tuple(players), **free_texts)


def texts_by_pointer(labels: Labels) -> dict[Pointer, str]:
    """Every name and free text by where it stands: `("names", side)`, `("players", side, index)`
    or `("place",)`.
    """
    texts: dict[Pointer, str] = {}
    for side, name in enumerate(labels.names):
        texts[side_pointer(side)] = name
    for side, players in enumerate(labels.players):
        for index, player in enumerate(players):
            texts[player_pointer(side, index)] = player
    for name, text in labels.texts.items():
        texts[text_pointer(name)] = text
    return texts


def side_pointer(side: int) -> Pointer:
    """Where the name of a side stands among the names of a match, by the position of the side."""
    return ("names", side)


def player_pointer(side: int, index: int) -> Pointer:
    """Where the name of a player stands among the names of a match, by the position of the side and
    of the player in it.
    """
    return ("players", side, index)


def text_pointer(name: str) -> Pointer:
    """Where a free text of a match stands, by its name, such as `place`."""
    return (name,)


def comparable(name: str) -> str:
    """A name in the form in which names are compared: two names are the same if they sound alike
    when read aloud.

    It has no capitals, no invisible characters, and single spaces: `Ada` and ` ＡDA ` → `ada`.
    """
    visible = ""
    for character in name:
        if not _is_invisible(character):
            visible += character
    # NFKC turns wide letters and other variants into the usual ones.
    words = composed(visible, "NFKC").casefold().split()
    return " ".join(words)


def _is_invisible(character: str) -> bool:
    """Whether a character shows nothing: it controls the layout, or is drawn as a blank."""
    category = unicodedata.category(character)
    if category in UNSEEN or category == "Cf":
        return True
    return _BLANK.match(character) is not None


_ARTICLE = re.compile(
    r"""
    (?: il | lo | la | i | gli | le | the | el | los | las | les ) \s+ (?! (?:e|ed|and) \s )
    | l ['’] \s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""An article at the beginning of a name."""
_NUMBERED = re.compile(r" [0-9]{1,3}$")
"""A number at the end of a name, with the space before it: that of `Squadra 2`."""
_LONGEST_NUMBER = 4
"""Characters of such a number with its space."""
_SEVERAL = re.compile(r" (?:e|ed|and) | ?[-–/+&,] ?")
"""What stands between the names of several people, in a name whose blanks are single."""


def without_article(name: str) -> str:
    """A name without the articles at its beginning: `Le Volpi` is `Volpi`. A name that consists of
    an article stays as it is.
    """
    rest = name
    article = _ARTICLE.match(rest)
    while article is not None and article.end() < len(rest):
        rest = rest[article.end() :]
        article = _ARTICLE.match(rest)
    return rest


def short_name(name: str, most: int) -> str:
    """A name of about `most` characters for a narrow column.

    With 8 characters:

    - a name that fits stays as it is: `Le Volpi`;
    - of a longer one, articles at the beginning are left out: `Le Volpi Rosse` → `Volpi`;
    - of a name that ends with a number, the number is kept: `Squadra 2` → `Squa. 2`;
    - of several people, the beginning of each: `Giovanni e Martina` → `Giov.–Mart.`;
    - of any other name, the first word: `Volpi Rosse` → `Volpi`.
    """
    if len(name) <= most:
        return name
    bare_name = without_article(" ".join(name.split()))
    if _NUMBERED.search(bare_name):
        return _short_numbered_name(bare_name, most)
    people = _people_in(bare_name)
    if len(people) > 1:
        return _short_names_of_people(people, most)
    words = bare_name.split()
    if not words:
        return ""
    return _cut_word(words[0], most)


def _short_numbered_name(name: str, most: int) -> str:
    """A name that ends with a number, cut to about `most` characters before the number: `Squadra 2`
    with 8 characters → `Squa. 2`.
    """
    if len(name) <= most:
        return name
    beginning = name[: most - _LONGEST_NUMBER]
    _, _, number = name.rpartition(" ")
    return f"{beginning}. {number}"


def _people_in(name: str) -> list[str]:
    """The people in a name, without their articles: `la Pia & il Gino` → `Pia`, `Gino`."""
    people = []
    for person in _SEVERAL.split(name):
        if person:
            people.append(without_article(person))
    return people


def _short_names_of_people(people: Sequence[str], most: int) -> str:
    """The names of several people in about `most` characters, an equal part of them for each:
    `Giovanni`, `Martina` with 8 characters → `Giov.–Mart.`.
    """
    longest = most // len(people)
    return "–".join(_cut_word(person, longest) for person in people)


def _cut_word(word: str, longest: int) -> str:
    """A word cut to this length with a full stop, unless the full stop would save nothing."""
    if len(word) <= longest + 1:
        return word
    return f"{word[:longest].strip()}."


def tidy_text(text: str) -> str:
    """A text in one line, without invisible characters and those that change the direction of
    writing.
    """
    one_line = " ".join(composed(text).split())
    tidied = ""
    for character in one_line:
        if unicodedata.category(character) not in UNSEEN and character not in TURNING:
            tidied += character
    return tidied.strip()


def says_something(text: str) -> bool:
    """Whether a text has any legible character."""
    for character in text:
        kind = unicodedata.category(character)[0]  # `L` for all kinds of letters
        if kind in _READABLE and character not in _EMPTY:
            return True
    return False


@lru_cache(16384)
def cached_comparable(name: str) -> str:
    """A name of a stored match as `comparable` returns it, from a cache: the same few players recur.

    A name that is typed is not looked up here, since anything that strangers type would be cached.
    """
    return comparable(name)


def sound_alike(name: str, other: str) -> bool:
    """Whether two names of stored matches are those of the same player: `Ada` and `ada`."""
    return cached_comparable(name) == cached_comparable(other)


@lru_cache(16384)
def searchable(name: str) -> str:
    """A name without accents and capitals, for searching: `Nicolò` is `nicolo`."""
    # In this form an accent is a character of its own after its letter.
    decomposed = unicodedata.normalize("NFKD", comparable(name).translate(_APOSTROPHES))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
