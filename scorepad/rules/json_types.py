"""Limited types of JSON values: what hands, matches and questions accept from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

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


@dataclass(frozen=True, slots=True)
class JsonContext:
    """The context in which a hand is decoded and encoded.

    `names` are the names of its sides in JSON. `is_stored`: the hand is in the log of a match,
    where it may be longer than a hand that is taken now.
    """

    names: tuple[str, ...]
    is_stored: bool = False
    unknown_names: list[str] = field(default_factory=list)
    """The names in the hand that are none of `names`, in the order in which they were decoded."""

    def number_unknown_name(self, name: str) -> int:
        """Give a name that no side (team) has a position after the sides, and keep it for that name.

        In a match of `Noi` and `Loro`, the first such name is at 2, the next one at 3.
        """
        if name not in self.unknown_names:
            self.unknown_names.append(name)
        return len(self.names) + self.unknown_names.index(name)

    def name_if_unknown(self, position: int | None) -> str | None:
        """Return the name that has this position, but only if no side (team) of the match has it.

        The unknown names of a hand have the positions after the sides. In a match of `Noi` and
        `Loro`, 2 is the first of them: `Lora`, for example. `Loro` is known, so 1 → None.
        """
        if position is None:
            return None
        index = position - len(self.names)
        is_side_of_match = index < 0
        return None if is_side_of_match else self.unknown_names[index]


def is_stored(info: ValidationInfo) -> bool:
    """Tell whether the value that pydantic decodes comes from the log of a match.

    Any other value comes from a request. Limits that an earlier version of the program did not have
    hold only for those.
    """
    return isinstance(info.context, JsonContext) and info.context.is_stored


_Element = TypeVar("_Element")


def unusable_error(reason: str, **arguments: str | int) -> PydanticCustomError:
    """Make the error that a validator of pydantic raises for a value that cannot be used.

    `reason` is the code of the message, such as `too-long`, and `arguments` are the values to
    insert into the message. The argument `at`, if given, names the key at fault inside the value.
    """
    # Pydantic wants a message too; the one that is shown is made from the reason later.
    message = reason
    return PydanticCustomError(f"unusable.{reason}", message, arguments)


@dataclass(frozen=True, slots=True)
class _LengthLimit:
    """The most characters of a text, or entries of a list, that a request may have."""

    most: int
    reason: str
    """The code of the message for a longer one: `too-long` or `too-many`."""

    def refuse_longer(self, given: Any, info: ValidationInfo) -> Any:
        """Return a text or list as it is given; raise an error if it is too long.

        In the log of a match it may have any length, because other limits held when it was stored.
        """
        has_length = isinstance(given, str | list)  # pydantic refuses any other value next
        if has_length and len(given) > self.most and not is_stored(info):
            raise unusable_error(self.reason, most=self.most)
        return given


def longest_text(most: int) -> BeforeValidator:
    """Make a validator that refuses a text with more than `most` characters in a request."""
    return BeforeValidator(_LengthLimit(most, "too-long").refuse_longer)


def longest_list(most: int) -> BeforeValidator:
    """Make a validator that refuses a list with more than `most` entries in a request."""
    return BeforeValidator(_LengthLimit(most, "too-many").refuse_longer)


Count = Annotated[int, Field(ge=0, le=LARGEST)]
Word = Annotated[str, Field(max_length=LONGEST_WORD)]
Text = Annotated[
    str,
    longest_text(LONGEST_TEXT),
    Field(json_schema_extra={"maxLength": LONGEST_TEXT}),
]
CardText = Annotated[
    str,
    longest_text(LONGEST_CARDS),
    Field(json_schema_extra={"maxLength": LONGEST_CARDS}),
]
ListOfMelds = Annotated[
    list[_Element],
    FailFast(),
    longest_list(MOST_MELDS),
    Field(json_schema_extra={"maxItems": MOST_MELDS}),
]
"""A list of which only the first error is reported: a list of all errors could take gigabytes."""
Counts = Annotated[dict[Word, Count], Field(max_length=MOST_KEYS)]
"""How many of each, by name."""
