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
    is_only_one: bool
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
        """Say how the fact is to be answered: "Choose the cards, or write: 3 kings 1 joker".

        The text is empty if the label of the fact says enough.
        """
        words = self.case.words
        key = question_key(self.case.question.kind, self.fact.name, words) + ".hint"
        if words.has(key):  # some facts have a hint of their own
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
        """Return the error in what was typed for a URL parameter; empty if there is none."""
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
        """Choose the controls by which the fact is answered, from top to bottom.

        A button of an answer sends the form. Where the page asks for other facts too, there are
        radio buttons in its place.
        """
        has_answer_buttons = self.is_only_one and self.choices
        if has_answer_buttons and self.is_answered_by_tap:
            return [Control.ANSWERS]
        if has_answer_buttons:  # they have the usual numbers, and any other can be typed
            return [Control.ANSWERS, Control.FIGURES]
        if self.is_answered_by_tap:
            return [Control.RADIOS]
        if self.fact.input in _TYPED_NUMBERS:
            return [Control.FIGURES]
        return [Control.CARDS]

    @property
    def is_answered_by_tap(self) -> bool:
        """Tell whether every answer is a button of its own, so that nothing has to be typed."""
        return self.fact.input in _ANSWERED_BY_TAP

    @property
    def chosen(self) -> str:
        """The answer given, or the default."""
        return self.case.answer_or_default(self.fact)

    def is_chosen_by_player(self, value: str) -> bool:
        """Tell whether the player has given this answer; the default alone does not count."""
        return value == self.chosen and self.case.is_answered(self.fact)

    def button_name(self) -> str:
        """Return the name that the buttons of the answers have in HTML.

        - a button that is the whole answer, such as "Yes" → the URL parameter of the fact, `frozen`
        - a button that fills in a number, which could be typed too → `do`, for a command
        """
        if self.is_answered_by_tap:
            return self.fact.name
        return "do"

    def button_value(self, value: str) -> str:
        """Return the value that the button of an answer has in HTML: `3`, or `set:deal:3`.

        The second is a command to fill in a number.
        """
        if self.is_answered_by_tap:
            return value
        return f"set:{self.fact.name}:{value}"

    # ------------------------------------------------------------------ cards

    @property
    def card_keys(self) -> list[Kind]:
        return inputs.card_keys(self.fact, self.case)

    @property
    def has_suits(self) -> bool:
        """Tell whether a suit can be chosen for the cards that are tapped."""
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
        """Tell whether the first card that is tapped is the whole answer."""
        return self.is_only_one and self.fact.input is InputKind.CARD

    @property
    def tapping_attribute(self) -> str:
        """Choose the HTML attribute that tells the script what a tap on the key of a card does.

        - `data-at-once`: the card is the whole answer, and the form is sent
        - `data-single`: the card replaces the one before
        - `data-group`: the card joins the cards of its rank
        - none: the card is added at the end
        """
        if self.is_answered_at_once:
            return "data-at-once"
        if self.fact.input is InputKind.CARD:
            return "data-single"
        if self.fact.input is InputKind.MELDS and not self.has_suits:
            return "data-group"
        return ""

    @property
    def cards_as_read(self) -> list[str]:
        """Say how the referee reads the cards typed so far, a line each; nothing beside errors."""
        if self.errors:
            return []
        return explanations.explain_how_cards_were_read(self.fact, self.case)

    # ------------------------------------------------------------------ other ways on

    def label_of_no_cards(self) -> str:
        """Return the label of the button that answers "there are no such cards".

        For the top card of the discard pile: "There is no pile". It is empty if there is no such
        button.
        """
        # The button answers the whole page, so that it cannot stand beside other facts.
        if not self.is_only_one or self.fact.needed:
            return ""
        if self.fact.input not in (InputKind.MELDS, InputKind.CARD):
            return ""
        if self.fact.name in (FactName.LAID, FactName.TOP):
            return self.case.words.t(f"referee.none.{self.fact.name}")
        return self.case.words.t("referee.none")

    def other_ways(self) -> list[AnswerChoice]:
        """List what the player may give instead of these cards.

        For example, "All the cards in hand", from which the referee finds what to lay.
        """
        way = self.case.find_fact(FactName.WAY)
        if way is None:
            return []
        is_asked_because_of_way = FactName.WAY in self.fact.asked_after
        # A player who wants to go out gives the cards on the table whichever way is chosen.
        is_table_for_going_out = (
            self.case.question.kind == "out" and self.fact.name == FactName.TABLE
        )
        if not is_asked_because_of_way and not is_table_for_going_out:
            return []
        current = self.case.answer_or_default(way)
        choices = inputs.choices_of(way, self.case)
        return [choice for choice in choices if choice.value != current]
