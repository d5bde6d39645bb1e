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


def join_players(players: Sequence[str]) -> str:
    """Join the names of players as the name of their side: `["Marta", "Gino"]` → "Marta–Gino"."""
    return "–".join(isolate_direction(player) for player in players)


def recognize_we_or_they(name: str) -> str:
    """Find out whether the name of a side is We or They, in any of our languages.

    The two have Italian codes, which are in the keys of messages:

    - `We`, `noi` → "noi"
    - `They`, `Loro` → "loro"
    - any other name, such as `Marta–Gino` → empty
    """
    for side in ("noi", "loro"):
        for language in LANGUAGES:
            usual_name = words(language).t(f"web.side.{side}")
            if name.casefold() == usual_name.casefold():
                return side
    return ""


def name_sides_by_players(state: MatchState) -> MatchState:
    """Return a match in which no side is called We or They, if its players have names.

    On paper nobody knows who "We" is: with Marta and Gino as players it becomes "Marta–Gino".
    """
    sides = []
    for side in state.sides:
        if recognize_we_or_they(side.name) and all(side.players):
            sides.append(side._replace(name=join_players(side.players)))
        else:
            sides.append(side)
    return replace(state, sides=tuple(sides))


def find_seat_of_finisher(state: MatchState, hand: HandState) -> Seat | None:
    """Find the seat of the player who ended a hand (round) by playing the last card.

    A seat is a side and the player's index on it: `(0, 1)`. None if the player cannot be named, or
    need not be:

    - nobody ended the hand, or only the side is known that did
    - the player has no name
    - the player is the only one of the side, so that the name of the side says it
    """
    out = hand.counted.hand.out  # the side that ended the hand, and which of its players
    if out is None or out.side is None or out.player is None:
        return None
    is_only_player = len(state.sides[out.side].players) == 1
    if is_only_player:
        return None

    # `out.player` does not count those who sat out. If the first player of three sat out, the
    # player with index 1 is in the seat with index 2.
    seats_playing = _list_seats_playing(out.side, state, hand)
    if out.player >= len(seats_playing):
        return None
    seat = seats_playing[out.player]
    name = state.find_player_in_seat(seat, hand.number)
    if not name:
        return None
    return seat


def _list_seats_playing(side: int, state: MatchState, hand: HandState) -> list[Seat]:
    """List the seats of a side whose players took part in a hand: all but those who sat out.

    A side of three players of whom the first sat out → `[(0, 1), (0, 2)]`.
    """
    seats: list[Seat] = []
    for index in range(len(state.sides[side].players)):
        seat = (side, index)
        if seat not in hand.turn.resting:
            seats.append(seat)
    return seats


# ---------------------------------------------------------------- names as they can be drawn

_KINDS_OF_SIDE = {1: "player", 2: "side"}
"""The term for a side by number of players; with more it is a team."""


