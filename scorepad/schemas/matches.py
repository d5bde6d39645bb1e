"""Matches begun and carried on, out of JSON."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from scorepad.schemas.forms import Form
from scorepad.schemas.matches_forms import CorrectionForm, NewHandForm, NewMatchForm, UndoForm
from scorepad.schemas.unusable import Path, Unusable, hand_takes, unusable

_Form = TypeVar("_Form", bound=Form)
TAKES = {
    "variant": "variant", "preset": "preset", "options": "options", "names": "names", "players": "players",
    "dealer": "dealer", "place": "text", "carried": "carried", "played": "count", "number": "count",
    "version": "count", "entry": "count", "sequence": "count", "note": "note", "remark": "note", "agreed": "note",
}  # fmt: skip
"""What each key takes, as the end of a message key."""


def read_new_match(source: bytes) -> NewMatchForm:
    """A match to begin. Raises Unusable."""
    form = _read(NewMatchForm, source)
    if form.players and len(form.players) != len(form.names):
        raise Unusable("unusable.wrong", "players", takes="players")
    return form


def read_new_hand(source: bytes) -> NewHandForm:
    """A hand to count. Raises Unusable."""
    return _read(NewHandForm, source)


def read_correction(source: bytes) -> CorrectionForm:
    """A hand put right. Raises Unusable."""
    return _read(CorrectionForm, source)


def read_undo(source: bytes) -> UndoForm:
    """What is to be undone. Raises Unusable."""
    return _read(UndoForm, source)


def _read(form: type[_Form], source: bytes) -> _Form:
    try:
        return form.model_validate_json(source)
    except ValidationError as trouble:
        reason = unusable(trouble, _takes)
        raise (Unusable("unusable.not-json-object") if reason.reason == "unusable.not-object" else reason) from None


def _takes(path: Path) -> str:
    key = str(path[0])
    if key == "options" and len(path) > 1:
        return "option"
    return TAKES.get(key) or hand_takes(path)
