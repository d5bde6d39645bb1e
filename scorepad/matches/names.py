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

    `name-overtaken`: another device changed it meanwhile to `stored_text`.
    """

    code: str
    where: Pointer
    limit: int | None = None
    stored_text: str | None = None


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
        """Tell whether another device has meanwhile changed a name that was changed here too."""
        return any(problem.stored_text is not None for problem in self.problems)


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


def normalise(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Bring a text into a Unicode normal form, in which `é` is always the same characters.

    Otherwise `é` may be one character, or an `e` and an accent.
    """
    # In pieces of a thousand characters: a whole text of the largest size allowed could take
    # minutes, since ordering combining marks takes quadratic time. A letter and its accent that
    # come into two pieces stay apart, but no text that can be stored is that long.
    pieces = []
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        pieces.append(unicodedata.normalize(form, piece))
    return "".join(pieces)


def tidy(text: str) -> str:
    """Return a typed name as it is stored, without space around it: `" Anna "` → `"Anna"`."""
    return normalise(text).strip()


def tidy_and_check_labels(
    wanted: Labels, settings: Settings
) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Return the names and free texts of a match as they would be stored, and all their problems.

    `wanted` are those that somebody typed. They can be stored if there are no problems.
    """
    return tidy_labels(wanted, settings), find_label_problems(wanted, settings)


def tidy_labels(wanted: Labels, settings: Settings) -> Labels:
    """Return the typed names and free texts of a match as they are stored.

    Space around them is removed. Each side gets a name for each of its players, empty if none was
    typed: with two players a side, `(("Anna",),)` → `(("Anna", ""), ("", ""))`.
    """
    players = []
    for side, number_of_players in enumerate(settings.sides):
        typed_players: Sequence[str] = ()
        if side < len(wanted.players):
            typed_players = wanted.players[side]
        players.append(_fill_seats(typed_players, number_of_players))

    names = tuple(tidy(name) for name in wanted.names)
    texts = {name: tidy(text) for name, text in wanted.texts.items()}  # such as the place
    return Labels(names=names, players=tuple(players), **texts)


def find_label_problems(wanted: Labels, settings: Settings) -> tuple[NameProblem, ...]:
    """Find all problems of the typed names and free texts of a match, such as a repeated name.

    Space around them is no problem: it is removed first, as when they are stored.
    """
    labels = tidy_labels(wanted, settings)
    return (*_find_wrong_number_of_names(labels, settings), *_find_problems_of_names(labels))


def _fill_seats(typed_players: Sequence[str], number_of_players: int) -> tuple[str, ...]:
    """Return the names of the players of a side, one for each seat, empty if none was typed.

    For two players:

    - `["Anna"]` → `("Anna", "")`
    - `["Anna", "Bea", ""]` → `("Anna", "Bea")`
    - `["Anna", "Bea", "Gino"]` → all three, which are reported as too many later
    """
    names = [tidy(name) for name in typed_players]
    while len(names) < number_of_players:
        names.append("")
    while len(names) > number_of_players and names[-1] == "":
        names.pop()
    return tuple(names)


def _find_wrong_number_of_names(labels: Labels, settings: Settings) -> Iterator[NameProblem]:
    """Find out whether there is a name for each side, and no more players than the game has.

    `settings.sides` are the numbers of players: `(2, 2)` for two sides of two.
    """
    if len(labels.names) != len(settings.sides):
        # "2 names are needed, one for each side."
        yield NameProblem("names-number", ("names",), limit=len(settings.sides))
    for side, number_of_players in enumerate(settings.sides):
        if len(labels.players[side]) > number_of_players:
            # "There are 2 players here at most."
            yield NameProblem("players-number", ("players", side), limit=number_of_players)


def _find_problems_of_names(labels: Labels) -> Iterator[NameProblem]:
    """Find the problems of each name and free text of a match, such as one that is too long."""
    yield from _find_problems_of_side_names(labels.names)
    for side, players in enumerate(labels.players):
        for index, player in enumerate(players):
            yield from _find_problems_of_text(player_pointer(side, index), player, LONGEST_NAME)
    for match_text in MATCH_TEXTS:  # free texts, such as the place
        pointer = text_pointer(match_text.name)
        typed_text = labels.texts[match_text.name]
        yield from _find_problems_of_text(pointer, typed_text, match_text.longest)


def _find_problems_of_side_names(names: Sequence[str]) -> Iterator[NameProblem]:
    """Find the problems of the names of the sides. Each side needs a name that no other one has."""
    earlier_names: set[str] = set()
    for side, name in enumerate(names):
        pointer = side_pointer(side)
        compared_name = make_comparable(name)  # `Noi` and `noi` are the same name
        if not compared_name:
            yield NameProblem("name-empty", pointer)  # "A name is missing here."
        elif compared_name in earlier_names:
            yield NameProblem("name-repeated", pointer)  # "This name is taken."
        earlier_names.add(compared_name)
        yield from _find_problems_of_text(pointer, name, LONGEST_NAME)


def _find_problems_of_text(pointer: Pointer, text: str, longest: int) -> Iterator[NameProblem]:
    """Find the problems that any text may have: it is too long, or has control characters.

    `pointer` says which text it is, such as `("names", 0)` for the name of the first side.
    """
    if len(text) > longest:
        # On the page: "This text is too long: 60 characters at most."
        yield NameProblem("name-too-long", pointer, limit=longest)
    if _has_control_character(text):
        # "There is a character in this text that cannot be seen."
        yield NameProblem("name-control", pointer)


def _has_control_character(text: str) -> bool:
    """Tell whether a text has a control character, or one that turns the direction of writing.

    The second kind would also turn what stands beside the text on a page.
    """
    for character in text:
        if unicodedata.category(character) in UNSEEN or character in TURNING:
            return True
    return False


def merge_labels(
    typed: Labels, shown: Labels | None, current: Labels
) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Merge the names that a device typed with those that others have changed meanwhile.

    `shown` are the names that the form showed before somebody typed, `current` those of the match
    now. Returns the merged names, and a problem for each name that cannot be merged.

    - shown `Noi`, typed `Noi`, now `Volpi` → `Volpi`: only others changed it
    - shown `Noi`, typed `Lupi`, now `Noi` → `Lupi`: it was changed only here
    - shown `Noi`, typed `Lupi`, now `Volpi` → `Lupi`, and a problem: both changed it

    `shown` is None if it is not known. Then every name that is not the current one is a problem.
    """
    shown_texts = {} if shown is None else list_texts_by_pointer(shown)
    current_texts = list_texts_by_pointer(current)
    changed_by_others: dict[Pointer, str] = {}
    problems = []
    for pointer, typed_text in list_texts_by_pointer(typed).items():
        shown_text = shown_texts.get(pointer)  # None if not known
        current_text = current_texts.get(pointer, "")
        is_left_as_shown = typed_text == shown_text
        if is_left_as_shown:
            changed_by_others[pointer] = current_text  # which is the same if nobody changed it
            continue
        have_others_changed_it = current_text != shown_text
        if have_others_changed_it and current_text != typed_text:
            # "Meanwhile somebody wrote “Volpi”."
            problems.append(NameProblem("name-overtaken", pointer, stored_text=current_text))
    return replace_texts(typed, changed_by_others), tuple(problems)


