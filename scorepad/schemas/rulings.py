"""Questions for the referee, decoded from JSON, and the answers as JSON.

A question has the fields of its class in `referee.questions` as keys; a key that is left out has the usual value.
`table`, `melds` and `with` are lists of card strings.

`hand`, a card string, is the player's whole hand in place of the melds shown (`melds`, `with`; for `out` it is what the
player would lay on the `table` and discard from). The verdict is then whether any legal way exists, and the details
gain the best one, as it would be played: `way`, a list in which a new meld is a card string and cards laid on a meld of
the question's `table` are `{"on": its index from 0, "cards": a card string}`; the pile's top card, which is not of the
hand, stands among those that it goes down with, and they come first. For `out` also `discard`: a card, or null.

A discard (`card`, `discard`) is one card, or as many threes of one colour as the game lets go at once: `4x3r` in mini.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError, create_model

from scorepad.i18n import Words
from scorepad.i18n.findings import reason_words
from scorepad.referee import questions
from scorepad.referee.questions import Alternative, Answer, AnyQuestion, Permission, Reason, Ruling, Verdict
from scorepad.rules.cards import Kind, Reading, in_decks, read_cards, write_cards
from scorepad.rules.variants import Ruleset
from scorepad.schemas.answers import AlternativeAnswer, Firmness, RulingAnswer
from scorepad.schemas.fields import Count, Form, Path, Points, Unusable, decode, echo, refuse_unknown, unusable
from scorepad.schemas.hands import refuse_deal, settled

KINDS: Mapping[str, tuple[type, type | None]] = {
    "meld": (questions.MeldQuestion, None),
    "opening": (questions.OpeningQuestion, questions.BestOpeningQuestion),
    "pile": (questions.PileQuestion, questions.BestPileQuestion),
    "out": (questions.OutQuestion, questions.BestOutQuestion),
    "upcard": (questions.UpcardQuestion, None),
    "discard": (questions.DiscardQuestion, None),
    "red-threes": (questions.RedThreesQuestion, None),
    "penalty": (questions.PenaltyQuestion, None),
    "end-of-stock": (questions.EndOfStockQuestion, None),
}
"""The kinds of question: about what is shown, and about a whole hand."""
_IN_PLACE_OF_HAND = {"melds": "melds", "laid": "with"}
"""The fields of melds shown, which a whole hand stands in place of, and their keys."""


class _Json(NamedTuple):
    """How a field of a question stands in JSON.

    `takes` and `inside` name what the key takes, and what stands inside it, in messages (`takes.…`); `unset` is the
    value of a key left out where the question has none of its own. `read` makes the field's value out of what was
    given; it raises Unusable.
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
    """Cards one by one: a token with a count is that many cards turned one after the other."""
    tokens = [(token.lower().rpartition("x")[2], read_cards(token)) for token in text.split()]
    most = sum(in_decks(rules.settings.decks))
    if not 1 <= sum(max(1, reading.cards.size) for _, reading in tokens) <= most:
        raise Unusable("unusable.wrong", name, takes="upcards", most=most)
    singles = [[reading] if reading.unknown else [read_cards(one)] * reading.cards.size for one, reading in tokens]
    return tuple(single for each in singles for single in each)


def _melds(texts: list[str], name: str, rules: Ruleset) -> tuple[Reading, ...]:
    """Melds, not more of them than the cards of the decks can make: what nobody can lay is not tried in every way."""
    most = sum(in_decks(rules.settings.decks)) // rules.settings.meld_shortest
    if len(texts) > most:
        raise Unusable("unusable.wrong", name, takes="melds-most", most=most)
    return tuple(read_cards(text) for text in texts)


def _canastas(given: dict[str, int], name: str, rules: Ruleset) -> dict[str, int]:
    refuse_unknown(given, rules.items, name)
    return given


