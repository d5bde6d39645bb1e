"""What people do when a match is over, and quarrels: several things one after the other, as at a
table.
"""

from typing import Any

from scorepad.matches.access import DeviceId
from scorepad.matches.transaction import Saved
from tests.model import course
from tests.model.actions import (
    DRAFTS,
    MISCOUNTED,
    WRITERS,
    action,
    again,
    check,
    choose,
    confirm,
    contest,
    correct,
    count,
    count_plainly,
    keep,
    owner,
    type_and_count,
    undo,
    undo_plainly,
)
from tests.model.actions_beside import (
    all_in,
    end,
    enter,
    lock,
    penalty,
    put,
    remark,
    rules,
    ruling,
    sit,
    sit_in,
    take_penalty_back,
)
from tests.model.play import Play
from tests.model.told import answered
from tests.model.verbs import Said

MOST = 3
"""Matches beside which no other is begun."""
THEN = ("correct", "contest", "contest unseen", "remark", "confirm", "undo", "count")
"""What happens to a contested hand."""
ENDINGS: dict[str, tuple[str, int, int | None]] = {
    "given-up": ("given-up", 0, 0),
    "last-hand": ("last-hand", 1, None),
    "time": ("time", 0, None),
}
"""How, after how many hands more, and which side gives up."""

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
    end(play, who, ENDINGS[how], stale=False)
    if how == "last-hand":
        count_plainly(play, who, "usual")
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


@action(sends=(1, 2))
def rematch_anew(play: Play, sends: int) -> None:
    """The rematch is deleted, and what began it comes again: from somebody who goes back, or by a
    form sent anew.
    """
    end_and_rematch(play, owner(play), "given-up", stay=True)
    begun, asked = play.match.rematch, play.sent[-1]
    if begun and begun is play.tables[-1].model:
        delete(play, None, -1)
        for _ in range(sends):
            play.submit(*asked)


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


@action(whom=("noi", "loro"))
def rematch_without(play: Play, whom: str) -> None:
    """Who was sent out of the rematch asks for it at the old table, and would delete it."""
    table = play.table
    end_and_rematch(play, owner(play), "given-up", stay=False)
    delete(play, whom, -1)
    if table.model.rematch is play.match:
        put(play, None, whom, "remove")
        play.at = play.tables.index(table)
        rematch(play, whom, stay=True)


# ----------------------------------------------------------------------------------------- quarrels


@action(then=THEN, twice=(False, True), other=(None, False, True))
def quarrel(play: Play, then: str, other: bool | None, *, twice: bool) -> None:
    """A hand is contested; something happens to it before one of the two countings is chosen."""
    check(play, "owner", on=True)
    sit(play, "noi", 0)
    sit(play, "loro", 1)
    count_plainly(play, "noi", "usual")
    last = play.match.hands - 1
    contest(play, "loro", last, "turned", MISCOUNTED, stale=False)
    for _ in range(1 + twice):
        _in_between(play, then, last)
        play.check()
    if other is not None:
        choose(play, "noi" if other else "loro", last, other=other, stale=False)
        play.check()
        undo_plainly(play, "owner")


def _in_between(play: Play, then: str, last: int) -> None:
    if then == "correct":
        correct(play, "noi", last, "small", MISCOUNTED, stale=False)
    elif then == "contest":
        contest(play, "loro", last, "summed", MISCOUNTED, stale=False)
    elif then == "contest unseen":
        play.look("noi")
        contest(play, "loro", last, "summed", MISCOUNTED, stale=False)
        choose(play, "noi", last, other=True, stale=True)
    elif then == "remark":
        remark(play, "noi", last, "bella", stale=False)
    elif then == "confirm":
        confirm(play, "loro", last, stale=False)
    elif then == "undo":
        undo_plainly(play, "noi")
    else:
        count_plainly(play, "loro", "turned")


@action(by=("correct", "contest"), note=("", "contata male"), undone=(0, 1, 2))
def change_what_is_agreed(play: Play, by: str, note: str, undone: int) -> None:
    """A hand that both agree to is counted once more, with a word and without, and that is undone."""
    check(play, "owner", on=True)
    sit(play, "loro", 1)
    count_plainly(play, "noi", "usual")
    last = play.match.hands - 1
    for _ in range(2):
        confirm(play, "loro", last, stale=False)
    act = correct if by == "correct" else contest
    act(play, "loro", last, "small", Said(note, "al primo giro"), stale=False)
    play.check()
    for _ in range(undone):
        undo(play, "owner", note, stale=False)