def replace_texts(labels: Labels, changed: Mapping[Pointer, str]) -> Labels:
    """Return a copy of the names of a match with some of them replaced.

    `{("names", 0): "Noi"}` renames the first side, `{("players", 1, 0): "Anna"}` the first player
    of the second side, and `{("place",): "Rimini"}` sets the place.
    """
    names = []
    for side, name in enumerate(labels.names):
        names.append(changed.get(side_pointer(side), name))

    players = []
    for side, players_of_side in enumerate(labels.players):
        new_players = []
        for index, player in enumerate(players_of_side):
            new_players.append(changed.get(player_pointer(side, index), player))
        players.append(tuple(new_players))

    free_texts = {}
    for text_name, text in labels.texts.items():
        free_texts[text_name] = changed.get(text_pointer(text_name), text)
    return Labels(tuple(names), tuple(players), **free_texts)


def list_texts_by_pointer(labels: Labels) -> dict[Pointer, str]:
    """List every name and free text of a match by its position among them.

    `{("names", 0): "Noi", ("players", 0, 1): "Anna", ("place",): "Rimini"}`: the name of the first
    side, the second player of that side, and the place.
    """
    texts: dict[Pointer, str] = {}
    for side, name in enumerate(labels.names):
        texts[side_pointer(side)] = name
    for side, players_of_side in enumerate(labels.players):
        for index, player in enumerate(players_of_side):
            texts[player_pointer(side, index)] = player
    for text_name, text in labels.texts.items():
        texts[text_pointer(text_name)] = text
    return texts


def side_pointer(side: int) -> Pointer:
    """Return the position of the name of a side among the names of a match: `("names", 0)`."""
    return ("names", side)


def player_pointer(side: int, index: int) -> Pointer:
    """Return the position of the name of a player among the names of a match.

    The first player of the second side: `("players", 1, 0)`.
    """
    return ("players", side, index)


def text_pointer(name: str) -> Pointer:
    """Return the position of a free text of a match by its name: `place` → `("place",)`."""
    return (name,)


def make_comparable(name: str) -> str:
    """Return a name in the form in which names are compared: `Ada` and ` ＡDA ` → `ada`.

    Two names are the same if their forms are equal. The form has no capitals, no invisible
    characters, and single spaces.
    """
    visible = ""
    for character in name:
        if not _shows_nothing(character):
            visible += character
    # NFKC turns wide letters and other variants into the usual ones.
    words = normalise(visible, "NFKC").casefold().split()
    return " ".join(words)


