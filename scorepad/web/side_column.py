"""The fields of one side in the form of a hand, and what is typed in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.hand_fields import (
    ALL_HANDS,
    HELD_POINTS,
    CardsReplacement,
    Field,
    field_key,
    fields_of_side,
)


class HeldForm(Enum):
    """How a side enters the cards that its players still hold when the hand ends."""

    POINTS = "points"
    """Only the points of the cards."""
    TOGETHER = "together"
    """The cards of all players in one field, although each player has a field too."""
    CARDS = "cards"
    """The cards in the field of each player, or in the only field for the cards of the side."""


@dataclass(frozen=True)
class SideColumn:
    """The fields of one side in the form, by name, and the texts typed in them.

    A field in which nothing is typed has no text here. What follows from the texts is found out
    once, and not each time that it is asked for.
    """

    position: int
    fields: Mapping[str, Field]
    texts: Mapping[str, str]
    has_one_player: bool

    @property
    def side(self) -> str:
        """The side as in the keys of a draft: `a`, `b` or `c`."""
        return SIDE_KEYS[self.position]

    @cached_property
    def replacement(self) -> CardsReplacement:
        """Tell what is typed for this side instead of its cards.

        - points that the players agreed on, in the field `sum` → `SUM`
        - the name of a special hand, which scores as a whole, in the field `special` → `SPECIAL`
        - neither → `NONE`: the cards are typed, or nothing yet
        """
        # If both are typed, the agreed points count.
        if CardsReplacement.SUM in self.texts:
            return CardsReplacement.SUM
        if CardsReplacement.SPECIAL in self.texts:
            return CardsReplacement.SPECIAL
        return CardsReplacement.NONE

    @property
    def is_by_cards(self) -> bool:
        """Tell whether the cards that the side laid on the table are typed one by one.

        Otherwise only totals are typed, which the players counted themselves: the points of all
        cards, for example, in the field `cards`. Some games have no such field.
        """
        if "melds" in self.texts:
            return True
        has_field_for_totals = "cards" in self.fields
        return not has_field_for_totals

    @property
    def laid_field(self) -> str:
        """Name the main field for the cards that the side laid on the table.

        `melds` if the cards are typed one by one, `cards` if only their points are typed.
        """
        if self.is_by_cards:
            return "melds"
        return "cards"

    @property
    def main_key(self) -> str:
        """Return the key of the field that says most about this side's score.

        - points agreed on instead of cards → `a.sum`
        - cards typed one by one → `a.melds`
        - only the points of the cards typed → `a.cards`
        """
        if self.replacement is not CardsReplacement.NONE:
            return field_key(self.side, self.replacement)
        return field_key(self.side, self.laid_field)

    @cached_property
    def held_card_fields(self) -> list[str]:
        """List the names of all fields for cards that players still have when the round ends.

        - a side of one player: `["left.0"]`
        - a side of two players: `["left.0", "left.1", "left.all"]`; the last is for the cards of
          both, if it is not known who had which
        """
        return [field.name for field in self.fields.values() if field.kind == "cards"]

    @cached_property
    def held_form(self) -> HeldForm:
        """Tell how the cards that players still have at the end of the round are typed.

        - `TOGETHER`: the cards of all players of the side, in one field
        - `CARDS`: the cards of each player, in a field for each
        - `POINTS`: only the points of these cards

        As long as nothing is typed, it is the form that asks for the least typing: points.
        """
        if ALL_HANDS in self.texts:
            return HeldForm.TOGETHER
        are_cards_typed = any(name in self.texts for name in self.held_card_fields)
        if are_cards_typed:
            return HeldForm.CARDS
        if HELD_POINTS in self.fields:
            return HeldForm.POINTS
        return HeldForm.CARDS  # this game has no field for the points

    @property
    def held_fields(self) -> list[str]:
        """List the fields to read for the cards that players still have when the round ends.

        Those cards cost points. They are typed in one of three forms (see `held_form`):

        - only their points → `["left"]`
        - the cards of both players together → `["left.all"]`
        - the cards of each of two players → `["left.0", "left.1"]`
        """
        form = self.held_form
        if form is HeldForm.POINTS:
            return [HELD_POINTS]
        if form is HeldForm.TOGETHER:
            return [ALL_HANDS]
        return [name for name in self.held_card_fields if name != ALL_HANDS]

    @property
    def has_cards_left_by_player(self) -> bool:
        """Tell whether the cards left at the end of the round are typed for each player.

        - fields `left.0` and `left.1`, one for each player → True
        - one field for the whole side: `left.all`, or `left` for points → False
        """
        first_field = self.fields[self.held_fields[0]]
        # Only the field of a player has a row: the index of that player.
        return first_field.row is not None

    def typed_names_in(self, *groups: str) -> list[str]:
        """List the fields in these groups in which something is typed, in the order of the page.

        For example `typed_names_in("penalties")` → `["penalties.draw-out-of-turn"]`.
        """
        return [name for name in self.texts if self.fields[name].group in groups]

    def typed_rows_in(self, group: str) -> list[int]:
        """List the numbers of the rows of a group of fields in which something is typed.

        The fields `house.0.points`, `house.0.reason`, `house.1.points` and `house.1.reason` are two
        rows of the group `house`. If something is typed in each → `[0, 1]`.
        """
        rows: list[int] = []
        for name in self.typed_names_in(group):
            row = self.fields[name].row
            if row is not None and row not in rows:  # a row has two fields, and is listed once
                rows.append(row)
        return rows


def build_columns(draft: Draft, rules: Ruleset) -> tuple[SideColumn, ...]:
    """Sort the texts of the form by side: one column for each side, with its fields and texts.

    `draft` has the texts of the whole form, by key. `{"a.cards": "150", "b.cards": ""}` → the column
    of the first side has the texts `{"cards": "150"}`, that of the second side has none.
    """
    columns = []
    for position in range(len(rules.settings.sides)):
        fields = {}
        texts = {}
        for field in fields_of_side(rules, position, draft):
            fields[field.name] = field
            text = draft.get(field.key, "").strip()
            if text:
                texts[field.name] = text
        has_one_player = rules.settings.players_of(position) == 1
        columns.append(SideColumn(position, fields, texts, has_one_player))
    return tuple(columns)
