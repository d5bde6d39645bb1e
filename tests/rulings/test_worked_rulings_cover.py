"""What the worked rulings show between them: every option and codification that matters, and every
reason.
"""

import json
import re
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import explain_reason
from scorepad.referee.answering import give_ruling
from scorepad.referee.ruling import Reason, Ruling
from scorepad.rules.checks import CHECKS
from scorepad.rules.definitions import is_same
from scorepad.rules.variants import default_of, get_variant, settle, variant_ids
from scorepad.schemas.ruling_json import read_question
from tests.rules.choices import values_of_options
from tests.rules.worked_rulings import list_worked_rulings
from tests.schemas.test_ruling_words import codes_with_words

OPTIONS_OF_THE_SCORE = {
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
BEARS_ON_A_RULING = {("hand-and-foot", "held-red-three", 500)}
"""Values of those that the referee tells all the same: another price than the penalty's own."""
MAKES_NO_DIFFERENCE = {
    ("cubana", "wild-on-canasta", "forbidden"): "no meld has more than seven cards",
    ("uruguaiana", "upcard", "getty"): "the same cards are turned; the pile is always frozen",
    ("cubana", "upcard", "getty"): "the same cards are turned; the pile is always frozen",
    ("uruguaiana", "pile-taken", "top-seven"): "the same cards take fewer cards",
    ("cubana", "pile-taken", "top-seven"): "the same cards take fewer cards",
}
"""Values of options that change no answer, because the variant leaves them nothing to decide."""


def rule(ask: dict[str, Any], preset: str | None, options: dict[str, Any]) -> Ruling:
    """Return the ruling on a question under a preset and options of its variant."""
    question = read_question(json.dumps(ask)).question
    return give_ruling(settle(ask["variant"], preset, options), question)


def is_answered_otherwise(
    ask: dict[str, Any], preset: str | None = None, options: dict[str, Any] | None = None
) -> bool:
    """Return whether a question is answered otherwise under these choices than without any."""
    usual = rule(ask, None, {})
    with_choices = rule(ask, preset, options or {})
    if usual.verdict != with_choices.verdict:
        return True
    return dict(usual.details) != dict(with_choices.details)


def changes_a_worked_ruling(
    variant: str, preset: str | None = None, options: dict[str, Any] | None = None
) -> bool:
    """Return whether a preset or options of a variant change the answer of any worked ruling.

    A worked ruling is a question whose answer was worked out by hand, from the sources.
    """
    for _, case in list_worked_rulings():
        ask = case["ask"]
        if ask["variant"] == variant and is_answered_otherwise(ask, preset, options):
            return True
    return False


OptionChosen = tuple[str, str, Any]
"""A variant, an option of it, and the value chosen: `("classica", "wild-limit", "three")`."""


def list_option_values() -> list[OptionChosen]:
    """Return every value of every option of every variant, without the defaults."""
    found = []
    for name in variant_ids():
        variant = get_variant(name)
        for option, value in values_of_options(name):
            if not is_same(value.value, default_of(variant, option)):
                found.append((name, option.id, value.value))
    return found


def bears_on_rulings(chosen: OptionChosen) -> bool:
    """Return whether the referee may answer otherwise because of it: some only change scores."""
    _variant, option, _value = chosen
    return option not in OPTIONS_OF_THE_SCORE or chosen in BEARS_ON_A_RULING


@pytest.mark.parametrize(
    ("variant", "option", "value"),
    [chosen for chosen in list_option_values() if bears_on_rulings(chosen)],
)
def test_option_changes_the_answer_to_a_worked_question(
    variant: str, option: str, value: Any
) -> None:
    # The answers to many questions were worked out by hand, for the usual rules of a variant.
    # Answer them all with another value of one option: ("classica", "wild-limit", "three").
    changes_an_answer = changes_a_worked_ruling(variant, options={option: value})

    # A few values decide nothing in their variant: in cubana no meld has more than seven cards, so
    # it makes no difference whether wild cards may be laid on a canasta of seven. With any other
    # value one answer must change, or the option is not tried by any question.
    if (variant, option, value) in MAKES_NO_DIFFERENCE:
        assert not changes_an_answer
    else:
        assert changes_an_answer


@pytest.mark.parametrize(
    ("variant", "option", "value"),
    [chosen for chosen in list_option_values() if not bears_on_rulings(chosen)],
)
def test_option_value_of_the_score_changes_no_worked_ruling(
    variant: str, option: str, value: Any
) -> None:
    # Such as "target", the score that wins: the referee is never asked about it.
    assert not changes_a_worked_ruling(variant, options={option: value})


PRESETS = {name: list(get_variant(name).presets) for name in variant_ids()}
DEFAULT_PRESETS = [(name, presets[0]) for name, presets in PRESETS.items() if presets]
OTHER_PRESETS = [(name, preset) for name, presets in PRESETS.items() for preset in presets[1:]]


@pytest.mark.parametrize(("variant", "preset"), OTHER_PRESETS)
def test_preset_changes_a_worked_ruling_of_every_variant_that_has_it(
    variant: str, preset: str
) -> None:
    # A preset is a set of options, such as the rules by which one of the sources plays the variant.
    assert changes_a_worked_ruling(variant, preset)


@pytest.mark.parametrize(("variant", "preset"), DEFAULT_PRESETS)
def test_first_preset_is_the_same_as_none(variant: str, preset: str) -> None:
    # A preset is a set of options. Where none is chosen, the first of a variant holds.
    assert not changes_a_worked_ruling(variant, preset)


def is_note_on_fault(reason: Reason) -> bool:
    """Return whether a reason says what a source got wrong."""
    return reason.code.startswith("fault-")


def list_reasons(ask: dict[str, Any]) -> tuple[Reason, ...]:
    """Return the reasons of the ruling on a question."""
    request = read_question(json.dumps(ask))
    return give_ruling(request.rules, request.question).reasons


@pytest.mark.parametrize("language", ["it", "en"])
def test_reasons_are_short(language: str) -> None:
    # A worked ruling is a question whose answer was worked out by hand. An answer has one or more
    # reasons, which a player reads at the table.
    for _, case in list_worked_rulings():
        for reason in list_reasons(case["ask"]):
            message = explain_reason(reason, words(language))
            # A note on a fault of a source comes in addition to the reasons: one sentence is
            # enough.
            if is_note_on_fault(reason):
                assert_is_short(message, most_sentences=1, most_characters=150)
            else:
                assert_is_short(message, most_sentences=2, most_characters=220)


def assert_is_short(message: str, *, most_sentences: int, most_characters: int) -> None:
    """Assert that a message has no more sentences and characters than these."""
    # A mark that ends a sentence stands at the end, or a capital letter follows (in Italian also
    # È).
    ends_of_sentences = re.findall(r"[.!?](?= [A-ZÈ]|$)", message)
    assert len(ends_of_sentences) <= most_sentences, message
    assert len(message) <= most_characters, message


def test_notes_on_faults_of_sources_are_the_last_reasons() -> None:
    # A note says what a source got wrong; the other reasons of an answer say why it is right. The
    # answers are those to questions that were also worked out by hand.
    for _, case in list_worked_rulings():
        reasons = list_reasons(case["ask"])
        other_reasons = [reason for reason in reasons if not is_note_on_fault(reason)]
        notes = [reason for reason in reasons if is_note_on_fault(reason)]
        assert list(reasons) == other_reasons + notes


def test_worked_rulings_give_every_reason_of_the_referee_that_has_words() -> None:
    # Collect the reasons that the referee gives in its answers to all questions that were worked
    # out by hand. A reason has a code, such as "meld-too-short".
    codes_given = set()
    for _, case in list_worked_rulings():
        for reason in list_reasons(case["ask"]):
            codes_given.add(reason.code)

    # Some are those of another part of the app, which checks the hands of a match.
    own_codes = codes_given - set(CHECKS)

    # One reason is given only on a machine without a certain package, in another test:
    # tests/rules/test_without_solver.py.
    own_codes.add("best-play-unknown")

    # These must be all codes for which the catalogue of messages has a sentence.
    assert own_codes == codes_with_words()
