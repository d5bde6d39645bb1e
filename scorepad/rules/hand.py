"""A hand as counted at the table, and its JSON form.

The entries are kept as given, before any rule is applied. Sides are identified by position, in the
order in which the match names them; in JSON they are identified by name. Fields with default values
are omitted from JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar, cast

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    FailFast,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    PlainSerializer,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    Tag,
    TypeAdapter,
    ValidationInfo,
    WrapSerializer,
)
from pydantic_core import CoreSchema
from typing_extensions import override

from scorepad.rules.cards import NOTHING, RED_THREE, Reading, read_cards, write_cards
from scorepad.rules.json_types import (
    LONGEST_CARDS,
    MOST_MELDS,
    CardText,
    Count,
    Counts,
    JsonContext,
    ListOfMelds,
    Text,
    Word,
    is_stored,
    longest_list,
    unusable_error,
)
from scorepad.rules.settings import Points, Settings

MOST_NAMED_SIDES = 4
"""Sides of a hand in JSON: more than play, so that names outside the match are reported as such."""
MOST_ROWS = 60
"""House penalties, or points agreed, of a side."""
MOST_CODES = 100
"""Penalties of a side, or bonuses."""
_MOST_HANDS_HELD = 6

NOT_EXPOSED = "red-three-not-exposed"
"""The code of the penalty that equals red threes in hand in the count."""
HOUSE = "house"
"""The code of a penalty defined by the table, with its own points and reason."""


# --------------------------------------------------------------------------------- parts of the JSON


def _use_json_type(json_type: Any) -> GetPydanticSchema:
    """Tell pydantic that a field has another type in JSON than in Python, for use in `Annotated`.

    `Annotated[Reading, _use_json_type(_CardString)]` is a `Reading` for Python's type checker, and
    pydantic decodes, encodes and documents it as a `_CardString`, which is a text in JSON.
    """

    def make_schema_of_json_type(
        _python_type: Any, make_schema: GetCoreSchemaHandler
    ) -> CoreSchema:
        return make_schema(json_type)

    return GetPydanticSchema(make_schema_of_json_type)


def _decode_cards(text: str, info: ValidationInfo) -> Reading:
    """Read the cards in a text from JSON: `"7xQ"` → seven queens.

    Words that are no cards are kept in the result (`unknown`), to be reported later. Raises an
    error if the text is too long, unless it comes from the log of a match: an earlier version of
    the program may have taken longer ones.
    """
    # One function for length and cards: a hand has many texts, and each validator takes time.
    if len(text) > LONGEST_CARDS and not is_stored(info):
        raise unusable_error("too-long", most=LONGEST_CARDS)
    return read_cards(text)


def _encode_cards(reading: Reading) -> str:
    """Write cards as a text for JSON: seven queens → `"7xQ"`.

    Words among them that could not be read as cards come last: `"7xQ foo"`.
    """
    parts = []
    if reading.cards.size > 0:
        parts.append(write_cards(reading.cards))
    parts.extend(reading.unknown)
    return " ".join(parts)


def _require_one_card(reading: Reading) -> Reading:
    """Return the card that a player discarded as it is, or raise an error if it is not exactly one.

    `K` is one card, `K Q` and an empty text are not.
    """
    if reading.size != 1:
        raise unusable_error("one-card")
    return reading


_CardString = Annotated[
    str,
    AfterValidator(_decode_cards),
    PlainSerializer(_encode_cards),
    Field(json_schema_extra={"maxLength": LONGEST_CARDS}),
]
CardString = Annotated[Reading, _use_json_type(_CardString)]
"""Cards in the notation of the contract."""


def _decode_discard(discard: Reading | None) -> Reading:
    """Turn the last card that was discarded from JSON into Python.

    - a card → the card
    - null: the round ended without a discard → `NOTHING`. None would say in Python that the players
      did not enter whether a card was discarded.
    """
    if discard is None:
        return NOTHING
    return discard


def _encode_discard(discard: Reading | None) -> str | None:
    """Turn the last card that was discarded into JSON: a king → `"K"`.

    No card (`NOTHING`) and a card that was not entered (None) → null.
    """
    if discard is None or discard == NOTHING:
        return None
    return _encode_cards(discard)


_DiscardOrNull = Annotated[
    Annotated[CardString, AfterValidator(_require_one_card)] | None,
    AfterValidator(_decode_discard),
    PlainSerializer(_encode_discard),
]


def _get_context(info: ValidationInfo | SerializationInfo) -> JsonContext:
    """Get the context that was given to pydantic, with the names of the sides (teams).

    The JSON of a hand (a round of the game) tells the sides apart by name, such as `("Noi",
    "Loro")`, and Python by their position.
    """
    return cast(JsonContext, info.context)


def _decode_side(name: str, info: ValidationInfo) -> int:
    """Find the position of the side (team) that the JSON of a hand (a round) names.

    In a match of `Noi` and `Loro`, `"Loro"` → 1. Another name gets a position after theirs, so that
    it can be reported with the other mistakes of the hand: `"Voi"` → 2. In the log of a match
    nobody could mend it: there an error is raised.
    """
    context = _get_context(info)
    if name in context.names:
        return context.names.index(name)
    if context.is_stored:
        raise unusable_error("wrong", takes="text")  # "“out/side” cannot be used: it takes text."
    return context.number_unknown_name(name)


def _encode_side(position: int | None, info: SerializationInfo) -> str | None:
    """Return the name of the side (team) at this position, for JSON.

    With the sides `Noi` and `Loro`: 1 → `"Loro"`. None, where no side is known → null.
    """
    return None if position is None else _get_context(info).names[position]


_SideName = Annotated[Word, AfterValidator(_decode_side)]
_encoded_side = PlainSerializer(_encode_side)
_SidePosition = Annotated[int | None, _use_json_type(Annotated[_SideName, _encoded_side])]
_OptionalSide = Annotated[int | None, _use_json_type(Annotated[_SideName | None, _encoded_side])]


def _accept_text_for(key: str, text_type: Any, object_type: Any) -> BeforeValidator:
    """Let pydantic accept a text in place of a JSON object with one key, for use in `Annotated`.

    With `_accept_text_for("cards", CardText, MeldEntry)`, the JSON `"7xQ"` is decoded as if it were
    `{"cards": "7xQ"}`.
    """
    accepted_types = text_type | object_type  # for the OpenAPI document
    return BeforeValidator(
        partial(_put_text_into_object, key), json_schema_input_type=accepted_types
    )


def _put_text_into_object(key: str, text_or_object: Any) -> Any:
    """Put a text into a JSON object under a key: `cards` and `"7xQ"` → `{"cards": "7xQ"}`.

    Whatever is no text is returned as it is.
    """
    if isinstance(text_or_object, str):
        return {key: text_or_object}
    return text_or_object


def _encode_as_list(
    entries: tuple[Any, ...], encode_list: SerializerFunctionWrapHandler
) -> list[dict[str, Any] | str]:
    """Turn a tuple into a JSON list: `(meld, meld)` → `["7xQ", "3xK"]`.

    `encode_list`, which pydantic gives, encodes the entries. It is made for the list from which the
    tuple was decoded, and refuses a tuple.
    """
    encoded: list[dict[str, Any] | str] = encode_list(list(entries))
    return encoded


def _use_json_list(entry_type: Any, most: int) -> GetPydanticSchema:
    """Tell pydantic that a tuple in Python is a list in JSON, for use in `Annotated`.

    `Annotated[tuple[str, ...], _use_json_list(Word, 100)]` is the tuple `("late", "late")` in
    Python and the list `["late", "late"]` in JSON. There its entries have the type `Word`, and
    there may be 100 at most.
    """
    list_in_json = Annotated[
        list[entry_type],
        FailFast(),  # stop at the first error: a list of all errors could take gigabytes
        longest_list(most),
        Field(json_schema_extra={"maxItems": most}),  # the limit in the OpenAPI document
    ]
    decode_to_tuple = AfterValidator(tuple)
    encode_from_tuple = WrapSerializer(_encode_as_list)
    return _use_json_type(Annotated[list_in_json, decode_to_tuple, encode_from_tuple])


# --------------------------------------------------------------------------------------- the entries


class _PartOfHand:
    """The base of the parts of a hand."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", defer_build=True)


