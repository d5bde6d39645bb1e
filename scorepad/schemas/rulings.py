"""Questions for the referee, decoded from JSON, and the answers as JSON.

A question has the fields of its class in `referee.questions` as keys; a key that is omitted has the
default value. `table`, `melds` and `with` are lists of card strings.

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

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError, create_model

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.i18n.findings import reason_words
from scorepad.referee import questions
from scorepad.referee.questions import Answer, AnyQuestion, Permission, Ruling, Verdict
from scorepad.rules.cards import Kind, Reading, in_decks, read_cards, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Points
from scorepad.schemas.answers import RulingAnswer
from scorepad.schemas.fields import (
    CardText,
    Count,
    Counts,
    Input,
    ListOfMelds,
    Path,
    Unusable,
    Word,
    decode,
    echo,
    refuse_repeated_keys,
    refuse_unknown,
    unusable,
)
from scorepad.schemas.hands import RulesInput, refuse_deal
from scorepad.schemas.question_fields import meaning_of

KINDS: Mapping[str, type] = {
    "meld": questions.MeldQuestion,
    "opening": questions.OpeningQuestion,
    "pile": questions.PileQuestion,
    "out": questions.OutQuestion,
    "upcard": questions.UpcardQuestion,
    "discard": questions.DiscardQuestion,
    "red-threes": questions.RedThreesQuestion,
    "penalty": questions.PenaltyQuestion,
    "end-of-stock": questions.EndOfStockQuestion,
}
"""The kinds of question."""


class _Json(NamedTuple):
    """The JSON form of a field of a question.

    `takes` and `inside` are message keys (`takes.…`) for what the key, and its elements, accept;
    `unset` is the default of an omitted key if the question has none. `read` converts the given
    value to that of the field; it raises Unusable.
    """

    type: Any
    takes: str
    read: Callable[[Any, str, Ruleset], Any] = lambda given, _name, _rules: given
    inside: str = "text"
    unset: Any = None


def _card(text: str, name: str, _: Ruleset) -> Reading:
    reading = read_cards(text)
    if reading.cards.size + len(reading.unknown) != 1:
        raise Unusable("unusable.wrong", name, takes="card")
    return reading


def _discard(text: str, name: str, rules: Ruleset) -> Reading:
    reading, at_once = read_cards(text), rules.settings.threes_together
    threes = (reading.cards.of(Kind.BLACK_THREE), reading.cards.of(Kind.RED_THREE))
    together = at_once in threes and reading.cards.size == at_once > 0 and not reading.unknown
    return reading if together else _card(text, name, rules)


def _upcards(text: str, name: str, rules: Ruleset) -> tuple[Reading, ...]:
    """Single cards in order: a token with a count is that many cards turned one after the other."""
    tokens = [(token.lower().rpartition("x")[2], read_cards(token)) for token in text.split()]
    most = sum(in_decks(rules.settings.decks))
    if not 1 <= sum(max(1, reading.cards.size) for _, reading in tokens) <= most:
        raise Unusable("unusable.wrong", name, takes="upcards", most=most)
    singles = [
        [reading] if reading.unknown else [read_cards(one)] * reading.cards.size
        for one, reading in tokens
    ]
    return tuple(single for each in singles for single in each)


def _melds(texts: list[str], name: str, rules: Ruleset) -> tuple[Reading, ...]:
    """Melds, at most as many as the cards of the decks can make, which limits the combinations to
    try.
    """
    most = sum(in_decks(rules.settings.decks)) // rules.settings.meld_shortest
    if len(texts) > most:
        raise Unusable("unusable.wrong", name, takes="melds-most", most=most)
    return tuple(read_cards(text) for text in texts)


def _canastas(given: dict[str, int], name: str, rules: Ruleset) -> dict[str, int]:
    refuse_unknown(given, rules.items, name)
    return given


_JSON = {
    "cards": _Json(CardText, "cards", lambda text, _name, _rules: read_cards(text)),
    "held": _Json(CardText | None, "cards", lambda text, _name, _rules: read_cards(text)),
    "card": _Json(CardText, "card", _card),
    "discard": _Json(CardText, "card", _discard),
    "upcards": _Json(CardText, "cards", _upcards),
    "melds": _Json(ListOfMelds[CardText], "card-strings", _melds, "cards", []),
    "flag": _Json(bool, "flag", unset=False),
    "score": _Json(Points, "score", unset=0),
    "count": _Json(Count, "count"),
    "deal": _Json(Count, "count", unset=1),
    "canastas": _Json(Counts, "canastas", _canastas, "count", {}),
    "text": _Json(Word, "text"),
    "permission": _Json(
        Literal["not-asked", "granted", "refused"],
        "permission",
        lambda word, _name, _rules: Permission(word),
    ),
}


_OR_NULL = {"cards": "meld", "card": "discard"}
"""What a key accepts that may be null."""


class _Key(NamedTuple):
    """A key of a question: its field name, its form, its default (MISSING if it has none)."""

    field: str
    form: _Json
    default: Any

    @property
    def may_be_null(self) -> bool:
        """Whether it may be null: cards that may be omitted."""
        return self.form.type is CardText and self.default is not MISSING

    @property
    def takes(self) -> str:
        """What it accepts, as the end of a message key."""
        return _OR_NULL[self.form.takes] if self.may_be_null else self.form.takes


@cache
def _keys(kind: str) -> Mapping[str, _Key]:
    """The keys of this kind of question, by their names in JSON."""
    question = KINDS[kind]
    hints = get_type_hints(question, include_extras=True)
    found = {}
    for item in fields(question):
        default = item.default if item.default_factory is MISSING else item.default_factory()
        for hint in (hints[item.name], *get_args(hints[item.name])):
            if get_origin(hint) is Annotated:
                key = _Key(item.name, _JSON[hint.__metadata__[0]], default)
                found[item.metadata.get("key", item.name)] = key
    return found


class HeadInput(RulesInput):
    """The keys of every question: its kind, and the rules that apply."""

    kind: Word


_HEAD = frozenset(HeadInput.model_fields)


def _form(kind: str) -> type[Input]:
    """The model that decodes a question of this kind."""
    typed: dict[str, Any] = {}
    for name, key in _keys(kind).items():
        json, default = key.form, key.default
        meaning = meaning_of(kind, name)
        if key.may_be_null:
            typed[key.field] = (json.type | None, Field(None, description=meaning))
        elif default is MISSING:
            typed[key.field] = (json.type, Field(alias=name, description=meaning))
        else:
            unset = json.unset if default in (None, (), {}) else default
            typed[key.field] = (json.type, Field(unset, alias=name, description=meaning))
    return create_model(f"{kind}-form", __base__=Input, __doc__=KINDS[kind].__doc__, **typed)


FORMS: Mapping[str, type[Input]] = {kind: _form(kind) for kind in KINDS}
"""The kinds of question, each with its model."""


def keys_of(kind: str) -> frozenset[str]:
    """The keys of this kind of question besides those of every question."""
    return frozenset(_keys(kind))


TOO_MANY_WAYS = "unusable.too-many-ways"
_ANY_OBJECT = TypeAdapter(dict[str, Any])


class RulingRequest(NamedTuple):
    """A question with the rules that apply."""

    rules: Ruleset
    asked: AnyQuestion


def read_question(source: str | bytes) -> RulingRequest:
    """Read a question with its variant, preset and options. Raises Unusable."""
    refuse_repeated_keys(source)
    try:
        raw = _ANY_OBJECT.validate_json(source)
    except ValidationError as trouble:
        raise unusable(trouble, _takes_of_head, "unusable.not-question") from None
    _kind(raw)
    head = decode(
        HeadInput, {key: given for key, given in raw.items() if key in _HEAD}, _takes_of_head
    )
    asked = {key: given for key, given in raw.items() if key == "kind" or key not in _HEAD}
    return read_question_of_match(asked, head.settled())


def read_question_of_match(raw: Mapping[str, Any], rules: Ruleset) -> RulingRequest:
    """Read a question about a match whose rules are known. Raises Unusable."""
    kind = _kind(raw)
    keys = _keys(kind)
    asked = {key: given for key, given in raw.items() if key != "kind"}
    for name in sorted(asked.keys() - keys.keys()):
        others = [other for other in KINDS if name in _keys(other)]
        if others:
            raise Unusable("unusable.other-kind", name, given=kind, known=", ".join(others))

    def takes(path: Path) -> str:
        key = keys[str(path[0])]
        return key.form.inside if len(path) > 1 else key.takes

    form = decode(FORMS[kind], asked, takes)
    given = {
        name: getattr(form, key.field)
        for name, key in keys.items()
        if key.field in form.model_fields_set
    }
    if "deal" in given:
        refuse_deal(given["deal"], rules)
    if given.get("hand") is not None:
        # The melds shown, which a whole hand replaces.
        for name in ("melds", "with"):
            if name in given:
                raise Unusable("unusable.beside-hand", name)
    elif kind == "out" and not given.get("concealed"):
        for name in ("score", "deal"):
            if name in given:
                raise Unusable("unusable.only-with-hand", name)
    values = {
        key.field: key.form.read(given[name], name, rules)
        for name, key in keys.items()
        if given.get(name) is not None
    }
    if kind == "out":
        values["discard_noted"] = "discard" in given
    return RulingRequest(rules, KINDS[kind](**values))


def _kind(raw: Mapping[str, Any]) -> str:
    known = ", ".join(KINDS)
    if "kind" not in raw:
        raise Unusable("unusable.missing", "kind", takes="kind", known=known)
    kind = raw["kind"]
    if not isinstance(kind, str):
        raise Unusable("unusable.wrong", "kind", takes="kind", known=known)
    if kind not in KINDS:
        raise Unusable("unusable.kind", "kind", given=echo(kind), known=known)
    return kind


def _takes_of_head(path: Path) -> str:
    return "option" if len(path) > 1 else str(path[0])


def answer_question(question: RulingRequest) -> Answer:
    """The referee's answer. Raises Unusable for a hand that can be laid in too many ways."""
    from scorepad.referee.case import answer_to  # not needed to read a question

    try:
        return answer_to(question.rules, question.asked)
    except TooManyWays:
        raise Unusable(TOO_MANY_WAYS, "hand") from None


