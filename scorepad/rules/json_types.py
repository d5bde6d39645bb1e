"""Limited types of JSON values: what hands, matches and questions accept from outside."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import BeforeValidator, FailFast, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from scorepad.rules.settings import LARGEST

MOST_KEYS = 100
"""Keys of an object."""
MOST_MELDS = 100
"""Melds of a side, or of a question. The cards of eight decks, the most of house rules, make 144
melds of three.
"""
LONGEST_WORD = 60
"""Characters of a code, an id or the name of a side."""
LONGEST_CARDS = 2_000
"""Characters of a card string. The cards of eight decks, one by one with their suits, have 1,800.
"""
LONGEST_TEXT = 1_000
"""Characters of a reason, a remark or a name that is checked afterwards."""


class JsonContext(NamedTuple):
    """The context in which a hand is decoded and encoded.

    `names` are the names of its sides in JSON. `is_stored`: the hand is in the log of a match, where
    it may be longer than a hand that is taken now.
    """

    names: tuple[str, ...]
    is_stored: bool = False


def is_stored(info: ValidationInfo) -> bool:
    """Whether the value being decoded is in the log of a match."""
    return isinstance(info.context, JsonContext) and info.context.is_stored


_Element = TypeVar("_Element")


def unusable_error(reason: str, **arguments: str | int) -> PydanticCustomError:
    """The error that a validator raises for an `Unusable` with this reason and its key; `at` is a
    key inside that one.
    """
    return PydanticCustomError(f"unusable.{reason}", reason, arguments)


def _refuse_longer(most: int, reason: str) -> BeforeValidator:
    """Refuse a longer text or list before its content is looked at, unless it was stored before."""

    def check(given: Any, info: ValidationInfo) -> Any:
        if isinstance(given, str | list) and len(given) > most and not is_stored(info):
            raise unusable_error(reason, most=most)
        return given

    return BeforeValidator(check)


def entries_at_most(most: int) -> BeforeValidator:
    """The limit of a list that may be longer in stored hands."""
    return _refuse_longer(most, "too-many")


Count = Annotated[int, Field(ge=0, le=LARGEST)]
Word = Annotated[str, Field(max_length=LONGEST_WORD)]
Text = Annotated[
    str,
    _refuse_longer(LONGEST_TEXT, "too-long"),
    Field(json_schema_extra={"maxLength": LONGEST_TEXT}),
]
CardText = Annotated[
    str,
    _refuse_longer(LONGEST_CARDS, "too-long"),
    Field(json_schema_extra={"maxLength": LONGEST_CARDS}),
]
ListOfMelds = Annotated[
    list[_Element],
    FailFast(),
    entries_at_most(MOST_MELDS),
    Field(json_schema_extra={"maxItems": MOST_MELDS}),
]
"""A list of which only the first error is reported: a list of all errors could take gigabytes."""
Counts = Annotated[dict[Word, Count], Field(max_length=MOST_KEYS)]
"""How many of each, by name."""
