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
    decode_json,
    explain_first_error,
    parse_checked_json,
    quote,
    refuse_unknown_items,
)
from scorepad.schemas.hand_requests import refuse_deal
from scorepad.schemas.requests import RulesInput


class HeadInput(RulesInput):
    """The keys of every question: its kind, and the rules that apply."""

    kind: Word


_KEYS_OF_RULES = frozenset(RulesInput.model_fields)
"""The keys that choose the rules."""
_SHOWN_MELDS = ("melds", "with")
"""The keys of melds that a player shows, which a whole hand replaces."""
_FOR_FIRST_CARDS = ("score", "deal")
"""The keys by which the first cards of a side are judged: how many points they need."""
TOO_MANY_WAYS = "unusable.too-many-ways"
_ANY_OBJECT = TypeAdapter(dict[str, Any])


class RulingRequest(NamedTuple):
    """A question with the rules that apply."""

    rules: Ruleset
    question: AnyQuestion


# -------------------------------------------------------------------------------- reading a question


def read_question(source: str | bytes) -> RulingRequest:
    """Read a question to the referee from JSON text, which also chooses the rules of the game.

    `{"kind": "meld", "variant": "classica", "cards": "K K K"}` asks whether three kings may be laid
    in classic canasta. Raises Unusable for JSON that is not such a question.
    """
    parse_checked_json(source)  # raises an error for what takes too long to decode
    given = decode_json(_ANY_OBJECT, source, not_object="unusable.not-question")
    _require_known_kind(given)
    rules = _read_rules(given)
    question = {key: value for key, value in given.items() if key not in _KEYS_OF_RULES}
    return read_question_of_match(question, rules)


def _read_rules(given: Mapping[str, Any]) -> Ruleset:
    """Find the rules of the game that a JSON object chooses: `{"variant": "samba", …}`.

    Its other keys are ignored. Raises Unusable if there are no such rules.
    """
    keys_of_rules = {key: value for key, value in given.items() if key in _KEYS_OF_RULES}
    try:
        return RulesInput.model_validate(keys_of_rules).settle_rules()
    except ValidationError as error:
        raise explain_first_error(error) from None


def read_question_of_match(given: Mapping[str, Any], rules: Ruleset) -> RulingRequest:
    """Read a question to the referee from its JSON object, for a match with these rules.

    `{"kind": "meld", "cards": "K K K"}` asks whether three kings may be laid. Raises Unusable for
    the first mistake; its message names the wrong key.
    """
    # 1. Keys that the question may not have
    kind = _require_known_kind(given)
    facts = {key: value for key, value in given.items() if key != "kind"}
    _refuse_keys_of_other_kinds(kind, facts)

    # 2. Values of the wrong type
    question = _decode_question(kind, facts, rules)

    # 3. Keys that exclude each other
    _refuse_melds_beside_whole_hand(facts)
    if kind == "out":
        _refuse_score_that_does_not_matter(facts)

    # 4. Values that these rules do not have
    if "deal" in facts:  # the number of the hand in the match
        refuse_deal(facts["deal"], rules)
    if isinstance(question, RedThreesQuestion):
        refuse_unknown_items(question.canastas, rules.items, "canastas")
    return RulingRequest(rules, question)


def _decode_question(kind: str, facts: Mapping[str, Any], rules: Ruleset) -> AnyQuestion:
    """Decode a question to the referee as the class for its kind: `out` → `OutQuestion`.

    `facts` are the keys of its JSON object besides `kind`, with their values. Raises Unusable for a
    wrong value; the message says what its key accepts.
    """
    try:
        return _build_adapter(kind).validate_python(facts, context=rules)
    except ValidationError as error:
        find_expected = partial(_find_expected_in_question, kind)
        raise explain_first_error(error, find_expected) from None


def _find_expected_in_question(kind: str, path: Path) -> str:
    """Find what a wrong key in a question of a kind accepts; the result is the name of a message.

    - `("melds",)`, not a list → `card-strings`, which is "it takes a list of melds"
    - `("melds", 0)`, a wrong entry of the list → `cards`, which is "it takes a card string"
    """
    key, *path_inside = path
    type_of_key = fields_of(kind)[str(key)].type
    if path_inside:
        return type_of_key.inside
    return type_of_key.accepts


