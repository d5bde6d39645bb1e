"""What can be done with a match of the model, and what it answers: a word or two, as `play` tells
those of the pad.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from tests.model.hands import Hand
from tests.model.match import Match, Typing

Answer = tuple[Any, ...]
SAVED, STALE, OVER, WANTED = ("saved",), ("stale",), ("over",), ("note wanted",)
REFUSED, UNREADABLE, OWN_HAND = ("refused",), ("unreadable",), ("own hand",)
NOT_FOUND, NOT_ALLOWED, NOT_OWNER, NO_REQUEST = (
    ("not found",),
    ("not allowed",),
    ("not owner",),
    ("no request",),
)


@dataclass(frozen=True)
class Said:
    """What goes with a counting."""

    note: str = ""
    remark: str = ""
    agreed: str = ""


@dataclass
class Model:
    """All matches, and the submissions that left something in one of them."""

    sent: dict[str, tuple[Match, str, Hashable, Answer]] = field(default_factory=dict)
    begun: dict[str, Match] = field(default_factory=dict)
    """The rematches that submissions began."""
    spent: set[str] = field(default_factory=set)
    """Submissions whose rematch was deleted: they counted once, and do not bring it back."""

    def forget(self, match: Match) -> None:
        """What was sent to a match goes with it."""
        gone = {
            request
            for request, (asked, kind, _, _) in self.sent.items()
            if asked is match and kind != "start"
        }
        spent = {request for request, begun in self.begun.items() if begun is match}
        self.spent |= spent
        for request in gone | spent:
            del self.sent[request]

    def submit(
        self,
        match: Match,
        who: str,
        request: str,
        kind: str,
        content: Hashable,
        act: Callable[[], Answer],
    ) -> Answer:
        """Let only those pass who may write; do what was sent once, and answer it again as the
        first time.
        """
        refused = may_write(match, who)
        if refused:
            return refused
        if request in self.sent:
            of_match, of_kind, of_content, first = self.sent[request]
            if of_match is not match or of_kind != kind:
                return NO_REQUEST
            if of_content != content:
                return NO_REQUEST if kind == "access" else STALE
            return ("again",) if kind == "access" else (*first, "again")
        before = len(match.deeds)
        is_spent = kind == "start" and request in self.spent and not match.rematch
        answer = STALE if is_spent else act()
        if len(match.deeds) > before:
            self.sent[request] = (match, kind, content, answer[:3])
            if kind == "start" and match.rematch:
                self.begun[request] = match.rematch
        return answer


def may_write(match: Match, who: str) -> Answer | None:
    """Why somebody may not; None where that one may."""
    may = match.may.get(who, "none")
    return NOT_FOUND if may == "none" else NOT_ALLOWED if may == "view" else None


# ------------------------------------------------------------------------------------------- typing


def hand_to_come(match: Match) -> int:
    """Its name; what is typed of it keeps its own."""
    return match.typing.hand if match.typing else match.turn


def type_in(match: Match, draft: dict[str, str]) -> None:
    """The next version of what is being typed."""
    version = match.typing.version if match.typing else 0
    match.typing = Typing(hand_to_come(match), version + 1, dict(draft))


def is_fresh(match: Match, hand: int | None, version: int, draft: dict[str, str] | None) -> bool:
    """Whether somebody had seen what is typed; who sends the very same has."""
    if hand != hand_to_come(match):
        return False
    if match.typing is None:
        return version == 0
    return version == match.typing.version or draft == match.typing.draft


def keep(match: Match, who: str, hand: int | None, version: int, draft: dict[str, str]) -> Answer:
    """Type something."""
    refused = may_write(match, who)
    if refused:
        return refused
    if not is_fresh(match, hand, version, draft):
        return STALE
    if match.typing is None and match.is_over:
        return OVER
    if draft != (match.typing.draft if match.typing else {}):
        type_in(match, draft)
    return ("kept", match.typing.version if match.typing else 0)


# ----------------------------------------------------------------------------------------- counting


def judged(
    match: Match, hand: Hand, before: tuple[int, ...], number: int, agreed: str
) -> Answer | str:
    """Why a hand cannot be counted; else the reason for which the table agreed to it, empty where
    none was needed.
    """
    if hand.unreadable:
        return UNREADABLE
    breaks = hand.broken or bool(match.game.too_low(hand, before, number + match.game.played))
    if hand.wrong or (breaks and not agreed):
        return REFUSED
    return agreed if breaks else ""


def count(  # noqa: PLR0917 - as the pad's own
    match: Match,
    who: str,
    hand_id: int | None,
    version: int,
    hand: Hand,
    draft: dict[str, str] | None,
    said: Said,
) -> Answer:
    """Count the hand to come."""
    if not is_fresh(match, hand_id, version, draft):
        return STALE
    if match.is_over:
        return OVER
    before, number = match.scores(), match.hands + 1
    for side in match.noted:
        if hand.sides[side].cards is None:
            return UNREADABLE  # a sum includes everything
        hand = hand.fouled(side)
    agreed = judged(match, hand, before, number, said.agreed)
    typed = match.typing.draft if match.typing else {}
    if not isinstance(agreed, str):
        if agreed == REFUSED and draft is not None and draft != typed:
            type_in(match, draft)
        return agreed
    kept = dict(typed if draft is None else draft)
    told = {
        "hand": hand,
        "before": before,
        "draft": kept,
        "remark": said.remark,
        "agreed": agreed,
        "note": "",
    }
    match.turn = match.do("hand", who, number, **told).at
    match.typing, match.returned = None, {}
    return ("saved", number, hand.points)


def stands_as_seen(match: Match, number: int, seen: int) -> bool:
    """Whether a hand is there and counts as it did when somebody looked."""
    return 1 <= number <= match.hands and match.countings(number)[-1].at == seen


def count_again(match: Match, kind: str, who: str, number: int, hand: Hand, said: Said) -> Answer:
    """Another counting of a hand."""
    before = match.scores(number - 1)
    agreed = judged(match, hand, before, number, said.agreed)
    if not isinstance(agreed, str):
        return agreed
    match.do(
        kind,
        who,
        number,
        hand=hand,
        before=before,
        draft={},
        remark=said.remark,
        agreed=agreed,
        note=said.note,
    )
    return ("saved", number, hand.points)


def correct(match: Match, who: str, number: int, seen: int, hand: Hand, said: Said) -> Answer:
    """Put a hand right. Of its remark holds what only one of the two changed; where both did, it is
    stale.
    """
    if not stands_as_seen(match, number, seen):
        return STALE
    if match.is_confirmed(number) and not said.note:
        return WANTED
    base, theirs, mine = (
        match.countings(number)[-1].told["remark"],
        match.remark(number),
        said.remark,
    )
    if mine not in (base, theirs) and theirs != base:
        return STALE
    remark = theirs if mine in (base, theirs) else mine
    return count_again(match, "correction", who, number, hand, Said(said.note, remark, said.agreed))


def contest(match: Match, who: str, number: int, seen: int, hand: Hand, said: Said) -> Answer:
    """Count a hand of the other side otherwise."""
    if not stands_as_seen(match, number, seen):
        return STALE
    if not match.is_by_others(match.countings(number)[-1], who):
        return OWN_HAND
    if match.is_confirmed(number) and not said.note:
        return WANTED
    return count_again(match, "contest", who, number, hand, said)


def confirm(match: Match, who: str, number: int, seen: int) -> Answer:
    """Agree to a hand as it was shown."""
    if not stands_as_seen(match, number, seen) or match.contest(number) or not match.checking_since:
        return STALE
    if not match.is_by_others(match.countings(number)[-1], who):
        return OWN_HAND
    if not match.is_confirmed(number):
        match.do("confirm", who, number)
    return SAVED


def choose(match: Match, who: str, number: int, shown: tuple[int, int], chosen: int) -> Answer:
    """Agree to one of two countings."""
    other = match.contest(number) if stands_as_seen(match, number, shown[0]) else None
    if other is None or other.at != shown[1] or chosen not in shown:
        return STALE
    if not match.is_by_others(match.deeds[chosen - 1], who):
        return OWN_HAND
    match.do("choice", who, number, chosen=chosen)
    return SAVED


# ------------------------------------------------------------------------------------------ undoing


def undo(match: Match, who: str, seen: int, note: str) -> Answer:
    """Undo the last thing done that stands. A hand undone comes back as it was typed, unless the
    next one is typed.
    """
    last = match.last
    if seen != len(match.deeds) or last is None:
        return STALE
    if last.kind in ("confirm", "choice") and not note:
        return WANTED
    typed = match.typing is not None and written(match.typing.draft) not in ({}, match.returned)
    undone = match.do("undo", who, last.number, what=last.at)
    if last.kind == "hand":
        match.turn, match.returned = undone.at, written(last.told["draft"])
        if typed:
            return ("saved", last.number, None, "stays typed")
        match.typing = None
        if last.told["draft"]:
            type_in(match, last.told["draft"])
    return ("saved", last.number, None)


def redo(match: Match, who: str, seen: int) -> Answer:
    """Do again what was undone last, unless something else was done or its hand was typed
    otherwise.
    """
    undone = match.undoing
    if seen != len(match.deeds) or undone is None:
        return STALE
    again = match.deeds[undone.told["what"] - 1]
    typed = match.typing if match.typing and match.typing.hand >= undone.at else None
    if (
        again.kind == "hand"
        and typed
        and written(typed.draft) not in ({}, written(again.told["draft"]))
    ):
        return STALE
    redone = match.do("redo", who, again.number, what=undone.at)
    if again.kind == "hand":
        match.turn, match.returned = redone.at, {}
        if typed:
            match.typing = None
    return ("saved", again.number, None)


def written(draft: dict[str, str]) -> dict[str, str]:
    """What is really typed."""
    return {name: text for name, text in draft.items() if text.strip()}
