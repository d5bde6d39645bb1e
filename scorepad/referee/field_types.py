"""The types of the fields of a question: how each stands in JSON, and how its value is read.

A type is part of the annotation of a field (`referee.questions`). Pydantic decodes the JSON of a
question and generates its schema from it; the pages choose the input from it. Values are read under
the rules of the table, which are the context of validation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, cast

from pydantic import Field, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from scorepad.rules.cards import NOTHING, Kind, Reading, in_decks, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.json_types import MOST_KEYS, CardText, Count, ListOfMelds, Word, unusable_error
from scorepad.rules.settings import Points


class Permission(StrEnum):
    """The partner's answer to the question whether to go out."""

    NOT_ASKED = "not-asked"
    GRANTED = "granted"
    REFUSED = "refused"


@dataclass(frozen=True, eq=False)
class FieldType:
    """How a field stands in JSON, and how its value is made from that.

    `accepts` and `inside` say what the field, and what is in it, takes: ends of the message keys
    `expected.…`. `read` makes the value from the JSON, None if they are the same; `null` is the value
    of null, where the JSON may be null. `omitted` is documented as the default of a field without
    one.
    """

    json: Any
    accepts: str
    inside: str = "text"
    read: Callable[[Any, Ruleset], Any] | None = None
    null: Any = None
    omitted: Any = None

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        in_json = handler.generate_schema(self.json)
        return core_schema.with_info_after_validator_function(self._value, in_json)

    def _value(self, given: Any, info: ValidationInfo) -> Any:
        if given is None:
            return self.null
        if self.read is None:
            return given
        return self.read(given, cast(Ruleset, info.context))


def _read_any_cards(text: str, _: Ruleset) -> Reading:
    return read_cards(text)


def _read_one_card(text: str, _: Ruleset) -> Reading:
    reading = read_cards(text)
    if reading.size != 1:
        raise unusable_error("wrong", takes="card")
    return reading


def _read_discard(text: str, rules: Ruleset) -> Reading:
    reading = read_cards(text)
    if _are_threes_together(reading, rules.settings.threes_together):
        return reading
    return _read_one_card(text, rules)


def _are_threes_together(reading: Reading, number: int) -> bool:
    """Whether these are as many threes of one colour as may be discarded at once."""
    if number == 0 or reading.unknown or reading.cards.size != number:
        return False
    return number in (reading.cards.of(Kind.BLACK_THREE), reading.cards.of(Kind.RED_THREE))


def _read_upcards(text: str, rules: Ruleset) -> tuple[Reading, ...]:
    """Single cards in order: a token with a count is that many cards turned one after the other."""
    tokens = text.split()
    readings = [read_cards(token) for token in tokens]
    number = sum(max(1, reading.cards.size) for reading in readings)
    most = sum(in_decks(rules.settings.decks))
    if not 1 <= number <= most:
        raise unusable_error("wrong", takes="upcards", most=most)

    turned: list[Reading] = []
    for token, reading in zip(tokens, readings, strict=True):
        if reading.unknown:
            turned.append(reading)
            continue
        one_card = token.lower().rpartition("x")[2]
        turned += [read_cards(one_card)] * reading.cards.size
    return tuple(turned)


def _read_melds(texts: list[str], rules: Ruleset) -> tuple[Reading, ...]:
    """Melds, at most as many as the cards of the decks can make, which limits the combinations to
    try.
    """
    most = sum(in_decks(rules.settings.decks)) // rules.settings.meld_shortest
    if len(texts) > most:
        raise unusable_error("wrong", takes="melds-most", most=most)
    return tuple(read_cards(text) for text in texts)


def _read_permission(word: str, _: Ruleset) -> Permission:
    return Permission(word)


CanastaCounts = Annotated[
    dict[Word, Annotated[Count, Field(strict=True)]], Field(max_length=MOST_KEYS)
]

CARDS = FieldType(CardText, "cards", read=_read_any_cards)
"""Cards laid together."""
MELD = FieldType(CardText | None, "meld", read=_read_any_cards)
"""A meld of the side, or null."""
HELD_CARDS = FieldType(CardText | None, "cards", read=_read_any_cards)
"""All the cards that the player holds, or null."""
CARD = FieldType(CardText, "card", read=_read_one_card)
CARD_OR_NONE = FieldType(CardText | None, "discard", read=_read_one_card)
CARD_OR_NOTHING = FieldType(CardText | None, "discard", read=_read_one_card, null=NOTHING)
DISCARD = FieldType(CardText, "card", read=_read_discard)
"""A card, or as many threes of one colour as may be discarded at once."""
DISCARD_OR_NOTHING = FieldType(CardText | None, "discard", read=_read_discard, null=NOTHING)
UPCARDS = FieldType(CardText, "cards", read=_read_upcards)
"""Cards in the order in which they were turned up."""
MELDS = FieldType(
    ListOfMelds[CardText], "card-strings", inside="cards", read=_read_melds, omitted=[]
)
FLAG = FieldType(Annotated[bool, Field(strict=True)], "flag", omitted=False)
SCORE = FieldType(Points, "score", omitted=0)
"""A match score, in points."""
COUNT = FieldType(Annotated[Count, Field(strict=True)], "count")
DEAL = FieldType(Annotated[Count, Field(strict=True)], "count", omitted=1)
"""The number of the hand in the match."""
CANASTAS = FieldType(CanastaCounts, "canastas", inside="count", omitted={})
"""The number of each kind of canasta, by item."""
CODE = FieldType(Word, "text")
PERMISSION = FieldType(
    Literal["not-asked", "granted", "refused"], "permission", read=_read_permission
)
