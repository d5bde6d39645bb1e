"""Matches: started, shown, counted, corrected, undone and exported. Access to a match is by its key,
sent with every request; there are no cookies.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import IO, Any, Generic, TypeVar, cast

from flask import Response, current_app, request, url_for
from pydantic import TypeAdapter
from werkzeug.wsgi import wrap_file

from scorepad.api.error_responses import build_status_error
from scorepad.api.operations import operation
from scorepad.api.responses import (
    error_response,
    json_response,
    read_json_body,
    set_language_headers,
    speech,
)
from scorepad.heavy import one_heavy_job_at_a_time
from scorepad.i18n import Words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, RequestId, make_program_id
from scorepad.matches.events import HandState, Labels
from scorepad.matches.hands import SentHand, ShownDraft, find_open_hand
from scorepad.matches.keys import Keys, NoSuchKey
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import MatchState, NewMatch, SideState
from scorepad.matches.transaction import ReasonWanted, Refused, Saved, Stale
from scorepad.rules.definitions import Ends
from scorepad.rules.hand import Hand, encode_hand
from scorepad.rules.json_types import JsonContext
from scorepad.rules.judging import Judgement
from scorepad.schemas import build_score_answer as hand_answer
from scorepad.schemas.answer_types import (
    AccessName,
    BegunAnswer,
    ComingAnswer,
    HandAnswer,
    MatchAnswer,
    MatchHead,
    MatchLine,
    SideAnswer,
    build_hand_side_answer,
)
from scorepad.schemas.hand_requests import (
    GivenKeys,
    HandRequest,
    make_hand_request,
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

_Body = TypeVar("_Body", HandToCount, HandToCorrect)

PAD = "scorepad.matches"
"""The key of the Pad among Flask's extensions."""


@operation("get", "/matches", {200: "MatchesAnswer"})
def matches() -> Response:
    """Answer with the matches that the key of the request opens: a list of one match."""
    state = _load_match_of_key()
    line: MatchLine = {
        **_build_match_head(state),
        "names": [side.name for side in state.sides],
        "totals": [side.total for side in state.sides],
        "hands": len(state.hands),
    }
    return json_response({"matches": [line]})


@operation("post", "/matches", {201: "BegunAnswer"}, "NewMatchInput", error_statuses=(507,))
def begin() -> Response:
    """Start a match, and answer with the match and its two keys: one to write, one to view only.

    The match has no owner yet. The first browser that enters it with the key to write owns it.
    """
    new_match = _read_new_match(read_json_body())
    # ADMIN stands for the server itself, which starts the match but does not become its owner.
    result = _current_pad().actions.start(_make_request_id(), ADMIN, new_match)
    if isinstance(result, NamesRefused):
        return _build_refused_names_response(result)

    keys = result.keys
    assert keys is not None, "a match just begun has its keys"
    # The program that asked enters the match with the key to write. It does not own it by that.
    state = _current_pad().devices.enter_and_load(keys.write, make_program_id(keys.write))
    return _build_begun_response(state, keys)


@operation("get", "/matches/<match>", {200: "MatchAnswer"})
def match(match: str) -> Response:
    """Answer with a match and its hands (rounds)."""
    state = _load_match_of_key(match)
    return json_response(_build_match_answer(state))


@operation("get", "/matches/<match>/export", {200: "ExportFile"}, error_statuses=(413, 507))
def export(match: str) -> Response:
    """Export a match in full, as a JSON file that the command `scorepad import` reads."""
    state = _load_match_of_key(match)  # raises if the key does not open this match
    with one_heavy_job_at_a_time():  # only a few requests may write such files at the same time
        temporary_file = _current_pad().exports.write_scratch_file(state.id, _device_of_key())

    content = wrap_file(request.environ, cast("IO[bytes]", temporary_file))
    # `direct_passthrough` lets the server send the file in pieces, and close it at the end.
    response = Response(content, content_type="application/json", direct_passthrough=True)
    return set_language_headers(response)


