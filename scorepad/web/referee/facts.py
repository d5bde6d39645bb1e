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
from scorepad.referee.field_types import FieldType, Permission
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


Exists = Callable[[Ruleset, bool], bool]
"""Whether a fact exists, under these rules and in a match (true) or outside one."""


def _always(_rules: Ruleset, _in_match: bool) -> bool:
    return True


class Fact(NamedTuple):
    """A fact, by its name in the URL.

    The first of `values` is the default. `needed`: there is no answer without it. `only`: answers
    to other facts, one of which makes it a fact of the case. `aside`: set by a link or on the page
    of all facts, never asked separately. `exists`: whether it matters under some rules, in a match
    or outside one. `blank`: the value of an empty input. `key`: its key in the JSON of the
    question; empty for a fact of the pages only.
    """

    name: str
    input: InputKind
    values: tuple[str, ...] = ()
    needed: bool = False
    only: Answers = MappingProxyType({})
    aside: bool = False
    exists: Exists = _always
    blank: str = ""
    key: str = ""


def fact_of(question: type[AnyQuestion], attribute: str, **differing: Any) -> Fact:
    """The fact for a field of a question; `differing`: what the page asks otherwise."""
    field = _field(question, attribute)
    made = Fact(
        name=attribute,
        input=_INPUTS[field.type],
        values=_choices_of_field(field),
        needed=field.default is MISSING,
        blank=_blank(field),
        key=field.key,
    )
    return made._replace(**differing)


def page_choice(name: str, *values: str, aside: bool = False) -> Fact:
    """A choice that exists on the pages only; the first of the values is the default."""
    return Fact(name, InputKind.CHOICE, values, aside=aside)


def _field(question: type[AnyQuestion], attribute: str) -> QuestionField:
    for field in fields_of(question.kind).values():
        if field.attribute == attribute:
            return field
    raise KeyError(attribute)


def _choices_of_field(field: QuestionField) -> tuple[str, ...]:
    """The choices of a field, the default first."""
    if field.type is types.PERMISSION:
        return tuple(permission.value for permission in Permission)
    if field.type is types.FLAG:
        return (YES, NO) if field.default is True else (NO, YES)
    return ()


def _blank(field: QuestionField) -> str:
    """What an empty number means."""
    if field.default is MISSING or field.type not in (types.SCORE, types.COUNT, types.DEAL):
        return ""
    default = field.type.omitted if field.default is None else field.default
    return str(default)
