"""A case: a question of the referee's pages with the answers in the URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from flask import url_for

from scorepad.errors import TooManyWays
from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.referee.answering import give_ruling
from scorepad.referee.penalties import Irregularity, irregularity
from scorepad.referee.questions import QuestionField, fields_of
from scorepad.referee.ruling import Ruling
from scorepad.rules.cards import KINDS, Cards, Kind, Suit, count_cards_in_decks, read_cards
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
from scorepad.web.referee.facts import Answers, Fact, FactName, InputKind, Way
from scorepad.web.referee.question_pages import ENDS_WITHOUT_DISCARD, PENALTY, QuestionPages

STEP = "passo"
"""URL parameter: the name of the fact whose page is shown, or one of the two texts below."""
ANSWER = "risposta"
"""In place of a fact: show the ruling with what is known."""
ALL = "tutti"
"""In place of a fact: show the page of all facts."""
DO = "do"
"""URL parameter: the button that was pressed, such as `card:melds:K`."""
MISTAKE = "caso"
"""URL parameter: the code of an irregularity, a mistake in play that is penalised."""
DISTINGUISHING_QUESTION = "sbaglio"
"""URL parameter: the question that tells similar irregularities apart, such as `wrong-dealer`."""
MOST_COUNTED = 99
_IMPOSSIBLE = {"deck-exceeded", "red-threes-exceeded", "table-meld-illegal", "card-unknown"}
"""Reasons against cards that cannot be: there is no ruling on them."""
_WITH_CARDS = (InputKind.CARD, InputKind.CARDS, InputKind.TURNED, InputKind.MELDS)
_KINDS_BY_KEY = {kind.upper(): kind for kind in Kind}
_MINUS_SIGNS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"


class ButtonAction(StrEnum):
    """What a button does that changes an answer, on a page without a script."""

    SET_ANSWER = "set"
    ADD_CARD = "card"
    REMOVE_CARD = "uncard"
    BEGIN_MELD = "next"


@dataclass(frozen=True)
class Case:
    """A question as a page of the referee asks it: the answers given in the URL, the rules, and the
    match, if the question is asked in one.

    `typed` are the answers in the URL, by the names of its parameters. `rules_parameters` are the
    URL parameters that choose the rules, outside a match; `rules_chosen` are these choices in
    words.
    """

    rules: Ruleset
    match: MatchState | None = None
    rules_parameters: Mapping[str, Any] = field(default_factory=dict)
    rules_chosen: str = ""
    question: QuestionPages = PENALTY
    typed: Answers = field(default_factory=dict)

    def with_question(self, question: QuestionPages, args: Answers) -> Case:
        """Return a copy of this case that asks a question, with the answers in a URL.

        `args` are all parameters of the URL. Only those that answer this question are kept:
        `?top=K&frozen=no&foo=1` → the answers `{"top": "K", "frozen": "no"}`.
        """
        names = self._list_parameters_of_question(question)
        # One character more than may be typed is kept, so that a longer text is still found wrong.
        longest_kept = LONGEST_TEXT + 1
        typed: dict[str, str] = {}
        for name, text in args.items():
            if name in names:
                typed[name] = text.strip()[:longest_kept]
        return replace(self, question=question, typed=typed)

    def _list_parameters_of_question(self, question: QuestionPages) -> set[str]:
        """List the names of the URL parameters that answer a question: `{"frozen", "top"}`.

        A question asks for facts, each with one or more parameters. The question about a mistake in
        play has no facts: the code of the mistake is its only answer.
        """
        if not question.facts:
            return {MISTAKE}
        names: set[str] = set()
        for fact in question.facts:
            names.update(self.parameters_of(fact))
            names.add(fact.suit_name)  # the suit that was chosen for the next card
        return names

    @property
    def settings(self) -> Settings:
        return self.rules.settings

    @property
    def words(self) -> Words:
        """The messages of the request's language, with those of the rules."""
        return page_words(self.rules)

    @property
    def can_keep(self) -> bool:
        """Tell whether this device may save the referee's answer with the match.

        It may in a match that is still being played, if it is allowed to write to it.
        """
        if self.match is None or self.match.status.finished:
            return False
        return self.match.access.can_write

    @property
    def start_url(self) -> str:
        """The URL of the page that lists the questions to the referee."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.rules_parameters)

    def url_of(self, question: str, **args: Any) -> str:
        """Return the URL of the page of a question, with these answers as parameters.

        It is in the same match as this case, or outside a match under the same rules.
        """
        parameters = args if self.match is not None else {**self.rules_parameters, **args}
        return self._build_url(question, parameters)

    @property
    def form_action(self) -> str:
        """The address to which the form of the question is sent; the answers follow as its query."""
        return self._build_url(self.question.name, {})

    def _build_url(self, question: str, parameters: Mapping[str, Any]) -> str:
        """Return the URL of the page of a question, in the match of this case if it has one."""
        if self.match is not None:
            return url_for(
                "referee.ask_in_match", match=self.match.id, question=question, **parameters
            )
        return url_for("referee.ask", question=question, **parameters)

    def with_answers(self, answers: Answers) -> Case:
        """Return a copy of this case with these answers added, in place of earlier ones."""
        return replace(self, typed={**self.typed, **answers})

    @cached_property
    def side(self) -> int | None:
        """Find the side that the question is about, by the answer `who`: `1` → the second side, 1.

        None outside a match, or if no side of the match was chosen.
        """
        if self.match is None:
            return None
        answer = self.typed.get(FactName.WHO)
        for position in range(len(self.match.sides)):
            if str(position) == answer:
                return position
        return None

    # What was answered, and what a match knows

    @cached_property
    def known(self) -> Answers:
        """List the answers that the match knows, so that the player need not give them.

        The number of the hand (the round) → `{"deal": "3"}`. Once a side is chosen, also its score
        and what was entered for it in the hand being played. Empty outside a match.
        """
        if self.match is None:
            return {}
        known: dict[str, str] = {FactName.DEAL: str(self.match.next_hand_number)}
        if self.side is not None:
            known[FactName.SCORE] = str(self.match.sides[self.side].total)
            known |= self.known_in_open_hand(self.side)
        return known

    def known_in_open_hand(self, side: int) -> Answers:
        """List what was entered for a side in the hand being played, as answers to the referee.

        If the form of the hand has three kings on the table, for example: `{"table": "3xK"}`.
        """
        if self.match is None or self.match.open_hand is None:
            return {}
        return referee_facts(self.match.open_hand.draft, SIDE_KEYS[side], self.rules)

    def answer(self, name: str) -> str:
        """Return the answer given under the name of a URL parameter: `top` → `K`; empty if none.

        What the player typed comes first, then what the match knows, such as the score. Some kinds
        of question imply an answer, which comes last.
        """
        for answers in (self.typed, self.known, self.question.implied):
            if name in answers:
                return answers[name]
        return ""

    def answer_or_default(self, fact: Fact) -> str:
        """Return the answer to a fact (something that the question asks for), or else its default.

        The default is the first of the values from which the player chooses. A fact that is not a
        choice has none: the result is then empty.
        """
        answer = self.answer(fact.name)
        if answer:
            return answer
        if fact.values:
            return fact.values[0]
        return ""

    def parameters_of(self, fact: Fact) -> tuple[str, ...]:
        """List the names of the URL parameters that answer a fact (something that is asked for).

        - most facts → one parameter with the name of the fact: `("top",)`
        - a score → another one for "below zero": `("score", "score-below")`
        - counts of canastas → one for each kind: `("canastas-natural-canasta", …)`
        """
        if fact.input is InputKind.COUNTS:
            return tuple(f"{fact.name}-{kind.item}" for kind in self.settings.canastas)
        if fact.input is InputKind.SCORE:
            return (fact.name, fact.below_zero_name)
        return (fact.name,)

    def is_answered(self, fact: Fact) -> bool:
        """Tell whether a fact (something that is asked for) was answered, or the match knows it."""
        for name in self.parameters_of(fact):
            if name in self.typed or name in self.known:
                return True
        return False

    def parse_number_answered(self, fact: Fact) -> int:
        """Return the number that was typed as the answer to a fact; 0 if it is no number.

        - `50` → 50
        - `-50` → -50
        - `50` with "below zero" ticked beside it → -50, since the number keyboard of a phone may
          have no minus sign
        """
        text = self.answer(fact.name)
        text_without_sign = text.lstrip(_MINUS_SIGNS)
        number = figure_of(text_without_sign) or 0

        has_minus_sign = text_without_sign != text
        is_ticked_below_zero = self.answer(fact.below_zero_name) != ""
        if has_minus_sign or is_ticked_below_zero:
            return -number
        return number

    # The facts of the case

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that this case has, in the order in which the pages ask for them."""
        return self._list_facts_of_question(in_match=self.match is not None)

    def _list_facts_of_question(self, *, in_match: bool) -> tuple[Fact, ...]:
        """List the facts (things the referee has to know) that the pages ask for under these rules.

        In a match the pages ask for less, because the match knows the score, for example. A fact
        that matters only after certain answers is left out until one of these was given.
        """
        facts: list[Fact] = []
        for fact in self.question.facts:
            matters_under_rules = fact.matters_under(self.rules, in_match)
            if matters_under_rules and self._is_asked_after_answers(fact):
                facts.append(fact)
        return tuple(facts)

    def _is_asked_after_answers(self, fact: Fact) -> bool:
        """Tell whether a fact is to be asked for, after the answers to other facts so far.

        - most facts → True
        - a fact with `asked_after`, such as `{"opened": "yes"}` → True if one of these is the
          answer so far to the fact of that name
        """
        if not fact.asked_after:
            return True
        for other in self.question.facts:
            answer_that_leads_here = fact.asked_after.get(other.name)
            if answer_that_leads_here is None:
                continue
            if self.answer_or_default(other) == answer_that_leads_here:
                return True
        return False

    @property
    def is_about_whole_hand(self) -> bool:
        """Whether the player gives all cards of the hand, from which the referee finds the melds."""
        return self.answer(FactName.WAY) == Way.HAND

    def find_fact(self, name: str) -> Fact | None:
        """Find a fact (something that is asked for) by its name, such as `top`; None if there is none."""
        for fact in self.facts:
            if fact.name == name:
                return fact
        return None

    @property
    def mistake(self) -> Irregularity | None:
        """Find the mistake in play that the question is about, with its penalty.

        None for a question about something else, or if the rules know no such mistake.
        """
        return irregularity(self.rules, self.typed.get(MISTAKE, ""))

    # URLs

    def url(self, step: str | None = None, anchor: str | None = None) -> str:
        """Return the URL of the question with the answers given so far as parameters.

        It leads to the page that asks next. With `step`, the name of a fact, it leads to the page
        of that fact. `anchor` is the place on the page.
        """
        args: dict[str, str] = dict(self.typed)
        if step:
            args[STEP] = step
        return self.url_of(self.question.name, _anchor=anchor, **args)

    def url_after_button(self, button_text: str) -> str | None:
        """Find the URL after a button that changes an answer, on a page without JavaScript.

        The text that the button sends is `ACTION:NAME:VALUE`. None if this case has no such button.

        - `set:frozen:yes` gives the answer `yes` to `frozen`
        - `card:melds:K` adds a king to the answer `melds`
        - `uncard:melds:` removes its last card
        - `next:melds:` begins another group of cards in it
        """
        button = _parse_button(button_text)
        if button.action == ButtonAction.SET_ANSWER:
            return self._find_url_after_choice(button.name, button.value)

        # All other buttons change the cards that answer a fact.
        fact = self.find_fact(button.name)
        if fact is None or fact.input not in _WITH_CARDS:
            return None
        cards_so_far = self.answer(fact.name)
        match button.action:
            case ButtonAction.ADD_CARD:
                return self._find_url_after_tapped_card(fact, button.value)
            case ButtonAction.REMOVE_CARD:
                return self._url_of_same_page(fact.name, card_lines.remove_last_card(cards_so_far))
            case ButtonAction.BEGIN_MELD:
                return self._url_of_same_page(fact.name, _begin_next_meld(cards_so_far))
            case _:
                return None

    def _find_url_after_choice(self, name: str, value: str) -> str | None:
        """Find the URL after an answer was chosen: that of the page that asks for the next fact.

        None if the question asks for nothing of that name.
        """
        name_of_fact, _, _ = name.partition("-")  # the parameter `score-below` belongs to `score`
        if self.find_fact(name_of_fact) is None:
            return None
        value_that_fits = value[:LONGEST_TEXT]  # the pages have no longer values
        return self._url_of_next_page(name, value_that_fits)

    def _find_url_after_tapped_card(self, fact: Fact, card_key: str) -> str | None:
        """Find the URL after the key of a card was pressed, such as `K` for a king.

        Where one card is asked for, the next page follows. Where several are, the page stays. None
        for an unknown key.
        """
        kind = _KINDS_BY_KEY.get(card_key.upper())
        if kind is None:
            return None
        card = card_key
        if kind.is_natural:  # jokers and other wild cards have no suit
            card += self._find_suit_chosen_for(fact)

        is_whole_answer = fact.input is InputKind.CARD
        if is_whole_answer:
            return self._url_of_next_page(fact.name, card)
        return self._url_of_same_page(fact.name, self._add_to_cards_typed(card, fact))

    def _add_to_cards_typed(self, card: str, fact: Fact) -> str:
        """Add a card to those typed so far for a fact: a king to `2xQ` → `2xQ K`."""
        cards_so_far = self.answer(fact.name)
        if fact.input is InputKind.MELDS:
            return card_lines.add_to_meld(cards_so_far, card, self.settings)
        return card_lines.add_card(cards_so_far, card)

    def _find_suit_chosen_for(self, fact: Fact) -> str:
        """Find the suit that the player chose for cards to be tapped: `h` for hearts, or empty.

        The choice is in a parameter beside the answer, such as `melds-suit`.
        """
        chosen = self.typed.get(fact.suit_name, "")
        is_suit = chosen in tuple(Suit)
        return chosen if is_suit else ""

    def _url_of_next_page(self, name: str, text: str) -> str:
        """Return the URL of the page that asks for the next fact, after an answer was given."""
        return self.with_answers({name: text}).url()

    def _url_of_same_page(self, name: str, text: str) -> str:
        """Return the URL of the page that asks for this answer, after it was changed."""
        return self.with_answers({name: text}).url(step=name, anchor=name)

    # The question in JSON, and its ruling

    def as_json(self) -> dict[str, Any]:
        """Write the question with the answers given so far as the JSON that the referee takes.

        "May the player take the discard pile?" becomes `{"kind": "pile", "top": "K", "frozen":
        False, "with": ["3xK"]}`. Wrong answers are written too: `errors_of` finds them.
        """
        kind = self.question.kind
        if self.question is PENALTY:  # it asks about a mistake in play, and has no other answers
            return {"kind": kind, "code": self.typed.get(MISTAKE, "")}

        question_json = {
            **_make_required_fields_empty(kind),
            "kind": kind,
            **self._list_answers_in_json(),
            **self._find_known_score_and_deal(),
        }
        if self.answer(FactName.ENDS) == ENDS_WITHOUT_DISCARD:
            question_json["discard"] = (
                None  # it says that there is none; without it nothing is said
            )
        if self.find_fact(FactName.LAID):  # the melds (groups of cards) laid to take the pile
            top_card = question_json["top"]
            melds_on_table = question_json.get("table", [])
            question_json["with"] = self._complete_melds_to_take_pile(top_card, melds_on_table)
        return question_json

    def _list_answers_in_json(self) -> dict[str, Any]:
        """List the answers so far by the fields of the question: `{"top": "K", "frozen": False}`.

        Facts that only decide which pages come next have no field, and are left out.
        """
        answers: dict[str, Any] = {}
        for fact in self.facts:
            may_be_left_out = not fact.needed and not self.is_answered(fact)
            if fact.field is None or may_be_left_out:
                continue
            answer = self._convert_answer_to_json(fact, fact.field)
            if answer is not None:
                answers[fact.field.key] = answer
        return answers

    def _convert_answer_to_json(self, fact: Fact, field: QuestionField) -> Any:
        """Convert the answer to a fact into JSON; None if it says nothing.

        - the choice `yes` → True
        - the melds (groups of cards) `3xK / 4xQ` → `["3xK", "4xQ"]`
        - the score `1500` → 1500
        - cards, such as `3 kings` → `3xK`
        """
        text = self.answer_or_default(fact)
        match fact.input:
            case InputKind.CHOICE:
                return fact.json_choices.get(text)
            case InputKind.MELDS:
                return self._split_melds_for_json(text, field)
            case InputKind.COUNTS:
                return self._read_canasta_counts(fact)
            case InputKind.SCORE:
                return self.parse_number_answered(fact)
            case InputKind.FIGURE:
                is_left_blank = text == "" and not fact.needed
                return None if is_left_blank else self.parse_number_answered(fact)
            case _:
                return cards_in_notation(text) if text else None

    def _split_melds_for_json(self, text: str, field: QuestionField) -> list[str] | None:
        """Split typed cards into melds (groups of cards): `3xK / 4xQ` → `["3xK", "4xQ"]`.

        Nothing typed means "not said" in a field of the question that may be left open → None. In
        any other field it means "no melds" → `[]`.
        """
        melds = card_lines.split_into_melds(text, self.settings)
        may_be_left_open = field.default is None
        if not melds and may_be_left_open:
            return None
        return melds

    def _read_canasta_counts(self, fact: Fact) -> dict[str, int]:
        """Read how many canastas (groups of seven cards or more) of each kind the player typed.

        `?canastas-mixed-canasta=2` in the URL becomes `{"mixed-canasta": 2}`. Kinds without a
        number are left out.
        """
        counts: dict[str, int] = {}
        for kind in self.settings.canastas:
            count = figure_of(self.answer(f"{fact.name}-{kind.item}"))
            if count:
                counts[kind.item] = count
        return counts

    def _find_known_score_and_deal(self) -> dict[str, int]:
        """Find the score of the side and the number of the hand (round), as far as they are needed.

        The match knows them, so that the pages do not ask: `{"score": 1500}`. The result is empty
        outside a match, and for a question to which they do not matter.
        """
        if self.match is None:
            return {}

        # They matter if the pages would ask for them outside a match, where nothing is known.
        known_and_needed: dict[str, int] = {}
        for fact in self._list_facts_of_question(in_match=False):
            is_score_or_deal = fact.name in (FactName.SCORE, FactName.DEAL)
            if is_score_or_deal and fact.name in self.known:
                known_and_needed[fact.name] = int(self.known[fact.name])
        return known_and_needed

    def _complete_melds_to_take_pile(self, top: str, table: list[str]) -> list[str]:
        """Add the top card of the discard pile to the melds that a player lays to take the pile.

        A meld is a group of cards. The player types the melds without that card: with a king on
        top, `2xK` becomes `["3xK"]`. `table` has the melds that the side laid before, which the
        card may join instead.
        """
        melds = card_lines.split_into_melds(self.answer(FactName.LAID), self.settings)
        return card_lines.add_top_card(melds, top, table, self.rules)

    @cached_property
    def ruling(self) -> Ruling | None:
        """Ask the referee, and return the answer; it is found once and then kept.

        None if there is no answer: the cards that were typed cannot be, such as more kings than
        there are, or there are too many ways to play them. The page of the answer says which it is.
        """
        try:
            # The same way as a request to the API, so that pages and API give the same answers.
            request = read_question_of_match(self.as_json(), self.rules)
            ruling = give_ruling(self.rules, request.question)
        except (Unusable, TooManyWays):
            return None
        if any(reason.code in _IMPOSSIBLE for reason in ruling.reasons):
            return None
        return ruling

    # Errors

    def errors_of(self, fact: Fact) -> tuple[FieldError, ...]:
        """List what is wrong with the answer to a fact, each error with its input field."""
        if fact.input is InputKind.COUNTS:  # an input for each kind of what is counted
            names = self.parameters_of(fact)
        else:  # one input; "below zero" beside a score is a box to tick, in which nothing is wrong
            names = (fact.name,)
        errors: list[FieldError] = []
        for name in names:
            message = self._find_error_in_parameter(fact, name)
            if message:
                errors.append(FieldError(name, message))
        return tuple(errors)

    def _find_error_in_parameter(self, fact: Fact, name: str) -> str:
        """Find what is wrong with an answer in the URL: a message for the page, or an empty text.

        `fact` is what the question asks for, and `name` the URL parameter to look at. Most facts
        have only one, with their own name.
        """
        text = self.answer(name)
        match fact.input:
            case InputKind.CHOICE:
                return self._find_error_in_choice(fact)
            case InputKind.SIDE:
                return self._find_error_in_side(name)
            case InputKind.SCORE:  # only a score may have a minus sign
                return self._find_error_in_number(fact, text.lstrip(_MINUS_SIGNS))
            case InputKind.FIGURE | InputKind.COUNTS:
                return self._find_error_in_number(fact, text)
            case _:
                return self._find_error_in_cards(fact, text)

    def _find_error_in_choice(self, fact: Fact) -> str:
        """Return a message if the answer to a fact is none of its choices, otherwise ""."""
        if self.answer_or_default(fact) in fact.values:
            return ""
        return t("referee.error.choice")

    def _find_error_in_side(self, name: str) -> str:
        """Return a message if the match has no side like the one in the URL, or an empty text."""
        if name in self.typed and self.side is None:
            return t("referee.error.side")
        return ""

    def _find_error_in_number(self, fact: Fact, text: str) -> str:
        """Find what is wrong with a number typed for a fact: a message, or an empty text.

        The number may be missing though it is needed, be no number, or be too small or too large.
        """
        number = read_figure(text, language())
        if number is None:  # nothing was typed
            return t("referee.error.missing.figure") if fact.needed else ""
        limits = self._find_limits_of_number(fact)
        # What cannot be read, such as `12a`, is a `Misread` in place of a number.
        if isinstance(number, int) and limits.least <= number <= limits.most:
            return ""
        return t("referee.error.figure", least=limits.least, most=limits.most)

    def _find_limits_of_number(self, fact: Fact) -> _Limits:
        """Return the least and the greatest number with which a fact may be answered.

        - a score → from 0 to the largest score of the pad
        - the number of a hand (round) → from 1 to the number of hands in the match
        - anything else → from 0 to 99
        """
        if fact.input is InputKind.SCORE:
            return _Limits(0, LARGEST)
        if fact.name == FactName.DEAL:
            return _Limits(1, self.settings.match_deals or MOST_COUNTED)
        return _Limits(0, MOST_COUNTED)

    def _find_error_in_cards(self, fact: Fact, text: str) -> str:
        """Find the first thing that is wrong with cards typed for a fact: a message or "".

        The cards must be readable, be as many as asked for, and exist in the decks of the game.
        """
        error_of_reading = _find_error_of_reading(text)
        if error_of_reading:
            return error_of_reading

        cards = read_cards(card_lines.read_line(text).text).cards
        if fact.needed and cards.size == 0:
            return t(f"referee.error.missing.{fact.input}")
        if fact.input is InputKind.CARD and cards.size > 1:
            return t("referee.error.one")
        return self._find_error_of_decks(cards)

    def _find_error_of_decks(self, cards: Cards) -> str:
        """Return a message if there are more cards than the game has, or more of one kind.

        With two decks: `8xK` → an empty text, `9xK` → "You wrote 9 kings, and the decks hold 8. …"
        """
        counts_in_decks = count_cards_in_decks(self.settings.decks)  # of each kind of card
        most_cards = sum(counts_in_decks)
        if cards.size > most_cards:
            return t("referee.error.many", most=most_cards)
        for kind, count, most in zip(KINDS, cards.counts, counts_in_decks, strict=True):
            if count > most:
                card = plural(f"card.{kind}", most)
                return t("referee.error.deck", given=count, card=card, most=most)
        return ""


