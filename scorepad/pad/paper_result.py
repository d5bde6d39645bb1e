"""How the match goes and how it ended, on the match sheet: how far it goes, who won, what the table agreed."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.pad.paper_words import PaperWords
from scorepad.pad.values import EndHow, Ending, MatchState
from scorepad.sheets import Goal, Result


def goal_of(state: MatchState, say: PaperWords) -> Goal:
    """The target; or, where a number of hands decides, that number."""
    settings, text = state.rules.settings, say.words.text
    if settings.match_deals is not None:
        return Goal(text("sheets.deals-head"), text("sheets.all-deals", count=settings.match_deals))
    return Goal(text("sheets.target"), text("sheets.none") if settings.target is None else say.counted(settings.target))


def result_of(state: MatchState, say: PaperWords) -> Result:
    """How the match ended, or that it goes on and until when."""
    totals = tuple(side.total for side in state.sides)
    return Result(" ".join(_sentences(state, say)), totals, state.standing.winner)


def _sentences(state: MatchState, say: PaperWords) -> Iterator[str]:
    hands, winner = say.number(len(state.hands)), state.standing.winner
    if not state.standing.finished:
        yield say.words.plural("sheets.going-on", hands)
        yield from _to_come(state, say)
        return
    if state.ended_early and state.ending:
        yield from _agreed(state, state.ending, say)
    elif winner is None:
        yield say.words.plural("sheets.even", hands)
    if winner is not None:
        points = say.counted(state.sides[winner].total)
        yield say.words.text("sheets.won", name=say.names[winner], points=points)


def _agreed(state: MatchState, ending: Ending, say: PaperWords) -> Iterator[str]:
    """How a match ended that did not end by its rules; who is level where nobody won it."""
    who = "" if ending.side is None else say.names[ending.side]
    yield say.words.plural(f"sheets.ended.{ending.how}", say.number(len(state.hands)), side=who)
    if state.standing.winner is not None or ending.how is EndHow.BROKEN_OFF:
        return
    highest = ending.highest(tuple(side.total for side in state.sides))
    names = say.words.listing(say.names[side] for side in highest)
    yield say.words.text("sheets.level", names=names, points=say.counted(state.sides[highest[0]].total))


def _to_come(state: MatchState, say: PaperWords) -> Iterator[str]:
    """An end that the table agreed and that is still to come."""
    if state.ending is None or state.ending.hands is None:
        return
    if state.ending.hands == len(state.hands) + 1:
        yield say.words.text("sheets.last-hand")
    else:
        yield say.words.text("sheets.up-to-hand", number=say.number(state.ending.hands))
