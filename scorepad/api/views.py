"""The JSON contract over HTTP. A match is opened by its key, sent with every request; there are no cookies.

Errors are always `{"error": "…", "code": "…"}`: a sentence in the language asked for and a code.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from flask import Blueprint, Response, abort, current_app, make_response, request, url_for
from pydantic_core import to_json
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from scorepad.errors import ChoiceError, NewerError
from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.matches import Pad
from scorepad.matches.access import (
    KEEPER,
    SIDE_KEYS,
    DeviceId,
    MatchId,
    MatchNotFound,
    MatchOver,
    NoSuchKey,
    NotAllowed,
    RequestId,
    RequestRefused,
)
from scorepad.matches.hands import HandNotes, open_hand
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import HandState, MatchState, NewMatch
from scorepad.matches.transaction import RETRY_AFTER, NoteWanted, Overloaded, Refused, Saved, Stale, heavy_work
from scorepad.rules.judge import Judgement, judge
from scorepad.rules.table import Hand
from scorepad.schemas import Unusable, read_asked, read_hand
from scorepad.schemas import answer as hand_answer
from scorepad.schemas.answers import (
    AccessName,
    BegunAnswer,
    ComingAnswer,
    HandAnswer,
    MatchAnswer,
    MatchLine,
    line_answer,
)
from scorepad.schemas.hands import (
    CorrectionForm,
    HandForm,
    NewHandForm,
    NewMatchForm,
    UndoForm,
    read_sent,
    settled,
)
from scorepad.schemas.variants import variant_list, variant_whole
from scorepad.storage.connection import Busy, NoRoom, StorageError
from scorepad.storage.rows import as_moment

PREFIX = "/api/v1"
PAD = "scorepad.matches"
"""The key of the Pad among Flask's extensions."""
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)

_CODES = {
    400: "bad-request", 401: "no-key", 403: "not-allowed", 404: "not-found", 405: "method", 409: "stale",
    413: "too-large", 415: "not-json", 429: "too-many", 503: "busy",
}  # fmt: skip
"""The code of each status; its sentence is `api.error.CODE`."""

_OWN_CODES = ("host", "origin", "many-matches")
"""Refusals with a code of their own."""

_REFUSALS: Mapping[type[Exception], tuple[Any, ...]] = {
    NoSuchKey: (401,), MatchNotFound: (404, "no-match"), NotAllowed: (403,), MatchOver: (409, "over"),
    RequestRefused: (409,), Busy: (503,), NoRoom: (507, "no-room"), Overloaded: (503, "overloaded"),
}  # fmt: skip
"""The status of each exception, and the code where that is not the status's."""

_HAND_KEYS = frozenset(HandForm.model_fields)


# ---------------------------------------------------------------------------------------------------- rules


@blueprint.post("/score")
def score() -> Response:
    """Score a hand."""
    asked = read_asked(_body())
    return _json(hand_answer(judge(asked.rules, asked.hand), asked.hand, speech()))


@blueprint.post("/rulings")
def rulings() -> Response:
    """Ask the referee."""
    from scorepad.referee.case import answer_to  # the pad starts without the referee
    from scorepad.schemas.rulings import read_question, ruling_answer

    question = read_question(_body())
    return _json(ruling_answer(question, answer_to(question.rules, question.asked), speech()))


@blueprint.get("/variants")
def variants() -> Response:
    """List the variants."""
    return _json(variant_list(speech()))


@blueprint.get("/variants/<variant>")
def variant(variant: str) -> Response:
    """Show one variant whole."""
    try:
        return _json(variant_whole(variant, speech()))
    except ChoiceError:
        abort(404)


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    from scorepad.api.openapi import document  # rarely asked for, and long to make

    return _json(document(speech()))


# ---------------------------------------------------------------------------------------------------- matches


@blueprint.get("/matches")
def opened() -> Response:
    """List the matches that the key opens."""
    held = _holder()
    return _json({"matches": [_match_line(_pad().state(held.match, held.device))]})


