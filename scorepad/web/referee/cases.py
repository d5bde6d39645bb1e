"""The questions of the referee: the facts that each asks for, in their order, and a case: a
question with its answers.

A fact has its name in the JSON schema. Some exist on the pages only: `way`, `place`, `uses_top` and
`ends` lead to other facts, `who` is a side of a match, and `laid` are the cards of the hand without
the pile's top card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from flask import url_for

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import MatchState
from scorepad.referee.answering import rule
from scorepad.referee.in_force import has_partner
from scorepad.referee.irregularities import Irregularity, irregularity
from scorepad.referee.ruling import Ruling, Verdict
from scorepad.rules.cards import KINDS, Kind, Suit, in_decks, read_cards
from scorepad.rules.settings import LARGEST, Settings
from scorepad.rules.variants import Ruleset
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match
from scorepad.web import card_lines
from scorepad.web.base import FieldError, language, plural, t
from scorepad.web.card_lines import LONGEST_ECHO, LONGEST_TEXT, cards_of
from scorepad.web.forms import figure_of, read_figure
from scorepad.web.hand_fields import referee_facts

YES, NO = "yes", "no"
Answers = Mapping[str, str]
"""Answers to facts, by the names of URL parameters."""


class InputKind(StrEnum):
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


class Fact(NamedTuple):
    """A fact, by its name in the URL.

    The first of `values` is the default. `needed`: there is no answer without it. `only`: answers
    to other facts, one of which makes it a fact of the case. `aside`: set by a link or on the page
    of all facts, never asked separately. `when`: whether the fact exists. `blank`: the value of an
    empty input.
    """

    name: str
    input: InputKind
    values: tuple[str, ...] = ()
    needed: bool = False
    only: Answers = MappingProxyType({})
    aside: bool = False
    when: Callable[[Case], bool] = lambda _: True
    blank: str = ""


class Mistake(NamedTuple):
    """A possible irregularity, by its code.

    It is listed with the verdict `after`, if one of the reasons `of` was given (any if empty), and
    with the answers `when`.
    """

    code: str
    of: tuple[str, ...] = ()
    when: Answers = MappingProxyType({})
    after: Verdict = Verdict.FORBIDDEN


class Question(NamedTuple):
    """A question: its name in the URL, its kind in the schema, its facts, and the mistakes that go
    with its answers.

    `given`: answers implied by the question. `tells_silence`: if the answer is no and no mistake is
    known, the page says that the sources do not decide it.
    """

    name: str
    kind: str
    facts: tuple[Fact, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    given: Answers = MappingProxyType({})
    tells_silence: bool = False

    def title(self, words: Words) -> str:
        """The question in words."""
        return words.text(words.first(f"referee.ask.{self.name}", f"referee.ask.{self.kind}"))


_NO_YES, _YES_NO = (NO, YES), (YES, NO)
_MELDS, _HAND = {"way": "melds"}, {"way": "hand"}
_WHO = Fact("who", InputKind.SIDE, when=lambda case: case.match is not None)
_TABLE = Fact("table", InputKind.MELDS)
_HELD = Fact("hand", InputKind.CARDS, needed=True, only=_HAND)
_TAKEN_BACK = Mistake("meld-taken-back", after=Verdict.ALLOWED)


def _choice(name: str, values: tuple[str, ...] = _NO_YES, **more: Any) -> Fact:
    return Fact(name, InputKind.CHOICE, values, **more)


def _way(*values: str) -> Fact:
    return _choice("way", values, aside=True)


def _minimum(**only: str) -> tuple[Fact, Fact]:
    """Facts that set an opening minimum, known in a match."""
    return (
        Fact("score", InputKind.SCORE, only=only, blank="0",
             when=lambda case: case.match is None and case.settings.opening_by == "score"),
        Fact("deal", InputKind.FIGURE, only=only, blank="1",
             when=lambda case: case.match is None and "deal" in case.rules.entry_fields),
    )  # fmt: skip


PILE = Question(
    "pozzo",
    "pile",
    (
        Fact("top", InputKind.CARD, needed=True),
        _choice("frozen"),
        _way("melds", "hand"),
        Fact("laid", InputKind.MELDS, only=_MELDS),
        _HELD,
        _choice("opened", _YES_NO),
        _WHO,
        *_minimum(opened=NO),
        Fact("table", InputKind.MELDS, only={"opened": YES}),
    ),
    (Mistake("pile-taken-without-meld"), Mistake("pile-taken-top-card-unused")),
)
OPENING = Question(
    "apertura",
    "opening",
    (
        _way("melds", "minimum", "hand"),
        _choice("uses_top", aside=True),
        Fact("top_card", InputKind.CARD, needed=True, only={"uses_top": YES}),
        Fact("melds", InputKind.MELDS, needed=True, only=_MELDS),
        _HELD,
        _WHO,
        *_minimum(),
        _choice("concealed_out"),
    ),
    (Mistake("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK),
    tells_silence=True,
)
OPENING_WITH_TOP = OPENING._replace(name="apertura-pozzo", given={"uses_top": YES})
MELD = Question(
    "calata",
    "meld",
    (
        Fact("cards", InputKind.CARDS, needed=True),
        _choice("going_out"),
        _choice("place", ("new", "on")),
        Fact("on", InputKind.CARDS, needed=True, only={"place": "on"}),
        _WHO,
        _TABLE,
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
)
_PERMISSION = _choice(
    "permission", ("not-asked", "granted", "refused"), when=lambda case: has_partner(case.settings)
)
_BEFORE_ASKING = (_way("melds", "hand"), _WHO, _TABLE, _HELD)
_AFTER_ASKING = (
    _choice("ends", ("unsaid", "card", "none")),
    Fact("discard", InputKind.CARD, needed=True, only={"ends": "card"}),
    Fact(
        "red_threes",
        InputKind.FIGURE,
        blank="0",
        when=lambda case: case.settings.out_red_threes != "any",
    ),
    _choice("concealed"),
    *_minimum(concealed=YES, **_HAND),
)
OUT = Question(
    "chiusura",
    "out",
    (*_BEFORE_ASKING, _PERMISSION, *_AFTER_ASKING),
    (
        Mistake("permission-then-no-out", when={"permission": "granted"}),
        Mistake("out-after-no", ("permission-refused",)),
    ),
)
PERMISSION = OUT._replace(name="permesso", facts=(_PERMISSION, *_BEFORE_ASKING, *_AFTER_ASKING))
UPCARD = Question("prima-carta", "upcard", (Fact("cards", InputKind.TURNED, needed=True),))
DISCARD = Question(
    "scarto",
    "discard",
    (
        Fact("card", InputKind.CARD, needed=True),
        _choice("last"),
        _choice("first_round"),
        _WHO,
        _TABLE,
        _choice("wild_meld_incomplete"),
    ),
)
RED_THREES = Question(
    "tre-rossi",
    "red-threes",
    (
        _WHO,
        Fact("count", InputKind.FIGURE, needed=True),
        _choice("opened", _YES_NO),
        Fact("canastas", InputKind.COUNTS),
    ),
)
END_OF_STOCK = Question(
    "tallone",
    "end-of-stock",
    (
        _choice("last_card", ("other", "red-three")),
        Fact("top", InputKind.CARD),
        _WHO,
        _TABLE,
        _choice("pile_has_wild"),
        _choice("pile_has_red_three"),
    ),
)
PENALTY = Question("penalita", "penalty")

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
"""The irregularities by group; those of a single game are in the last, which the table decides."""
TURNING: Mapping[str, Answers] = {
    "wrong-dealer": {NO: "wrong-dealer", YES: "wrong-dealer-late"},
    "meld-out-of-turn": {
        "opponents": "meld-out-of-turn-opponents",
        "partner": "meld-out-of-turn-partner",
    },
    "red-three-not-exposed": {YES: "red-three-not-exposed", NO: "red-three-in-time"},
}
"""Mistakes that one question distinguishes: the codes of the irregularities, by its answers."""
IN_TIME = "red-three-in-time"
"""A red three noticed during the hand: not yet an irregularity."""


# --------------------------------------------------------------- a question with its answers so far

STEP, DO = "passo", "do"
"""URL parameters: the fact whose page is shown, and the key that was pressed."""
ANSWER, ALL = "risposta", "tutti"
"""In place of a fact: the answer with what is known, and the page of all facts."""
MISTAKE, TURN = "caso", "sbaglio"
"""URL parameters: the code of an irregularity, and of a mistake that a question distinguishes."""
MOST_COUNTED = 99
_PAGE_ONLY = ("way", "place", "uses_top", "ends", "who", "laid")  # facts that are not in the schema
_IMPOSSIBLE = {
    "deck-exceeded",
    "red-threes-exceeded",
    "table-meld-illegal",
    "card-unknown",
}  # no ruling
_SUIT = "-suit"  # suffix of the URL parameter with the suit chosen for tapped cards
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"


@dataclass(frozen=True)
class Case:
    """A question with the answers in the URL, by name, under some rules, and in a match if there is
    one.

    `choices`: the URL parameters of the rules, outside a match; `chosen`: the chosen ones in words.
    """

    rules: Ruleset
    match: MatchState | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    chosen: str = ""
    question: Question = PENALTY
    typed: Answers = field(default_factory=dict)

    def of(self, question: Question, args: Answers) -> Case:
        """Another question, with its answers among the parameters of a URL."""
        known = {name for fact in question.facts for name in self.names(fact)}
        # An irregularity has no fact but its code.
        known |= {f"{fact.name}{_SUIT}" for fact in question.facts} or {MISTAKE}
        typed = {
            name: text.strip()[: LONGEST_TEXT + 1] for name, text in args.items() if name in known
        }
        return replace(self, question=question, typed=typed)

    @property
    def settings(self) -> Settings:
        """The settings of the rules."""
        return self.rules.settings

    @property
    def can_keep(self) -> bool:
        """Whether this device may keep a ruling with the match."""
        return (
            self.match is not None
            and self.match.access.can_write
            and not self.match.status.finished
        )

    @property
    def start_url(self) -> str:
        """The page with the questions."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.choices)

    def url_of(self, question: str, **args: Any) -> str:
        """The page of a question with these answers."""
        if self.match is not None:
            return url_for("referee.ask_in_match", match=self.match.id, question=question, **args)
        return url_for("referee.ask", question=question, **{**self.choices, **args})

    def with_answers(self, answers: Answers) -> Case:
        """The case with other answers."""
        return replace(self, typed={**self.typed, **answers})

    @cached_property
    def side(self) -> int | None:
        """The position of the side of the question; None outside a match, or if it was not
        answered.
        """
        positions = range(len(self.match.sides)) if self.match else ()
        return next((each for each in positions if str(each) == self.typed.get("who")), None)

    @cached_property
    def known(self) -> Answers:
        """The facts known in a match: the hand number, and for the side its score and the facts of
        its open hand.
        """
        if self.match is None:
            return {}
        known = {"deal": str(self.match.coming)}
        if self.side is not None:
            known |= {
                "score": str(self.match.sides[self.side].total),
                **self.of_open_hand(self.side),
            }
        return known

    def of_open_hand(self, side: int) -> Answers:
        """The facts of a side in the open hand of the match."""
        hand = self.match.open_hand if self.match else None
        return referee_facts(hand.draft, SIDE_KEYS[side], self.rules) if hand else {}

    def answer(self, name: str) -> str:
        """The answered or known value; empty if there is none."""
        return next(
            (each[name] for each in (self.typed, self.known, self.question.given) if name in each),
            "",
        )

    def value(self, fact: Fact) -> str:
        """The answer to a fact, or its default."""
        return self.answer(fact.name) or (fact.values[0] if fact.values else "")

    def names(self, fact: Fact) -> tuple[str, ...]:
        """The URL parameters of a fact."""
        if fact.input is InputKind.COUNTS:
            return tuple(f"{fact.name}-{kind.item}" for kind in self.settings.canastas)
        return (fact.name, f"{fact.name}-below") if fact.input is InputKind.SCORE else (fact.name,)

    def is_answered(self, fact: Fact) -> bool:
        """Whether it was answered, or is known."""
        return any(name in self.typed or name in self.known for name in self.names(fact))

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The known facts of the case, in their order."""
        values = {fact.name: self.value(fact) for fact in self.question.facts}
        return tuple(
            fact
            for fact in self.question.facts
            if fact.when(self)
            and (not fact.only or any(values[name] == value for name, value in fact.only.items()))
        )

    def fact(self, name: str) -> Fact | None:
        """The fact of this name, if it is one of the case."""
        return next((fact for fact in self.facts if fact.name == name), None)

    @property
    def mistake(self) -> Irregularity | None:
        """The irregularity asked about; None for any other question, or if the rules do not have
        it.
        """
        return irregularity(self.rules, self.typed.get(MISTAKE, ""))

    # URLs

    def url(self, step: str | None = None, anchor: str | None = None) -> str:
        """The URL of the case, or of the page of one of its facts."""
        return self.url_of(
            self.question.name, _anchor=anchor, **self.typed, **({STEP: step} if step else {})
        )

    def pressed(self, button: str) -> str | None:
        """The URL of a pressed key, without a script; None for another button."""
        verb, _, rest = button.partition(":")
        name, _, token = rest.partition(":")
        fact = self.fact(name.partition("-")[0] if verb == "set" else name)
        with_cards = (InputKind.CARD, InputKind.CARDS, InputKind.TURNED, InputKind.MELDS)
        if fact is None or (verb != "set" and fact.input not in with_cards):
            return None
        text, stays, kinds = self.answer(name), name, {kind.upper(): kind for kind in Kind}
        match verb:
            case "set":
                text, stays = token[:LONGEST_TEXT], ""
            case "uncard":
                text = card_lines.remove_last_card(text)
            case "next":
                text = f"{text.rstrip(' /')} /" if text.strip(" /") else text
            case "card" if token.upper() in kinds:
                suit = self.typed.get(f"{name}{_SUIT}", "")
                card = (
                    f"{token}{suit}"
                    if kinds[token.upper()].is_natural and suit in tuple(Suit)
                    else token
                )
                stays = "" if fact.input is InputKind.CARD else name
                melds = fact.input is InputKind.MELDS
                laid = (
                    card_lines.add_to_meld(text, card, self.settings)
                    if melds
                    else card_lines.add_card(text, card)
                )
                text = laid if stays else card
            case _:
                return None
        return self.with_answers({name: text}).url(stays or None, stays or None)

    # The question in the schema

    def as_json(self) -> dict[str, Any]:
        """The question without the rules, as far as answered; `errors` checks the answers."""
        question = self.question
        raw: dict[str, Any] = {"kind": question.kind}
        if question is PENALTY:
            return raw | {"code": self.typed.get(MISTAKE, "")}
        for fact in self.facts:
            if fact.name not in _PAGE_ONLY and (fact.needed or self.is_answered(fact)):
                raw |= self._json(fact)
        if self.match:
            apart = {fact.name for fact in replace(self, match=None).facts}
            raw |= {
                name: int(self.known[name])
                for name in ("score", "deal")
                if name in apart & self.known.keys()
            }
        if question.kind in ("meld", "discard") and not raw.get("table"):
            # An empty input leaves the table unknown: the answer then reports what it depends on.
            raw.pop("table", None)
        if question.kind == "out":
            raw = {
                "table": [],
                **raw,
                **({"discard": None} if self.answer("ends") == "none" else {}),
            }
        if question.kind == "pile" and self.fact("laid"):
            laid = card_lines.melds_of(self.answer("laid"), self.settings)
            raw["with"] = card_lines.with_top(laid, raw["top"], raw.get("table", []), self.rules)
        return raw

    def _json(self, fact: Fact) -> dict[str, Any]:
        """The part of the question for one fact."""
        text = self.value(fact)
        match fact.input:
            case InputKind.MELDS:
                return {fact.name: card_lines.melds_of(text, self.settings)}
            case InputKind.SCORE | InputKind.FIGURE:
                is_blank = not text and not fact.needed and fact.input is InputKind.FIGURE
                return {} if is_blank else {fact.name: self.figure(fact)}
            case InputKind.COUNTS:
                counts = {
                    name.partition("-")[2]: figure_of(self.answer(name))
                    for name in self.names(fact)
                }
                return {fact.name: {item: count for item, count in counts.items() if count}}
            case InputKind.CHOICE if fact.name == "last_card":
                return {fact.name: Kind.RED_THREE.value} if text == "red-three" else {}
            case InputKind.CHOICE:
                return {fact.name: text == YES if YES in fact.values else text}
            case _:
                return {fact.name: cards_of(text)} if text else {}

    def figure(self, fact: Fact) -> int:
        """The number of a fact, 0 if it is not a number."""
        text = self.answer(fact.name)
        points = figure_of(text.lstrip(_MINUS)) or 0
        return -points if self.answer(f"{fact.name}-below") or text[:1] in tuple(_MINUS) else points

    @cached_property
    def ruling(self) -> Ruling | None:
        """The ruling of the case; None if its cards are inconsistent, or too many."""
        try:
            ruling = rule(self.rules, read_question_of_match(self.as_json(), self.rules).asked)
        except (Unusable, TooManyWays):
            return None
        return (
            None if _IMPOSSIBLE.intersection(reason.code for reason in ruling.reasons) else ruling
        )

    # Errors

    def errors(self, fact: Fact) -> tuple[FieldError, ...]:
        """The errors of the answer to a fact."""
        names = self.names(fact) if fact.input is InputKind.COUNTS else (fact.name,)
        return tuple(
            FieldError(name, wrong) for name in names if (wrong := self._wrong(fact, name))
        )

    def _wrong(self, fact: Fact, name: str) -> str:
        text, is_deal = self.answer(name), fact.name == "deal"
        match fact.input:
            case InputKind.CHOICE:
                return "" if self.value(fact) in fact.values else t("referee.error.choice")
            case InputKind.SIDE:
                return t("referee.error.side") if name in self.typed and self.side is None else ""
            case InputKind.FIGURE | InputKind.COUNTS | InputKind.SCORE:
                least, most = (
                    int(is_deal),
                    (self.settings.match_deals if is_deal else None) or MOST_COUNTED,
                )
                if fact.input is InputKind.SCORE:
                    text, most = text.lstrip(_MINUS), LARGEST
                figure = read_figure(text, language())
                if figure is None:
                    return t("referee.error.missing.figure") if fact.needed else ""
                is_right = isinstance(figure, int) and least <= figure <= most
                return "" if is_right else t("referee.error.figure", least=least, most=most)
        return next(self._wrong_cards(fact, text), "")

    def _wrong_cards(self, fact: Fact, text: str) -> Iterator[str]:
        """The errors of typed cards, in order: unreadable cards, cards that the decks do not have."""
        in_play, typed = in_decks(self.settings.decks), card_lines.read_line(text[:LONGEST_TEXT])
        reading = read_cards(typed.text)
        unknown, cards = typed.unknown or reading.unknown, reading.cards
        if len(text) > LONGEST_TEXT:
            yield t("referee.error.long", limit=LONGEST_TEXT)
        if typed.doubts:
            yield ambiguity(text)
        if unknown:
            yield t("referee.error.cards", given=" ".join(unknown)[:LONGEST_ECHO])
        if fact.needed and not cards.size:
            yield t(f"referee.error.missing.{fact.input}")
        if fact.input is InputKind.CARD and cards.size > 1:
            yield t("referee.error.one")
        if cards.size > sum(in_play):
            yield t("referee.error.many", most=sum(in_play))
        for kind, count, most in zip(KINDS, cards.counts, in_play, strict=True):
            if count > most:
                yield t(
                    "referee.error.deck", given=count, card=plural(f"card.{kind}", most), most=most
                )


def ambiguity(text: str) -> str:
    """The question about ambiguous typed cards; empty if there are none."""
    for why, given in card_lines.read_line(text).doubts:
        return t(f"typed.doubt.{why}", given=given[:LONGEST_ECHO])
    return ""
