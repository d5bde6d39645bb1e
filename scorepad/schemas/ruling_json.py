"""Questions for the referee, decoded from JSON, and the answers as JSON.

The keys of a question are the fields of its class in `referee.questions`, under the names that they
have in JSON; a key that is omitted has the default value.

`hand`, a card string, is the player's whole hand and replaces the melds shown (`melds`, `with`; for
`out` it is the hand to lay on the `table` and discard from). The verdict is then whether any legal
way exists, and the details include the best one, in order: `way`, a list in which a new meld is a
card string and cards laid on a meld of the question's `table` are `{"on": its index from 0,
"cards": a card string}`; the pile's top card, which is not part of the hand, is included in its
meld, which comes first. For `out` also `discard`: a card, or null.

A discard (`card`, `discard`) is one card, or as many threes of one colour as may be discarded at
once: `4x3r` in mini.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from functools import cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.i18n.findings import reason_words
from scorepad.referee.answering import answer_to
from scorepad.referee.questions import (
    QUESTIONS,
    AnyQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PileQuestion,
    RedThreesQuestion,
    fields_of,
    is_of_whole_hand,
)
from scorepad.referee.ruling import Alternative, Answer, LaidCards, Reason, Ruling, Verdict
from scorepad.rules.cards import NOTHING, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.json_types import Word
from scorepad.schemas.answer_types import AlternativeAnswer, ReasonAnswer, RulingAnswer, Standing
from scorepad.schemas.fields import (
    Path,
    Unusable,
    check_json_text,
    decode,
    quote,
    refuse_unknown,
    unusable,
)
from scorepad.schemas.hand_requests import refuse_deal
from scorepad.schemas.requests import RulesInput


class HeadInput(RulesInput):
    """The keys of every question: its kind, and the rules that apply."""

    kind: Word


_HEAD = frozenset(HeadInput.model_fields)
_SHOWN_MELDS = ("melds", "with")
"""The keys of melds that a player shows, which a whole hand replaces."""
_ONLY_WITH_OPENING = ("score", "deal")
"""The keys that a going out takes only if it may open in the same turn."""
TOO_MANY_WAYS = "unusable.too-many-ways"
_ANY_OBJECT = TypeAdapter(dict[str, Any])


class RulingRequest(NamedTuple):
    """A question with the rules that apply."""

    rules: Ruleset
    question: AnyQuestion


# -------------------------------------------------------------------------------- reading a question


def read_question(source: str | bytes) -> RulingRequest:
    """Read a question with its variant, preset and options. Raises Unusable."""
    check_json_text(source)
    try:
        raw = _ANY_OBJECT.validate_json(source)
    except ValidationError as error:
        raise unusable(error, _takes_of_head, "unusable.not-question") from None
    _require_known_kind(raw)
    head = {key: given for key, given in raw.items() if key in _HEAD}
    rules = decode(HeadInput, head, _takes_of_head).settled()
    question = {key: given for key, given in raw.items() if key == "kind" or key not in _HEAD}
    return read_question_of_match(question, rules)


def read_question_of_match(raw: Mapping[str, Any], rules: Ruleset) -> RulingRequest:
    """Read a question about a match whose rules are known. Raises Unusable."""
    kind = _require_known_kind(raw)
    given = {key: value for key, value in raw.items() if key != "kind"}
    _refuse_keys_of_other_kinds(kind, given)
    question = _decode(kind, given, rules)
    _refuse_keys_that_exclude_each_other(kind, given)
    if "deal" in given:
        refuse_deal(given["deal"], rules)
    if isinstance(question, RedThreesQuestion):
        refuse_unknown(question.canastas, rules.items, "canastas")
    return RulingRequest(rules, question)


def _decode(kind: str, given: Mapping[str, Any], rules: Ruleset) -> AnyQuestion:
    fields = fields_of(kind)

    def takes(path: Path) -> str:
        field_type = fields[str(path[0])].type
        return field_type.inside if len(path) > 1 else field_type.accepts

    try:
        return _adapter(kind).validate_python(given, context=rules)
    except ValidationError as error:
        raise unusable(error, takes, "unusable.not-object") from None


@cache
def _adapter(kind: str) -> TypeAdapter[AnyQuestion]:
    return TypeAdapter(QUESTIONS[kind])


def _require_known_kind(raw: Mapping[str, Any]) -> str:
    known = ", ".join(QUESTIONS)
    if "kind" not in raw:
        raise Unusable("unusable.missing", "kind", takes="kind", known=known)
    kind = raw["kind"]
    if not isinstance(kind, str):
        raise Unusable("unusable.wrong", "kind", takes="kind", known=known)
    if kind not in QUESTIONS:
        raise Unusable("unusable.kind", "kind", given=quote(kind), known=known)
    return kind


def _refuse_keys_of_other_kinds(kind: str, given: Mapping[str, Any]) -> None:
    for key in sorted(given.keys() - keys_of_kind(kind)):
        others = [other for other in QUESTIONS if key in keys_of_kind(other)]
        if others:
            raise Unusable("unusable.other-kind", key, given=kind, known=", ".join(others))


def _refuse_keys_that_exclude_each_other(kind: str, given: Mapping[str, Any]) -> None:
    if given.get("hand") is not None:
        for key in _SHOWN_MELDS:
            if key in given:
                raise Unusable("unusable.beside-hand", key)
    elif kind == "out" and not given.get("concealed"):
        for key in _ONLY_WITH_OPENING:
            if key in given:
                raise Unusable("unusable.only-with-hand", key)


def keys_of_kind(kind: str) -> frozenset[str]:
    """The keys of this kind of question besides those of every question."""
    return frozenset(fields_of(kind))


def _takes_of_head(path: Path) -> str:
    return "option" if len(path) > 1 else str(path[0])


def question_schema(kind: str) -> dict[str, Any]:
    """The JSON schema of this kind of question, without the keys of every question."""
    schema = _adapter(kind).json_schema()
    for key, each in fields_of(kind).items():
        if each.default is MISSING:
            continue
        # Such a default only says that no value was given, or has another form in JSON.
        if each.default in (None, NOTHING, (), {}):
            schema["properties"][key]["default"] = each.type.omitted
    return schema


# ------------------------------------------------------------------------------------------ answering


def answer_request(request: RulingRequest) -> Answer:
    """The referee's answer. Raises Unusable for a hand that can be laid in too many ways."""
    try:
        return answer_to(request.rules, request.question)
    except TooManyWays:
        raise Unusable(TOO_MANY_WAYS, "hand") from None


