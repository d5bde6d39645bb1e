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
    entries_at_most,
    is_stored,
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


def _in_json(json_type: Any) -> GetPydanticSchema:
    """Tell pydantic that a field stands in JSON as a value of this type, for `Annotated`.

    `Annotated[Reading, _in_json(str)]` is a `Reading` in Python, and a text in JSON.
    """

    def schema_of_json_type(_python_type: Any, schema_of: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of the type in JSON, whatever the type of the field is in Python."""
        return schema_of(json_type)

    return GetPydanticSchema(schema_of_json_type)


def _decode_cards(text: str, info: ValidationInfo) -> Reading:
    """The cards that a text stands for: `7xQ` is seven queens. What is no card is kept as `unknown`.

    Refuses a text that is too long, unless it was stored by an earlier version of the program.
    """
    # One function for the length and the cards: a hand has many card strings, and each call takes
    # time.
    if len(text) > LONGEST_CARDS and not is_stored(info):
        raise unusable_error("too-long", most=LONGEST_CARDS)
    return read_cards(text)


def _encode_cards(reading: Reading) -> str:
    """The text for these cards, `7xQ` for seven queens; what could not be read as cards follows."""
    parts = []
    if reading.cards.size:
        parts.append(write_cards(reading.cards))
    parts.extend(reading.unknown)
    return " ".join(parts)


def _require_one_card(reading: Reading) -> Reading:
    """Refuse a discard (what a player lays on the discard pile) of no card, or of several."""
    if reading.size != 1:
        raise unusable_error("one-card")
    return reading


_CardString = Annotated[
    str,
    AfterValidator(_decode_cards),
    PlainSerializer(_encode_cards),
    Field(json_schema_extra={"maxLength": LONGEST_CARDS}),
]
CardString = Annotated[Reading, _in_json(_CardString)]
"""Cards in the notation of the contract."""


def _decode_discard(discard: Reading | None) -> Reading:
    """The last card that was discarded; null in JSON says that there was none."""
    if discard is None:
        return NOTHING
    return discard


def _encode_discard(discard: Reading | None) -> str | None:
    """The JSON of the last card that was discarded; null for none."""
    if discard in (None, NOTHING):
        return None
    return _encode_cards(discard)


_DiscardOrNull = Annotated[
    Annotated[CardString, AfterValidator(_require_one_card)] | None,
    AfterValidator(_decode_discard),
    PlainSerializer(_encode_discard),
]


def _context_of(info: ValidationInfo | SerializationInfo) -> JsonContext:
    """Return the context given to pydantic: the names of the sides, among others."""
    return cast(JsonContext, info.context)


def _decode_side(name: str, info: ValidationInfo) -> int:
    """Find the position of a side by its name in the JSON of a hand: 0 for the first.

    A name that no side has gets a position after them, and is reported later with the other mistakes
    of the hand. In a hand stored in the log of a match it is an error.
    """
    context = _context_of(info)
    if context.is_stored and name not in context.names:
        raise unusable_error("wrong", takes="text")
    return context.position_of(name)


def _encode_side(position: int | None, info: SerializationInfo) -> str | None:
    """The name in JSON of the side at this position; null if it is not known which side it is."""
    return None if position is None else _context_of(info).names[position]


_SideName = Annotated[Word, AfterValidator(_decode_side)]
_encoded_side = PlainSerializer(_encode_side)
_SidePosition = Annotated[int | None, _in_json(Annotated[_SideName, PlainSerializer(_encode_side)])]
_OptionalSide = Annotated[
    int | None, _in_json(Annotated[_SideName | None, PlainSerializer(_encode_side)])
]


def _accept_text_for(key: str, text_type: Any, object_type: Any) -> BeforeValidator:
    """Let pydantic accept a text in place of a JSON object that has only this key, for `Annotated`.

    `_accept_text_for("cards", str, MeldEntry)` accepts `"7xQ"` in place of `{"cards": "7xQ"}`. The
    types of the text and of the object are for the OpenAPI document.
    """
    replace_text = partial(_object_for_text, key)
    return BeforeValidator(replace_text, json_schema_input_type=text_type | object_type)


def _object_for_text(key: str, text_or_object: Any) -> Any:
    """The JSON object with this one key that a text stands for; anything else as it is.

    With the key `cards`, `"7xQ"` → `{"cards": "7xQ"}`.
    """
    if isinstance(text_or_object, str):
        return {key: text_or_object}
    return text_or_object


def _encode_as_list(
    entries: tuple[Any, ...], encode_list: SerializerFunctionWrapHandler
) -> list[dict[str, Any] | str]:
    """The JSON list of a tuple, which pydantic expects as a list: `encode_list` writes no tuples."""
    encoded: list[dict[str, Any] | str] = encode_list(list(entries))
    return encoded


def _in_json_list(entry: Any, most: int) -> GetPydanticSchema:
    """Tell pydantic that a tuple stands in JSON as a list, for `Annotated`.

    `entry` is the type of an entry of the list in JSON, and `most` the largest number of entries:
    `Annotated[tuple[str, ...], _in_json_list(Word, 100)]` is `["late", "late"]` in JSON.
    """
    limited_list = Annotated[
        list[entry],
        FailFast(),  # a list of all errors could take gigabytes
        entries_at_most(most),
        Field(json_schema_extra={"maxItems": most}),  # tells the OpenAPI document of the limit
    ]
    decoded = Annotated[limited_list, AfterValidator(tuple)]
    decoded_and_encoded = Annotated[decoded, WrapSerializer(_encode_as_list)]
    return _in_json(decoded_and_encoded)


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
    canastas: Annotated[Mapping[str, int], _in_json(Counts)] = field(default_factory=dict)
    incomplete: Annotated[Mapping[str, int], _in_json(Counts)] = field(default_factory=dict)


def _decode_reason(reason: str | None) -> str:
    """The reason of a penalty; null in JSON says that there is none."""
    return reason or ""


@dataclass(frozen=True, slots=True)
class PenaltyEntry(_PartOfHand):
    """A penalty by its code; `points` and `reason` are only given for a penalty defined by the
    table (`HOUSE`).
    """

    code: Word
    points: Points | None = None
    reason: Annotated[str, _in_json(Annotated[Text | None, AfterValidator(_decode_reason)])] = ""


def _require_house_reason(penalty: PenaltyEntry) -> PenaltyEntry:
    """Refuse a penalty with points unless the players made it up themselves (the code `HOUSE`): the
    points of all other penalties stand in the rules.

    One that they made up is refused without points or without a reason.
    """
    if penalty.code != HOUSE:
        if penalty.points is not None:
            raise unusable_error("penalty-points", at="points")
        return penalty
    if penalty.points is None or not penalty.reason.strip():
        raise unusable_error("house-reason")
    return penalty


def _refuse_blank_reason(reason: str) -> str:
    """Refuse a blank reason for points on which the players agreed."""
    is_blank = not reason.strip()
    if is_blank:
        # The message `expected.adjustments` says what such points are made of.
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
    """The melds (sets of cards) that a side laid first, from `{"melds": ["7xQ"]}` in JSON."""
    return tuple(opening.melds)


def _encode_opening(melds: tuple[Reading, ...]) -> dict[str, list[str]]:
    """The JSON of the melds (sets of cards) that a side laid first: `{"melds": ["7xQ"]}`."""
    return {"melds": [_encode_cards(meld) for meld in melds]}


def _encode_meld(meld: MeldEntry) -> str | dict[str, Any]:
    """The shortest JSON of a meld (a set of cards): `"7xQ"`, or an object for one laid concealed."""
    cards = _encode_cards(meld.reading)
    if not meld.concealed:
        return cards
    return {"cards": cards, "concealed": True}


def _encode_penalty(penalty: PenaltyEntry) -> str | dict[str, Any]:
    """The shortest JSON of a penalty: its code, or an object if it has points of its own."""
    if penalty.points is None:
        return penalty.code
    return {"code": penalty.code, "points": penalty.points, "reason": penalty.reason}


_Meld = Annotated[
    MeldEntry, _accept_text_for("cards", CardText, MeldEntry), PlainSerializer(_encode_meld)
]
_Penalty = Annotated[
    PenaltyEntry,
    _accept_text_for("code", Word, PenaltyEntry),
    AfterValidator(_require_house_reason),
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
        """The cards of each player, or those of all players as one entry; empty if there are none,
        or if only their points are known.
        """

    @property
    def is_in_points(self) -> bool:
        """Whether only the points of the cards were given."""
        return False

    @property
    def is_by_player(self) -> bool:
        """Whether the cards of each player were given."""
        return False

    @property
    def points(self) -> int:
        """The points given in place of the cards; 0 if the cards were given."""
        return 0


@dataclass(frozen=True, slots=True)
class HeldInPoints(HeldCards):
    """Only the points of the held cards, added up at the table."""

    total: int

    @property
    @override
    def readings(self) -> tuple[Reading, ...]:
        """No cards: only their points are known."""
        return ()

    @property
    @override
    def is_in_points(self) -> bool:
        """Yes: only the points of the cards were given."""
        return True

    @property
    @override
    def points(self) -> int:
        """The points of the cards that the players still hold, as they were given."""
        return self.total


@dataclass(frozen=True, slots=True)
class HeldTogether(HeldCards):
    """The cards that all players of a side hold, told as one bundle; `NOTHING` for none."""

    cards: Reading

    @property
    @override
    def readings(self) -> tuple[Reading, ...]:
        """The cards that the players of the side still hold, all as one entry; empty for none."""
        if self.cards == NOTHING:
            return ()
        return (self.cards,)


@dataclass(frozen=True, slots=True)
class HeldByPlayer(HeldCards):
    """The cards that each player of a side holds, in the order of the players."""

    cards_of_each: tuple[Reading, ...]

    @property
    @override
    def readings(self) -> tuple[Reading, ...]:
        """The cards that each player of the side still holds."""
        return self.cards_of_each

    @property
    @override
    def is_by_player(self) -> bool:
        """Yes: the cards of each player were given."""
        return True


NOTHING_HELD = HeldTogether(NOTHING)
"""No cards, or nothing was told of them."""


def _encode_held_points(held: HeldInPoints) -> int:
    return held.total


def _encode_held_together(held: HeldTogether) -> str:
    return _encode_cards(held.cards)


def _encode_held_by_player(held: HeldByPlayer) -> list[str]:
    return [_encode_cards(cards) for cards in held.cards_of_each]


_HeldInPoints = Annotated[
    Points, AfterValidator(HeldInPoints), PlainSerializer(_encode_held_points)
]
_HeldTogether = Annotated[
    CardString, AfterValidator(HeldTogether), PlainSerializer(_encode_held_together)
]
_HeldByPlayer = Annotated[
    tuple[Reading, ...],
    _in_json_list(CardString, _MOST_HANDS_HELD),
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


def _form_of_held_cards(held: str | list[str] | int | HeldCards) -> _HeldForm:
    """The form of the cards left in hand, in JSON or decoded.

    Pydantic asks this of the JSON, to decode it, and of the decoded value, to write it. Any other
    JSON is refused as a number is expected.
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
    Discriminator(_form_of_held_cards),
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
        """Whether the setting holds its points alone."""
        return self.points is not ExtraPoints.ELSEWHERE

    def read_points(self, settings: Settings) -> tuple[int, ...]:
        """The points that the rules give for this number: those of one, two, three … together,
        `(100, 300, 500)`, or a single figure for each of them, `(100,)`.
        """
        attribute = self.setting.replace("-", "_")  # `black-threes-aside` is a setting
        value = getattr(settings, attribute)
        if self.points is ExtraPoints.EACH:
            return (value,)
        return tuple(value)

    def largest_number(self, settings: Settings) -> int | None:
        """The largest number that can be chosen in the form; None if there is no limit.

        Where the rules have points for one, two and three together, `(100, 300, 500)`, it is 3.
        """
        is_limited_by_points = self.points is ExtraPoints.TOGETHER
        if self.most is None and is_limited_by_points:
            points_of_one_two_and_more = self.read_points(settings)
            return len(points_of_one_two_and_more)
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

    melds: Annotated[tuple[MeldEntry, ...], _in_json_list(_Meld, MOST_MELDS)] = ()
    totals: Annotated[Totals | None, _in_json(Totals)] = None
    sum: Annotated[int | None, _in_json(Points)] = None
    adjustments: Annotated[tuple[Adjustment, ...], _in_json_list(Adjustment, MOST_ROWS)] = ()
    left: Annotated[
        HeldCards,
        _in_json(_HeldCards),
        Field(json_schema_extra={"default": ""}),
    ] = NOTHING_HELD
    red_threes: Count = 0
    red_threes_held: Count = 0
    penalties: Annotated[tuple[PenaltyEntry, ...], _in_json_list(_Penalty, MOST_CODES)] = ()
    bonuses: Annotated[tuple[str, ...], _in_json_list(Word, MOST_CODES)] = ()
    """Codes of the variant's bonuses, repeated for each time awarded."""
    opening: Annotated[tuple[Reading, ...] | None, _in_json(_Opening)] = None
    """The melds of its first turn."""
    black_threes_aside: Count = 0
    black_threes: Count = 0
    sevens_held: Count = 0
    aces_held: Count = 0
    special: Annotated[str | None, _in_json(Word)] = None
    """The name of a hand that is shown instead of melded."""

    @property
    def held(self) -> tuple[Reading, ...]:
        """The cards still held, if they were given in cards: of each player, or of all together."""
        return self.left.readings

    @property
    def red_threes_in_hand(self) -> int:
        """How many red threes (bonus cards) the players still hold: those given as a number, and
        those among the cards left in hand.
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
    discard: Annotated[Reading | None, _in_json(_DiscardOrNull)] = None
    player: Count | None = None


def _decode_sides(sides: dict[str, SideEntry], info: ValidationInfo) -> tuple[SideEntry, ...]:
    """Put the sides of a hand in their order, from an object with the sides by name in JSON. A side
    that is not given is empty.

    Entries under names that no side has come after them, and are reported later with the other
    mistakes of the hand. In a hand stored in the log of a match they are an error.
    """
    context = _context_of(info)
    entries = [sides.get(name, SideEntry()) for name in context.names]
    for name, entry in sides.items():
        if name in context.names:
            continue
        if context.is_stored:
            raise unusable_error("wrong", takes="sides")
        # The position is the next one, as no other name was decoded before those of `sides`.
        context.position_of(name)
        entries.append(entry)
    return tuple(entries)


def _encode_sides(
    sides: tuple[SideEntry, ...],
    encode_by_name: SerializerFunctionWrapHandler,
    info: SerializationInfo,
) -> Any:
    """The JSON of the sides of a hand, an object with the sides by name.

    `encode_by_name` is how pydantic writes such an object.
    """
    sides_by_name = dict(zip(_context_of(info).names, sides, strict=False))
    return encode_by_name(sides_by_name)


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

    sides: Annotated[tuple[SideEntry, ...], _in_json(_SidesByName)]
    out: Out | None = None
    single: _OptionalSide = None
    deal: Count = 1
    """The number of the hand in the match, if it matters."""

    @property
    def is_summed(self) -> bool:
        """Whether only the sum of the points of each side is given, and no cards at all."""
        return all(side.sum is not None for side in self.sides)


_HAND = TypeAdapter(Hand)


def encode_hand(hand: Hand, names: tuple[str, ...]) -> dict[str, Any]:
    """The JSON of a hand, in which its sides have these names; default values are left out."""
    encoded: dict[str, Any] = _HAND.dump_python(
        hand, mode="json", by_alias=True, exclude_defaults=True, context=JsonContext(names)
    )
    return encoded
