"""How a match ended, or is to end, in words."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.pad.values import EndHow, Ending, MatchState
from scorepad.web.matches.page import Ended


def ended_of(state: MatchState, words: Words) -> Ended:
    """How a finished match ended."""
    standing = state.standing
    if state.ended_early and state.ending:
        return _by_agreement(state, state.ending, words)
    if standing.winner is None:
        return Ended(words.text("web.ended.even"), words.plural("web.ended.even.hands", state.coming - 1))
    won = state.sides[standing.winner]
    others = [side for side in state.sides if side is not won]
    sentence = words.text(
        "web.ended.won", side=won.name, total=won.total, others=words.listing(words.figure(o.total) for o in others)
    )
    if standing.target is None:
        return Ended(sentence, words.plural("web.ended.all-hands", state.coming - 1))
    several = any(side.total >= standing.target for side in others)
    how = words.plural("web.ended.hands", state.coming - 1, target=standing.target)
    return Ended(sentence, f"{how} {words.text('web.ended.several')}" if several else how)


def _by_agreement(state: MatchState, ending: Ending, words: Words) -> Ended:
    """A match that the table ended otherwise than by its rules."""
    how = words.plural(f"checking.ended.{ending.how}", state.coming - 1, side=_who(state, ending))
    winner = state.standing.winner
    if winner is None:
        key = "checking.ended.nobody" if ending.how is EndHow.BROKEN_OFF else "web.ended.even"
        return Ended(words.text(key), how)
    won, others = state.sides[winner], (side for side in state.sides if side is not state.sides[winner])
    totals = words.listing(words.figure(other.total) for other in others)
    return Ended(words.text("web.ended.won", side=won.name, total=won.total, others=totals), how)


def ending_to_come(state: MatchState, words: Words) -> str:
    """An end that the table agreed and that is still to come; empty where there is none."""
    ending = state.ending
    if ending is None or state.standing.finished or ending.hands is None:
        return ""
    left = ending.hands - len(state.hands)
    if left == 1:
        return words.text("checking.last-hand")
    return words.text("checking.up-to-hand", number=state.called(ending.hands))


def _who(state: MatchState, ending: Ending) -> str:
    return "" if ending.side is None else state.sides[ending.side].name
