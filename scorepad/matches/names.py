"""Names and notes as people write them: normalised, checked, compared. Any script and emoji, nothing invisible."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from scorepad.matches.events import Labels
from scorepad.rules.settings import Settings
from scorepad.rules.table import Place


@dataclass(frozen=True, slots=True)
class NameProblem:
    """Something in the names that cannot be.

    `code`: `name-empty`, `name-too-long`, `name-repeated` or `name-control` (a character that no one sees), and
    `names-number`, `players-number` where there are not as many as the variant seats, `dealer-unknown` where nobody
    sits in the dealer's seat. Of totals taken over from paper: `carried-number`, `carried-too-large`,
    `carried-not-multiple`, `carried-over` (the match would be over), `played-all` (no hand would be left).

    `where`: `("names", side)`, `("players", side, index)`, `("place",)`, `("dealer",)`, `("carried", side)`,
    `("played",)`, `("target",)`, `("names",)` or `("players", side)`. `limit`: the characters, names, points or hands
    that there may be.

    `name-overtaken`: somebody else changed it meanwhile, to what `stands`.
    """

    code: str
    where: Place
    limit: int | None = None
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class NamesRefused:
    """A match cannot start, go on or be renamed so: all that is wrong at once. Nothing was stored.

    Where it was to be renamed, `labels` are the names as they would be, with what others changed meanwhile, after the
    entry `sequence`.
    """

    problems: tuple[NameProblem, ...]
    labels: Labels | None = None
    sequence: int = 0

    @property
    def is_overtaken(self) -> bool:
        """Whether somebody else changed something that was changed here."""
        return any(problem.stands is not None for problem in self.problems)


LONGEST = 60
"""Characters of a name or place."""
_APOSTROPHES = str.maketrans("’ʼ`", "'''")

UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that are drawn as nothing: Unicode's Default_Ignorable_Code_Point beyond Cf, and an empty cell."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the text around them, beyond the name they stand in."""

_EMPTY = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""
_READABLE = ("L", "N", "P", "S")
"""Classes of characters that can be read."""
_PIECE = 1024
"""Characters that are put in order together: more than any text has that is kept."""


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """A text in a normal form of Unicode; a very long one piece by piece.

    To put marks in order takes the square of their number: of all that a form may send, minutes.
    """
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    return "".join(unicodedata.normalize(form, piece) for piece in pieces)


def tidy(text: str) -> str:
    """A name without the space around it, each character written in one way."""
    return composed(text).strip()


def read_labels(
    names: Sequence[str], players: Sequence[Sequence[str]], place: str, settings: Settings
) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Names as they are kept, and all that is wrong with them; seats that nobody was named for are empty."""
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
    for where, text in _by_place(labels).items():
        match where:
            case ("names", int(side)) if not read[side]:
                yield NameProblem("name-empty", where)
            case ("names", int(side)) if read[side] in read[:side]:
                yield NameProblem("name-repeated", where)
        if len(text) > LONGEST:
            yield NameProblem("name-too-long", where, LONGEST)
        if any(unicodedata.category(character) in UNSEEN or character in TURNING for character in text):
            yield NameProblem("name-control", where)


def merge_labels(wanted: Labels, was: Labels | None, now: Labels) -> tuple[Labels, tuple[NameProblem, ...]]:
    """Merge names three ways, where `was` is what was seen when they were typed.

    A name that only one of the two changed is taken; one that both changed is a problem, and without `was` every
    difference is.
    """
    before, stand = {} if was is None else _by_place(was), _by_place(now)
    kept, problems = {}, []
    for where, typed in _by_place(wanted).items():
        stands, seen = stand.get(where, ""), before.get(where)
        if typed == seen:
            kept[where] = stands
        elif stands not in (typed, seen):
            problems.append(NameProblem("name-overtaken", where, stands=stands))
    return with_names(wanted, kept), tuple(problems)


def with_names(labels: Labels, changed: Mapping[Place, str]) -> Labels:
    """The names with others in these places: `("names", side)`, `("players", side, index)` or `("place",)`."""
    texts = {**_by_place(labels), **changed}
    names = tuple(texts["names", side] for side in range(len(labels.names)))
    players = tuple(
        tuple(texts["players", side, index] for index in range(len(named))) for side, named in enumerate(labels.players)
    )
    return Labels(names, players, texts["place",])


def _by_place(labels: Labels) -> dict[Place, str]:
    found: dict[Place, str] = {("names", side): name for side, name in enumerate(labels.names)}
    for side, players in enumerate(labels.players):
        found |= {("players", side, index): player for index, player in enumerate(players)}
    return found | {("place",): labels.place}


def spoken(name: str) -> str:
    """What is left of a name when it is read aloud: by this two names are the same."""
    seen = (
        character
        for character in name
        if unicodedata.category(character) not in ("Cf", *UNSEEN) and not _BLANK.match(character)
    )
    return " ".join(composed("".join(seen), "NFKC").casefold().split())


def tidy_note(text: str) -> str:
    """A note in one line, without marks that nobody sees or that turn the text around them."""
    lines = " ".join(composed(text).split())
    return "".join(mark for mark in lines if unicodedata.category(mark) not in UNSEEN and mark not in TURNING).strip()


def says_something(text: str) -> bool:
    """Whether there is something to read in it."""
    return any(unicodedata.category(mark)[0] in _READABLE and mark not in _EMPTY for mark in text)


@lru_cache(16384)
def known(name: str) -> str:
    """A name as it is `spoken`, cached: the same few players play again and again."""
    return spoken(name)


@lru_cache(16384)
def plain(name: str) -> str:
    """A name without accents and capitals, as people type it in a search."""
    apart = unicodedata.normalize("NFKD", spoken(name).translate(_APOSTROPHES))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