@dataclass(frozen=True, slots=True)
class MeldEntry(_PartOfHand):
    """A meld at the end of the hand. `concealed`: laid down complete."""

    reading: Annotated[CardString, Field(alias="cards")]
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Totals(_PartOfHand):
    """A side counted at the table: the points of all its cards, canastas by item, incomplete melds
    that cost points.
    """

    cards: Points
    canastas: Annotated[Mapping[str, int], _use_json_type(Counts)] = field(default_factory=dict)
    incomplete: Annotated[Mapping[str, int], _use_json_type(Counts)] = field(default_factory=dict)


def _decode_reason(reason: str | None) -> str:
    """Return the reason of a penalty; null in JSON, which says that there is none → `""`."""
    return reason or ""


@dataclass(frozen=True, slots=True)
class PenaltyEntry(_PartOfHand):
    """A penalty by its code; `points` and `reason` are only given for a penalty defined by the
    table (`HOUSE`).
    """

    code: Word
    points: Points | None = None
    reason: Annotated[
        str, _use_json_type(Annotated[Text | None, AfterValidator(_decode_reason)])
    ] = ""


def _check_points_and_reason_of_penalty(penalty: PenaltyEntry) -> PenaltyEntry:
    """Return a penalty unchanged, or raise an error if its points or its reason are wrong.

    - a penalty of the rules, such as `draw-out-of-turn` → its points stand in the rules, and must
      not be given
    - one that the players made up, with the code `HOUSE` → it needs points and a reason
    """
    is_made_up_by_players = penalty.code == HOUSE
    if not is_made_up_by_players:
        if penalty.points is not None:
            raise unusable_error("penalty-points", at="points")
        return penalty

    has_reason = penalty.reason.strip() != ""
    if penalty.points is None or not has_reason:
        # On the page: "A house penalty takes points and a reason."
        raise unusable_error("house-reason")
    return penalty


