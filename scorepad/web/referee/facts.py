"""The facts that the pages of the referee ask for: what the referee has to know to answer.

A fact of a question is made from the field of its class (`scorepad.referee.questions`): its input,
its choices and its default. Some facts exist on the pages only: `way`, `laid_as`, `uses_top` and
`ends` lead to other facts, and `who` is a side of a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from scorepad.referee import field_types as types
from scorepad.referee.field_types import FieldType
from scorepad.referee.questions import AnyQuestion, QuestionField, fields_of
from scorepad.rules.definitions import Ruleset

YES = "yes"
NO = "no"
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


class FactName(StrEnum):
    """The names of facts that the pages treat in a way of their own.

    All others have the name of their field in the question to the referee.
    """

    WAY = "way"
    """Whether the player gives melds (sets of cards laid on the table) or the whole hand."""
    WHO = "who"
    """The side of the match that the question is about."""
    TOP = "top"
    """The top card of the discard pile."""
    TABLE = "table"
    """The melds of the side that lie on the table."""
    OPPONENTS = "opponents"
    """The melds of the other side that lie on the table."""
    LAID = "laid"
    """The melds that the player lays to take the discard pile, without its top card."""
    LAID_AS = "laid_as"
    """Whether cards are laid as a new meld or on one that lies there."""
    ON = "on"
    """The meld on which cards are laid."""
    HAND = "hand"
    """All the cards that the player holds."""
    USES_TOP = "uses_top"
    """Whether a side lays its first melds with the top card of the discard pile."""
    OPENED = "opened"
    """Whether the side has laid its first melds."""
    CONCEALED = "concealed"
    """Whether the player lays all melds of the hand in the turn in which it ends."""
    ENDS = "ends"
    """How the last turn ends: with a discard, without one, or unsaid."""
    SCORE = "score"
    """The score of the side in the match."""
    DEAL = "deal"
    """The number of the hand in the match."""


class Way(StrEnum):
    """The answers to the fact `way`: what the player gives for the referee to judge."""

    MELDS = "melds"
    """The cards to be laid, meld by meld."""
    HAND = "hand"
    """All cards of the hand, from which the referee finds the melds."""
    MINIMUM = "minimum"
    """Nothing: the player asks only for the points that the first melds must reach."""


_INPUTS: Mapping[FieldType, InputKind] = {
    types.CARDS: InputKind.CARDS,
    types.MELD: InputKind.CARDS,
    types.HELD_CARDS: InputKind.CARDS,
    types.CARD: InputKind.CARD,
    types.CARD_OR_NONE: InputKind.CARD,
    types.CARD_OR_NOTHING: InputKind.CARD,
    types.DISCARD: InputKind.CARD,
    types.DISCARD_OR_NOTHING: InputKind.CARD,
    types.UPCARDS: InputKind.TURNED,
    types.MELDS: InputKind.MELDS,
    types.FLAG: InputKind.CHOICE,
    types.SCORE: InputKind.SCORE,
    types.COUNT: InputKind.FIGURE,
    types.DEAL: InputKind.FIGURE,
    types.CANASTAS: InputKind.COUNTS,
    types.PERMISSION: InputKind.CHOICE,
}
"""How a field of each type is answered."""
_NUMBERS = (InputKind.SCORE, InputKind.FIGURE)

MattersUnder = Callable[[Ruleset, bool], bool]
"""Whether a fact matters under these rules, in a match (true) or outside one (false)."""
_NO_ANSWERS: Answers = MappingProxyType({})


def _always(_rules: Ruleset, _in_match: bool) -> bool:
    return True


BLACK_THREE_LAST = "black-three"
"""The answer that the last card of the stock was a black three."""


class Fact(NamedTuple):
    """Something that the referee has to know to answer a question, and how a page asks for it."""

    name: str
    """Its name in the URL."""
    input: InputKind
    values: tuple[str, ...] = ()
    """The answers from which the player chooses; the first one is the default."""
    needed: bool = False
    """Whether the question cannot be answered without it."""
    asked_after: Answers = _NO_ANSWERS
    """Answers to other facts, one of which must be given for this fact to matter. None for a fact
    that matters whatever the others are.
    """
    never_asked_alone: bool = False
    """Whether no page asks for this fact alone: a link sets it, or the page of all facts."""
    matters_under: MattersUnder = _always
    """Whether it matters under some rules, in a match or outside one."""
    if_empty: str = ""
    """The number that counts if its input is left empty."""
    field: QuestionField | None = None
    """The field of the question that the answer becomes; None if it only leads to other facts."""
    json_choices: Mapping[str, Any] = MappingProxyType({})
    """The JSON of each of `values`; the question is sent without the field for a value that has none.
    """

    @property
    def suit_name(self) -> str:
        """The URL parameter with the suit chosen for tapped cards: `melds-suit`."""
        return f"{self.name}-suit"

    @property
    def below_zero_name(self) -> str:
        """The URL parameter by which a number is ticked as below zero: `score-below`."""
        return f"{self.name}-below"


def make_fact(
    question: type[AnyQuestion],
    attribute: str,
    *,
    needed: bool | None = None,
    asked_after: Answers = _NO_ANSWERS,
    matters_under: MattersUnder = _always,
) -> Fact:
    """Make the fact that the pages ask for to fill in one field of a question to the referee.

    `attribute` is the name of the field. A yes-or-no field, such as `frozen`, becomes a choice of
    "no" and "yes". If `needed` is not given, the fact is needed if its field has no default.
    """
    field = _find_field_of_question(question, attribute)
    if needed is None:
        needed = field.default is MISSING
    return Fact(
        name=attribute,
        input=_INPUTS[field.type],  # a line for cards, buttons and so on
        values=_list_choices_of_field(field),
        needed=needed,
        asked_after=asked_after,
        matters_under=matters_under,
        if_empty=_find_number_if_empty(field),
        field=field,
        json_choices=field.type.choices,  # `{"yes": True, "no": False}`; empty for cards
    )


def make_page_choice(name: str, *values: str, never_asked_alone: bool = False) -> Fact:
    """Make a choice that only decides what the pages ask next; the referee is not told of it.

    An example is `way`: does the player type some groups of cards, or the whole hand? `name` is
    its name in the URL, and the first value is the default. With `never_asked_alone` no page asks
    for it: a link on another page sets it.
    """
    return Fact(
        name=name,
        input=InputKind.CHOICE,
        values=values,
        never_asked_alone=never_asked_alone,
    )


def _find_field_of_question(question: type[AnyQuestion], attribute: str) -> QuestionField:
    """Find the field of a question that fills this attribute of the question's class.

    Raises KeyError if the question has no such attribute.
    """
    for field in fields_of(question.kind).values():
        if field.attribute == attribute:
            return field
    raise KeyError(attribute)


def _list_choices_of_field(field: QuestionField) -> tuple[str, ...]:
    """List the answers from which a player chooses, with the default first.

    - a yes-or-no field with the default False → `("no", "yes")`
    - a field that is not a choice, such as cards → `()`
    """
    default_choice: list[str] = []
    other_choices: list[str] = []
    for choice, json_of_choice in field.type.choices.items():
        if json_of_choice == field.default:
            default_choice.append(choice)
        else:
            other_choices.append(choice)
    return (*default_choice, *other_choices)


def _find_number_if_empty(field: QuestionField) -> str:
    """Find the number that counts if the input of a field is left blank, as text: `"0"`.

    The result is empty if the field is not a number, or must be filled in.
    """
    is_number = _INPUTS[field.type] in _NUMBERS
    if not is_number:
        return ""
    if field.default is MISSING:  # the field must be filled in
        return ""
    if field.default is None:  # the question leaves it open: the usual number of the type counts
        return str(field.type.omitted)
    return str(field.default)
