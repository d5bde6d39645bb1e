"""The page that asks why something is undone to which the other side had agreed, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.events import EntryKind
from scorepad.matches.projection import MatchState, Undoable
from scorepad.web.fields import TextField
from scorepad.web.frame import FieldError, Page
from scorepad.web.live.moving import watch_form
from scorepad.web.matches.forms import UndoForm


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPage(Page):
    """Why it is undone."""

    template: ClassVar[str] = "matches/undo.html"
    has_form: ClassVar[bool] = True
    form: UndoForm
    note: TextField
    back: str
    what: str
    """What to know first; empty where there is nothing."""


def undo_page(state: MatchState, form: UndoForm, words: Words, errors: tuple[FieldError, ...] = ()) -> UndoPage:
    """The page, for what can be undone now."""
    last = state.undoable
    beside = tuple(error.text for error in errors if error.field == "note")
    return UndoPage(
        title=undo_told(state, words) or words.text("web.undo.nothing"),
        errors=errors,
        watch=watch_form(state, "matches.undo", EntryKind, words),
        form=form,
        note=TextField(
            "note", words.text("checking.note"), form.note.data or "", words.text("checking.note.hint"), beside
        ),
        back=url_for("matches.page", match=state.id),
        what=words.text("checking.undo.agreed") if last is not None and last.guarded else "",
    )


def undo_told(state: MatchState, words: Words) -> str:
    """What would be undone; empty where there is nothing."""
    last = state.undoable
    return "" if last is None else words.text(f"web.undo.{last.kind}", **_figures(state, last))


def undone_told(state: MatchState, last: Undoable, words: Words, *, keeps_typed: bool) -> str:
    """What was undone, and what became of it; `keeps_typed`: what was being typed stays."""
    if keeps_typed and last.number is not None:
        return words.text("web.undone.hand.typed", number=state.called(last.number))
    return words.text(f"web.undone.{last.kind}", **_figures(state, last))


def _figures(state: MatchState, last: Undoable) -> dict[str, int]:
    return {} if last.number is None else {"number": state.called(last.number)}
