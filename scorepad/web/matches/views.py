"""The pages of a match: new, as it stands, undone, renamed."""

from __future__ import annotations

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import MatchId
from scorepad.matches.errors import RequestRefused
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState
from scorepad.matches.results import NoteWanted, RenameRefused, Saved, Stale
from scorepad.web.forms import form_errors
from scorepad.web.frame import FieldError, device_id, notice, page_words, render, the_pad
from scorepad.web.labels import versus
from scorepad.web.live.moving import is_looking_again
from scorepad.web.matches.forms import NamesForm, UndoForm, names_form
from scorepad.web.matches.links import reachable
from scorepad.web.matches.making import match_page
from scorepad.web.matches.names_page import names_page
from scorepad.web.matches.undo_page import undo_page, undone_told


def show(match: str) -> Response:
    """A match as it stands."""
    return _show(the_pad().state(MatchId(match), device_id()))


def undo(match: str) -> Response:
    """Undo the last thing done; where somebody did something since, show what stands."""
    name, form, speech = MatchId(match), UndoForm(), page_words()
    state = the_pad().state(name, device_id())
    if request.method == "GET":
        return _ask_why(state)
    if not form.validate():
        return _again(state, form_errors(form), 422 if form.note.errors else 400)
    try:
        answer = the_pad().undo(form.request_name, name, device_id(), form.seen.data, form.note.data or "")
    except RequestRefused:
        return _overtaken(state)
    if isinstance(answer, NoteWanted):
        return _ask_why(state, (FieldError("note", speech.text("checking.note-wanted")),), 422)
    if isinstance(answer, Stale):
        return _overtaken(answer.state)
    if state.undoable is not None and not answer.again:
        notice(undone_told(state, state.undoable, speech, keeps_typed=answer.keeps_typed))
    return redirect(url_for("matches.page", match=name), code=303)


def _overtaken(state: MatchState) -> Response:
    """What stands, after which nothing was undone."""
    key = "web.undo.stale.asked" if _says_why(state) else "web.undo.stale"
    return _again(state, (FieldError(None, page_words().text(key)),), 409)


def _again(state: MatchState, errors: tuple[FieldError, ...], status: int) -> Response:
    """The page that was sent: the one that asks why, with what was typed there, or the match."""
    return _ask_why(state, errors, status) if _says_why(state) else _show(state, errors, status)


def _says_why(state: MatchState) -> bool:
    """Whether this was sent from the page that asks why, and there is still something to undo."""
    return "note" in request.form and state.undoable is not None and state.access.can_write


def _ask_why(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The page that asks why something is undone that the other side had agreed to."""
    nothing = state.undoable is None or not state.access.can_write
    if nothing and not is_looking_again():
        return redirect(url_for("matches.page", match=state.id), code=303)
    form = UndoForm(formdata=None)
    form.seen.data = state.sequence
    form.note.data = request.form.get("note", "")
    return render(undo_page(state, form, page_words(), errors), status)


def names(match: str) -> Response:
    """Other names for the sides, the players and the place."""
    state = the_pad().state(MatchId(match), device_id())
    made = names_form(state.rules.settings.sides)
    if request.method == "GET":
        return render(names_page(state, _filled(made(formdata=None), state), page_words()))
    form = made()
    if not form.validate():
        return render(names_page(state, form, page_words()), 422)
    return _rename(state, form)


def _rename(state: MatchState, form: NamesForm) -> Response:
    """Take the names, or show them again beside what is wrong with them, or beside those that others gave."""
    speech, status = page_words(), 409
    typed = (form.names, form.players, form.place_typed)
    try:
        answer = the_pad().rename(form.request_name, state.id, device_id(), *typed, form.seen_sequence)
    except RequestRefused:
        form.was_sent(speech.text("serve.sent-before"))
        return render(names_page(state, form, speech), status)
    match answer:
        case Saved():
            return redirect(url_for("matches.page", match=state.id), code=303)
        case RenameRefused():
            form.fill(answer.labels)
            form.seen.data = str(answer.sequence)
            form.renew()
            form.refuse(answer.problems)
            status = 409 if answer.is_overtaken else 422
        case Stale():
            names = versus([side.name for side in answer.state.sides], speech)
            form.was_sent(speech.text("serve.named-before", names=names))
            form.seen.data = str(answer.state.sequence)
    return render(names_page(state, form, speech), status)


def _show(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The page of a match, with a fresh form to undo what it shows."""
    form = UndoForm(formdata=None)
    form.seen.data = state.sequence
    state = reachable(state)
    watched = state.checking or any(hand.checked.contest for hand in state.hands)
    can_check = the_pad().checking.can_check(state.id, device_id()) if watched else ()
    return render(match_page(state, form, page_words(), errors, can_check), status)


def _filled(form: NamesForm, state: MatchState) -> NamesForm:
    sides = state.sides
    form.fill(Labels(tuple(side.name for side in sides), tuple(side.players for side in sides), state.place))
    form.seen.data = str(state.sequence)
    return form