def _refuse_blank_reason(reason: str) -> str:
    """Return the reason for points that the players agreed, or raise an error if it is blank."""
    is_blank = reason.strip() == ""
    if is_blank:
        # The message ends: "it takes a list of {"points": …, "reason": …}".
        raise unusable_error("wrong", takes="adjustments")
    return reason


@dataclass(frozen=True, slots=True)
class Adjustment(_PartOfHand):
    """Points, positive or negative, agreed at the table, with the reason."""

    points: Points
    reason: Annotated[Text, AfterValidator(_refuse_blank_reason)]


@dataclass(frozen=True, slots=True)
class Opening(_PartOfHand):
    """The melds of the side's first turn."""

    melds: ListOfMelds[CardString]


def _decode_opening(opening: Opening) -> tuple[Reading, ...]:
    """Take the groups of cards that a side laid first out of their JSON object.

    `{"melds": ["7xQ", "K K K"]}` → a tuple with the seven queens and the three kings.
    """
    return tuple(opening.melds)


def _encode_opening(melds: tuple[Reading, ...]) -> dict[str, list[str]]:
    """Turn the groups of cards that a side laid first into JSON.

    Seven queens and three kings → `{"melds": ["7xQ", "3xK"]}`.
    """
    return {"melds": [_encode_cards(meld) for meld in melds]}


def _encode_meld(meld: MeldEntry) -> str | dict[str, Any]:
    """Turn a meld (a group of cards on the table) into the shortest JSON.

    - usually → `"7xQ"`
    - laid complete, in one go → `{"cards": "7xQ", "concealed": True}`
    """
    cards = _encode_cards(meld.reading)
    if not meld.concealed:
        return cards
    return {"cards": cards, "concealed": True}