def asks_about_hand(request: RulingRequest) -> bool:
    """Whether the best way to play a whole hand is wanted, which takes longer than other questions."""
    return is_of_whole_hand(request.question)


def ruling_answer(request: RulingRequest, answer: Answer, words: Words) -> RulingAnswer:
    """The response to a question, in one language."""
    ruling = answer.ruling
    game = request.rules.variant
    words = words.with_rules(request.rules)
    numbered = _has_numbered_melds(request.question)
    reasons: list[ReasonAnswer] = []
    for reason in ruling.reasons:
        message = reason_words(reason, words, game=game, numbered=numbered)
        reasons.append(
            {
                "code": reason.code,
                "message": message,
                "sources": list(reason.sources),
                "standing": _standing_in_json(ruling, reason),
            }
        )
    return {
        "verdict": ruling.verdict.value,
        "reasons": reasons,
        "details": _details_in_json(ruling),
        "elsewhere": [_alternative_in_json(other) for other in answer.others],
    }


def _has_numbered_melds(question: AnyQuestion) -> bool:
    """Whether the question has several melds, which the reasons then name by their number."""
    match question:
        case OpeningQuestion(melds=melds) | PileQuestion(laid=melds) | OutQuestion(table=melds):
            return len(melds) > 1
        case MeldQuestion(table=other_melds):
            return bool(other_melds)
        case _:
            return False


def _standing_in_json(ruling: Ruling, reason: Reason) -> Standing:
    """The standing of a reason; those of a silent ruling have none."""
    if reason.standing is None or ruling.verdict is Verdict.SILENT:
        return None
    return reason.standing.value


def _alternative_in_json(other: Alternative) -> AlternativeAnswer:
    return {
        "preset": other.preset,
        "options": dict(other.options),
        "verdict": other.ruling.verdict.value,
        "details": _details_in_json(other.ruling),
        "sources": list(other.sources),
    }


def _details_in_json(ruling: Ruling) -> dict[str, Any]:
    """The details of the case, and the best way to play a whole hand."""
    details: dict[str, Any] = dict(ruling.details)
    if ruling.play:
        details["way"] = [_laid_in_json(laid) for laid in ruling.play.laid]
        if ruling.play.discard is not None:
            details["discard"] = write_cards(ruling.play.discard) or None
    return details


def _laid_in_json(laid: LaidCards) -> str | dict[str, Any]:
    cards = write_cards(laid.cards)
    if laid.on is None:
        return cards
    return {"on": laid.on, "cards": cards}
