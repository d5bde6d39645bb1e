"""The best way to play thirty cards, in every variant: a tenth of a second a hand, told beside
reading the question.

Seconds of the processor, so that the figure is the work's and not the machine's other work.
"""

import json
import random
import time
from typing import Any

import pytest

from scorepad.referee import best_play
from scorepad.referee.answering import give_ruling
from scorepad.referee.ruling import Verdict
from scorepad.rules.cards import count_cards_in_decks
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas.ruling_json import RulingRequest, read_question
from tests.bench.conftest import Bench

CARDS_IN_HAND, HANDS = 30, 2
RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"]
OPTIONS_OF_VARIANTS: dict[str, dict[str, Any]] = {"bolivia": {"dirty-escalera": True}}
"""Bolivia has most melds to choose from if its sequences may have wild cards."""
# How to open, whether to take the pile, and how to go out.
QUESTIONS: dict[str, dict[str, Any]] = {
    "opening": {"score": 1500},
    "pile": {"opened": False, "score": 1500},
    "out": {"table": ["6xA", "5xK 2"], "red_threes": 3, "permission": "granted"},
}


def list_cards(variant: str, *, without: str) -> list[str]:
    """List the cards that may be in a hand of the variant. `without` are ranks on the table.

    Threes are left out, since they are hardly ever melded.
    """
    decks = settle(variant).settings.decks
    jokers, twos, *_ = count_cards_in_decks(decks)
    # In one question a two is on the table.
    twos -= 1
    suited_cards = []
    for rank in RANKS:
        if rank not in without:
            suited_cards += [f"{rank}h", f"{rank}d", f"{rank}s", f"{rank}c"]
    return suited_cards * decks + ["JK"] * jokers + ["2"] * twos


def draw_questions(kind: str, variant: str) -> list[bytes]:
    """Make questions of this kind about random hands of 30 cards, the same at every run."""
    chance = random.Random(f"{kind} {variant}")  # noqa: S311 - hands to measure with
    # Who asks how to go out has aces and kings on the table. None of them is in the hand.
    ranks_on_the_table = "AK" if kind == "out" else ""
    deck = list_cards(variant, without=ranks_on_the_table)
    questions = []
    for _ in range(HANDS):
        cards = chance.sample(deck, CARDS_IN_HAND + 1)
        # Each kind says more of the game, such as {"opened": False, "score": 1500} for the pile.
        question = {"kind": kind, "variant": variant, **QUESTIONS[kind]}
        question["options"] = OPTIONS_OF_VARIANTS.get(variant, {})

        # Who asks whether to take the pile sees a natural card on top of it, which is taken out of
        # the hand. With another copy of the card among the 31, the hand has less than 30.
        if kind == "pile":
            naturals = [card for card in cards if card not in ("JK", "2")]
            question["top"] = naturals[0]
            cards = [card for card in cards if card != question["top"]]

        question["hand"] = " ".join(cards[:CARDS_IN_HAND])
        questions.append(json.dumps(question).encode())
    return questions


def clear_caches() -> None:
    """Forget the solutions of the round before."""
    best_play._solve_for_highest_value.cache_clear()
    best_play.find_new_melds.cache_clear()


@pytest.mark.bench
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("kind", QUESTIONS)
def test_best_play_of_thirty_cards(bench: Bench, kind: str, variant: str) -> None:
    # Two players with 30 random cards each ask for the best way to open, to take the pile, or to go
    # out. The questions are JSON.
    questions = draw_questions(kind, variant)

    def read() -> list[RulingRequest]:
        return [read_question(question) for question in questions]

    def read_and_answer() -> list[Verdict]:
        verdicts = []
        for request in read():
            verdicts.append(give_ruling(request.rules, request.question).verdict)
        return verdicts

    # Answering is compared with only reading the questions. Before each turn the solutions that were
    # found are forgotten. Reported are the processor seconds of a hand; wanted are 100 ms at most.
    verdicts_before = read_and_answer()
    bench.compare(
        f"the best of {CARDS_IN_HAND} cards, {kind}, {variant}",
        read_and_answer,
        read,
        "100 ms",
        before=clear_caches,
        each=HANDS,
        clocks=(time.process_time, time.process_time),
    )
    assert read_and_answer() == verdicts_before
