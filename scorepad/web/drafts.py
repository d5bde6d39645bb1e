"""What the fields of the open hand hold for other pages: its penalties, and what the referee asks of a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scorepad.i18n import Language, Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.actions import Noted
from scorepad.matches.projection import MatchState
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.base import device_id, the_pad
from scorepad.web.count import names
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import open_occasion
from scorepad.web.figures import read_figure


def with_penalty(draft: Mapping[str, str], noted: Noted, language: Language) -> dict[str, str]:
    """The fields of the open hand with one more penalty."""
    key = SIDE_KEYS[noted.side]
    if noted.code == HOUSE:
        row = _free_row(draft, key)
        told = {names.house_points(key, row): str(noted.points), names.house_reason(key, row): noted.reason}
        return {**draft, **told}
    field = names.penalty(key, noted.code)
    times = read_figure(draft.get(field, ""), language)
    return {**draft, field: str(times + 1 if isinstance(times, int) else 1)}


def unread(draft: Mapping[str, str], side: int, code: str, language: Language) -> str:
    """What is typed in the field of this penalty, if it is no figure; else empty."""
    text = draft.get(names.penalty(SIDE_KEYS[side], code), "")
    return "" if isinstance(read_figure(text, language) or 0, int) else text


def waiting_fields(state: MatchState) -> tuple[tuple[str, str], ...]:
    """The fields of the open hand that hold penalties, in order, with their values."""
    draft = state.open_hand.draft if state.open_hand else {}
    found: list[str] = []
    for key in SIDE_KEYS[: len(state.sides)]:
        found += [names.penalty(key, code) for code in state.rules.penalties]
        for row in names.house_rows(draft, key):
            found += [names.house_points(key, row), names.house_reason(key, row)]
    return tuple((name, draft[name]) for name in found if draft.get(name, "").strip() not in ("", "0"))


def noted_penalties(state: MatchState, words: Words) -> Iterator[str]:
    """The penalties in the open hand, in words."""
    draft = state.open_hand.draft if state.open_hand else {}
    for side, key in zip(state.sides, SIDE_KEYS, strict=False):
        for code, penalty in state.rules.penalties.items():
            typed = draft.get(names.penalty(key, code), "")
            if penalty.points is not None and typed.strip() not in ("", "0"):
                yield _counted(side.name, code, penalty.points, typed, words)
        for row in names.house_rows(draft, key):
            points, reason = draft.get(names.house_points(key, row), ""), draft.get(names.house_reason(key, row), "")
            if points.strip() or reason.strip():
                yield _house(side.name, points, reason, words)


def noted_sentence(state: MatchState, words: Words) -> str:
    """The penalties in the open hand, in a sentence; empty if there are none, or the match is over."""
    noted = "" if state.standing.finished else "; ".join(noted_penalties(state, words))
    return words.text("course.penalty.so-far", noted=noted) if noted else ""


def _counted(side: str, code: str, points: int, typed: str, words: Words) -> str:
    times, name = read_figure(typed, words.language), words.text(f"penalty.{code}")
    if not isinstance(times, int):
        return words.text("course.penalty.row-unread", side=side, name=name, text=typed)
    return words.text("course.penalty.row", side=side, name=name, points=words.signed(-points * times))


def _house(side: str, typed: str, reason: str, words: Words) -> str:
    points, name = read_figure(typed, words.language), words.text(f"penalty.{HOUSE}")
    if not isinstance(points, int):
        return words.text("course.penalty.row-unread", side=side, name=name, text=typed or reason)
    told = words.signed(-points)
    return words.text("course.penalty.row-why", side=side, name=name, points=told, reason=reason)


def _free_row(draft: Mapping[str, str], key: str) -> int:
    """The first row of house penalties in which nothing stands."""
    taken = {
        row
        for row in names.house_rows(draft, key)
        if draft.get(names.house_points(key, row), "").strip() or draft.get(names.house_reason(key, row), "").strip()
    }
    return next((row for row in range(names.MOST_ROWS) if row not in taken), names.MOST_ROWS - 1)


def add_penalty(
    state: MatchState, noted: Noted, language: Language
) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    """A function that adds a penalty to the fields of the open hand; an empty hand is prefilled as on its page."""
    prefilled = open_occasion(state, the_pad().open(state.id, device_id())).draft
    return lambda draft: with_penalty(draft or prefilled, noted, language)


def referee_facts(draft: Mapping[str, str], key: str, rules: Ruleset) -> dict[str, str]:
    """What the open hand says of a side, by the names under which the referee asks for it."""
    needs, told = Needs(rules), {}
    if needs.way(draft, key) == names.BY_CARDS:
        melds = [draft.get(names.meld(key, row), "").strip() for row in names.meld_rows(draft, key)]
        told["table"] = " / ".join(filter(None, melds))
    red = draft.get(names.red(key), "").strip()
    told |= {"count": red, "red_threes": red}
    for kind in rules.settings.canastas:
        told[f"canastas-{kind.item}"] = draft.get(names.canasta(key, kind.item), "").strip()
    return {name: text for name, text in told.items() if text}
