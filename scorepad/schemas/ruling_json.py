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
from functools import cache, partial
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.i18n.findings import explain_reason
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
    has_whole_hand,
)
from scorepad.referee.ruling import Alternative, Answer, LaidCards, Reason, Ruling, Verdict
from scorepad.rules.cards import NOTHING, Cards, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.json_types import Word
from scorepad.schemas.answer_types import AlternativeAnswer, ReasonAnswer, RulingAnswer, Standing
from scorepad.schemas.fields import (
    Path,
    Unusable,
    decode,
    parse_checked_json,
    quote,
    refuse_unknown_items,
    unusable,
)
from scorepad.schemas.hand_requests import refuse_deal
from scorepad.schemas.requests import RulesInput


class HeadInput(RulesInput):
    """The keys of every question: its kind, and the rules that apply."""

    kind: Word


_HEAD = frozenset(HeadInput.model_fields)
"""The keys that every question has: its kind, and those that choose the rules."""
_KEYS_OF_RULES = frozenset(RulesInput.model_fields)
"""The keys that choose the rules."""
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
    """Read a question about the rules of the game from its JSON, which also says which rules apply.

    Raises Unusable for JSON that is not such a question.
    """
    parse_checked_json(source)
    try:
        given = _ANY_OBJECT.validate_json(source)
    except ValidationError as error:
        raise unusable(error, _expected_in_head, "unusable.not-question") from None
    _require_known_kind(given)

    head = {key: value for key, value in given.items() if key in _HEAD}
    rules = decode(HeadInput, head, _expected_in_head).settled()
    question = {key: value for key, value in given.items() if key not in _KEYS_OF_RULES}
    return read_question_of_match(question, rules)


def read_question_of_match(given: Mapping[str, Any], rules: Ruleset) -> RulingRequest:
    """Read a question about the rules of a match from its JSON object: `{"kind": "meld", …}`.

    Raises Unusable for the first mistake: a wrong key, then a wrong value, then keys that exclude
    each other, and last what these rules do not have.
    """
    kind = _require_known_kind(given)
    facts = {key: value for key, value in given.items() if key != "kind"}
    _refuse_keys_of_other_kinds(kind, facts)

    question = _decode_question(kind, facts, rules)

    _refuse_keys_beside_hand(facts)
    if kind == "out":
        _refuse_keys_without_opening(facts)

    if "deal" in facts:  # the number of the hand in the match
        refuse_deal(facts["deal"], rules)
    if isinstance(question, RedThreesQuestion):
        refuse_unknown_items(question.canastas, rules.items, "canastas")
    return RulingRequest(rules, question)


def _decode_question(kind: str, facts: Mapping[str, Any], rules: Ruleset) -> AnyQuestion:
    """Decode a question of this kind from its JSON object without the kind: `facts`.

    Raises Unusable, whose message says what the wrong key accepts.
    """
    try:
        return _adapter(kind).validate_python(facts, context=rules)
    except ValidationError as error:
        expected_at = partial(_expected_in_question, kind)
        raise unusable(error, expected_at, "unusable.not-object") from None


def _expected_in_question(kind: str, path: Path) -> str:
    """What may stand at this path in the JSON of a question, as the end of a message key.

    `("melds",)` → `card-strings`, the list as a whole; `("melds", 0)` → `cards`, an entry of it.
    """
    key = str(path[0])
    field_type = fields_of(kind)[key].type
    is_entry = len(path) > 1
    return field_type.inside if is_entry else field_type.accepts


@cache
def _adapter(kind: str) -> TypeAdapter[AnyQuestion]:
    """What decodes the questions of this kind from JSON; built once, since that takes time."""
    return TypeAdapter(QUESTIONS[kind])


def _require_known_kind(given: Mapping[str, Any]) -> str:
    """The kind of a question, which its JSON object says under the key `kind`.

    Raises Unusable if it says none, or one that there is not; the message lists the kinds.
    """
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
    """Refuse a question with a key that only other kinds of question have; the message names them.

    `facts` is its JSON object without the kind. A key that no kind has is refused elsewhere, as the
    question is decoded. Raises Unusable.
    """
    for key in sorted(facts):
        if key in keys_of_kind(kind):
            continue
        others = [other for other in QUESTIONS if key in keys_of_kind(other)]
        if others:
            raise Unusable("unusable.other-kind", key, given=kind, known=", ".join(others))


def _refuse_keys_beside_hand(facts: Mapping[str, Any]) -> None:
    """Refuse a question that gives both a player's whole hand and the melds (sets of cards) that the
    player wants to lay: from a whole hand, the program itself finds the best melds.

    `facts` is the JSON object of the question without its kind. Raises Unusable.
    """
    if facts.get("hand") is None:
        return
    for key in _SHOWN_MELDS:
        if key in facts:
            raise Unusable("unusable.beside-hand", key)


