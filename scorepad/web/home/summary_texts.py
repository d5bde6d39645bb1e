"""What the lists of matches say of each match below its sides."""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.i18n import Words
from scorepad.storage.rows import SummaryRecord
from scorepad.web.presenters import game_names, moment

_BROKEN_OFF = "broken-off"
"""The ending of a match that was broken off: nobody wins it, whatever the totals."""


def summary_texts(matches: Iterable[SummaryRecord], words: Words) -> dict[str, str]:
    """The sentence about each match, by its id: "Classica, 5 hands, 3 May 2026, 21:40".

    It names the game, the number of hands and the last change, and how the match ended if that was
    not by its rules, or without a winner.
    """
    matches = list(matches)
    games = game_names(matches, words)
    return {match.id: _summary_text(match, games[match.id], words) for match in matches}


def _summary_text(match: SummaryRecord, game: str, words: Words) -> str:
    """The sentence about a match of this game."""
    hands = words.plural("web.hands", match.hands)
    when = moment(match.changed, words)
    is_level = match.finished and match.winner is None
    if not match.ending:
        key = "web.home.summary-level" if is_level else "web.home.summary"
        return words.t(key, variant=game, hands=hands, when=when)

    how = words.t(f"history.ended.{match.ending}")
    if is_level and match.ending != _BROKEN_OFF:
        how = words.t("history.ended.level", how=how)
    return words.t("history.ended", how=how, variant=game, hands=hands, when=when)
