"""The questions of the referee: the facts that each asks for, in their order, and a question with its answers so far.

A fact has its name of the JSON schema. A few belong to the pages alone: `way`, `place`, `uses_top` and `ends` lead to
other facts, `who` is a side of a match, and `laid` are the cards of the hand without the pile's top card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import MatchState, SideState
from scorepad.referee.case import has_partner
from scorepad.referee.questions import Verdict
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit, in_decks, read_cards
from scorepad.rules.settings import LARGEST, OpeningBy, Settings
from scorepad.rules.variants import Ruleset
from scorepad.schemas.rulings import keys_of
from scorepad.web.base import FieldError
from scorepad.web.cards import LONGEST_ECHO, LONGEST_TEXT, grow
from scorepad.web.forms import read_figure
from scorepad.web.hand_fields import referee_facts
from scorepad.web.referee.cards import BETWEEN, cards_of, laid_on, melds_of, read_line, taken_off, with_top

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Situation:
    """What questions are asked under: the rules, the match if there is one, and what was answered so far.

    `typed` are the answers in the URL by name, `given` those that the question brings; `choices` the URL parameters of
    the rules, outside a match, and `chosen` what was chosen of them in words.
    """

    rules: Ruleset
    typed: Mapping[str, str]
    words: Words
    match: MatchState | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    chosen: str = ""

    @property
    def can_keep(self) -> bool:
        """Whether this device may keep a ruling with the match."""
        state = self.match
        return state is not None and state.access.can_write and not state.standing.finished

    @property
    def start_url(self) -> str:
        """The page with the questions."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.choices)

    def url(self, question: str, args: Mapping[str, Any], anchor: str | None = None) -> str:
        """The page of a question with these answers."""
        if self.match is not None:
            return url_for("referee.ask_in_match", match=self.match.id, question=question, **args, _anchor=anchor)
        return url_for("referee.ask", question=question, **{**self.choices, **args}, _anchor=anchor)

    @property
    def settings(self) -> Settings:
        """The settings of the rules."""
        return self.rules.settings

    def answer(self, name: str) -> str:
        """What was answered, or is known; empty where neither."""
        text = self.typed.get(name)
        return (self.known.get(name) or self.given.get(name, "") if text is None else text).strip()

    @property
    def side(self) -> int | None:
        """The position of the side that the question is about; None outside a match, or if it was not answered."""
        positions = range(len(self.match.sides)) if self.match else ()
        return next((each for each in positions if str(each) == self.typed.get("who")), None)

    @property
    def side_state(self) -> SideState | None:
        """That side as it stands."""
        return None if self.match is None or self.side is None else self.match.sides[self.side]

    @property
    def known(self) -> Mapping[str, str]:
        """What the match knows: the number of the hand, and of the side its score and what its open hand says."""
        known = {"deal": str(self.match.coming)} if self.match else {}
        if self.side is not None and self.side_state is not None:
            known |= {"score": str(self.side_state.total), **self.of_open_hand(self.side)}
        return known

    def of_open_hand(self, side: int) -> Mapping[str, str]:
        """What the open hand of the match says of a side."""
        if self.match is None or self.match.open_hand is None:
            return {}
        return referee_facts(self.match.open_hand.draft, SIDE_KEYS[side], self.rules)


When = Callable[[Situation], bool]


