"""The same told of a match of the model and of one of the pad, so that the two can be laid side by
side.
"""

from collections.abc import Callable
from typing import Any

from scorepad.matches.access import MatchNotFound, NotAllowed, NotOwner
from scorepad.matches.actions import HandsCounted
from scorepad.matches.devices import Entered, Outcome
from scorepad.matches.events import Counted, HandState, LogEntry
from scorepad.matches.hands import OwnHand
from scorepad.matches.keys import NO_KEYS, Keys, NoSuchKey
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import (
    MatchOver,
    ReasonWanted,
    Refused,
    RequestRefused,
    Saved,
    Stale,
)
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from tests.model import verbs
from tests.model.match import Deed, Labels, Match
from tests.model.verbs import Answer

_RAISED: dict[type[Exception], Answer] = {
    MatchNotFound: verbs.NOT_FOUND,
    NotOwner: verbs.NOT_OWNER,  # before what it is a kind of
    NotAllowed: verbs.NOT_ALLOWED,
    MatchOver: verbs.OVER,
    OwnHand: verbs.OWN_HAND,
    RequestRefused: verbs.NO_REQUEST,
    HandsCounted: ("hands counted",),
    Unusable: verbs.UNREADABLE,
    NoSuchKey: ("no key",),
}
_PLAIN: dict[type[object], Answer] = {
    Stale: verbs.STALE,
    ReasonWanted: verbs.WANTED,
    Refused: verbs.REFUSED,
    NamesRefused: verbs.REFUSED,
    Entered: ("entered",),
    type(None): verbs.SAVED,
}
NUMBERED = ("hand", "correction", "contest", "undo", "redo")


def answered(kind: str, ask: Callable[[], object]) -> Answer:
    """What the pad answers, in the words of the model."""
    try:
        answer = ask()
    except tuple(_RAISED) as refused:
        return next(told for sort, told in _RAISED.items() if isinstance(refused, sort))
    if isinstance(answer, Saved):
        return saved(kind, answer)
    if isinstance(answer, OpenHand):
        return ("kept", answer.version)
    if isinstance(answer, Outcome):
        return (answer.value,)
    if isinstance(answer, Keys):
        return ("again",) if answer == NO_KEYS else ("done",)
    return _PLAIN[type(answer)]


def saved(kind: str, answer: Saved) -> Answer:
    """What was saved, and whether it had been before."""
    judged = answer.judgement.sides if answer.judgement else None
    points = tuple(side.hand for side in judged) if judged else None
    head: Answer = ("saved", answer.number, points) if kind in NUMBERED else ("saved",)
    return (
        *head,
        *(["stays typed"] if answer.keeps_typed else []),
        *(["again"] if answer.again else []),
    )


# --------------------------------------------------------------------------------------- of the pad


def of_pad(state: MatchState) -> dict[str, Any]:
    """A match as the pad shows it."""
    ending, last, typed = state.ending, state.undoable, state.open_hand
    return {
        "labels": Labels(
            tuple(side.name for side in state.sides),
            tuple(side.players for side in state.sides),
            state.labels.place,
        ),
        "replaced": tuple(
            (taken.seat, taken.was, taken.name, taken.number) for taken in state.replacements
        ),
        "rematch": state.rematch,
        "deals": None if state.status.finished else state.next_turn.dealer,
        "totals": tuple(side.total for side in state.sides),
        "minimums": tuple(side.minimum for side in state.sides),
        "outcome": (state.status.finished, state.status.winner, state.ended_early),
        "target": state.status.target,
        "ending": ending and (ending.how.value, ending.hands, ending.side),
        "checking": state.checking,
        "log": state.sequence,
        "undoable": last
        and (last.sequence, last.event.kind, last.event.hand_number, last.event.guarded),
        "typed": typed and (typed.version, dict(typed.draft)),
        "noted": tuple(penalty.side for penalty in state.noted_penalties),
        "hands": tuple(map(_hand_of_pad, state.hands)),
        "rulings": tuple(
            (kept.sequence, kept.event.number, kept.event.side, kept.event.points is not None)
            for kept in state.rulings
        ),
    }


def _hand_of_pad(hand: HandState) -> dict[str, Any]:
    doubts = {
        place
        for doubt in hand.doubts
        if doubt.code == "opening-impossible"
        for place in doubt.where[1:2]
    }
    return {
        "number": hand.number,
        "dealt": hand.turn.dealer,
        "points": tuple(side.hand for side in hand.sides),
        "before": tuple(side.total - side.hand for side in hand.sides),
        "versions": tuple(map(_version_of_pad, hand.versions)),
        "confirmed": hand.confirmed is not None,
        "contest": hand.contest and _version_of_pad(hand.contest),
        "waits": hand.waits,
        "remark": hand.remark,
        "doubts": tuple(sorted(doubts)),
    }


def _version_of_pad(version: LogEntry[Counted]) -> tuple[object, ...]:
    points = tuple(sum(line.points for line in lines) for lines in version.event.lines)
    return version.sequence, points, version.event.reason, version.event.agreed, version.event.by


# ------------------------------------------------------------------------------------- of the model


def of_model(match: Match) -> dict[str, Any]:
    """The same as the model has it."""
    totals, last, typed, over = match.scores(), match.last, match.typing, match.is_over
    deal = match.game.played + match.hands + 1
    kept, replaced = match.standing("ruling"), match.standing("replace")
    return {
        "labels": match.labels[len(match.deeds)],
        "replaced": tuple(deed.told["taken"] for deed in replaced),
        "rematch": match.rematch and match.rematch.name,
        "deals": None if over else match.deals(match.hands),
        "totals": totals,
        "minimums": tuple(None if over else match.game.minimum(total, deal) for total in totals),
        "outcome": match.outcome,
        "target": match.target,
        "ending": match.ending,
        "checking": bool(match.checking_since),
        "log": len(match.deeds),
        "undoable": last and (last.at, last.kind, last.number, last.kind in ("confirm", "choice")),
        "typed": typed and (typed.version, typed.draft),
        "noted": match.noted,
        "hands": tuple(_hand_of_model(match, number) for number in range(1, match.hands + 1)),
        "rulings": tuple(
            (deed.at, deed.number, deed.told["side"], deed.told["taken"]) for deed in kept
        ),
    }


def _hand_of_model(match: Match, number: int) -> dict[str, Any]:
    countings, contest = match.countings(number), match.contest(number)
    return {
        "number": number,
        "dealt": match.deals(number - 1),
        "points": countings[-1].told["hand"].points,
        "before": match.scores(number - 1),
        "versions": tuple(map(_counting_of_model, countings)),
        "confirmed": match.is_confirmed(number),
        "contest": contest and _counting_of_model(contest),
        "waits": match.waits(number),
        "remark": match.remark(number),
        "doubts": match.doubts(number),
    }


def _counting_of_model(deed: Deed) -> tuple[object, ...]:
    return deed.at, deed.told["hand"].points, deed.told["note"], deed.told["agreed"], deed.side


def may_check(match: Match, who: str) -> tuple[bool, ...]:
    """Which hands somebody may check."""
    writes = match.may.get(who) in ("write", "own")
    return tuple(
        writes and match.is_by_others(match.countings(number)[-1], who)
        for number in range(1, match.hands + 1)
    )


def may_choose(match: Match, who: str, number: int) -> tuple[bool, bool]:
    """Which of two countings somebody may agree to."""
    contest = match.contest(number)
    if contest is None or match.may.get(who) not in ("write", "own"):
        return False, False
    return match.is_by_others(match.countings(number)[-1], who), match.is_by_others(contest, who)