def _refuse_keys_without_opening(facts: Mapping[str, Any]) -> None:
    """Refuse keys about a side's first cards in a question about going out (playing one's last card),
    if the side may have laid these before. Raises Unusable.

    `{"kind": "out", "score": 1500}` is refused; with `"concealed": true`, which says that all cards
    are laid in this turn, the score decides how many points they need. The same holds with the
    player's whole `hand`. `facts` is the JSON object of the question without its kind.
    """
    gives_whole_hand = facts.get("hand") is not None
    lays_all_cards_now = bool(facts.get("concealed"))
    if gives_whole_hand or lays_all_cards_now:
        return
    for key in _ONLY_WITH_OPENING:
        if key in facts:
            raise Unusable("unusable.only-with-hand", key)


def keys_of_kind(kind: str) -> frozenset[str]:
    """The keys that a question of this kind may have in JSON, besides those of every question."""
    return frozenset(fields_of(kind))


def _expected_in_head(path: Path) -> str:
    """The code of what may stand at this path in the JSON of every question, by which a message is
    found: `("variant",)` → `variant`, `("options", "wild-limit")` → `option`.
    """
    is_inside_options = len(path) > 1
    if is_inside_options:
        return "option"
    return str(path[0])


_NOTHING_GIVEN: tuple[object, ...] = (None, NOTHING, (), {})
"""The default values in Python that say that a key was omitted."""


def question_schema(kind: str) -> dict[str, Any]:
    """The JSON schema of the keys of this kind of question, such as `cards`; keys that every question
    has, such as `variant`, are not in it.

    The default of an omitted key is given as in JSON: an empty text for cards, where Python has
    `NOTHING`.
    """
    schema = _adapter(kind).json_schema()
    for key, question_field in fields_of(kind).items():
        is_omitted_by_default = question_field.default in _NOTHING_GIVEN
        if is_omitted_by_default:
            default_in_json = question_field.type.omitted
            schema["properties"][key]["default"] = default_in_json
    return schema


# ------------------------------------------------------------------------------------------ answering


def answer_request(request: RulingRequest) -> Answer:
    """Answer a question about the rules of the game by the rules that it chooses.

    Raises Unusable for a player's hand whose cards can be laid in too many ways to try all.
    """
    try:
        return answer_to(request.rules, request.question)
    except TooManyWays:
        raise Unusable(TOO_MANY_WAYS, "hand") from None


def asks_about_hand(request: RulingRequest) -> bool:
    """Whether a question gives a player's whole hand and asks for the best way to play it, which
    takes longer to answer than other questions.
    """
    return has_whole_hand(request.question)


def ruling_answer(request: RulingRequest, answer: Answer, words: Words) -> RulingAnswer:
    """The JSON of the answer to a question about the rules, with its sentences in one language."""
    words = words.with_rules(request.rules)  # some sentences depend on the rules
    return {
        "verdict": answer.ruling.verdict.value,
        "reasons": _reasons_in_json(request, answer.ruling, words),
        "details": _details_in_json(answer.ruling),
        "elsewhere": [_alternative_in_json(other) for other in answer.others],
    }


def _reasons_in_json(request: RulingRequest, ruling: Ruling, words: Words) -> list[ReasonAnswer]:
    """The reasons of an answer as JSON: each with its sentence and the sources that say so."""
    game = request.rules.variant
    has_numbers = _has_numbered_melds(request.question)
    reasons: list[ReasonAnswer] = []
    for reason in ruling.reasons:
        message = explain_reason(reason, words, game=game, numbered=has_numbers)
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
    """Whether a question has several melds (sets of cards), so that the reasons of its answer tell
    them apart by number.
    """
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
    """How firmly the sources support a reason, as in JSON; None if there is nothing to support, or
    if the answer is that the rules do not say.
    """
    if reason.standing is None or ruling.verdict is Verdict.SILENT:
        return None
    return reason.standing.value


def _alternative_in_json(other: Alternative) -> AlternativeAnswer:
    """The JSON of the different answer that other rules (a preset, or options) would give."""
    return {
        "preset": other.preset,
        "options": dict(other.options),
        "verdict": other.ruling.verdict.value,
        "details": _details_in_json(other.ruling),
        "sources": list(other.sources),
    }


def _details_in_json(ruling: Ruling) -> dict[str, Any]:
    """The details of an answer as JSON.

    For a question with a player's whole hand, they include the best way to play it (`way`) and, in
    a question about going out, the card to discard at the end: `{"way": ["7xQ"], "discard": "4"}`.
    """
    details: dict[str, Any] = dict(ruling.details)
    if ruling.play is None:
        return details
    details["way"] = [_laid_in_json(laid) for laid in ruling.play.laid]
    if ruling.play.discard is not None:  # otherwise the question is not about going out
        details["discard"] = _discard_in_json(ruling.play.discard)
    return details


def _discard_in_json(discard: Cards) -> str | None:
    """The JSON of the cards to discard at the end of a turn, `"4"`; null to discard none."""
    if discard.size == 0:
        return None
    return write_cards(discard)


def _laid_in_json(laid: LaidCards) -> str | dict[str, Any]:
    """Cards that a player lays, as JSON: `"7xQ"` for a new meld (a set of cards), and
    `{"on": 0, "cards": "2xQ"}` for cards added to the first meld on the table.
    """
    cards = write_cards(laid.cards)
    if laid.on is None:
        return cards
    return {"on": laid.on, "cards": cards}
