"""The page on which a match is ended, as values: each end with who wins by it right now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from scorepad.i18n import Words
from scorepad.matches.events import EndHow
from scorepad.matches.projection import MatchState, SideState
from scorepad.sheets.result import ending_to_come
from scorepad.web.course.calls import CoursePage, match_url
from scorepad.web.course.end_form import EndForm
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.forms import form_errors
from scorepad.web.live.moving import END, watch_form


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPage(CoursePage):
    """The ways to end a match otherwise than by its rules."""

    template: ClassVar[str] = "course/end.html"
    has_form: ClassVar[bool] = True
    form: EndForm
    agreed: str
    """An end that was agreed already and is to come; empty where there is none."""
    how: ChoiceField
    number: TextField
    draft: str
    """What becomes of the hand that is being typed; empty where there is none."""


def end_page(state: MatchState, form: EndForm, words: Words) -> EndPage:
    """The page with what was chosen."""
    hint = words.text("course.end.number.hint", hands=state.coming - 1)
    is_typed = state.open_hand is not None and any(text.strip() for text in state.open_hand.draft.values())
    return EndPage(
        title=words.text("course.end.title"),
        errors=form_errors(form),
        watch=watch_form(state, "course.end", END, words),
        back=match_url(state),
        form=form,
        agreed=ending_to_come(state, words),
        how=choice_field(form.how, words.text("course.end.how"), tuple(_choices(state, words))),
        number=text_field(form.number, words.text("course.end.number"), hint, is_number=True),
        draft=words.text("course.end.draft") if is_typed else "",
    )


def _choices(state: MatchState, words: Words) -> Iterator[Choice]:
    if state.ending is not None:
        yield Choice(EndHow.BY_RULES, words.text("course.end.by-rules"), words.text("course.end.by-rules.note"))
    after = words.text("course.end.after", number=state.coming)
    now = _ahead(state.sides, words, "course.end.ahead-now", "course.end.level-now")
    yield Choice(EndHow.LAST_HAND, words.text("course.end.last-hand"), f"{after} {now}")
    yield Choice(EndHow.HANDS, words.text("course.end.hands"), f"{words.text('course.end.hands.note')} {now}")
    at_once = _ahead(state.sides, words, "course.end.ahead", "course.end.level")
    yield Choice(EndHow.TIME, words.text("course.end.time"), at_once)
    for position, side in enumerate(state.sides):
        note = _without(state, position, words)
        yield Choice(f"{EndHow.GIVEN_UP}:{position}", words.text("course.end.given-up", side=side.name), note)
    yield Choice(EndHow.BROKEN_OFF, words.text("course.end.broken-off"), words.text("course.end.broken-off.note"))


def _without(state: MatchState, position: int, words: Words) -> str:
    """Who wins where this side gives up."""
    others = [side for side in state.sides if side is not state.sides[position]]
    if len(others) == 1:
        return words.text("course.end.other", side=others[0].name)
    return _ahead(others, words, "course.end.others", "course.end.others-level")


def totals_told(sides: Sequence[SideState], words: Words) -> str:
    """The totals of these sides, in their order."""
    first, *others = sides
    listed = words.listing(words.figure(side.total) for side in others)
    return words.text("course.end.totals", own=first.total, others=listed)


def _ahead(sides: Sequence[SideState], words: Words, ahead: str, level: str) -> str:
    """Who is ahead of these sides, with their totals, the highest first; or that the highest are level."""
    first, *others = sorted(sides, key=lambda side: -side.total)
    totals = totals_told((first, *others), words)
    if first.total == others[0].total:
        return words.text(level, totals=totals)
    return words.text(ahead, side=first.name, totals=totals)
