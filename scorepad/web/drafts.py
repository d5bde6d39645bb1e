"""What the fields of the open hand hold for other pages: its penalties, and what the referee asks of a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scorepad.i18n import Language, Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.actions import Noted
from scorepad.matches.projection import MatchState
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import read_sum
from scorepad.web.hand_entry.fields import MOST_ROWS, lines_of, penalty_key, row_keys, rows_of
from scorepad.web.hand_entry.fields import key as field_key


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
    """What is typed in the field of this penalty, if it is no figure; else empty."""
    text = draft.get(penalty_key(SIDE_KEYS[side], code), "")
    return "" if isinstance(read_sum(text, language) or 0, int) else text


def waiting_fields(state: MatchState) -> tuple[tuple[str, str], ...]:
    """The fields of the open hand that hold penalties, in order, with their values."""
    draft = state.open_hand.draft if state.open_hand else {}
    found: list[str] = []
    for key in SIDE_KEYS[: len(state.sides)]:
        found += [penalty_key(key, code) for code in state.rules.penalties]
        for row in rows_of(draft, key, HOUSE):
            found += row_keys(key, HOUSE, row)
    return tuple((name, draft[name]) for name in found if draft.get(name, "").strip() not in ("", "0"))


def noted_penalties(state: MatchState, words: Words) -> Iterator[str]:
    """The penalties in the open hand, in words."""
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


def noted_sentence(state: MatchState, words: Words) -> str:
    """The penalties in the open hand, in a sentence; empty if there are none, or the match is over."""
    noted = "" if state.standing.finished else "; ".join(noted_penalties(state, words))
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


def add_penalty(noted: Noted, language: Language) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    """A function that adds a penalty to the fields of the open hand."""
    return lambda draft: with_penalty(draft, noted, language)


def referee_facts(draft: Mapping[str, str], key: str, rules: Ruleset) -> dict[str, str]:
    """What the open hand says of a side, by the names under which the referee asks for it."""

    def typed(name: str) -> str:
        return draft.get(field_key(key, name), "").strip()

    melds = [line for line in lines_of(typed("melds")) if line != "0"]
    told = {"table": " / ".join(melds), "count": typed("red_threes"), "red_threes": typed("red_threes")}
    for kind in rules.settings.canastas:
        told[f"canastas-{kind.item}"] = typed(f"canastas.{kind.item}")
    return {name: text for name, text in told.items() if text}