def asks_about_hand(question: RulingRequest) -> bool:
    """Whether the best way to play a whole hand is wanted, which takes longer than other questions."""
    return getattr(question.asked, "hand", None) is not None


def ruling_answer(question: RulingRequest, answer: Answer, words: Words) -> RulingAnswer:
    """The response to a question, in one language."""
    ruling, game = answer.ruling, question.rules.variant
    words = words.with_rules(question.rules)
    match question.asked:
        case (
            questions.OpeningQuestion(melds=melds)
            | questions.PileQuestion(laid=melds)
            | questions.OutQuestion(table=melds)
        ):
            numbered = len(melds) > 1
        case questions.MeldQuestion(table=beside):
            numbered = bool(beside)
        case _:
            numbered = False
    return {
        "verdict": ruling.verdict.value,
        "reasons": [
            {
                "code": reason.code,
                "message": reason_words(reason, words, game=game, numbered=numbered),
                "sources": list(reason.sources),
                # A silent ruling has no standing.
                "standing": reason.standing.value
                if reason.standing and ruling.verdict is not Verdict.SILENT
                else None,
            }
            for reason in ruling.reasons
        ],
        "details": _details(ruling),
        "elsewhere": [
            {
                "preset": other.preset,
                "options": dict(other.options),
                "verdict": other.ruling.verdict.value,
                "details": _details(other.ruling),
                "sources": list(other.sources),
            }
            for other in answer.others
        ],
    }


def _details(ruling: Ruling) -> dict[str, Any]:
    """The figures of the case, and the best way to play a whole hand (`ruling_forms`)."""
    details: dict[str, Any] = dict(ruling.details)
    if ruling.play:
        details["way"] = [
            write_cards(laid.cards)
            if laid.on is None
            else {"on": laid.on, "cards": write_cards(laid.cards)}
            for laid in ruling.play.laid
        ]
        if ruling.play.discard is not None:
            details["discard"] = write_cards(ruling.play.discard) or None
    return details
