"""The names of sides and players on paper and in pictures, where not every character can be drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from scorepad.i18n import LANGUAGES, Words, words
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Seat

Lacking = frozenset[str]
"""Characters without a glyph on this machine."""

# ---------------------------------------------------------------- names of sides


def joined(players: Sequence[str]) -> str:
    """Several players as the name of their side: `Marta–Gino`."""
    return "–".join(isolated(player) for player in players)


def noi_or_loro(name: str) -> str:
    """`noi` (we) or `loro` (they) for a side that has this usual name in any of our languages; empty
    for any other name: `We` → `noi`, `Marta–Gino` → ``.
    """
    for side in ("noi", "loro"):
        for language in LANGUAGES:
            usual_name = words(language).t(f"web.side.{side}")
            if name.casefold() == usual_name.casefold():
                return side
    return ""


def named_by_players(state: MatchState) -> MatchState:
    """The match in which sides called Noi or Loro are named by their players, if all have names.

    On paper nobody knows whose "Noi" (we) it is: `Noi` with Marta and Gino becomes `Marta–Gino`.
    """
    sides = []
    for side in state.sides:
        if noi_or_loro(side.name) and all(side.players):
            sides.append(side._replace(name=joined(side.players)))
        else:
            sides.append(side)
    return replace(state, sides=tuple(sides))


def seat_out(state: MatchState, hand: HandState) -> Seat | None:
    """The seat of the player who went out in a hand (played the last card), as side and index.

    None if the player is not known, has no name, or is the only one of the side.
    """
    out = hand.counted.hand.out
    if out is None or out.side is None or out.player is None:
        return None
    is_only_player = len(state.sides[out.side].players) == 1
    if is_only_player:
        return None

    # Players who sit out are not counted in `out.player`: the second who played may be the third.
    seats_playing = _seats_playing(out.side, state, hand)
    if out.player >= len(seats_playing):
        return None
    seat = seats_playing[out.player]
    has_name = bool(state.player_in_seat(seat, hand.number))
    return seat if has_name else None


def _seats_playing(side: int, state: MatchState, hand: HandState) -> list[Seat]:
    """The seats of a side whose players took part in a hand: all but those sitting out."""
    seats: list[Seat] = []
    for index in range(len(state.sides[side].players)):
        seat = (side, index)
        if seat not in hand.turn.resting:
            seats.append(seat)
    return seats


# ---------------------------------------------------------------- names as they can be drawn

_KINDS_OF_SIDE = {1: "player", 2: "side"}
"""The term for a side by number of players; with more it is a team."""


def side_out(hand: HandState, names: Sequence[str]) -> str:
    """The name of the side that went out (played its last card). Only for a hand with such a side.

    `names` are those of the sides.
    """
    counted_hand = hand.counted.hand
    out = counted_hand.out
    assert out is not None, "a side went out"
    assert out.side is not None, "a stored hand names its sides"
    return names[out.side]


class PrintedNames:
    """The printed names of the sides and players of a match.

    If a name cannot be drawn because all its characters are `lacking`, the seat is added.

    Attributes: `sides`, the names of the sides; `players`, by side, the named players; `in_chart`,
    the names of the sides in a chart, in which the side's number replaces an illegible name.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking) -> None:
        """Work out the names that can be printed without the characters that are `lacking`."""
        self._state = _named_by_legible_players(state, lacking)
        self._words = words
        self._lacking = lacking
        positions = range(len(state.sides))
        self.sides = tuple(self._side_name(side) for side in positions)
        # The methods for these two use the names of the sides.
        self.players = tuple(self._named_players(side) for side in positions)
        self.in_chart = tuple(self._name_in_chart(side) for side in positions)

    def players_below(self, side: int) -> tuple[str, ...]:
        """The players printed below the name of their side; none if its name consists of theirs.

        Nobody stands below `Marta–Gino`, nor below a single player.
        """
        players = self.players[side]
        side_state = self._state.sides[side]
        is_named_by_all = side_state.name == joined(side_state.players)
        is_named_by_single_player = players == (self.sides[side],)
        if is_named_by_all or is_named_by_single_player:
            return ()
        return players

    def seat(self, seat: Seat, hand: int | None = None) -> str:
        """The name by which the player in a seat is printed: who sat there in this hand, or sits
        there now.

        A player without a name is called by the side and the seat: `Noi, giocatore 1`; the only
        player of a side by the name of the side.
        """
        name = self._name_of_player(seat, hand)
        if name:
            return self._player_name(name, seat)
        side, _index = seat
        is_only_player = len(self._state.sides[side].players) == 1
        if is_only_player:
            return self.sides[side]
        return self._seat_name(seat)

    def _name_of_player(self, seat: Seat, hand: int | None) -> str:
        """The name that the player in a seat has in this hand, or now; empty if they have none."""
        side, index = seat
        players = self._state.sides[side].players
        if hand is not None and len(players) > 1:
            return self._state.player_in_seat(seat, hand)  # another player may have sat there
        if index < len(players):
            return players[index]
        return ""

    def out(self, hand: HandState) -> str:
        """Who went out in a hand: the player if known, else the side."""
        seat = seat_out(self._state, hand)
        if seat:
            return self.seat(seat, hand.number)
        return side_out(hand, self.sides)

    @property
    def state(self) -> MatchState:
        """The match with these names."""
        sides = []
        for side, name, players in zip(self._state.sides, self.sides, self.players, strict=True):
            sides.append(side._replace(name=name, players=players))
        return replace(self._state, sides=tuple(sides))

    def _side_name(self, side: int) -> str:
        """The name of a side, with its number if the name cannot be drawn or told from another."""
        names = [each.name for each in self._state.sides]
        return recognizable_name(names[side], self._side_number(side), names, self._lacking)

    def _named_players(self, side: int) -> tuple[str, ...]:
        """The printed names of those players of a side that have a name."""
        names: list[str] = []
        for index, name in enumerate(self._state.sides[side].players):
            if name:
                names.append(self._player_name(name, (side, index)))
        return tuple(names)

    def _name_in_chart(self, side: int) -> str:
        """The name of a side as charts have it: its number where the name would be illegible."""
        name = self.sides[side]
        if is_legible(name, self._lacking):
            return name
        return self._side_number(side)

    def _side_number(self, side: int) -> str:
        """The number of a side in words, such as "team 2"."""
        kind = _KINDS_OF_SIDE.get(len(self._state.sides[side].players), "team")
        return self._words.t(f"sheets.number.{kind}", number=side + 1)

    def _seat_name(self, seat: Seat) -> str:
        side, index = seat
        return self._words.t("web.seat.unnamed", side=self.sides[side], seat=index + 1)

    def _player_name(self, name: str, seat: Seat) -> str:
        """The name of a player, with the seat if the name cannot be drawn or told from another."""
        other_names: list[str] = []
        for side in self._state.sides:
            other_names += side.players
        return recognizable_name(name, self._seat_name(seat), other_names, self._lacking)


