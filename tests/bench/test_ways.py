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

CARDS, HANDS = 30, 2
RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"]
OPTIONS: dict[str, dict[str, Any]] = {"bolivia": {"dirty-escalera": True}}
"""Bolivia as it has most melds to choose from."""
KINDS: dict[str, dict[str, Any]] = {
    "opening": {"score": 1500},
    "pile": {"opened": False, "score": 1500},
    "out": {"table": ["6xA", "5xK 2"], "red_threes": 3, "permission": "granted"},
}


def deck(variant: str, *, without: str) -> list[str]:
    """The cards of the variant but for the threes, and for a rank that lies on the table."""
    decks = settle(variant).settings.decks
    jokers, twos, *_ = count_cards_in_decks(decks)
    suited = [f"{rank}{suit}" for rank in RANKS if rank not in without for suit in "hdsc"]
    return [*suited * decks, *["JK"] * jokers, *["2"] * (twos - 1)]


def questions(kind: str, variant: str) -> list[bytes]:
    """The same hands at every run."""
    drawn = random.Random(f"{kind} {variant}")  # noqa: S311 - hands to measure with
    asked = []
    for _ in range(HANDS):
        cards = drawn.sample(deck(variant, without="AK" if kind == "out" else ""), CARDS + 1)
        question = {"kind": kind, "variant": variant, **KINDS[kind]}
        question["options"] = OPTIONS.get(variant, {})
        if kind == "pile":
            question["top"] = next(card for card in cards if card not in ("JK", "2"))
            cards = [card for card in cards if card != question["top"]]
        question["hand"] = " ".join(cards[:CARDS])
        asked.append(json.dumps(question).encode())
    return asked


def afresh() -> None:
    """Nothing is remembered of the round before."""
    best_play._solve_for_highest_value.cache_clear()
    best_play.find_new_melds.cache_clear()


@pytest.mark.bench
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_thirty_cards(bench: Bench, kind: str, variant: str) -> None:
    lines = questions(kind, variant)

    def read() -> list[RulingRequest]:
        return [read_question(line) for line in lines]

    def found() -> list[Verdict]:
        return [give_ruling(question.rules, question.question).verdict for question in read()]

    once = found()
    name = f"the best of {CARDS} cards, {kind}, {variant}"
    clocks = (time.process_time, time.process_time)
    bench.compare(name, found, read, "100 ms", before=afresh, each=HANDS, clocks=clocks)
    assert once == found()
