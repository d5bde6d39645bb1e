"""A player replaced from the coming hand on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from flask import request, url_for
from werkzeug.wrappers import Response
from wtforms import Field, HiddenField, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.matches.errors import RequestRefused
from scorepad.matches.names import tidy
from scorepad.matches.projection import MatchState
from scorepad.matches.results import NewMatchRefused, Saved, Stale
from scorepad.rules.match import Seat, seating
from scorepad.web.course.calls import OVERTAKEN, WRONG, CoursePage, for_writing, is_over, match_url, to_match
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.forms import PadForm, form_errors
from scorepad.web.frame import device_id, notice, page_words, render, the_pad
from scorepad.web.labels import player
from scorepad.web.live.moving import NAMES, is_looking_again, watch_form


class ReplaceForm(PadForm):
    """A seat, who sat there when the page was shown, and who comes in. Made by `_form_of` for the seats of a table."""

    seats: tuple[Seat, ...]
    seat = StringField()
    name = StringField()

    @property
    def chosen(self) -> Seat:
        """The seat that was found to be one."""
        side, index = str(self.seat.data).split("-")
        return int(side), int(index)

    @property
    def was(self) -> str:
        """Who sat there."""
        return self[f"was-{self.seat.data}"].data or ""

    def validate_seat(self, field: Field) -> None:
        """Refuse a seat that the table does not have."""
        if field.data not in map(named, self.seats):
            raise ValidationError(page_words().text("course.replace.choose"))

    def validate_name(self, field: Field) -> None:
        """Refuse no name, and that of who sits there already."""
        name = tidy(field.data or "")
        if not name:
            raise ValidationError(page_words().text("course.replace.missing"))
        if self.seat.data in map(named, self.seats) and name == self.was:
            raise ValidationError(page_words().text("course.replace.same"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacePage(CoursePage):
    """Who leaves, and who comes in."""

    template: ClassVar[str] = "course/replace.html"
    has_form: ClassVar[bool] = True
    form: ReplaceForm
    told: str
    names_url: str
    seat: ChoiceField
    name: TextField


def answer(match: str) -> Response:
    """The page of a replacement, or what becomes of one."""
    state = for_writing(match)
    if state.standing.finished and not is_looking_again():
        return is_over(match)
    made = _form_of(state)
    if request.method == "GET":
        return _show(state, _filled(made(formdata=None), state))
    form = made()
    if not form.validate():
        return _show(state, form, WRONG)
    try:
        return _answered(state, form, _replace(state, form))
    except RequestRefused:
        form.was_sent(page_words().text("serve.sent-before"))
        return _show(state, form, OVERTAKEN)


def named(seat: Seat) -> str:
    """A seat as a form sends it."""
    return f"{seat[0]}-{seat[1]}"


def _replace(state: MatchState, form: ReplaceForm) -> Saved | NewMatchRefused | Stale:
    name = form.name.data or ""
    return the_pad().actions.replace(form.request_name, state.id, device_id(), form.chosen, form.was, name)


def _answered(state: MatchState, form: ReplaceForm, told: Saved | NewMatchRefused | Stale) -> Response:
    words = page_words()
    match told:
        case Saved():
            if not told.again:
                key = "course.replace.done" if form.was else "course.replace.seated"
                was = {"was": form.was} if form.was else {}
                notice(words.text(key, number=state.coming, name=tidy(form.name.data or ""), **was))
            return to_match(state.id)
        case NewMatchRefused():
            texts = (words.text(f"web.names.{each.code}", **_limit(each.limit)) for each in told.problems)
            form.name.errors = (*form.name.errors, *dict.fromkeys(texts))
            return _show(state, form, WRONG)
    form.was_sent(words.text("course.replace.stale"))
    return _show(told.state, _filled(form, told.state), OVERTAKEN)


def _limit(limit: int | None) -> dict[str, int]:
    return {} if limit is None else {"limit": limit}


def _form_of(state: MatchState) -> type[ReplaceForm]:
    seats = seating(state.rules.settings)
    fields: dict[str, Any] = {f"was-{named(seat)}": HiddenField() for seat in seats}
    return type("ReplaceForm", (ReplaceForm,), {"seats": seats, **fields})


def _filled(form: ReplaceForm, state: MatchState) -> ReplaceForm:
    """The form, for those who sit there now."""
    for side, index in form.seats:
        stands = state.sides[side]
        form[f"was-{side}-{index}"].data = stands.name if len(stands.players) == 1 else stands.players[index]
    return form


def _show(state: MatchState, form: ReplaceForm, status: int = 200) -> Response:
    return render(_page(state, form, page_words()), status)


def _page(state: MatchState, form: ReplaceForm, words: Words) -> ReplacePage:
    seats = tuple(Choice(named(seat), player(seat, state.sides, words)) for seat in form.seats)
    return ReplacePage(
        title=words.text("course.replace.title"),
        errors=form_errors(form),
        watch=watch_form(state, "course.replace", NAMES, words),
        back=match_url(state),
        form=form,
        told=words.text("course.replace.told", number=state.coming),
        names_url=url_for("matches.names", match=state.id),
        seat=choice_field(form.seat, words.text("course.replace.seat"), seats),
        name=text_field(form.name, words.text("course.replace.name")),
    )
