"""Hands of a match over HTTP: counted, put right, undone. Sides go by the names that the match gives them."""

from __future__ import annotations

from typing import Any

from flask import Response

from scorepad.api.asking import Holder, answer, body, holder, the_pad
from scorepad.api.matches import request_id, shaped
from scorepad.api.shapes import UndoneAnswer
from scorepad.api.telling import named
from scorepad.api.troubles import speech, trouble
from scorepad.matches.answers import NoteWanted, Refused, Saved, Stale
from scorepad.matches.values import MatchState, Said
from scorepad.matches.who import SIDE_KEYS
from scorepad.rules.entries import Hand
from scorepad.rules.judge import Judgement, judge
from scorepad.schemas import answer as hand_answer
from scorepad.schemas import read_hand
from scorepad.schemas.forms import HandForm
from scorepad.schemas.matches import read_correction, read_new_hand, read_undo
from scorepad.schemas.matches_forms import CorrectionForm, NewHandForm

_OF_A_HAND = frozenset(HandForm.model_fields)


def count(match: str) -> Response:
    """Count the coming hand."""
    held = holder(match)
    pad = the_pad()
    pad.doors.let_write(held.match, held.device)
    form = read_new_hand(body())
    state = pad.state(held.match, held.device)
    coming = pad.open(held.match, held.device)
    if form.number != coming.number:
        return trouble(409, "number")
    if form.version != coming.version:
        return trouble(409, "being-typed")
    hand, read = _read(form, state, coming.number)
    if read.strangers:
        return _strangers(state, read, coming.number)
    told = pad.count(
        request_id(), held.match, held.device, coming.id, coming.version, hand, None, Said(form.remark, form.agreed)
    )
    return _counted(told, held, read, coming.number, 201)


def correct(match: str, number: int) -> Response:
    """Put a counted hand right."""
    held = holder(match)
    pad = the_pad()
    pad.doors.let_write(held.match, held.device)
    form = read_correction(body())
    state = pad.state(held.match, held.device)
    if not 1 <= number <= len(state.hands):
        return trouble(404, "no-hand")
    hand, read = _read(form, state, number)
    if read.strangers:
        return _strangers(state, read, number)
    told = pad.correct(
        request_id(), held.match, held.device, number, form.entry, hand, form.note, Said(form.remark, form.agreed)
    )
    return _counted(told, held, read, number, 200)


def undo(match: str) -> Response:
    """Undo the last thing done."""
    held = holder(match)
    pad = the_pad()
    pad.doors.let_write(held.match, held.device)
    form = read_undo(body())
    told = pad.undo(request_id(), held.match, held.device, form.sequence, form.note)
    if isinstance(told, NoteWanted):
        return trouble(409, "note-wanted")
    if isinstance(told, Stale):
        return trouble(409)
    return shaped(UndoneAnswer(sequence=pad.pulse(held.match, held.device).sequence))


def _read(form: NewHandForm | CorrectionForm, state: MatchState, number: int) -> tuple[dict[str, Any], Hand]:
    """A hand as the pad keeps it, and as it was sent, sides by name. Raises Unusable."""
    names = tuple(side.name for side in state.sides)
    sent = form.model_dump(include=set(_OF_A_HAND), exclude_unset=True)
    if "deal" in state.rules.entry_fields:
        sent["deal"] = state.called(number)
    before = tuple(side.before for side in state.hands[number - 1].sides) if number <= len(state.hands) else None
    read = read_hand(sent, state.rules, names, before or tuple(side.total for side in state.sides))
    keys = dict(zip(names, SIDE_KEYS, strict=False))
    known = {**keys, **{name: name for name in form.sides if name not in keys}}
    return ({} if read.strangers else named({key: sent[key] for key in sent if key != "deal"}, known)), read


def _strangers(state: MatchState, read: Hand, number: int) -> Response:
    """A hand that names sides which the match has not: told as any other problem."""
    return _told(judge(state.rules, read), read, number, state.sequence, saved=False)


def _counted(told: Saved | Refused | NoteWanted | Stale, held: Holder, read: Hand, number: int, done: int) -> Response:
    match told:
        case Saved(judgement=Judgement() as judgement):
            sequence = the_pad().pulse(held.match, held.device).sequence
            return _told(judgement, read, number, sequence, saved=True, status=done)
        case Refused(judgement=judgement):
            sequence = the_pad().pulse(held.match, held.device).sequence
            return _told(judgement, read, number, sequence, saved=False)
        case NoteWanted():
            return trouble(409, "note-wanted")
    return trouble(409)


def _told(judgement: Judgement, read: Hand, number: int, sequence: int, *, saved: bool, status: int = 200) -> Response:
    told = hand_answer(judgement, read, speech())
    return answer({**told, "saved": saved, "number": number, "sequence": sequence}, status)
