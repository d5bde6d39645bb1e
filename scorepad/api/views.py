"""The JSON contract over HTTP. Access to a match is by its key, sent with every request; there are
no cookies.

Errors are always `{"error": "…", "code": "…"}`: a sentence in the requested language and a code.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from http import HTTPStatus
from typing import IO, Any, NamedTuple, TypeVar, cast

from flask import Blueprint, Response, abort, current_app, request, url_for
from pydantic_core import from_json, to_json
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.wsgi import wrap_file

from scorepad.errors import ChoiceError, NewerError, ScorepadError
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
    program_of,
)
from scorepad.matches.hands import HandNotes, open_hand
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import HandState, MatchState, NewMatch
from scorepad.matches.transaction import (
    RETRY_AFTER,
    DraftTooLong,
    LogFull,
    Overloaded,
    ReasonWanted,
    Refused,
    Saved,
    Stale,
    heavy_work,
)
from scorepad.rules.judge import judge
from scorepad.rules.table import Hand
from scorepad.schemas import Unusable, read_asked, read_hand
from scorepad.schemas import answer as hand_answer
from scorepad.schemas.answers import (
    AccessName,
    BegunAnswer,
    ComingAnswer,
    HandAnswer,
    MatchAnswer,
    MatchHead,
    MatchLine,
    hand_side_answer,
)
from scorepad.schemas.hands import (
    CorrectionInput,
    HandInput,
    NewHandInput,
    NewMatchInput,
    UndoInput,
    read_sent,
)
from scorepad.schemas.variants import variant_list, variant_whole
from scorepad.storage.connection import Busy, NoRoom, NoRoomToSave, StorageError
from scorepad.storage.rows import as_moment
from scorepad.storage.scratch import ScratchFull, ScratchTooLarge

PREFIX = "/api/v1"
PAD = "scorepad.matches"
"""The key of the Pad among Flask's extensions."""
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)

_CODES = {
    400: "bad-request", 401: "no-key", 403: "not-allowed", 404: "not-found", 405: "method", 409: "stale",
    413: "too-large", 415: "not-json", 429: "too-many", 503: "busy",
}  # fmt: skip
"""The code of each status; its message key is `api.error.CODE`."""

_OWN_CODES = ("host", "origin", "many-matches")
"""Refusals with their own code."""

_REFUSALS: Mapping[type[ScorepadError], tuple[int, str]] = {
    NoSuchKey: (401, ""), MatchNotFound: (404, "no-match"), NotAllowed: (403, ""), MatchOver: (409, "over"),
    LogFull: (409, "log-full"), DraftTooLong: (413, ""), RequestRefused: (409, ""), Busy: (503, ""),
    NoRoomToSave: (507, "no-room-to-save"), NoRoom: (507, "no-room"), Overloaded: (503, "overloaded"),
    ScratchFull: (503, "overloaded"), ScratchTooLarge: (413, "large-export"),
    StorageError: (503, "storage"), NewerError: (503, "storage"),
}  # fmt: skip
"""The status of each exception, and its code if it differs from the status's."""

_HAND_KEYS = HandInput.model_fields.keys() - {"deal"}
_View = TypeVar("_View", bound=Callable[..., Response])
_Save = Callable[..., Saved | Refused | ReasonWanted | Stale]


