"""A note on a counted hand: written, changed, taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import abort, request
from werkzeug.wrappers import Response
from wtforms import Field, HiddenField, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.pad.answers import Saved, Stale
from scorepad.pad.errors import RequestRefused
from scorepad.pad.values import MatchState
from scorepad.web.course.calls import OVERTAKEN, WRONG, CoursePage, for_writing, match_url, to_match
from scorepad.web.fields import TextField, text_field
from scorepad.web.forms import LONGEST_NOTE, PadForm, form_errors
from scorepad.web.frame import device_id, notice, page_words, render, the_pad
from scorepad.web.live.moving import REMARKS, is_looking_again, watch_form
from scorepad.web.matches.hands import anchor


class RemarkForm(PadForm):
    """A note, and the one that stood there when the page was shown."""

    seen = HiddenField()
    text = StringField()

    @property
    def tidied(self) -> str:
        """The note in one line."""
        return tidy(self.text.data or "")

    def validate_text(self, field: Field) -> None:
        """Refuse what is too long."""
        if len(tidy(field.data or "")) > LONGEST_NOTE:
            raise ValidationError(page_words().text("course.long", limit=LONGEST_NOTE))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkPage(CoursePage):
    """A note on a hand."""

    template: ClassVar[str] = "course/remark.html"
    has_form: ClassVar[bool] = True
    form: RemarkForm
    text: TextField


def answer(match: str, number: int) -> Response:
    """The page of a note, or what becomes of one."""
    state, form = for_writing(match), RemarkForm()
    if request.method == "GET":
        if not 1 <= number <= len(state.hands) and not is_looking_again():
            abort(404)
        return _show(state, number, _filled(state, number))
    if not form.validate():
        return _show(state, number, form, WRONG)
    try:
        told = _save(state, number, form)
    except RequestRefused:
        form.was_sent(page_words().text("serve.sent-before"))
        return _show(state, number, form, OVERTAKEN)
    return to_match(match, anchor(number)) if isinstance(told, Saved) else _overtaken(told, number, form)


def tidy(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def _save(state: MatchState, number: int, form: RemarkForm) -> Saved | Stale:
    # A browser sends line breaks otherwise than they stand in the note.
    seen, stands = form.seen.data or "", _stands(state, number)
    seen = stands if tidy(seen) == tidy(stands) else seen
    return the_pad().course.remark(form.request_name, state.id, device_id(), number, seen, form.tidied)


def _stands(state: MatchState, number: int) -> str:
    """The note on a hand; empty where there is none, or no such hand."""
    return state.hands[number - 1].remark if 1 <= number <= len(state.hands) else ""


def _overtaken(told: Stale, number: int, form: RemarkForm) -> Response:
    """What somebody else wrote, and what was written here, to be saved in its place."""
    state, words = told.state, page_words()
    if number > len(state.hands):
        notice(words.text("course.remark.gone", number=state.called(number)))
        return to_match(state.id)
    stands = _stands(state, number)
    key = "course.remark.stale" if stands else "course.remark.stale-empty"
    form.was_sent(words.text(key, text=stands) if stands else words.text(key))
    form.seen.data = stands
    return _show(state, number, form, OVERTAKEN)


def _filled(state: MatchState, number: int) -> RemarkForm:
    form = RemarkForm(formdata=None)
    form.seen.data = form.text.data = _stands(state, number)
    return form


def _show(state: MatchState, number: int, form: RemarkForm, status: int = 200) -> Response:
    return render(_page(state, number, form, page_words()), status)


def _page(state: MatchState, number: int, form: RemarkForm, words: Words) -> RemarkPage:
    hint = words.text("course.remark.hint", limit=LONGEST_NOTE)
    return RemarkPage(
        title=words.text("course.remark.title", number=state.called(number)),
        errors=form_errors(form),
        watch=watch_form(state, "course.remark", REMARKS, words, number=number),
        back=match_url(state),
        form=form,
        text=text_field(form.text, words.text("course.remark.text"), hint),
    )