def _encode_penalty(penalty: PenaltyEntry) -> str | dict[str, Any]:
    """Turn a penalty into the shortest JSON.

    - a penalty of the rules → its code, `"draw-out-of-turn"`
    - one that the players made up → `{"code": "house", "points": 50, "reason": "late"}`
    """
    if penalty.points is None:
        return penalty.code
    return {"code": penalty.code, "points": penalty.points, "reason": penalty.reason}


_Meld = Annotated[
    MeldEntry, _accept_text_for("cards", CardText, MeldEntry), PlainSerializer(_encode_meld)
]
_Penalty = Annotated[
    PenaltyEntry,
    _accept_text_for("code", Word, PenaltyEntry),
    AfterValidator(_check_points_and_reason_of_penalty),
    PlainSerializer(_encode_penalty),
]
_Opening = Annotated[Opening, AfterValidator(_decode_opening), PlainSerializer(_encode_opening)]


# ---------------------------------------------------------------------- cards held when the hand ends


class HeldCards(ABC):
    """The cards that the players of a side still hold when the hand ends, which count against it.

    A table tells them in one of three forms: only their points, the cards of all players of the
    side together, or the cards of each player.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def readings(self) -> tuple[Reading, ...]:
        """The cards that the players of a side still have in hand, as far as they are known.

        - entered for each player → an entry for each
        - entered for all players together → one entry, or none if they have no cards
        - only their points were entered → no entries
        """

    @property
    def is_in_points(self) -> bool:
        """Tell whether only the points of the cards were given, not the cards."""
        return False

    @property
    def is_by_player(self) -> bool:
        """Tell whether the cards of each player were given, and not only those of all together."""
        return False

    @property
    def points(self) -> int:
        """The points that were given in place of the cards; 0 if the cards were given."""
        return 0


@dataclass(frozen=True, slots=True)
class HeldInPoints(HeldCards):
    """Only the points of the held cards, added up at the table."""

    total: int

    @property
    @override
    def readings(self) -> tuple[Reading, ...]:
        """The cards left in hand: none are known here, only their points."""
        return ()

    @property
    @override
    def is_in_points(self) -> bool:
        """Tell whether only the points of the cards were given: here they were."""
        return True

    @property
    @override
    def points(self) -> int:
        """The points of the cards that the players still have in hand, as they were entered."""
        return self.total


@dataclass(frozen=True, slots=True)
class HeldTogether(HeldCards):
    """The cards that all players of a side hold, told as one bundle; `NOTHING` for none."""

    cards: Reading

    @property
    @override
    def readings(self) -> tuple[Reading, ...]:
        """The cards that the players still have in hand, all as one entry; empty for none."""
        # Asked many times for each hand, mostly for the default: identity is compared faster.
        if self.cards is NOTHING or self.cards == NOTHING:
            return ()
        return (self.cards,)


@dataclass(frozen=True, slots=True)
class HeldByPlayer(HeldCards):
    """The cards that each player of a side holds, in the order of the players."""

    cards_of_each: tuple[Reading, ...]

    @property
    @override
    def readings(self) -> tuple[Reading, ...]:
        """The cards that each player of the side still has in hand, an entry for each."""
        return self.cards_of_each

    @property
    @override
    def is_by_player(self) -> bool:
        """Tell whether the cards of each player were given: here they were."""
        return True


NOTHING_HELD = HeldTogether(NOTHING)
"""No cards, or nothing was told of them."""


def _encode_held_points(held: HeldInPoints) -> int:
    """Turn the points of the cards left in hand into JSON: `35`."""
    return held.total


def _encode_held_together(held: HeldTogether) -> str:
    """Turn the cards that all players of a side have left in hand into JSON: `"K K 4 9"`."""
    return _encode_cards(held.cards)


def _encode_held_by_player(held: HeldByPlayer) -> list[str]:
    """Turn the cards that each player of a side has left in hand into JSON: `["K K 4", "9"]`."""
    return [_encode_cards(cards) for cards in held.cards_of_each]


_HeldInPoints = Annotated[
    Points, AfterValidator(HeldInPoints), PlainSerializer(_encode_held_points)
]
_HeldTogether = Annotated[
    CardString, AfterValidator(HeldTogether), PlainSerializer(_encode_held_together)
]
_HeldByPlayer = Annotated[
    tuple[Reading, ...],
    _use_json_list(CardString, _MOST_HANDS_HELD),
    AfterValidator(HeldByPlayer),
    PlainSerializer(_encode_held_by_player),
]


class _HeldForm(StrEnum):
    """The three forms in which a hand gives the cards that the players of a side still hold."""

    TOGETHER = "together"
    """The cards of all its players, as one text: `"K K 4 9"`."""
    BY_PLAYER = "by-player"
    """The cards of each player, as a list: `["K K 4", "9"]`."""
    POINTS = "points"
    """Only their points, as a number: `35`."""


def _find_form_of_held_cards(held: str | list[str] | int | HeldCards) -> _HeldForm:
    """Find the form in which the cards left in hand are given, so that pydantic picks their type.

    - `"K K 4 9"`, the cards of all players together → `TOGETHER`
    - `["K K 4", "9"]`, the cards of each player → `BY_PLAYER`
    - `35`, only their points → `POINTS`
    - any other JSON → `POINTS`; it is refused later, because it is no number

    Pydantic calls this with JSON, to decode it, and with a decoded value, to encode it.
    """
    if isinstance(held, str | HeldTogether):
        return _HeldForm.TOGETHER
    if isinstance(held, list | HeldByPlayer):
        return _HeldForm.BY_PLAYER
    return _HeldForm.POINTS


_HeldCards = Annotated[
    Annotated[_HeldTogether, Tag(_HeldForm.TOGETHER)]
    | Annotated[_HeldByPlayer, Tag(_HeldForm.BY_PLAYER)]
    | Annotated[_HeldInPoints, Tag(_HeldForm.POINTS)],
    Discriminator(_find_form_of_held_cards),
]


class ExtraPoints(StrEnum):
    """What the setting of a number that only some variants count holds."""

    EACH = "each"
    """The points of each one: 100."""
    TOGETHER = "together"
    """The points of one, two, three … of them together: `(5, 10, 15, 100)`."""
    ELSEWHERE = "elsewhere"
    """Their points among others, for which code of its own has to be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraCount:
    """A number that a side enters only in the variants whose `entry-fields` name it.

    What the program does with the number follows from its row in `EXTRA_COUNTS`: the other variants
    refuse it, the form has a field for it with its limit, its setting is checked and listed, and
    its score line is counted.
    """

    key: str
    """The name of its attribute in `SideEntry`, which is also its key in JSON."""
    item: str
    """The item of its score line."""
    setting: str
    """The setting that holds its points."""
    points: ExtraPoints
    most: int | None = None
    """The largest number that a side may enter; None if the cards of the game limit it."""
    chapter: str = "count"
    """The chapter of the rulebook in which the setting stands (`i18n.rule_sentences.CHAPTERS`)."""
    has_own_line: bool = False
    """Whether a function in `rules.score` counts its line, and not only these points."""

    @property
    def has_own_setting(self) -> bool:
        """Tell whether its setting holds nothing but the points for this number."""
        return self.points is not ExtraPoints.ELSEWHERE

    def read_points(self, settings: Settings) -> tuple[int, ...]:
        """Read the points for this number of cards from the setting of a game that holds them.

        - each card has the same points (`EACH`) → `(100,)`
        - the points depend on how many there are (`TOGETHER`) → `(100, 300, 500)`, the points of
          one, of two and of three cards together
        """
        attribute = self.setting.replace("-", "_")  # "black-threes-aside" → black_threes_aside
        value = getattr(settings, attribute)
        if self.points is ExtraPoints.EACH:
            return (value,)
        return tuple(value)

    def count_points(self, settings: Settings, number: int) -> int:
        """Count the points of so many of these cards: three at 100 points each → 300."""
        points = self.read_points(settings)
        if self.points is ExtraPoints.EACH:
            return number * points[0]
        return points[number - 1]  # the points of one, of two, of three … cards together

    def find_setting_to_cite(self, number: int) -> str:
        """Find the name of the setting, or of a part of it, that has the points of so many cards.

        - each card has the same points → `"black-threes-aside"`
        - the points depend on how many there are → `"black-threes-aside/3"`
        """
        if self.points is ExtraPoints.EACH:
            return self.setting
        return f"{self.setting}/{number}"

    def find_largest_number(self, settings: Settings) -> int | None:
        """Find the largest number that can be chosen in the form; None if there is no limit.

        Where the game has points for one, two and three cards, `(100, 300, 500)`, there are no
        points for a fourth → 3.
        """
        has_own_limit = self.most is not None
        if not has_own_limit and self.points is ExtraPoints.TOGETHER:
            numbers_with_points = self.read_points(settings)
            return len(numbers_with_points)
        return self.most


