"""A match deleted for good, by the phone that holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import BooleanField, Field, ValidationError

from scorepad.i18n import Words
from scorepad.matches.access import Access, MatchId
from scorepad.matches.errors import NotOwner
from scorepad.matches.projection import MatchState
from scorepad.web.course.calls import WRONG, CoursePage, match_url
from scorepad.web.course.end_page import totals_told
from scorepad.web.errors import trouble
from scorepad.web.fields import TickField, tick_field
from scorepad.web.forms import PadForm, form_errors
from scorepad.web.frame import device_id, notice, page_words, render, setup, the_pad
from scorepad.web.labels import moment, versus
from scorepad.web.live.watching import watch

NOT_ALLOWED = 403


class DeleteForm(PadForm):
    """The tick without which nothing is deleted."""

    sure = BooleanField()

    def validate_sure(self, field: Field) -> None:
        """Refuse a button pressed by mistake."""
        if not field.data:
            raise ValidationError(page_words().text("course.delete.not-sure"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletePage(CoursePage):
    """Which match it is, and what stays of it: nothing."""

    template: ClassVar[str] = "course/delete.html"
    has_form: ClassVar[bool] = True
    form: DeleteForm
    names: str
    totals: str
    said: str
    sheet: str
    """Where the sheet of the match is."""
    sure: TickField


@dataclass(frozen=True, slots=True, kw_only=True)
class NotYoursPage(CoursePage):
    """Who can delete the match."""

    template: ClassVar[str] = "course/not_yours.html"
    who: str
    phones: str


def answer(match: str) -> Response:
    """The page that asks, or no match any more."""
    state = the_pad().state(MatchId(match), device_id())
    if state.access is not Access.OWN:
        return _not_yours(state, 200 if request.method == "GET" else NOT_ALLOWED)
    if request.method == "GET":
        return _show(state, DeleteForm(formdata=None))
    form = DeleteForm()
    if not form.validate():
        return _show(state, form, WRONG)
    # Before it is gone: the form may be sent a second time while it is going.
    told = page_words().text("course.delete.done", names=_names(state, page_words()))
    setup().deleted.put(_sent(match, form), told)
    try:
        the_pad().actions.delete(state.id, device_id())
    except NotOwner:
        return _not_yours(state, NOT_ALLOWED)
    return _done(told)


def answer_gone(match: str) -> Response:
    """What the same form was answered before, or that there is no such match any more."""
    told = setup().deleted.get(_sent(match, DeleteForm()))
    return trouble("gone", 404) if told is None else _done(told)


def _sent(match: str, form: DeleteForm) -> tuple[str, ...]:
    """What names a submission."""
    return match, device_id(), form.request_name


def _done(told: str) -> Response:
    notice(told)
    return redirect(url_for("home.page"), code=303)


def _names(state: MatchState, words: Words) -> str:
    return versus([side.name for side in state.sides], words)


def _show(state: MatchState, form: DeleteForm, status: int = 200) -> Response:
    words = page_words()
    parts = [words.text(f"variant.{state.rules.variant}.name"), state.place, moment(state.started, words)]
    page = DeletePage(
        title=words.text("course.delete.title"),
        errors=form_errors(form),
        watch=watch(state, url_for("course.delete", match=state.id), words),
        back=match_url(state),
        form=form,
        names=_names(state, words),
        totals=words.text("course.delete.totals", totals=totals_told(state.sides, words)),
        said="\N{NO-BREAK SPACE}· ".join(filter(None, (*parts, words.plural("web.hands", len(state.hands))))),
        sheet=url_for("sheets.match_sheet", match=state.id),
        sure=tick_field(form.sure, words.text("course.delete.sure")),
    )
    return render(page, status)


def _not_yours(state: MatchState, status: int) -> Response:
    words = page_words()
    phones = the_pad().devices.phones(state.id, device_id())
    holder = next((phone.number for phone in phones if phone.access is Access.OWN), None)
    who = words.text("course.delete.nobody") if holder is None else words.text("course.delete.owner", number=holder)
    page = NotYoursPage(
        title=words.text("course.delete.title"),
        watch=watch(state, url_for("course.delete", match=state.id), words),
        back=match_url(state),
        who=who,
        phones=url_for("phones.page", match=state.id),
    )
    return render(page, status)