class Operation(NamedTuple):
    """A route of the document. `answers` are the response types by status, `troubles` additional
    error statuses.
    """

    id: str
    method: str
    path: str
    answers: Mapping[int, str]
    body: str
    troubles: tuple[int, ...]

    @property
    def keyed(self) -> bool:
        """Whether it needs a key: every operation on matches except starting one."""
        return self.path.startswith("/matches") and self.id != "begin"

    @property
    def places(self) -> list[str]:
        """The parameters of its path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def statuses(self) -> list[int]:
        """Every status of its responses."""
        troubles = {503, *self.troubles}
        troubles |= {400, 413, 415} if self.body else set()
        troubles |= {404} if self.places else set()
        troubles |= {401} if self.keyed else set()
        troubles |= {403, 409, 507} if self.keyed and self.body else set()
        # Public read operations have no rate limit.
        troubles |= {429} if self.keyed or self.body else set()
        return sorted({*self.answers, *troubles})


OPERATIONS: list[Operation] = []
"""Every route, in the order of the document."""


def operation(
    method: str,
    path: str,
    answers: Mapping[int, str],
    body: str = "",
    troubles: tuple[int, ...] = (),
) -> Callable[[_View], _View]:
    """Register a view and its operation, both under the name of the function."""

    def register(view: _View) -> _View:
        name = view.__name__
        blueprint.add_url_rule(path, name, view, methods=[method.upper()])
        OPERATIONS.append(
            Operation(
                name, method, re.sub(r"<(?:int:)?(\w+)>", r"{\1}", path), answers, body, troubles
            )
        )
        return view

    return register


# -------------------------------------------------------------------------------------------- rules


@operation("post", "/score", {200: "ScoreAnswer"}, "AskedInput")
def score() -> Response:
    """Score a hand."""
    asked = read_asked(_body())
    return _json(hand_answer(judge(asked.rules, asked.hand), asked.hand, speech()))


@operation("post", "/rulings", {200: "RulingAnswer"}, "RulingQuestion")
def rulings() -> Response:
    """Ask the referee."""
    # Not imported at start.
    from scorepad.schemas.rulings import (
        answer_question,
        asks_about_hand,
        read_question,
        ruling_answer,
    )

    question = read_question(_body())
    with heavy_work() if asks_about_hand(question) else nullcontext():
        answer = answer_question(question)
    return _json(ruling_answer(question, answer, speech()))


@operation("get", "/variants", {200: "VariantLine[]"})
def variants() -> Response:
    """List the variants."""
    return _json(variant_list(speech()))


@operation("get", "/variants/<variant>", {200: "VariantAnswer"})
def variant(variant: str) -> Response:
    """Show one variant in full."""
    try:
        return _json(variant_whole(variant, speech()))
    except ChoiceError:
        abort(404)


@operation("get", "/openapi.json", {200: "Document"})
def openapi() -> Response:
    """The OpenAPI document."""
    from scorepad.api.openapi import document  # rarely requested, and slow to build

    return _json(document(speech()))


# ------------------------------------------------------------------------------------------ matches


@operation("get", "/matches", {200: "MatchesAnswer"})
def matches() -> Response:
    """List the matches that the key gives access to."""
    state = _state()
    line: MatchLine = {
        **_head(state),
        "names": [side.name for side in state.sides],
        "totals": [side.total for side in state.sides],
        "hands": len(state.hands),
    }
    return _json({"matches": [line]})


@operation("post", "/matches", {201: "BegunAnswer"}, "NewMatchInput", (507,))
def begin() -> Response:
    """Start a match, which the first device that enters with its write key owns."""
    form = read_sent(NewMatchInput, _body())
    form.settled()  # raises Unusable if there are no such rules
    # Started by the server itself: a match without an owner becomes that of the first device that
    # enters.
    saved = _pad().actions.start(_request_id(), KEEPER, NewMatch(**dict(form)))
    if isinstance(saved, NamesRefused):
        return _names_refused(saved)
    assert saved.keys is not None, "a match just begun has its keys"
    begun: BegunAnswer = {
        "match": _match_answer(
            _pad().devices.state(saved.keys.write, program_of(saved.keys.write))
        ),
        "keys": {"write": saved.keys.write, "view": saved.keys.view},
    }
    made = _json(begun, 201)
    made.headers["Location"] = url_for("api.match", match=saved.match)
    made.headers["Cache-Control"] = "no-store"
    return made


@operation("get", "/matches/<match>", {200: "MatchAnswer"})
def match(match: str) -> Response:
    """Show a match with its hands."""
    return _json(_match_answer(_state(match)))


@operation("get", "/matches/<match>/export", {200: "ExportFile"}, troubles=(413, 507))
def export(match: str) -> Response:
    """Export a match in full, for `scorepad import`."""
    state = _state(match)
    with heavy_work():
        file = _pad().exports.scratch_file(state.id, program_of(_key()))
    # The server sends the file and closes it.
    made = Response(
        wrap_file(request.environ, cast("IO[bytes]", file)),
        content_type="application/json",
        direct_passthrough=True,
    )
    return in_language(made)


@operation(
    "post",
    "/matches/<match>/hands",
    {200: "CountedAnswer", 201: "CountedAnswer"},
    "NewHandInput",
    (507,),
)
def count(match: str) -> Response:
    """Count the next hand."""
    state = _state(match, to_write=True)
    form = read_sent(NewHandInput, _body())
    coming, number = open_hand(state), len(state.hands) + 1
    if form.number != number:
        return trouble(409, "number")
    if form.version != coming.version:
        return trouble(409, "being-typed")
    save = partial(_pad().count, *_submission(state), coming.id, coming.version)
    return _save_hand(form, state, number, save, 201)


@operation(
    "put", "/matches/<match>/hands/<int:number>", {200: "CountedAnswer"}, "CorrectionInput", (507,)
)
def correct(match: str, number: int) -> Response:
    """Correct a counted hand."""
    state = _state(match, to_write=True)
    form = read_sent(CorrectionInput, _body())
    if not 1 <= number <= len(state.hands):
        return trouble(404, "no-hand")
    save = partial(_pad().correct, *_submission(state), number, form.entry, reason=form.note)
    return _save_hand(form, state, number, save, 200)


@operation("post", "/matches/<match>/undo", {200: "UndoneAnswer"}, "UndoInput", (507,))
def undo(match: str) -> Response:
    """Undo the last action."""
    state = _state(match, to_write=True)
    form = read_sent(UndoInput, _body())
    result = _pad().undo(*_submission(state), form.sequence, form.note)
    if isinstance(result, Saved):
        return _json({"sequence": result.sequence})
    return trouble(409, "note-wanted" if isinstance(result, ReasonWanted) else "")


# ----------------------------------------------------------------------------------------- requests


def _pad() -> Pad:
    pad: Pad = current_app.extensions[PAD]
    return pad


def _body() -> bytes:
    """The JSON body of a request: 415 for other types, 413 if too large."""
    if request.mimetype != "application/json":
        abort(415)
    return request.get_data()


def _key() -> str:
    """The key sent with the request. Raises NoSuchKey."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise NoSuchKey
    return key