EXTRA_COUNTS = (
    ExtraCount(
        key="black_threes_aside",
        item="black-threes-aside",
        setting="black-threes-aside",
        points=ExtraPoints.TOGETHER,
        chapter="black-threes",
    ),
    ExtraCount(
        key="black_threes",
        item="black-threes",
        setting="black-threes-exposed",
        points=ExtraPoints.TOGETHER,
        chapter="black-threes",
        has_own_line=True,
    ),
    ExtraCount(
        key="sevens_held",
        item="sevens-held",
        setting="held-together",
        points=ExtraPoints.ELSEWHERE,
        has_own_line=True,
    ),
    ExtraCount(
        key="aces_held",
        item="aces-held",
        setting="held-together",
        points=ExtraPoints.ELSEWHERE,
        has_own_line=True,
    ),
)
"""Every number that only some variants count, in the order of the form."""
EXTRAS = tuple(extra.key for extra in EXTRA_COUNTS)
"""The names of the attributes of `SideEntry` that only some variants count."""
# ------------------------------------------------------------------------------------------- a side


@dataclass(frozen=True, slots=True)
class SideEntry(_PartOfHand):
    """What one side laid, still holds, and is charged or awarded.

    Counted in one of three ways: `melds` card by card, `totals`, or `sum` (the hand in points,
    unchecked). `left` are the cards that its players still hold: together, of each player, or their
    points.
    """

    melds: Annotated[tuple[MeldEntry, ...], _use_json_list(_Meld, MOST_MELDS)] = ()
    totals: Annotated[Totals | None, _use_json_type(Totals)] = None
    sum: Annotated[int | None, _use_json_type(Points)] = None
    adjustments: Annotated[tuple[Adjustment, ...], _use_json_list(Adjustment, MOST_ROWS)] = ()
    left: Annotated[
        HeldCards,
        _use_json_type(_HeldCards),
        Field(json_schema_extra={"default": ""}),
    ] = NOTHING_HELD
    red_threes: Count = 0
    red_threes_held: Count = 0
    penalties: Annotated[tuple[PenaltyEntry, ...], _use_json_list(_Penalty, MOST_CODES)] = ()
    bonuses: Annotated[tuple[str, ...], _use_json_list(Word, MOST_CODES)] = ()
    """Codes of the variant's bonuses, repeated for each time awarded."""
    opening: Annotated[tuple[Reading, ...] | None, _use_json_type(_Opening)] = None
    """The melds of its first turn."""
    black_threes_aside: Count = 0
    black_threes: Count = 0
    sevens_held: Count = 0
    aces_held: Count = 0
    special: Annotated[str | None, _use_json_type(Word)] = None
    """The name of a hand that is shown instead of melded."""

    @property
    def held(self) -> tuple[Reading, ...]:
        """The cards still in hand, if cards were given: of each player, or of all together."""
        return self.left.readings

    @property
    def red_threes_in_hand(self) -> int:
        """Count the red threes (bonus cards) that the players of the side still have in hand.

        They are entered as a number, or among the other cards left in hand: with the number 1 and
        the cards `K 3r` → 2.
        """
        number = self.red_threes_held
        for reading in self.held:
            number += reading.cards.counts[RED_THREE]
        return number