@cache
def _build_adapter(kind: str) -> TypeAdapter[AnyQuestion]:
    """Build what decodes the questions of a kind from JSON, and keep it, since that takes time.

    `"meld"` → the adapter of `MeldQuestion`
    """
    return TypeAdapter(QUESTIONS[kind])


def _require_known_kind(given: Mapping[str, Any]) -> str:
    """Return the kind of a question: `{"kind": "meld", "cards": "K K K"}` → `"meld"`.

    Raises Unusable if there is no kind in its JSON object, or an unknown one; the message lists the
    kinds that there are.
    """
    known = ", ".join(QUESTIONS)
    if "kind" not in given:
        raise Unusable("unusable.missing", "kind", takes="kind", known=known)
    kind = given["kind"]
    if not isinstance(kind, str):
        raise Unusable("unusable.wrong", "kind", takes="kind", known=known)
    if kind not in QUESTIONS:
        # Shown as: "There is no question x; choose one of meld, …"
        raise Unusable("unusable.kind", "kind", given=quote(kind), known=known)
    return kind


def _refuse_keys_of_other_kinds(kind: str, facts: Mapping[str, Any]) -> None:
    """Raise Unusable for a key that only other kinds of question have; the message names them.

    A question about a meld, say, has no `permission`: that is a key of the kind `out`. `facts` are
    the keys of the question besides `kind`. A key that no kind has is refused later, as the
    question is decoded.
    """
    for key in sorted(facts):
        if key in list_keys_of_kind(kind):
            continue
        other_kinds = [other for other in QUESTIONS if key in list_keys_of_kind(other)]
        if other_kinds:
            # Shown as: "“permission” is not used in a question meld, but with out."
            raise Unusable("unusable.other-kind", key, given=kind, known=", ".join(other_kinds))


def _refuse_melds_beside_whole_hand(facts: Mapping[str, Any]) -> None:
    """Raise Unusable for a question with both all cards of a player and the melds to lay.

    A meld is a group of cards laid on the table. If a question gives all cards that the player
    holds (`hand`), the program itself finds the best melds. `facts` are the keys of the question.
    """
    gives_whole_hand = facts.get("hand") is not None
    if not gives_whole_hand:
        return
    for key in _SHOWN_MELDS:
        if key in facts:
            # Shown as: "Give the melds laid, or the whole hand."
            raise Unusable("unusable.beside-hand", key)


def _refuse_score_that_does_not_matter(facts: Mapping[str, Any]) -> None:
    """Raise Unusable for the match score in a question that does not depend on it.

    The score decides how many points the first cards of a side need. So it matters only for a
    player who may lay first cards in this turn. `facts` are the keys of the question.
    """
    lays_all_cards_now = bool(facts.get("concealed"))
    # From the whole hand the program finds out itself what can be laid in this turn.
    gives_whole_hand = facts.get("hand") is not None
    if lays_all_cards_now or gives_whole_hand:
        return
    for key in _FOR_FIRST_CARDS:
        if key in facts:
            # Shown as: "“score” is used beside hand, or concealed, only."
            raise Unusable("unusable.only-with-hand", key)


def list_keys_of_kind(kind: str) -> frozenset[str]:
    """List the keys that a question of this kind may have in JSON, besides those of every question.

    Every question has `kind` and the keys that choose the rules, such as `variant`.
    """
    return frozenset(fields_of(kind))


_NOTHING_GIVEN: tuple[object, ...] = (None, NOTHING, (), {})
"""The values that the fields of a question have in Python if their key was left out."""


def build_question_schema(kind: str) -> dict[str, Any]:
    """Build the JSON schema of a kind of question, for the OpenAPI document.

    It has the keys of this kind, such as `cards`, but not those of every question, such as
    `variant`.
    """
    schema = _build_adapter(kind).json_schema()
    for key, question_field in fields_of(kind).items():
        if question_field.default in _NOTHING_GIVEN:
            # In JSON that is another value than in Python: an empty text if the key is for cards.
            schema["properties"][key]["default"] = question_field.type.omitted
    return schema


# ------------------------------------------------------------------------------------------ answering


def answer_request(request: RulingRequest) -> Answer:
    """Answer a question to the referee, by the rules of the game that were chosen with it.

    Raises Unusable if the question gives all cards of a player, and these can be laid in too many
    ways to try them all.
    """
    try:
        return answer_to(request.rules, request.question)
    except TooManyWays:
        # Shown as: "These cards can be laid in too many ways to examine them all."
        raise Unusable(TOO_MANY_WAYS, "hand") from None


