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
    """Who plays: `Anna e Bea contro Carlo e Dino`; with three sides `Anna, Bea e Carlo`."""
    default_names_of_pairs = [words.t("web.side.noi"), words.t("web.side.loro")]
    if list(names) == default_names_of_pairs:
        return words.t("web.versus.unnamed")
    if len(names) == 2:  # noqa: PLR2004 - two sides
        return words.t("web.versus", one=names[0], other=names[1])
    return words.listing(names)


def _longest_word(name: str) -> int:
    """The number of letters of the longest word of a name."""
    return max((len(word) for word in name.split()), default=0)


def size_class(name: str) -> str:
    """The class with the font size for a name, by its longest word: "Marta e Gino" → `letters-7`."""
    letters = max(_longest_word(name), _LETTERS_WITH_SIZE[0])
    letters = min(letters, _LETTERS_WITH_SIZE[-1])
    return f"letters-{letters}"


def is_long(name: str) -> bool:
    """Whether a name is so long that it is written in a smaller font."""
    return len(name) > LONGEST_USUAL_NAME


def has_long_word(name: str) -> bool:
    """Whether a name has a word that may be cut off, so that the page gives the name as a title too."""
    return _longest_word(name) > _LONGEST_USUAL_WORD


def names_of_players(players: Sequence[str]) -> list[str]:
    """The players of a side that have a name; none for a side of one player, who is named as the side
    is.
    """
    if len(players) == 1:
        return []
    return [name for name in players if name]


def own_side_first(state: MatchState) -> tuple[int, ...]:
    """The positions of the sides in the order in which this device shows them.

    The side of its own players comes first, if it has chosen one.
    """
    positions = list(range(len(state.sides)))
    if state.own_side in positions:
        positions.remove(state.own_side)
        positions.insert(0, state.own_side)
    return tuple(positions)


def player_name(
    seat: Seat, hand_number: int | None = None, *, state: MatchState, words: Words
) -> str:
    """The player in a seat, by name and side: "Anna (Noi)".

    A player without a name is called by the number of the seat. With the number of a hand it is the
    player who sat there in that hand: others may sit there now.
    """
    side_position, player_index = seat
    side = state.sides[side_position]
    if len(side.players) == 1:
        return side.name
    if hand_number is None:
        name = side.players[player_index]
    else:
        name = state.find_player_in_seat(seat, hand_number)
    if not name:
        return words.t("web.seat.unnamed", side=side.name, seat=player_index + 1)
    is_side_named_after_players = side.name == join_players(side.players)
    if is_side_named_after_players:
        return name
    return words.t("web.seat.named", player=name, side=side.name)


def game_names(matches: Sequence[SummaryRecord], words: Words) -> dict[str, str]:
    """The name of the game of each match, by the id of the match.

    Rules of a table's own bring their name along; a game that has no name is shown by its id.
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
    """A day and time in the server's time zone."""
    local = when.astimezone()
    return words.t("web.moment", day=words.day(local), clock=words.clock(local))


def default_names(side_sizes: Sequence[int], words: Words) -> tuple[str, ...]:
    """The names of sides without a name: Noi and Loro, or numbered players if each plays alone.

    `side_sizes` has the number of players of each side.
    """
    if len(side_sizes) == 2 and max(side_sizes) > 1:  # noqa: PLR2004 - two sides
        return words.t("web.side.noi"), words.t("web.side.loro")
    numbers = range(1, len(side_sizes) + 1)
    return tuple(words.t("web.side.player", number=number) for number in numbers)


def is_default_name(name: str) -> bool:
    """Whether a name is empty, or one of those for sides without a name, in any language."""
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
    """The id of a hand on the page of its match."""
    return f"smazzata-{number}"


def without_unreachable_rematch(state: MatchState) -> MatchState:
    """The match as this device may show it: without its rematch if the device cannot access that.

    Nobody can access a rematch that was deleted.
    """
    if not state.rematch:
        return state
    if get_pad().access(state.rematch, device_id()) is Access.NONE:
        return replace(state, rematch=None)
    return state


def chart_of(state: MatchState, words: Words) -> Markup:
    """The chart of the totals as HTML, for a page with `share.css`; empty before the first hand.

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
