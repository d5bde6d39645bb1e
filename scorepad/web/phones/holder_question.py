"""The question who holds a phone and for which side it counts, with a button for each answer."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState, SideState
from scorepad.web.presenters import names_of_players

NO_SIDE = "none"
"""The value of the answer that the phone counts for no side."""


class SeatButton(NamedTuple):
    """A button that answers the question: `0.1` is the second player of the first side."""

    value: str
    label: str
    is_chosen: bool


class SideOfHolder(NamedTuple):
    """A side with a button for each of its players."""

    name: str
    players: list[SeatButton]


class HolderQuestion(NamedTuple):
    """The question with its answers: the players of each side, or somebody else for a side."""

    sides: list[SideOfHolder]
    side_buttons: list[SeatButton]
    has_just_entered: bool
    """Whether the phone has just entered the match, and goes on to its page."""


def ask_for_holder(
    match: MatchState, words: Words, *, holder: str, side: int | None, has_just_entered: bool
) -> HolderQuestion:
    """Make the question. `holder` and `side` are the answer so far: an empty text, None for none."""
    sides = []
    side_buttons = []
    for position, each in enumerate(match.sides):
        is_chosen = position == side
        chosen_player = holder if is_chosen else None
        if names_of_players(each.players):
            sides.append(SideOfHolder(each.name, _list_players(each, position, chosen_player)))
        side_buttons.append(SeatButton(str(position), each.name, is_chosen))

    is_no_side_chosen = side is None and not has_just_entered
    side_buttons.append(SeatButton(NO_SIDE, words.t("phones.no-side"), is_no_side_chosen))
    return HolderQuestion(sides, side_buttons, has_just_entered)


def _list_players(side: SideState, position: int, chosen_player: str | None) -> list[SeatButton]:
    """List the players of a side who have names, each as a button."""
    buttons = []
    for player in side.players:
        if player:
            value = f"{position}.{side.players.index(player)}"
            buttons.append(SeatButton(value, player, is_chosen=player == chosen_player))
    return buttons
