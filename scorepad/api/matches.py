"""Matches: started, shown, counted, corrected, undone and exported. Access to a match is by its key,
sent with every request; there are no cookies.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import IO, Any, NamedTuple, cast

from flask import Response, current_app, request, url_for
from werkzeug.wsgi import wrap_file

from scorepad.api.error_responses import status_error
from scorepad.api.operations import operation
from scorepad.api.responses import error_response, in_language, json_body, json_response, speech
from scorepad.heavy import heavy_work
from scorepad.i18n import Words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, RequestId, make_program_id
from scorepad.matches.events import HandState, Labels
from scorepad.matches.hands import SentHand, ShownDraft, find_open_hand
from scorepad.matches.keys import Keys, NoSuchKey
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import ReasonWanted, Refused, Saved, Stale
from scorepad.rules.definitions import Ends
from scorepad.rules.hand import Hand, encode_hand
from scorepad.rules.json_types import JsonContext
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
from scorepad.schemas.hand_requests import (
    HandRequest,
    make_hand_request,
    read_chosen_rules,
    read_given_keys,
)
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
    state = _load_match_of_key()
    line: MatchLine = {
        **_match_head(state),
        "names": [side.name for side in state.sides],
        "totals": [side.total for side in state.sides],
        "hands": len(state.hands),
    }
    return json_response({"matches": [line]})


@operation("post", "/matches", {201: "BegunAnswer"}, "NewMatchInput", (507,))
def begin() -> Response:
    """Start a match, and answer with the match and its two keys, to write and to view."""
    new_match = _read_new_match(json_body())
    # The server itself starts it, so that it has no owner yet: that will be the first browser that
    # enters with its write key.
    result = _current_pad().actions.start(_new_request_id(), ADMIN, new_match)
    if isinstance(result, NamesRefused):
        return _names_refused(result)

    keys = result.keys
    assert keys is not None, "a match just begun has its keys"
    # The program enters it too, which does not make it the owner.
    state = _current_pad().devices.enter_and_load(keys.write, make_program_id(keys.write))
    return _begun_response(state, keys)


@operation("get", "/matches/<match>", {200: "MatchAnswer"})
def match(match: str) -> Response:
    """Show a match with its hands."""
    state = _load_match_of_key(match)
    return json_response(_match_answer(state))


@operation("get", "/matches/<match>/export", {200: "ExportFile"}, error_statuses=(413, 507))
def export(match: str) -> Response:
    """Export a match in full, as a JSON file for `scorepad import`."""
    state = _load_match_of_key(match)  # refuses a key that does not open this match
    with heavy_work():
        file = _current_pad().exports.write_scratch_file(state.id, _device_of_key())
    content = wrap_file(request.environ, cast("IO[bytes]", file))
    # Passed through as it is, the file is sent and closed by the server.
    response = Response(content, content_type="application/json", direct_passthrough=True)
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
    state = _load_match_of_key(match, to_write=True)
    context = JsonContext(state.names)
    body = read_sent_hand(HAND_TO_COUNT, json_body(), context)
    next_hand = find_open_hand(state)
    next_number = len(state.hands) + 1
    if body.number != next_number:  # the program sends a hand that was counted already
        return status_error(409, "number")
    if body.version != next_hand.version:  # players are typing this hand into its form
        return status_error(409, "being-typed")

    posted = _posted_hand(body, context, state, next_number)
    if posted.names_unknown_side:
        return _unsaved_response(posted, posted.request.judge())
    result = _current_pad().count(
        _new_request_id(),
        state.id,
        _device_of_key(),
        shown=ShownDraft(next_hand.id, next_hand.version),
        sent=SentHand(hand=posted.request.hand, remark=body.remark, agreed=body.agreed),
    )
    return _hand_response(posted, result, saved_status=201)


@operation(
    "put", "/matches/<match>/hands/<int:number>", {200: "CountedAnswer"}, "HandToCorrect", (507,)
)
def correct(match: str, number: int) -> Response:
    """Correct a counted hand; `number` is its number in the match, from 1."""
    state = _load_match_of_key(match, to_write=True)
    context = JsonContext(state.names)
    body = read_sent_hand(HAND_TO_CORRECT, json_body(), context)
    if not 1 <= number <= len(state.hands):
        return status_error(404, "no-hand")

    posted = _posted_hand(body, context, state, number)
    if posted.names_unknown_side:
        return _unsaved_response(posted, posted.request.judge())
    sent = SentHand(
        hand=posted.request.hand,
        remark=body.remark,
        agreed=body.agreed,
        reason=body.reason,
    )
    result = _current_pad().correct(
        _new_request_id(),
        state.id,
        _device_of_key(),
        number=number,
        seen_entry=body.entry,
        sent=sent,
    )
    return _hand_response(posted, result, saved_status=200)


@operation("post", "/matches/<match>/undo", {200: "UndoneAnswer"}, "UndoInput", (507,))
def undo(match: str) -> Response:
    """Undo the last action on a match."""
    state = _load_match_of_key(match, to_write=True)
    body = read_sent(UndoInput, json_body())
    result = _current_pad().undo(
        _new_request_id(),
        state.id,
        _device_of_key(),
        seen_sequence=body.sequence,
        reason=body.reason,
    )
    if isinstance(result, Saved):
        return json_response({"sequence": result.sequence})
    if isinstance(result, ReasonWanted):
        return status_error(409, "note-wanted")
    return status_error(409)  # stale: the match changed after the program read it


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


def _device_of_key() -> DeviceId:
    """The device that stands for all programs with the key of the request. Raises NoSuchKey."""
    return make_program_id(_key())


def _load_match_of_key(match: str | None = None, *, to_write: bool = False) -> MatchState:
    """Load the match that the key of the request opens, after checking that the key allows it.

    With the first request, the program is registered as a device of the match. Raises NoSuchKey;
    MatchNotFound if the key opens another match than `match`; NotAllowed if the request is
    `to_write` and the key is one to view.
    """
    devices = _current_pad().devices
    return devices.enter_and_load(_key(), _device_of_key(), match, to_write=to_write)


def _new_request_id() -> RequestId:
    """A new id for what is to be stored.

    The id does not keep a request from being stored twice. The version of the match that the
    program has seen does, which it sends along.
    """
    return RequestId(secrets.token_urlsafe(16))


def _read_new_match(body: bytes) -> NewMatch:
    """Read the match that a program asks to start from JSON.

    Raises Unusable, also if there are no such rules.
    """
    given = read_sent(NewMatchInput, body)
    read_chosen_rules(given.variant, given.preset, given.options)  # raises if there are none
    side, seat = given.dealer
    return NewMatch(
        variant=given.variant,
        preset=given.preset,
        options=given.options,
        labels=Labels(given.names, given.players, place=given.place),
        dealer=(side, seat),
        carried=given.carried,
        played=given.played,
        ends=cast("Ends | None", given.ends),  # the model's validator has converted it
    )


class _PostedHand(NamedTuple):
    """A hand that a program sent for a match, as the hand of this number (from 1)."""

    match: MatchState
    number: int
    request: HandRequest

    @property
    def names_unknown_side(self) -> bool:
        """Whether it names a side that the match does not have: it can be checked, not counted."""
        return bool(self.request.unknown_names)


def _posted_hand(
    body: HandToCount | HandToCorrect, context: JsonContext, match: MatchState, number: int
) -> _PostedHand:
    """The hand in the body of the request, to be scored by the rules of the match.

    `context` is the one with which the body was decoded. Raises Unusable if these rules cannot be
    applied to the hand.
    """
    hand_request = make_hand_request(
        body,
        read_given_keys(request.get_data()),
        context,
        rules=match.rules,
        before=match.scores[number - 1],
    )
    numbered_hand = replace(hand_request.hand, deal=match.called(number))
    return _PostedHand(match, number, hand_request._replace(hand=numbered_hand))


# ------------------------------------------------------------------------------------------ answers


def _begun_response(state: MatchState, keys: Keys) -> Response:
    """The response to starting a match: the match, its keys, and its address."""
    begun: BegunAnswer = {
        "match": _match_answer(state),
        "keys": {"write": keys.write, "view": keys.view},
    }
    response = json_response(begun, 201)
    response.headers["Location"] = url_for("api.match", match=state.id)
    response.headers["Cache-Control"] = "no-store"  # the keys are secret
    return response


def _hand_response(
    posted: _PostedHand,
    result: Saved | Refused | ReasonWanted | Stale,
    *,
    saved_status: int,
) -> Response:
    """The response to a hand that was sent; `saved_status` is its status if the hand was saved."""
    if isinstance(result, Stale):
        return status_error(409)
    if isinstance(result, ReasonWanted):
        return status_error(409, "note-wanted")
    if isinstance(result, Refused):
        return _unsaved_response(posted, result.judgement)

    assert result.judgement is not None, "a hand that was saved was judged"
    answer = hand_answer(result.judgement, posted.request.names, _speech_of(posted.match))
    saved = {**answer, "saved": True, "number": posted.number, "sequence": result.sequence}
    return json_response(saved, saved_status)


def _unsaved_response(posted: _PostedHand, judgement: Judgement) -> Response:
    """The response to a hand that was not saved: its score, and what is wrong with it."""
    match = posted.match
    answer = hand_answer(judgement, posted.request.names, _speech_of(match))
    unsaved = {**answer, "saved": False, "number": posted.number, "sequence": match.sequence}
    return json_response(unsaved)


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
    """The JSON of a counted hand, in the form in which a program sends one.

    Two keys are there even without a value, as null: who went `out` (ended the hand), and in games
    that have it, which side played `single` (alone against the two others).
    """
    encoded = encode_hand(hand, state.names)
    if "out" not in encoded:
        encoded["out"] = None
    if "single" in state.rules.entry_fields and "single" not in encoded:
        encoded["single"] = None
    return encoded


def _hand_answer(state: MatchState, hand: HandState) -> HandAnswer:
    """A counted hand of a match, as it was counted last.

    `entry` is the number of the log entry with that count, by which a program corrects it.
    """
    last_count = hand.versions[-1]
    sides = {}
    for match_side, hand_side in zip(state.sides, hand.sides, strict=True):
        sides[match_side.name] = hand_side_answer(hand_side)
    return {
        "number": hand.number,
        "entry": last_count.sequence,
        "at": as_moment(last_count.at),
        "hand": _hand_json(state, hand.counted.hand),
        "sides": sides,
        "corrected": hand.is_corrected,
        "confirmed": hand.confirmed is not None,
        "contested": hand.contest is not None,
        "remark": hand.remark,
        "agreed": hand.counted.agreed,
    }