@action(then=("correct", "contest", "confirm", "remark"))
def two_at_once(play: Play, then: str) -> None:
    """One corrects a hand while another has it on the screen as it was; and one writes of it while
    another corrects.
    """
    check(play, "owner", on=True)
    count_plainly(play, "noi", "usual")
    last = play.match.hands - 1
    play.look("loro")
    correct(play, "noi", last, "small", Said("contata male", "al primo giro"), stale=False)
    if then == "correct":
        correct(play, "loro", last, "turned", MISCOUNTED, stale=True)
    elif then == "contest":
        contest(play, "loro", last, "turned", MISCOUNTED, stale=True)
    elif then == "confirm":
        confirm(play, "loro", last, stale=True)
    else:
        remark(play, "loro", last, "bella", stale=False)
        correct(play, "noi", last, "usual", Said("contata male", "chi sa"), stale=False)


@action(how=("last-hand", "time", "given-up"))
def end_unseen(play: Play, how: str) -> None:
    """Somebody ends the match who has not seen the last hand."""
    play.look("noi")
    count_plainly(play, "loro", "usual")
    end(play, "noi", ENDINGS[how], stale=True)


@action(who=("owner", "noi"), hand=("small", "turned"))
def put_the_first_right(play: Play, who: str, hand: str) -> None:
    """The first hand is judged by the totals of its time, however high they are by now."""
    count_plainly(play, who, "great")
    correct(play, who, 0, hand, MISCOUNTED, stale=False)


@action(draft=DRAFTS[1:], other=(None, *DRAFTS), then=(False, True))
def type_at_once(
    play: Play, draft: dict[str, str], other: dict[str, str] | None, *, then: bool
) -> None:
    """Two type with the same version on the screen: what is the same is kept, what is not is stale."""
    play.look("loro")
    keep(play, "noi", draft, stale=False)
    typed = draft if other is None else other
    if then:
        count(play, "loro", "usual", typed, Said(), stale=True)
    else:
        keep(play, "loro", typed, stale=True)


@action(draft=DRAFTS[1:], hand=("wrong", "unreadable", "agreed"))
def type_and_be_refused(play: Play, draft: dict[str, str], hand: str) -> None:
    """What was typed of a hand that cannot be stays typed."""
    count(play, "noi", hand, draft, Said(), stale=False)


# ---------------------------------------------------------------------------------- second thoughts


@action(first=DRAFTS[1:], second=DRAFTS, typed=(None, None, *DRAFTS))
def count_two_and_undo_both(
    play: Play, first: dict[str, str], second: dict[str, str], typed: dict[str, str] | None
) -> None:
    """What an undoing put back nobody typed: it makes room for what the next one brings back; what
    is typed stays.
    """
    for draft in (first, second):
        type_and_count(play, "noi", draft, then=True)
    for _ in range(2):
        undo_plainly(play, "owner")
        play.check()
        if typed is not None:
            keep(play, "loro", typed, stale=False)


@action(
    side=(0, 1),
    by=("penalty", "ruling"),
    draft=(None, *DRAFTS),
    back=(False, True),
    then=(False, True),
)
def note_and_type(
    play: Play, side: int, by: str, draft: dict[str, str] | None, *, back: bool, then: bool
) -> None:
    """A penalty is noted beside what is typed, or not, and is undone, or taken back after something
    else was typed; the hand is counted then, or not.
    """
    if draft is not None:
        keep(play, "loro", draft, stale=False)
    if by == "ruling":
        ruling(play, "noi", side, taken=True, stale=False)
    else:
        penalty(play, "noi", side, stale=False)
    if back:
        keep(play, "loro", {"a.cards": "30"}, stale=False)
        take_penalty_back(play, "owner", len(play.look("owner").penalties) - 1, stale=False)
    else:
        undo_plainly(play, "owner")
    if then:
        count_plainly(play, "noi", "usual")


@action(may=("write", "view"), what=("renew", "withdraw"))
def lock_out(play: Play, may: str, what: str) -> None:
    """Everybody is in; then there is another key, or none, and the one before opens nothing."""
    all_in(play)
    lock(play, None, may, what)
    play.check()
    for who in ("noi", "looker"):
        enter(play, who, "old")
        if what == "withdraw":
            enter(play, who, may)


@action(whom=("noi", "loro"))
def go_and_come_back(play: Play, whom: str) -> None:
    """Somebody is sent out, writes nothing, comes in again, and is given the match, by a form that
    comes twice.
    """
    put(play, None, whom, "remove")
    put(play, None, whom, "hand-on")
    count_plainly(play, whom, "usual")
    enter(play, whom, "write")
    put(play, None, whom, "hand-on")
    again(play, 0)
