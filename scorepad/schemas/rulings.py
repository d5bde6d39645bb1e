"""Questions for the referee, decoded from JSON, and the answers as JSON.

One model a kind of question, as strict as those of a hand; a key that is left out has the usual value. `table`, `melds`
and `with` are lists of card strings.

`hand`, a card string, is the player's whole hand in place of the melds shown (`melds`, `with`; for `out` it is what the
player would lay on the `table` and discard from). The verdict is then whether any legal way exists, and the details
gain the best one, as it would be played: `way`, a list in which a new meld is a card string and cards laid on a meld of
the question's `table` are `{"on": its index from 0, "cards": a card string}`; the pile's top card, which is not of the
hand, stands among those that it goes down with, and they come first. For `out` also `discard`: a card, or null.

A discard (`card`, `discard`) is one card, or as many threes of one colour as the game lets go at once: `4x3r` in mini.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from scorepad.i18n import Words
from scorepad.i18n.findings import reason_words
from scorepad.referee import questions
from scorepad.referee.alternatives import Alternative, Answer
from scorepad.referee.answers import Reason, Ruling, Verdict
from scorepad.referee.questions import AnyQuestion
from scorepad.rules.cards import NOTHING, Kind, Reading, in_decks, read_cards, write_cards
from scorepad.rules.variants import Ruleset
from scorepad.schemas.answers import AlternativeAnswer, Firmness, RulingAnswer
from scorepad.schemas.fields import Count, Form, Points
from scorepad.schemas.hands import refuse_deal, settled
from scorepad.schemas.unusable import Path, Unusable, echo, refuse_unknown, unusable


class HeadForm(Form):
    """What every question says first: its kind, and the rules it is asked under."""

    kind: str
    variant: str
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)


class MeldForm(Form):
    """May these cards be laid? `table`: the side's other melds, as far as the answer hangs on them."""

    cards: str
    on: str | None = None
    going_out: bool = False
    table: list[str] = Field(default_factory=list)


class OpeningForm(Form):
    """Do these melds open? With `hand`: can it, and which melds of it lay most points?"""

    score: Points = 0
    melds: list[str] = Field(default_factory=list)
    top_card: str | None = None
    concealed_out: bool = False
    deal: Count = 1
    hand: str | None = None


class PileForm(Form):
    """May the pile be taken?"""

    top: str
    frozen: bool = False
    opened: bool = True
    score: Points = 0
    table: list[str] = Field(default_factory=list)
    laid: list[str] = Field(default_factory=list, alias="with")
    deal: Count = 1
    hand: str | None = None


class OutForm(Form):
    """May the player go out? `discard` left out: nobody said whether there is one.

    `score` and `deal` only with `hand`, for the opening minimum that a hand must reach where the `table` is empty, or
    with `concealed`, for that which the `table` must reach; without them the answer holds only if it does, and says so.
    """

    table: list[str]
    discard: str | None = None
    concealed: bool = False
    red_threes: Count = 0
    permission: Literal["not-asked", "granted", "refused"] = "not-asked"
    hand: str | None = None
    score: Points = 0
    deal: Count = 1


class UpcardForm(Form):
    """What becomes of the first cards turned up?"""

    cards: str


class DiscardForm(Form):
    """May this card be discarded?

    `table`: the side's melds, from which `wild_meld_incomplete` follows. Where neither is given and the answer hangs on
    it, a reason says so.
    """

    card: str
    first_round: bool = False
    last: bool = False
    wild_meld_incomplete: bool = False
    table: list[str] = Field(default_factory=list)


class RedThreesForm(Form):
    """What are so many red threes worth?"""

    count: Count
    opened: bool = True
    canastas: dict[str, Count] = Field(default_factory=dict)


class PenaltyForm(Form):
    """What does this cost?"""

    code: str


class EndOfStockForm(Form):
    """The stock is used up: what now?"""

    last_card: str | None = None
    top: str | None = None
    table: list[str] = Field(default_factory=list)
    pile_has_wild: bool = False
    pile_has_red_three: bool = False


RulingForm = (
    MeldForm
    | OpeningForm
    | PileForm
    | OutForm
    | UpcardForm
    | DiscardForm
    | RedThreesForm
    | PenaltyForm
    | EndOfStockForm
)

FORMS: dict[str, type[RulingForm]] = {
    "meld": MeldForm,
    "opening": OpeningForm,
    "pile": PileForm,
    "out": OutForm,
    "upcard": UpcardForm,
    "discard": DiscardForm,
    "red-threes": RedThreesForm,
    "penalty": PenaltyForm,
    "end-of-stock": EndOfStockForm,
}
"""The kinds of question, each with its form."""


def keys_of(kind: str) -> frozenset[str]:
    """The keys that a question of this kind may have beside those of every question."""
    return frozenset(entry.alias or name for name, entry in FORMS[kind].model_fields.items())


