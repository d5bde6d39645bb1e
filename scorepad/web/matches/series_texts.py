"""What the page of a match says of a series of rematches."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.history import Series
from scorepad.matches.projection import MatchState

_SIDES_OF_SCORE = 2
"""The message `series.score` has places for so many sides."""


class SeriesTexts(NamedTuple):
    """How a series of matches stands, in words.

    `winner` says who has won it: "We won the series"; empty if nobody has yet. `score` says how
    many matches each side has won: "Series: We 2–1 They, best of 5".
    """

    winner: str
    score: str


def write_series(match: MatchState, series: Series | None, words: Words) -> SeriesTexts | None:
    """Write how the series of a match stands; None if the match is alone, without earlier ones."""
    if series is None:
        return None
    is_first_match = match.begins.game == 1
    if is_first_match and not series.best_of:
        return None

    winner = ""
    if series.winner is not None:
        winner = words.t("series.won", side=match.sides[series.winner].name)
    score = _write_score(match, series, words)
    if series.best_of:
        length = words.t("series.best-of", number=series.best_of)  # "best of 5"
        score = f"{score}, {length}"
    return SeriesTexts(winner, score)


def _write_score(match: MatchState, series: Series, words: Words) -> str:
    """Write how many matches each side has won: "Series: We 2–1 They", or for three sides
    "Series: Anna 2, Bea 1 and Carla 0".
    """
    names = [side.name for side in match.sides]
    if len(names) == _SIDES_OF_SCORE:
        won, lost = series.won
        return words.t("series.score", one=names[0], other=names[1], won=won, lost=lost)

    texts = []
    for name, won in zip(names, series.won, strict=True):
        texts.append(words.t("series.side", side=name, won=won))
    return words.t("series.list", score=words.listing(texts))
