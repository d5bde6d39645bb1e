"""Every reason of the referee has words in both languages, with all that it has to tell in them."""

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

from scorepad.i18n import Words, words
from scorepad.i18n.catalogue import LOCALES
from scorepad.i18n.findings import RULING, explain_reason, find_message_key
from scorepad.referee.answering import answer_to, give_ruling
from scorepad.referee.ruling import Reason
from scorepad.rules.checks import CHECKS
from scorepad.schemas.ruling_json import build_ruling_answer, read_question
from tests.data import read_data
from tests.examples import examples
from tests.rules.questions_drawn import KINDS, questions
from tests.rules.worked_rulings import list_worked_rulings

LANGUAGES = ("it", "en")
FIGURE = re.compile(r"%\((\w+)\)s")
RAW = re.compile(
    r"\b(?:ruling|problem|item|penalty|remedy|card|takes)\.[a-z0-9]|[{}\[\]]|None|True|False"
)
NEVER_TOLD = {"why", "meld", "game"}
"""Figures that choose the message, or stand before it."""
SAID_BY_ANOTHER = read_data("schemas/figures-said-by-another.json")
"""Figures that follow from another of the same reason, or stand in the reason beside it."""
COUNTED_IN = {"wanted": {"card", "needed", "more", "naturals"}, "here": {"card", "has"}}
"""Figures in words: "two natural eights" has a number and a card, "there is one here" a number."""


@cache
def codes_with_words(language: str = "it") -> frozenset[str]:
    """The codes of the referee's own reasons, for which the catalogue of a language has words."""
    said = re.findall(r'^msgid "ruling\.([a-z0-9-]+)', shipped(language), re.MULTILINE)
    return frozenset(said) - set(CHECKS) - {"side", "meld-number"}


def shipped(language: str) -> str:
    return (LOCALES / language / "LC_MESSAGES" / "messages.po").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_referee_has_words(language: str) -> None:
    assert len(codes_with_words(language)) > 80
    assert codes_with_words(language) == codes_with_words()


def reasons_of(question: dict[str, Any]) -> tuple[Reason, ...]:
    asked = read_question(json.dumps(question))
    return give_ruling(asked.rules, asked.question).reasons


def figures_told(reason: Reason, key: str, texts: Words) -> set[str]:
    """The arguments of a reason that its message tells, as a figure, a word or with what it counts."""
    # `canasta-made` alone is told in the singular and plural; both have the same figures.
    message = texts._catalogue.ngettext(key, key, 2)
    if message == key:
        message = texts._catalogue.gettext(key)
    told = {name.removesuffix("_words") for name in FIGURE.findall(message)}
    for name in set(told):
        told |= COUNTED_IN.get(name, set())
    return told


def assert_told_whole(reason: Reason) -> None:
    """It is told in a sentence of each language, with every figure in it."""
    for language in LANGUAGES:
        texts = words(language)
        sentence = explain_reason(reason, texts)
        assert sentence.endswith("."), (reason, sentence)
        assert not FIGURE.search(sentence), (reason, sentence)
        assert not RAW.search(sentence), (reason, sentence)
        key = find_message_key(RULING, reason, texts)
        assert key or reason.code in CHECKS, reason
        if reason.code in codes_with_words():
            assert key
            untold = set(reason.arguments) - figures_told(reason, key, texts)
            assert untold <= NEVER_TOLD | {*SAID_BY_ANOTHER.get(reason.code, ())}, reason


def test_every_reason_of_the_worked_rulings_is_reported_whole() -> None:
    codes = set()
    for _, case in list_worked_rulings():
        for reason in reasons_of(case["ask"]):
            codes.add(reason.code)
            assert_told_whole(reason)
    assert len(codes & codes_with_words()) > 60


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_is_answered_and_told_whole(kind: str) -> None:
    @given(questions(kind))
    @settings(max_examples=examples(100))
    def search(question: dict[str, Any]) -> None:
        reasons = reasons_of(question)
        assert reasons
        for reason in reasons:
            assert_told_whole(reason)

    search()


@given(questions())
@settings(max_examples=examples(100))
def test_an_answer_has_the_keys_of_the_contract_in_their_order(drawn: dict[str, Any]) -> None:
    request = read_question(json.dumps(drawn))

    answer = build_ruling_answer(request, answer_to(request.rules, request.question), words("en"))

    assert json.loads(json.dumps(answer)) == answer
    assert list(answer) == ["verdict", "reasons", "details", "elsewhere"]
    for reason in answer["reasons"]:
        assert list(reason) == ["code", "message", "sources", "standing"]
    for other in answer["elsewhere"]:
        assert list(other) == ["preset", "options", "verdict", "details", "sources"]


def test_a_code_without_words_of_its_own_has_those_of_the_pad() -> None:
    reason = Reason("card-unknown", {"tokens": ("3", "X")})
    assert explain_reason(reason, words("it")).startswith("Carte sconosciute: 3, X.")


def test_players_of_a_variant_hear_their_own_names_for_things() -> None:
    reason = Reason("canasta-made", {"cards": 7, "item": "mixed-canasta", "bonus": 300})
    assert "Canaste miste" in explain_reason(reason, words("it"))
    assert "Canaste" not in explain_reason(reason, words("it"), game="hand-and-foot")


def test_what_somebody_typed_is_not_told_at_length() -> None:
    reason = Reason("penalty-not-listed", {"penalty": "x" * 500})
    assert len(explain_reason(reason, words("it"))) < 120
