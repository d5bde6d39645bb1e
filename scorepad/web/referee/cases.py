"""A case: a question of the referee's pages with the answers in the URL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from flask import url_for

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.referee.answering import rule
from scorepad.referee.penalties import Irregularity, irregularity
from scorepad.referee.ruling import Ruling
from scorepad.rules.cards import KINDS, Kind, Suit, in_decks, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import LARGEST, Settings
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.schemas.ruling_json import read_question_of_match
from scorepad.web import card_lines
from scorepad.web.base import FieldError, language, page_words, plural, t
from scorepad.web.card_lines import LONGEST_ECHO, LONGEST_TEXT, cards_in_notation
from scorepad.web.forms import figure_of, read_figure
from scorepad.web.open_hand import referee_facts
from scorepad.web.referee.facts import YES, Answers, Fact, InputKind
from scorepad.web.referee.question_pages import OUT, PENALTY, PERMISSION, QuestionPages

STEP = "passo"
DO = "do"
"""URL parameters: the fact whose page is shown, and the key that was pressed."""
ANSWER = "risposta"
ALL = "tutti"
"""In place of a fact: the answer with what is known, and the page of all facts."""
MISTAKE = "caso"
TURN = "sbaglio"
"""URL parameters: the code of an irregularity, and of a mistake that a question distinguishes."""
MOST_COUNTED = 99
_IMPOSSIBLE = {"deck-exceeded", "red-threes-exceeded", "table-meld-illegal", "card-unknown"}
"""Reasons against cards that cannot be: there is no ruling on them."""
_UNKNOWN_IF_EMPTY = ("meld", "discard")
"""The kinds of question whose table is unknown if its input is empty."""
_WITH_CARDS = (InputKind.CARD, InputKind.CARDS, InputKind.TURNED, InputKind.MELDS)
_KINDS_BY_KEY = {kind.upper(): kind for kind in Kind}
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
    question: QuestionPages = PENALTY
    typed: Answers = field(default_factory=dict)

    def of(self, question: QuestionPages, args: Answers) -> Case:
        """Another question, with its answers among the parameters of a URL."""
        names: set[str] = set()
        for fact in question.facts:
            names |= {*self.names(fact), f"{fact.name}{_SUIT}"}
        if not names:  # an irregularity has no fact but its code
            names = {MISTAKE}
        typed: dict[str, str] = {}
        for name, text in args.items():
            if name in names:
                typed[name] = text.strip()[: LONGEST_TEXT + 1]
        return replace(self, question=question, typed=typed)

    @property
    def settings(self) -> Settings:
        return self.rules.settings

    @property
    def words(self) -> Words:
        """The messages of the request's language, with those of the rules."""
        return page_words(self.rules)

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
        return replace(self, typed={**self.typed, **answers})

    @cached_property
    def side(self) -> int | None:
        """The position of the side of the question; None outside a match, or if it was not
        answered.
        """
        if self.match is None:
            return None
        answer = self.typed.get("who")
        for position in range(len(self.match.sides)):
            if str(position) == answer:
                return position
        return None

    @cached_property
    def known(self) -> Answers:
        """The facts known in a match: the hand number, and for the side its score and the facts of
        its open hand.
        """
        if self.match is None:
            return {}
        known = {"deal": str(self.match.coming)}
        if self.side is not None:
            known["score"] = str(self.match.sides[self.side].total)
            known |= self.of_open_hand(self.side)
        return known

    def of_open_hand(self, side: int) -> Answers:
        """The facts of a side in the open hand of the match."""
        hand = self.match.open_hand if self.match else None
        return referee_facts(hand.draft, SIDE_KEYS[side], self.rules) if hand else {}

    def answer(self, name: str) -> str:
        """The answered or known value; empty if there is none."""
        for answers in (self.typed, self.known, self.question.implied):
            if name in answers:
                return answers[name]
        return ""

    def value(self, fact: Fact) -> str:
        """The answer to a fact, or its default."""
        answer = self.answer(fact.name)
        if answer or not fact.values:
            return answer
        return fact.values[0]

    def names(self, fact: Fact) -> tuple[str, ...]:
        """The URL parameters of a fact."""
        if fact.input is InputKind.COUNTS:
            return tuple(f"{fact.name}-{kind.item}" for kind in self.settings.canastas)
        if fact.input is InputKind.SCORE:
            return (fact.name, f"{fact.name}-below")
        return (fact.name,)

    def is_answered(self, fact: Fact) -> bool:
        """Whether it was answered, or is known."""
        return any(name in self.typed or name in self.known for name in self.names(fact))

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The known facts of the case, in their order."""
        return self._facts_of(in_match=self.match is not None)

    def _facts_of(self, *, in_match: bool) -> tuple[Fact, ...]:
        values = {fact.name: self.value(fact) for fact in self.question.facts}
        facts: list[Fact] = []
        for fact in self.question.facts:
            leads_to_it = any(values[name] == value for name, value in fact.only.items())
            if fact.exists(self.rules, in_match) and (leads_to_it or not fact.only):
                facts.append(fact)
        return tuple(facts)

    def fact(self, name: str) -> Fact | None:
        """The fact of this name, if it is one of the case."""
        for fact in self.facts:
            if fact.name == name:
                return fact
        return None

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
        name, _, value = rest.partition(":")
        if verb == "set":
            fact = self.fact(name.partition("-")[0])
            return self._url_after(name, value[:LONGEST_TEXT]) if fact else None

        fact = self.fact(name)
        if fact is None or fact.input not in _WITH_CARDS:
            return None
        text = self.answer(name)
        if verb == "uncard":
            return self._url_after(name, card_lines.remove_last_card(text), stay=True)
        if verb == "next":
            if text.strip(" /"):
                text = f"{text.rstrip(' /')} /"
            return self._url_after(name, text, stay=True)
        if verb == "card":
            return self._url_with_card(fact, value)
        return None

    def _url_with_card(self, fact: Fact, token: str) -> str | None:
        """The URL after the key of a card was pressed; None if there is no such card."""
        kind = _KINDS_BY_KEY.get(token.upper())
        if kind is None:
            return None
        card = token
        suit = self.typed.get(f"{fact.name}{_SUIT}", "")
        if kind.is_natural and suit in tuple(Suit):
            card = f"{token}{suit}"
        if fact.input is InputKind.CARD:
            return self._url_after(fact.name, card)
        text = self.answer(fact.name)
        if fact.input is InputKind.MELDS:
            text = card_lines.add_to_meld(text, card, self.settings)
        else:
            text = card_lines.add_card(text, card)
        return self._url_after(fact.name, text, stay=True)

    def _url_after(self, name: str, text: str, *, stay: bool = False) -> str:
        """The URL with another answer; `stay`: on the page of the same fact."""
        step = name if stay else None
        return self.with_answers({name: text}).url(step, step)

    # The question in JSON

    def as_json(self) -> dict[str, Any]:
        """The question without the rules, as far as answered; `errors` checks the answers."""
        question = self.question
        if question is PENALTY:
            return {"kind": question.kind, "code": self.typed.get(MISTAKE, "")}
        raw: dict[str, Any] = {"kind": question.kind}
        if question in (OUT, PERMISSION):
            raw = {"table": [], **raw}
        for fact in self.facts:
            if fact.key and (fact.needed or self.is_answered(fact)):
                raw |= self._in_json(fact)
        raw |= self._known_minimum()
        if question.kind in _UNKNOWN_IF_EMPTY and not raw.get("table"):
            # The answer then reports what it depends on.
            raw.pop("table", None)
        if self.answer("ends") == "none":
            raw["discard"] = None
        if self.fact("laid"):
            laid = card_lines.melds_of(self.answer("laid"), self.settings)
            raw["with"] = card_lines.with_top(laid, raw["top"], raw.get("table", []), self.rules)
        return raw

    def _known_minimum(self) -> dict[str, int]:
        """The facts about the opening minimum that a match knows and a case outside it asks for."""
        if self.match is None:
            return {}
        asked_outside = {fact.name for fact in self._facts_of(in_match=False)}
        known: dict[str, int] = {}
        for name in ("score", "deal"):
            if name in asked_outside and name in self.known:
                known[name] = int(self.known[name])
        return known

    def _in_json(self, fact: Fact) -> dict[str, Any]:
        """The part of the question for one fact; empty if it has no answer."""
        text = self.value(fact)
        match fact.input:
            case InputKind.MELDS if fact.name == "laid":
                return {}  # together with the top card
            case InputKind.MELDS:
                return {fact.key: card_lines.melds_of(text, self.settings)}
            case InputKind.SCORE:
                return {fact.key: self.figure(fact)}
            case InputKind.FIGURE:
                return {fact.key: self.figure(fact)} if text or fact.needed else {}
            case InputKind.COUNTS:
                return {fact.key: self._counts(fact)}
            case InputKind.CHOICE if fact.name == "last_card":
                return {fact.key: Kind.RED_THREE.value} if text == "red-three" else {}
            case InputKind.CHOICE:
                return {fact.key: text == YES if YES in fact.values else text}
            case _:
                return {fact.key: cards_in_notation(text)} if text else {}

    def _counts(self, fact: Fact) -> dict[str, int]:
        """The numbers of canastas of each kind, without those that there are none of."""
        counts: dict[str, int] = {}
        for name in self.names(fact):
            count = figure_of(self.answer(name))
            if count:
                counts[name.partition("-")[2]] = count
        return counts

    def figure(self, fact: Fact) -> int:
        """The number of a fact, 0 if it is not a number."""
        text = self.answer(fact.name)
        points = figure_of(text.lstrip(_MINUS)) or 0
        is_below_zero = self.answer(f"{fact.name}-below") or text[:1] in tuple(_MINUS)
        return -points if is_below_zero else points

    @cached_property
    def ruling(self) -> Ruling | None:
        """The ruling of the case; None if its cards are inconsistent, or too many."""
        try:
            ruling = rule(self.rules, read_question_of_match(self.as_json(), self.rules).question)
        except (Unusable, TooManyWays):
            return None
        if any(reason.code in _IMPOSSIBLE for reason in ruling.reasons):
            return None
        return ruling

    # Errors

    def errors(self, fact: Fact) -> tuple[FieldError, ...]:
        """The errors of the answer to a fact."""
        names = self.names(fact) if fact.input is InputKind.COUNTS else (fact.name,)
        errors: list[FieldError] = []
        for name in names:
            error = self._error(fact, name)
            if error:
                errors.append(FieldError(name, error))
        return tuple(errors)

    def _error(self, fact: Fact, name: str) -> str:
        """What is wrong with one parameter of a fact; empty if nothing is."""
        match fact.input:
            case InputKind.CHOICE:
                return "" if self.value(fact) in fact.values else t("referee.error.choice")
            case InputKind.SIDE:
                is_wrong = name in self.typed and self.side is None
                return t("referee.error.side") if is_wrong else ""
            case InputKind.FIGURE | InputKind.COUNTS | InputKind.SCORE:
                return self._error_of_figure(fact, self.answer(name))
            case _:
                return next(self._errors_of_cards(fact, self.answer(name)), "")

    def _error_of_figure(self, fact: Fact, text: str) -> str:
        least = 0
        most = MOST_COUNTED
        if fact.input is InputKind.SCORE:
            text = text.lstrip(_MINUS)
            most = LARGEST
        elif fact.name == "deal":
            least = 1
            most = self.settings.match_deals or MOST_COUNTED
        figure = read_figure(text, language())
        if figure is None:
            return t("referee.error.missing.figure") if fact.needed else ""
        if isinstance(figure, int) and least <= figure <= most:
            return ""
        return t("referee.error.figure", least=least, most=most)

    def _errors_of_cards(self, fact: Fact, text: str) -> Iterator[str]:
        """The errors of typed cards, in order: unreadable cards, cards that the decks do not have."""
        in_play = in_decks(self.settings.decks)
        typed = card_lines.read_line(text[:LONGEST_TEXT])
        reading = read_cards(typed.text)
        unknown = typed.unknown or reading.unknown
        cards = reading.cards
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
                card = plural(f"card.{kind}", most)
                yield t("referee.error.deck", given=count, card=card, most=most)


def ambiguity(text: str) -> str:
    """The question about ambiguous typed cards; empty if there are none."""
    for why, given in card_lines.read_line(text).doubts:
        return t(f"typed.doubt.{why}", given=given[:LONGEST_ECHO])
    return ""
