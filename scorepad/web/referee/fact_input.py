"""How the page of a question to the referee asks for one fact."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorepad.matches.rulings import question_key
from scorepad.rules.cards import Kind
from scorepad.web import base
from scorepad.web.referee import explanations, inputs
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Fact, FactName, InputKind
from scorepad.web.referee.inputs import AnswerChoice

_ANSWERED_BY_TAP = (InputKind.CHOICE, InputKind.SIDE)
_TYPED_NUMBERS = (InputKind.FIGURE, InputKind.SCORE, InputKind.COUNTS)
_WITHOUT_CARDS = (InputKind.MELDS, InputKind.CARD)
"""The answer to a fact of this kind may be that there are no such cards."""
_SUITS = ("h", "d", "s", "c")
_NO_SUIT = "none"


class Control(StrEnum):
    """What the page has for a fact; the values are the names of macros of the template."""

    ANSWERS = "answers"
    """Buttons, one for each answer."""
    RADIOS = "radios"
    FIGURES = "figures"
    """Lines in which numbers are typed."""
    CARDS = "cards"
    """A line for cards, and keys by which they are tapped."""


@dataclass(frozen=True, slots=True)
class FactInput:
    """The controls for one fact of a question, with its label, its hint and its error."""

    fact: Fact
    case: Case
    errors: base.Errors
    """The errors of all facts of the page."""
    is_alone: bool
    """Whether the page asks for this fact alone."""

    @property
    def name(self) -> str:
        """The name of the URL parameter, which is the id of the input too."""
        return self.fact.name

    @property
    def label(self) -> str:
        return inputs.label_of(self.fact, self.case)

    @property
    def hint(self) -> str:
        """How the fact is to be answered; empty if its label says enough."""
        words = self.case.words
        key = question_key(self.case.question.kind, self.fact.name, words) + ".hint"
        if words.has(key):
            return words.t(key, full=self.case.settings.canasta_length)
        if self.fact.input is InputKind.MELDS:
            return words.t("referee.hint.melds")
        if self.fact.input not in (InputKind.CARDS, InputKind.TURNED):
            return ""
        if self._may_need_suits():
            return words.t("referee.hint.suits")
        return words.t("referee.hint.cards")

    def _may_need_suits(self) -> bool:
        """Tell whether the suit of a card can matter: only where sequences are melds."""
        return self.case.settings.sequences != "none"

    def error_of(self, parameter: str) -> str:
        """The error in what was typed for a URL parameter; empty if there is none."""
        texts = [error.text for error in self.errors if error.field == parameter]
        return " ".join(texts)

    @property
    def error(self) -> str:
        return self.error_of(self.fact.name)

    # ------------------------------------------------------------------ the controls

    @property
    def choices(self) -> list[AnswerChoice]:
        """The answers that can be tapped; empty for a fact that is typed."""
        return inputs.choices_of(self.fact, self.case)

    @property
    def controls(self) -> list[Control]:
        """The controls of the fact, from top to bottom."""
        if self.is_alone and self.choices:
            if self.is_answered_by_tap:
                return [Control.ANSWERS]
            return [Control.ANSWERS, Control.FIGURES]  # usual numbers, and a line for any other
        if self.is_answered_by_tap:
            return [Control.RADIOS]
        if self.fact.input in _TYPED_NUMBERS:
            return [Control.FIGURES]
        return [Control.CARDS]

    @property
    def is_answered_by_tap(self) -> bool:
        """Whether every answer is a button of its own, so that nothing has to be typed."""
        return self.fact.input in _ANSWERED_BY_TAP

    @property
    def chosen(self) -> str:
        """The answer given, or the default."""
        return self.case.answer_or_default(self.fact)

    def is_chosen_by_player(self, value: str) -> bool:
        """Tell whether the player has given this answer; the default alone does not count."""
        return value == self.chosen and self.case.is_answered(self.fact)

    def button_name(self) -> str:
        """The name of the buttons of the answers.

        A button that is the whole answer is a parameter by itself. One that fills in a number is a
        command, because the page may have other values beside it.
        """
        return self.fact.name if self.is_answered_by_tap else "do"

    def button_value(self, value: str) -> str:
        """The value of the button for an answer: `3`, or the command `set:deal:3`."""
        if self.is_answered_by_tap:
            return value
        return f"set:{self.fact.name}:{value}"

    # ------------------------------------------------------------------ cards

    @property
    def card_keys(self) -> list[Kind]:
        return inputs.card_keys(self.fact, self.case)

    @property
    def has_suits(self) -> bool:
        """Whether a suit can be chosen for the cards that are tapped."""
        return self._may_need_suits() and self.fact.input is not InputKind.TURNED

    @property
    def suit_choices(self) -> tuple[str, ...]:
        return (_NO_SUIT, *_SUITS)

    @property
    def chosen_suit(self) -> str:
        """The suit for the next card that is tapped: `h`, or `none`."""
        suit = self.case.typed.get(self.fact.suit_name, "")
        return suit if suit in _SUITS else _NO_SUIT

    @property
    def is_answered_at_once(self) -> bool:
        """Whether the first card that is tapped is the whole answer."""
        return self.is_alone and self.fact.input is InputKind.CARD

    @property
    def tapping_attribute(self) -> str:
        """The HTML attribute that tells the script how a card is added when its key is tapped."""
        if self.is_answered_at_once:
            return "data-at-once"
        if self.fact.input is InputKind.CARD:
            return "data-single"
        if self.fact.input is InputKind.MELDS and not self.has_suits:
            return "data-group"
        return ""

    @property
    def cards_as_read(self) -> list[str]:
        """The cards typed so far as the referee reads them, a line each; none beside errors."""
        if self.errors:
            return []
        return explanations.explain_how_cards_were_read(self.fact, self.case)

    # ------------------------------------------------------------------ other ways on

    def text_of_no_cards(self) -> str:
        """The text of the button that answers that there are no such cards; empty if there must be
        some, or if the fact is not about cards.
        """
        may_be_without = self.fact.input in _WITHOUT_CARDS and not self.fact.needed
        if not self.is_alone or not may_be_without:
            return ""
        if self.fact.name in (FactName.LAID, FactName.TOP):
            return self.case.words.t(f"referee.none.{self.fact.name}")
        return self.case.words.t("referee.none")

    def other_ways(self) -> list[AnswerChoice]:
        """What the player may give instead of these cards: the whole hand, or only the score."""
        way = self.case.find_fact(FactName.WAY)
        if way is None or not self._depends_on_way():
            return []
        current = self.case.answer_or_default(way)
        choices = inputs.choices_of(way, self.case)
        return [choice for choice in choices if choice.value != current]

    def _depends_on_way(self) -> bool:
        """Tell whether the cards asked for are one of several ways to give the case."""
        is_table_of_going_out = (
            self.case.question.kind == "out" and self.fact.name == FactName.TABLE
        )
        return FactName.WAY in self.fact.asked_after or is_table_of_going_out
