"""What people do when a match is over, and quarrels: several things one after the other, as at a
table.
"""

from __future__ import annotations

from typing import Any

from scorepad.matches.access import DeviceId
from scorepad.matches.transaction import Saved
from tests.model import course
from tests.model.actions import (
    WRITERS,
    action,
    check,
    choose,
    confirm,
    contest,
    correct,
    count,
    owner,
    undo,
)
from tests.model.actions_beside import (
    end,
    remark,
    rules,
    sit,
    sit_in,
)
from tests.model.play import Play
from tests.model.told import answered
from tests.model.verbs import Said

MOST = 3
"""Matches beside which no other is begun."""
THEN = ("correct", "contest", "contest unseen", "remark", "confirm", "undo", "count")
"""What happens to a contested hand."""

# --------------------------------------------------------------------------------------- afterwards


@action(who=WRITERS, stay=(True, False))
def rematch(play: Play, who: str, *, stay: bool) -> None:
    """The same again; those who began it go there, or stay at the old table."""
    table = play.table

    def ask(sent: Any, name: Any, device: Any) -> object:
        answer = play.pad.actions.rematch(sent, name, device)
        begun = table.model.rematch
        if isinstance(answer, Saved) and begun:
            if answer.keys:
                play.seat(begun, answer)
            play.agree("the rematch", begun.name, answer.match)
        return answer

    play.send(who, "start", (), lambda match: course.rematch(match, who), ask)
    if stay and table in play.tables:
        play.at = play.tables.index(table)


@action(who=("owner", "noi"), how=("given-up", "last-hand"), stay=(True, False))
def end_and_rematch(play: Play, who: str, how: str, *, stay: bool) -> None:
    """A match is ended, and another begun at once, as long as there are few."""
    if len(play.tables) > MOST:
        return
    end(
        play,
        who,
        (how, 0 if how == "given-up" else 1, 0 if how == "given-up" else None),
        stale=False,
    )
    if how == "last-hand":
        count(play, who, "usual", None, Said(), stale=False)
    rematch(play, who, stay=stay)


@action(who=("noi", "looker", "stranger", None, None), which=(0, 0, -1))
def delete(play: Play, who: str | None, which: int) -> None:
    """The match begun first goes for good, or the last one, unless it is the only one."""
    table = play.tables[which]
    who = who or next(each for each, may in table.model.may.items() if may == "own")
    if len(play.tables) == 1 and table.model.may.get(who) == "own":
        return
    expected = course.delete(table.model, who)
    got = answered("delete", lambda: play.pad.actions.delete(table.name, DeviceId(who)))
    play.agree("delete", expected, got)
    play.answers["delete", " ".join(expected)] += 1
    if not table.model.may:
        play.clear(table)


@action(to=(3000, 7000))
def play_short_and_rematch(play: Play, to: int) -> None:
    """The rematch goes on by the rules of the match before, and the next one again."""
    rules(play, owner(play), to)
    for _ in range(2):
        end_and_rematch(play, owner(play), "given-up", stay=False)


@action(side=(0, 1))
def two_sit_in(play: Play, side: int) -> None:
    """Two take the same place."""
    play.look("noi")
    sit_in(play, "loro", side, 0, "Dario", stale=False)
    sit_in(play, "noi", side, 0, "Elsa", stale=True)


# ----------------------------------------------------------------------------------------- quarrels


@action(then=THEN, twice=(False, True), other=(None, False, True))
def quarrel(play: Play, then: str, other: bool | None, *, twice: bool) -> None:
    """A hand is contested; something happens to it before one of the two countings is chosen."""
    check(play, "owner", on=True)
    sit(play, "noi", 0)
    sit(play, "loro", 1)
    count(play, "noi", "usual", None, Said(), stale=False)
    last = play.match.hands - 1
    contest(play, "loro", last, "turned", Said("contata male"), stale=False)
    for _ in range(1 + twice):
        _in_between(play, then, last)
        play.check()
    if other is not None:
        choose(play, "noi" if other else "loro", last, other=other, stale=False)
        play.check()
        undo(play, "owner", "ripensato", stale=False)


def _in_between(play: Play, then: str, last: int) -> None:
    if then == "correct":
        correct(play, "noi", last, "small", Said("contata male"), stale=False)
    elif then == "contest":
        contest(play, "loro", last, "summed", Said("contata male"), stale=False)
    elif then == "contest unseen":
        play.look("noi")
        contest(play, "loro", last, "summed", Said("contata male"), stale=False)
        choose(play, "noi", last, other=True, stale=True)
    elif then == "remark":
        remark(play, "noi", last, "bella", stale=False)
    elif then == "confirm":
        confirm(play, "loro", last, stale=False)
    elif then == "undo":
        undo(play, "noi", "ripensato", stale=False)
    else:
        count(play, "loro", "turned", None, Said(), stale=False)


@action(how=("last-hand", "time", "given-up"))
def end_unseen(play: Play, how: str) -> None:
    """Somebody ends the match who has not seen the last hand."""
    play.look("noi")
    count(play, "loro", "usual", None, Said(), stale=False)
    end(play, "noi", (how, int(how == "last-hand"), 0 if how == "given-up" else None), stale=True)


@action(who=("owner", "noi"), hand=("small", "turned"))
def put_the_first_right(play: Play, who: str, hand: str) -> None:
    """The first hand is judged by the totals of its time, however high they are by now."""
    count(play, who, "great", None, Said(), stale=False)
    correct(play, who, 0, hand, Said("contata male"), stale=False)
