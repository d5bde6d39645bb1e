"""The labels, choices and keys of the inputs in which facts are asked for."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.matches.rulings import question_key
from scorepad.rules.cards import RED_THREE, Kind, count_cards_in_decks
from scorepad.rules.settings import Settings
from scorepad.web.base import page_words, t
from scorepad.web.card_lines import CARD_KEYS
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import BLACK_THREE_LAST, Fact, FactName, InputKind
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


def _find_partners(settings: Settings) -> _Partners:
    """Find out whether players have a partner under these rules.

    Labels depend on it: they say "your side", or "you" if each plays alone.
    """
    if settings.partnership == "single-taker":
        return _Partners.EITHER
    if max(settings.sides) == 1:  # the number of players of each side
        return _Partners.ALONE
    return _Partners.PAIR


def label_of(fact: Fact, case: Case) -> str:
    """Return the label of the input for a fact: a question such as "Is the pile frozen?".

    The words may depend on what the referee is asked, and on whether players have a partner.
    """
    words = case.words
    key = question_key(case.question.kind, fact.name, words)
    possible_keys = (  # from the most special to the most general; the first with a message is taken
        f"referee.{case.question.name}.{fact.name}.ask",
        f"{key}.ask.{_find_partners(case.settings)}",
        f"{key}.ask",
        key,
    )
    return t(words.find_known_key(*possible_keys))


def _is_offered(value: str, settings: Settings) -> bool:
    """Tell whether an answer makes a difference in this game: a black three drawn last does only
    where black threes are exposed.
    """
    return value != BLACK_THREE_LAST or bool(settings.black_threes_exposed)


def choices_of(fact: Fact, case: Case) -> list[AnswerChoice]:
    """List the answers to a fact that can be tapped, each with its label.

    - a choice → its values: "Yes", "No"
    - a side → the sides of the match
    - a score → the ranges of scores for which the first cards of a side must count the same
    - a number → the usual ones
    - cards → none
    """
    match fact.input:
        case InputKind.SIDE:
            return _list_sides_of_match(case)
        case InputKind.CHOICE:
            values = [value for value in fact.values if _is_offered(value, case.settings)]
            return [AnswerChoice(value, choice_label(fact, value, case)) for value in values]
        case InputKind.SCORE:
            return _list_ranges_of_scores(case.settings)
        case InputKind.FIGURE:
            return _list_usual_numbers(fact, case.settings)
        case _:
            return []


def _list_sides_of_match(case: Case) -> list[AnswerChoice]:
    """List the sides of the match to choose from, by their positions; none outside a match."""
    if case.match is None:
        return []
    sides = enumerate(case.match.sides)
    return [AnswerChoice(str(position), side.name) for position, side in sides]


def _list_ranges_of_scores(settings: Settings) -> list[AnswerChoice]:
    """List the ranges of match scores to choose from: "below zero", "0 to 1,495" and so on.

    The value of a range is its lowest score. Any other would do: the first cards that a side lays
    in a round must count the same number of points for all scores of a range.
    """
    choices = [AnswerChoice(SCORE_BELOW_ZERO, t("rulebook.opening.below"))]
    for score_range in list_score_ranges(settings.opening_steps, page_words()):
        choices.append(AnswerChoice(str(score_range.lowest), score_range.text))
    return choices


def _list_usual_numbers(fact: Fact, settings: Settings) -> list[AnswerChoice]:
    """List the numbers to choose from, as the answer to a fact that is a number.

    - the number of a hand (a round) → from 1 to the hands of a match; none if these are not limited
    - red threes (bonus cards) → from 0 to those in the decks
    """
    is_number_of_hand = fact.name == FactName.DEAL
    if is_number_of_hand:
        first = 1
        last = settings.match_deals or 0
    else:
        first = 0
        last = count_cards_in_decks(settings.decks)[RED_THREE]
    return [AnswerChoice(str(number), str(number)) for number in range(first, last + 1)]


def choice_key(fact: Fact, value: str, kind: str, words: Words) -> str:
    """Find the key of the message that labels an answer: `referee.choice.yes` for "Yes".

    There may be a label for the answer to this fact in this kind of question, to this fact in any
    question, or to any fact. The first that exists is taken.
    """
    in_this_question = f"referee.{kind}.{fact.name}.{value}"
    in_any_question = f"referee.{fact.name}.{value}"
    of_answer_alone = f"referee.choice.{value}"
    return words.find_known_key(in_this_question, in_any_question, of_answer_alone)


def choice_label(fact: Fact, value: str, case: Case) -> str:
    return t(choice_key(fact, value, case.question.kind, page_words()))


def card_keys(fact: Fact, case: Case) -> list[Kind]:
    """List the cards that have a key to be tapped where a page asks for cards.

    - melds (sets of cards on the table) → no red three, which is never in a meld, and no black
      three where the rules keep it out too
    - other cards, such as a single card or the whole hand → all kinds
    """
    is_about_melds = fact.input in (InputKind.CARDS, InputKind.MELDS) and fact.name != FactName.HAND
    if not is_about_melds:
        return list(CARD_KEYS)
    never_in_melds = [Kind.RED_THREE]
    if case.settings.black_threes == "never":
        never_in_melds.append(Kind.BLACK_THREE)
    return [kind for kind in CARD_KEYS if kind not in never_in_melds]


def name_what_is_counted(parameter: str, case: Case) -> str:
    """Name what the number in a URL parameter counts: `canastas-mixed-canasta` → mixed canastas."""
    _name_of_fact, _, item = parameter.partition("-")
    return name_score_item(case.rules.variant, item, case.words)
