"""The page on which a penalty is noted, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.pad.values import MatchState
from scorepad.rules.checks.figures import SMALLEST_POINTS
from scorepad.rules.entries import HOUSE
from scorepad.rules.loader import Penalty
from scorepad.web.citing import places_shown
from scorepad.web.course.calls import CoursePage, match_url
from scorepad.web.course.penalties import has_penalties, told_so_far
from scorepad.web.course.penalty_form import PenaltyForm
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.forms import form_errors
from scorepad.web.live.moving import PENALTIES, watch_form


@dataclass(frozen=True, slots=True)
class HouseFields:
    """What is asked for a penalty of the table's own."""

    points: TextField
    reason: TextField


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyPage(CoursePage):
    """Whose penalty, which, and those noted so far in this hand."""

    template: ClassVar[str] = "course/penalty.html"
    has_form: ClassVar[bool] = True
    form: PenaltyForm
    has_any: bool
    """Whether the game knows any penalty."""
    hand: str
    """Which hand it is for."""
    noted: tuple[str, ...]
    counting: str
    """Where the hand is counted."""
    side: ChoiceField
    code: ChoiceField
    house: HouseFields | None


def penalty_page(state: MatchState, form: PenaltyForm, words: Words) -> PenaltyPage:
    """The page with what was typed."""
    return PenaltyPage(
        title=words.text("course.penalty.title"),
        errors=form_errors(form),
        watch=watch_form(state, "course.penalty", PENALTIES, words),
        back=match_url(state),
        form=form,
        has_any=has_penalties(state.rules),
        hand=words.text("course.hand", number=state.coming),
        noted=tuple(told_so_far(state, words)),
        counting=url_for("hand_entry.page", match=state.id),
        side=choice_field(form.side, words.text("course.penalty.side"), tuple(_sides(state))),
        code=choice_field(form.code, words.text("course.penalty.which"), tuple(_penalties(state, words))),
        house=_house(form, words) if HOUSE in state.rules.penalties else None,
    )


def _sides(state: MatchState) -> Iterator[Choice]:
    for position, side in enumerate(state.sides):
        yield Choice(str(position), side.name)


def _penalties(state: MatchState, words: Words) -> Iterator[Choice]:
    for code, penalty in state.rules.penalties.items():
        name = words.text(f"penalty.{code}")
        if penalty.points is None:
            yield Choice(code, name, words.text("course.penalty.house.note"))
        else:
            label = words.text("course.penalty.choice", name=name, points=words.signed(-penalty.points))
            yield Choice(code, label, _remedy(penalty, words), places_shown(map(str, penalty.cited.citations), words))


def _remedy(penalty: Penalty, words: Words) -> str:
    """What else follows from it."""
    return words.text(f"remedy.{penalty.remedy}") if penalty.remedy else ""


def _house(form: PenaltyForm, words: Words) -> HouseFields:
    hint = words.text("course.penalty.points.hint", step=SMALLEST_POINTS)
    return HouseFields(
        text_field(form.points, words.text("course.penalty.points"), hint, is_number=True),
        text_field(form.reason, words.text("course.penalty.reason")),
    )