@blueprint.post("/matches")
def begin() -> Response:
    """Begin a match: it belongs to the first who brings its key to write."""
    # Begun by the server itself and then entered by the key: a match without an owner becomes the first comer's.
    saved = _pad().actions.start(_request_id(), KEEPER, _new_match(read_sent(NewMatchForm, _body())))
    if isinstance(saved, NamesRefused):
        return _names_refused(saved)
    assert saved.keys is not None, "a match just begun has its keys"
    device = _device_of(saved.keys.write)
    _pad().devices.enter(saved.keys.write, device)
    begun: BegunAnswer = {
        "match": _match_answer(_pad().state(saved.match, device)),
        "keys": {"write": saved.keys.write, "view": saved.keys.view},
    }
    made = _json(begun, 201)
    made.headers["Location"] = url_for("api.match", match=saved.match)
    made.headers["Cache-Control"] = "no-store"
    return made


@blueprint.get("/matches/<match>")
def match(match: str) -> Response:
    """Show a match as it stands, with its hands."""
    held = _holder(match)
    return _json(_match_answer(_pad().state(held.match, held.device)))


@blueprint.get("/matches/<match>/export")
def export(match: str) -> Response:
    """Export a match whole, as `scorepad import` takes it."""
    held = _holder(match)
    with heavy_work():
        made = make_response(_pad().exports.match(held.match, held.device).encoded())
    made.headers["Content-Type"] = "application/json"
    return in_language(made)


@blueprint.post("/matches/<match>/hands")
def count(match: str) -> Response:
    """Count the coming hand."""
    held = _holder(match)
    state = _pad().state(held.match, held.device, to_write=True)
    form = read_sent(NewHandForm, _body())
    coming, number = open_hand(state), len(state.hands) + 1
    if form.number != number:
        return trouble(409, "number")
    if form.version != coming.version:
        return trouble(409, "being-typed")
    hand, read = _read_hand(form, state, number)
    if read.strangers:
        return _judged(judge(state.rules, read), read, number, state.sequence, saved=False)
    notes = HandNotes(form.remark, form.agreed)
    result = _pad().count(_request_id(), held.match, held.device, coming.id, coming.version, hand, None, notes)
    return _counted(result, state, read, number, 201)


@blueprint.put("/matches/<match>/hands/<int:number>")
def correct(match: str, number: int) -> Response:
    """Correct a counted hand."""
    held = _holder(match)
    state = _pad().state(held.match, held.device, to_write=True)
    form = read_sent(CorrectionForm, _body())
    if not 1 <= number <= len(state.hands):
        return trouble(404, "no-hand")
    hand, read = _read_hand(form, state, number)
    if read.strangers:
        return _judged(judge(state.rules, read), read, number, state.sequence, saved=False)
    notes = HandNotes(form.remark, form.agreed)
    result = _pad().correct(_request_id(), held.match, held.device, number, form.entry, hand, form.note, notes)
    return _counted(result, state, read, number, 200)


@blueprint.post("/matches/<match>/undo")
def undo(match: str) -> Response:
    """Undo the last thing done."""
    held = _holder(match)
    _pad().devices.let_write(held.match, held.device)
    form = read_sent(UndoForm, _body())
    result = _pad().undo(_request_id(), held.match, held.device, form.sequence, form.note)
    if isinstance(result, NoteWanted):
        return trouble(409, "note-wanted")
    if isinstance(result, Stale):
        return trouble(409)
    return _json({"sequence": result.sequence})


# ---------------------------------------------------------------------------------------------------- requests


@dataclass(frozen=True, slots=True)
class _Holder:
    """A program with a key: the match that it opens, and the device that stands for all who have this key."""

    match: MatchId
    device: DeviceId


def _pad() -> Pad:
    pad = current_app.extensions[PAD]
    assert isinstance(pad, Pad)
    return pad


def _body() -> bytes:
    """The body of a request, which must be JSON: 415 for anything else, 413 for too much of it."""
    if request.mimetype != "application/json":
        abort(415)
    return request.get_data(cache=False)


