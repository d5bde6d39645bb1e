"""By what matches are looked for: sides, players and places, found without reading more of a log than names them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from scorepad.matches.course import seated
from scorepad.matches.labels import spoken
from scorepad.matches.payloads import Json, Labels, labels_from
from scorepad.matches.states import summary_of
from scorepad.matches.values import MatchSummary
from scorepad.matches.who import MatchId
from scorepad.storage.errors import BrokenFile
from scorepad.storage.reading import Reading

_KEPT = 16384
"""Names that are remembered as they are compared: the same few play again and again."""
_APOSTROPHES = str.maketrans("’ʼ`", "'''")


def meant(words: list[str], rows: Reading, matches: Sequence[MatchId]) -> Iterator[tuple[MatchSummary, bool]]:
    """Those matches in whose names each of these `plain` words is found, and whether that is sure.

    Where it is not, only the log tells whether the names still hold. A match whose row is garbled is left out.
    """
    try:
        texts = rows.naming_texts(matches)
    except BrokenFile:  # nobody knows
        texts = {}
    for match in matches:
        found = _meant(words, rows, match) if _may_be(words, texts.get(match, ())) else None
        if found is not None:
            yield found


def _may_be(words: list[str], texts: Sequence[bytes]) -> bool:
    """Whether a log may tell of all these words, by what its entries name, whatever was undone since."""
    try:
        named = [name for text in texts for name in _every_name(json.loads(text))]
        return not named or has(named, words)
    except (ValueError, LookupError, TypeError):  # garbled: nobody knows
        return True


def _meant(words: list[str], rows: Reading, match: MatchId) -> tuple[MatchSummary, bool] | None:
    try:
        summary = summary_of(rows.summary(match))
    except BrokenFile:
        return None
    named = names_in(summary)
    if has(named, words):
        return summary, True
    labels = labels_of(rows, match)
    if labels is None:
        return summary, False
    return (summary, True) if has([*named, labels.place], words) else None


def names_in(summary: MatchSummary) -> list[str]:
    """The names of sides and players in a row of a list."""
    return [*summary.names, *(player for players in summary.players for player in players)]


def is_named(wanted: str, rows: Reading, match: MatchId) -> bool:
    """Whether anybody of this `spoken` name was ever written into a match, or nobody knows, since it is garbled."""
    try:
        entries = rows.naming(match)
    except BrokenFile:
        return True
    return not entries or any(known(name) == wanted for entry in entries for name in _every_name(entry.payload))


def labels_of(rows: Reading, match: MatchId) -> Labels | None:
    """The names of a match that never had others; None where only its log tells, or that is garbled."""
    try:
        entries = rows.naming(match)
    except BrokenFile:
        return None
    return labels_from(entries[0].payload) if len(entries) == 1 else None


def sitting(labels: Labels) -> tuple[str, ...]:
    """Who sits at the table, seat by seat, as far as they are named."""
    seats = ((side, index) for side, players in enumerate(labels.players) for index in range(len(players)))
    return tuple(name for name in (seated(labels, seat) for seat in seats) if name.strip())


def _every_name(payload: Json) -> Iterator[str]:
    """All that the payload of a start, a rename or a replacement names: sides, players, the place, who left."""
    labels = labels_from(payload)
    yield from labels.names
    for players in labels.players:
        yield from players
    yield labels.place
    yield payload.get("was", "")


def has(names: Iterable[str], words: list[str]) -> bool:
    """Whether each of these `plain` words is found in one of the names."""
    text = " ".join(map(plain, names))
    return all(word in text for word in words)


@lru_cache(_KEPT)
def known(name: str) -> str:
    """A name that stands in a match, as it is `spoken`."""
    return spoken(name)


@lru_cache(_KEPT)
def plain(name: str) -> str:
    """A name without accents and capitals: what somebody types who looks for it."""
    apart = unicodedata.normalize("NFKD", spoken(name).translate(_APOSTROPHES))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
