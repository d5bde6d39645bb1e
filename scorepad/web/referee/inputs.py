"""The labels, choices and keys of the inputs in which facts are asked for."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import item_word
from scorepad.matches.rulings import question_key
from scorepad.rules.cards import RED_THREE, Kind, in_decks
from scorepad.web.base import page_words, t
from scorepad.web.card_lines import CARD_KEYS
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Fact, InputKind
from scorepad.web.rule_words import score_ranges


def label_of(fact: Fact, case: Case) -> str:
    """The label of a fact, which may depend on the question and on whether players have a partner."""
    settings = case.settings
    words = case.words
    if settings.partnership == "single-taker":
        players = "either"
    elif max(settings.sides) == 1:
        players = "alone"
    else:
        players = "pair"
    key = question_key(case.question.kind, fact.name, words)
    own = f"referee.{case.question.name}.{fact.name}.ask"
    return t(words.first_known(own, f"{key}.ask.{players}", f"{key}.ask", key))


def choices_of(fact: Fact, case: Case) -> list[tuple[str, str]]:
    """The answers that can be tapped, value and label: of a figure the usual ones, of a score the
    opening's steps.
    """
    match fact.input:
        case InputKind.SIDE:
            sides = case.match.sides if case.match else ()
            return [(str(position), side.name) for position, side in enumerate(sides)]
        case InputKind.CHOICE:
            return [(value, choice_label(fact, value, case)) for value in fact.values]
        case InputKind.SCORE:
            choices = [("-5", t("rulebook.opening.below"))]
            for least, label in score_ranges(case.settings.opening_steps, page_words()):
                choices.append((str(least), label))
            return choices
        case InputKind.FIGURE if fact.name == "deal":
            return _numbers(1, case.settings.match_deals or 0)
        case InputKind.FIGURE:
            return _numbers(0, in_decks(case.settings.decks)[RED_THREE])
        case _:
            return []


def _numbers(least: int, most: int) -> list[tuple[str, str]]:
    return [(str(number), str(number)) for number in range(least, most + 1)]


def choice_key(fact: Fact, value: str, kind: str, words: Words) -> str:
    """The message key of the label of an answer to a fact; `kind` is the kind of question.

    A label may belong to the fact in this kind of question, to the fact in any question, or to the
    answer alone, such as "yes".
    """
    key = f"{question_key(kind, fact.name, words)}.{value}"
    return words.first_known(f"referee.{kind}.{fact.name}.{value}", key, f"referee.choice.{value}")


def choice_label(fact: Fact, value: str, case: Case) -> str:
    return t(choice_key(fact, value, case.question.kind, page_words()))


def card_keys(fact: Fact, case: Case) -> list[Kind]:
    """The cards that can be tapped to answer a fact.

    A fact about melds, the sets of cards laid on the table, has no key for the red three, which is
    never in a meld, and none for the black three where the rules keep it out of melds too. A fact
    about a single card, the cards turned or the whole hand has all keys.
    """
    is_about_melds = fact.input in (InputKind.CARDS, InputKind.MELDS) and fact.name != "hand"
    if not is_about_melds:
        return list(CARD_KEYS)
    never_in_melds = [Kind.RED_THREE]
    if case.settings.black_threes == "never":
        never_in_melds.append(Kind.BLACK_THREE)
    return [kind for kind in CARD_KEYS if kind not in never_in_melds]


def item_of(name: str, case: Case) -> str:
    """What a parameter counts: `canastas-mixed-canasta`."""
    return item_word(case.rules.variant, name.partition("-")[2], case.words)
