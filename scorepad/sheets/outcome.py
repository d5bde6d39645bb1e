"""How a match stands or ended, in words: for pages, paper, the text to share and the picture."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import EndHow
from scorepad.matches.projection import MatchState
from scorepad.sheets.printed_names import isolated, joined, named_by_players, noi_or_loro

PAIR = 2
"""The number of players of a pair."""


class MatchResult(NamedTuple):
    """The state or end of a match: the outcome in a sentence, and its reason."""

    sentence: str
    how: str

    def __str__(self) -> str:
        return f"{self.sentence}. {self.how}".rstrip()


def result_of(state: MatchState, words: Words) -> MatchResult:
    """The winner and how, or the leader, in a few words, to be shown beside the totals."""
    if state.status.finished:
        ended = ended_of(state, words)
        if state.status.winner is None:
            return ended
        return MatchResult(won_words(state, state.status.winner, words), ended.how)

    hands = state.played + len(state.hands)
    sentence = words.t("share.not-begun")
    if hands:
        sentence = words.plural("share.going-on", hands)
    highest = max(side.total for side in state.sides)
    leading = [side.name for side in state.sides if side.total == highest]
    leader = ""
    if len(leading) == 1:
        leader = words.t("share.leads", side=leading[0])
    return MatchResult(sentence, leader)


def ended_of(state: MatchState, words: Words) -> MatchResult:
    """How a finished match ended."""
    if state.ended_early and state.ending:
        return _agreed_end(state, words)

    sentence = _winner_sentence(state, words)
    target = state.status.target
    hands = state.coming - 1
    if state.status.winner is None:
        return MatchResult(sentence, words.plural("web.ended.even.hands", hands))
    if target is None or state.sides[state.status.winner].total < target:
        return MatchResult(sentence, words.plural("web.ended.all-hands", hands))

    how = words.plural("web.ended.hands", hands, target=target)
    at_target = [side for side in state.sides if side.total >= target]
    if len(at_target) > 1:
        how += f" {words.t('web.ended.several')}"
    return MatchResult(sentence, how)


def _agreed_end(state: MatchState, words: Words) -> MatchResult:
    """The end of a match that did not end by its rules."""
    ending = state.ending
    assert ending is not None
    sentence = _winner_sentence(state, words)
    if state.status.winner is None and ending.how is EndHow.BROKEN_OFF:
        sentence = words.t("match.ended.nobody")
    side = "" if ending.side is None else state.sides[ending.side].name
    how = words.plural(f"match.ended.{ending.how}", state.coming - 1, side=side)
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
    """The winner in a sentence: `Abbiamo vinto noi`, `Vince la coppia Marta–Gino`."""
    side = state.sides[winner]
    seats = state.rules.settings.sides[winner]
    usual_name = noi_or_loro(side.name)
    if usual_name:
        is_named_pair = seats == PAIR == len(side.players) and all(side.players)
        if is_named_pair:
            return words.t("result.won.pair", side=joined(side.players))
        return words.t(f"result.won.{usual_name}")
    name = isolated(side.name)
    if seats == 1:
        return words.t("result.won", side=name)
    if seats == PAIR:
        return words.t("result.won.pair", side=name)
    return words.t("result.won.team", side=name)


def ending_to_come(state: MatchState, words: Words) -> str:
    """An agreed end that is not reached yet; empty if there is none."""
    ending = state.ending
    if ending is None or state.status.finished or ending.hands is None:
        return ""
    if ending.hands == len(state.hands) + 1:
        return words.t("match.last-hand")
    return words.t("match.up-to-hand", number=state.called(ending.hands))


# ---------------------------------------------------------------- to share


def game_of(state: MatchState, words: Words) -> str:
    """The game played, and whether it counts."""
    game = words.t(f"variant.{state.rules.variant}.name")
    if state.practice:
        return words.t("share.practice", game=game)
    return game


def players_of(state: MatchState, position: int, words: Words) -> str:
    """The named players of a side of several; empty where the side is named by them."""
    side = state.sides[position]
    named = [isolated(name) for name in side.players if name]
    is_alone = state.rules.settings.sides[position] == 1
    if is_alone or not named or side.name == joined(side.players):
        return ""
    return words.listing(named)


def text_of(state: MatchState, words: Words) -> str:
    """The result as text to share: the place, a line for each side, and the end."""
    state = named_by_players(state)
    day = words.day(state.started.astimezone())
    head = [game_of(state, words), day]
    if state.where:
        head.append(isolated(state.where))
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
