"""The labels, choices and keys of the inputs in which facts are asked for."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.matches.rulings import question_key
from scorepad.rules.cards import RED_THREE, Kind, in_decks
from scorepad.rules.settings import Settings
from scorepad.web.base import page_words, t
from scorepad.web.card_lines import CARD_KEYS
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Fact, FactName, InputKind
from scorepad.web.referee.values_tried import SCORE_BELOW_ZERO
from scorepad.web.rule_words import list_score_ranges


class AnswerChoice(NamedTuple):
    """An answer that can be tapped: its value in the URL, and its label."""

    value: str
    label: str


class _Partners(StrEnum):
    """Whether players have a partner; labels may differ: "your side" or "you"."""

    PAIR = "pair"
    ALONE = "alone"
    EITHER = "either"
    """One player alone against the other two, whoever takes on the hand."""


def _partners_of(settings: Settings) -> _Partners:
    """Whether players have a partner under these rules."""
    if settings.partnership == "single-taker":
        return _Partners.EITHER
    if max(settings.sides) == 1:
        return _Partners.ALONE
    return _Partners.PAIR


def label_of(fact: Fact, case: Case) -> str:
    """The label of a fact where a page asks for it: `Is the pile frozen?`.

    It may depend on the question, and on whether players have a partner.
    """
    words = case.words
    key = question_key(case.question.kind, fact.name, words)
    possible_keys = (  # the first one that has a message is taken
        f"referee.{case.question.name}.{fact.name}.ask",
        f"{key}.ask.{_partners_of(case.settings)}",
        f"{key}.ask",
        key,
    )
    return t(words.first_known(*possible_keys))


def choices_of(fact: Fact, case: Case) -> list[AnswerChoice]:
    """The answers to a fact that can be tapped; none for cards.

    Of a number these are the usual ones, of a score the ranges with the same opening minimum.
    """
    match fact.input:
        case InputKind.SIDE:
            return _sides_of_match(case)
        case InputKind.CHOICE:
            return [AnswerChoice(value, choice_label(fact, value, case)) for value in fact.values]
        case InputKind.SCORE:
            return _ranges_of_scores(case.settings)
        case InputKind.FIGURE:
            return _usual_numbers(fact, case.settings)
        case _:
            return []


def _sides_of_match(case: Case) -> list[AnswerChoice]:
    """The sides of the match by their positions; none outside a match."""
    if case.match is None:
        return []
    sides = enumerate(case.match.sides)
    return [AnswerChoice(str(position), side.name) for position, side in sides]


def _ranges_of_scores(settings: Settings) -> list[AnswerChoice]:
    """The ranges of scores with the same opening minimum, each answered by a score in it.

    The opening minimum is what the first melds (sets of cards) of a side must count in a hand.
    """
    choices = [AnswerChoice(SCORE_BELOW_ZERO, t("rulebook.opening.below"))]
    for score_range in list_score_ranges(settings.opening_steps, page_words()):
        choices.append(AnswerChoice(str(score_range.lowest), score_range.text))
    return choices


def _usual_numbers(fact: Fact, settings: Settings) -> list[AnswerChoice]:
    """The numbers that can be tapped: of the hands of a match, or of the red threes in the decks."""
    is_number_of_hand = fact.name == FactName.DEAL
    if is_number_of_hand:
        numbers = range(1, (settings.match_deals or 0) + 1)
    else:
        red_threes = in_decks(settings.decks)[RED_THREE]
        numbers = range(red_threes + 1)
    return [AnswerChoice(str(number), str(number)) for number in numbers]


def choice_key(fact: Fact, value: str, kind: str, words: Words) -> str:
    """The message key of the label of an answer to a fact; `kind` is the kind of question.

    A label may belong to the fact in this kind of question, to the fact in any question, or to the
    answer alone, such as "yes".
    """
    in_this_question = f"referee.{kind}.{fact.name}.{value}"
    in_any_question = f"referee.{fact.name}.{value}"
    of_answer_alone = f"referee.choice.{value}"
    return words.first_known(in_this_question, in_any_question, of_answer_alone)


def choice_label(fact: Fact, value: str, case: Case) -> str:
    return t(choice_key(fact, value, case.question.kind, page_words()))


def card_keys(fact: Fact, case: Case) -> list[Kind]:
    """The cards that can be tapped to answer a fact.

    A fact about melds, the sets of cards laid on the table, has no key for the red three, which is
    never in a meld, and none for the black three where the rules keep it out of melds too. A fact
    about a single card, the cards turned or the whole hand has all keys.
    """
    is_about_melds = fact.input in (InputKind.CARDS, InputKind.MELDS) and fact.name != FactName.HAND
    if not is_about_melds:
        return list(CARD_KEYS)
    never_in_melds = [Kind.RED_THREE]
    if case.settings.black_threes == "never":
        never_in_melds.append(Kind.BLACK_THREE)
    return [kind for kind in CARD_KEYS if kind not in never_in_melds]


def item_of(name: str, case: Case) -> str:
    """What a URL parameter counts, in words: `canastas-mixed-canasta` → mixed canastas."""
    _, _, item = name.partition("-")
    return name_score_item(case.rules.variant, item, case.words)