def _state(match: str | None = None, *, to_write: bool = False) -> MatchState:
    """The match of the request's key. Raises NoSuchKey, NotAllowed, and MatchNotFound for another
    match.
    """
    key = _key()
    return _pad().devices.state(key, program_of(key), match, to_write=to_write)


def _request_id() -> RequestId:
    """A new request id: the seen version in the request prevents duplicates."""
    return RequestId(secrets.token_urlsafe(16))


def _submission(state: MatchState) -> tuple[RequestId, MatchId, DeviceId]:
    """A new request about a match, from the holders of the request's key."""
    return _request_id(), state.id, program_of(_key())


def _save_hand(
    form: NewHandInput | CorrectionInput, state: MatchState, number: int, save: _Save, created: int
) -> Response:  # fmt: skip
    """Save a hand, and return the response. `created`: the status if it is saved."""
    names, saved, sequence = tuple(side.name for side in state.sides), False, state.sequence

    def read_in(state: MatchState) -> Hand:
        return read_hand(form, state.rules, names, state.scores[number - 1], state.called(number))

    read = read_in(state)
    if read.strangers:
        judgement = judge(state.rules, read)
    else:
        sent = {
            key: value for key, value in from_json(request.get_data()).items() if key in _HAND_KEYS
        }
        stored = _renamed(sent, dict(zip(names, SIDE_KEYS, strict=False)))
        result = save(stored, notes=HandNotes(form.remark, form.agreed), read=read_in)
        if isinstance(result, Stale | ReasonWanted):
            return trouble(409, "note-wanted" if isinstance(result, ReasonWanted) else "")
        assert result.judgement is not None, "a hand that was saved was judged"
        judgement = result.judgement
        if isinstance(result, Saved):
            saved, sequence = True, result.sequence
    answer = hand_answer(judgement, read, speech())
    return _json(
        {**answer, "saved": saved, "number": number, "sequence": sequence},
        created if saved else 200,
    )


