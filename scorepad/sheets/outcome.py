"""How a match stands or ended, in words: for pages, paper, the text to share and the picture."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.projection import MatchState
from scorepad.sheets.printed_names import (
    isolate_direction,
    join_players,
    name_sides_by_players,
    recognize_we_or_they,
)

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


def describe_result(state: MatchState, words: Words) -> MatchResult:
    """Say how a match stands or ended, in a few words to be shown beside the totals.

    - in progress: "Match in progress: 3 hands played" and "In the lead: We."
    - won: "We won" and "Target 5,000 reached in 9 hands."
    - nobody won: "The match is a tie: nobody wins" and why
    """
    if not state.status.finished:
        return _describe_standing(state, words)
    end = describe_end(state, words)
    winner = state.status.winner
    if winner is None:
        return end
    # `end` says "We won: 5,200 to 3,100", but the totals are shown already.
    sentence_without_totals = say_who_won(state, winner, words)
    return MatchResult(sentence_without_totals, end.how)


def _describe_standing(state: MatchState, words: Words) -> MatchResult:
    """Say how many hands (rounds) of a match were played, and which side leads.

    "Match in progress: 3 hands played" and "In the lead: We." If several sides have the highest
    total, the second part is empty.
    """
    hands = _number_of_hands_played(state)
    if hands == 0:
        sentence = words.t("share.not-begun")  # "The match has just begun"
    else:
        sentence = words.plural("share.going-on", hands)

    highest = max(side.total for side in state.sides)
    leading = [side.name for side in state.sides if side.total == highest]
    if len(leading) > 1:
        return MatchResult(sentence, "")
    return MatchResult(sentence, words.t("share.leads", side=leading[0]))


def _number_of_hands_played(state: MatchState) -> int:
    """Count the hands (rounds) of a match: those in the app, and those on paper before that."""
    hands_on_paper = state.played
    return hands_on_paper + len(state.hands)


def describe_end(state: MatchState, words: Words) -> MatchResult:
    """Say how a finished match ended, with the totals.

    - by its rules: "We won: 5,200 to 3,100" and "Target 5,000 reached in 9 hands."
    - earlier, because the players agreed on it: "We won: 3,200 to 3,100" and "Time up after 5
      hands."
    """
    if state.ended_early and state.ending:
        return _describe_agreed_end(state, state.ending, words)
    sentence = _write_sentence_on_winner(state, words)
    return MatchResult(sentence, _describe_end_by_rules(state, words))


def _describe_end_by_rules(state: MatchState, words: Words) -> str:
    """Say why a match ended that was played to its end.

    - equal totals: "After 9 hands the highest totals are equal."
    - after the agreed number of hands (rounds): "9 hands played: the higher total wins."
    - a side reached the target: "Target 5,000 reached in 9 hands."
    - several sides did: "Several are beyond the target: the highest total wins." is added.
    """
    hands = _number_of_hands_played(state)
    winner = state.status.winner
    target = state.status.target
    if winner is None:
        return words.plural("web.ended.even.hands", hands)
    if target is None or state.sides[winner].total < target:
        return words.plural("web.ended.all-hands", hands)

    how = words.plural("web.ended.hands", hands, target=target)
    sides_at_target = [side for side in state.sides if side.total >= target]
    if len(sides_at_target) > 1:
        how += f" {words.t('web.ended.several')}"
    return how


def _describe_agreed_end(state: MatchState, ending: Ending, words: Words) -> MatchResult:
    """Say how a match ended that the players agreed to end before its rules did.

    - they agreed on a number of hands (rounds): "We won: 900 to 700" and "Ended by agreement after
      2 hands."
    - a side gave up: "We won: 900 to 700" and "They gave up after 2 hands."
    - they broke it off: "Match broken off: nobody wins" and "Broken off after 2 hands."
    """
    is_broken_off = ending.how is EndHow.BROKEN_OFF
    if is_broken_off and state.status.winner is None:
        # A side may have been ahead: the usual sentence without a winner, on a tie, would be wrong.
        sentence = words.t("match.ended.nobody")
    else:
        sentence = _write_sentence_on_winner(state, words)

    name_of_side_giving_up = ""
    if ending.side is not None:
        name_of_side_giving_up = state.sides[ending.side].name
    hands = _number_of_hands_played(state)
    how = words.plural(f"match.ended.{ending.how}", hands, side=name_of_side_giving_up)
    return MatchResult(sentence, how)


def _write_sentence_on_winner(state: MatchState, words: Words) -> str:
    """Say who won, with the totals: "We won: 5,200 to 3,100".

    Without a winner: "The match is a tie: nobody wins".
    """
    winner = state.status.winner
    if winner is None:
        return words.t("web.ended.even")
    other_totals = []
    for position, side in enumerate(state.sides):
        if position != winner:
            other_totals.append(words.figure(side.total))
    return words.t(
        "web.ended.won",
        won=say_who_won(state, winner, words),
        total=state.sides[winner].total,
        others=words.listing(other_totals),
    )


def say_who_won(state: MatchState, winner: int, words: Words) -> str:
    """Say which side won. `winner` is its position among the sides.

    - a side with the usual name "We": "We won"
    - a single player: "Anna wins"
    - a pair or a larger team: "Marta–Gino win" (in Italian, these two have different verbs)
    """
    side_name = state.sides[winner].name
    usual_name = recognize_we_or_they(side_name)
    if usual_name:
        return _say_that_usual_side_won(usual_name, state, winner, words)

    name = isolate_direction(side_name)
    number_of_players = state.rules.settings.sides[winner]
    if number_of_players == 1:
        return words.t("result.won", side=name)
    if number_of_players == PAIR:
        return words.t("result.won.pair", side=name)
    return words.t("result.won.team", side=name)


def _say_that_usual_side_won(usual_name: str, state: MatchState, winner: int, words: Words) -> str:
    """Say that a side won which has the usual name We or They.

    `winner` is its position among the sides; `usual_name` is `noi` (we) or `loro` (they).

    - a pair whose players have names: "Marta–Gino win", since "we" depends on who is reading
    - any other: "We won" or "They won"
    """
    players = state.sides[winner].players
    is_pair_by_rules = state.rules.settings.sides[winner] == PAIR
    are_both_named = len(players) == PAIR and all(players)
    if is_pair_by_rules and are_both_named:
        return words.t("result.won.pair", side=join_players(players))
    return words.t(f"result.won.{usual_name}")


def describe_agreed_last_hand(state: MatchState, words: Words) -> str:
    """Say after which hand (round) the players agreed to end the match.

    - "The next hand is the last: so you agreed."
    - "You play up to hand 6: so you agreed."
    - nothing was agreed, or the match is finished: empty
    """
    ending = state.ending
    if ending is None or ending.hands is None or state.status.finished:
        return ""
    last_hand = ending.hands  # the match ends after so many hands
    next_hand = len(state.hands) + 1
    if last_hand == next_hand:
        return words.t("match.last-hand")
    # The players also count the hands that they played on paper before.
    number_for_players = state.number_for_players(last_hand)
    return words.t("match.up-to-hand", number=number_for_players)


# ---------------------------------------------------------------- to share


def name_game_of_match(state: MatchState, words: Words) -> str:
    """Name the game that was played in a match.

    - usually: "Classic canasta"
    - in a match that does not count: "Classic canasta, practice match"
    """
    game = words.t(f"variant.{state.rules.variant}.name")
    if state.practice:
        return words.t("share.practice", game=game)
    return game


def list_players_beside_side_name(state: MatchState, position: int, words: Words) -> str:
    """List the players of a side, to be shown beside its name: "Marta and Gino".

    Empty if they would add nothing:

    - the side is one player, whose name is that of the side
    - the side is already named after its players: "Marta–Gino"
    - no player of the side has a name
    """
    side = state.sides[position]
    is_single_player = state.rules.settings.sides[position] == 1
    is_named_by_players = side.name == join_players(side.players)
    if is_single_player or is_named_by_players:
        return ""
    names = [isolate_direction(name) for name in side.players if name]
    return words.listing(names) if names else ""


def write_text_to_share(state: MatchState, words: Words) -> str:
    """Write the result of a match as text, to be sent to somebody.

    The first line has the game, the day and the place; then comes a line for each side, and the
    result: "Classic canasta, 21 November 2026, Rimini", "Marta–Gino: 5,200", "Anna–Bea: 3,100",
    "Marta–Gino win. Target 5,000 reached in 9 hands."
    """
    state = name_sides_by_players(state)
    day = words.day(state.started.astimezone())
    head = [name_game_of_match(state, words), day]
    if state.venue:
        head.append(isolate_direction(state.venue))
    lines = [", ".join(head)]

    for position, side in enumerate(state.sides):
        players = list_players_beside_side_name(state, position, words)
        key = "share.text.players" if players else "share.text.side"
        name = isolate_direction(side.name)
        points = words.figure(side.total)
        lines.append(words.t(key, side=name, players=players, points=points))

    lines.append(str(describe_result(state, words)))
    return "\n".join(lines)


def describe_picture(state: MatchState, words: Words) -> str:
    """Write the alternative text for the picture of a result, for people who cannot see it.

    "Picture of the score: Marta–Gino 5,200, Anna–Bea 3,100. Marta–Gino win. Target 5,000 reached in
    9 hands."
    """
    state = name_sides_by_players(state)
    totals = []
    for side in state.sides:
        totals.append(f"{isolate_direction(side.name)} {words.figure(side.total)}")
    how = str(describe_result(state, words))
    return words.t("share.picture.alt", sides=", ".join(totals), how=how)
