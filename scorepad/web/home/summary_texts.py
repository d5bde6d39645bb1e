"""What the lists of matches say of each match below its sides."""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.i18n import Words
from scorepad.storage.rows import SummaryRecord
from scorepad.web.presenters import game_names, moment

_BROKEN_OFF = "broken-off"
"""The ending of a match that was broken off: nobody wins it, whatever the totals."""


def write_summaries(matches: Iterable[SummaryRecord], words: Words) -> dict[str, str]:
    """Write the sentence about each match in a list of matches, by the id of the match.

    "Classica · 5 hands · 3 May 2026, 21:40" names the game, the number of hands (rounds) and the
    last change. If the match did not end by its rules, or has no winner, it says that too.
    """
    matches = list(matches)
    games = game_names(matches, words)
    return {match.id: _write_summary(match, games[match.id], words) for match in matches}


def _write_summary(match: SummaryRecord, game: str, words: Words) -> str:
    """Write the sentence about one match; `game` is the name of the game that is played.

    - "Classica · 5 hands · 3 May 2026, 21:40"
    - "Classica · a tie · 5 hands · …" for a match that ended with equal totals
    - "Classica · time was up · 5 hands · …" for one that did not end by its rules
    """
    hands = words.plural("web.hands", match.hands)  # "{count} hands"
    when = moment(match.changed, words)
    is_level = match.finished and match.winner is None
    ended_by_rules = not match.ending
    if ended_by_rules:  # or it still goes on
        key = "web.home.summary-level" if is_level else "web.home.summary"
        return words.t(key, variant=game, hands=hands, when=when)

    how = words.t(f"history.ended.{match.ending}")  # "time was up"
    if is_level and match.ending != _BROKEN_OFF:
        how = words.t("history.ended.level", how=how)  # "time was up, tied"
    # It says: "{variant} · {how} · {hands} · {when}"
    return words.t("history.ended", how=how, variant=game, hands=hands, when=when)
