"""What the page of a match shows of the hand that is being played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.web.matches.kept_rulings import RulingLine, list_rulings_of_next_hand
from scorepad.web.matches.rule_facts import RuleFact
from scorepad.web.open_hand import noted_sentence
from scorepad.web.presenters import player_name


class NextHand(NamedTuple):
    """The hand (round) that is being played: what the players have to know, and what is recorded."""

    title: str
    """"Hand 3", or "Hand 3 of 4" in a game with a fixed number of hands."""
    resting: str
    """Who sits out: "Sits out: Carla (They)"; empty if nobody does."""
    facts: list[RuleFact]
    kept_rulings: list[RulingLine]
    noted_penalties: str
    """The penalties recorded so far, in a sentence; empty if there are none."""


def describe_next_hand(
    match: MatchState, words: Words, facts_of_every_hand: Iterable[RuleFact]
) -> NextHand | None:
    """Describe the hand (round) that is being played; None if the match is over.

    Before the first one its facts include those that hold for every hand (`facts_of_every_hand`).
    """
    if match.status.finished:
        return None
    facts = _list_facts(match, words)
    if not match.hands:
        facts += facts_of_every_hand
    return NextHand(
        title=_write_title(match, words),
        resting=_say_who_rests(match, words),
        facts=facts,
        kept_rulings=list_rulings_of_next_hand(match, words),
        noted_penalties=noted_sentence(match, words),
    )


def _write_title(match: MatchState, words: Words) -> str:
    number = match.next_hand_number
    hands_of_match = match.rules.settings.match_deals
    if hands_of_match is None:
        return words.t("web.coming", number=number)  # "Hand {number}"
    return words.t(
        "web.coming.of", number=number, hands=hands_of_match
    )  # "Hand {number} of {hands}"


def _say_who_rests(match: MatchState, words: Words) -> str:
    """Say who sits out: "Sits out: Carla (They)". Empty if nobody does."""
    seats = match.next_turn.resting
    if not seats:
        return ""
    names = [player_name(seat, state=match, words=words) for seat in seats]
    return words.t("web.resting", players=words.listing(names))  # "Sits out: {players}"


def _list_facts(match: MatchState, words: Words) -> list[RuleFact]:
    """List who deals, who plays first, and whether cards are exchanged first."""
    dealer = player_name(match.next_turn.dealer, state=match, words=words)
    first = player_name(match.next_turn.first, state=match, words=words)
    facts = [
        RuleFact(words.t("web.fact.dealer"), dealer),
        RuleFact(words.t("web.fact.first"), first),
    ]
    if match.rules.settings.first_exchange:
        facts.append(RuleFact(words.t("web.fact.exchange"), words.t("web.exchange")))
    return facts