class Input(StrEnum):
    """How a fact is answered."""

    CARD = "card"
    CARDS = "cards"
    """Cards of a meld, or of a hand."""
    TURNED = "turned"
    """Cards in the order in which they were turned."""
    MELDS = "melds"
    FIGURE = "figure"
    SCORE = "score"
    COUNTS = "counts"
    """How many canastas of each kind."""
    CHOICE = "choice"
    SIDE = "side"

    @property
    def takes_cards(self) -> bool:
        """Whether cards are tapped or typed."""
        return self in (Input.CARD, Input.CARDS, Input.TURNED, Input.MELDS)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact, by its name in the URL.

    The first of `values` holds where nobody says. `needed`: there is no answer without it. `only`: answers to other
    facts, one of which makes it a fact of the case. `aside`: set by a link or on the page of all facts, never asked by
    itself. `when`: whether there is such a fact at all. `blank`: the figure that an empty input stands for.
    """

    name: str
    input: Input
    values: tuple[str, ...] = ()
    needed: bool = False
    only: Mapping[str, str] = field(default_factory=dict)
    aside: bool = False
    when: When = lambda _: True
    blank: str = ""

    def of(self, situation: Situation) -> str:
        """The answer, or what holds without one."""
        return situation.answer(self.name) or (self.values[0] if self.values else "")


@dataclass(frozen=True, slots=True)
class Mistake:
    """What may have gone wrong already, by its code among the irregularities.

    It is listed with the verdict `after`, if one of the reasons `of` was given (any if empty), and with the answers
    `when`.
    """

    code: str
    of: tuple[str, ...] = ()
    when: Mapping[str, str] = field(default_factory=dict)
    after: Verdict = Verdict.FORBIDDEN


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name in the URL, its kind in the schema, its facts, and the mistakes that go with its answers.

    `given` are answers that the question itself brings. `tells_silence`: if the answer is no and no mistake is known,
    the page says that the sources do not decide it.
    """

    name: str
    kind: str
    facts: tuple[Fact, ...]
    mistakes: tuple[Mistake, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    tells_silence: bool = False

    def title(self, words: Words) -> str:
        """The question in words."""
        own = f"referee.ask.{self.name}"
        return words.text(own if words.has(own) else f"referee.ask.{self.kind}")

    def asked(self, situation: Situation) -> tuple[Fact, ...]:
        """The facts of the case as far as it is known, in their order."""
        by_name = {fact.name: fact for fact in self.facts}

        def is_asked(fact: Fact) -> bool:
            leads = (by_name[name].of(situation) == value for name, value in fact.only.items())
            return fact.when(situation) and (not fact.only or any(leads))

        return tuple(fact for fact in self.facts if is_asked(fact))


def _by_score(situation: Situation) -> bool:
    return situation.match is None and situation.settings.opening_by is OpeningBy.SCORE


def _by_hand_number(situation: Situation) -> bool:
    return situation.match is None and "deal" in situation.rules.entry_fields


def _way(kind: str, *values: str) -> Fact:
    return Fact("way", Input.CHOICE, values, aside=True, when=lambda _: len(values) > 2 or "hand" in keys_of(kind))  # noqa: PLR2004


_NO_YES, _YES_NO = (NO, YES), (YES, NO)
_MELDS, _HAND = {"way": "melds"}, {"way": "hand"}
_WHO = Fact("who", Input.SIDE, when=lambda asked: asked.match is not None)
_TABLE = Fact("table", Input.MELDS)
_HELD = Fact("hand", Input.CARDS, needed=True, only=_HAND)
_TAKEN_BACK = Mistake("meld-taken-back", after=Verdict.ALLOWED)


def _minimum(**only: str) -> tuple[Fact, Fact]:
    """What an opening minimum goes by."""
    score = Fact("score", Input.SCORE, only=only, when=_by_score, blank="0")
    return score, Fact("deal", Input.FIGURE, only=only, when=_by_hand_number, blank="1")


PILE = Question(
    "pozzo",
    "pile",
    (
        Fact("top", Input.CARD, needed=True),
        Fact("frozen", Input.CHOICE, _NO_YES),
        _way("pile", "melds", "hand"),
        Fact("laid", Input.MELDS, only=_MELDS),
        _HELD,
        Fact("opened", Input.CHOICE, _YES_NO),
        _WHO,
        *_minimum(opened=NO),
        Fact("table", Input.MELDS, only={"opened": YES}),
    ),
    (Mistake("pile-taken-without-meld"), Mistake("pile-taken-top-card-unused")),
)
_OPENING = (
    _way("opening", "melds", "minimum", "hand"),
    Fact("uses_top", Input.CHOICE, _NO_YES, aside=True),
    Fact("top_card", Input.CARD, needed=True, only={"uses_top": YES}),
    Fact("melds", Input.MELDS, needed=True, only=_MELDS),
    _HELD,
    _WHO,
    *_minimum(),
    Fact("concealed_out", Input.CHOICE, _NO_YES),
)
_UNDER = (Mistake("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK)
OPENING = Question("apertura", "opening", _OPENING, _UNDER, tells_silence=True)
OPENING_WITH_TOP = Question("apertura-pozzo", "opening", _OPENING, _UNDER, {"uses_top": YES}, tells_silence=True)
MELD = Question(
    "calata",
    "meld",
    (
        Fact("cards", Input.CARDS, needed=True),
        Fact("going_out", Input.CHOICE, _NO_YES),
        Fact("place", Input.CHOICE, ("new", "on")),
        Fact("on", Input.CARDS, needed=True, only={"place": "on"}),
        _WHO,
        _TABLE,
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
)
_PERMISSION = Fact(
    "permission", Input.CHOICE, ("not-asked", "granted", "refused"), when=lambda asked: has_partner(asked.settings)
)
_OUT = (
    _way("out", "melds", "hand"),
    _WHO,
    _TABLE,
    _HELD,
    Fact("ends", Input.CHOICE, ("unsaid", "card", "none")),
    Fact("discard", Input.CARD, needed=True, only={"ends": "card"}),
    Fact("red_threes", Input.FIGURE, blank="0", when=lambda asked: asked.settings.out_red_threes != "any"),
    Fact("concealed", Input.CHOICE, _NO_YES),
    *_minimum(concealed=YES, **_HAND),
)
_AFTER_ASKING = (
    Mistake("permission-then-no-out", when={"permission": "granted"}),
    Mistake("out-after-no", ("permission-refused",)),
)
OUT = Question("chiusura", "out", (*_OUT[:4], _PERMISSION, *_OUT[4:]), _AFTER_ASKING)
PERMISSION = Question("permesso", "out", (_PERMISSION, *_OUT), _AFTER_ASKING)
UPCARD = Question("prima-carta", "upcard", (Fact("cards", Input.TURNED, needed=True),))
DISCARD = Question(
    "scarto",
    "discard",
    (
        Fact("card", Input.CARD, needed=True),
        Fact("last", Input.CHOICE, _NO_YES),
        Fact("first_round", Input.CHOICE, _NO_YES),
        _WHO,
        Fact("table", Input.MELDS),
        Fact("wild_meld_incomplete", Input.CHOICE, _NO_YES),
    ),
)
RED_THREES = Question(
    "tre-rossi",
    "red-threes",
    (
        _WHO,
        Fact("count", Input.FIGURE, needed=True),
        Fact("opened", Input.CHOICE, _YES_NO),
        Fact("canastas", Input.COUNTS),
    ),
)
END_OF_STOCK = Question(
    "tallone",
    "end-of-stock",
    (
        Fact("last_card", Input.CHOICE, ("other", "red-three")),
        Fact("top", Input.CARD),
        _WHO,
        Fact("table", Input.MELDS),
        Fact("pile_has_wild", Input.CHOICE, _NO_YES),
        Fact("pile_has_red_three", Input.CHOICE, _NO_YES),
    ),
)
PENALTY = Question("penalita", "penalty", ())

QUESTIONS = (
    PILE, OPENING, OPENING_WITH_TOP, MELD, OUT, PERMISSION, DISCARD, END_OF_STOCK, RED_THREES, UPCARD, PENALTY,
)  # fmt: skip
"""In the order of the page."""
BY_NAME = {question.name: question for question in QUESTIONS}

GROUPS: Mapping[str, tuple[str, ...]] = {
    "pile": ("pile-taken-without-meld", "pile-taken-top-card-unused", "draw-out-of-turn", "draw-taken-back"),
    "melds": ("opening-under-minimum", "meld-out-of-turn-opponents", "meld-out-of-turn-partner", "meld-taken-back",
              "red-three-not-exposed"),
    "cards": ("exposed-card", "two-cards-discarded", "wrong-dealer", "wrong-dealer-late"),
    "out": ("permission-then-no-out", "out-after-no", "partner-talk"),
}  # fmt: skip
"""The irregularities by what went wrong; those of a game's own stand with the last, which the table decides."""
TURNING: Mapping[str, Mapping[str, str]] = {
    "wrong-dealer": {NO: "wrong-dealer", YES: "wrong-dealer-late"},
    "meld-out-of-turn": {"opponents": "meld-out-of-turn-opponents", "partner": "meld-out-of-turn-partner"},
    "red-three-not-exposed": {YES: "red-three-not-exposed", NO: "red-three-in-time"},
}
"""Mistakes that one question tells apart: by the answers to it, the codes of the irregularities."""
IN_TIME = "red-three-in-time"
"""A red three noticed while the hand goes on: no irregularity yet."""


# ---------------------------------------------------------------- a question with its answers so far

STEP, DO = "passo", "do"
"""URL parameters: the fact whose page is shown, and the key that was pressed."""
ANSWER, ALL = "risposta", "tutti"
"""In place of a fact: the answer with what is known, and the page of all facts."""
MOST_COUNTED = 99
_PAGE_ONLY = ("way", "place", "uses_top", "ends", "who", "laid")
"""Facts that are not in the schema."""
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"


@dataclass(frozen=True, slots=True)
class Case:
    """A question in a situation."""

    question: Question
    situation: Situation

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of the case as far as it is known, in their order."""
        return self.question.asked(self.situation)

    def fact(self, name: str) -> Fact | None:
        """The fact of this name, if it is one of the case."""
        return next((fact for fact in self.facts if fact.name == name), None)

    def is_answered(self, fact: Fact) -> bool:
        """Whether it was answered, or is known."""
        names = set(names_of(fact, self.situation))
        return not names.isdisjoint(self.situation.typed) or bool(names.intersection(self.situation.known))

    def with_answers(self, answers: Mapping[str, str]) -> Case:
        """The same with other answers."""
        return replace(self, situation=replace(self.situation, typed={**self.situation.typed, **answers}))

    def known_answers(self) -> dict[str, str]:
        """All answers by name: those of the URL, and what the match knows."""
        names = [name for fact in self.facts for name in names_of(fact, self.situation)]
        known = {name: self.situation.known[name] for name in names if self.situation.known.get(name)}
        return known | {name: text for name, text in self.situation.typed.items() if not name.endswith("-suit")}

    # URLs

    def url(self, step: str | None = None, anchor: str | None = None) -> str:
        """The URL of the case, or of the page of one of its facts."""
        typed = self.situation.typed.items()
        args = {name: text.strip() for name, text in typed if not name.endswith("-suit") or step == name[:-5]}
        return self.situation.url(self.question.name, args | {STEP: step} if step else args, anchor)

    @property
    def form_url(self) -> str:
        """The URL of a form, which sends the answers and the rules as hidden fields."""
        return self.situation.url(self.question.name, {}).partition("?")[0]

    def hidden(self, *shown: Fact) -> tuple[tuple[str, str], ...]:
        """The hidden fields of a form that shows these facts: the rules, and the answers to the others."""
        here = {name for fact in shown for name in names_of(fact, self.situation)}
        rest = [(name, text.strip()) for name, text in self.situation.typed.items() if name not in here]
        return (*self.situation.choices.items(), *rest)

    # keys without a script

    def pressed(self, button: str) -> tuple[Case, str | None, str] | None:
        """What a key makes of the case, the fact whose page it stays on, and its input; None for another button."""
        verb, _, rest = button.partition(":")
        name, _, token = rest.partition(":")
        fact = self.fact(name.partition("-")[0] if verb == "set" else name)
        if fact is None or verb not in ("set", "card", "uncard", "next"):
            return None
        if verb == "set":
            return self.with_answers({name: token[:LONGEST_TEXT]}), None, name
        text, settings = self.situation.answer(name), self.situation.settings
        if not fact.input.takes_cards or (verb == "card" and token.upper() not in {kind.upper() for kind in Kind}):
            return None
        if verb == "uncard":
            text = taken_off(text)
        elif verb == "next":
            text = f"{text.rstrip(' /')}{BETWEEN}" if text.strip(" /") else text
        else:
            card = _with_suit(token, self.situation.typed.get(f"{name}-suit", ""))
            text = {Input.CARD: card, Input.MELDS: laid_on(text, card, settings)}.get(fact.input) or grow(text, card)
        return self.with_answers({name: text}), None if (fact.input, verb) == (Input.CARD, "card") else name, name


def _with_suit(token: str, suit: str) -> str:
    """A card of the suit that was chosen beside the keys, where it may have one."""
    has_suit = token.upper() in {KINDS[index].upper() for index in NATURAL_INDICES}
    return f"{token}{suit}" if has_suit and suit in tuple(Suit) else token


def read_args(args: Mapping[str, str], question: Question, situation: Situation) -> dict[str, str]:
    """The answers to a question in the parameters of a URL."""
    known = {name for fact in question.facts for name in names_of(fact, situation)}
    known |= {f"{fact.name}-suit" for fact in question.facts if fact.input.takes_cards}
    typed = {name: text[: LONGEST_TEXT + 1] for name, text in args.items() if name in known}
    if typed.get("way") == "hand" and "hand" not in keys_of(question.kind):
        del typed["way"]
    return typed


def names_of(fact: Fact, situation: Situation) -> Iterator[str]:
    """The URL parameters of a fact."""
    if fact.input is Input.COUNTS:
        yield from (f"{fact.name}-{kind.item}" for kind in situation.settings.canastas)
        return
    yield fact.name
    if fact.input is Input.SCORE:
        yield f"{fact.name}-below"


# ---------------------------------------------------------------- the question in the schema


def question_of(case: Case) -> dict[str, Any]:
    """The question in the JSON schema, without the rules, as far as it was answered; `errors_of` checks the answers."""
    situation = case.situation
    raw: dict[str, Any] = {"kind": case.question.kind}
    for fact in case.facts:
        if fact.name not in _PAGE_ONLY and (fact.needed or case.is_answered(fact)):
            raw |= _value(fact, situation)
    raw |= _known_of_match(case)
    if case.question.kind in ("meld", "discard") and not raw.get("table"):
        # An empty input says nothing about the table: the answer then tells what it depends on.
        raw.pop("table", None)
    if case.question.kind == "out":
        raw = {"table": [], **raw, **({"discard": None} if situation.answer("ends") == "none" else {})}
    if case.question.kind == "pile" and case.fact("laid"):
        laid = melds_of(situation.answer("laid"), situation.settings)
        raw["with"] = with_top(laid, raw["top"], raw.get("table", []), situation.rules)
    return raw


def _known_of_match(case: Case) -> dict[str, Any]:
    """The score and the number of the hand, which the match knows, if the opening minimum is asked about."""
    situation = case.situation
    if situation.match is None or "score" not in keys_of(case.question.kind):
        return {}
    here = replace(situation, match=None)
    names = {fact.name for fact in case.question.asked(here)} & {"score", "deal"}
    return {name: int(situation.known[name]) for name in sorted(names, reverse=True) if name in situation.known}


def _value(fact: Fact, situation: Situation) -> dict[str, Any]:
    """What one fact adds to the question."""
    text = fact.of(situation)
    match fact.input:
        case Input.MELDS:
            return {fact.name: melds_of(text, situation.settings)}
        case Input.SCORE | Input.FIGURE:
            is_blank = not text and not fact.needed and fact.input is Input.FIGURE
            return {} if is_blank else {fact.name: signed(fact, situation)}
        case Input.COUNTS:
            items = [kind.item for kind in situation.settings.canastas]
            counts = {item: _figure(situation.answer(f"{fact.name}-{item}"), situation) for item in items}
            return {fact.name: {item: count for item, count in counts.items() if count}}
        case Input.CHOICE if fact.name == "last_card":
            return {fact.name: "3r"} if text == "red-three" else {}
        case Input.CHOICE:
            return {fact.name: text == YES if YES in fact.values else text}
        case _:
            return {fact.name: cards_of(text)} if text else {}


def signed(fact: Fact, situation: Situation) -> int:
    """The figure of a fact, 0 where it is no figure."""
    text = situation.answer(fact.name)
    points = _figure(text.lstrip(_MINUS), situation) or 0
    return -points if situation.answer(f"{fact.name}-below") or text[:1] in tuple(_MINUS) else points


def _figure(text: str, situation: Situation) -> int | None:
    figure = read_figure(text, situation.words.language)
    return figure if isinstance(figure, int) else None


# ---------------------------------------------------------------- errors


def errors_of(fact: Fact, situation: Situation) -> tuple[FieldError, ...]:
    """What is wrong with the answer to a fact."""
    found = [(fact.name, "" if fact.input is Input.COUNTS else _problem(fact, situation))]
    if fact.input is Input.COUNTS:
        found = [(name, _outside(situation.answer(name), 0, MOST_COUNTED, situation))
                 for name in names_of(fact, situation)]  # fmt: skip
    return tuple(FieldError(name, text) for name, text in found if text)


def ambiguity(text: str, words: Words) -> str:
    """The question about cards that were typed and have two meanings; empty if there are none."""
    for why, given in read_line(text).doubts:
        return words.text(f"typed.doubt.{why}", given=given[:LONGEST_ECHO])
    return ""


def _problem(fact: Fact, situation: Situation) -> str:
    """What is wrong with the answer to a fact of one field; empty where it is right."""
    text, words = situation.answer(fact.name), situation.words
    match fact.input:
        case Input.CHOICE:
            return "" if fact.of(situation) in fact.values else words.text("referee.error.choice")
        case Input.SIDE:
            is_wrong = fact.name in situation.typed and situation.side is None
            return words.text("referee.error.side") if is_wrong else ""
        case Input.SCORE | Input.FIGURE:
            least, most = 0, LARGEST if fact.input is Input.SCORE else MOST_COUNTED
            if fact.name == "deal":
                least, most = 1, situation.settings.match_deals or MOST_COUNTED
            is_missing = fact.needed and not text
            return words.text("referee.error.missing.figure") if is_missing else _outside(text, least, most, situation)
    return next(_wrong_cards(fact, text, situation), "")


def _outside(text: str, least: int, most: int, situation: Situation) -> str:
    """That a text is no figure between these two; empty where it is one, or nothing."""
    figure = read_figure(text.lstrip(_MINUS) if most == LARGEST else text, situation.words.language)
    if figure is None or (isinstance(figure, int) and least <= figure <= most):
        return ""
    return situation.words.text("referee.error.figure", least=least, most=most)


def _wrong_cards(fact: Fact, text: str, situation: Situation) -> Iterator[str]:
    """What is wrong with typed cards, the first thing first: what cannot be read, and what the decks do not hold."""
    words, in_play, typed = situation.words, in_decks(situation.settings.decks), read_line(text[:LONGEST_TEXT])
    reading = read_cards(typed.text)
    unknown, cards = typed.unknown or reading.unknown, reading.cards
    if len(text) > LONGEST_TEXT:
        yield words.text("referee.error.long", limit=LONGEST_TEXT)
    if typed.doubts:
        yield ambiguity(text, words)
    if unknown:
        yield words.text("referee.error.cards", given=" ".join(unknown)[:LONGEST_ECHO])
    if fact.needed and not cards.size:
        yield words.text(f"referee.error.missing.{fact.input}")
    if fact.input is Input.CARD and cards.size > 1:
        yield words.text("referee.error.one")
    if cards.size > sum(in_play):
        yield words.text("referee.error.many", most=sum(in_play))
    for index, count in enumerate(cards.counts):
        if count > in_play[index]:
            card = words.plural(f"card.{KINDS[index]}", in_play[index])
            yield words.text("referee.error.deck", given=count, card=card, most=in_play[index])
