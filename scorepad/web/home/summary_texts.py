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

    "Classica · 5 hands · 3 May 2026, 21:40"
    """
    hands = words.plural("web.hands", match.hands)  # "{count} hands"
    when = moment(match.changed, words)
    is_tied = match.finished and match.winner is None
    if match.ending:  # the players ended it, not the rules
        how = _describe_ending(match, words)
        # It says: "{variant} · {how} · {hands} · {when}"
        return words.t("history.ended", how=how, variant=game, hands=hands, when=when)
    if is_tied:
        # It says: "{variant} · a tie · {hands} · {when}"
        return words.t("web.home.summary-level", variant=game, hands=hands, when=when)
    return words.t("web.home.summary", variant=game, hands=hands, when=when)


def _describe_ending(match: SummaryRecord, words: Words) -> str:
    """Say how the players ended a match: "time was up", or "time was up, tied"."""
    how = words.t(f"history.ended.{match.ending}")
    is_tied = match.finished and match.winner is None
    if is_tied and match.ending != _BROKEN_OFF:
        return words.t("history.ended.level", how=how)  # "{how}, tied"
    return how