_JSON = {
    "cards": _Json(str, "cards", lambda text, _name, _rules: read_cards(text)),
    "hand": _Json(str | None, "cards"),
    "card": _Json(str, "card", _card),
    "discard": _Json(str, "card", _discard),
    "upcards": _Json(str, "cards", _upcards),
    "melds": _Json(list[str], "card-strings", _melds, "cards", []),
    "flag": _Json(bool, "flag", unset=False),
    "score": _Json(Points, "score", unset=0),
    "count": _Json(Count, "count"),
    "deal": _Json(Count, "count", unset=1),
    "canastas": _Json(dict[str, Count], "canastas", _canastas, "count", {}),
    "text": _Json(str, "text"),
    "permission": _Json(
        Literal["not-asked", "granted", "refused"], "permission", lambda word, _name, _rules: Permission(word)
    ),
}
_OR_NULL = {"cards": "meld", "card": "discard"}
"""What a key takes that may be null."""


class _Key(NamedTuple):
    """A key of a question: its name as a field, its form, its default (MISSING where it has none)."""

    field: str
    form: str
    default: Any

    @property
    def takes(self) -> str:
        takes = _JSON[self.form].takes
        return _OR_NULL.get(takes, takes) if self.may_be_null else takes

    @property
    def may_be_null(self) -> bool:
        """Whether it may be null: cards that may be left out."""
        return _JSON[self.form].type is str and self.default is not MISSING


@cache
def _keys(question: type) -> Mapping[str, _Key]:
    """The keys of a question, by their names in JSON."""
    hints = get_type_hints(question, include_extras=True)
    found = {}
    for item in fields(question):
        forms = [hint for hint in (hints[item.name], *get_args(hints[item.name])) if get_origin(hint) is Annotated]
        default = item.default if item.default_factory is MISSING else item.default_factory()
        for form in forms:
            found[item.metadata.get("key", item.name)] = _Key(item.name, form.__metadata__[0], default)
    return found


class HeadForm(Form):
    """What every question says first: its kind, and the rules it is asked under."""

    kind: str
    variant: str
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)


_HEAD = frozenset(HeadForm.model_fields)
_HAND = _Key("hand", "hand", None)


def _keys_of(kind: str) -> dict[str, _Key]:
    question, of_hand = KINDS[kind]
    return {**_keys(question), **({"hand": _HAND} if of_hand else {})}


def _form(kind: str) -> type[Form]:
    """The model by which a question of this kind is decoded."""
    typed: dict[str, Any] = {}
    for name, key in _keys_of(kind).items():
        json, default = _JSON[key.form], key.default
        if key.may_be_null:
            typed[key.field] = (json.type | None, None)
        elif default is MISSING:
            typed[key.field] = (json.type, Field(alias=name))
        else:
            typed[key.field] = (json.type, Field(json.unset if default in (None, (), {}) else default, alias=name))
    question, of_hand = KINDS[kind]
    about = f"{question.__doc__}\n\nWith `hand`: {of_hand.__doc__}" if of_hand else question.__doc__
    return create_model(f"{kind}-form", __base__=Form, __doc__=about, **typed)


FORMS: Mapping[str, type[Form]] = {kind: _form(kind) for kind in KINDS}
"""The kinds of question, each with its model."""


def keys_of(kind: str) -> frozenset[str]:
    """The keys that a question of this kind may have beside those of every question."""
    return frozenset(_keys_of(kind))


