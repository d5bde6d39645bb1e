"""Matches: started, shown, counted, corrected, undone and exported. Access to a match is by its key,
sent with every request; there are no cookies.
"""

from __future__ import annotations

import secrets
from typing import IO, Any, cast

from flask import Response, current_app, request, url_for
from werkzeug.wsgi import wrap_file

from scorepad.api.error_responses import status_error
from scorepad.api.operations import operation
from scorepad.api.responses import error_response, in_language, json_body, json_response, speech
from scorepad.heavy import heavy_work
from scorepad.i18n import Words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId, RequestId, program_of
from scorepad.matches.events import HandState, Labels
from scorepad.matches.hands import SentHand, ShownDraft, open_hand
from scorepad.matches.keys import NoSuchKey
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import ReasonWanted, Refused, Saved, Stale
from scorepad.rules.definitions import Ends
from scorepad.rules.hand import Hand, encode_hand
from scorepad.rules.judging import Judgement
from scorepad.schemas import score_answer as hand_answer
from scorepad.schemas.answer_types import (
    AccessName,
    BegunAnswer,
    ComingAnswer,
    HandAnswer,
    MatchAnswer,
    MatchHead,
    MatchLine,
    hand_side_answer,
)
from scorepad.schemas.hand_requests import HandRequest, given_keys, hand_request
from scorepad.schemas.requests import (
    HAND_TO_CORRECT,
    HAND_TO_COUNT,
    HandToCorrect,
    HandToCount,
    NewMatchInput,
    UndoInput,
    read_sent,
    read_sent_hand,
)
from scorepad.storage.rows import as_moment

PAD = "scorepad.matches"
"""The key of the Pad among Flask's extensions."""


@operation("get", "/matches", {200: "MatchesAnswer"})
def matches() -> Response:
    """List the matches that the key gives access to."""
    state = _state()
    line: MatchLine = {
        **_match_head(state),
        "names": [side.name for side in state.sides],
        "totals": [side.total for side in state.sides],
        "hands": len(state.hands),
    }
    return json_response({"matches": [line]})


@operation("post", "/matches", {201: "BegunAnswer"}, "NewMatchInput", (507,))
def begin() -> Response:
    """Start a match, which the first device that enters with its write key owns."""
    form = read_sent(NewMatchInput, json_body())
    form.settled()  # raises Unusable if there are no such rules
    # Started by the server itself: a match without an owner becomes that of the first device that
    # enters.
    saved = _current_pad().actions.start(_request_id(), ADMIN, _new_match(form))
    if isinstance(saved, NamesRefused):
        return _names_refused(saved)

    assert saved.keys is not None, "a match just begun has its keys"
    keys = saved.keys
    state = _current_pad().devices.enter_and_load(keys.write, program_of(keys.write))
    begun: BegunAnswer = {
        "match": _match_answer(state),
        "keys": {"write": keys.write, "view": keys.view},
    }
    response = json_response(begun, 201)
    response.headers["Location"] = url_for("api.match", match=saved.match)
    response.headers["Cache-Control"] = "no-store"
    return response


@operation("get", "/matches/<match>", {200: "MatchAnswer"})
def match(match: str) -> Response:
    """Show a match with its hands."""
    return json_response(_match_answer(_state(match)))


@operation("get", "/matches/<match>/export", {200: "ExportFile"}, error_statuses=(413, 507))
def export(match: str) -> Response:
    """Export a match in full, for `scorepad import`."""
    state = _state(match)
    with heavy_work():
        file = _current_pad().exports.scratch_file(state.id, program_of(_key()))
    # The server sends the file and closes it.
    response = Response(
        wrap_file(request.environ, cast("IO[bytes]", file)),
        content_type="application/json",
        direct_passthrough=True,
    )
    return in_language(response)


@operation(
    "post",
    "/matches/<match>/hands",
    {200: "CountedAnswer", 201: "CountedAnswer"},
    "HandToCount",
    (507,),
)
def count(match: str) -> Response:
    """Count the next hand."""
    state = _state(match, to_write=True)
    form = read_sent_hand(HAND_TO_COUNT, json_body(), state.names)
    coming = open_hand(state)
    number = len(state.hands) + 1
    if form.number != number:
        return status_error(409, "number")
    if form.version != coming.version:
        return status_error(409, "being-typed")
    asked = _asked_hand(form, state, number)
    if asked.unknown_names:
        return _unsaved_hand(asked.judge(), asked, state, number)
    sent = SentHand(hand=asked.hand, remark=form.remark, agreed=form.agreed)
    shown = ShownDraft(coming.id, coming.version)
    result = _current_pad().count(*_submission(state), shown, sent)
    return _answer_of_hand(result, asked, state, number, saved_status=201)


@operation(
    "put", "/matches/<match>/hands/<int:number>", {200: "CountedAnswer"}, "HandToCorrect", (507,)
)
def correct(match: str, number: int) -> Response:
    """Correct a counted hand."""
    state = _state(match, to_write=True)
    form = read_sent_hand(HAND_TO_CORRECT, json_body(), state.names)
    if not 1 <= number <= len(state.hands):
        return status_error(404, "no-hand")
    asked = _asked_hand(form, state, number)
    if asked.unknown_names:
        return _unsaved_hand(asked.judge(), asked, state, number)
    sent = SentHand(hand=asked.hand, remark=form.remark, agreed=form.agreed, reason=form.reason)
    result = _current_pad().correct(*_submission(state), number, form.entry, sent)
    return _answer_of_hand(result, asked, state, number, saved_status=200)