@dataclass(frozen=True, slots=True)
class Out(_PartOfHand):
    """Who went out: the position of the side, None if that is not known, and the index of the
    player in it.

    `discard` is the last card discarded, `NOTHING` for none; None if it was not recorded.
    """

    side: _SidePosition
    concealed: bool = False
    discard: Annotated[Reading | None, _use_json_type(_DiscardOrNull)] = None
    player: Count | None = None


def _decode_sides(sides: dict[str, SideEntry], info: ValidationInfo) -> tuple[SideEntry, ...]:
    """Put the sides (teams) of a hand in order; in JSON they are an object with the sides by name.

    In a match of `Noi` and `Loro`:

    - `{"Loro": …}` → an empty entry for `Noi`, and that of `Loro`
    - `{"Noi": …, "Lora": …}` → that of `Noi`, an empty one, and that of `Lora` after them, to be
      reported with the other mistakes; in the log of a match, an error is raised at once
    """
    context = _get_context(info)
    entries = [sides.get(name, SideEntry()) for name in context.names]
    unknown_names = [name for name in sides if name not in context.names]
    if unknown_names and context.is_stored:
        raise unusable_error("wrong", takes="sides")
    for name in unknown_names:
        context.number_unknown_name(name)  # it keeps the position that its entry has here
        entries.append(sides[name])
    return tuple(entries)


