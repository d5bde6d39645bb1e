"""A match of the model: the deeds done in it, one after the other, and questions asked of those
that still stand.

Nothing is added up on the way. What a hand is worth, who has won or who may check is looked for
among the deeds each time it is asked, so that an undoing is nothing but a deed that no longer
counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.model.hands import Game, Hand

LASTING = ("start", "rematch", "checking", "access", "undo", "redo")
"""What cannot be undone."""


@dataclass(frozen=True)
class Deed:
    """Something done: its place in the log, what, by whom and for which side, of which hand, and
    what was told.
    """

    at: int
    kind: str
    who: str
    side: int | None
    number: int | None
    told: dict[str, Any]


@dataclass
class Typing:
    """What is being typed of the hand to come: `hand` is its name, a number that no other hand has."""

    hand: int
    version: int
    draft: dict[str, str]


@dataclass(frozen=True)
class Labels:
    """What the match, its sides and its players are called."""

    names: tuple[str, ...]
    players: tuple[tuple[str, ...], ...]
    place: str = ""


@dataclass
class Match:
    """A match. `turn` names the hand to come; `returned` is what the last undoing of a hand put
    back into it.

    `dealt` is the chair that dealt first, `called`, `first_target` and `is_checked` what it began
    with.
    """

    game: Game
    owner: str
    called: Labels
    first_target: int | None
    dealt: int = 0
    is_checked: bool = False
    name: str = ""
    """As the pad names it."""
    rematch: Match | None = None
    deeds: list[Deed] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    may: dict[str, str] = field(default_factory=dict)
    seats: dict[str, int | None] = field(default_factory=dict)
    doors: set[str] = field(default_factory=lambda: {"write", "view"})
    """What there are keys for."""
    typing: Typing | None = None
    turn: int = 1
    returned: dict[str, str] = field(default_factory=dict)
    labels: dict[int, Labels] = field(default_factory=dict)
    """What all were called after each deed."""

    def __post_init__(self) -> None:
        self.may[self.owner] = "own"
        self.do(
            "start",
            self.owner,
            None,
            labels=self.called,
            target=self.first_target,
            on=self.is_checked,
        )

    def do(self, kind: str, who: str, number: int | None, **told: Any) -> Deed:
        """One more deed."""
        deed = Deed(len(self.deeds) + 1, kind, who, self.seats.get(who), number, told)
        self.deeds.append(deed)
        if kind == "undo":
            self.gone.add(told["what"])
        if kind == "redo":
            self.gone.discard(self.deeds[told["what"] - 1].told["what"])
        self.labels[deed.at] = self._labels()
        return deed

    # ---------------------------------------------------------------------------------------- deeds

    def standing(self, *kinds: str, number: int | None = None) -> list[Deed]:
        """The deeds of these kinds that still stand, of this hand where one is named."""
        return [
            deed
            for deed in self.deeds
            if deed.kind in kinds and deed.at not in self.gone and number in (None, deed.number)
        ]

    @property
    def noted(self) -> tuple[int, ...]:
        """The sides of the penalties noted for the hand to come."""
        deeds = self.standing("penalty", "ruling", number=self.hands + 1)
        return tuple(deed.told["side"] for deed in deeds if deed.told["taken"])

    @property
    def last(self) -> Deed | None:
        """What an undoing undoes."""
        found = [
            deed for deed in self.deeds if deed.kind not in LASTING and deed.at not in self.gone
        ]
        return found[-1] if found else None

    @property
    def undoing(self) -> Deed | None:
        """The undoing that can be taken back: none once anything else was done."""
        redone = 0
        for deed in reversed(self.deeds):
            if deed.kind == "redo":
                redone += 1
            elif deed.kind == "undo" and redone:
                redone -= 1
            elif deed.kind != "access":
                return deed if deed.kind == "undo" else None
        return None

    def _labels(self) -> Labels:
        told: Labels = self.standing("start", "rename", "replace")[-1].told["labels"]
        return told

    @property
    def hands(self) -> int:
        """How many are counted."""
        return len(self.standing("hand"))

    @property
    def checking_since(self) -> int:
        """The deed that turned checking on; 0 where it is off."""
        switched = self.standing("start", "checking")[-1]
        return switched.at if switched.told["on"] else 0

    def deals(self, hands: int) -> tuple[int, int]:
        """Who deals after so many hands: side and place."""
        chairs = self.game.chairs
        return chairs[(self.dealt + hands) % len(chairs)]

    # --------------------------------------------------------------------------------------- a hand

    def countings(self, number: int) -> list[Deed]:
        """Those of a hand that held one after the other; the last one holds."""
        found: list[Deed] = []
        for deed in self.standing("hand", "correction", "choice", number=number):
            counting = self.deeds[deed.told["chosen"] - 1] if deed.kind == "choice" else deed
            if not found or counting is not found[-1]:
                found.append(counting)
        return found

    def contest(self, number: int) -> Deed | None:
        """The other side's counting, until one of the two is chosen."""
        found = self.standing("contest", "choice", number=number)
        return found[-1] if found and found[-1].kind == "contest" else None

    def is_confirmed(self, number: int) -> bool:
        """Whether both sides agree, and nobody has counted it otherwise since."""
        found = self.standing("hand", "correction", "confirm", "choice", number=number)
        return found[-1].kind in ("confirm", "choice")

    def waits(self, number: int) -> bool:
        """Whether the other side is to check it."""
        counted = self.standing("hand", number=number)[0]
        return 0 < self.checking_since < counted.at and not self.is_confirmed(number)

    def remark(self, number: int) -> str:
        """What somebody noted of it."""
        noted = ""
        for deed in self.standing("hand", "correction", "remark", "choice", number=number):
            if deed.kind != "choice":
                noted = deed.told["remark"]
            elif self.deeds[deed.told["chosen"] - 1].kind == "contest":
                noted = self.deeds[deed.told["chosen"] - 1].told["remark"] or noted
        return noted

    def is_by_others(self, counting: Deed, who: str) -> bool:
        """Whether somebody may check this: it came from another device, and not for the same side."""
        side = self.seats.get(who)
        return counting.who != who and (side is None or counting.side != side)

    # --------------------------------------------------------------------------------------- scores

    def scores(self, hands: int | None = None) -> tuple[int, ...]:
        """The totals after so many hands; after all of them where nobody says."""
        totals = list(self.game.carried or (0,) * self.game.sides)
        for number in range(1, (self.hands if hands is None else hands) + 1):
            hand: Hand = self.countings(number)[-1].told["hand"]
            totals = [total + points for total, points in zip(totals, hand.points, strict=True)]
        return tuple(totals)

    @property
    def target(self) -> int | None:
        """The points that end it."""
        target: int | None = self.standing("start", "rules")[-1].told["target"]
        return target

    def by_rules(self, totals: tuple[int, ...], target: int | None) -> tuple[bool, int | None]:
        """Whether it is over by its rules, and who has won."""
        best = [side for side, total in enumerate(totals) if total == max(totals)]
        alone = best[0] if len(best) == 1 else None
        if self.game.deals:
            over = self.game.played + self.hands >= self.game.deals
            return over, alone if over else None
        over = target is not None and max(totals) >= target and alone is not None
        return over, alone if over else None

    @property
    def ending(self) -> tuple[str, int | None, int | None] | None:
        """What the table agreed: how, after how many hands, who gave up."""
        agreed = self.standing("end")
        return (
            agreed[-1].told["ending"]
            if agreed and agreed[-1].told["ending"][0] != "by-rules"
            else None
        )

    @property
    def outcome(self) -> tuple[bool, int | None, bool]:
        """Whether it is over, who has won, and whether that is by what the table agreed alone."""
        totals, ending = self.scores(), self.ending
        over, winner = self.by_rules(totals, self.target)
        if over or ending is None or (ending[1] is not None and self.hands < ending[1]):
            return over, winner, False
        how, _, gave_up = ending
        left = {side: total for side, total in enumerate(totals) if side != gave_up}
        best = [side for side, total in left.items() if total == max(left.values())]
        return True, best[0] if len(best) == 1 and how != "broken-off" else None, True

    @property
    def is_over(self) -> bool:
        """Whether no further hand is played."""
        return self.outcome[0]

    def doubts(self, number: int) -> tuple[int, ...]:
        """The sides that opened too low, now that an earlier hand was corrected."""
        counting = self.countings(number)[-1]
        before, deal = self.scores(number - 1), number + self.game.played
        if counting.told["agreed"] or before == counting.told["before"]:
            return ()
        return self.game.too_low(counting.told["hand"], before, deal)