def asks_about_hand(request: RulingRequest) -> bool:
    """Tell whether a question gives all cards of a player and asks for the best way to play them.

    Such a question takes longer to answer than others, so that only a few are answered at a time.
    """
    return has_whole_hand(request.question)


def build_ruling_answer(request: RulingRequest, answer: Answer, words: Words) -> RulingAnswer:
    """Build the JSON of the referee's answer to a question, with its sentences in one language.

    `{"verdict": "forbidden", "reasons": [{…}], "details": {"points": 100}, "elsewhere": []}`. Under
    `elsewhere` are the answers by other rules of the game, where they would be different.
    """
    words = words.with_rules(request.rules)  # some sentences depend on the rules
    return {
        "verdict": answer.ruling.verdict.value,
        "reasons": _build_reasons(request, answer.ruling, words),
        "details": _build_details(answer.ruling),
        "elsewhere": [_build_alternative(other) for other in answer.others],
    }


def _build_reasons(request: RulingRequest, ruling: Ruling, words: Words) -> list[ReasonAnswer]:
    """Build the JSON of the reasons for the referee's answer.

    Each has a code, a sentence in the language of the reader, and the rule books that say so:
    `[{"code": "out-worth", "message": "Going out is worth 100 points.", "sources": […], …}]`.
    """
    game = request.rules.variant
    has_numbers = _are_melds_numbered_in_reasons(request.question)
    reasons: list[ReasonAnswer] = []
    for reason in ruling.reasons:
        message = explain_reason(reason, words, game=game, numbered=has_numbers)
        reasons.append(
            {
                "code": reason.code,
                "message": message,
                "sources": list(reason.sources),
                "standing": _find_standing_of_reason(ruling, reason),
            }
        )
    return reasons


def _are_melds_numbered_in_reasons(question: AnyQuestion) -> bool:
    """Tell whether the reasons for an answer call melds (groups of cards) by their number.

    They do if the question has several of them, so that the reader knows which one is meant.
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


def _find_standing_of_reason(ruling: Ruling, reason: Reason) -> Standing:
    """Find how firmly the rule books support a reason for an answer, as the JSON says it.

    It is one of the values of `Standing`, such as `"stated"` by a book. None if the books do not
    answer the question, or if the reason needs no support.
    """
    is_answered_by_books = ruling.verdict is not Verdict.SILENT
    if is_answered_by_books and reason.standing is not None:
        return reason.standing.value
    return None


def _build_alternative(other: Alternative) -> AlternativeAnswer:
    """Build the JSON of the answer that the question would have by other rules of the game.

    `{"preset": "enciclopedia", "options": {"pile": "enciclopedia"}, "verdict": "allowed", …}`: by
    these rules, it would be allowed.
    """
    return {
        "preset": other.preset,
        "options": dict(other.options),
        "verdict": other.ruling.verdict.value,
        "details": _build_details(other.ruling),
        "sources": list(other.sources),
    }


def _build_details(ruling: Ruling) -> dict[str, Any]:
    """Build the JSON of the details of the referee's answer, which depend on the kind of question.

    If the question gives all cards of a player, they include the cards to lay (`way`) and, if the
    player wants to play the last card, the one to discard: `{"way": ["7xQ"], "discard": "4"}`.
    """
    details: dict[str, Any] = dict(ruling.details)
    if ruling.play is None:
        return details
    details["way"] = [_write_laid_cards(laid) for laid in ruling.play.laid]
    if ruling.play.discard is not None:  # otherwise the question is not about the last card
        details["discard"] = _write_discard(ruling.play.discard)
    return details


def _write_discard(discard: Cards) -> str | None:
    """Write the cards to discard at the end of a turn, for JSON: a four → `"4"`, none → null."""
    if discard.size == 0:
        return None
    return write_cards(discard)


def _write_laid_cards(laid: LaidCards) -> str | dict[str, Any]:
    """Write cards that a player should lay on the table, for JSON.

    - seven queens as a new meld (a group of cards) → `"7xQ"`
    - two queens added to the first meld on the table → `{"on": 0, "cards": "2xQ"}`
    """
    cards = write_cards(laid.cards)
    is_new_meld = laid.on is None
    if is_new_meld:
        return cards
    return {"on": laid.on, "cards": cards}