def _encode_sides(
    sides: tuple[SideEntry, ...],
    encode_sides_by_name: SerializerFunctionWrapHandler,
    info: SerializationInfo,
) -> Any:
    """Turn the sides (teams) of a hand into a JSON object by name: `{"Noi": …, "Loro": …}`.

    Pydantic gives `encode_sides_by_name`, which encodes the entries in such an object.
    """
    names = _get_context(info).names
    # A side after the last name has none, and is left out.
    sides_by_name = dict(zip(names, sides, strict=False))
    return encode_sides_by_name(sides_by_name)


_SidesByName = Annotated[
    dict[Word, SideEntry],
    Field(max_length=MOST_NAMED_SIDES),
    AfterValidator(_decode_sides),
    WrapSerializer(_encode_sides),
]


@dataclass(frozen=True, slots=True)
class Hand(_PartOfHand):
    """A hand to be checked and scored.

    `single` is the side that took the pile first, if temporary pairs are played.
    """

    sides: Annotated[tuple[SideEntry, ...], _use_json_type(_SidesByName)]
    out: Out | None = None
    single: _OptionalSide = None
    deal: Count = 1
    """The number of the hand in the match, if it matters."""

    @property
    def is_summed(self) -> bool:
        """Tell whether only the sum of its points is given for each side, and no cards at all."""
        return all(side.sum is not None for side in self.sides)


_HAND = TypeAdapter(Hand)


def encode_hand(hand: Hand, names: tuple[str, ...]) -> dict[str, Any]:
    """Turn a hand (a round of the game, as entered) into JSON, with these names for its sides.

    Fields with default values are left out: a hand in which the side `Noi` has two red threes, and
    nothing else was entered → `{"sides": {"Noi": {"red_threes": 2}, "Loro": {}}}`.
    """
    encoded: dict[str, Any] = _HAND.dump_python(
        hand, mode="json", by_alias=True, exclude_defaults=True, context=JsonContext(names)
    )
    return encoded
