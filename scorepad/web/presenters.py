"""How pages name and show a match, its sides and its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from markupsafe import Markup

from scorepad.i18n import Language, Words, words
from scorepad.matches.access import Access
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Seat
from scorepad.sheets.chart import draw_chart_as_svg, make_chart
from scorepad.sheets.printed_names import join_players
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import app_state, device_id, get_pad

LONGEST_USUAL_NAME = 14
"""Characters of a name; a longer one is written in a smaller font."""
_LONGEST_USUAL_WORD = 9
"""Letters of a word of a name; a longer one may be cut off on the smallest phones."""
_LETTERS_WITH_SIZE = range(7, 15)
"""Letters of the longest word of a name, for which the style sheet has font sizes."""
_TWO_PAIRS = (2, 2)
"""The number of players of each side if two pairs play."""
_THREE_PLAYERS = (1, 1, 1)
"""The number of players of each side if three play, each alone."""


def versus(names: Sequence[str], words: Words) -> str:
    """Say who plays against whom, by the names of the sides.

    - two sides → "Anna and Bea vs. Carl and Dan"
    - three → "Anna, Bea and Carl"
    - two sides without names of their own → "Us vs. Them"
    """
    default_names_of_pairs = [words.t("web.side.noi"), words.t("web.side.loro")]
    if list(names) == default_names_of_pairs:
        return words.t("web.versus.unnamed")
    if len(names) == 2:  # noqa: PLR2004 - two sides
        return words.t("web.versus", one=names[0], other=names[1])
    return words.listing(names)


def _longest_word(name: str) -> int:
    """Count the letters of the longest word of a name."""
    return max((len(word) for word in name.split()), default=0)


def size_class(name: str) -> str:
    """Choose the CSS class with the font size for a name; longer words get a smaller font.

    - "Marta e Gino" → `letters-7`, also for shorter words than that
    - "Massimiliano" → `letters-12`
    """
    letters = max(_longest_word(name), _LETTERS_WITH_SIZE[0])
    letters = min(letters, _LETTERS_WITH_SIZE[-1])
    return f"letters-{letters}"


def is_long(name: str) -> bool:
    """Tell whether a name is so long that it is written in a smaller font."""
    return len(name) > LONGEST_USUAL_NAME


def has_long_word(name: str) -> bool:
    """Tell whether a name has a word that may be cut off on a small phone.

    The page then gives the whole name as a title too.
    """
    return _longest_word(name) > _LONGEST_USUAL_WORD


def names_of_players(players: Sequence[str]) -> list[str]:
    """List the names of a side's players, without players who have none.

    None are listed for a side of one player: the side itself has the name of that player.
    """
    if len(players) == 1:
        return []
    return [name for name in players if name]


def own_side_first(state: MatchState) -> tuple[int, ...]:
    """Sort the sides as this device shows them: the side of its own players comes first.

    Returns their positions: `(1, 0)` if the device counts for the second of two sides, `(0, 1)` if
    it has not said for which.
    """
    positions = list(range(len(state.sides)))
    if state.own_side in positions:
        positions.remove(state.own_side)
        positions.insert(0, state.own_side)
    return tuple(positions)


def player_name(
    seat: Seat, hand_number: int | None = None, *, state: MatchState, words: Words
) -> str:
    """Name the player who sits in a seat at the table.

    - "Anna (We)", with the name of the side
    - "We, player 2", if the player has no name
    - "Anna", if the side is called by the names of its players, or has one player only

    With `hand_number` it is the player who sat there in that hand (a round of the game).
    """
    side_position, player_index = seat
    side = state.sides[side_position]
    if len(side.players) == 1:
        return side.name

    if hand_number is None:
        name = side.players[player_index]
    else:
        name = state.find_player_in_seat(seat, hand_number)  # another one may sit there now
    if not name:
        return words.t("web.seat.unnamed", side=side.name, seat=player_index + 1)

    is_side_named_after_players = side.name == join_players(side.players)
    if is_side_named_after_players:
        return name
    return words.t("web.seat.named", player=name, side=side.name)


def game_names(matches: Sequence[SummaryRecord], words: Words) -> dict[str, str]:
    """Map the id of each match to the name of the game that it is about: `{"k3v…": "Samba"}`.

    House rules, which players made themselves, bring their name along. A game that has no name is
    shown by its id.
    """
    house_rules = get_pad().rules_of_own_variants(matches)
    names = {}
    for match in matches:
        words_of_match = words
        if match.id in house_rules:
            words_of_match = words.with_rules(house_rules[match.id])
        key = f"variant.{match.variant}.name"
        if words_of_match.has(key):
            names[match.id] = words_of_match.t(key)
        else:
            names[match.id] = match.variant
    return names


def moment(when: datetime, words: Words) -> str:
    """Write a day and a time in words, in the time zone of the server."""
    local = when.astimezone()
    return words.t("web.moment", day=words.day(local), clock=words.clock(local))


def default_names(side_sizes: Sequence[int], words: Words) -> tuple[str, ...]:
    """Name the sides of a match whose names nobody has typed.

    `side_sizes` has the number of players of each side:

    - `(2, 2)` → "We" and "They"
    - `(1, 1, 1)` → "Player 1", "Player 2" and "Player 3"
    """
    if len(side_sizes) == 2 and max(side_sizes) > 1:  # noqa: PLR2004 - two sides
        return words.t("web.side.noi"), words.t("web.side.loro")
    numbers = range(1, len(side_sizes) + 1)
    return tuple(words.t("web.side.player", number=number) for number in numbers)


def is_default_name(name: str) -> bool:
    """Tell whether nobody typed a name: it is empty, or "We", "Player 1" or the like.

    These names are known in every language.
    """
    name = name.strip()
    if not name:
        return True
    for language in Language:
        names_of_pairs = default_names(_TWO_PAIRS, words(language))
        names_of_players = default_names(_THREE_PLAYERS, words(language))
        if name in names_of_pairs or name in names_of_players:
            return True
    return False


def hand_anchor(number: int) -> str:
    """Make the id of a hand (a round) on the page of its match."""
    return f"smazzata-{number}"


def without_unreachable_rematch(state: MatchState) -> MatchState:
    """Return a match without its link to a rematch that this device cannot open.

    The device may have no access to the rematch, or somebody may have deleted it.
    """
    if not state.rematch:
        return state
    if get_pad().access(state.rematch, device_id()) is Access.NONE:
        return replace(state, rematch=None)
    return state


def chart_of(state: MatchState, words: Words) -> Markup:
    """Draw the chart of how the totals of a match went, as HTML; empty before the first hand.

    It is cached until the log of the match has another entry.
    """
    if not state.hands:
        return Markup()
    cache = app_state().shown
    key = ("chart", state.id, state.sequence, state.names, words.language)
    cached = cache.get(key)
    if cached:
        return cached
    chart = make_chart(state, words.language)
    svg = Markup(draw_chart_as_svg(chart))  # noqa: S704 - it escapes what people wrote
    html = Markup('<div class="chart">{}</div>').format(svg)
    return cache.put(key, html)
