"""Random hands, legal and spoilt: the engine and a scorer written from the documents alone say the
same.

The long run is `pytest -m full tests/independent`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import offer_own_variants
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from tests.independent.compare import chance, differences, essence
from tests.independent.generate import make_hand
from tests.independent.house import HOUSES, LINKED
from tests.independent.options import VARIANTS
from tests.independent.oracle import answer as answer_of_scorer


def folder_of(variant: str) -> Path | None:
    """Return the folder of a file of house rules, or None for a variant that the program has.

    Files in `linked` change a setting on which others depend, those in `own` do not.
    """
    rules = Path(__file__).parents[1] / "rules"
    if variant in HOUSES:
        return rules / "own"
    if variant in LINKED:
        return rules / "linked"
    return None


@pytest.fixture
def variant(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the variant of the game that is named by the test's parameter.

    House rules are made available for the length of the test; for a variant that the program has,
    there is nothing to add.
    """
    name: str = request.param
    offer_own_variants(folder_of(name))
    yield name
    offer_own_variants(None)


def answer_of_engine(hand: dict[str, Any]) -> dict[str, Any]:
    """Let scorepad score a hand, and return its answer, or what it says against it."""
    try:
        request = read_hand_request(json.dumps(hand))
    except Unusable as error:
        return {"error": error.message(words("en"))}
    return build_score_answer(request.judge(), request.names, words("en"))


def list_disagreements(
    variant: str, seed: int, count: int, options: dict[str, Any] | None = None
) -> list[tuple[dict[str, Any], list[str]]]:
    """List the random hands to which two programs give different answers, with the differences.

    The one program is scorepad's engine, the other the scorer in this folder, which shares no code
    with it. All hands are played with these options. The same seed gives the same hands.
    """
    disagreements = []
    for number in range(count):
        random_numbers = chance(f"{seed}-{variant}-{number}")
        hand = make_hand(random_numbers, variant, options)
        by_scorer = essence(answer_of_scorer(json.dumps(hand)))
        by_engine = essence(answer_of_engine(hand))
        if are_differences_expected(hand, by_scorer, by_engine):
            continue
        found = list(differences(by_engine, by_scorer))
        if found:
            disagreements.append((hand, found))
    return disagreements


def are_differences_expected(hand: dict[str, Any], *answers: dict[str, Any]) -> bool:
    """Tell whether the rules leave open what the answer to a hand must be."""
    # A hand with a card or a side that does not exist has other problems besides. No rule says
    # which of them must be reported.
    for answer in answers:
        codes = {code for _severity, code, _place in answer.get("problems", ())}
        if codes & {"card-unknown", "side-unknown"}:
            return True

    # In tagliagola two of three players are a pair. It needs the lower one of their two minimums of
    # points to open. A player who goes out concealed lays everything in one turn, the opening too.
    # The engine takes the lower minimum of the pair then, the other scorer that of this player.
    out = hand.get("out") or {}
    return hand["variant"] == "tagliagola" and bool(out.get("concealed"))


@pytest.mark.parametrize("variant", VARIANTS, indirect=True)
def test_engine_agrees_with_independent_scorer_on_40_random_hands(variant: str) -> None:
    # The engine is scorepad's. The scorer was written from the rules alone, and shares no code with
    # it: two such programs rarely make the same mistake.
    assert list_disagreements(variant, seed=1, count=40) == []


@pytest.mark.parametrize("variant", [*HOUSES, *LINKED], indirect=True)
def test_engine_agrees_with_independent_scorer_on_120_hands_by_house_rules(variant: str) -> None:
    # House rules are a file in which a table writes what it plays otherwise than a known variant.
    assert list_disagreements(variant, seed=1, count=120) == []


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("variant", [*VARIANTS, *HOUSES, *LINKED], indirect=True)
def test_engine_agrees_with_independent_scorer_on_many_random_hands(
    variant: str, seed: int
) -> None:
    assert list_disagreements(variant, seed, count=1500) == []


RARE_RULES = [
    pytest.param("classica", {"losers-canastas": "capped"}, id="losers-canastas"),
    pytest.param("classica", {"concealed-lay-offs": "allowed-1000"}, id="concealed-lay-offs"),
    pytest.param(
        "classica",
        {"concealed-lay-offs": "allowed", "concealed-out": "own-melds-only"},
        id="concealed-lay-offs in the codification of G",
    ),
    pytest.param("classica", {"wilds-reclaimed": "natural-canasta"}, id="wilds-reclaimed"),
    pytest.param("tutte-dodici", {}, id="long canastas"),
]
"""Rules that few tables play by, and random options seldom choose: a game, and options of it.

All of them bear on what a finished hand scores.
"""


@pytest.mark.parametrize(("variant", "options"), RARE_RULES, indirect=["variant"])
def test_engine_agrees_with_independent_scorer_on_40_hands_by_rare_rules(
    variant: str, options: dict[str, Any]
) -> None:
    # Random hands would have such an option too seldom: here all hands are played with it.
    assert list_disagreements(variant, seed=1, count=40, options=options) == []


@pytest.mark.soak
@pytest.mark.parametrize(("variant", "options"), RARE_RULES, indirect=["variant"])
def test_engine_agrees_with_independent_scorer_on_20000_hands_by_rare_rules(
    variant: str, options: dict[str, Any]
) -> None:
    # Another seed gives other hands than those of the short run.
    assert list_disagreements(variant, seed=2, count=20_000, options=options) == []