class _Limits(NamedTuple):
    """The numbers with which a fact may be answered."""

    least: int
    most: int


class _Button(NamedTuple):
    """A button that changes an answer.

    `action` should be a `ButtonAction`; `name` is the name of the answer, and `value` what to give
    or to add.
    """

    action: str
    name: str
    value: str


def _parse_button(button_text: str) -> _Button:
    """Split the text that a button sends: `card:melds:K` → `card`, `melds` and `K`."""
    action, _, rest = button_text.partition(":")
    name, _, value = rest.partition(":")
    return _Button(action, name, value)


def _find_error_of_reading(text: str) -> str:
    """Find why a line of cards cannot be read, as a message; empty if it can be read.

    It is too long, can be read in two ways, or has words that are no cards.
    """
    if len(text) > LONGEST_TEXT:
        return t("referee.error.long", limit=LONGEST_TEXT)
    line = card_lines.read_line(text)
    if line.doubts:
        return ask_about_doubt(text)
    unknown = line.unknown or read_cards(line.text).unknown
    if unknown:
        return t("referee.error.cards", given=" ".join(unknown)[:LONGEST_ECHO])
    return ""


def _make_required_fields_empty(kind: str) -> dict[str, Any]:
    """Make the fields that a question of this kind must have in JSON, each with an empty value.

    The question whether a player may go out (play the last card) gets `{"table": []}`. Fields that
    must not be empty, such as a card, are left out.
    """
    empty: dict[str, Any] = {}
    for question_field in fields_of(kind).values():
        is_required = question_field.default is MISSING
        empty_value = question_field.type.omitted
        if is_required and empty_value is not None:
            empty[question_field.key] = empty_value
    return empty


def _begin_next_meld(text: str) -> str:
    """End the last meld (group of cards) of a line, so that the next card begins another one.

    `3xK` → `3xK /`. A line without any card stays as it is.
    """
    has_a_meld = text.strip(" /") != ""
    if not has_a_meld:
        return text
    return f"{text.rstrip(' /')} /"


def ask_about_doubt(text: str) -> str:
    """Return the question which card a player meant, if the typed cards can be read in two ways.

    It asks about the first words in doubt; the text is empty if there are none.
    """
    doubts = card_lines.read_line(text).doubts
    if not doubts:
        return ""
    reason, words_in_doubt = doubts[0]
    return t(f"typed.doubt.{reason}", given=words_in_doubt[:LONGEST_ECHO])
