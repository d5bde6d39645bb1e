"""How a match stands or ended, in words: for pages, paper, the text to share and the picture."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.projection import MatchState
from scorepad.sheets.printed_names import isolated, joined, named_by_players, noi_or_loro

PAIR = 2
"""The number of players of a pair."""


class MatchResult(NamedTuple):
    """How a match stands or ended: a sentence, and what is said after it, perhaps nothing.

    "Abbiamo vinto noi" and how the match ended; or how many hands were played and who leads.
    """

    sentence: str
    how: str

    def __str__(self) -> str:
        return f"{self.sentence}. {self.how}".rstrip()


def result_of(state: MatchState, words: Words) -> MatchResult:
    """The winner and how, or the leader, in a few words, to be shown beside the totals."""
    if not state.status.finished:
        return _standing_of(state, words)
    ended = ended_of(state, words)
    winner = state.status.winner
    if winner is None:
        return ended
    # The totals, which the sentence of `ended` repeats, stand beside it already.
    return MatchResult(won_words(state, winner, words), ended.how)


def _standing_of(state: MatchState, words: Words) -> MatchResult:
    """How many hands of a match were played, and which side leads, unless several have as much."""
    hands = _hands_played(state)
    if hands == 0:
        sentence = words.t("share.not-begun")
    else:
        sentence = words.plural("share.going-on", hands)

    highest = max(side.total for side in state.sides)
    leading = [side.name for side in state.sides if side.total == highest]
    if len(leading) > 1:
        return MatchResult(sentence, "")
    return MatchResult(sentence, words.t("share.leads", side=leading[0]))


def _hands_played(state: MatchState) -> int:
    """The number of hands of a match that were played: on the pad, and on paper before that."""
    return state.played + len(state.hands)


def ended_of(state: MatchState, words: Words) -> MatchResult:
    """How a finished match ended."""
    if state.ended_early and state.ending:
        return _agreed_end(state, state.ending, words)
    sentence = _winner_sentence(state, words)
    return MatchResult(sentence, _how_it_ended_by_rules(state, words))


def _how_it_ended_by_rules(state: MatchState, words: Words) -> str:
    """Whether the match ended because a side reached the target, or after its number of hands.

    After its number of hands two sides may have the same total, and nobody has won.
    """
    hands = _hands_played(state)
    winner = state.status.winner
    target = state.status.target
    if winner is None:
        return words.plural("web.ended.even.hands", hands)
    if target is None or state.sides[winner].total < target:  # all hands were played before
        return words.plural("web.ended.all-hands", hands)

    how = words.plural("web.ended.hands", hands, target=target)
    sides_at_target = [side for side in state.sides if side.total >= target]
    if len(sides_at_target) > 1:  # the text says that the one with more points won
        how += f" {words.t('web.ended.several')}"
    return how


def _agreed_end(state: MatchState, ending: Ending, words: Words) -> MatchResult:
    """The end of a match that the players agreed to end before its rules did.

    They may have agreed on a last hand, a side may have given up, or the match was broken off.
    """
    is_broken_off = ending.how is EndHow.BROKEN_OFF
    if is_broken_off and state.status.winner is None:
        # Not the sentence for an equal score, since a side may have been ahead.
        sentence = words.t("match.ended.nobody")
    else:
        sentence = _winner_sentence(state, words)
    side_that_ended_it = "" if ending.side is None else state.sides[ending.side].name
    how = words.plural(f"match.ended.{ending.how}", _hands_played(state), side=side_that_ended_it)
    return MatchResult(sentence, how)


def _winner_sentence(state: MatchState, words: Words) -> str:
    """Who won, with the totals; or that nobody did."""
    winner = state.status.winner
    if winner is None:
        return words.t("web.ended.even")
    others = [side for position, side in enumerate(state.sides) if position != winner]
    return words.t(
        "web.ended.won",
        won=won_words(state, winner, words),
        total=state.sides[winner].total,
        others=words.listing(words.figure(other.total) for other in others),
    )


def won_words(state: MatchState, winner: int, words: Words) -> str:
    """The winner in a sentence: `Abbiamo vinto noi`, `Vince la coppia Marta–Gino`.

    `winner` is the position of the side.
    """
    usual_name = noi_or_loro(state.sides[winner].name)
    if usual_name:
        return _won_by_noi_or_loro(usual_name, state, winner, words)
    name = isolated(state.sides[winner].name)
    number_of_players = state.rules.settings.sides[winner]
    if number_of_players == 1:
        return words.t("result.won", side=name)
    if number_of_players == PAIR:
        return words.t("result.won.pair", side=name)
    return words.t("result.won.team", side=name)


def _won_by_noi_or_loro(usual_name: str, state: MatchState, winner: int, words: Words) -> str:
    """The winner in a sentence, for a side that is called Noi (we) or Loro (they).

    A pair of players with names is called by these, since "we" depends on who is reading:
    `Vince la coppia Marta–Gino`. For others it is `Abbiamo vinto noi` or `Hanno vinto loro`, as
    `usual_name` (`noi` or `loro`) says.
    """
    players = state.sides[winner].players
    is_pair_by_rules = state.rules.settings.sides[winner] == PAIR
    are_both_named = len(players) == PAIR and all(players)
    if is_pair_by_rules and are_both_named:
        return words.t("result.won.pair", side=joined(players))
    return words.t(f"result.won.{usual_name}")


def ending_to_come(state: MatchState, words: Words) -> str:
    """The hand after which the players agreed to end the match, in words; empty if there is none,
    and when the match is finished.
    """
    ending = state.ending
    if ending is None or ending.hands is None or state.status.finished:
        return ""
    last_hand = ending.hands  # the match ends after so many hands
    next_hand = len(state.hands) + 1
    if last_hand == next_hand:
        return words.t("match.last-hand")
    # The players also count the hands that they played on paper before.
    number_for_players = state.called(last_hand)
    return words.t("match.up-to-hand", number=number_for_players)


# ---------------------------------------------------------------- to share


def game_of(state: MatchState, words: Words) -> str:
    """The game played, and whether it counts."""
    game = words.t(f"variant.{state.rules.variant}.name")
    if state.practice:
        return words.t("share.practice", game=game)
    return game


def players_of(state: MatchState, position: int, words: Words) -> str:
    """The players of a side who have a name, to be added to the name of the side: `Marta e Gino`.

    Empty if nothing needs to be added: for a player who plays alone, and for a side whose name is
    made up of those of its players, `Marta–Gino`.
    """
    side = state.sides[position]
    is_single_player = state.rules.settings.sides[position] == 1
    is_named_by_players = side.name == joined(side.players)
    if is_single_player or is_named_by_players:
        return ""
    named_players = [isolated(name) for name in side.players if name]
    if not named_players:
        return ""
    return words.listing(named_players)


def text_of(state: MatchState, words: Words) -> str:
    """The result as text to share: the place, a line for each side, and the end."""
    state = named_by_players(state)
    day = words.day(state.started.astimezone())
    head = [game_of(state, words), day]
    if state.venue:
        head.append(isolated(state.venue))
    lines = [", ".join(head)]
    for position, side in enumerate(state.sides):
        players = players_of(state, position, words)
        key = "share.text.players" if players else "share.text.side"
        points = words.figure(side.total)
        lines.append(words.t(key, side=isolated(side.name), players=players, points=points))
    lines.append(str(result_of(state, words)))
    return "\n".join(lines)


def alt_of(state: MatchState, words: Words) -> str:
    """The alternative text of the picture."""
    state = named_by_players(state)
    totals = [f"{isolated(side.name)} {words.figure(side.total)}" for side in state.sides]
    how = str(result_of(state, words))
    return words.t("share.picture.alt", sides=", ".join(totals), how=how)