@operation(
    "post",
    "/matches/<match>/hands",
    {200: "CountedAnswer", 201: "CountedAnswer"},
    "HandToCount",
)
def count(match: str) -> Response:
    """Check and score the next hand (round) of a match, and store it if the rules allow it.

    The status of the response is 201 if the hand is stored now, 200 if its cards break the rules (the
    body lists how), and 409 if the match has changed since the program read it.
    """
    state = _load_match_of_key(match, to_write=True)
    sent = _read_hand_of_program(HAND_TO_COUNT, state)
    number = len(state.hands) + 1
    open_form = find_open_hand(state)  # the form into which players type the next hand
    if sent.body.number != number:  # the program sends a hand that was counted already
        return build_status_error(409, "number")
    if sent.body.version != open_form.version:  # they have typed since the program read the match
        return build_status_error(409, "being-typed")

    hand_request = sent.apply_rules(number)
    if hand_request.unknown_names:  # a hand that names other sides than those of the match
        return _build_unsaved_response(state, number, hand_request.judge(), hand_request.names)
    result = _current_pad().count(
        _make_request_id(),
        state.id,
        _device_of_key(),
        shown=ShownDraft(open_form.id, open_form.version),
        sent=SentHand(hand=hand_request.hand, remark=sent.body.remark, agreed=sent.body.agreed),
    )
    return _build_hand_response(state, number, result, status_if_saved=201)


@operation("put", "/matches/<match>/hands/<int:number>", {200: "CountedAnswer"}, "HandToCorrect")
def correct(match: str, number: int) -> Response:
    """Correct a hand (round) of a match that was counted, and store it if the rules allow it.

    `number` is the number of the hand in the match, from 1. The status of the response is 200 if the
    hand is stored, and also if its cards break the rules: then `saved` in the body is false.
    """
    state = _load_match_of_key(match, to_write=True)
    sent = _read_hand_of_program(HAND_TO_CORRECT, state)
    if not 1 <= number <= len(state.hands):
        return build_status_error(404, "no-hand")

    hand_request = sent.apply_rules(number)
    if hand_request.unknown_names:  # a hand that names other sides than those of the match
        return _build_unsaved_response(state, number, hand_request.judge(), hand_request.names)
    corrected_hand = SentHand(
        hand=hand_request.hand,
        remark=sent.body.remark,
        agreed=sent.body.agreed,
        reason=sent.body.reason,
    )
    result = _current_pad().correct(
        _make_request_id(),
        state.id,
        _device_of_key(),
        number=number,
        seen_entry=sent.body.entry,  # which version of the hand the program has read
        sent=corrected_hand,
    )
    return _build_hand_response(state, number, result, status_if_saved=200)


@operation("post", "/matches/<match>/undo", {200: "UndoneAnswer"}, "UndoInput")
def undo(match: str) -> Response:
    """Undo the last action on a match, such as the count of a hand (round).

    The program sends the number of the last log entry that it has read (`sequence`). If the match has
    changed since then, nothing is undone, and the status of the response is 409.
    """
    state = _load_match_of_key(match, to_write=True)
    body = read_sent(UndoInput, read_json_body())
    result = _current_pad().undo(
        _make_request_id(),
        state.id,
        _device_of_key(),
        seen_sequence=body.sequence,
        reason=body.reason,
    )
    if isinstance(result, Saved):
        return json_response({"sequence": result.sequence})
    if isinstance(result, ReasonWanted):  # "… changing it takes a note that says why."
        return build_status_error(409, "note-wanted")
    return build_status_error(409)  # stale: the match changed after the program read it


# ----------------------------------------------------------------------------------------- requests


def _current_pad() -> Pad:
    """Return the Pad of the application, which reads and changes the matches."""
    pad: Pad = current_app.extensions[PAD]
    return pad


def _key_of_request() -> str:
    """Return the key of a match that the request sends in its header `Authorization: Bearer KEY`.

    Raises NoSuchKey if there is no such header.
    """
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise NoSuchKey
    return key


def _device_of_key() -> DeviceId:
    """Return the id of the device that stands for all programs with the key of the request.

    The log of a match says which device did what. Raises NoSuchKey if the request has no key.
    """
    return make_program_id(_key_of_request())


def _load_match_of_key(match: str | None = None, *, to_write: bool = False) -> MatchState:
    """Load the match that the key of the request opens, after checking that the key allows it.

    With the first request, the program is registered as a device of the match. Raises NoSuchKey;
    MatchNotFound if the key opens another match than `match`; NotAllowed if the request is
    `to_write` and the key is one to view.
    """
    devices = _current_pad().devices
    return devices.enter_and_load(_key_of_request(), _device_of_key(), match, to_write=to_write)


def _make_request_id() -> RequestId:
    """Make a random id for what a request stores.

    A browser sends such an id itself, so that a form sent twice is stored once. Programs do not: they
    send the version of the match that they have read, and a second request no longer fits it.
    """
    return RequestId(secrets.token_urlsafe(16))


