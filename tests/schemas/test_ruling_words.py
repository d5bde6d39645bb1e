"""Every reason of the referee has words in both languages, with all that it has to tell in them."""

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
UNTRANSLATED = re.compile(
    r"\b(?:ruling|problem|item|penalty|remedy|card|takes)\.[a-z0-9]|[{}\[\]]|None|True|False"
)
"""What a sentence must not contain: keys of texts, and values as Python writes them."""
IN_OTHER_ARGUMENT = read_data("schemas/figures-said-by-another.json")
"""Arguments, by code, that follow from another of the reason, or stand in the reason beside it."""
COUNTED_IN = {"wanted": {"card", "needed", "more", "naturals"}, "here": {"card", "has"}}
"""Placeholders for several arguments: "two natural eights" has a number and a card, "there is one
here" a number.
"""


@cache
def codes_with_words(language: str = "it") -> frozenset[str]:
    """Return the codes of the referee's own reasons for which the catalogue of a language has words.

    A code is "meld-natural", for example, where the catalogue has the key "ruling.meld-natural".
    """
    catalogue = (LOCALES / language / "LC_MESSAGES" / "messages.po").read_text("utf-8")
    codes = re.findall(r'^msgid "ruling\.([a-z0-9-]+)', catalogue, re.MULTILINE)

    # Two keys are parts of sentences. Checks of a hand are reasons of the referee as well, but not
    # of its own.
    words_within_reasons = {"side", "meld-number"}
    return frozenset(codes) - words_within_reasons - set(CHECKS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_have_words_for_the_same_codes(language: str) -> None:
    # There are more than 80, so that they were indeed found in the catalogue.
    assert len(codes_with_words(language)) > 80
    # Italian is the language if none is given.
    assert codes_with_words(language) == codes_with_words()


def list_reasons(question: dict[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons of the ruling on a question."""
    request = read_question(json.dumps(question))
    return give_ruling(request.rules, request.question).reasons


def list_arguments_in_message(key: str, texts: Words) -> set[str]:
    """Return the arguments that a message tells in its placeholders.

    - `%(needed)s` tells the argument `needed` as a number.
    - `%(needed_words)s` tells it in words.
    - `%(wanted)s` tells several, those of `COUNTED_IN`: "two natural eights".
    """
    arguments = set()
    for placeholder in PLACEHOLDER.findall(find_message(key, texts)):
        name = placeholder.removesuffix("_words")
        arguments |= {name} | COUNTED_IN.get(name, set())
    return arguments


def find_message(key: str, texts: Words) -> str:
    """Return the message of a key, with its placeholders: "A meld has at least %(needed)s cards.".

    Of a message with a singular and a plural, return the plural; both have the same placeholders.
    """
    catalogue = texts._catalogue
    plural = catalogue.ngettext(key, key, 2)  # for a number of 2
    if plural != key:
        return plural
    # `ngettext` returned the key itself, since this message has no plural.
    return catalogue.gettext(key)


def assert_explained_with_all_arguments(reason: Reason, texts: Words) -> None:
    """Assert that a reason is a sentence in this language that tells each of its arguments."""
    sentence = explain_reason(reason, texts)
    assert sentence.endswith("."), (reason, sentence)
    assert not PLACEHOLDER.search(sentence), (reason, sentence)
    assert not UNTRANSLATED.search(sentence), (reason, sentence)

    # Otherwise it is a check of a hand, whose words are tested with the checks.
    if reason.code in codes_with_words():
        assert_message_has_arguments(reason, texts)
    else:
        assert reason.code in CHECKS, reason


def assert_message_has_arguments(reason: Reason, texts: Words) -> None:
    """Assert that the message of a reason tells all its arguments, such as {"cards": 2, …}."""
    key = find_message_key(RULING, reason, texts)
    assert key, reason
    arguments_in_message = list_arguments_in_message(key, texts)

    # Some need not stand in the message because others do: of a meld without wild cards, the number
    # of its cards is also that of its natural cards.
    may_be_left_out = IN_OTHER_ARGUMENT.get(reason.code, ())

    for argument in reason.arguments:
        # By these three the message was chosen, or they stand before it: "Meld 2: ".
        is_in_no_message = argument in ("why", "meld", "game")
        if not is_in_no_message and argument not in may_be_left_out:
            assert argument in arguments_in_message, (argument, reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_worked_rulings_is_explained(language: str) -> None:
    # A worked ruling is a question whose answer was worked out by hand. A reason of an answer is a
    # code and its arguments: "meld-too-short", of which two cards are laid and three needed.
    codes = set()
    for _, case in list_worked_rulings():
        for reason in list_reasons(case["ask"]):
            codes.add(reason.code)
            assert_explained_with_all_arguments(reason, words(language))

    # Among them are most of the reasons that the referee has.
    assert len(codes & codes_with_words()) > 60


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=examples(100))
def test_random_question_has_reasons_that_are_explained(kind: str, data: st.DataObject) -> None:
    # A kind is "meld", for example: may these random cards be laid together?
    reasons = list_reasons(data.draw(questions(kind)))

    assert reasons
    for reason in reasons:
        for language in LANGUAGES:
            assert_explained_with_all_arguments(reason, words(language))


@given(questions())
@settings(max_examples=examples(100))
def test_answer_has_its_keys_in_the_documented_order(question: dict[str, Any]) -> None:
    request = read_question(json.dumps(question))

    answer = build_ruling_answer(request, answer_to(request.rules, request.question), words("en"))

    # The answer can be written as JSON.
    assert json.loads(json.dumps(answer)) == answer

    assert list(answer) == ["verdict", "reasons", "details", "elsewhere"]
    for reason in answer["reasons"]:
        assert list(reason) == ["code", "message", "sources", "standing"]
    for other in answer["elsewhere"]:
        assert list(other) == ["preset", "options", "verdict", "details", "sources"]


def test_problem_of_a_hand_is_explained_in_the_same_words_as_on_the_pad() -> None:
    # Cards were typed as "3", of which the colour is missing, and "X".
    reason = Reason("card-unknown", {"tokens": ("3", "X")})

    # The message means "Unknown cards: 3, X."
    assert explain_reason(reason, words("it")).startswith("Carte sconosciute: 3, X.")


def test_reason_uses_the_words_of_the_game() -> None:
    # Seven cards make a mixed canasta, which is worth 300 points.
    reason = Reason("canasta-made", {"cards": 7, "item": "mixed-canasta", "bonus": 300})

    # "Canaste miste" are mixed canastas. In hand and foot canastas are called books.
    assert "Canaste miste" in explain_reason(reason, words("it"))
    assert "Canaste" not in explain_reason(reason, words("it"), game="hand-and-foot")


def test_long_input_is_shortened_in_reason() -> None:
    # A program asks what a fault with a name of 500 characters costs.
    reason = Reason("penalty-not-listed", {"penalty": "x" * 500})

    # The answer repeats only the beginning of the name.
    assert len(explain_reason(reason, words("it"))) < 120