def _holder(match: str | None = None) -> _Holder:
    """The program that sent the request, admitted by its key. Raises NoSuchKey, and MatchNotFound for another match."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise NoSuchKey
    device = _device_of(key)
    entered = _pad().devices.enter(key, device)
    if match not in (None, entered.match):
        raise MatchNotFound(match or "")
    return _Holder(entered.match, device)


def _device_of(key: str) -> DeviceId:
    """The device of those who have a key: nobody can tell it without the key."""
    return DeviceId(f"api-{hashlib.sha256(f'device of {key.strip().lower()}'.encode()).hexdigest()}")


def _request_id() -> RequestId:
    """A fresh request id: what a request says it has seen makes it count once."""
    return RequestId(secrets.token_urlsafe(16))


def _new_match(form: NewMatchForm) -> NewMatch:
    settled(form.variant, form.preset, form.options)  # Unusable where there are no such rules
    side, player = form.dealer
    return NewMatch(
        variant=form.variant,
        preset=form.preset,
        options=form.options,
        names=tuple(form.names),
        players=tuple(map(tuple, form.players)),
        dealer=(side, player),
        place=form.place,
        carried=tuple(form.carried),
        played=form.played,
    )


def _read_hand(form: NewHandForm | CorrectionForm, state: MatchState, number: int) -> tuple[dict[str, Any], Hand]:
    """A hand as it is stored, and as it was sent, sides by name. Raises Unusable."""
    names = tuple(side.name for side in state.sides)
    sent = form.model_dump(include=set(_HAND_KEYS), exclude_unset=True)
    if "deal" in state.rules.entry_fields:
        sent["deal"] = state.called(number)
    read = read_hand(sent, state.rules, names, state.scores[number - 1])
    if read.strangers:
        return {}, read
    keys = dict(zip(names, SIDE_KEYS, strict=False))
    return _renamed({key: value for key, value in sent.items() if key != "deal"}, keys), read


def _renamed(hand: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A hand whose sides have other names."""
    renamed = {**hand, "sides": {names[key]: side for key, side in hand["sides"].items()}}
    if hand.get("out"):
        renamed["out"] = {**hand["out"], "side": names[hand["out"]["side"]]}
    if hand.get("single"):
        renamed["single"] = names[hand["single"]]
    return renamed


# ---------------------------------------------------------------------------------------------------- answers


def _json(answer: object, status: int = 200) -> Response:
    """An answer in JSON, in the language asked for."""
    return in_language(Response(to_json(answer, exclude_none=False), status, content_type="application/json"))


def _names_refused(refused: NamesRefused) -> Response:
    """The first thing that is wrong with the names, by its key."""
    problem, words = refused.problems[0], speech()
    figures = {} if problem.limit is None else {"limit": problem.limit}
    text = words.text(f"web.names.{problem.code}", **figures)
    key = "/".join(map(str, problem.where))
    return error_answer(words.text("api.error.names", key=key, text=text), "unusable", 400)


def _counted(
    result: Saved | Refused | NoteWanted | Stale, state: MatchState, read: Hand, number: int, status: int
) -> Response:
    match result:
        case Saved(judgement=Judgement() as judgement):
            return _judged(judgement, read, number, result.sequence, saved=True, status=status)
        case Refused(judgement=judgement):
            return _judged(judgement, read, number, state.sequence, saved=False)
        case NoteWanted():
            return trouble(409, "note-wanted")
    return trouble(409)


def _judged(
    judgement: Judgement, read: Hand, number: int, sequence: int, *, saved: bool, status: int = 200
) -> Response:
    answer = hand_answer(judgement, read, speech())
    return _json({**answer, "saved": saved, "number": number, "sequence": sequence}, status)


def _match_line(state: MatchState) -> MatchLine:
    return {
        "id": state.id,
        "variant": state.rules.variant,
        "names": [side.name for side in state.sides],
        "totals": [side.total for side in state.sides],
        "hands": len(state.hands),
        "finished": state.standing.finished,
        "winner": _winner(state),
        "started": as_moment(state.started),
        "changed": as_moment(state.changed),
        "access": _access(state),
    }