def _shows_nothing(character: str) -> bool:
    """Tell whether a character shows nothing: it controls the layout, or is drawn as a blank."""
    category = unicodedata.category(character)
    if category in UNSEEN or category == "Cf":  # Cf: characters that control the layout
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
"""The most characters of such a number, with its space."""
_SEVERAL = re.compile(r" (?:e|ed|and) | ?[-–/+&,] ?")
"""What stands between the names of several people, in a name whose blanks are single."""


def remove_articles(name: str) -> str:
    """Remove the articles at the beginning of a name: `Le Volpi` → `Volpi`, `Le` → `Le`.

    A name that is only an article stays as it is.
    """
    rest = name
    while True:
        article = _ARTICLE.match(rest)
        if article is None:
            return rest
        without_article = rest[article.end() :]
        if not without_article:
            return rest
        rest = without_article


def short_name(name: str, most: int) -> str:
    """Shorten a name to about `most` characters, for a narrow column.

    With 8 characters:

    - a name that fits stays as it is: `Le Volpi`;
    - of a longer one, articles at the beginning are left out: `Le Volpi Rosse` → `Volpi`;
    - of a name that ends with a number, the number is kept: `Squadra 2` → `Squa. 2`;
    - of several people, the beginning of each: `Giovanni e Martina` → `Giov.–Mart.`;
    - of any other name, the first word: `Volpi Rosse` → `Volpi`.
    """
    if len(name) <= most:
        return name
    name_with_single_spaces = " ".join(name.split())
    bare_name = remove_articles(name_with_single_spaces)
    if _NUMBERED.search(bare_name):
        return _shorten_numbered_name(bare_name, most)
    people = _split_into_people(bare_name)
    if len(people) > 1:
        return _shorten_names_of_people(people, most)
    words = bare_name.split()
    if not words:
        return ""
    return _cut_word(words[0], most)


def _shorten_numbered_name(name: str, most: int) -> str:
    """Shorten a name that ends with a number, but keep the number: `Squadra 2` → `Squa. 2`.

    The example is for `most` = 8. The result may have a character more than that.
    """
    if len(name) <= most:
        return name
    beginning = name[: most - _LONGEST_NUMBER]
    _, _, number = name.rpartition(" ")
    return f"{beginning}. {number}"


def _split_into_people(name: str) -> list[str]:
    """Split a name into the people in it: `la Pia & il Gino` → `["Pia", "Gino"]`.

    Articles are left out. The name of one person is a list of one.
    """
    people = []
    for person in _SEVERAL.split(name):
        if person:
            people.append(remove_articles(person))
    return people


def _shorten_names_of_people(people: Sequence[str], most: int) -> str:
    """Join the names of several people, each shortened to an equal part of about `most` characters.

    With 8 characters: `["Giovanni", "Martina"]` → `Giov.–Mart.`.
    """
    longest = most // len(people)
    return "–".join(_cut_word(person, longest) for person in people)


def _cut_word(word: str, longest: int) -> str:
    """Cut a word to a number of characters, and add a full stop.

    - `Giovanni` to 4 → `Giov.`
    - `Paolo` to 4 → `Paolo`: with the full stop it would not be shorter
    """
    if len(word) <= longest + 1:
        return word
    return f"{word[:longest].strip()}."


def tidy_text(text: str) -> str:
    """Put a typed text into one line, without characters that could spoil a page.

    Left out are control characters, and those that turn the direction of writing.
    """
    one_line = " ".join(normalise(text).split())
    tidied = ""
    for character in one_line:
        if not _has_control_character(character):
            tidied += character
    return tidied.strip()


def has_visible_text(text: str) -> bool:
    """Tell whether a text has any character that can be read: `"ok"` → True, `" "` → False."""
    for character in text:
        category = unicodedata.category(character)  # `Lu` and `Ll` for large and small letters
        is_readable = category.startswith(_READABLE)
        if is_readable and character not in _EMPTY:
            return True
    return False


@lru_cache(16384)
def make_comparable_cached(name: str) -> str:
    """Return `make_comparable(name)` from a cache: the same few players recur in many matches.

    Only for names of stored matches. Names that strangers type would fill the cache.
    """
    return make_comparable(name)


def are_same_name(name: str, other: str) -> bool:
    """Tell whether two names of stored matches are those of the same player: `Ada` and `ada`."""
    return make_comparable_cached(name) == make_comparable_cached(other)


@lru_cache(16384)
def make_searchable(name: str) -> str:
    """Return a name in the form in which it is searched, without accents and capitals.

    `Nicolò` → `nicolo`, so that who types `nico` finds it.
    """
    plain = make_comparable(name).translate(_APOSTROPHES)  # one kind of apostrophe
    # In this form an accent is a character of its own after its letter.
    decomposed = unicodedata.normalize("NFKD", plain)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
