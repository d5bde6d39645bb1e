"""Rulings kept with a match: what was asked and answered at the table, with the penalty where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorepad.matches.answers import Saved, Stale
from scorepad.matches.course import written
from scorepad.matches.desk import Desk, Sent, saved
from scorepad.matches.errors import MatchOver
from scorepad.matches.kept_rulings import answer_json
from scorepad.matches.kinds import EntryKind
from scorepad.matches.office import Office
from scorepad.matches.payloads import Undone, undone_json
from scorepad.matches.undoing import put_back
from scorepad.matches.who import DeviceId, MatchId, RequestId

if TYPE_CHECKING:
    from scorepad.referee.answers import Ruling

Draft = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asking:
    """A question whose answer is to be kept, as the device saw it.

    `question` is as in the JSON contract, with its kind and without the rules; `rules` the digest of those that it was
    answered by, `hand_id` the name of the hand that was being played, `side` the position of the side that it is about.
    """

    question: Mapping[str, Any]
    rules: str
    hand_id: str
    side: int | None = None


class Refereeing:
    """Every verb raises MatchNotFound, NotAllowed and RequestRefused as the pad's."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def keep(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        asking: Asking,
        write: Callable[[Draft], Draft] | None = None,
    ) -> Saved | Stale:
        """Keep the ruling of a question with the hand being played. Stale where that is over, or the rules changed.

        `write` puts its penalty among the fields of the open hand, where it waits for the count as one that was noted
        by itself; None where none is taken. Raises MatchOver, and contract.Unusable for what is no question.
        """

        def act(desk: Desk) -> Saved | Stale:
            if desk.log.standing.finished:
                raise MatchOver(match)
            if asking.hand_id != desk.seen.coming_id or asking.rules != desk.log.rules.digest:
                return desk.seen.stale
            return _keep(desk, request, asking, write)

        content = (dict(asking.question), asking.rules, asking.hand_id, asking.side, write is not None)
        return self._office.submit(EntryKind.RULING, Sent.of(request, device, *content), match, act)

    def take_back(self, request: RequestId, match: MatchId, device: DeviceId, entry: int) -> Saved | Stale:
        """Take a kept ruling back, whatever was done since. Its penalty goes with it unless its hand has been counted.

        Stale where it no longer stands.
        """

        def act(desk: Desk) -> Saved | Stale:
            kept = next((each for each in desk.log.rulings if each.entry == entry), None)
            if kept is None:
                return desk.seen.stale
            undone = desk.append(EntryKind.UNDO, request, undone_json(Undone(entry, EntryKind.RULING, kept.number)))
            if kept.number == len(desk.log.hands) + 1:  # a hand later, what is typed is of another one
                put_back(desk, entry)
            return saved(undone, desk.log.rules)

        return self._office.submit(EntryKind.UNDO, Sent.of(request, device, entry), match, act)


def _keep(desk: Desk, request: RequestId, asking: Asking, write: Callable[[Draft], Draft] | None) -> Saved:
    from scorepad.referee.alternatives import answer_to
    from scorepad.schemas.rulings import read_question_of_match

    rules = desk.log.rules
    asked = read_question_of_match(asking.question, rules).asked
    answer = answer_to(rules, asked)
    payload: dict[str, Any] = {
        "number": len(desk.log.hands) + 1,
        "side": asking.side,
        "question": dict(asking.question),
        "answer": answer_json(answer),
    }
    points = penalty_points(answer.ruling)
    if write is None or not points:
        return saved(desk.append(EntryKind.RULING, request, payload), rules)
    after, changed = written(desk, write)
    payload |= {"code": asking.question["code"], "points": points, "fields": changed}
    entry = desk.append(EntryKind.RULING, request, payload)
    desk.type_in(after)
    return saved(entry, rules)


def penalty_points(ruling: Ruling) -> int:
    """The points that a ruling takes from the side that did it; 0 where it takes none. Points."""
    points = ruling.details.get("points")
    is_penalty = any(reason.code == "penalty-of" for reason in ruling.reasons)
    return points if is_penalty and isinstance(points, int) else 0