def _match_answer(state: MatchState) -> MatchAnswer:
    coming: ComingAnswer | None = None
    if not state.standing.finished:
        version = state.open_hand.version if state.open_hand else 0
        coming = {"number": len(state.hands) + 1, "dealer": list(state.next_turn.dealer), "version": version}
    return {
        "id": state.id,
        "variant": state.rules.variant,
        "preset": state.rules.preset,
        "options": dict(state.rules.options),
        "unit": state.rules.settings.unit,
        "place": state.place,
        "started": as_moment(state.started),
        "changed": as_moment(state.changed),
        "sequence": state.sequence,
        "access": _access(state),
        "practice": state.practice,
        "played": state.played,
        "sides": [
            {"name": side.name, "players": list(side.players), "total": side.total, "opening_minimum": side.minimum}
            for side in state.sides
        ],
        "hands": [_hand_answer(state, hand) for hand in state.hands],
        "coming": coming,
        "target": state.standing.target,
        "finished": state.standing.finished,
        "winner": _winner(state),
        "ending": state.ending.how.value if state.ending else None,
    }


def _access(state: MatchState) -> AccessName:
    return cast("AccessName", state.access.value)  # never none: the key opens the match


def _winner(state: MatchState) -> str | None:
    return None if state.standing.winner is None else state.sides[state.standing.winner].name


def _hand_answer(state: MatchState, hand: HandState) -> HandAnswer:
    names = [side.name for side in state.sides]
    version = hand.versions[-1]
    return {
        "number": hand.number,
        "entry": version.sequence,
        "at": as_moment(version.at),
        "hand": _renamed(hand.counted.hand, dict(zip(SIDE_KEYS, names, strict=False))),  # type: ignore[typeddict-item]
        "sides": {
            name: {
                "lines": [line_answer(line) for line in side.lines],
                "before": side.total - side.hand,
                "hand": side.hand,
                "total": side.total,
                "opened": side.opened,
                "opening_minimum": side.opening_minimum,
            }
            for name, side in zip(names, hand.sides, strict=True)
        },
        "corrected": hand.is_corrected,
        "confirmed": hand.confirmed is not None,
        "contested": hand.contest is not None,
        "remark": hand.remark,
        "agreed": hand.counted.agreed,
    }


# ---------------------------------------------------------------------------------------------------- errors


def speech() -> Words:
    """The words of the language that the request asks for; Italian if it asks for neither."""
    found = request.accept_languages.best_match([language.value for language in LANGUAGES])
    return words(found or Language.ITALIAN)


def is_api_path(path: str) -> bool:
    """Whether a path belongs to the API."""
    return path.startswith("/api/")


def error_answer(sentence: str, code: str, status: int) -> Response:
    """An error in the form of all of them."""
    octets = to_json({"error": sentence, "code": code})
    return in_language(Response(octets, status, content_type="application/json"))


def trouble(status: int, code: str = "") -> Response:
    """An error by its status, or by its own code."""
    word = code or code_of(status)
    answer = error_answer(speech().text(f"api.error.{word}"), word, status)
    if status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if word == "overloaded":
        answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer


def code_of(status: int) -> str:
    """The code of a status."""
    return _CODES.get(status) or ("broken" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "bad-request")


def in_language(answer: Response) -> Response:
    """Mark the answer with the language of its sentences."""
    answer.headers["Content-Language"] = speech().language.value
    answer.vary.add("Accept-Language")
    return answer


@blueprint.errorhandler(HTTPException)
def http(error: HTTPException) -> Response | HTTPException:
    """What Flask or a view refuses; redirects stay."""
    status = error.code or 500
    if error.response is not None or status < HTTPStatus.BAD_REQUEST:
        return error
    answer = trouble(status, error.description if error.description in _OWN_CODES else "")
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.allow.update(error.valid_methods)
    return answer


@blueprint.errorhandler(Unusable)
def _unusable(error: Unusable) -> Response:
    return error_answer(error.message(speech()), "unusable", 400)


@blueprint.errorhandler(StorageError)
@blueprint.errorhandler(NewerError)
def _storage(error: StorageError | NewerError) -> Response:
    current_app.logger.error("%s", error)
    return trouble(503, "storage")


def _answer_with(*refusal: Any) -> Callable[[Exception], Response]:
    return lambda _: trouble(*refusal)


for kind, refusal in _REFUSALS.items():
    blueprint.register_error_handler(kind, _answer_with(*refusal))
