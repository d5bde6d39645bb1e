"""Requests of programs that play matches, decoded from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self, TypeVar

from pydantic import AfterValidator, FailFast, Field, TypeAdapter, model_validator

from scorepad.rules.definitions import Ends, Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.json_types import Count, JsonContext, Text, Word, unusable_error
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.settings import Points
from scorepad.rules.variants import default_variant
from scorepad.schemas.fields import Input, Options, decode_json, parse_checked_json
from scorepad.schemas.hand_requests import read_chosen_rules


class RulesInput(Input):
    """The keys that choose rules."""

    variant: Word
    preset: Word | None = None
    options: Options = Field(default_factory=dict)

    def settle_rules(self) -> Ruleset:
        """Build the rules that these keys choose. Raises Unusable if there are no such rules.

        `{"variant": "samba", "options": {"target": 5000}}` is the game samba, played to 5,000
        points.
        """
        return read_chosen_rules(self.variant, self.preset, self.options)


Names = Annotated[tuple[Text, ...], Field(max_length=3), FailFast()]
Players = Annotated[tuple[Text, ...], Field(max_length=6), FailFast()]
Reason = Annotated[Text, Field(alias="note")]
"""Why a hand is corrected or an entry undone; its key in JSON is `note`."""
Index = Annotated[int, Field(ge=0, le=5)]


class EndsInput(Input):
    """What ends a match besides its target: a number of hands, or minutes from its start."""

    hands: Annotated[int, Field(ge=1, le=MOST_HANDS)] | None = None
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] | None = None


def _decode_ends_of_match(given: EndsInput | None) -> Ends | None:
    """Decode what ends a match besides its target score: a number of hands, or of minutes.

    `{"hands": 6}` → `Ends(6, None)`. None if neither is given.
    """
    if given is None or given == EndsInput():
        return None
    return Ends(given.hands, given.minutes)


class NewMatchInput(RulesInput):
    """A match to start. `players` by side; `dealer`: the first dealer's side and seat; `carried`:
    totals from paper.
    """

    variant: Word = default_variant()
    names: Names
    players: Annotated[tuple[Players, ...], Field(max_length=3), FailFast()] = ()
    dealer: Annotated[tuple[Index, ...], Field(min_length=2, max_length=2), FailFast()] = (0, 0)
    place: Text = ""
    carried: Annotated[tuple[Points, ...], Field(max_length=3), FailFast()] = ()
    played: Count = 0
    ends: Annotated[EndsInput | None, AfterValidator(_decode_ends_of_match)] = None

    @model_validator(mode="after")
    def _require_players_of_each_side(self) -> Self:
        """Raise an error if players are listed for fewer or more sides than the match has.

        Two sides (teams), and a list of the players of one side only → refused. No players at all
        are fine.
        """
        if not self.players:
            return self
        if len(self.players) != len(self.names):
            # The message ends: "a list for each side, with the names of its players".
            raise unusable_error("wrong", at="players", takes="players")
        return self


@dataclass(frozen=True, kw_only=True)
class HandToCount(Hand):
    """A hand of a match. `number` is that of the next hand, so that a repeated request counts only
    once.

    `version` is that of the draft which the hand replaces, 0 for none, so that a newer draft is not
    lost. `agreed` is the reason why the table counts a hand that the rules refuse.
    """

    number: Count
    version: Count = 0
    remark: Text = ""
    agreed: Text = ""


@dataclass(frozen=True, kw_only=True)
class HandToCorrect(Hand):
    """A correction of a counted hand. `entry` is the version being corrected."""

    entry: Count
    reason: Reason = ""
    remark: Text = ""
    agreed: Text = ""


HAND_TO_COUNT = TypeAdapter(HandToCount)
HAND_TO_CORRECT = TypeAdapter(HandToCorrect)


class UndoInput(Input):
    """Undo the last action, if `sequence` is still the last of the match."""

    sequence: Count
    reason: Reason = ""


_Input = TypeVar("_Input", bound=Input)
_Sent = TypeVar("_Sent")
_NOT_OBJECT = "unusable.not-json-object"


def read_sent(wanted: type[_Input], source: bytes) -> _Input:
    """Decode the JSON that a program sent to change a match, as the model that is wanted.

    `b'{"sequence": 7}'` as an `UndoInput` → `UndoInput(sequence=7)`. Raises Unusable for JSON that
    is no such model; its message names the wrong key.
    """
    parse_checked_json(source)  # raises an error for what takes too long to decode
    return decode_json(TypeAdapter(wanted), source, not_object=_NOT_OBJECT)


def read_sent_hand(wanted: TypeAdapter[_Sent], source: bytes, context: JsonContext) -> _Sent:
    """Decode the JSON of a hand (a round) that a program sent for a match.

    `wanted` is `HAND_TO_COUNT` or `HAND_TO_CORRECT`. `context` has the names of the sides (teams)
    of the match, by which the JSON tells them apart. Raises Unusable for JSON that is no such hand.
    """
    parse_checked_json(source)  # raises an error for what takes too long to decode
    return decode_json(wanted, source, context=context, not_object=_NOT_OBJECT)
