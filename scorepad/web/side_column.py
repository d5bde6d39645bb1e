"""The fields of one side in the form of a hand, and what is typed in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

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


@dataclass(frozen=True, slots=True)
class SideColumn:
    """The fields of one side in the form, by name, and the texts typed in them.

    A field in which nothing is typed has no text here.
    """

    position: int
    fields: Mapping[str, Field]
    texts: Mapping[str, str]
    has_one_player: bool

    @property
    def side(self) -> str:
        """The side as in the keys of a draft: `a`, `b` or `c`."""
        return SIDE_KEYS[self.position]

    @property
    def replacement(self) -> CardsReplacement:
        """What is typed in place of the side's cards; an agreed sum comes before a special hand."""
        if CardsReplacement.SUM in self.texts:
            return CardsReplacement.SUM
        if CardsReplacement.SPECIAL in self.texts:
            return CardsReplacement.SPECIAL
        return CardsReplacement.NONE

    @property
    def is_by_cards(self) -> bool:
        """Whether what the side laid is typed card by card, not as totals counted at the table."""
        return "melds" in self.texts or "cards" not in self.fields

    @property
    def laid_field(self) -> str:
        """The main field for what the side laid: its melds, or the points of its cards."""
        if self.is_by_cards:
            return "melds"
        return "cards"

    @property
    def main_key(self) -> str:
        """The key of the field for what the side laid, or for what replaces it."""
        return field_key(self.side, self.replacement or self.laid_field)

    @property
    def held_card_fields(self) -> list[str]:
        """All fields in which cards that players still hold can be typed.

        `left.0` alone, or for two players `left.0`, `left.1` and `left.all`.
        """
        return [field.name for field in self.fields.values() if field.kind == "cards"]

    @property
    def held_form(self) -> HeldForm:
        """In which form the cards that players still hold are typed, or are expected to be.

        1. Their points, if there is a field for these and no cards are typed: this is the simplest form.
        2. The cards of all players in one field, if something is typed there.
        3. Else the cards in the field of each player, or in the only field for cards.
        """
        are_cards_typed = any(name in self.texts for name in self.held_card_fields)
        if HELD_POINTS in self.fields and not are_cards_typed:
            return HeldForm.POINTS
        if ALL_HANDS in self.texts:
            return HeldForm.TOGETHER
        return HeldForm.CARDS

    @property
    def held_fields(self) -> list[str]:
        """The names of the fields in which the cards that players still hold are typed, or are
        expected to be: for two players `left.0` and `left.1`, or one field for both together.
        """
        form = self.held_form
        if form is HeldForm.POINTS:
            return [HELD_POINTS]
        if form is HeldForm.TOGETHER:
            return [ALL_HANDS]
        return [name for name in self.held_card_fields if name != ALL_HANDS]

    @property
    def is_held_by_player(self) -> bool:
        """Whether each player has a field for the cards that this player still holds."""
        field = self.fields[self.held_fields[0]]
        is_of_one_player = (
            field.row is not None
        )  # the fields of players have the player as their row
        return is_of_one_player

    def names_in(self, *groups: str) -> list[str]:
        """The names of the fields in these groups, in page order: in `canastas`, for example,
        `canastas.samba`.
        """
        return [field.name for field in self.fields.values() if field.group in groups]

    def rows_in(self, group: str) -> list[int]:
        """The numbers of the rows that the form has for a group, in page order: `[0, 1, 2]`."""
        rows: list[int] = []
        for field in self.fields.values():
            if field.group != group or field.row is None:
                continue
            if field.row not in rows:  # a row has two fields, and is listed once
                rows.append(field.row)
        return rows


def build_columns(draft: Draft, rules: Ruleset) -> tuple[SideColumn, ...]:
    """The columns of the form, one for each side: its fields, and the texts typed in them.

    `draft` are the texts of the whole form, by key: `{"a.cards": "150"}`.
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