def _named_by_legible_players(state: MatchState, lacking: Lacking) -> MatchState:
    """The match with Noi (we) and Loro (they) named by their players, if these can be printed.

    If a character of the new names is `lacking`, the sides keep their names.
    """
    state_by_players = named_by_players(state)
    for name in state_by_players.names:
        if any(character in lacking for character in name):
            return state
    return state_by_players


def recognizable_name(name: str, addition: str, others: Iterable[str], lacking: Lacking) -> str:
    """A name for print; if it cannot be recognized there, the addition follows in brackets.

    Where Chinese characters are `lacking`, `李` becomes `李 (Noi, giocatore 1)`. `others` are the
    other names, from which it must differ.
    """
    if not lacking or _is_recognizable(name, others, lacking):
        return isolated(name)
    return f"{isolated(name)} ({addition})"


def _is_recognizable(name: str, others: Iterable[str], lacking: Lacking) -> bool:
    """Whether a name without the characters that are `lacking` has letters, and differs from what is
    left of the others: `Li 李` and `Li 丽` are both `Li`.
    """
    left = _drawable(name, lacking)
    left_of_others = [_drawable(other, lacking) for other in others if other != name]
    has_letters = any(character.isalnum() for character in left)
    return has_letters and left not in left_of_others


def _drawable(name: str, lacking: Lacking) -> str:
    """The part of a name that has glyphs, with single spaces."""
    kept = "".join(character for character in name if character not in lacking)
    return " ".join(kept.split())


# ---------------------------------------------------------------- characters

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ISOLATES = frozenset({"RLI", "LRI", "FSI", "PDI"})
_DIRECTIONAL = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF"}) | _ISOLATES
"""Bidirectional classes of characters that can change the direction of surrounding text."""
_UNPRINTABLE = ("Cc", "Cs", "Cn", "Co")
"""Categories of controls, lone surrogates, unassigned and private characters."""


def is_legible(name: str, lacking: Lacking) -> bool:
    """Whether a name is legible drawn letter by letter from left to right, as WeasyPrint does in
    charts.
    """
    return not any(_spoils_a_chart(character, lacking) for character in name)


def _spoils_a_chart(character: str, lacking: Lacking) -> bool:
    """Whether a character cannot be drawn by itself: it has no glyph, joins the one before it, changes
    the direction, or is a symbol (emoji are drawn in other fonts).
    """
    category = unicodedata.category(character)
    is_mark_or_control = category[0] in "MC"
    is_symbol = category == "So"
    return character in lacking or is_directional(character) or is_mark_or_control or is_symbol


def is_directional(character: str) -> bool:
    """Whether a character can change the direction of the text around it."""
    return unicodedata.bidirectional(character) in _DIRECTIONAL


def isolated(name: str) -> str:
    """A name with bidirectional isolation, so that it does not reorder the text around it."""
    if name.isascii() or not any(is_directional(character) for character in name):
        return name
    kept = ""
    for character in name:
        if unicodedata.bidirectional(character) not in _ISOLATES:
            kept += character
    return f"\N{FIRST STRONG ISOLATE}{kept}\N{POP DIRECTIONAL ISOLATE}"


def printable(text: str) -> str:
    """A text with unprintable characters replaced: controls and lone surrogates become `�`, line
    ends spaces.
    """
    replacements = {}
    for character in set(text):
        if character.isspace():
            replacements[ord(character)] = " "
        elif unicodedata.category(character) in _UNPRINTABLE:
            replacements[ord(character)] = REPLACEMENT
    return text.translate(replacements)
