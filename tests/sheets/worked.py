"""Matches for the sheets, built by hand: lines worked with pen and paper, no engine in between."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from scorepad.matches.actions import list_house_rules
from scorepad.matches.events import Counted, HandState, LogEntry, Start
from scorepad.matches.projection import MatchState, SideState
from scorepad.rules.definitions import ChoiceValue
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Finding, find_match_status, find_roles_in_hand
from scorepad.rules.score_lines import Line, SideLines, SideScore
from scorepad.rules.variants import settle
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.storage.rows import Entry, MatchRecord
from tests.hands_read import stored_hand

STARTED = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)


def line(
    item: str, count: int | None, points: int, code: str | None = None, reason: str | None = None
) -> Line:
    return Line(item=item, code=code, count=count, points=points, reason=reason, sources=())


def hand_in_log(
    out: str | None = None, concealed: bool = False, **sides: Mapping[str, Any]
) -> Hand:
    """A hand from the log, as far as the sheet reads it."""
    keys = SIDE_KEYS if "c" in sides else SIDE_KEYS[:2]
    told = {key: sides.get(key, {}) for key in keys}
    who = None if out is None else {"side": out, "concealed": concealed}
    return stored_hand({"sides": told, "out": who}, keys)


@dataclass(frozen=True)
class WorkedHand:
    """A counting of a hand: each side's lines, and the hand."""

    sides: tuple[tuple[Line, ...], ...]
    hand: Hand = field(default_factory=hand_in_log)
    note: str = ""
    minute: int = 0


FIRST_HAND = WorkedHand(
    (
        (line("red-threes", 1, -100), line("cards-left", 22, -180)),
        (
            line("natural-canasta", 1, 500), line("cards", 14, 170), line("red-threes", 1, 100),
            line("out", 1, 100), line("cards-left", 2, -20),
        ),
    ),
    hand_in_log(out="b"),
)  # fmt: skip
"""Hand totals −280 and 850: 500 + 170 + 100 + 100 − 20."""

SECOND_HAND = WorkedHand(
    (
        (
            line("natural-canasta", 2, 1000), line("mixed-canasta", 1, 300), line("cards", 21, 270),
            line("red-threes", 2, 200), line("out", 1, 200), line("cards-left", 2, -15),
            line("penalty", 1, -100, "draw-out-of-turn"),
        ),
        (
            line("natural-canasta", 1, 500), line("cards", None, 215), line("cards-left", None, -85),
            line("penalty", 1, -25, "house"),
        ),
    ),
    hand_in_log(
        out="a", concealed=True,
        a={"penalties": ["draw-out-of-turn"]},
        b={"penalties": [{"code": "house", "points": 25, "reason": "ha parlato della mano del compagno"}]},
    ),
)  # fmt: skip
"""Hand totals 1.855 and 605."""

MISCOUNTED_HAND = replace(
    SECOND_HAND,
    sides=(
        SECOND_HAND.sides[0],
        (line("natural-canasta", 1, 500), line("cards", None, 195), *SECOND_HAND.sides[1][2:]),
    ),
)
"""As `SECOND_HAND`, the other side's cards counted 195: a hand of 585."""

RECOUNTED_HAND = replace(SECOND_HAND, note="la pinella di Carla era contata due volte", minute=95)

SUMMED_HAND = WorkedHand(
    (
        (line("sum", None, 640), line("adjustment", None, -20, reason="carta vista")),
        (line("sum", None, 1210),),
    ),
    hand_in_log(
        a={"sum": 640, "adjustments": [{"points": -20, "reason": "carta vista"}]},
        b={"sum": 1210},
    ),
)
"""Hand totals 620 and 1.210."""


HAND_OF_THREE = WorkedHand(
    (FIRST_HAND.sides[0], FIRST_HAND.sides[1], SECOND_HAND.sides[0]), hand_in_log(out="b", c={})
)
"""Hand totals −280, 850 and 1.855."""


def match_of(
    hands: Iterable[WorkedHand | tuple[WorkedHand, ...]],
    *,
    variant: str = "classica",
    preset: str | None = None,
    options: Mapping[str, ChoiceValue] | None = None,
    names: tuple[str, ...] = ("Noi", "Loro"),
    players: tuple[tuple[str, ...], ...] = (("Anna", "Bruno"), ("Carla", "Dario")),
    place: str = "Bar Sport",
    started: datetime = STARTED,
    unopened: bool = False,
    doubts: tuple[Finding, ...] = (),
) -> MatchState:
    """A match of these hands; a corrected one is a tuple of its countings, the last of which counts."""
    rules = settle(variant, preset, options)
    totals: tuple[int, ...] = (0,) * len(names)
    states = []
    for number, worked in enumerate(hands, start=1):
        versions = worked if isinstance(worked, tuple) else (worked,)
        sides = []
        for lines, before in zip(versions[-1].sides, totals, strict=True):
            minimum = rules.settings.opening_minimum(before, number)
            sides.append(_side(lines, before, minimum, opened=not unopened))
        totals = tuple(side.total for side in sides)
        kept = tuple(_version(number, each, started) for each in versions)
        turn = find_roles_in_hand(rules.settings, (0, 0), number - 1)
        states.append(HandState(number, kept, turn, sides=tuple(sides), doubts=doubts))
    coming = find_roles_in_hand(rules.settings, (0, 0), len(states))
    labelled = zip(names, players, totals, strict=True)
    told = tuple(SideState(*each, None, None, 0) for each in labelled)
    begins = Start(names, players, place, dealer=(0, 0), house=list_house_rules(rules))
    log = [LogEntry(Entry("abc", len(states), begins.kind, started, "d", "", {}, ""), begins)]
    return MatchState(
        record=MatchRecord("abc", "", started), rules=rules, rules_of=lambda _: rules, labels=begins.labels,
        begins=begins, log=log, house=begins.house, hands=states, sides=told, next_turn=coming,
        status=find_match_status(totals, rules.settings, len(states)),
    )  # fmt: skip


def _side(lines: tuple[Line, ...], before: int, minimum: int | None, *, opened: bool) -> SideScore:
    points = sum(each.points for each in lines)
    return SideScore(lines, points, before + points, opened, minimum, None)


def _version(number: int, each: WorkedHand, started: datetime) -> LogEntry[Counted]:
    at = started + timedelta(minutes=each.minute)
    sides = tuple(SideLines(lines, opened=None) for lines in each.sides)
    counted = Counted(number, each.hand, (), sides, (), {}, reason=each.note)
    return LogEntry(Entry("abc", number, "hand", at, "d", "", {}, ""), counted)
