"""The types of the fields of a question: how each stands in JSON, and how its value is read.

A type is part of the annotation of a field (`referee.questions`). Pydantic decodes the JSON of a
question and generates its schema from it; the pages choose the input from it. Values are read under
the rules of the table, which are the context of validation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, cast

from pydantic import Field, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from scorepad.rules.cards import NOTHING, Kind, Reading, count_cards_in_decks, read_cards
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

    `json` is the type of the JSON, as pydantic knows it. `accepts` and `inside` say in messages
    what the field, and what is in it, takes: ends of the message keys `expected.…`. `read` makes
    the value from the JSON, None if they are the same; `null` is the value of null, where the JSON
    may be null. `omitted` is the JSON that says as little as no JSON: it is documented as the
    default of a field without one. `choices` has the JSON of each answer, where there are only a
    few: a page offers them as buttons.
    """

    json: Any
    accepts: str
    inside: str = "text"
    read: Callable[[Any, Ruleset], Any] | None = None
    null: Any = None
    omitted: Any = None
    choices: Mapping[str, Any] = field(default_factory=dict)

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic how to validate a field of this type: check its JSON, then make its value.

        Pydantic calls this method, by its name, for each field that is annotated with the type. For
        `top: Annotated[Reading, CARD]`, first the JSON must be a text (`CARD.json`), then
        `CARD.read` turns the text `"Qh"` into the queen of hearts.
        """
        schema_of_json = handler.generate_schema(self.json)
        return core_schema.with_info_after_validator_function(self._make_value, schema_of_json)

    def _make_value(self, checked_json: Any, info: ValidationInfo) -> Any:
        """Make the value of a field from its JSON, which pydantic has checked.

        - null → `self.null`, such as None or no cards
        - a type without a function to read → the JSON itself
        - cards as text, `"2xK 9"` → what the function makes of it: two kings and a nine
        """
        if checked_json is None:
            return self.null
        if self.read is None:
            return checked_json

        # Whoever validates a question passes the rules of the game along. They decide, for example,
        # how many melds (groups of cards) a question may have.
        rules = cast(Ruleset, info.context)
        return self.read(checked_json, rules)


def _read_any_cards(text: str, _: Ruleset) -> Reading:
    return read_cards(text)


def _read_one_card(text: str, _: Ruleset) -> Reading:
    """Read the text of one card: `Qh` → the queen of hearts.

    Raises an error of validation for no card, or for more than one. A word that is no card is
    accepted here: the answer of the referee says that it is none.
    """
    reading = read_cards(text)
    if reading.size != 1:  # words that are no cards are counted too
        raise unusable_error("wrong", takes="card")
    return reading


def _read_discard(text: str, rules: Ruleset) -> Reading:
    """Read the text of what a player throws away at the end of a turn: one card, `Q` → a queen.

    Some rules let a player throw away four threes of one colour together: `4x3r` → four red threes.
    Raises an error of validation for anything else.
    """
    number_of_threes = rules.settings.threes_together  # 0 in games without such a rule
    reading = read_cards(text)
    if number_of_threes > 0 and _are_threes_of_one_colour(reading, number_of_threes):
        return reading
    return _read_one_card(text, rules)


def _are_threes_of_one_colour(reading: Reading, number: int) -> bool:
    """Tell whether the cards are exactly this number of red threes, or of black threes.

    With the number 4: `4x3r` → True, `3x3r` → False, `2x3r 2x3b` → False.
    """
    has_unreadable_words = bool(reading.unknown)
    if has_unreadable_words or reading.cards.size != number:
        return False
    all_are_black = reading.cards.of(Kind.BLACK_THREE) == number
    all_are_red = reading.cards.of(Kind.RED_THREE) == number
    return all_are_black or all_are_red


def _read_upcards(text: str, rules: Ruleset) -> tuple[Reading, ...]:
    """Read cards turned up one after the other, each by itself: `2xK 9` → a king, a king, a nine.

    Raises an error of validation for no card at all, or for more cards than the game has.
    """
    words = text.split()
    most = _count_cards_of_game(rules)
    # Counted before they are listed: a single word such as `999999999xK` can name too many to list.
    number_of_cards = sum(read_cards(word).size for word in words)
    if number_of_cards == 0 or number_of_cards > most:
        raise unusable_error("wrong", takes="upcards", most=most)

    cards: list[Reading] = []
    for word in words:
        cards += _split_equal_cards(word)
    return tuple(cards)


def _split_equal_cards(word: str) -> list[Reading]:
    """Read a word that names equal cards as that many single cards: `2xK` → a king, a king.

    A word that is no card, such as `foo`, is kept as one entry, so that the referee can name it.
    """
    equal_cards = read_cards(word)
    if equal_cards.unknown:
        return [equal_cards]
    # The multiplication sign may be a capital: `2XK`. No card has an `x` in its name.
    _, _, card = word.lower().rpartition("x")
    return [read_cards(card)] * equal_cards.size


def _count_cards_of_game(rules: Ruleset) -> int:
    """Count the cards that all decks of this game have together: 108 with two decks."""
    return sum(count_cards_in_decks(rules.settings.decks))


def _read_melds(texts: list[str], rules: Ruleset) -> tuple[Reading, ...]:
    """Read melds (groups of cards laid on the table), one text each: `["3xK", "4x9 2"]`.

    Raises an error of validation for more of them than the cards of the game can make: 36, if there
    are 108 cards and a meld has at least three. The referee has to try combinations of them all.
    """
    fewest_cards_in_meld = rules.settings.meld_shortest
    most = _count_cards_of_game(rules) // fewest_cards_in_meld
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
"""One card."""
CARD_OR_NONE = FieldType(CardText | None, "discard", read=_read_one_card)
"""One card, or null, which is None in the question."""
CARD_OR_NOTHING = FieldType(CardText | None, "discard", read=_read_one_card, null=NOTHING)
"""One card, or null, which is a reading without cards in the question."""
DISCARD = FieldType(CardText, "card", read=_read_discard)
"""A card, or as many threes of one colour as may be discarded at once."""
DISCARD_OR_NOTHING = FieldType(CardText | None, "discard", read=_read_discard, null=NOTHING)
"""A discard, or null for none."""
UPCARDS = FieldType(CardText, "cards", read=_read_upcards)
"""Cards in the order in which they were turned up."""
MELDS = FieldType(
    ListOfMelds[CardText], "card-strings", inside="cards", read=_read_melds, omitted=[]
)
FLAG = FieldType(
    Annotated[bool, Field(strict=True)],
    "flag",
    omitted=False,
    choices={"no": False, "yes": True},
)
"""Yes or no."""
SCORE = FieldType(Points, "score", omitted=0)
"""A match score, in points."""
COUNT = FieldType(Annotated[Count, Field(strict=True)], "count")
DEAL = FieldType(Annotated[Count, Field(strict=True)], "count", omitted=1)
"""The number of the hand in the match."""
CANASTAS = FieldType(CanastaCounts, "canastas", inside="count", omitted={})
"""The number of each kind of canasta, by item."""
CODE = FieldType(Word, "text")
PERMISSION = FieldType(
    Literal["not-asked", "granted", "refused"],
    "permission",
    read=_read_permission,
    choices={permission.value: permission.value for permission in Permission},
)
"""What the partner answered when asked for permission to go out."""