def _read_new_match(body: bytes) -> NewMatch:
    """Read the match that a program asks to start from the JSON in the body of its request.

    Raises Unusable if a key or a value is wrong, or if there are no such rules.
    """
    given = read_sent(NewMatchInput, body)
    given.settle_rules()  # raises an error if there are no such rules
    side, seat = given.dealer  # the positions of the first dealer's side, and of the dealer on it
    # After how many hands or minutes the match ends. A validator has made it from the JSON.
    ends = cast("Ends | None", given.ends)
    return NewMatch(
        variant=given.variant,
        preset=given.preset,
        options=given.options,
        labels=Labels(given.names, given.players, place=given.place),
        dealer=(side, seat),
        carried=given.carried,  # the totals of a match that was begun on paper
        played=given.played,  # the number of hands that were played there
        ends=ends,
    )


@dataclass(frozen=True, slots=True)
class _HandOfProgram(Generic[_Body]):
    """A hand (round) that a program sent for a match, decoded, but not checked by the rules yet."""

    match: MatchState
    body: _Body
    """What was sent: the hand, and how it is to be stored."""
    keys: GivenKeys
    context: JsonContext

    def apply_rules(self, number: int) -> HandRequest:
        """Make the hand ready to be judged by the rules, as the hand of this number in the match.

        Numbers begin with 1. Raises Unusable if the rules cannot be applied to the hand.
        """
        hand_request = make_hand_request(
            self.body,
            self.keys,
            self.context,
            rules=self.match.rules,
            before=self.match.scores[number - 1],  # the match scores before this hand
        )
        # The rules may go by the number of the hand, which also counts hands played on paper. It is
        # set here, whatever the program has sent.
        numbered_hand = replace(hand_request.hand, deal=self.match.number_for_players(number))
        return hand_request._replace(hand=numbered_hand)


def _read_hand_of_program(wanted: TypeAdapter[_Body], match: MatchState) -> _HandOfProgram[_Body]:
    """Read the hand (round) that a program sends for a match in the body of its request.

    `wanted` is `HAND_TO_COUNT` or `HAND_TO_CORRECT`. Raises Unusable if it is no such hand.
    """
    sent_json = read_json_body()
    context = JsonContext(match.names)
    body = read_sent_hand(wanted, sent_json, context)
    return _HandOfProgram(match, body, read_given_keys(sent_json), context)


# ------------------------------------------------------------------------------------------ answers


def _build_begun_response(state: MatchState, keys: Keys) -> Response:
    """Build the response to the start of a match: the match, its keys, and its address."""
    begun: BegunAnswer = {
        "match": _build_match_answer(state),
        "keys": {"write": keys.write, "view": keys.view},
    }
    response = json_response(begun, 201)
    response.headers["Location"] = url_for("api.match", match=state.id)
    response.headers["Cache-Control"] = "no-store"  # the keys are secret
    return response


def _build_hand_response(
    state: MatchState,
    number: int,
    result: Saved | Refused | ReasonWanted | Stale,
    *,
    status_if_saved: int,
) -> Response:
    """Build the response to a hand (round) that a program sent, from the result of storing it.

    `number` is that of the hand in the match.
    """
    if isinstance(result, Stale):  # the match has changed since the program read it
        return build_status_error(409)
    if isinstance(result, ReasonWanted):  # "… changing it takes a note that says why."
        return build_status_error(409, "note-wanted")
    if isinstance(result, Refused):  # the cards break the rules
        return _build_unsaved_response(state, number, result.judgement, state.names)

    assert result.judgement is not None, "a hand that was saved was judged"
    answer = hand_answer(result.judgement, state.names, _find_words_for_match(state))
    saved = {**answer, "saved": True, "number": number, "sequence": result.sequence}
    return json_response(saved, status_if_saved)


def _build_unsaved_response(
    state: MatchState, number: int, judgement: Judgement, names: tuple[str, ...]
) -> Response:
    """Build the response to a hand (round) that was not stored: what is wrong with it.

    `number` is that of the hand in the match, and `names` are those of the sides in the hand.
    """
    answer = hand_answer(judgement, names, _find_words_for_match(state))
    # The last log entry of the match is still the same.
    unsaved = {**answer, "saved": False, "number": number, "sequence": state.sequence}
    return json_response(unsaved)


def _find_words_for_match(state: MatchState) -> Words:
    """Return the messages in the language of the request, to speak about this match.

    A user's own rules can have names of their own, for a penalty say. They are added.
    """
    return speech().with_rules(state.rules)


