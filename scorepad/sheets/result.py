"""How a match stands, ended or is to end: in words for pages and pictures, and as text to send."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.i18n import LANGUAGES, Words
from scorepad.i18n import words as catalogue
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.projection import MatchState
from scorepad.sheets.names import isolated

PAIR = 2
"""Players of a side that is called a pair."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended or stands: the outcome in a sentence, and how it came to that."""

    sentence: str
    how: str

    def __str__(self) -> str:
        return f"{self.sentence}. {self.how}".rstrip()


def ended_of(state: MatchState, words: Words) -> Ended:
    """How a finished match ended."""
    standing = state.standing
    if state.ended_early and state.ending:
        return _by_agreement(state, state.ending, words)
    if standing.winner is None:
        return Ended(words.text("web.ended.even"), words.plural("web.ended.even.hands", state.coming - 1))
    sentence = _won(state, standing.winner, words)
    if standing.target is None:
        return Ended(sentence, words.plural("web.ended.all-hands", state.coming - 1))
    reached = [side for side in state.sides if side.total >= standing.target]
    how = words.plural("web.ended.hands", state.coming - 1, target=standing.target)
    return Ended(sentence, f"{how} {words.text('web.ended.several')}" if len(reached) > 1 else how)


def _by_agreement(state: MatchState, ending: Ending, words: Words) -> Ended:
    """A match that the table ended otherwise than by its rules."""
    who = "" if ending.side is None else state.sides[ending.side].name
    how = words.plural(f"checking.ended.{ending.how}", state.coming - 1, side=who)
    if state.standing.winner is not None:
        return Ended(_won(state, state.standing.winner, words), how)
    key = "checking.ended.nobody" if ending.how is EndHow.BROKEN_OFF else "web.ended.even"
    return Ended(words.text(key), how)


def _won(state: MatchState, winner: int, words: Words) -> str:
    side = state.sides[winner]
    others = words.listing(words.figure(other.total) for other in state.sides if other is not side)
    return words.text("web.ended.won", won=won_words(state, winner, words), total=side.total, others=others)


def won_words(state: MatchState, winner: int, words: Words) -> str:
    """Who won, as a table says it: `Abbiamo vinto noi`, `Vince la coppia Marta–Gino`."""
    side, seats = state.sides[winner], state.rules.settings.sides[winner]
    usual = next((name for name in ("noi", "loro") if side.name.casefold() in _in_any_language(f"web.side.{name}")), "")
    if seats == PAIR and usual and all(side.players):
        return words.text("result.won.pair", side="–".join(map(isolated, side.players)))
    if usual:
        return words.text(f"result.won.{usual}")
    kind = "" if seats == 1 else ".pair" if seats == PAIR else ".team"
    return words.text(f"result.won{kind}", side=isolated(side.name))


def _in_any_language(key: str) -> set[str]:
    return {catalogue(language).text(key).casefold() for language in LANGUAGES}


def ending_to_come(state: MatchState, words: Words) -> str:
    """An end that the table agreed and that is still to come; empty where there is none."""
    ending = state.ending
    if ending is None or state.standing.finished or ending.hands is None:
        return ""
    if ending.hands == len(state.hands) + 1:
        return words.text("checking.last-hand")
    return words.text("checking.up-to-hand", number=state.called(ending.hands))


def standing_of(state: MatchState, words: Words) -> Ended:
    """Who won and how, or who leads, in a few words: the totals stand beside it."""
    if state.standing.finished:
        ended, winner = ended_of(state, words), state.standing.winner
        won = ended.sentence if winner is None else won_words(state, winner, words)
        return Ended(won, ended.how)
    hands, highest = state.played + len(state.hands), max(side.total for side in state.sides)
    leading = [side.name for side in state.sides if side.total == highest]
    sentence = words.plural("share.going-on", hands) if hands else words.text("share.not-begun")
    return Ended(sentence, words.text("share.leads", side=leading[0]) if len(leading) == 1 else "")


def game_of(state: MatchState, words: Words) -> str:
    """Which game was played, and whether it counts."""
    game = words.text(f"variant.{state.rules.variant}.name")
    return words.text("share.practice", game=game) if state.practice else game


def players_of(state: MatchState, position: int, words: Words) -> str:
    """The players of a side of several who are named."""
    named = [isolated(name) for name in state.sides[position].players if name]
    return words.listing(named) if named and state.rules.settings.sides[position] > 1 else ""


def text_of(state: MatchState, words: Words) -> str:
    """The result as text to send: a line for each side between where it was played and how it ended."""
    day = words.day(state.started.astimezone())
    where = ", ".join(filter(None, (game_of(state, words), day, isolated(state.place))))
    lines = []
    for position, side in enumerate(state.sides):
        name, players = isolated(side.name), players_of(state, position, words)
        key = "share.text.players" if players else "share.text.side"
        lines.append(words.text(key, side=name, players=players, points=words.figure(side.total)))
    return "\n".join((where, *lines, str(standing_of(state, words))))


def alt_of(state: MatchState, words: Words) -> str:
    """What the picture shows."""
    sides = ", ".join(f"{isolated(side.name)} {words.figure(side.total)}" for side in state.sides)
    return words.text("share.picture.alt", sides=sides, how=str(standing_of(state, words)))