def name_side_that_went_out(hand: HandState, names: Sequence[str]) -> str:
    """Return the name of the side that ended a hand (round) by playing its last card.

    `names` are those of the sides. Call it only for a hand that a side ended.
    """
    out = hand.counted.hand.out
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
        """Choose the printed names of the sides and players of a match.

        `lacking` are the characters that no font of this machine has.
        """
        self._state = _name_sides_by_legible_players(state, lacking)
        self._words = words
        self._lacking = lacking

        positions = range(len(state.sides))
        self.sides = tuple(self._choose_side_name(side) for side in positions)
        # The next two read `self.sides`: a player without a name is "We, player 1", for example.
        self.players = tuple(self._list_named_players(side) for side in positions)
        self.in_chart = tuple(self._choose_name_in_chart(side) for side in positions)

    def list_players_below(self, side: int) -> tuple[str, ...]:
        """List the players to be printed below the name of their side.

        Empty if their names are that name: below "Marta–Gino", and below a single player.
        """
        printed_players = self.players[side]
        side_state = self._state.sides[side]
        is_named_by_players = side_state.name == join_players(side_state.players)
        is_single_player = printed_players == (self.sides[side],)
        if is_named_by_players or is_single_player:
            return ()
        return printed_players

    def name_player_in_seat(self, seat: Seat, hand: int | None = None) -> str:
        """Return the printed name of the player in a seat, now or in the hand with this number.

        - usually the player's own name: "Marta"
        - the only player of a side, without a name: the name of the side
        - another player without a name: "We, player 1"
        """
        name = self._find_name_of_player(seat, hand)
        if name:
            return self._make_player_recognizable(name, seat)
        side, _index = seat
        is_only_player = len(self._state.sides[side].players) == 1
        if is_only_player:
            return self.sides[side]
        return self._name_seat(seat)

    def _find_name_of_player(self, seat: Seat, hand: int | None) -> str:
        """Find the name of the player in a seat, as it was typed; empty without a name.

        A player of a pair or team may be replaced during a match. With the number of a `hand` (a
        round), it is the name of who sat there in that hand; with None, of who sits there now.
        """
        side, index = seat
        players = self._state.sides[side].players
        are_several = len(players) > 1
        if hand is not None and are_several:
            return self._state.find_player_in_seat(seat, hand)
        if index < len(players):
            return players[index]
        return ""

    def name_finisher(self, hand: HandState) -> str:
        """Return the name of who ended a hand by playing the last card: a player, else a side.

        Call it only for a hand that a side ended.
        """
        seat = find_seat_of_finisher(self._state, hand)
        if seat:
            return self.name_player_in_seat(seat, hand.number)
        return name_side_that_went_out(hand, self.sides)

    @property
    def state(self) -> MatchState:
        """The match, with the printed names in place of those that were typed."""
        sides = []
        for side, name, players in zip(self._state.sides, self.sides, self.players, strict=True):
            sides.append(side._replace(name=name, players=players))
        return replace(self._state, sides=tuple(sides))

    def _choose_side_name(self, side: int) -> str:
        """Return the name of a side, followed by its number if the name could not be recognized.

        Where Chinese characters cannot be printed: `李` → "李 (side 2)".
        """
        all_names = [each.name for each in self._state.sides]
        number = self._number_in_words(side)  # "side 2"
        return make_name_recognizable(
            all_names[side], addition=number, all_names=all_names, lacking=self._lacking
        )

    def _list_named_players(self, side: int) -> tuple[str, ...]:
        """List the printed names of a side's players; those without a name are left out."""
        names: list[str] = []
        for index, name in enumerate(self._state.sides[side].players):
            if name:
                names.append(self._make_player_recognizable(name, (side, index)))
        return tuple(names)

    def _choose_name_in_chart(self, side: int) -> str:
        """Return the name of a side, or "side 2" if a chart could not show its characters."""
        name = self.sides[side]
        if is_legible_in_chart(name, self._lacking):
            return name
        return self._number_in_words(side)

    def _number_in_words(self, side: int) -> str:
        """Return the number of a side in words: "player 1", "side 2" for a pair, or "team 2"."""
        kind = _KINDS_OF_SIDE.get(len(self._state.sides[side].players), "team")
        return self._words.t(f"sheets.number.{kind}", number=side + 1)

    def _name_seat(self, seat: Seat) -> str:
        """Name a seat by its side and its number there: `(0, 1)` → "We, player 2"."""
        side, index = seat
        return self._words.t("web.seat.unnamed", side=self.sides[side], seat=index + 1)

    def _make_player_recognizable(self, name: str, seat: Seat) -> str:
        """Return the name of a player, followed by the seat if the name could not be recognized.

        Where Chinese characters cannot be printed: `李` → "李 (We, player 1)".
        """
        names_of_all_players: list[str] = []
        for side in self._state.sides:
            names_of_all_players += side.players
        seat_in_words = self._name_seat(seat)  # "We, player 1"
        return make_name_recognizable(
            name, addition=seat_in_words, all_names=names_of_all_players, lacking=self._lacking
        )


def _name_sides_by_legible_players(state: MatchState, lacking: Lacking) -> MatchState:
    """Return a match with sides called We or They named by their players, if these can be printed.

    If a character of the new names is `lacking` in the fonts of this machine, the match is returned
    as it is: "We" is better than a name that nobody can read.
    """
    state_by_players = name_sides_by_players(state)
    for name in state_by_players.names:
        if any(character in lacking for character in name):
            return state
    return state_by_players