def kinds_with(key: str) -> tuple[str, ...]:
    """The kinds of question that have this key."""
    return tuple(kind for kind in FORMS if key in keys_of(kind))


TAKES = {
    "kind": "kind", "variant": "variant", "preset": "preset", "options": "options", "cards": "cards", "on": "meld",
    "going_out": "flag", "score": "score", "melds": "card-strings", "top_card": "discard", "concealed_out": "flag",
    "top": "card", "frozen": "flag", "opened": "flag", "table": "card-strings", "with": "card-strings",
    "discard": "discard", "concealed": "flag", "red_threes": "count", "permission": "permission", "card": "card",
    "first_round": "flag", "last": "flag", "wild_meld_incomplete": "flag", "count": "count", "canastas": "canastas",
    "code": "text", "last_card": "discard", "pile_has_wild": "flag", "pile_has_red_three": "flag", "deal": "count",
    "hand": "cards",
}  # fmt: skip
"""What each key takes, as the end of a message key."""
INSIDE = {"options": "option", "melds": "cards", "table": "cards", "with": "cards", "canastas": "count"}
"""What stands inside a key that holds several things."""


_HEAD = frozenset(HeadForm.model_fields)
_Form = TypeVar("_Form", bound=Form)
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
        reason = unusable(trouble)
        raise Unusable("unusable.not-question") if reason.reason == "unusable.not-object" else reason from None
    kind = _kind(raw)
    head = _read(HeadForm, {key: value for key, value in raw.items() if key in _HEAD})
    rules = settled(head.variant, head.preset, head.options)
    rest = {key: value for key, value in raw.items() if key not in _HEAD}
    return Question(rules, _asked(kind, rest, rules))


def read_question_of_match(raw: Mapping[str, Any], rules: Ruleset) -> Question:
    """Read a question that is asked in a match, whose rules are known. Raises Unusable."""
    return Question(rules, _asked(_kind(raw), {key: value for key, value in raw.items() if key != "kind"}, rules))


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


def _kind(raw: Mapping[str, Any]) -> str:
    if "kind" not in raw:
        raise Unusable("unusable.missing", "kind", takes="kind", known=", ".join(FORMS))
    kind = raw["kind"]
    if not isinstance(kind, str):
        raise Unusable("unusable.wrong", "kind", takes="kind", known=", ".join(FORMS))
    if kind not in FORMS:
        raise Unusable("unusable.kind", "kind", given=echo(kind), known=", ".join(FORMS))
    return kind


def _read(form: type[_Form], raw: Mapping[str, Any]) -> _Form:
    try:
        return form.model_validate(raw)
    except ValidationError as trouble:
        raise unusable(trouble, _takes) from None


def _takes(path: Path) -> str:
    key = str(path[0])
    return INSIDE.get(key, "text") if len(path) > 1 else TAKES[key]


def _asked(kind: str, raw: Mapping[str, Any], rules: Ruleset) -> AnyQuestion:
    for key in sorted(raw.keys() - keys_of(kind)):
        others = kinds_with(key)
        if others:
            raise Unusable("unusable.other-kind", key, given=kind, known=", ".join(others))
    form = _read(FORMS[kind], raw)
    _check_deal(form, rules)
    return _MADE[type(form)](form, rules)


def _check_deal(form: RulingForm, rules: Ruleset) -> None:
    """The number of the hand, where a match has a number of them."""
    if "deal" in form.model_fields_set:
        refuse_deal(getattr(form, "deal", None), rules)


def _card(text: str, key: str) -> Reading:
    reading = read_cards(text)
    if reading.cards.size + len(reading.unknown) != 1:
        raise Unusable("unusable.wrong", key, takes="card")
    return reading


def _discarded(text: str, key: str, rules: Ruleset) -> Reading:
    """A discard: one card, or as many threes of a colour as this game lets go at once."""
    reading, at_once = read_cards(text), rules.settings.threes_together
    threes = (reading.cards.of(Kind.BLACK_THREE), reading.cards.of(Kind.RED_THREE))
    together = at_once in threes and reading.cards.size == at_once > 0 and not reading.unknown
    return reading if together else _card(text, key)


def _card_or_none(text: str | None, key: str) -> Reading:
    return NOTHING if text is None else _card(text, key)


def _melds(texts: list[str], key: str, rules: Ruleset) -> tuple[Reading, ...]:
    """Melds, not more of them than the cards of the decks can make: what nobody can lay is not tried in every way."""
    most = sum(in_decks(rules.settings.decks)) // rules.settings.meld_shortest
    if len(texts) > most:
        raise Unusable("unusable.wrong", key, takes="melds-most", most=most)
    return tuple(read_cards(text) for text in texts)


