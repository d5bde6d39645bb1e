"""What the worked rulings show between them: every option and codification that matters, and every
reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from scorepad.referee.answering import give_ruling
from scorepad.referee.ruling import Ruling
from scorepad.rules.checks import CHECKS
from scorepad.rules.definitions import is_same
from scorepad.rules.variants import default_of, get_variant, settle, variant_ids
from scorepad.schemas.ruling_json import read_question
from tests.rules.choices import values_of_options
from tests.rules.worked_rulings import answer_question, list_worked_rulings
from tests.schemas.test_ruling_words import own_codes

ONLY_COUNTED = {
    "target": "the score that wins",
    "held-red-three": "what red threes in hand cost at the end",
    "black-threes-held": "what black threes in hand cost at the end",
    "sevens-held": "how many sevens in hand cost at the end",
    "hand-groups": "how cards in hand are counted in mini",
    "dealt": "the cards dealt",
    "thirteen": "what gives thirteen more cards",
    "incomplete-wilds": "what wild cards begun and not complete cost at the end",
    "losers-canastas": "the bonuses of the side that did not go out",
}
"""Options that bear on no question, and what they decide instead."""
BEARS = {("hand-and-foot", "held-red-three", 500)}
"""Values of those that the referee tells all the same: another price than the penalty's own."""


def ruled(ask: dict[str, Any], preset: str | None, options: dict[str, Any]) -> Ruling:
    asked = read_question(json.dumps(ask)).question
    return give_ruling(settle(ask["variant"], preset, options), asked)


def differ(ask: dict[str, Any], preset: str | None, options: dict[str, Any]) -> bool:
    """Whether a question is answered otherwise under these choices than under none."""
    here, there = ruled(ask, None, {}), ruled(ask, preset, options)
    return (here.verdict, dict(here.details)) != (there.verdict, dict(there.details))


def asks(variant: str) -> list[dict[str, Any]]:
    return [case["ask"] for _, case in list_worked_rulings() if case["ask"]["variant"] == variant]


MAKES_NO_DIFFERENCE = {
    (
        "cubana",
        "wild-on-canasta",
        "forbidden",
    ): "no meld has more than seven cards, so nothing is laid on a canasta",
    (
        "uruguaiana",
        "upcard",
        "getty",
    ): "the cards turned are the same, and the pile is always frozen",
    ("cubana", "upcard", "getty"): "the cards turned are the same, and the pile is always frozen",
    ("uruguaiana", "pile-taken", "top-seven"): "the same cards take fewer cards",
    ("cubana", "pile-taken", "top-seven"): "the same cards take fewer cards",
}
"""Values of options that change no answer, where the variant leaves them nothing to decide."""


def values() -> Iterator[tuple[str, str, Any]]:
    """Every value of every option of every variant that is not in force anyway, and can be chosen
    there.
    """
    for name in variant_ids():
        for option, value in values_of_options(name):
            if not is_same(value.value, default_of(get_variant(name), option)):
                yield name, option.id, value.value


BEARING = [value for value in values() if value[1] not in ONLY_COUNTED or value in BEARS]


@pytest.mark.parametrize(("name", "option", "value"), BEARING)
def test_every_option_that_bears_on_rulings_changes_a_worked_one(
    name: str, option: str, value: Any
) -> None:
    changes = any(differ(ask, None, {option: value}) for ask in asks(name))
    assert changes is ((name, option, value) not in MAKES_NO_DIFFERENCE)


@pytest.mark.parametrize("option", ONLY_COUNTED)
def test_an_option_that_only_the_count_knows_changes_no_worked_ruling(option: str) -> None:
    for name in variant_ids():
        known = get_variant(name).options.get(option)
        for value in known.values if known else ():
            if (name, option, value.value) in BEARS:
                continue
            assert not any(differ(ask, None, {option: value.value}) for ask in asks(name)), (
                name,
                value.value,
            )


PRESETS = {name: list(get_variant(name).presets) for name in variant_ids()}
OTHER_PRESETS = [(name, preset) for name, presets in PRESETS.items() for preset in presets[1:]]


@pytest.mark.parametrize(("name", "preset"), OTHER_PRESETS)
def test_every_codification_changes_a_worked_ruling_of_every_variant_that_takes_it(
    name: str, preset: str
) -> None:
    assert any(differ(ask, preset, {}) for ask in asks(name))


@pytest.mark.parametrize("name", [name for name in variant_ids() if get_variant(name).presets])
def test_the_first_codification_is_that_of_no_choice(name: str) -> None:
    assert not any(differ(ask, PRESETS[name][0], {}) for ask in asks(name))


@pytest.mark.quick(1)
@pytest.mark.parametrize("language", ["it", "en"])
def test_reasons_are_one_or_two_short_sentences_and_what_a_source_got_wrong_stands_last_and_shorter(
    language: str,
) -> None:
    for _, case in list_worked_rulings():
        told = answer_question(case["ask"], language)["reasons"]
        slips = [reason["code"].startswith("fault-") for reason in told]
        assert slips == sorted(slips), told
        for reason in told:
            sentences = len(re.findall(r"[.!?](?= [A-ZÈ]|$)", reason["message"]))
            most, longest = (1, 150) if reason["code"].startswith("fault-") else (2, 220)
            assert sentences <= most, reason
            assert len(reason["message"]) <= longest, reason


def test_every_reason_that_has_words_is_given_by_a_worked_ruling_and_the_reverse() -> None:
    given = {
        reason.code for _, case in list_worked_rulings() for reason in _answer(case["ask"]).reasons
    }
    # What is answered without a solver: tests/rules/test_without_solver.py.
    assert (given - set(CHECKS)) | {"best-play-unknown"} == own_codes()


def _answer(ask: dict[str, Any]) -> Ruling:
    question = read_question(json.dumps(ask))
    return give_ruling(question.rules, question.question)
