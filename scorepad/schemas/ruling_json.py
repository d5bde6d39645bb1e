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
    """Read a question from its JSON, which also chooses the variant, preset and options.

    Raises Unusable.
    """
    check_json_text(source)
    try:
        given = _ANY_OBJECT.validate_json(source)
    except ValidationError as error:
        raise unusable(error, _expected_in_head, "unusable.not-question") from None
    _require_known_kind(given)

    head = {}
    question = {"kind": given["kind"]}
    for key, value in given.items():
        if key in _HEAD:
            head[key] = value
        else:
            question[key] = value
    rules = decode(HeadInput, head, _expected_in_head).settled()
    return read_question_of_match(question, rules)


def read_question_of_match(given: Mapping[str, Any], rules: Ruleset) -> RulingRequest:
    """Read a question, given as the keys of its JSON, about a match with these rules.

    Raises Unusable.
    """
    kind = _require_known_kind(given)
    facts = {key: value for key, value in given.items() if key != "kind"}
    _refuse_keys_of_other_kinds(kind, facts)
    question = _decode_question(kind, facts, rules)
    _refuse_keys_beside_hand(facts)
    if kind == "out":
        _refuse_keys_without_opening(facts)
    if "deal" in facts:
        refuse_deal(facts["deal"], rules)
    if isinstance(question, RedThreesQuestion):
        refuse_unknown(question.canastas, rules.items, "canastas")
    return RulingRequest(rules, question)


def _decode_question(kind: str, facts: Mapping[str, Any], rules: Ruleset) -> AnyQuestion:
    """The question of this kind from the keys of its JSON. Raises Unusable."""
    fields = fields_of(kind)

    def expected_at(path: Path) -> str:
        """What the key at this path accepts, as the end of a message key."""
        field_type = fields[str(path[0])].type
        if len(path) > 1:
            return field_type.inside
        return field_type.accepts

    try:
        return _adapter(kind).validate_python(facts, context=rules)
    except ValidationError as error:
        raise unusable(error, expected_at, "unusable.not-object") from None


@cache
def _adapter(kind: str) -> TypeAdapter[AnyQuestion]:
    return TypeAdapter(QUESTIONS[kind])


def _require_known_kind(given: Mapping[str, Any]) -> str:
    """The kind of a question, from the keys of its JSON. Raises Unusable if there is no such kind."""
    known = ", ".join(QUESTIONS)
    if "kind" not in given:
        raise Unusable("unusable.missing", "kind", takes="kind", known=known)
    kind = given["kind"]
    if not isinstance(kind, str):
        raise Unusable("unusable.wrong", "kind", takes="kind", known=known)
    if kind not in QUESTIONS:
        raise Unusable("unusable.kind", "kind", given=quote(kind), known=known)
    return kind


def _refuse_keys_of_other_kinds(kind: str, facts: Mapping[str, Any]) -> None:
    """Refuse a key that this kind of question does not have, naming the kinds that have it.

    A key that no kind has is refused where the question is decoded. Raises Unusable.
    """
    for key in sorted(facts):
        if key in keys_of_kind(kind):
            continue
        others = [other for other in QUESTIONS if key in keys_of_kind(other)]
        if others:
            raise Unusable("unusable.other-kind", key, given=kind, known=", ".join(others))


def _refuse_keys_beside_hand(facts: Mapping[str, Any]) -> None:
    """Refuse the melds that a player shows beside the player's whole hand, from which the referee
    finds the best melds. Raises Unusable.
    """
    if facts.get("hand") is None:
        return
    for key in _SHOWN_MELDS:
        if key in facts:
            raise Unusable("unusable.beside-hand", key)


def _refuse_keys_without_opening(facts: Mapping[str, Any]) -> None:
    """Refuse what only an opening needs, in a question about a going out that does not open.

    A player goes out by playing the last card. That can open (be the first melds of the side) only
    if it is concealed, or if the whole hand is given. Raises Unusable.
    """
    if facts.get("hand") is not None or facts.get("concealed"):
        return
    for key in _ONLY_WITH_OPENING:
        if key in facts:
            raise Unusable("unusable.only-with-hand", key)


def keys_of_kind(kind: str) -> frozenset[str]:
    """The keys of this kind of question besides those of every question."""
    return frozenset(fields_of(kind))


def _expected_in_head(path: Path) -> str:
    """What a key of every question accepts, as the end of a message key; inside `options`, what an
    option does.
    """
    is_inside_options = len(path) > 1
    return "option" if is_inside_options else str(path[0])


def question_schema(kind: str) -> dict[str, Any]:
    """The JSON schema of this kind of question, without the keys of every question."""
    schema = _adapter(kind).json_schema()
    for key, question_field in fields_of(kind).items():
        if question_field.default is MISSING:
            continue
        # Such a default only says that no value was given, or has another form in JSON.
        if question_field.default in (None, NOTHING, (), {}):
            schema["properties"][key]["default"] = question_field.type.omitted
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
    """The JSON of the referee's answer, with its sentences in one language."""
    words = words.with_rules(request.rules)
    return {
        "verdict": answer.ruling.verdict.value,
        "reasons": _reasons_in_json(request, answer.ruling, words),
        "details": _details_in_json(answer.ruling),
        "elsewhere": [_alternative_in_json(other) for other in answer.others],
    }


def _reasons_in_json(request: RulingRequest, ruling: Ruling, words: Words) -> list[ReasonAnswer]:
    """The reasons of a ruling, each with its sentence and its sources."""
    game = request.rules.variant
    has_numbers = _has_numbered_melds(request.question)
    reasons: list[ReasonAnswer] = []
    for reason in ruling.reasons:
        message = reason_words(reason, words, game=game, numbered=has_numbers)
        reasons.append(
            {
                "code": reason.code,
                "message": message,
                "sources": list(reason.sources),
                "standing": _standing_in_json(ruling, reason),
            }
        )
    return reasons


def _has_numbered_melds(question: AnyQuestion) -> bool:
    """Whether the question has several melds, so that the reasons name each by its number."""
    if isinstance(question, MeldQuestion):
        return bool(question.table)  # melds beside the one that is asked about
    if isinstance(question, OpeningQuestion):
        return len(question.melds) > 1
    if isinstance(question, PileQuestion):
        return len(question.laid) > 1
    if isinstance(question, OutQuestion):
        return len(question.table) > 1
    return False


def _standing_in_json(ruling: Ruling, reason: Reason) -> Standing:
    """How firmly the sources support a reason; null if the verdict is that the rules are silent."""
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
    """The details of the case; with a whole hand also the best way to play it, and the discard."""
    details: dict[str, Any] = dict(ruling.details)
    if ruling.play is None:
        return details
    details["way"] = [_laid_in_json(laid) for laid in ruling.play.laid]
    if ruling.play.discard is not None:
        details["discard"] = write_cards(ruling.play.discard) or None
    return details


def _laid_in_json(laid: LaidCards) -> str | dict[str, Any]:
    """A new meld as a card string; cards laid on a meld of the table with the meld's index."""
    cards = write_cards(laid.cards)
    if laid.on is None:
        return cards
    return {"on": laid.on, "cards": cards}