def _renamed(hand: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A hand with its sides renamed."""
    renamed = {**hand, "sides": {names[key]: side for key, side in hand["sides"].items()}}
    if hand.get("out"):
        renamed["out"] = {**hand["out"], "side": names[hand["out"]["side"]]}
    if hand.get("single"):
        renamed["single"] = names[hand["single"]]
    return renamed


# ------------------------------------------------------------------------------------------ answers


def _json(answer: object, status: int = 200) -> Response:
    """A JSON response in the requested language."""
    return in_language(Response(to_json(answer), status, content_type="application/json"))


def _names_refused(refused: NamesRefused) -> Response:
    """An error response for the first problem with the names."""
    problem, words = refused.problems[0], speech()
    figures = {} if problem.limit is None else {"limit": problem.limit}
    text = words.text(f"web.names.{problem.code}", **figures)
    key = "/".join(map(str, problem.where))
    return error_answer(words.text("api.error.names", key=key, text=text), "unusable", 400)


def _head(state: MatchState) -> MatchHead:
    """The common fields of a match: variant, times, access, winner."""
    winner = state.status.winner
    return {
        "id": state.id,
        "variant": state.rules.variant,
        "started": as_moment(state.started),
        "changed": as_moment(state.changed),
        "access": cast("AccessName", state.access.value),  # never none: the key gives access
        "finished": state.status.finished,
        "winner": None if winner is None else state.sides[winner].name,
    }


def _match_answer(state: MatchState) -> MatchAnswer:
    coming: ComingAnswer | None = None
    if not state.status.finished:
        version = state.open_hand.version if state.open_hand else 0
        coming = {
            "number": len(state.hands) + 1,
            "dealer": list(state.next_turn.dealer),
            "version": version,
        }
    return {
        **_head(state),
        "preset": state.rules.preset,
        "options": dict(state.rules.options),
        "unit": state.rules.settings.unit,
        "place": state.place,
        "sequence": state.sequence,
        "practice": state.practice,
        "played": state.played,
        "ends": {"hands": state.rules.ends.hands, "minutes": state.rules.ends.minutes},
        "sides": [
            {
                "name": side.name,
                "players": list(side.players),
                "total": side.total,
                "opening_minimum": side.minimum,
            }
            for side in state.sides
        ],
        "hands": [_hand_answer(state, hand) for hand in state.hands],
        "coming": coming,
        "target": state.status.target,
        "ending": state.ending.how.value if state.ending else None,
    }


def _hand_answer(state: MatchState, hand: HandState) -> HandAnswer:
    names = [side.name for side in state.sides]
    version = hand.versions[-1]
    return {
        "number": hand.number,
        "entry": version.sequence,
        "at": as_moment(version.at),
        "hand": _renamed(hand.counted.hand, dict(zip(SIDE_KEYS, names, strict=False))),
        "sides": {
            name: hand_side_answer(side) for name, side in zip(names, hand.sides, strict=True)
        },
        "corrected": hand.is_corrected,
        "confirmed": hand.confirmed is not None,
        "contested": hand.contest is not None,
        "remark": hand.remark,
        "agreed": hand.counted.agreed,
    }


# ------------------------------------------------------------------------------------------- errors


def speech() -> Words:
    """The words of the requested language; by default Italian."""
    found = request.accept_languages.best_match([language.value for language in LANGUAGES])
    return words(found or Language.ITALIAN)


def is_api_path(path: str) -> bool:
    """Whether a path belongs to the API."""
    return path.startswith("/api/")


def error_answer(sentence: str, code: str, status: int) -> Response:
    """An error response in the common form."""
    return _json({"error": sentence, "code": code}, status)


def trouble(status: int, code: str = "") -> Response:
    """An error response by status, or with its own code."""
    word = code or code_of(status)
    answer = error_answer(speech().text(f"api.error.{word}"), word, status)
    if status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if word == "overloaded":
        answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer


def code_of(status: int) -> str:
    """The code of a status."""
    return _CODES.get(status) or (
        "broken" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "bad-request"
    )


def in_language(answer: Response) -> Response:
    """Set the language headers of the response."""
    answer.headers["Content-Language"] = speech().language.value
    answer.vary.add("Accept-Language")
    return answer


@blueprint.errorhandler(HTTPException)
def http(error: HTTPException) -> Response | HTTPException:
    """Handle HTTP errors from Flask or a view; redirects are returned unchanged."""
    status = error.code or 500
    if error.response is not None or status < HTTPStatus.BAD_REQUEST:
        return error
    answer = trouble(status, error.description if error.description in _OWN_CODES else "")
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.allow.update(error.valid_methods)
    return answer


@blueprint.errorhandler(ScorepadError)
def refused(error: ScorepadError) -> Response:
    """Handle errors of the input, the match or the data file; any other is an internal error."""
    if isinstance(error, Unusable):
        return error_answer(error.message(speech()), "unusable", 400)
    if isinstance(error, StorageError) and error.reason == "full":
        return trouble(507, "disk-full")
    found = next((refusal for kind, refusal in _REFUSALS.items() if isinstance(error, kind)), None)
    if found is None:
        raise error
    if found[1] == "storage":
        current_app.logger.error("%s", error)
    return trouble(*found)