_ANY_OBJECT = TypeAdapter(dict[str, Any])


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the rules it is asked under."""

    rules: Ruleset
    asked: AnyQuestion


def read_question(source: str | bytes) -> Question:
    """Read a question with its variant, preset and options. Raises Unusable."""
    try:
        raw = _ANY_OBJECT.validate_json(source)
    except ValidationError as trouble:
        raise unusable(trouble, _takes_of_head, "unusable.not-question") from None
    kind = _kind(raw)
    head = decode(HeadForm, {key: value for key, value in raw.items() if key in _HEAD}, _takes_of_head)
    rules = settled(head.variant, head.preset, head.options)
    rest = {key: value for key, value in raw.items() if key not in _HEAD}
    return Question(rules, _question(kind, rest, rules))


def read_question_of_match(raw: Mapping[str, Any], rules: Ruleset) -> Question:
    """Read a question that is asked in a match, whose rules are known. Raises Unusable."""
    return Question(rules, _question(_kind(raw), {key: value for key, value in raw.items() if key != "kind"}, rules))


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


def _question(kind: str, raw: Mapping[str, Any], rules: Ruleset) -> AnyQuestion:
    keys = _keys_of(kind)
    for name in sorted(raw.keys() - keys.keys()):
        others = [other for other in KINDS if name in _keys_of(other)]
        if others:
            raise Unusable("unusable.other-kind", name, given=kind, known=", ".join(others))

    def takes(path: Path) -> str:
        key = keys[str(path[0])]
        return _JSON[key.form].inside if len(path) > 1 else key.takes

    form = decode(FORMS[kind], raw, takes)
    given = {name: value for name, value in form if name in form.model_fields_set}
    if "deal" in given:
        refuse_deal(given["deal"], rules)
    question, of_hand = KINDS[kind]
    if of_hand and given.get("hand") is not None:
        question = of_hand
        for name in _IN_PLACE_OF_HAND.keys() & given:
            raise Unusable("unusable.beside-hand", _IN_PLACE_OF_HAND[name])
    elif question is questions.OutQuestion and not given.get("concealed"):
        for name in [name for name in ("score", "deal") if name in given]:
            raise Unusable("unusable.only-with-hand", name)
    values = {
        key.field: _JSON[key.form].read(given[key.field], name, rules)
        for name, key in _keys(question).items()
        if given.get(key.field) is not None
    }
    noted = {"discard_noted": "discard" in given} if kind == "out" else {}
    made: AnyQuestion = question(**values, **noted)
    return made


def ruling_answer(question: Question, answer: Answer, words: Words) -> RulingAnswer:
    """The answer to a question, in the words of one language."""
    ruling, game, numbered = answer.ruling, question.rules.variant, _melds_asked(question.asked) > 1
    return {
        "verdict": ruling.verdict.value,
        "reasons": [
            {
                "code": reason.code,
                "message": reason_words(reason, words, game=game, numbered=numbered),
                "sources": list(reason.sources),
                "standing": _standing(ruling, reason),
            }
            for reason in ruling.reasons
        ],
        "details": _details(ruling),
        "elsewhere": [_elsewhere(other) for other in answer.others],
    }


def _standing(ruling: Ruling, reason: Reason) -> Firmness:
    """How firmly the sources say it; where they are silent nothing stands on anything."""
    return None if ruling.verdict is Verdict.SILENT or reason.standing is None else reason.standing.value


def _melds_asked(asked: AnyQuestion) -> int:
    """How many melds the question is about."""
    match asked:
        case questions.OpeningQuestion(melds=melds) | questions.PileQuestion(laid=melds):
            return len(melds)
        case questions.OutQuestion(table=melds) | questions.BestOutQuestion(table=melds):
            return len(melds)
        case questions.MeldQuestion(table=melds):
            return 1 + len(melds or ())
        case _:
            return 1


def _details(ruling: Ruling) -> dict[str, Any]:
    """The figures of the case, and the way found to play a whole hand (`ruling_forms`)."""
    if ruling.play is None:
        return dict(ruling.details)
    way = [
        write_cards(laid.cards) if laid.on is None else {"on": laid.on, "cards": write_cards(laid.cards)}
        for laid in ruling.play.laid
    ]
    last = ruling.play.discard
    discard = {} if last is None else {"discard": write_cards(last) or None}
    return {**ruling.details, "way": way, **discard}


def _elsewhere(other: Alternative) -> AlternativeAnswer:
    return {
        "preset": other.preset,
        "options": dict(other.options),
        "verdict": other.ruling.verdict.value,
        "details": _details(other.ruling),
        "sources": list(other.sources),
    }