def make_name_recognizable(
    name: str, *, addition: str, all_names: Iterable[str], lacking: Lacking
) -> str:
    """Return a name for print, followed by an addition if it could not be recognized there.

    `lacking` characters have no glyph on this machine, and are printed as asterisks. If Chinese
    ones are: `李`, `We, player 1` → "李 (We, player 1)". Among `all_names` of a match the name must
    be the only one that looks like it does in print.
    """
    if not lacking or _is_recognizable(name, all_names, lacking):
        return isolate_direction(name)
    return f"{isolate_direction(name)} ({addition})"


def _is_recognizable(name: str, all_names: Iterable[str], lacking: Lacking) -> bool:
    """Tell whether a name can be recognized by the characters that this machine can print.

    These must include a letter or a digit, and differ from what is left of the other names. Where
    Chinese characters are `lacking`:

    - `Li 李` → True, by "Li"
    - `李` → False, nothing is left
    - `Li 李`, if another player is called `Li 丽` → False, both are "Li"
    """
    printable = _keep_printable_part(name, lacking)
    has_letters = any(character.isalnum() for character in printable)
    if not has_letters:
        return False
    other_names = [other for other in all_names if other != name]
    return all(printable != _keep_printable_part(other, lacking) for other in other_names)


def _keep_printable_part(name: str, lacking: Lacking) -> str:
    """Remove the characters without a glyph from a name: `Li 李` → "Li"."""
    kept = "".join(character for character in name if character not in lacking)
    return " ".join(kept.split())  # no blanks are left at the ends, and single ones between


# ---------------------------------------------------------------- characters

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ISOLATES = frozenset({"RLI", "LRI", "FSI", "PDI"})
_DIRECTIONAL = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF"}) | _ISOLATES
"""Bidirectional classes of characters that can change the direction of surrounding text."""
_UNPRINTABLE = ("Cc", "Cs", "Cn", "Co")
"""Categories of controls, lone surrogates, unassigned and private characters."""


def is_legible_in_chart(name: str, lacking: Lacking) -> bool:
    """Tell whether a name can be read in a chart.

    WeasyPrint, which makes our PDFs, draws texts of charts character by character, from left to
    right:

    - `Marta` → True
    - an Arabic or Hebrew name, which runs from right to left → False
    - `Marta 😀` → False
    """
    return not any(_is_spoiled_in_chart(character, lacking) for character in name)


def _is_spoiled_in_chart(character: str, lacking: Lacking) -> bool:
    """Tell whether a character looks wrong if it is drawn by itself, as in charts."""
    if character in lacking:  # no font of this machine has it
        return True
    if is_directional(character):  # it belongs to a text that runs from right to left
        return True
    category = unicodedata.category(character)  # `Mn`, `Cf`, `So`, … as Unicode names them
    is_mark = category.startswith("M")  # it stands above or below the character before it
    is_control = category.startswith("C")  # it has no shape at all
    is_symbol = category == "So"  # emoji, which are drawn in another font
    return is_mark or is_control or is_symbol


def is_directional(character: str) -> bool:
    """Tell whether a character can change the direction of the text around it.

    True for Arabic and Hebrew letters, and for invisible characters that set the direction.
    """
    return unicodedata.bidirectional(character) in _DIRECTIONAL


def isolate_direction(name: str) -> str:
    """Protect the text around a name from being reordered by it.

    A name in Arabic or Hebrew runs from right to left. Beside it, numbers and commas of our own
    text would change their places. Two invisible characters around the name prevent that.
    """
    if name.isascii() or not any(is_directional(character) for character in name):
        return name  # most names run from left to right
    # Invisible characters of the same kind in the name itself would end the protection too early.
    name_without_isolates = ""
    for character in name:
        if unicodedata.bidirectional(character) not in _ISOLATES:
            name_without_isolates += character
    return f"\N{FIRST STRONG ISOLATE}{name_without_isolates}\N{POP DIRECTIONAL ISOLATE}"


def replace_unprintable(text: str) -> str:
    """Replace the characters of a text that cannot be printed.

    Line ends and other white space become blanks; controls and lone surrogates become `�`.
    """
    replacements = {}
    for character in set(text):
        if character.isspace():
            replacements[ord(character)] = " "
        elif unicodedata.category(character) in _UNPRINTABLE:
            replacements[ord(character)] = REPLACEMENT
    return text.translate(replacements)