def _meld(form: MeldForm, rules: Ruleset) -> AnyQuestion:
    on = None if form.on is None else read_cards(form.on)
    return questions.MeldQuestion(read_cards(form.cards), on, form.going_out, _table(form, rules))


def _table(form: MeldForm | DiscardForm, rules: Ruleset) -> tuple[Reading, ...] | None:
    """The side's melds, where somebody said which they are."""
    return _melds(form.table, "table", rules) if "table" in form.model_fields_set else None


def _opening(form: OpeningForm, rules: Ruleset) -> AnyQuestion:
    top = None if form.top_card is None else _card(form.top_card, "top_card")
    if form.hand is not None:
        _alone(form, "melds")
        return questions.BestOpeningQuestion(read_cards(form.hand), form.score, top, form.concealed_out, form.deal)
    return questions.OpeningQuestion(form.score, _melds(form.melds, "melds", rules), top, form.concealed_out, form.deal)


def _alone(form: Form, shown: str) -> None:
    """A whole hand stands in place of the melds shown."""
    if shown in form.model_fields_set:
        raise Unusable("unusable.beside-hand", type(form).model_fields[shown].alias or shown)


def _pile(form: PileForm, rules: Ruleset) -> AnyQuestion:
    top, table = _card(form.top, "top"), _melds(form.table, "table", rules)
    if form.hand is not None:
        _alone(form, "laid")
        hand = read_cards(form.hand)
        return questions.BestPileQuestion(hand, top, form.frozen, form.opened, form.score, table, form.deal)
    laid = _melds(form.laid, "with", rules)
    return questions.PileQuestion(top, form.frozen, form.opened, form.score, table, laid, form.deal)


def _out(form: OutForm, rules: Ruleset) -> AnyQuestion:
    said: dict[str, Any] = {
        "table": _melds(form.table, "table", rules),
        "discard": NOTHING if form.discard is None else _discarded(form.discard, "discard", rules),
        "discard_noted": "discard" in form.model_fields_set,
        "concealed": form.concealed,
        "red_threes": form.red_threes,
        "permission": questions.Permission(form.permission),
    }
    if form.hand is not None:
        return questions.BestOutQuestion(read_cards(form.hand), **said, score=form.score, deal=form.deal)
    opening = [key for key in ("score", "deal") if key in form.model_fields_set]
    if opening and not form.concealed:
        raise Unusable("unusable.only-with-hand", opening[0])
    return questions.OutQuestion(**said, **{key: getattr(form, key) for key in opening})


def _upcard(form: UpcardForm, rules: Ruleset) -> AnyQuestion:
    """The cards one by one: a token with a count is that many cards turned one after the other."""
    tokens = [(token, read_cards(token)) for token in form.cards.split()]
    most = sum(in_decks(rules.settings.decks))
    if not 1 <= sum(max(1, reading.cards.size) for _, reading in tokens) <= most:
        raise Unusable("unusable.wrong", "cards", takes="upcards", most=most)
    return questions.UpcardQuestion(
        tuple(single for token, reading in tokens for single in _one_by_one(token, reading))
    )


def _one_by_one(token: str, reading: Reading) -> list[Reading]:
    single = token.lower().rpartition("x")[2]
    return [reading] if reading.unknown else [read_cards(single)] * reading.cards.size


def _discard(form: DiscardForm, rules: Ruleset) -> AnyQuestion:
    card = _discarded(form.card, "card", rules)
    incomplete = form.wild_meld_incomplete if "wild_meld_incomplete" in form.model_fields_set else None
    return questions.DiscardQuestion(card, form.first_round, form.last, incomplete, _table(form, rules))


def _red_threes(form: RedThreesForm, rules: Ruleset) -> AnyQuestion:
    refuse_unknown(form.canastas, rules.items, "canastas")
    return questions.RedThreesQuestion(form.count, form.opened, dict(form.canastas))


def _penalty(form: PenaltyForm, _: Ruleset) -> AnyQuestion:
    return questions.PenaltyQuestion(form.code)


def _end_of_stock(form: EndOfStockForm, rules: Ruleset) -> AnyQuestion:
    return questions.EndOfStockQuestion(
        last_card=_card_or_none(form.last_card, "last_card"),
        top=_card_or_none(form.top, "top"),
        table=_melds(form.table, "table", rules),
        pile_has_wild=form.pile_has_wild,
        pile_has_red_three=form.pile_has_red_three,
    )


_MADE: dict[type[Form], Callable[[Any, Ruleset], AnyQuestion]] = {
    MeldForm: _meld,
    OpeningForm: _opening,
    PileForm: _pile,
    OutForm: _out,
    UpcardForm: _upcard,
    DiscardForm: _discard,
    RedThreesForm: _red_threes,
    PenaltyForm: _penalty,
    EndOfStockForm: _end_of_stock,
}
"""How a question of each form becomes the value that the rules answer."""
