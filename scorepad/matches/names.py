"""Names and texts: normalised, checked, compared. Any script and emoji, no invisible characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from scorepad.matches.events import Labels
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


LONGEST = 60
"""Most characters of a name or place."""
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
    """A text in a Unicode normal form; a very long one is normalised piece by piece.

    Ordering combining marks takes quadratic time: minutes for the largest form allowed.
    """
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    return "".join(unicodedata.normalize(form, piece) for piece in pieces)


def tidy(text: str) -> str:
    """A name in NFC, without surrounding space."""
    return composed(text).strip()


def read_labels(
    names: Sequence[str], players: Sequence[Sequence[str]], place: str, settings: Settings
) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Names as stored, and all their problems; seats without a name are empty."""
    seated = []
    for side, seats in enumerate(settings.sides):
        named = tuple(map(tidy, players[side] if side < len(players) else ()))
        while len(named) > seats and not named[-1]:
            named = named[:-1]
        seated.append(named + ("",) * (seats - len(named)))
    labels = Labels(tuple(map(tidy, names)), tuple(seated), tidy(place))
    return labels, tuple(_problems(labels, settings))


def _problems(labels: Labels, settings: Settings) -> Iterator[NameProblem]:
    if len(labels.names) != len(settings.sides):
        yield NameProblem("names-number", ("names",), len(settings.sides))
    for side, (named, seats) in enumerate(zip(labels.players, settings.sides, strict=True)):
        if len(named) > seats:
            yield NameProblem("players-number", ("players", side), seats)
    read = [spoken(name) for name in labels.names]
    for where, text in _by_pointer(labels).items():
        match where:
            case ("names", int(side)) if not read[side]:
                yield NameProblem("name-empty", where)
            case ("names", int(side)) if read[side] in read[:side]:
                yield NameProblem("name-repeated", where)
        if len(text) > LONGEST:
            yield NameProblem("name-too-long", where, LONGEST)
        if _has_control(text):
            yield NameProblem("name-control", where)


def _has_control(text: str) -> bool:
    """Whether a text has a control character, or one that changes the direction of writing."""
    for character in text:
        if unicodedata.category(character) in UNSEEN or character in TURNING:
            return True
    return False


def merge_labels(
    wanted: Labels, was: Labels | None, now: Labels
) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Merge names three ways; `was` are the names shown when `wanted` was typed.

    A name changed on one side only is taken; a name changed on both is a problem, and without `was`
    every difference is.
    """
    before = {} if was is None else _by_pointer(was)
    stand = _by_pointer(now)
    merged = {}
    problems = []
    for where, typed in _by_pointer(wanted).items():
        stands = stand.get(where, "")
        base = before.get(where)
        if typed == base:
            merged[where] = stands
        elif stands not in (typed, base):
            problems.append(NameProblem("name-overtaken", where, stands=stands))
    return with_names(wanted, merged), tuple(problems)


def with_names(labels: Labels, changed: Mapping[Pointer, str]) -> Labels:
    """The names with some of them changed, by pointer: `("names", side)`, `("players", side, index)` or
    `("place",)`.
    """
    texts = {**_by_pointer(labels), **changed}
    names = tuple(texts["names", side] for side in range(len(labels.names)))
    players = tuple(
        tuple(texts["players", side, index] for index in range(len(named)))
        for side, named in enumerate(labels.players)
    )
    return Labels(names, players, texts["place",])


def _by_pointer(labels: Labels) -> dict[Pointer, str]:
    found: dict[Pointer, str] = {("names", side): name for side, name in enumerate(labels.names)}
    for side, players in enumerate(labels.players):
        found |= {("players", side, index): player for index, player in enumerate(players)}
    return found | {("place",): labels.place}


def spoken(name: str) -> str:
    """The form in which names are compared: what is heard when a name is read aloud."""
    visible = ""
    for character in name:
        is_invisible = unicodedata.category(character) in ("Cf", *UNSEEN)
        if not (is_invisible or _BLANK.match(character)):
            visible += character
    return " ".join(composed(visible, "NFKC").casefold().split())


_ARTICLE = re.compile(
    r"""
    (?: il | lo | la | i | gli | le | the | el | los | las | les ) \s+ (?! (?:e|ed|and) \s )
    | l ['’] \s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""An article at the beginning of a name."""
_NUMBERED = re.compile(r" [0-9]{1,3}$")
_SEVERAL = re.compile(r" (?:e|ed|and) | ?[-–/+&,] ?")
"""What stands between the names of several people, in a name whose blanks are single."""


def without_article(name: str) -> str:
    """A name without the articles at its beginning; never an article alone is left."""
    rest = name
    article = _ARTICLE.match(rest)
    while article and article.end() < len(rest):
        rest = rest[article.end() :]
        article = _ARTICLE.match(rest)
    return rest


def short_name(name: str, most: int) -> str:
    """A name for a narrow column: for several people the start of each, else the first word and the
    number.

    Articles are left out: `Le Volpi di Bagnacavallo` is `Volpi`.
    """
    if len(name) <= most:
        return name
    bare = without_article(" ".join(name.split()))
    number = _NUMBERED.search(bare)
    if number:
        return bare if len(bare) <= most else f"{bare[: most - 4]}.{number[0]}"
    people = [without_article(each) for each in _SEVERAL.split(bare) if each]
    if len(people) > 1:
        longest = most // len(people)
    else:
        longest = most
        people = bare.split()[:1]
    shortened = []
    for each in people:
        is_short = len(each) <= longest + 1
        shortened.append(each if is_short else f"{each[:longest].strip()}.")
    return "–".join(shortened)


def tidy_text(text: str) -> str:
    """A text in one line, without invisible or bidirectional control characters."""
    lines = " ".join(composed(text).split())
    return "".join(
        mark for mark in lines if unicodedata.category(mark) not in UNSEEN and mark not in TURNING
    ).strip()


def says_something(text: str) -> bool:
    """Whether a text has any legible character."""
    return any(unicodedata.category(mark)[0] in _READABLE and mark not in _EMPTY for mark in text)


@lru_cache(16384)
def known(name: str) -> str:
    """A name as `spoken`, cached because the same few players recur."""
    return spoken(name)


@lru_cache(16384)
def plain(name: str) -> str:
    """A name without accents and capitals, for searching."""
    apart = unicodedata.normalize("NFKD", spoken(name).translate(_APOSTROPHES))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
