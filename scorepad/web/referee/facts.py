"""The facts that the pages of the referee ask for.

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

Exists = Callable[[Ruleset, bool], bool]
"""Whether a fact exists, under these rules and in a match (true) or outside one."""


def _always(_rules: Ruleset, _in_match: bool) -> bool:
    return True


class Fact(NamedTuple):
    """A fact, by its name in the URL.

    The first of `values` is the default. `needed`: there is no answer without it. `only`: answers
    to other facts, one of which makes it a fact of the case. `aside`: set by a link or on the page
    of all facts, never asked separately. `exists`: whether it matters under some rules, in a match
    or outside one. `blank`: the value of an empty input. `field`: the field of the question that
    the answer becomes; None for a fact of the pages only. `json_choices`: the JSON of each of
    `values`; the question is asked without the field for a value that has none.
    """

    name: str
    input: InputKind
    values: tuple[str, ...] = ()
    needed: bool = False
    only: Answers = MappingProxyType({})
    aside: bool = False
    exists: Exists = _always
    blank: str = ""
    field: QuestionField | None = None
    json_choices: Mapping[str, Any] = MappingProxyType({})


def fact_of(question: type[AnyQuestion], attribute: str, **differing: Any) -> Fact:
    """Describe what a page asks for so that one field of a question to the referee is filled in.

    How it is answered, its choices and its default follow from the field, which is named by its
    `attribute`. `differing` are attributes of the fact that shall be otherwise.
    """
    field = _field_of_question(question, attribute)
    fact = Fact(
        name=attribute,
        input=_INPUTS[field.type],
        values=_choices_of_field(field),
        needed=field.default is MISSING,
        blank=_meaning_of_blank(field),
        field=field,
        json_choices=field.type.choices,
    )
    return fact._replace(**differing)


def page_choice(name: str, *values: str, aside: bool = False) -> Fact:
    """A choice that only leads to the right pages: the question to the referee has no field for it.

    `name` is its name in the URL. The first of the values is the default. `aside`: no page of its
    own asks for it.
    """
    return Fact(name, InputKind.CHOICE, values, aside=aside)


def _field_of_question(question: type[AnyQuestion], attribute: str) -> QuestionField:
    """Find the description of a question's field by the name of its attribute.

    Raises KeyError if the question has no such attribute.
    """
    for field in fields_of(question.kind).values():
        if field.attribute == attribute:
            return field
    raise KeyError(attribute)


def _choices_of_field(field: QuestionField) -> tuple[str, ...]:
    """The answers from which a player chooses, with the default first: `("no", "yes")`.

    Empty if the field is not filled in by a choice.
    """
    choices: list[str] = []
    for choice, json_of_choice in field.type.choices.items():
        if json_of_choice == field.default:
            choices.insert(0, choice)
        else:
            choices.append(choice)
    return tuple(choices)


def _meaning_of_blank(field: QuestionField) -> str:
    """The number that counts if the input of a field is left empty, as text: `"0"`.

    Empty if the field is not a number, or must be filled in.
    """
    is_number = _INPUTS[field.type] in _NUMBERS
    is_required = field.default is MISSING
    if not is_number or is_required:
        return ""
    if field.default is None:
        return str(field.type.omitted)
    return str(field.default)
