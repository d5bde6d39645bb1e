"""The page that asks why something is undone to which the other side had agreed, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.pad.values import MatchState, Undoable
from scorepad.web.fields import TextField
from scorepad.web.frame import FieldError, Page
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


def undo_page(state: MatchState, form: UndoForm, words: Words, errors: tuple[FieldError, ...] = ()) -> UndoPage:
    """The page, for what can be undone now."""
    beside = tuple(error.text for error in errors if error.field == "note")
    return UndoPage(
        title=undo_told(state, words),
        errors=errors,
        form=form,
        note=TextField(
            "note", words.text("checking.note"), form.note.data or "", words.text("checking.note.hint"), beside
        ),
        back=url_for("matches.page", match=state.id),
        what=words.text("checking.undo.agreed"),
    )


def undo_told(state: MatchState, words: Words) -> str:
    """What would be undone; empty where there is nothing."""
    last = state.undoable
    return "" if last is None else words.text(f"web.undo.{last.kind}", **_figures(state, last))


def undone_told(state: MatchState, last: Undoable, words: Words) -> str:
    """What was undone."""
    return words.text(f"web.undone.{last.kind}", **_figures(state, last))


def _figures(state: MatchState, last: Undoable) -> dict[str, int]:
    return {} if last.number is None else {"number": state.called(last.number)}
