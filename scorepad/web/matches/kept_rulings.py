"""The answers of the referee that were kept with the hands of a match, for the page of the match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.events import LogEntry, RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text


class RulingLine(NamedTuple):
    """A kept answer of the referee: its question and answer in a sentence, and its page."""

    text: str
    url: str


def list_rulings_of_hand(match: MatchState, number: int, words: Words) -> list[RulingLine]:
    """List the answers that were kept with a counted hand (a round), by its number."""
    rulings = [ruling for ruling in match.rulings if ruling.event.number == number]
    return _describe_rulings(rulings, match, words)


def list_rulings_of_next_hand(match: MatchState, words: Words) -> list[RulingLine]:
    """List the answers that were kept with the hand (round) that is being played."""
    counted_hands = len(match.hands)
    rulings = [ruling for ruling in match.rulings if ruling.event.number > counted_hands]
    return _describe_rulings(rulings, match, words)


def _describe_rulings(
    rulings: Iterable[LogEntry[RulingKept]], match: MatchState, words: Words
) -> list[RulingLine]:
    lines = []
    for ruling in rulings:
        text = ruling_text(ruling.event, match.rules.variant, words)
        url = url_for("referee.kept", match=match.id, _anchor=f"decisione-{ruling.sequence}")
        lines.append(RulingLine(words.t("referee.kept.in-hand", ruling=text.head), url))
    return lines