def _build_refused_names_response(refused: NamesRefused) -> Response:
    """Build the response to names that a match cannot have: status 400, for the first problem.

    The sentence names the key in the JSON: `“names/0”: A name is missing here. Write one.`
    """
    problem = refused.problems[0]  # a response has one sentence
    words = speech()
    arguments = {} if problem.limit is None else {"limit": problem.limit}
    text = words.t(f"web.names.{problem.code}", **arguments)
    key = "/".join(map(str, problem.where))  # ("names", 0) → "names/0"
    return error_response(words.t("api.error.names", key=key, text=text), "unusable", 400)


def _build_match_head(state: MatchState) -> MatchHead:
    """Build the fields that all answers about a match have: its game, times, access, and winner."""
    winner_name = None
    if state.status.winner is not None:  # the position of the side that won
        winner_name = state.sides[state.status.winner].name
    return {
        "id": state.id,
        "variant": state.rules.variant,
        "started": as_moment(state.started),
        "changed": as_moment(state.changed),
        "access": cast("AccessName", state.access.value),  # never none: the key gives access
        "finished": state.status.finished,
        "winner": winner_name,
    }


def _build_match_answer(state: MatchState) -> MatchAnswer:
    """Build the answer about a match: its rules, its sides with their totals, and all its hands.

    A hand is a round of the game. The match ends when a side reaches the `target`, or as `ends`
    says: after so many hands or minutes.
    """
    rules = state.rules
    return {
        **_build_match_head(state),
        "preset": rules.preset,
        "options": dict(rules.options),
        "unit": rules.settings.unit,  # what the totals count: `points` of cards, or `units`
        "place": state.labels.place,
        "sequence": state.sequence,  # the number of the last entry in the log of the match
        "practice": state.practice,
        "played": state.played,  # the hands that were played on paper before
        "ends": {"hands": rules.ends.hands, "minutes": rules.ends.minutes},
        "sides": [_build_side_answer(side) for side in state.sides],
        "hands": [_build_hand_answer(state, hand) for hand in state.hands],
        "coming": _build_next_hand(state),
        "target": state.status.target,
        "ending": state.ending.how.value if state.ending else None,
    }


def _build_side_answer(side: SideState) -> SideAnswer:
    """Build the answer about a side of a match: its players, and how many points it has.

    `opening_minimum` is how many points its first cards on the table must be worth in the next
    hand.
    """
    return {
        "name": side.name,
        "players": list(side.players),
        "total": side.total,
        "opening_minimum": side.minimum,
    }


def _build_next_hand(state: MatchState) -> ComingAnswer | None:
    """Build what a program needs to count the next hand (round); None if the match is over.

    `version` is that of the form into which players type the hand; 0 if nothing is typed yet. The
    program sends it back, so that it does not overwrite what it has not seen.
    """
    if state.status.finished:
        return None
    side, player = state.next_turn.dealer  # the position of the side, and of the player on it
    version = state.open_hand.version if state.open_hand else 0
    return {
        "number": len(state.hands) + 1,
        "dealer": [side, player],
        "version": version,
    }


def _encode_counted_hand(state: MatchState, hand: Hand) -> dict[str, Any]:
    """Encode a counted hand (round) as JSON, in the form in which a program sends one.

    Unlike there, two keys are never left out, even if they are null. `out` is who played the last
    card. `single`, in games that have it, is the side that played alone against the two others.
    """
    encoded = encode_hand(hand, state.names)
    encoded.setdefault("out", None)
    if "single" in state.rules.entry_fields:
        encoded.setdefault("single", None)
    return encoded


def _build_hand_answer(state: MatchState, hand: HandState) -> HandAnswer:
    """Build the answer about a hand (round) of a match, as it was counted last.

    A hand can be counted again to correct it. `entry` is the number of the log entry with the last
    count: a program that corrects the hand sends it back.
    """
    last_count = hand.versions[-1]
    sides = {}
    for match_side, hand_side in zip(state.sides, hand.sides, strict=True):
        sides[match_side.name] = build_hand_side_answer(hand_side)
    return {
        "number": hand.number,
        "entry": last_count.sequence,
        "at": as_moment(last_count.at),
        "hand": _encode_counted_hand(state, hand.counted.hand),
        "sides": sides,
        "corrected": hand.is_corrected,
        "confirmed": hand.confirmed is not None,  # the other side agreed to the count
        "contested": hand.contest is not None,  # the other side counted it differently
        "remark": hand.remark,
        "agreed": hand.counted.agreed,  # why the players count it although it breaks rules
    }