@operation("post", "/matches/<match>/undo", {200: "UndoneAnswer"}, "UndoInput", (507,))
def undo(match: str) -> Response:
    """Undo the last action."""
    state = _state(match, to_write=True)
    form = read_sent(UndoInput, json_body())
    result = _current_pad().undo(*_submission(state), form.sequence, form.reason)
    if isinstance(result, Saved):
        return json_response({"sequence": result.sequence})
    if isinstance(result, ReasonWanted):
        return status_error(409, "note-wanted")
    return status_error(409)


# ----------------------------------------------------------------------------------------- requests


def _current_pad() -> Pad:
    pad: Pad = current_app.extensions[PAD]
    return pad


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
    return _current_pad().devices.enter_and_load(key, program_of(key), match, to_write=to_write)


def _request_id() -> RequestId:
    """A new request id: the seen version in the request prevents duplicates."""
    return RequestId(secrets.token_urlsafe(16))


def _new_match(form: NewMatchInput) -> NewMatch:
    """The match that a program asks to start."""
    side, seat = form.dealer
    return NewMatch(
        variant=form.variant,
        preset=form.preset,
        options=form.options,
        labels=Labels(form.names, form.players, place=form.place),
        dealer=(side, seat),
        carried=form.carried,
        played=form.played,
        ends=cast("Ends | None", form.ends),  # the model's validator has converted it
    )


def _submission(state: MatchState) -> tuple[RequestId, MatchId, DeviceId]:
    """A new request about a match, from the holders of the request's key."""
    return _request_id(), state.id, program_of(_key())


def _asked_hand(form: HandToCount | HandToCorrect, state: MatchState, number: int) -> HandRequest:
    """The hand of a request, as the hand of this number; `unknown` are sides that no match has."""
    given = given_keys(request.get_data())
    hand = Hand(form.sides, form.out, form.single, state.called(number))
    return hand_request(
        hand,
        given,
        rules=state.rules,
        names=state.names,
        before=state.scores[number - 1],
    )


# ------------------------------------------------------------------------------------------ answers


def _answer_of_hand(
    result: Saved | Refused | ReasonWanted | Stale,
    asked: HandRequest,
    state: MatchState,
    number: int,
    *,
    saved_status: int,
) -> Response:
    """The response to a hand that was sent; `saved_status` is its status if the hand was saved."""
    if isinstance(result, Stale):
        return status_error(409)
    if isinstance(result, ReasonWanted):
        return status_error(409, "note-wanted")
    if isinstance(result, Refused):
        return _unsaved_hand(result.judgement, asked, state, number)

    assert result.judgement is not None, "a hand that was saved was judged"
    answer = hand_answer(result.judgement, asked.names, _speech_of(state))
    counted = {**answer, "saved": True, "number": number, "sequence": result.sequence}
    return json_response(counted, saved_status)


def _unsaved_hand(
    judgement: Judgement, asked: HandRequest, state: MatchState, number: int
) -> Response:
    """The score of a hand with its problems, which was not saved."""
    answer = hand_answer(judgement, asked.names, _speech_of(state))
    refused = {**answer, "saved": False, "number": number, "sequence": state.sequence}
    return json_response(refused)


def _speech_of(state: MatchState) -> Words:
    """The messages in the language of the request, with the words of the rules of the match."""
    return speech().with_rules(state.rules)


def _names_refused(refused: NamesRefused) -> Response:
    """An error response for the first problem with the names."""
    problem = refused.problems[0]
    words = speech()
    arguments = {} if problem.limit is None else {"limit": problem.limit}
    text = words.t(f"web.names.{problem.code}", **arguments)
    key = "/".join(map(str, problem.where))
    return error_response(words.t("api.error.names", key=key, text=text), "unusable", 400)


def _match_head(state: MatchState) -> MatchHead:
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
    return {
        **_match_head(state),
        "preset": state.rules.preset,
        "options": dict(state.rules.options),
        "unit": state.rules.settings.unit,
        "place": state.labels.place,
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
        "coming": _coming_answer(state),
        "target": state.status.target,
        "ending": state.ending.how.value if state.ending else None,
    }


def _coming_answer(state: MatchState) -> ComingAnswer | None:
    """The hand to be counted next; None if the match is over."""
    if state.status.finished:
        return None
    return {
        "number": len(state.hands) + 1,
        "dealer": list(state.next_turn.dealer),
        "version": state.open_hand.version if state.open_hand else 0,
    }


def _hand_json(state: MatchState, hand: Hand) -> dict[str, Any]:
    """A counted hand as a program sends it."""
    encoded = encode_hand(hand, state.names)
    encoded.setdefault("out", None)
    if "single" in state.rules.entry_fields:
        encoded.setdefault("single", None)
    return encoded


def _hand_answer(state: MatchState, hand: HandState) -> HandAnswer:
    names = [side.name for side in state.sides]
    version = hand.versions[-1]
    return {
        "number": hand.number,
        "entry": version.sequence,
        "at": as_moment(version.at),
        "hand": _hand_json(state, hand.counted.hand),
        "sides": {
            name: hand_side_answer(side) for name, side in zip(names, hand.sides, strict=True)
        },
        "corrected": hand.is_corrected,
        "confirmed": hand.confirmed is not None,
        "contested": hand.contest is not None,
        "remark": hand.remark,
        "agreed": hand.counted.agreed,
    }
