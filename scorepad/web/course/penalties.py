"""Penalties among the fields of the open hand: one more of them, and those noted so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorepad.i18n import Language, Words
from scorepad.pad.course import Noted
from scorepad.pad.values import MatchState
from scorepad.pad.who import SIDE_KEYS
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import read_sum
from scorepad.web.hand_entry.fields import MOST_ROWS, penalty_key, row_keys, rows_of


def has_penalties(rules: Ruleset) -> bool:
    """Whether there is any penalty to note at this table."""
    return bool(rules.penalties)


def with_penalty(draft: Mapping[str, str], noted: Noted, language: Language) -> dict[str, str]:
    """The fields of the open hand with one more penalty."""
    key = SIDE_KEYS[noted.side]
    if noted.code == HOUSE:
        taken = rows_of(draft, key, HOUSE)
        row = next((row for row in range(MOST_ROWS) if row not in taken), MOST_ROWS - 1)
        points, reason = row_keys(key, HOUSE, row)
        return {**draft, points: str(noted.points), reason: noted.reason}
    field = penalty_key(key, noted.code)
    times = read_sum(draft.get(field, ""), language)
    return {**draft, field: str(times + 1 if isinstance(times, int) else 1)}


def unread(draft: Mapping[str, str], side: int, code: str, language: Language) -> str:
    """What somebody typed where this penalty is counted, if that is no figure; empty otherwise."""
    text = draft.get(penalty_key(SIDE_KEYS[side], code), "")
    return "" if isinstance(read_sum(text, language) or 0, int) else text


def waiting_fields(state: MatchState) -> tuple[tuple[str, str], ...]:
    """The fields of the open hand, in order, in which penalties stand."""
    draft = state.open_hand.draft if state.open_hand else {}
    found: list[str] = []
    for key in SIDE_KEYS[: len(state.sides)]:
        found += [penalty_key(key, code) for code in state.rules.penalties]
        for row in rows_of(draft, key, HOUSE):
            found += row_keys(key, HOUSE, row)
    return tuple((name, draft[name]) for name in found if draft.get(name, "").strip() not in ("", "0"))


def told_so_far(state: MatchState, words: Words) -> Iterator[str]:
    """The penalties that wait in the open hand, in words."""
    draft = state.open_hand.draft if state.open_hand else {}
    for side, key in zip(state.sides, SIDE_KEYS, strict=False):
        for code, penalty in state.rules.penalties.items():
            typed = draft.get(penalty_key(key, code), "")
            if penalty.points is not None and typed.strip() not in ("", "0"):
                yield _counted(side.name, code, penalty.points, typed, words)
        for row in rows_of(draft, key, HOUSE):
            points, reason = (draft.get(name, "") for name in row_keys(key, HOUSE, row))
            if points.strip() or reason.strip():
                yield _house(side.name, points, reason, words)


def told_in_short(state: MatchState, words: Words) -> str:
    """The penalties that wait in the open hand, in a sentence; empty where there are none, or no hand is to come."""
    noted = "" if state.standing.finished else "; ".join(told_so_far(state, words))
    return words.text("course.penalty.so-far", noted=noted) if noted else ""


def _counted(side: str, code: str, points: int, typed: str, words: Words) -> str:
    times, name = read_sum(typed, words.language), words.text(f"penalty.{code}")
    if not isinstance(times, int):
        return words.text("course.penalty.row-unread", side=side, name=name, text=typed)
    return words.text("course.penalty.row", side=side, name=name, points=words.signed(-points * times))


def _house(side: str, typed: str, reason: str, words: Words) -> str:
    points, name = read_sum(typed, words.language), words.text(f"penalty.{HOUSE}")
    if not isinstance(points, int):
        return words.text("course.penalty.row-unread", side=side, name=name, text=typed or reason)
    told = words.signed(-points)
    return words.text("course.penalty.row-why", side=side, name=name, points=told, reason=reason)
