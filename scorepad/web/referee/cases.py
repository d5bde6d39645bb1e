"""A case: a question of the referee's pages with the answers in the URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from flask import url_for

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.referee.answering import rule
from scorepad.referee.penalties import Irregularity, irregularity
from scorepad.referee.questions import fields_of
from scorepad.referee.ruling import Ruling
from scorepad.rules.cards import KINDS, Cards, Kind, Suit, in_decks, read_cards
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
from scorepad.web.referee.facts import Answers, Fact, InputKind
from scorepad.web.referee.question_pages import PENALTY, QuestionPages

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
_WITH_CARDS = (InputKind.CARD, InputKind.CARDS, InputKind.TURNED, InputKind.MELDS)
_KINDS_BY_KEY = {kind.upper(): kind for kind in Kind}
_SUIT = "-suit"  # suffix of the URL parameter with the suit chosen for tapped cards
_BELOW_ZERO = "-below"  # suffix of the URL parameter by which a number is ticked as below zero
_MINUS_SIGNS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"


@dataclass(frozen=True)
class Case:
    """A question as a page of the referee asks it: the answers given in the URL, the rules, and the
    match, if the question is asked in one.

    `typed` are the answers in the URL, by the names of its parameters. `choices` are the URL
    parameters of the rules, outside a match; `chosen` the chosen rules in words.
    """

    rules: Ruleset
    match: MatchState | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    chosen: str = ""
    question: QuestionPages = PENALTY
    typed: Answers = field(default_factory=dict)

    def with_question(self, question: QuestionPages, args: Answers) -> Case:
        """A case of this question, with those parameters of a URL that answer it."""
        names: set[str] = set()
        for fact in question.facts:
            names.update(self.parameters_of(fact))
            names.add(f"{fact.name}{_SUIT}")
        if not question.facts:  # an irregularity is told by its code alone
            names.add(MISTAKE)
        typed: dict[str, str] = {}
        for name, text in args.items():
            if name in names:
                # One character more than may be typed, so that a longer text is still found wrong.
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
        if self.match is None or self.match.status.finished:
            return False
        return self.match.access.can_write

    @property
    def start_url(self) -> str:
        """The page with the questions."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.choices)

    def url_of(self, question: str, **args: Any) -> str:
        """The page of a question with these answers, in the same match or under the same rules."""
        if self.match is not None:
            return url_for("referee.ask_in_match", match=self.match.id, question=question, **args)
        return url_for("referee.ask", question=question, **{**self.choices, **args})

    def with_answers(self, answers: Answers) -> Case:
        """The same case with these answers added, in place of earlier ones."""
        return replace(self, typed={**self.typed, **answers})

    @cached_property
    def side(self) -> int | None:
        """The position of the side that the question is about; None outside a match, or if no side
        was chosen yet.
        """
        if self.match is None:
            return None
        answer = self.typed.get("who")
        for position in range(len(self.match.sides)):
            if str(position) == answer:
                return position
        return None

    # What was answered, and what a match knows

    @cached_property
    def known(self) -> Answers:
        """What the match tells without being asked: the number of the hand and, once a side is
        chosen, its score and what was entered for it in the open hand. Empty outside a match.
        """
        if self.match is None:
            return {}
        known = {"deal": str(self.match.coming)}
        if self.side is not None:
            known["score"] = str(self.match.sides[self.side].total)
            known |= self.known_in_open_hand(self.side)
        return known

    def known_in_open_hand(self, side: int) -> Answers:
        """What was entered for a side in the hand being played, as answers of the referee's pages."""
        if self.match is None or self.match.open_hand is None:
            return {}
        return referee_facts(self.match.open_hand.draft, SIDE_KEYS[side], self.rules)

    def answer(self, name: str) -> str:
        """The answer in a URL parameter: as typed, else as the match knows it, else as it follows
        from the question. Empty if there is none.
        """
        for answers in (self.typed, self.known, self.question.implied):
            if name in answers:
                return answers[name]
        return ""

    def answer_or_default(self, fact: Fact) -> str:
        """The answer to a fact; without one, the first of the values that the fact may have."""
        answer = self.answer(fact.name)
        if not answer and fact.values:
            return fact.values[0]
        return answer

    def parameters_of(self, fact: Fact) -> tuple[str, ...]:
        """The names of the URL parameters in which a fact is answered.

        Most facts have one, with their own name. A score has another for "below zero", counts of
        canastas have one for each kind: `canastas-mixed-canasta`.
        """
        if fact.input is InputKind.COUNTS:
            return tuple(f"{fact.name}-{kind.item}" for kind in self.settings.canastas)
        if fact.input is InputKind.SCORE:
            return (fact.name, f"{fact.name}{_BELOW_ZERO}")
        return (fact.name,)

    def is_answered(self, fact: Fact) -> bool:
        """Whether a fact was answered, or is known from the match."""
        for name in self.parameters_of(fact):
            if name in self.typed or name in self.known:
                return True
        return False

    def number_answered(self, fact: Fact) -> int:
        """The number with which a fact was answered, below zero if it was typed or ticked so; 0 if
        it is no number.
        """
        text = self.answer(fact.name)
        number = figure_of(text.lstrip(_MINUS_SIGNS)) or 0
        has_minus_sign = text.startswith(tuple(_MINUS_SIGNS))
        is_ticked_below_zero = self.answer(f"{fact.name}{_BELOW_ZERO}") != ""
        if has_minus_sign or is_ticked_below_zero:
            return -number
        return number

    # The facts of the case

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that this case has, in the order in which the pages ask for them."""
        return self._facts_of_question(in_match=self.match is not None)

    def _facts_of_question(self, *, in_match: bool) -> tuple[Fact, ...]:
        """The facts that exist under the rules of the case, in a match or outside one.

        A fact that depends on other answers exists only if one of these was given.
        """
        facts: list[Fact] = []
        for fact in self.question.facts:
            if fact.exists(self.rules, in_match) and self._is_led_to(fact):
                facts.append(fact)
        return tuple(facts)

    def _is_led_to(self, fact: Fact) -> bool:
        """Whether a fact depends on no other answer, or one of the answers that lead to it was given."""
        if not fact.only:
            return True
        for other in self.question.facts:
            if other.name in fact.only and self.answer_or_default(other) == fact.only[other.name]:
                return True
        return False

    def find_fact(self, name: str) -> Fact | None:
        """The fact of this name; None if the case has no such fact."""
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
        """The URL of the case with its answers; with a `step`, of the page of that fact."""
        args: dict[str, str] = dict(self.typed)
        if step:
            args[STEP] = step
        return self.url_of(self.question.name, _anchor=anchor, **args)

    def url_after_button(self, button: str) -> str | None:
        """Where a button leads that changes an answer on a page without a script.

        `button` is `VERB:FACT:VALUE`: `card:melds:K` adds a king to the answer `melds`. None if it is
        no button of this case.
        """
        verb, _, rest = button.partition(":")
        name, _, value = rest.partition(":")
        if verb == "set":
            name_of_fact, _, _ = name.partition("-")  # `score-below` is a parameter of `score`
            if self.find_fact(name_of_fact) is None:
                return None
            return self._url_of_next_page(name, value[:LONGEST_TEXT])

        fact = self.find_fact(name)
        if fact is None or fact.input not in _WITH_CARDS:
            return None
        text = self.answer(name)
        if verb == "card":
            return self._url_after_card(fact, value)
        if verb == "uncard":
            return self._url_of_same_page(name, card_lines.remove_last_card(text))
        if verb == "next":
            return self._url_of_same_page(name, _with_next_meld_begun(text))
        return None

    def _url_after_card(self, fact: Fact, token: str) -> str | None:
        """The address that the pressed key of a card leads to; None if there is no such card.

        The card is added to the answer typed so far: the key `K` makes `2xQ K` of `2xQ`. Where the
        question asks for a single card, that is the whole answer, and the next page follows.
        """
        kind = _KINDS_BY_KEY.get(token.upper())
        if kind is None:
            return None
        card = self._card_of_chosen_suit(fact, kind, token)
        if fact.input is InputKind.CARD:
            return self._url_of_next_page(fact.name, card)

        text = self.answer(fact.name)
        if fact.input is InputKind.MELDS:
            text = card_lines.add_to_meld(text, card, self.settings)
        else:
            text = card_lines.add_card(text, card)
        return self._url_of_same_page(fact.name, text)

    def _card_of_chosen_suit(self, fact: Fact, kind: Kind, token: str) -> str:
        """A card in notation, with the suit that was chosen for it before: `Kh`; `K` without one."""
        chosen_suit = self.typed.get(f"{fact.name}{_SUIT}", "")
        if kind.is_natural and chosen_suit in tuple(Suit):
            return f"{token}{chosen_suit}"
        return token

    def _url_of_next_page(self, name: str, text: str) -> str:
        """The URL with another answer, on which the next fact is asked for."""
        return self.with_answers({name: text}).url()

    def _url_of_same_page(self, name: str, text: str) -> str:
        """The URL with another answer, on the page of the same fact."""
        return self.with_answers({name: text}).url(step=name, anchor=name)

    # The question in JSON, and its ruling

    def as_json(self) -> dict[str, Any]:
        """The question in JSON as the contract has it, without the rules, as far as it is answered.

        For the pile: `{"kind": "pile", "top": "K", "frozen": False, "with": ["3xK"]}`. The answers
        are not checked here: `errors_of` does that.
        """
        kind = self.question.kind
        if self.question is PENALTY:
            return {"kind": kind, "code": self.typed.get(MISTAKE, "")}

        question_json = {**_required_fields_empty(kind), "kind": kind}
        for fact in self.facts:
            value = self._answer_in_json(fact)
            if fact.field is not None and value is not None:
                question_json[fact.field.key] = value
        question_json |= self._minimum_known_in_json()
        if self.answer("ends") == "none":
            question_json["discard"] = None
        if self.find_fact("laid"):
            question_json["with"] = self._melds_to_take_pile(
                question_json["top"], question_json.get("table", [])
            )
        return question_json

    def _answer_in_json(self, fact: Fact) -> Any:
        """The answer to a fact, as its field has it in JSON; None if the question omits the field.

        A yes becomes `True`, the melds `3xK / 4xQ` become `["3xK", "4xQ"]`.
        """
        if fact.field is None or not (fact.needed or self.is_answered(fact)):
            return None
        text = self.answer_or_default(fact)
        match fact.input:
            case InputKind.CHOICE:
                return fact.json_choices.get(text)
            case InputKind.MELDS:
                melds = card_lines.split_into_melds(text, self.settings)
                # A field with the default None tells unknown melds from none: nothing is known here.
                return None if not melds and fact.field.default is None else melds
            case InputKind.COUNTS:
                return self._canasta_counts(fact)
            case InputKind.SCORE:
                return self.number_answered(fact)
            case InputKind.FIGURE:
                return self.number_answered(fact) if text or fact.needed else None
            case _:
                return cards_in_notation(text) if text else None

    def _canasta_counts(self, fact: Fact) -> dict[str, int]:
        """The numbers of canastas, by kind, without those of which there are none.

        `canastas-mixed-canasta=2` in the URL becomes `{"mixed-canasta": 2}`.
        """
        counts: dict[str, int] = {}
        for kind in self.settings.canastas:
            count = figure_of(self.answer(f"{fact.name}-{kind.item}"))
            if count:
                counts[kind.item] = count
        return counts

    def _minimum_known_in_json(self) -> dict[str, int]:
        """The score and the number of the hand as the match knows them, if the opening minimum
        depends on them. Outside a match they are facts that the pages ask for.
        """
        if self.match is None:
            return {}
        known: dict[str, int] = {}
        for fact in self._facts_of_question(in_match=False):
            if fact.name in ("score", "deal") and fact.name in self.known:
                known[fact.name] = int(self.known[fact.name])
        return known

    def _melds_to_take_pile(self, top: str, table: list[str]) -> list[str]:
        """The melds that the player lays, with the pile's top card in the meld that it joins."""
        melds = card_lines.split_into_melds(self.answer("laid"), self.settings)
        return card_lines.add_top_card(melds, top, table, self.rules)

    @cached_property
    def ruling(self) -> Ruling | None:
        """The ruling of the case; None if its cards are inconsistent, or too many."""
        try:
            request = read_question_of_match(self.as_json(), self.rules)
            ruling = rule(self.rules, request.question)
        except (Unusable, TooManyWays):
            return None
        for reason in ruling.reasons:
            if reason.code in _IMPOSSIBLE:
                return None
        return ruling

    # Errors

    def errors_of(self, fact: Fact) -> tuple[FieldError, ...]:
        """What is wrong with the answer to a fact, with the input where it is wrong."""
        names: tuple[str, ...] = (fact.name,)
        if fact.input is InputKind.COUNTS:
            names = self.parameters_of(fact)
        errors: list[FieldError] = []
        for name in names:
            message = self._error_in_parameter(fact, name)
            if message:
                errors.append(FieldError(name, message))
        return tuple(errors)

    def _error_in_parameter(self, fact: Fact, name: str) -> str:
        """What is wrong with one URL parameter of a fact, in words; empty if nothing is.

        A fact is what a question asks for: a choice, a side, a number, or cards.
        """
        text = self.answer(name)
        if fact.input is InputKind.CHOICE:
            is_offered = self.answer_or_default(fact) in fact.values
            return "" if is_offered else t("referee.error.choice")
        if fact.input is InputKind.SIDE:
            is_unknown_side = name in self.typed and self.side is None
            return t("referee.error.side") if is_unknown_side else ""
        if fact.input is InputKind.SCORE:  # scores alone may be below zero
            return self._error_in_number(fact, text.lstrip(_MINUS_SIGNS))
        if fact.input in (InputKind.FIGURE, InputKind.COUNTS):
            return self._error_in_number(fact, text)
        return self._error_in_cards(fact, text)

    def _error_in_number(self, fact: Fact, text: str) -> str:
        """What is wrong with a typed number, in words; empty if nothing is."""
        number = read_figure(text, language())
        if number is None:  # nothing was typed
            return t("referee.error.missing.figure") if fact.needed else ""
        limits = self._limits_of(fact)
        if isinstance(number, int) and limits.least <= number <= limits.most:
            return ""
        return t("referee.error.figure", least=limits.least, most=limits.most)

    def _limits_of(self, fact: Fact) -> _Limits:
        """The least and the greatest number with which a fact may be answered."""
        if fact.input is InputKind.SCORE:
            return _Limits(0, LARGEST)
        if fact.name == "deal":
            return _Limits(1, self.settings.match_deals or MOST_COUNTED)
        return _Limits(0, MOST_COUNTED)

    def _error_in_cards(self, fact: Fact, text: str) -> str:
        """The first thing that is wrong with typed cards, in words; empty if nothing is."""
        if len(text) > LONGEST_TEXT:
            return t("referee.error.long", limit=LONGEST_TEXT)
        line = card_lines.read_line(text)
        if line.doubts:
            return doubt_in_words(text)
        reading = read_cards(line.text)
        unknown = line.unknown or reading.unknown
        if unknown:
            return t("referee.error.cards", given=" ".join(unknown)[:LONGEST_ECHO])
        cards = reading.cards
        if fact.needed and cards.size == 0:
            return t(f"referee.error.missing.{fact.input}")
        if fact.input is InputKind.CARD and cards.size > 1:
            return t("referee.error.one")
        return self._error_of_decks(cards)

    def _error_of_decks(self, cards: Cards) -> str:
        """Which cards are more than the decks of this game have, in words; empty if none are."""
        in_play = in_decks(self.settings.decks)
        if cards.size > sum(in_play):
            return t("referee.error.many", most=sum(in_play))
        for kind, count, most in zip(KINDS, cards.counts, in_play, strict=True):
            if count > most:
                card = plural(f"card.{kind}", most)
                return t("referee.error.deck", given=count, card=card, most=most)
        return ""


class _Limits(NamedTuple):
    """The numbers with which a fact may be answered."""

    least: int
    most: int


def _required_fields_empty(kind: str) -> dict[str, Any]:
    """The JSON of the fields that a kind of question always has, as far as they may be empty.

    For going out `{"table": []}`: its page does not insist on melds.
    """
    empty: dict[str, Any] = {}
    for each in fields_of(kind).values():
        if each.default is MISSING and each.type.omitted is not None:
            empty[each.key] = each.type.omitted
    return empty


def _with_next_meld_begun(text: str) -> str:
    """A line of melds after which the next card begins another: `3xK` becomes `3xK /`."""
    if not text.strip(" /"):  # there is no meld yet
        return text
    return f"{text.rstrip(' /')} /"


def doubt_in_words(text: str) -> str:
    """The question to a player whose typed cards can be read in two ways; empty if none can."""
    doubts = card_lines.read_line(text).doubts
    if not doubts:
        return ""
    why, token = doubts[0]
    return t(f"typed.doubt.{why}", given=token[:LONGEST_ECHO])
